//! Walls near a position: the nearest one, or all of them, nearest first (`navmesh-queries.md`, "Distance to wall", "All
//! walls near a position"; the walls of one floor, `maul-nav/query.md`, `FindWallDistance`, `FindWalls`).
//!
//! A wall is where nothing walkable lies behind an edge. A tile side with no tile loaded behind it is told apart: it is
//! listed where the page lists it, but marked, so that who loads tiles as agents go can leave it out or load the tile.

use super::Query;
use super::area_search::{About, area_nodes, expanded, is_entered, portal_links};
use super::areas::{AreaStatus, Circle};
use super::filter::PolygonFilter;
use super::plane::{Vec3, between};
use super::shape::squared_in_plane;
use super::surface::{closest_point, fraction_along};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::{sqrt, sub};
use crate::memory::{Pod, Zeroable};
use crate::mesh::ground::{Ground, Grounds};
use crate::mesh::view::{NO_NEIGHBOR, NO_SIDE, Polygon};
use crate::mesh::{NavMesh, PolyRef};

/// The mark of a piece that is a tile side with no tile loaded behind it, in any layer.
pub const WALL_NOT_LOADED: u32 = 1;

/// A stretch of an edge with nothing walkable behind it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct WallSegment {
    /// Where it begins: the walkable side lies to the left of the way from here to the end.
    pub start: [f64; 3],
    /// Where it ends.
    pub end: [f64; 3],
    /// Its squared distance from the center, in the plane.
    pub distance_squared: f64,
    /// The polygon whose edge it is.
    pub polygon: PolyRef,
    /// Which edge.
    pub edge: u32,
    /// [`WALL_NOT_LOADED`] or 0.
    pub flags: u32,
}

impl WallSegment {
    /// Whether there is no tile loaded behind it: what lies there is not known.
    pub const fn is_not_loaded(&self) -> bool {
        self.flags & WALL_NOT_LOADED != 0
    }

    /// Its distance from the center, in the plane.
    pub fn distance(&self) -> f64 {
        sqrt(self.distance_squared)
    }

    /// The unit vector towards the walkable side, level; zero for a segment without length.
    pub fn normal(&self) -> [f64; 3] {
        inward(self.start, self.end)
    }
}

/// How far below and above the center's height a wall on its floor may lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloorBand {
    /// World units below: the agent's step. Finite, not negative.
    pub below: f64,
    /// World units above: the agent's height. Finite, not negative.
    pub above: f64,
}

/// Which walls a query counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WallOptions {
    /// Only walls whose point nearest to the center lies within this band round the center's height on the polygon that
    /// the search starts from; none for walls of any floor.
    pub floor: Option<FloorBand>,
    /// Whether tile sides with no tile loaded behind are counted like walls.
    pub with_not_loaded: bool,
}

impl WallOptions {
    /// Walls of any floor, and tile sides with no tile loaded behind, marked: the list as the page has it.
    pub const ALL: WallOptions = WallOptions { floor: None, with_not_loaded: true };

    /// Walls on the center's floor for the agent that a mesh is made for: up to its climb below, up to its height above.
    pub fn on_floor(mesh: &NavMesh<'_>) -> WallOptions {
        let params = mesh.params();
        let band = FloorBand { below: params.walkable_climb.into(), above: params.agent_height.into() };
        WallOptions { floor: Some(band), ..WallOptions::ALL }
    }

    /// The same without tile sides with no tile loaded behind; that some were met is still reported.
    pub const fn without_not_loaded(self) -> WallOptions {
        WallOptions { with_not_loaded: false, ..self }
    }

    fn validate(&self) -> Result<()> {
        let Some(FloorBand { below, above }) = self.floor else { return Ok(()) };
        for (at, value) in [below, above].into_iter().enumerate() {
            if !value.is_finite() || value < 0.0 {
                return Err(Error::invalid(Subject::Extents).at(at).value(value));
            }
        }
        Ok(())
    }
}

impl Default for WallOptions {
    fn default() -> Self {
        WallOptions::ALL
    }
}

/// The nearest wall to a position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
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

/// How a search for walls went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WallsFound {
    /// How the search for polygons went.
    pub status: AreaStatus,
    /// How many walls lie within the radius.
    pub count: usize,
    /// Whether there are more than the buffer holds, which then has the nearest.
    pub truncated: bool,
    /// Whether the node limit cut the search short, so that walls may have been missed.
    pub limited: bool,
    /// Whether a tile side with no tile loaded behind lies within the radius, counted or not.
    pub met_not_loaded: bool,
}

