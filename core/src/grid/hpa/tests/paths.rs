//! Paths: legal, priced right, found exactly when there is one, never below the cheapest; slices; limits.

use super::*;
use crate::error::{ErrorKind, Subject};
use crate::grid::tests::{rounds, with_grid};
use crate::search::PathStatus;

/// Checks a path step by step and gives the sum of its steps from the start.
fn checked_sum(plain: &Plain, moves: Moves, path: &[u32]) -> f64 {
    let cell = |at: u32| (at as i32 % plain.width, at as i32 / plain.width);
    let steps = path
        .windows(2)
        .map(|pair| plain.step(moves, cell(pair[0]), cell(pair[1])).expect("a step of the path is no legal move"));
    steps.fold(0.0, |sum, step| sum + step)
}

fn ask(random: &mut SplitMix64, kind: Kind, with_areas: bool) {
    let plain = random_plain(random, with_areas);
    with_grid(&def_of(&plain), |grid| {
        load(&plain, grid);
        let def = kind.def(plain.width as u32, plain.height as u32);
        let search_def = HpaSearchDef { expansions: 500, path: 4 * 196, ..HpaSearchDef::over(&def) };
        with_hierarchy(&def, |hierarchy| {
            hierarchy.refresh(grid, kind.movement()).unwrap();
            with_search(&search_def, |search| {
                for _ in 0..3 {
                    ask_one(random, kind, &plain, grid, hierarchy, search);
                }
            });
        });
    });
}

fn ask_one(
    random: &mut SplitMix64,
    kind: Kind,
    plain: &Plain,
    grid: &Grid<'_>,
    hierarchy: &Hierarchy<'_>,
    search: &mut HpaSearch<'_>,
) {
    let moves = kind.moves;
    let [start, goal] = [0; 2].map(|_| random_cell(random, plain, moves.size));
    let stands = |cell: Cell| plain.stands(cell.x, cell.y, moves.size);
    let want = plain.dijkstra(moves, (start.x, start.y))[grid.index_of(goal).unwrap() as usize];
    let mut unsmoothed = f64::INFINITY;
    for smooths in [false, true] {
        let outcome = search.find_path(grid, hierarchy, start, goal, smooths).unwrap();
        let expected = match () {
            _ if !stands(start) => PathStatus::StartInvalid,
            _ if !stands(goal) => PathStatus::GoalInvalid,
            _ if want == f64::INFINITY => PathStatus::NoPath,
            _ => PathStatus::Found,
        };
        assert_eq!(outcome.status, expected, "{kind:?}");
        if expected != PathStatus::Found {
            assert!(outcome.cost == f64::INFINITY && search.path().is_empty());
            continue;
        }
        let path = search.path();
        assert_eq!((path.first(), path.last()), (grid.index_of(start).as_ref(), grid.index_of(goal).as_ref()));
        assert_eq!(checked_sum(plain, moves, path), outcome.cost, "the price is the sum of the steps, to the bit");
        assert!(outcome.cost >= want - 1e-9 * want, "{} is below {want}", outcome.cost);
        assert!(outcome.cost <= unsmoothed, "smoothing makes no path longer");
        assert_eq!(search.expansions().len() as u64, outcome.expanded);
        assert_eq!(outcome.iterations, outcome.expanded + 1);
        if kind.chunk as i32 >= plain.width.max(plain.height) {
            assert!((outcome.cost - want).abs() <= 1e-9 * want, "in one chunk the way is the cheapest");
        }
        unsmoothed = outcome.cost;
        slice(grid, hierarchy, (start, goal), smooths, search);
    }
}

/// Asks again in slices.
fn slice(
    grid: &Grid<'_>,
    hierarchy: &Hierarchy<'_>,
    (start, goal): (Cell, Cell),
    smooths: bool,
    search: &mut HpaSearch<'_>,
) {
    let all_of = |search: &HpaSearch<'_>| (search.outcome(), search.path().to_vec(), search.expansions().to_vec());
    let whole = all_of(search);
    for budget in [1, 2, 7, 17, 50] {
        assert_eq!(search.begin(grid, hierarchy, start, goal, smooths), Ok(PathStatus::InProgress));
        let mut spent = 0;
        while search.step(grid, hierarchy, budget).unwrap() == PathStatus::InProgress {
            spent += budget;
            assert_eq!(search.outcome().iterations, spent);
        }
        assert_eq!(all_of(search), whole);
        assert_eq!(search.step(grid, hierarchy, budget), Ok(PathStatus::Found), "an ended search stays as it is");
    }
}

