//! The open set: a heap of four children a node over memory that the search lends.
//!
//! Entries are ordered totally (a cost, then a number that no other entry has), so the order of the pops is fixed by
//! the entries alone and the heap's shape is free. Four children a node touch half the levels of a binary heap; three
//! of four compares are of neighbours in one cache line.

use crate::memory::{Pod, Zeroable};

/// Something an [`OpenSet`] can order. The order must be total: of two different entries exactly one is before.
pub trait Entry: Pod {
    /// Whether this entry is popped before the other.
    fn before(&self, other: &Self) -> bool;
}

/// An entry ordered by a cost that is not negative, then by a sequence number: the order of every search that prices
/// ways with doubles.
///
/// A double that is not negative is ordered as its bits are, so cost, sequence and node stand in one 128-bit number
/// and a compare is one subtraction. A negative cost or a NaN is ordered by its bits too: nonsense, but total.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FloatEntry(u128);

impl FloatEntry {
    /// After every other entry.
    pub const LAST: FloatEntry = FloatEntry(u128::MAX);

    /// An entry of a node. `sequence` must differ from that of every other entry.
    #[inline]
    pub fn new(cost: f64, sequence: u32, node: u32) -> FloatEntry {
        FloatEntry((cost.to_bits() as u128) << 64 | (sequence as u128) << 32 | node as u128)
    }

    /// The cost it is ordered by.
    #[inline]
    pub fn cost(self) -> f64 {
        f64::from_bits((self.0 >> 64) as u64)
    }

    /// The bits of its cost, ordered as the costs are, and what else there is to it.
    #[inline]
    pub(super) fn parts(self) -> (u64, u64) {
        ((self.0 >> 64) as u64, self.0 as u64)
    }

    /// The entry of [`parts`](FloatEntry::parts).
    #[inline]
    pub(super) fn of_parts(cost: u64, other: u64) -> FloatEntry {
        FloatEntry((cost as u128) << 64 | other as u128)
    }

    /// The sequence number that breaks ties.
    #[inline]
    pub fn sequence(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The node.
    #[inline]
    pub fn node(self) -> u32 {
        self.0 as u32
    }
}

impl Entry for FloatEntry {
    #[inline]
    fn before(&self, other: &Self) -> bool {
        self.0 < other.0
    }
}

const FANOUT: usize = 4;

/// Entries waiting to be popped, least first.
///
/// Push and pop cost O(log n); beginning anew costs nothing.
#[derive(Debug)]
pub struct OpenSet<'m, E> {
    entries: &'m mut [E],
    len: usize,
}

impl<'m, E: Entry> OpenSet<'m, E> {
    /// An empty set with room for as many entries as the array has.
    pub fn over(entries: &'m mut [E]) -> Self {
        OpenSet { entries, len: 0 }
    }

    /// How many entries wait.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none wait.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many entries could wait at once.
    pub fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// Whether a push would be refused.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.len == self.entries.len()
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds an entry; `false` when there is no room.
    #[inline]
    #[must_use]
    pub fn push(&mut self, entry: E) -> bool {
        if self.is_full() {
            return false;
        }
        self.len += 1;
        sift_up(&mut self.entries[..self.len], entry);
        true
    }

    /// The entries as they lie in the heap, which is what is saved of it.
    pub fn entries(&self) -> &[E] {
        &self.entries[..self.len]
    }

    /// Puts an entry of a saved heap behind the others, as it lay; past the room it is dropped.
    pub(crate) fn put_last(&mut self, entry: E) {
        if let Some(place) = self.entries.get_mut(self.len) {
            *place = entry;
            self.len += 1;
        }
    }

    /// The least entry.
    #[inline]
    pub fn peek(&self) -> Option<&E> {
        self.entries[..self.len].first()
    }

    /// Takes the least entry out.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        let live = &mut self.entries[..self.len];
        let least = *live.first()?;
        let (last, rest) = live.split_last_mut()?;
        self.len -= 1;
        if !rest.is_empty() {
            sift_down(rest, 0, *last);
        }
        Some(least)
    }

    /// Keeps the entries that `keep` accepts. The pop order of what is kept does not change. O(n).
    pub fn retain(&mut self, mut keep: impl FnMut(&E) -> bool) {
        let mut kept = 0;
        for at in 0..self.len {
            let entry = self.entries[at];
            if keep(&entry) {
                self.entries[kept] = entry;
                kept += 1;
            }
        }
        self.len = kept;
        let live = &mut self.entries[..kept];
        if kept > 1 {
            for at in (0..=(kept - 2) / FANOUT).rev() {
                sift_down(live, at, live[at]);
            }
        }
    }

    /// The memory, for another use once the search has ended.
    pub fn into_memory(self) -> &'m mut [E] {
        self.entries
    }
}

/// Puts `entry` into the last place and raises it.
#[inline]
fn sift_up<E: Entry>(heap: &mut [E], entry: E) {
    let mut at = heap.len() - 1;
    while at > 0 {
        let parent = (at - 1) / FANOUT;
        if !entry.before(&heap[parent]) {
            break;
        }
        heap[at] = heap[parent];
        at = parent;
    }
    heap[at] = entry;
}

/// Puts `entry` into place `at` and lowers it.
#[inline]
fn sift_down<E: Entry>(heap: &mut [E], mut at: usize, entry: E) {
    loop {
        let first = at * FANOUT + 1;
        let least = match heap.get(first..first + FANOUT) {
            Some(children) => {
                let left = usize::from(children[1].before(&children[0]));
                let right = 2 + usize::from(children[3].before(&children[2]));
                first + if children[right].before(&children[left]) { right } else { left }
            }
            None if first < heap.len() => {
                let mut least = first;
                for child in first + 1..heap.len() {
                    if heap[child].before(&heap[least]) {
                        least = child;
                    }
                }
                least
            }
            None => break,
        };
        if !heap[least].before(&entry) {
            break;
        }
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = entry;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    proptest! {
        #[test]
        fn pops_come_by_cost_then_sequence(costs in prop::collection::vec(0u8..9, 0..300), take in 0usize..300) {
            let mut memory = std::vec![FloatEntry::default(); costs.len()];
            let mut open = OpenSet::over(&mut memory);
            for (i, &cost) in costs.iter().enumerate() {
                prop_assert!(open.push(FloatEntry::new(cost as f64 * 0.5, i as u32, 7 + i as u32)));
            }
            prop_assert!(!open.push(FloatEntry::new(0.0, 999, 0)));
            let mut sorted: Vec<(u8, u32)> = costs.iter().enumerate().map(|(i, &cost)| (cost, i as u32)).collect();
            sorted.sort();
            for (n, &(cost, i)) in sorted.iter().enumerate() {
                if n == take {
                    // Dropping entries and sorting anew changes nothing for those that stay.
                    open.retain(|entry| entry.sequence() % 3 != 0);
                }
                if n < take || i % 3 != 0 {
                    let entry = open.pop().unwrap();
                    prop_assert_eq!((entry.cost(), entry.sequence(), entry.node()), (cost as f64 * 0.5, i, 7 + i));
                }
            }
            prop_assert!(open.pop().is_none());
        }
    }

    #[test]
    fn a_set_without_room_refuses() {
        let mut open = OpenSet::<FloatEntry>::over(&mut []);
        assert!(!open.push(FloatEntry::new(1.0, 0, 0)) && open.pop().is_none() && open.is_empty());
    }
}
