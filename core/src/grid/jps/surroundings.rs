//! The surroundings of every cell, a byte each: which of its eight neighbours are ground.

use super::seen::Seen;
use crate::grid::{CellRect, Grid, WALL};

/// A byte a cell, row by row: bit `d` says that the neighbour in direction `d` of
/// [`STEPS`](crate::grid::STEPS) is ground. Outside the grid all is wall.
#[derive(Debug)]
pub(super) struct Surroundings<'m> {
    bytes: &'m mut [u8],
    seen: Seen,
}

impl<'m> Surroundings<'m> {
    pub fn over(bytes: &'m mut [u8]) -> Self {
        Surroundings { bytes, seen: Seen::NOTHING }
    }

    #[inline]
    pub fn at(&self, node: u32) -> u8 {
        self.bytes.get(node as usize).copied().unwrap_or(0)
    }

    /// Takes over what was edited. The grid has no more cells than there are bytes.
    pub fn refresh(&mut self, grid: &Grid<'_>) {
        let whole = CellRect::new(0, 0, grid.width(), grid.height());
        match self.seen.edits(grid, grid.cell_count() as u64 / 4) {
            Some(rects) => {
                for rect in rects {
                    self.recompute(grid, rect.grown_within(1, 1, grid.width(), grid.height()));
                }
            }
            None => self.recompute(grid, whole),
        }
        self.seen = Seen::of(grid);
    }

    fn recompute(&mut self, grid: &Grid<'_>, rect: CellRect) {
        let (cells, width) = (grid.cells(), grid.width() as usize);
        let row = |y: i32| match y {
            _ if y < 0 || y >= grid.height() => None,
            _ => cells.get(y as usize * width..(y as usize + 1) * width),
        };
        let is_ground = |row: Option<&[u8]>, x: i32| {
            let area = row.zip(usize::try_from(x).ok()).and_then(|(row, x)| row.get(x));
            u8::from(area.is_some_and(|&area| area != WALL))
        };
        for y in rect.y..rect.bottom() {
            let (above, level, below) = (row(y - 1), row(y), row(y + 1));
            // A column of three cells, the upper one in bit 0; three columns slide along the row.
            let column = |x: i32| is_ground(above, x) | is_ground(level, x) << 1 | is_ground(below, x) << 2;
            let (mut left, mut middle) = (column(rect.x - 1), column(rect.x));
            let start = y as usize * width;
            for x in rect.x..rect.right() {
                let right = column(x + 1);
                self.bytes[start + x as usize] = around(left, middle, right);
                (left, middle) = (middle, right);
            }
        }
    }
}

/// The surroundings by the three columns of cells.
#[inline]
const fn around(left: u8, middle: u8, right: u8) -> u8 {
    let straight = middle & 1 | (right >> 1 & 1) << 1 | (middle >> 2 & 1) << 2 | (left >> 1 & 1) << 3;
    straight | (right & 1) << 4 | (right >> 2 & 1) << 5 | (left >> 2 & 1) << 6 | (left & 1) << 7
}
