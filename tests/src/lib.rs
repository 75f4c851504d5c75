//! What the library's tests and measurements share: levels baked and asked, oracles, and the answers that others
//! published about them.
//!
//! Data that other people made is never part of the project. The folder that the environment variable
//! `NAVARENA_DATA` names holds it (`levels/`, `movingai/`); the published answers lie beside that folder, in
//! `vectors/`. What needs them says so in one line and does nothing when the variable is unset.

pub mod answers;
pub use navarena_matrix::asking;
pub mod checkerboard;
pub mod comparison;
pub mod conformance;
pub mod data;
pub mod detour_snap;
pub mod floors;
pub mod flow;
pub mod grid_states;
pub mod moving_ai;
pub mod ours;
pub mod portal_graph;
pub mod published;
pub mod recast;
pub mod saved_files;
pub mod soundness;
pub mod threads;
