use super::*;
use crate::error::{ErrorKind, Subject};
use crate::grid::tests::{rounds, with_grid};
use crate::search::PathStatus;

fn saved(grid: &Grid<'_>, planner: &mut GridReplanner<'_>) -> Vec<u8> {
    let mut bytes = std::vec![0; planner.state_size(grid).unwrap()];
    assert_eq!(planner.save_state(grid, &mut bytes), Ok(bytes.len()));
    assert_eq!(planner.state_hash(grid), Ok(crate::hash::fnv1a(&bytes)));
    bytes
}

/// What lasts of an outcome: iterations are not saved by replan, only those in all.
fn lasting(planner: &GridReplanner<'_>) -> (GridOutcome, Vec<Cell>, [u64; 2]) {
    let (outcome, cells, _) = all_of(planner);
    let counts = [planner.search().iterations(), planner.search().expanded()];
    (GridOutcome { iterations: 0, ..outcome }, cells, counts)
}

/// Slice by slice, change by change: whoever is restored goes on as who never left, to the same bytes.
fn follow(seed: u64, mode: ReplanMode, moves: Moves) {
    let mut story = Story::new(seed, moves);
    let def = def_of(mode, moves);
    with_grid(&story.grid_def(8), |grid| {
        story.load(grid);
        with_replanner(&def, |planner| {
            with_replanner(&def, |restored| {
                planner.begin(grid, story.start, story.goal).unwrap();
                for round in 0..25 {
                    let bytes = saved(grid, planner);
                    assert_eq!(restored.restore_state(grid, &bytes), Ok(()));
                    assert_eq!(saved(grid, restored), bytes);
                    let budget = [1, 2, 7, 50][round % 4];
                    planner.replan(grid, budget).unwrap();
                    restored.replan(grid, budget).unwrap();
                    assert_eq!(lasting(restored), lasting(planner));
                    assert_eq!(saved(grid, restored), saved(grid, planner));
                    if story.random.below(3) == 0 {
                        let change = story.next(planner.path().cells());
                        story.make(&change);
                        make(&change, grid, planner);
                    }
                }
            });
        });
    });
}

#[test]
fn who_is_restored_goes_on_to_the_same_bits() {
    for seed in 0..rounds(20, 1000) as u64 {
        let moves = Moves { size: 1 + (seed % 3) as i32, eight: seed % 4 != 0, rule: (seed % 3) as usize };
        follow(seed + 500, ReplanMode::LpaStar, moves);
        follow(seed + 500, ReplanMode::DStarLite, moves);
    }
}

/// A replanner in the midst of its work, with edits pending.
fn with_state(work: impl FnOnce(&mut Grid<'_>, &mut GridReplanner<'_>, Vec<u8>)) {
    with_grid(&GridDef::of_size(9, 7), |grid| {
        grid.set_rect(CellRect::new(4, 0, 1, 5), WALL).unwrap();
        with_replanner(&GridReplannerDef::d_star_lite(63), |planner| {
            planner.begin(grid, (0, 0), (8, 0)).unwrap();
            planner.replan(grid, u64::MAX).unwrap();
            planner.move_start(grid, (1, 1)).unwrap();
            grid.set_area(Cell::new(4, 5), WALL).unwrap();
            planner.replan(grid, 4).unwrap();
            grid.set_area(Cell::new(2, 2), WALL).unwrap();
            planner.invalidate(grid, (6, 6)).unwrap();
            let bytes = saved(grid, planner);
            work(grid, planner, bytes);
        });
    });
}

#[test]
fn the_bytes_stand_where_the_page_has_them() {
    with_state(|grid, planner, bytes| {
        let word = |at: usize| i32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        assert_eq!(bytes[..8], [0x4F, 0x50, 0x47, 0x53, 1, 0, 5, 0]);
        assert_eq!((word(8), word(12), bytes[16], word(17)), (9, 7, 7, 0));
        assert_eq!((word(21), word(25), word(29), bytes[33]), (10, 8, 63, 1));
        assert_eq!((word(34), word(38), bytes[42], bytes[43]), (10, 8, 1, 0));
        let long = |at: usize| i64::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        assert_eq!((long(44), long(52)), (planner.search().iterations() as i64, planner.search().expanded() as i64));
        assert_eq!(word(60), planner.search().last_expanded() as i32);
        assert_eq!((f64::from_bits(long(64) as u64), bytes[72], word(73)), (SQRT_2, 0, 9 + 1));
        let ring: Vec<i32> = (1..4).flat_map(|y| (1..4).map(move |x| y * 9 + x)).collect();
        assert!((0..9).map(|n| word(77 + 4 * n)).eq(ring));
        assert_eq!(word(77 + 36), !(6 * 9 + 6));
        let planned = word(117) as usize;
        let queue = 121 + planned * 20;
        assert_eq!(bytes.len(), queue + 4 + word(queue) as usize * 20);
        grid.set_rect(CellRect::new(0, 0, 4, 7), 3).unwrap();
        let overflown = saved(grid, planner);
        assert_eq!((overflown[72], overflown[73..77].iter().max()), (1, Some(&0)));
        planner.set_goal(grid, (7, 0)).unwrap();
        assert_eq!(saved(grid, planner).len(), 64, "a plan that begins anew stores nothing more");
    });
}

