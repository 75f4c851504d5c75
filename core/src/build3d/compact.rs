//! The compact heightfield: the open space above each walkable floor, linked to its four neighbours
//! (`build3d-spans.md`, section 7), and the mutual span graph that the region and contour stages walk
//! (`build3d-regions.md`, opening).
//!
//! Directions are 0 = -x, 1 = +z, 2 = +x, 3 = -z everywhere.

use super::frame::Frame;
use crate::error::Result;
use crate::memory::{Arena, Pod, Zeroable};

/// The link index that means "none".
pub const NO_LINK: u32 = 63;
/// The neighbour that means "none".
pub const NO_SPAN: u32 = u32::MAX;
/// The step along x of each direction.
pub const DIR_X: [i32; 4] = [-1, 0, 1, 0];
/// The step along z of each direction.
pub const DIR_Z: [i32; 4] = [0, 1, 0, -1];

/// One open span: the free space above a floor.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct CompactSpan {
    /// The floor's row.
    pub y: u16,
    /// Free rows above the floor, capped at 65535.
    pub height: u16,
    /// For each direction `d`, six bits at `6 * d`: the index within the neighbour cell, or [`NO_LINK`].
    pub links: u32,
}

impl CompactSpan {
    /// The link in a direction, or [`NO_LINK`].
    pub const fn link(&self, dir: usize) -> u32 {
        self.links >> (6 * dir) & NO_LINK
    }
}

/// The compact heightfield of one tile, in arrays by access.
#[derive(Debug)]
pub struct Compact<'a> {
    /// The grid.
    pub frame: Frame,
    /// The first span of each column, and one entry more: column `c` holds `firsts[c]..firsts[c + 1]`.
    pub firsts: &'a mut [u32],
    /// The spans, column by column, bottom up.
    pub spans: &'a mut [CompactSpan],
    /// Each span's area; 0 is not walkable.
    pub areas: &'a mut [u8],
    /// Each span's region; 0 is none.
    pub regions: &'a mut [u32],
    /// The largest region id.
    pub region_count: u32,
}

impl Compact<'_> {
    /// The span that a span of column `(x, z)` links to, one way.
    pub fn linked(&self, span: usize, x: u32, z: u32, dir: usize) -> Option<usize> {
        let link = self.spans[span].link(dir);
        if link == NO_LINK {
            return None;
        }
        let column = x.wrapping_add_signed(DIR_X[dir]) as usize
            + z.wrapping_add_signed(DIR_Z[dir]) as usize * self.frame.width as usize;
        Some(self.firsts[column] as usize + link as usize)
    }
}

/// The mutual neighbours of every span, resolved once for the stages that walk them.
#[derive(Debug)]
pub struct SpanGraph<'a> {
    /// For each span and direction the neighbour, or [`NO_SPAN`]. A one-way link counts as none.
    pub neighbors: &'a mut [[u32; 4]],
    /// Each span's column.
    pub columns: &'a mut [u32],
}

impl<'a> SpanGraph<'a> {
    /// Resolves the mutual links of a compact heightfield. Time and memory are linear in spans.
    pub fn build(field: &Compact<'_>, arena: &mut Arena<'a>) -> Result<Self> {
        let count = field.spans.len();
        let neighbors = arena.take::<[u32; 4]>(count)?;
        let columns = arena.take::<u32>(count)?;
        for z in 0..field.frame.depth {
            for x in 0..field.frame.width {
                let column = x as usize + z as usize * field.frame.width as usize;
                for span in field.firsts[column] as usize..field.firsts[column + 1] as usize {
                    columns[span] = column as u32;
                    for dir in 0..4 {
                        neighbors[span][dir] = field.linked(span, x, z, dir).map_or(NO_SPAN, |to| to as u32);
                    }
                }
            }
        }
        let mut graph = SpanGraph { neighbors, columns };
        graph.drop_one_way();
        Ok(graph)
    }

    /// Keeps a link only where its target links back. A link that is dropped never made another mutual, so one pass
    /// suffices.
    fn drop_one_way(&mut self) {
        for span in 0..self.neighbors.len() {
            for dir in 0..4 {
                let to = self.neighbors[span][dir];
                if to != NO_SPAN && self.neighbors[to as usize][(dir + 2) % 4] != span as u32 {
                    self.neighbors[span][dir] = NO_SPAN;
                }
            }
        }
    }
}
