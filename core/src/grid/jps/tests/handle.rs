//! The searches as the grid search's engines.

use super::{load, random_cell, random_plain};
use crate::error::{ErrorKind, Subject};
use crate::grid::jps::JumpMapDef;
use crate::grid::tests::oracle::{Moves, Plain};
use crate::grid::tests::{rounds, with_grid, with_search};
use crate::grid::*;
use crate::math::SplitMix64;
use crate::search::PathStatus;

const MOVES: Moves = Moves { size: 1, eight: true, rule: 0 };
const BOTH: [GridAlgorithm; 2] = [GridAlgorithm::Jps, GridAlgorithm::JpsPlus];

fn def_of(plain: &Plain) -> GridDef {
    GridDef { clearance: false, area_costs: 3, journal: 2, ..GridDef::of_size(plain.width as u32, plain.height as u32) }
}

#[test]
fn the_grid_search_runs_both_on_edited_grids_and_slices_give_the_whole() {
    let mut random = SplitMix64::new(31);
    let def = GridSearchDef { expansions: 600, ..GridSearchDef::of_size(12, 12) };
    with_search(&def, |search| {
        for _ in 0..rounds(60, 2000) {
            let mut plain = random_plain(&mut random, 12, 30);
            with_grid(&def_of(&plain), |grid| {
                load(&plain, grid);
                grid.set_all_area_costs(2.5).unwrap();
                for _ in 0..4 {
                    let edited = random_cell(&mut random, &plain);
                    let area = if random.below(2) == 0 { WALL } else { 1 };
                    grid.set_area(edited, area).unwrap();
                    plain.cells[(edited.y * plain.width + edited.x) as usize] = area;
                    let (start, goal) = (random_cell(&mut random, &plain), random_cell(&mut random, &plain));
                    let costs = plain.dijkstra(MOVES, (start.x, start.y));
                    for (algorithm, specialized) in BOTH.into_iter().flat_map(|one| [(one, true), (one, false)]) {
                        let options = GridOptions { algorithm, specialized, ..GridOptions::DEFAULT };
                        let outcome = search.find_path(grid, start, goal, &options).unwrap();
                        assert_eq!(outcome.algorithm, algorithm);
                        let stands = |cell: Cell| plain.stands(cell.x, cell.y, 1);
                        let want = 2.5 * costs[grid.index_of(goal).unwrap() as usize];
                        match outcome.status {
                            PathStatus::StartInvalid => assert!(!stands(start)),
                            PathStatus::GoalInvalid => assert!(stands(start) && !stands(goal)),
                            PathStatus::NoPath => assert!(want == f64::INFINITY && outcome.cost == want),
                            status => {
                                assert_eq!(status, PathStatus::Found);
                                assert!((outcome.cost - want).abs() <= 1e-9 * want);
                                let steps = step_counts(search.path().cells()).expect("the cells are neighbours");
                                assert!((2.5 * steps.cost() - want).abs() <= 1e-9 * want);
                                assert_eq!(search.path().cells().len(), outcome.length as usize);
                            }
                        }
                        assert_eq!(search.path().expanded_cells().len() as u64, outcome.expanded);
                        let cells = search.path().cells().to_vec();
                        if search.begin(grid, start, goal, &options) == Ok(PathStatus::InProgress) {
                            while search.step(grid, 2).unwrap() == PathStatus::InProgress {}
                            assert_eq!((search.outcome(), search.path().cells()), (outcome, &cells[..]));
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn grids_of_the_same_size_and_age_are_told_apart() {
    with_search(&GridSearchDef::of_size(9, 3), |search| {
        with_grid(&GridDef::of_size(9, 3), |one| {
            with_grid(&GridDef::of_size(9, 3), |other| {
                one.set_rect(CellRect::new(4, 0, 1, 2), WALL).unwrap();
                other.set_rect(CellRect::new(4, 1, 1, 2), WALL).unwrap();
                assert_eq!(one.version(), other.version());
                for algorithm in BOTH {
                    let options = GridOptions { algorithm, ..GridOptions::DEFAULT };
                    for (grid, open_row) in [(&*one, 2), (&*other, 0), (&*one, 2)] {
                        search.find_path(grid, (0, 1), (8, 1), &options).unwrap();
                        assert!(search.path().cells().contains(&Cell::new(4, open_row)));
                    }
                }
            });
        });
    });
}

#[test]
fn an_algorithm_without_memory_is_refused_by_name_and_the_running_search_goes_on() {
    let jumps = Some(JumpMapDef { width: 6, height: 6, blocks: true, tables: false });
    with_search(&GridSearchDef { jumps, general: false, ..GridSearchDef::of_cells(36) }, |search| {
        with_grid(&GridDef::of_size(6, 6), |grid| {
            let ask = |algorithm| GridOptions { algorithm, ..GridOptions::DEFAULT };
            assert_eq!(search.begin(grid, (0, 0), (5, 5), &ask(GridAlgorithm::Jps)), Ok(PathStatus::InProgress));
            let generic = GridOptions { specialized: false, ..ask(GridAlgorithm::Jps) };
            for options in [ask(GridAlgorithm::JpsPlus), generic] {
                let error = search.begin(grid, (0, 0), (5, 5), &options).unwrap_err();
                assert_eq!((error.kind(), error.subject()), (ErrorKind::Unsupported, Subject::Engine));
            }
            assert_eq!(search.step(grid, u64::MAX), Ok(PathStatus::Found));
            assert_eq!(search.path().cells().len(), 6);
        });
        with_grid(&GridDef::of_size(9, 4), |grid| {
            let options = GridOptions { algorithm: GridAlgorithm::Jps, ..GridOptions::DEFAULT };
            let error = search.begin(grid, (0, 0), (5, 3), &options).unwrap_err();
            assert_eq!((error.subject(), error.limit_value()), (Subject::GridWidth, Some(6.0)));
        });
    });
}
