//! Claims about random points: the page's draws one by one, and the uniform distribution by a chi-square test.

use super::areas::{Shape, literal};
use super::world::{Kind, World, corners, query};
use crate::error::{ErrorKind, Subject};
use crate::math::SplitMix64;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{
    AreaStatus, Circle, Filter, PolygonFilter, QueryDef, RANDOM_ATTEMPTS, RandomPoint, nearest_polygon, random_point,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::vec::Vec;

type V = [f64; 3];
type P = [f64; 2];

fn twice_area([a, b, c]: [P; 3]) -> f64 {
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).max(0.0)
}

fn fan(ring: &[P]) -> Vec<[P; 3]> {
    (2..ring.len()).map(|i| [ring[0], ring[i - 1], ring[i]]).collect()
}

/// The first whose running total exceeds a share of the whole, else the last that has any.
fn pick(weights: &[f64], u: f64) -> usize {
    let total = weights.iter().fold(0.0, |sum, weight| sum + weight);
    let mut running = 0.0;
    for (i, weight) in weights.iter().enumerate() {
        running += weight;
        if running > u * total {
            return i;
        }
    }
    weights.iter().rposition(|&weight| weight > 0.0).unwrap()
}

/// A point of a ring from the last three of an attempt's draws.
fn place(ring: &[P], [_, u1, u2, u3]: [f64; 4]) -> P {
    let triangles = fan(ring);
    let areas: Vec<f64> = triangles.iter().map(|&triangle| twice_area(triangle)).collect();
    let [a, b, c] = triangles[pick(&areas, u1)];
    let (r1, r2) = (crate::math::sqrt(u2), u3);
    core::array::from_fn(|axis| (1.0 - r1) * a[axis] + r1 * (1.0 - r2) * b[axis] + r1 * r2 * c[axis])
}

fn weight(ring: &[P]) -> f64 {
    fan(ring).into_iter().fold(0.0, |sum, triangle| sum + twice_area(triangle))
}

fn draws(random: &mut SplitMix64) -> [f64; 4] {
    [random.next_f64(), random.next_f64(), random.next_f64(), random.next_f64()]
}

/// A polygon's corners in its tile's own coordinates.
fn local(mesh: &NavMesh<'_>, polygon: PolyRef) -> (Vec<P>, V) {
    let (tile, record) = mesh.polygon(polygon).unwrap();
    let corner = |vertex: u16| tile.vertices[vertex as usize];
    let ring = tile.edges_of(record).iter().map(|edge| corner(edge.vertex));
    (ring.map(|[x, _, z]| [x as f64, z as f64]).collect(), tile.origin)
}

/// Keeps what of a ring lies on one side of a line, walking corner by corner.
fn cut(ring: &[P], axis: usize, line: f64, sign: f64) -> Vec<P> {
    let inside = |p: P| (p[axis] - line) * sign >= 0.0;
    let mut out = Vec::new();
    for i in 0..ring.len() {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        if inside(a) {
            out.push(a);
        }
        if inside(a) != inside(b) {
            let t = (line - a[axis]) / (b[axis] - a[axis]);
            let mut p = [line, line];
            p[1 - axis] = a[1 - axis] + (b[1 - axis] - a[1 - axis]) * t;
            out.push(p);
        }
    }
    out
}

fn clipped(mesh: &NavMesh<'_>, polygon: PolyRef, circle: &Circle) -> Vec<P> {
    let ring: Vec<P> = corners(mesh, polygon).iter().map(|&[x, _, z]| [x, z]).collect();
    let [x, _, z] = circle.center;
    let r = circle.radius;
    let ring = cut(&cut(&ring, 0, x - r, 1.0), 0, x + r, -1.0);
    cut(&cut(&ring, 1, z - r, 1.0), 1, z + r, -1.0)
}

