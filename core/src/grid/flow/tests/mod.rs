//! Flow fields against an oracle that knows only the page's definitions, and repairs against new fields.

mod state;

use super::*;
use crate::error::{ErrorKind, Subject};
use crate::grid::tests::oracle::{Moves, Plain};
use crate::grid::tests::{rounds, with_grid};
use crate::grid::*;
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use std::vec::Vec;

const RULES: [DiagonalRule; 3] = [DiagonalRule::NoCornerCutting, DiagonalRule::NoSqueezing, DiagonalRule::AllowAll];
const MOST: u32 = 144;

/// A random map of up to 12 by 12 cells, a third of it walls or less, of four areas.
fn random_plain(random: &mut SplitMix64) -> Plain {
    let (width, height) = (1 + random.below(12) as i32, 1 + random.below(12) as i32);
    let walls = random.below(34);
    let cells = (0..width * height).map(|_| if random.below(100) < walls { WALL } else { random.below(4) as u8 });
    let cells = cells.collect();
    let costs = (0..4).map(|_| 0.25 * (1 + random.below(16)) as f64).collect();
    Plain { width, height, cells, costs, rest: 1.0 }
}

fn random_moves(random: &mut SplitMix64) -> Moves {
    Moves { size: 1 + random.below(3) as i32, eight: random.below(3) > 0, rule: random.below(3) as usize }
}

fn movement(moves: Moves) -> Movement {
    let connectivity = if moves.eight { Connectivity::Eight } else { Connectivity::Four };
    Movement { agent_size: moves.size as u8, connectivity, diagonals: RULES[moves.rule] }
}

fn random_cell(random: &mut SplitMix64, plain: &Plain) -> Cell {
    Cell::new(random.below(plain.width as u64) as i32, random.below(plain.height as u64) as i32)
}

fn random_goals(random: &mut SplitMix64, plain: &Plain) -> Vec<Cell> {
    (0..1 + random.below(3)).map(|_| random_cell(random, plain)).collect()
}

fn random_rect(random: &mut SplitMix64, plain: &Plain) -> CellRect {
    let Cell { x, y } = random_cell(random, plain);
    let side = |left: i32, random: &mut SplitMix64| 1 + random.below(left.min(4) as u64) as i32;
    CellRect::new(x, y, side(plain.width - x, random), side(plain.height - y, random))
}

fn load(plain: &Plain, grid: &mut Grid<'_>) {
    grid.set_rect_areas(CellRect::new(0, 0, plain.width, plain.height), &plain.cells).unwrap();
    for (area, &cost) in plain.costs.iter().enumerate() {
        grid.set_area_cost(area as u8, cost).unwrap();
    }
}

fn def_of(plain: &Plain, journal: u32) -> GridDef {
    GridDef { area_costs: 4, journal, ..GridDef::of_size(plain.width as u32, plain.height as u32) }
}

