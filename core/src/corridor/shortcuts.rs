//! Shortcuts: by a ray, and by a search over the corridor's beginning (`corridors.md`, "Shortcuts").

use super::Corridor;
use super::joining::join;
use super::record::{COMPLETE, MIN_CORRIDOR, NEEDS_REPLAN};
use crate::error::{Error, Result, Subject};
use crate::geometry::plane::Vec3;
use crate::math::{lerp, sqrt, sub};
use crate::mesh::NavMesh;
use crate::query::checks::checked_position;
use crate::query::corridors::closest_on;
use crate::query::{PolygonFilter, Query};

/// The fewest polygons that a topology search is about.
pub(crate) const MIN_WINDOW: usize = 3;
/// A route is taken when it is shorter to walk than this part of the old way.
const SHORTER: f64 = 1.0 - 1e-4;

impl Corridor<'_> {
    /// Shortens the corridor where the agent can see ahead: a ray over the surface toward a point, cut to `range` in the
    /// plane, crosses polygons, at most `budget` of them; they replace the corridor's beginning up to the farthest of its
    /// polygons among them. Tells whether anything changed.
    ///
    /// # Errors
    /// A point that is not finite or not within 2^21, a range that is negative or NaN, and a capacity error as for
    /// [`move_position`](Corridor::move_position).
    pub fn optimize_visibility<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        (point, range): ([f64; 3], f64),
        filter: &F,
        budget: usize,
    ) -> Result<bool> {
        checked_position(point, 0)?;
        if range.is_nan() || range < 0.0 {
            return Err(Error::invalid(Subject::OptimizeRange).value(range));
        }
        query.check_room(self.capacity(), 0)?;
        let Some(&first) = self.path().first() else { return Ok(false) };
        let end = within(self.position(), point, range);
        let most = budget.max(MIN_CORRIDOR).min(self.capacity());
        let chain = query.chain_toward(mesh, (first, self.position()), end, filter, most)?;
        let count = self.count();
        let place = |polygon| chain.iter().skip(1).position(|one| *one == polygon).map(|before| before + 1);
        let met = (1..count).rev().find_map(|at| Some((at, place(self.path[at])?)));
        let Some((at, to)) = met else { return Ok(false) };
        if self.path[..at] == chain[..to] || to + (count - at) > self.capacity() {
            return Ok(false);
        }
        self.path.copy_within(at..count, to);
        self.path[..to].copy_from_slice(&chain[..to]);
        self.record.rearrange(to + count - at, count - at);
        Ok(true)
    }

    /// Looks for a shorter way through the corridor's first `window` polygons by a search of at most `budget` expansions
    /// over crossings, and takes it when its string-pulled path is shorter. Tells whether anything changed: nothing does
    /// when the search does not end, or the corridor has fewer than 3 polygons. Ends a search that is open in the query.
    ///
    /// # Errors
    /// A window of fewer than 3 polygons, and a capacity error as for [`move_position`](Corridor::move_position).
    pub fn optimize_topology<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
        budget: u64,
        window: usize,
    ) -> Result<bool> {
        if window < MIN_WINDOW {
            return Err(Error::limit(Subject::Window).value(window as f64).bound(MIN_WINDOW as f64));
        }
        query.check_room(self.capacity(), 0)?;
        let count = self.count();
        if count < MIN_WINDOW || budget == 0 {
            return Ok(false);
        }
        let (first, position) = (self.path[0], self.position());
        let far = (count - 1).min(window - 1);
        let Some(end) = closest_on(mesh, self.path[far], self.target()) else { return Ok(false) };
        if !query.find_local_route(mesh, (first, position), (self.path[far], end), filter, budget)? {
            return Ok(false);
        }
        let new = query.pulled_length(mesh, position, end, None);
        let old = query.pulled_length(mesh, position, end, Some(&self.path[..=far]));
        let (Some(new), Some(old)) = (new, old) else { return Ok(false) };
        if new >= old * SHORTER {
            return Ok(false);
        }
        let route = query.path().corridor();
        let (kept, from) = join(route, &self.path[far + 1..count]);
        let from = far + 1 + from;
        let fitting = kept.min(self.capacity());
        let rest = (count - from).min(self.capacity() - fitting);
        self.path.copy_within(from..from + rest, fitting);
        self.path[..fitting].copy_from_slice(&route[..fitting]);
        let is_cut = fitting < kept || rest < count - from;
        self.record.rearrange(fitting + rest, if is_cut { 0 } else { rest });
        if is_cut {
            self.record.flags = self.record.flags & !COMPLETE | NEEDS_REPLAN;
        }
        Ok(true)
    }
}

/// The point toward another that is at most so far from a position in the plane.
fn within(position: Vec3, point: Vec3, range: f64) -> Vec3 {
    let [x, _, z] = sub(point, position);
    let distance = sqrt(x * x + z * z);
    if distance > range { lerp(position, point, range / distance) } else { point }
}
