//! The walkable cells as bits, once by rows and once by columns, and where scans along them stop (`grids.md`,
//! "Block-based scanning" and "Jump point searches"; Harabor and Grastien, *Improving Jump Point Search*, 2014).
//!
//! Position `p` of a line is bit `p + 1` of the line's words: the bit before stands for what lies before the line, and
//! the first bit past its end, or the next line's first one, for what lies behind. Those are walls at which every scan
//! stops, so that scans need no test of their ends. (The reference pads by whole words; a bit does as well.)

use super::seen::Seen;
use crate::grid::{CellRect, Grid, WALL};
use crate::memory::{Pod, Zeroable};

/// 64 positions of a line. What a scan reads of a place lies together.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct LineWord {
    /// The cells that are ground.
    open: u64,
    /// Where scans towards higher positions stop: walls, and cells with a forced neighbour.
    forward: u64,
    /// Where scans towards lower positions stop.
    backward: u64,
}

impl LineWord {
    const WALLS: LineWord = LineWord { open: 0, forward: u64::MAX, backward: u64::MAX };
}

/// What a scan found: the position it stopped at, and whether that is ground.
pub(super) type Stop = (u32, bool);

/// The lines of one orientation.
#[derive(Debug)]
struct Lines<'m> {
    words: &'m mut [LineWord],
    /// Words of a line.
    stride: usize,
    count: i32,
}

impl<'m> Lines<'m> {
    /// How many words that many lines of that length take.
    const fn words_for(length: u32, count: u32) -> usize {
        ((length as usize + 1).div_ceil(64)).saturating_mul(count as usize).saturating_add(1)
    }

    fn over(words: &'m mut [LineWord]) -> Self {
        Lines { words, stride: 1, count: 0 }
    }

    /// Begins anew for a size, all walls.
    fn resize(&mut self, length: i32, count: i32) {
        self.stride = (length as usize + 1).div_ceil(64);
        self.count = count;
        self.words.fill(LineWord::WALLS);
    }

    #[inline]
    fn set_open(&mut self, line: i32, position: i32, is_open: bool) {
        let bit = position as usize + 1;
        let word = &mut self.words[line as usize * self.stride + (bit >> 6)].open;
        *word = *word & !(1 << (bit & 63)) | u64::from(is_open) << (bit & 63);
    }

    /// Finds the stops anew of lines `first..end` and positions `low..high`, where cells were edited in the lines and
    /// positions between: forced neighbours look one line aside and one position back.
    fn find_stops(&mut self, (first, end): (i32, i32), (low, high): (i32, i32)) {
        let lines = (first - 1).max(0)..(end + 1).min(self.count);
        // Bits of the position before the first one to the one behind the last one.
        let (low, high) = (low as usize >> 6, ((high as usize + 1) >> 6).min(self.stride - 1));
        for line in lines {
            for at in low..=high {
                let mut word = LineWord { open: self.open(line, at), forward: 0, backward: 0 };
                for side in [line - 1, line + 1] {
                    let beside = self.open(side, at);
                    let before = beside << 1 | if at > 0 { self.open(side, at - 1) >> 63 } else { 0 };
                    let behind = beside >> 1 | if at + 1 < self.stride { self.open(side, at + 1) << 63 } else { 0 };
                    word.forward |= beside & !before;
                    word.backward |= beside & !behind;
                }
                word.forward |= !word.open;
                word.backward |= !word.open;
                self.words[line as usize * self.stride + at] = word;
            }
        }
    }

    /// The open bits of a line's word; a line that is missing is blocked.
    #[inline]
    fn open(&self, line: i32, at: usize) -> u64 {
        if line < 0 || line >= self.count { 0 } else { self.words[line as usize * self.stride + at].open }
    }

