//! The replanner's open set: nodes by first key, second key and number, where keys within the tolerance count as equal
//! (`grids.md`, "Incremental replanning", "Queue").
//!
//! An order with a tolerance is not transitive: three keys, each within the tolerance of the next, need not be within it
//! from first to last. A heap under it still does the same work for the same calls on every machine, and every call is
//! bounded by its height; but its top may then be another than the least, by a few tolerances of its key. Keys that differ
//! on paper lie much further apart, so this is the rounding of the costs and no more. Because the heap's shape may
//! matter, it is saved as it lies.
//!
//! The heap holds numbers alone. The first key is kept a node, and the second is always `min(g, rhs)` as the node has it
//! now: whoever changes either puts the node in again. That makes 16 bytes a node of what would be 28.

use super::tolerance::Key;
use crate::memory::{Pod, Zeroable};
use crate::search::{Places, lower, raise};
use core::cmp::Ordering;

/// What a replanner knows of the cost of a node.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Costs {
    /// The cost from the root as it was last settled.
    pub g: f64,
    /// The cost from the root by way of the best neighbour.
    pub rhs: f64,
}

impl Costs {
    /// Not reached.
    pub const NONE: Costs = Costs { g: f64::INFINITY, rhs: f64::INFINITY };

    /// The lesser: the second key.
    #[inline]
    pub fn least(&self) -> f64 {
        if self.g < self.rhs { self.g } else { self.rhs }
    }
}

/// The place of a node that does not wait. The top bit stays free, for marks while a saved heap is checked.
const ABSENT: u32 = u32::MAX >> 1;
const MARK: u32 = 1 << 31;

/// Nodes that wait to be settled, each at most once.
#[derive(Debug)]
pub(super) struct Queue<'m> {
    heap: &'m mut [u32],
    slots: &'m mut [u32],
    keys: &'m mut [f64],
    len: usize,
}

struct Order<'a> {
    slots: &'a mut [u32],
    keys: &'a [f64],
    costs: &'a [Costs],
}

impl Order<'_> {
    #[inline]
    fn key(&self, node: u32) -> Key {
        Key(self.keys[node as usize], self.costs[node as usize].least())
    }
}

impl Places<u32> for Order<'_> {
    #[inline]
    fn before(&self, one: &u32, other: &u32) -> bool {
        match self.key(*one).compare(&self.key(*other)) {
            Ordering::Less => true,
            Ordering::Equal => one < other,
            Ordering::Greater => false,
        }
    }

    #[inline]
    fn note(&mut self, node: &u32, place: usize) {
        self.slots[*node as usize] = place as u32;
    }
}

impl<'m> Queue<'m> {
    /// An empty queue over arrays of an element for each node. O(nodes).
    pub fn over(heap: &'m mut [u32], slots: &'m mut [u32], keys: &'m mut [f64]) -> Self {
        slots.fill(ABSENT);
        Queue { heap, slots, keys, len: 0 }
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        for &node in &self.heap[..self.len] {
            self.slots[node as usize] = ABSENT;
        }
        self.len = 0;
    }

    /// The nodes that wait, as they lie in the heap.
    pub fn nodes(&self) -> &[u32] {
        &self.heap[..self.len]
    }

    /// The part of the heap that is not used, and lasts until the next push.
    pub fn spare(&self) -> &[u32] {
        &self.heap[self.len..]
    }

    /// The same, to be written.
    pub fn spare_mut(&mut self) -> &mut [u32] {
        &mut self.heap[self.len..]
    }

    /// The first key that a waiting node was put in with.
    #[inline]
    pub fn first_key(&self, node: u32) -> f64 {
        self.keys[node as usize]
    }

    /// The key of the node that is popped next; infinite when none waits.
    #[inline]
    pub fn top_key(&self, costs: &[Costs]) -> Key {
        match self.nodes().first() {
            Some(&node) => Key(self.first_key(node), costs[node as usize].least()),
            None => Key(f64::INFINITY, f64::INFINITY),
        }
    }

    /// Puts a node in, or moves a waiting one to where its new key belongs.
    #[inline]
    pub fn push(&mut self, node: u32, first: f64, costs: &[Costs]) {
        self.keys[node as usize] = first;
        let mut slot = self.slots[node as usize];
        if slot == ABSENT {
            slot = self.len as u32;
            self.len += 1; // a node waits at most once, so there is always room
        }
        self.place(slot, node, costs);
    }

