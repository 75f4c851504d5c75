//! Putting a mesh's whole state in place of another, all or nothing: what saved meshes and snapshots share.
//!
//! The bytes are walked twice. The first walk checks everything and foresees slots, places and links in the mesh's work
//! memory; the second, which can't be refused, stores the tiles. In between the mesh is untouched.

use super::def::{MeshLimits, PortalRule};
use super::format::TileBytes;
use super::nav_mesh::NavMesh;
use super::params::{Fingerprint, MeshParams};
use super::places::Place;
use super::pools::{Held, NO_STORAGE, Storage, check_limit};
use super::stitch::{self, Stitcher, Tiles};
use super::tile::{MAX_AREA, TileSource};
use super::validate;
use super::work::{self, NextSlot, Work};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Grain, sort_compactly};

/// A polygon that was edited: its index, area and flags.
pub(super) type EditRecord = [u8; 7];

/// One slot of a saved state.
pub(super) struct SavedSlot<'a> {
    pub salt: u32,
    pub tile: Option<SavedTile<'a>>,
}

/// A tile of a saved state, and what was changed in it since it was built.
#[derive(Clone, Copy)]
pub(super) struct SavedTile<'a> {
    pub bytes: &'a [u8],
    /// How [`Tiles::open`] finds it.
    pub storage: Storage,
    /// Polygons whose area or flags are not those in the bytes.
    pub edits: &'a [EditRecord],
    /// Off-mesh links that are switched off.
    pub disabled: &'a [[u8; 4]],
}

