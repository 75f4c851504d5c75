//! What a grid search is made from: which engines it has memory for, its limits, and how much memory that takes.

use super::Cell;
use super::def::MAX_CELLS;
use super::hpa::{HierarchyDef, HpaSearchDef};
use super::jps::{JumpMapDef, JumpSearchDef};
use super::octile::{CompactRecord, LISTS, StandardEntry};
use crate::error::{Error, Result, Subject};
use crate::memory::{Plan, Ruler};
use crate::search::AStarDef;

/// The memory of the specialised A*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum OctileMemory {
    /// None: what it would search is refused.
    None,
    /// 8 bytes a cell and 20 an open entry: fast. So that nothing is cleared between searches, records tell their search by
    /// the bits that costs leave: they are wiped once in 4,194,303 searches for up to 2^18 cells, in 16,383 for 2^22, in
    /// 1023 for 2^24, and in 3 for 2^28.
    #[default]
    Standard,
    /// 8 bytes a cell and 2 an open entry, for up to 65535 cells: small. The results are the same.
    Compact,
}

/// What a [`GridSearch`](super::GridSearch) is made from.
///
/// Bytes, each array rounded up to 16: for the specialised A* 8 a cell, 20 an open entry and 2048, or 8 and 2; for the
/// generic A*, whose memory Theta* and Lazy Theta* use as well, 20 a cell and 24 an open entry; for jump point search 16 a
/// cell, 20 an open entry, and what its [map](JumpMapDef) takes, 1.75 a cell for JPS and 17.125 for JPS+; for HPA* what
/// its [hierarchy](HierarchyDef) takes, 44 a node of that, and 16 a cell for the path before it is smoothed; 8 a cell of
/// the path; 4 a recorded expansion and engine.
///
/// A map of 64 by 64 cells, searched in 48 KiB with the map itself, with paths of up to 512 cells:
///
/// ```
/// use navarena::grid::{GridDef, GridSearchDef};
/// const MAP: GridDef = GridDef { clearance: false, area_costs: 0, journal: 0, ..GridDef::of_size(64, 64) };
/// const SEARCH: GridSearchDef = GridSearchDef { path: 512, ..GridSearchDef::compact(64 * 64) };
/// assert_eq!(MAP.plan().bytes + SEARCH.plan().bytes, 48 * 1024);
///
/// // The standard form in 96 KiB: then no more than 2700 cells may wait at once.
/// const FAST: GridSearchDef = GridSearchDef { general: false, open: 2700, path: 512, ..GridSearchDef::of_cells(64 * 64) };
/// assert!(MAP.plan().bytes + FAST.plan().bytes <= 96 * 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridSearchDef {
    /// The most cells of a grid that is searched, 1 to 2^28.
    pub cells: u32,
    /// The memory of the specialised A*, which runs where all steps cost the same and nothing else is asked.
    pub octile: OctileMemory,
    /// Whether there is memory for the generic A*, which has every option, and for Theta* and Lazy Theta*.
    pub general: bool,
    /// The sides of grids on which jump points are searched, and by blocks (JPS), tables (JPS+) or both; `None` for no
    /// memory for it. Without the specialised searches, [`general`](GridSearchDef::general) is needed as well.
    pub jumps: Option<JumpMapDef>,
    /// The hierarchy that HPA* searches, for grids of sides up to its; `None` for no memory for it.
    pub hierarchy: Option<HierarchyDef>,
    /// The most cells that may wait to be expanded; as many as `cells` never run out.
    pub open: u32,
    /// The most cells of a path that are lent.
    pub path: u32,
    /// How many expanded cells are remembered, for those who want to see them; usually 0.
    pub expansions: u32,
}

impl GridSearchDef {
    /// A search with every engine that needs no more than a number of cells, which never runs out of memory on grids of up to that many cells, and lends paths of
    /// up to 4096 cells.
    pub const fn of_cells(cells: u32) -> GridSearchDef {
        let path = if cells < 4096 { cells } else { 4096 };
        GridSearchDef {
            cells,
            octile: OctileMemory::Standard,
            general: true,
            jumps: None,
            hierarchy: None,
            open: cells,
            path,
            expansions: 0,
        }
    }

