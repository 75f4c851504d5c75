//! A corridor as bytes, and what it refuses.

use super::{Room, big_query, kinds, planned};
use crate::corridor::Corridor;
use crate::error::{ErrorKind, Subject};
use crate::hash::fnv1a;
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use crate::mesh::PolyRef;
use crate::query::tests::world::{Kind, World, query};
use crate::query::{Filter, QueryDef};
use proptest::prelude::*;
use std::vec::Vec;

fn saved(corridor: &Corridor<'_>) -> Vec<u8> {
    let mut bytes = std::vec![0; corridor.state_size()];
    assert_eq!(corridor.save_state(&mut bytes), Ok(bytes.len()));
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_saved_comes_back_and_a_refusal_changes_nothing(kind in kinds(), seed in any::<u64>()) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(64));
        planned(&mut world, &mut query, &mut room);
        let bytes = saved(&room.corridor());
        prop_assert_eq!(bytes.len(), 66 + 8 * room.corridor().path().len());
        prop_assert_eq!(room.corridor().state_hash(), fnv1a(&bytes));
        let mut other = Room::of(64);
        other.corridor().restore_state(&bytes).unwrap();
        prop_assert_eq!(saved(&other.corridor()), bytes.clone());
        prop_assert_eq!(other.content(), room.content());
        let mut random = SplitMix64::new(seed);
        for _ in 0..200 {
            let mut altered = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(altered.len() as u64) as usize;
                altered[at] = random.below(256) as u8;
            }
            altered.truncate(if random.below(4) == 0 { random.below(altered.len() as u64) as usize } else { altered.len() });
            let before = saved(&other.corridor());
            match other.corridor().restore_state(&altered) {
                Ok(()) => prop_assert_eq!(saved(&other.corridor()), altered),
                Err(error) => {
                    prop_assert!(matches!(error.kind(), ErrorKind::Format | ErrorKind::Version));
                    prop_assert_eq!(saved(&other.corridor()), before);
                }
            }
            // Whatever it holds now, it can be worked with.
            let mut corridor = other.corridor();
            let to = [random.next_f64() * 30.0, 0.0, random.next_f64() * 30.0];
            corridor.move_position(&world.mesh, &mut query, to, &Filter::ALL).unwrap();
            corridor.move_target(&world.mesh, &mut query, to, &Filter::ALL).unwrap();
            corridor.find_corners(&world.mesh, &mut query, 8).unwrap();
            corridor.optimize_topology(&world.mesh, &mut query, &Filter::ALL, 20, 9).unwrap();
            corridor.optimize_visibility(&world.mesh, &mut query, (to, 9.0), &Filter::ALL, 9).unwrap();
            corridor.validate(&world.mesh, &Filter::ALL, 8);
            corridor.replan(&world.mesh, &mut query, [2.0; 3], &Filter::ALL, 50).unwrap();
        }
    }
}

#[test]
fn bytes_are_laid_out_as_the_page_has_them() {
    let kind = Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 };
    let world = World::new(kind);
    let mut room = Room::of(9);
    let mut corridor = room.corridor();
    let polygon = world.polygons()[0];
    corridor.reset(&world.mesh, polygon, [1.0, 0.0, 0.5]).unwrap();
    let position = corridor.position();
    corridor.set_target([7.0, 0.25, -8.0]).unwrap();
    let mut wanted = std::vec![1, 6, 9, 0, 0, 0, 1, 0, 0, 0];
    for value in position.iter().chain(&[7.0, 0.25, -8.0]) {
        wanted.extend(value.to_le_bytes());
    }
    wanted.extend(0u64.to_le_bytes());
    wanted.extend(polygon.0.to_le_bytes());
    assert_eq!(saved(&corridor), wanted);
    // Every field out of its range is refused by name.
    let refusal = |at: usize, bytes: &[u8]| {
        let mut altered = wanted.clone();
        altered[at..at + bytes.len()].copy_from_slice(bytes);
        Room::of(9).corridor().restore_state(&altered).unwrap_err()
    };
    assert_eq!(refusal(0, &[2]).kind(), ErrorKind::Version);
    assert_eq!(refusal(1, &[8]).subject(), Subject::FormatFlags);
    assert_eq!(refusal(2, &[8]).subject(), Subject::CorridorCapacity);
    assert_eq!(refusal(6, &[10]).subject(), Subject::Corridor);
    assert_eq!(refusal(6, &[0xFF; 4]).subject(), Subject::Corridor);
    let far = refusal(34, &2_097_152f64.to_le_bytes());
    assert_eq!((far.subject(), far.index(), far.part_index()), (Subject::Position, Some(1), Some(0)));
    assert_eq!(refusal(10, &f64::NAN.to_le_bytes()).subject(), Subject::Position);
    assert!(Room::of(9).corridor().restore_state(&[&wanted[..], &[0]].concat()).is_err());
    assert!(Room::of(9).corridor().restore_state(&wanted[..wanted.len() - 1]).is_err());
}

