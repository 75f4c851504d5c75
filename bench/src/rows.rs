//! The rows: one level after the other, whole and tiled, bakes, memory and paths, answers compared first.

use std::path::Path;

use navarena::mesh::NavMesh;
use navarena::query::Nearest;
use navarena_std::obj::Geometry;
use navarena_tests::comparison::{Answer, Comparison};
use navarena_tests::detour_snap::DetourSnap;
use navarena_tests::ours::{self, Rules, Workshop};
use navarena_tests::recast::{LEVELS, LevelFacts, Outcome, Pair, Tiling, pairs, settings};

use crate::clock::{Rounds, alternate, alternate_over};
use crate::query_rows;
use crate::recast::bake::{Baked, Input, bake};
use crate::recast::memory::{Library, peak_during};
use crate::recast::path;
use crate::table::{Agreement, Row};

const BAKES: Rounds = Rounds { warm_up: 3, timed: 12 };
pub(crate) const PATHS: Rounds = Rounds { warm_up: 10, timed: 60 };

/// Which rows to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Bakes, memory and paths.
    All,
    /// Paths alone.
    Paths,
    /// Paths and all other queries.
    Queries,
}

/// The rows of the three levels.
pub fn of_levels(which: Which, data: &Path, vectors: &Path) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for facts in &LEVELS {
        let level = facts.load(data)?;
        for tiling in Tiling::BOTH {
            let measured = Measured { facts, level: &level, tiling };
            if which == Which::All {
                measured.bake_rows(&mut rows)?;
            }
            measured.query_rows(which, vectors, &mut rows)?;
        }
    }
    Ok(rows)
}

/// What one set of rows is about.
struct Measured<'a> {
    facts: &'a LevelFacts,
    level: &'a Geometry,
    tiling: Tiling,
}

