//! A polygon's surface: the point of it closest to a position, and its height (`navmesh-queries.md`, "Nearest
//! polygon").

use super::plane::{Vec3, between, turn};
use crate::math::{max, sub};
use crate::mesh::view::{Polygon, TileView};

/// The most vertices a polygon has.
const MAX_VERTICES: usize = 16;
/// How far outside a triangle, in barycentric coordinates, a point still counts as in it.
const TRIANGLE_TOLERANCE: f64 = 1e-9;

/// A point of a polygon's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Closest {
    pub point: Vec3,
    /// Whether the position lies inside the outline seen from above, its boundary included.
    pub over: bool,
}

/// A polygon's corners in world coordinates.
struct Outline {
    corners: [Vec3; MAX_VERTICES],
    len: usize,
}

impl Outline {
    fn of(tile: &TileView<'_>, polygon: &Polygon) -> Outline {
        let mut outline = Outline { corners: [[0.0; 3]; MAX_VERTICES], len: 0 };
        for (corner, edge) in outline.corners.iter_mut().zip(tile.edges_of(polygon)) {
            *corner = tile.world(edge.vertex);
            outline.len += 1;
        }
        outline
    }

    fn corners(&self) -> &[Vec3] {
        &self.corners[..self.len.min(MAX_VERTICES)]
    }

    /// The edges from corner to corner, in edge order.
    fn edges(&self) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        let corners = self.corners();
        corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&a, &b)| (a, b))
    }
}

/// The point of a polygon closest to a position: straight above or below it when it is inside the outline, else the
/// nearest point of the outline in the plane, the lowest edge on equal distance.
pub(crate) fn closest_point(tile: &TileView<'_>, polygon: &Polygon, position: Vec3) -> Closest {
    let outline = Outline::of(tile, polygon);
    if outline.edges().all(|(a, b)| turn(a, b, position) >= 0.0) {
        let y = height(tile, polygon, &outline, position);
        return Closest { point: [position[0], y, position[2]], over: true };
    }
    let mut nearest = (f64::INFINITY, position);
    for (a, b) in outline.edges() {
        let s = fraction_along(a, b, position);
        let point = between(a, b, s);
        let [x, _, z] = sub(position, point);
        let squared = x * x + z * z;
        // Strictly less: the lowest edge index wins a tie.
        if squared < nearest.0 {
            nearest = (squared, point);
        }
    }
    Closest { point: nearest.1, over: false }
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

/// The height of the surface straight above or below a position: the first detail triangle that contains it, or the
/// first of the fan where there is no detail; where none does, the plane of the triangle violated least.
fn height(tile: &TileView<'_>, polygon: &Polygon, outline: &Outline, position: Vec3) -> f64 {
    let corners = outline.corners();
    let mut search = HeightSearch { position, violation: f64::INFINITY, height: None };
    let first = polygon.detail_triangle_base as usize;
    let detail = tile.detail_triangles.get(first..first + polygon.detail_triangle_count as usize).unwrap_or(&[]);
    for &[a, b, c, _] in detail {
        let corner = |index: u8| detail_corner(tile, polygon, corners, index);
        if search.is_answered_by([corner(a), corner(b), corner(c)]) {
            break;
        }
    }
    if search.height.is_none() {
        // No detail, or none but triangles that stand on edge.
        for pair in corners.get(1..).unwrap_or(&[]).windows(2) {
            if search.is_answered_by([corners[0], pair[0], pair[1]]) {
                break;
            }
        }
    }
    search.height.unwrap_or(position[1])
}

/// A corner of a detail triangle: the polygon's own, or an extra one.
fn detail_corner(tile: &TileView<'_>, polygon: &Polygon, corners: &[Vec3], index: u8) -> Vec3 {
    let index = index as usize;
    match corners.get(index) {
        Some(&corner) => corner,
        None => {
            let at = polygon.detail_vertex_base as usize + index - corners.len();
            let [x, y, z] = tile.detail_vertices.get(at).copied().unwrap_or_default();
            [tile.origin[0] + f64::from(x), tile.origin[1] + f64::from(y), tile.origin[2] + f64::from(z)]
        }
    }
}

struct HeightSearch {
    position: Vec3,
    violation: f64,
    height: Option<f64>,
}

impl HeightSearch {
    /// Looks at one more triangle; true when it contains the position. A triangle that stands on edge is passed over.
    fn is_answered_by(&mut self, [a, b, c]: [Vec3; 3]) -> bool {
        let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(self.position, a));
        let area = ab[0] * ac[2] - ab[2] * ac[0];
        if area == 0.0 {
            return false;
        }
        let u = (ap[0] * ac[2] - ap[2] * ac[0]) / area;
        let v = (ab[0] * ap[2] - ab[2] * ap[0]) / area;
        let violation = max(max(-u, -v), u + v - 1.0);
        // Strictly less: the first triangle wins a tie.
        if violation < self.violation {
            self.violation = violation;
            self.height = Some(a[1] + u * ab[1] + v * ac[1]);
        }
        if violation <= TRIANGLE_TOLERANCE {
            self.height = Some(a[1] + u * ab[1] + v * ac[1]);
            return true;
        }
        false
    }
}
