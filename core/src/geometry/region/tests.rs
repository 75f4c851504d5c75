//! Regions against oracles written from the definitions: every pair, every point, closed forms.

use super::exact::{lies_within, meets_pixel, proper_crossing};
use super::*;
use crate::error::{ErrorKind, Result, Subject};
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

const DEF: RegionDef = RegionDef { edges: 4096, crossings: 8192, segments: 16384, points: 8192, rings: 2048 };

type Ring = Vec<[f64; 2]>;

fn memory() -> Vec<Grain> {
    std::vec![Grain::ZERO; 3 * DEF.plan().grains()]
}

/// How many random inputs: a few, or ten thousand where the long run is asked for.
pub(crate) fn rounds(few: usize) -> usize {
    if std::env::var_os("NAVARENA_LONG").is_some() { 10_000 } else { few }
}

/// Rings of every nasty kind on integer coordinates: self-crossing, touching, with repeated and collinear points, stars,
/// combs, slivers, nested squares, at a random scale.
fn nasty_ring(random: &mut SplitMix64) -> Ring {
    let scale = 1i64 << (2 + random.below(14));
    let mut coordinate = |bound: i64| random.below(2 * bound as u64 + 1) as i64 - bound;
    let (cx, cy) = (coordinate(scale), coordinate(scale));
    let kind = coordinate(3).unsigned_abs() + 4 * coordinate(1).unsigned_abs();
    let count = 3 + coordinate(6).unsigned_abs() as i64;
    let points: Vec<[i64; 2]> = match kind {
        0 => (0..count).map(|_| [coordinate(scale), coordinate(scale)]).collect(),
        // Few distinct coordinates: touching, collinear and repeated points.
        1 => (0..2 * count).map(|_| [coordinate(2) * (scale / 2), coordinate(2) * (scale / 2)]).collect(),
        // A sliver along a diagonal.
        2 => {
            let [dx, dy] = [coordinate(scale), coordinate(scale)];
            std::vec![[cx - dx, cy - dy], [cx, cy + coordinate(1)], [cx + dx, cy + dy], [cx + coordinate(1), cy]]
        }
        // A comb.
        3 => {
            let mut comb = std::vec![[cx, cy - scale]];
            for tooth in 0..count {
                comb.push([cx + 4 * tooth, cy + scale]);
                comb.push([cx + 4 * tooth + 2, cy + coordinate(2)]);
            }
            comb
        }
        // A square, often nested with or equal to others.
        4 => {
            let half = 1 + coordinate(3).abs() * scale / 4;
            std::vec![[-half, -half], [half, -half], [half, half], [-half, half]]
        }
        // A five-pointed star that crosses itself.
        5 => [[0, 10], [6, -8], [-10, 3], [10, 3], [-6, -8]]
            .iter()
            .map(|p| [cx + p[0] * scale / 10, cy + p[1] * scale / 10])
            .collect(),
        // There and back again: encloses nothing.
        6 => std::vec![[cx, cy], [cx + coordinate(scale), cy + coordinate(scale)], [cx, cy], [cx, cy]],
        _ => {
            let apex = [cx, coordinate(scale)];
            (0..count).map(|_| [coordinate(scale), cy]).chain([apex]).collect()
        }
    };
    points.iter().map(|p| [p[0] as f64, p[1] as f64]).collect()
}

pub(crate) fn nasty_outlines(random: &mut SplitMix64) -> Vec<Vec<Ring>> {
    (0..1 + random.below(3)).map(|_| (0..1 + random.below(3)).map(|_| nasty_ring(random)).collect()).collect()
}

fn region<'a>(builder: &mut RegionBuilder, outlines: &[Vec<Ring>], arena: &mut Arena<'a>) -> Result<Region<'a>> {
    let rings: Vec<Vec<&[[f64; 2]]>> = outlines.iter().map(|o| o.iter().map(Vec::as_slice).collect()).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    builder.from_outlines(&outlines, SnapGrid::new(0)?, arena)
}

/// Whether a point, half a unit off the grid, lies inside by the even-odd rule.
fn in_outline(rings: &[Ring], [x, y]: [f64; 2]) -> bool {
    let mut odd = false;
    for ring in rings {
        for (i, &[ax, ay]) in ring.iter().enumerate() {
            let [bx, by] = ring[(i + 1) % ring.len()];
            // All products are of small halves of integers and exact.
            if (ay > y) != (by > y) {
                let left = (x - ax) * (by - ay) < (bx - ax) * (y - ay);
                odd ^= left == (by > ay);
            }
        }
    }
    odd
}

