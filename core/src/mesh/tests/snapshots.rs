//! Snapshots: the layout, excursions that leave no trace, and bytes that were meant to do harm.

use super::bytes::{assert_sound, mutate, rounds, saved};
use super::oracle::links_of;
use super::validity::sample;
use super::*;
use crate::error::{Error, ErrorKind, Subject};
use crate::hash::sha256;

pub fn snapshot(mesh: &NavMesh<'_>, mode: SnapshotMode) -> Vec<u8> {
    let mut bytes = vec![0; mesh.snapshot_size(mode)];
    assert_eq!(mesh.snapshot(mode, &mut bytes), Ok(bytes.len()));
    bytes
}

/// The tiles that a history draws from: several for each place.
fn pool(random: &mut Random) -> Vec<OwnedTile> {
    let places = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 1, 0), (1, 1, 0)];
    places.into_iter().cycle().take(15).map(|place| random_tile(random, place, 2)).collect()
}

/// One change of a mesh, the same for equal meshes and equal numbers.
fn change(mesh: &mut NavMesh<'_>, tiles: &[OwnedTile], random: &mut Random) {
    let tile = &tiles[random.below(tiles.len())];
    let loaded: Vec<_> = mesh.tiles().map(|tile| (tile.reference, tile.polygons.len(), tile.off_mesh.len())).collect();
    match random.below(6) {
        0 => {
            let _ = mesh.remove_tile(tile.x, tile.z, tile.layer);
        }
        1 | 2 => mesh.put_tile_data(&tile.data()).unwrap(),
        3 if !loaded.is_empty() => {
            let (reference, polygons, _) = loaded[random.below(loaded.len())];
            if polygons > 0 {
                mesh.set_area(reference.polygon(random.below(polygons) as u32), random.below(64) as u8).unwrap();
            }
        }
        4 if !loaded.is_empty() => {
            let (reference, polygons, _) = loaded[random.below(loaded.len())];
            if polygons > 0 {
                mesh.set_flags(reference.polygon(random.below(polygons) as u32), random.below(4) as u16).unwrap();
            }
        }
        _ if !loaded.is_empty() => {
            let (reference, _, links) = loaded[random.below(loaded.len())];
            if links > 0 {
                mesh.set_link_enabled((reference, random.below(links)), random.chance(40)).unwrap();
            }
        }
        _ => {}
    }
}

#[test]
fn an_excursion_leaves_no_trace() {
    let (mut first, mut second) = (region(&DEF), region(&DEF));
    let (first, second) = (&mut first, &mut second);
    for seed in 0..25 {
        let mut random = Random(4000 + seed);
        let tiles = pool(&mut random);
        let bytes: Vec<_> = tiles.iter().map(OwnedTile::bytes).collect();
        let mut entries: Vec<_> = bytes.iter().map(|bytes| LibraryTile::new(bytes)).collect();
        let library = TileLibrary::new(&mut entries);
        let (mut mesh, mut straight) = (make(&DEF, first), make(&DEF, second));
        let mut same = random.clone();
        (0..30).for_each(|_| change(&mut mesh, &tiles, &mut random));
        (0..30).for_each(|_| change(&mut straight, &tiles, &mut same));
        let [full, named] = [SnapshotMode::Full, SnapshotMode::Referenced].map(|mode| snapshot(&mesh, mode));
        let (links, mut detour) = (links_of(&mesh), Random(seed));
        for bytes in [&full, &named, &named] {
            (0..20).for_each(|_| change(&mut mesh, &tiles, &mut detour));
            if detour.chance(50) {
                mesh.remember_content_ids();
            }
            let before = mesh.version();
            mesh.restore_snapshot(bytes, &library).unwrap();
            assert!(mesh.version() > before);
            assert_eq!(snapshot(&mesh, SnapshotMode::Full), full);
            assert_eq!(snapshot(&mesh, SnapshotMode::Referenced), named);
            assert_eq!(links_of(&mesh), links);
            assert_eq!(saved(&mesh), saved(&straight));
        }
        // Both go on alike, step by step.
        for _ in 0..10 {
            change(&mut mesh, &tiles, &mut random);
            change(&mut straight, &tiles, &mut same);
            assert_eq!(snapshot(&mesh, SnapshotMode::Full), snapshot(&straight, SnapshotMode::Full));
            assert_eq!(links_of(&mesh), links_of(&straight));
        }
    }
}

