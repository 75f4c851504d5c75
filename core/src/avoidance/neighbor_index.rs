//! Who stands near whom: points sorted once a step into slabs, strips and rows, then scanned outwards.
//!
//! In the plane the points are cut by y into strips of equally many, and each strip is sorted by x; in space slabs by z
//! come first (Leutenegger, Lopez and Edgington, *STR: a simple and efficient algorithm for R-tree packing*, 1997). Equal
//! counts follow the crowd's density by themselves, so there is no cell width to choose and no scale at which it fails.
//! A scan begins beside the point asked about and ends where the remaining distance along one axis alone is too far:
//! with a full list of the nearest that is soon. What is found is the set the pages define, ordered by [`Nearest`], which
//! breaks ties by the caller's rule; the structure does not show.

use super::nearest::{Near, Nearest};
use crate::error::{Error, Result, Subject};
use crate::math::dot;
use crate::memory::{Arena, Plan, Pod, Ruler, Zeroable};

/// A point and whose it is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Entry {
    pub point: [f64; 3],
    pub name: u32,
    pub spare: u32,
}

/// A run of strips or of entries, and how far its points reach along the axis that it was cut by.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
struct Cut {
    low: f64,
    high: f64,
    start: u32,
    end: u32,
}

/// How the points are cut: into slabs by z, into strips by y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cutting {
    /// Entries of a slab.
    slab: usize,
    /// Entries of a strip.
    strip: usize,
}

impl Cutting {
    /// Strips some two spacings high over a square of points.
    const fn plane(count: usize) -> Cutting {
        let strip = 2 * count.isqrt();
        Cutting { slab: if count > 1 { count } else { 1 }, strip: if strip > 8 { strip } else { 8 } }
    }

    /// Slabs and strips some two spacings thick through a cube of points.
    const fn space(count: usize) -> Cutting {
        let mut side = 1;
        while side * side * side < count {
            side += 1;
        }
        let strip = if side > 2 { 4 * side } else { 8 };
        // A slab holds whole strips, so that only its last is short.
        let slab = 2 * side * side;
        Cutting { slab: slab.div_ceil(strip) * strip, strip }
    }
}

/// Points to find neighbours among. Made for so many; [`sort`](Self::sort) takes those of a step.
///
/// Bytes: 32 a point, 24 for every 8 of them, and 12 for the root of their number.
#[derive(Debug)]
pub struct NeighborIndex<'m> {
    entries: &'m mut [Entry],
    strips: &'m mut [Cut],
    slabs: &'m mut [Cut],
    count: usize,
    strip_count: usize,
    slab_count: usize,
}

impl<'m> NeighborIndex<'m> {
    /// The most strips that any number of points up to a limit is cut into, and the most slabs.
    const fn cuts(points: usize) -> (usize, usize) {
        // Eight points a strip is the least there is; the slabs of a cube are half its side, which is below the root.
        (points.div_ceil(8) + 1, points.isqrt() / 2 + 2)
    }

    /// What an index of up to `points` points needs.
    pub const fn plan(points: usize) -> Plan {
        let (strips, slabs) = Self::cuts(points);
        Ruler::new().array::<Entry>(points).array::<Cut>(strips).array::<Cut>(slabs).plan()
    }

    /// An empty index.
    pub fn new(points: usize, arena: &mut Arena<'m>) -> Result<Self> {
        arena.check(Self::plan(points))?;
        let (strips, slabs) = Self::cuts(points);
        let (entries, strips, slabs) = (arena.take(points)?, arena.take(strips)?, arena.take(slabs)?);
        Ok(NeighborIndex { entries, strips, slabs, count: 0, strip_count: 0, slab_count: 0 })
    }

    /// Sorts the points of a step on the plane, each with its name. More than it was made for are refused (kind
    /// `Capacity`), and then it is empty. Costs n log n.
    pub fn sort(&mut self, points: impl IntoIterator<Item = (u32, [f64; 2])>) -> Result<()> {
        self.fill(points.into_iter().map(|(name, [x, y])| (name, [x, y, 0.0])))?;
        self.cut(Cutting::plane(self.count));
        Ok(())
    }

