//! What a search asks of a world: neighbours, what a step costs, and how far the goal is at least.

/// A graph that can be searched: nodes numbered from 0, and from each the steps out of it in a fixed order.
///
/// Square, hex and voxel grids and graphs are such; the order of the neighbours is part of each one's specification,
/// because it decides which of two equally cheap ways is found.
pub trait Topology {
    /// How many nodes there are. Numbers below it are nodes, walkable or not.
    fn node_count(&self) -> usize;

    /// Whether one can stand on a node below [`node_count`](Topology::node_count).
    fn is_walkable(&self, node: u32) -> bool;

    /// Calls `visit` with every neighbour of a walkable node, in the topology's order, and the cost of the step to it.
    fn visit_neighbors(&self, node: u32, visit: impl FnMut(u32, f64));

    /// The same where it matters which way led to the node: `parent` is the node before it on the cheapest way found so
    /// far, [`NO_NODE`](super::NO_NODE) for a start. Worlds that prune neighbours by it have no need of others.
    #[inline]
    fn visit_from(&self, node: u32, _parent: u32, visit: impl FnMut(u32, f64)) {
        self.visit_neighbors(node, visit);
    }
}

/// A hook that may replace what a step costs. NaN, a negative cost and infinity forbid the step.
pub trait StepCost {
    /// The cost of the step between two neighbours, given the topology's own.
    fn cost(&self, from: u32, to: u32, base: f64) -> f64;
}

/// Steps cost what the topology says; compiles to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BaseCost;

impl StepCost for BaseCost {
    #[inline]
    fn cost(&self, _from: u32, _to: u32, base: f64) -> f64 {
        base
    }
}

impl<C: StepCost> StepCost for &C {
    #[inline]
    fn cost(&self, from: u32, to: u32, base: f64) -> f64 {
        (**self).cost(from, to, base)
    }
}

/// A lower bound on the cost between two nodes. Infinity says that there is no way.
///
/// A bound that is consistent gives cheapest paths, and closes no node twice.
pub trait Heuristic {
    /// The bound on the cost from a node to the goal.
    fn estimate(&self, node: u32, goal: u32) -> f64;
}

/// No bound at all: the search is Dijkstra's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ZeroHeuristic;

impl Heuristic for ZeroHeuristic {
    #[inline]
    fn estimate(&self, _node: u32, _goal: u32) -> f64 {
        0.0
    }
}
