//! A crowd in a debug buffer (`crowds.md`, "Debug geometry").

use super::crowd::{Crowd, corridor_of};
use crate::debug::{DebugBuffer, DebugKind};
use crate::error::Result;
use crate::follower::Follower;
use crate::math::{add, scale};
use crate::mesh::NavMesh;
use crate::query::Query;

/// An eighth of a turn, along both axes.
const EIGHTH: f64 = core::f64::consts::FRAC_1_SQRT_2;
/// The corners of a disc's outline at a unit's distance.
const RING: [[f64; 2]; 8] = [
    [1.0, 0.0],
    [EIGHTH, EIGHTH],
    [0.0, 1.0],
    [-EIGHTH, EIGHTH],
    [-1.0, 0.0],
    [-EIGHTH, -EIGHTH],
    [0.0, -1.0],
    [EIGHTH, -EIGHTH],
];

impl Crowd<'_> {
    /// Appends every agent in slot order: its disc, with its slot; the line of its wanted velocity; what
    /// [`Follower::debug`] shows of its way; its walls; and, where they are recorded, the half-planes of the last step, each as
    /// the stretch of its edge around its point, a unit long, in the space of velocities around the agent.
    ///
    /// # Errors
    /// A capacity error for a query that is too small; what was appended stays.
    pub fn debug(&mut self, mesh: &NavMesh<'_>, query: &mut Query<'_>, buffer: &mut DebugBuffer<'_>) -> Result<()> {
        for slot in 0..self.slot_count {
            if !self.agents[slot].is_active() {
                continue;
            }
            self.draw_agent(slot, buffer);
            let agent = &mut self.agents[slot];
            let options = agent.options();
            let path = corridor_of(self.corridors, slot, &self.def, &options);
            Follower::of_slot(options.follower(), &mut agent.follower, path).debug(mesh, query, buffer)?;
        }
        Ok(())
    }

    fn draw_agent(&self, slot: usize, buffer: &mut DebugBuffer<'_>) {
        let agent = self.view(slot);
        let (position, radius) = (agent.position(), agent.radius());
        let around = |[x, z]: [f64; 2]| [position[0] + x, position[1], position[2] + z];
        buffer.outline(DebugKind::Agent, slot as f32, RING.map(|corner| around(scale(corner, radius))));
        buffer.segment(DebugKind::Agent, slot as f32, [position, around(agent.preferred_velocity())]);
        for wall in agent.walls() {
            buffer.segment(DebugKind::Wall, 0.0, [wall.start, wall.end]);
        }
        for plane in agent.constraints() {
            let along = [-plane.normal[1] * 0.5, plane.normal[0] * 0.5];
            let ends = [add(plane.point, along), add(plane.point, scale(along, -1.0))];
            buffer.segment(DebugKind::Neighbor, slot as f32, ends.map(around));
        }
    }
}
