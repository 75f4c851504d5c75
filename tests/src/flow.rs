//! Flow fields over the Moving AI maps: the start of every instance costs what the scenario file says.

use navarena::error::Result;
use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::memory::Arena;

use crate::moving_ai::Benchmark;
use crate::ours::region;

/// How many instances were looked at, and how many cost something else than their file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those looked at.
    pub instances: usize,
    /// Those whose cost is not the file's, or whose way does not lead to the goal.
    pub mismatches: usize,
}

/// Makes the whole map's field to the goal of every `stride`-th instance and reads its start.
pub fn check(benchmark: &Benchmark, stride: usize) -> Result<Tally> {
    benchmark.with_grid(|grid| {
        let def = GridFlowDef { goals: 1, ..GridFlowDef::of_cells(grid.cell_count() as u32) };
        let mut memory = region(def.plan());
        let mut field = GridFlowField::new(&def, &mut Arena::new(&mut memory))?;
        let mut tally = Tally::default();
        for instance in benchmark.instances.iter().step_by(stride.max(1)) {
            field.build(grid, &[instance.goal], &FlowOptions::DEFAULT)?;
            let cost = field.cost_at(instance.start);
            let is_right = if cost == f64::INFINITY {
                // The instances of this edition without a way say that theirs is of length 0.
                instance.length == 0.0
            } else {
                benchmark.is_length(instance, cost) && field.follow(instance.start).last() == Some(instance.goal)
            };
            if !is_right {
                eprintln!("{instance:?} costs {cost}");
            }
            tally.instances += 1;
            tally.mismatches += usize::from(!is_right);
        }
        Ok(tally)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The small maps of the normal suite; every map there is with `NAVARENA_LONG`.
    fn names(data: &std::path::Path) -> Vec<String> {
        if std::env::var_os("NAVARENA_LONG").is_none() {
            return ["dao-arena2", "dao-den520d"].map(String::from).to_vec();
        }
        Benchmark::names(data).unwrap()
    }

    #[test]
    fn a_start_costs_what_the_scenario_file_says() {
        let Some(data) = crate::data::folder() else { return };
        let names = names(&data);
        assert!(!names.is_empty());
        for name in names {
            let benchmark = Benchmark::load(&data, &name).unwrap();
            let tally =
                check(&benchmark, benchmark.instances.len().div_ceil(if name == "dao-arena2" { 16 } else { 4 }))
                    .unwrap();
            assert!(tally.instances > 2 && tally.mismatches == 0, "{name}: {tally:?}");
        }
    }
}
