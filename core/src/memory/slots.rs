//! Slots with generations: the lowest free slot is handed out, and a reference to what it held before goes stale.

use super::{Arena, Plan, Ruler};
use crate::error::{Error, Result, Subject};

const SALT_MASK: u32 = 0x00FF_FFFF;
const USED: u32 = 1 << 31;

/// A fixed number of slots, each free or used, with a 24-bit salt that is never zero.
///
/// The salt starts at 1 and advances when a slot's content goes or is replaced (`navmesh-format.md`, "References").
/// Taking costs a scan from the lowest slot that may be free; everything else is constant time.
#[derive(Debug)]
pub struct SlotPool<'m> {
    /// Salt in the low 24 bits, the used mark in the highest.
    words: &'m mut [u32],
    used: usize,
    /// No slot below this one is free.
    hint: usize,
}

impl<'m> SlotPool<'m> {
    /// What a pool of `slots` needs.
    pub const fn plan(slots: usize) -> Plan {
        Ruler::new().array::<u32>(slots).plan()
    }

    /// A pool with every slot free and every salt 1.
    pub fn new(slots: usize, arena: &mut Arena<'m>) -> Result<Self> {
        let mut pool = SlotPool { words: arena.take(slots)?, used: 0, hint: 0 };
        pool.reset();
        Ok(pool)
    }

    /// Frees every slot and sets every salt to 1.
    pub fn reset(&mut self) {
        self.words.fill(1);
        self.used = 0;
        self.hint = 0;
    }

    /// How many slots there are.
    pub fn capacity(&self) -> usize {
        self.words.len()
    }

    /// How many slots are used.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The lowest free slot, without taking it.
    pub fn lowest_free(&self) -> Option<usize> {
        (self.hint..self.words.len()).find(|&slot| self.words[slot] & USED == 0)
    }

    /// Takes the lowest free slot; `limit` names what has run out when there is none.
    pub fn take(&mut self, limit: Subject) -> Result<usize> {
        let slot = self.lowest_free().ok_or(Error::capacity(limit, self.words.len()))?;
        self.words[slot] |= USED;
        self.used += 1;
        self.hint = slot + 1;
        Ok(slot)
    }

    /// Frees a used slot and advances its salt. A free or absent slot stays as it is.
    pub fn release(&mut self, slot: usize) {
        if self.is_used(slot) {
            self.advance(slot);
            self.words[slot] &= !USED;
            self.used -= 1;
            self.hint = self.hint.min(slot);
        }
    }

    /// Advances a used slot's salt, so that references to its former content go stale.
    pub fn advance(&mut self, slot: usize) {
        if let Some(word) = self.words.get_mut(slot) {
            let next = (*word + 1) & SALT_MASK;
            *word = (*word & USED) | if next == 0 { 1 } else { next };
        }
    }

    /// Whether a slot is used.
    pub fn is_used(&self, slot: usize) -> bool {
        self.words.get(slot).is_some_and(|word| word & USED != 0)
    }

    /// A slot's salt, 1 to 2^24 - 1; 0 for a slot that does not exist.
    pub fn salt(&self, slot: usize) -> u32 {
        self.words.get(slot).map_or(0, |word| word & SALT_MASK)
    }

    /// Sets a slot as a saved state had it. `salt` is reduced to 24 bits and may not be 0.
    pub fn restore(&mut self, slot: usize, salt: u32, used: bool) -> Result<()> {
        let salt = salt & SALT_MASK;
        if salt == 0 {
            return Err(Error::format(Subject::Salt).at(slot));
        }
        let count = self.words.len();
        let word = self.words.get_mut(slot).ok_or(Error::capacity(Subject::Slots, count))?;
        self.used = self.used + usize::from(used) - usize::from(*word & USED != 0);
        *word = salt | if used { USED } else { 0 };
        self.hint = 0;
        Ok(())
    }
}
