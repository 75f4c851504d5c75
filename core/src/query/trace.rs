//! Following a segment over the surface from polygon to polygon, seen from above (`navmesh-queries.md`, "Raycast").
//!
//! What a raycast and a move along the surface have in common. It needs no memory but the caller's list of polygons: of
//! what lies behind the ray nothing is asked again.

use core::hint::select_unpredictable;

use super::area_search::is_entered;
use super::filter::PolygonFilter;
use super::plane::{Vec3, cross, turn};
use super::shape::squared_distance;
use super::surface::fraction_along;
use crate::math::sub;
use crate::mesh::ground::Ground;
use crate::mesh::view::{Edge, LINK_PORTAL, NO_NEIGHBOR, NO_SIDE, Polygon};
use crate::mesh::{NavMesh, PolyRef};

/// How far outside its polygon's outline a start may lie, squared.
const START_TOLERANCE_SQUARED: f64 = 1e-12;
/// Lines left within this, times 1 + t, are left at the same t.
const SAME_T: f64 = 1e-9;
/// Edges whose squared distance from the crossing point is within this of the least are as near.
const SAME_DISTANCE_SQUARED: f64 = 1e-18;
/// The most edges of a polygon.
const MAX_EDGES: usize = 16;

/// Whether a ray or a move could begin, with OnePath's numbers; zero is never success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[repr(u8)]
pub enum RaycastStatus {
    /// Nothing has run.
    #[default]
    None = 0,
    /// It ran, however it ended.
    Ok = 1,
    /// The start polygon's reference names none, is stale, or the filter rejects it.
    InvalidStartPoly = 2,
    /// The start lies outside the start polygon, by more than a millionth of a unit.
    StartOutsidePolygon = 3,
}

/// How a ray or a move over the surface ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[repr(u8)]
pub enum MoveEnd {
    /// It did not begin.
    #[default]
    NotMoved = 0,
    /// It reached the wanted point.
    Reached = 1,
    /// A wall stopped it: an edge that leads nowhere, or into a polygon that the filter rejects.
    Wall = 2,
    /// It met a tile side with no tile loaded behind it.
    NotLoaded = 3,
    /// It met as many polygons as it may.
    OutOfNodes = 4,
}

impl MoveEnd {
    /// Whether something stood in the way: a wall, or the end of what is loaded.
    pub const fn is_hit(self) -> bool {
        matches!(self, MoveEnd::Wall | MoveEnd::NotLoaded)
    }
}

/// The part of a question that stays the same in every polygon.
#[derive(Clone, Copy)]
struct Segment {
    start: Vec3,
    /// From the start to the end.
    way: Vec3,
}

impl Segment {
    #[inline]
    fn at(&self, t: f64) -> Vec3 {
        core::array::from_fn(|axis| self.start[axis] + self.way[axis] * t)
    }

    /// When the segment leaves an edge's line to the right, not before its start; infinity where it does not.
    #[inline(always)]
    fn leaves(&self, a: Vec3, b: Vec3) -> f64 {
        let down = cross(sub(b, a), self.way);
        let t = turn(a, b, self.start) / -down;
        // A start outside by next to nothing leaves at once.
        let t = select_unpredictable(t < 0.0, 0.0, t);
        select_unpredictable(down < 0.0, t, f64::INFINITY)
    }
}

/// Where a segment leaves a polygon.
struct Leave {
    t: f64,
    edge: usize,
    /// Whether it leaves other lines at the same t.
    tied: bool,
}

/// The polygons met so far.
pub(super) struct Visited<'a> {
    list: &'a mut [PolyRef],
    met: usize,
}

impl<'a> Visited<'a> {
    pub fn into(list: &'a mut [PolyRef]) -> Self {
        Visited { list, met: 0 }
    }

    #[inline]
    pub fn push(&mut self, polygon: PolyRef) {
        if let Some(place) = self.list.get_mut(self.met) {
            *place = polygon;
        }
        self.met += 1;
    }

    /// How many are in the list.
    pub fn written(&self) -> usize {
        if self.met < self.list.len() { self.met } else { self.list.len() }
    }

    pub fn is_truncated(&self) -> bool {
        self.met > self.list.len()
    }
}

/// How a segment was followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traced {
    pub status: RaycastStatus,
    pub end: MoveEnd,
    /// How far along the segment it came, 0 to 1.
    pub t: f64,
    /// The last polygon.
    pub polygon: PolyRef,
    /// The edge of it that stopped the segment, and its ends.
    pub edge: u32,
    pub ends: (Vec3, Vec3),
}

