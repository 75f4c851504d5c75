//! The solid heightfield: for each column the runs of rows that something fills, and how spans merge
//! (`build3d-spans.md`, section 3).
//!
//! A column keeps its lowest span in place and chains the others through a pool, so that most columns are read in one
//! stride. That takes 8 bytes a column and 8 bytes for every span above a column's lowest.

use super::frame::Frame;
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, List, Pod, Zeroable};

/// The highest area id; every id from 1 on is walkable.
pub const MAX_AREA: u8 = 63;
/// The area id of a surface that is walkable and has no other (`build3d-spans.md`, section 2).
pub const WALKABLE_AREA: u8 = 63;
/// The row that stands for "nothing above".
pub const UNBOUNDED: i32 = 1 << 30;
/// Most spans that a pool addresses.
pub const MAX_SPANS: usize = (1 << 26) - 2;

/// One filled run of rows, `min..max`, with the area of its top.
///
/// A span whose `max` is 0 is no span: an empty column.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SolidSpan {
    min: u16,
    max: u16,
    /// The area in the low six bits; above them the pool's place of the next span up, plus one, or 0.
    link: u32,
}

const AREA_BITS: u32 = 6;
const AREA_MASK: u32 = (1 << AREA_BITS) - 1;

impl SolidSpan {
    const fn new(min: u16, max: u16, area: u8, next: u32) -> SolidSpan {
        SolidSpan { min, max, link: next << AREA_BITS | area as u32 & AREA_MASK }
    }

    /// The first row it fills.
    pub const fn min(&self) -> u16 {
        self.min
    }

    /// The first row above it: its floor, when it is walkable.
    pub const fn max(&self) -> u16 {
        self.max
    }

    /// The area of its top; 0 is not walkable.
    pub const fn area(&self) -> u8 {
        (self.link & AREA_MASK) as u8
    }

    /// The place of the next span up, or 0.
    pub(crate) const fn next(&self) -> u32 {
        self.link >> AREA_BITS
    }

    const fn exists(&self) -> bool {
        self.max != 0
    }

    fn set_next(&mut self, next: u32) {
        self.link = self.link & AREA_MASK | next << AREA_BITS;
    }
}

/// The solid spans of every column of a grid: disjoint, not touching, bottom up.
#[derive(Debug)]
pub struct Heightfield<'a> {
    /// The grid.
    pub frame: Frame,
    columns: &'a mut [SolidSpan],
    pool: List<'a, SolidSpan>,
    /// The first released place of the pool, plus one, or 0.
    free: u32,
}

impl<'a> Heightfield<'a> {
    /// An empty field whose columns lie at the arena's front and whose span pool takes what is left there, up to
    /// `span_limit` spans beyond the lowest of each column.
    ///
    /// For a bake, prefer [`Heightfield::filled`]: it leaves nothing but what was used.
    pub fn new(frame: Frame, span_limit: usize, arena: &mut Arena<'a>) -> Result<Self> {
        let columns = arena.take_zeroed(frame.columns())?;
        let pool = arena.list(span_limit.min(MAX_SPANS));
        Ok(Heightfield { frame, columns, pool, free: 0 })
    }

    /// A field that `fill` has rasterized into, laid at the arena's back with no room to spare, so that the compact
    /// field can be laid at the front and the solid one given back with the scope it stands in.
    ///
    /// While `fill` runs, the pool takes all of the arena's free memory, up to `span_limit` spans beyond the lowest of
    /// each column. What `fill` returns comes back beside the field.
    ///
    /// ```
    /// use navarena::build3d::{frame::Frame, heightfield::Heightfield};
    /// use navarena::memory::{Arena, Memory};
    /// let mut region = Memory::<4096>::new();
    /// let mut arena = Arena::new(region.grains());
    /// let frame = Frame::new([0.0; 3], 1.0, 1.0, 4, 4, 10)?;
    /// let (solid, ()) = Heightfield::filled(frame, 100, &mut arena, |field| field.add_span(5, 2, 4, 63, 1))?;
    /// assert_eq!(solid.column(5).map(|span| (span.min(), span.max())).next(), Some((2, 4)));
    /// assert_eq!(arena.taken(), 16 * 8); // no span lies above a column's lowest
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn filled<R>(
        frame: Frame,
        span_limit: usize,
        arena: &mut Arena<'a>,
        fill: impl FnOnce(&mut Heightfield<'_>) -> Result<R>,
    ) -> Result<(Self, R)> {
        let (used, free, result) = arena.scope(|desk| {
            let columns = desk.take_back(frame.columns())?;
            columns.fill(SolidSpan::default());
            let pool = desk.list(span_limit.min(MAX_SPANS));
            let mut field = Heightfield { frame, columns, pool, free: 0 };
            let result = fill(&mut field)?;
            desk.settle(&field.pool);
            Ok((field.pool.len(), field.free, result))
        })?;
        let columns = arena.take_back(frame.columns())?;
        let pool = List::full_of(arena.take_back_what_lies_in_front(used)?);
        Ok((Heightfield { frame, columns, pool, free }, result))
    }

    /// Removes every span.
    pub fn clear(&mut self) {
        self.columns.fill(SolidSpan::default());
        self.pool.clear();
        self.free = 0;
    }

    /// The spans of a column, bottom up. A column outside the grid has none.
    pub fn column(&self, column: usize) -> Column<'_> {
        let first = self.columns.get(column).filter(|span| span.exists());
        Column { pool: &self.pool, next: first }
    }

