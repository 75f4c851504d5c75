//! Where a baker keeps finished tiles: blocks at the very back of its work memory, each closed by a grain that says
//! how long it is, so that they are found again from the end.

use crate::error::Result;
use crate::memory::{Arena, GRAIN, Grain};

/// Takes a block for a tile of `bytes` at the arena's back and notes its length.
///
/// Taken inside a scope whose back is otherwise free, the same call outside of it takes the same block with what was
/// written: see [`keep_block`].
pub(super) fn take_block<'a>(bytes: usize, arena: &mut Arena<'a>) -> Result<&'a mut [u8]> {
    let length = arena.take_back::<u64>(2)?;
    length.copy_from_slice(&[bytes as u64, 0]);
    arena.take_back::<u8>(bytes)
}

/// Takes again what a scope took with [`take_block`], contents and all.
pub(super) fn keep_block(bytes: usize, arena: &mut Arena<'_>) -> Result<()> {
    take_block(bytes, arena).map(|_| ())
}

/// The finished tiles, first baked first.
pub(super) struct FinishedTiles<'a> {
    pub(super) grains: &'a [Grain],
    pub(super) left: u32,
}

impl<'a> Iterator for FinishedTiles<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        let (length, rest) = self.grains.split_last()?;
        let bytes = bytemuck::cast::<Grain, [u64; 2]>(*length)[0] as usize;
        let (rest, block) = rest.split_at_checked(rest.len().checked_sub(bytes.div_ceil(GRAIN))?)?;
        self.grains = rest;
        bytemuck::cast_slice(block).get(..bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn blocks_are_found_again_from_the_end() {
        let mut region = Memory::<256>::new();
        {
            let mut arena = Arena::new(region.grains());
            arena.take::<u8>(20).unwrap().fill(7);
            take_block(33, &mut arena).unwrap().fill(1);
            arena
                .scope(|desk| {
                    take_block(5, desk)?.fill(2);
                    desk.take::<u8>(30).map(|scratch| scratch.fill(9))
                })
                .unwrap();
            keep_block(5, &mut arena).unwrap();
        }
        let grains = &*region.grains();
        let tiles: std::vec::Vec<_> = FinishedTiles { grains, left: 2 }.collect();
        assert_eq!(tiles, [&[1u8; 33][..], &[2; 5]]);
    }
}