fn in_outlines(outlines: &[Vec<Ring>], at: [f64; 2]) -> bool {
    outlines.iter().any(|rings| in_outline(rings, at))
}

fn in_region(region: &Region<'_>, at: [f64; 2]) -> bool {
    let rings: Vec<Ring> = region.rings().map(|r| r.iter().map(|&p| region.grid.position(p)).collect()).collect();
    in_outline(&rings, at)
}

/// Whether a point is too near to an edge to be sure of its side after rounding: within three units.
fn is_near_an_edge(outlines: &[Vec<Ring>], [x, y]: [f64; 2]) -> bool {
    outlines.iter().flatten().any(|ring| {
        (0..ring.len()).any(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            let (d, e) = ([b[0] - a[0], b[1] - a[1]], [x - a[0], y - a[1]]);
            let length = d[0] * d[0] + d[1] * d[1];
            let t =
                if length == 0.0 { 0.0 } else { crate::math::clamp((d[0] * e[0] + d[1] * e[1]) / length, 0.0, 1.0) };
            let off = [e[0] - t * d[0], e[1] - t * d[1]];
            off[0] * off[0] + off[1] * off[1] < 9.0
        })
    })
}

/// Points to ask about: around the input's vertices at every scale.
fn probes(random: &mut SplitMix64, outlines: &[Vec<Ring>]) -> Vec<[f64; 2]> {
    let vertices: Vec<[f64; 2]> = outlines.iter().flatten().flatten().copied().collect();
    (0..60)
        .map(|_| {
            let [a, b] = [0; 2].map(|_| vertices[random.below(vertices.len() as u64) as usize]);
            let near = 1i64 << random.below(15);
            let mut offset = || (random.below(2 * near as u64) as i64 - near) as f64;
            [0, 1].map(|k| crate::math::floor((a[k] + b[k]) / 2.0 + offset()) + 0.5)
        })
        .collect()
}

fn assert_well_formed(region: &Region<'_>) {
    let edges: Vec<[GridPoint; 2]> = region.edges().collect();
    let ordered = |e: [GridPoint; 2]| if e[0] < e[1] { e } else { [e[1], e[0]] };
    for (i, &e) in edges.iter().enumerate() {
        assert_ne!(e[0], e[1]);
        for &f in &edges[..i] {
            assert_eq!(proper_crossing(ordered(e), ordered(f)), None, "rings cross");
            assert_ne!(ordered(e), ordered(f), "rings overlap");
            assert!(!lies_within(e, f[0]) && !lies_within(f, e[0]), "a vertex lies within an edge");
        }
    }
    let firsts: Vec<_> = region.rings().map(|ring| ring[0]).collect();
    assert!(firsts.is_sorted());
    assert!(region.rings().all(|ring| ring.len() >= 3 && ring[0] == *ring.iter().min().unwrap()));
    // The wedge rule makes simple outer boundaries positive; the sum is an area.
    assert!(region.twice_area() >= 0);
}

#[test]
fn resolved_outlines_hold_the_points_that_the_even_odd_rule_holds() {
    let mut random = SplitMix64::new(1);
    let (mut memory, mut asked, mut inside) = (memory(), 0, 0);
    for _ in 0..rounds(300) {
        let outlines = nasty_outlines(&mut random);
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let made = region(&mut builder, &outlines, &mut arena).unwrap();
        assert_well_formed(&made);
        assert!(builder.report().rounds <= 1, "the first check finds nothing");
        for at in probes(&mut random, &outlines) {
            if !is_near_an_edge(&outlines, at) {
                asked += 1;
                inside += usize::from(in_outlines(&outlines, at));
                assert_eq!(in_region(&made, at), in_outlines(&outlines, at), "{at:?} of {outlines:?}");
            }
        }
    }
    assert!(asked > 1000 && inside > 100, "{asked} {inside}");
}

