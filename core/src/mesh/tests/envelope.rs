//! Settings, their digest, and the envelope around a saved mesh.

use super::bytes::saved;
use super::*;
use crate::error::{ErrorKind, Subject};

const SETTINGS: NavSettings = NavSettings {
    tile_size: 8.0,
    cell_size: 0.25,
    origin_x: -3.5,
    origin_z: 100.25,
    floor_y: 1.5,
    area: 9,
    flags: 0x1234,
    snap_bits: Some(7),
    partition: Partition::Layers,
    ..NavSettings::HUMANOID
};

const LINKS: [OffMeshLinkDef; 2] = [
    OffMeshLinkDef {
        start: [1.0, 2.0, 3.0],
        end: [4.0, 5.0, 6.0],
        radius: 0.5,
        bidirectional: true,
        area: 7,
        flags: 0x55AA,
        user_id: 0xDEAD_BEEF,
    },
    OffMeshLinkDef {
        start: [-1.0, 0.0, 101.0],
        end: [0.0; 3],
        radius: 2.0,
        bidirectional: false,
        area: 0,
        flags: 1,
        user_id: 0,
    },
];

fn envelope() -> Vec<u8> {
    let def = MeshDef { params: SETTINGS.to_params(&LINKS), ..DEF };
    let mut region = region(&def);
    let mut mesh = make(&def, &mut region);
    mesh.add_tile(&validity::sample().bytes_for(&def.params)).unwrap();
    let mut bytes = vec![0; NavFile::save_size(&mesh, &LINKS)];
    assert_eq!(NavFile::save(&mesh, &SETTINGS, &LINKS, &mut bytes), Ok(bytes.len()));
    assert_eq!(NavFile::open(&bytes).unwrap().mesh_bytes(), saved(&mesh));
    bytes
}

#[test]
fn the_digest_is_the_hash_of_the_pages_list() {
    let s = &SETTINGS;
    let mut message = b"ONSD".to_vec();
    message.extend(s.cell_height.to_le_bytes());
    message.extend([7i32, 2, 64, 400].iter().flat_map(|v| v.to_le_bytes()));
    message.extend(1.3f32.to_le_bytes());
    let doubles = [s.max_edge_length, s.detail_sample_distance, s.detail_max_error, s.floor_y];
    message.extend(doubles.iter().flat_map(|v| v.to_le_bytes()));
    message.extend([9, 0x34, 0x12, 2, 0, 0, 0]);
    for link in &LINKS {
        let numbers = link.start.iter().chain(&link.end).chain([&link.radius]);
        message.extend(numbers.flat_map(|v| v.to_le_bytes()));
        message.extend([link.bidirectional as u8, link.area]);
        message.extend(link.flags.to_le_bytes());
        message.extend(link.user_id.to_le_bytes());
    }
    let hash = crate::hash::sha256(&message);
    assert_eq!(s.digest(&LINKS).to_le_bytes(), hash[..8]);
    assert_ne!(NavSettings { snap_bits: None, ..*s }.digest(&LINKS), s.digest(&LINKS));
    assert_eq!(
        NavSettings { snap_bits: Some(-1), ..*s }.digest(&[]),
        NavSettings { snap_bits: None, ..*s }.digest(&[])
    );
}

#[test]
fn an_envelopes_fields_stand_where_the_page_puts_them() {
    let bytes = envelope();
    assert_eq!(&bytes[..8], b"ONNM\x01\x00\x00\x00");
    let doubles = [0.6, 2.0, 0.9, 45.0, 0.25, 8.0, 0.2, -3.5, 100.25f64];
    assert!(bytes[8..80].chunks(8).zip(doubles).all(|(bytes, v)| bytes == v.to_le_bytes()));
    assert_eq!(bytes[80..84], [6, 0, 0, 0]);
    assert_eq!(bytes[84..92], 1.5f64.to_le_bytes());
    assert_eq!(bytes[92..100], [9, 0x34, 0x12, 1, 7, 0, 0, 0]);
    assert_eq!(bytes[100..112], [2, 0, 0, 0, 64, 0, 0, 0, 144, 1, 0, 0]);
    let doubles = [1.3, 3.6, 1.8, 0.2f64];
    assert!(bytes[112..144].chunks(8).zip(doubles).all(|(bytes, v)| bytes == v.to_le_bytes()));
    assert_eq!(bytes[144..148], [2, 0, 0, 0]);
    assert_eq!(bytes[148..156], 1f64.to_le_bytes());
    assert_eq!(bytes[204..212], [1, 7, 0xAA, 0x55, 0xEF, 0xBE, 0xAD, 0xDE]);
    assert_eq!(bytes[276..280], ((bytes.len() - 280) as u32).to_le_bytes());
    assert_eq!(&bytes[280..284], b"ONPM");
}

#[test]
fn an_envelope_gives_back_settings_links_and_mesh() {
    let bytes = envelope();
    let file = NavFile::open(&bytes).unwrap();
    assert_eq!(file.settings(), &SETTINGS);
    assert!(file.links().eq(LINKS));
    let def = MeshDef { params: *file.mesh().params(), ..DEF };
    let mut region = region(&def);
    let mut mesh = make(&def, &mut region);
    mesh.restore(file.mesh_bytes()).unwrap();
    let mut again = vec![0; bytes.len()];
    NavFile::save(&mesh, file.settings(), &LINKS, &mut again).unwrap();
    assert_eq!(again, bytes);
    // With the caller's settings both forms open, and only with the right ones.
    for form in [&bytes[..], file.mesh_bytes()] {
        assert!(NavFile::open_mesh(form, &SETTINGS, &LINKS).is_ok());
        let other = NavSettings { detail_max_error: 0.25, ..SETTINGS };
        for refused in [
            NavFile::open_mesh(form, &other, &LINKS).unwrap_err(),
            NavFile::open_mesh(form, &SETTINGS, &LINKS[..1]).unwrap_err(),
        ] {
            assert_eq!((refused.kind(), refused.subject()), (ErrorKind::Format, Subject::Fingerprint));
        }
    }
    assert_eq!(NavFile::save(&mesh, &SETTINGS, &[], &mut again).unwrap_err().subject(), Subject::Fingerprint);
    assert_eq!(NavFile::save(&mesh, &SETTINGS, &LINKS, &mut again[1..]).unwrap_err().kind(), ErrorKind::Capacity);
}

