//! A*: the one search loop of square, hex and voxel grids and of graphs (`grids.md`, "A*"; `graphs.md`, "Search").
//!
//! Hart, Nilsson and Raphael 1968. It is generic over the world ([`Topology`]), a hook over the costs ([`StepCost`]) and
//! the estimate ([`Heuristic`]), and holds none of them: the world is an argument of every call.

use super::indexed_set::{IndexedOpenSet, KeyEntry};
use super::nodes::{NO_NODE, NodeBuffers, SearchNode};
use super::status::PathStatus;
use super::topology::{Heuristic, StepCost, Topology};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Plan, Ruler};

/// What an [`AStar`] is made from.
///
/// Bytes: 20 a node, 24 an open entry, 4 a recorded expansion, each array rounded up to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AStarDef {
    /// The most nodes a world may have that is searched, 1 to 2^30.
    pub nodes: u32,
    /// The most nodes that may wait at once; as many as `nodes` never run out.
    pub open: u32,
    /// How many expanded nodes are remembered, for those who want to see them; usually 0.
    pub expansions: u32,
}

/// The most nodes of an [`AStarDef`].
pub const MAX_SEARCH_NODES: u32 = 1 << 30;

impl AStarDef {
    /// A search that never runs out of memory on worlds of up to that many nodes.
    pub const fn of_nodes(nodes: u32) -> AStarDef {
        AStarDef { nodes, open: nodes, expansions: 0 }
    }

    /// The memory that the search takes.
    pub const fn plan(&self) -> Plan {
        Ruler::new()
            .array::<SearchNode>(self.nodes as usize)
            .array::<u32>(self.nodes as usize)
            .array::<KeyEntry>(self.open as usize)
            .array::<u32>(self.expansions as usize)
            .plan()
    }

    /// Refuses a limit out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        let limits = [(self.nodes, Subject::Nodes), (self.open, Subject::OpenEntries)];
        for (value, subject) in limits {
            if value == 0 {
                return Err(Error::invalid(subject).value(0.0));
            }
        }
        for (value, subject) in limits.into_iter().chain([(self.expansions, Subject::Expansions)]) {
            if value > MAX_SEARCH_NODES {
                return Err(Error::limit(subject).value(f64::from(value)).bound(f64::from(MAX_SEARCH_NODES)));
            }
        }
        Ok(())
    }
}

/// The states of a search, numbered as saved states have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum SearchStatus {
    /// Nothing was asked.
    #[default]
    NotStarted = 0,
    /// There is work left.
    Running = 1,
    /// The goal was popped.
    Found = 2,
    /// No node waits any longer.
    NotFound = 3,
}

impl SearchStatus {
    /// The same in the words that all families share.
    pub const fn path_status(self) -> PathStatus {
        match self {
            SearchStatus::NotStarted => PathStatus::None,
            SearchStatus::Running => PathStatus::InProgress,
            SearchStatus::Found => PathStatus::Found,
            SearchStatus::NotFound => PathStatus::NoPath,
        }
    }
}

/// Where a search stands: all of its state but the nodes and those that wait.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SearchProgress {
    /// Its state.
    pub status: SearchStatus,
    /// The node it began at.
    pub start: u32,
    /// The node it looks for.
    pub goal: u32,
    /// What the estimate is multiplied with.
    pub weight: f64,
    /// How many nodes were popped.
    pub iterations: u64,
    /// How many of them were expanded: all but the goal.
    pub expanded: u64,
    /// What the way found costs; infinite without one.
    pub cost: f64,
}

impl SearchProgress {
    /// Before anything was asked.
    pub const NONE: SearchProgress = SearchProgress {
        status: SearchStatus::NotStarted,
        start: NO_NODE,
        goal: NO_NODE,
        weight: 1.0,
        iterations: 0,
        expanded: 0,
        cost: f64::INFINITY,
    };
}

