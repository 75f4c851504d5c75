//! Moving the agent and the target (`corridors.md`, "Moving the agent").

use super::Corridor;
use super::joining::cut_loops;
use super::record::{COMPLETE, LIES_ON, NEEDS_REPLAN};
use crate::error::Result;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::checks::checked_position;
use crate::query::corridors::{closest_on, surface_below};
use crate::query::{MoveEnd, PolygonFilter, Query, RaycastStatus};

/// Surfaces whose vertical distance to a point differs by less are as near to it.
const SAME_HEIGHT: f64 = 1e-9;

impl Corridor<'_> {
    /// Moves the agent along the surface toward a position, as
    /// [`move_along_surface`](crate::query::move_along_surface) does, and the corridor's beginning with it: polygons
    /// walked are dropped, and a step aside leads back through the polygons walked.
    ///
    /// False, and unchanged, when the move can't begin or crosses more polygons than there is room for. An end that no
    /// longer fits is cut: the corridor is then incomplete and asks for a replan.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21; a capacity error for a query with room for fewer polygons than
    /// the corridor's capacity.
    pub fn move_position<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        to: [f64; 3],
        filter: &F,
    ) -> Result<bool> {
        checked_position(to, 0)?;
        query.check_room(self.capacity(), 0)?;
        let Some(&first) = self.path().first() else { return Ok(false) };
        let (moved, walked) = query.move_within(mesh, (first, self.position()), to, filter, self.capacity())?;
        if moved.status != RaycastStatus::Ok || moved.end == MoveEnd::OutOfNodes {
            return Ok(false);
        }
        let length = cut_loops(walked);
        self.lead_back(&walked[..length]);
        self.put_at(moved.position);
        Ok(true)
    }

    /// Puts the polygons walked, the last one first, before what is left of the corridor behind the farthest of them.
    fn lead_back(&mut self, walked: &[PolyRef]) {
        if walked.len() < 2 {
            return;
        }
        let count = self.count();
        let met = (0..count).rev().find_map(|at| Some((at, walked.iter().position(|one| *one == self.path[at])?)));
        let Some((at, from)) = met else { return };
        let back = walked.len() - from;
        let rest = count - at - 1;
        let kept = rest.min(self.capacity() - back);
        self.path.copy_within(at + 1..at + 1 + kept, back);
        for (place, &polygon) in self.path.iter_mut().zip(walked[from..].iter().rev()) {
            *place = polygon;
        }
        self.record.rearrange(back + kept, if kept < rest { 0 } else { kept });
        if kept < rest {
            self.record.flags = self.record.flags & !COMPLETE | NEEDS_REPLAN;
        }
    }

    /// Moves the target along the surface toward a position, and the corridor's end with it. The target is then on the
    /// surface. An incomplete corridor only notes the target and asks for a replan.
    ///
    /// False, and unchanged, when the move can't begin or the corridor would have more polygons than there is room for.
    ///
    /// # Errors
    /// As for [`move_position`](Corridor::move_position).
    pub fn move_target<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        to: [f64; 3],
        filter: &F,
    ) -> Result<bool> {
        checked_position(to, 0)?;
        query.check_room(self.capacity(), 0)?;
        if !self.is_complete() {
            self.record.target = to;
            self.record.target_polygon = PolyRef::NONE;
            self.record.flags |= NEEDS_REPLAN;
            return Ok(true);
        }
        let last = self.record.target_polygon;
        let Some(from) = closest_on(mesh, last, self.target()) else { return Ok(false) };
        let (moved, walked) = query.move_within(mesh, (last, from), to, filter, self.capacity())?;
        if moved.status != RaycastStatus::Ok || moved.end == MoveEnd::OutOfNodes {
            return Ok(false);
        }
        let length = cut_loops(walked);
        if !self.lead_on(&walked[..length]) {
            return Ok(false);
        }
        self.record.target = moved.position;
        self.record.target_polygon = moved.polygon;
        Ok(true)
    }

    /// Puts the polygons walked behind what is left of the corridor before the first of them; false where there is no room.
    fn lead_on(&mut self, walked: &[PolyRef]) -> bool {
        let met = self.path().iter().enumerate();
        let met = met.into_iter().find_map(|(at, one)| Some((at, walked.iter().position(|other| other == one)?)));
        let Some((at, from)) = met else { return false };
        let ahead = &walked[from..];
        let Some(room) = self.path.get_mut(at..at + ahead.len()) else { return false };
        room.copy_from_slice(ahead);
        self.record.rearrange(at + ahead.len(), 0);
        true
    }

    /// Puts the agent at a position that lies in one of the corridor's first `limit` polygons, as the leg to a corner
    /// does, and trims the corridor to begin there. Nothing is traced, so a leg along a wall or through a vertex is not
    /// held up by rounding.
    ///
    /// Of the polygons whose outline holds it to within 1e-7 in the plane, that with the surface vertically closest to
    /// it, the farthest along of several as close. False, and unchanged, when there is none.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21.
    pub fn move_along(&mut self, mesh: &NavMesh<'_>, to: [f64; 3], limit: usize) -> Result<bool> {
        checked_position(to, 0)?;
        let mut best: Option<(f64, usize, ([f64; 3], bool))> = None;
        for (at, &polygon) in self.path().iter().take(limit).enumerate() {
            let Some(point) = surface_below(mesh, polygon, to) else { continue };
            let away = (point.0[1] - to[1]).abs();
            if best.is_none_or(|(least, ..)| away <= least + SAME_HEIGHT) {
                best = Some((away, at, point));
            }
        }
        let Some((_, first, (point, is_lasting))) = best else { return Ok(false) };
        self.trim_to(first, point);
        if is_lasting {
            self.record.flags |= LIES_ON;
        }
        Ok(true)
    }
}
