//! The replanner of square grids: the engine, what it has seen of the grid's journal, and the path it lends
//! (`grids.md`, "Incremental replanning", tier 1).

use super::search::{ReplanMode, ReplanSearch, ReplanWorld};
use super::{GridReplannerDef, ReplanSearchDef};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::{
    Cell, CellRect, Edits, Grid, GridAlgorithm, GridHooks, GridMark, GridOutcome, GridPath, HeuristicKind, HookedCost,
    Movement, NoHooks, SquareHeuristic,
};
use crate::memory::Arena;
use crate::search::{PathStatus, SearchStatus};

/// Keeps a path on a square grid up to date, in memory that its caller handed over.
///
/// It takes the grid as an argument of every call, always the same one, and reads from its journal what was edited in
/// between. Where the journal has forgotten edits, or the grid was restored, it plans anew; costs are the same either
/// way, but of equally cheap paths it may be another.
///
/// ```
/// use navarena::grid::replan::{GridReplanner, GridReplannerDef};
/// use navarena::grid::{CellRect, Grid, GridDef, WALL};
/// use navarena::memory::{Arena, Memory};
///
/// const YARD: GridDef = GridDef::of_size(16, 8);
/// const PLANNER: GridReplannerDef = GridReplannerDef::d_star_lite(16 * 8);
/// let mut region = Memory::<{ YARD.plan().bytes + PLANNER.plan().bytes }>::new();
/// let mut arena = Arena::new(region.grains());
/// let mut yard = Grid::new(&YARD, &mut arena)?;
/// let mut planner = GridReplanner::new(&PLANNER, &mut arena)?;
///
/// planner.begin(&yard, (0, 0), (15, 0))?;
/// assert_eq!(planner.replan(&yard, u64::MAX)?.cost, 15.0);
/// yard.set_rect(CellRect::new(7, 0, 1, 7), WALL)?;
/// let detour = planner.replan(&yard, u64::MAX)?;
/// assert!((detour.cost - 21.3848).abs() < 1e-4 && planner.path().cells().len() == 17);
/// planner.move_start(&yard, (4, 5))?;
/// assert_eq!(planner.replan(&yard, u64::MAX)?.length, 12);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct GridReplanner<'m> {
    pub(super) search: ReplanSearch<'m>,
    path: &'m mut [Cell],
    path_len: usize,
    movement: Movement,
    heuristic: HeuristicKind,
    /// Of the grid begun with; 0 before.
    pub(super) width: i32,
    pub(super) height: i32,
    /// What was seen: edits up to `cells`, and planned with the area costs of `costs`.
    pub(super) mark: GridMark,
    outcome: GridOutcome,
}

impl<'m> GridReplanner<'m> {
    /// A replanner with the options and limits of its def.
    ///
    /// # Errors
    /// A limit or an option out of its range, or less memory than [`GridReplannerDef::plan`] says.
    pub fn new(def: &GridReplannerDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let search_def: ReplanSearchDef = def.search();
        Ok(GridReplanner {
            search: ReplanSearch::new(&search_def, arena)?,
            path: arena.take(def.path as usize)?,
            path_len: 0,
            movement: def.movement,
            heuristic: def.heuristic.resolved(def.movement.connectivity),
            width: 0,
            height: 0,
            mark: GridMark::NEVER,
            outcome: GridOutcome::without_path(PathStatus::None, algorithm(def.mode)),
        })
    }

    /// Begins a plan between two cells of a grid. Gives [`InProgress`](PathStatus::InProgress), or
    /// [`StartInvalid`](PathStatus::StartInvalid) or [`GoalInvalid`](PathStatus::GoalInvalid) for a cell outside the grid;
    /// the plan before then stays. Cells that can't be stood on are taken: edits may free them.
    ///
    /// # Errors
    /// A grid of more cells than the def's. The plan before then stays.
    pub fn begin(&mut self, grid: &Grid<'_>, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<PathStatus> {
        let Some(start) = grid.index_of(start.into()) else { return Ok(PathStatus::StartInvalid) };
        let Some(goal) = grid.index_of(goal.into()) else { return Ok(PathStatus::GoalInvalid) };
        self.search.begin(grid.cell_count(), start, goal)?;
        (self.width, self.height, self.mark) = (grid.width(), grid.height(), grid.mark());
        self.forget_outcome(PathStatus::InProgress);
        Ok(PathStatus::InProgress)
    }

