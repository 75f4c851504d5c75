//! The grid search: one handle for every algorithm, in one call or in slices (`grids.md`, "Host API", `GridSearch`).

mod state;

use super::hpa::HpaEngine;
use super::jps::{JumpEngine, walk_back};
use super::octile::{CheckedOctile, Compact, LISTS, OctileProgress, OctileSearch, Standard};
use super::theta::{AnyAngle, ThetaVariant};
use super::{
    Cell, Grid, GridAlgorithm, GridHooks, GridMark, GridOptions, GridOutcome, GridPath, GridSearchDef, HeuristicKind,
    HookedCost, Movement, NoHooks, OctileMemory, Pair, SquareHeuristic, SquareTopology,
};
use crate::bytes::{Reader, Sink};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::Arena;
use crate::search::{AStar, Expansions, PathStatus, SearchStatus};

/// Searches for paths on square grids in memory that its caller handed over.
///
/// One search serves any number of grids, one after the other. All it keeps of a grid is the map of its jump points, which
/// follows the grid's edits and is made anew for another grid.
///
/// ```
/// use navarena::grid::{Cell, Grid, GridDef, GridOptions, GridSearch, GridSearchDef};
/// use navarena::memory::{Arena, Grain};
///
/// let picture = "........\n.#####..\n.#...#..\n.#.#.#..\n...#....\n";
/// let map = GridDef::of_picture(picture)?;
/// let def = GridSearchDef::of_cells(40);
/// let mut region = vec![Grain::ZERO; map.plan().grains() + def.plan().grains()];
/// let mut arena = Arena::new(&mut region);
/// let grid = Grid::from_picture(picture, &map, &mut arena)?;
/// let mut search = GridSearch::new(&def, &mut arena)?;
///
/// let found = search.find_path(&grid, Cell::new(0, 0), Cell::new(4, 3), &GridOptions::DEFAULT)?;
/// assert!(found.has_path());
/// assert_eq!((found.cost, search.path().cells().len()), (11.0, 12));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct GridSearch<'m> {
    octile: Option<Octile<'m>>,
    general: Option<AStar<'m>>,
    jumps: Option<JumpEngine<'m>>,
    hpa: Option<HpaEngine<'m>>,
    path: &'m mut [Cell],
    path_len: usize,
    cells: u32,
    asked: Asked,
    outcome: GridOutcome,
}

/// The specialised A* in one of its two forms of memory, with the cells it expanded.
#[derive(Debug)]
struct Octile<'m> {
    form: OctileForm<'m>,
    expansions: Expansions<'m>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a search has one of them, and no heap to put it on")]
enum OctileForm<'m> {
    Standard(OctileSearch<Standard<'m>>),
    Compact(OctileSearch<Compact<'m>>),
}

/// Runs one expression over either form.
macro_rules! with_form {
    ($form:expr, $search:ident => $work:expr) => {
        match $form {
            OctileForm::Standard($search) => $work,
            OctileForm::Compact($search) => $work,
        }
    };
}

/// Which engine has the search that is running, or that ended last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    /// None has begun.
    Idle,
    /// The specialised A*.
    Octile,
    /// The generic A*.
    General,
    /// The specialised jump point search.
    Jumps,
    /// The generic A* over jump points.
    GeneralJumps,
    /// Theta* or Lazy Theta*, in the generic A*'s memory.
    AnyAngle,
    /// HPA*.
    Hierarchy,
}

/// What was asked: kept between slices, and compared with what a later slice brings.
#[derive(Clone, Copy, Debug)]
struct Asked {
    engine: Engine,
    options: GridOptions,
    mark: GridMark,
    width: i32,
    height: i32,
}

impl Asked {
    const NOTHING: Asked =
        Asked { engine: Engine::Idle, options: GridOptions::DEFAULT, mark: GridMark::NEVER, width: 0, height: 0 };
}

impl<'m> GridSearch<'m> {
    /// A search with the engines and limits of its def.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`GridSearchDef::plan`] says.
    pub fn new(def: &GridSearchDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        Ok(GridSearch {
            octile: Octile::new(def, arena)?,
            general: if def.general { Some(AStar::new(&def.a_star(), arena)?) } else { None },
            jumps: match &def.jumps {
                Some(map) => Some(JumpEngine::new(map, &def.jump_search(), arena)?),
                None => None,
            },
            hpa: match &def.hierarchy {
                Some(hierarchy) => Some(HpaEngine::new(hierarchy, &def.hpa_search(hierarchy), arena)?),
                None => None,
            },
            path: arena.take(def.path as usize)?,
            path_len: 0,
            cells: def.cells,
            asked: Asked::NOTHING,
            outcome: GridOutcome::without_path(PathStatus::None, GridAlgorithm::AStar),
        })
    }

