//! What a derived map has seen of a grid.

use crate::error::{Error, Result, Subject};
use crate::grid::{CellRect, EditedRects, Edits, Grid, GridMark};

/// The grid that a derived map describes: its size, and the mark of the last look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grid) struct Seen {
    mark: GridMark,
    width: i32,
    height: i32,
}

impl Seen {
    pub const NOTHING: Seen = Seen { mark: GridMark::NEVER, width: 0, height: 0 };

    /// What of a grid there is to be seen now.
    pub fn of(grid: &Grid<'_>) -> Seen {
        Seen { mark: grid.mark(), width: grid.width(), height: grid.height() }
    }

    /// The rectangles edited since; `None` when all must be looked at again. That is also so for edits of more than
    /// `most` cells together, which cost more one by one.
    pub fn edits<'a>(&self, grid: &'a Grid<'_>, most: u64) -> Option<EditedRects<'a>> {
        if (self.width, self.height) != (grid.width(), grid.height()) {
            return None;
        }
        match grid.edits_since(&self.mark) {
            Edits::None => Some(EditedRects::NONE),
            Edits::Rects(rects) => (cells_of(rects.clone()) <= most).then_some(rects),
            Edits::All => None,
        }
    }

    /// Whether a multiplier has changed since.
    pub fn costs_changed(&self, grid: &Grid<'_>) -> bool {
        grid.costs_changed_since(&self.mark)
    }

    /// The version of the area costs that was seen.
    pub fn area_version(&self) -> u32 {
        self.mark.costs
    }

    /// The same, but with the area costs of another version.
    pub fn with_area_version(self, version: u32) -> Seen {
        Seen { mark: GridMark { costs: version, ..self.mark }, ..self }
    }

    /// Refuses a grid with a side longer than a def's.
    pub fn check_size(grid: &Grid<'_>, width: u32, height: u32) -> Result<()> {
        let sides = [(grid.width(), width, Subject::GridWidth), (grid.height(), height, Subject::GridHeight)];
        for (side, bound, subject) in sides {
            if side as u32 > bound {
                return Err(Error::capacity(subject, bound as usize).value(f64::from(side)));
            }
        }
        Ok(())
    }
}

fn cells_of(rects: EditedRects<'_>) -> u64 {
    rects.map(|rect: CellRect| u64::from(rect.width as u32) * u64::from(rect.height as u32)).sum()
}
