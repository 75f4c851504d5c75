//! Prints what the robot's parts come to, line by line as the firmware does.

use navarena::memory::{GRAIN, Grain};
use navarena_robot::{Log, REGION, parts};

struct Lines(&'static str);

impl Log for Lines {
    fn count(&mut self, name: &'static str, value: u64) {
        println!("{}: {name}: {value}", self.0);
    }

    fn number(&mut self, name: &'static str, value: f64) {
        println!("{}: {name}: {value} ({:016x})", self.0, value.to_bits());
    }
}

fn main() -> navarena::error::Result<()> {
    let mut region = vec![Grain::ZERO; REGION.div_ceil(GRAIN)];
    parts().iter().try_for_each(|part| (part.run)(&mut region, &mut Lines(part.name)))
}
