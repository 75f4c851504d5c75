//! Claims about the nearest polygon, against a scan of every polygon by other formulas.

use super::literal::{flat_length, squared_length};
use super::world::{Kind, TileOf, World, corners, empty_mesh};
use crate::mesh::{NavMesh, PolyRef, TilePolygon};
use crate::query::{Filter, NearestRule, PolygonFilter, nearest_polygon, nearest_polygon_by};
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];

/// The height of a plane through three points, by solving for its slopes.
fn plane_height([a, b, c]: [V; 3], x: f64, z: f64) -> f64 {
    let normal = {
        let (u, v): (V, V) = (core::array::from_fn(|k| b[k] - a[k]), core::array::from_fn(|k| c[k] - a[k]));
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    a[1] - (normal[0] * (x - a[0]) + normal[2] * (z - a[2])) / normal[1]
}

fn holds([a, b, c]: [V; 3], x: f64, z: f64) -> bool {
    let left = |p: V, q: V| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]) >= -1e-9;
    left(a, b) && left(b, c) && left(c, a)
}

/// The closest point of a convex polygon without detail, and whether the position is over it.
fn closest(ring: &[V], p: V) -> (V, bool) {
    let sides = || (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]));
    let over = sides().all(|(a, b)| (b[0] - a[0]) * (p[2] - a[2]) >= (b[2] - a[2]) * (p[0] - a[0]));
    if over {
        let fan = (1..ring.len() - 1).map(|i| [ring[0], ring[i], ring[i + 1]]);
        let mut solid = fan.filter(|&[a, b, c]| ((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])) > 1e-9);
        let triangle = solid.find(|&triangle| holds(triangle, p[0], p[2])).unwrap();
        return ([p[0], plane_height(triangle, p[0], p[2]), p[2]], true);
    }
    let flat = |q: V| flat_length(p, q);
    let on = |(a, b): (V, V)| {
        // By halving, since the distance along a segment has one least place.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let at = |s: f64| -> V { core::array::from_fn(|k| a[k] + (b[k] - a[k]) * s) };
            let (third, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if flat(at(third)) <= flat(at(two)) { high = two } else { low = third }
        }
        let at: V = core::array::from_fn(|k| a[k] + (b[k] - a[k]) * (low + high) / 2.0);
        at
    };
    (sides().map(on).min_by(|&a, &b| flat(a).total_cmp(&flat(b))).unwrap(), false)
}

