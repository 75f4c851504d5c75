//! Space: programs against every vertex there is, obstacles against the membership oracle, no order shows.

use std::vec;
use std::vec::Vec;

use super::super::half_space::{HalfSpace, SpaceEncounter, for_flier, right_of};
use super::super::space_program::{Scratch, solve_in_space};
use super::super::{Avoidance, AvoidanceDef, Flier, HalfPlane, Sphere};
use super::{between, rounds};
use crate::math::{SplitMix64, add, cross, distance, dot, length, scale, sqrt, sub};
use crate::memory::{Arena, Grain};

fn vector(random: &mut SplitMix64, size: f64) -> [f64; 3] {
    [0.0; 3].map(|_: f64| between(random, -size, size))
}

fn unit(random: &mut SplitMix64) -> [f64; 3] {
    loop {
        let v = vector(random, 1.0);
        if length(v) > 0.1 && length(v) < 1.0 {
            return scale(v, 1.0 / length(v));
        }
    }
}

/// A plane `normal . v = offset`.
#[derive(Clone, Copy)]
struct Plane {
    normal: [f64; 3],
    offset: f64,
}

impl Plane {
    fn of(space: &HalfSpace) -> Plane {
        Plane { normal: space.normal, offset: dot(space.normal, space.point) }
    }

    fn nearest_to(&self, point: [f64; 3]) -> [f64; 3] {
        let t = (self.offset - dot(self.normal, point)) / dot(self.normal, self.normal);
        add(point, scale(self.normal, t))
    }
}

/// The line that two planes share: a point and a direction.
fn line_of(a: &Plane, b: &Plane) -> Option<([f64; 3], [f64; 3])> {
    let direction = cross(a.normal, b.normal);
    let square = dot(direction, direction);
    let point = add(scale(cross(b.normal, direction), a.offset), scale(cross(direction, a.normal), b.offset));
    (square > 1e-16).then(|| (scale(point, 1.0 / square), scale(direction, 1.0 / sqrt(square))))
}

/// Every vertex of an arrangement of planes and the sphere, the places on planes and lines nearest a target, and the
/// places on the sphere's circles farthest along directions.
fn candidates(planes: &[Plane], speed: f64, target: Option<[f64; 3]>, directions: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut found = Vec::new();
    for (i, a) in planes.iter().enumerate() {
        found.extend(target.map(|target| a.nearest_to(target)));
        let middle = a.nearest_to([0.0; 3]);
        let rim = sqrt((speed * speed - dot(middle, middle)).max(0.0));
        for &toward in directions.iter().chain(target.as_ref()) {
            let flat = sub(toward, scale(a.normal, dot(toward, a.normal) / dot(a.normal, a.normal)));
            found.push(add(middle, scale(flat, rim / length(flat))));
        }
        for (j, b) in planes[..i].iter().enumerate() {
            let Some((point, along)) = line_of(a, b) else { continue };
            found.extend(target.map(|target| add(point, scale(along, dot(sub(target, point), along)))));
            let foot = sub(point, scale(along, dot(point, along)));
            let half = sqrt((speed * speed - dot(foot, foot)).max(0.0));
            found.extend([half, -half].map(|t| add(foot, scale(along, t))));
            for c in &planes[..j] {
                let slope = dot(along, c.normal);
                if slope.abs() > 1e-14 {
                    found.push(add(point, scale(along, (c.offset - dot(point, c.normal)) / slope)));
                }
            }
        }
    }
    found.retain(|&v| length(v) <= speed * (1.0 + 1e-9));
    found
}

fn worst(spaces: &[HalfSpace], v: [f64; 3]) -> f64 {
    spaces.iter().map(|space| space.signed_distance(v)).fold(f64::INFINITY, f64::min)
}

