//! Saved bytes: the layout, round trips, and bytes that were meant to do harm.

use super::oracle::{Model, assert_same, links_of};
use super::stitching::random_tiles;
use super::validity::sample;
use super::*;
use crate::error::{ErrorKind, Subject};

pub fn saved(mesh: &NavMesh<'_>) -> Vec<u8> {
    let mut bytes = vec![0; mesh.save_size()];
    assert_eq!(mesh.save(&mut bytes), Ok(bytes.len()));
    bytes
}

#[test]
fn a_tiles_bytes_stand_where_the_page_puts_them() {
    let tile = sample();
    let bytes = tile.bytes();
    assert_eq!(&bytes[..8], b"ONPT\x02\x00\x00\x00");
    assert_eq!(bytes[8..24], PARAMS.fingerprint());
    let place: Vec<u8> = [2i32, -1, 3].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(bytes[24..36], place);
    assert_eq!(bytes[36..44], tile.origin[0].to_le_bytes());
    let counts: Vec<u8> = [9u32, 3, 11, 1, 3, 1].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(bytes[60..84], counts);
    let [vertices, polygons, indices, neighbors, sides, detail, triangles, links, end] =
        [84, 84 + 108, 192 + 48, 240 + 22, 262 + 44, 306 + 11, 317 + 12, 329 + 12, 341 + 36];
    assert_eq!(bytes[vertices + 4 * 6..][..4], 8f32.to_le_bytes());
    assert_eq!(bytes[polygons..][..16], [4, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0]);
    assert_eq!(bytes[indices + 8..][..4], [1, 0, 2, 0]);
    assert_eq!(bytes[neighbors + 4..][..4], [2, 0, 0, 0]);
    assert_eq!(bytes[sides..][..4], [3, 255, 1, 2]);
    assert_eq!(bytes[detail..][..4], 2f32.to_le_bytes());
    assert_eq!(bytes[triangles..][..4], [0, 1, 4, 1]);
    assert_eq!(bytes[links + 24..][..12], [0, 0, 0, 63, 3, 1, 2, 0, 9, 0, 0, 0]);
    assert_eq!(bytes.len(), end);
}

#[test]
fn what_is_saved_restores_and_saves_to_the_same_bytes() {
    let (mut first, mut second) = (region(&DEF), region(&DEF));
    let (first, second) = (&mut first, &mut second);
    let mut other = make(&DEF, second);
    for seed in 0..30 {
        let mut random = Random(200 + seed);
        let mut mesh = make(&DEF, first);
        let tiles = random_tiles(&mut random, 2);
        tiles.iter().for_each(|tile| mesh.stage_tile(&tile.bytes()).unwrap());
        mesh.commit().unwrap();
        // Some holes among the slots, some salts past 1.
        for tile in &tiles {
            match random.below(5) {
                0 => mesh.remove_tile(tile.x, tile.z, tile.layer).unwrap(),
                1 => mesh.replace_tile(&tile.bytes()).unwrap(),
                _ => {}
            }
        }
        let bytes = saved(&mesh);
        other.restore(&bytes).unwrap();
        assert_eq!(saved(&other), bytes);
        assert_eq!(links_of(&other), links_of(&mesh));
        // Both go on alike: the lowest free slot and the salts are part of the state.
        let more = random_tile(&mut random, (5, 5, 0), 1);
        mesh.add_tile(&more.bytes()).unwrap();
        other.add_tile(&more.bytes()).unwrap();
        assert_eq!(saved(&other), saved(&mesh));
        // The limits that the bytes ask for are the ones that fit them.
        let saved_mesh = SavedMesh::open(&bytes).unwrap();
        let mut def =
            MeshDef { params: *saved_mesh.params(), tier: Tier::Static, limits: saved_mesh.limits().unwrap(), ..DEF };
        let mut grains = region(&def);
        if let Err(error) = make(&def, &mut grains).restore(&bytes) {
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Links));
            def.limits.links = error.refused().unwrap() as u32;
            grains = region(&def);
        }
        let mut exact = make(&def, &mut grains);
        exact.restore(&bytes).unwrap();
        assert_eq!(saved(&exact), bytes);
    }
}

