//! The bytes of a tile (`ONPT`): written from any form of a tile, and opened as a form of their own whose counts are
//! known to fit (`navmesh-format.md`, "Byte layout").

use super::params::{FORMAT_VERSION, Fingerprint};
use super::tile::{NO_PORTAL, TileCounts, TileHeader, TilePolygon, TileSource, position_from};
use super::view::OffMeshSlot;
use crate::bytes::{Sink, Writer};
use crate::error::{Error, ErrorKind, Result, Subject};

/// Bytes of a tile's header.
pub(super) const TILE_HEADER: usize = 84;
const TILE_MAGIC: [u8; 4] = *b"ONPT";

/// The same error as one of format: a rule that a setting breaks, found in bytes.
pub(super) fn as_format(error: Error) -> Error {
    let mut same = Error::format(error.subject());
    if let Some(index) = error.index() {
        same = same.at(index as usize);
    }
    if let Some(part) = error.part_index() {
        same = same.part(part as usize);
    }
    if let Some(value) = error.refused() {
        same = same.value(value);
    }
    if let Some(bound) = error.limit_value() {
        same = same.bound(bound);
    }
    same
}

/// Checks magic, version and flags, which open every format.
pub(super) fn check_opening(bytes: &[u8], magic: [u8; 4], version: u16) -> Result<()> {
    let opening: [u8; 8] = array(bytes, 0).ok_or(too_short(bytes.len(), 8))?;
    if opening[..4] != magic {
        return Err(Error::format(Subject::Magic));
    }
    let found = u16::from_le_bytes([opening[4], opening[5]]);
    if found != version {
        return Err(Error::new(ErrorKind::Version, Subject::FormatVersion).value(found.into()).bound(version.into()));
    }
    let flags = u16::from_le_bytes([opening[6], opening[7]]);
    if flags != 0 {
        return Err(Error::format(Subject::FormatFlags).value(flags.into()));
    }
    Ok(())
}

pub(super) fn too_short(have: usize, want: usize) -> Error {
    Error::format(Subject::Bytes).value(have as f64).bound(want as f64)
}

/// `N` bytes at a place; `None` where they do not all lie inside.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// A tile's bytes with its counts checked against their length, every element still unjudged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TileBytes<'a> {
    header: TileHeader,
    counts: TileCounts,
    vertices: &'a [[u8; 12]],
    polygons: &'a [[u8; 16]],
    indices: &'a [[u8; 2]],
    neighbors: &'a [[u8; 4]],
    sides: &'a [u8],
    detail_vertices: &'a [[u8; 12]],
    detail_triangles: &'a [[u8; 4]],
    off_mesh: &'a [[u8; 36]],
}

impl<'a> TileBytes<'a> {
    /// Opens a tile's bytes. The fingerprint is compared before anything but the opening is looked at; then the length
    /// must be exactly what the counts imply.
    pub(super) fn open(bytes: &'a [u8], fingerprint: &Fingerprint) -> Result<Self> {
        check_opening(bytes, TILE_MAGIC, FORMAT_VERSION)?;
        let found: [u8; 16] = array(bytes, 8).ok_or(too_short(bytes.len(), TILE_HEADER))?;
        if found != *fingerprint {
            return Err(Error::format(Subject::Fingerprint));
        }
        Self::open_unmatched(bytes)
    }

    /// Opens a tile that begins at a place, where one was opened before.
    pub(super) fn reopen(bytes: &'a [u8], at: usize) -> Self {
        let tile = bytes.get(at..).unwrap_or_default();
        let size = array(tile, 60).map_or(0, |counts| body_size(&counts));
        let tile = usize::try_from(size).ok().and_then(|size| tile.get(..size)).unwrap_or_default();
        // Nothing comes of bytes that were not opened before: an empty tile.
        Self::open_unmatched(tile).unwrap_or_default()
    }

