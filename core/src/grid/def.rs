//! What a grid is made from, and how much memory that takes.

use super::journal::JournalEntry;
use super::{AREA_IDS, GridSpace};
use crate::error::{Error, Result, Subject};
use crate::memory::{Plan, Ruler};

/// The most cells of a grid: 2^28.
pub const MAX_CELLS: u64 = 1 << 28;

/// The most journal entries of a grid: 2^20.
pub const MAX_JOURNAL: u32 = 1 << 20;

/// What a [`Grid`](super::Grid) is made from.
///
/// Bytes: 1 a cell, 1 more a cell with `clearance`, 8 for each of `area_costs`, 24 for each of `journal`, each array
/// rounded up to 16. A microcontroller's map of 64 by 64 cells and three kinds of ground:
///
/// ```
/// use navarena::grid::GridDef;
/// const MAP: GridDef = GridDef { clearance: false, area_costs: 3, journal: 8, ..GridDef::of_size(64, 64) };
/// assert_eq!(MAP.plan().bytes, 4096 + 32 + 192);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridDef {
    /// Columns, at least 1.
    pub width: u32,
    /// Rows, at least 1; at most 2^28 cells in all.
    pub height: u32,
    /// Whether to keep the clearance of every cell. It makes agents larger than one cell fast, and changes no result.
    pub clearance: bool,
    /// How many area ids, from 0 on, have a cost of their own: 0 to 255.
    pub area_costs: u32,
    /// How many edits the grid remembers for what is built over it, 0 to 2^20. Whoever missed more begins anew.
    pub journal: u32,
    /// Where the grid lies in the world.
    pub space: GridSpace,
}

impl GridDef {
    /// A grid of a size with everything: clearance, a cost for every area, 64 remembered edits, unit cells.
    pub const fn of_size(width: u32, height: u32) -> GridDef {
        let space = GridSpace::UNASSIGNED;
        GridDef { width, height, clearance: true, area_costs: AREA_IDS as u32, journal: 64, space }
    }

    /// The memory that the grid takes.
    pub const fn plan(&self) -> Plan {
        let cells = self.cells();
        Ruler::new()
            .array::<u8>(cells)
            .array::<u8>(if self.clearance { cells } else { 0 })
            .array::<f64>(self.area_costs as usize)
            .array::<JournalEntry>(self.journal as usize)
            .plan()
    }

    /// How many cells there are; `usize::MAX` past the bound, which no memory can hold.
    pub(super) const fn cells(&self) -> usize {
        let cells = self.width as u64 * self.height as u64;
        if cells > MAX_CELLS { usize::MAX } else { cells as usize }
    }

    /// Refuses a setting out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        for (side, subject) in [(self.width, Subject::GridWidth), (self.height, Subject::GridHeight)] {
            if side == 0 {
                return Err(Error::invalid(subject).value(0.0));
            }
        }
        let cells = f64::from(self.width) * f64::from(self.height);
        let limits = [
            (cells, MAX_CELLS as f64, Subject::Cell),
            (f64::from(self.area_costs), AREA_IDS as f64, Subject::AreaCosts),
            (f64::from(self.journal), f64::from(MAX_JOURNAL), Subject::Journal),
        ];
        for (value, bound, subject) in limits {
            if value > bound {
                return Err(Error::limit(subject).value(value).bound(bound));
            }
        }
        Ok(())
    }
}
