//! Agents in their slots, refusals, and the phases of a step.

use crate::field::{Field, SIDE};
use crate::stage::{DT, QUERY, Stage, on_fields};
use navarena::crowd::{AgentId, AgentOptions, Crowd};
use navarena::error::{Error, ErrorKind, Subject};
use navarena::follower::FollowerOptions;
use navarena::memory::Arena;
use navarena::query::{Filter, Query, QueryDef};
use navarena_tests::ours::region;

#[test]
fn slots_are_used_again_and_ids_are_not() {
    on_fields(&[Field::open()], |stage| {
        let center = Field::open().center(5 + 5 * SIDE);
        let at = |i: usize| [center[0] + 2.0 * i as f64, 0.0, center[2]];
        let ids: Vec<AgentId> = (0..4).map(|i| stage.send(at(i), at(9), &AgentOptions::SMALL)).collect();
        stage.step();
        let saved = stage.saved();
        stage.crowd.remove(ids[2]).unwrap();
        stage.crowd.remove(ids[0]).unwrap();
        let refused = |error: Error| (error.kind(), error.subject());
        assert_eq!(refused(stage.crowd.remove(ids[0]).unwrap_err()), (ErrorKind::Stale, Subject::Agent));
        let newer: Vec<AgentId> = (0..3).map(|i| stage.send(at(i), at(9), &AgentOptions::SMALL)).collect();
        assert_eq!(newer.iter().map(|id| (id.number(), id.slot())).collect::<Vec<_>>(), [(4, 0), (5, 2), (6, 4)]);
        assert_eq!(refused(stage.crowd.agent(ids[0]).unwrap_err()), (ErrorKind::Stale, Subject::Agent));
        let order: Vec<u64> = stage.crowd.agents().map(|agent| agent.id().number()).collect();
        assert_eq!(order, [4, 1, 5, 3, 6]);
        stage.step();
        // Back: those removed since are there again, those added since are not, and their numbers are given again.
        stage.crowd.restore_state(stage.mesh, &saved).unwrap();
        assert_eq!(refused(stage.crowd.agent(newer[1]).unwrap_err()), (ErrorKind::Invalid, Subject::Agent));
        assert!(ids.iter().all(|&id| stage.crowd.agent(id).is_ok()));
        stage.crowd.remove(ids[0]).unwrap();
        assert_eq!(stage.send(at(0), at(9), &AgentOptions::SMALL), newer[0]);
    });
}

#[test]
fn who_is_refused_changes_nothing() {
    on_fields(&[Field::open()], |stage| {
        let id = stage.send([5.0, 0.0, 5.0], [30.0, 0.0, 30.0], &AgentOptions::SMALL);
        stage.step();
        let before = stage.saved();
        let check = |error: Option<Error>, kind: ErrorKind, subject: Subject| {
            assert_eq!(error.map(|error| (error.kind(), error.subject())), Some((kind, subject)));
        };
        let small = AgentOptions::SMALL;
        let Stage { mesh, crowd, query, .. } = stage;
        let add = |crowd: &mut Crowd<'_>, at, options: &AgentOptions| crowd.add(mesh, at, options, &Filter::ALL).err();
        check(add(crowd, [500.0, 0.0, 5.0], &small), ErrorKind::Outside, Subject::Position);
        check(add(crowd, [f64::NAN, 0.0, 5.0], &small), ErrorKind::Invalid, Subject::Position);
        check(add(crowd, [5.0; 3], &AgentOptions { radius: 0.0, ..small }), ErrorKind::Limit, Subject::AgentRadius);
        check(add(crowd, [5.0; 3], &AgentOptions { priority: -1.0, ..small }), ErrorKind::Limit, Subject::Priority);
        let path = Some(FollowerOptions { corridor_capacity: 65, ..FollowerOptions::HUMANOID });
        check(add(crowd, [5.0; 3], &AgentOptions { path, ..small }), ErrorKind::Capacity, Subject::CorridorCapacity);
        let other = crowd.set_options(id, &AgentOptions { path, ..small }).err();
        check(other, ErrorKind::Invalid, Subject::CorridorCapacity);
        let path = Some(FollowerOptions { corridor_capacity: 64, max_corners: 9, ..FollowerOptions::HUMANOID });
        check(crowd.set_options(id, &AgentOptions { path, ..small }).err(), ErrorKind::Invalid, Subject::MaxCorners);
        check(crowd.set_priority(id, f64::NAN).err(), ErrorKind::Invalid, Subject::Priority);
        for dt in [0.0, -1.0, f64::INFINITY, 1e-9] {
            check(crowd.step(mesh, query, &Filter::ALL, dt).err(), ErrorKind::Limit, Subject::TimeStep);
        }
        check(crowd.step(mesh, query, &Filter::ALL, f64::NAN).err(), ErrorKind::Invalid, Subject::TimeStep);
        let mut memory = region(QueryDef { nodes: 64, corridor: 63, ..QUERY }.plan());
        let mut tight =
            Query::new(&QueryDef { nodes: 64, corridor: 63, ..QUERY }, &mut Arena::new(&mut memory)).unwrap();
        check(crowd.step(mesh, &mut tight, &Filter::ALL, DT).err(), ErrorKind::Capacity, Subject::Corridor);
        assert!(stage.saved() == before);
    });
}

#[test]
fn phases_come_in_their_order_and_whole() {
    on_fields(&[Field::open()], |stage| {
        stage.send([5.0, 0.0, 5.0], [30.0, 0.0, 30.0], &AgentOptions::SMALL);
        let Stage { mesh, crowd, query, .. } = stage;
        let kind = |error: Option<Error>| error.map(|error| (error.kind(), error.subject()));
        let mut step = crowd.begin_step(DT).unwrap();
        assert_eq!(kind(step.avoid(1).err()), Some((ErrorKind::State, Subject::Step)));
        assert_eq!(kind(step.plan(0).err()), Some((ErrorKind::Invalid, Subject::Workers)));
        assert_eq!(kind(step.plan(17).err()), Some((ErrorKind::Capacity, Subject::Workers)));
        let shares = step.plan(3).unwrap();
        shares.skip(1).for_each(|share| share.run(mesh, query, &Filter::ALL).unwrap());
        assert_eq!(kind(step.avoid(3).err()), Some((ErrorKind::State, Subject::Workers)));
        assert!(step.finish().is_err());
        assert_eq!(crowd.step_count(), 0);
        crowd.step(mesh, query, &Filter::ALL, DT).unwrap();
        assert_eq!(crowd.step_count(), 1);
    });
}
