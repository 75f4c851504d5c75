//! When two costs of a replanner count as equal (`grids.md`, "Incremental replanning", "Tolerance").
//!
//! Costs are sums of doubles that different repairs add in different orders, so that what is equal on paper may differ
//! in its last bits. To stop late is harmless; to stop early leaves costs that no longer hold.

use core::cmp::Ordering;

/// How far two costs may lie apart and count as equal, as a part of the larger one, or of 1 where both are smaller.
pub const REPLAN_TOLERANCE: f64 = 1e-11;

/// The order of two costs, which are not negative and may be infinite, up to the tolerance.
#[inline]
pub(super) fn compare(one: f64, other: f64) -> Ordering {
    if one == other {
        return Ordering::Equal;
    }
    let (smaller, larger, order) =
        if one < other { (one, other, Ordering::Less) } else { (other, one, Ordering::Greater) };
    // Infinity is the tolerance's own product then, and nothing finite is near it.
    if larger == f64::INFINITY {
        return order;
    }
    let scale = if larger > 1.0 { larger } else { 1.0 };
    if larger - smaller <= REPLAN_TOLERANCE * scale { Ordering::Equal } else { order }
}

/// Whether two costs count as equal.
#[inline]
pub(super) fn is_same(one: f64, other: f64) -> bool {
    compare(one, other) == Ordering::Equal
}

/// A node's key: what a way through it costs at least, then what the way to it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key(pub f64, pub f64);

impl Key {
    /// The order of two keys, part by part, up to the tolerance.
    #[inline]
    pub fn compare(&self, other: &Key) -> Ordering {
        compare(self.0, other.0).then_with(|| compare(self.1, other.1))
    }

    /// Whether this one comes before another.
    #[inline]
    pub fn is_before(&self, other: &Key) -> bool {
        self.compare(other) == Ordering::Less
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_within_the_tolerance_are_equal_and_nothing_finite_equals_infinity() {
        use Ordering::*;
        assert_eq!([compare(0.0, 1e-11), compare(0.0, 1.1e-11), compare(0.5, 0.5 - 0.9e-11)], [Equal, Less, Equal]);
        assert_eq!([compare(1e3, 1e3 + 0.9e-8), compare(1e3 + 1.1e-8, 1e3)], [Equal, Greater]);
        let inf = f64::INFINITY;
        assert_eq!([compare(inf, inf), compare(f64::MAX, inf), compare(inf, 0.0)], [Equal, Less, Greater]);
    }

    #[test]
    fn the_second_part_decides_between_first_parts_that_count_as_equal() {
        assert!(Key(1.0 + 1e-12, 0.5).is_before(&Key(1.0, 0.6)));
        assert!(!Key(1.0 + 1e-10, 0.5).is_before(&Key(1.0, 0.6)));
        assert!(!Key(1.0, 0.5).is_before(&Key(1.0, 0.5 + 1e-12)));
    }
}
