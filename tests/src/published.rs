//! The answers that OnePath publishes about itself, and ours beside them.
//!
//! The list holds what is run and what must come out; what does come out is always computed, by [`Line::check`]. A line
//! whose part of the library is not built yet has no check, and one that is only to be reported passes no judgement.

use std::fmt;

mod crowd;
mod flow;
mod grid;
mod hierarchy;
mod jumps;
mod mesh;
mod optimal;
mod plane;
mod replan;

/// One published answer.
#[derive(Clone, Copy)]
pub struct Line {
    /// Its name.
    pub id: &'static str,
    /// What is run.
    pub run: &'static str,
    /// What must come out.
    pub want: &'static str,
    /// Computes the answer and compares it; `None` while the library can't.
    pub check: Option<fn(want: &str) -> Outcome>,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer is the published one.
    Ok,
    /// It is not, and this came out instead.
    Fail(String),
    /// A figure to stand beside the published one, which neither passes nor fails.
    Report(String),
}

/// How a line ended, to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// What its check found.
    Checked(Outcome),
    /// There is nothing to check yet.
    NotBuilt,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Checked(Outcome::Ok) => f.write_str("ok"),
            Verdict::Checked(Outcome::Fail(got)) => write!(f, "FAIL (got {got})"),
            Verdict::Checked(Outcome::Report(got)) => write!(f, "report: {got}"),
            Verdict::NotBuilt => f.write_str("not built yet"),
        }
    }
}

impl Line {
    /// Runs the line's check.
    pub fn verdict(&self) -> Verdict {
        self.check.map_or(Verdict::NotBuilt, |check| Verdict::Checked(check(self.want)))
    }
}

impl Outcome {
    /// Passes when what came out reads the same as what must.
    pub fn compare(got: &str, want: &str) -> Outcome {
        if got == want { Outcome::Ok } else { Outcome::Fail(got.to_string()) }
    }
}

const fn not_built(id: &'static str, run: &'static str, want: &'static str) -> Line {
    Line { id, run, want, check: None }
}

const fn built(id: &'static str, run: &'static str, want: &'static str, check: fn(&str) -> Outcome) -> Line {
    Line { id, run, want, check: Some(check) }
}

