//! Crisp polygons: convex by so much that no edge's line comes near the inside of another edge.
//!
//! Of such a polygon a ray need not compare when it leaves each edge's line: the edge that its line goes through is left
//! first, and clearly so (`query::trace`). Nearly all polygons that are built are crisp. Derived when a tile is stored,
//! never saved.

use super::view::{Edge, Polygon};

/// The longest side that the box of a crisp polygon has.
pub(crate) const MAX_SIDE: f64 = 4096.0;
/// The shortest edge of one, squared.
const MIN_EDGE_SQUARED: f64 = 1.0 / 4096.0;
/// The least slope of any other edge's line against an edge's farther end, squared.
const MIN_SLOPE_SQUARED: f64 = 1.0 / 65_536.0;
/// The most edges of a polygon.
const MAX_EDGES: usize = 16;

/// Whether a polygon is crisp: it fits in a box of [`MAX_SIDE`], no edge is shorter than 1/64, and of every edge both ends
/// lie on the inner side of every other edge's line, one of them by at least 1/256 of the edge's length.
///
/// So a point of an edge that lies at least d from both its ends lies at least d/256 inside of every other edge's line.
pub(super) fn is_crisp(polygon: &Polygon, edges: &[Edge], vertices: &[[f32; 3]]) -> bool {
    let first = polygon.first_edge as usize;
    let edges = edges.get(first..first + polygon.edge_count as usize).unwrap_or(&[]);
    let mut corners = [[0.0; 2]; MAX_EDGES];
    for (corner, edge) in corners.iter_mut().zip(edges) {
        let [x, _, z] = vertices.get(edge.vertex as usize).copied().unwrap_or_default();
        *corner = [x.into(), z.into()];
    }
    is_crisp_ring(&corners[..edges.len().min(MAX_EDGES)])
}

fn is_crisp_ring(ring: &[[f64; 2]]) -> bool {
    let after = |at: usize| ring[if at + 1 == ring.len() { 0 } else { at + 1 }];
    let way = |a: [f64; 2], b: [f64; 2]| [b[0] - a[0], b[1] - a[1]];
    let squared = |[x, z]: [f64; 2]| x * x + z * z;
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    for (at, &a) in ring.iter().enumerate() {
        let b = after(at);
        let along = way(a, b);
        let length = squared(along);
        let is_near = |corner: &[f64; 2]| {
            let [x, z] = way(a, *corner);
            x.abs() <= MAX_SIDE && z.abs() <= MAX_SIDE
        };
        if length < MIN_EDGE_SQUARED || !ring.iter().all(is_near) {
            return false;
        }
        // How far inside the edge's line the ends of every other edge lie, times the edge's length.
        for (other, &c) in ring.iter().enumerate().filter(|&(other, _)| other != at) {
            let d = after(other);
            let (from, to) = (cross(along, way(a, c)), cross(along, way(a, d)));
            let farther = if from > to { from } else { to };
            let slope_enough = farther * farther >= MIN_SLOPE_SQUARED * length * squared(way(c, d));
            if from < 0.0 || to < 0.0 || !slope_enough {
                return false;
            }
        }
    }
    ring.len() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn squares_and_hexagons_are_crisp_and_flat_corners_are_not() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        assert!(is_crisp_ring(&square));
        assert!(is_crisp_ring(&[[0.0, 0.0], [2.0, 1.0], [3.0, 3.0], [2.0, 5.0], [-1.0, 6.0], [-2.0, 2.0]]));
        assert!(!is_crisp_ring(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]), "three in a line");
        assert!(!is_crisp_ring(&[[0.0, 0.0], [2.0, -0.001], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]), "nearly");
        assert!(!is_crisp_ring(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]), "not convex");
        assert!(!is_crisp_ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 0.01], [0.0, 0.01]]), "a sliver");
        assert!(!is_crisp_ring(&[[0.0, 0.0], [0.01, 0.0], [4.0, 4.0], [0.0, 4.0]]), "a short edge");
        assert!(!is_crisp_ring(&square.map(|corner| corner.map(|v| v * 1025.0))), "too wide");
        assert!(!is_crisp_ring(&[]) && !is_crisp_ring(&square[..2]));
    }

    proptest! {
        /// What the module says of a point of an edge, in its plainest form.
        #[test]
        fn points_of_an_edge_lie_inside_of_all_other_lines(
            ring in prop::collection::vec(prop::array::uniform2(-8i32..9), 3..8),
            share in 0.0..1.0f64,
        ) {
            let ring: Vec<[f64; 2]> = ring.into_iter().map(|corner| corner.map(f64::from)).collect();
            if is_crisp_ring(&ring) {
                let ends = |at: usize| (ring[at], ring[(at + 1) % ring.len()]);
                let length = |a: [f64; 2], b: [f64; 2]| {
                    let (x, z) = (b[0] - a[0], b[1] - a[1]);
                    crate::math::sqrt(x * x + z * z)
                };
                for edge in 0..ring.len() {
                    let (a, b) = ends(edge);
                    let point = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
                    let from_ends = length(a, b) * crate::math::min(share, 1.0 - share);
                    for other in (0..ring.len()).filter(|&other| other != edge) {
                        let (c, d) = ends(other);
                        let turn = (d[0] - c[0]) * (point[1] - c[1]) - (d[1] - c[1]) * (point[0] - c[0]);
                        prop_assert!(turn / length(c, d) >= from_ends / 256.0 - 1e-12);
                    }
                }
            }
        }
    }
}
