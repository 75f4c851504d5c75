//! The grid a tile is voxelized on: cells along x and z, rows along y (`build3d-spans.md`, section 1).

/// Where the cells lie in the world. A column is `x + z * width`; a row is counted from the origin's height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The world position of the grid's lowest corner.
    pub origin: [f64; 3],
    /// The side of a cell on the ground, world units.
    pub cell_size: f32,
    /// The height of a row, world units.
    pub cell_height: f32,
    /// Cells along x.
    pub width: u32,
    /// Cells along z.
    pub depth: u32,
    /// Rows.
    pub rows: u32,
}

impl Frame {
    /// How many columns the grid has.
    pub const fn columns(&self) -> usize {
        self.width as usize * self.depth as usize
    }
}
