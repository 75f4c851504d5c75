//! Random points, uniform over the ground: anywhere on the mesh, or within a circle (`navmesh-queries.md`, "Random
//! points").
//!
//! The generator is the caller's, and every attempt draws four doubles from it: which polygon, which triangle of its
//! fan, and where on that (R. Osada, T. Funkhouser, B. Chazelle, D. Dobkin, *Shape Distributions*, 2002, section 4.1).

use super::Query;
use super::area_search::{area_nodes, area_nodes_mut, nth_expanded};
use super::areas::Circle;
use super::filter::PolygonFilter;
use super::plane::{Vec3, twice_area};
use super::shape::Point;
use super::surface::height_at;
use crate::error::Result;
use crate::math::{SplitMix64, sqrt, vector};
use crate::mesh::ground::{Ground, Grounds};
use crate::mesh::view::{Edge, Polygon, TileView};
use crate::mesh::{NavMesh, PolyRef};

/// How many points are drawn for one within a circle before the draw is given up.
pub const RANDOM_ATTEMPTS: u32 = 64;

/// A random point on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RandomPoint {
    /// The polygon it lies on.
    pub polygon: PolyRef,
    /// The point, on the polygon's surface.
    pub point: [f64; 3],
}

/// Draws a point uniformly over the ground area of every polygon that a filter accepts; none, and nothing drawn, where
/// there is no area. Draws four doubles. Takes logarithmic time for a filter that accepts all polygons; else it asks for
/// every polygon twice.
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
    let mut ahead = *random;
    let draw = Draw::from(&mut ahead);
    let known = if filter.accepts_all() { mesh.polygon_at_fraction(draw.polygon) } else { None };
    let (slot, index) = known.or_else(|| polygon_by_sums(mesh, filter, draw.polygon))?;
    *random = ahead;
    let tile = mesh.tile(slot as usize)?;
    let polygon = tile.polygons.get(index as usize)?;
    let ring = Ring::of(tile.edges_of(polygon), |vertex| {
        let [x, _, z] = tile.vertices.get(vertex as usize).copied().unwrap_or_default();
        [x.into(), z.into()]
    });
    let [x, z] = draw.point_in(ring.points());
    let position = [tile.origin[0] + x, 0.0, tile.origin[2] + z];
    Some(RandomPoint { polygon: tile.reference.polygon(index), point: on_surface(&tile, polygon, position) })
}

/// The slot and index of the polygon of a draw: the first at which the sum of the accepted polygons' areas exceeds a
/// fraction of the whole, the last of them when rounding leaves none. None where there is no area.
fn polygon_by_sums<F: PolygonFilter>(mesh: &NavMesh<'_>, filter: &F, fraction: f64) -> Option<(u32, u32)> {
    let mut landmarks = Landmarks::NONE;
    let whole = sum_areas(mesh, filter, None, |place| {
        landmarks.pass(place);
        false
    });
    if whole <= 0.0 {
        return None;
    }
    let share = fraction * whole;
    let landmark = landmarks.last_before(share);
    let mut chosen = landmark.unwrap_or_default();
    sum_areas(mesh, filter, landmark, |place| {
        chosen = place;
        place.running > share
    });
    Some((chosen.slot, chosen.index))
}

/// A polygon of the sum over the mesh, and the sum up to it, itself included.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    slot: u32,
    index: u32,
    running: f64,
}

/// Sums the areas of the polygons that a filter accepts and that have one, in slot and polygon order, from the first one
/// or behind a place on, until `stop` says so at one of them. Twice the areas, really: a factor of two changes no draw.
fn sum_areas<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    filter: &F,
    after: Option<Place>,
    mut stop: impl FnMut(Place) -> bool,
) -> f64 {
    let from = after.unwrap_or_default();
    let mut running = from.running;
    let mut skipped = if after.is_some() { from.index as usize + 1 } else { 0 };
    for slot in from.slot..mesh.slot_count() as u32 {
        let first = core::mem::take(&mut skipped);
        let Some(tile) = mesh.tile(slot as usize) else { continue };
        for (index, (polygon, place)) in tile.polygons.iter().zip(tile.boxes).enumerate().skip(first) {
            let area = place.twice_area;
            if area > 0.0 && filter.accepts(polygon.flags, polygon.area) {
                running += area;
                if stop(Place { slot, index: index as u32, running }) {
                    return running;
                }
            }
        }
    }
    running
}

