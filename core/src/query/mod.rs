//! Queries over a navigation mesh: the nearest polygon, the way from here to there, and its corners.
//!
//! A mesh is an argument of every call and is only read. [`nearest_polygon`] needs nothing else. Searching for a path
//! takes work memory, which a [`Query`] holds; it keeps no state of the mesh between searches, so one query serves any
//! number of meshes, one call at a time.
//!
//! [`Query::find_path`] does all that most callers want. Underneath it, in the order of a path's making: the search
//! over polygons ([`begin_path`](Query::begin_path), [`step`](Query::step), [`finish_path`](Query::finish_path)), which
//! gives a corridor, and the funnel ([`straight_path`](Query::straight_path)), which pulls a path through it tight.
//!
//! Source: `navmesh-queries.md`; the limits and the reasons for an end, `maul-nav/query.md`.

mod checks;
mod def;
mod filter;
mod funnel;
mod nearest;
mod node;
mod path_search;
mod plane;
mod portals;
mod results;
mod route;
mod surface;

#[cfg(test)]
mod tests;

pub use def::{MAX_PATH_LENGTH, QueryDef};
pub use filter::{AREAS, AllPolygons, Filter, FilterAnd, PolygonFilter};
pub use nearest::{Nearest, nearest_polygon};
pub use node::NodeModel;
pub use results::{POINT_END, POINT_OFF_MESH, POINT_START, Path, PathEnd, PathOutcome, PathPoint, QueryStatus};

use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::distance;
use crate::memory::Arena;
use crate::mesh::{NavMesh, PolyRef, TileRef};
use crate::search::{NodeTable, OpenSet};
use checks::checked_position;
use funnel::Corners;
use node::{ByCrossing, ByPolygon};
use path_search::{PathSearch, Progress, Question};
use portals::Portal;
use surface::closest_point;

/// How far [`Query::find_path`] looks for a polygon round its start and its goal, unless told otherwise.
pub const DEFAULT_EXTENTS: [f64; 3] = [2.0, 4.0, 2.0];

/// Searches for paths in memory that its caller handed over.
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, NavMesh};
/// use navarena::query::{Filter, Query, QueryDef};
/// # let mut mesh_memory = vec![Grain::ZERO; MeshDef::HUMANOID.plan().grains()];
/// # let mesh = NavMesh::new(&MeshDef::HUMANOID, &mut Arena::new(&mut mesh_memory))?;
/// # let (start, goal) = ([3.0, 0.0, 3.0], [36.0, 0.0, 36.0]);
/// const DEF: QueryDef = QueryDef { nodes: 512, ..QueryDef::DEFAULT };
/// # let mut region = vec![Grain::ZERO; DEF.plan().grains()];
/// let mut query = Query::new(&DEF, &mut Arena::new(&mut region))?;
/// if query.find_path(&mesh, start, goal, &Filter::ALL)?.has_path() {
///     for corner in query.path().points() {
///         println!("{:?}", corner.position);
///     }
/// }
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Query<'m> {
    search: PathSearch<'m>,
    corridor: &'m mut [PolyRef],
    portals: &'m mut [Portal],
    points: &'m mut [PathPoint],
    model: NodeModel,
    path_length: f64,
    outcome: PathOutcome,
    corridor_len: usize,
    point_count: usize,
    most: QueryUse,
}

/// How much of its limits a query has ever used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryUse {
    /// Nodes of a search.
    pub nodes: u32,
    /// Polygons of a corridor.
    pub corridor: u32,
    /// Points of a path.
    pub points: u32,
}

impl<'m> Query<'m> {
    /// A query with the limits of its def.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`QueryDef::plan`] says.
    pub fn new(def: &QueryDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let nodes = def.nodes as usize;
        let search = PathSearch {
            nodes: arena.take(nodes)?,
            table: NodeTable::over(arena.take(NodeTable::entries_for(nodes))?),
            open: OpenSet::over(arena.take(PathSearch::entries_for(nodes))?),
            progress: Progress::NONE,
        };
        Ok(Query {
            search,
            corridor: arena.take(def.corridor as usize)?,
            portals: arena.take(def.corridor as usize)?,
            points: arena.take(def.points as usize)?,
            model: def.model,
            path_length: def.path_length,
            outcome: PathOutcome::default(),
            corridor_len: 0,
            point_count: 0,
            most: QueryUse::default(),
        })
    }

