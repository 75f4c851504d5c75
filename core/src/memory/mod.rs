//! Memory the caller owns, carved without unsafe code.
//!
//! A region is a slice of 16-byte [`Grain`]s. A def measures what its object needs with a [`Ruler`] and publishes it
//! as a [`Plan`]; an [`Arena`] carves the arrays that the plan names. What is carved is whatever was there before:
//! an object clears what must be clear, and carving never does. Sizes add up and depend on neither address nor order.
//!
//! ```
//! use navarena::memory::{Arena, Memory, Ruler};
//! const PLAN: usize = Ruler::new().array::<u32>(100).array::<u8>(3).plan().bytes;
//! let mut region = Memory::<PLAN>::new();
//! let mut arena = Arena::new(region.grains());
//! let numbers = arena.take::<u32>(100).unwrap();
//! let bytes = arena.take::<u8>(3).unwrap();
//! assert_eq!((numbers.len(), bytes.len(), arena.remaining()), (100, 3, 0));
//! assert!(arena.take::<u8>(1).is_err());
//! ```

mod arena;
mod list;
mod plan;
mod ranges;
mod slots;
mod sort;
mod twin;

pub use arena::Arena;
pub use bytemuck::{Pod, Zeroable};
pub use list::List;
pub use plan::{Plan, Ruler};
pub use ranges::RangePool;
pub use slots::SlotPool;
pub(crate) use sort::sort_compactly;
pub use twin::Twin;

/// Takes the first elements off a slice, as many as there are: how arrays are shared out among workers.
pub(crate) fn cut<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let count = count.min(rest.len());
    let (front, back) = core::mem::take(rest).split_at_mut(count);
    *rest = back;
    front
}

/// How many bytes a grain has; every array in a region begins at one.
pub const GRAIN: usize = 16;

/// The unit of a region: sixteen plain bytes at an address divisible by sixteen.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Grain([u8; GRAIN]);

impl Grain {
    /// A grain of zero bytes, to make a region of.
    pub const ZERO: Grain = Grain([0; GRAIN]);
}

/// A region of a size known when compiling, for a static or a stack buffer.
///
/// `BYTES` is usually a plan's; what does not fill a grain at the end is not used.
#[repr(C, align(16))]
#[derive(Clone, Debug)]
pub struct Memory<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Memory<BYTES> {
    /// A region of zero bytes.
    pub const fn new() -> Self {
        Memory([0; BYTES])
    }

    /// The region's grains, to make an [`Arena`] of.
    pub fn grains(&mut self) -> &mut [Grain] {
        let whole = BYTES - BYTES % GRAIN;
        // The type's own alignment makes the cast exact; it can't fail.
        bytemuck::try_cast_slice_mut(&mut self.0[..whole]).unwrap_or(&mut [])
    }
}

impl<const BYTES: usize> Default for Memory<BYTES> {
    fn default() -> Self {
        Self::new()
    }
}

/// How many grains an array of `count` elements of `T` takes; `None` where the size overflows.
pub(crate) const fn grains_for<T>(count: usize) -> Option<usize> {
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) => Some(bytes.div_ceil(GRAIN)),
        None => None,
    }
}

/// An object made in an arena must be `Send`, `Sync` and covariant in the arena's lifetime; one line in its tests:
/// `crate::memory::assert_portable!(Mesh);`
#[cfg(test)]
macro_rules! assert_portable {
    ($type:ident) => {
        const _: () = {
            const fn is_send_and_sync<T: Send + Sync>() {}
            is_send_and_sync::<$type<'static>>();
            #[allow(dead_code)]
            fn is_covariant<'short, 'long: 'short>(x: $type<'long>) -> $type<'short> {
                x
            }
        };
    };
}
#[cfg(test)]
pub(crate) use assert_portable;
