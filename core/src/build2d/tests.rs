//! Floors against what the page promises of them, exactly: random outlines of every kind, whole and in tiles.

use super::*;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::geometry::region::tests::{nasty_outlines, rounds};
use crate::geometry::region::{GridPoint, Outline, Region, RegionBuilder, RegionDef, SnapGrid, TileCells, TileMap};
use crate::geometry::triangulation::RegionTriangle;
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use crate::mesh::view::NO_SIDE;
use crate::mesh::{MeshDef, MeshLimits, MeshParams, NavFile, NavMesh, NavSettings, TileData};
use std::collections::{BTreeMap, BTreeSet};
use std::vec;
use std::vec::Vec;

crate::memory::assert_portable!(FloorBuilder);

const REGION: RegionDef =
    RegionDef { edges: 1 << 13, crossings: 1 << 14, segments: 1 << 15, points: 1 << 13, rings: 1 << 11 };
const LIMITS: FloorLimits = FloorLimits { region: REGION, bytes: 12 << 20 };

/// Cells of one unit and a grid of whole units: what the random outlines lie on.
const UNITS: NavSettings =
    NavSettings { agent_radius: 0.0, cell_size: 1.0, tile_size: 64.0, snap_bits: Some(0), ..NavSettings::HUMANOID };

type Rings = Vec<Vec<[f64; 2]>>;

fn memory(def: &FloorDef<'_>) -> Vec<Grain> {
    vec![Grain::ZERO; def.plan().grains()]
}