    /// How many spans there are.
    pub fn span_count(&self) -> usize {
        (0..self.columns.len()).map(|column| self.column(column).count()).sum()
    }

    /// Fills the rows `min..max` of a column and merges with every span that overlaps or touches them, one at a time
    /// from the bottom up. The area of the merged top is the larger of two areas whose tops differ by at most
    /// `threshold` rows, else the upper one's.
    ///
    /// The result depends on the order in which spans are added. Refuses an empty or inverted run, rows past the
    /// grid's, a column outside it, an area past [`MAX_AREA`], and one span more than the limit, which leaves the
    /// field as it was. Costs the spans of the column.
    pub fn add_span(&mut self, column: usize, min: u16, max: u16, area: u8, threshold: u32) -> Result<()> {
        if min >= max || u32::from(max) > self.frame.rows {
            return Err(Error::invalid(Subject::Rows).at(column).value(f64::from(max)));
        }
        if area > MAX_AREA {
            return Err(Error::invalid(Subject::Area).value(f64::from(area)).bound(f64::from(MAX_AREA)));
        }
        if column >= self.columns.len() {
            return Err(Error::invalid(Subject::Columns).value(column as f64).bound(self.columns.len() as f64));
        }
        self.insert(column, Run { min, max, area }, threshold)
    }

    /// [`Heightfield::add_span`] of what is known to be in range.
    #[inline]
    pub(crate) fn insert(&mut self, column: usize, mut run: Run, threshold: u32) -> Result<()> {
        let first = self.columns[column];
        if !first.exists() {
            self.columns[column] = SolidSpan::new(run.min, run.max, run.area, 0);
            return Ok(());
        }
        if first.max >= run.min && (first.next() == 0 || first.max >= run.max) {
            // The lowest span is touched and no other can be: most of what a level adds.
            if first.min <= run.max {
                run.merge(&first, threshold);
                self.columns[column] = SolidSpan::new(run.min, run.max, run.area, first.next());
                return Ok(());
            }
        }
        self.insert_in_chain(column, run, threshold)
    }

    /// The general case of an insertion: finds the last span wholly below the run, merges those that touch it, and
    /// links what comes out between the two ends of the chain.
    fn insert_in_chain(&mut self, column: usize, mut run: Run, threshold: u32) -> Result<()> {
        // Place 0 is the column itself; place p > 0 is the pool's element p - 1.
        let mut below = None;
        let mut at = 0;
        let mut span = self.columns[column];
        while span.max < run.min {
            below = Some(at);
            at = span.next();
            if at == 0 {
                return self.append(column, below.unwrap_or(0), run);
            }
            span = self.pool[at as usize - 1];
        }
        if span.min > run.max {
            return self.squeeze(column, below, at, run);
        }
        let home = at;
        let mut rest;
        loop {
            run.merge(&span, threshold);
            rest = span.next();
            if at != home {
                self.release(at);
            }
            at = rest;
            if at == 0 {
                break;
            }
            span = self.pool[at as usize - 1];
            if span.min > run.max {
                break;
            }
        }
        *self.place(column, home) = SolidSpan::new(run.min, run.max, run.area, rest);
        Ok(())
    }

    /// A run above every span of its column, `last` being the place of the topmost.
    fn append(&mut self, column: usize, last: u32, run: Run) -> Result<()> {
        let new = self.claim(SolidSpan::new(run.min, run.max, run.area, 0))?;
        self.place(column, last).set_next(new);
        Ok(())
    }

