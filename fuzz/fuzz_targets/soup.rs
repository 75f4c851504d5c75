//! Small soups of any numbers, baked with any settings: refused with a typed error, or tiles that a mesh accepts.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use navarena::build3d::{BakeDef, BakeInput, BakeLimits, Baker, TriangleMesh, rasterize::Vertices};
use navarena::memory::Arena;
use navarena::mesh::{MeshDef, MeshLimits, NavMesh, NavSettings, Partition};
use navarena_fuzz::{assert_sound, region};

/// Enough for three tiles of 54 cells a side.
const LIMITS: MeshLimits = MeshLimits {
    tiles: 16,
    vertices: 8192,
    polygons: 4096,
    edges: 16384,
    portals: 1024,
    links: 4096,
    detail_vertices: 8192,
    detail_triangles: 16384,
    off_mesh_links: 1,
    link_crossings: 0,
    staged: 16,
    staged_edits: 1,
};

#[derive(Arbitrary, Debug)]
struct Input {
    /// Corners in halves of a unit, so that most lie in the tile; the last may be any number at all.
    corners: Vec<[i8; 3]>,
    wild: Option<[f32; 3]>,
    triangles: Vec<[u8; 3]>,
    areas: Option<Vec<u8>>,
    partition: u8,
    radius: u8,
    climb: u8,
    min_region: u8,
    error: u8,
    sample: u8,
    bytes: u16,
}

fuzz_target!(|input: Input| {
    let mut vertices: Vec<[f32; 3]> =
        input.corners.iter().take(64).map(|corner| corner.map(|step| f32::from(step) / 2.0)).collect();
    vertices.extend(input.wild);
    // Most indices name a corner that is there; the highest bytes may not.
    let count = vertices.len().max(1) as u32;
    let corner = |byte: u8| if byte < 250 { u32::from(byte) % count } else { u32::from(byte) };
    let triangles: Vec<[u32; 3]> = input.triangles.iter().take(64).map(|corners| corners.map(corner)).collect();
    let settings = NavSettings {
        tile_size: 16.0,
        agent_radius: f64::from(input.radius) / 64.0,
        walkable_climb: f64::from(input.climb) / 64.0,
        partition: [Partition::Watershed, Partition::Monotone, Partition::Layers][input.partition as usize % 3],
        min_region_area: u32::from(input.min_region),
        contour_max_error: f64::from(input.error) / 32.0,
        detail_sample_distance: f64::from(input.sample) / 32.0,
        ..NavSettings::HUMANOID
    };
    let limits = BakeLimits { bytes: 64 * (usize::from(input.bytes) + 1), ..BakeLimits::DEFAULT };
    let def = BakeDef { limits, ..BakeDef::of(settings) };
    let meshes =
        [TriangleMesh { vertices: Vertices::Single(&vertices), triangles: &triangles, areas: input.areas.as_deref() }];
    let level = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let mut memory = region(def.plan());
    let Ok(mut baker) = Baker::new(&def, &mut Arena::new(&mut memory)) else { return };
    let mesh_def = MeshDef { limits: LIMITS, ..MeshDef::of(&settings) };
    let mut mesh_memory = region(mesh_def.plan());
    let mut mesh = NavMesh::new(&mesh_def, &mut Arena::new(&mut mesh_memory)).expect("settings a baker took");
    for (x, z) in [(0, 0), (-1, 0), (0, -1)] {
        if baker.bake_tile(&level, x, z).is_ok() {
            for tile in baker.tiles() {
                mesh.stage_tile(tile).expect("a baked tile is a valid one");
            }
        } else {
            assert_eq!(baker.tiles().count(), 0, "after a refusal there is no tile");
        }
    }
    mesh.commit().expect("three small tiles fit");
    assert_sound(&mesh);
});
