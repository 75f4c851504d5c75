//! Claims about area searches, against a breadth-first walk over touching portals and against the page's sentences with
//! a map and a heap that keeps stale entries.

use super::world::{Kind, TileOf, World, corners, empty_mesh, middle, query};
use crate::error::{ErrorKind, Subject};
use crate::geometry::predicates::orient2d;
use crate::mesh::view::{LINK_PORTAL, NO_NEIGHBOR};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{
    AreaOutcome, AreaPolygon, AreaStatus, Circle, Filter, MAX_RADIUS, PolygonFilter, Query, QueryDef, QueryStatus,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::vec::Vec;

type V = [f64; 3];

/// The portals of a polygon in the search's order: where each leads, and its ends.
pub fn portals(mesh: &NavMesh<'_>, polygon: PolyRef, filter: &impl PolygonFilter) -> Vec<(PolyRef, V, V)> {
    let (tile, record) = mesh.polygon(polygon).unwrap();
    let ring = corners(mesh, polygon);
    let mut portals = Vec::new();
    for (i, edge) in tile.edges_of(record).iter().enumerate() {
        let (a, c) = (ring[i], ring[(i + 1) % ring.len()]);
        if edge.neighbor != NO_NEIGHBOR {
            portals.push((tile.reference.polygon(edge.neighbor), a, c));
            continue;
        }
        for link in tile.links_of(record).iter().filter(|link| link.kind == LINK_PORTAL && link.edge as usize == i) {
            let at = |k: u8| match k {
                0 => a,
                255 => c,
                _ => core::array::from_fn(|axis| a[axis] + (c[axis] - a[axis]) * (k as f64 / 255.0)),
            };
            portals.push((link.target, at(link.range_min), at(link.range_max)));
        }
    }
    portals.retain(|&(target, ..)| {
        let (_, record) = mesh.polygon(target).unwrap();
        filter.accepts(record.flags, record.area)
    });
    portals
}

/// The squared distance of a point from a segment, seen from above, by clamped projection.
pub fn squared_distance(a: V, b: V, p: V) -> f64 {
    let (ex, ez, px, pz) = (b[0] - a[0], b[2] - a[2], p[0] - a[0], p[2] - a[2]);
    let (dot, square) = (px * ex + pz * ez, ex * ex + ez * ez);
    let nearest = if square == 0.0 || dot <= 0.0 {
        a
    } else if dot >= square {
        b
    } else {
        core::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * (dot / square))
    };
    let (x, z) = (p[0] - nearest[0], p[2] - nearest[2]);
    x * x + z * z
}

/// What a search is about, as the oracles see it.
#[derive(Clone)]
pub enum Shape {
    Circle(V, f64),
    /// Counter-clockwise.
    Convex(Vec<V>),
}

impl Shape {
    pub fn reference(&self) -> V {
        match self {
            &Shape::Circle(center, _) => center,
            Shape::Convex(points) => {
                let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64;
                [mean(0), 0.0, mean(2)]
            }
        }
    }

    /// A convex polygon and a segment have nothing in common exactly when a line along an edge of the polygon or along
    /// the segment parts them: the edges of their difference are parallel to those.
    pub fn touches(&self, a: V, b: V) -> bool {
        match self {
            &Shape::Circle(center, radius) => squared_distance(a, b, center) <= radius * radius,
            Shape::Convex(points) => {
                let flat = |p: V| [p[0], p[2]];
                let turn = |p: V, q: V, r: V| orient2d(flat(p), flat(q), flat(r)).sign();
                let edges = (0..points.len()).map(|i| (points[i], points[(i + 1) % points.len()]));
                let beyond_edge = edges.into_iter().any(|(p, q)| turn(p, q, a) < 0 && turn(p, q, b) < 0);
                let sides: BTreeSet<i32> = points.iter().map(|&point| turn(a, b, point)).collect();
                !beyond_edge && (flat(a) == flat(b) || sides.len() > 1 || sides.contains(&0))
            }
        }
    }
}

/// Whatever can be reached over touching portals, in no order.
fn reachable(mesh: &NavMesh<'_>, start: PolyRef, shape: &Shape, filter: &impl PolygonFilter) -> BTreeSet<PolyRef> {
    let mut found = BTreeSet::from([start]);
    let mut waiting = std::vec![start];
    while let Some(polygon) = waiting.pop() {
        for (target, a, b) in portals(mesh, polygon, filter) {
            if shape.touches(a, b) && found.insert(target) {
                waiting.push(target);
            }
        }
    }
    found
}

