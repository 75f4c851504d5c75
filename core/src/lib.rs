//! Navigation without a heap: level geometry in, a navigation mesh out, a path across it, in memory the caller hands
//! over and with the same bits on every machine.
//!
//! ```
//! use navarena::build3d::{BakeDef, BakeInput, BakeLimits, Baker, TriangleMesh, rasterize::Vertices};
//! use navarena::memory::{Arena, Grain};
//! use navarena::mesh::{MeshDef, MeshLimits, NavMesh};
//! use navarena::query::{Filter, Query, QueryDef};
//!
//! const BAKE: BakeDef = BakeDef { limits: BakeLimits { bytes: 1 << 20, ..BakeLimits::DEFAULT }, ..BakeDef::HUMANOID };
//! const LIMITS: MeshLimits = MeshLimits { tiles: 1, staged: 1, ..MeshLimits::DEFAULT };
//! const MESH: MeshDef = MeshDef { limits: LIMITS, ..MeshDef::HUMANOID };
//! const QUERY: QueryDef = QueryDef { nodes: 64, ..QueryDef::DEFAULT };
//! const BYTES: usize = BAKE.plan().bytes + MESH.plan().bytes + QUERY.plan().bytes;
//!
//! let mut region = vec![Grain::ZERO; BYTES / size_of::<Grain>()]; // on a microcontroller a static `Memory<BYTES>`
//! let mut arena = Arena::new(&mut region);
//! let mut baker = Baker::new(&BAKE, &mut arena)?;
//! let mut mesh = NavMesh::new(&MESH, &mut arena)?;
//! let mut query = Query::new(&QUERY, &mut arena)?;
//!
//! let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 40.0], [40.0, 0.0, 0.0], [40.0, 0.0, 40.0]];
//! let triangles = [[0, 1, 2], [2, 1, 3]];
//! let meshes = [TriangleMesh { vertices: Vertices::Double(&floor), triangles: &triangles, areas: None }];
//! baker.bake_tile(&BakeInput { meshes: &meshes, ..BakeInput::default() }, 0, 0)?;
//! for tile in baker.tiles() {
//!     mesh.stage_tile(tile)?;
//! }
//! mesh.commit()?;
//!
//! let found = query.find_path(&mesh, [3.0, 0.0, 3.0], [36.0, 0.0, 36.0], &Filter::ALL)?;
//! assert!(found.has_path());
//! assert_eq!(query.path().points().len(), 2);
//! # Ok::<(), navarena::error::Error>(())
//! ```
//!
//! # The floors
//! Each module stands on those above it alone, and is useful alone.
//!
//! | floor | modules |
//! |---|---|
//! | 0 | [`memory`]: regions, arenas, plans, pools · [`math`]: roots, rounding, series, seeded numbers · [`hash`] · [`error`] |
//! | 1 | [`geometry`]: exact signs · [`bytes`]: reading what may be hostile, writing · [`debug`]: what can be drawn |
//! | 2 | [`search`]: open sets, nodes, and A* over any world |
//! | 3 | [`mesh`]: tiles checked, staged, committed, linked and saved · [`grid`]: cells, edits, agents and their searches · [`avoidance`]: agents that pass each other |
//! | 4 | [`build2d`]: floor plans and tile maps into tiles, exactly · [`build3d`]: triangles, terrains and voxels into tiles · [`query`]: nearest polygon, path, straight path · [`corridor`]: the way still ahead, trimmed and repaired |
//! | 5 | [`follower`]: an agent that walks a corridor · [`crowd`]: agents that walk a mesh, pass each other and roll back |
//!
//! A mesh does not know who built it, a query does not know a builder, and nothing here knows a heap: every object is
//! made in an [`Arena`](memory::Arena) from a def that states its limits and, with `plan()`, its bytes. Objects never
//! hold one another; the mesh is an argument of every query.
//!
//! # What holds everywhere
//! - The same input gives the same bits: IEEE `+ - * /` and square root in the written order, and no clock, hash order
//!   or pointer in any result.
//! - Nothing panics and nothing loops without bound, whatever the input: a refusal is an [`Error`](error::Error) that
//!   names what was refused, and the object goes on.
//! - No heap, and no unsafe code but the hardware's square root.
#![no_std]
#![deny(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod avoidance;
pub mod build2d;
pub mod build3d;
pub mod bytes;
pub mod corridor;
pub mod crowd;
pub mod debug;
pub mod error;
pub mod follower;
pub mod geometry;
pub mod grid;
pub mod hash;
pub mod math;
pub mod memory;
pub mod mesh;
pub mod query;
pub mod search;
