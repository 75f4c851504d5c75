//! A polygon's surface: the point of it closest to a position, and its height (`navmesh-queries.md`, "Nearest
//! polygon").

use core::hint::select_unpredictable;

use crate::geometry::plane::{Vec3, between, cross, turn};
use crate::math::{max, min, sub, vector};
use crate::mesh::NavMesh;
use crate::mesh::ground::Ground;
use crate::mesh::view::{Edge, Polygon, TileView};

/// How far outside a triangle, in barycentric coordinates, a point still counts as in it.
const TRIANGLE_TOLERANCE: f64 = 1e-9;

/// A point of a polygon's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Closest {
    pub point: Vec3,
    /// Whether the position lies inside the outline seen from above, its boundary included.
    pub over: bool,
}

/// A polygon's outline: its edges, and what gives its tile's vertices in world coordinates.
///
/// The corners are not kept. Converting them again is a handful of instructions, and kept ones would be read back while
/// they are still being written.
struct Outline<'a, W> {
    edges: &'a [Edge],
    world: W,
}

impl<W: Fn(u16) -> Vec3> Outline<'_, W> {
    #[inline]
    fn corner(&self, at: usize) -> Vec3 {
        self.edges.get(at).or(self.edges.first()).map_or([0.0; 3], |edge| (self.world)(edge.vertex))
    }

    /// Calls `visit` with each edge's ends, in edge order.
    #[inline(always)]
    fn each_edge(&self, mut visit: impl FnMut(Vec3, Vec3)) {
        let Some((first, others)) = self.edges.split_first() else { return };
        let first = (self.world)(first.vertex);
        let mut from = first;
        for edge in others {
            let to = (self.world)(edge.vertex);
            visit(from, to);
            from = to;
        }
        visit(from, first);
    }

    /// Whether a position lies inside, seen from above, the boundary included. Looks at all edges without branches:
    /// which of them it is outside of is anyone's guess.
    #[inline]
    fn is_under(&self, position: Vec3) -> bool {
        let mut is_under = true;
        self.each_edge(|a, b| is_under &= turn(a, b, position) >= 0.0);
        is_under
    }

    /// The point of it nearest a position in the plane, on the lowest edge on equal distance.
    #[inline]
    fn nearest_point(&self, position: Vec3) -> Vec3 {
        let (mut least, mut nearest, mut at) = (f64::INFINITY, 0, 0);
        self.each_edge(|a, b| {
            let squared = squared_distance(a, b, position);
            // Strictly less: the lowest edge index wins a tie.
            let is_nearer = squared < least;
            least = select_unpredictable(is_nearer, squared, least);
            nearest = select_unpredictable(is_nearer, at, nearest);
            at += 1;
        });
        let (a, b) = (self.corner(nearest), self.corner(nearest + 1));
        between(a, b, fraction_along(a, b, position))
    }

    /// The polygon's own triangles.
    #[inline]
    fn fan(&self) -> impl Iterator<Item = [Vec3; 3]> {
        (2..self.edges.len()).map(|at| [self.corner(0), self.corner(at - 1), self.corner(at)])
    }
}

/// The outline of a polygon of a tile.
#[inline]
fn outline<'a>(tile: &'a TileView<'_>, polygon: &Polygon) -> Outline<'a, impl Fn(u16) -> Vec3> {
    Outline { edges: tile.edges_of(polygon), world: |vertex| tile.world(vertex) }
}

/// The point of a polygon closest to a position: straight above or below it when it is inside the outline, else the
/// nearest point of the outline in the plane, the lowest edge on equal distance.
pub(crate) fn closest_point(tile: &TileView<'_>, polygon: &Polygon, position: Vec3) -> Closest {
    let outline = outline(tile, polygon);
    if outline.is_under(position) {
        let y = height(&Detail::of(tile), polygon, &outline, position);
        return Closest { point: [position[0], y, position[2]], over: true };
    }
    Closest { point: outline.nearest_point(position), over: false }
}

/// The same for a polygon of a tile whose ground is at hand.
pub(crate) fn closest_on(mesh: &NavMesh<'_>, ground: &Ground<'_>, polygon: &Polygon, position: Vec3) -> Closest {
    let outline = Outline { edges: ground.edges_of(polygon), world: |vertex| ground.world(vertex) };
    if outline.is_under(position) {
        let y = height(&mesh.detail_of(ground), polygon, &outline, position);
        return Closest { point: [position[0], y, position[2]], over: true };
    }
    Closest { point: outline.nearest_point(position), over: false }
}

