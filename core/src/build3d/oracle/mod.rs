//! Slow answers, written from the pages' definitions over growable vectors, that the stages' tests compare with.
//! Nothing here shares code with what it judges.

pub mod clip;
pub mod regions;
pub mod spans;

use crate::build3d::compact::Compact;
use crate::build3d::frame::Frame;
use crate::build3d::heightfield::Heightfield;
use crate::memory::{Arena, Grain};
use std::vec::Vec;

/// A small generator for test worlds; any would do.
pub struct Dice(u64);

impl Dice {
    /// Dice that fall the same way for the same seed.
    pub fn new(seed: u64) -> Dice {
        Dice((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// Runs a test in a region of 256 KiB.
pub fn with_arena<R>(work: impl FnOnce(&mut Arena<'_>) -> R) -> R {
    let mut region = std::vec![Grain::ZERO; 1 << 14];
    work(&mut Arena::new(&mut region))
}

/// The shape of a random world.
#[derive(Clone, Copy, Debug)]
pub struct World {
    pub width: u32,
    pub depth: u32,
    /// Slabs thrown over the whole grid.
    pub floors: u32,
    /// Most areas, from 1.
    pub areas: u32,
    /// One column in so many has a hole or a block of its own.
    pub noise: u32,
}

impl World {
    pub fn random(dice: &mut Dice) -> World {
        World {
            width: 1 + dice.below(24),
            depth: 1 + dice.below(24),
            floors: 1 + dice.below(4),
            areas: 1 + dice.below(3),
            noise: 2 + dice.below(12),
        }
    }

    pub fn frame(&self) -> Frame {
        Frame::new([0.0; 3], 1.0, 1.0, self.width, self.depth, 200).unwrap()
    }

    /// Sloping, overlapping slabs with holes, steps, blocks and patches of other areas.
    pub fn fill(&self, dice: &mut Dice, solid: &mut Heightfield<'_>) {
        for floor in 0..self.floors {
            let (slope_x, slope_z) = (dice.below(5) as i32 - 2, dice.below(5) as i32 - 2);
            let base = 10 + 12 * floor as i32 + dice.below(8) as i32;
            for z in 0..self.depth {
                for x in 0..self.width {
                    if dice.once_in(self.noise) {
                        continue;
                    }
                    let bump = if dice.once_in(self.noise) { dice.below(7) as i32 } else { 0 };
                    let top = base + (slope_x * x as i32 + slope_z * z as i32) / 3 + bump;
                    let top = top.clamp(2, 190) as u16;
                    let area = if dice.once_in(3 * self.noise) { dice.below(self.areas + 1) } else { 1 };
                    let column = self.frame().column(x, z);
                    solid.add_span(column, top - 1 - dice.below(2) as u16, top, area as u8, 2).unwrap();
                }
            }
        }
    }

    /// Builds the compact field, with blotches of other areas on top.
    pub fn with_compact<R>(&self, dice: &mut Dice, work: impl FnOnce(Compact<'_>, &mut Arena<'_>) -> R) -> R {
        with_arena(|arena| {
            let (solid, ()) = Heightfield::filled(self.frame(), 1 << 16, arena, |solid| {
                self.fill(dice, solid);
                Ok(())
            })
            .unwrap();
            let (height, climb) = (1 + dice.below(5), 1 + dice.below(12));
            let field = Compact::build(&solid, height, climb, arena).unwrap();
            for area in 2..=self.areas {
                let (cx, cz) = (dice.below(self.width), dice.below(self.depth));
                let (rx, rz) = (1 + dice.below(8), 1 + dice.below(8));
                for z in cz..(cz + rz).min(self.depth) {
                    for x in cx..(cx + rx).min(self.width) {
                        let column = field.frame.column(x, z);
                        let cell = field.cell(column);
                        field.areas[cell].fill(if dice.once_in(8) { 0 } else { area as u8 });
                    }
                }
            }
            work(field, arena)
        })
    }
}

/// Fills arenas with rubbish, so that what a stage forgets to clear shows.
pub fn dirty(arena: &mut Arena<'_>) {
    arena.scope(|desk| {
        let all = desk.room::<u32>();
        desk.take::<u32>(all).unwrap().fill(0xA5A5_A5A5);
    });
}

/// A list of the numbers below `n`.
pub fn upto(n: usize) -> Vec<usize> {
    (0..n).collect()
}
