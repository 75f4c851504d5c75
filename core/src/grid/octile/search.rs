//! The search, over either form of its memory.

use super::Pair;
use super::form::{Form, Parent, Popped, Reached};
use crate::error::{Error, Result, Subject};
use crate::grid::moves::opposite;
use crate::grid::topology::uncut;
use crate::grid::{STEPS, SquareTopology};
use crate::search::{Expansions, SearchStatus};

/// Where a search is heading, and how far that is from anywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aim {
    goal: (u32, u32),
    width: u32,
    /// 2^64 divided by the width, rounded up: a product instead of a division.
    reciprocal: u64,
    is_zero: bool,
}

impl Aim {
    /// The aim at a node of a grid of `width` columns, at least 1, with the octile estimate or none.
    pub fn new(width: u32, goal: u32, is_zero: bool) -> Aim {
        let mut aim = Aim { width, reciprocal: (u64::MAX / u64::from(width)).wrapping_add(1), ..Aim::default() };
        aim.goal = aim.position(goal);
        aim.is_zero = is_zero;
        aim
    }

    /// Column and row of the goal.
    #[inline]
    pub fn goal(&self) -> (u32, u32) {
        self.goal
    }

    /// Column and row of a node.
    #[inline]
    pub fn position(&self, node: u32) -> (u32, u32) {
        // Exact for 32-bit numbers; a width of 1 has no reciprocal in 64 bits. Small processors divide faster than they
        // multiply 64 bits.
        let row = match self.reciprocal {
            0 => node,
            _ if cfg!(target_pointer_width = "32") => node / self.width,
            reciprocal => ((u128::from(node) * u128::from(reciprocal)) >> 64) as u32,
        };
        (node.wrapping_sub(row.wrapping_mul(self.width)), row)
    }

    /// Whether nothing is estimated.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.is_zero
    }

    /// A pair with the estimate from a position added.
    #[inline]
    pub fn total(&self, pair: Pair, (x, y): (u32, u32)) -> Pair {
        if self.is_zero { pair } else { pair.plus_octile(x.abs_diff(self.goal.0), y.abs_diff(self.goal.1)) }
    }
}

/// Where a search stands, but for its records and the nodes that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OctileProgress {
    /// Its state.
    pub status: SearchStatus,
    /// Whether there is no estimate.
    pub is_zero: bool,
    /// The node it began at.
    pub start: u32,
    /// The node it looks for.
    pub goal: u32,
    /// How many nodes were popped.
    pub iterations: u64,
    /// How many of them were expanded.
    pub expanded: u64,
    /// The way found; zero without one.
    pub path: Pair,
}

impl OctileProgress {
    /// Before anything was asked.
    pub const NONE: OctileProgress = OctileProgress {
        status: SearchStatus::NotStarted,
        is_zero: false,
        start: 0,
        goal: 0,
        iterations: 0,
        expanded: 0,
        path: Pair { straight: 0, diagonal: 0 },
    };
}

/// A* with exact costs. See the module's text.
#[derive(Debug)]
pub struct OctileSearch<F> {
    form: F,
    aim: Aim,
    progress: OctileProgress,
}

impl<F: Form> OctileSearch<F> {
    /// A search over a form of memory.
    pub fn over(form: F) -> Self {
        OctileSearch { form, aim: Aim::default(), progress: OctileProgress::NONE }
    }

    /// Where it stands.
    pub fn progress(&self) -> &OctileProgress {
        &self.progress
    }

    /// Its memory.
    pub(super) fn form(&self) -> &F {
        &self.form
    }

    /// Begins between two nodes that can be stood on, with the octile estimate or none.
    pub fn begin(&mut self, width: u32, start: u32, goal: u32, is_zero: bool) {
        self.form.forget();
        self.aim = Aim::new(width, goal, is_zero);
        self.progress = OctileProgress { status: SearchStatus::Running, is_zero, start, goal, ..OctileProgress::NONE };
        self.note(start, Reached { pair: Pair::default(), arrival: 0, is_closed: false });
        self.wait(start, Pair::default());
    }