#[test]
fn operations_hold_the_points_they_should_and_their_areas_add_up() {
    let mut random = SplitMix64::new(2);
    let mut memory = memory();
    for _ in 0..rounds(150) {
        let (first, second) = (nasty_outlines(&mut random), nasty_outlines(&mut random));
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let a = region(&mut builder, &first, &mut arena).unwrap();
        let b = region(&mut builder, &second, &mut arena).unwrap();
        let union = builder.union(&a, &b, &mut arena).unwrap();
        let both = builder.intersection(&a, &b, &mut arena).unwrap();
        let only_a = builder.difference(&a, &b, &mut arena).unwrap();
        let only_b = builder.difference(&b, &a, &mut arena).unwrap();
        let one = builder.symmetric_difference(&a, &b, &mut arena).unwrap();
        [union, both, only_a, only_b, one].iter().for_each(assert_well_formed);
        // All five are faces of the same arrangement, so the sums are exact.
        let area = |region: Region<'_>| region.twice_area();
        assert_eq!(area(union), area(both) + area(only_a) + area(only_b));
        assert_eq!(area(one), area(only_a) + area(only_b));
        assert_eq!(builder.union(&b, &a, &mut arena).unwrap(), union);
        let all: Vec<Vec<Ring>> = first.iter().chain(&second).cloned().collect();
        for at in probes(&mut random, &all) {
            if is_near_an_edge(&all, at) {
                continue;
            }
            let (p, q) = (in_outlines(&first, at), in_outlines(&second, at));
            let found = [union, both, only_a, only_b, one].map(|region| in_region(&region, at));
            assert_eq!(found, [p || q, p && q, p && !q, q && !p, p != q], "{at:?}");
        }
    }
}

#[test]
fn the_order_of_outlines_rings_and_vertices_changes_nothing() {
    let mut random = SplitMix64::new(3);
    let (mut memory, mut other) = (memory(), memory());
    for _ in 0..rounds(150) {
        let outlines = nasty_outlines(&mut random);
        let mut shuffled = outlines.clone();
        shuffled.reverse();
        for rings in &mut shuffled {
            rings.reverse();
            for ring in rings {
                let turn = random.below(ring.len() as u64) as usize;
                ring.rotate_left(turn);
                if random.below(2) == 0 {
                    ring.reverse();
                }
            }
        }
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let (mut arena, mut second) = (Arena::new(&mut memory), Arena::new(&mut other));
        let made = region(&mut builder, &outlines, &mut arena).unwrap();
        assert_eq!(made, region(&mut builder, &shuffled, &mut second).unwrap());
    }
}

/// The page's noding with every pair and every pixel as a candidate.
fn arranged_by_brute_force(edges: &[Edge]) -> (Vec<GridPoint>, Vec<Segment>) {
    let lines: Vec<Edge> = edges.iter().copied().filter(|e| e.a != e.b).collect();
    let mut pixels: BTreeSet<GridPoint> = lines.iter().flat_map(|e| [e.a, e.b]).collect();
    for (i, e) in lines.iter().enumerate() {
        for f in &lines[..i] {
            pixels.extend(proper_crossing([e.a, e.b], [f.a, f.b]).map(|c| c.rounded));
        }
    }
    let mut net: BTreeMap<[GridPoint; 2], [i32; 2]> = BTreeMap::new();
    for e in &lines {
        let mut met: Vec<GridPoint> = pixels.iter().copied().filter(|&p| meets_pixel([e.a, e.b], p)).collect();
        let way = |p: &GridPoint| (p.x - e.a.x) * (e.b.x - e.a.x) + (p.y - e.a.y) * (e.b.y - e.a.y);
        met.sort_by_key(|p| (way(p), *p));
        for pair in met.windows(2) {
            let (ends, sign) = if pair[0] < pair[1] { ([pair[0], pair[1]], 1) } else { ([pair[1], pair[0]], -1) };
            let sum = net.entry(ends).or_default();
            *sum = [sum[0] + sign * e.delta[0], sum[1] + sign * e.delta[1]];
        }
    }
    net.retain(|_, delta| *delta != [0, 0]);
    let vertices: Vec<GridPoint> = net.keys().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let number = |p: &GridPoint| vertices.binary_search(p).unwrap() as u32;
    let segments = net.iter().map(|(ends, &delta)| Segment { a: number(&ends[0]), b: number(&ends[1]), delta });
    let segments = segments.collect();
    (vertices, segments)
}

