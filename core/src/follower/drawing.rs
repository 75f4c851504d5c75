//! A follower in a debug buffer (`corridors.md`, "Debug geometry").

use super::record::Follower;
use crate::debug::{DebugBuffer, DebugKind};
use crate::error::Result;
use crate::math::add;
use crate::mesh::NavMesh;
use crate::query::Query;

impl Follower<'_> {
    /// Appends its corridor and corners as [`Corridor::debug`](crate::corridor::Corridor::debug) does; the line from its
    /// position along its velocity, with its state's number; the line from there to its destination; and while it crosses a
    /// link the line from the link's entry to its exit.
    ///
    /// # Errors
    /// A capacity error as for [`set_destination`](Follower::set_destination); nothing is appended.
    pub fn debug(&mut self, mesh: &NavMesh<'_>, query: &mut Query<'_>, buffer: &mut DebugBuffer<'_>) -> Result<()> {
        let most = self.options.max_corners;
        self.corridor().debug(mesh, query, most, buffer)?;
        let (state, position) = (self.record.state as f32, self.position());
        buffer.segment(DebugKind::Agent, state, [position, add(position, self.velocity())]);
        buffer.segment(DebugKind::Agent, state, [position, self.destination()]);
        if let Some(ends) = self.crossing() {
            buffer.segment(DebugKind::Link, 0.0, ends);
        }
        Ok(())
    }
}
