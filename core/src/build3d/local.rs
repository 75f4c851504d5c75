//! Where cell corners and rows lie in a tile: the float32 positions that a tile stores
//! (`build3d-polys.md`, section 4).

use crate::geometry::predicates::{Turn, orient2d};

/// The map from the build grid's corners and rows to tile-local positions.
///
/// A corner `c` counts cells from the build grid's low side, border included; a row counts from the grid's bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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

/// Turns of three corners in the positions that a tile stores.
///
/// Rounding a coordinate to float32 moves it by at most 2^-24 of the grid's extent, so a turn of some cell areas keeps its
/// sign and only smaller ones are decided exactly (`build3d-runtime.md`, "Orientation tests in the polygon stage").
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Turns {
    coordinates: TileCoordinates,
    sure: i64,
}

impl Turns {
    /// The turns of one tile.
    pub const fn new(coordinates: TileCoordinates) -> Self {
        let across = coordinates.tile_cells as i64 + 2 * coordinates.border as i64;
        Turns { coordinates, sure: (across.saturating_mul(across) >> 19) + 1 }
    }

    /// Which way the stored positions of three corners turn. Corners lie on the grid, below 2^20 cells.
    #[inline]
    pub fn turn(&self, a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> Turn {
        let turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if turn >= self.sure {
            Turn::Left
        } else if turn <= -self.sure {
            Turn::Right
        } else {
            self.exact_turn(a, b, c)
        }
    }

    fn exact_turn(&self, a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> Turn {
        let local = |p: [i64; 2]| p.map(|corner| f64::from(self.coordinates.local(corner as i32)));
        orient2d(local(a), local(b), local(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build3d::test_fields::Dice;

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

    #[test]
    fn a_turn_that_is_called_sure_is_the_exact_one() {
        let mut dice = Dice(11);
        let mut unsure = 0;
        for _ in 0..200_000 {
            let tile_cells = 1 + dice.roll(3000);
            let coordinates = TileCoordinates {
                border: dice.roll(10),
                tile_cells,
                cell_size: 1e3 / f64::from(1 + dice.roll(99)) / f64::from(tile_cells),
                tile_size: 0.0,
                cell_height: 0.2,
                min_row: 0,
            };
            let tile_size = f64::from((coordinates.cell_size * f64::from(tile_cells)) as f32);
            let coordinates =
                TileCoordinates { cell_size: tile_size / f64::from(tile_cells), tile_size, ..coordinates };
            let turns = Turns::new(coordinates);
            let across = tile_cells + 2 * coordinates.border + 1;
            let mut corner = || [0; 2].map(|_: i64| i64::from(dice.roll(across)));
            let (a, b) = (corner(), corner());
            // The third corner lies close to the line of the others.
            let near = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
            let c = [near[0] + i64::from(dice.roll(3)) - 1, near[1] + i64::from(dice.roll(3)) - 1];
            let exact = turns.exact_turn(a, b, c);
            assert_eq!(turns.turn(a, b, c), exact);
            let cells = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            unsure += usize::from(cells.signum() as i32 != exact.sign());
        }
        // Rounding does tip some that are straight in cells.
        assert!(unsure > 100);
    }
}
