//! The 3D builder: triangles in, one tile's bytes out, stage by stage, each stage public with its product.
//!
//! A [`Baker`] is made in an arena from a [`BakeDef`] and bakes one tile a call; what it reads is a [`BakeInput`].
//! The stages, in their order, each a file of its own:
//!
//! | stage | product | from |
//! |---|---|---|
//! | [`rasterize`], [`voxel_chunk`] | [`heightfield::Heightfield`]: solid spans | `build3d-spans.md`, 2 to 5 |
//! | [`filters`] | the same, fewer of them walkable | 6 |
//! | [`compact`] | [`compact::Compact`]: open spans above floors, linked | 7 |
//! | [`erosion`], [`volumes`] | the same, areas changed | 8, 9 |
//! | [`regions`] | a region for every walkable span | `build3d-regions.md`, 1 to 5 |
//! | [`contours`] | [`contours::Contours`]: simplified outlines | 6 |
//! | [`polygons`] | [`polygons::PolyMesh`]: convex polygons | `build3d-polys.md`, 3 |
//! | [`detail`] | [`detail::DetailMesh`]: heights inside polygons | 4 |
//! | the tile | [`TileData`](crate::mesh::TileData) and its bytes | 5 |

pub mod compact;
pub mod contours;
pub mod detail;
pub mod erosion;
pub mod filters;
pub mod frame;
pub mod heightfield;
pub mod local;
pub mod polygons;
pub mod rasterize;
pub mod regions;
pub mod volumes;
pub mod voxel_chunk;

mod baker;
mod cells;
mod finished;
mod input;
mod layer_field;
mod layer_tile;
mod piece;
mod report;
mod selection;
mod tile_bake;
mod tile_index;

#[cfg(test)]
mod baker_tests;
#[cfg(test)]
pub(crate) mod oracle;
#[cfg(test)]
mod raster_tests;
#[cfg(test)]
mod stage_tests;
#[cfg(test)]
pub(crate) mod test_fields;

pub use baker::{BakeDef, BakeLimits, Baker};
pub use cells::BakeCells;
pub use input::{BakeInput, MAX_COORDINATE, MAX_TERRAIN_SIDE, MAX_TILES, MAX_TRIANGLES};
pub use input::{Terrain, TileRange, TriangleMesh, Volume, VolumeKind, Voxels, WALKABLE_AREA};
pub use layer_field::layer_field;
pub use regions::filter::IslandRule;
pub use report::{BakeReport, BakeStage};
pub use tile_index::TileIndex;
