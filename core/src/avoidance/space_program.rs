//! The linear program in space: where a half-space is violated the best velocity lies on its boundary, and there it is
//! the program of the plane (`linear_program`), within the disc and the lines that ball and half-spaces cut out.

use super::HalfPlane;
use super::half_space::{HalfSpace, divided};
use super::linear_program::{Goal, run};
use crate::math::{add, dot, length, scale, sqrt, sub};

/// What a velocity in space should be; as [`Goal`] in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SpaceGoal {
    Nearest([f64; 3]),
    Farthest([f64; 3]),
}

/// The room that programs work in, each as long as there are constraints.
pub(super) struct Scratch<'a> {
    pub planes: &'a mut [HalfPlane],
    pub relaxed: &'a mut [HalfSpace],
}

/// The velocity nearest the preferred that all half-spaces permit, else the one that keeps the first `hard` and breaks the
/// others least; as `solve` in the plane.
pub(super) fn solve_in_space(
    spaces: &[HalfSpace],
    hard: usize,
    speed: f64,
    preferred: [f64; 3],
    scratch: &mut Scratch<'_>,
) -> [f64; 3] {
    let (velocity, passed) = run_in_space(spaces, speed, SpaceGoal::Nearest(preferred), scratch.planes);
    if passed == spaces.len() {
        velocity
    } else if passed < hard {
        relax(&spaces[..hard], 0, speed, scratch)
    } else {
        relax(spaces, hard, speed, scratch)
    }
}

/// Runs a program space by space; beside the velocity, how many passed.
pub(super) fn run_in_space(
    spaces: &[HalfSpace],
    speed: f64,
    goal: SpaceGoal,
    planes: &mut [HalfPlane],
) -> ([f64; 3], usize) {
    let mut velocity = match goal {
        SpaceGoal::Nearest(preferred) => clipped_in_space(preferred, speed),
        SpaceGoal::Farthest(direction) => scale(divided(direction, length(direction)), speed),
    };
    for (index, space) in spaces.iter().enumerate() {
        if space.signed_distance(velocity) >= 0.0 {
            continue;
        }
        match best_on_boundary(space, &spaces[..index], speed, goal, velocity, planes) {
            Some(best) => velocity = best,
            None => return (velocity, index),
        }
    }
    (velocity, spaces.len())
}

/// A velocity, shortened to a speed when longer.
pub(super) fn clipped_in_space(velocity: [f64; 3], speed: f64) -> [f64; 3] {
    let long = length(velocity);
    if long <= speed { velocity } else { scale(divided(velocity, long), speed) }
}

/// The best velocity on a boundary that the earlier half-spaces permit.
fn best_on_boundary(
    space: &HalfSpace,
    earlier: &[HalfSpace],
    speed: f64,
    goal: SpaceGoal,
    velocity: [f64; 3],
    planes: &mut [HalfPlane],
) -> Option<[f64; 3]> {
    let height = dot(space.point, space.normal);
    let square = speed * speed - height * height;
    if square < 0.0 {
        return None;
    }
    let center = scale(space.normal, height);
    let basis = space.basis();
    let flat = |vector: [f64; 3]| [dot(vector, basis[0]), dot(vector, basis[1])];
    let mut count = 0;
    for other in earlier {
        let (normal, distance) = (flat(other.normal), other.signed_distance(center));
        let long = length(normal);
        if long <= 1e-12 {
            if distance < 0.0 {
                return None;
            }
            continue;
        }
        let normal = [normal[0] / long, normal[1] / long];
        planes[count] = HalfPlane { point: scale(normal, -distance / long), normal };
        count += 1;
    }
    let nearest = |target: [f64; 3]| Goal::Nearest(flat(sub(target, center)));
    let goal = match goal {
        SpaceGoal::Nearest(preferred) => nearest(preferred),
        SpaceGoal::Farthest(direction) if length(flat(direction)) > 1e-12 => Goal::Farthest(flat(direction)),
        SpaceGoal::Farthest(_) => nearest(velocity),
    };
    let outcome = run(&planes[..count], sqrt(square), goal);
    let [x, y] = outcome.velocity;
    (outcome.passed == count).then(|| add(center, add(scale(basis[0], x), scale(basis[1], y))))
}

/// The velocity inside the ball and the first `hard` half-spaces that maximizes the least signed distance to the others.
fn relax(spaces: &[HalfSpace], hard: usize, speed: f64, scratch: &mut Scratch<'_>) -> [f64; 3] {
    let (rigid, soft) = spaces.split_at(hard);
    let Some(first) = soft.first() else { return [0.0; 3] };
    scratch.relaxed[..hard].copy_from_slice(rigid);
    let (mut velocity, _) = run_in_space(rigid, speed, SpaceGoal::Farthest(first.normal), scratch.planes);
    let mut level = first.signed_distance(velocity);
    for (index, space) in soft.iter().enumerate().skip(1) {
        if space.signed_distance(velocity) >= level {
            continue;
        }
        let mut count = hard;
        for earlier in &soft[..index] {
            let difference = sub(earlier.normal, space.normal);
            let square = dot(difference, difference);
            if square > 1e-24 {
                let long = sqrt(square);
                let normal = divided(difference, long);
                let offset = dot(earlier.point, earlier.normal) - dot(space.point, space.normal);
                scratch.relaxed[count] = HalfSpace { point: scale(normal, offset / long), normal };
                count += 1;
            }
        }
        let goal = SpaceGoal::Farthest(space.normal);
        let (best, passed) = run_in_space(&scratch.relaxed[..count], speed, goal, scratch.planes);
        if passed == count {
            (velocity, level) = (best, space.signed_distance(best));
        }
    }
    velocity
}
