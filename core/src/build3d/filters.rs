//! Which solid tops an agent can stand on: three filters that change areas and nothing else
//! (`build3d-spans.md`, section 6).
//!
//! All lengths are rows. Each filter reads geometry, or areas as they were before it, so the order in which columns are
//! visited does not matter.

use super::compact::{DIR_X, DIR_Z};
use super::heightfield::{Heightfield, SolidSpan, UNBOUNDED};

/// Runs the three filters in the page's order: low-hanging obstacles, ledges, low heights.
pub fn filter_walkable(solid: &mut Heightfield<'_>, height: u32, climb: u32) {
    filter_low_hanging(solid, climb);
    filter_ledges(solid, height, climb);
    filter_low_height(solid, height);
}

/// Lets an agent step onto a low obstacle: a span that is not walkable takes the area of a walkable one right below it
/// when its top is at most `climb` rows higher. Areas are compared as they were before.
pub fn filter_low_hanging(solid: &mut Heightfield<'_>, climb: u32) {
    let climb = rows(climb);
    for column in 0..solid.frame.columns() {
        let mut below = solid.at(column, 0);
        while below.next() != 0 {
            let place = below.next();
            let span = solid.at(column, place);
            let step = i32::from(span.max()) - i32::from(below.max());
            if span.area() == 0 && below.area() != 0 && step <= climb {
                solid.set_area(column, place, below.area());
            }
            below = span;
        }
    }
}

/// Takes the area from spans at whose edge an agent would fall or face a step: those with a reachable neighbour floor
/// more than `climb` rows down, and those whose neighbour floors within `climb` differ by more than `climb`.
pub fn filter_ledges(solid: &mut Heightfield<'_>, height: u32, climb: u32) {
    let (height, climb) = (rows(height), rows(climb));
    for z in 0..solid.frame.depth {
        for x in 0..solid.frame.width {
            let column = solid.frame.column(x, z);
            let mut place = 0;
            loop {
                let span = solid.at(column, place);
                if span.area() != 0 {
                    let mut ledge = Ledge::new(&span, solid.ceiling(&span), height, climb);
                    if ledge.is_ledge(solid, x, z) {
                        solid.set_area(column, place, 0);
                    }
                }
                place = span.next();
                if place == 0 {
                    break;
                }
            }
        }
    }
}

/// Takes the area from spans with less than `height` rows of free space above them.
pub fn filter_low_height(solid: &mut Heightfield<'_>, height: u32) {
    let height = rows(height);
    for column in 0..solid.frame.columns() {
        let (mut place, mut span) = (0, solid.at(column, 0));
        while span.next() != 0 {
            let above = solid.at(column, span.next());
            if span.area() != 0 && i32::from(above.min()) - i32::from(span.max()) < height {
                solid.set_area(column, place, 0);
            }
            (place, span) = (span.next(), above);
        }
    }
}

/// A length in rows, as the page computes with it. What passes every grid means the same as a larger one.
fn rows(length: u32) -> i32 {
    length.min(UNBOUNDED as u32) as i32
}

/// A span's standing room and the floors around it.
struct Ledge {
    floor: i32,
    ceiling: i32,
    height: i32,
    climb: i32,
    /// Lowest and highest floor within the climb.
    range: Option<(i32, i32)>,
}

impl Ledge {
    fn new(span: &SolidSpan, ceiling: i32, height: i32, climb: i32) -> Ledge {
        Ledge { floor: i32::from(span.max()), ceiling, height, climb, range: None }
    }

    /// Looks at the four neighbours of cell `(x, z)`. The grid's outside is a fall.
    fn is_ledge(&mut self, solid: &Heightfield<'_>, x: u32, z: u32) -> bool {
        let frame = solid.frame;
        for dir in 0..4 {
            let (nx, nz) = (x.wrapping_add_signed(DIR_X[dir]), z.wrapping_add_signed(DIR_Z[dir]));
            if nx >= frame.width || nz >= frame.depth || self.falls_towards(solid, frame.column(nx, nz)) {
                return true;
            }
        }
        self.range.is_some_and(|(low, high)| high - low > self.climb)
    }

    /// Looks at a neighbour column's gaps, bottom up. True where the lowest that an agent passes into is a fall.
    ///
    /// Floors rise, so the first gap passed into is the lowest drop, and one too high to pass into ends the search.
    /// The gap below the lowest span has its floor at `-climb`, and a span's own floor is at least 1, so passing into
    /// that one always is a fall.
    fn falls_towards(&mut self, solid: &Heightfield<'_>, column: usize) -> bool {
        let mut gap_floor = -self.climb;
        for span in solid.column(column) {
            if self.passes(gap_floor, i32::from(span.min())) && self.falls_to(gap_floor) {
                return true;
            }
            gap_floor = i32::from(span.max());
            if self.ceiling - gap_floor < self.height {
                return false;
            }
        }
        self.passes(gap_floor, UNBOUNDED) && self.falls_to(gap_floor)
    }

    fn passes(&self, gap_floor: i32, gap_ceiling: i32) -> bool {
        self.ceiling.min(gap_ceiling) - self.floor.max(gap_floor) >= self.height
    }

    /// Whether a passable gap's floor is a fall; where it is not, notes it if it is within the climb.
    fn falls_to(&mut self, gap_floor: i32) -> bool {
        let drop = gap_floor - self.floor;
        if drop.abs() <= self.climb {
            let (low, high) = self.range.unwrap_or((gap_floor, gap_floor));
            self.range = Some((low.min(gap_floor), high.max(gap_floor)));
        }
        drop < -self.climb
    }
}
