//! The open set of searches that mostly end soon: an unsorted front before a heap.
//!
//! A path over polygons rarely has more than twenty nodes waiting. So few are found faster by looking at all of them, in
//! a loop without branches, than by a heap, whose every compare is anyone's guess. What does not fit the front goes on
//! to an [`OpenSet`]. As entries are ordered totally, where they wait decides nothing but speed.

use core::hint::select_unpredictable;

use super::open_set::{Entry, FloatEntry, OpenSet};

/// How many entries wait in the front.
const FRONT: usize = 32;
/// How many of them are compared with one another first.
const STEP: usize = 4;
/// How many steps are taken before asking whether there are more.
const ROUND: usize = 2;

/// Entries waiting to be popped, least first. See the module's text.
///
/// Push costs O(1), amortized O(log n) once the front overflows; pop O(log n). Beginning anew costs next to nothing.
#[derive(Debug)]
pub struct FrontedSet<'m> {
    /// The places past those that are used hold [`FloatEntry::LAST`].
    front: &'m mut [FloatEntry],
    near: usize,
    heap: OpenSet<'m, FloatEntry>,
}

impl<'m> FrontedSet<'m> {
    /// How many places a set for that many entries in its heap takes.
    pub const fn places_for(heap: usize) -> usize {
        heap.saturating_add(FRONT)
    }

    /// An empty set over an array of [`places_for`](FrontedSet::places_for) the entries. In a smaller array than the
    /// front all entries wait in the heap.
    pub fn over(entries: &'m mut [FloatEntry]) -> Self {
        let front = if entries.len() < FRONT { 0 } else { FRONT };
        let (front, heap) = entries.split_at_mut(front);
        front.fill(FloatEntry::LAST);
        FrontedSet { front, near: 0, heap: OpenSet::over(heap) }
    }

    /// How many entries wait.
    pub fn len(&self) -> usize {
        self.near + self.heap.len()
    }

    /// Whether none wait.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.front[..self.near].fill(FloatEntry::LAST);
        self.near = 0;
        self.heap.clear();
    }

    /// Adds an entry; `false` when there is no room.
    #[inline]
    #[must_use]
    pub fn push(&mut self, entry: FloatEntry) -> bool {
        match self.front.get_mut(self.near) {
            Some(place) => {
                *place = entry;
                self.near += 1;
                true
            }
            None => self.push_past_front(entry),
        }
    }

    /// Sends the front on to the heap to make room.
    #[cold]
    #[inline(never)]
    fn push_past_front(&mut self, entry: FloatEntry) -> bool {
        while let Some(last) = self.front[..self.near].last_mut() {
            if !self.heap.push(*last) {
                break;
            }
            *last = FloatEntry::LAST;
            self.near -= 1;
        }
        match self.front.get_mut(self.near) {
            Some(place) => {
                *place = entry;
                self.near += 1;
                true
            }
            None => self.heap.push(entry),
        }
    }

    /// Takes the least entry out.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<FloatEntry> {
        let (least, at) = self.least_in_front();
        if self.heap.peek().is_some_and(|far| far.before(&least)) {
            return self.heap.pop();
        }
        self.near = self.near.checked_sub(1)?;
        let last = *self.front.get(self.near)?;
        // Both are written whichever is popped: often it is the last itself, and often not.
        *self.front.get_mut(at)? = last;
        *self.front.get_mut(self.near)? = FloatEntry::LAST;
        Some(least)
    }

    /// The least entry of the front and its place; [`FloatEntry::LAST`] and no matter where when it is empty.
    #[inline(always)]
    fn least_in_front(&self) -> (FloatEntry, usize) {
        let steps = self.front.as_chunks::<STEP>().0;
        // Costs alone, in half the time; a cost that two steps share sends to the whole entries. Rounds are as long always.
        let (mut cost, mut step, mut is_shared) = (u64::MAX, 0, false);
        let (rounds, _) = steps.as_chunks::<ROUND>();
        for (round, steps) in rounds.iter().enumerate() {
            if round * ROUND * STEP >= self.near {
                break;
            }
            for (number, entries) in steps.iter().enumerate() {
                let [a, b, c, d] = entries.map(FloatEntry::cost_bits);
                let here = lower(lower(a, b), lower(c, d));
                is_shared |= (here == cost) & (here != u64::MAX);
                step = select_unpredictable(here < cost, round * ROUND + number, step);
                cost = lower(here, cost);
            }
        }
        if is_shared {
            return self.least_of_equals();
        }
        match steps.get(step) {
            Some(entries) => least_of(entries, step),
            None => (FloatEntry::LAST, 0),
        }
    }

    #[cold]
    #[inline(never)]
    fn least_of_equals(&self) -> (FloatEntry, usize) {
        let steps = self.front.as_chunks::<STEP>().0;
        let all = steps.iter().enumerate().map(|(number, entries)| least_of(entries, number));
        all.fold((FloatEntry::LAST, 0), lesser)
    }

    /// Keeps the entries that `keep` accepts. The pop order of what is kept does not change. O(n).
    pub fn retain(&mut self, mut keep: impl FnMut(&FloatEntry) -> bool) {
        let mut kept = 0;
        for at in 0..self.near {
            let entry = core::mem::replace(&mut self.front[at], FloatEntry::LAST);
            if keep(&entry) {
                self.front[kept] = entry;
                kept += 1;
            }
        }
        self.near = kept;
        self.heap.retain(keep);
    }
}

