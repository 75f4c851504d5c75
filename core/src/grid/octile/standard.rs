//! The form for speed: 12 bytes a record, and a frontier that orders a level of `f` when the search comes to it.
//!
//! With a consistent estimate no step raises `f` by more than a diagonal step away from the goal, 2.83, and `f` never
//! falls. So all that waits lies within that much of what was popped last: its `f` is told by a fraction of 64 bits that
//! wraps round after 8 steps ([`Pair::level`]), exactly. A ring of 512 lists, each a 64th of a step wide, holds what waits
//! above the present level, in no order, because much of it never comes out. When a level's turn has come, its nodes go
//! to a stack, sorted once by the tie-break alone. A node reached on the present level costs more than the one popped last,
//! whose turn came for its largest `g`: it goes on top.
//!
//! A waiting node that gets better keys is listed again, below; its older entry is met later, when the node is closed, and
//! dropped. The order in which nodes come out is that of a heap with decrease-key.

use super::Pair;
use super::search::{Aim, Frontier, Record, Waiting};
use crate::memory::{Pod, Zeroable};

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

/// No entry.
const NIL: u32 = u32::MAX;

/// An entry of a list: a node that waits above the present level.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct StandardEntry {
    node: u32,
    /// The low bits of its level; the others choose the list.
    fine: u32,
    next: u32,
}

/// A node on the stack: the bits of `g` as a float, above the complement of the node. The largest comes first.
type Turn = u64;

#[inline]
fn turn(node: u32, pair: Pair) -> Turn {
    u64::from(pair.tie().to_bits()) << 32 | u64::from(!node)
}

/// Lists round the ring, for the 8 steps of [`Pair::level`]: more than twice the 2.83 that what waits can spread over.
pub const LISTS: usize = 512;

/// A level as far as it tells pairs apart, in 2^-38 of a step: those that differ do so by 2^-30. Above the low 32 bits
/// stands the list.
#[inline]
fn level_of(total: Pair) -> u64 {
    total.level() >> (u64::BITS - LISTS.ilog2() - u32::BITS)
}

/// More than any level.
const NO_LEVEL: u64 = u64::MAX;

/// The frontier of the standard form.
#[derive(Debug)]
pub struct StandardFrontier<'m> {
    pool: &'m mut [StandardEntry],
    /// Entries of the pool that were ever in use since the search began.
    used: usize,
    /// The first of those that are free again, in a list by their next.
    free: u32,
    /// The first entry of each list.
    lists: &'m mut [u32; LISTS],
    /// A bit for each list, set where it has an entry.
    filled: [u64; LISTS / 64],
    /// The list of what was popped last; nothing lies before it. The first push sets it.
    present: usize,
    /// The level of what is on the stack, or was last.
    level: u64,
    stack: &'m mut [Turn],
    stacked: usize,
    /// How many nodes wait.
    waiting: usize,
}

impl<'m> StandardFrontier<'m> {
    /// A frontier over an array of entries, a stack of as many, and the lists.
    pub fn over(pool: &'m mut [StandardEntry], stack: &'m mut [u64], lists: &'m mut [u32; LISTS]) -> Self {
        lists.fill(NIL);
        let filled = [0; LISTS / 64];
        let (used, free, present, level, stacked, waiting) = (0, NIL, 0, NO_LEVEL, 0, 0);
        StandardFrontier { pool, used, free, lists, filled, present, level, stack, stacked, waiting }
    }

    /// A free entry's number, if there is one.
    #[inline]
    fn take(&mut self) -> Option<u32> {
        if let Some(entry) = self.pool.get(self.free as usize) {
            let taken = self.free;
            self.free = entry.next;
            return Some(taken);
        }
        let is_room = self.used < self.pool.len();
        self.used += usize::from(is_room);
        is_room.then(|| self.used as u32 - 1)
    }

    /// Lists a node by an entry of the pool.
    #[inline]
    fn list(&mut self, at: u32, node: u32, level: u64) {
        let list = (level >> 32) as usize % LISTS;
        self.filled[list / 64] |= 1 << (list % 64);
        let next = core::mem::replace(&mut self.lists[list], at);
        self.pool[at as usize] = StandardEntry { node, fine: level as u32, next };
    }

