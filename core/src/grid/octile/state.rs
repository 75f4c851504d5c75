//! The specialised A* as bytes, and back (`grids-state.md`, "GridSearch", mode 1), and what the specialised jump point search
//! shares with it.
//!
//! Costs are exact and every step adds one, so a parent costs less than its child and no circle can be: all is checked on the
//! bytes alone, before anything changes. The cells that wait are those that are not closed.

use super::Pair;
use super::form::{Form, Reached};
use super::search::{Aim, OctileProgress, OctileSearch};
use crate::bytes::{Reader, Sink};
use crate::error::{Error, Result, Subject};
use crate::grid::{Cell, STEPS, SquareTopology, moves::opposite};
use crate::search::SearchStatus;

/// A visited cell: its number, its straight and its diagonal steps, and flags: closed, and the step of arrival, whose number
/// is that of the direction back to the parent as the format counts them.
const CELL: usize = 13;

/// Saved bytes of a search that were checked, and wait to be taken over.
#[derive(Clone, Copy, Debug)]
pub struct CheckedOctile<'a> {
    progress: OctileProgress,
    visited: &'a [[u8; CELL]],
    /// The place in the list of the waiting cell that comes first.
    first: Option<usize>,
}

/// What waits lies within two diagonal steps of what was popped last; with a frontier of four steps around, 3 is surely
/// enough and never too much.
const WIDEST: f64 = 3.0;

#[derive(Clone, Copy)]
struct Visited {
    cell: u32,
    pair: Pair,
    flags: u8,
}

fn visited(bytes: &[u8; CELL]) -> Visited {
    let [c0, c1, c2, c3, a0, a1, a2, a3, b0, b1, b2, b3, flags] = *bytes;
    let pair = Pair { straight: u32::from_le_bytes([a0, a1, a2, a3]), diagonal: u32::from_le_bytes([b0, b1, b2, b3]) };
    Visited { cell: u32::from_le_bytes([c0, c1, c2, c3]), pair, flags }
}

impl Visited {
    fn is_closed(&self) -> bool {
        self.flags & 1 != 0
    }

    fn arrival(&self) -> usize {
        (self.flags >> 1 & 7) as usize
    }
}

fn find(list: &[[u8; CELL]], cell: u32) -> Option<Visited> {
    let at = list.binary_search_by_key(&cell, |bytes| visited(bytes).cell).ok()?;
    list.get(at).map(visited)
}

/// Refuses what was read last unless all is well with it.
pub(in crate::grid) fn check(reader: &Reader<'_>, is_well: bool) -> Result<()> {
    if is_well { Ok(()) } else { Err(reader.refuse()) }
}

impl OctileProgress {
    /// Writes the fields that both specialised searches begin with.
    pub(in crate::grid) fn save(&self, out: &mut impl Sink) {
        out.u8(self.status as u8);
        out.u8(self.is_zero.into());
        out.u32(self.start);
        out.u32(self.goal);
        // The format's counters are signed and of 32 bits.
        out.i32(i32::try_from(self.expanded).unwrap_or(i32::MAX));
        out.i32(i32::try_from(self.iterations).unwrap_or(i32::MAX));
        out.u32(self.path.straight);
        out.u32(self.path.diagonal);
    }

    /// Reads them back, for a grid of `cells` cells and a search with or without an estimate.
    pub(in crate::grid) fn read(reader: &mut Reader<'_>, cells: u32, is_zero: bool) -> Result<OctileProgress> {
        reader.section(Subject::State);
        let status = match reader.u8()? {
            1 => SearchStatus::Running,
            2 => SearchStatus::Found,
            3 => SearchStatus::NotFound,
            other => return Err(reader.refuse().value(f64::from(other))),
        };
        reader.section(Subject::Heuristic);
        let found = reader.u8()?;
        check(reader, found == u8::from(is_zero))?;
        reader.section(Subject::State);
        let (start, goal) = (reader.u32()?, reader.u32()?);
        check(reader, start < cells && goal < cells)?;
        let (expanded, iterations) = (reader.i32()?, reader.i32()?);
        check(reader, expanded >= 0 && iterations >= 0)?;
        let path = Pair { straight: reader.u32()?, diagonal: reader.u32()? };
        let path = if status == SearchStatus::Found { path } else { Pair::default() };
        let (iterations, expanded) = (iterations as u64, expanded as u64);
        Ok(OctileProgress { status, is_zero, start, goal, iterations, expanded, path })
    }
}

impl<F: Form> OctileSearch<F> {
    /// Writes the search as it stands on a grid of so many cells.
    pub(in crate::grid) fn save(&self, cells: usize, out: &mut impl Sink) {
        self.progress().save(out);
        let reached = || (0..cells as u32).filter_map(|cell| Some((cell, self.form().reached(cell)?)));
        out.u32(reached().count() as u32);
        for (cell, reached) in reached() {
            out.u32(cell);
            out.u32(reached.pair.straight);
            out.u32(reached.pair.diagonal);
            out.u8((reached.arrival << 1) as u8 | u8::from(reached.is_closed));
        }
    }

