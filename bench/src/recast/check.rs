//! Whether this driver is right: Recast and Detour must answer here what was measured of them elsewhere.

use std::path::Path;

use navarena_tests::recast::{LEVELS, LevelFacts, Outcome, Tiling, pairs, settings};

use super::bake::{Input, bake};
use super::path::{Answer, Paths};

/// How far a length may be from the published one: that one is of a build of its own, whose float32 sums differ.
const LENGTH_ERROR: f64 = 0.05;

/// Bakes the three levels whole and tiled, finds the thousand paths of each, and compares with the figures; the text
/// lists what was compared, the error is the first figure that differs.
pub fn reproduces_the_figures(data: &Path, vectors: &Path) -> Result<String, String> {
    let mut report = String::new();
    for level in &LEVELS {
        for tiling in Tiling::BOTH {
            report += &check(data, vectors, level, tiling)?;
        }
    }
    Ok(report)
}

fn check(data: &Path, vectors: &Path, facts: &LevelFacts, tiling: Tiling) -> Result<String, String> {
    let name = format!("{} {}", facts.name, tiling.name());
    let level = facts.load(data)?;
    let baked = bake(&Input::new(&level), &settings(&level, tiling), tiling)?;
    let (counts, figures) = (baked.counts, facts.figures(tiling));
    let same_counts =
        (counts.polygons, counts.vertices, counts.tiles) == (figures.polygons, figures.vertices, figures.tiles);
    if !same_counts || (counts.coverage - figures.coverage).abs() > 1e-3 {
        return Err(format!("{name}: Recast gave {counts:?} here and {figures:?} elsewhere"));
    }
    let pairs = pairs(vectors, facts, tiling)?;
    let mut paths = Paths::new(&baked)?;
    let mut worst = 0.0_f64;
    for (ends, pair) in paths.snap(&pairs).iter().zip(&pairs) {
        let unsnapped = Answer { outcome: Outcome::Unsnapped, length: 0.0 };
        let answer = ends.as_ref().map_or(Ok(unsnapped), |ends| paths.find(ends))?;
        let error = (answer.length - pair.length).abs();
        if answer.outcome != pair.outcome || error > LENGTH_ERROR {
            return Err(format!("{name}: Detour gave {answer:?} here and {pair:?} elsewhere"));
        }
        worst = worst.max(error);
    }
    Ok(format!("{name}: {} polygons, {:.3} covered, 1000 paths within {worst:.4}\n", counts.polygons, counts.coverage))
}
