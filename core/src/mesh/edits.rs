//! Changes within a loaded tile: areas, flags and link switches, at once or staged for the next commit.
//!
//! Such a change lasts while its tile is loaded. It is dropped when the tile is replaced or removed, also by the commit
//! that it was staged for. Saved bytes hold the current areas and flags, and no switches (`navmesh-snapshot.md`,
//! "Relation to WriteMesh").

use super::def::Tier;
use super::nav_mesh::NavMesh;
use super::off_mesh::{AnyLink, LinkId};
use super::reference::{PolyRef, TileRef};
use super::tile::MAX_AREA;
use super::view::{LINK_DISABLED, LINK_OFF_MESH, LINK_OFF_MESH_REVERSE, Link, OFF_MESH_DISABLED};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::{Pod, Zeroable};

const AREA: u32 = 0;
const FLAGS: u32 = 1;
const ENABLED: u32 = 2;
const STAGED_ENABLED: u32 = 3;

/// One change of a polygon or of an off-mesh link.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct StagedEdit {
    /// The polygon's reference; for a link, its tile's; for a link staged on the mesh, its id.
    target: u64,
    /// The link's index in its tile.
    index: u32,
    what: u32,
    value: u32,
    reserved: u32,
}

impl StagedEdit {
    fn key(&self) -> (u64, u32, u32) {
        (self.target, self.index, self.what)
    }

    fn area(polygon: PolyRef, area: u8) -> StagedEdit {
        StagedEdit { target: polygon.0, what: AREA, value: area.into(), ..StagedEdit::default() }
    }

    fn flags(polygon: PolyRef, flags: u16) -> StagedEdit {
        StagedEdit { target: polygon.0, what: FLAGS, value: flags.into(), ..StagedEdit::default() }
    }

    fn enabled(link: AnyLink, enabled: bool) -> StagedEdit {
        let (target, index, what) = match link {
            // Past 32 bits it names no link, as before.
            AnyLink::Authored(tile, link) => (tile.0, u32::try_from(link).unwrap_or(u32::MAX), ENABLED),
            AnyLink::Staged(id) => (id.0, 0, STAGED_ENABLED),
        };
        StagedEdit { target, index, what, value: enabled.into(), reserved: 0 }
    }
}