    /// The same for points in space.
    pub fn sort_in_space(&mut self, points: impl IntoIterator<Item = (u32, [f64; 3])>) -> Result<()> {
        self.fill(points)?;
        self.cut(Cutting::space(self.count));
        Ok(())
    }

    /// How many points it holds.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The name of the point at a place, 0 to less than [`len`](Self::len). Neighbouring places are neighbours on the ground.
    #[inline]
    pub fn name(&self, place: usize) -> u32 {
        self.entries[place].name
    }

    /// The point at a place.
    #[inline]
    pub fn point(&self, place: usize) -> [f64; 3] {
        self.entries[place].point
    }

    /// Offers the list every point that it admits by squared distance from a point of the plane, but those that
    /// `keep(name, place)` leaves out; `before` orders the names of two as near.
    pub fn nearest(
        &self,
        from: [f64; 2],
        list: &mut Nearest<'_>,
        keep: impl Fn(u32, u32) -> bool,
        before: impl Fn(u32, u32) -> bool,
    ) {
        self.nearest_in_space([from[0], from[1], 0.0], list, keep, before);
    }

    /// The same from a point in space.
    pub fn nearest_in_space(
        &self,
        from: [f64; 3],
        list: &mut Nearest<'_>,
        keep: impl Fn(u32, u32) -> bool,
        before: impl Fn(u32, u32) -> bool,
    ) {
        let scan = |list: &mut Nearest<'_>, strip: &Cut| {
            let Some(row) = self.entries.get(strip.start as usize..strip.end as usize) else { return };
            let middle = row.partition_point(|entry| entry.point[0] < from[0]);
            let (left, right) = row.split_at(middle);
            let mut look = Look { from, list, keep: &keep, before: &before };
            let split = strip.start + middle as u32;
            let (left, right) = ((strip.start..split).zip(left).rev(), (split..strip.end).zip(right));
            look.scan_sides(left, right);
        };
        let slabs = &self.slabs[..self.slab_count];
        outwards(slabs, from[2], list, |list, slab| {
            outwards(&self.strips[slab.start as usize..slab.end as usize], from[1], list, scan);
        });
    }

    fn fill(&mut self, points: impl IntoIterator<Item = (u32, [f64; 3])>) -> Result<()> {
        (self.count, self.strip_count, self.slab_count) = (0, 0, 0);
        let mut count = 0;
        for (name, point) in points {
            let room = self.entries.len();
            let entry = self.entries.get_mut(count).ok_or(Error::capacity(Subject::Points, room))?;
            *entry = Entry { point, name, spare: 0 };
            count += 1;
        }
        self.count = count;
        Ok(())
    }

    fn cut(&mut self, cutting: Cutting) {
        let mut start = 0;
        while start < self.count {
            let end = self.count.min(start + cutting.slab);
            if cutting.slab < self.count && start == 0 {
                sort_along(&mut self.entries[..self.count], 2);
            }
            let first = self.strip_count;
            self.cut_slab(start, end, cutting.strip);
            self.slabs[self.slab_count] =
                Cut { start: first as u32, end: self.strip_count as u32, ..reach_along(&self.entries[start..end], 2) };
            self.slab_count += 1;
            start = end;
        }
    }

    fn cut_slab(&mut self, start: usize, end: usize, length: usize) {
        sort_along(&mut self.entries[start..end], 1);
        for from in (start..end).step_by(length) {
            let to = end.min(from + length);
            let row = &mut self.entries[from..to];
            sort_along(row, 0);
            self.strips[self.strip_count] = Cut { start: from as u32, end: to as u32, ..reach_along(row, 1) };
            self.strip_count += 1;
        }
    }
}

