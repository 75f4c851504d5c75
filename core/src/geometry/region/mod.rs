//! Regions of the plane, exact on a snap grid: the floor of the 2D builder (`build2d-geometry.md`).
//!
//! Outlines of doubles are rounded once to a [`SnapGrid`]; from then on everything is integers. A [`Region`] is a set of
//! rings that never cross, with the interior on the left of every edge. A [`RegionBuilder`] makes regions of outlines and
//! of one another; its stages are public too: [`arrange`] nodes edges, [`label`] gives winding numbers, [`trace`] rings.

mod arrangement;
mod builder;
mod cells;
mod circle;
mod def;
pub(super) mod exact;
mod offset;
mod rings;
mod shrink;
mod snap_grid;
#[cfg(test)]
pub(crate) mod tests;
mod tile_map;
mod trace;
mod winding;

pub(crate) use arrangement::arrange_filled;
pub(super) use arrangement::check_bounds;
pub use arrangement::{Arrangement, Edge, Segment, arrange};
pub(crate) use builder::push_region;
pub use builder::{Operation, Outline, RegionBuilder};
pub use def::{RegionDef, RegionReport};
pub use offset::Join;
pub use rings::{GridPoint, Region};
pub use snap_grid::{MAX_COORDINATE, MAX_SNAP_BITS, SnapGrid};
pub use tile_map::{TileCells, TileMap};
pub use trace::trace;
pub use winding::label;
