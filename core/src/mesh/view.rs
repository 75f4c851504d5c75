//! How a loaded tile lies in memory: flat records that the query loops read.

use super::boxes::PolygonBox;
use super::reference::{PolyRef, TileRef};
use crate::memory::{Pod, Zeroable};

/// The neighbour of an edge that has none in its tile.
pub const NO_NEIGHBOR: u32 = u32::MAX;
/// The side of an edge that lies on no tile side.
pub const NO_SIDE: u8 = 255;
/// The way back over an edge without a neighbour, or one of several that two polygons share.
pub const NO_BACK: u8 = 16;

/// One polygon's record. Its edges are `edges[first_edge..][..edge_count]`, its links `links[first_link..][..link_count]`
/// of its tile.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Polygon {
    /// Index of the first edge in the tile's edges.
    pub first_edge: u32,
    /// Index of the first link in the tile's links.
    pub first_link: u32,
    /// Number of links.
    pub link_count: u32,
    /// First extra detail vertex in the tile's.
    pub detail_vertex_base: u32,
    /// First detail triangle in the tile's.
    pub detail_triangle_base: u32,
    /// Number of extra detail vertices.
    pub detail_vertex_count: u16,
    /// Number of detail triangles; 0 where the polygon has no detail.
    pub detail_triangle_count: u16,
    /// The polygon's 16 flag bits, as edited.
    pub flags: u16,
    /// The polygon's area, 0 to 63, as edited.
    pub area: u8,
    /// Number of edges, 3 to 16.
    pub edge_count: u8,
    /// A bit for each edge that has a neighbour in the tile. Derived of the edges, so that a search does not look at the others.
    pub joined: u16,
    /// A bit for each tile side that it has an edge on, derived likewise.
    pub sides: u8,
    /// [`HAS_SLIVERS`], [`IS_CRISP`] and [`IS_CLEAR`], where they hold. Derived of the tile's outlines and detail.
    pub shape: u8,
    /// Which part of the tile it lies in, of those that edges alone join. Derived likewise.
    pub part: u32,
}

/// A triangle of a polygon's height detail is so thin that rounding could put a place next to it into it. Else heights need
/// not look at every triangle closely.
pub const HAS_SLIVERS: u8 = 1;
/// A polygon's outline is clearly convex, so that a ray need not compare when it leaves each edge's line.
pub const IS_CRISP: u8 = 2;
/// It is crisp, and other polygons of its tile come near it only across edges that join them or round a corner that both
/// have, so that a walk over such polygons passes by none.
pub const IS_CLEAR: u8 = 4;

impl Polygon {
    /// Whether every edge has a neighbour in the tile.
    #[inline]
    pub const fn is_joined_all_round(&self) -> bool {
        self.joined.count_ones() == self.edge_count as u32
    }

    /// Whether it has [`IS_CRISP`].
    #[inline]
    pub const fn is_crisp(&self) -> bool {
        self.shape & IS_CRISP != 0
    }

    /// Whether it has [`IS_CLEAR`].
    #[inline]
    pub const fn is_clear(&self) -> bool {
        self.shape & IS_CLEAR != 0
    }

    /// Whether it has [`HAS_SLIVERS`].
    #[inline]
    pub const fn has_slivers(&self) -> bool {
        self.shape & HAS_SLIVERS != 0
    }
}

/// One polygon edge, from its vertex to the next edge's.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Edge {
    /// The polygon of the same tile across the edge, or [`NO_NEIGHBOR`].
    pub neighbor: u32,
    /// Index of the first vertex in the tile's vertices.
    pub vertex: u16,
    /// The tile side that the edge lies on (0 = +X, 1 = +Z, 2 = -X, 3 = -Z), or [`NO_SIDE`].
    pub side: u8,
    /// Which edge of the neighbour leads back, or [`NO_BACK`]. Derived, so that a search does not look for it.
    pub back: u8,
}

/// A link leaves a polygon through a portal of its tile's side.
pub const LINK_PORTAL: u8 = 0;
/// A link crosses an off-mesh link from its start to its end.
pub const LINK_OFF_MESH: u8 = 1;
/// A link crosses an off-mesh link from its end to its start.
pub const LINK_OFF_MESH_REVERSE: u8 = 2;
/// A link crosses a link staged on the mesh from its start to its end.
pub const LINK_STAGED: u8 = 3;
/// A link crosses a link staged on the mesh from its end to its start.
pub const LINK_STAGED_REVERSE: u8 = 4;
/// Added to the kind of an off-mesh link of either sort that is switched off: it stays attached but is not crossed. A search that
/// compares the whole kind passes it by.
pub const LINK_DISABLED: u8 = 0x80;

