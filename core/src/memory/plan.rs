//! The ruler that lays arrays out, and the plan it gives: the only place where sizes stand.

use super::{GRAIN, grains_for};

/// Adds up the arrays of an object, each beginning at a grain.
///
/// Everything is `const`, so a firmware sizes a static buffer with it. A size that overflows saturates at
/// `usize::MAX`, which no arena can fill: the constructor then refuses it as any plan too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ruler {
    bytes: usize,
}

impl Ruler {
    /// A ruler at zero.
    pub const fn new() -> Ruler {
        Ruler { bytes: 0 }
    }

    /// The ruler after an array of `count` elements of `T`.
    pub const fn array<T>(self, count: usize) -> Ruler {
        match grains_for::<T>(count) {
            Some(grains) => self.add(grains.saturating_mul(GRAIN)),
            None => Ruler { bytes: usize::MAX },
        }
    }

    /// The ruler after another plan's arrays.
    pub const fn then(self, plan: Plan) -> Ruler {
        self.add(plan.bytes)
    }

    /// The ruler after the larger of this and another: for work that shares one region in turns.
    pub const fn or(self, other: Ruler) -> Ruler {
        if self.bytes >= other.bytes { self } else { other }
    }

    /// What was measured.
    pub const fn plan(self) -> Plan {
        Plan { bytes: self.bytes }
    }

    const fn add(self, bytes: usize) -> Ruler {
        Ruler { bytes: self.bytes.saturating_add(bytes) }
    }
}

impl Default for Ruler {
    fn default() -> Self {
        Self::new()
    }
}

/// What an object needs of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Plan {
    /// Bytes, a multiple of the grain; `usize::MAX` when the limits overflow the address space.
    pub bytes: usize,
}

impl Plan {
    /// How many grains a region needs for this plan alone.
    pub const fn grains(&self) -> usize {
        self.bytes.div_ceil(GRAIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_round_up_to_grains_and_add_up() {
        let plan = Ruler::new().array::<u8>(1).array::<u64>(2).array::<[f32; 3]>(2).array::<u8>(0).plan();
        assert_eq!(plan.bytes, 16 + 16 + 32);
        assert_eq!(plan.grains(), 4);
    }

    #[test]
    fn a_size_that_overflows_saturates() {
        let huge = Ruler::new().array::<u64>(usize::MAX / 4);
        assert_eq!(huge.plan().bytes, usize::MAX);
        assert_eq!(huge.array::<u8>(16).plan().bytes, usize::MAX);
    }

    #[test]
    fn the_larger_of_two_turns_counts() {
        let a = Ruler::new().array::<u8>(100);
        let b = Ruler::new().array::<u8>(30);
        assert_eq!(a.or(b), a);
        assert_eq!(b.or(a), a);
    }
}
