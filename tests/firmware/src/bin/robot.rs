//! The robot on a board: runs its parts in static memory and prints what they come to through semihosting, and the deepest
//! stack of each.
//!
//! The stack is measured by paint: what lies below the stack is filled with a word before a part runs, and the lowest word
//! that is another afterwards is where the part's stack ended.

#![no_std]
#![no_main]

use core::panic::PanicInfo;
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hprintln};
use navarena::memory::Memory;
use navarena_robot::{Log, REGION, parts};

const PAINT: u32 = 0xA5A5_5A5A;
/// What is left unpainted below the stack, for those who paint.
const MARGIN: usize = 64;
/// More than any part needs, and little enough to be painted in no time.
const PAINTED: usize = 64 << 10;

/// What a part's figures are printed by. It prints when the part has ended, so that the stack is the part's alone.
struct Lines {
    part: &'static str,
    figures: [(&'static str, u64, bool); MOST],
    count: usize,
}

const MOST: usize = 48;

impl Lines {
    fn keep(&mut self, figure: (&'static str, u64, bool)) {
        if let Some(place) = self.figures.get_mut(self.count) {
            *place = figure;
            self.count += 1;
        }
    }

    fn print(&self) {
        for (name, bits, is_number) in &self.figures[..self.count] {
            if *is_number {
                hprintln!("{}: {}: {} ({:016x})", self.part, name, f64::from_bits(*bits), bits);
            } else {
                hprintln!("{}: {}: {}", self.part, name, bits);
            }
        }
    }
}

impl Log for Lines {
    fn count(&mut self, name: &'static str, value: u64) {
        self.keep((name, value, false));
    }

    fn number(&mut self, name: &'static str, value: f64) {
        self.keep((name, value.to_bits(), true));
    }
}

/// The words below the stack that are painted, from the lowest on.
struct Paint {
    lowest: *mut u32,
}

impl Paint {
    const WORDS: usize = PAINTED / 4;

    /// Paints below a place that is at or below where the stack ends now.
    fn below(place: usize) -> Paint {
        let paint = Paint { lowest: (place - MARGIN - PAINTED) as *mut u32 };
        for word in 0..Paint::WORDS {
            // SAFETY: the words lie below the stack, above everything static, and belong to nobody.
            unsafe { paint.lowest.add(word).write_volatile(PAINT) };
        }
        paint
    }

    /// The lowest place that is painted no more.
    fn reached(&self) -> usize {
        // SAFETY: as above.
        let is_painted = |&word: &usize| unsafe { self.lowest.add(word).read_volatile() } == PAINT;
        self.lowest as usize + 4 * (0..Paint::WORDS).take_while(is_painted).count()
    }
}

#[entry]
fn main() -> ! {
    static mut MEMORY: Memory<REGION> = Memory::new();
    static mut LINES: Lines = Lines { part: "", figures: [("", 0, false); MOST], count: 0 };
    for part in parts::<Lines>() {
        (LINES.part, LINES.count) = (part.name, 0);
        let from = cortex_m::register::msp::read() as usize;
        let paint = Paint::below(from);
        let result = (part.run)(MEMORY.grains(), LINES);
        let stack = from - paint.reached();
        LINES.print();
        hprintln!("{}, on the board: stack of {} bytes", part.name, stack);
        if let Err(error) = result {
            hprintln!("{}: {}", part.name, error);
            debug::exit(debug::EXIT_FAILURE);
        }
    }
    debug::exit(debug::EXIT_SUCCESS);
    loop {}
}

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}
