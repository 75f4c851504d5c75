//! Navarena with a heap: objects that own their memory and grow it, so that no limit, arena or lifetime is in sight.
//!
//! ```
//! use navarena_alloc::prelude::*;
//! # let level = navarena_fixtures::yard::level();
//! # let (start, goal) = (navarena_fixtures::yard::START, navarena_fixtures::yard::GOAL);
//! # let triangles = level.soup();
//! let mesh = NavMesh::build(&triangles, &NavSettings::HUMANOID)?;
//! let path = mesh.find_path(start, goal)?;
//! assert!(path.is_complete());
//! for corner in path.points() {
//!     // Walk there.
//! #   let _ = corner;
//! }
//! # Ok::<(), navarena_alloc::Error>(())
//! ```
//!
//! The same on a grid:
//!
//! ```
//! use navarena_alloc::prelude::*;
//! let grid = Grid::from_text("....\n.##.\n....\n")?;
//! let path = grid.find_path((0, 1), (3, 1))?;
//! assert_eq!((path.cost(), path.cells().len()), (5.0, 6));
//! # Ok::<(), navarena_alloc::Error>(())
//! ```
//!
//! - [`NavMesh`] builds, loads, saves and answers; any number of threads may ask one at once.
//! - A [`Floor`] is what [`NavMesh::build_2d`] builds from, exactly: outlines with holes, tile maps, grids.
//! - [`Region`] is a part of the plane: outlines and tile maps united, intersected, subtracted, grown and shrunk.
//! - [`Grid`] is a map of square cells, from text, areas or a Moving AI map; it too answers any number of threads.
//! - [`Crowd`] walks agents over a mesh, any number of them, and rolls back.
//! - [`Follower`] walks a single agent, which keeps its way as the mesh changes.
//! - [`Source`] says where its memory comes from: the global allocator, or a host's own functions ([`HostAllocator`]).
//! - `region_in` hands out regions of a `bumpalo` arena for the core's own objects (feature `bumpalo`).
//! - [`navarena`] itself is what all of it stands on: take its objects where nothing may be allocated.
//!
//! On wasm32 the standard library's allocator can end a program by an assertion when memory of 16-byte alignment is given back,
//! as blocks are: choose another global allocator there, as `tests/wasm` does.
//!
//! Results have the same bits as the core's with any memory: growing rebuilds an object in a larger block and repeats
//! the call that did not fit.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod bake;
mod block;
#[cfg(feature = "bumpalo")]
mod bump;
mod crowd;
mod floor;
mod follower;
mod geometry;
mod grid;
mod grow;
mod host;
mod mesh;
mod path;
pub mod prelude;
mod region;
mod searches;
#[cfg(test)]
mod tests;

pub use bake::{Baked, BakedTile, TileBaker, with_index};
pub use block::{Block, Source};
#[cfg(feature = "bumpalo")]
pub use bump::region_in;
pub use crowd::{AgentMut, Crowd};
pub use floor::{BakedFloor, Floor, with_outlines};
pub use follower::Follower;
pub use geometry::Geometry;
pub use grid::{Grid, GridPath};
pub use host::{HostAllocator, HostBlock};
pub use mesh::NavMesh;
pub use navarena::error::{Error, ErrorKind, Result, Subject};
pub use path::{Path, PathOptions, RayHit};
pub use region::Region;

/// The examples of the project's front page are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
