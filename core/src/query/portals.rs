//! The portals between the polygons of a corridor (`navmesh-queries.md`, "Straight path", "Portals").

use super::off_mesh::{OffMeshCrossing, Price};
use super::plane::{Vec3, between};
use crate::math::distance;
use crate::memory::{Pod, Zeroable};
use crate::mesh::ground::Ground;
use crate::mesh::view::{LINK_PORTAL, LINK_STAGED, LINK_STAGED_REVERSE, Link, NO_BACK, Polygon};
use crate::mesh::{NavMesh, PolyRef};

/// Where a corridor goes from one polygon into the next.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct Portal {
    /// The end on the right when walking; an off-mesh link's entry.
    pub right: Vec3,
    /// The end on the left; an off-mesh link's exit.
    pub left: Vec3,
    /// For an off-mesh link one more than its number among the links of the polygon that is left, else 0.
    pub off_mesh: u64,
}

/// A step of a corridor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub from: PolyRef,
    pub to: PolyRef,
    /// The exit that a search took, if one did.
    pub exit: Option<u32>,
    /// Whether the exit counts where it is a tile's own link.
    pub is_exact: bool,
    /// Where the path comes from, the last place that it is known to pass, and its end.
    pub toward: [Vec3; 2],
}

impl Portal {
    /// The portal over the only edge that a polygon shares with another of its tile; none where it shares no edge or
    /// several, or where a search is known to have gone by a link.
    #[inline(always)]
    pub fn over_edge(tile: &Ground<'_>, polygon: &Polygon, neighbor: u32, exit: Option<u32>) -> Option<Portal> {
        let edge = match exit {
            // A search that went by an edge needs no looking for it.
            Some(exit) => {
                let edge = tile.edges_of(polygon).get(exit as usize)?;
                (edge.neighbor == neighbor && edge.back != NO_BACK).then_some(exit)?
            }
            None => {
                let shared = tile.edges_to(polygon, neighbor);
                shared.is_power_of_two().then_some(shared.trailing_zeros())?
            }
        };
        let (right, left) = tile.edge_ends(polygon, edge as usize)?;
        Some(Portal { right, left, off_mesh: 0 })
    }

    /// The portal from a polygon into the next, which lies on `facing`; none when they don't touch.
    #[inline(never)]
    pub fn between(mesh: &NavMesh<'_>, tile: &Ground<'_>, facing: &Ground<'_>, step: Step) -> Option<Portal> {
        let Step { from, to, .. } = step;
        let polygon = tile.polygons.get(from.index() as usize)?;
        if let Some(portal) = Portal::as_taken(mesh, polygon, tile.links_of(polygon), step) {
            return Some(portal);
        }
        if from.tile() == to.tile()
            && let Some(portal) = shared_edge(tile, polygon, to.index())
        {
            return Some(portal);
        }
        let links = tile.links_of(polygon);
        if let Some(portal) = shared_side(tile, polygon, links, facing, to) {
            return Some(portal);
        }
        over_link(mesh, links, step)
    }

    /// The portal of the link that a search took, if it is a staged one or any counts; none where it took another way.
    fn as_taken(mesh: &NavMesh<'_>, polygon: &Polygon, links: &[Link], step: Step) -> Option<Portal> {
        let number = step.exit?.checked_sub(polygon.edge_count.into())?;
        let link =
            links.get(number as usize).filter(|link| link.target == step.to && (step.is_exact || is_staged(link)))?;
        let crossing = OffMeshCrossing::of(mesh, link)?;
        Some(Portal { right: crossing.near, left: crossing.far, off_mesh: u64::from(number) + 1 })
    }
}

fn is_staged(link: &Link) -> bool {
    matches!(link.kind, LINK_STAGED | LINK_STAGED_REVERSE)
}

/// The portal over an off-mesh link between polygons that don't touch: the first of a tile's own links; else, of the
/// crossings of staged links, the one that lies least out of the way with its cost counted as length, the first of
/// several as good.
fn over_link(mesh: &NavMesh<'_>, links: &[Link], step: Step) -> Option<Portal> {
    let mut best: Option<(f64, Portal)> = None;
    for (number, link) in links.iter().enumerate().filter(|(_, link)| link.target == step.to) {
        let Some(crossing) = OffMeshCrossing::of(mesh, link) else { continue };
        let portal = Portal { right: crossing.near, left: crossing.far, off_mesh: number as u64 + 1 };
        let Price::Declared { cost, .. } = crossing.price else { return Some(portal) };
        let way = distance(step.toward[0], crossing.near) + cost + distance(crossing.far, step.toward[1]);
        if best.is_none_or(|(least, _)| way < least) {
            best = Some((way, portal));
        }
    }
    best.map(|(_, portal)| portal)
}

