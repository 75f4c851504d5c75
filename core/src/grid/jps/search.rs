//! The specialised jump point search with exact costs (`grids.md`, "The specialised octile searches").

use super::frontier::JumpFrontier;
use super::jumper::{Jumper, Spot};
use super::rules::{SUCCESSORS, legal_steps, parts_of};
use super::walk::walk_back;
use crate::error::{Error, Result, Subject};
use crate::grid::octile::{Aim, OctileProgress, Pair};
use crate::grid::{Cell, Grid, MAX_CELLS};
use crate::memory::{Arena, Plan, Pod, Ruler, Zeroable};
use crate::search::{Expansions, FloatEntry, NO_NODE, PathStatus, SearchStatus};

/// What a [`JumpSearch`] is made from.
///
/// Bytes: 16 a cell, 20 an open entry, 4 a recorded expansion, each array rounded up to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JumpSearchDef {
    /// The most cells of a grid that is searched, 1 to 2^28.
    pub cells: u32,
    /// The most jump points that may wait, 1 to 2^28; as many as `cells` never run out, and far fewer seldom do.
    pub open: u32,
    /// How many expanded nodes are remembered, for those who want to see them; usually 0.
    pub expansions: u32,
}

impl JumpSearchDef {
    /// A search that never runs out of memory on grids of up to that many cells.
    pub const fn of_cells(cells: u32) -> JumpSearchDef {
        JumpSearchDef { cells, open: cells, expansions: 0 }
    }

    /// The memory that the search takes.
    pub const fn plan(&self) -> Plan {
        Ruler::new()
            .array::<JumpRecord>(self.cells as usize)
            .array::<FloatEntry>(self.open as usize)
            .array::<u32>(self.open as usize)
            .array::<u32>(self.expansions as usize)
            .plan()
    }

    /// Refuses a limit out of its range, by name.
    pub(crate) fn validate(&self) -> Result<()> {
        for (value, subject) in [(self.cells, Subject::Cell), (self.open, Subject::OpenEntries)] {
            if value == 0 {
                return Err(Error::invalid(subject).value(0.0));
            }
        }
        let limits =
            [(self.cells, Subject::Cell), (self.open, Subject::OpenEntries), (self.expansions, Subject::Expansions)];
        for (value, subject) in limits {
            if u64::from(value) > MAX_CELLS {
                return Err(Error::limit(subject).value(f64::from(value)).bound(MAX_CELLS as f64));
            }
        }
        Ok(())
    }
}

/// Which nodes a diagonal run makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pruning {
    /// The cells of it from which a straight jump leads on.
    #[default]
    Standard,
    /// None: what its straight jumps lead to is reached from the run's start at once. Far fewer nodes, the same costs.
    ///
    /// *Experimental:* it may change or go, until a comparison on every benchmark map shows it to be as fast as what it
    /// is measured against. (Harabor and Grastien 2014, "Improved Pruning Rules".)
    Improved,
}

/// What is asked of a [`JumpSearch`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JumpOptions {
    /// Whether to search without an estimate, as Dijkstra's algorithm does.
    pub is_zero: bool,
    /// Which nodes a diagonal run makes.
    pub pruning: Pruning,
}

/// A jump point: the cheapest way found, and a tag of `generation << 4 | direction of arrival << 1 | closed`. A tag below
/// the present generation's is an earlier search's.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct JumpRecord {
    pub straight: u32,
    pub diagonal: u32,
    pub parent: u32,
    pub tag: u32,
}

const LAST_GENERATION: u32 = (1 << 28) - 1;

impl JumpRecord {
    #[inline]
    const fn pair(&self) -> Pair {
        Pair { straight: self.straight, diagonal: self.diagonal }
    }

    const fn is_closed(&self) -> bool {
        self.tag & 1 != 0
    }
}

