//! The triangulation against the definition: exact integers, every triangle against every point.

use super::*;
use crate::error::ErrorKind;
use crate::geometry::region::tests::nasty;
use crate::math::SplitMix64;
use crate::memory::Grain;
use std::vec;
use std::vec::Vec;

/// How many random inputs: many when `NAVARENA_LONG` is set.
fn inputs() -> u64 {
    if std::env::var_os("NAVARENA_LONG").is_some() { 10_000 } else { 150 }
}

fn cross(a: GridPoint, b: GridPoint, c: GridPoint) -> i128 {
    let wide = |v: i64| i128::from(v);
    wide(b.x - a.x) * wide(c.y - a.y) - wide(b.y - a.y) * wide(c.x - a.x)
}

/// Whether `d` is strictly inside the circle of the counter-clockwise `a`, `b`, `c`: the sign of the determinant, its three
/// products summed in two parts of 39 bits and the rest, so that none of 154 bits overflows.
fn exactly_inside(a: GridPoint, b: GridPoint, c: GridPoint, d: GridPoint) -> bool {
    let [p, q, r] = [a, b, c].map(|p| [i128::from(p.x - d.x), i128::from(p.y - d.y)]);
    let squared = |p: [i128; 2]| p[0] * p[0] + p[1] * p[1];
    let crossed = |p: [i128; 2], q: [i128; 2]| p[0] * q[1] - p[1] * q[0];
    let (mut high, mut low) = (0, 0);
    for (factor, length) in [(crossed(q, r), squared(p)), (crossed(r, p), squared(q)), (crossed(p, q), squared(r))] {
        high += factor * (length >> 39);
        low += factor * (length & ((1 << 39) - 1));
    }
    (high + (low >> 39), low & ((1 << 39) - 1)) > (0, 0)
}

fn crosses([a, b]: [GridPoint; 2], [c, d]: [GridPoint; 2]) -> bool {
    let sides = |a, b, c, d| cross(a, b, c).signum() * cross(a, b, d).signum();
    sides(a, b, c, d) < 0 && sides(c, d, a, b) < 0
}

fn lies_on(p: GridPoint, [a, b]: [GridPoint; 2]) -> bool {
    p != a && p != b && cross(a, b, p) == 0 && (a.min(b)..=a.max(b)).contains(&p)
}

/// Points in order and segments that meet only at their ends, from a seed: clustered, on lattices, collinear, far apart.
pub(crate) fn random_input(random: &mut SplitMix64) -> (Vec<GridPoint>, Vec<Segment>) {
    let extent = [4, 12, 60, 4000, 1 << 37][random.below(5) as usize];
    let most = if random.below(8) == 0 { 120 } else { 30 };
    let count = 3 + random.below(most);
    let flat = random.below(6) == 0;
    let coordinate = |random: &mut SplitMix64, extent: u64| random.below(extent) as i64 - extent as i64 / 2;
    let mut points: Vec<_> = (0..count)
        .map(|_| {
            let y = if flat { 3 } else { extent };
            GridPoint { x: coordinate(random, extent), y: coordinate(random, y) }
        })
        .collect();
    points.sort();
    points.dedup();
    let mut segments: Vec<Segment> = Vec::new();
    for _ in 0..random.below(2 * count) {
        let [a, b] = [0; 2].map(|_| random.below(points.len() as u64) as u32);
        let ends = |segment: &Segment| [segment.a, segment.b].map(|v| points[v as usize]);
        let new = Segment { a: a.min(b), b: a.max(b), delta: [1, 0] };
        let fits = a != b
            && points.iter().all(|&p| !lies_on(p, ends(&new)))
            && segments.iter().all(|old| (old.a, old.b) != (new.a, new.b) && !crosses(ends(old), ends(&new)));
        if fits {
            segments.push(new);
        }
    }
    segments.sort_by_key(|segment| (segment.a, segment.b));
    (points, segments)
}

