//! The graph over chunks, and how it follows the grid (`grids.md`, "HPA*", "Canonical form", "Incremental update").

use super::chunk_search::{ChunkSearch, ChunkView};
use super::chunks::Chunks;
use super::def::HierarchyDef;
use super::entrances::{Crossing, Transition, write_transitions};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::{Connectivity, DiagonalRule, Edits, Grid, GridMark, Movement, SquareTopology};
use crate::hash::Fnv1a;
use crate::memory::{Arena, RangePool};

/// The graph over the chunks of one grid for one kind of agent, in memory that its caller handed over.
///
/// For each chunk it holds the cells of its transitions, sorted, which are the nodes; what the cheapest way within the
/// chunk from each to each costs; and the steps from them across the border. The graph is a function of the grid's cells
/// and costs and of the options alone. A [`refresh`](Hierarchy::refresh) takes over the edits since the last one from the
/// grid's journal, or begins anew, as it does for another grid or another agent; the result is the same.
///
/// ```
/// use navarena::grid::hpa::{Hierarchy, HierarchyDef, HpaSearch, HpaSearchDef};
/// use navarena::grid::{Cell, CellRect, Grid, GridDef, Movement, WALL};
/// use navarena::memory::{Arena, Grain};
///
/// let def = GridDef::of_size(64, 64);
/// let graph = HierarchyDef::of_size(64, 64);
/// let asker = HpaSearchDef::over(&graph);
/// let grains = def.plan().grains() + graph.plan().grains() + asker.plan().grains();
/// let mut region = vec![Grain::ZERO; grains];
/// let mut arena = Arena::new(&mut region);
/// let mut grid = Grid::new(&def, &mut arena)?;
/// let mut hierarchy = Hierarchy::new(&graph, &mut arena)?;
/// let mut search = HpaSearch::new(&asker, &mut arena)?;
///
/// grid.set_rect(CellRect::new(32, 0, 1, 62), WALL)?;
/// hierarchy.refresh(&grid, Movement::DEFAULT)?;
/// let found = search.find_path(&grid, &hierarchy, Cell::new(2, 2), Cell::new(60, 4), true)?;
/// assert_eq!((found.expanded, search.path().len()), (47, 121));
/// // An edit is a matter of the chunks around it.
/// grid.set_rect(CellRect::new(32, 20, 1, 4), 0)?;
/// hierarchy.refresh(&grid, Movement::DEFAULT)?;
/// assert!(search.find_path(&grid, &hierarchy, Cell::new(2, 2), Cell::new(60, 4), true)?.cost < found.cost);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Hierarchy<'m> {
    nodes: RangePool<'m, u32>,
    costs: RangePool<'m, f64>,
    crossings: RangePool<'m, Crossing>,
    is_stale: &'m mut [u8],
    transitions: &'m mut [Transition],
    work: ChunkSearch<'m>,
    def: HierarchyDef,
    chunks: Chunks,
    movement: Movement,
    mark: GridMark,
}

/// The most of each limit that a hierarchy has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HierarchyUse {
    /// Nodes in all chunks together.
    pub nodes: u32,
    /// Costs of ways within chunks.
    pub costs: u32,
    /// Steps across borders.
    pub crossings: u32,
}

impl<'m> Hierarchy<'m> {
    /// A hierarchy that has seen no grid.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`HierarchyDef::plan`] says.
    pub fn new(def: &HierarchyDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let chunks = def.chunks() as usize;
        Ok(Hierarchy {
            nodes: RangePool::new(chunks, def.nodes as usize, arena)?,
            costs: RangePool::new(chunks, def.costs as usize, arena)?,
            crossings: RangePool::new(chunks, def.crossings as usize, arena)?,
            is_stale: arena.take(chunks)?,
            transitions: arena.take(4 * def.chunk as usize)?,
            work: ChunkSearch::new(def.chunk, arena)?,
            def: *def,
            chunks: Chunks::default(),
            movement: Movement::DEFAULT,
            mark: GridMark::NEVER,
        })
    }

