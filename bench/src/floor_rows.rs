//! A tile map as a floor: our exact builder from the tiles, beside Recast's bake of the same tiles as triangles, whole and in
//! tiles (`benchmarking.md`, "The 2D builder row"). Both end with a mesh that can be asked.
//!
//! The areas differ by what Recast's voxels take off; ours is held to the exact eroded area of the map.

use navarena::build2d::{FloorBuilder, FloorDef, FloorInput, FloorLimits};
use navarena::error::Result;
use navarena::geometry::region::{RegionDef, TileCells, TileMap};
use navarena::memory::{Arena, Grain};
use navarena::mesh::{MeshDef, MeshLimits, NavMesh, NavSettings};
use navarena_fixtures::Kind;
use navarena_std::obj::Geometry;
use navarena_tests::ours::{coverage, polygon_count, region};
use navarena_tests::recast::Tiling;

use crate::clock::{Rounds, alternate};
use crate::recast::bake::{Input, bake};
use crate::rows::text;
use crate::table::{Agreement, Row};

const ROUNDS: Rounds = Rounds { warm_up: 2, timed: 9 };
/// The map's side in units, and a tile's.
const SIZE: u32 = 256;
const TILE: f64 = 2.0;
const SIDE: u32 = SIZE / 2;
const CELL: f64 = 0.25;
const RADIUS: f64 = 0.5;

/// Both rows.
///
/// # Errors
/// A refusal by either side.
pub fn rows() -> std::result::Result<Vec<Row>, String> {
    let generated = Kind::TileMap.generate(SIZE, 1);
    let level = Geometry { vertices: generated.vertices, triangles: generated.triangles };
    let cells = cells_of(&level);
    let input = Input::new(&level);
    let mut rows = Vec::new();
    for tiling in Tiling::BOTH {
        let settings = settings(tiling);
        let theirs = bake(&input, &settings, tiling)?.counts;
        let mut shop = Shop::new(&cells, &settings).map_err(text)?;
        let (area, polygons, bytes) =
            shop.build(|mesh, peak| (coverage(mesh), polygon_count(mesh), peak)).map_err(text)?;
        let best = alternate(
            ROUNDS,
            || shop.build(|mesh, _| mesh.tile_count()).map_err(text),
            || bake(&input, &settings, tiling),
        );
        let exact = eroded_area(&cells);
        let (share, their_share) = (area / exact - 1.0, theirs.coverage / exact - 1.0);
        let how = format!(
            "{:+.3}% of the exact area (theirs {:+.1}%), {polygons} polygons (theirs {}), {:.1} MiB of work memory",
            100.0 * share,
            100.0 * their_share,
            theirs.polygons,
            bytes as f64 / (1 << 20) as f64
        );
        let agrees = share.abs() <= 0.001;
        rows.push(Row {
            name: format!("floor of a tile map of {SIZE}, {}", tiling.name()),
            unit: "ms",
            ours: best.ours.as_secs_f64() * 1e3,
            theirs: best.theirs.as_secs_f64() * 1e3,
            answers: if agrees { Agreement::Agree(how) } else { Agreement::Differ(how) },
        });
    }
    Ok(rows)
}

fn settings(tiling: Tiling) -> NavSettings {
    let tile_size = match tiling {
        Tiling::Whole => f64::from(SIZE) + CELL,
        Tiling::Tiled => 128.0 * CELL,
    };
    NavSettings { agent_radius: RADIUS, cell_size: CELL, tile_size, max_edge_length: 12.0, ..NavSettings::HUMANOID }
}

/// Which tiles are floor: each triangle lies in the tile of its centroid.
fn cells_of(level: &Geometry) -> Vec<bool> {
    let mut cells = vec![false; (SIDE * SIDE) as usize];
    for triangle in &level.triangles {
        let sum = |axis: usize| triangle.iter().map(|&v| f64::from(level.vertices[v as usize][axis])).sum::<f64>();
        let [x, z] = [sum(0), sum(2)].map(|sum| (sum / (3.0 * TILE)) as u32);
        cells[(z * SIDE + x) as usize] = true;
    }
    cells
}

/// Memory for one floor, made once.
struct Shop<'c> {
    map: TileMap<'c>,
    floor: FloorDef<'static>,
    mesh: MeshDef,
    work: Vec<Grain>,
    memory: Vec<Grain>,
}

impl<'c> Shop<'c> {
    fn new(cells: &'c [bool], settings: &NavSettings) -> Result<Shop<'c>> {
        let map =
            TileMap { cells: TileCells::Where(cells), width: SIDE, height: SIDE, cell_size: TILE, origin: [0.0; 2] };
        let most = RegionDef { edges: 1 << 17, crossings: 1 << 17, segments: 1 << 18, points: 1 << 17, rings: 1 << 15 };
        let floor = FloorDef { limits: FloorLimits { region: most, bytes: 192 << 20 }, ..FloorDef::of(*settings) };
        let limits = MeshLimits {
            tiles: 64,
            staged: 64,
            vertices: 1 << 17,
            polygons: 1 << 16,
            edges: 1 << 18,
            ..MeshLimits::DEFAULT
        };
        let mesh = MeshDef { limits, ..MeshDef::of(settings) };
        let mut shop = Shop { map, floor, mesh, work: region(floor.plan()), memory: region(mesh.plan()) };
        // Just what it takes, as a game would have it.
        let used = shop.build(|mesh, _| mesh.high_water())?;
        shop.mesh.limits = MeshLimits { staged_edits: 1, ..used };
        shop.memory = region(shop.mesh.plan());
        Ok(shop)
    }

    /// Builds the floor and its mesh and lends the mesh, with the most work memory in use.
    fn build<R>(&mut self, ask: impl FnOnce(&NavMesh<'_>, usize) -> R) -> Result<R> {
        let mut builder = FloorBuilder::new(&self.floor, &mut Arena::new(&mut self.work))?;
        let mut mesh = NavMesh::new(&self.mesh, &mut Arena::new(&mut self.memory))?;
        builder.begin(&FloorInput::TileMap(self.map))?;
        while let Some(tile) = builder.next_tile()? {
            mesh.stage_tile_data(&tile)?;
        }
        mesh.commit()?;
        Ok(ask(&mesh, builder.report().memory_peak))
    }
}

/// The area at least the radius from every wall, in closed form: each floor tile loses a strip along every side at a wall,
/// overlaps counted once, and a quarter disc at each corner that only the tile across makes (`benchmarking.md`, "The gate").
fn eroded_area(cells: &[bool]) -> f64 {
    let floor = |x: i64, z: i64| {
        let within = |v: i64| (0..i64::from(SIDE)).contains(&v);
        within(x) && within(z) && cells[(z * i64::from(SIDE) + x) as usize]
    };
    let mut area = 0.0;
    for (x, z) in (0..i64::from(SIDE)).flat_map(|z| (0..i64::from(SIDE)).map(move |x| (x, z))) {
        if !floor(x, z) {
            continue;
        }
        let (mut sides, mut corners, mut discs) = (0.0, 0.0, 0.0);
        for (dx, dz) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            // This side, the next one counter-clockwise, and the tile across their corner.
            let (here, next) = (floor(x + dx, z + dz), floor(x - dz, z + dx));
            sides += f64::from(!here);
            corners += f64::from(!here && !next);
            discs += f64::from(here && next && !floor(x + dx - dz, z + dz + dx));
        }
        let lost =
            sides * TILE * RADIUS - corners * RADIUS * RADIUS + discs * core::f64::consts::PI * RADIUS * RADIUS / 4.0;
        area += TILE * TILE - lost;
    }
    area
}
