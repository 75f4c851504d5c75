//! The one-sided shrink by an agent's radius, with arcs of the disc's own area
//! (`build2d-geometry.md`, "Shrinking for the build" and "Equal-area arcs").

use super::arrangement::{EdgeList, check_bounds};
use super::exact::{step, turn};
use super::{Edge, GridPoint, Region, SnapGrid};
use crate::error::{Error, Result, Subject};
use crate::math::{round_half_even, sqrt};

/// The largest distance, world units.
const MAX_DISTANCE: f64 = (1u64 << 20) as f64;
/// The most corners of a circle.
const MAX_CORNERS: usize = 256;
/// Halvings of the search for the arc's scale.
const BISECTIONS: usize = 60;

/// A shrink by one radius on one grid: the radius in grid units and the polygon that stands for its circle.
pub(super) struct Shrink {
    radius: f64,
    arc: Arc,
    bound: i64,
}

/// A polygon about a circle, the same in each quadrant; offsets from the centre, counter-clockwise.
struct Arc {
    corners: [[f64; 2]; MAX_CORNERS],
    count: usize,
}

impl Shrink {
    pub fn new(grid: SnapGrid, radius: f64, arc_tolerance: f64) -> Result<Shrink> {
        if !(0.0..=MAX_DISTANCE).contains(&radius) {
            return Err(Error::invalid(Subject::OffsetDistance).value(radius).bound(MAX_DISTANCE));
        }
        if !(arc_tolerance.is_finite() && arc_tolerance >= 0.0) {
            return Err(Error::invalid(Subject::ArcTolerance).value(arc_tolerance));
        }
        let radius = radius * grid.per_unit();
        let bound = (3 << 20) << grid.bits();
        Ok(Shrink { radius, arc: Arc::of_equal_area(radius, arc_tolerance * grid.per_unit()), bound })
    }

    /// Adds the region's own edges and those of the swept pieces that can matter.
    pub fn push_pieces(&self, region: &Region<'_>, list: &mut EdgeList<'_>) -> Result<()> {
        check_bounds(region.points)?;
        let swept = self.radius > 0.0;
        for ring in region.rings() {
            let count = ring.len();
            let at = |i: usize| ring[i % count];
            for i in 0..count {
                let (before, a, b, after) = (at(i + count - 1), at(i), at(i + 1), at(i + 2));
                // The piece's side along the boundary is the boundary's own edge, so it counts for both.
                list.push(Edge { a, b, delta: [1, i32::from(swept)] })?;
                if !swept {
                    continue;
                }
                let normal = inward_normal(a, b);
                let (near_a, near_b) = (self.tip(a, normal)?, self.tip(b, normal)?);
                let mut side = |a, b| list.push(Edge { a, b, delta: [0, 1] });
                // Where a sector stands at an end, its straight side and the rectangle's cancel: neither is added.
                if !is_reflex(a, b, after) {
                    side(b, near_b)?;
                }
                side(near_b, near_a)?;
                if is_reflex(before, a, b) {
                    let incoming = inward_normal(before, a);
                    self.push_arc(a, normal, incoming, [near_a, self.tip(a, incoming)?], &mut side)?;
                } else {
                    side(near_a, a)?;
                }
            }
        }
        Ok(())
    }

    /// The arc about a reflex corner, counter-clockwise from one tip to the other.
    fn push_arc(
        &self,
        center: GridPoint,
        from: [f64; 2],
        to: [f64; 2],
        tips: [GridPoint; 2],
        side: &mut impl FnMut(GridPoint, GridPoint) -> Result<()>,
    ) -> Result<()> {
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let corner = |i: usize| self.arc.corners[i % self.arc.count];
        let within = |i: usize| cross(from, corner(i)) > 0.0 && cross(corner(i), to) > 0.0;
        let mut last = tips[0];
        // The sector is less than a half turn, so the corners within it follow one another once around.
        let first = (0..self.arc.count).find(|&i| within(i) && !within(i + self.arc.count - 1));
        if let Some(first) = first {
            for i in (first..first + self.arc.count).take_while(|&i| within(i)) {
                let next = self.moved(center, corner(i))?;
                side(last, next)?;
                last = next;
            }
        }
        side(last, tips[1])
    }

