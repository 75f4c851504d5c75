//! Sums of two doubles without loss, for the series here and the expansions of `geometry`.

/// The rounded sum of two doubles and what rounding took off it (Knuth's two-sum; no order of magnitude needed).
#[inline]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}
