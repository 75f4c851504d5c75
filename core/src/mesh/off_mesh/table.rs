//! The links of a mesh: numbered slots with generations, and each link's crossings as they are snapped.

use super::def::{LINK_KINDS, LinkDef};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::distance;
use crate::memory::{Arena, Plan, Pod, RangePool, Ruler, SlotPool, Zeroable};
use crate::mesh::reference::PolyRef;

const SLOT_BITS: u32 = 20;

/// Names a staged link: a salt (24 bits) that goes stale when the link goes, and a slot (20 bits).
///
/// Salt 0 is never issued, so the zero value names nothing.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkId(pub u64);

impl LinkId {
    /// The id that names nothing.
    pub const NONE: LinkId = LinkId(0);

    /// The id of a slot with a salt; each part is reduced to its bits.
    pub const fn new(salt: u32, slot: u32) -> LinkId {
        LinkId((salt as u64 & 0xFF_FFFF) << SLOT_BITS | slot as u64 & ((1 << SLOT_BITS) - 1))
    }

    /// The salt of the slot when the id was made.
    pub const fn salt(self) -> u32 {
        (self.0 >> SLOT_BITS) as u32
    }

    /// The link's slot.
    pub const fn slot(self) -> u32 {
        (self.0 & ((1 << SLOT_BITS) - 1)) as u32
    }

    /// Whether it names nothing.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// Where a link is crossed, as the last commit snapped it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkCrossing {
    /// The points on the start's and the end's polygon; where there is none, the one that was wanted.
    pub points: [[f64; 3]; 2],
    /// The polygons that the start and the end are snapped to, or [`PolyRef::NONE`].
    pub polygons: [PolyRef; 2],
}

impl LinkCrossing {
    /// Whether both ends are snapped to a polygon: only then it leads anywhere.
    pub const fn is_attached(&self) -> bool {
        !self.polygons[0].is_none() && !self.polygons[1].is_none()
    }
}

/// Where a link stands between its staging and its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mesh) enum Stage {
    /// Its addition is staged.
    Coming,
    /// It is committed.
    There,
    /// It is committed, and its removal is staged.
    Going,
}

/// A crossing of a committed link, as a search needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StagedCrossing {
    pub id: LinkId,
    pub kind: u8,
    pub cost: f64,
    /// Its start and its end.
    pub points: [[f64; 3]; 2],
}

const COMMITTED: u32 = 1;
const GOING: u32 = 2;
const DISABLED: u32 = 4;
const TWO_WAY: u32 = 8;

/// A link as it was defined, and its marks.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(in crate::mesh) struct Record {
    start: [f64; 3],
    end: [f64; 3],
    radius: f64,
    pub cost: f64,
    width: f64,
    marks: u32,
    pub kind: u32,
}

impl Record {
    fn of(def: &LinkDef) -> Record {
        Record {
            start: def.start,
            end: def.end,
            radius: def.radius,
            cost: def.cost,
            width: def.width,
            marks: if def.two_way { TWO_WAY } else { 0 },
            kind: def.kind.into(),
        }
    }

    pub(in crate::mesh) fn def(&self) -> LinkDef {
        LinkDef {
            start: self.start,
            end: self.end,
            radius: self.radius,
            cost: self.cost,
            width: self.width,
            kind: self.kind as u8,
            two_way: self.is_two_way(),
        }
    }

    pub(in crate::mesh) fn stage(&self) -> Stage {
        match (self.marks & COMMITTED != 0, self.marks & GOING != 0) {
            (false, _) => Stage::Coming,
            (true, false) => Stage::There,
            (true, true) => Stage::Going,
        }
    }

    pub(in crate::mesh) fn is_two_way(&self) -> bool {
        self.marks & TWO_WAY != 0
    }

    pub(in crate::mesh) fn is_enabled(&self) -> bool {
        self.marks & DISABLED == 0
    }

    fn set(&mut self, mark: u32, on: bool) {
        self.marks = self.marks & !mark | if on { mark } else { 0 };
    }
}

/// All links of a mesh, staged and committed.
#[derive(Debug)]
pub(in crate::mesh) struct LinkTable<'m> {
    slots: SlotPool<'m>,
    records: &'m mut [Record],
    crossings: RangePool<'m, LinkCrossing>,
    /// Each kind's least cost per unit of length among the crossings that may be crossed; infinite where there is none.
    cheapest: &'m mut [f64],
    /// The kinds of crossings that may be crossed, a bit for each.
    kinds: u64,
    /// One past the highest slot that was ever used.
    reach: usize,
    /// How many links wait to be added or removed.
    waiting: usize,
}

const fn kinds_of(limit: usize) -> usize {
    if limit == 0 { 0 } else { LINK_KINDS }
}

impl<'m> LinkTable<'m> {
    /// A link has at least one crossing, so the limit of crossings is one of links too.
    pub(in crate::mesh) const fn plan(limit: usize) -> Plan {
        Ruler::new()
            .then(SlotPool::plan(limit))
            .array::<Record>(limit)
            .then(RangePool::<LinkCrossing>::plan(limit, limit))
            .array::<f64>(kinds_of(limit))
            .plan()
    }