#[test]
fn a_content_id_is_the_hash_of_the_tile_as_built() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    let id = sha256(&sample().bytes());
    assert_eq!(mesh.content_id(0), None);
    mesh.add_tile(&sample().bytes()).unwrap();
    let reference = mesh.tile(0).unwrap().reference;
    mesh.set_area(reference.polygon(1), 9).unwrap();
    mesh.set_link_enabled((reference, 0), false).unwrap();
    assert_eq!(mesh.content_id(0), Some(id));
    mesh.remember_content_ids();
    assert_eq!(mesh.content_id(0), Some(id));
    // Saved alone, a tile has the bytes of its content id; a slot without one has none.
    let mut tile = vec![0; mesh.tile_size(0).unwrap()];
    assert_eq!(mesh.save_tile(0, &mut tile), Ok(tile.len()));
    assert_eq!(sha256(&tile), id);
    assert_eq!(mesh.save_tile(0, &mut tile[1..]).unwrap_err().kind(), ErrorKind::Capacity);
    assert_eq!((mesh.tile_size(1), mesh.save_tile(1, &mut tile).unwrap_err().kind()), (None, ErrorKind::Stale));
    // What was known of the tile before is not taken for the one that replaces it.
    let other = random_tile(&mut Random(3), sample().key(), 1);
    mesh.replace_tile(&other.bytes()).unwrap();
    assert_eq!(mesh.content_id(0), Some(sha256(&other.bytes())));
    // Saved and read back, what was current is as built.
    mesh.set_area(mesh.tile(0).unwrap().reference.polygon(0), 63).unwrap();
    let bytes = saved(&mesh);
    mesh.restore(&bytes).unwrap();
    assert_eq!(mesh.content_id(0), Some(sha256(&bytes[89..])));
}

#[test]
fn a_snapshots_bytes_stand_where_the_page_puts_them() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    mesh.add_tile(&sample().bytes()).unwrap();
    mesh.remove_tile(2, -1, 3).unwrap();
    let empty = snapshot(&mesh, SnapshotMode::Full);
    assert_eq!(&empty[..8], b"ONPS\x02\0\0\0");
    assert_eq!(empty[8..76], PARAMS.to_bytes());
    assert_eq!(empty[76..], [1, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0]);
    mesh.add_tile(&sample().bytes()).unwrap();
    let reference = mesh.tile(0).unwrap().reference;
    mesh.set_area(reference.polygon(2), 5).unwrap();
    mesh.set_flags(reference.polygon(2), 0x1234).unwrap();
    mesh.set_link_enabled((reference, 0), false).unwrap();
    let changes = [1, 0, 0, 0, 2, 0, 0, 0, 5, 0x34, 0x12, 1, 0, 0, 0, 0, 0, 0, 0];
    let full = snapshot(&mesh, SnapshotMode::Full);
    let body = (4 + 9 + 377 + 19u32).to_le_bytes();
    assert_eq!(full[84..88], body);
    assert_eq!(full[88..101], [1, 0, 0, 0, 2, 0, 0, 0, 1, 121, 1, 0, 0]);
    assert_eq!(full[101..101 + 377], sample().bytes());
    assert_eq!(full[101 + 377..], changes);
    let named = snapshot(&mesh, SnapshotMode::Referenced);
    assert_eq!(named[92..97], [2, 0, 0, 0, 2]);
    assert_eq!(named[97..129], sha256(&sample().bytes()));
    assert_eq!(named[129..], changes);
    assert_eq!(mesh.snapshot(SnapshotMode::Full, &mut [0; 50]).unwrap_err().kind(), ErrorKind::Capacity);
}

