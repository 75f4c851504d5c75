//! Where a grid lies in the world (`grids.md`, "World mapping and the coordinate rule").

use super::Cell;
use crate::error::{Error, Result, Subject};
use crate::math::floor;

/// World coordinates of grids reach from minus this to this, both included: 2^21.
pub const WORLD_BOUND: f64 = 2_097_152.0;

/// The origin and the cell size of a grid.
///
/// The default, all zeros, is the unassigned space: unit cells from the world's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridSpace {
    origin: [f64; 2],
    size: f64,
}

impl GridSpace {
    /// Unit cells from the world's origin, not assigned by anyone.
    pub const UNASSIGNED: GridSpace = GridSpace { origin: [0.0; 2], size: 0.0 };

    /// A space of square cells of `size` world units from the world position `origin`.
    ///
    /// # Errors
    /// An origin coordinate (0 is x, 1 is y) that is no number or past 2^21, a size that is not above 0 or past 2^21.
    pub fn new(origin: [f64; 2], size: f64) -> Result<GridSpace> {
        for (axis, value) in origin.into_iter().enumerate() {
            checked_coordinate(value, Subject::Origin, axis)?;
        }
        if size.is_nan() || size <= 0.0 {
            return Err(Error::invalid(Subject::CellSize).value(size));
        }
        if size > WORLD_BOUND {
            return Err(Error::limit(Subject::CellSize).value(size).bound(WORLD_BOUND));
        }
        Ok(GridSpace { origin, size })
    }

    /// The world position of the top-left corner of cell (0, 0).
    pub const fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// The side of a cell in world units.
    pub const fn cell_size(&self) -> f64 {
        if self.size == 0.0 { 1.0 } else { self.size }
    }

    /// The side of a cell as it is saved: 0 where nobody has assigned the space.
    pub(super) const fn saved_size(&self) -> f64 {
        self.size
    }

    /// Whether nobody has assigned it.
    pub const fn is_unassigned(&self) -> bool {
        self.size == 0.0
    }

    /// The world position of a cell's centre.
    pub fn center(&self, cell: Cell) -> [f64; 2] {
        let at = |origin: f64, index: i32| origin + (f64::from(index) + 0.5) * self.cell_size();
        [at(self.origin[0], cell.x), at(self.origin[1], cell.y)]
    }

    /// The cell that a world position lies in, whether or not a grid has it. What is past the range of 32 bits is
    /// the cell at its end, outside of any grid.
    ///
    /// # Errors
    /// A coordinate (0 is x, 1 is y) that is no number or past 2^21.
    pub fn cell_at(&self, position: [f64; 2]) -> Result<Cell> {
        let index = |axis: usize| -> Result<i32> {
            let value = checked_coordinate(position[axis], Subject::Position, axis)?;
            Ok(floor((value - self.origin[axis]) / self.cell_size()) as i32) // the cast saturates
        };
        Ok(Cell { x: index(0)?, y: index(1)? })
    }
}

fn checked_coordinate(value: f64, subject: Subject, axis: usize) -> Result<f64> {
    if !value.is_finite() {
        return Err(Error::invalid(subject).at(axis).value(value));
    }
    if value.abs() > WORLD_BOUND {
        return Err(Error::limit(subject).at(axis).value(value).bound(WORLD_BOUND));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_position_maps_to_its_cell_and_a_cell_to_its_centre() {
        let space = GridSpace::new([10.0, -4.0], 0.5).unwrap();
        assert_eq!(space.center(Cell::new(0, 3)), [10.25, -2.25]);
        assert_eq!(space.cell_at([10.0, -4.0]), Ok(Cell::new(0, 0)));
        assert_eq!(space.cell_at([9.99, -3.5]), Ok(Cell::new(-1, 1)));
        assert_eq!(GridSpace::default().cell_at([2.5, 0.0]), Ok(Cell::new(2, 0)));
    }

    #[test]
    fn the_bound_is_inclusive_and_what_is_past_it_is_named() {
        let far = f64::from_bits(WORLD_BOUND.to_bits() + 1);
        assert!(GridSpace::new([WORLD_BOUND, -WORLD_BOUND], WORLD_BOUND).is_ok());
        let error = GridSpace::new([0.0, far], 1.0).unwrap_err();
        assert_eq!((error.kind(), error.index()), (ErrorKind::Limit, Some(1)));
        for size in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(GridSpace::new([0.0; 2], size).unwrap_err().kind(), ErrorKind::Invalid);
        }
        assert_eq!(GridSpace::new([0.0; 2], far).unwrap_err().kind(), ErrorKind::Limit);
        let space = GridSpace::default();
        assert!(space.cell_at([WORLD_BOUND, -WORLD_BOUND]).is_ok());
        assert_eq!(space.cell_at([far, 0.0]).unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(space.cell_at([0.0, f64::NAN]).unwrap_err().kind(), ErrorKind::Invalid);
    }

    #[test]
    fn the_smallest_cells_put_far_positions_outside_of_every_grid() {
        let space = GridSpace::new([0.0; 2], f64::MIN_POSITIVE).unwrap();
        assert_eq!(space.cell_at([1.0, -1.0]), Ok(Cell::new(i32::MAX, i32::MIN)));
    }
}
