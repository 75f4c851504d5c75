//! `hashes`: the SHA-256 of each generated level's saved mesh, baked on one, two and eight threads. It fails when the
//! number of threads shows in the bytes; two builds' outputs are compared by `.ci/run`.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use navarena::build3d::{BakeDef, BakeInput, Baker, TileIndex, TriangleMesh, rasterize::Vertices};
use navarena::error::Result;
use navarena::hash::sha256;
use navarena::memory::Arena;
use navarena::mesh::{MeshDef, NavMesh, NavSettings};
use navarena_fixtures::{Kind, Level, yard};
use navarena_tests::ours::region;

const SETTINGS: NavSettings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };

fn main() -> ExitCode {
    let generated = Kind::ALL.map(|kind| kind.generate(64, 1));
    let mut same = true;
    for level in generated.iter().chain([&yard::level()]) {
        match [1, 2, 8].map(|threads| hash_of(level, threads)) {
            [Ok(one), Ok(two), Ok(eight)] if one == two && one == eight => println!("{one} {}", level.name),
            hashes => {
                println!("FAIL {}: one, two and eight threads give {hashes:?}", level.name);
                same = false;
            }
        }
    }
    if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn hash_of(level: &Level, threads: usize) -> Result<String> {
    let bytes = bake(level, threads)?;
    Ok(sha256(&bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Bakes the tiles on threads that take the next tile each, commits them in the order of the tiles, and saves the mesh.
fn bake(level: &Level, threads: usize) -> Result<Vec<u8>> {
    let meshes =
        [TriangleMesh { vertices: Vertices::Single(&level.vertices), triangles: &level.triangles, areas: None }];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let mut index_memory = region(TileIndex::plan(&input, &SETTINGS)?);
    let index = TileIndex::new(&input, &SETTINGS, &mut Arena::new(&mut index_memory))?;
    let input = BakeInput { index: Some(&index), ..input };
    let range = index.range();
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Vec<u8>)>> {
        let def = BakeDef::of(SETTINGS);
        let mut memory = region(def.plan());
        let mut baker = Baker::new(&def, &mut Arena::new(&mut memory))?;
        let mut tiles = Vec::new();
        loop {
            let tile = next.fetch_add(1, Ordering::Relaxed);
            if tile >= range.count() {
                return Ok(tiles);
            }
            let (x, z) = range.tile(tile);
            baker.bake_tile(&input, x, z)?;
            tiles.extend(baker.tiles().map(|bytes| (tile, bytes.to_vec())));
        }
    };
    let mut tiles = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = running.into_iter().map(|thread| thread.join().expect("a bake does not panic"));
        joined.collect::<Result<Vec<_>>>()
    })?
    .concat();
    tiles.sort_by_key(|(tile, _)| *tile);
    save(&tiles)
}

fn save(tiles: &[(usize, Vec<u8>)]) -> Result<Vec<u8>> {
    let def = MeshDef::of(&SETTINGS);
    let mut memory = region(def.plan());
    let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut memory))?;
    tiles.iter().try_for_each(|(_, bytes)| mesh.stage_tile(bytes))?;
    mesh.commit()?;
    let mut bytes = vec![0; mesh.save_size()];
    mesh.save(&mut bytes)?;
    Ok(bytes)
}