    /// Notes what is known of a node.
    pub(super) fn note(&mut self, node: u32, reached: Reached) {
        self.form.note(node, reached);
    }

    /// Lets a node wait that was noted; there must be room.
    pub(super) fn wait(&mut self, node: u32, pair: Pair) {
        self.form.wait(&self.aim, node, pair);
    }

    /// Lets the search stand elsewhere, with no node waiting.
    pub(super) fn stand(&mut self, progress: OctileProgress) {
        self.form.forget_waiting();
        self.progress = progress;
    }

    /// Goes on by at most `budget` pops. The topology must be the one it began with, of one cell, eight neighbours and
    /// no corner cutting.
    ///
    /// # Errors
    /// More nodes wait than there is room for: the search is over, without a result.
    pub fn step(
        &mut self,
        topology: &SquareTopology<'_>,
        expansions: &mut Expansions<'_>,
        budget: u64,
    ) -> Result<SearchStatus> {
        let (offsets, aim) = (topology.offsets(), self.aim);
        if self.progress.status != SearchStatus::Running {
            return Ok(self.progress.status);
        }
        let mut left = budget;
        while left > 0 {
            left -= 1;
            let Some(Popped { node, arrival, way }) = self.form.pop(&aim) else {
                self.progress.status = SearchStatus::NotFound;
                break;
            };
            self.progress.iterations += 1;
            if node == self.progress.goal {
                self.progress.status = SearchStatus::Found;
                self.progress.path = self.form.reached(node).map_or(Pair::default(), |reached| reached.pair);
                break;
            }
            self.progress.expanded += 1;
            expansions.note(node);
            let arrival = if node == self.progress.start { START } else { arrival };
            let (x, y) = aim.position(node);
            let around = topology.around_one(node, x as i32, y as i32);
            let (goal_x, goal_y) = aim.goal();
            let off = (x.wrapping_sub(goal_x) as i32, y.wrapping_sub(goal_y) as i32);
            let steps = LEADS_ON[arrival][around as usize];
            if !self.form.expand(&aim, &offsets, Parent { node, way, off }, steps) {
                self.progress = OctileProgress::NONE;
                return Err(Error::capacity(Subject::OpenEntries, self.form.capacity()));
            }
        }
        Ok(self.progress.status)
    }

    /// The way found from the goal back to the start; nothing without one.
    pub fn path_back<'a>(&'a self, topology: SquareTopology<'a>) -> impl Iterator<Item = u32> + 'a {
        let first = (self.progress.status == SearchStatus::Found).then_some(self.progress.goal);
        let start = self.progress.start;
        let before = move |&node: &u32| {
            let reached = self.form.reached(node).filter(|_| node != start)?;
            Some(topology.neighbor(node, opposite(reached.arrival)))
        };
        core::iter::successors(first, before).take((topology.width() * topology.height()) as usize)
    }
}

/// Instead of a step of arrival: a start has none.
const START: usize = 8;

/// The steps from a node that are allowed without corner cutting and can lead on, by the step of arrival and the cells around
/// that are free.
static LEADS_ON: [[u8; 256]; 9] = {
    let mut table = [[0; 256]; 9];
    let mut around = 0;
    while around < 256 {
        let all = uncut(around as u8);
        let mut arrival = 0;
        while arrival < 8 {
            table[arrival][around] = all & onward(around as u8, arrival);
            arrival += 1;
        }
        table[START][around] = all;
        around += 1;
    }
    table
};

/// The steps from a node that can lead on, by the step of arrival and the cells around that are free.
///
/// The node's parent was expanded before it and has looked at all of its own neighbours. A step to one of those is a
/// detour, strictly dearer than the parent's own step there, and would change nothing: it is not even looked at. What is
/// left after a straight step are the three steps ahead, and a step aside where the parent's own diagonal to that cell was
/// cut off by a wall beside the parent; after a diagonal step all but the parent and the two cells beside that step.
#[inline]
pub const fn onward(around: u8, arrival: usize) -> u8 {
    let (ahead, [left, right]) = ONWARD[arrival & 7];
    // Where the cell behind is free, the bit of the step aside is masked off.
    let left = if around & left.0 == 0 { left.1 } else { 0 };
    let right = if around & right.0 == 0 { right.1 } else { 0 };
    ahead | left | right
}