#[inline(always)]
fn lower(a: u64, b: u64) -> u64 {
    select_unpredictable(b < a, b, a)
}

/// The least of one step's entries and its place.
#[inline(always)]
fn least_of(&[a, b, c, d]: &[FloatEntry; STEP], number: usize) -> (FloatEntry, usize) {
    let first = number * STEP;
    lesser(lesser((a, first), (b, first + 1)), lesser((c, first + 2), (d, first + 3)))
}

/// The lesser of two entries and its place.
#[inline(always)]
fn lesser(a: (FloatEntry, usize), b: (FloatEntry, usize)) -> (FloatEntry, usize) {
    let is_second = b.0.before(&a.0);
    select_unpredictable(is_second, b, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    proptest! {
        #[test]
        fn pops_come_by_cost_then_sequence(
            steps in prop::collection::vec((0u8..9, 0u8..8), 0..400),
            room in prop::sample::select(std::vec![0usize, 5, 31, 32, 33, 50, 400]),
            few_pops in any::<bool>(),
        ) {
            let mut memory = std::vec![FloatEntry::default(); room];
            let mut open = FrontedSet::over(&mut memory);
            // The oracle: what waits, in no order.
            let mut waiting: Vec<(u8, u32)> = Vec::new();
            for (sequence, (cost, what)) in steps.into_iter().enumerate() {
                let sequence = sequence as u32;
                match what {
                    0 if few_pops => {
                        waiting.retain(|&(_, sequence)| sequence % 3 != 0);
                        open.retain(|entry| entry.sequence() % 3 != 0);
                    }
                    0..3 => {
                        let least = waiting.iter().copied().min();
                        waiting.retain(|&entry| Some(entry) != least);
                        let popped = open.pop().map(|entry| {
                            assert_eq!(entry.node(), 7 + entry.sequence());
                            ((entry.cost() / 0.5) as u8, entry.sequence())
                        });
                        prop_assert_eq!(popped, least);
                    }
                    3 if !few_pops && cost == 0 => {
                        waiting.clear();
                        open.clear();
                    }
                    _ => {
                        let is_taken = open.push(FloatEntry::new(f64::from(cost) * 0.5, sequence, 7 + sequence));
                        prop_assert_eq!(is_taken, waiting.len() < room);
                        if is_taken {
                            waiting.push((cost, sequence));
                        }
                    }
                }
                prop_assert_eq!((open.len(), open.is_empty()), (waiting.len(), waiting.is_empty()));
            }
        }
    }

    #[test]
    fn a_cost_that_is_no_number_is_popped_too() {
        let mut memory = [FloatEntry::default(); FrontedSet::places_for(0)];
        let mut open = FrontedSet::over(&mut memory);
        let entries = [f64::NAN, -1.0, 1.0, -f64::NAN].map(|cost| FloatEntry::new(cost, 1, cost.to_bits() as u32 >> 9));
        assert!(entries.iter().all(|&entry| open.push(entry)));
        assert_eq!(open.pop(), Some(entries[2]));
        assert!((0..3).all(|_| open.pop().is_some()) && open.pop().is_none());
    }
}
