//! The form for speed: 8 bytes a record, and a frontier that orders a level of `f` when the search comes to it.
//!
//! A record is one number in which a cheaper way is less, whatever else it says, so that a step is judged by one compare:
//! from the top, the generations that are left, a bit that closed nodes lack, the cost in units of the [`Scale`], and the
//! step of arrival. Records of earlier searches have more generations left, and are greater than any of this one; those of
//! closed nodes are less.
//!
//! With a consistent estimate no step raises `f` by more than a diagonal step away from the goal, 2.83, and `f` never
//! falls. So all that waits lies within that much of what was popped last: its `f` is told by 32 bits that wrap round after
//! 4 steps or more ([`Scale::level`]), exactly. A step raises it by one of six amounts. A ring of 512 lists holds what waits
//! above the present level, in no order, because much of it never comes out. When a level's turn has come, its nodes go
//! to a stack, sorted once by the tie-break alone. A node reached on the present level costs more than the one popped last,
//! whose turn came for its largest `g`: it goes on top of the stack, or just below where floats make ties of costs.
//!
//! A waiting node that gets better keys is listed again, below; its older entry is met later, when the node is closed, and
//! dropped. The order in which nodes come out is that of a heap with decrease-key.

use super::Pair;
use super::form::{Form, Parent, Popped, Reached};
use super::scale::{PLAIN, Scale, slopes};
use super::search::Aim;
use crate::grid::STEPS;
use crate::memory::{Pod, Zeroable};

/// What was never reached.
const NEVER: u64 = u64::MAX;

/// Bits of the step of arrival.
const ARRIVAL: u64 = 7;

/// No entry.
const NIL: u32 = u32::MAX;

/// An entry of a list: a node that waits above the present level.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct StandardEntry {
    node: u32,
    level: u32,
    next: u32,
}

/// Lists round the ring, for the 4 steps or more that a level tells apart: more than the 3 that what waits can spread over after a
/// restore, and the 2.83 otherwise.
pub const LISTS: usize = 512;

/// The list of a level.
#[inline]
fn list_of(level: u32) -> usize {
    (level >> (u32::BITS - LISTS.ilog2())) as usize
}

/// A node on the stack: the bits of `g` as a float, above the complement of the node. The largest comes first.
type Turn = u64;

/// The standard form.
#[derive(Debug)]
pub struct Standard<'m> {
    records: &'m mut [u64],
    scale: Scale,
    rises: [u32; 8],
    /// What each of [`STEPS`] adds to a record without a step of arrival.
    adds: [u64; STEPS.len()],
    /// The bit that records of closed nodes lack; the generations that are left stand above it.
    open_bit: u64,
    /// The record of a node that is reached by the present search at no cost.
    fresh: u64,
    waiting: Waiting<'m>,
}

/// The nodes that wait.
#[derive(Debug)]
struct Waiting<'m> {
    pool: &'m mut [StandardEntry],
    /// Entries of the pool that were ever in use since the search began.
    used: usize,
    /// The first of those that are free again, in a list by their next.
    free: u32,
    /// The first entry of each list.
    lists: &'m mut [u32; LISTS],
    /// A bit for each list, set where it has an entry.
    filled: [u64; LISTS / 64],
    /// The list of what was popped last; nothing lies before it. The first to wait sets it.
    present: usize,
    /// The level of what is on the stack, or was last.
    level: u32,
    stack: &'m mut [Turn],
    stacked: usize,
    /// How many nodes wait.
    count: usize,
}

/// What the frontier needs to know to tell waiting nodes from closed ones, and how they tie.
#[derive(Clone, Copy)]
struct Look<'a> {
    records: &'a [u64],
    scale: &'a Scale,
    open_bit: u64,
}

