//! What a commit does to the links staged on the mesh: it foresees where their ends snap, and writes that down once
//! nothing can fail any more.

use super::def::LinkDef;
use super::snap::{Place, Snap, Snapper};
use super::table::{LinkCrossing, Record, Stage};
use crate::error::{Error, Result, Subject};
use crate::mesh::nav_mesh::NavMesh;
use crate::mesh::reference::PolyRef;
use crate::mesh::stitch::Exit;
use crate::mesh::view::{LINK_DISABLED, LINK_STAGED, LINK_STAGED_REVERSE, Link};
use crate::mesh::work::{NextSlot, Work};

impl NavMesh<'_> {
    /// Snaps the ends of every link that stays or comes, adds their ways out to the `count` there are, and marks the
    /// tiles whose ways out differ. Returns how many ways out there are then.
    pub(in crate::mesh) fn foresee_crossings(
        &self,
        work: &mut Work<'_>,
        tiles: usize,
        mut count: usize,
    ) -> Result<usize> {
        let mut snapped = 0;
        for slot in 0..self.off_mesh.reach() {
            let (Some(stage), Some(record)) = (self.off_mesh.stage_of(slot), self.off_mesh.record(slot)) else {
                continue;
            };
            let (def, crossings) = (record.def(), self.off_mesh.crossings(slot));
            for (index, crossing) in crossings.iter().enumerate() {
                if stage == Stage::Going {
                    mark_polygons(work.next, crossing);
                    continue;
                }
                let wanted = wanted(&def, index, crossings.len());
                let ends = [0, 1].map(|side| self.foresee_end(work, tiles, wanted[side], stage, crossing, side));
                work.snaps[snapped..snapped + 2].copy_from_slice(&ends);
                snapped += 2;
                if !is_kept(work.next, crossing, &ends) {
                    mark_polygons(work.next, crossing);
                    mark_snaps(work.next, &ends);
                }
                count = push_exits(work.exits, record, (slot, index), &ends, count)?;
            }
        }
        Ok(count)
    }

    /// One end of a crossing as it will be: where it is, unless the link is new or a tile that it could reach changes.
    fn foresee_end(
        &self,
        work: &Work<'_>,
        tiles: usize,
        wanted: Place,
        stage: Stage,
        crossing: &LinkCrossing,
        side: usize,
    ) -> Snap {
        if stage == Stage::There && !self.is_changed_near(wanted) {
            return Snap::kept(crossing.points[side], crossing.polygons[side]);
        }
        let places = &work.places[..tiles];
        Snapper { params: &self.params, pools: &self.pools, next: work.next, places }.snap(wanted)
    }

    fn is_changed_near(&self, wanted: Place) -> bool {
        if self.staged.is_empty() {
            return false;
        }
        let Some(columns) = wanted.columns(&self.params, self.pools.overhangs()) else { return true };
        match columns.few(self.staged.len()) {
            Some(mut few) => few.any(|column| self.is_column_changed(column)),
            None => self.staged.iter().any(|change| columns.hold(change.x, change.z)),
        }
    }

    /// Writes down what [`foresee_crossings`](NavMesh::foresee_crossings) has found; slots have their new salts by now.
    pub(in crate::mesh) fn settle_crossings(&mut self, work: &Work<'_>) {
        let mut snaps = work.snaps.chunks_exact(2);
        for slot in 0..self.off_mesh.reach() {
            if !matches!(self.off_mesh.stage_of(slot), Some(Stage::Coming | Stage::There)) {
                continue;
            }
            for (crossing, ends) in self.off_mesh.crossings_mut(slot).iter_mut().zip(&mut snaps) {
                crossing.points = [ends[0].point, ends[1].point];
                crossing.polygons = [0, 1].map(|side: usize| {
                    let Snap { slot, polygon, .. } = ends[side];
                    if !ends[side].is_somewhere() {
                        return PolyRef::NONE;
                    }
                    PolyRef::new(self.slots.salt(slot as usize), slot, polygon)
                });
            }
        }
        self.off_mesh.apply_staged();
    }

    /// Sets the mark of a disabled link in its slot and in the links over its crossings.
    pub(in crate::mesh) fn switch_staged(&mut self, slot: usize, enabled: bool) {
        self.off_mesh.set_enabled(slot, enabled);
        for index in 0..self.off_mesh.crossings(slot).len() {
            for polygon in self.off_mesh.crossings(slot)[index].polygons {
                for link in self.links_of_mut(polygon).iter_mut().filter(|link| is_over(link, slot)) {
                    link.kind = link.kind & !LINK_DISABLED | if enabled { 0 } else { LINK_DISABLED };
                }
            }
        }
    }

    fn links_of_mut(&mut self, polygon: PolyRef) -> &mut [Link] {
        let Some(storage) = self.storage(polygon.slot() as usize).filter(|_| !polygon.is_none()) else {
            return &mut [];
        };
        let polygons = self.pools.polygons.get(storage as usize);
        let Some(record) = polygons.get(polygon.index() as usize) else { return &mut [] };
        let first = record.first_link as usize;
        self.links.get_mut(storage as usize).get_mut(first..first + record.link_count as usize).unwrap_or(&mut [])
    }
}

