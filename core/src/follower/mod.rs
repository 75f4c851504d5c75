//! Path following: an agent that walks a corridor to its destination, keeps it short and repairs it, crosses off-mesh links,
//! arrives, and notices when it is stuck.
//!
//! A [`Follower`] lies in memory of its caller's: a [`FollowerRecord`] of 272 bytes, which has a corridor's record in it,
//! and 8 bytes for each polygon of its [`FollowerOptions::corridor_capacity`]. Mesh, query and filter are arguments of each
//! step; the time that passes is one too, since there is no clock. One query serves any number of followers, one after
//! another, whichever its node model: the short searches over crossings run in the same memory.
//!
//! Alone, a follower [steps](Follower::step). In a crowd, whose agents steer round each other, the step comes in two: a plan
//! says where the agent wants to go, and what the crowd makes of it is then walked.
//!
//! Source: `corridors.md`, "Following"; `crowds.md`, "Step". Arrival is Reynolds', "Steering Behaviors for Autonomous
//! Characters", 1999.

mod crossing;
mod crowd_step;
mod drawing;
mod options;
mod record;
mod state;
mod steering;
mod upkeep;
mod walking;

#[cfg(test)]
mod tests;

pub use options::{FollowerOptions, OffMeshMode};
pub use record::{Follower, FollowerRecord, FollowerState};

pub(crate) use crowd_step::WalkPlan;
pub(crate) use state::{SavedFollower, read_follower, write_follower};
pub(crate) use steering::accelerated;
