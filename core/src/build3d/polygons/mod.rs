//! Polygons: contours cut into ears, welded at shared corners, and merged into convex polygons
//! (`build3d-polys.md`, section 3).

mod build;
mod contest;
mod ears;
mod merge;
mod walls;
mod weld;

use super::contours::Contours;
use super::local::TileCoordinates;
use crate::error::Result;
use crate::memory::{Arena, Pod, Zeroable};

/// A corner that polygons share.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct PolyVertex {
    /// Cell corner along x.
    pub x: i32,
    /// Cell corner along z.
    pub z: i32,
    /// Floor row.
    pub y: i32,
}

/// A convex polygon, counter-clockwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Polygon {
    /// Its first entry among the indices.
    pub first: u32,
    /// The region it lies in.
    pub region: u32,
    /// How many vertices it has, 3 to 16.
    pub count: u16,
    /// The region's area.
    pub area: u16,
}

/// How polygons are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolySettings {
    /// The most vertices of a polygon, 3 to 16.
    pub max_verts: u32,
    /// Where corners lie as the tile stores them; the polygons are convex in those positions too.
    pub coordinates: TileCoordinates,
    /// The most polygons.
    pub max_polygons: usize,
    /// The most welded vertices.
    pub max_vertices: usize,
}

/// The polygons of all contours, in contour order.
#[derive(Debug)]
pub struct PolyMesh<'a> {
    /// The welded corners, in order of first appearance.
    pub vertices: &'a mut [PolyVertex],
    /// The polygons.
    pub polygons: &'a mut [Polygon],
    /// The vertices of all polygons.
    pub indices: &'a mut [u32],
    /// Ears that were clipped although they were none.
    pub degenerate_ears: u32,
}

impl<'a> PolyMesh<'a> {
    /// Cuts contours into convex polygons.
    ///
    /// Takes the product from the arena's front; scratch is given back. Time is near `n log n` in a contour's vertices where
    /// few edges stand in the way of its ears, and quadratic where many do. Refuses `max_verts` outside 3 to 16, and names
    /// the limit that ran out: polygons, vertices or memory.
    pub fn build(contours: &Contours<'_>, settings: &PolySettings, arena: &mut Arena<'a>) -> Result<Self> {
        let made = arena.scope(|desk| build::build(contours, settings, desk))?;
        Ok(PolyMesh {
            vertices: arena.take(made.vertices)?,
            indices: arena.take(made.indices)?,
            polygons: arena.take(made.polygons)?,
            degenerate_ears: made.degenerate_ears,
        })
    }

    /// The vertex indices of one polygon.
    pub fn ring(&self, polygon: &Polygon) -> &[u32] {
        &self.indices[polygon.first as usize..polygon.first as usize + usize::from(polygon.count)]
    }

    /// The lowest and the highest vertex row; `None` without vertices.
    pub fn rows(&self) -> Option<(i32, i32)> {
        let rows = || self.vertices.iter().map(|vertex| vertex.y);
        Some((rows().min()?, rows().max()?))
    }
}

#[cfg(test)]
mod tests;
