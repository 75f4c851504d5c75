//! The form for speed: 12 bytes a record, and buckets of small heaps whose entries carry their keys.
//!
//! With a consistent estimate no step raises `f` by more than a diagonal step away from the goal, 2.83, and `f` never
//! falls. So all that waits lies within that much of what was popped last, and a ring of 256 buckets, each a 64th wide,
//! holds it. A bucket is a pairing heap (Fredman, Sedgewick, Sleator and Tarjan 1986): pushing is one compare, and what
//! never comes out, which is much of what waits, costs no more than that. In one heap over all, sinking through it was
//! half of the search.
//!
//! A waiting node that gets better keys is pushed again; its older entry comes out later, finds the node closed and is
//! passed over. The order in which nodes come out is that of a heap with decrease-key: a node's least entry is the one
//! with its present keys.

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

/// An entry that waits, and its place in its bucket's heap.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct StandardEntry {
    /// The bits of `f`, which order as it does, since it is not negative.
    f: u64,
    /// The complement of the bits of `g` as a float, above the node: a larger `g` first, then a smaller node.
    tie: u64,
    child: u32,
    sibling: u32,
}

impl StandardEntry {
    #[inline]
    fn of(waiting: &Waiting) -> StandardEntry {
        let f = waiting.total.cost().to_bits();
        let tie = u64::from(!waiting.pair.tie().to_bits()) << 32 | u64::from(waiting.node);
        StandardEntry { f, tie, child: NIL, sibling: NIL }
    }

    #[inline]
    fn node(&self) -> u32 {
        self.tie as u32
    }

    #[inline]
    fn before(&self, other: &StandardEntry) -> bool {
        self.f < other.f || self.f == other.f && self.tie < other.tie
    }

    /// The bucket: which 64th of a step `f` is nearest to, around the ring.
    #[inline]
    fn bucket(&self) -> usize {
        // Adding 2^52 leaves the nearest integer in the low bits; a nearest integer never falls as `f` rises.
        (f64::from_bits(self.f) * BUCKETS_A_STEP + WHOLE).to_bits() as usize % BUCKETS
    }
}

/// Four steps' worth of buckets: more than the 2.83 that what waits can spread over.
pub const BUCKETS: usize = 256;
const WHOLE: f64 = (1u64 << 52) as f64;
const BUCKETS_A_STEP: f64 = (BUCKETS / 4) as f64;

/// The frontier of the standard form.
#[derive(Debug)]
pub struct StandardFrontier<'m> {
    pool: &'m mut [StandardEntry],
    /// Entries of the pool that were ever in use since the search began.
    used: usize,
    /// The first of those that are free again, in a list by their siblings.
    free: u32,
    /// The root of each bucket's heap, where the bucket's bit is set.
    roots: &'m mut [u32],
    filled: [u64; BUCKETS / 64],
    /// The bucket of what was popped last; nothing lies before it. The first push sets it.
    present: usize,
    is_new: bool,
}

impl<'m> StandardFrontier<'m> {
    /// A frontier over an array of entries and one of [`BUCKETS`] roots.
    pub fn over(pool: &'m mut [StandardEntry], roots: &'m mut [u32]) -> Self {
        let filled = [0; BUCKETS / 64];
        StandardFrontier { pool, used: 0, free: NIL, roots, filled, present: 0, is_new: true }
    }

    /// A free entry's number, if there is one.
    #[inline]
    fn take(&mut self) -> Option<u32> {
        if let Some(entry) = self.pool.get(self.free as usize) {
            let taken = self.free;
            self.free = entry.sibling;
            return Some(taken);
        }
        let is_room = self.used < self.pool.len();
        self.used += usize::from(is_room);
        is_room.then(|| self.used as u32 - 1)
    }

    /// Puts an entry of the pool into its bucket.
    #[inline]
    fn put(&mut self, at: u32) {
        let bucket = self.pool[at as usize].bucket();
        let bit = 1 << (bucket % 64);
        let is_first = self.filled[bucket / 64] & bit == 0;
        self.filled[bucket / 64] |= bit;
        self.roots[bucket] = if is_first { at } else { self.meld(self.roots[bucket], at) };
    }