/// The search as the page has it. `overlap` says which polygons may not both be met.
pub fn literal(
    mesh: &NavMesh<'_>,
    start: PolyRef,
    shape: &Shape,
    filter: &impl PolygonFilter,
    nodes: usize,
    overlap: &dyn Fn(PolyRef, PolyRef) -> bool,
) -> (Vec<AreaPolygon>, bool) {
    struct Node {
        key: f64,
        parent: PolyRef,
        closed: bool,
    }
    let mut met = BTreeMap::from([(start, Node { key: 0.0, parent: PolyRef::NONE, closed: false })]);
    let mut open = BinaryHeap::from([std::cmp::Reverse((0u64, 0u64, start))]);
    let (mut sequence, mut limited, mut list) = (1, false, Vec::new());
    while let Some(std::cmp::Reverse((_, _, polygon))) = open.pop() {
        let node = met.get_mut(&polygon).unwrap();
        if core::mem::replace(&mut node.closed, true) {
            continue;
        }
        list.push(AreaPolygon { polygon, parent: node.parent, distance_squared: node.key });
        for (target, a, b) in portals(mesh, polygon, filter) {
            if !shape.touches(a, b) {
                continue;
            }
            let key = squared_distance(a, b, shape.reference());
            if let Some(known) = met.get_mut(&target) {
                if known.closed || key >= known.key {
                    continue;
                }
                (known.key, known.parent) = (key, polygon);
            } else if met.keys().any(|&other| overlap(other, target)) {
                continue;
            } else if met.len() == nodes {
                limited = true;
                continue;
            } else {
                met.insert(target, Node { key, parent: polygon, closed: false });
            }
            open.push(std::cmp::Reverse((key.to_bits(), sequence, target)));
            sequence += 1;
        }
    }
    (list, limited)
}

fn found(query: &Query<'_>) -> Vec<AreaPolygon> {
    query.area().polygons().collect()
}

/// Begins the search that a shape stands for.
fn begin(query: &mut Query<'_>, mesh: &NavMesh<'_>, start: PolyRef, shape: &Shape, filter: &Filter) -> AreaStatus {
    match shape {
        &Shape::Circle(center, radius) => {
            query.begin_circle(mesh, Circle { polygon: start, center, radius }, filter).unwrap()
        }
        Shape::Convex(points) => query.begin_shape(mesh, start, points, filter).unwrap(),
    }
}