/// Expanded nodes in order, as many of the first as there is room for.
#[derive(Debug)]
pub struct Expansions<'m> {
    nodes: &'m mut [u32],
    len: usize,
}

impl<'m> Expansions<'m> {
    /// None yet, over an array.
    pub fn over(nodes: &'m mut [u32]) -> Self {
        Expansions { nodes, len: 0 }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Notes one; past the room it is dropped.
    #[inline]
    pub fn note(&mut self, node: u32) {
        if let Some(place) = self.nodes.get_mut(self.len) {
            *place = node;
            self.len += 1;
        }
    }

    /// Those noted, first to last.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.len]
    }
}

/// A* that can be stepped. See the module's text.
///
/// ```
/// use navarena::memory::{Arena, Memory};
/// use navarena::search::{AStar, AStarDef, BaseCost, SearchStatus, Topology, ZeroHeuristic};
///
/// struct Ring(u32);
/// impl Topology for Ring {
///     fn node_count(&self) -> usize { self.0 as usize }
///     fn is_walkable(&self, _node: u32) -> bool { true }
///     fn visit_neighbors(&self, node: u32, mut visit: impl FnMut(u32, f64)) {
///         visit((node + 1) % self.0, 1.0);
///     }
/// }
///
/// const DEF: AStarDef = AStarDef::of_nodes(9);
/// let mut region = Memory::<{ DEF.plan().bytes }>::new();
/// let mut search = AStar::new(&DEF, &mut Arena::new(region.grains()))?;
/// search.begin(&Ring(9), &ZeroHeuristic, 7, 2, 1.0)?;
/// let status = search.step(&Ring(9), &BaseCost, &ZeroHeuristic, u64::MAX)?;
/// assert_eq!((status, search.progress().cost, search.path_length()), (SearchStatus::Found, 4.0, 5));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct AStar<'m> {
    // Open to the crate for searches that keep what A* keeps and only relax otherwise, as Theta* does.
    pub(crate) nodes: NodeBuffers<'m>,
    pub(crate) open: IndexedOpenSet<'m>,
    pub(crate) expansions: Expansions<'m>,
    pub(crate) progress: SearchProgress,
}

impl<'m> AStar<'m> {
    /// A search with the limits of its def.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`AStarDef::plan`] says.
    pub fn new(def: &AStarDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let nodes = NodeBuffers::over(arena.take(def.nodes as usize)?);
        let slots = arena.take(def.nodes as usize)?;
        let open = IndexedOpenSet::over(arena.take(def.open as usize)?, slots);
        let expansions = Expansions::over(arena.take(def.expansions as usize)?);
        Ok(AStar { nodes, open, expansions, progress: SearchProgress::NONE })
    }

