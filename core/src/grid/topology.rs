//! A grid as an agent of a size sees it: which cells it can stand on, its steps and their costs (`grids.md`,
//! "Movement", "Clearance and agent sizes").

use super::moves::{BESIDE, SQRT_2, STEPS};
use super::{AreaCosts, Cell, Connectivity, DiagonalRule, Grid, WALL, clearance};
use crate::error::{Error, Result, Subject};
use crate::search::Topology;

/// How an agent moves: its size in cells, which neighbours it steps to, and what diagonal steps need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Movement {
    /// The side of the square of cells that the agent occupies, 1 to 255; its position is the top-left cell.
    pub agent_size: u8,
    /// Which neighbours there are.
    pub connectivity: Connectivity,
    /// What a diagonal step needs.
    pub diagonals: DiagonalRule,
}

impl Movement {
    /// One cell large, eight neighbours, no corner cutting.
    pub const DEFAULT: Movement =
        Movement { agent_size: 1, connectivity: Connectivity::Eight, diagonals: DiagonalRule::NoCornerCutting };

    /// Refuses an agent without size.
    pub fn validate(&self) -> Result<()> {
        if self.agent_size == 0 { Err(Error::invalid(Subject::AgentSize).value(0.0)) } else { Ok(()) }
    }
}

impl Default for Movement {
    fn default() -> Self {
        Movement::DEFAULT
    }
}

/// For each rule and each set of straight steps that are free, the diagonal steps that it allows.
const DIAGONALS: [[u8; 16]; 3] = [
    diagonals_by(DiagonalRule::NoCornerCutting),
    diagonals_by(DiagonalRule::NoSqueezing),
    diagonals_by(DiagonalRule::AllowAll),
];

const fn diagonals_by(rule: DiagonalRule) -> [u8; 16] {
    let mut table = [0; 16];
    let mut straight = 0;
    while straight < 16 {
        let mut step = 4;
        while step < 8 {
            let (one, other) = BESIDE[step - 4];
            if rule.allows(straight >> one & 1 != 0, straight >> other & 1 != 0) {
                table[straight] |= 1 << step;
            }
            step += 1;
        }
        straight += 1;
    }
    table
}

/// The steps that are allowed without corner cutting, by the cells around that are free.
pub(super) const fn uncut(around: u8) -> u8 {
    around & 15 | around & DIAGONALS[DiagonalRule::NoCornerCutting as usize][around as usize & 15]
}

/// The steps to the cells of [`SquareTopology::bytes_around`], the lowest byte first: the row above, the row below, left and
/// right.
const BYTES_AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0)];

/// The upper bit of each byte that is at least `least`, 1 or more.
#[inline]
const fn bytes_from(bytes: u64, least: u8) -> u64 {
    const UPPER: u64 = 0x8080_8080_8080_8080;
    let least = u64::from_le_bytes([least; 8]);
    // The lower seven bits compare by a difference that the upper bit lends to; where the upper bits differ, they decide.
    let lower = (bytes | UPPER) - (least & !UPPER);
    (bytes & !least | !(bytes ^ least) & lower) & UPPER
}

/// The upper bits of the bytes of [`BYTES_AROUND`] as bits in the order of [`STEPS`].
#[inline]
const fn in_order_of_steps(upper_bits: u64) -> u8 {
    // Each of the product's terms carries one byte's bit to its place in the highest byte. No two of the terms of all bytes
    // fall on one bit, since no two steps do within 8: nothing is ever carried.
    const GATHER: u64 = {
        let (mut factor, mut byte) = (0, 0);
        while byte < 8 {
            let mut step = 0;
            while STEPS[step].0 != BYTES_AROUND[byte].0 || STEPS[step].1 != BYTES_AROUND[byte].1 {
                step += 1;
            }
            factor |= 1 << (56 + step - 8 * byte);
            byte += 1;
        }
        factor
    };
    ((upper_bits >> 7).wrapping_mul(GATHER) >> 56) as u8
}

/// A square grid seen by an agent: the [`Topology`] of its cells.
///
/// A step's cost is `length * ((m[from] + m[to]) * 0.5)`, evaluated in this order, where `m` is the multiplier of the
/// area under the position and `length` 1 or [`SQRT_2`]. All rules apply to the cells on which the agent fits.
#[derive(Clone, Copy, Debug)]
pub struct SquareTopology<'a> {
    cells: &'a [u8],
    clearance: Option<&'a [u8]>,
    areas: &'a AreaCosts<'a>,
    width: i32,
    height: i32,
    movement: Movement,
}

