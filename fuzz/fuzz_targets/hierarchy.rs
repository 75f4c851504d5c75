//! Any edits between any questions: a hierarchy that follows its grid is one made anew, and its paths are legal, found
//! exactly when A* finds one, and never cheaper.
//!
//! Two bytes choose chunks, threshold and agent; of the rest every five are an edit and a refresh, or a question. The search is
//! asked in slices.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::grid::hpa::{Hierarchy, HierarchyDef, HpaSearch, HpaSearchDef};
use navarena::grid::{
    Cell, CellRect, Connectivity, DiagonalRule, Grid, GridDef, GridOptions, GridSearch, GridSearchDef, Movement, WALL,
    step_between,
};
use navarena::memory::Arena;
use navarena::search::PathStatus;
use navarena_fuzz::region;

const SIDE: u32 = 13;

/// The most edits and questions of one input.
const MOST: usize = 40;

fuzz_target!(|data: &[u8]| {
    let [first, second, rest @ ..] = data else { return };
    let def = HierarchyDef::of_chunks(SIDE, SIDE, 2 + u32::from(first & 7), 1 + u32::from(first >> 3 & 7));
    let movement = Movement {
        agent_size: 1 + (second & 1),
        connectivity: [Connectivity::Four, Connectivity::Eight][usize::from(second >> 1 & 1)],
        diagonals: [DiagonalRule::NoCornerCutting, DiagonalRule::NoSqueezing][usize::from(second >> 2 & 1)],
    };
    let map = GridDef { area_costs: 4, journal: 3, ..GridDef::of_size(SIDE, SIDE) };
    let mut memory = [region(map.plan()), region(def.plan())];
    let [grid_memory, hierarchy_memory] = &mut memory;
    let mut grid = Grid::new(&map, &mut Arena::new(grid_memory)).expect("the plan fits its own region");
    let mut hierarchy = Hierarchy::new(&def, &mut Arena::new(hierarchy_memory)).expect("the plan fits its own region");
    for &[what, a, b, c, d] in rest.as_chunks().0.iter().take(MOST) {
        if what & 1 == 0 {
            edit(&mut grid, what, [a, b, c, d]);
            // Several edits between two refreshes, and more of them than the journal holds.
            if what & 2 == 0 {
                follow(&grid, &mut hierarchy, &def, movement);
            }
        } else {
            follow(&grid, &mut hierarchy, &def, movement);
            ask(&grid, &hierarchy, &def, movement, what, [a, b, c, d]);
        }
    }
});

fn cell(x: u8, y: u8) -> Cell {
    // Now and then outside.
    Cell::new(i32::from(x % 15) - 1, i32::from(y % 15) - 1)
}

fn edit(grid: &mut Grid<'_>, what: u8, [x, y, width, height]: [u8; 4]) {
    let area = [0, WALL, WALL, 1, 2, 3][usize::from(what >> 2) % 6];
    if what >= 0xF0 {
        grid.set_area_cost(x & 3, 0.5 + f64::from(y & 7)).expect("an area that has a cost of its own");
    }
    let corner = cell(x, y);
    // A rectangle that reaches out of the grid is refused whole.
    let _ = grid.set_rect(CellRect::new(corner.x, corner.y, i32::from(width % 5), i32::from(height % 5)), area);
}

fn follow(grid: &Grid<'_>, hierarchy: &mut Hierarchy<'_>, def: &HierarchyDef, movement: Movement) {
    hierarchy.refresh(grid, movement).expect("room for any map of that size");
    let mut memory = region(def.plan());
    let mut fresh = Hierarchy::new(def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    fresh.refresh(grid, movement).expect("room for any map of that size");
    assert!(hierarchy.is_current(grid) && hierarchy.content_equals(&fresh));
    assert_eq!(hierarchy.content_hash(), fresh.content_hash());
}

fn ask(
    grid: &Grid<'_>,
    hierarchy: &Hierarchy<'_>,
    def: &HierarchyDef,
    movement: Movement,
    what: u8,
    [a, b, c, d]: [u8; 4],
) {
    let (start, goal) = (cell(a, b), cell(c, d));
    let search_def = HpaSearchDef::over(def);
    let mut memory = region(search_def.plan());
    let mut search = HpaSearch::new(&search_def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    let mut status = search.begin(grid, hierarchy, start, goal, what & 2 != 0).expect("a graph of the grid");
    let mut left = 100_000;
    while status == PathStatus::InProgress && left > 0 {
        status = search.step(grid, hierarchy, 1 + u64::from(what >> 2)).expect("room for any path");
        left -= 1;
    }
    let cheapest = cheapest(grid, movement, start, goal);
    let Some(cheapest) = cheapest else {
        assert!(!status.has_path() && status != PathStatus::InProgress);
        return;
    };
    assert!(status.has_path(), "there is a path");
    let cost = cost_along(grid, movement, search.path());
    assert!((cost - search.outcome().cost).abs() <= 1e-9 * cost, "the cost is that of the path");
    assert!(cost >= cheapest * (1.0 - 1e-9), "no path is cheaper than the cheapest");
    let ends = [search.path()[0], search.path()[search.path().len() - 1]];
    assert_eq!(ends.map(|node| grid.cell_of(node)), [start, goal]);
}

fn cheapest(grid: &Grid<'_>, movement: Movement, start: Cell, goal: Cell) -> Option<f64> {
    let def = GridSearchDef::of_cells(SIDE * SIDE);
    let mut memory = region(def.plan());
    let mut search = GridSearch::new(&def, &mut Arena::new(&mut memory)).expect("the plan fits its own region");
    let options = GridOptions { movement, ..GridOptions::DEFAULT };
    let found = search.find_path(grid, start, goal, &options).expect("room for all cells");
    found.has_path().then_some(found.cost)
}

fn cost_along(grid: &Grid<'_>, movement: Movement, path: &[u32]) -> f64 {
    let topology = grid.topology(movement).expect("an agent of a size");
    path.windows(2).fold(0.0, |sum, pair| {
        let step = step_between(grid.cell_of(pair[0]), grid.cell_of(pair[1])).expect("cells side by side");
        assert!(topology.steps_from(pair[0]) >> step & 1 != 0, "a step that is allowed");
        sum + topology.step_cost(step, pair[0], pair[1])
    })
}