/// Every candidate with its squared distance.
fn scan(mesh: &NavMesh<'_>, center: V, half: V, filter: &impl PolygonFilter) -> Vec<(PolyRef, f64, bool)> {
    let mut found = Vec::new();
    for tile in mesh.tiles() {
        for (index, record) in tile.polygons.iter().enumerate() {
            let polygon = tile.reference.polygon(index as u32);
            let ring = corners(mesh, polygon);
            let meets = (0..3).all(|k| {
                let low = ring.iter().map(|v| v[k]).fold(f64::INFINITY, f64::min);
                let high = ring.iter().map(|v| v[k]).fold(f64::NEG_INFINITY, f64::max);
                low <= center[k] + half[k] && high >= center[k] - half[k]
            });
            if meets && filter.accepts(record.flags, record.area) {
                let (point, over) = closest(&ring, center);
                let squared = squared_length(center, point);
                found.push((polygon, squared, over));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_polygon_is_nearer_than_the_nearest(
        seed in any::<u64>(), tiles in 1i32..3, merged in any::<bool>(), holes in 0u64..60, reach in 0.0f64..5.0,
    ) {
        let mut world = World::new(Kind { seed, tiles, holes, merged, floors: 2, links: 0 });
        let filter = Filter::new().without_flags(4);
        for _ in 0..40 {
            let center = world.position(tiles);
            let half = [reach, reach * 0.7, reach * 0.9];
            let all = scan(&world.mesh, center, half, &filter);
            let least = all.iter().map(|&(_, squared, _)| squared).fold(f64::INFINITY, f64::min);
            match nearest_polygon(&world.mesh, center, half, &filter).unwrap() {
                None => prop_assert!(all.is_empty()),
                Some(nearest) => {
                    let same = all.iter().find(|&&(polygon, ..)| polygon == nearest.polygon);
                    let &(_, squared, over) = same.expect("the nearest is a candidate");
                    prop_assert!((squared - nearest.distance_squared).abs() < 1e-7 * (1.0 + squared));
                    prop_assert!(squared <= least + 1e-7 * (1.0 + least));
                    prop_assert_eq!(over, nearest.over_polygon);
                }
            }
        }
    }

    #[test]
    fn beyond_the_step_no_polygon_scores_less_than_the_nearest(
        seed in any::<u64>(), tiles in 1i32..3, merged in any::<bool>(), holes in 0u64..60, reach in 0.0f64..5.0,
    ) {
        let mut world = World::new(Kind { seed, tiles, holes, merged, floors: 2, links: 0 });
        let filter = Filter::new().without_flags(4);
        let step = f64::from(world.mesh.params().walkable_climb);
        for _ in 0..40 {
            let center = world.position(tiles);
            let half = [reach, reach * 0.7, reach * 0.9];
            // Everything within reach however high: score, squared distance, and by how much the point is in the box.
            let all: Vec<(PolyRef, f64, f64, f64)> = scan(&world.mesh, center, [reach, 1e6, reach], &filter)
                .into_iter()
                .map(|(polygon, squared, over)| {
                    let (point, _) = closest(&corners(&world.mesh, polygon), center);
                    let depth = (0..3).map(|k| half[k] - (point[k] - center[k]).abs()).fold(f64::INFINITY, f64::min);
                    let distance = crate::math::sqrt(squared);
                    (polygon, if over { (distance - step).max(0.0) } else { distance }, squared, depth)
                })
                .collect();
            // What rounding can have put in the box or out of it.
            const DOUBT: f64 = 1e-7;
            let inside = || all.iter().filter(|&&(.., depth)| depth > DOUBT);
            let outcome = nearest_polygon_by(&world.mesh, NearestRule::BeyondStep, center, half, &filter).unwrap();
            let least = inside().map(|&(_, score, ..)| score).fold(f64::INFINITY, f64::min);
            match outcome.nearest {
                None => prop_assert_eq!(inside().count(), 0),
                Some(nearest) => {
                    let &(_, score, squared, depth) =
                        all.iter().find(|&&(polygon, ..)| polygon == nearest.polygon).unwrap();
                    prop_assert!(depth >= -DOUBT);
                    prop_assert!((squared - nearest.distance_squared).abs() < 1e-7 * (1.0 + squared));
                    prop_assert!(score <= least + 1e-6, "{} for {}", score, least);
                    // Of equal scores the shorter distance.
                    let mut equal = inside().filter(|&&(_, other, ..)| score == 0.0 && other == 0.0);
                    prop_assert!(equal.all(|&(_, _, other, _)| squared <= other + 1e-6));
                }
            }
        }
    }
}

#[test]
fn the_step_decides_between_the_floor_under_a_point_and_one_beside_it() {
    // A floor, and a lower square beside it.
    let mut mesh = empty_mesh();
    let mut tile = TileOf::default();
    tile.vertices.extend([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 0.0, 4.0]]);
    tile.vertices.extend([[4.25, 0.75, 0.0], [8.0, 0.75, 0.0], [8.0, 0.75, 4.0], [4.25, 0.75, 4.0]]);
    tile.polygon(&[0, 1, 2, 3], 0, 1);
    tile.polygon(&[4, 5, 6, 7], 0, 1);
    tile.connect(12.0);
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    let climb = f64::from(mesh.params().walkable_climb);
    assert!(climb > 0.75, "the floor lies within the step");
    let center = [4.0, 0.75, 2.0];
    let by = |rule| nearest_polygon_by(&mesh, rule, center, [2.0; 3], &Filter::ALL).unwrap().nearest.unwrap();
    assert_eq!(by(NearestRule::Distance).polygon.index(), 1);
    let stepped = by(NearestRule::BeyondStep);
    assert_eq!((stepped.polygon.index(), stepped.point, stepped.over_polygon), (0, [4.0, 0.0, 2.0], true));
    assert_eq!(stepped.distance_squared, 0.5625);
}

#[test]
fn part_of_the_box_without_a_tile_is_reported() {
    let mesh = floors(&[0.0]);
    let incomplete = |rule, x: f64, reach: f64| {
        let half = [reach, 1.0, 1.0];
        nearest_polygon_by(&mesh, rule, [x, 0.0, 6.0], half, &Filter::ALL).unwrap().incomplete
    };
    for rule in [NearestRule::Distance, NearestRule::BeyondStep] {
        assert!(!incomplete(rule, 6.0, 6.0), "the tile exactly");
        assert!(incomplete(rule, 12.0, 0.5) && incomplete(rule, 6.0, 6.25) && incomplete(rule, 30.0, 1.0));
        assert!(incomplete(rule, 6.0, 1e300));
    }
}

/// One tile with a square floor of one polygon at each height given, one inside the other so that boxes differ.
fn floors(heights: &[f32]) -> NavMesh<'static> {
    let mut mesh = empty_mesh();
    for (layer, &y) in heights.iter().enumerate() {
        let mut tile = TileOf::default();
        tile.vertices.extend([[1.0, y, 1.0], [9.0, y, 1.0], [9.0, y, 9.0], [1.0, y, 9.0]]);
        tile.polygon(&[0, 1, 2, 3], 0, 1);
        tile.connect(12.0);
        tile.add_to(&mut mesh, 0, 0, layer as i32, 0.0);
    }
    mesh.commit().unwrap();
    mesh
}

#[test]
fn of_floors_above_one_another_the_vertically_closest_wins() {
    let mesh = floors(&[0.0, 3.0]);
    for (y, slot) in [(1.4, 0), (1.6, 1), (3.5, 1), (-1.0, 0)] {
        let nearest = nearest_polygon(&mesh, [5.0, y, 5.0], [2.0, 4.0, 2.0], &Filter::ALL).unwrap().unwrap();
        assert_eq!((nearest.polygon.slot(), nearest.over_polygon), (slot, true));
        assert_eq!(nearest.point, [5.0, slot as f64 * 3.0, 5.0]);
    }
}

#[test]
fn equal_distances_go_to_the_lowest_layer_whatever_its_slot() {
    let mut mesh = empty_mesh();
    // The upper layer takes the lower slot.
    for (layer, y) in [(1, 2.0), (0, 0.0)] {
        let mut tile = TileOf::default();
        tile.vertices.extend([[1.0, y, 1.0], [9.0, y, 1.0], [9.0, y, 9.0]]);
        tile.polygon(&[0, 1, 2], 0, 1);
        tile.connect(12.0);
        tile.add_to(&mut mesh, 0, 0, layer, 0.0);
        mesh.commit().unwrap();
    }
    let nearest = nearest_polygon(&mesh, [5.0, 1.0, 2.0], [1.0; 3], &Filter::ALL).unwrap().unwrap();
    let tile = mesh.tile(nearest.polygon.slot() as usize).unwrap();
    assert_eq!((tile.layer, nearest.distance_squared), (0, 1.0));
    assert_eq!(nearest.polygon.slot(), 1);
}

#[test]
fn the_outline_and_the_box_hold_their_boundaries() {
    let mesh = floors(&[0.0]);
    let at = |center, half| nearest_polygon(&mesh, center, half, &Filter::ALL).unwrap();
    assert!(at([9.0, 0.0, 9.0], [0.0; 3]).unwrap().over_polygon);
    assert!(at([9.5, 0.0, 5.0], [0.5, 0.0, 0.0]).is_some());
    assert!(at([9.5, 0.0, 5.0], [0.49, 0.0, 0.0]).is_none());
    assert!(at([5.0, 1.0, 5.0], [1.0, 0.5, 1.0]).is_none());
    let side = at([9.5, 0.25, 5.0], [1.0; 3]).unwrap();
    assert_eq!((side.point, side.over_polygon, side.distance_squared), ([9.0, 0.0, 5.0], false, 0.3125));
    let corner = at([10.0, 0.0, 10.0], [1.0; 3]).unwrap();
    assert_eq!(corner.point, [9.0, 0.0, 9.0]);
}

#[test]
fn detail_decides_the_height() {
    let mut tile = TileOf::default();
    tile.vertices.extend([[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]]);
    tile.polygon(&[0, 1, 2, 3], 0, 1);
    // A tip of height 2 in the middle.
    tile.detail_vertices.push([4.0, 2.0, 4.0]);
    tile.detail_triangles.extend([[0, 1, 4, 1], [1, 2, 4, 1], [2, 3, 4, 1], [3, 0, 4, 1]]);
    tile.polygons[0] = TilePolygon { detail_vertex_count: 1, detail_triangle_count: 4, ..tile.polygons[0] };
    tile.connect(12.0);
    let mut mesh = empty_mesh();
    tile.add_to(&mut mesh, 0, 0, 0, 10.0);
    mesh.commit().unwrap();
    for (x, z, y) in
        [(4.0, 4.0, 2.0), (2.0, 4.0, 1.0), (6.0, 4.0, 1.0), (4.0, 1.0, 0.5), (0.0, 0.0, 0.0), (7.0, 7.0, 0.5)]
    {
        let nearest = nearest_polygon(&mesh, [x, 10.5, z], [1.0; 3], &Filter::ALL).unwrap().unwrap();
        assert_eq!(nearest.point, [x, 10.0 + y, z]);
    }
    // Outside the outline the height is the edge's.
    let beside = nearest_polygon(&mesh, [4.0, 10.0, -0.5], [1.0; 3], &Filter::ALL).unwrap().unwrap();
    assert_eq!(beside.point, [4.0, 10.0, 0.0]);
}

#[test]
fn beyond_the_step_detail_above_the_outline_is_found() {
    let mut tile = TileOf::default();
    tile.vertices.extend([[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]]);
    tile.polygon(&[0, 1, 2, 3], 0, 1);
    tile.detail_vertices.push([4.0, 2.0, 4.0]);
    tile.detail_triangles.extend([[0, 1, 4, 1], [1, 2, 4, 1], [2, 3, 4, 1], [3, 0, 4, 1]]);
    tile.polygons[0] = TilePolygon { detail_vertex_count: 1, detail_triangle_count: 4, ..tile.polygons[0] };
    tile.connect(12.0);
    let mut mesh = empty_mesh();
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    let by = |rule, y| nearest_polygon_by(&mesh, rule, [4.0, y, 4.0], [0.5; 3], &Filter::ALL).unwrap().nearest;
    // The page goes by the outline's box, the other rule by the closest point.
    assert!(by(NearestRule::Distance, 2.0).is_none() && by(NearestRule::Distance, 0.0).is_some());
    assert_eq!(by(NearestRule::BeyondStep, 2.0).unwrap().point, [4.0, 2.0, 4.0]);
    assert!(by(NearestRule::BeyondStep, 0.0).is_none());
}