#[test]
fn a_corridor_takes_the_memory_its_plan_says_and_no_capacity_out_of_range() {
    assert_eq!(size_of::<super::CorridorRecord>(), 64);
    let mut region = [Grain::ZERO; 24];
    for capacity in [2, 5, 16] {
        let mut arena = Arena::new(&mut region);
        let corridor = Corridor::new(capacity, &mut arena).unwrap();
        assert_eq!((corridor.capacity(), corridor.path()), (capacity, &[][..]));
        assert_eq!(arena.taken(), Corridor::plan(capacity).bytes);
    }
    assert_eq!(Corridor::new(64, &mut Arena::new(&mut region)).unwrap_err().kind(), ErrorKind::Capacity);
    for capacity in [0, 1, 4097] {
        assert_eq!(Corridor::new(capacity, &mut Arena::new(&mut region)).unwrap_err().kind(), ErrorKind::Limit);
    }
    let mut room = Room::of(4);
    room.record.count = 5;
    assert!(Corridor::over(&mut room.record, &mut room.path).is_err());
}

#[test]
fn coordinates_that_are_none_and_queries_too_small_are_refused_and_change_nothing() {
    let kind = Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 };
    let world = World::new(kind);
    let mut query_of_8 = query(QueryDef { corridor: 8, points: 8, ..QueryDef::DEFAULT });
    let mut big = big_query();
    let mut room = Room::of(16);
    let mut corridor = room.corridor();
    assert!(!corridor.reset(&world.mesh, PolyRef(9), [1.0; 3]).unwrap());
    corridor.reset(&world.mesh, world.polygons()[0], [1.0; 3]).unwrap();
    let before = saved(&corridor);
    for bad in [f64::NAN, f64::INFINITY, 2_097_152.0, -2_097_152.0] {
        let to = [1.0, bad, 1.0];
        assert!(corridor.reset(&world.mesh, world.polygons()[0], to).is_err());
        assert!(corridor.set_target(to).is_err());
        assert!(corridor.move_position(&world.mesh, &mut big, to, &Filter::ALL).is_err());
        assert!(corridor.move_target(&world.mesh, &mut big, to, &Filter::ALL).is_err());
        assert!(corridor.move_along(&world.mesh, to, 9).is_err());
        assert!(corridor.optimize_visibility(&world.mesh, &mut big, (to, 1.0), &Filter::ALL, 9).is_err());
    }
    assert!(corridor.optimize_visibility(&world.mesh, &mut big, ([0.0; 3], -1.0), &Filter::ALL, 9).is_err());
    assert!(corridor.relocate(&world.mesh, &Filter::ALL, [-1.0, 0.0, 0.0]).is_err());
    assert!(corridor.replan(&world.mesh, &mut big, [f64::NAN; 3], &Filter::ALL, 9).is_err());
    let too_small = corridor.find_corners(&world.mesh, &mut query_of_8, 4).unwrap_err();
    assert_eq!((too_small.kind(), too_small.subject()), (ErrorKind::Capacity, Subject::Corridor));
    assert!(corridor.move_position(&world.mesh, &mut query_of_8, [1.0; 3], &Filter::ALL).is_err());
    assert_eq!(corridor.find_corners(&world.mesh, &mut big, 513).unwrap_err().subject(), Subject::Points);
    assert!(corridor.set_path(&big.path()).is_err());
    assert_eq!(saved(&corridor), before);
}
