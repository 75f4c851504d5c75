use super::contest::Contest;
use super::ears::{EarScratch, clip};
use super::*;
use crate::build3d::contours::ring::{cross, distance2, in_cone, touch};
use crate::build3d::contours::{ContourSettings, ContourVertex};
use crate::build3d::local::Turns;
use crate::build3d::test_fields::{Dice, Field, memory};
use crate::error::{ErrorKind, Subject};
use crate::geometry::predicates::{Turn, orient2d};
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

crate::memory::assert_portable!(PolyMesh);

const FIELDS: u64 = 250;

/// Coordinates of a field as if its outer two cells were border.
fn coordinates(field: &Field) -> TileCoordinates {
    let tile_cells = field.width.max(field.depth).saturating_sub(4).max(1);
    let tile_size = f64::from((0.3 * f64::from(tile_cells)) as f32);
    let cell_size = tile_size / f64::from(tile_cells);
    TileCoordinates { border: 2, tile_cells, cell_size, tile_size, cell_height: 0.2, min_row: 0 }
}

/// What both stages make of a random field, with random settings.
fn with_polygons<R>(seed: u64, max_verts: u32, run: impl FnOnce(&Field, &Contours<'_>, &PolyMesh<'_>) -> R) -> R {
    let mut dice = Dice(seed);
    let contour_settings = ContourSettings {
        max_error: [0.0, 1.3, 2.5][dice.roll(3) as usize],
        max_edge_length: [0, 3, 12][dice.roll(3) as usize],
        straight_region_borders: dice.roll(2) == 0,
        ..ContourSettings::DEFAULT
    };
    with_polygons_of(seed, max_verts, &contour_settings, run)
}

fn with_polygons_of<R>(
    seed: u64,
    max_verts: u32,
    contour_settings: &ContourSettings,
    run: impl FnOnce(&Field, &Contours<'_>, &PolyMesh<'_>) -> R,
) -> R {
    let field = Field::random(seed);
    let settings = PolySettings {
        max_verts,
        coordinates: coordinates(&field),
        max_polygons: usize::MAX,
        max_vertices: usize::MAX,
    };
    let mut region = memory(1 << 20);
    field.with(|compact| {
        let mut arena = Arena::new(&mut region);
        let contours = Contours::build(compact, contour_settings, &mut arena).unwrap();
        let mesh = PolyMesh::build(&contours, &settings, &mut arena).unwrap();
        run(&field, &contours, &mesh)
    })
}

fn corner(mesh: &PolyMesh<'_>, vertex: u32) -> [i64; 2] {
    let vertex = &mesh.vertices[vertex as usize];
    [i64::from(vertex.x), i64::from(vertex.z)]
}

fn twice_area(ring: &[[i64; 2]]) -> i64 {
    (1..ring.len() - 1).map(|i| cross(ring[0], ring[i], ring[i + 1])).sum()
}

#[test]
fn polygons_are_convex_in_the_stored_positions() {
    for seed in 0..FIELDS {
        for max_verts in [3, 6, 16] {
            with_polygons(seed, max_verts, |field, _, mesh| {
                let map = coordinates(field);
                for polygon in mesh.polygons.iter() {
                    let ring = mesh.ring(polygon);
                    assert!((3..=max_verts as usize).contains(&ring.len()));
                    let places: Vec<_> =
                        ring.iter().map(|&v| corner(mesh, v).map(|c| f64::from(map.local(c as i32)))).collect();
                    for (i, &a) in places.iter().enumerate() {
                        let b = places[(i + 1) % places.len()];
                        let others = (0..places.len()).filter(|&k| k != i && k != (i + 1) % places.len());
                        let turns: Vec<_> = others.map(|k| orient2d(a, b, places[k])).collect();
                        assert!(turns.iter().all(|turn| !turn.is_right()), "seed {seed}");
                        assert!(turns.iter().any(|turn| turn.is_left()), "seed {seed}");
                    }
                    assert_eq!(ring.iter().collect::<BTreeSet<_>>().len(), ring.len());
                }
            });
        }
    }
}

