//! The Moving AI maps and scenarios: one folder of each, read by the core's readers.

use std::path::Path;

use navarena::error::Result;
use navarena::grid::moving_ai::{GridMap, Scenarios, TerrainRule};
use navarena::grid::{Cell, CellRect, Grid, GridDef};
use navarena::memory::Arena;

use crate::ours::region;

/// A map's cells and its scenario's instances.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Area ids, row by row: 0, or 255 for a wall.
    pub areas: Vec<u8>,
    /// What is asked.
    pub instances: Vec<Instance>,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// From where.
    pub start: Cell,
    /// To where.
    pub goal: Cell,
    /// The published length of the shortest way, without corner cutting.
    pub length: f64,
}

impl Instance {
    /// Whether a cost is the published length: within a relative 1e-6 (`grids.md`, "Verification") of a number that reads
    /// so to six digits, to which most files round theirs.
    pub fn is_length(&self, cost: f64) -> bool {
        let difference = (cost - self.length).abs();
        let mut unit = if self.length == 0.0 { 0.0 } else { 1e-5 };
        while unit > 0.0 && unit * 1e6 <= self.length {
            unit *= 10.0;
        }
        // Both are needed: brc000d has three lengths whose exact value lies 2e-6 past the middle of two roundings.
        difference <= 1e-6 * self.length + 0.5 * unit
    }
}

impl Benchmark {
    /// Reads a map and its scenario by the set's and the map's name, such as `dao-brc000d`.
    pub fn load(data: &Path, name: &str) -> std::result::Result<Benchmark, String> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        let folder = data.join("movingai");
        let map = read(&folder.join("maps").join(format!("{name}.map")))?;
        let scenario = read(&folder.join("scen").join(format!("{name}.map.scen")))?;
        Benchmark::parse(&map, &scenario).map_err(|error| format!("{name}: {error}"))
    }

    fn parse(map: &[u8], scenario: &[u8]) -> Result<Benchmark> {
        let map = GridMap::open(map)?;
        let (width, height) = (map.width(), map.height());
        let mut areas = vec![0; width as usize * height as usize];
        map.write_areas(&TerrainRule::DEFAULT, &mut areas)?;
        let cell = |[x, y]: [u32; 2]| Cell::new(x as i32, y as i32);
        let instances = Scenarios::open(scenario)?
            .map(|one| Instance { start: cell(one.start), goal: cell(one.goal), length: one.length })
            .collect();
        Ok(Benchmark { width, height, areas, instances })
    }

    /// A def for the map: cells alone, since every step costs the same.
    pub fn def(&self) -> GridDef {
        GridDef { clearance: false, area_costs: 0, journal: 0, ..GridDef::of_size(self.width, self.height) }
    }

    /// Runs `work` over a grid with the map's cells.
    pub fn with_grid<R>(&self, work: impl FnOnce(&mut Grid<'_>) -> Result<R>) -> Result<R> {
        let mut memory = region(self.def().plan());
        let mut grid = Grid::new(&self.def(), &mut Arena::new(&mut memory))?;
        grid.set_rect_areas(CellRect::new(0, 0, grid.width(), grid.height()), &self.areas)?;
        work(&mut grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_six_digits_is_met_within_half_a_unit_of_the_last() {
        let of = |length| Instance { start: Cell::default(), goal: Cell::default(), length };
        assert!(of(3.41421).is_length(3.41421356) && !of(3.41421).is_length(3.414221));
        assert!(of(337.789).is_length(337.7894) && !of(337.789).is_length(337.7899));
        assert!(of(8.07106781).is_length(8.0710678118) && of(0.0).is_length(0.0) && !of(0.0).is_length(1.0));
        assert!(of(173.764).is_length(173.76450198781714));
        assert!(of(1234.57).is_length(1234.5747) && !of(1234.57).is_length(1234.58));
    }
}
