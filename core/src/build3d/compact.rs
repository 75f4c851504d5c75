//! The compact heightfield: the open space above each walkable floor, linked to its four neighbours
//! (`build3d-spans.md`, section 7). The region and contour stages walk it by mutual links only
//! (`build3d-regions.md`, opening).
//!
//! Directions are 0 = -x, 1 = +z, 2 = +x, 3 = -z everywhere.

use super::frame::Frame;
use super::heightfield::{Heightfield, UNBOUNDED};
use crate::error::Result;
use crate::memory::{Arena, Pod, Zeroable};

/// The link index that means "none".
pub const NO_LINK: u32 = 63;
/// The step along x of each direction.
pub const DIR_X: [i32; 4] = [-1, 0, 1, 0];
/// The step along z of each direction.
pub const DIR_Z: [i32; 4] = [0, 1, 0, -1];

/// One open span: the free space above a floor.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    #[inline]
    pub const fn link(&self, dir: usize) -> u32 {
        self.links >> (6 * dir) & NO_LINK
    }

    /// Whether some direction has no link: whether some six bits are all set.
    #[inline]
    pub(crate) const fn lacks_a_link(links: u32) -> bool {
        let pairs = links & links >> 1;
        pairs & pairs >> 2 & pairs >> 4 & 0o1010101 != 0
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

impl<'a> Compact<'a> {
    /// The open spans above every walkable top of a solid field, linked to their neighbours.
    ///
    /// A span links to the lowest span of the neighbour cell whose floor is within `climb` rows and with which it shares
    /// at least `height` rows of free space. Lays `4 * (columns + 1) + 13 * spans` bytes at the arena's front; where the
    /// solid field lies at a scope's back, [`Compact::again`] carves the same arrays after the scope.
    pub fn build(solid: &Heightfield<'_>, height: u32, climb: u32, arena: &mut Arena<'a>) -> Result<Self> {
        let mut count = 0;
        for column in 0..solid.frame.columns() {
            count += solid.column(column).filter(|span| span.area() != 0).count();
        }
        let mut field = Compact::again(solid.frame, count, arena)?;
        field.collect(solid);
        field.regions.fill(0);
        field.link(height.min(UNBOUNDED as u32) as i32, climb.min(UNBOUNDED as u32) as i32);
        Ok(field)
    }

    /// Carves the arrays of a field with `spans` spans and leaves in them what is there: a field that a scope laid at
    /// the front. `region_count` starts at 0.
    pub fn again(frame: Frame, spans: usize, arena: &mut Arena<'a>) -> Result<Self> {
        Ok(Compact {
            frame,
            firsts: arena.take(frame.columns() + 1)?,
            spans: arena.take(spans)?,
            areas: arena.take(spans)?,
            regions: arena.take(spans)?,
            region_count: 0,
        })
    }

    /// Writes the walkable tops, column by column and bottom up, without links.
    fn collect(&mut self, solid: &Heightfield<'_>) {
        let mut at = 0;
        for column in 0..solid.frame.columns() {
            self.firsts[column] = at as u32;
            for span in solid.column(column).filter(|span| span.area() != 0) {
                let free = solid.ceiling(span) - i32::from(span.max());
                self.spans[at] = CompactSpan { y: span.max(), height: free.min(65_535) as u16, links: 0 };
                self.areas[at] = span.area();
                at += 1;
            }
        }
        self.firsts[solid.frame.columns()] = at as u32;
    }

    fn link(&mut self, height: i32, climb: i32) {
        let (last_x, last_z) = (self.frame.width as usize - 1, self.frame.depth as usize - 1);
        let Compact { frame, firsts, spans, .. } = self;
        for (z, row) in rows(frame, firsts).enumerate() {
            for around in row.cells() {
                let inside = [around.x > 0, z < last_z, around.x < last_x, z > 0];
                for span in around.cell() {
                    let mut links = 0;
                    for (dir, inside) in inside.into_iter().enumerate() {
                        let link = if inside {
                            find_link(&spans[span], &spans[around.neighbors(dir)], height, climb)
                        } else {
                            NO_LINK
                        };
                        links |= link << (6 * dir);
                    }
                    spans[span].links = links;
                }
            }
        }
    }

    /// Drops every link whose target does not link back, for the stages that know mutual links only
    /// (`build3d-regions.md`, opening). Erosion, which follows one-way links too, comes before. Idempotent; linear in
    /// spans.
    pub fn keep_mutual_links(&mut self) {
        let frame = self.frame;
        let Compact { firsts, spans, .. } = self;
        for row in rows(&frame, firsts) {
            for around in row.cells() {
                for (place, span) in (0..).zip(around.cell()) {
                    let links = spans[span].links;
                    let mut kept = links;
                    for dir in 0..4 {
                        if around.linked(links, dir).is_some_and(|to| spans[to].link((dir + 2) % 4) != place) {
                            kept |= NO_LINK << (6 * dir);
                        }
                    }
                    spans[span].links = kept;
                }
            }
        }
    }

    /// The spans of a column.
    #[inline]
    pub fn cell(&self, column: usize) -> core::ops::Range<usize> {
        self.firsts[column] as usize..self.firsts[column + 1] as usize
    }

    /// The grid's rows, for a loop that reads every span's links: [`rows`] of this field.
    #[inline]
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = Row<'_>> {
        rows(&self.frame, self.firsts)
    }

    /// Writes each span's column.
    pub fn write_columns(&self, columns: &mut [u32]) {
        for column in 0..self.frame.columns() {
            columns[self.cell(column)].fill(column as u32);
        }
    }

    /// The span that a span of a column links to, one way, with the frame's [`Frame::steps`] at hand.
    #[inline]
    pub(crate) fn linked_by(&self, span: usize, column: usize, dir: usize, steps: &[usize; 4]) -> Option<usize> {
        let link = self.spans[span].link(dir);
        if link == NO_LINK {
            return None;
        }
        Some(self.firsts[column.wrapping_add(steps[dir])] as usize + link as usize)
    }

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

/// The lowest span of a neighbour cell that a span can walk to, as an index within the cell, or [`NO_LINK`].
#[inline]
fn find_link(s: &CompactSpan, cell: &[CompactSpan], height: i32, climb: i32) -> u32 {
    let (floor, top) = (i32::from(s.y), i32::from(s.y) + i32::from(s.height));
    // Six bits hold an index up to 62; what lies above can't be linked to.
    for (index, t) in (0..NO_LINK).zip(cell) {
        let other = i32::from(t.y);
        let shared = top.min(other + i32::from(t.height)) - floor.max(other);
        if shared >= height && (other - floor).abs() <= climb {
            return index;
        }
    }
    NO_LINK
}

/// The rows of a grid, from low z to high: with [`Row::cells`] the loop over all spans that reads links fastest, which
/// may change the field's other arrays meanwhile.
#[inline]
pub(crate) fn rows<'f>(frame: &Frame, firsts: &'f [u32]) -> impl DoubleEndedIterator<Item = Row<'f>> {
    let (width, depth) = (frame.width as usize, frame.depth as usize);
    (0..depth).map(move |z| {
        let row = |z: usize| &firsts[z * width..(z + 1) * width + 1];
        // Beyond the grid's sides nothing is linked to, so any row may stand there.
        Row { below: row(z.saturating_sub(1)), here: row(z), above: row((z + 1).min(depth - 1)) }
    })
}

