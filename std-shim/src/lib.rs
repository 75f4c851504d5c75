//! Files, threads and pictures for Navarena, and what its command line program is made of.

pub mod failure;
pub mod obj;
pub mod picture;

/// The square root, for pictures.
#[allow(clippy::disallowed_methods)]
pub(crate) fn sqrt(x: f64) -> f64 {
    x.sqrt()
}
