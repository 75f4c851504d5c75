//! Jump point searches against oracles that know only the page's definitions.

mod handle;
mod maps;
mod searches;

use super::{JumpMap, JumpMapDef};
use crate::grid::tests::oracle::Plain;
use crate::grid::{Cell, CellRect, Grid};
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use std::vec::Vec;

crate::memory::assert_portable!(JumpMap);

/// A random map of up to `side` by `side` cells, about `walls` percent of it walls.
pub(in crate::grid) fn random_plain(random: &mut SplitMix64, side: u64, walls: u64) -> Plain {
    let (width, height) = (1 + random.below(side) as i32, 1 + random.below(side) as i32);
    random_plain_of(random, width, height, walls)
}

fn random_plain_of(random: &mut SplitMix64, width: i32, height: i32, walls: u64) -> Plain {
    let cells = (0..width * height).map(|_| if random.below(100) < walls { 255 } else { random.below(3) as u8 });
    let cells: Vec<u8> = cells.collect();
    Plain { width, height, cells, costs: Vec::new(), rest: 1.0 }
}

pub(in crate::grid) fn load(plain: &Plain, grid: &mut Grid<'_>) {
    grid.set_rect_areas(CellRect::new(0, 0, plain.width, plain.height), &plain.cells).unwrap();
}

pub(in crate::grid) fn random_cell(random: &mut SplitMix64, plain: &Plain) -> Cell {
    Cell::new(random.below(plain.width as u64) as i32, random.below(plain.height as u64) as i32)
}

/// Runs a test with a map of a def, in memory of just the planned size, full of rubbish.
fn with_map<R>(def: &JumpMapDef, work: impl FnOnce(&mut JumpMap<'_>) -> R) -> R {
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    bytemuck::cast_slice_mut::<Grain, u8>(&mut region).fill(0xA7);
    let mut arena = Arena::new(&mut region);
    let mut map = JumpMap::new(def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "a plan says what is taken");
    work(&mut map)
}
