//! Claims about the path search.

use super::literal::{self, Task};
use super::world::{Kind, World, query};
use super::{dijkstra, world};
use crate::error::{ErrorKind, Subject};
use crate::mesh::PolyRef;
use crate::mesh::view::NO_BACK;
use crate::query::{
    DEFAULT_EXTENTS, Filter, Nearest, NodeModel, PathEnd, PolygonFilter, Query, QueryDef, QueryStatus, nearest_polygon,
};
use proptest::prelude::*;
use std::vec::Vec;

pub fn kinds() -> impl Strategy<Value = Kind> {
    let shape = (0u64..40, any::<bool>(), 1i32..3, 0u64..4);
    (any::<u64>(), 1i32..4, shape).prop_map(|(seed, tiles, (holes, merged, floors, links))| Kind {
        seed,
        tiles,
        holes,
        merged,
        floors,
        links,
    })
}

/// A filter with prices and exclusions, or the plain one.
pub fn filter_of(which: u8) -> Filter {
    let plain = Filter::new();
    match which {
        0 => plain,
        1 => plain.with_area_cost(0, 2.5).unwrap().with_area_cost(1, 0.25).unwrap().with_area_cost(2, 7.0).unwrap(),
        2 => plain.with_area_cost(3, f64::INFINITY).unwrap().with_area_cost(1, 1.5).unwrap(),
        _ => plain.without_flags(2).with_area_cost(0, 3.0).unwrap(),
    }
}

pub fn search<F: PolygonFilter>(query: &mut Query<'_>, world: &World, task: &Task, filter: &F) -> literal::Answer {
    let begun = query.begin_path(&world.mesh, task.start.0, task.start.1, task.end.0, task.end.1, filter).unwrap();
    assert_eq!(begun, QueryStatus::InProgress);
    let status = query.step(&world.mesh, filter, u64::MAX).unwrap();
    assert!(matches!(status, QueryStatus::Success | QueryStatus::Partial));
    let outcome = query.finish_path(&world.mesh).unwrap();
    assert_eq!(outcome.detail, status);
    literal::Answer {
        found: status == QueryStatus::Success,
        node_limit: outcome.node_limit_reached,
        corridor: query.path().corridor().to_vec(),
        cost: outcome.cost,
        iterations: outcome.iterations,
    }
}