    /// Finds a path or repairs it, by at most `budget` iterations, which are pops of a node.
    ///
    /// The status is [`Found`](PathStatus::Found), [`NoPath`](PathStatus::NoPath),
    /// [`StartInvalid`](PathStatus::StartInvalid) or [`GoalInvalid`](PathStatus::GoalInvalid) for a cell that the agent does
    /// not fit on as the grid is now, or [`BudgetExhausted`](PathStatus::BudgetExhausted): the next call goes on, and any
    /// budgets end with what one call gives. Counts are those of one replan, over all its slices.
    /// [`path`](GridReplanner::path) lends the result.
    ///
    /// # Errors
    /// [`ErrorKind::State`] before [`begin`](GridReplanner::begin) and for a grid of other sides; a budget of 0; see
    /// [`ReplanSearch::replan`] for the last.
    pub fn replan(&mut self, grid: &Grid<'_>, budget: u64) -> Result<GridOutcome> {
        self.replan_with(grid, &NoHooks, budget)
    }

    /// As [`replan`](GridReplanner::replan), with blocked cells and step costs. When a hook's answers change,
    /// [`invalidate`](GridReplanner::invalidate) must say so; a price must be above 0.
    pub fn replan_with<H: GridHooks>(&mut self, grid: &Grid<'_>, hooks: &H, budget: u64) -> Result<GridOutcome> {
        self.check_grid(grid)?;
        if budget == 0 {
            return Err(Error::invalid(Subject::Budget).value(0.0));
        }
        self.read_edits(grid);
        self.read_costs(grid);
        let topology = grid.topology(self.movement)?;
        let stands = |node: u32| {
            let cell = grid.cell_of(node);
            topology.fits(cell) && !hooks.is_blocked(cell)
        };
        for (node, status) in
            [(self.search.start(), PathStatus::StartInvalid), (self.search.goal(), PathStatus::GoalInvalid)]
        {
            if !stands(node) {
                self.search.forget_path();
                self.forget_outcome(status);
                return Ok(self.outcome);
            }
        }
        let (cost, heuristic) = (HookedCost::new(hooks, grid.width()), SquareHeuristic::new(grid, self.heuristic));
        let world = ReplanWorld { topology: &topology, cost: &cost, heuristic: &heuristic };
        let status = self.search.replan(&world, budget);
        self.note(grid, status.unwrap_or_default());
        status.map(|_| self.outcome)
    }

    /// Moves the start: the agent walked on. D* Lite keeps all its work, LPA* plans anew.
    ///
    /// # Errors
    /// A cell outside the grid; [`ErrorKind::State`] before [`begin`](GridReplanner::begin) and for a grid of other sides.
    pub fn move_start(&mut self, grid: &Grid<'_>, start: impl Into<Cell>) -> Result<()> {
        let node = self.node_of(grid, start.into())?;
        // The distance moved is added to keys, so it must be measured at the scale that they have.
        self.read_costs(grid);
        let heuristic = SquareHeuristic::new(grid, self.heuristic);
        self.search.move_start(&ReplanWorld { topology: &(), cost: &(), heuristic: &heuristic }, node)
    }

    /// Changes the goal. Plans anew unless it is the same.
    ///
    /// # Errors
    /// Those of [`move_start`](GridReplanner::move_start).
    pub fn set_goal(&mut self, grid: &Grid<'_>, goal: impl Into<Cell>) -> Result<()> {
        let node = self.node_of(grid, goal.into())?;
        self.search.set_goal(node)
    }

    /// Says that hooks now answer otherwise about a cell or the steps between it and its neighbours, which no grid sees.
    ///
    /// # Errors
    /// Those of [`move_start`](GridReplanner::move_start).
    pub fn invalidate(&mut self, grid: &Grid<'_>, cell: impl Into<Cell>) -> Result<()> {
        let node = self.node_of(grid, cell.into())?;
        self.read_edits(grid);
        self.search.mark_around(node)
    }

    /// Says that hooks now answer otherwise about everything: the next call plans anew.
    pub fn invalidate_all(&mut self) {
        self.search.invalidate_all();
    }