/// For each step of arrival: the steps that always lead on; and to each side the bit of the cell beside the parent, and that
/// of the step aside which leads on when that cell is a wall.
const ONWARD: [(u8, [(u8, u8); 2]); 8] = {
    let mut table = [(0, [(0, 0); 2]); 8];
    let mut arrival = 0;
    while arrival < 8 {
        let (dx, dy) = STEPS[arrival];
        let mut sides = 0;
        let mut step = 0;
        while step < 8 {
            let (x, y) = STEPS[step];
            // The cell that the step leads to, seen from the parent.
            let (px, py) = (x + dx, y + dy);
            let is_near_parent = px >= -1 && px <= 1 && py >= -1 && py <= 1;
            if !is_near_parent {
                table[arrival].0 |= 1 << step;
            } else if arrival < 4 && step < 4 && !(px == 0 && py == 0) {
                // Aside of a straight step: a diagonal for the parent, past the cell beside the parent.
                let behind = find_step(x - dx, y - dy);
                table[arrival].1[sides] = (1 << behind, 1 << step);
                sides += 1;
            }
            step += 1;
        }
        arrival += 1;
    }
    table
};

/// The number of a step.
const fn find_step(dx: i32, dy: i32) -> usize {
    let mut step = 0;
    while step < 7 && !(STEPS[step].0 == dx && STEPS[step].1 == dy) {
        step += 1;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every surrounding of a parent and its child: a step is left out only if the parent has a step of its own to the
    /// same cell, which is then cheaper.
    #[test]
    fn only_steps_that_the_parent_could_take_itself_are_left_out() {
        // 5 by 5 cells round the child; the parent and all it touches lie within.
        let stride = crate::grid::tests::rounds(37, 1);
        for walls in (0u32..1 << 16).step_by(stride) {
            let is_free = |(x, y): (i32, i32)| {
                let ring = [(-2, -2), (-1, -2), (0, -2), (1, -2), (2, -2), (-2, -1), (-1, -1), (0, -1)];
                let more = [(1, -1), (2, -1), (-2, 0), (-1, 0), (1, 0), (-2, 1), (-1, 1), (0, 1)];
                let at = ring.iter().chain(&more).position(|&cell| cell == (x, y));
                at.is_none_or(|at| walls >> at & 1 == 0)
            };
            let may = |from: (i32, i32), step: usize| {
                let (dx, dy) = STEPS[step];
                is_free((from.0 + dx, from.1 + dy)) && is_free((from.0 + dx, from.1)) && is_free((from.0, from.1 + dy))
            };
            for (arrival, &(dx, dy)) in STEPS.iter().enumerate() {
                let parent = (-dx, -dy);
                if !is_free(parent) || !may(parent, arrival) {
                    continue;
                }
                let around = (0..8).fold(0, |bits, step| bits | u8::from(is_free(STEPS[step])) << step);
                let onward = onward(around, arrival);
                for step in (0..8).filter(|&step| may((0, 0), step)) {
                    let offset = (STEPS[step].0 + dx, STEPS[step].1 + dy);
                    let own = STEPS.iter().position(|&own| own == offset);
                    let is_parents = offset == (0, 0) || own.is_some_and(|own| may(parent, own));
                    assert_eq!(onward >> step & 1 == 0, is_parents, "{walls:x} {arrival} {step}");
                }
            }
        }
    }

    #[test]
    fn a_product_finds_the_row_that_a_division_finds() {
        for width in [1u32, 2, 3, 7, 64, 65, 511, 1023, 65_535, (1 << 28) - 1, 1 << 28] {
            let aim = Aim::new(width, 0, false);
            let near = |node: u32| [node.saturating_sub(1), node, node + 1];
            for node in [0, width, 2 * width.min(1 << 26), (1 << 28) - 2, width * ((1 << 28) / width) - 1] {
                for node in near(node) {
                    assert_eq!(aim.position(node), (node % width, node / width), "{node} of {width}");
                }
            }
        }
    }
}
