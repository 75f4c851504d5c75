//! The loop of the searches at any angle, over the memory of an A* (`grids.md`, "Any-angle search", "Search").

use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::line_of_sight::in_sight;
use crate::grid::{Cell, Grid, HeuristicKind, Movement, SQRT_2, SquareHeuristic, SquareTopology, cell_distance};
use crate::search::{AStar, KeyEntry, NO_NODE, NodeBuffers, PathStatus, SearchProgress, SearchStatus};

/// When a search at any angle looks whether a parent sees its node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ThetaVariant {
    /// Theta*: when the node is reached.
    #[default]
    Theta,
    /// Lazy Theta*, as in the paper: when the node is popped. A node that its parent does not see gets another parent and
    /// is expanded at once, out of order; its path may be longer than A*'s.
    Lazy,
    /// Lazy Theta* with re-queue: such a node waits again by its mended cost instead.
    LazyRequeue,
}

/// A grid as a search at any angle sees it.
pub(in crate::grid) struct AnyAngle<'a> {
    cells: &'a [u8],
    topology: SquareTopology<'a>,
    /// What a segment of length 1 costs.
    unit: f64,
    heuristic: SquareHeuristic,
    variant: ThetaVariant,
}

/// A node whose way is final, to which others can be joined.
#[derive(Clone, Copy)]
struct Joint {
    node: u32,
    g: f64,
    at: Cell,
}

impl<'a> AnyAngle<'a> {
    /// The grid with the straight line to the goal as the estimate, or none.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`]: areas cost differently.
    pub fn new(grid: &'a Grid<'_>, variant: ThetaVariant, is_zero: bool) -> Result<Self> {
        let uneven = Error::new(ErrorKind::Unsupported, Subject::AreaCost);
        let unit = grid.areas().uniform().ok_or(uneven)?;
        let kind = if is_zero { HeuristicKind::Zero } else { HeuristicKind::Euclidean };
        let heuristic = SquareHeuristic::new(grid, kind);
        Ok(AnyAngle { cells: grid.cells(), topology: grid.topology(Movement::DEFAULT)?, unit, heuristic, variant })
    }

    /// Begins as A* does.
    pub fn begin(&self, search: &mut AStar<'_>, start: u32, goal: u32, weight: f64) -> Result<PathStatus> {
        search.begin(&self.topology, &self.heuristic, start, goal, weight)
    }

    /// Goes on by at most `budget` pops with a search that began on this grid.
    ///
    /// # Errors
    /// More nodes wait than the memory holds: the search is over, without a result.
    pub fn step(&self, search: &mut AStar<'_>, budget: u64) -> Result<SearchStatus> {
        search.run(
            budget,
            |search, popped| self.set_vertex(search, popped),
            |search, from| self.expand(search, Joint { node: from.node, g: from.g, at: self.cell_of(from.node) }),
        )
    }

    /// Makes the way to a popped node one that can be walked; `None` when the node waits again instead.
    #[inline]
    fn set_vertex(&self, search: &mut AStar<'_>, popped: KeyEntry) -> Option<KeyEntry> {
        let AStar { nodes, open, progress, .. } = search;
        let joint = Joint { node: popped.node, g: popped.g, at: self.cell_of(popped.node) };
        let is_sure = match self.variant {
            ThetaVariant::Theta => true,
            _ => self.parent_of(nodes, popped.node).is_none_or(|parent| self.sees(parent.at, joint.at)),
        };
        if is_sure {
            return Some(popped);
        }
        let (g, parent) = self.nearest_closed(nodes, joint);
        nodes.open(joint.node, g, parent);
        if g == f64::INFINITY {
            return None; // costs that overflow lead nowhere; a later neighbour may still lead here
        }
        if self.variant == ThetaVariant::Lazy {
            return Some(KeyEntry { g, ..popped });
        }
        if let Some(entry) = self.entry(progress, joint.at, g, joint.node) {
            let _ = open.push(entry); // the place of the pop is free
        }
        None
    }

