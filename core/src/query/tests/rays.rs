//! Claims about rays and moves over the surface, against a walk in whole numbers.

use super::exact::{self, exact, holds, rounded};
use super::literal::flat_length;
use super::world::{Kind, TileOf, World, corners, empty_mesh, query};
use crate::error::{ErrorKind, Subject};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::*;
use proptest::prelude::*;
use std::string::ToString;
use std::vec::Vec;

type V = [f64; 3];

/// A place in a polygon: on the lattice of 1/1024, or one of its corners or edge middles.
fn place_in(world: &mut World) -> Option<(PolyRef, V)> {
    let (polygon, _) = world.place();
    let ring = corners(&world.mesh, polygon);
    let random = &mut world.random;
    let weights: Vec<f64> = match random.below(4) {
        0 => {
            let one = random.below(ring.len() as u64) as usize;
            (0..ring.len()).map(|i| f64::from(u8::from(i == one))).collect()
        }
        _ => ring.iter().map(|_| random.next_f64()).collect(),
    };
    let total: f64 = weights.iter().sum();
    let place: V = core::array::from_fn(|k| {
        ring.iter().zip(&weights).map(|(corner, weight)| corner[k] * weight).sum::<f64>() / total
    });
    let place = if weights.contains(&1.0) { place } else { rounded(place) };
    holds(&world.mesh, polygon, exact(place)).then_some((polygon, place))
}

fn lattice(kind: &Kind) -> Kind {
    Kind { merged: true, ..*kind }
}

/// The claims of one ray; returns whether it could be compared.
fn check_ray(world: &World, filter: &impl PolygonFilter, start: (PolyRef, V), end: V, always: bool) -> bool {
    let mesh = &world.mesh;
    let mut room = [PolyRef::NONE; 256];
    let ray = raycast(mesh, start.0, start.1, end, filter, &mut room).unwrap();
    assert_eq!(ray.status, RaycastStatus::Ok);
    assert!((0.0..=1.0).contains(&ray.t) && (ray.t == 1.0 || ray.is_hit()), "{ray:?}");
    let walk = exact::walk(mesh, start.0, exact(start.1), exact(end), filter);
    if walk.close && !always {
        return false;
    }
    let seen = &room[..ray.visited];
    assert_eq!((ray.end, ray.polygon, seen), (walk.end, walk.polygon, &walk.visited[..]), "{start:?} to {end:?}");
    assert!((ray.t - walk.t).abs() <= 1e-9, "{} for {}", ray.t, walk.t);
    let moved = move_along_surface(mesh, start.0, start.1, end, filter, &mut []).unwrap();
    assert_eq!((moved.end, moved.polygon, moved.truncated), (ray.end, ray.polygon, true));
    if ray.is_hit() {
        assert_eq!(ray.edge as usize, walk.edge);
        let ring = corners(mesh, ray.polygon);
        let (a, b) = (ring[walk.edge], ring[(walk.edge + 1) % ring.len()]);
        let along = [b[0] - a[0], b[2] - a[2]];
        assert!((ray.normal[0] * along[0] + ray.normal[2] * along[1]).abs() < 1e-9 && ray.normal[1] == 0.0);
        assert!((flat_length([0.0; 3], ray.normal) - 1.0).abs() < 1e-12);
        let way = [end[0] - start.1[0], end[2] - start.1[2]];
        assert!(ray.normal[0] * way[0] + ray.normal[2] * way[1] > 0.0, "the normal points out of the polygon");
        check_slide(&moved, a, b, end);
    } else {
        assert_eq!((ray.normal, moved.position[0], moved.position[2]), ([0.0; 3], end[0], end[2]));
        assert!(walk.slack || holds(mesh, moved.polygon, exact(end)), "{moved:?} is not on its polygon");
        let near = nearest_polygon(mesh, moved.position, [1e-6; 3], filter).unwrap();
        assert!(walk.slack || near.is_some_and(|near| near.distance_squared < 1e-12), "{moved:?} is off the mesh");
    }
    true
}