#[test]
fn a_broken_envelope_names_its_field() {
    let bytes = envelope();
    let refused = |at: usize, value: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        let error = NavFile::open(&bytes).unwrap_err();
        (error.kind(), error.subject())
    };
    let bad = |subject| (ErrorKind::Format, subject);
    let nan = f64::NAN.to_le_bytes();
    let doubles = [
        (8, Subject::AgentRadius),
        (16, Subject::AgentHeight),
        (24, Subject::WalkableClimb),
        (32, Subject::MaxSlope),
        (40, Subject::CellSize),
        (48, Subject::TileSize),
        (56, Subject::CellHeight),
        (64, Subject::Origin),
        (72, Subject::Origin),
        (84, Subject::FloorY),
        (112, Subject::ContourMaxError),
        (120, Subject::MaxEdgeLength),
        (128, Subject::DetailSampleDistance),
        (136, Subject::DetailMaxError),
    ];
    for (at, subject) in doubles {
        assert_eq!(refused(at, &nan), bad(subject));
        assert_eq!(refused(at, &f64::NEG_INFINITY.to_le_bytes()), bad(subject));
    }
    assert_eq!(refused(0, b"ONNW"), bad(Subject::Magic));
    assert_eq!(refused(4, &[2, 0]), (ErrorKind::Version, Subject::FormatVersion));
    assert_eq!(refused(6, &[0, 1]), bad(Subject::FormatFlags));
    assert_eq!(refused(80, &[2, 0, 0, 0]), bad(Subject::MaxVertsPerPoly));
    assert_eq!(refused(80, &[0xFF; 4]), bad(Subject::MaxVertsPerPoly));
    assert_eq!(refused(92, &[64]), bad(Subject::Area));
    assert_eq!(refused(95, &[2]), bad(Subject::SnapBits));
    assert_eq!(refused(95, &[0]), bad(Subject::SnapBits));
    assert_eq!(refused(96, &[17, 0, 0, 0]), bad(Subject::SnapBits));
    assert_eq!(refused(100, &[3, 0, 0, 0]), bad(Subject::Partition));
    assert_eq!(refused(100, &[0xFF; 4]), bad(Subject::Partition));
    assert_eq!(refused(104, &[0xFF; 4]), bad(Subject::MinRegionArea));
    assert_eq!(refused(108, &[0, 0, 0, 0x80]), bad(Subject::MergeRegionArea));
    assert_eq!(refused(144, &[0xFF; 4]), bad(Subject::OffMeshLinks));
    assert_eq!(refused(148, &nan), bad(Subject::OffMeshLink));
    assert_eq!(refused(196, &0f64.to_le_bytes()), bad(Subject::OffMeshLink));
    assert_eq!(refused(204, &[2]), bad(Subject::OffMeshLink));
    assert_eq!(refused(205, &[64]), bad(Subject::OffMeshLink));
    assert_eq!(refused(276, &[0xFF; 4]), bad(Subject::Mesh));
    assert_eq!(refused(276, &[80, 0, 0, 0]), bad(Subject::Bytes));
    // Valid settings, but not those of this mesh.
    assert_eq!(refused(136, &0.5f64.to_le_bytes()), bad(Subject::Fingerprint));
    assert_eq!(refused(208, &[0]), bad(Subject::Fingerprint));
    for length in 0..bytes.len() {
        assert!(NavFile::open(&bytes[..length]).is_err());
    }
    assert!(NavFile::open(&[&bytes[..], &[0]].concat()).is_err());
}

#[test]
fn mutated_envelopes_are_refused_or_open() {
    let base = envelope();
    let mut random = Random(5);
    for _ in 0..5000 {
        let mut bytes = base.clone();
        for _ in 0..1 + random.below(2) {
            let at = random.below(280);
            bytes[at] = [0, 1, 255, 127, 128, random.next() as u8][random.below(6)];
        }
        if let Err(error) = NavFile::open(&bytes) {
            assert!(matches!(error.kind(), ErrorKind::Format | ErrorKind::Version), "{error}");
        }
    }
}

#[test]
fn presets_are_the_pages() {
    let row = |s: NavSettings| {
        (s.agent_radius, s.agent_height, s.walkable_climb, s.max_slope_degrees, s.cell_size, s.tile_size)
    };
    assert_eq!(row(NavSettings::HUMANOID), (0.6, 2.0, 0.9, 45.0, 0.3, 64.0));
    assert_eq!(row(NavSettings::SMALL), (0.3, 1.0, 0.4, 45.0, 0.15, 32.0));
    assert_eq!(row(NavSettings::LARGE), (1.5, 4.0, 1.2, 40.0, 0.5, 128.0));
    for preset in [NavSettings::HUMANOID, NavSettings::SMALL, NavSettings::LARGE] {
        assert_eq!((preset.max_verts_per_poly, preset.floor_y, preset.area, preset.flags), (6, 0.0, 0, 1));
        assert_eq!(preset.validate(), Ok(()));
    }
}
