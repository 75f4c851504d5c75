//! HPA* as an engine of the grid search: one hierarchy, which follows one grid and one kind of agent at a time, and one
//! search.

use super::def::{HierarchyDef, HpaSearchDef};
use super::hierarchy::Hierarchy;
use super::search::HpaSearch;
use crate::error::{Error, Result, Subject};
use crate::grid::{Cell, Grid, GridOptions};
use crate::memory::Arena;
use crate::search::{PathStatus, SearchStatus};

/// The engine.
#[derive(Debug)]
pub(in crate::grid) struct HpaEngine<'m> {
    pub hierarchy: Hierarchy<'m>,
    pub search: HpaSearch<'m>,
}

impl<'m> HpaEngine<'m> {
    pub fn new(hierarchy: &HierarchyDef, search: &HpaSearchDef, arena: &mut Arena<'m>) -> Result<Self> {
        Ok(HpaEngine { hierarchy: Hierarchy::new(hierarchy, arena)?, search: HpaSearch::new(search, arena)? })
    }

    /// Makes the hierarchy what is asked for of the grid as it is now.
    ///
    /// # Errors
    /// Chunks of another side than the def's, and those of [`Hierarchy::refresh`].
    pub fn refresh(&mut self, grid: &Grid<'_>, options: &GridOptions) -> Result<()> {
        let (asked, built) = (u32::from(options.hpa_chunk), self.hierarchy.def().chunk);
        if asked != 0 && asked != built {
            return Err(Error::invalid(Subject::ChunkSide).value(f64::from(asked)).bound(f64::from(built)));
        }
        self.hierarchy.refresh(grid, options.movement).map(|_| ())
    }

    /// Begins between two cells that the agent fits on.
    pub fn begin(&mut self, grid: &Grid<'_>, start: Cell, goal: Cell, options: &GridOptions) -> Result<PathStatus> {
        self.search.begin(grid, &self.hierarchy, start, goal, options.hpa_smoothing)
    }

    pub fn step(&mut self, grid: &Grid<'_>, budget: u64) -> Result<SearchStatus> {
        Ok(match self.search.step(grid, &self.hierarchy, budget)? {
            PathStatus::Found => SearchStatus::Found,
            PathStatus::NoPath => SearchStatus::NotFound,
            _ => SearchStatus::Running,
        })
    }
}