pub fn accepted(world: &mut World, filter: &Filter) -> Option<(PolyRef, [f64; 3])> {
    for _ in 0..20 {
        let place = world.place();
        let (_, record) = world.mesh.polygon(place.0).unwrap();
        if filter.accepts(record.flags, record.area) {
            return Some(place);
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn both_models_go_step_by_step_as_the_page_says(kind in kinds(), which in 0u8..4, few in 1usize..90) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        let filter = filter_of(which);
        for model in [NodeModel::Polygon, NodeModel::Crossing] {
            for nodes in [8192, few] {
                let mut query = query(QueryDef { nodes: nodes as u32, corridor: 4096, model, ..QueryDef::DEFAULT });
                for _ in 0..6 {
                    let (Some(start), Some(end)) = (accepted(&mut world, &filter), accepted(&mut world, &filter)) else {
                        continue;
                    };
                    let task = Task { model, start, end, nodes };
                    let answer = search(&mut query, &world, &task, &filter);
                    prop_assert_eq!(&answer, &literal::search(&world.mesh, &task, &filter));
                    if which == 0 {
                        prop_assert_eq!(answer, search(&mut query, &world, &task, &Filter::ALL));
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_is_straightened_as_its_corridor_is(kind in kinds(), which in 0u8..4, crossing in any::<bool>()) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        let filter = filter_of(which);
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let def = QueryDef { corridor: 4096, model, ..QueryDef::DEFAULT };
        let (mut first, mut second) = (query(def), query(def));
        for _ in 0..6 {
            let (Some(start), Some(end)) = (accepted(&mut world, &filter), accepted(&mut world, &filter)) else {
                continue;
            };
            search(&mut first, &world, &Task { model, start, end, nodes: 4096 }, &filter);
            let found = first.path().outcome();
            let corridor = first.path().corridor().to_vec();
            second.straight_path(&world.mesh, start.1, end.1, &corridor, None).unwrap();
            let pulled = first.straighten_path(&world.mesh, start.1, end.1).unwrap();
            prop_assert_eq!(first.path().points(), second.path().points());
            prop_assert_eq!(pulled.length.to_bits(), second.path().outcome().length.to_bits());
            prop_assert_eq!((pulled.cost.to_bits(), pulled.detail), (found.cost.to_bits(), found.detail));
            // A straight path alone has no corridor of its own.
            let refused = second.straighten_path(&world.mesh, start.1, end.1).unwrap_err();
            prop_assert_eq!((refused.kind(), refused.subject()), (ErrorKind::State, Subject::Search));
        }
    }

    #[test]
    fn between_places_found_nearest_the_path_is_the_searchs_with_its_ends_moved_anew(kind in kinds(), which in 0u8..4) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        let filter = filter_of(which);
        let def = QueryDef { corridor: 4096, ..QueryDef::DEFAULT };
        let (mut between, mut apart, mut whole) = (query(def), query(def), query(def));
        let mut ends = || {
            let position = world.position(kind.tiles);
            nearest_polygon(&world.mesh, position, DEFAULT_EXTENTS, &filter).unwrap().map(|found| (position, found))
        };
        let ends: Vec<_> = (0..12).filter_map(|_| ends()).collect();
        for pair in ends.windows(2) {
            let [(start, from), (goal, to)] = [pair[0], pair[1]];
            let found = between.find_path_between(&world.mesh, from, to, &filter).unwrap();
            let task = Task { model: NodeModel::Polygon, start: (from.polygon, from.point), end: (to.polygon, to.point), nodes: 4096 };
            search(&mut apart, &world, &task, &filter);
            let pulled = apart.straighten_path(&world.mesh, from.point, to.point).unwrap();
            prop_assert_eq!(between.path().corridor(), apart.path().corridor());
            prop_assert_eq!(between.path().points(), apart.path().points());
            prop_assert_eq!(found, pulled);
            prop_assert_eq!(whole.find_path(&world.mesh, start, goal, &filter).unwrap(), found);
            prop_assert_eq!(whole.path().points(), between.path().points());
        }
        // A place that is no longer one is said to be none, and nothing is searched.
        if let Some(&(_, place)) = ends.first() {
            let gone = Nearest { polygon: PolyRef::NONE, ..place };
            let from_nowhere = between.find_path_between(&world.mesh, gone, place, &filter).unwrap();
            prop_assert_eq!(from_nowhere.detail, QueryStatus::InvalidStartPoly);
            let to_nowhere = between.find_path_between(&world.mesh, place, gone, &filter).unwrap();
            prop_assert_eq!(to_nowhere.detail, QueryStatus::InvalidEndPoly);
            prop_assert!(between.path().points().is_empty());
            let unknown = Nearest { point: [f64::NAN; 3], ..place };
            let refused = between.find_path_between(&world.mesh, place, unknown, &filter).unwrap_err();
            prop_assert_eq!((refused.subject(), refused.index()), (Subject::Position, Some(1)));
        }
    }

    #[test]
    fn what_a_mesh_derives_of_its_edges_is_so(kind in kinds()) {
        let world = World::new(kind);
        for tile in world.mesh.tiles() {
            for (number, polygon) in tile.polygons.iter().enumerate() {
                let edges = tile.edges_of(polygon);
                for side in 0..8 {
                    prop_assert_eq!(polygon.sides >> side & 1 == 1, edges.iter().any(|edge| edge.side == side));
                }
                for edge in edges {
                    let Some(neighbor) = tile.polygons.get(edge.neighbor as usize) else {
                        prop_assert_eq!(edge.back, NO_BACK);
                        continue;
                    };
                    let shared = edges.iter().filter(|other| other.neighbor == edge.neighbor).count();
                    let back = tile.edges_of(neighbor).iter().position(|back| back.neighbor as usize == number);
                    prop_assert_eq!(Some(edge.back as usize).filter(|_| shared == 1), back.filter(|_| shared == 1));
                    prop_assert!(shared == 1 || edge.back == NO_BACK);
                }
            }
        }
    }

    #[test]
    fn the_crossing_models_cost_is_the_least_there_is(kind in kinds(), which in 0u8..4) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        let filter = filter_of(which);
        let def = QueryDef { nodes: 8192, corridor: 4096, model: NodeModel::Crossing, ..QueryDef::DEFAULT };
        let mut query = query(def);
        for _ in 0..4 {
            let (Some(start), Some(end)) = (accepted(&mut world, &filter), accepted(&mut world, &filter)) else {
                continue;
            };
            let task = Task { model: NodeModel::Crossing, start, end, nodes: 8192 };
            let answer = search(&mut query, &world, &task, &filter);
            let least = dijkstra::least_cost(&world.mesh, start, end, &filter);
            prop_assert_eq!(answer.found, least < f64::INFINITY);
            if answer.found {
                prop_assert!((answer.cost - least).abs() <= 1e-9 * (1.0 + least), "{} against {}", answer.cost, least);
            }
        }
    }

    #[test]
    fn a_corridor_joins_its_ends_and_visits_no_polygon_twice(kind in kinds(), crossing in any::<bool>()) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { nodes: 8192, corridor: 4096, model, ..QueryDef::DEFAULT });
        let (start, end) = (world.place(), world.place());
        let answer = search(&mut query, &world, &Task { model, start, end, nodes: 8192 }, &Filter::ALL);
        prop_assert_eq!(answer.corridor[0], start.0);
        if answer.found {
            prop_assert_eq!(*answer.corridor.last().unwrap(), end.0);
        }
        let mut sorted = answer.corridor.clone();
        sorted.sort();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), answer.corridor.len());
        for pair in answer.corridor.windows(2) {
            let touches = literal::exits(&world.mesh, pair[0]).iter().any(|exit| exit.target() == pair[1]);
            prop_assert!(touches);
        }
    }

    #[test]
    fn the_polygon_model_finds_a_way_exactly_when_there_is_one(kind in kinds()) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        let mut query = query(QueryDef { nodes: 8192, corridor: 4096, ..QueryDef::DEFAULT });
        for _ in 0..4 {
            let (start, end) = (world.place(), world.place());
            let task = Task { model: NodeModel::Polygon, start, end, nodes: 8192 };
            let answer = search(&mut query, &world, &task, &Filter::ALL);
            let least = dijkstra::least_cost(&world.mesh, start, end, &Filter::ALL);
            prop_assert_eq!(answer.found, least < f64::INFINITY);
        }
    }
}

