//! Tracing: the boundary edges of every region, walked into closed loops.

use super::{ContourVertex, RawLoop, TILE_BORDER, WALL};
use crate::build3d::compact::{Compact, DIR_X, DIR_Z};
use crate::error::{Error, Result, Subject};

/// For each edge direction of a cell, where the edge starts: the region lies on its left.
const START_X: [i32; 4] = [0, 1, 1, 0];
const START_Z: [i32; 4] = [1, 1, 0, 0];

/// Walks one field's boundary edges. An edge is a span and one of its four sides. Links must be mutual.
pub(super) struct Tracer<'t> {
    pub field: &'t Compact<'t>,
    /// A region that is not outlined; 0 outlines all.
    pub skipped: u32,
}

/// Where a walk stands.
#[derive(Clone, Copy, PartialEq)]
struct State {
    span: usize,
    dir: usize,
    x: i32,
    z: i32,
}

impl Tracer<'_> {
    /// Sets bit `d` of a span's mask where its edge in direction `d` is a boundary edge, and counts them.
    pub fn mark_edges(&self, masks: &mut [u8]) -> Result<usize> {
        let (field, steps) = (self.field, self.field.frame.steps());
        let mut count = 0;
        for column in 0..field.frame.columns() {
            let first = field.firsts[column] as usize;
            for (offset, mask) in masks[first..field.firsts[column + 1] as usize].iter_mut().enumerate() {
                let span = first + offset;
                let region = field.regions[span];
                *mask = 0;
                if region == 0 || region == self.skipped {
                    continue;
                }
                if region > field.region_count {
                    return Err(Error::invalid(Subject::Regions).value(f64::from(region)));
                }
                for dir in 0..4 {
                    let beyond = field.linked_by(span, column, dir, &steps).map_or(0, |to| field.regions[to]);
                    *mask |= u8::from(beyond != region) << dir;
                }
                count += mask.count_ones() as usize;
            }
        }
        Ok(count)
    }

    /// Walks every marked edge exactly once and returns how many loops there are; the marks are cleared.
    ///
    /// `vertices` has room for every edge and `loops` for a quarter of them, since a loop has at least four.
    pub fn trace(&self, masks: &mut [u8], vertices: &mut [ContourVertex], loops: &mut [RawLoop]) -> usize {
        let width = self.field.frame.width.max(1) as usize;
        let mut first = 0;
        let mut count = 0;
        for column in 0..self.field.frame.columns() {
            for span in self.field.firsts[column] as usize..self.field.firsts[column + 1] as usize {
                // Loops start at the first edge not yet visited, by span and then by direction.
                while masks[span] != 0 {
                    let dir = masks[span].trailing_zeros() as usize;
                    let start = State { span, dir, x: (column % width) as i32, z: (column / width) as i32 };
                    let end = self.trace_loop(start, masks, vertices, first);
                    let (region, length) = (self.field.regions[span], (end - first) as u32);
                    loops[count] = RawLoop { region, first: first as u32, count: length, contour: u32::MAX };
                    first = end;
                    count += 1;
                }
            }
        }
        count
    }

    /// Walks one loop and returns the end of its vertices.
    ///
    /// The step from state to state is one to one, so the walk comes back to its start before it meets any other state
    /// twice: a mark that is gone is never looked at.
    fn trace_loop(&self, start: State, masks: &mut [u8], vertices: &mut [ContourVertex], first: usize) -> usize {
        let mut at = first;
        let mut state = start;
        loop {
            let State { span, dir, x, z } = state;
            if masks[span] >> dir & 1 != 0 {
                masks[span] &= !(1 << dir);
                vertices[at] = ContourVertex {
                    x: x + START_X[dir],
                    z: z + START_Z[dir],
                    y: self.corner_row(&state),
                    neighbor: self.beyond(&state),
                };
                at += 1;
                state.dir = (dir + 3) % 4;
            } else {
                // An edge within its region always has a neighbour.
                let to = self.beyond_edge(span, x, z, dir).unwrap_or(span);
                state = State { span: to, dir: (dir + 1) % 4, x: x + DIR_X[dir], z: z + DIR_Z[dir] };
            }
            if state == start {
                return at;
            }
        }
    }

    fn beyond_edge(&self, span: usize, x: i32, z: i32, dir: usize) -> Option<usize> {
        self.field.linked(span, x as u32, z as u32, dir)
    }

    /// What lies beyond an edge: a region, a wall, or the grid's side.
    fn beyond(&self, &State { span, dir, x, z }: &State) -> i32 {
        if let Some(to) = self.beyond_edge(span, x, z, dir) {
            return self.field.regions[to] as i32;
        }
        let (x, z) = (x + DIR_X[dir], z + DIR_Z[dir]);
        let inside = (0..self.field.frame.width as i32).contains(&x) && (0..self.field.frame.depth as i32).contains(&z);
        if inside { WALL } else { TILE_BORDER }
    }

    /// The highest floor among the span and those that its links reach around the edge's start corner: the two across
    /// the corner's edges and the diagonal one, reached over either of them.
    fn corner_row(&self, &State { span, dir, x, z }: &State) -> i32 {
        let other = (dir + 1) % 4;
        let mut row = self.field.spans[span].y;
        for (over, then) in [(dir, other), (other, dir)] {
            if let Some(side) = self.beyond_edge(span, x, z, over) {
                row = row.max(self.field.spans[side].y);
                if let Some(diagonal) = self.beyond_edge(side, x + DIR_X[over], z + DIR_Z[over], then) {
                    row = row.max(self.field.spans[diagonal].y);
                }
            }
        }
        i32::from(row)
    }
}
