//! Square grids: cells and what they cost, edits and their journal, agents of any size, and searches over them.
//!
//! A [`Grid`] holds cells, area costs and the journal of its edits, and nothing that is derived from them but the
//! clearance. A [`SquareTopology`] is the grid as an agent sees it: which cells it can stand on, its steps and what they
//! cost; every search works on that. What is built over a grid (searches, tables, fields) does not hold it but takes it
//! as an argument, keeps a [`GridMark`] of what it has seen, and asks [`Grid::edits_since`] what changed.
//!
//! Source: `grids.md`, square parts.

mod area_costs;
mod cell;
mod clearance;
mod content_hash;
mod def;
pub mod flow;
mod heuristic;
mod hooks;
pub mod hpa;
mod journal;
pub mod jps;
mod line_of_sight;
mod moves;
pub mod moving_ai;
mod nearest;
mod octile;
mod options;
mod outcome;
mod picture;
mod pricing;
pub mod replan;
mod search;
mod search_def;
mod space;
mod square;
mod state;
pub mod theta;
mod topology;

#[cfg(test)]
pub(crate) mod tests;

pub use area_costs::{AREA_IDS, AreaCosts, WALL};
pub use cell::{Cell, CellRect};
pub use def::{GridDef, MAX_CELLS, MAX_JOURNAL};
pub use heuristic::{HeuristicKind, SquareHeuristic, cell_distance};
pub use hooks::{Blocked, GridHooks, HookedCost, NoHooks, StepCosts};
pub use journal::{EditedRects, Edits, GridMark};
pub use moves::{BESIDE, Connectivity, DiagonalRule, SQRT_2, STEPS, step_between};
pub use nearest::NearestOptions;
pub use octile::Pair;
pub use options::{GridAlgorithm, GridOptions, MAX_TABLE_SIDE};
pub use outcome::{GridOutcome, GridPath};
pub use pricing::step_counts;
pub use search::GridSearch;
pub use search_def::{GridSearchDef, OctileMemory};
pub use space::{GridSpace, WORLD_BOUND};
pub use square::Grid;
pub use topology::{Movement, SquareTopology};
