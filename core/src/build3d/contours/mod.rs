//! Contours: the outlines of the regions, simplified, with their holes joined to them (`build3d-regions.md`, section 6).

pub(crate) mod ring;

mod build;
mod holes;
mod simplify;
mod trace;

use super::compact::Compact;
use crate::error::Result;
use crate::memory::{Arena, Pod, Zeroable};

/// The neighbour of an edge that is a wall.
pub const WALL: i32 = 0;
/// The neighbour of an edge on the grid's side.
pub const TILE_BORDER: i32 = -1;

/// A corner of a contour, and what lies beyond the edge from it to the next one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ContourVertex {
    /// Cell corner along x.
    pub x: i32,
    /// Cell corner along z.
    pub z: i32,
    /// The highest floor row around the corner.
    pub y: i32,
    /// The region across the edge to the next vertex, [`WALL`], [`TILE_BORDER`], or the contour's own region for a
    /// bridge to a hole.
    pub neighbor: i32,
}

/// One closed outline, counter-clockwise seen with x to the right and z up.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Contour {
    /// The region it outlines.
    pub region: u32,
    /// The region's area.
    pub area: u32,
    /// Its first vertex.
    pub first: u32,
    /// How many vertices it has, at least 3.
    pub count: u32,
}

/// How contours are simplified.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ContourSettings {
    /// How far a wall may stray from its cells, in cells, 0 or more.
    pub max_error: f64,
    /// Longer wall edges are split, in cells; 0 never splits.
    pub max_edge_length: u32,
    /// Whether a border between two regions of one area becomes a single chord.
    pub straight_region_borders: bool,
    /// The region of the band around a tile; 0 where there is none. It gets no contours of its own.
    pub border_region: u32,
    /// Whether the loops are kept as they were traced, for tests and pictures.
    pub keep_raw: bool,
    /// The most contours.
    pub max_contours: usize,
    /// The most vertices of all contours together.
    pub max_vertices: usize,
}

impl ContourSettings {
    /// The usual error and edge length, and no limit but memory.
    pub const DEFAULT: ContourSettings = ContourSettings {
        max_error: 1.3,
        max_edge_length: 12,
        straight_region_borders: true,
        border_region: 0,
        keep_raw: false,
        max_contours: u32::MAX as usize,
        max_vertices: u32::MAX as usize,
    };
}

impl Default for ContourSettings {
    fn default() -> Self {
        ContourSettings::DEFAULT
    }
}

/// A loop as it was traced.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RawLoop {
    /// The region it goes around.
    pub region: u32,
    /// Its first vertex among the raw ones.
    pub first: u32,
    /// How many vertices it has.
    pub count: u32,
    /// The contour it became, or whose hole it is; `u32::MAX` for a hole that no outline contains.
    pub contour: u32,
}

/// The contours of all regions, by region and then in order of discovery.
#[derive(Debug)]
pub struct Contours<'a> {
    /// The contours.
    pub contours: &'a mut [Contour],
    /// Their vertices.
    pub vertices: &'a mut [ContourVertex],
    /// The loops as traced, in order of discovery, when they were asked for.
    pub raw_loops: &'a mut [RawLoop],
    /// Their vertices.
    pub raw_vertices: &'a mut [ContourVertex],
    /// Loops that simplification gave up on.
    pub raw_fallbacks: u32,
    /// Holes that could not be joined to an outline.
    pub dropped_holes: u32,
}

impl<'a> Contours<'a> {
    /// Traces, simplifies and joins the outlines of a field whose regions are assigned and whose links are mutual.
    ///
    /// Takes the product from the arena's front; scratch is given back. Time is linear in spans, then per loop near `n log
    /// n` in its vertices, and holes times outline vertices where there are holes. Refuses with the limit that ran out:
    /// contours, contour vertices or memory.
    pub fn build(field: &Compact<'_>, settings: &ContourSettings, arena: &mut Arena<'a>) -> Result<Self> {
        let made = arena.scope(|desk| build::build(field, settings, desk))?;
        Ok(Contours {
            raw_vertices: arena.take(made.raw_vertices)?,
            raw_loops: arena.take(made.raw_loops)?,
            contours: arena.take(made.contours)?,
            vertices: arena.take(made.vertices)?,
            raw_fallbacks: made.raw_fallbacks,
            dropped_holes: made.dropped_holes,
        })
    }

    /// The vertices of one contour.
    pub fn ring(&self, contour: &Contour) -> &[ContourVertex] {
        &self.vertices[contour.first as usize..(contour.first + contour.count) as usize]
    }
}

#[cfg(test)]
mod tests;