/// A refused restore leaves the mesh as it was.
fn refuses(mesh: &mut NavMesh<'_>, bytes: &[u8], library: &TileLibrary<'_>) -> Error {
    let (before, links, version) = (snapshot(mesh, SnapshotMode::Full), links_of(mesh), mesh.version());
    let error = mesh.restore_snapshot(bytes, library).unwrap_err();
    assert!(snapshot(mesh, SnapshotMode::Full) == before && links_of(mesh) == links && mesh.version() == version);
    error
}

#[test]
fn a_broken_snapshot_is_refused_whole() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    mesh.add_tile(&random_tile(&mut Random(1), (0, 0, 0), 2).bytes()).unwrap();
    let tile = sample().bytes();
    let inline = |changes: &[u8]| {
        let slot = [&[1, 0, 0, 0, 1][..], &(tile.len() as u32).to_le_bytes(), &tile, changes].concat();
        let head = [b"ONPS\x02\0\0\0", &PARAMS.to_bytes()[..], &[1, 0, 0, 0, 1, 0, 0, 0]].concat();
        [&head[..], &(slot.len() as u32 + 4).to_le_bytes(), &[1, 0, 0, 0], &slot].concat()
    };
    let good = inline(&[0; 8]);
    let mut check = |bytes: &[u8], kind: ErrorKind, subject: Subject| {
        let error = refuses(&mut mesh, bytes, &TileLibrary::NONE);
        assert_eq!((error.kind(), error.subject()), (kind, subject), "{error}");
    };
    let patched = |at: usize, value: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    let format = ErrorKind::Format;
    check(&patched(0, b"ONPM"), format, Subject::Magic);
    check(&patched(4, &[1]), ErrorKind::Version, Subject::FormatVersion);
    check(&patched(8, &1f64.to_le_bytes()), format, Subject::Fingerprint);
    check(&patched(76, &[0]), format, Subject::Sections);
    check(&patched(76, &[2]), format, Subject::Sections);
    check(&patched(76, &[0xFF; 4]), format, Subject::Sections);
    check(&patched(80, &[2]), format, Subject::Sections);
    check(&patched(82, &[1]), format, Subject::Reserved);
    check(&patched(84, &[0]), format, Subject::Bytes);
    check(&patched(88, &[0xFF; 4]), format, Subject::Slots);
    check(&patched(88, &[2]), format, Subject::Slot);
    check(&patched(88, &[0]), format, Subject::Bytes);
    check(&patched(92, &[0]), format, Subject::Salt);
    check(&patched(96, &[3]), format, Subject::Slot);
    check(&patched(101 + 24, &[9]), format, Subject::Origin);
    check(&[&good[..], &[0]].concat(), format, Subject::Bytes);
    check(&good[..good.len() - 1], format, Subject::Bytes);
    // Polygon edits: past the tile, out of order, twice, an area past 63, no difference (polygon 1 has area 2, flags 8).
    let edits =
        |edits: &[[u8; 7]]| inline(&[&(edits.len() as u32).to_le_bytes()[..], edits.as_flattened(), &[0; 4]].concat());
    check(&edits(&[[3, 0, 0, 0, 5, 0, 0]]), format, Subject::Polygon);
    check(&edits(&[[1, 0, 0, 0, 5, 0, 0], [0, 0, 0, 0, 5, 0, 0]]), format, Subject::Polygon);
    check(&edits(&[[1, 0, 0, 0, 5, 0, 0], [1, 0, 0, 0, 6, 0, 0]]), format, Subject::Polygon);
    check(&edits(&[[1, 0, 0, 0, 64, 0, 0]]), format, Subject::Area);
    let built = sample().polygons[1];
    let [low, high] = built.flags.to_le_bytes();
    check(&edits(&[[1, 0, 0, 0, built.area, low, high]]), format, Subject::PolygonEdits);
    check(&inline(&[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]), format, Subject::PolygonEdits);
    // Switches: past the tile's one link, twice.
    check(&inline(&[0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), format, Subject::OffMeshLink);
    check(&inline(&[0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), format, Subject::OffMeshLink);
    mesh.restore_snapshot(&good, &TileLibrary::NONE).unwrap();
    assert_eq!(snapshot(&mesh, SnapshotMode::Full), good);
    // A tile that is not there, and one that is there and was built for another mesh.
    let named = snapshot(&mesh, SnapshotMode::Referenced);
    assert_eq!(refuses(&mut mesh, &named, &TileLibrary::NONE).subject(), Subject::TileContent);
    let foreign = sample().bytes_for(&MeshParams { cell_size: 0.125, ..PARAMS });
    let mut entries = [LibraryTile::new(&foreign)];
    let mut renamed = named.clone();
    renamed[97..129].copy_from_slice(entries[0].id());
    assert_eq!(refuses(&mut mesh, &renamed, &TileLibrary::new(&mut entries)).subject(), Subject::Fingerprint);
}

#[test]
fn a_mesh_with_staged_links_has_no_snapshot() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    let link = mesh.stage_link(&LinkDef::between([0.0, 0.0, 101.0], [1.0, 0.0, 101.0])).unwrap();
    let before = snapshot(&mesh, SnapshotMode::Full);
    mesh.commit().unwrap();
    let error = mesh.snapshot(SnapshotMode::Full, &mut [0; 200]).unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Unsupported, Subject::Links));
    mesh.restore_snapshot(&before, &TileLibrary::NONE).unwrap();
    assert_eq!(mesh.link_state(link).unwrap_err().kind(), ErrorKind::Stale);
    assert_eq!(snapshot(&mesh, SnapshotMode::Full), before);
}

