//! Square grids: every algorithm over random maps, replanners and flow fields over random edits.

use alloc::vec;
use navarena::error::Result;
use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::grid::hpa::HierarchyDef;
use navarena::grid::replan::{GridReplanner, GridReplannerDef};
use navarena::grid::{
    Cell, CellRect, Grid, GridAlgorithm, GridDef, GridOptions, GridPath, GridSearch, GridSearchDef, WALL,
};
use navarena::math::SplitMix64;
use navarena::memory::Arena;

use crate::level::region;
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "grid/astar", run: |record| paths(record, GridAlgorithm::AStar, 1) },
    Scenario { name: "grid/astar-large-agent", run: large_agent },
    Scenario { name: "grid/clearance", run: clearance },
    Scenario { name: "grid/content-hash", run: content_hash },
    Scenario { name: "grid/d-star-lite", run: |record| replans(record, GridReplannerDef::d_star_lite) },
    Scenario { name: "grid/flow", run: flow },
    Scenario { name: "grid/hpa", run: hpa },
    Scenario { name: "grid/jps", run: |record| paths(record, GridAlgorithm::Jps, 1) },
    Scenario { name: "grid/jps-plus", run: |record| paths(record, GridAlgorithm::JpsPlus, 1) },
    Scenario { name: "grid/lazy-theta", run: |record| paths(record, GridAlgorithm::LazyThetaStar, 1) },
    Scenario { name: "grid/lpa-star", run: |record| replans(record, GridReplannerDef::lpa_star) },
    Scenario { name: "grid/swamp", run: |record| paths(record, GridAlgorithm::AStar, 4) },
    Scenario { name: "grid/theta", run: |record| paths(record, GridAlgorithm::ThetaStar, 1) },
];

const SIDE: u32 = 40;
const CELLS: u32 = SIDE * SIDE;

fn any_cell(random: &mut SplitMix64) -> Cell {
    let mut coordinate = || random.below(SIDE.into()) as i32;
    Cell::new(coordinate(), coordinate())
}

/// Changes a random rectangle: mostly walls, or one of so many areas.
fn edit(grid: &mut Grid<'_>, random: &mut SplitMix64, areas: u64) -> Result<()> {
    let corner = any_cell(random);
    let most = |from: i32| (SIDE as i32 - from).min(1 + from % 6);
    let area = if random.below(3) == 0 { random.below(areas) as u8 } else { WALL };
    grid.set_rect(CellRect::new(corner.x, corner.y, most(corner.x), most(corner.y)), area)?;
    Ok(())
}

/// A map with walls in a quarter of its cells, and areas of different costs.
fn with_map<R>(seed: u64, areas: u64, work: impl FnOnce(&mut Grid<'_>, &mut SplitMix64) -> Result<R>) -> Result<R> {
    let def = GridDef::of_size(SIDE, SIDE);
    let mut memory = region(def.plan());
    let mut grid = Grid::new(&def, &mut Arena::new(&mut memory))?;
    let mut random = SplitMix64::new(seed);
    for area in 1..areas as u8 {
        grid.set_area_cost(area, 1.0 + f64::from(area) * 0.75)?;
    }
    for _ in 0..60 {
        edit(&mut grid, &mut random, areas)?;
    }
    work(&mut grid, &mut random)
}

fn write(record: &mut Record<'_>, path: &GridPath<'_>) {
    let outcome = path.outcome();
    record.count(outcome.status as u8);
    record.count(outcome.expanded);
    record.number(path.cost());
    for cell in path.cells() {
        record.count(cell.x as u32);
        record.count(cell.y as u32);
    }
}

fn search(record: &mut Record<'_>, options: &GridOptions, areas: u64) -> Result<()> {
    search_with(record, &GridSearchDef::of_size(SIDE, SIDE), options, areas)
}

/// Over a hierarchy of chunks of eight, repaired after every edit.
fn hpa(record: &mut Record<'_>) -> Result<()> {
    let hierarchy = Some(HierarchyDef::of_chunks(SIDE, SIDE, 8, 6));
    let def = GridSearchDef { hierarchy, ..GridSearchDef::of_size(SIDE, SIDE) };
    search_with(record, &def, &GridOptions { algorithm: GridAlgorithm::Hpa, ..GridOptions::DEFAULT }, 3)
}

fn search_with(record: &mut Record<'_>, def: &GridSearchDef, options: &GridOptions, areas: u64) -> Result<()> {
    let mut memory = region(def.plan());
    for seed in 0..4 {
        with_map(seed, areas, |grid, random| {
            let mut search = GridSearch::new(def, &mut Arena::new(&mut memory))?;
            for _ in 0..15 {
                search.find_path(grid, any_cell(random), any_cell(random), options)?;
                write(record, &search.path());
                edit(grid, random, areas)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn paths(record: &mut Record<'_>, algorithm: GridAlgorithm, areas: u64) -> Result<()> {
    search(record, &GridOptions { algorithm, ..GridOptions::DEFAULT }, areas)
}

fn large_agent(record: &mut Record<'_>) -> Result<()> {
    search(record, &GridOptions::for_agent_size(2), 3)
}

fn replans(record: &mut Record<'_>, def_of: fn(u32) -> GridReplannerDef) -> Result<()> {
    let def = def_of(CELLS);
    let mut memory = region(def.plan());
    for seed in 0..3 {
        with_map(seed, 1, |grid, random| {
            let mut planner = GridReplanner::new(&def, &mut Arena::new(&mut memory))?;
            planner.begin(grid, any_cell(random), any_cell(random))?;
            for _ in 0..15 {
                planner.replan(grid, u64::MAX)?;
                write(record, &planner.path());
                edit(grid, random, 1)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// A field over edits: its costs, and the bytes of its state.
fn flow(record: &mut Record<'_>) -> Result<()> {
    let def = GridFlowDef::of_cells(CELLS);
    let mut memory = region(def.plan());
    with_map(1, 3, |grid, random| {
        let mut field = GridFlowField::new(&def, &mut Arena::new(&mut memory))?;
        field.build(grid, &[any_cell(random), any_cell(random)], &FlowOptions::DEFAULT)?;
        for _ in 0..10 {
            (0..CELLS).for_each(|index| record.number(field.cost_at(grid.cell_of(index))));
            edit(grid, random, 3)?;
            field.refresh(grid)?;
            field.finish(grid)?;
        }
        let mut bytes = vec![0; field.state_size(grid)?];
        field.save_state(grid, &mut bytes)?;
        record.bytes(&bytes);
        Ok(())
    })
}

fn clearance(record: &mut Record<'_>) -> Result<()> {
    with_map(2, 1, |grid, random| {
        for _ in 0..10 {
            (0..CELLS).for_each(|index| record.count(grid.clearance(grid.cell_of(index))));
            edit(grid, random, 1)?;
        }
        Ok(())
    })
}

fn content_hash(record: &mut Record<'_>) -> Result<()> {
    with_map(3, 5, |grid, random| {
        for _ in 0..20 {
            record.count(grid.content_hash());
            edit(grid, random, 5)?;
        }
        Ok(())
    })
}
