//! The exact tests on grid points: turns, crossings rounded once, and pixels met
//! (`build2d-geometry.md`, "Arrangement", steps 2 and 3).
//!
//! Coordinates stay below 2^39, so differences within 2^40, their products within 2^81 and the products of a crossing
//! within 2^123: nothing here overflows 128 bits, and short edges need only 64.

use super::GridPoint;

/// A difference of two grid points.
pub(in crate::geometry) type Step = [i64; 2];

/// Steps below this multiply and subtract within 64 bits.
const SHORT: u64 = 1 << 31;

#[inline]
pub(super) fn step(from: GridPoint, to: GridPoint) -> Step {
    [to.x - from.x, to.y - from.y]
}

#[inline]
fn is_short(d: Step) -> bool {
    (d[0].unsigned_abs() | d[1].unsigned_abs()) < SHORT
}

/// The cross product: positive when `e` points left of `d`.
#[inline]
pub(super) fn cross(d: Step, e: Step) -> i128 {
    if is_short(d) && is_short(e) {
        i128::from(d[0] * e[1] - d[1] * e[0])
    } else {
        i128::from(d[0]) * i128::from(e[1]) - i128::from(d[1]) * i128::from(e[0])
    }
}

/// The sign of the cross product: 1 when `e` points left of `d`, -1 right of it.
#[inline]
pub(super) fn turn(d: Step, e: Step) -> i32 {
    if is_short(d) && is_short(e) { (d[0] * e[1] - d[1] * e[0]).signum() as i32 } else { cross(d, e).signum() as i32 }
}

/// On which side of the way from `a` to `b` a point lies: 1 left, 0 on its line, -1 right.
#[inline]
pub(in crate::geometry) fn side([a, b]: [GridPoint; 2], point: GridPoint) -> i32 {
    turn(step(a, b), step(a, point))
}

/// How far a point lies along a line, to order points by.
#[inline]
pub(super) fn along([a, b]: [GridPoint; 2], point: GridPoint) -> i128 {
    let (d, e) = (step(a, b), step(a, point));
    i128::from(d[0]) * i128::from(e[0]) + i128::from(d[1]) * i128::from(e[1])
}

/// Where two edges cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    /// The point rounded to the grid: `floor(x + 1/2)` of each coordinate.
    pub rounded: GridPoint,
    /// The point rounded down, which says the cell it lies in.
    pub floor: GridPoint,
}

/// Whether the boxes of two lines, each with its smaller end first, have a point in common.
#[inline]
pub(super) fn boxes_meet(p: &[GridPoint; 2], q: &[GridPoint; 2]) -> bool {
    let (p_low, p_high) = (p[0].y.min(p[1].y), p[0].y.max(p[1].y));
    let (q_low, q_high) = (q[0].y.min(q[1].y), q[0].y.max(q[1].y));
    (p[0].x <= q[1].x) & (q[0].x <= p[1].x) & (p_low <= q_high) & (q_low <= p_high)
}

/// The crossing of two edges whose interiors meet in one point that lies within both; none if they only touch, share an
/// end or run along one another.
pub(super) fn proper_crossing(p: [GridPoint; 2], q: [GridPoint; 2]) -> Option<Crossing> {
    let (along_p, along_q) = (step(p[0], p[1]), step(q[0], q[1]));
    let apart = |line: Step, from: GridPoint, ends: [GridPoint; 2]| {
        turn(line, step(from, ends[0])) * turn(line, step(from, ends[1])) >= 0
    };
    if apart(along_p, p[0], q) || apart(along_q, q[0], p) {
        return None;
    }
    let (mut part, mut whole) = (cross(step(p[0], q[0]), along_q), cross(along_p, along_q));
    if whole < 0 {
        (part, whole) = (-part, -whole);
    }
    let [x, y] = along_p.map(|d| divide(d, part, whole));
    let point = |[dx, dy]: Step| GridPoint { x: p[0].x + dx, y: p[0].y + dy };
    Some(Crossing { rounded: point([x.0, y.0]), floor: point([x.1, y.1]) })
}

/// `d * part / whole`, rounded to the nearest (halves up) and rounded down; `whole` is positive.
#[inline]
fn divide(d: i64, part: i128, whole: i128) -> (i64, i64) {
    let product = i128::from(d) * part;
    let floor = product.div_euclid(whole);
    let rest = product - floor * whole;
    let rounded = floor + i128::from(2 * rest >= whole);
    (rounded as i64, floor as i64)
}

/// Whether a point lies in the box of a line.
#[inline]
fn in_box([a, b]: [GridPoint; 2], p: GridPoint) -> bool {
    let between = |low: i64, high: i64, value: i64| low.min(high) <= value && value <= low.max(high);
    between(a.x, b.x, p.x) && between(a.y, b.y, p.y)
}

/// Whether a point lies on a line, but on neither of its ends.
#[inline]
pub(super) fn lies_within(line: [GridPoint; 2], p: GridPoint) -> bool {
    in_box(line, p) && side(line, p) == 0 && p != line[0] && p != line[1]
}

