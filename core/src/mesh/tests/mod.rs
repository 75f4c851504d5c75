//! Tests of the mesh against oracles written from the page: what they share.

mod building;
mod bytes;
mod envelope;
mod history;
mod links;
mod memory;
mod oracle;
mod snapshots;
mod stitching;
mod validity;

use super::view::{NO_NEIGHBOR, OffMeshSlot, TileView};
use super::*;
use crate::memory::{Arena, Grain};
use std::vec;
use std::vec::Vec;

/// SplitMix64: the tests' own numbers, the same on every run.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// A multiple of 1/8 between two.
    pub fn eighth(&mut self, low: i32, high: i32) -> f32 {
        (low * 8 + self.below((high - low) as usize * 8 + 1) as i32) as f32 / 8.0
    }
}

pub const PARAMS: MeshParams = MeshParams {
    origin: [-3.5, 0.0, 100.25],
    tile_size: 8.0,
    cell_size: 0.25,
    max_verts_per_poly: 6,
    walkable_climb: 0.75,
    agent_radius: 0.5,
    agent_height: 2.0,
    max_slope_degrees: 45.0,
    settings_digest: 0,
};

pub const LIMITS: MeshLimits = MeshLimits {
    tiles: 64,
    vertices: 8000,
    polygons: 4000,
    edges: 16000,
    portals: 4000,
    links: 20000,
    detail_vertices: 4000,
    detail_triangles: 4000,
    off_mesh_links: 300,
    link_crossings: 200,
    staged: 64,
    staged_edits: 8,
};

pub const DEF: MeshDef =
    MeshDef { params: PARAMS, tier: Tier::Dynamic, portals: PortalRule::Throughout, limits: LIMITS };

pub fn region(def: &MeshDef) -> Vec<Grain> {
    vec![Grain::ZERO; def.plan().grains()]
}

pub fn make<'m>(def: &MeshDef, region: &'m mut [Grain]) -> NavMesh<'m> {
    NavMesh::new(def, &mut Arena::new(region)).unwrap()
}

/// A tile that owns its arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedTile {
    pub x: i32,
    pub z: i32,
    pub layer: i32,
    pub origin: [f64; 3],
    pub vertices: Vec<[f32; 3]>,
    pub polygons: Vec<TilePolygon>,
    pub indices: Vec<u16>,
    pub neighbors: Vec<i32>,
    pub portal_sides: Vec<u8>,
    pub detail_vertices: Vec<[f32; 3]>,
    pub detail_triangles: Vec<[u8; 4]>,
    pub off_mesh: Vec<OffMeshSlot>,
}

impl OwnedTile {
    pub fn data(&self) -> TileData<'_> {
        TileData {
            x: self.x,
            z: self.z,
            layer: self.layer,
            origin: self.origin,
            vertices: &self.vertices,
            polygons: &self.polygons,
            indices: &self.indices,
            neighbors: &self.neighbors,
            portal_sides: &self.portal_sides,
            detail_vertices: &self.detail_vertices,
            detail_triangles: &self.detail_triangles,
            off_mesh: &self.off_mesh,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.bytes_for(&PARAMS)
    }

    pub fn bytes_for(&self, params: &MeshParams) -> Vec<u8> {
        let mut bytes = vec![0; self.data().byte_size()];
        let size = self.data().write(params, &mut bytes).unwrap();
        assert_eq!(size, bytes.len());
        bytes
    }

    /// Each polygon's first edge.
    pub fn first(&self, polygon: usize) -> usize {
        self.polygons[..polygon].iter().map(|p| p.vertex_count as usize).sum()
    }

    pub fn key(&self) -> (i32, i32, i32) {
        (self.x, self.z, self.layer)
    }

    /// Whether a view of the mesh shows this tile.
    pub fn is_shown_by(&self, view: &TileView<'_>) -> bool {
        let neighbors = view.edges.iter().map(|e| if e.neighbor == NO_NEIGHBOR { 0 } else { e.neighbor as i32 + 1 });
        (view.x, view.z, view.layer) == self.key()
            && view.origin == self.origin
            && view.vertices == self.vertices
            && view.detail_vertices == self.detail_vertices
            && view.detail_triangles == self.detail_triangles
            && view.off_mesh == self.off_mesh
            && view.edges.iter().map(|e| e.vertex).eq(self.indices.iter().copied())
            && view.edges.iter().map(|e| e.side).eq(self.portal_sides.iter().copied())
            && neighbors.eq(self.neighbors.iter().copied())
            && view
                .polygons
                .iter()
                .map(|p| (p.edge_count, p.area, p.flags, p.detail_triangle_count))
                .eq(self.polygons.iter().map(|p| (p.vertex_count, p.area, p.flags, p.detail_triangle_count)))
    }
}