    /// Opens a tile's bytes whose opening has been checked.
    fn open_unmatched(bytes: &'a [u8]) -> Result<Self> {
        let short = too_short(bytes.len(), TILE_HEADER);
        let place: [u8; 36] = array(bytes, 24).ok_or(short)?;
        let counts: [u8; 24] = array(bytes, 60).ok_or(short)?;
        let want = body_size(&counts);
        if want != bytes.len() as u64 {
            return Err(Error::format(Subject::Bytes).value(bytes.len() as f64).bound(want as f64));
        }
        let counts: [usize; 6] = core::array::from_fn(|i| u32::from_le_bytes(part(&counts, 4 * i)) as usize);
        let mut rest = &bytes[TILE_HEADER..];
        Ok(TileBytes {
            header: TileHeader {
                x: i32::from_le_bytes(part(&place, 0)),
                z: i32::from_le_bytes(part(&place, 4)),
                layer: i32::from_le_bytes(part(&place, 8)),
                origin: [12, 20, 28].map(|at| f64::from_le_bytes(part(&place, at))),
                ..TileHeader::default()
            },
            vertices: chunks(&mut rest, counts[0]),
            polygons: chunks(&mut rest, counts[1]),
            indices: chunks(&mut rest, counts[2]),
            neighbors: chunks(&mut rest, counts[2]),
            sides: chunks::<1>(&mut rest, counts[2]).as_flattened(),
            detail_vertices: chunks(&mut rest, counts[3]),
            detail_triangles: chunks(&mut rest, counts[4]),
            off_mesh: chunks(&mut rest, counts[5]),
            counts: TileCounts {
                vertices: counts[0],
                polygons: counts[1],
                edges: counts[2],
                detail_vertices: counts[3],
                detail_triangles: counts[4],
                off_mesh: counts[5],
            },
        })
    }
}

/// The bytes of a tile with the counts of its header. In 64 bits: six counts of 32 bits, times at most 36, fit them.
fn body_size(counts: &[u8; 24]) -> u64 {
    let sizes = [12, 16, 7, 12, 4, 36u64];
    let counts = counts.as_chunks::<4>().0.iter().map(|&n| u64::from(u32::from_le_bytes(n)));
    counts.zip(sizes).fold(TILE_HEADER as u64, |sum, (n, size)| sum + n * size)
}

/// The first `count` records of `N` bytes, which the caller has counted; moves past them.
fn chunks<'a, const N: usize>(rest: &mut &'a [u8], count: usize) -> &'a [[u8; N]] {
    let (records, after) = rest.split_at_checked(count * N).unwrap_or((&[], &[]));
    *rest = after;
    records.as_chunks::<N>().0
}

/// `N` bytes of a record at a place that lies inside.
pub(super) fn part<const N: usize>(record: &[u8], at: usize) -> [u8; N] {
    array(record, at).unwrap_or([0; N])
}

fn point(record: &[u8], at: usize) -> [f32; 3] {
    [0, 4, 8].map(|axis| f32::from_le_bytes(part(record, at + axis)))
}

impl TileSource for TileBytes<'_> {
    fn header(&self) -> TileHeader {
        self.header
    }
    fn counts(&self) -> TileCounts {
        self.counts
    }
    fn vertex(&self, i: usize) -> [f32; 3] {
        self.vertices.get(i).map_or([0.0; 3], |record| point(record, 0))
    }
    fn polygon(&self, i: usize) -> TilePolygon {
        let Some(record) = self.polygons.get(i) else { return TilePolygon::default() };
        TilePolygon {
            vertex_count: record[0],
            area: record[1],
            flags: u16::from_le_bytes(part(record, 2)),
            detail_vertex_base: u32::from_le_bytes(part(record, 4)),
            detail_triangle_base: u32::from_le_bytes(part(record, 8)),
            detail_vertex_count: u16::from_le_bytes(part(record, 12)),
            detail_triangle_count: u16::from_le_bytes(part(record, 14)),
        }
    }
    fn vertex_count(&self, polygon: usize) -> usize {
        self.polygons.get(polygon).map_or(0, |record| record[0].into())
    }
    fn index(&self, edge: usize) -> u16 {
        self.indices.get(edge).map_or(0, |&record| u16::from_le_bytes(record))
    }
    fn neighbor(&self, edge: usize) -> i32 {
        self.neighbors.get(edge).map_or(0, |&record| i32::from_le_bytes(record))
    }
    fn side(&self, edge: usize) -> u8 {
        self.sides.get(edge).copied().unwrap_or(NO_PORTAL)
    }
    fn next_portal(&self, from: usize) -> Option<usize> {
        position_from(self.sides, from, |&side| side != NO_PORTAL)
    }
    fn detail_vertex(&self, i: usize) -> [f32; 3] {
        self.detail_vertices.get(i).map_or([0.0; 3], |record| point(record, 0))
    }
    fn detail_triangle(&self, i: usize) -> [u8; 4] {
        self.detail_triangles.get(i).copied().unwrap_or_default()
    }
    fn off_mesh(&self, i: usize) -> OffMeshSlot {
        let Some(record) = self.off_mesh.get(i) else { return OffMeshSlot::default() };
        OffMeshSlot {
            start: point(record, 0),
            end: point(record, 12),
            radius: f32::from_le_bytes(part(record, 24)),
            area: record[28],
            bidirectional: record[29],
            flags: u16::from_le_bytes(part(record, 30)),
            user_id: u32::from_le_bytes(part(record, 32)),
        }
    }
}

