//! Pools over long random histories: which slot is handed out, what fits, and what ranges hold after they moved.

use navarena::error::{Result, Subject};
use navarena::math::SplitMix64;
use navarena::memory::{Arena, RangePool, SlotPool};

use crate::level::region;
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] =
    &[Scenario { name: "memory/ranges", run: ranges }, Scenario { name: "memory/slots", run: slots }];

fn slots(record: &mut Record<'_>) -> Result<()> {
    const SLOTS: usize = 70;
    let mut memory = region(SlotPool::plan(SLOTS));
    let mut pool = SlotPool::new(SLOTS, &mut Arena::new(&mut memory))?;
    let mut random = SplitMix64::new(1);
    for _ in 0..2000 {
        let slot = random.below(SLOTS as u64) as usize;
        if random.below(5) < 2 && pool.is_used(slot) {
            pool.release(slot);
        } else if let Ok(taken) = pool.take(Subject::Tile) {
            record.index(taken);
            record.count(pool.salt(taken));
        }
        record.index(pool.used());
    }
    Ok(())
}

fn ranges(record: &mut Record<'_>) -> Result<()> {
    const IDS: usize = 24;
    const ITEMS: usize = 400;
    let mut memory = region(RangePool::<u32>::plan(IDS, ITEMS));
    let mut pool = RangePool::<u32>::new(IDS, ITEMS, &mut Arena::new(&mut memory))?;
    let mut random = SplitMix64::new(2);
    for step in 0..2000_u32 {
        let (id, len) = (random.below(IDS as u64) as usize, random.below(60) as usize);
        if !pool.is_empty(id) {
            pool.get(id).iter().for_each(|&item| record.count(item));
            pool.release(id);
        } else if len > 0 && pool.take(id, len, Subject::Vertices).is_ok() {
            pool.get_mut(id).iter_mut().zip(step..).for_each(|(item, value)| *item = value);
        }
        record.index(pool.used());
    }
    record.count(pool.moved());
    Ok(())
}