impl Traced {
    fn without(status: RaycastStatus) -> Traced {
        Traced { status, end: MoveEnd::NotMoved, t: 0.0, polygon: PolyRef::NONE, edge: 0, ends: ([0.0; 3], [0.0; 3]) }
    }
}

/// Where a segment begins and what it may cross.
#[derive(Clone, Copy)]
pub(super) struct TraceTask<'a, F> {
    pub polygon: PolyRef,
    pub start: Vec3,
    pub end: Vec3,
    pub filter: &'a F,
    /// The most polygons to meet.
    pub most: usize,
}

/// Follows a segment until it ends or something stops it.
pub(super) fn trace<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    task: &TraceTask<'_, F>,
    visited: &mut Visited<'_>,
) -> Traced {
    let filter = task.filter;
    let Some(mut ground) = mesh.ground_of(task.polygon) else {
        return Traced::without(RaycastStatus::InvalidStartPoly);
    };
    let Some(mut polygon) = ground.polygons.get(task.polygon.index() as usize) else {
        return Traced::without(RaycastStatus::InvalidStartPoly);
    };
    if !filter.accepts(polygon.flags, polygon.area) {
        return Traced::without(RaycastStatus::InvalidStartPoly);
    }
    if !is_at(&ground, polygon, task.start, START_TOLERANCE_SQUARED) {
        return Traced::without(RaycastStatus::StartOutsidePolygon);
    }
    let segment = Segment { start: task.start, way: sub(task.end, task.start) };
    let mut traced = Traced { status: RaycastStatus::Ok, polygon: task.polygon, ..Traced::without(RaycastStatus::Ok) };
    visited.push(task.polygon);
    // A ray meets a polygon once; the limit also ends one that bytes made by hand send round in a ring.
    for met in 1.. {
        let edges = ground.edges_of(polygon);
        let leave = leave(&ground, edges, &segment);
        // An edge left at no number at all is not left.
        if leave.t >= 1.0 || leave.edge >= edges.len() {
            traced.end = MoveEnd::Reached;
            traced.t = 1.0;
            return traced;
        }
        traced.t = leave.t;
        let exits = Exits { mesh, ground: &ground, polygon, edges, filter, segment: &segment };
        let next =
            if leave.tied { exits.through_any(leave.t) } else { exits.through(leave.edge, leave.t).ok_or(leave.edge) };
        let next = match next {
            Ok(next) => next,
            Err(edge) => {
                traced.edge = edge as u32;
                traced.ends = exits.ends(edge);
                traced.end = exits.end_at(edge);
                return traced;
            }
        };
        if met >= task.most {
            traced.end = MoveEnd::OutOfNodes;
            return traced;
        }
        let index = match next {
            Next::Inside(index) => index,
            Next::Beyond(target) => {
                // The target of a link is never stale.
                let Some(beyond) = mesh.ground(target.slot()) else { return traced };
                ground = beyond;
                target.index()
            }
        };
        let Some(entered) = ground.polygons.get(index as usize) else { return traced };
        polygon = entered;
        traced.polygon = ground.tile.polygon(index);
        visited.push(traced.polygon);
    }
    traced
}

/// Whether a position is inside a polygon, or as good as: its squared distance from the outline is within a tolerance.
pub(super) fn is_at(ground: &Ground<'_>, polygon: &Polygon, position: Vec3, tolerance_squared: f64) -> bool {
    let edges = ground.edges_of(polygon);
    let ring = || sides(ground, edges);
    ring().all(|(a, b)| turn(a, b, position) >= 0.0)
        || ring().any(|(a, b)| squared_distance(a, b, position) <= tolerance_squared)
}

/// The ends of each edge.
fn sides<'a>(ground: &'a Ground<'_>, edges: &'a [Edge]) -> impl Iterator<Item = (Vec3, Vec3)> + 'a {
    let nexts = edges.iter().skip(1).chain(edges.first());
    edges.iter().zip(nexts).map(|(edge, next)| (ground.world(edge.vertex), ground.world(next.vertex)))
}

