//! The form for small maps: 8 bytes a record, 2 a heap entry, and no doubles but where float32 ties are looked at.
//!
//! For grids of up to 65535 cells. The heap holds node numbers with decrease-key; the keys are worked out from the
//! records when two entries are compared, in integers. Records are wiped once in 4095 searches.

use super::Pair;
use super::search::{Aim, Frontier, Record, Waiting};
use crate::memory::{Pod, Zeroable};
use crate::search::{Places, lower, raise};
use core::cmp::Ordering;

/// A node of the compact form.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct CompactRecord {
    straight: u16,
    diagonal: u16,
    tag: u16,
    /// Where in the heap the node stands, while it waits.
    slot: u16,
}

impl Record for CompactRecord {
    const LAST_GENERATION: u32 = (1 << 12) - 1;
    const MAX_NODES: u32 = u16::MAX as u32;

    #[inline]
    fn pair(&self) -> Pair {
        Pair { straight: self.straight.into(), diagonal: self.diagonal.into() }
    }
    #[inline]
    fn tag(&self) -> u32 {
        self.tag.into()
    }
    #[inline]
    fn reach(&mut self, pair: Pair, tag: u32) {
        // A way without circles has fewer steps than there are cells.
        (self.straight, self.diagonal, self.tag) = (pair.straight as u16, pair.diagonal as u16, tag as u16);
    }
    #[inline]
    fn set_tag(&mut self, tag: u32) {
        self.tag = tag as u16;
    }
}

/// The frontier of the compact form.
#[derive(Debug)]
pub struct CompactFrontier<'m> {
    heap: &'m mut [u16],
    len: usize,
}

impl<'m> CompactFrontier<'m> {
    /// A frontier over an array of node numbers.
    pub fn over(heap: &'m mut [u16]) -> Self {
        CompactFrontier { heap, len: 0 }
    }
}

/// The heap's order and places, both in the records.
struct Keys<'a> {
    records: &'a mut [CompactRecord],
    aim: &'a Aim,
}

impl Keys<'_> {
    fn total(&self, node: u16) -> (Pair, Pair) {
        let pair = self.records[node as usize].pair();
        (pair, self.aim.total(pair, self.aim.position(node.into())))
    }
}

impl Places<u16> for Keys<'_> {
    fn before(&self, &one: &u16, &other: &u16) -> bool {
        let ((way, total), (other_way, other_total)) = (self.total(one), self.total(other));
        match total.compare(other_total) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal if way == other_way => one < other,
            // Pairs that differ can be the same float: then, as everywhere, the smaller node comes first.
            Ordering::Equal => (way.tie(), other) > (other_way.tie(), one),
        }
    }

    fn note(&mut self, &node: &u16, place: usize) {
        self.records[node as usize].slot = place as u16;
    }
}

impl Frontier<CompactRecord> for CompactFrontier<'_> {
    fn capacity(&self) -> usize {
        self.heap.len()
    }

    fn clear(&mut self) {
        self.len = 0;
    }

    fn push(&mut self, records: &mut [CompactRecord], aim: &Aim, waiting: Waiting) -> bool {
        let node = waiting.node as u16;
        let at = if waiting.is_better {
            records[node as usize].slot as usize
        } else if self.len == self.heap.len() {
            return false;
        } else {
            self.len += 1;
            self.len - 1
        };
        // Keys only ever get smaller, so a node that waits already rises too.
        raise(&mut self.heap[..self.len], at, node, &mut Keys { records, aim });
        true
    }

    fn pop(&mut self, records: &mut [CompactRecord], aim: &Aim) -> Option<u32> {
        let live = &mut self.heap[..self.len];
        let first = *live.first()?;
        let (&mut last, rest) = live.split_last_mut()?;
        self.len -= 1;
        if !rest.is_empty() {
            lower(rest, 0, last, &mut Keys { records, aim });
        }
        Some(first.into())
    }
}