#[test]
fn polygons_of_a_region_have_the_area_of_its_contours() {
    let mut exact = 0;
    for seed in 0..FIELDS {
        with_polygons(seed, 6, |_, contours, mesh| {
            let mut want = BTreeMap::<u32, i64>::new();
            let mut got = BTreeMap::<u32, i64>::new();
            for contour in contours.contours.iter() {
                let ring: Vec<_> = contours.ring(contour).iter().map(ContourVertex::corner).collect();
                *want.entry(contour.region).or_default() += twice_area(&ring);
            }
            for polygon in mesh.polygons.iter() {
                let ring: Vec<_> = mesh.ring(polygon).iter().map(|&v| corner(mesh, v)).collect();
                *got.entry(polygon.region).or_default() += twice_area(&ring);
                let contour = contours.contours.iter().find(|contour| contour.region == polygon.region).unwrap();
                assert_eq!(contour.area, u32::from(polygon.area));
            }
            // Ears that are none lose or cover something twice; they come from loops that run over themselves.
            if mesh.degenerate_ears == 0 {
                assert_eq!(want, got, "seed {seed}");
                exact += 1;
            }
        });
    }
    assert!(exact > FIELDS * 7 / 10, "{exact}");
}

/// Whether two cells of a region lie side by side and are not linked: a wall without thickness, which a contour visits
/// from both sides.
fn has_thin_walls(field: &Field) -> bool {
    (0..field.spans.len()).filter(|&span| field.regions[span] != 0).any(|span| {
        let (x, z) = field.place(span);
        [(1, 0, 2), (0, 1, 1)].iter().any(|&(dx, dz, dir)| {
            let mut beside = field.column(x + dx, z + dz);
            beside.any(|to| field.regions[to] == field.regions[span] && field.neighbor(span, dir) != Some(to))
        })
    })
}

