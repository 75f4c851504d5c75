//! HPA*: near-cheapest paths over a hierarchy of chunks.
//!
//! Botea, Müller and Schaeffer 2004 (*Near Optimal Hierarchical Path-Finding*), with one level. The grid is cut into
//! square [`Chunks`]. Where two of them share an open stretch of border, one or two pairs of cells are the transitions
//! between them; the cells of all transitions are the nodes of a graph, whose edges are the steps across borders and the
//! cheapest ways within a chunk. A [`Hierarchy`] is that graph, kept up to date from the grid's journal. An
//! [`HpaSearch`] joins a start and a goal to it, searches it, which takes few expansions, writes the way out cell by cell,
//! and smooths it.
//!
//! A path is found exactly when there is one. It costs what its steps cost, never less than the cheapest, and a few
//! percent more without smoothing, under one percent with it on most maps.
//!
//! Source: `grids.md`, "HPA*".

mod chunk_search;
mod chunks;
mod def;
mod engine;
mod entrances;
mod hierarchy;
mod refine;
mod search;
mod smooth;
#[cfg(test)]
mod tests;

pub use chunks::Chunks;
pub use def::{HierarchyDef, HpaSearchDef, MAX_CHUNK_SIDE};
pub(in crate::grid) use engine::HpaEngine;
pub use entrances::Crossing;
pub use hierarchy::{Hierarchy, HierarchyUse};
pub use search::{HpaOutcome, HpaSearch};