/// Jump point search with exact costs, over any [`Jumper`]: JPS over a [`BlockJumper`](super::BlockJumper), JPS+ over a
/// [`TableJumper`](super::TableJumper).
///
/// Ways are priced by their straight and diagonal steps, so that equal ones tie exactly; of nodes with the `f` that was
/// popped last, those found last come first. One iteration pops one jump point; any budgets give what one run gives.
///
/// ```
/// use navarena::grid::jps::{BlockJumper, JumpMap, JumpMapDef, JumpOptions, JumpSearch, JumpSearchDef};
/// use navarena::grid::{Cell, Grid, GridDef};
/// use navarena::memory::{Arena, Grain};
/// use navarena::search::SearchStatus;
///
/// let picture = "........\n.#####..\n.#...#..\n.#.#.#..\n...#....\n";
/// let grid_def = GridDef::of_picture(picture)?;
/// let map_def = JumpMapDef { width: 8, height: 5, blocks: true, tables: false };
/// let def = JumpSearchDef::of_cells(40);
/// let grains = grid_def.plan().grains() + map_def.plan().grains() + def.plan().grains();
/// let mut region = vec![Grain::ZERO; grains];
/// let mut arena = Arena::new(&mut region);
/// let grid = Grid::from_picture(picture, &grid_def, &mut arena)?;
/// let mut map = JumpMap::new(&map_def, &mut arena)?;
/// let mut search = JumpSearch::new(&def, &mut arena)?;
///
/// map.refresh_blocks(&grid)?;
/// search.begin(&grid, (0, 0), (4, 3), JumpOptions::default())?;
/// assert_eq!(search.step(&BlockJumper(&map), u64::MAX)?, SearchStatus::Found);
/// assert_eq!((search.path_steps().cost(), search.path_back().count()), (11.0, 12));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct JumpSearch<'m> {
    pub(super) records: &'m mut [JumpRecord],
    pub(super) frontier: JumpFrontier<'m>,
    expansions: Expansions<'m>,
    pub(super) generation: u32,
    aim: Aim,
    width: u32,
    pruning: Pruning,
    pub(super) progress: OctileProgress,
}

/// A node that is being expanded, and the cell it stands on.
#[derive(Clone, Copy)]
struct Node {
    at: Spot,
    way: Pair,
}

impl<'m> JumpSearch<'m> {
    /// A search with the limits of its def.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`JumpSearchDef::plan`] says.
    pub fn new(def: &JumpSearchDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        Ok(JumpSearch {
            records: arena.take_zeroed(def.cells as usize)?,
            frontier: JumpFrontier::over(arena.take(def.open as usize)?, arena.take(def.open as usize)?),
            expansions: Expansions::over(arena.take(def.expansions as usize)?),
            generation: 0,
            aim: Aim::default(),
            width: 1,
            pruning: Pruning::Standard,
            progress: OctileProgress::NONE,
        })
    }

    /// Begins between two cells. Gives [`PathStatus::InProgress`], or [`StartInvalid`](PathStatus::StartInvalid) or
    /// [`GoalInvalid`](PathStatus::GoalInvalid) for a cell that is no ground; a search that is running then goes on.
    ///
    /// # Errors
    /// A grid of more cells than the def's.
    pub fn begin(
        &mut self,
        grid: &Grid<'_>,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
        options: JumpOptions,
    ) -> Result<PathStatus> {
        if grid.cell_count() > self.records.len() {
            return Err(Error::capacity(Subject::Cell, self.records.len()).value(grid.cell_count() as f64));
        }
        let node_of = |cell: Cell| grid.index_of(cell).filter(|_| grid.is_walkable(cell));
        let Some(start) = node_of(start.into()) else { return Ok(PathStatus::StartInvalid) };
        let Some(goal) = node_of(goal.into()) else { return Ok(PathStatus::GoalInvalid) };
        if self.generation == LAST_GENERATION {
            self.records.fill(JumpRecord::zeroed());
            self.generation = 0;
        }
        self.generation += 1;
        self.width = grid.width() as u32;
        self.aim = Aim::new(self.width, goal, options.is_zero);
        self.pruning = options.pruning;
        let status = SearchStatus::Running;
        self.progress = OctileProgress { status, is_zero: options.is_zero, start, goal, ..OctileProgress::NONE };
        self.frontier.clear();
        self.expansions.clear();
        let pair = Pair::default();
        self.records[start as usize] =
            JumpRecord { parent: NO_NODE, tag: self.generation << 4, ..JumpRecord::default() };
        let _ = self.frontier.push(start, pair, self.aim.total(pair, self.aim.position(start))); // there is room for one
        Ok(PathStatus::InProgress)
    }

    /// Goes on by at most `budget` pops of jump points. The jumper must be one of the grid it began with, unchanged since.
    /// A search that has ended stays as it is.
    ///
    /// # Errors
    /// More jump points wait than the def's `open`: the search is over, without a result.
    pub fn step<J: Jumper>(&mut self, jumper: &J, budget: u64) -> Result<SearchStatus> {
        let mut left = budget;
        while left > 0 && self.progress.status == SearchStatus::Running {
            let Some(number) = self.frontier.pop() else {
                self.progress.status = SearchStatus::NotFound;
                break;
            };
            let record = &mut self.records[number as usize];
            if record.is_closed() {
                continue; // an entry of older keys
            }
            left -= 1;
            self.progress.iterations += 1;
            record.tag |= 1;
            let (way, arrival) = (record.pair(), (record.tag >> 1 & 7) as usize);
            if number == self.progress.goal {
                self.progress.status = SearchStatus::Found;
                self.progress.path = way;
                break;
            }
            self.progress.expanded += 1;
            self.expansions.note(number);
            let around = jumper.around(number);
            let directions = match number == self.progress.start {
                true => legal_steps(around),
                false => SUCCESSORS[arrival][around as usize],
            };
            let (x, y) = self.aim.position(number);
            if !self.expand(jumper, Node { at: Spot { node: number, x, y }, way }, directions) {
                self.progress = OctileProgress::NONE;
                return Err(Error::capacity(Subject::OpenEntries, self.frontier.capacity()));
            }
        }
        Ok(self.progress.status)
    }

