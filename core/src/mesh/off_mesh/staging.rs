//! Staging links, and reading them as committed.

use super::def::LinkDef;
use super::table::{LinkCrossing, LinkId, Record, Stage, StagedCrossing};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::mesh::nav_mesh::NavMesh;
use crate::mesh::reference::{PolyRef, TileRef};

/// An off-mesh link of either sort: one staged on the mesh, or a tile's own slot.
///
/// ```
/// use navarena::mesh::{AnyLink, LinkId, TileRef};
/// let staged: AnyLink = LinkId::new(1, 0).into();
/// let authored: AnyLink = (TileRef::new(1, 0), 2).into();
/// assert_ne!(staged, authored);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AnyLink {
    /// A link staged on the mesh.
    Staged(LinkId),
    /// A link slot that a tile's bytes hold: the tile, and the slot's index in it.
    Authored(TileRef, usize),
}

impl From<LinkId> for AnyLink {
    fn from(id: LinkId) -> AnyLink {
        AnyLink::Staged(id)
    }
}

impl From<(TileRef, usize)> for AnyLink {
    fn from((tile, slot): (TileRef, usize)) -> AnyLink {
        AnyLink::Authored(tile, slot)
    }
}

/// A staged link as the last commit left it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkState {
    /// Whether a crossing of it has both ends on a polygon.
    pub attached: bool,
    /// Whether it may be crossed.
    pub enabled: bool,
    /// The polygons that the start and the end are snapped to, each [`PolyRef::NONE`] where there is none: of the first
    /// crossing that is attached, else of the first.
    pub polygons: [PolyRef; 2],
    /// The points on them; where there is no polygon, the point that was wanted.
    pub points: [[f64; 3]; 2],
    /// How many crossings are attached.
    pub attached_crossings: usize,
    /// How many crossings there are: 1 for a point link, 2 to 64 for an edge link.
    pub crossings: usize,
}

