//! Claims about walls, against every polygon's pieces worked out one by one.

use super::areas::{Shape, literal, spiral};
use super::world::{Kind, World, corners, query};
use crate::error::{ErrorKind, Subject};
use crate::mesh::view::{LINK_PORTAL, NO_NEIGHBOR, NO_SIDE};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{
    AreaStatus, Circle, Filter, FloorBand, MAX_RADIUS, PolygonFilter, QueryDef, WallDistance, WallOptions, WallSegment,
    WallsFound,
};
use proptest::prelude::*;
use std::vec::Vec;

type V = [f64; 3];

/// A piece, and its point nearest to a center.
#[derive(Clone, Debug)]
struct Piece {
    polygon: PolyRef,
    edge: u32,
    ends: [V; 2],
    point: V,
    /// Where along the edge that point lies.
    at: f64,
    squared: f64,
    not_loaded: bool,
}

fn between(a: V, c: V, s: f64) -> V {
    if s == 0.0 {
        a
    } else if s == 1.0 {
        c
    } else {
        core::array::from_fn(|axis| a[axis] + (c[axis] - a[axis]) * s)
    }
}

/// All wall pieces of a polygon by the page's rule, with gaps between sorted and merged ranges.
fn pieces(mesh: &NavMesh<'_>, polygon: PolyRef, center: V, filter: &impl PolygonFilter) -> Vec<Piece> {
    let (tile, record) = mesh.polygon(polygon).unwrap();
    let ring = corners(mesh, polygon);
    let accepts = |target: PolyRef| {
        let (_, record) = mesh.polygon(target).unwrap();
        filter.accepts(record.flags, record.area)
    };
    let mut pieces = Vec::new();
    for (i, edge) in tile.edges_of(record).iter().enumerate() {
        let (a, c) = (ring[i], ring[(i + 1) % ring.len()]);
        let mut ranges: Vec<(u8, u8)> = Vec::new();
        let mut not_loaded = false;
        if edge.neighbor != NO_NEIGHBOR {
            if accepts(tile.reference.polygon(edge.neighbor)) {
                ranges.push((0, 255));
            }
        } else if edge.side != NO_SIDE {
            let links = tile.links_of(record).iter();
            let mine = links.filter(|link| link.kind == LINK_PORTAL && link.edge as usize == i && accepts(link.target));
            ranges.extend(mine.map(|link| (link.range_min, link.range_max)));
            let (dx, dz) = [(1, 0), (0, 1), (-1, 0), (0, -1)][edge.side as usize];
            not_loaded = mesh.tiles_in_column(tile.x + dx, tile.z + dz).next().is_none();
        }
        ranges.sort();
        ranges.push((255, 255));
        let mut reached = 0;
        for (low, high) in ranges {
            if low > reached {
                let (from, to) = (f64::from(reached) / 255.0, f64::from(low) / 255.0);
                let (ex, ez) = (c[0] - a[0], c[2] - a[2]);
                let (px, pz) = (center[0] - a[0], center[2] - a[2]);
                let at = ((px * ex + pz * ez) / (ex * ex + ez * ez)).max(from).min(to);
                let point = between(a, c, at);
                let (x, z) = (center[0] - point[0], center[2] - point[2]);
                let ends = [between(a, c, from), between(a, c, to)];
                let squared = x * x + z * z;
                pieces.push(Piece { polygon, edge: i as u32, ends, point, at, squared, not_loaded });
            }
            reached = reached.max(high);
        }
    }
    pieces
}

/// All wall pieces within the radius, in the order the search meets them.
fn all_pieces(mesh: &NavMesh<'_>, circle: Circle, filter: &impl PolygonFilter, nodes: usize) -> Vec<Piece> {
    let shape = Shape::Circle(circle.center, circle.radius);
    let (polygons, _) = literal(mesh, circle.polygon, &shape, filter, nodes, &|_, _| false);
    let all = polygons.iter().flat_map(|one| pieces(mesh, one.polygon, circle.center, filter));
    all.filter(|piece| piece.squared <= circle.radius * circle.radius).collect()
}

