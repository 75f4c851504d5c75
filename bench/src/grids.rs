//! The rows of square grids over the Moving AI scenarios: A* beside `pathfinding` and `grid_pathfinding`, JPS and JPS+ beside
//! `grid_pathfinding`.
//!
//! `pathfinding` searches whatever steps it is given: the same eight, without corner cutting, at costs of 5741 and 8119,
//! whose ratio is the root of 2 to a billionth. `grid_pathfinding` always cuts corners and prices steps 70 and 99, so it is
//! asked where that makes no difference: only the instances count whose cheapest way costs the same whether corners may be
//! cut or not. It always searches jump points; no crate was found with a plain A* on grids that cuts none.

use std::path::Path;
use std::time::Duration;

use grid_pathfinding::PathingGrid;
use grid_util::{Point, ValueGrid};
use navarena::grid::jps::JumpMapDef;
use navarena::grid::{
    Cell, DiagonalRule, Grid, GridAlgorithm, GridOptions, GridSearch, GridSearchDef, Movement, OctileMemory, SQRT_2,
    STEPS, SquareTopology,
};
use navarena::memory::Arena;
use navarena_tests::moving_ai::{Benchmark, Instance};
use navarena_tests::ours::region;

use crate::clock::{Rounds, alternate_over, time};
use crate::table::{Agreement, Row};

const ROUNDS: Rounds = Rounds { warm_up: 1, timed: 5 };
/// The most instances of a map that are measured, evenly spread over its file, which rises in difficulty.
const SAMPLE: usize = 20;
/// The most instances of a map among which those are looked for where corners do not matter.
const CANDIDATES: usize = 60;

/// The rows of every map, and a record of ours alone.
pub fn rows(data: &Path) -> Result<(Vec<Row>, Vec<Record>), String> {
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for name in Benchmark::names(data).map_err(|error| error.to_string())? {
        let benchmark = Benchmark::load(data, &name)?;
        let measured = benchmark.with_grid(|grid| Ok(of_map(&name, grid, &benchmark, &mut rows, &mut records)));
        measured.map_err(text)??;
    }
    Ok((rows, records))
}

/// What a search of ours took over the sample of a map.
#[derive(Clone, Debug)]
pub struct Record {
    /// The map.
    pub map: String,
    /// The algorithm.
    pub algorithm: GridAlgorithm,
    /// Instances asked.
    pub instances: usize,
    /// Nodes expanded over all of them.
    pub expanded: u64,
    /// The best time for all of them.
    pub time: Duration,
}

/// Lays records out as a table of Markdown.
pub fn render(records: &[Record]) -> String {
    let head = "| map | algorithm | instances | expanded | total | an expansion |\n|---|---|---|---|---|---|\n";
    let line = |record: &Record| {
        let Record { map, algorithm, instances, expanded, time } = record;
        let each = time.as_secs_f64() * 1e9 / (*expanded).max(1) as f64;
        let total = time.as_secs_f64() * 1e3;
        let algorithm = word(*algorithm);
        format!("| {map} | {algorithm} | {instances} | {expanded} | {total:.2} ms | {each:.0} ns |\n")
    };
    records.iter().map(line).fold(head.to_string(), |table, line| table + &line)
}

fn of_map(
    name: &str,
    grid: &Grid<'_>,
    benchmark: &Benchmark,
    rows: &mut Vec<Row>,
    records: &mut Vec<Record>,
) -> Result<(), String> {
    let has_way = |instance: &&Instance| instance.length > 0.0;
    let solvable: Vec<Instance> = benchmark.instances.iter().filter(has_way).copied().collect();
    let [sample, candidates] = [SAMPLE, CANDIDATES].map(|most| spread(&solvable, most));
    let mut a_star = Ours::new(grid, GridAlgorithm::AStar)?;
    rows.push(Row {
        name: format!("A* beside pathfinding, {name}"),
        ..beside_pathfinding(grid, &mut a_star, &sample)?
    });
    let even = spread(&where_corners_do_not_matter(grid, &candidates)?, SAMPLE);
    let theirs = Jumps::new(grid);
    for algorithm in [GridAlgorithm::AStar, GridAlgorithm::Jps, GridAlgorithm::JpsPlus] {
        let mut ours = Ours::new(grid, algorithm)?;
        records.push(ours.record(name, &sample)?);
        // On mazes and dense noise a corner matters to every way.
        if !even.is_empty() {
            let row = beside_jumps(&mut ours, &theirs, &even, candidates.len())?;
            rows.push(Row { name: format!("{} beside grid_pathfinding, {name}", word(algorithm)), ..row });
        }
    }
    Ok(())
}