    /// Reads and checks a saved search. Nothing changes.
    pub(in crate::grid) fn check_saved<'a>(
        &self,
        topology: &SquareTopology<'_>,
        is_zero: bool,
        reader: &mut Reader<'a>,
    ) -> Result<CheckedOctile<'a>> {
        let cells = (topology.width() * topology.height()) as u32;
        let progress = OctileProgress::read(reader, cells, is_zero)?;
        let count = reader.count(CELL, Subject::StateNode)?;
        let list = reader.bytes(count * CELL)?.as_chunks::<CELL>().0;
        let mut least = 0;
        for (index, known) in list.iter().map(visited).enumerate() {
            reader.element(Subject::StateNode, index);
            check(reader, known.cell >= least && known.cell < cells && known.flags < 16)?;
            least = known.cell + 1;
            check(reader, is_reached(topology, &progress, list, known))?;
        }
        reader.section(Subject::State);
        let goal = find(list, progress.goal).filter(Visited::is_closed);
        let is_found = goal.is_some_and(|goal| goal.pair == progress.path);
        let is_well = match progress.status {
            SearchStatus::Found => is_found,
            _ => goal.is_none(),
        };
        check(reader, is_well && find(list, progress.start).is_some())?;
        let first = self.check_waiting(topology, &progress, list, reader)?;
        check(reader, first.is_none() || progress.status != SearchStatus::NotFound)?;
        Ok(CheckedOctile { progress, visited: list, first })
    }

    /// The place of the first of those that wait, which must not be too many and not too far apart.
    fn check_waiting(
        &self,
        topology: &SquareTopology<'_>,
        progress: &OctileProgress,
        list: &[[u8; CELL]],
        reader: &mut Reader<'_>,
    ) -> Result<Option<usize>> {
        let aim = Aim::new(topology.width() as u32, progress.goal, progress.is_zero);
        let f_of = |known: &Visited| aim.total(known.pair, aim.position(known.cell)).cost();
        let (mut count, mut first, mut range) = (0, None, [f64::INFINITY, 0.0]);
        for (at, known) in list.iter().map(visited).enumerate().filter(|(_, known)| !known.is_closed()) {
            let f = f_of(&known);
            count += 1;
            if f < range[0] {
                (first, range[0]) = (Some(at), f);
            }
            range[1] = crate::math::max(range[1], f);
        }
        if count > self.form().capacity() {
            return Err(Error::capacity(Subject::OpenEntries, self.form().capacity()).value(count as f64));
        }
        check(reader, first.is_none() || range[1] - range[0] <= WIDEST)?;
        Ok(first)
    }

    /// Takes over what was checked.
    pub(in crate::grid) fn take_over(&mut self, width: u32, checked: &CheckedOctile<'_>) {
        let CheckedOctile { progress, visited: list, first } = *checked;
        self.begin(width, progress.start, progress.goal, progress.is_zero);
        self.stand(progress);
        for known in list.iter().map(visited) {
            let (pair, arrival, is_closed) = (known.pair, known.arrival(), known.is_closed());
            self.note(known.cell, Reached { pair, arrival, is_closed });
        }
        // Any order gives the same pops, but nothing may wait before what is pushed first.
        let others = (0..list.len()).filter(|&at| Some(at) != first);
        for known in first.into_iter().chain(others).filter_map(|at| list.get(at)).map(visited) {
            if !known.is_closed() {
                self.wait(known.cell, known.pair);
            }
        }
    }
}

/// Whether a visited cell is the start, or one step from a closed cell that costs one step less.
fn is_reached(topology: &SquareTopology<'_>, progress: &OctileProgress, list: &[[u8; CELL]], known: Visited) -> bool {
    if known.cell == progress.start {
        return known.pair == Pair::default() && topology.fits(cell_of(topology, known.cell));
    }
    let step = known.arrival();
    let (here, (dx, dy)) = (cell_of(topology, known.cell), STEPS[step]);
    let from = Cell::new(here.x - dx, here.y - dy);
    if !topology.fits(from) {
        return false;
    }
    let parent = topology.neighbor(known.cell, opposite(step));
    topology.steps_at(parent, from.x, from.y) >> step & 1 != 0
        && find(list, parent).is_some_and(|parent| parent.is_closed() && is_after(parent.pair, step, known.pair))
}

fn is_after(before: Pair, step: usize, after: Pair) -> bool {
    let one_more = |count: u32, more: usize| count.checked_add(more as u32);
    one_more(before.straight, 1 - (step >> 2)) == Some(after.straight)
        && one_more(before.diagonal, step >> 2) == Some(after.diagonal)
}

fn cell_of(topology: &SquareTopology<'_>, node: u32) -> Cell {
    topology.position(node).into()
}
