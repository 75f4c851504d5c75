//! What every search is made of: an open set whose pop order is fully specified, a table that finds a node by its key,
//! and the words that say how a search ended.
//!
//! Nothing here knows what a node is. A search keeps its nodes in an array of its own, keeps their numbers in an
//! [`OpenSet`], ordered by whatever its [`Entry`] says, and finds the node of a key it has met before in a
//! [`NodeTable`]. Both begin anew in constant time, and both are bounded by the number of nodes, never by the size of
//! the world.

mod node_table;
mod open_set;
mod status;

pub use node_table::{MAX_NODES, NodeTable, Place, spread};
pub use open_set::{Entry, FloatEntry, OpenSet};
pub use status::PathStatus;
