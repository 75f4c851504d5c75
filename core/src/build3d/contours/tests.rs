use super::ring::{contains, cross, distance2, twice_area};
use super::*;
use crate::build3d::compact::{DIR_X, DIR_Z};
use crate::build3d::test_fields::{Field, memory};
use crate::error::{ErrorKind, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::vec;
use std::vec::Vec;

crate::memory::assert_portable!(Contours);

const FIELDS: u64 = 200;

fn with_contours<R>(field: &Field, settings: &ContourSettings, run: impl FnOnce(&Contours<'_>) -> R) -> R {
    let mut region = memory(4096 + 400 * field.spans.len());
    field.with(|compact| {
        let mut arena = Arena::new(&mut region);
        run(&Contours::build(compact, settings, &mut arena).unwrap())
    })
}

fn raw(max_error: f64) -> ContourSettings {
    ContourSettings { max_error, keep_raw: true, ..ContourSettings::DEFAULT }
}

/// The boundary edges of a field, from the definition: span and direction to what lies beyond.
fn boundary_edges(field: &Field) -> BTreeMap<(usize, usize), i32> {
    let mut edges = BTreeMap::new();
    for span in 0..field.spans.len() {
        let (x, z) = field.place(span);
        for dir in 0..4 {
            let (nx, nz) = (x + DIR_X[dir], z + DIR_Z[dir]);
            let outside = nx < 0 || nz < 0 || nx >= field.width as i32 || nz >= field.depth as i32;
            let beyond = match field.neighbor(span, dir) {
                Some(to) => field.regions[to] as i32,
                None if outside => TILE_BORDER,
                None => WALL,
            };
            if field.regions[span] != 0 && beyond != field.regions[span] as i32 {
                edges.insert((span, dir), beyond);
            }
        }
    }
    edges
}

#[test]
fn loops_cover_every_boundary_edge_and_enclose_every_span() {
    for seed in 0..FIELDS {
        let field = Field::random(seed);
        let mut edges = BTreeMap::<u32, usize>::new();
        boundary_edges(&field).keys().for_each(|edge| *edges.entry(field.regions[edge.0]).or_default() += 1);
        with_contours(&field, &raw(1.3), |contours| {
            for region in 1..=field.region_count {
                let loops = contours.raw_loops.iter().filter(|traced| traced.region == region);
                let rings: Vec<_> =
                    loops.map(|l| &contours.raw_vertices[l.first as usize..][..l.count as usize]).collect();
                let spans = field.regions.iter().filter(|&&r| r == region).count() as i64;
                assert_eq!(rings.iter().map(|ring| twice_area(ring)).sum::<i64>(), 2 * spans, "seed {seed}");
                assert_eq!(rings.iter().map(|ring| ring.len()).sum::<usize>(), edges[&region], "seed {seed}");
                assert!(contours.contours.iter().any(|contour| contour.region == region), "seed {seed}");
            }
            assert!(contours.contours.iter().all(|contour| contour.count >= 3));
            assert!(contours.contours.is_sorted_by_key(|contour| contour.region));
        });
    }
}

/// An independent tracer for fields with one floor: edges are looked up by the corner they start at, and where two start,
/// the loop turns left as sharply as it can, since a region is connected over edges and not over corners.
fn loops_by_corner(field: &Field, region: u32) -> BTreeSet<Vec<(i32, i32, i32)>> {
    let mut from = BTreeMap::<(i32, i32), Vec<((i32, i32), i32)>>::new();
    for ((span, dir), beyond) in boundary_edges(field) {
        if field.regions[span] == region {
            let (x, z) = field.place(span);
            let corners = [(x, z), (x + 1, z), (x + 1, z + 1), (x, z + 1)];
            let first = [3, 2, 1, 0][dir];
            from.entry(corners[first]).or_default().push((corners[(first + 1) % 4], beyond));
        }
    }
    let mut loops = BTreeSet::new();
    while let Some((&start, _)) = from.iter().next() {
        let mut ring = Vec::new();
        let mut at = start;
        let mut step: Option<(i32, i32)> = None;
        while let Some(choices) = from.get_mut(&at) {
            let left = |to: (i32, i32)| step.map_or(0, |s| s.0 * (to.1 - at.1) - s.1 * (to.0 - at.0));
            let best = (0..choices.len()).max_by_key(|&i| left(choices[i].0)).unwrap();
            let (to, beyond) = choices.remove(best);
            if choices.is_empty() {
                from.remove(&at);
            }
            ring.push((at.0, at.1, beyond));
            step = Some((to.0 - at.0, to.1 - at.1));
            at = to;
        }
        loops.insert(ring);
    }
    loops
}

/// A cyclic sequence, turned to begin with its smallest element.
fn turned(ring: &[(i32, i32, i32)]) -> Vec<(i32, i32, i32)> {
    (0..ring.len()).map(|at| [&ring[at..], &ring[..at]].concat()).min().unwrap_or_default()
}

#[test]
fn tracing_agrees_with_a_map_of_edges_by_corner() {
    let mut compared = 0;
    for seed in 0..FIELDS {
        let field = Field::random(seed);
        if field.columns.iter().any(|column| column.len() > 1) {
            continue;
        }
        with_contours(&field, &raw(1.3), |contours| {
            for region in 1..=field.region_count {
                let ours: BTreeSet<_> = contours
                    .raw_loops
                    .iter()
                    .filter(|traced| traced.region == region)
                    .map(|l| &contours.raw_vertices[l.first as usize..][..l.count as usize])
                    .map(|ring| turned(&ring.iter().map(|v| (v.x, v.z, v.neighbor)).collect::<Vec<_>>()))
                    .collect();
                let theirs: BTreeSet<_> = loops_by_corner(&field, region).iter().map(|ring| turned(ring)).collect();
                // Steps too high to take part the cells of a region across an edge: the corner alone can't tell.
                if ours.iter().flatten().map(|v| (v.0, v.1)).collect::<BTreeSet<_>>().len()
                    == ours.iter().map(Vec::len).sum::<usize>()
                {
                    assert_eq!(ours, theirs, "seed {seed}");
                    compared += 1;
                }
            }
        });
    }
    assert!(compared > 1000);
}

#[test]
fn corner_rows_are_the_highest_floor_around_the_corner() {
    for seed in 0..FIELDS {
        let field = Field::random(seed);
        if field.columns.iter().any(|column| column.len() > 1) {
            continue;
        }
        with_contours(&field, &raw(0.0), |contours| {
            for traced in contours.raw_loops.iter() {
                for v in &contours.raw_vertices[traced.first as usize..][..traced.count as usize] {
                    let around = [(v.x, v.z), (v.x - 1, v.z), (v.x, v.z - 1), (v.x - 1, v.z - 1)];
                    let rows =
                        || around.iter().flat_map(|&(x, z)| field.column(x, z)).map(|s| i32::from(field.spans[s].y));
                    // With one floor, links reach all that is not a step too high: never above the highest, and the
                    // lowest only where nothing higher is linked.
                    assert!(rows().any(|row| row == v.y), "seed {seed}");
                    if rows().max().unwrap() - rows().min().unwrap() <= 2
                        && around.iter().all(|&(x, z)| field.column(x, z).len() == 1)
                    {
                        assert_eq!(Some(v.y), rows().max(), "seed {seed}");
                    }
                }
            }
        });
    }
}

/// Whether a point lies within `quarters / 4` cells of a segment, in exact integers.
fn within(point: [i64; 2], a: [i64; 2], b: [i64; 2], quarters: i128) -> bool {
    let length2 = i128::from(distance2(a, b));
    let foot = i128::from((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1]));
    let limit2 = quarters * quarters;
    if foot <= 0 {
        16 * i128::from(distance2(a, point)) <= limit2
    } else if foot >= length2 {
        16 * i128::from(distance2(b, point)) <= limit2
    } else {
        let area = i128::from(cross(a, b, point));
        16 * area * area <= limit2 * length2
    }
}

#[test]
fn every_raw_vertex_stays_within_the_error_of_its_contour() {
    for seed in 0..FIELDS {
        let field = Field::random(seed);
        for quarters in [0i64, 3, 5, 8] {
            for straight in [false, true] {
                let settings = ContourSettings { straight_region_borders: straight, ..raw(quarters as f64 / 4.0) };
                with_contours(&field, &settings, |contours| {
                    if contours.dropped_holes > 0 {
                        return;
                    }
                    for traced in contours.raw_loops.iter() {
                        let ring = contours.ring(&contours.contours[traced.contour as usize]);
                        let near = |p: &ContourVertex| {
                            (0..ring.len()).any(|i| {
                                within(
                                    p.corner(),
                                    ring[i].corner(),
                                    ring[(i + 1) % ring.len()].corner(),
                                    quarters.into(),
                                )
                            })
                        };
                        let raw = &contours.raw_vertices[traced.first as usize..][..traced.count as usize];
                        for (at, p) in raw.iter().enumerate() {
                            let before = raw[(at + raw.len() - 1) % raw.len()].neighbor;
                            if !straight || p.neighbor <= 0 || before <= 0 {
                                assert!(near(p), "seed {seed} error {quarters}/4");
                            }
                            // Every vertex where the neighbour changes survives exactly.
                            if before != p.neighbor {
                                assert!(ring.iter().any(|v| v.corner() == p.corner()), "seed {seed}");
                            }
                        }
                    }
                });
            }
        }
    }
}

#[test]
fn both_sides_of_a_border_keep_the_same_vertices() {
    let mut shared = 0;
    for seed in 0..FIELDS {
        let field = Field::random(seed);
        with_contours(&field, &raw(0.0), |contours| {
            let mut edges = BTreeSet::new();
            for contour in contours.contours.iter() {
                let ring = contours.ring(contour);
                for (at, a) in ring.iter().enumerate() {
                    let b = ring[(at + 1) % ring.len()];
                    if a.neighbor > 0 && a.neighbor != contour.region as i32 {
                        // A wall without thickness may end on the border from one side: compare cell by cell.
                        let ([ax, az], [bx, bz]) = (a.corner(), b.corner());
                        for step in 0..(bx - ax).abs().max((bz - az).abs()) {
                            let at = |k| [ax + (bx - ax).signum() * k, az + (bz - az).signum() * k];
                            edges.insert((contour.region as i32, a.neighbor, at(step), at(step + 1)));
                        }
                    }
                }
            }
            if contours.dropped_holes == 0 {
                for &(region, neighbor, a, b) in &edges {
                    assert!(edges.contains(&(neighbor, region, b, a)), "seed {seed}: {region} {neighbor} {a:?} {b:?}");
                    shared += 1;
                }
            }
        });
    }
    assert!(shared > 1000);
}

fn proper(a: [i64; 2], b: [i64; 2], c: [i64; 2], d: [i64; 2]) -> bool {
    cross(a, b, c).signum() * cross(a, b, d).signum() < 0 && cross(c, d, a).signum() * cross(c, d, b).signum() < 0
}

fn crosses(ring: &[ContourVertex]) -> bool {
    let edge = |i: usize| (ring[i].corner(), ring[(i + 1) % ring.len()].corner());
    (0..ring.len()).any(|i| (0..i).any(|j| proper(edge(i).0, edge(i).1, edge(j).0, edge(j).1)))
}

#[test]
fn contours_do_not_cross_themselves_and_keep_their_area_without_an_error() {
    let mut joined = 0;
    for seed in 0..FIELDS {
        let field = Field::random(seed);
        let flat = field.columns.iter().all(|column| column.len() <= 1);
        for error in [0.0, 1.3, 3.0] {
            with_contours(&field, &raw(error), |contours| {
                for (index, contour) in contours.contours.iter().enumerate() {
                    let ring = contours.ring(contour);
                    assert!(twice_area(ring) > 0, "seed {seed}");
                    let loops = contours.raw_loops.iter().filter(|l| l.contour == index as u32).count();
                    joined += usize::from(loops > 1);
                    // One floor is planar; a region that passes over itself may cross itself in its raw loops.
                    if flat {
                        assert!(!crosses(ring), "seed {seed} error {error} region {}", contour.region);
                    }
                }
                let area = |region| -> i64 {
                    let of = contours.contours.iter().filter(|contour| contour.region == region);
                    of.map(|contour| twice_area(contours.ring(contour))).sum()
                };
                if error == 0.0 && contours.dropped_holes == 0 {
                    for region in 1..=field.region_count {
                        let spans = field.regions.iter().filter(|&&r| r == region).count() as i64;
                        assert_eq!(area(region), 2 * spans, "seed {seed}");
                    }
                }
            });
        }
    }
    assert!(joined > 150, "{joined} contours with holes");
}

#[test]
fn bridges_carry_the_contours_own_region_both_ways() {
    for seed in 0..FIELDS {
        let field = Field::random(seed);
        with_contours(&field, &raw(1.3), |contours| {
            for contour in contours.contours.iter() {
                let ring = contours.ring(contour);
                let bridges: Vec<_> = (0..ring.len())
                    .filter(|&i| ring[i].neighbor == contour.region as i32)
                    .map(|i| (ring[i].corner(), ring[(i + 1) % ring.len()].corner()))
                    .collect();
                assert!(bridges.iter().all(|&(a, b)| bridges.contains(&(b, a))), "seed {seed}");
            }
        });
    }
}

#[test]
fn long_walls_are_split_and_other_edges_are_not() {
    let field = {
        let mut field = Field::new(60, 20, vec![vec![(9, 63)]; 1200]);
        field.flood(30);
        field
    };
    let hole: Vec<_> = (0..1200)
        .map(|c| if (15..45).contains(&(c % 60)) && (5..15).contains(&(c / 60)) { vec![] } else { vec![(9, 63)] })
        .collect();
    let mut ringed = Field::new(60, 20, hole);
    ringed.flood(100);
    let settings = ContourSettings { max_edge_length: 7, ..raw(1.0) };
    for field in [field, ringed] {
        with_contours(&field, &settings, |contours| {
            for contour in contours.contours.iter() {
                let ring = contours.ring(contour);
                for (at, a) in ring.iter().enumerate() {
                    let b = ring[(at + 1) % ring.len()];
                    if a.neighbor == WALL {
                        assert!(distance2(a.corner(), b.corner()) <= 49);
                    } else if a.neighbor == TILE_BORDER {
                        assert!(
                            at == 0
                                || ring[at - 1].neighbor != TILE_BORDER
                                || cross(ring[at - 1].corner(), a.corner(), b.corner()) != 0
                        );
                    }
                }
            }
        });
    }
}

#[test]
fn every_limit_is_refused_by_name_and_any_arena_will_do_or_be_refused() {
    let field = Field::random(3);
    field.with(|compact| {
        let mut region = memory(1 << 20);
        let few = ContourSettings { max_contours: 0, ..ContourSettings::DEFAULT };
        let error = Contours::build(compact, &few, &mut Arena::new(&mut region)).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Contours));
        let few = ContourSettings { max_vertices: 2, ..ContourSettings::DEFAULT };
        let error = Contours::build(compact, &few, &mut Arena::new(&mut region)).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::ContourVertices));
        let mut arena = Arena::new(&mut region);
        let wanted = Contours::build(compact, &ContourSettings::DEFAULT, &mut arena).unwrap().vertices.to_vec();
        let enough = arena.high_water();
        for grains in 0..=enough / 16 {
            let mut region = memory(grains * 16);
            match Contours::build(compact, &ContourSettings::DEFAULT, &mut Arena::new(&mut region)) {
                Ok(contours) => assert_eq!(contours.vertices, wanted),
                Err(error) => assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory)),
            }
        }
        let mut region = memory(enough);
        assert!(Contours::build(compact, &ContourSettings::DEFAULT, &mut Arena::new(&mut region)).is_ok());
    });
}

