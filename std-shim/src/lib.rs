//! Files, threads and pictures for Navarena, and what its command line program is made of.

pub mod bake;
pub mod crowd;
pub mod failure;
pub mod fields;
pub mod obj;
pub mod occupancy;
pub mod picture;
pub mod plan;
pub mod program;

pub(crate) use navarena::math::sqrt;
