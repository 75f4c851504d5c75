//! The search over the hierarchy (`grids.md`, "HPA*", "Query").

use super::chunk_search::{ChunkSearch, ChunkView};
use super::chunks::Chunks;
use super::def::HpaSearchDef;
use super::hierarchy::Hierarchy;
use super::smooth::{Line, lines_of};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::{Cell, Grid, GridMark, SquareHeuristic, SquareTopology};
use crate::memory::{Arena, Pod, Zeroable};
use crate::search::{Entry, Expansions, IndexedOpenSet, NO_NODE, NodeBuffers, NodeEntry, PathStatus, Topology};

/// A node that waits: smaller `f` first; of equal `f` the larger `g`; of equal `g` the smaller cell.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct AbstractEntry {
    f: f64,
    g: f64,
    cell: u32,
    node: u32,
}

impl Entry for AbstractEntry {
    #[inline]
    fn before(&self, other: &Self) -> bool {
        if self.f != other.f {
            self.f < other.f
        } else if self.g != other.g {
            self.g > other.g
        } else {
            self.cell < other.cell
        }
    }
}

impl NodeEntry for AbstractEntry {
    #[inline]
    fn node(&self) -> u32 {
        self.node
    }
}

/// How a search over a hierarchy went.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HpaOutcome {
    /// The outcome in the words that all families share.
    pub status: PathStatus,
    /// What the path costs: the sum of its steps from the start; infinite without one.
    pub cost: f64,
    /// How many nodes were expanded: all popped but the goal.
    pub expanded: u64,
    /// How many nodes were popped.
    pub iterations: u64,
}

impl HpaOutcome {
    const fn without_path(status: PathStatus) -> HpaOutcome {
        HpaOutcome { status, cost: f64::INFINITY, expanded: 0, iterations: 0 }
    }
}

/// One end of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    pub cell: u32,
    pub chunk: u32,
    /// Its number: that of the node of its cell, else one past all nodes.
    pub node: u32,
}

/// Searches for paths over a [`Hierarchy`], in memory that its caller handed over.
///
/// It holds neither grid nor hierarchy; any number of searches may use one of each at once. See [`Hierarchy`] for an
/// example.
#[derive(Debug)]
pub struct HpaSearch<'m> {
    pub(super) nodes: NodeBuffers<'m>,
    open: IndexedOpenSet<'m, AbstractEntry>,
    expansions: Expansions<'m>,
    /// What the ways from the start to its chunk's nodes cost, and from those of the goal's chunk to the goal.
    pub(super) from_start: &'m mut [f64],
    pub(super) to_goal: &'m mut [f64],
    /// The way from the start to the goal, where one chunk holds both.
    pub(super) direct: f64,
    pub(super) work: ChunkSearch<'m>,
    /// For each cell where on the path it lies last; numbers up to `seen` are those of earlier paths.
    pub(super) places: &'m mut [u32],
    pub(super) seen: u32,
    /// The rows, columns and diagonals that the path touches.
    pub(super) lines: &'m mut [Line],
    pub(super) path: &'m mut [u32],
    /// What the path costs up to each of its cells.
    pub(super) prices: &'m mut [f64],
    pub(super) path_len: usize,
    pub(super) start: End,
    pub(super) goal: End,
    /// Whether the cheapest way to the goal was priced by the search from the goal.
    pub(super) by_goal: bool,
    smooths: bool,
    mark: GridMark,
    chunks: Chunks,
    sides: (u32, u32),
    outcome: HpaOutcome,
}

/// All that a search reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct World<'a, 'h> {
    pub hierarchy: &'a Hierarchy<'h>,
    pub topology: SquareTopology<'a>,
}

impl<'a> World<'a, '_> {
    pub fn view(&self, chunk: u32) -> ChunkView<'a> {
        ChunkView::new(self.topology, self.hierarchy.chunks(), chunk)
    }

    pub fn has(&self, cell: u32) -> bool {
        (cell as usize) < self.topology.node_count()
    }

    pub fn chunk_of(&self, cell: u32) -> u32 {
        let (x, y) = self.topology.position(cell);
        self.hierarchy.chunks().at(x as u32, y as u32)
    }
}

