//! The arena: hands out typed arrays from a region's front and back, and remembers the most it ever held.

use super::{GRAIN, Grain, List, Plan, Pod, Twin, grains_for};
use crate::error::{Error, ErrorKind, Result, Subject};

/// Carves arrays out of a region that the caller owns.
///
/// Products are taken from the front with [`take`](Arena::take), scratch from the back with
/// [`take_back`](Arena::take_back), and [`scope`](Arena::scope) gives back all that was taken within it. Because
/// carving never clears, what a scope laid at the front is still there when its owner carves the same arrays again:
/// that is how a stage whose product's size is known only at its end returns just what it used.
///
/// Taking costs constant time. An array that does not fit is refused with [`ErrorKind::Capacity`], the bytes it wanted
/// and the bytes that were left, and the arena stays as it was.
#[derive(Debug)]
pub struct Arena<'m> {
    rest: &'m mut [Grain],
    taken: usize,
    peak: usize,
}

impl<'m> Arena<'m> {
    /// An arena over a whole region.
    pub fn new(region: &'m mut [Grain]) -> Self {
        Arena { rest: region, taken: 0, peak: 0 }
    }

    /// Bytes that are left.
    pub fn remaining(&self) -> usize {
        self.rest.len() * GRAIN
    }

    /// Bytes taken so far, padding included.
    pub fn taken(&self) -> usize {
        self.taken * GRAIN
    }

    /// The most bytes ever taken at once, scopes included.
    pub fn high_water(&self) -> usize {
        self.peak * GRAIN
    }

    /// How many elements of `T` would fit.
    pub fn room<T: Pod>(&self) -> usize {
        self.remaining().checked_div(size_of::<T>()).unwrap_or(usize::MAX)
    }

    /// Checks that a plan fits what is left. A constructor calls it before it takes anything, because a half-made
    /// object can't give its memory back.
    pub fn check(&self, plan: Plan) -> Result<()> {
        if plan.bytes <= self.remaining() { Ok(()) } else { Err(self.refusal(plan.bytes)) }
    }

