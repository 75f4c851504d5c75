//! The world of a flow field: a region of a grid as an agent with hooks sees it.

use crate::grid::hooks::hooked_cost;
use crate::grid::{Cell, CellRect, GridHooks, STEPS, SquareTopology};
use crate::search::{StepCost, Topology};

/// The cells of a region, numbered row by row within it. What lies outside is as walls, also for the body of an agent
/// that is more than one cell large.
///
/// The numbers rise as those of the grid's cells do, so ties come out as on the whole grid.
#[derive(Debug)]
pub(super) struct RegionWorld<'a, H> {
    square: SquareTopology<'a>,
    hooks: &'a H,
    region: CellRect,
    /// How many columns and rows of the region the agent's position can lie in.
    room: (i32, i32),
}

/// The steps that lead north, east, south and west, as bits of [`STEPS`].
const NORTHWARD: u8 = 0b1001_0001;
const EASTWARD: u8 = 0b0011_0010;
const SOUTHWARD: u8 = 0b0110_0100;
const WESTWARD: u8 = 0b1100_1000;

impl<'a, H: GridHooks> RegionWorld<'a, H> {
    /// A region that lies in the grid and is not empty.
    pub fn new(square: SquareTopology<'a>, hooks: &'a H, region: CellRect) -> Self {
        let margin = i32::from(square.movement().agent_size) - 1;
        RegionWorld { square, hooks, region, room: (region.width - margin, region.height - margin) }
    }

    #[inline]
    fn local(&self, node: u32) -> (i32, i32) {
        let width = self.region.width as u32; // at least 1
        ((node % width) as i32, (node / width) as i32)
    }

    #[inline]
    fn cell(&self, node: u32) -> Cell {
        let (x, y) = self.local(node);
        Cell::new(self.region.x + x, self.region.y + y)
    }

    /// The steps that stay in the room. The cells beside a diagonal one then do as well.
    #[inline]
    fn steps_within(&self, x: i32, y: i32) -> u8 {
        let leaves = |is_last: bool, steps: u8| if is_last { steps } else { 0 };
        let north = leaves(y == 0, NORTHWARD);
        let east = leaves(x + 1 >= self.room.0, EASTWARD);
        let south = leaves(y + 1 >= self.room.1, SOUTHWARD);
        let west = leaves(x == 0, WESTWARD);
        !(north | east | south | west)
    }
}

impl<H: GridHooks> Topology for RegionWorld<'_, H> {
    fn node_count(&self) -> usize {
        self.region.width as usize * self.region.height as usize
    }

    fn is_walkable(&self, node: u32) -> bool {
        let ((x, y), cell) = (self.local(node), self.cell(node));
        x < self.room.0 && y < self.room.1 && self.square.fits(cell) && !self.hooks.is_blocked(cell)
    }

    #[inline]
    fn visit_neighbors(&self, node: u32, mut visit: impl FnMut(u32, f64)) {
        let (x, y) = self.local(node);
        let cell = Cell::new(self.region.x + x, self.region.y + y);
        let from = cell.y as u32 * self.square.width() as u32 + cell.x as u32;
        let steps = self.square.steps_at(from, cell.x, cell.y) & self.steps_within(x, y);
        for (step, &(dx, dy)) in STEPS.iter().enumerate() {
            if steps >> step & 1 != 0 {
                let to = self.square.neighbor(from, step);
                let next = node.wrapping_add_signed(dy * self.region.width + dx);
                visit(next, self.square.step_cost(step, from, to));
            }
        }
    }
}

impl<H: GridHooks> StepCost for RegionWorld<'_, H> {
    #[inline]
    fn cost(&self, from: u32, to: u32, base: f64) -> f64 {
        if !H::PRESENT {
            return base;
        }
        hooked_cost(self.hooks, self.cell(from), self.cell(to), base)
    }
}
