//! Authored off-mesh links, baked into the slots of the tile that holds their start (`navmesh-format.md`, "Authoring").

use super::attach::{Reach, attach};
use super::format::{TileBytes, append_off_mesh};
use super::params::MeshParams;
use super::settings::OffMeshLinkDef;
use super::tile::{TileData, TileSource};
use super::view::{OFF_MESH_BOTH_WAYS, OffMeshSlot};
use crate::error::{Error, Result, Subject};
use crate::memory::Arena;

/// Appends the links that start in a column to its layers' slots, in the order of their definitions.
///
/// `layers` are all tiles that a build made for one column, lowest layer first. A link goes to the layer with the
/// polygon nearest its start by the stitching rule, to the lowest where none is in reach or several are equal. It is
/// dropped where there is no layer, and where an end lies farther above or below that layer than its vertical reach.
/// The slots come from the front of `arena`.
///
/// # Errors
/// A definition that [`OffMeshLinkDef::validate`] refuses, named by its number; [`Limit`](crate::error::ErrorKind::Limit)
/// with its number for an end too far from the tile's corner in x or z (parts 3 and 5); capacity of the arena.
///
/// # Cost
/// The links of the column times the polygons of its layers; linear in all links beside that.
pub fn bake_links<'a>(
    params: &MeshParams,
    links: &[OffMeshLinkDef],
    layers: &mut [TileData<'a>],
    arena: &mut Arena<'a>,
) -> Result<()> {
    for (i, link) in links.iter().enumerate() {
        link.validate(i)?;
    }
    let Some(&lowest) = layers.first() else { return Ok(()) };
    let column = Column { params, place: (lowest.x, lowest.z) };
    for layer in 0..layers.len() {
        let mut count = 0;
        column.each_slot(links, layers, layer, |_| count += 1)?;
        if count == 0 {
            continue;
        }
        let before = layers[layer].off_mesh;
        let room = arena.take::<OffMeshSlot>(before.len() + count)?;
        let (kept, added) = room.split_at_mut(before.len());
        kept.copy_from_slice(before);
        let mut rest = added.iter_mut();
        column.each_slot(links, layers, layer, |slot| rest.next().into_iter().for_each(|place| *place = slot))?;
        layers[layer].off_mesh = room;
    }
    Ok(())
}

/// The place whose links are baked.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    /// What the mesh's tiles agree on.
    pub(crate) params: &'a MeshParams,
    /// Column and row of the tile grid.
    pub(crate) place: (i32, i32),
}

impl Column<'_> {
    /// Whether a link starts in this column.
    pub(crate) fn holds_start_of(&self, link: &OffMeshLinkDef) -> bool {
        self.params.world_to_tile(link.start[0], link.start[2]) == Some(self.place)
    }

    /// The layer that a link goes to, among tiles that a build has written as bytes, lowest layer first.
    pub(crate) fn layer_among<'t>(&self, link: &OffMeshLinkDef, layers: impl Iterator<Item = &'t [u8]>) -> usize {
        self.layer_of(link, layers.map(|bytes| TileBytes::reopen(bytes, 0)))
    }

    /// Appends the link of a number to the tile whose bytes are the first `used` of `block`, and returns how many are
    /// used then. Errors are those of [`bake_links`]; a link out of the tile's vertical reach is dropped.
    pub(crate) fn append(&self, i: usize, link: &OffMeshLinkDef, block: &mut [u8], used: usize) -> Result<usize> {
        let origin = TileBytes::reopen(&block[..used], 0).header().origin;
        match self.slot(i, link, origin)? {
            Some(slot) => append_off_mesh(&slot, block, used),
            None => Ok(used),
        }
    }

    /// The slots of one layer, in the order of the definitions.
    fn each_slot(
        &self,
        links: &[OffMeshLinkDef],
        layers: &[TileData<'_>],
        layer: usize,
        mut each: impl FnMut(OffMeshSlot),
    ) -> Result<()> {
        for (i, link) in links.iter().enumerate() {
            if !self.holds_start_of(link) || self.layer_of(link, layers.iter().copied()) != layer {
                continue;
            }
            if let Some(slot) = self.slot(i, link, layers[layer].origin)? {
                each(slot);
            }
        }
        Ok(())
    }

    /// The layer with the best score; the lowest among equals, and where no layer has a polygon in reach.
    fn layer_of(&self, link: &OffMeshLinkDef, layers: impl Iterator<Item = impl TileSource>) -> usize {
        let reach = Reach { radius: link.radius as f32, climb: self.params.walkable_climb };
        let mut best = (f64::INFINITY, 0);
        for (i, layer) in layers.enumerate() {
            let start = local(link.start, layer.header().origin).map(f64::from);
            if let Some(found) = attach(&layer, start, reach)
                && found.score < best.0
            {
                best = (found.score, i);
            }
        }
        best.1
    }

    /// The slot's values; `None` for a link that is out of the tile's vertical reach.
    fn slot(&self, i: usize, link: &OffMeshLinkDef, origin: [f64; 3]) -> Result<Option<OffMeshSlot>> {
        let reach = self.params.max_local_extent();
        let (start, end) = (local(link.start, origin), local(link.end, origin));
        for axis in [0, 2] {
            // Both the difference and the float that is stored: rounding may carry one past the bound.
            let apart = link.end[axis] - origin[axis];
            if apart.abs() > reach || f64::from(end[axis]).abs() > reach {
                return Err(Error::limit(Subject::OffMeshLink).at(i).part(3 + axis).value(apart).bound(reach));
            }
        }
        if [start[1], end[1]].iter().any(|&y| f64::from(y).abs() > reach) {
            return Ok(None);
        }
        Ok(Some(OffMeshSlot {
            start,
            end,
            radius: link.radius as f32,
            user_id: link.user_id,
            flags: link.flags,
            area: link.area,
            bidirectional: if link.bidirectional { OFF_MESH_BOTH_WAYS } else { 0 },
        }))
    }
}

/// The difference in double, then rounded to float.
fn local(world: [f64; 3], origin: [f64; 3]) -> [f32; 3] {
    core::array::from_fn(|axis| (world[axis] - origin[axis]) as f32)
}
