//! A replanner's state in bytes, and back (`grids-state.md`, kinds 5 and 6, "Replan search").
//!
//! A restore reads twice: first it checks every byte against the rules of the format and against the replanner that reads
//! it, changing nothing, and only then takes over. What is checked is structure; costs are believed, as a copy of one's
//! own memory is. Costs that hold no path end in a typed error of the next replan, never in a loop without end.

use super::GridReplanner;
use super::queue::Costs;
use super::search::{ReplanProgress, ReplanSearch};
use crate::bytes::{Reader, Sink, StateKind, Writer, read_state_header, write_state_header};
use crate::error::{Error, Result, Subject};
use crate::grid::{Grid, GridAlgorithm, GridMark};
use crate::hash::Fnv1a;
use crate::search::PathStatus;

/// A node with its `g` and its `rhs`, and a queue entry with its keys: a number and two floats.
const RECORD: usize = 20;

/// Saved bytes of a search that were checked, and wait to be taken over.
#[derive(Debug)]
pub(super) struct Checked<'a> {
    progress: ReplanProgress,
    pending: &'a [u8],
    planned: &'a [u8],
    waiting: &'a [u8],
}

fn record(bytes: &[u8; RECORD]) -> (u32, [f64; 2]) {
    let [a, b, c, d, floats @ ..] = *bytes;
    let float =
        |at: usize| floats.get(at..).and_then(|rest| rest.first_chunk()).map_or(0.0, |bits| f64::from_le_bytes(*bits));
    (u32::from_le_bytes([a, b, c, d]), [float(0), float(8)])
}

fn records(bytes: &[u8]) -> impl ExactSizeIterator<Item = (u32, [f64; 2])> + '_ {
    bytes.as_chunks::<RECORD>().0.iter().map(record)
}

/// The costs of a node in a list of records whose numbers go up.
fn costs_of(planned: &[u8], node: u32) -> Option<Costs> {
    let list = planned.as_chunks::<RECORD>().0;
    let at = list.binary_search_by_key(&node, |bytes| record(bytes).0).ok()?;
    list.get(at).map(record).map(|(_, [g, rhs])| Costs { g, rhs })
}

