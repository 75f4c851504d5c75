//! Claims about searches in slices.

use super::world::{Kind, World, empty_mesh, query};
use crate::error::{ErrorKind, Subject};
use crate::query::{Filter, NodeModel, PathEnd, QueryDef, QueryStatus};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn any_slices_give_what_one_run_gives(seed in any::<u64>(), crossing in any::<bool>(), nodes in 20u32..2000) {
        let mut world = World::new(Kind { seed, tiles: 3, holes: 25, merged: false, floors: 1, links: 2 });
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { nodes, model, ..QueryDef::DEFAULT });
        let (start, end) = (world.place(), world.place());
        let mut whole = None;
        for budget in [u64::MAX, 1, 2, 7, 50] {
            query.begin_path(&world.mesh, start.0, start.1, end.0, end.1, &Filter::ALL).unwrap();
            while query.step(&world.mesh, &Filter::ALL, budget).unwrap() == QueryStatus::InProgress {}
            let outcome = query.finish_path(&world.mesh).unwrap();
            let now = (outcome, query.path().corridor().to_vec());
            prop_assert_eq!(&now, whole.get_or_insert(now.clone()));
        }
    }
}

fn world() -> World {
    World::new(Kind { seed: 9, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 })
}

#[test]
fn a_search_finished_early_leads_as_far_as_it_got() {
    let world = world();
    let all = world.polygons();
    let (a, b) = (all[0], all[all.len() - 1]);
    let mut query = query(QueryDef::DEFAULT);
    for steps in [0, 1, 5] {
        query.begin_path(&world.mesh, a, [1.0, 0.0, 1.0], b, [23.0, 0.0, 23.0], &Filter::ALL).unwrap();
        for _ in 0..steps {
            query.step(&world.mesh, &Filter::ALL, 1).unwrap();
        }
        let outcome = query.finish_path(&world.mesh).unwrap();
        assert_eq!((outcome.detail, outcome.end), (QueryStatus::InProgress, PathEnd::Unfinished));
        assert_eq!((query.path().corridor()[0], outcome.iterations), (a, steps));
    }
    assert!(query.path().corridor().len() > 1);
}

#[test]
fn a_commit_in_the_middle_is_told_at_the_next_step() {
    let mut world = world();
    let all = world.polygons();
    let (a, b) = (all[0], all[all.len() - 1]);
    let mut query = query(QueryDef::DEFAULT);
    query.begin_path(&world.mesh, a, [1.0, 0.0, 1.0], b, [23.0, 0.0, 23.0], &Filter::ALL).unwrap();
    assert_eq!(query.step(&world.mesh, &Filter::ALL, 2), Ok(QueryStatus::InProgress));
    world.mesh.stage_tile_removal(1, 1, 0).unwrap();
    assert_eq!(query.step(&world.mesh, &Filter::ALL, 2), Ok(QueryStatus::InProgress));
    world.mesh.commit().unwrap();
    for error in [query.step(&world.mesh, &Filter::ALL, 2).unwrap_err(), query.finish_path(&world.mesh).unwrap_err()] {
        assert_eq!((error.kind(), error.subject()), (ErrorKind::State, Subject::Search));
    }
    assert!(query.find_path(&world.mesh, [1.0, 0.0, 1.0], [8.0, 0.0, 8.0], &Filter::ALL).unwrap().has_path());
}

#[test]
fn stepping_what_was_not_begun_is_refused() {
    let mesh = empty_mesh();
    let mut query = query(QueryDef::DEFAULT);
    assert_eq!(query.step(&mesh, &Filter::ALL, 1).unwrap_err().kind(), ErrorKind::State);
    assert_eq!(query.finish_path(&mesh).unwrap_err().kind(), ErrorKind::State);
    let world = world();
    let a = world.polygons()[0];
    query.begin_path(&world.mesh, a, [1.0; 3], a, [1.5; 3], &Filter::ALL).unwrap();
    assert_eq!(query.step(&world.mesh, &Filter::ALL, 0).unwrap_err().subject(), Subject::Budget);
    query.step(&world.mesh, &Filter::ALL, 9).unwrap();
    query.finish_path(&world.mesh).unwrap();
    assert_eq!(query.finish_path(&world.mesh).unwrap_err().kind(), ErrorKind::State);
}
