//! Convex volumes: what lies within one gets its area (`build3d-spans.md`, section 9).

use super::compact::Compact;
use super::frame::check_point;
use super::heightfield::MAX_AREA;
use crate::error::{Error, Result, Subject};

/// Fewest and most corners of a volume.
pub const VOLUME_CORNERS: core::ops::RangeInclusive<usize> = 3..=256;

/// A convex prism over the ground: a polygon of x and z, and the heights between which it reaches.
#[derive(Clone, Copy, Debug)]
pub struct ConvexVolume<'a> {
    corners: &'a [[f64; 2]],
    /// Bounds of the corners.
    low: [f64; 2],
    high: [f64; 2],
    min_y: f64,
    max_y: f64,
    area: u8,
    /// 1 for a counter-clockwise polygon (x right, z up), else -1.
    winding: f64,
}

impl<'a> ConvexVolume<'a> {
    /// A volume over a convex, simple polygon of 3 to 256 corners in either winding, from `min_y` to `max_y`, both
    /// included. Area 0 makes what it holds not walkable.
    ///
    /// Every corner is tested against every edge in float64. Refuses a coordinate that is not finite or past the
    /// world's bound, backward heights, an area past [`MAX_AREA`], and a polygon without area or that is not convex,
    /// naming the corner.
    ///
    /// ```
    /// use navarena::build3d::volumes::ConvexVolume;
    /// let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    /// let water = ConvexVolume::new(&square, -1.0, 0.5, 7)?;
    /// assert!(water.holds(4.0, 2.0) && !water.holds(4.1, 2.0));
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn new(corners: &'a [[f64; 2]], min_y: f64, max_y: f64, area: u8) -> Result<Self> {
        if !VOLUME_CORNERS.contains(&corners.len()) {
            return Err(Error::invalid(Subject::Volume).value(corners.len() as f64));
        }
        check_point([min_y, max_y, 0.0], Error::invalid(Subject::Volume), Error::limit(Subject::Volume))?;
        if min_y > max_y {
            return Err(Error::invalid(Subject::Volume).value(min_y).bound(max_y));
        }
        if area > MAX_AREA {
            return Err(Error::invalid(Subject::Area).value(f64::from(area)).bound(f64::from(MAX_AREA)));
        }
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (nth, &[x, z]) in corners.iter().enumerate() {
            check_point([x, 0.0, z], Error::invalid(Subject::Point).at(nth), Error::limit(Subject::Point).at(nth))?;
            low = [low[0].min(x), low[1].min(z)];
            high = [high[0].max(x), high[1].max(z)];
        }
        let winding = winding(corners)?;
        Ok(ConvexVolume { corners, low, high, min_y, max_y, area, winding })
    }

    /// Whether a point of the ground is inside the polygon or on its edge, in float64.
    pub fn holds(&self, x: f64, z: f64) -> bool {
        edges(self.corners).all(|(a, b)| side(a, b, [x, z]) * self.winding >= 0.0)
    }

    /// Gives the volume's area to every walkable span whose cell's center it holds and whose floor lies within its
    /// heights. Volumes are applied in list order after erosion, so that later ones overwrite.
    pub fn apply(&self, field: &mut Compact<'_>) {
        let frame = field.frame;
        let [cs, ch] = [f64::from(frame.cell_size), f64::from(frame.cell_height)];
        for z in 0..frame.depth {
            let center_z = frame.origin[2] + (f64::from(z) + 0.5) * cs;
            if center_z < self.low[1] || center_z > self.high[1] {
                continue;
            }
            for x in 0..frame.width {
                let center_x = frame.origin[0] + (f64::from(x) + 0.5) * cs;
                let column = frame.column(x, z);
                let cell = field.cell(column);
                let beside = center_x < self.low[0] || center_x > self.high[0];
                if cell.is_empty() || beside || !self.holds(center_x, center_z) {
                    continue;
                }
                for span in cell {
                    let floor = frame.origin[1] + f64::from(field.spans[span].y) * ch;
                    if field.areas[span] != 0 && self.min_y <= floor && floor <= self.max_y {
                        field.areas[span] = self.area;
                    }
                }
            }
        }
    }
}

