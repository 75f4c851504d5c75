//! Claims about the nearest wall on meshes that a walk straight over the ground is easily wrong about: with polygons above
//! one another, walls without thickness, slits and corners that belong to none; against the page's own search.

use super::world::{TileOf, corners, empty_mesh, middle, query};
use crate::math::SplitMix64;
use crate::mesh::{NO_PORTAL, NavMesh, PolyRef};
use crate::query::{AreaStatus, Circle, Filter, Query, QueryDef, WallDistance, WallOptions};
use proptest::prelude::*;
use std::vec::Vec;

/// Cells along a tile's side, and world units of a cell.
const CELLS: usize = 6;
const CELL: f64 = 2.0;
const SIDE: f64 = CELLS as f64 * CELL;

/// Of a hundred, how many cells are what.
#[derive(Clone, Copy, Debug)]
struct Faults {
    holes: u64,
    /// Joined to no other, and smaller by something between nothing and a tenth.
    loose: u64,
    /// Triangles that lie anywhere above the cells.
    above: u64,
    /// Edges of cells from which a triangle leads away over others, not joined to them.
    ramps: u64,
}

/// A tile of cells with moved corners.
fn tile(random: &mut SplitMix64, faults: Faults) -> TileOf {
    let mut tile = TileOf::default();
    let lattice = CELLS + 1;
    let moved = random.below(2) == 0;
    for row in 0..lattice {
        for column in 0..lattice {
            let mut place = |at: usize| {
                let by = if moved && at > 0 && at < CELLS { random.next_f64() * 0.6 - 0.3 } else { 0.0 };
                ((at as f64 + by) * CELL) as f32
            };
            let (x, z) = (place(column), place(row));
            tile.vertices.push([x, 0.0, z]);
        }
    }
    let at = |column: usize, row: usize| (row * lattice + column) as u16;
    for row in 0..CELLS {
        for column in 0..CELLS {
            let mut ring = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
            let what = random.below(100);
            if what < faults.holes {
                continue;
            }
            if what < faults.holes + faults.loose {
                let by = [0.0, 0.0, 1e-7, 1e-5, 2e-3, 0.1][random.below(6) as usize];
                let points = ring.map(|vertex| tile.vertices[vertex as usize]);
                let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f32>() / 4.0;
                let middle = [mean(0), 0.0, mean(2)];
                for (vertex, point) in ring.iter_mut().zip(points) {
                    *vertex = tile.vertices.len() as u16;
                    tile.vertices.push(core::array::from_fn(|axis| point[axis] + (middle[axis] - point[axis]) * by));
                }
            }
            if random.below(3) == 0 {
                tile.polygon(&[ring[0], ring[1], ring[2]], 0, 1);
                tile.polygon(&[ring[0], ring[2], ring[3]], 0, 1);
            } else {
                tile.polygon(&ring, 0, 1);
            }
        }
    }
    for _ in 0..faults.above {
        triangle(random, &mut tile, None);
    }
    let edges: Vec<[u16; 2]> = edges(&tile).into_iter().flatten().collect();
    for &[a, b] in edges.iter().filter(|&&[a, b]| !edges.contains(&[b, a])) {
        if random.below(100) < faults.ramps {
            triangle(random, &mut tile, Some([b, a]));
        }
    }
    tile.connect(SIDE as f32);
    tile
}

/// Each polygon's edges.
fn edges(tile: &TileOf) -> Vec<Vec<[u16; 2]>> {
    let mut first = 0;
    let ring = |polygon: &crate::mesh::TilePolygon| {
        let ring = &tile.indices[first..first + polygon.vertex_count as usize];
        first += ring.len();
        (0..ring.len()).map(|at| [ring[at], ring[(at + 1) % ring.len()]]).collect()
    };
    tile.polygons.iter().map(ring).collect()
}

/// A triangle anywhere, or on an edge, to its left; none where it has no area.
fn triangle(random: &mut SplitMix64, tile: &mut TileOf, edge: Option<[u16; 2]>) {
    let first = tile.vertices.len();
    let mut ring: Vec<u16> = edge.map_or(Vec::new(), Vec::from);
    while ring.len() < 3 {
        // Some on the lattice, where others' corners and edges are.
        let whole = random.below(2) == 0;
        let mut place = || {
            let at = random.next_f64() * SIDE;
            (if whole { (at / CELL).round() * CELL } else { at }) as f32
        };
        let (x, z) = (place(), place());
        ring.push(tile.vertices.len() as u16);
        tile.vertices.push([x, 3.0, z]);
    }
    let corner = |at: usize| tile.vertices[ring[at] as usize].map(f64::from);
    let [a, b, c] = [corner(0), corner(1), corner(2)];
    let area = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
    if area > 0.1 {
        tile.polygon(&ring, 0, 1);
    } else {
        tile.vertices.truncate(first);
    }
}

