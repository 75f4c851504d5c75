//! What a floor is built from.

use crate::geometry::region::{Outline, Region, TileCells, TileMap};
use crate::grid::{Grid, WALL};

/// Where one may walk in the plane, before the agent's radius is taken off.
#[derive(Clone, Copy, Debug)]
pub enum FloorInput<'i> {
    /// The union of outlines less the union of obstacles. What is refused is named by its number: obstacles count on after
    /// the outlines.
    Outlines {
        /// Outlines to walk on.
        walkable: &'i [Outline<'i>],
        /// Outlines to keep out of.
        obstacles: &'i [Outline<'i>],
    },
    /// The cells of a tile map.
    TileMap(TileMap<'i>),
    /// A region made before. Its grid may be coarser than the settings', never finer than the cell size allows.
    Region(Region<'i>),
}

impl<'i> FloorInput<'i> {
    /// The cells of a square grid that are no walls, where its space puts them. Areas and costs are not carried over; a
    /// grid without a space has cells of one unit at the origin.
    pub fn of_grid(grid: &'i Grid<'_>) -> FloorInput<'i> {
        let space = grid.space();
        FloorInput::TileMap(TileMap {
            cells: TileCells::AllBut(grid.cells(), WALL),
            width: grid.width().unsigned_abs(),
            height: grid.height().unsigned_abs(),
            cell_size: space.cell_size(),
            origin: space.origin(),
        })
    }
}
