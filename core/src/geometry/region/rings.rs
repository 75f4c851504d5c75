//! A region's rings: the plain product that every stage takes and makes
//! (`build2d-geometry.md`, "Outlines, fill rule, regions").

use super::SnapGrid;
use crate::geometry::predicates::{Turn, orient2d};
use crate::memory::{Pod, Zeroable};

/// A point of the snap grid; ordered by x, then y. Magnitudes stay below [`BOUND`](GridPoint::BOUND).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridPoint {
    /// Grid units to the right.
    pub x: i64,
    /// Grid units up.
    pub y: i64,
}

impl GridPoint {
    /// Magnitudes of coordinates stay below this, 2^39, so that no product of a construction overflows 128 bits.
    pub const BOUND: u64 = 1 << 39;
}

/// A part of the plane, bounded by rings of grid points.
///
/// Rings never cross and meet only at shared vertices. The interior lies left of every edge: outer boundaries run
/// counter-clockwise, holes clockwise. A vertex that only continues a straight line of one ring is left out; each ring
/// begins at its smallest edge in (x, y) order, and rings are ordered by that edge. So equal regions have equal rings,
/// whatever they were made of, where the stages of this module made them; a stage trusts the rules above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region<'a> {
    /// The grid that the points count in.
    pub grid: SnapGrid,
    /// The points of all rings, ring after ring.
    pub points: &'a [GridPoint],
    /// Where each ring ends among the points; it begins where the one before ends.
    pub ends: &'a [u32],
}

impl<'a> Region<'a> {
    /// A region without any points.
    pub const fn empty(grid: SnapGrid) -> Region<'a> {
        Region { grid, points: &[], ends: &[] }
    }

    /// Whether it covers nothing.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many rings it has.
    pub const fn ring_count(&self) -> usize {
        self.ends.len()
    }

    /// The points of one ring; none for a ring it does not have.
    pub fn ring(&self, ring: usize) -> &'a [GridPoint] {
        let start = ring.checked_sub(1).map_or(0, |before| self.ends.get(before).map_or(0, |&end| end as usize));
        let end = self.ends.get(ring).map_or(start, |&end| end as usize);
        self.points.get(start..end).unwrap_or(&[])
    }

    /// Its rings in order.
    pub fn rings(&self) -> impl Iterator<Item = &'a [GridPoint]> + use<'a> {
        let region = *self;
        (0..region.ends.len()).map(move |ring| region.ring(ring))
    }

    /// Its directed edges, ring after ring, interior on the left.
    pub fn edges(&self) -> impl Iterator<Item = [GridPoint; 2]> + use<'a> {
        self.rings().flat_map(ring_edges)
    }

    /// Twice its area in square grid units, exactly; a number of no meaning where points reach [`GridPoint::BOUND`].
    pub fn twice_area(&self) -> i128 {
        self.rings().map(twice_ring_area).fold(0, i128::wrapping_add)
    }

    /// Its area in square world units.
    pub fn area(&self) -> f64 {
        let per_unit = self.grid.per_unit();
        self.twice_area() as f64 / (2.0 * per_unit * per_unit)
    }

    /// Whether a world position lies in it or on its boundary. Exact, however near the boundary is; time grows with the edges.
    ///
    /// ```
    /// use navarena::geometry::region::{GridPoint, Region, SnapGrid};
    /// let points = [[0, 0], [8, 0], [8, 8]].map(|[x, y]| GridPoint { x, y });
    /// let region = Region { grid: SnapGrid::new(2)?, points: &points, ends: &[3] };
    /// assert!(region.contains([1.0, 1.0]) && !region.contains([1.0, 1.0 + f64::EPSILON]));
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn contains(&self, position: [f64; 2]) -> bool {
        let at = position.map(|v| v * self.grid.per_unit());
        if !at.iter().all(|v| v.abs() <= GridPoint::BOUND as f64) {
            return false;
        }
        let mut inside = false;
        for edge in self.edges() {
            let [a, b] = edge.map(|p| [p.x as f64, p.y as f64]);
            let is_level = a[1] == at[1] && b[1] == at[1];
            if a == at || is_level && (a[0] < at[0]) != (b[0] < at[0]) {
                return true;
            }
            let rises = b[1] > at[1];
            if (a[1] > at[1]) != rises {
                match orient2d(a, b, at) {
                    Turn::Straight => return true,
                    turn => inside ^= turn.is_left() == rises,
                }
            }
        }
        inside
    }
}

/// The directed edges of a ring, the closing one last.
pub(super) fn ring_edges<'a>(ring: &'a [GridPoint]) -> impl Iterator<Item = [GridPoint; 2]> + use<'a> {
    let next = ring.iter().skip(1).chain(ring.first());
    ring.iter().zip(next).map(|(&a, &b)| [a, b])
}

/// Twice the signed area of a ring in square grid units: positive when it runs counter-clockwise.
pub(super) fn twice_ring_area(ring: &[GridPoint]) -> i128 {
    let product = |p: i64, q: i64| i128::from(p) * i128::from(q);
    ring_edges(ring).fold(0, |sum: i128, [a, b]| sum.wrapping_add(product(a.x, b.y).wrapping_sub(product(a.y, b.x))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE_WITH_HOLE: [GridPoint; 8] = [
        GridPoint { x: 0, y: 0 },
        GridPoint { x: 9, y: 0 },
        GridPoint { x: 9, y: 9 },
        GridPoint { x: 0, y: 9 },
        GridPoint { x: 3, y: 3 },
        GridPoint { x: 3, y: 6 },
        GridPoint { x: 6, y: 6 },
        GridPoint { x: 6, y: 3 },
    ];

    #[test]
    fn holes_take_their_area_away() {
        let region = Region { grid: SnapGrid::new(1).unwrap(), points: &SQUARE_WITH_HOLE, ends: &[4, 8] };
        assert_eq!((region.twice_area(), region.area()), (144, 18.0));
        assert_eq!(region.ring(1).len(), 4);
        assert!(region.ring(2).is_empty() && !region.is_empty());
        assert_eq!(region.edges().nth(3), Some([GridPoint { x: 0, y: 9 }, GridPoint { x: 0, y: 0 }]));
    }
}
