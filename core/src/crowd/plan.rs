//! What one agent does in the first phase and in the last: its follower's part, and the lookup of walls (`crowds.md`,
//! "Step", 1 and 3).

use super::agent::{ACTIVE, Agent, Body, CROSSING, Motion, WALKING, WALLS_FOUND};
use super::def::CrowdDef;
use super::options::{AgentOptions, AvoidanceQuality};
use super::walls::{self, Wall};
use crate::error::Result;
use crate::follower::{Follower, FollowerState, WalkPlan, accelerated};
use crate::math::sqrt;
use crate::memory::{Arena, Grain};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::noted_corners::NotedCorners;
use crate::query::{PolygonFilter, Query};

/// One agent with all that is its own.
pub(super) struct Planner<'a> {
    pub def: &'a CrowdDef,
    pub dt: f64,
    pub agent: &'a mut Agent,
    pub plan: &'a mut WalkPlan,
    pub motion: &'a mut Motion,
    pub body: &'a Body,
    pub walls: &'a mut [Wall],
    /// Its slot's corridor.
    pub corridor: &'a mut [PolyRef],
    pub desk: &'a mut [Grain],
    /// The corners found last, where they are kept.
    pub noted: Option<&'a mut NotedCorners>,
}

impl Planner<'_> {
    /// Phase 1: the way is kept and the wanted velocity found; then the walls.
    pub fn plan<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, query: &mut Query<'_>, filter: &F) -> Result<()> {
        let options = self.agent.options();
        let dt = self.dt;
        let noted = self.noted.take();
        let mut follower = self.follower(&options);
        if was_pushed_off(&follower, &options) {
            let destination = follower.destination();
            follower.set_destination(mesh, query, destination, filter)?;
        }
        let plan = follower.plan_walk(mesh, query, filter, (noted, dt))?;
        let place = follower.path().first().map(|&polygon| (polygon, follower.position()));
        let walking = if plan.is_walking() { WALKING } else { 0 };
        let crossing = if plan.is_crossing() { CROSSING } else { 0 };
        self.agent.flags = self.agent.flags & WALLS_FOUND | ACTIVE | walking | crossing;
        *self.plan = plan;
        // Who does not avoid walks as it wants.
        *self.motion = Motion { preferred: plan.wanted, solved: plan.wanted };
        if crossing == 0
            && options.quality != AvoidanceQuality::Off
            && let Some(place) = place
        {
            self.find_walls(place, mesh, query, filter)?;
        }
        Ok(())
    }

    fn find_walls<F: PolygonFilter>(
        &mut self,
        place: (PolyRef, [f64; 3]),
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
    ) -> Result<()> {
        if !walls::are_stale(self.agent, place.1, mesh.version(), self.def) {
            return Ok(());
        }
        let desk = Arena::new(self.desk).take(self.def.walls as usize)?;
        walls::look_up(self.agent, place, (mesh, query, filter), self.def, (desk, self.walls))
    }

    /// Phase 3: the velocity found is approached and moved by. A crossing was walked while planning.
    pub fn walk<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, query: &mut Query<'_>, filter: &F) -> Result<()> {
        if self.agent.is_crossing() {
            return Ok(());
        }
        let options = self.agent.options();
        let (dt, plan, is_walking) = (self.dt, *self.plan, self.agent.is_walking());
        let velocity = accelerated(self.body.velocity, self.motion.solved, options.max_acceleration * dt);
        let mut follower = self.follower(&options);
        match is_walking {
            true => follower.apply_walk(mesh, query, filter, &plan, (velocity, dt)),
            false => follower.nudge(mesh, query, filter, (velocity, dt)),
        }
    }

    fn follower(&mut self, options: &AgentOptions) -> Follower<'_> {
        let options = options.follower();
        let path = &mut self.corridor[..options.corridor_capacity as usize];
        Follower::of_slot(options, &mut self.agent.follower, path)
    }
}

/// Whether an agent that had arrived was pushed so far that it goes back.
fn was_pushed_off(follower: &Follower<'_>, options: &AgentOptions) -> bool {
    if follower.state() != FollowerState::Arrived {
        return false;
    }
    let ([x, _, z], [to_x, _, to_z]) = (follower.position(), follower.destination());
    let (dx, dz) = (x - to_x, z - to_z);
    sqrt(dx * dx + dz * dz) > 2.0 * options.arrival_radius + 0.01
}
