//! A mesh in a debug buffer: tiles with their surfaces and edges, off-mesh links, runs of polygons (`maul-nav/debug.md`).

use super::nav_mesh::NavMesh;
use super::reference::PolyRef;
use super::view::{NO_NEIGHBOR, NO_SIDE, OFF_MESH_BOTH_WAYS, Polygon, TileView};
use crate::debug::{DebugBuffer, DebugKind};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::{distance, lerp, min};

/// Lines of a link's arc.
const ARC_LINES: u32 = 8;

impl NavMesh<'_> {
    /// Appends the tiles from one place (x, z) of the tile grid to another, both included, of all layers: for each
    /// polygon the triangles of its surface and its edges (those between two polygons of a tile once), and for each tile
    /// the square it covers, at its lowest height. In slot and polygon order.
    ///
    /// # Errors
    /// A range whose first place is not the lower one, by axis.
    ///
    /// # Cost
    /// All tiles are looked at; constant time for each element.
    pub fn debug_tiles(&self, lowest: [i32; 2], highest: [i32; 2], buffer: &mut DebugBuffer<'_>) -> Result<()> {
        if let Some(axis) = (0..2).find(|&axis| lowest[axis] > highest[axis]) {
            return Err(Error::invalid(Subject::Range).at(axis).value(lowest[axis].into()).bound(highest[axis].into()));
        }
        let is_within = |tile: &TileView<'_>| {
            (lowest[0]..=highest[0]).contains(&tile.x) && (lowest[1]..=highest[1]).contains(&tile.z)
        };
        for tile in self.tiles().filter(is_within) {
            for (number, polygon) in tile.polygons.iter().enumerate() {
                surface(buffer, &tile, polygon, DebugKind::Polygon, polygon.area.into());
                edges(buffer, &tile, number as u32, polygon);
            }
            self.bounds(buffer, &tile);
        }
        Ok(())
    }

    /// Appends every off-mesh link, switched on or off, as an arc of eight lines from its start to its end that rises by
    /// a quarter of its length: those of tiles by slot, then those staged and committed by slot. An edge link has the
    /// arc of the crossing that [`link_state`](NavMesh::link_state) shows, at its snapped points where it is attached.
    pub fn debug_links(&self, buffer: &mut DebugBuffer<'_>) {
        for tile in self.tiles() {
            for slot in tile.off_mesh {
                let world = |local: [f32; 3]| core::array::from_fn(|axis| tile.origin[axis] + f64::from(local[axis]));
                let is_both_ways = slot.bidirectional & OFF_MESH_BOTH_WAYS != 0;
                arc(buffer, kind_of(is_both_ways), slot.area.into(), [world(slot.start), world(slot.end)]);
            }
        }
        for link in self.links() {
            let (Ok(def), Ok(state)) = (self.link_def(link), self.link_state(link)) else { continue };
            arc(buffer, kind_of(def.two_way), def.kind.into(), state.points);
        }
    }

    /// Appends the triangles of a run of polygons, a path's or a corridor's, each with its place in the run. Polygons
    /// whose tile has gone are left out.
    ///
    /// # Errors
    /// A reference that names nothing and never did; those before it are appended.
    pub fn debug_corridor(&self, polygons: &[PolyRef], buffer: &mut DebugBuffer<'_>) -> Result<()> {
        each_current(self, polygons, |place, tile, polygon| surface(buffer, tile, polygon, DebugKind::Corridor, place))
    }

    /// As [`debug_corridor`](NavMesh::debug_corridor), the polygons' outlines.
    ///
    /// # Errors
    /// A reference that names nothing and never did; those before it are appended.
    pub fn debug_outlines(&self, polygons: &[PolyRef], buffer: &mut DebugBuffer<'_>) -> Result<()> {
        each_current(self, polygons, |place, tile, polygon| outline(buffer, tile, polygon, DebugKind::Corridor, place))
    }

    /// Appends one polygon's outline; none of a polygon whose tile has gone.
    pub(crate) fn debug_outline(&self, polygon: PolyRef, kind: DebugKind, value: f32, buffer: &mut DebugBuffer<'_>) {
        if let Ok((tile, polygon)) = self.polygon(polygon) {
            outline(buffer, &tile, polygon, kind, value);
        }
    }

    fn bounds(&self, buffer: &mut DebugBuffer<'_>, tile: &TileView<'_>) {
        let heights = tile.vertices.iter().chain(tile.detail_vertices).map(|vertex| f64::from(vertex[1]));
        let lowest = heights.fold(f64::INFINITY, min);
        if !lowest.is_finite() {
            return;
        }
        let (params, y) = (self.params(), tile.origin[1] + lowest);
        let [x, z] = params.tile_origin(tile.x, tile.z);
        let (right, far) = (x + params.tile_size, z + params.tile_size);
        let square = [[x, y, z], [right, y, z], [right, y, far], [x, y, far]];
        buffer.outline(DebugKind::TileBounds, tile.layer as f32, square);
    }
}