#[test]
fn a_region_past_the_count_is_refused() {
    let mut field = Field::random(3);
    field.region_count = 1;
    *field.regions.last_mut().unwrap() = 9;
    field.with(|compact| {
        let mut region = memory(1 << 20);
        let error = Contours::build(compact, &ContourSettings::DEFAULT, &mut Arena::new(&mut region)).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Invalid, Subject::Regions));
    });
}

#[test]
fn the_border_region_gets_no_contours_but_its_border_is_refined() {
    let mut field = Field::new(30, 30, vec![vec![(9, 63)]; 900]);
    for z in 0..30 {
        for x in 0..30usize {
            let inside = (5..25).contains(&x) && (5..25).contains(&z);
            field.regions[x + 30 * z] = if inside { 1 } else { 2 };
        }
    }
    field.region_count = 2;
    let settings = ContourSettings { border_region: 2, ..ContourSettings::DEFAULT };
    with_contours(&field, &settings, |contours| {
        assert_eq!(contours.contours.len(), 1);
        let corners: Vec<_> = contours.vertices.iter().map(|v| (v.x, v.z)).collect();
        assert_eq!(corners, [(5, 5), (25, 5), (25, 25), (5, 25)]);
        assert!(contains(contours.vertices, [6, 6]));
    });
}
