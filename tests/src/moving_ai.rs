//! The Moving AI maps and scenarios: one folder of each, read by the core's readers.

use std::path::Path;

use navarena::error::Result;
use navarena::grid::moving_ai::{GridMap, Scenarios, TerrainRule};
use navarena::grid::{Cell, CellRect, Grid, GridDef, WALL};
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
    /// What is asked of agents on the ground.
    pub instances: Vec<Instance>,
    /// The area ids of a map on which trees alone are open.
    pub trees: Vec<u8>,
    /// What is asked from trees to trees, which are walls to agents on the ground.
    pub in_trees: Vec<Instance>,
    rounding: Rounding,
}

/// Trees alone are open.
const TREES: TerrainRule = TerrainRule { ground: WALL, swamp: WALL, water: WALL, trees: 0 };

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

/// To how many digits a file's lengths are rounded: as many as its longest has, which are six in most files and two
/// decimals in some.
#[derive(Clone, Copy, Debug, Default)]
struct Rounding {
    decimals: usize,
    digits: usize,
}

impl Rounding {
    fn of(lengths: impl Iterator<Item = f64>) -> Rounding {
        lengths.fold(Rounding::default(), |most, length| {
            // The shortest text that reads back: what the file has, without zeros at its end.
            let text = length.to_string();
            let decimals = text.split_once('.').map_or(0, |(_, end)| end.len());
            let digits = text.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
            Rounding { decimals: most.decimals.max(decimals), digits: most.digits.max(digits) }
        })
    }

    /// Half a unit of the last digit that a length may have.
    fn half_unit(self, length: f64) -> f64 {
        let before_point = (length.trunc() as u64).checked_ilog10().map_or(0, |digits| digits as usize + 1);
        let decimals = self.decimals.min(self.digits.saturating_sub(before_point));
        (0..decimals).fold(0.5, |unit, _| unit / 10.0)
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
        let mut trees = areas.clone();
        map.write_areas(&TREES, &mut trees)?;
        let all: Vec<Instance> = Scenarios::open(scenario)?
            .map(|one| Instance { start: cell(one.start), goal: cell(one.goal), length: one.length })
            .collect();
        let rounding = Rounding::of(all.iter().map(|instance| instance.length));
        let is_tree = |cell: Cell| trees.get(cell.y as usize * width as usize + cell.x as usize) == Some(&0);
        let (in_trees, instances) = all.into_iter().partition(|one| is_tree(one.start) && is_tree(one.goal));
        Ok(Benchmark { width, height, areas, instances, trees, in_trees, rounding })
    }

    /// The names of all maps, in order.
    ///
    /// # Errors
    /// A folder that can't be read.
    pub fn names(data: &Path) -> std::io::Result<Vec<String>> {
        let mut names = Vec::new();
        for file in std::fs::read_dir(data.join("movingai").join("maps"))? {
            names.extend(file?.file_name().to_str().and_then(|file| file.strip_suffix(".map")).map(String::from));
        }
        names.sort();
        Ok(names)
    }

    /// Whether a cost is an instance's length: within a relative 1e-6 (`grids.md`, "Verification") of a number that reads
    /// as the file has it, with as many digits as the file's lengths have. Both are needed: brc000d has three lengths whose
    /// exact value lies 2e-6 past the middle of two roundings.
    pub fn is_length(&self, instance: &Instance, cost: f64) -> bool {
        let slack = 1e-6 * instance.length + self.rounding.half_unit(instance.length);
        // A length of 0 says that there is no way, or that start and goal are one.
        (cost - instance.length).abs() <= if instance.length == 0.0 { 0.0 } else { slack }
    }

    /// A def for the map: cells alone, since every step costs the same.
    pub fn def(&self) -> GridDef {
        GridDef { clearance: false, area_costs: 0, journal: 0, ..GridDef::of_size(self.width, self.height) }
    }

    /// Runs `work` over a grid with the map's cells.
    pub fn with_grid<R>(&self, work: impl FnOnce(&mut Grid<'_>) -> Result<R>) -> Result<R> {
        self.with_areas(&self.areas, work)
    }

    /// Runs `work` over a grid on which trees alone are open.
    pub fn with_trees<R>(&self, work: impl FnOnce(&mut Grid<'_>) -> Result<R>) -> Result<R> {
        self.with_areas(&self.trees, work)
    }

    fn with_areas<R>(&self, areas: &[u8], work: impl FnOnce(&mut Grid<'_>) -> Result<R>) -> Result<R> {
        let mut memory = region(self.def().plan());
        let mut grid = Grid::new(&self.def(), &mut Arena::new(&mut memory))?;
        grid.set_rect_areas(CellRect::new(0, 0, grid.width(), grid.height()), areas)?;
        work(&mut grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_met_within_half_a_unit_of_the_last_digit_of_its_file() {
        let of = |lengths: &[f64], length: f64, cost: f64| {
            let row = |length: &f64| format!("0 m 1 1 0 0 0 0 {length}\n");
            let scenario: String = lengths.iter().map(row).collect();
            let map = b"type octile\nheight 1\nwidth 1\nmap\n.\n";
            let benchmark = Benchmark::parse(map, format!("version 1\n{scenario}").as_bytes()).unwrap();
            benchmark.is_length(&Instance { start: Cell::default(), goal: Cell::default(), length }, cost)
        };
        let six = [3.41421, 173.764, 1234.57];
        assert!(of(&six, 3.41421, 3.41421356) && !of(&six, 3.41421, 3.414221));
        assert!(of(&six, 337.789, 337.7894) && !of(&six, 337.789, 337.7899));
        assert!(of(&six, 173.764, 173.76450198781714));
        assert!(of(&six, 1234.57, 1234.5747) && !of(&six, 1234.57, 1234.58));
        assert!(of(&six, 0.0, 0.0) && !of(&six, 0.0, 1.0) && !of(&six, 0.0, 1e-6));
        let two = [244.95, 12.0];
        assert!(of(&two, 244.95, 244.9538) && !of(&two, 244.95, 244.96) && !of(&two, 12.0, 12.01));
        let whole = [8.071_067_811_865_476];
        assert!(of(&whole, whole[0], 8.0710678118) && !of(&whole, whole[0], 8.07108));
    }

    #[test]
    fn instances_between_trees_stand_apart() {
        let map = b"type octile\nheight 1\nwidth 4\nmap\nTT..\n";
        let scenario = b"version 1\n0 m 4 1 0 0 1 0 1\n0 m 4 1 2 0 3 0 1\n0 m 4 1 0 0 3 0 0\n";
        let benchmark = Benchmark::parse(map, scenario).unwrap();
        assert_eq!((benchmark.in_trees.len(), benchmark.instances.len()), (1, 2));
        assert_eq!((&benchmark.areas[..], &benchmark.trees[..]), (&[255, 255, 0, 0][..], &[0, 0, 255, 255][..]));
    }
}
