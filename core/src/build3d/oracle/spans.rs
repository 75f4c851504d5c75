//! Columns of spans as plain lists, and the stages of `build3d-spans.md` over them.

use super::upto;
use crate::build3d::compact::{Compact, DIR_X, DIR_Z};
use crate::build3d::heightfield::Heightfield;
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

/// (min, max, area), the lowest first.
pub type SlowColumn = Vec<(i64, i64, u8)>;

/// The columns of a solid field.
pub fn columns(solid: &Heightfield<'_>) -> Vec<SlowColumn> {
    upto(solid.frame.columns())
        .into_iter()
        .map(|column| solid.column(column).map(|s| (i64::from(s.min()), i64::from(s.max()), s.area())).collect())
        .collect()
}

/// Section 3, adding one span.
pub fn add(column: &mut SlowColumn, mut min: i64, mut max: i64, mut area: u8, threshold: i64) {
    let mut kept = Vec::new();
    for &(smin, smax, sarea) in column.iter() {
        if !(smin <= max && smax >= min) {
            kept.push((smin, smax, sarea));
            continue;
        }
        if smax > max {
            area = if smax - max <= threshold { area.max(sarea) } else { sarea };
            max = smax;
        } else if max - smax <= threshold {
            area = area.max(sarea);
        }
        min = min.min(smin);
    }
    kept.push((min, max, area));
    kept.sort();
    *column = kept;
}

pub const UNBOUNDED: i64 = 1 << 30;

fn ceiling(column: &SlowColumn, nth: usize) -> i64 {
    column.get(nth + 1).map_or(UNBOUNDED, |above| above.0)
}

/// Section 6, the first filter.
pub fn low_hanging(columns: &[SlowColumn], climb: i64) -> Vec<SlowColumn> {
    let mut result = columns.to_vec();
    for (column, new) in columns.iter().zip(result.iter_mut()) {
        for nth in 1..column.len() {
            let (below, span) = (column[nth - 1], column[nth]);
            if span.2 == 0 && below.2 != 0 && span.1 - below.1 <= climb {
                new[nth].2 = below.2;
            }
        }
    }
    result
}

/// Section 6, the second filter.
pub fn ledges(columns: &[SlowColumn], width: i64, depth: i64, height: i64, climb: i64) -> Vec<SlowColumn> {
    let mut result = columns.to_vec();
    for z in 0..depth {
        for x in 0..width {
            let column = &columns[(x + z * width) as usize];
            for (nth, span) in column.iter().enumerate() {
                let (floor, top) = (span.1, ceiling(column, nth));
                let mut drops = Vec::new();
                let mut floors = Vec::new();
                for dir in 0..4 {
                    let (nx, nz) = (x + i64::from(DIR_X[dir]), z + i64::from(DIR_Z[dir]));
                    if nx < 0 || nz < 0 || nx >= width || nz >= depth {
                        drops.push(-climb - 1);
                        continue;
                    }
                    let other = &columns[(nx + nz * width) as usize];
                    let mut gaps = std::vec![(-climb, other.first().map_or(UNBOUNDED, |first| first.0))];
                    gaps.extend(upto(other.len()).into_iter().map(|n| (other[n].1, ceiling(other, n))));
                    for (gap_floor, gap_ceiling) in gaps {
                        if top.min(gap_ceiling) - floor.max(gap_floor) < height {
                            continue;
                        }
                        drops.push(gap_floor - floor);
                        if (gap_floor - floor).abs() <= climb {
                            floors.push(gap_floor);
                        }
                    }
                }
                let falls = drops.iter().min().is_some_and(|&drop| drop < -climb);
                let spread = floors.iter().max().unwrap_or(&0) - floors.iter().min().unwrap_or(&0);
                if span.2 != 0 && (falls || spread > climb) {
                    result[(x + z * width) as usize][nth].2 = 0;
                }
            }
        }
    }
    result
}

