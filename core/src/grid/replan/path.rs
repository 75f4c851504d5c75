//! The path that a replanner's costs hold (`grids.md`, "Incremental replanning", "Path").
//!
//! The nodes of a path agree with their costs, so none of them waits: a path always fits into the part of the queue's
//! heap that is not used, and needs no memory of its own.

use super::search::{ReplanMode, ReplanSearch, ReplanWorld};
use super::tolerance::is_same;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::search::{StepCost, Topology};

impl ReplanSearch<'_> {
    /// The nodes of the last path, start first, until the next [`replan`](ReplanSearch::replan); empty without one.
    pub fn path(&self) -> &[u32] {
        &self.queue.spare()[..self.path_len]
    }

    /// What that path costs: its moves added in order from the start. Infinite without one.
    pub const fn path_cost(&self) -> f64 {
        self.path_cost
    }

    pub(super) fn forget_path(&mut self) {
        (self.path_len, self.path_cost) = (0, f64::INFINITY);
    }

    /// Walks from the focus to the root along the costs.
    pub(super) fn trace<T: Topology, C: StepCost, H>(&mut self, world: &ReplanWorld<'_, T, C, H>) -> Result<()> {
        const NO_WAY: Error = Error::new(ErrorKind::State, Subject::Search);
        let (root, mut node, mut length) = (self.root(), self.focus(), 0);
        loop {
            *self.queue.spare_mut().get_mut(length).ok_or(NO_WAY)? = node;
            length += 1;
            if node == root {
                break;
            }
            node = self.next_towards_root(world, node).ok_or(NO_WAY)?;
        }
        let path = &mut self.queue.spare_mut()[..length];
        if self.progress.mode == ReplanMode::LpaStar {
            path.reverse();
        }
        let mut cost = 0.0;
        for pair in path.windows(2) {
            world.topology.visit_neighbors(pair[0], |next, base| {
                if next == pair[1] {
                    cost += world.cost.cost(pair[0], next, base);
                }
            });
        }
        (self.path_len, self.path_cost) = (length, cost);
        Ok(())
    }

    /// The neighbour by way of which the root is nearest: one that is settled if there is any, since one that waits may
    /// hold a cost that is out of date. Of equals the first in the topology's order.
    fn next_towards_root<T: Topology, C: StepCost, H>(
        &self,
        world: &ReplanWorld<'_, T, C, H>,
        node: u32,
    ) -> Option<u32> {
        let (mut best, mut best_sum, mut best_is_settled) = (None, f64::INFINITY, false);
        world.topology.visit_neighbors(node, |next, base| {
            let costs = self.costs[next as usize];
            let sum = costs.g + self.move_cost(world, node, next, base);
            let is_settled = is_same(costs.g, costs.rhs);
            let is_better = if is_settled == best_is_settled { sum < best_sum } else { is_settled };
            if is_better && sum < f64::INFINITY {
                (best, best_sum, best_is_settled) = (Some(next), sum, is_settled);
            }
        });
        best
    }
}
