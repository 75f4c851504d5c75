//! The nodes of a jump point search that wait (`grids.md`, "Open list order", for the jump point searches).
//!
//! A heap by smaller `f`, then larger `g` rounded to a float, then smaller node; and a stack of the nodes whose `f` is that
//! of the entry popped last, which come first, the latest first. So a search that has begun on a level of `f` goes on
//! with what it has just found instead of sorting it. A node that gets better keys is pushed again; its older entry comes
//! out later, finds the node closed and is passed over.

use crate::grid::octile::Pair;
use crate::search::{FloatEntry, OpenSet};

/// The frontier. See the module's text.
#[derive(Debug)]
pub(super) struct JumpFrontier<'m> {
    pub heap: OpenSet<'m, FloatEntry>,
    stack: &'m mut [u32],
    stacked: usize,
    /// The bits of the `f` popped last, which order as it does; those of no number before the first pop.
    pub level: u64,
}

pub(super) const NO_LEVEL: u64 = f64::NAN.to_bits();

impl<'m> JumpFrontier<'m> {
    pub fn over(entries: &'m mut [FloatEntry], stack: &'m mut [u32]) -> Self {
        JumpFrontier { heap: OpenSet::over(entries), stack, stacked: 0, level: NO_LEVEL }
    }

    /// How many may wait in the heap, and as many on the stack.
    pub fn capacity(&self) -> usize {
        self.heap.capacity()
    }

    pub fn clear(&mut self) {
        self.heap.clear();
        self.stacked = 0;
        self.level = NO_LEVEL;
    }

    /// The nodes of the present level, the last of which comes first.
    pub fn stack(&self) -> &[u32] {
        &self.stack[..self.stacked]
    }

    /// Puts entries back as they lay, of which there are no more than there is room for.
    pub fn restore(&mut self, heap: impl Iterator<Item = FloatEntry>, stack: impl Iterator<Item = u32>, level: u64) {
        self.clear();
        heap.for_each(|entry| self.heap.put_last(entry));
        for (place, node) in self.stack.iter_mut().zip(stack) {
            *place = node;
            self.stacked += 1;
        }
        self.level = level;
    }

    /// Adds a node with its cost and with the estimate added. `false` when there is no room.
    #[inline]
    #[must_use]
    pub fn push(&mut self, node: u32, way: Pair, total: Pair) -> bool {
        let f = total.cost();
        if f.to_bits() == self.level {
            let place = self.stack.get_mut(self.stacked);
            self.stacked += usize::from(place.is_some());
            return place.map(|place| *place = node).is_some();
        }
        // Of equal f the larger g comes first, as the larger float does in its complement's bits.
        self.heap.push(FloatEntry::new(f, !way.tie().to_bits(), node))
    }

    /// Takes the node out that comes first; it may be closed.
    #[inline]
    pub fn pop(&mut self) -> Option<u32> {
        let is_below_level = |entry: &FloatEntry| entry.cost().to_bits() < self.level;
        if self.stacked > 0 && !self.heap.peek().is_some_and(is_below_level) {
            self.stacked -= 1;
            return self.stack.get(self.stacked).copied();
        }
        let entry = self.heap.pop()?;
        self.level = entry.cost().to_bits();
        Some(entry.node())
    }

    /// Keeps the entries of nodes for which `f_of` gives the entry's own `f`: none for a closed node. The order of what
    /// is kept does not change.
    #[cold]
    pub fn tidy(&mut self, f_of: impl Fn(u32) -> Option<f64>) {
        self.heap.retain(|entry| f_of(entry.node()) == Some(entry.cost()));
        let mut kept = 0;
        for at in 0..self.stacked {
            let node = self.stack[at];
            if f_of(node).map(f64::to_bits) == Some(self.level) {
                self.stack[kept] = node;
                kept += 1;
            }
        }
        self.stacked = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn straight(steps: u32) -> Pair {
        Pair { straight: steps, diagonal: 0 }
    }

    #[test]
    fn a_level_is_worked_off_last_in_first_out_before_the_heap_goes_on() {
        let (mut entries, mut stack) = ([FloatEntry::default(); 8], [0; 8]);
        let mut frontier = JumpFrontier::over(&mut entries, &mut stack);
        // Before the first pop there is no level: all wait in the heap, by larger g, then smaller node.
        for (node, g) in [(5, 1), (4, 2), (3, 2)] {
            assert!(frontier.push(node, straight(g), straight(7)));
        }
        assert_eq!(frontier.pop(), Some(3));
        for node in [10, 11] {
            assert!(frontier.push(node, straight(0), straight(7)));
        }
        assert!(frontier.push(1, straight(9), straight(9)));
        assert_eq!([frontier.pop(), frontier.pop(), frontier.pop()], [Some(11), Some(10), Some(4)]);
        // A smaller f wins over the level.
        assert!(frontier.push(12, straight(0), straight(7)) && frontier.push(13, straight(0), straight(6)));
        assert_eq!([frontier.pop(), frontier.pop()], [Some(13), Some(12)]);
        assert_eq!([frontier.pop(), frontier.pop(), frontier.pop()], [Some(5), Some(1), None]);
    }

    #[test]
    fn tidying_drops_what_is_closed_or_has_better_keys_and_keeps_the_order() {
        let (mut entries, mut stack) = ([FloatEntry::default(); 4], [0; 4]);
        let mut frontier = JumpFrontier::over(&mut entries, &mut stack);
        for (node, f) in [(0, 3), (1, 4), (2, 5), (1, 6)] {
            assert!(frontier.push(node, straight(0), straight(f)));
        }
        assert!(!frontier.push(7, straight(0), straight(8)), "there is no room");
        assert_eq!(frontier.pop(), Some(0));
        for node in [5, 6, 7, 8] {
            assert!(frontier.push(node, straight(0), straight(3)));
        }
        assert!(!frontier.push(9, straight(0), straight(3)));
        frontier.tidy(|node| {
            [Some(3.0), Some(4.0), None, None, None, Some(3.0), None, Some(2.0), Some(3.0)][node as usize]
        });
        assert_eq!([frontier.pop(), frontier.pop(), frontier.pop(), frontier.pop()], [Some(8), Some(5), Some(1), None]);
        frontier.clear();
        assert!(frontier.pop().is_none() && frontier.push(1, straight(0), straight(4)));
    }
}