/// The least t at which a segment leaves an edge's line.
///
/// Without branches: which edges it leaves, and which first, is anyone's guess, and a quotient costs less than a wrong one.
#[inline(always)]
fn leave(ground: &Ground<'_>, edges: &[Edge], segment: &Segment) -> Leave {
    let (mut least, mut second, mut edge) = (f64::INFINITY, f64::INFINITY, usize::MAX);
    let Some(first) = edges.first() else { return Leave { t: least, edge, tied: false } };
    let mut a = ground.world(first.vertex);
    for at in 0..edges.len() {
        let b = ground.world(edges.get(at + 1).unwrap_or(first).vertex);
        let t = segment.leaves(a, b);
        let is_first = t < least;
        let others = select_unpredictable(t < second, t, second);
        second = select_unpredictable(is_first, least, others);
        edge = select_unpredictable(is_first, at, edge);
        least = select_unpredictable(is_first, t, least);
        a = b;
    }
    Leave { t: least, edge, tied: second <= latest_same(least) }
}

/// The latest t that counts as the same.
#[inline]
fn latest_same(t: f64) -> f64 {
    t + SAME_T * (1.0 + t)
}

/// Where a segment goes on.
enum Next {
    /// Into a polygon of the same tile.
    Inside(u32),
    /// Into another tile.
    Beyond(PolyRef),
}

/// A polygon's ways out.
struct Exits<'a, F> {
    mesh: &'a NavMesh<'a>,
    ground: &'a Ground<'a>,
    polygon: &'a Polygon,
    edges: &'a [Edge],
    filter: &'a F,
    segment: &'a Segment,
}

impl<F: PolygonFilter> Exits<'_, F> {
    fn ends(&self, edge: usize) -> (Vec3, Vec3) {
        self.ground.edge_ends(self.polygon, edge).unwrap_or_default()
    }

    /// What an edge that leads nowhere is.
    fn end_at(&self, edge: usize) -> MoveEnd {
        let side = self.edges.get(edge).map_or(NO_SIDE, |edge| edge.side);
        let open = self.ground.open_sides;
        if side != NO_SIDE && open >> (side & 31) & 1 == 1 { MoveEnd::NotLoaded } else { MoveEnd::Wall }
    }

    /// The accepted polygon across an edge where the segment crosses it.
    #[inline(always)]
    fn through(&self, edge: usize, t: f64) -> Option<Next> {
        let neighbor = self.edges.get(edge)?.neighbor;
        if neighbor == NO_NEIGHBOR {
            return if self.polygon.link_count == 0 { None } else { self.through_portal(edge, t) };
        }
        let target = self.ground.polygons.get(neighbor as usize)?;
        if self.filter.accepts(target.flags, target.area) { Some(Next::Inside(neighbor)) } else { None }
    }

    #[inline(never)]
    fn through_portal(&self, edge: usize, t: f64) -> Option<Next> {
        let (a, b) = self.ends(edge);
        let along = fraction_along(a, b, self.segment.at(t)) * 255.0;
        let links = self.ground.links_of(self.polygon).iter();
        let mut crossed = links.filter(|link| {
            link.kind == LINK_PORTAL
                && link.edge as usize == edge
                && f64::from(link.range_min) - 1.0 <= along
                && along <= f64::from(link.range_max) + 1.0
        });
        let accepted = crossed.find(|link| is_entered(self.mesh, link, self.filter));
        accepted.map(|link| Next::Beyond(link.target))
    }

    /// As [`through`](Exits::through), by any of the edges left at the same t: in index order those nearest the
    /// crossing point, the first that leads on; the lowest of them when none does.
    #[cold]
    #[inline(never)]
    fn through_any(&self, t: f64) -> Result<Next, usize> {
        let point = self.segment.at(t);
        let latest = latest_same(t);
        let mut distances = [f64::INFINITY; MAX_EDGES];
        let mut least = f64::INFINITY;
        for (distance, (a, b)) in distances.iter_mut().zip(sides(self.ground, self.edges)) {
            if self.segment.leaves(a, b) <= latest {
                *distance = squared_distance(a, b, point);
                least = if *distance < least { *distance } else { least };
            }
        }
        let farthest = least + SAME_DISTANCE_SQUARED;
        let mut wall = None;
        for (edge, _) in distances.iter().enumerate().filter(|&(_, &distance)| distance <= farthest) {
            if let Some(next) = self.through(edge, t) {
                return Ok(next);
            }
            wall = wall.or(Some(edge));
        }
        Err(wall.unwrap_or(0))
    }
}
