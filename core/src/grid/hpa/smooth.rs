//! Shortcuts along straight lines (`grids.md`, "HPA*", "Smoothing"; section 5 of the paper).
//!
//! From every cell of the path eight walks would have to be looked at, most of them long and in vain. So the path is first
//! entered into the rows, columns and diagonals that it touches: how far along the path a line is touched last, and a
//! bound on what any walk on it can gain. Walks that can't gain are not walked; the rest are as the page has them.

use super::search::{HpaSearch, World, step_cost};
use crate::grid::{BESIDE, SQRT_2, STEPS, SquareTopology};
use crate::memory::{Pod, Zeroable};
use crate::search::Topology;

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

/// What the path has to do with a line of cells.
///
/// A walk of k steps from a cell at place c and price p to one at place c + k and price q gains at most
/// `q - p - k * unit`, for a unit that no step is cheaper than; so at most `(q - (c + k) * unit) - (p - c * unit)`, of
/// which the first is kept at its most. Likewise the other way.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Line {
    ahead: f64,
    back: f64,
    /// The last place on the path that lies on the line; numbers up to `seen` are those of earlier paths.
    last: u32,
    reserved: u32,
}

/// How many lines a grid has: its rows, columns, and diagonals both ways.
pub(super) const fn lines_of(width: u32, height: u32) -> usize {
    3 * (width as usize + height as usize)
}

/// For each step the kind of line that it goes along (row, column, rising and falling diagonal), and whether ahead.
const ALONG: [(usize, bool); 8] =
    [(1, false), (0, true), (1, true), (0, false), (2, true), (3, true), (2, false), (3, false)];

/// Where on its lines a cell lies.
#[derive(Clone, Copy, Debug)]
struct Spot {
    x: u32,
    y: u32,
    sides: (u32, u32),
}

impl Spot {
    fn of(topology: &SquareTopology<'_>, cell: u32) -> Spot {
        let (x, y) = topology.position(cell);
        Spot { x: x as u32, y: y as u32, sides: (topology.width() as u32, topology.height() as u32) }
    }

    /// The number of a line among all.
    #[inline]
    fn line(&self, kind: usize) -> usize {
        let (width, height) = self.sides;
        let number = match kind {
            0 => self.y,
            1 => height + self.x,
            2 => height + width + self.x + self.y,
            _ => 2 * (height + width) + self.x + height - self.y,
        };
        number as usize
    }

    /// The place on it, which steps ahead raise by one.
    #[inline]
    fn place(&self, kind: usize) -> f64 {
        f64::from(if kind == 1 { self.y } else { self.x })
    }
}

/// What no step along a kind of line is cheaper than, and what rounding may add to a sum of one price.
#[derive(Clone, Copy, Debug)]
struct Scale {
    units: [f64; 4],
    rounding: f64,
    /// What a straight and a diagonal step cost, where all areas cost the same.
    uniform: Option<[f64; 2]>,
}