/// At most so many of a list, evenly spread.
fn spread(instances: &[Instance], most: usize) -> Vec<Instance> {
    instances.iter().step_by(instances.len().div_ceil(most).max(1)).copied().collect()
}

fn word(algorithm: GridAlgorithm) -> &'static str {
    match algorithm {
        GridAlgorithm::Jps => "JPS",
        GridAlgorithm::JpsPlus => "JPS+",
        _ => "A*",
    }
}

/// One of our searches over one grid.
struct Ours<'a, 'g> {
    grid: &'a Grid<'g>,
    algorithm: GridAlgorithm,
    memory: Vec<navarena::memory::Grain>,
    def: GridSearchDef,
}

impl<'a, 'g> Ours<'a, 'g> {
    fn new(grid: &'a Grid<'g>, algorithm: GridAlgorithm) -> Result<Self, String> {
        let (width, height) = (grid.width() as u32, grid.height() as u32);
        let tables = algorithm == GridAlgorithm::JpsPlus;
        let (octile, jumps) = match algorithm {
            GridAlgorithm::AStar => (OctileMemory::Standard, None),
            _ => (OctileMemory::None, Some(JumpMapDef { width, height, blocks: !tables, tables })),
        };
        let cells = width * height;
        let def = GridSearchDef { octile, general: false, jumps, path: cells, ..GridSearchDef::of_cells(cells) };
        Ok(Ours { grid, algorithm, memory: region(def.plan()), def })
    }

    /// Runs `work` with the search, which has made of the grid what it needs.
    fn with<R>(&mut self, work: impl FnOnce(&mut dyn FnMut(&Instance) -> (f64, u64)) -> R) -> Result<R, String> {
        let options = GridOptions { algorithm: self.algorithm, ..GridOptions::DEFAULT };
        let mut search = GridSearch::new(&self.def, &mut Arena::new(&mut self.memory)).map_err(text)?;
        let mut find = |instance: &Instance| {
            let found = search.find_path(self.grid, instance.start, instance.goal, &options);
            found.map_or((f64::NAN, 0), |outcome| (outcome.cost, outcome.expanded))
        };
        Ok(work(&mut find))
    }

    fn record(&mut self, map: &str, sample: &[Instance]) -> Result<Record, String> {
        let algorithm = self.algorithm;
        self.with(|find| {
            let mut all = || sample.iter().map(|instance| find(instance).1).sum::<u64>();
            let expanded = all();
            let best = (0..ROUNDS.timed).map(|_| time(&mut all)).min().unwrap_or_default();
            Record { map: map.to_string(), algorithm, instances: sample.len(), expanded, time: best }
        })
    }
}

/// What steps cost beside `pathfinding`: whole numbers, whose ratio is the root of 2 to a billionth.
const STRAIGHT: u32 = 5741;
const DIAGONAL: u32 = 8119;

/// A cell as users of `pathfinding` write it.
type At = (i32, i32);

fn find_by_pathfinding(topology: &SquareTopology<'_>, instance: &Instance) -> Option<u32> {
    let goal: At = (instance.goal.x, instance.goal.y);
    let is_free = |x: i32, y: i32| topology.fits(Cell::new(x, y));
    let steps = |&(x, y): &At| {
        STEPS.into_iter().filter_map(move |(dx, dy)| {
            let beside = dx == 0 || dy == 0 || is_free(x + dx, y) && is_free(x, y + dy);
            let price = if dx == 0 || dy == 0 { STRAIGHT } else { DIAGONAL };
            (beside && is_free(x + dx, y + dy)).then_some(((x + dx, y + dy), price))
        })
    };
    let estimate = |&(x, y): &At| {
        let (columns, rows) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
        let shorter = columns.min(rows);
        (columns.max(rows) - shorter) * STRAIGHT + shorter * DIAGONAL
    };
    let start: At = (instance.start.x, instance.start.y);
    pathfinding::directed::astar::astar(&start, steps, estimate, |at| *at == goal).map(|(_, cost)| cost)
}