fn each_current(
    mesh: &NavMesh<'_>,
    polygons: &[PolyRef],
    mut show: impl FnMut(f32, &TileView<'_>, &Polygon),
) -> Result<()> {
    for (place, &polygon) in polygons.iter().enumerate() {
        match mesh.polygon(polygon) {
            Ok((tile, record)) => show(place as f32, &tile, record),
            Err(error) if error.kind() == ErrorKind::Stale => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A polygon's surface: its detail's triangles, or a fan where it has none.
fn surface(buffer: &mut DebugBuffer<'_>, tile: &TileView<'_>, polygon: &Polygon, kind: DebugKind, value: f32) {
    let first = buffer.needed().vertices;
    let corners = tile.edges_of(polygon);
    for edge in corners {
        buffer.vertex(kind, value, tile.world(edge.vertex));
    }
    let (base, count) = (polygon.detail_triangle_base as usize, polygon.detail_triangle_count as usize);
    let detail = tile.detail_triangles.get(base..base + count).unwrap_or(&[]);
    if detail.is_empty() {
        (2..corners.len()).for_each(|corner| buffer.triangle([first, first + corner - 1, first + corner]));
        return;
    }
    let (base, count) = (polygon.detail_vertex_base as usize, polygon.detail_vertex_count as usize);
    for vertex in tile.detail_vertices.get(base..base + count).unwrap_or(&[]) {
        buffer.vertex(kind, value, core::array::from_fn(|axis| tile.origin[axis] + f64::from(vertex[axis])));
    }
    // A detail's triangles number the polygon's corners first, then its extra vertices: the order they stand in.
    for [a, b, c, _] in detail {
        buffer.triangle([a, b, c].map(|&corner| first + usize::from(corner)));
    }
}

fn outline(buffer: &mut DebugBuffer<'_>, tile: &TileView<'_>, polygon: &Polygon, kind: DebugKind, value: f32) {
    buffer.outline(kind, value, tile.edges_of(polygon).iter().map(|edge| tile.world(edge.vertex)));
}

/// A polygon's edges, each a line of its own kind.
fn edges(buffer: &mut DebugBuffer<'_>, tile: &TileView<'_>, number: u32, polygon: &Polygon) {
    let edges = tile.edges_of(polygon);
    for (edge, next) in edges.iter().zip(edges.iter().cycle().skip(1)) {
        let ends = [tile.world(edge.vertex), tile.world(next.vertex)];
        if edge.side != NO_SIDE {
            buffer.segment(DebugKind::TileSide, edge.side.into(), ends);
        } else if edge.neighbor == NO_NEIGHBOR {
            buffer.segment(DebugKind::Wall, polygon.area.into(), ends);
        } else if number < edge.neighbor {
            buffer.segment(DebugKind::InnerEdge, polygon.area.into(), ends);
        }
    }
}

const fn kind_of(is_both_ways: bool) -> DebugKind {
    if is_both_ways { DebugKind::LinkBothWays } else { DebugKind::Link }
}

/// A parabola from one point to another, in eight lines, a quarter of their distance high.
fn arc(buffer: &mut DebugBuffer<'_>, kind: DebugKind, value: f32, [start, end]: [[f64; 3]; 2]) {
    let rise = distance(start, end) / 4.0;
    let points = (0..=ARC_LINES).map(|step| {
        let s = f64::from(step) / f64::from(ARC_LINES);
        let [x, y, z] = lerp(start, end, s);
        [x, y + rise * 4.0 * s * (1.0 - s), z]
    });
    buffer.polyline(kind, value, points);
}
