//! The hashes that everything else is named by.

use navarena::error::Result;
use navarena::hash::{Fnv1a, Sha256, fnv1a, sha256};
use navarena::math::SplitMix64;

use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] =
    &[Scenario { name: "hash/fnv1a", run: fnv }, Scenario { name: "hash/sha256", run: sha }];

/// Messages of every length up to three blocks, at once and in pieces.
fn each_message(mut work: impl FnMut(&[u8], &[u8])) {
    let mut random = SplitMix64::new(1);
    let bytes: [u8; 192] = core::array::from_fn(|_| random.next_u64() as u8);
    for len in 0..=bytes.len() {
        let (front, back) = bytes[..len].split_at(random.below(len as u64 + 1) as usize);
        work(front, back);
    }
}

fn sha(record: &mut Record<'_>) -> Result<()> {
    each_message(|front, back| {
        let mut hash = Sha256::new();
        hash.update(front);
        hash.update(back);
        record.bytes(&hash.finish());
        record.bytes(&sha256(back));
    });
    Ok(())
}

fn fnv(record: &mut Record<'_>) -> Result<()> {
    each_message(|front, back| {
        let mut hash = Fnv1a::new();
        hash.update(front);
        hash.update(back);
        record.count(hash.finish());
        record.count(fnv1a(back));
    });
    Ok(())
}