/// The point alone of [`closest_on`].
pub(crate) fn closest_point_on(mesh: &NavMesh<'_>, ground: &Ground<'_>, polygon: &Polygon, position: Vec3) -> Vec3 {
    closest_on(mesh, ground, polygon, position).point
}

/// The height of a polygon's surface straight above or below a position; none outside its outline.
pub(crate) fn height_in(tile: &TileView<'_>, polygon: &Polygon, position: Vec3) -> Option<f64> {
    let outline = outline(tile, polygon);
    if outline.is_under(position) { Some(height(&Detail::of(tile), polygon, &outline, position)) } else { None }
}

/// The height of a polygon's surface straight above or below a position that is in its outline, or as good as.
pub(crate) fn height_at(tile: &TileView<'_>, polygon: &Polygon, position: Vec3) -> f64 {
    height(&Detail::of(tile), polygon, &outline(tile, polygon), position)
}

/// Where along a segment the point nearest a position lies, in the plane: 0 to 1.
#[inline]
pub(crate) fn fraction_along(a: Vec3, b: Vec3, position: Vec3) -> f64 {
    let [ex, _, ez] = sub(b, a);
    let [px, _, pz] = sub(position, a);
    let squared = ex * ex + ez * ez;
    let dot = px * ex + pz * ez;
    if dot <= 0.0 || squared == 0.0 {
        0.0
    } else if dot >= squared {
        1.0
    } else {
        dot / squared
    }
}

/// The squared distance in the plane from a position to a segment: that to the point [`between`] its ends at
/// [`fraction_along`].
///
/// Without branches: to which part of a segment a position is nearest is anyone's guess.
#[inline]
pub(crate) fn squared_distance(a: Vec3, b: Vec3, position: Vec3) -> f64 {
    let (ex, ez) = (b[0] - a[0], b[2] - a[2]);
    let (px, pz) = (position[0] - a[0], position[2] - a[2]);
    let squared = ex * ex + ez * ez;
    let dot = px * ex + pz * ez;
    let s = select_unpredictable(dot >= squared, 1.0, dot / squared);
    let s = select_unpredictable((dot <= 0.0) | (squared == 0.0), 0.0, s);
    let at = |a: f64, b: f64, e: f64| select_unpredictable(s == 1.0, b, a + e * s);
    let (x, z) = (position[0] - at(a[0], b[0], ex), position[2] - at(a[2], b[2], ez));
    x * x + z * z
}

/// The height of the surface straight above or below a position: the first detail triangle that contains it, or the
/// first of the fan where there is no detail; where none does, the plane of the triangle violated least.
#[inline]
fn height<W: Fn(u16) -> Vec3>(detail: &Detail<'_>, polygon: &Polygon, outline: &Outline<'_, W>, position: Vec3) -> f64 {
    let found = match polygon.detail_triangle_count {
        0 => None,
        _ if !polygon.has_slivers()
            && let Some(found) = height_near(detail, polygon, outline, position) =>
        {
            Some(found)
        }
        _ if outline.edges.len() + polygon.detail_vertex_count as usize <= FEW_VERTICES => {
            height_on_detail::<FEW_VERTICES, W>(detail, polygon, outline, position)
        }
        _ => height_on_detail::<KEPT_VERTICES, W>(detail, polygon, outline, position),
    };
    // No detail, or none but triangles that stand on edge: then the fan.
    found.or_else(|| height_among(|| outline.fan(), position)).unwrap_or(position[1])
}

/// How many vertices a polygon and its detail can have that a triangle of the detail can name.
const NAMED_VERTICES: usize = 256;
/// A triangle whose area, twice, is below this times the square of its box's larger side is ill-shaped.
const ILL_SHAPED: f64 = 1e-6;
/// Triangles less wide than this can lose their shape to the rounding of world coordinates.
const LEAST_SIDE: f64 = 2e-3;

