//! The net of triangles and the one change that both insertion and constraints make to it: the flip.

use crate::geometry::predicates::{CircleSide, Turn, in_circle, orient2d};
use crate::memory::{Pod, Zeroable};

/// No triangle: what lies beyond the net's outermost edges.
pub const NO_TRIANGLE: u32 = u32::MAX;
/// The bit of a triangle whose edges are to be tested again.
const SUSPECT: u32 = 8;

/// A counter-clockwise triangle of a net. Edge `i` runs from vertex `i` to the next, cyclically.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Triangle {
    /// Numbers of its vertices.
    pub vertices: [u32; 3],
    /// The triangle across each edge, or [`NO_TRIANGLE`].
    pub neighbors: [u32; 3],
    /// Bit `i` where edge `i` is a constraint.
    pub marks: u32,
}

impl Triangle {
    /// Whether an edge is a constraint.
    #[inline]
    pub const fn is_constraint(&self, edge: usize) -> bool {
        self.marks >> edge & 1 == 1
    }
}

/// An edge as a side of one of its two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) triangle: u32,
    pub(super) edge: usize,
}

/// The triangles so far, over coordinates that doubles hold exactly.
pub(super) struct Net<'a> {
    pub(super) points: &'a [[f64; 2]],
    pub(super) triangles: &'a mut [Triangle],
    pub(super) len: usize,
    /// A triangle of each vertex that is in the net.
    pub(super) around: &'a mut [u32],
}

