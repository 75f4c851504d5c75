//! A mesh's dynamic state as bytes (`ONPS`): slots and generations, edits, link switches, and the tiles themselves or
//! their names (`navmesh-snapshot.md`).

use super::def::MeshLimits;
use super::format::{self, TileBytes};
use super::library::TileLibrary;
use super::nav_mesh::{MAX_SLOTS, NavMesh};
use super::params::{FORMAT_VERSION, Fingerprint, MeshParams, PARAMS_BYTES};
use super::pools::Storage;
use super::restore::{self, EditRecord, SavedSlot, SavedSlots, SavedTile};
use super::save::read_salt;
use super::stitch::Tiles;
use super::tile::TileSource;
use super::view::OFF_MESH_DISABLED;
use crate::bytes::{Reader, Sink, Writer};
use crate::error::{Error, ErrorKind, Result, Subject};

const MAGIC: [u8; 4] = *b"ONPS";
/// The one section there is: the slots.
const SLOTS_SECTION: u16 = 1;
/// The least bytes that a slot takes.
const SLOT_BYTES: usize = 5;
/// Where the slots' section begins in bytes that this writes.
const BODY: usize = 12 + PARAMS_BYTES + SECTION_HEADER;
const SECTION_HEADER: usize = 8;
/// Marks the storage of a tile that lies in the library; without it, it is a place in the bytes.
const IN_LIBRARY: Storage = 1 << 31;

/// How a snapshot holds tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SnapshotMode {
    /// With their bytes: whoever restores it needs nothing else.
    #[default]
    Full,
    /// By their content ids: small and fast, and whoever restores it needs a [`TileLibrary`] with every tile. Call
    /// [`NavMesh::remember_content_ids`] once after tiles have changed, else every snapshot hashes them.
    Referenced,
}

