//! Polygons: contours cut into ears, welded at shared corners, and merged into convex polygons
//! (`build3d-polys.md`, section 3).

use super::local::TileCoordinates;
use crate::memory::{Pod, Zeroable};

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

impl PolyMesh<'_> {
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
