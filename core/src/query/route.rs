//! From the node where a search ended back to its start: the corridor (`navmesh-queries.md`, "Corridor").

use super::node::{Entrance, NO_NODE, Node};
use super::path_search::PathSearch;
use crate::search::spread;

impl PathSearch<'_> {
    /// Cuts the loops out of the route that ends at a node, and returns the node where the route then ends. A route by
    /// crossings can come back to a polygon; of the polygon's visits the first is kept and what lies between is gone.
    ///
    /// The search is over after it: parents are turned round, and the table holds the route's polygons.
    pub fn cut_loops(&mut self, end: u32) -> u32 {
        self.table.begin();
        let mut next = turned_round(self.nodes, end);
        let mut tail = NO_NODE;
        // The route so far is the list from `tail` back by parents; `following` leads on along the old route.
        while let Some(node) = self.nodes.get(next as usize).copied() {
            let (at, following) = (next, node.parent);
            let polygon = node.entrance.polygon();
            let nodes = &*self.nodes;
            match self.table.find(spread(polygon), |at| nodes[at as usize].entrance.polygon() == polygon) {
                Ok(first) if is_listed(nodes, first) => {
                    // Back at a polygon of the route: unlist what came after its first visit.
                    while tail != first {
                        let Some(node) = self.nodes.get_mut(tail as usize) else { break };
                        node.length = UNLISTED;
                        tail = node.parent;
                    }
                }
                found => {
                    if let Err(place) = found {
                        self.table.insert(place, at);
                    }
                    // A polygon cut out earlier keeps its table entry, by the node that was first there.
                    let home = found.unwrap_or(at);
                    let kept = &mut self.nodes[home as usize];
                    // This visit's exit: that of the first led out of another polygon.
                    kept.entrance = node.entrance;
                    kept.parent = tail;
                    kept.length = LISTED;
                    tail = home;
                }
            }
            next = following;
        }
        tail
    }

    /// How many polygons the route that ends at a node has.
    pub fn route_length(&self, end: u32) -> usize {
        let (mut at, mut length) = (end, 0);
        // Parents form no ring; the count says so to whoever reads this.
        while let Some(node) = self.nodes.get(at as usize)
            && length < self.progress.node_count as usize
        {
            at = node.parent;
            length += 1;
        }
        length
    }

    /// The polygons of the route that ends at a node, the last one first. It goes on to the start, and the caller counts.
    pub fn route_from(&self, end: u32) -> impl Iterator<Item = Entrance> + '_ {
        let mut at = end;
        core::iter::from_fn(move || {
            let node = self.nodes.get(at as usize)?;
            at = node.parent;
            Some(node.entrance)
        })
    }
}

const LISTED: f64 = 1.0;
const UNLISTED: f64 = 0.0;

fn is_listed(nodes: &[Node], at: u32) -> bool {
    nodes[at as usize].length == LISTED
}

/// Turns the parents of a route round, so that each node leads to the one after it, and returns the first.
fn turned_round(nodes: &mut [Node], end: u32) -> u32 {
    let (mut at, mut after) = (end, NO_NODE);
    while let Some(node) = nodes.get_mut(at as usize) {
        let before = node.parent;
        node.parent = after;
        node.length = UNLISTED;
        after = at;
        at = before;
    }
    after
}
