//! A path over a grid that owns its cells.

use alloc::vec::Vec;
use navarena::grid::{self, Cell, GridAlgorithm, GridOutcome, GridSpace};
use navarena::search::PathStatus;

/// A path over a grid, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct GridPath {
    outcome: GridOutcome,
    cells: Vec<Cell>,
    expanded: Vec<Cell>,
    space: GridSpace,
}

impl GridPath {
    pub(super) fn copy(path: &grid::GridPath<'_>, space: GridSpace) -> GridPath {
        let expanded = path.expanded_cells().collect();
        GridPath { outcome: path.outcome(), cells: path.cells().to_vec(), expanded, space }
    }

    /// Whether there is a path to the goal.
    pub fn is_found(&self) -> bool {
        self.outcome.status == PathStatus::Found
    }

    /// How the search went.
    pub fn status(&self) -> PathStatus {
        self.outcome.status
    }

    /// What it costs; infinite without a path.
    pub fn cost(&self) -> f64 {
        self.outcome.cost
    }

    /// Its cells, start and goal included; the waypoints alone for paths at any angle. None without a path.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The centres of its cells in the world.
    pub fn points(&self) -> impl ExactSizeIterator<Item = [f64; 2]> + '_ {
        self.cells.iter().map(|&cell| self.space.center(cell))
    }

    /// The algorithm that ran, which need not be the one asked for.
    pub fn algorithm(&self) -> GridAlgorithm {
        self.outcome.algorithm
    }

    /// How many nodes were expanded.
    pub fn expanded(&self) -> u64 {
        self.outcome.expanded
    }

    /// The cells expanded, in order, where [`Grid::find_path_recorded`](crate::Grid::find_path_recorded) asked for them.
    pub fn expanded_cells(&self) -> &[Cell] {
        &self.expanded
    }

    /// All that the search says about itself.
    pub fn outcome(&self) -> &GridOutcome {
        &self.outcome
    }
}
