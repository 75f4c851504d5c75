//! An agent to be looked at.

use super::agent::{Agent, AgentId};
use super::crowd::Crowd;
use super::options::AgentOptions;
use super::walls::Wall;
use crate::avoidance::HalfPlane;
use crate::follower::{FollowerRecord, FollowerState};
use crate::mesh::PolyRef;

/// An agent of a crowd as it is between two steps, borrowed from it (`crowds.md`, "Debug geometry").
#[derive(Clone, Copy, Debug)]
pub struct AgentView<'a> {
    slot: usize,
    agent: &'a Agent,
    preferred: [f64; 2],
    path: &'a [PolyRef],
    walls: &'a [Wall],
    constraints: &'a [HalfPlane],
}

impl Crowd<'_> {
    pub(super) fn view(&self, slot: usize) -> AgentView<'_> {
        let agent = &self.agents[slot];
        let first = slot * self.def.corridor as usize;
        let lines = self.line_counts.get(slot).map_or(0, |&count| count as usize);
        let first_line = slot * self.def.recorded(1);
        AgentView {
            slot,
            agent,
            preferred: self.motions[slot].preferred,
            path: &self.corridors[first..first + agent.follower.corridor_len()],
            walls: self.walls_of(slot),
            constraints: &self.lines[first_line..first_line + lines],
        }
    }
}

impl<'a> AgentView<'a> {
    /// Who it is.
    pub fn id(&self) -> AgentId {
        AgentId { number: self.agent.number, slot: self.slot as u32 }
    }

    /// What it is like.
    pub fn options(&self) -> AgentOptions {
        self.agent.options()
    }

    /// Its radius.
    pub fn radius(&self) -> f64 {
        self.options().radius
    }

    /// Its weight against others'.
    pub fn priority(&self) -> f64 {
        self.agent.priority
    }

    /// What it does.
    pub fn state(&self) -> FollowerState {
        self.follower().state()
    }

    /// Where it is.
    pub fn position(&self) -> [f64; 3] {
        self.follower().position()
    }

    /// How it moved in the last step, in units a second.
    pub fn velocity(&self) -> [f64; 3] {
        self.follower().velocity()
    }

    /// Where it was sent last.
    pub fn destination(&self) -> [f64; 3] {
        self.follower().destination()
    }

    /// How far the end is along the corners, infinite when it is not among them.
    pub fn remaining_distance(&self) -> f64 {
        self.follower().remaining_distance()
    }

    /// Whether it arrived at its destination, and not only as near as there is a way.
    pub fn has_reached_target(&self) -> bool {
        self.follower().has_reached_target()
    }

    /// The ends of the link that it crosses, while it does.
    pub fn crossing(&self) -> Option<[[f64; 3]; 2]> {
        self.follower().crossing()
    }

    /// Whether it was on the way in the last step.
    pub fn is_walking(&self) -> bool {
        self.agent.is_walking()
    }

    /// The velocity in the plane that it wanted in the last step, x and z.
    pub fn preferred_velocity(&self) -> [f64; 2] {
        self.preferred
    }

    /// The polygons ahead, its own first.
    pub fn path(&self) -> &'a [PolyRef] {
        self.path
    }

    /// The walls that it keeps.
    pub fn walls(&self) -> &'a [Wall] {
        self.walls
    }

    /// The half-planes of the last step, walls first; none where the def does not
    /// [record](super::CrowdDef::records_constraints) them.
    pub fn constraints(&self) -> &'a [HalfPlane] {
        self.constraints
    }

    fn follower(&self) -> &'a FollowerRecord {
        &self.agent.follower
    }
}
