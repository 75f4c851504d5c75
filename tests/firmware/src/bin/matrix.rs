//! Prints the manifest of the hash matrix through semihosting.
//!
//! The scenarios make their inputs and regions on a heap: 16 MiB of the boards' PSRAM, which lies apart from the RAM of the
//! linker script. The library takes nothing from it.

#![no_std]
#![no_main]

use core::panic::PanicInfo;
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hprintln};
use embedded_alloc::LlffHeap;
use navarena_matrix::{Alone, manifest};

#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

const PSRAM_BYTES: usize = 16 << 20;
/// What the processor's id says of its kind.
const CORTEX_M7: u32 = 0xC27;

/// Where the board has its PSRAM: mps2-an500, the board with the Cortex-M7, elsewhere than the others.
fn psram() -> usize {
    // SAFETY: reading the processor's id has no effect.
    let id = unsafe { (*cortex_m::peripheral::CPUID::PTR).base.read() };
    if id >> 4 & 0xFFF == CORTEX_M7 { 0x6000_0000 } else { 0x2100_0000 }
}

#[entry]
fn main() -> ! {
    // SAFETY: nothing else lives in the PSRAM, and this runs once, before anything is allocated.
    unsafe { HEAP.init(psram(), PSRAM_BYTES) };
    match manifest("", &Alone, &mut |line| hprintln!("{}", line)) {
        Ok(()) => debug::exit(debug::EXIT_SUCCESS),
        Err(failed) => {
            hprintln!("{}", failed);
            debug::exit(debug::EXIT_FAILURE);
        }
    }
    loop {}
}

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}
