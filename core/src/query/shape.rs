//! The shapes that an area search is about, seen from above: a circle or a convex polygon, and whether a portal touches
//! them (`navmesh-queries.md`, "Polygon-set queries").
//!
//! What a circle touches is decided by one squared distance. What a polygon touches, and whether two polygons' interiors
//! meet, is decided by exact orientation tests alone, so that no rounding makes or breaks a chain of polygons.

use super::plane::Vec3;
pub(super) use super::surface::squared_distance;
use crate::error::{Error, Result, Subject};
use crate::geometry::predicates::{Turn, orient2d};
use crate::math::sub;

/// The largest radius of a circle: 2^22.
pub const MAX_RADIUS: f64 = 4_194_304.0;
/// The most points of a convex shape.
pub const MAX_SHAPE_POINTS: usize = 64;

/// Coordinates nearer to zero than 2^-100 are read as zero, so that no product of the exact tests underflows.
const SMALLEST: f64 = f64::from_bits((1023 - 100) << 52);

/// A point seen from above: x and z.
pub(super) type Point = [f64; 2];

/// A world position as the exact tests read it.
#[inline]
pub(super) fn seen_from_above(position: Vec3) -> Point {
    [position[0], position[2]].map(|v| if v.abs() < SMALLEST { 0.0 } else { v })
}

/// A shape to search for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<'a> {
    Circle {
        center: Vec3,
        radius: f64,
    },
    /// Counter-clockwise, in its box.
    Convex {
        ring: &'a [Point],
        extent: Extent,
        reference: Vec3,
    },
}

impl Shape<'_> {
    /// The key of a portal that touches the shape: the squared distance from the reference point to it.
    #[inline]
    pub fn reached_by(&self, a: Vec3, b: Vec3) -> Option<f64> {
        match *self {
            Shape::Circle { center, radius } => {
                let squared = squared_distance(a, b, center);
                (squared <= radius * radius).then_some(squared)
            }
            Shape::Convex { ring, ref extent, reference } => {
                let touches = meets_segment((ring, extent), [seen_from_above(a), seen_from_above(b)]);
                touches.then(|| squared_distance(a, b, reference))
            }
        }
    }
}

/// The squared distance between two positions in the plane.
#[inline]
pub(super) fn squared_in_plane(a: Vec3, b: Vec3) -> f64 {
    let [x, _, z] = sub(b, a);
    x * x + z * z
}

/// Refuses a radius that is not finite, negative or past [`MAX_RADIUS`].
pub(super) fn checked_radius(radius: f64) -> Result<()> {
    if !radius.is_finite() || radius < 0.0 {
        return Err(Error::invalid(Subject::Radius).value(radius));
    }
    if radius > MAX_RADIUS {
        return Err(Error::limit(Subject::Radius).value(radius).bound(MAX_RADIUS));
    }
    Ok(())
}

/// The mean of a shape's points, summed in the order they came.
pub(super) fn mean_of(points: &[Vec3]) -> Vec3 {
    let mut sum = [0.0; 3];
    for point in points {
        sum = [sum[0] + point[0], 0.0, sum[2] + point[2]];
    }
    [sum[0] / points.len() as f64, 0.0, sum[2] / points.len() as f64]
}

/// Reads a convex polygon, whichever way round, into the front of `ring`, counter-clockwise, and returns how many points
/// it has. None for fewer than 3 or more than [`MAX_SHAPE_POINTS`], a repeated point, no area, or a ring that is not
/// convex or crosses itself.
pub(super) fn read_convex(points: &[Vec3], ring: &mut [Point]) -> Option<usize> {
    let ring = ring.get_mut(..points.len()).filter(|_| (3..=MAX_SHAPE_POINTS).contains(&points.len()))?;
    for (place, &point) in ring.iter_mut().zip(points) {
        *place = seen_from_above(point);
    }
    // Any bend tells the winding of a convex ring, and one that is not convex is refused whichever it is taken for.
    let bends = (0..ring.len()).map(|i| orient2d(ring[i], ring[(i + 1) % ring.len()], ring[(i + 2) % ring.len()]));
    if bends.into_iter().find(|&turn| turn != Turn::Straight)?.is_right() {
        ring.reverse();
    }
    let is_new = |(i, point): (usize, &Point)| !ring[..i].contains(point);
    let is_left_of_all = edges(ring).all(|(a, b)| ring.iter().all(|&point| !orient2d(a, b, point).is_right()));
    (ring.iter().enumerate().all(is_new) && is_left_of_all).then_some(ring.len())
}

/// The edges of a ring, the closing one first.
#[inline]
fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    let mut before = ring.last().copied().unwrap_or_default();
    ring.iter().map(move |&point| (core::mem::replace(&mut before, point), point))
}

/// A box in the plane: low x, low z, high x, high z.
pub(super) type Extent = [f64; 4];

