//! Walks to a destination, and what ends them.

use super::{Body, DT, check, sent};
use crate::corridor::tests::kinds;
use crate::follower::{FollowerOptions, FollowerState};
use crate::math::distance;
use crate::query::tests::world::{Kind, World, middle, query};
use crate::query::{Filter, NodeModel, QueryDef, nearest_polygon};
use proptest::prelude::*;

/// Steps until it is no longer on the way, and gives the way walked in the plane.
fn walk(world: &World, query: &mut crate::query::Query<'_>, body: &mut Body) -> f64 {
    let mut walked = 0.0;
    for _ in 0..20_000 {
        let mut follower = body.follower();
        if !matches!(follower.state(), FollowerState::Moving | FollowerState::OffMeshLink) {
            return walked;
        }
        let before = follower.position();
        follower.step(&world.mesh, query, &Filter::ALL, DT).unwrap();
        check(&world.mesh, &mut follower);
        let step = crate::follower::record::in_plane(before, follower.position());
        assert!(step <= body.options.max_speed * DT + 1e-6 || body.follower().record.link_duration > 0.0);
        walked += step;
    }
    panic!("it never ends: {:?}", body.record);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_follower_reaches_every_goal_that_a_path_reaches(
        kind in kinds(), crossing in any::<bool>(), capacity in prop::sample::select(std::vec![4u32, 9, 256]),
        budget in prop::sample::select(std::vec![3u32, 40, 2048])
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        reaches_the_goal(&mut world, model, capacity, budget);
    }
}

fn reaches_the_goal(world: &mut World, model: NodeModel, capacity: u32, budget: u32) {
    let mut query = query(QueryDef { model, ..QueryDef::DEFAULT });
    let options = FollowerOptions {
        max_speed: 5.0,
        stuck_window: 0.0,
        corridor_capacity: capacity,
        replan_budget: budget,
        ..FollowerOptions::HUMANOID
    };
    let mut body = Body::of(options);
    sent(world, &mut query, &mut body);
    let (start, goal) = (body.follower().position(), body.follower().destination());
    let can = query.find_path(&world.mesh, start, goal, &Filter::ALL).unwrap();
    walk(world, &mut query, &mut body);
    let follower = body.follower();
    assert_eq!(follower.state(), FollowerState::Arrived);
    // A corridor of few polygons forgets where it came from, but not where the search found that there is a way.
    assert_eq!(follower.has_reached_target(), !can.is_partial());
    if follower.has_reached_target() {
        let end = nearest_polygon(&world.mesh, goal, [2.0, 4.0, 2.0], &Filter::ALL).unwrap().unwrap().point;
        assert!(crate::follower::record::in_plane(follower.position(), end) <= options.arrival_radius);
    }
    assert_eq!(follower.remaining_distance(), 0.0);
}

/// The way takes a tile's link that begins 0.2 beside its polygon.
#[test]
fn a_link_that_begins_beside_its_polygon_is_entered_from_where_the_polygon_is_nearest() {
    let kind = Kind { seed: 16567683479915548419, tiles: 2, holes: 26, merged: true, floors: 2, links: 2 };
    reaches_the_goal(&mut World::new(kind), NodeModel::Polygon, 4, 3);
}

/// The page's bound on scattered obstacles: at most 1.08 of the fresh route over crossings.
#[test]
fn the_way_walked_is_hardly_longer_than_a_fresh_path() {
    let mut crossings = query(QueryDef { model: NodeModel::Crossing, ..QueryDef::DEFAULT });
    let mut polygons = query(QueryDef::DEFAULT);
    let mut fresh = query(QueryDef { model: NodeModel::Crossing, ..QueryDef::DEFAULT });
    let mut worst: f64 = 0.0;
    for seed in 0..25 {
        let kind = Kind { seed, tiles: 2, holes: 20, merged: seed % 2 == 0, floors: 1, links: 0 };
        let mut world = World::new(kind);
        for query in [&mut polygons, &mut crossings] {
            let mut body = Body::of(FollowerOptions { stuck_window: 0.0, ..FollowerOptions::HUMANOID });
            sent(&mut world, query, &mut body);
            let (start, goal) = (body.follower().position(), body.follower().destination());
            let walked = walk(&world, query, &mut body);
            if !body.follower().has_reached_target() {
                continue;
            }
            let found = fresh.find_path(&world.mesh, start, goal, &Filter::ALL).unwrap();
            if found.length > 1.0 {
                worst = worst.max(walked / found.length);
            }
        }
    }
    assert!(worst > 0.9 && worst <= 1.08, "{worst}");
}

