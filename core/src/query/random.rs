//! Random points, uniform over the ground: anywhere on the mesh, or within a circle (`navmesh-queries.md`, "Random
//! points").
//!
//! The generator is the caller's, and every attempt draws four doubles from it: which polygon, which triangle of its
//! fan, and where on that (R. Osada, T. Funkhouser, B. Chazelle, D. Dobkin, *Shape Distributions*, 2002, section 4.1).

use super::Query;
use super::area_search::{area_nodes, area_nodes_mut, nth_expanded};
use super::areas::Circle;
use super::filter::PolygonFilter;
use super::plane::Vec3;
use super::shape::Point;
use super::surface::height_at;
use crate::error::Result;
use crate::math::{SplitMix64, sqrt};
use crate::mesh::view::{Polygon, TileView};
use crate::mesh::{NavMesh, PolyRef};

/// How many points are drawn for one within a circle before the draw is given up.
pub const RANDOM_ATTEMPTS: u32 = 64;

/// A random point on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomPoint {
    /// The polygon it lies on.
    pub polygon: PolyRef,
    /// The point, on the polygon's surface.
    pub point: [f64; 3],
}

/// Draws a point uniformly over the ground area of every polygon that a filter accepts; none, and nothing drawn, where
/// there is no area. Draws four doubles. Reads every polygon twice.
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
/// use navarena::math::SplitMix64;
/// use navarena::query::{Filter, random_point};
/// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
/// # let mut region = vec![Grain::ZERO; def.plan().grains()];
/// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
/// let mut random = SplitMix64::new(7);
/// assert_eq!(random_point(&mesh, &mut random, &Filter::ALL), None); // an empty mesh
/// assert_eq!(random.state(), 7);
/// # let room = TileData {
/// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
/// #     vertices: &[[0.0, 0.5, 0.0], [8.0, 0.5, 0.0], [8.0, 0.5, 8.0], [0.0, 0.5, 8.0]],
/// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
/// #     indices: &[0, 1, 2, 3], neighbors: &[0; 4], portal_sides: &[255; 4],
/// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
/// # };
/// # mesh.stage_tile_data(&room)?;
/// # mesh.commit()?;
/// let drawn = random_point(&mesh, &mut random, &Filter::ALL).unwrap();
/// assert_eq!(drawn.point[1], 0.5); // the floor's height
/// # Ok::<(), navarena::error::Error>(())
/// ```
pub fn random_point<F: PolygonFilter>(mesh: &NavMesh<'_>, random: &mut SplitMix64, filter: &F) -> Option<RandomPoint> {
    let total = sum_areas(mesh, filter, |_, _| false);
    if total <= 0.0 {
        return None;
    }
    let draw = Draw::from(random);
    let mut chosen = PolyRef::NONE;
    sum_areas(mesh, filter, |reference, running| {
        chosen = reference;
        running > draw.polygon * total
    });
    let tile = mesh.tile(chosen.slot() as usize)?;
    let polygon = tile.polygons.get(chosen.index() as usize)?;
    let [x, z] = draw.point_in(Ring::of(polygon, &tile, |vertex| tile_local(&tile, vertex)).points());
    let position = [tile.origin[0] + x, 0.0, tile.origin[2] + z];
    Some(RandomPoint { polygon: chosen, point: on_surface(&tile, polygon, position) })
}

/// Sums the areas of the polygons that a filter accepts and that have one, in slot and polygon order, until `stop` says
/// so at one of them. Twice the areas, really: a factor of two changes no draw.
fn sum_areas<F: PolygonFilter>(mesh: &NavMesh<'_>, filter: &F, mut stop: impl FnMut(PolyRef, f64) -> bool) -> f64 {
    let mut running = 0.0;
    for tile in mesh.tiles() {
        for (index, polygon) in tile.polygons.iter().enumerate() {
            if !filter.accepts(polygon.flags, polygon.area) {
                continue;
            }
            let area = fan_area(Ring::of(polygon, &tile, |vertex| tile_local(&tile, vertex)).points());
            if area > 0.0 {
                running += area;
                if stop(tile.reference.polygon(index as u32), running) {
                    return running;
                }
            }
        }
    }
    running
}

