//! A seeded generator whose whole state is one number.

/// SplitMix64: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators* (OOPSLA 2014).
///
/// The numbers are the published ones; how they become doubles and ranges is our own and stated at each function. Its
/// [`state`](SplitMix64::state) is all there is to save. Not for secrets.
///
/// ```
/// use navarena::math::SplitMix64;
/// let mut random = SplitMix64::new(1234567);
/// assert_eq!(random.next_u64(), 6457827717110365317);
/// assert_eq!(random.next_u64(), 3203168211198807973);
/// let saved = random.state();
/// let roll = 1 + random.below(6);
/// assert_eq!(1 + SplitMix64::new(saved).below(6), roll);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The step between states: 2^64 over the golden ratio, made odd.
    pub const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

    /// A generator in a state: any number will do.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    /// The state, from which [`new`](SplitMix64::new) makes a generator that goes on the same way.
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// The next number of 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(Self::GAMMA);
        Self::mix(self.state)
    }

    /// The generator's output function: mixes a state to 64 bits, one to one.
    pub const fn mix(state: u64) -> u64 {
        let once = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let twice = (once ^ (once >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        twice ^ (twice >> 31)
    }

    /// The next double in [0, 1): the upper 53 bits of one number, times 2^-53.
    pub const fn next_f64(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * UNIT
    }

    /// The next integer in [0, bound): the upper half of one number times the bound. 0 for a bound of 0.
    ///
    /// One number is used up, always. Some results are likelier than others by at most bound / 2^64.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next_u64() as u128 * bound as u128) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vectors_come_out() {
        let mut random = SplitMix64::new(1234567);
        let published =
            [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821];
        assert_eq!(published.map(|_| random.next_u64()), published);
        let mut random = SplitMix64::new(0);
        let published = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!(published.map(|_| random.next_u64()), published);
    }

    #[test]
    fn doubles_and_ranges_stay_inside_and_fill_them() {
        let mut random = SplitMix64::new(7);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.next_f64()));
            counts[random.below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        assert!(random.below(u64::MAX) < u64::MAX);
    }

    #[test]
    fn the_largest_number_stays_below_its_bounds() {
        // Mixing is one to one, so some state gives all ones; undoing the three steps finds it.
        let unshift = |value: u64, by: u32| (0..64 / by).fold(value, |x, _| value ^ (x >> by));
        let inverse =
            |factor: u64| (0..6).fold(factor, |x, _| x.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(x))));
        let twice = unshift(u64::MAX, 31).wrapping_mul(inverse(0x94D0_49BB_1331_11EB));
        let once = unshift(twice, 27).wrapping_mul(inverse(0xBF58_476D_1CE4_E5B9));
        let before = SplitMix64::new(unshift(once, 30).wrapping_sub(SplitMix64::GAMMA));
        assert_eq!(before.clone().next_u64(), u64::MAX);
        assert!(before.clone().next_f64() < 1.0);
        assert_eq!(before.clone().below(6), 5);
        assert_eq!(before.clone().below(u64::MAX), u64::MAX - 1);
    }
}