    /// Takes an array from the front. Its contents are whatever was there.
    pub fn take<T: Pod>(&mut self, count: usize) -> Result<&'m mut [T]> {
        let grains = self.fitting::<T>(count)?;
        let (front, rest) = core::mem::take(&mut self.rest).split_at_mut(grains);
        self.rest = rest;
        self.raise(grains);
        Ok(typed(front, count))
    }

    /// Takes an array from the front and sets every element to zero bytes.
    pub fn take_zeroed<T: Pod>(&mut self, count: usize) -> Result<&'m mut [T]> {
        let array = self.take(count)?;
        array.fill(T::zeroed());
        Ok(array)
    }

    /// Takes an array from the back: scratch that a scope gives back while the front keeps its products.
    pub fn take_back<T: Pod>(&mut self, count: usize) -> Result<&'m mut [T]> {
        let grains = self.fitting::<T>(count)?;
        let at = self.rest.len() - grains;
        let (rest, back) = core::mem::take(&mut self.rest).split_at_mut(at);
        self.rest = rest;
        self.raise(grains);
        Ok(typed(back, count))
    }

    /// Takes an array from the back and moves into it the elements that a scope left at the front: how a list, grown
    /// where there was room, is put aside so that the front is free for the next product.
    pub fn take_back_what_lies_in_front<T: Pod>(&mut self, count: usize) -> Result<&'m mut [T]> {
        let grains = self.fitting::<T>(count)?;
        self.rest.copy_within(..grains, self.rest.len() - grains);
        self.take_back(count)
    }

    /// Takes an array from the front and moves into it the elements that a scope left further back: `place` is what
    /// [`taken`](Arena::taken) said within the scope before they were carved. Arrays that lay behind one another are taken
    /// in that order. So a product comes to lie where its scratch was.
    pub fn take_what_lies_at<T: Pod>(&mut self, place: usize, count: usize) -> Result<&'m mut [T]> {
        let grains = self.fitting::<T>(count)?;
        let skip = (place / GRAIN).saturating_sub(self.taken).min(self.rest.len() - grains);
        self.rest.copy_within(skip..skip + grains, 0);
        self.take(count)
    }

    /// Takes all that is left, up to `limit` elements, as a list that grows from empty.
    ///
    /// The list's room does not count as used, only what [`settle`](Arena::settle) reports of it. Open it inside a
    /// scope, and carve the elements again outside of it with [`take`](Arena::take).
    pub fn list<T: Pod>(&mut self, limit: usize) -> List<'m, T> {
        let count = limit.min(self.room::<T>());
        let grains = grains_for::<T>(count).unwrap_or(0).min(self.rest.len());
        let (front, rest) = core::mem::take(&mut self.rest).split_at_mut(grains);
        self.rest = rest;
        List::new(typed(front, count), count == limit)
    }

    /// Counts what a list has used towards the high-water mark; called when it is full grown.
    pub fn settle<T: Pod>(&mut self, list: &List<'_, T>) {
        self.raise(grains_for::<T>(list.len()).unwrap_or(0));
    }

    /// Takes all that is left as two lists whose lengths are known only when both are full grown.
    ///
    /// Their room does not count as used, only what [`settle_twin`](Arena::settle_twin) reports. Open it inside a scope.
    pub fn twin<A: Pod, B: Pod>(&mut self) -> Twin<'m, A, B> {
        Twin::new(core::mem::take(&mut self.rest))
    }

    /// Lays a pair of lists out as arrays, one behind the other, counts them towards the high-water mark, and returns
    /// their lengths.
    pub fn settle_twin<A: Pod, B: Pod>(&mut self, twin: Twin<'_, A, B>) -> (usize, usize) {
        let lengths = (twin.first_len(), twin.second_len());
        self.raise(twin.finish());
        lengths
    }

    /// Takes grains for an object that carves them itself at every call.
    pub fn take_grains(&mut self, bytes: usize) -> Result<&'m mut [Grain]> {
        self.take::<Grain>(bytes.div_ceil(GRAIN))
    }

    /// Runs `work` with what is left and takes all of it back afterwards; only the high-water mark remains.
    pub fn scope<R>(&mut self, work: impl FnOnce(&mut Arena<'_>) -> R) -> R {
        let mut inner = Arena { rest: &mut *self.rest, taken: self.taken, peak: self.peak };
        let result = work(&mut inner);
        self.peak = inner.peak;
        result
    }

    fn raise(&mut self, grains: usize) {
        self.taken += grains;
        self.peak = self.peak.max(self.taken);
    }

    fn fitting<T: Pod>(&self, count: usize) -> Result<usize> {
        match grains_for::<T>(count) {
            Some(grains) if grains <= self.rest.len() => Ok(grains),
            Some(grains) => Err(self.refusal(grains.saturating_mul(GRAIN))),
            None => Err(self.refusal(usize::MAX)),
        }
    }

    fn refusal(&self, wanted: usize) -> Error {
        Error::new(ErrorKind::Capacity, Subject::Memory).value(wanted as f64).bound(self.remaining() as f64)
    }
}

