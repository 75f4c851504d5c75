//! A corridor in a debug buffer (`corridors.md`, "Debug geometry").

use super::Corridor;
use crate::debug::{DebugBuffer, DebugKind};
use crate::error::Result;
use crate::mesh::NavMesh;
use crate::query::Query;

impl Corridor<'_> {
    /// Appends the outlines of the corridor's polygons, each with its place, and the lines from corner to corner, the
    /// first `max_corners`. Polygons whose tile has gone are left out, and so are the corners of a corridor that does
    /// not hold together.
    ///
    /// # Errors
    /// Those of [`find_corners`](Corridor::find_corners); nothing is appended.
    pub fn debug(
        &self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        max_corners: u32,
        buffer: &mut DebugBuffer<'_>,
    ) -> Result<()> {
        self.find_corners(mesh, query, max_corners)?;
        for (place, &polygon) in self.path().iter().enumerate() {
            mesh.debug_outline(polygon, DebugKind::Corridor, place as f32, buffer);
        }
        query.path().debug(buffer);
        Ok(())
    }
}