/// Runs a test with a field in memory of just the planned size, full of rubbish.
fn with_field<R>(def: &GridFlowDef, work: impl FnOnce(&mut GridFlowField<'_>) -> R) -> R {
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    bytemuck::cast_slice_mut::<Grain, u8>(&mut region).fill(0xA7);
    let mut arena = Arena::new(&mut region);
    let mut field = GridFlowField::new(def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "a plan says what is taken");
    work(&mut field)
}

/// The bits of every cost, and every next cell.
fn all_of(field: &GridFlowField<'_>) -> Vec<(u64, Option<Cell>)> {
    field.region().cells().map(|cell| (field.cost_at(cell).to_bits(), field.next_of(cell))).collect()
}

/// A field made anew, as the given one is asked for now.
fn made_anew<H: GridHooks>(
    grid: &Grid<'_>,
    like: &GridFlowField<'_>,
    options: &FlowOptions,
    hooks: &H,
) -> Vec<(u64, Option<Cell>)> {
    with_field(&GridFlowDef::of_cells(MOST), |field| {
        field.build_with(grid, like.goals(), options, hooks).unwrap();
        all_of(field)
    })
}

/// Checks every cell of a complete field of the whole grid against the oracle, and follows it from everywhere.
fn check_against_oracle(plain: &Plain, moves: Moves, field: &GridFlowField<'_>) {
    let stands = |cell: &&Cell| plain.stands(cell.x, cell.y, moves.size);
    let fields: Vec<Vec<f64>> =
        field.goals().iter().filter(stands).map(|goal| plain.dijkstra(moves, (goal.x, goal.y))).collect();
    let want = |cell: Cell| {
        let at = (cell.y * plain.width + cell.x) as usize;
        fields.iter().map(|costs| costs[at]).fold(f64::INFINITY, f64::min)
    };
    for cell in field.region().cells() {
        let flow = field.flow_at(cell).unwrap();
        assert_eq!(flow.cost.to_bits(), want(cell).to_bits(), "{cell:?}");
        let is_goal = field.goals().iter().filter(stands).any(|&goal| goal == cell);
        assert_eq!(field.is_goal(cell), is_goal);
        if is_goal || flow.cost == f64::INFINITY {
            assert_eq!((flow.next, field.direction_at(cell)), (None, None));
            assert_eq!(field.follow(cell).count(), usize::from(is_goal));
            continue;
        }
        let attains = |&(dx, dy): &(i32, i32)| {
            let to = Cell::new(cell.x + dx, cell.y + dy);
            let step = plain.step(moves, (cell.x, cell.y), (to.x, to.y))?;
            (want(to) + step == flow.cost).then_some(to)
        };
        assert_eq!(flow.next, STEPS.iter().find_map(attains), "the first that attains the least");
        let way: Vec<Cell> = field.follow(cell).collect();
        let steps = way.windows(2).map(|pair| plain.step(moves, (pair[0].x, pair[0].y), (pair[1].x, pair[1].y)));
        let sum: f64 = steps.map(|step| step.expect("a legal step")).sum();
        assert!((sum - flow.cost).abs() <= 1e-9 * flow.cost, "{sum} is not {}", flow.cost);
        assert!(field.is_goal(way[way.len() - 1]) && way[0] == cell);
        let [x, y] = field.direction_at(cell).unwrap();
        assert!((x * x + y * y - 1.0).abs() < 1e-15);
        let towards = |a: f64, from: i32, to: i32| a.partial_cmp(&0.0) == to.partial_cmp(&from);
        assert!(towards(x, cell.x, way[1].x) && towards(y, cell.y, way[1].y));
    }
}

#[test]
fn costs_and_directions_are_those_of_the_definition_from_every_cell() {
    let mut random = SplitMix64::new(1);
    with_field(&GridFlowDef::of_cells(MOST), |field| {
        for _ in 0..rounds(120, 10_000) {
            let (plain, moves) = (random_plain(&mut random), random_moves(&mut random));
            with_grid(&def_of(&plain, 0), |grid| {
                load(&plain, grid);
                let goals = random_goals(&mut random, &plain);
                field.build(grid, &goals, &FlowOptions::of(movement(moves))).unwrap();
                assert_eq!((field.status(), field.goals()), (FlowStatus::Complete, &goals[..]));
                check_against_oracle(&plain, moves, field);
            });
        }
    });
}

#[test]
fn a_region_is_a_grid_of_its_own_and_goals_outside_it_are_left_out() {
    let mut random = SplitMix64::new(2);
    with_field(&GridFlowDef::of_cells(MOST), |field| {
        for _ in 0..rounds(80, 3000) {
            let (plain, moves) = (random_plain(&mut random), random_moves(&mut random));
            let region = random_rect(&mut random, &plain);
            let cut = |at: Cell| plain.area(at.x, at.y);
            let cells = region.cells().map(cut).collect();
            let part = Plain { width: region.width, height: region.height, cells, ..plain.clone() };
            let goals = random_goals(&mut random, &plain);
            let moved = |cell: Cell| Cell::new(cell.x - region.x, cell.y - region.y);
            let goals_within: Vec<Cell> =
                goals.iter().filter(|&&goal| region.contains(goal)).map(|&goal| moved(goal)).collect();
            let options = FlowOptions { movement: movement(moves), region: Some(region) };
            let got = with_grid(&def_of(&plain, 0), |grid| {
                load(&plain, grid);
                field.build(grid, &goals, &options).unwrap();
                assert_eq!(field.region(), region);
                all_of(field)
            });
            with_grid(&def_of(&part, 0), |grid| {
                load(&part, grid);
                field.build(grid, &goals_within, &FlowOptions::of(movement(moves))).unwrap();
                let got: Vec<_> = got.iter().map(|&(cost, next)| (cost, next.map(moved))).collect();
                assert_eq!(got, all_of(field));
            });
        }
    });
}

#[test]
fn slices_of_any_size_give_what_one_call_gives() {
    let mut random = SplitMix64::new(3);
    with_field(&GridFlowDef::of_cells(MOST), |field| {
        for _ in 0..rounds(40, 3000) {
            let (plain, moves) = (random_plain(&mut random), random_moves(&mut random));
            let goals = random_goals(&mut random, &plain);
            let options = FlowOptions::of(movement(moves));
            let (rect, area) = (random_rect(&mut random, &plain), if random.below(2) == 0 { WALL } else { 0 });
            let mut results = Vec::new();
            for budget in [u64::MAX, 1, 2, 7, 50] {
                with_grid(&def_of(&plain, 4), |grid| {
                    load(&plain, grid);
                    field.begin(grid, &goals, &options).unwrap();
                    let built = (sliced(grid, field, budget), all_of(field));
                    grid.set_rect(rect, area).unwrap();
                    field.refresh(grid).unwrap();
                    results.push((built, sliced(grid, field, budget), all_of(field)));
                });
            }
            assert!(results.iter().all(|result| *result == results[0]));
        }
    });
}

/// Does all the work in slices, checks on the way that the field can be followed, and gives how many cells were settled.
fn sliced(grid: &Grid<'_>, field: &mut GridFlowField<'_>, budget: u64) -> u64 {
    let mut spent = 0;
    while field.step(grid, budget).unwrap() == FlowStatus::Running {
        spent += budget;
        assert_eq!(field.settled(), spent);
        assert_eq!(field.flow_at(Cell::new(0, 0)).unwrap_err().kind(), ErrorKind::State);
        for cell in field.region().cells().filter(|&cell| field.cost_at(cell) < f64::INFINITY) {
            let last = field.follow(cell).last();
            assert!(last.is_some_and(|last| field.is_goal(last)), "amid the work a way leads to a goal");
        }
    }
    // A complete field stays as it is.
    let whole = all_of(field);
    assert_eq!((field.step(grid, budget), all_of(field)), (Ok(FlowStatus::Complete), whole));
    field.settled()
}

/// One random change of a grid or of the goals.
fn change<H: GridHooks>(
    random: &mut SplitMix64,
    plain: &Plain,
    grid: &mut Grid<'_>,
    field: &mut GridFlowField<'_>,
    hooks: &H,
) {
    match random.below(8) {
        0 => {
            let goals = random_goals(random, plain);
            field.set_goals_with(grid, &goals, hooks).unwrap();
        }
        1 if random.below(3) == 0 => {
            grid.set_area_cost(random.below(4) as u8, 0.3 * (1 + random.below(9)) as f64).unwrap();
        }
        1 | 2 => {
            let rect = random_rect(random, plain);
            grid.set_rect(rect, if random.below(2) == 0 { WALL } else { random.below(4) as u8 }).unwrap();
        }
        _ => {
            let area = if random.below(2) == 0 { WALL } else { random.below(4) as u8 };
            grid.set_area(random_cell(random, plain), area).unwrap();
        }
    }
}

/// Edits, other goals and other costs, one after the other or several at once, taken over when the field is complete or
/// amid the work: the field that comes out is the one made anew.
fn repair_often<H: GridHooks>(seed: u64, count: usize, journal: u32, hooks: &H) {
    let mut random = SplitMix64::new(seed);
    let mut repaired = 0u64;
    with_field(&GridFlowDef::of_cells(MOST), |field| {
        for _ in 0..count {
            let (plain, moves) = (random_plain(&mut random), random_moves(&mut random));
            let region = (random.below(4) == 0).then(|| random_rect(&mut random, &plain));
            let options = FlowOptions { movement: movement(moves), region };
            let goals = random_goals(&mut random, &plain);
            with_grid(&def_of(&plain, journal), |grid| {
                load(&plain, grid);
                field.build_with(grid, &goals, &options, hooks).unwrap();
                for _ in 0..12 {
                    (0..=random.below(3)).for_each(|_| change(&mut random, &plain, grid, field, hooks));
                    field.refresh_with(grid, hooks).unwrap();
                    repaired += u64::from(field.status() == FlowStatus::Running);
                    if random.below(3) == 0 {
                        // Amid the work comes the next change.
                        field.step_with(grid, hooks, 1 + random.below(20)).unwrap();
                        continue;
                    }
                    field.finish_with(grid, hooks).unwrap();
                    assert_eq!(all_of(field), made_anew(grid, field, &options, hooks));
                }
            });
        }
    });
    assert!(repaired > count as u64, "most changes were repaired");
}

#[test]
fn a_repaired_field_is_the_one_made_anew_bit_for_bit() {
    repair_often(4, rounds(40, 2000), 16, &NoHooks);
}

#[test]
fn a_journal_that_forgets_gives_the_same_field() {
    repair_often(5, rounds(15, 600), 0, &NoHooks);
    repair_often(6, rounds(15, 600), 1, &NoHooks);
}

#[test]
fn a_field_with_hooks_is_repaired_as_well_also_where_steps_cost_nothing() {
    let blocked = Blocked(|cell: Cell| (cell.x * 31 + cell.y * 17) % 9 == 4);
    repair_often(7, rounds(15, 600), 16, &blocked);
    let free =
        StepCosts(|from: Cell, to: Cell, cost: f64| if (from.x + to.x + from.y + to.y) % 3 == 0 { 0.0 } else { cost });
    repair_often(8, rounds(30, 1000), 16, &free);
    let absorbed = StepCosts(|from: Cell, to: Cell, cost: f64| if (from.x * to.y) % 2 == 0 { 1e17 } else { cost });
    repair_often(9, rounds(15, 600), 16, &(blocked, absorbed));
}

#[test]
fn hooks_price_the_steps_out_of_a_cell_and_block_cells_and_goals() {
    with_grid(&GridDef::of_size(5, 1), |grid| {
        with_field(&GridFlowDef::of_cells(5), |field| {
            // Westwards a step costs twice as much; the goal at the left end is 4 steps west.
            let uphill = StepCosts(|from: Cell, to: Cell, cost: f64| if to.x < from.x { 2.0 * cost } else { cost });
            field.build_with(grid, &[Cell::new(0, 0)], &FlowOptions::DEFAULT, &uphill).unwrap();
            assert_eq!(field.cost_at(Cell::new(4, 0)), 8.0);
            let both = [Cell::new(0, 0), Cell::new(4, 0)];
            let blocked = Blocked(|cell: Cell| cell.x == 4);
            field.build_with(grid, &both, &FlowOptions::DEFAULT, &blocked).unwrap();
            assert_eq!((field.cost_at(both[1]), field.is_goal(both[1])), (f64::INFINITY, false));
            assert_eq!(field.follow(Cell::new(3, 0)).count(), 4);
            // What a hook answers otherwise is seen by a new run.
            field.recompute(grid).unwrap();
            field.finish(grid).unwrap();
            assert!(field.is_goal(both[1]) && field.cost_at(Cell::new(3, 0)) == 1.0);
        });
    });
}

#[test]
fn a_goal_walled_in_is_inactive_until_an_edit_frees_it() {
    with_grid(&GridDef::of_size(6, 6), |grid| {
        with_field(&GridFlowDef::of_cells(36), |field| {
            let goal = Cell::new(5, 5);
            grid.set_area(goal, WALL).unwrap();
            field.build(grid, &[goal, goal], &FlowOptions::DEFAULT).unwrap();
            assert_eq!((field.status(), field.settled()), (FlowStatus::Complete, 0));
            assert!(field.region().cells().all(|cell| field.cost_at(cell) == f64::INFINITY));
            grid.set_area(goal, 0).unwrap();
            assert_eq!(field.refresh(grid), Ok(FlowStatus::Running));
            field.finish(grid).unwrap();
            assert_eq!((field.settled(), field.cost_at(Cell::new(0, 5))), (36, 5.0));
            // An edit that changes no way settles only what it touched.
            grid.set_area(Cell::new(0, 0), WALL).unwrap();
            field.refresh(grid).unwrap();
            field.finish(grid).unwrap();
            assert_eq!(field.settled(), 3);
            assert_eq!(field.refresh(grid), Ok(FlowStatus::Complete));
        });
    });
}

#[test]
fn what_is_wrong_with_a_call_is_named() {
    with_grid(&GridDef::of_size(6, 6), |grid| {
        with_field(&GridFlowDef { goals: 2, ..GridFlowDef::of_cells(30) }, |field| {
            let goal = [Cell::new(1, 1)];
            assert_eq!(field.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
            assert_eq!(field.refresh(grid).unwrap_err().kind(), ErrorKind::State);
            let error = field.begin(grid, &goal, &FlowOptions::DEFAULT).unwrap_err();
            assert_eq!(
                (error.kind(), error.subject(), error.limit_value()),
                (ErrorKind::Capacity, Subject::Cell, Some(30.0))
            );
            let within = |rect| FlowOptions { region: Some(rect), ..FlowOptions::DEFAULT };
            for (x, y, width, height) in
                [(0, 0, 7, 1), (-1, 0, 2, 2), (5, 5, 2, 1), (0, 0, 0, 3), (3, 3, -1, 2), (i32::MAX, 0, i32::MAX, 1)]
            {
                let error = field.begin(grid, &goal, &within(CellRect::new(x, y, width, height))).unwrap_err();
                assert_eq!((error.kind(), error.subject()), (ErrorKind::Outside, Subject::Rectangle));
            }
            let options = within(CellRect::new(1, 0, 5, 6));
            let outside = [Cell::new(0, 0), Cell::new(6, 0)];
            let error = field.begin(grid, &outside, &options).unwrap_err();
            assert_eq!((error.kind(), error.subject(), error.index()), (ErrorKind::Outside, Subject::Goals, Some(1)));
            assert_eq!(field.begin(grid, &[goal[0]; 3], &options).unwrap_err().kind(), ErrorKind::Capacity);
            let sizeless = FlowOptions { movement: Movement { agent_size: 0, ..Movement::DEFAULT }, ..options };
            assert_eq!(field.begin(grid, &goal, &sizeless).unwrap_err().subject(), Subject::AgentSize);
            assert_eq!(field.status(), FlowStatus::NotStarted, "after a refusal the field holds nothing");
            assert_eq!(field.cost_at(goal[0]), f64::INFINITY);

            field.begin(grid, &goal, &options).unwrap();
            assert_eq!(field.step(grid, 0).unwrap_err().subject(), Subject::Budget);
            assert_eq!(field.flow_at(goal[0]).unwrap_err().kind(), ErrorKind::State);
            grid.set_area(Cell::new(2, 2), WALL).unwrap();
            assert_eq!(field.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
            field.refresh(grid).unwrap();
            field.finish(grid).unwrap();
            let before = all_of(field);
            assert!(field.set_goals(grid, &outside).is_err() && field.set_goals(grid, &[goal[0]; 3]).is_err());
            with_grid(&GridDef::of_size(3, 3), |other| {
                assert_eq!(field.refresh(other).unwrap_err().subject(), Subject::Rectangle);
                assert_eq!(field.step(other, 1).unwrap_err().kind(), ErrorKind::State);
            });
            assert_eq!((all_of(field), field.status()), (before, FlowStatus::Complete));
            assert_eq!(field.flow_at(Cell::new(0, 0)).unwrap_err().kind(), ErrorKind::Outside);
            assert_eq!((field.next_of(Cell::new(0, 0)), field.cost_at(Cell::new(i32::MIN, 7))), (None, f64::INFINITY));
        });
    });
}

#[test]
fn limits_out_of_range_and_too_little_memory_are_refused_by_name() {
    let refusal =
        |def: GridFlowDef| GridFlowField::new(&def, &mut Arena::new(&mut [Grain::ZERO; 64])).unwrap_err().subject();
    let def = GridFlowDef::of_cells(4);
    assert_eq!(refusal(GridFlowDef { cells: 0, ..def }), Subject::Cell);
    assert_eq!(refusal(GridFlowDef { cells: u32::MAX, ..def }), Subject::Cell);
    assert_eq!(refusal(GridFlowDef { goals: 0, ..def }), Subject::Goals);
    assert_eq!(refusal(GridFlowDef { goals: u32::MAX, ..def }), Subject::Goals);
    assert_eq!(refusal(GridFlowDef::of_cells(4096)), Subject::Memory);
}