#[test]
fn hostile_bytes_are_refused_and_change_nothing_or_lead_to_a_bounded_call() {
    with_state(|grid, planner, bytes| {
        with_replanner(&GridReplannerDef::d_star_lite(63), |other| {
            let mut random = SplitMix64::new(3);
            for cut in 0..bytes.len() {
                assert!(planner.restore_state(grid, &bytes[..cut]).is_err());
            }
            let longer = [&bytes[..], &[0]].concat();
            assert_eq!(planner.restore_state(grid, &longer).unwrap_err().subject(), Subject::Bytes);
            for _ in 0..rounds(3000, 300_000) {
                let mut hostile = bytes.clone();
                for _ in 0..1 + random.below(3) {
                    let at = random.below(bytes.len() as u64) as usize;
                    hostile[at] = [0, 1, 255, 127, random.below(256) as u8][random.below(5) as usize];
                }
                match planner.restore_state(grid, &hostile) {
                    Err(_) => {}
                    Ok(()) => {
                        // What passes is saved as it was read, and its costs, believed, end in some answer.
                        assert_eq!(saved(grid, planner), hostile);
                        let _ = planner.replan(grid, 5000);
                        let _ = planner.move_start(grid, (2, 6));
                        let _ = planner.replan(grid, 5000);
                        planner.restore_state(grid, &bytes).unwrap();
                    }
                }
            }
            assert_eq!(saved(grid, planner), bytes, "refusals change nothing");
            other.restore_state(grid, &bytes).unwrap();
            assert_eq!(other.replan(grid, u64::MAX), planner.replan(grid, u64::MAX));
        });
    });
}

#[test]
fn a_state_of_something_else_is_refused_by_name() {
    with_state(|grid, planner, bytes| {
        let subject =
            |planner: &mut GridReplanner<'_>, bytes: &[u8]| planner.restore_state(grid, bytes).unwrap_err().subject();
        let changed = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            bytes
        };
        assert_eq!(subject(planner, &changed(6, 6)), Subject::StateKind);
        assert_eq!(subject(planner, &changed(8, 8)), Subject::GridWidth);
        assert_eq!(subject(planner, &changed(12, 9)), Subject::GridHeight);
        assert_eq!(subject(planner, &changed(33, 0)), Subject::Engine);
        assert_eq!(subject(planner, &changed(29, 62)), Subject::Nodes);
        assert_eq!(subject(planner, &changed(71, 0xFF)), Subject::State);
        assert_eq!(subject(planner, &changed(77, 63)), Subject::Pending);
        assert_eq!(subject(planner, &changed(121, 62)), Subject::StateNode);
        // The first entry waiting is listed twice.
        let queue = bytes.len() - 40;
        let mut twice = bytes.clone();
        twice.copy_within(queue..queue + 20, queue + 20);
        assert_eq!(subject(planner, &twice), Subject::StateQueue);
        with_replanner(&GridReplannerDef::lpa_star(63), |lpa| assert_eq!(subject(lpa, &bytes), Subject::Engine));
        let small = GridReplannerDef { pending: 9, ..GridReplannerDef::d_star_lite(63) };
        with_replanner(&small, |small| {
            let error = small.restore_state(grid, &bytes).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Pending));
        });
        with_replanner(&GridReplannerDef::d_star_lite(62), |small| assert_eq!(subject(small, &bytes), Subject::Nodes));
        assert_eq!(planner.save_state(grid, &mut [0; 99]).unwrap_err().kind(), ErrorKind::Capacity);
        assert_eq!(planner.replan(grid, u64::MAX).unwrap().status, PathStatus::Found);
    });
}
