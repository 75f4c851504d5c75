//! Exact costs: straight steps and diagonal steps.

use crate::grid::SQRT_2;
use core::cmp::Ordering;

/// The cost of a way, exactly: `straight + diagonal * SQRT_2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pair {
    /// How many straight steps.
    pub straight: u32,
    /// How many diagonal steps.
    pub diagonal: u32,
}

impl Pair {
    /// The cost as a double: one product and one sum.
    #[inline]
    pub fn cost(self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * SQRT_2
    }

    /// The cost as a float, by which ties are broken.
    #[inline]
    pub fn tie(self) -> f32 {
        self.cost() as f32
    }

    /// The pair after one more of [`STEPS`](crate::grid::STEPS).
    #[inline]
    pub fn after(self, step: usize) -> Pair {
        let diagonal = (step >> 2) as u32;
        Pair { straight: self.straight + (diagonal ^ 1), diagonal: self.diagonal + diagonal }
    }

    /// The pair after several more of one of [`STEPS`](crate::grid::STEPS).
    #[inline]
    pub fn after_run(self, direction: usize, steps: u32) -> Pair {
        match direction {
            0..4 => Pair { straight: self.straight + steps, diagonal: self.diagonal },
            _ => Pair { straight: self.straight, diagonal: self.diagonal + steps },
        }
    }

    /// The pair with the octile distance over columns and rows added.
    #[inline]
    pub fn plus_octile(self, columns: u32, rows: u32) -> Pair {
        let shorter = columns.min(rows);
        Pair { straight: self.straight + (columns.max(rows) - shorter), diagonal: self.diagonal + shorter }
    }

    /// Which costs more, in integers: for processors to which doubles are dear.
    ///
    /// The doubles order pairs of up to 2^24 steps alike: different ones are at least 2^-26 apart, much further than
    /// rounding takes them.
    #[inline]
    pub fn compare(self, other: Pair) -> Ordering {
        let straight = i64::from(self.straight) - i64::from(other.straight);
        let diagonal = i64::from(other.diagonal) - i64::from(self.diagonal);
        // straight against diagonal * root of 2: where both point the same way, their squares decide.
        match (straight.signum(), diagonal.signum()) {
            (1, 1) => (straight * straight).cmp(&(2 * diagonal * diagonal)),
            (-1, -1) => (2 * diagonal * diagonal).cmp(&(straight * straight)),
            (one, other) => one.cmp(&other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_and_doubles_order_pairs_alike(
            a in 0u32..1 << 24, b in 0u32..1 << 24, da in -300i32..300, db in -300i32..300, far in any::<bool>(),
            c in 0u32..1 << 24, d in 0u32..1 << 24,
        ) {
            let one = Pair { straight: a, diagonal: b };
            let near = Pair { straight: a.saturating_add_signed(da), diagonal: b.saturating_add_signed(db) };
            let other = if far { Pair { straight: c, diagonal: d } } else { near };
            prop_assert_eq!(one.compare(other), one.cost().partial_cmp(&other.cost()).unwrap());
            prop_assert_eq!(other.compare(one), one.compare(other).reverse());
        }
    }

    #[test]
    fn the_closest_pairs_are_told_apart() {
        // Convergents of the root of two: the fractions closest to it.
        let (mut p, mut q) = (1u32, 1u32);
        while p < 1 << 24 {
            let (one, other) = (Pair { straight: p, diagonal: 0 }, Pair { straight: 0, diagonal: q });
            assert_eq!(one.compare(other), one.cost().partial_cmp(&other.cost()).unwrap());
            assert_ne!(one.compare(other), Ordering::Equal);
            (p, q) = (p + 2 * q, p + q);
        }
    }

    #[test]
    fn a_step_adds_one_and_the_estimate_a_diagonal_and_a_straight() {
        let pair = Pair { straight: 2, diagonal: 5 };
        assert_eq!(pair.after(3), Pair { straight: 3, diagonal: 5 });
        assert_eq!(pair.after(4), Pair { straight: 2, diagonal: 6 });
        assert_eq!(pair.plus_octile(7, 3), Pair { straight: 6, diagonal: 8 });
    }
}