    /// Makes one heap of two; gives its root.
    #[inline]
    fn meld(&mut self, one: u32, other: u32) -> u32 {
        let is_other = self.pool[other as usize].before(&self.pool[one as usize]);
        let (root, below) = if is_other { (other, one) } else { (one, other) };
        self.pool[below as usize].sibling = self.pool[root as usize].child;
        self.pool[root as usize].child = below;
        root
    }

    /// Makes one heap of a root's children: in pairs from the first, then all from the last.
    #[inline]
    fn meld_children(&mut self, first: u32) -> u32 {
        let (mut next, mut pairs) = (first, NIL);
        while next != NIL {
            let one = next;
            let other = self.pool[one as usize].sibling;
            let heap = if other == NIL {
                next = NIL;
                one
            } else {
                next = self.pool[other as usize].sibling;
                self.meld(one, other)
            };
            self.pool[heap as usize].sibling = pairs;
            pairs = heap;
        }
        let mut root = pairs;
        if root != NIL {
            next = self.pool[root as usize].sibling;
            while next != NIL {
                let heap = next;
                next = self.pool[heap as usize].sibling;
                root = self.meld(root, heap);
            }
        }
        root
    }

    /// The first bucket with an entry, from the present one on, around the ring.
    #[inline]
    fn first_bucket(&self) -> Option<usize> {
        let words = self.filled.len();
        let (word, shift) = (self.present / 64, self.present % 64);
        let ahead = self.filled[word] >> shift;
        if ahead != 0 {
            return Some(self.present + ahead.trailing_zeros() as usize);
        }
        // The present word comes again at the end, for its bits before the present bucket.
        let later = (1..=words).map(|n| (word + n) % words).find(|&word| self.filled[word] != 0)?;
        Some(later * 64 + self.filled[later].trailing_zeros() as usize)
    }

    /// Drops the entries of closed nodes and of older keys from a pool without free ones.
    #[cold]
    fn tidy(&mut self, records: &[StandardRecord], aim: &Aim) {
        let mut kept = 0;
        for at in 0..self.used {
            let entry = self.pool[at];
            let record = &records[entry.node() as usize];
            let total = aim.total(record.pair(), aim.position(entry.node()));
            if record.tag & 1 == 0 && entry.f == total.cost().to_bits() {
                self.pool[kept] = StandardEntry { child: NIL, sibling: NIL, ..entry };
                kept += 1;
            }
        }
        self.used = kept;
        self.filled = [0; BUCKETS / 64];
        (0..kept as u32).for_each(|at| self.put(at));
    }
}

impl Frontier<StandardRecord> for StandardFrontier<'_> {
    fn capacity(&self) -> usize {
        self.pool.len()
    }

    fn clear(&mut self) {
        (self.used, self.free, self.filled) = (0, NIL, [0; BUCKETS / 64]);
        self.is_new = true;
    }

    #[inline]
    fn push(&mut self, records: &mut [StandardRecord], aim: &Aim, waiting: Waiting) -> bool {
        let mut place = self.take();
        if place.is_none() {
            // The record was written before the push, so its node's older entries are dropped as well.
            self.tidy(records, aim);
            place = self.take();
        }
        let Some(at) = place else { return false };
        let entry = StandardEntry::of(&waiting);
        if self.is_new {
            (self.present, self.is_new) = (entry.bucket(), false);
        }
        self.pool[at as usize] = entry;
        self.put(at);
        true
    }

    #[inline]
    fn pop(&mut self, records: &mut [StandardRecord], _aim: &Aim) -> Option<u32> {
        loop {
            let bucket = self.first_bucket()?;
            self.present = bucket;
            let root = self.roots[bucket];
            let entry = self.pool[root as usize];
            let rest = self.meld_children(entry.child);
            self.roots[bucket] = rest;
            if rest == NIL {
                self.filled[bucket / 64] &= !(1 << (bucket % 64));
            }
            self.pool[root as usize].sibling = self.free;
            self.free = root;
            if records[entry.node() as usize].tag & 1 == 0 {
                return Some(entry.node());
            }
        }
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
        let mut memory = std::vec![StandardEntry::default(); 120];
        let mut roots = [0; BUCKETS];
        let mut frontier = StandardFrontier::over(&mut memory, &mut roots);
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
