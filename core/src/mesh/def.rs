//! What a mesh is made from: its parameters, what may change in it, and its limits; and how much memory that takes.

use super::nav_mesh::NavMesh;
use super::params::MeshParams;
use super::settings::NavSettings;
use crate::memory::Plan;

/// What may change while a mesh is in use (`maul-nav/navmesh.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Tier {
    /// Tiles load and unload.
    Static,
    /// Also areas and flags change, and off-mesh links are switched.
    Modifiers,
    /// Also a loaded tile is replaced by another at its place.
    #[default]
    Dynamic,
}

/// When two portal edges that face each other across a tile side are linked: where along the part they share their
/// heights must be within the climb.
///
/// A portal edge is one straight line between two corners, and its neighbour's corners lie elsewhere. On uneven ground the
/// two lines can part by more than a step although the ground below does not: the page's rule then leaves a gap in the
/// side, and paths go round it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PortalRule {
    /// At both ends of the shared part, and so all along it: the rule of `navmesh-format.md`, "Stitching".
    #[default]
    Throughout,
    /// Anywhere on it: for hilly ground in tiles.
    Somewhere,
}

/// How much a mesh holds at most. Every limit reached is a capacity error with the limit's name.
///
/// A staged tile lies in the same pools as the committed ones, and replacing holds old and new until the commit: leave
/// room for the largest change beside what is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MeshLimits {
    /// Tile slots, at most 1 048 575.
    pub tiles: u32,
    /// Vertices of all tiles.
    pub vertices: u32,
    /// Polygons of all tiles.
    pub polygons: u32,
    /// Polygon edges of all tiles.
    pub edges: u32,
    /// Edges on tile sides, of all tiles.
    pub portals: u32,
    /// Links between polygons, of all tiles: one in each direction, also for each crossing of a staged link.
    pub links: u32,
    /// Extra vertices of the height detail, of all tiles.
    pub detail_vertices: u32,
    /// Triangles of the height detail, of all tiles.
    pub detail_triangles: u32,
    /// Off-mesh links of all tiles.
    pub off_mesh_links: u32,
    /// Crossings of the links staged on the mesh, at most 2^20: 1 for a point link, 2 to 64 for an edge link.
    pub link_crossings: u32,
    /// Tiles and removals staged at once.
    pub staged: u32,
    /// Area, flag and switch changes staged at once.
    pub staged_edits: u32,
}

impl MeshLimits {
    /// A level of some 256 tiles, in some 4 MB.
    pub const DEFAULT: MeshLimits = MeshLimits {
        tiles: 256,
        vertices: 32_768,
        polygons: 16_384,
        edges: 65_536,
        portals: 8_192,
        links: 16_384,
        detail_vertices: 65_536,
        detail_triangles: 131_072,
        off_mesh_links: 256,
        link_crossings: 256,
        staged: 256,
        staged_edits: 256,
    };
}

impl Default for MeshLimits {
    fn default() -> Self {
        MeshLimits::DEFAULT
    }
}

/// What a [`NavMesh`] is made from.
///
/// ```
/// use navarena::mesh::{MeshDef, MeshLimits};
/// const DEF: MeshDef = MeshDef {
///     limits: MeshLimits { tiles: 4, staged: 1, detail_vertices: 0, detail_triangles: 0, ..MeshLimits::DEFAULT },
///     ..MeshDef::HUMANOID
/// };
/// const BYTES: usize = DEF.plan().bytes;
/// assert!(BYTES < 4 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MeshDef {
    /// What the mesh and its tiles agree on.
    pub params: MeshParams,
    /// What may change in it.
    pub tier: Tier,
    /// When portals are linked.
    pub portals: PortalRule,
    /// How much it holds at most.
    pub limits: MeshLimits,
}

impl MeshDef {
    /// A mesh of [`NavSettings::HUMANOID`] without authored links.
    pub const HUMANOID: MeshDef = MeshDef::of(&NavSettings::HUMANOID);
    /// A mesh of [`NavSettings::SMALL`] without authored links.
    pub const SMALL: MeshDef = MeshDef::of(&NavSettings::SMALL);
    /// A mesh of [`NavSettings::LARGE`] without authored links.
    pub const LARGE: MeshDef = MeshDef::of(&NavSettings::LARGE);

    /// A mesh of settings without authored links, everything in it open to change, default limits. The settings are
    /// judged when the mesh is made.
    pub const fn of(settings: &NavSettings) -> MeshDef {
        MeshDef {
            params: settings.to_params(&[]),
            tier: Tier::Dynamic,
            portals: PortalRule::Throughout,
            limits: MeshLimits::DEFAULT,
        }
    }

    /// The memory that the mesh takes.
    pub const fn plan(&self) -> Plan {
        NavMesh::plan(&self.limits)
    }
}
