//! How a search on a grid went, and the path it lends.

use super::{Cell, GridAlgorithm, GridSpace};
use crate::search::PathStatus;

/// How a search on a grid went: small, and no borrow of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridOutcome {
    /// The outcome in the words that all families share.
    pub status: PathStatus,
    /// The algorithm that ran, which need not be the one asked for.
    pub algorithm: GridAlgorithm,
    /// What the path costs; infinite without one.
    pub cost: f64,
    /// How many cells the whole path has, both ends included; 0 without one.
    pub length: u32,
    /// Whether the path is longer than the def's, so that only its first cells are lent.
    pub path_truncated: bool,
    /// How many nodes were expanded: all popped but the goal.
    pub expanded: u64,
    /// How many nodes were popped.
    pub iterations: u64,
}

impl GridOutcome {
    /// Nothing was found, for this reason.
    pub(super) const fn without_path(status: PathStatus, algorithm: GridAlgorithm) -> GridOutcome {
        GridOutcome {
            status,
            algorithm,
            cost: f64::INFINITY,
            length: 0,
            path_truncated: false,
            expanded: 0,
            iterations: 0,
        }
    }

    /// Whether there is a path.
    pub const fn has_path(&self) -> bool {
        self.status.has_path()
    }
}

/// The last path of a search, lent until the next one.
#[derive(Clone, Copy, Debug)]
pub struct GridPath<'a> {
    pub(super) outcome: GridOutcome,
    pub(super) cells: &'a [Cell],
    pub(super) expanded: &'a [u32],
    pub(super) width: u32,
}

impl<'a> GridPath<'a> {
    /// How the search went.
    pub const fn outcome(&self) -> GridOutcome {
        self.outcome
    }

    /// What it costs; infinite without a path.
    pub const fn cost(&self) -> f64 {
        self.outcome.cost
    }

    /// Its cells, start and goal included; the waypoints alone for paths at any angle.
    pub const fn cells(&self) -> &'a [Cell] {
        self.cells
    }

    /// The centres of its cells in the world.
    pub fn points(&self, space: GridSpace) -> impl ExactSizeIterator<Item = [f64; 2]> + 'a {
        self.cells.iter().map(move |&cell| space.center(cell))
    }

    /// The cells expanded, in order, as far as the def's `expansions` hold them.
    pub fn expanded_cells(&self) -> impl ExactSizeIterator<Item = Cell> + 'a {
        let width = self.width.max(1);
        self.expanded.iter().map(move |&node| Cell::new((node % width) as i32, (node / width) as i32))
    }
}
