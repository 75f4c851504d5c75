//! The specialised jump point search as bytes, and back (`grids-state.md`, "GridSearch", mode 3).
//!
//! A hop adds steps, so a parent costs less than its child and no circle can be. All is checked before anything changes; which
//! open cells have an entry is marked meanwhile in a bit that no count of steps reaches, and cleared again.

use super::frontier::NO_LEVEL;
use super::rules::direction_of;
use super::search::{JumpOptions, JumpRecord, JumpSearch, Pruning};
use crate::bytes::{Reader, Sink};
use crate::error::{Error, Result, Subject};
use crate::grid::octile::{OctileProgress, Pair, check};
use crate::grid::{Cell, Grid};
use crate::search::{FloatEntry, NO_NODE, SearchStatus};

/// A visited cell: its number, its straight and its diagonal steps, its parent, and flags: closed, and the direction of
/// arrival.
const CELL: usize = 17;
/// An entry of the heap: `f`, the cell, and the complement of the cost so far as a float.
const ENTRY: usize = 16;
/// The bits of a level before the first pop: the number that is none, as the processors write it on which the format grew up.
const SAVED_NO_LEVEL: u64 = 0xFFF8_0000_0000_0000;

/// Saved bytes of a search that were checked, and wait to be taken over.
#[derive(Clone, Copy, Debug)]
pub(in crate::grid) struct CheckedJumps<'a> {
    progress: OctileProgress,
    visited: &'a [[u8; CELL]],
    level: u64,
    heap: &'a [[u8; ENTRY]],
    stack: &'a [[u8; 4]],
}

#[derive(Clone, Copy)]
struct Visited {
    cell: u32,
    pair: Pair,
    parent: u32,
    flags: u8,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}

fn visited(bytes: &[u8; CELL]) -> Visited {
    let pair = Pair { straight: word(bytes, 4), diagonal: word(bytes, 8) };
    Visited { cell: word(bytes, 0), pair, parent: word(bytes, 12), flags: bytes[16] }
}

fn entry(bytes: &[u8; ENTRY]) -> FloatEntry {
    let f = f64::from_bits(u64::from(word(bytes, 4)) << 32 | u64::from(word(bytes, 0)));
    FloatEntry::new(f, word(bytes, 12), word(bytes, 8))
}

fn find(list: &[[u8; CELL]], cell: u32) -> Option<Visited> {
    let at = list.binary_search_by_key(&cell, |bytes| visited(bytes).cell).ok()?;
    list.get(at).map(visited)
}

impl Visited {
    fn is_closed(&self) -> bool {
        self.flags & 1 != 0
    }
}

impl JumpSearch<'_> {
    /// Writes the search as it stands on a grid of so many cells.
    pub(in crate::grid) fn save(&self, cells: usize, out: &mut impl Sink) {
        self.progress.save(out);
        let opened = self.generation << 4;
        let reached = || (0u32..).zip(&self.records[..cells]).filter(|(_, record)| record.tag >= opened);
        out.u32(reached().count() as u32);
        for (cell, record) in reached() {
            out.u32(cell);
            out.u32(record.straight);
            out.u32(record.diagonal);
            out.u32(record.parent);
            out.u8((record.tag & 15) as u8);
        }
        out.u64(if self.frontier.level == NO_LEVEL { SAVED_NO_LEVEL } else { self.frontier.level });
        out.u32(self.frontier.heap.len() as u32);
        for entry in self.frontier.heap.entries() {
            out.f64(entry.cost());
            out.u32(entry.node());
            out.u32(entry.sequence());
        }
        out.u32(self.frontier.stack().len() as u32);
        self.frontier.stack().iter().for_each(|&cell| out.u32(cell));
    }

    /// Reads and checks a saved search. Nothing changes, though marks come and go.
    pub(in crate::grid) fn check_saved<'a>(
        &mut self,
        grid: &Grid<'_>,
        is_zero: bool,
        reader: &mut Reader<'a>,
    ) -> Result<CheckedJumps<'a>> {
        let progress = OctileProgress::read(reader, grid.cell_count() as u32, is_zero)?;
        let count = reader.count(CELL, Subject::StateNode)?;
        let list = reader.bytes(count * CELL)?.as_chunks::<CELL>().0;
        check_visited(grid, &progress, list, reader)?;
        reader.section(Subject::StateQueue);
        let level = reader.u64()?;
        let is_fresh = f64::from_bits(level).is_nan();
        check(reader, is_fresh == (progress.iterations == 0) && (is_fresh || f64::from_bits(level) >= 0.0))?;
        let count = reader.count(ENTRY, Subject::StateQueue)?;
        let heap = reader.bytes(count * ENTRY)?.as_chunks::<ENTRY>().0;
        let count = reader.count(4, Subject::StateQueue)?;
        let stack = reader.bytes(count * 4)?.as_chunks::<4>().0;
        let room = self.frontier.capacity();
        if heap.len() > room || stack.len() > room {
            let most = heap.len().max(stack.len());
            return Err(Error::capacity(Subject::OpenEntries, room).value(most as f64));
        }
        let level = if is_fresh { NO_LEVEL } else { level };
        let checked = CheckedJumps { progress, visited: list, level, heap, stack };
        check_entries(&checked, reader)?;
        self.check_that_all_wait(&checked, reader)?;
        Ok(checked)
    }

    /// Every open cell has an entry.
    fn check_that_all_wait(&mut self, checked: &CheckedJumps<'_>, reader: &mut Reader<'_>) -> Result<()> {
        let entries = checked.heap.iter().map(|bytes| entry(bytes).node());
        for cell in entries.chain(checked.stack.iter().map(|bytes| u32::from_le_bytes(*bytes))) {
            self.records[cell as usize].straight |= MARK;
        }
        let list = || checked.visited.iter().map(visited);
        let lost =
            list().position(|known| !known.is_closed() && self.records[known.cell as usize].straight & MARK == 0);
        list().for_each(|known| self.records[known.cell as usize].straight &= !MARK);
        if let Some(index) = lost {
            reader.element(Subject::StateNode, index);
        }
        check(reader, lost.is_none())
    }

    /// Takes over what was checked.
    pub(in crate::grid) fn take_over(&mut self, grid: &Grid<'_>, checked: &CheckedJumps<'_>) -> Result<()> {
        let progress = checked.progress;
        let options = JumpOptions { is_zero: progress.is_zero, pruning: Pruning::Standard };
        self.begin(grid, grid.cell_of(progress.start), grid.cell_of(progress.goal), options)?;
        self.progress = progress;
        let opened = self.generation << 4;
        for Visited { cell, pair, parent, flags } in checked.visited.iter().map(visited) {
            let tag = opened | u32::from(flags);
            let (straight, diagonal) = (pair.straight, pair.diagonal);
            self.records[cell as usize] = JumpRecord { straight, diagonal, parent, tag };
        }
        let stack = checked.stack.iter().map(|bytes| u32::from_le_bytes(*bytes));
        self.frontier.restore(checked.heap.iter().map(entry), stack, checked.level);
        Ok(())
    }
}

