//! The open set with decrease-key: a heap of four children a node in which every node stands at most once.
//!
//! Beside the heap lies, for each node, its place in it. The order is that of the entries, which is total, so the order
//! of the pops depends on the keys alone and the heap's shape is free (`grids.md`, "Open set").

use super::open_set::Entry;
use crate::memory::{Pod, Zeroable};

const FANOUT: usize = 4;

/// A node waiting, smaller `f` first; of equal `f` the larger `g`; of equal `g` the smaller node.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct KeyEntry {
    /// What a way through the node costs at least.
    pub f: f64,
    /// What the way to the node costs.
    pub g: f64,
    /// The node.
    pub node: u32,
    /// Zero.
    pub reserved: u32,
}

impl KeyEntry {
    /// An entry of a node; `None` for a key that is no number.
    #[inline]
    pub fn new(f: f64, g: f64, node: u32) -> Option<KeyEntry> {
        if f.is_nan() || g.is_nan() { None } else { Some(KeyEntry { f, g, node, reserved: 0 }) }
    }
}

impl Entry for KeyEntry {
    #[inline]
    fn before(&self, other: &Self) -> bool {
        if self.f != other.f {
            self.f < other.f
        } else if self.g != other.g {
            self.g > other.g
        } else {
            self.node < other.node
        }
    }
}

/// An entry that names its node.
pub trait NodeEntry: Entry {
    /// The node, below the set's node count.
    fn node(&self) -> u32;
}

impl NodeEntry for KeyEntry {
    #[inline]
    fn node(&self) -> u32 {
        self.node
    }
}

/// What a heap with decrease-key needs beside its entries: their order, and where to note their places.
///
/// The order may depend on what is noted elsewhere, so that an entry can be as small as a node's number.
pub trait Places<E> {
    /// Whether the first is popped before the second.
    fn before(&self, one: &E, other: &E) -> bool;
    /// Notes that an entry now stands in that place.
    fn note(&mut self, entry: &E, place: usize);
}

/// Puts an entry into a place that is free and raises it.
#[inline]
pub fn raise<E: Copy, P: Places<E>>(heap: &mut [E], mut at: usize, entry: E, places: &mut P) {
    while at > 0 {
        let parent = (at - 1) / FANOUT;
        let above = heap[parent];
        if !places.before(&entry, &above) {
            break;
        }
        heap[at] = above;
        places.note(&above, at);
        at = parent;
    }
    heap[at] = entry;
    places.note(&entry, at);
}

/// Puts an entry into a place that is free and lowers it.
#[inline]
pub fn lower<E: Copy, P: Places<E>>(heap: &mut [E], mut at: usize, entry: E, places: &mut P) {
    loop {
        let first = at * FANOUT + 1;
        let least = match heap.get(first..first + FANOUT) {
            Some(children) => {
                let left = usize::from(places.before(&children[1], &children[0]));
                let right = 2 + usize::from(places.before(&children[3], &children[2]));
                first + if places.before(&children[right], &children[left]) { right } else { left }
            }
            None if first < heap.len() => {
                let mut least = first;
                for child in first + 1..heap.len() {
                    if places.before(&heap[child], &heap[least]) {
                        least = child;
                    }
                }
                least
            }
            None => break,
        };
        let below = heap[least];
        if !places.before(&below, &entry) {
            break;
        }
        heap[at] = below;
        places.note(&below, at);
        at = least;
    }
    heap[at] = entry;
    places.note(&entry, at);
}

/// The place of a node that is not in the set.
const ABSENT: u32 = u32::MAX;

struct Slots<'a>(&'a mut [u32]);

impl<E: NodeEntry> Places<E> for Slots<'_> {
    #[inline]
    fn before(&self, one: &E, other: &E) -> bool {
        one.before(other)
    }

    #[inline]
    fn note(&mut self, entry: &E, place: usize) {
        self.0[entry.node() as usize] = place as u32;
    }
}

/// Nodes waiting to be popped, each at most once. See the module's text.
///
/// Push, pop and remove cost O(log n). Beginning anew costs as much as the set still holds.
#[derive(Debug)]
pub struct IndexedOpenSet<'m, E = KeyEntry> {
    entries: &'m mut [E],
    slots: &'m mut [u32],
    len: usize,
}

