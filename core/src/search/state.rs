//! A search of A*'s as bytes, and back (`grids-state.md`, kinds 8 to 11, "Search buffers").
//!
//! What is checked is structure: numbers in range, each node once, parents that cost no more and lead back without a circle,
//! a heap that is one. Costs are believed, as a copy of one's own memory is. All is checked before anything changes; where
//! marks are needed meanwhile, the places of the waiting nodes lend their memory and are noted anew afterwards.

use super::a_star::{AStar, SearchProgress, SearchStatus};
use super::indexed_set::KeyEntry;
use super::nodes::NO_NODE;
use super::open_set::Entry;
use crate::bytes::{Reader, Sink, StateKind, Writer, read_state_header, write_state_header};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::hash::Fnv1a;

/// A visited node: its number, whether it is closed, its cost, its parent.
const NODE: usize = 17;
/// An entry that waits: its node and its two keys.
const ENTRY: usize = 20;

/// What a search is saved as, and what must be the same where it is restored.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SearchState {
    /// [`AStar`](StateKind::AStar), [`JumpSearch`](StateKind::JumpSearch), [`ThetaSearch`](StateKind::ThetaSearch) or
    /// [`GraphAStar`](StateKind::GraphAStar).
    pub kind: StateKind,
    /// How many nodes the world has.
    pub nodes: u32,
    /// What the estimate is multiplied with.
    pub weight: f64,
}

/// Saved bytes of a search that were checked, and wait to be taken over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckedSearch<'a> {
    pub progress: SearchProgress,
    visited: &'a [[u8; NODE]],
    waiting: &'a [[u8; ENTRY]],
    expanded: &'a [[u8; 4]],
}

#[derive(Clone, Copy)]
struct Visited {
    node: u32,
    is_closed: u8,
    g: f64,
    parent: u32,
}

fn visited(bytes: &[u8; NODE]) -> Visited {
    let [a, b, c, d, is_closed, cost @ .., e, f, g, h] = *bytes;
    let node = u32::from_le_bytes([a, b, c, d]);
    Visited { node, is_closed, g: f64::from_le_bytes(cost), parent: u32::from_le_bytes([e, f, g, h]) }
}

fn node_of(bytes: &[u8; NODE]) -> u32 {
    visited(bytes).node
}

fn entry(bytes: &[u8; ENTRY]) -> KeyEntry {
    let [a, b, c, d, f0, f1, f2, f3, f4, f5, f6, f7, g @ ..] = *bytes;
    let f = f64::from_le_bytes([f0, f1, f2, f3, f4, f5, f6, f7]);
    KeyEntry { f, g: f64::from_le_bytes(g), node: u32::from_le_bytes([a, b, c, d]), reserved: 0 }
}

/// A visited node in a list whose numbers rise.
fn find(list: &[[u8; NODE]], node: u32) -> Option<Visited> {
    let at = list.binary_search_by_key(&node, node_of).ok()?;
    list.get(at).map(visited)
}

impl SearchState {
    fn validate(&self) -> Result<()> {
        match self.kind {
            StateKind::AStar | StateKind::JumpSearch | StateKind::ThetaSearch | StateKind::GraphAStar => Ok(()),
            other => Err(Error::new(ErrorKind::Unsupported, Subject::StateKind).value(f64::from(other as u16))),
        }
    }

    /// Whether the format keeps the node a search began at; where it does not, that is the one without a parent.
    fn has_start(&self) -> bool {
        matches!(self.kind, StateKind::AStar | StateKind::GraphAStar)
    }
}

