//! The nearest wall (`navmesh-queries.md`, "Distance to wall"; `maul-nav/query.md`, `FindWallDistance`).
//!
//! The page looks at every polygon of the circle search. Mostly a wall lies much nearer than the radius, and what is
//! farther than a wall that is known need not be looked at: so this walks over the polygons in any order, through portals
//! no farther than the nearest wall known so far. A polygon that is not walked over can hold a nearer wall all the same,
//! one floor up and reached by stairs farther away, or behind a wall without thickness. So when the walk ends, every
//! polygon whose box comes as near as the wall that was found is looked at, whatever leads there. Only where one of those
//! has a wall that would win, the walk goes on through all portals within the radius, to learn whether it is reached.
//!
//! Mostly it is known that there is no such polygon. Take any point as near as the wall: the straight line to it from the
//! center, which lies on the first polygon, runs over polygons that edges join, through portals and corners nearer than
//! that point, since a wall on its way would be nearer too. So the point lies on a polygon that was walked over. If one
//! that was not has a wall there, the two lie over one another or touch without being joined there: both are not clear
//! (`mesh::clear`). So where all that were walked over are clear, no other is looked at, and where they are crisp, only
//! those that are not clear. All this is so by far more than rounding moves anything, if the walk takes portals a little
//! farther than the wall too ([`SLACK`]), and if no other tile comes as near as the wall.
//!
//! Where nodes could run out or tiles are missing within the radius, the page's own search decides.

use super::Query;
use super::area_search::{each_portal, is_entered, leads_on, portal_ends};
use super::areas::{AreaStatus, Circle};
use super::checks::checked_position;
use super::filter::PolygonFilter;
use super::node::Node;
use super::plane::Vec3;
use super::shape::{checked_radius, squared_distance};
use super::wall_pieces::{Piece, each_gap, each_piece};
use super::walls::{Near, Wall, WallOptions, WallSegment, inward};
use super::world_box::WorldBox;
use crate::error::Result;
use crate::math::{sqrt, sub};
use crate::memory::{Pod, Zeroable};
use crate::mesh::ground::{Ground, Grounds};
use crate::mesh::view::{Edge, LINK_PORTAL, NO_NEIGHBOR, NO_SIDE, Polygon};
use crate::mesh::{NavMesh, PolyRef};
use crate::search::{NodeTable, spread};

/// By how much the boxes of polygons are looked for beyond the nearest wall: far more than rounding moves anything.
const BEYOND: f64 = 1.0 + 1e-9;
/// How much farther than the nearest wall known portals are walked through, at least: 2^-12. The sides of clear polygons
/// lie apart at a slope of at least 1/256, and rounding moves no point by 2^-24, so that only within 2^-16 of a corner it
/// could hide on which side of a wall a polygon lies; of that corner, all polygons are met.
const SLACK: f64 = 1.0 / 4096.0;
/// The most edges of a polygon.
const MAX_EDGES: usize = 16;

/// The nearest wall to a position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WallDistance {
    /// How the search for polygons went.
    pub status: AreaStatus,
    /// Whether a wall lies within the radius.
    pub found: bool,
    /// Whether the node limit cut the search short, so that a nearer wall may have been missed.
    pub limited: bool,
    /// Whether a tile side with no tile loaded behind lies within the radius, counted or not.
    pub met_not_loaded: bool,
    /// The distance to the wall in the plane; the radius when none is found.
    pub distance: f64,
    /// The wall's point nearest to the center, at its height on the edge.
    pub point: [f64; 3],
    /// The unit vector in the plane from that point to the center; where the center lies on the wall, to its walkable
    /// side.
    pub normal: [f64; 3],
    /// The wall; nothing when none is found.
    pub wall: WallSegment,
}

impl WallDistance {
    /// What is known of a search that found no wall within a radius.
    fn none_within(radius: f64, status: AreaStatus) -> WallDistance {
        WallDistance { status, distance: radius, ..WallDistance::default() }
    }

    /// The same with a wall of these flags.
    fn with(self, wall: &Wall, center: Vec3, flags: u32) -> WallDistance {
        let distance = sqrt(wall.distance_squared);
        let [x, _, z] = sub(center, wall.point);
        // On the wall there is no direction away from it but the edge's.
        let normal =
            if distance == 0.0 { inward(wall.piece.a, wall.piece.b) } else { [x / distance, 0.0, z / distance] };
        WallDistance { found: true, distance, point: wall.point, normal, wall: wall.segment(flags), ..self }
    }
}

