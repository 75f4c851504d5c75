//! Memory and limits of a mesh.

use super::*;
use crate::error::{ErrorKind, Subject};

crate::memory::assert_portable!(NavMesh);

#[test]
fn an_arena_of_any_size_makes_a_mesh_or_refuses() {
    let limits = MeshLimits {
        tiles: 3,
        vertices: 40,
        polygons: 20,
        edges: 80,
        portals: 40,
        links: 40,
        detail_vertices: 10,
        detail_triangles: 40,
        off_mesh_links: 3,
        link_crossings: 3,
        staged: 2,
        staged_edits: 2,
    };
    let def = MeshDef { limits, ..DEF };
    let enough = def.plan().grains();
    let mut grains = vec![Grain::ZERO; enough + 3];
    for size in 0..enough + 3 {
        let mut arena = Arena::new(&mut grains[..size]);
        match NavMesh::new(&def, &mut arena) {
            Ok(mut mesh) => {
                assert!(size >= enough);
                mesh.add_tile(&validity::sample().bytes()).unwrap();
                assert_eq!(arena.taken(), def.plan().bytes);
            }
            Err(error) => {
                assert!(size < enough);
                assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
                assert_eq!(arena.taken(), 0);
            }
        }
    }
}

#[test]
fn limits_of_all_sizes_refuse_or_work() {
    // Every limit at 0, 1, and enough: no combination panics.
    let tile = validity::sample().bytes();
    let enough = [2, 40, 20, 80, 40, 40, 10, 40, 3, 3, 2, 2u32];
    for which in 0..enough.len() {
        for value in [0, 1] {
            let mut n = enough;
            n[which] = value;
            let [
                tiles,
                vertices,
                polygons,
                edges,
                portals,
                links,
                detail_vertices,
                detail_triangles,
                off,
                crossings,
                staged,
                edits,
            ] = n;
            let limits = MeshLimits {
                tiles,
                vertices,
                polygons,
                edges,
                portals,
                links,
                detail_vertices,
                detail_triangles,
                off_mesh_links: off,
                link_crossings: crossings,
                staged,
                staged_edits: edits,
            };
            let def = MeshDef { limits, ..DEF };
            let mut grains = region(&def);
            let made = NavMesh::new(&def, &mut Arena::new(&mut grains));
            assert_eq!(made.is_err(), tiles == 0);
            let Ok(mut mesh) = made else { continue };
            if let Err(error) = mesh.add_tile(&tile) {
                assert_eq!(error.kind(), ErrorKind::Capacity);
                assert_eq!(mesh.tile_count(), 0);
            }
        }
    }
}

#[test]
fn absurd_limits_are_refused_without_overflow() {
    let huge = MeshLimits {
        tiles: MAX_SLOTS,
        vertices: u32::MAX,
        polygons: u32::MAX,
        edges: u32::MAX,
        portals: u32::MAX,
        links: u32::MAX,
        detail_vertices: u32::MAX,
        detail_triangles: u32::MAX,
        off_mesh_links: u32::MAX,
        link_crossings: crate::mesh::MAX_LINKS,
        staged: u32::MAX,
        staged_edits: u32::MAX,
    };
    let mut grains = vec![Grain::ZERO; 100];
    let error = NavMesh::new(&MeshDef { limits: huge, ..DEF }, &mut Arena::new(&mut grains)).unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
    let slots = MeshLimits { tiles: MAX_SLOTS + 1, ..LIMITS };
    let error = NavMesh::new(&MeshDef { limits: slots, ..DEF }, &mut Arena::new(&mut grains)).unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Limit, Subject::Tiles));
}

#[test]
fn a_preset_is_a_constant_with_a_known_size() {
    const BYTES: usize = MeshDef::HUMANOID.plan().bytes;
    assert_eq!(BYTES, MeshDef::of(&NavSettings::HUMANOID).plan().bytes);
    assert_eq!(MeshDef::SMALL.params, NavSettings::SMALL.to_params(&[]));
    for def in [MeshDef::HUMANOID, MeshDef::SMALL, MeshDef::LARGE] {
        assert_eq!(def.params.validate(), Ok(()));
    }
}
