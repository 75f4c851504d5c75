//! Shortcuts along straight lines (`grids.md`, "HPA*", "Smoothing"; section 5 of the paper).

use super::search::{HpaSearch, World, step_cost};
use crate::grid::SquareTopology;

/// By how much a shortcut must be cheaper.
const GAIN: f64 = 1e-9;

/// A straight walk from a cell of the path to a later one.
#[derive(Clone, Copy, Debug)]
struct Shortcut {
    /// Where on the path it ends.
    to: usize,
    cost: f64,
    step: usize,
    length: usize,
}

impl HpaSearch<'_> {
    /// Replaces pieces of the path by straight walks that cost less.
    ///
    /// The path is read from its start and rewritten in place: a walk is no longer than the piece it replaces, so what is
    /// written never catches up with what is read.
    pub(super) fn smooth(&mut self, world: &World<'_, '_>) {
        self.note_places(world);
        let noted = self.path_len as u32;
        let (mut at, mut written) = (0, 0);
        while at + 1 < self.path_len {
            let shortcut = self.best_shortcut(world, at);
            let mut cell = self.path[at];
            match shortcut {
                Some(shortcut) => {
                    for _ in 0..shortcut.length {
                        cell = world.topology.neighbor(cell, shortcut.step);
                        written += 1;
                        self.path[written] = cell;
                    }
                    at = shortcut.to;
                }
                None => {
                    at += 1;
                    written += 1;
                    self.path[written] = self.path[at];
                }
            }
        }
        self.path_len = written + 1;
        self.seen += noted;
    }

    /// Notes where on the path each of its cells lies, the last place for one that it visits twice, and what it costs up to
    /// there.
    fn note_places(&mut self, world: &World<'_, '_>) {
        if self.seen.checked_add(self.path_len as u32).is_none() {
            self.places.fill(0);
            self.seen = 0;
        }
        let path = &self.path[..self.path_len];
        let mut sum = 0.0;
        for (at, &cell) in path.iter().enumerate() {
            if at > 0 {
                sum += step_cost(&world.topology, path[at - 1], cell);
            }
            self.prices[at] = sum;
            self.places[cell as usize] = self.seen + 1 + at as u32;
        }
    }

    /// The shortcut that leads furthest along the path; of those to the same place the cheaper, then that of the lower step.
    fn best_shortcut(&self, world: &World<'_, '_>, at: usize) -> Option<Shortcut> {
        let mut best: Option<Shortcut> = None;
        for step in 0..world.topology.movement().connectivity.steps() {
            self.walk(&world.topology, at, step, |shortcut| {
                let is_better = best
                    .is_none_or(|best| shortcut.to > best.to || shortcut.to == best.to && shortcut.cost < best.cost);
                if is_better {
                    best = Some(shortcut);
                }
            });
        }
        best
    }

    /// Walks one way while it is free, and calls `visit` with every shortcut met.
    fn walk(&self, topology: &SquareTopology<'_>, at: usize, step: usize, mut visit: impl FnMut(Shortcut)) {
        let (mut cell, mut cost) = (self.path[at], 0.0);
        // No walk leaves the grid.
        for length in 1..=self.places.len() {
            if topology.steps_from(cell) >> step & 1 == 0 {
                return;
            }
            let next = topology.neighbor(cell, step);
            cost += topology.step_cost(step, cell, next);
            cell = next;
            let place = self.places[cell as usize];
            let Some(to) = place.checked_sub(self.seen + 1).map(|to| to as usize) else { continue };
            if to > at + 1 && self.prices[to] - self.prices[at] - cost > GAIN {
                visit(Shortcut { to, cost, step, length });
            }
        }
    }
}
