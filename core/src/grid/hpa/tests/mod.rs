//! HPA* against an oracle that knows only the page's definitions.

mod graph;
mod paths;

use super::*;
use crate::grid::tests::oracle::{Moves, Plain};
use crate::grid::*;
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use std::vec::Vec;

crate::memory::assert_portable!(Hierarchy);

mod search_is {
    crate::memory::assert_portable!(HpaSearch);
    use crate::grid::hpa::HpaSearch;
}

const RULES: [DiagonalRule; 2] = [DiagonalRule::NoCornerCutting, DiagonalRule::NoSqueezing];

/// One kind of question: moves, chunks and threshold.
#[derive(Clone, Copy, Debug)]
struct Kind {
    moves: Moves,
    chunk: u32,
    threshold: u32,
}

impl Kind {
    /// Any of those that the page's own checks draw from.
    fn random(random: &mut SplitMix64) -> Kind {
        let size = 1 + random.below(2) as i32;
        let moves = Moves { size, eight: random.below(2) == 0, rule: random.below(2) as usize };
        Kind { moves, chunk: 2 + random.below(6) as u32, threshold: 1 + random.below(8) as u32 }
    }

    fn movement(&self) -> Movement {
        let connectivity = if self.moves.eight { Connectivity::Eight } else { Connectivity::Four };
        let diagonals = RULES[self.moves.rule];
        Movement { agent_size: self.moves.size as u8, connectivity, diagonals }
    }

    fn def(&self, width: u32, height: u32) -> HierarchyDef {
        HierarchyDef::of_chunks(width, height, self.chunk, self.threshold)
    }
}

/// A random map of up to 14 by 14 cells, with areas or without.
fn random_plain(random: &mut SplitMix64, with_areas: bool) -> Plain {
    let (width, height) = (1 + random.below(14) as i32, 1 + random.below(14) as i32);
    let walls = random.below(45);
    let cells = (0..width * height).map(|_| match random.below(100) {
        n if n < walls => 255,
        _ if with_areas => random.below(4) as u8,
        _ => 0,
    });
    let cells = cells.collect();
    let costs = if with_areas { (0..4).map(|_| 0.25 * (1 + random.below(16)) as f64).collect() } else { Vec::new() };
    Plain { width, height, cells, costs, rest: 1.0 }
}

fn load(plain: &Plain, grid: &mut Grid<'_>) {
    grid.set_rect_areas(CellRect::new(0, 0, plain.width, plain.height), &plain.cells).unwrap();
    for (area, &cost) in plain.costs.iter().enumerate() {
        grid.set_area_cost(area as u8, cost).unwrap();
    }
}

fn def_of(plain: &Plain) -> GridDef {
    GridDef {
        clearance: plain.width % 2 == 0,
        area_costs: 4,
        journal: 6,
        ..GridDef::of_size(plain.width as u32, plain.height as u32)
    }
}

/// Memory of just the planned size, full of rubbish.
fn region(bytes: usize) -> Vec<Grain> {
    let mut region = std::vec![Grain::ZERO; bytes / 16];
    bytemuck::cast_slice_mut::<Grain, u8>(&mut region).fill(0xA7);
    region
}

/// Runs a test with a hierarchy of a def, in memory of just the planned size.
fn with_hierarchy<R>(def: &HierarchyDef, work: impl FnOnce(&mut Hierarchy<'_>) -> R) -> R {
    let mut region = region(def.plan().bytes);
    let mut arena = Arena::new(&mut region);
    let mut hierarchy = Hierarchy::new(def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "a plan says what is taken");
    work(&mut hierarchy)
}

fn with_search<R>(def: &HpaSearchDef, work: impl FnOnce(&mut HpaSearch<'_>) -> R) -> R {
    let mut region = region(def.plan().bytes);
    let mut arena = Arena::new(&mut region);
    let mut search = HpaSearch::new(def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "a plan says what is taken");
    work(&mut search)
}

/// A cell, most often one that can be stood on.
fn random_cell(random: &mut SplitMix64, plain: &Plain, size: i32) -> Cell {
    let mut pick = || Cell::new(random.below(plain.width as u64) as i32, random.below(plain.height as u64) as i32);
    let tries = [pick(), pick(), pick(), pick()];
    tries.into_iter().find(|cell| plain.stands(cell.x, cell.y, size)).unwrap_or(tries[0])
}
