//! What replanners are made from: their limits, and how much memory that takes.

use super::queue::Costs;
use super::search::ReplanMode;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::{Cell, Connectivity, HeuristicKind, MAX_CELLS, Movement};
use crate::memory::{Plan, Ruler};

/// What a [`ReplanSearch`](super::ReplanSearch) is made from.
///
/// Bytes: 32 a node, 4 a pending change, 4 a recorded expansion, each array rounded up to 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReplanSearchDef {
    /// Which of the two it is.
    pub mode: ReplanMode,
    /// The most nodes of a world, 1 to 2^28.
    pub nodes: u32,
    /// The most nodes that may wait to be looked at again because something changed; more make it begin anew, as does
    /// more than the world has nodes. 1 to 2^28.
    pub pending: u32,
    /// How many expanded nodes are remembered, for those who want to see them; usually 0.
    pub expansions: u32,
}

impl ReplanSearchDef {
    /// A search of worlds of up to that many nodes, which begins anew only where the page says so.
    pub const fn of_nodes(mode: ReplanMode, nodes: u32) -> ReplanSearchDef {
        ReplanSearchDef { mode, nodes, pending: nodes, expansions: 0 }
    }

    /// The memory that the search takes.
    pub const fn plan(&self) -> Plan {
        let nodes = self.nodes as usize;
        Ruler::new()
            .array::<Costs>(nodes)
            .array::<u32>(nodes)
            .array::<u32>(nodes)
            .array::<f64>(nodes)
            .array::<u32>(self.pending as usize)
            .array::<u32>(self.expansions as usize)
            .plan()
    }

    /// Refuses a limit out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        let limits = [
            (self.nodes, 1, Subject::Nodes),
            (self.pending, 1, Subject::Pending),
            (self.expansions, 0, Subject::Expansions),
        ];
        check_limits(&limits)
    }
}

/// What a [`GridReplanner`](super::GridReplanner) is made from.
///
/// Bytes: 32 a cell, 4 a pending change, 8 a cell of the path, 4 a recorded expansion, each array rounded up to 16.
///
/// D* Lite for a map of 64 by 64 cells within 160 KiB, the map itself included, with paths of up to 512 cells:
///
/// ```
/// use navarena::grid::GridDef;
/// use navarena::grid::replan::GridReplannerDef;
/// const MAP: GridDef = GridDef { area_costs: 4, journal: 32, ..GridDef::of_size(64, 64) };
/// const PLANNER: GridReplannerDef = GridReplannerDef { path: 512, ..GridReplannerDef::d_star_lite(64 * 64) };
/// assert!(MAP.plan().bytes + PLANNER.plan().bytes <= 160 * 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridReplannerDef {
    /// LPA* or D* Lite.
    pub mode: ReplanMode,
    /// How the agent moves.
    pub movement: Movement,
    /// What is left, estimated how. Manhattan is refused for eight neighbours, where it is no lower bound.
    pub heuristic: HeuristicKind,
    /// The most cells of a grid, 1 to 2^28.
    pub cells: u32,
    /// The most cells that may wait to be looked at again because of edits, 1 to 2^28. More, or more than the grid has,
    /// make it plan anew: costs stay the same, but among equally cheap paths another one may be given.
    pub pending: u32,
    /// The most cells of a path that are lent.
    pub path: u32,
    /// How many expanded cells are remembered, for those who want to see them; usually 0.
    pub expansions: u32,
}

impl GridReplannerDef {
    /// D* Lite for grids of up to that many cells: for a start that moves. Paths of up to 4096 cells are lent.
    pub const fn d_star_lite(cells: u32) -> GridReplannerDef {
        GridReplannerDef {
            mode: ReplanMode::DStarLite,
            movement: Movement::DEFAULT,
            heuristic: HeuristicKind::Auto,
            cells,
            pending: cells,
            path: if cells < 4096 { cells } else { 4096 },
            expansions: 0,
        }
    }

    /// LPA* for grids of up to that many cells: for a start and a goal that stay.
    pub const fn lpa_star(cells: u32) -> GridReplannerDef {
        GridReplannerDef { mode: ReplanMode::LpaStar, ..GridReplannerDef::d_star_lite(cells) }
    }

    /// The memory that the replanner takes.
    pub const fn plan(&self) -> Plan {
        Ruler::new().then(self.search().plan()).array::<Cell>(self.path as usize).plan()
    }

    /// The def of its engine.
    pub(super) const fn search(&self) -> ReplanSearchDef {
        ReplanSearchDef { mode: self.mode, nodes: self.cells, pending: self.pending, expansions: self.expansions }
    }

    /// Refuses a limit or an option out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        self.movement.validate()?;
        if self.heuristic == HeuristicKind::Manhattan && self.movement.connectivity == Connectivity::Eight {
            return Err(Error::new(ErrorKind::Unsupported, Subject::Heuristic));
        }
        check_limits(&[(self.cells, 1, Subject::Cell), (self.path, 0, Subject::PathLength)])?;
        self.search().validate()
    }
}

fn check_limits(limits: &[(u32, u32, Subject)]) -> Result<()> {
    for &(value, least, subject) in limits {
        if value < least {
            return Err(Error::invalid(subject).value(f64::from(value)));
        }
        if u64::from(value) > MAX_CELLS {
            return Err(Error::limit(subject).value(f64::from(value)).bound(MAX_CELLS as f64));
        }
    }
    Ok(())
}