#[test]
fn noding_finds_what_all_pairs_find_and_also_when_clustered() {
    let mut random = SplitMix64::new(4);
    let (mut memory, mut clustered) = (memory(), 0);
    for round in 0..rounds(200) {
        let count = 2 + random.below(60);
        let bits = 2 + random.below(13);
        let mut edges: Vec<Edge> = (0..count)
            .map(|_| {
                let mut point =
                    |bits: u64| GridPoint { x: random.below(1 << bits) as i64, y: random.below(1 << bits) as i64 };
                let a = point(bits);
                let short = point(3);
                let b = if round % 2 == 0 { point(bits) } else { GridPoint { x: a.x + short.x, y: a.y + short.y } };
                Edge { a, b, delta: [1, random.below(3) as i32 - 1] }
            })
            .collect();
        if round % 5 == 0 {
            // One enormous edge over a crowd of tiny ones.
            let far = GridPoint { x: 1 << 28, y: (1 << 28) + 3 };
            edges.push(Edge { a: GridPoint::default(), b: far, delta: [1, 0] });
            for _ in 0..150 {
                let a = GridPoint { x: random.below(30) as i64, y: random.below(30) as i64 };
                let b = GridPoint { x: a.x + random.below(9) as i64, y: a.y + random.below(9) as i64 };
                edges.push(Edge { a, b, delta: [1, 0] });
            }
        }
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let arena = &mut Arena::new(&mut memory);
        let made = builder.arrange(&edges, arena).unwrap();
        let (vertices, segments) = arranged_by_brute_force(&edges);
        assert_eq!((made.vertices, made.segments), (&vertices[..], &segments[..]));
        clustered += builder.report().clustered;
    }
    assert!(clustered > 0);
}

/// The area of a tile map's floor at least `radius` from every wall, in closed form: a strip along each wall, a quarter
/// disc where only the diagonal neighbour is a wall. Right for radii up to half a tile.
fn eroded_area(floor: impl Fn(i64, i64) -> bool, size: i64, tile: f64, radius: f64) -> f64 {
    let mut area = 0.0;
    for y in 0..size {
        for x in 0..size {
            if !floor(x, y) {
                continue;
            }
            let wall = |dx: i64, dy: i64| !floor(x + dx, y + dy);
            let strips = |a: bool, b: bool| tile - radius * (f64::from(u8::from(a)) + f64::from(u8::from(b)));
            area += strips(wall(-1, 0), wall(1, 0)) * strips(wall(0, -1), wall(0, 1));
            for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                if wall(dx, dy) && !wall(dx, 0) && !wall(0, dy) {
                    area -= core::f64::consts::PI * radius * radius / 4.0;
                }
            }
        }
    }
    area
}

#[test]
fn a_shrunk_tile_map_has_the_closed_forms_area() {
    const SIZE: i64 = 24;
    let mut random = SplitMix64::new(78);
    let cells: Vec<bool> = (0..SIZE * SIZE).map(|_| random.next_f64() < 0.6).collect();
    let floor = |x: i64, y: i64| (0..SIZE).contains(&x) && (0..SIZE).contains(&y) && cells[(y * SIZE + x) as usize];
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let squares: Vec<Vec<Ring>> = (0..SIZE * SIZE)
        .map(|i| (2 * (i % SIZE), 2 * (i / SIZE)))
        .filter(|&(x, y)| floor(x / 2, y / 2))
        .map(|(x, y)| [[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]].map(|p| p.map(|c| c as f64)))
        .map(|square| std::vec![square.to_vec()])
        .collect();
    let rings: Vec<[&[[f64; 2]]; 1]> = squares.iter().map(|s| [s[0].as_slice()]).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    let grid = SnapGrid::new(10).unwrap();
    let walkable = builder.from_outlines(&outlines, grid, &mut arena).unwrap();
    assert_eq!(walkable.area(), 4.0 * outlines.len() as f64);
    for radius in [0.5, 0.75, 1.0] {
        let tolerance = crate::math::max(0.25 / 4.0, crate::math::min(0.0825 * radius, 0.25 / 2.0));
        let shrunk = arena.scope(|desk| {
            let shrunk = builder.shrink(&walkable, radius, tolerance, desk).unwrap();
            assert_well_formed(&shrunk);
            shrunk.area()
        });
        let exact = eroded_area(floor, SIZE, 2.0, radius);
        assert!((shrunk / exact - 1.0).abs() < 0.001, "{radius}: {shrunk} of {exact}");
    }
    assert_eq!(builder.shrink(&walkable, 0.0, 0.1, &mut arena).unwrap(), walkable);
}

#[test]
fn bad_outlines_are_refused_by_outline_ring_and_vertex() {
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let good = std::vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
    let mut refusal = |bad: Ring| {
        let outlines = [std::vec![good.clone()], std::vec![good.clone(), bad]];
        let error = region(&mut builder, &outlines, &mut arena).unwrap_err();
        assert_eq!((error.subject(), error.index(), error.part_index()), (Subject::Outline, Some(1), Some(1)));
        (error.kind(), error.element_index())
    };
    assert_eq!(refusal(std::vec![[0.0, 0.0], [1.0, f64::NAN], [2.0, 2.0]]), (ErrorKind::Invalid, Some(1)));
    assert_eq!(refusal(std::vec![[0.0, 0.0], [1.0, 1.0], [2.0, -2097152.5]]), (ErrorKind::Limit, Some(2)));
    assert_eq!(refusal(std::vec![[0.0, 0.0], [1.0, 1.0]]), (ErrorKind::Invalid, None));
    assert!(region(&mut builder, &[std::vec![good.clone()]], &mut arena).is_ok());
}

