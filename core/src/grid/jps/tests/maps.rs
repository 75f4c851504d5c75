use super::{load, random_cell, random_plain, random_plain_of, with_map};
use crate::error::{ErrorKind, Subject};
use crate::grid::jps::*;
use crate::grid::tests::oracle::Plain;
use crate::grid::tests::{rounds, with_grid};
use crate::grid::{Cell, CellRect, Grid, GridDef, MAX_TABLE_SIDE, STEPS, WALL};
use crate::math::SplitMix64;
use crate::memory::{Arena, Memory};
use std::vec::Vec;

const BOTH: JumpMapDef = JumpMapDef { width: 150, height: 150, blocks: true, tables: true };

/// A goal that no scan meets.
const NOWHERE: Spot = Spot { node: u32::MAX, x: u32::MAX, y: u32::MAX };

/// How far a run of a direction goes, and whether at its end there is a jump point (or the goal) rather than a wall:
/// the page's definition by coordinates.
fn run(plain: &Plain, (mut x, mut y): (i32, i32), (dx, dy): (i32, i32), goal: Option<(i32, i32)>) -> (i16, bool) {
    let is_free = |x: i32, y: i32| plain.area(x, y) != 255;
    let mut steps = 0;
    loop {
        let is_diagonal = dx != 0 && dy != 0;
        let beside = !is_diagonal || is_free(x + dx, y) && is_free(x, y + dy);
        if !is_free(x + dx, y + dy) || !beside {
            return (steps, false);
        }
        (x, y, steps) = (x + dx, y + dy, steps + 1);
        let is_jump_point = if is_diagonal {
            [(dx, 0), (0, dy)].iter().any(|&part| run(plain, (x, y), part, goal).1)
        } else {
            let opens = |sx: i32, sy: i32| is_free(x + sx, y + sy) && !is_free(x - dx + sx, y - dy + sy);
            opens(dy, dx) || opens(-dy, -dx)
        };
        if is_jump_point || goal == Some((x, y)) {
            return (steps, true);
        }
    }
}

fn def_of(plain: &Plain, journal: u32) -> GridDef {
    GridDef { clearance: false, area_costs: 0, journal, ..GridDef::of_size(plain.width as u32, plain.height as u32) }
}

#[test]
fn every_scan_finds_the_jump_points_of_the_definition_with_goals_anywhere() {
    let mut random = SplitMix64::new(11);
    with_map(&BOTH, |map| {
        for round in 0..rounds(60, 2000) {
            let wide = random.below(150) as i32 + 1;
            let walls = random.below(40);
            let plain = match round % 3 {
                0 => random_plain_of(&mut random, wide, 3, walls),
                1 => random_plain_of(&mut random, 3, wide, walls),
                _ => random_plain(&mut random, 14, walls),
            };
            with_grid(&def_of(&plain, 0), |grid| {
                load(&plain, grid);
                map.refresh_blocks(grid).unwrap();
                map.refresh_tables(grid).unwrap();
                let goal = random_cell(&mut random, &plain);
                let (goal, is_goal) = if plain.stands(goal.x, goal.y, 1) {
                    (Spot::of(grid.index_of(goal).unwrap(), plain.width as u32), Some((goal.x, goal.y)))
                } else {
                    (NOWHERE, None)
                };
                for node in 0..grid.cell_count() as u32 {
                    let from = Spot::of(node, plain.width as u32);
                    let at = (from.x as i32, from.y as i32);
                    assert_eq!(map.around(node), CellJumper(grid).around(node));
                    if !plain.stands(at.0, at.1, 1) {
                        assert_eq!(map.distances(node), &[0; 8]);
                        continue;
                    }
                    for (direction, &step) in STEPS.iter().enumerate() {
                        let (steps, found) = run(&plain, at, step, is_goal);
                        let want = found.then_some(steps as u32);
                        let jumps = [
                            CellJumper(grid).jump(from, direction, goal),
                            BlockJumper(map).jump(from, direction, goal),
                        ];
                        assert_eq!(jumps, [want; 2], "{at:?} {step:?}");
                        let (steps, found) = run(&plain, at, step, None);
                        let entry = map.distances(node)[direction];
                        assert_eq!(entry, if found { steps } else { -steps }, "{at:?} {step:?}");
                        // Tables stop diagonal runs level with the goal too, and never later than the others.
                        let jump = TableJumper(map).jump(from, direction, goal);
                        match direction {
                            0..4 => assert_eq!(jump, want),
                            _ => assert!(want.is_none_or(|want| jump.is_some_and(|jump| jump <= want))),
                        }
                    }
                }
            });
        }
    });
}

/// What searches read of a cell: its surroundings, its tables, and where the four straight scans stop.
type Contents = (u8, JumpDistances, [(u32, bool); 4]);

/// Everything in a map that searches read.
fn contents(map: &JumpMap<'_>, grid: &Grid<'_>) -> Vec<Contents> {
    let width = grid.width() as u32;
    let of = |node: u32| {
        let (at, lines) = (Spot::of(node, width), map.lines().unwrap());
        let (x, y) = (at.x, at.y);
        let scans = [lines.scan::<0>(x, y), lines.scan::<1>(x, y), lines.scan::<2>(x, y), lines.scan::<3>(x, y)];
        (map.around(node), *map.distances(node), scans)
    };
    (0..grid.cell_count() as u32).map(of).collect()
}