impl Query<'_> {
    /// Draws a point uniformly over the part of the polygons that [`find_circle`](Query::find_circle) finds that lies
    /// within the circle; polygons above one another each count.
    ///
    /// Each of up to [`RANDOM_ATTEMPTS`] attempts draws four doubles. None when all miss, which happens when the circle
    /// hardly holds ground; when the radius is 0, nothing found reaches into the circle, or the start polygon is not
    /// valid, none is returned and nothing drawn. [`area`](Query::area) then lends the polygons and tells how the search
    /// went. Takes time for each polygon found, and memory for none: a polygon's share stands in its node.
    ///
    /// # Errors
    /// A center or radius that [`find_circle`](Query::find_circle) refuses.
    pub fn find_random_around<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        random: &mut SplitMix64,
        circle: Circle,
        filter: &F,
    ) -> Result<Option<RandomPoint>> {
        self.begin_circle(mesh, circle, filter)?;
        self.finish_whole_area(mesh, filter);
        Ok(self.draw_within(mesh, random, circle.center, circle.radius))
    }

    /// Ends a circle search, or a neighbourhood's, with a random point on the polygons expanded so far, as
    /// [`find_random_around`](Query::find_random_around).
    ///
    /// # Errors
    /// [`State`](crate::error::ErrorKind::State) when no such search is open, or when the mesh has changed since it
    /// began.
    pub fn finish_random_around(&mut self, mesh: &NavMesh<'_>, random: &mut SplitMix64) -> Result<Option<RandomPoint>> {
        let (center, radius) = self.close_circle(mesh)?;
        Ok(self.draw_within(mesh, random, center, radius))
    }

    fn draw_within(
        &mut self,
        mesh: &NavMesh<'_>,
        random: &mut SplitMix64,
        center: Vec3,
        radius: f64,
    ) -> Option<RandomPoint> {
        if radius == 0.0 {
            return None;
        }
        let square = Square::round(center, radius);
        let total = self.note_running_totals(mesh, &square);
        if total <= 0.0 {
            return None;
        }
        for _ in 0..RANDOM_ATTEMPTS {
            let draw = Draw::from(random);
            let reference = self.polygon_at(draw.polygon * total, total)?;
            let tile = mesh.tile(reference.slot() as usize)?;
            let polygon = tile.polygons.get(reference.index() as usize)?;
            let [x, z] = draw.point_in(square.clipped(&tile, polygon).points());
            let (dx, dz) = (x - center[0], z - center[2]);
            if dx * dx + dz * dz <= radius * radius {
                return Some(RandomPoint { polygon: reference, point: on_surface(&tile, polygon, [x, 0.0, z]) });
            }
        }
        None
    }

    /// Writes into node `i` the sum of the clipped areas of the polygons expanded up to the `i`-th, and gives the whole
    /// sum.
    fn note_running_totals(&mut self, mesh: &NavMesh<'_>, square: &Square) -> f64 {
        let mut running = 0.0;
        let mut tile: Option<TileView<'_>> = None;
        for at in 0..self.area.expanded as usize {
            let Some(node) = nth_expanded(area_nodes(self.search.nodes), &self.area, at) else { break };
            let reference = node.polygon;
            if tile.as_ref().is_none_or(|tile| tile.reference != reference.tile()) {
                tile = mesh.tile(reference.slot() as usize);
            }
            if let Some(tile) = &tile
                && let Some(polygon) = tile.polygons.get(reference.index() as usize)
            {
                running += fan_area(square.clipped(tile, polygon).points());
            }
            area_nodes_mut(self.search.nodes)[at].set_running_total(running);
        }
        running
    }

    /// The first polygon whose running total exceeds a share of the whole; the last one with any area when rounding
    /// leaves none.
    fn polygon_at(&self, share: f64, total: f64) -> Option<PolyRef> {
        let nodes = area_nodes(self.search.nodes);
        let totals = nodes.get(..self.area.expanded as usize)?;
        // Totals never fall, so the first is found by halving; the last that adds anything is the first with the whole.
        let first = totals.partition_point(|node| node.running_total() <= share);
        let last = totals.partition_point(|node| node.running_total() < total);
        nth_expanded(nodes, &self.area, first.min(last)).map(|node| node.polygon)
    }
}

/// The four doubles of an attempt.
struct Draw {
    polygon: f64,
    triangle: f64,
    place: [f64; 2],
}

impl Draw {
    fn from(random: &mut SplitMix64) -> Draw {
        let polygon = random.next_f64();
        let triangle = random.next_f64();
        Draw { polygon, triangle, place: [random.next_f64(), random.next_f64()] }
    }