    /// Makes the graph that of a grid and an agent as they are now. Gives how many chunks were built.
    ///
    /// Building a chunk costs one search over its cells for each of its nodes. Edits build the chunks that they touch, and
    /// a larger agent's those up and left of them; another grid, other area costs, another agent, or more edits than the
    /// journal remembers, build all.
    ///
    /// # Errors
    /// A grid of longer sides than the def's; an agent of size 0; [`ErrorKind::Unsupported`] for eight neighbours with
    /// [`DiagonalRule::AllowAll`]: then the graph stays as it was. More nodes, costs or crossings than the def's limits:
    /// then there is no graph until a refresh succeeds.
    pub fn refresh(&mut self, grid: &Grid<'_>, movement: Movement) -> Result<u32> {
        self.check(grid, movement)?;
        let topology = grid.topology(movement)?;
        self.note_stale(grid, movement);
        self.movement = movement;
        // Should a limit be reached, nothing of it is believed.
        self.mark = GridMark::NEVER;
        for chunk in (0..self.is_stale.len()).filter(|&chunk| self.is_stale[chunk] != 0) {
            self.nodes.release(chunk);
            self.costs.release(chunk);
            self.crossings.release(chunk);
        }
        let mut built = 0;
        for chunk in 0..self.chunks.count() {
            if self.is_stale.get(chunk as usize).is_some_and(|&stale| stale != 0) {
                self.build(&topology, chunk)?;
                built += 1;
            }
        }
        self.mark = grid.mark();
        Ok(built)
    }

    fn check(&self, grid: &Grid<'_>, movement: Movement) -> Result<()> {
        movement.validate()?;
        let sides = [
            (grid.width() as u32, self.def.width, Subject::GridWidth),
            (grid.height() as u32, self.def.height, Subject::GridHeight),
        ];
        for (side, most, subject) in sides {
            if side > most {
                return Err(Error::capacity(subject, most as usize).value(f64::from(side)));
            }
        }
        if movement.connectivity == Connectivity::Eight && movement.diagonals == DiagonalRule::AllowAll {
            return Err(Error::new(ErrorKind::Unsupported, Subject::Hierarchy));
        }
        Ok(())
    }

    /// Notes which chunks must be built.
    fn note_stale(&mut self, grid: &Grid<'_>, movement: Movement) {
        let chunks = Chunks::of(grid.width() as u32, grid.height() as u32, self.def.chunk);
        let is_same = chunks == self.chunks && movement == self.movement && !grid.costs_changed_since(&self.mark);
        self.chunks = chunks;
        self.is_stale.fill(0);
        match grid.edits_since(&self.mark) {
            Edits::None if is_same => {}
            Edits::Rects(rects) if is_same => {
                for rect in rects {
                    // Clearance changes up and left as far as the agent is large, and entrances read one cell further.
                    let size = i32::from(movement.agent_size);
                    let touched = rect.grown_within(size, 1, grid.width(), grid.height());
                    for chunk in chunks.over(touched) {
                        if let Some(stale) = self.is_stale.get_mut(chunk as usize) {
                            *stale = 1;
                        }
                    }
                }
            }
            _ => self.is_stale.fill(1),
        }
    }

    fn build(&mut self, topology: &SquareTopology<'_>, chunk: u32) -> Result<()> {
        let found = write_transitions(topology, &self.chunks, chunk, self.def.threshold, self.transitions);
        let transitions = &self.transitions[..found];
        let id = chunk as usize;
        let is_first = |at: usize| at == 0 || transitions[at].own != transitions[at - 1].own;
        let count = (0..found).filter(|&at| is_first(at)).count();
        self.nodes.take(id, count, Subject::AbstractNodes)?;
        self.costs.take(id, count * count, Subject::ChunkCosts)?;
        self.crossings.take(id, found, Subject::Crossings)?;
        let (nodes, crossings) = (self.nodes.get_mut(id), self.crossings.get_mut(id));
        let mut node = 0;
        for (at, (crossing, transition)) in crossings.iter_mut().zip(transitions).enumerate() {
            node += usize::from(at > 0 && is_first(at));
            nodes[node] = transition.own;
            let cost = topology.step_cost(0, transition.own, transition.other); // all steps across are straight
            *crossing = Crossing { node: node as u32, target: transition.other, cost };
        }
        let view = ChunkView::new(*topology, &self.chunks, chunk);
        let (nodes, costs) = (self.nodes.get(id), self.costs.get_mut(id));
        for (&from, row) in nodes.iter().zip(costs.chunks_exact_mut(count.max(1))) {
            self.work.write_costs(&view, from, nodes.iter().copied(), row);
        }
        Ok(())
    }