/// A scan of rows for what is near a point.
struct Look<'l, 'r, K, B> {
    from: [f64; 3],
    list: &'l mut Nearest<'r>,
    keep: &'l K,
    before: &'l B,
}

impl<K: Fn(u32, u32) -> bool, B: Fn(u32, u32) -> bool> Look<'_, '_, K, B> {
    /// Looks at entries on one side of the point, from the one beside it on, as far as the list admits.
    #[inline(always)]
    fn scan_side<'e>(&mut self, mut side: impl Iterator<Item = (u32, &'e Entry)>) {
        while side.next().is_some_and(|(place, entry)| self.look(place, entry)) {}
    }

    /// The same on both sides, by turns until the list is full: so it fills with what mostly stays, and little is inserted
    /// before others. Whose turn it is goes by no distance: which side is nearer would be anyone's guess.
    #[inline(always)]
    fn scan_sides<'e>(
        &mut self,
        mut left: impl Iterator<Item = (u32, &'e Entry)>,
        mut right: impl Iterator<Item = (u32, &'e Entry)>,
    ) {
        let (mut goes_left, mut goes_right) = (true, true);
        while (goes_left | goes_right) && !self.list.is_full() {
            goes_right = goes_right && right.next().is_some_and(|(place, entry)| self.look(place, entry));
            goes_left = goes_left && left.next().is_some_and(|(place, entry)| self.look(place, entry));
        }
        if goes_right {
            self.scan_side(right);
        }
        if goes_left {
            self.scan_side(left);
        }
    }

    /// Offers an entry to the list; `false` when no entry farther along the row can be admitted either.
    #[inline(always)]
    fn look(&mut self, place: u32, entry: &Entry) -> bool {
        let apart = entry.point[0] - self.from[0];
        if !self.list.admits(apart * apart) {
            return false;
        }
        let beside = [apart, entry.point[1] - self.from[1], entry.point[2] - self.from[2]];
        let distance = dot(beside, beside);
        if self.list.admits(distance) && (self.keep)(entry.name, place) {
            self.list.offer(Near { distance, name: entry.name, place }, self.before);
        }
        true
    }
}

/// Visits cuts from the one beside a coordinate outwards to both sides, as far as the list admits.
#[inline]
fn outwards(cuts: &[Cut], from: f64, list: &mut Nearest<'_>, mut visit: impl FnMut(&mut Nearest<'_>, &Cut)) {
    // Cuts follow one another along the axis, so the first that reaches the coordinate is beside it.
    let middle = cuts.partition_point(|cut| cut.high < from);
    let (mut above, mut below) = (middle, middle);
    loop {
        let next = cuts.get(above).map(|cut| square_above(cut.low - from)).filter(|&apart| list.admits(apart));
        if next.is_some() {
            visit(list, &cuts[above]);
            above += 1;
        }
        let previous = below.checked_sub(1).map(|at| (at, from - cuts[at].high));
        let previous = previous.filter(|&(_, apart)| list.admits(apart * apart));
        if let Some((at, _)) = previous {
            visit(list, &cuts[at]);
            below = at;
        }
        if next.is_none() && previous.is_none() {
            return;
        }
    }
}

/// The square of what is above zero of a difference.
#[inline]
fn square_above(difference: f64) -> f64 {
    if difference > 0.0 { difference * difference } else { 0.0 }
}

/// Sorts entries along an axis. Equal coordinates come in any order: no result depends on it.
fn sort_along(entries: &mut [Entry], axis: usize) {
    entries.sort_unstable_by_key(|entry| ordered(entry.point[axis]));
}

/// The bits of a double as an integer of the same order.
#[inline]
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}

fn reach_along(entries: &[Entry], axis: usize) -> Cut {
    let mut cut = Cut { low: f64::INFINITY, high: f64::NEG_INFINITY, start: 0, end: 0 };
    for entry in entries {
        cut.low = crate::math::min(cut.low, entry.point[axis]);
        cut.high = crate::math::max(cut.high, entry.point[axis]);
    }
    cut
}
