//! Saved states (`OPGS`) of any bytes: refused with everything as it was, or accepted and gone on with in bounded calls.
//!
//! The first byte says which object reads the rest, and whether a good header is put over its beginning.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::grid::replan::{GridReplanner, GridReplannerDef};
use navarena::grid::theta::{ThetaOptions, ThetaSearch, ThetaVariant};
use navarena::grid::{Cell, Grid, GridSearch};
use navarena::memory::Arena;
use navarena::search::{AStarDef, PathStatus};
use navarena_fuzz::region;
use navarena_tests::grid_states::{self, SIDE};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let mut bytes = rest.to_vec();
    let (reader, has_head) = ((choice >> 1) as usize, choice & 1 == 0);
    grid_states::with_grid(|grid| {
        let searches = grid_states::searches();
        match reader.checked_sub(searches.len()) {
            None => {
                head(&mut bytes, has_head, 12);
                search(grid, &searches[reader], &bytes);
            }
            Some(0) => {
                head(&mut bytes, has_head, 1);
                whole_grid(grid, &bytes);
            }
            Some(1) => {
                head(&mut bytes, has_head, 5);
                replanner(grid, &bytes);
            }
            Some(2) => {
                head(&mut bytes, has_head, 7);
                field(grid, &bytes);
            }
            Some(_) => {
                head(&mut bytes, has_head, 10);
                theta(grid, &bytes);
            }
        }
    });
});

fn head(bytes: &mut [u8], is_wanted: bool, kind: u8) {
    if is_wanted {
        let known = b"OPGS\x01\x00".iter().copied().chain([kind, 0]);
        bytes.iter_mut().zip(known).for_each(|(byte, known)| *byte = known);
    }
}

fn search(grid: &mut Grid<'_>, saved: &grid_states::Saved, bytes: &[u8]) {
    let mut memory = region(saved.def.plan());
    let mut search = GridSearch::new(&saved.def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    saved.begin(grid, &mut search);
    let before = search.state_hash(grid).expect("a search that has begun");
    if search.restore_state(grid, &saved.options, bytes).is_err() {
        assert_eq!(search.state_hash(grid), Ok(before), "what is refused changes nothing");
        return;
    }
    let again = grid_states::saved(grid, &search);
    search.restore_state(grid, &saved.options, &again).expect("what was saved is restored");
    assert_eq!(grid_states::saved(grid, &search), again);
    let mut left = 10 * SIDE * SIDE;
    while left > 0 && search.step(grid, 1) == Ok(PathStatus::InProgress) {
        left -= 1;
    }
    assert!(search.path().cells().len() <= (SIDE * SIDE) as usize);
}

fn whole_grid(grid: &mut Grid<'_>, bytes: &[u8]) {
    let before = grid.state_hash();
    if grid.restore_state(bytes).is_err() {
        assert_eq!(grid.state_hash(), before, "what is refused changes nothing");
        return;
    }
    let mut again = vec![0; grid.state_size()];
    grid.save_state(&mut again).expect("the size that was asked for");
    assert_eq!(again, bytes);
    grid.set_area(Cell::new(1, 1), 255).expect("a cell of the grid");
}

fn replanner(grid: &mut Grid<'_>, bytes: &[u8]) {
    let def = GridReplannerDef::d_star_lite(SIDE * SIDE);
    let mut memory = region(def.plan());
    let mut planner = GridReplanner::new(&def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    if planner.restore_state(grid, bytes).is_ok() {
        for _ in 0..50 {
            let _ = planner.replan(grid, 20);
        }
        grid.set_area(Cell::new(2, 2), 255).expect("a cell of the grid");
        let _ = planner.replan(grid, 1000);
    }
}

fn field(grid: &mut Grid<'_>, bytes: &[u8]) {
    let def = GridFlowDef { goals: 1, ..GridFlowDef::of_cells(SIDE * SIDE) };
    let mut memory = region(def.plan());
    let mut field = GridFlowField::new(&def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    field.begin(grid, &[grid_states::GOAL.into()], &FlowOptions::DEFAULT).expect("a goal of the grid");
    if field.restore_state(grid, bytes).is_ok() {
        let _ = field.finish(grid);
    }
    let _ = field.refresh(grid).and_then(|_| field.finish(grid));
    assert!(field.follow(grid_states::START.into()).count() <= (SIDE * SIDE) as usize);
}

fn theta(grid: &mut Grid<'_>, bytes: &[u8]) {
    let def = AStarDef::of_nodes(SIDE * SIDE);
    let mut memory = region(def.plan());
    let mut search = ThetaSearch::new(&def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    if search.restore_state(grid, ThetaOptions::of(ThetaVariant::LazyRequeue), bytes).is_ok() {
        let _ = search.step(grid, 10_000);
        assert!(search.path_back().count() <= (SIDE * SIDE) as usize);
    }
}
