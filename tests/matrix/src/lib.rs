//! The scenarios of the hash matrix: functions of the library, from fixed seeds, whose results must have the same bits on
//! every machine (`onepath/hash-matrix.md`).
//!
//! This crate runs on bare metal too. It needs a heap for the inputs it makes and the regions it hands out; what it
//! calls in the core needs none. A program for some machine calls [`manifest`] and prints the lines.
//!
//! To add a scenario, write a function that takes a [`Record`] and writes every result into it, and list it in its
//! module's table. Names are lower-case, divided by slashes, and unique.
//!
//! ```
//! use navarena_matrix::{Alone, manifest};
//! let mut lines = Vec::new();
//! manifest("meta/", &Alone, &mut |line| lines.push(line.to_string()))?;
//! assert!(lines[0].ends_with(" meta/bits") && lines.last().unwrap().ends_with(" manifest"));
//! # Ok::<(), navarena_matrix::Failed>(())
//! ```

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod asking;
mod avoidance;
mod build;
mod crew;
mod crowds;
mod grid;
mod hashing;
pub mod level;
mod manifest;
mod math;
mod memory;
mod mesh;
mod meta;
mod page;
mod plane;
mod query;
mod record;

pub use crew::{Alone, Crew};
pub use level::region;
pub use manifest::{Failed, Hex, manifest, scenarios};
pub use record::{Record, Scenario};
