//! Random meshes: tiles of convex polygons with holes, slopes, areas, floors above one another and off-mesh links.

use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use crate::mesh::view::OffMeshSlot;
use crate::mesh::{MeshDef, MeshLimits, NO_PORTAL, NavMesh, NavSettings, PolyRef, TileData, TilePolygon};
use crate::query::{Query, QueryDef};
use std::boxed::Box;
use std::vec::Vec;

/// Cells along a tile's side.
const CELLS: usize = 6;
/// World units of a cell.
const CELL: f64 = 2.0;
const SIDE: f64 = CELLS as f64 * CELL;

/// What kind of mesh to make.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub seed: u64,
    /// Tiles along x and z.
    pub tiles: i32,
    /// Of a hundred cells, how many are holes.
    pub holes: u64,
    /// Whether cells are merged into rectangles, or stay quads with moved corners.
    pub merged: bool,
    pub floors: i32,
    pub links: u64,
}

pub struct World {
    pub mesh: NavMesh<'static>,
    pub random: SplitMix64,
}

/// Memory that lives as long as the test process.
pub fn memory(bytes: usize) -> Arena<'static> {
    Arena::new(Box::leak(std::vec![Grain::ZERO; bytes.div_ceil(16)].into_boxed_slice()))
}

pub fn query(def: QueryDef) -> Query<'static> {
    Query::new(&def, &mut memory(def.plan().bytes)).unwrap()
}

pub fn empty_mesh() -> NavMesh<'static> {
    let limits = MeshLimits {
        tiles: 64,
        vertices: 8192,
        polygons: 4096,
        edges: 16384,
        portals: 4096,
        links: 8192,
        detail_vertices: 256,
        detail_triangles: 256,
        off_mesh_links: 256,
        link_crossings: 256,
        staged: 64,
        staged_edits: 8,
    };
    let settings = NavSettings { tile_size: SIDE, cell_size: 0.25, max_verts_per_poly: 16, ..NavSettings::HUMANOID };
    let def = MeshDef { limits, ..MeshDef::of(&settings) };
    NavMesh::new(&def, &mut memory(def.plan().bytes)).unwrap()
}

/// Owned tile content.
#[derive(Default)]
pub struct TileOf {
    pub vertices: Vec<[f32; 3]>,
    pub polygons: Vec<TilePolygon>,
    pub indices: Vec<u16>,
    pub neighbors: Vec<i32>,
    pub sides: Vec<u8>,
    pub detail_vertices: Vec<[f32; 3]>,
    pub detail_triangles: Vec<[u8; 4]>,
    pub off_mesh: Vec<OffMeshSlot>,
}

impl TileOf {
    pub fn polygon(&mut self, ring: &[u16], area: u8, flags: u16) {
        self.polygons.push(TilePolygon { vertex_count: ring.len() as u8, area, flags, ..TilePolygon::default() });
        self.indices.extend(ring);
    }

    /// Finds neighbours by reversed edges and marks the edges on tile sides.
    pub fn connect(&mut self, side: f32) {
        let mut edges = Vec::new();
        let mut first = 0;
        for (p, polygon) in self.polygons.iter().enumerate() {
            let ring = &self.indices[first..first + polygon.vertex_count as usize];
            edges.extend((0..ring.len()).map(|i| (p, ring[i], ring[(i + 1) % ring.len()])));
            first += ring.len();
        }
        for &(_, a, b) in &edges {
            let across = edges.iter().find(|&&(_, c, d)| (c, d) == (b, a));
            self.neighbors.push(across.map_or(0, |&(p, ..)| p as i32 + 1));
            let (a, b) = (self.vertices[a as usize], self.vertices[b as usize]);
            let lies = |axis: usize, at: f32| a[axis] == at && b[axis] == at;
            let on = [lies(0, side), lies(2, side), lies(0, 0.0), lies(2, 0.0)].iter().position(|&is| is);
            self.sides.push(if across.is_some() { NO_PORTAL } else { on.map_or(NO_PORTAL, |side| side as u8) });
        }
    }