impl Grid<'_> {
    /// The grid as an agent sees it.
    ///
    /// # Errors
    /// An agent of size 0.
    pub fn topology(&self, movement: Movement) -> Result<SquareTopology<'_>> {
        movement.validate()?;
        Ok(SquareTopology {
            cells: self.cells(),
            clearance: self.kept_clearance(),
            areas: self.areas(),
            width: self.width(),
            height: self.height(),
            movement,
        })
    }
}

impl SquareTopology<'_> {
    /// How the agent moves.
    pub const fn movement(&self) -> Movement {
        self.movement
    }

    /// Columns of the grid.
    pub const fn width(&self) -> i32 {
        self.width
    }

    /// Rows of the grid.
    pub const fn height(&self) -> i32 {
        self.height
    }

    /// Whether the agent fits on a cell, which may be outside.
    #[inline]
    pub fn fits(&self, cell: Cell) -> bool {
        let is_inside = (cell.x as u32) < self.width as u32 && (cell.y as u32) < self.height as u32;
        is_inside && self.is_walkable((cell.y * self.width + cell.x) as u32)
    }

    /// What areas cost.
    pub(super) const fn areas(&self) -> &AreaCosts<'_> {
        self.areas
    }

    /// The multiplier of the area under a node.
    #[inline]
    pub fn multiplier(&self, node: u32) -> f64 {
        self.areas.get(self.cells[node as usize])
    }

    /// The cost of a step of [`STEPS`] between two nodes, in the page's order of operations.
    #[inline]
    pub fn step_cost(&self, step: usize, from: u32, to: u32) -> f64 {
        let length = if step < 4 { 1.0 } else { SQRT_2 };
        length * ((self.multiplier(from) + self.multiplier(to)) * 0.5)
    }

    /// Which of [`STEPS`] the agent can take from a node it fits on: bit `d` for step `d`.
    #[inline]
    pub fn steps_from(&self, node: u32) -> u8 {
        let (x, y) = self.position(node);
        self.steps_at(node, x, y)
    }

    /// The same for a node whose column and row are known.
    #[inline]
    pub fn steps_at(&self, node: u32, x: i32, y: i32) -> u8 {
        self.steps_of(self.around(node, x, y))
    }

    /// The same from the cells around that are free: bit `d` for step `d`.
    #[inline]
    pub fn steps_of(&self, around: u8) -> u8 {
        let straight = around & 15;
        match self.movement.connectivity {
            Connectivity::Four => straight,
            Connectivity::Eight => {
                let rule = &DIAGONALS[self.movement.diagonals as usize];
                straight | around & rule[straight as usize]
            }
        }
    }

    /// On which of the eight cells around a node the agent fits: bit `d` for step `d`.
    #[inline(always)]
    pub fn around(&self, node: u32, x: i32, y: i32) -> u8 {
        let size = self.movement.agent_size;
        if size == 1 {
            return self.around_one(node, x, y);
        }
        let inner = match self.clearance.filter(|_| self.is_inner(x, y)) {
            Some(clearance) => self.bytes_around(clearance, node).map(|sides| bytes_from(sides, size)),
            None => None,
        };
        inner.map_or_else(|| self.around_border(x, y), in_order_of_steps)
    }

    /// The same for an agent of one cell.
    #[inline(always)]
    pub(super) fn around_one(&self, node: u32, x: i32, y: i32) -> u8 {
        // What is no wall is at least 1 when all its bits are turned.
        let free = |areas: u64| bytes_from(!areas, 1);
        let inner = if self.is_inner(x, y) { self.bytes_around(self.cells, node).map(free) } else { None };
        inner.map_or_else(|| self.around_border(x, y), in_order_of_steps)
    }

    /// Whether a cell of the grid has neighbours on all sides.
    #[inline(always)]
    fn is_inner(&self, x: i32, y: i32) -> bool {
        let between = |at: i32, side: i32| (at.wrapping_sub(1) as u32) < (side - 2).max(0) as u32;
        between(x, self.width) & between(y, self.height)
    }

    /// The same for a node of the grid's border, cell by cell.
    #[cold]
    fn around_border(&self, x: i32, y: i32) -> u8 {
        let fits = |&(dx, dy): &(i32, i32)| self.fits(Cell::new(x + dx, y + dy));
        STEPS.iter().rev().fold(0, |bits, step| bits << 1 | u8::from(fits(step)))
    }

    /// The eight values around a node that has neighbours on all sides, of a value a cell, in [`BYTES_AROUND`]'s order.
    #[inline]
    fn bytes_around(&self, values: &[u8], node: u32) -> Option<u64> {
        let (at, width) = (node as usize, self.width as usize);
        let four = |from: usize| Some(u64::from(u32::from_le_bytes(*values.get(from..)?.first_chunk()?)));
        // What would lie before the first value wraps round to far past the last.
        let (above, level) = (four(at.wrapping_sub(width + 1))?, four(at.wrapping_sub(1))?);
        // One byte further to the left, so that the last cell of the grid is the last that is read.
        let below = four((at + width).wrapping_sub(2))?;
        Some(above & 0xFF_FFFF | (below >> 8) << 24 | (level & 0xFF) << 48 | (level >> 16) << 56)
    }

    /// The node that a step of [`STEPS`] leads to, which must be inside.
    #[inline]
    pub fn neighbor(&self, node: u32, step: usize) -> u32 {
        node.wrapping_add_signed(STEPS[step].1 * self.width + STEPS[step].0)
    }

    /// What each of [`STEPS`] adds to a node's number.
    pub fn offsets(&self) -> [i32; 8] {
        STEPS.map(|(dx, dy)| dy * self.width + dx)
    }

    /// Column and row of a node.
    #[inline]
    pub fn position(&self, node: u32) -> (i32, i32) {
        let width = self.width as u32; // at least 1
        ((node % width) as i32, (node / width) as i32)
    }
}