#[test]
fn arrival_slows_down_and_speed_builds_up_by_no_more_than_the_acceleration() {
    let world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: true, floors: 1, links: 0 });
    let mut query = query(QueryDef::DEFAULT);
    let mut body = Body::of(FollowerOptions::HUMANOID);
    let mut follower = body.follower();
    follower.place(&world.mesh, [1.0, 0.0, 1.0], &Filter::ALL).unwrap();
    follower.set_destination(&world.mesh, &mut query, [20.0, 0.0, 14.0], &Filter::ALL).unwrap();
    let mut speed = 0.0;
    while follower.state() == FollowerState::Moving {
        let left = follower.remaining_distance();
        follower.step(&world.mesh, &mut query, &Filter::ALL, DT).unwrap();
        let [x, _, z] = follower.velocity();
        let next = crate::math::length([x, z]);
        // The last leg may end on the corner, short of the speed.
        if follower.state() == FollowerState::Moving {
            assert!((next - speed).abs() <= 8.0 * DT + 1e-9, "{speed} to {next}");
            assert!(left > 0.9 || next < 3.5);
        }
        speed = next;
    }
    assert!(follower.has_reached_target());
    follower.step(&world.mesh, &mut query, &Filter::ALL, DT).unwrap();
    assert_eq!((follower.state(), follower.velocity()), (FollowerState::Arrived, [0.0; 3]));
}

#[test]
fn there_is_no_path_without_a_polygon_near_the_agent_or_the_target() {
    let mut world = World::new(Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 });
    let mut query = query(QueryDef::DEFAULT);
    let mut body = Body::of(FollowerOptions::HUMANOID);
    let mut follower = body.follower();
    let goal = [9.0, 0.0, 9.0];
    assert_eq!(follower.set_destination(&world.mesh, &mut query, goal, &Filter::ALL), Ok(FollowerState::NoPath));
    assert!(!follower.place(&world.mesh, [99.0, 0.0, 0.0], &Filter::ALL).unwrap());
    assert!(follower.place(&world.mesh, [1.0, 0.0, 1.0], &Filter::ALL).unwrap());
    assert_eq!((follower.state(), follower.velocity()), (FollowerState::Idle, [0.0; 3]));
    let far = [99.0, 0.0, 0.0];
    assert_eq!(follower.set_destination(&world.mesh, &mut query, far, &Filter::ALL), Ok(FollowerState::NoPath));
    assert_eq!(follower.set_destination(&world.mesh, &mut query, goal, &Filter::ALL), Ok(FollowerState::Moving));
    follower.step(&world.mesh, &mut query, &Filter::ALL, DT).unwrap();
    world.mesh.remove_tile(0, 0, 0).unwrap();
    follower.step(&world.mesh, &mut query, &Filter::ALL, DT).unwrap();
    assert_eq!((follower.state(), follower.velocity()), (FollowerState::NoPath, [0.0; 3]));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(follower.step(&world.mesh, &mut query, &Filter::ALL, bad).is_err());
    }
    assert!(follower.set_destination(&world.mesh, &mut query, [f64::NAN; 3], &Filter::ALL).is_err());
    assert!(follower.place(&world.mesh, [2_097_152.0; 3], &Filter::ALL).is_err());
}

