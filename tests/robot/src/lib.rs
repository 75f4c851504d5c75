//! What a robot does with the library: no heap, no standard library, and memory whose size the defs' plans tell when compiling.
//!
//! Each part takes a region and a [`Log`], and tells the log every figure that it comes to. The firmware of `tests/firmware`
//! runs them on a Cortex-M and prints the figures; the example `desktop` prints the same lines.

#![no_std]

#[cfg(feature = "crowd")]
pub mod crowd;
#[cfg(feature = "map")]
pub mod map;
#[cfg(feature = "mesh")]
pub mod mesh;

use navarena::error::Result;
use navarena::memory::Grain;

/// Whoever is told the figures.
pub trait Log {
    /// A whole number.
    fn count(&mut self, name: &'static str, value: u64);

    /// A number by its bits.
    fn number(&mut self, name: &'static str, value: f64);
}

/// What was made, left where it is: taken out of its result it would lie on the stack twice.
#[cfg(feature = "mesh")]
fn in_place<T>(made: &mut Result<T>) -> Result<&mut T> {
    made.as_mut().map_err(|refused| *refused)
}

/// A part of what the robot does.
#[derive(Clone, Copy, Debug)]
pub struct Part<L> {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in a region of at least [`REGION`] bytes.
    pub run: fn(&mut [Grain], &mut L) -> Result<()>,
}

/// The bytes of a region for any part: the parts use it in turns.
pub const REGION: usize = {
    let mut most = 0;
    let mut part = 0;
    while part < SIZES.len() {
        if SIZES[part] > most {
            most = SIZES[part];
        }
        part += 1;
    }
    most
};

const SIZES: &[usize] = &[
    #[cfg(feature = "map")]
    map::BYTES,
    #[cfg(feature = "mesh")]
    mesh::BYTES,
    #[cfg(feature = "crowd")]
    crowd::BYTES,
];

/// The parts that are compiled.
pub const fn parts<L: Log>() -> &'static [Part<L>] {
    &[
        #[cfg(feature = "map")]
        Part { name: "map", run: map::run },
        #[cfg(feature = "mesh")]
        Part { name: "mesh", run: mesh::run },
        #[cfg(feature = "crowd")]
        Part { name: "crowd", run: crowd::run },
    ]
}