    /// Puts a node of the present level in its place on the stack: all but always on top.
    #[inline]
    fn stack_up(&mut self, turn: Turn) {
        let mut at = self.stacked;
        self.stacked += 1;
        while at > 0 && self.stack[at - 1] > turn {
            self.stack[at] = self.stack[at - 1];
            at -= 1;
        }
        self.stack[at] = turn;
    }

    /// The first list with an entry, from the present one on, around the ring.
    #[inline]
    fn first_list(&self) -> Option<usize> {
        let words = self.filled.len();
        let (word, shift) = (self.present / 64, self.present % 64);
        let ahead = self.filled[word] >> shift;
        if ahead != 0 {
            return Some(self.present + ahead.trailing_zeros() as usize);
        }
        // The present word comes again at the end, for its bits before the present list.
        let later = (1..=words).map(|n| (word + n) % words).find(|&word| self.filled[word] != 0)?;
        Some(later * 64 + self.filled[later].trailing_zeros() as usize)
    }

    /// Brings the nodes of the next level to the stack, which is empty. `false` when nothing waits.
    fn next_level(&mut self, records: &[StandardRecord]) -> bool {
        while let Some(list) = self.first_list() {
            self.present = list;
            if !self.draw_all(list, records) {
                let least = self.least(list);
                self.draw(list, least, records);
            }
            if self.stacked > 0 {
                self.stack[..self.stacked].sort_unstable();
                return true;
            }
        }
        false
    }

    /// Moves a list's nodes to the stack, but for closed ones, when they are all of one level, as all but always. Otherwise it
    /// gives `false` and leaves all as it was.
    #[inline]
    fn draw_all(&mut self, list: usize, records: &[StandardRecord]) -> bool {
        let first = self.lists[list];
        let (mut at, mut last, mut stacked) = (first, first, 0);
        let level = self.pool[first as usize].fine;
        while at != NIL {
            let entry = self.pool[at as usize];
            if entry.fine != level {
                return false;
            }
            let record = &records[entry.node as usize];
            if record.tag & 1 == 0 {
                self.stack[stacked] = turn(entry.node, record.pair());
                stacked += 1;
            }
            (last, at) = (at, entry.next);
        }
        self.pool[last as usize].next = self.free;
        self.free = first;
        self.lists[list] = NIL;
        self.filled[list / 64] &= !(1 << (list % 64));
        self.level = (list as u64) << 32 | u64::from(level);
        self.stacked = stacked;
        true
    }

    /// The least level in a list.
    #[cold]
    fn least(&self, list: usize) -> u32 {
        let (mut least, mut at) = (u32::MAX, self.lists[list]);
        while at != NIL {
            let entry = self.pool[at as usize];
            least = least.min(entry.fine);
            at = entry.next;
        }
        least
    }

    /// Moves the nodes of one level from a list to the stack, but for closed ones.
    #[cold]
    fn draw(&mut self, list: usize, level: u32, records: &[StandardRecord]) {
        self.level = (list as u64) << 32 | u64::from(level);
        self.sift(list, |frontier, node, fine| {
            let record = &records[node as usize];
            if fine == level && record.tag & 1 == 0 {
                frontier.stack[frontier.stacked] = turn(node, record.pair());
                frontier.stacked += 1;
            }
            fine != level
        });
    }

    /// Keeps what `keep` accepts of a list by node and low bits of the level, and frees the entries of the rest.
    fn sift(&mut self, list: usize, mut keep: impl FnMut(&mut Self, u32, u32) -> bool) {
        let (mut at, mut kept) = (self.lists[list], NIL);
        while at != NIL {
            let StandardEntry { node, fine, next } = self.pool[at as usize];
            let list = if keep(self, node, fine) { &mut kept } else { &mut self.free };
            self.pool[at as usize].next = *list;
            *list = at;
            at = next;
        }
        self.lists[list] = kept;
        if kept == NIL {
            self.filled[list / 64] &= !(1 << (list % 64));
        }
    }