impl Look<'_> {
    #[inline]
    fn is_open(&self, record: u64) -> bool {
        record & self.open_bit != 0
    }

    #[inline]
    fn cost(&self, record: u64) -> u64 {
        (record & (self.open_bit - 1)) >> ARRIVAL.count_ones()
    }

    #[inline]
    fn turn(&self, node: u32, record: u64) -> Turn {
        u64::from(self.scale.tie(self.cost(record))) << 32 | u64::from(!node)
    }
}

impl Waiting<'_> {
    /// A free entry's number, if there is one.
    #[inline(always)]
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

    /// Lists a node. `false` when the pool is full.
    #[inline(always)]
    fn list(&mut self, node: u32, level: u32) -> bool {
        let list = list_of(level);
        let Some(at) = self.take() else { return false };
        let Some(entry) = self.pool.get_mut(at as usize) else { return false };
        self.filled[list / 64] |= 1 << (list % 64);
        *entry = StandardEntry { node, level, next: core::mem::replace(&mut self.lists[list], at) };
        true
    }

    /// Puts a node of the present level in its place on the stack: all but always on top. Past the stack's room it is lost.
    #[inline(always)]
    fn stack_up(&mut self, turn: Turn) {
        let mut at = self.stacked;
        if at == self.stack.len() {
            return;
        }
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
        let (word, shift) = (self.present / 64 % words, self.present % 64);
        let ahead = self.filled[word] >> shift;
        if ahead != 0 {
            return Some(self.present + ahead.trailing_zeros() as usize);
        }
        // The present word comes again at the end, for its bits before the present list.
        let later = (1..=words).map(|n| (word + n) % words).find(|&word| self.filled[word] != 0)?;
        Some(later * 64 + self.filled[later].trailing_zeros() as usize)
    }

    /// Takes the first node of the next level, and brings the others to the stack, which is empty. Nothing when nothing waits.
    #[inline(never)]
    fn next_level(&mut self, look: Look<'_>) -> Option<u32> {
        while let Some(list) = self.first_list() {
            self.present = list;
            let first = self.lists[list % LISTS];
            let &StandardEntry { node, level, next } = self.pool.get(first as usize)?;
            // A node alone needs neither a turn nor the stack.
            if next == NIL {
                self.empty(list, first, first);
                self.level = level;
                if look.is_open(look.records[node as usize]) {
                    return Some(node);
                }
                continue;
            }
            if !self.draw_all(list, look) {
                let least = self.least(list);
                self.draw(list, least, look);
            }
            if self.stacked > 1 {
                self.stack[..self.stacked].sort_unstable();
            }
            if self.stacked > 0 {
                return Some(self.unstack());
            }
        }
        None
    }

    /// Takes the uppermost node off the stack, which is not empty.
    #[inline(always)]
    fn unstack(&mut self) -> u32 {
        self.stacked -= 1;
        !(self.stack[self.stacked] as u32)
    }

    /// Frees the entries of a list from its first to its last.
    #[inline(always)]
    fn empty(&mut self, list: usize, first: u32, last: u32) {
        self.pool[last as usize].next = self.free;
        self.free = first;
        self.lists[list % LISTS] = NIL;
        self.filled[list / 64 % (LISTS / 64)] &= !(1 << (list % 64));
    }

    /// Moves a list's nodes to the stack, but for closed ones, when they are all of one level, as all but always. Otherwise it
    /// gives `false` and leaves all as it was.
    #[inline]
    fn draw_all(&mut self, list: usize, look: Look<'_>) -> bool {
        let first = self.lists[list % LISTS];
        let Some(&StandardEntry { level, .. }) = self.pool.get(first as usize) else { return false };
        let (mut at, mut last, mut stacked) = (first, first, 0);
        while let Some(entry) = self.pool.get(at as usize) {
            if entry.level != level {
                return false;
            }
            let record = look.records[entry.node as usize];
            // A closed node's turn is written as well, and the next one written over it.
            if let Some(place) = self.stack.get_mut(stacked) {
                *place = look.turn(entry.node, record);
            }
            stacked += usize::from(look.is_open(record));
            (last, at) = (at, entry.next);
        }
        self.empty(list, first, last);
        (self.level, self.stacked) = (level, stacked);
        true
    }

    /// The least level in a list.
    #[cold]
    fn least(&self, list: usize) -> u32 {
        let (mut least, mut at) = (u32::MAX, self.lists[list]);
        while at != NIL {
            let entry = self.pool[at as usize];
            least = least.min(entry.level);
            at = entry.next;
        }
        least
    }

    /// Moves the nodes of one level from a list to the stack, but for closed ones.
    #[cold]
    fn draw(&mut self, list: usize, level: u32, look: Look<'_>) {
        self.level = level;
        self.sift(list, |waiting, node, other| {
            let record = look.records[node as usize];
            if other == level && look.is_open(record) {
                waiting.stack[waiting.stacked] = look.turn(node, record);
                waiting.stacked += 1;
            }
            other != level
        });
    }

    /// Keeps what `keep` accepts of a list by node and level, and frees the entries of the rest.
    fn sift(&mut self, list: usize, mut keep: impl FnMut(&mut Self, u32, u32) -> bool) {
        let (mut at, mut kept) = (self.lists[list], NIL);
        while at != NIL {
            let StandardEntry { node, level, next } = self.pool[at as usize];
            let list = if keep(self, node, level) { &mut kept } else { &mut self.free };
            self.pool[at as usize].next = *list;
            *list = at;
            at = next;
        }
        self.lists[list] = kept;
        if kept == NIL {
            self.filled[list / 64] &= !(1 << (list % 64));
        }
    }

    fn clear(&mut self) {
        (self.used, self.free, self.filled) = (0, NIL, [0; LISTS / 64]);
        self.lists.fill(NIL);
        (self.stacked, self.count) = (0, 0);
    }
}

