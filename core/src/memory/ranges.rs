//! Ranges of one element type that vary in length: whether one fits depends on the free total alone, never on history.

use super::{Arena, Plan, Pod, Ruler, Zeroable};
use crate::error::{Error, ErrorKind, Result, Subject};

/// No id: the end of the list in either direction.
const NONE: u32 = u32::MAX;

/// An id's range, and its neighbours in the list of all ranges that hold something, by rising start.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Range {
    start: u32,
    /// 0 for an id that holds nothing, which is in no list.
    len: u32,
    before: u32,
    after: u32,
}

impl Range {
    fn end(self) -> u32 {
        self.start + self.len
    }
}

/// Where a new range goes: its start, and the ranges on either side.
struct Gap {
    start: u32,
    before: u32,
    after: u32,
}

/// Ranges of `T` in one array, each named by a number that the caller chooses below the pool's count of ids.
///
/// A range fits exactly when it is no longer than [`free_total`](RangePool::free_total): it goes behind the last range
/// if there is room, else into the first gap that is large enough, and if there is none, all ranges are first moved
/// together. So ranges move, and a caller keeps ids and indices within a range, never places in the array.
///
/// # Cost
/// Releasing and lending are constant time. Taking is constant time behind the last range, one look at each range to
/// find a gap, and one move of all elements when there is none. How often that happens depends on the headroom:
/// among 100 ranges of at most 200 elements that hold 10,000 in all, replaced two by two with other lengths,
///
/// | free elements | takes that compact | elements moved for each one taken |
/// |---|---|---|
/// | 100 | 31 % | 22 |
/// | 250 | 16 % | 13 |
/// | 500 | 8 % | 7.6 |
/// | 1000 | 4 % | 3.6 |
/// | 2500 | 0.1 % | 0.1 |
///
/// (a test holds it to these figures), so headroom of a tenth is well spent. An id costs 16 bytes.
///
/// ```
/// use navarena::error::Subject;
/// use navarena::memory::{Arena, Memory, RangePool};
/// let mut region = Memory::<{ RangePool::<u32>::plan(3, 10).bytes }>::new();
/// let mut pool = RangePool::<u32>::new(3, 10, &mut Arena::new(region.grains()))?;
/// pool.take(0, 4, Subject::Vertices)?;
/// pool.take(1, 4, Subject::Vertices)?;
/// pool.get_mut(1).copy_from_slice(&[5, 6, 7, 8]);
/// pool.release(0);
/// // Four free elements in front and two behind make six.
/// pool.take(2, 6, Subject::Vertices)?;
/// assert_eq!(pool.get(1), [5, 6, 7, 8]);
/// assert!(pool.take(0, 1, Subject::Vertices).is_err());
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct RangePool<'m, T> {
    items: &'m mut [T],
    ranges: &'m mut [Range],
    first: u32,
    last: u32,
    used: usize,
    peak: usize,
    moved: u64,
}

impl<'m, T: Pod> RangePool<'m, T> {
    /// What a pool of `ids` ranges over `items` elements needs.
    pub const fn plan(ids: usize, items: usize) -> Plan {
        Ruler::new().array::<T>(items).array::<Range>(ids).plan()
    }

    /// A pool in which every range is empty.
    ///
    /// Refused are counts of ids or elements that 32 bits don't hold (kind `Limit`), and more than the arena has.
    pub fn new(ids: usize, items: usize, arena: &mut Arena<'m>) -> Result<Self> {
        for (count, subject) in [(ids, Subject::Count), (items, Subject::Range)] {
            if count >= NONE as usize {
                return Err(Error::limit(subject).value(count as f64).bound(f64::from(NONE - 1)));
            }
        }
        arena.check(Self::plan(ids, items))?;
        let (items, ranges) = (arena.take(items)?, arena.take(ids)?);
        let mut pool = RangePool { items, ranges, first: NONE, last: NONE, used: 0, peak: 0, moved: 0 };
        pool.reset();
        Ok(pool)
    }

    /// Empties every range, and forgets what [`high_water`](Self::high_water) and [`moved`](Self::moved) tell.
    pub fn reset(&mut self) {
        self.ranges.fill(Range::default());
        (self.first, self.last) = (NONE, NONE);
        (self.used, self.peak, self.moved) = (0, 0, 0);
    }

    /// How many elements the pool has in all.
    pub fn capacity(&self) -> usize {
        self.items.len()
    }