impl Query<'_> {
    /// Finds the wall nearest to a circle's center within its radius, on the polygons that
    /// [`find_circle`](Query::find_circle) finds. A wall as far as the radius counts; of walls as near the one of the
    /// lowest polygon reference, edge and place along the edge is given.
    ///
    /// # Errors
    /// A center or radius that [`find_circle`](Query::find_circle) refuses; a band that is not finite or negative.
    pub fn find_wall_distance<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        filter: &F,
        options: WallOptions,
    ) -> Result<WallDistance> {
        options.validate()?;
        self.begin_circle(mesh, circle, filter)?;
        self.finish_whole_area(mesh, filter);
        Ok(self.nearest_wall(mesh, circle.center, circle.radius, filter, options))
    }

    /// Ends a circle search, or a neighbourhood's, with the nearest wall on the polygons expanded so far.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no such search is open, or when the mesh has changed since it began.
    pub fn finish_wall_distance<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        options: WallOptions,
    ) -> Result<WallDistance> {
        options.validate()?;
        let (center, radius) = self.close_circle(mesh)?;
        Ok(self.nearest_wall(mesh, center, radius, filter, options))
    }

    /// Lists the walls within a circle's radius of its center, nearest first, on the polygons that
    /// [`find_circle`](Query::find_circle) finds. Walls as near stand in the order the search met them. A full buffer
    /// keeps the nearest, and the count goes on.
    ///
    /// Each wall found moves those behind it in the buffer: up to n^2 / 2 moves of 72 bytes for a buffer of n.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
    /// use navarena::query::{Circle, Filter, Query, QueryDef, WallOptions, WallSegment, nearest_polygon};
    /// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
    /// # let room = TileData {
    /// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
    /// #     vertices: &[[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]],
    /// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
    /// #     indices: &[0, 1, 2, 3], neighbors: &[0; 4], portal_sides: &[255; 4],
    /// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
    /// # };
    /// # mesh.stage_tile_data(&room)?;
    /// # mesh.commit()?;
    /// # let def = QueryDef { nodes: 64, ..QueryDef::DEFAULT };
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// # let mut query = Query::new(&def, &mut Arena::new(&mut region))?;
    /// // In a room 8 units wide, near the side at x = 8.
    /// let center = [7.0, 0.0, 6.0];
    /// let start = nearest_polygon(&mesh, center, [1.0; 3], &Filter::ALL)?.unwrap();
    /// let circle = Circle { polygon: start.polygon, center, radius: 2.5 };
    /// let mut walls = [WallSegment::default(); 8];
    /// let found = query.find_walls(&mesh, circle, &Filter::ALL, WallOptions::ALL, &mut walls)?;
    /// assert_eq!((found.count, walls[0].distance(), walls[1].distance()), (2, 1.0, 2.0));
    /// assert_eq!(walls[0].normal(), [-1.0, 0.0, 0.0]);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`find_wall_distance`](Query::find_wall_distance).
    pub fn find_walls<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        circle: Circle,
        filter: &F,
        options: WallOptions,
        walls: &mut [WallSegment],
    ) -> Result<WallsFound> {
        options.validate()?;
        self.begin_circle(mesh, circle, filter)?;
        self.finish_whole_area(mesh, filter);
        Ok(self.list_walls(mesh, (circle.center, circle.radius), filter, options, walls))
    }

    /// Ends a circle search, or a neighbourhood's, with the walls on the polygons expanded so far, as
    /// [`find_walls`](Query::find_walls).
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no such search is open, or when the mesh has changed since it began.
    pub fn finish_walls<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        filter: &F,
        options: WallOptions,
        walls: &mut [WallSegment],
    ) -> Result<WallsFound> {
        options.validate()?;
        let circle = self.close_circle(mesh)?;
        Ok(self.list_walls(mesh, circle, filter, options, walls))
    }

    /// Ends the search that is open, which must be about a circle, and gives its center and radius.
    pub(super) fn close_circle(&mut self, mesh: &NavMesh<'_>) -> Result<(Vec3, f64)> {
        self.check_area_open(mesh)?;
        let About::Circle { center, radius } = self.area.about else {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        };
        self.close_area();
        Ok((center, radius))
    }

    fn nearest_wall<F: PolygonFilter>(
        &self,
        mesh: &NavMesh<'_>,
        center: Vec3,
        radius: f64,
        filter: &F,
        options: WallOptions,
    ) -> WallDistance {
        let mut best: Option<Wall> = None;
        let met_not_loaded = self.each_wall(mesh, (center, radius), filter, options, |wall| {
            if best.as_ref().is_none_or(|known| wall.comes_before(known)) {
                best = Some(wall);
            }
        });
        let outcome = self.area().outcome();
        let none = WallDistance {
            status: outcome.status,
            limited: outcome.node_limit_reached,
            met_not_loaded,
            distance: radius,
            ..WallDistance::default()
        };
        let Some(wall) = best else { return none };
        let distance = sqrt(wall.segment.distance_squared);
        let [x, _, z] = sub(center, wall.point);
        // On the wall there is no direction away from it but the edge's.
        let normal = if distance == 0.0 { inward(wall.edge.0, wall.edge.1) } else { [x / distance, 0.0, z / distance] };
        WallDistance { found: true, distance, point: wall.point, normal, wall: wall.segment, ..none }
    }

    fn list_walls<F: PolygonFilter>(
        &self,
        mesh: &NavMesh<'_>,
        circle: (Vec3, f64),
        filter: &F,
        options: WallOptions,
        walls: &mut [WallSegment],
    ) -> WallsFound {
        let mut count = 0usize;
        let met_not_loaded = self.each_wall(mesh, circle, filter, options, |wall| {
            insert_nearest(walls, count, wall.segment);
            count += 1;
        });
        let outcome = self.area().outcome();
        WallsFound {
            status: outcome.status,
            count,
            truncated: count > walls.len(),
            limited: outcome.node_limit_reached,
            met_not_loaded,
        }
    }

    /// Calls `visit` with the walls that count within the radius, in the order that the search met them: polygons by
    /// expansion, edges in order, pieces along the edge. Returns whether any has no tile loaded behind it.
    fn each_wall<F: PolygonFilter>(
        &self,
        mesh: &NavMesh<'_>,
        (center, radius): (Vec3, f64),
        filter: &F,
        options: WallOptions,
        mut visit: impl FnMut(Wall),
    ) -> bool {
        let nodes = area_nodes(self.search.nodes);
        let found = expanded(nodes, &self.area);
        let start = found.clone().next().map_or(PolyRef::NONE, |node| node.polygon);
        let heights = options.floor.and_then(|band| heights_of(mesh, start, center, band));
        let is_on_floor = |y: f64| heights.is_none_or(|(low, high)| y >= low && y <= high);
        let mut met_not_loaded = false;
        let mut grounds = Grounds::default();
        for node in found {
            let Some(ground) = grounds.of(mesh, node.polygon.slot()) else { continue };
            let Some(polygon) = ground.polygons.get(node.polygon.index() as usize) else { continue };
            each_piece(mesh, ground, polygon, filter, |piece| {
                let at = piece.nearest_to(center);
                let point = between(piece.a, piece.b, at);
                let distance_squared = squared_in_plane(point, center);
                if distance_squared > radius * radius || !is_on_floor(point[1]) {
                    return;
                }
                let is_not_loaded = piece.side != NO_SIDE && !mesh.has_tile_beyond(ground.tile.slot(), piece.side);
                met_not_loaded |= is_not_loaded;
                if is_not_loaded && !options.with_not_loaded {
                    return;
                }
                let [start, end] = piece.part.map(|at| between(piece.a, piece.b, at));
                let flags = if is_not_loaded { WALL_NOT_LOADED } else { 0 };
                let (polygon, edge) = (node.polygon, piece.number);
                let segment = WallSegment { start, end, distance_squared, polygon, edge, flags };
                visit(Wall { segment, at, point, edge: (piece.a, piece.b) });
            });
        }
        met_not_loaded
    }
}

