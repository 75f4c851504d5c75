//! HPA* against the `hierarchical_pathfinding` crate, over Moving AI maps.
//!
//! The crate's diagonal steps cut corners and cost as much as straight ones, and neither can be set. So both sides move in
//! four directions, where there are no corners and every step costs 1, over chunks of one side. The crate keeps the cells of
//! every way within a chunk, by its default; ours are searched for again. It joins start and goal to the nearest node alone,
//! by the page ours are joined to all nodes of their chunks; so its paths are longer, which the answers tell.

use hierarchical_pathfinding::PathCacheConfig;
use hierarchical_pathfinding::prelude::{ManhattanNeighborhood, PathCache};
use navarena::grid::hpa::{Hierarchy, HierarchyDef, HpaSearch, HpaSearchDef};
use navarena::grid::{Cell, Connectivity, Grid, GridOptions, GridSearch, GridSearchDef, Movement};
use navarena::memory::Arena;
use navarena_tests::moving_ai::{Benchmark, Instance};
use navarena_tests::ours::region;
use std::path::Path;

use crate::clock::{Rounds, alternate, alternate_over};
use crate::table::{Agreement, Row};

/// One map of each kind.
const MAPS: [&str; 4] = ["dao-brc000d", "bg512-AR0011SR", "sc1-Aftershock", "rooms-32room_000"];
const QUERIES: Rounds = Rounds { warm_up: 1, timed: 6 };
const BUILDS: Rounds = Rounds { warm_up: 0, timed: 3 };
/// Every so-manieth instance of a scenario is asked.
const EVERY: usize = 25;
const FOUR: Movement = Movement { connectivity: Connectivity::Four, ..Movement::DEFAULT };

/// For each map the time of a path as the hierarchy has it, of a smoothed one beside their path with the search over cells by
/// which they better short ones, and of making the hierarchy.
pub fn rows(data: &Path) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for name in MAPS {
        let benchmark = Benchmark::load(data, name)?;
        benchmark.with_grid(|grid| Ok(rows_of(name, &benchmark, grid))).map_err(text)?.map(|some| rows.extend(some))?;
    }
    Ok(rows)
}

fn text(error: navarena::error::Error) -> String {
    error.to_string()
}

