//! Claims about the shortest path.

use super::free_space::FreeSpace;
use super::links::stage_links;
use super::literal::{Exit, exits, flat_length, length};
use super::straight::holds;
use super::world::{Kind, World, query};
use crate::error::{ErrorKind, Subject};
use crate::mesh::{AnyLink, NavMesh, PolyRef};
use crate::query::{Filter, PathEnd, PathOutcome, PathPoint, Query, QueryDef, QueryStatus};
use proptest::prelude::*;

type V = [f64; 3];
type Place = (PolyRef, V);

const ROOMY_NODES: u32 = 1 << 16;

fn roomy() -> Query<'static> {
    query(QueryDef { nodes: ROOMY_NODES, corridor: 4096, points: 4096, ..QueryDef::DEFAULT })
}

/// The length of a query's path in the plane, links at their cost.
fn walked(mesh: &NavMesh<'_>, query: &Query<'_>) -> f64 {
    let (points, links) = (query.path().points(), query.path().links());
    let leg = |(number, pair): (usize, &[PathPoint])| match links.iter().find(|link| link.takeoff() == number) {
        None => flat_length(pair[0].position, pair[1].position),
        Some(link) => match link.link() {
            AnyLink::Staged(id) => mesh.link_def(id).unwrap().cost,
            AnyLink::Authored(..) => length(pair[0].position, pair[1].position),
        },
    };
    points.windows(2).enumerate().map(leg).sum()
}

fn find(query: &mut Query<'_>, world: &World, start: Place, end: Place) -> PathOutcome {
    query.find_shortest_path_between(&world.mesh, start.0, start.1, end.0, end.1, &Filter::ALL).unwrap()
}

/// A place in a polygon: inside, on an edge, or at a corner.
fn anywhere(world: &mut World) -> Place {
    let (polygon, middle) = world.place();
    let ring = super::world::corners(&world.mesh, polygon);
    let i = world.random.below(ring.len() as u64) as usize;
    let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
    let s = world.random.next_f64();
    let on = |a: V, b: V, s: f64| -> V { core::array::from_fn(|k| a[k] + (b[k] - a[k]) * s) };
    match world.random.below(4) {
        0 => (polygon, a),
        1 => (polygon, on(a, b, 0.5)),
        2 => (polygon, on(a, b, s)),
        _ => (polygon, on(middle, on(a, b, s), 0.9)),
    }
}

/// A link may end beside the polygons it is attached to: what is shortest from there is another question. Staged links
/// are snapped onto theirs.
fn links_end_on_polygons(world: &World) -> bool {
    world.polygons().into_iter().all(|polygon| {
        exits(&world.mesh, polygon).into_iter().all(|exit| match exit {
            Exit::OffMesh(target, near, far, ..) => {
                holds(&world.mesh, polygon, near) && holds(&world.mesh, target, far)
            }
            _ => true,
        })
    })
}

/// Compares shortest paths over a world with the visibility graph, both ways.
fn agrees_with_the_visibility_graph(mut world: World) {
    if world.polygons().is_empty() || !links_end_on_polygons(&world) {
        return;
    }
    let mut space = FreeSpace::new(&world.mesh, &Filter::ALL);
    let mut query = roomy();
    let is_same_back = world.mesh.links().all(|id| world.mesh.link_def(id).unwrap().two_way);
    let is_same_back = is_same_back && world.mesh.tiles().all(|tile| tile.off_mesh.is_empty());
    for _ in 0..4 {
        let (start, end) = (anywhere(&mut world), anywhere(&mut world));
        let mut lengths = [0.0; 2];
        for (way, (start, end)) in [(start, end), (end, start)].into_iter().enumerate() {
            let outcome = find(&mut query, &world, start, end);
            let s = (space.number(start.0).unwrap(), start.1);
            let t = (space.number(end.0).unwrap(), end.1);
            let least = space.shortest(s, t);
            assert_eq!(outcome.detail == QueryStatus::Success, least.is_finite(), "{start:?} {end:?} {least}");
            if least.is_finite() {
                let (points, length) = (query.path().points(), walked(&world.mesh, &query));
                let off = (length - least).abs();
                assert!(off <= 1e-9 * (1.0 + least), "{length} of {least}: {start:?} {end:?} {points:#?}");
                lengths[way] = length;
            }
        }
        let apart = (lengths[0] - lengths[1]).abs();
        assert!(!is_same_back || apart <= 1e-9 * (1.0 + lengths[0]), "{lengths:?}: {start:?} {end:?}");
    }
}

