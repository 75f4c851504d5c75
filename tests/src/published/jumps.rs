//! Jump point search on the Moving AI maps: how many jump points are expanded, and whether costs are the files'.

use std::path::Path;

use navarena::error::Result;
use navarena::grid::jps::{
    BlockJumper, JumpMap, JumpMapDef, JumpOptions, JumpSearch, JumpSearchDef, Jumper, Pruning, TableJumper,
};
use navarena::memory::Arena;
use navarena::search::{PathStatus, SearchStatus};

use super::Outcome;
use crate::moving_ai::Benchmark;
use crate::ours::region;

/// What a search came to over the instances of a benchmark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    /// Instances with a way.
    solved: u32,
    /// Instances whose cost is not the file's; those without a way have length 0 there.
    wrong: u32,
    /// Instances with an end that is no ground.
    blocked: u32,
    /// Jump points expanded where there is a way.
    expanded: u64,
}

/// How jump points are found.
#[derive(Clone, Copy, Debug)]
struct Way {
    by_tables: bool,
    pruning: Pruning,
}

const BLOCKS: Way = Way { by_tables: false, pruning: Pruning::Standard };
const TABLES: Way = Way { by_tables: true, pruning: Pruning::Standard };
const IMPROVED: Way = Way { by_tables: false, pruning: Pruning::Improved };

/// `jps-brc000d`: the expansions over the instances that have a way, by blocks, by tables, and with improved pruning.
pub fn brc000d(_want: &str) -> Outcome {
    match crate::data::folder() {
        None => Outcome::Report("no data".to_string()),
        Some(data) => counted(&data).unwrap_or_else(Outcome::Fail),
    }
}

fn counted(data: &Path) -> std::result::Result<Outcome, String> {
    let benchmark = Benchmark::load(data, "dao-brc000d")?;
    let mut figures = Vec::new();
    for (name, way) in [("JPS", BLOCKS), ("JPS+", TABLES), ("improved", IMPROVED)] {
        let tally = tally(&benchmark, way, 1).map_err(|error| error.to_string())?;
        if tally.wrong > 0 {
            return Err(format!("{name} has {} costs that the file has otherwise", tally.wrong));
        }
        figures.push(format!("{name} {} over {} instances", tally.expanded, tally.solved));
    }
    Ok(Outcome::Report(figures.join(", ")))
}

/// Asks every so-manieth instance.
fn tally(benchmark: &Benchmark, way: Way, every: usize) -> Result<Tally> {
    benchmark.with_grid(|grid| {
        let (blocks, tables) = (!way.by_tables, way.by_tables);
        let map_def = JumpMapDef { width: benchmark.width, height: benchmark.height, blocks, tables };
        let def = JumpSearchDef::of_cells(grid.cell_count() as u32);
        let (mut map_memory, mut memory) = (region(map_def.plan()), region(def.plan()));
        let mut map = JumpMap::new(&map_def, &mut Arena::new(&mut map_memory))?;
        let mut search = JumpSearch::new(&def, &mut Arena::new(&mut memory))?;
        if tables { map.refresh_tables(grid) } else { map.refresh_blocks(grid) }?;
        let options = JumpOptions { pruning: way.pruning, ..JumpOptions::default() };
        let mut tally = Tally::default();
        for instance in benchmark.instances.iter().step_by(every) {
            let begun = search.begin(grid, instance.start, instance.goal, options)?;
            if begun != PathStatus::InProgress {
                tally.blocked += 1;
                continue;
            }
            let found =
                if tables { finish(&mut search, &TableJumper(&map)) } else { finish(&mut search, &BlockJumper(&map)) }?;
            let cost = if found { search.path_steps().cost() } else { 0.0 };
            tally.wrong += u32::from(!benchmark.is_length(instance, cost));
            tally.solved += u32::from(found);
            tally.expanded += if found { search.expanded() } else { 0 };
        }
        Ok(tally)
    })
}

fn finish<J: Jumper>(search: &mut JumpSearch<'_>, jumper: &J) -> Result<bool> {
    Ok(search.step(jumper, u64::MAX)? == SearchStatus::Found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 21 maps: every instance in a release build, a sample of them in others, which are slow.
    #[test]
    fn jump_point_search_costs_what_the_files_say_by_blocks_and_by_tables() {
        let Some(data) = crate::data::folder() else { return };
        let every = if cfg!(debug_assertions) { 211 } else { 1 };
        let names = Benchmark::names(&data).unwrap();
        assert_eq!(names.len(), 21);
        for name in names {
            let benchmark = Benchmark::load(&data, &name).unwrap();
            let [blocks, tables, improved] =
                [BLOCKS, TABLES, IMPROVED].map(|way| tally(&benchmark, way, every).unwrap());
            let all = (blocks, tables, improved);
            // Some instances of brc000d whose length is 0 have ends that are no ground.
            assert!(blocks.blocked == 0 || name == "dao-brc000d", "{name}: {all:?}");
            assert!(blocks.wrong + tables.wrong + improved.wrong == 0 && blocks.solved > 0, "{name}: {all:?}");
            assert!(blocks.solved == tables.solved && blocks.solved == improved.solved, "{name}: {all:?}");
        }
    }
}
