//! Triangles into convex polygons: the diagonals that no polygon needs go, longest first
//! (`build2d-geometry.md`, "Region.PartitionConvex"; Hertel and Mehlhorn, *Fast triangulation of the plane with respect to
//! simple polygons*, 1983).

use super::region::exact::side;
use super::region::{GridPoint, check_bounds};
use super::triangulation::RegionTriangle;
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Plan, Pod, Ruler, Zeroable};

/// The most vertices that a polygon may have.
pub const MAX_POLYGON_VERTICES: u32 = 16;
/// No polygon beyond an edge.
pub const NO_POLYGON: u32 = u32::MAX;

/// Convex polygons with shared vertices; a vertex may lie on a straight edge where a neighbour needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConvexPolygons<'a> {
    /// Where each polygon's edges end among all edges; they begin where the polygon before ends.
    pub ends: &'a [u32],
    /// The vertex that each edge begins at; polygons run counter-clockwise from their smallest vertex, and are in the order
    /// of their vertex lists.
    pub indices: &'a [u32],
    /// The polygon across each edge, or [`NO_POLYGON`].
    pub neighbors: &'a [u32],
}

impl<'a> ConvexPolygons<'a> {
    /// The edges of a polygon, as a range among all edges.
    pub fn edges(&self, polygon: usize) -> core::ops::Range<usize> {
        let start = polygon.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[polygon] as usize
    }

    /// Each polygon's vertices.
    pub fn polygons(&self) -> impl Iterator<Item = &'a [u32]> + use<'a> {
        let all = *self;
        (0..all.ends.len()).map(move |polygon| &all.indices[all.edges(polygon)])
    }
}

/// One side of a triangle's edge, linked along the polygon that it bounds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct HalfEdge {
    from: u32,
    next: u32,
    previous: u32,
    /// The other side, or [`NO_POLYGON`] at the border.
    twin: u32,
}

/// A side by its ends, to be met with its other side.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Ends {
    low: u32,
    high: u32,
    half: u32,
    /// Nonzero when it runs from the high end to the low.
    reversed: u32,
}

/// A diagonal that may go.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Diagonal {
    /// The bits of its squared length: they order as the lengths do.
    length: u64,
    low: u32,
    high: u32,
    half: u32,
    reserved: u32,
}

/// The memory that [`partition_convex`] takes for so many triangles, its product included: about 210 bytes a triangle.
pub const fn partition_plan(triangles: usize) -> Plan {
    let sides = triangles.saturating_mul(3);
    Ruler::new()
        .array::<u32>(triangles)
        .array::<u32>(sides)
        .array::<u32>(sides)
        .array::<HalfEdge>(sides)
        .array::<Ends>(sides)
        .array::<Diagonal>(sides)
        .array::<u32>(triangles)
        .plan()
}

/// Joins triangles to convex polygons of at most so many vertices, 3 to 16.
///
/// Candidates are the edges between two triangles, longest first, ties by smaller then larger vertex. One goes when the
/// joined polygon has no more than the limit's vertices, the two share no other vertex, and the corners at its ends stay
/// left turns or straight. One pass suffices: joining only widens corners and enlarges polygons.
///
/// # Errors
/// A limit of vertices out of range; the first point that reaches 2^39; the first triangle that names no point or does not run
/// counter-clockwise; memory, of which [`partition_plan`] is always enough. Triangles that share an edge must be the only two that have it, in opposite directions: others keep it as border.
pub fn partition_convex<'a>(
    points: &[GridPoint],
    triangles: &[RegionTriangle],
    max_vertices: u32,
    arena: &mut Arena<'a>,
) -> Result<ConvexPolygons<'a>> {
    if !(3..=MAX_POLYGON_VERTICES).contains(&max_vertices) {
        let bound = if max_vertices < 3 { 3.0 } else { f64::from(MAX_POLYGON_VERTICES) };
        return Err(Error::invalid(Subject::MaxVertsPerPoly).value(max_vertices.into()).bound(bound));
    }
    check_bounds(points)?;
    // So a ring never has a vertex twice, and one smallest.
    let is_proper = |triangle: &RegionTriangle| match triangle.vertices.map(|v| points.get(v as usize)) {
        [Some(&a), Some(&b), Some(&c)] => side([a, b], c) > 0,
        _ => false,
    };
    if let Some(t) = triangles.iter().position(|triangle| !is_proper(triangle)) {
        return Err(Error::invalid(Subject::Triangle).at(t));
    }
    if triangles.len() > (u32::MAX / 3) as usize {
        return Err(Error::limit(Subject::Triangles).value(triangles.len() as f64));
    }
    let ends = arena.take::<u32>(triangles.len())?;
    let indices = arena.take::<u32>(3 * triangles.len())?;
    let neighbors = arena.take::<u32>(3 * triangles.len())?;
    let (polygons, edges) = arena.scope(|desk| {
        let mut partition = Partition { points, halves: half_edges(triangles, desk)? };
        partition.join(max_vertices as usize, desk)?;
        partition.write(triangles.len(), ends, indices, neighbors, desk)
    })?;
    Ok(ConvexPolygons { ends: &ends[..polygons], indices: &indices[..edges], neighbors: &neighbors[..edges] })
}

