//! Claims about the polygons in a box and about single polygons, against a scan of every polygon.

use super::world::{Kind, TileOf, World, corners, empty_mesh, middle};
use crate::error::{ErrorKind, Subject};
use crate::mesh::{NavMesh, PolyRef, TilePolygon};
use crate::query::*;
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];

/// The polygons whose corners' box meets a box, in the order of their tiles' places.
fn scan(mesh: &NavMesh<'_>, center: V, half: V, filter: &impl PolygonFilter) -> Vec<PolyRef> {
    let mut found = Vec::new();
    for tile in mesh.tiles() {
        for (index, record) in tile.polygons.iter().enumerate() {
            let polygon = tile.reference.polygon(index as u32);
            let ring = corners(mesh, polygon);
            let meets = (0..3).all(|k| {
                ring.iter().any(|v| v[k] <= center[k] + half[k]) && ring.iter().any(|v| v[k] >= center[k] - half[k])
            });
            if meets && filter.accepts(record.flags, record.area) {
                found.push(((tile.x, tile.z, tile.layer, index), polygon));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, polygon)| polygon).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_box_holds_what_a_scan_finds_and_a_short_buffer_the_first_of_it(
        seed in any::<u64>(), tiles in 1i32..4, merged in any::<bool>(), holes in 0u64..60, floors in 1i32..3,
    ) {
        let mut world = World::new(Kind { seed, tiles, holes, merged, floors, links: 0 });
        let filter = Filter::new().without_flags(4);
        for round in 0..12 {
            let center = world.position(tiles);
            let reach = [0.0, 1.5, 7.0, 40.0, 1e6][round % 5];
            let half = [reach, 1.0 + reach * 0.7, reach];
            let all = scan(&world.mesh, center, half, &filter);
            let mut room = [PolyRef::NONE; 1024];
            for len in [0, 1, all.len() / 2, all.len().saturating_sub(1), all.len(), 1024] {
                let outcome = polygons_in_box(&world.mesh, center, half, &filter, &mut room[..len]).unwrap();
                prop_assert_eq!((outcome.count, outcome.truncated), (all.len(), all.len() > len));
                let written = all.len().min(len);
                prop_assert_eq!(&room[..written], &all[..written]);
            }
        }
    }

    #[test]
    fn heights_and_closest_points_of_a_polygon_are_those_of_the_nearest(seed in any::<u64>(), merged in any::<bool>()) {
        let mut world = World::new(Kind { seed, tiles: 2, holes: 20, merged, floors: 1, links: 0 });
        for _ in 0..30 {
            let at = world.position(2);
            let Some(nearest) = nearest_polygon(&world.mesh, at, [3.0, 9.0, 3.0], &Filter::ALL).unwrap() else {
                continue;
            };
            prop_assert_eq!(closest_point_on(&world.mesh, nearest.polygon, at).unwrap(), nearest);
            match height_on(&world.mesh, nearest.polygon, at[0], at[2]) {
                Ok(height) => prop_assert_eq!((nearest.over_polygon, nearest.point[1]), (true, height)),
                Err(error) => {
                    prop_assert!(!nearest.over_polygon);
                    prop_assert_eq!((error.kind(), error.kind().code()), (ErrorKind::Outside, -33));
                }
            }
        }
    }
}

#[test]
fn tiles_in_a_box_wider_than_the_mesh_come_by_place_not_by_slot() {
    let mut mesh = empty_mesh();
    // Slots in an order of their own.
    for (x, z, layer) in [(5, 0, 0), (0, 7, 1), (0, 7, 0), (2, 2, 0), (0, 0, 3), (5, -1, 0)] {
        let mut tile = TileOf::default();
        tile.vertices.extend([[1.0, 0.0, 1.0], [9.0, 0.0, 1.0], [9.0, 0.0, 9.0], [1.0, 0.0, 9.0]]);
        tile.polygon(&[0, 1, 2], 0, 1);
        tile.polygon(&[0, 2, 3], 0, 1);
        tile.connect(12.0);
        tile.add_to(&mut mesh, x, z, layer, 0.0);
        mesh.commit().unwrap();
    }
    let all = scan(&mesh, [0.0; 3], [100.0; 3], &Filter::ALL);
    assert_eq!(all.len(), 12);
    assert!(all.windows(2).any(|pair| pair[0] > pair[1]), "by reference they would come in another order");
    for len in 0..=13 {
        let mut room = std::vec![PolyRef::NONE; len];
        let outcome = polygons_in_box(&mesh, [0.0; 3], [100.0; 3], &Filter::ALL, &mut room).unwrap();
        assert_eq!((outcome.count, outcome.truncated, outcome.incomplete), (12, len < 12, true));
        assert_eq!(room[..len.min(12)], all[..len.min(12)]);
    }
}

/// A square of 8 with a tip of detail 2 high in its middle.
fn tent() -> NavMesh<'static> {
    let mut tile = TileOf::default();
    tile.vertices.extend([[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]]);
    tile.polygon(&[0, 1, 2, 3], 0, 1);
    tile.detail_vertices.push([4.0, 2.0, 4.0]);
    tile.detail_triangles.extend([[0, 1, 4, 1], [1, 2, 4, 1], [2, 3, 4, 1], [3, 0, 4, 1]]);
    tile.polygons[0] = TilePolygon { detail_vertex_count: 1, detail_triangle_count: 4, ..tile.polygons[0] };
    tile.connect(12.0);
    let mut mesh = empty_mesh();
    tile.add_to(&mut mesh, 0, 0, 0, 10.0);
    mesh.commit().unwrap();
    mesh
}

