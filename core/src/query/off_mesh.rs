//! An off-mesh link as a search crosses it: a tile's own, or one staged on the mesh.

use super::filter::PolygonFilter;
use super::plane::Vec3;
use crate::math::vector;
use crate::mesh::view::{LINK_OFF_MESH, LINK_OFF_MESH_REVERSE, LINK_STAGED, LINK_STAGED_REVERSE, Link};
use crate::mesh::{AnyLink, NavMesh};

/// An off-mesh link as it is crossed by one of a polygon's links.
#[derive(Clone, Copy)]
pub(super) struct OffMeshCrossing {
    /// Where it is entered.
    pub near: Vec3,
    /// Where it arrives.
    pub far: Vec3,
    pub link: AnyLink,
    /// Which crossing of a staged link it is.
    pub index: u32,
    pub is_reverse: bool,
    pub price: Price,
}

/// What crossing a link costs, and what a filter asks of it.
#[derive(Clone, Copy)]
pub(super) enum Price {
    /// A tile's link: its length in its area.
    Area { flags: u16, area: u8 },
    /// A staged link: what was declared.
    Declared { kind: u8, cost: f64 },
}

impl OffMeshCrossing {
    /// The crossing of a link; none for a portal link, or a link that is switched off.
    pub fn of(mesh: &NavMesh<'_>, link: &Link) -> Option<OffMeshCrossing> {
        match link.kind {
            LINK_OFF_MESH | LINK_OFF_MESH_REVERSE => OffMeshCrossing::authored(mesh, link),
            LINK_STAGED | LINK_STAGED_REVERSE => OffMeshCrossing::staged(mesh, link),
            _ => None,
        }
    }

    fn authored(mesh: &NavMesh<'_>, link: &Link) -> Option<OffMeshCrossing> {
        let owner = mesh.tile(link.owner_slot as usize)?;
        let slot = owner.off_mesh.get(link.index as usize)?;
        let world = |local: [f32; 3]| -> Vec3 { vector(|axis| owner.origin[axis] + f64::from(local[axis])) };
        let (start, end) = (world(slot.start), world(slot.end));
        let is_reverse = link.kind == LINK_OFF_MESH_REVERSE;
        let (near, far) = if is_reverse { (end, start) } else { (start, end) };
        let price = Price::Area { flags: slot.flags, area: slot.area };
        let link = AnyLink::Authored(owner.reference, link.index as usize);
        Some(OffMeshCrossing { near, far, link, index: 0, is_reverse, price })
    }

    fn staged(mesh: &NavMesh<'_>, link: &Link) -> Option<OffMeshCrossing> {
        let found = mesh.staged_crossing(link.owner_slot, link.index)?;
        let [start, end] = found.points;
        let is_reverse = link.kind == LINK_STAGED_REVERSE;
        let (near, far) = if is_reverse { (end, start) } else { (start, end) };
        let price = Price::Declared { kind: found.kind, cost: found.cost };
        Some(OffMeshCrossing { near, far, link: AnyLink::Staged(found.id), index: link.index, is_reverse, price })
    }

    /// What it costs to cross it over so much length; none when the filter forbids it.
    #[inline]
    pub fn cost<F: PolygonFilter>(&self, across: f64, filter: &F) -> Option<f64> {
        match self.price {
            Price::Area { flags, area } => filter.accepts(flags, area).then(|| across * filter.area_cost(area)),
            Price::Declared { kind, cost } => filter.accepts_link_kind(kind).then_some(cost),
        }
    }
}
