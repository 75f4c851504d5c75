//! The path calls: whole, and in slices (`navmesh-queries.md`, "Path search", "Slicing").

use super::Query;
use super::checks::checked_position;
use super::corridors::is_accepted;
use super::drawing::Expansions;
use super::filter::{PolygonFilter, least_price};
use super::nearest::{Nearest, nearest_polygon};
use super::node::{ByCrossing, ByPolygon, Entrance, NodeModel};
use super::path_search::Question;
use super::results::{PathEnd, PathOutcome, QueryStatus};
use super::straight::{PathPlace, Room, Route, pull_tight};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::mesh::{NavMesh, PolyRef, TileRef};

/// How far [`Query::find_path`] looks for a polygon round its start and its goal, unless told otherwise.
pub const DEFAULT_EXTENTS: [f64; 3] = [2.0, 4.0, 2.0];

impl Query<'_> {
    /// Finds a path between two positions: the nearest polygon to each within [`DEFAULT_EXTENTS`], the route between
    /// them, and its corners. [`path`](Query::path) lends the result.
    ///
    /// A goal that can't be reached gives the path to the place closest to it, as [`PathStatus::Partial`], with the
    /// reason in [`PathOutcome::end`]. Ends a sliced search that is open.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the goal.
    ///
    /// [`PathStatus::Partial`]: crate::search::PathStatus::Partial
    pub fn find_path<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        filter: &F,
    ) -> Result<PathOutcome> {
        self.find_path_within(mesh, start, goal, DEFAULT_EXTENTS, filter)
    }

    /// As [`find_path`](Query::find_path), looking for the ends' polygons within other extents.
    pub fn find_path_within<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        goal: [f64; 3],
        half_extents: [f64; 3],
        filter: &F,
    ) -> Result<PathOutcome> {
        checked_position(start, 0)?;
        checked_position(goal, 1)?;
        self.forget();
        let Some(from) = nearest_polygon(mesh, start, half_extents, filter)? else {
            return Ok(self.end_without_path(QueryStatus::NoStartNearby));
        };
        let Some(to) = nearest_polygon(mesh, goal, half_extents, filter)? else {
            return Ok(self.end_without_path(QueryStatus::NoEndNearby));
        };
        self.find_path_between(mesh, from, to, filter)
    }

    /// Finds a path between two places that [`nearest_polygon`] found on this mesh as it is, without looking for them
    /// again: what [`find_path`](Query::find_path) does once it has them. For a place that is asked about often.
    ///
    /// Of a reference that is stale, names nothing, or whose polygon the filter rejects the outcome says
    /// [`InvalidStartPoly`](QueryStatus::InvalidStartPoly) or [`InvalidEndPoly`](QueryStatus::InvalidEndPoly). Ends a
    /// sliced search that is open.
    ///
    /// # Errors
    /// A point that is not finite or not within 2^21: 0 is the start, 1 the goal.
    ///
    /// ```
    /// use navarena::query::{DEFAULT_EXTENTS, Filter, Query, nearest_polygon};
    /// # use navarena::{error::Result, mesh::NavMesh};
    /// # fn patrol(mesh: &NavMesh<'_>, query: &mut Query<'_>, post: [f64; 3], calls: &[[f64; 3]]) -> Result<()> {
    /// let place = |position| nearest_polygon(mesh, position, DEFAULT_EXTENTS, &Filter::ALL);
    /// let Some(post) = place(post)? else { return Ok(()) };
    /// for &call in calls {
    ///     if let Some(call) = place(call)? {
    ///         query.find_path_between(mesh, post, call, &Filter::ALL)?;
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn find_path_between<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        from: Nearest,
        to: Nearest,
        filter: &F,
    ) -> Result<PathOutcome> {
        let begun = self.begin_path(mesh, from.polygon, from.point, to.polygon, to.point, filter)?;
        if begun != QueryStatus::InProgress {
            return Ok(self.outcome);
        }
        self.run(mesh, filter, u64::MAX);
        self.finish_path(mesh)?;
        self.pull_own_corridor(mesh, [PathPlace::of(from), PathPlace::of(to)], false);
        Ok(self.outcome)
    }

    /// Begins a path search in slices, between positions in two polygons. Replaces any that is open.
    ///
    /// Gives [`QueryStatus::InProgress`]; [`InvalidStartPoly`](QueryStatus::InvalidStartPoly) or
    /// [`InvalidEndPoly`](QueryStatus::InvalidEndPoly) for a reference that is stale, names nothing, or whose polygon
    /// the filter rejects: then there is nothing to step.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
    pub fn begin_path<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start_polygon: PolyRef,
        start: [f64; 3],
        end_polygon: PolyRef,
        end: [f64; 3],
        filter: &F,
    ) -> Result<QueryStatus> {
        checked_position(start, 0)?;
        checked_position(end, 1)?;
        self.forget();
        if !is_accepted(mesh, start_polygon, filter) {
            return Ok(self.end_without_path(QueryStatus::InvalidStartPoly).detail);
        }
        if !is_accepted(mesh, end_polygon, filter) {
            return Ok(self.end_without_path(QueryStatus::InvalidEndPoly).detail);
        }
        let question = Question {
            goal: end,
            goal_polygon: Entrance::into(end_polygon, 0).polygon(),
            min_cost: least_price(mesh, filter),
            max_length: self.path_length,
            version: mesh.version(),
        };
        self.search.begin(question, start_polygon.slot(), start_polygon.index(), start);
        Ok(QueryStatus::InProgress)
    }

    /// Goes on with a search by at most `budget` expansions. The filter must be the one it began with. Any budgets give
    /// what one unlimited run gives.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no search is open, or when the mesh has changed since it began: begin again. A budget
    /// of 0.
    pub fn step<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) -> Result<QueryStatus> {
        self.check_open(mesh)?;
        if budget == 0 {
            return Err(Error::invalid(Subject::Budget).value(0.0));
        }
        self.run(mesh, filter, budget);
        Ok(self.search.progress.status)
    }

    /// Ends a search and gives its outcome; [`path`](Query::path) then lends the corridor, without points. A search
    /// that has not ended leads to the expanded place closest to the end, as [`QueryStatus::InProgress`].
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no search is open, or when the mesh has changed since it began.
    pub fn finish_path(&mut self, mesh: &NavMesh<'_>) -> Result<PathOutcome> {
        self.check_open(mesh)?;
        let progress = &self.search.progress;
        let (status, version) = (progress.status, progress.question.version);
        let (node_limit_reached, iterations) = (progress.node_limit_reached, progress.iterations);
        self.most.nodes = self.most.nodes.max(progress.node_count);
        let (tail, cost) = self.search.route_end();
        let end = self.end_of();
        let tail = match self.model {
            NodeModel::Polygon => tail,
            NodeModel::Crossing => self.search.cut_loops(tail),
        };
        let length = self.search.route_length(tail);
        self.corridor_len = length.min(self.corridor.len());
        fill_corridor(mesh, self.corridor, self.exits, length, self.search.route_from(tail));
        self.exit_count = self.corridor_len;
        self.outcome = PathOutcome {
            status: status.path_status(),
            detail: status,
            end,
            corridor_truncated: length > self.corridor.len(),
            node_limit_reached,
            cost,
            iterations,
            ..PathOutcome::default()
        };
        self.search.progress.status = QueryStatus::None;
        self.expansions = Expansions::Path { version };
        self.most.corridor = self.most.corridor.max(self.corridor_len as u32);
        Ok(self.outcome)
    }

    pub(super) fn pull_own_corridor(&mut self, mesh: &NavMesh<'_>, ends: [PathPlace; 2], is_exact: bool) {
        let corridor = &self.corridor[..self.corridor_len];
        let route = Route { corridor, exits: &self.exits[..self.exit_count], is_exact };
        let room = Room { portals: self.portals, points: self.points, links: self.links };
        if let Some(pulled) = pull_tight(mesh, ends, route, None, room) {
            self.take_points(pulled);
        }
    }

    pub(super) fn run<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) {
        match self.model {
            NodeModel::Polygon => self.search.run::<ByPolygon, F>(mesh, filter, budget),
            NodeModel::Crossing => self.search.run::<ByCrossing, F>(mesh, filter, budget),
        }
    }

    /// Why the search has ended as it has, by the first reason that holds.
    pub(super) fn end_of(&self) -> PathEnd {
        let progress = &self.search.progress;
        match progress.status {
            QueryStatus::Success => PathEnd::Found,
            QueryStatus::InProgress => PathEnd::Unfinished,
            _ if progress.node_limit_reached => PathEnd::OutOfNodes,
            _ if progress.too_long => PathEnd::TooLong,
            _ if progress.met_missing_tile => PathEnd::NotLoaded,
            _ => PathEnd::None,
        }
    }

    fn check_open(&self, mesh: &NavMesh<'_>) -> Result<()> {
        let progress = &self.search.progress;
        if self.shortest.is_open()
            || progress.status == QueryStatus::None
            || progress.question.version != mesh.version()
        {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        Ok(())
    }
}

/// Writes a route's polygons and the exits that led into them, of which there are `length` and the last one comes
/// first, as far as there is room.
pub(super) fn fill_corridor(
    mesh: &NavMesh<'_>,
    corridor: &mut [PolyRef],
    exits: &mut [u32],
    length: usize,
    from_the_end: impl Iterator<Item = Entrance>,
) {
    let mut tile = TileRef::default();
    let kept = length.min(corridor.len());
    let places = corridor[..kept].iter_mut().zip(&mut exits[..kept]).rev();
    for ((place, exit), entrance) in places.zip(from_the_end.skip(length - kept)) {
        if tile == TileRef::default() || tile.slot() != entrance.slot() {
            tile = mesh.tile_ref(entrance.slot()).unwrap_or_default();
        }
        *place = tile.polygon(entrance.index());
        *exit = entrance.exit();
    }
}