/// How many places of a sum are remembered.
const LANDMARKS: usize = 32;

/// Places passed while summing, evenly spread, so that the polygon of a draw is found without summing all again.
struct Landmarks {
    places: [Place; LANDMARKS],
    len: usize,
    /// Every how-manieth place is remembered, and how many were passed since the last.
    stride: u32,
    passed: u32,
}

impl Landmarks {
    const NONE: Landmarks =
        Landmarks { places: [Place { slot: 0, index: 0, running: 0.0 }; LANDMARKS], len: 0, stride: 1, passed: 0 };

    fn pass(&mut self, place: Place) {
        self.passed += 1;
        if self.passed < self.stride {
            return;
        }
        self.passed = 0;
        if self.len == LANDMARKS {
            // Every second one stays, from then on at twice the distance.
            for at in 0..LANDMARKS / 2 {
                self.places[at] = self.places[2 * at + 1];
            }
            self.len = LANDMARKS / 2;
            self.stride = self.stride.saturating_mul(2);
            self.passed = self.stride / 2;
            return;
        }
        self.places[self.len] = place;
        self.len += 1;
    }

    /// The last landmark whose sum does not exceed a share: the first place whose sum does lies behind it.
    fn last_before(&self, share: f64) -> Option<Place> {
        let places = &self.places[..self.len];
        let after = places.partition_point(|place| place.running <= share);
        after.checked_sub(1).map(|at| places[at])
    }
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
        let mut cutter = Cutter { square: Square::round(center, radius), rings: [Ring::EMPTY; 2] };
        let total = self.note_running_totals(mesh, &mut cutter);
        if total <= 0.0 {
            return None;
        }
        for _ in 0..RANDOM_ATTEMPTS {
            let draw = Draw::from(random);
            let reference = self.polygon_at(draw.polygon * total, total)?;
            let ground = mesh.ground(reference.slot())?;
            let polygon = ground.polygons.get(reference.index() as usize)?;
            let [x, z] = draw.point_in(cutter.clipped(&ground, polygon));
            let (dx, dz) = (x - center[0], z - center[2]);
            if dx * dx + dz * dz <= radius * radius {
                let tile = mesh.tile(reference.slot() as usize)?;
                return Some(RandomPoint { polygon: reference, point: on_surface(&tile, polygon, [x, 0.0, z]) });
            }
        }
        None
    }

    /// Writes into node `i` the sum of the clipped areas of the polygons expanded up to the `i`-th, and gives the whole
    /// sum.
    fn note_running_totals(&mut self, mesh: &NavMesh<'_>, cutter: &mut Cutter) -> f64 {
        let mut running = 0.0;
        let mut grounds = Grounds::default();
        for at in 0..self.area.expanded as usize {
            let Some(node) = nth_expanded(area_nodes(self.search.nodes), &self.area, at) else { break };
            let reference = node.polygon;
            if let Some(ground) = grounds.of(mesh, reference.slot())
                && let Some(polygon) = ground.polygons.get(reference.index() as usize)
            {
                running += fan_area(cutter.clipped(ground, polygon));
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
            let area = twice_area(triangle);
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
        vector(|axis| (1.0 - r1) * a[axis] + r1 * (1.0 - r2) * b[axis] + r1 * r2 * c[axis])
    }
}

/// The triangles from a ring's first corner.
fn fan(ring: &[Point]) -> impl Iterator<Item = [Point; 3]> + '_ {
    let (first, rest) = ring.split_first().unwrap_or((&[0.0; 2], &[]));
    rest.windows(2).map(move |pair| [*first, pair[0], pair[1]])
}