#[test]
fn free_slots_and_generations_are_part_of_the_bytes() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    assert_eq!(saved(&mesh).len(), 80);
    mesh.add_tile(&sample().bytes()).unwrap();
    mesh.remove_tile(2, -1, 3).unwrap();
    let bytes = saved(&mesh);
    assert_eq!(&bytes[..8], b"ONPM\x02\x00\x00\x00");
    assert_eq!(bytes[8..76], PARAMS.to_bytes());
    assert_eq!(bytes[76..], [1, 0, 0, 0, 2, 0, 0, 0, 0]);
    mesh.add_tile(&sample().bytes()).unwrap();
    let bytes = saved(&mesh);
    assert_eq!(bytes[80..89], [2, 0, 0, 0, 1, 121, 1, 0, 0]);
    assert_eq!(bytes[89..], sample().bytes());
    assert_eq!(mesh.save(&mut [0; 50]).unwrap_err().kind(), ErrorKind::Capacity);
}

/// A refused restore leaves the mesh as it was.
fn refuses(mesh: &mut NavMesh<'_>, bytes: &[u8]) -> crate::error::Error {
    let (before, links, version) = (saved(mesh), links_of(mesh), mesh.version());
    let error = mesh.restore(bytes).unwrap_err();
    assert!(saved(mesh) == before && links_of(mesh) == links && mesh.version() == version);
    error
}

#[test]
fn a_broken_mesh_is_refused_whole() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    let other = random_tile(&mut Random(1), (0, 0, 0), 2);
    mesh.add_tile(&other.bytes()).unwrap();
    let tile = sample().bytes();
    let with = |slots: &[(u32, u8, &[u8])]| {
        let mut bytes = b"ONPM\x02\x00\x00\x00".to_vec();
        bytes.extend(PARAMS.to_bytes());
        bytes.extend((slots.len() as u32).to_le_bytes());
        for (salt, present, tile) in slots {
            bytes.extend(salt.to_le_bytes());
            bytes.push(*present);
            if *present == 1 {
                bytes.extend((tile.len() as u32).to_le_bytes());
                bytes.extend(*tile);
            }
        }
        bytes
    };
    let mut check = |bytes: &[u8], kind: ErrorKind, subject: Subject| {
        let error = refuses(&mut mesh, bytes);
        assert_eq!((error.kind(), error.subject()), (kind, subject), "{error}");
    };
    let good = with(&[(1, 1, &tile)]);
    check(&with(&[(0, 0, &[])]), ErrorKind::Format, Subject::Salt);
    check(&with(&[(1 << 24, 0, &[])]), ErrorKind::Format, Subject::Salt);
    check(&with(&[(1, 2, &[])]), ErrorKind::Format, Subject::Slot);
    check(&with(&[(1, 1, &tile), (1, 1, &tile)]), ErrorKind::Format, Subject::TilePosition);
    check(&with(&[(1, 1, &tile), (1, 1, &tile[..99])]), ErrorKind::Format, Subject::Bytes);
    check(&[&good[..], &[0]].concat(), ErrorKind::Format, Subject::Bytes);
    check(&good[..good.len() - 1], ErrorKind::Format, Subject::Slot);
    check(&good[..79], ErrorKind::Format, Subject::Slots);
    check(&good[..40], ErrorKind::Format, Subject::Header);
    check(&[], ErrorKind::Format, Subject::Bytes);
    let patched = |at: usize, value: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    check(&patched(0, b"ONPT"), ErrorKind::Format, Subject::Magic);
    check(&patched(4, &[1, 0]), ErrorKind::Version, Subject::FormatVersion);
    check(&patched(4, &[3, 0]), ErrorKind::Version, Subject::FormatVersion);
    check(&patched(6, &[1, 0]), ErrorKind::Format, Subject::FormatFlags);
    check(&patched(50, &[1, 0]), ErrorKind::Format, Subject::Reserved);
    check(&patched(8, &f64::NAN.to_le_bytes()), ErrorKind::Format, Subject::Origin);
    check(&patched(8, &1f64.to_le_bytes()), ErrorKind::Format, Subject::Fingerprint);
    check(&patched(68, &[1]), ErrorKind::Format, Subject::Fingerprint);
    check(&patched(76, &u32::MAX.to_le_bytes()), ErrorKind::Format, Subject::Slots);
    check(&patched(89 + 8, &[1]), ErrorKind::Format, Subject::Fingerprint);
    check(&patched(89 + 4, &[1]), ErrorKind::Version, Subject::FormatVersion);
    let many: Vec<(u32, u8, &[u8])> = vec![(1, 0, &[]); 65];
    check(&with(&many), ErrorKind::Capacity, Subject::Tiles);
    mesh.restore(&good).unwrap();
    assert_same(&mesh, &Model { slots: vec![(1, Some(sample()))] });
}