impl<'m> Standard<'m> {
    /// A form over a record for each node, an array of entries, a stack of as many, and the lists.
    pub fn over(
        records: &'m mut [u64],
        pool: &'m mut [StandardEntry],
        stack: &'m mut [u64],
        lists: &'m mut [u32; LISTS],
    ) -> Self {
        records.fill(NEVER);
        lists.fill(NIL);
        let scale = Scale::of_cells(records.len());
        let open_bit = 1 << (scale.bits + ARRIVAL.count_ones());
        let filled = [0; LISTS / 64];
        let (used, free, present, level, stacked, count) = (0, NIL, 0, 0, 0, 0);
        let waiting = Waiting { pool, used, free, lists, filled, present, level, stack, stacked, count };
        let mut adds = [0; STEPS.len()];
        for (step, add) in adds.iter_mut().enumerate() {
            *add = scale.cost(Pair::default().after(step)) << ARRIVAL.count_ones() | step as u64;
        }
        Standard { records, scale, rises: scale.rises(), adds, open_bit, fresh: NEVER & !(open_bit - 1), waiting }
    }

    #[inline(always)]
    fn look(&self) -> Look<'_> {
        Look { records: self.records, scale: &self.scale, open_bit: self.open_bit }
    }

    /// The greatest record of the present search.
    #[inline(always)]
    fn newest(&self) -> u64 {
        self.fresh | (self.open_bit - 1)
    }

    /// Lets a node wait at a level, or list it again: its record was just written. `false` when there is no room. Its caller
    /// sees to it that no more wait than the pool holds.
    #[inline(always)]
    fn push(&mut self, aim: &Aim, node: u32, record: u64, level: u32, is_new: bool) -> bool {
        self.waiting.count += usize::from(is_new);
        if level == self.waiting.level {
            let turn = self.look().turn(node, record);
            self.waiting.stack_up(turn);
            return true;
        }
        self.waiting.list(node, level) || self.list_tidied(aim, node, level)
    }

    /// Lists a node after the entries of closed nodes and of older keys were freed.
    #[cold]
    fn list_tidied(&mut self, aim: &Aim, node: u32, level: u32) -> bool {
        // The record was written before, so its node's older entries are dropped as well.
        let look = Look { records: self.records, scale: &self.scale, open_bit: self.open_bit };
        for list in 0..LISTS {
            self.waiting.sift(list, |_, node, level| {
                let record = look.records[node as usize];
                look.is_open(record) && level_of(&self.scale, aim, node, self.scale.pair(look.cost(record))) == level
            });
        }
        self.waiting.list(node, level)
    }
}