/// The end of a slide is the point of the wall nearest the end, and on it.
fn check_slide(moved: &SurfaceMove, a: V, b: V, end: V) {
    let on = |s: f64| -> V { core::array::from_fn(|k| a[k] + (b[k] - a[k]) * s) };
    let length = flat_length(a, b);
    let s = flat_length(a, moved.position) / length;
    assert!(s <= 1.0 + 1e-12);
    let here = on(s);
    assert!((0..3).all(|k| (here[k] - moved.position[k]).abs() < 1e-9), "{moved:?} is not on the wall");
    let reached = flat_length(moved.position, end);
    for step in 0..=64 {
        assert!(reached <= flat_length(on(f64::from(step) / 64.0), end) + 1e-9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_ray_and_a_move_go_as_a_walk_in_whole_numbers_goes(
        seed in any::<u64>(), tiles in 1i32..4, merged in any::<bool>(), holes in 0u64..40, floors in 1i32..3,
    ) {
        let kind = Kind { seed, tiles, holes, merged, floors, links: 1 };
        let mut world = World::new(kind);
        let filter = Filter::new().without_flags(4);
        let everything = Filter::new();
        let mut compared = 0;
        for round in 0..60 {
            let Some(start) = place_in(&mut world) else { continue };
            let mut end = rounded(world.position(tiles));
            if round % 5 == 0 {
                // Straight along an axis: along edges, when the start is a corner.
                end[2 * (round / 5 % 2)] = start.1[2 * (round / 5 % 2)];
            }
            let (_, record) = world.mesh.polygon(start.0).unwrap();
            if filter.accepts(record.flags, record.area) {
                compared += u32::from(check_ray(&world, &filter, start, end, false));
            }
            compared += u32::from(check_ray(&world, &everything, start, end, false));
        }
        prop_assert!(compared >= 20, "only {compared} rays could be compared");
    }

    #[test]
    fn on_a_lattice_rays_through_vertices_and_along_edges_go_as_the_walk_does(
        seed in any::<u64>(), tiles in 1i32..3, holes in 0u64..40,
    ) {
        let mut world = World::new(lattice(&Kind { seed, tiles, holes, merged: true, floors: 1, links: 0 }));
        let side = 12 * tiles as u64;
        for _ in 0..150 {
            let (polygon, _) = world.place();
            let ring = corners(&world.mesh, polygon);
            let start = ring[world.random.below(ring.len() as u64) as usize];
            let end = [world.random.below(side + 1) as f64, 0.0, world.random.below(side + 1) as f64];
            check_ray(&world, &Filter::ALL, (polygon, start), end, true);
        }
    }
}

/// One square of side 12 with a hole in its middle: eight squares of side 4 round it.
fn square_ring() -> NavMesh<'static> {
    let mut mesh = empty_mesh();
    let mut tile = TileOf::default();
    for j in 0..4 {
        for i in 0..4 {
            tile.vertices.push([i as f32 * 4.0, 0.0, j as f32 * 4.0]);
        }
    }
    for j in 0..3u16 {
        for i in 0..3u16 {
            if (i, j) != (1, 1) {
                let low = j * 4 + i;
                tile.polygon(&[low, low + 1, low + 5, low + 4], 0, 1);
            }
        }
    }
    tile.connect(12.0);
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    mesh
}

fn polygon_of(mesh: &NavMesh<'_>, index: u32) -> PolyRef {
    mesh.tile(0).unwrap().reference.polygon(index)
}

#[test]
fn a_ray_touching_the_corner_of_a_hole_goes_on() {
    let mesh = square_ring();
    let cast = |start, end| raycast(&mesh, polygon_of(&mesh, 0), start, end, &Filter::ALL, &mut []).unwrap();
    // Through the corner (4, 4) from the square below the hole to the left of it... from (1, 1) it points into the hole.
    assert_eq!(cast([1.0, 0.0, 1.0], [7.0, 0.0, 7.0]).end, MoveEnd::Wall);
    assert_eq!(cast([1.0, 0.0, 1.0], [7.0, 0.0, 7.0]).t, 0.5);
    // Past the corner along the hole's sides.
    assert_eq!(cast([1.0, 0.0, 4.0], [11.0, 0.0, 4.0]).end, MoveEnd::Reached);
    assert_eq!(cast([4.0, 0.0, 1.0], [4.0, 0.0, 11.0]).end, MoveEnd::Reached);
    // Across the corner from the square left of the hole to the one below it.
    let left = polygon_of(&mesh, 3);
    let ray = raycast(&mesh, left, [2.0, 0.0, 6.0], [6.0, 0.0, 2.0], &Filter::ALL, &mut []).unwrap();
    assert_eq!(ray.end, MoveEnd::Reached);
}

#[test]
fn the_published_hit_comes_out_exactly() {
    // The wall and the ray of the published tile map, without the rest of it.
    let mut mesh = empty_mesh();
    let mut tile = TileOf::default();
    let x = 10.0 + 410.0 / 1024.0;
    tile.vertices.extend([[0.0, 0.0, 6.0], [x, 0.0, 6.0], [x, 0.0, 12.0], [0.0, 0.0, 12.0]]);
    tile.polygon(&[0, 1, 2, 3], 0, 1);
    tile.connect(12.0);
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    let (start, end) = ([2.0, 0.0, 9.0], [28.0, 0.0, 9.0]);
    let ray = raycast(&mesh, polygon_of(&mesh, 0), start, end, &Filter::ALL, &mut []).unwrap();
    assert_eq!((ray.end, ray.normal), (MoveEnd::Wall, [1.0, 0.0, 0.0]));
    assert_eq!(ray.point(&mesh, start, end), Some([10.400390625, 0.0, 9.0]));
}

#[test]
fn a_ray_of_no_length_reaches_its_end() {
    let mesh = square_ring();
    for at in [[1.0, 0.0, 1.0], [4.0, 0.0, 4.0], [0.0, 0.0, 0.0], [-5e-7, 0.0, 2.0]] {
        let ray = raycast(&mesh, polygon_of(&mesh, 0), at, at, &Filter::ALL, &mut []).unwrap();
        assert_eq!((ray.status, ray.end, ray.t), (RaycastStatus::Ok, MoveEnd::Reached, 1.0));
    }
}

#[test]
fn a_start_outside_its_polygon_is_a_status_but_for_a_millionth() {
    let mesh = square_ring();
    let status = |start: V| {
        let ray = raycast(&mesh, polygon_of(&mesh, 0), start, [1.0, 0.0, 1.0], &Filter::ALL, &mut []).unwrap();
        let moved = move_along_surface(&mesh, polygon_of(&mesh, 0), start, [1.0; 3], &Filter::ALL, &mut []).unwrap();
        assert_eq!(moved.status, ray.status);
        if ray.status != RaycastStatus::Ok {
            assert_eq!((ray.end, ray.t, ray.polygon, ray.visited), (MoveEnd::NotMoved, 0.0, PolyRef::NONE, 0));
            assert_eq!((moved.position, moved.polygon), (start, PolyRef::NONE));
        }
        ray.status
    };
    assert_eq!(status([-0.9e-6, 0.0, 1.0]), RaycastStatus::Ok);
    assert_eq!(status([4.0 + 0.9e-6, 77.0, 1.0]), RaycastStatus::Ok);
    assert_eq!(status([-1.1e-6, 0.0, 1.0]), RaycastStatus::StartOutsidePolygon);
    assert_eq!(status([5.0, 0.0, 1.0]), RaycastStatus::StartOutsidePolygon);
}

#[test]
fn a_start_outside_by_next_to_nothing_hits_the_wall_behind_it_at_once() {
    let mesh = square_ring();
    let ray = raycast(&mesh, polygon_of(&mesh, 0), [2.0, 0.0, -5e-7], [2.0, 0.0, -3.0], &Filter::ALL, &mut []).unwrap();
    assert_eq!((ray.end, ray.t, ray.normal), (MoveEnd::NotLoaded, 0.0, [0.0, 0.0, -1.0]));
}

#[test]
fn a_short_list_holds_the_first_polygons_and_says_so() {
    let mesh = square_ring();
    let cast = |room: &mut [PolyRef]| {
        let start = [1.0, 0.0, 2.0];
        raycast(&mesh, polygon_of(&mesh, 0), start, [11.0, 0.0, 2.0], &Filter::ALL, room).unwrap()
    };
    let mut whole = [PolyRef::NONE; 3];
    let ray = cast(&mut whole);
    assert_eq!((ray.visited, ray.truncated), (3, false));
    assert_eq!(whole, [0, 1, 2].map(|index| polygon_of(&mesh, index)));
    let mut short = [PolyRef::NONE; 2];
    let ray = cast(&mut short);
    assert_eq!((ray.visited, ray.truncated, ray.end), (2, true, MoveEnd::Reached));
    assert_eq!(short, whole[..2]);
}

#[test]
fn a_query_casts_the_same_ray_and_lends_the_polygons_until_its_node_limit() {
    let mesh = square_ring();
    let (start, end) = ([1.0, 0.0, 2.0], [11.0, 0.0, 2.0]);
    let mut room = [PolyRef::NONE; 8];
    let free = raycast(&mesh, polygon_of(&mesh, 0), start, end, &Filter::ALL, &mut room).unwrap();
    let mut wide = query(QueryDef { nodes: 3, ..QueryDef::DEFAULT });
    let ray = wide.raycast(&mesh, polygon_of(&mesh, 0), start, end, &Filter::ALL).unwrap();
    assert_eq!((ray, wide.visited()), (free, &room[..free.visited]));
    assert_eq!(wide.high_water().corridor, 3);
    let mut narrow = query(QueryDef { nodes: 2, ..QueryDef::DEFAULT });
    let ray = narrow.raycast(&mesh, polygon_of(&mesh, 0), start, end, &Filter::ALL).unwrap();
    assert_eq!((ray.end, ray.polygon, ray.visited), (MoveEnd::OutOfNodes, polygon_of(&mesh, 1), 2));
    assert!((ray.t - 0.7).abs() < 1e-12 && !ray.is_hit());
    let moved = narrow.move_along_surface(&mesh, polygon_of(&mesh, 0), start, end, &Filter::ALL).unwrap();
    assert_eq!((moved.end, moved.position), (MoveEnd::OutOfNodes, [8.0, 0.0, 2.0]));
    assert_eq!(narrow.visited().len(), 2);
}

#[test]
fn a_ray_leaves_an_open_search_open() {
    let mesh = square_ring();
    let mut query = query(QueryDef::DEFAULT);
    let (from, to) = (polygon_of(&mesh, 0), polygon_of(&mesh, 7));
    let (start, end) = ([1.0, 0.0, 1.0], [11.0, 0.0, 11.0]);
    let whole = query.find_path(&mesh, start, end, &Filter::ALL).unwrap();
    query.begin_path(&mesh, from, start, to, end, &Filter::ALL).unwrap();
    query.step(&mesh, &Filter::ALL, 1).unwrap();
    query.raycast(&mesh, from, start, end, &Filter::ALL).unwrap();
    query.step(&mesh, &Filter::ALL, 1000).unwrap();
    assert_eq!(query.finish_path(&mesh).unwrap().cost, whole.cost);
}

#[test]
fn rays_and_moves_refuse_what_is_no_position_and_report_what_is_no_start() {
    let mut mesh = square_ring();
    let first = polygon_of(&mesh, 0);
    let good = [1.0, 0.0, 1.0];
    for (bad, kind) in [
        (f64::NAN, ErrorKind::Invalid),
        (f64::INFINITY, ErrorKind::Invalid),
        (2_097_152.0, ErrorKind::Limit),
        (-2_097_152.0, ErrorKind::Limit),
    ] {
        for axis in 0..3 {
            let mut place = good;
            place[axis] = bad;
            for (which, start, end) in [(0, place, good), (1, good, place)] {
                let error = raycast(&mesh, first, start, end, &Filter::ALL, &mut []).unwrap_err();
                assert_eq!((error.kind(), error.subject()), (kind, Subject::Position));
                assert_eq!((error.index(), error.part_index()), (Some(which), Some(axis as u32)));
                let mut query = query(QueryDef { nodes: 4, ..QueryDef::DEFAULT });
                let others = [
                    move_along_surface(&mesh, first, start, end, &Filter::ALL, &mut []).unwrap_err(),
                    query.raycast(&mesh, first, start, end, &Filter::ALL).unwrap_err(),
                    query.move_along_surface(&mesh, first, start, end, &Filter::ALL).unwrap_err(),
                ];
                // By their words: a value that is no number equals none.
                assert!(others.iter().all(|other| other.to_string() == error.to_string()));
            }
        }
    }
    let status = |mesh: &NavMesh<'_>, polygon, filter: &Filter| {
        let status = raycast(mesh, polygon, good, good, filter, &mut []).unwrap().status;
        assert_eq!(move_along_surface(mesh, polygon, good, good, filter, &mut []).unwrap().status, status);
        status
    };
    let every = Filter::new();
    for forged in [PolyRef::NONE, PolyRef(u64::MAX), PolyRef::new(first.salt() + 1, 0, 0), PolyRef::new(1, 0, 8)] {
        assert_eq!(status(&mesh, forged, &every), RaycastStatus::InvalidStartPoly);
    }
    assert_eq!(status(&mesh, first, &every.without_flags(1)), RaycastStatus::InvalidStartPoly);
    let forbidden = every.with_area_cost(0, f64::INFINITY).unwrap();
    assert_eq!(status(&mesh, first, &forbidden), RaycastStatus::InvalidStartPoly);
    assert_eq!(status(&mesh, first, &every), RaycastStatus::Ok);
    mesh.stage_tile_removal(0, 0, 0).unwrap();
    mesh.commit().unwrap();
    assert_eq!(status(&mesh, first, &every), RaycastStatus::InvalidStartPoly);
}