    /// A search with every engine, jump point search by blocks and by tables and HPA* included, for grids of sides up to
    /// these.
    pub const fn of_size(width: u32, height: u32) -> GridSearchDef {
        let jumps = Some(JumpMapDef { width, height, blocks: true, tables: true });
        let hierarchy = Some(HierarchyDef::of_size(width, height));
        GridSearchDef { jumps, hierarchy, ..GridSearchDef::of_cells(width.saturating_mul(height)) }
    }

    /// The specialised A* alone, for small maps of up to 65535 cells.
    pub const fn compact(cells: u32) -> GridSearchDef {
        GridSearchDef { octile: OctileMemory::Compact, general: false, ..GridSearchDef::of_cells(cells) }
    }

    /// The memory that the search takes.
    pub const fn plan(&self) -> Plan {
        let (cells, open) = (self.cells as usize, self.open as usize);
        let ruler = match self.octile {
            OctileMemory::None => Ruler::new(),
            OctileMemory::Standard => {
                let ruler = Ruler::new().array::<u64>(cells).array::<StandardEntry>(open);
                ruler.array::<u64>(open).array::<u32>(LISTS)
            }
            OctileMemory::Compact => Ruler::new().array::<CompactRecord>(cells).array::<u16>(open),
        };
        let ruler = match self.octile {
            OctileMemory::None => ruler,
            _ => ruler.array::<u32>(self.expansions as usize),
        };
        let ruler = if self.general { ruler.then(self.a_star().plan()) } else { ruler };
        let ruler = match &self.jumps {
            Some(map) => ruler.then(map.plan()).then(self.jump_search().plan()),
            None => ruler,
        };
        let ruler = match &self.hierarchy {
            Some(hierarchy) => ruler.then(hierarchy.plan()).then(self.hpa_search(hierarchy).plan()),
            None => ruler,
        };
        ruler.array::<Cell>(self.path as usize).plan()
    }

    /// The def of the generic A*.
    pub(super) const fn a_star(&self) -> AStarDef {
        AStarDef { nodes: self.cells, open: self.open, expansions: self.expansions }
    }

    /// The def of the specialised jump point search.
    pub(super) const fn jump_search(&self) -> JumpSearchDef {
        JumpSearchDef { cells: self.cells, open: self.open, expansions: self.expansions }
    }

    /// The def of the search over a hierarchy.
    pub(super) const fn hpa_search(&self, hierarchy: &HierarchyDef) -> HpaSearchDef {
        HpaSearchDef { path: self.cells, expansions: self.expansions, ..HpaSearchDef::over(hierarchy) }
    }

    /// Refuses a limit out of its range, by name.
    pub(super) fn validate(&self) -> Result<()> {
        for (value, subject) in [(self.cells, Subject::Cell), (self.open, Subject::OpenEntries)] {
            if value == 0 {
                return Err(Error::invalid(subject).value(0.0));
            }
        }
        let most = match self.octile {
            OctileMemory::Compact => CompactRecord::MAX_NODES,
            OctileMemory::Standard | OctileMemory::None => MAX_CELLS as u32,
        };
        let limits = [
            (self.cells, Subject::Cell),
            (self.open, Subject::OpenEntries),
            (self.path, Subject::PathLength),
            (self.expansions, Subject::Expansions),
        ];
        for (index, (value, subject)) in limits.into_iter().enumerate() {
            let bound = if index < 2 { most } else { MAX_CELLS as u32 };
            if value > bound {
                return Err(Error::limit(subject).value(f64::from(value)).bound(f64::from(bound)));
            }
        }
        self.jumps.map_or(Ok(()), |map| map.validate())?;
        self.hierarchy.map_or(Ok(()), |hierarchy| hierarchy.validate())
    }
}
