//! The few lines of vector arithmetic in the plane that meshes and queries share, each in the order of operations that results depend on.
//!
//! Positions are world doubles (x, y, z), y up. "In the plane" is seen from above: x to the right, z upwards, so that
//! polygons run counter-clockwise and what lies left of an edge is inside.

use crate::math::{lerp, sub};

/// A world position or a difference of two.
pub(crate) type Vec3 = [f64; 3];

/// `a + (b - a) * s`, but exactly `a` at 0 and exactly `b` at 1.
#[inline]
pub(crate) fn between(a: Vec3, b: Vec3, s: f64) -> Vec3 {
    if s == 0.0 {
        a
    } else if s == 1.0 {
        b
    } else {
        lerp(a, b, s)
    }
}

/// The cross product of two vectors in the plane: positive when `b` lies left of `a`.
#[inline]
pub(crate) fn cross(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[2] - a[2] * b[0]
}

/// Twice the signed area of a triangle in the plane: positive when `c` lies left of the way from `a` to `b`.
#[inline]
pub(crate) fn turn(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    cross(sub(b, a), sub(c, a))
}

/// Twice the area of a counter-clockwise triangle seen from above, its corners x and z; 0 where rounding turns a sliver
/// round.
#[inline]
pub(crate) fn twice_area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area > 0.0 { area } else { 0.0 }
}