/// A saved state, to be walked slot by slot. Every walk gives the same.
pub(super) trait SavedSlots: Tiles {
    fn params(&self) -> &MeshParams;
    fn fingerprint(&self) -> &Fingerprint;
    /// How many slots there are.
    fn count(&self) -> usize;
    /// Walks the slots and checks that nothing follows the last.
    fn slots(&self, each: impl FnMut(usize, SavedSlot<'_>) -> Result<()>) -> Result<()>;
}

/// Limits that a saved state fills exactly, with nothing staged, links excepted.
pub(super) fn limits(saved: &impl SavedSlots) -> Result<MeshLimits> {
    let mut held = Held::default();
    saved.slots(|_, slot| {
        if let Some(SavedTile { bytes, .. }) = slot.tile {
            let tile = TileBytes::open(bytes, saved.fingerprint())?;
            held = held.plus(&Held { counts: tile.counts(), portals: validate::edges_on_sides(&tile) });
        }
        Ok(())
    })?;
    let counts = held.counts;
    Ok(MeshLimits {
        tiles: saved.count().max(1) as u32,
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

impl NavMesh<'_> {
    /// Restores a saved state whose framing has been checked.
    pub(super) fn restore_slots(&mut self, saved: &impl SavedSlots) -> Result<()> {
        if saved.params().to_bytes() != self.params.to_bytes() {
            return Err(Error::format(Subject::Fingerprint));
        }
        let region = core::mem::take(&mut self.work);
        let result = self.restore_in(saved, region);
        self.work = region;
        result
    }

    fn restore_in<S: SavedSlots>(&mut self, saved: &S, region: &mut [Grain]) -> Result<()> {
        let mut arena = Arena::new(region);
        let (next, places) = work::carve_state(&self.limits, &mut arena)?;
        let tiles = arena.scope(|desk| check(saved, &self.limits, next, places, desk))?;
        let mut work = Work::carve_rest(&self.limits, next, places, &mut arena)?;
        let exits = gather_exits(saved, &mut work, tiles)?;
        let total = stitch::count_links((&self.params, self.portals), saved, &mut work, (tiles, exits), &self.slots)?;
        check_limit(total, self.limits.links, Subject::Links)?;
        self.install(saved, &mut work, tiles, exits)
    }

    /// Puts the saved state in place of the current one. Everything has been checked.
    fn install<S: SavedSlots>(&mut self, saved: &S, work: &mut Work<'_>, tiles: usize, exits: usize) -> Result<()> {
        self.pools.reset();
        self.links.reset();
        self.slots.reset();
        self.places.clear();
        self.off_mesh.clear();
        self.clear_staged();
        self.storages.fill(NO_STORAGE);
        saved.slots(|slot, saved_slot| {
            self.slots.restore(slot, saved_slot.salt, saved_slot.tile.is_some())?;
            if let Some(tile) = saved_slot.tile {
                let storage = self.pools.store(&Tiles::open(saved, work.next[slot].storage))?;
                self.links.take(storage as usize, work.next[slot].links as usize, Subject::Links)?;
                work.next[slot].storage = storage;
                self.storages[slot] = storage;
                self.edit_polygons(storage, tile.edits);
            }
            Ok(())
        })?;
        self.slot_count = saved.count();
        work.places[..tiles].iter().try_for_each(|&place| self.places.push(place, Subject::Tiles))?;
        self.write_links(work, (tiles, exits))?;
        saved.slots(|slot, saved_slot| {
            let disabled = saved_slot.tile.map_or(&[][..], |tile| tile.disabled);
            disabled.iter().for_each(|&index| self.switch(slot as u32, u32::from_le_bytes(index), false));
            Ok(())
        })?;
        self.join_islands();
        self.version += 1;
        self.note();
        Ok(())
    }

    fn edit_polygons(&mut self, storage: Storage, edits: &[EditRecord]) {
        let polygons = self.pools.polygons.get_mut(storage as usize);
        for edit in edits {
            let (index, area, flags) = unpack(edit);
            if let Some(polygon) = polygons.get_mut(index) {
                (polygon.area, polygon.flags) = (area, flags);
            }
        }
    }
}

fn unpack(&[a, b, c, d, area, low, high]: &EditRecord) -> (usize, u8, u16) {
    (u32::from_le_bytes([a, b, c, d]) as usize, area, u16::from_le_bytes([low, high]))
}

/// Checks every tile, the places and the limits; notes where each slot's tile lies and the sorted places. Returns the
/// number of tiles.
fn check(
    saved: &impl SavedSlots,
    limits: &MeshLimits,
    next: &mut [NextSlot],
    places: &mut [Place],
    desk: &mut Arena<'_>,
) -> Result<usize> {
    check_limit(saved.count(), limits.tiles, Subject::Tiles)?;
    let firsts = desk.take::<u32>(limits.polygons as usize)?;
    next.fill(NextSlot { storage: NO_STORAGE, links: 0, marks: 0 });
    let (mut held, mut tiles) = (Held::default(), 0);
    saved.slots(|slot, saved_slot| {
        let Some(found) = saved_slot.tile else { return Ok(()) };
        let tile = TileBytes::open(found.bytes, saved.fingerprint())?;
        held = held.plus(&Held { counts: tile.counts(), portals: validate::edges_on_sides(&tile) });
        held.check(limits)?;
        validate::tile(&tile, saved.params(), &mut firsts[..tile.counts().polygons])?;
        check_edits(slot, &tile, found.edits)?;
        check_disabled(slot, &tile, found.disabled)?;
        next[slot] = NextSlot { storage: found.storage, links: 0, marks: NextSlot::STITCH };
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

/// Edits name polygons of the tile in rising order, an area that there is, and a difference: one state has one encoding.
fn check_edits(slot: usize, tile: &TileBytes<'_>, edits: &[EditRecord]) -> Result<()> {
    let mut least = 0;
    for (at, edit) in edits.iter().enumerate() {
        let (index, area, flags) = unpack(edit);
        let refused = |subject| Err(Error::format(subject).at(slot).part(at));
        if index < least || index >= tile.counts().polygons {
            return refused(Subject::Polygon).map_err(|error: Error| error.value(index as f64));
        }
        if area > MAX_AREA {
            return refused(Subject::Area).map_err(|error: Error| error.value(area.into()).bound(MAX_AREA.into()));
        }
        let built = tile.polygon(index);
        if (built.area, built.flags) == (area, flags) {
            return refused(Subject::PolygonEdits);
        }
        least = index + 1;
    }
    Ok(())
}

fn check_disabled(slot: usize, tile: &TileBytes<'_>, disabled: &[[u8; 4]]) -> Result<()> {
    let mut least = 0;
    for (at, &record) in disabled.iter().enumerate() {
        let index = u32::from_le_bytes(record) as usize;
        if index < least || index >= tile.counts().off_mesh {
            return Err(Error::format(Subject::OffMeshLink).at(slot).part(at).value(index as f64));
        }
        least = index + 1;
    }
    Ok(())
}

/// Attaches every off-mesh link of a mesh that is still bytes; the sorted ways out, and how many.
fn gather_exits<S: SavedSlots>(saved: &S, work: &mut Work<'_>, tiles: usize) -> Result<usize> {
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
            let stitcher = Stitcher { params: saved.params(), rule, source: saved, next: work.next, places };
            if let Some(forward) = stitcher.resolve(slot as u32, index) {
                count = stitch::push_exits(work.exits, &tile, forward, count)?;
            }
        }
    }
    sort_compactly(&mut work.exits[..count], |a, b| a.order() < b.order());
    Ok(count)
}
