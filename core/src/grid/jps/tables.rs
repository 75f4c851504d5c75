//! The tables of JPS+: for every cell and direction, how far the next jump point is (`grids.md`, "JPS+ tables"; Harabor
//! and Grastien 2014, in the form of Rabin's *JPS+: An Extreme A\* Speed Optimization for Static Uniform Cost Grids*).

use super::rules::{forced_steps, parts_of, run_mask};
use super::seen::Seen;
use super::surroundings::Surroundings;
use crate::grid::{CellRect, Grid, STEPS, WALL};

/// The eight values of a cell, by direction: `d > 0` steps to the next jump point, or `-d` free steps to a wall without
/// one. Zeros for a wall.
pub type JumpDistances = [i16; 8];

/// The tables, and what they have seen of a grid.
#[derive(Debug)]
pub(super) struct Tables<'m> {
    cells: &'m mut [JumpDistances],
    /// A bit a cell, a whole number of words a row: cells that were edited, or in whose straight tables a jump point
    /// came or went. All zero between refreshes.
    marks: &'m mut [u64],
    /// The rows of marks there may be: all others are zero.
    marked: Band,
    /// Two rows of bits: cells of which a diagonal value has changed in this row and in the one before.
    changed: &'m mut [u64],
    seen: Seen,
}

/// A span of rows, empty when `end <= first`.
#[derive(Clone, Copy, Debug)]
struct Band {
    first: i32,
    end: i32,
}

impl Band {
    const EMPTY: Band = Band { first: i32::MAX, end: 0 };

    fn add(&mut self, row: i32) {
        self.first = self.first.min(row);
        self.end = self.end.max(row + 1);
    }
}

/// How many words the bits of a row take.
pub(super) const fn row_words(width: u32) -> usize {
    (width as usize).div_ceil(64)
}

/// A refresh by edits costs less than a rebuild up to that many edited cells.
fn most_edits(grid: &Grid<'_>) -> u64 {
    (grid.cell_count() as u64 / 64).max(256)
}

impl<'m> Tables<'m> {
    /// Tables over a value for each cell, a bit for each cell, and two rows of bits.
    pub fn over(cells: &'m mut [JumpDistances], marks: &'m mut [u64], changed: &'m mut [u64]) -> Self {
        marks.fill(0);
        Tables { cells, marks, marked: Band::EMPTY, changed, seen: Seen::NOTHING }
    }

    #[inline]
    pub fn at(&self, node: u32) -> &JumpDistances {
        const NONE: JumpDistances = [0; 8];
        self.cells.get(node as usize).unwrap_or(&NONE)
    }

    /// Takes over what was edited. The surroundings are those of the grid now, which is no larger than the arrays.
    pub fn refresh(&mut self, grid: &Grid<'_>, surroundings: &Surroundings<'_>) {
        let world = World { grid, surroundings, width: grid.width(), height: grid.height() };
        match self.seen.edits(grid, most_edits(grid)) {
            Some(rects) if rects.len() > 0 => {
                for rect in rects {
                    self.repair_straight(&world, rect);
                }
                for diagonal in 4..8 {
                    self.repair_diagonal(&world, diagonal);
                }
                self.unmark(&world);
            }
            Some(_) => {}
            None => self.rebuild(&world),
        }
        self.seen = Seen::of(grid);
    }

    /// Computes all from the far ends: what a value reads is then there.
    fn rebuild(&mut self, world: &World<'_, '_>) {
        for y in 0..world.height {
            self.compute_row(world, y, false);
        }
        for x in 0..world.width {
            self.compute_column(world, x, false);
        }
        for diagonal in 4..8 {
            for y in world.rows_from_far_end(diagonal) {
                for x in 0..world.width {
                    let value = self.diagonal_value(world, x, y, diagonal);
                    self.cells[world.node(x, y)][diagonal] = value;
                }
            }
        }
    }

    /// The straight tables that read an edited cell: of its row and column, and of those beside.
    fn repair_straight(&mut self, world: &World<'_, '_>, rect: CellRect) {
        let near = rect.grown_within(1, 1, world.width, world.height);
        for y in near.y..near.bottom() {
            self.compute_row(world, y, true);
        }
        for x in near.x..near.right() {
            self.compute_column(world, x, true);
        }
        rect.cells().for_each(|cell| self.mark(world, cell.x, cell.y));
    }

    fn compute_row(&mut self, world: &World<'_, '_>, y: i32, marks: bool) {
        self.compute_line(world, 1, (0..world.width).rev().map(|x| (x, y)), marks);
        self.compute_line(world, 3, (0..world.width).map(|x| (x, y)), marks);
    }

    fn compute_column(&mut self, world: &World<'_, '_>, x: i32, marks: bool) {
        self.compute_line(world, 0, (0..world.height).map(|y| (x, y)), marks);
        self.compute_line(world, 2, (0..world.height).rev().map(|y| (x, y)), marks);
    }

