//! The journal of a grid's edits: what is built over a grid reads it instead of being told.
//!
//! A fixed ring of the last edited rectangles, one for each version. Whoever derives something from a grid keeps the
//! [`GridMark`] of what it has seen, asks for the edits since, and applies them or, where the ring has forgotten some or
//! the grid was restored, begins anew. The result is the same either way. (The reference's grids call listeners;
//! `grids.md`, "Tile edits", and `grids-state.md`, "Restoring".)

use super::CellRect;
use crate::memory::{Pod, Zeroable};

/// What of a grid has been seen: the versions of its cells and its costs, how often it was restored, and the history of
/// its edits.
///
/// Another grid may have as many edits. Its history is another one, unless both have the same cells: so a mark of one
/// grid, shown to another, sees that anything may be different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridMark {
    pub(super) cells: u32,
    pub(super) costs: u32,
    pub(super) restores: u32,
    pub(super) history: u64,
}

impl GridMark {
    /// The mark of who has seen nothing: all edits are new.
    pub const NEVER: GridMark = GridMark { cells: 0, costs: 0, restores: u32::MAX, history: 0 };
}

impl Default for GridMark {
    fn default() -> Self {
        GridMark::NEVER
    }
}

/// What has been edited since a mark.
#[derive(Clone, Debug)]
pub enum Edits<'a> {
    /// Nothing.
    None,
    /// These rectangles, oldest first. Cells within them may be as they were.
    Rects(EditedRects<'a>),
    /// More than the journal remembers: anything may have changed.
    All,
}

/// Edited rectangles, oldest first.
#[derive(Clone, Debug)]
pub struct EditedRects<'a> {
    ring: &'a [JournalEntry],
    next: u32,
    end: u32,
}

impl EditedRects<'_> {
    /// No rectangles.
    pub(super) const NONE: EditedRects<'static> = EditedRects { ring: &[], next: 0, end: 0 };
}

impl Iterator for EditedRects<'_> {
    type Item = CellRect;

    fn next(&mut self) -> Option<CellRect> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        self.ring.get(place(self.next, self.ring.len())).map(|entry| entry.rect)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.end - self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for EditedRects<'_> {}

/// An edit: what it changed, and the history it came after.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct JournalEntry {
    rect: CellRect,
    before: u64,
}

/// A history after one more cell was set to an area: 64 bits in which all edits so far are mixed, in their order.
#[inline]
pub(super) const fn history_after(history: u64, index: u64, area: u8) -> u64 {
    // One odd factor and one fold: different histories stay different, and different edits come apart.
    let mixed = (history ^ (index << 8 | area as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}

/// The ring itself: the rectangle of version `v` stands at `v` modulo its length.
#[derive(Debug)]
pub(super) struct Journal<'m> {
    ring: &'m mut [JournalEntry],
    version: u32,
    /// The version from which on the ring has been written.
    base: u32,
    restores: u32,
    history: u64,
}

impl<'m> Journal<'m> {
    pub(super) fn over(ring: &'m mut [JournalEntry]) -> Self {
        Journal { ring, version: 0, base: 0, restores: 0, history: 0 }
    }

    /// The mark of what there is now, with the version of the costs.
    pub(super) fn mark(&self, costs: u32) -> GridMark {
        GridMark { cells: self.version, costs, restores: self.restores, history: self.history }
    }

    pub(super) fn history(&self) -> u64 {
        self.history
    }

    pub(super) fn version(&self) -> u32 {
        self.version
    }

    pub(super) fn restores(&self) -> u32 {
        self.restores
    }

    /// Enters an edit under a new version, with the history after it.
    pub(super) fn enter(&mut self, rect: CellRect, history: u64) {
        if self.version == i32::MAX as u32 {
            // A saved version is a signed integer that is not negative; past its end all begins anew, as if restored.
            self.restored(0, self.history);
        }
        self.version += 1;
        let length = self.ring.len();
        if length > 0 {
            self.ring[place(self.version, length)] = JournalEntry { rect, before: self.history };
        }
        self.history = history;
    }

    /// The grid's contents were replaced from outside: nothing derived from them holds any longer. `history` stands for the
    /// new contents: their hash.
    pub(super) fn restored(&mut self, version: u32, history: u64) {
        self.version = version;
        self.history = history;
        self.base = version;
        // NEVER has the last number, so it is skipped.
        self.restores = if self.restores >= u32::MAX - 1 { 0 } else { self.restores + 1 };
    }

    pub(super) fn since(&self, mark: &GridMark) -> Edits<'_> {
        if mark.restores != self.restores || mark.cells > self.version {
            return Edits::All;
        }
        let missed = self.version - mark.cells;
        let remembered = (self.version - self.base).min(self.ring.len() as u32);
        // What the history was at the mark's version, where that is remembered.
        let history = match self.ring.get(place(mark.cells.wrapping_add(1), self.ring.len())) {
            _ if missed == 0 => self.history,
            Some(entry) if missed <= remembered => entry.before,
            _ => return Edits::All,
        };
        match missed {
            _ if history != mark.history => Edits::All,
            0 => Edits::None,
            _ => Edits::Rects(EditedRects { ring: self.ring, next: mark.cells, end: self.version }),
        }
    }
}

