//! What a corridor asks of the mesh and of a query beyond their public calls (`corridors.md`): whether two polygons are
//! connected, which polygon lies below a point, lists of polygons crossed that end at a limit, and routes of the other
//! node model in the same memory.

use super::checks::checked_position;
use super::filter::PolygonFilter;
use super::move_along::slide;
use super::node::NodeModel;
use super::off_mesh::OffMeshCrossing;
use super::plane::Vec3;
use super::results::{PathLink, PathPoint, QueryStatus};
use super::straight::{PathPlace, Room, Route, pull_tight};
use super::surface::closest_on as closest_on_ground;
use super::trace::{MoveEnd, RaycastStatus, TraceTask, Visited, is_at, trace};
use super::{Query, SurfaceMove};
use crate::error::{Error, Result, Subject};
use crate::math::{distance, sub};
use crate::mesh::ground::Ground;
use crate::mesh::view::LINK_PORTAL;
use crate::mesh::{NavMesh, PolyRef};

/// How far outside a polygon's outline a point may lie and still count as above or below it, squared.
const BELOW_TOLERANCE_SQUARED: f64 = 1e-14;

/// Whether a reference is valid and its polygon accepted.
pub(crate) fn is_accepted<F: PolygonFilter>(mesh: &NavMesh<'_>, reference: PolyRef, filter: &F) -> bool {
    let tile = mesh.tile_ref(reference.slot()).filter(|&tile| tile == reference.tile());
    let polygon = tile.and_then(|tile| mesh.polygon_in(tile.slot(), reference.index()));
    polygon.is_some_and(|polygon| filter.accepts(polygon.flags, polygon.area))
}

/// Whether one comes from a polygon straight into another: through an edge they share, a tile portal, or an off-mesh link
/// that the filter accepts. Whether it accepts the polygons is not asked.
pub(crate) fn is_connected<F: PolygonFilter>(mesh: &NavMesh<'_>, from: PolyRef, to: PolyRef, filter: &F) -> bool {
    let Some(ground) = mesh.ground_of(from) else { return false };
    let Some(polygon) = ground.polygons.get(from.index() as usize) else { return false };
    if from.tile() == to.tile() && ground.edges_to(polygon, to.index()) != 0 {
        return true;
    }
    let mut links = ground.links_of(polygon).iter().filter(|link| link.target == to);
    links.any(|link| {
        link.kind == LINK_PORTAL
            || OffMeshCrossing::of(mesh, link).is_some_and(|crossing| crossing.cost(0.0, filter).is_some())
    })
}

/// The point of a polygon's surface straight above or below a position, if its outline holds the position to within
/// 1e-7 in the plane; and whether the same point is found again from there.
pub(crate) fn surface_below(mesh: &NavMesh<'_>, polygon: PolyRef, position: Vec3) -> Option<(Vec3, bool)> {
    let ground = mesh.ground_of(polygon)?;
    if is_far_beside(mesh, &ground, polygon, position) {
        return None;
    }
    let record = ground.polygons.get(polygon.index() as usize)?;
    if !is_at(&ground, record, position, BELOW_TOLERANCE_SQUARED) {
        return None;
    }
    let closest = closest_on_ground(mesh, &ground, record, position);
    // Inside the outline it is found by x and z alone.
    Some((closest.point, closest.over))
}

/// Whether a position is so far beside a polygon's box in the plane that no rounding could count it in.
#[inline]
fn is_far_beside(mesh: &NavMesh<'_>, ground: &Ground<'_>, polygon: PolyRef, position: Vec3) -> bool {
    const FAR: f64 = 1.0 / 64.0;
    let Some(place) = mesh.boxes(polygon.slot()).get(polygon.index() as usize) else { return false };
    let [x, _, z] = sub(position, ground.origin());
    let is_beyond = |v: f64, axis: usize| v < f64::from(place.low[axis]) - FAR || v > f64::from(place.high[axis]) + FAR;
    is_beyond(x, 0) || is_beyond(z, 2)
}

/// The point of a polygon closest to a position; none for a reference that is stale or names nothing.
pub(crate) fn closest_on(mesh: &NavMesh<'_>, polygon: PolyRef, position: Vec3) -> Option<Vec3> {
    PathPlace::on(mesh, polygon, position).map(|place| place.position())
}

/// Where a corridor crosses an off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CorridorCrossing {
    /// The place in the corridor of the polygon that is left.
    pub place: usize,
    /// Where the link is entered and where it arrives.
    pub ends: [Vec3; 2],
}

