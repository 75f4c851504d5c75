//! What a caller may add to a search: cells that are blocked for it, and steps that cost otherwise (`grids.md`, "API
//! tiers", "A*").

use super::Cell;
use crate::search::StepCost;

/// Hooks of a search: which cells are blocked for it, and what steps cost.
///
/// A blocked cell is isolated: no step leads into it or out of it. It is not a wall, so diagonal steps pass it.
pub trait GridHooks {
    /// Whether there are any. Without hooks the specialised searches can run.
    const PRESENT: bool = true;

    /// Whether a cell is blocked for this search.
    fn is_blocked(&self, cell: Cell) -> bool {
        let _ = cell;
        false
    }

    /// What a step costs, given the grid's own cost. NaN, a negative cost and infinity forbid it.
    fn step_cost(&self, from: Cell, to: Cell, cost: f64) -> f64 {
        let _ = (from, to);
        cost
    }
}

/// No hooks; compiles to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoHooks;

impl GridHooks for NoHooks {
    const PRESENT: bool = false;
}

/// Cells for which a function says yes are blocked.
#[derive(Clone, Copy, Debug)]
pub struct Blocked<F>(pub F);

impl<F: Fn(Cell) -> bool> GridHooks for Blocked<F> {
    fn is_blocked(&self, cell: Cell) -> bool {
        (self.0)(cell)
    }
}

/// Steps cost what a function says of `(from, to, the grid's own cost)`.
#[derive(Clone, Copy, Debug)]
pub struct StepCosts<F>(pub F);

impl<F: Fn(Cell, Cell, f64) -> f64> GridHooks for StepCosts<F> {
    fn step_cost(&self, from: Cell, to: Cell, cost: f64) -> f64 {
        (self.0)(from, to, cost)
    }
}

/// Both: what either blocks is blocked, and the second prices what the first made of the cost.
impl<A: GridHooks, B: GridHooks> GridHooks for (A, B) {
    const PRESENT: bool = A::PRESENT || B::PRESENT;

    fn is_blocked(&self, cell: Cell) -> bool {
        self.0.is_blocked(cell) || self.1.is_blocked(cell)
    }

    fn step_cost(&self, from: Cell, to: Cell, cost: f64) -> f64 {
        self.1.step_cost(from, to, self.0.step_cost(from, to, cost))
    }
}

/// Hooks as the [`StepCost`] of a search over the cells of a grid of `width` columns.
#[derive(Debug)]
pub struct HookedCost<'a, H> {
    hooks: &'a H,
    width: u32,
}

impl<'a, H: GridHooks> HookedCost<'a, H> {
    /// Hooks over a grid of `width` columns, at least 1.
    pub fn new(hooks: &'a H, width: i32) -> Self {
        HookedCost { hooks, width: width.max(1) as u32 }
    }

    fn cell(&self, node: u32) -> Cell {
        Cell::new((node % self.width) as i32, (node / self.width) as i32)
    }
}

impl<H: GridHooks> StepCost for HookedCost<'_, H> {
    #[inline]
    fn cost(&self, from: u32, to: u32, base: f64) -> f64 {
        if !H::PRESENT {
            return base;
        }
        hooked_cost(self.hooks, self.cell(from), self.cell(to), base)
    }
}

/// What hooks make of a step: no step leads into or out of a blocked cell.
#[inline]
pub(super) fn hooked_cost<H: GridHooks>(hooks: &H, from: Cell, to: Cell, base: f64) -> f64 {
    if hooks.is_blocked(to) || hooks.is_blocked(from) {
        return f64::INFINITY;
    }
    hooks.step_cost(from, to, base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_cell_has_no_step_in_or_out() {
        let hooks = (Blocked(|cell: Cell| cell.x == 1), StepCosts(|_: Cell, _: Cell, cost: f64| cost + 1.0));
        let cost = HookedCost::new(&hooks, 4);
        assert_eq!(cost.cost(2, 3, 1.0), 2.0);
        assert_eq!((cost.cost(0, 1, 1.0), cost.cost(5, 6, 1.0)), (f64::INFINITY, f64::INFINITY));
        assert_eq!(HookedCost::new(&NoHooks, 4).cost(0, 1, 7.0), 7.0);
        const {
            assert!(
                !NoHooks::PRESENT && !<(NoHooks, NoHooks)>::PRESENT && <(NoHooks, Blocked<fn(Cell) -> bool>)>::PRESENT
            )
        };
    }
}
