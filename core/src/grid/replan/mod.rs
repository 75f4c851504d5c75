//! Replanning: paths that are kept up to date while the map changes and the start moves.
//!
//! LPA* (Koenig, Likhachev and Furcy, *Lifelong Planning A\**, 2004) and D* Lite (Koenig and Likhachev, 2002, the
//! version with the key modifier) are one engine, [`ReplanSearch`], over any [`Topology`](crate::search::Topology): it
//! searches from a root towards a focus, which are start and goal for LPA* and goal and start for D* Lite, and keeps
//! what it found. [`GridReplanner`] is that over a square grid: it reads what changed from the grid's journal.
//!
//! Source: `grids.md`, "Incremental replanning"; `grids-state.md`, kind 5.

mod def;
mod path;
mod queue;
mod replanner;
mod search;
mod state;
#[cfg(test)]
mod tests;
mod tolerance;

pub use def::{GridReplannerDef, ReplanSearchDef};
pub use replanner::GridReplanner;
pub use search::{ReplanMode, ReplanSearch, ReplanWorld};
pub use tolerance::REPLAN_TOLERANCE;