fn with_outlines<R>(outlines: &[Rings], ask: impl FnOnce(&[Outline<'_>]) -> R) -> R {
    let rings: Vec<Vec<&[[f64; 2]]>> = outlines.iter().map(|o| o.iter().map(Vec::as_slice).collect()).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    ask(&outlines)
}

/// The bytes of every tile of a floor.
fn tiles(builder: &mut FloorBuilder<'_>, input: &FloorInput<'_>) -> Result<Vec<Vec<u8>>> {
    builder.begin(input)?;
    let params = *builder.params();
    let mut all = Vec::new();
    while let Some(tile) = builder.next_tile()? {
        let mut bytes = vec![0; tile.byte_size()];
        tile.write(&params, &mut bytes)?;
        all.push(bytes);
    }
    assert_eq!(builder.report().stage, FloorStage::Done);
    Ok(all)
}

fn twice_area(points: &[GridPoint], polygon: &[u32]) -> i128 {
    let at = |i: usize| points[polygon[i % polygon.len()] as usize];
    let cross = |i: usize| {
        let (a, b) = (at(i), at(i + 1));
        i128::from(a.x) * i128::from(b.y) - i128::from(a.y) * i128::from(b.x)
    };
    (0..polygon.len()).map(cross).sum()
}

/// Side of the tile that keeps a region of some extent within a handful of lines.
fn tile_side(random: &mut SplitMix64, region: &Region<'_>) -> f64 {
    let far = region.points.iter().map(|p| p.x.abs().max(p.y.abs())).max().unwrap_or(0).max(8);
    (far as f64 / (1 + random.below(4)) as f64).max(2.0) as i64 as f64
}

#[test]
fn tiles_of_random_floors_cover_them_exactly_and_meet_at_the_same_vertices() {
    let mut random = SplitMix64::new(31);
    let mut memory = vec![Grain::ZERO; (24 << 20) / 16];
    let (mut many, mut moved) = (0, 0);
    for round in 0..rounds(120) {
        let outlines = nasty_outlines(&mut random);
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&REGION).unwrap();
        let grid = SnapGrid::new(0).unwrap();
        let region = with_outlines(&outlines, |o| builder.from_outlines(o, grid, &mut arena)).unwrap();
        let tile_size = tile_side(&mut random, &region);
        let origin = [0; 2].map(|_| random.below(9) as f64);
        let cell_size = (tile_size / 8192.0).max(1.0);
        let settings = NavSettings { tile_size, origin_x: origin[0], origin_z: origin[1], cell_size, ..UNITS };
        let params = settings.to_params(&[]);
        let lines = TileLines::new(&region, &params, &mut arena).unwrap();
        let mut report = *builder.report();
        let sliced = slice(&region, &lines, &REGION, &mut report, &mut arena).unwrap();
        assert_same_area(&region, &sliced);
        moved += usize::from(area_of(&sliced) != region.twice_area());
        many += usize::from(sliced.tiles.len() > 2);
        assert!(sliced.tiles.windows(2).all(|pair| (pair[0].z, pair[0].x) < (pair[1].z, pair[1].x)));
        // Edges on lines by their ends, with the tile on either side.
        let mut on_lines: BTreeMap<[GridPoint; 2], Vec<usize>> = BTreeMap::new();
        for (number, run) in sliced.tiles.iter().enumerate() {
            arena.scope(|desk| {
                let triangles = sliced.triangles_of(number);
                let tile = partition_tile(sliced.vertices, triangles, 6, desk).unwrap();
                assert_tile(&settings, run, &tile);
                for (p, polygon) in tile.polygons.polygons().enumerate() {
                    for (i, edge) in tile.polygons.edges(p).enumerate() {
                        let ends = [polygon[i], polygon[(i + 1) % polygon.len()]].map(|v| tile.vertices[v as usize]);
                        if tile.polygons.neighbors[edge] == crate::geometry::convex::NO_POLYGON
                            && is_on_line(&settings, ends)
                        {
                            let key = if ends[0] < ends[1] { ends } else { [ends[1], ends[0]] };
                            on_lines.entry(key).or_default().push(number);
                        }
                    }
                }
            });
        }
        assert_no_line_is_cut_twice(&settings, &on_lines, round);
    }
    assert!(many > 20 && moved > 3, "{many} floors in tiles, {moved} with rounded crossings");
}

fn area_of(sliced: &SlicedRegion<'_>) -> i128 {
    sliced.triangles.iter().map(|triangle| twice_area(sliced.vertices, &triangle.vertices)).sum()
}

/// Cut points move by half a unit at most along each axis: the area changes by less than the boundary's length.
fn assert_same_area(region: &Region<'_>, sliced: &SlicedRegion<'_>) {
    let length: f64 = region
        .edges()
        .map(|[a, b]| {
            let [dx, dy] = [(b.x - a.x) as f64, (b.y - a.y) as f64];
            crate::math::sqrt(dx * dx + dy * dy) + 2.0
        })
        .sum();
    let apart = area_of(sliced) - region.twice_area();
    assert!((apart as f64).abs() <= 2.0 * length, "{apart} of {length}");
    for triangle in sliced.triangles {
        assert!(twice_area(sliced.vertices, &triangle.vertices) > 0);
    }
}

/// A tile's polygons lie within it, turn left, add up to its triangles, and are neighbours both ways.
fn assert_tile(settings: &NavSettings, run: &TileRun, tile: &TilePolygons<'_>) {
    let low = [
        settings.origin_x + f64::from(run.x) * settings.tile_size,
        settings.origin_z + f64::from(run.z) * settings.tile_size,
    ];
    assert!(tile.vertices.is_sorted() && tile.numbers.is_sorted());
    for &point in tile.vertices {
        for (at, low) in [point.x as f64, point.y as f64].into_iter().zip(low) {
            assert!(low <= at && at <= low + settings.tile_size, "{point:?} outside of tile {run:?}");
        }
    }
    let used: BTreeSet<u32> = tile.polygons.indices.iter().copied().collect();
    assert_eq!(used.len(), tile.vertices.len());
    let by_triangles: i128 =
        tile.triangles.iter().map(|t: &RegionTriangle| twice_area(tile.vertices, &t.vertices)).sum();
    let by_polygons: i128 = tile.polygons.polygons().map(|polygon| twice_area(tile.vertices, polygon)).sum();
    assert_eq!(by_polygons, by_triangles);
    for (p, polygon) in tile.polygons.polygons().enumerate() {
        assert!((3..=6).contains(&polygon.len()));
        for i in 0..polygon.len() {
            let corner = [0, 1, 2].map(|k| polygon[(i + k) % polygon.len()]);
            assert!(twice_area(tile.vertices, &corner) >= 0);
        }
        for edge in tile.polygons.edges(p) {
            let other = tile.polygons.neighbors[edge];
            if other != crate::geometry::convex::NO_POLYGON {
                let back = tile.polygons.edges(other as usize).filter(|&e| tile.polygons.neighbors[e] == p as u32);
                assert!(back.count() >= 1);
            }
        }
    }
}

/// The axis and the line of an edge that lies on a tile line.
fn is_on_line(settings: &NavSettings, [a, b]: [GridPoint; 2]) -> bool {
    let on = |a: i64, b: i64, origin: f64| a == b && (a as f64 - origin) % settings.tile_size == 0.0;
    on(a.x, b.x, settings.origin_x) || on(a.y, b.y, settings.origin_z)
}

/// Where two tiles overlap along a line, their edges are the same: no vertex of one lies within an edge of the other.
fn assert_no_line_is_cut_twice(settings: &NavSettings, on_lines: &BTreeMap<[GridPoint; 2], Vec<usize>>, round: usize) {
    let ends: BTreeSet<GridPoint> = on_lines.keys().flatten().copied().collect();
    for [a, b] in on_lines.keys().filter(|edge| is_on_line(settings, **edge)) {
        let within = ends.range(a..b).filter(|p| *p != a && if a.x == b.x { p.x == a.x } else { p.y == a.y });
        assert_eq!(within.count(), 0, "round {round}: a vertex within {a:?} {b:?}");
    }
    assert!(on_lines.values().all(|tiles| tiles.len() <= 2));
}

#[test]
fn the_order_of_outlines_rings_and_vertices_does_not_show() {
    let mut random = SplitMix64::new(32);
    let def = FloorDef { limits: LIMITS, ..FloorDef::of(NavSettings { agent_radius: 3.0, ..UNITS }) };
    let mut memory = memory(&def);
    let mut some = 0;
    for _ in 0..rounds(40) {
        let mut outlines = nasty_outlines(&mut random);
        // The snap grid is whole units; keep what tiles of 64 can hold.
        outlines.iter_mut().flatten().flatten().for_each(|p| *p = p.map(|v| v % 300.0));
        let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut memory)).unwrap();
        let first = with_outlines(&outlines, |walkable| {
            tiles(&mut builder, &FloorInput::Outlines { walkable, obstacles: &[] })
        })
        .unwrap();
        some += usize::from(!first.is_empty());
        let count = outlines.len();
        outlines.rotate_left(random.below(count as u64) as usize);
        for rings in &mut outlines {
            let count = rings.len();
            rings.rotate_left(random.below(count as u64) as usize);
            for ring in rings {
                let count = ring.len();
                ring.rotate_left(random.below(count as u64) as usize);
                if random.below(2) == 0 {
                    ring.reverse();
                }
            }
        }
        let again = with_outlines(&outlines, |walkable| {
            tiles(&mut builder, &FloorInput::Outlines { walkable, obstacles: &[] })
        });
        assert_eq!(again.unwrap(), first);
    }
    assert!(some > 10, "{some} floors");
}

