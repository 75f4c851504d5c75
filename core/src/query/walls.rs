//! Walls near a position: the nearest one, or all of them, nearest first (`navmesh-queries.md`, "Distance to wall", "All
//! walls near a position"; the walls of one floor, `maul-nav/query.md`, `FindWallDistance`, `FindWalls`).
//!
//! A wall is where nothing walkable lies behind an edge. A tile side with no tile loaded behind it is told apart: it is
//! listed where the page lists it, but marked, so that who loads tiles as agents go can leave it out or load the tile.

use super::Query;
use super::area_search::{About, area_nodes, expanded};
use super::areas::{AreaStatus, Circle};
use super::filter::PolygonFilter;
use super::plane::{Vec3, between};
use super::shape::squared_in_plane;
use super::surface::closest_point;
use super::wall_pieces::{Piece, each_piece};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::{sqrt, sub};
use crate::memory::{Pod, Zeroable};
use crate::mesh::ground::Grounds;
use crate::mesh::{NavMesh, PolyRef};

/// The mark of a piece that is a tile side with no tile loaded behind it, in any layer.
pub const WALL_NOT_LOADED: u32 = 1;

/// A stretch of an edge with nothing walkable behind it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FloorBand {
    /// World units below: the agent's step. Finite, not negative.
    pub below: f64,
    /// World units above: the agent's height. Finite, not negative.
    pub above: f64,
}

/// Which walls a query counts.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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

    pub(super) fn validate(&self) -> Result<()> {
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

/// How a search for walls went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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

    fn list_walls<F: PolygonFilter>(
        &self,
        mesh: &NavMesh<'_>,
        circle: (Vec3, f64),
        filter: &F,
        options: WallOptions,
        walls: &mut [WallSegment],
    ) -> WallsFound {
        let mut count = 0usize;
        let met_not_loaded = self.each_wall(mesh, circle, filter, options, |wall, flags| {
            insert_nearest(walls, count, wall.segment(flags));
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
    /// expansion, edges in order, pieces along the edge; with their flags. Returns whether any has no tile loaded behind it.
    pub(super) fn each_wall<F: PolygonFilter>(
        &self,
        mesh: &NavMesh<'_>,
        (center, radius): (Vec3, f64),
        filter: &F,
        options: WallOptions,
        mut visit: impl FnMut(Wall, u32),
    ) -> bool {
        let nodes = area_nodes(self.search.nodes);
        let found = expanded(nodes, &self.area);
        let start = found.clone().next().map_or(PolyRef::NONE, |node| node.polygon);
        let near = Near::of(mesh, start, (center, radius), options);
        let mut met_not_loaded = false;
        let mut grounds = Grounds::default();
        for node in found {
            let Some(ground) = grounds.of(mesh, node.polygon.slot()) else { continue };
            let Some(polygon) = ground.polygons.get(node.polygon.index() as usize) else { continue };
            each_piece(mesh, ground, polygon, filter, |piece| {
                let Some(wall) = near.wall(node.polygon, piece) else { return };
                let is_not_loaded = piece.is_not_loaded(ground);
                met_not_loaded |= is_not_loaded;
                if !is_not_loaded || options.with_not_loaded {
                    visit(wall, if is_not_loaded { WALL_NOT_LOADED } else { 0 });
                }
            });
        }
        met_not_loaded
    }
}

/// Where walls count: near a center, on its floor or any.
pub(super) struct Near {
    center: Vec3,
    pub radius_squared: f64,
    /// The heights between which a wall's nearest point must lie.
    heights: Option<(f64, f64)>,
}

impl Near {
    /// Round a circle's center whose search starts from a polygon.
    pub fn of(mesh: &NavMesh<'_>, start: PolyRef, (center, radius): (Vec3, f64), options: WallOptions) -> Near {
        let heights = options.floor.and_then(|band| heights_of(mesh, start, center, band));
        Near { center, radius_squared: radius * radius, heights }
    }

    /// A piece of a polygon as a wall, if it counts.
    #[inline]
    pub fn wall(&self, polygon: PolyRef, piece: Piece) -> Option<Wall> {
        let at = piece.nearest_to(self.center);
        let point = between(piece.a, piece.b, at);
        let distance_squared = squared_in_plane(point, self.center);
        let counts = distance_squared <= self.radius_squared
            && self.heights.is_none_or(|(low, high)| point[1] >= low && point[1] <= high);
        counts.then_some(Wall { polygon, piece, at, point, distance_squared })
    }
}

/// A wall near a center.
#[derive(Clone, Copy)]
pub(super) struct Wall {
    pub polygon: PolyRef,
    pub piece: Piece,
    /// Where along its edge the point nearest to the center lies.
    at: f64,
    pub point: Vec3,
    pub distance_squared: f64,
}

impl Wall {
    /// Nearer, or as near and of lower polygon reference, edge and fraction along the edge.
    #[inline]
    pub fn comes_before(&self, other: &Wall) -> bool {
        self.distance_squared < other.distance_squared
            || self.distance_squared == other.distance_squared && self.ranks_before(other)
    }

    fn ranks_before(&self, other: &Wall) -> bool {
        let rank = (self.polygon, self.piece.number).cmp(&(other.polygon, other.piece.number));
        rank.is_lt() || rank.is_eq() && self.at < other.at
    }

    pub fn segment(&self, flags: u32) -> WallSegment {
        let Wall { polygon, piece, distance_squared, .. } = *self;
        let [start, end] = piece.part.map(|at| between(piece.a, piece.b, at));
        WallSegment { start, end, distance_squared, polygon, edge: piece.number, flags }
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
pub(super) fn inward(a: Vec3, b: Vec3) -> Vec3 {
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