fn same(wall: &WallSegment, piece: &Piece) -> bool {
    let bits = |points: [V; 2]| points.map(|point| point.map(f64::to_bits));
    bits([wall.start, wall.end]) == bits(piece.ends)
        && (wall.polygon, wall.edge) == (piece.polygon, piece.edge)
        && wall.distance_squared.to_bits() == piece.squared.to_bits()
        && wall.is_not_loaded() == piece.not_loaded
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn walls_are_every_polygons_pieces_nearest_first(
        seed in any::<u64>(), merged in any::<bool>(), holes in 0u64..50, radius in 0.0f64..12.0, room in 0usize..40,
        nodes in 1u32..200,
    ) {
        let mut world = World::with_rise(Kind { seed, tiles: 3, holes, merged, floors: 2, links: 2 }, 0.2);
        world.mesh.stage_tile_removal(1, 2, 0).unwrap();
        world.mesh.stage_tile_removal(2, 1, 0).unwrap();
        world.mesh.stage_tile_removal(2, 1, 1).unwrap();
        world.mesh.commit().unwrap();
        let mesh = &world.mesh;
        let filter = Filter::new().without_flags(4).with_area_cost(3, f64::INFINITY).unwrap();
        let all = world.polygons();
        let polygon = all[seed as usize % all.len()];
        let (_, record) = mesh.polygon(polygon).unwrap();
        prop_assume!(filter.accepts(record.flags, record.area));
        let middle = super::world::middle(mesh, polygon);
        let mut query = query(QueryDef { nodes, ..QueryDef::DEFAULT });
        // Also from a corner, where walls are at the same distance.
        for (center, radius) in [(middle, radius), (corners(mesh, polygon)[0], radius.round())] {
            let circle = Circle { polygon, center, radius };
            let met = all_pieces(mesh, circle, &filter, nodes as usize);
            let mut sorted = met.clone();
            sorted.sort_by(|a, b| a.squared.total_cmp(&b.squared));
            let mut walls = std::vec![WallSegment::default(); room];
            let found = query.find_walls(mesh, circle, &filter, WallOptions::ALL, &mut walls).unwrap();
            prop_assert_eq!((found.count, found.truncated), (met.len(), met.len() > room));
            prop_assert_eq!(found.met_not_loaded, met.iter().any(|piece| piece.not_loaded));
            prop_assert_eq!(found.limited, query.area().outcome().node_limit_reached);
            prop_assert!(walls.iter().zip(&sorted).all(|(wall, piece)| same(wall, piece)));

            // The nearest is the first of the list, but for ties.
            let nearest = query.find_wall_distance(mesh, circle, &filter, WallOptions::ALL).unwrap();
            let least = met.iter().min_by(|a, b| {
                let (x, y) = ((a.polygon, a.edge, a.at), (b.polygon, b.edge, b.at));
                a.squared.total_cmp(&b.squared).then(x.partial_cmp(&y).unwrap())
            });
            match least {
                None => prop_assert_eq!((nearest.found, nearest.distance, nearest.wall), (false, radius, WallSegment::default())),
                Some(piece) => {
                    prop_assert!(nearest.found && same(&nearest.wall, piece));
                    prop_assert_eq!((nearest.point, nearest.distance), (piece.point, crate::math::sqrt(piece.squared)));
                    // The normal has length 1 and leads to the center, or inwards.
                    let [x, y, z] = nearest.normal;
                    prop_assert!((x * x + z * z - 1.0).abs() < 1e-12 && y == 0.0);
                    let back = [piece.point[0] + x * nearest.distance, piece.point[2] + z * nearest.distance];
                    prop_assert!((back[0] - center[0]).abs() < 1e-9 && (back[1] - center[2]).abs() < 1e-9);
                    if nearest.distance == 0.0 {
                        let inward = nearest.wall.normal();
                        prop_assert!((x - inward[0]).abs() < 1e-9 && (z - inward[2]).abs() < 1e-9);
                    }
                }
            }

            // Without unloaded sides, and in slices.
            let known: Vec<&Piece> = sorted.iter().filter(|piece| !piece.not_loaded).collect();
            query.begin_circle(mesh, circle, &filter).unwrap();
            while query.step_area(mesh, &filter, 3).unwrap() == AreaStatus::InProgress {}
            let found = query.finish_walls(mesh, &filter, WallOptions::ALL.without_not_loaded(), &mut walls).unwrap();
            prop_assert_eq!((found.count, found.met_not_loaded), (known.len(), known.len() < met.len()));
            prop_assert!(walls.iter().zip(&known).all(|(wall, piece)| same(wall, piece)));
            query.begin_circle(mesh, circle, &filter).unwrap();
            while query.step_area(mesh, &filter, 7).unwrap() == AreaStatus::InProgress {}
            prop_assert_eq!(query.finish_wall_distance(mesh, &filter, WallOptions::ALL).unwrap(), nearest);
        }
    }
}