impl Net<'_> {
    #[inline]
    pub(super) fn get(&self, triangle: u32) -> &Triangle {
        &self.triangles[triangle as usize]
    }

    #[inline]
    pub(super) fn turn(&self, a: u32, b: u32, c: u32) -> Turn {
        orient2d(self.points[a as usize], self.points[b as usize], self.points[c as usize])
    }

    /// Whether `d` lies strictly inside the circle through a triangle's corners.
    #[inline]
    pub(super) fn is_inside(&self, triangle: u32, d: u32) -> bool {
        let [a, b, c] = self.get(triangle).vertices.map(|v| self.points[v as usize]);
        in_circle_of_integers(a, b, c, self.points[d as usize]) == CircleSide::Inside
    }

    /// The side of the neighbour that lies against a side.
    #[inline]
    pub(super) fn across(&self, side: Side) -> Option<Side> {
        let neighbor = self.get(side.triangle).neighbors[side.edge];
        if neighbor == NO_TRIANGLE {
            return None;
        }
        let end = self.get(side.triangle).vertices[(side.edge + 1) % 3];
        let edge = self.get(neighbor).vertices.iter().position(|&v| v == end)?;
        Some(Side { triangle: neighbor, edge })
    }

    /// The vertex opposite a side.
    #[inline]
    pub(super) fn apex(&self, side: Side) -> u32 {
        self.get(side.triangle).vertices[(side.edge + 2) % 3]
    }

    /// Writes a triangle whose neighbours across its edges are known, with the constraint bit of each.
    pub(super) fn put(&mut self, at: u32, vertices: [u32; 3], beyond: [(u32, u32); 3]) {
        let marks = beyond[0].1 | beyond[1].1 << 1 | beyond[2].1 << 2;
        self.triangles[at as usize] = Triangle { vertices, neighbors: beyond.map(|(triangle, _)| triangle), marks };
        for v in vertices {
            self.around[v as usize] = at;
        }
    }

    /// What lies beyond a side, and whether the edge is a constraint.
    pub(super) fn beyond(&self, triangle: u32, edge: usize) -> (u32, u32) {
        let triangle = self.get(triangle);
        (triangle.neighbors[edge], triangle.marks >> edge & 1)
    }

    /// Tells the triangle beyond an edge, which knew `old` there, that it has a new neighbour.
    pub(super) fn reattach(&mut self, (beyond, _): (u32, u32), old: u32, new: u32) {
        if beyond == NO_TRIANGLE {
            return;
        }
        let neighbors = &mut self.triangles[beyond as usize].neighbors;
        if let Some(place) = neighbors.iter_mut().find(|place| **place == old) {
            *place = new;
        }
    }

    /// Turns the diagonal of the quadrilateral about an edge. The apex of `side` becomes vertex 2 of both triangles: edge 0
    /// of each is then opposite to it, and edge 1 of the side's own triangle is the new diagonal.
    pub(super) fn flip(&mut self, side: Side, other: Side) {
        let (t, n) = (side.triangle, other.triangle);
        let [a, b, c] = [0, 1, 2].map(|i| self.get(t).vertices[(side.edge + i) % 3]);
        let d = self.apex(other);
        let (beyond_bc, beyond_ca) = (self.beyond(t, (side.edge + 1) % 3), self.beyond(t, (side.edge + 2) % 3));
        let (beyond_ad, beyond_db) = (self.beyond(n, (other.edge + 1) % 3), self.beyond(n, (other.edge + 2) % 3));
        self.put(t, [a, d, c], [beyond_ad, (n, 0), beyond_ca]);
        self.put(n, [d, b, c], [beyond_db, beyond_bc, (t, 0)]);
        self.reattach(beyond_ad, n, t);
        self.reattach(beyond_bc, t, n);
    }

    /// Whether the quadrilateral about an edge has strictly convex corners, so that its diagonal can be flipped.
    pub(super) fn is_flippable(&self, side: Side, other: Side) -> bool {
        let [a, b] = [0, 1].map(|i| self.get(side.triangle).vertices[(side.edge + i) % 3]);
        let (c, d) = (self.apex(side), self.apex(other));
        self.turn(c, d, b).is_left() && self.turn(c, d, a).is_right()
    }

    /// The side that runs from one vertex to another, if they share an edge.
    pub(super) fn side_between(&self, from: u32, to: u32) -> Option<Side> {
        self.sides_from(from).find(|side| self.get(side.triangle).vertices[(side.edge + 1) % 3] == to)
    }

    /// The sides that begin at a vertex, counter-clockwise, from the triangle that the vertex remembers.
    pub(super) fn sides_from(&self, vertex: u32) -> impl Iterator<Item = Side> + use<'_> {
        let first = self.around[vertex as usize];
        let mut next = Some(first);
        // A vertex has fewer triangles than the net: the bound only guards against a broken one.
        (0..self.len).map_while(move |_| {
            let triangle = next?;
            let edge = self.get(triangle).vertices.iter().position(|&v| v == vertex)?;
            let after = self.get(triangle).neighbors[(edge + 2) % 3];
            next = (after != NO_TRIANGLE && after != first).then_some(after);
            Some(Side { triangle, edge })
        })
    }

    pub(super) fn suspect(&mut self, triangle: u32) {
        self.triangles[triangle as usize].marks |= SUSPECT;
    }

    pub(super) fn is_suspect(&self, triangle: u32) -> bool {
        self.get(triangle).marks & SUSPECT != 0
    }

    pub(super) fn clear(&mut self, triangle: u32) {
        self.triangles[triangle as usize].marks &= !SUSPECT;
    }
}

/// [`in_circle`] of points whose coordinates are integers: where the filter can't decide and the differences are below
/// 2^30, integers decide faster than sums of doubles. Points on one circle are common on tile maps.
fn in_circle_of_integers(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> CircleSide {
    const SMALL: f64 = (1u64 << 30) as f64;
    let [p, q, r] = [a, b, c].map(|point| [point[0] - d[0], point[1] - d[1]]);
    let is_small = [p, q, r].iter().flatten().all(|v| v.abs() < SMALL);
    if !is_small {
        return in_circle(a, b, c, d);
    }
    let [p, q, r] = [p, q, r].map(|v| [v[0] as i64, v[1] as i64]);
    let row = |p: [i64; 2], q: [i64; 2], r: [i64; 2]| {
        i128::from(p[0] * p[0] + p[1] * p[1]) * i128::from(q[0] * r[1] - q[1] * r[0])
    };
    match (row(p, q, r) + row(q, r, p) + row(r, p, q)).signum() {
        1 => CircleSide::Inside,
        -1 => CircleSide::Outside,
        _ => CircleSide::On,
    }
}
