//! Following a segment over the surface from polygon to polygon, seen from above (`navmesh-queries.md`, "Raycast").
//!
//! What a raycast and a move along the surface have in common. It needs no memory but the caller's list of polygons: of
//! what lies behind the ray nothing is asked again.

use core::hint::select_unpredictable;

use super::area_search::is_entered;
use super::checks::checked_position;
use super::filter::PolygonFilter;
use super::plane::{Vec3, cross, turn};
use super::shape::squared_distance;
use super::surface::fraction_along;
use crate::error::Result;
use crate::math::{sub, vector};
use crate::mesh::crisp::MAX_SIDE;
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
/// How far from a segment's line, in shares of its length and in units, a vertex lies to a side of it for certain.
const CLEAR_OF_WAY: f64 = 1.0 / 65_536.0;
const CLEAR: f64 = 1.0 / 1_048_576.0;
/// How far behind the start, in shares of the way, an edge can be left so that no other is at the same t of 0: half of
/// what parts the two.
const BEHIND: f64 = 1.0 / 33_554_432.0;
/// How far along the way from an edge a start lies that is inside of it for certain, by the tolerance: half of that.
const BESIDE: f64 = 1.0 / 2_097_152.0;

/// Whether a ray or a move could begin, with OnePath's numbers; zero is never success.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    /// The way's length, or up to half more.
    length: f64,
    /// How far to a side of it a vertex lies for certain, times the length of the way.
    clear: f64,
    /// How far from the start, axis by axis and added, a vertex of a polygon that it passes through can lie.
    reach: f64,
}

impl Segment {
    #[inline]
    fn new(start: Vec3, end: Vec3) -> Segment {
        let way = sub(end, start);
        let length = way[0].abs() + way[2].abs();
        // The proof stands at `Segment::straddles`.
        let clear = length * (length * CLEAR_OF_WAY + CLEAR);
        Segment { start, way, length, clear, reach: length + 2.0 * MAX_SIDE }
    }

    #[inline]
    fn at(&self, t: f64) -> Vec3 {
        vector(|axis| self.start[axis] + self.way[axis] * t)
    }

    /// How far along the segment it leaves an edge's line.
    #[inline(always)]
    fn share(&self, a: Vec3, b: Vec3) -> Share {
        Share { passed: turn(a, b, self.start), all: -cross(sub(b, a), self.way) }
    }

    /// When the segment leaves an edge's line to the right, not before its start; infinity where it does not.
    #[inline(always)]
    fn leaves(&self, a: Vec3, b: Vec3) -> f64 {
        let share = self.share(a, b);
        select_unpredictable(share.all > 0.0, share.t(), f64::INFINITY)
    }

    /// The edges of a crisp polygon that the segment's line goes through: out of it, and into it. None where a vertex
    /// lies too close to the line to be sure of.
    ///
    /// A line that enters a convex polygon leaves through the one edge that has its ends on either side of it, which takes
    /// neither quotients nor comparing them. That edge is left first, and not at the same t as another: both its ends
    /// lie at least 2^-16 of the way's length and 2^-20 of a unit from the line, so the point where it is left does from both
    /// ends; and by what crisp means ([`crate::mesh::crisp`]) that point lies at least 2^-8 of that on the inner side
    /// of every other edge's line. That is more than rounding moves anything, of polygons as small and as near as is
    /// asked for: 2^-36 of a unit and 2^-50 of the way; and 32 times more than what counts as the same t.
    #[inline(always)]
    fn straddles(&self, ground: &Ground<'_>, edges: &[Edge]) -> Option<[usize; 2]> {
        let (mut left, mut right) = (0u32, 0u32);
        for edge in edges {
            let [x, z] = ground.seen_from_above(edge.vertex);
            let side = self.way[0] * (z - self.start[2]) - self.way[2] * (x - self.start[0]);
            left = left << 1 | u32::from(side > self.clear);
            right = right << 1 | u32::from(side < -self.clear);
        }
        // The last edge's own vertex has bit 0. For each edge's bit, the side of the vertex behind it: behind the last the
        // first one's.
        let last = (edges.len() as u32).wrapping_sub(1) & 31;
        let behind = |sides: u32| sides << 1 | sides >> last;
        let (out, into) = (right & behind(left), left & behind(right));
        let number = |bit: u32| (last as usize).wrapping_sub(bit.trailing_zeros() as usize);
        let is_one = out.is_power_of_two() & into.is_power_of_two();
        if is_one { Some([number(out), number(into)]) } else { None }
    }
}

