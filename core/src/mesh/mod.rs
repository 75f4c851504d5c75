//! The tiled navigation mesh: tiles checked byte by byte, staged and committed all or nothing, linked across their sides.

pub mod view;

mod areas;
mod assemble;
mod attach;
mod authoring;
pub(crate) mod boxes;
mod clear;
mod commit;
pub(crate) mod crisp;
pub mod debug;
mod def;
mod drawing;
mod edits;
mod envelope;
mod format;
pub(crate) mod ground;
mod islands;
mod library;
mod nav_mesh;
mod off_mesh;
mod params;
mod places;
mod pools;
pub mod reference;
mod restore;
mod save;
pub mod settings;
mod snapshot;
mod stage;
mod stitch;
pub(crate) mod surface;
mod tile;
mod validate;
mod work;

pub use assemble::{TilePlace, WorldPolygons, from_local_polygons, from_polygons};
pub(crate) use authoring::Column as LinkColumn;
pub use authoring::bake_links;
pub use boxes::PolygonBox;
pub use def::{MeshDef, MeshLimits, PortalRule, Tier};
pub use envelope::NavFile;
pub(crate) use format::OFF_MESH_BYTES;
pub use library::{ContentId, LibraryTile, TileLibrary};
pub use nav_mesh::{MAX_SLOTS, NavMesh};
pub use off_mesh::{AnyLink, LinkCrossing, LinkDef, LinkId, LinkState, link_kind};
pub use off_mesh::{LINK_KINDS, MAX_LINK_COST, MAX_LINK_CROSSINGS, MAX_LINK_RADIUS, MAX_LINK_WIDTH, MAX_LINKS};
pub use params::{FORMAT_VERSION, Fingerprint, MAX_TILE_CELLS, MeshParams, PARAMS_BYTES, WORLD_BOUND};
pub use reference::{PolyRef, TileRef};
pub use save::SavedMesh;
pub use settings::{NavSettings, OffMeshLinkDef, Partition};
pub use snapshot::{SavedSnapshot, SnapshotMode};
pub use tile::{MAX_AREA, MAX_LAYER, MAX_TILE_POLYGONS, MAX_TILE_VERTICES, NO_PORTAL};
pub use tile::{TileCounts, TileData, TilePolygon};

#[cfg(test)]
mod tests;
