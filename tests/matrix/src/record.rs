//! What a scenario writes its results into.

use core::fmt;
use navarena::error::Result;
use navarena::hash::Sha256;

use crate::crew::Crew;

/// A named function whose results must be the same everywhere.
#[derive(Clone, Copy)]
pub struct Scenario {
    /// Its name: the part, then what is done.
    pub name: &'static str,
    /// What it does.
    pub run: fn(&mut Record<'_>) -> Result<()>,
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A scenario's results on their way into a hash: numbers little-endian, floats by their bits.
pub struct Record<'c> {
    hash: Sha256,
    crew: &'c dyn Crew,
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a record by {} workers", self.crew.workers())
    }
}

impl<'c> Record<'c> {
    /// An empty record.
    pub fn new(crew: &'c dyn Crew) -> Record<'c> {
        Record { hash: Sha256::new(), crew }
    }

    /// Those who may share the work. What is written must not depend on how many they are.
    pub fn crew(&self) -> &'c dyn Crew {
        self.crew
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
    }

    /// A whole number, as 64 bits.
    pub fn count(&mut self, value: impl Into<u64>) {
        self.bytes(&value.into().to_le_bytes());
    }

    /// A length or an index, as 64 bits on every machine.
    pub fn index(&mut self, value: usize) {
        self.count(value as u64);
    }

    /// A float's bits.
    pub fn number(&mut self, value: f64) {
        self.count(value.to_bits());
    }

    /// A float's bits.
    pub fn single(&mut self, value: f32) {
        self.bytes(&value.to_bits().to_le_bytes());
    }

    /// Several floats' bits.
    pub fn numbers(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.number(value));
    }

    /// The hash of what was written.
    pub fn finish(self) -> [u8; 32] {
        self.hash.finish()
    }
}
