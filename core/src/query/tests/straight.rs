//! Claims about the straight path.

use super::literal::{Exit, exits, flat_length};
use super::visibility::shortest;
use super::world::{Kind, TileOf, World, corners, empty_mesh, query};
use crate::mesh::view::OffMeshSlot;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{Filter, NodeModel, POINT_END, POINT_OFF_MESH, POINT_START, QueryDef, QueryStatus};
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];
/// The two ends of each portal or link.
type Pairs = Vec<(V, V)>;

/// A corridor's portals cut at its off-mesh links: stretches, and the link ends between them.
fn stretches(mesh: &NavMesh<'_>, corridor: &[PolyRef]) -> Option<(Vec<Pairs>, Pairs)> {
    let (mut parts, mut links) = (std::vec![Vec::new()], Vec::new());
    for pair in corridor.windows(2) {
        let joining: Vec<Exit> = exits(mesh, pair[0]).into_iter().filter(|exit| exit.target() == pair[1]).collect();
        // All edges that two convex polygons share lie in one line: the portal is the hull of the shared parts.
        let mut ends: Vec<V> = Vec::new();
        for exit in &joining {
            match *exit {
                Exit::Edge(_, a, b) => ends.extend([a, b]),
                Exit::Portal(_, a, b, ..) => ends.extend(shared_parts(mesh, (a, b), pair[1])),
                Exit::OffMesh(..) | Exit::Staged(..) => {}
            }
        }
        if ends.is_empty() {
            let Exit::OffMesh(_, near, far, ..) = joining[0] else { panic!("a link joins them") };
            // A link may end beside the polygons it is attached to: what is shortest from there is another question.
            if !holds(mesh, pair[0], near) || !holds(mesh, pair[1], far) {
                return None;
            }
            links.push((near, far));
            parts.push(Vec::new());
            continue;
        }
        let axis = if ends.iter().all(|p| (p[0] - ends[0][0]).abs() < 1e-9) { 2 } else { 0 };
        let low = ends.iter().copied().min_by(|p, q| p[axis].total_cmp(&q[axis])).unwrap();
        let high = ends.iter().copied().max_by(|p, q| p[axis].total_cmp(&q[axis])).unwrap();
        parts.last_mut().unwrap().push((low, high));
    }
    Some((parts, links))
}

pub(super) fn holds(mesh: &NavMesh<'_>, polygon: PolyRef, p: V) -> bool {
    let ring = corners(mesh, polygon);
    (0..ring.len()).all(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        (b[0] - a[0]) * (p[2] - a[2]) >= (b[2] - a[2]) * (p[0] - a[0])
    })
}

/// What an edge shares with the edges of a polygon that lie on its line and overlap it.
pub(super) fn shared_parts(mesh: &NavMesh<'_>, (a, b): (V, V), other: PolyRef) -> Vec<V> {
    let ring = corners(mesh, other);
    let axis = if a[0] == b[0] { 2 } else { 0 };
    let mut parts = Vec::new();
    for i in 0..ring.len() {
        let (c, d) = (ring[i], ring[(i + 1) % ring.len()]);
        let level = 2 - axis;
        if (c[level] - a[level]).abs() > 1e-9 || (d[level] - a[level]).abs() > 1e-9 {
            continue;
        }
        let low = a[axis].min(b[axis]).max(c[axis].min(d[axis]));
        let high = a[axis].max(b[axis]).min(c[axis].max(d[axis]));
        if high > low {
            for u in [low, high] {
                let mut point = a;
                point[axis] = u;
                parts.push(point);
            }
        }
    }
    parts
}

