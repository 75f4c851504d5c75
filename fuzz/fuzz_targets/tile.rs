//! Tiles of any bytes (`ONPT`): refused with a typed error, or staged, committed and sound.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena_fuzz::{assert_sound, tile_bytes, with_mesh};

fuzz_target!(|data: &[u8]| {
    let bytes = tile_bytes(data);
    with_mesh(|mesh| {
        if mesh.stage_tile(&bytes).is_err() {
            assert_eq!(mesh.staged_count(), 0, "what was refused is not staged");
            return;
        }
        let held = mesh.commit().is_ok();
        assert_eq!(mesh.tile_count(), usize::from(held));
        assert_sound(mesh);
        // Accepted or not, the mesh is emptied and answers the same bytes in the same way.
        mesh.discard_staged();
        let place = mesh.tiles().next().map(|tile| (tile.x, tile.z, tile.layer));
        if let Some((x, z, layer)) = place {
            mesh.remove_tile(x, z, layer).expect("a loaded tile is removed");
        }
        mesh.stage_tile(&bytes).expect("what was staged once is staged again");
        assert_eq!(mesh.commit().is_ok(), held);
    });
});
