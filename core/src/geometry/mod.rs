//! Plane geometry that never errs: exact signs, whatever the rounding, and regions of the plane on a snap grid.

pub mod convex;
mod expansion;
pub(crate) mod plane;
pub mod predicates;
pub mod region;
pub mod triangulation;
