//! Claims about what searches put into a debug buffer.

use super::links::stage_links;
use super::paths::kinds;
use super::world::{Kind, World, corners, query};
use crate::debug::{DebugBuffer, DebugKind, DebugNeeds, DebugVertex};
use crate::error::ErrorKind;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{
    Circle, Filter, MoveEnd, NodeModel, Query, QueryDef, QueryStatus, WallOptions, WallSegment, debug_walls,
};
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];

const MARK: DebugVertex = DebugVertex { position: [0.0; 3], kind: 99, value: 0.0 };

/// What a drawing gives with room for all, and that smaller buffers have the first of it and the same counts.
fn drawn(mut draw: impl FnMut(&mut DebugBuffer<'_>)) -> (Vec<DebugVertex>, Vec<[u32; 3]>, Vec<[u32; 2]>) {
    let mut none = DebugBuffer::over([0.0; 3], &mut [], &mut [], &mut []).unwrap();
    draw(&mut none);
    let needed = none.needed();
    assert_eq!(none.is_full(), needed != DebugNeeds::default());
    let mut v = std::vec![MARK; needed.vertices + 1];
    let (mut t, mut l) = (std::vec![[77; 3]; needed.triangles + 1], std::vec![[77; 2]; needed.lines + 1]);
    let mut whole = DebugBuffer::over([0.0; 3], &mut v, &mut t, &mut l).unwrap();
    draw(&mut whole);
    assert!(!whole.is_full() && whole.needed() == needed);
    assert_eq!((whole.vertices().len(), whole.lines().len()), (needed.vertices, needed.lines));
    assert_eq!((v[needed.vertices], t[needed.triangles], l[needed.lines]), (MARK, [77; 3], [77; 2]));
    v.pop();
    t.pop();
    l.pop();
    // A step that meets every part of what is drawn, and few of them.
    for room in (0..needed.vertices).step_by(needed.vertices / 7 + 1) {
        let mut few = std::vec![MARK; needed.vertices];
        let (mut tt, mut ll) = (std::vec![[77; 3]; needed.triangles], std::vec![[77; 2]; room / 2]);
        let mut part = DebugBuffer::over([0.0; 3], &mut few[..room], &mut tt, &mut ll).unwrap();
        draw(&mut part);
        assert!(part.needed() == needed && part.is_full());
        assert!(part.vertices() == &v[..room] && l.starts_with(part.lines()) && t.starts_with(part.triangles()));
        assert!(few[room..].iter().all(|vertex| *vertex == MARK));
    }
    (v, t, l)
}

/// The outlines of a kind: closed rings of vertices of one value, one after the other.
fn rings(kind: DebugKind, vertices: &[DebugVertex], lines: &[[u32; 2]]) -> Vec<(f32, Vec<[f32; 3]>)> {
    let mut rings = Vec::<(f32, Vec<[f32; 3]>)>::new();
    let mut first = None;
    for [a, b] in lines.iter().filter(|line| vertices[line[0] as usize].kind() == Some(kind)) {
        let from = vertices[*a as usize];
        if first.is_none() {
            rings.push((from.value, Vec::new()));
        }
        rings.last_mut().unwrap().1.push(from.position);
        let begun = *first.get_or_insert(*a);
        if *b == begun {
            first = None;
        } else {
            assert_eq!(*b, a + 1);
        }
    }
    assert_eq!(first, None);
    rings
}

fn outlines(mesh: &NavMesh<'_>, polygons: &[PolyRef]) -> Vec<(f32, Vec<[f32; 3]>)> {
    let ring = |&polygon: &PolyRef| corners(mesh, polygon).iter().map(|corner| corner.map(|x| x as f32)).collect();
    polygons.iter().enumerate().map(|(place, polygon)| (place as f32, ring(polygon))).collect()
}

fn expanded(query: &mut Query<'_>, mesh: &NavMesh<'_>) -> Vec<PolyRef> {
    let mut all = std::vec![PolyRef::NONE; 4096];
    let count = query.expanded_polygons(mesh, &mut all).unwrap();
    all.truncate(count);
    all
}

/// The order in which polygons join the set of those expanded, seen from outside: by searches cut off after one
/// expansion, two, and so on.
fn order_seen(most: u64, mut cut_off: impl FnMut(u64) -> Vec<PolyRef>) -> Vec<PolyRef> {
    let mut seen = Vec::new();
    for budget in 1..=most {
        let now = cut_off(budget);
        let new: Vec<PolyRef> = now.iter().filter(|polygon| !seen.contains(*polygon)).copied().collect();
        assert!(new.len() <= 1 && now.len() == seen.len() + new.len());
        seen.extend(new);
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn polygons_are_listed_once_in_the_order_they_are_expanded(kind in kinds(), links in 0usize..4, crossing in any::<bool>()) {
        let mut world = World::new(Kind { tiles: kind.tiles.min(2), ..kind });
        prop_assume!(world.mesh.tile_count() > 0);
        stage_links(&mut world, 1, links);
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { nodes: 2048, corridor: 256, model, ..QueryDef::DEFAULT });
        let filter = Filter::ALL;
        for _ in 0..3 {
            let ((from, start), (to, end)) = (world.place(), world.place());
            let mesh = &world.mesh;
            query.begin_path(mesh, from, start, to, end, &filter).unwrap();
            query.step(mesh, &filter, u64::MAX).unwrap();
            let steps = query.finish_path(mesh).unwrap().iterations;
            let list = expanded(&mut query, mesh);
            prop_assert_eq!(&list, &expanded(&mut query, mesh));
            let seen = order_seen(steps.min(40), |budget| {
                query.begin_path(mesh, from, start, to, end, &filter).unwrap();
                query.step(mesh, &filter, budget).unwrap();
                assert_eq!(query.expanded_polygons(mesh, &mut []).unwrap_err().kind(), ErrorKind::State);
                query.finish_path(mesh).unwrap();
                expanded(&mut query, mesh)
            });
            prop_assert!(list.starts_with(&seen) && (steps > 40 || list.len() == seen.len()));
            let whole = query.find_shortest_path_between(mesh, from, start, to, end, &filter).unwrap();
            if whole.detail != QueryStatus::Success || whole.iterations == 0 {
                continue;
            }
            let list = expanded(&mut query, mesh);
            let seen = order_seen(whole.iterations.min(40), |budget| {
                query.begin_shortest_path(mesh, from, start, to, end, &filter).unwrap();
                query.step_shortest_path(mesh, &filter, budget).unwrap();
                query.finish_shortest_path(mesh).unwrap();
                expanded(&mut query, mesh)
            });
            prop_assert!(list.starts_with(&seen) && (whole.iterations > 40 || list.len() == seen.len()));
        }
    }

    #[test]
    fn a_path_is_drawn_as_its_search_and_its_corridor_and_its_points(kind in kinds(), crossing in any::<bool>()) {
        let mut world = World::new(kind);
        prop_assume!(world.mesh.tile_count() > 0);
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { nodes: 4096, corridor: 4096, model, ..QueryDef::DEFAULT });
        for _ in 0..3 {
            let (start, end) = (world.position(kind.tiles), world.position(kind.tiles));
            query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
            let list = expanded(&mut query, &world.mesh);
            let (vertices, triangles, lines) = drawn(|buffer| query.debug_path(&world.mesh, buffer).unwrap());
            prop_assert!(triangles.is_empty());
            prop_assert_eq!(rings(DebugKind::Expanded, &vertices, &lines), outlines(&world.mesh, &list));
            let path = query.path();
            prop_assert_eq!(rings(DebugKind::Corridor, &vertices, &lines), outlines(&world.mesh, path.corridor()));
            prop_assert!(path.corridor().iter().all(|polygon| list.contains(polygon)));
            let points: Vec<_> = vertices.iter().filter(|vertex| vertex.kind() == Some(DebugKind::Path)).collect();
            prop_assert_eq!(points.len(), path.points().len());
            for (number, (vertex, point)) in points.iter().zip(path.points()).enumerate() {
                prop_assert_eq!((vertex.position, vertex.value), (point.position.map(|x| x as f32), number as f32));
            }
        }
    }
}

