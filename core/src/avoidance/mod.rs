//! Agents that pass each other and what stands in their way: reciprocal velocity obstacles (ORCA).
//!
//! Source: van den Berg, Guy, Lin and Manocha, *Reciprocal n-body collision avoidance* (ISRR 2011), as `orca.md` fixes it
//! to the last bit. Everything here is floating-point state on a plane or in space, apart from any mesh.
//!
//! - A constraint: [`HalfPlane`], made by [`for_agent`], [`for_segment`] or [`for_boundary`].
//! - The best velocity under constraints: [`solve`].
//! - The nearest neighbours: [`NeighborIndex`], [`Nearest`].

mod constraints;
mod half_plane;
mod linear_program;
mod nearest;
mod neighbor_index;
mod velocity_obstacle;

pub use constraints::{Encounter, for_agent, for_boundary, for_segment};
pub use half_plane::HalfPlane;
pub use linear_program::solve;
pub use nearest::{Near, Nearest};
pub use neighbor_index::NeighborIndex;

#[cfg(test)]
mod tests;