impl<'m, E: NodeEntry> IndexedOpenSet<'m, E> {
    /// An empty set with room for as many entries as `entries` has, of nodes below the length of `slots`. O(nodes).
    pub fn over(entries: &'m mut [E], slots: &'m mut [u32]) -> Self {
        slots.fill(ABSENT);
        IndexedOpenSet { entries, slots, len: 0 }
    }

    /// How many nodes wait.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether none wait.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries as they lie in the heap, which is what is saved of it.
    pub fn entries(&self) -> &[E] {
        &self.entries[..self.len]
    }

    /// The entry that is popped next.
    #[inline]
    pub fn peek(&self) -> Option<&E> {
        self.entries().first()
    }

    /// Whether a node waits.
    #[inline]
    pub fn contains(&self, node: u32) -> bool {
        self.slot(node).is_some()
    }

    /// A waiting node's entry.
    #[inline]
    pub fn get(&self, node: u32) -> Option<&E> {
        self.slot(node).map(|at| &self.entries[at])
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        for entry in &self.entries[..self.len] {
            self.slots[entry.node() as usize] = ABSENT;
        }
        self.len = 0;
    }

    /// Adds a node, or gives a waiting one new keys. `false`, and nothing done, when there is no room, or no such node.
    #[inline]
    #[must_use]
    pub fn push(&mut self, entry: E) -> bool {
        let Some(&slot) = self.slots.get(entry.node() as usize) else { return false };
        if slot != ABSENT {
            self.place(slot as usize, entry);
            return true;
        }
        if self.len == self.entries.len() {
            return false;
        }
        self.len += 1;
        raise(&mut self.entries[..self.len], self.len - 1, entry, &mut Slots(self.slots));
        true
    }