    /// Finds a path between two cells in one call. [`path`](GridSearch::path) lends the result.
    ///
    /// The status is [`Found`](PathStatus::Found), [`NoPath`](PathStatus::NoPath),
    /// [`StartInvalid`](PathStatus::StartInvalid) or [`GoalInvalid`](PathStatus::GoalInvalid) for a cell outside the grid
    /// or on which the agent does not fit, or [`BudgetExhausted`](PathStatus::BudgetExhausted). Ends a search in slices.
    ///
    /// # Errors
    /// A grid of more cells than the def's; options out of their range; an algorithm that the def has no memory for;
    /// more cells waiting than the def's `open`.
    pub fn find_path(
        &mut self,
        grid: &Grid<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: &GridOptions,
    ) -> Result<GridOutcome> {
        self.find_path_with(grid, start, goal, options, &NoHooks)
    }

    /// As [`find_path`](GridSearch::find_path), with blocked cells and step costs.
    pub fn find_path_with<H: GridHooks>(
        &mut self,
        grid: &Grid<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: &GridOptions,
        hooks: &H,
    ) -> Result<GridOutcome> {
        self.forget();
        let status = self.begin_with(grid, start, goal, options, hooks)?;
        if status != PathStatus::InProgress {
            self.outcome = GridOutcome::without_path(status, options.algorithm_on(grid, H::PRESENT));
            return Ok(self.outcome);
        }
        let budget = if options.iteration_budget == 0 { u64::MAX } else { options.iteration_budget };
        if self.step_with(grid, hooks, budget)? == PathStatus::InProgress {
            self.asked = Asked::NOTHING;
            self.outcome.status = PathStatus::BudgetExhausted;
        }
        Ok(self.outcome)
    }

    /// Begins a search in slices. Gives [`InProgress`](PathStatus::InProgress), or
    /// [`StartInvalid`](PathStatus::StartInvalid) or [`GoalInvalid`](PathStatus::GoalInvalid); a search that is running
    /// then goes on.
    ///
    /// # Errors
    /// Those of [`find_path`](GridSearch::find_path); a search that is running then goes on.
    pub fn begin(
        &mut self,
        grid: &Grid<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: &GridOptions,
    ) -> Result<PathStatus> {
        self.begin_with(grid, start, goal, options, &NoHooks)
    }

    /// As [`begin`](GridSearch::begin), with blocked cells and step costs.
    pub fn begin_with<H: GridHooks>(
        &mut self,
        grid: &Grid<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: &GridOptions,
        hooks: &H,
    ) -> Result<PathStatus> {
        let algorithm = self.check_options(grid, options, H::PRESENT)?;
        let engine = self.engine_for(grid, options, H::PRESENT, algorithm)?;
        let topology = grid.topology(options.movement)?;
        let node_of = |cell: Cell| match grid.index_of(cell) {
            Some(node) if topology.fits(cell) && !hooks.is_blocked(cell) => Some(node),
            _ => None,
        };
        let Some(start) = node_of(start.into()) else { return Ok(PathStatus::StartInvalid) };
        let Some(goal) = node_of(goal.into()) else { return Ok(PathStatus::GoalInvalid) };
        if let (Engine::Jumps | Engine::GeneralJumps, Some(jumps)) = (engine, &mut self.jumps) {
            jumps.refresh(grid, algorithm)?;
        }
        if let (Engine::Hierarchy, Some(hpa)) = (engine, &mut self.hpa) {
            hpa.refresh(grid, options)?;
        }
        self.forget();
        let is_zero = options.heuristic_kind() == HeuristicKind::Zero;
        match (engine, &mut self.octile, &mut self.general, &mut self.jumps) {
            (Engine::Octile, Some(octile), _, _) => octile.begin(&topology, start, goal, is_zero),
            (Engine::Jumps, _, _, Some(jumps)) => {
                jumps.begin(grid, grid.cell_of(start), grid.cell_of(goal), is_zero)?;
            }
            (Engine::General | Engine::GeneralJumps, _, Some(general), _) => {
                let heuristic = SquareHeuristic::new(grid, options.heuristic_kind());
                general.begin(&topology, &heuristic, start, goal, options.weight)?;
            }
            (Engine::AnyAngle, _, Some(general), _) => {
                any_angle(grid, options)?.begin(general, start, goal, options.weight)?;
            }
            (Engine::Hierarchy, ..) => {
                let hpa = self.hpa.as_mut().ok_or(Error::new(ErrorKind::Unsupported, Subject::Engine))?;
                hpa.begin(grid, grid.cell_of(start), grid.cell_of(goal), options)?;
            }
            _ => return Err(Error::new(ErrorKind::Unsupported, Subject::Engine)),
        }
        let (width, height) = (grid.width(), grid.height());
        self.asked = Asked { engine, options: *options, mark: grid.mark(), width, height };
        self.outcome = GridOutcome::without_path(PathStatus::InProgress, algorithm);
        Ok(PathStatus::InProgress)
    }