/// On which side of the line from `a` to `b` a point lies: above 0 on the left, x right and z up.
fn side(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

fn edges(corners: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    corners.iter().enumerate().map(|(nth, &a)| (a, corners[(nth + 1) % corners.len()]))
}

/// 1 where every corner lies left of or on every edge, -1 where right of or on; refused where neither or all on.
fn winding(corners: &[[f64; 2]]) -> Result<f64> {
    let mut winding = 0.0;
    for (a, b) in edges(corners) {
        for (nth, &corner) in corners.iter().enumerate() {
            let side = side(a, b, corner);
            if side == 0.0 {
                continue;
            }
            let turn = if side > 0.0 { 1.0 } else { -1.0 };
            if winding == -turn {
                return Err(Error::invalid(Subject::Volume).part(nth));
            }
            winding = turn;
        }
    }
    if winding == 0.0 { Err(Error::invalid(Subject::Volume).value(0.0)) } else { Ok(winding) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build3d::oracle::spans::read;
    use crate::build3d::oracle::{Dice, World};
    use crate::error::ErrorKind;
    use std::vec::Vec;

    crate::memory::assert_portable!(ConvexVolume);

    const SQUARE: [[f64; 2]; 4] = [[1.0, 1.0], [5.0, 1.0], [5.0, 4.0], [1.0, 4.0]];

    fn refusal(corners: &[[f64; 2]]) -> (ErrorKind, Subject) {
        let error = ConvexVolume::new(corners, 0.0, 1.0, 1).unwrap_err();
        (error.kind(), error.subject())
    }

    #[test]
    fn a_volume_marks_the_cells_whose_centers_it_holds_at_its_heights() {
        let clockwise: Vec<[f64; 2]> = SQUARE.iter().rev().copied().collect();
        for corners in [&SQUARE[..], &clockwise[..]] {
            let world = World { width: 8, depth: 8, floors: 3, areas: 2, noise: 8 };
            world.with_compact(&mut Dice::new(4), |mut field, _| {
                let before = read(&field);
                ConvexVolume::new(corners, 20.0, 31.0, 9).unwrap().apply(&mut field);
                ConvexVolume::new(corners, 30.0, 31.0, 0).unwrap().apply(&mut field);
                let mut seen = [0; 3];
                for (span, now) in before.iter().zip(field.areas.iter()) {
                    let held = (1..5).contains(&span.x) && (1..4).contains(&span.z) && span.area != 0;
                    let expected = match span.y {
                        30..=31 if held => 0,
                        20..=29 if held => 9,
                        _ => span.area,
                    };
                    assert_eq!(*now, expected, "{span:?}");
                    seen[usize::from(held) + usize::from(held && expected == 9)] += 1;
                }
                assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
            });
        }
    }

    #[test]
    fn an_edge_through_a_cells_center_holds_it() {
        let world = World { width: 4, depth: 4, floors: 1, areas: 1, noise: 1000 };
        world.with_compact(&mut Dice::new(4), |mut field, _| {
            let corners = [[0.5, 0.5], [2.5, 0.5], [0.5, 2.5]];
            ConvexVolume::new(&corners, 0.0, 100.0, 9).unwrap().apply(&mut field);
            let marked: Vec<usize> = (0..16).filter(|&at| field.areas[at] == 9).collect();
            assert_eq!(marked, [0, 1, 2, 4, 5, 8]);
        });
    }

    #[test]
    fn what_is_no_convex_volume_is_refused() {
        let invalid = |subject| (ErrorKind::Invalid, subject);
        assert_eq!(refusal(&SQUARE[..2]), invalid(Subject::Volume));
        assert_eq!(refusal(&[[0.0; 2]; 257]), invalid(Subject::Volume));
        assert_eq!(refusal(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), invalid(Subject::Volume));
        assert_eq!(refusal(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]), invalid(Subject::Volume));
        let star: Vec<[f64; 2]> = [[0, 3], [2, -3], [-3, 1], [3, 1], [-2, -3]].map(|p| p.map(f64::from)).to_vec();
        assert_eq!(refusal(&star), invalid(Subject::Volume));
        assert_eq!(refusal(&[[0.0, 0.0], [1.0, f64::NAN], [2.0, 2.0]]), invalid(Subject::Point));
        assert_eq!(refusal(&[[0.0, 0.0], [3e6, 0.0], [2.0, 2.0]]), (ErrorKind::Limit, Subject::Point));
        let heights = ConvexVolume::new(&SQUARE, 2.0, 1.0, 1).unwrap_err();
        assert_eq!((heights.kind(), heights.subject()), invalid(Subject::Volume));
        assert!(ConvexVolume::new(&SQUARE, f64::NEG_INFINITY, 1.0, 1).is_err());
        assert_eq!(ConvexVolume::new(&SQUARE, 0.0, 1.0, 64).unwrap_err().subject(), Subject::Area);
    }
}