    pub(in crate::mesh) fn new(limit: usize, arena: &mut Arena<'m>) -> Result<Self> {
        let table = LinkTable {
            slots: SlotPool::new(limit, arena)?,
            records: arena.take(limit)?,
            crossings: RangePool::new(limit, limit, arena)?,
            cheapest: arena.take(kinds_of(limit))?,
            kinds: 0,
            reach: 0,
            waiting: 0,
        };
        table.cheapest.fill(f64::INFINITY);
        Ok(table)
    }

    /// Takes a slot and crossings for a link that was judged, to come with the next commit.
    pub(in crate::mesh) fn add(&mut self, def: &LinkDef, crossings: usize) -> Result<LinkId> {
        if crossings > self.crossings.free_total() {
            let wanted = self.crossings.used() + crossings;
            let limit = self.crossings.capacity();
            return Err(Error::capacity(Subject::LinkCrossings, limit).value(wanted as f64));
        }
        let slot = self.slots.take(Subject::LinkCrossings)?;
        self.crossings.take(slot, crossings, Subject::LinkCrossings)?;
        self.crossings.get_mut(slot).fill(LinkCrossing::default());
        self.records[slot] = Record::of(def);
        self.reach = self.reach.max(slot + 1);
        self.waiting += 1;
        Ok(LinkId::new(self.slots.salt(slot), slot as u32))
    }

    /// Marks a link to go with the next commit; one that has not come yet goes at once.
    pub(in crate::mesh) fn remove(&mut self, id: LinkId) -> Result<()> {
        let slot = self.find(id)?;
        match self.records[slot].stage() {
            Stage::Coming => {
                self.free(slot);
                self.waiting -= 1;
            }
            Stage::There => {
                self.records[slot].set(GOING, true);
                self.waiting += 1;
            }
            Stage::Going => {}
        }
        Ok(())
    }

    /// Takes back every addition and removal that is staged.
    pub(in crate::mesh) fn discard_staged(&mut self) {
        for slot in 0..self.reach {
            match self.stage_of(slot) {
                Some(Stage::Coming) => self.free(slot),
                Some(Stage::Going) => self.records[slot].set(GOING, false),
                _ => {}
            }
        }
        self.waiting = 0;
    }

    /// Adds what comes and frees what goes.
    pub(in crate::mesh) fn apply_staged(&mut self) {
        for slot in 0..self.reach {
            match self.stage_of(slot) {
                Some(Stage::Coming) => self.records[slot].set(COMMITTED, true),
                Some(Stage::Going) => self.free(slot),
                _ => {}
            }
        }
        self.waiting = 0;
    }

    /// Takes over another table's links under their ids, each to come with the next commit, switched as it is. What is
    /// staged there stays behind; ids that are stale there are stale here.
    ///
    /// Refused when they don't fit: then there are none.
    pub(in crate::mesh) fn copy(&mut self, other: &LinkTable<'_>) -> Result<()> {
        self.clear();
        let stays = |slot: usize| matches!(other.stage_of(slot), Some(Stage::There | Stage::Going));
        let wanted = (0..other.reach).filter(|&slot| stays(slot)).map(|slot| other.crossings(slot).len()).sum();
        let limit = self.crossings.capacity();
        // A slot needs a place too, also one that is free by now: its salt is what makes old ids stale.
        let wanted = other.reach.max(wanted);
        if wanted > limit {
            return Err(Error::capacity(Subject::LinkCrossings, limit).value(wanted as f64));
        }
        for slot in 0..other.reach {
            self.slots.restore(slot, other.slots.salt(slot), stays(slot))?;
            if stays(slot) {
                let record = &mut self.records[slot];
                *record = other.records[slot];
                record.set(COMMITTED | GOING, false);
                self.crossings.take(slot, other.crossings(slot).len(), Subject::LinkCrossings)?;
                self.crossings.get_mut(slot).fill(LinkCrossing::default());
                self.waiting += 1;
            }
        }
        self.reach = self.reach.max(other.reach);
        Ok(())
    }

    /// Frees every link.
    pub(in crate::mesh) fn clear(&mut self) {
        (0..self.reach).for_each(|slot| self.free(slot));
        self.waiting = 0;
        self.weigh();
    }

    fn free(&mut self, slot: usize) {
        self.crossings.release(slot);
        self.slots.release(slot);
    }

    /// The slot of a link, staged or committed.
    ///
    /// Stale for one that is gone, invalid for an id that was never handed out.
    pub(in crate::mesh) fn find(&self, id: LinkId) -> Result<usize> {
        let slot = id.slot() as usize;
        let (salt, now) = (id.salt(), self.slots.salt(slot));
        let error = |kind| Err(Error::new(kind, Subject::Link).at(slot));
        if salt == 0 || id.0 >> 44 != 0 || salt > now {
            return error(ErrorKind::Invalid);
        }
        if salt < now {
            return error(ErrorKind::Stale);
        }
        if self.slots.is_used(slot) { Ok(slot) } else { error(ErrorKind::Invalid) }
    }