impl NavMesh<'_> {
    /// How many bytes [`snapshot`](NavMesh::snapshot) writes; what it refuses is not refused here.
    pub fn snapshot_size(&self, mode: SnapshotMode) -> usize {
        let mut counter = Writer::counting();
        self.write_snapshot_unchecked(mode, &mut counter);
        counter.position()
    }

    /// Writes the mesh's dynamic state: its slots with their generations and tiles, every edit of a polygon's area or
    /// flags, every authored link that is switched off. The same state always gives the same bytes. Staged changes are no
    /// part of it.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::{MeshDef, NavMesh, TileData, TilePolygon};
    /// use navarena::mesh::{SnapshotMode, TileLibrary};
    /// # let mut region = vec![Grain::ZERO; MeshDef::HUMANOID.plan().grains()];
    /// # let mut mesh = NavMesh::new(&MeshDef::HUMANOID, &mut Arena::new(&mut region))?;
    /// # let floor = TileData {
    /// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
    /// #     vertices: &[[0.0, 0.0, 0.0], [64.0, 0.0, 0.0], [64.0, 0.0, 64.0], [0.0, 0.0, 64.0]],
    /// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
    /// #     indices: &[0, 1, 2, 3], neighbors: &[0; 4], portal_sides: &[3, 0, 1, 2],
    /// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
    /// # };
    /// # mesh.put_tile_data(&floor)?;
    /// let door = mesh.tile(0).unwrap().reference.polygon(0);
    /// let mut frame = vec![0; mesh.snapshot_size(SnapshotMode::Full)];
    /// mesh.snapshot(SnapshotMode::Full, &mut frame)?;
    /// mesh.set_flags(door, 0)?;
    /// mesh.restore_snapshot(&frame, &TileLibrary::NONE)?;
    /// assert_eq!(mesh.polygon(door)?.1.flags, 1);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] naming links while links are staged on the mesh and committed: the format has no place
    /// for them. A capacity error with the bytes that are needed when `out` is too short.
    pub fn snapshot(&self, mode: SnapshotMode, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.write_snapshot(mode, &mut writer)?;
        writer.finish(Subject::Bytes)
    }

    /// Writes a snapshot to any sink, for a state of another format around it or a hash.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] as for [`snapshot`](NavMesh::snapshot).
    pub fn write_snapshot(&self, mode: SnapshotMode, out: &mut impl Sink) -> Result<()> {
        let links = self.off_mesh.committed_count();
        if links > 0 {
            return Err(Error::new(ErrorKind::Unsupported, Subject::Links).value(links as f64));
        }
        self.write_snapshot_unchecked(mode, out);
        Ok(())
    }

    fn write_snapshot_unchecked(&self, mode: SnapshotMode, out: &mut impl Sink) {
        let mut body = Writer::counting();
        self.write_slots(mode, &mut body);
        format::write_opening(MAGIC, FORMAT_VERSION, out);
        out.bytes(&self.params.to_bytes());
        out.u32(1);
        out.u16(SLOTS_SECTION);
        out.u16(0);
        out.u32(u32::try_from(body.position()).unwrap_or(u32::MAX));
        self.write_slots(mode, out);
    }

    fn write_slots(&self, mode: SnapshotMode, out: &mut impl Sink) {
        out.u32(self.slot_count as u32);
        for slot in 0..self.slot_count {
            out.u32(self.slots.salt(slot));
            let Some(storage) = self.storage(slot) else {
                out.u8(0);
                continue;
            };
            match mode {
                SnapshotMode::Full => {
                    out.u8(1);
                    out.u32(self.pools.view(storage).counts().byte_size() as u32);
                    self.write_as_built(storage, out);
                }
                SnapshotMode::Referenced => {
                    out.u8(2);
                    out.bytes(&self.content_of(storage));
                }
            }
            self.write_edits(storage, out);
        }
    }

    fn write_edits(&self, storage: Storage, out: &mut impl Sink) {
        let polygons = self.pools.polygons.get(storage as usize).iter();
        let edited = polygons
            .zip(self.pools.as_built(storage))
            .enumerate()
            .filter(|(_, (now, built))| (now.area, now.flags) != (built.area, built.flags));
        out.u32(edited.clone().count() as u32);
        for (index, (polygon, _)) in edited {
            out.u32(index as u32);
            out.u8(polygon.area);
            out.u16(polygon.flags);
        }
        let links = self.pools.off_mesh.get(storage as usize).iter().enumerate();
        let disabled = links.filter(|(_, link)| link.bidirectional & OFF_MESH_DISABLED != 0);
        out.u32(disabled.clone().count() as u32);
        disabled.for_each(|(index, _)| out.u32(index as u32));
    }

    /// Puts a snapshot's state in place of the mesh's: every query, link and reference is as it was when it was taken,
    /// and a snapshot taken now has the same bytes (if it is of the same mode). What was staged is forgotten, and so are
    /// links staged on the mesh.
    ///
    /// # Errors
    /// Every refusal leaves the mesh as it was. Other parameters than this mesh's, a tile that the library does not have,
    /// anything out of its range, out of order or left over is a format error that names the slot;
    /// [`ErrorKind::Capacity`] names a limit that is too small.
    ///
    /// # Cost
    /// Linear in the bytes and in the tiles named, read twice; no memory beyond the mesh's.
    pub fn restore_snapshot(&mut self, bytes: &[u8], library: &TileLibrary<'_>) -> Result<()> {
        let snapshot = SavedSnapshot::open(bytes, library)?;
        self.restore_slots(&snapshot)
    }
}

/// A snapshot's bytes, opened: what to make a mesh from that will take them.
///
/// Opening checks the framing and that every tile named is in the library; [`NavMesh::restore_snapshot`] checks the rest.
#[derive(Clone, Copy, Debug)]
pub struct SavedSnapshot<'a> {
    bytes: &'a [u8],
    library: TileLibrary<'a>,
    params: MeshParams,
    fingerprint: Fingerprint,
    count: usize,
}

impl<'a> SavedSnapshot<'a> {
    /// Opens a snapshot's bytes.
    ///
    /// # Errors
    /// Version and format errors that name what is wrong: parameters past their bounds, a section that is not known or
    /// not consumed exactly, a salt of 0 or past 24 bits, a tile that the library does not have.
    pub fn open(bytes: &'a [u8], library: &TileLibrary<'a>) -> Result<Self> {
        if bytes.len() >= IN_LIBRARY as usize {
            return Err(Error::limit(Subject::Bytes).value(bytes.len() as f64).bound(IN_LIBRARY.into()));
        }
        format::check_opening(bytes, MAGIC, FORMAT_VERSION)?;
        let mut reader = Reader::new(bytes, Subject::Header);
        reader.bytes(8)?;
        let params = MeshParams::from_bytes(&reader.array::<PARAMS_BYTES>()?)?;
        check_sections(&mut reader)?;
        let count = reader.count(SLOT_BYTES, Subject::Slots)?;
        if count > MAX_SLOTS as usize {
            return Err(Error::format(Subject::Slots).value(count as f64).bound(MAX_SLOTS.into()));
        }
        let snapshot = SavedSnapshot { bytes, library: *library, params, fingerprint: params.fingerprint(), count };
        snapshot.slots(|_, _| Ok(()))?;
        Ok(snapshot)
    }

