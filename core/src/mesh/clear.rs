//! Clear polygons: crisp ones that other polygons of their tile come near only across an edge that joins them, or round a
//! corner that both have and that edges lead round.
//!
//! Whoever walks straight over clear polygons, from one into the next, meets every polygon that lies on the way: none lies
//! above or below, and none touches the way without being joined to it. So a walk to the nearest wall over clear polygons
//! need not look for others (`query::wall_distance`). Most polygons that are built are clear. Derived when a tile is
//! stored, never saved; no edit of areas or flags and no other tile changes it.

use super::boxes::{PolygonBox, each_meeting};
use super::view::{Edge, IS_CLEAR, Polygon};

/// How far from a clear polygon those stay that have no corner with it: far more than rounding moves anything.
const MARGIN: f64 = 1.0 / 1024.0;
/// The least slope, squared, between the sides of two polygons that meet in one corner.
const MIN_SLOPE_SQUARED: f64 = 1.0 / 65_536.0;
/// The most edges of a polygon.
const MAX_EDGES: usize = 16;
/// The most polygons that are walked over round a corner.
const MAX_ROUND: usize = 32;

/// Marks the clear polygons of a tile, of which the crisp ones are known.
///
/// Cost: each polygon's box is looked for among the others', and each pair whose boxes come near is compared.
pub(super) fn mark_clear(polygons: &mut [Polygon], edges: &[Edge], vertices: &[[f32; 3]], boxes: &[PolygonBox]) {
    for polygon in polygons.iter_mut().filter(|polygon| polygon.is_crisp()) {
        polygon.shape |= IS_CLEAR;
    }
    for number in 0..polygons.len() {
        let Some(region) = boxes.get(number).map(widened) else { return };
        let ring = Ring::of(polygons, edges, vertices, number as u32);
        each_meeting(boxes, polygons.len(), &region, |other| {
            let may_be = |at: usize| polygons[at].shape & IS_CLEAR != 0;
            if other > number && (may_be(number) || may_be(other)) {
                let with = Ring::of(polygons, edges, vertices, other as u32);
                if !ring.is_clear_of(&with, polygons, edges) {
                    polygons[number].shape &= !IS_CLEAR;
                    polygons[other].shape &= !IS_CLEAR;
                }
            }
        });
    }
}

/// The column over a box and what lies near it.
fn widened(place: &PolygonBox) -> PolygonBox {
    let beside = MARGIN as f32;
    let [[low_x, _, low_z], [high_x, _, high_z]] = [place.low, place.high];
    PolygonBox {
        low: [low_x - beside, f32::NEG_INFINITY, low_z - beside],
        high: [high_x + beside, f32::INFINITY, high_z + beside],
        twice_area: 0.0,
    }
}

type Way = [f64; 2];

fn way(from: Way, to: Way) -> Way {
    [to[0] - from[0], to[1] - from[1]]
}

fn cross(a: Way, b: Way) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: Way, b: Way) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// A polygon's corners seen from above, relative to the tile's origin.
struct Ring {
    number: u32,
    len: usize,
    corners: [Way; MAX_EDGES],
    vertices: [u16; MAX_EDGES],
    neighbors: [u32; MAX_EDGES],
}

impl Ring {
    fn of(polygons: &[Polygon], edges: &[Edge], vertices: &[[f32; 3]], number: u32) -> Ring {
        let edges = polygons.get(number as usize).map_or(&[][..], |polygon| edges_of(polygon, edges));
        let len = edges.len().min(MAX_EDGES);
        let mut ring = Ring { number, len, corners: Default::default(), vertices: [0; 16], neighbors: [0; 16] };
        for (at, edge) in edges.iter().take(len).enumerate() {
            let [x, _, z] = vertices.get(edge.vertex as usize).copied().unwrap_or_default();
            ring.corners[at] = [x.into(), z.into()];
            ring.vertices[at] = edge.vertex;
            ring.neighbors[at] = edge.neighbor;
        }
        ring
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.len { 0 } else { at + 1 }
    }

    fn before(&self, at: usize) -> usize {
        if at == 0 { self.len - 1 } else { at - 1 }
    }

    /// The ways from a corner along its edges: the polygon lies left of the first and right of the second.
    fn ways_from(&self, at: usize) -> [Way; 2] {
        [self.after(at), self.before(at)].map(|end| way(self.corners[at], self.corners[end]))
    }

