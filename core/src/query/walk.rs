//! Moving along the surface as far as the walls allow: a breadth-first walk over the polygons round the move
//! (`maul-nav/query.md`, `MoveAlongSurface`).
//!
//! Where [`move_along_surface`](super::move_along_surface) stops at the first wall and slides once, this looks at all
//! polygons near the move, goes round a corner that stands in the way, and gives the place nearest the wanted point.

use super::Query;
use super::area_search::each_portal;
use super::checks::checked_position;
use super::filter::PolygonFilter;
use super::move_along::SurfaceMove;
use super::node::{Entrance, NO_NODE, Node};
use super::plane::{Vec3, between, turn};
use super::shape::{squared_distance, squared_in_plane};
use super::surface::{closest_point, height_at};
use super::trace::{MoveEnd, RaycastStatus};
use super::wall_pieces::each_piece;
use crate::error::Result;
use crate::math::{lerp, sqrt};
use crate::mesh::ground::{Ground, Grounds};
use crate::mesh::view::Polygon;
use crate::mesh::{NavMesh, PolyRef};
use crate::search::{NodeTable, spread};

/// By how much the circle round a move is wider than the move, so that rounding loses no edge that its ends lie on.
const SLACK: f64 = 1e-6;

impl Query<'_> {
    /// Moves from a position on a polygon toward an end as far as the walls allow: a breadth-first walk, from the start
    /// polygon, over the polygons that the filter accepts whose shared edges meet the circle round the move. In the
    /// polygon that holds the end the move reaches it; otherwise it ends at the point nearest the end on the walls of
    /// the polygons walked over, the wall met first when two are as near.
    ///
    /// Off-mesh links are not crossed. [`visited`](Query::visited) then lends the polygons from the start to the one it
    /// ended on, as many as a corridor may have. With too few nodes for all polygons near the move it ends as
    /// [`MoveEnd::OutOfNodes`], at the best place known. Ends a sliced search that is open.
    ///
    /// # Errors
    /// A position that is not finite or not within 2^21: 0 is the start, 1 the end.
    ///
    /// # Cost
    /// The edges of all polygons round the move; a node each. Source: `maul-nav/query.md`, `MoveAlongSurface`.
    pub fn walk_along_surface<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        start_polygon: PolyRef,
        start: [f64; 3],
        end: [f64; 3],
        filter: &F,
    ) -> Result<SurfaceMove> {
        checked_position(start, 0)?;
        checked_position(end, 1)?;
        self.forget();
        let record = mesh.polygon(start_polygon).ok().map(|(_, record)| record);
        if !record.is_some_and(|record| filter.accepts(record.flags, record.area)) {
            let status = RaycastStatus::InvalidStartPoly;
            return Ok(SurfaceMove { status, position: start, ..SurfaceMove::default() });
        }
        let circle = Circle::round(start, end);
        let (nodes, table) = (&mut *self.search.nodes, &mut self.search.table);
        let mut walk = Walk { mesh, filter, nodes, table, count: 0, is_full: false, circle };
        let place = walk.to(start_polygon, end);
        let (count, is_full) = (walk.count, walk.is_full);
        self.most.nodes = self.most.nodes.max(count);
        Ok(self.arrive(mesh, place, end, is_full))
    }

    /// The move that ends at a place, its polygons in the corridor's list.
    fn arrive(&mut self, mesh: &NavMesh<'_>, place: Place, end: Vec3, is_full: bool) -> SurfaceMove {
        let nodes = &*self.search.nodes;
        let back = || {
            let first = nodes.get(place.node as usize);
            core::iter::successors(first, |node| nodes.get(node.parent as usize)).map(|node| node.entrance)
        };
        let length = back().count();
        let mut polygon = PolyRef::NONE;
        for (from_end, entrance) in back().enumerate() {
            let reference = mesh.tile_ref(entrance.slot()).unwrap_or_default().polygon(entrance.index());
            if from_end == 0 {
                polygon = reference;
            }
            if let Some(slot) = self.corridor.get_mut(length - 1 - from_end) {
                *slot = reference;
            }
        }
        let visited = length.min(self.corridor.len());
        self.lend_visited(visited);
        let position = match (place.end, mesh.polygon(polygon)) {
            (MoveEnd::Reached, Ok((tile, record))) => [end[0], height_at(&tile, record, end), end[2]],
            (MoveEnd::NotMoved, Ok((tile, record))) => closest_point(&tile, record, end).point,
            _ => place.point,
        };
        let end = match place.end {
            MoveEnd::Reached => MoveEnd::Reached,
            _ if is_full => MoveEnd::OutOfNodes,
            // No wall at all: rounding alone can hide one.
            MoveEnd::NotMoved => MoveEnd::Wall,
            end => end,
        };
        SurfaceMove { status: RaycastStatus::Ok, end, position, polygon, visited, truncated: length > visited }
    }
}