    /// How many elements the ranges hold.
    pub fn used(&self) -> usize {
        self.used
    }

    /// How many elements are free in all; a range of up to that many fits.
    pub fn free_total(&self) -> usize {
        self.items.len() - self.used
    }

    /// The most elements that were ever held at once.
    pub fn high_water(&self) -> usize {
        self.peak
    }

    /// How many elements compaction has moved in all: what fragmentation has cost so far.
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// Takes a range of `len` elements for an id that holds none; its contents are whatever was there.
    ///
    /// `limit` names what has run out when the free total is short. An id that the pool does not have is refused as
    /// `Invalid`, and one that holds a range already as `State`. A range of no elements holds nothing.
    pub fn take(&mut self, id: usize, len: usize, limit: Subject) -> Result<()> {
        let range = self.ranges.get(id).ok_or(Error::invalid(Subject::Range).at(id))?;
        if range.len != 0 {
            return Err(Error::new(ErrorKind::State, Subject::Range).at(id));
        }
        if len > self.free_total() {
            return Err(Error::capacity(limit, self.items.len()));
        }
        if len > 0 {
            let gap = self.gap_of(len as u32);
            self.link(id as u32, len as u32, gap);
            self.used += len;
            self.peak = self.peak.max(self.used);
        }
        Ok(())
    }

    /// Empties an id's range. An id that holds none, or that the pool does not have, changes nothing.
    pub fn release(&mut self, id: usize) {
        let Some(&range) = self.ranges.get(id).filter(|range| range.len > 0) else { return };
        self.set_after(range.before, range.after);
        self.set_before(range.after, range.before);
        self.ranges[id] = Range::default();
        self.used -= range.len as usize;
    }

    /// How many elements an id holds.
    pub fn len(&self, id: usize) -> usize {
        self.ranges.get(id).map_or(0, |range| range.len as usize)
    }

    /// Whether an id holds no elements.
    pub fn is_empty(&self, id: usize) -> bool {
        self.len(id) == 0
    }

    /// An id's elements; none for an id that holds none.
    #[inline]
    pub fn get(&self, id: usize) -> &[T] {
        let range = self.ranges.get(id).copied().unwrap_or_default();
        &self.items[range.start as usize..range.end() as usize]
    }

    /// Where in [`items`](Self::items) an id's elements begin, until the next [`take`](Self::take); 0 for an id that holds
    /// none.
    #[inline]
    pub fn start(&self, id: usize) -> usize {
        self.ranges.get(id).map_or(0, |range| range.start as usize)
    }

    /// The whole array: elements by place, some of which no range holds.
    #[inline]
    pub fn items(&self) -> &[T] {
        self.items
    }

    /// An id's elements, to write.
    #[inline]
    pub fn get_mut(&mut self, id: usize) -> &mut [T] {
        let range = self.ranges.get(id).copied().unwrap_or_default();
        &mut self.items[range.start as usize..range.end() as usize]
    }

