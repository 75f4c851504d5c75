//! The levels that scenarios bake and ask, small enough for a microcontroller.

use alloc::vec;
use alloc::vec::Vec;
use navarena::build3d::{BakeDef, BakeInput, BakeLimits, Baker, TileIndex, TriangleMesh, rasterize::Vertices};
use navarena::error::{Error, Result, Subject};
use navarena::memory::{Arena, Grain, Plan};
use navarena::mesh::{MeshDef, MeshLimits, NavMesh, NavSettings};
use navarena_fixtures::{Kind, Level};

use crate::crew::Crew;

/// Memory for a plan.
pub fn region(plan: Plan) -> Vec<Grain> {
    vec![Grain::ZERO; plan.grains()]
}

/// A side of a level in world units.
pub const SIZE: u32 = 32;

/// A person, in tiles of 16 units.
pub const SETTINGS: NavSettings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };

/// Work memory of one tile.
const BAKE_BYTES: usize = 2 << 20;

/// What a mesh of a level holds at most.
pub const LIMITS: MeshLimits = MeshLimits {
    tiles: 32,
    vertices: 4096,
    polygons: 2048,
    edges: 8192,
    portals: 1024,
    links: 2048,
    detail_vertices: 8192,
    detail_triangles: 16_384,
    off_mesh_links: 16,
    link_crossings: 16,
    staged: 32,
    staged_edits: 32,
};

/// The def of a mesh that holds a level.
pub fn mesh_def(settings: &NavSettings) -> MeshDef {
    MeshDef { limits: LIMITS, ..MeshDef::of(settings) }
}

/// A level's triangles as a baker reads them.
pub fn triangles_of(level: &Level) -> [TriangleMesh<'_>; 1] {
    [TriangleMesh { vertices: Vertices::Single(&level.vertices), triangles: &level.triangles, areas: None }]
}

/// Bakes the tiles of a generated level, each by any worker; the bytes are in the order of the tiles.
pub fn bake(level: &Level, settings: &NavSettings, crew: &dyn Crew) -> Result<Vec<Vec<u8>>> {
    let meshes = triangles_of(level);
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let mut index_memory = region(TileIndex::plan(&input, settings)?);
    let index = TileIndex::new(&input, settings, &mut Arena::new(&mut index_memory))?;
    let input = BakeInput { index: Some(&index), ..input };
    let def = BakeDef { limits: BakeLimits { bytes: BAKE_BYTES, ..BakeLimits::DEFAULT }, ..BakeDef::of(*settings) };
    let bake_tile = |tile: usize| -> Result<Vec<Vec<u8>>> {
        let mut memory = region(def.plan());
        let mut baker = Baker::new(&def, &mut Arena::new(&mut memory))?;
        let (x, z) = index.range().tile(tile);
        baker.bake_tile(&input, x, z)?;
        Ok(baker.tiles().map(<[u8]>::to_vec).collect())
    };
    // A worker gives bytes: every tile of its part with its length before it. A refusal is an absurd length.
    let part = |tile: usize| match bake_tile(tile) {
        Ok(tiles) => tiles.iter().flat_map(|bytes| [&length(bytes.len())[..], bytes].concat()).collect(),
        Err(_) => length(usize::MAX).to_vec(),
    };
    let mut tiles = Vec::new();
    for mut rest in crew.share(index.range().count(), &part).iter().map(Vec::as_slice) {
        while let Some((len, after)) = rest.split_first_chunk::<4>() {
            let len = u32::from_le_bytes(*len) as usize;
            let (bytes, after) = after.split_at_checked(len).ok_or(Error::invalid(Subject::Tile))?;
            tiles.push(bytes.to_vec());
            rest = after;
        }
    }
    Ok(tiles)
}

fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_le_bytes()
}

/// Bakes a generated level and lends its mesh, committed.
pub fn with_mesh<R>(kind: Kind, crew: &dyn Crew, work: impl FnOnce(&mut NavMesh<'_>) -> Result<R>) -> Result<R> {
    let tiles = bake(&kind.generate(SIZE, 1), &SETTINGS, crew)?;
    let def = mesh_def(&SETTINGS);
    let mut memory = region(def.plan());
    let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut memory))?;
    tiles.iter().try_for_each(|bytes| mesh.stage_tile(bytes))?;
    mesh.commit()?;
    work(&mut mesh)
}