/// A convex polygon on a lattice, so that it meets portals and corners exactly: the hull of random lattice points.
fn hull(world: &mut World, center: V) -> Vec<V> {
    let mut points: Vec<[f64; 2]> = (0..3 + world.random.below(9))
        .map(|_| {
            let mut at = |middle: f64| middle.round() + world.random.below(9) as f64 - 4.0;
            [at(center[0]), at(center[2])]
        })
        .collect();
    points.sort_by(|a, b| a.partial_cmp(b).unwrap());
    points.dedup();
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while chain.len() > 1 && !orient2d(chain[chain.len() - 2], chain[chain.len() - 1], point).is_left() {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut ring = chain(&mut points.iter().copied());
    ring.extend(chain(&mut points.iter().rev().copied()));
    ring.into_iter().map(|[x, z]| [x, world.random.next_f64() * 9.0, z]).collect()
}

/// Any slices give the polygons of the literal search in its order, and those are whatever can be reached.
fn compare(world: &World, start: PolyRef, shape: &Shape, filter: &Filter, nodes: u32) {
    let mut query = query(QueryDef { nodes, ..QueryDef::DEFAULT });
    let mesh = &world.mesh;
    let (list, limited) = literal(mesh, start, shape, filter, nodes as usize, &|_, _| false);
    for budget in [u64::MAX, 1, 2, 7, 50] {
        assert_eq!(begin(&mut query, mesh, start, shape, filter), AreaStatus::InProgress);
        while query.step_area(mesh, filter, budget).unwrap() == AreaStatus::InProgress {}
        let outcome = query.finish_area(mesh).unwrap();
        assert_eq!(outcome.status, AreaStatus::Success);
        assert_eq!((outcome.count as usize, outcome.node_limit_reached), (list.len(), limited));
        assert_eq!(found(&query), list);
    }
    if !limited {
        let all: BTreeSet<PolyRef> = list.iter().map(|one| one.polygon).collect();
        assert_eq!(all, reachable(mesh, start, shape, filter));
        assert_eq!(all.len(), list.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn circles_find_what_touching_portals_lead_to(
        seed in any::<u64>(), merged in any::<bool>(), holes in 0u64..50, radius in 0.0f64..14.0, nodes in 1u32..200,
    ) {
        let mut world = World::with_rise(Kind { seed, tiles: 3, holes, merged, floors: 2, links: 2 }, 0.2);
        let filter = Filter::new().without_flags(4).with_area_cost(3, f64::INFINITY).unwrap();
        let (start, center) = world.place();
        let lattice = center.map(|v| v.round());
        for (center, radius) in [(center, radius), (lattice, radius.round())] {
            let (_, record) = world.mesh.polygon(start).unwrap();
            if filter.accepts(record.flags, record.area) {
                compare(&world, start, &Shape::Circle(center, radius), &filter, nodes);
                compare(&world, start, &Shape::Circle(center, radius), &filter, 2000);
            }
        }
    }

    #[test]
    fn shapes_find_what_touching_portals_lead_to_whichever_way_round(
        seed in any::<u64>(), merged in any::<bool>(), holes in 0u64..50, nodes in 1u32..200,
    ) {
        let mut world = World::new(Kind { seed, tiles: 3, holes, merged, floors: 1, links: 2 });
        let (start, center) = world.place();
        let ring = hull(&mut world, center);
        prop_assume!(ring.len() > 2);
        compare(&world, start, &Shape::Convex(ring.clone()), &Filter::new(), nodes);
        compare(&world, start, &Shape::Convex(ring.clone()), &Filter::new(), 2000);
        let mut query = query(QueryDef::DEFAULT);
        let polygons = |query: &Query<'_>| -> BTreeSet<PolyRef> { found(query).iter().map(|one| one.polygon).collect() };
        query.find_shape(&world.mesh, start, &ring, &Filter::ALL).unwrap();
        let one_way = polygons(&query);
        let backwards: Vec<V> = ring.iter().rev().copied().collect();
        query.find_shape(&world.mesh, start, &backwards, &Filter::ALL).unwrap();
        prop_assert_eq!(polygons(&query), one_way);
    }

    #[test]
    fn a_neighbourhood_has_no_two_polygons_that_overlap(
        seed in any::<u64>(), holes in 0u64..30, radius in 0.0f64..30.0, nodes in 1u32..300,
    ) {
        // Floors so close that tile sides link them; all polygons are rectangles.
        let world = World::with_rise(Kind { seed, tiles: 3, holes, merged: true, floors: 3, links: 0 }, 0.1);
        let mesh = &world.mesh;
        let box_of = |polygon: PolyRef| {
            let ring = corners(mesh, polygon);
            let least = |axis: usize| ring.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
            let most = |axis: usize| ring.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
            [least(0), least(2), most(0), most(2)]
        };
        let overlap = |p: PolyRef, q: PolyRef| {
            let (a, b) = (box_of(p), box_of(q));
            a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
        };
        let all = world.polygons();
        let start = all[seed as usize % all.len()];
        let center = middle(mesh, start);
        let shape = Shape::Circle(center, radius);
        let (list, limited) = literal(mesh, start, &shape, &Filter::new(), nodes as usize, &overlap);
        let mut query = query(QueryDef { nodes, ..QueryDef::DEFAULT });
        for budget in [u64::MAX, 1, 7] {
            let circle = Circle { polygon: start, center, radius };
            query.begin_neighbourhood(mesh, circle, &Filter::ALL).unwrap();
            while query.step_area(mesh, &Filter::ALL, budget).unwrap() == AreaStatus::InProgress {}
            prop_assert_eq!(query.finish_area(mesh).unwrap().node_limit_reached, limited);
            prop_assert_eq!(&found(&query), &list);
        }
    }
}

/// Squares of 4 by 4 that go round the point (4, 4) and come to lie above one another: 4 above 0, 5 above 1.
pub fn spiral() -> NavMesh<'static> {
    let mut mesh = empty_mesh();
    let mut tile = TileOf::default();
    let at = |x: f32, y: f32, z: f32| [x, y, z];
    tile.vertices.extend([at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(4.0, 0.0, 4.0), at(0.0, 0.0, 4.0)]);
    tile.vertices.extend([at(8.0, 0.0, 0.0), at(8.0, 0.0, 4.0), at(8.0, 0.0, 8.0), at(4.0, 0.0, 8.0)]);
    tile.vertices.extend([at(0.0, 2.0, 8.0), at(0.0, 3.0, 4.0)]);
    tile.vertices.extend([at(0.0, 4.0, 0.0), at(4.0, 4.0, 0.0), at(8.0, 5.0, 0.0), at(8.0, 5.0, 4.0)]);
    for ring in [[0, 1, 2, 3], [1, 4, 5, 2], [2, 5, 6, 7], [2, 7, 8, 9], [10, 11, 2, 9], [11, 12, 13, 2]] {
        tile.polygon(&ring, 0, 1);
    }
    tile.connect(12.0);
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    mesh
}

#[test]
fn of_floors_above_one_another_a_neighbourhood_has_the_one_met_first() {
    let mesh = spiral();
    let tile = mesh.tile_at(0, 0, 0).unwrap().reference;
    let mut query = query(QueryDef::DEFAULT);
    let numbers = |query: &Query<'_>| -> Vec<u32> { found(query).iter().map(|one| one.polygon.index()).collect() };
    for start in 0..6 {
        let circle = Circle { polygon: tile.polygon(start), center: [4.0, 0.0, 4.0], radius: 20.0 };
        assert_eq!(query.find_circle(&mesh, circle, &Filter::ALL).unwrap().count, 6);
        query.find_neighbourhood(&mesh, circle, &Filter::ALL).unwrap();
        // Neighbours that only touch are met; what is met first keeps out what lies above or below, and what is behind.
        let expected: &[u32] = match start {
            0..=2 => &[0, 1, 2, 3],
            3 => &[1, 2, 3, 4],
            _ => &[2, 3, 4, 5],
        };
        let mut met = numbers(&query);
        assert_eq!(met[0], start);
        met.sort();
        assert_eq!(met, expected);
    }
}

#[test]
fn touching_is_exact_to_the_last_bit() {
    let mesh = spiral();
    let tile = mesh.tile_at(0, 0, 0).unwrap().reference;
    let mut query = query(QueryDef::DEFAULT);
    let mut count = |radius: f64, center: V| {
        let circle = Circle { polygon: tile.polygon(0), center, radius };
        query.find_circle(&mesh, circle, &Filter::ALL).unwrap().count
    };
    // The portal from square 0 to square 1 lies on x = 4, 3 units away.
    assert_eq!((count(3.0, [1.0, 9.0, 2.0]), count(3.0f64.next_down(), [1.0, 9.0, 2.0])), (2, 1));
    // A point is a circle: the corner that all squares share.
    assert_eq!((count(0.0, [4.0, 0.0, 4.0]), count(0.0, [4.0f64.next_down(), 0.0, 4.0])), (6, 1));
    let mut count = |points: &[V]| query.find_shape(&mesh, tile.polygon(0), points, &Filter::ALL).unwrap();
    let triangle = |x: f64| [[x, 0.0, 1.0], [1.0, 0.0, 3.0], [1.0, 0.0, 0.5]];
    assert_eq!((count(&triangle(4.0)).count, count(&triangle(4.0f64.next_down())).count), (2, 1));
    // Neither holds an end of the portal, nor the portal a corner of it.
    assert_eq!(count(&[[3.0, 0.0, 1.0], [6.0, 0.0, 1.0], [4.5, 0.0, 2.0]]).count, 2);
    // The portal inside the shape.
    assert_eq!(count(&[[-9.0, 0.0, -9.0], [20.0, 0.0, -9.0], [20.0, 0.0, 20.0], [-9.0, 0.0, 20.0]]).count, 6);
}

#[test]
fn shapes_that_are_none_are_refused_by_a_status() {
    let mesh = spiral();
    let start = mesh.tile_at(0, 0, 0).unwrap().reference.polygon(0);
    let mut query = query(QueryDef::DEFAULT);
    let flat = |points: &[[f64; 2]]| -> Vec<V> { points.iter().map(|&[x, z]| [x, 1.0, z]).collect() };
    let circle = |count: usize, turns: f64| -> Vec<V> {
        let at = |i: usize| crate::math::sin_cos(i as f64 / count as f64 * turns * core::f64::consts::TAU);
        (0..count).map(at).map(|(sin, cos)| [cos * 5.0, 0.0, sin * 5.0]).collect()
    };
    let good = [
        flat(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]),
        flat(&[[0.0, 4.0], [4.0, 0.0], [0.0, 0.0]]),
        // Collinear points on every edge.
        flat(&[[0.0, 0.0], [1.0, 0.0], [4.0, 0.0], [4.0, 2.0], [4.0, 4.0], [1.0, 4.0], [0.0, 4.0], [0.0, 1.0]]),
        circle(64, 1.0),
    ];
    for points in good {
        let outcome = query.find_shape(&mesh, start, &points, &Filter::ALL).unwrap();
        assert_eq!(outcome.status, AreaStatus::Success, "{points:?}");
    }
    let tiny = 1e-40;
    let bad = [
        Vec::new(),
        flat(&[[0.0, 0.0], [4.0, 0.0]]),
        circle(65, 1.0),
        // No area.
        flat(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]),
        flat(&[[0.0, 0.0], [2.0, 2.0], [1.0, 1.0], [3.0, 3.0]]),
        // A dent too small to see.
        flat(&[[0.0, 0.0], [2.0, 1e-9], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]),
        flat(&[[0.0, 4.0], [4.0, 4.0], [4.0, 0.0], [2.0, 1e-9], [0.0, 0.0]]),
        // Crossing itself: a bow tie, a star, a ring walked twice.
        flat(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]),
        circle(5, 2.0),
        circle(7, 3.0),
        // Points again, also such as are read as the same.
        flat(&[[0.0, 0.0], [4.0, 0.0], [4.0, 0.0], [0.0, 4.0]]),
        flat(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [-0.0, 0.0]]),
        flat(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [tiny, tiny]]),
        flat(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]),
        // Back along an edge.
        flat(&[[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [0.0, 4.0]]),
    ];
    for points in bad {
        let outcome = query.find_shape(&mesh, start, &points, &Filter::ALL).unwrap();
        assert_eq!(outcome, AreaOutcome { status: AreaStatus::InvalidShape, ..AreaOutcome::default() }, "{points:?}");
        assert!(query.area().is_empty());
        assert_eq!(query.finish_area(&mesh).unwrap_err().kind(), ErrorKind::State);
    }
}