/// The first place where a corridor can cross a link that its straight path crosses.
pub(crate) fn find_crossing(mesh: &NavMesh<'_>, corridor: &[PolyRef], link: &PathLink) -> Option<CorridorCrossing> {
    corridor.windows(2).enumerate().find_map(|(place, pair)| {
        let (tile, polygon) = mesh.polygon(pair[0]).ok()?;
        let mut crossings = tile.links_of(polygon).iter().filter(|candidate| candidate.target == pair[1]);
        crossings.find_map(|candidate| {
            let crossing = OffMeshCrossing::of(mesh, candidate)?;
            (link.named(&crossing) == *link).then_some(CorridorCrossing { place, ends: [crossing.near, crossing.far] })
        })
    })
}

impl Query<'_> {
    /// Refuses to work for a corridor with more polygons, or for a path with more points, than there is room for.
    pub(crate) fn check_room(&self, polygons: usize, points: usize) -> Result<()> {
        let limits = [(polygons, self.corridor.len(), Subject::Corridor), (points, self.points.len(), Subject::Points)];
        for (wanted, room, subject) in limits {
            if wanted > room {
                return Err(Error::capacity(subject, room).value(wanted as f64));
            }
        }
        Ok(())
    }

    /// Moves along the surface until more than `most` polygons would be met; the list then lends them, to be rearranged
    /// at will.
    pub(crate) fn move_within<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        from: (PolyRef, Vec3),
        to: Vec3,
        filter: &F,
        most: usize,
    ) -> Result<(SurfaceMove, &mut [PolyRef])> {
        let (polygon, start) = from;
        checked_position(start, 0)?;
        checked_position(to, 1)?;
        let task = TraceTask { polygon, start, end: to, filter, most };
        let moved = slide(mesh, &task, Visited::into(self.corridor));
        self.lend_visited(moved.visited);
        Ok((moved, &mut self.corridor[..moved.visited]))
    }

    /// The polygons that a ray crosses, the start's first, at most `most` of them; none when it can't begin. The path's
    /// points stay as they are.
    pub(crate) fn chain_toward<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        from: (PolyRef, Vec3),
        to: Vec3,
        filter: &F,
        most: usize,
    ) -> Result<&[PolyRef]> {
        let (polygon, start) = from;
        checked_position(start, 0)?;
        checked_position(to, 1)?;
        let mut visited = Visited::into(self.corridor);
        let traced = trace(mesh, &TraceTask { polygon, start, end: to, filter, most }, &mut visited);
        let met = if traced.status == RaycastStatus::Ok { visited.written() } else { 0 };
        debug_assert!(met > 0 || traced.end == MoveEnd::NotMoved);
        self.corridor_len = 0;
        Ok(&self.corridor[..met])
    }

    /// Searches for the route between two polygons over crossings, whatever the query's own nodes stand for, by at most
    /// `budget` expansions, and tells whether it is found; [`path`](Query::path) then lends it.
    pub(crate) fn find_local_route<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: (PolyRef, Vec3),
        end: (PolyRef, Vec3),
        filter: &F,
        budget: u64,
    ) -> Result<bool> {
        let own = core::mem::replace(&mut self.model, NodeModel::Crossing);
        let found = self.find_route(mesh, start, end, filter, budget);
        self.model = own;
        found
    }

    fn find_route<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start: (PolyRef, Vec3),
        end: (PolyRef, Vec3),
        filter: &F,
        budget: u64,
    ) -> Result<bool> {
        if self.begin_path(mesh, start.0, start.1, end.0, end.1, filter)? != QueryStatus::InProgress {
            return Ok(false);
        }
        self.run(mesh, filter, budget);
        let outcome = self.finish_path(mesh)?;
        Ok(outcome.detail == QueryStatus::Success && !outcome.corridor_truncated)
    }

    /// The length of the string-pulled path through a corridor, or through the last route found; none when it does not
    /// hold together, or has more points than there is room for. The route stays as it is.
    pub(crate) fn pulled_length(
        &mut self,
        mesh: &NavMesh<'_>,
        start: Vec3,
        end: Vec3,
        corridor: Option<&[PolyRef]>,
    ) -> Option<f64> {
        let ends = [start, end].map(PathPlace::anywhere);
        let corridor = corridor.unwrap_or(&self.corridor[..self.corridor_len]);
        let room = Room { portals: self.portals, points: self.points, links: self.links };
        let pulled = pull_tight(mesh, ends, Route { corridor, exits: &[], is_exact: false }, None, room)?;
        self.point_count = 0;
        self.link_count = 0;
        let points: &[PathPoint] = &self.points[..pulled.count()];
        let length = points.windows(2).map(|pair| distance(pair[0].position, pair[1].position)).sum();
        if pulled.is_truncated() { None } else { Some(length) }
    }

    /// How many expansions the open search has made.
    pub(crate) fn iterations(&self) -> u64 {
        self.search.progress.iterations
    }
}
