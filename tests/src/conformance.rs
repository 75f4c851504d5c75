//! Our meshes of the three levels beside Recast's figures, and our thousand paths beside Detour's.

use std::path::Path;

use navarena::mesh::NavMesh;
use navarena::query::Nearest;

use crate::comparison::{Answer, Comparison, differs_much};
use crate::detour_snap::DetourSnap;
use crate::ours::{Paths, Rules, Workshop, coverage, polygon_count, region, snap};
use crate::portal_graph::PortalGraph;
use crate::recast::{LevelFacts, Outcome, Pair, Tiling, pairs, settings};

/// How far coverage may be from Recast's.
const COVERAGE: f64 = 0.01;
/// The share of Detour's found pairs that must be found.
const FOUND: f64 = 0.98;
/// How much longer the mean path may be.
const EXCESS: f64 = 0.01;
/// Samples an edge of the shortest-way oracle has.
const SAMPLES: usize = 17;

/// One level compared.
pub struct Verdict {
    /// Our coverage over theirs, less 1.
    pub coverage: f64,
    /// The paths.
    pub paths: Comparison,
    /// Everything in words.
    pub text: String,
}

impl Verdict {
    /// The bounds that do not hold, and in words by how much; empty when all do.
    pub fn failures(&self) -> Vec<(Bound, String)> {
        let mut failures = Vec::new();
        if self.coverage.abs() > COVERAGE {
            failures.push((Bound::Coverage, format!("coverage differs by {:+.2}%", 100.0 * self.coverage)));
        }
        if self.paths.found_share() < FOUND {
            failures.push((Bound::Found, format!("only {:.1}% of the pairs found", 100.0 * self.paths.found_share())));
        }
        if self.paths.mean_excess() > EXCESS {
            failures.push((Bound::Length, format!("paths are {:.2}% longer", 100.0 * self.paths.mean_excess())));
        }
        failures
    }
}

/// What is held against Recast and Detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Ground that polygons cover.
    Coverage,
    /// Pairs for which a path is found.
    Found,
    /// Mean length of the paths.
    Length,
}

/// A bound that is known not to hold, and what is known about why.
pub struct KnownFailure {
    /// The level.
    pub level: &'static str,
    /// How it is cut into tiles.
    pub tiling: Tiling,
    /// By which rules it is baked and linked.
    pub rules: Rules,
    /// What does not hold.
    pub bound: Bound,
    /// Why.
    pub why: &'static str,
}

const TOWER: &str = "the missed pairs end on the tower near x 16 to 25, z -68 to -84: some on two islands of 36 and 42 cells that the \
page's rule keeps, since each is made of several basins, and that Recast drops (`IslandRule::AfterMerging` does too); the others between \
floors, where the shape of the polygons decides which of them Detour's box takes";
const CHORDS: &str = "the page links portals whose heights agree at both ends of the shared part; on uneven ground one straight edge \
stands for each side's ground, their corners differ, and the side has gaps (`PortalRule::Somewhere` has none)";

/// The bounds that are known not to hold. A failure outside of this list is an error, and so is an entry that holds.
/// By Recast's rules every bound holds.
pub const KNOWN: [KnownFailure; 4] = [
    known("dungeon", Tiling::Whole, Bound::Found, TOWER),
    known("dungeon", Tiling::Tiled, Bound::Found, TOWER),
    known("nav_test", Tiling::Tiled, Bound::Length, CHORDS),
    known("undulating", Tiling::Tiled, Bound::Length, CHORDS),
];

const fn known(level: &'static str, tiling: Tiling, bound: Bound, why: &'static str) -> KnownFailure {
    KnownFailure { level, tiling, rules: Rules::Page, bound, why }
}

/// Bakes a level and compares coverage and paths.
pub fn compare(
    data: &Path,
    vectors: &Path,
    facts: &LevelFacts,
    tiling: Tiling,
    rules: Rules,
) -> Result<Verdict, String> {
    let level = facts.load(data)?;
    let pairs = pairs(vectors, facts, tiling)?;
    let settings = settings(&level, tiling);
    let mut shop = Workshop::new(&level, &settings, rules).map_err(|error| error.to_string())?;
    let compared = shop.bake(|mesh, taken| {
        crate::soundness::check(mesh)?;
        let figures = facts.figures(tiling);
        let covered = coverage(mesh);
        let rule = DetourSnap::new(level.bounds(), &settings);
        let ends: Vec<Option<[Nearest; 2]>> = pairs.iter().map(|pair| both(|point| rule.snap(mesh, point), pair)).collect();
        let answers = answer(mesh, &pairs, &ends)?;
        let paths = Comparison::new(&pairs, &answers);
        let strict = answer(mesh, &pairs, &snap(mesh, &pairs).map_err(|error| error.to_string())?)?;
        let strict = Comparison::new(&pairs, &strict);
        let share = covered / figures.coverage - 1.0;
        let text = format!(
            "{} {} {}: coverage {covered:.3} ({:+.3}% of {:.3}), {} polygons (theirs {}), {} tiles (theirs {}), {} bytes of work memory\n  ends by our own rule, strictly within the box: {} of {} found by both; by Detour's:\n{}",
            facts.name,
            tiling.name(),
            rules.name(),
            100.0 * share,
            figures.coverage,
            polygon_count(mesh),
            figures.polygons,
            mesh.tile_count(),
            figures.tiles,
            taken.work_bytes,
            strict.both_found,
            strict.theirs_found,
            paths.describe(&pairs, &answers)
        );
        Ok(Verdict { coverage: share, paths, text })
    });
    compared.map_err(|error| error.to_string())?
}

/// Both ends of a pair, where a rule snaps both.
fn both(snap: impl Fn([f64; 3]) -> Option<Nearest>, pair: &Pair) -> Option<[Nearest; 2]> {
    Some([snap(pair.start)?, snap(pair.goal)?])
}

/// Our answers to pairs; where a length differs much, with the shortest way there is.
pub fn answer(mesh: &NavMesh<'_>, pairs: &[Pair], ends: &[Option<[Nearest; 2]>]) -> Result<Vec<Answer>, String> {
    let text = |error: navarena::error::Error| error.to_string();
    let mut memory = region(Paths::DEF.plan());
    let mut paths = Paths::new(&mut memory).map_err(text)?;
    let mut graph = None;
    let mut one = |pair: &Pair, ends: &Option<[Nearest; 2]>| {
        let Some(ends) = ends else { return Ok(Answer { outcome: Outcome::Unsnapped, length: 0.0, shortest: None }) };
        let (outcome, length) = paths.find(mesh, ends).map_err(text)?;
        let both_found = outcome == Outcome::Found && pair.outcome == Outcome::Found;
        let shortest = if both_found && differs_much(length, pair.length) {
            let graph = graph.get_or_insert_with(|| PortalGraph::new(mesh.tiles(), SAMPLES));
            let [start, goal] = ends.map(|end| (end.polygon, end.point));
            graph.shortest(start, goal)
        } else {
            None
        };
        Ok(Answer { outcome, length, shortest })
    };
    pairs.iter().zip(ends).map(|(pair, ends)| one(pair, ends)).collect()
}
