//! Constraints against a membership oracle: a relative velocity is forbidden when moving with it for some time within the
//! horizon enters the other's shape.

use super::super::velocity_obstacle::{Capsule, segment_distance_squared};
use super::super::{Encounter, HalfPlane, for_agent, for_boundary, for_segment};
use super::{between, rounds, unit, vector};
use crate::math::{SplitMix64, add, dot, length, scale, sin_cos, sqrt, sub};

/// How far inside the shape a velocity brings the agent at best within the horizon: above 0 it is forbidden. The distance
/// of a point in straight motion from a convex set is convex in time, so thirds close in on its least.
fn depth(shape: &Capsule, velocity: [f64; 2], horizon: f64) -> f64 {
    let outside = |time: f64| {
        let moved = scale(velocity, time);
        sqrt(segment_distance_squared(sub(shape.a, moved), sub(shape.b, moved)))
    };
    let (mut low, mut high) = (0.0, horizon);
    for _ in 0..200 {
        let (third, two_thirds) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if outside(third) < outside(two_thirds) { high = two_thirds } else { low = third }
    }
    shape.radius - outside(low)
}

/// How far inside the shape the agent is after exactly one step.
fn depth_after(shape: &Capsule, velocity: [f64; 2], step: f64) -> f64 {
    let moved = scale(velocity, step);
    shape.radius - sqrt(segment_distance_squared(sub(shape.a, moved), sub(shape.b, moved)))
}

/// The point at `distance` from `x` against `normal` must be the nearest at which membership changes.
fn check_closest(x: [f64; 2], normal: [f64; 2], distance: f64, depth: impl Fn([f64; 2]) -> f64) {
    assert!((length(normal) - 1.0).abs() < 1e-9);
    let inside = depth(x) > 0.0;
    if distance.abs() < 1e-6 {
        return;
    }
    assert_eq!(inside, distance < 0.0, "{x:?} {distance}");
    for turn in 0..64 {
        let (sin, cos) = sin_cos(f64::from(turn) * 0.09817477042468103);
        let near = add(x, scale([cos, sin], distance.abs() * 0.999));
        assert_eq!(depth(near) > 0.0, inside, "the boundary is nearer than {distance} toward {cos} {sin}");
    }
    let beyond = sub(x, scale(normal, distance * 1.001));
    assert_ne!(depth(beyond) > 0.0, inside, "the boundary is farther than {distance}");
}

fn random_shape(random: &mut SplitMix64, overlap: bool) -> Capsule {
    loop {
        let a = vector(random, 4.0);
        let b = if random.below(4) == 0 { a } else { add(a, vector(random, 3.0)) };
        let shape = Capsule { a, b, radius: between(random, 0.2, 2.0) };
        if shape.holds_origin() == overlap {
            return shape;
        }
    }
}

#[test]
fn the_closest_boundary_point_is_where_membership_first_changes() {
    let mut random = SplitMix64::new(51);
    for _ in 0..rounds(20_000, 60) {
        let shape = random_shape(&mut random, false);
        let (horizon, x) = (between(&mut random, 0.3, 4.0), vector(&mut random, 4.0));
        let closest = shape.closest(x, horizon, 0.1);
        check_closest(x, closest.normal, closest.distance, |v| depth(&shape, v, horizon));
    }
}

#[test]
fn an_overlap_is_left_within_one_step() {
    let mut random = SplitMix64::new(52);
    for _ in 0..rounds(20_000, 60) {
        let shape = random_shape(&mut random, true);
        let (step, x) = (between(&mut random, 0.02, 1.0), vector(&mut random, 4.0));
        let closest = shape.closest(x, 3.0, step);
        // In one step the pair moves by `step` times the velocity: lengths compare in that scale.
        check_closest(x, closest.normal, closest.distance, |v| depth_after(&shape, v, step));
    }
}

