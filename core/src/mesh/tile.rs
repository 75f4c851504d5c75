//! One tile's content in the form that its bytes have: what builders hand over (`navmesh-format.md`, "Tile contents and
//! rules").

use super::format;
use super::params::MeshParams;
use super::validate;
use super::view::{NO_NEIGHBOR, OFF_MESH_BOTH_WAYS, OFF_MESH_DISABLED, OffMeshSlot, TileView};
use crate::bytes::Writer;
use crate::error::{Result, Subject};
use crate::memory::{Arena, Pod, Zeroable};

/// Most vertices of a tile.
pub const MAX_TILE_VERTICES: usize = 65_536;
/// Most polygons of a tile.
pub const MAX_TILE_POLYGONS: usize = 1_048_575;
/// The highest layer.
pub const MAX_LAYER: i32 = 1023;
/// The highest area.
pub const MAX_AREA: u8 = 63;
/// The portal side of an edge that is none.
pub const NO_PORTAL: u8 = 255;

/// One polygon's record, as a tile's bytes hold it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TilePolygon {
    /// First extra detail vertex.
    pub detail_vertex_base: u32,
    /// First detail triangle.
    pub detail_triangle_base: u32,
    /// Number of extra detail vertices.
    pub detail_vertex_count: u16,
    /// Number of detail triangles.
    pub detail_triangle_count: u16,
    /// 16 flag bits, opaque to the format.
    pub flags: u16,
    /// Number of vertices, 3 to the parameters' maximum.
    pub vertex_count: u8,
    /// Area, 0 to 63.
    pub area: u8,
}

/// A tile as its builder hands it over: everything borrowed, laid out as the tile's bytes are.
///
/// Edge `i` of a polygon runs from its vertex `i` to the next, cyclically; `indices`, `neighbors` and `portal_sides`
/// hold all polygons' edges, one polygon after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileData<'a> {
    /// Column in the tile grid.
    pub x: i32,
    /// Row in the tile grid.
    pub z: i32,
    /// Layer, 0 to 1023.
    pub layer: i32,
    /// World origin; x and z are the grid's ([`MeshParams::tile_origin`]), y is free.
    pub origin: [f64; 3],
    /// Vertices relative to the origin.
    pub vertices: &'a [[f32; 3]],
    /// One record a polygon.
    pub polygons: &'a [TilePolygon],
    /// Vertex numbers.
    pub indices: &'a [u16],
    /// Per edge: 0 for a wall or portal, `k` for polygon `k - 1` of this tile.
    pub neighbors: &'a [i32],
    /// Per edge: the tile side it lies on (0 = +X, 1 = +Z, 2 = -X, 3 = -Z), or [`NO_PORTAL`].
    pub portal_sides: &'a [u8],
    /// Extra vertices of the height detail.
    pub detail_vertices: &'a [[f32; 3]],
    /// Triangles of the height detail: three corners and an edge-flag byte.
    pub detail_triangles: &'a [[u8; 4]],
    /// Off-mesh link slots.
    pub off_mesh: &'a [OffMeshSlot],
}

impl TileData<'_> {
    /// How many bytes the tile takes; `usize::MAX` where that overflows.
    pub fn byte_size(&self) -> usize {
        self.counts().byte_size()
    }

    /// Writes the tile's bytes (`ONPT`) and returns how many. The content is not judged: see
    /// [`validate`](TileData::validate).
    ///
    /// # Errors
    /// A capacity error naming the tile bytes when `out` is too short; a format error when the arrays' lengths do not
    /// fit one another or the format's counts.
    pub fn write(&self, params: &MeshParams, out: &mut [u8]) -> Result<usize> {
        validate::lengths(self)?;
        let mut writer = Writer::new(out);
        format::write_tile(self, &params.fingerprint(), &mut writer);
        writer.finish(Subject::TileBytes)
    }

    /// Checks every rule of the page; the first that is broken is named with its polygon and edge, or its array.
    /// `arena` lends four bytes a polygon for the time of the call.
    pub fn validate(&self, params: &MeshParams, arena: &mut Arena<'_>) -> Result<()> {
        validate::lengths(self)?;
        arena.scope(|desk| validate::tile(self, params, desk.take_back(self.polygons.len())?))
    }
}