#[test]
fn a_mesh_that_changed_is_named_and_another_search_has_none() {
    let mut world = World::new(Kind { seed: 3, tiles: 2, holes: 5, merged: true, floors: 1, links: 0 });
    let mut query = query(QueryDef::DEFAULT);
    assert_eq!(query.expanded_polygons(&world.mesh, &mut []), Ok(0));
    let (start, end) = (world.position(2), world.position(2));
    query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
    let count = query.expanded_polygons(&world.mesh, &mut []).unwrap();
    assert!(count > 1);
    let mut one = [PolyRef::NONE];
    assert_eq!(query.expanded_polygons(&world.mesh, &mut one), Ok(count));
    let polygon = one[0];
    query.find_circle(&world.mesh, Circle { polygon, center: start, radius: 5.0 }, &Filter::ALL).unwrap();
    assert_eq!(query.expanded_polygons(&world.mesh, &mut []), Ok(0));
    query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
    world.mesh.set_area(polygon, 9).unwrap();
    assert_eq!(query.expanded_polygons(&world.mesh, &mut []).unwrap_err().kind(), ErrorKind::State);
}

#[test]
fn areas_walls_rays_and_moves_are_drawn_as_found() {
    let mut world = World::new(Kind { seed: 8, tiles: 3, holes: 20, merged: false, floors: 1, links: 0 });
    let mut query = query(QueryDef::DEFAULT);
    let (mut hits, mut seen) = (0, 0);
    for _ in 0..6 {
        let (polygon, center) = world.place();
        let mesh = &world.mesh;
        let circle = Circle { polygon, center, radius: 6.0 };
        query.find_circle(mesh, circle, &Filter::ALL).unwrap();
        let found: Vec<_> = query.area().polygons().collect();
        let (vertices, _, lines) = drawn(|buffer| query.debug_area(mesh, buffer));
        let wanted = outlines(mesh, &found.iter().map(|one| one.polygon).collect::<Vec<_>>());
        let wanted: Vec<_> = wanted
            .into_iter()
            .zip(&found)
            .map(|((_, ring), one)| (crate::math::sqrt(one.distance_squared) as f32, ring))
            .collect();
        assert_eq!(rings(DebugKind::Reached, &vertices, &lines), wanted);

        let mut walls = [WallSegment::default(); 64];
        let count = query.find_walls(mesh, circle, &Filter::ALL, WallOptions::ALL, &mut walls).unwrap().count;
        let walls = &walls[..count.min(64)];
        let (vertices, _, lines) = drawn(|buffer| debug_walls(walls, buffer));
        assert_eq!((vertices.len(), lines.len()), (2 * walls.len(), walls.len()));
        for (wall, ends) in walls.iter().zip(vertices.chunks(2)) {
            let kind = if wall.is_not_loaded() { DebugKind::TileSide } else { DebugKind::Wall };
            assert!(ends.iter().all(|end| end.kind() == Some(kind) && end.value == wall.distance() as f32));
            assert_eq!([ends[0].position, ends[1].position], [wall.start, wall.end].map(|p| p.map(|x| x as f32)));
        }
        seen += walls.len();

        let end: V = [center[0] + 9.0, 0.0, center[2] + 4.0];
        let ray = query.raycast(mesh, polygon, center, end, &Filter::ALL).unwrap();
        let (vertices, _, lines) = drawn(|buffer| ray.debug(mesh, center, end, buffer));
        let point = ray.point(mesh, center, end).unwrap();
        assert_eq!(vertices[1].position, point.map(|x| x as f32));
        assert_eq!((vertices.len(), lines.len()), if ray.is_hit() { (5, 3) } else { (2, 1) });
        hits += usize::from(ray.end == MoveEnd::Wall);
        let moved = query.move_along_surface(mesh, polygon, center, end, &Filter::ALL).unwrap();
        let visited = query.visited().to_vec();
        let (vertices, _, lines) = drawn(|buffer| {
            moved.debug(center, buffer);
            mesh.debug_outlines(&visited, buffer).unwrap();
        });
        assert_eq!(vertices[1].position, moved.position.map(|x| x as f32));
        assert_eq!(rings(DebugKind::Corridor, &vertices, &lines), outlines(mesh, &visited));
    }
    assert!(hits > 0 && seen > 20);
}