    /// Frees the entries of closed nodes and of older keys.
    #[cold]
    fn tidy(&mut self, records: &[StandardRecord], aim: &Aim) {
        for list in 0..LISTS {
            self.sift(list, |_, node, fine| {
                let record = &records[node as usize];
                let level = level_of(aim.total(record.pair(), aim.position(node)));
                record.tag & 1 == 0 && level == (list as u64) << 32 | u64::from(fine)
            });
        }
    }
}

impl Frontier<StandardRecord> for StandardFrontier<'_> {
    fn capacity(&self) -> usize {
        self.pool.len()
    }

    fn clear(&mut self) {
        (self.used, self.free, self.filled) = (0, NIL, [0; LISTS / 64]);
        self.lists.fill(NIL);
        (self.level, self.stacked, self.waiting) = (NO_LEVEL, 0, 0);
    }

    #[inline(always)]
    fn push(&mut self, records: &mut [StandardRecord], aim: &Aim, waiting: Waiting) -> bool {
        if !waiting.is_better {
            if self.waiting == self.pool.len() {
                return false;
            }
            self.waiting += 1;
        }
        let level = level_of(waiting.total);
        if level == self.level {
            self.stack_up(turn(waiting.node, waiting.pair));
            return true;
        }
        if self.waiting == 1 && self.level == NO_LEVEL {
            self.present = (level >> 32) as usize;
        }
        let mut place = self.take();
        if place.is_none() {
            // The record was written before the push, so its node's older entries are dropped as well.
            self.tidy(records, aim);
            place = self.take();
        }
        let Some(at) = place else { return false };
        self.list(at, waiting.node, level);
        true
    }

    #[inline]
    fn pop(&mut self, records: &mut [StandardRecord], _aim: &Aim) -> Option<u32> {
        if self.stacked == 0 && !self.next_level(records) {
            return None;
        }
        self.stacked -= 1;
        self.waiting -= 1;
        Some(!(self.stack[self.stacked] as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix64;
    use std::vec::Vec;

    /// Entries come out by `f`, then by larger float `g`, then by node, whatever waits beside them; in a pool so small
    /// that it must be tidied often.
    #[test]
    fn entries_come_out_in_the_pages_order() {
        let mut random = SplitMix64::new(4);
        let aim = Aim::new(64, 0, true);
        let mut memory = std::vec![StandardEntry::default(); 100];
        let (mut stack, mut lists) = ([0; 100], [0; LISTS]);
        let mut frontier = StandardFrontier::over(&mut memory, &mut stack, &mut lists);
        for _ in 0..50 {
            frontier.clear();
            let mut records = std::vec![StandardRecord::default(); 100];
            let mut model: Vec<Waiting> = Vec::new();
            let mut level = 0;
            let start = Pair::default();
            model.push(Waiting { node: 0, pair: start, total: start, is_better: false });
            assert!(frontier.push(&mut records, &aim, model[0]));
            for _ in 0..400 {
                if random.below(3) > 0 {
                    let node = random.below(100) as u32;
                    // Up to 3.4 beyond what was popped last, never before it.
                    let pair = Pair { straight: level + random.below(2) as u32, diagonal: random.below(2) as u32 };
                    let known = model.iter().position(|waiting| waiting.node == node);
                    if records[node as usize].tag & 1 != 0
                        || known.is_some_and(|at| model[at].pair.cost() <= pair.cost())
                    {
                        continue;
                    }
                    known.map(|at| model.swap_remove(at));
                    let waiting = Waiting { node, pair, total: pair, is_better: known.is_some() };
                    records[node as usize].reach(pair, 0);
                    assert!(frontier.push(&mut records, &aim, waiting));
                    model.push(waiting);
                } else {
                    let key = |waiting: &Waiting| {
                        (waiting.total.cost().to_bits(), !waiting.pair.tie().to_bits(), waiting.node)
                    };
                    let least = (0..model.len()).min_by_key(|&at| key(&model[at]));
                    let want = least.map(|at| model.swap_remove(at));
                    let popped = frontier.pop(&mut records, &aim);
                    assert_eq!(popped, want.map(|waiting| waiting.node));
                    if let Some(waiting) = want {
                        records[waiting.node as usize].set_tag(1);
                        level = waiting.total.cost() as u32 + 1;
                    }
                }
            }
        }
    }
}