impl NavMesh<'_> {
    /// Stages an off-mesh link, to be added by the next commit, and names it.
    ///
    /// Its ends snap, at every commit, to the nearest polygon within its radius on the ground and the step that the
    /// mesh's parameters allow in height. A polygon straight above or below an end comes first, then the nearest; ties
    /// go to the lowest tile column, row, layer and polygon. While an end finds none, its crossing leads nowhere; a
    /// later commit may attach it. It belongs to the mesh, not to a tile: saved bytes don't hold it, and restoring any
    /// removes it.
    ///
    /// # Errors
    /// Those of [`LinkDef::validate`]; [`ErrorKind::Capacity`](crate::error::ErrorKind::Capacity) naming the link
    /// crossings, with the count that was wanted. A refused link takes nothing.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::*;
    /// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
    /// # let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
    /// // Two floors with a gap of 4 between them, the second 1 lower.
    /// # let square = |x: i32, low: f32, high: f32, y: f32, mesh: &mut NavMesh<'_>| mesh.stage_tile_data(&TileData {
    /// #     x, z: 0, layer: 0, origin: [f64::from(x) * 64.0, 0.0, 0.0],
    /// #     vertices: &[[low, y, 0.0], [high, y, 0.0], [high, y, 9.0], [low, y, 9.0]],
    /// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
    /// #     indices: &[0, 1, 2, 3], neighbors: &[0; 4], portal_sides: &[NO_PORTAL; 4],
    /// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
    /// # });
    /// # square(0, 0.0, 62.0, 1.0, &mut mesh)?;
    /// # square(1, 2.0, 64.0, 0.0, &mut mesh)?;
    /// let jump = LinkDef { radius: 1.0, ..LinkDef::between([61.5, 1.0, 4.0], [66.5, 0.0, 4.0]) };
    /// let id = mesh.stage_link(&jump)?;
    /// mesh.commit()?;
    /// let state = mesh.link_state(id)?;
    /// assert!(state.attached && state.enabled);
    /// assert_eq!(state.polygons[0].slot(), 0);
    /// mesh.stage_link_enabled(id, false)?;
    /// mesh.commit()?;
    /// assert!(!mesh.is_link_enabled(id)?);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn stage_link(&mut self, def: &LinkDef) -> Result<LinkId> {
        def.validate()?;
        let crossings = def.crossing_count(self.params.agent_radius.into());
        let id = self.off_mesh.add(def, crossings)?;
        self.note();
        Ok(id)
    }

    /// Stages a link's removal for the next commit; one that is staged and not yet committed goes at once. Its id is
    /// stale when it is gone.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`](crate::error::ErrorKind::Stale) for a link that is gone,
    /// [`ErrorKind::Invalid`](crate::error::ErrorKind::Invalid) for an id that was never handed out.
    pub fn stage_link_removal(&mut self, link: LinkId) -> Result<()> {
        self.off_mesh.remove(link)
    }

    /// Stages the committed links of another mesh, under the ids and switched as they are there, in place of all that this
    /// mesh has: what a mesh needs, beside saved bytes, to take another's place.
    ///
    /// What is only staged in the other mesh stays there.
    ///
    /// # Errors
    /// [`ErrorKind::State`](crate::error::ErrorKind::State) for a mesh that has committed links of its own, which would
    /// have to be removed first; [`ErrorKind::Invalid`](crate::error::ErrorKind::Invalid) naming the agent's radius when the
    /// meshes' agents differ in it; [`ErrorKind::Capacity`](crate::error::ErrorKind::Capacity) naming the link crossings,
    /// with the count that is wanted.
    pub fn stage_links_of(&mut self, other: &NavMesh<'_>) -> Result<()> {
        if self.links().next().is_some() {
            return Err(Error::new(ErrorKind::State, Subject::Link));
        }
        // It decides how many crossings an edge link has.
        if self.params.agent_radius != other.params.agent_radius {
            return Err(Error::invalid(Subject::AgentRadius).value(other.params.agent_radius.into()));
        }
        self.off_mesh.copy(&other.off_mesh)?;
        self.note();
        Ok(())
    }

    /// How many additions and removals of links are staged.
    pub fn staged_link_count(&self) -> usize {
        self.off_mesh.waiting()
    }

    /// A link as the last commit left it.
    ///
    /// # Errors
    /// [`ErrorKind::State`](crate::error::ErrorKind::State) for a link that is staged and not yet committed,
    /// [`ErrorKind::Stale`](crate::error::ErrorKind::Stale) for one that is gone,
    /// [`ErrorKind::Invalid`](crate::error::ErrorKind::Invalid) for an id that was never handed out.
    pub fn link_state(&self, link: LinkId) -> Result<LinkState> {
        let slot = self.off_mesh.committed(link)?;
        let crossings = self.off_mesh.crossings(slot);
        let attached = || crossings.iter().filter(|crossing| crossing.is_attached());
        let shown = attached().next().or(crossings.first()).copied().unwrap_or_default();
        Ok(LinkState {
            attached: shown.is_attached(),
            enabled: self.off_mesh.record(slot).is_some_and(|record| record.is_enabled()),
            polygons: shown.polygons,
            points: shown.points,
            attached_crossings: attached().count(),
            crossings: crossings.len(),
        })
    }

    /// Each of a link's crossings as the last commit left it; refusals as for [`link_state`](NavMesh::link_state).
    pub fn link_crossings(&self, link: LinkId) -> Result<&[LinkCrossing]> {
        self.off_mesh.committed(link).map(|slot| self.off_mesh.crossings(slot))
    }

    /// What a link was made from, staged or committed.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`](crate::error::ErrorKind::Stale) for a link that is gone,
    /// [`ErrorKind::Invalid`](crate::error::ErrorKind::Invalid) for an id that was never handed out.
    pub fn link_def(&self, link: LinkId) -> Result<LinkDef> {
        let slot = self.off_mesh.find(link)?;
        self.off_mesh.record(slot).map(Record::def).ok_or(Error::invalid(Subject::Link).at(slot))
    }

    /// The crossing of a staged link that a polygon's link names by slot and number.
    #[inline]
    pub(crate) fn staged_crossing(&self, slot: u32, index: u32) -> Option<StagedCrossing> {
        self.off_mesh.crossing(slot as usize, index as usize)
    }

    /// The kinds of staged links that may be crossed somewhere, a bit for each; 0 for a mesh without.
    #[inline]
    pub fn open_link_kinds(&self) -> u64 {
        self.off_mesh.kinds()
    }

    /// The least cost per unit of length of any crossing of a kind that is attached and enabled; infinite where there is
    /// none. A search scales its heuristic by it.
    pub fn cheapest_link(&self, kind: u8) -> f64 {
        self.off_mesh.cheapest(kind)
    }

    /// The links that are committed, in slot order.
    pub fn links(&self) -> impl Iterator<Item = LinkId> + '_ {
        let is_there = |&slot: &usize| matches!(self.off_mesh.stage_of(slot), Some(Stage::There | Stage::Going));
        (0..self.off_mesh.reach()).filter(is_there).map(|slot| self.off_mesh.id(slot))
    }
}
