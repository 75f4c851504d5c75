//! The object that answers by an algorithm, with the memory that it needs on a grid.
//!
//! A search, a replanner and a flow field are different objects; a question from a start to a goal is the same to all.

use super::args::Algorithm;
use crate::failure::{Failure, Outcome};
use navarena::error::Result;
use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::grid::hpa::HierarchyDef;
use navarena::grid::jps::JumpMapDef;
use navarena::grid::replan::{GridReplanner, GridReplannerDef};
use navarena::grid::{Cell, Grid, GridAlgorithm, GridOptions, GridSearch, GridSearchDef, Movement, OctileMemory, WALL};
use navarena::memory::{Arena, Plan};
use navarena::search::PathStatus;
use navarena_alloc::{Block, Source};

/// One algorithm's engine.
#[derive(Debug)]
pub enum Engine<'m> {
    /// One search answers one question.
    Search {
        /// The search.
        search: Box<GridSearch<'m>>,
        /// What it is asked, but for the ends.
        options: GridOptions,
    },
    /// A plan that could be kept up to date; here it is made anew for each question.
    Replan(GridReplanner<'m>),
    /// A field towards the goal, made anew for each question.
    Flow {
        /// The field.
        field: GridFlowField<'m>,
        /// The cells from the last start to the goal.
        way: Vec<Cell>,
    },
}

/// An answer, whoever gave it.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// How it went.
    pub status: PathStatus,
    /// What the path costs; infinite without one.
    pub cost: f64,
    /// The nodes expanded, or the cells of a field settled.
    pub expanded: u64,
    /// The cells of the path; the waypoints alone for paths at any angle.
    pub cells: &'a [Cell],
}

impl Answer<'_> {
    /// Whether there is a path.
    pub fn has_path(&self) -> bool {
        self.status.has_path()
    }
}