    fn is_clear_of(&self, other: &Ring, polygons: &[Polygon], edges: &[Edge]) -> bool {
        let mut shared = (0..self.len).filter_map(|at| {
            let place = other.vertices[..other.len].iter().position(|&vertex| vertex == self.vertices[at])?;
            Some((at, place))
        });
        match [shared.next(), shared.next(), shared.next()] {
            [None, ..] => self.stays_away_from(other) || other.stays_away_from(self),
            [Some(corner), None, _] => {
                self.is_beside(other, corner) && is_joined_round(polygons, edges, (self.number, corner.0), other.number)
            }
            [Some(first), Some(second), None] => {
                self.is_joined_across(other, first, second) || self.is_joined_across(other, second, first)
            }
            _ => false,
        }
    }

    /// Whether the line of one of its edges parts it from another by the margin.
    fn stays_away_from(&self, other: &Ring) -> bool {
        (0..self.len).any(|at| {
            let (a, along) = (self.corners[at], way(self.corners[at], self.corners[self.after(at)]));
            let least = MARGIN * MARGIN * dot(along, along);
            other.corners[..other.len].iter().all(|&corner| {
                let turn = cross(along, way(a, corner));
                turn < 0.0 && turn * turn >= least
            })
        })
    }

    /// Whether the edge from one corner to another joins it with a polygon that has the same corners.
    fn is_joined_across(&self, other: &Ring, from: (usize, usize), to: (usize, usize)) -> bool {
        self.after(from.0) == to.0
            && other.after(to.1) == from.1
            && self.neighbors[from.0] == other.number
            && other.neighbors[to.1] == self.number
    }

    /// Whether a polygon with one of its corners lies beside it there: a line parts them, and no side of one lies next to a
    /// side of the other.
    fn is_beside(&self, other: &Ring, (at, place): (usize, usize)) -> bool {
        let (ours, theirs) = (self.ways_from(at), other.ways_from(place));
        let is_apart = |a: Way, b: Way| {
            let turn = cross(a, b);
            dot(a, b) <= 0.0 || turn * turn >= MIN_SLOPE_SQUARED * dot(a, a) * dot(b, b)
        };
        let parts = |[first, second]: [Way; 2], ways: [Way; 2]| {
            ways.iter().all(|&b| cross(first, b) <= 0.0) || ways.iter().all(|&b| cross(second, b) >= 0.0)
        };
        ours.iter().all(|&a| theirs.iter().all(|&b| is_apart(a, b))) && (parts(ours, theirs) || parts(theirs, ours))
    }
}

/// Whether edges lead from a polygon to another round one of its corners.
fn is_joined_round(polygons: &[Polygon], edges: &[Edge], (from, corner): (u32, usize), to: u32) -> bool {
    let ring = |number: u32| polygons.get(number as usize).map_or(&[][..], |polygon| edges_of(polygon, edges));
    let Some(Edge { vertex, .. }) = ring(from).get(corner) else { return false };
    // Over the edge that leaves the corner each time, then over the one that comes to it.
    [0, 1].into_iter().any(|side| {
        let (mut at, mut corner) = (from, corner);
        for _ in 0..MAX_ROUND {
            let edges = ring(at);
            let over = if side == 0 { corner } else { (corner + edges.len() - 1) % edges.len().max(1) };
            let Some(edge) = edges.get(over) else { return false };
            at = edge.neighbor;
            if at == to {
                return true;
            }
            // Behind an edge without neighbour no polygon is found.
            let Some(place) = ring(at).iter().position(|edge| edge.vertex == *vertex) else { return false };
            if at == from {
                return false;
            }
            corner = place;
        }
        false
    })
}

