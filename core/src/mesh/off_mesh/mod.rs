//! Off-mesh links staged on the mesh: ways from polygon to polygon that no surface shows, a jump, a ladder, a door
//! (`maul-nav/navmesh.md`, link functions; `maul-nav/types.md`, "Mesh").
//!
//! Unlike a tile's own link slots they belong to the mesh: they outlive the tiles under them, and every commit snaps
//! their ends again to whatever lies there then. To a search both are exits of a polygon.

mod crossings;
mod def;
mod snap;
mod staging;
mod table;

pub use def::{
    LINK_KINDS, LinkDef, MAX_LINK_COST, MAX_LINK_CROSSINGS, MAX_LINK_RADIUS, MAX_LINK_WIDTH, MAX_LINKS, link_kind,
};
pub use staging::{AnyLink, LinkState};
pub use table::{LinkCrossing, LinkId};

pub(super) use snap::Snap;
pub(super) use table::LinkTable;
