//! Claims about links staged on the mesh as exits of a search.

use super::dijkstra;
use super::literal::{self, Task};
use super::paths::{accepted, filter_of, kinds, search};
use super::world::{Kind, TileOf, World, empty_mesh, query};
use crate::mesh::{AnyLink, LinkDef, LinkId, NavMesh, PolyRef, link_kind};
use crate::query::{Filter, NodeModel, POINT_OFF_MESH, PathEnd, PolygonFilter, Query, QueryDef};
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];

/// Stages links at random over a world, some wide, some free of charge, and switches some off.
pub fn stage_links(world: &mut World, tiles: i32, count: usize) {
    for _ in 0..count {
        let (start, end) = (world.position(tiles), world.position(tiles));
        let mut roll = |n: u64| world.random.below(n);
        let cost = [0.0, 0.5, 4.0, 30.0][roll(4) as usize];
        let (width, kind, two_way) = ([0.0, 0.0, 1.5][roll(3) as usize], roll(4) as u8, roll(2) == 0);
        let enabled = roll(5) > 0;
        // Near the floor they are over.
        let level = |[x, y, z]: V| [x, if y > 2.0 { 4.2 } else { 0.2 }, z];
        let (start, end) = (level(start), level(end));
        // A wide link straight up has no direction to be wide across, and is refused.
        let width = if start[0] == end[0] && start[2] == end[2] { 0.0 } else { width };
        let def = LinkDef { start, end, radius: 1.0, cost, width, kind, two_way };
        let id = world.mesh.stage_link(&def).unwrap();
        world.mesh.stage_link_enabled(id, enabled).unwrap();
        // The staged edits are few.
        world.mesh.commit().unwrap();
    }
}

/// The filter of a number, taking all kinds of links, or two of four.
fn filter(which: u8) -> Filter {
    let filter = filter_of(which);
    if which % 2 == 1 { filter.with_link_kinds(0b0110) } else { filter }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn a_search_takes_staged_links_as_any_exit(kind in kinds(), which in 0u8..4, count in 0usize..12) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        stage_links(&mut world, kind.tiles, count);
        let filter = filter(which);
        for model in [NodeModel::Polygon, NodeModel::Crossing] {
            let mut query = query(QueryDef { nodes: 8192, corridor: 4096, model, ..QueryDef::DEFAULT });
            for _ in 0..5 {
                let (Some(start), Some(end)) = (accepted(&mut world, &filter), accepted(&mut world, &filter)) else {
                    continue;
                };
                let task = Task { model, start, end, nodes: 8192 };
                let answer = search(&mut query, &world, &task, &filter);
                prop_assert_eq!(&answer, &literal::search(&world.mesh, &task, &filter));
                if model == NodeModel::Crossing {
                    let least = dijkstra::least_cost(&world.mesh, start, end, &filter);
                    prop_assert_eq!(answer.found, least < f64::INFINITY);
                    let off = (answer.cost - least).abs();
                    prop_assert!(!answer.found || off <= 1e-9 * (1.0 + least), "{} against {}", answer.cost, least);
                }
            }
        }
    }

    #[test]
    fn a_path_names_each_link_it_crosses_and_where(kind in kinds(), count in 4usize..14, crossing in any::<bool>()) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        stage_links(&mut world, kind.tiles, count);
        let filter = Filter::new().with_link_kinds(0b0111);
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { nodes: 8192, corridor: 4096, points: 4096, model, ..QueryDef::DEFAULT });
        for _ in 0..8 {
            let (start, end) = (world.position(kind.tiles), world.position(kind.tiles));
            query.find_path(&world.mesh, start, end, &filter).unwrap();
            check_links(&world.mesh, &query, &filter);
        }
    }
}

