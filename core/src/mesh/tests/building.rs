//! What builders use: assembling tile data, baking authored links, drawing.

use super::oracle::links_of;
use super::stitching::random_tiles;
use super::*;
use crate::error::{ErrorKind, Subject};
use crate::mesh::debug::{DebugCounts, DebugLink, DebugPolygon, DebugRoom, collect};
use crate::mesh::view::LINK_PORTAL;

#[test]
fn neighbours_and_portals_come_from_the_polygons_alone() {
    let mut desk = vec![Grain::ZERO; 4000];
    for seed in 0..100 {
        let mut random = Random(seed);
        let mut tile = random_tile(&mut random, (0, 0, 0), 1);
        // Now and then a polygon over another: its edges are shared by three and stay walls.
        if random.chance(40) {
            let p = random.below(tile.polygons.len());
            let ring = tile.indices[tile.first(p)..][..4].to_vec();
            tile.indices.extend(ring);
            tile.polygons.push(TilePolygon { vertex_count: 4, ..TilePolygon::default() });
        }
        tile.neighbors.clear();
        tile.portal_sides.clear();
        let (want_neighbors, want_sides) = by_pairs(&tile);
        let made = from_local_polygons(&PARAMS, tile.data(), &mut Arena::new(&mut desk)).unwrap();
        assert_eq!(made.neighbors, want_neighbors);
        assert_eq!(made.portal_sides, want_sides);
        assert_eq!((made.vertices, made.off_mesh), (&tile.vertices[..], &tile.off_mesh[..]));
        made.validate(&PARAMS, &mut Arena::new(&mut [Grain::ZERO; 100])).unwrap();
    }
}

/// Every edge against every edge.
fn by_pairs(tile: &OwnedTile) -> (Vec<i32>, Vec<u8>) {
    let edges = edges_of(tile);
    let mut neighbors = vec![];
    let mut sides = vec![];
    for &(p, a, b) in &edges {
        let same: Vec<_> = edges.iter().filter(|e| (e.1, e.2) == (a, b) || (e.1, e.2) == (b, a)).collect();
        let other = same.iter().find(|e| (e.1, e.2) == (b, a)).filter(|e| same.len() == 2 && e.0 != p);
        neighbors.push(other.map_or(0, |e| e.0 as i32 + 1));
        let (a, b) = (tile.vertices[a as usize], tile.vertices[b as usize]);
        let on = |axis: usize, line: f32| a[axis].to_bits() == line.to_bits() && b[axis].to_bits() == line.to_bits();
        let lines = [on(0, 8.0), on(2, 8.0), on(0, 0.0), on(2, 0.0)];
        let side = lines.iter().position(|&on| on).filter(|_| other.is_none());
        sides.push(side.map_or(255, |side| side as u8));
    }
    (neighbors, sides)
}

#[test]
fn world_polygons_are_snapped_to_the_sides_and_turned_counter_clockwise() {
    let [ox, oz] = PARAMS.tile_origin(-1, 2);
    let near = PARAMS.cell_size / 1024.0;
    let polygons = WorldPolygons {
        vertices: &[
            [ox + near, 7.0, oz - near],
            [ox + 4.0, 7.0, oz],
            [ox + 4.0, 7.0, oz + 8.0 - near],
            [ox, 7.5, oz + 8.0],
            [ox + 8.0 + near, 7.0, oz],
            [ox + 8.0, 7.0, oz + 8.0 - 2.0 * near],
        ],
        counts: &[4, 4],
        // The second runs clockwise.
        indices: &[0, 1, 2, 3, 2, 5, 4, 1],
        areas: &[3, 4],
        flags: &[],
        default_flags: 9,
    };
    let mut desk = vec![Grain::ZERO; 100];
    let place = TilePlace { x: -1, z: 2, layer: 1, origin_y: 7.0 };
    let tile = from_polygons(&PARAMS, place, &polygons, &mut Arena::new(&mut desk)).unwrap();
    assert_eq!(tile.origin, [ox, 7.0, oz]);
    let off = 8.0 - 2.0 * near as f32;
    let want = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 8.0], [0.0, 0.5, 8.0], [8.0, 0.0, 0.0], [8.0, 0.0, off]];
    assert_eq!(tile.vertices, want);
    assert_eq!(tile.indices, [0, 1, 2, 3, 1, 4, 5, 2]);
    assert_eq!(tile.neighbors, [0, 2, 0, 0, 0, 0, 0, 1]);
    assert_eq!(tile.portal_sides, [3, 255, 1, 2, 3, 0, 255, 255]);
    assert_eq!((tile.polygons[0].area, tile.polygons[1].area, tile.polygons[1].flags), (3, 4, 9));
    tile.validate(&PARAMS, &mut Arena::new(&mut [Grain::ZERO; 10])).unwrap();
    for (broken, subject) in [
        (WorldPolygons { indices: &[0, 1, 2, 6, 0, 1, 2, 3], ..polygons }, Subject::Index),
        (WorldPolygons { counts: &[4, 3], ..polygons }, Subject::Edges),
        (WorldPolygons { areas: &[1], ..polygons }, Subject::Area),
        (WorldPolygons { flags: &[1, 2, 3], ..polygons }, Subject::Flags),
    ] {
        let error = from_polygons(&PARAMS, place, &broken, &mut Arena::new(&mut desk)).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Format, subject));
    }
    for grains in 0..12 {
        let result = from_polygons(&PARAMS, place, &polygons, &mut Arena::new(&mut desk[..grains]));
        assert!(result.is_err_and(|error| error.kind() == ErrorKind::Capacity));
    }
}

