//! The two hashes of the formats: SHA-256 for content and settings, FNV-1a for saved state.

mod fnv;
mod sha256;

pub use fnv::{Fnv1a, fnv1a};
pub use sha256::{Sha256, sha256};