#[test]
fn programs_find_the_best_place_and_fallbacks_the_least_violation() {
    let mut random = SplitMix64::new(101);
    let (mut feasible, mut relaxed) = (0, 0);
    let total = rounds(100_000, 1_200);
    for _ in 0..total {
        let (hard, soft) = (random.below(3) as usize, 1 + random.below(5) as usize);
        let reach = between(&mut random, 0.1, 2.5);
        let spaces: Vec<HalfSpace> = (0..hard + soft)
            .map(|index| {
                let normal = unit(&mut random);
                let point = if index < hard {
                    scale(normal, -between(&mut random, 0.0, 1.5))
                } else {
                    vector(&mut random, reach)
                };
                HalfSpace { point, normal }
            })
            .collect();
        let (speed, preferred) = (between(&mut random, 0.5, 2.5), vector(&mut random, 2.0));
        let (mut planes, mut relax) = ([HalfPlane::default(); 8], [HalfSpace::default(); 8]);
        let mut scratch = Scratch { planes: &mut planes, relaxed: &mut relax };
        let v = solve_in_space(&spaces, hard, speed, preferred, &mut scratch);
        assert!(length(v) <= speed * (1.0 + 1e-9) && worst(&spaces[..hard], v) >= -1e-7);
        // How much room there is: the largest least distance to the soft ones.
        let (rigid, gentle) = spaces.split_at(hard);
        let mut all: Vec<Plane> = rigid.iter().map(Plane::of).collect();
        for (i, a) in gentle.iter().map(Plane::of).enumerate() {
            let equal = |b: Plane| Plane { normal: sub(a.normal, b.normal), offset: a.offset - b.offset };
            all.extend(gentle[..i].iter().map(|b| equal(Plane::of(b))));
        }
        let normals: Vec<[f64; 3]> = gentle.iter().map(|space| space.normal).collect();
        let mut found = candidates(&all, speed, None, &normals);
        found.extend(normals.iter().map(|&normal| scale(normal, speed)));
        found.retain(|&v| worst(rigid, v) >= -1e-9);
        let room = found.into_iter().map(|v| worst(gentle, v)).fold(f64::NEG_INFINITY, f64::max);
        if room > 1e-6 {
            let planes: Vec<Plane> = spaces.iter().map(Plane::of).collect();
            let mut found = candidates(&planes, speed, Some(preferred), &[]);
            found.push(scale(preferred, (speed / length(preferred)).min(1.0)));
            found.retain(|&v| worst(&spaces, v) >= -1e-9);
            let want = found.into_iter().map(|v| distance(v, preferred)).reduce(f64::min).unwrap();
            assert!(
                worst(&spaces, v) >= -1e-7 && (distance(v, preferred) - want).abs() < 1e-6,
                "{v:?} {want} {spaces:?}"
            );
            feasible += 1;
        } else if room < -1e-6 {
            assert!((worst(gentle, v) - room).abs() < 1e-6, "{v:?} {room} {spaces:?}");
            relaxed += 1;
        }
    }
    assert!(feasible > total / 5 && relaxed > total / 8, "{feasible} {relaxed}");
}

#[test]
fn the_closest_boundary_point_in_space_is_where_membership_first_changes() {
    let mut random = SplitMix64::new(102);
    for _ in 0..rounds(20_000, 100) {
        let (offset, x) = (vector(&mut random, 4.0), vector(&mut random, 4.0));
        let (radius, horizon, step) = (between(&mut random, 0.2, 2.5), between(&mut random, 0.3, 4.0), 0.2);
        let overlap = length(offset) <= radius;
        // A velocity is forbidden when within the horizon, or after one step of an overlap, it lies within the ball.
        let is_forbidden = |v: [f64; 3]| {
            let time = if overlap { step } else { (dot(offset, v) / dot(v, v)).clamp(0.0, horizon) };
            distance(offset, scale(v, time)) < radius
        };
        let zero = [0.0; 3];
        let encounter = SpaceEncounter { offset, velocity: x, other_velocity: zero, radius, horizon, step, share: 1.0 };
        let space = for_flier(&encounter);
        let change = sub(space.point, x);
        assert!((length(space.normal) - 1.0).abs() < 1e-9 && length(cross(change, space.normal)) < 1e-9);
        let inside = is_forbidden(x);
        assert_eq!(inside, dot(change, space.normal) > 0.0);
        for _ in 0..64 {
            let near = add(x, scale(unit(&mut random), length(change) * 0.999));
            assert_eq!(is_forbidden(near), inside, "{encounter:?}");
        }
        assert_ne!(is_forbidden(add(x, scale(change, 1.001))), inside, "{encounter:?}");
    }
}

