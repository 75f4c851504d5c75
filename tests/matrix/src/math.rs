//! Numbers: roots, series, roundings, conversions and the exact predicates.

use navarena::error::{Result, Subject};
use navarena::geometry::predicates::{in_circle, orient2d};
use navarena::math::{SplitMix64, ceil, floor, from_fixed, round_half_even, sin_cos, sqrt, sqrt32, to_fixed};

use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "math/fixed", run: fixed },
    Scenario { name: "math/predicates", run: predicates },
    Scenario { name: "math/random", run: random },
    Scenario { name: "math/rounding", run: rounding },
    Scenario { name: "math/sine-cosine", run: sine_cosine },
    Scenario { name: "math/square-root", run: square_root },
];

const COUNT: u32 = 2000;

/// A float of any sign, exponent and fraction, infinities and no numbers left out.
fn any(random: &mut SplitMix64) -> f64 {
    let value = f64::from_bits(random.next_u64());
    if value.is_finite() { value } else { 0.0 }
}

/// Any bits, and the neighbours of every power of two. What is no number is a fact, not bits: its payload is a machine's
/// own affair, and never reaches stored state.
fn square_root(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(1);
    let mut both = |value: f64| {
        let (root, root32) = (sqrt(value), sqrt32(value as f32));
        record.number(if root.is_nan() { -1.0 } else { root });
        record.single(if root32.is_nan() { -1.0 } else { root32 });
    };
    (0..COUNT).for_each(|_| both(f64::from_bits(random.next_u64())));
    for exponent in 0..2047_u64 {
        let power = exponent << 52;
        [power, power.wrapping_sub(1) & !(1 << 63), power + 1].into_iter().for_each(|bits| both(f64::from_bits(bits)));
    }
    Ok(())
}

fn sine_cosine(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(2);
    for _ in 0..COUNT {
        let (sine, cosine) = sin_cos((random.next_f64() - 0.5) * 64.0);
        record.numbers(&[sine, cosine]);
    }
    Ok(())
}

fn rounding(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(3);
    for _ in 0..COUNT {
        let near = (random.next_f64() - 0.5) * 64.0;
        for value in [any(&mut random), near, floor(near) + 0.5] {
            record.numbers(&[round_half_even(value), floor(value), ceil(value)]);
            record.single(floor(value as f32));
        }
    }
    Ok(())
}

fn fixed(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(4);
    for _ in 0..COUNT {
        let raw = random.next_u64() as i64 >> random.below(64);
        match from_fixed(raw, Subject::Position).and_then(|value| Ok((value, to_fixed(value, Subject::Position)?))) {
            Ok((value, back)) => {
                record.number(value);
                record.count(back as u64);
            }
            Err(error) => record.count(error.kind() as u64),
        }
    }
    Ok(())
}

fn random(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(5);
    for bound in 1..=u64::from(COUNT) {
        record.count(random.next_u64());
        record.number(random.next_f64());
        record.count(random.below(bound));
    }
    Ok(())
}

/// Points of a coarse grid moved by less than a rounding: many of the signs are those of exact arithmetic.
fn predicates(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(6);
    for _ in 0..COUNT {
        let mut coordinate = || {
            let coarse = random.below(8) as f64 * 0.1;
            if random.below(2) == 0 { coarse } else { coarse.next_up() }
        };
        let [a, b, c, d] = [(); 4].map(|()| [coordinate(), coordinate()]);
        record.count(orient2d(a, b, c).sign() as u32);
        record.count(in_circle(a, b, c, d) as i8 as u8);
    }
    Ok(())
}
