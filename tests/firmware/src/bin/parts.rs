//! The robot's parts and nothing else: what `tests/size-table.sh` measures. It prints nothing; figures are folded into a word.

#![no_std]
#![no_main]

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU32, Ordering};
use cortex_m_rt::entry;
use navarena::memory::Memory;
use navarena_robot::{Log, REGION, parts};

static FOLDED: AtomicU32 = AtomicU32::new(0);

struct Fold;

impl Log for Fold {
    fn count(&mut self, _: &'static str, value: u64) {
        let folded = FOLDED.load(Ordering::Relaxed).rotate_left(5) ^ value as u32 ^ (value >> 32) as u32;
        FOLDED.store(folded, Ordering::Relaxed);
    }

    fn number(&mut self, name: &'static str, value: f64) {
        self.count(name, value.to_bits());
    }
}

#[entry]
fn main() -> ! {
    static mut MEMORY: Memory<REGION> = Memory::new();
    for part in parts::<Fold>() {
        let failed = (part.run)(MEMORY.grains(), &mut Fold).is_err();
        Fold.count("", failed.into());
    }
    loop {}
}

#[panic_handler]
fn panicked(_: &PanicInfo<'_>) -> ! {
    loop {}
}