/// The circle whose diameter is a move, and a little more.
#[derive(Clone, Copy)]
struct Circle {
    center: Vec3,
    radius_squared: f64,
}

impl Circle {
    fn round(start: Vec3, end: Vec3) -> Circle {
        let radius = sqrt(squared_in_plane(start, end)) / 2.0 + SLACK;
        Circle { center: lerp(start, end, 0.5), radius_squared: radius * radius }
    }

    fn meets(&self, (a, b): (Vec3, Vec3)) -> bool {
        squared_distance(a, b, self.center) <= self.radius_squared
    }
}

/// Where a move can end.
struct Place {
    node: u32,
    point: Vec3,
    /// Its squared distance from the wanted point.
    squared: f64,
    /// Not moved as long as no wall is met.
    end: MoveEnd,
}

/// A walk at work: its nodes in the order they were met, which is the order they are walked in.
struct Walk<'a, 'm, F> {
    mesh: &'a NavMesh<'a>,
    filter: &'a F,
    nodes: &'a mut [Node],
    table: &'a mut NodeTable<'m>,
    count: u32,
    is_full: bool,
    circle: Circle,
}

impl<F: PolygonFilter> Walk<'_, '_, F> {
    /// Walks until the end is found or everything near is met, and returns the best place.
    fn to(&mut self, start: PolyRef, end: Vec3) -> Place {
        self.table.begin();
        self.meet(start, NO_NODE);
        let mut best = Place { node: 0, point: end, squared: f64::INFINITY, end: MoveEnd::NotMoved };
        let mesh = self.mesh;
        let mut grounds = Grounds::default();
        let mut at = 0;
        while at < self.count {
            let entrance = self.nodes[at as usize].entrance;
            let found = grounds.of(mesh, entrance.slot());
            if let Some(ground) = found
                && let Some(polygon) = ground.polygons.get(entrance.index() as usize)
            {
                if holds(ground, polygon, end) {
                    return Place { node: at, end: MoveEnd::Reached, ..best };
                }
                self.note_walls(ground, polygon, end, at, &mut best);
                self.leave(ground, polygon, at);
            }
            at += 1;
        }
        best
    }

    /// Takes the point of a polygon's walls nearest the end, if it is nearer than any before: the wall met first wins a
    /// tie.
    fn note_walls(&self, ground: &Ground<'_>, polygon: &Polygon, end: Vec3, node: u32, best: &mut Place) {
        each_piece(self.mesh, ground, polygon, self.filter, |piece| {
            let point = between(piece.a, piece.b, piece.nearest_to(end));
            let squared = squared_in_plane(point, end);
            if squared < best.squared {
                let end = if piece.is_not_loaded(ground) { MoveEnd::NotLoaded } else { MoveEnd::Wall };
                *best = Place { node, point, squared, end };
            }
        });
    }

    /// Meets the polygons behind the edges that meet the circle, in edge order.
    fn leave(&mut self, ground: &Ground<'_>, polygon: &Polygon, from: u32) {
        each_portal(self.mesh, ground, polygon, self.filter, |target, ends| {
            if self.circle.meets(ends) {
                self.meet(target, from);
            }
        });
    }

    /// Makes the node of a polygon that has none.
    fn meet(&mut self, polygon: PolyRef, parent: u32) {
        let entrance = Entrance::into(polygon, 0);
        let nodes = &*self.nodes;
        let found = self.table.find(spread(entrance.polygon()), |at| nodes[at as usize].entrance == entrance);
        let Err(place) = found else { return };
        match self.nodes.get_mut(self.count as usize) {
            Some(node) => {
                *node = Node { entrance, parent, ..Node::default() };
                self.table.insert(place, self.count);
                self.count += 1;
            }
            None => self.is_full = true,
        }
    }
}

/// Whether a position lies inside a polygon's outline, its boundary included.
fn holds(ground: &Ground<'_>, polygon: &Polygon, position: Vec3) -> bool {
    (0..polygon.edge_count as usize)
        .all(|at| ground.edge_ends(polygon, at).is_some_and(|(a, b)| turn(a, b, position) >= 0.0))
}
