//! A grid's jump points as a world that A* searches: the generic jump point search (`grids.md`, "Search" of jump points).

use super::jumper::{Jumper, Spot};
use super::rules::{SUCCESSORS, direction_of, legal_steps};
use crate::grid::{SQRT_2, WALL};
use crate::search::{NO_NODE, Topology};

/// The jump points of a grid on the way to one goal.
///
/// Searched by [`AStar`](crate::search::AStar) with a weight of 1 and the octile estimate or none, this is the
/// reference's `JumpSearch`: a jump costs one product, `steps * m` or `steps * (m * SQRT_2)`. The way found lists jump
/// points; [`walk_back`](super::walk_back) fills in the cells between.
#[derive(Clone, Copy, Debug)]
pub struct JumpTopology<'a, J> {
    /// Finds the jump points.
    pub jumper: &'a J,
    /// The grid's cells.
    pub cells: &'a [u8],
    /// The node to be found.
    pub goal: u32,
    /// What every area of the grid costs.
    pub cell_cost: f64,
}

impl<J: Jumper> Topology for JumpTopology<'_, J> {
    fn node_count(&self) -> usize {
        self.cells.len()
    }

    fn is_walkable(&self, node: u32) -> bool {
        self.cells.get(node as usize).is_some_and(|&area| area != WALL)
    }

    fn visit_neighbors(&self, node: u32, visit: impl FnMut(u32, f64)) {
        self.visit_from(node, NO_NODE, visit);
    }

    fn visit_from(&self, node: u32, parent: u32, mut visit: impl FnMut(u32, f64)) {
        let width = self.jumper.width();
        let (from, goal) = (Spot::of(node, width), Spot::of(self.goal, width));
        let around = self.jumper.around(node);
        let mut directions = match arrival(from, parent, width) {
            Some(arrival) => SUCCESSORS[arrival][around as usize],
            None => legal_steps(around),
        };
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize;
            directions &= directions - 1;
            if let Some(steps) = self.jumper.jump(from, direction, goal) {
                let step = if direction < 4 { self.cell_cost } else { self.cell_cost * SQRT_2 };
                visit(from.after(direction, steps, width).node, f64::from(steps) * step);
            }
        }
    }
}

/// The direction in which a node was reached from its parent; `None` for a start.
fn arrival(at: Spot, parent: u32, width: u32) -> Option<usize> {
    if parent == NO_NODE {
        return None;
    }
    let parent = Spot::of(parent, width);
    direction_of(at.x.wrapping_sub(parent.x) as i32, at.y.wrapping_sub(parent.y) as i32)
}