    /// The point of a convex ring that the draw stands for.
    fn point_in(&self, ring: &[Point]) -> Point {
        let share = self.triangle * fan_area(ring);
        let mut running = 0.0;
        let mut chosen = [ring.first().copied().unwrap_or_default(); 3];
        for triangle in fan(ring) {
            let area = triangle_area(triangle);
            if area > 0.0 {
                running += area;
                chosen = triangle;
                if running > share {
                    break;
                }
            }
        }
        let [a, b, c] = chosen;
        let (r1, r2) = (sqrt(self.place[0]), self.place[1]);
        core::array::from_fn(|axis| (1.0 - r1) * a[axis] + r1 * (1.0 - r2) * b[axis] + r1 * r2 * c[axis])
    }
}

/// The triangles from a ring's first corner.
fn fan(ring: &[Point]) -> impl Iterator<Item = [Point; 3]> + '_ {
    let (first, rest) = ring.split_first().unwrap_or((&[0.0; 2], &[]));
    rest.windows(2).map(move |pair| [*first, pair[0], pair[1]])
}

/// Twice the area of a counter-clockwise triangle; 0 where rounding turns a sliver round.
fn triangle_area([a, b, c]: [Point; 3]) -> f64 {
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area > 0.0 { area } else { 0.0 }
}

/// Twice the area of a ring, summed over its fan.
fn fan_area(ring: &[Point]) -> f64 {
    fan(ring).map(triangle_area).sum()
}

/// The most corners of a polygon cut by a square: 16, and at each of four cuts one more, or a few where rounding has
/// made the outline uneven.
const MAX_CORNERS: usize = 32;

/// A convex polygon's corners seen from above.
struct Ring {
    corners: [Point; MAX_CORNERS],
    len: usize,
}

impl Ring {
    const EMPTY: Ring = Ring { corners: [[0.0; 2]; MAX_CORNERS], len: 0 };

    fn of(polygon: &Polygon, tile: &TileView<'_>, place: impl Fn(u16) -> Point) -> Ring {
        let mut ring = Ring::EMPTY;
        tile.edges_of(polygon).iter().for_each(|edge| ring.push(place(edge.vertex)));
        ring
    }

    fn points(&self) -> &[Point] {
        &self.corners[..self.len]
    }

    fn push(&mut self, point: Point) {
        if let Some(place) = self.corners.get_mut(self.len) {
            *place = point;
            self.len += 1;
        }
    }

    /// The part on one side of a line across an axis, the line included (I. E. Sutherland and G. W. Hodgman, *Reentrant
    /// Polygon Clipping*, 1974): the corners in their order, each cut edge's new corner where the edge stood.
    fn cut(&self, axis: usize, line: f64, keeps: impl Fn(f64) -> bool) -> Ring {
        let mut part = Ring::EMPTY;
        let points = self.points();
        for (at, &a) in points.iter().enumerate() {
            let b = points.get(at + 1).copied().unwrap_or(points[0]);
            let (a_stays, b_stays) = (keeps(a[axis]), keeps(b[axis]));
            if a_stays {
                part.push(a);
            }
            if a_stays != b_stays {
                let t = (line - a[axis]) / (b[axis] - a[axis]);
                let mut corner = [line; 2];
                corner[1 - axis] = a[1 - axis] + (b[1 - axis] - a[1 - axis]) * t;
                part.push(corner);
            }
        }
        part
    }
}

/// The square round a circle: low x, low z, high x, high z.
struct Square {
    low: Point,
    high: Point,
}

impl Square {
    fn round(center: Vec3, radius: f64) -> Square {
        Square { low: [center[0] - radius, center[2] - radius], high: [center[0] + radius, center[2] + radius] }
    }

    /// The part of a polygon within the square, in world coordinates: cut at low x, high x, low z, high z.
    fn clipped(&self, tile: &TileView<'_>, polygon: &Polygon) -> Ring {
        let mut ring = Ring::of(polygon, tile, |vertex| {
            let [x, _, z] = tile.world(vertex);
            [x, z]
        });
        for axis in 0..2 {
            let (low, high) = (self.low[axis], self.high[axis]);
            ring = ring.cut(axis, low, |v| v >= low);
            ring = ring.cut(axis, high, |v| v <= high);
        }
        ring
    }
}

fn tile_local(tile: &TileView<'_>, vertex: u16) -> Point {
    let [x, _, z] = tile.vertices.get(vertex as usize).copied().unwrap_or_default();
    [x.into(), z.into()]
}

fn on_surface(tile: &TileView<'_>, polygon: &Polygon, position: Vec3) -> Vec3 {
    [position[0], height_at(tile, polygon, position), position[2]]
}
