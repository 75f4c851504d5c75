//! The flow field over a square grid: what is asked of it, its slices, its repair, and how it is read (`grids.md`, "Flow
//! fields"; Maul Nav's `flow.md`).

use super::GridFlowDef;
use super::marks::Marks;
use super::wave::{GOAL, Wave};
use super::world::RegionWorld;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::jps::seen::Seen;
use crate::grid::{Cell, CellRect, Grid, GridHooks, Movement, NoHooks};
use crate::math::sqrt;
use crate::memory::Arena;
use crate::search::{NO_NODE, Topology};

/// What is asked of a flow field beside its goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FlowOptions {
    /// How the agents move.
    pub movement: Movement,
    /// The part of the grid that the field covers; `None` for all of it. What lies outside is as walls.
    pub region: Option<CellRect>,
}

impl FlowOptions {
    /// The whole grid, for agents of one cell with eight neighbours that cut no corner.
    pub const DEFAULT: FlowOptions = FlowOptions { movement: Movement::DEFAULT, region: None };

    /// The whole grid, for agents that move like this.
    pub const fn of(movement: Movement) -> FlowOptions {
        FlowOptions { movement, region: None }
    }
}

/// How far a field has come, numbered as saved states have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum FlowStatus {
    /// Nothing was asked.
    #[default]
    NotStarted = 0,
    /// There is work left.
    Running = 1,
    /// Every cost and direction is final.
    Complete = 2,
}

/// A cell's way to the goals.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CellFlow {
    /// What it costs; infinite where there is none.
    pub cost: f64,
    /// The next cell on it; `None` for goals and where there is none.
    pub next: Option<Cell>,
}

/// The cost of the cheapest way to the nearest goal from every cell of a grid or a region of it, and the next cell on
/// it.
///
/// A goal costs 0, every other cell the least of its neighbours' cost and the step's, added in this order; the next cell
/// is the first neighbour, in the order of [`STEPS`](crate::grid::STEPS), that attains it. Goals on which the agent can't
/// stand, that are blocked or that lie outside the region are inactive, until an edit lets them be.
///
/// Work is done in slices of settled cells, and any slices give the same. At every moment, also amid a build or a
/// repair, following the field from a cell that it has reached leads to a goal and costs no more than the field says.
///
/// ```
/// use navarena::grid::flow::{FlowOptions, FlowStatus, GridFlowDef, GridFlowField};
/// use navarena::grid::{Cell, CellRect, Grid, GridDef, WALL};
/// use navarena::memory::{Arena, Memory};
///
/// const YARD: GridDef = GridDef::of_size(16, 8);
/// const FIELD: GridFlowDef = GridFlowDef::of_cells(16 * 8);
/// let mut region = Memory::<{ YARD.plan().bytes + FIELD.plan().bytes }>::new();
/// let mut arena = Arena::new(region.grains());
/// let mut yard = Grid::new(&YARD, &mut arena)?;
/// let mut to_goal = GridFlowField::new(&FIELD, &mut arena)?;
///
/// to_goal.build(&yard, &[Cell::new(15, 0)], &FlowOptions::DEFAULT)?;
/// assert_eq!(to_goal.cost_at(Cell::new(0, 0)), 15.0);
/// // A wall with a gap at the bottom: only what lies behind it is searched again.
/// yard.set_rect(CellRect::new(7, 0, 1, 7), WALL)?;
/// assert_eq!(to_goal.refresh(&yard)?, FlowStatus::Running);
/// to_goal.finish(&yard)?;
/// assert_eq!(to_goal.next_of(Cell::new(0, 0)), Some(Cell::new(0, 1)));
/// assert_eq!(to_goal.follow(Cell::new(0, 0)).last(), Some(Cell::new(15, 0)));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct GridFlowField<'m> {
    pub(super) wave: Wave<'m>,
    /// The goals as they were given.
    goals: &'m mut [Cell],
    goal_count: usize,
    /// The nodes of those in the region, rising, each once.
    pub(super) targets: &'m mut [u32],
    pub(super) target_count: usize,
    /// Room for the targets that come next.
    coming: &'m mut [u32],
    pub(super) options: FlowOptions,
    pub(super) region: CellRect,
    pub(super) seen: Seen,
    pub(super) status: FlowStatus,
    pub(super) in_repair: bool,
    pub(super) settled: u64,
    /// Whether edited cells are marked that no repair has taken over.
    pub(super) has_noted_edits: bool,
}

