//! Who does the work of a scenario: one thread, or as many as a machine has.

use alloc::vec::Vec;

/// Workers that share the parts of a job.
pub trait Crew: Sync {
    /// How many there are.
    fn workers(&self) -> usize;

    /// Does the parts `0..count`, each by any worker, and gives what they came to, in the order of the parts.
    fn share(&self, count: usize, part: &(dyn Fn(usize) -> Vec<u8> + Sync)) -> Vec<Vec<u8>>;
}

/// One worker, who does the parts in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alone;

impl Crew for Alone {
    fn workers(&self) -> usize {
        1
    }

    fn share(&self, count: usize, part: &(dyn Fn(usize) -> Vec<u8> + Sync)) -> Vec<Vec<u8>> {
        (0..count).map(part).collect()
    }
}