impl Measured<'_> {
    fn name(&self, what: &str) -> String {
        format!("{what}, {} {}", self.facts.name, self.tiling.name())
    }

    fn bake_rows(&self, rows: &mut Vec<Row>) -> Result<(), String> {
        let settings = settings(self.level, self.tiling);
        // By the page's rules tiled paths run round gaps that Detour's do not have: like is measured with like.
        let mut shop = Workshop::new(self.level, &settings, Rules::Recast).map_err(text)?;
        let input = Input::new(self.level);
        let (theirs, their_peak) =
            peak_during(Library::Recast, || bake(&input, &settings, self.tiling).map(|baked| baked.counts));
        let theirs = theirs?;
        let (covered, taken) = shop.bake(|mesh, taken| (ours::coverage(mesh), taken)).map_err(text)?;
        let answers = same_area(covered, theirs.coverage);
        let best = alternate(
            BAKES,
            || shop.bake(|mesh, _| mesh.tile_count()).map_err(text),
            || bake(&input, &settings, self.tiling),
        );
        let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1e3;
        rows.push(Row {
            name: self.name("bake"),
            unit: "ms",
            ours: milliseconds(best.ours),
            theirs: milliseconds(best.theirs),
            answers: answers.clone(),
        });
        rows.push(Row {
            name: self.name("bake memory"),
            unit: "KiB",
            ours: taken.work_bytes as f64 / 1024.0,
            theirs: their_peak as f64 / 1024.0,
            answers,
        });
        #[cfg(feature = "peers")]
        if self.tiling == Tiling::Whole {
            rows.push(self.rerecast_row(&settings, &mut shop)?);
        }
        Ok(())
    }

    fn query_rows(&self, which: Which, vectors: &Path, rows: &mut Vec<Row>) -> Result<(), String> {
        let settings = settings(self.level, self.tiling);
        // By the page's rules tiled paths run round gaps that Detour's do not have: like is measured with like.
        let mut shop = Workshop::new(self.level, &settings, Rules::Recast).map_err(text)?;
        let baked = bake(&Input::new(self.level), &settings, self.tiling)?;
        let pairs = pairs(vectors, self.facts, self.tiling)?;
        let rule = DetourSnap::new(self.level.bounds(), &settings);
        shop.bake(|mesh, _| {
            rows.push(self.path_row(mesh, &baked, &pairs, &rule)?);
            if which == Which::Paths {
                return Ok(());
            }
            query_rows::add(mesh, &baked, &pairs, &rule, |what| self.name(what), rows)?;
            #[cfg(feature = "peers")]
            if self.tiling == Tiling::Whole {
                let named = |row: Row| Row { name: self.name(&row.name), ..row };
                rows.extend(crate::polyanya::rows(mesh)?.map(named));
            }
            Ok(())
        })
        .map_err(text)?
    }

    /// The same ends as Detour sees them, on our mesh; then the search and the straight path of every pair.
    fn path_row(&self, mesh: &NavMesh<'_>, baked: &Baked, pairs: &[Pair], rule: &DetourSnap) -> Result<Row, String> {
        let mut memory = ours::region(ours::Paths::DEF.plan());
        let mut our_paths = ours::Paths::new(&mut memory).map_err(text)?;
        let mut their_paths = path::Paths::new(baked)?;
        // Both sides search exactly the pairs whose ends both sides have.
        let our_ends = pairs.iter().map(|pair| Some([rule.snap(mesh, pair.start)?, rule.snap(mesh, pair.goal)?]));
        let ends: Vec<(usize, [Nearest; 2], [path::Snapped; 2])> = our_ends
            .zip(their_paths.snap(pairs))
            .enumerate()
            .filter_map(|(index, (ours, theirs))| Some((index, ours?, theirs?)))
            .collect();
        let (mut our_answers, mut their_answers) = (Vec::new(), Vec::new());
        for (index, ours, theirs) in &ends {
            let (outcome, length) = our_paths.find(mesh, ours).map_err(text)?;
            our_answers.push(Answer { outcome, length, shortest: None });
            let found = their_paths.find(theirs)?;
            their_answers.push(Pair { outcome: found.outcome, length: found.length, ..pairs[*index] });
        }
        let answers = same_paths(&Comparison::new(&their_answers, &our_answers));
        let best = alternate_over(
            PATHS,
            &ends,
            25,
            |ends| ends.iter().try_for_each(|(_, ours, _)| our_paths.find(mesh, ours).map(|_: (Outcome, f64)| ())),
            |ends| ends.iter().try_for_each(|(_, _, theirs)| their_paths.find(theirs).map(|_| ())),
        );
        let microseconds = |time: std::time::Duration| time.as_secs_f64() * 1e6 / ends.len() as f64;
        Ok(Row {
            name: self.name("path"),
            unit: "us",
            ours: microseconds(best.ours),
            theirs: microseconds(best.theirs),
            answers,
        })
    }

    #[cfg(feature = "peers")]
    fn rerecast_row(&self, settings: &navarena::mesh::NavSettings, shop: &mut Workshop<'_>) -> Result<Row, String> {
        let soup = crate::rerecast::input(self.level);
        let (polygons, _) = crate::rerecast::bake(soup.clone(), settings)?;
        let covered = shop.bake(|mesh, _| ours::coverage(mesh)).map_err(text)?;
        let best = alternate(
            BAKES,
            || shop.bake(|mesh, _| mesh.tile_count()).map_err(text),
            || crate::rerecast::bake(soup.clone(), settings),
        );
        Ok(Row {
            name: self.name("bake against rerecast"),
            unit: "ms",
            ours: best.ours.as_secs_f64() * 1e3,
            theirs: best.theirs.as_secs_f64() * 1e3,
            answers: same_area(covered, crate::rerecast::coverage(&polygons)),
        })
    }
}

fn same_area(ours: f64, theirs: f64) -> Agreement {
    let share = ours / theirs - 1.0;
    let how = format!("area {:+.2}%", 100.0 * share);
    if share.abs() <= 0.01 { Agreement::Agree(how) } else { Agreement::Differ(how) }
}

fn same_paths(compared: &Comparison) -> Agreement {
    let (share, excess) = (compared.found_share(), compared.mean_excess());
    let how = format!("{:.1}% of {} found, mean length {:+.2}%", 100.0 * share, compared.theirs_found, 100.0 * excess);
    if share >= 0.98 && excess <= 0.01 { Agreement::Agree(how) } else { Agreement::Differ(how) }
}

pub(crate) fn text(error: navarena::error::Error) -> String {
    error.to_string()
}