/// Checks the links of a query's path against the mesh and counts the staged ones: each is entered and left at points of the path that follow one
/// another, leads between polygons of the corridor that do, and may be crossed that way.
fn check_links(mesh: &NavMesh<'_>, query: &Query<'_>, filter: &Filter) -> usize {
    let (path, mut seen) = (query.path(), 0);
    let flagged = path.points().iter().filter(|point| point.flags & POINT_OFF_MESH != 0).count();
    assert!(flagged <= path.links().len());
    for link in path.links() {
        let takeoff = path.points()[link.takeoff()];
        assert!(takeoff.flags & POINT_OFF_MESH != 0);
        let landing = path.points()[(link.takeoff() + 1).min(path.points().len() - 1)];
        let (mut ends, polygons) = match link.link() {
            AnyLink::Staged(id) => {
                let (def, crossing) = (mesh.link_def(id).unwrap(), mesh.link_crossings(id).unwrap()[link.crossing()]);
                assert!(filter.accepts_link_kind(def.kind) && mesh.is_link_enabled(id).unwrap());
                assert!((def.two_way || !link.is_reverse()) && link.kind() == Some(def.kind));
                seen += 1;
                (crossing.points, Some(crossing.polygons))
            }
            AnyLink::Authored(tile, slot) => {
                let (view, local) = (mesh.tile_of(tile).unwrap(), mesh.tile_of(tile).unwrap().off_mesh[slot]);
                let world = |p: [f32; 3]| -> V { core::array::from_fn(|k| view.origin[k] + f64::from(p[k])) };
                assert_eq!(link.kind(), None);
                ([world(local.start), world(local.end)], None)
            }
        };
        if link.is_reverse() {
            ends.swap(0, 1);
        }
        assert_eq!((takeoff.position, landing.position), (ends[0], ends[1]));
        let at = path.corridor().iter().position(|&polygon| polygon == takeoff.polygon).unwrap();
        if let Some([a, b]) = polygons {
            let wanted = if link.is_reverse() { [b, a] } else { [a, b] };
            // At one place several links may begin one after the other: the point has the last one's polygon.
            assert!(path.corridor()[at - 1..=at] == wanted || path.corridor().windows(2).any(|pair| pair == wanted));
        }
    }
    seen
}

#[test]
fn random_worlds_have_paths_over_staged_links() {
    let mut seen = 0;
    for seed in 0..8 {
        let kind = Kind { seed, tiles: 3, holes: 30, merged: seed % 2 == 0, floors: 1, links: 1 };
        let mut world = World::new(kind);
        stage_links(&mut world, 3, 10);
        for model in [NodeModel::Polygon, NodeModel::Crossing] {
            let mut query = query(QueryDef { nodes: 8192, corridor: 4096, points: 4096, model, ..QueryDef::DEFAULT });
            for _ in 0..40 {
                let (start, end) = (world.position(3), world.position(3));
                query.find_path(&world.mesh, start, end, &Filter::new()).unwrap();
                seen += check_links(&world.mesh, &query, &Filter::new());
            }
        }
    }
    assert!(seen > 40, "{seen}");
}

/// Two floors of one tile, 4 apart in x and the second 1 lower; a third lies 3 above the first.
fn islands() -> NavMesh<'static> {
    let mut mesh = empty_mesh();
    let mut tile = TileOf::default();
    for (low, high, y) in [(0.0, 4.0, 1.0), (8.0, 12.0, 0.0), (0.0, 4.0, 4.0)] {
        let first = tile.vertices.len() as u16;
        tile.vertices.extend([[low, y, 0.0], [high, y, 0.0], [high, y, 8.0], [low, y, 8.0]]);
        tile.polygon(&[first, first + 1, first + 2, first + 3], 0, 1);
    }
    tile.connect(12.0);
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    mesh
}

fn island(index: u32) -> PolyRef {
    PolyRef::new(1, 0, index)
}

fn staged(mesh: &mut NavMesh<'_>, def: LinkDef) -> LinkId {
    let id = mesh.stage_link(&def).unwrap();
    mesh.commit().unwrap();
    id
}

const GAP: LinkDef = LinkDef {
    start: [4.0, 1.0, 4.0],
    end: [8.0, 0.0, 4.0],
    radius: 0.5,
    cost: 3.0,
    width: 0.0,
    kind: link_kind::JUMP,
    two_way: false,
};

#[test]
fn a_link_joins_what_no_surface_joins_until_it_is_switched_off() {
    let mut mesh = islands();
    let mut query = query(QueryDef::DEFAULT);
    let (here, there) = ([2.0, 1.0, 4.0], [10.0, 0.0, 4.0]);
    let mut end = |mesh: &NavMesh<'_>, filter: &Filter, reverse: bool| {
        let (start, goal) = if reverse { (there, here) } else { (here, there) };
        query.find_path(mesh, start, goal, filter).unwrap().end
    };
    let all = Filter::new();
    assert_ne!(end(&mesh, &all, false), PathEnd::Found);
    let id = mesh.stage_link(&LinkDef { two_way: true, ..GAP }).unwrap();
    assert_ne!(end(&mesh, &all, false), PathEnd::Found);
    mesh.commit().unwrap();
    assert_eq!((end(&mesh, &all, false), end(&mesh, &all, true)), (PathEnd::Found, PathEnd::Found));
    let without = Filter::new().with_link_kinds(!(1 << link_kind::JUMP));
    assert_ne!(end(&mesh, &without, false), PathEnd::Found);
    mesh.stage_link_enabled(id, false).unwrap();
    assert_eq!(end(&mesh, &all, true), PathEnd::Found);
    mesh.commit().unwrap();
    assert!(mesh.link_state(id).unwrap().attached);
    assert_ne!(end(&mesh, &all, false), PathEnd::Found);
    assert_ne!(end(&mesh, &all, true), PathEnd::Found);
    mesh.set_link_enabled(id, true).unwrap();
    assert_eq!(end(&mesh, &all, true), PathEnd::Found);
    mesh.stage_link_removal(id).unwrap();
    mesh.commit().unwrap();
    assert_ne!(end(&mesh, &all, false), PathEnd::Found);
    staged(&mut mesh, GAP);
    assert_eq!(end(&mesh, &all, false), PathEnd::Found);
    assert_ne!(end(&mesh, &all, true), PathEnd::Found);
}

