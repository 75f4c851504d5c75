//! The grid a tile is voxelized on: cells along x and z, rows along y (`build3d-spans.md`, section 1).

use crate::error::{Error, Result, Subject};

/// World coordinates stay within plus and minus this.
pub const MAX_COORDINATE: f64 = 2_097_152.0;
/// The smallest cell size and cell height, 2^-20.
pub const MIN_CELL: f32 = 1.0 / 1_048_576.0;
/// The largest cell size and cell height, 2^20.
pub const MAX_CELL: f32 = 1_048_576.0;
/// Most cells along x and along z, so that a float32 resolves a tile-local cell to 1/256.
pub const MAX_SIDE: u32 = 65_536;
/// Most columns of a grid.
pub const MAX_COLUMNS: u64 = 1 << 24;
/// Most rows of a grid.
pub const MAX_ROWS: u32 = 65_535;

/// Where the cells lie in the world. A column is `x + z * width`; a row is counted from the origin's height.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    /// A grid of `width` by `depth` columns and `rows` rows whose lowest corner is `origin`.
    ///
    /// Refuses a coordinate that is not finite or past [`MAX_COORDINATE`], a cell outside [`MIN_CELL`] to
    /// [`MAX_CELL`], an empty grid, and one past [`MAX_SIDE`], [`MAX_COLUMNS`] or [`MAX_ROWS`].
    ///
    /// ```
    /// use navarena::build3d::frame::Frame;
    /// let frame = Frame::new([0.0; 3], 0.3, 0.2, 64, 32, 100)?;
    /// assert_eq!(frame.columns(), 2048);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn new(origin: [f64; 3], cell_size: f32, cell_height: f32, width: u32, depth: u32, rows: u32) -> Result<Frame> {
        check_point(origin, Error::invalid(Subject::Origin), Error::limit(Subject::Origin))?;
        check_cell(cell_size, Subject::CellSize)?;
        check_cell(cell_height, Subject::CellHeight)?;
        check_side(width)?;
        check_side(depth)?;
        let columns = u64::from(width) * u64::from(depth);
        if columns > MAX_COLUMNS {
            return Err(Error::limit(Subject::Columns).value(columns as f64).bound(MAX_COLUMNS as f64));
        }
        if rows == 0 {
            return Err(Error::invalid(Subject::Rows).value(0.0));
        }
        if rows > MAX_ROWS {
            return Err(Error::limit(Subject::Rows).value(f64::from(rows)).bound(f64::from(MAX_ROWS)));
        }
        Ok(Frame { origin, cell_size, cell_height, width, depth, rows })
    }

    /// The least grid that begins at `min` and covers `max`; its counts are computed in float64.
    ///
    /// Refuses bounds that are empty or inverted, and what [`Frame::new`] refuses.
    pub fn from_bounds(min: [f64; 3], max: [f64; 3], cell_size: f32, cell_height: f32) -> Result<Frame> {
        check_point(min, Error::invalid(Subject::Bounds).at(0), Error::limit(Subject::Bounds).at(0))?;
        check_point(max, Error::invalid(Subject::Bounds).at(1), Error::limit(Subject::Bounds).at(1))?;
        check_cell(cell_size, Subject::CellSize)?;
        check_cell(cell_height, Subject::CellHeight)?;
        let size = [cell_size, cell_height, cell_size];
        let mut count = [0; 3];
        for axis in 0..3 {
            let extent = max[axis] - min[axis];
            if extent <= 0.0 {
                return Err(Error::invalid(Subject::Bounds).part(axis).value(extent));
            }
            // At most 2^22 / 2^-20 cells, which a u64 holds; what passes u32 is past every bound.
            count[axis] = ceil_positive(extent / f64::from(size[axis])).min(u64::from(u32::MAX)) as u32;
        }
        Frame::new(min, cell_size, cell_height, count[0], count[2], count[1])
    }

    /// How many columns the grid has.
    pub const fn columns(&self) -> usize {
        self.width as usize * self.depth as usize
    }

    /// What to add, wrapping, to a column for its neighbour in each direction.
    pub(crate) const fn steps(&self) -> [usize; 4] {
        let row = self.width as usize;
        [usize::MAX, row, 1, row.wrapping_neg()]
    }

    /// The column of a cell, which must lie in the grid.
    pub const fn column(&self, x: u32, z: u32) -> usize {
        x as usize + z as usize * self.width as usize
    }
}

/// Refuses a coordinate that is not finite with `not_finite`, and one past the bound with `too_far`, naming the axis.
pub(crate) fn check_point(point: [f64; 3], not_finite: Error, too_far: Error) -> Result<()> {
    for (axis, &value) in point.iter().enumerate() {
        if !value.is_finite() {
            return Err(not_finite.part(axis).value(value));
        }
        if value.abs() > MAX_COORDINATE {
            return Err(too_far.part(axis).value(value).bound(MAX_COORDINATE));
        }
    }
    Ok(())
}

