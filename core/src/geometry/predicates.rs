//! Exact signs of the two determinants that triangulation, clipping and the funnel rest on.
//!
//! A floating-point filter answers nearly every call in a few operations; when the value is too near zero for it, the
//! determinant is summed exactly. Source: J. R. Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast
//! Robust Geometric Predicates* (1997): the error bounds of sections 4.1 and 4.3 and the expansions of section 2.
//!
//! # Range
//! - [`orient2d`] is exact when every coordinate is a multiple of 2^-537 of at most 2^500: zero, or any double of
//!   magnitude 2^-485 to 2^500.
//! - [`in_circle`] is exact when every coordinate is a multiple of 2^-268 of at most 2^240: zero, or any double of
//!   magnitude 2^-216 to 2^240.
//!
//! Every finite `f32` widened to `f64` is in both ranges (its bits end at 2^-149), and so is any world position below
//! 2^21 that is not closer to an axis than 2^-216. Within the range no product underflows, so a product of zero has a
//! zero factor. Outside it, and for NaN or infinities, some [`Turn`] is returned and nothing more is promised.

use super::expansion::{Expansion, difference_tail, two_product};

/// Half the distance from 1 to the next double: the rounding error of one operation, relative to its result.
const EPSILON: f64 = 1.0 / (1u64 << 53) as f64;
const ORIENT_BOUND: f64 = (3.0 + 16.0 * EPSILON) * EPSILON;
const IN_CIRCLE_BOUND: f64 = (10.0 + 96.0 * EPSILON) * EPSILON;

/// Which way a path of three points turns, seen with x to the right and the second coordinate up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Turn {
    /// Clockwise: the third point lies right of the line through the first two.
    Right = -1,
    /// No turn: the three points lie on a line, or two of them coincide.
    Straight = 0,
    /// Counter-clockwise: the third point lies left of the line.
    Left = 1,
}

impl Turn {
    /// The sign of the determinant: 1 for left, -1 for right, 0 for straight.
    #[inline]
    pub const fn sign(self) -> i32 {
        self as i32
    }

    /// Whether the turn is strictly to the left.
    #[inline]
    pub const fn is_left(self) -> bool {
        matches!(self, Turn::Left)
    }

    /// Whether the turn is strictly to the right.
    #[inline]
    pub const fn is_right(self) -> bool {
        matches!(self, Turn::Right)
    }

    /// The turn of the mirrored path, or of the path walked backwards.
    #[inline]
    pub const fn reversed(self) -> Turn {
        match self {
            Turn::Left => Turn::Right,
            Turn::Right => Turn::Left,
            Turn::Straight => Turn::Straight,
        }
    }

    #[inline]
    fn of(value: f64) -> Turn {
        if value > 0.0 {
            Turn::Left
        } else if value < 0.0 {
            Turn::Right
        } else {
            Turn::Straight
        }
    }
}

/// Where a point lies of the circle through three others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CircleSide {
    /// Strictly outside.
    Outside = -1,
    /// On the circle.
    On = 0,
    /// Strictly inside.
    Inside = 1,
}

