//! The wave: Dijkstra's algorithm from the goals outwards, and the directions it leaves behind (`grids.md`, "Flow
//! fields", "Integration field", "Settling order", "Direction field").
//!
//! Costs are of the way *to* the goals: a node's is the least of `cost[u] + move(n, u)` over its neighbours, added in this
//! order. While the wave runs, `next` is the neighbour from which the cost came; when it ends, the first neighbour in the
//! world's order that attains it. So at every moment the way along `next` leads to a goal and costs no more than is said.
//!
//! The heap holds nothing but node numbers: with `f` and `g` both the cost, the order is that of the costs, then of the
//! numbers, and the costs stand in the field already.

use super::marks::Marks;
use crate::error::Result;
use crate::memory::Arena;
use crate::search::{NO_NODE, Places, StepCost, Topology, lower, raise};

/// The `next` of a goal that is active.
pub(super) const GOAL: u32 = u32::MAX - 1;

/// The slot of a node that neither waits nor is in doubt.
pub(super) const IDLE: u32 = u32::MAX;
/// The slot of a node in doubt.
pub(super) const IN_DOUBT: u32 = u32::MAX - 1;

/// The cost field, the directions, and the nodes that wait.
#[derive(Debug)]
pub(super) struct Wave<'m> {
    pub costs: &'m mut [f64],
    pub next: &'m mut [u32],
    /// A node's place in the heap, [`IDLE`] or [`IN_DOUBT`].
    pub slots: &'m mut [u32],
    /// The heap at the front, the nodes in doubt at the back. A node is in one of them at most, so they never meet.
    pub order: &'m mut [u32],
    /// A bit a node: its direction is to be looked at again when the repair ends.
    pub stale: Marks<'m>,
    /// A bit a node: the grid's cell was edited, and what depended on it was not yet put in doubt.
    pub edited: Marks<'m>,
    /// How many nodes the world has.
    pub nodes: usize,
    /// How many nodes wait.
    pub waiting: usize,
    /// How many nodes are in doubt.
    pub doubted: usize,
}

/// The order of the heap, and where its places are noted.
struct ByCost<'a> {
    costs: &'a [f64],
    slots: &'a mut [u32],
}

impl Places<u32> for ByCost<'_> {
    #[inline]
    fn before(&self, &one: &u32, &other: &u32) -> bool {
        let (a, b) = (self.costs[one as usize], self.costs[other as usize]);
        if a != b { a < b } else { one < other }
    }

    #[inline]
    fn note(&mut self, &node: &u32, place: usize) {
        self.slots[node as usize] = place as u32;
    }
}

/// What a step costs out of `from`, or `None` where the hook forbids it.
#[inline]
pub(super) fn step_cost<W: StepCost>(world: &W, from: u32, to: u32, base: f64) -> Option<f64> {
    let step = world.cost(from, to, base);
    (0.0..f64::INFINITY).contains(&step).then_some(step)
}

impl<'m> Wave<'m> {
    /// Memory for worlds of up to `cells` nodes.
    pub fn over(cells: usize, arena: &mut Arena<'m>) -> Result<Self> {
        Ok(Wave {
            costs: arena.take(cells)?,
            next: arena.take(cells)?,
            slots: arena.take(cells)?,
            order: arena.take(cells)?,
            stale: Marks::over(arena.take(Marks::words_for(cells))?),
            edited: Marks::over(arena.take(Marks::words_for(cells))?),
            nodes: 0,
            waiting: 0,
            doubted: 0,
        })
    }

    /// Nothing is reached, nothing waits. O(nodes).
    pub fn begin(&mut self, nodes: usize) {
        self.nodes = nodes;
        self.costs[..nodes].fill(f64::INFINITY);
        self.next[..nodes].fill(NO_NODE);
        self.slots[..nodes].fill(IDLE);
        self.stale.clear(nodes);
        self.edited.clear(nodes);
        (self.waiting, self.doubted) = (0, 0);
    }

    /// Makes a node a goal, unless it is one.
    pub fn add_goal(&mut self, node: u32) {
        if self.next[node as usize] != GOAL {
            self.offer(node, 0.0, GOAL);
            // A node that cost nothing already does not wait again: what it offers is the same.
            self.next[node as usize] = GOAL;
        }
    }

