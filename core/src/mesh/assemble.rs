//! From a builder's polygons to tile data: neighbours found, portals marked, and for polygons in world coordinates the
//! conversion to the tile's own floats (`navmesh-format.md`, "Hand-over from builders"; `build3d-polys.md`, section 5).

use super::params::MeshParams;
use super::tile::{MAX_TILE_VERTICES, NO_PORTAL, TileData, TilePolygon};
use crate::error::{Error, Result, Subject};
use crate::math::vector;
use crate::memory::{Arena, Pod, Zeroable};

/// A tile's polygons in world coordinates, cut to the tile and sharing vertices by number: what a 2D build hands over.
#[derive(Clone, Copy, Debug)]
pub struct WorldPolygons<'p> {
    /// World positions.
    pub vertices: &'p [[f64; 3]],
    /// Vertices of each polygon.
    pub counts: &'p [u8],
    /// Vertex numbers, one polygon after the other.
    pub indices: &'p [u16],
    /// Each polygon's area; empty for 0.
    pub areas: &'p [u8],
    /// Each polygon's flags; empty for `default_flags`.
    pub flags: &'p [u16],
    /// The flags of polygons that have none of their own.
    pub default_flags: u16,
}

/// Where a tile stands and how high its origin is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TilePlace {
    /// Column in the tile grid.
    pub x: i32,
    /// Row in the tile grid.
    pub z: i32,
    /// Layer.
    pub layer: i32,
    /// World height of the tile's origin.
    pub origin_y: f64,
}

/// Finds neighbours and marks portals for polygons that are in the tile's own floats already. `neighbors` and
/// `portal_sides` of `tile` are ignored and made anew, at the front of `arena`.
///
/// Two polygons that share an edge in opposite directions, and are the only ones that have it, are neighbours. A wall
/// edge whose two vertices lie to the bit on 0 or on the far side is a portal. The result is not judged: see
/// [`TileData::validate`].
///
/// # Errors
/// Capacity of the arena, which also lends 12 bytes an edge for the time of the call. Vertex numbers out of range are
/// left to the validator.
pub fn from_local_polygons<'a>(params: &MeshParams, tile: TileData<'a>, arena: &mut Arena<'a>) -> Result<TileData<'a>> {
    let neighbors = arena.take_zeroed::<i32>(tile.indices.len())?;
    let sides = arena.take::<u8>(tile.indices.len())?;
    sides.fill(NO_PORTAL);
    arena.scope(|desk| find_neighbors(tile.polygons, tile.indices, neighbors, desk))?;
    mark_portals(params.far_side(), &tile, neighbors, sides);
    Ok(TileData { neighbors, portal_sides: sides, ..tile })
}

/// Turns world polygons into tile data: positions become the tile's floats, those within 1/1024 of a cell of a side are
/// put onto it, clockwise polygons are reversed; then as [`from_local_polygons`]. There is no detail.
///
/// # Errors
/// A format error for arrays that do not fit one another or a number out of range; capacity of the arena.
pub fn from_polygons<'a>(
    params: &MeshParams,
    place: TilePlace,
    polygons: &WorldPolygons<'_>,
    arena: &mut Arena<'a>,
) -> Result<TileData<'a>> {
    check(polygons)?;
    let [x, z] = params.tile_origin(place.x, place.z);
    let origin = [x, place.origin_y, z];
    let vertices = arena.take::<[f32; 3]>(polygons.vertices.len())?;
    for (local, world) in vertices.iter_mut().zip(polygons.vertices) {
        let apart: [f64; 3] = vector(|axis| world[axis] - origin[axis]);
        *local = [snapped(params, apart[0]), apart[1] as f32, snapped(params, apart[2])];
    }
    let records = arena.take::<TilePolygon>(polygons.counts.len())?;
    let indices = arena.take::<u16>(polygons.indices.len())?;
    indices.copy_from_slice(polygons.indices);
    let mut rest = &mut *indices;
    for (p, record) in records.iter_mut().enumerate() {
        let (ring, after) = rest.split_at_mut(polygons.counts[p].into());
        if is_clockwise(ring, vertices) {
            ring.reverse();
        }
        rest = after;
        *record = TilePolygon {
            vertex_count: polygons.counts[p],
            area: polygons.areas.get(p).copied().unwrap_or(0),
            flags: polygons.flags.get(p).copied().unwrap_or(polygons.default_flags),
            ..TilePolygon::default()
        };
    }
    let tile = TileData {
        x: place.x,
        z: place.z,
        layer: place.layer,
        origin,
        vertices,
        polygons: records,
        indices,
        neighbors: &[],
        portal_sides: &[],
        detail_vertices: &[],
        detail_triangles: &[],
        off_mesh: &[],
    };
    from_local_polygons(params, tile, arena)
}