    pub fn add_to(&self, mesh: &mut NavMesh<'_>, x: i32, z: i32, layer: i32, height: f64) {
        let [ox, oz] = mesh.params().tile_origin(x, z);
        let data = TileData {
            x,
            z,
            layer,
            origin: [ox, height, oz],
            vertices: &self.vertices,
            polygons: &self.polygons,
            indices: &self.indices,
            neighbors: &self.neighbors,
            portal_sides: &self.sides,
            detail_vertices: &self.detail_vertices,
            detail_triangles: &self.detail_triangles,
            off_mesh: &self.off_mesh,
        };
        mesh.stage_tile_data(&data).unwrap();
    }
}

/// A number in [0, 1) that depends on a lattice point alone.
fn noise(seed: u64, x: i64, z: i64, what: u64) -> f64 {
    let key = seed ^ (x as u64).wrapping_mul(0x9E37_79B9) ^ (z as u64).wrapping_mul(0x85EB_CA6B_0000) ^ what << 60;
    SplitMix64::new(key).next_f64()
}

impl World {
    pub fn new(kind: Kind) -> World {
        World::with_rise(kind, 4.0)
    }

    /// With floors so far above one another; floors closer than the climb are linked at tile sides.
    pub fn with_rise(kind: Kind, rise: f64) -> World {
        let mut mesh = empty_mesh();
        let mut random = SplitMix64::new(kind.seed);
        for z in 0..kind.tiles {
            for x in 0..kind.tiles {
                for floor in 0..kind.floors {
                    let mut tile = floor_of(&kind, &mut random, x, z, floor);
                    if tile.polygons.is_empty() {
                        continue;
                    }
                    add_links(&kind, &mut random, &mut tile, (x, z));
                    tile.add_to(&mut mesh, x, z, floor, floor as f64 * rise);
                }
            }
        }
        mesh.commit().unwrap();
        World { mesh, random }
    }

    pub fn polygons(&self) -> Vec<PolyRef> {
        self.mesh
            .tiles()
            .flat_map(|tile| (0..tile.polygons.len() as u32).map(move |i| tile.reference.polygon(i)))
            .collect()
    }

    /// A random polygon and its middle.
    pub fn place(&mut self) -> (PolyRef, [f64; 3]) {
        let all = self.polygons();
        let polygon = all[self.random.below(all.len() as u64) as usize];
        (polygon, middle(&self.mesh, polygon))
    }

    /// A position in or near the mesh.
    pub fn position(&mut self, tiles: i32) -> [f64; 3] {
        let reach = tiles as f64 * SIDE;
        let (u, v, w) = (self.random.next_f64(), self.random.next_f64(), self.random.next_f64());
        // Now and then on the lattice, where polygons meet.
        let snap = |t: f64| if w < 0.2 { (t * 6.0).round() / 6.0 } else { t };
        [snap(u) * reach * 1.1 - 0.5, w * 6.0 - 1.0, snap(v) * reach * 1.1 - 0.5]
    }
}

/// The mean of a polygon's corners.
pub fn middle(mesh: &NavMesh<'_>, polygon: PolyRef) -> [f64; 3] {
    let ring = corners(mesh, polygon);
    core::array::from_fn(|axis| ring.iter().map(|corner| corner[axis]).sum::<f64>() / ring.len() as f64)
}

/// A polygon's corners in world coordinates.
pub fn corners(mesh: &NavMesh<'_>, polygon: PolyRef) -> Vec<[f64; 3]> {
    let (tile, record) = mesh.polygon(polygon).unwrap();
    tile.edges_of(record).iter().map(|edge| tile.world(edge.vertex)).collect()
}

