//! Claims about the breadth-first walk along the surface.

use super::exact::{self, exact, rounded};
use super::literal::flat_length;
use super::world::{Kind, TileOf, World, corners, empty_mesh, query};
use crate::mesh::view::{LINK_PORTAL, NO_NEIGHBOR, NO_SIDE};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::*;
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];

/// The distance seen from above from a point to a segment, by trying its foot and both ends, and the nearest point.
fn to_segment(p: V, a: V, b: V) -> (f64, V) {
    let (ex, ez) = (b[0] - a[0], b[2] - a[2]);
    let along = ((p[0] - a[0]) * ex + (p[2] - a[2]) * ez) / (ex * ex + ez * ez);
    let foot: V = core::array::from_fn(|k| a[k] + (b[k] - a[k]) * along);
    let mut tries = std::vec![a, b];
    if (0.0..=1.0).contains(&along) {
        tries.push(foot);
    }
    let nearest = tries.into_iter().min_by(|&q, &r| flat_length(p, q).total_cmp(&flat_length(p, r))).unwrap();
    (flat_length(p, nearest), nearest)
}

struct Walked {
    end: MoveEnd,
    position: V,
    visited: Vec<PolyRef>,
    /// Whether a distance came so near a limit or another that rounding decides.
    close: bool,
}

