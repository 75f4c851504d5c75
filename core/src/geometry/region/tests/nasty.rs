//! Outlines of every nasty kind, exact in grid units, and what holds of them by definition.

use super::*;

/// A ring in grid units; on the finest grid, so that units are exact as positions.
pub type Ring = Vec<GridPoint>;
/// An outline: its rings.
pub type Rings = Vec<Ring>;

/// The grid that they count in.
pub const GRID: SnapGrid = SnapGrid::FINEST;

/// A number from `-bound` to `bound`.
pub fn coordinate(random: &mut SplitMix64, bound: i64) -> i64 {
    random.below(2 * bound as u64 + 1) as i64 - bound
}

/// A scale: a power of two from 4 to 2^33 grid units.
pub fn scale(random: &mut SplitMix64) -> i64 {
    1 << (2 + random.below(32))
}

/// A ring about as large as a scale: self-crossing, touching, with repeated and collinear points, stars, combs, slivers,
/// nested squares.
pub fn ring(random: &mut SplitMix64, scale: i64) -> Ring {
    let (kind, count) = (random.below(8), 3 + random.below(7) as i64);
    let mut near = |bound: i64| coordinate(random, bound);
    let (cx, cy) = (near(scale), near(scale));
    let points: Vec<[i64; 2]> = match kind {
        0 => (0..count).map(|_| [near(scale), near(scale)]).collect(),
        // Few distinct coordinates: touching, collinear and repeated points.
        1 => (0..2 * count).map(|_| [near(2) * (scale / 2), near(2) * (scale / 2)]).collect(),
        // A sliver a unit wide along any direction.
        2 => {
            let [dx, dy] = [near(scale), near(scale)];
            std::vec![[cx - dx, cy - dy], [cx, cy + near(1)], [cx + dx, cy + dy], [cx + near(1), cy]]
        }
        // A comb whose teeth reach up or nearly nowhere.
        3 => {
            let pitch = (scale / 8).max(2);
            let mut comb = std::vec![[cx, cy - scale]];
            for tooth in 0..count {
                comb.push([cx + pitch * tooth, cy + scale]);
                comb.push([cx + pitch * tooth + pitch / 2, cy + near(2)]);
            }
            comb
        }
        // A square, often nested with or equal to others.
        4 => {
            let half = 1 + near(3).abs() * scale / 4;
            std::vec![[-half, -half], [half, -half], [half, half], [-half, half]]
        }
        // A five-pointed star that crosses itself.
        5 => [[0, 10], [6, -8], [-10, 3], [10, 3], [-6, -8]]
            .iter()
            .map(|p| [cx + p[0] * scale / 10, cy + p[1] * scale / 10])
            .collect(),
        // There and back again: encloses nothing.
        6 => std::vec![[cx, cy], [cx + near(scale), cy + near(scale)], [cx, cy], [cx, cy]],
        // A fan from one apex over a line of points.
        _ => {
            let apex = [cx, near(scale)];
            (0..count).map(|_| [near(scale), cy]).chain([apex]).collect()
        }
    };
    let mut ring: Ring = points.iter().map(|&[x, y]| GridPoint { x, y }).collect();
    if random.below(3) == 0 {
        let at = random.below(ring.len() as u64) as usize;
        ring.insert(at, ring[at]);
    }
    ring
}

/// One to three outlines of one to three rings, most at one scale.
pub fn outlines(random: &mut SplitMix64) -> Vec<Rings> {
    let common = scale(random);
    (0..1 + random.below(3))
        .map(|_| {
            (0..1 + random.below(3))
                .map(|_| {
                    let scale = if random.below(4) == 0 { scale(random) } else { common };
                    ring(random, scale)
                })
                .collect()
        })
        .collect()
}

/// The region of outlines, as the builder makes it.
pub fn region<'a>(builder: &mut RegionBuilder, outlines: &[Rings], arena: &mut Arena<'a>) -> Result<Region<'a>> {
    let position = |ring: &Ring| ring.iter().map(|&p| GRID.position(p)).collect::<Vec<_>>();
    let positions: Vec<Vec<Vec<[f64; 2]>>> =
        outlines.iter().map(|rings| rings.iter().map(position).collect()).collect();
    let rings: Vec<Vec<&[[f64; 2]]>> = positions.iter().map(|o| o.iter().map(Vec::as_slice).collect()).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    builder.from_outlines(&outlines, GRID, arena)
}

/// The middle of a square between four grid points, in half units: both numbers are odd.
pub type Middle = [i64; 2];

/// The directed edges of a ring.
pub fn edges_of(ring: &[GridPoint]) -> impl Iterator<Item = [GridPoint; 2]> + '_ {
    (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]])
}

