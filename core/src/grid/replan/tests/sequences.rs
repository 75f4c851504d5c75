use super::*;
use crate::grid::tests::{rounds, with_grid};
use crate::search::PathStatus;

const BUDGETS: [u64; 4] = [1, 2, 7, 50];

fn assert_near(got: f64, want: f64) {
    assert!(got == want || (got - want).abs() <= 1e-9 * want, "{got} is not {want}");
}

fn replan_in_slices(grid: &Grid<'_>, planner: &mut GridReplanner<'_>, budget: u64) -> GridOutcome {
    let mut spent = 0;
    loop {
        let outcome = planner.replan(grid, budget).unwrap();
        if outcome.status != PathStatus::BudgetExhausted {
            return outcome;
        }
        assert!(planner.path().cells().is_empty() && outcome.cost == f64::INFINITY);
        spent += budget;
        assert_eq!(outcome.iterations, spent);
    }
}

/// One story: after every change three replanners must be right, one in one call, one in slices, and one whose grid
/// remembers no edit, or too few.
fn follow(seed: u64, mode: ReplanMode, moves: Moves, changes: usize) {
    let mut story = Story::new(seed, moves);
    let def = def_of(mode, moves);
    let forgetful = GridReplannerDef { pending: 1 + seed as u32 % 20, path: 3, expansions: 0, ..def };
    let (remembers, forgets) = (story.grid_def(8), story.grid_def(seed as u32 % 2));
    with_grid(&remembers, |grid| {
        with_grid(&forgets, |other_grid| {
            with_replanner(&def, |whole| {
                with_replanner(&def, |sliced| {
                    with_replanner(&forgetful, |other| {
                        story.load(grid);
                        story.load(other_grid);
                        let (start, goal) = (story.start, story.goal);
                        whole.begin(grid, start, goal).unwrap();
                        sliced.begin(grid, start, goal).unwrap();
                        other.begin(other_grid, start, goal).unwrap();
                        for round in 0..changes {
                            check(&story, grid, whole);
                            replan_in_slices(grid, sliced, BUDGETS[round % 4]);
                            assert_eq!(all_of(sliced), all_of(whole), "slices");
                            let outcome = other.replan(other_grid, u64::MAX).unwrap();
                            assert_eq!(outcome.status, whole.outcome().status);
                            assert_near(outcome.cost, whole.outcome().cost);
                            let change = story.next(whole.path().cells());
                            story.make(&change);
                            make(&change, grid, whole);
                            if !matches!(change, Change::Cells(..) | Change::Cost(..)) {
                                make(&change, grid, sliced);
                            }
                            make(&change, other_grid, other);
                        }
                    });
                });
            });
        });
    });
}

fn check(story: &Story, grid: &Grid<'_>, planner: &mut GridReplanner<'_>) {
    let outcome = planner.replan(grid, u64::MAX).unwrap();
    let costs = story.plain.dijkstra(story.moves, (story.start.x, story.start.y));
    let want = costs[grid.index_of(story.goal).unwrap() as usize];
    let expected = match () {
        _ if !story.stands(story.start) => PathStatus::StartInvalid,
        _ if !story.stands(story.goal) => PathStatus::GoalInvalid,
        _ if want == f64::INFINITY => PathStatus::NoPath,
        _ => PathStatus::Found,
    };
    assert_eq!(outcome.status, expected);
    let cells = planner.path().cells();
    assert_eq!(cells.len(), outcome.length as usize);
    if matches!(expected, PathStatus::Found | PathStatus::NoPath) {
        assert_costs_hold(grid, planner, movement_of(story.moves));
    }
    if expected != PathStatus::Found {
        assert!(cells.is_empty() && outcome.cost == f64::INFINITY);
        return;
    }
    assert_near(outcome.cost, want);
    assert_eq!(story.checked_sum(cells).to_bits(), outcome.cost.to_bits(), "the exact sum from the start");
    assert_eq!((cells[0], cells[cells.len() - 1]), (story.start, story.goal));
    let mut copy = std::vec![Cell::default(); cells.len() + 1];
    assert_eq!(planner.copy_path(&mut copy), Ok(cells.len()));
    assert_eq!(&copy[..cells.len()], cells);
}

/// The page follows 10800 sequences; twelve variants of movement and two modes share them.
fn follow_many(mode: ReplanMode, eight: bool, rule: usize) {
    for size in 1..4 {
        for seed in 0..rounds(6, 450) as u64 {
            follow(seed * 31 + size as u64 * 7 + rule as u64, mode, Moves { size, eight, rule }, 8);
        }
    }
}

