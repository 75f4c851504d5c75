//! The searches at any angle against oracles that know only the page's definitions.

use super::{ThetaOptions, ThetaSearch, ThetaVariant};
use crate::error::{ErrorKind, Subject};
use crate::grid::jps::tests::{load, random_cell, random_plain};
use crate::grid::tests::oracle::{Moves, Plain};
use crate::grid::tests::{rounds, with_grid, with_search};
use crate::grid::*;
use crate::math::{SplitMix64, sqrt};
use crate::memory::{Arena, Grain};
use crate::search::{AStarDef, PathStatus, SearchStatus};
use std::vec::Vec;

crate::memory::assert_portable!(ThetaSearch);

const MOVES: Moves = Moves { size: 1, eight: true, rule: 0 };
const VARIANTS: [ThetaVariant; 3] = [ThetaVariant::Theta, ThetaVariant::Lazy, ThetaVariant::LazyRequeue];

fn def_of(plain: &Plain) -> GridDef {
    GridDef { clearance: false, area_costs: 0, journal: 2, ..GridDef::of_size(plain.width as u32, plain.height as u32) }
}

/// Runs a test with a search over that many cells, in memory of just the planned size, full of rubbish.
fn with_theta<R>(cells: u32, work: impl FnOnce(&mut ThetaSearch<'_>) -> R) -> R {
    let def = AStarDef { expansions: cells, ..AStarDef::of_nodes(cells) };
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    bytemuck::cast_slice_mut::<Grain, u8>(&mut region).fill(0xA7);
    let mut arena = Arena::new(&mut region);
    let mut search = ThetaSearch::new(&def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "a plan says what is taken");
    work(&mut search)
}

/// All that a search leaves to be seen: its end, cost, counts, waypoints from the start, expansions.
#[derive(Debug, PartialEq)]
struct Seen {
    status: SearchStatus,
    cost: u64,
    counts: (u64, u64),
    waypoints: Vec<Cell>,
    expansions: Vec<u32>,
}

/// Searches in slices of a budget.
fn run(search: &mut ThetaSearch<'_>, grid: &Grid<'_>, ends: (Cell, Cell), options: ThetaOptions, budget: u64) -> Seen {
    assert_eq!(search.begin(grid, ends.0, ends.1, options), Ok(PathStatus::InProgress));
    while search.step(grid, budget).unwrap() == SearchStatus::Running {}
    let progress = *search.progress();
    let mut waypoints: Vec<Cell> = search.path_back().map(|node| grid.cell_of(node)).collect();
    waypoints.reverse();
    Seen {
        status: progress.status,
        cost: progress.cost.to_bits(),
        counts: (progress.iterations, progress.expanded),
        waypoints,
        expansions: search.expansions().to_vec(),
    }
}

/// Checks every segment of a path and gives the sum of their costs from the start.
fn checked_sum(plain: &Plain, unit: f64, waypoints: &[Cell]) -> f64 {
    waypoints.windows(2).fold(0.0, |sum, ends| {
        let [from, to] = [ends[0], ends[1]].map(|cell| (cell.x, cell.y));
        assert!(plain.sees(from, to), "{from:?} to {to:?} is blocked");
        sum + unit * sqrt(f64::from((to.0 - from.0).pow(2) + (to.1 - from.1).pow(2)))
    })
}

/// One question to every variant on a random map, compared with the oracles. Gives whether there was a way.
fn compare(random: &mut SplitMix64, side: u64, unit: f64, search: &mut ThetaSearch<'_>) -> bool {
    let walls = random.below(41);
    let plain = random_plain(random, side, walls);
    let ends = (random_cell(random, &plain), random_cell(random, &plain));
    let is_ground = |cell: Cell| plain.stands(cell.x, cell.y, 1);
    with_grid(&def_of(&plain), |grid| {
        load(&plain, grid);
        grid.set_all_area_costs(unit).unwrap();
        if !is_ground(ends.0) || !is_ground(ends.1) {
            let want = if is_ground(ends.0) { PathStatus::GoalInvalid } else { PathStatus::StartInvalid };
            assert_eq!(search.begin(grid, ends.0, ends.1, ThetaOptions::default()), Ok(want));
            return false;
        }
        let by_steps = unit * plain.dijkstra(MOVES, (ends.0.x, ends.0.y))[grid.index_of(ends.1).unwrap() as usize];
        let least = unit * plain.shortest_by_sight((ends.0.x, ends.0.y), (ends.1.x, ends.1.y));
        for variant in VARIANTS {
            let seen = run(search, grid, ends, ThetaOptions::of(variant), u64::MAX);
            let cost = f64::from_bits(seen.cost);
            if by_steps == f64::INFINITY {
                assert_eq!((seen.status, cost, seen.waypoints.len()), (SearchStatus::NotFound, f64::INFINITY, 0));
                continue;
            }
            assert_eq!(seen.status, SearchStatus::Found);
            assert_eq!((seen.waypoints.first(), seen.waypoints.last()), (Some(&ends.0), Some(&ends.1)));
            assert_eq!(checked_sum(&plain, unit, &seen.waypoints).to_bits(), seen.cost);
            assert!(cost >= least * (1.0 - 1e-12), "{variant:?} costs {cost}, less than the least {least}: {plain:?}");
            let may_be_longer = variant == ThetaVariant::Lazy;
            assert!(may_be_longer || cost <= by_steps * (1.0 + 1e-12), "{variant:?}, {cost}, {by_steps}: {plain:?}");
            assert_eq!(seen.expansions.len() as u64, seen.counts.1);
        }
        by_steps < f64::INFINITY
    })
}

fn compare_often(seed: u64, count: usize, side: u64, unit: f64) {
    with_theta((side * side) as u32, |search| {
        let mut random = SplitMix64::new(seed);
        let found = (0..count).filter(|_| compare(&mut random, side, unit, search)).count();
        assert!(found * 4 > count, "{found} of {count} had a way");
    });
}

#[test]
fn paths_are_in_sight_priced_by_segments_and_between_the_least_and_a_stars() {
    compare_often(41, rounds(60, 10_000), 12, 1.0);
}

#[test]
fn paths_on_costlier_ground_are_too() {
    compare_often(42, rounds(20, 2000), 12, 2.5);
}

#[test]
fn paths_on_larger_maps_are_too() {
    compare_often(43, rounds(3, 300), 30, 1.0);
}

/// The page's rules once more, without an open set or marks: every step looks at all cells.
fn by_the_rules(plain: &Plain, ends: (Cell, Cell), options: ThetaOptions) -> (f64, Vec<Cell>, Vec<u32>, u64) {
    const ORDER: [(i32, i32); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
    let index = |(x, y): (i32, i32)| (y * plain.width + x) as usize;
    let cell_of = |index: usize| (index as i32 % plain.width, index as i32 / plain.width);
    let length = |a: (i32, i32), b: (i32, i32)| sqrt(f64::from((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)));
    let (start, goal) = ((ends.0.x, ends.0.y), (ends.1.x, ends.1.y));
    let count = plain.cells.len();
    let (mut g, mut parents) = (std::vec![f64::INFINITY; count], std::vec![None; count]);
    let (mut open, mut closed) = (std::vec![false; count], std::vec![false; count]);
    let (mut expansions, mut pops) = (Vec::new(), 0);
    g[index(start)] = 0.0;
    open[index(start)] = true;
    let neighbours = |at: (i32, i32)| {
        let next = ORDER.into_iter().map(move |(dx, dy)| (at.0 + dx, at.1 + dy));
        next.filter(move |&next| plain.step(MOVES, at, next).is_some())
    };
    let f = |g: &[f64], node: usize| {
        let estimate = if options.is_zero { 0.0 } else { length(cell_of(node), goal) };
        g[node] + options.weight * estimate
    };
    loop {
        let waiting = (0..count).filter(|&node| open[node]);
        let order = |a: &usize, b: &usize| f(&g, *a).total_cmp(&f(&g, *b)).then(g[*b].total_cmp(&g[*a])).then(a.cmp(b));
        let Some(node) = waiting.min_by(order) else { return (f64::INFINITY, Vec::new(), expansions, pops) };
        pops += 1;
        open[node] = false;
        let at = cell_of(node);
        if let (true, Some(parent)) = (options.variant != ThetaVariant::Theta, parents[node])
            && !plain.sees(cell_of(parent), at)
        {
            let ways = neighbours(at).map(index).filter(|&u| closed[u]).map(|u| (g[u] + length(cell_of(u), at), u));
            let best = ways.reduce(|best, way| if way.0 < best.0 { way } else { best }).expect("one led here");
            (g[node], parents[node]) = (best.0, Some(best.1));
            if options.variant == ThetaVariant::LazyRequeue {
                open[node] = true;
                continue;
            }
        }
        closed[node] = true;
        if at == goal {
            let mut back: Vec<Cell> =
                core::iter::successors(Some(node), |&node| parents[node]).map(cell_of).map(Cell::from).collect();
            back.reverse();
            return (g[node], back, expansions, pops);
        }
        expansions.push(node as u32);
        for next in neighbours(at) {
            let to = index(next);
            if closed[to] {
                continue;
            }
            let from = match parents[node] {
                Some(parent) if options.variant != ThetaVariant::Theta || plain.sees(cell_of(parent), next) => parent,
                _ => node,
            };
            let way = g[from] + length(cell_of(from), next);
            if way < g[to] {
                (g[to], parents[to], open[to]) = (way, Some(from), true);
            }
        }
    }
}

#[test]
fn every_variant_expands_and_finds_what_the_rules_written_plainly_do() {
    with_theta(196, |search| {
        let mut random = SplitMix64::new(51);
        let mut mended = 0;
        for round in 0..rounds(60, 3000) {
            let plain = random_plain(&mut random, 14, 5 + round as u64 % 30);
            let ends = (random_cell(&mut random, &plain), random_cell(&mut random, &plain));
            if !plain.stands(ends.0.x, ends.0.y, 1) || !plain.stands(ends.1.x, ends.1.y, 1) {
                continue;
            }
            let weight = [1.0, 1.0, 0.5, 2.0][random.below(4) as usize];
            with_grid(&def_of(&plain), |grid| {
                load(&plain, grid);
                for variant in VARIANTS {
                    let options = ThetaOptions { variant, is_zero: round % 5 == 0, weight };
                    let seen = run(search, grid, ends, options, u64::MAX);
                    let (cost, waypoints, expansions, pops) = by_the_rules(&plain, ends, options);
                    assert_eq!(
                        (seen.cost, &seen.waypoints, &seen.expansions),
                        (cost.to_bits(), &waypoints, &expansions)
                    );
                    assert_eq!(seen.counts, (pops, expansions.len() as u64));
                    mended += pops - expansions.len() as u64 - u64::from(cost < f64::INFINITY);
                }
            });
        }
        assert!(mended > 20, "{mended} nodes were put back");
    });
}

#[test]
fn the_published_wall_is_passed_as_published() {
    with_grid(&GridDef::of_size(64, 64), |grid| {
        grid.set_rect(CellRect::new(32, 0, 1, 62), WALL).unwrap();
        with_search(&GridSearchDef::of_cells(64 * 64), |search| {
            let options = GridOptions { algorithm: GridAlgorithm::ThetaStar, ..GridOptions::DEFAULT };
            let outcome = search.find_path(grid, (2, 2), (60, 4), &options).unwrap();
            let figures = (std::format!("{:.4}", outcome.cost), outcome.length, outcome.expanded);
            assert_eq!(figures, ("132.6174".into(), 4, 2118));
        });
    });
}

#[test]
fn slices_of_any_size_give_what_one_run_gives() {
    with_theta(144, |search| {
        let mut random = SplitMix64::new(44);
        for _ in 0..rounds(15, 2000) {
            let plain = random_plain(&mut random, 12, 25);
            let ends = (random_cell(&mut random, &plain), random_cell(&mut random, &plain));
            if !plain.stands(ends.0.x, ends.0.y, 1) || !plain.stands(ends.1.x, ends.1.y, 1) {
                continue;
            }
            with_grid(&def_of(&plain), |grid| {
                load(&plain, grid);
                for variant in VARIANTS {
                    let options = ThetaOptions { weight: 1.5, ..ThetaOptions::of(variant) };
                    let whole = run(search, grid, ends, options, u64::MAX);
                    for budget in [1, 2, 7, 50] {
                        assert_eq!(run(search, grid, ends, options, budget), whole);
                    }
                }
            });
        }
    });
}

#[test]
fn the_grid_search_runs_both_and_says_so() {
    let def = GridSearchDef { expansions: 144, octile: OctileMemory::None, ..GridSearchDef::of_cells(144) };
    let both =
        [(GridAlgorithm::ThetaStar, ThetaVariant::Theta), (GridAlgorithm::LazyThetaStar, ThetaVariant::LazyRequeue)];
    let mut random = SplitMix64::new(45);
    with_search(&def, |search| {
        with_theta(144, |by_hand| {
            for round in 0..rounds(30, 2000) {
                let plain = random_plain(&mut random, 12, 25);
                let ends = (random_cell(&mut random, &plain), random_cell(&mut random, &plain));
                with_grid(&def_of(&plain), |grid| {
                    load(&plain, grid);
                    let is_zero = round % 3 == 0;
                    let heuristic = if is_zero { HeuristicKind::Zero } else { HeuristicKind::Auto };
                    for (algorithm, variant) in both {
                        let options = GridOptions { algorithm, heuristic, weight: 0.75, ..GridOptions::DEFAULT };
                        let outcome = search.find_path(grid, ends.0, ends.1, &options).unwrap();
                        assert_eq!(outcome.algorithm, algorithm);
                        if matches!(outcome.status, PathStatus::StartInvalid | PathStatus::GoalInvalid) {
                            continue;
                        }
                        let seen = run(by_hand, grid, ends, ThetaOptions { variant, is_zero, weight: 0.75 }, u64::MAX);
                        assert_eq!((outcome.status, outcome.cost.to_bits()), (seen.status.path_status(), seen.cost));
                        assert_eq!((outcome.iterations, outcome.expanded), seen.counts);
                        assert_eq!(search.path().cells(), seen.waypoints);
                        assert_eq!(outcome.length as usize, seen.waypoints.len());
                        let expanded = search.path().expanded_cells().map(|cell| grid.index_of(cell).unwrap());
                        assert!(expanded.eq(seen.expansions));
                        search.begin(grid, ends.0, ends.1, &options).unwrap();
                        while search.step(grid, 3).unwrap() == PathStatus::InProgress {}
                        assert_eq!((search.outcome(), search.path().cells()), (outcome, &seen.waypoints[..]));
                        let mut copy = [Cell::default(); 144];
                        let copied = search.copy_path(grid, &mut copy).unwrap();
                        assert_eq!(&copy[..copied], seen.waypoints);
                    }
                });
            }
        });
    });
}

#[test]
fn what_is_wrong_is_named_and_the_search_can_be_used_again() {
    let ask = |algorithm| GridOptions { algorithm, ..GridOptions::DEFAULT };
    with_grid(&GridDef { area_costs: 2, ..GridDef::of_size(12, 12) }, |grid| {
        with_search(&GridSearchDef { general: false, ..GridSearchDef::of_cells(144) }, |search| {
            let error = search.begin(grid, (0, 0), (5, 5), &ask(GridAlgorithm::LazyThetaStar)).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Unsupported, Subject::Engine));
        });
        with_search(&GridSearchDef { open: 9, ..GridSearchDef::of_cells(144) }, |search| {
            let options = GridOptions { heuristic: HeuristicKind::Zero, ..ask(GridAlgorithm::ThetaStar) };
            let error = search.find_path(grid, (6, 6), (0, 0), &options).unwrap_err();
            assert_eq!((error.subject(), error.limit_value()), (Subject::OpenEntries, Some(9.0)));
            assert!(search.find_path(grid, (6, 6), (6, 5), &options).unwrap().has_path());
        });
        with_theta(144, |search| {
            let options = ThetaOptions::default();
            assert_eq!(search.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
            assert_eq!(search.begin(grid, (0, 0), (9, 5), options), Ok(PathStatus::InProgress));
            assert_eq!(search.begin(grid, (12, 0), (9, 5), options), Ok(PathStatus::StartInvalid));
            assert_eq!(search.begin(grid, (0, 0), (0, -1), options), Ok(PathStatus::GoalInvalid));
            let heavy = ThetaOptions { weight: f64::NAN, ..options };
            assert_eq!(search.begin(grid, (0, 0), (9, 5), heavy).unwrap_err().subject(), Subject::HeuristicWeight);
            let larger = GridDef { clearance: false, ..GridDef::of_size(29, 5) };
            with_grid(&larger, |other| {
                assert_eq!(search.begin(other, (0, 0), (1, 1), options).unwrap_err().subject(), Subject::Nodes);
                assert_eq!(search.step(other, 1).unwrap_err().kind(), ErrorKind::State);
            });
            assert_eq!(search.step(grid, u64::MAX), Ok(SearchStatus::Found));
            assert_eq!(search.path_back().count(), 2);
            search.begin(grid, (0, 0), (9, 5), options).unwrap();
            grid.set_area_cost(1, 2.0).unwrap();
            assert_eq!(search.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
            let uneven = search.begin(grid, (0, 0), (9, 5), options).unwrap_err();
            assert_eq!((uneven.kind(), uneven.subject()), (ErrorKind::Unsupported, Subject::AreaCost));
        });
    });
}

#[test]
fn costs_that_overflow_end_without_a_path_that_lies() {
    let picture = "......\n.####.\n......\n";
    with_grid(&GridDef { area_costs: 0, ..GridDef::of_size(6, 3) }, |grid| {
        for (index, symbol) in picture.bytes().filter(|&symbol| symbol != b'\n').enumerate() {
            grid.set_area(grid.cell_of(index as u32), if symbol == b'#' { WALL } else { 0 }).unwrap();
        }
        grid.set_all_area_costs(f64::MAX / 4.0).unwrap();
        with_theta(18, |search| {
            for (variant, is_zero) in VARIANTS.into_iter().flat_map(|variant| [(variant, false), (variant, true)]) {
                let options = ThetaOptions { is_zero, ..ThetaOptions::of(variant) };
                let far = run(search, grid, (Cell::new(0, 0), Cell::new(5, 2)), options, u64::MAX);
                assert_eq!((far.status, far.waypoints.len()), (SearchStatus::NotFound, 0));
                let near = run(search, grid, (Cell::new(0, 0), Cell::new(0, 2)), options, u64::MAX);
                assert_eq!((near.status, f64::from_bits(near.cost)), (SearchStatus::Found, f64::MAX / 4.0 * 2.0));
            }
        });
    });
}
