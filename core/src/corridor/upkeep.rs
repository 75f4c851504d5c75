//! Repair after the mesh has changed (`corridors.md`, "Mesh changes").

use super::Corridor;
use super::record::{FROM_START, NEEDS_REPLAN};
use crate::error::Result;
use crate::mesh::NavMesh;
use crate::query::corridors::{is_accepted, is_connected};
use crate::query::noted_corners::NotedCorners;
use crate::query::{PolygonFilter, nearest_polygon};

/// What checking a corridor came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CorridorCheck {
    /// The agent's own polygon is gone or rejected: nothing was changed, and the agent must be
    /// [relocated](Corridor::relocate).
    Invalid,
    /// It was cut where it no longer held, or its target is gone: it asks for a replan.
    Trimmed,
    /// What was checked holds.
    Valid,
}

impl Corridor<'_> {
    /// Checks the first `look_ahead` polygons: each must be there, accepted, and connected to the one before it. Cuts the
    /// corridor at the first that is not.
    pub fn validate<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, look_ahead: usize) -> CorridorCheck {
        self.validate_beside(mesh, filter, look_ahead, None)
    }

    /// The same, where the corners that were noted tell that a mesh has not changed since they were found: through the
    /// polygons that are as they were then the ground goes on.
    pub(crate) fn validate_beside<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        look_ahead: usize,
        noted: Option<&NotedCorners>,
    ) -> CorridorCheck {
        let checked = self.count().min(look_ahead);
        let is_known = noted.is_some_and(|noted| noted.are_of(mesh));
        let settled = self.count().saturating_sub(if is_known { self.record.settled.into() } else { 0 });
        let path = self.path();
        let holds = |at: usize| {
            is_accepted(mesh, path[at], filter)
                && (at == 0 || at > settled || is_connected(mesh, path[at - 1], path[at], filter))
        };
        let failed = if path.is_empty() { Some(0) } else { (0..checked).find(|&at| !holds(at)) };
        match failed {
            Some(0) => CorridorCheck::Invalid,
            Some(at) => {
                self.cut_to(at);
                CorridorCheck::Trimmed
            }
            None if checked == self.count() && self.is_complete() && !mesh.is_valid(self.target_polygon()) => {
                self.record.flags = self.record.flags & FROM_START | NEEDS_REPLAN;
                CorridorCheck::Trimmed
            }
            None => CorridorCheck::Valid,
        }
    }

    /// Replaces the corridor by the accepted polygon nearest to the position, moves the position onto it, and asks for a
    /// replan from there. The target stays. False, and unchanged, when there is none within the extents.
    ///
    /// # Errors
    /// Extents that are negative or not finite.
    pub fn relocate<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        half_extents: [f64; 3],
    ) -> Result<bool> {
        let Some(near) = nearest_polygon(mesh, self.position(), half_extents, filter)? else { return Ok(false) };
        self.path[0] = near.polygon;
        self.record.rearrange(1, 0);
        self.record.position = near.point;
        self.record.flags = NEEDS_REPLAN | FROM_START;
        Ok(true)
    }
}
