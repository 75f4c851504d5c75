//! Memory from a host's own alloc and free functions.
//!
//! This is the one module of the crate with unsafe code: it calls functions that the host vouches for and makes a slice
//! of what they return. Each use says why it holds.
#![allow(unsafe_code)]

use core::ffi::c_void;
use core::ptr::NonNull;
use core::slice;
use navarena::memory::{GRAIN, Grain};

/// Gives `size` bytes aligned to `align`, or null. The first argument is the allocator's context.
pub type AllocFunction = unsafe extern "C" fn(context: *mut c_void, size: usize, align: usize) -> *mut u8;
/// Takes back what an [`AllocFunction`] gave, with the same size and alignment.
pub type FreeFunction = unsafe extern "C" fn(context: *mut c_void, memory: *mut u8, size: usize, align: usize);

/// A host's allocator: two functions and the context they are called with.
///
/// ```
/// use navarena_alloc::prelude::*;
/// use navarena_alloc::{Block, HostAllocator, Source};
/// use std::alloc::{Layout, alloc, dealloc};
/// use std::ffi::c_void;
///
/// unsafe extern "C" fn take(_: *mut c_void, size: usize, align: usize) -> *mut u8 {
///     unsafe { alloc(Layout::from_size_align(size, align).unwrap()) }
/// }
/// unsafe extern "C" fn give_back(_: *mut c_void, memory: *mut u8, size: usize, align: usize) {
///     unsafe { dealloc(memory, Layout::from_size_align(size, align).unwrap()) }
/// }
///
/// // SAFETY: the functions are the global allocator's, which holds to the contract on any thread.
/// let host = unsafe { HostAllocator::new(std::ptr::null_mut(), take, give_back) };
/// let block = Block::new(&Source::Host(host), 4096)?;
/// assert_eq!(block.bytes(), 4096);
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HostAllocator {
    context: *mut c_void,
    alloc: AllocFunction,
    free: FreeFunction,
}

// SAFETY: the contract of `new` lets every thread call the functions with the context, also at once.
unsafe impl Send for HostAllocator {}
// SAFETY: as above.
unsafe impl Sync for HostAllocator {}

impl HostAllocator {
    /// An allocator of a host.
    ///
    /// # Safety
    /// For as long as the allocator or anything made with it lives, on any thread and on several at once:
    /// - `alloc(context, size, align)` returns null, or memory of `size` bytes that nothing else uses until it is given
    ///   back; `size` is above 0, `align` a power of two.
    /// - `free(context, memory, size, align)` takes back what `alloc` returned for that size and alignment.
    /// - Neither unwinds.
    pub const unsafe fn new(context: *mut c_void, alloc: AllocFunction, free: FreeFunction) -> HostAllocator {
        HostAllocator { context, alloc, free }
    }
}

/// A block that a host's functions gave and take back.
#[derive(Debug)]
pub struct HostBlock {
    start: NonNull<Grain>,
    len: usize,
    host: HostAllocator,
}

// SAFETY: the block owns its memory alone, grains are plain bytes, and the host's functions may be called anywhere.
unsafe impl Send for HostBlock {}
// SAFETY: a shared block gives out its length only.
unsafe impl Sync for HostBlock {}

impl HostBlock {
    /// A block of grains, all zero; `None` when the host has no more, or gives memory that is not aligned as asked.
    pub fn new(host: &HostAllocator, len: usize) -> Option<HostBlock> {
        let size = len.checked_mul(GRAIN).filter(|&size| size <= isize::MAX as usize)?;
        if size == 0 {
            return Some(HostBlock { start: NonNull::dangling(), len: 0, host: *host });
        }
        // SAFETY: the contract of `HostAllocator::new`; the size is above 0 and the alignment a power of two.
        let memory = NonNull::new(unsafe { (host.alloc)(host.context, size, align_of::<Grain>()) })?;
        if !memory.addr().get().is_multiple_of(align_of::<Grain>()) {
            // SAFETY: just given for this size and alignment.
            unsafe { (host.free)(host.context, memory.as_ptr(), size, align_of::<Grain>()) };
            return None;
        }
        // SAFETY: the host gave `size` bytes that nothing else uses.
        unsafe { memory.write_bytes(0, size) };
        Some(HostBlock { start: memory.cast(), len, host: *host })
    }