    /// What the mesh and its tiles agree on.
    pub fn params(&self) -> &MeshParams {
        &self.params
    }

    /// Limits that the mesh of the snapshot fills exactly, with nothing staged, links excepted: see
    /// [`SavedMesh::limits`](super::SavedMesh::limits).
    pub fn limits(&self) -> Result<MeshLimits> {
        restore::limits(self)
    }
}

/// The sections' framing: ids rise, so exactly one section, of slots, to the bytes' end.
fn check_sections(reader: &mut Reader<'_>) -> Result<()> {
    let count = reader.count(SECTION_HEADER, Subject::Sections)?;
    if count != 1 {
        return Err(Error::format(Subject::Sections).value(count as f64).bound(1.0));
    }
    reader.section(Subject::Sections);
    let (id, reserved, length) = (reader.u16()?, reader.u16()?, reader.u32()?);
    if id != SLOTS_SECTION {
        return Err(Error::format(Subject::Sections).at(0).value(id.into()));
    }
    if reserved != 0 {
        return Err(Error::format(Subject::Reserved).value(reserved.into()));
    }
    if length as usize != reader.remaining() {
        return Err(Error::format(Subject::Bytes).value(length.into()).bound(reader.remaining() as f64));
    }
    Ok(())
}

impl SavedSlots for SavedSnapshot<'_> {
    fn params(&self) -> &MeshParams {
        &self.params
    }

    fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    fn count(&self) -> usize {
        self.count
    }

    fn slots(&self, mut each: impl FnMut(usize, SavedSlot<'_>) -> Result<()>) -> Result<()> {
        let mut reader = Reader::new(self.bytes, Subject::Slot);
        reader.bytes(BODY + 4)?;
        for slot in 0..self.count {
            reader.element(Subject::Slot, slot);
            let salt = read_salt(&mut reader, slot)?;
            let kind = reader.u8()?;
            let (bytes, storage) = match kind {
                0 => {
                    each(slot, SavedSlot { salt, tile: None })?;
                    continue;
                }
                1 => {
                    let length = reader.u32()?;
                    let storage = reader.position() as Storage;
                    (reader.bytes(length as usize)?, storage)
                }
                2 => {
                    let missing = Error::format(Subject::TileContent).at(slot);
                    let place = self.library.position(&reader.array()?).ok_or(missing)?;
                    (self.library.at(place), IN_LIBRARY | place as Storage)
                }
                _ => return Err(reader.refuse().value(kind.into()).bound(2.0)),
            };
            let edits = records(&mut reader, Subject::PolygonEdits)?;
            let disabled = records(&mut reader, Subject::OffMeshLinks)?;
            each(slot, SavedSlot { salt, tile: Some(SavedTile { bytes, storage, edits, disabled }) })?;
        }
        reader.finish()
    }
}

/// Counted records of `N` bytes, where they stand.
fn records<'a, const N: usize>(reader: &mut Reader<'a>, subject: Subject) -> Result<&'a [[u8; N]]> {
    let count = reader.count(N, subject)?;
    Ok(reader.bytes(count * N)?.as_chunks::<N>().0)
}

impl Tiles for SavedSnapshot<'_> {
    type Tile<'t>
        = TileBytes<'t>
    where
        Self: 't;
    fn open(&self, storage: Storage) -> TileBytes<'_> {
        if storage & IN_LIBRARY == 0 {
            return TileBytes::reopen(self.bytes, storage as usize);
        }
        TileBytes::reopen(self.library.at((storage & !IN_LIBRARY) as usize), 0)
    }
}

const _: () = {
    // The records of the page.
    assert!(BODY == 88 && size_of::<EditRecord>() == 7);
};
