//! How many bytes Recast and Detour ask for: their allocation hooks, with a count.
//!
//! The count is of bytes asked for, without an allocator's own overhead, exactly as an arena's high-water mark counts
//! ours. It is taken in runs of their own, so that the timed runs use the library's default functions.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::sys;

/// Room before each block for its size, kept as large as the strictest alignment that malloc promises.
const HEADER: usize = 16;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// One measurement at a time: the hooks are global.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

unsafe extern "C" {
    /// `rcAllocSetCustom` of RecastAlloc.h, for which the bindings have no line; the name is its mangled one.
    #[link_name = "\u{1}_Z16rcAllocSetCustomPFPvm11rcAllocHintEPFvS_E"]
    fn rc_alloc_set_custom(
        allocate: Option<unsafe extern "C" fn(usize, u32) -> *mut c_void>,
        free: Option<unsafe extern "C" fn(*mut c_void)>,
    );
}

/// Whose allocations are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// The bake.
    Recast,
    /// The mesh and the search.
    Detour,
}

/// Runs `work` and gives the most bytes that the library held at once. Everything that the work allocates must be
/// freed in it, and nothing from before may be.
pub fn peak_during<R>(library: Library, work: impl FnOnce() -> R) -> (R, usize) {
    let guard = ONE_AT_A_TIME.lock();
    HELD.store(0, Ordering::Relaxed);
    PEAK.store(0, Ordering::Relaxed);
    install(library, true);
    let result = work();
    install(library, false);
    drop(guard);
    (result, PEAK.load(Ordering::Relaxed))
}

fn install(library: Library, on: bool) {
    let allocate: Option<unsafe extern "C" fn(usize, u32) -> *mut c_void> = if on { Some(counted_alloc) } else { None };
    let free: Option<unsafe extern "C" fn(*mut c_void)> = if on { Some(counted_free) } else { None };
    // SAFETY: both setters take a pair of functions of these types, or none for the library's own; the caller holds
    // no block of the library across the switch, so each block is freed by the function that made it.
    unsafe {
        match library {
            Library::Recast => rc_alloc_set_custom(allocate, free),
            Library::Detour => sys::dtAllocSetCustom(allocate, free),
        }
    }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

unsafe extern "C" fn counted_alloc(size: usize, _hint: u32) -> *mut c_void {
    let Some(layout) = layout(size) else { return std::ptr::null_mut() };
    // SAFETY: the layout has a size above zero. The block begins with its own size, which its alignment suits, and
    // what is handed out lies wholly behind it.
    let block = unsafe {
        let block = alloc(layout);
        if block.is_null() {
            return std::ptr::null_mut();
        }
        block.cast::<usize>().write(size);
        block.add(HEADER)
    };
    let held = HELD.fetch_add(size, Ordering::Relaxed) + size;
    PEAK.fetch_max(held, Ordering::Relaxed);
    block.cast()
}

unsafe extern "C" fn counted_free(pointer: *mut c_void) {
    if pointer.is_null() {
        return;
    }
    // SAFETY: the library frees only what `counted_alloc` gave it, so a header with the size stands before it.
    unsafe {
        let block = pointer.cast::<u8>().sub(HEADER);
        let size = block.cast::<usize>().read();
        HELD.fetch_sub(size, Ordering::Relaxed);
        if let Some(layout) = layout(size) {
            dealloc(block, layout);
        }
    }
}
