//! Agents, obstacles, fliers and spheres: what they may be, who avoids whom, and their order where distances are equal.

use super::super::ranges::Range;
use crate::error::{Error, Result, Subject};
use crate::math::{dot, sub};

/// The largest coordinate, in meters.
pub const MAX_COORDINATE: f64 = 1e12;
/// The largest speed, in meters a second.
pub const MAX_SPEED: f64 = 1e6;
/// The largest radius, in meters.
pub const MAX_RADIUS: f64 = 1e6;

/// An agent on the ground plane: a 3D world's (x, z) or a 2D world's (x, y).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Agent {
    /// Where it is: coordinates within 1e12.
    pub position: [f64; 2],
    /// How it moves now: components within 1e6.
    pub velocity: [f64; 2],
    /// How it would move if it were alone: components within 1e6.
    pub preferred: [f64; 2],
    /// The disc it fills: above 0, up to 1e6.
    pub radius: f64,
    /// The fastest it goes: 0 to 1e6.
    pub max_speed: f64,
    /// The weight with which it goes on: above 0, finite. Of two agents each takes the other's weight, over both.
    pub priority: f64,
    /// Orders agents at equal distances. Equal ids are ordered by what the agents are.
    pub id: u64,
    /// What it is, a bit for each layer.
    pub layers: u32,
    /// The layers it does not avoid.
    pub ignores: u32,
}

/// A flier in space, +Y being up; the fields are those of [`Agent`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[allow(missing_docs)]
pub struct Flier {
    pub position: [f64; 3],
    pub velocity: [f64; 3],
    pub preferred: [f64; 3],
    pub radius: f64,
    pub max_speed: f64,
    pub priority: f64,
    pub id: u64,
    pub layers: u32,
    pub ignores: u32,
}

/// An obstacle in the plane, standing still or moving.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Obstacle<'a> {
    /// One point is a circle's center; two are a segment's ends, avoided from both sides; three or more are a polygon's
    /// corners counterclockwise, whose edges are avoided from outside. Coordinates within 1e12.
    pub points: &'a [[f64; 2]],
    /// A circle's radius, above 0 and up to 1e6; of others 0.
    pub radius: f64,
    /// How it moves: components within 1e6.
    pub velocity: [f64; 2],
    /// Orders obstacles at equal distances.
    pub id: u64,
    /// What it is; agents that ignore one of its layers do not avoid it.
    pub layers: u32,
}

/// An obstacle in space.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sphere {
    /// Where it is: coordinates within 1e12.
    pub center: [f64; 3],
    /// How large: above 0, up to 1e6.
    pub radius: f64,
    /// How it moves: components within 1e6.
    pub velocity: [f64; 3],
    /// Orders spheres at equal distances.
    pub id: u64,
    /// What it is.
    pub layers: u32,
}

impl Agent {
    /// A person standing at the origin: radius 0.5, at most 1.5 m/s, in layer 0, ignoring none.
    pub const DEFAULT: Agent = Agent {
        position: [0.0; 2],
        velocity: [0.0; 2],
        preferred: [0.0; 2],
        radius: 0.5,
        max_speed: 1.5,
        priority: 1.0,
        id: 0,
        layers: 1,
        ignores: 0,
    };
}

impl Flier {
    /// A flier standing at the origin: radius 0.5, at most 1.5 m/s, in layer 0, ignoring none.
    pub const DEFAULT: Flier = Flier {
        position: [0.0; 3],
        velocity: [0.0; 3],
        preferred: [0.0; 3],
        radius: 0.5,
        max_speed: 1.5,
        priority: 1.0,
        id: 0,
        layers: 1,
        ignores: 0,
    };
}

