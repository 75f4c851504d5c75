//! The 2D builder: a floor plan or a tile map becomes a navigation mesh, exactly, with no voxels and nothing to tune
//! (`build2d-tiles.md`; the geometry under it is `build2d-geometry.md`).
//!
//! A [`FloorBuilder`] is made in an arena from a [`FloorDef`]. [`begin`](FloorBuilder::begin) takes a [`FloorInput`] through
//! all stages but the last, and [`next_tile`](FloorBuilder::next_tile) hands out one tile at a time, ready to be staged on
//! a mesh. The stages, in their order:
//!
//! | stage | product | from |
//! |---|---|---|
//! | resolve: [`RegionBuilder`](crate::geometry::region::RegionBuilder) | the walkable region | geometry, "Outlines" |
//! | shrink, the same | where the agent's centre may be | geometry, "Shrinking for the build" |
//! | [`TileLines`] | the lines between tiles, on the snap grid | tiles, "Tile lines" |
//! | [`slice()`] | triangles, none across a line, tile by tile | tiles, "Slicing rule" |
//! | [`partition_tile`] | a tile's convex polygons | tiles, "Slicing rule", 5 |
//! | [`tile_data`] | [`TileData`](crate::mesh::TileData) | tiles, "Plane mapping" |
//!
//! The plane's x is the world's x, its y the world's z; the floor's height is a setting.

mod builder;
mod def;
mod input;
mod lines;
mod report;
mod slice;
mod tile;

#[cfg(test)]
mod tests;

pub use builder::FloorBuilder;
pub use def::{FloorDef, FloorLimits, finest_snap_bits, snap_grid_of};
pub use input::FloorInput;
pub use lines::{AxisLines, MAX_LINE_CROSSINGS, MAX_LINES, TileLines};
pub use report::{FloorReport, FloorStage};
pub use slice::{SlicedRegion, TileRun, slice};
pub use tile::{TilePolygons, partition_tile, tile_data};
