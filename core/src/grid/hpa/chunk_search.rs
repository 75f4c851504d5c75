//! Dijkstra's algorithm within one chunk (`grids.md`, "HPA*", "Intra-edges").

use super::chunks::{Chunks, Frame};
use crate::error::Result;
use crate::grid::moves::opposite;
use crate::grid::octile::onward;
use crate::grid::{Connectivity, DiagonalRule, SQRT_2, STEPS, SquareHeuristic, SquareTopology};
use crate::memory::{Arena, Plan, Pod, Ruler, Zeroable};
use crate::search::{FloatEntry, OpenSet};

/// A chunk of a grid as an agent sees it: its cells, and the steps that stay among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkView<'a> {
    pub topology: SquareTopology<'a>,
    pub frame: Frame,
    /// What a straight and a diagonal step cost, where all areas cost the same.
    uniform: Option<[f64; 2]>,
    /// Whether steps can be left out that the cell before has taken itself, for less.
    prunes: bool,
}

impl<'a> ChunkView<'a> {
    pub fn new(topology: SquareTopology<'a>, chunks: &Chunks, chunk: u32) -> Self {
        let (movement, uniform) = (topology.movement(), topology.uniform_steps());
        // The cells beside such a step lie between two of the chunk's, so they are the chunk's as well.
        let prunes = movement.connectivity == Connectivity::Eight
            && movement.diagonals == DiagonalRule::NoCornerCutting
            && uniform.is_some();
        ChunkView { topology, frame: Frame::of(chunks, chunk), uniform, prunes }
    }
}

/// The cheapest way found to a cell of the chunk.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Way {
    cost: f64,
    /// The step that led there; none of them where ways begin.
    arrival: u32,
    /// The number of the search it belongs to.
    mark: u32,
}

/// No step: where ways begin.
const NO_STEP: u32 = STEPS.len() as u32;

/// A search within a chunk. All numbers are the chunk's own.
#[derive(Debug)]
pub(super) struct ChunkSearch<'m> {
    ways: &'m mut [Way],
    /// Cells that wait, by cost, then by number; each with its column and row. An entry is stale when a cheaper way to its
    /// cell was found since.
    open: OpenSet<'m, FloatEntry>,
    is_wanted: &'m mut [u8],
    search: u32,
}

impl<'m> ChunkSearch<'m> {
    /// The memory for chunks of a side: 49 bytes a cell.
    pub const fn plan(side: u32) -> Plan {
        let cells = side as usize * side as usize;
        Ruler::new().array::<Way>(cells).array::<FloatEntry>(2 * cells).array::<u8>(cells).plan()
    }

    pub fn new(side: u32, arena: &mut Arena<'m>) -> Result<Self> {
        let cells = side as usize * side as usize;
        arena.check(Self::plan(side))?;
        let ways = arena.take_zeroed(cells)?;
        let open = OpenSet::over(arena.take(2 * cells)?);
        Ok(ChunkSearch { ways, open, is_wanted: arena.take_zeroed(cells)?, search: 0 })
    }

    /// Writes what the cheapest ways within the chunk from one cell to others cost, all by the grid's numbers; infinite
    /// where there is none.
    pub fn write_costs(
        &mut self,
        view: &ChunkView<'_>,
        from: u32,
        to: impl Iterator<Item = u32> + Clone,
        out: &mut [f64],
    ) {
        let to = to.map(|cell| view.frame.local(cell));
        let mut left = 0;
        for at in to.clone() {
            if let Some(wanted) = self.is_wanted.get_mut(at as usize) {
                left += usize::from(*wanted == 0);
                *wanted = 1;
            }
        }
        self.run(
            view,
            view.frame.local(from),
            |_, _| true,
            |search, at| {
                left -= usize::from(search.is_wanted[at as usize]);
                left == 0
            },
        );
        for (at, cost) in to.zip(out) {
            *cost = self.way(at).map_or(f64::INFINITY, |way| way.cost);
            if let Some(wanted) = self.is_wanted.get_mut(at as usize) {
                *wanted = 0;
            }
        }
    }

