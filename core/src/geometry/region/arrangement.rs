//! The arrangement: directed edges in, segments that never cross out
//! (`build2d-geometry.md`, "Arrangement: noding by snap rounding"; Hobby 1999, Guibas & Marimont 1998).

use super::GridPoint;
use super::cells::{PointIndex, each_crossing};
use super::def::{RegionDef, RegionReport, raise};
use super::exact::{along, lies_within, meets_pixel};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::{Arena, List, Pod, Zeroable};

/// The most an edge may count for an operand.
const MAX_DELTA: u32 = 255;
/// Rounds of repair after which something is wrong with this code, never with the input.
const MAX_ROUNDS: usize = 256;

/// A directed edge as an input of an arrangement.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Edge {
    /// Where it begins.
    pub a: GridPoint,
    /// Where it ends.
    pub b: GridPoint,
    /// How often it counts for each of the two operands, -255 to 255.
    pub delta: [i32; 2],
}

impl Edge {
    /// The edge with its smaller end first.
    fn ordered(self) -> Edge {
        if self.a <= self.b { self } else { Edge { a: self.b, b: self.a, delta: self.delta.map(|n| -n) } }
    }

    #[inline]
    pub(super) fn line(&self) -> [GridPoint; 2] {
        [self.a, self.b]
    }
}

/// A segment of an arrangement: it meets others only at its ends, and no vertex lies within it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Segment {
    /// The smaller end, an index among the vertices.
    pub a: u32,
    /// The larger end.
    pub b: u32,
    /// For each operand, how many input edges run from `a` to `b` less those that run from `b` to `a`; never both zero.
    pub delta: [i32; 2],
}

/// Vertices in (x, y) order, each the end of a segment, and the segments in the order of their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement<'a> {
    /// The ends of the segments.
    pub vertices: &'a [GridPoint],
    /// The segments, ordered by `a`, then `b`.
    pub segments: &'a [Segment],
}

impl Arrangement<'_> {
    /// Refuses what no arrangement is, by the first vertex or segment that breaks a rule: vertices and segments in their
    /// order, ends that are vertices, coordinates below [`GridPoint::BOUND`], counts that add up within 32 bits. Whether
    /// segments cross is not asked.
    pub fn check(&self) -> Result<()> {
        check_bounds(self.vertices)?;
        if let Some(i) = self.vertices.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(Error::invalid(Subject::Point).at(i + 1));
        }
        let (mut before, mut counts) = (None, [0u64; 2]);
        for (i, segment) in self.segments.iter().enumerate() {
            let ends = Some((segment.a, segment.b));
            if segment.a >= segment.b || segment.b as usize >= self.vertices.len() || before >= ends {
                return Err(Error::invalid(Subject::Segments).at(i));
            }
            before = ends;
            counts = [0, 1].map(|k| counts[k] + u64::from(segment.delta[k].unsigned_abs()));
            if counts.iter().any(|&count| count > i32::MAX as u64) {
                return Err(Error::limit(Subject::Segments).at(i));
            }
        }
        Ok(())
    }
}

/// Refuses the first point that reaches the bound of coordinates.
pub(in crate::geometry) fn check_bounds(points: &[GridPoint]) -> Result<()> {
    for (i, point) in points.iter().enumerate() {
        if let Some(far) = [point.x, point.y].into_iter().find(|v| v.unsigned_abs() >= GridPoint::BOUND) {
            return Err(Error::limit(Subject::Point).at(i).value(far as f64).bound(GridPoint::BOUND as f64));
        }
    }
    Ok(())
}

/// The edges of an arrangement in the making.
pub(crate) struct EdgeList<'a> {
    edges: List<'a, Edge>,
    given: usize,
    limits: RegionDef,
}

impl EdgeList<'_> {
    /// Adds a directed edge; one without length counts but adds nothing.
    pub fn push(&mut self, edge: Edge) -> Result<()> {
        if self.given == self.limits.edges {
            return Err(Error::capacity(Subject::Edges, self.limits.edges));
        }
        if check_bounds(&edge.line()).is_err() || edge.delta.iter().any(|n| n.unsigned_abs() > MAX_DELTA) {
            return Err(Error::limit(Subject::Edges).at(self.given));
        }
        self.given += 1;
        if edge.a != edge.b { self.edges.push(edge.ordered(), Subject::Segments) } else { Ok(()) }
    }
}