#[test]
fn d_star_lite_keeps_the_cost_that_dijkstra_finds_without_corner_cutting() {
    follow_many(ReplanMode::DStarLite, true, 0);
}

#[test]
fn d_star_lite_keeps_the_cost_that_dijkstra_finds_without_squeezing() {
    follow_many(ReplanMode::DStarLite, true, 1);
}

#[test]
fn d_star_lite_keeps_the_cost_that_dijkstra_finds_with_all_diagonals() {
    follow_many(ReplanMode::DStarLite, true, 2);
}

#[test]
fn d_star_lite_keeps_the_cost_that_dijkstra_finds_with_four_neighbours() {
    follow_many(ReplanMode::DStarLite, false, 0);
}

#[test]
fn lpa_star_keeps_the_cost_that_dijkstra_finds_without_corner_cutting() {
    follow_many(ReplanMode::LpaStar, true, 0);
}

#[test]
fn lpa_star_keeps_the_cost_that_dijkstra_finds_without_squeezing() {
    follow_many(ReplanMode::LpaStar, true, 1);
}

#[test]
fn lpa_star_keeps_the_cost_that_dijkstra_finds_with_all_diagonals() {
    follow_many(ReplanMode::LpaStar, true, 2);
}

#[test]
fn lpa_star_keeps_the_cost_that_dijkstra_finds_with_four_neighbours() {
    follow_many(ReplanMode::LpaStar, false, 0);
}

/// Four neighbours, so that a blocked cell is what a wall is; prices differ by direction.
#[test]
fn hooks_that_announce_their_changes_cost_what_a_new_plan_says() {
    let moves = Moves { size: 1, eight: false, rule: 0 };
    for seed in 0..rounds(12, 600) as u64 {
        for mode in [ReplanMode::LpaStar, ReplanMode::DStarLite] {
            let mut story = Story::new(seed, moves);
            let mut blocked = std::vec![false; story.plain.cells.len()];
            let width = story.plain.width;
            with_grid(&story.grid_def(8), |grid| {
                story.load(grid);
                with_replanner(&def_of(mode, moves), |planner| {
                    with_replanner(&def_of(mode, moves), |fresh| {
                        planner.begin(grid, story.start, story.goal).unwrap();
                        for _ in 0..8 {
                            let is_blocked = |cell: Cell| blocked[(cell.y * width + cell.x) as usize];
                            let price = |from: Cell, to: Cell, cost: f64| cost + f64::from(i32::from(to.x > from.x));
                            let hooks = (Blocked(is_blocked), StepCosts(price));
                            let outcome = planner.replan_with(grid, &hooks, u64::MAX).unwrap();
                            fresh.begin(grid, story.start, story.goal).unwrap();
                            let new = fresh.replan_with(grid, &hooks, u64::MAX).unwrap();
                            assert_eq!(outcome.status, new.status);
                            assert_near(outcome.cost, new.cost);
                            let cell = story.cell();
                            let node = (cell.y * width + cell.x) as usize;
                            blocked[node] = !blocked[node];
                            planner.invalidate(grid, cell).unwrap();
                        }
                    });
                });
            });
        }
    }
}

#[test]
fn a_change_of_little_costs_few_iterations_and_a_walk_along_the_path_none_but_the_first() {
    with_grid(&GridDef::of_size(64, 64), |grid| {
        grid.set_rect(CellRect::new(32, 0, 1, 62), WALL).unwrap();
        with_replanner(&GridReplannerDef::d_star_lite(64 * 64), |planner| {
            planner.begin(grid, (2, 2), (60, 4)).unwrap();
            let first = planner.replan(grid, u64::MAX).unwrap();
            assert_eq!(std::format!("{:.4}", first.cost), "143.1960");
            let path = planner.path().cells().to_vec();
            planner.move_start(grid, path[5]).unwrap();
            let walked = planner.replan(grid, u64::MAX).unwrap();
            assert_eq!((walked.length, walked.expanded), (first.length - 5, 0));
            grid.set_area(path[8], WALL).unwrap();
            let repaired = planner.replan(grid, u64::MAX).unwrap();
            assert!(repaired.iterations * 10 < first.iterations, "{} of {}", repaired.iterations, first.iterations);
        });
    });
}
