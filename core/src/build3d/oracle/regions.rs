//! The partitions of `build3d-regions.md` as the page tells them, over sets and maps.

use super::spans::{SlowSpan, distances};
use super::upto;
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

/// Spans that keep only the links that are returned.
pub fn mutual(spans: &[SlowSpan]) -> Vec<SlowSpan> {
    let mut result = spans.to_vec();
    for (s, span) in result.iter_mut().enumerate() {
        for dir in 0..4 {
            span.links[dir] = span.links[dir].filter(|&to| spans[to].links[(dir + 2) % 4] == Some(s));
        }
    }
    result
}

fn neighbors(spans: &[SlowSpan], s: usize) -> Vec<usize> {
    spans[s].links.iter().flatten().copied().collect()
}

fn walkable(spans: &[SlowSpan]) -> Vec<usize> {
    upto(spans.len()).into_iter().filter(|&s| spans[s].area != 0).collect()
}

/// Section 2, unfiltered.
pub fn watershed(spans: &[SlowSpan]) -> Vec<u32> {
    let far = distances(spans);
    let mut regions = std::vec![0; spans.len()];
    let mut next = 0;
    let levels: BTreeSet<u32> = walkable(spans).into_iter().map(|s| far[s]).collect();
    for &level in levels.iter().rev() {
        let members: Vec<usize> = walkable(spans).into_iter().filter(|&s| far[s] == level).collect();
        let mut candidates = members.clone();
        loop {
            let before = regions.clone();
            let mut joined = BTreeSet::new();
            for &s in candidates.iter().filter(|&&s| before[s] == 0) {
                let offers = neighbors(spans, s).into_iter().filter(|&t| spans[t].area == spans[s].area);
                if let Some(least) = offers.map(|t| before[t]).filter(|&region| region != 0).min() {
                    regions[s] = least;
                    joined.insert(s);
                }
            }
            if joined.is_empty() {
                break;
            }
            let beside = |s: &usize| neighbors(spans, *s).iter().any(|t| joined.contains(t));
            candidates = members.iter().copied().filter(|&s| regions[s] == 0).filter(beside).collect();
        }
        for &seed in &members {
            if regions[seed] != 0 {
                continue;
            }
            next += 1;
            let mut stack = std::vec![seed];
            while let Some(s) = stack.pop() {
                if regions[s] == 0 && far[s] == level && spans[s].area == spans[seed].area {
                    regions[s] = next;
                    stack.extend(neighbors(spans, s));
                }
            }
        }
    }
    regions
}

/// Section 3, unfiltered.
pub fn monotone(spans: &[SlowSpan]) -> Vec<u32> {
    let mut regions = std::vec![0; spans.len()];
    let mut next = 0;
    let rows: BTreeSet<i64> = spans.iter().map(|s| s.z).collect();
    for row in rows {
        let mut sweeps: Vec<Vec<usize>> = Vec::new();
        for s in walkable(spans).into_iter().filter(|&s| spans[s].z == row) {
            let left = spans[s].links[0].filter(|&t| spans[t].area == spans[s].area);
            match left.and_then(|t| sweeps.iter().position(|sweep| sweep.contains(&t))) {
                Some(sweep) => sweeps[sweep].push(s),
                None => sweeps.push(std::vec![s]),
            }
        }
        let touched: Vec<BTreeSet<u32>> = sweeps
            .iter()
            .map(|sweep| {
                let below = sweep
                    .iter()
                    .filter_map(|&s| spans[s].links[3].filter(|&t| spans[t].area == spans[s].area).map(|t| regions[t]));
                below.filter(|&region| region != 0).collect()
            })
            .collect();
        for (nth, sweep) in sweeps.iter().enumerate() {
            let only = if touched[nth].len() == 1 { touched[nth].first().copied() } else { None };
            let alone = |region: &u32| touched.iter().filter(|set| set.contains(region)).count() == 1;
            let id = only.filter(alone).unwrap_or_else(|| {
                next += 1;
                next
            });
            sweep.iter().for_each(|&s| regions[s] = id);
        }
    }
    regions
}