impl<'m> GridFlowField<'m> {
    /// A field with the limits of its def, in which nothing is reached.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`GridFlowDef::plan`] says.
    pub fn new(def: &GridFlowDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let goals = def.goals as usize;
        Ok(GridFlowField {
            wave: Wave::over(def.cells as usize, arena)?,
            goals: arena.take(goals)?,
            goal_count: 0,
            targets: arena.take(goals)?,
            target_count: 0,
            coming: arena.take(goals)?,
            options: FlowOptions::DEFAULT,
            region: CellRect::default(),
            seen: Seen::NOTHING,
            status: FlowStatus::NotStarted,
            in_repair: false,
            settled: 0,
            has_noted_edits: false,
        })
    }

    /// Makes the whole field in one call: [`begin`](GridFlowField::begin) and [`finish`](GridFlowField::finish).
    ///
    /// # Errors
    /// Those of [`begin`](GridFlowField::begin).
    pub fn build(&mut self, grid: &Grid<'_>, goals: &[Cell], options: &FlowOptions) -> Result<()> {
        self.build_with(grid, goals, options, &NoHooks)
    }

    /// As [`build`](GridFlowField::build), with blocked cells and step costs.
    pub fn build_with<H: GridHooks>(
        &mut self,
        grid: &Grid<'_>,
        goals: &[Cell],
        options: &FlowOptions,
        hooks: &H,
    ) -> Result<()> {
        self.begin_with(grid, goals, options, hooks)?;
        self.finish_with(grid, hooks)
    }

    /// Begins a field to some goals, given in any order, also more than once, also none.
    ///
    /// # Errors
    /// An agent of size 0; a region that is empty or not within the grid, or of more cells than the def's; a goal outside
    /// the grid, by its index; more goals than the def's. The field then holds nothing.
    pub fn begin(&mut self, grid: &Grid<'_>, goals: &[Cell], options: &FlowOptions) -> Result<()> {
        self.begin_with(grid, goals, options, &NoHooks)
    }

    /// As [`begin`](GridFlowField::begin), with blocked cells and step costs.
    ///
    /// The hooks are asked for steps out of a cell, `(from, to)`, towards the goals. What they answer must not change until
    /// the field begins anew.
    pub fn begin_with<H: GridHooks>(
        &mut self,
        grid: &Grid<'_>,
        goals: &[Cell],
        options: &FlowOptions,
        hooks: &H,
    ) -> Result<()> {
        self.status = FlowStatus::NotStarted;
        options.movement.validate()?;
        self.region = self.checked_region(grid, options.region)?;
        self.options = *options;
        self.check_goals(grid, goals)?;
        self.take_goals(goals);
        self.restart(grid, hooks)
    }

    /// Goes on with a build or a repair by at most `budget` iterations; each settles a cell. Looking at the directions,
    /// when the last one is settled, is not counted. A complete field stays as it is.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when nothing has begun, or when the grid was edited since
    /// ([`refresh`](GridFlowField::refresh) takes that over) or is another one. A budget of 0.
    pub fn step(&mut self, grid: &Grid<'_>, budget: u64) -> Result<FlowStatus> {
        self.step_with(grid, &NoHooks, budget)
    }

