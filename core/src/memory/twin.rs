//! Two products in one run of memory, when the length of neither is known before both are made.

use super::{GRAIN, Grain, Pod};
use crate::error::{Error, Result, Subject};
use core::marker::PhantomData;

/// Two lists that grow towards each other through all that an arena has left.
///
/// [`Arena::settle_twin`](super::Arena::settle_twin) lays the second behind the first, both in the order of pushing, just as an arena would
/// carve them. Open it with [`Arena::twin`](super::Arena::twin) inside a scope, give it back with
/// [`Arena::settle_twin`](super::Arena::settle_twin), and carve both arrays again outside of the scope.
#[derive(Debug)]
pub struct Twin<'a, A, B> {
    grains: &'a mut [Grain],
    first: usize,
    second: usize,
    marker: PhantomData<(A, B)>,
}

impl<'a, A: Pod, B: Pod> Twin<'a, A, B> {
    pub(super) fn new(grains: &'a mut [Grain]) -> Self {
        Twin { grains, first: 0, second: 0, marker: PhantomData }
    }

    /// How many elements the first list has.
    pub fn first_len(&self) -> usize {
        self.first
    }

    /// How many elements the second list has.
    pub fn second_len(&self) -> usize {
        self.second
    }

    /// Appends to the first list. A list of `limit` elements is full, and the refusal names `subject`.
    pub fn push_first(&mut self, item: A, limit: usize, subject: Subject) -> Result<()> {
        self.make_room(size_of::<A>(), self.first >= limit, limit, subject)?;
        let at = self.first * size_of::<A>();
        self.bytes()[at..at + size_of::<A>()].copy_from_slice(bytemuck::bytes_of(&item));
        self.first += 1;
        Ok(())
    }

    /// Appends to the second list. A list of `limit` elements is full, and the refusal names `subject`.
    pub fn push_second(&mut self, item: B, limit: usize, subject: Subject) -> Result<()> {
        self.make_room(size_of::<B>(), self.second >= limit, limit, subject)?;
        let at = self.room() - (self.second + 1) * size_of::<B>();
        self.bytes()[at..at + size_of::<B>()].copy_from_slice(bytemuck::bytes_of(&item));
        self.second += 1;
        Ok(())
    }

    /// Lays the second list behind the first and returns the grains that both take.
    pub(super) fn finish(mut self) -> usize {
        let (first, second) = (self.first * size_of::<A>(), self.second * size_of::<B>());
        // A push leaves enough for the first list's last grain to be filled up, so this can't pass the second list.
        let start = first.div_ceil(GRAIN) * GRAIN;
        let from = self.room() - second;
        let bytes = self.bytes();
        bytes.copy_within(from..from + second, start);
        reverse(&mut bytes[start..start + second], size_of::<B>());
        (start + second).div_ceil(GRAIN)
    }

    fn room(&self) -> usize {
        self.grains.len() * GRAIN
    }

    fn bytes(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self.grains)
    }

    fn make_room(&self, size: usize, full: bool, limit: usize, subject: Subject) -> Result<()> {
        if full {
            return Err(Error::capacity(subject, limit));
        }
        let used = self.first * size_of::<A>() + self.second * size_of::<B>();
        if used + size + GRAIN <= self.room() { Ok(()) } else { Err(Error::capacity(Subject::Memory, self.room())) }
    }
}

/// Reverses the order of the elements of `size` bytes.
fn reverse(bytes: &mut [u8], size: usize) {
    let count = bytes.len().checked_div(size).unwrap_or(0);
    for i in 0..count / 2 {
        let (head, tail) = bytes.split_at_mut((count - 1 - i) * size);
        head[i * size..(i + 1) * size].swap_with_slice(&mut tail[..size]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::memory::{Arena, Memory, grains_for};

    #[test]
    fn both_lists_are_carved_again_as_they_were_pushed() {
        for (first, second) in [(0, 0), (1, 0), (0, 3), (5, 4), (3, 7), (2, 20)] {
            let mut region = Memory::<256>::new();
            let mut arena = Arena::new(region.grains());
            arena.scope(|desk| {
                let mut twin = desk.twin::<[f32; 3], [u8; 4]>();
                for i in 0..first.max(second) {
                    if i < first {
                        twin.push_first([i as f32; 3], 100, Subject::DetailVertices).unwrap();
                    }
                    if i < second {
                        twin.push_second([i as u8; 4], 100, Subject::DetailTriangles).unwrap();
                    }
                }
                assert_eq!(desk.settle_twin(twin), (first, second));
            });
            assert_eq!(
                arena.high_water(),
                (grains_for::<[f32; 3]>(first).unwrap() + grains_for::<[u8; 4]>(second).unwrap()) * GRAIN
            );
            let a = arena.take::<[f32; 3]>(first).unwrap();
            let b = arena.take::<[u8; 4]>(second).unwrap();
            assert!(a.iter().enumerate().all(|(i, v)| *v == [i as f32; 3]));
            assert!(b.iter().enumerate().all(|(i, v)| *v == [i as u8; 4]));
        }
    }

    #[test]
    fn a_push_past_the_memory_or_the_limit_is_refused() {
        let mut region = Memory::<64>::new();
        let mut arena = Arena::new(region.grains());
        let mut twin = arena.twin::<u64, u32>();
        let error = twin.push_first(1, 0, Subject::Vertices).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Vertices));
        let mut pushed = 0;
        let error = loop {
            match twin.push_second(7, 100, Subject::Triangles) {
                Ok(()) => pushed += 1,
                Err(error) => break error,
            }
        };
        assert_eq!((pushed, error.subject()), (12, Subject::Memory));
        assert_eq!(arena.settle_twin(twin), (0, 12));
    }
}
