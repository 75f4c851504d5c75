//! The form for small maps: 8 bytes a record, 2 a heap entry, and no doubles but where float32 ties are looked at.
//!
//! For grids of up to 65535 cells. The heap holds node numbers with decrease-key; the keys are worked out from the
//! records when two entries are compared, in integers. Records are wiped once in 4095 searches.

use super::Pair;
use super::form::{Form, Parent, Popped, Reached};
use super::search::Aim;
use crate::memory::{Pod, Zeroable};
use crate::search::{Places, lower, raise};
use core::cmp::Ordering;

/// A node of the compact form.
///
/// The tag is `generation << 4 | step of arrival << 1 | closed`. A tag below the present generation's is an earlier
/// search's, so nothing is cleared between searches until the generations run out.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct CompactRecord {
    straight: u16,
    diagonal: u16,
    tag: u16,
    /// Where in the heap the node stands, while it waits.
    slot: u16,
}

const LAST_GENERATION: u16 = (1 << 12) - 1;

impl CompactRecord {
    /// The most nodes whose costs and numbers fit.
    pub const MAX_NODES: u32 = u16::MAX as u32;

    #[inline]
    fn pair(&self) -> Pair {
        Pair { straight: self.straight.into(), diagonal: self.diagonal.into() }
    }

    #[inline]
    fn reach(&mut self, pair: Pair, tag: u16) {
        // A way without circles has fewer steps than there are cells.
        (self.straight, self.diagonal, self.tag) = (pair.straight as u16, pair.diagonal as u16, tag);
    }
}

/// The compact form.
#[derive(Debug)]
pub struct Compact<'m> {
    records: &'m mut [CompactRecord],
    heap: &'m mut [u16],
    len: usize,
    generation: u16,
}

impl<'m> Compact<'m> {
    /// A form over a record for each node and an array of node numbers.
    pub fn over(records: &'m mut [CompactRecord], heap: &'m mut [u16]) -> Self {
        records.fill(CompactRecord::default());
        Compact { records, heap, len: 0, generation: 0 }
    }

    /// The tag of a node that was just reached by the present search; no node of it has a lesser one.
    fn opened(&self) -> u16 {
        self.generation << 4
    }

    /// Adds a node whose record was just written, or gives a waiting one its new keys. `false` when there is no room.
    fn push(&mut self, aim: &Aim, node: u16, is_better: bool) -> bool {
        let at = if is_better {
            self.records[node as usize].slot as usize
        } else if self.len == self.heap.len() {
            return false;
        } else {
            self.len += 1;
            self.len - 1
        };
        // Keys only ever get smaller, so a node that waits already rises too.
        raise(&mut self.heap[..self.len], at, node, &mut Keys { records: self.records, aim });
        true
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

impl Form for Compact<'_> {
    type Way = Pair;

    fn capacity(&self) -> usize {
        self.heap.len()
    }

    fn forget(&mut self) {
        if self.generation == LAST_GENERATION {
            self.records.fill(CompactRecord::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.len = 0;
    }

    fn forget_waiting(&mut self) {
        self.len = 0;
    }

    fn reached(&self, node: u32) -> Option<Reached> {
        let record = self.records.get(node as usize).filter(|record| record.tag >= self.opened())?;
        let (arrival, is_closed) = ((record.tag >> 1 & 7) as usize, record.tag & 1 != 0);
        Some(Reached { pair: record.pair(), arrival, is_closed })
    }

    fn note(&mut self, node: u32, reached: Reached) {
        let tag = self.opened() | (reached.arrival as u16 & 7) << 1 | u16::from(reached.is_closed);
        self.records[node as usize].reach(reached.pair, tag);
    }

    fn wait(&mut self, aim: &Aim, node: u32, _pair: Pair) {
        let _ = self.push(aim, node as u16, false);
    }

    fn pop(&mut self, aim: &Aim) -> Option<Popped<Pair>> {
        let live = &mut self.heap[..self.len];
        let first = *live.first()?;
        let (&mut last, rest) = live.split_last_mut()?;
        self.len -= 1;
        if !rest.is_empty() {
            lower(rest, 0, last, &mut Keys { records: self.records, aim });
        }
        let record = &mut self.records[first as usize];
        record.tag |= 1;
        Some(Popped { node: first.into(), arrival: (record.tag >> 1 & 7) as usize, way: record.pair() })
    }

    fn expand(&mut self, aim: &Aim, offsets: &[i32; 8], parent: Parent<Pair>, mut steps: u8) -> bool {
        let opened = self.opened();
        let mut has_room = true;
        while steps != 0 {
            let step = steps.trailing_zeros() as usize & 7;
            steps &= steps - 1;
            let next = parent.node.wrapping_add_signed(offsets[step]);
            let Some(record) = self.records.get_mut(next as usize) else { continue };
            let is_known = record.tag >= opened;
            if is_known && record.tag & 1 != 0 {
                continue; // a closed node is final
            }
            let way = parent.way.after(step);
            // Strictly cheaper, so that of equal ways the first one found stays.
            if is_known && way.compare(record.pair()).is_ge() {
                continue;
            }
            record.reach(way, opened | (step as u16) << 1);
            has_room &= self.push(aim, next as u16, is_known);
        }
        has_room
    }
}