#[test]
fn mutated_snapshots_are_refused_or_valid() {
    let (mut first, mut second) = (region(&DEF), region(&DEF));
    let (first, second) = (&mut first, &mut second);
    let (mut mesh, mut other) = (make(&DEF, first), make(&DEF, second));
    let mut random = Random(0xCAFE);
    let tiles = pool(&mut random);
    let bytes: Vec<_> = tiles.iter().map(OwnedTile::bytes).collect();
    let mut entries: Vec<_> = bytes.iter().map(|bytes| LibraryTile::new(bytes)).collect();
    let library = TileLibrary::new(&mut entries);
    let bases: Vec<_> = (0..12)
        .map(|seed| {
            (0..12).for_each(|_| change(&mut mesh, &tiles, &mut random));
            snapshot(&mesh, if seed % 3 == 0 { SnapshotMode::Full } else { SnapshotMode::Referenced })
        })
        .collect();
    let mut valid = 0;
    for _ in 0..rounds() {
        let mut bytes = bases[random.below(bases.len())].clone();
        let from = if random.chance(90) { 88 } else { 0 };
        mutate(&mut random, &mut bytes, from);
        if random.chance(95) && bytes.len() > 88 {
            let length = bytes.len() as u32 - 88;
            bytes[84..88].copy_from_slice(&length.to_le_bytes());
        }
        let (before, version) = (mesh.version(), mesh.tile_count());
        match mesh.restore_snapshot(&bytes, &library) {
            Err(error) => {
                assert!(
                    matches!(error.kind(), ErrorKind::Format | ErrorKind::Version | ErrorKind::Capacity),
                    "{error}"
                );
                assert_eq!((mesh.version(), mesh.tile_count()), (before, version));
            }
            Ok(()) => {
                valid += 1;
                assert_sound(&mesh);
                let full = snapshot(&mesh, SnapshotMode::Full);
                assert!(full == bytes || snapshot(&mesh, SnapshotMode::Referenced) == bytes);
                if valid % 16 == 0 {
                    other.restore_snapshot(&full, &TileLibrary::NONE).unwrap();
                    assert_eq!(links_of(&other), links_of(&mesh));
                }
            }
        }
    }
    assert!(valid > rounds() / 20, "{valid} mutations were valid");
}
