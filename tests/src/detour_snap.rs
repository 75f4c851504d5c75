//! Snaps points to our mesh as Detour snaps them to its own, so that both sides' paths run between the same ends.
//!
//! Detour's published paths begin and end where *its* nearest-polygon rule put them, and that rule differs from ours in
//! three ways. Its boxes are numbers of cells, rounded to even ones outwards, so that a box of half extents (2, 4, 2)
//! reaches up to 0.6 units further; its detail lies one row above the floor; and straight above or below a polygon,
//! heights within the climb count as no distance at all. On a level with tall walls that decides which floor, if any,
//! a point on a wall's top belongs to. This is only for comparing paths; the library never snaps this way.

use navarena::mesh::view::TileView;
use navarena::mesh::{NavMesh, NavSettings, PolyRef};
use navarena::query::{Nearest, closest_point_on};

use crate::recast::SNAP;

/// Detour's rule with the numbers of one level.
#[derive(Clone, Copy, Debug)]
pub struct DetourSnap {
    low: [f64; 3],
    high: [f64; 3],
    cell_size: f64,
    cell_height: f64,
    climb: f64,
}

impl DetourSnap {
    /// The rule for a level of these bounds.
    pub fn new(bounds: ([f32; 3], [f32; 3]), settings: &NavSettings) -> DetourSnap {
        DetourSnap {
            low: bounds.0.map(f64::from),
            high: bounds.1.map(f64::from),
            cell_size: settings.cell_size,
            cell_height: settings.cell_height,
            climb: settings.walkable_climb,
        }
    }

    /// The polygon that the rule gives a point, and the point's place on it.
    pub fn snap(&self, mesh: &NavMesh<'_>, point: [f64; 3]) -> Option<Nearest> {
        let mut best: Option<(f64, PolyRef, [f64; 3])> = None;
        for tile in mesh.tiles() {
            for index in 0..tile.polygons.len() {
                let outline = Outline::new(&tile, index);
                if !self.reaches(&outline, point) {
                    continue;
                }
                let (on, distance) = self.closest(&outline, point);
                if best.as_ref().is_none_or(|(least, ..)| distance < *least) {
                    best = Some((distance, tile.reference.polygon(index as u32), on));
                }
            }
        }
        // The place as the library has it: its heights may differ in the last bit from those made here.
        let (_, polygon, on) = best?;
        closest_point_on(mesh, polygon, on).ok()
    }

    /// Whether a polygon's box, in whole cells, meets the box around a point, in even cells outwards.
    fn reaches(&self, outline: &Outline, point: [f64; 3]) -> bool {
        (0..3).all(|axis| {
            let cells =
                |value: f64| ((value.clamp(self.low[axis], self.high[axis]) - self.low[axis]) / self.cell_size) as i64;
            let (from, to) = (cells(point[axis] - SNAP[axis]) & !1, (cells(point[axis] + SNAP[axis]) + 1) | 1);
            let raised = if axis == 1 { self.cell_height } else { 0.0 };
            let values = outline.corners.iter().chain(&outline.detail).map(|corner| corner[axis] + raised);
            let least = values.clone().fold(f64::INFINITY, f64::min);
            let most = values.fold(f64::NEG_INFINITY, f64::max);
            cells(least) <= to && cells(most) >= from
        })
    }

    /// The closest point of a polygon, and the squared distance as Detour counts it.
    fn closest(&self, outline: &Outline, point: [f64; 3]) -> ([f64; 3], f64) {
        if let Some(height) = outline.height_at(point[0], point[2]) {
            let gap = ((point[1] - height - self.cell_height).abs() - self.climb).max(0.0);
            return ([point[0], height, point[2]], gap * gap);
        }
        let on = outline.nearest_on_edge(point);
        let square = |axis: usize| (on[axis] - point[axis]) * (on[axis] - point[axis]);
        (on, square(0) + square(1) + square(2))
    }
}

/// A polygon's corners and its surface, in world units.
struct Outline {
    corners: Vec<[f64; 3]>,
    /// The extra vertices of its height detail.
    detail: Vec<[f64; 3]>,
    /// The triangles of its surface: of its detail, or of the fan of its corners.
    surface: Vec<[[f64; 3]; 3]>,
}

impl Outline {
    fn new(tile: &TileView<'_>, polygon: usize) -> Outline {
        let record = &tile.polygons[polygon];
        let corners: Vec<[f64; 3]> = tile.edges_of(record).iter().map(|edge| tile.world(edge.vertex)).collect();
        let (base, count) = (record.detail_vertex_base as usize, record.detail_vertex_count as usize);
        let world = |local: &[f32; 3]| [0, 1, 2].map(|axis| tile.origin[axis] + f64::from(local[axis]));
        let detail: Vec<[f64; 3]> = tile.detail_vertices[base..base + count].iter().map(world).collect();
        let (first, triangles) = (record.detail_triangle_base as usize, record.detail_triangle_count as usize);
        let at = |corner: u8| corners.iter().chain(&detail).nth(corner as usize).copied().unwrap_or_default();
        let surface = if triangles == 0 {
            corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]).collect()
        } else {
            tile.detail_triangles[first..first + triangles].iter().map(|&[a, b, c, _]| [at(a), at(b), at(c)]).collect()
        };
        Outline { corners, detail, surface }
    }

    fn edges(&self) -> impl Iterator<Item = ([f64; 3], [f64; 3])> + '_ {
        self.corners.iter().copied().zip(self.corners.iter().copied().cycle().skip(1))
    }

    /// The height of the surface straight above or below a point inside the outline.
    fn height_at(&self, x: f64, z: f64) -> Option<f64> {
        let side = |a: [f64; 3], b: [f64; 3]| (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]);
        if !self.edges().all(|(a, b)| side(a, b) >= 0.0) {
            return None;
        }
        // How far outside of a triangle the point is; rounding may leave it a hair outside of every one.
        let weights = |&[a, b, c]: &[[f64; 3]; 3]| {
            let whole = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
            [side(b, c) / whole, side(c, a) / whole, side(a, b) / whole]
        };
        let least = |triangle: &[[f64; 3]; 3]| weights(triangle).into_iter().fold(f64::INFINITY, f64::min);
        let triangle = self.surface.iter().max_by(|a, b| least(a).total_cmp(&least(b)))?;
        Some(weights(triangle).iter().zip(triangle).map(|(weight, corner)| weight * corner[1]).sum())
    }

    /// The nearest point of the outline seen from above, with the edge's height there.
    fn nearest_on_edge(&self, point: [f64; 3]) -> [f64; 3] {
        let on_edge = |(a, b): ([f64; 3], [f64; 3])| {
            let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
            let t = (((point[0] - a[0]) * dx + (point[2] - a[2]) * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
            [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * t)
        };
        let ground = |on: &[f64; 3]| (on[0] - point[0]) * (on[0] - point[0]) + (on[2] - point[2]) * (on[2] - point[2]);
        let nearest = self.edges().map(on_edge).min_by(|a, b| ground(a).total_cmp(&ground(b)));
        nearest.unwrap_or(point)
    }
}