    /// As [`step`](GridFlowField::step), with the hooks that the field began with.
    pub fn step_with<H: GridHooks>(&mut self, grid: &Grid<'_>, hooks: &H, budget: u64) -> Result<FlowStatus> {
        self.check_begun()?;
        if self.seen != Seen::of(grid) || self.has_noted_edits {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        if budget == 0 {
            return Err(Error::invalid(Subject::Budget).value(0.0));
        }
        if self.status == FlowStatus::Running {
            let world = self.world(grid, hooks)?;
            let mut left = budget;
            while left > 0 && self.wave.settle(&world, self.in_repair) {
                left -= 1;
                self.settled += 1;
            }
            self.end_if_done(&world);
        }
        Ok(self.status)
    }

    /// Does all the work that is left.
    ///
    /// # Errors
    /// Those of [`step`](GridFlowField::step).
    pub fn finish(&mut self, grid: &Grid<'_>) -> Result<()> {
        self.finish_with(grid, &NoHooks)
    }

    /// As [`finish`](GridFlowField::finish), with the hooks that the field began with.
    pub fn finish_with<H: GridHooks>(&mut self, grid: &Grid<'_>, hooks: &H) -> Result<()> {
        self.step_with(grid, hooks, u64::MAX).map(|_| ())
    }

    /// Takes over the grid's edits since the last look, and begins to repair what depended on them, also while a build or
    /// a repair is running. What depended on them is found in this call; [`step`](GridFlowField::step) does the rest.
    ///
    /// Other area costs, more edits than the journal remembers or than the region has cells, and a restored grid make the
    /// field begin anew. The field that comes out is the same.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when nothing has begun. A grid in which the field's region or goals do not lie. The field then
    /// stays as it is.
    pub fn refresh(&mut self, grid: &Grid<'_>) -> Result<FlowStatus> {
        self.refresh_with(grid, &NoHooks)
    }

    /// As [`refresh`](GridFlowField::refresh), with the hooks that the field began with.
    pub fn refresh_with<H: GridHooks>(&mut self, grid: &Grid<'_>, hooks: &H) -> Result<FlowStatus> {
        self.take_over(grid, None, hooks)
    }

    /// Takes over other goals, and the grid's edits, and begins to repair what depended on them, as
    /// [`refresh`](GridFlowField::refresh) does.
    ///
    /// # Errors
    /// Those of [`refresh`](GridFlowField::refresh); a goal outside the grid, by its index; more goals than the def's. The
    /// field then stays as it is.
    pub fn set_goals(&mut self, grid: &Grid<'_>, goals: &[Cell]) -> Result<FlowStatus> {
        self.set_goals_with(grid, goals, &NoHooks)
    }

    /// As [`set_goals`](GridFlowField::set_goals), with the hooks that the field began with.
    pub fn set_goals_with<H: GridHooks>(&mut self, grid: &Grid<'_>, goals: &[Cell], hooks: &H) -> Result<FlowStatus> {
        self.take_over(grid, Some(goals), hooks)
    }

    /// Begins the field anew, with the same goals: after what the grid does not report, as hooks that answer otherwise.
    ///
    /// # Errors
    /// Those of [`refresh`](GridFlowField::refresh).
    pub fn recompute(&mut self, grid: &Grid<'_>) -> Result<()> {
        self.recompute_with(grid, &NoHooks)
    }

    /// As [`recompute`](GridFlowField::recompute), with hooks.
    pub fn recompute_with<H: GridHooks>(&mut self, grid: &Grid<'_>, hooks: &H) -> Result<()> {
        self.check_begun()?;
        self.check_grid(grid)?;
        self.restart(grid, hooks)
    }

    /// How far the field has come.
    pub const fn status(&self) -> FlowStatus {
        self.status
    }

    /// How many cells were settled since the build, or the repair of a complete field, began.
    pub const fn settled(&self) -> u64 {
        self.settled
    }

    /// The cells that the field covers.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// The goals as they were given, inactive ones included.
    pub fn goals(&self) -> &[Cell] {
        &self.goals[..self.goal_count]
    }

    /// A cell's way to the goals, once the field is complete.
    ///
    /// # Errors
    /// [`ErrorKind::Outside`] for a cell outside the region, [`ErrorKind::State`] while the field is not complete.
    pub fn flow_at(&self, cell: Cell) -> Result<CellFlow> {
        if self.status != FlowStatus::Complete {
            return Err(Error::new(ErrorKind::State, Subject::Search));
        }
        match self.node_of(cell) {
            Some(_) => Ok(CellFlow { cost: self.cost_at(cell), next: self.next_of(cell) }),
            None => Err(Error::new(ErrorKind::Outside, Subject::Cell)),
        }
    }

    /// What the way from a cell to the nearest goal costs, as far as is known; infinite where there is none, and outside
    /// the region.
    #[inline]
    pub fn cost_at(&self, cell: Cell) -> f64 {
        self.node_of(cell).map_or(f64::INFINITY, |node| self.wave.costs[node as usize])
    }

    /// The next cell on the way from a cell, as far as is known; `None` for goals, where there is no way, and outside the
    /// region.
    #[inline]
    pub fn next_of(&self, cell: Cell) -> Option<Cell> {
        let next = self.wave.next[self.node_of(cell)? as usize];
        (next < GOAL).then(|| self.cell_of(next))
    }

    /// The direction of the next cell: a vector of length 1 from one centre to the other.
    pub fn direction_at(&self, cell: Cell) -> Option<[f64; 2]> {
        let next = self.next_of(cell)?;
        let (x, y) = (f64::from(next.x - cell.x), f64::from(next.y - cell.y));
        let length = sqrt(x * x + y * y);
        Some([x / length, y / length])
    }

    /// Whether a cell is a goal that the agent can stand on.
    pub fn is_goal(&self, cell: Cell) -> bool {
        self.node_of(cell).is_some_and(|node| self.wave.next[node as usize] == GOAL)
    }

    /// The cells on the way from a cell to the nearest goal, both included; none where there is no way.
    ///
    /// Ends after as many cells as the region has: hooks under which steps cost nothing can make neighbours that cost
    /// the same point at each other.
    pub fn follow(&self, from: Cell) -> impl Iterator<Item = Cell> + '_ {
        let first = (self.cost_at(from) < f64::INFINITY).then_some(from);
        core::iter::successors(first, |&cell| self.next_of(cell)).take(self.wave.nodes)
    }

