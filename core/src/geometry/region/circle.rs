//! The polygons that stand for a circle: circumscribed for offsets, of the disc's own area for the shrink
//! (`build2d-geometry.md`, "Offsetting" and "Equal-area arcs").

use crate::math::sqrt;

/// The most corners of a circle.
const MAX_CORNERS: usize = 256;
/// Halvings of the search for the scale of equal area.
const BISECTIONS: usize = 60;

/// The regular polygon whose sides touch a circle; offsets from its centre in grid units, counter-clockwise, the first half
/// a step from the x axis.
#[derive(Clone, Copy)]
pub(super) struct Circumscribed {
    radius: f64,
    /// Cosine and sine of a step from corner to corner.
    step: [f64; 2],
    /// Cosine and sine of half a step.
    half: [f64; 2],
    count: usize,
}

impl Circumscribed {
    /// The one of fewest corners, a power of two from 8 to 256, that lie within the tolerance of the circle, both in grid
    /// units. A tolerance below one unit stands for a 128th of the radius.
    pub fn new(radius: f64, tolerance: f64) -> Circumscribed {
        let tolerance = if tolerance >= 1.0 { tolerance } else { crate::math::max(1.0, radius / 128.0) };
        // A quarter turn, halved down to the octagon's step.
        let step = halved([0.0, 1.0]);
        let mut polygon = Circumscribed { radius, step, half: halved(step), count: 8 };
        while polygon.count < MAX_CORNERS && radius / polygon.half[0] - radius > tolerance {
            let step = polygon.half;
            polygon = Circumscribed { radius, step, half: halved(step), count: polygon.count * 2 };
        }
        polygon
    }

    /// Its corners, by rotation from each to the next.
    pub fn corners(&self) -> impl Iterator<Item = [f64; 2]> + use<> {
        let (out, step, mut unit) = (self.radius / self.half[0], self.step, self.half);
        (0..self.count).map(move |_| {
            let corner = [out * unit[0], out * unit[1]];
            unit = [unit[0] * step[0] - unit[1] * step[1], unit[0] * step[1] + unit[1] * step[0]];
            corner
        })
    }
}

/// The circumscribed polygon with its corners drawn in so that each quadrant, to the circle's points on the axes, has the
/// area of a quarter disc.
pub(super) struct EqualArea {
    quadrant: [[f64; 2]; MAX_CORNERS / 4],
    quarter: usize,
}

impl EqualArea {
    /// The polygon for a radius and tolerance as [`Circumscribed::new`] takes them.
    pub fn new(radius: f64, tolerance: f64) -> EqualArea {
        let polygon = Circumscribed::new(radius, tolerance);
        let quarter = polygon.count / 4;
        let mut quadrant = [[0.0; 2]; MAX_CORNERS / 4];
        quadrant.iter_mut().zip(polygon.corners()).take(quarter).for_each(|(place, corner)| *place = corner);
        let tangent = radius * (polygon.half[1] / polygon.half[0]);
        let scale = equal_area_scale(&quadrant[..quarter], radius, tangent);
        let last = quarter - 1;
        for (i, corner) in quadrant[..quarter].iter_mut().enumerate() {
            *corner = drawn_in(i, last, *corner, radius, tangent, scale);
        }
        EqualArea { quadrant, quarter }
    }

    /// How many corners it has.
    pub fn count(&self) -> usize {
        4 * self.quarter
    }

    /// A corner, counted around and around: the first quadrant's, turned by quarters.
    pub fn corner(&self, i: usize) -> [f64; 2] {
        let [x, y] = self.quadrant[i % self.quarter];
        match i / self.quarter % 4 {
            0 => [x, y],
            1 => [-y, x],
            2 => [-x, -y],
            _ => [y, -x],
        }
    }
}

/// Cosine and sine of half the angle, for angles up to a quarter turn.
fn halved([cosine, sine]: [f64; 2]) -> [f64; 2] {
    let half = sqrt((1.0 + cosine) / 2.0);
    [half, sine / (2.0 * half)]
}

/// Where a quadrant's corner moves: the first and last along the tangents at the axes, the others towards the centre.
fn drawn_in(i: usize, last: usize, corner: [f64; 2], radius: f64, tangent: f64, scale: f64) -> [f64; 2] {
    match i {
        0 => [radius, scale * tangent],
        _ if i == last => [scale * tangent, radius],
        _ => [scale * corner[0], scale * corner[1]],
    }
}

/// The scale at which the quadrant has the area of a quarter disc.
fn equal_area_scale(corners: &[[f64; 2]], radius: f64, tangent: f64) -> f64 {
    let wanted = core::f64::consts::PI * (radius * radius) / 4.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        let drawn = |(i, &corner)| drawn_in(i, corners.len() - 1, corner, radius, tangent, middle);
        let mut twice = 0.0;
        let mut from = [radius, 0.0];
        for to in corners.iter().enumerate().map(drawn).chain([[0.0, radius]]) {
            twice += from[0] * to[1] - from[1] * to[0];
            from = to;
        }
        if twice / 2.0 < wanted { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sin_cos;
    use std::f64::consts::PI;

    fn twice_area(corners: &[[f64; 2]]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
    }

    #[test]
    fn corners_are_as_few_as_the_tolerance_allows() {
        for (radius, tolerance, count) in [
            (1000.0, 90.0, 8),
            (1000.0, 80.0, 16), // an octagon's corners lie 82.4 outside
            (1000.0, 4.0, 64),
            (1000.0, 0.5, 32), // too fine for the grid: a 128th, 7.8
            (10.0, 0.0, 8),
            (1e9, 1.0, 256),
        ] {
            let out = |m: usize| radius / sin_cos(PI / m as f64).1 - radius;
            let tolerance = if tolerance < 1.0 { crate::math::max(1.0, radius / 128.0) } else { tolerance };
            let circle = Circumscribed::new(radius, tolerance);
            assert_eq!(circle.corners().count(), count);
            assert!(count == 256 || out(count) <= tolerance && (count == 8 || out(count / 2) > tolerance));
        }
    }

    #[test]
    fn circumscribed_corners_are_those_of_a_regular_polygon() {
        for tolerance in [100.0, 10.0, 1.0] {
            let circle = Circumscribed::new(1000.0, tolerance);
            let count = circle.corners().count() as f64;
            for (i, corner) in circle.corners().enumerate() {
                let (angle, out) = ((2.0 * i as f64 + 1.0) * PI / count, 1000.0 / sin_cos(PI / count).1);
                let (sine, cosine) = sin_cos(angle);
                assert!((corner[0] - out * cosine).abs() < 1e-9 && (corner[1] - out * sine).abs() < 1e-9);
            }
        }
    }

    /// With the points on the axes, which walls along them keep, the polygon is as large as the disc.
    #[test]
    fn drawn_in_corners_make_the_discs_area_and_touch_it_at_the_axes() {
        for (radius, tolerance) in [(512.0, 64.0), (768.0, 20.0), (1024.0, 2.0)] {
            let circle = EqualArea::new(radius, tolerance);
            let quarter = circle.count() / 4;
            let corners: std::vec::Vec<_> = (0..quarter).map(|i| circle.corner(i)).collect();
            let sector = [&[[0.0, 0.0], [radius, 0.0]][..], &corners[..], &[[0.0, radius]]].concat();
            let disc = PI * radius * radius / 4.0;
            assert!((twice_area(&sector) / 2.0 / disc - 1.0).abs() < 1e-12);
            assert_eq!((corners[0][0], corners[quarter - 1][1]), (radius, radius));
        }
    }
}
