//! A robot that finds its way through a hall that it does not know: it sees what is near, notes it in its map, and has D* Lite
//! repair its path.

use navarena::error::Result;
use navarena::grid::replan::{GridReplanner, GridReplannerDef};
use navarena::grid::{Cell, Grid, GridDef, WALL};
use navarena::memory::{Arena, Grain};

use crate::Log;

const SIDE: u32 = 32;
/// How far the robot sees, in cells.
const SIGHT: i32 = 4;
const START: Cell = Cell::new(2, 2);
const GOAL: Cell = Cell::new(29, 29);
/// More steps than any way takes.
const MOST_STEPS: u32 = 1000;

const MAP: GridDef = GridDef { clearance: false, area_costs: 0, journal: 96, ..GridDef::of_size(SIDE, SIDE) };
const PLANNER: GridReplannerDef = GridReplannerDef { path: 256, ..GridReplannerDef::d_star_lite(SIDE * SIDE) };

/// The bytes of the map and of what plans on it.
pub const BYTES: usize = MAP.plan().bytes + PLANNER.plan().bytes;

/// What stands in the hall: shelves across it with a gap at alternate ends, and pillars.
fn is_blocked(cell: Cell) -> bool {
    let shelf = cell.y % 8 == 6;
    let gap = if cell.y / 8 % 2 == 0 { cell.x >= 27 } else { cell.x <= 4 };
    let pillar = cell.x % 7 == 3 && cell.y % 5 == 3;
    shelf && !gap || pillar
}

/// Notes what is within sight. Gives how many cells are new obstacles.
fn look(map: &mut Grid<'_>, from: Cell) -> Result<u64> {
    let mut news = 0;
    for y in from.y - SIGHT..=from.y + SIGHT {
        for x in from.x - SIGHT..=from.x + SIGHT {
            let cell = Cell::new(x, y);
            if map.contains(cell) && is_blocked(cell) {
                news += u64::from(map.set_area(cell, WALL)?);
            }
        }
    }
    Ok(news)
}

/// Drives from one corner to the other.
pub fn run<L: Log>(region: &mut [Grain], log: &mut L) -> Result<()> {
    let mut arena = Arena::new(region);
    let mut map = Grid::new(&MAP, &mut arena)?;
    let mut planner = GridReplanner::new(&PLANNER, &mut arena)?;
    let (mut at, mut steps, mut repairs, mut expanded, mut driven) = (START, 0_u32, 0_u64, 0_u64, 0.0);
    look(&mut map, at)?;
    planner.begin(&map, at, GOAL)?;
    let first = planner.replan(&map, u64::MAX)?;
    log.number("first cost", first.cost);
    log.count("first cells", first.length.into());
    while at != GOAL && steps < MOST_STEPS {
        let Some(&next) = planner.path().cells().get(1) else { break };
        let is_straight = next.x == at.x || next.y == at.y;
        driven += if is_straight { 1.0 } else { core::f64::consts::SQRT_2 };
        (at, steps) = (next, steps + 1);
        planner.move_start(&map, at)?;
        repairs += u64::from(look(&mut map, at)? > 0);
        expanded += planner.replan(&map, u64::MAX)?.expanded;
    }
    log.count("arrived", (at == GOAL).into());
    log.count("steps", steps.into());
    log.number("driven", driven);
    log.count("repairs", repairs);
    log.count("cells expanded by repairs", expanded);
    log.count("content of the map", map.content_hash());
    log.count("state of the planner", planner.state_hash(&map)?);
    log.count("high water of the region", arena.high_water() as u64);
    Ok(())
}
