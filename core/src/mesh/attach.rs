//! Which polygon the end of an off-mesh link is attached to (`navmesh-format.md`, "Stitching", off-mesh links).

use super::tile::TileSource;
use crate::geometry::predicates::orient2d;

/// How far an end may reach for its polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub radius: f32,
    pub climb: f32,
}

/// The polygon that a point is attached to, and how well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Attached {
    /// Squared ground distance plus squared height outside the polygon's vertex range.
    pub score: f64,
    pub polygon: u32,
}

/// The polygon of a tile with the smallest score within reach; the lowest index among equals. `point` is relative to
/// the tile's origin, where the polygons' floats are exact.
pub(super) fn attach(tile: &impl TileSource, point: [f64; 3], reach: Reach) -> Option<Attached> {
    let (radius, climb) = (f64::from(reach.radius), f64::from(reach.climb));
    let mut best: Option<Attached> = None;
    let mut first = 0;
    for p in 0..tile.counts().polygons {
        let count = usize::from(tile.polygon(p).vertex_count).min(16);
        let mut corners = [[0.0; 3]; 16];
        for (i, corner) in corners[..count].iter_mut().enumerate() {
            *corner = tile.vertex(tile.index(first + i).into()).map(f64::from);
        }
        first += count;
        let corners = &corners[..count];
        let height = height_outside(corners, point[1]);
        if height > climb {
            continue;
        }
        let squared = ground_distance_squared(corners, [point[0], point[2]]);
        if squared > radius * radius {
            continue;
        }
        let score = squared + height * height;
        // Only a smaller score wins: ties stay with the lower index.
        if best.is_none_or(|best| score < best.score) {
            best = Some(Attached { score, polygon: p as u32 });
        }
    }
    best
}

/// How far a height lies outside the range of a polygon's vertices.
fn height_outside(corners: &[[f64; 3]], y: f64) -> f64 {
    let low = corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner[1]));
    let high = corners.iter().fold(f64::NEG_INFINITY, |high, corner| high.max(corner[1]));
    if y < low {
        low - y
    } else if y > high {
        y - high
    } else {
        0.0
    }
}

/// The squared ground distance to a convex polygon: 0 inside or on it, else to the nearest point of its edges.
fn ground_distance_squared(corners: &[[f64; 3]], point: [f64; 2]) -> f64 {
    let ground = |i: usize| [corners[i % corners.len()][0], corners[i % corners.len()][2]];
    if (0..corners.len()).all(|i| !orient2d(ground(i), ground(i + 1), point).is_right()) {
        return 0.0;
    }
    (0..corners.len()).fold(f64::INFINITY, |least, i| least.min(to_segment_squared(ground(i), ground(i + 1), point)))
}

fn to_segment_squared(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let from = [p[0] - a[0], p[1] - a[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let t = if length > 0.0 { (from[0] * along[0] + from[1] * along[1]) / length } else { 0.0 };
    let t = t.clamp(0.0, 1.0);
    let apart = [from[0] - along[0] * t, from[1] - along[1] * t];
    apart[0] * apart[0] + apart[1] * apart[1]
}
