//! Files, threads and pictures for Navarena, and what its command line program is made of.

pub mod bake;
pub mod failure;
pub mod obj;
pub mod picture;
pub mod program;

pub(crate) use navarena::math::sqrt;
