//! Height detail: each polygon triangulated so that it follows the floor rows below it (`build3d-polys.md`, section 4).

mod build;
mod edges;
mod heights;
mod samples;
mod triangulation;

use super::compact::Compact;
use super::local::TileCoordinates;
use super::polygons::PolyMesh;
use crate::error::Result;
use crate::memory::{Arena, Pod, Zeroable};

/// Where a polygon's detail lies in the shared arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DetailRange {
    /// Its first extra vertex.
    pub vertex_base: u32,
    /// Its first triangle.
    pub triangle_base: u32,
    /// How many extra vertices it has.
    pub vertex_count: u16,
    /// How many triangles it has.
    pub triangle_count: u16,
}

/// How closely the detail follows the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DetailSettings {
    /// Distance of height samples, world units; at most 0.9 cells turns them off.
    pub sample_distance: f64,
    /// How far the surface may stray from the samples, world units.
    pub max_error: f64,
    /// The highest step, in rows.
    pub walkable_climb: u32,
    /// The most extra vertices.
    pub max_vertices: usize,
    /// The most triangles.
    pub max_triangles: usize,
}

/// The height detail of every polygon.
#[derive(Debug)]
pub struct DetailMesh<'a> {
    /// One range a polygon.
    pub ranges: &'a mut [DetailRange],
    /// The extra vertices, tile-local, in order of creation.
    pub vertices: &'a mut [[f32; 3]],
    /// The triangles: three vertex indices (the polygon's own first, then its extra ones), and a byte whose bit `k` is
    /// set where edge `k` lies on the polygon's boundary.
    pub triangles: &'a mut [[u8; 4]],
    /// Polygons that would have needed more than 255 vertices.
    pub capped: u32,
    /// Samples below which no floor was found.
    pub samples_without_height: u32,
}

impl<'a> DetailMesh<'a> {
    /// Lays the detail of every polygon.
    ///
    /// `coordinates` must be those the polygons were made with, and their `min_row` the lowest vertex row. Takes the product
    /// from the arena's front; scratch is given back. Time is linear in samples, then for every vertex that refinement adds
    /// linear in the polygon's samples. Names the limit that ran out: detail vertices, detail triangles or memory.
    pub fn build(
        field: &Compact<'_>,
        mesh: &PolyMesh<'_>,
        coordinates: &TileCoordinates,
        settings: &DetailSettings,
        arena: &mut Arena<'a>,
    ) -> Result<Self> {
        let made = arena.scope(|desk| build::build(field, mesh, coordinates, settings, desk))?;
        Ok(DetailMesh {
            ranges: arena.take(made.ranges)?,
            vertices: arena.take(made.vertices)?,
            triangles: arena.take(made.triangles)?,
            capped: made.capped,
            samples_without_height: made.samples_without_height,
        })
    }
}

#[cfg(test)]
mod tests;
