//! Linear programs against every vertex there is.

use std::vec::Vec;

use super::super::linear_program::{Goal, run};
use super::super::{HalfPlane, solve};
use super::{between, rounds, unit, vector};
use crate::math::{SplitMix64, distance, dot, length, scale, sqrt, sub};

/// A line `normal . v = offset`.
#[derive(Clone, Copy)]
struct Line {
    normal: [f64; 2],
    offset: f64,
}

impl Line {
    fn of(plane: &HalfPlane) -> Line {
        Line { normal: plane.normal, offset: dot(plane.normal, plane.point) }
    }

    /// Where two half-planes are violated equally.
    fn between(a: &HalfPlane, b: &HalfPlane) -> Line {
        let (a, b) = (Line::of(a), Line::of(b));
        Line { normal: sub(a.normal, b.normal), offset: a.offset - b.offset }
    }

    fn meets(&self, other: &Line) -> Option<[f64; 2]> {
        let det = self.normal[0] * other.normal[1] - self.normal[1] * other.normal[0];
        let x = self.offset * other.normal[1] - self.normal[1] * other.offset;
        let y = self.normal[0] * other.offset - self.offset * other.normal[0];
        (det.abs() > 1e-14).then(|| [x / det, y / det])
    }

    fn nearest_to(&self, point: [f64; 2]) -> [f64; 2] {
        let square = dot(self.normal, self.normal);
        let t = (self.offset - dot(self.normal, point)) / square;
        [point[0] + self.normal[0] * t, point[1] + self.normal[1] * t]
    }

    fn meets_circle(&self, radius: f64) -> Vec<[f64; 2]> {
        let middle = self.nearest_to([0.0, 0.0]);
        let square = radius * radius - dot(middle, middle);
        if square < 0.0 || square.is_nan() {
            return Vec::new();
        }
        let long = length(self.normal);
        let along = [-self.normal[1] / long, self.normal[0] / long];
        [1.0, -1.0]
            .map(|side| [middle[0] + along[0] * side * sqrt(square), middle[1] + along[1] * side * sqrt(square)])
            .into()
    }
}

fn worst(planes: &[HalfPlane], v: [f64; 2]) -> f64 {
    planes.iter().map(|plane| plane.signed_distance(v)).fold(f64::INFINITY, f64::min)
}

/// Every vertex of an arrangement of lines and the circle.
fn vertices(lines: &[Line], speed: f64) -> Vec<[f64; 2]> {
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        found.extend(lines[..i].iter().filter_map(|other| line.meets(other)));
        found.extend(line.meets_circle(speed));
    }
    found.retain(|&v| length(v) <= speed * (1.0 + 1e-9));
    found
}

/// The least distance to the preferred velocity among the permitted vertices and feet.
fn least_distance(planes: &[HalfPlane], speed: f64, preferred: [f64; 2]) -> Option<f64> {
    let lines: Vec<Line> = planes.iter().map(Line::of).collect();
    let mut found = vertices(&lines, speed);
    found.extend(lines.iter().map(|line| line.nearest_to(preferred)));
    found.push(if length(preferred) <= speed { preferred } else { scale(preferred, speed / length(preferred)) });
    found.retain(|&v| length(v) <= speed * (1.0 + 1e-9) && worst(planes, v) >= -1e-9);
    found.into_iter().map(|v| distance(v, preferred)).reduce(f64::min)
}

/// The largest least signed distance to the soft planes within the hard ones.
fn largest_least(planes: &[HalfPlane], hard: usize, speed: f64) -> f64 {
    let (rigid, soft) = planes.split_at(hard);
    let mut lines: Vec<Line> = rigid.iter().map(Line::of).collect();
    for (i, a) in soft.iter().enumerate() {
        lines.extend(soft[..i].iter().map(|b| Line::between(a, b)));
    }
    let mut found = vertices(&lines, speed);
    found.extend(soft.iter().map(|plane| scale(plane.normal, speed)));
    found.retain(|&v| worst(rigid, v) >= -1e-9);
    found.into_iter().map(|v| worst(soft, v)).fold(f64::NEG_INFINITY, f64::max)
}

