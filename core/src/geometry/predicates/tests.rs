//! The predicates against integers of any size: a double is an integer times a power of two.

use super::*;
use core::cmp::Ordering;
use proptest::prelude::*;
use std::vec;
use std::vec::Vec;

/// A signed integer of any size: sign and magnitude, lowest word first. Slow and plain, for the oracle alone.
#[derive(Clone)]
struct Big {
    negative: bool,
    words: Vec<u32>,
}

impl Big {
    /// `value * 2^scale`, which must be an integer.
    fn of(value: f64, scale: i32) -> Big {
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7FF) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let shift = exponent + scale;
        let (mantissa, shift) = if shift < 0 && mantissa != 0 {
            assert!(mantissa.trailing_zeros() as i32 >= -shift, "{value} is finer than the scale");
            (mantissa >> -shift, 0)
        } else {
            (mantissa, shift.max(0) as usize)
        };
        let mut words = vec![0u32; shift / 32 + 4];
        let wide = u128::from(mantissa) << (shift % 32);
        for i in 0..4 {
            words[shift / 32 + i] = (wide >> (32 * i)) as u32;
        }
        Big { negative: value < 0.0, words }
    }

    fn int(value: i64) -> Big {
        let magnitude = value.unsigned_abs();
        Big { negative: value < 0, words: vec![magnitude as u32, (magnitude >> 32) as u32] }
    }

    fn magnitude_order(&self, other: &Big) -> Ordering {
        let longest = self.words.len().max(other.words.len());
        let word = |big: &Big, i: usize| big.words.get(i).copied().unwrap_or(0);
        (0..longest).rev().map(|i| word(self, i).cmp(&word(other, i))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn sum(&self, other: &Big) -> Big {
        if self.negative != other.negative && self.magnitude_order(other).is_lt() {
            return other.sum(self);
        }
        let sign = if self.negative == other.negative { 1 } else { -1 };
        let mut words = vec![];
        let mut carry = 0i64;
        for i in 0..=self.words.len().max(other.words.len()) {
            let word = |big: &Big| i64::from(big.words.get(i).copied().unwrap_or(0));
            let total = word(self) + sign * word(other) + carry;
            words.push(total as u32);
            carry = total >> 32;
        }
        assert_eq!(carry, 0);
        Big { negative: self.negative, words }
    }

    fn minus(&self, other: &Big) -> Big {
        self.sum(&Big { negative: !other.negative, words: other.words.clone() })
    }

    fn times(&self, other: &Big) -> Big {
        let mut words = vec![0u32; self.words.len() + other.words.len()];
        for (i, &a) in self.words.iter().enumerate() {
            let mut carry = 0u64;
            for (j, &b) in other.words.iter().enumerate() {
                let total = u64::from(a) * u64::from(b) + u64::from(words[i + j]) + carry;
                words[i + j] = total as u32;
                carry = total >> 32;
            }
            words[i + other.words.len()] = carry as u32;
        }
        Big { negative: self.negative != other.negative, words }
    }

    fn sign(&self) -> i32 {
        match (self.words.iter().all(|&word| word == 0), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

type BigPoint = [Big; 2];

fn cross(a: &BigPoint, b: &BigPoint) -> Big {
    a[0].times(&b[1]).minus(&a[1].times(&b[0]))
}

fn between(from: &BigPoint, to: &BigPoint) -> BigPoint {
    [to[0].minus(&from[0]), to[1].minus(&from[1])]
}

fn oracle_orient(points: [BigPoint; 3]) -> i32 {
    cross(&between(&points[0], &points[1]), &between(&points[0], &points[2])).sign()
}

fn oracle_in_circle(points: [BigPoint; 4]) -> i32 {
    let [a, b, c] = [0, 1, 2].map(|i| between(&points[3], &points[i]));
    let lift = |p: &BigPoint| p[0].times(&p[0]).sum(&p[1].times(&p[1]));
    let rows = [(&a, &b, &c), (&b, &c, &a), (&c, &a, &b)];
    rows.into_iter().map(|(p, q, r)| lift(p).times(&cross(q, r))).reduce(|x, y| x.sum(&y)).unwrap().sign()
}

fn big(points: &[[f64; 2]], scale: i32) -> Vec<BigPoint> {
    points.iter().map(|p| p.map(|v| Big::of(v, scale))).collect()
}

fn check_orient(a: [f64; 2], b: [f64; 2], c: [f64; 2], scale: i32) {
    let want = oracle_orient(big(&[a, b, c], scale).try_into().ok().unwrap());
    for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
        assert_eq!(orient2d(p, q, r).sign(), want, "{p:?} {q:?} {r:?}");
        assert_eq!(orient2d(q, p, r).sign(), -want, "{q:?} {p:?} {r:?}");
    }
    // The routes behind the filter hold for every input, not only for those that reach them.
    assert_eq!(orient2d_near_zero(a, b, c).sign(), want, "{a:?} {b:?} {c:?}");
    assert_eq!(Turn::of(twice_area(a, b, c).leading()).sign(), want, "{a:?} {b:?} {c:?}");
}

fn check_in_circle(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2], scale: i32) {
    let want = oracle_in_circle(big(&[a, b, c, d], scale).try_into().ok().unwrap());
    for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
        assert_eq!(in_circle(p, q, r, d) as i32, want, "{p:?} {q:?} {r:?} {d:?}");
        assert_eq!(in_circle(q, p, r, d) as i32, -want, "{q:?} {p:?} {r:?} {d:?}");
    }
    assert_eq!(in_circle_near_zero([a, b, c], d) as i32, want, "{a:?} {b:?} {c:?} {d:?}");
    assert_eq!(Turn::of(in_circle_of_coordinates([a, b, c, d])).sign(), want, "{a:?} {b:?} {c:?} {d:?}");
}

/// Doubles of mixed magnitude, 2^-60 to 2^21, so that differences round and the longest route runs.
fn mixed() -> impl Strategy<Value = f64> {
    (-(1i64 << 53)..(1i64 << 53), -60..=-32i32).prop_map(|(m, e)| m as f64 * power_of_two(e))
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

fn point() -> impl Strategy<Value = [f64; 2]> {
    (mixed(), mixed()).prop_map(|(x, y)| [x, y])
}

/// A double a few units in the last place from another; zero has no last place and stays.
fn nudge(value: f64, units: i64) -> f64 {
    if value == 0.0 { value } else { f64::from_bits((value.to_bits() as i64 + units) as u64) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn orientation_of_any_three_points_is_exact(a in point(), b in point(), c in point()) {
        check_orient(a, b, c, 120);
    }

    #[test]
    fn orientation_of_a_sliver_is_exact(a in point(), b in point(), t in 0..=16i32, nx in -2..=2i64, ny in -2..=2i64) {
        let along = |i: usize| a[i] + (b[i] - a[i]) * (f64::from(t) / 16.0);
        check_orient(a, b, [nudge(along(0), nx), nudge(along(1), ny)], 240);
    }

    #[test]
    fn orientation_of_widened_floats_is_exact(bits in prop::array::uniform6(0.0..2_097_152f32), t in 0..=4i32) {
        let [ax, ay, bx, by, cx, cy] = bits.map(f64::from);
        check_orient([ax, ay], [bx, by], [cx, cy], 160);
        let middle = |a: f64, b: f64| f64::from((a + (b - a) * (f64::from(t) / 4.0)) as f32);
        check_orient([ax, ay], [bx, by], [middle(ax, bx), middle(ay, by)], 160);
    }

    #[test]
    fn collinear_lattice_points_are_straight(x in -99999..99999i32, y in -99999..99999i32, i in -20..20i32, j in -20..20i32) {
        let [x, y, i, j] = [x, y, i, j].map(f64::from);
        let (a, b, c) = ([x * 0.25, y * 0.25], [x * i * 0.25, y * i * 0.25], [x * j * 0.25, y * j * 0.25]);
        prop_assert_eq!(orient2d(a, b, c), Turn::Straight);
    }

    #[test]
    fn integer_orientation_is_exact(v in prop::array::uniform6(any::<i64>()), small in prop::array::uniform6(-3..=3i64)) {
        for v in [v, small, [v[0], v[1], v[0] + small[0] % 2, v[1], v[2], v[3]].map(|x| x / 2)] {
            let want = oracle_orient([0, 2, 4].map(|i| [Big::int(v[i]), Big::int(v[i + 1])]));
            prop_assert_eq!(orient2d_i64([v[0], v[1]], [v[2], v[3]], [v[4], v[5]]).sign(), want);
        }
    }

    #[test]
    fn in_circle_of_any_four_points_is_exact(p in prop::array::uniform4(point())) {
        check_in_circle(p[0], p[1], p[2], p[3], 120);
    }

    #[test]
    fn in_circle_of_grid_points_is_exact(p in prop::array::uniform4(prop::array::uniform2(-(1i64 << 39)..(1i64 << 39)))) {
        let [a, b, c, d] = p.map(|p| p.map(|v| v as f64));
        check_in_circle(a, b, c, d, 0);
    }

    /// Lattice points of one circle about a far center, one of them nudged by units in its last place.
    #[test]
    fn in_circle_of_cocircular_points_is_exact(pick in prop::array::uniform4(0..20usize), shift in -20..=30i32,
            cx in mixed(), cy in mixed(), nx in -1..=1i64, ny in -1..=1i64) {
        const ON_25: [[f64; 2]; 5] = [[25.0, 0.0], [24.0, 7.0], [20.0, 15.0], [15.0, 20.0], [7.0, 24.0]];
        let place = |i: usize| {
            let [mut x, mut y] = ON_25[i % 5];
            for _ in 0..i / 5 {
                (x, y) = (-y, x);
            }
            let scale = power_of_two(shift);
            [cx + x * scale, cy + y * scale]
        };
        let [a, b, c, d] = pick.map(place);
        check_in_circle(a, b, c, [nudge(d[0], nx), nudge(d[1], ny)], 240);
        let whole = pick.map(|i| { let p = place(i); [p[0] - cx, p[1] - cy] });
        check_in_circle(whole[0], whole[1], whole[2], whole[3], 240);
    }
}

#[test]
fn the_ends_of_the_documented_range_are_exact() {
    let (low, high) = (power_of_two(-485), power_of_two(500));
    check_orient([low, low], [3.0 * low, 3.0 * low], [high, high], 1074);
    check_orient([low, low], [3.0 * low, nudge(3.0 * low, 1)], [high, high], 1074);
    check_orient([low, 0.0], [0.0, low], [nudge(low, 1), 0.0], 1074);
    check_orient([-high, high], [high, -high], [low, -low], 1074);
    check_orient([-high, high], [high, -high], [low, nudge(-low, 1)], 1074);
    let (low, high) = (power_of_two(-216), power_of_two(240));
    check_in_circle([low, 0.0], [0.0, low], [-low, 0.0], [0.0, -low], 1074);
    check_in_circle([low, 0.0], [0.0, low], [-low, 0.0], [0.0, nudge(-low, 1)], 1074);
    check_in_circle([high, 0.0], [0.0, high], [-high, 0.0], [low, -high], 1074);
    check_in_circle([high, low], [low, high], [-high, low], [low, -high], 1074);
}

#[test]
fn what_is_no_number_gets_some_answer() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE] {
        for place in 0..8 {
            let mut v = [0.5, -1.0, 2.0, 3.0, -4.0, 1.5, 7.0, 0.25];
            v[place] = odd;
            orient2d([v[0], v[1]], [v[2], v[3]], [v[4], v[5]]);
            in_circle([v[0], v[1]], [v[2], v[3]], [v[4], v[5]], [v[6], v[7]]);
        }
    }
}
