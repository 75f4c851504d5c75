//! What a hierarchy and a search over it are made from.

use super::chunk_search::ChunkSearch;
use super::chunks::Chunks;
use super::entrances::{Crossing, Transition};
use super::search::AbstractEntry;
use super::smooth::{Line, lines_of};
use crate::error::{Error, Result, Subject};
use crate::grid::def::MAX_CELLS;
use crate::memory::{Plan, RangePool, Ruler};
use crate::search::SearchNode;

/// The longest side of a chunk.
pub const MAX_CHUNK_SIDE: u32 = 256;

/// What a [`Hierarchy`](super::Hierarchy) is made from.
///
/// Bytes: 4 a node, 8 a cost, 16 a crossing, 49 a chunk, and to compute with 49 a cell of one chunk and 32 for each place
/// of its side; each array rounded up to 16.
///
/// A chunk with n nodes has n x n costs, so how much a map takes depends on how many openings its chunks have. With the
/// defaults, chunks of 16 and a threshold of 6, the Moving AI maps of games, cities and rooms take, chunks included, 0.4 to 2
/// bytes a cell, noise and mazes 4 to 10. [`of_size`](HierarchyDef::of_size) has room for 36, and is never too small.
/// [`Hierarchy::high_water`](super::Hierarchy::high_water) tells what a map takes.
///
/// ```
/// use navarena::grid::hpa::HierarchyDef;
/// const YARD: HierarchyDef = HierarchyDef::of_size(64, 64);
/// assert_eq!((YARD.nodes, YARD.costs, YARD.crossings), (16 * 32, 16 * 32 * 32, 16 * 32));
/// // For a map that is known to need less.
/// const SMALL: HierarchyDef = HierarchyDef { nodes: 160, costs: 1600, crossings: 180, ..YARD };
/// assert!(SMALL.plan().bytes < 32 * 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HierarchyDef {
    /// The most columns of a grid, at least 1.
    pub width: u32,
    /// The most rows of a grid, at least 1; at most 2^28 cells in all.
    pub height: u32,
    /// The side of a chunk, 2 to [`MAX_CHUNK_SIDE`].
    pub chunk: u32,
    /// How many places wide an entrance must be to have two transitions, one at either end, instead of one in the middle;
    /// at least 1.
    pub threshold: u32,
    /// The most nodes, in all chunks together.
    pub nodes: u32,
    /// The most costs of ways within chunks: for each chunk the square of its nodes.
    pub costs: u32,
    /// The most steps across borders, each way counted, at least as many as there are nodes.
    pub crossings: u32,
}

impl HierarchyDef {
    /// The side of a chunk unless another is asked for.
    pub const CHUNK: u32 = 16;
    /// The threshold unless another is asked for.
    pub const THRESHOLD: u32 = 6;

    /// A hierarchy with the defaults that has room for any map of sides up to these.
    pub const fn of_size(width: u32, height: u32) -> HierarchyDef {
        HierarchyDef::of_chunks(width, height, Self::CHUNK, Self::THRESHOLD)
    }

    /// The same with chunks of another side, and another threshold.
    pub const fn of_chunks(width: u32, height: u32, chunk: u32, threshold: u32) -> HierarchyDef {
        let chunks = Chunks::of(width, height, chunk).count();
        let crossings = 4 * transitions_of_side(chunk, threshold);
        // A cell at a corner has places on two sides; nodes are cells of the border.
        let border = if chunk > 1 { 4 * chunk.saturating_sub(1) } else { 1 };
        let nodes = if crossings < border { crossings } else { border };
        HierarchyDef {
            width,
            height,
            chunk,
            threshold,
            nodes: chunks.saturating_mul(nodes),
            costs: chunks.saturating_mul(nodes.saturating_mul(nodes)),
            crossings: chunks.saturating_mul(crossings),
        }
    }

    /// The memory that the hierarchy takes.
    pub const fn plan(&self) -> Plan {
        let chunks = self.chunks() as usize;
        Ruler::new()
            .then(RangePool::<u32>::plan(chunks, self.nodes as usize))
            .then(RangePool::<f64>::plan(chunks, self.costs as usize))
            .then(RangePool::<Crossing>::plan(chunks, self.crossings as usize))
            .array::<u8>(chunks)
            .array::<Transition>(4 * self.chunk as usize)
            .then(ChunkSearch::plan(self.chunk))
            .plan()
    }

    /// The most chunks that a grid has.
    pub(super) const fn chunks(&self) -> u32 {
        Chunks::of(self.width, self.height, self.chunk).count()
    }