#[test]
fn every_tile_of_a_random_map_is_accepted_and_linked_to_its_neighbours() {
    let mut random = SplitMix64::new(33);
    let settings = NavSettings { tile_size: 8.0, cell_size: 0.25, agent_radius: 0.375, ..NavSettings::HUMANOID };
    let def = FloorDef { limits: LIMITS, ..FloorDef::of(settings) };
    let mut memory = memory(&def);
    let limits = MeshLimits { tiles: 64, staged: 64, ..MeshLimits::DEFAULT };
    let mesh_def = MeshDef { limits, ..MeshDef::of(&settings) };
    let mut mesh_memory = vec![Grain::ZERO; mesh_def.plan().grains()];
    for round in 0..rounds(12) {
        let cells: Vec<bool> = (0..400).map(|_| random.below(10) < 7).collect();
        let map =
            TileMap { cells: TileCells::Where(&cells), width: 20, height: 20, cell_size: 1.0, origin: [0.5, -3.0] };
        let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut memory)).unwrap();
        builder.begin(&FloorInput::TileMap(map)).unwrap();
        let mut mesh = NavMesh::new(&mesh_def, &mut Arena::new(&mut mesh_memory)).unwrap();
        let mut portals = 0;
        while let Some(tile) = builder.next_tile().unwrap() {
            mesh.stage_tile_data(&tile).unwrap();
            portals += tile.portal_sides.iter().filter(|&&side| side != crate::mesh::NO_PORTAL).count();
        }
        mesh.commit().unwrap();
        assert_eq!(mesh.tile_count(), builder.report().tiles as usize);
        // Walls keep off the lines, so each portal is the same edge on either side and has its one link.
        let mut linked = 0;
        for tile in mesh.tiles() {
            for polygon in tile.polygons {
                for (i, edge) in tile.edges_of(polygon).iter().enumerate() {
                    let links = tile.links_of(polygon).iter().filter(|link| usize::from(link.edge) == i).count();
                    assert_eq!(links, usize::from(edge.side != NO_SIDE), "round {round}");
                    linked += links;
                }
            }
        }
        assert!(linked == portals && portals > 20, "{linked} {portals}");
    }
}

