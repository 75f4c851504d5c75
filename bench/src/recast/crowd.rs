//! DetourCrowd: agents on a Detour mesh, as its own sample sets them up.

use super::bake::Baked;
use super::path::Snapped;
use super::{CrowdOwner, sys, worked};
use navarena::crowd::AgentOptions;

/// What an agent's separation weighs.
const SEPARATION: f32 = 2.0;
/// Anticipated turns, obstacle avoidance, separation, and both optimizations of the way.
const EVERYTHING: u8 = 1 | 2 | 4 | 8 | 16;

/// A crowd on one mesh.
pub struct Crowd<'a> {
    crowd: CrowdOwner,
    agents: i32,
    _mesh: &'a Baked,
}

impl<'a> Crowd<'a> {
    /// An empty crowd with room for so many agents.
    pub fn new(mesh: &'a Baked, agents: usize) -> Result<Crowd<'a>, String> {
        let crowd = CrowdOwner::new()?;
        let (most, radius) = (i32::try_from(agents).map_err(|_| "too many agents")?, AgentOptions::HUMANOID.radius);
        // SAFETY: a crowd that the library made, and a mesh that outlives it by this type's lifetime.
        worked("crowd", unsafe { sys::dtCrowd_init(crowd.get(), most, radius as f32, mesh.mesh.get()) })?;
        Ok(Crowd { crowd, agents: 0, _mesh: mesh })
    }

    /// Adds an agent and sends it somewhere.
    pub fn add(&mut self, start: &Snapped, goal: &Snapped) -> Result<(), String> {
        let like = AgentOptions::HUMANOID;
        let radius = like.radius as f32;
        let params = sys::dtCrowdAgentParams {
            radius,
            height: 2.0,
            maxAcceleration: like.max_acceleration as f32,
            maxSpeed: like.max_speed as f32,
            collisionQueryRange: radius * 12.0,
            pathOptimizationRange: radius * 30.0,
            separationWeight: SEPARATION,
            updateFlags: EVERYTHING,
            obstacleAvoidanceType: 0,
            queryFilterType: 0,
            userData: core::ptr::null_mut(),
        };
        // SAFETY: an initialized crowd, a position of three numbers, and parameters that it copies.
        let agent = unsafe { sys::dtCrowd_addAgent(self.crowd.get(), start.point.as_ptr(), &params) };
        worked("agent", agent == self.agents)?;
        self.agents += 1;
        // SAFETY: the agent that was just added, and a reference that a query on the same mesh gave.
        let is_sent =
            unsafe { sys::dtCrowd_requestMoveTarget(self.crowd.get(), agent, goal.polygon, goal.point.as_ptr()) };
        worked("destination", is_sent)
    }

    /// Makes one step.
    pub fn step(&mut self, dt: f32) {
        // SAFETY: an initialized crowd; nobody asks for its debug information.
        unsafe { sys::dtCrowd_update(self.crowd.get(), dt, core::ptr::null_mut()) }
    }

    /// Where everybody is.
    pub fn positions(&self) -> Vec<[f64; 3]> {
        let position = |agent: i32| {
            // SAFETY: an agent of the crowd, which is never moved while the crowd lives, read between two steps.
            let agent = unsafe { &*sys::dtCrowd_getAgent(self.crowd.get().cast_const().cast_mut(), agent) };
            agent.npos.map(f64::from)
        };
        (0..self.agents).map(position).collect()
    }
}
