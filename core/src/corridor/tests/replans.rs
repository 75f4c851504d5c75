//! Replans: whole and in slices, from the end and from the agent, and what they leave.

use super::{Room, big_query, check, kinds, length};
use crate::corridor::{Corridor, CorridorReplan};
use crate::error::ErrorKind;
use crate::math::{distance, lerp};
use crate::mesh::PolyRef;
use crate::query::tests::literal::{Exit, exits};
use crate::query::tests::world::{Kind, World, query};
use crate::query::{Filter, NodeModel, Query, QueryDef, QueryStatus, nearest_polygon};
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
        leads_to_the_target(&mut world, capacity, budget);
    }
}

/// Walks a corridor of few polygons that is replanned over crossings: the rest of a shortest way is the shortest from
/// there, so the replan from its end goes on as the one before, and comes to an end.
fn leads_to_the_target(world: &mut World, capacity: usize, budget: u64) {
    let mut query = query(QueryDef { corridor: 4096, model: NodeModel::Crossing, ..QueryDef::DEFAULT });
    let mut room = Room::of(capacity);
    let ((polygon, position), (_, target)) = (world.place(), world.place());
    let mut corridor = room.corridor();
    corridor.reset(&world.mesh, polygon, position).unwrap();
    corridor.set_target(target).unwrap();
    for round in 0..200u32 {
        let budget = budget << round.min(20);
        let status = corridor.replan(&world.mesh, &mut query, EXTENTS, &Filter::ALL, budget).unwrap();
        check(&world.mesh, &corridor);
        if !corridor.needs_replan() {
            assert_eq!(corridor.is_complete(), status == QueryStatus::Success);
            return;
        }
        assert_eq!(status == QueryStatus::InProgress, corridor.replans_from_start());
        // Walk on when the way was only cut.
        if status != QueryStatus::InProgress {
            assert_eq!(corridor.path().len(), capacity);
            walk_to_the_last(world, &mut query, &mut corridor);
        }
    }
    panic!("it never ends");
}

/// Goes from crossing to crossing into the corridor's last polygon; of several crossings into a polygon, that by which the
/// way is shortest.
fn walk_to_the_last(world: &World, query: &mut Query<'_>, corridor: &mut Corridor<'_>) {
    let mesh = &world.mesh;
    let end = nearest_polygon(mesh, corridor.target(), EXTENTS, &Filter::ALL).unwrap().unwrap();
    while corridor.path().len() > 1 {
        let (from, at, to) = (corridor.path()[0], corridor.position(), corridor.path()[1]);
        let mut least = (f64::INFINITY, at);
        for exit in exits(mesh, from).into_iter().filter(|exit| exit.target() == to) {
            let (near, far) = match exit {
                Exit::Edge(_, a, b) => (lerp(a, b, 0.5), lerp(a, b, 0.5)),
                Exit::Portal(_, a, b, min, max) => (lerp(a, b, (min + max) / 510.0), lerp(a, b, (min + max) / 510.0)),
                Exit::OffMesh(_, near, far, ..) | Exit::Staged(_, near, far, ..) => (near, far),
            };
            query.find_local_route(mesh, (to, far), (end.polygon, end.point), &Filter::ALL, u64::MAX).unwrap();
            let whole = distance(at, near) + distance(near, far) + query.path().outcome().cost;
            if whole < least.0 {
                least = (whole, far);
            }
        }
        assert!(least.0.is_finite());
        corridor.trim_to(1, least.1);
    }
}

#[test]
fn a_corridor_of_two_polygons_leads_to_the_place_closest_to_a_target_on_another_floor() {
    let kind = Kind { seed: 7829683675561655578, tiles: 1, holes: 26, merged: true, floors: 2, links: 2 };
    leads_to_the_target(&mut World::new(kind), 2, 1);
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