    /// Goes on with a search by at most `budget` iterations, which are pops of a node. Any budgets give what one call
    /// gives. Gives [`InProgress`](PathStatus::InProgress), [`Found`](PathStatus::Found) or
    /// [`NoPath`](PathStatus::NoPath); a search that has ended stays as it is.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when no search has begun, or when the grid was edited or is another one: begin again. A
    /// budget of 0. More cells waiting than the def's `open`: the search is over, without a result.
    pub fn step(&mut self, grid: &Grid<'_>, budget: u64) -> Result<PathStatus> {
        self.step_with(grid, &NoHooks, budget)
    }

    /// As [`step`](GridSearch::step), with the hooks that the search began with.
    pub fn step_with<H: GridHooks>(&mut self, grid: &Grid<'_>, hooks: &H, budget: u64) -> Result<PathStatus> {
        self.check_open(grid)?;
        if budget == 0 {
            return Err(Error::invalid(Subject::Budget).value(0.0));
        }
        if self.outcome.status != PathStatus::InProgress {
            return Ok(self.outcome.status);
        }
        let topology = grid.topology(self.asked.options.movement)?;
        let heuristic = SquareHeuristic::new(grid, self.asked.options.heuristic_kind());
        let stepped = match (self.asked.engine, &mut self.octile, &mut self.general, &mut self.jumps) {
            (Engine::Octile, Some(octile), _, _) => octile.step(&topology, budget),
            (Engine::General, _, Some(general), _) => {
                general.step(&topology, &HookedCost::new(hooks, grid.width()), &heuristic, budget)
            }
            (Engine::Jumps, _, _, Some(jumps)) => jumps.step(budget),
            (Engine::GeneralJumps, _, Some(general), Some(jumps)) => {
                jumps.step_generic(general, grid, &heuristic, budget)
            }
            (Engine::AnyAngle, _, Some(general), _) => any_angle(grid, &self.asked.options)?.step(general, budget),
            (Engine::Hierarchy, ..) => match &mut self.hpa {
                Some(hpa) => hpa.step(grid, budget),
                None => return Err(Error::new(ErrorKind::State, Subject::Search)),
            },
            _ => return Err(Error::new(ErrorKind::State, Subject::Search)),
        };
        match stepped {
            Ok(status) => self.note(grid, &topology, status),
            Err(_) => self.forget(),
        }
        stepped.map(SearchStatus::path_status)
    }

