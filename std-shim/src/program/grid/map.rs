//! The map that a command is about.

use crate::failure::{Failure, Outcome};
use crate::occupancy::OccupancyMap;
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
    /// The file, where it is a Moving AI map.
    moving_ai: Option<Vec<u8>>,
}

/// Trees alone are open.
const TREES: TerrainRule = TerrainRule { ground: WALL, swamp: WALL, water: WALL, trees: 0 };

impl Map {
    /// Reads a map: by its YAML file the occupancy map of a robot, in which what is unknown is a wall; else a Moving AI map.
    pub fn read(path: &Path) -> Outcome<Map> {
        let named = || Failure::refused(path.display().to_string());
        if path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
            let grid = OccupancyMap::read(path)?.to_grid(WALL).map_err(named())?;
            return Ok(Map { grid, moving_ai: None });
        }
        let bytes = load::bytes(path)?;
        let grid = Grid::from_moving_ai(&bytes).map_err(named())?;
        Ok(Map { grid, moving_ai: Some(bytes) })
    }

    /// The map as units see it that move in trees alone; none where there are no trees.
    pub fn trees(&self) -> Outcome<Option<Grid>> {
        let Some(bytes) = &self.moving_ai else { return Ok(None) };
        let grid = Grid::from_moving_ai_with(bytes, &TREES)?;
        let has_trees = grid.core().cells().iter().any(|&area| area != WALL);
        Ok(has_trees.then_some(grid))
    }

    /// Whether the first row is the lowest, as in the world of robots, instead of the highest.
    pub fn is_upward(&self) -> bool {
        self.moving_ai.is_none()
    }
}