const OPEN: Kind = Kind { seed: 5, tiles: 3, holes: 0, merged: false, floors: 1, links: 0 };

#[test]
fn every_node_limit_gives_a_path_or_says_that_nodes_ran_out() {
    let mut world = World::new(Kind { holes: 25, links: 2, ..OPEN });
    let (start, end) = (world.place(), world.place());
    for model in [NodeModel::Polygon, NodeModel::Crossing] {
        let mut ends = Vec::new();
        for nodes in 1..400 {
            let mut query = query(QueryDef { nodes, model, ..QueryDef::DEFAULT });
            let task = Task { model, start, end, nodes: nodes as usize };
            let answer = search(&mut query, &world, &task, &Filter::ALL);
            assert_eq!(answer, literal::search(&world.mesh, &task, &Filter::ALL));
            let outcome = query.path().outcome();
            ends.push(outcome.end);
            assert_eq!(outcome.end == PathEnd::OutOfNodes, !answer.found && answer.node_limit);
            assert!(query.high_water().nodes <= nodes);
        }
        assert_eq!((ends[0], *ends.last().unwrap()), (PathEnd::OutOfNodes, PathEnd::Found));
    }
}

#[test]
fn the_end_says_why_there_is_no_way() {
    // Two floors of one tile with nothing between them: the tile's sides lie open to columns that are not loaded.
    let mut world = World::new(Kind { tiles: 1, floors: 2, ..OPEN });
    let all = world.polygons();
    let (low, high) = (all[0], *all.last().unwrap());
    let (a, b) = (world::middle(&world.mesh, low), world::middle(&world.mesh, high));
    let mut query = query(QueryDef::DEFAULT);
    let task = Task { model: NodeModel::Polygon, start: (low, a), end: (high, b), nodes: 4096 };
    search(&mut query, &world, &task, &Filter::ALL);
    assert_eq!(query.path().outcome().end, PathEnd::NotLoaded);
    assert_eq!(query.path().outcome().detail, QueryStatus::Partial);

    // An island in the middle of the tile touches no side.
    let mut island = super::world::TileOf::default();
    for (x, z) in [(2.0, 2.0), (3.0, 2.0), (3.0, 3.0), (2.0, 3.0), (6.0, 2.0), (7.0, 2.0), (7.0, 3.0), (6.0, 3.0)] {
        island.vertices.push([x, 0.0, z]);
    }
    island.polygon(&[0, 1, 2, 3], 0, 1);
    island.polygon(&[4, 5, 6, 7], 0, 1);
    island.connect(12.0);
    let mut mesh = super::world::empty_mesh();
    island.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    world = World { mesh, random: world.random };
    let outcome = query.find_path(&world.mesh, [2.5, 0.0, 2.5], [6.5, 0.0, 2.5], &Filter::ALL).unwrap();
    assert_eq!((outcome.end, outcome.has_path(), outcome.is_partial()), (PathEnd::None, true, true));
    assert_eq!(query.path().points().len(), 2);
    assert_eq!(query.path().points()[1].position, [3.0, 0.0, 2.5]);
}

