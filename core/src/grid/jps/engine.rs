//! Jump point search as an engine of the grid search: one map, one specialised search, and the generic one on loan.

use super::jumper::{BlockJumper, Jumper, TableJumper};
use super::map::{JumpMap, JumpMapDef};
use super::search::{JumpOptions, JumpSearch, JumpSearchDef, Pruning};
use super::topology::JumpTopology;
use crate::error::Result;
use crate::grid::{Cell, Grid, GridAlgorithm, SquareHeuristic};
use crate::memory::Arena;
use crate::search::{AStar, BaseCost, PathStatus, SearchStatus};

/// The engine. Its map follows one grid at a time.
#[derive(Debug)]
pub(in crate::grid) struct JumpEngine<'m> {
    map: JumpMap<'m>,
    pub search: JumpSearch<'m>,
    by_tables: bool,
}

/// Runs one expression over the jumper of the search that is running.
macro_rules! with_jumper {
    ($engine:expr, $jumper:ident => $work:expr) => {
        if $engine.by_tables {
            let $jumper = TableJumper(&$engine.map);
            $work
        } else {
            let $jumper = BlockJumper(&$engine.map);
            $work
        }
    };
}

impl<'m> JumpEngine<'m> {
    pub fn new(map: &JumpMapDef, search: &JumpSearchDef, arena: &mut Arena<'m>) -> Result<Self> {
        Ok(JumpEngine { map: JumpMap::new(map, arena)?, search: JumpSearch::new(search, arena)?, by_tables: false })
    }

    /// Whether the search that is running finds jump points in tables.
    pub const fn by_tables(&self) -> bool {
        self.by_tables
    }

    /// Whether there is memory for an algorithm.
    pub fn has(&self, algorithm: GridAlgorithm) -> bool {
        match algorithm {
            GridAlgorithm::Jps => self.map.def().blocks,
            GridAlgorithm::JpsPlus => self.map.def().tables,
            _ => false,
        }
    }

    /// Makes the map what the algorithm needs of the grid now. A refusal changes nothing.
    pub fn refresh(&mut self, grid: &Grid<'_>, algorithm: GridAlgorithm) -> Result<()> {
        let by_tables = algorithm == GridAlgorithm::JpsPlus;
        if by_tables { self.map.refresh_tables(grid) } else { self.map.refresh_blocks(grid) }?;
        self.by_tables = by_tables;
        Ok(())
    }

    /// Begins the specialised search between two cells of ground.
    pub fn begin(&mut self, grid: &Grid<'_>, start: Cell, goal: Cell, is_zero: bool) -> Result<PathStatus> {
        self.search.begin(grid, start, goal, JumpOptions { is_zero, pruning: Pruning::Standard })
    }

    pub fn step(&mut self, budget: u64) -> Result<SearchStatus> {
        with_jumper!(self, jumper => self.search.step(&jumper, budget))
    }

    /// Goes on with a generic search over the jump points.
    pub fn step_generic(
        &self,
        general: &mut AStar<'_>,
        grid: &Grid<'_>,
        heuristic: &SquareHeuristic,
        budget: u64,
    ) -> Result<SearchStatus> {
        fn step<J: Jumper>(
            jumper: &J,
            general: &mut AStar<'_>,
            grid: &Grid<'_>,
            heuristic: &SquareHeuristic,
            budget: u64,
        ) -> Result<SearchStatus> {
            let goal = general.progress().goal;
            // All areas cost the same.
            let topology = JumpTopology { jumper, cells: grid.cells(), goal, cell_cost: grid.areas().min_cost() };
            general.step(&topology, &BaseCost, heuristic, budget)
        }
        with_jumper!(self, jumper => step(&jumper, general, grid, heuristic, budget))
    }
}