impl AStar<'_> {
    /// How many bytes [`save_state`](AStar::save_state) writes now.
    ///
    /// # Errors
    /// A kind that is no search's, or a world of more nodes than the def's.
    pub fn state_size(&self, state: &SearchState) -> Result<usize> {
        let mut counter = Writer::counting();
        self.save_to(state, &mut counter)?;
        Ok(counter.position())
    }

    /// Writes the search as it stands to the front of a buffer. Gives how many bytes that took: 8 of the header, 41, and 17
    /// a node reached, 20 a node that waits, 4 a recorded expansion and 12. O(nodes).
    ///
    /// # Errors
    /// Those of [`state_size`](AStar::state_size), and a buffer too short.
    pub fn save_state(&self, state: &SearchState, out: &mut [u8]) -> Result<usize> {
        let mut writer = Writer::new(out);
        self.save_to(state, &mut writer)?;
        writer.finish(Subject::State)
    }

    /// The hash of the bytes that [`save_state`](AStar::save_state) writes now.
    ///
    /// # Errors
    /// Those of [`state_size`](AStar::state_size).
    pub fn state_hash(&self, state: &SearchState) -> Result<u64> {
        let mut hash = Fnv1a::new();
        self.save_to(state, &mut hash)?;
        Ok(hash.finish())
    }

    /// Puts a saved search back. In the same world, with the same costs and estimate, it goes on to the same bits.
    /// O(nodes + bytes log bytes).
    ///
    /// # Errors
    /// Bytes that break the format, or are of another kind, world or weight, by the part; more nodes waiting than the def's
    /// `open`. Nothing has changed then.
    pub fn restore_state(&mut self, state: &SearchState, bytes: &[u8]) -> Result<()> {
        let mut reader = Reader::new(bytes, Subject::Header);
        let checked = self.check_saved(state, &mut reader)?;
        reader.finish()?;
        self.take_over(&checked);
        Ok(())
    }

    /// Writes the saved bytes to any sink.
    pub(crate) fn save_to(&self, state: &SearchState, out: &mut impl Sink) -> Result<()> {
        state.validate()?;
        self.check_room(state)?;
        let progress = &self.progress;
        write_state_header(out, state.kind);
        out.u32(state.nodes);
        out.u8(progress.status as u8);
        out.f64(state.weight);
        out.u32(if state.has_start() { progress.start } else { NO_NODE });
        out.u32(progress.goal);
        // The format's counters are signed and of 32 bits.
        out.i32(i32::try_from(progress.expanded).unwrap_or(i32::MAX));
        out.i32(i32::try_from(progress.iterations).unwrap_or(i32::MAX));
        out.f64(progress.cost);
        if progress.status == SearchStatus::NotStarted {
            return Ok(());
        }
        let reached = || (0..state.nodes).filter_map(|node| Some((node, self.nodes.get(node)?)));
        out.u32(reached().count() as u32);
        for (node, known) in reached() {
            out.u32(node);
            out.u8(self.nodes.is_closed(node).into());
            out.f64(known.g);
            out.u32(known.parent);
        }
        out.u32(self.open.len() as u32);
        for waiting in self.open.entries() {
            out.u32(waiting.node);
            out.f64(waiting.f);
            out.f64(waiting.g);
        }
        out.u32(self.expansions.nodes().len() as u32);
        self.expansions.nodes().iter().for_each(|&node| out.u32(node));
        Ok(())
    }

    /// Reads and checks a saved search from its header on. Nothing changes, though marks come and go.
    pub(crate) fn check_saved<'a>(
        &mut self,
        state: &SearchState,
        reader: &mut Reader<'a>,
    ) -> Result<CheckedSearch<'a>> {
        state.validate()?;
        self.check_room(state)?;
        read_state_header(reader, state.kind)?;
        let mut checked = CheckedSearch { progress: SearchProgress::NONE, visited: &[], waiting: &[], expanded: &[] };
        checked.progress = read_progress(state, reader)?;
        if checked.progress.status == SearchStatus::NotStarted {
            checked.progress = SearchProgress::NONE;
            return Ok(checked);
        }
        checked.visited = read_list(reader, Subject::StateNode)?;
        check_visited(state, reader, &checked)?;
        checked.waiting = read_list(reader, Subject::StateQueue)?;
        if checked.waiting.len() > self.open.capacity() {
            let refusal = Error::capacity(Subject::OpenEntries, self.open.capacity());
            return Err(refusal.value(checked.waiting.len() as f64));
        }
        checked.expanded = read_list(reader, Subject::Expansions)?;
        for (index, bytes) in checked.expanded.iter().enumerate() {
            reader.element(Subject::Expansions, index);
            check(reader, find(checked.visited, u32::from_le_bytes(*bytes)).is_some())?;
        }
        self.open.lend_slots(|marks| {
            check_circles(marks, reader, checked.visited)?;
            check_waiting(marks, reader, &checked)
        })?;
        if !state.has_start() {
            let is_start = |bytes: &&[u8; NODE]| visited(bytes).parent == NO_NODE && visited(bytes).g == 0.0;
            checked.progress.start = checked.visited.iter().find(is_start).map_or(NO_NODE, node_of);
        }
        Ok(checked)
    }

    /// Takes over what was checked.
    pub(crate) fn take_over(&mut self, checked: &CheckedSearch<'_>) {
        self.nodes.begin();
        self.open.clear();
        self.expansions.clear();
        self.progress = checked.progress;
        for known in checked.visited.iter().map(visited) {
            self.nodes.open(known.node, known.g, known.parent);
            if known.is_closed != 0 {
                self.nodes.close(known.node);
            }
        }
        for waiting in checked.waiting.iter().map(entry) {
            let _ = self.open.restore(waiting); // there is room for as many, and they lie as in a heap
        }
        checked.expanded.iter().for_each(|bytes| self.expansions.note(u32::from_le_bytes(*bytes)));
    }

    fn check_room(&self, state: &SearchState) -> Result<()> {
        let room = self.nodes.len();
        match state.nodes as usize > room {
            true => Err(Error::capacity(Subject::Nodes, room).value(f64::from(state.nodes))),
            false => Ok(()),
        }
    }
}

/// Refuses what was read last unless all is well with it.
fn check(reader: &Reader<'_>, is_well: bool) -> Result<()> {
    if is_well { Ok(()) } else { Err(reader.refuse()) }
}

