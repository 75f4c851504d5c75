//! What one agent does in the second phase: neighbours, separation, side bias, constraints, and the velocity they leave
//! (`crowds.md`, "Neighbours" to "Walls").

use super::agent::{Agent, Body, Motion};
use super::def::CrowdDef;
use super::options::{AgentOptions, AvoidanceQuality};
use super::step::Results;
use super::walls::{Facing, Wall};
use crate::avoidance::{Encounter, HalfPlane, Near, Nearest, NeighborIndex, clipped, for_agent, solve};
use crate::error::Result;
use crate::math::{dot, length, scale, sqrt, sub};
use crate::memory::{Arena, Grain};

/// How far apart two at the same place are thought to be.
const APART: f64 = 1e-3;
/// Nearer than this there is no direction away from another.
const TOUCHING: f64 = 1e-9;
/// A wall keeps the bias off its side when it is nearer than so many radii and faces it by more than so much.
const BIAS_RADII: f64 = 4.0;
const BIAS_FACING: f64 = -0.5;
/// An agent is blocked when it can go no faster than this part of what it wants, farther than so many radii from its goal.
const BLOCKED_SPEED: f64 = 0.3;
const BLOCKED_RADII: f64 = 8.0;
/// The root of a half: the double that the page's digits are.
const ROOT_HALF: f64 = core::f64::consts::FRAC_1_SQRT_2;

/// What everybody reads while everybody avoids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avoiding<'a> {
    pub def: CrowdDef,
    pub dt: f64,
    pub agents: &'a [Agent],
    pub bodies: &'a [Body],
    pub walls: &'a [Wall],
    pub index: &'a NeighborIndex<'a>,
}

/// A worker's memory for one agent.
struct Desk<'a> {
    near: &'a mut [Near],
    walls: &'a mut [Near],
    planes: &'a mut [HalfPlane],
    relaxed: &'a mut [HalfPlane],
}

impl<'a> Desk<'a> {
    fn carve(def: &CrowdDef, grains: &'a mut [Grain]) -> Result<Desk<'a>> {
        let mut arena = Arena::new(grains);
        Ok(Desk {
            near: arena.take(AvoidanceQuality::MAX_NEIGHBORS)?,
            walls: arena.take(def.walls_avoided as usize)?,
            planes: arena.take(def.constraints())?,
            relaxed: arena.take(def.constraints())?,
        })
    }
}

/// What an agent must keep to: walls first, which stand in any case, then its neighbours.
struct Constraints<'a> {
    planes: &'a [HalfPlane],
    hard: usize,
    relaxed: &'a mut [HalfPlane],
    speed: f64,
}

impl Constraints<'_> {
    fn best(&mut self, preferred: [f64; 2]) -> [f64; 2] {
        // The scratch is as long as the planes: this can't be refused.
        solve(self.planes, self.hard, self.speed, preferred, self.relaxed).unwrap_or_default()
    }
}