fn floor_of(kind: &Kind, random: &mut SplitMix64, x: i32, z: i32, floor: i32) -> TileOf {
    let mut tile = TileOf::default();
    let lattice = CELLS + 1;
    for j in 0..lattice {
        for i in 0..lattice {
            tile.vertices.push(vertex(kind, (x, z), (i, j), floor));
        }
    }
    let mut owner = [[None; CELLS]; CELLS];
    let mut taken = [[false; CELLS]; CELLS];
    for row in &mut taken {
        for cell in row {
            *cell = random.below(100) < kind.holes;
        }
    }
    let mut rectangles = Vec::new();
    for j in 0..CELLS {
        for i in 0..CELLS {
            if taken[j][i] {
                continue;
            }
            let (mut w, mut h) = (1, 1);
            if kind.merged {
                let (want_w, want_h) = (1 + random.below(4) as usize, 1 + random.below(4) as usize);
                while w < want_w && i + w < CELLS && !taken[j][i + w] {
                    w += 1;
                }
                while h < want_h && j + h < CELLS && (i..i + w).all(|c| !taken[j + h][c]) {
                    h += 1;
                }
            }
            for row in j..j + h {
                for column in i..i + w {
                    taken[row][column] = true;
                    owner[row][column] = Some(rectangles.len());
                }
            }
            rectangles.push((i, j, w, h));
        }
    }
    // Corners of any rectangle, where others may need a vertex; or all lattice points, for runs of edges in a line.
    let all_points = random.below(2) == 0;
    let mut needed = [[all_points; CELLS + 1]; CELLS + 1];
    for &(i, j, w, h) in &rectangles {
        for (column, row) in [(i, j), (i + w, j), (i + w, j + h), (i, j + h)] {
            needed[row][column] = true;
        }
    }
    for &(i, j, w, h) in &rectangles {
        let bottom = (i..i + w).map(|c| (c, j));
        let right = (j..j + h).map(|r| (i + w, r));
        let top = (i + 1..=i + w).rev().map(|c| (c, j + h));
        let left = (j + 1..=j + h).rev().map(|r| (i, r));
        let ring: Vec<u16> = bottom
            .chain(right)
            .chain(top)
            .chain(left)
            .filter(|&(c, r)| needed[r][c])
            .map(|(c, r)| (r * lattice + c) as u16)
            .collect();
        let turn = random.below(ring.len() as u64) as usize;
        let ring: Vec<u16> = ring[turn..].iter().chain(&ring[..turn]).copied().collect();
        tile.polygon(&ring, random.below(4) as u8, 1 << random.below(3));
    }
    tile.connect(SIDE as f32);
    tile
}

/// A lattice point of a tile: heights agree between tiles; quads have their corners moved, on a side along it only.
fn vertex(kind: &Kind, tile: (i32, i32), (i, j): (usize, usize), floor: i32) -> [f32; 3] {
    let column = tile.0 as i64 * CELLS as i64 + i as i64;
    let row = tile.1 as i64 * CELLS as i64 + j as i64;
    let (mut dx, mut dz) = (0.0, 0.0);
    if !kind.merged {
        // Not the same on both sides of a tile border, so that portals overlap in part.
        let seed = kind.seed ^ (tile.0 as u64) << 40 ^ (tile.1 as u64) << 50 ^ (floor as u64) << 58;
        if i > 0 && i < CELLS {
            dx = (noise(seed, column, row, 1) - 0.5) * 0.5;
        }
        if j > 0 && j < CELLS {
            dz = (noise(seed, column, row, 2) - 0.5) * 0.5;
        }
    }
    let x = ((i as f64 + dx) * CELL) as f32;
    let z = ((j as f64 + dz) * CELL) as f32;
    let y = (noise(kind.seed, column, row, 3) * 0.4) as f32;
    [x, y, z]
}

fn add_links(kind: &Kind, random: &mut SplitMix64, tile: &mut TileOf, (x, z): (i32, i32)) {
    for _ in 0..kind.links {
        let mut end = |base: f64, count: i32| ((random.next_f64() * count as f64 * SIDE) - base) as f32;
        let far = [end(x as f64 * SIDE, kind.tiles), 0.2, end(z as f64 * SIDE, kind.tiles)];
        let near = [(random.next_f64() * SIDE) as f32, 0.2, (random.next_f64() * SIDE) as f32];
        tile.off_mesh.push(OffMeshSlot {
            start: near,
            end: far,
            radius: 0.5,
            user_id: 7,
            flags: 1 << random.below(3),
            area: random.below(4) as u8,
            bidirectional: random.below(2) as u8,
        });
    }
}