/// Whether a closed line meets the half-open unit square around a grid point.
///
/// In doubled coordinates the square is `[-1, 1 - e]` both ways for an `e` smaller than anything else. Two convex sets are
/// apart when an axis of the grid or the line itself separates them. The line's ends are even there, so its box meets the
/// square exactly when it holds the centre; and a corner on the line counts unless it lies on an open side.
#[inline]
pub(super) fn meets_pixel(line: [GridPoint; 2], center: GridPoint) -> bool {
    if !in_box(line, center) {
        return false;
    }
    let d = step(line[0], line[1]);
    let twice = 2 * cross(d, step(line[0], center));
    let reach = i128::from(d[0].abs() + d[1].abs());
    let (most, least) = (twice + reach, twice - reach);
    let reaches_left = most > 0 || most == 0 && d[0] <= 0 && d[1] >= 0;
    let reaches_right = least < 0 || least == 0 && d[0] >= 0 && d[1] <= 0;
    reaches_left && reaches_right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix64;

    fn point(x: i64, y: i64) -> GridPoint {
        GridPoint { x, y }
    }

    #[test]
    fn a_crossing_is_rounded_once_and_halves_go_up() {
        let cross = |p, q| proper_crossing(p, q).map(|c| (c.rounded, c.floor));
        assert_eq!(cross([point(0, 0), point(1, 1)], [point(0, 1), point(1, 0)]), Some((point(1, 1), point(0, 0))));
        assert_eq!(
            cross([point(-1, -1), point(0, 0)], [point(-1, 0), point(0, -1)]),
            Some((point(0, 0), point(-1, -1)))
        );
        // Touching, sharing an end, and running along one another are no crossings.
        assert_eq!(cross([point(0, 0), point(4, 0)], [point(2, 0), point(2, 5)]), None);
        assert_eq!(cross([point(0, 0), point(4, 0)], [point(4, 0), point(2, 5)]), None);
        assert_eq!(cross([point(0, 0), point(4, 0)], [point(1, 0), point(9, 0)]), None);
    }

    #[test]
    fn the_widest_coordinates_do_not_overflow() {
        let far = (1 << 39) - 1;
        let p = [point(-far, -far), point(far, far - 1)];
        let q = [point(-far, far), point(far, -far)];
        assert_eq!(proper_crossing(p, q).map(|c| c.floor), Some(point(0, -1)));
        assert!(meets_pixel(p, point(0, 0)) || meets_pixel(p, point(0, -1)));
    }

    /// Whether the line meets the square, by clipping in exact fractions with the common denominator `dx * dy`.
    fn meets_by_clipping([a, b]: [GridPoint; 2], c: GridPoint) -> bool {
        // In doubled coordinates about the centre; the line's points are (A + t * D), t in [0, 1].
        let (ax, ay) = (2 * (a.x - c.x), 2 * (a.y - c.y));
        let (dx, dy) = (2 * (b.x - a.x), 2 * (b.y - a.y));
        // Every t where a side is met, as a fraction, and the middles between them: if any point is inside, one of
        // these is, for inside is an interval of t whose ends are among them.
        let mut times = std::vec![(0i64, 1i64), (1, 1)];
        for (start, d) in [(ax, dx), (ay, dy)] {
            for side in [-1, 1] {
                if d != 0 {
                    times.push(if d > 0 { (side - start, d) } else { (start - side, -d) });
                }
            }
        }
        times.retain(|&(n, d)| n >= 0 && n <= d);
        let mut all = times.clone();
        for &(n, d) in &times {
            for &(m, e) in &times {
                all.push((n * e + m * d, 2 * d * e));
            }
        }
        all.iter().any(|&(n, d)| {
            let (x, y) = (ax * d + dx * n, ay * d + dy * n);
            -d <= x && x < d && -d <= y && y < d
        })
    }

    #[test]
    fn the_pixels_a_line_meets_are_those_that_clipping_finds() {
        let mut met = 0;
        for ax in -3..=3i64 {
            for ay in -3..=3i64 {
                for bx in -4..=4i64 {
                    for by in -4..=4i64 {
                        if (ax, ay) == (bx, by) {
                            continue;
                        }
                        for (cx, cy) in [(0, 0), (1, 0), (0, 1), (-1, 2)] {
                            let line = [point(ax, ay), point(bx, by)];
                            let expected = meets_by_clipping(line, point(cx, cy));
                            assert_eq!(meets_pixel(line, point(cx, cy)), expected, "{line:?} {cx} {cy}");
                            met += usize::from(expected);
                        }
                    }
                }
            }
        }
        assert!(met > 1000);
    }

    #[test]
    fn short_and_long_edges_are_decided_alike() {
        let mut random = SplitMix64::new(5);
        let mut crossings = 0;
        for _ in 0..20_000 {
            let mut small = || point((random.next_u64() % 64) as i64, (random.next_u64() % 64) as i64);
            let (p, q) = ([small(), small()], [small(), small()]);
            let widen = |l: [GridPoint; 2]| l.map(|p| point(p.x << 33, p.y << 33));
            let (near, far) = (proper_crossing(p, q), proper_crossing(widen(p), widen(q)));
            assert_eq!(near.is_some(), far.is_some());
            if let (Some(near), Some(far)) = (near, far) {
                crossings += 1;
                assert_eq!((near.floor.x, near.floor.y), (far.floor.x >> 33, far.floor.y >> 33));
            }
        }
        assert!(crossings > 1000);
    }
}