#[test]
fn the_fingerprint_is_judged_before_the_content() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    let mut bytes = sample().bytes_for(&MeshParams { cell_size: 0.125, ..PARAMS });
    bytes[30] ^= 0xFF;
    bytes.truncate(50);
    let error = mesh.stage_tile(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Format, Subject::Fingerprint));
    bytes[4] = 3;
    let error = mesh.stage_tile(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.refused(), error.limit_value()), (ErrorKind::Version, Some(3.0), Some(2.0)));
}

#[test]
fn every_count_is_held_against_the_bytes() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    for field in 0..6 {
        for value in [0, 1, 1000, u32::MAX, u32::MAX / 12, 1 << 31] {
            let mut bytes = sample().bytes();
            if bytes[60 + 4 * field..][..4] == value.to_le_bytes() {
                continue;
            }
            bytes[60 + 4 * field..][..4].copy_from_slice(&value.to_le_bytes());
            let error = mesh.stage_tile(&bytes).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Format, Subject::Bytes));
        }
    }
    for length in 0..sample().bytes().len() {
        assert!(mesh.stage_tile(&sample().bytes()[..length]).is_err());
    }
}

/// How many mutations: a million when `NAVARENA_LONG` is set.
pub fn rounds() -> u64 {
    if std::env::var_os("NAVARENA_LONG").is_some() { 500_000 } else { 25_000 }
}

/// Changes a few bytes, mostly into values that mean something.
pub fn mutate(random: &mut Random, bytes: &mut Vec<u8>, from: usize) {
    for _ in 0..1 + random.below(3) {
        let at = from + random.below(bytes.len() - from);
        match random.below(8) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 1, 2, 3, 4, 63, 64, 127, 128, 255][random.below(10)],
            2 => bytes[at] = bytes[at].wrapping_add(1),
            3 => bytes[at] = bytes[at].wrapping_sub(1),
            4 => bytes[at] = random.next() as u8,
            5 if at + 4 <= bytes.len() => {
                let specials = [0, 0x8000_0000, 0x7FC0_0000, 0x7F80_0000, 1, 0xFFFF_FFFF, 0x4100_0000, 0x0D80_0000u32];
                bytes[at..at + 4].copy_from_slice(&specials[random.below(8)].to_le_bytes());
            }
            6 if at + 4 <= bytes.len() => {
                let other = from + random.below(bytes.len() - from - 3);
                bytes.copy_within(other..other + 4, at);
            }
            _ if random.chance(10) => bytes.truncate(at.max(1)),
            _ => bytes[at] = bytes[at].rotate_left(1),
        }
        if bytes.len() <= from + 4 {
            return;
        }
    }
}

/// Everything a query would follow: indices within their arrays, links to polygons that are there, in pairs.
pub fn assert_sound(mesh: &NavMesh<'_>) {
    for tile in mesh.tiles() {
        for polygon in tile.polygons {
            let edges = tile.edges_of(polygon);
            assert_eq!(edges.len(), polygon.edge_count as usize);
            assert!(edges.len() >= 3 && polygon.area <= MAX_AREA);
            for edge in edges {
                assert!((edge.vertex as usize) < tile.vertices.len());
                assert!(edge.neighbor == NO_NEIGHBOR || (edge.neighbor as usize) < tile.polygons.len());
            }
            let base = polygon.detail_triangle_base as usize;
            let corners = polygon.edge_count as u16 + polygon.detail_vertex_count;
            for triangle in &tile.detail_triangles[base..base + polygon.detail_triangle_count as usize] {
                assert!(triangle[..3].iter().all(|&k| u16::from(k) < corners));
            }
            assert_eq!(tile.links_of(polygon).len(), polygon.link_count as usize);
            for link in tile.links_of(polygon) {
                let (_, target) = mesh.polygon(link.target).unwrap();
                if link.kind == view::LINK_PORTAL {
                    assert!(link.edge < polygon.edge_count && link.index < target.edge_count.into());
                    assert!(link.range_min <= link.range_max);
                } else {
                    let owner = mesh.tile(link.owner_slot as usize).unwrap();
                    assert!((link.index as usize) < owner.off_mesh.len());
                }
                assert_eq!(link.reserved, 0);
            }
        }
    }
}