#[test]
fn the_published_hall_takes_the_published_bytes() {
    let cells: Vec<bool> = (0..600).map(|i| !((11..19).contains(&(i % 30)) && (6..12).contains(&(i / 30)))).collect();
    let map = TileMap { cells: TileCells::Where(&cells), width: 30, height: 20, cell_size: 1.0, origin: [0.0; 2] };
    let def = FloorDef { limits: LIMITS, ..FloorDef::HUMANOID };
    let mut work = memory(&def);
    let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut work)).unwrap();
    let mesh_def = MeshDef { limits: MeshLimits { tiles: 4, staged: 4, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
    let mut memory = vec![Grain::ZERO; mesh_def.plan().grains()];
    let mut mesh = NavMesh::new(&mesh_def, &mut Arena::new(&mut memory)).unwrap();
    builder.begin(&FloorInput::TileMap(map)).unwrap();
    while let Some(tile) = builder.next_tile().unwrap() {
        mesh.stage_tile_data(&tile).unwrap();
    }
    mesh.commit().unwrap();
    assert_eq!(NavFile::save_size(&mesh, &[]), 793);
}

/// Every limit and every fault of the input, by name; afterwards the builder builds as before.
#[test]
fn what_cannot_be_built_is_refused_by_name() {
    let square: Rings = vec![vec![[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]]];
    let star: Rings = vec![vec![[20.0, 40.0], [32.0, 4.0], [0.0, 26.0], [40.0, 26.0], [8.0, 4.0]]];
    let def = FloorDef { limits: LIMITS, ..FloorDef::HUMANOID };
    let mut memory = memory(&def);
    let mut build = |def: &FloorDef<'_>, outlines: &[Rings], obstacles: &[Rings]| {
        let mut builder = FloorBuilder::new(def, &mut Arena::new(&mut memory))?;
        with_outlines(outlines, |walkable| {
            with_outlines(obstacles, |obstacles| tiles(&mut builder, &FloorInput::Outlines { walkable, obstacles }))
        })
    };
    let named =
        |error: Error| (error.kind(), error.subject(), error.index(), error.part_index(), error.element_index());
    let mut bad = square.clone();
    bad[0][2] = [f64::NAN, 0.0];
    let refused = build(&def, &[square.clone(), bad.clone()], &[]).unwrap_err();
    assert_eq!(named(refused), (ErrorKind::Invalid, Subject::Outline, Some(1), Some(0), Some(2)));
    bad[0][2] = [1.0, 2097153.0];
    let refused = build(&def, core::slice::from_ref(&square), &[bad]).unwrap_err();
    assert_eq!(named(refused), (ErrorKind::Limit, Subject::Outline, Some(1), Some(0), Some(2)));
    let refused = build(&def, &[vec![vec![[0.0; 2]; 2]]], &[]).unwrap_err();
    assert_eq!(named(refused), (ErrorKind::Invalid, Subject::Outline, Some(0), Some(0), None));

    let with = |settings: NavSettings| FloorDef { settings, ..def };
    let fine = build(&with(NavSettings { snap_bits: Some(10), ..def.settings }), core::slice::from_ref(&square), &[])
        .unwrap_err();
    assert_eq!((fine.subject(), fine.limit_value()), (Subject::SnapBits, Some(9.0)));
    let wide = NavSettings { cell_size: 300.0, tile_size: 2048.0, ..def.settings };
    assert_eq!(build(&with(wide), core::slice::from_ref(&square), &[]).unwrap_err().subject(), Subject::CellSize);
    let off = NavSettings { origin_x: 0.001, tile_size: 16.0, ..def.settings };
    let off = build(&with(off), core::slice::from_ref(&square), &[]).unwrap_err();
    assert_eq!((off.subject(), off.part_index(), off.refused()), (Subject::TileLine, Some(0), Some(0.001)));
    let many = NavSettings { tile_size: 1.0 / 128.0, agent_radius: 0.0, ..def.settings };
    let many = build(&with(many), core::slice::from_ref(&square), &[]).unwrap_err();
    assert_eq!((many.kind(), many.subject()), (ErrorKind::Limit, Subject::TileLines));
    let many = NavSettings { tile_size: 1.0 / 32.0, agent_radius: 0.0, ..def.settings };
    let many = build(&with(many), core::slice::from_ref(&square), &[]).unwrap_err();
    assert_eq!((many.kind(), many.subject()), (ErrorKind::Limit, Subject::TileLineCrossings));

    let limited = |region: RegionDef, bytes: usize| FloorDef { limits: FloorLimits { region, bytes }, ..def };
    let limits = [
        (limited(RegionDef { edges: 4, ..REGION }, LIMITS.bytes), Subject::Edges),
        (limited(RegionDef { crossings: 3, ..REGION }, LIMITS.bytes), Subject::EdgeCrossings),
        (limited(RegionDef { segments: 6, ..REGION }, LIMITS.bytes), Subject::Segments),
        (limited(RegionDef { points: 5, ..REGION }, LIMITS.bytes), Subject::Points),
        (limited(RegionDef { rings: 0, ..REGION }, LIMITS.bytes), Subject::Rings),
        (limited(REGION, 1 << 10), Subject::Memory),
    ];
    for (def, subject) in limits {
        let refused = build(&def, std::slice::from_ref(&star), &[]).unwrap_err();
        assert_eq!((refused.kind(), refused.subject()), (ErrorKind::Capacity, subject));
    }
    assert_eq!(build(&def, &[square], &[]).unwrap().len(), 1);
}

