//! Replanning, whole and in slices (`corridors.md`, "Replanning").

use super::Corridor;
use super::joining::join;
use super::record::{COMPLETE, FROM_START, NEEDS_REPLAN};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::geometry::plane::Vec3;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::corridors::closest_on;
use crate::query::{PolygonFilter, Query, QueryStatus, nearest_polygon};

/// One replan spread over calls: [`begin`](CorridorReplan::begin), then [`update`](CorridorReplan::update) until it is no
/// longer in progress, then [`apply`](CorridorReplan::apply), with any budgets to the same result.
///
/// The search lies in the query, which nothing else may use meanwhile. It is no part of any saved state.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CorridorReplan {
    target: Vec3,
    /// The target's polygon and the point of it closest to the target.
    end: (PolyRef, Vec3),
    /// The agent's polygon and place.
    agent: (PolyRef, Vec3),
    /// Where the search that runs begins.
    start: PolyRef,
    /// Whether it begins at the agent.
    from_agent: bool,
    status: QueryStatus,
    /// Expansions of an earlier search.
    spent: u64,
}

impl CorridorReplan {
    /// Finds the target's polygon, within extents round the target, and begins to search for the way there.
    ///
    /// The status is [`QueryStatus::InProgress`]; [`QueryStatus::NoEndNearby`] when no accepted polygon is near the
    /// target, or [`QueryStatus::InvalidStartPoly`] when the agent's own is gone or rejected: then there is nothing to go on
    /// with.
    ///
    /// # Errors
    /// Extents that are negative or not finite; a capacity error for a query with room for fewer polygons than the
    /// corridor's capacity.
    pub fn begin<F: PolygonFilter>(
        corridor: &Corridor<'_>,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        half_extents: [f64; 3],
        filter: &F,
    ) -> Result<CorridorReplan> {
        query.check_room(corridor.capacity(), 0)?;
        let agent = (corridor.path().first().copied().unwrap_or(PolyRef::NONE), corridor.position());
        let mut replan = CorridorReplan {
            target: corridor.target(),
            end: (PolyRef::NONE, corridor.target()),
            agent,
            start: PolyRef::NONE,
            from_agent: false,
            status: QueryStatus::NoEndNearby,
            spent: 0,
        };
        let near = nearest_polygon(mesh, corridor.target(), half_extents, filter)?;
        let Some(near) = near else { return Ok(replan) };
        replan.end = (near.polygon, near.point);
        let last = corridor.path().last().copied().filter(|_| !corridor.replans_from_start());
        let last = last.and_then(|last| Some((last, closest_on(mesh, last, corridor.position())?)));
        let begun = match last {
            Some(last) => replan.search(mesh, query, last, filter)?,
            None => false,
        };
        if !begun {
            replan.search_from_agent(mesh, query, filter)?;
        }
        Ok(replan)
    }

    /// How it stands.
    pub fn status(&self) -> QueryStatus {
        self.status
    }

    /// How many expansions it has made.
    pub fn iterations(&self, query: &Query<'_>) -> u64 {
        self.spent + if self.status == QueryStatus::InProgress { query.iterations() } else { 0 }
    }

    /// Goes on by at most `budget` expansions.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when it is not in progress, or when the mesh or the query's search is another than when it
    /// began. A budget of 0.
    pub fn update<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
        budget: u64,
    ) -> Result<QueryStatus> {
        if self.status != QueryStatus::InProgress {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        let before = query.iterations();
        let status = query.step(mesh, filter, budget)?;
        let left = budget - (query.iterations() - before).min(budget);
        if status == QueryStatus::Partial && !self.from_agent {
            self.spent += query.iterations();
            self.search_from_agent(mesh, query, filter)?;
            if self.status == QueryStatus::InProgress && left > 0 {
                self.status = query.step(mesh, filter, left)?;
            }
        } else {
            self.status = status;
        }
        if matches!(self.status, QueryStatus::Success | QueryStatus::Partial) {
            self.spent += query.iterations();
        }
        Ok(self.status)
    }

    /// Ends the search and splices what it found into the corridor; a search that has not ended gives the way to the
    /// place closest to the target so far. Without a search nothing changes. Gives the status.
    ///
    /// # Errors
    /// [`ErrorKind::State`], with the corridor unchanged, when the mesh, the query's search or the target is another than
    /// when it began, or the place where the search began is no longer in the corridor.
    pub fn apply(self, corridor: &mut Corridor<'_>, mesh: &NavMesh<'_>, query: &mut Query<'_>) -> Result<QueryStatus> {
        if matches!(self.status, QueryStatus::NoEndNearby | QueryStatus::InvalidStartPoly) {
            return Ok(self.status);
        }
        let other = Error::new(ErrorKind::State, Subject::Corridor);
        let at = corridor.path().iter().position(|&polygon| polygon == self.start).ok_or(other)?;
        if corridor.target() != self.target {
            return Err(other);
        }
        let outcome = query.finish_path(mesh)?;
        let route = query.path().corridor();
        let is_cut = corridor.splice(at, route) || outcome.corridor_truncated;
        corridor.record.target_polygon = self.end.0;
        corridor.record.flags = match outcome.detail {
            QueryStatus::InProgress => NEEDS_REPLAN | FROM_START,
            _ if is_cut => NEEDS_REPLAN,
            QueryStatus::Success => COMPLETE,
            _ => 0,
        };
        Ok(outcome.detail)
    }

    /// Begins a search at a place; false when it can't begin there.
    fn search<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        start: (PolyRef, Vec3),
        filter: &F,
    ) -> Result<bool> {
        self.start = start.0;
        self.status = query.begin_path(mesh, start.0, start.1, self.end.0, self.end.1, filter)?;
        Ok(self.status == QueryStatus::InProgress)
    }

    fn search_from_agent<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
    ) -> Result<bool> {
        self.from_agent = true;
        self.search(mesh, query, self.agent, filter)
    }
}

impl Corridor<'_> {
    /// Searches for the way to the target and takes it over: from the corridor's end where it can go on from there, else
    /// from the agent. [`CorridorReplan`] is the same in slices.
    ///
    /// The status is [`QueryStatus::Success`], which makes the corridor complete if it fits;
    /// [`QueryStatus::Partial`] when there is no way, which leads to the place closest to the target;
    /// [`QueryStatus::InProgress`] when the budget was used up, which asks for another replan from the agent;
    /// [`QueryStatus::NoEndNearby`] and [`QueryStatus::InvalidStartPoly`], which change nothing. A way longer than the
    /// capacity is cut, and asks for another replan from its end.
    ///
    /// # Errors
    /// Those of [`CorridorReplan::begin`]. A budget of 0.
    pub fn replan<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        half_extents: [f64; 3],
        filter: &F,
        budget: u64,
    ) -> Result<QueryStatus> {
        let mut replan = CorridorReplan::begin(self, mesh, query, half_extents, filter)?;
        if replan.status() == QueryStatus::InProgress {
            replan.update(mesh, query, filter, budget)?;
        }
        replan.apply(self, mesh, query)
    }

    /// Replaces everything from a place on by a route, without loops, and tells whether some of it did not fit.
    fn splice(&mut self, at: usize, route: &[PolyRef]) -> bool {
        let (kept, from) = join(&self.path[..at], route);
        let rest = &route[from..];
        let fitting = rest.len().min(self.capacity() - kept);
        self.path[kept..kept + fitting].copy_from_slice(&rest[..fitting]);
        self.record.rearrange(kept + fitting, 0);
        fitting < rest.len()
    }
}