    /// Jumps in each of the directions, in their order. `false` when the frontier is full.
    #[inline]
    fn expand<J: Jumper>(&mut self, jumper: &J, node: Node, mut directions: u8) -> bool {
        let (x, y) = self.aim.goal();
        let goal = Spot { node: self.progress.goal, x, y };
        let mut has_room = true;
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize;
            directions &= directions - 1;
            if direction >= 4 && self.pruning == Pruning::Improved {
                has_room &= self.offer_run(jumper, &node, direction, goal);
            } else if let Some(steps) = jumper.jump(node.at, direction, goal) {
                let at = node.at.after(direction, steps, self.width);
                has_room &= self.offer(node.at.node, at, node.way.after_run(direction, steps), direction);
            }
        }
        has_room
    }

    /// Offers what the straight jumps from the cells of a diagonal run lead to, and a goal on the run itself. At each cell
    /// the part before the diagonal in clockwise order comes first.
    fn offer_run<J: Jumper>(&mut self, jumper: &J, node: &Node, diagonal: usize, goal: Spot) -> bool {
        let (one, other) = parts_of(diagonal);
        let (mut at, mut way) = (node.at, node.way);
        let mut has_room = true;
        while let Some(steps) = jumper.next_turn(at, diagonal, goal) {
            at = at.after(diagonal, steps, self.width);
            way = way.after_run(diagonal, steps);
            if at.node == goal.node {
                // What lies behind the goal costs more than the goal itself: nothing there can come before it.
                return has_room & self.offer(node.at.node, at, way, diagonal);
            }
            for part in [one, other] {
                if let Some(steps) = jumper.jump(at, part, goal) {
                    let end = at.after(part, steps, self.width);
                    has_room &= self.offer(node.at.node, end, way.after_run(part, steps), part);
                }
            }
        }
        has_room
    }

    /// Notes a way to a cell if it is the first or a cheaper one. `false` when the frontier is full.
    #[inline]
    fn offer(&mut self, parent: u32, at: Spot, way: Pair, arrival: usize) -> bool {
        let opened = self.generation << 4;
        let Some(record) = self.records.get_mut(at.node as usize) else { return true };
        // A closed node is final; strictly cheaper, so that of equal ways the first one found stays.
        let is_known = record.tag >= opened;
        if is_known && (record.is_closed() || way.cost() >= record.pair().cost()) {
            return true;
        }
        let tag = opened | (arrival as u32) << 1;
        *record = JumpRecord { straight: way.straight, diagonal: way.diagonal, parent, tag };
        let total = self.aim.total(way, (at.x, at.y));
        if self.frontier.push(at.node, way, total) {
            return true;
        }
        let (records, aim) = (&*self.records, &self.aim);
        self.frontier.tidy(|node| {
            let record = &records[node as usize];
            (!record.is_closed()).then(|| aim.total(record.pair(), aim.position(node)).cost())
        });
        self.frontier.push(at.node, way, total)
    }

    /// Its state.
    pub const fn status(&self) -> SearchStatus {
        self.progress.status
    }

    /// How many jump points were popped.
    pub const fn iterations(&self) -> u64 {
        self.progress.iterations
    }

    /// How many of them were expanded: all but the goal.
    pub const fn expanded(&self) -> u64 {
        self.progress.expanded
    }

    /// The steps of the way found, whose [`cost`](Pair::cost) times the areas' cost is what the way costs; none without
    /// one.
    pub const fn path_steps(&self) -> Pair {
        self.progress.path
    }

    /// The nodes expanded, in order, as far as the def's `expansions` hold them.
    pub fn expansions(&self) -> &[u32] {
        self.expansions.nodes()
    }

    /// The jump points of the way found, from the goal back to the start; nothing without one.
    pub fn turns_back(&self) -> impl Iterator<Item = u32> + '_ {
        let first = (self.progress.status == SearchStatus::Found).then_some(self.progress.goal);
        let before =
            |&node: &u32| self.records.get(node as usize).map(|record| record.parent).filter(|&p| p != NO_NODE);
        core::iter::successors(first, before).take(self.records.len())
    }

    /// Every cell of the way found, from the goal back to the start.
    pub fn path_back(&self) -> impl Iterator<Item = u32> + '_ {
        walk_back(self.turns_back(), self.width)
    }
}
