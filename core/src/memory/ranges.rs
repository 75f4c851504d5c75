//! Ranges of one element type that vary in length: whether one fits depends on the free total alone, never on history.

use super::{Arena, Plan, Pod, Ruler};
use crate::error::{Error, Result, Subject};

/// Ranges of `T` in one array, each named by a number that the caller chooses below the pool's count of ids.
///
/// A first working form: it keeps the ranges packed in order of taking.
#[derive(Debug)]
pub struct RangePool<'m, T> {
    items: &'m mut [T],
    /// Start and length of each id's range.
    ranges: &'m mut [[u32; 2]],
    used: usize,
}

impl<'m, T: Pod> RangePool<'m, T> {
    /// What a pool of `ids` ranges over `items` elements needs.
    pub const fn plan(ids: usize, items: usize) -> Plan {
        Ruler::new().array::<T>(items).array::<[u32; 2]>(ids).plan()
    }

    /// A pool in which every range is empty.
    pub fn new(ids: usize, items: usize, arena: &mut Arena<'m>) -> Result<Self> {
        let mut pool = RangePool { items: arena.take(items)?, ranges: arena.take(ids)?, used: 0 };
        pool.reset();
        Ok(pool)
    }

    /// Empties every range.
    pub fn reset(&mut self) {
        self.ranges.fill([0, 0]);
        self.used = 0;
    }

    /// How many elements are free in all; a range of up to that many fits.
    pub fn free_total(&self) -> usize {
        self.items.len() - self.used
    }

    /// Takes a range of `len` elements for an id that holds none; its contents are whatever was there.
    /// `limit` names what has run out when the free total is short.
    pub fn take(&mut self, id: usize, len: usize, limit: Subject) -> Result<()> {
        if len > self.free_total() || id >= self.ranges.len() {
            return Err(Error::capacity(limit, self.items.len()));
        }
        self.ranges[id] = [self.used as u32, len as u32];
        self.used += len;
        Ok(())
    }

    /// Empties an id's range.
    pub fn release(&mut self, id: usize) {
        let [start, len] = self.ranges[id];
        self.items.copy_within((start + len) as usize..self.used, start as usize);
        for range in self.ranges.iter_mut().filter(|range| range[0] > start) {
            range[0] -= len;
        }
        self.ranges[id] = [0, 0];
        self.used -= len as usize;
    }

    /// An id's elements; none for an id that holds none.
    pub fn get(&self, id: usize) -> &[T] {
        let [start, len] = self.ranges.get(id).copied().unwrap_or_default();
        &self.items[start as usize..(start + len) as usize]
    }

    /// An id's elements, to write.
    pub fn get_mut(&mut self, id: usize) -> &mut [T] {
        let [start, len] = self.ranges.get(id).copied().unwrap_or_default();
        &mut self.items[start as usize..(start + len) as usize]
    }
}