/// One big quad a layer, at a height.
fn floor(layer: i32, y: f64) -> OwnedTile {
    let [x, z] = PARAMS.tile_origin(1, 0);
    OwnedTile {
        x: 1,
        z: 0,
        layer,
        origin: [x, y, z],
        vertices: vec![[0.0; 3], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0]],
        polygons: vec![TilePolygon { vertex_count: 4, ..TilePolygon::default() }],
        indices: vec![0, 1, 2, 3],
        neighbors: vec![0; 4],
        portal_sides: vec![255; 4],
        detail_vertices: vec![],
        detail_triangles: vec![],
        off_mesh: vec![],
    }
}

fn link(start: [f64; 3], end: [f64; 3], user_id: u32) -> OffMeshLinkDef {
    OffMeshLinkDef { start, end, radius: 0.5, bidirectional: user_id % 2 == 1, area: 3, flags: 4, user_id }
}

#[test]
fn authored_links_go_to_the_layer_nearest_their_start() {
    let mut lower = floor(0, 0.0);
    lower.off_mesh.push(OffMeshSlot { radius: 1.0, user_id: 99, ..OffMeshSlot::default() });
    let upper = floor(2, 3.0);
    let (x, z) = (lower.origin[0], lower.origin[2]);
    let links = [
        link([x + 1.0, 3.5, z + 1.0], [x - 20.0, 0.0, z], 1),
        link([x + 1.0, 0.25, z + 1.0], [x, 0.0, z], 2),
        // Between the layers, in reach of none: the lowest.
        link([x + 1.0, 1.5, z + 1.0], [x, 0.0, z], 3),
        // Starts in another column.
        link([x - 0.1, 0.0, z], [x, 0.0, z], 4),
        // Out of the vertical reach at either end: dropped, and no reason to refuse the others.
        link([x + 1.0, 0.0, z + 1.0], [x, 5000.0, z], 5),
        link([x + 1.0, -4096.5, z + 1.0], [x, 0.0, z], 6),
        link([x + 2.0, 2.5, z + 1.0], [x + 8.0, 3.0, z], 7),
    ];
    let mut desk = vec![Grain::ZERO; 100];
    let mut layers = [lower.data(), upper.data()];
    let mut arena = Arena::new(&mut desk);
    bake_links(&PARAMS, &links, &mut layers, &mut arena).unwrap();
    let ids = |tile: &TileData<'_>| tile.off_mesh.iter().map(|slot| slot.user_id).collect::<Vec<_>>();
    assert_eq!((ids(&layers[0]), ids(&layers[1])), (vec![99, 2, 3], vec![1, 7]));
    let first = OffMeshSlot {
        start: [1.0, 0.5, 1.0],
        end: [-20.0, -3.0, 0.0],
        radius: 0.5,
        user_id: 1,
        flags: 4,
        area: 3,
        bidirectional: 1,
    };
    assert_eq!(layers[1].off_mesh[0], first);
    for tile in layers {
        tile.validate(&PARAMS, &mut Arena::new(&mut [Grain::ZERO; 10])).unwrap();
    }
    assert_eq!(bake_links(&PARAMS, &links, &mut [], &mut arena), Ok(()));
}