fn net_of(points: &[GridPoint], segments: &[Segment]) -> Result<Vec<Triangle>> {
    let mut region = vec![Grain::ZERO; triangulation_plan(points.len()).grains()];
    triangulate(points, segments, &mut Arena::new(&mut region)).map(<[Triangle]>::to_vec)
}

fn with_corners(points: &[GridPoint]) -> Vec<GridPoint> {
    let far = 1 << 45;
    let corners = [[-far, -far], [3 * far, -far], [-far, 3 * far]];
    points.iter().copied().chain(corners.map(|[x, y]| GridPoint { x, y })).collect()
}

fn assert_tiles_the_plane(net: &[Triangle], all: &[GridPoint]) {
    assert_eq!(net.len(), 2 * (all.len() - 3) + 1);
    let mut area = 0;
    for (t, triangle) in net.iter().enumerate() {
        let [a, b, c] = triangle.vertices.map(|v| all[v as usize]);
        let twice = cross(a, b, c);
        assert!(twice > 0, "clockwise: {triangle:?}");
        area += twice;
        for edge in 0..3 {
            let neighbor = triangle.neighbors[edge];
            if neighbor == NO_TRIANGLE {
                continue;
            }
            let ends = [triangle.vertices[(edge + 1) % 3], triangle.vertices[edge]];
            let back = (0..3).find(|&i| {
                let other = &net[neighbor as usize];
                [other.vertices[i], other.vertices[(i + 1) % 3]] == ends
            });
            let other = &net[neighbor as usize];
            let back = back.expect("neighbours share an edge");
            assert_eq!(other.neighbors[back], t as u32);
            assert_eq!(other.is_constraint(back), triangle.is_constraint(edge));
        }
    }
    let [a, b, c] = [all.len() - 3, all.len() - 2, all.len() - 1].map(|v| all[v]);
    assert_eq!(area, cross(a, b, c));
}

/// No point inside a triangle's circle is seen from the triangle's middle: constraints stand between.
fn assert_is_delaunay(net: &[Triangle], points: &[GridPoint], segments: &[Segment]) {
    let thrice = |p: GridPoint| GridPoint { x: 3 * p.x, y: 3 * p.y };
    for triangle in net.iter().filter(|triangle| triangle.vertices.iter().all(|&v| (v as usize) < points.len())) {
        let [a, b, c] = triangle.vertices.map(|v| points[v as usize]);
        let middle = GridPoint { x: a.x + b.x + c.x, y: a.y + b.y + c.y };
        for &p in points.iter().filter(|&&p| exactly_inside(a, b, c, p)) {
            let hidden = segments.iter().any(|segment| {
                let wall = [segment.a, segment.b].map(|v| thrice(points[v as usize]));
                let sight = [middle, thrice(p)];
                crosses(sight, wall) || wall.iter().any(|&end| lies_on(end, sight))
            });
            assert!(hidden, "{p:?} is inside the circle of {triangle:?}");
        }
    }
}

#[test]
fn nets_tile_the_plane_keep_constraints_and_are_delaunay() {
    let mut random = SplitMix64::new(7);
    for _ in 0..inputs() {
        let (points, segments) = random_input(&mut random);
        let net = net_of(&points, &segments).unwrap();
        assert_tiles_the_plane(&net, &with_corners(&points));
        assert_is_delaunay(&net, &points, &segments);
        let marked =
            net.iter().map(|triangle| (0..3).filter(|&edge| triangle.is_constraint(edge)).count()).sum::<usize>();
        assert_eq!(marked, 2 * segments.len());
        for segment in &segments {
            let is_marked = |triangle: &Triangle, edge: usize| {
                let ends = [triangle.vertices[edge], triangle.vertices[(edge + 1) % 3]];
                triangle.is_constraint(edge) && ends == [segment.a, segment.b]
            };
            assert!(net.iter().any(|triangle| (0..3).any(|edge| is_marked(triangle, edge))));
        }
    }
}

