//! The engine of both replanners (`grids.md`, "Incremental replanning").
//!
//! `g` of a node is the cost from the root as last settled, `rhs` the least `g` of a neighbour plus the step between; a
//! node waits while the two differ. The page recomputes `rhs` as a full minimum wherever a neighbour's `g` changes. Here
//! `rhs` always is that minimum, of the costs as they are; so where one `g` went down it is the lesser of the old minimum
//! and the one new sum, and where one went up it changes only if it was that sum. Both have the minimum's bits, because a
//! minimum does not depend on the order it is taken in.

use super::ReplanSearchDef;
use super::queue::{Costs, Queue};
use super::tolerance::{Key, is_same};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::Arena;
use crate::search::{Expansions, Heuristic, NO_NODE, SearchStatus, StepCost, Topology};

/// From which end a replanner searches, numbered as saved states have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum ReplanMode {
    /// From the start: for a start that stays.
    LpaStar = 0,
    /// From the goal: for a start that moves.
    #[default]
    DStarLite = 1,
}

/// What a replanner searches: a world, what its steps cost, and how far two nodes are apart at least.
///
/// Steps must lead both ways and have the same base cost both ways; a hook may price them differently. A step must cost
/// more than nothing, by more than the [tolerance](super::REPLAN_TOLERANCE) of the costs around it. The estimate must be
/// consistent and the same both ways.
#[derive(Debug)]
pub struct ReplanWorld<'a, T, C, H> {
    /// Nodes and steps. It is asked for the neighbours of nodes that can't be stood on as well.
    pub topology: &'a T,
    /// What replaces a step's cost.
    pub cost: &'a C,
    /// The lower bound.
    pub heuristic: &'a H,
}

/// All of a search but its arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ReplanProgress {
    pub mode: ReplanMode,
    pub nodes: u32,
    pub start: u32,
    pub goal: u32,
    /// Whether there are costs to repair; without, the next call plans anew.
    pub is_planned: bool,
    pub is_found: bool,
    /// Whether more has changed than can be repaired.
    pub has_overflown: bool,
    pub pending: u32,
    /// What has been added to keys for the moves of the start.
    pub key_modifier: f64,
    pub iterations: u64,
    pub expanded: u64,
    pub last_iterations: u64,
    pub last_expanded: u32,
}

/// LPA* or D* Lite over any world. See the module's text.
///
/// One search keeps one plan at a time: [`begin`](ReplanSearch::begin) says between which nodes,
/// [`replan`](ReplanSearch::replan) finds the way or repairs it, and in between the caller tells what changed.
#[derive(Debug)]
pub struct ReplanSearch<'m> {
    pub(super) costs: &'m mut [Costs],
    pub(super) queue: Queue<'m>,
    /// Nodes to look at again; the complement of one stands for it and its neighbours.
    pub(super) pending: &'m mut [u32],
    pub(super) expansions: Expansions<'m>,
    pub(super) progress: ReplanProgress,
    pub(super) path_len: usize,
    pub(super) path_cost: f64,
}

impl<'m> ReplanSearch<'m> {
    /// A search with the limits of its def.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`ReplanSearchDef::plan`] says.
    pub fn new(def: &ReplanSearchDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let nodes = def.nodes as usize;
        let costs = arena.take(nodes)?;
        let (heap, slots, keys) = (arena.take(nodes)?, arena.take(nodes)?, arena.take(nodes)?);
        let mut search = ReplanSearch {
            costs,
            queue: Queue::over(heap, slots, keys),
            pending: arena.take(def.pending as usize)?,
            expansions: Expansions::over(arena.take(def.expansions as usize)?),
            progress: ReplanProgress::between(def.mode, 0, NO_NODE, NO_NODE),
            path_len: 0,
            path_cost: f64::INFINITY,
        };
        search.forget_path();
        Ok(search)
    }

    /// Begins a plan in a world of `nodes` nodes. Constant time; the next [`replan`](ReplanSearch::replan) has the work.
    ///
    /// # Errors
    /// More nodes than the def's, or a start or goal that is no node. The plan before then stays.
    pub fn begin(&mut self, nodes: usize, start: u32, goal: u32) -> Result<()> {
        if nodes > self.costs.len() {
            return Err(Error::capacity(Subject::Nodes, self.costs.len()).value(nodes as f64));
        }
        for node in [start, goal] {
            if node as usize >= nodes {
                return Err(Error::new(ErrorKind::Outside, Subject::Nodes).at(node as usize));
            }
        }
        self.progress = ReplanProgress::between(self.progress.mode, nodes as u32, start, goal);
        self.forget_path();
        Ok(())
    }