#[test]
fn paths_are_legal_and_found_exactly_when_there_is_one() {
    let mut random = SplitMix64::new(1);
    for round in 0..rounds(300, 12_000) {
        let kind = Kind::random(&mut random);
        ask(&mut random, kind, round % 3 == 0);
    }
}

/// Every variant by itself: neighbours, rule, agent, chunk.
#[test]
fn every_variant_is_asked_often() {
    let mut random = SplitMix64::new(2);
    for size in 1..=3 {
        for (eight, rule) in [(true, 0), (true, 1), (false, 0)] {
            for round in 0..rounds(15, 10_000) {
                let (chunk, threshold) = (2 + random.below(6) as u32, 1 + random.below(8) as u32);
                let kind = Kind { moves: Moves { size, eight, rule }, chunk, threshold };
                ask(&mut random, kind, round % 2 == 0);
            }
        }
    }
}

#[test]
fn the_search_of_the_page_expands_as_many_nodes_as_the_page_says() {
    with_grid(&GridDef::of_size(64, 64), |grid| {
        grid.set_rect(CellRect::new(32, 0, 1, 62), WALL).unwrap();
        let def = HierarchyDef::of_size(64, 64);
        with_hierarchy(&def, |hierarchy| {
            hierarchy.refresh(grid, Movement::DEFAULT).unwrap();
            with_search(&HpaSearchDef::over(&def), |search| {
                let found = search.find_path(grid, hierarchy, (2, 2), (60, 4), true).unwrap();
                assert!((found.cost - 143.1960).abs() < 5e-5, "{}", found.cost);
                assert_eq!((search.path().len(), found.expanded), (121, 47));
            });
        });
    });
}

#[test]
fn what_is_stale_absurd_or_too_small_is_refused_by_name_and_stays_usable() {
    with_grid(&GridDef::of_size(24, 8), |grid| {
        grid.set_rect(CellRect::new(11, 0, 1, 7), WALL).unwrap();
        let def = HierarchyDef::of_chunks(24, 8, 4, 6);
        let search_def = HpaSearchDef { path: 14, ..HpaSearchDef::over(&def) };
        with_hierarchy(&def, |hierarchy| {
            with_search(&search_def, |search| {
                let refusal = search.begin(grid, hierarchy, (0, 0), (1, 1), true).unwrap_err();
                assert_eq!((refusal.kind(), refusal.subject()), (ErrorKind::State, Subject::Hierarchy));
                hierarchy.refresh(grid, Movement::DEFAULT).unwrap();
                assert_eq!(search.step(grid, hierarchy, 1).unwrap_err().kind(), ErrorKind::State);
                let mut ask =
                    |start: (i32, i32), goal: (i32, i32)| search.find_path(grid, hierarchy, start, goal, true);
                assert_eq!(ask((24, 0), (0, 0)).unwrap().status, PathStatus::StartInvalid);
                assert_eq!(ask((0, 0), (i32::MIN, i32::MAX)).unwrap().status, PathStatus::GoalInvalid);
                assert_eq!(ask((0, 0), (11, 3)).unwrap().status, PathStatus::GoalInvalid);
                // 23 cells at least, of which 14 can be kept.
                let refusal = ask((0, 0), (22, 0)).unwrap_err();
                assert_eq!((refusal.kind(), refusal.subject()), (ErrorKind::Capacity, Subject::PathLength));
                assert_eq!(search.path().len(), 0);
                let found = search.find_path(grid, hierarchy, (3, 3), (3, 3), true).unwrap();
                assert_eq!((found.cost, found.iterations, found.expanded), (0.0, 1, 0));
                assert_eq!(search.path().len(), 1);
                // A running search goes on after a refusal, and not after an edit.
                search.begin(grid, hierarchy, (0, 0), (9, 7), true).unwrap();
                assert_eq!(search.step(grid, hierarchy, 0).unwrap_err().subject(), Subject::Budget);
                assert_eq!(search.begin(grid, hierarchy, (-1, 0), (9, 7), true), Ok(PathStatus::StartInvalid));
                assert_eq!(search.step(grid, hierarchy, 1), Ok(PathStatus::InProgress));
                grid.set_area(Cell::new(20, 1), WALL).unwrap();
                assert_eq!(search.step(grid, hierarchy, 1).unwrap_err().kind(), ErrorKind::State);
                hierarchy.refresh(grid, Movement::DEFAULT).unwrap();
                assert_eq!(search.step(grid, hierarchy, 1).unwrap_err().kind(), ErrorKind::State);
                assert!(search.find_path(grid, hierarchy, (0, 0), (9, 7), true).unwrap().status == PathStatus::Found);
            });
        });
    });
}

