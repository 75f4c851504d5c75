//! Corners noted from one finding to the next, beside corners found each time from nothing.

use super::{Room, big_query, kinds, planned};
use crate::query::noted_corners::NotedCorners;
use crate::query::tests::world::World;
use crate::query::{Filter, Query, QueryDef};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn corners_found_by_those_noted_are_those_found_anew(
        kind in kinds(),
        most in 2u32..24,
        steps in prop::collection::vec((0..16u32, -3.0..3.0, -3.0..3.0), 1..60),
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let mut query = big_query();
        let mut plain: Query<'static> = crate::query::tests::world::query(QueryDef { corridor: 4096, ..QueryDef::DEFAULT });
        let (mut room, mut noted) = (Room::of(256), NotedCorners::default());
        planned(&mut world, &mut query, &mut room);
        for (what, x, z) in steps {
            let mut corridor = room.corridor();
            let [px, py, pz] = corridor.position();
            let Some(next) = plain.path().points().get(1).map(|corner| corner.position) else {
                corridor.find_corners(&world.mesh, &mut plain, most).unwrap();
                continue;
            };
            match what {
                // On toward the next corner, some of the way or onto it.
                0..=6 => {
                    let part = f64::from(what + 1) / 7.0;
                    let to = crate::math::lerp([px, py, pz], next, part);
                    corridor.move_along(&world.mesh, to, 256).unwrap();
                }
                // Aside.
                7..=11 => {
                    let to = [px + x, py, pz + z];
                    corridor.move_position(&world.mesh, &mut query, to, &Filter::ALL).unwrap();
                }
                12 => {
                    corridor.optimize_visibility(&world.mesh, &mut query, (next, 10.0), &Filter::ALL, 16).unwrap();
                }
                13 => {
                    corridor.optimize_topology(&world.mesh, &mut query, &Filter::ALL, 64, 32).unwrap();
                }
                14 => {
                    let target = corridor.target();
                    let to = [target[0] + x, target[1], target[2] + z];
                    corridor.move_target(&world.mesh, &mut query, to, &Filter::ALL).unwrap();
                }
                _ => {
                    let polygon = corridor.path()[corridor.path().len() / 2];
                    if x < -1.5 && corridor.path().len() > 2 {
                        // A change of the mesh, of which the corners need not know.
                        world.mesh.set_area(polygon, 7).unwrap();
                    } else {
                        let (_, target) = world.place();
                        corridor.set_target(target).unwrap();
                        corridor.replan(&world.mesh, &mut query, [2.0, 4.0, 2.0], &Filter::ALL, u64::MAX).unwrap();
                    }
                }
            }
            let wanted = corridor.find_corners(&world.mesh, &mut plain, most).unwrap();
            for _ in 0..2 {
                let found = corridor.find_corners_again(&world.mesh, &mut query, most, &mut noted).unwrap();
                prop_assert_eq!(found, wanted);
                prop_assert_eq!(query.path().points(), plain.path().points());
                prop_assert_eq!(query.path().links(), plain.path().links());
                let is_settled = usize::from(corridor.record.settled) == corridor.path().len();
                prop_assert!(is_settled || kind.links > 0 || !found.has_path());
            }
        }
    }
}

/// A tile taken away behind the first corner breaks the corridor, noted or not.
#[test]
fn a_break_behind_a_noted_corner_is_found() {
    let mut broken = 0;
    for seed in 0..40 {
        let kind = super::Kind { seed, tiles: 2, holes: 30, merged: false, floors: 1, links: 0 };
        let mut world = World::new(kind);
        if world.polygons().is_empty() {
            continue;
        }
        let (mut query, mut room, mut noted) = (big_query(), Room::of(256), NotedCorners::default());
        planned(&mut world, &mut query, &mut room);
        let corridor = &mut room.corridor();
        for _ in 0..2 {
            corridor.find_corners_again(&world.mesh, &mut query, 8, &mut noted).unwrap();
        }
        let (first, last) = (corridor.path()[0], corridor.path()[corridor.path().len() - 1]);
        if first.tile() == last.tile() {
            continue;
        }
        let gone = world.mesh.tile_of(last.tile()).unwrap();
        let (x, z, layer) = (gone.x, gone.z, gone.layer);
        world.mesh.remove_tile(x, z, layer).unwrap();
        let outcome = corridor.find_corners_again(&world.mesh, &mut query, 8, &mut noted).unwrap();
        assert_eq!(outcome.detail, crate::query::QueryStatus::InvalidCorridor);
        broken += 1;
    }
    assert!(broken > 5, "{broken} corridors were broken");
}
