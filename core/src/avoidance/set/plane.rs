//! One agent of an avoidance set: its neighbours, its obstacles, its velocity.

use super::super::box_index::{Bounds, BoxIndex};
use super::super::constraints::for_moving_segment;
use super::super::crew::{Desk, Task};
use super::super::linear_program::clipped;
use super::super::velocity_obstacle::{Capsule, segment_distance_squared};
use super::super::{Encounter, HalfPlane, Near, Nearest, NeighborIndex, for_agent, solve};
use super::elements::{cross, ordered};
use super::{Agent, AvoidanceDef, Obstacle, Piece};
use crate::math::{dot, length, scale, sqrt, sub};

/// How much of its speed a hindered agent aims to its right.
pub(super) const SIDESTEP: f64 = 0.01;
/// How far apart two agents at the same place think they are, of the sum of their radii.
pub(super) const NUDGE: f64 = 1e-3;

/// What the workers of a call see.
#[derive(Clone, Copy, Debug)]
pub struct PlaneTask<'s> {
    pub(super) def: &'s AvoidanceDef,
    pub(super) agents: &'s [Agent],
    pub(super) obstacles: &'s [Obstacle<'s>],
    pub(super) pieces: &'s [Piece],
    pub(super) index: &'s NeighborIndex<'s>,
    pub(super) boxes: &'s BoxIndex<'s>,
    pub(super) step: f64,
}

impl Task for PlaneTask<'_> {
    fn solve(&self, place: usize, desk: &mut Desk<'_>) -> [f64; 3] {
        let name = self.index.name(place);
        let me = &self.agents[name as usize];
        let hard = self.avoid_obstacles(me, desk);
        let count = hard + self.avoid_agents(me, name, hard, desk);
        let constraints = &desk.planes[..count];
        let wanted = clipped(me.preferred, me.max_speed);
        let [x, y] = if constraints.iter().all(|plane| plane.signed_distance(wanted) >= 0.0) {
            wanted
        } else {
            let aim = [wanted[0] + wanted[1] * SIDESTEP, wanted[1] - wanted[0] * SIDESTEP];
            // The desk has room for every constraint, so the program is never refused.
            solve(constraints, hard, me.max_speed, aim, desk.relaxed).unwrap_or_default()
        };
        let [x, y] = never_faster([x, y], me.max_speed);
        [x, y, 0.0]
    }
}

