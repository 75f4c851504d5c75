//! Theta* and Lazy Theta*: short paths at any angle, found on the cells of a grid.
//!
//! A node's parent need not be its neighbour: it is any cell that sees it, so that a path is a list of waypoints with
//! straight segments between their centres. Such paths are short, seldom the shortest: never below the cheapest way over
//! cells that see one another, and in all that was tried no longer than A*'s.
//!
//! It applies to eight neighbours, no corner cutting, agents of one cell and one cost for every area
//! ([`GridOptions::allows_any_angle`](crate::grid::GridOptions::allows_any_angle)). The memory is A*'s, and within a
//! [`GridSearch`](crate::grid::GridSearch) the very same.
//!
//! Source: Nash, Daniel, Koenig and Felner 2007, "Theta*: Any-Angle Path Planning on Grids"; Nash, Koenig and Tovey 2010,
//! "Lazy Theta*"; `grids.md`, "Any-angle search".

mod any_angle;
mod search;

pub(in crate::grid) use any_angle::AnyAngle;
pub use any_angle::ThetaVariant;
pub use search::{ThetaOptions, ThetaSearch};

#[cfg(test)]
mod tests;