/// Tiles beside one another, of some floors, without open sides.
fn mesh(random: &mut SplitMix64, faults: Faults, tiles: i32, floors: i32) -> NavMesh<'static> {
    let mut mesh = empty_mesh();
    for (x, z, floor) in (0..tiles * tiles * floors).map(|n| (n % tiles, n / tiles % tiles, n / tiles / tiles)) {
        let mut tile = tile(random, faults);
        let is_open = [x + 1 == tiles, z + 1 == tiles, x == 0, z == 0];
        for side in tile.sides.iter_mut().filter(|side| is_open.get(**side as usize) == Some(&true)) {
            *side = NO_PORTAL;
        }
        tile.add_to(&mut mesh, x, z, floor, f64::from(floor));
    }
    mesh.commit().unwrap();
    mesh
}

fn all_polygons(mesh: &NavMesh<'_>) -> Vec<PolyRef> {
    let of =
        |tile: crate::mesh::view::TileView<'_>| (0..tile.polygons.len() as u32).map(move |i| tile.reference.polygon(i));
    mesh.tiles().flat_map(of).collect()
}

/// The page's: the circle search, then all of its polygons.
fn by_search(query: &mut Query<'_>, mesh: &NavMesh<'_>, circle: Circle, options: WallOptions) -> WallDistance {
    query.begin_circle(mesh, circle, &Filter::ALL).unwrap();
    while query.step_area(mesh, &Filter::ALL, 99).unwrap() == AreaStatus::InProgress {}
    query.finish_wall_distance(mesh, &Filter::ALL, options).unwrap()
}

/// A place on or near a polygon: its middle, a corner, a place on an edge or between, or a little off.
fn place(random: &mut SplitMix64, mesh: &NavMesh<'_>, polygon: PolyRef) -> [f64; 3] {
    let (ring, middle) = (corners(mesh, polygon), middle(mesh, polygon));
    let at = random.below(ring.len() as u64) as usize;
    let (a, b) = (ring[at], ring[(at + 1) % ring.len()]);
    let toward =
        |from: [f64; 3], to: [f64; 3], by: f64| core::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * by);
    let mut share = || random.next_f64();
    let on_edge = toward(a, b, share());
    match random.below(7) {
        0 => middle,
        1 => a,
        2 => toward(a, b, 0.5),
        3 => on_edge,
        4 => toward(on_edge, middle, -1e-9),
        5 => toward(on_edge, middle, -0.3),
        _ => toward(on_edge, middle, random.next_f64()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_nearest_wall_is_that_of_the_whole_search_on_broken_ground_too(
        seed in any::<u64>(), holes in 0u64..30, loose in 0u64..12, above in 0u64..3, ramps in 0u64..30,
        tiles in 1i32..3, floors in 1i32..3, clean in 0..3,
    ) {
        let faults = match clean {
            0 => Faults { holes, loose: 0, above: 0, ramps: 0 },
            1 => Faults { holes, loose, above: 0, ramps: 0 },
            _ => Faults { holes, loose, above, ramps },
        };
        let mut random = SplitMix64::new(seed);
        let mesh = mesh(&mut random, faults, tiles, floors);
        let all = all_polygons(&mesh);
        prop_assume!(!all.is_empty());
        let mut query = query(QueryDef { nodes: 1024, ..QueryDef::DEFAULT });
        for _ in 0..60 {
            let polygon = all[random.below(all.len() as u64) as usize];
            let center = place(&mut random, &mesh, polygon);
            let radius = [0.5, 2.0, 4.0, 9.0][random.below(4) as usize];
            let circle = Circle { polygon, center, radius };
            for options in [WallOptions::ALL, WallOptions::on_floor(&mesh)] {
                let found = query.find_wall_distance(&mesh, circle, &Filter::ALL, options).unwrap();
                prop_assert_eq!(found, by_search(&mut query, &mesh, circle, options));
            }
        }
    }
}