fn walked_length(points: impl Iterator<Item = V>) -> f64 {
    let points: Vec<V> = points.collect();
    points.windows(2).map(|p| flat_length(p[0], p[1])).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_path_is_the_shortest_in_its_corridor(
        seed in any::<u64>(), holes in 0u64..40, merged in any::<bool>(), links in 0u64..3, crossing in any::<bool>(),
    ) {
        let mut world = World::new(Kind { seed, tiles: 3, holes, merged, floors: 1, links });
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { nodes: 8192, corridor: 4096, points: 4096, model, ..QueryDef::DEFAULT });
        for _ in 0..8 {
            let (start, end) = (world.position(3), world.position(3));
            let outcome = query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap();
            if !outcome.has_path() {
                continue;
            }
            let path = query.path();
            let (points, corridor) = (path.points(), path.corridor());
            prop_assert_eq!(points[0].flags & POINT_START, POINT_START);
            prop_assert_eq!(points.last().unwrap().flags & POINT_END, POINT_END);
            prop_assert_eq!(points[0].polygon == corridor[0], points[0].flags == POINT_START && points.len() > 1
                || corridor.len() == 1 || points[0].polygon == corridor[0]);
            prop_assert_eq!(points.last().unwrap().polygon, *corridor.last().unwrap());
            // Where each point's polygon stands in the corridor never goes back.
            let places: Vec<usize> =
                points.iter().map(|p| corridor.iter().position(|&c| c == p.polygon).unwrap()).collect();
            prop_assert!(places.is_sorted());
            let Some((parts, links)) = stretches(&world.mesh, corridor) else { continue };
            let mut least = 0.0;
            let mut from = points[0].position;
            for (part, link) in parts.iter().zip(links.iter().map(Some).chain([None])) {
                let to = link.map_or(points.last().unwrap().position, |link| link.0);
                least += shortest(from, to, part);
                if let Some(&(near, far)) = link {
                    least += walked_length([near, far].into_iter());
                    from = far;
                }
            }
            let walked = walked_length(points.iter().map(|p| p.position));
            prop_assert!((walked - least).abs() <= 1e-7 * (1.0 + least), "walked {} of {}: {:?} {:?} {:?}", walked, least, points, parts, links);
        }
    }

    #[test]
    fn fewer_corners_are_the_first_of_all(seed in any::<u64>(), merged in any::<bool>()) {
        let mut world = World::new(Kind { seed, tiles: 3, holes: 30, merged, floors: 1, links: 2 });
        let mut query = query(QueryDef::DEFAULT);
        let (start, end) = (world.position(3), world.position(3));
        if query.find_path(&world.mesh, start, end, &Filter::ALL).unwrap().has_path() {
            let corridor = query.path().corridor().to_vec();
            query.straight_path(&world.mesh, start, end, &corridor, None).unwrap();
            let all = query.path().points().to_vec();
            for most in 0..all.len() as u32 + 2 {
                let outcome = query.straight_path(&world.mesh, start, end, &corridor, Some(most)).unwrap();
                prop_assert_eq!(outcome.detail, QueryStatus::Success);
                let kept = all.len().min(most as usize);
                prop_assert_eq!(query.path().points(), &all[..kept]);
                prop_assert_eq!(outcome.points_truncated, most as usize <= all.len());
            }
        }
    }
}

/// Two squares beside each other, and a third reached by a link only.
fn islands() -> NavMesh<'static> {
    let mut tile = TileOf::default();
    for x in [1.0, 3.0, 5.0] {
        tile.vertices.extend([[x, 0.0, 1.0], [x, 0.0, 3.0]]);
    }
    for x in [7.0, 9.0] {
        tile.vertices.extend([[x, 1.0, 1.0], [x, 1.0, 3.0]]);
    }
    tile.polygon(&[0, 2, 3, 1], 0, 1);
    tile.polygon(&[2, 4, 5, 3], 0, 1);
    tile.polygon(&[6, 8, 9, 7], 0, 1);
    tile.connect(12.0);
    tile.off_mesh.push(OffMeshSlot {
        start: [4.5, 0.0, 2.5],
        end: [7.5, 1.0, 2.5],
        radius: 0.5,
        user_id: 3,
        flags: 1,
        area: 0,
        bidirectional: 1,
    });
    let mut mesh = empty_mesh();
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    mesh
}