    fn tip(&self, at: GridPoint, normal: [f64; 2]) -> Result<GridPoint> {
        self.moved(at, [self.radius * normal[0], self.radius * normal[1]])
    }

    /// A point moved and rounded to the grid; refused past the bound of offsets.
    fn moved(&self, at: GridPoint, by: [f64; 2]) -> Result<GridPoint> {
        let coordinate = |from: i64, by: f64| round_half_even(from as f64 + by) as i64;
        let point = GridPoint { x: coordinate(at.x, by[0]), y: coordinate(at.y, by[1]) };
        if point.x.abs() > self.bound || point.y.abs() > self.bound {
            return Err(Error::limit(Subject::OffsetPoint).value(point.x as f64).bound(self.bound as f64));
        }
        Ok(point)
    }
}

/// Whether the boundary turns right at `a`: the interior, on its left, is wider than a half turn there.
fn is_reflex(before: GridPoint, a: GridPoint, b: GridPoint) -> bool {
    turn(step(before, a), step(a, b)) < 0
}

/// The unit vector to the left of an edge.
fn inward_normal(a: GridPoint, b: GridPoint) -> [f64; 2] {
    let [dx, dy] = step(a, b).map(|d| d as f64);
    let length = sqrt(dx * dx + dy * dy);
    [-dy / length, dx / length]
}

impl Arc {
    /// The polygon for a radius and tolerance in grid units: the circumscribed one, its corners drawn in so that each
    /// quadrant has the area of a quarter disc.
    fn of_equal_area(radius: f64, tolerance: f64) -> Arc {
        let tolerance = if tolerance >= 1.0 { tolerance } else { crate::math::max(1.0, radius / 128.0) };
        // Cosine and sine of a quarter turn, halved down to half a step of the octagon.
        let mut half = halved(halved([0.0, 1.0]));
        let mut step = halved([0.0, 1.0]);
        let mut count = 8;
        while count < MAX_CORNERS && radius / half[0] - radius > tolerance {
            (step, half, count) = (half, halved(half), count * 2);
        }
        let quarter = count / 4;
        let mut corners = [[0.0; 2]; MAX_CORNERS];
        let out = radius / half[0];
        let mut unit = half;
        for corner in corners[..quarter].iter_mut() {
            *corner = [out * unit[0], out * unit[1]];
            unit = [unit[0] * step[0] - unit[1] * step[1], unit[0] * step[1] + unit[1] * step[0]];
        }
        let tangent = radius * (half[1] / half[0]);
        let scale = equal_area_scale(&corners[..quarter], radius, tangent);
        draw_in(&mut corners[..quarter], radius, tangent, scale);
        for i in quarter..count {
            let [x, y] = corners[i - quarter];
            corners[i] = [-y, x];
        }
        Arc { corners, count }
    }
}

/// Cosine and sine of half the angle, for angles up to a quarter turn.
fn halved([cosine, sine]: [f64; 2]) -> [f64; 2] {
    let half = sqrt((1.0 + cosine) / 2.0);
    [half, sine / (2.0 * half)]
}

/// Moves a quadrant's corners: the first and last along the tangents at the axes, the others towards the centre.
fn draw_in(corners: &mut [[f64; 2]], radius: f64, tangent: f64, scale: f64) {
    let last = corners.len() - 1;
    for (i, corner) in corners.iter_mut().enumerate() {
        *corner = match i {
            0 => [radius, scale * tangent],
            _ if i == last => [scale * tangent, radius],
            _ => [scale * corner[0], scale * corner[1]],
        };
    }
}

/// The scale at which the quadrant has the area of a quarter disc.
fn equal_area_scale(corners: &[[f64; 2]], radius: f64, tangent: f64) -> f64 {
    let wanted = core::f64::consts::PI * (radius * radius) / 4.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        let mut drawn = [[0.0; 2]; MAX_CORNERS / 4];
        let drawn = &mut drawn[..corners.len()];
        drawn.copy_from_slice(corners);
        draw_in(drawn, radius, tangent, middle);
        let mut twice = 0.0;
        let mut from = [radius, 0.0];
        for &to in drawn.iter().chain([&[0.0, radius]]) {
            twice += from[0] * to[1] - from[1] * to[0];
            from = to;
        }
        if twice / 2.0 < wanted { low = middle } else { high = middle }
    }
    high
}