fn is_over(link: &Link, slot: usize) -> bool {
    matches!(link.kind & !LINK_DISABLED, LINK_STAGED | LINK_STAGED_REVERSE) && link.owner_slot as usize == slot
}

/// Where a crossing's ends want to lie.
fn wanted(def: &LinkDef, index: usize, count: usize) -> [Place; 2] {
    def.crossing(index, count).map(|point| Place { point, radius: def.radius })
}

/// Whether a crossing leads from where to where it did, between tiles that stay.
fn is_kept(next: &[NextSlot], crossing: &LinkCrossing, ends: &[Snap; 2]) -> bool {
    let stays = |side: usize| {
        let (old, new) = (Snap::kept(crossing.points[side], crossing.polygons[side]), ends[side]);
        let changed = next.get(new.slot as usize).is_some_and(|next| next.marks & NextSlot::CHANGED != 0);
        (old.slot, old.polygon) == (new.slot, new.polygon) && !changed
    };
    let leads = ends[0].is_somewhere() && ends[1].is_somewhere();
    (crossing.is_attached() == leads) && (!leads || stays(0) && stays(1))
}

/// Marks the tiles that hold the ways out over a crossing as it is.
fn mark_polygons(next: &mut [NextSlot], crossing: &LinkCrossing) {
    if crossing.is_attached() {
        crossing.polygons.into_iter().for_each(|polygon| mark(next, polygon.slot()));
    }
}

/// Marks the tiles that will hold them.
fn mark_snaps(next: &mut [NextSlot], ends: &[Snap; 2]) {
    if ends.iter().all(Snap::is_somewhere) {
        ends.iter().for_each(|end| mark(next, end.slot));
    }
}

fn mark(next: &mut [NextSlot], slot: u32) {
    if let Some(next) = next.get_mut(slot as usize) {
        next.marks |= NextSlot::STITCH;
    }
}

/// Adds the ways out over a crossing that leads somewhere, behind those there are.
fn push_exits(
    exits: &mut [Exit],
    record: &Record,
    (slot, index): (usize, usize),
    ends: &[Snap; 2],
    count: usize,
) -> Result<usize> {
    if !ends.iter().all(Snap::is_somewhere) {
        return Ok(count);
    }
    let ways = if record.is_two_way() { 2 } else { 1 };
    let limit = exits.len();
    let room = exits.get_mut(count..count + ways).ok_or(Error::capacity(Subject::LinkCrossings, limit))?;
    for (way, exit) in room.iter_mut().enumerate() {
        let (from, to) = (ends[way], ends[1 - way]);
        *exit = Exit {
            slot: from.slot,
            polygon: from.polygon,
            kind: if way == 0 { LINK_STAGED } else { LINK_STAGED_REVERSE }.into(),
            owner_slot: slot as u32,
            index: index as u32,
            target_slot: to.slot,
            target_polygon: to.polygon,
            disabled: (!record.is_enabled()).into(),
        };
    }
    Ok(count + ways)
}