/// Random planes: the hard ones permit standing still, as those of obstacles do.
fn random_set(random: &mut SplitMix64) -> (Vec<HalfPlane>, usize) {
    let (hard, soft) = (random.below(4) as usize, 1 + random.below(8) as usize);
    let reach = between(random, 0.1, 3.0);
    let planes = (0..hard + soft).map(|index| {
        let normal = unit(random);
        let point = if index < hard { scale(normal, -between(random, 0.0, 1.5)) } else { vector(random, reach) };
        HalfPlane { point, normal }
    });
    (planes.collect(), hard)
}

#[test]
fn programs_find_the_best_vertex_and_fallbacks_the_least_violation() {
    let mut random = SplitMix64::new(41);
    let (mut feasible, mut relaxed) = (0, 0);
    let total = rounds(120_000, 4_000);
    for _ in 0..total {
        let (planes, hard) = random_set(&mut random);
        let speed = between(&mut random, 0.5, 2.5);
        let preferred = vector(&mut random, 2.5);
        let mut scratch = [HalfPlane::default(); 16];
        let v = solve(&planes, hard, speed, preferred, &mut scratch).unwrap();
        assert!(length(v) <= speed * (1.0 + 1e-9));
        assert!(worst(&planes[..hard], v) >= -1e-7, "a hard constraint gives way");
        let room = largest_least(&planes, hard, speed);
        if room > 1e-6 {
            let want = least_distance(&planes, speed, preferred).unwrap();
            assert!(worst(&planes, v) >= -1e-7);
            assert!((distance(v, preferred) - want).abs() <= 1e-6, "{v:?} {want} {planes:?}");
            feasible += 1;
        } else if room < -1e-6 {
            let got = worst(&planes[hard..], v);
            assert!((got - room).abs() <= 1e-6, "{got} {room} {planes:?}");
            relaxed += 1;
        }
    }
    assert!(feasible > total / 5 && relaxed > total / 5, "{feasible} {relaxed}");
}

#[test]
fn a_direction_is_followed_as_far_as_the_planes_permit() {
    let mut random = SplitMix64::new(42);
    for _ in 0..rounds(20_000, 1_000) {
        let (planes, _) = random_set(&mut random);
        let (speed, direction) = (between(&mut random, 0.5, 2.5), unit(&mut random));
        let outcome = run(&planes, speed, Goal::Farthest(direction));
        let lines: Vec<Line> = planes.iter().map(Line::of).collect();
        let mut found = vertices(&lines, speed);
        found.push(scale(direction, speed));
        found.retain(|&v| worst(&planes, v) >= -1e-9);
        match found.into_iter().map(|v| dot(v, direction)).reduce(f64::max) {
            Some(best) if outcome.passed == planes.len() => {
                assert!((dot(outcome.velocity, direction) - best).abs() < 1e-6);
            }
            Some(_) => assert!(largest_least(&planes, 0, speed) < 1e-6),
            None => assert!(outcome.passed < planes.len()),
        }
    }
}

#[test]
fn parallel_and_contradicting_planes_meet_halfway() {
    let faces = |x: f64, to: f64| HalfPlane { point: [x, 0.0], normal: [to, 0.0] };
    let mut scratch = [HalfPlane::default(); 4];
    let apart = [faces(1.0, 1.0), faces(-0.5, -1.0)];
    let v = solve(&apart, 0, 5.0, [0.0, 3.0], &mut scratch).unwrap();
    assert!((v[0] - 0.25).abs() < 1e-12);
    let hard = solve(&apart, 1, 5.0, [0.0, 3.0], &mut scratch).unwrap();
    assert_eq!(hard[0], 1.0);
    // Hard planes that contradict each other are relaxed themselves, and the others are left out.
    let both = solve(&[apart[0], apart[1], faces(9.0, 1.0)], 2, 5.0, [0.0, 0.0], &mut scratch).unwrap();
    assert!((both[0] - 0.25).abs() < 1e-12);
}

#[test]
fn without_constraints_the_preferred_velocity_is_only_shortened() {
    assert_eq!(solve(&[], 0, 5.0, [3.0, 4.0], &mut []).unwrap(), [3.0, 4.0]);
    assert_eq!(solve(&[], 7, 1.0, [3.0, 4.0], &mut []).unwrap(), [0.6, 0.8]);
    assert_eq!(solve(&[], 0, 0.0, [0.0, 0.0], &mut []).unwrap(), [0.0, 0.0]);
}

#[test]
fn scratch_too_small_is_refused() {
    let planes = [HalfPlane::default(); 2];
    assert!(solve(&planes, 0, 1.0, [0.0, 0.0], &mut [HalfPlane::default()]).is_err());
}
