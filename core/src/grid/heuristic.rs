//! Lower bounds on the way between two cells of a square grid (`grids.md`, "A*", "Any-angle search").

use super::moves::SQRT_2;
use super::{Connectivity, Grid, SquareTopology};
use crate::math::sqrt;
use crate::search::Heuristic;

/// How a search on a square grid estimates what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HeuristicKind {
    /// Manhattan for four neighbours, octile for eight, Euclidean for any angle.
    #[default]
    Auto,
    /// Columns plus rows.
    Manhattan,
    /// Diagonal steps as far as they lead, straight steps for the rest.
    Octile,
    /// The straight line.
    Euclidean,
    /// Nothing: the search is Dijkstra's.
    Zero,
}

impl HeuristicKind {
    /// What `Auto` stands for on a grid; others stand for themselves.
    pub const fn resolved(self, connectivity: Connectivity) -> HeuristicKind {
        match (self, connectivity) {
            (HeuristicKind::Auto, Connectivity::Four) => HeuristicKind::Manhattan,
            (HeuristicKind::Auto, Connectivity::Eight) => HeuristicKind::Octile,
            (kind, _) => kind,
        }
    }
}

/// An estimate on a square grid: a distance between cells times a scale, which is the smallest area multiplier.
///
/// Evaluated as the page writes it: Manhattan `scale * (|dx| + |dy|)`, octile `scale * ((max - min) + min * SQRT_2)`,
/// Euclidean `scale * sqrt(dx * dx + dy * dy)`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SquareHeuristic {
    kind: HeuristicKind,
    width: u32,
    scale: f64,
}

impl SquareHeuristic {
    /// An estimate for a grid's present multipliers. `Auto` stands for octile.
    pub fn new(grid: &Grid<'_>, kind: HeuristicKind) -> SquareHeuristic {
        let kind = kind.resolved(Connectivity::Eight);
        SquareHeuristic { kind, width: grid.width() as u32, scale: grid.areas().min_cost() }
    }

    /// The estimate that fits how an agent moves: Manhattan for four neighbours, octile for eight.
    pub fn of(topology: &SquareTopology<'_>) -> SquareHeuristic {
        let kind = HeuristicKind::Auto.resolved(topology.movement().connectivity);
        SquareHeuristic { kind, width: topology.width() as u32, scale: topology.areas().min_cost() }
    }

    /// The estimate over a distance of columns and rows.
    #[inline]
    pub fn over(&self, columns: u32, rows: u32) -> f64 {
        let (longer, shorter) = (columns.max(rows), columns.min(rows));
        match self.kind {
            HeuristicKind::Manhattan => self.scale * f64::from(columns + rows),
            HeuristicKind::Octile | HeuristicKind::Auto => {
                self.scale * (f64::from(longer - shorter) + f64::from(shorter) * SQRT_2)
            }
            HeuristicKind::Euclidean => self.scale * cell_distance(columns, rows),
            HeuristicKind::Zero => 0.0,
        }
    }
}

impl Heuristic for SquareHeuristic {
    #[inline]
    fn estimate(&self, node: u32, goal: u32) -> f64 {
        let columns = (node % self.width).abs_diff(goal % self.width);
        let rows = (node / self.width).abs_diff(goal / self.width);
        self.over(columns, rows)
    }
}

/// The straight line over columns and rows: the sum of squares exact in 64 bits, one rounded square root.
#[inline]
pub fn cell_distance(columns: u32, rows: u32) -> f64 {
    // At most 2^56 + 2^56: the conversion to a double rounds once, as the reference's does.
    let squared = u64::from(columns) * u64::from(columns) + u64::from(rows) * u64::from(rows);
    sqrt(squared as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridDef;
    use crate::memory::{Arena, Grain};

    #[test]
    fn estimates_are_the_pages_formulas() {
        let def = GridDef::of_size(20, 10);
        let mut region = std::vec![Grain::ZERO; def.plan().grains()];
        let mut grid = Grid::new(&def, &mut Arena::new(&mut region)).unwrap();
        grid.set_all_area_costs(0.7).unwrap();
        let (from, to) = (2 * 20 + 3, 7 * 20 + 15); // 12 columns, 5 rows
        let estimate = |kind| SquareHeuristic::new(&grid, kind).estimate(from, to);
        assert_eq!(estimate(HeuristicKind::Manhattan), 0.7 * 17.0);
        assert_eq!(estimate(HeuristicKind::Octile), 0.7 * (7.0 + 5.0 * core::f64::consts::SQRT_2));
        assert_eq!(estimate(HeuristicKind::Auto), estimate(HeuristicKind::Octile));
        assert_eq!(estimate(HeuristicKind::Euclidean), 0.7 * 13.0);
        assert_eq!(estimate(HeuristicKind::Zero), 0.0);
    }
}
