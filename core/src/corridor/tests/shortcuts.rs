//! Shortcuts keep a corridor whole and do not make it longer.

use super::{Room, big_query, check, kinds, length, planned};
use crate::query::tests::world::World;
use crate::query::{Filter, nearest_polygon};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_search_over_the_beginning_shortens_the_way_or_changes_nothing(
        kind in kinds(), window in 3usize..40, budget in 1u64..400, x in -6.0..6.0, z in -6.0..6.0, capacity in 4usize..64
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(capacity));
        planned(&mut world, &mut query, &mut room);
        let mut corridor = room.corridor();
        let at = corridor.position();
        corridor.move_position(&world.mesh, &mut query, [at[0] + x, 0.0, at[2] + z], &Filter::ALL).unwrap();
        let before = (*corridor.record, corridor.path().to_vec());
        let far = corridor.path()[(before.1.len() - 1).min(window - 1)];
        let walk = |query: &mut crate::query::Query<'_>, path: &[crate::mesh::PolyRef]| {
            query.straight_path(&world.mesh, before.0.position, before.0.target, path, None).unwrap();
            length(query.path().points())
        };
        let upto = |path: &[crate::mesh::PolyRef]| path.iter().position(|&one| one == far).map(|at| path[..=at].to_vec());
        let changed = corridor.optimize_topology(&world.mesh, &mut query, &Filter::ALL, budget, window).unwrap();
        check(&world.mesh, &corridor);
        prop_assert_eq!(corridor.position(), before.0.position);
        if !changed {
            prop_assert_eq!((*corridor.record, corridor.path().to_vec()), before);
        } else if let (Some(new), Some(old)) = (upto(corridor.path()), upto(&before.1)) {
            // Unless a loop was cut the window's end is still there, and the way to it is shorter.
            prop_assert!(walk(&mut query, &new) < walk(&mut query, &old));
        }
    }

    #[test]
    fn a_ray_replaces_the_beginning_by_the_polygons_it_crosses(
        kind in kinds(), budget in 0usize..12, range in 0.0..20.0, x in -6.0..6.0, z in -6.0..6.0
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(64));
        planned(&mut world, &mut query, &mut room);
        let mut corridor = room.corridor();
        let at = corridor.position();
        corridor.move_position(&world.mesh, &mut query, [at[0] + x, 0.0, at[2] + z], &Filter::ALL).unwrap();
        corridor.find_corners(&world.mesh, &mut query, 8).unwrap();
        let aim = query.path().points().last().unwrap().position;
        let old = corridor.path().to_vec();
        let is_changed =
            corridor.optimize_visibility(&world.mesh, &mut query, (aim, range), &Filter::ALL, budget).unwrap();
        check(&world.mesh, &corridor);
        let new = corridor.path();
        prop_assert_eq!(is_changed, new != old);
        prop_assert_eq!((new.first(), new.last()), (old.first(), old.last()));
        // What is new is a run at the beginning, of no more polygons than the budget.
        let same = new.iter().rev().zip(old.iter().rev()).take_while(|(a, b)| a == b).count();
        prop_assert!(new.len() - same < budget.max(2));
    }
}

/// The page trusts a straight ray although it can lengthen the string-pulled way, and tells how seldom.
#[test]
fn shortcuts_by_sight_shorten_far_more_often_than_they_lengthen() {
    let (mut shorter, mut longer) = (0, 0);
    let (mut query, mut room) = (big_query(), Room::of(64));
    for seed in 0..60 {
        let kind = super::Kind { seed, tiles: 2, holes: 15, merged: true, floors: 1, links: 0 };
        let mut world = World::new(kind);
        for _ in 0..6 {
            planned(&mut world, &mut query, &mut room);
            let mut corridor = room.corridor();
            // Pushed aside, so that there is something to shorten.
            let at = corridor.position();
            let [x, z] = [(); 2].map(|()| world.random.next_f64() * 8.0 - 4.0);
            corridor.move_position(&world.mesh, &mut query, [at[0] + x, 0.0, at[2] + z], &Filter::ALL).unwrap();
            corridor.find_corners(&world.mesh, &mut query, 64).unwrap();
            let before = length(query.path().points());
            let aim = query.path().points()[query.path().points().len().min(3) - 1].position;
            if corridor.optimize_visibility(&world.mesh, &mut query, (aim, 10.0), &Filter::ALL, 16).unwrap() {
                corridor.find_corners(&world.mesh, &mut query, 64).unwrap();
                let after = length(query.path().points());
                shorter += u32::from(after < before - 1e-9);
                longer += u32::from(after > before + 1e-9);
            }
        }
    }
    assert!(shorter > 0 && shorter > 4 * longer, "{shorter} shorter, {longer} longer");
}

#[test]
fn a_search_that_leads_back_into_the_corridor_cuts_the_loop() {
    let kind = super::Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 };
    let world = World::new(kind);
    let (mut query, mut room) = (big_query(), Room::of(64));
    let at =
        |x: f64, z: f64| nearest_polygon(&world.mesh, [x, 0.0, z], [0.1, 2.0, 0.1], &Filter::ALL).unwrap().unwrap();
    let start = at(1.0, 1.0);
    let mut corridor = room.corridor();
    corridor.reset(&world.mesh, start.polygon, start.point).unwrap();
    // Round three sides of a square.
    for to in [[1.0, 9.0], [9.0, 9.0], [9.0, 1.0]] {
        assert!(corridor.move_target(&world.mesh, &mut query, [to[0], 0.0, to[1]], &Filter::ALL).unwrap());
    }
    assert_eq!(corridor.path().len(), 13);
    assert!(corridor.optimize_topology(&world.mesh, &mut query, &Filter::ALL, 1000, 64).unwrap());
    check(&world.mesh, &corridor);
    assert_eq!(corridor.path().len(), 5);
    assert!(corridor.optimize_topology(&world.mesh, &mut query, &Filter::ALL, 1000, 2).is_err());
}