/// Writes a tile's bytes, or counts or hashes them.
pub(super) fn write_tile(tile: &impl TileSource, fingerprint: &Fingerprint, out: &mut impl Sink) {
    write_tile_with(tile, |i| tile.polygon(i), fingerprint, out);
}

/// The same with other records of the tile's polygons than its own.
pub(super) fn write_tile_with(
    tile: &impl TileSource,
    polygon: impl Fn(usize) -> TilePolygon,
    fingerprint: &Fingerprint,
    out: &mut impl Sink,
) {
    let counts = tile.counts();
    write_header(tile, fingerprint, out);
    (0..counts.vertices).for_each(|i| write_point(tile.vertex(i), out));
    (0..counts.polygons).for_each(|i| write_polygon(&polygon(i), out));
    (0..counts.edges).for_each(|i| out.u16(tile.index(i)));
    (0..counts.edges).for_each(|i| out.i32(tile.neighbor(i)));
    (0..counts.edges).for_each(|i| out.u8(tile.side(i)));
    (0..counts.detail_vertices).for_each(|i| write_point(tile.detail_vertex(i), out));
    (0..counts.detail_triangles).for_each(|i| out.bytes(&tile.detail_triangle(i)));
    (0..counts.off_mesh).for_each(|i| write_off_mesh(&tile.off_mesh(i), out));
}

fn write_header(tile: &impl TileSource, fingerprint: &Fingerprint, out: &mut impl Sink) {
    let (header, counts) = (tile.header(), tile.counts());
    write_opening(TILE_MAGIC, FORMAT_VERSION, out);
    out.bytes(fingerprint);
    [header.x, header.z, header.layer].into_iter().for_each(|v| out.i32(v));
    header.origin.into_iter().for_each(|v| out.f64(v));
    let counts = [
        counts.vertices,
        counts.polygons,
        counts.edges,
        counts.detail_vertices,
        counts.detail_triangles,
        counts.off_mesh,
    ];
    counts.into_iter().for_each(|n| out.u32(n as u32));
}

/// Writes magic, version and flags, which open every format.
pub(super) fn write_opening(magic: [u8; 4], version: u16, out: &mut impl Sink) {
    out.bytes(&magic);
    out.u16(version);
    out.u16(0);
}

fn write_point(point: [f32; 3], out: &mut impl Sink) {
    point.into_iter().for_each(|v| out.f32(v));
}

fn write_polygon(polygon: &TilePolygon, out: &mut impl Sink) {
    out.u8(polygon.vertex_count);
    out.u8(polygon.area);
    out.u16(polygon.flags);
    out.u32(polygon.detail_vertex_base);
    out.u32(polygon.detail_triangle_base);
    out.u16(polygon.detail_vertex_count);
    out.u16(polygon.detail_triangle_count);
}

/// Bytes of an off-mesh record, and where a tile's header counts them.
pub(crate) const OFF_MESH_BYTES: usize = 36;
const OFF_MESH_COUNT: usize = 80;

/// Appends a link to a tile's bytes, of which links are the last: the first `used` bytes of `block`. Returns how many are
/// used then, or a capacity error where the block has no room.
pub(super) fn append_off_mesh(slot: &OffMeshSlot, block: &mut [u8], used: usize) -> Result<usize> {
    let capacity = block.len();
    let record = block.get_mut(used..used + OFF_MESH_BYTES).ok_or(Error::capacity(Subject::TileBytes, capacity))?;
    write_off_mesh(slot, &mut Writer::new(record));
    if let Some(count) = block.get_mut(OFF_MESH_COUNT..TILE_HEADER) {
        let links = u32::from_le_bytes(part(count, 0)) + 1;
        count.copy_from_slice(&links.to_le_bytes());
    }
    Ok(used + OFF_MESH_BYTES)
}

fn write_off_mesh(slot: &OffMeshSlot, out: &mut impl Sink) {
    write_point(slot.start, out);
    write_point(slot.end, out);
    out.f32(slot.radius);
    out.u8(slot.area);
    out.u8(slot.bidirectional);
    out.u16(slot.flags);
    out.u32(slot.user_id);
}