/// How many elements each array of a tile has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TileCounts {
    /// Vertices.
    pub vertices: usize,
    /// Polygons.
    pub polygons: usize,
    /// Edges, which are vertex numbers too.
    pub edges: usize,
    /// Extra detail vertices.
    pub detail_vertices: usize,
    /// Detail triangles.
    pub detail_triangles: usize,
    /// Off-mesh link slots.
    pub off_mesh: usize,
}

impl TileCounts {
    /// How many bytes a tile of these counts takes; `usize::MAX` where that overflows.
    pub(super) fn byte_size(&self) -> usize {
        let arrays = [
            (self.vertices, 12),
            (self.polygons, 16),
            (self.edges, 7),
            (self.detail_vertices, 12),
            (self.detail_triangles, 4),
            (self.off_mesh, 36),
        ];
        arrays.iter().fold(format::TILE_HEADER, |sum, &(count, size)| sum.saturating_add(count.saturating_mul(size)))
    }
}

/// Where a tile stands.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct TileHeader {
    pub origin: [f64; 3],
    pub x: i32,
    pub z: i32,
    pub layer: i32,
    /// Number of portal edges, once the tile is stored.
    pub portals: u32,
    /// A bit for each tile side that has edges on it, once the tile is stored.
    pub sides: u32,
    /// Those of them behind which no tile is loaded, once the tile is stitched.
    pub open_sides: u32,
    /// Number of parts that edges alone join, once the tile is stored.
    pub parts: u32,
    pub reserved: u32,
}

/// A tile's content, one element at a time, whatever form holds it: bytes, a builder's arrays, a mesh's pools.
///
/// The validator, the writer and the stitcher are written once over it. An index out of range may give any element,
/// and never panics.
pub(super) trait TileSource {
    fn header(&self) -> TileHeader;
    fn counts(&self) -> TileCounts;
    fn vertex(&self, i: usize) -> [f32; 3];
    fn polygon(&self, i: usize) -> TilePolygon;
    /// How many vertices a polygon has; 0 past the last.
    fn vertex_count(&self, polygon: usize) -> usize;
    fn index(&self, edge: usize) -> u16;
    fn neighbor(&self, edge: usize) -> i32;
    fn side(&self, edge: usize) -> u8;
    /// The first edge at or after `from` that lies on a tile side.
    fn next_portal(&self, from: usize) -> Option<usize>;
    fn detail_vertex(&self, i: usize) -> [f32; 3];
    fn detail_triangle(&self, i: usize) -> [u8; 4];
    /// `bidirectional` holds the whole flag byte.
    fn off_mesh(&self, i: usize) -> OffMeshSlot;
    /// Whether an off-mesh link is switched off, where switches are known.
    fn is_disabled(&self, _off_mesh: usize) -> bool {
        false
    }
}

/// The index of the first element at or after `from` that is wanted.
pub(super) fn position_from<T>(items: &[T], from: usize, wanted: impl Fn(&T) -> bool) -> Option<usize> {
    Some(from + items.get(from..)?.iter().position(wanted)?)
}

fn at<T: Copy + Default>(items: &[T], i: usize) -> T {
    items.get(i).copied().unwrap_or_default()
}