/// Nodes directed edges by snap rounding: the vertices and segments they come to, at the front of the arena.
///
/// Refused are coordinates of 2^39 and more, counts past 255, and what passes a limit. Time is near linear in edges and
/// candidates for evenly spread input, quadratic at worst.
pub fn arrange<'a>(
    edges: &[Edge],
    limits: &RegionDef,
    report: &mut RegionReport,
    arena: &mut Arena<'a>,
) -> Result<Arrangement<'a>> {
    arrange_filled(limits, report, arena, |list, _| edges.iter().try_for_each(|&edge| list.push(edge)))
}

/// The arrangement of the edges that `fill` adds.
pub(crate) fn arrange_filled<'a>(
    limits: &RegionDef,
    report: &mut RegionReport,
    arena: &mut Arena<'a>,
    fill: impl FnOnce(&mut EdgeList<'_>, &mut Arena<'_>) -> Result<()>,
) -> Result<Arrangement<'a>> {
    limits.validate()?;
    let (places, counts) = arena.scope(|desk| {
        let mut list = EdgeList { edges: List::over(desk.take::<Edge>(limits.segments)?), given: 0, limits: *limits };
        fill(&mut list, desk)?;
        raise(&mut report.edges, list.given);
        raise(&mut report.segments, list.edges.len());
        let mut edges = list.edges;
        merge_equal(&mut edges);
        let pixels = hot_pixels(&edges, limits, report, desk)?;
        let pixels = node(&mut edges, pixels, limits, report, desk)?;
        let (places, counts) = number(&edges, pixels, desk)?;
        raise(&mut report.memory_peak, desk.high_water());
        Ok((places, counts))
    })?;
    let vertices = arena.take_what_lies_at::<GridPoint>(places[0], counts[0])?;
    let segments = arena.take_what_lies_at::<Segment>(places[1], counts[1])?;
    raise(&mut report.vertices, vertices.len());
    Ok(Arrangement { vertices, segments })
}

/// Sorts edges and joins those with the same ends, also where nothing is left of them: they still have pixels.
fn merge_equal(edges: &mut List<'_, Edge>) {
    edges.sort_unstable_by_key(|edge| (edge.a, edge.b));
    let mut kept = 0;
    for i in 0..edges.len() {
        let edge = edges[i];
        if kept > 0 && edges[kept - 1].line() == edge.line() {
            let last = &mut edges[kept - 1].delta;
            *last = [last[0] + edge.delta[0], last[1] + edge.delta[1]];
        } else {
            edges[kept] = edge;
            kept += 1;
        }
    }
    edges.truncate(kept);
}

/// Sorts points and keeps each once; returns how many are left.
fn keep_each_once(points: &mut [GridPoint]) -> usize {
    points.sort_unstable();
    let mut kept = 0;
    for i in 0..points.len() {
        if kept == 0 || points[kept - 1] != points[i] {
            points[kept] = points[i];
            kept += 1;
        }
    }
    kept
}

/// Step 2: every end and the rounded point of every proper crossing, in order, with room for the repair's.
fn hot_pixels<'a>(
    edges: &[Edge],
    limits: &RegionDef,
    report: &mut RegionReport,
    arena: &mut Arena<'a>,
) -> Result<List<'a, GridPoint>> {
    let mut pixels = List::over(arena.take::<GridPoint>(2 * edges.len() + limits.crossings)?);
    let mut crossings = 0;
    for point in edges.iter().flat_map(Edge::line) {
        pixels.push(point, Subject::Vertices)?;
    }
    let clustered = each_crossing(edges, arena, |_, _, crossing| {
        if crossings == limits.crossings {
            return Err(Error::capacity(Subject::EdgeCrossings, limits.crossings));
        }
        crossings += 1;
        pixels.push(crossing.rounded, Subject::EdgeCrossings)
    })?;
    report.clustered += usize::from(clustered);
    raise(&mut report.crossings, crossings);
    let kept = keep_each_once(&mut pixels);
    pixels.truncate(kept);
    Ok(pixels)
}

/// Which edges a round of noding takes apart, and how.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// Through every pixel an edge meets.
    Reroute,
    /// At the vertices that lie exactly within it.
    Split,
}

const REROUTED: u8 = 1;

