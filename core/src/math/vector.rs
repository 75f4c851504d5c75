//! Points and directions are plain arrays; here is the little arithmetic that everyone needs, in one written order.

use super::sqrt;

/// A vector by its components.
///
/// `core::array::from_fn` and `map` would read the same, but without link-time optimization a build calls them.
#[inline(always)]
pub(crate) fn vector<const N: usize, T: Copy + Default>(mut component: impl FnMut(usize) -> T) -> [T; N] {
    let mut vector = [T::default(); N];
    let mut i = 0;
    while i < N {
        vector[i] = component(i);
        i += 1;
    }
    vector
}

/// `a + b`, per component.
#[inline]
pub fn add<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    vector(|i| a[i] + b[i])
}

/// `a - b`, per component.
#[inline]
pub fn sub<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    vector(|i| a[i] - b[i])
}

/// `a * factor`, per component.
#[inline]
pub fn scale<const N: usize>(a: [f64; N], factor: f64) -> [f64; N] {
    vector(|i| a[i] * factor)
}

/// `a + (b - a) * t`, per component.
#[inline]
pub fn lerp<const N: usize>(a: [f64; N], b: [f64; N], t: f64) -> [f64; N] {
    vector(|i| a[i] + (b[i] - a[i]) * t)
}

/// The scalar product, summed from the first component: `(x*x + y*y) + z*z`.
#[inline]
pub fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    const { assert!(N > 0, "a vector has components") };
    let mut sum = a[0] * b[0];
    for i in 1..N {
        sum += a[i] * b[i];
    }
    sum
}

/// The vector product: perpendicular to both, as long as their parallelogram is large.
#[inline]
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The length of a vector.
///
/// ```
/// assert_eq!(navarena::math::length([2.0, 3.0, 6.0]), 7.0);
/// ```
#[inline]
pub fn length<const N: usize>(a: [f64; N]) -> f64 {
    sqrt(dot(a, a))
}

/// The square of the distance between two points, of the differences `b - a`.
#[inline]
pub fn distance_squared<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    let difference = sub(b, a);
    dot(difference, difference)
}

/// The distance between two points, as `graphs.md` writes it: `sqrt((dx*dx + dy*dy) + dz*dz)`.
///
/// ```
/// assert_eq!(navarena::math::distance([1.0, 1.0], [4.0, 5.0]), 5.0);
/// ```
#[inline]
pub fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    sqrt(distance_squared(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_run_in_the_written_order() {
        // 1 is lost beside 1e16, so another order would give another sum.
        assert_eq!(dot([1e8, 1.0, 1.0], [1e8, 1.0, 1.0]).to_bits(), ((1e16f64 + 1.0) + 1.0).to_bits());
        assert_eq!(dot([1.0, 1.0, 1e8], [1.0, 1.0, 1e8]).to_bits(), (2.0 + 1e16f64).to_bits());
    }

    #[test]
    fn axes_make_a_right_handed_system() {
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!((cross(x, y), cross(y, z), cross(z, x)), (z, x, y));
        assert_eq!(add(x, sub(y, x)), y);
        assert_eq!(lerp(x, y, 0.5), scale(add(x, y), 0.5));
        assert_eq!(distance(x, y).to_bits(), sqrt(2.0).to_bits());
    }
}