/// The height on the first detail triangle that contains a position, of a detail without slivers.
///
/// Of each vertex is noted beyond which sides of a small square round the position it lies. A triangle with all three
/// beyond one side is passed over: it lies farther away than rounding could tell, by the rule of the page's own grid, a
/// millionth of a side and a nanometre. No triangle of a detail without slivers is more than twice as wide as the outline.
#[inline(never)]
fn height_near<W: Fn(u16) -> Vec3>(
    detail: &Detail<'_>,
    polygon: &Polygon,
    outline: &Outline<'_, W>,
    position: Vec3,
) -> Option<f64> {
    let (extra, triangles) = detail.of_polygon(polygon);
    let flat = |[x, _, z]: Vec3| [x, z];
    let corners = outline.edges.iter().map(|edge| flat((outline.world)(edge.vertex)));
    let extras = extra.iter().map(|&vertex| flat(detail.world(vertex)));
    let reach = 2.0 * ILL_SHAPED * Extent::of(corners.clone()).side() + 1e-9;
    let square = Extent::round(flat(position), reach);
    let mut sides = [0u8; NAMED_VERTICES];
    for (sides, vertex) in sides.iter_mut().zip(corners.chain(extras)) {
        *sides = square.sides_of(vertex);
    }
    for &[a, b, c, _] in triangles {
        if sides[a as usize] & sides[b as usize] & sides[c as usize] == 0 {
            let triangle = [a, b, c].map(|index| match outline.edges.get(index as usize) {
                Some(edge) => (outline.world)(edge.vertex),
                None => {
                    let at = index as usize - outline.edges.len();
                    detail.world(extra.get(at).copied().unwrap_or_default())
                }
            });
            if let Some(at) = Weights::of(&triangle, position)
                && at.violation() <= TRIANGLE_TOLERANCE
            {
                return Some(at.height(&triangle));
            }
        }
    }
    None
}

/// A box seen from above.
#[derive(Clone, Copy)]
struct Extent {
    low: [f64; 2],
    high: [f64; 2],
}

impl Extent {
    fn of(points: impl Iterator<Item = [f64; 2]>) -> Extent {
        let mut extent = Extent { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };
        for point in points {
            for (axis, v) in point.into_iter().enumerate() {
                extent.low[axis] = min(extent.low[axis], v);
                extent.high[axis] = max(extent.high[axis], v);
            }
        }
        extent
    }

    fn round(place: [f64; 2], reach: f64) -> Extent {
        Extent { low: place.map(|v| v - reach), high: place.map(|v| v + reach) }
    }

    /// The larger side.
    fn side(&self) -> f64 {
        max(self.high[0] - self.low[0], self.high[1] - self.low[1])
    }

    /// A bit for each side that a vertex lies beyond.
    #[inline]
    fn sides_of(&self, [x, z]: [f64; 2]) -> u8 {
        let [left, right] = [x < self.low[0], x > self.high[0]];
        let [below, above] = [z < self.low[1], z > self.high[1]];
        u8::from(left) | u8::from(right) << 1 | u8::from(below) << 2 | u8::from(above) << 3
    }
}

/// Whether a polygon's detail has triangles that a position farther away than [`height_near`] looks could be put into by
/// rounding: ill-shaped or tiny ones, or ones that go far beyond the outline.
pub(super) fn has_slivers(tile: &TileView<'_>, polygon: &Polygon) -> bool {
    let (extra, triangles) = Detail::of(tile).of_polygon(polygon);
    let edges = tile.edges_of(polygon);
    let flat = |[x, _, z]: [f32; 3]| [f64::from(x), f64::from(z)];
    let own = |edge: &Edge| flat(tile.vertices.get(edge.vertex as usize).copied().unwrap_or_default());
    let outline = Extent::of(edges.iter().map(own));
    let half = outline.side() / 2.0;
    let wide = Extent { low: outline.low.map(|v| v - half), high: outline.high.map(|v| v + half) };
    triangles.iter().any(|&[a, b, c, _]| {
        let triangle = [a, b, c].map(|index| match edges.get(index as usize) {
            Some(edge) => own(edge),
            None => flat(extra.get(index as usize - edges.len()).copied().unwrap_or_default()),
        });
        let side = Extent::of(triangle.into_iter()).side();
        let [a, b, c] = triangle;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let is_well_shaped = area.abs() >= ILL_SHAPED * side * side;
        let is_inside = triangle.into_iter().all(|vertex| wide.sides_of(vertex) == 0);
        !(is_well_shaped && is_inside && side >= LEAST_SIDE)
    })
}

#[inline(never)]
fn height_on_detail<const KEPT: usize, W: Fn(u16) -> Vec3>(
    detail: &Detail<'_>,
    polygon: &Polygon,
    outline: &Outline<'_, W>,
    position: Vec3,
) -> Option<f64> {
    let mut kept = [[0.0; 3]; KEPT];
    let surface = Surface::of(detail, polygon, outline, &mut kept);
    height_among(|| surface.triangles(), position)
}

