use super::{load, random_cell, random_plain, random_plain_of, with_map};
use crate::error::Subject;
use crate::grid::jps::*;
use crate::grid::tests::oracle::{Moves, Plain};
use crate::grid::tests::{rounds, with_grid};
use crate::grid::{Cell, CellRect, Grid, GridDef, HeuristicKind, Movement, SquareHeuristic, WALL};
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use crate::search::{AStar, AStarDef, BaseCost, PathStatus, SearchStatus};
use std::vec::Vec;

crate::memory::assert_portable!(JumpSearch);

const MOVES: Moves = Moves { size: 1, eight: true, rule: 0 };

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    status: SearchStatus,
    cost: f64,
    expanded: Vec<u32>,
    path: Vec<Cell>,
}

fn path_of(grid: &Grid<'_>, back: impl Iterator<Item = u32>) -> Vec<Cell> {
    let mut path: Vec<Cell> = back.map(|node| grid.cell_of(node)).collect();
    path.reverse();
    path
}

/// One specialised search, in slices of a budget.
fn ask<J: Jumper>(
    search: &mut JumpSearch<'_>,
    (grid, jumper): (&Grid<'_>, &J),
    (start, goal): (Cell, Cell),
    options: JumpOptions,
    budget: u64,
) -> Answer {
    assert_eq!(search.begin(grid, start, goal, options), Ok(PathStatus::InProgress));
    while search.step(jumper, budget).unwrap() == SearchStatus::Running {}
    let found = search.status() == SearchStatus::Found;
    assert_eq!(search.iterations(), search.expanded() + u64::from(found));
    assert_eq!(search.expansions().len() as u64, search.expanded());
    Answer {
        status: search.status(),
        cost: if found { search.path_steps().cost() } else { f64::INFINITY },
        expanded: search.expansions().to_vec(),
        path: path_of(grid, search.path_back()),
    }
}

/// The generic search over a jumper.
fn ask_generic<J: Jumper>(
    search: &mut AStar<'_>,
    (grid, jumper): (&Grid<'_>, &J),
    (start, goal): (u32, u32),
    kind: HeuristicKind,
    budget: u64,
) -> Answer {
    let cell_cost = grid.areas().uniform().unwrap();
    let topology = JumpTopology { jumper, cells: grid.cells(), goal, cell_cost };
    let heuristic = SquareHeuristic::new(grid, kind);
    search.begin(&topology, &heuristic, start, goal, 1.0).unwrap();
    while search.step(&topology, &BaseCost, &heuristic, budget).unwrap() == SearchStatus::Running {}
    Answer {
        status: search.progress().status,
        cost: search.progress().cost,
        expanded: search.expansions().to_vec(),
        path: path_of(grid, walk_back(search.path_back(), grid.width() as u32)),
    }
}

/// Checks a path step by step and gives the sum of its steps from the start.
fn checked_sum(plain: &Plain, cells: &[Cell]) -> f64 {
    let steps = cells.windows(2).map(|pair| {
        let [from, to] = [pair[0], pair[1]].map(|cell| (cell.x, cell.y));
        plain.step(MOVES, from, to).expect("a step of the path is no legal move")
    });
    steps.fold(0.0, |sum, step| sum + step)
}

fn is_near(got: f64, want: f64) -> bool {
    got == want || (got - want).abs() <= 1e-9 * want
}

/// All the searches there are, in memory full of rubbish.
fn with_searches(cells: u32, work: impl FnOnce(&mut JumpMap<'_>, &mut JumpSearch<'_>, &mut AStar<'_>)) {
    let def = JumpSearchDef { expansions: cells, ..JumpSearchDef::of_cells(cells) };
    let generic = AStarDef { expansions: 4 * cells, ..AStarDef::of_nodes(cells) };
    let mut region = std::vec![Grain::ZERO; def.plan().grains() + generic.plan().grains()];
    bytemuck::cast_slice_mut::<Grain, u8>(&mut region).fill(0xA7);
    let mut arena = Arena::new(&mut region);
    let mut search = JumpSearch::new(&def, &mut arena).unwrap();
    let mut generic = AStar::new(&generic, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "plans say what is taken");
    let map = JumpMapDef { width: 200, height: 200, blocks: true, tables: true };
    with_map(&map, |map| work(map, &mut search, &mut generic));
}

fn def_of(plain: &Plain) -> GridDef {
    GridDef { clearance: false, area_costs: 0, journal: 0, ..GridDef::of_size(plain.width as u32, plain.height as u32) }
}

/// Asks one question in every way there is; every way must cost `want`.
fn ask_everywhere(
    (map, search, generic): (&mut JumpMap<'_>, &mut JumpSearch<'_>, &mut AStar<'_>),
    (grid, plain): (&Grid<'_>, &Plain),
    (start, goal): (Cell, Cell),
    want: f64,
) {
    map.refresh_blocks(grid).unwrap();
    map.refresh_tables(grid).unwrap();
    let nodes = (grid.index_of(start).unwrap(), grid.index_of(goal).unwrap());
    let (blocks, tables) = (BlockJumper(map), TableJumper(map));
    let mut answers = Vec::new();
    for is_zero in [false, true] {
        for pruning in [Pruning::Standard, Pruning::Improved] {
            let options = JumpOptions { is_zero, pruning };
            let by_blocks = ask(search, (grid, &blocks), (start, goal), options, u64::MAX);
            let by_cells = ask(search, (grid, &CellJumper(grid)), (start, goal), options, 7);
            assert_eq!(by_blocks, by_cells);
            let by_tables = ask(search, (grid, &tables), (start, goal), options, u64::MAX);
            if pruning == Pruning::Improved {
                assert_eq!(by_tables, by_blocks);
            }
            for budget in [1, 2, 7, 50] {
                assert_eq!(ask(search, (grid, &blocks), (start, goal), options, budget), by_blocks);
                assert_eq!(ask(search, (grid, &tables), (start, goal), options, budget), by_tables);
            }
            answers.extend([by_blocks, by_tables]);
        }
        let kind = if is_zero { HeuristicKind::Zero } else { HeuristicKind::Octile };
        let whole = ask_generic(generic, (grid, &blocks), nodes, kind, u64::MAX);
        assert_eq!(ask_generic(generic, (grid, &CellJumper(grid)), nodes, kind, 7), whole);
        let by_tables = ask_generic(generic, (grid, &tables), nodes, kind, u64::MAX);
        for budget in [1, 2, 50] {
            assert_eq!(ask_generic(generic, (grid, &blocks), nodes, kind, budget), whole);
            assert_eq!(ask_generic(generic, (grid, &tables), nodes, kind, budget), by_tables);
        }
        answers.extend([whole, by_tables]);
    }
    for answer in answers {
        if want == f64::INFINITY {
            assert_eq!((answer.status, answer.path.len()), (SearchStatus::NotFound, 0));
            continue;
        }
        assert_eq!(answer.status, SearchStatus::Found);
        assert!(is_near(answer.cost, want), "{} is not {want}", answer.cost);
        assert!(is_near(checked_sum(plain, &answer.path), want));
        assert_eq!((answer.path[0], answer.path[answer.path.len() - 1]), (start, goal));
    }
}

#[test]
fn every_jump_search_costs_what_dijkstra_says_whole_and_in_slices() {
    let mut random = SplitMix64::new(21);
    with_searches(144, |map, search, generic| {
        for _ in 0..rounds(120, 10_000) {
            let walls = random.below(45);
            let plain = random_plain(&mut random, 12, walls);
            let (start, goal) = (random_cell(&mut random, &plain), random_cell(&mut random, &plain));
            if !plain.stands(start.x, start.y, 1) || !plain.stands(goal.x, goal.y, 1) {
                continue;
            }
            with_grid(&def_of(&plain), |grid| {
                load(&plain, grid);
                let costs = plain.dijkstra(MOVES, (start.x, start.y));
                let want = costs[grid.index_of(goal).unwrap() as usize];
                ask_everywhere((map, search, generic), (grid, &plain), (start, goal), want);
            });
        }
    });
}

/// Rooms of a size with gaps in their walls.
fn rooms(random: &mut SplitMix64, (width, height): (i32, i32), room: i32) -> Plain {
    let mut plain = random_plain_of(random, width, height, 0);
    let gap_of = |random: &mut SplitMix64| random.below(room as u64) as i32;
    for y in 0..height {
        for x in 0..width {
            if x % room == 0 || y % room == 0 {
                plain.cells[(y * width + x) as usize] = WALL;
            }
        }
    }
    for (y, x) in (0..height / room).flat_map(|y| (0..width / room).map(move |x| (y * room, x * room))) {
        for (gap_x, gap_y) in [(x, y + gap_of(random)), (x + gap_of(random), y)] {
            plain.cells[(gap_y * width + gap_x) as usize] = 0;
        }
    }
    plain
}

/// The cost by the generic A* over single steps, which others check.
fn cost_by_steps(grid: &Grid<'_>, (start, goal): (Cell, Cell)) -> f64 {
    let def = AStarDef::of_nodes(grid.cell_count() as u32);
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    let mut search = AStar::new(&def, &mut Arena::new(&mut region)).unwrap();
    let topology = grid.topology(Movement::DEFAULT).unwrap();
    let heuristic = SquareHeuristic::new(grid, HeuristicKind::Octile);
    let [start, goal] = [start, goal].map(|cell| grid.index_of(cell).unwrap());
    search.begin(&topology, &heuristic, start, goal, 1.0).unwrap();
    search.step(&topology, &BaseCost, &heuristic, u64::MAX).unwrap();
    search.progress().cost
}

#[test]
fn rooms_with_gaps_and_grids_wider_than_a_word_cost_what_single_steps_do() {
    let mut random = SplitMix64::new(22);
    with_searches(200 * 30, |map, search, generic| {
        for round in 0..rounds(9, 600) {
            let size = (65 + random.below(120) as i32, 5 + random.below(25) as i32);
            let size = if random.below(2) == 0 { size } else { (size.1, size.0) };
            let walls = random.below(30);
            let plain = match round % 3 {
                0 => rooms(&mut random, size, 5),
                1 => rooms(&mut random, size, 9),
                _ => random_plain_of(&mut random, size.0, size.1, walls),
            };
            let ends: Vec<Cell> = (0..40).map(|_| random_cell(&mut random, &plain)).collect();
            let mut ends = ends.into_iter().filter(|cell| plain.stands(cell.x, cell.y, 1));
            let (Some(start), Some(goal)) = (ends.next(), ends.next()) else { continue };
            with_grid(&def_of(&plain), |grid| {
                load(&plain, grid);
                let want = cost_by_steps(grid, (start, goal));
                ask_everywhere((map, search, generic), (grid, &plain), (start, goal), want);
            });
        }
    });
}

/// The published map: a wall across with a gap at the bottom.
#[test]
fn the_published_counts_of_expansions_come_out() {
    with_searches(64 * 64, |map, search, _| {
        with_grid(&GridDef::of_size(64, 64), |grid| {
            grid.set_rect(CellRect::new(32, 0, 1, 62), WALL).unwrap();
            map.refresh_blocks(grid).unwrap();
            map.refresh_tables(grid).unwrap();
            let ends = (Cell::new(2, 2), Cell::new(60, 4));
            let jps = ask(search, (grid, &BlockJumper(map)), ends, JumpOptions::default(), u64::MAX);
            let jps_plus = ask(search, (grid, &TableJumper(map)), ends, JumpOptions::default(), u64::MAX);
            assert_eq!((jps.expanded.len(), jps_plus.expanded.len()), (5, 6));
            assert_eq!((jps.path.len(), jps_plus.path.len()), (121, 121));
            assert!((jps.cost - 143.1960).abs() < 5e-5 && jps.cost == jps_plus.cost);
        });
    });
}

#[test]
fn cells_that_are_no_ground_are_refused_and_the_running_search_goes_on() {
    with_searches(16, |_, search, _| {
        with_grid(&GridDef::of_size(4, 4), |grid| {
            grid.set_area(Cell::new(2, 2), WALL).unwrap();
            let options = JumpOptions::default();
            assert_eq!(search.step(&CellJumper(grid), 1), Ok(SearchStatus::NotStarted));
            assert_eq!(search.begin(grid, (0, 0), (3, 3), options), Ok(PathStatus::InProgress));
            for bad in [(2, 2), (4, 0), (0, -1), (i32::MIN, i32::MAX)] {
                assert_eq!(search.begin(grid, bad, (0, 0), options), Ok(PathStatus::StartInvalid));
                assert_eq!(search.begin(grid, (0, 0), bad, options), Ok(PathStatus::GoalInvalid));
            }
            assert_eq!(search.step(&CellJumper(grid), u64::MAX), Ok(SearchStatus::Found));
            assert_eq!(search.path_back().count(), 6);
        });
        with_grid(&GridDef::of_size(17, 1), |grid| {
            let error = search.begin(grid, (0, 0), (3, 0), JumpOptions::default()).unwrap_err();
            assert_eq!((error.subject(), error.limit_value()), (Subject::Cell, Some(16.0)));
        });
    });
}

#[test]
fn too_few_open_entries_end_a_search_by_name_and_the_next_one_works() {
    let mut random = SplitMix64::new(23);
    let plain = random_plain_of(&mut random, 40, 40, 12);
    with_grid(&def_of(&plain), |grid| {
        load(&plain, grid);
        let def = JumpSearchDef { open: 9, ..JumpSearchDef::of_cells(1600) };
        let mut region = std::vec![Grain::ZERO; def.plan().grains()];
        let mut search = JumpSearch::new(&def, &mut Arena::new(&mut region)).unwrap();
        let ground = |corner: i32| (0..40).map(|n| Cell::new(corner, n)).find(|&cell| grid.is_walkable(cell)).unwrap();
        let options = JumpOptions { is_zero: true, ..JumpOptions::default() };
        search.begin(grid, ground(0), ground(39), options).unwrap();
        let error = search.step(&CellJumper(grid), u64::MAX).unwrap_err();
        assert_eq!((error.subject(), error.limit_value()), (Subject::OpenEntries, Some(9.0)));
        assert_eq!(search.status(), SearchStatus::NotStarted);
        search.begin(grid, ground(0), ground(0), options).unwrap();
        assert_eq!(search.step(&CellJumper(grid), u64::MAX), Ok(SearchStatus::Found));
    });
}
