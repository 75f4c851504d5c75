//! Where cell corners and rows lie in a tile: the float32 positions that a tile stores
//! (`build3d-polys.md`, section 4).

/// The map from the build grid's corners and rows to tile-local positions.
///
/// A corner `c` counts cells from the build grid's low side, border included; a row counts from the grid's bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileCoordinates {
    /// Cells of border on each side of the tile.
    pub border: u32,
    /// Cells along a side of the tile, without the border.
    pub tile_cells: u32,
    /// The side of a cell, world units: the tile's size over its cells.
    pub cell_size: f64,
    /// The side of the tile, world units; exact as float32.
    pub tile_size: f64,
    /// The height of a row, world units.
    pub cell_height: f64,
    /// The row that lies at local height 0: the lowest vertex row of the tile.
    pub min_row: i32,
}

impl TileCoordinates {
    /// The local position of a corner along x or z, rounded once to float32.
    #[inline]
    pub fn local(&self, corner: i32) -> f32 {
        self.local_at(f64::from(corner))
    }

    /// The local position of any place along x or z, in cells.
    ///
    /// The tile's two sides lie exactly on 0 and on its size, whatever rounding would make of the product: portals are
    /// found by comparing those bits.
    #[inline]
    pub fn local_at(&self, cells: f64) -> f32 {
        let from_side = cells - f64::from(self.border);
        if from_side == 0.0 {
            0.0
        } else if from_side == f64::from(self.tile_cells) {
            self.tile_size as f32
        } else {
            (from_side * self.cell_size) as f32
        }
    }

    /// The local height of a row, which may lie between two rows.
    #[inline]
    pub fn local_y(&self, row: f64) -> f32 {
        ((row - f64::from(self.min_row)) * self.cell_height) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_of_a_tile_are_exact() {
        let tile = TileCoordinates {
            border: 5,
            tile_cells: 64,
            cell_size: 19.2 / 64.0,
            tile_size: f64::from(19.2f32),
            cell_height: 0.2,
            min_row: 7,
        };
        assert_eq!(tile.local(5).to_bits(), 0);
        assert_eq!(tile.local(69), 19.2f32);
        assert_eq!(tile.local(4), -(19.2 / 64.0) as f32);
        assert_eq!(tile.local_at(7.5), (2.5 * (19.2 / 64.0)) as f32);
        assert_eq!((tile.local_y(7.0), tile.local_y(6.5)), (0.0, (-0.5f64 * 0.2) as f32));
    }
}
