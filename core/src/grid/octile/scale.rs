//! Costs of ways as one integer each, for a number of cells.
//!
//! `p / q` is a convergent of the continued fraction of the root of two. A way of `a` straight and `b` diagonal steps costs
//! `a * q + b * p` units, and these integers order ways exactly as their lengths do, as long as two ways differ by fewer
//! than `q` diagonal steps: between `p / q` and the root no fraction has a denominator below `q`, so that no difference
//! of two ways changes its sign, and none but that of equal ways is 0. Costs add up, and `a` and `b` can be read off again.

use super::Pair;
use crate::grid::STEPS;

/// Convergents of the root of two, as `q` and `p`: twice the last and the one before give the next. The first is the least
/// whose ties are told apart by [`Scale::tie`]; the last serves 2^28 cells.
const CONVERGENTS: [(u64, u64); 9] = {
    let (mut list, mut at) = ([(470_832, 665_857); 9], 1);
    while at < list.len() {
        let (q, p) = list[at - 1];
        list[at] = (q + p, 2 * q + p);
        at += 1;
    }
    list
};

/// How far, in last places of a double, [`Scale::tie`]'s double may lie from the page's. `p / q` is off by less than
/// `1 / (4 q^2)` of its size, which is 2^13.4 last places at the most.
const SLACK: u64 = 1 << 14;

/// Places of a double behind the last one of a float.
const BELOW_FLOAT: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;

/// The units in which ways on grids of up to some number of cells cost integers.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// A straight step.
    pub straight: u64,
    /// A diagonal step.
    pub diagonal: u64,
    /// Bits of the dearest way, and of any step from its end.
    pub bits: u32,
    unit: f64,
    level_factor: u64,
}

impl Scale {
    /// The units for grids of up to so many cells, at most 2^28.
    pub fn of_cells(cells: usize) -> Scale {
        let cells = cells as u64;
        // A way without circles has fewer steps than there are cells, and an estimate no more diagonal ones than the
        // shorter side has cells, whose square is no more than the cells.
        let is_enough = |&&(q, _): &&(u64, u64)| q > cells + cells / 4 + 1;
        let &(straight, diagonal) = CONVERGENTS.iter().find(is_enough).unwrap_or(&CONVERGENTS[CONVERGENTS.len() - 1]);
        let bits = u64::BITS - ((cells + 1) * diagonal).leading_zeros();
        let level_factor = (1 << 30) / straight;
        Scale { straight, diagonal, bits, unit: 1.0 / straight as f64, level_factor }
    }

    /// What a way costs.
    #[inline]
    pub fn cost(&self, pair: Pair) -> u64 {
        u64::from(pair.straight).wrapping_mul(self.straight) + u64::from(pair.diagonal).wrapping_mul(self.diagonal)
    }

    /// The way of a cost.
    pub fn pair(&self, cost: u64) -> Pair {
        let (q, p) = (self.straight, self.diagonal);
        // Convergents have p * p = 2 * q * q + 1 or - 1, so that p is its own inverse modulo q, or the inverse of -p.
        let inverse = if p * p % q == 1 { p % q } else { q - p % q };
        let diagonal = cost % q * inverse % q;
        Pair { straight: (cost.wrapping_sub(diagonal * p) / q) as u32, diagonal: diagonal as u32 }
    }

    /// The bits of the cost as a float, by which ties are broken: those of [`Pair::tie`].
    #[inline]
    pub fn tie(&self, cost: u64) -> u32 {
        let near = cost as i64 as f64 * self.unit;
        // Where a double that near could be rounded to another float, the steps are counted.
        let past_middle = (near.to_bits() + SLACK) & ((1 << BELOW_FLOAT) - 1);
        if past_middle.wrapping_sub(1 << (BELOW_FLOAT - 1)) <= 2 * SLACK {
            return self.exact_tie(cost);
        }
        (near as f32).to_bits()
    }

