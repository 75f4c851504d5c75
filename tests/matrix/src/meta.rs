//! Checks of the matrix itself: bits as they are written, and work that is shared.

use alloc::vec::Vec;
use navarena::error::Result;
use navarena::math::{SplitMix64, sqrt};

use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] =
    &[Scenario { name: "meta/bits", run: bits }, Scenario { name: "meta/shared", run: shared }];

fn bits(record: &mut Record<'_>) -> Result<()> {
    record.numbers(&[0.0, -0.0, 1.5, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::from_bits(1)]);
    record.single(-1.25);
    record.count(0x0123_4567_89ab_cdef_u64);
    record.bytes(b"navarena");
    Ok(())
}

/// Sums in a fixed order, in parts that any worker may do.
fn shared(record: &mut Record<'_>) -> Result<()> {
    let part = |part: usize| -> Vec<u8> {
        let mut random = SplitMix64::new(part as u64);
        let sum = (0..200).fold(0.0, |sum, _| sum + sqrt(random.next_f64()) / 3.0);
        sum.to_bits().to_le_bytes().to_vec()
    };
    record.crew().share(32, &part).iter().for_each(|bytes| record.bytes(bytes));
    Ok(())
}