/// The start lies at a corner of three polygons, and the way leads through the third: more than a half turn round.
#[test]
fn a_start_at_a_corner_sees_all_of_the_polygons_there() {
    let seed = 16_242_616_623_045_066_254;
    let world = World::new(Kind { seed, tiles: 1, holes: 26, merged: false, floors: 1, links: 1 });
    agrees_with_the_visibility_graph(world);
}

#[test]
fn tiles_whose_portals_overlap_in_part_agree_with_the_visibility_graph() {
    let seed = 4_515_146_020_607_778_895;
    let world = World::new(Kind { seed, tiles: 2, holes: 29, merged: false, floors: 1, links: 0 });
    agrees_with_the_visibility_graph(world);
}

/// The end lies on an edge of its polygon, a rounding outside, and the way comes along that edge.
#[test]
fn an_end_on_the_portal_that_a_way_turns_round_is_reached() {
    let seed = 3_711_471_426_751_546_698;
    let mut world = World::new(Kind { seed, tiles: 2, holes: 22, merged: false, floors: 1, links: 0 });
    stage_links(&mut world, 2, 3);
    agrees_with_the_visibility_graph(world);
}

#[test]
fn the_shortest_path_over_links_is_as_long_as_the_visibility_graph_says() {
    for seed in 0..8 {
        let merged = seed % 2 == 0;
        agrees_with_the_visibility_graph(World::new(Kind { seed, tiles: 1, holes: 20, merged, floors: 1, links: 1 }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_shortest_path_is_as_long_as_the_visibility_graph_says_both_ways(
        seed in any::<u64>(), holes in 10u64..50, merged in any::<bool>(), tiles in 1i32..3,
    ) {
        agrees_with_the_visibility_graph(World::new(Kind { seed, tiles, holes, merged, floors: 1, links: 0 }));
    }

    #[test]
    fn over_staged_links_it_is_as_long_as_the_visibility_graph_says_both_ways(
        seed in any::<u64>(), holes in 10u64..50, merged in any::<bool>(), tiles in 1i32..3, count in 1usize..8,
    ) {
        let mut world = World::new(Kind { seed, tiles, holes, merged, floors: 1, links: 0 });
        stage_links(&mut world, tiles, count);
        agrees_with_the_visibility_graph(world);
    }
}

/// A world in which a way was longer than the visibility graph's before ways of one length were told apart.
#[test]
fn a_world_that_once_disagreed_with_the_visibility_graph_agrees() {
    let kind = Kind { seed: 4_515_146_020_607_778_895, tiles: 2, holes: 29, merged: false, floors: 1, links: 0 };
    agrees_with_the_visibility_graph(World::new(kind));
}

/// Many corners in a line, and two ways to each: were both followed, they would double at every corner.
#[test]
fn ways_of_one_length_do_not_multiply() {
    let seed = 11_943_400_990_066_584_645;
    let mut world = World::new(Kind { seed, tiles: 3, holes: 30, merged: false, floors: 2, links: 0 });
    let mut query = roomy();
    for _ in 0..8 {
        let (start, end) = (world.position(3), world.position(3));
        let found = query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
        let shortest = query.find_shortest_path(&world.mesh, start, end, &Filter::ALL).unwrap();
        assert_eq!(found.end, shortest.end);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn it_is_never_longer_than_the_path_search_and_its_corridor_holds_it(
        seed in any::<u64>(), holes in 0u64..40, merged in any::<bool>(), floors in 1i32..3,
    ) {
        let mut world = World::new(Kind { seed, tiles: 3, holes, merged, floors, links: 0 });
        let mut query = roomy();
        for _ in 0..8 {
            let (start, end) = (world.position(3), world.position(3));
            let found = query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
            let known = walked(&world.mesh, &query);
            let shortest = query.find_shortest_path(&world.mesh, start, end, &Filter::ALL).unwrap();
            prop_assert_eq!((found.detail, found.end), (shortest.detail, shortest.end));
            if found.detail == QueryStatus::Success {
                let length = walked(&world.mesh, &query);
                prop_assert!(length <= known * (1.0 + 1e-12), "{} but {}", length, known);
                prop_assert_eq!(shortest.cost, shortest.length);
                let corridor = query.path().corridor().to_vec();
                query.straight_path(&world.mesh, start, end, &corridor, None).unwrap();
                // The ends are found anew on their polygons, by another sum.
                let again = walked(&world.mesh, &query);
                prop_assert!((again - length).abs() <= 1e-9 * (1.0 + length), "{} then {}", length, again);
            }
        }
    }

    #[test]
    fn any_slices_give_what_one_run_gives(seed in any::<u64>(), nodes in 20u32..2000, holes in 0u64..60) {
        let mut world = World::new(Kind { seed, tiles: 3, holes, merged: seed % 2 == 0, floors: 1, links: 2 });
        prop_assume!(!world.polygons().is_empty());
        let mut query = query(QueryDef { nodes, ..QueryDef::DEFAULT });
        let (start, end) = (anywhere(&mut world), anywhere(&mut world));
        let whole = find(&mut query, &world, start, end);
        let whole = (whole, query.path().corridor().to_vec(), query.path().points().to_vec());
        for budget in [1, 2, 7, 50] {
            query.begin_shortest_path(&world.mesh, start.0, start.1, end.0, end.1, &Filter::ALL).unwrap();
            while query.step_shortest_path(&world.mesh, &Filter::ALL, budget).unwrap() == QueryStatus::InProgress {}
            let outcome = query.finish_shortest_path(&world.mesh).unwrap();
            let path = query.path();
            prop_assert_eq!(&(outcome, path.corridor().to_vec(), path.points().to_vec()), &whole);
        }
    }

    #[test]
    fn a_node_limit_loses_the_shortest_path_but_not_the_truth(seed in any::<u64>(), nodes in 1u32..120) {
        let mut world = World::new(Kind { seed, tiles: 2, holes: 30, merged: false, floors: 1, links: 0 });
        prop_assume!(!world.polygons().is_empty());
        let (start, end) = (anywhere(&mut world), anywhere(&mut world));
        let all = find(&mut roomy(), &world, start, end);
        let mut few = query(QueryDef { nodes, ..QueryDef::DEFAULT });
        let outcome = find(&mut few, &world, start, end);
        match outcome.end {
            PathEnd::Found => prop_assert_eq!((outcome.length, outcome.cost), (all.length, all.cost)),
            PathEnd::OutOfNodes => prop_assert!(outcome.node_limit_reached && outcome.is_partial()),
            end => prop_assert_eq!((end, outcome.is_partial()), (all.end, true)),
        }
        prop_assert!(few.high_water().nodes <= nodes);
    }
}

#[test]
fn a_place_that_is_cut_off_has_no_way_whether_nodes_run_out_or_not() {
    let world = World::new(Kind { seed: 5, tiles: 1, holes: 60, merged: false, floors: 1, links: 0 });
    let space = FreeSpace::new(&world.mesh, &Filter::ALL);
    let all = world.polygons();
    let start = (all[0], super::world::middle(&world.mesh, all[0]));
    let mut cut_off = 0;
    for &polygon in &all {
        let end = (polygon, super::world::middle(&world.mesh, polygon));
        let reached = space.reaches(space.number(start.0).unwrap(), space.number(polygon).unwrap());
        let outcome = find(&mut roomy(), &world, start, end);
        // Beyond the tile there may be a way: none is loaded.
        let end_of = if reached { &[PathEnd::Found][..] } else { &[PathEnd::None, PathEnd::NotLoaded] };
        assert!(end_of.contains(&outcome.end), "{outcome:?}");
        cut_off += u32::from(!reached);
        // With nodes for the path search but not for all intervals.
        let mut few = query(QueryDef { nodes: 40, ..QueryDef::DEFAULT });
        let limited = find(&mut few, &world, start, end).end;
        assert!(limited == outcome.end || reached && limited == PathEnd::OutOfNodes);
    }
    assert!(cut_off > 0);
}

#[test]
fn areas_of_different_cost_are_refused_and_forbidden_ones_not_entered() {
    let world = World::new(Kind { seed: 4, tiles: 2, holes: 10, merged: false, floors: 1, links: 0 });
    let mut query = roomy();
    let (a, b) = ([1.0, 0.0, 1.0], [22.0, 0.0, 22.0]);
    let differing = Filter::new().with_area_cost(9, 2.0).unwrap();
    let error = query.find_shortest_path(&world.mesh, a, b, &differing).unwrap_err();
    assert_eq!((error.kind(), error.subject(), error.index()), (ErrorKind::Invalid, Subject::AreaCost, Some(9)));
    let mut filter = Filter::new();
    for area in 0..64 {
        filter = filter.with_area_cost(area, if area == 2 { f64::INFINITY } else { 3.0 }).unwrap();
    }
    let mut found = 0;
    for start in world.polygons() {
        for end in world.polygons().into_iter().rev().take(6) {
            let place = |polygon| super::world::middle(&world.mesh, polygon);
            let area = |polygon| world.mesh.polygon(polygon).unwrap().1.area;
            let find = |query: &mut Query<'_>| {
                query.find_shortest_path_between(&world.mesh, start, place(start), end, place(end), &filter).unwrap()
            };
            let outcome = find(&mut query);
            if area(end) == 2 && start != end {
                assert_eq!(outcome.detail, QueryStatus::InvalidEndPoly);
                continue;
            }
            let corridor = query.path().corridor();
            assert!(corridor.iter().skip(1).all(|&polygon| area(polygon) != 2));
            assert_eq!(corridor[0], start);
            if outcome.end == PathEnd::Found {
                assert_eq!(outcome.cost, outcome.length * 3.0);
                found += u32::from(area(start) == 2);
            }
        }
    }
    assert!(found > 0);
}

#[test]
fn what_was_not_begun_or_has_changed_is_refused() {
    let mut world = World::new(Kind { seed: 9, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let all = world.polygons();
    let (a, b) = (all[0], all[all.len() - 1]);
    let (start, end) = ([1.0, 0.0, 1.0], [23.0, 0.0, 23.0]);
    let mut query = roomy();
    let state =
        |error: crate::error::Error| assert_eq!((error.kind(), error.subject()), (ErrorKind::State, Subject::Search));
    state(query.step_shortest_path(&world.mesh, &Filter::ALL, 1).unwrap_err());
    state(query.finish_shortest_path(&world.mesh).unwrap_err());
    query.begin_shortest_path(&world.mesh, a, start, b, end, &Filter::ALL).unwrap();
    assert_eq!(query.step_shortest_path(&world.mesh, &Filter::ALL, 0).unwrap_err().subject(), Subject::Budget);
    state(query.step(&world.mesh, &Filter::ALL, 1).unwrap_err());
    query.step_shortest_path(&world.mesh, &Filter::ALL, 3).unwrap();
    let outcome = query.finish_shortest_path(&world.mesh).unwrap();
    assert_eq!((outcome.detail, outcome.end, outcome.iterations), (QueryStatus::InProgress, PathEnd::Unfinished, 3));
    assert_eq!(
        (query.path().corridor()[0], query.path().points()[0].position),
        (a, [1.0, query.path().points()[0].position[1], 1.0])
    );
    query.begin_shortest_path(&world.mesh, a, start, b, end, &Filter::ALL).unwrap();
    world.mesh.stage_tile_removal(1, 1, 0).unwrap();
    world.mesh.commit().unwrap();
    state(query.step_shortest_path(&world.mesh, &Filter::ALL, 2).unwrap_err());
    state(query.finish_shortest_path(&world.mesh).unwrap_err());
    assert_eq!(
        query.begin_shortest_path(&world.mesh, b, start, a, end, &Filter::ALL),
        Ok(QueryStatus::InvalidStartPoly)
    );
    assert_eq!(query.begin_shortest_path(&world.mesh, a, start, b, end, &Filter::ALL), Ok(QueryStatus::InvalidEndPoly));
    let bad = [f64::NAN, 0.0, 0.0];
    for (from, to, which) in [(bad, end, 0), (start, bad, 1)] {
        let error = query.begin_shortest_path(&world.mesh, a, from, a, to, &Filter::ALL).unwrap_err();
        assert_eq!((error.subject(), error.index()), (Subject::Position, Some(which)));
        assert!(query.find_shortest_path(&world.mesh, from, to, &Filter::ALL).is_err());
    }
    assert!(query.find_shortest_path(&world.mesh, start, [8.0, 0.0, 8.0], &Filter::ALL).unwrap().has_path());
}