impl ReplanSearch<'_> {
    /// Writes the state: all that later calls depend on.
    pub(super) fn save(&self, out: &mut impl Sink) {
        let progress = &self.progress;
        out.u32(progress.nodes);
        out.u8(progress.mode as u8);
        out.u32(progress.start);
        out.u32(progress.goal);
        out.u8(progress.is_planned.into());
        out.u8(progress.is_found.into());
        out.u64(progress.iterations);
        out.u64(progress.expanded);
        out.u32(progress.last_expanded);
        if !progress.is_planned {
            return;
        }
        out.f64(progress.key_modifier);
        out.u8(progress.has_overflown.into());
        out.u32(progress.pending);
        self.pending[..progress.pending as usize].iter().for_each(|&entry| out.u32(entry));
        let costs = &self.costs[..progress.nodes as usize];
        let planned = || costs.iter().enumerate().filter(|(_, costs)| costs.least() < f64::INFINITY);
        out.u32(planned().count() as u32);
        for (node, costs) in planned() {
            out.u32(node as u32);
            out.f64(costs.g);
            out.f64(costs.rhs);
        }
        out.u32(self.queue.nodes().len() as u32);
        for &node in self.queue.nodes() {
            out.u32(node);
            out.f64(self.queue.first_key(node));
            out.f64(self.costs[node as usize].least());
        }
    }

    /// Reads and checks a state of a world of `nodes` nodes. Nothing changes, though marks come and go.
    pub(super) fn check_saved<'a>(&mut self, reader: &mut Reader<'a>, nodes: u32) -> Result<Checked<'a>> {
        reader.section(Subject::State);
        let mode = self.progress.mode;
        if nodes as usize > self.costs.len() {
            return Err(Error::capacity(Subject::Nodes, self.costs.len()).value(f64::from(nodes)));
        }
        let found = reader.u32()?;
        if found != nodes {
            return Err(Error::format(Subject::Nodes).value(f64::from(found)).bound(f64::from(nodes)));
        }
        if reader.u8()? != mode as u8 {
            return Err(Error::format(Subject::Engine));
        }
        let mut progress = ReplanProgress {
            start: read_below(reader, nodes)?,
            goal: read_below(reader, nodes)?,
            is_planned: read_flag(reader)?,
            is_found: read_flag(reader)?,
            iterations: read_count(reader)?,
            expanded: read_count(reader)?,
            last_expanded: read_below(reader, 1 << 31)?,
            ..ReplanProgress::between(mode, nodes, 0, 0)
        };
        let mut checked = Checked { progress, pending: &[], planned: &[], waiting: &[] };
        if !progress.is_planned {
            return Ok(checked);
        }
        progress.key_modifier = reader.f64()?;
        if !(progress.key_modifier >= 0.0 && progress.key_modifier < f64::INFINITY) {
            return Err(reader.refuse().value(progress.key_modifier));
        }
        progress.has_overflown = read_flag(reader)?;
        checked.pending = self.check_pending(reader, nodes, progress.has_overflown)?;
        progress.pending = (checked.pending.len() / 4) as u32;
        checked.planned = check_planned(reader, nodes)?;
        checked.waiting = self.check_waiting(reader, nodes, checked.planned)?;
        checked.progress = progress;
        Ok(checked)
    }

    /// Takes over what was checked.
    pub(super) fn take_over(&mut self, checked: &Checked<'_>) {
        self.queue.clear();
        self.forget_path();
        self.expansions.clear();
        self.progress = checked.progress;
        if !self.progress.is_planned {
            return;
        }
        for (place, bytes) in self.pending.iter_mut().zip(checked.pending.as_chunks().0) {
            *place = u32::from_le_bytes(*bytes);
        }
        self.costs[..self.progress.nodes as usize].fill(Costs::NONE);
        for (node, [g, rhs]) in records(checked.planned) {
            self.costs[node as usize] = Costs { g, rhs };
        }
        records(checked.waiting).for_each(|(node, [first, _])| self.queue.restore(node, first));
    }

    fn check_pending<'a>(&self, reader: &mut Reader<'a>, nodes: u32, has_overflown: bool) -> Result<&'a [u8]> {
        let count = reader.count(4, Subject::Pending)?;
        let bound = if has_overflown { 0 } else { nodes as usize };
        if count > bound {
            return Err(Error::format(Subject::Pending).value(count as f64).bound(bound as f64));
        }
        if count > self.pending.len() {
            return Err(Error::capacity(Subject::Pending, self.pending.len()).value(count as f64));
        }
        let pending = reader.bytes(count * 4)?;
        for (at, bytes) in pending.as_chunks().0.iter().enumerate() {
            let entry = u32::from_le_bytes(*bytes);
            if entry >= nodes && !entry >= nodes {
                return Err(Error::format(Subject::Pending).at(at));
            }
        }
        Ok(pending)
    }

    fn check_waiting<'a>(&mut self, reader: &mut Reader<'a>, nodes: u32, planned: &[u8]) -> Result<&'a [u8]> {
        let count = reader.count(RECORD, Subject::StateQueue)?;
        let waiting = reader.bytes(count * RECORD)?;
        let mut marked = 0;
        let mut refused = None;
        for (at, (node, [first, second])) in records(waiting).enumerate() {
            let is_known = node < nodes
                && first >= 0.0
                && costs_of(planned, node).is_some_and(|costs| costs.least().to_bits() == second.to_bits());
            if !is_known || !self.queue.mark(node) {
                refused = Some(Error::format(Subject::StateQueue).at(at));
                break;
            }
            marked += 1;
        }
        records(waiting).take(marked).for_each(|(node, _)| self.queue.unmark(node));
        refused.map_or(Ok(waiting), Err)
    }
}

fn check_planned<'a>(reader: &mut Reader<'a>, nodes: u32) -> Result<&'a [u8]> {
    let count = reader.count(RECORD, Subject::StateNode)?;
    let planned = reader.bytes(count * RECORD)?;
    let mut least = 0;
    for (at, (node, [g, rhs])) in records(planned).enumerate() {
        let is_reached = g >= 0.0 && rhs >= 0.0 && (g < f64::INFINITY || rhs < f64::INFINITY);
        if node < least || node >= nodes || !is_reached {
            return Err(Error::format(Subject::StateNode).at(at));
        }
        least = node + 1;
    }
    Ok(planned)
}