/// Another hierarchy than a search began with is a mistake of its caller's: nonsense may come out, but it does come out.
#[test]
fn a_hierarchy_that_was_changed_behind_a_search_ends_it_without_harm() {
    let mut random = SplitMix64::new(8);
    for _ in 0..rounds(150, 5000) {
        let (kind, plain) = (Kind::random(&mut random), random_plain(&mut random, true));
        let other = Kind { threshold: 1 + random.below(8) as u32, ..Kind::random(&mut random) };
        let other = Kind { chunk: kind.chunk, ..other };
        with_grid(&def_of(&plain), |grid| {
            load(&plain, grid);
            let [def, other_def] = [kind, other].map(|kind| HierarchyDef {
                threshold: kind.threshold,
                ..HierarchyDef::of_chunks(plain.width as u32, plain.height as u32, kind.chunk, 1)
            });
            with_hierarchy(&def, |hierarchy| {
                with_hierarchy(&other_def, |wrong| {
                    hierarchy.refresh(grid, kind.movement()).unwrap();
                    wrong.refresh(grid, other.movement()).unwrap();
                    with_search(&HpaSearchDef::over(&def), |search| {
                        let [start, goal] = [0; 2].map(|_| random_cell(&mut random, &plain, kind.moves.size));
                        if search.begin(grid, hierarchy, start, goal, true) == Ok(PathStatus::InProgress) {
                            let _ = search.step(grid, hierarchy, 1 + random.below(3));
                            let _ = search.step(grid, wrong, u64::MAX);
                        }
                    });
                });
            });
        });
    }
}

#[test]
fn every_limit_is_refused_by_name_and_a_plan_says_what_is_taken() {
    let def = HierarchyDef::of_size(20, 10);
    let refusal = |def: HierarchyDef| Hierarchy::new(&def, &mut Arena::new(&mut [])).unwrap_err().subject();
    assert_eq!(refusal(HierarchyDef { width: 0, ..def }), Subject::GridWidth);
    assert_eq!(refusal(HierarchyDef { height: 0, ..def }), Subject::GridHeight);
    assert_eq!(refusal(HierarchyDef { width: u32::MAX, height: u32::MAX, ..def }), Subject::Cell);
    assert_eq!(refusal(HierarchyDef { chunk: 1, ..def }), Subject::ChunkSide);
    assert_eq!(refusal(HierarchyDef { chunk: 257, ..def }), Subject::ChunkSide);
    assert_eq!(refusal(HierarchyDef { threshold: 0, ..def }), Subject::EntranceThreshold);
    assert_eq!(refusal(HierarchyDef { nodes: u32::MAX, ..def }), Subject::AbstractNodes);
    assert_eq!(refusal(HierarchyDef { costs: u32::MAX, ..def }), Subject::ChunkCosts);
    assert_eq!(refusal(HierarchyDef { crossings: u32::MAX, ..def }), Subject::Crossings);
    assert_eq!(refusal(def), Subject::Memory);
    assert_eq!(refusal(HierarchyDef::of_size(1 << 14, 1 << 14)), Subject::Memory);
    let search = HpaSearchDef::over(&def);
    let refusal = |def: HpaSearchDef| HpaSearch::new(&def, &mut Arena::new(&mut [])).unwrap_err().subject();
    assert_eq!(refusal(HpaSearchDef { width: 0, ..search }), Subject::GridWidth);
    assert_eq!(refusal(HpaSearchDef { width: 1 << 15, height: 1 << 14, ..search }), Subject::Cell);
    assert_eq!(refusal(HpaSearchDef { path: 0, ..search }), Subject::PathLength);
    assert_eq!(refusal(HpaSearchDef { chunk: 0, ..search }), Subject::ChunkSide);
    assert_eq!(refusal(HpaSearchDef { nodes: u32::MAX, ..search }), Subject::AbstractNodes);
    assert_eq!(refusal(HpaSearchDef { expansions: u32::MAX, ..search }), Subject::Expansions);
    for grains in 0..def.plan().grains().max(search.plan().grains()) {
        let mut memory = std::vec![Grain::ZERO; grains];
        assert_eq!(Hierarchy::new(&def, &mut Arena::new(&mut memory)).is_ok(), grains >= def.plan().grains());
        assert_eq!(HpaSearch::new(&search, &mut Arena::new(&mut memory)).is_ok(), grains >= search.plan().grains());
    }
}

