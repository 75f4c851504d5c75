//! The robot with its figures logged by `defmt` through semihosting, and two of the library's own types with them: an outcome
//! and a refusal. `tests/defmt.sh` runs it and reads what it logs.

#![no_std]
#![no_main]

use core::panic::PanicInfo;
use cortex_m_rt::entry;
use cortex_m_semihosting::debug;
use defmt_semihosting as _;
use navarena::error::Result;
use navarena::grid::{Cell, Grid, GridDef};
use navarena::memory::{Arena, Memory};
use navarena_robot::{Log, REGION, parts};

struct Logged;

impl Log for Logged {
    fn count(&mut self, name: &'static str, value: u64) {
        defmt::info!("{=str}: {=u64}", name, value);
    }

    fn number(&mut self, name: &'static str, value: f64) {
        defmt::info!("{=str}: {=f64}", name, value);
    }
}

/// A cell that the map does not have.
fn refused(map: &mut Grid<'_>) -> Result<bool> {
    map.set_area(Cell::new(-1, 3), 1)
}

#[entry]
fn main() -> ! {
    static mut MEMORY: Memory<REGION> = Memory::new();
    for part in parts::<Logged>() {
        if let Err(error) = (part.run)(MEMORY.grains(), &mut Logged) {
            defmt::error!("{=str}: {}", part.name, error);
        }
    }
    const MAP: GridDef = GridDef::of_size(8, 8);
    match Grid::new(&MAP, &mut Arena::new(MEMORY.grains())) {
        Ok(mut map) => defmt::info!("refused: {}", refused(&mut map)),
        Err(error) => defmt::error!("{}", error),
    }
    debug::exit(debug::EXIT_SUCCESS);
    loop {}
}

#[panic_handler]
fn panicked(_: &PanicInfo<'_>) -> ! {
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}