#[test]
fn a_box_meets_the_heights_of_detail_too() {
    let mesh = tent();
    let count = |y: f64| polygons_in_box(&mesh, [1.0, y, 1.0], [0.5; 3], &Filter::ALL, &mut []).unwrap().count;
    assert_eq!([9.0, 9.5, 11.9, 12.5, 12.6].map(count), [0, 1, 1, 1, 0]);
    let outcome = polygons_in_box(&mesh, [6.0, 10.0, 6.0], [6.0; 3], &Filter::ALL, &mut []).unwrap();
    assert_eq!(outcome, BoxOutcome { count: 1, truncated: true, incomplete: false });
}

#[test]
fn one_polygon_answers_for_itself() {
    let mesh = tent();
    let polygon = mesh.tile(0).unwrap().reference.polygon(0);
    assert_eq!(height_on(&mesh, polygon, 2.0, 4.0), Ok(11.0));
    assert_eq!(height_on(&mesh, polygon, 8.0, 8.0), Ok(10.0));
    assert_eq!(polygon_center(&mesh, polygon), Ok(middle(&mesh, polygon)));
    let mut ring = [[0.0; 3]; 6];
    assert_eq!(polygon_corners(&mesh, polygon, &mut ring), Ok(4));
    assert_eq!(ring[..4], corners(&mesh, polygon)[..]);
    assert_eq!(polygon_corners(&mesh, polygon, &mut []), Ok(4));
}

#[test]
fn what_is_no_position_no_extent_and_no_reference_is_refused() {
    let mut mesh = tent();
    let polygon = mesh.tile(0).unwrap().reference.polygon(0);
    let kinds =
        [(f64::NAN, ErrorKind::Invalid), (f64::NEG_INFINITY, ErrorKind::Invalid), (2_097_152.0, ErrorKind::Limit)];
    for (bad, kind) in kinds {
        let errors = [
            polygons_in_box(&mesh, [0.0, bad, 0.0], [1.0; 3], &Filter::ALL, &mut []).unwrap_err(),
            nearest_polygon_by(&mesh, NearestRule::BeyondStep, [bad, 0.0, 0.0], [1.0; 3], &Filter::ALL).unwrap_err(),
            nearest_polygon_by(&mesh, NearestRule::Distance, [bad, 0.0, 0.0], [1.0; 3], &Filter::ALL).unwrap_err(),
            closest_point_on(&mesh, polygon, [0.0, 0.0, bad]).unwrap_err(),
            height_on(&mesh, polygon, bad, 0.0).unwrap_err(),
            height_on(&mesh, polygon, 0.0, bad).unwrap_err(),
        ];
        for error in errors {
            assert_eq!((error.kind(), error.subject()), (kind, Subject::Position));
        }
    }
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let half = [1.0, 1.0, bad];
        let error = polygons_in_box(&mesh, [0.0; 3], half, &Filter::ALL, &mut []).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Invalid, Subject::Extents));
        let error = nearest_polygon_by(&mesh, NearestRule::BeyondStep, [0.0; 3], half, &Filter::ALL).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Invalid, Subject::Extents));
    }
    let kinds = |mesh: &NavMesh<'_>, reference| {
        let error = height_on(mesh, reference, 4.0, 4.0).unwrap_err();
        assert_eq!(closest_point_on(mesh, reference, [0.0; 3]).unwrap_err(), error);
        assert_eq!(polygon_center(mesh, reference).unwrap_err(), error);
        assert_eq!(polygon_corners(mesh, reference, &mut []).unwrap_err(), error);
        error.kind()
    };
    for forged in [PolyRef::NONE, PolyRef(u64::MAX), PolyRef::new(1, 0, 1), PolyRef::new(1, 9, 0)] {
        assert_eq!(kinds(&mesh, forged), ErrorKind::Invalid);
    }
    mesh.stage_tile_removal(0, 0, 0).unwrap();
    mesh.commit().unwrap();
    assert_eq!(kinds(&mesh, polygon), ErrorKind::Stale);
}