#[test]
fn what_is_no_position_or_radius_is_an_error_and_what_is_no_polygon_a_status() {
    let mut world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let start = world.polygons()[0];
    let mut query = query(QueryDef::DEFAULT);
    let good = Circle { polygon: start, center: [1.0, 0.0, 1.0], radius: 3.0 };
    let bound = 2097152.0;
    let positions = [(f64::NAN, ErrorKind::Invalid), (f64::INFINITY, ErrorKind::Invalid), (bound, ErrorKind::Limit)];
    for (bad, kind) in positions {
        for axis in 0..3 {
            let mut center = good.center;
            center[axis] = bad;
            let circle = Circle { center, ..good };
            let shape = [good.center, [3.0, 0.0, 1.0], center];
            let errors = [
                (query.find_circle(&world.mesh, circle, &Filter::ALL).unwrap_err(), 0),
                (query.find_neighbourhood(&world.mesh, circle, &Filter::ALL).unwrap_err(), 0),
                (query.begin_circle(&world.mesh, circle, &Filter::ALL).unwrap_err(), 0),
                (query.find_shape(&world.mesh, start, &shape, &Filter::ALL).unwrap_err(), 2),
            ];
            for (error, which) in errors {
                assert_eq!((error.kind(), error.subject()), (kind, Subject::Position));
                assert_eq!((error.index(), error.part_index()), (Some(which), Some(axis as u32)));
            }
        }
    }
    let radii = [f64::NAN, f64::INFINITY, -1e-300].map(|radius| (radius, ErrorKind::Invalid));
    for (radius, kind) in radii.into_iter().chain([(MAX_RADIUS.next_up(), ErrorKind::Limit)]) {
        let error = query.find_circle(&world.mesh, Circle { radius, ..good }, &Filter::ALL).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (kind, Subject::Radius));
    }
    assert_eq!(query.find_circle(&world.mesh, Circle { radius: MAX_RADIUS, ..good }, &Filter::ALL).unwrap().count, 144);
    let area = world.mesh.polygon(start).unwrap().1.area;
    let without = Filter::new().with_area_cost(area, f64::INFINITY).unwrap();
    let is_refused = |query: &mut Query<'_>, mesh: &NavMesh<'_>, polygon: PolyRef, filter: &Filter| {
        let refused = AreaOutcome { status: AreaStatus::InvalidStartPoly, ..AreaOutcome::default() };
        let circle = Circle { polygon, ..good };
        let shape = [good.center, [3.0, 0.0, 1.0], [1.0, 0.0, 3.0]];
        assert_eq!(query.find_circle(mesh, circle, filter), Ok(refused));
        assert_eq!(query.find_neighbourhood(mesh, circle, filter), Ok(refused));
        assert_eq!(query.find_shape(mesh, polygon, &shape, filter), Ok(refused));
        assert_eq!(query.begin_circle(mesh, circle, filter), Ok(AreaStatus::InvalidStartPoly));
        assert!(query.area().is_empty());
        assert_eq!(query.step_area(mesh, filter, 1).unwrap_err().kind(), ErrorKind::State);
    };
    let forged = [PolyRef::NONE, PolyRef(u64::MAX), PolyRef::new(start.salt() + 1, start.slot(), 0)];
    for polygon in forged {
        is_refused(&mut query, &world.mesh, polygon, &Filter::new());
    }
    is_refused(&mut query, &world.mesh, start, &without);
    world.mesh.stage_tile_removal(0, 0, 0).unwrap();
    world.mesh.commit().unwrap();
    is_refused(&mut query, &world.mesh, start, &Filter::new());
}