fn half_edges<'a>(triangles: &[RegionTriangle], desk: &mut Arena<'a>) -> Result<&'a mut [HalfEdge]> {
    let halves = desk.take_back::<HalfEdge>(3 * triangles.len())?;
    desk.scope(|desk| {
        let all = desk.take_back::<Ends>(3 * triangles.len())?;
        for (i, (half, ends)) in halves.iter_mut().zip(&mut *all).enumerate() {
            let (t, edge) = (i / 3, i % 3);
            let [from, to] = [edge, (edge + 1) % 3].map(|k| triangles[t].vertices[k]);
            let at = |edge: usize| (3 * t + edge % 3) as u32;
            *half = HalfEdge { from, next: at(edge + 1), previous: at(edge + 2), twin: NO_POLYGON };
            *ends = Ends { low: from.min(to), high: from.max(to), half: i as u32, reversed: u32::from(from > to) };
        }
        all.sort_unstable_by_key(|ends| (ends.low, ends.high, ends.half));
        for shared in all.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
            if let [a, b] = shared
                && a.reversed != b.reversed
            {
                halves[a.half as usize].twin = b.half;
                halves[b.half as usize].twin = a.half;
            }
        }
        Ok(())
    })?;
    Ok(halves)
}

/// Polygons as rings of half-edges; a half-edge whose `next` is [`NO_POLYGON`] has gone.
struct Partition<'a> {
    points: &'a [GridPoint],
    halves: &'a mut [HalfEdge],
}

