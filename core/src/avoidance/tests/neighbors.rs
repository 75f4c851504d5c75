//! The neighbour index against looking at every point.

use std::vec;
use std::vec::Vec;

use super::super::{Near, Nearest, NeighborIndex};
use super::between;
use crate::error::Subject;
use crate::math::{SplitMix64, dot, sub};
use crate::memory::{Arena, Grain};

crate::memory::assert_portable!(NeighborIndex);

/// Clouds that a structure might stumble over: even, clustered, on a lattice with many ties, in a line, far apart.
fn cloud(kind: u64, count: usize, random: &mut SplitMix64) -> Vec<[f64; 3]> {
    let mut point = |_| match kind {
        0 => [0.0; 3].map(|_: f64| between(random, -20.0, 20.0)),
        1 => {
            let center = random.below(4) as f64 * 1e6;
            [center, -center, center].map(|c| c + between(random, -1.0, 1.0))
        }
        2 => [0.0; 3].map(|_: f64| random.below(6) as f64 - 3.0),
        3 => [between(random, -50.0, 50.0), 0.0, -0.0],
        4 => [1e12, -1e12, 1e-300].map(|scale| scale * random.next_f64()),
        _ => [7.0; 3],
    };
    (0..count).map(&mut point).collect()
}

fn brute(points: &[[f64; 3]], from: usize, reach: f64, room: usize) -> Vec<(f64, u32)> {
    let mut all: Vec<(f64, u32)> = points
        .iter()
        .enumerate()
        .filter(|&(index, _)| index != from)
        .map(|(index, &point)| (dot(sub(point, points[from]), sub(point, points[from])), index as u32))
        .filter(|&(square, _)| square < reach * reach)
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all.truncate(room);
    all
}

#[test]
fn the_nearest_are_those_that_looking_at_all_finds() {
    let mut random = SplitMix64::new(61);
    let counts = [0, 1, 2, 7, 8, 9, 30, 63, 64, 65, 200, 500];
    for (&count, kind) in counts.iter().flat_map(|count| (0..6).map(move |kind| (count, kind))) {
        for space in [false, true] {
            let mut points = cloud(kind, count, &mut random);
            let mut region = vec![Grain::ZERO; NeighborIndex::plan(count).grains()];
            let mut arena = Arena::new(&mut region);
            let mut index = NeighborIndex::new(count, &mut arena).unwrap();
            assert_eq!(arena.remaining(), 0);
            let names = 0..count as u32;
            if space {
                index.sort_in_space(names.zip(points.iter().copied())).unwrap();
            } else {
                points.iter_mut().for_each(|point| point[2] = 0.0);
                index.sort(names.zip(points.iter().map(|&[x, y, _]| [x, y]))).unwrap();
            }
            assert_eq!(index.len(), count);
            for from in 0..count {
                let (reach, room) = ([0.0, 1.0, 5.0, 1e7, f64::INFINITY][random.below(5) as usize], random.below(12));
                let mut memory = [Near::default(); 12];
                let mut list = Nearest::below(reach * reach, &mut memory[..room as usize]);
                index.nearest_in_space(points[from], &mut list, |name, _| name != from as u32, |a, b| a < b);
                let found: Vec<(f64, u32)> = list.as_slice().iter().map(|near| (near.distance, near.name)).collect();
                assert_eq!(found, brute(&points, from, reach, room as usize), "{kind} {count} {space} {from} {reach}");
                for near in list.as_slice() {
                    assert_eq!(index.name(near.place as usize), near.name);
                    assert_eq!(index.point(near.place as usize), points[near.name as usize]);
                }
            }
        }
    }
}

#[test]
fn more_points_than_it_was_made_for_are_refused_and_leave_it_empty() {
    let mut region = vec![Grain::ZERO; NeighborIndex::plan(2).grains()];
    let mut index = NeighborIndex::new(2, &mut Arena::new(&mut region)).unwrap();
    let error = index.sort((0..3).map(|name| (name, [0.0; 2]))).unwrap_err();
    assert_eq!((error.subject(), error.limit_value()), (Subject::Points, Some(2.0)));
    assert!(index.is_empty());
    index.sort((0..2).map(|name| (name, [0.0; 2]))).unwrap();
    assert_eq!(index.len(), 2);
}

#[test]
fn every_size_has_room_for_its_cuts() {
    for count in (0..300).chain([1000, 4096, 5000, 20_000]) {
        let mut region = vec![Grain::ZERO; NeighborIndex::plan(count).grains()];
        let mut index = NeighborIndex::new(count, &mut Arena::new(&mut region)).unwrap();
        let mut random = SplitMix64::new(count as u64);
        let points: Vec<[f64; 3]> = cloud(0, count, &mut random);
        for held in [count, count / 2, count / 9] {
            index.sort_in_space((0..held as u32).zip(points.iter().copied())).unwrap();
            index.sort((0..held as u32).zip(points.iter().map(|&[x, y, _]| [x, y]))).unwrap();
        }
    }
}
