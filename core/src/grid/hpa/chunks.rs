//! How a grid is cut into chunks (`grids.md`, "HPA*", "Chunks").

use crate::grid::CellRect;

/// The chunks of a grid: squares of one side, cut off at the grid's right and lower edges, numbered row by row.
///
/// ```
/// use navarena::grid::CellRect;
/// use navarena::grid::hpa::Chunks;
/// let chunks = Chunks::of(40, 20, 16);
/// assert_eq!((chunks.columns(), chunks.rows(), chunks.at(39, 3)), (3, 2, 2));
/// assert_eq!(chunks.rect(5), CellRect::new(32, 16, 8, 4));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Chunks {
    side: u32,
    width: u32,
    height: u32,
    columns: u32,
}

impl Chunks {
    /// The chunks of a side, at least 1, of a grid of columns and rows.
    pub const fn of(width: u32, height: u32, side: u32) -> Chunks {
        let side = if side == 0 { 1 } else { side };
        Chunks { side, width, height, columns: width.div_ceil(side) }
    }

    /// The side of a chunk that is not cut off.
    pub const fn side(&self) -> u32 {
        self.side
    }

    /// How many chunks a row of them has.
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// How many rows of chunks there are.
    pub const fn rows(&self) -> u32 {
        if self.side == 0 { 0 } else { self.height.div_ceil(self.side) }
    }

    /// How many chunks there are.
    pub const fn count(&self) -> u32 {
        self.columns.saturating_mul(self.rows())
    }

    /// Columns of the grid.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the grid.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The chunk that holds the cell of a column and a row of the grid.
    #[inline]
    pub const fn at(&self, x: u32, y: u32) -> u32 {
        let side = if self.side == 0 { 1 } else { self.side };
        y / side * self.columns + x / side
    }

    /// The cells of a chunk; none for a number past the last.
    pub fn rect(&self, chunk: u32) -> CellRect {
        if chunk >= self.count() {
            return CellRect::default();
        }
        let (x, y) = (chunk % self.columns * self.side, chunk / self.columns * self.side);
        let [width, height] = [self.side.min(self.width - x), self.side.min(self.height - y)];
        CellRect::new(x as i32, y as i32, width as i32, height as i32)
    }

    /// The chunks that have cells in a rectangle inside the grid, in rising order.
    pub(super) fn over(&self, rect: CellRect) -> impl Iterator<Item = u32> + use<> {
        let side = self.side.max(1);
        let lines = |at: i32, length: i32| {
            let end = if length > 0 { (at + length - 1) as u32 / side + 1 } else { 0 };
            (at.max(0) as u32 / side).min(end)..end
        };
        let (columns, columns_in_all) = (lines(rect.x, rect.width), self.columns);
        lines(rect.y, rect.height).flat_map(move |row| columns.clone().map(move |column| row * columns_in_all + column))
    }
}

/// A chunk as its own little grid: cells are numbered row by row with the full side as the stride, so that their order is
/// that of the grid's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The left column and the top row.
    pub x: u32,
    pub y: u32,
    width: u32,
    height: u32,
    side: u32,
    /// Columns of the grid.
    stride: u32,
}

/// Steps that lead west, east, north and south, as bits.
const WEST: u8 = 1 << 3 | 1 << 6 | 1 << 7;
const EAST: u8 = 1 << 1 | 1 << 4 | 1 << 5;
const NORTH: u8 = 1 << 0 | 1 << 4 | 1 << 7;
const SOUTH: u8 = 1 << 2 | 1 << 5 | 1 << 6;

impl Frame {
    pub fn of(chunks: &Chunks, chunk: u32) -> Frame {
        let rect = chunks.rect(chunk);
        let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(|at| at as u32);
        Frame { x, y, width, height, side: chunks.side, stride: chunks.width }
    }

    /// The number within the chunk of one of its cells.
    #[inline]
    pub fn local(&self, cell: u32) -> u32 {
        let (x, y) = (cell % self.stride, cell / self.stride);
        y.wrapping_sub(self.y).wrapping_mul(self.side).wrapping_add(x.wrapping_sub(self.x))
    }

    /// The number within the chunk of a column and a row within it.
    #[inline]
    pub fn local_at(&self, (x, y): (u32, u32)) -> u32 {
        y * self.side + x
    }

    /// Column and row within the chunk.
    #[inline]
    pub fn place(&self, local: u32) -> (u32, u32) {
        (local % self.side, local / self.side)
    }

    /// The grid's number of a column and a row within the chunk.
    #[inline]
    pub fn cell_at(&self, (x, y): (u32, u32)) -> u32 {
        (self.y + y) * self.stride + self.x + x
    }

    /// The grid's number of a cell of the chunk.
    #[cfg(test)]
    pub fn cell(&self, local: u32) -> u32 {
        self.cell_at(self.place(local))
    }

    /// The steps that stay in the chunk.
    #[inline]
    pub fn inner_steps(&self, (x, y): (u32, u32)) -> u8 {
        let outside = |is_edge: bool, steps: u8| if is_edge { steps } else { 0 };
        !(outside(x == 0, WEST)
            | outside(x + 1 == self.width, EAST)
            | outside(y == 0, NORTH)
            | outside(y + 1 == self.height, SOUTH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, STEPS};
    use std::vec::Vec;

    #[test]
    fn every_cell_lies_in_the_one_chunk_that_says_so() {
        for (width, height, side) in [(1, 1, 2), (7, 5, 2), (16, 16, 16), (33, 17, 16), (9, 1, 3), (5, 11, 7)] {
            let chunks = Chunks::of(width, height, side);
            let mut seen = 0;
            for chunk in 0..chunks.count() {
                let frame = Frame::of(&chunks, chunk);
                for cell in chunks.rect(chunk).cells() {
                    let (x, y) = (cell.x as u32, cell.y as u32);
                    assert_eq!(chunks.at(x, y), chunk);
                    let local = frame.local(y * width + x);
                    assert_eq!(frame.cell(local), y * width + x);
                    for (step, &(dx, dy)) in STEPS.iter().enumerate() {
                        let is_inner = chunks.rect(chunk).contains(Cell::new(cell.x + dx, cell.y + dy));
                        assert_eq!(frame.inner_steps(frame.place(local)) >> step & 1 != 0, is_inner);
                    }
                    seen += 1;
                }
            }
            assert_eq!(seen, width * height);
            assert!(chunks.rect(chunks.count()).is_empty());
        }
    }

    #[test]
    fn the_chunks_over_a_rectangle_are_those_that_have_a_cell_of_it() {
        let chunks = Chunks::of(11, 8, 3);
        for rect in [(0, 0, 11, 8), (2, 2, 2, 1), (3, 5, 3, 1), (10, 7, 1, 1), (4, 4, 0, 3)] {
            let rect = CellRect::new(rect.0, rect.1, rect.2, rect.3);
            let mut want: Vec<u32> = rect.cells().map(|cell| chunks.at(cell.x as u32, cell.y as u32)).collect();
            want.sort_unstable();
            want.dedup();
            assert_eq!(chunks.over(rect).collect::<Vec<_>>(), want);
        }
    }
}