#[test]
fn a_commit_in_the_middle_of_an_area_search_is_told_at_the_next_step() {
    let mut world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let circle = Circle { polygon: world.polygons()[0], center: [1.0, 0.0, 1.0], radius: 30.0 };
    let mut query = query(QueryDef::DEFAULT);
    query.begin_circle(&world.mesh, circle, &Filter::ALL).unwrap();
    assert_eq!(query.step_area(&world.mesh, &Filter::ALL, 0).unwrap_err().subject(), Subject::Budget);
    assert_eq!(query.step_area(&world.mesh, &Filter::ALL, 5), Ok(AreaStatus::InProgress));
    world.mesh.stage_tile_removal(1, 1, 0).unwrap();
    world.mesh.commit().unwrap();
    let stepped = query.step_area(&world.mesh, &Filter::ALL, 5).unwrap_err();
    let finished = query.finish_area(&world.mesh).unwrap_err();
    for error in [stepped, finished] {
        assert_eq!((error.kind(), error.subject()), (ErrorKind::State, Subject::Search));
    }
    assert_eq!(query.find_circle(&world.mesh, circle, &Filter::ALL).unwrap().count, 108);
}

#[test]
fn one_search_is_open_at_a_time() {
    let world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let (mesh, all) = (&world.mesh, world.polygons());
    let circle = Circle { polygon: all[0], center: [1.0, 0.0, 1.0], radius: 9.0 };
    let mut query = query(QueryDef::DEFAULT);
    query.begin_path(mesh, all[0], [1.0; 3], all[20], [5.0; 3], &Filter::ALL).unwrap();
    query.begin_circle(mesh, circle, &Filter::ALL).unwrap();
    assert_eq!(query.step(mesh, &Filter::ALL, 1).unwrap_err().kind(), ErrorKind::State);
    query.step_area(mesh, &Filter::ALL, 4).unwrap();
    assert_eq!(query.area().len(), 4);
    assert_eq!(query.begin_path(mesh, all[0], [1.0; 3], all[20], [5.0; 3], &Filter::ALL), Ok(QueryStatus::InProgress));
    assert_eq!(query.step_area(mesh, &Filter::ALL, 1).unwrap_err().kind(), ErrorKind::State);
    assert_eq!((query.area().len(), query.area().outcome()), (0, AreaOutcome::default()));
    assert_eq!(query.step(mesh, &Filter::ALL, 9999), Ok(QueryStatus::Success));
}

#[test]
fn an_area_search_finished_early_has_what_it_expanded() {
    let world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let circle = Circle { polygon: world.polygons()[0], center: [1.0, 0.0, 1.0], radius: 9.0 };
    let mut query = query(QueryDef::DEFAULT);
    query.find_circle(&world.mesh, circle, &Filter::ALL).unwrap();
    let whole = found(&query);
    for steps in [0, 1, 6] {
        query.begin_circle(&world.mesh, circle, &Filter::ALL).unwrap();
        if steps > 0 {
            query.step_area(&world.mesh, &Filter::ALL, steps).unwrap();
        }
        let outcome = query.finish_area(&world.mesh).unwrap();
        assert_eq!((outcome.status, u64::from(outcome.count)), (AreaStatus::InProgress, steps));
        assert_eq!(found(&query), whole[..steps as usize]);
    }
    let mut few = [AreaPolygon::default(); 3];
    query.find_circle(&world.mesh, circle, &Filter::ALL).unwrap();
    assert_eq!((query.area().copy_into(&mut few), few.as_slice()), (whole.len(), &whole[..3]));
}
