//! The snap grid: the one rounding between a host's doubles and exact integers
//! (`build2d-geometry.md`, "Coordinates and the snap grid").

use super::GridPoint;
use crate::error::{Error, Result, Subject};
use crate::math::round_half_even;

/// The finest grid: a unit of 2^-16.
pub const MAX_SNAP_BITS: u32 = 16;

/// The largest magnitude of a public coordinate, 2^21, inclusive.
pub const MAX_COORDINATE: f64 = (1u64 << 21) as f64;

/// A square grid of unit 2^-bits that every coordinate is rounded to.
///
/// ```
/// use navarena::geometry::region::{GridPoint, SnapGrid};
/// let grid = SnapGrid::new(8).unwrap();
/// let point = grid.snap([1.5, -0.1]).unwrap();
/// assert_eq!(point, GridPoint { x: 384, y: -26 });
/// assert_eq!(grid.position(point), [1.5, -0.1015625]);
/// assert!(SnapGrid::new(17).is_err() && grid.snap([f64::NAN, 0.0]).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SnapGrid {
    bits: u32,
}

impl SnapGrid {
    /// The finest grid, the default: a unit of about 1.5e-5.
    pub const FINEST: SnapGrid = SnapGrid { bits: MAX_SNAP_BITS };

    /// The grid of unit 2^-bits; more than [`MAX_SNAP_BITS`] are refused as too fine.
    pub const fn new(bits: u32) -> Result<SnapGrid> {
        if bits > MAX_SNAP_BITS {
            return Err(Error::invalid(Subject::SnapBits).value(bits as f64).bound(MAX_SNAP_BITS as f64));
        }
        Ok(SnapGrid { bits })
    }

    /// How many bits lie behind the point.
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Grid units in a world unit: 2^bits.
    #[inline]
    pub const fn per_unit(self) -> f64 {
        (1u64 << self.bits) as f64
    }

    /// The nearest grid coordinate, the even one of two as near. A coordinate that is not a number or past
    /// [`MAX_COORDINATE`] is refused as a vertex, with its value.
    #[inline]
    pub fn snap_coordinate(self, coordinate: f64) -> Result<i64> {
        let magnitude = coordinate.abs();
        if magnitude <= MAX_COORDINATE {
            return Ok(round_half_even(coordinate * self.per_unit()) as i64);
        }
        let refused = if magnitude.is_finite() {
            Error::limit(Subject::Vertex).bound(MAX_COORDINATE)
        } else {
            Error::invalid(Subject::Vertex)
        };
        Err(refused.value(coordinate))
    }

    /// The nearest grid point; refused like [`snap_coordinate`](SnapGrid::snap_coordinate).
    #[inline]
    pub fn snap(self, [x, y]: [f64; 2]) -> Result<GridPoint> {
        Ok(GridPoint { x: self.snap_coordinate(x)?, y: self.snap_coordinate(y)? })
    }

    /// The world coordinate of a grid coordinate; exact.
    #[inline]
    pub fn coordinate(self, units: i64) -> f64 {
        units as f64 / self.per_unit()
    }

    /// The world position of a grid point; exact.
    #[inline]
    pub fn position(self, point: GridPoint) -> [f64; 2] {
        [self.coordinate(point.x), self.coordinate(point.y)]
    }
}

impl Default for SnapGrid {
    fn default() -> Self {
        SnapGrid::FINEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn ties_go_to_the_even_unit_and_the_bound_is_inclusive() {
        let grid = SnapGrid::new(0).unwrap();
        assert_eq!([0.5, 1.5, -0.5, -2.5, 2097152.0].map(|x| grid.snap_coordinate(x).unwrap()), [0, 2, 0, -2, 1 << 21]);
        let past = grid.snap_coordinate(2097152.5).unwrap_err();
        assert_eq!(
            (past.kind(), past.refused(), past.limit_value()),
            (ErrorKind::Limit, Some(2097152.5), Some(2097152.0))
        );
        assert_eq!(grid.snap_coordinate(f64::INFINITY).unwrap_err().kind(), ErrorKind::Invalid);
        assert!(grid.snap_coordinate(f64::NAN).is_err());
    }

    #[test]
    fn positions_are_exact() {
        for bits in 0..=MAX_SNAP_BITS {
            let grid = SnapGrid::new(bits).unwrap();
            for units in [0, 1, -1, 12_345, (1 << (21 + bits)) - 1, -(1 << (21 + bits))] {
                assert_eq!(grid.snap_coordinate(grid.coordinate(units)), Ok(units));
            }
        }
        assert_eq!(SnapGrid::new(17).unwrap_err().limit_value(), Some(16.0));
    }
}