    /// Which of the two it is.
    pub const fn mode(&self) -> ReplanMode {
        self.progress.mode
    }

    /// Where paths begin.
    pub const fn start(&self) -> u32 {
        self.progress.start
    }

    /// Where paths end.
    pub const fn goal(&self) -> u32 {
        self.progress.goal
    }

    /// How many nodes were popped since [`begin`](ReplanSearch::begin), by all calls.
    pub const fn iterations(&self) -> u64 {
        self.progress.iterations
    }

    /// How many of them were expanded: settled or reset.
    pub const fn expanded(&self) -> u64 {
        self.progress.expanded
    }

    /// How many nodes the last replan expanded, over all its slices.
    pub const fn last_expanded(&self) -> u32 {
        self.progress.last_expanded
    }

    /// How many nodes the last replan popped, over all its slices; after a restore, over those since.
    pub const fn last_iterations(&self) -> u64 {
        self.progress.last_iterations
    }

    /// The nodes that the last replan expanded, in order, as far as the def's `expansions` hold them.
    pub fn expansions(&self) -> &[u32] {
        self.expansions.nodes()
    }

    /// Moves the start. D* Lite keeps all its work; LPA* plans anew.
    ///
    /// # Errors
    /// No such node. Nothing has changed then.
    pub fn move_start<T, C, H: Heuristic>(&mut self, world: &ReplanWorld<'_, T, C, H>, start: u32) -> Result<()> {
        self.check_node(start)?;
        let old = core::mem::replace(&mut self.progress.start, start);
        if old == start {
            return Ok(());
        }
        match self.progress.mode {
            ReplanMode::LpaStar => self.invalidate_all(),
            ReplanMode::DStarLite if self.progress.is_planned => {
                self.progress.start = old;
                self.begin_count_unless_running(world);
                self.progress.start = start;
                self.progress.key_modifier += estimate(world, old, start);
            }
            ReplanMode::DStarLite => {}
        }
        Ok(())
    }

    /// Changes the goal; the next call plans anew unless it is the same.
    ///
    /// # Errors
    /// No such node. Nothing has changed then.
    pub fn set_goal(&mut self, goal: u32) -> Result<()> {
        self.check_node(goal)?;
        if core::mem::replace(&mut self.progress.goal, goal) != goal {
            self.invalidate_all();
        }
        Ok(())
    }

    /// Forgets all costs, so that the next call plans anew.
    pub fn invalidate_all(&mut self) {
        let progress = &mut self.progress;
        (progress.is_planned, progress.has_overflown, progress.pending) = (false, false, 0);
    }

    /// Says that steps at a node have changed. For each changed step both of its nodes must be named.
    ///
    /// # Errors
    /// No such node.
    pub fn mark_changed(&mut self, node: u32) -> Result<()> {
        self.check_node(node)?;
        self.enter(node);
        Ok(())
    }

    /// Says that steps between a node and its neighbours have changed.
    ///
    /// # Errors
    /// No such node.
    pub fn mark_around(&mut self, node: u32) -> Result<()> {
        self.check_node(node)?;
        self.enter(!node);
        Ok(())
    }

    /// Says that too much has changed to be repaired: the next call plans anew.
    pub fn mark_all(&mut self) {
        let progress = &mut self.progress;
        (progress.has_overflown, progress.pending) = (progress.is_planned, 0);
    }

