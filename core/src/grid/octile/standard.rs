//! The form for speed: 12 bytes a record, and a heap whose entries carry their keys.
//!
//! A waiting node that gets better keys is pushed again; its older entry comes out later, finds the node closed and is
//! passed over. So the heap writes nothing but itself. The order in which nodes come out is that of a heap with
//! decrease-key: a node's least entry is the one with its present keys.

use super::Pair;
use super::search::{Aim, Frontier, Record, Waiting};
use crate::memory::{Pod, Zeroable};
use crate::search::{FloatEntry, OpenSet};

/// A node of the standard form.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct StandardRecord {
    straight: u32,
    diagonal: u32,
    tag: u32,
}

impl Record for StandardRecord {
    const LAST_GENERATION: u32 = (1 << 28) - 1;
    const MAX_NODES: u32 = 1 << 28;

    #[inline]
    fn pair(&self) -> Pair {
        Pair { straight: self.straight, diagonal: self.diagonal }
    }
    #[inline]
    fn tag(&self) -> u32 {
        self.tag
    }
    #[inline]
    fn reach(&mut self, pair: Pair, tag: u32) {
        *self = StandardRecord { straight: pair.straight, diagonal: pair.diagonal, tag };
    }
    #[inline]
    fn set_tag(&mut self, tag: u32) {
        self.tag = tag;
    }
}

/// The frontier of the standard form.
#[derive(Debug)]
pub struct StandardFrontier<'m>(OpenSet<'m, FloatEntry>);

impl<'m> StandardFrontier<'m> {
    /// A frontier over an array of entries.
    pub fn over(entries: &'m mut [FloatEntry]) -> Self {
        StandardFrontier(OpenSet::over(entries))
    }

    /// Drops the entries of closed nodes and of older keys.
    #[cold]
    fn tidy(&mut self, records: &[StandardRecord], aim: &Aim) {
        self.0.retain(|entry| {
            let record = &records[entry.node() as usize];
            let total = aim.total(record.pair(), aim.position(entry.node()));
            record.tag & 1 == 0 && entry.cost() == total.cost()
        });
    }
}

impl Frontier<StandardRecord> for StandardFrontier<'_> {
    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn push(&mut self, records: &mut [StandardRecord], aim: &Aim, waiting: Waiting) -> bool {
        if self.0.is_full() {
            self.tidy(records, aim);
        }
        // Of equal f the larger g comes first, as the larger float does in its complement's bits.
        self.0.push(FloatEntry::new(waiting.total.cost(), !waiting.pair.tie().to_bits(), waiting.node))
    }

    #[inline]
    fn pop(&mut self, records: &mut [StandardRecord], _aim: &Aim) -> Option<u32> {
        loop {
            let node = self.0.pop()?.node();
            if records[node as usize].tag & 1 == 0 {
                return Some(node);
            }
        }
    }
}
