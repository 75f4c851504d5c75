//! How the next jump point is found: cell by cell, by words of bits, or in tables (`grids.md`, "Jump", "Block-based
//! scanning", "JPS+ tables").

use super::lines::BitLines;
use super::map::JumpMap;
use super::rules::{forced_steps, parts_of, run_mask};
use crate::grid::{Cell, Grid, STEPS};

/// A cell with its number, so that neither is computed from the other on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Spot {
    /// The cell's number, row by row.
    pub node: u32,
    /// Its column.
    pub x: u32,
    /// Its row.
    pub y: u32,
}

impl Spot {
    /// The spot of a cell of a grid so wide.
    #[inline]
    pub const fn of(node: u32, width: u32) -> Spot {
        Spot { node, x: node % width, y: node / width }
    }

    /// The spot some steps away, which must be inside the grid.
    #[inline]
    pub const fn after(self, direction: usize, steps: u32, width: u32) -> Spot {
        let (dx, dy) = STEPS[direction & 7];
        let (columns, rows) = ((steps as i32).wrapping_mul(dx), (steps as i32).wrapping_mul(dy));
        Spot {
            node: self.node.wrapping_add_signed(rows.wrapping_mul(width as i32).wrapping_add(columns)),
            x: self.x.wrapping_add_signed(columns),
            y: self.y.wrapping_add_signed(rows),
        }
    }

    /// How many steps of a straight direction lead to another spot, if any do.
    #[inline]
    const fn straight_steps_to(self, goal: Spot, direction: usize) -> Option<u32> {
        let (is_level, from, to) =
            if direction & 1 == 0 { (self.x == goal.x, self.y, goal.y) } else { (self.y == goal.y, self.x, goal.x) };
        let is_ahead = if direction == 1 || direction == 2 { to > from } else { to < from };
        if is_level && is_ahead { Some(to.abs_diff(from)) } else { None }
    }
}

/// Finds jump points of one grid.
///
/// All jumpers find the same cells, but for [`TableJumper`], which also stops a diagonal run level with the goal.
pub trait Jumper {
    /// Columns of the grid.
    fn width(&self) -> u32;

    /// The neighbours of a cell that are ground: bit `d` for direction `d`.
    fn around(&self, node: u32) -> u8;

    /// How many steps of a direction lead from a cell to the next jump point or the goal; `None` where a wall comes
    /// first.
    fn jump(&self, from: Spot, direction: usize, goal: Spot) -> Option<u32>;

    /// How many steps of a diagonal direction lead to the next cell from which a straight jump may lead on, or to the
    /// goal; `None` at the end of the run. For improved pruning.
    #[inline]
    fn next_turn(&self, from: Spot, diagonal: usize, goal: Spot) -> Option<u32> {
        self.jump(from, diagonal, goal)
    }
}

/// Looks at one cell after the other, and needs no memory. What the others must find as well.
#[derive(Clone, Copy, Debug)]
pub struct CellJumper<'a, 'm>(pub &'a Grid<'m>);

impl CellJumper<'_, '_> {
    fn straight(&self, mut at: Spot, direction: usize, goal: Spot) -> Option<u32> {
        let mut steps = 0;
        while self.around(at.node) >> direction & 1 != 0 {
            at = at.after(direction, 1, self.width());
            steps += 1;
            if at == goal || forced_steps(direction, self.around(at.node)) != 0 {
                return Some(steps);
            }
        }
        None
    }
}

impl Jumper for CellJumper<'_, '_> {
    fn width(&self) -> u32 {
        self.0.width() as u32
    }

    fn around(&self, node: u32) -> u8 {
        let at = self.0.cell_of(node);
        let is_ground = |&(dx, dy): &(i32, i32)| self.0.is_walkable(Cell::new(at.x + dx, at.y + dy));
        STEPS.iter().rev().fold(0, |set, step| set << 1 | u8::from(is_ground(step)))
    }

    fn jump(&self, from: Spot, direction: usize, goal: Spot) -> Option<u32> {
        if direction < 4 {
            return self.straight(from, direction, goal);
        }
        let (needed, (one, other)) = (run_mask(direction), parts_of(direction));
        let (mut at, mut steps) = (from, 0);
        while self.around(at.node) & needed == needed {
            at = at.after(direction, 1, self.width());
            steps += 1;
            if at == goal || [one, other].iter().any(|&part| self.straight(at, part, goal).is_some()) {
                return Some(steps);
            }
        }
        None
    }
}