    /// Notes a way from a node if it is cheaper than the one known; the first of equal ones stays.
    #[inline]
    pub fn offer(&mut self, node: u32, cost: f64, next: u32) {
        let at = node as usize;
        if cost < self.costs[at] {
            self.costs[at] = cost;
            self.next[at] = next;
            self.wait(node);
        }
    }

    /// Puts a node into the heap, or lets one that waits rise after its cost fell.
    #[inline]
    fn wait(&mut self, node: u32) {
        let slot = self.slots[node as usize];
        let at = if slot < IN_DOUBT {
            slot as usize
        } else {
            self.waiting += 1;
            self.waiting - 1
        };
        let mut places = ByCost { costs: self.costs, slots: self.slots };
        raise(&mut self.order[..self.waiting], at, node, &mut places);
    }

    /// Appends a node that does not wait as it lay in a saved heap. `false`, and nothing done, where no heap has it.
    pub fn wait_as_it_lay(&mut self, node: u32) -> bool {
        let places = ByCost { costs: self.costs, slots: self.slots };
        let at = self.waiting;
        if at > 0 && places.before(&node, &self.order[(at - 1) / 4]) {
            return false;
        }
        self.slots[node as usize] = at as u32;
        self.order[at] = node;
        self.waiting += 1;
        true
    }

    /// Takes a waiting node out of the heap.
    pub fn take_out(&mut self, node: u32) {
        let at = self.slots[node as usize] as usize;
        self.slots[node as usize] = IDLE;
        self.waiting -= 1;
        if at < self.waiting {
            let last = self.order[self.waiting];
            let heap = &mut self.order[..self.waiting];
            let mut places = ByCost { costs: self.costs, slots: self.slots };
            if at > 0 && places.before(&last, &heap[(at - 1) / 4]) {
                raise(heap, at, last, &mut places);
            } else {
                lower(heap, at, last, &mut places);
            }
        }
    }

    /// One iteration: settles the node of the least cost and offers its neighbours the way through it. `false` when none
    /// waits. In a repair it notes whose directions may change.
    pub fn settle<W: Topology + StepCost>(&mut self, world: &W, in_repair: bool) -> bool {
        if self.waiting == 0 {
            return false;
        }
        let node = self.order[0];
        self.take_out(node);
        let cost = self.costs[node as usize];
        if in_repair {
            self.stale.set(node);
        }
        world.visit_neighbors(node, |from, base| {
            if in_repair {
                self.stale.set(from);
            }
            if let Some(step) = step_cost(world, from, node, base) {
                self.offer(from, cost + step, node);
            }
        });
        true
    }

    /// Looks at the direction of every node.
    pub fn direct_all<W: Topology + StepCost>(&mut self, world: &W) {
        for node in 0..self.nodes as u32 {
            self.direct(world, node);
        }
    }

    /// Looks at the directions that the repair made stale.
    pub fn direct_stale<W: Topology + StepCost>(&mut self, world: &W) {
        for word in 0..Marks::words_for(self.nodes) {
            self.stale.in_word(word).for_each(|node| self.direct(world, node));
        }
        self.stale.clear(self.nodes);
    }

    /// The first neighbour, in the world's order, that attains the least cost: a tie-break that must not change.
    fn direct<W: Topology + StepCost>(&mut self, world: &W, node: u32) {
        let at = node as usize;
        if self.next[at] == GOAL || self.costs[at] == f64::INFINITY {
            return;
        }
        (_, self.next[at]) = self.cheapest_way(world, node);
    }

    /// What the cheapest way out of a node costs, and the neighbour it leads over: the first of equals.
    pub fn cheapest_way<W: Topology + StepCost>(&self, world: &W, node: u32) -> (f64, u32) {
        let (mut least, mut first) = (f64::INFINITY, NO_NODE);
        world.visit_neighbors(node, |to, base| {
            if let Some(step) = step_cost(world, node, to, base) {
                let cost = self.costs[to as usize] + step;
                if cost < least {
                    (least, first) = (cost, to);
                }
            }
        });
        (least, first)
    }
}