#[test]
fn mutated_tiles_are_refused_or_valid() {
    let (mut first, mut second) = (region(&DEF), region(&DEF));
    let (first, second) = (&mut first, &mut second);
    let (mut mesh, mut other) = (make(&DEF, first), make(&DEF, second));
    let neighbour = random_tile(&mut Random(7), (1, 0, 0), 2);
    mesh.add_tile(&neighbour.bytes()).unwrap();
    let bases: Vec<_> = (0..20).map(|seed| random_tile(&mut Random(seed), (0, 0, 0), 2).bytes()).collect();
    let mut random = Random(0xF00D);
    let mut valid = 0;
    for round in 0..rounds() {
        let mut bytes = bases[random.below(bases.len())].clone();
        // Mostly past the fingerprint, which would stop nearly everything.
        let from = if random.chance(95) { 24 } else { 0 };
        mutate(&mut random, &mut bytes, from);
        match mesh.stage_tile(&bytes) {
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Format | ErrorKind::Version | ErrorKind::Capacity), "{error}")
            }
            Ok(()) => {
                mesh.commit().unwrap();
                assert_sound(&mesh);
                valid += 1;
                if round % 16 == 0 {
                    let bytes = saved(&mesh);
                    other.restore(&bytes).unwrap();
                    assert_eq!(saved(&other), bytes);
                    assert_eq!(links_of(&other), links_of(&mesh));
                }
                if mesh.tile_count() > 8 {
                    mesh.restore(&[&b"ONPM\x02\0\0\0"[..], &PARAMS.to_bytes(), &[0; 4]].concat()).unwrap();
                    mesh.add_tile(&neighbour.bytes()).unwrap();
                }
            }
        }
    }
    assert!(valid > rounds() / 20, "{valid} mutations were valid");
}

#[test]
fn mutated_meshes_are_refused_or_valid() {
    let (mut first, mut second) = (region(&DEF), region(&DEF));
    let (first, second) = (&mut first, &mut second);
    let (mut mesh, mut other) = (make(&DEF, first), make(&DEF, second));
    let bases: Vec<_> = (0..12)
        .map(|seed| {
            let mut random = Random(900 + seed);
            mesh.restore(&[&b"ONPM\x02\0\0\0"[..], &PARAMS.to_bytes(), &[0; 4]].concat()).unwrap();
            for (x, z, layer) in [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 1, 0)] {
                mesh.add_tile(&random_tile(&mut random, (x, z, layer), 1).bytes()).unwrap();
            }
            mesh.remove_tile(1, 0, 0).unwrap();
            saved(&mesh)
        })
        .collect();
    let mut random = Random(0xBEEF);
    let mut valid = 0;
    for _ in 0..rounds() {
        let mut bytes = bases[random.below(bases.len())].clone();
        let from = if random.chance(90) { 76 } else { 0 };
        mutate(&mut random, &mut bytes, from);
        match mesh.restore(&bytes) {
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Format | ErrorKind::Version | ErrorKind::Capacity), "{error}")
            }
            Ok(()) => {
                valid += 1;
                assert_sound(&mesh);
                assert_eq!(saved(&mesh), bytes);
                if valid % 16 == 0 {
                    other.restore(&bytes).unwrap();
                    assert_eq!(links_of(&other), links_of(&mesh));
                }
            }
        }
    }
    assert!(valid > rounds() / 20, "{valid} mutations were valid");
}
