//! Every rule that a tile's content must keep, over any form of a tile (`navmesh-format.md`, "Coordinate rule" and
//! "Tile contents and rules").

use super::params::{MeshParams, WORLD_BOUND};
use super::tile::{MAX_AREA, MAX_LAYER, MAX_TILE_POLYGONS, MAX_TILE_VERTICES, NO_PORTAL};
use super::tile::{TileData, TilePolygon, TileSource};
use super::view::{OFF_MESH_BOTH_WAYS, OffMeshSlot};
use crate::error::{Error, Result, Subject};
use crate::geometry::predicates::orient2d;

/// The smallest nonzero magnitude of an x or z: below it the exact predicates would have to know about underflow.
const SMALLEST: f32 = 1e-30;

/// Checks that a builder's arrays fit one another, as bytes do by their layout.
pub(super) fn lengths(tile: &TileData<'_>) -> Result<()> {
    let edges = tile.indices.len();
    if tile.neighbors.len() != edges {
        return Err(mismatch(Subject::Neighbor, tile.neighbors.len(), edges));
    }
    if tile.portal_sides.len() != edges {
        return Err(mismatch(Subject::PortalSide, tile.portal_sides.len(), edges));
    }
    let counts = [
        (tile.vertices.len(), Subject::Vertices),
        (tile.polygons.len(), Subject::Polygons),
        (edges, Subject::Edges),
        (tile.detail_vertices.len(), Subject::DetailVertices),
        (tile.detail_triangles.len(), Subject::DetailTriangles),
        (tile.off_mesh.len(), Subject::OffMeshLinks),
    ];
    match counts.into_iter().find(|&(count, _)| count > u32::MAX as usize) {
        Some((count, subject)) => Err(mismatch(subject, count, u32::MAX as usize)),
        None => Ok(()),
    }
}

fn mismatch(subject: Subject, have: usize, want: usize) -> Error {
    Error::format(subject).value(have as f64).bound(want as f64)
}

/// Checks every rule. `firsts` is work memory, one entry a polygon: where each polygon's edges begin.
///
/// The order of the checks decides which of several broken rules is named: place, counts, vertices, polygons (each with
/// its edges), neighbours, detail, off-mesh links.
pub(super) fn tile(tile: &impl TileSource, params: &MeshParams, firsts: &mut [u32]) -> Result<()> {
    let rules = Rules { tile, params, far: params.far_side() };
    rules.place()?;
    rules.counts(firsts)?;
    rules.vertices()?;
    let polygons = firsts.len();
    (0..polygons).try_for_each(|p| rules.polygon(p, firsts[p] as usize))?;
    (0..polygons).try_for_each(|p| rules.neighbors(p, firsts))?;
    rules.detail()?;
    (0..tile.counts().off_mesh).try_for_each(|i| rules.off_mesh(i))
}

struct Rules<'a, T> {
    tile: &'a T,
    params: &'a MeshParams,
    far: f32,
}

