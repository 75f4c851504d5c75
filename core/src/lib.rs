//! Navigation without a heap: pathfinding on meshes in memory the caller hands over, with the same bits on every
//! machine.
#![no_std]
#![deny(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod build3d;
pub mod bytes;
pub mod error;
pub mod geometry;
pub mod hash;
pub mod math;
pub mod memory;
pub mod mesh;
pub mod query;
pub mod search;
