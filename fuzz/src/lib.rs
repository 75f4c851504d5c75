//! What the fuzz targets share.

use navarena::memory::{Arena, Grain, Plan};
use navarena::mesh::{MeshDef, MeshLimits, NavMesh, SnapshotMode, TileData, TilePolygon};

/// Small limits, so that they are reached too.
pub const LIMITS: MeshLimits = MeshLimits {
    tiles: 8,
    vertices: 512,
    polygons: 256,
    edges: 1024,
    portals: 128,
    links: 256,
    detail_vertices: 256,
    detail_triangles: 512,
    off_mesh_links: 16,
    link_crossings: 16,
    staged: 4,
    staged_edits: 4,
};

/// The mesh that hostile bytes are read into.
pub const DEF: MeshDef = MeshDef { limits: LIMITS, ..MeshDef::HUMANOID };

/// Runs `work` on an empty mesh of [`DEF`].
pub fn with_mesh(work: impl FnOnce(&mut NavMesh<'_>)) {
    let mut region = region(DEF.plan());
    let mut arena = Arena::new(&mut region);
    let mut mesh = NavMesh::new(&DEF, &mut arena).expect("the plan fits its own region");
    work(&mut mesh);
}

/// A region that a plan fits.
pub fn region(plan: Plan) -> Vec<Grain> {
    vec![Grain::ZERO; plan.grains()]
}

/// A mesh's saved bytes.
pub fn saved(mesh: &NavMesh<'_>) -> Vec<u8> {
    let mut bytes = vec![0; mesh.save_size()];
    mesh.save(&mut bytes).expect("the size that was asked for");
    bytes
}

/// Puts what every accepted mesh begins with over the first bytes: magic, version, flags and the mesh's parameters. The
/// input's first byte decides.
pub fn mesh_bytes(data: &[u8]) -> Vec<u8> {
    let head = b"ONPM\x02\x00\x00\x00".iter().copied().chain(DEF.params.to_bytes());
    with_head(data, head)
}

/// A mesh's snapshot with its tiles.
pub fn snapshot(mesh: &NavMesh<'_>) -> Vec<u8> {
    let mut bytes = vec![0; mesh.snapshot_size(SnapshotMode::Full)];
    mesh.snapshot(SnapshotMode::Full, &mut bytes).expect("the size that was asked for");
    bytes
}

/// The same as [`mesh_bytes`] for a snapshot, whose one section is then as long as the bytes.
pub fn snapshot_bytes(data: &[u8]) -> Vec<u8> {
    let length = (data.len().saturating_sub(1 + 88) as u32).to_le_bytes();
    let section = [1, 0, 0, 0, 1, 0, 0, 0].into_iter().chain(length);
    let head = b"ONPS\x02\x00\x00\x00".iter().copied().chain(DEF.params.to_bytes()).chain(section);
    with_head(data, head)
}

/// The same as [`mesh_bytes`] for a saved crowd whose agents keep so many walls.
pub fn crowd_bytes(data: &[u8], walls: u32) -> Vec<u8> {
    with_head(data, b"OPCS\x01\x00\x01\x00".iter().copied().chain(walls.to_le_bytes()))
}

/// Adds a floor of 20 by 20 units.
pub fn floor(mesh: &mut NavMesh<'_>) {
    let floor = TileData {
        x: 0,
        z: 0,
        layer: 0,
        origin: [0.0; 3],
        vertices: &[[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [20.0, 0.0, 20.0], [0.0, 0.0, 20.0]],
        polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
        indices: &[0, 1, 2, 3],
        neighbors: &[0; 4],
        portal_sides: &[255; 4],
        detail_vertices: &[],
        detail_triangles: &[],
        off_mesh: &[],
    };
    mesh.put_tile_data(&floor).expect("a floor within the limits");
}

/// Panics when a mesh is unsound.
pub fn assert_sound(mesh: &NavMesh<'_>) {
    if let Err(what) = navarena_tests::soundness::check(mesh) {
        panic!("{what}");
    }
}

/// Puts what every accepted tile begins with over the first bytes, so that mutations get past the door: magic, version, flags
/// and the mesh's fingerprint. The input's first byte decides, so that the door is tried too.
pub fn tile_bytes(data: &[u8]) -> Vec<u8> {
    let head = b"ONPT\x02\x00\x00\x00".iter().copied().chain(DEF.params.fingerprint());
    with_head(data, head)
}

fn with_head(data: &[u8], head: impl Iterator<Item = u8>) -> Vec<u8> {
    let Some((&choice, rest)) = data.split_first() else { return Vec::new() };
    let mut bytes = rest.to_vec();
    if choice & 1 == 0 {
        bytes.iter_mut().zip(head).for_each(|(byte, known)| *byte = known);
    }
    bytes
}