/// Above every count of steps.
const MARK: u32 = 1 << 31;

fn check_visited(
    grid: &Grid<'_>,
    progress: &OctileProgress,
    list: &[[u8; CELL]],
    reader: &mut Reader<'_>,
) -> Result<()> {
    let (mut least, mut closed) = (0, 0);
    for (index, known) in list.iter().map(visited).enumerate() {
        reader.element(Subject::StateNode, index);
        check(reader, known.cell >= least && (known.cell as usize) < grid.cell_count() && known.flags < 16)?;
        least = known.cell + 1;
        closed += u64::from(known.is_closed());
        let is_reached = match known.cell == progress.start {
            true => {
                let is_popped = known.is_closed() || progress.iterations == 0;
                known.pair == Pair::default() && known.parent == NO_NODE && is_popped
            }
            false => find(list, known.parent).is_some_and(|parent| is_hop(grid, &parent, &known)),
        };
        check(reader, is_reached && grid.is_walkable(grid.cell_of(known.cell)))?;
    }
    reader.section(Subject::State);
    let goal = find(list, progress.goal).filter(Visited::is_closed);
    let is_found = progress.status == SearchStatus::Found;
    let is_right = match goal {
        Some(goal) => is_found && goal.pair == progress.path,
        None => !is_found,
    };
    let is_counted = progress.iterations == closed && progress.expanded == closed - u64::from(is_found && closed > 0);
    check(reader, is_right && is_counted && find(list, progress.start).is_some())
}

/// Whether a cell lies on a line from a closed one, which costs as many steps less as lie between.
fn is_hop(grid: &Grid<'_>, parent: &Visited, known: &Visited) -> bool {
    let [from, to]: [Cell; 2] = [parent.cell, known.cell].map(|cell| grid.cell_of(cell));
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let is_line = dx == 0 || dy == 0 || dx.abs() == dy.abs();
    let direction = (known.flags >> 1 & 7) as usize;
    // No way has so many steps; with fewer the sum does not overflow.
    let is_sane = |pair: Pair| pair.straight < MARK && pair.diagonal < MARK;
    if !is_sane(parent.pair) || !is_sane(known.pair) {
        return false;
    }
    let grown = parent.pair.plus_octile(dx.unsigned_abs(), dy.unsigned_abs());
    parent.is_closed() && is_line && direction_of(dx, dy) == Some(direction) && grown == known.pair
}

/// The heap is one, and every entry names a visited cell.
fn check_entries(checked: &CheckedJumps<'_>, reader: &mut Reader<'_>) -> Result<()> {
    for (index, waiting) in checked.heap.iter().map(entry).enumerate() {
        reader.element(Subject::StateQueue, index);
        let above = index.checked_sub(1).map(|at| entry(&checked.heap[at / 4]));
        let is_heap = !above.is_some_and(|above| crate::search::Entry::before(&waiting, &above));
        let is_number = waiting.cost() >= 0.0 && waiting.cost().is_sign_positive();
        check(reader, is_heap && is_number && find(checked.visited, waiting.node()).is_some())?;
    }
    for (index, bytes) in checked.stack.iter().enumerate() {
        reader.element(Subject::StateQueue, index);
        check(reader, find(checked.visited, u32::from_le_bytes(*bytes)).is_some())?;
    }
    reader.section(Subject::StateQueue);
    let is_empty = checked.heap.is_empty() && checked.stack.is_empty();
    check(reader, is_empty || checked.progress.status != SearchStatus::NotFound)?;
    check(reader, checked.stack.is_empty() || checked.level != NO_LEVEL)
}
