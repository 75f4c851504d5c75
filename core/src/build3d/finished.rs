//! Where a baker keeps finished tiles: blocks at the very back of its work memory, each closed by a grain that says
//! how long it is, so that they are found again from the end.

use crate::error::Result;
use crate::memory::{Arena, GRAIN, Grain};

/// What closes a block: how many of its bytes are the tile's, and how many it has.
type Close = [u64; 2];

/// Takes a block of `room` bytes at the arena's back for a tile of `used` bytes.
///
/// Taken inside a scope whose back is otherwise free, the same call outside of it takes the same block with what was
/// written: see [`keep_block`].
pub(super) fn take_block<'a>(used: usize, room: usize, arena: &mut Arena<'a>) -> Result<&'a mut [u8]> {
    let close = arena.take_back::<u64>(2)?;
    close.copy_from_slice(&[used as u64, room as u64]);
    arena.take_back::<u8>(room)
}

/// Takes again what a scope took with [`take_block`], contents and all.
pub(super) fn keep_block(used: usize, room: usize, arena: &mut Arena<'_>) -> Result<()> {
    take_block(used, room, arena).map(|_| ())
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
        let (close, rest) = self.grains.split_last()?;
        let [used, room] = bytemuck::cast::<Grain, Close>(*close);
        let (rest, block) = rest.split_at_checked(rest.len().checked_sub((room as usize).div_ceil(GRAIN))?)?;
        self.grains = rest;
        bytemuck::cast_slice(block).get(..used as usize)
    }
}

/// Lets `edit` change the block of a finished tile, given how many of its bytes are used; it returns how many are then.
pub(super) fn edit_block(
    grains: &mut [Grain],
    tile: usize,
    edit: impl FnOnce(&mut [u8], usize) -> Result<usize>,
) -> Result<()> {
    let mut blocks = grains;
    for _ in 0..tile {
        let Some((close, rest)) = blocks.split_last_mut() else { return Ok(()) };
        let below = rest.len().saturating_sub(room_of(close).div_ceil(GRAIN));
        blocks = &mut rest[..below];
    }
    let Some((close, rest)) = blocks.split_last_mut() else { return Ok(()) };
    let [used, room] = bytemuck::cast::<Grain, Close>(*close);
    let start = rest.len().saturating_sub((room as usize).div_ceil(GRAIN));
    let block: &mut [u8] = bytemuck::cast_slice_mut(&mut rest[start..]);
    let block_room = block.len().min(room as usize);
    let used = edit(&mut block[..block_room], used as usize)?;
    *close = bytemuck::cast::<Close, Grain>([used as u64, room]);
    Ok(())
}

fn room_of(close: &Grain) -> usize {
    bytemuck::cast::<Grain, Close>(*close)[1] as usize
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
            take_block(33, 33, &mut arena).unwrap().fill(1);
            arena
                .scope(|desk| {
                    take_block(5, 7, desk)?.fill(2);
                    desk.take::<u8>(30).map(|scratch| scratch.fill(9))
                })
                .unwrap();
            keep_block(5, 7, &mut arena).unwrap();
        }
        let grains = &*region.grains();
        let tiles: std::vec::Vec<_> = FinishedTiles { grains, left: 2 }.collect();
        assert_eq!(tiles, [&[1u8; 33][..], &[2; 5]]);
        edit_block(region.grains(), 1, |block, used| {
            block[used] = 8;
            Ok(used + 1)
        })
        .unwrap();
        let grains = &*region.grains();
        assert_eq!(FinishedTiles { grains, left: 2 }.last(), Some(&[2u8, 2, 2, 2, 2, 8][..]));
    }
}