/// A wall near a center.
struct Wall {
    segment: WallSegment,
    /// Where along its edge the point nearest to the center lies.
    at: f64,
    point: Vec3,
    /// The ends of its edge.
    edge: (Vec3, Vec3),
}

impl Wall {
    /// Nearer, or as near and of lower polygon reference, edge and fraction along the edge.
    fn comes_before(&self, other: &Wall) -> bool {
        let (own, known) = (&self.segment, &other.segment);
        let rank = (own.polygon, own.edge).cmp(&(known.polygon, known.edge));
        own.distance_squared < known.distance_squared
            || own.distance_squared == known.distance_squared && (rank.is_lt() || rank.is_eq() && self.at < other.at)
    }
}

/// A stretch of an edge with nothing walkable behind it.
pub(super) struct Piece {
    number: u32,
    /// The ends of the edge.
    pub a: Vec3,
    pub b: Vec3,
    /// Where along the edge it begins and ends.
    part: [f64; 2],
    /// The tile side that the edge lies on, or [`NO_SIDE`].
    pub side: u8,
}

impl Piece {
    /// Where along the edge the piece's point nearest to a position lies.
    pub fn nearest_to(&self, position: Vec3) -> f64 {
        let [low, high] = self.part;
        let at = fraction_along(self.a, self.b, position);
        if at < low {
            low
        } else if at > high {
            high
        } else {
            at
        }
    }
}