fn edges_of<'a>(polygon: &Polygon, edges: &'a [Edge]) -> &'a [Edge] {
    let first = polygon.first_edge as usize;
    edges.get(first..first + polygon.edge_count as usize).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::super::boxes::{box_count, lay};
    use super::super::crisp::is_crisp;
    use super::super::view::{IS_CRISP, NO_NEIGHBOR, NO_SIDE};
    use super::*;
    use std::vec;
    use std::vec::Vec;

    /// Which of some polygons are clear. Reversed edges join, but for those named `apart`.
    fn clear(points: &[[f32; 2]], rings: &[&[u16]], apart: &[[u16; 2]]) -> Vec<bool> {
        let vertices: Vec<[f32; 3]> = points.iter().map(|&[x, z]| [x, 0.0, z]).collect();
        let ways = |ring: &[u16]| -> Vec<[u16; 2]> {
            (0..ring.len()).map(|at| [ring[at], ring[(at + 1) % ring.len()]]).collect()
        };
        let (mut edges, mut polygons) = (Vec::new(), Vec::new());
        for ring in rings {
            let first_edge = edges.len() as u32;
            polygons.push(Polygon { first_edge, edge_count: ring.len() as u8, ..Polygon::default() });
            for [a, b] in ways(ring) {
                let across = rings.iter().position(|other| ways(other).contains(&[b, a]));
                let across = across.filter(|_| !apart.contains(&[a, b]) && !apart.contains(&[b, a]));
                let neighbor = across.map_or(NO_NEIGHBOR, |at| at as u32);
                edges.push(Edge { neighbor, vertex: a, side: NO_SIDE, back: 0 });
            }
        }
        for polygon in &mut polygons {
            polygon.shape = if is_crisp(polygon, &edges, &vertices) { IS_CRISP } else { 0 };
        }
        let mut boxes = vec![PolygonBox::default(); box_count(polygons.len())];
        lay(&mut boxes, &polygons, &edges, &vertices);
        mark_clear(&mut polygons, &edges, &vertices, &boxes);
        polygons.iter().map(Polygon::is_clear).collect()
    }

    /// Four squares round the corner 4, and a copy of the corner and of the place right of it.
    const SQUARES: [[f32; 2]; 11] = [
        [0.0, 0.0],
        [2.0, 0.0],
        [4.0, 0.0],
        [0.0, 2.0],
        [2.0, 2.0],
        [4.0, 2.0],
        [0.0, 4.0],
        [2.0, 4.0],
        [4.0, 4.0],
        [2.0, 2.0],
        [4.0, 2.0],
    ];
    const LOW_LEFT: &[u16] = &[0, 1, 4, 3];
    const LOW_RIGHT: &[u16] = &[1, 2, 5, 4];
    const HIGH_RIGHT: &[u16] = &[4, 5, 8, 7];
    const HIGH_LEFT: &[u16] = &[3, 4, 7, 6];

    #[test]
    fn squares_round_a_corner_are_clear_while_edges_lead_round_it() {
        let all = [LOW_LEFT, LOW_RIGHT, HIGH_RIGHT, HIGH_LEFT];
        assert_eq!(clear(&SQUARES, &all, &[]), [true; 4]);
        assert_eq!(clear(&SQUARES, &all[..3], &[]), [true; 3], "a corner of a wall");
        assert_eq!(clear(&SQUARES, &[LOW_LEFT, HIGH_RIGHT], &[]), [false; 2], "corner to corner");
        // Round the other way each still comes to each.
        assert_eq!(clear(&SQUARES, &all, &[[1, 4]]), [false, false, true, true], "a wall without thickness");
        assert_eq!(clear(&SQUARES, &all, &[[1, 4], [4, 7]]), [false; 4], "two");
    }

    #[test]
    fn squares_with_corners_of_their_own_are_clear_when_they_stay_away() {
        let high: &[u16] = &[9, 10, 8, 7];
        assert_eq!(clear(&SQUARES, &[LOW_LEFT, LOW_RIGHT, high], &[]), [false; 3]);
        let mut moved = SQUARES;
        (moved[9][1], moved[10][1]) = (2.0 + 1.0 / 2048.0, 2.0 + 1.0 / 2048.0);
        assert_eq!(clear(&moved, &[LOW_LEFT, LOW_RIGHT, high], &[]), [false; 3], "hardly away");
        (moved[9][1], moved[10][1]) = (2.0 + 1.0 / 512.0, 2.0 + 1.0 / 512.0);
        assert_eq!(clear(&moved, &[LOW_LEFT, LOW_RIGHT, high], &[]), [true; 3]);
    }

    #[test]
    fn what_lies_above_is_not_clear_and_neither_is_a_slit() {
        let above = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 1.0], [9.0, 1.0], [9.0, 3.0], [1.0, 3.0]];
        assert_eq!(clear(&above, &[&[0, 1, 2, 3], &[4, 5, 6, 7]], &[]), [false; 2]);
        // Three triangles round the origin, the last of which ends next to the first.
        let fan = |gap: f32| [[0.0, 0.0], [8.0, 0.0], [-4.0, 7.0], [-4.0, -7.0], [8.0, -gap]];
        let rings: [&[u16]; 3] = [&[0, 1, 2], &[0, 2, 3], &[0, 3, 4]];
        assert_eq!(clear(&fan(0.1), &rings, &[]), [true; 3]);
        assert_eq!(clear(&fan(0.02), &rings, &[]), [false, true, false], "a slit");
        assert_eq!(clear(&fan(-0.5), &rings, &[]), [false, true, false], "lapping over");
    }
}