    /// The last path, lent until the next [`replan`](GridReplanner::replan).
    pub fn path(&self) -> GridPath<'_> {
        let (cells, expanded) = (&self.path[..self.path_len], self.search.expansions());
        GridPath { outcome: self.outcome, cells, expanded, width: self.width as u32 }
    }

    /// How the last replan went, or how far the running one has come.
    pub const fn outcome(&self) -> GridOutcome {
        self.outcome
    }

    /// Writes the whole last path, start first, to the front of `out`, however long the def's path is. Gives its length.
    ///
    /// # Errors
    /// `out` is shorter than the path.
    pub fn copy_path(&self, out: &mut [Cell]) -> Result<usize> {
        let (nodes, capacity) = (self.search.path(), out.len());
        let out = out.get_mut(..nodes.len()).ok_or(Error::capacity(Subject::PathLength, capacity))?;
        out.iter_mut().zip(nodes).for_each(|(cell, &node)| *cell = self.cell_of(node));
        Ok(nodes.len())
    }

    /// Where paths begin; `None` before [`begin`](GridReplanner::begin).
    pub fn start(&self) -> Option<Cell> {
        (self.width > 0).then(|| self.cell_of(self.search.start()))
    }

    /// Where paths end; `None` before [`begin`](GridReplanner::begin).
    pub fn goal(&self) -> Option<Cell> {
        (self.width > 0).then(|| self.cell_of(self.search.goal()))
    }

    /// The engine, to ask what it has done.
    pub const fn search(&self) -> &ReplanSearch<'m> {
        &self.search
    }

    fn cell_of(&self, node: u32) -> Cell {
        let width = (self.width as u32).max(1);
        Cell::new((node % width) as i32, (node / width) as i32)
    }

    pub(super) fn check_grid(&self, grid: &Grid<'_>) -> Result<()> {
        if self.width > 0 && (self.width, self.height) == (grid.width(), grid.height()) {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::State, Subject::Search))
        }
    }

    fn node_of(&self, grid: &Grid<'_>, cell: Cell) -> Result<u32> {
        self.check_grid(grid)?;
        grid.index_of(cell).ok_or(Error::new(ErrorKind::Outside, Subject::Cell))
    }

    /// Names the cells around what was edited to the engine.
    pub(super) fn read_edits(&mut self, grid: &Grid<'_>) {
        match grid.edits_since(&self.mark) {
            Edits::None => {}
            Edits::Rects(rects) => rects.for_each(|rect| self.mark_rect(rect)),
            Edits::All => self.search.mark_all(),
        }
        self.mark = GridMark { costs: self.mark.costs, ..grid.mark() };
    }

    /// Plans anew when an area's multiplier has changed: the estimate's scale depends on the smallest.
    fn read_costs(&mut self, grid: &Grid<'_>) {
        let costs = grid.mark().costs;
        if self.mark.costs != costs {
            self.mark.costs = costs;
            self.search.invalidate_all();
        }
    }

    /// All cells that have a step which may have changed: see the page, "Changes". An agent that stands further up or left
    /// reaches into the rectangle.
    fn mark_rect(&mut self, rect: CellRect) {
        let rect = rect.grown_within(i32::from(self.movement.agent_size), 1, self.width, self.height);
        let (cells, all) =
            (i64::from(rect.width) * i64::from(rect.height), i64::from(self.width) * i64::from(self.height));
        if cells * 4 > all {
            self.search.mark_all();
            return;
        }
        for cell in rect.cells() {
            // Inside by construction.
            let _ = self.search.mark_changed(cell.y as u32 * self.width as u32 + cell.x as u32);
        }
    }

    pub(super) fn forget_outcome(&mut self, status: PathStatus) {
        self.path_len = 0;
        self.outcome = GridOutcome::without_path(status, algorithm(self.search.mode()));
    }

    fn note(&mut self, grid: &Grid<'_>, status: SearchStatus) {
        self.forget_outcome(match status {
            SearchStatus::Running => PathStatus::BudgetExhausted,
            ended => ended.path_status(),
        });
        let nodes = self.search.path();
        self.path_len = nodes.len().min(self.path.len());
        self.path.iter_mut().zip(nodes).for_each(|(cell, &node)| *cell = grid.cell_of(node));
        self.outcome = GridOutcome {
            cost: self.search.path_cost(),
            length: nodes.len() as u32,
            path_truncated: nodes.len() > self.path_len,
            expanded: u64::from(self.search.last_expanded()),
            iterations: self.search.last_iterations(),
            ..self.outcome
        };
    }
}

const fn algorithm(mode: ReplanMode) -> GridAlgorithm {
    match mode {
        ReplanMode::LpaStar => GridAlgorithm::LpaStar,
        ReplanMode::DStarLite => GridAlgorithm::DStarLite,
    }
}