#[test]
fn only_walls_on_the_centers_floor_count_when_asked() {
    let mesh = spiral();
    let polygon = mesh.tile_at(0, 0, 0).unwrap().reference.polygon(0);
    let circle = Circle { polygon, center: [2.0, 30.0, 1.0], radius: 3.9 };
    let mut query = query(QueryDef::DEFAULT);
    let mut all = all_pieces(&mesh, circle, &Filter::ALL, 99);
    all.sort_by(|a, b| a.squared.total_cmp(&b.squared));
    let mut walls = [WallSegment::default(); 32];
    let mut listed = |options: WallOptions| -> usize {
        let found = query.find_walls(&mesh, circle, &Filter::ALL, options, &mut walls).unwrap();
        let nearest = query.find_wall_distance(&mesh, circle, &Filter::ALL, options).unwrap();
        assert_eq!(nearest.wall.distance_squared, walls[0].distance_squared);
        // The center's own height does not count, only the floor at 0 under it; the band holds its ends.
        let FloorBand { below, above } = options.floor.unwrap_or(FloorBand { below: 99.0, above: 99.0 });
        let counting: Vec<&Piece> = all.iter().filter(|p| p.point[1] >= -below && p.point[1] <= above).collect();
        assert_eq!(found.count, counting.len());
        assert!(walls.iter().zip(counting).all(|(wall, piece)| same(wall, piece)));
        found.count
    };
    let band = |below: f64, above: f64| WallOptions { floor: Some(FloorBand { below, above }), ..WallOptions::ALL };
    assert_eq!(listed(WallOptions::ALL), listed(band(0.0, 9.0)));
    // The upper squares' sides z = 0 lie 4 above.
    assert_eq!(listed(band(0.0, 4.0)), listed(band(0.0, 3.9)) + 2);
    assert!(listed(band(0.5, 2.0)) < listed(band(0.0, 3.9)));
    assert_eq!(listed(WallOptions::on_floor(&mesh)), listed(band(0.9, 2.0)));
}

#[test]
fn a_side_with_no_tile_behind_it_is_marked_and_a_wall_is_not() {
    let mut world = World::new(Kind { seed: 5, tiles: 2, holes: 0, merged: true, floors: 1, links: 0 });
    let mut query = query(QueryDef::DEFAULT);
    let start = |mesh: &NavMesh<'_>| {
        crate::query::nearest_polygon(mesh, [6.0, 0.2, 6.0], [1.0; 3], &Filter::ALL).unwrap().unwrap().polygon
    };
    let mut walls = [WallSegment::default(); 64];
    let mut marked = |mesh: &NavMesh<'_>, center: V| {
        let circle = Circle { polygon: start(mesh), center, radius: 6.5 };
        let found = query.find_walls(mesh, circle, &Filter::ALL, WallOptions::ALL, &mut walls).unwrap();
        let of_sides = walls[..found.count].iter().filter(|wall| wall.is_not_loaded()).count();
        (found.count, of_sides, found.met_not_loaded)
    };
    // In the middle of the first tile: nothing lies beyond its low sides, but tiles beyond its high ones.
    let (count, of_sides, met) = marked(&world.mesh, [6.0, 0.0, 6.0]);
    assert!(count > 0 && of_sides == count && met);
    assert_eq!(marked(&world.mesh, [8.0, 0.0, 8.0]), (0, 0, false));
    world.mesh.stage_tile_removal(1, 0, 0).unwrap();
    world.mesh.commit().unwrap();
    let (count, of_sides, met) = marked(&world.mesh, [8.0, 0.0, 8.0]);
    assert!(count > 0 && of_sides == count && met);
    // A filter's wall is a wall.
    let filter = Filter::new().with_flags(1);
    let all = world.polygons();
    let first = all.into_iter().find(|&one| world.mesh.polygon(one).unwrap().1.flags == 1).unwrap();
    let circle = Circle { polygon: first, center: super::world::middle(&world.mesh, first), radius: 4.0 };
    let found = query.find_walls(&world.mesh, circle, &filter, WallOptions::ALL, &mut walls).unwrap();
    assert!(walls[..found.count].iter().any(|wall| !wall.is_not_loaded()));
}

