//! What every search is made of: open sets whose pop order is fully specified, nodes, A* over any world, and the words
//! that say how a search ended.
//!
//! Nothing here knows what a node is. Two families stand side by side:
//!
//! - Where the nodes of a world are numbered (square, hex and voxel grids, graphs), a world is a [`Topology`], and
//!   [`AStar`] searches it with a [`StepCost`] and a [`Heuristic`]. It is made of [`NodeBuffers`], an element a node, and
//!   an [`IndexedOpenSet`] with decrease-key. Other searches over the same worlds use the same two.
//! - Where nodes are made as a search meets them (meshes), a search keeps them in an array of its own, their numbers in
//!   an [`OpenSet`] ordered by whatever its [`Entry`] says or a [`FrontedSet`], and finds a key's node in a [`NodeTable`]; all are
//!   bounded by the number of nodes, never by the size of the world.
//!
//! All of them begin anew in constant time.

mod a_star;
mod fronted_set;
mod indexed_set;
mod node_table;
mod nodes;
mod open_set;
mod state;
mod status;
mod topology;

pub use a_star::{AStar, AStarDef, Expansions, MAX_SEARCH_NODES, SearchProgress, SearchStatus};
pub use fronted_set::FrontedSet;
pub use indexed_set::{IndexedOpenSet, KeyEntry, NodeEntry, Places, lower, raise};
pub use node_table::{MAX_NODES, NodeTable, Place, spread};
pub use nodes::{NO_NODE, NodeBuffers, SearchNode};
pub use open_set::{Entry, FloatEntry, OpenSet};
pub(crate) use state::CheckedSearch;
pub use state::SearchState;
pub use status::PathStatus;
pub use topology::{BaseCost, Heuristic, StepCost, Topology, ZeroHeuristic};
