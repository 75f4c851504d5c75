//! The length in the plane of the shortest path through a corridor, by Dijkstra's algorithm over the ends of its
//! portals: one sees another when the straight segment between them passes through every portal between.

use super::literal::flat_length;
use std::vec::Vec;

type V = [f64; 3];

/// Whether the segment from `p` to `q` crosses the segment from `a` to `b`, a hair's breadth allowed.
fn passes(p: V, q: V, (a, b): (V, V)) -> bool {
    let cross = |o: V, u: V, v: V| (u[0] - o[0]) * (v[2] - o[2]) - (u[2] - o[2]) * (v[0] - o[0]);
    let near = |o: V, u: V, v: V| (cross(o, u, v)).abs() <= 1e-9 * (1.0 + flat_length(o, u));
    let (pa, pb) = (cross(p, q, a), cross(p, q, b));
    let (ap, aq) = (cross(a, b, p), cross(a, b, q));
    let parts = |u: f64, v: f64| u <= 0.0 && v >= 0.0 || u >= 0.0 && v <= 0.0;
    (parts(pa, pb) || near(p, q, a) || near(p, q, b)) && (parts(ap, aq) || near(a, b, p) || near(a, b, q))
}

/// The shortest way from `start` to `end` through portals in order.
pub fn shortest(start: V, end: V, portals: &[(V, V)]) -> f64 {
    // A place and how many portals lie behind it: an end of portal i stands on it, with i portals passed.
    let mut places = std::vec![(start, 0)];
    for (i, &(a, b)) in portals.iter().enumerate() {
        places.extend([(a, i + 1), (b, i + 1)]);
    }
    places.push((end, portals.len() + 1));
    let mut length: Vec<f64> = std::vec![f64::INFINITY; places.len()];
    length[0] = 0.0;
    for to in 1..places.len() {
        for from in 0..to {
            let ((p, i), (q, j)) = (places[from], places[to]);
            if j > i && portals[i..j - 1].iter().all(|&portal| passes(p, q, portal)) {
                length[to] = length[to].min(length[from] + flat_length(p, q));
            }
        }
    }
    length[places.len() - 1]
}
