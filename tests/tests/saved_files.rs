//! What earlier versions saved is read, and what this one saves is what it saved before.

use navarena_tests::saved_files::{Files, MANIFEST, folder, manifest, read, write};

/// The versions with files.
fn versions() -> Vec<String> {
    let folders = folder("").read_dir().expect("the folder of fixtures");
    let names = folders.map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned());
    let versions: Vec<String> = names.filter(|name| folder(name).join(MANIFEST).exists()).collect();
    assert!(versions.iter().any(|version| version == env!("CARGO_PKG_VERSION")), "this version has no saved files");
    versions
}

fn files_of(version: &str) -> Files {
    read(&folder(version)).expect("readable files")
}

#[test]
fn every_file_that_a_version_saved_is_read_to_the_same_figures() {
    for version in versions() {
        let kept = std::fs::read_to_string(folder(&version).join(MANIFEST)).expect("a manifest");
        let now = manifest(&files_of(&version)).unwrap_or_else(|error| panic!("{version}: {error}"));
        for (kept, now) in kept.lines().zip(now.lines()) {
            assert_eq!(now, kept, "of version {version}");
        }
        assert_eq!(now.lines().count(), kept.lines().count(), "a file for every line of version {version}");
    }
}

#[test]
fn this_version_saves_the_same_bytes_again() {
    let (kept, now) = (files_of(env!("CARGO_PKG_VERSION")), write().expect("files"));
    assert_eq!(now.keys().collect::<Vec<_>>(), kept.keys().collect::<Vec<_>>());
    for (name, bytes) in &now {
        assert!(bytes == &kept[name], "{name} is saved otherwise than before");
    }
}

#[test]
fn a_changed_byte_is_noticed() {
    let mut files = files_of(env!("CARGO_PKG_VERSION"));
    let whole = manifest(&files).expect("good files");
    let tile = files.get_mut("tile-0.onpt").expect("a tile");
    *tile.last_mut().expect("bytes") ^= 1;
    assert_ne!(manifest(&files).ok(), Some(whole));
}