#[test]
fn limits_of_the_graph_are_named_and_leave_no_graph_until_there_is_room() {
    with_grid(&GridDef { journal: 4, ..GridDef::of_size(16, 16) }, |grid| {
        let needed = with_hierarchy(&HierarchyDef::of_chunks(16, 16, 4, 6), |hierarchy| {
            hierarchy.refresh(grid, Movement::DEFAULT).unwrap();
            hierarchy.high_water()
        });
        let HierarchyUse { nodes, costs, crossings } = needed;
        let exact = HierarchyDef { nodes, costs, crossings, ..HierarchyDef::of_chunks(16, 16, 4, 6) };
        for (def, subject) in [
            (HierarchyDef { nodes: nodes - 1, ..exact }, Subject::AbstractNodes),
            (HierarchyDef { costs: costs - 1, ..exact }, Subject::ChunkCosts),
            (HierarchyDef { crossings: crossings - 1, ..exact }, Subject::Crossings),
        ] {
            with_hierarchy(&def, |hierarchy| {
                let refusal = hierarchy.refresh(grid, Movement::DEFAULT).unwrap_err();
                assert_eq!((refusal.kind(), refusal.subject()), (ErrorKind::Capacity, subject));
                assert!(!hierarchy.is_current(grid));
            });
        }
        with_hierarchy(&exact, |hierarchy| {
            assert_eq!(hierarchy.refresh(grid, Movement::DEFAULT), Ok(16));
            // More openings than there is room for, then fewer.
            for y in [1, 5, 9, 13] {
                grid.set_area(Cell::new(3, y), WALL).unwrap();
            }
            assert!(hierarchy.refresh(grid, Movement::DEFAULT).is_err());
            grid.set_rect(CellRect::new(0, 0, 16, 16), 0).unwrap();
            assert_eq!(hierarchy.refresh(grid, Movement::DEFAULT), Ok(16));
            assert_eq!(hierarchy.high_water().nodes, nodes);
            let sides = GridDef::of_size(17, 4);
            with_grid(&sides, |wide| {
                let refusal = hierarchy.refresh(wide, Movement::DEFAULT).unwrap_err();
                assert_eq!(refusal.subject(), Subject::GridWidth);
            });
            let all = Movement { diagonals: DiagonalRule::AllowAll, ..Movement::DEFAULT };
            assert_eq!(hierarchy.refresh(grid, all).unwrap_err().kind(), ErrorKind::Unsupported);
            assert!(hierarchy.refresh(grid, Movement { agent_size: 0, ..all }).is_err());
            assert!(hierarchy.is_current(grid), "a refusal leaves the graph");
            // With four neighbours there are no corners to cut.
            let four = Movement { connectivity: Connectivity::Four, ..all };
            assert_eq!(hierarchy.refresh(grid, four), Ok(16));
        });
    });
}

/// No map has more nodes than a def made for its size has room for.
#[test]
fn a_def_of_a_size_has_room_for_the_worst_map_of_that_size() {
    let mut random = SplitMix64::new(9);
    for round in 0..rounds(200, 5000) {
        let (chunk, threshold) = (2 + random.below(7) as u32, 1 + random.below(5) as u32);
        let (width, height) = (1 + random.below(30) as i32, 1 + random.below(30) as i32);
        let pattern = random.next_u64();
        with_grid(&GridDef::of_size(width as u32, height as u32), |grid| {
            let cells: Vec<u8> = CellRect::new(0, 0, width, height)
                .cells()
                .map(|cell| {
                    let wall = match round % 4 {
                        0 => (cell.x + cell.y) % 2 == 1,
                        1 => cell.x % 3 == 2 || cell.y % 3 == 2,
                        2 => cell.x % 2 == 1 && cell.y % 2 == 1,
                        _ => pattern >> ((cell.x % 8) + 8 * (cell.y % 8)) & 1 == 1,
                    };
                    if wall { 255 } else { 0 }
                })
                .collect();
            grid.set_rect_areas(CellRect::new(0, 0, width, height), &cells).unwrap();
            with_hierarchy(&HierarchyDef::of_chunks(width as u32, height as u32, chunk, threshold), |hierarchy| {
                hierarchy.refresh(grid, Movement::DEFAULT).unwrap();
            });
        });
    }
}