impl Query<'_> {
    /// Finds the wall nearest to a circle's center within its radius, on the polygons that
    /// [`find_circle`](Query::find_circle) finds. A wall as far as the radius counts; of walls as near the one of the
    /// lowest polygon reference, edge and place along the edge is given.
    ///
    /// [`area`](Query::area) lends nothing afterwards.
    ///
    /// # Errors
    /// A center or radius that [`find_circle`](Query::find_circle) refuses; a band that is not finite or negative.
    ///
    /// # Cost
    /// Mostly that of the polygons as near as the wall that is found; where a wall of another floor could be the nearest,
    /// that of all polygons within the radius. Where a tile is missing within the radius, or where the tiles there have
    /// more polygons than the query has nodes, that of [`find_walls`](Query::find_walls).
    pub fn find_wall_distance<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        filter: &F,
        options: WallOptions,
    ) -> Result<WallDistance> {
        options.validate()?;
        checked_position(circle.center, 0)?;
        checked_radius(circle.radius)?;
        self.forget();
        if let Some(found) = self.wall_close_by(mesh, circle, filter, options) {
            return Ok(found);
        }
        self.begin_circle(mesh, circle, filter)?;
        self.finish_whole_area(mesh, filter);
        let found = self.nearest_wall(mesh, (circle.center, circle.radius), filter, options);
        self.forget();
        Ok(found)
    }

    /// Ends a circle search, or a neighbourhood's, with the nearest wall on the polygons expanded so far.
    ///
    /// # Errors
    /// [`State`](crate::error::ErrorKind::State) when no such search is open, or when the mesh has changed since it
    /// began.
    pub fn finish_wall_distance<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        options: WallOptions,
    ) -> Result<WallDistance> {
        options.validate()?;
        let circle = self.close_circle(mesh)?;
        Ok(self.nearest_wall(mesh, circle, filter, options))
    }

    /// The nearest wall on the polygons that were expanded.
    fn nearest_wall<F: PolygonFilter>(
        &self,
        mesh: &NavMesh<'_>,
        (center, radius): (Vec3, f64),
        filter: &F,
        options: WallOptions,
    ) -> WallDistance {
        let mut best: Option<(Wall, u32)> = None;
        let met_not_loaded = self.each_wall(mesh, (center, radius), filter, options, |wall, flags| {
            if best.as_ref().is_none_or(|(known, _)| wall.comes_before(known)) {
                best = Some((wall, flags));
            }
        });
        let outcome = self.area().outcome();
        let none = WallDistance::none_within(radius, outcome.status);
        let none = WallDistance { limited: outcome.node_limit_reached, met_not_loaded, ..none };
        best.map_or(none, |(wall, flags)| none.with(&wall, center, flags))
    }

    /// The nearest wall by the walk described above; none where the page's search must decide.
    fn wall_close_by<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        Circle { polygon: start, center, radius }: Circle,
        filter: &F,
        options: WallOptions,
    ) -> Option<WallDistance> {
        let ground = mesh.ground_of(start)?;
        let record = ground.polygons.get(start.index() as usize)?;
        if !filter.accepts(record.flags, record.area) || !mesh.is_closed_round(center, radius, self.search.nodes.len())
        {
            return None;
        }
        let met: &mut [Met] = bytemuck::cast_slice_mut(self.search.nodes);
        let near = Near::of(mesh, start, (center, radius), options);
        let radius_squared = near.radius_squared;
        let mut walk = Walk {
            mesh,
            filter,
            center,
            near,
            radius_squared,
            reach_squared: radius_squared,
            // A polygon that the filter refuses may lie round a corner, and walls of another floor be passed by.
            rivals: if filter.accepts_all() && options.floor.is_none() { Rivals::None } else { Rivals::Any },
            met,
            table: &mut self.search.table,
            count: 0,
            next: 0,
            best: None,
        };
        walk.over_all_near(start, &ground);
        // With no wall to bound it, the walk went everywhere.
        if walk.best.is_some() {
            match walk.rivals_from(&ground, record) {
                Rivals::None => {}
                rivals => walk.settle(rivals),
            }
        }
        self.most.nodes = self.most.nodes.max(walk.count);
        let none = WallDistance::none_within(radius, AreaStatus::Success);
        Some(walk.best.map_or(none, |wall| none.with(&wall, center, 0)))
    }
}

/// A polygon that a walk has met.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Met {
    polygon: PolyRef,
    /// The squared distance to the portal that it was met through; below 0 once its edges were looked at.
    key: f64,
}

const _: () = assert!(size_of::<Node>().is_multiple_of(size_of::<Met>()));

/// The places of the bits that are set, from the lowest on.
#[inline]
fn each_bit(mut bits: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let at = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (at < u32::BITS).then_some(at as usize)
    })
}

/// Which polygons that a walk has not come to could have a wall nearer than all that it has met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rivals {
    None,
    /// Those that are not clear.
    Unclear,
    Any,
}