#[test]
fn an_authored_link_that_no_tile_can_hold_is_named() {
    let tile = floor(0, 0.0);
    let (x, z) = (tile.origin[0], tile.origin[2]);
    let mut desk = vec![Grain::ZERO; 100];
    let good = link([x, 0.0, z], [x, 0.0, z], 1);
    let mut refused = |change: &dyn Fn(&mut OffMeshLinkDef)| {
        let mut links = [good, good];
        change(&mut links[1]);
        let error = bake_links(&PARAMS, &links, &mut [tile.data()], &mut Arena::new(&mut desk)).unwrap_err();
        assert_eq!((error.subject(), error.index()), (Subject::OffMeshLink, Some(1)));
        (error.kind(), error.part_index().unwrap())
    };
    assert_eq!(refused(&|l| l.end[0] = x + 4096.25), (ErrorKind::Limit, 3));
    assert_eq!(refused(&|l| l.end[2] = z - 4097.0), (ErrorKind::Limit, 5));
    for bad in [f64::NAN, f64::INFINITY, WORLD_BOUND, -WORLD_BOUND] {
        for axis in 0..3 {
            assert_eq!(refused(&|l| l.start[axis] = bad), (ErrorKind::Invalid, axis as u32));
            assert_eq!(refused(&|l| l.end[axis] = bad), (ErrorKind::Invalid, axis as u32 + 3));
        }
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300] {
        assert_eq!(refused(&|l| l.radius = bad), (ErrorKind::Invalid, 6));
    }
    assert_eq!(refused(&|l| l.area = 64), (ErrorKind::Invalid, 7));
}

#[test]
fn drawing_shows_everything_in_order_and_counts_what_it_has_no_room_for() {
    let tiles = random_tiles(&mut Random(21), 3);
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    tiles.iter().for_each(|tile| mesh.stage_tile(&tile.bytes()).unwrap());
    mesh.commit().unwrap();
    let counts = collect(&mesh, &mut DebugRoom::default());
    let links = links_of(&mesh);
    let want = DebugCounts {
        points: tiles.iter().map(|tile| tile.indices.len()).sum(),
        polygons: tiles.iter().map(|tile| tile.polygons.len()).sum(),
        links: links.iter().flatten().map(Vec::len).sum(),
    };
    assert_eq!(counts, want);
    let mut points = vec![[0.0; 3]; counts.points];
    let mut polygons = vec![DebugPolygon::default(); counts.polygons];
    let mut segments = vec![DebugLink::default(); counts.links - 1];
    let mut room = DebugRoom { points: &mut points, polygons: &mut polygons, links: &mut segments };
    assert_eq!(collect(&mesh, &mut room), counts);
    for polygon in &polygons {
        let (tile, shown) = mesh.polygon(polygon.reference).unwrap();
        let outline = &points[polygon.first_point as usize..][..polygon.point_count as usize];
        assert!(outline.iter().copied().eq(tile.edges_of(shown).iter().map(|edge| tile.world(edge.vertex))));
        assert_eq!((polygon.area, polygon.flags), (shown.area, shown.flags));
    }
    assert!(polygons.is_sorted_by_key(|polygon| (polygon.reference.slot(), polygon.reference.index())));
    let flat: Vec<_> = links.iter().flatten().flatten().collect();
    assert!(segments.iter().zip(&flat).all(|(segment, link)| (segment.to, segment.kind) == (link.target, link.kind)));
    // The two halves of a portal pair cover the same part, up to the rounding of an edge of 8 to 255ths.
    let mut pairs = 0;
    for portal in segments.iter().filter(|segment| segment.kind == LINK_PORTAL) {
        let back = segments.iter().filter(|other| (other.from, other.to) == (portal.to, portal.from));
        let near = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).abs().max((a[2] - b[2]).abs()) <= 2.0 * 8.0 / 255.0;
        let [a, b] = portal.segment;
        pairs += back.filter(|o| near(o.segment[0], b) && near(o.segment[1], a)).count();
    }
    assert!(pairs + 1 >= segments.iter().filter(|segment| segment.kind == LINK_PORTAL).count());
}
