//! The level: a floor with rooms round a hall, drawn for this page, and the pillars that come and go on it.

use navarena::build2d::FloorInput;
use navarena::error::{Error, Result, Subject};
use navarena::geometry::region::Outline;

/// The sides of the floor in world units.
pub const SIZE: [f64; 2] = [48.0, 30.0];

/// The most pillars at once.
pub const MAX_PILLARS: usize = 16;

/// A pillar's corners, seen from its middle.
const PILLAR: [[f64; 2]; 8] = [
    [0.75, 0.3125],
    [0.3125, 0.75],
    [-0.3125, 0.75],
    [-0.75, 0.3125],
    [-0.75, -0.3125],
    [-0.3125, -0.75],
    [0.3125, -0.75],
    [0.75, -0.3125],
];
/// A click as near as this to a pillar's middle means that pillar.
const NEAR: f64 = 1.0;

const FLOOR: [[f64; 2]; 4] = rectangle(0.0, 0.0, SIZE[0], SIZE[1]);

/// What stands on the floor for good.
const WALLS: [[[f64; 2]; 4]; 20] = [
    // Between the rooms on the left and the hall.
    rectangle(13.5, 0.0, 14.25, 5.0),
    rectangle(13.5, 8.5, 14.25, 20.5),
    rectangle(13.5, 24.0, 14.25, 30.0),
    // Between the two rooms on the left.
    rectangle(0.0, 14.5, 4.5, 15.25),
    rectangle(8.0, 14.5, 13.5, 15.25),
    // Tables in them.
    rectangle(3.0, 4.0, 9.0, 6.0),
    rectangle(3.0, 9.0, 9.0, 11.0),
    rectangle(2.5, 19.5, 4.5, 25.5),
    rectangle(7.5, 19.5, 9.5, 25.5),
    // Between the hall and the rooms on the right.
    rectangle(33.75, 0.0, 34.5, 8.0),
    rectangle(33.75, 11.5, 34.5, 18.0),
    rectangle(33.75, 21.5, 34.5, 30.0),
    // Between the two rooms on the right.
    rectangle(34.5, 14.5, 40.0, 15.25),
    rectangle(43.5, 14.5, 48.0, 15.25),
    // A screen, and a shelf with a corner.
    rectangle(40.0, 3.5, 40.75, 11.0),
    rectangle(38.5, 19.5, 44.5, 20.5),
    rectangle(43.5, 20.5, 44.5, 25.5),
    // Benches in the hall.
    rectangle(19.0, 4.0, 29.0, 5.0),
    rectangle(19.0, 25.0, 29.0, 26.0),
    // Its middle.
    [[24.0, 10.5], [28.5, 15.0], [24.0, 19.5], [19.5, 15.0]],
];

const RINGS: usize = WALLS.len() + MAX_PILLARS;

const fn rectangle(left: f64, top: f64, right: f64, bottom: f64) -> [[f64; 2]; 4] {
    [[left, top], [right, top], [right, bottom], [left, bottom]]
}

/// The rings of what stands on the floor for good.
pub fn walls<'w>() -> impl Iterator<Item = &'w [[f64; 2]]> {
    WALLS.iter().map(|wall| &wall[..])
}

/// The pillars that stand, in the order in which they came.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pillars {
    corners: [[[f64; 2]; 8]; MAX_PILLARS],
    middles: [[f64; 2]; MAX_PILLARS],
    count: usize,
}

impl Pillars {
    /// Puts one up, or takes away the one that stands there.
    ///
    /// # Errors
    /// A place off the floor; a capacity error when all pillars stand.
    pub fn turn(&mut self, at: [f64; 2]) -> Result<()> {
        let is_near = |middle: &[f64; 2]| {
            let [x, z] = [0, 1].map(|axis| middle[axis] - at[axis]);
            x * x + z * z <= NEAR * NEAR
        };
        if let Some(standing) = self.middles[..self.count].iter().position(is_near) {
            self.middles.copy_within(standing + 1..self.count, standing);
            self.corners.copy_within(standing + 1..self.count, standing);
            self.count -= 1;
            return Ok(());
        }
        // Not a number is off the floor too.
        let is_on_floor = at[0] >= 0.0 && at[0] <= SIZE[0] && at[1] >= 0.0 && at[1] <= SIZE[1];
        if !is_on_floor {
            return Err(Error::new(navarena::error::ErrorKind::Outside, Subject::Position));
        }
        if self.count == MAX_PILLARS {
            return Err(Error::capacity(Subject::Outline, MAX_PILLARS));
        }
        self.middles[self.count] = at;
        self.corners[self.count] = PILLAR.map(|[x, z]| [at[0] + x, at[1] + z]);
        self.count += 1;
        Ok(())
    }

    /// Their rings.
    pub fn rings(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        self.corners[..self.count].iter().map(|corners| &corners[..])
    }

    /// Lends what a floor builder is given.
    pub fn with_input<R>(&self, build: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        let mut rings: [[&[[f64; 2]]; 1]; RINGS] = [[&[]]; RINGS];
        let mut count = 0;
        for (place, ring) in rings.iter_mut().zip(walls().chain(self.rings())) {
            *place = [ring];
            count += 1;
        }
        let obstacles: [Outline<'_>; RINGS] = core::array::from_fn(|index| Outline { rings: &rings[index] });
        let walkable = [Outline { rings: &[&FLOOR] }];
        build(&FloorInput::Outlines { walkable: &walkable, obstacles: &obstacles[..count] })
    }
}