fn place(version: u32, length: usize) -> usize {
    (version as usize).checked_rem(length).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;
    use std::vec::Vec;

    fn rect(n: u32) -> CellRect {
        CellRect::of(Cell::new(n as i32, 0))
    }

    /// Some history after a version.
    fn after(version: u32) -> u64 {
        u64::from(version) * 7
    }

    #[test]
    fn histories_tell_cells_areas_and_orders_apart() {
        let of = |edits: &[(u64, u8)]| edits.iter().fold(0, |history, &(at, area)| history_after(history, at, area));
        let mut histories = Vec::new();
        for one in 0..40 {
            for other in 0..40 {
                histories.push(of(&[(one, 255), (other, 0)]));
                histories.push(of(&[(one, 0), (other, 255)]));
            }
        }
        let count = histories.len();
        histories.sort_unstable();
        histories.dedup();
        assert_eq!(histories.len(), count);
    }

    #[test]
    fn every_mark_sees_the_edits_since_it_or_all() {
        for length in 0..5usize {
            let mut ring = std::vec![JournalEntry::default(); length];
            let mut journal = Journal::over(&mut ring);
            for version in 1..=9u32 {
                journal.enter(rect(version), after(version));
                assert_eq!(journal.version(), version);
                for seen in 0..=version {
                    let mark = GridMark { cells: seen, costs: 0, restores: 0, history: after(seen) };
                    let other = GridMark { history: 99, ..mark };
                    assert!(matches!(journal.since(&other), Edits::All), "another grid's mark");
                    match journal.since(&mark) {
                        Edits::None => assert_eq!(seen, version),
                        Edits::All => assert!((version - seen) as usize > length),
                        Edits::Rects(rects) => {
                            assert_eq!(rects.len(), (version - seen) as usize);
                            assert!(rects.eq((seen + 1..=version).map(rect)));
                        }
                    }
                }
                assert!(matches!(journal.since(&GridMark::NEVER), Edits::All));
            }
        }
    }

    #[test]
    fn a_restore_makes_every_earlier_mark_see_all_though_versions_repeat() {
        let mut ring = [JournalEntry::default(); 4];
        let mut journal = Journal::over(&mut ring);
        (1..=3).for_each(|n| journal.enter(rect(n), after(n)));
        let before = GridMark { cells: 2, history: after(2), ..journal.mark(0) };
        journal.restored(1, after(1));
        journal.enter(rect(7), after(2));
        assert_eq!(journal.version(), before.cells);
        assert!(matches!(journal.since(&before), Edits::All));
        let mark = |cells| GridMark { cells, history: after(cells), ..journal.mark(0) };
        let Edits::Rects(rects) = journal.since(&mark(1)) else { panic!("one edit since") };
        assert_eq!(rects.collect::<Vec<_>>(), [rect(7)]);
        // Version 0 lies before the restore: the ring never held what led from it to version 1.
        assert!(matches!(journal.since(&mark(0)), Edits::All));
    }

    #[test]
    fn versions_stay_within_what_can_be_saved() {
        let mut ring = [JournalEntry::default(); 4];
        let mut journal = Journal::over(&mut ring);
        journal.restored(i32::MAX as u32, 5);
        let mark = journal.mark(0);
        journal.enter(rect(1), 6);
        assert_eq!(journal.version(), 1);
        assert!(matches!(journal.since(&mark), Edits::All));
    }
}