impl Avoiding<'_> {
    /// Finds the velocities of a run of slots that begins at `first`.
    pub fn solve_all(&self, first: usize, results: &mut Results<'_>) {
        // The desk was measured for this: it is never refused.
        let Ok(mut desk) = Desk::carve(&self.def, results.desk) else { return };
        let recorded = self.def.recorded(1);
        for (at, motion) in results.motions.iter_mut().enumerate() {
            let slot = first + at;
            if !self.agents[slot].is_active() {
                continue;
            }
            let count = self.solve(slot, motion, &mut desk);
            if let Some(kept) = results.line_counts.get_mut(at) {
                *kept = count as u32;
                results.lines[at * recorded..][..count].copy_from_slice(&desk.planes[..count]);
            }
        }
    }

    /// One agent's velocity; returns how many constraints it had.
    fn solve(&self, slot: usize, motion: &mut Motion, desk: &mut Desk<'_>) -> usize {
        let agent = &self.agents[slot];
        let options = agent.options();
        if options.quality == AvoidanceQuality::Off || agent.is_crossing() {
            return 0;
        }
        let near = self.neighbors(slot, &options, desk.near);
        let wanted = self.separated(slot, &options, near, motion.preferred);
        let [x, z] = self.bodies[slot].position;
        let stretch = self.def.walls as usize * slot;
        let facing = Facing {
            walls: &self.walls[stretch..stretch + agent.wall_count as usize],
            options: &options,
            position: [x, agent.follower.position()[1], z],
        };
        let hard = facing.choose(desk.walls, desk.planes);
        let preferred = biased(&options, wanted, desk.planes[..hard].iter().zip(&*desk.walls));
        let mut count = hard;
        for other in near {
            desk.planes[count] = self.against(slot, &options, other.name as usize);
            count += 1;
        }
        let mut constraints =
            Constraints { planes: &desk.planes[..count], hard, relaxed: desk.relaxed, speed: options.max_speed };
        motion.preferred = preferred;
        motion.solved = constraints.best(preferred);
        if self.is_blocked(slot, &options, motion, near) {
            motion.solved = way_round(&mut constraints, motion);
        }
        count
    }

    /// The nearest others, nearest first, the lower slot first of two as near.
    fn neighbors<'n>(&self, slot: usize, options: &AgentOptions, room: &'n mut [Near]) -> &'n [Near] {
        let reach = options.neighbor_distance();
        let room = &mut room[..options.quality.neighbors()];
        let mut list = Nearest::below(reach * reach, &mut *room);
        self.index.nearest(self.bodies[slot].position, &mut list, |name, _| name as usize != slot, |a, b| a < b);
        let count = list.as_slice().len();
        &room[..count]
    }

    /// The wanted velocity, pushed away from others that are too near.
    fn separated(&self, slot: usize, options: &AgentOptions, near: &[Near], wanted: [f64; 2]) -> [f64; 2] {
        if options.separation_distance <= 0.0 {
            return wanted;
        }
        let mut sum = wanted;
        for other in near {
            let distance = sqrt(other.distance);
            if distance >= options.separation_distance {
                break;
            }
            let name = other.name as usize;
            let away = if distance > TOUCHING {
                let [x, z] = sub(self.bodies[slot].position, self.bodies[name].position);
                [x / distance, z / distance]
            } else if name < slot {
                [1.0, 0.0]
            } else {
                [-1.0, 0.0]
            };
            let t = 1.0 - distance / options.separation_distance;
            let push = options.separation_weight * options.max_speed * (t * t);
            sum = [sum[0] + away[0] * push, sum[1] + away[1] * push];
        }
        clipped(sum, options.max_speed)
    }

    /// What another leaves to an agent.
    fn against(&self, slot: usize, options: &AgentOptions, other: usize) -> HalfPlane {
        let (me, them) = (&self.bodies[slot], &self.bodies[other]);
        let mut offset = sub(them.position, me.position);
        if offset == [0.0; 2] {
            // At the same place the one with the higher slot is thought to stand at +X, so that the two separate.
            offset = [if other > slot { APART } else { -APART }, 0.0];
        }
        let (mine, theirs) = (&self.agents[slot], &self.agents[other]);
        let share = if theirs.is_crossing() { 1.0 } else { theirs.priority / (mine.priority + theirs.priority) };
        for_agent(&Encounter {
            offset,
            velocity: me.velocity,
            other_velocity: them.velocity,
            radius: options.radius + theirs.settings.radius,
            horizon: options.quality.time_horizon(),
            step: self.dt,
            share,
        })
    }

    /// Whether someone who stands keeps an agent, still far from its goal, from going on.
    fn is_blocked(&self, slot: usize, options: &AgentOptions, motion: &Motion, near: &[Near]) -> bool {
        if length(motion.solved) >= BLOCKED_SPEED * length(motion.preferred) {
            return false;
        }
        let [to_x, _, to_z] = self.agents[slot].follower.destination();
        length(sub([to_x, to_z], self.bodies[slot].position)) > BLOCKED_RADII * options.radius
            && near.iter().any(|other| !self.agents[other.name as usize].is_walking())
    }
}

/// The wanted velocity with a part of it added to one side: to the right, or to the left where a wall is near on the right.
fn biased<'w>(
    options: &AgentOptions,
    wanted: [f64; 2],
    walls: impl Iterator<Item = (&'w HalfPlane, &'w Near)>,
) -> [f64; 2] {
    let side = [wanted[1], -wanted[0]];
    let speed = length(side);
    let near = BIAS_RADII * options.radius;
    let is_walled = |(plane, wall): (&HalfPlane, &Near)| {
        wall.distance <= near * near && dot(plane.normal, side) < BIAS_FACING * speed
    };
    let mut walls = walls;
    let side = if walls.any(is_walled) { [-side[0], -side[1]] } else { side };
    let [x, z] = scale(side, options.side_preference);
    [wanted[0] + x, wanted[1] + z]
}

/// The fastest of what was found and what is found for the wanted velocity turned by a quarter or an eighth; the first of
/// several as fast.
fn way_round(constraints: &mut Constraints<'_>, motion: &Motion) -> [f64; 2] {
    let [x, z] = motion.preferred;
    let turned =
        [[-z, x], [z, -x], [ROOT_HALF * (x - z), ROOT_HALF * (x + z)], [ROOT_HALF * (x + z), ROOT_HALF * (z - x)]];
    let mut fastest = motion.solved;
    for preferred in turned {
        let found = constraints.best(preferred);
        if dot(found, found) > dot(fastest, fastest) {
            fastest = found;
        }
    }
    fastest
}