#[test]
fn ways_longer_than_the_longest_path_are_not_followed() {
    let world = World::new(OPEN);
    let (start, end) = ([1.0, 0.0, 1.0], [35.0, 0.0, 35.0]);
    let mut free = query(QueryDef::DEFAULT);
    let far = free.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
    assert_eq!(far.end, PathEnd::Found);
    let mut short = query(QueryDef { path_length: far.length / 2.0, ..QueryDef::DEFAULT });
    let near = short.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
    assert_eq!((near.end, near.is_partial()), (PathEnd::TooLong, true));
    // What is walked to the last polygon is within the limit; the polygon's own size comes on top.
    assert!(near.length <= far.length / 2.0 + 4.0);
}

#[test]
fn a_filter_with_a_wrong_least_cost_still_ends() {
    #[derive(Clone, Copy)]
    struct Wrong(f64);
    impl PolygonFilter for Wrong {
        fn passes(&self, _: u16, _: u8) -> bool {
            true
        }
        fn area_cost(&self, area: u8) -> f64 {
            [1.0, 4.0, 0.5, 9.0][area as usize & 3]
        }
        fn min_area_cost(&self) -> f64 {
            self.0
        }
    }
    let mut world = World::new(Kind { holes: 20, links: 3, ..OPEN });
    for least in [0.0, 3.0, 1e6, -2.0, f64::NAN, f64::INFINITY] {
        for model in [NodeModel::Polygon, NodeModel::Crossing] {
            let mut query = query(QueryDef { model, ..QueryDef::DEFAULT });
            for _ in 0..20 {
                let (start, end) = (world.place(), world.place());
                query.begin_path(&world.mesh, start.0, start.1, end.0, end.1, &Wrong(least)).unwrap();
                let status = query.step(&world.mesh, &Wrong(least), u64::MAX).unwrap();
                assert_ne!(status, QueryStatus::InProgress);
                let outcome = query.finish_path(&world.mesh).unwrap();
                assert!(outcome.iterations <= 16 * 4096);
                assert!(!query.path().corridor().is_empty());
            }
        }
    }
}

#[test]
fn a_corridor_longer_than_the_buffer_keeps_its_first_part() {
    let world = World::new(OPEN);
    let (start, end) = ([1.0, 0.0, 1.0], [35.0, 0.0, 35.0]);
    let mut whole = query(QueryDef::DEFAULT);
    whole.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
    for corridor in [1, 2, 7] {
        let mut cut = query(QueryDef { corridor, ..QueryDef::DEFAULT });
        let outcome = cut.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
        assert!(outcome.corridor_truncated && outcome.has_path());
        assert_eq!(cut.path().corridor(), &whole.path().corridor()[..corridor as usize]);
        assert_eq!(cut.path().points()[0], whole.path().points()[0]);
    }
}