/// Steps 3 and 4: every edge becomes the polyline through the pixels it meets, until nothing crosses. Returns the pixels.
fn node<'a>(
    edges: &mut List<'_, Edge>,
    mut pixels: List<'a, GridPoint>,
    limits: &RegionDef,
    report: &mut RegionReport,
    arena: &mut Arena<'_>,
) -> Result<List<'a, GridPoint>> {
    cut(edges, &pixels, |_| Cut::Reroute, report, arena)?;
    for round in 1..=MAX_ROUNDS {
        raise(&mut report.rounds, round);
        let pieces = edges.len();
        let changed = arena.scope(|desk| {
            let marks = desk.take_zeroed::<u8>(pieces)?;
            let mut crossed = List::over(desk.take::<GridPoint>(limits.crossings)?);
            let clustered = each_crossing(edges, desk, |i, j, crossing| {
                (marks[i], marks[j]) = (REROUTED, REROUTED);
                crossed.push(crossing.rounded, Subject::EdgeCrossings)
            })?;
            report.clustered += usize::from(clustered);
            let any = !crossed.is_empty();
            for &point in crossed.iter() {
                pixels.push(point, Subject::EdgeCrossings)?;
            }
            if any {
                let kept = keep_each_once(&mut pixels);
                pixels.truncate(kept);
            }
            let how = |i: usize| if marks[i] == REROUTED { Cut::Reroute } else { Cut::Split };
            Ok(cut(edges, &pixels, how, report, desk)? || any)
        })?;
        if !changed {
            return Ok(pixels);
        }
    }
    Err(Error::new(ErrorKind::State, Subject::ArrangementRounds).bound(MAX_ROUNDS as f64))
}

/// Cuts edges at pixels, joins equal pieces, and says whether any edge was cut.
fn cut(
    edges: &mut List<'_, Edge>,
    pixels: &[GridPoint],
    how: impl Fn(usize) -> Cut,
    report: &mut RegionReport,
    arena: &mut Arena<'_>,
) -> Result<bool> {
    let whole = edges.len();
    arena.scope(|desk| {
        let index = PointIndex::new(edges, pixels, desk)?;
        report.clustered += usize::from(index.is_clustered());
        let mut met = List::over(desk.take::<u32>(pixels.len())?);
        for i in 0..whole {
            let (edge, cut) = (edges[i], how(i));
            met.clear();
            index.near(&edge, pixels, |pixel| {
                let point = pixels[pixel as usize];
                let meets = match cut {
                    Cut::Reroute => point != edge.a && point != edge.b && meets_pixel(edge.line(), point),
                    Cut::Split => lies_within(edge.line(), point),
                };
                if meets { met.push(pixel, Subject::Vertices) } else { Ok(()) }
            })?;
            // Ordered along the edge; pixels as far as one another by (x, y), which is the order of their numbers.
            met.sort_unstable_by_key(|&pixel| (along(edge.line(), pixels[pixel as usize]), pixel));
            let mut from = edge.a;
            for (k, to) in met.iter().map(|&pixel| pixels[pixel as usize]).chain([edge.b]).enumerate() {
                let piece = Edge { a: from, b: to, delta: edge.delta }.ordered();
                from = to;
                if k == 0 {
                    edges[i] = piece;
                } else {
                    edges.push(piece, Subject::Segments)?;
                }
            }
        }
        raise(&mut report.memory_peak, desk.high_water());
        Ok(())
    })?;
    raise(&mut report.segments, edges.len());
    let changed = edges.len() != whole;
    merge_equal(edges);
    Ok(changed)
}

/// Step 5: the ends of what is left, numbered in order, and the segments between them. Both arrays lie one behind the
/// other at the places returned.
fn number(edges: &[Edge], pixels: List<'_, GridPoint>, arena: &mut Arena<'_>) -> Result<([usize; 2], [usize; 2])> {
    let numbers = arena.take_zeroed::<u32>(pixels.len())?;
    let remaining = || edges.iter().filter(|edge| edge.delta != [0, 0]);
    // Every end is a pixel, so a search by binary steps finds it.
    let find = |point: GridPoint| pixels.partition_point(|&p| p < point);
    for point in remaining().flat_map(Edge::line) {
        numbers[find(point)] = 1;
    }
    let mut used = 0;
    for number in numbers.iter_mut() {
        let is_used = *number;
        *number = used;
        used += is_used;
    }
    let first = arena.taken();
    let vertices = arena.take::<GridPoint>(used as usize)?;
    for (pixel, &number) in pixels.iter().zip(numbers.iter()) {
        // A pixel that is not used has the number of the next used one, which overwrites it in turn.
        if let Some(place) = vertices.get_mut(number as usize) {
            *place = *pixel;
        }
    }
    let second = arena.taken();
    let count = remaining().count();
    let segments = arena.take::<Segment>(count)?;
    for (segment, edge) in segments.iter_mut().zip(remaining()) {
        let [a, b] = edge.line().map(|point| numbers[find(point)]);
        *segment = Segment { a, b, delta: edge.delta };
    }
    Ok(([first, second], [used as usize, count]))
}
