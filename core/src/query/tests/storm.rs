//! Claims that hold for any question about an area: it is answered or refused, and the answers fit one another.

use super::world::{Kind, World, query};
use crate::mesh::PolyRef;
use crate::query::{
    AreaStatus, Circle, Filter, PolygonFilter, QueryDef, WallOptions, WallSegment, nearest_polygon, random_point,
};
use proptest::prelude::*;

/// Coordinates and radii from nothing to the bounds, and past them.
fn number() -> impl Strategy<Value = f64> {
    let special = [0.0, -0.0, 1e-300, 1e-40, 1e-9, 12.0, 24.0, 2097151.9999, -2097151.9999, 4194304.0, 1e9, f64::NAN];
    prop_oneof![prop::sample::select(std::vec::Vec::from(special)), 0.0f64..36.0, -5.0f64..5.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_question_is_answered_or_refused_and_the_answers_agree(
        seed in any::<u64>(), merged in any::<bool>(), nodes in prop::sample::select(std::vec![1u32, 2, 7, 40, 900]),
        centers in prop::collection::vec(prop::array::uniform3(number()), 8), radii in prop::collection::vec(number(), 8),
        forged in any::<u64>(), exclude in 0u16..8,
    ) {
        let mut world = World::with_rise(Kind { seed, tiles: 3, holes: 30, merged, floors: 2, links: 2 }, 0.3);
        world.mesh.stage_tile_removal(1, 1, 0).unwrap();
        world.mesh.commit().unwrap();
        let (mesh, all) = (&world.mesh, world.polygons());
        let filter = Filter::new().without_flags(exclude);
        let mut random = world.random;
        let mut query = query(QueryDef { nodes, ..QueryDef::DEFAULT });
        let mut walls = [WallSegment::default(); 24];
        for (at, (center, radius)) in centers.iter().zip(&radii).enumerate() {
            let near = nearest_polygon(mesh, *center, [1.0; 3], &filter).ok().flatten().map(|near| near.polygon);
            let anywhere = all[random.below(all.len() as u64) as usize];
            let polygon = if at == 7 { PolyRef(forged) } else { near.unwrap_or(anywhere) };
            let circle = Circle { polygon, center: *center, radius: *radius };
            let Ok(outcome) = query.find_circle(mesh, circle, &filter) else {
                prop_assert!(query.find_walls(mesh, circle, &filter, WallOptions::ALL, &mut walls).is_err());
                prop_assert!(query.find_random_around(mesh, &mut random, circle, &filter).is_err());
                continue;
            };
            let starts = mesh.polygon(polygon).is_ok_and(|(_, record)| filter.accepts(record.flags, record.area));
            prop_assert_eq!(outcome.status == AreaStatus::Success, starts);
            prop_assert!(outcome.count <= nodes && (outcome.count == nodes || !outcome.node_limit_reached));
            let found: std::vec::Vec<PolyRef> = query.area().polygons().map(|one| one.polygon).collect();
            let parents_come_before = query.area().polygons().enumerate().all(|(at, one)| match at {
                0 => one.parent.is_none(),
                _ => found[..at].contains(&one.parent),
            });
            prop_assert!(parents_come_before);

            let alone = query.find_neighbourhood(mesh, circle, &filter).unwrap();
            prop_assert!(alone.status == outcome.status);
            prop_assert!(outcome.node_limit_reached || query.area().polygons().all(|one| found.contains(&one.polygon)));

            let listed = query.find_walls(mesh, circle, &filter, WallOptions::ALL, &mut walls).unwrap();
            let nearest = query.find_wall_distance(mesh, circle, &filter, WallOptions::ALL).unwrap();
            prop_assert_eq!(nearest.found, listed.count > 0);
            let written = &walls[..listed.count.min(walls.len())];
            if let Some(first) = written.first() {
                prop_assert_eq!(first.distance(), nearest.distance);
                prop_assert!(nearest.distance <= *radius && nearest.normal.iter().all(|v| v.is_finite()));
            }
            prop_assert!(written.iter().all(|wall| found.contains(&wall.polygon)));
            prop_assert!(written.windows(2).all(|two| two[0].distance_squared <= two[1].distance_squared));

            if let Some(drawn) = query.find_random_around(mesh, &mut random, circle, &filter).unwrap() {
                let (x, z) = (drawn.point[0] - center[0], drawn.point[2] - center[2]);
                prop_assert!(x * x + z * z <= radius * radius && found.contains(&drawn.polygon));
                let (tile, record) = mesh.polygon(drawn.polygon).unwrap();
                let closest = crate::mesh::surface::closest_point(&tile, record, drawn.point).point;
                // The square's sides are world numbers: far out they are as coarse as the circle is large.
                prop_assert!(crate::math::distance(closest, drawn.point) < 1e-8);
            }
            let drawn = random_point(mesh, &mut random, &filter);
            prop_assert_eq!(drawn.is_none(), !all.iter().any(|&one| {
                let (_, record) = mesh.polygon(one).unwrap();
                filter.accepts(record.flags, record.area)
            }));
        }
    }
}
