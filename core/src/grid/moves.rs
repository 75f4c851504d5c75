//! Which steps there are between cells, and in which order they are looked at (`grids.md`, "Movement").

use super::Cell;

/// The eight steps in the order that decides which of two equal ways wins: north, east, south, west, north-east,
/// south-east, south-west, north-west. North is up, towards smaller rows.
pub const STEPS: [(i32, i32); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// For each diagonal step (less 4), the two straight steps to the cells beside it.
pub const BESIDE: [(usize, usize); 4] = [(0, 1), (2, 1), (2, 3), (0, 3)];

/// The double nearest the root of two: what a diagonal step measures.
pub const SQRT_2: f64 = core::f64::consts::SQRT_2;

/// Which neighbours a step can lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Connectivity {
    /// The four that share an edge.
    Four,
    /// Also the four that share a corner.
    #[default]
    Eight,
}

impl Connectivity {
    /// How many of [`STEPS`] there are.
    pub const fn steps(self) -> usize {
        match self {
            Connectivity::Four => 4,
            Connectivity::Eight => 8,
        }
    }
}

/// What a diagonal step needs of the two cells beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DiagonalRule {
    /// Both must be ground: the rule of the Moving AI benchmarks.
    #[default]
    NoCornerCutting,
    /// At least one must be ground.
    NoSqueezing,
    /// Nothing.
    AllowAll,
}

impl DiagonalRule {
    /// Whether a diagonal step is allowed, by whether the cells beside it are ground.
    #[inline]
    pub const fn allows(self, one: bool, other: bool) -> bool {
        match self {
            DiagonalRule::NoCornerCutting => one && other,
            DiagonalRule::NoSqueezing => one || other,
            DiagonalRule::AllowAll => true,
        }
    }
}

/// The step back.
#[inline]
pub(super) const fn opposite(step: usize) -> usize {
    step & 4 | (step & 3) ^ 2
}

/// The number in [`STEPS`] of the step between two cells, or `None` when they are not neighbours.
pub fn step_between(from: Cell, to: Cell) -> Option<usize> {
    let offset = (to.x.checked_sub(from.x)?, to.y.checked_sub(from.y)?);
    STEPS.iter().position(|&step| step == offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_beside_a_diagonal_step_share_an_edge_with_both_of_its_ends() {
        for (diagonal, (one, other)) in (4..8).zip(BESIDE) {
            let sum = (STEPS[one].0 + STEPS[other].0, STEPS[one].1 + STEPS[other].1);
            assert_eq!(sum, STEPS[diagonal]);
        }
    }

    #[test]
    fn the_root_of_two_has_the_documented_bits() {
        assert_eq!(SQRT_2.to_bits(), 0x3FF6_A09E_667F_3BCD);
        assert_eq!(crate::math::sqrt(2.0).to_bits(), SQRT_2.to_bits());
    }

    #[test]
    fn the_step_back_undoes_the_step() {
        for (step, &(dx, dy)) in STEPS.iter().enumerate() {
            assert_eq!(STEPS[opposite(step)], (-dx, -dy));
        }
    }

    #[test]
    fn only_neighbours_have_a_step_between_them() {
        assert_eq!(step_between(Cell::new(3, 3), Cell::new(2, 4)), Some(6));
        assert_eq!(step_between(Cell::new(3, 3), Cell::new(3, 3)), None);
        assert_eq!(step_between(Cell::new(i32::MIN, 0), Cell::new(i32::MAX, 0)), None);
    }
}
