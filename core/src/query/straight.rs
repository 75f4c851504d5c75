//! The straight path: the corners of the shortest way in the plane through a corridor (`navmesh-queries.md`, "Straight
//! path"). The funnel that finds them is in [`funnel`](super::funnel).

use super::Query;
use super::checks::checked_position;
use super::drawing::Expansions;
use super::funnel::{self, Corners};
use super::nearest::Nearest;
use super::off_mesh::OffMeshCrossing;
use super::portals::{Portal, Step};
use super::results::{PathLink, PathOutcome, PathPoint, QueryStatus};
use super::surface::{closest_point, closest_point_on};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::distance;
use crate::mesh::ground::Ground;
use crate::mesh::{NavMesh, PolyRef};

impl Query<'_> {
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
        let ends = [start, end].map(PathPlace::anywhere);
        let room = Room { portals: self.portals, points: self.points, links: self.links };
        let pulled = pull_tight(mesh, ends, Route { corridor, exits: &[], is_exact: false }, max_corners, room);
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

    /// Adds the points to the path that [`finish_path`](Query::finish_path) gave: the corners of the shortest path in
    /// the plane through its corridor, between two positions that are first moved to the closest points of its first
    /// and last polygon. As [`straight_path`](Query::straight_path) through that corridor, which need not be copied and
    /// is not checked again; staged links are crossed where the search crossed them.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when the last call was no path search, or when the mesh has changed since it began. A
    /// position that is not finite or not within 2^21: 0 is the start, 1 the end.
    pub fn straighten_path(&mut self, mesh: &NavMesh<'_>, start: [f64; 3], end: [f64; 3]) -> Result<PathOutcome> {
        checked_position(start, 0)?;
        checked_position(end, 1)?;
        if !self.has_corridor_of(mesh) {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        let ends = [start, end].map(|position| PathPlace { position, on: PolyRef::NONE });
        self.pull_own_corridor(mesh, ends, false);
        Ok(self.outcome)
    }

    fn has_corridor_of(&self, mesh: &NavMesh<'_>) -> bool {
        self.corridor_len > 0 && matches!(self.expansions, Expansions::Path { version } if version == mesh.version())
    }

    pub(super) fn take_points(&mut self, pulled: Pulled) {
        self.point_count = pulled.count;
        self.link_count = pulled.links;
        let points = &self.points[..pulled.count];
        self.outcome.points_truncated = pulled.truncated;
        self.outcome.length = points.windows(2).map(|pair| distance(pair[0].position, pair[1].position)).sum();
        self.most.points = self.most.points.max(pulled.count as u32);
    }
}

pub(super) struct Pulled {
    count: usize,
    links: usize,
    truncated: bool,
}

impl Pulled {
    pub const fn without_links(count: usize, truncated: bool) -> Pulled {
        Pulled { count, links: 0, truncated }
    }

    /// How many points were found that there is room for.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Whether there are more.
    pub const fn is_truncated(&self) -> bool {
        self.truncated
    }
}

/// An end of a path, and the polygon on whose surface it is known to lie, if any.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathPlace {
    position: [f64; 3],
    on: PolyRef,
}

impl PathPlace {
    pub const NOWHERE: PathPlace = PathPlace { position: [0.0; 3], on: PolyRef::NONE };

    /// A position that need not lie on any polygon.
    pub const fn anywhere(position: [f64; 3]) -> PathPlace {
        PathPlace { position, on: PolyRef::NONE }
    }

    /// A position moved to the closest point of a polygon; none for a reference that is stale or names nothing.
    pub fn on(mesh: &NavMesh<'_>, polygon: PolyRef, position: [f64; 3]) -> Option<PathPlace> {
        let (tile, record) = mesh.polygon(polygon).ok()?;
        Some(PathPlace { position: closest_point(&tile, record, position).point, on: polygon })
    }

    pub const fn position(&self) -> [f64; 3] {
        self.position
    }