fn beside_pathfinding(grid: &Grid<'_>, ours: &mut Ours<'_, '_>, sample: &[Instance]) -> Result<Row, String> {
    let topology = grid.topology(Movement::DEFAULT).map_err(text)?;
    ours.with(|find| {
        let pairs = sample.iter().map(|instance| {
            let theirs = find_by_pathfinding(&topology, instance).map_or(f64::NAN, f64::from);
            (find(instance).0, theirs / f64::from(STRAIGHT))
        });
        let answers = same_costs(pairs, 1e-7, sample.len());
        let best = alternate_over(
            ROUNDS,
            sample,
            1,
            |part| part.iter().map(|instance| find(instance).1).sum::<u64>(),
            |part| part.iter().filter_map(|instance| find_by_pathfinding(&topology, instance)).count(),
        );
        row(sample.len(), best, answers)
    })
}

/// The instances whose cheapest way costs the same whether corners may be cut or not.
fn where_corners_do_not_matter(grid: &Grid<'_>, sample: &[Instance]) -> Result<Vec<Instance>, String> {
    let cells = grid.cell_count() as u32;
    let def = GridSearchDef { octile: OctileMemory::None, path: 0, ..GridSearchDef::of_cells(cells) };
    let mut memory = region(def.plan());
    let mut search = GridSearch::new(&def, &mut Arena::new(&mut memory)).map_err(text)?;
    let movement = Movement { diagonals: DiagonalRule::AllowAll, ..Movement::DEFAULT };
    let options = GridOptions { movement, ..GridOptions::DEFAULT };
    let mut even = Vec::new();
    for instance in sample {
        let cut = search.find_path(grid, instance.start, instance.goal, &options).map_err(text)?.cost;
        // The file's length has at least six digits, or two decimals.
        if (cut - instance.length).abs() <= 1e-5 * instance.length + 0.006 {
            even.push(*instance);
        }
    }
    Ok(even)
}

/// `grid_pathfinding` over one grid, prepared as its own benchmark does.
struct Jumps(PathingGrid);

impl Jumps {
    fn new(grid: &Grid<'_>) -> Jumps {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut theirs = PathingGrid::new(width, height, true);
        for (index, _) in grid.cells().iter().enumerate().filter(|(_, area)| **area == 0) {
            let cell = grid.cell_of(index as u32);
            theirs.set(cell.x, cell.y, false);
        }
        theirs.initialize();
        theirs.generate_components();
        Jumps(theirs)
    }

    /// The jump points of a way, which it gives as fast as it can.
    fn find(&self, instance: &Instance) -> Option<Vec<Point>> {
        let [start, goal] = [instance.start, instance.goal].map(|cell| Point::new(cell.x, cell.y));
        self.0.get_waypoints_single_goal(start, goal, false)
    }
}

fn beside_jumps(ours: &mut Ours<'_, '_>, theirs: &Jumps, even: &[Instance], of: usize) -> Result<Row, String> {
    ours.with(|find| {
        let priced = |points: &[Point]| {
            let hop = |pair: &[Point]| {
                let (columns, rows) = (pair[0].x.abs_diff(pair[1].x), pair[0].y.abs_diff(pair[1].y));
                f64::from(columns.abs_diff(rows)) + f64::from(columns.min(rows)) * SQRT_2
            };
            points.windows(2).map(hop).sum::<f64>()
        };
        let pairs = even
            .iter()
            .map(|instance| (find(instance).0, theirs.find(instance).map_or(f64::NAN, |points| priced(&points))));
        let answers = same_costs(pairs, 1e-4, of);
        let best = alternate_over(
            ROUNDS,
            even,
            1,
            |part| part.iter().map(|instance| find(instance).1).sum::<u64>(),
            |part| part.iter().filter_map(|instance| theirs.find(instance)).count(),
        );
        row(even.len(), best, answers)
    })
}

fn text(error: navarena::error::Error) -> String {
    error.to_string()
}

fn row(count: usize, best: crate::clock::Best, answers: Agreement) -> Row {
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    Row { name: String::new(), unit: "us", ours: microseconds(best.ours), theirs: microseconds(best.theirs), answers }
}

/// Agrees when all costs are equal up to a share of them.
fn same_costs(pairs: impl Iterator<Item = (f64, f64)>, share: f64, of: usize) -> Agreement {
    let (mut count, mut same) = (0, 0);
    for (ours, theirs) in pairs {
        count += 1;
        same += usize::from((ours - theirs).abs() <= share * ours);
    }
    let how = format!("{same} of {count} costs, of a sample of {of}");
    if same == count && count > 0 { Agreement::Agree(how) } else { Agreement::Differ(how) }
}
