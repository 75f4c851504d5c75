//! Tracing: the boundary edges of every region, walked into closed loops.

use super::{ContourVertex, RawLoop, TILE_BORDER, WALL};
use crate::build3d::compact::{Compact, DIR_X, DIR_Z};
use crate::error::{Error, Result, Subject};

/// For each edge direction of a cell, where the edge starts: the region lies on its left.
const START_X: [i32; 4] = [0, 1, 1, 0];
const START_Z: [i32; 4] = [1, 1, 0, 0];

/// How many edges a mask has.
const BITS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// The directions in which links name no span, as a mask: their six bits are all set.
const fn without_link(links: u32) -> u8 {
    let pairs = links & (links >> 1);
    let all = pairs & (pairs >> 2) & (pairs >> 4);
    (all & 1 | all >> 5 & 2 | all >> 10 & 4 | all >> 15 & 8) as u8
}

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
    ///
    /// A border between two regions is a boundary edge of both, so every link is looked at from one side only.
    pub fn mark_edges(&self, masks: &mut [u8]) -> Result<usize> {
        let (field, steps) = (self.field, self.field.frame.steps());
        masks.fill(0);
        let mut count = 0;
        let mut mark = |span: usize, region: u32, edges: u8| {
            if region != 0 && region != self.skipped {
                masks[span] |= edges;
                count += usize::from(BITS[usize::from(edges)]);
            }
        };
        for column in 0..field.frame.columns() {
            for span in field.firsts[column] as usize..field.firsts[column + 1] as usize {
                let (region, links) = (field.regions[span], field.spans[span].links);
                if region > field.region_count {
                    return Err(Error::invalid(Subject::Regions).value(f64::from(region)));
                }
                mark(span, region, without_link(links));
                for dir in [1, 2] {
                    if let Some(to) = field.linked_by(span, column, dir, &steps)
                        && field.regions[to] != region
                    {
                        mark(span, region, 1 << dir);
                        mark(to, field.regions[to], 1 << ((dir + 2) % 4));
                    }
                }
            }
        }
        Ok(count)
    }

    /// Walks every marked edge exactly once, notes the area of every region met, and returns how many loops there are; the
    /// marks are cleared.
    ///
    /// `vertices` has room for every edge and `loops` for a quarter of them, since a loop has at least four. Links that are
    /// not mutual break that, and are refused.
    pub fn trace(
        &self,
        masks: &mut [u8],
        vertices: &mut [ContourVertex],
        loops: &mut [RawLoop],
        areas: &mut [u8],
    ) -> Result<usize> {
        let width = self.field.frame.width.max(1) as usize;
        let one_way = Error::invalid(Subject::Links);
        let (mut first, mut count, mut span) = (0, 0, 0);
        // Loops start at the first edge not yet visited, by span and then by direction.
        while let Some(ahead) = masks[span..].iter().position(|&mask| mask != 0) {
            span += ahead;
            let column = self.field.firsts.partition_point(|&first| first as usize <= span).saturating_sub(1);
            let dir = masks[span].trailing_zeros() as usize;
            let start = State { span, dir, x: (column % width) as i32, z: (column / width) as i32 };
            let end = self.trace_loop(start, masks, vertices, first).ok_or(one_way.at(span))?;
            let (region, length) = (self.field.regions[span], (end - first) as u32);
            areas[region as usize] = self.field.areas[span];
            *loops.get_mut(count).ok_or(one_way.at(span))? =
                RawLoop { region, first: first as u32, count: length, contour: u32::MAX };
            first = end;
            count += 1;
        }
        Ok(count)
    }

    /// Walks one loop and returns the end of its vertices; none when it does not close.
    ///
    /// The step from state to state is one to one, so the walk comes back to its start before it meets any other state
    /// twice: a mark that is gone is never looked at.
    fn trace_loop(
        &self,
        start: State,
        masks: &mut [u8],
        vertices: &mut [ContourVertex],
        first: usize,
    ) -> Option<usize> {
        let mut at = first;
        let mut state = start;
        for _ in 0..4 * masks.len() {
            let State { span, dir, x, z } = state;
            if masks[span] >> dir & 1 != 0 {
                masks[span] &= !(1 << dir);
                *vertices.get_mut(at)? = ContourVertex {
                    x: x + START_X[dir],
                    z: z + START_Z[dir],
                    y: self.corner_row(&state),
                    neighbor: self.beyond(&state),
                };
                at += 1;
                state.dir = (dir + 3) % 4;
            } else {
                let to = self.beyond_edge(span, x, z, dir)?;
                state = State { span: to, dir: (dir + 1) % 4, x: x + DIR_X[dir], z: z + DIR_Z[dir] };
            }
            if state == start {
                return Some(at);
            }
        }
        None
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build3d::compact::{CompactSpan, NO_LINK};
    use crate::build3d::test_fields::Dice;

    #[test]
    fn missing_links_are_those_with_the_index_none() {
        let mut dice = Dice(2);
        for _ in 0..10_000 {
            let indices = [0; 4].map(|_: u32| if dice.roll(2) == 0 { NO_LINK } else { dice.roll(64) });
            let links = (0..4).map(|dir| indices[dir] << (6 * dir)).sum::<u32>() | dice.roll(256) << 24;
            let span = CompactSpan { y: 0, height: 0, links };
            let want = (0..4).filter(|&dir| span.link(dir) == NO_LINK).map(|dir| 1 << dir).sum::<u8>();
            assert_eq!(without_link(links), want);
            assert_eq!(u32::from(BITS[usize::from(want)]), want.count_ones());
        }
    }
}