/// A queue of polygons and a list of walls, as the reference's sentences say it.
fn walk(mesh: &NavMesh<'_>, start: (PolyRef, V), end: V, filter: &impl PolygonFilter) -> Walked {
    let center: V = core::array::from_fn(|k| (start.1[k] + end[k]) / 2.0);
    let radius = flat_length(start.1, end) / 2.0 + 1e-6;
    let accepts = |polygon: PolyRef| {
        let (_, record) = mesh.polygon(polygon).unwrap();
        filter.accepts(record.flags, record.area)
    };
    let mut queue: Vec<(PolyRef, Option<usize>)> = std::vec![(start.0, None)];
    let mut walls: Vec<(f64, V, usize, MoveEnd)> = Vec::new();
    let mut close = false;
    let mut at = 0;
    let mut reached = None;
    while at < queue.len() {
        let polygon = queue[at].0;
        let (tile, record) = mesh.polygon(polygon).unwrap();
        let ring = corners(mesh, polygon);
        let sides: Vec<(V, V)> = (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])).collect();
        if sides.iter().all(|(a, b)| (b[0] - a[0]) * (end[2] - a[2]) >= (b[2] - a[2]) * (end[0] - a[0])) {
            reached = Some(at);
            break;
        }
        for (i, &(a, b)) in sides.iter().enumerate() {
            let edge = tile.edges_of(record)[i];
            let on = |s: f64| -> V { core::array::from_fn(|k| a[k] + (b[k] - a[k]) * s) };
            let mut open = [false; 255];
            let mut targets = Vec::new();
            if edge.neighbor != NO_NEIGHBOR {
                targets.push((tile.reference.polygon(edge.neighbor), 0, 255));
            }
            let links = tile.links_of(record).iter();
            for link in links.filter(|link| link.kind == LINK_PORTAL && link.edge as usize == i) {
                targets.push((link.target, link.range_min as usize, link.range_max as usize));
            }
            for (target, low, high) in targets.into_iter().filter(|&(target, ..)| accepts(target)) {
                open[low..high].fill(true);
                let (distance, _) = to_segment(center, on(low as f64 / 255.0), on(high as f64 / 255.0));
                close |= (distance - radius).abs() < 1e-8;
                if distance <= radius && queue.iter().all(|&(known, _)| known != target) {
                    queue.push((target, Some(at)));
                }
            }
            let (dx, dz) = [(1, 0), (0, 1), (-1, 0), (0, -1)][edge.side as usize % 4];
            let is_missing = edge.neighbor == NO_NEIGHBOR
                && edge.side != NO_SIDE
                && mesh.tiles_in_column(tile.x + dx, tile.z + dz).next().is_none();
            let kind = if is_missing { MoveEnd::NotLoaded } else { MoveEnd::Wall };
            let mut from = 0;
            while from < 255 {
                let run = (from..255).take_while(|&k| !open[k]).count();
                if run > 0 {
                    let (distance, point) = to_segment(end, on(from as f64 / 255.0), on((from + run) as f64 / 255.0));
                    walls.push((distance, point, at, kind));
                }
                from += run.max(1);
            }
        }
        at += 1;
    }
    let (end_kind, position, node) = match reached {
        Some(node) => (MoveEnd::Reached, end, node),
        None => {
            let mut best = walls[0];
            for &wall in &walls[1..] {
                // Walls that share a corner are as near: rounding must not choose.
                close |= (wall.0 - best.0).abs() < 1e-9 && (wall.2, wall.3) != (best.2, best.3);
                if wall.0 < best.0 {
                    best = wall;
                }
            }
            (best.3, best.1, best.2)
        }
    };
    let mut visited = Vec::new();
    let mut back = Some(node);
    while let Some(node) = back {
        visited.push(queue[node].0);
        back = queue[node].1;
    }
    visited.reverse();
    Walked { end: end_kind, position, visited, close }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_walk_goes_where_a_queue_and_a_list_of_walls_lead(
        seed in any::<u64>(), tiles in 1i32..4, merged in any::<bool>(), holes in 0u64..50, floors in 1i32..3,
    ) {
        let mut world = World::new(Kind { seed, tiles, holes, merged, floors, links: 1 });
        let mut query = query(QueryDef { nodes: 2048, ..QueryDef::DEFAULT });
        let filter = Filter::new().without_flags(4);
        let mut compared = 0;
        for round in 0..40 {
            let start = world.place();
            let start = (start.0, rounded(start.1));
            let mut end = rounded(world.position(tiles));
            if round % 2 == 0 {
                // A step or two.
                end = rounded(core::array::from_fn(|k| start.1[k] + (end[k] - start.1[k]) * 0.1));
            }
            let (_, record) = world.mesh.polygon(start.0).unwrap();
            let moved = query.walk_along_surface(&world.mesh, start.0, start.1, end, &filter).unwrap();
            if !filter.accepts(record.flags, record.area) {
                prop_assert_eq!((moved.status, moved.position), (RaycastStatus::InvalidStartPoly, start.1));
                continue;
            }
            prop_assert_eq!((moved.status, query.visited().first()), (RaycastStatus::Ok, Some(&start.0)));
            prop_assert_eq!(query.visited().last(), Some(&moved.polygon));
            let there = closest_point_on(&world.mesh, moved.polygon, moved.position).unwrap();
            // Seen from above: the height on a wall is the edge's, which a fan's triangles can pass by.
            prop_assert!(flat_length(there.point, moved.position) < 1e-9, "{:?} is off its polygon", moved);
            prop_assert!((there.point[1] - moved.position[1]).abs() < 0.5);
            let walked = walk(&world.mesh, start, end, &filter);
            if !walked.close {
                compared += 1;
                prop_assert_eq!((moved.end, query.visited()), (walked.end, &walked.visited[..]));
                prop_assert!(flat_length(moved.position, walked.position) < 1e-9);
            }
            // Where a straight ray gets, the walk gets; where it slides, the walk ends no farther from the end.
            let line = exact::walk(&world.mesh, start.0, exact(start.1), exact(end), &filter);
            let slid = move_along_surface(&world.mesh, start.0, start.1, end, &filter, &mut []).unwrap();
            if !line.slack && slid.status == RaycastStatus::Ok {
                let (far, near) = (flat_length(slid.position, end), flat_length(moved.position, end));
                prop_assert!(near <= far + 1e-9, "{:?} is farther than {:?}", moved, slid);
            }
        }
        prop_assert!(compared >= 10, "only {} walks could be compared", compared);
    }
}

/// A tile of three by three squares of side 4 without the middle one.
fn square_ring() -> NavMesh<'static> {
    let mut mesh = empty_mesh();
    let mut tile = TileOf::default();
    for j in 0..4 {
        for i in 0..4 {
            tile.vertices.push([i as f32 * 4.0, 0.0, j as f32 * 4.0]);
        }
    }
    for j in 0..3u16 {
        for i in (0..3u16).filter(|&i| (i, j) != (1, 1)) {
            let low = j * 4 + i;
            tile.polygon(&[low, low + 1, low + 5, low + 4], 0, 1);
        }
    }
    tile.connect(12.0);
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    mesh
}

fn polygon_of(mesh: &NavMesh<'_>, index: u32) -> PolyRef {
    mesh.tile(0).unwrap().reference.polygon(index)
}