    /// The last path, lent until the next search.
    pub fn path(&self) -> GridPath<'_> {
        let expanded = match (self.asked.engine, &self.octile, &self.general, &self.jumps) {
            (Engine::Octile, Some(octile), _, _) => octile.expansions.nodes(),
            (Engine::General | Engine::GeneralJumps | Engine::AnyAngle, _, Some(general), _) => general.expansions(),
            (Engine::Jumps, _, _, Some(jumps)) => jumps.search.expansions(),
            (Engine::Hierarchy, ..) => self.hpa.as_ref().map_or(&[][..], |hpa| hpa.search.expansions()),
            _ => &[],
        };
        let (cells, width) = (&self.path[..self.path_len], self.asked.width as u32);
        GridPath { outcome: self.outcome, cells, expanded, width }
    }

    /// How the last search went, or how far the running one has come.
    pub const fn outcome(&self) -> GridOutcome {
        self.outcome
    }

    /// Writes the whole last path, start first, to the front of `out`, however long the def's path is. Gives its length.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when the grid was edited since, or is another one. `out` is shorter than the path.
    pub fn copy_path(&self, grid: &Grid<'_>, out: &mut [Cell]) -> Result<usize> {
        self.check_open(grid)?;
        let capacity = out.len();
        let length = self.outcome.length as usize;
        let out = out.get_mut(..length).ok_or(Error::capacity(Subject::PathLength, capacity))?;
        let topology = grid.topology(self.asked.options.movement)?;
        self.walk_back(&topology, |back, node| {
            if let Some(place) = length.checked_sub(back + 1).and_then(|at| out.get_mut(at)) {
                *place = grid.cell_of(node);
            }
        });
        Ok(length)
    }

    /// The engine for an algorithm; the specialised ones where they can do what is asked.
    ///
    /// The place where the other algorithms' engines come in.
    fn engine_for(
        &self,
        grid: &Grid<'_>,
        options: &GridOptions,
        has_hooks: bool,
        algorithm: GridAlgorithm,
    ) -> Result<Engine> {
        let is_specialized = options.specialized && options.allows_jumps(grid, has_hooks);
        let has_jumps = self.jumps.as_ref().is_some_and(|jumps| jumps.has(algorithm));
        let (engine, is_there) = match algorithm {
            GridAlgorithm::AStar if is_specialized => (Engine::Octile, self.octile.is_some()),
            GridAlgorithm::AStar => (Engine::General, self.general.is_some()),
            GridAlgorithm::Jps | GridAlgorithm::JpsPlus if is_specialized => (Engine::Jumps, has_jumps),
            GridAlgorithm::Jps | GridAlgorithm::JpsPlus => (Engine::GeneralJumps, has_jumps && self.general.is_some()),
            GridAlgorithm::ThetaStar | GridAlgorithm::LazyThetaStar => (Engine::AnyAngle, self.general.is_some()),
            GridAlgorithm::Hpa => (Engine::Hierarchy, self.hpa.is_some()),
            _ => (Engine::Idle, false),
        };
        if is_there {
            Ok(engine)
        } else {
            Err(Error::new(ErrorKind::Unsupported, Subject::Engine).at(algorithm as usize))
        }
    }

    /// Refuses options out of their range and a grid that is too large. Gives the algorithm that runs.
    fn check_options(&self, grid: &Grid<'_>, options: &GridOptions, has_hooks: bool) -> Result<GridAlgorithm> {
        options.validate()?;
        if grid.cell_count() > self.cells as usize {
            return Err(Error::capacity(Subject::Cell, self.cells as usize).value(grid.cell_count() as f64));
        }
        Ok(options.algorithm_on(grid, has_hooks))
    }

    fn check_open(&self, grid: &Grid<'_>) -> Result<()> {
        let asked = &self.asked;
        let is_same = (asked.width, asked.height, asked.mark) == (grid.width(), grid.height(), grid.mark());
        if asked.engine != Engine::Idle && is_same {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::State, Subject::Search))
        }
    }

    fn forget(&mut self) {
        self.asked = Asked::NOTHING;
        self.path_len = 0;
        self.outcome = GridOutcome::without_path(PathStatus::None, GridAlgorithm::AStar);
    }

    /// Takes over what an engine has come to, and its path once it is found.
    fn note(&mut self, grid: &Grid<'_>, topology: &SquareTopology<'_>, status: SearchStatus) {
        self.outcome.status = status.path_status();
        match (self.asked.engine, &self.octile, &self.general, &self.jumps) {
            (Engine::Octile, Some(octile), _, _) => {
                let progress = octile.progress();
                (self.outcome.iterations, self.outcome.expanded) = (progress.iterations, progress.expanded);
                // One product, as the page has it; all areas share the multiplier.
                self.outcome.cost = grid.areas().min_cost() * progress.path.cost();
            }
            (Engine::Jumps, _, _, Some(jumps)) => {
                let search = &jumps.search;
                (self.outcome.iterations, self.outcome.expanded) = (search.iterations(), search.expanded());
                self.outcome.cost = grid.areas().min_cost() * search.path_steps().cost();
            }
            (Engine::General | Engine::GeneralJumps | Engine::AnyAngle, _, Some(general), _) => {
                let progress = general.progress();
                (self.outcome.iterations, self.outcome.expanded) = (progress.iterations, progress.expanded);
                self.outcome.cost = progress.cost;
            }
            (Engine::Hierarchy, ..) => {
                if let Some(hpa) = &self.hpa {
                    let found = hpa.search.outcome();
                    (self.outcome.iterations, self.outcome.expanded) = (found.iterations, found.expanded);
                    self.outcome.cost = found.cost;
                }
            }
            _ => {}
        }
        if status != SearchStatus::Found {
            self.outcome.cost = f64::INFINITY;
            return;
        }
        let length = self.count_path(topology);
        let path = core::mem::take(&mut self.path);
        self.walk_back(topology, |back, node| {
            if let Some(place) = length.checked_sub(back + 1).and_then(|at| path.get_mut(at)) {
                *place = grid.cell_of(node);
            }
        });
        self.path_len = length.min(path.len());
        self.path = path;
        self.outcome.length = length as u32;
        self.outcome.path_truncated = length > self.path_len;
    }

    /// How many nodes the path found has. Exact costs tell it, other paths are walked.
    fn count_path(&self, topology: &SquareTopology<'_>) -> usize {
        let nodes_of = |steps: Pair| steps.straight as usize + steps.diagonal as usize + 1;
        match (self.asked.engine, &self.octile, &self.jumps) {
            (Engine::Octile, Some(octile), _) => nodes_of(octile.progress().path),
            (Engine::Jumps, _, Some(jumps)) => nodes_of(jumps.search.path_steps()),
            _ => {
                let mut length = 0;
                self.walk_back(topology, |back, _| length = back + 1);
                length
            }
        }
    }

    /// Visits the nodes of the path found, from the goal back: how far back, and the node.
    fn walk_back(&self, topology: &SquareTopology<'_>, mut visit: impl FnMut(usize, u32)) {
        let visit = |(back, node)| visit(back, node);
        match (self.asked.engine, &self.octile, &self.general, &self.jumps) {
            (Engine::Octile, Some(octile), _, _) => {
                with_form!(&octile.form, search => search.path_back(*topology).enumerate().for_each(visit));
            }
            (Engine::General | Engine::AnyAngle, _, Some(general), _) => {
                general.path_back().enumerate().for_each(visit)
            }
            (Engine::Jumps, _, _, Some(jumps)) => jumps.search.path_back().enumerate().for_each(visit),
            (Engine::GeneralJumps, _, Some(general), _) => {
                walk_back(general.path_back(), topology.width() as u32).enumerate().for_each(visit);
            }
            (Engine::Hierarchy, ..) => {
                let path = self.hpa.as_ref().map_or(&[][..], |hpa| hpa.search.path());
                path.iter().copied().rev().enumerate().for_each(visit);
            }
            _ => {}
        }
    }
}

