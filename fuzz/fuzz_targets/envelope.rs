//! Envelopes of any bytes (`ONNM`): refused with a typed error, or opened with settings that are valid.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::mesh::NavFile;
use navarena_fuzz::{assert_sound, with_mesh};

fuzz_target!(|data: &[u8]| {
    let Ok(envelope) = NavFile::open(data) else { return };
    envelope.settings().validate().expect("an opened envelope's settings are valid");
    assert_eq!(envelope.links().count(), envelope.links().len());
    with_mesh(|mesh| {
        if mesh.restore(envelope.mesh_bytes()).is_ok() {
            assert_sound(mesh);
        }
    });
});