#[test]
fn a_map_that_followed_edits_is_the_one_built_anew() {
    let mut random = SplitMix64::new(12);
    for _ in 0..rounds(25, 1200) {
        let walls = random.below(40);
        let plain = match random.below(3) {
            0 => random_plain_of(&mut random, 70, 66, walls),
            1 => random_plain_of(&mut random, 129, 5, walls),
            _ => random_plain(&mut random, 20, walls),
        };
        with_grid(&def_of(&plain, 4), |grid| {
            load(&plain, grid);
            with_map(&BOTH, |map| {
                map.refresh_tables(grid).unwrap();
                for _ in 0..6 {
                    // At times more edits than the journal holds, at times edits of more cells than are followed.
                    for _ in 0..random.below(6) {
                        let corner = random_cell(&mut random, &plain);
                        let large = random.below(4) == 0;
                        let mut side = |most: i32| 1 + random.below(if large { most as u64 } else { 2 }) as i32;
                        let (width, height) = (side(plain.width - corner.x), side(plain.height - corner.y));
                        let width = width.min(plain.width - corner.x);
                        let height = height.min(plain.height - corner.y);
                        let areas = (0..width * height).map(|_| if random.below(2) == 0 { WALL } else { 0 });
                        let areas: Vec<u8> = areas.collect();
                        grid.set_rect_areas(CellRect::new(corner.x, corner.y, width, height), &areas).unwrap();
                    }
                    if random.below(3) > 0 {
                        map.refresh_blocks(grid).unwrap();
                    }
                    if random.below(3) > 0 {
                        map.refresh_tables(grid).unwrap();
                    }
                }
                map.refresh_blocks(grid).unwrap();
                map.refresh_tables(grid).unwrap();
                let fresh = with_map(&BOTH, |fresh| {
                    fresh.refresh_blocks(grid).unwrap();
                    fresh.refresh_tables(grid).unwrap();
                    contents(fresh, grid)
                });
                assert!(contents(map, grid) == fresh);
            });
        });
    }
}

#[test]
fn a_map_goes_over_to_a_grid_of_another_size_and_to_another_grid_of_the_same() {
    let mut random = SplitMix64::new(13);
    with_map(&BOTH, |map| {
        for (width, height) in [(20, 10), (10, 20), (10, 20), (64, 64), (63, 3)] {
            let plain = random_plain_of(&mut random, width, height, 30);
            with_grid(&def_of(&plain, 4), |grid| {
                load(&plain, grid);
                let refresh = |map: &mut JumpMap<'_>| {
                    map.refresh_tables(grid).unwrap();
                    map.refresh_blocks(grid).unwrap();
                };
                refresh(map);
                let fresh = with_map(&BOTH, |fresh| {
                    refresh(fresh);
                    contents(fresh, grid)
                });
                assert!(contents(map, grid) == fresh);
            });
        }
    });
}

#[test]
fn what_a_map_has_no_memory_for_is_refused_by_name() {
    let def = JumpMapDef { width: 8, height: 4, blocks: true, tables: false };
    with_map(&def, |map| {
        with_grid(&GridDef::of_size(8, 4), |grid| {
            map.refresh_blocks(grid).unwrap();
            assert_eq!(map.refresh_tables(grid).unwrap_err().kind(), ErrorKind::Unsupported);
        });
        with_grid(&GridDef::of_size(9, 3), |grid| {
            let error = map.refresh_blocks(grid).unwrap_err();
            assert_eq!((error.subject(), error.limit_value()), (Subject::GridWidth, Some(8.0)));
        });
        with_grid(&GridDef::of_size(4, 8), |grid| {
            assert_eq!(map.refresh_blocks(grid).unwrap_err().subject(), Subject::GridHeight);
        });
    });
    let mut region = Memory::<64>::new();
    let mut refusal = |width, height| {
        let def = JumpMapDef { width, height, blocks: true, tables: true };
        JumpMap::new(&def, &mut Arena::new(region.grains())).unwrap_err().subject()
    };
    assert_eq!(refusal(0, 1), Subject::GridWidth);
    assert_eq!(refusal(1, 0), Subject::GridHeight);
    assert_eq!(refusal(u32::MAX, u32::MAX), Subject::Cell);
    assert_eq!(refusal(1 << 14, 1 << 14), Subject::Memory);
}

#[test]
fn tables_end_where_sixteen_bits_do() {
    let side = MAX_TABLE_SIDE as u32 + 1;
    for side in [side - 1, side] {
        let def = JumpMapDef { width: side, height: 1, blocks: false, tables: true };
        let grid_def = GridDef { clearance: false, area_costs: 0, journal: 0, ..GridDef::of_size(side, 1) };
        with_grid(&grid_def, |grid| {
            with_map(&def, |map| {
                let refreshed = map.refresh_tables(grid);
                assert_eq!(refreshed.is_ok(), side == MAX_TABLE_SIDE as u32);
                if refreshed.is_ok() {
                    assert_eq!(map.distances(0)[1], -(MAX_TABLE_SIDE as i16 - 1));
                    let goal = Spot::of(side - 1, side);
                    assert_eq!(TableJumper(map).jump(Spot::of(0, side), 1, goal), Some(side - 1));
                    assert_eq!(grid.index_of(Cell::new(side as i32 - 1, 0)), Some(goal.node));
                }
            });
        });
    }
}