/// The first `count` elements of `T` in a run of grains. A grain is aligned for any `T` of at most its alignment, and
/// the caller measured the run, so the cast holds; a stricter type gets an empty slice rather than a panic.
fn typed<T: Pod>(grains: &mut [Grain], count: usize) -> &mut [T] {
    const { assert!(align_of::<T>() <= GRAIN, "an element may not be aligned stricter than a grain") };
    const { assert!(size_of::<T>() > 0, "an element has a size") };
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(grains);
    let used = count * size_of::<T>();
    bytemuck::try_cast_slice_mut(&mut bytes[..used]).unwrap_or(&mut [])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    crate::memory::assert_portable!(Arena);

    #[test]
    fn every_array_begins_at_a_grain_and_they_do_not_overlap() {
        let mut region = Memory::<256>::new();
        let mut arena = Arena::new(region.grains());
        let a = arena.take::<u8>(3).unwrap();
        let b = arena.take_back::<u64>(3).unwrap();
        let c = arena.take::<[f32; 3]>(5).unwrap();
        assert!(a.as_ptr().addr().is_multiple_of(16) && b.as_ptr().addr().is_multiple_of(16));
        a.fill(1);
        b.fill(2);
        c.fill([3.0; 3]);
        assert!(a.iter().all(|&x| x == 1) && b.iter().all(|&x| x == 2));
        assert_eq!(arena.remaining(), 256 - 16 - 32 - 64);
    }

    #[test]
    fn what_does_not_fit_is_refused_and_takes_nothing() {
        let mut region = Memory::<64>::new();
        let mut arena = Arena::new(region.grains());
        let error = arena.take::<u32>(17).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Capacity);
        assert_eq!((error.refused(), error.limit_value()), (Some(80.0), Some(64.0)));
        assert_eq!(arena.take::<u64>(usize::MAX).unwrap_err().subject(), Subject::Memory);
        assert_eq!(arena.remaining(), 64);
        assert_eq!(arena.take::<u32>(16).unwrap().len(), 16);
    }

    /// From nothing to enough and beyond, at either end: what fits is given whole, what doesn't takes nothing.
    #[test]
    fn every_size_of_region_gives_what_fits_and_refuses_the_rest() {
        let mut region = [Grain::ZERO; 8];
        for grains in 0..=8 {
            for count in 0..=11 {
                for back in [false, true] {
                    let mut arena = Arena::new(&mut region[..grains]);
                    let taken = if back { arena.take_back::<[u32; 3]>(count) } else { arena.take(count) };
                    let fits = (count * 12).div_ceil(16) <= grains;
                    assert_eq!(taken.as_ref().map(|array| array.len()).ok(), fits.then_some(count));
                    if let Err(error) = taken {
                        let numbers = (error.refused(), error.limit_value());
                        let wanted = ((count * 12).div_ceil(16) * 16) as f64;
                        assert_eq!(numbers, (Some(wanted), Some(grains as f64 * 16.0)));
                    }
                    let used = if fits { (count * 12).div_ceil(16) * 16 } else { 0 };
                    assert_eq!(
                        (arena.taken(), arena.remaining(), arena.high_water()),
                        (used, grains * 16 - used, used)
                    );
                }
            }
        }
    }

    #[test]
    fn counts_that_overflow_are_refused_everywhere() {
        let mut region = Memory::<64>::new();
        let mut arena = Arena::new(region.grains());
        for count in [usize::MAX, usize::MAX / 8, usize::MAX / 16 + 1, isize::MAX as usize] {
            assert!(arena.take::<u64>(count).is_err() && arena.take_back::<[u64; 2]>(count).is_err());
            assert!(arena.take_zeroed::<u8>(count).is_err() && arena.take_grains(count).is_err());
            assert!(arena.check(Plan { bytes: count }).is_err());
        }
        assert_eq!((arena.remaining(), arena.high_water()), (64, 0));
        assert_eq!(arena.list::<[u32; 3]>(usize::MAX).capacity(), 5);
    }

    #[test]
    fn elements_of_any_alignment_stand_where_they_may() {
        #[repr(C, align(16))]
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
        struct Strict([u64; 2]);
        let mut region = Memory::<128>::new();
        let mut arena = Arena::new(region.grains());
        arena.take::<u8>(1).unwrap();
        assert_eq!(arena.take::<Strict>(2).unwrap().len(), 2);
        assert_eq!(arena.take_back::<u128>(1).unwrap().len(), 1);
        assert_eq!(arena.list::<Strict>(9).capacity(), 4);
    }

    #[test]
    fn a_list_without_room_or_without_limit_names_the_right_thing() {
        let mut region = Memory::<16>::new();
        let mut arena = Arena::new(region.grains());
        let mut none = arena.scope(|desk| desk.list::<u32>(0).push(1, Subject::Spans).unwrap_err());
        assert_eq!((none.subject(), none.limit_value()), (Subject::Spans, Some(0.0)));
        let mut list = arena.list::<u64>(3);
        assert_eq!(list.capacity(), 2);
        (0..2).for_each(|i| list.push(i, Subject::Spans).unwrap());
        none = list.push(2, Subject::Spans).unwrap_err();
        assert_eq!(none.subject(), Subject::Memory);
        assert!(arena.list::<u64>(3).push(0, Subject::Spans).is_err());
    }

    #[test]
    fn empty_arrays_cost_nothing() {
        let mut region = Memory::<0>::new();
        let mut arena = Arena::new(region.grains());
        assert!(arena.take::<u64>(0).unwrap().is_empty());
        assert_eq!(arena.room::<u8>(), 0);
    }

    #[test]
    fn a_scope_gives_back_what_it_took_but_keeps_the_mark() {
        let mut region = Memory::<128>::new();
        let mut arena = Arena::new(region.grains());
        let kept = arena.scope(|desk| {
            let scratch = desk.take_back::<u32>(16).unwrap();
            scratch.fill(9);
            let product = desk.take::<u32>(4).unwrap();
            product.copy_from_slice(&[1, 2, 3, 4]);
            product.len()
        });
        assert_eq!((arena.taken(), arena.high_water()), (0, 80));
        assert_eq!(arena.take::<u32>(kept).unwrap(), [1, 2, 3, 4]);
    }

    #[test]
    fn what_a_scope_left_in_front_moves_to_the_back_even_where_the_two_overlap() {
        let mut region = Memory::<64>::new();
        let mut arena = Arena::new(region.grains());
        arena.scope(|desk| desk.take::<u32>(10).unwrap().copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
        let moved = arena.take_back_what_lies_in_front::<u32>(10).unwrap();
        assert_eq!(moved, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(arena.remaining(), 16);
        assert!(arena.take_back_what_lies_in_front::<u32>(5).is_err());
    }

    #[test]
    fn what_a_scope_left_behind_its_scratch_moves_to_the_front() {
        let mut region = Memory::<256>::new();
        let mut arena = Arena::new(region.grains());
        let kept = arena.take::<u32>(1).unwrap();
        kept[0] = 77;
        let places = arena.scope(|desk| {
            desk.take::<u64>(5).unwrap().fill(9);
            let first = desk.taken();
            desk.take::<u32>(7).unwrap().copy_from_slice(&[1, 2, 3, 4, 5, 6, 7]);
            let second = desk.taken();
            desk.take::<u8>(3).unwrap().copy_from_slice(&[8, 9, 10]);
            [first, second]
        });
        assert_eq!(arena.take_what_lies_at::<u32>(places[0], 7).unwrap(), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(arena.take_what_lies_at::<u8>(places[1], 3).unwrap(), [8, 9, 10]);
        assert_eq!((kept[0], arena.taken()), (77, 16 + 32 + 16));
        assert!(arena.take_what_lies_at::<u64>(usize::MAX, 25).is_err());
        assert!(arena.take_what_lies_at::<u64>(usize::MAX, 24).is_ok());
    }

    #[test]
    fn a_list_counts_only_what_it_used() {
        let mut region = Memory::<160>::new();
        let mut arena = Arena::new(region.grains());
        let n = arena.scope(|desk| {
            let mut list = desk.list::<u32>(usize::MAX);
            for i in 0..5 {
                list.push(i, Subject::Spans).unwrap();
            }
            desk.settle(&list);
            list.len()
        });
        assert_eq!(arena.high_water(), 32);
        assert_eq!(arena.take::<u32>(n).unwrap(), [0, 1, 2, 3, 4]);
    }
}