    /// The last path, lent until the next search.
    pub fn path(&self) -> Path<'_> {
        Path {
            outcome: self.outcome,
            corridor: &self.corridor[..self.corridor_len],
            points: &self.points[..self.point_count],
        }
    }

    /// The most of each limit ever used.
    pub fn high_water(&self) -> QueryUse {
        self.most
    }

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
        self.begin_path(mesh, from.polygon, from.point, to.polygon, to.point, filter)?;
        self.run(mesh, filter, u64::MAX);
        self.finish_path(mesh)?;
        self.pull_own_corridor(mesh, from, to);
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
        let is_accepted = |reference: PolyRef| {
            let tile = mesh.tile_ref(reference.slot()).filter(|&tile| tile == reference.tile());
            let polygon = tile.and_then(|tile| mesh.polygon_in(tile.slot(), reference.index()));
            polygon.is_some_and(|polygon| filter.accepts(polygon.flags, polygon.area))
        };
        if !is_accepted(start_polygon) {
            return Ok(self.end_without_path(QueryStatus::InvalidStartPoly).detail);
        }
        if !is_accepted(end_polygon) {
            return Ok(self.end_without_path(QueryStatus::InvalidEndPoly).detail);
        }
        let question = Question {
            goal: end,
            goal_polygon: node::Entrance::into(end_polygon, 0).polygon(),
            min_cost: filter.min_area_cost(),
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
        let progress = self.search.progress;
        let (tail, cost) = self.search.route_end();
        let end = self.end_of(mesh);
        let tail = match self.model {
            NodeModel::Polygon => tail,
            NodeModel::Crossing => self.search.cut_loops(tail),
        };
        let length = self.search.route_from(tail).count();
        self.corridor_len = length.min(self.corridor.len());
        let mut tile = TileRef::default();
        for (back, entrance) in self.search.route_from(tail).enumerate() {
            if let Some(place) = self.corridor.get_mut(length - 1 - back) {
                if tile == TileRef::default() || tile.slot() != entrance.slot() {
                    tile = mesh.tile_ref(entrance.slot()).unwrap_or_default();
                }
                *place = tile.polygon(entrance.index());
            }
        }
        self.outcome = PathOutcome {
            status: progress.status.path_status(),
            detail: progress.status,
            end,
            corridor_truncated: length > self.corridor.len(),
            node_limit_reached: progress.node_limit_reached,
            cost,
            iterations: progress.iterations,
            ..PathOutcome::default()
        };
        self.search.progress.status = QueryStatus::None;
        self.most.nodes = self.most.nodes.max(progress.node_count);
        self.most.corridor = self.most.corridor.max(self.corridor_len as u32);
        Ok(self.outcome)
    }

    /// Finds the corners of the shortest path in the plane through a corridor of polygons, between two positions that
    /// are first moved to the closest points of its first and last polygon. [`path`](Query::path) then lends the
    /// points, without a corridor.
    ///
    /// With `max_corners` the work stops when that many points are found, the start included: the points are the first
    /// ones of the whole, and [`PathOutcome::points_truncated`] is set. The status is [`QueryStatus::Success`], or
    /// [`QueryStatus::InvalidCorridor`] for a corridor that is empty, longer than the def's, has a stale reference or
    /// neighbours that don't touch; it gives no points. Ends a sliced search that is open.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
    pub fn straight_path(
        &mut self,
        mesh: &NavMesh<'_>,
        start: [f64; 3],
        end: [f64; 3],
        corridor: &[PolyRef],
        max_corners: Option<u32>,
    ) -> Result<PathOutcome> {
        checked_position(start, 0)?;
        checked_position(end, 1)?;
        self.forget();
        let ends = [start, end].map(|position| PathPlace { position, on: PolyRef::NONE });
        let pulled = pull_tight(mesh, ends, corridor, max_corners, self.portals, self.points);
        let Some(pulled) = pulled else { return Ok(self.end_without_path(QueryStatus::InvalidCorridor)) };
        self.outcome = PathOutcome {
            status: QueryStatus::Success.path_status(),
            detail: QueryStatus::Success,
            cost: f64::INFINITY,
            ..PathOutcome::default()
        };
        self.take_points(pulled);
        Ok(self.outcome)
    }

    fn pull_own_corridor(&mut self, mesh: &NavMesh<'_>, from: Nearest, to: Nearest) {
        let corridor = &self.corridor[..self.corridor_len];
        let ends = [PathPlace::of(from), PathPlace::of(to)];
        if let Some(pulled) = pull_tight(mesh, ends, corridor, None, self.portals, self.points) {
            self.take_points(pulled);
        }
    }

    fn take_points(&mut self, pulled: Pulled) {
        self.point_count = pulled.count;
        let points = &self.points[..pulled.count];
        self.outcome.points_truncated = pulled.truncated;
        self.outcome.length = points.windows(2).map(|pair| distance(pair[0].position, pair[1].position)).sum();
        self.most.points = self.most.points.max(pulled.count as u32);
    }

    fn run<F: PolygonFilter>(&mut self, mesh: &NavMesh<'_>, filter: &F, budget: u64) {
        match self.model {
            NodeModel::Polygon => self.search.run::<ByPolygon, F>(mesh, filter, budget),
            NodeModel::Crossing => self.search.run::<ByCrossing, F>(mesh, filter, budget),
        }
    }

    /// Why the search has ended as it has, by the first reason that holds.
    fn end_of(&self, mesh: &NavMesh<'_>) -> PathEnd {
        let progress = &self.search.progress;
        match progress.status {
            QueryStatus::Success => PathEnd::Found,
            QueryStatus::InProgress => PathEnd::Unfinished,
            _ if progress.node_limit_reached => PathEnd::OutOfNodes,
            _ if progress.too_long => PathEnd::TooLong,
            _ if self.search.met_missing_tile(mesh) => PathEnd::NotLoaded,
            _ => PathEnd::None,
        }
    }

    fn check_open(&self, mesh: &NavMesh<'_>) -> Result<()> {
        let progress = &self.search.progress;
        if progress.status == QueryStatus::None || progress.question.version != mesh.version() {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        Ok(())
    }

    fn forget(&mut self) {
        self.search.progress.status = QueryStatus::None;
        self.outcome = PathOutcome::default();
        self.corridor_len = 0;
        self.point_count = 0;
    }

    fn end_without_path(&mut self, detail: QueryStatus) -> PathOutcome {
        self.outcome = PathOutcome::without_path(detail);
        self.outcome
    }
}

