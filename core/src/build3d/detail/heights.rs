//! Height lookup: the floor row at a place, nearest to an expected one.

use crate::build3d::compact::Compact;
use crate::math::floor;

/// Looks rows up in one field.
pub(super) struct Heights<'t> {
    field: &'t Compact<'t>,
    reach: f64,
}

impl<'t> Heights<'t> {
    pub fn new(field: &'t Compact<'t>, walkable_climb: u32) -> Self {
        Heights { field, reach: f64::from(walkable_climb.max(1)) + 1.0 }
    }

    /// The floor row nearest to `expected` among the spans of the cells around a place, in cells; only those of a region
    /// when one is given. On ties the lowest cell wins, then the lowest span.
    pub fn nearest_row(&self, x: f64, z: f64, expected: f64, region: Option<u32>) -> Option<u16> {
        let frame = &self.field.frame;
        let mut best = None;
        let mut least = f64::INFINITY;
        let (xs, zs) = (cells_at(x, frame.width), cells_at(z, frame.depth));
        for z in zs {
            for x in xs.clone() {
                let column = x as usize + z as usize * frame.width as usize;
                for span in self.field.firsts[column] as usize..self.field.firsts[column + 1] as usize {
                    let row = self.field.spans[span].y;
                    let away = (f64::from(row) - expected).abs();
                    let wanted = region.is_none_or(|region| self.field.regions[span] == region);
                    if wanted && away <= self.reach && away < least {
                        least = away;
                        best = Some(row);
                    }
                }
            }
        }
        best
    }
}

/// The cells that a place along one axis belongs to, within the grid: a place on a cell's side belongs to both.
fn cells_at(place: f64, count: u32) -> core::ops::Range<u32> {
    let whole = floor(place);
    let cell = whole as i64;
    let first = if whole == place { cell - 1 } else { cell };
    first.clamp(0, i64::from(count)) as u32..(cell + 1).clamp(0, i64::from(count)) as u32
}
