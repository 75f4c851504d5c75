//! What a search knows of every node, with marks that make beginning anew a count.

use crate::memory::{Pod, Zeroable};

/// No node: the parent of a start.
pub const NO_NODE: u32 = u32::MAX;

/// One node of a search.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SearchNode {
    /// What the cheapest way found so far costs.
    pub g: f64,
    /// The node before it on that way; [`NO_NODE`] for the start.
    pub parent: u32,
    /// The number of the search it belongs to, and whether it is closed.
    mark: u32,
}

/// The nodes of a search by number, 16 bytes each.
///
/// A node belongs to a search when it carries the search's number, so nothing is cleared between searches but once in
/// 2^31.
#[derive(Debug)]
pub struct NodeBuffers<'m> {
    nodes: &'m mut [SearchNode],
    generation: u32,
}

const LAST_GENERATION: u32 = u32::MAX >> 1;

impl<'m> NodeBuffers<'m> {
    /// Buffers over an array with an element for each node. O(n).
    pub fn over(nodes: &'m mut [SearchNode]) -> Self {
        nodes.fill(SearchNode::zeroed());
        NodeBuffers { nodes, generation: 1 }
    }

    /// How many nodes there are.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Forgets all nodes. Constant time but for one call in 2^31.
    pub fn begin(&mut self) {
        if self.generation == LAST_GENERATION {
            self.nodes.fill(SearchNode::zeroed());
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// A node that the search has reached.
    #[inline]
    pub fn get(&self, node: u32) -> Option<&SearchNode> {
        self.nodes.get(node as usize).filter(|found| found.mark >> 1 == self.generation)
    }

    /// Whether the search has reached a node.
    #[inline]
    pub fn is_reached(&self, node: u32) -> bool {
        self.get(node).is_some()
    }

    /// Whether a node was expanded, and not opened again since.
    #[inline]
    pub fn is_closed(&self, node: u32) -> bool {
        self.get(node).is_some_and(|found| found.mark & 1 != 0)
    }

    /// The cost to a node; infinite where the search has not been.
    #[inline]
    pub fn cost(&self, node: u32) -> f64 {
        self.get(node).map_or(f64::INFINITY, |found| found.g)
    }

    /// Notes a way to a node and opens it, closed or not. Numbers past the end are ignored.
    #[inline]
    pub fn open(&mut self, node: u32, g: f64, parent: u32) {
        if let Some(place) = self.nodes.get_mut(node as usize) {
            *place = SearchNode { g, parent, mark: self.generation << 1 };
        }
    }

    /// Closes a node that was reached.
    #[inline]
    pub fn close(&mut self, node: u32) {
        if let Some(place) = self.nodes.get_mut(node as usize) {
            place.mark |= 1;
        }
    }

    /// The node and those before it, back to the start. Ends even where the parents were tampered with.
    pub fn way_back(&self, from: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.is_reached(from).then_some(from);
        let before = |&node: &u32| self.get(node).map(|found| found.parent).filter(|&parent| self.is_reached(parent));
        core::iter::successors(first, before).take(self.nodes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn a_new_search_has_reached_nothing_even_when_its_numbers_run_out() {
        let mut memory = [SearchNode { g: 5.0, parent: 1, mark: u32::MAX }; 3];
        let mut nodes = NodeBuffers::over(&mut memory);
        nodes.generation = LAST_GENERATION - 2;
        for _ in 0..5 {
            nodes.begin();
            assert!((0..4).all(|node| !nodes.is_reached(node) && nodes.cost(node) == f64::INFINITY));
            nodes.open(1, 2.0, NO_NODE);
            nodes.close(1);
            nodes.open(2, 3.0, 1);
            assert!(nodes.is_closed(1) && !nodes.is_closed(2) && nodes.cost(2) == 3.0);
            assert_eq!(nodes.way_back(2).collect::<Vec<_>>(), [2, 1]);
            nodes.open(9, 1.0, 0);
            nodes.close(9);
        }
    }

    #[test]
    fn a_way_back_ends_where_parents_run_in_a_circle() {
        let mut memory = [SearchNode::zeroed(); 2];
        let mut nodes = NodeBuffers::over(&mut memory);
        nodes.open(0, 0.0, 1);
        nodes.open(1, 0.0, 0);
        assert_eq!(nodes.way_back(0).count(), 2);
    }
}