    /// Where a scan stops that leaves `position` towards higher ones.
    #[inline]
    fn scan_forward(&self, line: u32, position: u32) -> Stop {
        let first = line as usize * self.stride;
        let bit = position as usize + 2;
        let mut at = first + (bit >> 6);
        let mut mask = u64::MAX << (bit & 63);
        while let Some(word) = self.words.get(at) {
            let stops = word.forward & mask;
            if stops != 0 {
                let bit = stops.trailing_zeros();
                // The stop may be the next line's first bit, which is past the end of this one as well.
                return (((at - first) << 6) as u32 + bit - 1, word.open >> bit & 1 != 0);
            }
            mask = u64::MAX;
            at += 1;
        }
        (position + 1, false) // the last word stops every scan
    }

    /// Where a scan stops that leaves `position` towards lower ones. A stop before the line is at position -1.
    #[inline]
    fn scan_backward(&self, line: u32, position: u32) -> Stop {
        let first = line as usize * self.stride;
        let bit = position as usize; // of the position before
        let mut at = first + (bit >> 6);
        let mut mask = u64::MAX >> (63 - (bit & 63));
        while let Some(word) = self.words.get(at) {
            let stops = word.backward & mask;
            if stops != 0 {
                let bit = 63 - stops.leading_zeros();
                return ((((at - first) << 6) as u32 + bit).wrapping_sub(1), word.open >> bit & 1 != 0);
            }
            if at == first {
                break; // the line's first bit stops every scan
            }
            mask = u64::MAX;
            at -= 1;
        }
        (position.wrapping_sub(1), false)
    }
}

/// The lines of both orientations, and what they have seen of a grid.
#[derive(Debug)]
pub(super) struct BitLines<'m> {
    rows: Lines<'m>,
    columns: Lines<'m>,
    seen: Seen,
}

impl<'m> BitLines<'m> {
    /// How many words the rows and the columns of grids up to that size take.
    pub const fn words_for(width: u32, height: u32) -> (usize, usize) {
        (Lines::words_for(width, height), Lines::words_for(height, width))
    }

    pub fn over(rows: &'m mut [LineWord], columns: &'m mut [LineWord]) -> Self {
        BitLines { rows: Lines::over(rows), columns: Lines::over(columns), seen: Seen::NOTHING }
    }

    /// Takes over what was edited. The grid is no larger than the words were taken for.
    pub fn refresh(&mut self, grid: &Grid<'_>) {
        match self.seen.edits(grid, grid.cell_count() as u64 / 4) {
            Some(rects) => rects.for_each(|rect| self.recompute(grid, rect)),
            None => {
                self.rows.resize(grid.width(), grid.height());
                self.columns.resize(grid.height(), grid.width());
                self.recompute(grid, CellRect::new(0, 0, grid.width(), grid.height()));
            }
        }
        self.seen = Seen::of(grid);
    }

    fn recompute(&mut self, grid: &Grid<'_>, rect: CellRect) {
        for y in rect.y..rect.bottom() {
            let row = y as usize * grid.width() as usize;
            for x in rect.x..rect.right() {
                let is_open = grid.cells()[row + x as usize] != WALL;
                self.rows.set_open(y, x, is_open);
                self.columns.set_open(x, y, is_open);
            }
        }
        let (rows, columns) = ((rect.y, rect.bottom()), (rect.x, rect.right()));
        self.rows.find_stops(rows, columns);
        self.columns.find_stops(columns, rows);
    }

    /// Where a scan stops that leaves a cell in a straight direction: how many steps away, and whether there is ground.
    #[inline]
    pub fn scan<const D: usize>(&self, x: u32, y: u32) -> Stop {
        let (stop, is_ground) = match D {
            0 => self.columns.scan_backward(x, y),
            1 => self.rows.scan_forward(y, x),
            2 => self.columns.scan_forward(x, y),
            _ => self.rows.scan_backward(y, x),
        };
        let from = if D & 1 == 0 { y } else { x };
        let steps = if D == 1 || D == 2 { stop.wrapping_sub(from) } else { from.wrapping_sub(stop) };
        (steps, is_ground)
    }
}