    /// Finds the way again that [`write_costs`](Self::write_costs) gave a cost for, and calls `visit` with its cells by the
    /// grid's numbers, from the last to the first.
    ///
    /// Cells that no way of that cost can lead over are left out. The cost being that of the cheapest way, none of them
    /// is before a cell of such a way, so the cells left pop in the order they had, and with the same parents.
    pub fn visit_way_back(&mut self, view: &ChunkView<'_>, from: u32, to: u32, cost: f64, mut visit: impl FnMut(u32)) {
        let (from, to) = (view.frame.local(from), view.frame.local(to));
        let (x, y) = view.frame.place(to);
        let estimate = SquareHeuristic::of(&view.topology);
        // What rounding adds over the at most 2^16 steps of a way is far less.
        let most = cost + cost * 1e-9;
        let may_lead = |at: (u32, u32), so_far: f64| so_far + estimate.over(at.0.abs_diff(x), at.1.abs_diff(y)) <= most;
        self.run(view, from, may_lead, |_, at| at == to);
        let mut place = view.frame.place(to);
        for _ in 0..self.ways.len() {
            let Some(way) = self.way(view.frame.local_at(place)) else { return };
            visit(view.frame.cell_at(place));
            let Some(&(dx, dy)) = STEPS.get(way.arrival as usize) else { return };
            place = (place.0.wrapping_add_signed(-dx), place.1.wrapping_add_signed(-dy));
        }
    }

    /// Settles cells in the order of their costs, until `is_last` says so of one.
    #[inline]
    fn run(
        &mut self,
        view: &ChunkView<'_>,
        from: u32,
        may_lead: impl Fn((u32, u32), f64) -> bool,
        mut is_last: impl FnMut(&Self, u32) -> bool,
    ) {
        self.begin();
        if !self.reach(from, view.frame.place(from), NO_STEP, 0.0) {
            return;
        }
        while let Some(least) = self.open.pop() {
            let Some(&way) = self.way(least.sequence()).filter(|way| way.cost == least.cost()) else { continue };
            if is_last(self, least.sequence()) {
                return;
            }
            let place = (least.node() & 0xFFFF, least.node() >> 16);
            let cell = view.frame.cell_at(place);
            let (x, y) = (view.frame.x + place.0, view.frame.y + place.1);
            let around = view.topology.around(cell, x as i32, y as i32);
            let mut steps = view.topology.steps_of(around) & view.frame.inner_steps(place);
            if way.arrival != NO_STEP {
                let arrival = way.arrival as usize;
                steps &= if view.prunes { onward(around, arrival) } else { !(1 << opposite(arrival)) };
            }
            while steps != 0 {
                let step = steps.trailing_zeros() as usize & 7;
                steps &= steps - 1;
                let (dx, dy) = STEPS[step];
                let next = (place.0.wrapping_add_signed(dx), place.1.wrapping_add_signed(dy));
                let price = match view.uniform {
                    Some(prices) => prices[usize::from(step >= 4)],
                    None => view.topology.step_cost(step, cell, view.frame.cell_at(next)),
                };
                let cost = way.cost + price;
                let at = view.frame.local_at(next);
                // Strictly cheaper, so that of equal ways the first one found stays.
                let is_better = self.way(at).is_none_or(|way| cost < way.cost);
                if is_better && cost < f64::INFINITY && may_lead(next, cost) {
                    self.reach(at, next, step as u32, cost);
                }
            }
        }
    }

    fn begin(&mut self) {
        self.open.clear();
        if self.search == u32::MAX {
            self.ways.fill(Way::zeroed());
            self.search = 0;
        }
        self.search += 1;
    }

    #[inline]
    fn way(&self, local: u32) -> Option<&Way> {
        self.ways.get(local as usize).filter(|way| way.mark == self.search)
    }