/// Runs `work` with the engine of an algorithm on a grid, of whose memory nothing is taken later.
pub fn with_engine<R>(
    algorithm: Algorithm,
    grid: &Grid<'_>,
    work: impl FnOnce(&mut Engine<'_>) -> Outcome<R>,
) -> Outcome<R> {
    let cells = grid.cell_count() as u32;
    let replanner = |def: GridReplannerDef| GridReplannerDef { path: cells, expansions: cells, ..def };
    match algorithm {
        Algorithm::Lpa | Algorithm::Dstar => {
            let lpa = algorithm == Algorithm::Lpa;
            let def = if lpa { GridReplannerDef::lpa_star(cells) } else { GridReplannerDef::d_star_lite(cells) };
            let def = replanner(def);
            with_arena(def.plan(), |arena| work(&mut Engine::Replan(GridReplanner::new(&def, arena)?)))
        }
        Algorithm::Flow => {
            let def = GridFlowDef { goals: 1, ..GridFlowDef::of_cells(cells) };
            with_arena(def.plan(), |arena| {
                work(&mut Engine::Flow { field: GridFlowField::new(&def, arena)?, way: Vec::new() })
            })
        }
        _ => {
            let not_built = || Failure::Other(format!("--alg {}: not built into this program", algorithm.name()));
            let asked = algorithm.of_search().ok_or_else(not_built)?;
            let def = def_for(asked, grid).ok_or_else(not_built)?;
            let options = GridOptions { algorithm: asked, ..GridOptions::DEFAULT };
            with_arena(def.plan(), |arena| {
                work(&mut Engine::Search { search: Box::new(GridSearch::new(&def, arena)?), options })
            })
        }
    }
}

fn with_arena<R>(plan: Plan, work: impl FnOnce(&mut Arena<'_>) -> Outcome<R>) -> Outcome<R> {
    let mut block = Block::new(&Source::Global, plan.bytes)?;
    work(&mut Arena::new(block.grains()))
}

/// The memory of an algorithm's search; none where it is not built. The place where the others come in.
fn def_for(algorithm: GridAlgorithm, grid: &Grid<'_>) -> Option<GridSearchDef> {
    let cells = grid.cell_count() as u32;
    let (width, height) = (grid.width() as u32, grid.height() as u32);
    let bare = GridSearchDef {
        octile: OctileMemory::None,
        general: false,
        path: cells,
        expansions: cells,
        ..GridSearchDef::of_cells(cells)
    };
    let jumps = |blocks: bool| Some(JumpMapDef { width, height, blocks, tables: !blocks });
    match algorithm {
        GridAlgorithm::AStar => Some(GridSearchDef { octile: OctileMemory::Standard, ..bare }),
        GridAlgorithm::Jps => Some(GridSearchDef { jumps: jumps(true), ..bare }),
        GridAlgorithm::JpsPlus => Some(GridSearchDef { jumps: jumps(false), ..bare }),
        GridAlgorithm::ThetaStar | GridAlgorithm::LazyThetaStar => Some(GridSearchDef { general: true, ..bare }),
        GridAlgorithm::Hpa => Some(GridSearchDef { hierarchy: Some(HierarchyDef::of_size(width, height)), ..bare }),
        _ => None,
    }
}

impl Engine<'_> {
    /// Makes what the algorithm keeps of a grid between questions: bits, tables.
    pub fn prepare(&mut self, grid: &Grid<'_>) -> Outcome<()> {
        // A search that ends where it starts; it must start on ground.
        let ground = grid.cells().iter().position(|&area| area != WALL);
        if let (Engine::Search { .. }, Some(index)) = (&self, ground) {
            let cell = grid.cell_of(index as u32);
            self.find_path(grid, cell, cell)?;
        }
        Ok(())
    }

    /// Finds a path, which stays lent until the next one.
    pub fn find_path(&mut self, grid: &Grid<'_>, start: Cell, goal: Cell) -> Outcome<Answer<'_>> {
        match self {
            Engine::Search { search, options } => {
                let outcome = search.find_path(grid, start, goal, options)?;
                let cells = search.path().cells();
                Ok(Answer { status: outcome.status, cost: outcome.cost, expanded: outcome.expanded, cells })
            }
            Engine::Replan(planner) => Ok(plan(planner, grid, start, goal)?),
            Engine::Flow { field, way } => Ok(flow(field, way, grid, start, goal)?),
        }
    }

    /// The cells that the last answer expanded, in order.
    pub fn expanded_cells(&self, grid: &Grid<'_>) -> Vec<Cell> {
        match self {
            Engine::Search { search, .. } => search.path().expanded_cells().collect(),
            Engine::Replan(planner) => planner.path().expanded_cells().collect(),
            Engine::Flow { field, .. } => {
                let cells = (0..grid.cell_count() as u32).map(|index| grid.cell_of(index));
                let mut reached: Vec<Cell> = cells.filter(|&cell| field.cost_at(cell) < f64::INFINITY).collect();
                // As they were settled: by cost, the first of equal ones first.
                reached.sort_by(|&one, &other| field.cost_at(one).total_cmp(&field.cost_at(other)));
                reached
            }
        }
    }

    /// The field, if the algorithm makes one.
    pub fn field(&self) -> Option<&GridFlowField<'_>> {
        match self {
            Engine::Flow { field, .. } => Some(field),
            _ => None,
        }
    }
}

fn plan<'a>(planner: &'a mut GridReplanner<'_>, grid: &Grid<'_>, start: Cell, goal: Cell) -> Result<Answer<'a>> {
    let status = planner.begin(grid, start, goal)?;
    if status != PathStatus::InProgress {
        return Ok(Answer { status, cost: f64::INFINITY, expanded: 0, cells: &[] });
    }
    let outcome = planner.replan(grid, u64::MAX)?;
    let cells = planner.path().cells();
    Ok(Answer { status: outcome.status, cost: outcome.cost, expanded: outcome.expanded, cells })
}

fn flow<'a>(
    field: &mut GridFlowField<'_>,
    way: &'a mut Vec<Cell>,
    grid: &Grid<'_>,
    start: Cell,
    goal: Cell,
) -> Result<Answer<'a>> {
    way.clear();
    let topology = grid.topology(Movement::DEFAULT)?;
    for (cell, status) in [(start, PathStatus::StartInvalid), (goal, PathStatus::GoalInvalid)] {
        if !topology.fits(cell) {
            return Ok(Answer { status, cost: f64::INFINITY, expanded: 0, cells: &[] });
        }
    }
    field.build(grid, &[goal], &FlowOptions::DEFAULT)?;
    way.extend(field.follow(start));
    let (status, cost) = match field.cost_at(start) {
        cost if cost < f64::INFINITY => (PathStatus::Found, cost),
        cost => (PathStatus::NoPath, cost),
    };
    Ok(Answer { status, cost, expanded: field.settled(), cells: way })
}