/// The edge that two polygons of a tile share. Where they share several, these follow one another in a line, because
/// both polygons are convex: the portal is then all of the line.
fn shared_edge(tile: &Ground<'_>, polygon: &Polygon, neighbor: u32) -> Option<Portal> {
    let edges = tile.edges_of(polygon);
    let count = edges.len();
    let shared = tile.edges_to(polygon, neighbor);
    if shared == 0 {
        return None;
    }
    let found = shared.trailing_zeros() as usize;
    let (mut first, mut last) = (found, found);
    // A run that holds edge 0 may begin before it, at the list's end.
    while found == 0 && first.wrapping_sub(1) % count != last && edges[(first + count - 1) % count].neighbor == neighbor
    {
        first = (first + count - 1) % count;
    }
    while (last + 1) % count != first && edges[(last + 1) % count].neighbor == neighbor {
        last = (last + 1) % count;
    }
    // Polygons run counter-clockwise: whoever walks out over an edge has its first vertex on the right.
    let right = tile.world(edges[first].vertex);
    let left = tile.world(edges[(last + 1) % count].vertex);
    Some(Portal { right, left, off_mesh: 0 })
}

/// The part of a tile side that two polygons of neighbouring tiles share: the hull of the overlaps of their edges.
fn shared_side(
    tile: &Ground<'_>,
    polygon: &Polygon,
    links: &[Link],
    facing: &Ground<'_>,
    to: PolyRef,
) -> Option<Portal> {
    let mut joining = links.iter().filter(|link| link.target == to && link.kind == LINK_PORTAL).peekable();
    joining.peek()?;
    let target = facing.polygons.get(to.index() as usize)?;
    let mut hull: Option<Portal> = None;
    for link in joining {
        let Some(part) = overlap(tile, polygon, link, facing, target) else { continue };
        hull = Some(match hull {
            None => part,
            Some(whole) => wider(tile, polygon, link, whole, part),
        });
    }
    hull
}

/// What the two edges of a portal link share, seen once from each side: on the source edge's line, and on the facing
/// edge's, which may lie a rounding beside it. Both run from right to left for whoever leaves the source polygon.
pub(super) fn both_sides(
    tile: &Ground<'_>,
    polygon: &Polygon,
    link: &Link,
    facing: &Ground<'_>,
    target: &Polygon,
) -> Option<[(Vec3, Vec3); 2]> {
    let here = overlap(tile, polygon, link, facing, target)?;
    let turned = Link { edge: u8::try_from(link.index).ok()?, index: u32::from(link.edge), ..*link };
    let there = overlap(facing, target, &turned, tile, polygon)?;
    Some([(here.right, here.left), (there.left, there.right)])
}

/// The axis along a tile side: z for the sides +X and -X, x for the others.
#[inline]
fn axis_of(tile: &Ground<'_>, polygon: &Polygon, link: &Link) -> usize {
    let side = tile.edges_of(polygon).get(link.edge as usize).map_or(0, |edge| edge.side);
    if side & 1 == 0 { 2 } else { 0 }
}

/// What the source edge of a link shares with the target edge, from the two edges' extents along the side.
fn overlap(tile: &Ground<'_>, polygon: &Polygon, link: &Link, facing: &Ground<'_>, target: &Polygon) -> Option<Portal> {
    let axis = axis_of(tile, polygon, link);
    let (a, b) = tile.edge_ends(polygon, link.edge as usize)?;
    let (c, d) = facing.edge_ends(target, link.index as usize)?;
    let (c, d) = if c[axis] <= d[axis] { (c[axis], d[axis]) } else { (d[axis], c[axis]) };
    // The source edge's ends, each moved to where the facing edge begins or ends.
    let within = |u: f64| {
        if u < c {
            c
        } else if u > d {
            d
        } else {
            u
        }
    };
    let right = on_edge(a, b, axis, within(a[axis]));
    let left = on_edge(a, b, axis, within(b[axis]));
    Some(Portal { right, left, off_mesh: 0 })
}

/// The point of an edge at a coordinate along its side: the coordinate itself, the others interpolated.
fn on_edge(a: Vec3, b: Vec3, axis: usize, u: f64) -> Vec3 {
    if u == a[axis] {
        return a;
    }
    if u == b[axis] {
        return b;
    }
    let mut point = between(a, b, (u - a[axis]) / (b[axis] - a[axis]));
    point[axis] = u;
    point
}

/// The hull of two parts of one tile side.
fn wider(tile: &Ground<'_>, polygon: &Polygon, link: &Link, whole: Portal, part: Portal) -> Portal {
    let axis = axis_of(tile, polygon, link);
    // All of a convex polygon's edges on a side run the same way, and so do their parts.
    let runs_up = match tile.edge_ends(polygon, link.edge as usize) {
        Some((a, b)) => a[axis] < b[axis],
        None => return whole,
    };
    let is_before = |p: Vec3, q: Vec3| if runs_up { p[axis] < q[axis] } else { p[axis] > q[axis] };
    let right = if is_before(part.right, whole.right) { part.right } else { whole.right };
    let left = if is_before(whole.left, part.left) { part.left } else { whole.left };
    Portal { right, left, off_mesh: 0 }
}