impl NavMesh<'_> {
    /// Sets a polygon's area, 0 to 63, at once.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`] or [`ErrorKind::Invalid`] as [`polygon`](NavMesh::polygon) has them, `Invalid` for an area
    /// past 63, [`ErrorKind::Unsupported`] in a [`Tier::Static`] mesh. The staged form adds [`ErrorKind::Capacity`].
    pub fn set_area(&mut self, polygon: PolyRef, area: u8) -> Result<()> {
        self.change(StagedEdit::area(polygon, area))
    }

    /// Sets a polygon's 16 flag bits at once; refusals as for [`set_area`](NavMesh::set_area).
    pub fn set_flags(&mut self, polygon: PolyRef, flags: u16) -> Result<()> {
        self.change(StagedEdit::flags(polygon, flags))
    }

    /// Switches an off-mesh link of either sort on or off at once; a link starts on. One that is off stays attached but
    /// is not crossed. Refusals as for [`set_area`](NavMesh::set_area), `Invalid` for a link that the tile does not have
    /// or an id that was never handed out, `Stale` for a link that is removed or staged to be.
    pub fn set_link_enabled(&mut self, link: impl Into<AnyLink>, enabled: bool) -> Result<()> {
        self.change(StagedEdit::enabled(link.into(), enabled))
    }

    /// Stages a polygon's area for the next commit; staged again before it, the last counts.
    pub fn stage_area(&mut self, polygon: PolyRef, area: u8) -> Result<()> {
        self.put_edit(StagedEdit::area(polygon, area))
    }

    /// Stages a polygon's flags for the next commit; staged again before it, the last counts.
    pub fn stage_flags(&mut self, polygon: PolyRef, flags: u16) -> Result<()> {
        self.put_edit(StagedEdit::flags(polygon, flags))
    }

    /// Stages the switching of an off-mesh link of either sort for the next commit; staged again before it, the last
    /// counts. A link that is itself only staged may be switched.
    pub fn stage_link_enabled(&mut self, link: impl Into<AnyLink>, enabled: bool) -> Result<()> {
        self.put_edit(StagedEdit::enabled(link.into(), enabled))
    }

    /// Whether an off-mesh link of either sort may be crossed, as committed.
    ///
    /// # Errors
    /// For a tile's link those of [`tile_of`](NavMesh::tile_of), `Invalid` for one it does not have; for a staged link
    /// those of [`link_state`](NavMesh::link_state).
    pub fn is_link_enabled(&self, link: impl Into<AnyLink>) -> Result<bool> {
        match link.into() {
            AnyLink::Authored(tile, link) => {
                let view = self.tile_of(tile)?;
                let slot = view.off_mesh.get(link).ok_or(Error::invalid(Subject::OffMeshLink).at(link))?;
                Ok(slot.bidirectional & OFF_MESH_DISABLED == 0)
            }
            AnyLink::Staged(id) => self.link_state(id).map(|state| state.enabled),
        }
    }

    fn change(&mut self, edit: StagedEdit) -> Result<()> {
        self.check_edit(&edit)?;
        self.write_edit(&edit);
        if edit.what == STAGED_ENABLED {
            self.off_mesh.weigh();
        }
        self.version += 1;
        Ok(())
    }

    fn put_edit(&mut self, edit: StagedEdit) -> Result<()> {
        self.check_edit(&edit)?;
        match self.edits.binary_search_by_key(&edit.key(), StagedEdit::key) {
            Ok(found) => self.edits[found] = edit,
            Err(at) => {
                self.edits.push(edit, Subject::StagedEdits)?;
                self.edits[at..].rotate_right(1);
            }
        }
        self.note();
        Ok(())
    }

    fn check_edit(&self, edit: &StagedEdit) -> Result<()> {
        if self.tier == Tier::Static {
            return Err(Error::new(ErrorKind::Unsupported, Subject::Tile));
        }
        if edit.what == ENABLED {
            return self.is_link_enabled((TileRef(edit.target), edit.index as usize)).map(|_| ());
        }
        if edit.what == STAGED_ENABLED {
            return self.off_mesh.staying(LinkId(edit.target)).map(|_| ());
        }
        if edit.what == AREA && edit.value > MAX_AREA.into() {
            return Err(Error::invalid(Subject::Area).value(edit.value.into()).bound(MAX_AREA.into()));
        }
        self.polygon(PolyRef(edit.target)).map(|_| ())
    }

    /// Applies the staged edits whose tile is still there.
    pub(super) fn apply_edits(&mut self) {
        for i in 0..self.edits.len() {
            let edit = self.edits[i];
            if self.check_edit(&edit).is_ok() {
                self.write_edit(&edit);
            }
        }
        self.edits.clear();
    }

    /// Writes an edit that was checked.
    fn write_edit(&mut self, edit: &StagedEdit) {
        if edit.what == ENABLED {
            return self.switch(TileRef(edit.target).slot(), edit.index, edit.value != 0);
        }
        if edit.what == STAGED_ENABLED {
            return self.switch_staged(LinkId(edit.target).slot() as usize, edit.value != 0);
        }
        let reference = PolyRef(edit.target);
        let Some(storage) = self.storage(reference.slot() as usize) else { return };
        let polygons = self.pools.polygons.get_mut(storage as usize);
        let Some(polygon) = polygons.get_mut(reference.index() as usize) else { return };
        match edit.what {
            AREA => polygon.area = edit.value as u8,
            _ => polygon.flags = edit.value as u16,
        }
    }

    /// Sets the mark of a disabled link in its slot and in the links over it, forward and back.
    pub(super) fn switch(&mut self, slot: u32, index: u32, enabled: bool) {
        let Some(storage) = self.storage(slot as usize) else { return };
        let owned = self.pools.off_mesh.get_mut(storage as usize).get_mut(index as usize);
        owned.into_iter().for_each(|link| set_bit(&mut link.bidirectional, OFF_MESH_DISABLED, !enabled));
        let over = |link: &&mut Link, kind: u8| {
            link.kind & !LINK_DISABLED == kind && (link.owner_slot, link.index) == (slot, index)
        };
        let links = self.links.get_mut(storage as usize);
        let Some(forward) = links.iter_mut().find(|link| over(link, LINK_OFF_MESH)) else { return };
        set_bit(&mut forward.kind, LINK_DISABLED, !enabled);
        let target = forward.target.slot() as usize;
        let Some(far) = self.storage(target) else { return };
        let back = self.links.get_mut(far as usize).iter_mut().find(|link| over(link, LINK_OFF_MESH_REVERSE));
        back.into_iter().for_each(|link| set_bit(&mut link.kind, LINK_DISABLED, !enabled));
    }
}

fn set_bit(byte: &mut u8, bit: u8, on: bool) {
    *byte = *byte & !bit | if on { bit } else { 0 };
}