    /// Begins a search. Gives [`PathStatus::InProgress`], or [`StartInvalid`](PathStatus::StartInvalid) or
    /// [`GoalInvalid`](PathStatus::GoalInvalid) for a node that the world does not have or that can't be stood on; a
    /// search that is running then goes on.
    ///
    /// # Errors
    /// A world of more nodes than the def's; a weight that is negative or not finite.
    pub fn begin<T: Topology, H: Heuristic>(
        &mut self,
        topology: &T,
        heuristic: &H,
        start: u32,
        goal: u32,
        weight: f64,
    ) -> Result<PathStatus> {
        self.check_world(topology)?;
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(Error::invalid(Subject::HeuristicWeight).value(weight));
        }
        let stands = |node: u32| (node as usize) < topology.node_count() && topology.is_walkable(node);
        if !stands(start) {
            return Ok(PathStatus::StartInvalid);
        }
        if !stands(goal) {
            return Ok(PathStatus::GoalInvalid);
        }
        self.nodes.begin();
        self.open.clear();
        self.expansions.clear();
        let status = SearchStatus::Running;
        self.progress = SearchProgress { status, start, goal, weight, ..SearchProgress::NONE };
        // A start from which the goal can't be reached, by the estimate, leaves nothing to search.
        let f = weight * heuristic.estimate(start, goal);
        if let Some(entry) = KeyEntry::new(f, 0.0, start).filter(|entry| entry.f < f64::INFINITY) {
            self.nodes.open(start, 0.0, NO_NODE);
            let _ = self.open.push(entry); // an open set has room for one
        }
        Ok(PathStatus::InProgress)
    }

    /// Goes on by at most `budget` pops. World, costs and estimate must be those it began with; any budgets then give
    /// what one unlimited run gives. A search that has ended stays as it is.
    ///
    /// A node whose estimate is infinite or no number is not searched.
    ///
    /// # Errors
    /// More nodes waiting than the def's `open`: the search is over, without a result. A world of more nodes than the
    /// def's.
    pub fn step<T: Topology, C: StepCost, H: Heuristic>(
        &mut self,
        topology: &T,
        cost: &C,
        heuristic: &H,
        budget: u64,
    ) -> Result<SearchStatus> {
        self.check_world(topology)?;
        self.run(budget, |_, popped| Some(popped), |search, from| search.expand(topology, cost, heuristic, from))
    }

    /// The loop of every search that makes ways final as nodes are popped. `settle` gives a popped node with its final cost, or
    /// `None` when its pop ended there; `expand` offers ways to its neighbours, and gives `false` when more nodes wait than
    /// there is room for.
    #[inline]
    pub(crate) fn run(
        &mut self,
        budget: u64,
        mut settle: impl FnMut(&mut Self, KeyEntry) -> Option<KeyEntry>,
        mut expand: impl FnMut(&mut Self, KeyEntry) -> bool,
    ) -> Result<SearchStatus> {
        let mut left = budget;
        while left > 0 && self.progress.status == SearchStatus::Running {
            left -= 1;
            let Some(popped) = self.open.pop() else {
                self.progress.status = SearchStatus::NotFound;
                break;
            };
            self.progress.iterations += 1;
            let Some(entry) = settle(self, popped) else { continue };
            self.nodes.close(entry.node);
            if entry.node == self.progress.goal {
                self.progress.status = SearchStatus::Found;
                self.progress.cost = entry.g;
                break;
            }
            self.progress.expanded += 1;
            self.expansions.note(entry.node);
            if !expand(self, entry) {
                self.progress = SearchProgress::NONE;
                return Err(Error::capacity(Subject::OpenEntries, self.open.len()));
            }
        }
        Ok(self.progress.status)
    }

    #[inline]
    fn expand<T: Topology, C: StepCost, H: Heuristic>(
        &mut self,
        topology: &T,
        cost: &C,
        heuristic: &H,
        from: KeyEntry,
    ) -> bool {
        let AStar { nodes, open, progress, .. } = self;
        let mut has_room = true;
        let parent = nodes.get(from.node).map_or(NO_NODE, |node| node.parent);
        topology.visit_from(from.node, parent, |next, base| {
            let step = cost.cost(from.node, next, base);
            if !(0.0..f64::INFINITY).contains(&step) {
                return;
            }
            let g = from.g + step;
            // Strictly cheaper, so that of equal ways the first one found stays.
            if nodes.get(next).is_some_and(|known| g >= known.g) {
                return;
            }
            let estimate = heuristic.estimate(next, progress.goal);
            let f = g + progress.weight * estimate;
            if estimate.is_nan() || estimate == f64::INFINITY {
                return;
            }
            if let Some(entry) = KeyEntry::new(f, g, next) {
                nodes.open(next, g, from.node);
                has_room &= open.push(entry);
            }
        });
        has_room
    }

    /// Where the search stands.
    pub const fn progress(&self) -> &SearchProgress {
        &self.progress
    }

    /// The nodes reached.
    pub const fn nodes(&self) -> &NodeBuffers<'m> {
        &self.nodes
    }

    /// The nodes that wait.
    pub const fn open_set(&self) -> &IndexedOpenSet<'m> {
        &self.open
    }

    /// The nodes expanded, in order, as far as the def's `expansions` hold them.
    pub fn expansions(&self) -> &[u32] {
        self.expansions.nodes()
    }

    /// The way found from the goal back to the start; nothing without one.
    pub fn path_back(&self) -> impl Iterator<Item = u32> + '_ {
        let found = self.progress.status == SearchStatus::Found;
        self.nodes.way_back(if found { self.progress.goal } else { NO_NODE })
    }

    /// How many nodes the way found has, both ends included. O(length).
    pub fn path_length(&self) -> usize {
        self.path_back().count()
    }

    /// Writes the way found, start first, to the front of `out`. Gives its length.
    ///
    /// # Errors
    /// `out` is shorter than the way.
    pub fn copy_path(&self, out: &mut [u32]) -> Result<usize> {
        let length = self.path_length();
        let capacity = out.len();
        let out = out.get_mut(..length).ok_or(Error::capacity(Subject::PathLength, capacity))?;
        for (place, node) in out.iter_mut().rev().zip(self.path_back()) {
            *place = node;
        }
        Ok(length)
    }

    fn check_world<T: Topology>(&self, topology: &T) -> Result<()> {
        let (count, room) = (topology.node_count(), self.nodes.len());
        if count > room { Err(Error::capacity(Subject::Nodes, room).value(count as f64)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Grain;
    use crate::search::{BaseCost, ZeroHeuristic};
    use std::vec::Vec;

    crate::memory::assert_portable!(AStar);

    /// Edges by hand, in the order given.
    struct Listed(u32, Vec<(u32, u32, f64)>);

    impl Topology for Listed {
        fn node_count(&self) -> usize {
            self.0 as usize
        }
        fn is_walkable(&self, node: u32) -> bool {
            node != 9
        }
        fn visit_neighbors(&self, node: u32, mut visit: impl FnMut(u32, f64)) {
            self.1.iter().filter(|edge| edge.0 == node).for_each(|edge| visit(edge.1, edge.2));
        }
    }

    /// An estimate a node, which may overestimate.
    struct Table(Vec<f64>);

    impl Heuristic for Table {
        fn estimate(&self, node: u32, _goal: u32) -> f64 {
            self.0[node as usize]
        }
    }

    fn with_search<R>(def: AStarDef, work: impl FnOnce(&mut AStar<'_>) -> R) -> R {
        let mut region = std::vec![Grain::ZERO; def.plan().grains()];
        let mut arena = Arena::new(&mut region);
        let mut search = AStar::new(&def, &mut arena).unwrap();
        assert_eq!(arena.remaining(), 0, "a plan says what is taken");
        work(&mut search)
    }

    #[test]
    fn a_closed_node_is_reopened_by_a_cheaper_way() {
        // By the inconsistent estimate 2 is expanded at a cost of 5 before 1 shows the way at 2.
        let world = Listed(4, [(0, 1, 1.0), (0, 2, 5.0), (1, 2, 1.0), (2, 3, 9.0)].to_vec());
        let table = Table([0.0, 8.0, 0.0, 0.0].to_vec());
        with_search(AStarDef { expansions: 9, ..AStarDef::of_nodes(4) }, |search| {
            search.begin(&world, &table, 0, 3, 1.0).unwrap();
            assert_eq!(search.step(&world, &BaseCost, &table, u64::MAX), Ok(SearchStatus::Found));
            assert_eq!(search.progress().cost, 11.0);
            assert_eq!(search.expansions(), [0, 2, 1, 2]);
            assert_eq!((search.progress().expanded, search.progress().iterations), (4, 5));
            let mut path = [0; 4];
            assert_eq!(search.copy_path(&mut path), Ok(4));
            assert_eq!(path, [0, 1, 2, 3]);
            assert_eq!(search.copy_path(&mut path[..3]).unwrap_err().subject(), Subject::PathLength);
        });
    }

    #[test]
    fn of_two_equal_ways_the_first_one_found_stays() {
        let world = Listed(4, [(0, 2, 1.0), (0, 1, 1.0), (1, 3, 1.0), (2, 3, 1.0)].to_vec());
        with_search(AStarDef::of_nodes(4), |search| {
            search.begin(&world, &ZeroHeuristic, 0, 3, 1.0).unwrap();
            search.step(&world, &BaseCost, &ZeroHeuristic, u64::MAX).unwrap();
            assert_eq!(search.path_back().collect::<Vec<_>>(), [3, 1, 0], "node 1 is popped before 2");
        });
    }

    #[test]
    fn steps_that_cost_nothing_sensible_and_nodes_without_hope_are_left_out() {
        struct Odd;
        impl StepCost for Odd {
            fn cost(&self, _from: u32, to: u32, base: f64) -> f64 {
                [base, f64::NAN, -1.0, f64::INFINITY, base, base, base][to as usize]
            }
        }
        let world = Listed(7, (1..7).map(|to| (0, to, 1.0)).collect());
        let table = Table([0.0, 0.0, 0.0, 0.0, f64::INFINITY, f64::NAN, 0.0].to_vec());
        with_search(AStarDef { expansions: 9, ..AStarDef::of_nodes(7) }, |search| {
            search.begin(&world, &table, 0, 5, 1.0).unwrap();
            assert_eq!(search.step(&world, &Odd, &table, u64::MAX), Ok(SearchStatus::NotFound));
            assert_eq!(search.expansions(), [0, 6]);
            assert_eq!((search.path_length(), search.progress().cost), (0, f64::INFINITY));
        });
    }

    #[test]
    fn what_can_not_be_begun_leaves_a_running_search_alone() {
        let world = Listed(10, (0..8).map(|n| (n, n + 1, 1.0)).collect());
        with_search(AStarDef::of_nodes(10), |search| {
            assert_eq!(search.step(&world, &BaseCost, &ZeroHeuristic, 5), Ok(SearchStatus::NotStarted));
            assert_eq!(search.begin(&world, &ZeroHeuristic, 0, 8, 1.0), Ok(PathStatus::InProgress));
            search.step(&world, &BaseCost, &ZeroHeuristic, 3).unwrap();
            assert_eq!(search.begin(&world, &ZeroHeuristic, 9, 8, 1.0), Ok(PathStatus::StartInvalid));
            assert_eq!(search.begin(&world, &ZeroHeuristic, 0, 10, 1.0), Ok(PathStatus::GoalInvalid));
            assert!(search.begin(&world, &ZeroHeuristic, 0, 1, f64::NAN).is_err());
            assert!(search.begin(&Listed(11, Vec::new()), &ZeroHeuristic, 0, 1, 1.0).is_err());
            assert_eq!(search.step(&world, &BaseCost, &ZeroHeuristic, u64::MAX), Ok(SearchStatus::Found));
            assert_eq!(search.path_length(), 9);
        });
    }

    #[test]
    fn too_few_open_entries_end_the_search_by_name_and_the_next_one_works() {
        let world = Listed(5, (1..5).map(|to| (0, to, 1.0)).collect());
        with_search(AStarDef { open: 2, ..AStarDef::of_nodes(5) }, |search| {
            search.begin(&world, &ZeroHeuristic, 0, 4, 1.0).unwrap();
            let error = search.step(&world, &BaseCost, &ZeroHeuristic, u64::MAX).unwrap_err();
            assert_eq!((error.subject(), error.limit_value()), (Subject::OpenEntries, Some(2.0)));
            assert_eq!(search.progress().status, SearchStatus::NotStarted);
            search.begin(&world, &ZeroHeuristic, 0, 0, 1.0).unwrap();
            assert_eq!(search.step(&world, &BaseCost, &ZeroHeuristic, 1), Ok(SearchStatus::Found));
        });
    }
}
