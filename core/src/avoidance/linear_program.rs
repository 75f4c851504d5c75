//! The velocity inside a disc and inside half-planes that is best by a goal, found plane by plane (`orca.md`, "The linear
//! program"; sections 5.1 and 5.3 of the paper).
//!
//! Constraints are taken in the order given, never at random. When no velocity satisfies all of them, the soft ones are
//! relaxed: the velocity that maximizes the least signed distance to them is the answer, and the hard ones stand.

use core::hint::select_unpredictable;

use super::HalfPlane;
use crate::error::{Error, Result, Subject};
use crate::math::{dot, length, max, min, scale, sqrt, sub};

/// What a velocity should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// As near to a velocity as can be.
    Nearest([f64; 2]),
    /// As far along a direction as can be.
    Farthest([f64; 2]),
}

/// How far a program got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    /// The best velocity inside the planes that passed.
    pub velocity: [f64; 2],
    /// How many passed: all of them, or up to the one at which no velocity was left.
    pub passed: usize,
}

/// The best velocity for an agent: the one nearest the preferred that all constraints permit, else the one that breaks
/// the soft ones least.
///
/// The first `hard` constraints are kept in any case (should they alone contradict each other, they are relaxed and the
/// others left out). `speed` is the most the velocity's length may be, up to rounding. `scratch` has room for as many
/// half-planes as there are; with less the call is refused (kind `Capacity`). Costs at most the cube of the number of
/// constraints, usually little more than linear.
///
/// ```
/// use navarena::avoidance::{HalfPlane, solve};
/// let wall = HalfPlane { point: [1.0, 0.0], normal: [-1.0, 0.0] };
/// let mut scratch = [HalfPlane::default(); 1];
/// assert_eq!(solve(&[wall], 1, 2.0, [2.0, 1.0], &mut scratch)?, [1.0, 1.0]);
/// # Ok::<(), navarena::error::Error>(())
/// ```
pub fn solve(
    constraints: &[HalfPlane],
    hard: usize,
    speed: f64,
    preferred: [f64; 2],
    scratch: &mut [HalfPlane],
) -> Result<[f64; 2]> {
    if scratch.len() < constraints.len() {
        return Err(Error::capacity(Subject::Constraints, scratch.len()));
    }
    let hard = hard.min(constraints.len());
    let outcome = run(constraints, speed, Goal::Nearest(preferred));
    Ok(if outcome.passed == constraints.len() {
        outcome.velocity
    } else if outcome.passed < hard {
        relax(&constraints[..hard], 0, speed, scratch)
    } else {
        relax(constraints, hard, speed, scratch)
    })
}

/// Runs a program plane by plane.
pub(super) fn run(planes: &[HalfPlane], speed: f64, goal: Goal) -> Outcome {
    let mut velocity = goal.unhindered(speed);
    for (index, plane) in planes.iter().enumerate() {
        if plane.signed_distance(velocity) >= 0.0 {
            continue;
        }
        // The optimum lies on this plane's edge.
        let Some(part) = permitted_part(plane, &planes[..index], speed) else {
            return Outcome { velocity, passed: index };
        };
        let along = plane.along();
        let t = goal.choose(plane.point, along, part, velocity);
        velocity = [plane.point[0] + along[0] * t, plane.point[1] + along[1] * t];
    }
    Outcome { velocity, passed: planes.len() }
}

impl Goal {
    fn unhindered(&self, speed: f64) -> [f64; 2] {
        match *self {
            Goal::Nearest(preferred) => clipped(preferred, speed),
            Goal::Farthest(direction) => {
                let long = length(direction);
                [direction[0] / long * speed, direction[1] / long * speed]
            }
        }
    }

    /// The best parameter of a line within a part of it.
    #[inline]
    fn choose(&self, point: [f64; 2], along: [f64; 2], [low, high]: [f64; 2], velocity: [f64; 2]) -> f64 {
        let project = |target: [f64; 2]| {
            let t = dot(along, sub(target, point));
            if t < low {
                low
            } else if t > high {
                high
            } else {
                t
            }
        };
        match *self {
            Goal::Nearest(preferred) => project(preferred),
            Goal::Farthest(direction) => {
                let gain = dot(along, direction);
                if gain > 0.0 {
                    high
                } else if gain < 0.0 {
                    low
                } else {
                    project(velocity)
                }
            }
        }
    }
}

/// A velocity, shortened to a speed when longer.
#[inline]
pub(crate) fn clipped(velocity: [f64; 2], speed: f64) -> [f64; 2] {
    let long = length(velocity);
    if long <= speed { velocity } else { [velocity[0] / long * speed, velocity[1] / long * speed] }
}

/// The parameters of a plane's edge that lie inside the disc and inside the earlier planes; `None` when there are none.
#[inline]
fn permitted_part(plane: &HalfPlane, earlier: &[HalfPlane], speed: f64) -> Option<[f64; 2]> {
    let along = plane.along();
    let middle = dot(plane.point, along);
    let square = middle * middle + speed * speed - dot(plane.point, plane.point);
    if square < 0.0 {
        return None;
    }
    let half = sqrt(square);
    let (mut low, mut high) = (-middle - half, -middle + half);
    for other in earlier {
        let slope = dot(along, other.normal);
        let distance = other.signed_distance(plane.point);
        if slope.abs() <= 1e-12 {
            if distance < 0.0 {
                return None;
            }
            continue;
        }
        let t = -distance / slope;
        // Which of the two is anyone's guess: no branch.
        let (raised, lowered) = (max(low, t), min(high, t));
        low = select_unpredictable(slope > 0.0, raised, low);
        high = select_unpredictable(slope > 0.0, high, lowered);
        if low > high {
            return None;
        }
    }
    Some([low, high])
}

/// The velocity inside the disc and the first `hard` planes that maximizes the least signed distance to the others.
///
/// `scratch` has room for all planes.
fn relax(planes: &[HalfPlane], hard: usize, speed: f64, scratch: &mut [HalfPlane]) -> [f64; 2] {
    let (rigid, soft) = planes.split_at(hard);
    let Some(first) = soft.first() else { return [0.0, 0.0] };
    scratch[..hard].copy_from_slice(rigid);
    let mut velocity = run(rigid, speed, Goal::Farthest(first.normal)).velocity;
    let mut level = first.signed_distance(velocity);
    for (index, plane) in soft.iter().enumerate().skip(1) {
        if plane.signed_distance(velocity) >= level {
            continue;
        }
        // The new optimum has this plane's distance as its least, so every earlier one's is at least as large.
        let mut count = hard;
        for earlier in &soft[..index] {
            if let Some(no_less) = at_least_as_far(earlier, plane) {
                scratch[count] = no_less;
                count += 1;
            }
        }
        let outcome = run(&scratch[..count], speed, Goal::Farthest(plane.normal));
        if outcome.passed == count {
            velocity = outcome.velocity;
            level = plane.signed_distance(velocity);
        }
    }
    velocity
}

/// The velocities whose signed distance to one plane is at least that to another; `None` when the two are parallel.
#[inline]
fn at_least_as_far(one: &HalfPlane, other: &HalfPlane) -> Option<HalfPlane> {
    let difference = sub(one.normal, other.normal);
    let square = dot(difference, difference);
    if square <= 1e-24 {
        return None;
    }
    let long = sqrt(square);
    let normal = [difference[0] / long, difference[1] / long];
    let offset = dot(one.point, one.normal) - dot(other.point, other.normal);
    Some(HalfPlane { point: scale(normal, offset / long), normal })
}