/// The grid search runs it, falls back to A* where it must, and says so.
#[test]
fn the_grid_search_finds_what_the_search_itself_finds() {
    let mut random = SplitMix64::new(10);
    let def = GridSearchDef {
        hierarchy: Some(HierarchyDef::of_chunks(14, 14, 4, 6)),
        expansions: 200,
        ..GridSearchDef::of_cells(196)
    };
    let mut memory = region(def.plan().bytes);
    let mut arena = Arena::new(&mut memory);
    let mut handle = GridSearch::new(&def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0);
    for round in 0..rounds(60, 2000) {
        let (kind, plain) = (Kind::random(&mut random), random_plain(&mut random, round % 2 == 0));
        let kind = Kind { chunk: 4, threshold: 6, ..kind };
        with_grid(&def_of(&plain), |grid| {
            load(&plain, grid);
            let own = kind.def(plain.width as u32, plain.height as u32);
            let [start, goal] = [0; 2].map(|_| random_cell(&mut random, &plain, kind.moves.size));
            let (movement, hpa_smoothing) = (kind.movement(), round % 3 > 0);
            let options =
                GridOptions { algorithm: GridAlgorithm::Hpa, movement, hpa_smoothing, ..GridOptions::DEFAULT };
            let found = handle.find_path(grid, start, goal, &options).unwrap();
            let cells = handle.path().cells().to_vec();
            let expanded: Vec<u32> = handle.path().expanded_cells().map(|cell| grid.index_of(cell).unwrap()).collect();
            assert_eq!(found.algorithm, GridAlgorithm::Hpa);
            with_hierarchy(&own, |hierarchy| {
                hierarchy.refresh(grid, movement).unwrap();
                with_search(&HpaSearchDef { expansions: 200, ..HpaSearchDef::over(&own) }, |search| {
                    let want = search.find_path(grid, hierarchy, start, goal, hpa_smoothing).unwrap();
                    assert_eq!((found.status, found.cost), (want.status, want.cost));
                    assert!(cells.iter().map(|&cell| grid.index_of(cell).unwrap()).eq(search.path().iter().copied()));
                    if found.has_path() {
                        assert_eq!((found.expanded, found.iterations), (want.expanded, want.iterations));
                        assert_eq!(expanded, search.expansions());
                    }
                });
            });
            if handle.begin(grid, start, goal, &options) == Ok(PathStatus::InProgress) {
                while handle.step(grid, 2).unwrap() == PathStatus::InProgress {}
                assert_eq!((handle.outcome(), handle.path().cells()), (found, &cells[..]));
                let mut copied = std::vec![Cell::default(); found.length as usize];
                handle.copy_path(grid, &mut copied).unwrap();
                assert_eq!(copied, cells);
                let other = GridOptions { hpa_chunk: 5, ..options };
                let refused = handle.find_path(grid, start, goal, &other).unwrap_err();
                assert_eq!(refused.subject(), Subject::ChunkSide);
                assert_eq!((refused.refused(), refused.limit_value()), (Some(5.0), Some(4.0)));
            }
            let same = handle.find_path(grid, start, goal, &GridOptions { hpa_chunk: 4, ..options }).unwrap();
            assert_eq!(same, found);
            let all = Movement { diagonals: DiagonalRule::AllowAll, connectivity: Connectivity::Eight, ..movement };
            let fallback = handle.find_path(grid, start, goal, &GridOptions { movement: all, ..options }).unwrap();
            assert_eq!(fallback.algorithm, GridAlgorithm::AStar);
            let blocked = Blocked(|cell: Cell| cell.x == 200);
            let fallback = handle.find_path_with(grid, start, goal, &options, &blocked).unwrap();
            assert_eq!(fallback.algorithm, GridAlgorithm::AStar);
        });
    }
    let none = GridSearchDef::of_cells(9);
    let mut memory = region(none.plan().bytes);
    let mut handle = GridSearch::new(&none, &mut Arena::new(&mut memory)).unwrap();
    with_grid(&GridDef::of_size(3, 3), |grid| {
        let options = GridOptions { algorithm: GridAlgorithm::Hpa, ..GridOptions::DEFAULT };
        assert_eq!(handle.find_path(grid, (0, 0), (1, 1), &options).unwrap_err().subject(), Subject::Engine);
    });
}