impl<T: TileSource> Rules<'_, T> {
    /// The grid formula to the bit, the layer, and the tile's extent inside the world bound.
    fn place(&self) -> Result<()> {
        let header = self.tile.header();
        let [x, y, z] = header.origin;
        if !(0..=MAX_LAYER).contains(&header.layer) {
            return Err(Error::format(Subject::Layer).value(header.layer.into()).bound(MAX_LAYER.into()));
        }
        let grid = self.params.tile_origin(header.x, header.z);
        for (axis, value, grid) in [(0, x, grid[0]), (2, z, grid[1])] {
            if value.to_bits() != grid.to_bits() {
                return Err(Error::format(Subject::Origin).at(axis).value(value).bound(grid));
            }
            let far = value + self.params.tile_size;
            if value <= -WORLD_BOUND || far >= WORLD_BOUND {
                let worst = if value <= -WORLD_BOUND { value } else { far };
                return Err(Error::format(Subject::TilePosition).at(axis).value(worst).bound(WORLD_BOUND));
            }
        }
        if !y.is_finite() || y.abs() >= WORLD_BOUND {
            return Err(Error::format(Subject::Origin).at(1).value(y).bound(WORLD_BOUND));
        }
        Ok(())
    }

    /// The format's counts, each polygon's vertex count, and their sum. Fills `firsts`.
    fn counts(&self, firsts: &mut [u32]) -> Result<()> {
        let counts = self.tile.counts();
        if counts.vertices > MAX_TILE_VERTICES {
            return Err(mismatch(Subject::Vertices, counts.vertices, MAX_TILE_VERTICES));
        }
        if counts.polygons > MAX_TILE_POLYGONS || firsts.len() != counts.polygons {
            return Err(mismatch(Subject::Polygons, counts.polygons, MAX_TILE_POLYGONS));
        }
        let mut edges = 0u32;
        for (p, first) in firsts.iter_mut().enumerate() {
            let count = self.tile.polygon(p).vertex_count;
            if count < 3 {
                return Err(Error::format(Subject::Polygon).at(p).value(count.into()).bound(3.0));
            }
            if u16::from(count) > self.params.max_verts_per_poly {
                let bound = self.params.max_verts_per_poly.into();
                return Err(Error::format(Subject::Polygon).at(p).value(count.into()).bound(bound));
            }
            *first = edges;
            edges += u32::from(count);
        }
        if edges as usize != counts.edges {
            return Err(mismatch(Subject::Edges, counts.edges, edges as usize));
        }
        Ok(())
    }

    fn vertices(&self) -> Result<()> {
        let counts = self.tile.counts();
        (0..counts.vertices).try_for_each(|i| self.vertex(self.tile.vertex(i), Subject::Vertex, i))?;
        (0..counts.detail_vertices).try_for_each(|i| self.vertex(self.tile.detail_vertex(i), Subject::DetailVertex, i))
    }

    /// Finite; x and z within a tile of the tile and no tiny nonzero number; y within the vertical reach.
    fn vertex(&self, vertex: [f32; 3], subject: Subject, i: usize) -> Result<()> {
        for (axis, v) in vertex.into_iter().enumerate() {
            let wide = f64::from(v);
            let bad = Error::format(subject).at(i).part(axis).value(wide);
            if !v.is_finite() {
                return Err(bad);
            }
            if axis == 1 {
                if wide.abs() > self.params.max_local_extent() {
                    return Err(bad.bound(self.params.max_local_extent()));
                }
                continue;
            }
            if wide < -self.params.tile_size {
                return Err(bad.bound(-self.params.tile_size));
            }
            if wide > 2.0 * self.params.tile_size {
                return Err(bad.bound(2.0 * self.params.tile_size));
            }
            if v != 0.0 && v.abs() < SMALLEST {
                return Err(bad.bound(SMALLEST.into()));
            }
        }
        Ok(())
    }

    fn polygon(&self, p: usize, first: usize) -> Result<()> {
        let polygon = self.tile.polygon(p);
        if polygon.area > MAX_AREA {
            return Err(Error::format(Subject::Area).at(p).value(polygon.area.into()).bound(MAX_AREA.into()));
        }
        let count = usize::from(polygon.vertex_count).min(16);
        let mut corners = [[0.0; 2]; 16];
        let mut numbers = [0; 16];
        for i in 0..count {
            numbers[i] = self.tile.index(first + i);
            if usize::from(numbers[i]) >= self.tile.counts().vertices {
                return Err(Error::format(Subject::Index).at(p).part(i).value(numbers[i].into()));
            }
            if numbers[..i].contains(&numbers[i]) {
                return Err(Error::format(Subject::Index).at(p).part(i).value(numbers[i].into()));
            }
            let [x, _, z] = self.tile.vertex(numbers[i].into());
            corners[i] = [x.into(), z.into()];
        }
        convex(&corners[..count], p)?;
        (0..count).try_for_each(|i| self.side(p, i, first, count))
    }

    /// A portal edge has no neighbour and lies to the bit on the side that it names.
    fn side(&self, p: usize, i: usize, first: usize, count: usize) -> Result<()> {
        let side = self.tile.side(first + i);
        if side == NO_PORTAL {
            return Ok(());
        }
        let bad = Err(Error::format(Subject::PortalSide).at(p).part(i).value(side.into()));
        if side > 3 || self.tile.neighbor(first + i) != 0 {
            return bad;
        }
        let line = if side < 2 { self.far } else { 0.0 };
        let ends = [i, (i + 1) % count].map(|k| self.tile.vertex(self.tile.index(first + k).into()));
        let (across, along) = if side.is_multiple_of(2) { (0, 2) } else { (2, 0) };
        if ends.iter().any(|end| end[across].to_bits() != line.to_bits()) || ends[0][along] == ends[1][along] {
            return bad;
        }
        Ok(())
    }

    /// A neighbour is another polygon that has the reversed edge and names this one back.
    fn neighbors(&self, p: usize, firsts: &[u32]) -> Result<()> {
        let (first, count) = (firsts[p] as usize, usize::from(self.tile.polygon(p).vertex_count));
        for i in 0..count {
            let neighbor = self.tile.neighbor(first + i);
            if neighbor == 0 {
                continue;
            }
            let bad = Error::format(Subject::Neighbor).at(p).part(i).value(neighbor.into());
            let other = usize::try_from(i64::from(neighbor) - 1).map_err(|_| bad)?;
            let Some(&other_first) = firsts.get(other).filter(|_| other != p) else { return Err(bad) };
            let edge = [self.tile.index(first + i), self.tile.index(first + (i + 1) % count)];
            let other_count = usize::from(self.tile.polygon(other).vertex_count);
            let names_back = (0..other_count).any(|k| {
                let at = other_first as usize;
                let back = [self.tile.index(at + (k + 1) % other_count), self.tile.index(at + k)];
                back == edge && i64::from(self.tile.neighbor(at + k)) == p as i64 + 1
            });
            if !names_back {
                return Err(bad);
            }
        }
        Ok(())
    }

    fn detail(&self) -> Result<()> {
        let counts = self.tile.counts();
        (0..counts.polygons).try_for_each(|p| {
            let polygon = self.tile.polygon(p);
            let inside = |base: u32, count: u16, all: usize| u64::from(base) + u64::from(count) <= all as u64;
            if !inside(polygon.detail_vertex_base, polygon.detail_vertex_count, counts.detail_vertices)
                || !inside(polygon.detail_triangle_base, polygon.detail_triangle_count, counts.detail_triangles)
            {
                return Err(Error::format(Subject::DetailMesh).at(p));
            }
            self.detail_triangles(&polygon)
        })
    }

    fn detail_triangles(&self, polygon: &TilePolygon) -> Result<()> {
        let corners = u32::from(polygon.vertex_count) + u32::from(polygon.detail_vertex_count);
        let base = polygon.detail_triangle_base as usize;
        for t in base..base + usize::from(polygon.detail_triangle_count) {
            let triangle = self.tile.detail_triangle(t);
            if let Some(k) = (0..3).find(|&k| u32::from(triangle[k]) >= corners) {
                let value = triangle[k].into();
                return Err(Error::format(Subject::DetailTriangle).at(t).part(k).value(value).bound(corners.into()));
            }
        }
        Ok(())
    }

    /// Parts: 0 to 2 the start, 3 to 5 the end, 6 the radius, 7 the area, 8 the flag byte.
    fn off_mesh(&self, i: usize) -> Result<()> {
        let OffMeshSlot { start, end, radius, area, bidirectional, .. } = self.tile.off_mesh(i);
        let bad = |part: usize, value: f64| Err(Error::format(Subject::OffMeshLink).at(i).part(part).value(value));
        let reach = self.params.max_local_extent();
        for (part, v) in start.into_iter().chain(end).enumerate() {
            // An infinite reach (of cells past 10^304) still leaves infinite coordinates out.
            if !v.is_finite() || f64::from(v).abs() > reach {
                return bad(part, v.into()).map_err(|error: Error| error.bound(reach));
            }
        }
        if !(radius > 0.0 && radius.is_finite()) {
            return bad(6, radius.into());
        }
        if area > MAX_AREA {
            return bad(7, area.into());
        }
        if bidirectional & !OFF_MESH_BOTH_WAYS != 0 {
            return bad(8, bidirectional.into());
        }
        Ok(())
    }
}

/// No edge of zero length; every other vertex left of or on every edge, at least one strictly left.
fn convex(corners: &[[f64; 2]], p: usize) -> Result<()> {
    let count = corners.len();
    for i in 0..count {
        let (a, b) = (corners[i], corners[(i + 1) % count]);
        if a == b {
            return Err(Error::format(Subject::Edge).at(p).part(i));
        }
        let mut strictly = false;
        for k in 2..count {
            let turn = orient2d(a, b, corners[(i + k) % count]);
            if turn.is_right() {
                return Err(Error::format(Subject::Polygon).at(p).part(i));
            }
            strictly |= turn.is_left();
        }
        if !strictly {
            return Err(Error::format(Subject::Polygon).at(p).part(i));
        }
    }
    Ok(())
}

/// How many edges lie on the tile's sides.
pub(super) fn edges_on_sides(tile: &impl TileSource) -> usize {
    portals(tile).count()
}

/// The edges that lie on the tile's sides, in order.
pub(super) fn portals(tile: &impl TileSource) -> impl Iterator<Item = usize> {
    core::iter::successors(tile.next_portal(0), |&edge| tile.next_portal(edge + 1))
}