    /// Notes a way and lets its cell wait. `false` for a number that no cell has.
    #[inline]
    fn reach(&mut self, local: u32, place: (u32, u32), arrival: u32, cost: f64) -> bool {
        let ChunkSearch { ways, open, search, .. } = self;
        let Some(way) = ways.get_mut(local as usize) else { return false };
        *way = Way { cost, arrival, mark: *search };
        if open.is_full() {
            // No more entries are of use than there are cells, half of the room.
            open.retain(|entry| ways.get(entry.sequence() as usize).is_some_and(|way| way.cost == entry.cost()));
        }
        open.push(FloatEntry::new(cost, local, place.1 << 16 | place.0))
    }
}

impl SquareTopology<'_> {
    /// What a straight and a diagonal step cost, where all areas cost the same: the bits of
    /// [`step_cost`](SquareTopology::step_cost).
    pub(super) fn uniform_steps(&self) -> Option<[f64; 2]> {
        let mean = self.areas().uniform().map(|cost| (cost + cost) * 0.5)?;
        Some([1.0 * mean, SQRT_2 * mean])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::tests::with_grid;
    use crate::grid::{Cell, CellRect, GridDef, Movement};
    use crate::math::SplitMix64;
    use crate::memory::Grain;
    use std::vec::Vec;

    /// The way by a search that leaves nothing out.
    fn whole_way(work: &mut ChunkSearch<'_>, view: &ChunkView<'_>, from: u32, to: u32) -> Vec<u32> {
        let (from, to) = (view.frame.local(from), view.frame.local(to));
        let view = &ChunkView { prunes: false, ..*view };
        work.run(view, from, |_, _| true, |_, _| false);
        let before = |&at: &u32| {
            let (x, y) = view.frame.place(at);
            let (dx, dy) = STEPS[work.way(at).filter(|_| at != from)?.arrival as usize];
            Some(view.frame.local_at(((x as i32 - dx) as u32, (y as i32 - dy) as u32)))
        };
        core::iter::successors(Some(to), before).map(|at| view.frame.cell(at)).collect()
    }

    #[test]
    fn a_way_found_again_is_that_of_the_whole_search_to_the_cell() {
        let mut random = SplitMix64::new(7);
        let mut region = std::vec![Grain::ZERO; ChunkSearch::plan(9).grains()];
        let mut work = ChunkSearch::new(9, &mut Arena::new(&mut region)).unwrap();
        let mut compared = 0;
        for round in 0..crate::grid::tests::rounds(40, 4000) {
            with_grid(&GridDef { area_costs: 4, ..GridDef::of_size(13, 11) }, |grid| {
                let walls = random.below(35);
                for cell in CellRect::new(0, 0, 13, 11).cells() {
                    let area = if random.below(100) < walls { 255 } else { random.below(4) as u8 };
                    grid.set_area(cell, area).unwrap();
                }
                (0..4 * (round as u8 % 2)).for_each(|area| {
                    grid.set_area_cost(area, 0.3 * (1 + random.below(9)) as f64).unwrap();
                });
                let chunks = Chunks::of(13, 11, 9);
                let topology = grid.topology(Movement::DEFAULT).unwrap();
                for _ in 0..20 {
                    let mut pick = || Cell::new(random.below(9) as i32, random.below(9) as i32);
                    let (from, to) = (pick(), pick());
                    if !topology.fits(from) || !topology.fits(to) {
                        continue;
                    }
                    let [from, to] = [from, to].map(|cell| grid.index_of(cell).unwrap());
                    let view = ChunkView::new(topology, &chunks, 0);
                    let mut cost = [0.0];
                    work.write_costs(&view, from, [to].into_iter(), &mut cost);
                    let mut way = Vec::new();
                    work.visit_way_back(&view, from, to, cost[0], |cell| way.push(cell));
                    if cost[0] < f64::INFINITY {
                        assert_eq!(way, whole_way(&mut work, &view, from, to));
                        compared += 1;
                    } else {
                        assert_eq!(way, []);
                    }
                }
            });
        }
        assert!(compared > 300, "{compared}");
    }
}