fn check_cell(size: f32, subject: Subject) -> Result<()> {
    let refused = |bound: f32| Err(Error::limit(subject).value(f64::from(size)).bound(f64::from(bound)));
    if size.is_nan() || size <= 0.0 {
        Err(Error::invalid(subject).value(f64::from(size)))
    } else if size < MIN_CELL {
        refused(MIN_CELL)
    } else if size > MAX_CELL {
        refused(MAX_CELL)
    } else {
        Ok(())
    }
}

fn check_side(cells: u32) -> Result<()> {
    if cells == 0 {
        return Err(Error::invalid(Subject::Columns).value(0.0));
    }
    if cells > MAX_SIDE {
        return Err(Error::limit(Subject::Columns).value(f64::from(cells)).bound(f64::from(MAX_SIDE)));
    }
    Ok(())
}

/// The ceiling of a value in `0..2^53`.
fn ceil_positive(value: f64) -> u64 {
    let whole = value as u64;
    whole + u64::from(whole as f64 != value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn refusal(frame: Result<Frame>) -> (ErrorKind, Subject) {
        let error = frame.unwrap_err();
        (error.kind(), error.subject())
    }

    #[test]
    fn bounds_give_the_least_grid_that_covers_them() {
        let frame = Frame::from_bounds([-1.0, 0.0, 2.0], [1.0, 0.9, 2.1], 0.5, 0.25).unwrap();
        assert_eq!((frame.width, frame.rows, frame.depth), (4, 4, 1));
        assert_eq!(frame.origin, [-1.0, 0.0, 2.0]);
    }

    #[test]
    fn every_limit_is_named() {
        use ErrorKind::{Invalid, Limit};
        let make = |origin, cs, ch, w, d, h| refusal(Frame::new(origin, cs, ch, w, d, h));
        assert_eq!(make([f64::NAN, 0.0, 0.0], 1.0, 1.0, 1, 1, 1), (Invalid, Subject::Origin));
        assert_eq!(make([0.0, f64::INFINITY, 0.0], 1.0, 1.0, 1, 1, 1), (Invalid, Subject::Origin));
        assert_eq!(make([0.0, 0.0, 2_097_152.5], 1.0, 1.0, 1, 1, 1), (Limit, Subject::Origin));
        assert_eq!(make([0.0; 3], f32::NAN, 1.0, 1, 1, 1), (Invalid, Subject::CellSize));
        assert_eq!(make([0.0; 3], 0.0, 1.0, 1, 1, 1), (Invalid, Subject::CellSize));
        assert_eq!(make([0.0; 3], MIN_CELL / 2.0, 1.0, 1, 1, 1), (Limit, Subject::CellSize));
        assert_eq!(make([0.0; 3], 1.0, MAX_CELL * 2.0, 1, 1, 1), (Limit, Subject::CellHeight));
        assert_eq!(make([0.0; 3], 1.0, 1.0, 0, 1, 1), (Invalid, Subject::Columns));
        assert_eq!(make([0.0; 3], 1.0, 1.0, 65_537, 1, 1), (Limit, Subject::Columns));
        assert_eq!(make([0.0; 3], 1.0, 1.0, 65_536, 257, 1), (Limit, Subject::Columns));
        assert_eq!(make([0.0; 3], 1.0, 1.0, 1, 1, 0), (Invalid, Subject::Rows));
        assert_eq!(make([0.0; 3], 1.0, 1.0, 1, 1, 65_536), (Limit, Subject::Rows));
        assert!(Frame::new([2_097_152.0; 3], MIN_CELL, MAX_CELL, 65_536, 256, 65_535).is_ok());
    }

    #[test]
    fn empty_and_inverted_bounds_are_refused() {
        let bounds = |min, max| refusal(Frame::from_bounds(min, max, 1.0, 1.0));
        assert_eq!(bounds([0.0; 3], [1.0, 0.0, 1.0]), (ErrorKind::Invalid, Subject::Bounds));
        assert_eq!(bounds([0.0; 3], [-1.0, 1.0, 1.0]), (ErrorKind::Invalid, Subject::Bounds));
        assert_eq!(bounds([0.0; 3], [1.0, 1.0, f64::NAN]), (ErrorKind::Invalid, Subject::Bounds));
        assert_eq!(
            refusal(Frame::from_bounds([-2_097_152.0; 3], [2_097_152.0; 3], MIN_CELL, 1.0)),
            (ErrorKind::Limit, Subject::Columns)
        );
    }
}