/// Calls `visit` with a polygon's wall pieces, edge by edge and along each.
pub(super) fn each_piece<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    ground: &Ground<'_>,
    polygon: &Polygon,
    filter: &F,
    mut visit: impl FnMut(Piece),
) {
    for (at, edge) in ground.edges_of(polygon).iter().enumerate() {
        let mut covered = Covered::default();
        if edge.neighbor != NO_NEIGHBOR {
            let neighbor = ground.polygons.get(edge.neighbor as usize);
            if neighbor.is_some_and(|neighbor| filter.accepts(neighbor.flags, neighbor.area)) {
                continue;
            }
        } else if edge.side != NO_SIDE {
            for link in portal_links(ground, polygon, at).filter(|link| is_entered(mesh, link, filter)) {
                covered.add(link.range_min, link.range_max);
            }
        }
        let Some((a, b)) = ground.edge_ends(polygon, at) else { continue };
        let side = if edge.neighbor == NO_NEIGHBOR { edge.side } else { NO_SIDE };
        let mut from = 0;
        while let Some((low, high)) = covered.gap(from) {
            let part = [low, high].map(|part| f64::from(part) / 255.0);
            visit(Piece { number: at as u32, a, b, part, side });
            from = high;
        }
    }
}

/// Which of an edge's 255 parts have something walkable behind them: bit `k` is the part from `k` to `k + 1`.
#[derive(Default)]
struct Covered([u64; 4]);

impl Covered {
    fn add(&mut self, low: u8, high: u8) {
        for part in low..high {
            self.0[part as usize / 64] |= 1 << (part % 64);
        }
    }

    /// The first part at or after a part that is covered, or is not; 255 when there is none.
    fn next(&self, from: u8, is_covered: bool) -> u8 {
        let mut at = u32::from(from);
        while at < 255 {
            let word = self.0[at as usize / 64] ^ if is_covered { 0 } else { u64::MAX };
            let rest = word >> (at % 64);
            if rest != 0 {
                return (at + rest.trailing_zeros()).min(255) as u8;
            }
            at = (at / 64 + 1) * 64;
        }
        255
    }

    /// The first run of parts with nothing behind, at or after a part.
    fn gap(&self, from: u8) -> Option<(u8, u8)> {
        let low = self.next(from, false);
        if low == 255 { None } else { Some((low, self.next(low, true))) }
    }
}

/// Puts a wall behind all that are as near, of the `count` found so far; the farthest falls out of a full buffer.
fn insert_nearest(walls: &mut [WallSegment], count: usize, wall: WallSegment) {
    let len = count.min(walls.len());
    let at = walls[..len].partition_point(|known| known.distance_squared <= wall.distance_squared);
    let room = (len + 1).min(walls.len());
    if at < room {
        walls[at..room].rotate_right(1);
        walls[at] = wall;
    }
}

/// The unit vector to the left of the way along an edge, level; zero for an edge without length.
fn inward(a: Vec3, b: Vec3) -> Vec3 {
    let [x, _, z] = sub(b, a);
    let length = sqrt(x * x + z * z);
    if length > 0.0 { [-z / length, 0.0, x / length] } else { [0.0; 3] }
}

/// The heights between which a wall is on a position's floor: round its height on a polygon.
fn heights_of(mesh: &NavMesh<'_>, polygon: PolyRef, position: Vec3, band: FloorBand) -> Option<(f64, f64)> {
    let tile = mesh.tile(polygon.slot() as usize)?;
    let record = tile.polygons.get(polygon.index() as usize)?;
    let floor = closest_point(&tile, record, position).point[1];
    Some((floor - band.below, floor + band.above))
}
