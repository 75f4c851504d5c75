//! The commit: everything staged, applied at once or not at all.
//!
//! It first works out what the mesh would be (slots, places, ways out, link counts) in work memory and checks every
//! limit. Only then it frees, takes and writes; by then nothing can fail, so there is nothing to undo.

use super::nav_mesh::NavMesh;
use super::places::{self, Place};
use super::pools::{NO_STORAGE, Pools, Storage, check_limit};
use super::stitch::{self, Exit, LinkRoom, Stitcher, Tiles, column_across, push_exits};
use super::tile::TileData;
use super::view::{LINK_DISABLED, LINK_OFF_MESH, Link, Polygon, TileView};
use super::work::{NextSlot, Work};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::{Arena, Grain, sort_compactly};

impl Tiles for Pools<'_> {
    type Tile<'t>
        = TileView<'t>
    where
        Self: 't;
    fn open(&self, storage: Storage) -> TileView<'_> {
        self.view(storage)
    }
}

impl NavMesh<'_> {
    /// Applies everything staged at once: installs and removes tiles, adds and removes links and snaps every link's ends
    /// again, stitches what is touched, then changes areas, flags and switches. With nothing staged it does nothing.
    ///
    /// Removed tiles give up their slots first; then new tiles take the lowest free slots in staging order. A replaced
    /// tile keeps its slot. The references to replaced and removed tiles go stale, and so do the ids of removed links.
    ///
    /// # Errors
    /// [`ErrorKind::Capacity`] naming the tiles or the links, with the count that was wanted. The mesh is then as it
    /// was, and what was staged is still staged.
    ///
    /// # Cost
    /// Linear in the slots, the changed tiles and their neighbours, the off-mesh links and the crossings of staged links,
    /// and, with a small factor, in all links and polygons, whose islands are found anew.
    /// An end is looked for only when its link is new or a tile within its reach changes; that takes the polygons
    /// within its radius.
    pub fn commit(&mut self) -> Result<()> {
        if !self.has_staged_changes() {
            return Ok(());
        }
        let region = core::mem::take(&mut self.work);
        let result = self.commit_in(region);
        self.work = region;
        result
    }

    /// Stages a tile and commits it, at a place that holds none.
    ///
    /// # Errors
    /// Those of [`stage_tile`](NavMesh::stage_tile) and [`commit`](NavMesh::commit), after which nothing has changed;
    /// [`ErrorKind::State`] for a place that holds a tile, or while other changes are staged, which this call would
    /// commit along with its own.
    pub fn add_tile(&mut self, bytes: &[u8]) -> Result<()> {
        self.at_once(|mesh| {
            mesh.stage_tile(bytes)?;
            mesh.check_staged_place(false)
        })
    }

    /// Stages a tile and commits it, in place of the one that its place holds.
    ///
    /// # Errors
    /// As [`add_tile`](NavMesh::add_tile), but [`ErrorKind::NotLoaded`] for a place that holds no tile.
    pub fn replace_tile(&mut self, bytes: &[u8]) -> Result<()> {
        self.at_once(|mesh| {
            mesh.stage_tile(bytes)?;
            mesh.check_staged_place(true)
        })
    }

    /// Adds or replaces a tile that was never written to bytes: [`stage_tile_data`](NavMesh::stage_tile_data) and a
    /// commit in one.
    ///
    /// # Errors
    /// As [`add_tile`](NavMesh::add_tile), but for the place.
    pub fn put_tile_data(&mut self, tile: &TileData<'_>) -> Result<()> {
        self.at_once(|mesh| mesh.stage_tile_data(tile))
    }

    /// Stages the removal of the tile at a place and commits it.
    ///
    /// # Errors
    /// [`ErrorKind::NotLoaded`] for a place that holds no tile; [`ErrorKind::State`] while other changes are staged.
    pub fn remove_tile(&mut self, x: i32, z: i32, layer: i32) -> Result<()> {
        self.at_once(|mesh| {
            mesh.stage_tile_removal(x, z, layer)?;
            mesh.check_staged_place(true)
        })
    }

    fn has_staged_changes(&self) -> bool {
        !self.staged.is_empty() || !self.edits.is_empty() || self.off_mesh.waiting() > 0
    }

    /// A change of its own: staged, committed, and forgotten when it can't be.
    fn at_once(&mut self, stage: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.has_staged_changes() {
            return Err(Error::new(ErrorKind::State, Subject::Staged));
        }
        let result = stage(self).and_then(|()| self.commit());
        if result.is_err() {
            self.discard_staged();
        }
        result
    }

    /// Whether the one staged change finds its place as it needs it.
    fn check_staged_place(&self, occupied: bool) -> Result<()> {
        let Some(change) = self.staged.first() else { return Ok(()) };
        match (places::find(&self.places, change.x, change.z, change.layer).is_ok(), occupied) {
            (true, false) => Err(Error::new(ErrorKind::State, Subject::Tile)),
            (false, true) => Err(Error::new(ErrorKind::NotLoaded, Subject::Tile)),
            _ => Ok(()),
        }
    }

    fn commit_in(&mut self, region: &mut [Grain]) -> Result<()> {
        let mut work = Work::carve(&self.limits, &mut Arena::new(region))?;
        let tiles = self.foresee_slots(&mut work)?;
        self.foresee_places(&mut work, tiles);
        self.mark_columns(&mut work, tiles);
        let exits = self.foresee_exits(&mut work, tiles)?;
        let exits = self.foresee_crossings(&mut work, tiles, exits)?;
        sort_compactly(&mut work.exits[..exits], |a, b| a.order() < b.order());
        self.count_links(&mut work, tiles, exits)?;
        self.apply(&mut work, tiles, exits)
    }

    /// What each slot will hold, and how many tiles there will be.
    fn foresee_slots(&mut self, work: &mut Work<'_>) -> Result<usize> {
        for (next, &storage) in work.next.iter_mut().zip(self.storages.iter()) {
            *next = NextSlot { storage, links: 0, marks: 0 };
        }
        let (mut added, mut removed) = (0, 0);
        for i in 0..self.staged.len() {
            let change = self.staged[i];
            match places::find(&self.places, change.x, change.z, change.layer) {
                Ok(found) => {
                    let slot = self.places[found].slot;
                    self.staged[i].slot = slot;
                    work.next[slot as usize] = NextSlot { storage: change.storage, links: 0, marks: NextSlot::CHANGED };
                    removed += usize::from(change.storage == NO_STORAGE);
                }
                Err(_) if change.storage != NO_STORAGE => {
                    work.order[added] = i as u32;
                    added += 1;
                }
                Err(_) => {}
            }
        }
        let tiles = self.places.len() - removed + added;
        check_limit(tiles, self.limits.tiles, Subject::Tiles)?;
        let order = &mut work.order[..added];
        let sequence = |&i: &u32| self.staged.get(i as usize).map(|change| change.sequence);
        sort_compactly(order, |a, b| sequence(a) < sequence(b));
        let mut free = 0;
        for &mut i in order {
            free += work.next[free..].iter().take_while(|next| next.storage != NO_STORAGE).count();
            let staged = &mut self.staged[i as usize];
            staged.slot = free as u32;
            work.next[free] = NextSlot { storage: staged.storage, links: 0, marks: NextSlot::CHANGED };
        }
        Ok(tiles)
    }

    /// The places as they will be: two sorted arrays merged, where what is staged counts.
    fn foresee_places(&self, work: &mut Work<'_>, tiles: usize) {
        let (mut old, mut staged) = (self.places.iter().peekable(), self.staged.iter().peekable());
        for place in &mut work.places[..tiles] {
            *place = loop {
                let change = match (old.peek(), staged.peek()) {
                    (Some(have), Some(change)) if have.key() < change.key() => None,
                    (_, change) => change.copied(),
                };
                let Some(change) = change else { break old.next().copied().unwrap_or_default() };
                staged.next();
                old.next_if(|have| have.key() == change.key());
                if change.storage != NO_STORAGE {
                    break Place { z: change.z, x: change.x, layer: change.layer, slot: change.slot };
                }
            };
        }
    }

    /// Marks the tiles of every changed column and of its four neighbours to be stitched again.
    fn mark_columns(&self, work: &mut Work<'_>, tiles: usize) {
        let mut done = None;
        for change in self.staged.iter() {
            if done.replace((change.x, change.z)) == Some((change.x, change.z)) {
                continue;
            }
            let around = (0..4).filter_map(|side| column_across(change.x, change.z, side));
            for (x, z) in around.chain([(change.x, change.z)]) {
                for place in places::column(&work.places[..tiles], x, z) {
                    work.next[place.slot as usize].marks |= NextSlot::STITCH;
                }
            }
        }
    }

    pub(super) fn is_column_changed(&self, column: (i32, i32)) -> bool {
        let (x, z) = column;
        let at = self.staged.partition_point(|change| (change.z, change.x) < (z, x));
        self.staged.get(at).is_some_and(|change| (change.x, change.z) == (x, z))
    }

    /// Every way out over a tile's off-mesh link, and how many; marks the tiles whose ways out may differ.
    ///
    /// A link is attached anew when its owner changes or the column under its end does; all others keep their ends.
    fn foresee_exits(&self, work: &mut Work<'_>, tiles: usize) -> Result<usize> {
        let mut count = 0;
        if self.pools.held().counts.off_mesh == 0 {
            return Ok(count);
        }
        for slot in 0..work.next.len() {
            let (old, next) = (self.storages[slot], work.next[slot]);
            let changed = next.marks & NextSlot::CHANGED != 0;
            if changed && old != NO_STORAGE {
                // The far ends of a tile that goes lose its links.
                for link in self.links.get(old as usize).iter().filter(|link| is_forward(link)) {
                    work.next[link.target.slot() as usize].marks |= NextSlot::STITCH;
                }
            }
            let Some(links) =
                (next.storage != NO_STORAGE).then(|| self.pools.off_mesh.get(next.storage as usize).len())
            else {
                continue;
            };
            if links == 0 {
                continue;
            }
            if !changed {
                count = self.keep_exits(work, slot as u32, count)?;
            }
            for index in 0..links {
                count = self.attach_again(work, tiles, (slot as u32, index), count)?;
            }
        }
        Ok(count)
    }

    /// The ways out of an unchanged owner whose ends stand in unchanged columns, taken from its links.
    fn keep_exits(&self, work: &mut Work<'_>, slot: u32, mut count: usize) -> Result<usize> {
        let Some(tile) = self.tile(slot as usize) else { return Ok(count) };
        for (p, polygon) in tile.polygons.iter().enumerate() {
            for link in tile.links_of(polygon).iter().filter(|link| is_forward(link)) {
                let target = link.target;
                let header = self.pools.header(self.storages[target.slot() as usize]);
                if self.is_column_changed((header.x, header.z)) {
                    continue;
                }
                let forward = Exit {
                    slot,
                    polygon: p as u32,
                    kind: LINK_OFF_MESH.into(),
                    owner_slot: slot,
                    index: link.index,
                    target_slot: target.slot(),
                    target_polygon: target.index(),
                    disabled: u32::from(link.kind & LINK_DISABLED != 0),
                };
                count = push_exits(work.exits, &tile, forward, count)?;
            }
        }
        Ok(count)
    }

    fn attach_again(
        &self,
        work: &mut Work<'_>,
        tiles: usize,
        (slot, index): (u32, usize),
        count: usize,
    ) -> Result<usize> {
        let next = work.next[slot as usize];
        let owner = self.pools.view(next.storage);
        let stitcher = Stitcher {
            params: &self.params,
            rule: self.portals,
            source: &self.pools,
            next: work.next,
            places: &work.places[..tiles],
        };
        let column = stitcher.end_column(&owner, index);
        if next.marks & NextSlot::CHANGED == 0 && !column.is_some_and(|column| self.is_column_changed(column)) {
            return Ok(count);
        }
        let found = stitcher.resolve(slot, index);
        work.next[slot as usize].marks |= NextSlot::STITCH;
        let Some(forward) = found else { return Ok(count) };
        work.next[forward.target_slot as usize].marks |= NextSlot::STITCH;
        push_exits(work.exits, &owner, forward, count)
    }

    /// Counts the links of every tile that is stitched again, and checks the limit of all.
    fn count_links(&self, work: &mut Work<'_>, tiles: usize, exits: usize) -> Result<()> {
        let again = stitch::count_links((&self.params, self.portals), &self.pools, work, (tiles, exits), &self.slots)?;
        let changed = work.next.iter().zip(self.storages.iter()).filter(|(next, _)| next.marks != 0);
        let gone: usize = changed.map(|(_, &old)| self.links.get(old as usize).len()).sum();
        let kept = (self.limits.links as usize - self.links.free_total()).saturating_sub(gone);
        check_limit(again.saturating_add(kept), self.limits.links, Subject::Links)
    }

    /// Frees, takes and writes. Every limit has been checked.
    fn apply(&mut self, work: &mut Work<'_>, tiles: usize, exits: usize) -> Result<()> {
        // Edits of areas, flags and switches join nothing and part nothing.
        let joins_anew = !self.staged.is_empty() || self.off_mesh.waiting() > 0;
        self.free_changed(work);
        self.turn_slots(work);
        self.places.clear();
        work.places[..tiles].iter().try_for_each(|&place| self.places.push(place, Subject::Tiles))?;
        for next in work.next.iter().filter(|next| next.marks & NextSlot::STITCH != 0 && next.storage != NO_STORAGE) {
            self.links.take(next.storage as usize, next.links as usize, Subject::Links)?;
        }
        self.write_links(work, (tiles, exits))?;
        self.settle_crossings(work);
        if joins_anew {
            self.join_islands();
        }
        self.staged.clear();
        self.sequence = 0;
        self.apply_edits();
        self.off_mesh.weigh();
        self.version += 1;
        self.note();
        Ok(())
    }

    fn free_changed(&mut self, work: &Work<'_>) {
        for (next, &old) in work.next.iter().zip(self.storages.iter()).filter(|&(_, &old)| old != NO_STORAGE) {
            if next.marks != 0 {
                self.links.release(old as usize);
            }
            if next.marks & NextSlot::CHANGED != 0 {
                self.pools.release(old);
            }
        }
    }

    /// Advances the salts of slots whose tile goes, and hands the foreseen slots out.
    fn turn_slots(&mut self, work: &Work<'_>) {
        for (slot, next) in work.next.iter().enumerate().filter(|(_, next)| next.marks & NextSlot::CHANGED != 0) {
            match (self.storages[slot] != NO_STORAGE, next.storage != NO_STORAGE) {
                (true, true) => self.slots.advance(slot),
                (true, false) => self.slots.release(slot),
                (false, true) => {
                    let salt = self.slots.salt(slot);
                    // The slot exists and its salt is not 0: this can't be refused.
                    let _ = self.slots.restore(slot, salt, true);
                    self.slot_count = self.slot_count.max(slot + 1);
                }
                (false, false) => {}
            }
            self.storages[slot] = next.storage;
        }
    }

    /// Writes the links of every marked tile, and sums up what is known of all.
    pub(super) fn write_links(&mut self, work: &mut Work<'_>, (tiles, exits): (usize, usize)) -> Result<()> {
        for slot in 0..work.next.len() {
            let next = work.next[slot];
            if next.storage == NO_STORAGE || next.marks & NextSlot::STITCH == 0 {
                continue;
            }
            let places = &work.places[..tiles];
            let stitcher =
                Stitcher { params: &self.params, rule: self.portals, source: &self.pools, next: work.next, places };
            let links = self.links.get_mut(next.storage as usize);
            let mut room = LinkRoom::writing(links);
            stitcher.stitch(slot as u32, &work.exits[..exits], work.portals, &self.slots, &mut room)?;
            hand_out(self.pools.polygons.get_mut(next.storage as usize), links);
            let sides = self.pools.header(next.storage).sides;
            let is_open = |side: &u8| sides >> side & 1 == 1 && !self.has_tile_beyond(slot as u32, *side);
            let open = (0..4).filter(is_open).fold(0, |open, side| open | 1 << side);
            self.pools.set_open_sides(next.storage, open);
        }
        self.sum_up();
        Ok(())
    }
}

/// Gives each polygon its run of links; until now each link named its polygon.
fn hand_out(polygons: &mut [Polygon], links: &mut [Link]) {
    let mut first = 0;
    for (p, polygon) in polygons.iter_mut().enumerate() {
        let count = links[first..].iter().take_while(|link| link.reserved == p as u32).count();
        links[first..first + count].iter_mut().for_each(|link| link.reserved = 0);
        (polygon.first_link, polygon.link_count) = (first as u32, count as u32);
        first += count;
    }
}

fn is_forward(link: &Link) -> bool {
    link.kind & !LINK_DISABLED == LINK_OFF_MESH
}