/// A walk over the polygons near a center.
struct Walk<'a, 'm, F> {
    mesh: &'a NavMesh<'a>,
    filter: &'a F,
    center: Vec3,
    /// Shrinks to the nearest wall known.
    near: Near,
    /// The whole circle's.
    radius_squared: f64,
    /// How far portals are walked through: a little farther than the nearest wall known, and no farther than the circle.
    reach_squared: f64,
    /// As far as the polygons tell that were walked over.
    rivals: Rivals,
    met: &'a mut [Met],
    table: &'a mut NodeTable<'m>,
    count: u32,
    /// The place of the first that the walk has not come to.
    next: u32,
    best: Option<Wall>,
}

impl<'a, F: PolygonFilter> Walk<'a, '_, F> {
    /// Walks from a polygon, whose ground is given, through the portals that are hardly farther than the nearest wall known.
    fn over_all_near(&mut self, start: PolyRef, ground: &Ground<'a>) {
        self.table.begin();
        self.meet(start, 0.0);
        // The walk hardly ever leaves a tile.
        let mut ground = *ground;
        while let Some(met) = self.met[..self.count as usize].get_mut(self.next as usize) {
            self.next += 1;
            let Met { polygon, key } = *met;
            if key > self.reach_squared {
                continue;
            }
            met.key = -1.0;
            if polygon.slot() != ground.tile.slot() {
                let Some(other) = self.mesh.ground(polygon.slot()) else { continue };
                ground = other;
            }
            if let Some(record) = ground.polygons.get(polygon.index() as usize) {
                self.look_at(&ground, record, polygon);
            }
        }
    }

    /// Notes a polygon's walls, then meets the polygons behind its portals.
    fn look_at(&mut self, ground: &Ground<'_>, polygon: &Polygon, reference: PolyRef) {
        if !polygon.is_clear() {
            self.rivals = self.rivals.max(if polygon.is_crisp() { Rivals::Unclear } else { Rivals::Any });
        }
        let edges = ground.edges_of(polygon);
        let mut squares = [0.0; MAX_EDGES];
        let Some(first) = edges.first() else { return };
        let mut a = ground.seen_from_above(first.vertex);
        let ends = edges[1..].iter().chain([first]);
        for (square, end) in squares.iter_mut().zip(ends) {
            let b = ground.seen_from_above(end.vertex);
            *square = squared_distance([a[0], 0.0, a[1]], [b[0], 0.0, b[1]], self.center);
            a = b;
        }
        let joined = self.ways_on(ground, polygon, edges);
        for at in each_bit(!joined & ((1 << edges.len()) - 1)) {
            self.note_wall(ground, polygon, reference, (at, squares[at % MAX_EDGES]));
        }
        for at in each_bit(joined) {
            let key = squares[at % MAX_EDGES];
            if key <= self.reach_squared {
                self.meet(ground.tile.polygon(edges[at].neighbor), key);
            }
        }
        if polygon.sides != 0 {
            self.meet_beyond(ground, polygon);
        }
    }

    /// A bit for each edge of a polygon across which the filter accepts one of the same tile.
    #[inline]
    fn ways_on(&self, ground: &Ground<'_>, polygon: &Polygon, edges: &[Edge]) -> u32 {
        let joined = u32::from(polygon.joined) & ((1 << edges.len()) - 1);
        if self.filter.accepts_all() {
            return joined;
        }
        each_bit(joined).filter(|&at| leads_on(ground, &edges[at], self.filter)).fold(0, |bits, at| bits | 1 << at)
    }

    /// Notes the walls of an edge that no other polygon of the tile is reached across, so far away as a whole.
    fn note_wall(&mut self, ground: &Ground<'_>, polygon: &Polygon, reference: PolyRef, (at, squared): (usize, f64)) {
        // A piece of the edge can seem nearer than all of it, by rounding.
        if squared > self.reach_squared * BEYOND + SLACK * SLACK {
            return;
        }
        let (Some(edge), Some((a, b))) = (ground.edges_of(polygon).get(at), ground.edge_ends(polygon, at)) else {
            return;
        };
        let whole = Piece { number: at as u32, a, b, part: [0.0, 1.0], side: edge.side };
        if edge.neighbor == NO_NEIGHBOR && edge.side != NO_SIDE {
            let (mesh, filter) = (self.mesh, self.filter);
            each_gap(mesh, ground, polygon, filter, whole, |piece| self.note(reference, piece));
        } else {
            self.note(reference, Piece { side: NO_SIDE, ..whole });
        }
    }

    /// Meets the polygons of other tiles behind a polygon's portals.
    fn meet_beyond(&mut self, ground: &Ground<'_>, polygon: &Polygon) {
        for link in ground.links_of(polygon).iter().filter(|link| link.kind == LINK_PORTAL) {
            if is_entered(self.mesh, link, self.filter)
                && let Some((a, b)) = portal_ends(ground, polygon, link)
            {
                let key = squared_distance(a, b, self.center);
                if key <= self.reach_squared {
                    self.meet(link.target, key);
                }
            }
        }
    }

    /// Meets all polygons that can be reached through portals within a radius.
    #[cold]
    fn meet_all(&mut self) {
        let mesh = self.mesh;
        let mut grounds = Grounds::default();
        let mut at = 0;
        while at < self.count as usize {
            let polygon = self.met[at].polygon;
            if let Some(ground) = grounds.of(mesh, polygon.slot())
                && let Some(record) = ground.polygons.get(polygon.index() as usize)
            {
                each_portal(mesh, ground, record, self.filter, |target, (a, b)| {
                    let key = squared_distance(a, b, self.center);
                    if key <= self.radius_squared {
                        self.meet(target, key);
                    }
                });
            }
            at += 1;
        }
    }

    /// Takes a piece for the nearest wall, if it is.
    #[inline]
    fn note(&mut self, polygon: PolyRef, piece: Piece) {
        if let Some(wall) = self.near.wall(polygon, piece)
            && self.best.as_ref().is_none_or(|known| wall.comes_before(known))
        {
            self.near.radius_squared = wall.distance_squared;
            // At least the square of the distance and the slack, without a root.
            let reach = wall.distance_squared * (1.0 + SLACK) + 2.0 * SLACK;
            self.reach_squared = if reach < self.radius_squared { reach } else { self.radius_squared };
            self.best = Some(wall);
        }
    }

    fn find(&self, polygon: PolyRef) -> core::result::Result<u32, crate::search::Place> {
        self.table.find(spread(polygon.0), |at| self.met[at as usize].polygon == polygon)
    }

    /// Notes a polygon to be walked over, once.
    fn meet(&mut self, polygon: PolyRef, key: f64) {
        match self.find(polygon) {
            // A nearer portal may come within the reach that a farther one is beyond by now. If the walk is past the polygon,
            // it is not walked over any more.
            Ok(at) => {
                let met = &mut self.met[at as usize];
                if key < met.key {
                    met.key = key;
                    if at < self.next {
                        self.rivals = Rivals::Any;
                    }
                }
            }
            Err(place) => {
                if let Some(room) = self.met.get_mut(self.count as usize) {
                    *room = Met { polygon, key };
                    self.table.insert(place, self.count);
                    self.count += 1;
                }
            }
        }
    }

    /// Which polygons that were not walked over could have a wall that would be the nearest.
    fn rivals_from(&self, ground: &Ground<'_>, start: &Polygon) -> Rivals {
        // Where the circle ends within the slack, what lies next to a wall may not be within it.
        let is_known = self.rivals < Rivals::Any
            && self.reach_squared < self.radius_squared
            && self.mesh.is_alone_round(ground, self.center, sqrt(self.reach_squared))
            && ground.is_over(start, self.center);
        if is_known { self.rivals } else { Rivals::Any }
    }

    /// Looks at the polygons near that were not walked over, and takes the walls of those that are reached.
    #[inline(never)]
    fn settle(&mut self, rivals: Rivals) {
        if self.has_unknown(rivals) {
            self.meet_all();
            self.has_unknown(rivals);
        }
    }

    /// Takes the walls of the polygons near that were met but not walked over. Whether one that was not met has a wall that
    /// would be the nearest.
    fn has_unknown(&mut self, rivals: Rivals) -> bool {
        let reach = sqrt(self.near.radius_squared) * BEYOND;
        let region = WorldBox::round(self.center, [reach; 3]).at_any_height();
        let mesh = self.mesh;
        let mut has_unknown = false;
        region.each_on_ground(mesh, |ground, local, index| {
            let Some(polygon) = ground.polygons.get(index as usize) else { return };
            // No rival, without any wall, or in a corner of the square.
            if rivals == Rivals::Unclear && polygon.is_clear()
                || self.filter.accepts_all() && polygon.is_joined_all_round()
                || WorldBox::least_squared_in_plane(self.center, ground.origin(), local) > self.near.radius_squared
                || !self.filter.accepts(polygon.flags, polygon.area)
            {
                return;
            }
            let reference = ground.tile.polygon(index);
            let found = self.find(reference);
            if found.is_ok_and(|at| self.met[at as usize].key < 0.0) {
                return;
            }
            each_piece(mesh, ground, polygon, self.filter, |piece| {
                if let Some(wall) = self.near.wall(reference, piece)
                    && self.best.as_ref().is_some_and(|known| wall.comes_before(known))
                {
                    if found.is_ok() {
                        self.best = Some(wall);
                    } else {
                        has_unknown = true;
                    }
                }
            });
        });
        has_unknown
    }
}
