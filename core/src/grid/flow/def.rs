//! What a flow field is made from, and how much memory that takes.

use super::marks::Marks;
use crate::error::{Error, Result, Subject};
use crate::grid::{Cell, MAX_CELLS};
use crate::memory::{Plan, Ruler};

/// The most goals of a [`GridFlowDef`].
pub const MAX_FLOW_GOALS: u32 = 1 << 20;

/// What a [`GridFlowField`](super::GridFlowField) is made from.
///
/// Bytes: 20.25 a cell and 16 a goal, each array rounded up to 16.
///
/// A field over a map of 64 by 64 cells, with the map itself, its clearance and its area costs, in 96 KiB:
///
/// ```
/// use navarena::grid::GridDef;
/// use navarena::grid::flow::GridFlowDef;
/// const MAP: GridDef = GridDef::of_size(64, 64);
/// const FIELD: GridFlowDef = GridFlowDef::of_cells(64 * 64);
/// assert_eq!(FIELD.plan().bytes, 64 * 64 * 20 + 64 * 64 / 4 + 16 * 16);
/// assert!(MAP.plan().bytes + FIELD.plan().bytes <= 96 * 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridFlowDef {
    /// The most cells of a region, 1 to 2^28.
    pub cells: u32,
    /// The most goals, 1 to [`MAX_FLOW_GOALS`].
    pub goals: u32,
}

impl GridFlowDef {
    /// Regions of up to 65536 cells and 16 goals.
    pub const DEFAULT: GridFlowDef = GridFlowDef::of_cells(65_536);

    /// Regions of up to that many cells, and 16 goals.
    pub const fn of_cells(cells: u32) -> GridFlowDef {
        GridFlowDef { cells, goals: 16 }
    }

    /// The memory that the field takes.
    pub const fn plan(&self) -> Plan {
        let (cells, goals) = (self.cells as usize, self.goals as usize);
        Ruler::new()
            .array::<f64>(cells)
            .array::<u32>(cells)
            .array::<u32>(cells)
            .array::<u32>(cells)
            .array::<u64>(Marks::words_for(cells))
            .array::<u64>(Marks::words_for(cells))
            .array::<Cell>(goals)
            .array::<u32>(goals)
            .array::<u32>(goals)
            .plan()
    }

    /// Refuses a limit out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        let limits = [(self.cells, MAX_CELLS as u32, Subject::Cell), (self.goals, MAX_FLOW_GOALS, Subject::Goals)];
        for (value, bound, subject) in limits {
            if value == 0 {
                return Err(Error::invalid(subject).value(0.0));
            }
            if value > bound {
                return Err(Error::limit(subject).value(f64::from(value)).bound(f64::from(bound)));
            }
        }
        Ok(())
    }
}

impl Default for GridFlowDef {
    fn default() -> Self {
        GridFlowDef::DEFAULT
    }
}