fn read_flag(reader: &mut Reader<'_>) -> Result<bool> {
    match reader.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(reader.refuse().value(other.into()).bound(1.0)),
    }
}

fn read_below(reader: &mut Reader<'_>, end: u32) -> Result<u32> {
    let value = reader.u32()?;
    if value < end { Ok(value) } else { Err(reader.refuse().value(value.into()).bound(end.into())) }
}

fn read_count(reader: &mut Reader<'_>) -> Result<u64> {
    let value = reader.i64()?;
    u64::try_from(value).map_err(|_| reader.refuse().value(value as f64).bound(0.0))
}

impl GridReplanner<'_> {
    /// How many bytes [`save_state`](GridReplanner::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`save_state`](GridReplanner::save_state) but the buffer's.
    pub fn state_size(&mut self, grid: &Grid<'_>) -> Result<usize> {
        let mut out = Writer::counting();
        self.save_to(grid, &mut out)?;
        Ok(out.position())
    }

    /// Writes the state to the front of a buffer, in the `OPGS` format's kind 5. Gives its length. Edits since the last
    /// call are read and saved as pending. O(cells).
    ///
    /// # Errors
    /// A buffer too short; [`State`](crate::error::ErrorKind::State) before [`begin`](GridReplanner::begin) and for a grid
    /// of other sides.
    pub fn save_state(&mut self, grid: &Grid<'_>, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.save_to(grid, &mut writer)?;
        writer.finish(Subject::State)
    }

    /// The hash of the bytes that [`save_state`](GridReplanner::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`save_state`](GridReplanner::save_state) but the buffer's.
    pub fn state_hash(&mut self, grid: &Grid<'_>) -> Result<u64> {
        let mut hash = Fnv1a::new();
        self.save_to(grid, &mut hash)?;
        Ok(hash.finish())
    }

    /// Puts a saved state back, over the grid it was saved with, which was put back first. The replanner must be made from
    /// a def of the same mode, movement and heuristic; hooks are the caller's to bring again. Later calls then give the bits
    /// they would have given; the path itself comes with the next replan. O(cells + entries log cells).
    ///
    /// # Errors
    /// Bytes that break the format or fit another replanner or grid, with the part named. Nothing has changed then.
    pub fn restore_state(&mut self, grid: &Grid<'_>, bytes: &[u8]) -> Result<()> {
        let mut reader = Reader::new(bytes, Subject::Header);
        read_state_header(&mut reader, StateKind::GridReplanner)?;
        reader.section(Subject::State);
        for (side, subject) in [(grid.width(), Subject::GridWidth), (grid.height(), Subject::GridHeight)] {
            let found = reader.i32()?;
            if found != side {
                return Err(Error::format(subject).value(found.into()).bound(side.into()));
            }
        }
        if reader.u8()? != self.algorithm() as u8 {
            return Err(Error::format(Subject::Engine));
        }
        let costs = read_below(&mut reader, 1 << 31)?;
        let ends = [reader.u32()?, reader.u32()?];
        let checked = self.search.check_saved(&mut reader, grid.cell_count() as u32)?;
        if ends != [checked.progress.start, checked.progress.goal] {
            return Err(Error::format(Subject::State));
        }
        reader.finish()?;
        self.search.take_over(&checked);
        (self.width, self.height) = (grid.width(), grid.height());
        self.mark = GridMark { costs, ..grid.mark() };
        self.forget_outcome(PathStatus::InProgress);
        Ok(())
    }

    fn save_to(&mut self, grid: &Grid<'_>, out: &mut impl Sink) -> Result<()> {
        self.check_grid(grid)?;
        self.read_edits(grid);
        write_state_header(out, StateKind::GridReplanner);
        out.i32(self.width);
        out.i32(self.height);
        out.u8(self.algorithm() as u8);
        out.u32(self.mark.costs);
        out.u32(self.search.start());
        out.u32(self.search.goal());
        self.search.save(out);
        Ok(())
    }

    fn algorithm(&self) -> GridAlgorithm {
        self.outcome().algorithm
    }
}