#[test]
fn contours_that_follow_the_cells_are_cut_without_a_loss() {
    let mut tried = 0;
    for seed in 0..FIELDS {
        let settings = ContourSettings { max_error: 0.0, ..ContourSettings::DEFAULT };
        with_polygons_of(seed, 6, &settings, |field, _, mesh| {
            if has_thin_walls(field) {
                return;
            }
            tried += 1;
            assert_eq!(mesh.degenerate_ears, 0, "seed {seed}");
            let area = |polygon: &Polygon| {
                twice_area(&mesh.ring(polygon).iter().map(|&v| corner(mesh, v)).collect::<Vec<_>>())
            };
            for region in 1..=field.region_count {
                let spans = field.regions.iter().filter(|&&r| r == region).count() as i64;
                let of = mesh.polygons.iter().filter(|polygon| polygon.region == region);
                assert_eq!(of.map(area).sum::<i64>(), 2 * spans, "seed {seed}");
            }
        });
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn an_edge_runs_in_one_direction_only_once() {
    for seed in 0..FIELDS {
        with_polygons(seed, 6, |field, _, mesh| {
            if mesh.degenerate_ears > 0 || field.columns.iter().any(|column| column.len() > 1) {
                return;
            }
            let mut edges = BTreeSet::new();
            for polygon in mesh.polygons.iter() {
                let ring = mesh.ring(polygon);
                for (i, &a) in ring.iter().enumerate() {
                    assert!(edges.insert((a, ring[(i + 1) % ring.len()])), "seed {seed}");
                }
            }
        });
    }
}

/// Ear clipping as the page has it, with every vertex that is no ear looked at again after every clip.
fn clip_plainly(ring: &[[i64; 2]]) -> (Vec<[usize; 3]>, u32) {
    let mut left: Vec<usize> = (0..ring.len()).collect();
    let mut head = 0;
    let mut valid = BTreeSet::new();
    let mut stale: BTreeSet<usize> = left.iter().copied().collect();
    let (mut triangles, mut degenerate) = (Vec::new(), 0);
    let diagonal = |left: &[usize], at: usize| {
        let n = left.len();
        let [pp, p, i, q, qq] = [at + n - 2, at + n - 1, at, at + 1, at + 2].map(|k| ring[left[k % n]]);
        in_cone(pp, p, i, q)
            && in_cone(i, q, qq, p)
            && (0..n).all(|k| {
                let (a, b) = (ring[left[k]], ring[left[(k + 1) % n]]);
                [a, b].iter().any(|e| [p, q].contains(e)) || !touch(p, q, a, b)
            })
    };
    while left.len() > 3 {
        let n = left.len();
        let neighbors = |at: usize| [left[(at + n - 1) % n], left[(at + 1) % n]];
        let turn = |at: usize| cross(ring[neighbors(at)[0]], ring[left[at]], ring[neighbors(at)[1]]);
        for at in 0..n {
            if stale.contains(&left[at]) || !valid.contains(&left[at]) {
                valid.remove(&left[at]);
                if turn(at) > 0 && diagonal(&left, at) {
                    valid.insert(left[at]);
                }
            }
        }
        stale.clear();
        let length = |at: usize| distance2(ring[neighbors(at)[0]], ring[neighbors(at)[1]]);
        let best = (0..n).filter(|&at| valid.contains(&left[at])).min_by_key(|&at| (length(at), left[at]));
        let at = best.unwrap_or_else(|| {
            degenerate += 1;
            let start = left.iter().position(|&v| v == head).unwrap();
            let from_head = (0..n).map(|k| (start + k) % n);
            from_head.clone().find(|&at| turn(at) >= 0 && diagonal(&left, at)).unwrap_or(start)
        });
        let [p, q] = neighbors(at);
        stale.extend([p, q]);
        triangles.push([p, left[at], q]);
        if head == left[at] {
            head = q;
        }
        left.remove(at);
    }
    let at = left.iter().position(|&v| v == head).unwrap();
    triangles.push([left[(at + 2) % 3], head, left[(at + 1) % 3]]);
    (triangles, degenerate)
}

fn clip_ours(ring: &[ContourVertex]) -> (Vec<[usize; 3]>, u32) {
    let mut region = memory(1 << 16);
    let mut scratch = EarScratch::new(ring.len(), &mut Arena::new(&mut region)).unwrap();
    let mut triangles = Vec::new();
    let push = |triangle| {
        triangles.push(triangle);
        Ok(())
    };
    let degenerate = clip(ring, &mut scratch, push).unwrap();
    (triangles, degenerate)
}

#[test]
fn ears_go_in_the_order_that_looking_at_every_vertex_gives() {
    let mut degenerate = 0;
    for seed in 0..FIELDS {
        with_polygons(seed, 6, |_, contours, _| {
            for contour in contours.contours.iter() {
                let ring = contours.ring(contour);
                let corners: Vec<_> = ring.iter().map(ContourVertex::corner).collect();
                let ours = clip_ours(ring);
                degenerate += ours.1;
                assert_eq!(ours, clip_plainly(&corners), "seed {seed} {corners:?}");
            }
        });
    }
    // Rings that cross themselves at random have no ears at times.
    let mut dice = Dice(3);
    for _ in 0..3000 {
        let ring: Vec<_> = (0..3 + dice.roll(12))
            .map(|_| ContourVertex { x: dice.roll(6) as i32, z: dice.roll(6) as i32, y: 0, neighbor: 0 })
            .collect();
        let corners: Vec<_> = ring.iter().map(ContourVertex::corner).collect();
        let ours = clip_ours(&ring);
        degenerate += ours.1;
        assert_eq!(ours, clip_plainly(&corners), "{corners:?}");
    }
    assert!(degenerate > 1000);
}

/// One contour's triangles merged as the page has it, with every pair of polygons looked at before every merge.
struct PlainMerge {
    rings: Vec<Vec<u32>>,
    walls: BTreeSet<(u32, u32)>,
    drops: usize,
}

impl PlainMerge {
    /// The ring of a valid merge over edge `e` of `a` with `b`, and the joints that are dropped.
    fn merged(&self, a: usize, e: usize, b: usize, rule: &PlainRule<'_>) -> Option<(Vec<u32>, Vec<[u32; 3]>)> {
        let (ours, theirs) = (&self.rings[a], &self.rings[b]);
        let (from, to) = (ours[e], ours[(e + 1) % ours.len()]);
        let at = (0..theirs.len()).find(|&k| theirs[k] == to && theirs[(k + 1) % theirs.len()] == from)?;
        if ours.len() + theirs.len() - 2 > rule.max_verts {
            return None;
        }
        let mut ring: Vec<u32> = (1..=ours.len()).map(|k| ours[(e + k) % ours.len()]).collect();
        ring.extend((2..theirs.len()).map(|k| theirs[(at + k) % theirs.len()]));
        if ring.iter().collect::<BTreeSet<_>>().len() < ring.len() {
            return None;
        }
        let around = |ring: &[u32], v: u32| {
            let k = ring.iter().position(|&w| w == v).unwrap();
            [ring[(k + ring.len() - 1) % ring.len()], v, ring[(k + 1) % ring.len()]]
        };
        let mut dropped = Vec::new();
        for joint in [from, to] {
            let [p, v, n] = around(&ring, joint);
            let turn = cross((rule.place)(p), (rule.place)(v), (rule.place)(n));
            if turn == 0 && self.walls.contains(&(p, v)) && self.walls.contains(&(v, n)) {
                dropped.push([p, v, n]);
            } else if turn < 0 || (rule.turn)([p, v, n]).is_right() {
                return None;
            }
        }
        let whole = ring.clone();
        ring.retain(|v| dropped.iter().all(|d| d[1] != *v));
        for neighbor in dropped.iter().flat_map(|&[p, _, n]| [p, n]) {
            if ring.contains(&neighbor) && (rule.turn)(around(&ring, neighbor)).is_right() {
                return None;
            }
        }
        let edges = dropped.iter().map(|d| around(&whole, d[1])).collect();
        (ring.len() >= 3).then_some((ring, edges))
    }

    fn run(&mut self, rule: &PlainRule<'_>) {
        loop {
            let mut best: Option<(i64, usize, usize, usize)> = None;
            for a in 0..self.rings.len() {
                for e in 0..self.rings[a].len() {
                    let ring = &self.rings[a];
                    let length2 = distance2((rule.place)(ring[e]), (rule.place)(ring[(e + 1) % ring.len()]));
                    for b in a + 1..self.rings.len() {
                        if best.is_none_or(|best| length2 > best.0) && self.merged(a, e, b, rule).is_some() {
                            best = Some((length2, a, e, b));
                        }
                    }
                }
            }
            let Some((_, a, e, b)) = best else { return };
            let (ring, dropped) = self.merged(a, e, b, rule).unwrap();
            for [p, _, n] in dropped {
                self.walls.insert((p, n));
                self.drops += 1;
            }
            self.rings[a] = ring;
            self.rings.remove(b);
        }
    }
}

struct PlainRule<'t> {
    max_verts: usize,
    place: &'t dyn Fn(u32) -> [i64; 2],
    turn: &'t dyn Fn([u32; 3]) -> Turn,
}

#[test]
fn merging_takes_the_pairs_that_looking_at_all_of_them_gives() {
    let mut drops = 0;
    for seed in 0..FIELDS {
        for max_verts in [4, 6] {
            with_polygons(seed, max_verts, |field, contours, mesh| {
                let turns = Turns::new(coordinates(field));
                let mut polygons = mesh.polygons.iter();
                // Straightening and welding are taken from the product: its vertices at a corner's place, nearest in row.
                for contour in contours.contours.iter() {
                    let whole = contours.ring(contour);
                    let mut ring = whole.to_vec();
                    let len = walls::straighten(&mut ring, whole);
                    let ring = &ring[..len];
                    let weld = |c: &ContourVertex| {
                        let found =
                            mesh.vertices.iter().position(|v| (v.x, v.z) == (c.x, c.z) && (v.y - c.y).abs() <= 1);
                        found.unwrap() as u32
                    };
                    let welded: Vec<u32> = ring.iter().map(weld).collect();
                    let place = |v: u32| corner(mesh, v);
                    let turn = |[a, b, c]: [u32; 3]| turns.turn(place(a), place(b), place(c));
                    let triangles = clip_ours(ring).0.into_iter().map(|t| t.map(|i| welded[i]).to_vec());
                    let rings = triangles
                        .filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0] && turn([t[0], t[1], t[2]]).is_left());
                    let walls = (0..len).filter(|&i| ring[i].neighbor == 0).map(|i| (welded[i], welded[(i + 1) % len]));
                    let mut plain = PlainMerge { rings: rings.collect(), walls: walls.collect(), drops: 0 };
                    plain.run(&PlainRule { max_verts: max_verts as usize, place: &place, turn: &turn });
                    for want in &plain.rings {
                        assert_eq!(mesh.ring(polygons.next().unwrap()), want, "seed {seed}");
                    }
                    drops += plain.drops;
                }
                assert!(polygons.next().is_none());
            });
        }
    }
    assert!(drops > 20, "{drops}");
}

