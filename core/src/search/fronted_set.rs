//! The open set of searches that mostly end soon: an unsorted front before a heap.
//!
//! A path over polygons rarely has more than twenty nodes waiting. So few are found faster by looking at the costs of
//! all of them, in a loop without branches, than by a heap, whose every compare is anyone's guess. What does not fit
//! goes on to an [`OpenSet`]. As entries are ordered totally, where they wait decides nothing but speed.
//!
//! In the front entries stay in the order they came in, which is that of their sequence numbers: of equal costs the
//! first is the one to pop, and the numbers need not be looked at. The places of popped entries stay empty until
//! they are the last ones, or until there is no room.

use core::hint::select_unpredictable;

use super::open_set::{Entry, FloatEntry, OpenSet};
use crate::math::vector;

/// How many entries wait in the front.
const FRONT: usize = 32;
/// So many after the empty places are filled and all of them go on to the heap.
const CROWDED: usize = 24;
/// How many are compared with one another before asking whether there are more.
const ROUND: usize = 8;
/// The cost of an empty place.
const EMPTY: u64 = u64::MAX;

/// Entries waiting to be popped, least first. See the module's text.
///
/// Each entry must have a higher sequence number than those of the same cost pushed before it that wait.
///
/// Push costs O(1), amortized O(log n) once the front overflows; pop O(log n). Beginning anew costs next to nothing.
#[derive(Debug)]
pub struct FrontedSet<'m> {
    /// The bits of the costs, [`EMPTY`] where no entry is and from `near` on.
    costs: &'m mut [u64],
    /// What else there is to an entry.
    others: &'m mut [u64],
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
        let words: &mut [u64] = bytemuck::cast_slice_mut(front);
        let (costs, others) = words.split_at_mut(words.len() / 2);
        costs.fill(EMPTY);
        FrontedSet { costs, others, near: 0, heap: OpenSet::over(heap) }
    }

    /// How many entries wait.
    pub fn len(&self) -> usize {
        self.costs.iter().filter(|&&cost| cost != EMPTY).count() + self.heap.len()
    }

    /// Whether none wait.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.costs[..self.near].fill(EMPTY);
        self.near = 0;
        self.heap.clear();
    }

    /// Adds an entry; `false` when there is no room.
    #[inline(always)]
    #[must_use]
    pub fn push(&mut self, entry: FloatEntry) -> bool {
        self.append(entry) || self.push_past_front(entry)
    }

    /// Adds an entry behind those in the front, if there is a place.
    #[inline(always)]
    fn append(&mut self, entry: FloatEntry) -> bool {
        let (cost, other) = entry.parts();
        match (self.costs.get_mut(self.near), self.others.get_mut(self.near)) {
            (Some(cost_place), Some(place)) if cost != EMPTY => {
                (*cost_place, *place) = (cost, other);
                self.near += 1;
                true
            }
            _ => false,
        }
    }

    /// Fills the empty places of the front, or sends it on to the heap, to make room.
    #[inline(never)]
    fn push_past_front(&mut self, entry: FloatEntry) -> bool {
        self.retain_near(|_| true);
        if self.near >= CROWDED {
            let mut sent = 0;
            while sent < self.near && self.heap.push(FloatEntry::of_parts(self.costs[sent], self.others[sent])) {
                self.costs[sent] = EMPTY;
                sent += 1;
            }
            self.retain_near(|_| true);
        }
        self.append(entry) || self.heap.push(entry)
    }

    /// Takes the least entry out.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<FloatEntry> {
        let (cost, place) = self.least_in_front();
        if !self.heap.is_empty() {
            return self.pop_of_both(cost, place);
        }
        self.take(cost, place)
    }

    #[inline(never)]
    fn pop_of_both(&mut self, cost: u64, place: usize) -> Option<FloatEntry> {
        let near = self.others.get(place).map_or(FloatEntry::LAST, |&other| FloatEntry::of_parts(cost, other));
        // An entry without a cost waits in the heap, and is before an empty place.
        if cost != EMPTY && self.heap.peek().is_none_or(|far| near.before(far)) {
            return self.take(cost, place);
        }
        self.heap.pop()
    }

    #[inline(always)]
    fn take(&mut self, cost: u64, place: usize) -> Option<FloatEntry> {
        if cost == EMPTY {
            return None;
        }
        *self.costs.get_mut(place)? = EMPTY;
        // One empty place at the end at a time: where more of them are is anyone's guess.
        self.near -= usize::from(self.costs.get(self.near.wrapping_sub(1)) == Some(&EMPTY));
        Some(FloatEntry::of_parts(cost, *self.others.get(place)?))
    }

    /// The least cost in the front and the first place that has it; [`EMPTY`] and no matter where when there is none.
    #[inline(always)]
    fn least_in_front(&self) -> (u64, usize) {
        let mut least = (EMPTY, 0);
        for (round, costs) in self.costs.as_chunks::<ROUND>().0.iter().enumerate() {
            if round * ROUND >= self.near {
                break;
            }
            let [a, b, c, d, e, f, g, h] = vector(|at| (costs[at], round * ROUND + at));
            let (first, second) = (lesser(lesser(a, b), lesser(c, d)), lesser(lesser(e, f), lesser(g, h)));
            least = lesser(least, lesser(first, second));
        }
        least
    }

    /// Keeps the entries that `keep` accepts. The pop order of what is kept does not change. O(n).
    pub fn retain(&mut self, mut keep: impl FnMut(&FloatEntry) -> bool) {
        self.retain_near(&mut keep);
        self.heap.retain(keep);
    }

    fn retain_near(&mut self, mut keep: impl FnMut(&FloatEntry) -> bool) {
        let mut kept = 0;
        for at in 0..self.near {
            let (cost, other) = (self.costs[at], self.others[at]);
            self.costs[at] = EMPTY;
            if cost != EMPTY && keep(&FloatEntry::of_parts(cost, other)) {
                (self.costs[kept], self.others[kept]) = (cost, other);
                kept += 1;
            }
        }
        self.near = kept;
    }
}

/// The lesser of two costs and its place: the first of equals.
#[inline(always)]
fn lesser(a: (u64, usize), b: (u64, usize)) -> (u64, usize) {
    let is_second = b.0 < a.0;
    (select_unpredictable(is_second, b.0, a.0), select_unpredictable(is_second, b.1, a.1))
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
        let mut memory = [FloatEntry::default(); FrontedSet::places_for(1)];
        let mut open = FrontedSet::over(&mut memory);
        let entries = [f64::NAN, -1.0, 1.0, f64::from_bits(u64::MAX)]
            .map(|cost| FloatEntry::new(cost, 1, cost.to_bits() as u32 >> 9));
        assert!(entries.iter().all(|&entry| open.push(entry)));
        assert_eq!(open.pop(), Some(entries[2]));
        assert!((0..3).all(|_| open.pop().is_some()) && open.pop().is_none());
    }
}
