//! Agents that pass each other and what stands in their way: reciprocal velocity obstacles (ORCA).
//!
//! Source: van den Berg, Guy, Lin and Manocha, *Reciprocal n-body collision avoidance* (ISRR 2011), as `orca.md` fixes it
//! to the last bit. Everything here is floating-point state on a plane or in space, apart from any mesh.
//!
//! - A constraint: [`HalfPlane`], made by [`for_agent`], [`for_segment`] or [`for_boundary`].
//! - The best velocity under constraints: [`solve`].
//! - The nearest neighbours: [`NeighborIndex`], [`Nearest`].
//! - Agents that walk by themselves: [`Simulator`].
//! - Velocities for the host's own agents, obstacles and fliers: [`Avoidance`], as `maul-nav/avoidance.md` has it.

mod box_index;
mod constraints;
mod crew;
mod half_plane;
mod half_space;
mod linear_program;
mod nearest;
mod neighbor_index;
mod ranges;
mod set;
mod simulator;
mod space_program;
mod velocity_obstacle;

pub use constraints::{Encounter, for_agent, for_boundary, for_segment};
pub use crew::{Share, Shares};
pub use half_plane::HalfPlane;
pub use half_space::HalfSpace;
pub(crate) use linear_program::clipped;
pub use linear_program::solve;
pub use nearest::{Near, Nearest};
pub use neighbor_index::NeighborIndex;
pub use ranges::{MAX_AGENTS, MAX_NEIGHBORS, MAX_OBSTACLE_EDGES, MAX_OBSTACLE_POINTS, MAX_WORKERS, MIN_TIME};
pub use set::{
    Agent, Avoidance, AvoidanceDef, Avoiding, Flier, MAX_COORDINATE, MAX_RADIUS, MAX_SPEED, Obstacle, PlaneTask,
    SpaceTask, Sphere,
};
pub use simulator::{AgentRef, AgentSettings, Simulator, SimulatorDef, SimulatorStep, SimulatorTask};

#[cfg(test)]
mod tests;
