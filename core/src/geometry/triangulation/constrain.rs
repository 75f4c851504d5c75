//! Constraints into the net: flip what a segment crosses until it is an edge (Sloan 1993), then flip what is no longer
//! Delaunay (`build2d-geometry.md`, "Constrained Delaunay triangulation", steps 3 and 4).

use super::net::{Net, Side};
use crate::error::{Error, Result, Subject};
use crate::geometry::predicates::Turn;

/// Edges that wait to be flipped, by their ends; a queue in a ring of memory.
pub(super) struct Queue<'a> {
    edges: &'a mut [[u32; 2]],
    first: usize,
    len: usize,
}

impl<'a> Queue<'a> {
    pub(super) fn over(edges: &'a mut [[u32; 2]]) -> Self {
        Queue { edges, first: 0, len: 0 }
    }

    fn push(&mut self, edge: [u32; 2]) -> Result<()> {
        if self.len == self.edges.len() {
            return Err(Error::capacity(Subject::Edges, self.len));
        }
        let at = (self.first + self.len) % self.edges.len();
        self.edges[at] = edge;
        self.len += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<[u32; 2]> {
        self.len = self.len.checked_sub(1)?;
        let edge = self.edges[self.first];
        self.first = (self.first + 1) % self.edges.len();
        Some(edge)
    }
}

impl Net<'_> {
    /// Makes the segment between two vertices an edge that is never flipped. `None` where it can't be one: another vertex
    /// lies on it, or another constraint crosses it.
    pub(super) fn constrain(&mut self, [a, b]: [u32; 2], queue: &mut Queue<'_>) -> Result<Option<()>> {
        (queue.first, queue.len) = (0, 0);
        if self.side_between(a, b).is_none()
            && (self.queue_crossed([a, b], queue)?.is_none() || self.flip_crossed([a, b], queue)?.is_none())
        {
            return Ok(None);
        }
        let Some(side) = self.side_between(a, b) else { return Ok(None) };
        self.mark(side);
        if let Some(other) = self.across(side) {
            self.mark(other);
        }
        Ok(Some(()))
    }

    fn mark(&mut self, side: Side) {
        self.triangles[side.triangle as usize].marks |= 1 << side.edge;
    }

    /// Queues the edges that a segment crosses, in its direction.
    fn queue_crossed(&self, [a, b]: [u32; 2], queue: &mut Queue<'_>) -> Result<Option<()>> {
        let leaving = self.sides_from(a).find(|side| {
            let [right, left] = [1, 2].map(|i| self.get(side.triangle).vertices[(side.edge + i) % 3]);
            self.turn(a, b, right).is_right() && self.turn(a, b, left).is_left()
        });
        let Some(leaving) = leaving else { return Ok(None) };
        let mut side = Side { edge: (leaving.edge + 1) % 3, ..leaving };
        for _ in 0..self.len {
            let triangle = self.get(side.triangle);
            let [right, left] = [0, 1].map(|i| triangle.vertices[(side.edge + i) % 3]);
            if triangle.is_constraint(side.edge) {
                return Ok(None);
            }
            queue.push([right, left])?;
            let Some(other) = self.across(side) else { return Ok(None) };
            let apex = self.apex(other);
            if apex == b {
                return Ok(Some(()));
            }
            // `other` runs from left to right; then come right to the apex and the apex to left.
            let step = match self.turn(a, b, apex) {
                Turn::Left => 1,
                Turn::Right => 2,
                Turn::Straight => return Ok(None),
            };
            side = Side { edge: (other.edge + step) % 3, ..other };
        }
        Ok(None)
    }

    /// Flips the queued edges until none crosses the segment.
    fn flip_crossed(&mut self, [a, b]: [u32; 2], queue: &mut Queue<'_>) -> Result<Option<()>> {
        // Each flip that still crosses leaves fewer places for those that can't be flipped yet: quadratic at worst.
        let crossed = queue.len as u64;
        for _ in 0..(crossed + 4).saturating_mul(crossed + 4).saturating_mul(4) {
            let Some([u, w]) = queue.pop() else { return Ok(Some(())) };
            // The corners of the bounding triangle have no full turn of triangles, but no edge that is crossed joins two.
            let [from, to] = if u < w { [u, w] } else { [w, u] };
            let Some(side) = self.side_between(from, to) else { return Ok(None) };
            let Some(other) = self.across(side) else { return Ok(None) };
            if !self.is_flippable(side, other) {
                queue.push([u, w])?;
                continue;
            }
            let ends = [self.apex(side), self.apex(other)];
            self.flip(side, other);
            self.suspect(side.triangle);
            self.suspect(other.triangle);
            let [one, two] = ends.map(|end| self.turn(a, b, end).sign());
            if one * two < 0 {
                queue.push(ends)?;
            }
        }
        Ok(None)
    }

    /// Passes over all triangles in their order and flips the edges whose circle holds the vertex beyond, until a pass
    /// flips nothing. Only edges beside a triangle that changed since they were last tested can need it.
    pub(super) fn restore_delaunay(&mut self) {
        // Every flip raises the sorted list of angles, so passes end; the bound is the number of pairs of vertices.
        let most = (self.points.len() as u64).saturating_mul(self.points.len() as u64);
        for _ in 0..most {
            let mut flipped = false;
            for triangle in 0..self.len as u32 {
                flipped |= self.test_edges(triangle);
            }
            if !flipped {
                return;
            }
        }
    }

    fn test_edges(&mut self, triangle: u32) -> bool {
        let mut flipped = false;
        for edge in 0..3 {
            let side = Side { triangle, edge };
            if self.get(triangle).is_constraint(edge) {
                continue;
            }
            let Some(other) = self.across(side) else { continue };
            if !self.is_suspect(triangle) && !self.is_suspect(other.triangle) {
                continue;
            }
            if self.is_inside(triangle, self.apex(other)) && self.is_flippable(side, other) {
                self.flip(side, other);
                self.suspect(triangle);
                self.suspect(other.triangle);
                flipped = true;
            }
        }
        if !flipped {
            self.clear(triangle);
        }
        flipped
    }
}