/// A tile of quads over random cut lines, some left out, with random heights, portals on its sides, some detail and
/// some off-mesh links.
pub fn random_tile(random: &mut Random, (x, z, layer): (i32, i32, i32), off_mesh: usize) -> OwnedTile {
    let [ox, oz] = PARAMS.tile_origin(x, z);
    let (xs, zs) = (cuts(random), cuts(random));
    let heights: Vec<f32> =
        (0..xs.len() * zs.len()).map(|_| random.below(4) as f32 * 0.25 + layer as f32 * 0.75).collect();
    let vertex = |i: usize, j: usize| (i + j * xs.len()) as u16;
    let vertices = (0..xs.len() * zs.len()).map(|v| [xs[v % xs.len()], heights[v], zs[v / xs.len()]]).collect();
    let mut tile = OwnedTile {
        x,
        z,
        layer,
        origin: [ox, f64::from(random.eighth(-1, 1)) / 4.0, oz],
        vertices,
        polygons: vec![],
        indices: vec![],
        neighbors: vec![],
        portal_sides: vec![],
        detail_vertices: vec![],
        detail_triangles: vec![],
        off_mesh: (0..off_mesh).map(|i| random_link(random, layer, i as u32)).collect(),
    };
    for j in 0..zs.len() - 1 {
        for i in 0..xs.len() - 1 {
            if random.chance(80) {
                let ring = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
                push_quad(random, &mut tile, ring);
            }
        }
    }
    link_inside(&mut tile);
    mark_portals(random, &mut tile);
    tile
}

/// Rising coordinates from 0 to the tile's side.
fn cuts(random: &mut Random) -> Vec<f32> {
    let mut cuts = vec![0.0, 8.0];
    cuts.extend((0..random.below(5)).map(|_| random.eighth(0, 8)));
    cuts.sort_by(f32::total_cmp);
    cuts.dedup();
    cuts
}

fn push_quad(random: &mut Random, tile: &mut OwnedTile, ring: [u16; 4]) {
    let turn = random.below(4);
    tile.indices.extend((0..4).map(|k| ring[(k + turn) % 4]));
    let mut polygon = TilePolygon {
        vertex_count: 4,
        area: random.below(64) as u8,
        flags: random.next() as u16,
        detail_vertex_base: tile.detail_vertices.len() as u32,
        detail_triangle_base: tile.detail_triangles.len() as u32,
        ..TilePolygon::default()
    };
    if random.chance(30) {
        tile.detail_vertices.push([random.eighth(0, 8), 1.0, random.eighth(0, 8)]);
        tile.detail_triangles.extend([[0, 1, 4, 1], [1, 2, 4, 1], [2, 3, 4, 1], [3, 0, 4, 1]]);
        (polygon.detail_vertex_count, polygon.detail_triangle_count) = (1, 4);
    }
    tile.polygons.push(polygon);
}

/// Every pair of reversed edges become neighbours.
pub fn link_inside(tile: &mut OwnedTile) {
    let edges = edges_of(tile);
    tile.neighbors = edges
        .iter()
        .map(|&(_, a, b)| edges.iter().find(|e| (e.1, e.2) == (b, a)).map_or(0, |e| e.0 as i32 + 1))
        .collect();
    tile.portal_sides = vec![NO_PORTAL; edges.len()];
}

/// Every edge with its polygon and its two vertices.
pub fn edges_of(tile: &OwnedTile) -> Vec<(usize, u16, u16)> {
    let mut edges = vec![];
    let mut first = 0;
    for (p, polygon) in tile.polygons.iter().enumerate() {
        let n = polygon.vertex_count as usize;
        edges.extend((0..n).map(|k| (p, tile.indices[first + k], tile.indices[first + (k + 1) % n])));
        first += n;
    }
    edges
}

fn mark_portals(random: &mut Random, tile: &mut OwnedTile) {
    for (i, (_, a, b)) in edges_of(tile).into_iter().enumerate() {
        let (a, b) = (tile.vertices[a as usize], tile.vertices[b as usize]);
        let lines = [(0, 8.0), (2, 8.0), (0, 0.0), (2, 0.0f32)];
        let side = lines.iter().position(|&(axis, line)| a[axis] == line && b[axis] == line);
        if let Some(side) = side
            && tile.neighbors[i] == 0
            && random.chance(90)
        {
            tile.portal_sides[i] = side as u8;
        }
    }
}

fn random_link(random: &mut Random, layer: i32, user_id: u32) -> OffMeshSlot {
    let y = layer as f32 * 0.75;
    OffMeshSlot {
        start: [random.eighth(-1, 9), y + random.eighth(0, 1), random.eighth(-1, 9)],
        end: [random.eighth(-17, 25), y + random.eighth(-1, 2), random.eighth(-17, 25)],
        radius: random.eighth(0, 4) + 0.125,
        area: random.below(64) as u8,
        flags: random.next() as u16,
        bidirectional: random.below(2) as u8,
        user_id,
    }
}