impl<'m> HpaSearch<'m> {
    /// A search with the limits of its def.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`HpaSearchDef::plan`] says.
    pub fn new(def: &HpaSearchDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let (nodes, ends) = (def.nodes as usize + 2, 4 * def.chunk as usize);
        Ok(HpaSearch {
            nodes: NodeBuffers::over(arena.take(nodes)?),
            open: IndexedOpenSet::over(arena.take(nodes)?, arena.take(nodes)?),
            expansions: Expansions::over(arena.take(def.expansions as usize)?),
            from_start: arena.take(ends)?,
            to_goal: arena.take(ends)?,
            direct: f64::INFINITY,
            work: ChunkSearch::new(def.chunk, arena)?,
            places: arena.take_zeroed(def.cells())?,
            seen: 0,
            lines: arena.take_zeroed(lines_of(def.width, def.height))?,
            path: arena.take(def.path as usize)?,
            prices: arena.take(def.path as usize)?,
            path_len: 0,
            start: End::default(),
            goal: End::default(),
            by_goal: false,
            smooths: false,
            mark: GridMark::NEVER,
            chunks: Chunks::default(),
            sides: (def.width, def.height),
            outcome: HpaOutcome::without_path(PathStatus::None),
        })
    }

    /// Finds a path between two cells in one call, smoothed or as the hierarchy has it. [`path`](HpaSearch::path) lends
    /// it. A cell outside the grid, or on which the agent does not fit, gives
    /// [`StartInvalid`](PathStatus::StartInvalid) or [`GoalInvalid`](PathStatus::GoalInvalid).
    ///
    /// # Errors
    /// Those of [`begin`](HpaSearch::begin) and [`step`](HpaSearch::step).
    pub fn find_path(
        &mut self,
        grid: &Grid<'_>,
        hierarchy: &Hierarchy<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        smooths: bool,
    ) -> Result<HpaOutcome> {
        self.forget();
        let begun = self.begin(grid, hierarchy, start, goal, smooths)?;
        if begun != PathStatus::InProgress {
            return Ok(HpaOutcome::without_path(begun));
        }
        self.step(grid, hierarchy, u64::MAX)?;
        Ok(self.outcome)
    }

    /// Begins a search in slices: joins start and goal to the hierarchy, by one search within the chunk of each. Gives
    /// [`InProgress`](PathStatus::InProgress), or [`StartInvalid`](PathStatus::StartInvalid) or
    /// [`GoalInvalid`](PathStatus::GoalInvalid); a search that is running then goes on.
    ///
    /// # Errors
    /// [`ErrorKind::State`] for a hierarchy that is not the grid's as it is now: refresh it. One of larger chunks, more
    /// nodes or a grid of longer sides than the def's. A search that is running then goes on.
    pub fn begin(
        &mut self,
        grid: &Grid<'_>,
        hierarchy: &Hierarchy<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        smooths: bool,
    ) -> Result<PathStatus> {
        self.check_room(grid, hierarchy)?;
        let world = World { hierarchy, topology: grid.topology(hierarchy.movement())? };
        let cell_of = |cell: Cell| grid.index_of(cell).filter(|_| world.topology.fits(cell));
        let Some(start) = cell_of(start.into()) else { return Ok(PathStatus::StartInvalid) };
        let Some(goal) = cell_of(goal.into()) else { return Ok(PathStatus::GoalInvalid) };
        self.forget();
        self.nodes.begin();
        self.open.clear();
        self.expansions.clear();
        let past_all = self.nodes.len() as u32 - 2;
        self.start = end_at(&world, start, past_all);
        self.goal = if goal == start { self.start } else { end_at(&world, goal, past_all + 1) };
        self.join(&world);
        self.by_goal = false;
        (self.mark, self.chunks, self.smooths) = (grid.mark(), *hierarchy.chunks(), smooths);
        self.outcome = HpaOutcome::without_path(PathStatus::InProgress);
        let End { cell, node, .. } = self.start;
        self.nodes.open(node, 0.0, NO_NODE);
        let f = estimate(&world, cell, goal);
        let _ = self.open.push(AbstractEntry { f, g: 0.0, cell, node }); // an open set has room for one
        Ok(PathStatus::InProgress)
    }