impl PlaneTask<'_> {
    /// Lays down the constraints of the nearest edges and circles within reach, in order; how many.
    fn avoid_obstacles(&self, me: &Agent, desk: &mut Desk<'_>) -> usize {
        if self.boxes.is_empty() {
            return 0;
        }
        let horizon = self.def.obstacle_horizon;
        let reach = horizon * me.max_speed + me.radius;
        let mut list = Nearest::up_to(f64::MAX, desk.edges);
        self.boxes.visit([me.position[0], me.position[1], 0.0], reach, |name| {
            let (obstacle, [a, b]) = self.piece(name, me.position);
            if !me.avoids(obstacle.layers) || (obstacle.points.len() > 2 && is_inside(a, b)) {
                return;
            }
            // The plain distance orders circles and edges together; within a circle it is below zero.
            let distance = sqrt(segment_distance_squared(a, b)) - obstacle.radius;
            if distance <= reach + horizon * length(obstacle.velocity) && list.admits(distance) {
                list.offer(Near { distance, name, place: name }, |a, b| self.piece_key(a) < self.piece_key(b));
            }
        });
        for (near, plane) in list.as_slice().iter().zip(desk.planes.iter_mut()) {
            let (obstacle, [a, b]) = self.piece(near.name, me.position);
            *plane = self.for_piece(me, obstacle, a, b);
        }
        list.as_slice().len()
    }

    /// An edge or circle, relative to a position.
    fn piece(&self, name: u32, from: [f64; 2]) -> (&Obstacle<'_>, [[f64; 2]; 2]) {
        let piece = &self.pieces[name as usize];
        let obstacle = &self.obstacles[piece.obstacle as usize];
        (obstacle, obstacle.edge(piece.point as usize).map(|end| sub(end, from)))
    }

    /// What orders pieces at equal distances: the id, then all that they are, so that no order of handing in shows.
    fn piece_key(&self, name: u32) -> ([u64; 9], usize) {
        let (obstacle, [a, b]) = self.piece(name, [0.0, 0.0]);
        let numbers =
            [a[0], a[1], b[0], b[1], obstacle.velocity[0], obstacle.velocity[1], obstacle.radius].map(ordered);
        let mut key = [obstacle.id; 9];
        key[1..8].copy_from_slice(&numbers);
        key[8] = u64::from(obstacle.layers);
        (key, obstacle.points.len())
    }

    /// Agents and obstacles are thought to keep clear of each other by the agent alone, from standing still.
    fn for_piece(&self, me: &Agent, obstacle: &Obstacle<'_>, a: [f64; 2], b: [f64; 2]) -> HalfPlane {
        let (horizon, step) = (self.def.obstacle_horizon, self.step);
        if obstacle.points.len() > 1 {
            // Of the two sides of an edge that the agent stands on exactly, the left of the segment is tried first: for a
            // polygon that must be the outside.
            let [a, b] = if obstacle.points.len() > 2 { [b, a] } else { [a, b] };
            return for_moving_segment(&Capsule { a, b, radius: me.radius }, obstacle.velocity, horizon, step);
        }
        let radius = me.radius + obstacle.radius;
        if dot(a, a) == 0.0 {
            // Exactly on the center every way out is as near: along -Y.
            let normal = [0.0, -1.0];
            let distance = dot(normal, scale(obstacle.velocity, -1.0)) - radius / step;
            return HalfPlane { point: scale(normal, -distance), normal };
        }
        for_agent(&Encounter {
            offset: a,
            velocity: [0.0, 0.0],
            other_velocity: obstacle.velocity,
            radius,
            horizon,
            step,
            share: 1.0,
        })
    }

    /// Lays down the constraints of the nearest neighbours behind those of the obstacles; how many.
    fn avoid_agents(&self, me: &Agent, name: u32, hard: usize, desk: &mut Desk<'_>) -> usize {
        let distance = self.def.neighbor_distance;
        let mut list = Nearest::below(distance * distance, desk.near);
        let agent = |name: u32| &self.agents[name as usize];
        let keep = |other: u32, _| other != name && me.avoids(agent(other).layers);
        self.index.nearest(me.position, &mut list, keep, |a, b| agent(a).comes_before(agent(b)));
        for (near, plane) in list.as_slice().iter().zip(&mut desk.planes[hard..]) {
            let other = agent(near.name);
            let radius = me.radius + other.radius;
            let mut offset = sub(other.position, me.position);
            if near.distance == 0.0 {
                // At the same place the two part along X, in their order.
                offset = [if other.comes_before(me) { radius * NUDGE } else { -radius * NUDGE }, 0.0];
            }
            *plane = for_agent(&Encounter {
                offset,
                velocity: me.velocity,
                other_velocity: other.velocity,
                radius,
                horizon: self.def.time_horizon,
                step: self.step,
                share: me.share_against(other),
            });
        }
        list.as_slice().len()
    }
}

/// Whether the agent, at the origin, is on the left of an edge: inside, for a polygon counterclockwise.
#[inline]
fn is_inside(a: [f64; 2], b: [f64; 2]) -> bool {
    cross(sub(b, a), [-a[0], -a[1]]) > 0.0
}

/// A velocity that rounding left a little too fast, shortened until it is not.
pub(super) fn never_faster<const N: usize>(velocity: [f64; N], speed: f64) -> [f64; N] {
    let long = length(velocity);
    if long <= speed {
        return velocity;
    }
    let mut shorter = scale(velocity, speed / long);
    // Each round takes some units in the last place off; where those are too coarse to do so, nothing is left.
    for _ in 0..4 {
        if length(shorter) <= speed {
            return shorter;
        }
        shorter = scale(shorter, 1.0 - 4.0 * f64::EPSILON);
    }
    [0.0; N]
}

/// The box of a piece, as much larger as the obstacle moves within the horizon.
pub(super) fn bounds_of(obstacle: &Obstacle<'_>, piece: &Piece, horizon: f64) -> Bounds {
    let [a, b] = obstacle.edge(piece.point as usize);
    Bounds::of_segment(a, b).grown(obstacle.radius + horizon * length(obstacle.velocity))
}