/// The bit of [`OffMeshSlot::bidirectional`] that says the link is crossed both ways.
pub const OFF_MESH_BOTH_WAYS: u8 = 1;
/// The bit of [`OffMeshSlot::bidirectional`] that says the link is switched off; it is never part of a tile's bytes.
pub const OFF_MESH_DISABLED: u8 = 2;

/// One link out of a polygon, in the order that `navmesh-format.md` ("Stitching") gives; behind those, the crossings of
/// the links staged on the mesh that start there by link slot and crossing, then those that are crossed backwards likewise.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Link {
    /// The polygon it leads to.
    pub target: PolyRef,
    /// For an off-mesh link: the slot of the tile that owns it. For a staged one: its own slot.
    pub owner_slot: u32,
    /// For an off-mesh link: its index in that tile. For a staged one: which of its crossings it is. For a portal link:
    /// the target polygon's edge.
    pub index: u32,
    /// For a portal link: the edge of the source polygon.
    pub edge: u8,
    /// [`LINK_PORTAL`], or [`LINK_OFF_MESH`], [`LINK_OFF_MESH_REVERSE`], [`LINK_STAGED`] or [`LINK_STAGED_REVERSE`], to
    /// which [`LINK_DISABLED`] is added when the link is switched off.
    pub kind: u8,
    /// For a portal link: where the shared part begins, in 1/255ths of the edge from its first vertex.
    pub range_min: u8,
    /// For a portal link: where the shared part ends.
    pub range_max: u8,
    /// Zero.
    pub reserved: u32,
}

/// One off-mesh link slot of a tile, as its bytes hold it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OffMeshSlot {
    /// The start, relative to the tile's origin.
    pub start: [f32; 3],
    /// The end, relative to the tile's origin.
    pub end: [f32; 3],
    /// How far a polygon may lie from an end to be attached to it.
    pub radius: f32,
    /// The caller's number.
    pub user_id: u32,
    /// The link's 16 flag bits.
    pub flags: u16,
    /// The link's area, 0 to 63.
    pub area: u8,
    /// [`OFF_MESH_BOTH_WAYS`] when it is crossed both ways, and [`OFF_MESH_DISABLED`] when it is switched off.
    pub bidirectional: u8,
}

/// One loaded tile, borrowed from its mesh. A hot loop fetches it once a tile, not once a polygon.
#[derive(Clone, Copy, Debug)]
pub struct TileView<'a> {
    /// Who the tile is.
    pub reference: TileRef,
    /// Its column in the tile grid.
    pub x: i32,
    /// Its row in the tile grid.
    pub z: i32,
    /// Its layer, 0 to 1023.
    pub layer: i32,
    /// Its world origin, to which all its coordinates are relative.
    pub origin: [f64; 3],
    /// The polygons.
    pub polygons: &'a [Polygon],
    /// All polygons' edges, one after the other.
    pub edges: &'a [Edge],
    /// The polygons' boxes, and boxes of those.
    pub boxes: &'a [PolygonBox],
    /// The vertices.
    pub vertices: &'a [[f32; 3]],
    /// The extra vertices of the height detail.
    pub detail_vertices: &'a [[f32; 3]],
    /// The triangles of the height detail: three corners and an edge-flag byte.
    pub detail_triangles: &'a [[u8; 4]],
    /// All polygons' links, one after the other.
    pub links: &'a [Link],
    /// The off-mesh link slots.
    pub off_mesh: &'a [OffMeshSlot],
}

impl<'a> TileView<'a> {
    /// A polygon's edges; none for an index out of range.
    #[inline]
    pub fn edges_of(&self, polygon: &Polygon) -> &'a [Edge] {
        let first = polygon.first_edge as usize;
        self.edges.get(first..first + polygon.edge_count as usize).unwrap_or(&[])
    }

    /// A polygon's links.
    #[inline]
    pub fn links_of(&self, polygon: &Polygon) -> &'a [Link] {
        let first = polygon.first_link as usize;
        self.links.get(first..first + polygon.link_count as usize).unwrap_or(&[])
    }

    /// A vertex in world coordinates: the float32 widened, then added to the tile's origin.
    #[inline]
    pub fn world(&self, vertex: u16) -> [f64; 3] {
        let [x, y, z] = self.vertices.get(vertex as usize).copied().unwrap_or_default();
        [self.origin[0] + f64::from(x), self.origin[1] + f64::from(y), self.origin[2] + f64::from(z)]
    }
}
