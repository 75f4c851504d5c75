//! Two judges of rasterization: the page's chain of cuts with no shortcut, bit for bit, and a clipper of single cells in
//! float64 that knows nothing of chains.

use crate::build3d::frame::Frame;
use std::collections::BTreeMap;
use std::vec::Vec;

type Point32 = (f32, f32, f32);

/// The rows that a triangle fills in each cell.
pub type Cells = BTreeMap<(i64, i64), (i64, i64)>;

fn component(p: Point32, axis: usize) -> f32 {
    [p.0, p.1, p.2][axis]
}

/// The part of a polygon on one side of a plane; `sign` is 1 for the part above.
fn half(polygon: &[Point32], axis: usize, plane: f32, sign: f32) -> Vec<Point32> {
    let mut kept = Vec::new();
    for (nth, &p) in polygon.iter().enumerate() {
        let q = polygon[(nth + 1) % polygon.len()];
        let (dp, dq) = (component(p, axis) - plane, component(q, axis) - plane);
        if dp * sign >= 0.0 {
            kept.push(p);
        }
        if (dp > 0.0 && dq < 0.0) || (dp < 0.0 && dq > 0.0) {
            let t = dp / (dp - dq);
            let cut = |a: f32, b: f32| a + (b - a) * t;
            let mut point = [cut(p.0, q.0), cut(p.1, q.1), cut(p.2, q.2)];
            point[axis] = plane;
            kept.push((point[0], point[1], point[2]));
        }
    }
    kept
}

fn range(polygon: &[Point32], axis: usize) -> (f32, f32) {
    let values = polygon.iter().map(|p| component(*p, axis));
    (values.clone().fold(f32::INFINITY, f32::min), values.fold(f32::NEG_INFINITY, f32::max))
}

/// Section 2 for one triangle, every plane of the grid cut one after the other. The third result is the upward normal.
pub fn literal(frame: &Frame, triangle: [[f64; 3]; 3]) -> Option<(Cells, bool)> {
    let local = triangle.map(|p| {
        let at = |axis: usize| (p[axis] - frame.origin[axis]) as f32;
        (at(0), at(1), at(2))
    });
    let [a, b, c] = local;
    let e = (b.0 - a.0, b.1 - a.1, b.2 - a.2);
    let f = (c.0 - a.0, c.1 - a.1, c.2 - a.2);
    let n = (e.1 * f.2 - e.2 * f.1, e.2 * f.0 - e.0 * f.2, e.0 * f.1 - e.1 * f.0);
    #[allow(clippy::disallowed_methods)] // the machine's root, to judge ours
    let length = (n.0 * n.0 + n.1 * n.1 + n.2 * n.2).sqrt();
    if length == 0.0 || length.is_infinite() {
        return None;
    }
    let (cs, ch) = (frame.cell_size, frame.cell_height);
    let whole: Vec<Point32> = local.iter().map(|p| (p.0 / cs, p.1 / ch, p.2 / cs)).collect();
    let fan = |polygon: &[Point32]| {
        let o = polygon[0];
        let mut sum = 0.0f32;
        for nth in 1..polygon.len() - 1 {
            let (p, q) = (polygon[nth], polygon[nth + 1]);
            sum += (p.0 - o.0) * (q.2 - o.2) - (p.2 - o.2) * (q.0 - o.0);
        }
        sum
    };
    let vertical = fan(&whole) == 0.0;
    let line = |axis: usize, facing: f32| {
        let (low, high) = range(&whole, axis);
        let on = vertical && low == high && low.fract() == 0.0;
        on.then(|| if facing > 0.0 { low as i64 - 1 } else { low as i64 })
    };
    let (wall_x, wall_z) = (line(0, n.0), line(2, n.2));
    let mut rest = whole;
    for (axis, limit) in [(0, frame.width), (2, frame.depth)] {
        rest = half(&rest, axis, 0.0, 1.0);
        rest = if rest.is_empty() { rest } else { half(&rest, axis, limit as f32, -1.0) };
        if rest.is_empty() {
            return Some((Cells::new(), n.1 > 0.0));
        }
    }
    let mut cells = Cells::new();
    let mut put = |x: i64, z: i64, piece: &[Point32]| {
        if piece.is_empty() {
            return;
        }
        let ((low_u, high_u), (low_w, high_w)) = (range(piece, 0), range(piece, 2));
        let touches =
            if vertical { high_u - low_u > 0.0 || high_w - low_w > 0.0 } else { piece.len() > 2 && fan(piece) != 0.0 };
        let (low, high) = range(piece, 1);
        let (mut lo, mut hi) = (f64::from(low).floor() as i64, f64::from(high).ceil() as i64);
        if lo == hi && n.1 > 0.0 {
            lo -= 1;
        } else if lo == hi {
            hi += 1;
        }
        let rows = i64::from(frame.rows);
        let inside = x >= 0 && z >= 0 && x < i64::from(frame.width) && z < i64::from(frame.depth);
        if touches && inside && hi > 0 && lo < rows {
            cells.insert((x, z), (lo.max(0), hi.min(rows)));
        }
    };
    let split = |polygon: &mut Vec<Point32>, axis: usize, plane: u32| {
        let low = if polygon.is_empty() { Vec::new() } else { half(polygon, axis, plane as f32, -1.0) };
        *polygon = if polygon.is_empty() { Vec::new() } else { half(polygon, axis, plane as f32, 1.0) };
        low
    };
    let mut in_row = |z: i64, mut row: Vec<Point32>| match wall_x {
        Some(x) => put(x, z, &row),
        None => {
            for x in 0..frame.width {
                let piece = split(&mut row, 0, x + 1);
                put(x.into(), z, &piece);
            }
        }
    };
    match wall_z {
        Some(z) => in_row(z, rest),
        None => {
            for z in 0..frame.depth {
                let row = split(&mut rest, 2, z + 1);
                in_row(z.into(), row);
            }
        }
    }
    Some((cells, n.1 > 0.0))
}

/// What a cell, grown on every side, sees of a triangle in float64: its area, and least and largest v; `None` where
/// nothing is left.
pub fn cell(corners: &[[f64; 3]; 3], [x, z]: [f64; 2], grown: f64) -> Option<(f64, f64, f64)> {
    let mut polygon = corners.to_vec();
    for (axis, plane, sign) in
        [(0, x - grown, 1.0), (0, x + 1.0 + grown, -1.0), (2, z - grown, 1.0), (2, z + 1.0 + grown, -1.0)]
    {
        let mut kept = Vec::new();
        for (nth, p) in polygon.iter().enumerate() {
            let q = polygon[(nth + 1) % polygon.len()];
            let (dp, dq) = ((p[axis] - plane) * sign, (q[axis] - plane) * sign);
            if dp >= 0.0 {
                kept.push(*p);
            }
            if dp * dq < 0.0 {
                let t = dp / (dp - dq);
                kept.push(core::array::from_fn(|lane| p[lane] + (q[lane] - p[lane]) * t));
            }
        }
        polygon = kept;
        if polygon.is_empty() {
            return None;
        }
    }
    let origin = polygon[0];
    let double = polygon.windows(2).map(|pair| {
        let ([px, _, pz], [qx, _, qz]) = (pair[0], pair[1]);
        (px - origin[0]) * (qz - origin[2]) - (pz - origin[2]) * (qx - origin[0])
    });
    let area = double.sum::<f64>().abs() / 2.0;
    let heights = polygon.iter().map(|p| p[1]);
    Some((area, heights.clone().fold(f64::INFINITY, f64::min), heights.fold(f64::NEG_INFINITY, f64::max)))
}