/// How many vertices of a polygon and its detail are kept in world coordinates; those of few polygons are more.
const KEPT_VERTICES: usize = 40;
/// Those of most are no more than this, and have less to be cleared first.
const FEW_VERTICES: usize = 12;

/// The height detail of a tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail<'a> {
    pub origin: Vec3,
    pub vertices: &'a [[f32; 3]],
    pub triangles: &'a [[u8; 4]],
}

impl<'a> Detail<'a> {
    #[inline]
    fn of(tile: &TileView<'a>) -> Detail<'a> {
        Detail { origin: tile.origin, vertices: tile.detail_vertices, triangles: tile.detail_triangles }
    }

    /// A polygon's extra vertices and its triangles.
    #[inline]
    fn of_polygon(&self, polygon: &Polygon) -> (&'a [[f32; 3]], &'a [[u8; 4]]) {
        let (vertex, triangle) = (polygon.detail_vertex_base as usize, polygon.detail_triangle_base as usize);
        let (vertices, triangles) = (polygon.detail_vertex_count as usize, polygon.detail_triangle_count as usize);
        let extra = self.vertices.get(vertex..vertex + vertices).unwrap_or(&[]);
        (extra, self.triangles.get(triangle..triangle + triangles).unwrap_or(&[]))
    }

    /// A vertex in world coordinates.
    #[inline]
    fn world(&self, vertex: [f32; 3]) -> Vec3 {
        vector(|axis| self.origin[axis] + f64::from(vertex[axis]))
    }
}

/// What a polygon's detail triangles are made of.
struct Surface<'a> {
    origin: Vec3,
    /// How many of the vertices are the polygon's own.
    corners: usize,
    /// The corners and those of the detail's vertices that are kept.
    kept: &'a [Vec3],
    /// The detail's vertices beyond the polygon's own.
    extra: &'a [[f32; 3]],
    triangles: &'a [[u8; 4]],
}

impl<'a> Surface<'a> {
    /// The vertices are kept in `kept`, as far as there is room.
    #[inline]
    fn of<W: Fn(u16) -> Vec3>(
        detail: &Detail<'a>,
        polygon: &Polygon,
        outline: &Outline<'_, W>,
        kept: &'a mut [Vec3],
    ) -> Surface<'a> {
        let (vertex, triangle) = (polygon.detail_vertex_base as usize, polygon.detail_triangle_base as usize);
        let (vertices, triangles) = (polygon.detail_vertex_count as usize, polygon.detail_triangle_count as usize);
        let extra = detail.vertices.get(vertex..vertex + vertices).unwrap_or(&[]);
        let (origin, corners) = (detail.origin, outline.edges.len());
        let widened = |vertex: &[f32; 3]| vector(|axis| origin[axis] + f64::from(vertex[axis]));
        let (own, others) = kept.split_at_mut(corners.min(kept.len()));
        own.iter_mut().zip(outline.edges).for_each(|(place, edge)| *place = (outline.world)(edge.vertex));
        others.iter_mut().zip(extra).for_each(|(place, vertex)| *place = widened(vertex));
        Surface {
            origin,
            corners,
            kept: kept.get(..corners + extra.len()).unwrap_or(kept),
            extra,
            triangles: detail.triangles.get(triangle..triangle + triangles).unwrap_or(&[]),
        }
    }

    fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.triangles.iter().map(|&[a, b, c, _]| [self.corner(a), self.corner(b), self.corner(c)])
    }

    /// A corner of a detail triangle: the polygon's own, or an extra one.
    #[inline]
    fn corner(&self, index: u8) -> Vec3 {
        let index = index as usize;
        match self.kept.get(index) {
            Some(&corner) => corner,
            None => {
                let [x, y, z] = self.extra.get(index - self.corners).copied().unwrap_or_default();
                [self.origin[0] + f64::from(x), self.origin[1] + f64::from(y), self.origin[2] + f64::from(z)]
            }
        }
    }
}

/// The height at a position on the first triangle that contains it, else on the one violated least; none when all stand
/// on edge.
fn height_among<I: Iterator<Item = [Vec3; 3]>>(triangles: impl Fn() -> I, position: Vec3) -> Option<f64> {
    let weights = |triangle: &[Vec3; 3]| Weights::of(triangle, position);
    // Most triangles are far from the position, and one that contains it is enough.
    let close = triangles().filter(|triangle| may_contain(triangle, position));
    let mut containing = close.filter_map(|triangle| Some((triangle, weights(&triangle)?)));
    if let Some((triangle, at)) = containing.find(|(_, at)| at.violation() <= TRIANGLE_TOLERANCE) {
        return Some(at.height(&triangle));
    }
    let mut least = (f64::INFINITY, None);
    for triangle in triangles() {
        if let Some(at) = weights(&triangle) {
            let violation = at.violation();
            // Strictly less: the first triangle wins a tie.
            if violation < least.0 {
                least = (violation, Some(at.height(&triangle)));
            }
        }
    }
    least.1
}