    /// Goes on with a search by at most `budget` iterations, which are pops of a node. Any budgets give what one call
    /// gives. Finding the goal writes the path out and smooths it, which no budget counts. A search that has ended stays
    /// as it is.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no search has begun, or when the grid was edited or the hierarchy is another one: begin
    /// again. It must be the one that the search began with. A budget of 0. A path of more cells than the def's, before it is smoothed: the search is over, without a
    /// result.
    pub fn step(&mut self, grid: &Grid<'_>, hierarchy: &Hierarchy<'_>, budget: u64) -> Result<PathStatus> {
        let is_same = self.mark == grid.mark() && self.chunks == *hierarchy.chunks() && hierarchy.is_current(grid);
        if self.outcome.status == PathStatus::None || !is_same {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        if budget == 0 {
            return Err(Error::invalid(Subject::Budget).value(0.0));
        }
        let world = World { hierarchy, topology: grid.topology(hierarchy.movement())? };
        let mut left = budget;
        while left > 0 && self.outcome.status == PathStatus::InProgress {
            left -= 1;
            let Some(entry) = self.open.pop() else {
                self.outcome.status = PathStatus::NoPath;
                break;
            };
            self.outcome.iterations += 1;
            self.nodes.close(entry.node);
            if entry.node == self.goal.node {
                self.finish(&world)?;
                break;
            }
            self.outcome.expanded += 1;
            self.expansions.note(entry.cell);
            self.expand(&world, &entry);
        }
        Ok(self.outcome.status)
    }

    /// How the last search went, or how far the running one has come.
    pub const fn outcome(&self) -> HpaOutcome {
        self.outcome
    }

    /// The cells of the last path by the grid's numbers, start and goal included, lent until the next search.
    pub fn path(&self) -> &[u32] {
        &self.path[..self.path_len]
    }

    /// The cells of the nodes expanded, in order, as far as the def's `expansions` hold them.
    pub fn expansions(&self) -> &[u32] {
        self.expansions.nodes()
    }

    /// Forgets the last search.
    pub(super) fn forget(&mut self) {
        self.path_len = 0;
        self.outcome = HpaOutcome::without_path(PathStatus::None);
    }

    fn check_room(&self, grid: &Grid<'_>, hierarchy: &Hierarchy<'_>) -> Result<()> {
        if !hierarchy.is_current(grid) {
            return Err(Error::new(ErrorKind::State, Subject::Hierarchy));
        }
        let def = hierarchy.def();
        let limits = [
            (grid.width() as usize, self.sides.0 as usize, Subject::GridWidth),
            (grid.height() as usize, self.sides.1 as usize, Subject::GridHeight),
            (def.nodes as usize, self.nodes.len() - 2, Subject::AbstractNodes),
            (4 * def.chunk as usize, self.from_start.len(), Subject::ChunkSide),
        ];
        for (needed, most, subject) in limits {
            if needed > most {
                return Err(Error::capacity(subject, most).value(needed as f64));
            }
        }
        Ok(())
    }

    /// Prices the ways from the start to the nodes of its chunk, and from those of the goal's to the goal.
    fn join(&mut self, world: &World<'_, '_>) {
        let (start, goal) = (self.start, self.goal);
        let nodes = world.hierarchy.nodes_of(start.chunk);
        // The goal is one more target where it lies in the same chunk. A chunk has more places than nodes.
        let also = (goal.chunk == start.chunk).then_some(goal.cell);
        let targets = nodes.iter().copied().chain(also);
        self.work.write_costs(&world.view(start.chunk), start.cell, targets, self.from_start);
        self.direct = also.and_then(|_| self.from_start.get(nodes.len()).copied()).unwrap_or(f64::INFINITY);
        let nodes = world.hierarchy.nodes_of(goal.chunk).iter().copied();
        self.work.write_costs(&world.view(goal.chunk), goal.cell, nodes, self.to_goal);
    }

    /// Looks at the ways within the chunk, that to the goal, and the steps across the border, in this order.
    fn expand(&mut self, world: &World<'_, '_>, from: &AbstractEntry) {
        let hierarchy = world.hierarchy;
        let is_start = from.node == self.start.node;
        let chunk = if is_start { self.start.chunk } else { world.chunk_of(from.cell) };
        let (first, cells) = (hierarchy.first_node(chunk), hierarchy.nodes_of(chunk));
        // The start need not be a node of its chunk; then no row and no crossing is its.
        let place = from.node.wrapping_sub(first);
        let is_node = cells.get(place as usize) == Some(&from.cell);
        let row = hierarchy.costs_from(chunk, place);
        for (node, &cell) in cells.iter().enumerate() {
            let costs = if is_start { &*self.from_start } else { row };
            let cost = costs.get(node).copied().unwrap_or(f64::INFINITY);
            self.relax(world, from, cost, (cell, first + node as u32));
        }
        if chunk == self.goal.chunk {
            let to_goal = || self.to_goal.get(place as usize).copied();
            let cost = if is_start { Some(self.direct) } else { to_goal() };
            let cost = cost.unwrap_or(f64::INFINITY);
            if self.relax(world, from, cost, (self.goal.cell, self.goal.node)) {
                self.by_goal = true;
            }
        }
        if !is_node {
            return;
        }
        for crossing in hierarchy.crossings_of(chunk).iter().filter(|crossing| crossing.node == place) {
            let beside = world.chunk_of(crossing.target);
            if let Some(node) = hierarchy.node_at(beside, crossing.target) {
                self.relax(world, from, crossing.cost, (crossing.target, node));
            }
        }
    }

    /// Notes a way to a node if it is strictly cheaper than what is known, so that of equal ways the first one found
    /// stays. Gives whether it is.
    #[inline]
    fn relax(&mut self, world: &World<'_, '_>, from: &AbstractEntry, cost: f64, (cell, node): (u32, u32)) -> bool {
        let g = from.g + cost;
        let is_better = self.nodes.get(node).is_none_or(|known| g < known.g);
        if !is_better || g.is_nan() || g == f64::INFINITY {
            return false;
        }
        self.by_goal &= node != self.goal.node;
        self.nodes.open(node, g, from.node);
        // An open set has room for every node.
        let _ = self.open.push(AbstractEntry { f: g + estimate(world, cell, self.goal.cell), g, cell, node });
        true
    }

    /// Writes the path out, smooths it if that is asked for, and prices it.
    fn finish(&mut self, world: &World<'_, '_>) -> Result<()> {
        let refined = self.refine(world);
        if refined.is_err() {
            self.forget();
            return refined;
        }
        if self.smooths {
            self.smooth(world);
        }
        let steps = self.path().windows(2).map(|pair| step_cost(&world.topology, pair[0], pair[1]));
        self.outcome.cost = steps.fold(0.0, |sum, step| sum + step);
        self.outcome.status = PathStatus::Found;
        Ok(())
    }
}

fn end_at(world: &World<'_, '_>, cell: u32, past_all: u32) -> End {
    let chunk = world.chunk_of(cell);
    End { cell, chunk, node: world.hierarchy.node_at(chunk, cell).unwrap_or(past_all) }
}

/// The octile distance for eight neighbours, Manhattan for four, times the smallest area cost.
#[inline]
fn estimate(world: &World<'_, '_>, cell: u32, goal: u32) -> f64 {
    let ((x, y), (to_x, to_y)) = (world.topology.position(cell), world.topology.position(goal));
    SquareHeuristic::of(&world.topology).over(x.abs_diff(to_x), y.abs_diff(to_y))
}

/// What the step between two neighbours costs.
#[inline]
pub(super) fn step_cost(topology: &SquareTopology<'_>, from: u32, to: u32) -> f64 {
    let (one, other) = (topology.position(from), topology.position(to));
    let is_straight = one.0 == other.0 || one.1 == other.1;
    topology.step_cost(if is_straight { 0 } else { 4 }, from, to)
}
