//! Regions against oracles written from the definitions: every pair, every point, closed forms.
//!
//! Each property holds for some hundred random inputs, and for ten thousand where `NAVARENA_LONG` is set.

mod handmade;
mod limits;
mod membership;
pub mod nasty;
mod noding;
mod offset;
mod shrink;

use super::exact::{lies_within, meets_pixel, proper_crossing};
use super::*;
use crate::error::{ErrorKind, Result, Subject};
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

/// Limits that no test but those of limits reaches.
const DEF: RegionDef =
    RegionDef { edges: 4096, crossings: 1 << 16, segments: 1 << 17, points: 1 << 15, rings: 1 << 13 };

fn memory() -> Vec<Grain> {
    std::vec![Grain::ZERO; 3 * DEF.plan().grains()]
}

/// Outlines of every kind as positions in whole units, up to some 2^16 of them.
pub fn nasty_outlines(random: &mut SplitMix64) -> Vec<Vec<Vec<[f64; 2]>>> {
    let ring = |random: &mut SplitMix64| {
        let scale = 1 << (2 + random.below(14));
        nasty::ring(random, scale).iter().map(|p| [p.x as f64, p.y as f64]).collect()
    };
    (0..1 + random.below(3)).map(|_| (0..1 + random.below(3)).map(|_| ring(random)).collect()).collect()
}

/// How many random inputs: a few, or ten thousand where the long run is asked for.
pub fn rounds(few: usize) -> usize {
    if std::env::var_os("NAVARENA_LONG").is_some() { 10_000 } else { few }
}
