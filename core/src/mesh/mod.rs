//! The tiled navigation mesh: tiles checked byte by byte, staged and committed all or nothing, linked across their sides.

pub mod reference;
pub mod settings;
pub mod view;

pub use reference::{PolyRef, TileRef};
pub use settings::{NavSettings, OffMeshLinkDef, Partition};