    pub(super) fn check_begun(&self) -> Result<()> {
        match self.status {
            FlowStatus::NotStarted => Err(Error::new(ErrorKind::State, Subject::Search)),
            _ => Ok(()),
        }
    }

    fn checked_region(&self, grid: &Grid<'_>, region: Option<CellRect>) -> Result<CellRect> {
        let whole = CellRect::new(0, 0, grid.width(), grid.height());
        let region = region.unwrap_or(whole);
        if region.is_empty() || !holds(&whole, &region) {
            return Err(Error::new(ErrorKind::Outside, Subject::Rectangle));
        }
        let (cells, most) = (region.width as usize * region.height as usize, self.wave.order.len());
        if cells > most {
            return Err(Error::capacity(Subject::Cell, most).value(cells as f64));
        }
        Ok(region)
    }

    fn check_goals(&self, grid: &Grid<'_>, goals: &[Cell]) -> Result<()> {
        if goals.len() > self.goals.len() {
            return Err(Error::capacity(Subject::Goals, self.goals.len()).value(goals.len() as f64));
        }
        match goals.iter().position(|&goal| !grid.contains(goal)) {
            Some(index) => Err(Error::new(ErrorKind::Outside, Subject::Goals).at(index)),
            None => Ok(()),
        }
    }

    /// Refuses a grid of another form than the one the field began on.
    pub(super) fn check_grid(&self, grid: &Grid<'_>) -> Result<()> {
        self.checked_region(grid, Some(self.region))?;
        if self.options.region.is_none() && self.region != CellRect::new(0, 0, grid.width(), grid.height()) {
            return Err(Error::new(ErrorKind::Outside, Subject::Rectangle));
        }
        self.check_goals(grid, self.goals())
    }

