//! Growing: a named limit that was reached becomes twice as large, and the call is made again.

use navarena::error::{Error, ErrorKind, Subject};
use navarena::geometry::region::RegionDef;
use navarena::mesh::MeshLimits;

/// The limits with which to try again after a refusal; `None` when the refusal names no limit of a mesh, or one that
/// can't be larger.
pub(crate) fn mesh_limits(limits: &MeshLimits, error: &Error) -> Option<MeshLimits> {
    if error.kind() != ErrorKind::Capacity {
        return None;
    }
    let mut grown = *limits;
    let limit = match error.subject() {
        Subject::Tiles => &mut grown.tiles,
        Subject::Vertices => &mut grown.vertices,
        Subject::Polygons => &mut grown.polygons,
        Subject::Edges => &mut grown.edges,
        Subject::Portals => &mut grown.portals,
        Subject::Links => &mut grown.links,
        Subject::DetailVertices => &mut grown.detail_vertices,
        Subject::DetailTriangles => &mut grown.detail_triangles,
        Subject::OffMeshLinks => &mut grown.off_mesh_links,
        Subject::LinkCrossings => &mut grown.link_crossings,
        Subject::Staged => &mut grown.staged,
        _ => return None,
    };
    let most = match error.subject() {
        Subject::Tiles => navarena::mesh::MAX_SLOTS,
        Subject::LinkCrossings => navarena::mesh::MAX_LINKS,
        _ => u32::MAX / 4,
    };
    // What was wanted may be known; it is a number of the error's, so it is taken as a hint only.
    let wanted = error.refused().map_or(0, |wanted| wanted as u32);
    let larger = limit.saturating_mul(2).max(16).max(wanted).min(most);
    if larger <= *limit {
        return None;
    }
    *limit = larger;
    Some(grown)
}

/// The limits with which to try again after a refusal; `None` when it names none of them, or all are as large as can be.
pub(crate) fn region_limits(limits: &RegionDef, error: &Error) -> Option<RegionDef> {
    /// What the core takes at most of edges and pieces.
    const MOST: usize = 1 << 23;
    let is_ours = matches!(
        error.subject(),
        Subject::Edges | Subject::EdgeCrossings | Subject::Segments | Subject::Points | Subject::Rings
    );
    if error.kind() != ErrorKind::Capacity || !is_ours {
        return None;
    }
    let more = |limit: usize| limit.saturating_mul(2).min(MOST);
    let larger = RegionDef {
        edges: more(limits.edges),
        crossings: more(limits.crossings),
        segments: more(limits.segments),
        points: more(limits.points),
        rings: more(limits.rings),
    };
    (larger != *limits).then_some(larger)
}

/// Twice a count, within a bound; `None` at the bound.
pub(crate) fn doubled(count: u32, most: u32) -> Option<u32> {
    (count < most).then(|| count.saturating_mul(2).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_limit_doubles_and_no_other() {
        let limits = MeshLimits { links: 100, ..MeshLimits::DEFAULT };
        let grown = mesh_limits(&limits, &Error::capacity(Subject::Links, 100)).unwrap();
        assert_eq!(grown, MeshLimits { links: 200, ..limits });
        let wanted = mesh_limits(&limits, &Error::capacity(Subject::Links, 100).value(1000.0)).unwrap();
        assert_eq!(wanted.links, 1000);
    }

    #[test]
    fn what_is_no_limit_of_a_mesh_does_not_grow() {
        let limits = MeshLimits::DEFAULT;
        assert_eq!(mesh_limits(&limits, &Error::capacity(Subject::Memory, 5)), None);
        assert_eq!(mesh_limits(&limits, &Error::invalid(Subject::Links)), None);
        let full = MeshLimits { tiles: navarena::mesh::MAX_SLOTS, ..limits };
        assert_eq!(mesh_limits(&full, &Error::capacity(Subject::Tiles, 5)), None);
        assert_eq!((doubled(4, 6), doubled(6, 6)), (Some(6), None));
    }
}
