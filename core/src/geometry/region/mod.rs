//! Regions of the plane, exact on a snap grid: the floor of the 2D builder (`build2d-geometry.md`).
//!
//! Outlines of doubles are rounded once to a [`SnapGrid`]; from then on everything is integers. A [`Region`] is a set of
//! rings that never cross, with the interior on the left of every edge.

mod arrangement;
mod rings;
mod snap_grid;

pub use arrangement::{Arrangement, Edge, Segment};
pub use rings::{GridPoint, Region};
pub use snap_grid::{MAX_COORDINATE, MAX_SNAP_BITS, SnapGrid};