/// The box of some points.
pub(super) fn extent_of(points: &[Point]) -> Extent {
    let mut extent = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    for point in points {
        for axis in 0..2 {
            if point[axis] < extent[axis] {
                extent[axis] = point[axis];
            }
            if point[axis] > extent[axis + 2] {
                extent[axis + 2] = point[axis];
            }
        }
    }
    extent
}

/// Whether a counter-clockwise convex ring and a segment have a point in common, both closed.
fn meets_segment((ring, extent): (&[Point], &Extent), segment: [Point; 2]) -> bool {
    let holds = |point: Point| edges(ring).all(|(a, b)| !orient2d(a, b, point).is_right());
    let box_of_segment = extent_of(&segment);
    boxes_touch(extent, &box_of_segment)
        && (holds(segment[0])
            || holds(segment[1])
            || edges(ring).any(|(a, b)| boxes_touch(&extent_of(&[a, b]), &box_of_segment) && straddle([a, b], segment)))
}

fn boxes_touch(a: &Extent, b: &Extent) -> bool {
    (0..2).all(|axis| a[axis] <= b[axis + 2] && b[axis] <= a[axis + 2])
}

/// Whether two segments whose boxes touch have a point in common: each has its ends on both sides of the other's line,
/// or on it.
fn straddle([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let split = |p, q, r, s| orient2d(p, q, r).sign() * orient2d(p, q, s).sign() <= 0;
    split(a, b, c, d) && split(c, d, a, b)
}

/// Whether the insides of two boxes meet.
#[inline]
pub(super) fn boxes_overlap(a: &Extent, b: &Extent) -> bool {
    (0..2).all(|axis| a[axis] < b[axis + 2] && b[axis] < a[axis + 2])
}

/// Whether the insides of two counter-clockwise convex rings meet: no edge of either has all of the other on its outer
/// side. Rings that only touch don't.
pub(super) fn interiors_meet(a: &[Point], b: &[Point]) -> bool {
    !has_separating_edge(a, b) && !has_separating_edge(b, a)
}

fn has_separating_edge(ring: &[Point], other: &[Point]) -> bool {
    // World coordinates far from the origin can merge two of a polygon's corners: such an edge has no sides.
    edges(ring).any(|(a, b)| a != b && other.iter().all(|&point| !orient2d(a, b, point).is_left()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    /// A triangle on a lattice, counter-clockwise, which some of its points may lie in a line of.
    fn triangle() -> impl Strategy<Value = Vec<Point>> {
        let point = (-4i32..5, -4i32..5).prop_map(|(x, z)| [f64::from(x), f64::from(z)]);
        prop::array::uniform3(point).prop_filter_map("no area", |[a, b, c]| match orient2d(a, b, c) {
            Turn::Left => Some(Vec::from([a, b, c])),
            Turn::Right => Some(Vec::from([a, c, b])),
            Turn::Straight => None,
        })
    }

    /// The area that two convex rings share, by cutting one along the other's edges.
    fn shared_area(a: &[Point], b: &[Point]) -> f64 {
        let mut part = Vec::from(a);
        for i in 0..b.len() {
            let (p, q) = (b[i], b[(i + 1) % b.len()]);
            let side = |r: Point| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
            let mut kept = Vec::new();
            for k in 0..part.len() {
                let (r, s) = (part[k], part[(k + 1) % part.len()]);
                if side(r) >= 0.0 {
                    kept.push(r);
                }
                if (side(r) < 0.0) != (side(s) < 0.0) {
                    let t = side(r) / (side(r) - side(s));
                    kept.push([r[0] + (s[0] - r[0]) * t, r[1] + (s[1] - r[1]) * t]);
                }
            }
            part = kept;
        }
        let next = |k: usize| part[(k + 1) % part.len()];
        (0..part.len()).map(|k| part[k][0] * next(k)[1] - part[k][1] * next(k)[0]).sum::<f64>() / 2.0
    }

    proptest! {
        #[test]
        fn insides_meet_exactly_where_there_is_shared_area(a in triangle(), b in triangle()) {
            let shared = shared_area(&a, &b);
            // Triangles on a small lattice share nothing or much more than rounding.
            prop_assert!(shared.abs() < 1e-12 || shared > 1e-6);
            prop_assert_eq!(interiors_meet(&a, &b), shared > 1e-6);
            prop_assert!(boxes_overlap(&extent_of(&a), &extent_of(&b)) || shared < 1e-6);
        }
    }

    #[test]
    fn coordinates_next_to_nothing_are_read_as_zero() {
        assert_eq!(seen_from_above([SMALLEST.next_down(), 1.0, -1e-300]), [0.0, 0.0]);
        assert_eq!(seen_from_above([SMALLEST, 1.0, -SMALLEST]), [SMALLEST, -SMALLEST]);
    }
}