/// Which way the path `a`, `b`, `c` turns, exactly.
///
/// Costs seven operations and two comparisons when the filter decides, about forty when the coordinates subtract
/// exactly, and a few hundred at worst.
///
/// ```
/// use navarena::geometry::predicates::{Turn, orient2d};
/// assert_eq!(orient2d([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]), Turn::Left);
/// // One unit in the last place off the diagonal is enough.
/// let above = f64::from_bits(0.5f64.to_bits() + 1);
/// assert_eq!(orient2d([12.0, 12.0], [24.0, 24.0], [0.5, 0.5]), Turn::Straight);
/// assert_eq!(orient2d([12.0, 12.0], [24.0, 24.0], [0.5, above]), Turn::Left);
/// ```
#[inline]
pub fn orient2d(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Turn {
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let determinant = left - right;
    let bound = ORIENT_BOUND * (left.abs() + right.abs());
    if determinant > bound {
        Turn::Left
    } else if -determinant > bound {
        Turn::Right
    } else if left == 0.0 && right == 0.0 {
        // No underflow in the range: each product has a factor that is zero, so the points are on a line.
        Turn::Straight
    } else {
        orient2d_near_zero(a, b, c)
    }
}

/// The sign of [`orient2d`] of `a`, `b` and `c` by their differences to `c`, for a caller who asks of many points about one.
#[inline(always)]
pub(crate) fn turn_about(c: [f64; 2], (a, to_a): ([f64; 2], [f64; 2]), (b, to_b): ([f64; 2], [f64; 2])) -> i32 {
    let (left, right) = (to_a[0] * to_b[1], to_a[1] * to_b[0]);
    let determinant = left - right;
    let bound = ORIENT_BOUND * (left.abs() + right.abs());
    let sign = i32::from(determinant > bound) - i32::from(-determinant > bound);
    // As there: where both products are zero the points are on a line.
    if sign != 0 || left == 0.0 && right == 0.0 { sign } else { orient2d_near_zero(a, b, c).sign() }
}

#[cold]
#[inline(never)]
fn orient2d_near_zero(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Turn {
    if subtracts_exactly(a, c) && subtracts_exactly(b, c) {
        // Rounding keeps order, so products that round apart are ordered; else what rounding took off decides.
        let (left, left_tail) = two_product(a[0] - c[0], b[1] - c[1]);
        let (right, right_tail) = two_product(a[1] - c[1], b[0] - c[0]);
        return Turn::of(if left == right { left_tail - right_tail } else { left - right });
    }
    Turn::of(twice_area(a, b, c).leading())
}

fn subtracts_exactly(a: [f64; 2], b: [f64; 2]) -> bool {
    difference_tail(a[0], b[0]) == 0.0 && difference_tail(a[1], b[1]) == 0.0
}

/// Twice the signed area of a triangle, exactly, from the products of its coordinates.
fn twice_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Expansion<12> {
    let mut area = Expansion::new();
    for (p, q) in [(a, b), (b, c), (c, a)] {
        area.add_product(p[0], q[1]);
        area.add_product(-p[1], q[0]);
    }
    area
}

/// Where `d` lies of the circle through `a`, `b`, `c`, exactly.
///
/// The three must turn left; if they turn right the answer is reversed. If they lie on a line, the circle is the half
/// plane left of them, as the determinant has it.
///
/// Costs about thirty operations when the filter decides; some thousands when it can't.
///
/// ```
/// use navarena::geometry::predicates::{CircleSide, in_circle};
/// let [a, b, c] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];
/// assert_eq!(in_circle(a, b, c, [0.0, -0.5]), CircleSide::Inside);
/// assert_eq!(in_circle(a, b, c, [0.0, -1.0]), CircleSide::On);
/// assert_eq!(in_circle(a, b, c, [0.0, -1.0 - f64::EPSILON]), CircleSide::Outside);
/// ```
pub fn in_circle(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> CircleSide {
    let [a_d, b_d, c_d] = [a, b, c].map(|p| [p[0] - d[0], p[1] - d[1]]);
    let mut determinant = 0.0;
    let mut magnitude = 0.0;
    for (p, q, r) in [(a_d, b_d, c_d), (b_d, c_d, a_d), (c_d, a_d, b_d)] {
        let lift = p[0] * p[0] + p[1] * p[1];
        let (forth, back) = (q[0] * r[1], q[1] * r[0]);
        determinant += lift * (forth - back);
        magnitude += lift * (forth.abs() + back.abs());
    }
    let bound = IN_CIRCLE_BOUND * magnitude;
    if determinant > bound {
        CircleSide::Inside
    } else if -determinant > bound {
        CircleSide::Outside
    } else {
        in_circle_near_zero([a, b, c], d)
    }
}

#[cold]
#[inline(never)]
fn in_circle_near_zero(corners: [[f64; 2]; 3], d: [f64; 2]) -> CircleSide {
    let value = if corners.iter().all(|&p| subtracts_exactly(p, d)) {
        in_circle_of_differences(corners.map(|p| [p[0] - d[0], p[1] - d[1]]))
    } else {
        in_circle_of_coordinates([corners[0], corners[1], corners[2], d])
    };
    match Turn::of(value) {
        Turn::Left => CircleSide::Inside,
        Turn::Right => CircleSide::Outside,
        Turn::Straight => CircleSide::On,
    }
}

/// The determinant from exact differences: three rows, each the lift of one point times the cross of the other two.
fn in_circle_of_differences(points: [[f64; 2]; 3]) -> f64 {
    let mut sum = Expansion::<96>::new();
    for i in 0..3 {
        let (q, r) = (points[(i + 1) % 3], points[(i + 2) % 3]);
        let mut cross = Expansion::<4>::new();
        cross.add_product(q[0], r[1]);
        cross.add_product(-q[1], r[0]);
        sum.add_lifted(&cross, points[i]);
    }
    sum.leading()
}

/// The determinant from the coordinates themselves: four rows, with alternating signs, which the triangle of the
/// other three takes up by its orientation.
fn in_circle_of_coordinates([a, b, c, d]: [[f64; 2]; 4]) -> f64 {
    let mut sum = Expansion::<384>::new();
    sum.add_lifted(&twice_area(b, c, d), a);
    sum.add_lifted(&twice_area(c, a, d), b);
    sum.add_lifted(&twice_area(a, b, d), c);
    sum.add_lifted(&twice_area(b, a, c), d);
    sum.leading()
}

/// Which way a path of three points with integer coordinates turns; exact for every `i64`.
///
/// ```
/// use navarena::geometry::predicates::{Turn, orient2d_i64};
/// assert_eq!(orient2d_i64([0, 0], [3, 1], [6, 2]), Turn::Straight);
/// assert_eq!(orient2d_i64([i64::MIN, 0], [i64::MAX, 1], [i64::MAX, 2]), Turn::Left);
/// ```
pub fn orient2d_i64(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> Turn {
    let ab = wide_difference(b, a);
    let ac = wide_difference(c, a);
    // A difference has 65 bits with its sign, so a product's magnitude fits 128 but its difference might not.
    match product_order(ab[0], ac[1], ab[1], ac[0]) {
        core::cmp::Ordering::Greater => Turn::Left,
        core::cmp::Ordering::Less => Turn::Right,
        core::cmp::Ordering::Equal => Turn::Straight,
    }
}

fn wide_difference(p: [i64; 2], q: [i64; 2]) -> [i128; 2] {
    [i128::from(p[0]) - i128::from(q[0]), i128::from(p[1]) - i128::from(q[1])]
}

/// How `a * b` compares with `c * d`, for factors below 2^64 in magnitude.
fn product_order(a: i128, b: i128, c: i128, d: i128) -> core::cmp::Ordering {
    let (left_sign, right_sign) = (a.signum() * b.signum(), c.signum() * d.signum());
    if left_sign != right_sign {
        return left_sign.cmp(&right_sign);
    }
    let (left, right) = (a.unsigned_abs() * b.unsigned_abs(), c.unsigned_abs() * d.unsigned_abs());
    if left_sign < 0 { right.cmp(&left) } else { left.cmp(&right) }
}

#[cfg(test)]
mod tests;