fn rows_of(name: &str, benchmark: &Benchmark, grid: &Grid<'_>) -> Result<Vec<Row>, String> {
    let (width, height) = (benchmark.width as usize, benchmark.height as usize);
    let chunk = HierarchyDef::CHUNK as usize;
    let areas = &benchmark.areas;
    let price = move |(x, y): (usize, usize)| if areas[y * width + x] == 0 { 1 } else { -1 };
    let config = |a_star_fallback| PathCacheConfig { a_star_fallback, ..PathCacheConfig::with_chunk_size(chunk) };
    let make =
        |fallback| PathCache::new((width, height), price, ManhattanNeighborhood::new(width, height), config(fallback));
    let (plain, bettered) = (make(false), make(true));

    let def = HierarchyDef::of_size(benchmark.width, benchmark.height);
    let search_def = HpaSearchDef::over(&def);
    let mut memory = [region(def.plan()), region(search_def.plan())];
    let [one, other] = &mut memory;
    let mut hierarchy = Hierarchy::new(&def, &mut Arena::new(one)).map_err(text)?;
    let mut search = HpaSearch::new(&search_def, &mut Arena::new(other)).map_err(text)?;
    hierarchy.refresh(grid, FOUR).map_err(text)?;

    let instances: Vec<Instance> = benchmark.instances.iter().step_by(EVERY).copied().collect();
    let cheapest = cheapest(grid, &instances)?;
    let mut rows = Vec::new();
    for (what, cache, smooths) in [("plain", &plain, false), ("smoothed", &bettered, true)] {
        let mut tally = Tally::default();
        for (instance, &cheapest) in instances.iter().zip(&cheapest) {
            let ours = search.find_path(grid, &hierarchy, instance.start, instance.goal, smooths).map_err(text)?;
            let (start, goal) = (point(instance.start), point(instance.goal));
            let theirs = cache.find_path(start, goal, price).map(|path| path.cost() as f64);
            tally.note(ours.status.has_path().then_some(ours.cost), theirs, cheapest);
        }
        let best = alternate_over(
            QUERIES,
            &instances,
            1,
            |part| {
                let mut cells = 0;
                for instance in part {
                    let found = search.find_path(grid, &hierarchy, instance.start, instance.goal, smooths);
                    cells += found.map_or(0, |_| search.path().len());
                }
                cells
            },
            |part| {
                let mut cells = Vec::new();
                let mut count = 0;
                for instance in part {
                    cells.clear();
                    cells.extend(
                        cache.find_path(point(instance.start), point(instance.goal), price).into_iter().flatten(),
                    );
                    count += cells.len();
                }
                count
            },
        );
        let microseconds = |time: std::time::Duration| time.as_secs_f64() * 1e6 / instances.len().max(1) as f64;
        rows.push(Row {
            name: format!("HPA* {what} against hierarchical_pathfinding, {name}"),
            unit: "us",
            ours: microseconds(best.ours),
            theirs: microseconds(best.theirs),
            answers: tally.agreement(),
        });
    }
    let mut fresh = region(def.plan());
    let best = alternate(
        BUILDS,
        || {
            let mut made = Hierarchy::new(&def, &mut Arena::new(&mut fresh))?;
            made.refresh(grid, FOUR)
        },
        || make(false),
    );
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    rows.push(Row {
        name: format!("HPA* hierarchy made, {name}"),
        unit: "ms",
        ours: milliseconds(best.ours),
        theirs: milliseconds(best.theirs),
        answers: Agreement::Agree("see the paths".to_string()),
    });
    Ok(rows)
}

fn point(cell: Cell) -> (usize, usize) {
    (cell.x as usize, cell.y as usize)
}

/// What the cheapest ways cost, by A*.
fn cheapest(grid: &Grid<'_>, instances: &[Instance]) -> Result<Vec<Option<f64>>, String> {
    let def = GridSearchDef::of_cells(grid.cell_count() as u32);
    let mut memory = region(def.plan());
    let mut search = GridSearch::new(&def, &mut Arena::new(&mut memory)).map_err(text)?;
    let options = GridOptions { movement: FOUR, ..GridOptions::DEFAULT };
    let ask = |instance: &Instance| {
        let found = search.find_path(grid, instance.start, instance.goal, &options).map_err(text)?;
        Ok(found.has_path().then_some(found.cost))
    };
    instances.iter().map(ask).collect()
}

/// Both sides' answers beside the cheapest.
#[derive(Debug, Default)]
struct Tally {
    found: usize,
    /// Found by one side alone, or by a way that is cheaper than the cheapest.
    wrong: [usize; 2],
    /// Sums of percent above the cheapest.
    above: [f64; 2],
}

impl Tally {
    fn note(&mut self, ours: Option<f64>, theirs: Option<f64>, cheapest: Option<f64>) {
        self.found += usize::from(cheapest.is_some());
        for (side, cost) in [ours, theirs].into_iter().enumerate() {
            match (cost, cheapest) {
                (None, None) => {}
                (Some(cost), Some(cheapest)) if cost >= cheapest => {
                    self.above[side] += 100.0 * (cost / cheapest.max(1.0) - 1.0).max(0.0);
                }
                _ => self.wrong[side] += 1,
            }
        }
    }

    fn agreement(&self) -> Agreement {
        let [ours, theirs] = self.above.map(|sum| sum / self.found.max(1) as f64);
        let [wrong, their_wrong] = self.wrong;
        let how = format!("{} found, ours {ours:.1}% above the cheapest, theirs {theirs:.1}%", self.found);
        match (wrong, their_wrong) {
            (0, 0) => Agreement::Agree(how),
            _ => Agreement::Differ(format!("{how}; {wrong} of ours and {their_wrong} of theirs are no ways")),
        }
    }
}
