//! Exact arithmetic on doubles: sums and products kept as unevaluated sums of doubles, without a heap.
//!
//! After J. R. Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates*, Discrete
//! & Computational Geometry 18 (1997), sections 2.3 to 2.5; the product is T. J. Dekker's (1971), which needs no fused
//! multiply-add. All of it holds while nothing overflows and no product needs a bit below 2^-1074.

use crate::math::two_sum;

/// Dekker's splitter for 53 bits: 2^27 + 1.
const SPLITTER: f64 = 134_217_729.0;

/// What rounding took off the difference `a - b`: zero when the difference is exact.
#[inline]
pub(super) fn difference_tail(a: f64, b: f64) -> f64 {
    two_sum(a, -b).1
}

/// A double as the sum of two halves of at most 26 bits each.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// The rounded product of two doubles and what rounding took off it.
#[inline]
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let missing = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
    (product, a_low * b_low - missing)
}

/// An exact sum of at most `N` doubles: non-overlapping parts in rising magnitude, none of them zero.
pub(super) struct Expansion<const N: usize> {
    parts: [f64; N],
    len: usize,
}

impl<const N: usize> Expansion<N> {
    pub(super) fn new() -> Self {
        Expansion { parts: [0.0; N], len: 0 }
    }

    /// Adds a double exactly (the paper's Grow-Expansion, with zero parts dropped as they arise).
    ///
    /// Each call adds one part at most, so `N` calls always have room.
    pub(super) fn add(&mut self, term: f64) {
        let mut carry = term;
        let mut kept = 0;
        for i in 0..self.len {
            let (sum, tail) = two_sum(carry, self.parts[i]);
            if tail != 0.0 {
                self.parts[kept] = tail;
                kept += 1;
            }
            carry = sum;
        }
        if carry != 0.0 {
            self.parts[kept] = carry;
            kept += 1;
        }
        self.len = kept;
    }

    /// Adds the product of two doubles exactly: two calls of [`add`](Self::add).
    pub(super) fn add_product(&mut self, a: f64, b: f64) {
        let (product, tail) = two_product(a, b);
        self.add(tail);
        self.add(product);
    }

    /// Adds `factor * (x*x + y*y)` exactly: eight calls of [`add`](Self::add) for each part of the factor.
    pub(super) fn add_lifted<const M: usize>(&mut self, factor: &Expansion<M>, point: [f64; 2]) {
        for &part in &factor.parts[..factor.len] {
            for coordinate in point {
                let (high, low) = two_product(part, coordinate);
                self.add_product(low, coordinate);
                self.add_product(high, coordinate);
            }
        }
    }

    /// The value with the sign of the whole: its largest part, or zero.
    pub(super) fn leading(&self) -> f64 {
        if self.len == 0 { 0.0 } else { self.parts[self.len - 1] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sum_and_product_lose_nothing(a in -(1i64 << 53)..(1i64 << 53), b in -(1i64 << 53)..(1i64 << 53), shift in 0..60i32) {
            let (x, y) = (a as f64, b as f64);
            let (product, tail) = two_product(x, y);
            prop_assert_eq!(product as i128 + tail as i128, i128::from(a) * i128::from(b));
            let wide = y * (1u64 << shift) as f64;
            let (sum, tail) = two_sum(x, wide);
            prop_assert_eq!(sum as i128 + tail as i128, i128::from(a) + (i128::from(b) << shift));
        }

        #[test]
        fn an_expansion_is_the_exact_sum(terms in prop::collection::vec((-(1i64 << 53)..(1i64 << 53), 0..60i32), 0..24)) {
            let mut sum = Expansion::<24>::new();
            let mut exact = 0i128;
            for (term, shift) in terms {
                sum.add(term as f64 * (1u64 << shift) as f64);
                exact += i128::from(term) << shift;
            }
            let parts = &sum.parts[..sum.len];
            prop_assert_eq!(parts.iter().map(|&part| part as i128).sum::<i128>(), exact);
            prop_assert!(parts.iter().all(|&part| part != 0.0));
            prop_assert_eq!(sum.leading().partial_cmp(&0.0).unwrap(), exact.cmp(&0));
        }
    }

    #[test]
    fn terms_that_cancel_leave_nothing() {
        let mut sum = Expansion::<4>::new();
        for term in [1e20, 1.0, -1e20, -1.0] {
            sum.add(term);
        }
        assert_eq!((sum.len, sum.leading()), (0, 0.0));
    }
}
