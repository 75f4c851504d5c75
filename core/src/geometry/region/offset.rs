//! Offsets: every boundary edge swept by a circle or a square, and the region joined with what that covers or robbed of it
//! (`build2d-geometry.md`, "Offsetting").

use super::arrangement::{EdgeList, check_bounds};
use super::circle::Circumscribed;
use super::exact::step;
use super::{Edge, GridPoint, Region, SnapGrid};
use crate::error::{Error, Result, Subject};
use crate::math::{max, round_half_even, sqrt};

/// The largest distance, world units.
const MAX_DISTANCE: f64 = (1u64 << 20) as f64;

/// What an offset does around corners.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Join {
    /// Everything within the distance, corners round: a polygon of 8 to 256 corners about each circle, whose corners lie at
    /// most `arc_tolerance` world units outside it. Below one grid unit, as 0, it stands for a 128th of the distance.
    Round {
        /// How far arcs may lie outside.
        arc_tolerance: f64,
    },
    /// Everything within the distance along both axes: the sum with a square whose sides run along them.
    Square,
}

/// How far pieces reach, in grid units, and where their points may lie.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub radius: f64,
    bound: i64,
}

impl Reach {
    /// Refuses a distance that is negative, past 2^20 or not a number.
    pub fn new(grid: SnapGrid, distance: f64) -> Result<Reach> {
        if !(0.0..=MAX_DISTANCE).contains(&distance) {
            return Err(Error::invalid(Subject::OffsetDistance).value(distance).bound(MAX_DISTANCE));
        }
        Ok(Reach { radius: distance * grid.per_unit(), bound: (3 << 20) << grid.bits() })
    }

    /// The end of a normal that begins at a point.
    pub fn tip(&self, at: GridPoint, normal: [f64; 2]) -> Result<GridPoint> {
        self.moved(at, [self.radius * normal[0], self.radius * normal[1]])
    }

    /// A point moved and rounded to the grid, ties to even as for input; refused past the bound of offsets.
    pub fn moved(&self, at: GridPoint, by: [f64; 2]) -> Result<GridPoint> {
        let coordinate = |from: i64, by: f64| round_half_even(from as f64 + by) as i64;
        self.checked(GridPoint { x: coordinate(at.x, by[0]), y: coordinate(at.y, by[1]) })
    }

    fn checked(&self, point: GridPoint) -> Result<GridPoint> {
        match [point.x, point.y].into_iter().find(|v| v.abs() > self.bound) {
            Some(far) => Err(Error::limit(Subject::OffsetPoint).value(far as f64).bound(self.bound as f64)),
            None => Ok(point),
        }
    }
}

/// Refuses an arc tolerance that is negative or not finite; returns it in grid units.
pub(super) fn checked_tolerance(grid: SnapGrid, arc_tolerance: f64) -> Result<f64> {
    if arc_tolerance.is_finite() && arc_tolerance >= 0.0 {
        return Ok(arc_tolerance * grid.per_unit());
    }
    Err(Error::invalid(Subject::ArcTolerance).value(arc_tolerance))
}

/// The unit vector to the left of an edge.
pub(super) fn left_normal(a: GridPoint, b: GridPoint) -> [f64; 2] {
    let [dx, dy] = step(a, b).map(|d| d as f64);
    let length = sqrt(dx * dx + dy * dy);
    [-dy / length, dx / length]
}

/// An offset by one distance on one grid.
pub(super) struct Offset {
    reach: Reach,
    piece: Piece,
}

/// What each boundary edge sweeps.
enum Piece {
    /// A rectangle, and the circle about each vertex.
    Round(Circumscribed),
    /// The hull of two squares of this half side.
    Square(i64),
}

impl Offset {
    pub fn new(grid: SnapGrid, distance: f64, join: Join) -> Result<Offset> {
        let reach = Reach::new(grid, distance.abs())?;
        let piece = match join {
            Join::Round { arc_tolerance } => {
                Piece::Round(Circumscribed::new(reach.radius, checked_tolerance(grid, arc_tolerance)?))
            }
            Join::Square => Piece::Square(max(1.0, round_half_even(reach.radius)) as i64),
        };
        Ok(Offset { reach, piece })
    }

    /// Adds the region's edges for the first operand and the pieces' for the second. A vertex of several rings has its
    /// circle as often: what is covered twice is covered.
    pub fn push(&self, region: &Region<'_>, list: &mut EdgeList<'_>) -> Result<()> {
        check_bounds(region.points)?;
        for [a, b] in region.edges() {
            list.push(Edge { a, b, delta: [1, 0] })?;
            match &self.piece {
                Piece::Round(circle) => {
                    push_polygon(list, self.rectangle(a, b)?.map(Ok))?;
                    push_polygon(list, circle.corners().map(|by| self.reach.moved(a, by)))?;
                }
                Piece::Square(half) => self.push_hull([a.min(b), a.max(b)], *half, list)?,
            }
        }
        Ok(())
    }

    /// The rectangle as wide as the circle along an edge.
    fn rectangle(&self, a: GridPoint, b: GridPoint) -> Result<[GridPoint; 4]> {
        let left = left_normal(a, b);
        let right = left.map(|v| -v);
        let tip = |at, normal| self.reach.tip(at, normal);
        Ok([tip(a, right)?, tip(b, right)?, tip(b, left)?, tip(a, left)?])
    }

    /// The hull of the squares about both ends of an edge, its smaller end first; no corner lies on a straight side.
    fn push_hull(&self, [a, b]: [GridPoint; 2], half: i64, list: &mut EdgeList<'_>) -> Result<()> {
        let corner =
            |p: GridPoint, x: i64, y: i64| self.reach.checked(GridPoint { x: p.x + x * half, y: p.y + y * half });
        let (left, right) = ([(a, -1, 1), (a, -1, -1)], [(b, 1, -1), (b, 1, 1)]);
        let way = step(a, b);
        // Of the corners between, those on the side that the edge leans away from stick out.
        let hull = match (way[0], way[1].signum()) {
            (0, _) => [Some((a, -1, -1)), Some((a, 1, -1)), None, Some((b, 1, 1)), Some((b, -1, 1)), None],
            (_, 0) => [Some(left[0]), Some(left[1]), None, Some(right[0]), Some(right[1]), None],
            (_, 1) => {
                [Some(left[0]), Some(left[1]), Some((a, 1, -1)), Some(right[0]), Some(right[1]), Some((b, -1, 1))]
            }
            _ => [Some(left[0]), Some(left[1]), Some((b, -1, -1)), Some(right[0]), Some(right[1]), Some((a, 1, 1))],
        };
        push_polygon(list, hull.into_iter().flatten().map(|(p, x, y)| corner(p, x, y)))
    }
}

/// Adds the edges of a closed polygon for the second operand.
fn push_polygon(list: &mut EdgeList<'_>, corners: impl IntoIterator<Item = Result<GridPoint>>) -> Result<()> {
    let mut ends: Option<[GridPoint; 2]> = None;
    for corner in corners {
        let b = corner?;
        if let Some([_, a]) = ends {
            list.push(Edge { a, b, delta: [0, 1] })?;
        }
        ends = Some([ends.map_or(b, |[first, _]| first), b]);
    }
    ends.map_or(Ok(()), |[first, a]| list.push(Edge { a, b: first, delta: [0, 1] }))
}
