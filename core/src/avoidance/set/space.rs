//! One flier of an avoidance set: its neighbours, its spheres, its velocity.

use super::super::box_index::{Bounds, BoxIndex};
use super::super::crew::{Desk, Task};
use super::super::half_space::{HalfSpace, SpaceEncounter, for_flier, right_of};
use super::super::space_program::{Scratch, clipped_in_space, solve_in_space};
use super::super::{Near, Nearest, NeighborIndex};
use super::plane::{NUDGE, SIDESTEP, never_faster};
use super::{AvoidanceDef, Flier, Sphere};
use crate::math::{add, dot, length, scale, sub};

/// What the workers of a call in space see.
#[derive(Clone, Copy, Debug)]
pub struct SpaceTask<'s> {
    pub(super) def: &'s AvoidanceDef,
    pub(super) fliers: &'s [Flier],
    pub(super) spheres: &'s [Sphere],
    pub(super) index: &'s NeighborIndex<'s>,
    pub(super) boxes: &'s BoxIndex<'s>,
    pub(super) step: f64,
}

impl Task for SpaceTask<'_> {
    fn solve(&self, place: usize, desk: &mut Desk<'_>) -> [f64; 3] {
        let name = self.index.name(place);
        let me = &self.fliers[name as usize];
        let hard = self.avoid_spheres(me, desk);
        let count = hard + self.avoid_fliers(me, name, hard, desk);
        let constraints = &desk.spaces[..count];
        let wanted = clipped_in_space(me.preferred, me.max_speed);
        if constraints.iter().all(|space| space.signed_distance(wanted) >= 0.0) {
            return never_faster(wanted, me.max_speed);
        }
        let speed = length(wanted);
        let aim = if speed > 0.0 { add(wanted, scale(right_of(wanted), speed * SIDESTEP)) } else { wanted };
        let mut scratch = Scratch { planes: desk.planes, relaxed: desk.relaxed_spaces };
        never_faster(solve_in_space(constraints, hard, me.max_speed, aim, &mut scratch), me.max_speed)
    }
}

impl SpaceTask<'_> {
    /// Lays down the constraints of the nearest spheres within reach, in order; how many.
    fn avoid_spheres(&self, me: &Flier, desk: &mut Desk<'_>) -> usize {
        if self.boxes.is_empty() {
            return 0;
        }
        let horizon = self.def.obstacle_horizon;
        let reach = horizon * me.max_speed + me.radius;
        let sphere = |name: u32| &self.spheres[name as usize];
        let mut list = Nearest::up_to(f64::MAX, desk.edges);
        self.boxes.visit(me.position, reach, |name| {
            let distance = length(sub(sphere(name).center, me.position)) - sphere(name).radius;
            let within = distance <= reach + horizon * length(sphere(name).velocity);
            if within && me.avoids(sphere(name).layers) && list.admits(distance) {
                list.offer(Near { distance, name, place: name }, |a, b| sphere(a).comes_before(sphere(b)));
            }
        });
        for (near, space) in list.as_slice().iter().zip(desk.spaces.iter_mut()) {
            *space = self.for_sphere(me, sphere(near.name));
        }
        list.as_slice().len()
    }

    /// The flier takes the whole avoidance, from standing still.
    fn for_sphere(&self, me: &Flier, sphere: &Sphere) -> HalfSpace {
        let offset = sub(sphere.center, me.position);
        let (radius, step) = (me.radius + sphere.radius, self.step);
        if dot(offset, offset) == 0.0 {
            // Exactly on the center every way out is as near: along -Z.
            let normal = [0.0, 0.0, -1.0];
            let distance = dot(normal, scale(sphere.velocity, -1.0)) - radius / step;
            return HalfSpace { point: scale(normal, -distance), normal };
        }
        for_flier(&SpaceEncounter {
            offset,
            velocity: [0.0; 3],
            other_velocity: sphere.velocity,
            radius,
            horizon: self.def.obstacle_horizon,
            step,
            share: 1.0,
        })
    }

    /// Lays down the constraints of the nearest neighbours behind those of the spheres; how many.
    fn avoid_fliers(&self, me: &Flier, name: u32, hard: usize, desk: &mut Desk<'_>) -> usize {
        let distance = self.def.neighbor_distance;
        let mut list = Nearest::below(distance * distance, desk.near);
        let flier = |name: u32| &self.fliers[name as usize];
        let keep = |other: u32, _| other != name && me.avoids(flier(other).layers);
        self.index.nearest_in_space(me.position, &mut list, keep, |a, b| flier(a).comes_before(flier(b)));
        for (near, space) in list.as_slice().iter().zip(&mut desk.spaces[hard..]) {
            let other = flier(near.name);
            let radius = me.radius + other.radius;
            let mut offset = sub(other.position, me.position);
            if near.distance == 0.0 {
                // At the same place the two part along X, in their order.
                offset = [if other.comes_before(me) { radius * NUDGE } else { -radius * NUDGE }, 0.0, 0.0];
            }
            *space = for_flier(&SpaceEncounter {
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

/// The box of a sphere, as much larger as it moves within the horizon.
pub(super) fn bounds_of(sphere: &Sphere, horizon: f64) -> Bounds {
    Bounds::around(sphere.center).grown(sphere.radius + horizon * length(sphere.velocity))
}