#[test]
fn the_cost_is_the_walk_and_what_the_link_declares() {
    let mut mesh = islands();
    let id = staged(&mut mesh, GAP);
    for model in [NodeModel::Polygon, NodeModel::Crossing] {
        let mut query = query(QueryDef { model, ..QueryDef::DEFAULT });
        let outcome = query.find_path(&mesh, [1.0, 1.0, 4.0], [10.0, 0.0, 4.0], &Filter::ALL).unwrap();
        assert_eq!(outcome.cost, 3.0 + 3.0 + 2.0);
        let link = query.path().links()[0];
        assert_eq!((link.link(), link.kind(), link.takeoff()), (id.into(), Some(link_kind::JUMP), 1));
        let points: Vec<_> = query.path().points().iter().map(|point| (point.position, point.flags)).collect();
        assert_eq!(points[1..3], [([4.0, 1.0, 4.0], POINT_OFF_MESH), ([8.0, 0.0, 4.0], 0)]);
    }
}

#[test]
fn an_edge_link_is_crossed_where_the_way_is_short() {
    let mut mesh = islands();
    let id = staged(&mut mesh, LinkDef { width: 6.0, ..GAP });
    let radius = f64::from(mesh.params().agent_radius);
    let crossings = mesh.link_crossings(id).unwrap().to_vec();
    assert!(crossings.iter().all(|crossing| crossing.polygons == [island(0), island(1)]));
    for z in [0.5, 1.7, 4.0, 6.9] {
        for model in [NodeModel::Polygon, NodeModel::Crossing] {
            let mut query = query(QueryDef { model, ..QueryDef::DEFAULT });
            query.find_path(&mesh, [2.0, 1.0, z], [10.0, 0.0, z], &Filter::ALL).unwrap();
            let link = query.path().links()[0];
            let near = crossings[link.crossing()].points[0][2];
            let best = crossings.iter().map(|c| (c.points[0][2] - z).abs()).fold(f64::INFINITY, f64::min);
            assert!((near - z).abs() <= best + 1e-9 && (best <= radius || !(1.0..7.0).contains(&z)));
            // The corridor alone leads over the same.
            let corridor = query.path().corridor().to_vec();
            query.straight_path(&mesh, [2.0, 1.0, z], [10.0, 0.0, z], &corridor, None).unwrap();
            assert_eq!(query.path().links(), [link]);
        }
    }
}

#[test]
fn a_cheap_link_is_found_though_it_begins_on_the_far_side() {
    // A strip of ground and a link from behind the start to the goal: the straight distance would hide it.
    let mut world = World::new(Kind { seed: 5, tiles: 3, holes: 0, merged: false, floors: 1, links: 0 });
    let def = LinkDef {
        kind: link_kind::TELEPORT,
        radius: 1.0,
        cost: 0.5,
        ..LinkDef::between([1.0, 0.2, 1.0], [34.0, 0.2, 1.0])
    };
    let id = staged(&mut world.mesh, def);
    for model in [NodeModel::Polygon, NodeModel::Crossing] {
        let mut query = query(QueryDef { nodes: 8192, model, ..QueryDef::DEFAULT });
        let mut ask = |filter: &Filter| {
            let outcome = query.find_path(&world.mesh, [8.0, 0.2, 1.0], [35.0, 0.2, 1.0], filter).unwrap();
            (outcome.cost, query.path().links().len())
        };
        let (with, without) = (ask(&Filter::new()), ask(&Filter::new().with_link_kinds(0)));
        assert_eq!((with.1, without.1), (1, 0));
        assert!(with.0 < 10.0 && without.0 > 26.0, "{model:?}: {with:?} {without:?}");
    }
    assert!(world.mesh.link_state(id).unwrap().attached);
}

