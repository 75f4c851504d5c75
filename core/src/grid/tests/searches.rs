use super::oracle::{Moves, Plain};
use super::{rounds, with_grid, with_search};
use crate::error::{ErrorKind, Subject};
use crate::grid::*;
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use crate::search::{AStar, AStarDef, BaseCost, PathStatus, SearchStatus};
use std::vec::Vec;

const RULES: [DiagonalRule; 3] = [DiagonalRule::NoCornerCutting, DiagonalRule::NoSqueezing, DiagonalRule::AllowAll];

/// A random map of up to 12 by 12 cells, a third of it walls or less, with areas or without.
fn random_plain(random: &mut SplitMix64, with_areas: bool) -> Plain {
    let (width, height) = (1 + random.below(12) as i32, 1 + random.below(12) as i32);
    let walls = random.below(34);
    let cells = (0..width * height).map(|_| match random.below(100) {
        n if n < walls => 255,
        _ if with_areas => random.below(4) as u8,
        _ => 0,
    });
    let cells = cells.collect();
    let costs = if with_areas { (0..4).map(|_| 0.25 * (1 + random.below(16)) as f64).collect() } else { Vec::new() };
    Plain { width, height, cells, costs, rest: 1.0 }
}

fn load(plain: &Plain, grid: &mut Grid<'_>) {
    grid.set_rect_areas(CellRect::new(0, 0, plain.width, plain.height), &plain.cells).unwrap();
    for (area, &cost) in plain.costs.iter().enumerate() {
        grid.set_area_cost(area as u8, cost).unwrap();
    }
}

fn def_of(plain: &Plain, clearance: bool) -> GridDef {
    GridDef { clearance, area_costs: 4, journal: 2, ..GridDef::of_size(plain.width as u32, plain.height as u32) }
}

/// A cell, most often one that can be stood on.
fn random_cell(random: &mut SplitMix64, plain: &Plain, size: i32) -> Cell {
    let mut pick = || Cell::new(random.below(plain.width as u64) as i32, random.below(plain.height as u64) as i32);
    let tries = [pick(), pick(), pick(), pick()];
    tries.into_iter().find(|cell| plain.stands(cell.x, cell.y, size)).unwrap_or(tries[0])
}

/// Checks a path step by step and gives the sum of its steps from the start.
fn checked_sum(plain: &Plain, moves: Moves, cells: &[Cell]) -> f64 {
    let steps = cells.windows(2).map(|pair| {
        let [from, to] = [pair[0], pair[1]].map(|cell| (cell.x, cell.y));
        plain.step(moves, from, to).expect("a step of the path is no legal move")
    });
    steps.fold(0.0, |sum, step| sum + step)
}

fn assert_near(got: f64, want: f64) {
    assert!(got == want || (got - want).abs() <= 1e-9 * want, "{got} is not {want}");
}

