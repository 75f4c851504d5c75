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

    /// Advances a slot's salt, so that references to its former content go stale; after 2^24 - 1 comes 1.
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
    #[inline]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::math::SplitMix64;
    use crate::memory::Memory;
    use std::vec;
    use std::vec::Vec;

    crate::memory::assert_portable!(SlotPool);

    /// The same by the definition: salts as plain numbers, the lowest free slot by looking at each.
    struct Plain {
        salts: Vec<u32>,
        used: Vec<bool>,
    }

    impl Plain {
        fn lowest_free(&self) -> Option<usize> {
            self.used.iter().position(|used| !used)
        }

        fn advance(&mut self, slot: usize) {
            self.salts[slot] = if self.salts[slot] == 0xFF_FFFF { 1 } else { self.salts[slot] + 1 };
        }

        fn compare(&self, pool: &SlotPool) {
            assert_eq!(pool.lowest_free(), self.lowest_free());
            assert_eq!(pool.used(), self.used.iter().filter(|used| **used).count());
            for slot in 0..self.salts.len() {
                assert_eq!((pool.salt(slot), pool.is_used(slot)), (self.salts[slot], self.used[slot]));
            }
        }
    }

    #[test]
    fn long_histories_agree_with_plain_ones() {
        const SLOTS: usize = 23;
        let mut region = Memory::<{ SlotPool::plan(SLOTS).bytes }>::new();
        let mut pool = SlotPool::new(SLOTS, &mut Arena::new(region.grains())).unwrap();
        let mut plain = Plain { salts: vec![1; SLOTS], used: vec![false; SLOTS] };
        let mut random = SplitMix64::new(4);
        for _ in 0..50_000 {
            let slot = random.below(SLOTS as u64) as usize;
            match random.below(12) {
                0..6 => {
                    let free = plain.lowest_free();
                    assert_eq!(pool.take(Subject::Tiles).ok(), free);
                    free.into_iter().for_each(|slot| plain.used[slot] = true);
                }
                6..9 => {
                    pool.release(slot);
                    if plain.used[slot] {
                        plain.used[slot] = false;
                        plain.advance(slot);
                    }
                }
                9 | 10 => {
                    pool.advance(slot);
                    plain.advance(slot);
                }
                _ => {
                    // Salts near the end, so that they pass it.
                    let (salt, used) = (0xFF_FFFF - random.below(3) as u32, random.below(2) == 1);
                    pool.restore(slot, salt, used).unwrap();
                    (plain.salts[slot], plain.used[slot]) = (salt, used);
                }
            }
            plain.compare(&pool);
        }
        pool.reset();
        Plain { salts: vec![1; SLOTS], used: vec![false; SLOTS] }.compare(&pool);
    }

    #[test]
    fn a_full_pool_names_its_limit_and_absent_slots_change_nothing() {
        let mut region = Memory::<16>::new();
        let mut pool = SlotPool::new(2, &mut Arena::new(region.grains())).unwrap();
        assert_eq!((pool.take(Subject::Tiles), pool.take(Subject::Tiles)), (Ok(0), Ok(1)));
        assert_eq!(pool.take(Subject::Tiles), Err(Error::capacity(Subject::Tiles, 2)));
        pool.release(2);
        pool.advance(usize::MAX);
        assert_eq!((pool.salt(2), pool.is_used(usize::MAX), pool.used()), (0, false, 2));
        assert_eq!(pool.restore(2, 1, true).unwrap_err().kind(), ErrorKind::Capacity);
        assert_eq!(pool.restore(0, 1 << 24, true), Err(Error::format(Subject::Salt).at(0)));
        assert_eq!((pool.salt(0), pool.used()), (1, 2));
    }
}