    /// The closed neighbour over which a node is cheapest, and what it costs then. Of equal ones the first stays.
    fn nearest_closed(&self, nodes: &NodeBuffers<'_>, of: Joint) -> (f64, u32) {
        let mut best = (f64::INFINITY, NO_NODE);
        self.visit_steps(of, |step, node, _| {
            if let Some(known) = nodes.get(node).filter(|_| nodes.is_closed(node)) {
                let g = known.g + self.step_cost(step);
                if g < best.0 {
                    best = (g, node);
                }
            }
        });
        best
    }

    /// Offers every neighbour that is not closed a way. `false` when more nodes wait than there is room for.
    fn expand(&self, search: &mut AStar<'_>, from: Joint) -> bool {
        let AStar { nodes, open, progress, .. } = search;
        let parent = self.parent_of(nodes, from.node);
        let mut has_room = true;
        self.visit_steps(from, |step, node, at| {
            if nodes.is_closed(node) {
                return;
            }
            // Strictly cheaper, so that of equal ways the first one found stays.
            let known = nodes.cost(node);
            let by_step = (from.g + self.step_cost(step), from.node);
            let straight = parent.map(|parent| (parent.g + self.segment_cost(parent.at, at), parent));
            let (g, parent) = match straight {
                None => by_step,
                Some((g, parent)) if self.variant != ThetaVariant::Theta => (g, parent.node),
                // Whether they see each other matters only if either way would be taken.
                Some((g, _)) if g >= known && by_step.0 >= known => return,
                Some((g, parent)) if self.sees(parent.at, at) => (g, parent.node),
                Some(_) => by_step,
            };
            if g >= known {
                return;
            }
            if let Some(entry) = self.entry(progress, at, g, node) {
                nodes.open(node, g, parent);
                has_room &= open.push(entry);
            }
        });
        has_room
    }

    /// The keys of a node; `None` where they are no numbers.
    #[inline]
    fn entry(&self, progress: &SearchProgress, at: Cell, g: f64, node: u32) -> Option<KeyEntry> {
        let goal = self.cell_of(progress.goal);
        let estimate = self.heuristic.over(at.x.abs_diff(goal.x), at.y.abs_diff(goal.y));
        KeyEntry::new(g + progress.weight * estimate, g, node)
    }

    /// Visits the neighbours of a node in their order: the step, the neighbour, its cell.
    #[inline]
    fn visit_steps(&self, from: Joint, mut visit: impl FnMut(usize, u32, Cell)) {
        let mut steps = self.topology.steps_at(from.node, from.at.x, from.at.y);
        while steps != 0 {
            let step = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            let (dx, dy) = crate::grid::STEPS[step];
            visit(step, self.topology.neighbor(from.node, step), Cell::new(from.at.x + dx, from.at.y + dy));
        }
    }

    #[inline]
    fn parent_of(&self, nodes: &NodeBuffers<'_>, node: u32) -> Option<Joint> {
        let parent = nodes.get(node)?.parent;
        let known = nodes.get(parent)?;
        Some(Joint { node: parent, g: known.g, at: self.cell_of(parent) })
    }

    #[inline]
    fn cell_of(&self, node: u32) -> Cell {
        self.topology.position(node).into()
    }

    #[inline]
    fn sees(&self, from: Cell, to: Cell) -> bool {
        in_sight(self.cells, self.topology.width(), from, to)
    }

    /// One product, as the page has it. The segment between neighbours is this too: both lengths are roots rounded once.
    #[inline]
    fn segment_cost(&self, from: Cell, to: Cell) -> f64 {
        self.unit * cell_distance(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
    }

    #[inline]
    fn step_cost(&self, step: usize) -> f64 {
        self.unit * if step < 4 { 1.0 } else { SQRT_2 }
    }
}