    /// Refuses a limit out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        check_size(self.width, self.height)?;
        if self.threshold == 0 {
            return Err(Error::invalid(Subject::EntranceThreshold).value(0.0));
        }
        check_side(self.chunk)?;
        let limits = [
            (self.nodes, Subject::AbstractNodes),
            (self.costs, Subject::ChunkCosts),
            (self.crossings, Subject::Crossings),
        ];
        for (value, subject) in limits {
            // Counts past it saturate, and are refused here.
            if value > MAX_RANGE {
                return Err(Error::limit(subject).value(f64::from(value)).bound(f64::from(MAX_RANGE)));
            }
        }
        Ok(())
    }
}

/// The most elements of a range pool.
const MAX_RANGE: u32 = u32::MAX - 1;

/// The most transitions of one side of a chunk: openings of one place with one wall between them, or from three places on as
/// many at either end of one; where two places have two, those.
const fn transitions_of_side(side: u32, threshold: u32) -> u32 {
    if threshold <= 2 { 2 * side.saturating_add(1) / 3 } else { side.div_ceil(2) }
}

fn check_size(width: u32, height: u32) -> Result<()> {
    for (side, subject) in [(width, Subject::GridWidth), (height, Subject::GridHeight)] {
        if side == 0 {
            return Err(Error::invalid(subject).value(0.0));
        }
    }
    let cells = f64::from(width) * f64::from(height);
    if cells > MAX_CELLS as f64 {
        return Err(Error::limit(Subject::Cell).value(cells).bound(MAX_CELLS as f64));
    }
    Ok(())
}

fn check_side(chunk: u32) -> Result<()> {
    match chunk {
        2..=MAX_CHUNK_SIDE => Ok(()),
        0 | 1 => Err(Error::invalid(Subject::ChunkSide).value(f64::from(chunk))),
        _ => Err(Error::limit(Subject::ChunkSide).value(f64::from(chunk)).bound(f64::from(MAX_CHUNK_SIDE))),
    }
}

/// What an [`HpaSearch`](super::HpaSearch) is made from.
///
/// Bytes: 44 a node of the hierarchy, 4 a cell of the grid, 72 a column and a row and 12 a cell of the path, by which it is
/// smoothed, 4 a recorded expansion, and to compute with 49 a cell of one chunk and 64 for each place of its side; each array rounded up to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HpaSearchDef {
    /// The most columns of a grid, at least 1.
    pub width: u32,
    /// The most rows of a grid, at least 1; at most 2^28 cells in all.
    pub height: u32,
    /// The side of the hierarchy's chunks, 2 to [`MAX_CHUNK_SIDE`].
    pub chunk: u32,
    /// The most nodes of the hierarchy.
    pub nodes: u32,
    /// The most cells of a path before it is smoothed. A longer one is refused, not cut.
    pub path: u32,
    /// How many expanded nodes are remembered, for those who want to see them; usually 0.
    pub expansions: u32,
}

impl HpaSearchDef {
    /// A search over a hierarchy of a def, with room for a path over as many cells as the largest grid has.
    pub const fn over(hierarchy: &HierarchyDef) -> HpaSearchDef {
        let cells = hierarchy.width.saturating_mul(hierarchy.height);
        HpaSearchDef {
            width: hierarchy.width,
            height: hierarchy.height,
            chunk: hierarchy.chunk,
            nodes: hierarchy.nodes,
            path: cells,
            expansions: 0,
        }
    }

    /// The memory that the search takes.
    pub const fn plan(&self) -> Plan {
        // Start and goal are two more.
        let nodes = self.nodes as usize + 2;
        let ends = 4 * self.chunk as usize;
        Ruler::new()
            .array::<SearchNode>(nodes)
            .array::<AbstractEntry>(nodes)
            .array::<u32>(nodes)
            .array::<u32>(self.expansions as usize)
            .array::<f64>(ends)
            .array::<f64>(ends)
            .then(ChunkSearch::plan(self.chunk))
            .array::<u32>(self.cells())
            .array::<Line>(lines_of(self.width, self.height))
            .array::<u32>(self.path as usize)
            .array::<f64>(self.path as usize)
            .plan()
    }

    /// The most cells of a grid.
    pub(super) const fn cells(&self) -> usize {
        let cells = self.width as u64 * self.height as u64;
        if cells > MAX_CELLS { usize::MAX } else { cells as usize }
    }

    /// Refuses a limit out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        check_size(self.width, self.height)?;
        if self.path == 0 {
            return Err(Error::invalid(Subject::PathLength).value(0.0));
        }
        check_side(self.chunk)?;
        let limits = [
            (self.nodes, Subject::AbstractNodes),
            (self.path, Subject::PathLength),
            (self.expansions, Subject::Expansions),
        ];
        for (value, subject) in limits {
            if u64::from(value) > MAX_CELLS {
                return Err(Error::limit(subject).value(f64::from(value)).bound(MAX_CELLS as f64));
            }
        }
        Ok(())
    }
}
