//! Straight walls: the vertices that edge splitting left on them are taken out again, since each would cost a polygon one
//! of its vertices.

use crate::build3d::contours::ring::{Corner, cross, distance2};
use crate::build3d::contours::{ContourVertex, WALL};

/// Removes the vertices of straight walls from a ring, in place, and returns how many remain.
///
/// Passes run in ring order and remove at once, so a vertex is judged by the neighbours that are still there. A ring that
/// would drop below three vertices stays as `whole` has it.
pub(super) fn straighten(ring: &mut [ContourVertex], whole: &[ContourVertex]) -> usize {
    let mut len = ring.len();
    loop {
        let before = len;
        let mut kept = 0;
        for index in 0..len {
            let previous = ring[if kept > 0 { kept - 1 } else { len - 1 }];
            let next = ring[if index + 1 < len { index + 1 } else { 0 }];
            if is_straight(&previous, &ring[index], &next) {
                if before - (index - kept) <= 3 {
                    ring.copy_from_slice(whole);
                    return whole.len();
                }
            } else {
                ring[kept] = ring[index];
                kept += 1;
            }
        }
        len = kept;
        if len == before {
            return len;
        }
    }
}

/// Whether a vertex lies between two wall edges on one line, its row within one of the straight line's.
fn is_straight(previous: &ContourVertex, vertex: &ContourVertex, next: &ContourVertex) -> bool {
    if previous.neighbor != WALL || vertex.neighbor != WALL {
        return false;
    }
    let (p, v, n) = (previous.corner(), vertex.corner(), next.corner());
    if cross(p, v, n) != 0 || dot(p, v, v, n) <= 0 {
        return false;
    }
    let (whole, part) = (distance2(p, n), dot(p, n, p, v));
    let rise = |to: &ContourVertex| i64::from(to.y) - i64::from(previous.y);
    (rise(vertex) * whole - rise(next) * part).abs() <= whole
}

fn dot(a: Corner, b: Corner, c: Corner, d: Corner) -> i64 {
    (b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn straightened(corners: &[(i32, i32, i32)]) -> Vec<(i32, i32)> {
        let whole: Vec<_> = corners.iter().map(|&(x, z, y)| ContourVertex { x, z, y, neighbor: WALL }).collect();
        let mut ring = whole.clone();
        let len = straighten(&mut ring, &whole);
        ring[..len].iter().map(|v| (v.x, v.z)).collect()
    }

    #[test]
    fn only_vertices_on_level_straight_walls_go() {
        let level = [(0, 0, 5), (4, 0, 5), (8, 0, 6), (12, 0, 5), (12, 9, 5), (0, 9, 5), (0, 4, 5)];
        assert_eq!(straightened(&level), [(0, 0), (12, 0), (12, 9), (0, 9)]);
        let stepped = [(0, 0, 5), (4, 0, 9), (12, 0, 5), (12, 9, 5), (0, 9, 5)];
        assert_eq!(straightened(&stepped).len(), 5);
        let sloped = [(0, 0, 0), (4, 0, 40), (12, 0, 120), (12, 9, 120), (0, 9, 0)];
        assert_eq!(straightened(&sloped).len(), 4);
    }

    #[test]
    fn a_ring_that_would_vanish_stays_whole() {
        let flat = [(0, 0, 5), (4, 0, 5), (8, 0, 5), (4, 0, 5)];
        assert_eq!(straightened(&flat).len(), 4);
    }
}