/// False only for triangles that [`Weights`] would find violated by more than the tolerance; takes no quotient.
#[inline]
fn may_contain([a, b, c]: &[Vec3; 3], position: Vec3) -> bool {
    let (ab, ac, ap) = (sub(*b, *a), sub(*c, *a), sub(position, *a));
    let area = cross(ab, ac);
    // A triangle may run either way round.
    let sign = if area < 0.0 { -1.0 } else { 1.0 };
    let (area, u, v) = (area * sign, cross(ap, ac) * sign, cross(ab, ap) * sign);
    // Twice the tolerance and more: far beyond what the rounding of a quotient moves.
    let slack = area * (4.0 * TRIANGLE_TOLERANCE);
    // The least of the three weights in one compare: which of them fails is anyone's guess.
    min(min(u, v), area - (u + v)) >= -slack
}

/// A position's weights of a triangle's second and third corner.
struct Weights {
    u: f64,
    v: f64,
}

impl Weights {
    /// None for a triangle that stands on edge.
    #[inline]
    fn of([a, b, c]: &[Vec3; 3], position: Vec3) -> Option<Weights> {
        let (ab, ac, ap) = (sub(*b, *a), sub(*c, *a), sub(position, *a));
        let area = cross(ab, ac);
        // A zero of either sign.
        if area == 0.0 { None } else { Some(Weights { u: cross(ap, ac) / area, v: cross(ab, ap) / area }) }
    }

    /// By how much the most negative of the three weights lies below 0.
    #[inline]
    fn violation(&self) -> f64 {
        max(max(-self.u, -self.v), self.u + self.v - 1.0)
    }

    #[inline]
    fn height(&self, [a, b, c]: &[Vec3; 3]) -> f64 {
        a[1] + self.u * (b[1] - a[1]) + self.v * (c[1] - a[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rule as the page has it, one triangle after the other.
    fn plain(triangles: &[[Vec3; 3]], p: Vec3) -> Option<f64> {
        let mut least: Option<(f64, f64)> = None;
        for [a, b, c] in triangles {
            let area = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
            if area == 0.0 {
                continue;
            }
            let u = ((p[0] - a[0]) * (c[2] - a[2]) - (p[2] - a[2]) * (c[0] - a[0])) / area;
            let v = ((b[0] - a[0]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[0] - a[0])) / area;
            let height = a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]);
            if u >= -1e-9 && v >= -1e-9 && u + v - 1.0 <= 1e-9 {
                return Some(height);
            }
            let violation = (-u).max(-v).max(u + v - 1.0);
            if least.is_none_or(|(known, _)| violation < known) {
                least = Some((violation, height));
            }
        }
        least.map(|(_, height)| height)
    }

    /// A place on a coarse lattice, so that points meet edges and corners, or moved off it by next to nothing.
    fn place() -> impl Strategy<Value = Vec3> {
        (0i32..7, 0i32..5, 0i32..7, prop::sample::select(std::vec![0.0, 1e-9, -1e-9, 3e-9, 1e-12, 0.3]))
            .prop_map(|(x, y, z, off)| [4000.0 + f64::from(x) + off, f64::from(y), f64::from(z) - off])
    }

    proptest! {
        #[test]
        fn a_squared_distance_is_that_to_the_nearest_point(a in place(), b in place(), position in place()) {
            for (a, b) in [(a, b), (a, a)] {
                let [x, _, z] = sub(position, between(a, b, fraction_along(a, b, position)));
                prop_assert_eq!(squared_distance(a, b, position).to_bits(), (x * x + z * z).to_bits());
            }
        }

        #[test]
        fn passing_over_far_triangles_changes_no_height(
            triangles in prop::collection::vec(prop::array::uniform3(place()), 0..12),
            positions in prop::collection::vec(place(), 20),
        ) {
            for position in positions {
                let height = height_among(|| triangles.iter().copied(), position);
                prop_assert_eq!(height.map(f64::to_bits), plain(&triangles, position).map(f64::to_bits));
            }
        }
    }
}