    /// Keeps goals that were checked, and finds their nodes.
    fn take_goals(&mut self, goals: &[Cell]) {
        self.goals[..goals.len()].copy_from_slice(goals);
        self.goal_count = goals.len();
        self.target_count = 0;
        for &goal in goals {
            if let Some(node) = node_in(&self.region, goal) {
                self.targets[self.target_count] = node;
                self.target_count += 1;
            }
        }
        self.targets[..self.target_count].sort_unstable();
        // Each once.
        let mut kept = 0;
        for at in 0..self.target_count {
            if kept == 0 || self.targets[kept - 1] != self.targets[at] {
                self.targets[kept] = self.targets[at];
                kept += 1;
            }
        }
        self.target_count = kept;
    }

    fn world<'a, H: GridHooks>(&self, grid: &'a Grid<'_>, hooks: &'a H) -> Result<RegionWorld<'a, H>> {
        Ok(RegionWorld::new(grid.topology(self.options.movement)?, hooks, self.region))
    }

    fn restart<H: GridHooks>(&mut self, grid: &Grid<'_>, hooks: &H) -> Result<()> {
        let world = self.world(grid, hooks)?;
        self.wave.begin(world.node_count());
        self.has_noted_edits = false;
        self.seen = Seen::of(grid);
        self.run(false);
        self.activate(&world);
        self.end_if_done(&world);
        Ok(())
    }

    fn run(&mut self, in_repair: bool) {
        (self.status, self.in_repair, self.settled) = (FlowStatus::Running, in_repair, 0);
    }

    /// Lets the goals be goals on which the agent can stand.
    fn activate<H: GridHooks>(&mut self, world: &RegionWorld<'_, H>) {
        for &target in &self.targets[..self.target_count] {
            if world.is_walkable(target) {
                self.wave.add_goal(target);
            }
        }
    }

    fn end_if_done<H: GridHooks>(&mut self, world: &RegionWorld<'_, H>) {
        if self.status != FlowStatus::Running || self.wave.waiting > 0 {
            return;
        }
        if self.in_repair {
            self.wave.direct_stale(world)
        } else {
            self.wave.direct_all(world)
        }
        (self.status, self.in_repair) = (FlowStatus::Complete, false);
    }

    /// Takes over edits and, if there are any, other goals.
    fn take_over<H: GridHooks>(&mut self, grid: &Grid<'_>, goals: Option<&[Cell]>, hooks: &H) -> Result<FlowStatus> {
        self.check_begun()?;
        self.check_grid(grid)?;
        if let Some(goals) = goals {
            self.check_goals(grid, goals)?;
        }
        // More doubt than there are cells is dearer than a new search.
        let edits = self.seen.edits(grid, self.wave.nodes as u64);
        let Some(edits) = edits.filter(|_| !self.seen.costs_changed(grid)) else {
            if let Some(goals) = goals {
                self.take_goals(goals);
            }
            self.restart(grid, hooks)?;
            return Ok(self.status);
        };
        let world = self.world(grid, hooks)?;
        edits.for_each(|rect| self.doubt_around(grid, &rect));
        self.doubt_noted(grid);
        if let Some(goals) = goals {
            self.exchange_goals(goals);
        }
        let mut is_changed = self.wave.doubted > 0;
        self.wave.spread_doubt(&world);
        self.wave.reseed(&world);
        self.activate(&world);
        is_changed |= self.wave.waiting > 0;
        if is_changed && self.status == FlowStatus::Complete {
            self.run(true);
        }
        self.seen = Seen::of(grid);
        self.end_if_done(&world);
        Ok(self.status)
    }

    /// Puts in doubt what an edited rectangle may have changed: the cells in it and around it, and further up and left
    /// those on which a larger agent touches it.
    fn doubt_around(&mut self, grid: &Grid<'_>, rect: &CellRect) {
        let reach = i32::from(self.options.movement.agent_size);
        let around = rect.grown_within(reach, 1, grid.width(), grid.height());
        for cell in intersection(&around, &self.region).cells() {
            if let Some(node) = node_in(&self.region, cell) {
                self.wave.doubt(node);
            }
        }
    }

    /// The same for the edits that were noted.
    fn doubt_noted(&mut self, grid: &Grid<'_>) {
        if !core::mem::take(&mut self.has_noted_edits) {
            return;
        }
        for word in 0..Marks::words_for(self.wave.nodes) {
            for node in self.wave.edited.in_word(word) {
                self.doubt_around(grid, &CellRect::of(self.cell_of(node)));
            }
        }
        self.wave.edited.clear(self.wave.nodes);
    }

    /// Notes the grid's edits in the field, so that they are saved with it; [`refresh`](GridFlowField::refresh) takes them
    /// over. What the journal has forgotten is noted as other area costs: either makes the field begin anew.
    pub(super) fn note_edits(&mut self, grid: &Grid<'_>) {
        let (now, seen) = (Seen::of(grid), self.seen);
        let area_version = match seen.edits(grid, u64::MAX) {
            Some(edits) => {
                let region = self.region;
                let cells = edits.flat_map(|rect| intersection(&rect, &region).cells());
                for node in cells.filter_map(|cell| node_in(&region, cell)) {
                    self.wave.edited.set(node);
                    self.has_noted_edits = true;
                }
                seen.area_version()
            }
            None => other_version(now.area_version()),
        };
        self.seen = now.with_area_version(area_version);
    }

    /// Lets the field hold nothing until [`refresh`](GridFlowField::refresh) makes it anew.
    pub(super) fn spoil(&mut self, grid: &Grid<'_>) {
        self.wave.begin(self.wave.nodes);
        self.has_noted_edits = false;
        self.run(false);
        let now = Seen::of(grid);
        self.seen = now.with_area_version(other_version(now.area_version()));
    }

    /// Takes over other goals; those that are none any longer are in doubt.
    fn exchange_goals(&mut self, goals: &[Cell]) {
        core::mem::swap(&mut self.targets, &mut self.coming);
        let before = self.target_count;
        self.take_goals(goals);
        let now = &self.targets[..self.target_count];
        for &old in &self.coming[..before] {
            if now.binary_search(&old).is_err() && self.wave.next[old as usize] == GOAL {
                self.wave.doubt(old);
            }
        }
    }

    #[inline]
    fn node_of(&self, cell: Cell) -> Option<u32> {
        if self.status == FlowStatus::NotStarted { None } else { node_in(&self.region, cell) }
    }

    #[inline]
    pub(super) fn cell_of(&self, node: u32) -> Cell {
        let width = self.region.width as u32; // at least 1 once a field has begun
        Cell::new(self.region.x + (node % width) as i32, self.region.y + (node / width) as i32)
    }
}