/// Reads a counted list of records, without looking into it.
fn read_list<'a, const N: usize>(reader: &mut Reader<'a>, subject: Subject) -> Result<&'a [[u8; N]]> {
    let count = reader.count(N, subject)?;
    Ok(reader.bytes(count * N)?.as_chunks::<N>().0)
}

fn read_progress(state: &SearchState, reader: &mut Reader<'_>) -> Result<SearchProgress> {
    reader.section(Subject::Nodes);
    let nodes = reader.u32()?;
    if nodes != state.nodes {
        return Err(reader.refuse().value(f64::from(nodes)).bound(f64::from(state.nodes)));
    }
    reader.section(Subject::State);
    let status = match reader.u8()? {
        0 => SearchStatus::NotStarted,
        1 => SearchStatus::Running,
        2 => SearchStatus::Found,
        3 => SearchStatus::NotFound,
        other => return Err(reader.refuse().value(f64::from(other))),
    };
    reader.section(Subject::HeuristicWeight);
    let weight = reader.f64()?;
    if weight.to_bits() != state.weight.to_bits() {
        return Err(reader.refuse().value(weight).bound(state.weight));
    }
    reader.section(Subject::State);
    let (start, goal) = (reader.u32()?, reader.u32()?);
    let is_node = |node: u32, may_lack: bool| node < nodes || node == NO_NODE && may_lack;
    let is_idle = status == SearchStatus::NotStarted;
    check(reader, is_node(start, is_idle || !state.has_start()) && is_node(goal, is_idle))?;
    let (expanded, iterations) = (reader.i32()?, reader.i32()?);
    check(reader, expanded >= 0 && iterations >= 0)?;
    let cost = reader.f64()?;
    check(reader, !cost.is_nan())?;
    let cost = if status == SearchStatus::Found { cost } else { f64::INFINITY };
    let (iterations, expanded) = (iterations as u64, expanded as u64);
    Ok(SearchProgress { status, start, goal, weight, iterations, expanded, cost })
}

/// Every node once, in the order of its number, with a parent that costs no more.
fn check_visited(state: &SearchState, reader: &mut Reader<'_>, checked: &CheckedSearch<'_>) -> Result<()> {
    let mut least = 0;
    for (index, known) in checked.visited.iter().map(visited).enumerate() {
        reader.element(Subject::StateNode, index);
        check(reader, known.node >= least && known.node < state.nodes && known.is_closed <= 1)?;
        least = known.node + 1;
        check(reader, known.g >= 0.0)?;
        let is_child = known.parent == NO_NODE || {
            let parent = find(checked.visited, known.parent);
            parent.is_some_and(|parent| parent.g <= known.g)
        };
        check(reader, is_child)?;
    }
    reader.section(Subject::State);
    let progress = &checked.progress;
    let goal = find(checked.visited, progress.goal).filter(|goal| goal.is_closed != 0);
    check(reader, progress.status != SearchStatus::Found || goal.is_some_and(|goal| goal.g == progress.cost))
}

/// Walks from every node towards its start until a walk before has been there. `marks` are those of no walk at first.
fn check_circles(marks: &mut [u32], reader: &mut Reader<'_>, list: &[[u8; NODE]]) -> Result<()> {
    for (walk, first) in list.iter().map(node_of).enumerate() {
        let mut at = first;
        while let Some(mark) = marks.get_mut(at as usize).filter(|mark| **mark == NO_NODE) {
            *mark = walk as u32;
            at = find(list, at).map_or(NO_NODE, |known| known.parent);
        }
        // A start has no parent; else the walk ended at a node that has a mark.
        let is_circle = at != NO_NODE && marks.get(at as usize) == Some(&(walk as u32));
        reader.element(Subject::StateNode, walk);
        check(reader, !is_circle)?;
    }
    Ok(())
}

/// Every entry names another open node, with that node's cost, and comes after its parent in the heap.
fn check_waiting(marks: &mut [u32], reader: &mut Reader<'_>, checked: &CheckedSearch<'_>) -> Result<()> {
    // Marks of the walks stand at every visited node.
    checked.visited.iter().for_each(|bytes| marks[node_of(bytes) as usize] = NO_NODE);
    let list = checked.waiting;
    for (index, waiting) in list.iter().map(entry).enumerate() {
        reader.element(Subject::StateQueue, index);
        let known = find(checked.visited, waiting.node).filter(|known| known.is_closed == 0);
        check(reader, known.is_some_and(|known| known.g.to_bits() == waiting.g.to_bits()) && !waiting.f.is_nan())?;
        let above = index.checked_sub(1).map(|at| entry(&list[at / 4]));
        check(reader, !above.is_some_and(|above| waiting.before(&above)))?;
        let mark = &mut marks[waiting.node as usize];
        check(reader, *mark == NO_NODE)?;
        *mark = 0;
    }
    Ok(())
}