fn check(polygons: &WorldPolygons<'_>) -> Result<()> {
    let count = polygons.vertices.len();
    if count > MAX_TILE_VERTICES {
        return Err(Error::format(Subject::Vertices).value(count as f64).bound(MAX_TILE_VERTICES as f64));
    }
    let edges = polygons.counts.iter().map(|&n| usize::from(n)).sum::<usize>();
    if edges != polygons.indices.len() {
        return Err(Error::format(Subject::Edges).value(polygons.indices.len() as f64).bound(edges as f64));
    }
    let lists = [(polygons.areas.len(), Subject::Area), (polygons.flags.len(), Subject::Flags)];
    if let Some((len, subject)) = lists.into_iter().find(|&(len, _)| len != 0 && len != polygons.counts.len()) {
        return Err(Error::format(subject).value(len as f64).bound(polygons.counts.len() as f64));
    }
    match polygons.indices.iter().position(|&index| usize::from(index) >= count) {
        Some(i) => Err(Error::format(Subject::Index).at(i).value(polygons.indices[i].into()).bound(count as f64)),
        None => Ok(()),
    }
}

/// A coordinate as float, on the tile's side where it is within 1/1024 of a cell of it.
fn snapped(params: &MeshParams, apart: f64) -> f32 {
    let near = params.cell_size / 1024.0;
    if apart.abs() <= near {
        0.0
    } else if (apart - params.tile_size).abs() <= near {
        params.far_side()
    } else {
        apart as f32
    }
}

/// Whether a ring's signed area, summed in double over the stored floats, is negative.
fn is_clockwise(ring: &[u16], vertices: &[[f32; 3]]) -> bool {
    let corner = |i: usize| {
        let [x, _, z] = vertices[usize::from(ring[i % ring.len()])];
        [f64::from(x), f64::from(z)]
    };
    let twice: f64 = (0..ring.len())
        .map(|i| {
            let (a, b) = (corner(i), corner(i + 1));
            a[0] * b[1] - b[0] * a[1]
        })
        .sum();
    twice < 0.0
}

/// One directed edge, to be met with its reverse.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Directed {
    /// The smaller vertex in the high half, the larger in the low.
    ends: u32,
    /// The edge's number, doubled, plus 1 when it runs from the larger vertex to the smaller.
    edge: u32,
    polygon: u32,
}

fn find_neighbors(
    polygons: &[TilePolygon],
    indices: &[u16],
    neighbors: &mut [i32],
    desk: &mut Arena<'_>,
) -> Result<()> {
    let edges = desk.take_back::<Directed>(indices.len())?;
    let mut first = 0;
    for (p, polygon) in polygons.iter().enumerate() {
        let count = usize::from(polygon.vertex_count);
        for i in 0..count {
            let number = |k: usize| indices.get(first + k % count).copied().unwrap_or_default();
            let (a, b) = (number(i), number(i + 1));
            let ends = u32::from(a.min(b)) << 16 | u32::from(a.max(b));
            let place = edges.get_mut(first + i);
            let edge = Directed { ends, edge: ((first + i) as u32) << 1 | u32::from(a > b), polygon: p as u32 };
            place.into_iter().for_each(|place| *place = edge);
        }
        first += count;
    }
    let used = first.min(indices.len());
    edges[..used].sort_unstable_by_key(|edge| (edge.ends, edge.edge));
    for shared in edges[..used].chunk_by(|a, b| a.ends == b.ends) {
        if let [a, b] = shared
            && (a.edge ^ b.edge) & 1 == 1
            && a.polygon != b.polygon
        {
            neighbors[(a.edge >> 1) as usize] = b.polygon as i32 + 1;
            neighbors[(b.edge >> 1) as usize] = a.polygon as i32 + 1;
        }
    }
    Ok(())
}

fn mark_portals(far: f32, tile: &TileData<'_>, neighbors: &[i32], sides: &mut [u8]) {
    let vertex = |edge: usize| {
        let number = tile.indices.get(edge).copied().unwrap_or_default();
        tile.vertices.get(usize::from(number)).copied().unwrap_or([f32::NAN; 3])
    };
    let mut first = 0;
    for polygon in tile.polygons {
        let count = usize::from(polygon.vertex_count);
        for i in (0..count).filter(|i| neighbors.get(first + i) == Some(&0)) {
            let ends = [vertex(first + i), vertex(first + (i + 1) % count)];
            let lines = [(0, far), (2, far), (0, 0.0), (2, 0.0f32)];
            let lies_on = |&(axis, line): &(usize, f32)| ends.iter().all(|end| end[axis].to_bits() == line.to_bits());
            if let Some(side) = lines.iter().position(lies_on) {
                sides[first + i] = side as u8;
            }
        }
        first += count;
    }
}
