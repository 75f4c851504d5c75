//! Noding against every pair and every pixel.

use super::*;

/// The page's noding with every pair and every pixel as a candidate.
pub fn arranged_by_brute_force(edges: &[Edge]) -> (Vec<GridPoint>, Vec<Segment>) {
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
        let way = |p: &GridPoint| {
            let wide = i128::from;
            wide(p.x - e.a.x) * wide(e.b.x - e.a.x) + wide(p.y - e.a.y) * wide(e.b.y - e.a.y)
        };
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
        let bits = 2 + random.below(36);
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