    /// Takes the least entry out.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        let least = *self.peek()?;
        self.take_out(0);
        Some(least)
    }

    /// Takes a node out, wherever it stands. Gives whether it waited.
    pub fn remove(&mut self, node: u32) -> bool {
        match self.slot(node) {
            Some(at) => {
                self.take_out(at);
                true
            }
            None => false,
        }
    }

    /// Appends an entry as it lay in a saved heap. `false` when there is no room, no such node, the node waits already,
    /// or the entry is before its parent, which no heap allows.
    #[must_use]
    pub fn restore(&mut self, entry: E) -> bool {
        let is_new = self.slots.get(entry.node() as usize) == Some(&ABSENT);
        let is_heap = self.len == 0 || !entry.before(&self.entries[(self.len - 1) / FANOUT]);
        if !is_new || !is_heap || self.len == self.entries.len() {
            return false;
        }
        self.entries[self.len] = entry;
        self.slots[entry.node() as usize] = self.len as u32;
        self.len += 1;
        true
    }

    /// How many nodes could wait at once.
    pub const fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// Lends the memory of the nodes' places, filled with [`u32::MAX`], for marks of one's own. The set is as before
    /// afterwards. O(nodes).
    pub(crate) fn lend_slots<R>(&mut self, work: impl FnOnce(&mut [u32]) -> R) -> R {
        self.slots.fill(ABSENT);
        let result = work(self.slots);
        self.slots.fill(ABSENT);
        for (place, entry) in self.entries[..self.len].iter().enumerate() {
            self.slots[entry.node() as usize] = place as u32;
        }
        result
    }

    #[inline]
    fn slot(&self, node: u32) -> Option<usize> {
        self.slots.get(node as usize).filter(|&&slot| slot != ABSENT).map(|&slot| slot as usize)
    }

    fn take_out(&mut self, at: usize) {
        self.slots[self.entries[at].node() as usize] = ABSENT;
        self.len -= 1;
        if at < self.len {
            let last = self.entries[self.len];
            self.place(at, last);
        }
    }

    /// Puts an entry where a place is free, and moves it to where it belongs.
    #[inline]
    fn place(&mut self, at: usize, entry: E) {
        let heap = &mut self.entries[..self.len];
        let mut slots = Slots(self.slots);
        if at > 0 && entry.before(&heap[(at - 1) / FANOUT]) {
            raise(heap, at, entry, &mut slots);
        } else {
            lower(heap, at, entry, &mut slots);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    crate::memory::assert_portable!(IndexedOpenSet);

    #[derive(Clone, Copy, Debug)]
    enum Call {
        Push(u32, u8, u8),
        Pop,
        Remove(u32),
    }

    fn calls() -> impl Strategy<Value = Vec<Call>> {
        let call = prop_oneof![
            5 => (0u32..40, 0u8..6, 0u8..4).prop_map(|(node, f, g)| Call::Push(node, f, g)),
            2 => Just(Call::Pop),
            1 => (0u32..45).prop_map(Call::Remove),
        ];
        prop::collection::vec(call, 0..250)
    }

    proptest! {
        #[test]
        fn pops_come_by_f_then_larger_g_then_node_whatever_was_pushed_again_or_removed(calls in calls()) {
            let (mut entries, mut slots) = (std::vec![KeyEntry::default(); 40], std::vec![7u32; 40]);
            let mut open = IndexedOpenSet::over(&mut entries, &mut slots);
            let mut model: BTreeMap<u32, (u8, u8)> = BTreeMap::new();
            let drain = std::iter::repeat_n(Call::Pop, 41);
            for call in calls.into_iter().chain(drain) {
                match call {
                    Call::Push(node, f, g) => {
                        prop_assert!(open.push(KeyEntry::new(f64::from(f), f64::from(g), node).unwrap()));
                        model.insert(node, (f, g));
                    }
                    Call::Remove(node) => prop_assert_eq!(open.remove(node), model.remove(&node).is_some()),
                    Call::Pop => {
                        let least = model.iter().map(|(&node, &(f, g))| (f, u8::MAX - g, node)).min();
                        let popped = open.pop();
                        prop_assert_eq!(popped.map(|e| (e.f as u8, u8::MAX - e.g as u8, e.node)), least);
                        if let Some((_, _, node)) = least { model.remove(&node); }
                    }
                }
                prop_assert_eq!(open.len(), model.len());
                prop_assert!((0..45).all(|node| open.contains(node) == model.contains_key(&node)));
            }
        }

        #[test]
        fn a_heap_saved_as_it_lies_goes_on_as_before(keys in prop::collection::vec((0u8..5, 0u8..3), 1..40)) {
            let (mut entries, mut slots) = (std::vec![KeyEntry::default(); 40], std::vec![0u32; 40]);
            let mut open = IndexedOpenSet::over(&mut entries, &mut slots);
            for (node, &(f, g)) in keys.iter().enumerate() {
                prop_assert!(open.push(KeyEntry::new(f64::from(f), f64::from(g), node as u32).unwrap()));
            }
            let saved = open.entries().to_vec();
            let (mut entries, mut slots) = (std::vec![KeyEntry::default(); 40], std::vec![0u32; 40]);
            let mut again = IndexedOpenSet::over(&mut entries, &mut slots);
            prop_assert!(saved.iter().all(|&entry| again.restore(entry)));
            prop_assert!(!again.restore(saved[0]));
            while let Some(entry) = open.pop() {
                prop_assert_eq!(again.pop(), Some(entry));
            }
        }
    }

    #[test]
    fn a_key_that_is_no_number_is_no_entry() {
        assert!(KeyEntry::new(f64::NAN, 0.0, 0).is_none() && KeyEntry::new(0.0, f64::NAN, 0).is_none());
    }

    #[test]
    fn a_set_without_room_refuses_new_nodes_but_takes_new_keys() {
        let (mut entries, mut slots) = ([KeyEntry::default(); 1], [0u32; 3]);
        let mut open = IndexedOpenSet::over(&mut entries, &mut slots);
        let entry = |f, node| KeyEntry::new(f, 0.0, node).unwrap();
        assert!(open.push(entry(2.0, 1)) && !open.push(entry(1.0, 2)) && open.push(entry(0.5, 1)));
        assert!(!open.push(entry(0.0, 3)), "there is no such node");
        assert_eq!(open.get(1).map(|e| e.f), Some(0.5));
        open.clear();
        assert!(open.is_empty() && !open.contains(1) && open.push(entry(1.0, 2)));
    }
}