    /// A run that touches nothing, below the span at `above` and above the one at `below`, if there is one.
    fn squeeze(&mut self, column: usize, below: Option<u32>, above: u32, run: Run) -> Result<()> {
        match below {
            Some(below) => {
                let new = self.claim(SolidSpan::new(run.min, run.max, run.area, above))?;
                self.place(column, below).set_next(new);
            }
            None => {
                let moved = self.claim(self.columns[column])?;
                self.columns[column] = SolidSpan::new(run.min, run.max, run.area, moved);
            }
        }
        Ok(())
    }

    /// Adds every span of another field whose corner stands at cell `offset` (x, z) of this one, with merge threshold 0,
    /// columns in order of z, then x. Cells outside this grid, and rows past it, are dropped; the other field's cell
    /// sizes don't matter (`build3d-polys.md`, section 1, "Voxel input").
    pub fn add_field(&mut self, other: &Heightfield<'_>, offset: [i64; 2]) -> Result<()> {
        let (frame, source) = (self.frame, other.frame);
        let sides = [(offset[0], source.width, frame.width), (offset[1], source.depth, frame.depth)];
        let [xs, zs] = sides.map(|(offset, count, limit)| {
            let from = offset.saturating_neg().clamp(0, i64::from(count));
            from..(i64::from(limit).saturating_sub(offset)).clamp(from, i64::from(count))
        });
        for z in zs {
            for x in xs.clone() {
                let column = frame.column((x + offset[0]) as u32, (z + offset[1]) as u32);
                for span in other.column(source.column(x as u32, z as u32)) {
                    let max = u32::from(span.max).min(frame.rows) as u16;
                    if span.min < max {
                        self.insert(column, Run { min: span.min, max, area: span.area() }, 0)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn place(&mut self, column: usize, place: u32) -> &mut SolidSpan {
        match place {
            0 => &mut self.columns[column],
            _ => &mut self.pool[place as usize - 1],
        }
    }

    /// Stores a span in the pool and returns its place.
    fn claim(&mut self, span: SolidSpan) -> Result<u32> {
        if self.free == 0 {
            self.pool.push(span, Subject::Spans)?;
            return Ok(self.pool.len() as u32);
        }
        let place = self.free;
        self.free = self.pool[place as usize - 1].next();
        self.pool[place as usize - 1] = span;
        Ok(place)
    }

    fn release(&mut self, place: u32) {
        self.pool[place as usize - 1] = SolidSpan::new(0, 0, 0, self.free);
        self.free = place;
    }

    /// The span at a place of a column: 0 is its lowest, and others are what [`SolidSpan::next`] gives. An empty
    /// column's lowest has no area and none above it.
    #[inline]
    pub(crate) fn at(&self, column: usize, place: u32) -> SolidSpan {
        match place {
            0 => self.columns[column],
            _ => self.pool[place as usize - 1],
        }
    }

    /// The first filled row above a span, or [`UNBOUNDED`].
    #[inline]
    pub(crate) fn ceiling(&self, span: &SolidSpan) -> i32 {
        match span.next() {
            0 => UNBOUNDED,
            next => i32::from(self.pool[next as usize - 1].min),
        }
    }

    /// Sets the area of the span at a place.
    pub(crate) fn set_area(&mut self, column: usize, place: u32, area: u8) {
        let span = self.place(column, place);
        span.link = span.link & !AREA_MASK | u32::from(area) & AREA_MASK;
    }
}

/// A run of rows with an area, on its way into a column.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub min: u16,
    pub max: u16,
    pub area: u8,
}

impl Run {
    /// Takes a span in that overlaps or touches the run. The order of the two cases and which area wins are the page's.
    #[inline]
    fn merge(&mut self, span: &SolidSpan, threshold: u32) {
        if span.max > self.max {
            let near = u32::from(span.max - self.max) <= threshold;
            self.area = if near { self.area.max(span.area()) } else { span.area() };
            self.max = span.max;
        } else if u32::from(self.max - span.max) <= threshold {
            self.area = self.area.max(span.area());
        }
        self.min = self.min.min(span.min);
    }
}

/// The spans of one column, bottom up.
#[derive(Clone, Debug)]
pub struct Column<'f> {
    pool: &'f [SolidSpan],
    next: Option<&'f SolidSpan>,
}

impl<'f> Iterator for Column<'f> {
    type Item = &'f SolidSpan;

    #[inline]
    fn next(&mut self) -> Option<&'f SolidSpan> {
        let span = self.next?;
        // A place of 0 wraps to an index that no pool has.
        self.next = self.pool.get((span.next() as usize).wrapping_sub(1));
        Some(span)
    }
}
