//! The half-plane that a neighbour, a segment or a stretch of boundary leaves to an agent (`orca.md`, "Building a
//! constraint", "One-sided boundary constraint"; van den Berg, Guy, Lin and Manocha, *Reciprocal n-body collision
//! avoidance*, 2011).
//!
//! Everything is relative to the agent, which stands at the origin.

use core::hint::select_unpredictable;

use super::HalfPlane;
use super::velocity_obstacle::Capsule;
use crate::math::{add, dot, length, scale, sqrt, sub};

/// Two agents that may collide, seen from one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Encounter {
    /// The other's position less one's own.
    pub offset: [f64; 2],
    /// One's own velocity.
    pub velocity: [f64; 2],
    /// The other's velocity.
    pub other_velocity: [f64; 2],
    /// The sum of both radii.
    pub radius: f64,
    /// For how long no collision may happen, in seconds.
    pub horizon: f64,
    /// The time step, within which an overlap is left.
    pub step: f64,
    /// One's own share of the avoidance, 0 to 1; the other takes the rest.
    pub share: f64,
}

/// The half-plane that avoids another agent: equation 6 of the paper, the closest point by cases.
///
/// ```
/// use navarena::avoidance::{Encounter, for_agent};
/// let head_on = Encounter {
///     offset: [4.0, 0.0],
///     velocity: [1.0, 0.0],
///     other_velocity: [-1.0, 0.0],
///     radius: 1.0,
///     horizon: 2.0,
///     step: 0.1,
///     share: 0.5,
/// };
/// assert!(for_agent(&head_on).signed_distance([1.0, 0.0]) < 0.0);
/// assert!(for_agent(&head_on).signed_distance([0.0, -1.0]) > 0.0);
/// ```
#[inline]
pub fn for_agent(encounter: &Encounter) -> HalfPlane {
    let Encounter { offset, velocity, other_velocity, radius, horizon, step, share } = *encounter;
    let relative = sub(velocity, other_velocity);
    let (normal, change) = if dot(offset, offset) <= radius * radius {
        let closest = Capsule { a: offset, b: offset, radius }.closest(relative, horizon, step);
        (closest.normal, scale(closest.normal, -closest.distance))
    } else {
        out_of_the_cone(offset, relative, radius, horizon)
    };
    HalfPlane { point: add(velocity, scale(change, share)), normal }
}

/// The normal and the least change of a relative velocity that bring it onto the boundary of the truncated cone.
#[inline]
fn out_of_the_cone(a: [f64; 2], x: [f64; 2], radius: f64, horizon: f64) -> ([f64; 2], [f64; 2]) {
    let w = sub(x, [a[0] / horizon, a[1] / horizon]);
    let toward = dot(w, a);
    let w2 = dot(w, w);
    if toward < 0.0 && toward * toward > radius * radius * w2 {
        let long = sqrt(w2);
        let normal = [w[0] / long, w[1] / long];
        return (normal, scale(normal, radius / horizon - long));
    }
    let far2 = dot(a, a);
    let leg = sqrt(far2 - radius * radius);
    // Exactly along the axis both agents of a pair take the right leg, so that they turn the same way. Which leg is anyone's
    // guess, so there is no branch: the right one is the left one with the radius and the normal turned round, to the bit.
    let side = select_unpredictable(a[0] * w[1] - a[1] * w[0] > 0.0, 1.0, -1.0);
    let across = side * radius;
    let direction = [(a[0] * leg - a[1] * across) / far2, (a[0] * across + a[1] * leg) / far2];
    let normal = [-(side * direction[1]), side * direction[0]];
    (normal, sub(scale(direction, dot(x, direction)), x))
}

/// The half-plane that avoids a segment standing still, from either side of it (section 5.4 of the paper).
///
/// `a` and `b` are its ends less the agent's position, `radius` the agent's. As long as the agent does not touch the
/// segment, the half-plane permits standing still.
///
/// ```
/// let wall = navarena::avoidance::for_segment([2.0, -5.0], [2.0, 5.0], 0.5, 1.0, 0.1);
/// assert!(wall.signed_distance([1.5, 0.0]).abs() < 1e-12); // the wall is reached in one second
/// assert!(wall.signed_distance([0.0, 9.0]) > 0.0);
/// ```
pub fn for_segment(a: [f64; 2], b: [f64; 2], radius: f64, horizon: f64, step: f64) -> HalfPlane {
    for_moving_segment(&Capsule { a, b, radius }, [0.0, 0.0], horizon, step)
}

/// The same for a segment that moves: the agent, thought to stand still, has the velocity opposite to the segment's.
pub(super) fn for_moving_segment(shape: &Capsule, velocity: [f64; 2], horizon: f64, step: f64) -> HalfPlane {
    let closest = shape.closest([0.0 - velocity[0], 0.0 - velocity[1]], horizon, step);
    HalfPlane { point: scale(closest.normal, -closest.distance), normal: closest.normal }
}

/// The half-plane that keeps an agent on the left of a stretch of boundary that its center may touch, or none where the
/// agent is beside the stretch or behind it.
///
/// `a` and `b` are the stretch's ends less the agent's position, the walkable side to the left of `a -> b`. The agent
/// may approach the line with the speed that reaches `clearance` from it in `horizon`, and is pushed away when closer.
///
/// ```
/// use navarena::avoidance::for_boundary;
/// let floor = for_boundary([-5.0, -1.0], [5.0, -1.0], 0.5, 1.0).unwrap();
/// assert_eq!(floor.signed_distance([3.0, -0.5]), 0.0);
/// assert_eq!(for_boundary([1.0, -1.0], [5.0, -1.0], 0.5, 1.0), None); // beside it
/// assert_eq!(for_boundary([5.0, -1.0], [-5.0, -1.0], 0.5, 1.0), None); // behind it
/// ```
pub fn for_boundary(a: [f64; 2], b: [f64; 2], clearance: f64, horizon: f64) -> Option<HalfPlane> {
    let edge = sub(b, a);
    let long = length(edge);
    if long == 0.0 {
        return None;
    }
    let along = -dot(a, edge) / dot(edge, edge);
    let margin = (clearance + 1e-6) / long;
    let normal = [-edge[1] / long, edge[0] / long];
    let distance = -dot(a, normal);
    if along <= margin || along >= 1.0 - margin || distance < -1e-6 {
        return None;
    }
    let room = distance - clearance;
    Some(HalfPlane { point: [-normal[0] * room / horizon, -normal[1] * room / horizon], normal })
}