/// Every line, in the order in which they are published.
pub const LINES: [Line; 28] = [
    built(
        "grid-quickstart",
        "the 8x5 picture, (0,0) to (4,3), defaults",
        "Found, cost 11, 12 cells: (0,0)(0,1)(0,2)(0,3)(0,4)(1,4)(2,4)(2,3)(2,2)(3,2)(4,2)(4,3)",
        grid::quickstart,
    ),
    built(
        "grid-astar",
        "64x64, wall column x=32 rows 0..61, (2,2) to (60,4), A*",
        "cost 143.1960, 121 cells, 2072 expanded",
        grid::astar,
    ),
    built("grid-jps", "same, JPS", "cost 143.1960, 121 cells, 5 expanded", grid::jps),
    built("grid-jps-plus", "same, JPS+", "cost 143.1960, 121 cells, 6 expanded", grid::jps_plus),
    built("grid-theta", "same, Theta*", "cost 132.6174, 4 waypoints, 2118 expanded", grid::theta),
    built("grid-hpa", "same, HPA*", "cost 143.1960, 121 cells, 47 expanded", hierarchy::wall),
    built("grid-agent-3", "same, agent size 3", "NoPath", grid::agent_3),
    built("grid-swamp", "then rect (10,50,22,12) area 2 at cost 3, ask for JPS", "runs A*, cost 155.4975", grid::swamp),
    built("replan-open", "16x8 yard, (0,0) to (15,0), D* Lite", "cost 15.0000, 16 cells", replan::open),
    built("replan-wall", "then wall column x=7 rows 0..6", "cost 21.3848, 17 cells", replan::wall),
    built("replan-moved", "then start moves to (4,5)", "cost 14.7279, 12 cells", replan::moved),
    built(
        "flow-00, flow-36, flow-122",
        "flow field to (15,0) on that yard",
        "(0,0): 21.3848, next (0,1); (3,6): 15.3137, next (4,6); (12,2): 3.8284, next (13,1)",
        flow::yard,
    ),
    built(
        "astar-brc000d",
        "every scenario of Moving AI dao brc000d, specialised A*",
        "3594911 expansions in the published edition; ours over its 840 solvable scenarios is reported beside it",
        grid::astar_brc000d,
    ),
    built(
        "jps-brc000d",
        "same, JPS",
        "210340 expansions, 83678 with improved pruning, in the published edition; ours is reported beside it",
        jumps::brc000d,
    ),
    built(
        "hpa-quality",
        "chunk 16, smoothing on, eight-connected, percent over optimal",
        "dao 0.40 mean, bg512 0.33, sc1 0.22, room 0.08; unsmoothed 4.9, 4.1, 3.2, 1.6; ours is reported beside it",
        hierarchy::quality,
    ),
    built(
        "movingai-optimal",
        "up to 500 instances of every Moving AI scenario at hand by JPS+; with NAVARENA_LONG all of them by JPS+, A* and JPS",
        "cost equals the file's within 1e-6 relative; the 10 of brc000d whose file says 0 are unreachable; 21 of wc3maps512 \
         lead from tree to tree, and through trees alone no way is longer than the file's",
        optimal::every_scenario,
    ),
    not_built("graph-roads", "the six-edge road list, 0 to 4", "nodes 0 1 2 3 4, cost 10.5; the same with landmarks"),
    not_built("graph-quickstart", "edges (0,1,4) (1,2,1.5) (0,2,7), 0 to 2", "nodes 0 1 2, cost 5.5"),
    not_built("points", "(0,0) (1,0) (2,0) (2,1), max distance 1.1, first to last", "4 nodes, cost 3"),
    built(
        "mesh-floor",
        "40x40 floor of two triangles, Humanoid, (3,0,3) to (36,0,36)",
        "has path, length 46.6690, 2 points",
        mesh::mesh_floor,
    ),
    built(
        "mesh2d-path",
        "the 30x20 tile map, Build2D, (2,0,9) to (28,0,9)",
        "length 27.4165; points (2,0,9) (10.79296875,0,12.599609375) (19.20703125,0,12.599609375) (28,0,9) exact",
        plane::path,
    ),
    built("mesh2d-ray", "same mesh and ends, raycast", "hit at (10.400390625,0,9) exact", plane::ray),
    built("mesh2d-snap", "nearest walkable to (15,0,9) within 5", "(15,0,5.400390625) exact", plane::snap),
    built(
        "mesh2d-save",
        "saved bytes of that mesh (ONNM envelope)",
        "793 bytes; the loaded mesh gives the same path",
        plane::save,
    ),
    built(
        "crowd-walker",
        "the 40x40 floor, Humanoid at (3,0,3) to (36,0,36), 20 steps of 0.05",
        "at (5.05112451814824, 0, 4.929277245053733) exact, 43.8543 m to go",
        crowd::walker,
    ),
    built(
        "crowd-100",
        "eight agents crossing, 100 steps of 1/30",
        "saved state 3320 bytes, state hash E7D9E5CD5E787CD2",
        crowd::frame_100,
    ),
    built("crowd-300", "200 more steps", "state hash 75F1194801CC93C2", crowd::frame_300),
    built(
        "crowd-rollback",
        "restore frame 100, 200 steps again",
        "the same hash as before; 4 of 8 arrived",
        crowd::rollback,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_every_published_line_in_its_order() {
        let Some(vectors) = crate::data::vectors() else { return };
        let page = std::fs::read_to_string(vectors.join("published.md")).unwrap();
        let first_cell =
            |line: &str| line.strip_prefix("| ").and_then(|line| line.split(" | ").next()).map(String::from);
        let published: Vec<String> = page.lines().filter_map(first_cell).filter(|cell| cell != "id").collect();
        assert_eq!(LINES.map(|line| line.id).to_vec(), published);
    }

    #[test]
    fn no_line_that_is_built_fails() {
        for line in LINES.iter().filter(|line| line.check.is_some()) {
            let verdict = line.verdict();
            assert!(!matches!(verdict, Verdict::Checked(Outcome::Fail(_))), "{}: {verdict}", line.id);
        }
    }

    #[test]
    fn an_answer_that_reads_otherwise_fails_and_shows_both() {
        assert_eq!(Outcome::compare("cost 11", "cost 11"), Outcome::Ok);
        let failed = Verdict::Checked(Outcome::compare("cost 12", "cost 11"));
        assert_eq!(failed.to_string(), "FAIL (got cost 12)");
    }
}