#[test]
fn what_the_limits_of_regions_need_is_always_enough() {
    let mut random = SplitMix64::new(34);
    let region = RegionDef { edges: 256, crossings: 1024, segments: 1024, points: 256, rings: 64 };
    let limits = FloorLimits { bytes: FloorLimits::sufficient_bytes(&region), region };
    let def = FloorDef { limits, ..FloorDef::of(NavSettings { agent_radius: 2.0, ..UNITS }) };
    let mut memory = memory(&def);
    for _ in 0..rounds(60) {
        let mut outlines = nasty_outlines(&mut random);
        outlines.iter_mut().flatten().flatten().for_each(|p| *p = p.map(|v| v % 200.0));
        let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut memory)).unwrap();
        let made = with_outlines(&outlines, |walkable| {
            tiles(&mut builder, &FloorInput::Outlines { walkable, obstacles: &[] })
        });
        if let Err(error) = made {
            assert_ne!(error.subject(), Subject::Memory, "{error}");
        }
    }
}

/// A tile as its bytes have it is what a mesh of the same settings takes.
#[test]
fn links_of_the_settings_are_baked_into_the_tile_of_their_start() {
    use crate::mesh::OffMeshLinkDef;
    let link = OffMeshLinkDef {
        start: [5.0, 0.0, 5.0],
        end: [30.0, 0.0, 30.0],
        radius: 1.0,
        bidirectional: true,
        area: 0,
        flags: 1,
        user_id: 7,
    };
    let settings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };
    let def = FloorDef { settings, links: &[link], limits: LIMITS };
    let mut memory = memory(&def);
    let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut memory)).unwrap();
    let square: &[[f64; 2]] = &[[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]];
    builder.begin(&FloorInput::Outlines { walkable: &[Outline { rings: &[square] }], obstacles: &[] }).unwrap();
    let params: MeshParams = *builder.params();
    assert_eq!(params, settings.to_params(&[link]));
    let mut slots = Vec::new();
    while let Some(tile) = builder.next_tile().unwrap() {
        let TileData { x, z, off_mesh, .. } = tile;
        off_mesh.iter().for_each(|slot| slots.push((x, z, slot.user_id)));
    }
    assert_eq!(slots, [(0, 0, 7)]);
}