/// The squared distance of a point from a polygon's surface.
fn off_surface(mesh: &NavMesh<'_>, drawn: &RandomPoint) -> f64 {
    let (tile, record) = mesh.polygon(drawn.polygon).unwrap();
    let closest = crate::mesh::surface::closest_point(&tile, record, drawn.point).point;
    crate::math::distance_squared(closest, drawn.point)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_random_point_is_the_one_that_the_four_draws_stand_for(
        seed in any::<u64>(), merged in any::<bool>(), holes in 0u64..50, excluded in 0u16..8,
    ) {
        let world = World::new(Kind { seed, tiles: 2, holes, merged, floors: 2, links: 0 });
        let filter = Filter::new().without_flags(excluded);
        let accepted: Vec<PolyRef> = world
            .polygons()
            .into_iter()
            .filter(|&one| {
                let (_, record) = world.mesh.polygon(one).unwrap();
                filter.accepts(record.flags, record.area)
            })
            .collect();
        let mut random = SplitMix64::new(seed);
        for _ in 0..20 {
            let mut same = random;
            let drawn = random_point(&world.mesh, &mut random, &filter);
            if accepted.is_empty() {
                prop_assert_eq!((drawn, random.state()), (None, seed));
                continue;
            }
            let u = draws(&mut same);
            prop_assert_eq!(random, same);
            let weights: Vec<f64> = accepted.iter().map(|&one| weight(&local(&world.mesh, one).0)).collect();
            let polygon = accepted[pick(&weights, u[0])];
            let (ring, origin) = local(&world.mesh, polygon);
            let [x, z] = place(&ring, u);
            let drawn = drawn.unwrap();
            prop_assert_eq!((drawn.polygon, drawn.point[0], drawn.point[2]), (polygon, origin[0] + x, origin[2] + z));
            prop_assert!(off_surface(&world.mesh, &drawn) < 1e-20);
        }
    }

    #[test]
    fn a_random_point_around_is_the_first_attempt_within_the_circle(
        seed in any::<u64>(), merged in any::<bool>(), holes in 0u64..50, radius in 0.1f64..9.0, aside in 0.0f64..9.0,
        nodes in 1u32..100,
    ) {
        let mut world = World::with_rise(Kind { seed, tiles: 2, holes, merged, floors: 2, links: 0 }, 0.2);
        let (polygon, [x, y, z]) = world.place();
        let mesh = &world.mesh;
        let circle = Circle { polygon, center: [x + aside, y, z], radius };
        let shape = Shape::Circle(circle.center, radius);
        let (found, _) = literal(mesh, polygon, &shape, &Filter::new(), nodes as usize, &|_, _| false);
        let rings: Vec<Vec<P>> = found.iter().map(|one| clipped(mesh, one.polygon, &circle)).collect();
        let weights: Vec<f64> = rings.iter().map(|ring| weight(ring)).collect();
        let mut query = query(QueryDef { nodes, ..QueryDef::DEFAULT });
        let mut random = SplitMix64::new(seed);
        for turn in 0..8 {
            let mut same = random;
            let mut expected = None;
            if weights.iter().any(|&weight| weight > 0.0) {
                for _ in 0..64 {
                    let u = draws(&mut same);
                    let at = pick(&weights, u[0]);
                    let [x, z] = place(&rings[at], u);
                    let (dx, dz) = (x - circle.center[0], z - circle.center[2]);
                    if dx * dx + dz * dz <= radius * radius {
                        expected = Some((found[at].polygon, x, z));
                        break;
                    }
                }
            }
            let drawn = if turn % 2 == 0 {
                query.find_random_around(mesh, &mut random, circle, &Filter::ALL).unwrap()
            } else {
                query.begin_circle(mesh, circle, &Filter::ALL).unwrap();
                while query.step_area(mesh, &Filter::ALL, 2).unwrap() == AreaStatus::InProgress {}
                query.finish_random_around(mesh, &mut random).unwrap()
            };
            prop_assert_eq!(random, same);
            prop_assert_eq!(drawn.map(|drawn| (drawn.polygon, drawn.point[0], drawn.point[2])), expected);
            if let Some(drawn) = drawn {
                prop_assert!(off_surface(mesh, &drawn) < 1e-18);
            }
        }
    }
}

/// How far counts are from what is expected, in a number that stays below `limit` but for one seed in tens of thousands.
fn chi_square(counts: &[(f64, f64)]) -> (f64, f64) {
    let sum = counts.iter().map(|&(count, expected)| (count - expected) * (count - expected) / expected).sum();
    let freedom = counts.len() as f64 - 1.0;
    (sum, freedom + 4.0 * crate::math::sqrt(2.0 * freedom) + 4.0)
}

