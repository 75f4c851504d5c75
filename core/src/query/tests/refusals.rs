//! Claims about what queries refuse, and what is a status instead.

use super::world::{Kind, World, memory, query};
use crate::error::{ErrorKind, Subject};
use crate::memory::{Arena, Grain};
use crate::mesh::PolyRef;
use crate::query::{Filter, PathEnd, Query, QueryDef, QueryStatus, nearest_polygon};
use crate::search::PathStatus;

crate::memory::assert_portable!(Query);

const GOOD: [f64; 3] = [1.0, 0.0, 1.0];

fn world() -> World {
    World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 })
}

#[test]
fn positions_that_are_none_are_refused_by_every_call() {
    let world = world();
    let (mesh, a) = (&world.mesh, world.polygons()[0]);
    let mut query = query(QueryDef::DEFAULT);
    let bound = 2097152.0;
    for (bad, kind) in [
        (f64::NAN, ErrorKind::Invalid),
        (f64::INFINITY, ErrorKind::Invalid),
        (f64::NEG_INFINITY, ErrorKind::Invalid),
        (bound, ErrorKind::Limit),
        (-bound, ErrorKind::Limit),
        (1e300, ErrorKind::Limit),
    ] {
        for axis in 0..3 {
            let mut at = GOOD;
            at[axis] = bad;
            let errors = [
                (nearest_polygon(mesh, at, [1.0; 3], &Filter::ALL).unwrap_err(), 0),
                (query.find_path(mesh, at, GOOD, &Filter::ALL).unwrap_err(), 0),
                (query.find_path(mesh, GOOD, at, &Filter::ALL).unwrap_err(), 1),
                (query.begin_path(mesh, a, at, a, GOOD, &Filter::ALL).unwrap_err(), 0),
                (query.begin_path(mesh, a, GOOD, a, at, &Filter::ALL).unwrap_err(), 1),
                (query.straight_path(mesh, at, GOOD, &[a], None).unwrap_err(), 0),
                (query.straight_path(mesh, GOOD, at, &[a], None).unwrap_err(), 1),
            ];
            for (error, which) in errors {
                assert_eq!((error.kind(), error.subject()), (kind, Subject::Position));
                assert_eq!((error.index(), error.part_index()), (Some(which), Some(axis as u32)));
            }
        }
    }
    for bad in [f64::NAN, f64::INFINITY, -0.5] {
        let error = query.find_path_within(mesh, GOOD, GOOD, [1.0, bad, 1.0], &Filter::ALL).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Invalid, Subject::Extents));
    }
    assert!(query.find_path(mesh, GOOD, [9.0, 0.0, 9.0], &Filter::ALL).unwrap().has_path());
}

#[test]
fn references_that_name_nothing_are_statuses() {
    let mut world = world();
    let all = world.polygons();
    let (a, b) = (all[0], all[1]);
    let mut query = query(QueryDef::DEFAULT);
    let forged =
        [PolyRef::NONE, PolyRef(u64::MAX), PolyRef::new(a.salt() + 1, a.slot(), 0), PolyRef::new(1, 0, 0xFFFFF)];
    for bad in forged {
        let begin = |query: &mut Query<'_>, from, to| query.begin_path(&world.mesh, from, GOOD, to, GOOD, &Filter::ALL);
        assert_eq!(begin(&mut query, bad, b), Ok(QueryStatus::InvalidStartPoly));
        assert_eq!(query.path().outcome().status, PathStatus::StartInvalid);
        assert_eq!(begin(&mut query, a, bad), Ok(QueryStatus::InvalidEndPoly));
        assert_eq!(query.path().outcome().status, PathStatus::GoalInvalid);
        assert_eq!(query.step(&world.mesh, &Filter::ALL, 1).unwrap_err().kind(), ErrorKind::State);
    }
    let area = world.mesh.polygon(a).unwrap().1.area;
    let without = Filter::new().with_area_cost(area, f64::INFINITY).unwrap();
    let begun = query.begin_path(&world.mesh, a, GOOD, a, GOOD, &without);
    assert_eq!(begun, Ok(QueryStatus::InvalidStartPoly));
    world.mesh.stage_tile_removal(0, 0, 0).unwrap();
    world.mesh.commit().unwrap();
    let begun = query.begin_path(&world.mesh, a, GOOD, a, GOOD, &Filter::ALL);
    assert_eq!(begun, Ok(QueryStatus::InvalidStartPoly));
}

#[test]
fn a_place_far_from_the_mesh_is_a_status() {
    let world = world();
    let mut query = query(QueryDef::DEFAULT);
    let far = [500.0, 0.0, 0.0];
    let outcome = query.find_path(&world.mesh, far, GOOD, &Filter::ALL).unwrap();
    assert_eq!((outcome.status, outcome.detail), (PathStatus::StartInvalid, QueryStatus::NoStartNearby));
    let outcome = query.find_path(&world.mesh, GOOD, far, &Filter::ALL).unwrap();
    assert_eq!((outcome.status, outcome.detail), (PathStatus::GoalInvalid, QueryStatus::NoEndNearby));
    assert_eq!((outcome.end, outcome.cost, outcome.length), (PathEnd::NotSearched, f64::INFINITY, 0.0));
    assert!(query.path().points().is_empty() && query.path().corridor().is_empty());
}

#[test]
fn limits_out_of_range_are_named() {
    let mut memory = memory(1 << 20);
    let good = QueryDef { nodes: 16, corridor: 4, points: 4, ..QueryDef::DEFAULT };
    let cases = [
        (QueryDef { nodes: 0, ..good }, ErrorKind::Invalid, Subject::Nodes),
        (QueryDef { nodes: (1 << 20) + 1, ..good }, ErrorKind::Limit, Subject::Nodes),
        (QueryDef { corridor: 0, ..good }, ErrorKind::Invalid, Subject::Corridor),
        (QueryDef { points: u32::MAX, ..good }, ErrorKind::Limit, Subject::Points),
        (QueryDef { path_length: 0.0, ..good }, ErrorKind::Invalid, Subject::PathLength),
        (QueryDef { path_length: f64::NAN, ..good }, ErrorKind::Invalid, Subject::PathLength),
        (QueryDef { path_length: f64::INFINITY, ..good }, ErrorKind::Limit, Subject::PathLength),
    ];
    for (def, kind, subject) in cases {
        let error = Query::new(&def, &mut memory).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (kind, subject));
    }
    assert!(Query::new(&good, &mut memory).is_ok());
}

#[test]
fn a_query_takes_exactly_its_plan_and_a_grain_less_is_refused() {
    for nodes in [1, 2, 3, 512, 1000] {
        let def = QueryDef { nodes, ..QueryDef::DEFAULT };
        let grains = def.plan().grains();
        let mut region = std::vec![Grain::ZERO; grains];
        let mut arena = Arena::new(&mut region);
        assert!(Query::new(&def, &mut arena).is_ok());
        assert_eq!(arena.remaining(), 0);
        let mut less = std::vec![Grain::ZERO; grains - 1];
        let mut arena = Arena::new(&mut less);
        assert_eq!(Query::new(&def, &mut arena).unwrap_err().subject(), Subject::Memory);
        assert_eq!(arena.taken(), 0);
    }
}
