//! A follower as bytes.

use super::{Body, DT, sent};
use crate::corridor::tests::kinds;
use crate::error::{ErrorKind, Subject};
use crate::follower::{FollowerOptions, FollowerState};
use crate::hash::fnv1a;
use crate::math::SplitMix64;
use crate::query::tests::world::{World, query};
use crate::query::{Filter, QueryDef};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_run_from_saved_bytes_is_the_run_that_was_saved(kind in kinds(), before in 0u32..60, after in 0u32..200) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let mut query = query(QueryDef::DEFAULT);
        let options = FollowerOptions { corridor_capacity: 12, replan_budget: 8, ..FollowerOptions::HUMANOID };
        let mut body = Body::of(options);
        sent(&mut world, &mut query, &mut body);
        let mut walk = |body: &mut Body, steps: u32| {
            for _ in 0..steps {
                body.follower().step(&world.mesh, &mut query, &Filter::ALL, DT).unwrap();
            }
        };
        walk(&mut body, before);
        let bytes = body.saved();
        prop_assert_eq!(bytes.len(), 269 + 8 * body.follower().path().len());
        prop_assert_eq!(body.follower().state_hash(), fnv1a(&bytes));
        let mut other = Body::of(options);
        other.follower().restore_state(&bytes).unwrap();
        prop_assert_eq!(other.saved(), &bytes[..]);
        walk(&mut body, after);
        walk(&mut other, after);
        prop_assert_eq!(other.saved(), body.saved());
        // Back to where it was, over what it has become.
        other.follower().restore_state(&bytes).unwrap();
        prop_assert_eq!(other.saved(), bytes);
    }

    #[test]
    fn bytes_of_any_sort_are_refused_whole_or_walk_on(kind in kinds(), steps in 0u32..60, seed in any::<u64>()) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let mut query = query(QueryDef { nodes: 256, ..QueryDef::DEFAULT });
        let options = FollowerOptions { corridor_capacity: 12, ..FollowerOptions::HUMANOID };
        let mut body = Body::of(options);
        sent(&mut world, &mut query, &mut body);
        for _ in 0..steps {
            body.follower().step(&world.mesh, &mut query, &Filter::ALL, DT).unwrap();
        }
        let bytes = body.saved();
        let mut random = SplitMix64::new(seed);
        for _ in 0..100 {
            let mut altered = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(altered.len() as u64) as usize;
                altered[at] = [0, 1, 2, 0x7F, 0xFF, random.below(256) as u8][random.below(6) as usize];
            }
            let before = body.saved();
            match body.follower().restore_state(&altered) {
                Ok(()) => prop_assert_eq!(body.saved(), altered),
                Err(error) => {
                    prop_assert!(matches!(error.kind(), ErrorKind::Format | ErrorKind::Version));
                    prop_assert_eq!(body.saved(), before);
                }
            }
            for dt in [DT, 1e-300, 1e300] {
                body.follower().step(&world.mesh, &mut query, &Filter::ALL, dt).unwrap();
                let reached = body.saved();
                body.follower().restore_state(&reached).unwrap();
            }
        }
    }
}

#[test]
fn every_field_out_of_its_range_is_refused_by_name() {
    let mut world = World::new(super::walks_kind());
    let mut query = query(QueryDef::DEFAULT);
    let mut body = Body::of(FollowerOptions::HUMANOID);
    assert_eq!(sent(&mut world, &mut query, &mut body), FollowerState::Moving);
    let bytes = body.saved();
    let nan = f64::NAN.to_le_bytes();
    let fields: [(usize, &[u8], Subject); 14] = [
        (1, &[6], Subject::FollowerState),
        (2, &[2], Subject::Flags),
        (10, &[0x80], Subject::Step),
        (14, &[0x80], Subject::ReplanRounds),
        (18, &[0x80], Subject::StuckRecoveries),
        (19, &(-1f64).to_le_bytes(), Subject::FollowerTime),
        (27, &nan, Subject::Position),
        (51, &2_097_152f64.to_le_bytes(), Subject::Position),
        (75, &nan, Subject::Velocity),
        (99, &nan, Subject::Position),
        (171, &f64::INFINITY.to_le_bytes(), Subject::FollowerTime),
        (195, &(-1f64).to_le_bytes(), Subject::RemainingDistance),
        (203, &[2], Subject::FormatVersion),
        (205, &[9], Subject::CorridorCapacity),
    ];
    for (at, field, subject) in fields {
        let mut altered = bytes.clone();
        altered[at..at + field.len()].copy_from_slice(field);
        assert_eq!(body.follower().restore_state(&altered).unwrap_err().subject(), subject);
        assert_eq!(body.saved(), bytes);
    }
    assert!(body.follower().restore_state(&bytes[..bytes.len() - 1]).is_err());
    assert!(body.follower().restore_state(&[&bytes[..], &[0]].concat()).is_err());
    let mut short = std::vec![0; bytes.len() - 1];
    let error = body.follower().save_state(&mut short).unwrap_err();
    assert_eq!((error.kind(), error.refused()), (ErrorKind::Capacity, Some(bytes.len() as f64)));
}
