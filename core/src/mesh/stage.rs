//! Staging: tiles and removals that wait for the next commit (`maul-nav/navmesh.md`).

use super::def::Tier;
use super::format::TileBytes;
use super::nav_mesh::NavMesh;
use super::places;
use super::pools::{Held, NO_STORAGE, Storage, check_limit};
use super::tile::{TileData, TileSource};
use super::validate;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::{Arena, Pod, Zeroable};

/// What the next commit does at a place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct StagedTile {
    pub z: i32,
    pub x: i32,
    pub layer: i32,
    /// The tile to be there, or none to be removed.
    pub storage: Storage,
    /// When it was staged, among the others.
    pub sequence: u32,
    /// The slot that a commit foresees for it.
    pub slot: u32,
}

impl StagedTile {
    pub(super) fn key(&self) -> (i32, i32, i32) {
        (self.z, self.x, self.layer)
    }

    fn held(&self) -> Option<Storage> {
        (self.storage != NO_STORAGE).then_some(self.storage)
    }
}

impl NavMesh<'_> {
    /// Checks a tile's bytes as hostile and stages the tile, in place of anything staged at its place before. Queries
    /// do not see it until [`commit`](NavMesh::commit).
    ///
    /// # Errors
    /// - Version and format errors that name what is wrong; the build fingerprint is compared before the content.
    /// - [`ErrorKind::Unsupported`] for a tile at a place where one is committed, below [`Tier::Dynamic`].
    /// - [`ErrorKind::Capacity`] with the limit that is reached. What was staged there before then still is.
    ///
    /// # Cost
    /// Linear in the tile, plus the polygons' corners squared; no memory beyond the mesh's.
    pub fn stage_tile(&mut self, bytes: &[u8]) -> Result<()> {
        let tile = TileBytes::open(bytes, &self.fingerprint)?;
        self.stage(&tile)
    }

    /// Stages a tile that was never written to bytes, as [`stage_tile`](NavMesh::stage_tile) does: it is taken to be
    /// built for this mesh's parameters.
    pub fn stage_tile_data(&mut self, tile: &TileData<'_>) -> Result<()> {
        validate::lengths(tile)?;
        self.stage(tile)
    }

    /// Stages the removal of the tile at a place, in place of anything staged there before. Where no tile is committed,
    /// the commit then does nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Capacity`] when the staged changes are full.
    pub fn stage_tile_removal(&mut self, x: i32, z: i32, layer: i32) -> Result<()> {
        self.put_staged(StagedTile { z, x, layer, storage: NO_STORAGE, ..StagedTile::default() })
    }

    /// Forgets everything that is staged.
    pub fn discard_staged(&mut self) {
        for i in 0..self.staged.len() {
            self.staged[i].held().into_iter().for_each(|storage| self.pools.release(storage));
        }
        self.clear_staged();
        self.off_mesh.discard_staged();
    }

    /// How many tiles and removals are staged.
    pub fn staged_count(&self) -> usize {
        self.staged.len()
    }

    pub(super) fn clear_staged(&mut self) {
        self.staged.clear();
        self.sequence = 0;
        self.edits.clear();
    }

    fn stage(&mut self, tile: &impl TileSource) -> Result<()> {
        let (header, counts) = (tile.header(), tile.counts());
        if u32::try_from(counts.byte_size()).is_err() {
            // A saved mesh could not hold it.
            return Err(Error::limit(Subject::TileBytes).value(counts.byte_size() as f64).bound(u32::MAX.into()));
        }
        check_limit(counts.polygons, self.limits.polygons, Subject::Polygons)?;
        let firsts = Arena::new(self.work).take_back(counts.polygons)?;
        validate::tile(tile, &self.params, firsts)?;
        if self.tier < Tier::Dynamic && places::find(&self.places, header.x, header.z, header.layer).is_ok() {
            return Err(Error::new(ErrorKind::Unsupported, Subject::Tile));
        }
        let place = StagedTile { z: header.z, x: header.x, layer: header.layer, ..StagedTile::default() };
        let before = match self.staged.binary_search_by_key(&place.key(), StagedTile::key) {
            Ok(found) => self.staged[found].held(),
            Err(_) => self.check_staged_room().map(|()| None)?,
        };
        let more = Held { counts, portals: validate::edges_on_sides(tile) };
        self.pools.held().minus(&self.pools.held_by(before)).plus(&more).check(&self.limits)?;
        // From here on nothing fails: what was staged here before makes room first.
        before.into_iter().for_each(|storage| self.pools.release(storage));
        let storage = self.pools.store(tile)?;
        self.set_staged(StagedTile { storage, ..place })
    }

    fn check_staged_room(&self) -> Result<()> {
        let limit = self.limits.staged as usize;
        if self.staged.len() >= limit { Err(Error::capacity(Subject::Staged, limit)) } else { Ok(()) }
    }

    fn put_staged(&mut self, change: StagedTile) -> Result<()> {
        match self.staged.binary_search_by_key(&change.key(), StagedTile::key) {
            Ok(found) => self.staged[found].held().into_iter().for_each(|storage| self.pools.release(storage)),
            Err(_) => self.check_staged_room()?,
        }
        self.set_staged(change)
    }

    /// Puts a change at its place. One staged there before passes on its turn; its ranges have been let go of.
    fn set_staged(&mut self, change: StagedTile) -> Result<()> {
        match self.staged.binary_search_by_key(&change.key(), StagedTile::key) {
            Ok(found) => self.staged[found] = StagedTile { sequence: self.staged[found].sequence, ..change },
            Err(at) => {
                self.staged.push(StagedTile { sequence: self.sequence, ..change }, Subject::Staged)?;
                self.sequence += 1;
                self.staged[at..].rotate_right(1);
            }
        }
        self.note();
        Ok(())
    }
}