/// Reads words of bits in which the stops of all scans are marked: a [`JumpMap`] with blocks, refreshed.
#[derive(Clone, Copy, Debug)]
pub struct BlockJumper<'a, 'm>(pub &'a JumpMap<'m>);

/// A straight scan of a direction known when compiling: no branch is left that asks for it.
#[inline]
fn scan_straight<const D: usize>(lines: &BitLines<'_>, from: Spot, goal: Spot) -> Option<u32> {
    let (steps, is_ground) = lines.scan::<D>(from.x, from.y);
    match from.straight_steps_to(goal, D) {
        Some(distance) if distance < steps => Some(distance),
        _ if is_ground => Some(steps),
        _ => None,
    }
}

/// A diagonal run whose parts are the straight directions `ONE` and `OTHER`.
#[inline]
fn scan_diagonal<const D: usize, const ONE: usize, const OTHER: usize>(
    map: &JumpMap<'_>,
    lines: &BitLines<'_>,
    from: Spot,
    goal: Spot,
) -> Option<u32> {
    let needed = run_mask(D);
    let (mut at, mut steps) = (from, 0);
    while map.around(at.node) & needed == needed {
        at = at.after(D, 1, map.width());
        steps += 1;
        let is_turn =
            scan_straight::<ONE>(lines, at, goal).is_some() || scan_straight::<OTHER>(lines, at, goal).is_some();
        if is_turn || at.node == goal.node {
            return Some(steps);
        }
    }
    None
}

impl Jumper for BlockJumper<'_, '_> {
    #[inline]
    fn width(&self) -> u32 {
        self.0.width()
    }

    #[inline]
    fn around(&self, node: u32) -> u8 {
        self.0.around(node)
    }

    #[inline]
    fn jump(&self, from: Spot, direction: usize, goal: Spot) -> Option<u32> {
        let lines = self.0.lines()?;
        match direction {
            0 => scan_straight::<0>(lines, from, goal),
            1 => scan_straight::<1>(lines, from, goal),
            2 => scan_straight::<2>(lines, from, goal),
            3 => scan_straight::<3>(lines, from, goal),
            4 => scan_diagonal::<4, 0, 1>(self.0, lines, from, goal),
            5 => scan_diagonal::<5, 1, 2>(self.0, lines, from, goal),
            6 => scan_diagonal::<6, 2, 3>(self.0, lines, from, goal),
            _ => scan_diagonal::<7, 3, 0>(self.0, lines, from, goal),
        }
    }

    #[inline]
    fn next_turn(&self, from: Spot, diagonal: usize, _goal: Spot) -> Option<u32> {
        let needed = run_mask(diagonal);
        (self.0.around(from.node) & needed == needed).then_some(1)
    }
}

/// Looks jumps up: a [`JumpMap`] with tables, refreshed.
#[derive(Clone, Copy, Debug)]
pub struct TableJumper<'a, 'm>(pub &'a JumpMap<'m>);

impl Jumper for TableJumper<'_, '_> {
    #[inline]
    fn width(&self) -> u32 {
        self.0.width()
    }

    #[inline]
    fn around(&self, node: u32) -> u8 {
        self.0.around(node)
    }

    #[inline]
    fn jump(&self, from: Spot, direction: usize, goal: Spot) -> Option<u32> {
        let distance = self.0.distances(from.node)[direction & 7];
        let reach = u32::from(distance.unsigned_abs());
        let stored = (distance > 0).then_some(reach);
        if direction < 4 {
            return match from.straight_steps_to(goal, direction) {
                Some(steps) if steps <= reach => Some(steps),
                _ => stored,
            };
        }
        // A goal strictly inside the quadrant stops the run level with it, though nothing else may lead on from there.
        let (dx, dy) = STEPS[direction & 7];
        let columns = (goal.x.wrapping_sub(from.x) as i32).wrapping_mul(dx);
        let rows = (goal.y.wrapping_sub(from.y) as i32).wrapping_mul(dy);
        let level = columns.min(rows);
        if level > 0 && level as u32 <= reach { Some(level as u32) } else { stored }
    }
}
