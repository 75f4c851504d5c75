//! What can be drawn of meshes and searches, as plain vertices and indices in a caller's buffer (`maul-nav/debug.md`;
//! `maul-nav/types.md`, "debug").
//!
//! Nothing here draws. A [`DebugBuffer`] stands over the caller's slices; what has something to show appends to it:
//! [`NavMesh::debug_tiles`](crate::mesh::NavMesh::debug_tiles), [`Query::debug_path`](crate::query::Query::debug_path)
//! and others. A full buffer keeps what came first and still counts what the whole needs, so that a caller can draw what
//! there is, or make room and ask again.
//!
//! ```
//! use navarena::debug::{DebugBuffer, DebugKind, DebugVertex};
//!
//! let (mut vertices, mut triangles, mut lines) = ([DebugVertex::default(); 4], [[0; 3]; 2], [[0; 2]; 4]);
//! let mut buffer = DebugBuffer::over([100.0, 0.0, 0.0], &mut vertices, &mut triangles, &mut lines)?;
//! buffer.polyline(DebugKind::Path, 1.0, [[101.0, 0.0, 0.0], [102.0, 0.0, 0.0], [103.0, 0.0, 2.0]]);
//! assert_eq!(buffer.lines(), [[0, 1], [1, 2]]);
//! assert_eq!(buffer.vertices()[2].position, [3.0, 0.0, 2.0]);
//! buffer.polyline(DebugKind::Path, 2.0, [[0.0; 3]; 3]);
//! assert!(buffer.is_full());
//! assert_eq!((buffer.vertices().len(), buffer.needed().vertices), (4, 6));
//! # Ok::<(), navarena::error::Error>(())
//! ```

mod buffer;

pub use buffer::{DebugBuffer, DebugKind, DebugNeeds, DebugVertex};
