//! The arrangement: directed edges in, segments that never cross out
//! (`build2d-geometry.md`, "Arrangement: noding by snap rounding").

use super::GridPoint;
use crate::memory::{Pod, Zeroable};

/// A directed edge as an input of an arrangement.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Edge {
    /// Where it begins.
    pub a: GridPoint,
    /// Where it ends.
    pub b: GridPoint,
    /// How often it counts for each of the two operands.
    pub delta: [i32; 2],
}

/// A segment of an arrangement: it meets others only at its ends, and no vertex lies within it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Segment {
    /// The smaller end, an index among the vertices.
    pub a: u32,
    /// The larger end.
    pub b: u32,
    /// For each operand, how many input edges run from `a` to `b` less those that run from `b` to `a`; never both zero.
    pub delta: [i32; 2],
}

/// Vertices in (x, y) order, each the end of a segment, and the segments in the order of their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement<'a> {
    /// The ends of the segments.
    pub vertices: &'a [GridPoint],
    /// The segments, ordered by `a`, then `b`.
    pub segments: &'a [Segment],
}
