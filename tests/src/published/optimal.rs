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
    /// Instances without a way; their length in the file is 0.
    unreachable: usize,
    wrong: Vec<String>,
}

/// `movingai-optimal`: by JPS+ alone, which takes seconds; with `NAVARENA_LONG` by A* and JPS as well.
pub fn every_scenario(_want: &str) -> Outcome {
    let Some(data) = crate::data::folder() else { return Outcome::Report("no data".to_string()) };
    let is_long = std::env::var_os("NAVARENA_LONG").is_some();
    let others = [GridAlgorithm::AStar, GridAlgorithm::Jps];
    let algorithms = [GridAlgorithm::JpsPlus].into_iter().chain(others.into_iter().filter(|_| is_long));
    // A build without optimization is slow: it looks at a sample.
    let every = if cfg!(debug_assertions) { 97 } else { 1 };
    for algorithm in algorithms {
        match tally(&data, algorithm, every) {
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

/// Asks every so-manieth instance of every map.
fn tally(data: &Path, algorithm: GridAlgorithm, every: usize) -> std::result::Result<Tally, String> {
    let mut tally = Tally::default();
    for name in Benchmark::names(data).map_err(|error| error.to_string())? {
        let benchmark = Benchmark::load(data, &name)?;
        let mut ask = |grid: &Grid<'_>, instances: &[Instance], in_trees: bool| {
            tally.ask(grid, algorithm, instances.iter().step_by(every), |instance, cost| match cost {
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
            self.unreachable += usize::from(cost.is_none());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_ten_instances_have_a_way_and_its_published_length() {
        let Some(data) = crate::data::folder() else { return };
        if cfg!(debug_assertions) {
            return eprintln!("needs an optimized build");
        }
        let tally = tally(&data, GridAlgorithm::JpsPlus, 1).unwrap();
        assert_eq!((tally.unreachable, tally.wrong), (10, Vec::new()));
    }
}
