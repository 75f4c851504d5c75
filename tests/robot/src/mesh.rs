//! A baked mesh that lies in flash: loaded, and asked for paths.

use navarena::error::Result;
use navarena::math::SplitMix64;
use navarena::memory::{Arena, Grain};
use navarena::mesh::{MeshDef, MeshLimits, NavMesh, NavSettings};
use navarena::query::{Filter, Query, QueryDef, random_point};

use crate::{Log, in_place};

/// The tiles, as an earlier build saved them (`fixtures/0.1.0`).
const TILES: [&[u8]; 4] = [
    include_bytes!("../../../fixtures/0.1.0/tile-0.onpt"),
    include_bytes!("../../../fixtures/0.1.0/tile-1.onpt"),
    include_bytes!("../../../fixtures/0.1.0/tile-2.onpt"),
    include_bytes!("../../../fixtures/0.1.0/tile-3.onpt"),
];
/// The settings that they were baked with.
const SETTINGS: NavSettings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };
const LIMITS: MeshLimits = MeshLimits {
    tiles: 4,
    vertices: 64,
    polygons: 32,
    edges: 128,
    portals: 32,
    links: 96,
    detail_vertices: 64,
    detail_triangles: 128,
    off_mesh_links: 0,
    link_crossings: 0,
    staged: 4,
    staged_edits: 0,
};
/// The mesh.
pub const MESH: MeshDef = MeshDef { limits: LIMITS, ..MeshDef::of(&SETTINGS) };
const QUERY: QueryDef = QueryDef { nodes: 64, corridor: 32, points: 32, ..QueryDef::DEFAULT };
const PATHS: u32 = 16;

/// The bytes of the mesh and of its query.
pub const BYTES: usize = MESH.plan().bytes + QUERY.plan().bytes;

/// Puts the tiles in flash into the mesh.
#[inline(never)]
pub fn load(mesh: &mut NavMesh<'_>) -> Result<()> {
    TILES.iter().try_for_each(|tile| mesh.stage_tile(tile))?;
    mesh.commit()
}

/// A random place on the mesh.
#[inline(never)]
pub fn place(mesh: &NavMesh<'_>, random: &mut SplitMix64) -> [f64; 3] {
    random_point(mesh, random, &Filter::ALL).map_or([0.0; 3], |drawn| drawn.point)
}

/// Finds paths between random places.
// The stages are functions that are not inlined, so that none stands on the stack below the others.
#[inline(never)]
fn ask<L: Log>(mesh: &NavMesh<'_>, query: &mut Query<'_>, log: &mut L) -> Result<()> {
    let mut random = SplitMix64::new(1);
    let (mut found, mut length, mut points, mut expanded) = (0, 0.0, 0, 0);
    for _ in 0..PATHS {
        let (start, goal) = (place(mesh, &mut random), place(mesh, &mut random));
        let outcome = query.find_path(mesh, start, goal, &Filter::ALL)?;
        found += u64::from(outcome.has_path());
        length += outcome.length;
        expanded += outcome.iterations;
        points += query.path().points().len();
    }
    log.count("paths found", found);
    log.number("length of all", length);
    log.count("points of all", points as u64);
    log.count("nodes expanded", expanded);
    Ok(())
}

/// Loads the mesh and asks it.
pub fn run<L: Log>(region: &mut [Grain], log: &mut L) -> Result<()> {
    let mut arena = Arena::new(region);
    let mut mesh = NavMesh::new(&MESH, &mut arena);
    let mesh = in_place(&mut mesh)?;
    load(mesh)?;
    let mut query = Query::new(&QUERY, &mut arena);
    let query = in_place(&mut query)?;
    log.count("tiles", mesh.tile_count() as u64);
    ask(mesh, query, log)?;
    let used = query.high_water();
    log.count("high water of nodes", used.nodes.into());
    log.count("high water of corridors", used.corridor.into());
    log.count("high water of points", used.points.into());
    let used = mesh.high_water();
    log.count("high water of polygons", used.polygons.into());
    log.count("high water of links", used.links.into());
    log.count("high water of the region", arena.high_water() as u64);
    Ok(())
}
