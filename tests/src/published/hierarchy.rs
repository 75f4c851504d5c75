//! HPA*: the published search, and by how much its paths are longer than the cheapest on the Moving AI maps.

use std::path::Path;

use navarena::grid::hpa::{Hierarchy, HierarchyDef, HpaSearch, HpaSearchDef};
use navarena::grid::{GridAlgorithm, Movement};
use navarena::memory::Arena;

use super::{Outcome, grid};
use crate::moving_ai::Benchmark;
use crate::ours::region;

/// `grid-hpa`.
pub fn wall(want: &str) -> Outcome {
    grid::wall(GridAlgorithm::Hpa, want)
}

/// Sets by the start of their maps' names, as the published figures are grouped.
const SETS: [&str; 4] = ["dao", "bg512", "sc1", "rooms"];

/// `hpa-quality`: a report, since the published figures are of whole sets, of which a part is at hand. A path that is
/// cheaper than the cheapest fails.
pub fn quality(_want: &str) -> Outcome {
    let Some(data) = crate::data::folder() else { return Outcome::Report("no data".to_string()) };
    let of_set = |set: &&str| quality_of(&data, set).map(|[smoothed, plain]| (smoothed, plain));
    match SETS.iter().map(of_set).collect::<Result<Vec<_>, _>>() {
        Err(error) => Outcome::Fail(error),
        Ok(means) => {
            let smoothed: Vec<String> =
                SETS.iter().zip(&means).map(|(set, (smoothed, _))| format!("{set} {smoothed:.2}")).collect();
            let plain: Vec<String> = means.iter().map(|(_, plain)| format!("{plain:.1}")).collect();
            Outcome::Report(format!("{}; unsmoothed {}", smoothed.join(", "), plain.join(", ")))
        }
    }
}

/// By how many percent paths over the maps of a set are longer than the cheapest on average, smoothed and not.
fn quality_of(data: &Path, set: &str) -> Result<[f64; 2], String> {
    let text = |error: navarena::error::Error| error.to_string();
    // A build without optimization is slow: it looks at a sample.
    let every = if cfg!(debug_assertions) { 97 } else { 1 };
    let (mut sums, mut counted) = ([0.0; 2], 0);
    let names = Benchmark::names(data).map_err(|error| error.to_string())?;
    for name in names.iter().filter(|name| name.split('-').next() == Some(set)) {
        let benchmark = Benchmark::load(data, name)?;
        let def = HierarchyDef::of_size(benchmark.width, benchmark.height);
        let mut memory = [region(def.plan()), region(HpaSearchDef::over(&def).plan())];
        let [one, other] = &mut memory;
        let mut hierarchy = Hierarchy::new(&def, &mut Arena::new(one)).map_err(text)?;
        let mut search = HpaSearch::new(&HpaSearchDef::over(&def), &mut Arena::new(other)).map_err(text)?;
        let wrong = benchmark.with_grid(|grid| {
            hierarchy.refresh(grid, Movement::DEFAULT)?;
            for instance in benchmark.instances.iter().step_by(every).filter(|instance| instance.length > 0.0) {
                for (sum, smooths) in sums.iter_mut().zip([true, false]) {
                    let found = search.find_path(grid, &hierarchy, instance.start, instance.goal, smooths)?;
                    let is_cheaper = found.cost < instance.length && !benchmark.is_length(instance, found.cost);
                    if found.cost == f64::INFINITY || is_cheaper {
                        return Ok(Some(format!("{name}: {instance:?} costs {}", found.cost)));
                    }
                    *sum += 100.0 * (found.cost / instance.length - 1.0);
                }
                counted += 1;
            }
            Ok(None)
        });
        if let Some(wrong) = wrong.map_err(text)? {
            return Err(wrong);
        }
    }
    Ok(sums.map(|sum| sum / f64::from(counted.max(1))))
}
