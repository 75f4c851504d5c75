//! Holes: each is given to the smallest outline around it and joined to it by a bridge of two edges.

use super::ContourVertex;
use super::ring::{Corner, contains, distance2, in_cone, touch};
use crate::error::{Result, Subject};
use crate::memory::{List, Pod, Zeroable};

/// The outline of a hole that has none, and of every outline.
pub(super) const NO_OUTLINE: u32 = u32::MAX;

/// A loop of the region in work: where its raw and its simplified vertices lie.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Shape {
    /// Twice the signed area of the simplified loop.
    pub twice_area: i64,
    /// Its number among the traced loops.
    pub raw: u32,
    /// Its first simplified vertex.
    pub first: u32,
    /// How many simplified vertices it has.
    pub count: u32,
    /// The outline that a hole belongs to.
    pub outline: u32,
    /// Whether it is a hole.
    pub is_hole: u32,
    /// The leftmost vertex of a hole, within the form of it that is to be joined.
    pub leftmost: u32,
}

/// A hole to be joined: its vertices and its leftmost one.
#[derive(Clone, Copy)]
pub(super) struct Hole<'t> {
    pub ring: &'t [ContourVertex],
    pub leftmost: usize,
}

impl Hole<'_> {
    fn corner(&self) -> Corner {
        self.ring[self.leftmost].corner()
    }
}

/// The smallest outline that contains a hole's leftmost corner; the first of equal ones.
pub(super) fn outline_around(corner: Corner, shapes: &[Shape], vertices: &[ContourVertex]) -> u32 {
    let mut best = NO_OUTLINE;
    for (index, shape) in shapes.iter().enumerate().filter(|(_, shape)| shape.is_hole == 0) {
        let ring = &vertices[shape.first as usize..(shape.first + shape.count) as usize];
        let smaller = best == NO_OUTLINE || shape.twice_area < shapes[best as usize].twice_area;
        if smaller && contains(ring, corner) {
            best = index as u32;
        }
    }
    best
}

/// Sorts holes by their leftmost corner; `order` names them in order of discovery, which stays the order of equal ones.
pub(super) fn sort_by_leftmost<'h>(order: &mut [u32], hole: impl Fn(u32) -> Hole<'h>) {
    order.sort_unstable_by_key(|&index| (hole(index).corner(), index));
}

/// Joins holes, in their order, to the outline that lies in `out` from `start`. Returns how many had to be dropped.
pub(super) fn join<'h>(
    out: &mut List<'_, ContourVertex>,
    start: usize,
    order: &[u32],
    hole: impl Fn(u32) -> Hole<'h>,
    region: u32,
) -> Result<u32> {
    let mut dropped = 0;
    for (rank, &index) in order.iter().enumerate() {
        let this = hole(index);
        let bridge = find_bridge(&out[start..], this, |p, q| {
            is_clear(&out[start..], p, q)
                && is_clear(this.ring, p, q)
                && order[rank + 1..].iter().all(|&later| is_clear(hole(later).ring, p, q))
        });
        match bridge {
            Some(at) => insert(out, start + at, this, region)?,
            None => dropped += 1,
        }
    }
    Ok(dropped)
}

/// The outline vertex to join a hole's leftmost vertex to: the nearest one (lowest index on ties) that each sees within
/// its own cone, with a clear line between them.
fn find_bridge(outline: &[ContourVertex], hole: Hole<'_>, clear: impl Fn(Corner, Corner) -> bool) -> Option<usize> {
    let p = hole.corner();
    let mut tried = (-1, 0);
    loop {
        let mut best: Option<(i64, usize)> = None;
        for (index, vertex) in outline.iter().enumerate() {
            let q = vertex.corner();
            let key = (distance2(p, q), index);
            let nearer = key > tried && best.is_none_or(|best| key < best);
            if nearer && sees(hole.ring, hole.leftmost, q) && sees(outline, index, p) {
                best = Some(key);
            }
        }
        let (_, index) = best?;
        if clear(p, outline[index].corner()) {
            return Some(index);
        }
        tried = best?;
    }
}

/// Whether a ring's vertex has a corner in its cone.
fn sees(ring: &[ContourVertex], at: usize, to: Corner) -> bool {
    let before = ring[if at == 0 { ring.len() - 1 } else { at - 1 }].corner();
    let after = ring[if at + 1 == ring.len() { 0 } else { at + 1 }].corner();
    in_cone(before, ring[at].corner(), after, to)
}

/// Whether the segment `p q` touches no edge of a ring but those that end at `p` or `q`.
fn is_clear(ring: &[ContourVertex], p: Corner, q: Corner) -> bool {
    let Some(last) = ring.last() else { return true };
    let mut from = last.corner();
    ring.iter().all(|vertex| {
        let (a, b) = (from, vertex.corner());
        from = b;
        a == p || a == q || b == p || b == q || !touch(p, q, a, b)
    })
}

/// Inserts a hole behind the outline vertex at `at`: from its leftmost vertex all round and back to it, then the outline
/// vertex again. Both bridge edges have the contour's own region as neighbour.
fn insert(out: &mut List<'_, ContourVertex>, at: usize, hole: Hole<'_>, region: u32) -> Result<()> {
    let (count, len) = (hole.ring.len(), out.len());
    for _ in 0..count + 2 {
        out.push(ContourVertex::default(), Subject::ContourVertices)?;
    }
    let bridge = |vertex: ContourVertex| ContourVertex { neighbor: region as i32, ..vertex };
    let again = out[at];
    out.copy_within(at + 1..len, at + count + 3);
    out[at] = bridge(again);
    for step in 0..count {
        out[at + 1 + step] = hole.ring[(hole.leftmost + step) % count];
    }
    out[at + 1 + count] = bridge(hole.ring[hole.leftmost]);
    out[at + 2 + count] = again;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build3d::contours::ring::twice_area;
    use std::vec;
    use std::vec::Vec;

    fn ring(corners: &[(i32, i32)]) -> Vec<ContourVertex> {
        corners.iter().map(|&(x, z)| ContourVertex { x, z, y: 0, neighbor: 0 }).collect()
    }

    #[test]
    fn a_hole_is_joined_at_its_leftmost_vertex_to_the_nearest_one_that_sees_it() {
        let outline = ring(&[(0, 0), (10, 0), (10, 10), (0, 10)]);
        let hole = ring(&[(6, 4), (4, 4), (4, 6), (6, 6)]);
        let mut room = vec![ContourVertex::default(); 20];
        let mut out = List::over(&mut room);
        for &vertex in &outline {
            out.push(vertex, Subject::ContourVertices).unwrap();
        }
        assert_eq!(join(&mut out, 0, &[0], |_| Hole { ring: &hole, leftmost: 1 }, 7).unwrap(), 0);
        let corners: Vec<_> = out.iter().map(|vertex| (vertex.x, vertex.z, vertex.neighbor)).collect();
        let want = [
            (0, 0, 7),
            (4, 4, 0),
            (4, 6, 0),
            (6, 6, 0),
            (6, 4, 0),
            (4, 4, 7),
            (0, 0, 0),
            (10, 0, 0),
            (10, 10, 0),
            (0, 10, 0),
        ];
        assert_eq!(corners, want);
        assert_eq!(twice_area(&out), 200 - 8);
    }
}