    /// The slot of a link that a commit has added: the state is named for one that is only staged.
    pub(in crate::mesh) fn committed(&self, id: LinkId) -> Result<usize> {
        let slot = self.find(id)?;
        if self.records[slot].stage() == Stage::Coming {
            return Err(Error::new(ErrorKind::State, Subject::Link).at(slot));
        }
        Ok(slot)
    }

    /// The slot of a link that is not staged to go.
    pub(in crate::mesh) fn staying(&self, id: LinkId) -> Result<usize> {
        let slot = self.find(id)?;
        if self.records[slot].stage() == Stage::Going {
            return Err(Error::new(ErrorKind::Stale, Subject::Link).at(slot));
        }
        Ok(slot)
    }

    /// Where the link in a slot stands; none for a free slot.
    pub(in crate::mesh) fn stage_of(&self, slot: usize) -> Option<Stage> {
        self.slots.is_used(slot).then(|| self.records[slot].stage())
    }

    pub(in crate::mesh) fn id(&self, slot: usize) -> LinkId {
        LinkId::new(self.slots.salt(slot), slot as u32)
    }

    /// The link in a slot: whatever was there last, in a free one.
    #[inline]
    pub(in crate::mesh) fn record(&self, slot: usize) -> Option<&Record> {
        self.records.get(slot)
    }

    /// The crossings of the link in a slot.
    #[inline]
    pub(in crate::mesh) fn crossings(&self, slot: usize) -> &[LinkCrossing] {
        self.crossings.get(slot)
    }

    /// One crossing and what it costs.
    #[inline]
    pub(in crate::mesh) fn crossing(&self, slot: usize, index: usize) -> Option<StagedCrossing> {
        let (record, crossing) = (self.records.get(slot)?, self.crossings.get(slot).get(index)?);
        let (kind, cost) = (record.kind as u8, record.cost);
        Some(StagedCrossing { id: self.id(slot), kind, cost, points: crossing.points })
    }

    pub(in crate::mesh) fn crossings_mut(&mut self, slot: usize) -> &mut [LinkCrossing] {
        self.crossings.get_mut(slot)
    }

    pub(in crate::mesh) fn set_enabled(&mut self, slot: usize, enabled: bool) {
        if let Some(record) = self.records.get_mut(slot) {
            record.set(DISABLED, !enabled);
        }
    }

    /// Finds each kind's least cost per unit of length anew.
    pub(in crate::mesh) fn weigh(&mut self) {
        self.cheapest.fill(f64::INFINITY);
        self.kinds = 0;
        for slot in 0..self.reach {
            let record = self.records[slot];
            if !matches!(self.stage_of(slot), Some(Stage::There | Stage::Going)) || !record.is_enabled() {
                continue;
            }
            let least = &mut self.cheapest[record.kind as usize % LINK_KINDS];
            for crossing in self.crossings.get(slot).iter().filter(|crossing| crossing.is_attached()) {
                let length = distance(crossing.points[0], crossing.points[1]);
                // What leads nowhere brings no route nearer to its end, at any price.
                if length > 0.0 && record.cost / length < *least {
                    *least = record.cost / length;
                    self.kinds |= 1 << record.kind;
                }
            }
        }
    }

    /// A kind's least cost per unit of length among the crossings that may be crossed.
    pub(in crate::mesh) fn cheapest(&self, kind: u8) -> f64 {
        self.cheapest.get(usize::from(kind)).copied().unwrap_or(f64::INFINITY)
    }

    /// The kinds that have such a cost, a bit for each.
    #[inline]
    pub(in crate::mesh) fn kinds(&self) -> u64 {
        self.kinds
    }

    /// One past the highest slot in use, or higher.
    pub(in crate::mesh) fn reach(&self) -> usize {
        self.reach
    }

    /// How many links are committed.
    pub(in crate::mesh) fn committed_count(&self) -> usize {
        let is_committed = |&slot: &usize| matches!(self.stage_of(slot), Some(Stage::There | Stage::Going));
        (0..self.reach).filter(is_committed).count()
    }

    /// How many additions and removals are staged.
    pub(in crate::mesh) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many crossings all links have, staged and committed.
    pub(in crate::mesh) fn crossing_count(&self) -> usize {
        self.crossings.used()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::memory::assert_portable!(LinkTable);

    #[test]
    fn the_parts_of_an_id_stand_side_by_side() {
        let id = LinkId::new(0xABCDEF, 0xFFFFF);
        assert_eq!((id.salt(), id.slot(), id.0), (0xABCDEF, 0xFFFFF, 0xABC_DEFF_FFFF));
        assert!(LinkId::NONE.is_none() && !LinkId::new(1, 0).is_none());
    }
}