#[test]
fn lattices_and_large_sets_need_no_more_than_the_plan() {
    let lattice: Vec<_> = (0..40).flat_map(|x| (0..40).map(move |y| GridPoint { x: 512 * x, y: 512 * y })).collect();
    let net = net_of(&lattice, &[Segment { a: 0, b: 41, delta: [1, 0] }]).unwrap();
    assert_tiles_the_plane(&net, &with_corners(&lattice));
    assert_is_delaunay(&net, &lattice, &[]);
}

#[test]
fn a_long_constraint_crosses_a_comb() {
    let mut points: Vec<_> = (0..60).map(|i| GridPoint { x: 10 * i, y: if i % 2 == 0 { 100 } else { -100 } }).collect();
    points.extend([GridPoint { x: -50, y: 0 }, GridPoint { x: 700, y: 1 }]);
    points.sort();
    let segments = [Segment { a: 0, b: points.len() as u32 - 1, delta: [1, 0] }];
    let net = net_of(&points, &segments).unwrap();
    assert_tiles_the_plane(&net, &with_corners(&points));
    assert_is_delaunay(&net, &points, &segments);
}

#[test]
fn what_is_no_arrangement_is_refused_by_name() {
    let points = [[0, 0], [2, 2], [4, 0], [4, 4]].map(|[x, y]| GridPoint { x, y });
    let segment = |a, b| Segment { a, b, delta: [1, 0] };
    let refused = |points: &[GridPoint], segments: &[Segment]| {
        let error = net_of(points, segments).unwrap_err();
        (error.kind(), error.subject(), error.index())
    };
    let invalid = |subject, index| (ErrorKind::Invalid, subject, Some(index));
    assert_eq!(refused(&points, &[segment(0, 3)]), invalid(Subject::Constraints, 0)); // through a point
    assert_eq!(refused(&points, &[segment(0, 4)]), invalid(Subject::Segments, 0));
    assert_eq!(refused(&points, &[segment(1, 1)]), invalid(Subject::Segments, 0));
    assert_eq!(refused(&points, &[segment(1, 2), segment(0, 1)]), invalid(Subject::Segments, 1));
    assert_eq!(refused(&[points[1], points[0]], &[]), (ErrorKind::Invalid, Subject::Point, Some(1)));
    assert_eq!(refused(&[points[1], points[1]], &[]), (ErrorKind::Invalid, Subject::Point, Some(1)));
    let crossing = [[0, 0], [0, 3], [3, 0], [3, 3]].map(|[x, y]| GridPoint { x, y });
    assert_eq!(refused(&crossing, &[segment(0, 3), segment(1, 2)]), invalid(Subject::Constraints, 1));
    let far = [GridPoint { x: 1 << 39, y: 0 }];
    assert_eq!(refused(&far, &[]), (ErrorKind::Limit, Subject::Point, Some(0)));
}

#[test]
fn too_little_memory_is_refused_at_every_size() {
    let points: Vec<_> = (0..70).map(|i| GridPoint { x: i, y: i * i % 31 }).collect();
    let plan = triangulation_plan(points.len()).grains();
    for grains in [0, plan / 3, plan / 2, plan - 1] {
        let mut region = vec![Grain::ZERO; grains];
        let error = triangulate(&points, &[], &mut Arena::new(&mut region)).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
    }
}