#[test]
fn a_contest_has_room_for_every_round() {
    assert_eq!([0, 1, 2, 3, 4, 5].map(Contest::winners_for), [2, 2, 4, 8, 8, 16]);
}

#[test]
fn every_limit_is_refused_by_name_and_any_arena_will_do_or_be_refused() {
    let field = Field::random(8);
    let mut region = memory(1 << 20);
    field.with(|compact| {
        let mut arena = Arena::new(&mut region);
        let contours = Contours::build(compact, &ContourSettings::DEFAULT, &mut arena).unwrap();
        let good = PolySettings {
            max_verts: 6,
            coordinates: coordinates(&field),
            max_polygons: usize::MAX,
            max_vertices: usize::MAX,
        };
        let refusal = |settings: PolySettings| {
            let mut region = memory(1 << 20);
            let error = PolyMesh::build(&contours, &settings, &mut Arena::new(&mut region)).unwrap_err();
            (error.kind(), error.subject())
        };
        for max_verts in [0, 2, 17, u32::MAX] {
            let got = refusal(PolySettings { max_verts, ..good });
            assert_eq!(got, (ErrorKind::Invalid, Subject::MaxVertsPerPoly));
        }
        assert_eq!(refusal(PolySettings { max_polygons: 1, ..good }), (ErrorKind::Capacity, Subject::Polygons));
        assert_eq!(refusal(PolySettings { max_vertices: 3, ..good }), (ErrorKind::Capacity, Subject::Vertices));
        let mut region = memory(1 << 20);
        let mut arena = Arena::new(&mut region);
        let wanted = PolyMesh::build(&contours, &good, &mut arena).unwrap().indices.to_vec();
        let enough = arena.high_water();
        for grains in 0..=enough / 16 + 2 {
            let mut region = memory(grains * 16);
            match PolyMesh::build(&contours, &good, &mut Arena::new(&mut region)) {
                Ok(mesh) => assert_eq!(mesh.indices, wanted),
                Err(error) => assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory)),
            }
        }
        let mut region = memory(enough + 32);
        assert!(PolyMesh::build(&contours, &good, &mut Arena::new(&mut region)).is_ok());
    });
}