/// Where the spans of a row's columns and of the rows beside it begin; each has one entry more than columns.
#[derive(Clone, Copy)]
pub(crate) struct Row<'f> {
    below: &'f [u32],
    here: &'f [u32],
    above: &'f [u32],
}

impl<'f> Row<'f> {
    /// The columns that hold spans, from low x to high.
    #[inline]
    pub(crate) fn cells(self) -> impl DoubleEndedIterator<Item = Around<'f>> {
        let row = Row { below: &self.below[..self.here.len()], above: &self.above[..self.here.len()], ..self };
        (0..row.here.len() - 1).filter(move |&x| row.here[x] != row.here[x + 1]).map(move |x| Around { row, x })
    }
}

/// A column, and where the spans of those around it begin.
#[derive(Clone, Copy)]
pub(crate) struct Around<'f> {
    row: Row<'f>,
    /// The column within its row.
    pub(crate) x: usize,
}

impl Around<'_> {
    /// The column's own spans.
    #[inline]
    pub(crate) fn cell(&self) -> core::ops::Range<usize> {
        self.row.here[self.x] as usize..self.row.here[self.x + 1] as usize
    }

    /// The spans of the neighbour in a direction in which there is one.
    #[inline]
    pub(crate) fn neighbors(&self, dir: usize) -> core::ops::Range<usize> {
        let (row, x) = match dir {
            0 => (self.row.here, self.x - 1),
            1 => (self.row.above, self.x),
            2 => (self.row.here, self.x + 1),
            _ => (self.row.below, self.x),
        };
        row[x] as usize..row[x + 1] as usize
    }

    /// Where the spans of the neighbour in a direction begin; any number where there is no neighbour.
    #[inline]
    pub(crate) fn first(&self, dir: usize) -> usize {
        let first = match dir {
            0 => self.row.here[self.x.saturating_sub(1)],
            1 => self.row.above[self.x],
            2 => self.row.here[self.x + 1],
            _ => self.row.below[self.x],
        };
        first as usize
    }

    /// Where the spans of the diagonal neighbour along a row's direction and a side's begin.
    #[inline]
    pub(crate) fn corner<const ROW: usize, const SIDE: usize>(&self) -> usize {
        let row = if ROW == 1 { self.row.above } else { self.row.below };
        row[if SIDE == 0 { self.x.saturating_sub(1) } else { self.x + 1 }] as usize
    }

    /// The span that links name in a direction in which there is a link.
    #[inline]
    pub(crate) fn target(&self, links: u32, dir: usize) -> usize {
        self.first(dir) + (links >> (6 * dir) & NO_LINK) as usize
    }

    /// The span that links name in a direction.
    #[inline]
    pub(crate) fn linked(&self, links: u32, dir: usize) -> Option<usize> {
        let link = links >> (6 * dir) & NO_LINK;
        (link != NO_LINK).then(|| self.first(dir) + link as usize)
    }
}