impl HpaSearch<'_> {
    /// Replaces pieces of the path by straight walks that cost less.
    ///
    /// The path is read from its start and rewritten in place: a walk is no longer than the piece it replaces, so what is
    /// written never catches up with what is read.
    pub(super) fn smooth(&mut self, world: &World<'_, '_>) {
        let noted = self.path_len as u32;
        let scale = self.note_path(world);
        // The step that led to the cell before, if that cell had no shortcut at all.
        let mut arrival = None;
        let (mut at, mut written) = (0, 0);
        while at + 1 < self.path_len {
            let mut cell = self.path[at];
            match self.best_shortcut(world, scale, at, arrival) {
                Some(shortcut) => {
                    for _ in 0..shortcut.length {
                        cell = world.topology.neighbor(cell, shortcut.step);
                        written += 1;
                        self.path[written] = cell;
                    }
                    at = shortcut.to;
                    arrival = None;
                }
                None => {
                    at += 1;
                    written += 1;
                    let next = self.path[at];
                    arrival = (0..8).find(|&step| world.topology.neighbor(cell, step) == next);
                    self.path[written] = next;
                }
            }
        }
        self.path_len = written + 1;
        self.seen += noted;
    }

    /// Notes where on the path each of its cells lies, the last place for one that it visits twice, what it costs up to
    /// there, and what that means for the lines.
    fn note_path(&mut self, world: &World<'_, '_>) -> Scale {
        if self.seen.checked_add(self.path_len as u32 + 1).is_none() {
            self.places.fill(0);
            self.lines.fill(Line::zeroed());
            self.seen = 0;
        }
        let topology = &world.topology;
        let least = topology.areas().min_cost();
        let units = [least, least, SQRT_2 * least, SQRT_2 * least];
        let kinds = topology.movement().connectivity.steps() / 2;
        let path = &self.path[..self.path_len];
        let mut price = 0.0;
        for (at, &cell) in path.iter().enumerate() {
            if at > 0 {
                price += step_cost(topology, path[at - 1], cell);
            }
            self.prices[at] = price;
            let number = self.seen + 1 + at as u32;
            self.places[cell as usize] = number;
            let spot = Spot::of(topology, cell);
            for (kind, unit) in units.iter().enumerate().take(kinds) {
                let line = &mut self.lines[spot.line(kind)];
                let is_new = line.last <= self.seen;
                let (ahead, back) = (price - spot.place(kind) * unit, price + spot.place(kind) * unit);
                line.ahead = if is_new || ahead > line.ahead { ahead } else { line.ahead };
                line.back = if is_new || back > line.back { back } else { line.back };
                line.last = number;
            }
        }
        let sides = f64::from(topology.width()) + f64::from(topology.height());
        // Twice the rounding of one addition, of numbers no larger than this.
        let rounding = (price + sides * SQRT_2 * least) * f64::EPSILON;
        Scale { units, rounding, uniform: topology.uniform_steps() }
    }

    /// The shortcut that leads furthest along the path; of those to the same place the cheaper, then that of the lower step.
    fn best_shortcut(
        &self,
        world: &World<'_, '_>,
        scale: Scale,
        at: usize,
        arrival: Option<usize>,
    ) -> Option<Shortcut> {
        let topology = &world.topology;
        let spot = Spot::of(topology, self.path[at]);
        let mut best: Option<Shortcut> = None;
        for step in 0..topology.movement().connectivity.steps() {
            let (kind, is_ahead) = ALONG[step];
            let unit = scale.units[kind];
            let line = &self.lines[spot.line(kind)];
            let last = (line.last - (self.seen + 1)) as usize;
            // The cell before would have had every shortcut back over it, with a gain of two steps more.
            let is_back = arrival.is_some_and(|arrival| STEPS[arrival] == (-STEPS[step].0, -STEPS[step].1));
            if last <= at + 1 || is_back && unit > GAIN {
                continue;
            }
            let place = spot.place(kind) * unit;
            let gain = match is_ahead {
                true => line.ahead - (self.prices[at] - place),
                false => line.back - (self.prices[at] + place),
            };
            // As many roundings as the piece and the walk have additions, and some.
            if gain + scale.rounding * (2 * (last - at) + 8) as f64 <= GAIN {
                continue;
            }
            self.walk(topology, scale, (at, last), step, |shortcut| {
                let is_better = best
                    .is_none_or(|best| shortcut.to > best.to || shortcut.to == best.to && shortcut.cost < best.cost);
                if is_better {
                    best = Some(shortcut);
                }
            });
        }
        best
    }

    /// Walks one way while it is free and can gain, and calls `visit` with every shortcut met. Those end no later on the path
    /// than at `last`.
    fn walk(
        &self,
        topology: &SquareTopology<'_>,
        scale: Scale,
        (at, last): (usize, usize),
        step: usize,
        mut visit: impl FnMut(Shortcut),
    ) {
        let (mut cell, mut cost) = (self.path[at], 0.0);
        let most = self.prices[last] - self.prices[at];
        for length in 1..=steps_to_border(topology, cell, step) {
            if most - cost <= GAIN || !is_free(topology, cell, step) {
                return;
            }
            let next = topology.neighbor(cell, step);
            cost += match scale.uniform {
                Some(prices) => prices[usize::from(step >= 4)],
                None => topology.step_cost(step, cell, next),
            };
            cell = next;
            let Some(to) = self.places[cell as usize].checked_sub(self.seen + 1) else { continue };
            let to = to as usize;
            // A walk longer than its piece there is only on a path with gaps, of a hierarchy that was swapped during the search.
            let fits = to > at + 1 && to - at >= length;
            if fits && self.prices[to] - self.prices[at] - cost > GAIN {
                visit(Shortcut { to, cost, step, length });
            }
        }
    }
}

/// How many steps one way stay within the grid.
fn steps_to_border(topology: &SquareTopology<'_>, cell: u32, step: usize) -> usize {
    let ((x, y), (dx, dy)) = (topology.position(cell), STEPS[step]);
    let along = |at: i32, side: i32, step: i32| match step {
        0 => i32::MAX,
        1 => side - 1 - at,
        _ => at,
    };
    along(x, topology.width(), dx).min(along(y, topology.height(), dy)) as usize
}

