//! A mesh as bytes (`ONPM`): its parameters and its slots, free ones and generations too (`navmesh-format.md`, "Mesh").

use super::def::MeshLimits;
use super::format::{self, TileBytes};
use super::nav_mesh::{MAX_SLOTS, NavMesh};
use super::params::{FORMAT_VERSION, Fingerprint, MeshParams, PARAMS_BYTES};
use super::pools::Storage;
use super::restore::{self, SavedSlot, SavedSlots, SavedTile};
use super::stitch::Tiles;
use super::tile::TileSource;
use crate::bytes::{Reader, Sink, Writer};
use crate::error::{Error, Result, Subject};

const MESH_MAGIC: [u8; 4] = *b"ONPM";
/// The least bytes that a slot takes.
const SLOT_BYTES: usize = 5;
const MAX_SALT: u32 = 0x00FF_FFFF;

impl NavMesh<'_> {
    /// How many bytes [`save`](NavMesh::save) writes.
    pub fn save_size(&self) -> usize {
        let mut counter = Writer::counting();
        self.write_to(&mut counter);
        counter.position()
    }

    /// Writes the mesh's parameters and slots (`ONPM`) and returns how many bytes that took. Areas and flags are written
    /// as they are now; switches, links of either sort and staged changes are not part of the bytes.
    ///
    /// # Errors
    /// A capacity error naming the bytes that are needed when `out` is too short.
    pub fn save(&self, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.write_to(&mut writer);
        writer.finish(Subject::Bytes)
    }

    /// Writes the saved bytes to any sink, for a file of another format around them or a hash.
    pub fn write_to(&self, out: &mut impl Sink) {
        format::write_opening(MESH_MAGIC, FORMAT_VERSION, out);
        out.bytes(&self.params.to_bytes());
        out.u32(self.slot_count as u32);
        for slot in 0..self.slot_count {
            out.u32(self.slots.salt(slot));
            let tile = self.tile(slot);
            out.u8(tile.is_some().into());
            if let Some(tile) = tile {
                out.u32(tile.counts().byte_size() as u32);
                format::write_tile(&tile, &self.fingerprint, out);
            }
        }
    }

    /// Restores saved bytes: slots, generations and tiles, stitched once. What was loaded and what was staged is gone
    /// then, and so are the links staged on the mesh, whose ids are stale; areas and flags as saved are the new ones.
    ///
    /// # Errors
    /// Every refusal leaves the mesh as it was. Other parameters than this mesh's are a format error naming the
    /// fingerprint; then everything is checked as hostile; [`Capacity`](crate::error::ErrorKind::Capacity) names a
    /// limit that is too small and the count that is wanted, links included.
    ///
    /// # Cost
    /// Linear in the bytes, read twice; no memory beyond the mesh's.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<()> {
        self.restore_slots(&SavedMesh::open(bytes)?)
    }
}

/// Saved mesh bytes, opened: what to make a mesh from that will take them.
///
/// Opening checks the header and that every slot's length fits; [`NavMesh::restore`] checks the rest.
#[derive(Clone, Copy, Debug)]
pub struct SavedMesh<'a> {
    bytes: &'a [u8],
    params: MeshParams,
    fingerprint: Fingerprint,
    count: usize,
}

impl<'a> SavedMesh<'a> {
    /// Opens saved mesh bytes.
    ///
    /// # Errors
    /// Version and format errors that name what is wrong: parameters past their bounds, a salt of 0 or past 24 bits, a
    /// slot whose tile does not fit its length, bytes that are left over.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes, Subject::Header);
        format::check_opening(bytes, MESH_MAGIC, FORMAT_VERSION)?;
        reader.bytes(8)?;
        let params = MeshParams::from_bytes(&reader.array::<PARAMS_BYTES>()?)?;
        let count = reader.count(SLOT_BYTES, Subject::Slots)?;
        if count > MAX_SLOTS as usize {
            return Err(Error::format(Subject::Slots).value(count as f64).bound(MAX_SLOTS.into()));
        }
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error::limit(Subject::Bytes).value(bytes.len() as f64).bound(u32::MAX.into()));
        }
        let saved = SavedMesh { bytes, params, fingerprint: params.fingerprint(), count };
        saved.slots(|_, _| Ok(()))?;
        Ok(saved)
    }

    /// What the mesh and its tiles agree on.
    pub fn params(&self) -> &MeshParams {
        &self.params
    }

    /// Limits that the saved mesh fills exactly, with nothing staged. Only its links are not known before it is
    /// stitched: twice the portal edges and off-mesh links is a guess that may be too low; restoring then says how many
    /// it wants.
    pub fn limits(&self) -> Result<MeshLimits> {
        restore::limits(self)
    }
}

impl SavedSlots for SavedMesh<'_> {
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
        reader.bytes(12 + PARAMS_BYTES)?;
        for slot in 0..self.count {
            reader.element(Subject::Slot, slot);
            let salt = read_salt(&mut reader, slot)?;
            let present = reader.u8()?;
            let tile = match present {
                0 => None,
                1 => {
                    let length = reader.u32()?;
                    let storage = reader.position() as Storage;
                    Some(SavedTile { bytes: reader.bytes(length as usize)?, storage, edits: &[], disabled: &[] })
                }
                _ => return Err(reader.refuse().value(present.into()).bound(1.0)),
            };
            each(slot, SavedSlot { salt, tile })?;
        }
        reader.finish()
    }
}

impl Tiles for SavedMesh<'_> {
    type Tile<'t>
        = TileBytes<'t>
    where
        Self: 't;
    fn open(&self, storage: Storage) -> TileBytes<'_> {
        TileBytes::reopen(self.bytes, storage as usize)
    }
}

/// A slot's generation.
pub(super) fn read_salt(reader: &mut Reader<'_>, slot: usize) -> Result<u32> {
    let salt = reader.u32()?;
    if salt == 0 || salt > MAX_SALT {
        return Err(Error::format(Subject::Salt).at(slot).value(salt.into()).bound(MAX_SALT.into()));
    }
    Ok(salt)
}
