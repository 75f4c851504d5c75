//! Searches amid their work on a small grid, by every engine: what fuzzing of saved states begins with.

use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::grid::replan::{GridReplanner, GridReplannerDef};
use navarena::grid::{
    CellRect, Grid, GridAlgorithm, GridDef, GridOptions, GridSearch, GridSearchDef, HeuristicKind, OctileMemory, WALL,
};
use navarena::memory::Arena;

use crate::ours::region;

/// Columns and rows.
pub const SIDE: u32 = 16;
/// Where searches begin.
pub const START: (i32, i32) = (1, 13);
/// Where they lead.
pub const GOAL: (i32, i32) = (14, 2);

/// A search of one engine.
#[derive(Clone, Copy, Debug)]
pub struct Saved {
    /// What it is called.
    pub name: &'static str,
    /// What it is made from.
    pub def: GridSearchDef,
    /// What it is asked.
    pub options: GridOptions,
}

/// Runs `work` over a grid with two walls that a way has to wind around.
pub fn with_grid<R>(work: impl FnOnce(&mut Grid<'_>) -> R) -> R {
    let def = GridDef { area_costs: 2, journal: 4, ..GridDef::of_size(SIDE, SIDE) };
    let mut memory = region(def.plan());
    let mut grid = Grid::new(&def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    for wall in [CellRect::new(6, 2, 1, 14), CellRect::new(10, 0, 1, 13)] {
        grid.set_rect(wall, WALL).expect("a rectangle of the grid");
    }
    work(&mut grid)
}

/// A search by each engine.
pub fn searches() -> Vec<Saved> {
    let by = |name, algorithm, specialized| {
        let options = GridOptions { algorithm, specialized, ..GridOptions::DEFAULT };
        Saved { name, def: GridSearchDef { expansions: 300, ..GridSearchDef::of_size(SIDE, SIDE) }, options }
    };
    let plain = by("astar", GridAlgorithm::AStar, true);
    vec![
        plain,
        Saved { name: "compact", def: GridSearchDef { octile: OctileMemory::Compact, ..plain.def }, ..plain },
        Saved { name: "zero", options: GridOptions { heuristic: HeuristicKind::Zero, ..plain.options }, ..plain },
        by("generic", GridAlgorithm::AStar, false),
        Saved { name: "four", options: GridOptions::FOUR_CONNECTED, ..plain },
        by("jps", GridAlgorithm::Jps, true),
        by("jps-plus", GridAlgorithm::JpsPlus, true),
        by("generic-jps", GridAlgorithm::Jps, false),
        by("generic-jps-plus", GridAlgorithm::JpsPlus, false),
        by("theta", GridAlgorithm::ThetaStar, true),
        by("lazy-theta", GridAlgorithm::LazyThetaStar, true),
    ]
}

impl Saved {
    /// Begins the search and goes on a little.
    pub fn begin(&self, grid: &Grid<'_>, search: &mut GridSearch<'_>) {
        search.begin(grid, START, GOAL, &self.options).expect("there is memory for it");
        search.step(grid, 4).expect("there is room for all cells");
    }
}

/// The bytes of a search.
pub fn saved(grid: &Grid<'_>, search: &GridSearch<'_>) -> Vec<u8> {
    let mut bytes = vec![0; search.state_size(grid).expect("a grid that was not edited")];
    search.save_state(grid, &mut bytes).expect("the size that was asked for");
    bytes
}

/// A good state of every object, each behind the byte by which the fuzz target knows who reads it.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    let mut keep = |name: &str, bytes: Vec<u8>| {
        let choice = (seeds.len() * 2) as u8;
        seeds.push((name.to_string(), [&[choice], bytes.as_slice()].concat()));
    };
    with_grid(|grid| {
        for one in searches() {
            let mut memory = region(one.def.plan());
            let mut search = GridSearch::new(&one.def, &mut Arena::new(&mut memory)).expect("the plan fits");
            one.begin(grid, &mut search);
            keep(one.name, saved(grid, &search));
        }
        let mut map = vec![0; grid.state_size()];
        grid.save_state(&mut map).expect("the size that was asked for");
        keep("grid", map);
        keep("replanner", replanner(grid));
        keep("field", field(grid));
    });
    seeds
}

fn replanner(grid: &Grid<'_>) -> Vec<u8> {
    let def = GridReplannerDef::d_star_lite(SIDE * SIDE);
    let mut memory = region(def.plan());
    let mut planner = GridReplanner::new(&def, &mut Arena::new(&mut memory)).expect("the plan fits");
    planner.begin(grid, START, GOAL).expect("a grid of as many cells");
    planner.replan(grid, 30).expect("it has begun");
    let mut bytes = vec![0; planner.state_size(grid).expect("it has begun")];
    planner.save_state(grid, &mut bytes).expect("the size that was asked for");
    bytes
}

fn field(grid: &Grid<'_>) -> Vec<u8> {
    let def = GridFlowDef { goals: 1, ..GridFlowDef::of_cells(SIDE * SIDE) };
    let mut memory = region(def.plan());
    let mut field = GridFlowField::new(&def, &mut Arena::new(&mut memory)).expect("the plan fits");
    field.begin(grid, &[GOAL.into()], &FlowOptions::DEFAULT).expect("a goal of the grid");
    field.step(grid, 30).expect("it has begun");
    let mut bytes = vec![0; field.state_size(grid).expect("it has begun")];
    field.save_state(grid, &mut bytes).expect("the size that was asked for");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_is_a_state_that_its_reader_accepts() {
        let (seeds, searches) = (seeds(), searches());
        assert_eq!(seeds.len(), searches.len() + 3);
        with_grid(|grid| {
            for ((name, bytes), one) in seeds.iter().zip(&searches) {
                let mut memory = region(one.def.plan());
                let mut search = GridSearch::new(&one.def, &mut Arena::new(&mut memory)).unwrap();
                search.restore_state(grid, &one.options, &bytes[1..]).unwrap();
                assert_eq!(saved(grid, &search), bytes[1..], "{name}");
            }
            grid.restore_state(&seeds[searches.len()].1[1..]).unwrap();
        });
    }
}