#[test]
fn right_is_where_the_page_says() {
    assert_eq!(right_of([0.0, 0.0, -2.0]), [1.0, 0.0, 0.0]);
    assert_eq!((right_of([0.0, 3.0, 0.0]), right_of([0.0, -3.0, 0.0])), ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]));
}

fn fly(fliers: &mut [Flier], spheres: &[Sphere], steps: u32) -> f64 {
    let def = AvoidanceDef { agents: 32, obstacle_points: 8, ..AvoidanceDef::DEFAULT };
    let mut memory = vec![Grain::ZERO; def.plan().grains()];
    let mut set = Avoidance::new(&def, &mut Arena::new(&mut memory)).unwrap();
    let mut velocities = vec![[0.0; 3]; fliers.len()];
    let mut least = f64::INFINITY;
    for _ in 0..steps {
        set.avoid_in_space(fliers, spheres, 0.1, &mut velocities).unwrap();
        for (flier, &velocity) in fliers.iter_mut().zip(&velocities) {
            flier.velocity = velocity;
            flier.position = add(flier.position, scale(velocity, 0.1));
            let room = |sphere: &Sphere| distance(sphere.center, flier.position) - sphere.radius - flier.radius;
            least = spheres.iter().map(room).fold(least, f64::min);
        }
        for (i, a) in fliers.iter().enumerate() {
            least = fliers[..i].iter().map(|b| distance(a.position, b.position) - 1.0).fold(least, f64::min);
        }
    }
    least
}

#[test]
fn fliers_meeting_in_perfect_symmetry_pass_also_when_rising_and_falling() {
    for way in [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]] {
        let one = Flier { position: scale(way, -6.0), preferred: scale(way, 1.4), id: 1, ..Flier::DEFAULT };
        let two = Flier { position: scale(way, 6.0), preferred: scale(way, -1.4), id: 2, ..Flier::DEFAULT };
        let mut pair = [one, two];
        let least = fly(&mut pair, &[], 110);
        assert!(
            dot(pair[0].position, way) > 5.0 && dot(pair[1].position, way) < -5.0 && least > -1e-6,
            "{pair:?} {least}"
        );
        let mut alone = [one];
        let ball = Sphere { radius: 2.0, ..Sphere::DEFAULT };
        let least = fly(&mut alone, &[ball], 200);
        assert!(dot(alone[0].position, way) > 5.0 && least > -1e-6, "{alone:?} {least}");
    }
}

#[test]
fn fliers_get_the_same_velocities_in_any_order() {
    let mut random = SplitMix64::new(103);
    let def = AvoidanceDef { agents: 32, obstacle_points: 8, neighbors: 5, workers: 5, ..AvoidanceDef::DEFAULT };
    let mut memory = vec![Grain::ZERO; def.plan().grains()];
    let mut set = Avoidance::new(&def, &mut Arena::new(&mut memory)).unwrap();
    for _ in 0..rounds(300, 20) {
        let flier = |random: &mut SplitMix64| Flier {
            position: vector(random, 3.0).map(|x| x - x % 0.5),
            velocity: vector(random, 1.0),
            preferred: vector(random, 1.0),
            id: random.below(3),
            ..Flier::DEFAULT
        };
        let mut fliers: Vec<Flier> = (0..32).map(|_| flier(&mut random)).collect();
        let mut spheres =
            [0.5, 1.0, 1.5].map(|radius| Sphere { center: vector(&mut random, 4.0), radius, ..Sphere::DEFAULT });
        let mut want = [[0.0; 3]; 32];
        set.avoid_in_space(&fliers, &spheres, 0.1, &mut want).unwrap();
        fliers.reverse();
        spheres.reverse();
        let mut got = [[0.0; 3]; 32];
        let mut avoiding = set.begin_in_space(&fliers, &spheres, 0.1).unwrap();
        avoiding.shares(5).unwrap().for_each(|share| share.solve());
        avoiding.finish(&mut got).unwrap();
        got.reverse();
        assert_eq!(got.map(|v| v.map(f64::to_bits)), want.map(|v| v.map(f64::to_bits)));
    }
}