/// Section 6, the third filter.
pub fn low_height(columns: &[SlowColumn], height: i64) -> Vec<SlowColumn> {
    let mut result = columns.to_vec();
    for (column, new) in columns.iter().zip(result.iter_mut()) {
        for nth in 0..column.len() {
            if ceiling(column, nth) != UNBOUNDED && ceiling(column, nth) - column[nth].1 < height {
                new[nth].2 = 0;
            }
        }
    }
    result
}

/// An open span of the slow model.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowSpan {
    pub x: i64,
    pub z: i64,
    pub y: i64,
    pub height: i64,
    pub area: u8,
    /// The span linked to in each direction, one way.
    pub links: [Option<usize>; 4],
}

/// Section 7, by comparing all pairs of spans.
pub fn compact(columns: &[SlowColumn], width: i64, height: i64, climb: i64) -> Vec<SlowSpan> {
    let mut spans = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let (x, z) = (at as i64 % width, at as i64 / width);
        for (nth, span) in column.iter().enumerate().filter(|(_, span)| span.2 != 0) {
            let free = (ceiling(column, nth) - span.1).min(65_535);
            spans.push(SlowSpan { x, z, y: span.1, height: free, area: span.2, links: [None; 4] });
        }
    }
    for s in 0..spans.len() {
        for dir in 0..4 {
            let a = spans[s].clone();
            let cell = (a.x + i64::from(DIR_X[dir]), a.z + i64::from(DIR_Z[dir]));
            let in_cell = |t: &usize| (spans[*t].x, spans[*t].z) == cell;
            let linked = upto(spans.len()).into_iter().filter(in_cell).take(63).find(|&t| {
                let b = &spans[t];
                let shared = (a.y + a.height).min(b.y + b.height) - a.y.max(b.y);
                shared >= height && (b.y - a.y).abs() <= climb
            });
            spans[s].links[dir] = linked;
        }
    }
    spans
}

/// The spans of a compact field, as it has them.
pub fn read(field: &Compact<'_>) -> Vec<SlowSpan> {
    let mut spans = Vec::new();
    for z in 0..field.frame.depth {
        for x in 0..field.frame.width {
            let column = field.frame.column(x, z);
            for at in field.cell(column) {
                let s = field.spans[at];
                spans.push(SlowSpan {
                    x: i64::from(x),
                    z: i64::from(z),
                    y: i64::from(s.y),
                    height: i64::from(s.height),
                    area: field.areas[at],
                    links: core::array::from_fn(|dir| field.linked(at, x, z, dir)),
                });
            }
        }
    }
    spans
}

/// Every span's distance to a boundary by Dijkstra's algorithm over explicit steps (section 8).
pub fn distances(spans: &[SlowSpan]) -> Vec<u32> {
    let boundary = |s: &SlowSpan| s.area == 0 || s.links.iter().any(|to| to.is_none_or(|to| spans[to].area == 0));
    // The steps, turned around: from where a path goes on to where it came from.
    let mut back: BTreeMap<usize, Vec<(usize, u32)>> = BTreeMap::new();
    for (s, span) in spans.iter().enumerate() {
        for (dir, first) in span.links.iter().enumerate() {
            let Some(first) = *first else { continue };
            back.entry(first).or_default().push((s, 2));
            for turn in [(dir + 1) % 4, (dir + 3) % 4] {
                if let Some(second) = spans[first].links[turn] {
                    back.entry(second).or_default().push((s, 3));
                }
            }
        }
    }
    let mut best = std::vec![u32::MAX; spans.len()];
    let mut open: BTreeSet<(u32, usize)> =
        upto(spans.len()).into_iter().filter(|&s| boundary(&spans[s])).map(|s| (0, s)).collect();
    while let Some((distance, s)) = open.pop_first() {
        if best[s] <= distance {
            continue;
        }
        best[s] = distance;
        open.extend(back.get(&s).into_iter().flatten().map(|&(from, cost)| (distance + cost, from)));
    }
    best
}
