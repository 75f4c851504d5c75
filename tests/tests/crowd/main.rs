//! What a crowd does on whole levels.

mod agents;
mod bounds;
mod field;
mod stage;
mod state;