#[test]
fn what_walls_refuse_is_what_circles_refuse_and_bands_that_are_none() {
    let mut world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let polygon = world.polygons()[0];
    let mut query = query(QueryDef::DEFAULT);
    let good = Circle { polygon, center: [1.0, 0.0, 1.0], radius: 3.0 };
    let mut walls = [WallSegment::default(); 4];
    let bad = [
        (Circle { center: [1.0, f64::NAN, 1.0], ..good }, ErrorKind::Invalid, Subject::Position),
        (Circle { center: [1.0, 0.0, f64::INFINITY], ..good }, ErrorKind::Invalid, Subject::Position),
        (Circle { center: [2097152.0, 0.0, 1.0], ..good }, ErrorKind::Limit, Subject::Position),
        (Circle { radius: f64::NAN, ..good }, ErrorKind::Invalid, Subject::Radius),
        (Circle { radius: -1.0, ..good }, ErrorKind::Invalid, Subject::Radius),
        (Circle { radius: MAX_RADIUS.next_up(), ..good }, ErrorKind::Limit, Subject::Radius),
    ];
    for (circle, kind, subject) in bad {
        let errors = [
            query.find_walls(&world.mesh, circle, &Filter::ALL, WallOptions::ALL, &mut walls).unwrap_err(),
            query.find_wall_distance(&world.mesh, circle, &Filter::ALL, WallOptions::ALL).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| (error.kind(), error.subject()) == (kind, subject)));
    }
    for (below, above, at) in [(f64::NAN, 1.0, 0), (1.0, f64::INFINITY, 1), (-1.0, 1.0, 0)] {
        let options = WallOptions { floor: Some(FloorBand { below, above }), ..WallOptions::ALL };
        let error = query.find_walls(&world.mesh, good, &Filter::ALL, options, &mut walls).unwrap_err();
        assert_eq!((error.subject(), error.index()), (Subject::Extents, Some(at)));
        assert!(query.find_wall_distance(&world.mesh, good, &Filter::ALL, options).is_err());
    }
    // A status, not an error.
    world.mesh.stage_tile_removal(0, 0, 0).unwrap();
    world.mesh.commit().unwrap();
    let status = AreaStatus::InvalidStartPoly;
    let found = query.find_walls(&world.mesh, good, &Filter::ALL, WallOptions::on_floor(&world.mesh), &mut walls);
    assert_eq!(found, Ok(WallsFound { status, ..WallsFound::default() }));
    let nearest = query.find_wall_distance(&world.mesh, good, &Filter::ALL, WallOptions::ALL);
    assert_eq!(nearest, Ok(WallDistance { status, distance: 3.0, ..WallDistance::default() }));
}

#[test]
fn finishing_with_walls_needs_a_circle_that_is_open() {
    let mut world = World::new(Kind { seed: 3, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let polygon = world.polygons()[0];
    let circle = Circle { polygon, center: [1.0, 0.0, 1.0], radius: 9.0 };
    let mut query = query(QueryDef::DEFAULT);
    let kind = |result: crate::error::Result<WallDistance>| result.unwrap_err().kind();
    assert_eq!(kind(query.finish_wall_distance(&world.mesh, &Filter::ALL, WallOptions::ALL)), ErrorKind::State);
    query.begin_circle(&world.mesh, circle, &Filter::ALL).unwrap();
    // Nothing expanded: no walls known yet.
    let nearest = query.finish_wall_distance(&world.mesh, &Filter::ALL, WallOptions::ALL).unwrap();
    assert_eq!((nearest.status, nearest.found, nearest.distance), (AreaStatus::InProgress, false, 9.0));
    assert_eq!(kind(query.finish_wall_distance(&world.mesh, &Filter::ALL, WallOptions::ALL)), ErrorKind::State);
    let shape = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 3.0]];
    query.begin_shape(&world.mesh, polygon, &shape, &Filter::ALL).unwrap();
    assert_eq!(kind(query.finish_wall_distance(&world.mesh, &Filter::ALL, WallOptions::ALL)), ErrorKind::State);
    assert!(query.step_area(&world.mesh, &Filter::ALL, 1).is_ok());
    query.begin_circle(&world.mesh, circle, &Filter::ALL).unwrap();
    world.mesh.stage_tile_removal(1, 1, 0).unwrap();
    world.mesh.commit().unwrap();
    assert_eq!(kind(query.finish_wall_distance(&world.mesh, &Filter::ALL, WallOptions::ALL)), ErrorKind::State);
    assert!(query.find_wall_distance(&world.mesh, circle, &Filter::ALL, WallOptions::ALL).unwrap().found);
}