/// The level of a node by its way.
fn level_of(scale: &Scale, aim: &Aim, node: u32, pair: Pair) -> u32 {
    scale.level(scale.cost(aim.total(pair, aim.position(node))))
}

impl Form for Standard<'_> {
    /// A record with the bit of open nodes, and without a step of arrival.
    type Way = u64;

    fn capacity(&self) -> usize {
        self.waiting.pool.len()
    }

    fn forget(&mut self) {
        // One generation less is left, unless none is.
        let one = self.open_bit << 1;
        self.fresh = self.fresh.checked_sub(one).unwrap_or_else(|| {
            self.records.fill(NEVER);
            (NEVER & !(self.open_bit - 1)) - one
        });
        self.waiting.clear();
    }

    fn forget_waiting(&mut self) {
        self.waiting.clear();
    }

    #[inline]
    fn reached(&self, node: u32) -> Option<Reached> {
        let &record = self.records.get(node as usize).filter(|&&record| record <= self.newest())?;
        let (look, arrival) = (self.look(), (record & ARRIVAL) as usize);
        Some(Reached { pair: self.scale.pair(look.cost(record)), arrival, is_closed: !look.is_open(record) })
    }

    fn note(&mut self, node: u32, reached: Reached) {
        let way = self.fresh + (self.scale.cost(reached.pair) << ARRIVAL.count_ones() & (self.open_bit - 1));
        let closed = if reached.is_closed { self.open_bit } else { 0 };
        self.records[node as usize] = (way | reached.arrival as u64 & ARRIVAL) & !closed;
    }

    fn wait(&mut self, aim: &Aim, node: u32, pair: Pair) {
        let level = level_of(&self.scale, aim, node, pair);
        if self.waiting.count == 0 {
            self.waiting.present = list_of(level);
        }
        self.waiting.count += 1;
        self.waiting.list(node, level);
    }

    #[inline(always)]
    fn pop(&mut self, _aim: &Aim) -> Option<Popped<u64>> {
        let node = if self.waiting.stacked == 0 {
            let look = Look { records: self.records, scale: &self.scale, open_bit: self.open_bit };
            self.waiting.next_level(look)?
        } else {
            self.waiting.unstack()
        };
        self.waiting.count -= 1;
        let record = &mut self.records[node as usize];
        let (way, arrival) = (*record & !ARRIVAL, (*record & ARRIVAL) as usize);
        *record &= !self.open_bit;
        Some(Popped { node, arrival, way })
    }

    #[inline(always)]
    fn expand(&mut self, aim: &Aim, offsets: &[i32; 8], parent: Parent<u64>, mut steps: u8) -> bool {
        let slopes = if aim.is_zero() { &PLAIN } else { slopes(parent.off.0, parent.off.1) };
        let (newest, level) = (self.newest(), self.waiting.level);
        let mut has_room = true;
        while steps != 0 {
            let step = steps.trailing_zeros() as usize & 7;
            steps &= steps - 1;
            let next = parent.node.wrapping_add_signed(offsets[step]);
            let Some(record) = self.records.get_mut(next as usize) else { continue };
            let (before, way) = (*record, parent.way + self.adds[step]);
            // Strictly cheaper, so that of equal ways the first one found stays; a closed node's is never bettered.
            if way | ARRIVAL >= before {
                continue;
            }
            *record = way;
            let level = level.wrapping_add(self.rises[slopes[step] as usize & 7]);
            has_room &= self.push(aim, next, way, level, before > newest);
        }
        has_room & (self.waiting.count <= self.waiting.pool.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix64;
    use std::vec::Vec;

    /// Nodes come out by `f`, then by larger float `g`, then by node, whatever waits beside them; in a pool so small
    /// that it must be tidied often.
    #[test]
    fn nodes_come_out_in_the_pages_order() {
        let mut random = SplitMix64::new(4);
        let aim = Aim::new(64, 0, true);
        let mut records = std::vec![0; 1000];
        let mut memory = std::vec![StandardEntry::default(); 100];
        let (mut stack, mut lists) = ([0; 100], [0; LISTS]);
        let mut form = Standard::over(&mut records, &mut memory, &mut stack, &mut lists);
        let key = |&(node, pair): &(u32, Pair)| (pair.cost().to_bits(), !pair.tie().to_bits(), node);
        let mut pops = 0;
        for _ in 0..100 {
            form.forget();
            let mut model: Vec<(u32, Pair)> = std::vec![(0, Pair::default())];
            let mut level = 0;
            form.note(0, Reached { pair: Pair::default(), arrival: 0, is_closed: false });
            form.wait(&aim, 0, Pair::default());
            for round in 0..400 {
                if round > 0 && random.below(3) > 0 {
                    let node = random.below(100) as u32;
                    // Up to 3.4 beyond what was popped last, never before it.
                    let pair = Pair { straight: level + random.below(2) as u32, diagonal: random.below(2) as u32 };
                    let known = model.iter().position(|waiting| waiting.0 == node);
                    let is_closed = form.reached(node).is_some_and(|reached| reached.is_closed);
                    if is_closed || known.is_some_and(|at| model[at].1.cost() <= pair.cost()) {
                        continue;
                    }
                    known.map(|at| model.swap_remove(at));
                    form.note(node, Reached { pair, arrival: 0, is_closed: false });
                    let (record, level) = (form.records[node as usize], level_of(&form.scale, &aim, node, pair));
                    assert!(form.push(&aim, node, record, level, known.is_none()));
                    model.push((node, pair));
                } else {
                    let least = (0..model.len()).min_by_key(|&at| key(&model[at]));
                    let want = least.map(|at| model.swap_remove(at));
                    let popped = form.pop(&aim);
                    assert_eq!(popped.map(|popped| popped.node), want.map(|want| want.0));
                    // A search ends when nothing waits: the lists then have been gone through to their end.
                    let Some((node, pair)) = want else { break };
                    assert_eq!(form.reached(node), Some(Reached { pair, arrival: 0, is_closed: true }));
                    level = pair.cost() as u32 + 1;
                    pops += 1;
                }
            }
        }
        assert!(pops > 3000, "{pops}");
    }

    /// On the largest grids but few generations fit: then all records are wiped, and nothing of an earlier search is left.
    #[test]
    fn generations_run_out_without_a_trace() {
        let mut records = std::vec![0; 9];
        let mut memory = std::vec![StandardEntry::default(); 9];
        let (mut stack, mut lists) = ([0; 9], [0; LISTS]);
        let mut form = Standard::over(&mut records, &mut memory, &mut stack, &mut lists);
        // As on a grid of 2^28 cells: two bits of generations.
        (form.scale, form.open_bit) = (Scale::of_cells(1 << 28), 1 << 61);
        form.fresh = NEVER & !(form.open_bit - 1);
        for round in 0..20u32 {
            form.forget();
            assert!((0..9).all(|node| form.reached(node).is_none()));
            let pair = Pair { straight: round, diagonal: (1 << 28) - 21 };
            let is_closed = round % 3 == 0;
            let reached = Reached { pair, arrival: round as usize % 8, is_closed };
            form.note(round % 9, reached);
            assert_eq!(form.reached(round % 9), Some(reached));
        }
    }
}