#[test]
fn a_link_is_entered_and_left_at_its_ends_in_either_direction() {
    let mesh = islands();
    let mut query = query(QueryDef::DEFAULT);
    let (near, far) = ([4.5, 0.0, 2.5], [7.5, 1.0, 2.5]);
    let (a, b) = ([1.5, 0.0, 1.5], [8.5, 1.0, 1.5]);
    for (start, end, entry, exit) in [(a, b, near, far), (b, a, far, near)] {
        let outcome = query.find_path(&mesh, start, end, &Filter::ALL).unwrap();
        assert_eq!(outcome.detail, QueryStatus::Success);
        let points: Vec<_> = query.path().points().iter().map(|p| (p.position, p.flags)).collect();
        assert_eq!(points, [(start, POINT_START), (entry, POINT_OFF_MESH), (exit, 0), (end, POINT_END)]);
        let corridor = query.path().corridor();
        let link = corridor.windows(2).position(|pair| pair.iter().filter(|p| p.index() == 2).count() == 1).unwrap();
        assert_eq!(query.path().points()[1].polygon, corridor[link + 1]);
    }
}

#[test]
fn points_at_one_place_are_one_point_with_all_flags() {
    let mesh = islands();
    let mut query = query(QueryDef::DEFAULT);
    let (near, far) = ([4.5, 0.0, 2.5], [7.5, 1.0, 2.5]);
    query.find_path(&mesh, near, far, &Filter::ALL).unwrap();
    let points: Vec<_> = query.path().points().iter().map(|p| (p.position, p.flags, p.polygon.index())).collect();
    assert_eq!(points, [(near, POINT_START | POINT_OFF_MESH, 2), (far, POINT_END, 2)]);
    query.find_path(&mesh, near, near, &Filter::ALL).unwrap();
    let points: Vec<_> = query.path().points().iter().map(|p| (p.position, p.flags)).collect();
    assert_eq!(points, [(near, POINT_START | POINT_END)]);
}

#[test]
fn ends_are_moved_onto_the_corridor() {
    let mesh = islands();
    let mut query = query(QueryDef::DEFAULT);
    let polygon = |index| PolyRef::new(1, 0, index);
    query.straight_path(&mesh, [0.0, 5.0, 2.0], [5.0, 7.0, 9.0], &[polygon(0), polygon(1)], None).unwrap();
    let points: Vec<_> = query.path().points().iter().map(|p| p.position).collect();
    assert_eq!(points, [[1.0, 0.0, 2.0], [5.0, 0.0, 3.0]]);
}

#[test]
fn a_corridor_that_does_not_hold_together_gives_nothing() {
    let mut mesh = islands();
    let mut query = query(QueryDef { corridor: 3, ..QueryDef::DEFAULT });
    let polygon = |index| PolyRef::new(1, 0, index);
    let stale = PolyRef::new(2, 0, 0);
    let broken: [&[PolyRef]; 6] = [
        &[],
        &[polygon(0), polygon(2)],
        &[polygon(0), polygon(9)],
        &[stale],
        &[polygon(0), PolyRef::NONE],
        &[polygon(0), polygon(1), polygon(0), polygon(1)],
    ];
    for corridor in broken {
        let outcome = query.straight_path(&mesh, [2.0, 0.0, 2.0], [4.0, 0.0, 2.0], corridor, None).unwrap();
        assert_eq!(outcome.detail, QueryStatus::InvalidCorridor);
        assert!(query.path().points().is_empty() && !outcome.has_path());
    }
    mesh.stage_tile_removal(0, 0, 0).unwrap();
    mesh.commit().unwrap();
    let outcome = query.straight_path(&mesh, [2.0, 0.0, 2.0], [2.0, 0.0, 2.0], &[polygon(0)], None).unwrap();
    assert_eq!(outcome.detail, QueryStatus::InvalidCorridor);
}