/// The number of a cell within a region; `None` outside.
#[inline]
pub(super) fn node_in(region: &CellRect, cell: Cell) -> Option<u32> {
    let is_inside = region.contains(cell);
    is_inside.then(|| (cell.y - region.y) as u32 * region.width as u32 + (cell.x - region.x) as u32)
}

/// A version of area costs that is not this one, and can be saved.
fn other_version(version: u32) -> u32 {
    if version == 0 { 1 } else { version - 1 }
}

/// Whether a rectangle lies wholly in another.
fn holds(outer: &CellRect, inner: &CellRect) -> bool {
    let fits = |at: i32, length: i32, side: i32| at >= 0 && length >= 0 && at <= side && length <= side - at;
    fits(inner.x, inner.width, outer.width) && fits(inner.y, inner.height, outer.height)
}

/// What two rectangles share.
fn intersection(one: &CellRect, other: &CellRect) -> CellRect {
    let (left, top) = (one.x.max(other.x), one.y.max(other.y));
    let (right, bottom) = (one.right().min(other.right()), one.bottom().min(other.bottom()));
    CellRect::new(left, top, right - left, bottom - top)
}

const _: () = assert!(NO_NODE > GOAL);

#[cfg(test)]
mod portable {
    use super::GridFlowField;
    crate::memory::assert_portable!(GridFlowField);
}