#[test]
fn every_limit_that_is_reached_is_named() {
    let grid_of_squares: Vec<Vec<Ring>> = (0..4)
        .map(|i| f64::from(i) * 3.0)
        .map(|x| std::vec![std::vec![[x, x], [x + 4.0, x], [x + 4.0, x + 4.0], [x, x + 4.0]]])
        .chain([std::vec![std::vec![[50.0, 0.0], [60.0, 0.0], [60.0, 5.0]]]])
        .collect();
    let mut memory = memory();
    let mut refused = |def: RegionDef| {
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&def).unwrap();
        region(&mut builder, &grid_of_squares, &mut arena).map(|_| ()).map_err(|e| (e.kind(), e.subject()))
    };
    assert_eq!(refused(DEF), Ok(()));
    let capacity = |subject| Err((ErrorKind::Capacity, subject));
    assert_eq!(refused(RegionDef { edges: 18, ..DEF }), capacity(Subject::Edges));
    assert_eq!(refused(RegionDef { crossings: 5, ..DEF }), capacity(Subject::EdgeCrossings));
    assert_eq!(refused(RegionDef { segments: 20, ..DEF }), capacity(Subject::Segments));
    assert_eq!(refused(RegionDef { points: 10, ..DEF }), capacity(Subject::Points));
    assert_eq!(refused(RegionDef { rings: 1, ..DEF }), capacity(Subject::Rings));
    assert!(RegionBuilder::new(&RegionDef { edges: 0, ..DEF }).is_err());
    let mut small = std::vec![Grain::ZERO; 64];
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let error = region(&mut builder, &grid_of_squares, &mut Arena::new(&mut small)).unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
}

#[test]
fn the_plan_is_enough_for_an_operation_at_its_limits() {
    let def = RegionDef { edges: 20, crossings: 8, segments: 40, points: 40, rings: 5 };
    let squares: Vec<Vec<Ring>> = (0..5)
        .map(|i| f64::from(i) * 3.0)
        .map(|x| std::vec![std::vec![[x, x], [x + 4.0, x], [x + 4.0, x + 4.0], [x, x + 4.0]]])
        .collect();
    let mut memory = std::vec![Grain::ZERO; def.plan().grains()];
    let mut builder = RegionBuilder::new(&def).unwrap();
    let made = region(&mut builder, &squares, &mut Arena::new(&mut memory)).unwrap().twice_area();
    assert_eq!(made, 2 * (5 * 16 - 4));
    assert!(builder.report().memory_peak <= def.plan().bytes);
}

/// Arrangements that nothing arranged: whatever their numbers are, they are refused or come to an end.
#[test]
fn an_arrangement_made_up_of_any_numbers_is_refused_or_traced() {
    let mut random = SplitMix64::new(21);
    let (mut refused, mut traced) = (0, 0);
    for _ in 0..4000 {
        let mut any = |most: u64| random.below(most) as i64;
        let mut vertices: Vec<_> = (0..any(7)).map(|_| GridPoint { x: any(4), y: any(4) }).collect();
        if any(20) == 0 {
            vertices.push(GridPoint { x: i64::MAX, y: i64::MIN });
        }
        let mut segments: Vec<_> = (0..any(7))
            .map(|_| Segment {
                a: any(5) as u32,
                b: any(8) as u32,
                delta: [(any(5) - 2) as i32, i32::MAX * any(2) as i32],
            })
            .collect();
        if any(8) != 0 {
            vertices.sort();
            vertices.dedup();
            segments.sort_by_key(|segment| (segment.a, segment.b));
            segments.dedup_by_key(|segment| (segment.a, segment.b));
            segments.retain(|segment| segment.a < segment.b && (segment.b as usize) < vertices.len());
        }
        let arrangement = Arrangement { vertices: &vertices, segments: &segments };
        let mut memory = memory();
        let mut arena = Arena::new(&mut memory[..200]);
        let labels = label(&arrangement, &mut arena).map(<[_]>::to_vec).unwrap_or(std::vec![[i32::MIN, 1]; 7]);
        let mut report = RegionReport::default();
        match trace(&arrangement, &labels, |[w, _]| w > 0, SnapGrid::FINEST, &DEF, &mut report, &mut arena) {
            Ok(_) => traced += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && traced > 100, "{refused} refused, {traced} traced");
}