/// The grid as Theta* or Lazy Theta*, as asked, sees it.
fn any_angle<'a>(grid: &'a Grid<'_>, options: &GridOptions) -> Result<AnyAngle<'a>> {
    let variant = match options.algorithm {
        GridAlgorithm::LazyThetaStar => ThetaVariant::LazyRequeue,
        _ => ThetaVariant::Theta,
    };
    AnyAngle::new(grid, variant, options.heuristic == HeuristicKind::Zero)
}

impl<'m> Octile<'m> {
    fn new(def: &GridSearchDef, arena: &mut Arena<'m>) -> Result<Option<Self>> {
        let (cells, open) = (def.cells as usize, def.open as usize);
        let form = match def.octile {
            OctileMemory::None => return Ok(None),
            OctileMemory::Standard => {
                let records = arena.take(cells)?;
                let (pool, stack) = (arena.take(open)?, arena.take(open)?);
                let lists =
                    arena.take(LISTS)?.first_chunk_mut().ok_or(Error::new(ErrorKind::Capacity, Subject::Memory))?;
                OctileForm::Standard(OctileSearch::over(Standard::over(records, pool, stack, lists)))
            }
            OctileMemory::Compact => {
                OctileForm::Compact(OctileSearch::over(Compact::over(arena.take(cells)?, arena.take(open)?)))
            }
        };
        Ok(Some(Octile { form, expansions: Expansions::over(arena.take(def.expansions as usize)?) }))
    }

    fn begin(&mut self, topology: &SquareTopology<'_>, start: u32, goal: u32, is_zero: bool) {
        self.expansions.clear();
        with_form!(&mut self.form, search => search.begin(topology.width() as u32, start, goal, is_zero));
    }

    fn step(&mut self, topology: &SquareTopology<'_>, budget: u64) -> Result<SearchStatus> {
        debug_assert_eq!(topology.movement(), Movement::DEFAULT);
        with_form!(&mut self.form, search => search.step(topology, &mut self.expansions, budget))
    }

    fn progress(&self) -> &OctileProgress {
        with_form!(&self.form, search => search.progress())
    }

    fn save(&self, cells: usize, out: &mut impl Sink) {
        with_form!(&self.form, search => search.save(cells, out));
    }

    fn check_saved<'a>(
        &self,
        topology: &SquareTopology<'_>,
        is_zero: bool,
        reader: &mut Reader<'a>,
    ) -> Result<CheckedOctile<'a>> {
        with_form!(&self.form, search => search.check_saved(topology, is_zero, reader))
    }

    fn take_over(&mut self, width: u32, checked: &CheckedOctile<'_>) {
        self.expansions.clear();
        with_form!(&mut self.form, search => search.take_over(width, checked));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    crate::memory::assert_portable!(GridSearch);
}