#[test]
fn a_way_that_is_cut_off_or_opened_is_noticed_on_the_way() {
    let mut query = query(QueryDef::DEFAULT);
    for seed in 0..12 {
        let mut world = World::new(Kind { seed, tiles: 2, holes: 10, merged: false, floors: 1, links: 1 });
        let mut body = Body::of(FollowerOptions { stuck_window: 0.0, ..FollowerOptions::HUMANOID });
        sent(&mut world, &mut query, &mut body);
        let mut bytes = std::vec![0; world.mesh.save_size()];
        world.mesh.save(&mut bytes).unwrap();
        for step in 0..4000 {
            // Flags change all the time, and now and then a tile goes or the whole mesh comes back.
            if step % 7 == 0 && step < 700 {
                let all = world.polygons();
                if !all.is_empty() {
                    let polygon = all[world.random.below(all.len() as u64) as usize];
                    let flags = 1 << world.random.below(4);
                    world.mesh.set_flags(polygon, flags).unwrap();
                }
            }
            match step {
                60 | 220 => {
                    let gone = body.follower().path().first().copied();
                    if let Some((x, z, layer)) = gone
                        .and_then(|gone| world.mesh.tile_of(gone.tile()).ok())
                        .map(|tile| (tile.x, tile.z, tile.layer))
                    {
                        world.mesh.remove_tile(x, z, layer).unwrap();
                    }
                }
                140 | 300 => world.mesh.restore(&bytes).unwrap(),
                _ => {}
            }
            let filter = Filter::new().without_flags(8);
            let mut follower = body.follower();
            if follower.state() == FollowerState::NoPath {
                let goal = follower.destination();
                follower.place(&world.mesh, follower.position(), &filter).unwrap();
                follower.set_destination(&world.mesh, &mut query, goal, &filter).unwrap();
            }
            follower.step(&world.mesh, &mut query, &filter, DT).unwrap();
            assert!(follower.position().iter().all(|part| part.is_finite()));
            if let (FollowerState::Moving, Some(&first)) = (follower.state(), follower.path().first()) {
                assert!(world.mesh.is_valid(first));
            }
        }
        let mut follower = body.follower();
        let ended = [FollowerState::Arrived, FollowerState::NoPath];
        assert!(ended.contains(&follower.state()), "{seed}: {:?} {:?}", follower.state(), follower.corridor());
    }
}

#[test]
fn who_makes_no_progress_replans_and_then_gives_up() {
    let world = World::new(Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 });
    let mut query = query(QueryDef::DEFAULT);
    // A speed that is asked for but, for want of acceleration, never reached in the window.
    let options = FollowerOptions { max_acceleration: 1e-6, slow_radius: 0.0, ..FollowerOptions::HUMANOID };
    let mut body = Body::of(options);
    let mut follower = body.follower();
    follower.place(&world.mesh, [1.0, 0.0, 1.0], &Filter::ALL).unwrap();
    follower.set_destination(&world.mesh, &mut query, [9.0, 0.0, 9.0], &Filter::ALL).unwrap();
    let mut steps = 0;
    while follower.state() == FollowerState::Moving {
        follower.step(&world.mesh, &mut query, &Filter::ALL, 0.25).unwrap();
        steps += 1;
    }
    // Three windows of a second: two recoveries, and the third is one too many.
    assert_eq!((follower.state(), steps, follower.record.stuck_recoveries), (FollowerState::Stuck, 12, 3));
    assert_eq!(follower.velocity(), [0.0; 3]);
    assert_eq!(
        follower.set_destination(&world.mesh, &mut query, [5.0, 0.0, 9.0], &Filter::ALL),
        Ok(FollowerState::Moving)
    );
}

#[test]
fn an_unfinished_search_is_waited_for_with_twice_the_budget_each_time() {
    let world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let mut query = query(QueryDef::DEFAULT);
    let options = FollowerOptions { replan_budget: 1, max_replan_rounds: 4, ..FollowerOptions::HUMANOID };
    let mut body = Body::of(options);
    let mut follower = body.follower();
    let all = world.polygons();
    follower.place(&world.mesh, middle(&world.mesh, all[0]), &Filter::ALL).unwrap();
    let start = follower.position();
    follower.set_destination(&world.mesh, &mut query, middle(&world.mesh, all[143]), &Filter::ALL).unwrap();
    let mut budgets = std::vec::Vec::new();
    while follower.state() == FollowerState::Moving {
        budgets.push(follower.next_budget());
        follower.step(&world.mesh, &mut query, &Filter::ALL, DT).unwrap();
        assert_eq!((follower.position(), follower.velocity()), (start, [0.0; 3]));
    }
    assert_eq!((budgets, follower.state()), (std::vec![2, 4, 8], FollowerState::NoPath));
    assert!(distance(start, follower.destination()) > 20.0);
}
