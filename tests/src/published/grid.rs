//! The grid lines, computed by the core alone.

use navarena::error::Result;
use navarena::grid::{CellRect, Grid, GridAlgorithm, GridDef, GridOptions, GridPath, GridSearch, GridSearchDef, WALL};
use navarena::memory::Arena;

use super::Outcome;
use crate::moving_ai::Benchmark;
use crate::ours::region;

/// The 8x5 picture of the first program.
const PICTURE: &str = "........\n.#####..\n.#...#..\n.#.#.#..\n...#....\n";

/// `grid-quickstart`: the picture, with the defaults.
pub fn quickstart(want: &str) -> Outcome {
    judge(want, || {
        let def = GridDef::of_picture(PICTURE)?;
        let mut memory = region(def.plan());
        let grid = Grid::from_picture(PICTURE, &def, &mut Arena::new(&mut memory))?;
        ask(&grid, (0, 0), (4, 3), &GridOptions::DEFAULT, |path| {
            let cells: String = path.cells().iter().map(|cell| format!("({},{})", cell.x, cell.y)).collect();
            let (status, cost) = (path.outcome().status, path.cost());
            format!("{status:?}, cost {cost}, {} cells: {cells}", path.cells().len())
        })
    })
}

/// `grid-astar` and the lines that ask the same of another algorithm.
pub fn wall(algorithm: GridAlgorithm, want: &str) -> Outcome {
    let nodes = if algorithm == GridAlgorithm::ThetaStar { "waypoints" } else { "cells" };
    judge(want, || {
        with_wall(|grid| {
            let options = GridOptions { algorithm, ..GridOptions::DEFAULT };
            ask(grid, (2, 2), (60, 4), &options, |path| {
                let (outcome, count) = (path.outcome(), path.cells().len());
                format!("cost {:.4}, {count} {nodes}, {} expanded", outcome.cost, outcome.expanded)
            })
        })
    })
}

/// `grid-astar`.
pub fn astar(want: &str) -> Outcome {
    wall(GridAlgorithm::AStar, want)
}

/// `grid-theta`: only the waypoints are listed.
pub fn theta(want: &str) -> Outcome {
    wall(GridAlgorithm::ThetaStar, want)
}

/// `grid-jps`.
pub fn jps(want: &str) -> Outcome {
    wall(GridAlgorithm::Jps, want)
}

/// `grid-jps-plus`.
pub fn jps_plus(want: &str) -> Outcome {
    wall(GridAlgorithm::JpsPlus, want)
}

/// `grid-agent-3`: the gap is two cells wide.
pub fn agent_3(want: &str) -> Outcome {
    judge(want, || {
        with_wall(|grid| {
            let options = GridOptions::for_agent_size(3);
            ask(grid, (2, 2), (60, 4), &options, |path| format!("{:?}", path.outcome().status))
        })
    })
}

/// `grid-swamp`: jump point search is asked for where areas cost differently.
pub fn swamp(want: &str) -> Outcome {
    judge(want, || {
        with_wall(|grid| {
            grid.set_rect(CellRect::new(10, 50, 22, 12), 2)?;
            grid.set_area_cost(2, 3.0)?;
            let options = GridOptions { algorithm: GridAlgorithm::Jps, ..GridOptions::DEFAULT };
            ask(grid, (2, 2), (60, 4), &options, |path| {
                let ran = match path.outcome().algorithm {
                    GridAlgorithm::AStar => "A*".to_string(),
                    other => format!("{other:?}"),
                };
                format!("runs {ran}, cost {:.4}", path.cost())
            })
        })
    })
}

/// `astar-brc000d`: the expansions of the specialised A* over the instances that have a way.
pub fn astar_brc000d(_want: &str) -> Outcome {
    brc000d(GridAlgorithm::AStar)
}

/// The expansions of an algorithm over every instance of dao brc000d that has a way; a report, since the published
/// figure is of another edition. A cost that is not the file's fails.
pub fn brc000d(algorithm: GridAlgorithm) -> Outcome {
    let Some(data) = crate::data::folder() else { return Outcome::Report("no data".to_string()) };
    let benchmark = match Benchmark::load(&data, "dao-brc000d") {
        Ok(benchmark) => benchmark,
        Err(error) => return Outcome::Fail(error),
    };
    let options = GridOptions { algorithm, ..GridOptions::DEFAULT };
    let counted = benchmark.with_grid(|grid| {
        let def = GridSearchDef { general: false, ..GridSearchDef::of_cells(grid.cell_count() as u32) };
        let mut memory = region(def.plan());
        let mut search = GridSearch::new(&def, &mut Arena::new(&mut memory))?;
        let (mut solved, mut expanded, mut wrong) = (0u32, 0u64, Vec::new());
        for instance in &benchmark.instances {
            let outcome = search.find_path(grid, instance.start, instance.goal, &options)?;
            if !outcome.has_path() {
                // The ten instances of this edition without a way say that theirs is of length 0.
                if instance.length != 0.0 {
                    wrong.push(format!("{:?} has no way", instance));
                }
                continue;
            }
            solved += 1;
            expanded += outcome.expanded;
            if !benchmark.is_length(instance, outcome.cost) {
                wrong.push(format!("{instance:?} costs {}", outcome.cost));
            }
        }
        Ok((solved, expanded, wrong))
    });
    match counted {
        Ok((solved, expanded, wrong)) if wrong.is_empty() => {
            Outcome::Report(format!("{expanded} expansions over {solved} instances"))
        }
        Ok((_, _, wrong)) => {
            Outcome::Fail(format!("{} costs that the file has otherwise: {}", wrong.len(), wrong.join("; ")))
        }
        Err(error) => Outcome::Fail(error.to_string()),
    }
}

/// The 64x64 map with a wall that leaves a gap of two cells.
fn with_wall<R>(work: impl FnOnce(&mut Grid<'_>) -> Result<R>) -> Result<R> {
    let def = GridDef::of_size(64, 64);
    let mut memory = region(def.plan());
    let mut grid = Grid::new(&def, &mut Arena::new(&mut memory))?;
    grid.set_rect(CellRect::new(32, 0, 1, 62), WALL)?;
    work(&mut grid)
}

fn ask(
    grid: &Grid<'_>,
    start: (i32, i32),
    goal: (i32, i32),
    options: &GridOptions,
    read: impl FnOnce(GridPath<'_>) -> String,
) -> Result<String> {
    let def = GridSearchDef::of_size(grid.width() as u32, grid.height() as u32);
    let mut memory = region(def.plan());
    let mut search = GridSearch::new(&def, &mut Arena::new(&mut memory))?;
    search.find_path(grid, start, goal, options)?;
    Ok(read(search.path()))
}

fn judge(want: &str, work: impl FnOnce() -> Result<String>) -> Outcome {
    match work() {
        Ok(got) => Outcome::compare(&got, want),
        Err(error) => Outcome::Fail(error.to_string()),
    }
}
