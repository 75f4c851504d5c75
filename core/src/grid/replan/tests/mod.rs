//! Replanners against a Dijkstra that knows only the definitions, and against the page's algorithm word for word.

mod literal;
mod refusals;
mod sequences;
mod state;

use super::*;
use crate::grid::tests::oracle::{Moves, Plain};
use crate::grid::*;
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use crate::search::BaseCost;
use std::vec::Vec;

const RULES: [DiagonalRule; 3] = [DiagonalRule::NoCornerCutting, DiagonalRule::NoSqueezing, DiagonalRule::AllowAll];

fn movement_of(moves: Moves) -> Movement {
    let connectivity = if moves.eight { Connectivity::Eight } else { Connectivity::Four };
    Movement { agent_size: moves.size as u8, connectivity, diagonals: RULES[moves.rule] }
}

fn def_of(mode: ReplanMode, moves: Moves) -> GridReplannerDef {
    GridReplannerDef { mode, movement: movement_of(moves), expansions: 2000, ..GridReplannerDef::d_star_lite(144) }
}

/// Runs a test with a replanner in memory of just the planned size, full of rubbish.
fn with_replanner<R>(def: &GridReplannerDef, work: impl FnOnce(&mut GridReplanner<'_>) -> R) -> R {
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    bytemuck::cast_slice_mut::<Grain, u8>(&mut region).fill(0xA7);
    let mut arena = Arena::new(&mut region);
    let mut planner = GridReplanner::new(def, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0, "a plan says what is taken");
    work(&mut planner)
}

/// A random change, made to the plain grid and listed as what to do to the others.
#[derive(Clone, Debug)]
enum Change {
    Cells(CellRect, Vec<u8>),
    Cost(u8, f64),
    Start(Cell),
    Goal(Cell),
    Nothing,
}

/// A map, its ends, and how it changes.
struct Story {
    plain: Plain,
    moves: Moves,
    start: Cell,
    goal: Cell,
    random: SplitMix64,
}

impl Story {
    fn new(seed: u64, moves: Moves) -> Story {
        let mut random = SplitMix64::new(seed);
        let (width, height) = (1 + random.below(11) as i32, 1 + random.below(11) as i32);
        let mut story = Story {
            plain: Plain {
                width,
                height,
                cells: std::vec![0; (width * height) as usize],
                costs: [1.0; 4].to_vec(),
                rest: 1.0,
            },
            moves,
            start: Cell::default(),
            goal: Cell::default(),
            random,
        };
        let walls = story.random.below(34);
        story.plain.cells = (0..width * height).map(|_| story.area(walls)).collect();
        if story.random.below(2) == 0 {
            story.plain.costs = (0..4).map(|_| story.cost()).collect();
        }
        (story.start, story.goal) = (story.cell(), story.cell());
        story
    }

    fn area(&mut self, walls: u64) -> u8 {
        if self.random.below(100) < walls { 255 } else { self.random.below(4) as u8 }
    }

    /// Some costs are no dyadic fractions, so that sums round.
    fn cost(&mut self) -> f64 {
        [0.25, 0.5, 1.0, 1.1, 2.0, 3.3, 4.0][self.random.below(7) as usize]
    }

    /// A cell, most often one that can be stood on.
    fn cell(&mut self) -> Cell {
        let (width, height) = (self.plain.width as u64, self.plain.height as u64);
        let mut pick = || Cell::new(self.random.below(width) as i32, self.random.below(height) as i32);
        let tries = [pick(), pick(), pick(), pick()];
        tries.into_iter().find(|cell| self.plain.stands(cell.x, cell.y, self.moves.size)).unwrap_or(tries[0])
    }

    /// `path` is the one that the agent is on.
    fn next(&mut self, path: &[Cell]) -> Change {
        match self.random.below(20) {
            0 => Change::Nothing,
            1 => Change::Goal(self.cell()),
            2 => Change::Cost(self.random.below(4) as u8, self.cost()),
            3 => Change::Start(self.cell()),
            4..9 if !path.is_empty() => {
                let last = path.len() as u64;
                Change::Start(path[self.random.below(last.min(4)) as usize])
            }
            9..13 => {
                let corner = (self.random.below(self.plain.width as u64), self.random.below(self.plain.height as u64));
                let (x, y) = (corner.0 as i32, corner.1 as i32);
                let width = 1 + self.random.below((self.plain.width - x).min(4) as u64) as i32;
                let height = 1 + self.random.below((self.plain.height - y).min(4) as u64) as i32;
                let walls = [0, 30, 100][self.random.below(3) as usize];
                let areas = (0..width * height).map(|_| self.area(walls)).collect();
                Change::Cells(CellRect::new(x, y, width, height), areas)
            }
            _ => {
                let on_path = self.random.below(2) == 0 && path.len() > 2;
                let cell =
                    if on_path { path[1 + self.random.below(path.len() as u64 - 2) as usize] } else { self.cell() };
                let area = self.area(40);
                Change::Cells(CellRect::of(cell), [area].to_vec())
            }
        }
    }

    /// Makes a change to the plain grid.
    fn make(&mut self, change: &Change) {
        match change {
            Change::Cells(rect, areas) => {
                for (cell, &area) in rect.cells().zip(areas) {
                    self.plain.cells[(cell.y * self.plain.width + cell.x) as usize] = area;
                }
            }
            Change::Cost(area, cost) => self.plain.costs[*area as usize] = *cost,
            Change::Start(cell) => self.start = *cell,
            Change::Goal(cell) => self.goal = *cell,
            Change::Nothing => {}
        }
    }

    fn grid_def(&self, journal: u32) -> GridDef {
        let (width, height) = (self.plain.width as u32, self.plain.height as u32);
        GridDef { area_costs: 4, journal, clearance: journal != 1, ..GridDef::of_size(width, height) }
    }

    fn load(&self, grid: &mut Grid<'_>) {
        grid.set_rect_areas(CellRect::new(0, 0, self.plain.width, self.plain.height), &self.plain.cells).unwrap();
        for (area, &cost) in self.plain.costs.iter().enumerate() {
            grid.set_area_cost(area as u8, cost).unwrap();
        }
    }

    fn stands(&self, cell: Cell) -> bool {
        self.plain.stands(cell.x, cell.y, self.moves.size)
    }

    /// Adds a path's steps up, each of which must be legal.
    fn checked_sum(&self, cells: &[Cell]) -> f64 {
        let steps = cells.windows(2).map(|pair| {
            let [from, to] = [pair[0], pair[1]].map(|cell| (cell.x, cell.y));
            self.plain.step(self.moves, from, to).expect("a step of the path is no legal move")
        });
        steps.fold(0.0, |sum, step| sum + step)
    }
}

/// Makes a change to a grid and a replanner over it.
fn make(change: &Change, grid: &mut Grid<'_>, planner: &mut GridReplanner<'_>) {
    match change {
        Change::Cells(rect, areas) => drop(grid.set_rect_areas(*rect, areas).unwrap()),
        Change::Cost(area, cost) => grid.set_area_cost(*area, *cost).unwrap(),
        Change::Start(cell) => planner.move_start(grid, *cell).unwrap(),
        Change::Goal(cell) => planner.set_goal(grid, *cell).unwrap(),
        Change::Nothing => {}
    }
}

/// Everything that a replan leaves to be seen.
fn all_of(planner: &GridReplanner<'_>) -> (GridOutcome, Vec<Cell>, Vec<Cell>) {
    let path = planner.path();
    (path.outcome(), path.cells().to_vec(), path.expanded_cells().collect())
}

/// `rhs` of every node has the bits of the full minimum, and just those nodes wait whose costs disagree.
fn assert_costs_hold(grid: &Grid<'_>, planner: &GridReplanner<'_>, movement: Movement) {
    let topology = grid.topology(movement).unwrap();
    let search = planner.search();
    let world = ReplanWorld { topology: &topology, cost: &BaseCost, heuristic: &() };
    for node in 0..grid.cell_count() as u32 {
        let costs = search.costs[node as usize];
        assert_eq!(costs.rhs.to_bits(), search.full_minimum(&world, node).to_bits(), "rhs of {node}");
        let waits = search.queue.nodes().contains(&node);
        assert_eq!(waits, !tolerance::is_same(costs.g, costs.rhs), "{node} waits");
    }
}