    /// What the hierarchy was made from.
    pub const fn def(&self) -> &HierarchyDef {
        &self.def
    }

    /// The chunks of the grid.
    pub const fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    /// The agent it is made for.
    pub const fn movement(&self) -> Movement {
        self.movement
    }

    /// Whether the graph is that of a grid as it is now.
    pub fn is_current(&self, grid: &Grid<'_>) -> bool {
        let size = (grid.width() as u32, grid.height() as u32);
        self.mark == grid.mark() && (self.chunks.width(), self.chunks.height()) == size
    }

    /// The cells of a chunk's nodes, by the grid's numbers, in rising order.
    pub fn nodes_of(&self, chunk: u32) -> &[u32] {
        self.nodes.get(chunk as usize)
    }

    /// What the cheapest way within a chunk costs from one of its nodes, by its place among them, to each; infinite where
    /// there is none. Empty for a node that it does not have.
    pub fn costs_from(&self, chunk: u32, node: u32) -> &[f64] {
        let count = self.nodes_of(chunk).len();
        let row = node as usize * count..(node as usize + 1) * count;
        self.costs.get(chunk as usize).get(row).unwrap_or(&[])
    }

    /// The steps from a chunk's nodes across its border, by node, then by target.
    pub fn crossings_of(&self, chunk: u32) -> &[Crossing] {
        self.crossings.get(chunk as usize)
    }

    /// The most of each limit ever used.
    pub fn high_water(&self) -> HierarchyUse {
        HierarchyUse {
            nodes: self.nodes.high_water() as u32,
            costs: self.costs.high_water() as u32,
            crossings: self.crossings.high_water() as u32,
        }
    }

    /// Whether another hierarchy holds the same graph, to the bit.
    pub fn content_equals(&self, other: &Hierarchy<'_>) -> bool {
        let same_bits =
            |one: &[f64], other: &[f64]| one.iter().map(|c| c.to_bits()).eq(other.iter().map(|c| c.to_bits()));
        self.chunks == other.chunks
            && (0..self.chunks.count()).all(|chunk| {
                let id = chunk as usize;
                self.nodes_of(chunk) == other.nodes_of(chunk)
                    && same_bits(self.costs.get(id), other.costs.get(id))
                    && self.crossings_of(chunk) == other.crossings_of(chunk)
            })
    }

    /// A hash of the graph: FNV-1a in 64 bits over the chunks in order; of each the cells of its nodes (32 bits), its costs
    /// (64), and its crossings (node and target 32, cost 64), all from the least byte up.
    pub fn content_hash(&self) -> u64 {
        let mut hash = Fnv1a::new();
        for chunk in 0..self.chunks.count() {
            self.nodes_of(chunk).iter().for_each(|node| hash.update(&node.to_le_bytes()));
            self.costs.get(chunk as usize).iter().for_each(|cost| hash.update(&cost.to_bits().to_le_bytes()));
            for crossing in self.crossings_of(chunk) {
                hash.update(&crossing.node.to_le_bytes());
                hash.update(&crossing.target.to_le_bytes());
                hash.update(&crossing.cost.to_bits().to_le_bytes());
            }
        }
        hash.finish()
    }

    /// The number of a chunk's first node among all; they are counted through, with gaps.
    #[inline]
    pub(super) fn first_node(&self, chunk: u32) -> u32 {
        self.nodes.start(chunk as usize) as u32
    }

    /// The cell of a node's number.
    #[inline]
    pub(super) fn cell_of(&self, node: u32) -> Option<u32> {
        self.nodes.items().get(node as usize).copied()
    }

    /// The number of the node of a cell of a chunk, if there is one.
    #[inline]
    pub(super) fn node_at(&self, chunk: u32, cell: u32) -> Option<u32> {
        let place = self.nodes_of(chunk).binary_search(&cell).ok()?;
        Some(self.first_node(chunk) + place as u32)
    }
}