#[test]
fn a_walk_goes_round_a_corner_where_a_slide_stays() {
    let mesh = square_ring();
    let mut query = query(QueryDef { nodes: 16, ..QueryDef::DEFAULT });
    // From below the hole to the left of it, across its corner.
    let (start, end) = ([7.0, 0.0, 3.5], [3.5, 0.0, 7.5]);
    let below = polygon_of(&mesh, 1);
    let slid = query.move_along_surface(&mesh, below, start, end, &Filter::ALL).unwrap();
    assert_eq!((slid.end, slid.position), (MoveEnd::Wall, [4.0, 0.0, 4.0]));
    let walked = query.walk_along_surface(&mesh, below, start, end, &Filter::ALL).unwrap();
    assert_eq!((walked.end, walked.position, walked.polygon), (MoveEnd::Reached, end, polygon_of(&mesh, 3)));
    assert_eq!(query.visited(), [1, 0, 3].map(|index| polygon_of(&mesh, index)));
}

#[test]
fn a_walk_into_a_wall_ends_at_its_nearest_point_and_tells_what_is_behind() {
    let mesh = square_ring();
    let mut query = query(QueryDef { nodes: 16, ..QueryDef::DEFAULT });
    let mut walk = |end| {
        let moved = query.walk_along_surface(&mesh, polygon_of(&mesh, 1), [6.0, 0.0, 2.0], end, &Filter::ALL).unwrap();
        (moved.end, moved.position, moved.polygon.index())
    };
    assert_eq!(walk([7.0, 0.0, 5.0]), (MoveEnd::Wall, [7.0, 0.0, 4.0], 1));
    assert_eq!(walk([5.0, 0.0, -3.0]), (MoveEnd::NotLoaded, [5.0, 0.0, 0.0], 1));
    assert_eq!(walk([6.0, 0.0, 2.0]), (MoveEnd::Reached, [6.0, 0.0, 2.0], 1));
    // As near to four walls: the first met of polygon 1 is that over its third edge.
    assert_eq!(walk([6.0, 0.0, 6.0]), (MoveEnd::Wall, [6.0, 0.0, 4.0], 1));
}

#[test]
fn a_walk_out_of_nodes_ends_at_the_best_place_it_knows() {
    let mesh = square_ring();
    let mut query = query(QueryDef { nodes: 1, ..QueryDef::DEFAULT });
    let (from, start) = (polygon_of(&mesh, 0), [2.0, 0.0, 2.0]);
    let moved = query.walk_along_surface(&mesh, from, start, [11.0, 0.0, 3.0], &Filter::ALL).unwrap();
    assert_eq!((moved.end, moved.polygon, moved.position), (MoveEnd::OutOfNodes, from, [4.0, 0.0, 0.0]));
    let within = query.walk_along_surface(&mesh, from, start, [3.0, 0.0, 3.0], &Filter::ALL).unwrap();
    assert_eq!(within.end, MoveEnd::Reached);
    assert_eq!(query.high_water().nodes, 1);
}

#[test]
fn a_walk_refuses_what_is_no_position_and_reports_what_is_no_start() {
    let mut mesh = square_ring();
    let mut query = query(QueryDef { nodes: 16, ..QueryDef::DEFAULT });
    let first = polygon_of(&mesh, 0);
    let good = [1.0, 0.0, 1.0];
    for bad in [f64::NAN, f64::INFINITY, 2_097_152.0] {
        for axis in 0..3 {
            let mut place = good;
            place[axis] = bad;
            assert!(query.walk_along_surface(&mesh, first, place, good, &Filter::ALL).is_err());
            assert!(query.walk_along_surface(&mesh, first, good, place, &Filter::ALL).is_err());
        }
    }
    let mut status = |mesh: &NavMesh<'_>, polygon, filter: &Filter| {
        query.walk_along_surface(mesh, polygon, good, good, filter).unwrap().status
    };
    let every = Filter::new();
    for forged in [PolyRef::NONE, PolyRef(u64::MAX), PolyRef::new(first.salt() + 1, 0, 0), PolyRef::new(1, 0, 8)] {
        assert_eq!(status(&mesh, forged, &every), RaycastStatus::InvalidStartPoly);
    }
    assert_eq!(status(&mesh, first, &every.without_flags(1)), RaycastStatus::InvalidStartPoly);
    assert_eq!(status(&mesh, first, &every), RaycastStatus::Ok);
    mesh.stage_tile_removal(0, 0, 0).unwrap();
    mesh.commit().unwrap();
    assert_eq!(status(&mesh, first, &every), RaycastStatus::InvalidStartPoly);
}
