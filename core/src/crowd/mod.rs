//! Crowds: agents that walk one navigation mesh, each along its own corridor, steering round the others and along the walls;
//! and that roll back, bit for bit.
//!
//! A [`Crowd`] holds agents in slots, in memory that its caller handed over. Mesh, query and filter are arguments: the mesh
//! may change between steps, and the filter must be the same one as long as the crowd lives. There is no clock: a
//! [`step`](Crowd::step) is one step of the time it is told. A step can be shared out among any number of workers, with one
//! query each, to the same bits: [`begin_step`](Crowd::begin_step).
//!
//! [`save_state`](Crowd::save_state) writes everything that the next step depends on, and
//! [`restore_state`](Crowd::restore_state) puts it back, all or nothing; [`state_hash`](Crowd::state_hash) tells in eight
//! bytes whether two machines have the same crowd.
//!
//! Source: `crowds.md`; the avoidance is `orca.md`'s, the way `corridors.md`'s.

mod agent;
mod avoid;
#[allow(clippy::module_inception)] // the field's word for both
mod crowd;
mod def;
mod drawing;
mod options;
mod plan;
mod restore;
mod state;
mod step;
mod view;
mod walls;

#[cfg(test)]
mod tests;

pub use agent::AgentId;
pub use crowd::Crowd;
pub use def::{CrowdDef, MAX_AGENTS, MAX_WALLS};
pub use options::{AgentOptions, AvoidanceQuality, CROWD_CORRIDOR};
pub use step::{AvoidShare, CrowdStep, MoveShare, PlanShare};
pub use view::AgentView;
pub use walls::Wall;
