//! Blocks of memory and where they come from.

use crate::host::{HostAllocator, HostBlock};
use alloc::boxed::Box;
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::memory::{GRAIN, Grain};

/// Where memory comes from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Source {
    /// The program's global allocator.
    #[default]
    Global,
    /// A host's own functions.
    Host(HostAllocator),
}

/// A region that owns its memory and gives it back when dropped.
///
/// ```
/// use navarena::memory::Arena;
/// use navarena_alloc::{Block, Source};
/// let mut block = Block::new(&Source::Global, 1000)?;
/// let mut arena = Arena::new(block.grains());
/// assert_eq!(arena.take_zeroed::<u64>(125)?.len(), 125);
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
#[derive(Debug)]
pub struct Block(Memory);

#[derive(Debug)]
enum Memory {
    Global(Box<[Grain]>),
    Host(HostBlock),
}

impl Block {
    /// A block of at least `bytes`, all zero. Errors: [`ErrorKind::Capacity`] when the source has no more.
    pub fn new(source: &Source, bytes: usize) -> Result<Block> {
        let refusal = Error::new(ErrorKind::Capacity, Subject::Memory).value(bytes as f64);
        let grains = bytes.div_ceil(GRAIN);
        match source {
            // Zeroed pages come from the system untouched: what an object never uses costs nothing.
            Source::Global => {
                bytemuck::allocation::try_zeroed_slice_box(grains).map(Memory::Global).map_err(|()| refusal)
            }
            Source::Host(host) => HostBlock::new(host, grains).map(Memory::Host).ok_or(refusal),
        }
        .map(Block)
    }

    /// The block's grains, to make an arena of.
    pub fn grains(&mut self) -> &mut [Grain] {
        match &mut self.0 {
            Memory::Global(grains) => grains,
            Memory::Host(block) => block.grains(),
        }
    }

    /// The block's size in bytes.
    pub fn bytes(&self) -> usize {
        GRAIN
            * match &self.0 {
                Memory::Global(grains) => grains.len(),
                Memory::Host(block) => block.len(),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_zero_and_rounded_up_to_grains() {
        let mut block = Block::new(&Source::Global, 33).unwrap();
        assert_eq!(block.bytes(), 48);
        assert!(block.grains().iter().all(|&g| g == Grain::ZERO));
        assert_eq!(Block::new(&Source::Global, 0).unwrap().bytes(), 0);
    }

    #[test]
    fn more_than_there_is_is_refused() {
        let error = Block::new(&Source::Global, isize::MAX as usize).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
        assert!(Block::new(&Source::Global, usize::MAX).is_err());
    }
}