#[test]
fn a_mesh_is_drawn_with_each_surface_and_each_edge_once() {
    let world = World::new(Kind { seed: 21, tiles: 2, holes: 15, merged: true, floors: 2, links: 2 });
    let mesh = &world.mesh;
    let (vertices, triangles, lines) = drawn(|buffer| mesh.debug_tiles([0, 0], [0, 1], buffer).unwrap());
    let tiles: Vec<_> = mesh.tiles().filter(|tile| tile.x == 0).collect();
    let polygons: Vec<_> = tiles.iter().flat_map(|tile| tile.polygons).collect();
    // No detail here: fans.
    assert_eq!(triangles.len(), polygons.iter().map(|polygon| polygon.edge_count as usize - 2).sum::<usize>());
    let count = |kind| lines.iter().filter(|line| vertices[line[0] as usize].kind() == Some(kind)).count();
    let edges = || tiles.iter().flat_map(|tile| tile.edges);
    let none = crate::mesh::view::NO_NEIGHBOR;
    let inner = edges().filter(|edge| edge.neighbor != none).count();
    let sides = edges().filter(|edge| edge.side != 255).count();
    assert_eq!((count(DebugKind::InnerEdge), count(DebugKind::TileSide)), (inner / 2, sides));
    assert_eq!(count(DebugKind::Wall), edges().count() - inner - sides);
    assert_eq!(count(DebugKind::TileBounds), 4 * tiles.len());
    // Triangles look up and have the polygons' areas.
    for [a, b, c] in &triangles {
        let [a, b, c] = [a, b, c].map(|&n| vertices[n as usize]);
        let (u, w): (V, V) = (
            core::array::from_fn(|k| f64::from(b.position[k] - a.position[k])),
            core::array::from_fn(|k| f64::from(c.position[k] - a.position[k])),
        );
        assert!(u[0] * w[2] - u[2] * w[0] >= 0.0 && a.kind() == Some(DebugKind::Polygon));
    }
    assert!(
        mesh.debug_tiles([1, 0], [0, 0], &mut DebugBuffer::over([0.0; 3], &mut [], &mut [], &mut []).unwrap()).is_err()
    );
    let slots: Vec<_> =
        mesh.tiles().flat_map(|tile| tile.off_mesh.iter().map(move |slot| (tile.origin, *slot))).collect();
    let (vertices, _, lines) = drawn(|buffer| mesh.debug_links(buffer));
    assert_eq!((vertices.len(), lines.len()), (9 * slots.len(), 8 * slots.len()));
    for ((origin, slot), arc) in slots.iter().zip(vertices.chunks(9)) {
        let start: [f32; 3] = core::array::from_fn(|k| (origin[k] + f64::from(slot.start[k])) as f32);
        let both = arc[0].kind() == Some(DebugKind::LinkBothWays);
        assert_eq!((arc[0].position, both), (start, slot.bidirectional & 1 == 1));
        let span = |k: usize| f64::from(slot.end[k] - slot.start[k]);
        let length: f64 = (0..3).map(|k| span(k) * span(k)).sum::<f64>();
        let rise = f64::from(arc[4].position[1] - (arc[0].position[1] + arc[8].position[1]) / 2.0);
        assert!((rise - crate::math::sqrt(length) / 4.0).abs() < 1e-4);
    }
}

#[test]
fn a_corridor_is_drawn_without_what_is_gone_and_never_from_nothing() {
    let mut world = World::new(Kind { seed: 2, tiles: 2, holes: 0, merged: true, floors: 1, links: 0 });
    let all = world.polygons();
    let gone = all[0];
    world.mesh.stage_tile_removal(0, 0, 0).unwrap();
    world.mesh.commit().unwrap();
    let kept = *all.iter().find(|polygon| world.mesh.is_valid(**polygon)).unwrap();
    let (vertices, triangles, _) = drawn(|buffer| world.mesh.debug_corridor(&[gone, kept], buffer).unwrap());
    assert_eq!((vertices.len(), triangles.len()), (corners(&world.mesh, kept).len(), vertices.len() - 2));
    assert!(vertices.iter().all(|vertex| vertex.kind() == Some(DebugKind::Corridor) && vertex.value == 1.0));
    let mut buffer = DebugBuffer::over([0.0; 3], &mut [], &mut [], &mut []).unwrap();
    let error = world.mesh.debug_outlines(&[kept, PolyRef(u64::MAX)], &mut buffer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(buffer.needed().vertices, vertices.len());
}