    /// The straight values along a line, from its far end on.
    fn compute_line(
        &mut self,
        world: &World<'_, '_>,
        direction: usize,
        line: impl Iterator<Item = (i32, i32)>,
        marks: bool,
    ) {
        // What a scan says that stands one cell before the line's end, where a wall follows.
        let mut next = None;
        for (x, y) in line {
            let node = world.node(x, y);
            let is_wall = world.grid.cells()[node] == WALL;
            let value = if is_wall { 0 } else { next.map_or(0, one_further) };
            let place = &mut self.cells[node][direction];
            let sign_changed = (*place > 0) != (value > 0);
            *place = value;
            if marks && sign_changed {
                self.mark(world, x, y);
            }
            let is_jump_point = forced_steps(direction, world.surroundings.at(node as u32)) != 0;
            next =
                if is_wall { None } else { Some(if is_jump_point { Ahead::JumpPoint } else { Ahead::Value(value) }) };
        }
    }

    fn diagonal_value(&self, world: &World<'_, '_>, x: i32, y: i32, direction: usize) -> i16 {
        let node = world.node(x, y);
        let needed = run_mask(direction);
        if world.grid.cells()[node] == WALL || world.surroundings.at(node as u32) & needed != needed {
            return 0;
        }
        let ahead = &self.cells[world.node(x + STEPS[direction].0, y + STEPS[direction].1)];
        let (one, other) = parts_of(direction);
        let is_jump_point = ahead[one] > 0 || ahead[other] > 0;
        one_further(if is_jump_point { Ahead::JumpPoint } else { Ahead::Value(ahead[direction]) })
    }

    /// The diagonal values that read a marked cell, and those that read a value that changed: row by row from the far
    /// end, so that each is computed once.
    fn repair_diagonal(&mut self, world: &World<'_, '_>, direction: usize) {
        let (dx, dy) = STEPS[direction];
        let words = row_words(world.width as u32);
        self.changed[..2 * words].fill(0);
        let mut any_changed = false;
        let mut now = 0;
        for y in world.rows_from_far_end(direction) {
            let is_marked = |y: i32| y >= self.marked.first && y < self.marked.end;
            now ^= 1;
            self.changed[now * words..(now + 1) * words].fill(0);
            if !any_changed && !is_marked(y) && !is_marked(y + dy) {
                continue;
            }
            any_changed = false;
            for at in 0..words {
                let before = &self.changed[(now ^ 1) * words..(now ^ 1) * words + words];
                let (here, ahead) = (self.marks_of(world, y), self.marks_of(world, y + dy));
                let read = here.get(at).copied().unwrap_or(0) | ahead.get(at).copied().unwrap_or(0);
                let mut stale = read | shifted(here, at, dx) | shifted(ahead, at, dx) | shifted(before, at, dx);
                while stale != 0 {
                    let bit = stale.trailing_zeros() as usize;
                    stale &= stale - 1;
                    let x = (at << 6 | bit) as i32;
                    if x >= world.width {
                        break;
                    }
                    let value = self.diagonal_value(world, x, y, direction);
                    let place = &mut self.cells[world.node(x, y)][direction];
                    if *place != value {
                        *place = value;
                        self.changed[now * words + at] |= 1 << bit;
                        any_changed = true;
                    }
                }
            }
        }
    }

    fn marks_of(&self, world: &World<'_, '_>, y: i32) -> &[u64] {
        let words = row_words(world.width as u32);
        if y < 0 || y >= world.height { &[] } else { &self.marks[y as usize * words..(y as usize + 1) * words] }
    }

    fn mark(&mut self, world: &World<'_, '_>, x: i32, y: i32) {
        let words = row_words(world.width as u32);
        self.marks[y as usize * words + (x as usize >> 6)] |= 1 << (x & 63);
        self.marked.add(y);
    }

    fn unmark(&mut self, world: &World<'_, '_>) {
        let words = row_words(world.width as u32);
        self.marks[self.marked.first as usize * words..self.marked.end as usize * words].fill(0);
        self.marked = Band::EMPTY;
    }
}

/// What the tables are made from.
#[derive(Clone, Copy)]
struct World<'a, 'g> {
    grid: &'a Grid<'g>,
    surroundings: &'a Surroundings<'a>,
    width: i32,
    height: i32,
}

impl World<'_, '_> {
    #[inline]
    fn node(&self, x: i32, y: i32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// The rows in an order in which a step of the direction leads to an earlier one.
    fn rows_from_far_end(&self, direction: usize) -> impl Iterator<Item = i32> + use<> {
        let (height, is_up) = (self.height, STEPS[direction].1 < 0);
        (0..height).map(move |row| if is_up { row } else { height - 1 - row })
    }
}

/// What is one step ahead: a jump point, or a cell with a value of its own.
#[derive(Clone, Copy)]
enum Ahead {
    JumpPoint,
    Value(i16),
}

/// The value of a cell by what is one step ahead.
const fn one_further(ahead: Ahead) -> i16 {
    match ahead {
        Ahead::JumpPoint => 1,
        Ahead::Value(value) if value > 0 => value + 1,
        Ahead::Value(value) => value - 1,
    }
}

/// The bits of the cells from which a step of `dx` columns leads to a bit of the row.
#[inline]
fn shifted(row: &[u64], at: usize, dx: i32) -> u64 {
    let word = |at: Option<usize>| at.and_then(|at| row.get(at)).copied().unwrap_or(0);
    if dx > 0 {
        word(Some(at)) >> 1 | word(Some(at + 1)) << 63
    } else {
        word(Some(at)) << 1 | word(at.checked_sub(1)) >> 63
    }
}
