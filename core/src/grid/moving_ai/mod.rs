//! The files of the Moving AI benchmarks: grid maps (`.map`) and scenarios (`.scen`).
//!
//! Both readers borrow the file's bytes and take no memory. They are strict: the first thing that breaks a rule is named
//! by its line, counted from 1, and within it by its column or field, counted from 0. Lines end with LF or CR LF.
//!
//! Source: `grids.md`, "Moving AI files"; N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE TCIAIG 4(2), 2012.

mod lines;
mod map;
mod scenario;

pub use map::{GridMap, Terrain, TerrainRule};
pub use scenario::{Scenario, Scenarios};
