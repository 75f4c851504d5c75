//! What jump point searches read of a grid instead of its cells.

use super::lines::{BitLines, LineWord};
use super::seen::Seen;
use super::surroundings::Surroundings;
use super::tables::{JumpDistances, Tables, row_words};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::grid::{Grid, MAX_TABLE_SIDE};
use crate::memory::{Arena, Plan, Ruler};

/// What a [`JumpMap`] is made from.
///
/// Bytes: 1 a cell; with `blocks` 0.75 a cell more (3 bits in the words of its row, 3 in those of its column; the words of
/// a line hold its length and one bit); with `tables` 16.125 a cell more. Each array is rounded up to 16.
///
/// ```
/// use navarena::grid::jps::JumpMapDef;
/// let blocks = JumpMapDef { width: 512, height: 512, blocks: true, tables: false };
/// assert_eq!(blocks.plan().bytes, 512 * 512 + 2 * (512 * 9 + 1) * 24 + 16);
/// let tables = JumpMapDef { blocks: false, tables: true, ..blocks };
/// assert_eq!(tables.plan().bytes, 512 * 512 * 17 + 512 * 512 / 8 + 128);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JumpMapDef {
    /// The most columns of a grid, at least 1.
    pub width: u32,
    /// The most rows of a grid, at least 1; at most 2^28 cells in all.
    pub height: u32,
    /// Whether there is memory for the bits by which JPS scans.
    pub blocks: bool,
    /// Whether there is memory for the tables of JPS+.
    pub tables: bool,
}

impl JumpMapDef {
    /// The memory that the map takes.
    pub const fn plan(&self) -> Plan {
        let cells = self.cells();
        let (rows, columns) = BitLines::words_for(self.width, self.height);
        let ruler = Ruler::new().array::<u8>(cells);
        let ruler = match self.blocks {
            true => ruler.array::<LineWord>(rows).array::<LineWord>(columns),
            false => ruler,
        };
        let ruler = match self.tables {
            true => {
                let words = row_words(self.width);
                let marks = words.saturating_mul(self.height as usize);
                ruler.array::<JumpDistances>(cells).array::<u64>(marks).array::<u64>(2 * words)
            }
            false => ruler,
        };
        ruler.plan()
    }

    const fn cells(&self) -> usize {
        let cells = self.width as u64 * self.height as u64;
        if cells > crate::grid::MAX_CELLS { usize::MAX } else { cells as usize }
    }

    /// Refuses a size out of its range, by name.
    pub(crate) fn validate(&self) -> Result<()> {
        for (side, subject) in [(self.width, Subject::GridWidth), (self.height, Subject::GridHeight)] {
            if side == 0 {
                return Err(Error::invalid(subject).value(0.0));
            }
        }
        let cells = f64::from(self.width) * f64::from(self.height);
        if cells > crate::grid::MAX_CELLS as f64 {
            return Err(Error::limit(Subject::Cell).value(cells).bound(crate::grid::MAX_CELLS as f64));
        }
        Ok(())
    }
}

/// What jump point searches read of one grid: the surroundings of every cell, and beside them bits to scan, tables, or
/// both.
///
/// A refresh takes over the edits since the last one from the grid's journal, or begins anew, as it does for another grid;
/// the result is the same.
/// Bits and tables are refreshed each for itself, so that those that are not used cost nothing.
///
/// ```
/// use navarena::grid::jps::{BlockJumper, JumpMap, JumpMapDef, Jumper, Spot};
/// use navarena::grid::{Grid, GridDef};
/// use navarena::memory::{Arena, Grain};
///
/// let picture = "......\n.#....\n......\n";
/// let def = GridDef::of_picture(picture)?;
/// let map_def = JumpMapDef { width: 6, height: 3, blocks: true, tables: false };
/// let mut region = vec![Grain::ZERO; def.plan().grains() + map_def.plan().grains()];
/// let mut arena = Arena::new(&mut region);
/// let grid = Grid::from_picture(picture, &def, &mut arena)?;
/// let mut map = JumpMap::new(&map_def, &mut arena)?;
/// map.refresh_blocks(&grid)?;
/// // Eastwards from the first cell: past the wall's corner a way down opens.
/// let (from, goal) = (Spot::of(0, 6), Spot::of(17, 6));
/// assert_eq!(BlockJumper(&map).jump(from, 1, goal), Some(2));
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct JumpMap<'m> {
    surroundings: Surroundings<'m>,
    lines: Option<BitLines<'m>>,
    tables: Option<Tables<'m>>,
    def: JumpMapDef,
    width: u32,
}

impl<'m> JumpMap<'m> {
    /// A map that has seen no grid.
    ///
    /// # Errors
    /// A size out of its range, or less memory than [`JumpMapDef::plan`] says.
    pub fn new(def: &JumpMapDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let cells = def.cells();
        let surroundings = Surroundings::over(arena.take(cells)?);
        let lines = if def.blocks {
            let (rows, columns) = BitLines::words_for(def.width, def.height);
            Some(BitLines::over(arena.take(rows)?, arena.take(columns)?))
        } else {
            None
        };
        let tables = if def.tables {
            let words = row_words(def.width);
            Some(Tables::over(arena.take(cells)?, arena.take(words * def.height as usize)?, arena.take(2 * words)?))
        } else {
            None
        };
        Ok(JumpMap { surroundings, lines, tables, def: *def, width: 0 })
    }

    /// What it was made from.
    pub const fn def(&self) -> &JumpMapDef {
        &self.def
    }

    /// Makes the bits those of the grid now. O(edited cells), or O(cells) when the journal has forgotten some.
    ///
    /// # Errors
    /// A map without memory for blocks; a grid with a longer side than the def's.
    pub fn refresh_blocks(&mut self, grid: &Grid<'_>) -> Result<()> {
        let lines = self.lines.as_mut().ok_or(Error::new(ErrorKind::Unsupported, Subject::Engine))?;
        Seen::check_size(grid, self.def.width, self.def.height)?;
        self.surroundings.refresh(grid);
        lines.refresh(grid);
        self.width = grid.width() as u32;
        Ok(())
    }

    /// Makes the tables those of the grid now. After few edits O(their rows and columns), else O(cells).
    ///
    /// # Errors
    /// A map without memory for tables; a grid with a longer side than the def's, or than [`MAX_TABLE_SIDE`].
    pub fn refresh_tables(&mut self, grid: &Grid<'_>) -> Result<()> {
        let tables = self.tables.as_mut().ok_or(Error::new(ErrorKind::Unsupported, Subject::Engine))?;
        let most = |side: u32| side.min(MAX_TABLE_SIDE as u32);
        Seen::check_size(grid, most(self.def.width), most(self.def.height))?;
        self.surroundings.refresh(grid);
        tables.refresh(grid, &self.surroundings);
        self.width = grid.width() as u32;
        Ok(())
    }

    /// Columns of the grid last seen.
    #[inline]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// The neighbours of a cell that are ground: bit `d` for direction `d`.
    #[inline]
    pub fn around(&self, node: u32) -> u8 {
        self.surroundings.at(node)
    }

    /// The tables' values of a cell; zeros without tables.
    #[inline]
    pub fn distances(&self, node: u32) -> &JumpDistances {
        const NONE: JumpDistances = [0; 8];
        self.tables.as_ref().map_or(&NONE, |tables| tables.at(node))
    }

    /// The bits, where there is memory for them.
    #[inline]
    pub(super) const fn lines(&self) -> Option<&BitLines<'m>> {
        self.lines.as_ref()
    }
}
