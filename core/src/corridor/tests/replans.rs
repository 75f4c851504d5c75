//! Replans: whole and in slices, from the end and from the agent, and what they leave.

use super::{Room, big_query, check, kinds, length};
use crate::corridor::{Corridor, CorridorReplan};
use crate::error::ErrorKind;
use crate::mesh::PolyRef;
use crate::query::tests::world::{Kind, World, query};
use crate::query::{Filter, NodeModel, Query, QueryDef, QueryStatus};
use proptest::prelude::*;

const EXTENTS: [f64; 3] = [2.0, 4.0, 2.0];

fn sliced(corridor: &mut Corridor<'_>, world: &World, query: &mut Query<'_>, budget: u64) -> (QueryStatus, u64) {
    let mut replan = CorridorReplan::begin(corridor, &world.mesh, query, EXTENTS, &Filter::ALL).unwrap();
    while replan.status() == QueryStatus::InProgress {
        replan.update(&world.mesh, query, &Filter::ALL, budget).unwrap();
    }
    let iterations = replan.iterations(query);
    (replan.apply(corridor, &world.mesh, query).unwrap(), iterations)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_slices_give_what_one_run_gives(
        kind in kinds(), capacity in 2usize..40, from_start in any::<bool>(), crossing in any::<bool>()
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { model, ..QueryDef::DEFAULT });
        let mut room = Room::of(capacity);
        super::planned(&mut world, &mut query, &mut room);
        let (_, target) = world.place();
        let mut corridor = room.corridor();
        corridor.set_target(target).unwrap();
        if !from_start {
            corridor.record.flags = super::super::record::NEEDS_REPLAN;
        }
        let (record, path) = (room.record, room.path.clone());
        let (wanted, iterations) = sliced(&mut room.corridor(), &world, &mut query, u64::MAX);
        check(&world.mesh, &room.corridor());
        for budget in [1, 2, 3, 5, 17, 100] {
            let mut other = Room { record, path: path.clone() };
            prop_assert_eq!(sliced(&mut other.corridor(), &world, &mut query, budget), (wanted, iterations));
            prop_assert_eq!(other.content(), room.content());
        }
        let mut whole = Room { record, path };
        let status = whole.corridor().replan(&world.mesh, &mut query, EXTENTS, &Filter::ALL, u64::MAX).unwrap();
        prop_assert_eq!((status, whole.record), (wanted, room.record));
    }

    #[test]
    fn a_replan_from_the_agent_is_a_path_query_from_there(kind in kinds()) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(512));
        let ((polygon, position), (_, target)) = (world.place(), world.place());
        let mut corridor = room.corridor();
        corridor.reset(&world.mesh, polygon, position).unwrap();
        corridor.set_target(target).unwrap();
        let status = corridor.replan(&world.mesh, &mut query, EXTENTS, &Filter::ALL, u64::MAX).unwrap();
        check(&world.mesh, &corridor);
        corridor.find_corners(&world.mesh, &mut query, 512).unwrap();
        let walk = length(query.path().points());
        let found = query.find_path(&world.mesh, corridor.position(), target, &Filter::ALL).unwrap();
        prop_assert_eq!(found.detail, status);
        prop_assert_eq!(corridor.is_complete(), status == QueryStatus::Success);
        // The agent may stand on a side: then the query may begin in the polygon beyond.
        if query.path().corridor()[0] == polygon {
            prop_assert_eq!(query.path().corridor(), corridor.path());
            prop_assert!((found.length - walk).abs() < 1e-9 || status != QueryStatus::Success);
        }
    }

    #[test]
    fn unfinished_and_long_ways_ask_for_more_until_they_lead_to_the_target(
        kind in kinds(), capacity in 2usize..12, budget in 1u64..40
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(capacity));
        let ((polygon, position), (_, target)) = (world.place(), world.place());
        let mut corridor = room.corridor();
        corridor.reset(&world.mesh, polygon, position).unwrap();
        corridor.set_target(target).unwrap();
        for round in 0..200u32 {
            let budget = budget << round.min(20);
            let status = corridor.replan(&world.mesh, &mut query, EXTENTS, &Filter::ALL, budget).unwrap();
            check(&world.mesh, &corridor);
            if !corridor.needs_replan() {
                prop_assert_eq!(corridor.is_complete(), status == QueryStatus::Success);
                return Ok(());
            }
            prop_assert_eq!(status == QueryStatus::InProgress, corridor.replans_from_start());
            // Walk on when the way was only cut: to the last polygon but one, which is in any case nearer by the way.
            if status != QueryStatus::InProgress {
                prop_assert_eq!(corridor.path().len(), capacity);
                let last = corridor.path().len() - 1;
                let next = corridor.path()[last];
                let place = crate::query::tests::world::middle(&world.mesh, next);
                corridor.trim_to(last, place);
            }
        }
        prop_assert!(false, "it never ends");
    }
}

#[test]
fn a_replan_that_no_longer_fits_its_corridor_or_mesh_is_refused_and_changes_nothing() {
    let kind = Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 };
    let mut world = World::new(kind);
    let (mut query, mut room) = (big_query(), Room::of(16));
    let all = world.polygons();
    let mut corridor = room.corridor();
    corridor.reset(&world.mesh, all[0], [1.0, 0.0, 1.0]).unwrap();
    corridor.set_target([11.0, 0.0, 11.0]).unwrap();
    let begin = |corridor: &Corridor<'_>, query: &mut Query<'_>, world: &World| {
        let mut replan = CorridorReplan::begin(corridor, &world.mesh, query, EXTENTS, &Filter::ALL).unwrap();
        replan.update(&world.mesh, query, &Filter::ALL, 3).unwrap();
        replan
    };
    let replan = begin(&corridor, &mut query, &world);
    corridor.set_target([11.0, 0.0, 10.0]).unwrap();
    let before = *corridor.record;
    assert_eq!(replan.apply(&mut corridor, &world.mesh, &mut query).unwrap_err().kind(), ErrorKind::State);
    let replan = begin(&corridor, &mut query, &world);
    query.find_path(&world.mesh, [1.0, 0.0, 1.0], [3.0, 0.0, 1.0], &Filter::ALL).unwrap();
    assert_eq!(replan.apply(&mut corridor, &world.mesh, &mut query).unwrap_err().kind(), ErrorKind::State);
    let mut replan = begin(&corridor, &mut query, &world);
    world.mesh.set_flags(all[5], 2).unwrap();
    assert!(replan.update(&world.mesh, &mut query, &Filter::ALL, 3).is_err());
    assert_eq!(replan.apply(&mut corridor, &world.mesh, &mut query).unwrap_err().kind(), ErrorKind::State);
    assert_eq!(*corridor.record, before);
    // Far from everything there is no end, and with a polygon that never was no start.
    corridor.set_target([900.0, 0.0, 0.0]).unwrap();
    let mut replan = |corridor: &mut Corridor<'_>| corridor.replan(&world.mesh, &mut query, EXTENTS, &Filter::ALL, 99);
    assert_eq!(replan(&mut corridor), Ok(QueryStatus::NoEndNearby));
    corridor.set_target([11.0, 0.0, 11.0]).unwrap();
    corridor.path[0] = PolyRef(77);
    assert_eq!(replan(&mut corridor), Ok(QueryStatus::InvalidStartPoly));
    assert!(corridor.needs_replan() && corridor.path() == [PolyRef(77)]);
}