/// Whether the agent can take a step, which stays within the grid, from a cell it fits on.
#[inline]
fn is_free(topology: &SquareTopology<'_>, cell: u32, step: usize) -> bool {
    let fits = |step: usize| topology.is_walkable(topology.neighbor(cell, step));
    match step.checked_sub(4) {
        None => fits(step),
        Some(diagonal) => {
            let (one, other) = BESIDE[diagonal];
            fits(step) && topology.movement().diagonals.allows(fits(one), fits(other))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::hpa::{Hierarchy, HierarchyDef, HpaSearchDef};
    use crate::grid::tests::{rounds, with_grid};
    use crate::grid::{Connectivity, DiagonalRule, Grid, GridDef, Movement};
    use crate::math::SplitMix64;
    use crate::memory::{Arena, Grain};
    use std::vec::Vec;

    /// The page's smoothing, word for word.
    fn by_definition(grid: &Grid<'_>, movement: Movement, path: &[u32]) -> Vec<u32> {
        let topology = grid.topology(movement).unwrap();
        let mut prices = std::vec![0.0];
        for pair in path.windows(2) {
            prices.push(prices[prices.len() - 1] + step_cost(&topology, pair[0], pair[1]));
        }
        let mut smoothed = std::vec![path[0]];
        let mut at = 0;
        while at + 1 < path.len() {
            // (to, cost, cells)
            let mut best: Option<(usize, f64, Vec<u32>)> = None;
            for step in 0..movement.connectivity.steps() {
                let (mut cell, mut cost, mut cells) = (path[at], 0.0, Vec::new());
                while topology.steps_from(cell) >> step & 1 != 0 {
                    let next = topology.neighbor(cell, step);
                    cost += topology.step_cost(step, cell, next);
                    cells.push(next);
                    cell = next;
                    let Some(to) = path.iter().rposition(|&one| one == cell).filter(|&to| to > at + 1) else {
                        continue;
                    };
                    let is_shortcut = prices[to] - prices[at] - cost > GAIN;
                    let is_better = best.as_ref().is_none_or(|(far, dear, _)| to > *far || to == *far && cost < *dear);
                    if is_shortcut && is_better {
                        best = Some((to, cost, cells.clone()));
                    }
                }
            }
            match best {
                Some((to, _, cells)) => {
                    smoothed.extend(cells);
                    at = to;
                }
                None => {
                    at += 1;
                    smoothed.push(path[at]);
                }
            }
        }
        smoothed
    }

    #[test]
    fn walks_that_are_left_out_would_have_gained_nothing() {
        const MAX: u32 = 40;
        let mut random = SplitMix64::new(11);
        let mut changed = 0;
        for round in 0..rounds(60, 6000) {
            let sides = [0; 2].map(|_| 1 + random.below(u64::from(MAX)) as u32);
            let def = GridDef { area_costs: 4, ..GridDef::of_size(sides[0], sides[1]) };
            with_grid(&def, |grid| {
                let walls = random.below(30);
                let cells: Vec<u8> = (0..sides[0] * sides[1])
                    .map(|_| if random.below(100) < walls { 255 } else { random.below(4) as u8 })
                    .collect();
                let whole = crate::grid::CellRect::new(0, 0, grid.width(), grid.height());
                grid.set_rect_areas(whole, &cells).unwrap();
                (0..4 * (round as u8 % 2)).for_each(|area| {
                    grid.set_area_cost(area, 0.3 * (1 + random.below(9)) as f64).unwrap();
                });
                let movement = Movement {
                    agent_size: 1,
                    connectivity: if random.below(4) == 0 { Connectivity::Four } else { Connectivity::Eight },
                    diagonals: if random.below(3) == 0 {
                        DiagonalRule::NoSqueezing
                    } else {
                        DiagonalRule::NoCornerCutting
                    },
                };
                let chunk = 2 + random.below(9) as u32;
                let graph = HierarchyDef::of_chunks(sides[0], sides[1], chunk, 6);
                let search = HpaSearchDef { path: 3 * MAX * MAX, ..HpaSearchDef::over(&graph) };
                let mut memory = std::vec![Grain::ZERO; graph.plan().grains() + search.plan().grains()];
                let mut arena = Arena::new(&mut memory);
                let mut hierarchy = Hierarchy::new(&graph, &mut arena).unwrap();
                let mut search = HpaSearch::new(&search, &mut arena).unwrap();
                hierarchy.refresh(grid, movement).unwrap();
                for _ in 0..6 {
                    let mut pick = || grid.cell_of(random.below(grid.cell_count() as u64) as u32);
                    let (start, goal) = (pick(), pick());
                    search.find_path(grid, &hierarchy, start, goal, false).unwrap();
                    let plain = search.path().to_vec();
                    if plain.is_empty() {
                        continue;
                    }
                    search.find_path(grid, &hierarchy, start, goal, true).unwrap();
                    assert_eq!(search.path(), by_definition(grid, movement, &plain));
                    changed += usize::from(search.path() != plain);
                }
            });
        }
        assert!(changed > 50, "{changed}");
    }

    #[test]
    fn numbers_of_paths_that_run_out_begin_anew() {
        with_grid(&GridDef::of_size(20, 20), |grid| {
            let graph = HierarchyDef::of_chunks(20, 20, 5, 6);
            let def = HpaSearchDef::over(&graph);
            let mut memory = std::vec![Grain::ZERO; graph.plan().grains() + def.plan().grains()];
            let mut arena = Arena::new(&mut memory);
            let mut hierarchy = Hierarchy::new(&graph, &mut arena).unwrap();
            let mut search = HpaSearch::new(&def, &mut arena).unwrap();
            hierarchy.refresh(grid, Movement::DEFAULT).unwrap();
            let first = search.find_path(grid, &hierarchy, (0, 3), (19, 12), true).unwrap();
            let path = search.path().to_vec();
            search.seen = u32::MAX - 20;
            for _ in 0..3 {
                assert_eq!(search.find_path(grid, &hierarchy, (0, 3), (19, 12), true), Ok(first));
                assert_eq!(search.path(), path);
            }
            assert!(search.seen < 1000);
        });
    }
}