/// One random question, asked every way there is, compared with the oracle.
fn ask_everywhere(random: &mut SplitMix64, moves: Moves, with_areas: bool, searches: &mut [GridSearch<'_>; 2]) {
    let plain = random_plain(random, with_areas);
    let connectivity = if moves.eight { Connectivity::Eight } else { Connectivity::Four };
    let movement = Movement { agent_size: moves.size as u8, connectivity, diagonals: RULES[moves.rule] };
    let heuristics = [HeuristicKind::Auto, HeuristicKind::Zero, HeuristicKind::Euclidean];
    let heuristic = heuristics[random.below(3) as usize];
    with_grid(&def_of(&plain, random.below(2) == 0), |grid| {
        load(&plain, grid);
        let (start, goal) = (random_cell(random, &plain, moves.size), random_cell(random, &plain, moves.size));
        let stands = |cell: Cell| plain.stands(cell.x, cell.y, moves.size);
        let costs = plain.dijkstra(moves, (start.x, start.y));
        let want = costs[grid.index_of(goal).unwrap() as usize];
        let mut first_cost = None;
        for specialized in [true, false] {
            let options = GridOptions { movement, heuristic, specialized, ..GridOptions::DEFAULT };
            let mut outcomes = Vec::new();
            for search in searches.iter_mut() {
                let outcome = search.find_path(grid, start, goal, &options).unwrap();
                outcomes.push((
                    outcome,
                    search.path().cells().to_vec(),
                    search.path().expanded_cells().collect::<Vec<_>>(),
                ));
            }
            assert_eq!(outcomes[0], outcomes[1], "both forms of memory give the same");
            let (outcome, cells, expanded) = &outcomes[0];
            let expected = match () {
                _ if !stands(start) => PathStatus::StartInvalid,
                _ if !stands(goal) => PathStatus::GoalInvalid,
                _ if want == f64::INFINITY => PathStatus::NoPath,
                _ => PathStatus::Found,
            };
            assert_eq!((outcome.status, outcome.algorithm), (expected, GridAlgorithm::AStar));
            assert_eq!(expanded.len() as u64, outcome.expanded);
            if expected == PathStatus::Found {
                assert_near(outcome.cost, want);
                assert_near(checked_sum(&plain, moves, cells), want);
                assert_eq!((cells[0], cells[cells.len() - 1]), (start, goal));
                assert_eq!(cells.len(), outcome.length as usize);
                if !moves.eight {
                    assert_eq!(outcome.cost, want, "costs that are dyadic are exact");
                }
                assert_near(outcome.cost, *first_cost.get_or_insert(outcome.cost));
            } else {
                assert!(outcome.cost == f64::INFINITY && cells.is_empty());
            }
        }
    });
}

/// The standard and the compact form side by side, each in memory full of rubbish.
fn with_both_forms(work: impl FnOnce(&mut [GridSearch<'_>; 2])) {
    let standard = GridSearchDef { expansions: 144, ..GridSearchDef::of_cells(144) };
    let compact = GridSearchDef { octile: OctileMemory::Compact, ..standard };
    let mut regions = [standard, compact].map(|def| std::vec![Grain::ZERO; def.plan().grains()]);
    regions.iter_mut().for_each(|region| bytemuck::cast_slice_mut::<Grain, u8>(region).fill(0xA7));
    let [one, other] = &mut regions;
    let mut searches = [
        GridSearch::new(&standard, &mut Arena::new(one)).unwrap(),
        GridSearch::new(&compact, &mut Arena::new(other)).unwrap(),
    ];
    work(&mut searches);
}

fn ask_often(seed: u64, size: i32, eight: bool, rule: usize) {
    with_both_forms(|searches| {
        let mut random = SplitMix64::new(seed);
        for round in 0..rounds(150, 10_000) {
            ask_everywhere(&mut random, Moves { size, eight, rule }, round % 3 == 0, searches);
        }
    });
}

#[test]
fn eight_neighbours_without_corner_cutting_cost_what_dijkstra_says() {
    ask_often(1, 1, true, 0);
    ask_often(2, 2, true, 0);
    ask_often(3, 3, true, 0);
}

#[test]
fn eight_neighbours_without_squeezing_cost_what_dijkstra_says() {
    ask_often(4, 1, true, 1);
    ask_often(5, 2, true, 1);
    ask_often(6, 3, true, 1);
}

#[test]
fn all_eight_neighbours_cost_what_dijkstra_says() {
    ask_often(7, 1, true, 2);
    ask_often(8, 2, true, 2);
    ask_often(9, 3, true, 2);
}

#[test]
fn four_neighbours_cost_exactly_what_dijkstra_says() {
    ask_often(10, 1, false, 0);
    ask_often(11, 2, false, 1);
    ask_often(12, 3, false, 2);
}

/// Everything that a search leaves to be seen.
fn all_of(search: &GridSearch<'_>) -> (GridOutcome, Vec<Cell>, Vec<Cell>) {
    let path = search.path();
    (path.outcome(), path.cells().to_vec(), path.expanded_cells().collect())
}

#[test]
fn slices_of_any_size_give_what_one_call_gives() {
    with_both_forms(|searches| {
        let mut random = SplitMix64::new(77);
        for round in 0..rounds(60, 3000) {
            let plain = random_plain(&mut random, round % 2 == 0);
            let (start, goal) = (random_cell(&mut random, &plain, 1), random_cell(&mut random, &plain, 1));
            with_grid(&def_of(&plain, false), |grid| {
                load(&plain, grid);
                let hooks = Blocked(|cell: Cell| (cell.x * 3 + cell.y) % 5 == 4);
                for search in searches.iter_mut() {
                    slice(grid, search, start, goal, &NoHooks);
                    slice(grid, search, start, goal, &hooks);
                }
            });
        }
    });
}

fn slice<H: GridHooks>(grid: &Grid<'_>, search: &mut GridSearch<'_>, start: Cell, goal: Cell, hooks: &H) {
    for specialized in [true, false] {
        let options = GridOptions { specialized, ..GridOptions::DEFAULT };
        search.find_path_with(grid, start, goal, &options, hooks).unwrap();
        let whole = all_of(search);
        for budget in [1, 2, 7, 50] {
            let begun = search.begin_with(grid, start, goal, &options, hooks).unwrap();
            if begun != PathStatus::InProgress {
                assert_eq!(begun, whole.0.status);
                continue;
            }
            let mut spent = 0;
            while search.step_with(grid, hooks, budget).unwrap() == PathStatus::InProgress {
                spent += budget;
                assert_eq!(search.outcome().iterations, spent);
            }
            assert_eq!(all_of(search), whole);
            // A search that has ended stays as it is.
            assert_eq!(search.step_with(grid, hooks, budget), Ok(whole.0.status));
            assert_eq!(all_of(search), whole);
            let bounded = GridOptions { iteration_budget: budget, ..options };
            let outcome = search.find_path_with(grid, start, goal, &bounded, hooks).unwrap();
            let is_enough = whole.0.iterations < budget || whole.0.iterations == budget && whole.0.has_path();
            assert_eq!(outcome.status == PathStatus::BudgetExhausted, !is_enough);
        }
    }
}

#[test]
fn blocked_cells_and_step_costs_cost_what_dijkstra_says_of_a_grid_with_them() {
    with_both_forms(|searches| {
        let mut random = SplitMix64::new(5);
        for _ in 0..rounds(150, 3000) {
            let plain = random_plain(&mut random, true);
            let (start, goal) = (random_cell(&mut random, &plain, 1), random_cell(&mut random, &plain, 1));
            let salt = random.below(1000) as i32;
            let is_blocked = |cell: Cell| (cell.x * 31 + cell.y * 17 + salt) % 6 == 0;
            with_grid(&def_of(&plain, false), |grid| {
                load(&plain, grid);
                // Four neighbours: a blocked cell is then just what a wall is.
                let movement = Movement { connectivity: Connectivity::Four, ..Movement::DEFAULT };
                let options = GridOptions { movement, algorithm: GridAlgorithm::Jps, ..GridOptions::DEFAULT };
                let hooks = (Blocked(is_blocked), StepCosts(|_: Cell, to: Cell, cost: f64| cost + f64::from(to.x & 1)));
                let outcome = searches[0].find_path_with(grid, start, goal, &options, &hooks).unwrap();
                let mut walled = plain.clone();
                for cell in CellRect::new(0, 0, plain.width, plain.height).cells().filter(|&cell| is_blocked(cell)) {
                    walled.cells[(cell.y * plain.width + cell.x) as usize] = 255;
                }
                let moves = Moves { size: 1, eight: false, rule: 0 };
                let stands = |cell: Cell| walled.stands(cell.x, cell.y, 1);
                match outcome.status {
                    PathStatus::StartInvalid => assert!(!stands(start)),
                    PathStatus::GoalInvalid => assert!(stands(start) && !stands(goal)),
                    status => {
                        // The hook adds the columns entered that are odd: the way's cost without it is no shorter.
                        let want = walled.dijkstra(moves, (start.x, start.y))[grid.index_of(goal).unwrap() as usize];
                        assert_eq!(status == PathStatus::Found, want < f64::INFINITY);
                        let path = searches[0].path();
                        let odd = path.cells().iter().skip(1).filter(|cell| cell.x & 1 == 1).count() as f64;
                        if status == PathStatus::Found {
                            assert_eq!(outcome.cost, checked_sum(&walled, moves, path.cells()) + odd);
                            assert!(outcome.cost >= want);
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn a_generic_search_by_hand_is_the_one_of_the_handle_cell_for_cell() {
    let mut random = SplitMix64::new(9);
    for _ in 0..rounds(40, 1000) {
        let plain = random_plain(&mut random, true);
        let (start, goal) = (random_cell(&mut random, &plain, 1), random_cell(&mut random, &plain, 1));
        with_grid(&def_of(&plain, false), |grid| {
            load(&plain, grid);
            let def = AStarDef::of_nodes(144);
            let mut region = std::vec![Grain::ZERO; def.plan().grains()];
            let mut by_hand = AStar::new(&def, &mut Arena::new(&mut region)).unwrap();
            let topology = grid.topology(Movement::DEFAULT).unwrap();
            let heuristic = SquareHeuristic::new(grid, HeuristicKind::Octile);
            let [from, to] = [start, goal].map(|cell| grid.index_of(cell).unwrap());
            let begun = by_hand.begin(&topology, &heuristic, from, to, 1.0).unwrap();
            by_hand.step(&topology, &BaseCost, &heuristic, u64::MAX).unwrap();
            with_search(&GridSearchDef::of_cells(144), |search| {
                let options = GridOptions { specialized: false, ..GridOptions::DEFAULT };
                let outcome = search.find_path(grid, start, goal, &options).unwrap();
                if begun != PathStatus::InProgress {
                    assert_eq!(outcome.status, begun);
                    return;
                }
                let mut cells: Vec<Cell> = by_hand.path_back().map(|node| grid.cell_of(node)).collect();
                cells.reverse();
                assert_eq!(search.path().cells(), cells);
                assert_eq!(outcome.cost.to_bits(), by_hand.progress().cost.to_bits());
                assert_eq!(by_hand.progress().status == SearchStatus::Found, outcome.has_path());
            });
        });
    }
}

#[test]
fn what_is_wrong_with_a_question_is_named_and_the_running_search_goes_on() {
    with_grid(&GridDef::of_size(6, 6), |grid| {
        with_search(&GridSearchDef { general: false, ..GridSearchDef::of_cells(36) }, |search| {
            let options = GridOptions::DEFAULT;
            assert_eq!(search.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
            assert_eq!(search.begin(grid, (0, 0), (5, 5), &options), Ok(PathStatus::InProgress));
            for outside in [(-1, 0), (6, 0), (i32::MIN, i32::MAX), (0, 6)] {
                assert_eq!(search.begin(grid, outside, (1, 1), &options), Ok(PathStatus::StartInvalid));
                assert_eq!(search.begin(grid, (1, 1), outside, &options), Ok(PathStatus::GoalInvalid));
            }
            assert_eq!(
                search.begin(grid, (0, 0), (1, 1), &GridOptions::for_agent_size(0)).unwrap_err().subject(),
                Subject::AgentSize
            );
            let four = search.begin(grid, (0, 0), (1, 1), &GridOptions::FOUR_CONNECTED).unwrap_err();
            assert_eq!((four.kind(), four.subject()), (ErrorKind::Unsupported, Subject::Engine));
            let heavy = GridOptions { weight: f64::INFINITY, ..options };
            assert_eq!(search.begin(grid, (0, 0), (1, 1), &heavy).unwrap_err().subject(), Subject::HeuristicWeight);
            assert_eq!(search.step(grid, 0).unwrap_err().subject(), Subject::Budget);
            assert_eq!(search.step(grid, u64::MAX), Ok(PathStatus::Found));
            assert_eq!(search.outcome().cost, 5.0 * SQRT_2);
            let large = GridDef { clearance: false, area_costs: 0, journal: 0, ..GridDef::of_size(37, 1) };
            let error = with_grid(&large, |large| search.begin(large, (0, 0), (1, 0), &options).unwrap_err());
            assert_eq!((error.subject(), error.limit_value()), (Subject::Cell, Some(36.0)));
        });
    });
}

#[test]
fn a_grid_that_is_edited_under_a_search_stops_it() {
    with_grid(&GridDef::of_size(6, 6), |grid| {
        with_search(&GridSearchDef::of_cells(36), |search| {
            search.begin(grid, (0, 0), (5, 5), &GridOptions::DEFAULT).unwrap();
            grid.set_area(Cell::new(3, 3), WALL).unwrap();
            assert_eq!(search.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
            assert_eq!(search.begin(grid, (0, 0), (5, 5), &GridOptions::DEFAULT), Ok(PathStatus::InProgress));
            grid.set_area_cost(9, 2.0).unwrap();
            assert_eq!(search.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
        });
    });
}

#[test]
fn a_path_longer_than_the_defs_is_lent_in_part_and_copied_whole() {
    with_grid(&GridDef::of_size(9, 1), |grid| {
        with_search(&GridSearchDef { path: 3, ..GridSearchDef::of_cells(9) }, |search| {
            for specialized in [true, false] {
                let options = GridOptions { specialized, ..GridOptions::DEFAULT };
                let outcome = search.find_path(grid, (8, 0), (0, 0), &options).unwrap();
                assert!(outcome.path_truncated && outcome.length == 9);
                assert_eq!(search.path().cells(), [8, 7, 6].map(|x| Cell::new(x, 0)));
                assert!(search.path().points(grid.space()).eq([[8.5, 0.5], [7.5, 0.5], [6.5, 0.5]]));
                let mut whole = [Cell::default(); 10];
                assert_eq!(search.copy_path(grid, &mut whole), Ok(9));
                assert!(whole[..9].iter().map(|cell| cell.x).eq((0..9).rev()));
                assert_eq!(search.copy_path(grid, &mut whole[..8]).unwrap_err().subject(), Subject::PathLength);
            }
        });
    });
}

#[test]
fn too_few_open_entries_end_a_search_by_name_and_the_next_one_works() {
    with_grid(&GridDef::of_size(20, 20), |grid| {
        for octile in [OctileMemory::Standard, OctileMemory::Compact] {
            with_search(&GridSearchDef { open: 12, octile, ..GridSearchDef::of_cells(400) }, |search| {
                for specialized in [true, false] {
                    let options = GridOptions { specialized, heuristic: HeuristicKind::Zero, ..GridOptions::DEFAULT };
                    let error = search.find_path(grid, (10, 10), (0, 0), &options).unwrap_err();
                    assert_eq!((error.subject(), error.limit_value()), (Subject::OpenEntries, Some(12.0)));
                    assert_eq!(search.outcome().status, PathStatus::None);
                    assert!(search.find_path(grid, (10, 10), (11, 10), &options).unwrap().has_path());
                }
            });
        }
    });
}

#[test]
fn a_uniform_cost_scales_the_exact_pair() {
    with_grid(&GridDef { area_costs: 0, ..GridDef::of_size(9, 5) }, |grid| {
        grid.set_all_area_costs(2.5).unwrap();
        with_search(&GridSearchDef::compact(45), |search| {
            let outcome = search.find_path(grid, (0, 0), (8, 4), &GridOptions::DEFAULT).unwrap();
            assert_eq!(outcome.cost, 2.5 * (4.0 + 4.0 * SQRT_2));
        });
    });
}

#[test]
fn compact_marks_run_out_without_a_trace() {
    with_grid(&GridDef::of_size(3, 2), |grid| {
        with_search(&GridSearchDef::compact(6), |search| {
            for _ in 0..9000 {
                let outcome = search.find_path(grid, (0, 0), (2, 1), &GridOptions::DEFAULT).unwrap();
                assert_eq!((outcome.cost, outcome.expanded), (1.0 + SQRT_2, 2));
            }
        });
    });
}
