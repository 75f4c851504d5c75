//! One layer's polygons in the form of a tile: vertices renumbered, neighbours found, portals marked
//! (`build3d-polys.md`, section 5).

use super::detail::DetailMesh;
use super::input::WALKABLE_AREA;
use super::local::TileCoordinates;
use super::polygons::PolyMesh;
use crate::error::{Error, Result, Subject};
use crate::memory::Arena;
use crate::mesh::{MAX_TILE_POLYGONS, MAX_TILE_VERTICES, MeshParams, NavSettings};
use crate::mesh::{TileData, TilePlace, TilePolygon, from_local_polygons};

/// What one layer's tile is made of.
pub(super) struct LayerParts<'p> {
    pub(super) polys: &'p PolyMesh<'p>,
    pub(super) detail: &'p DetailMesh<'p>,
    pub(super) coordinates: &'p TileCoordinates,
    pub(super) settings: &'p NavSettings,
    pub(super) params: &'p MeshParams,
    pub(super) place: TilePlace,
}

/// How much of a mesh one layer has.
#[derive(Default)]
struct Counts {
    vertices: usize,
    polygons: usize,
    edges: usize,
    detail_vertices: usize,
    detail_triangles: usize,
}

const UNUSED: u32 = u32::MAX;

impl LayerParts<'_> {
    /// The tile of the polygons that `is_here` names by region, at the arena's front; `None` where there are none.
    ///
    /// Vertices keep their order, those that no polygon uses are left out; polygons keep theirs.
    pub(super) fn tile<'a>(
        &self,
        is_here: impl Fn(u32) -> bool,
        arena: &mut Arena<'a>,
    ) -> Result<Option<TileData<'a>>> {
        let counts = arena.scope(|desk| self.renumber(&is_here, desk).map(|(counts, _)| counts))?;
        if counts.polygons == 0 {
            return Ok(None);
        }
        self.check(&counts)?;
        let vertices = arena.take::<[f32; 3]>(counts.vertices)?;
        let polygons = arena.take::<TilePolygon>(counts.polygons)?;
        let indices = arena.take::<u16>(counts.edges)?;
        let detail_vertices = arena.take::<[f32; 3]>(counts.detail_vertices)?;
        let detail_triangles = arena.take::<[u8; 4]>(counts.detail_triangles)?;
        arena.scope(|desk| {
            let (_, numbers) = self.renumber(&is_here, desk)?;
            self.write_vertices(numbers, vertices);
            self.write_polygons(&is_here, numbers, polygons, indices);
            self.write_detail(&is_here, detail_vertices, detail_triangles);
            Ok(())
        })?;
        let TilePlace { x, z, layer, origin_y } = self.place;
        let [origin_x, origin_z] = self.params.tile_origin(x, z);
        let tile = TileData {
            x,
            z,
            layer,
            origin: [origin_x, origin_y, origin_z],
            vertices,
            polygons,
            indices,
            neighbors: &[],
            portal_sides: &[],
            detail_vertices,
            detail_triangles,
            off_mesh: &[],
        };
        from_local_polygons(self.params, tile, arena).map(Some)
    }

    fn check(&self, counts: &Counts) -> Result<()> {
        let limits = [
            (counts.vertices, MAX_TILE_VERTICES, Subject::Vertices),
            (counts.polygons, MAX_TILE_POLYGONS, Subject::Polygons),
        ];
        for (count, bound, subject) in limits {
            if count > bound {
                return Err(Error::limit(subject).value(count as f64).bound(bound as f64));
            }
        }
        Ok(())
    }

    /// Counts the layer's share, and numbers the vertices it uses in their order.
    fn renumber<'a>(&self, is_here: &impl Fn(u32) -> bool, desk: &mut Arena<'a>) -> Result<(Counts, &'a mut [u32])> {
        let numbers = desk.take_back::<u32>(self.polys.vertices.len())?;
        numbers.fill(UNUSED);
        let mut counts = Counts::default();
        for (polygon, range) in self.polys.polygons.iter().zip(self.detail.ranges.iter()) {
            if is_here(polygon.region) {
                counts.polygons += 1;
                counts.edges += usize::from(polygon.count);
                counts.detail_vertices += usize::from(range.vertex_count);
                counts.detail_triangles += usize::from(range.triangle_count);
                for &vertex in self.polys.ring(polygon) {
                    numbers[vertex as usize] = 0;
                }
            }
        }
        for number in numbers.iter_mut().filter(|number| **number != UNUSED) {
            *number = counts.vertices as u32;
            counts.vertices += 1;
        }
        Ok((counts, numbers))
    }

    fn write_vertices(&self, numbers: &[u32], vertices: &mut [[f32; 3]]) {
        for (vertex, &number) in self.polys.vertices.iter().zip(numbers) {
            if number != UNUSED {
                let map = self.coordinates;
                vertices[number as usize] =
                    [map.local(vertex.x), map.local_y(f64::from(vertex.y)), map.local(vertex.z)];
            }
        }
    }

    fn write_polygons(
        &self,
        is_here: &impl Fn(u32) -> bool,
        numbers: &[u32],
        polygons: &mut [TilePolygon],
        indices: &mut [u16],
    ) {
        let (mut at, mut edge, mut detail_vertex, mut detail_triangle) = (0, 0, 0, 0);
        for (polygon, range) in self.polys.polygons.iter().zip(self.detail.ranges.iter()) {
            if !is_here(polygon.region) {
                continue;
            }
            for &vertex in self.polys.ring(polygon) {
                indices[edge] = numbers[vertex as usize] as u16;
                edge += 1;
            }
            let is_default = polygon.area == u16::from(WALKABLE_AREA);
            // The format wants all zeros of a polygon without detail.
            let has_detail = range.triangle_count > 0;
            polygons[at] = TilePolygon {
                detail_vertex_base: if has_detail { detail_vertex } else { 0 },
                detail_triangle_base: if has_detail { detail_triangle } else { 0 },
                detail_vertex_count: range.vertex_count,
                detail_triangle_count: range.triangle_count,
                flags: self.settings.flags,
                vertex_count: polygon.count as u8,
                area: if is_default { self.settings.area } else { polygon.area as u8 },
            };
            detail_vertex += u32::from(range.vertex_count);
            detail_triangle += u32::from(range.triangle_count);
            at += 1;
        }
    }

    fn write_detail(&self, is_here: &impl Fn(u32) -> bool, vertices: &mut [[f32; 3]], triangles: &mut [[u8; 4]]) {
        let (mut vertex, mut triangle) = (0, 0);
        for (polygon, range) in self.polys.polygons.iter().zip(self.detail.ranges.iter()) {
            if is_here(polygon.region) {
                let from = range.vertex_base as usize..range.vertex_base as usize + usize::from(range.vertex_count);
                vertices[vertex..vertex + from.len()].copy_from_slice(&self.detail.vertices[from.clone()]);
                vertex += from.len();
                let from =
                    range.triangle_base as usize..range.triangle_base as usize + usize::from(range.triangle_count);
                triangles[triangle..triangle + from.len()].copy_from_slice(&self.detail.triangles[from.clone()]);
                triangle += from.len();
            }
        }
    }
}