    /// Of a point straight above or below a position the closest point is found by x and z alone: finding it again
    /// gives the same. Elsewhere rounding can move it, and it is left to be found again.
    pub fn of(nearest: Nearest) -> PathPlace {
        let on = if nearest.over_polygon { nearest.polygon } else { PolyRef::NONE };
        PathPlace { position: nearest.point, on }
    }

    /// Onto a polygon of the tile whose ground this is.
    fn moved_onto(self, mesh: &NavMesh<'_>, ground: &Ground<'_>, polygon: PolyRef) -> Option<[f64; 3]> {
        if self.on == polygon {
            return Some(self.position);
        }
        let record = ground.polygons.get(polygon.index() as usize)?;
        Some(closest_point_on(mesh, ground, record, self.position))
    }
}

/// The polygons of a path, and where they are known the exits that led into each.
pub(super) struct Route<'a> {
    pub corridor: &'a [PolyRef],
    pub exits: &'a [u32],
    /// Whether a tile's own links are crossed as the exits say too: else the first that leads on is, as the page has it.
    pub is_exact: bool,
}

/// Where a path is laid out.
pub(super) struct Room<'a> {
    pub portals: &'a mut [Portal],
    pub points: &'a mut [PathPoint],
    pub links: &'a mut [PathLink],
}

/// The corners of the path through a corridor; none when it does not hold together.
pub(super) fn pull_tight(
    mesh: &NavMesh<'_>,
    [start, end]: [PathPlace; 2],
    Route { corridor, exits, is_exact }: Route<'_>,
    max_corners: Option<u32>,
    Room { portals, points, links }: Room<'_>,
) -> Option<Pulled> {
    let (&first, &last) = (corridor.first()?, corridor.last()?);
    if corridor.len() > portals.len() {
        return None;
    }
    let portals = &mut portals[..corridor.len() - 1];
    let mut ground = mesh.ground_of(first)?;
    let start = start.moved_onto(mesh, &ground, first)?;
    let mut toward = [start, end.position];
    let mut from = first;
    for (number, (portal, &to)) in portals.iter_mut().zip(&corridor[1..]).enumerate() {
        let step = Step { from, to, exit: exits.get(number + 1).copied(), is_exact, toward };
        if to.tile() == ground.tile && (to.index() as usize) < ground.polygons.len() {
            let polygon = ground.polygons.get(from.index() as usize)?;
            // A staged link that the search took comes before an edge, so an exit that is no edge is looked at there.
            *portal = match Portal::over_edge(&ground, polygon, to.index(), step.exit) {
                Some(portal) => portal,
                None => Portal::between(mesh, &ground, &ground, step)?,
            };
        } else {
            let next = mesh.ground_of(to)?;
            *portal = Portal::between(mesh, &ground, &next, step)?;
            ground = next;
        }
        if portal.off_mesh != 0 {
            toward[0] = portal.left;
        }
        from = to;
    }
    let end = end.moved_onto(mesh, &ground, last)?;
    let most = max_corners.map_or(usize::MAX, |most| most as usize);
    let room = most.min(points.len());
    let mut corners = Corners::into(&mut points[..room], links);
    funnel::pull(start, end, corridor, portals, &mut corners);
    let truncated = corners.overflowed() || corners.len() == most;
    let pulled = Pulled { count: corners.len(), links: corners.link_count(), truncated };
    name_links(mesh, corridor, portals, &mut links[..pulled.links]);
    Some(pulled)
}

/// Names the links that were noted by their portals.
fn name_links(mesh: &NavMesh<'_>, corridor: &[PolyRef], portals: &[Portal], links: &mut [PathLink]) {
    for noted in links {
        let at = noted.portal();
        let Some((tile, polygon)) = corridor.get(at).and_then(|&from| mesh.polygon(from).ok()) else { continue };
        let number = portals.get(at).map_or(0, |portal| portal.off_mesh as usize).wrapping_sub(1);
        if let Some(crossing) = tile.links_of(polygon).get(number).and_then(|link| OffMeshCrossing::of(mesh, link)) {
            *noted = noted.named(&crossing);
        }
    }
}
