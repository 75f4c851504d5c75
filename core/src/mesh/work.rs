//! The work memory of a mesh's changing calls: carved anew by each, so that the calls share it in turns.

use super::def::MeshLimits;
use super::off_mesh::Snap;
use super::places::Place;
use super::pools::Storage;
use super::stitch::{Exit, Portal};
use crate::error::Result;
use crate::memory::{Arena, Plan, Pod, Ruler, Zeroable};

/// What a slot will hold once a change is applied.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct NextSlot {
    /// The storage, or where the tile's bytes lie in a saved mesh.
    pub storage: Storage,
    /// How many links its tile will have, for a tile that is stitched again.
    pub links: u32,
    /// [`CHANGED`](NextSlot::CHANGED) and [`STITCH`](NextSlot::STITCH).
    pub marks: u32,
}

impl NextSlot {
    /// The slot's tile goes, comes or is replaced.
    pub(super) const CHANGED: u32 = 1;
    /// The slot's tile is stitched again.
    pub(super) const STITCH: u32 = 2;
}

/// The arrays of a commit or a restore.
#[derive(Debug)]
pub(super) struct Work<'w> {
    pub next: &'w mut [NextSlot],
    pub places: &'w mut [Place],
    /// The staged tiles in staging order.
    pub order: &'w mut [u32],
    pub exits: &'w mut [Exit],
    /// Both ends of each crossing of the staged links.
    pub snaps: &'w mut [Snap],
    pub portals: &'w mut [Portal],
}

impl<'w> Work<'w> {
    pub(super) fn carve(limits: &MeshLimits, arena: &mut Arena<'w>) -> Result<Self> {
        let (next, places) = carve_state(limits, arena)?;
        Work::carve_rest(limits, next, places, arena)
    }

    /// The rest, after what [`carve_state`] has carved.
    pub(super) fn carve_rest(
        limits: &MeshLimits,
        next: &'w mut [NextSlot],
        places: &'w mut [Place],
        arena: &mut Arena<'w>,
    ) -> Result<Self> {
        Ok(Work {
            next,
            places,
            order: arena.take(limits.staged as usize)?,
            exits: arena.take(exits(limits))?,
            snaps: arena.take(snaps(limits))?,
            portals: arena.take(limits.portals as usize)?,
        })
    }
}

/// The slots and places of a change, which outlive the work memory of a tile's validation.
pub(super) fn carve_state<'w>(
    limits: &MeshLimits,
    arena: &mut Arena<'w>,
) -> Result<(&'w mut [NextSlot], &'w mut [Place])> {
    Ok((arena.take(limits.tiles as usize)?, arena.take(limits.tiles as usize)?))
}

/// Every off-mesh link and every crossing of a staged one may leave two polygons.
const fn exits(limits: &MeshLimits) -> usize {
    (limits.off_mesh_links as usize).saturating_add(limits.link_crossings as usize).saturating_mul(2)
}

const fn snaps(limits: &MeshLimits) -> usize {
    (limits.link_crossings as usize).saturating_mul(2)
}

pub(super) const fn plan(limits: &MeshLimits) -> Plan {
    let tiles = limits.tiles as usize;
    let validate = Ruler::new().array::<u32>(limits.polygons as usize);
    let rest = Ruler::new()
        .array::<u32>(limits.staged as usize)
        .array::<Exit>(exits(limits))
        .array::<Snap>(snaps(limits))
        .array::<Portal>(limits.portals as usize)
        .or(validate);
    Ruler::new().array::<NextSlot>(tiles).array::<Place>(tiles).then(rest.plan()).plan()
}