impl Obstacle<'_> {
    /// An obstacle without points, to make others from: it stands still, in layer 0.
    pub const NONE: Obstacle<'static> = Obstacle { points: &[], radius: 0.0, velocity: [0.0; 2], id: 0, layers: 1 };

    /// How many circles or edges it has.
    pub(super) fn piece_count(&self) -> usize {
        match self.points.len() {
            1 | 2 => 1,
            corners => corners,
        }
    }

    /// The ends of an edge; a circle's center twice.
    pub(super) fn edge(&self, point: usize) -> [[f64; 2]; 2] {
        let next = if point + 1 < self.points.len() { point + 1 } else { 0 };
        [self.points[point], self.points[next]]
    }

    pub(super) fn check(&self) -> Result<()> {
        Range::Within(MAX_SPEED).check_all(&self.velocity, Subject::Velocity)?;
        for (part, point) in self.points.iter().enumerate() {
            Range::Within(MAX_COORDINATE).check_all(point, Subject::Obstacle).map_err(|error| error.part(part))?;
        }
        if self.points.is_empty() {
            return Err(Error::invalid(Subject::Obstacle));
        }
        if self.points.len() == 1 {
            return Range::Above0(MAX_RADIUS).check(self.radius, Subject::Radius);
        }
        if self.radius != 0.0 {
            return Err(Error::invalid(Subject::Radius).value(self.radius));
        }
        for point in 0..self.piece_count() {
            let [a, b] = self.edge(point);
            let edge = sub(b, a);
            if dot(edge, edge) == 0.0 {
                return Err(Error::invalid(Subject::Obstacle).part(point));
            }
        }
        if self.points.len() > 2 && self.twice_area() <= 0.0 {
            return Err(Error::invalid(Subject::Obstacle));
        }
        Ok(())
    }

    /// Twice the area of a polygon, above 0 when counterclockwise.
    fn twice_area(&self) -> f64 {
        let from = self.points[0];
        self.points.windows(2).map(|pair| cross(sub(pair[0], from), sub(pair[1], from))).sum()
    }
}

impl Sphere {
    /// A sphere of radius 1 standing at the origin, in layer 0.
    pub const DEFAULT: Sphere = Sphere { center: [0.0; 3], radius: 1.0, velocity: [0.0; 3], id: 0, layers: 1 };

    pub(super) fn check(&self) -> Result<()> {
        Range::Within(MAX_COORDINATE).check_all(&self.center, Subject::Sphere)?;
        Range::Above0(MAX_RADIUS).check(self.radius, Subject::Radius)?;
        Range::Within(MAX_SPEED).check_all(&self.velocity, Subject::Velocity)
    }

    /// Whether it comes before another at the same distance; what is left equal is the same sphere.
    pub(super) fn comes_before(&self, other: &Sphere) -> bool {
        let key = |sphere: &Sphere| {
            let ([x, y, z], [u, v, w]) = (sphere.center.map(ordered), sphere.velocity.map(ordered));
            [sphere.id, x, y, z, u, v, w, ordered(sphere.radius), u64::from(sphere.layers)]
        };
        key(self) < key(other)
    }
}

impl Default for Agent {
    fn default() -> Self {
        Agent::DEFAULT
    }
}

impl Default for Flier {
    fn default() -> Self {
        Flier::DEFAULT
    }
}

impl Default for Sphere {
    fn default() -> Self {
        Sphere::DEFAULT
    }
}

/// What agents and fliers have in common.
macro_rules! movers {
    ($($mover:ident)*) => { $(
        impl $mover {
            pub(super) fn check(&self) -> Result<()> {
                Range::Within(MAX_COORDINATE).check_all(&self.position, Subject::Position)?;
                Range::Within(MAX_SPEED).check_all(&self.velocity, Subject::Velocity)?;
                Range::Within(MAX_SPEED).check_all(&self.preferred, Subject::PreferredVelocity)?;
                Range::Above0(MAX_RADIUS).check(self.radius, Subject::AgentRadius)?;
                Range::UpTo(MAX_SPEED).check(self.max_speed, Subject::Speed)?;
                Range::Positive.check(self.priority, Subject::Priority)
            }

            /// Whether it avoids what is in these layers.
            #[inline]
            pub(super) fn avoids(&self, layers: u32) -> bool {
                self.ignores & layers == 0
            }

            /// Its share of avoiding another that it avoids: the whole when the other does not avoid it.
            #[inline]
            pub(super) fn share_against(&self, other: &$mover) -> f64 {
                if other.avoids(self.layers) { share(self.priority, other.priority) } else { 1.0 }
            }

            /// Whether it comes before another at the same distance: by id, then by all that it is, so that the order in which
            /// agents are handed in never shows. What is left equal is the same agent.
            pub(super) fn comes_before(&self, other: &$mover) -> bool {
                if self.id != other.id {
                    return self.id < other.id;
                }
                let vectors = |mover: &$mover| [mover.position, mover.velocity, mover.preferred].map(|v| v.map(ordered));
                let rest = |mover: &$mover| {
                    let numbers = [mover.radius, mover.max_speed, mover.priority].map(ordered);
                    (numbers, mover.layers, mover.ignores)
                };
                (vectors(self), rest(self)) < (vectors(other), rest(other))
            }
        }
    )* };
}

movers! { Agent Flier }

/// The other's weight over both; halved first where the sum would overflow.
#[inline]
fn share(own: f64, other: f64) -> f64 {
    let sum = own + other;
    if sum < f64::INFINITY { other / sum } else { other * 0.5 / (own * 0.5 + other * 0.5) }
}

/// The bits of a double as an integer of the same order.
pub(super) fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}

#[inline]
pub(super) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
