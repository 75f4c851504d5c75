//! A half-plane of velocities: what one neighbour or one wall leaves to an agent.

use crate::math::{dot, sub};
use crate::memory::{Pod, Zeroable};

/// The velocities `v` with `(v - point) . normal >= 0` (`orca.md`, "Half-planes").
///
/// ```
/// use navarena::avoidance::HalfPlane;
/// let not_left = HalfPlane { point: [1.0, 0.0], normal: [1.0, 0.0] };
/// assert_eq!(not_left.signed_distance([3.0, 7.0]), 2.0);
/// assert_eq!(not_left.signed_distance([0.0, 7.0]), -1.0);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HalfPlane {
    /// A velocity on its edge.
    pub point: [f64; 2],
    /// The unit vector into it.
    pub normal: [f64; 2],
}

impl HalfPlane {
    /// How far inside a velocity is; below 0 it violates the half-plane by that much.
    #[inline]
    pub fn signed_distance(&self, velocity: [f64; 2]) -> f64 {
        dot(sub(velocity, self.point), self.normal)
    }

    /// The unit vector along the edge, the half-plane to its right.
    #[inline]
    pub(super) fn along(&self) -> [f64; 2] {
        [-self.normal[1], self.normal[0]]
    }
}
