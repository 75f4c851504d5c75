//! A mesh as bytes (`ONPM`): its parameters and its slots, free ones and generations too (`navmesh-format.md`, "Mesh").

use super::def::MeshLimits;
use super::def::PortalRule;
use super::format::{self, TileBytes};
use super::nav_mesh::{MAX_SLOTS, NavMesh};
use super::params::{FORMAT_VERSION, Fingerprint, MeshParams, PARAMS_BYTES};
use super::places::Place;
use super::pools::{Held, NO_STORAGE, Storage, check_limit};
use super::stitch::{self, Exit, Stitcher, Tiles};
use super::tile::TileSource;
use super::validate;
use super::work::{self, NextSlot, Work};
use crate::bytes::{Reader, Sink, Writer};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Grain};

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
        let saved = SavedMesh::open(bytes)?;
        if saved.params.to_bytes() != self.params.to_bytes() {
            return Err(Error::format(Subject::Fingerprint));
        }
        let region = core::mem::take(&mut self.work);
        let result = self.restore_in(&saved, region);
        self.work = region;
        result
    }

    fn restore_in(&mut self, saved: &SavedMesh<'_>, region: &mut [Grain]) -> Result<()> {
        let mut arena = Arena::new(region);
        let (next, places) = work::carve_state(&self.limits, &mut arena)?;
        let tiles = arena.scope(|desk| saved.check(&self.limits, next, places, desk))?;
        let mut work = Work::carve_rest(&self.limits, next, places, &mut arena)?;
        let exits = gather_exits(saved, &mut work, tiles)?;
        let total = stitch::count_links((&self.params, self.portals), saved, &mut work, (tiles, exits), &self.slots)?;
        check_limit(total, self.limits.links, Subject::Links)?;
        self.install(saved, &mut work, tiles, exits)
    }

    /// Puts the saved state in place of the current one. Everything has been checked.
    fn install(&mut self, saved: &SavedMesh<'_>, work: &mut Work<'_>, tiles: usize, exits: usize) -> Result<()> {
        self.pools.reset();
        self.links.reset();
        self.slots.reset();
        self.places.clear();
        self.off_mesh.clear();
        self.clear_staged();
        self.storages.fill(NO_STORAGE);
        saved.slots(|slot, saved_slot| {
            self.slots.restore(slot, saved_slot.salt, saved_slot.tile.is_some())?;
            if saved_slot.tile.is_some() {
                let storage = self.pools.store(&Tiles::open(saved, work.next[slot].storage))?;
                self.links.take(storage as usize, work.next[slot].links as usize, Subject::Links)?;
                work.next[slot].storage = storage;
                self.storages[slot] = storage;
            }
            Ok(())
        })?;
        self.slot_count = saved.count;
        work.places[..tiles].iter().try_for_each(|&place| self.places.push(place, Subject::Tiles))?;
        self.write_links(work, (tiles, exits))?;
        self.version += 1;
        self.note();
        Ok(())
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

struct SavedSlot<'a> {
    salt: u32,
    /// The tile's bytes.
    tile: Option<&'a [u8]>,
    /// Where they begin.
    at: usize,
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
        let mut held = Held::default();
        self.slots(|_, slot| {
            if let Some(bytes) = slot.tile {
                let tile = TileBytes::open(bytes, &self.fingerprint)?;
                held = held.plus(&Held { counts: tile.counts(), portals: validate::edges_on_sides(&tile) });
            }
            Ok(())
        })?;
        let counts = held.counts;
        Ok(MeshLimits {
            tiles: self.count.max(1) as u32,
            vertices: counts.vertices as u32,
            polygons: counts.polygons as u32,
            edges: counts.edges as u32,
            portals: held.portals as u32,
            links: (held.portals as u32).saturating_add(counts.off_mesh as u32).saturating_mul(2),
            detail_vertices: counts.detail_vertices as u32,
            detail_triangles: counts.detail_triangles as u32,
            off_mesh_links: counts.off_mesh as u32,
            link_crossings: 0,
            staged: 0,
            staged_edits: 0,
        })
    }

    /// Walks the slots and checks that nothing follows the last.
    fn slots(&self, mut each: impl FnMut(usize, SavedSlot<'a>) -> Result<()>) -> Result<()> {
        let mut reader = Reader::new(self.bytes, Subject::Slot);
        reader.bytes(12 + PARAMS_BYTES)?;
        for slot in 0..self.count {
            reader.element(Subject::Slot, slot);
            let salt = reader.u32()?;
            if salt == 0 || salt > MAX_SALT {
                return Err(Error::format(Subject::Salt).at(slot).value(salt.into()).bound(MAX_SALT.into()));
            }
            let present = reader.u8()?;
            let tile = match present {
                0 => None,
                1 => {
                    let length = reader.u32()?;
                    Some(reader.bytes(length as usize)?)
                }
                _ => return Err(reader.refuse().value(present.into()).bound(1.0)),
            };
            let at = reader.position() - tile.map_or(0, <[u8]>::len);
            each(slot, SavedSlot { salt, tile, at })?;
        }
        reader.finish()
    }

    /// Checks every tile, the places and the limits; notes where each slot's tile lies and the sorted places. Returns
    /// the number of tiles.
    fn check(
        &self,
        limits: &MeshLimits,
        next: &mut [NextSlot],
        places: &mut [Place],
        desk: &mut Arena<'_>,
    ) -> Result<usize> {
        check_limit(self.count, limits.tiles, Subject::Tiles)?;
        let firsts = desk.take::<u32>(limits.polygons as usize)?;
        next.fill(NextSlot { storage: NO_STORAGE, links: 0, marks: 0 });
        let (mut held, mut tiles) = (Held::default(), 0);
        self.slots(|slot, saved| {
            let Some(bytes) = saved.tile else { return Ok(()) };
            let tile = TileBytes::open(bytes, &self.fingerprint)?;
            held = held.plus(&Held { counts: tile.counts(), portals: validate::edges_on_sides(&tile) });
            held.check(limits)?;
            validate::tile(&tile, &self.params, &mut firsts[..tile.counts().polygons])?;
            next[slot] = NextSlot { storage: saved.at as Storage, links: 0, marks: NextSlot::STITCH };
            let header = tile.header();
            places[tiles] = Place { z: header.z, x: header.x, layer: header.layer, slot: slot as u32 };
            tiles += 1;
            Ok(())
        })?;
        let places = &mut places[..tiles];
        places.sort_unstable();
        match places.windows(2).find(|pair| pair[0].key() == pair[1].key()) {
            Some(pair) => Err(Error::format(Subject::TilePosition).at(pair[1].slot as usize)),
            None => Ok(tiles),
        }
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

/// Attaches every off-mesh link of a mesh that is still bytes; the sorted ways out, and how many.
fn gather_exits(saved: &SavedMesh<'_>, work: &mut Work<'_>, tiles: usize) -> Result<usize> {
    let mut count = 0;
    for slot in 0..work.next.len() {
        let storage = work.next[slot].storage;
        if storage == NO_STORAGE {
            continue;
        }
        let tile = Tiles::open(saved, storage);
        for index in 0..tile.counts().off_mesh {
            let places = &work.places[..tiles];
            // Ways out over off-mesh links know no portals.
            let rule = PortalRule::Throughout;
            let stitcher = Stitcher { params: &saved.params, rule, source: saved, next: work.next, places };
            if let Some(forward) = stitcher.resolve(slot as u32, index) {
                count = stitch::push_exits(work.exits, &tile, forward, count)?;
            }
        }
    }
    work.exits[..count].sort_unstable_by_key(Exit::order);
    Ok(count)
}