#[test]
fn random_points_are_uniform_over_the_ground() {
    let world = World::new(Kind { seed: 11, tiles: 2, holes: 30, merged: true, floors: 2, links: 0 });
    let filter = Filter::new().without_flags(2);
    let mut random = SplitMix64::new(2002);
    // By polygon and quarter of its box; merged cells are rectangles.
    let mut counts: BTreeMap<(PolyRef, bool, bool), (f64, f64)> = BTreeMap::new();
    let mut boxes = BTreeMap::new();
    let mut whole = 0.0;
    for polygon in world.polygons() {
        let (_, record) = world.mesh.polygon(polygon).unwrap();
        if !filter.accepts(record.flags, record.area) {
            continue;
        }
        let ring = corners(&world.mesh, polygon);
        let middle = |axis: usize| {
            let low = ring.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
            let high = ring.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
            ((low + high) / 2.0, high - low)
        };
        let ((x, width), (z, depth)) = (middle(0), middle(2));
        boxes.insert(polygon, (x, z));
        whole += width * depth;
        for (right, up) in [(false, false), (false, true), (true, false), (true, true)] {
            counts.insert((polygon, right, up), (0.0, width * depth / 4.0));
        }
    }
    let points = 60_000;
    for _ in 0..points {
        let drawn = random_point(&world.mesh, &mut random, &filter).unwrap();
        let (x, z) = boxes[&drawn.polygon];
        counts.get_mut(&(drawn.polygon, drawn.point[0] > x, drawn.point[2] > z)).unwrap().0 += 1.0;
    }
    let cells: Vec<(f64, f64)> = counts.values().map(|&(n, area)| (n, area / whole * points as f64)).collect();
    assert!(cells.len() > 100 && cells.iter().all(|&(_, expected)| expected > 20.0));
    let (sum, limit) = chi_square(&cells);
    assert!(sum < limit, "{sum} is not below {limit}");
    // The test can tell: with one cell in fifty too rare by a third the sum would be past the limit.
    let skewed: Vec<(f64, f64)> = cells
        .iter()
        .enumerate()
        .map(|(i, &(n, expected))| (if i % 10 == 0 { n * 0.67 } else { n }, expected))
        .collect();
    let (sum, limit) = chi_square(&skewed);
    assert!(sum > limit, "{sum} is below {limit}");
}

#[test]
fn random_points_around_are_uniform_over_the_circle() {
    let world = World::new(Kind { seed: 4, tiles: 2, holes: 0, merged: false, floors: 1, links: 0 });
    let center = [11.0, 0.0, 13.0];
    let polygon = nearest_polygon(&world.mesh, center, [1.0; 3], &Filter::ALL).unwrap().unwrap().polygon;
    let circle = Circle { polygon, center, radius: 6.0 };
    let mut query = query(QueryDef::DEFAULT);
    let mut random = SplitMix64::new(2002);
    // Eight directions by four rings of the same area.
    let mut cells = [(0.0, 0.0); 32];
    let points = 20_000;
    for _ in 0..points {
        let drawn = query.find_random_around(&world.mesh, &mut random, circle, &Filter::ALL).unwrap().unwrap();
        let (x, z) = (drawn.point[0] - center[0], drawn.point[2] - center[2]);
        let ring = ((x * x + z * z) / 9.0) as usize;
        let direction = usize::from(x > 0.0) + 2 * usize::from(z > 0.0) + 4 * usize::from(x.abs() > z.abs());
        cells[direction * 4 + ring.min(3)].0 += 1.0;
    }
    cells.iter_mut().for_each(|cell| cell.1 = points as f64 / 32.0);
    let (sum, limit) = chi_square(&cells);
    assert!(sum < limit, "{sum} is not below {limit}");
}

