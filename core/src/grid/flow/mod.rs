//! Flow fields: the cost of the cheapest way from every cell to the nearest of some goals, and the next cell on it, so
//! that any number of agents with the same goals find their way for the price of one search.
//!
//! Dijkstra's algorithm runs from the goals outwards, in slices if need be. Edits and other goals are repaired: only what
//! depended on them is searched again (after Ramalingam and Reps 1996), and the field is then, bit for bit, the one that
//! a new search would make.
//!
//! Source: `grids.md`, "Flow fields"; the region, several goals and their update, and what is refused from Maul Nav's
//! `flow.md`.

mod def;
mod field;
mod marks;
mod repair;
mod state;
mod wave;
mod world;

#[cfg(test)]
mod tests;

pub use def::{GridFlowDef, MAX_FLOW_GOALS};
pub use field::{CellFlow, FlowOptions, FlowStatus, GridFlowField};