/// Section 4, unfiltered: the ids of the monotone regions that lived on.
pub fn layers(spans: &[SlowSpan]) -> Vec<u32> {
    let mut regions = monotone(spans);
    let ids: BTreeSet<u32> = regions.iter().copied().filter(|&id| id != 0).collect();
    let of = |regions: &[u32], id: u32| -> Vec<usize> {
        upto(regions.len()).into_iter().filter(|&s| regions[s] == id).collect()
    };
    let overlap = |regions: &[u32], a: u32, b: u32| {
        let cells: BTreeSet<_> = of(regions, a).into_iter().map(|s| (spans[s].x, spans[s].z)).collect();
        of(regions, b).into_iter().any(|s| cells.contains(&(spans[s].x, spans[s].z)))
    };
    loop {
        let before = regions.clone();
        for &a in &ids {
            let members = of(&regions, a);
            let Some(&first) = members.first() else { continue };
            let beside: BTreeSet<u32> = members
                .iter()
                .flat_map(|&s| neighbors(spans, s))
                .filter(|&t| spans[t].area == spans[first].area && regions[t] != a)
                .map(|t| regions[t])
                .collect();
            if let Some(b) = beside.into_iter().find(|&b| !overlap(&regions, a, b)) {
                let (low, high) = (a.min(b), a.max(b));
                regions.iter_mut().filter(|id| **id == high).for_each(|id| *id = low);
            }
        }
        if regions == before {
            return regions;
        }
    }
}

/// Section 5, with the merges of a pass made at once.
pub fn filter(spans: &[SlowSpan], raw: &[u32], min_area: usize, merge_area: usize) -> Vec<u32> {
    let mut regions = raw.to_vec();
    let sizes = |regions: &[u32]| {
        let mut sizes = BTreeMap::new();
        regions.iter().filter(|id| **id != 0).for_each(|id| *sizes.entry(*id).or_insert(0usize) += 1);
        sizes
    };
    for (id, size) in sizes(&regions) {
        let touches = upto(spans.len())
            .into_iter()
            .filter(|&s| raw[s] == id)
            .any(|s| neighbors(spans, s).iter().any(|&t| raw[t] != 0 && raw[t] != id));
        if size < min_area && !touches {
            regions.iter_mut().filter(|region| **region == id).for_each(|region| *region = 0);
        }
    }
    loop {
        let before = regions.clone();
        for id in sizes(&before).into_keys() {
            if sizes(&regions).get(&id).is_none_or(|&size| size >= merge_area) {
                continue;
            }
            let mut links: BTreeMap<u32, i64> = BTreeMap::new();
            for s in upto(spans.len()).into_iter().filter(|&s| regions[s] == id) {
                for t in neighbors(spans, s) {
                    if regions[t] != 0 && regions[t] != id && spans[t].area == spans[s].area {
                        *links.entry(regions[t]).or_default() += 1;
                    }
                }
            }
            if let Some((&into, _)) = links.iter().max_by_key(|&(&other, &count)| (count, -i64::from(other))) {
                regions.iter_mut().filter(|region| **region == id).for_each(|region| *region = into);
            }
        }
        if regions == before {
            break;
        }
    }
    number(&regions)
}

/// Ids from 1 in order of first span.
pub fn number(regions: &[u32]) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    numbers.insert(0, 0);
    regions
        .iter()
        .map(|id| {
            let next = numbers.len() as u32;
            *numbers.entry(*id).or_insert(next)
        })
        .collect()
}

/// The connected pieces of one area and one layer, numbered by first span.
pub fn components(spans: &[SlowSpan], layers: &[u16]) -> Vec<u32> {
    let mut regions = std::vec![0; spans.len()];
    let mut next = 0;
    for seed in walkable(spans) {
        if regions[seed] != 0 {
            continue;
        }
        next += 1;
        let mut stack = std::vec![seed];
        while let Some(s) = stack.pop() {
            if regions[s] == 0 && (spans[s].area, layers[s]) == (spans[seed].area, layers[seed]) {
                regions[s] = next;
                stack.extend(neighbors(spans, s));
            }
        }
    }
    regions
}

/// `build3d-polys.md`, section 5: the layer of each region from 1 on.
pub fn layers_of_regions(spans: &[SlowSpan], regions: &[u32]) -> Vec<u16> {
    let last = regions.iter().copied().max().unwrap_or(0);
    let mut layers: Vec<u16> = std::vec![0];
    for id in 1..=last {
        let members: Vec<usize> = upto(spans.len()).into_iter().filter(|&s| regions[s] == id).collect();
        let cells: BTreeSet<_> = members.iter().map(|&s| (spans[s].x, spans[s].z)).collect();
        let earlier = |s: &usize| regions[*s] != 0 && regions[*s] < id;
        let taken: BTreeSet<u16> = upto(spans.len())
            .into_iter()
            .filter(|&s| cells.contains(&(spans[s].x, spans[s].z)))
            .filter(earlier)
            .map(|s| layers[regions[s] as usize])
            .collect();
        let beside: BTreeSet<u16> = members
            .iter()
            .flat_map(|&s| neighbors(spans, s))
            .filter(earlier)
            .map(|s| layers[regions[s] as usize])
            .collect();
        let preferred = beside.into_iter().find(|layer| !taken.contains(layer));
        layers.push(preferred.unwrap_or_else(|| (0..).find(|layer| !taken.contains(layer)).unwrap()));
    }
    layers
}