/// Twice the area of a ring, summed over its fan.
fn fan_area(ring: &[Point]) -> f64 {
    fan(ring).map(twice_area).sum()
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

    fn of(edges: &[Edge], place: impl Fn(u16) -> Point) -> Ring {
        let mut ring = Ring::EMPTY;
        edges.iter().for_each(|edge| ring.push(place(edge.vertex)));
        ring
    }

    fn points(&self) -> &[Point] {
        &self.corners[..self.len]
    }

    #[inline]
    fn push(&mut self, point: Point) {
        if let Some(place) = self.corners.get_mut(self.len) {
            *place = point;
            self.len += 1;
        }
    }

    /// Takes over what of a ring lies on one side of a line across an axis; the line itself stays (I. E. Sutherland and
    /// G. W. Hodgman, *Reentrant Polygon Clipping*, 1974): the corners in their order, each cut edge's new corner where the
    /// edge stood.
    fn take_cut(&mut self, ring: &[Point], axis: usize, line: f64, keeps: impl Fn(f64) -> bool) {
        self.len = 0;
        let Some(&first) = ring.first() else { return };
        let mut a_stays = keeps(first[axis]);
        for (at, &a) in ring.iter().enumerate() {
            let b = ring.get(at + 1).copied().unwrap_or(first);
            let b_stays = keeps(b[axis]);
            if a_stays {
                self.push(a);
            }
            if a_stays != b_stays {
                let t = (line - a[axis]) / (b[axis] - a[axis]);
                let mut corner = [line; 2];
                corner[1 - axis] = a[1 - axis] + (b[1 - axis] - a[1 - axis]) * t;
                self.push(corner);
            }
            a_stays = b_stays;
        }
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
}

/// Cuts polygons by a square, in room for a ring and what the next cut leaves of it.
struct Cutter {
    square: Square,
    rings: [Ring; 2],
}

impl Cutter {
    /// The part of a polygon within the square, in world coordinates: cut at low x, high x, low z, high z.
    fn clipped(&mut self, ground: &Ground<'_>, polygon: &Polygon) -> &[Point] {
        let Cutter { square, rings: [ring, other] } = self;
        let (mut ring, mut other) = (ring, other);
        ring.len = 0;
        for edge in ground.edges_of(polygon) {
            ring.push(ground.seen_from_above(edge.vertex));
        }
        for axis in 0..2 {
            let (low, high) = (square.low[axis], square.high[axis]);
            if ring.points().iter().any(|point| point[axis] < low) {
                other.take_cut(ring.points(), axis, low, |v| v >= low);
                core::mem::swap(&mut ring, &mut other);
            }
            if ring.points().iter().any(|point| point[axis] > high) {
                other.take_cut(ring.points(), axis, high, |v| v <= high);
                core::mem::swap(&mut ring, &mut other);
            }
        }
        ring.points()
    }
}

fn on_surface(tile: &TileView<'_>, polygon: &Polygon, position: Vec3) -> Vec3 {
    [position[0], height_at(tile, polygon, position), position[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn landmarks_are_evenly_spread_and_the_right_one_is_found() {
        for count in [0u32, 1, 31, 32, 33, 64, 65, 1000, 5000] {
            let mut landmarks = Landmarks::NONE;
            for index in 0..count {
                landmarks.pass(Place { slot: 7, index, running: f64::from(index + 1) });
            }
            let places = &landmarks.places[..landmarks.len];
            let stride = landmarks.stride;
            assert!(places.iter().enumerate().all(|(at, place)| place.index + 1 == (at as u32 + 1) * stride));
            assert_eq!(landmarks.len as u32, count / stride);
            assert!(stride == 1 || count / stride >= LANDMARKS as u32 / 2);
            for share in [0.0, 0.5, 1.0, 31.5, 64.0, 999.0, 4999.9, 9999.0] {
                let first = (share as u32).min(count);
                let found = landmarks.last_before(share).map_or(0, |place| place.index + 1);
                assert!(found <= first && first - found < stride.max(1), "{count} {share}");
            }
        }
    }
}
