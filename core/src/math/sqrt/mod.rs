//! Square roots, correctly rounded: the hardware's where there is one, an exact software one elsewhere.
//!
//! Both round to nearest, ties to even, so they agree in every bit; the software one is compiled and compared with the
//! hardware's on every target.

mod hardware;
mod software;

/// The one NaN that roots of negative numbers and of NaN are.
const NAN: f64 = f64::from_bits(0x7FF8_0000_0000_0000);
const NAN_32: f32 = f32::from_bits(0x7FC0_0000);

/// The square root of a double, correctly rounded.
///
/// The root of -0 is -0. Negative numbers and NaN give the one quiet NaN 0x7FF8000000000000, whatever the hardware's
/// own is.
///
/// ```
/// use navarena::math::sqrt;
/// assert_eq!(sqrt(2.0).to_bits(), 0x3FF6_A09E_667F_3BCD);
/// assert_eq!(sqrt(-1.0).to_bits(), 0x7FF8_0000_0000_0000);
/// ```
#[inline]
pub fn sqrt(value: f64) -> f64 {
    // Compared as integers: from `value >= 0.0` the compiler concludes that the root of all others is some NaN, and
    // leaves which one to the hardware.
    if value.to_bits() <= f64::INFINITY.to_bits() { hardware::sqrt(value) } else { sqrt_of_sign_or_nan(value) }
}

/// The square root of a float, correctly rounded; else as [`sqrt`], and its NaN is 0x7FC00000.
///
/// ```
/// assert_eq!(navarena::math::sqrt32(2.0).to_bits(), 0x3FB5_04F3);
/// ```
#[inline]
pub fn sqrt32(value: f32) -> f32 {
    if value.to_bits() <= f32::INFINITY.to_bits() { hardware::sqrt32(value) } else { sqrt32_of_sign_or_nan(value) }
}

/// The root of -0, of negative numbers and of NaN. Never inlined: see [`sqrt`].
#[cold]
#[inline(never)]
fn sqrt_of_sign_or_nan(value: f64) -> f64 {
    if value == 0.0 { value } else { NAN }
}

#[cold]
#[inline(never)]
fn sqrt32_of_sign_or_nan(value: f32) -> f32 {
    if value == 0.0 { value } else { NAN_32 }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // the platform's root is the oracle
mod tests {
    use super::*;
    use crate::math::SplitMix64;

    /// Random bit patterns to compare; `NAVARENA_LONG=1` makes it 10^8.
    fn rounds() -> u64 {
        if std::env::var_os("NAVARENA_LONG").is_some() { 100_000_000 } else { 1_000_000 }
    }

    fn check(value: f64) {
        let bits = core::hint::black_box(value).to_bits();
        let want = match bits {
            0..=0x7FF0_0000_0000_0000 | 0x8000_0000_0000_0000 => value.sqrt().to_bits(),
            _ => 0x7FF8_0000_0000_0000,
        };
        assert_eq!(sqrt(value).to_bits(), want, "hardware, {:x}", value.to_bits());
        if bits <= 0x7FF0_0000_0000_0000 {
            assert_eq!(software::sqrt(value).to_bits(), want, "software, {:x}", value.to_bits());
        }
    }

    fn check32(value: f32) {
        let bits = core::hint::black_box(value).to_bits();
        let want = match bits {
            0..=0x7F80_0000 | 0x8000_0000 => value.sqrt().to_bits(),
            _ => 0x7FC0_0000,
        };
        assert_eq!(sqrt32(value).to_bits(), want, "hardware, {:x}", value.to_bits());
        if bits <= 0x7F80_0000 {
            assert_eq!(software::sqrt32(value).to_bits(), want, "software, {:x}", value.to_bits());
        }
    }

    #[test]
    fn software_and_hardware_agree_about_every_exponent() {
        for exponent in 0..0x1000u64 {
            for fraction in [0, 1, 2, 3, 1 << 26, 1 << 51, (1 << 51) + 1, (1 << 52) - 2, (1 << 52) - 1] {
                check(f64::from_bits(exponent << 52 | fraction));
            }
        }
        for bit in 0..52 {
            check(f64::from_bits(1 << bit));
            check(f64::from_bits((1 << bit) - 1));
        }
        for exponent in 0..0x200u32 {
            for fraction in [0, 1, 2, 3, 1 << 12, 1 << 22, (1 << 22) + 1, (1 << 23) - 2, (1 << 23) - 1] {
                check32(f32::from_bits(exponent << 23 | fraction));
            }
        }
    }

    #[test]
    fn software_and_hardware_agree_on_random_bits() {
        let mut random = SplitMix64::new(1);
        for _ in 0..rounds() {
            let bits = random.next_u64();
            check(f64::from_bits(bits));
            check(f64::from_bits(bits & !(1 << 63)));
            check32(f32::from_bits(bits as u32));
            check32(f32::from_bits(bits as u32 & !(1 << 31)));
        }
    }

    /// The hardest numbers lie next to squares and next to squares of midpoints between doubles.
    #[test]
    fn software_and_hardware_agree_next_to_squares() {
        let mut random = SplitMix64::new(2);
        for _ in 0..rounds() / 10 {
            let root = 1.0 + random.next_f64();
            let square = (root * root).to_bits();
            let midpoint = (root * (root + f64::EPSILON)).to_bits();
            for near in [square, midpoint] {
                (near - 2..=near + 2).for_each(|bits| check(f64::from_bits(bits)));
            }
            let root = root as f32;
            let square = (root * root).to_bits();
            (square - 2..=square + 2).for_each(|bits| check32(f32::from_bits(bits)));
        }
    }

    #[test]
    fn every_float_of_two_binades_has_the_right_root() {
        for bits in (1f32.to_bits()..4f32.to_bits()).step_by(if rounds() > 1_000_000 { 1 } else { 7 }) {
            check32(f32::from_bits(bits));
        }
    }
}
