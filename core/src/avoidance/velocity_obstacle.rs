//! The velocity obstacle of a segment, by its support function (`orca.md`, "The obstacle shape", "Overlap").
//!
//! A segment grown by a radius is a capsule; the relative velocities that reach it within a horizon are a convex set,
//! unbounded away from the origin. How far a velocity is outside is the largest, over the directions in which the set
//! is bounded, of its distance beyond the set's support; the direction that attains it is the normal at the closest
//! boundary point. Only a few directions can attain it, and they are tried in the page's order.

use crate::math::{clamp, dot, length, min, scale, sqrt, sub};

/// A segment relative to the agent, grown by a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Capsule {
    pub a: [f64; 2],
    pub b: [f64; 2],
    pub radius: f64,
}

/// Where a velocity lies relative to an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Closest {
    /// From the boundary to the velocity, along the normal: below 0 inside.
    pub distance: f64,
    /// The outward normal at the closest boundary point.
    pub normal: [f64; 2],
}

impl Capsule {
    /// Whether the agent, at the origin, touches the capsule.
    pub fn holds_origin(&self) -> bool {
        segment_distance_squared(self.a, self.b) <= self.radius * self.radius
    }

    /// The boundary point of the velocity obstacle that is closest to a velocity. An overlapping pair's obstacle is the
    /// capsule itself, to be left within one time step.
    pub fn closest(&self, velocity: [f64; 2], horizon: f64, step: f64) -> Closest {
        let overlap = self.holds_origin();
        let time = if overlap { step } else { horizon };
        let mut contest = Contest::new(self, velocity, time, !overlap);
        contest.offer_unit(contest.from_a);
        if self.a != self.b {
            contest.offer_unit(contest.from_b);
            contest.offer_sides();
        }
        if !overlap {
            contest.offer_legs(self.a);
            if self.a != self.b {
                contest.offer_legs(self.b);
            }
        }
        contest.finish(time)
    }
}

/// The candidates' contest: a later one wins only when its value is strictly greater.
struct Contest<'a> {
    shape: &'a Capsule,
    /// The velocity seen from the ends at the horizon.
    from_a: [f64; 2],
    from_b: [f64; 2],
    bounded_only: bool,
    best: f64,
    normal: [f64; 2],
}

impl<'a> Contest<'a> {
    fn new(shape: &'a Capsule, velocity: [f64; 2], time: f64, bounded_only: bool) -> Self {
        let from = |end: [f64; 2]| sub(velocity, [end[0] / time, end[1] / time]);
        let (from_a, from_b) = (from(shape.a), from(shape.b));
        Contest { shape, from_a, from_b, bounded_only, best: f64::NEG_INFINITY, normal: [0.0, 0.0] }
    }

    fn value(&self, normal: [f64; 2]) -> f64 {
        min(dot(normal, self.from_a), dot(normal, self.from_b))
    }

    /// Whether the obstacle ends somewhere in a direction, to the page's tolerance.
    fn is_bounded(&self, normal: [f64; 2]) -> bool {
        let radius = self.shape.radius;
        [self.shape.a, self.shape.b].iter().all(|&end| dot(normal, end) + radius <= 1e-9 * (length(end) + radius))
    }

    fn offer(&mut self, normal: [f64; 2]) {
        if self.bounded_only && !self.is_bounded(normal) {
            return;
        }
        let value = self.value(normal);
        if value > self.best {
            (self.best, self.normal) = (value, normal);
        }
    }

    fn offer_unit(&mut self, from_end: [f64; 2]) {
        let far = length(from_end);
        if far != 0.0 {
            self.offer([from_end[0] / far, from_end[1] / far]);
        }
    }

    fn offer_sides(&mut self) {
        let edge = sub(self.shape.b, self.shape.a);
        let long = length(edge);
        if long > 0.0 {
            let normal = [-edge[1] / long, edge[0] / long];
            self.offer(normal);
            self.offer([-normal[0], -normal[1]]);
        }
    }

    /// The normals of the two lines from the origin that touch the disc around an end.
    fn offer_legs(&mut self, end: [f64; 2]) {
        let radius = self.shape.radius;
        let far2 = dot(end, end);
        let leg = sqrt(far2 - radius * radius);
        let c = [-radius * end[0], -radius * end[1]];
        let q = [-end[1] * leg, end[0] * leg];
        self.offer([(c[0] + q[0]) / far2, (c[1] + q[1]) / far2]);
        self.offer([(c[0] - q[0]) / far2, (c[1] - q[1]) / far2]);
    }

    fn finish(mut self, time: f64) -> Closest {
        if self.best == f64::NEG_INFINITY {
            self.normal = away_from_centre(self.shape);
            self.best = self.value(self.normal);
        }
        Closest { distance: self.best - self.shape.radius / time, normal: self.normal }
    }
}

fn away_from_centre(shape: &Capsule) -> [f64; 2] {
    let sum = [shape.a[0] + shape.b[0], shape.a[1] + shape.b[1]];
    let far = length(sum);
    if far == 0.0 { [1.0, 0.0] } else { [-sum[0] / far, -sum[1] / far] }
}

/// The squared distance from the origin to a segment, by the clamped parameter of the projection.
#[inline]
pub(super) fn segment_distance_squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    let nearest = nearest_on_segment(a, b);
    dot(nearest, nearest)
}

/// The point of a segment nearest the origin.
#[inline]
pub(super) fn nearest_on_segment(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let edge = sub(b, a);
    let long2 = dot(edge, edge);
    if long2 == 0.0 {
        return a;
    }
    let offset = scale(edge, clamp(-dot(a, edge) / long2, 0.0, 1.0));
    [a[0] + offset[0], a[1] + offset[1]]
}