    #[cold]
    fn exact_tie(&self, cost: u64) -> u32 {
        self.pair(cost).tie().to_bits()
    }

    /// A cost without what is above 4 steps (7.9 on the largest grids, and never fewer), times what makes the most of 32 bits:
    /// it tells costs apart that differ by less.
    #[inline]
    pub fn level(&self, cost: u64) -> u32 {
        cost.wrapping_mul(self.level_factor) as u32
    }

    /// How far each of [`SLOPES`] raises the level.
    pub fn rises(&self) -> [u32; 8] {
        SLOPES.map(|(straight, diagonal)| {
            let part = |steps: i64, each: u64| steps.cast_unsigned().wrapping_mul(each);
            self.level(part(straight, self.straight).wrapping_add(part(diagonal, self.diagonal)))
        })
    }
}

/// By how many straight and diagonal steps one step can raise a way with its estimate; the last is not used.
const SLOPES: [(i64, i64); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, -1), (-2, 2), (0, 0)];

/// For each of [`STEPS`], which of [`SLOPES`] it takes.
pub type Slopes = [u8; 8];

/// The slopes where nothing is estimated.
pub static PLAIN: Slopes = [3, 3, 3, 3, 1, 1, 1, 1];

/// The slopes by where a node lies from the goal: see [`slopes`].
static BY_PLACE: [Slopes; 64] = {
    let mut table = [[0; 8]; 64];
    let mut at = 0;
    while at < 45 {
        let (further, right, below) = (at / 9 - 2, at / 3 % 3 - 1, at % 3 - 1);
        // Some cell of that place; a place that no cell has is never asked for.
        let (x, y) = match (right, below) {
            (0, _) => (0, -below * further),
            (_, 0) => (right * further, 0),
            _ => (right * (5 + further), below * 5),
        };
        table[at as usize] = slopes_at(x, y);
        at += 1;
    }
    table
};

const fn slopes_at(x: i32, y: i32) -> Slopes {
    let (mut slopes, mut step) = ([0; 8], 0);
    while step < 8 {
        let (before, after) = (octile(x, y), octile(x + STEPS[step].0, y + STEPS[step].1));
        let diagonal = (step >> 2) as i64;
        let rise = (after.0 - before.0 + 1 - diagonal, after.1 - before.1 + diagonal);
        let mut slope = 0;
        while SLOPES[slope].0 != rise.0 || SLOPES[slope].1 != rise.1 {
            slope += 1;
        }
        slopes[step] = slope as u8;
        step += 1;
    }
    slopes
}

/// The straight and diagonal steps of the octile distance.
const fn octile(x: i32, y: i32) -> (i64, i64) {
    let (columns, rows) = (x.unsigned_abs() as i64, y.unsigned_abs() as i64);
    if columns < rows { (rows - columns, columns) } else { (columns - rows, rows) }
}

