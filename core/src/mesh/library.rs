//! What a tile is, whatever was edited in it since: its content id, and where tiles are found by theirs
//! (`navmesh-snapshot.md`, "Tile content id").

use super::format;
use super::nav_mesh::NavMesh;
use super::pools::Storage;
use super::tile::{TilePolygon, TileSource};
use crate::bytes::{Sink, Writer};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::hash::{Sha256, sha256};
use crate::memory::{Pod, Zeroable};

/// The SHA-256 of a tile's bytes with the areas and flags that it was built with.
pub type ContentId = [u8; 32];

/// An id that is not known. No tile is found whose SHA-256 this is; if one were, its id would be computed anew each time.
pub(super) const NO_CONTENT: ContentId = [0; 32];

/// A polygon's area and flags as its builder made them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct AsBuilt {
    pub flags: u16,
    pub area: u8,
    reserved: u8,
}

impl AsBuilt {
    pub(super) fn of(polygon: &TilePolygon) -> AsBuilt {
        AsBuilt { flags: polygon.flags, area: polygon.area, reserved: 0 }
    }
}

impl NavMesh<'_> {
    /// The content id of the tile in a slot: the SHA-256 of its bytes as built, edits ignored. Hashes the tile, unless
    /// [`remember_content_ids`](NavMesh::remember_content_ids) has done so before.
    pub fn content_id(&self, slot: usize) -> Option<ContentId> {
        let storage = self.storage(slot)?;
        Some(self.content_of(storage))
    }

    /// Hashes every loaded tile whose content id is not known yet, so that snapshots that name tiles by it cost no
    /// hashing. An id is known as long as its tile is loaded.
    pub fn remember_content_ids(&mut self) {
        for slot in 0..self.slot_count {
            if let Some(storage) = self.storage(slot) {
                let id = self.content_of(storage);
                self.pools.set_content(storage, id);
            }
        }
    }

    pub(super) fn content_of(&self, storage: Storage) -> ContentId {
        self.pools.content(storage).unwrap_or_else(|| {
            let mut hash = Sha256::new();
            self.write_as_built(storage, &mut hash);
            hash.finish()
        })
    }

    /// How many bytes [`save_tile`](NavMesh::save_tile) writes; none for a slot without a tile.
    pub fn tile_size(&self, slot: usize) -> Option<usize> {
        self.tile(slot).map(|tile| tile.counts().byte_size())
    }

    /// Writes the tile in a slot as it was built, edits ignored (`ONPT`), and gives how many bytes that took: what
    /// [`add_tile`](NavMesh::add_tile) takes, and what a [`TileLibrary`] keeps for the snapshots that name it.
    ///
    /// # Errors
    /// A stale slot when it has none; a capacity error with the bytes that are needed when `out` is too short.
    pub fn save_tile(&self, slot: usize, out: &mut [u8]) -> Result<usize> {
        let storage = self.storage(slot).ok_or(Error::new(ErrorKind::Stale, Subject::Slot).at(slot))?;
        let mut writer = Writer::new(out);
        self.write_as_built(storage, &mut writer);
        writer.finish(Subject::TileBytes)
    }

    /// Writes a tile's bytes with the areas and flags that it was built with.
    pub(super) fn write_as_built(&self, storage: Storage, out: &mut impl Sink) {
        let (tile, built) = (self.pools.view(storage), self.pools.as_built(storage));
        let polygon = |i: usize| {
            let now = tile.polygon(i);
            built.get(i).map_or(now, |built| TilePolygon { area: built.area, flags: built.flags, ..now })
        };
        format::write_tile_with(&tile, polygon, &self.fingerprint, out);
    }
}

/// A tile's bytes beside their content id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LibraryTile<'a> {
    id: ContentId,
    bytes: &'a [u8],
}

impl<'a> LibraryTile<'a> {
    /// Names a tile's bytes by their content id. They are not looked at otherwise: whoever restores them does.
    pub fn new(bytes: &'a [u8]) -> LibraryTile<'a> {
        LibraryTile { id: sha256(bytes), bytes }
    }

    /// The tile's content id.
    pub fn id(&self) -> &ContentId {
        &self.id
    }

    /// The tile's bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

/// The tiles that a snapshot may name, found by content id: what a host keeps that loaded or built them.
#[derive(Clone, Copy, Debug, Default)]
pub struct TileLibrary<'a> {
    tiles: &'a [LibraryTile<'a>],
}

impl<'a> TileLibrary<'a> {
    /// No tiles: enough for a snapshot that holds its own.
    pub const NONE: TileLibrary<'static> = TileLibrary { tiles: &[] };

    /// A library of these tiles, which are sorted by id.
    pub fn new(tiles: &'a mut [LibraryTile<'a>]) -> TileLibrary<'a> {
        tiles.sort_unstable();
        TileLibrary { tiles }
    }

    /// How many tiles there are.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// The bytes of the tile with a content id.
    pub fn find(&self, id: &ContentId) -> Option<&'a [u8]> {
        self.position(id).map(|at| self.tiles[at].bytes)
    }

    /// Where a tile stands, for as long as the library does not change.
    pub(super) fn position(&self, id: &ContentId) -> Option<usize> {
        self.tiles.binary_search_by(|tile| tile.id.cmp(id)).ok()
    }

    /// The bytes of the tile that stands at a place; none past the last.
    pub(super) fn at(&self, place: usize) -> &'a [u8] {
        self.tiles.get(place).map_or(&[], |tile| tile.bytes)
    }
}