    /// Finds the way or repairs it, by at most `budget` pops. Any budgets give what one call gives.
    /// [`Running`](SearchStatus::Running) says that the budget ran out. A first plan fills 16 bytes a node before its
    /// first pop, and applying changes looks at each node named and at its neighbours; neither counts as pops.
    ///
    /// # Errors
    /// [`ErrorKind::State`] for a world of another size than the one begun with; also where the costs lead to no path,
    /// which only a state restored from elsewhere or hooks that changed unannounced can bring about: all costs are then
    /// forgotten, and the next call plans anew.
    pub fn replan<T: Topology, C: StepCost, H: Heuristic>(
        &mut self,
        world: &ReplanWorld<'_, T, C, H>,
        budget: u64,
    ) -> Result<SearchStatus> {
        let nodes = self.progress.nodes as usize;
        if nodes == 0 || world.topology.node_count() != nodes {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        self.forget_path();
        self.progress.is_found = false;
        self.prepare(world);
        let mut left = budget;
        while self.has_work(world) {
            if left == 0 {
                return Ok(SearchStatus::Running);
            }
            left -= 1;
            if !self.work_off(world) {
                break;
            }
        }
        if self.costs[self.focus() as usize].g == f64::INFINITY {
            return Ok(SearchStatus::NotFound);
        }
        self.trace(world).inspect_err(|_| self.invalidate_all())?;
        self.progress.is_found = true;
        Ok(SearchStatus::Found)
    }

    /// Where the search grows from.
    #[inline]
    pub(super) const fn root(&self) -> u32 {
        match self.progress.mode {
            ReplanMode::LpaStar => self.progress.start,
            ReplanMode::DStarLite => self.progress.goal,
        }
    }

    /// What it grows towards.
    #[inline]
    pub(super) const fn focus(&self) -> u32 {
        match self.progress.mode {
            ReplanMode::LpaStar => self.progress.goal,
            ReplanMode::DStarLite => self.progress.start,
        }
    }

    /// What the move costs that leads over the step from a node to its neighbour in the search's direction: towards the
    /// root for D* Lite, away from it for LPA*. Infinite when a hook forbids it.
    #[inline]
    pub(super) fn move_cost<T, C: StepCost, H>(
        &self,
        world: &ReplanWorld<'_, T, C, H>,
        node: u32,
        towards_root: u32,
        base: f64,
    ) -> f64 {
        let cost = match self.progress.mode {
            ReplanMode::LpaStar => world.cost.cost(towards_root, node, base),
            ReplanMode::DStarLite => world.cost.cost(node, towards_root, base),
        };
        if cost >= 0.0 { cost } else { f64::INFINITY }
    }

    fn check_node(&self, node: u32) -> Result<()> {
        if node < self.progress.nodes {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::Outside, Subject::Nodes).at(node as usize))
        }
    }

    fn enter(&mut self, entry: u32) {
        let progress = &mut self.progress;
        if !progress.is_planned || progress.has_overflown {
            return;
        }
        let is_too_much = progress.pending == progress.nodes;
        match self.pending.get_mut(progress.pending as usize) {
            Some(place) if !is_too_much => {
                *place = entry;
                progress.pending += 1;
            }
            _ => self.mark_all(),
        }
    }

    /// A replan that follows one that has ended counts from zero; one that goes on counts on.
    fn begin_count_unless_running<T, C, H: Heuristic>(&mut self, world: &ReplanWorld<'_, T, C, H>) {
        if !self.has_work(world) {
            self.begin_count();
        }
    }

    fn begin_count(&mut self) {
        (self.progress.last_iterations, self.progress.last_expanded) = (0, 0);
        self.expansions.clear();
    }

    /// Plans anew, or looks at what has changed.
    fn prepare<T: Topology, C: StepCost, H: Heuristic>(&mut self, world: &ReplanWorld<'_, T, C, H>) {
        if !self.progress.is_planned || self.progress.has_overflown {
            self.begin_count();
            self.invalidate_all();
            self.costs[..self.progress.nodes as usize].fill(Costs::NONE);
            self.queue.clear();
            (self.progress.is_planned, self.progress.key_modifier) = (true, 0.0);
            self.look_at(world, self.root());
            return;
        }
        self.begin_count_unless_running(world);
        for at in 0..self.progress.pending as usize {
            let entry = self.pending[at];
            if entry < self.progress.nodes {
                self.look_at(world, entry);
                continue;
            }
            self.look_at(world, !entry);
            world.topology.visit_neighbors(!entry, |next, _| self.look_at(world, next));
        }
        self.progress.pending = 0;
    }

    /// The loop's condition: a key before the focus's waits, or the focus does. The queue empty ends it as well, since
    /// no key is then before any other and a focus that does not agree with itself would wait.
    #[inline]
    fn has_work<T, C, H: Heuristic>(&self, world: &ReplanWorld<'_, T, C, H>) -> bool {
        let focus = self.focus();
        let Costs { g, rhs } = self.costs[focus as usize];
        self.queue.top_key(self.costs).is_before(&self.key(world, focus)) || !is_same(g, rhs)
    }

    #[inline]
    fn key<T, C, H: Heuristic>(&self, world: &ReplanWorld<'_, T, C, H>, node: u32) -> Key {
        let least = self.costs[node as usize].least();
        // Left to right, as the page has it.
        Key(least + estimate(world, node, self.focus()) + self.progress.key_modifier, least)
    }

    /// One iteration. `false` when nothing waits.
    #[inline]
    fn work_off<T: Topology, C: StepCost, H: Heuristic>(&mut self, world: &ReplanWorld<'_, T, C, H>) -> bool {
        let Some(node) = self.queue.pop(self.costs) else { return false };
        self.progress.iterations += 1;
        self.progress.last_iterations += 1;
        let key = self.key(world, node);
        if Key(self.queue.first_key(node), key.1).is_before(&key) {
            self.queue.push(node, key.0, self.costs);
            return true;
        }
        self.progress.expanded += 1;
        // A saved count is a signed 32-bit integer.
        self.progress.last_expanded = (self.progress.last_expanded + 1).min(i32::MAX as u32);
        self.expansions.note(node);
        let Costs { g, rhs } = self.costs[node as usize];
        if g > rhs {
            self.settle(world, node, rhs);
        } else {
            self.reset(world, node, g);
        }
        true
    }

    /// The cost of a node went down to its `rhs`: the neighbours' minimum may be by way of it now.
    #[inline]
    fn settle<T: Topology, C: StepCost, H: Heuristic>(
        &mut self,
        world: &ReplanWorld<'_, T, C, H>,
        node: u32,
        cost: f64,
    ) {
        self.costs[node as usize].g = cost;
        let root = self.root();
        world.topology.visit_neighbors(node, |next, base| {
            let sum = cost + self.move_cost(world, next, node, base);
            let costs = &mut self.costs[next as usize];
            if next != root && sum < costs.rhs {
                costs.rhs = sum;
            }
            self.requeue(world, next);
        });
    }

    /// The cost of a node went up from `cost` to infinity: those whose minimum was by way of it look for another.
    fn reset<T: Topology, C: StepCost, H: Heuristic>(
        &mut self,
        world: &ReplanWorld<'_, T, C, H>,
        node: u32,
        cost: f64,
    ) {
        self.costs[node as usize].g = f64::INFINITY;
        self.look_at(world, node);
        world.topology.visit_neighbors(node, |next, base| {
            let sum = cost + self.move_cost(world, next, node, base);
            if sum == self.costs[next as usize].rhs {
                self.look_at(world, next);
            } else {
                self.requeue(world, next);
            }
        });
    }

    /// Takes the full minimum over a node's neighbours.
    fn look_at<T: Topology, C: StepCost, H: Heuristic>(&mut self, world: &ReplanWorld<'_, T, C, H>, node: u32) {
        self.costs[node as usize].rhs = self.full_minimum(world, node);
        self.requeue(world, node);
    }

    /// What `rhs` of a node is by the definition.
    pub(super) fn full_minimum<T: Topology, C: StepCost, H>(&self, world: &ReplanWorld<'_, T, C, H>, node: u32) -> f64 {
        let mut least = f64::INFINITY;
        if !world.topology.is_walkable(node) {
            return least;
        }
        if node == self.root() {
            return 0.0;
        }
        world.topology.visit_neighbors(node, |next, base| {
            let sum = self.costs[next as usize].g + self.move_cost(world, node, next, base);
            if sum < least {
                least = sum;
            }
        });
        least
    }

    /// Puts a node whose costs disagree into the queue, under its key as it is now, and takes one whose agree out.
    #[inline]
    fn requeue<T, C, H: Heuristic>(&mut self, world: &ReplanWorld<'_, T, C, H>, node: u32) {
        let Costs { g, rhs } = self.costs[node as usize];
        if is_same(g, rhs) {
            self.queue.remove(node, self.costs);
        } else {
            self.queue.push(node, self.key(world, node).0, self.costs);
        }
    }
}

impl ReplanProgress {
    pub(super) const fn between(mode: ReplanMode, nodes: u32, start: u32, goal: u32) -> ReplanProgress {
        ReplanProgress {
            mode,
            nodes,
            start,
            goal,
            is_planned: false,
            is_found: false,
            has_overflown: false,
            pending: 0,
            key_modifier: 0.0,
            iterations: 0,
            expanded: 0,
            last_iterations: 0,
            last_expanded: 0,
        }
    }
}

/// The estimate between two nodes; none where it is no number.
#[inline]
fn estimate<T, C, H: Heuristic>(world: &ReplanWorld<'_, T, C, H>, node: u32, focus: u32) -> f64 {
    let estimate = world.heuristic.estimate(node, focus);
    if estimate >= 0.0 { estimate } else { 0.0 }
}