impl Partition<'_> {
    fn half(&self, half: u32) -> HalfEdge {
        self.halves[half as usize]
    }

    fn to(&self, half: u32) -> u32 {
        self.half(self.half(half).next).from
    }

    /// The half-edges of a polygon, from one of them.
    fn ring(&self, first: u32) -> impl Iterator<Item = u32> + use<'_> {
        let mut next = Some(first);
        core::iter::from_fn(move || {
            let half = next?;
            let after = self.half(half).next;
            next = (after != first).then_some(after);
            Some(half)
        })
        .take(MAX_POLYGON_VERTICES as usize)
    }

    fn join(&mut self, max_vertices: usize, desk: &mut Arena<'_>) -> Result<()> {
        desk.scope(|desk| {
            let all = desk.take_back::<Diagonal>(self.halves.len())?;
            let mut count = 0;
            for half in 0..self.halves.len() as u32 {
                let HalfEdge { from, twin, .. } = self.half(half);
                if twin != NO_POLYGON && half < twin {
                    all[count] = self.diagonal(half, from, self.to(half));
                    count += 1;
                }
            }
            let diagonals = &mut all[..count];
            diagonals
                .sort_unstable_by_key(|diagonal| (core::cmp::Reverse(diagonal.length), diagonal.low, diagonal.high));
            for diagonal in diagonals {
                if self.can_go(diagonal.half, max_vertices) {
                    self.remove(diagonal.half);
                }
            }
            Ok(())
        })
    }

    fn diagonal(&self, half: u32, from: u32, to: u32) -> Diagonal {
        let [a, b] = [from, to].map(|v| self.points[v as usize]);
        let [dx, dy] = [(b.x - a.x) as f64, (b.y - a.y) as f64];
        let squared = dx * dx + dy * dy;
        Diagonal { length: squared.to_bits(), low: from.min(to), high: from.max(to), half, reserved: 0 }
    }

    fn can_go(&self, half: u32, max_vertices: usize) -> bool {
        let twin = self.half(half).twin;
        if self.ring(half).count() + self.ring(twin).count() - 2 > max_vertices {
            return false;
        }
        // The first two vertices of either ring are the diagonal's ends.
        let is_shared = |other: u32| self.ring(half).skip(2).any(|one| self.half(one).from == self.half(other).from);
        if self.ring(twin).skip(2).any(is_shared) {
            return false;
        }
        self.stays_convex(half, twin) && self.stays_convex(twin, half)
    }

    /// The corner at a side's beginning, once the side is gone.
    fn stays_convex(&self, half: u32, twin: u32) -> bool {
        let before = self.half(self.half(half).previous).from;
        let after = self.to(self.half(twin).next);
        let [before, corner, after] = [before, self.half(half).from, after].map(|v| self.points[v as usize]);
        side([before, corner], after) >= 0
    }

    fn remove(&mut self, half: u32) {
        let twin = self.half(half).twin;
        for (gone, other) in [(half, twin), (twin, half)] {
            let (before, after) = (self.half(gone).previous, self.half(other).next);
            self.halves[before as usize].next = after;
            self.halves[after as usize].previous = before;
        }
        for gone in [half, twin] {
            self.halves[gone as usize].next = NO_POLYGON;
        }
    }

    /// Writes the polygons in their order and returns how many there are, and how many edges.
    fn write(
        &mut self,
        triangles: usize,
        ends: &mut [u32],
        indices: &mut [u32],
        neighbors: &mut [u32],
        desk: &mut Arena<'_>,
    ) -> Result<(usize, usize)> {
        // One half-edge of each polygon: the one that begins at its smallest vertex.
        let firsts = desk.take_back::<u32>(triangles)?;
        let mut count = 0;
        for half in 0..self.halves.len() as u32 {
            let starts = |half: u32| self.ring(half).all(|other| self.half(other).from >= self.half(half).from);
            if self.half(half).next != NO_POLYGON && starts(half) {
                firsts[count] = half;
                count += 1;
            }
        }
        let firsts = &mut firsts[..count];
        let vertices = |half: u32| self.ring(half).map(|other| self.half(other).from);
        firsts.sort_unstable_by(|&a, &b| vertices(a).cmp(vertices(b)));
        // A gone half-edge has no use for its links: a kept one's `previous` now tells its polygon.
        let mut edge = 0;
        for (polygon, &first) in firsts.iter().enumerate() {
            let mut half = first;
            for _ in 0..MAX_POLYGON_VERTICES {
                let HalfEdge { from, next, twin, .. } = self.half(half);
                self.halves[half as usize].previous = polygon as u32;
                (indices[edge], neighbors[edge]) = (from, twin);
                edge += 1;
                half = next;
                if half == first {
                    break;
                }
            }
            ends[polygon] = edge as u32;
        }
        for neighbor in neighbors[..edge].iter_mut().filter(|neighbor| **neighbor != NO_POLYGON) {
            *neighbor = self.half(*neighbor).previous;
        }
        Ok((count, edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::region::Segment;
    use crate::geometry::triangulation::{inside, tests::random_input, triangulate, triangulation_plan};
    use crate::math::SplitMix64;
    use crate::memory::Grain;
    use std::collections::BTreeMap;
    use std::vec;
    use std::vec::Vec;

    fn inputs() -> u64 {
        if std::env::var_os("NAVARENA_LONG").is_some() { 10_000 } else { 150 }
    }

    fn cross(points: &[GridPoint], [a, b, c]: [u32; 3]) -> i128 {
        let [a, b, c] = [a, b, c].map(|v| points[v as usize]);
        let wide = i128::from;
        wide(b.x - a.x) * wide(c.y - a.y) - wide(b.y - a.y) * wide(c.x - a.x)
    }

    /// Twice the area of a polygon, as a fan from its first vertex.
    fn twice_area(points: &[GridPoint], polygon: &[u32]) -> i128 {
        polygon.windows(2).skip(1).map(|pair| cross(points, [polygon[0], pair[0], pair[1]])).sum()
    }

    /// Triangles of a random net, those within its points: some of them chosen at random.
    fn random_triangles(random: &mut SplitMix64) -> (Vec<GridPoint>, Vec<RegionTriangle>) {
        let (points, segments) = random_input(random);
        let mut region = vec![Grain::ZERO; triangulation_plan(points.len()).grains()];
        let net = triangulate(&points, &segments, &mut Arena::new(&mut region)).unwrap();
        let skip = random.below(4);
        let within = net.iter().filter(|triangle| triangle.vertices.iter().all(|&v| (v as usize) < points.len()));
        let mut kept: Vec<_> = within
            .filter(|_| skip == 0 || random.below(8) != 0)
            .map(|triangle| {
                let mut vertices = triangle.vertices;
                while vertices.iter().any(|&v| v < vertices[0]) {
                    vertices.rotate_left(1);
                }
                RegionTriangle { vertices }
            })
            .collect();
        kept.sort();
        (points, kept)
    }

    #[test]
    fn polygons_are_convex_ordered_and_cover_the_triangles_exactly() {
        let mut random = SplitMix64::new(11);
        for _ in 0..inputs() {
            let (points, triangles) = random_triangles(&mut random);
            let limit = 3 + random.below(14) as u32;
            let mut region = vec![Grain::ZERO; partition_plan(triangles.len()).grains()];
            let made = partition_convex(&points, &triangles, limit, &mut Arena::new(&mut region)).unwrap();
            let area: i128 = triangles.iter().map(|triangle| twice_area(&points, &triangle.vertices)).sum();
            assert_eq!(made.polygons().map(|polygon| twice_area(&points, polygon)).sum::<i128>(), area);
            let mut owners = BTreeMap::new();
            for (p, polygon) in made.polygons().enumerate() {
                let count = polygon.len();
                assert!((3..=limit as usize).contains(&count) && polygon.iter().min() == Some(&polygon[0]));
                for i in 0..count {
                    let corner = [0, 1, 2].map(|k| polygon[(i + k) % count]);
                    assert!(cross(&points, corner) >= 0, "{polygon:?} turns right");
                    assert!(owners.insert([corner[0], corner[1]], p as u32).is_none());
                }
            }
            assert!(made.polygons().is_sorted());
            for (p, polygon) in made.polygons().enumerate() {
                for (i, edge) in made.edges(p).enumerate() {
                    let reversed = [polygon[(i + 1) % polygon.len()], polygon[i]];
                    assert_eq!(made.neighbors[edge], owners.get(&reversed).copied().unwrap_or(NO_POLYGON));
                }
            }
        }
    }

    /// Greedy and exhaustive: no pair of neighbours that is left could still be joined.
    #[test]
    fn no_two_neighbours_could_still_be_joined() {
        let mut random = SplitMix64::new(12);
        for _ in 0..inputs() {
            let (points, triangles) = random_triangles(&mut random);
            let mut region = vec![Grain::ZERO; partition_plan(triangles.len()).grains()];
            let made = partition_convex(&points, &triangles, 6, &mut Arena::new(&mut region)).unwrap();
            let polygons: Vec<_> = made.polygons().collect();
            for (p, polygon) in polygons.iter().enumerate() {
                for (i, edge) in made.edges(p).enumerate().filter(|(_, edge)| made.neighbors[*edge] != NO_POLYGON) {
                    let other = polygons[made.neighbors[edge] as usize];
                    let ends = [polygon[i], polygon[(i + 1) % polygon.len()]];
                    let shared = polygon.iter().filter(|v| other.contains(v)).count();
                    let turned = |list: &[u32], start: u32| {
                        let at = list.iter().position(|&v| v == start).unwrap();
                        [list[at..].to_vec(), list[..at].to_vec()].concat()
                    };
                    // Around the first from the edge's end, then around the second from the edge's beginning.
                    let (one, two) = (turned(polygon, ends[1]), turned(other, ends[0]));
                    let joined = [&one[..one.len() - 1], &two[..two.len() - 1]].concat();
                    let count = joined.len();
                    let is_convex = (0..count).all(|i| cross(&points, [0, 1, 2].map(|k| joined[(i + k) % count])) >= 0);
                    assert!(count > 6 || shared > 2 || !is_convex);
                }
            }
        }
    }

    #[test]
    fn a_square_with_a_hole_keeps_its_area() {
        let points = [[0, 0], [0, 9], [3, 3], [3, 6], [6, 3], [6, 6], [9, 0], [9, 9]].map(|[x, y]| GridPoint { x, y });
        let segment = |a, b, delta| Segment { a, b, delta: [delta, 0] };
        let segments = [
            segment(0, 1, -1),
            segment(0, 6, 1),
            segment(1, 7, -1),
            segment(2, 3, 1),
            segment(2, 4, -1),
            segment(3, 5, 1),
            segment(4, 5, -1),
            segment(6, 7, 1),
        ];
        let mut region = vec![Grain::ZERO; 4 * triangulation_plan(points.len()).grains()];
        let mut arena = Arena::new(&mut region);
        let net = triangulate(&points, &segments, &mut arena).unwrap();
        let triangles = inside(net, &segments, &mut arena).unwrap();
        assert_eq!(triangles.len(), 8);
        let made = partition_convex(&points, triangles, 6, &mut arena).unwrap();
        assert_eq!(made.polygons().map(|polygon| twice_area(&points, polygon)).sum::<i128>(), 144);
        assert!(made.polygons().count() <= 6);
    }

    /// Triangles of any numbers, with corners in common, turned over or none at all.
    #[test]
    fn triangles_made_up_of_any_numbers_come_to_an_end() {
        let mut random = SplitMix64::new(13);
        let points: Vec<_> = (0..9).map(|i| GridPoint { x: i % 3, y: i / 3 }).collect();
        let mut joined = 0;
        for _ in 0..4000 {
            let mut any = |most: u64| random.below(most) as u32;
            let mut triangles: Vec<_> =
                (0..any(12)).map(|_| RegionTriangle { vertices: [any(9), any(9), any(9)] }).collect();
            if any(8) != 0 {
                triangles.retain(|triangle| cross(&points, triangle.vertices) > 0);
            }
            let mut region = vec![Grain::ZERO; partition_plan(triangles.len()).grains()];
            match partition_convex(&points, &triangles, 3 + any(14), &mut Arena::new(&mut region)) {
                Ok(made) => joined += usize::from(made.ends.len() < triangles.len()),
                Err(error) => assert_eq!(error.subject(), Subject::Triangle),
            }
        }
        assert!(joined > 100, "{joined} joined some");
    }

    #[test]
    fn limits_out_of_range_are_refused() {
        for limit in [0, 2, 17, u32::MAX] {
            let error = partition_convex(&[], &[], limit, &mut Arena::new(&mut [])).unwrap_err();
            assert_eq!((error.subject(), error.refused()), (Subject::MaxVertsPerPoly, Some(limit.into())));
        }
        let nowhere = [RegionTriangle { vertices: [0, 1, 2] }];
        let error = partition_convex(&[], &nowhere, 6, &mut Arena::new(&mut [])).unwrap_err();
        assert_eq!((error.subject(), error.index()), (Subject::Triangle, Some(0)));
        let far = [[0, 0], [i64::MIN, 9], [9, i64::MAX]].map(|[x, y]| GridPoint { x, y });
        let error = partition_convex(&far, &nowhere, 6, &mut Arena::new(&mut [])).unwrap_err();
        assert_eq!((error.subject(), error.index()), (Subject::Point, Some(1)));
    }
}