/// Twice the edge's vector crossed with the way from its beginning to a middle: positive when the middle lies left.
fn leftness([a, b]: [GridPoint; 2], [x, y]: Middle) -> i128 {
    let wide = i128::from;
    wide(b.x - a.x) * wide(y - 2 * a.y) - wide(b.y - a.y) * wide(x - 2 * a.x)
}

/// How often an edge takes a ray to the right upwards past a middle: 1, -1 for downwards, or 0. Middles have odd heights and
/// ends even ones, so no end lies on the ray.
pub fn passes(edge: [GridPoint; 2], at: Middle) -> i32 {
    let [up_a, up_b] = edge.map(|p| 2 * p.y > at[1]);
    match (up_a, up_b, leftness(edge, at)) {
        (false, true, left) if left > 0 => 1,
        (true, false, left) if left < 0 => -1,
        _ => 0,
    }
}

/// Whether a middle lies on an edge itself.
pub fn lies_on(edge: [GridPoint; 2], [x, y]: Middle) -> bool {
    let [a, b] = edge;
    let within = |v: i64, p: i64, q: i64| 2 * p.min(q) <= v && v <= 2 * p.max(q);
    leftness(edge, [x, y]) == 0 && within(x, a.x, b.x) && within(y, a.y, b.y)
}

/// Whether a middle lies in an outline by the even-odd rule.
pub fn in_outline(rings: &[Ring], at: Middle) -> bool {
    rings.iter().flat_map(|ring| edges_of(ring)).map(|edge| passes(edge, at)).sum::<i32>() & 1 != 0
}

/// Whether a middle lies in any of some outlines.
pub fn in_outlines(outlines: &[Rings], at: Middle) -> bool {
    outlines.iter().any(|rings| in_outline(rings, at))
}

/// Whether a middle lies in a region: its rings wind around it once.
pub fn in_region(region: &Region<'_>, at: Middle) -> bool {
    match region.edges().map(|edge| passes(edge, at)).sum::<i32>() {
        0 => false,
        1 => true,
        other => panic!("{at:?} is wound around {other} times"),
    }
}

/// Whether rounding may have moved an edge over a middle: one lies within three units.
pub fn is_near_an_edge(outlines: &[Rings], [x, y]: Middle) -> bool {
    outlines.iter().flatten().flat_map(|ring| edges_of(ring)).any(|[a, b]| {
        let [d, e] = [[b.x - a.x, b.y - a.y], [x - 2 * a.x, y - 2 * a.y]].map(|v| v.map(|c| c as f64));
        let (length, e) = (d[0] * d[0] + d[1] * d[1], e.map(|c| c / 2.0));
        let t = if length == 0.0 { 0.0 } else { crate::math::clamp((d[0] * e[0] + d[1] * e[1]) / length, 0.0, 1.0) };
        let off = [e[0] - t * d[0], e[1] - t * d[1]];
        off[0] * off[0] + off[1] * off[1] < 9.0
    })
}

/// Middles to ask about: near vertices and between them, at every scale down to one unit.
pub fn middles(random: &mut SplitMix64, points: &[GridPoint], count: usize) -> Vec<Middle> {
    (0..count)
        .map(|_| {
            let [a, b] = [0; 2].map(|_| points[random.below(points.len() as u64) as usize]);
            let reach = 1i64 << random.below(34);
            let (dx, dy) = (coordinate(random, reach), coordinate(random, reach));
            match random.below(2) {
                0 => [2 * (a.x + dx) + 1, 2 * (a.y + dy) + 1],
                _ => [2 * ((a.x + b.x) / 2 + dx) + 1, 2 * ((a.y + b.y) / 2 + dy) + 1],
            }
        })
        .collect()
}

/// All vertices of some outlines.
pub fn vertices(outlines: &[Rings]) -> Vec<GridPoint> {
    outlines.iter().flatten().flatten().copied().collect()
}

/// Refuses a region that breaks a rule of regions: rings never cross and meet only at shared vertices, in their order.
pub fn assert_well_formed(region: &Region<'_>) {
    let edges: Vec<[GridPoint; 2]> = region.edges().map(|[a, b]| if a < b { [a, b] } else { [b, a] }).collect();
    for (i, &e) in edges.iter().enumerate() {
        assert_ne!(e[0], e[1]);
        for &f in &edges[..i] {
            assert_eq!(proper_crossing(e, f), None, "rings cross");
            assert_ne!(e, f, "rings overlap");
            assert!(!f.iter().any(|&p| lies_within(e, p)) && !e.iter().any(|&p| lies_within(f, p)), "rings touch");
        }
    }
    let firsts: Vec<_> = region.rings().map(|ring| ring[0]).collect();
    assert!(firsts.is_sorted());
    assert!(region.rings().all(|ring| ring.len() >= 3 && ring[0] == *ring.iter().min().unwrap()));
    assert!(region.twice_area() >= 0);
}