    /// Takes the first node out.
    #[inline]
    pub fn pop(&mut self, costs: &[Costs]) -> Option<u32> {
        let node = *self.nodes().first()?;
        self.remove(node, costs);
        Some(node)
    }

    /// Takes a node out if it waits.
    #[inline]
    pub fn remove(&mut self, node: u32, costs: &[Costs]) {
        let slot = core::mem::replace(&mut self.slots[node as usize], ABSENT);
        if slot == ABSENT {
            return;
        }
        self.len -= 1;
        if (slot as usize) < self.len {
            self.place(slot, self.heap[self.len], costs);
        }
    }

    /// Appends a node as it lay in a saved heap, which was checked.
    pub fn restore(&mut self, node: u32, first: f64) {
        self.keys[node as usize] = first;
        self.slots[node as usize] = self.len as u32;
        self.heap[self.len] = node;
        self.len += 1;
    }

    /// Marks a node while a saved heap is checked; whether it was not marked yet.
    pub fn mark(&mut self, node: u32) -> bool {
        let slot = &mut self.slots[node as usize];
        let is_new = *slot & MARK == 0;
        *slot |= MARK;
        is_new
    }

    /// Takes a node's mark back.
    pub fn unmark(&mut self, node: u32) {
        self.slots[node as usize] &= !MARK;
    }

    #[inline]
    fn place(&mut self, slot: u32, node: u32, costs: &[Costs]) {
        let heap = &mut self.heap[..self.len];
        let mut order = Order { slots: self.slots, keys: self.keys, costs };
        raise(heap, slot as usize, node, &mut order);
        if order.slots[node as usize] == slot {
            lower(heap, slot as usize, node, &mut order);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::vec::Vec;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Keys that are equal up to less than the tolerance, or differ by much more: the order is then a total one.
        #[test]
        fn nodes_come_by_keys_up_to_rounding_and_then_by_number(
            calls in prop::collection::vec((0u32..30, 0u8..4, 0u8..4, 0u8..5, 0u8..9), 0..200),
        ) {
            let (mut heap, mut slots, mut keys) = ([0u32; 30], [0u32; 30], [0f64; 30]);
            let mut costs = [Costs::NONE; 30];
            let mut queue = Queue::over(&mut heap, &mut slots, &mut keys);
            let mut model: Vec<(u8, u8, u32)> = Vec::new();
            for (node, first, second, noise, what) in calls {
                let rounded = |key: u8| f64::from(key) * 3.0 + f64::from(noise) * 2e-12;
                match what {
                    0 => {
                        queue.remove(node, &costs);
                        model.retain(|entry| entry.2 != node);
                    }
                    1..3 => {
                        let least = model.iter().min().copied();
                        model.retain(|&entry| Some(entry) != least);
                        prop_assert_eq!(queue.pop(&costs), least.map(|entry| entry.2));
                    }
                    _ => {
                        costs[node as usize] = Costs { g: f64::INFINITY, rhs: rounded(second) };
                        queue.push(node, rounded(first), &costs);
                        model.retain(|entry| entry.2 != node);
                        model.push((first, second, node));
                    }
                }
                prop_assert_eq!((queue.nodes().len(), queue.spare().len()), (model.len(), 30 - model.len()));
            }
            model.sort_unstable();
            for entry in model {
                prop_assert_eq!(queue.pop(&costs), Some(entry.2));
            }
            prop_assert!(queue.pop(&costs).is_none() && queue.top_key(&costs) == Key(f64::INFINITY, f64::INFINITY));
        }
    }

    #[test]
    fn keys_that_form_a_chain_within_the_tolerance_are_all_popped_once() {
        let (mut heap, mut slots, mut keys) = ([0u32; 50], [0u32; 50], [0f64; 50]);
        let costs: Vec<Costs> = (0..50).map(|n| Costs { g: f64::from(50 - n), rhs: 99.0 }).collect();
        let mut queue = Queue::over(&mut heap, &mut slots, &mut keys);
        for node in 0..50 {
            queue.push((node * 7) % 50, f64::from((node * 7) % 50) * 6e-12, &costs);
        }
        let mut popped: Vec<u32> = core::iter::from_fn(|| queue.pop(&costs)).collect();
        popped.sort_unstable();
        assert!(popped.into_iter().eq(0..50));
    }
}