impl Topology for SquareTopology<'_> {
    fn node_count(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    fn is_walkable(&self, node: u32) -> bool {
        let (index, size) = (node as usize, self.movement.agent_size);
        match self.clearance {
            _ if size == 1 => self.cells[index] != WALL,
            Some(clearance) => clearance[index] >= size,
            None => {
                let cell = self.position(node).into();
                clearance::measured_up_to(self.cells, self.width, self.height, cell, size) >= size
            }
        }
    }

    #[inline]
    fn visit_neighbors(&self, node: u32, mut visit: impl FnMut(u32, f64)) {
        let steps = self.steps_from(node);
        for step in 0..8 {
            if steps >> step & 1 != 0 {
                let next = self.neighbor(node, step);
                visit(next, self.step_cost(step, node, next));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{CellRect, GridDef};
    use crate::memory::{Arena, Grain};
    use proptest::prelude::*;
    use std::vec::Vec;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Every rule again, from the page, cell by cell, with and without kept clearance.
        #[test]
        fn neighbours_are_those_of_the_definition(
            width in 1i32..7, height in 1i32..7, size in 1u8..4, eight in any::<bool>(), rule in 0usize..3,
            areas in prop::collection::vec(prop::sample::select(std::vec![0u8, 0, 1, WALL]), 36),
        ) {
            let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
            let diagonals = [DiagonalRule::NoCornerCutting, DiagonalRule::NoSqueezing, DiagonalRule::AllowAll][rule];
            let movement = Movement { agent_size: size, connectivity, diagonals };
            for clearance in [false, true] {
                let def = GridDef { clearance, ..GridDef::of_size(width as u32, height as u32) };
                let mut region = std::vec![Grain::ZERO; def.plan().grains()];
                let mut grid = Grid::new(&def, &mut Arena::new(&mut region)).unwrap();
                let all = CellRect::new(0, 0, width, height);
                grid.set_rect_areas(all, &areas[..(width * height) as usize]).unwrap();
                grid.set_area_cost(1, 2.5).unwrap();
                let topology = grid.topology(movement).unwrap();
                let stands = |x: i32, y: i32| (0..size as i32).all(|dy| {
                    (0..size as i32).all(|dx| grid.area(Cell::new(x + dx, y + dy)) != WALL)
                });
                for cell in all.cells() {
                    let node = grid.index_of(cell).unwrap();
                    prop_assert_eq!(topology.is_walkable(node), stands(cell.x, cell.y));
                    if !stands(cell.x, cell.y) {
                        continue;
                    }
                    let mut want: Vec<(u32, f64)> = Vec::new();
                    for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)] {
                        let (x, y) = (cell.x + dx, cell.y + dy);
                        let diagonal = dx != 0 && dy != 0;
                        let (one, other) = (stands(x, cell.y), stands(cell.x, y));
                        let allowed = !diagonal || eight && [one && other, one || other, true][rule];
                        if allowed && stands(x, y) {
                            let m = |cell| if grid.area(cell) == 1 { 2.5 } else { 1.0 };
                            let length = if diagonal { core::f64::consts::SQRT_2 } else { 1.0 };
                            let to = Cell::new(x, y);
                            want.push((grid.index_of(to).unwrap(), length * ((m(cell) + m(to)) * 0.5)));
                        }
                    }
                    let mut got = Vec::new();
                    topology.visit_neighbors(node, |next, cost| got.push((next, cost)));
                    prop_assert_eq!(got, want);
                }
            }
        }
    }
}