/// The slopes of steps from a node by its columns and rows past the goal: all that matters is on which side it lies, and
/// which of the two is the greater by how much, up to 2.
#[inline]
pub fn slopes(x: i32, y: i32) -> &'static Slopes {
    let further = (x.unsigned_abs().wrapping_sub(y.unsigned_abs()) as i32).clamp(-2, 2) + 2;
    let place = 9 * further + 3 * x.signum() + y.signum() + 4;
    &BY_PLACE[place as usize & 63]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZES: [usize; 8] = [1, 100, 4096, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 28];

    #[test]
    fn convergents_are_inverse_to_themselves_but_for_the_sign() {
        for (q, p) in CONVERGENTS {
            assert_eq!((p * p).abs_diff(2 * q * q), 1);
        }
        assert!(CONVERGENTS[8].0 > (1 << 28) + (1 << 26) + 1);
    }

    #[test]
    fn costs_and_marks_fit_a_word_on_the_largest_grid() {
        let scale = Scale::of_cells(1 << 28);
        assert_eq!((scale.bits, scale.straight), (58, 543_339_720));
        // What is left of 64 bits after the step of arrival and the mark of open nodes tells searches apart.
        assert_eq!([18, 22, 24, 28].map(|sides| 60 - Scale::of_cells(1 << sides).bits), [22, 14, 10, 2]);
    }

    #[test]
    fn slopes_are_what_a_step_adds_to_the_way_and_the_estimate() {
        let scale = Scale::of_cells(1 << 18);
        for (x, y) in (-9..10).flat_map(|x| (-9..10).map(move |y| (x, y))) {
            let total = |pair: Pair, x: i32, y: i32| pair.plus_octile(x.unsigned_abs(), y.unsigned_abs());
            let before = scale.level(scale.cost(total(Pair { straight: 3, diagonal: 4 }, x, y)));
            for (step, (dx, dy)) in STEPS.into_iter().enumerate() {
                let way = Pair { straight: 3, diagonal: 4 }.after(step);
                let after = scale.level(scale.cost(total(way, x + dx, y + dy)));
                assert_eq!(scale.rises()[slopes(x, y)[step] as usize], after.wrapping_sub(before));
                let plain = scale.rises()[PLAIN[step] as usize];
                assert_eq!(plain, scale.level(scale.cost(Pair::default().after(step))));
            }
        }
    }

    /// Where the steps are counted, and right beside it, the ties are those of the steps too. Ways that close to the middle of
    /// two floats are not met by chance.
    #[test]
    fn ties_next_to_the_middle_of_two_floats_are_those_of_the_steps() {
        let scale = Scale::of_cells(1 << 18);
        let (mut within, mut beside) = (0, 0);
        for diagonal in 1..150_000u32 {
            for straight in (0..100).step_by(crate::grid::tests::rounds(33, 1)) {
                let pair = Pair { straight, diagonal };
                let low = pair.cost().to_bits() & ((1 << BELOW_FLOAT) - 1);
                let apart = low.abs_diff(1 << (BELOW_FLOAT - 1));
                if apart < 4 * SLACK {
                    *if apart < SLACK { &mut within } else { &mut beside } += 1;
                    assert_eq!(scale.tie(scale.cost(pair)), pair.tie().to_bits(), "{pair:?}");
                }
            }
        }
        assert!(within > 10 && beside > 30, "{within} {beside}");
    }

    proptest! {
        #[test]
        fn costs_order_ways_and_give_their_steps(
            size in 0..SIZES.len(), shares in prop::array::uniform4(0.0f64..1.0), da in -300i32..300, db in -300i32..300, far in any::<bool>(),
        ) {
            let cells = SIZES[size];
            let scale = Scale::of_cells(cells);
            let part = |share: f64, of: usize| (share * of as f64) as u32;
            // What a way of fewer steps than cells and an estimate can come to.
            let pair = |one: f64, other: f64| {
                let straight = part(one, cells);
                Pair { straight, diagonal: part(other, cells - straight as usize + cells / 4) }
            };
            let (one, other) = (pair(shares[0], shares[1]), pair(shares[2], shares[3]));
            let near = Pair {
                straight: one.straight.saturating_add_signed(da),
                diagonal: one.diagonal.saturating_add_signed(db).min(cells as u32 + cells as u32 / 4),
            };
            let other = if far { other } else { near };
            let costs = [one, other].map(|pair| scale.cost(pair));
            prop_assert_eq!(costs[0].cmp(&costs[1]), one.compare(other));
            prop_assert_eq!(costs.map(|cost| scale.pair(cost)), [one, other]);
            prop_assert_eq!(costs.map(|cost| scale.tie(cost)), [one, other].map(|pair| pair.tie().to_bits()));
            if (one.cost() - other.cost()).abs() < 1.99 {
                let levels = costs.map(|cost| scale.level(cost));
                prop_assert_eq!((levels[0].wrapping_sub(levels[1]) as i32).cmp(&0), one.compare(other));
            }
        }
    }
}
