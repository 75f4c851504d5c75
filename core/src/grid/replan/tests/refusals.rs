use super::*;
use crate::error::{ErrorKind, Subject};
use crate::grid::tests::with_grid;
use crate::search::PathStatus;

crate::memory::assert_portable!(GridReplanner);
crate::memory::assert_portable!(ReplanSearch);

#[test]
fn what_is_wrong_with_a_def_is_named() {
    let refusal = |def: GridReplannerDef| {
        let mut region = std::vec![Grain::ZERO; 16];
        GridReplanner::new(&def, &mut Arena::new(&mut region)).unwrap_err().subject()
    };
    let def = GridReplannerDef::d_star_lite(9);
    assert_eq!(refusal(GridReplannerDef { cells: 0, ..def }), Subject::Cell);
    assert_eq!(refusal(GridReplannerDef { pending: 0, ..def }), Subject::Pending);
    assert_eq!(refusal(GridReplannerDef { path: u32::MAX, ..def }), Subject::PathLength);
    assert_eq!(refusal(GridReplannerDef { expansions: u32::MAX, ..def }), Subject::Expansions);
    assert_eq!(refusal(GridReplannerDef { heuristic: HeuristicKind::Manhattan, ..def }), Subject::Heuristic);
    let movement = Movement { agent_size: 0, ..Movement::DEFAULT };
    assert_eq!(refusal(GridReplannerDef { movement, ..def }), Subject::AgentSize);
    assert_eq!(refusal(def), Subject::Memory);
    assert_eq!(refusal(GridReplannerDef::lpa_star(u32::MAX)), Subject::Cell);
}

#[test]
fn what_is_wrong_with_a_call_is_named_and_the_plan_stays() {
    with_grid(&GridDef::of_size(6, 6), |grid| {
        with_grid(&GridDef::of_size(5, 7), |other| {
            with_replanner(&GridReplannerDef { path: 4, ..GridReplannerDef::d_star_lite(36) }, |planner| {
                assert_eq!(planner.replan(grid, 1).unwrap_err().kind(), ErrorKind::State);
                assert_eq!(planner.move_start(grid, (0, 0)).unwrap_err().kind(), ErrorKind::State);
                assert_eq!((planner.start(), planner.goal()), (None, None));
                assert_eq!(planner.begin(grid, (0, 0), (5, 0)), Ok(PathStatus::InProgress));
                let whole = planner.replan(grid, u64::MAX).unwrap();
                assert_eq!((whole.status, whole.cost, whole.path_truncated), (PathStatus::Found, 5.0, true));
                assert_eq!(planner.path().cells(), [0, 1, 2, 3].map(|x| Cell::new(x, 0)));
                assert_eq!(planner.copy_path(&mut [Cell::default(); 5]).unwrap_err().subject(), Subject::PathLength);
                assert_eq!(planner.begin(grid, (6, 0), (5, 0)), Ok(PathStatus::StartInvalid));
                assert_eq!(planner.begin(grid, (0, 0), (0, -1)), Ok(PathStatus::GoalInvalid));
                assert_eq!(planner.move_start(grid, (i32::MIN, 0)).unwrap_err().kind(), ErrorKind::Outside);
                assert_eq!(planner.set_goal(grid, (0, 6)).unwrap_err().subject(), Subject::Cell);
                assert_eq!(planner.invalidate(grid, (9, 9)).unwrap_err().kind(), ErrorKind::Outside);
                assert_eq!(planner.replan(grid, 0).unwrap_err().subject(), Subject::Budget);
                assert_eq!(planner.replan(other, 1).unwrap_err().kind(), ErrorKind::State);
                let again = planner.replan(grid, u64::MAX).unwrap();
                assert_eq!((again.cost, again.iterations, again.expanded), (5.0, 0, 0));
                with_grid(&GridDef::of_size(37, 1), |large| {
                    let error = planner.begin(large, (0, 0), (1, 0)).unwrap_err();
                    assert_eq!((error.subject(), error.limit_value()), (Subject::Nodes, Some(36.0)));
                });
                assert_eq!(planner.replan(grid, 1).unwrap().cost, 5.0);
            });
        });
    });
}

#[test]
fn ends_that_become_walls_are_named_and_come_back() {
    with_grid(&GridDef::of_size(6, 6), |grid| {
        for def in [GridReplannerDef::d_star_lite(36), GridReplannerDef::lpa_star(36)] {
            with_replanner(&def, |planner| {
                let ends = [Cell::new(0, 0), Cell::new(5, 5)];
                planner.begin(grid, ends[0], ends[1]).unwrap();
                let cost = planner.replan(grid, u64::MAX).unwrap().cost;
                for (cell, status) in ends.into_iter().zip([PathStatus::StartInvalid, PathStatus::GoalInvalid]) {
                    grid.set_area(cell, WALL).unwrap();
                    let outcome = planner.replan(grid, u64::MAX).unwrap();
                    assert_eq!((outcome.status, outcome.iterations), (status, 0));
                    assert!(planner.path().cells().is_empty() && planner.copy_path(&mut []) == Ok(0));
                    grid.set_area(cell, 0).unwrap();
                    assert_eq!(planner.replan(grid, u64::MAX).unwrap().cost, cost);
                }
            });
        }
    });
}