struct Pulled {
    count: usize,
    truncated: bool,
}

/// An end of a path, and the polygon on whose surface it is known to lie, if any.
#[derive(Clone, Copy)]
struct PathPlace {
    position: [f64; 3],
    on: PolyRef,
}

impl PathPlace {
    /// Of a point straight above or below a position the closest point is found by x and z alone: finding it again
    /// gives the same. Elsewhere rounding can move it, and it is left to be found again.
    fn of(nearest: Nearest) -> PathPlace {
        let on = if nearest.over_polygon { nearest.polygon } else { PolyRef::NONE };
        PathPlace { position: nearest.point, on }
    }

    /// Onto a polygon of the mesh, whose reference is known to be valid.
    fn moved_onto(self, mesh: &NavMesh<'_>, polygon: PolyRef) -> Option<[f64; 3]> {
        if self.on == polygon {
            return Some(self.position);
        }
        let tile = mesh.tile(polygon.slot() as usize)?;
        let record = tile.polygons.get(polygon.index() as usize)?;
        Some(closest_point(&tile, record, self.position).point)
    }
}

/// The corners of the path through a corridor; none when it does not hold together.
fn pull_tight(
    mesh: &NavMesh<'_>,
    [start, end]: [PathPlace; 2],
    corridor: &[PolyRef],
    max_corners: Option<u32>,
    portals: &mut [Portal],
    points: &mut [PathPoint],
) -> Option<Pulled> {
    let (&first, &last) = (corridor.first()?, corridor.last()?);
    if corridor.len() > portals.len() {
        return None;
    }
    let portals = &mut portals[..corridor.len() - 1];
    let mut ground = mesh.ground_of(first)?;
    let start = start.moved_onto(mesh, first)?;
    for (portal, pair) in portals.iter_mut().zip(corridor.windows(2)) {
        let (from, to) = (pair[0], pair[1]);
        if to.tile() == ground.tile && (to.index() as usize) < ground.polygons.len() {
            *portal = Portal::between(mesh, &ground, from, to)?;
        } else {
            let next = mesh.ground_of(to)?;
            *portal = Portal::between(mesh, &ground, from, to)?;
            ground = next;
        }
    }
    let end = end.moved_onto(mesh, last)?;
    let most = max_corners.map_or(usize::MAX, |most| most as usize);
    let room = most.min(points.len());
    let mut corners = Corners::into(&mut points[..room]);
    funnel::pull(start, end, corridor, portals, &mut corners);
    let truncated = corners.overflowed() || corners.len() == most;
    Some(Pulled { count: corners.len(), truncated })
}