    /// All elements, those of no range too.
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        self.items
    }

    /// Moves all ranges together at the front, in the order they are in, so that the free elements are one gap.
    ///
    /// [`take`](Self::take) does it when it must; a host may do it in a quiet moment. Contents and ids stay.
    pub fn compact(&mut self) {
        let mut end = 0;
        let mut id = self.first;
        while id != NONE {
            let range = self.ranges[id as usize];
            if range.start != end {
                self.items.copy_within(range.start as usize..range.end() as usize, end as usize);
                self.ranges[id as usize].start = end;
                self.moved += u64::from(range.len);
            }
            end += range.len;
            id = range.after;
        }
    }

    /// A gap for `len` elements, of which so many are free: behind the last range, else the first that is large
    /// enough, else behind the last once more when all have moved together.
    fn gap_of(&mut self, len: u32) -> Gap {
        let behind = self.gap_behind_all();
        if self.items.len() - behind.start as usize >= len as usize {
            return behind;
        }
        if let Some(gap) = self.first_gap(len) {
            return gap;
        }
        self.compact();
        self.gap_behind_all()
    }

    fn gap_behind_all(&self) -> Gap {
        let start = self.ranges.get(self.last as usize).map_or(0, |last| last.end());
        Gap { start, before: self.last, after: NONE }
    }

    fn first_gap(&self, len: u32) -> Option<Gap> {
        let (mut start, mut before, mut after) = (0, NONE, self.first);
        while after != NONE {
            let range = self.ranges[after as usize];
            if range.start - start >= len {
                return Some(Gap { start, before, after });
            }
            (start, before, after) = (range.end(), after, range.after);
        }
        None
    }

    fn link(&mut self, id: u32, len: u32, gap: Gap) {
        self.ranges[id as usize] = Range { start: gap.start, len, before: gap.before, after: gap.after };
        self.set_after(gap.before, id);
        self.set_before(gap.after, id);
    }

    /// Sets what comes after an id, or what comes first of all.
    fn set_after(&mut self, id: u32, after: u32) {
        match self.ranges.get_mut(id as usize) {
            Some(range) => range.after = after,
            None => self.first = after,
        }
    }

    /// Sets what comes before an id, or what comes last of all.
    fn set_before(&mut self, id: u32, before: u32) {
        match self.ranges.get_mut(id as usize) {
            Some(range) => range.before = before,
            None => self.last = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix64;
    use crate::memory::Grain;
    use std::vec;
    use std::vec::Vec;

    type Pool<'m> = RangePool<'m, u32>;
    crate::memory::assert_portable!(Pool);

    fn region(plan: Plan) -> Vec<Grain> {
        vec![Grain::ZERO; plan.grains()]
    }

    /// The pool beside plain vectors: what it must hold, and when it must refuse.
    struct Mirrored<'m> {
        pool: RangePool<'m, u32>,
        plain: Vec<Vec<u32>>,
        capacity: usize,
        random: SplitMix64,
    }

    impl<'m> Mirrored<'m> {
        fn new(ids: usize, capacity: usize, seed: u64, region: &'m mut [Grain]) -> Self {
            let pool = RangePool::new(ids, capacity, &mut Arena::new(region)).unwrap();
            Mirrored { pool, plain: vec![vec![]; ids], capacity, random: SplitMix64::new(seed) }
        }

        fn roll(&mut self, bound: usize) -> usize {
            self.random.below(bound as u64) as usize
        }

        fn held(&self) -> usize {
            self.plain.iter().map(Vec::len).sum()
        }

        fn take(&mut self, id: usize, len: usize) {
            let outcome = self.pool.take(id, len, Subject::Polygons);
            if !self.plain[id].is_empty() {
                assert_eq!(outcome, Err(Error::new(ErrorKind::State, Subject::Range).at(id)));
            } else if len > self.capacity - self.held() {
                assert_eq!(outcome, Err(Error::capacity(Subject::Polygons, self.capacity)));
            } else {
                assert_eq!(outcome, Ok(()));
                self.plain[id] = (0..len).map(|_| self.random.next_u64() as u32).collect();
                self.pool.get_mut(id).copy_from_slice(&self.plain[id]);
            }
        }

        fn release(&mut self, id: usize) {
            self.pool.release(id);
            self.plain[id].clear();
        }

        fn check(&self, id: usize) {
            assert_eq!(self.pool.get(id), self.plain[id]);
            assert_eq!(self.pool.items()[self.pool.start(id)..][..self.pool.len(id)], self.plain[id]);
            assert_eq!((self.pool.len(id), self.pool.is_empty(id)), (self.plain[id].len(), self.plain[id].is_empty()));
        }

        fn check_all(&self) {
            (0..self.plain.len()).for_each(|id| self.check(id));
            assert_eq!(self.pool.used(), self.held());
            assert_eq!(self.pool.free_total(), self.capacity - self.held());
        }
    }

    #[test]
    fn long_histories_keep_every_content_and_refuse_by_the_free_total_alone() {
        for (seed, ids, capacity, longest) in [(1, 8, 40, 12), (2, 64, 700, 40), (3, 3, 7, 7), (4, 200, 1700, 30)] {
            let mut region = region(RangePool::<u32>::plan(ids, capacity));
            let mut both = Mirrored::new(ids, capacity, seed, &mut region);
            for step in 0..100_000 {
                let id = both.roll(ids);
                if both.roll(5) < 3 {
                    let len = both.roll(longest + 1);
                    both.take(id, len);
                } else {
                    both.release(id);
                }
                let other = both.roll(ids);
                both.check(id);
                both.check(other);
                if step % 128 == 0 {
                    both.check_all();
                }
            }
            assert!(both.pool.moved() > 0 && both.pool.high_water() > capacity / 2);
        }
    }

    #[test]
    fn exactly_the_free_total_fits_however_it_is_scattered() {
        let mut region = region(RangePool::<u32>::plan(11, 100));
        let mut both = Mirrored::new(11, 100, 9, &mut region);
        (0..10).for_each(|id| both.take(id, 10));
        (0..10).step_by(2).for_each(|id| both.release(id));
        both.take(10, 51);
        both.take(10, 50);
        both.check_all();
        assert_eq!((both.pool.free_total(), both.pool.moved()), (0, 50));
        both.release(10);
        both.pool.compact();
        both.check_all();
        assert_eq!((both.pool.moved(), both.pool.high_water()), (50, 100));
        both.pool.reset();
        assert_eq!((both.pool.used(), both.pool.len(1), both.pool.high_water()), (0, 0, 0));
    }

    #[test]
    fn ids_out_of_range_or_in_use_are_refused_and_change_nothing() {
        let mut region = region(RangePool::<u32>::plan(2, 8));
        let mut pool = RangePool::<u32>::new(2, 8, &mut Arena::new(&mut region)).unwrap();
        assert_eq!(pool.take(2, 1, Subject::Links), Err(Error::invalid(Subject::Range).at(2)));
        assert!(pool.take(usize::MAX, usize::MAX, Subject::Links).is_err());
        assert_eq!(pool.take(0, usize::MAX, Subject::Links), Err(Error::capacity(Subject::Links, 8)));
        pool.take(0, 8, Subject::Links).unwrap();
        assert_eq!(pool.take(0, 0, Subject::Links).map_err(|e| e.kind()), Err(ErrorKind::State));
        assert_eq!(pool.take(1, 0, Subject::Links), Ok(()));
        for id in [1, 2, NONE as usize, usize::MAX] {
            pool.release(id);
            assert!(pool.get(id).is_empty() && pool.get_mut(id).is_empty() && pool.is_empty(id));
        }
        assert_eq!((pool.used(), pool.get(0).len()), (8, 8));
    }

    #[test]
    fn a_pool_that_does_not_fit_takes_nothing() {
        let mut region = region(Plan { bytes: 64 });
        let mut arena = Arena::new(&mut region);
        assert!(RangePool::<u32>::new(1, 16, &mut arena).is_err());
        assert_eq!(RangePool::<u32>::new(0, 1 << 32, &mut arena).unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(RangePool::<u32>::new(usize::MAX, 0, &mut arena).unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(arena.remaining(), 64);
        assert!(RangePool::<u32>::new(0, 0, &mut arena).unwrap().take(0, 0, Subject::Links).is_err());
    }

    /// Headroom, and what it costs: takes that compact of a thousand, and tenths of elements moved per element taken.
    const HEADROOMS: [(usize, u64, u64); 5] =
        [(100, 307, 223), (250, 156, 131), (500, 84, 76), (1000, 37, 36), (2500, 1, 1)];

    #[test]
    fn replacing_ranges_costs_what_the_documentation_says() {
        const IDS: usize = 100;
        for (headroom, compacting_of_1000, tenths_moved) in HEADROOMS {
            let mut random = SplitMix64::new(17);
            let mut region = region(RangePool::<u32>::plan(IDS, IDS * 100 + headroom));
            let mut pool = RangePool::<u32>::new(IDS, IDS * 100 + headroom, &mut Arena::new(&mut region)).unwrap();
            (0..IDS).for_each(|id| pool.take(id, 100, Subject::Vertices).unwrap());
            let (mut compacting, mut taken) = (0, 0);
            for _ in 0..10_000 {
                let a = random.below(IDS as u64) as usize;
                let b = (a + 1 + random.below(IDS as u64 - 1) as usize) % IDS;
                let sum = pool.len(a) + pool.len(b);
                pool.release(a);
                pool.release(b);
                // Split anew what the two held, each at most 200, so that the free total stays the headroom.
                let least = sum.saturating_sub(200);
                let first = least + random.below((sum - 2 * least + 1) as u64) as usize;
                for (id, len) in [(a, first), (b, sum - first)] {
                    let before = pool.moved();
                    pool.take(id, len, Subject::Vertices).unwrap();
                    compacting += u64::from(pool.moved() > before);
                }
                taken += sum as u64;
                assert_eq!(pool.free_total(), headroom);
            }
            assert_eq!((compacting + 10) / 20, compacting_of_1000);
            assert_eq!((pool.moved() * 10 + taken / 2) / taken, tenths_moved);
        }
    }
}
