//! A step in two parts.

use super::{Body, DT, check, sent};
use crate::corridor::tests::kinds;
use crate::follower::{FollowerOptions, FollowerState, accelerated};
use crate::math::SplitMix64;
use crate::query::tests::world::{World, query};
use crate::query::{Filter, QueryDef};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn who_is_left_alone_or_jostled_in_a_crowd_arrives_on_the_mesh(kind in kinds(), jostle in 0.0..1.5, seed in any::<u64>()) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let mut query = query(QueryDef::DEFAULT);
        let options = FollowerOptions {
            stuck_window: 0.0,
            corridor_capacity: 64,
            arrival_radius: 0.25,
            corner_clearance: 0.11,
            off_mesh_trigger_radius: 1.2,
            ..FollowerOptions::HUMANOID
        };
        let mut body = Body::of(options);
        sent(&mut world, &mut query, &mut body);
        let mut random = SplitMix64::new(seed);
        for step in 0..8000 {
            let mut follower = body.follower();
            let [x, _, z] = follower.velocity();
            let plan = follower.plan_walk(&world.mesh, &mut query, &Filter::ALL, (None, DT)).unwrap();
            if plan.is_crossing() {
                prop_assert!(!plan.is_walking());
                continue;
            }
            let [px, pz] = plan.wanted;
            prop_assert!(crate::math::length([px, pz]) <= 3.5 + 1e-9 && (plan.is_walking() || plan.wanted == [0.0; 2]));
            // Pushed about at first.
            let push = if step < 200 { jostle } else { 0.0 };
            let wanted = plan.wanted.map(|part| part + push * (random.next_f64() * 4.0 - 2.0));
            let velocity = accelerated([x, z], wanted, options.max_acceleration * DT);
            let before = follower.position();
            if plan.is_walking() {
                follower.apply_walk(&world.mesh, &mut query, &Filter::ALL, &plan, (velocity, DT)).unwrap();
                if step >= 200 || jostle == 0.0 {
                    check(&world.mesh, &mut follower);
                }
                let displaced = follower.position();
                for axis in 0..3 {
                    prop_assert_eq!(follower.velocity()[axis], (displaced[axis] - before[axis]) / DT);
                }
            } else {
                follower.nudge(&world.mesh, &mut query, &Filter::ALL, (velocity, DT)).unwrap();
                if step > 300 && follower.velocity() == [0.0; 3] {
                    break;
                }
            }
        }
        let follower = body.follower();
        prop_assert_eq!(follower.state(), FollowerState::Arrived);
        prop_assert_eq!(follower.remaining_distance(), 0.0);
    }
}

#[test]
fn a_step_that_is_no_number_is_refused() {
    let mut world = World::new(super::walks_kind());
    let mut query = query(QueryDef::DEFAULT);
    let mut body = Body::of(FollowerOptions::HUMANOID);
    sent(&mut world, &mut query, &mut body);
    let mut follower = body.follower();
    let plan = follower.plan_walk(&world.mesh, &mut query, &Filter::ALL, (None, DT)).unwrap();
    for (velocity, dt) in [([f64::NAN, 0.0], DT), ([0.0, f64::INFINITY], DT), ([0.0; 2], 0.0), ([0.0; 2], f64::NAN)] {
        let before = *follower.record;
        assert!(follower.apply_walk(&world.mesh, &mut query, &Filter::ALL, &plan, (velocity, dt)).is_err());
        assert!(follower.nudge(&world.mesh, &mut query, &Filter::ALL, (velocity, dt)).is_err());
        assert_eq!(*follower.record, before);
    }
    // However far it would go, it stays on the mesh and its numbers finite.
    for (velocity, dt) in [([1e300, -1e300], 1e300), ([5.0, 5.0], 5e-324)] {
        follower.apply_walk(&world.mesh, &mut query, &Filter::ALL, &plan, (velocity, dt)).unwrap();
        follower.nudge(&world.mesh, &mut query, &Filter::ALL, (velocity, dt)).unwrap();
        check(&world.mesh, &mut follower);
    }
}