/// Nets that no triangulation is: whatever their numbers name, they are refused or come to an end.
#[test]
fn a_net_made_up_of_any_numbers_is_refused_or_flooded() {
    let mut random = SplitMix64::new(9);
    let (mut refused, mut flooded) = (0, 0);
    for _ in 0..2000 {
        let mut any = |most: u64| random.below(most) as u32;
        let count = any(6) as usize;
        let net: Vec<_> = (0..count)
            .map(|_| Triangle {
                vertices: [any(5), any(5), any(5)],
                neighbors: [(); 3].map(|()| [any(5), NO_TRIANGLE][any(2) as usize]),
                marks: any(8),
            })
            .collect();
        let segments = [Segment { a: any(5), b: any(5), delta: [i32::MIN + any(2) as i32, 0] }];
        let mut region = vec![Grain::ZERO; 64];
        match inside(&net, &segments, &mut Arena::new(&mut region)) {
            Ok(_) => flooded += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && flooded > 100, "{refused} refused, {flooded} flooded");
}

/// Outlines of every kind through every stage: triangles and polygons cover just the region, and share its boundary.
#[test]
fn triangles_and_polygons_of_a_region_cover_it_exactly() {
    use crate::geometry::convex::{NO_POLYGON, partition_convex, partition_plan};
    use crate::geometry::region::{RegionBuilder, RegionDef};
    let def = RegionDef { edges: 1000, crossings: 2000, segments: 4000, points: 2000, rings: 500 };
    let mut random = SplitMix64::new(17);
    let mut region = vec![Grain::ZERO; 3 * def.plan().grains()];
    let mut made = 0;
    for _ in 0..crate::geometry::region::tests::rounds(100) {
        let mut arena = Arena::new(&mut region);
        let mut builder = RegionBuilder::new(&def).unwrap();
        let outlines = nasty::outlines(&mut random);
        let floor = nasty::region(&mut builder, &outlines, &mut arena).unwrap();
        // A region's edges are noded already; noding them anew may move them by a unit.
        let mut vertices = floor.points.to_vec();
        vertices.sort();
        vertices.dedup();
        let number = |p: GridPoint| vertices.binary_search(&p).unwrap() as u32;
        let directed = |[a, b]: [u32; 2]| Segment { a: a.min(b), b: a.max(b), delta: [if a < b { 1 } else { -1 }, 0] };
        let mut segments: Vec<_> = floor.edges().map(|edge| directed(edge.map(number))).collect();
        segments.sort_by_key(|segment| (segment.a, segment.b));
        let arranged = Arrangement { vertices: &vertices, segments: &segments };
        let plan = triangulation_plan(arranged.vertices.len()).grains();
        let mut region = vec![Grain::ZERO; 2 * plan];
        let mut arena = Arena::new(&mut region);
        let net = triangulate(arranged.vertices, arranged.segments, &mut arena).unwrap();
        assert_is_delaunay(net, arranged.vertices, arranged.segments);
        let triangles = inside(net, arranged.segments, &mut arena).unwrap();
        let corner = |v: u32| arranged.vertices[v as usize];
        let area = |[a, b, c]: [u32; 3]| cross(corner(a), corner(b), corner(c));
        assert_eq!(triangles.iter().map(|triangle| area(triangle.vertices)).sum::<i128>(), floor.twice_area());
        let mut region = vec![Grain::ZERO; partition_plan(triangles.len()).grains()];
        let polygons = partition_convex(arranged.vertices, triangles, 6, &mut Arena::new(&mut region)).unwrap();
        let fan = |polygon: &[u32]| polygon.windows(2).skip(1).map(|w| area([polygon[0], w[0], w[1]])).sum::<i128>();
        assert_eq!(polygons.polygons().map(fan).sum::<i128>(), floor.twice_area());
        // The edges without a neighbour are the boundary's, inside on the left.
        let mut border = Vec::new();
        for (p, polygon) in polygons.polygons().enumerate() {
            for (i, edge) in polygons.edges(p).enumerate().filter(|(_, edge)| polygons.neighbors[*edge] == NO_POLYGON) {
                border.push([polygon[i], polygon[(i + 1) % polygon.len()]]);
                assert!(edge < polygons.indices.len());
            }
        }
        let mut expected: Vec<_> =
            arranged.segments.iter().map(|s| if s.delta[0] > 0 { [s.a, s.b] } else { [s.b, s.a] }).collect();
        border.sort();
        expected.sort();
        assert_eq!(border, expected);
        made += polygons.ends.len();
    }
    assert!(made > 500);
}
