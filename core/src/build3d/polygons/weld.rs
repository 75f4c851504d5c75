//! Welding: corners of one place and nearly one row become one vertex.

use super::PolyVertex;
use crate::build3d::contours::ContourVertex;

/// Sets each corner's welded vertex number in `weld`, and returns how many vertices there are.
///
/// A corner joins the first vertex created at its place whose row differs by at most 1, else it creates one; vertices are
/// numbered in order of first appearance. `keys` is scratch of the same length.
pub(super) fn weld(corners: &[ContourVertex], keys: &mut [u64], weld: &mut [u32]) -> usize {
    for (index, (key, corner)) in keys.iter_mut().zip(corners).enumerate() {
        *key = place(corner) << 30 | index as u64;
    }
    keys.sort_unstable();
    let index_of = |key: u64| (key & ((1 << 30) - 1)) as usize;
    let mut first = 0;
    while first < keys.len() {
        let len = keys[first..].iter().take_while(|&&key| key >> 30 == keys[first] >> 30).count();
        let group = &keys[first..first + len];
        for (rank, &key) in group.iter().enumerate() {
            let index = index_of(key);
            // Keys of one place are in order of appearance, and so are the vertices created there.
            let earlier = group[..rank].iter().map(|&key| index_of(key));
            let found = earlier
                .filter(|&other| weld[other] == other as u32)
                .find(|&other| same(&corners[other], &corners[index]));
            weld[index] = found.unwrap_or(index) as u32;
        }
        first += len;
    }
    number(weld)
}

/// Replaces the corner that created each vertex with the vertex's number.
fn number(weld: &mut [u32]) -> usize {
    let mut count = 0;
    for index in 0..weld.len() {
        weld[index] = if weld[index] == index as u32 {
            count += 1;
            count - 1
        } else {
            // Its creator came before it and has its number already.
            weld[weld[index] as usize]
        };
    }
    count as usize
}

/// A corner's place in 34 bits: corners lie on a grid of at most 65536 cells a side.
fn place(corner: &ContourVertex) -> u64 {
    (corner.z as u64 & 0x1_FFFF) << 17 | (corner.x as u64 & 0x1_FFFF)
}

fn same(a: &ContourVertex, b: &ContourVertex) -> bool {
    (a.x, a.z) == (b.x, b.z) && a.y.abs_diff(b.y) <= 1
}

/// Writes the welded vertices: each is the corner that created it.
pub(super) fn write_vertices(corners: &[ContourVertex], weld: &[u32], vertices: &mut [PolyVertex]) {
    let mut count = 0;
    for (corner, &vertex) in corners.iter().zip(weld) {
        if vertex as usize == count {
            vertices[count] = PolyVertex { x: corner.x, z: corner.z, y: corner.y };
            count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build3d::test_fields::Dice;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn welding_is_what_the_rule_says_one_corner_at_a_time() {
        let mut dice = Dice(5);
        for _ in 0..300 {
            let corners: Vec<_> = (0..dice.roll(40))
                .map(|_| ContourVertex {
                    x: dice.roll(3) as i32,
                    z: dice.roll(3) as i32,
                    y: dice.roll(6) as i32,
                    neighbor: 0,
                })
                .collect();
            let mut created: Vec<PolyVertex> = Vec::new();
            let mut want = Vec::new();
            for c in &corners {
                let found = created.iter().position(|v| (v.x, v.z) == (c.x, c.z) && (v.y - c.y).abs() <= 1);
                want.push(found.unwrap_or(created.len()) as u32);
                if found.is_none() {
                    created.push(PolyVertex { x: c.x, z: c.z, y: c.y });
                }
            }
            let mut got = vec![0; corners.len()];
            let count = weld(&corners, &mut vec![0; corners.len()], &mut got);
            assert_eq!(got, want);
            let mut vertices = vec![PolyVertex::default(); count];
            write_vertices(&corners, &got, &mut vertices);
            assert_eq!(vertices, created);
        }
    }
}
