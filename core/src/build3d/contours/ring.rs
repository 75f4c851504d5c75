//! Exact measures of closed rings of cell corners: areas, turns, cones, crossings. Corners lie below 2^17, so products of
//! differences stay far below 2^63.

use super::ContourVertex;

/// A cell corner.
pub(crate) type Corner = [i64; 2];

impl ContourVertex {
    /// Where it lies on the ground.
    #[inline]
    pub(crate) fn corner(&self) -> Corner {
        [i64::from(self.x), i64::from(self.z)]
    }
}

/// Twice the signed area of the triangle `a`, `b`, `c`: positive when it turns left.
#[inline]
pub(crate) fn cross(a: Corner, b: Corner, c: Corner) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The squared distance of two corners.
#[inline]
pub(crate) fn distance2(a: Corner, b: Corner) -> i64 {
    let (x, z) = (b[0] - a[0], b[1] - a[1]);
    x * x + z * z
}

/// Twice the signed area of a ring: positive when it runs counter-clockwise.
pub(super) fn twice_area(ring: &[ContourVertex]) -> i64 {
    let Some(last) = ring.last() else { return 0 };
    let mut previous = last.corner();
    let mut sum = 0;
    for vertex in ring {
        let corner = vertex.corner();
        sum += previous[0] * corner[1] - previous[1] * corner[0];
        previous = corner;
    }
    sum
}

/// Whether `to` is seen from the corner `at` through the inside of a ring that runs `before`, `at`, `after` there: the
/// cone test of O'Rourke, *Computational Geometry in C*, section 1.6. The ring's own edges are not inside.
#[inline]
pub(crate) fn in_cone(before: Corner, at: Corner, after: Corner, to: Corner) -> bool {
    if cross(at, after, before) >= 0 {
        cross(at, to, before) > 0 && cross(to, at, after) > 0
    } else {
        !(cross(at, to, after) >= 0 && cross(to, at, before) >= 0)
    }
}

/// Whether the closed segments `a b` and `c d` have a point in common.
#[inline]
pub(crate) fn touch(a: Corner, b: Corner, c: Corner, d: Corner) -> bool {
    if boxes_apart(a, b, c, d) {
        return false;
    }
    let (c_side, d_side) = (cross(a, b, c).signum(), cross(a, b, d).signum());
    let (a_side, b_side) = (cross(c, d, a).signum(), cross(c, d, b).signum());
    // Segments on one line touch, since their boxes do.
    c_side * d_side <= 0 && a_side * b_side <= 0
}

/// Whether the segments `a b` and `c d` cross at a point that is inside of both.
#[inline]
pub(super) fn cross_properly(a: Corner, b: Corner, c: Corner, d: Corner) -> bool {
    if boxes_apart(a, b, c, d) {
        return false;
    }
    cross(a, b, c).signum() * cross(a, b, d).signum() < 0 && cross(c, d, a).signum() * cross(c, d, b).signum() < 0
}

#[inline]
fn boxes_apart(a: Corner, b: Corner, c: Corner, d: Corner) -> bool {
    a[0].max(b[0]) < c[0].min(d[0])
        || c[0].max(d[0]) < a[0].min(b[0])
        || a[1].max(b[1]) < c[1].min(d[1])
        || c[1].max(d[1]) < a[1].min(b[1])
}

/// Whether a ring goes around a corner or through it. A ring that goes around twice, as a spiral ramp seen from above,
/// contains what it goes around.
pub(super) fn contains(ring: &[ContourVertex], point: Corner) -> bool {
    let Some(last) = ring.last() else { return false };
    let mut from = last.corner();
    let mut turns = 0;
    for vertex in ring {
        let to = vertex.corner();
        let side = cross(from, to, point);
        if side == 0 && !boxes_apart(from, to, point, point) {
            return true;
        }
        if from[1] <= point[1] {
            turns += i32::from(to[1] > point[1] && side > 0);
        } else {
            turns -= i32::from(to[1] <= point[1] && side < 0);
        }
        from = to;
    }
    turns != 0
}

/// The index of the leftmost vertex: the smallest `x`, then `z`, then index.
pub(super) fn leftmost(ring: &[ContourVertex]) -> usize {
    let mut best = 0;
    for (index, vertex) in ring.iter().enumerate() {
        if vertex.corner() < ring[best].corner() {
            best = index;
        }
    }
    best
}

/// Whether two edges of a ring cross properly. `order` is scratch of at least the ring's length.
///
/// Edges are swept by their left ends, so only those that overlap in `x` are compared.
pub(super) fn crosses_itself(ring: &[ContourVertex], order: &mut [u32]) -> bool {
    let count = ring.len();
    let order = &mut order[..count];
    let edge = |index: u32| {
        let next = if index as usize + 1 == count { 0 } else { index as usize + 1 };
        (ring[index as usize].corner(), ring[next].corner())
    };
    let left = |index: u32| {
        let (a, b) = edge(index);
        a[0].min(b[0])
    };
    for (index, slot) in order.iter_mut().enumerate() {
        *slot = index as u32;
    }
    order.sort_unstable_by_key(|&index| left(index));
    for (rank, &first) in order.iter().enumerate() {
        let (a, b) = edge(first);
        let right = a[0].max(b[0]);
        for &second in &order[rank + 1..] {
            let (c, d) = edge(second);
            if c[0].min(d[0]) >= right {
                break;
            }
            if cross_properly(a, b, c, d) {
                return true;
            }
        }
    }
    false
}