#[test]
fn a_link_joins_floors_one_above_the_other() {
    let mut mesh = islands();
    let ladder =
        LinkDef { kind: link_kind::LADDER, two_way: true, ..LinkDef::between([2.0, 1.0, 4.0], [2.0, 4.0, 4.0]) };
    let id = staged(&mut mesh, ladder);
    assert_eq!(mesh.link_state(id).unwrap().polygons, [island(0), island(2)]);
    let mut query = query(QueryDef::DEFAULT);
    for (from, to) in [(1.0, 4.0), (4.0, 1.0)] {
        let outcome = query.find_path(&mesh, [3.0, from, 1.0], [3.0, to, 7.0], &Filter::ALL).unwrap();
        assert_eq!((outcome.end, query.path().links()[0].is_reverse()), (PathEnd::Found, from > to));
    }
}

#[test]
fn a_link_from_a_polygon_to_itself_is_attached_and_harms_nothing() {
    let mut mesh = islands();
    let id = staged(&mut mesh, LinkDef { cost: 0.0, ..LinkDef::between([0.5, 1.0, 0.5], [3.5, 1.0, 7.5]) });
    assert_eq!(mesh.link_state(id).unwrap().polygons, [island(0); 2]);
    for model in [NodeModel::Polygon, NodeModel::Crossing] {
        let mut query = query(QueryDef { model, ..QueryDef::DEFAULT });
        let outcome = query.find_path(&mesh, [0.5, 1.0, 0.5], [3.5, 1.0, 7.5], &Filter::ALL).unwrap();
        assert_eq!((outcome.end, query.path().corridor()), (PathEnd::Found, &[island(0)][..]));
    }
}

#[test]
fn a_tile_that_goes_and_comes_back_is_linked_again() {
    let mut square = TileOf::default();
    square.vertices.extend([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 0.0, 10.0], [0.0, 0.0, 10.0]]);
    square.polygon(&[0, 1, 2, 3], 0, 1);
    square.connect(12.0);
    let mut mesh = empty_mesh();
    square.add_to(&mut mesh, 0, 0, 0, 0.0);
    square.add_to(&mut mesh, 1, 0, 0, 0.0);
    let def = LinkDef { radius: 1.0, two_way: true, ..LinkDef::between([9.0, 0.2, 3.0], [13.0, 0.2, 3.0]) };
    let id = staged(&mut mesh, def);
    // Off the loaded tiles, where a tile may come one day.
    let nowhere = staged(&mut mesh, LinkDef { end: [70.0, 0.2, 70.0], ..def });
    let before = mesh.link_state(id).unwrap();
    let state = mesh.link_state(nowhere).unwrap();
    assert!(before.attached && !state.attached);
    assert_eq!((state.polygons, state.points[1]), ([before.polygons[0], PolyRef::NONE], [70.0, 0.2, 70.0]));
    let mut query = query(QueryDef::DEFAULT);
    let mut end = |mesh: &NavMesh<'_>| query.find_path(mesh, [20.0, 0.0, 5.0], [5.0, 0.0, 5.0], &Filter::ALL).unwrap();
    assert_eq!(end(&mesh).end, PathEnd::Found);
    mesh.remove_tile(1, 0, 0).unwrap();
    let gone = mesh.link_state(id).unwrap();
    assert_eq!((gone.attached, gone.enabled, gone.attached_crossings), (false, true, 0));
    assert_eq!(gone.polygons, [before.polygons[0], PolyRef::NONE]);
    square.add_to(&mut mesh, 1, 0, 0, 0.0);
    mesh.commit().unwrap();
    let back = mesh.link_state(id).unwrap();
    assert_eq!((back.attached, back.points), (true, before.points));
    assert_eq!((back.polygons[1].slot(), back.polygons[1].salt()), (1, before.polygons[1].salt() + 1));
    assert_eq!(end(&mesh).end, PathEnd::Found);
    square.add_to(&mut mesh, 5, 5, 0, 0.0);
    mesh.commit().unwrap();
    assert!(mesh.link_state(nowhere).unwrap().attached);
}

#[test]
fn staged_links_are_no_part_of_a_saved_mesh_and_restoring_removes_them() {
    let kind = Kind { seed: 8, tiles: 2, holes: 10, merged: false, floors: 1, links: 2 };
    let (mut world, again) = (World::new(kind), World::new(kind));
    stage_links(&mut world, 2, 9);
    let saved = |mesh: &NavMesh<'_>| {
        let mut bytes = std::vec![0; mesh.save_size()];
        mesh.save(&mut bytes).unwrap();
        bytes
    };
    let (id, bytes) = (world.mesh.links().next().unwrap(), saved(&world.mesh));
    assert_eq!(bytes, saved(&again.mesh));
    world.mesh.restore(&bytes).unwrap();
    assert_eq!(world.mesh.link_state(id).unwrap_err().kind(), crate::error::ErrorKind::Stale);
    assert_eq!((world.mesh.links().count(), world.mesh.open_link_kinds()), (0, 0));
    assert_eq!(saved(&world.mesh), bytes);
}
