//! Every instance of every Moving AI map at hand costs what its file says.

use std::path::Path;

use navarena::error::Result;
use navarena::grid::jps::JumpMapDef;
use navarena::grid::{Grid, GridAlgorithm, GridOptions, GridSearch, GridSearchDef, OctileMemory};
use navarena::memory::Arena;

use super::Outcome;
use crate::moving_ai::{Benchmark, Instance};
use crate::ours::region;

/// How many instances were asked, and those that were answered otherwise than their file says.
#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    wrong: Vec<String>,
}

/// The most instances of a map that are asked unless `NAVARENA_LONG` is set: evenly spread over the file, which rises in
/// difficulty. A build without optimization is slow.
const SAMPLE: usize = if cfg!(debug_assertions) { 8 } else { 500 };

/// `movingai-optimal`: a sample by JPS+, which takes seconds; with `NAVARENA_LONG` every instance by JPS+, A* and JPS, which
/// takes minutes.
pub fn every_scenario(_want: &str) -> Outcome {
    let Some(data) = crate::data::folder() else { return Outcome::Report("no data".to_string()) };
    let is_long = std::env::var_os("NAVARENA_LONG").is_some();
    let others = [GridAlgorithm::AStar, GridAlgorithm::Jps];
    let algorithms = [GridAlgorithm::JpsPlus].into_iter().chain(others.into_iter().filter(|_| is_long));
    let most = if is_long { usize::MAX } else { SAMPLE };
    for algorithm in algorithms {
        match tally(&data, algorithm, most) {
            Err(error) => return Outcome::Fail(error),
            Ok(tally) if !tally.wrong.is_empty() => {
                let (wrong, asked) = (tally.wrong.len(), tally.asked);
                let first: Vec<&str> = tally.wrong.iter().take(3).map(String::as_str).collect();
                return Outcome::Fail(format!("{algorithm:?}: {wrong} of {asked} otherwise: {}", first.join("; ")));
            }
            Ok(_) => {}
        }
    }
    Outcome::Ok
}

/// Asks at most so many instances of every map.
fn tally(data: &Path, algorithm: GridAlgorithm, most: usize) -> std::result::Result<Tally, String> {
    let mut tally = Tally::default();
    for name in Benchmark::names(data).map_err(|error| error.to_string())? {
        let benchmark = Benchmark::load(data, &name)?;
        let mut ask = |grid: &Grid<'_>, instances: &[Instance], in_trees: bool| {
            let sample = instances.iter().step_by(instances.len().div_ceil(most).max(1));
            tally.ask(grid, algorithm, sample, |instance, cost| match cost {
                // In the trees a file's length is that of some way, not always of the shortest.
                Some(cost) if in_trees && cost < instance.length => true,
                Some(cost) => benchmark.is_length(instance, cost),
                None => instance.length == 0.0,
            })
        };
        let asked = benchmark.with_grid(|grid| ask(grid, &benchmark.instances, false));
        let asked = asked.and_then(|()| match benchmark.in_trees.is_empty() {
            true => Ok(()),
            false => benchmark.with_trees(|grid| ask(grid, &benchmark.in_trees, true)),
        });
        asked.map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(tally)
}

impl Tally {
    fn ask<'a>(
        &mut self,
        grid: &Grid<'_>,
        algorithm: GridAlgorithm,
        instances: impl Iterator<Item = &'a Instance>,
        is_right: impl Fn(&Instance, Option<f64>) -> bool,
    ) -> Result<()> {
        let def = def_for(grid, algorithm);
        let mut memory = region(def.plan());
        let mut search = GridSearch::new(&def, &mut Arena::new(&mut memory))?;
        let options = GridOptions { algorithm, ..GridOptions::DEFAULT };
        for instance in instances {
            let outcome = search.find_path(grid, instance.start, instance.goal, &options)?;
            let cost = outcome.has_path().then_some(outcome.cost);
            self.asked += 1;
            if !is_right(instance, cost) {
                self.wrong.push(format!("{instance:?} costs {}", outcome.cost));
            }
        }
        Ok(())
    }
}

/// The memory of one algorithm, without that of paths: costs are compared.
fn def_for(grid: &Grid<'_>, algorithm: GridAlgorithm) -> GridSearchDef {
    let (width, height) = (grid.width() as u32, grid.height() as u32);
    let (octile, jumps) = match algorithm {
        GridAlgorithm::AStar => (OctileMemory::Standard, None),
        _ => {
            let tables = algorithm == GridAlgorithm::JpsPlus;
            (OctileMemory::None, Some(JumpMapDef { width, height, blocks: !tables, tables }))
        }
    };
    GridSearchDef { octile, general: false, jumps, path: 0, ..GridSearchDef::of_cells(width * height) }
}