impl TileSource for TileData<'_> {
    fn header(&self) -> TileHeader {
        TileHeader { origin: self.origin, x: self.x, z: self.z, layer: self.layer, ..TileHeader::default() }
    }
    fn counts(&self) -> TileCounts {
        TileCounts {
            vertices: self.vertices.len(),
            polygons: self.polygons.len(),
            edges: self.indices.len(),
            detail_vertices: self.detail_vertices.len(),
            detail_triangles: self.detail_triangles.len(),
            off_mesh: self.off_mesh.len(),
        }
    }
    fn vertex(&self, i: usize) -> [f32; 3] {
        at(self.vertices, i)
    }
    fn polygon(&self, i: usize) -> TilePolygon {
        at(self.polygons, i)
    }
    fn vertex_count(&self, polygon: usize) -> usize {
        at(self.polygons, polygon).vertex_count.into()
    }
    fn index(&self, edge: usize) -> u16 {
        at(self.indices, edge)
    }
    fn neighbor(&self, edge: usize) -> i32 {
        at(self.neighbors, edge)
    }
    fn side(&self, edge: usize) -> u8 {
        at(self.portal_sides, edge)
    }
    fn next_portal(&self, from: usize) -> Option<usize> {
        position_from(self.portal_sides, from, |&side| side != NO_PORTAL)
    }
    fn detail_vertex(&self, i: usize) -> [f32; 3] {
        at(self.detail_vertices, i)
    }
    fn detail_triangle(&self, i: usize) -> [u8; 4] {
        at(self.detail_triangles, i)
    }
    fn off_mesh(&self, i: usize) -> OffMeshSlot {
        at(self.off_mesh, i)
    }
}

impl TileSource for TileView<'_> {
    fn header(&self) -> TileHeader {
        TileHeader { origin: self.origin, x: self.x, z: self.z, layer: self.layer, ..TileHeader::default() }
    }
    fn counts(&self) -> TileCounts {
        TileCounts {
            vertices: self.vertices.len(),
            polygons: self.polygons.len(),
            edges: self.edges.len(),
            detail_vertices: self.detail_vertices.len(),
            detail_triangles: self.detail_triangles.len(),
            off_mesh: self.off_mesh.len(),
        }
    }
    fn vertex(&self, i: usize) -> [f32; 3] {
        at(self.vertices, i)
    }
    fn polygon(&self, i: usize) -> TilePolygon {
        let polygon = at(self.polygons, i);
        TilePolygon {
            detail_vertex_base: polygon.detail_vertex_base,
            detail_triangle_base: polygon.detail_triangle_base,
            detail_vertex_count: polygon.detail_vertex_count,
            detail_triangle_count: polygon.detail_triangle_count,
            flags: polygon.flags,
            vertex_count: polygon.edge_count,
            area: polygon.area,
        }
    }
    fn vertex_count(&self, polygon: usize) -> usize {
        self.polygons.get(polygon).map_or(0, |polygon| polygon.edge_count.into())
    }
    fn index(&self, edge: usize) -> u16 {
        at(self.edges, edge).vertex
    }
    fn neighbor(&self, edge: usize) -> i32 {
        match at(self.edges, edge).neighbor {
            NO_NEIGHBOR => 0,
            polygon => polygon as i32 + 1,
        }
    }
    fn side(&self, edge: usize) -> u8 {
        at(self.edges, edge).side
    }
    fn next_portal(&self, from: usize) -> Option<usize> {
        position_from(self.edges, from, |edge| edge.side != NO_PORTAL)
    }
    fn detail_vertex(&self, i: usize) -> [f32; 3] {
        at(self.detail_vertices, i)
    }
    fn detail_triangle(&self, i: usize) -> [u8; 4] {
        at(self.detail_triangles, i)
    }
    fn off_mesh(&self, i: usize) -> OffMeshSlot {
        let slot = at(self.off_mesh, i);
        OffMeshSlot { bidirectional: slot.bidirectional & OFF_MESH_BOTH_WAYS, ..slot }
    }
    fn is_disabled(&self, off_mesh: usize) -> bool {
        at(self.off_mesh, off_mesh).bidirectional & OFF_MESH_DISABLED != 0
    }
}
