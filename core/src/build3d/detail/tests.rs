use super::*;
use crate::build3d::contours::{ContourSettings, Contours};
use crate::build3d::polygons::{PolySettings, Polygon};
use crate::build3d::test_fields::{CLIMB, Dice, Field, memory};
use crate::error::{ErrorKind, Subject};
use crate::geometry::predicates::{CircleSide, in_circle, orient2d};
use crate::math::sqrt;
use std::collections::{BTreeMap, BTreeSet};
use std::vec;
use std::vec::Vec;

crate::memory::assert_portable!(DetailMesh);

const FIELDS: u64 = 150;

/// What the tests look at: the field and all three products.
struct Scene<'t> {
    field: &'t Field,
    map: TileCoordinates,
    settings: DetailSettings,
    mesh: &'t PolyMesh<'t>,
    detail: &'t DetailMesh<'t>,
}

fn with_detail(seed: u64, settings: DetailSettings, run: impl FnOnce(&Scene<'_>)) {
    with_detail_of(&Field::random(seed), settings, run);
}

fn with_detail_of(field: &Field, settings: DetailSettings, run: impl FnOnce(&Scene<'_>)) {
    let tile_cells = field.width.max(field.depth).saturating_sub(4).max(1);
    let tile_size = f64::from((0.3 * f64::from(tile_cells)) as f32);
    let cell_size = tile_size / f64::from(tile_cells);
    let map = TileCoordinates { border: 2, tile_cells, cell_size, tile_size, cell_height: 0.2, min_row: 0 };
    let poly_settings =
        PolySettings { max_verts: 6, coordinates: map, max_polygons: usize::MAX, max_vertices: usize::MAX };
    let mut region = memory(1 << 22);
    field.with(|compact| {
        let mut arena = Arena::new(&mut region);
        let contours = Contours::build(compact, &ContourSettings::DEFAULT, &mut arena).unwrap();
        let mesh = PolyMesh::build(&contours, &poly_settings, &mut arena).unwrap();
        let map = TileCoordinates { min_row: mesh.rows().map_or(0, |rows| rows.0), ..map };
        let detail = DetailMesh::build(compact, &mesh, &map, &settings, &mut arena).unwrap();
        run(&Scene { field, map, settings, mesh: &mesh, detail: &detail });
    });
}

fn fine(seed: u64) -> DetailSettings {
    let mut dice = Dice(seed);
    DetailSettings {
        sample_distance: [0.29, 0.45, 0.61, 1.8][dice.roll(4) as usize],
        max_error: [0.0, 0.1, 0.25][dice.roll(3) as usize],
        walkable_climb: u32::from(CLIMB),
        max_vertices: usize::MAX,
        max_triangles: usize::MAX,
    }
}

impl Scene<'_> {
    /// All vertices of a polygon's detail, its own first.
    fn vertices(&self, polygon: usize) -> Vec<[f32; 3]> {
        let (range, ring) = (&self.detail.ranges[polygon], self.mesh.ring(&self.mesh.polygons[polygon]));
        let own = ring.iter().map(|&v| {
            let v = &self.mesh.vertices[v as usize];
            [self.map.local(v.x), self.map.local_y(v.y.into()), self.map.local(v.z)]
        });
        let extra = &self.detail.vertices[range.vertex_base as usize..][..usize::from(range.vertex_count)];
        own.chain(extra.iter().copied()).collect()
    }

    fn triangles(&self, polygon: usize) -> &[[u8; 4]] {
        let range = &self.detail.ranges[polygon];
        &self.detail.triangles[range.triangle_base as usize..][..usize::from(range.triangle_count)]
    }

    /// The vertices around a polygon's boundary, from its first corner on, by the edge flags.
    fn boundary(&self, polygon: usize) -> Vec<u8> {
        let mut next = BTreeMap::new();
        for t in self.triangles(polygon) {
            for k in 0..3 {
                if t[3] >> k & 1 != 0 {
                    assert!(next.insert(t[k], t[(k + 1) % 3]).is_none());
                }
            }
        }
        let mut ring = vec![0];
        while next[ring.last().unwrap()] != 0 {
            ring.push(next[ring.last().unwrap()]);
        }
        assert_eq!(ring.len(), next.len());
        ring
    }

    fn rows(&self, polygon: &Polygon) -> Vec<f64> {
        self.mesh.ring(polygon).iter().map(|&v| f64::from(self.mesh.vertices[v as usize].y)).collect()
    }
}

fn ground(v: [f32; 3]) -> [f64; 2] {
    [f64::from(v[0]), f64::from(v[2])]
}

#[test]
fn triangles_tile_the_polygon_and_flags_mark_its_boundary() {
    let mut extra = 0;
    for seed in 0..FIELDS {
        with_detail(seed, fine(seed), |scene| {
            for polygon in 0..scene.mesh.polygons.len() {
                let (vertices, triangles) = (scene.vertices(polygon), scene.triangles(polygon));
                let mut edges = BTreeSet::new();
                for t in triangles {
                    let [a, b, c] = [0, 1, 2].map(|k| ground(vertices[usize::from(t[k])]));
                    assert!(orient2d(a, b, c).is_left(), "seed {seed} polygon {polygon}");
                    (0..3).for_each(|k| assert!(edges.insert((t[k], t[(k + 1) % 3]))));
                }
                for t in triangles {
                    for k in 0..3 {
                        let alone = !edges.contains(&(t[(k + 1) % 3], t[k]));
                        assert_eq!(t[3] >> k & 1 != 0, alone, "seed {seed} polygon {polygon}");
                    }
                    assert_eq!(t[3] >> 3, 0);
                }
                // The boundary runs through the corners in order, with edge points between, each vertex once: together with
                // triangles that all turn left and share their other edges, this is a tiling.
                let boundary = scene.boundary(polygon);
                let corners = scene.mesh.ring(&scene.mesh.polygons[polygon]).len();
                let own: Vec<_> = boundary.iter().filter(|&&v| usize::from(v) < corners).collect();
                assert!(own.iter().enumerate().all(|(k, &&v)| usize::from(v) == k) && own.len() == corners);
                assert_eq!(triangles.len(), 2 * vertices.len() - 2 - boundary.len());
                extra += vertices.len() - corners;
            }
        });
    }
    assert!(extra > 2000, "{extra}");
}

#[test]
fn every_edge_that_can_be_flipped_is_delaunay() {
    for seed in 0..FIELDS {
        with_detail(seed, fine(seed), |scene| {
            for polygon in 0..scene.mesh.polygons.len() {
                let (vertices, triangles) = (scene.vertices(polygon), scene.triangles(polygon));
                let place = |v: u8| ground(vertices[usize::from(v)]);
                let apex: BTreeMap<_, _> = triangles
                    .iter()
                    .flat_map(|t| (0..3).map(move |k| ((t[k], t[(k + 1) % 3]), t[(k + 2) % 3])))
                    .collect();
                for (&(a, b), &c) in &apex {
                    if let Some(&d) = apex.get(&(b, a)) {
                        let [a, b, c, d] = [a, b, c, d].map(place);
                        let convex = [(c, a, d), (d, b, c)].iter().all(|&(p, q, r)| orient2d(p, q, r).is_left());
                        assert!(!convex || in_circle(a, b, c, d) != CircleSide::Inside, "seed {seed}");
                    }
                }
            }
        });
    }
}

/// The nearest row, from the definition.
fn plain_row(field: &Field, x: f64, z: f64, expected: f64, region: Option<u32>) -> Option<u16> {
    let cells = |p: f64| if p.fract() == 0.0 { vec![p as i32 - 1, p as i32] } else { vec![p as i32] };
    let mut spans = Vec::new();
    for z in cells(z) {
        for x in cells(x) {
            spans.extend(field.column(x, z));
        }
    }
    let away = |span: usize| (f64::from(field.spans[span].y) - expected).abs();
    spans.retain(|&span| away(span) <= f64::from(CLIMB) + 1.0 && region.is_none_or(|r| field.regions[span] == r));
    let least = spans.iter().map(|&span| away(span)).fold(f64::INFINITY, f64::min);
    spans.into_iter().find(|&span| away(span) == least).map(|span| field.spans[span].y)
}

#[test]
fn every_sampled_row_is_within_the_error_of_the_surface() {
    let (mut samples, mut missing) = (0, 0);
    for seed in 0..FIELDS {
        with_detail(seed, fine(seed), |scene| {
            let sd = scene.settings.sample_distance / scene.map.cell_size;
            if scene.detail.capped > 0 {
                return;
            }
            let mut without = 0;
            for (p, polygon) in scene.mesh.polygons.iter().enumerate() {
                if sd <= 0.9 {
                    break;
                }
                let (vertices, triangles) = (scene.vertices(p), scene.triangles(p));
                let ring: Vec<_> = scene.mesh.ring(polygon).iter().map(|&v| &scene.mesh.vertices[v as usize]).collect();
                let rows = scene.rows(polygon);
                let expected = rows.iter().sum::<f64>() / rows.len() as f64;
                let min =
                    |f: fn(&&crate::build3d::polygons::PolyVertex) -> i32| f64::from(ring.iter().map(f).min().unwrap());
                let max =
                    |f: fn(&&crate::build3d::polygons::PolyVertex) -> i32| f64::from(ring.iter().map(f).max().unwrap());
                for j in 1..100 {
                    for i in 1..100 {
                        let (x, z) = (min(|v| v.x) + f64::from(i) * sd, min(|v| v.z) + f64::from(j) * sd);
                        let inside = (0..ring.len()).all(|k| {
                            let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
                            let (dx, dz) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
                            let across = dx * (z - f64::from(a.z)) - dz * (x - f64::from(a.x));
                            across / sqrt(dx * dx + dz * dz) > sd / 2.0
                        });
                        if x >= max(|v| v.x) || z >= max(|v| v.z) || !inside {
                            continue;
                        }
                        let Some(row) = plain_row(scene.field, x, z, expected, Some(polygon.region)) else {
                            without += 1;
                            continue;
                        };
                        samples += 1;
                        let at = [scene.map.local_at(x), scene.map.local_y(row.into()), scene.map.local_at(z)];
                        let good = triangles.iter().any(|t| {
                            let [a, b, c] = [0, 1, 2].map(|k| vertices[usize::from(t[k])]);
                            let turns =
                                [(a, b), (b, c), (c, a)].map(|(u, v)| orient2d(ground(u), ground(v), ground(at)));
                            turns.iter().all(|turn| !turn.is_right())
                                && (height(a, b, c, ground(at)) - f64::from(at[1])).abs()
                                    <= scene.settings.max_error + 1e-6
                        });
                        assert!(good, "seed {seed} polygon {p} at {x} {z}");
                    }
                }
            }
            assert_eq!(without, scene.detail.samples_without_height, "seed {seed}");
            missing += without;
        });
    }
    assert!(samples > 2000 && missing > 0, "{samples} {missing}");
}

/// The height of a plane, by the areas opposite of its corners.
fn height(a: [f32; 3], b: [f32; 3], c: [f32; 3], at: [f64; 2]) -> f64 {
    let area = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let parts = [area(ground(b), ground(c), at), area(ground(c), ground(a), at), area(ground(a), ground(b), at)];
    let heights = [a, b, c].map(|v| f64::from(v[1]));
    (0..3).map(|k| parts[k] * heights[k]).sum::<f64>() / parts.iter().sum::<f64>()
}

#[test]
fn both_polygons_at_an_edge_have_the_same_points_on_it_and_follow_the_floor() {
    let (mut shared, mut bent) = (0, 0);
    for seed in 0..FIELDS {
        with_detail(seed, fine(seed), |scene| {
            if scene.detail.capped > 0 {
                return;
            }
            let sd = scene.settings.sample_distance / scene.map.cell_size;
            let mut points = BTreeMap::new();
            for (p, polygon) in scene.mesh.polygons.iter().enumerate() {
                let (vertices, boundary, ring) = (scene.vertices(p), scene.boundary(p), scene.mesh.ring(polygon));
                let start = |k: usize| boundary.iter().position(|&v| usize::from(v) == k).unwrap_or(boundary.len());
                for k in 0..ring.len() {
                    let end = if k + 1 == ring.len() { boundary.len() } else { start(k + 1) };
                    let on: Vec<_> = boundary[start(k) + 1..end].iter().map(|&v| vertices[usize::from(v)]).collect();
                    bent += on.len();
                    let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
                    check_edge(scene, a, b, &on, sd);
                    points.insert((a, b), on.iter().map(|v| v.map(f32::to_bits)).collect::<Vec<_>>());
                }
            }
            for (&(a, b), on) in &points {
                if let Some(other) = points.get(&(b, a)) {
                    assert!(on.iter().eq(other.iter().rev()), "seed {seed}");
                    shared += 1;
                }
            }
        });
    }
    assert!(shared > 1000 && bent > 500, "{shared} {bent}");
}

/// Whether every step along an edge is within the error of the line through the points that were kept.
fn check_edge(scene: &Scene<'_>, a: u32, b: u32, kept: &[[f32; 3]], sd: f64) {
    let [a, b] = [a, b].map(|v| &scene.mesh.vertices[v as usize]);
    let forth = (a.x, a.z) < (b.x, b.z);
    let (from, to) = if forth { (a, b) } else { (b, a) };
    let (dx, dz) = (f64::from(to.x - from.x), f64::from(to.z - from.z));
    let length = sqrt(dx * dx + dz * dz);
    if length <= sd || sd <= 0.9 {
        return assert!(kept.is_empty());
    }
    let steps = (length / sd).ceil();
    let map = &scene.map;
    let ends = [from, to].map(|v| [map.local(v.x), map.local_y(v.y.into()), map.local(v.z)]);
    let mut line = kept.to_vec();
    if !forth {
        line.reverse();
    }
    line.insert(0, ends[0]);
    line.push(ends[1]);
    let along = |v: [f32; 3]| {
        let d = [f64::from(v[0] - ends[0][0]), f64::from(v[2] - ends[0][2])];
        sqrt(d[0] * d[0] + d[1] * d[1])
    };
    for k in 1..steps as u32 {
        let part = f64::from(k) / steps;
        let (x, z) = (f64::from(from.x) + dx * f64::from(k) / steps, f64::from(from.z) + dz * f64::from(k) / steps);
        let straight = f64::from(from.y) + f64::from(to.y - from.y) * f64::from(k) / steps;
        let row = plain_row(scene.field, x, z, straight, None).map_or(straight, f64::from);
        let (want, at) = (f64::from(map.local_y(row)), along(ends[1]) * part);
        let piece = line.windows(2).find(|w| at <= along(w[1]) + 1e-6).unwrap();
        let (low, high) = (along(piece[0]), along(piece[1]));
        let got = f64::from(piece[0][1]) + f64::from(piece[1][1] - piece[0][1]) * (at - low) / (high - low);
        assert!((got - want).abs() <= scene.settings.max_error + 1e-4, "{got} {want}");
    }
}

#[test]
fn without_samples_a_polygon_is_just_triangulated() {
    for seed in 0..FIELDS {
        for sample_distance in [0.0, -1.0, 0.2, f64::NAN] {
            with_detail(seed, DetailSettings { sample_distance, ..fine(seed) }, |scene| {
                assert!(scene.detail.vertices.is_empty() && scene.detail.samples_without_height == 0);
                for (range, polygon) in scene.detail.ranges.iter().zip(scene.mesh.polygons.iter()) {
                    assert_eq!(range.triangle_count, polygon.count - 2);
                }
            });
        }
    }
}

#[test]
fn a_polygon_that_needs_too_many_vertices_is_capped_and_counted() {
    let mut dice = Dice(4);
    // Every second cell is higher: no surface of 255 vertices follows that.
    let columns = (0..60 * 60).map(|_| vec![(50 + 2 * dice.roll(2) as u16, 63)]).collect();
    let mut field = Field::new(60, 60, columns);
    field.flood(100);
    let settings = DetailSettings { sample_distance: 0.31, max_error: 0.01, ..fine(0) };
    with_detail_of(&field, settings, |scene| {
        assert!(scene.detail.capped > 0);
        for polygon in 0..scene.mesh.polygons.len() {
            assert!(scene.vertices(polygon).len() <= 255);
        }
        assert!((0..scene.mesh.polygons.len()).any(|polygon| scene.vertices(polygon).len() == 255));
    });
}

#[test]
fn every_limit_is_refused_by_name_and_any_arena_will_do_or_be_refused() {
    let field = Field::random(8);
    let settings = DetailSettings { sample_distance: 0.45, max_error: 0.0, ..fine(0) };
    with_detail_of(&field, settings, |scene| {
        field.with(|compact| {
            let build = |settings: &DetailSettings, arena: &mut Arena<'_>| {
                DetailMesh::build(compact, scene.mesh, &scene.map, settings, arena)
                    .map(|detail| detail.triangles.to_vec())
            };
            let mut region = memory(1 << 20);
            let few = DetailSettings { max_vertices: 1, ..settings };
            let error = build(&few, &mut Arena::new(&mut region)).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::DetailVertices));
            let few = DetailSettings { max_triangles: 1, ..settings };
            let error = build(&few, &mut Arena::new(&mut region)).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::DetailTriangles));
            let mut arena = Arena::new(&mut region);
            let wanted = build(&settings, &mut arena).unwrap();
            let enough = arena.high_water() + 32;
            for grains in (0..=enough / 16).step_by(3) {
                let mut region = memory(grains * 16);
                match build(&settings, &mut Arena::new(&mut region)) {
                    Ok(triangles) => assert_eq!(triangles, wanted),
                    Err(error) => assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory)),
                }
            }
            let mut region = memory(enough);
            assert!(build(&settings, &mut Arena::new(&mut region)).is_ok());
        });
    });
}
