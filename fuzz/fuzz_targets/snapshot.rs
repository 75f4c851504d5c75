//! Snapshots of any bytes (`ONPS`): refused with a typed error and the mesh as it was, or restored, sound, and taken again
//! as the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::mesh::{SavedSnapshot, SnapshotMode, TileLibrary};
use navarena_fuzz::{assert_sound, snapshot, snapshot_bytes, with_mesh};

fuzz_target!(|data: &[u8]| {
    let bytes = snapshot_bytes(data);
    if let Ok(opened) = SavedSnapshot::open(&bytes, &TileLibrary::NONE) {
        let _ = opened.limits();
    }
    with_mesh(|mesh| {
        let before = snapshot(mesh);
        match mesh.restore_snapshot(&bytes, &TileLibrary::NONE) {
            Ok(()) => {
                assert_sound(mesh);
                assert!(snapshot(mesh) == bytes, "taken again is the same bytes");
            }
            Err(_) => assert!(snapshot(mesh) == before, "a refusal leaves the mesh as it was"),
        }
        mesh.remember_content_ids();
        assert!(mesh.snapshot_size(SnapshotMode::Referenced) > 0);
    });
});