#[test]
fn the_cases_for_agents_are_the_support_form_evaluated() {
    let mut random = SplitMix64::new(53);
    for _ in 0..rounds(100_000, 5_000) {
        let offset = vector(&mut random, 6.0);
        let radius = between(&mut random, 0.1, 2.0);
        let (velocity, other_velocity) = (vector(&mut random, 3.0), vector(&mut random, 3.0));
        let (horizon, share) = (between(&mut random, 0.3, 4.0), random.next_f64());
        let got = for_agent(&Encounter { offset, velocity, other_velocity, radius, horizon, step: 0.1, share });
        let shape = Capsule { a: offset, b: offset, radius };
        let closest = shape.closest(sub(velocity, other_velocity), horizon, 0.1);
        let point = sub(velocity, scale(closest.normal, closest.distance * share));
        // Two boundary points can be as near as each other; elsewhere the forms agree.
        let twin = length(sub(got.normal, closest.normal)) > 1e-6;
        assert!(!twin || (got.signed_distance(velocity) + closest.distance.abs() * share).abs() < 1e-6);
        assert!(twin || length(sub(got.point, point)) < 1e-6, "{got:?} {point:?}");
    }
}

#[test]
fn the_two_agents_of_a_pair_part_when_both_keep_their_half() {
    let mut random = SplitMix64::new(54);
    for _ in 0..rounds(20_000, 1_000) {
        let offset = scale(unit(&mut random), between(&mut random, 1.5, 6.0));
        let (va, vb) = (vector(&mut random, 3.0), vector(&mut random, 3.0));
        let of = |offset, velocity, other_velocity, share| {
            for_agent(&Encounter { offset, velocity, other_velocity, radius: 1.2, horizon: 2.0, step: 0.1, share })
        };
        let share = random.next_f64();
        let (a, b) = (of(offset, va, vb, share), of(scale(offset, -1.0), vb, va, 1.0 - share));
        let step_in = |plane: &HalfPlane, by: f64| add(plane.point, scale(plane.normal, by));
        let parted = sub(step_in(&a, 1e-6), step_in(&b, 1e-6));
        let shape = Capsule { a: offset, b: offset, radius: 1.2 };
        if a.signed_distance(va) < 0.0 {
            assert!(depth(&shape, parted, 2.0) <= 1e-9, "{parted:?}");
        }
    }
}

#[test]
fn standing_still_is_permitted_beside_any_segment() {
    let mut random = SplitMix64::new(55);
    for _ in 0..rounds(100_000, 5_000) {
        let shape = random_shape(&mut random, false);
        let plane = for_segment(shape.a, shape.b, shape.radius, between(&mut random, 0.1, 5.0), 0.1);
        assert!(plane.signed_distance([0.0, 0.0]) >= -1e-9, "{shape:?}");
    }
}

#[test]
fn a_boundary_lets_an_agent_approach_and_pushes_it_off_when_close() {
    let wall = |distance: f64| for_boundary([-4.0, -distance], [4.0, -distance], 0.5, 2.0);
    let far = wall(2.5).unwrap();
    assert_eq!((far.normal, far.signed_distance([9.0, -1.0])), ([0.0, 1.0], 0.0));
    assert_eq!(wall(0.25).unwrap().point, [0.0, 0.125]);
    assert!(wall(-1e-7).is_some() && wall(-2e-6).is_none());
    assert_eq!(for_boundary([1.0, 1.0], [1.0, 1.0], 0.5, 2.0), None);
    // Beside either end, to within the clearance, grazing is not a collision.
    for (start, facing) in [(-4.0, true), (-0.5, false), (0.1, false), (-8.5, false), (-7.4, true)] {
        assert_eq!(for_boundary([start, -1.0], [start + 8.0, -1.0], 0.5, 2.0).is_some(), facing, "{start}");
    }
}

#[test]
fn degenerate_shapes_give_a_number_and_a_direction() {
    for (a, b) in [([0.0, 0.0], [0.0, 0.0]), ([-1.0, 0.0], [1.0, 0.0]), ([1e-200, 0.0], [1e-200, 0.0])] {
        for x in [[0.0, 0.0], [1e-170, 0.0], [0.0, -3.0]] {
            let closest = Capsule { a, b, radius: 0.5 }.closest(x, 1.0, 0.1);
            assert!(closest.distance.is_finite() && dot(closest.normal, closest.normal).is_finite(), "{a:?} {x:?}");
        }
    }
}
