//! Cells and rectangles of cells: the coordinates of every grid.

use crate::memory::{Pod, Zeroable};

/// A cell of a grid: column and row, which may lie outside of it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cell {
    /// The column, 0 at the left.
    pub x: i32,
    /// The row, 0 at the top.
    pub y: i32,
}

impl Cell {
    /// The cell of a column and a row.
    pub const fn new(x: i32, y: i32) -> Cell {
        Cell { x, y }
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Cell {
        Cell { x, y }
    }
}

/// A rectangle of cells: its top-left cell, its columns and its rows.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CellRect {
    /// The leftmost column.
    pub x: i32,
    /// The topmost row.
    pub y: i32,
    /// How many columns.
    pub width: i32,
    /// How many rows.
    pub height: i32,
}

impl CellRect {
    /// The rectangle of a top-left cell, columns and rows.
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> CellRect {
        CellRect { x, y, width, height }
    }

    /// The rectangle of one cell.
    pub const fn of(cell: Cell) -> CellRect {
        CellRect::new(cell.x, cell.y, 1, 1)
    }

    /// Whether it holds no cell.
    pub const fn is_empty(&self) -> bool {
        self.width <= 0 || self.height <= 0
    }

    /// The column right of the last one. For rectangles inside a grid.
    pub const fn right(&self) -> i32 {
        self.x.saturating_add(self.width)
    }

    /// The row below the last one. For rectangles inside a grid.
    pub const fn bottom(&self) -> i32 {
        self.y.saturating_add(self.height)
    }

    /// Whether a cell lies in it.
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x >= self.x && cell.x < self.right() && cell.y >= self.y && cell.y < self.bottom()
    }

    /// The smallest rectangle that holds both; an empty one adds nothing.
    pub fn union(&self, other: &CellRect) -> CellRect {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => *other,
            (_, true) => *self,
            _ => CellRect::between(
                (self.x.min(other.x), self.y.min(other.y)),
                (self.right().max(other.right()), self.bottom().max(other.bottom())),
            ),
        }
    }

    /// The rectangle with `before` more columns at the left and rows at the top, and `after` more at the right and
    /// at the bottom, cut to a grid of `width` by `height` cells.
    ///
    /// What depends on an edit reaches further up and left, where larger agents stand, than down and right.
    pub fn grown_within(&self, before: i32, after: i32, width: i32, height: i32) -> CellRect {
        let low = |at: i32| at.saturating_sub(before).max(0);
        let high = |at: i32, end: i32| at.saturating_add(after).min(end);
        CellRect::between((low(self.x), low(self.y)), (high(self.right(), width), high(self.bottom(), height)))
    }

    /// The cells of it, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (self.y..self.bottom()).flat_map(move |y| (self.x..self.right()).map(move |x| Cell { x, y }))
    }

    const fn between(low: (i32, i32), high: (i32, i32)) -> CellRect {
        CellRect::new(low.0, low.1, high.0.saturating_sub(low.0), high.1.saturating_sub(low.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_lists_its_cells_row_by_row() {
        let cells = [(2, 3), (3, 3), (2, 4), (3, 4)].map(Cell::from);
        assert!(CellRect::new(2, 3, 2, 2).cells().eq(cells));
        assert!(CellRect::new(2, 3, 0, 2).cells().eq([]));
    }

    #[test]
    fn a_union_holds_both_and_growing_stops_at_the_grids_sides() {
        let a = CellRect::new(1, 1, 2, 2);
        assert_eq!(a.union(&CellRect::of(Cell::new(5, 0))), CellRect::new(1, 0, 5, 3));
        assert_eq!(a.union(&CellRect::default()), a);
        assert_eq!(a.grown_within(2, 1, 8, 3), CellRect::new(0, 0, 4, 3));
        let all = CellRect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
        assert!(all.grown_within(i32::MAX, i32::MAX, 4, 4).right() <= 4);
    }
}