/// How far along a segment something lies: so much passed of all.
#[derive(Clone, Copy)]
struct Share {
    passed: f64,
    all: f64,
}

impl Share {
    /// The quotient, not before the start: a start outside by next to nothing leaves at once.
    #[inline(always)]
    fn t(self) -> f64 {
        let t = self.passed / self.all;
        select_unpredictable(t < 0.0, 0.0, t)
    }

    /// Whether the start lies on an edge's line, or beside it by less than its polygon's outline allows for.
    fn is_beside(self, segment: &Segment) -> bool {
        self.passed.abs() * segment.length <= self.all.abs() * BESIDE
    }

    /// Whether [`t`](Share::t) is at least 1: a quotient below 1 is never rounded to it.
    #[inline(always)]
    fn is_whole(self) -> bool {
        self.passed >= self.all
    }
}

/// Where a segment leaves a polygon.
struct Leave {
    share: Share,
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

impl<'a, F> TraceTask<'a, F> {
    /// A task whose positions are finite and in bounds: 0 is the start, 1 the end.
    #[inline]
    pub fn new(polygon: PolyRef, [start, end]: [Vec3; 2], filter: &'a F, most: usize) -> Result<Self> {
        checked_position(start, 0)?;
        checked_position(end, 1)?;
        Ok(TraceTask { polygon, start, end, filter, most })
    }
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
    let segment = Segment::new(task.start, task.end);
    let leave = Leave::first(&ground, polygon, &segment);
    if leave.is_none() && !is_at(&ground, polygon, task.start, START_TOLERANCE_SQUARED) {
        return Traced::without(RaycastStatus::StartOutsidePolygon);
    }
    let mut leave = leave.or_else(|| Leave::at_once(&ground, polygon, &segment).map(|(leave, _)| leave));
    let mut traced = Traced { polygon: task.polygon, ..Traced::without(RaycastStatus::Ok) };
    visited.push(task.polygon);
    // A ray meets a polygon once; the limit also ends one that bytes made by hand send round in a ring.
    let mut met = 1;
    loop {
        // Mostly the way goes on within the tile, and all there is to ask is which edge.
        while let Some(Leave { share, edge, .. }) = leave
            && !share.is_whole()
            && met < task.most
            && let Some((index, entered)) = neighbor(&ground, polygon, edge, filter)
        {
            polygon = entered;
            met += 1;
            traced.polygon = ground.tile.polygon(index);
            visited.push(traced.polygon);
            leave = Leave::at_once(&ground, polygon, &segment).map(|(leave, _)| leave);
        }
        let edges = ground.edges_of(polygon);
        let Leave { share, edge, tied } = leave.unwrap_or_else(|| Leave::least(&ground, edges, &segment));
        // An edge left at no number at all is not left.
        if share.is_whole() || edge >= edges.len() {
            traced.end = MoveEnd::Reached;
            traced.t = 1.0;
            return traced;
        }
        traced.t = share.t();
        let exits = Exits { mesh, ground: &ground, polygon, edges, filter, segment: &segment };
        let next = if tied { exits.through_any(share) } else { exits.through(edge, share).ok_or(edge) };
        let index = match next {
            Ok(_) if met >= task.most => {
                traced.end = MoveEnd::OutOfNodes;
                return traced;
            }
            Ok(Next::Inside(index)) => index,
            Ok(Next::Beyond(target)) => {
                // The target of a link is never stale.
                let Some(beyond) = mesh.ground(target.slot()) else { return traced };
                ground = beyond;
                target.index()
            }
            Err(edge) => {
                traced.edge = edge as u32;
                traced.ends = exits.ends(edge);
                traced.end = exits.end_at(edge);
                return traced;
            }
        };
        let Some(entered) = ground.polygons.get(index as usize) else { return traced };
        polygon = entered;
        met += 1;
        traced.polygon = ground.tile.polygon(index);
        visited.push(traced.polygon);
        leave = Leave::at_once(&ground, polygon, &segment).map(|(leave, _)| leave);
    }
}

/// The accepted polygon of the same tile across an edge, and its index.
#[inline(always)]
fn neighbor<'a, F: PolygonFilter>(
    ground: &Ground<'a>,
    polygon: &Polygon,
    edge: usize,
    filter: &F,
) -> Option<(u32, &'a Polygon)> {
    // No polygon has the number of none.
    let index = ground.edges_of(polygon).get(edge)?.neighbor;
    let target = ground.polygons.get(index as usize)?;
    if filter.accepts(target.flags, target.area) { Some((index, target)) } else { None }
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

impl Leave {
    /// Where a segment leaves the polygon that it starts in, when it can be told at once that it does start there: on the
    /// inner side of the two edges that its line goes through or right beside them, so in the polygon or close enough.
    #[inline(always)]
    fn first(ground: &Ground<'_>, polygon: &Polygon, segment: &Segment) -> Option<Leave> {
        let (leave, into) = Leave::at_once(ground, polygon, segment)?;
        let (a, b) = ground.edge_ends(polygon, into)?;
        let is_inside = |share: Share| share.passed > 0.0 || share.is_beside(segment);
        if is_inside(leave.share) && is_inside(segment.share(a, b)) { Some(leave) } else { None }
    }

    /// Where a segment leaves a polygon, and the edge its line comes in by, if no edge is left at nearly the same t.
    #[inline(always)]
    fn at_once(ground: &Ground<'_>, polygon: &Polygon, segment: &Segment) -> Option<(Leave, usize)> {
        if !polygon.is_crisp() {
            return None;
        }
        let [edge, into] = segment.straddles(ground, ground.edges_of(polygon))?;
        let (a, b) = ground.edge_ends(polygon, edge)?;
        let share = segment.share(a, b);
        let away = (a[0] - segment.start[0]).abs() + (a[2] - segment.start[2]).abs();
        let is_ahead = share.passed >= -BEHIND * share.all;
        if is_ahead && away <= segment.reach { Some((Leave { share, edge, tied: false }, into)) } else { None }
    }

    /// The least t at which a segment leaves an edge's line.
    ///
    /// Without branches: which edges it leaves, and which first, is anyone's guess, and a quotient costs less than a wrong
    /// one.
    #[inline(never)]
    fn least(ground: &Ground<'_>, edges: &[Edge], segment: &Segment) -> Leave {
        let (mut least, mut second, mut edge) = (f64::INFINITY, f64::INFINITY, usize::MAX);
        for (at, (a, b)) in sides(ground, edges).enumerate() {
            let t = segment.leaves(a, b);
            let is_first = t < least;
            let others = select_unpredictable(t < second, t, second);
            second = select_unpredictable(is_first, least, others);
            edge = select_unpredictable(is_first, at, edge);
            least = select_unpredictable(is_first, t, least);
        }
        // A share of one is itself as a quotient.
        Leave { share: Share { passed: least, all: 1.0 }, edge, tied: second <= latest_same(least) }
    }
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

    /// The accepted polygon across an edge that the segment leaves after a share of its way.
    fn through(&self, edge: usize, share: Share) -> Option<Next> {
        if self.edges.get(edge)?.neighbor == NO_NEIGHBOR {
            return if self.polygon.link_count == 0 { None } else { self.through_portal(edge, share) };
        }
        neighbor(self.ground, self.polygon, edge, self.filter).map(|(index, _)| Next::Inside(index))
    }

    #[inline(never)]
    fn through_portal(&self, edge: usize, share: Share) -> Option<Next> {
        let along = || {
            let (a, b) = self.ends(edge);
            fraction_along(a, b, self.segment.at(share.t())) * 255.0
        };
        let mut links = self.ground.links_of(self.polygon).iter();
        let crossed = links.find(|link| {
            // Most links share nearly all of their edge, and so every point of it.
            let holds = || {
                let (low, high) = (f64::from(link.range_min) - 1.0, f64::from(link.range_max) + 1.0);
                low <= 0.0 && high >= 255.0 || {
                    let along = along();
                    low <= along && along <= high
                }
            };
            link.kind == LINK_PORTAL
                && link.edge as usize == edge
                && holds()
                && is_entered(self.mesh, link, self.filter)
        });
        crossed.map(|link| Next::Beyond(link.target))
    }

    /// As [`through`](Exits::through), by any of the edges left at the same t: in index order those nearest the
    /// crossing point, the first that leads on; the lowest of them when none does.
    #[cold]
    #[inline(never)]
    fn through_any(&self, share: Share) -> core::result::Result<Next, usize> {
        let t = share.t();
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
            if let Some(next) = self.through(edge, share) {
                return Ok(next);
            }
            wall = wall.or(Some(edge));
        }
        Err(wall.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::world::{Kind, World, corners};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// What is told by sides is what comparing all quotients tells, to the bit.
        #[test]
        fn where_a_segment_leaves_at_once_is_where_it_leaves_first(seed in any::<u64>(), merged in any::<bool>()) {
            let mut world = World::new(Kind { seed, tiles: 2, holes: 20, merged, floors: 1, links: 0 });
            let (mut told, mut asked) = (0, 0);
            for _ in 0..400 {
                let (reference, middle) = world.place();
                let ring = corners(&world.mesh, reference);
                let mut number = || world.random.next_f64();
                // Inside, on an edge, at a corner, and straight at or past one.
                let (corner, next) = (ring[(number() * ring.len() as f64) as usize], ring[0]);
                let share = [0.0, 0.5, 1.0, number()][(number() * 4.0) as usize];
                let start = match (number() * 3.0) as u32 {
                    0 => middle,
                    1 => crate::math::lerp(corner, middle, share),
                    _ => crate::math::lerp(corner, next, share),
                };
                let reach = [1e-3, 1.0, 30.0, 2000.0][(number() * 4.0) as usize];
                let end = match (number() * 2.0) as u32 {
                    0 => crate::math::lerp(start, corner, reach),
                    _ => [start[0] + (number() - 0.5) * reach, start[1], start[2] + (number() - 0.5) * reach],
                };
                let ground = world.mesh.ground_of(reference).unwrap();
                let polygon = &ground.polygons[reference.index() as usize];
                let segment = Segment::new(start, end);
                asked += 1;
                let least = Leave::least(&ground, ground.edges_of(polygon), &segment);
                if let Some((leave, _)) = Leave::at_once(&ground, polygon, &segment) {
                    told += 1;
                    prop_assert_eq!(leave.share.is_whole(), least.share.t() >= 1.0);
                    if !leave.share.is_whole() {
                        prop_assert_eq!((leave.edge, leave.tied), (least.edge, least.tied));
                        prop_assert_eq!(leave.share.t().to_bits(), least.share.t().to_bits());
                    }
                }
                if Leave::first(&ground, polygon, &segment).is_some() {
                    prop_assert!(is_at(&ground, polygon, start, START_TOLERANCE_SQUARED));
                }
            }
            // Most of these segments go through corners; merged rectangles have many corners in a line.
            prop_assert!(merged || told * 8 > asked, "{told} of {asked}");
        }
    }
}