    /// The block's grains.
    pub fn grains(&mut self) -> &mut [Grain] {
        // SAFETY: `len` grains from `start` are aligned, initialized, and this block's alone; the borrow of `self`
        // keeps it so. For a length of 0 a dangling pointer that is aligned will do.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// How many grains the block has.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        if self.len > 0 {
            let memory = self.start.as_ptr().cast();
            // SAFETY: given by the same host for this size and alignment, and given back once.
            unsafe { (self.host.free)(self.host.context, memory, self.len * GRAIN, align_of::<Grain>()) };
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::alloc::{Layout, alloc, dealloc};

    /// Counts the bytes that a host gave out; refuses past its bound.
    pub(crate) struct Ledger {
        pub held: AtomicUsize,
        pub calls: AtomicUsize,
        pub bound: usize,
        pub skew: usize,
    }

    impl Ledger {
        pub(crate) const fn new(bound: usize) -> Ledger {
            Ledger { held: AtomicUsize::new(0), calls: AtomicUsize::new(0), bound, skew: 0 }
        }

        pub(crate) fn allocator(&'static self) -> HostAllocator {
            // SAFETY: `give` and `take_back` hold to the contract: they wrap the global allocator and count atomically.
            unsafe { HostAllocator::new((&raw const *self).cast_mut().cast(), give, take_back) }
        }
    }

    unsafe extern "C" fn give(context: *mut c_void, size: usize, align: usize) -> *mut u8 {
        // SAFETY: the context is a `&'static Ledger`.
        let ledger = unsafe { &*context.cast::<Ledger>() };
        ledger.calls.fetch_add(1, Ordering::Relaxed);
        if ledger.held.load(Ordering::Relaxed) + size > ledger.bound {
            return core::ptr::null_mut();
        }
        ledger.held.fetch_add(size, Ordering::Relaxed);
        let layout = Layout::from_size_align(size + 16, align).unwrap();
        // SAFETY: the layout is not empty; `skew` is below the sixteen bytes added.
        unsafe { alloc(layout).add(ledger.skew) }
    }

    unsafe extern "C" fn take_back(context: *mut c_void, memory: *mut u8, size: usize, align: usize) {
        // SAFETY: the context is a `&'static Ledger`, the memory is what `give` returned.
        let ledger = unsafe { &*context.cast::<Ledger>() };
        ledger.held.fetch_sub(size, Ordering::Relaxed);
        let layout = Layout::from_size_align(size + 16, align).unwrap();
        // SAFETY: as above.
        unsafe { dealloc(memory.sub(ledger.skew), layout) }
    }

    #[test]
    fn a_block_takes_and_gives_back_what_it_says() {
        static LEDGER: Ledger = Ledger::new(1000);
        let host = LEDGER.allocator();
        let mut block = HostBlock::new(&host, 10).unwrap();
        assert_eq!(LEDGER.held.load(Ordering::Relaxed), 160);
        assert!(block.grains().iter().all(|&g| g == Grain::ZERO));
        let empty = HostBlock::new(&host, 0).unwrap();
        assert!(empty.is_empty());
        assert!(HostBlock::new(&host, 60).is_none());
        assert!(HostBlock::new(&host, usize::MAX).is_none());
        drop((block, empty));
        assert_eq!(LEDGER.held.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn memory_that_is_not_aligned_is_given_back() {
        static LEDGER: Ledger = Ledger { skew: 4, ..Ledger::new(1000) };
        assert!(HostBlock::new(&LEDGER.allocator(), 2).is_none());
        assert_eq!(LEDGER.held.load(Ordering::Relaxed), 0);
        assert_eq!(LEDGER.calls.load(Ordering::Relaxed), 1);
    }
}
