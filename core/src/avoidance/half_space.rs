//! A half-space of velocities, and those that neighbours and spheres leave to a flier: the plane's constructions turned
//! about the line to the other (Snape and Manocha, *Navigating multiple simple-airplanes in 3D workspace*, ICRA 2010, use the
//! same cone).

use crate::math::{add, cross, dot, length, scale, sqrt, sub};
use crate::memory::{Pod, Zeroable};

/// The velocities `v` with `(v - point) . normal >= 0`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HalfSpace {
    /// A velocity on its boundary.
    pub point: [f64; 3],
    /// The unit vector into it.
    pub normal: [f64; 3],
}

impl HalfSpace {
    /// How far inside a velocity is; below 0 it violates the half-space by that much.
    #[inline]
    pub fn signed_distance(&self, velocity: [f64; 3]) -> f64 {
        dot(sub(velocity, self.point), self.normal)
    }

    /// Two unit vectors along its boundary, perpendicular to each other.
    pub(super) fn basis(&self) -> [[f64; 3]; 2] {
        let n = self.normal;
        // The axis that the normal leans to least gives the most exact product.
        let axis = if n[0].abs() <= n[1].abs() && n[0].abs() <= n[2].abs() {
            [1.0, 0.0, 0.0]
        } else if n[1].abs() <= n[2].abs() {
            [0.0, 1.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        };
        let first = cross(n, axis);
        let first = divided(first, length(first));
        [first, cross(n, first)]
    }
}

/// Two fliers that may collide, seen from one of them; the fields are those of [`Encounter`](super::Encounter).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpaceEncounter {
    pub offset: [f64; 3],
    pub velocity: [f64; 3],
    pub other_velocity: [f64; 3],
    pub radius: f64,
    pub horizon: f64,
    pub step: f64,
    pub share: f64,
}

/// The half-space that avoids another flier, or a sphere when the share is whole.
pub(super) fn for_flier(encounter: &SpaceEncounter) -> HalfSpace {
    let SpaceEncounter { offset, velocity, other_velocity, radius, horizon, step, share } = *encounter;
    let relative = sub(velocity, other_velocity);
    let (normal, change) = if dot(offset, offset) <= radius * radius {
        out_of_the_ball(offset, relative, radius, step)
    } else {
        let w = sub(relative, divided(offset, horizon));
        let toward = dot(w, offset);
        if toward < 0.0 && toward * toward > radius * radius * dot(w, w) {
            out_of_the_ball(offset, relative, radius, horizon)
        } else {
            out_of_the_cone(offset, relative, radius)
        }
    };
    HalfSpace { point: add(velocity, scale(change, share)), normal }
}

/// The normal and the least change onto the ball that a relative velocity reaches the other by at a time.
fn out_of_the_ball(a: [f64; 3], x: [f64; 3], radius: f64, time: f64) -> ([f64; 3], [f64; 3]) {
    let w = sub(x, divided(a, time));
    let long = length(w);
    let normal = if long > 0.0 {
        divided(w, long)
    } else if dot(a, a) > 0.0 {
        divided(a, -length(a))
    } else {
        [0.0, 0.0, -1.0]
    };
    (normal, scale(normal, radius / time - long))
}

/// The same onto the cone's side, in the plane of the other's direction and the relative velocity.
fn out_of_the_cone(a: [f64; 3], x: [f64; 3], radius: f64) -> ([f64; 3], [f64; 3]) {
    let far2 = dot(a, a);
    let far = sqrt(far2);
    let axis = divided(a, far);
    let beside = sub(x, scale(axis, dot(x, axis)));
    let long = length(beside);
    // Along the axis, to what rounding leaves, every side is as near: both of a pair turn to their right.
    let side = if long > 1e-9 * length(x) { divided(beside, long) } else { right_of(axis) };
    let leg = sqrt(far2 - radius * radius);
    let normal = divided(sub(scale(side, leg), scale(axis, radius)), far);
    (normal, scale(normal, -dot(x, normal)))
}

/// The unit vector to the right of a direction, +Y being up and the axes right-handed; of a rising one +X, of a falling
/// one -X.
pub(super) fn right_of(direction: [f64; 3]) -> [f64; 3] {
    let right = [-direction[2], 0.0, direction[0]];
    let long = length(right);
    if long > 0.0 {
        divided(right, long)
    } else if direction[1] < 0.0 {
        [-1.0, 0.0, 0.0]
    } else {
        [1.0, 0.0, 0.0]
    }
}

#[inline]
pub(super) fn divided(a: [f64; 3], by: f64) -> [f64; 3] {
    a.map(|component| component / by)
}
