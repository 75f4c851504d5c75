//! A mesh as plain data to draw: polygon outlines and link segments in world coordinates (`navmesh-format.md`, "Debug
//! geometry").

use super::nav_mesh::NavMesh;
use super::reference::PolyRef;
use super::view::{LINK_DISABLED, LINK_OFF_MESH, LINK_PORTAL, LINK_STAGED, LINK_STAGED_REVERSE};
use super::view::{Link, Polygon, TileView};

/// A polygon's outline among the collected points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DebugPolygon {
    /// The polygon.
    pub reference: PolyRef,
    /// Its first corner among the points.
    pub first_point: u32,
    /// How many corners it has.
    pub point_count: u8,
    /// Its area.
    pub area: u8,
    /// Its flags.
    pub flags: u16,
}

/// A link as a segment: the covered part of the source polygon's edge for a portal, departure to arrival for an off-mesh
/// link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DebugLink {
    /// The polygon that is left.
    pub from: PolyRef,
    /// The polygon that is reached.
    pub to: PolyRef,
    /// The two ends.
    pub segment: [[f64; 3]; 2],
    /// The link's kind, as [`view`](super::view) has it.
    pub kind: u8,
}

/// Where to collect: slices of the caller's.
#[derive(Debug, Default)]
pub struct DebugRoom<'a> {
    /// Corners of all outlines.
    pub points: &'a mut [[f64; 3]],
    /// Polygons.
    pub polygons: &'a mut [DebugPolygon],
    /// Links.
    pub links: &'a mut [DebugLink],
}

/// How much the whole mesh needs, whether there was room for it or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DebugCounts {
    /// Corners of all outlines.
    pub points: usize,
    /// Polygons.
    pub polygons: usize,
    /// Links.
    pub links: usize,
}

/// Collects every polygon's outline and every link, in slot, polygon and link order. What there is no room for is left
/// out and counted. Constant time an element.
pub fn collect(mesh: &NavMesh<'_>, room: &mut DebugRoom<'_>) -> DebugCounts {
    let mut counts = DebugCounts::default();
    for tile in mesh.tiles() {
        for (p, polygon) in tile.polygons.iter().enumerate() {
            let reference = tile.reference.polygon(p as u32);
            let outline = DebugPolygon {
                reference,
                first_point: counts.points as u32,
                point_count: polygon.edge_count,
                area: polygon.area,
                flags: polygon.flags,
            };
            push(room.polygons, &mut counts.polygons, outline);
            for edge in tile.edges_of(polygon) {
                push(room.points, &mut counts.points, tile.world(edge.vertex));
            }
            for link in tile.links_of(polygon) {
                let segment = segment(mesh, &tile, polygon, link);
                push(
                    room.links,
                    &mut counts.links,
                    DebugLink { from: reference, to: link.target, segment, kind: link.kind },
                );
            }
        }
    }
    counts
}

fn push<T: Copy>(room: &mut [T], count: &mut usize, item: T) {
    room.get_mut(*count).into_iter().for_each(|place| *place = item);
    *count += 1;
}

/// A link's two ends in world coordinates.
fn segment(mesh: &NavMesh<'_>, tile: &TileView<'_>, polygon: &Polygon, link: &Link) -> [[f64; 3]; 2] {
    if link.kind == LINK_PORTAL {
        let edges = tile.edges_of(polygon);
        let at = |i: usize| edges.get(i % edges.len().max(1)).map_or([0.0; 3], |edge| tile.world(edge.vertex));
        let (a, b) = (at(link.edge.into()), at(usize::from(link.edge) + 1));
        return [link.range_min, link.range_max].map(|range| {
            let t = f64::from(range) / 255.0;
            core::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * t)
        });
    }
    let kind = link.kind & !LINK_DISABLED;
    if matches!(kind, LINK_STAGED | LINK_STAGED_REVERSE) {
        let crossing = mesh.staged_crossing(link.owner_slot, link.index);
        let [start, end] = crossing.map_or_else(Default::default, |crossing| crossing.points);
        return if kind == LINK_STAGED { [start, end] } else { [end, start] };
    }
    let owner = mesh.tile(link.owner_slot as usize);
    let slot = owner.and_then(|owner| Some((owner.origin, *owner.off_mesh.get(link.index as usize)?)));
    let Some((origin, slot)) = slot else { return Default::default() };
    let world = |point: [f32; 3]| core::array::from_fn(|axis| origin[axis] + f64::from(point[axis]));
    let (start, end) = (world(slot.start), world(slot.end));
    if kind == LINK_OFF_MESH { [start, end] } else { [end, start] }
}
