//! The map that a command is about.

use crate::failure::{Failure, Outcome};
use crate::program::load;
use navarena::grid::WALL;
use navarena::grid::moving_ai::TerrainRule;
use navarena_alloc::Grid;
use std::path::Path;

/// A map, as agents on the ground see it and as it was read.
#[derive(Debug)]
pub struct Map {
    /// What is open to agents on the ground.
    pub grid: Grid,
    /// The file.
    bytes: Vec<u8>,
}

/// Trees alone are open.
const TREES: TerrainRule = TerrainRule { ground: WALL, swamp: WALL, water: WALL, trees: 0 };

impl Map {
    /// Reads a map.
    pub fn read(path: &Path) -> Outcome<Map> {
        let bytes = load::bytes(path)?;
        let grid = Grid::from_moving_ai(&bytes).map_err(Failure::refused(path.display().to_string()))?;
        Ok(Map { grid, bytes })
    }

    /// The map as units see it that move in trees alone; none where there are no trees.
    pub fn trees(&self) -> Outcome<Option<Grid>> {
        let grid = Grid::from_moving_ai_with(&self.bytes, &TREES)?;
        let has_trees = grid.core().cells().iter().any(|&area| area != WALL);
        Ok(has_trees.then_some(grid))
    }
}
