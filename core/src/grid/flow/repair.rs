//! The repair: what depended on something that changed is put in doubt, forgotten, and offered the ways that still stand
//! (`grids.md`, "Flow fields", "Incremental repair"; Ramalingam and Reps 1996).
//!
//! It may run between any two iterations of the wave, not only when it has ended. A node stays if the way it stands on
//! stays; where a step costs nothing (or so little that the sum rounds it away) nodes may stand on each other in a
//! circle, so a node whose next one costs as much as itself is in doubt as soon as any neighbour that could have been
//! its support is.

use super::wave::{GOAL, IDLE, IN_DOUBT, Wave, step_cost};
use crate::search::{NO_NODE, StepCost, Topology};

impl Wave<'_> {
    /// Puts a node in doubt, unless it is.
    pub fn doubt(&mut self, node: u32) {
        match self.slots[node as usize] {
            IN_DOUBT => return,
            IDLE => {}
            _ => self.take_out(node),
        }
        self.slots[node as usize] = IN_DOUBT;
        self.doubted += 1;
        self.order[self.nodes - self.doubted] = node;
    }

    /// Puts all in doubt that stand on what is. Steps between nodes of which not both were put in doubt before must cost
    /// what they did.
    pub fn spread_doubt<W: Topology + StepCost>(&mut self, world: &W) {
        let mut looked_at = 0;
        while looked_at < self.doubted {
            looked_at += 1;
            let node = self.order[self.nodes - looked_at];
            // The neighbours of what can't be stood on any longer were put in doubt by the same edit.
            if !world.is_walkable(node) {
                continue;
            }
            world.visit_neighbors(node, |from, base| {
                if self.stands_on(world, from, node, base) {
                    self.doubt(from);
                }
            });
        }
    }

    fn stands_on<W: StepCost>(&self, world: &W, node: u32, support: u32, base: f64) -> bool {
        let at = node as usize;
        let (cost, next) = (self.costs[at], self.next[at]);
        if next == support {
            return true;
        }
        let has_firm_ground = next < GOAL && self.costs[next as usize] < cost;
        if next == GOAL || has_firm_ground || cost == f64::INFINITY {
            return false;
        }
        step_cost(world, node, support, base).is_some_and(|step| self.costs[support as usize] + step <= cost)
    }

    /// Forgets the nodes in doubt and offers each the cheapest way over a neighbour that still stands.
    pub fn reseed<W: Topology + StepCost>(&mut self, world: &W) {
        for &node in &self.order[self.nodes - self.doubted..self.nodes] {
            self.costs[node as usize] = f64::INFINITY;
            self.next[node as usize] = NO_NODE;
        }
        // Last one first, so that the heap grows only into what the list has left.
        while self.doubted > 0 {
            let node = self.order[self.nodes - self.doubted];
            self.doubted -= 1;
            self.slots[node as usize] = IDLE;
            if world.is_walkable(node) {
                let (cost, next) = self.cheapest_way(world, node);
                self.offer(node, cost, next);
            }
        }
    }
}