#[test]
fn with_holes_in_the_circle_each_polygon_has_its_share() {
    let world = World::with_rise(Kind { seed: 8, tiles: 2, holes: 30, merged: false, floors: 2, links: 0 }, 0.1);
    let start = world.polygons()[17];
    let center = super::world::middle(&world.mesh, start);
    let circle = Circle { polygon: start, center, radius: 5.0 };
    let mut query = query(QueryDef::DEFAULT);
    query.find_circle(&world.mesh, circle, &Filter::ALL).unwrap();
    let found: Vec<PolyRef> = query.area().polygons().map(|one| one.polygon).collect();
    // Areas by counting the points of a fine lattice.
    let lattice = 400;
    let mut areas = std::vec![0.0; found.len()];
    let rings: Vec<Vec<V>> = found.iter().map(|&polygon| corners(&world.mesh, polygon)).collect();
    for i in 0..lattice {
        for j in 0..lattice {
            let at = |k: usize| (k as f64 + 0.5) / lattice as f64 * 10.0 - 5.0;
            let (x, z) = (at(i), at(j));
            if x * x + z * z > 25.0 {
                continue;
            }
            let (x, z) = (center[0] + x, center[2] + z);
            for (area, ring) in areas.iter_mut().zip(&rings) {
                let edges = (0..ring.len()).map(|k| (ring[k], ring[(k + 1) % ring.len()]));
                if edges.into_iter().all(|(a, b)| (b[0] - a[0]) * (z - a[2]) >= (b[2] - a[2]) * (x - a[0])) {
                    *area += 1.0;
                }
            }
        }
    }
    let whole: f64 = areas.iter().sum();
    let mut random = SplitMix64::new(1974);
    let points = 20_000;
    let mut counts: BTreeMap<PolyRef, f64> = BTreeMap::new();
    for _ in 0..points {
        let drawn = query.find_random_around(&world.mesh, &mut random, circle, &Filter::ALL).unwrap().unwrap();
        *counts.entry(drawn.polygon).or_default() += 1.0;
    }
    let share =
        |(polygon, area): (&PolyRef, &f64)| (counts.get(polygon).copied().unwrap_or(0.0), area / whole * points as f64);
    let cells: Vec<(f64, f64)> = found.iter().zip(&areas).map(share).filter(|&(_, expected)| expected > 20.0).collect();
    assert!(cells.len() > 15);
    let (sum, limit) = chi_square(&cells);
    assert!(sum < limit, "{sum} is not below {limit}");
}

#[test]
fn what_can_not_be_drawn_draws_what_the_page_says() {
    let mut world = World::new(Kind { seed: 2, tiles: 1, holes: 0, merged: true, floors: 1, links: 0 });
    let polygon = nearest_polygon(&world.mesh, [12.0, 0.0, 12.0], [1.0; 3], &Filter::ALL).unwrap().unwrap().polygon;
    let mut query = query(QueryDef::DEFAULT);
    let mut attempt = |mesh: &NavMesh<'_>, center: V, radius: f64| {
        let mut random = SplitMix64::new(9);
        let circle = Circle { polygon, center, radius };
        let drawn = query.find_random_around(mesh, &mut random, circle, &Filter::ALL).unwrap();
        let state = random.state();
        let mut counting = SplitMix64::new(9);
        let count = (0..=300).find(|_| {
            let is_there = counting.state() == state;
            counting.next_u64();
            is_there
        });
        (drawn, count.unwrap(), query.area().outcome().status)
    };
    // The square round the circle has a corner of the floor, the circle none of it.
    let missed = attempt(&world.mesh, [13.0, 0.0, 13.0], 1.3);
    assert_eq!(missed, (None, 4 * RANDOM_ATTEMPTS as usize, AreaStatus::Success));
    assert_eq!(attempt(&world.mesh, [20.0, 0.0, 20.0], 1.0), (None, 0, AreaStatus::Success));
    assert_eq!(attempt(&world.mesh, [11.0, 0.0, 11.0], 0.0), (None, 0, AreaStatus::Success));
    assert!(attempt(&world.mesh, [11.0, 0.0, 11.0], 1.0).0.is_some());
    world.mesh.stage_tile_removal(0, 0, 0).unwrap();
    world.mesh.commit().unwrap();
    assert_eq!(attempt(&world.mesh, [11.0, 0.0, 11.0], 1.0), (None, 0, AreaStatus::InvalidStartPoly));
    assert_eq!(query.finish_random_around(&world.mesh, &mut SplitMix64::new(1)).unwrap_err().kind(), ErrorKind::State);
    let circle = Circle { polygon, center: [f64::NAN, 0.0, 0.0], radius: 1.0 };
    let error = query.find_random_around(&world.mesh, &mut SplitMix64::new(1), circle, &Filter::ALL).unwrap_err();
    assert_eq!(error.subject(), Subject::Position);
    let mut random = SplitMix64::new(5);
    assert_eq!((random_point(&world.mesh, &mut random, &Filter::ALL), random.state()), (None, 5));
}
