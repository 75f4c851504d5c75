//! Meshes of any bytes (`ONPM`): refused with a typed error and the mesh as it was, or restored, sound, and saved again as
//! the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::mesh::SavedMesh;
use navarena_fuzz::{assert_sound, mesh_bytes, saved, with_mesh};

fuzz_target!(|data: &[u8]| {
    let bytes = mesh_bytes(data);
    if let Ok(opened) = SavedMesh::open(&bytes) {
        let _ = opened.limits();
    }
    with_mesh(|mesh| {
        let before = saved(mesh);
        match mesh.restore(&bytes) {
            Ok(()) => {
                assert_sound(mesh);
                assert!(saved(mesh) == bytes, "saved again is the same bytes");
            }
            Err(_) => assert!(saved(mesh) == before, "a refusal leaves the mesh as it was"),
        }
    });
});
