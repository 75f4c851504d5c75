//! The rows of crowds: agents that cross the generated city, each side on the mesh that it baked itself.
//!
//! The scenario is that of `onepath/benchmarking.md`: agents start at points of the level and walk to others, 20 steps a
//! second; 50 steps warm up and the next 100 are timed. Both sides are deterministic, so a step's time is the best of
//! several runs of the whole walk.

use std::time::Duration;

use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::memory::Arena;
use navarena::mesh::NavMesh;
use navarena::query::{Filter, Nearest, Query};
use navarena_fixtures::{Kind, points_on};
use navarena_std::obj::Geometry;
use navarena_tests::detour_snap::DetourSnap;
use navarena_tests::ours::{Rules, Workshop, region};
use navarena_tests::recast::{Outcome, Pair, Tiling, settings};

use crate::clock::time;
use crate::recast::bake::{Baked, Input, bake};
use crate::recast::crowd::Crowd as Theirs;
use crate::recast::path;
use crate::rows::text;
use crate::table::{Agreement, Row};

/// The crowds of the whole table.
pub const COUNTS: [usize; 3] = [100, 1000, 5000];
/// The most agents that places are drawn for.
const MOST: usize = COUNTS[2];
const STEP: f64 = 0.05;
const WARM_UP: usize = 50;
const TIMED: usize = 100;
const RUNS: usize = 3;
/// Side of the city.
const SIZE: u32 = 256;

/// An agent's start and goal on both meshes.
type Way = ([Nearest; 2], [path::Snapped; 2]);

/// The rows of some counts.
pub fn rows(counts: &[usize]) -> Result<Vec<Row>, String> {
    let generated = Kind::City.generate(SIZE, 1);
    let points = points_on(&generated, 4 * MOST, 1);
    let level = Geometry::from(generated);
    let settings = settings(&level, Tiling::Tiled);
    let mut shop = Workshop::new(&level, &settings, Rules::Recast).map_err(text)?;
    let baked = bake(&Input::new(&level), &settings, Tiling::Tiled)?;
    let rule = DetourSnap::new(level.bounds(), &settings);
    shop.bake(|mesh, _| {
        let pair = |ends: &[[f64; 3]]| Pair { start: ends[0], goal: ends[1], outcome: Outcome::Found, length: 0.0 };
        let pairs: Vec<Pair> = points.chunks_exact(2).map(pair).collect();
        let their_ends = path::Paths::new(&baked)?.snap(&pairs);
        let ours = pairs.iter().map(|pair| Some([rule.snap(mesh, pair.start)?, rule.snap(mesh, pair.goal)?]));
        let ways: Vec<Way> = ours.zip(their_ends).filter_map(|(ours, theirs)| Some((ours?, theirs?))).collect();
        counts.iter().map(|&count| row(mesh, &baked, &ways[..count.min(ways.len())])).collect()
    })
    .map_err(text)?
}

/// What a walk came to.
struct Walked {
    /// The time of each timed step.
    steps: Vec<Duration>,
    positions: Vec<[f64; 3]>,
}

fn row(mesh: &NavMesh<'_>, baked: &Baked, ways: &[Way]) -> Result<Row, String> {
    let def = CrowdDef { agents: ways.len() as u32, ..CrowdDef::DEFAULT };
    let mut memory = region(def.plan());
    let mut query_memory = region(def.query().plan());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let mut arena = Arena::new(&mut memory);
        let mut crowd = Crowd::new(&def, &mut arena).map_err(text)?;
        let mut query = Query::new(&def.query(), &mut Arena::new(&mut query_memory)).map_err(text)?;
        ours.push(walk_ours(mesh, &mut crowd, &mut query, ways).map_err(text)?);
        theirs.push(walk_theirs(baked, ways)?);
    }
    let goals = ways.iter().map(|(ours, _)| ours[1].point);
    let name = format!("crowd of {} on the city, a step", ways.len());
    let bytes = def.plan().bytes / ways.len();
    Ok(Row {
        name: format!("{name} ({bytes} bytes an agent)"),
        unit: "us",
        ours: best(&ours),
        theirs: best(&theirs),
        answers: compared(&ours[0].positions, &theirs[0].positions, &goals.collect::<Vec<_>>(), ways),
    })
}

/// The mean of the steps, each the best of its runs, in microseconds.
fn best(runs: &[Walked]) -> f64 {
    let step = |step: usize| runs.iter().map(|run| run.steps[step]).min().unwrap_or_default();
    (0..TIMED).map(step).sum::<Duration>().as_secs_f64() * 1e6 / TIMED as f64
}

fn walk_ours(
    mesh: &NavMesh<'_>,
    crowd: &mut Crowd<'_>,
    query: &mut Query<'_>,
    ways: &[Way],
) -> navarena::error::Result<Walked> {
    for ([start, goal], _) in ways {
        let agent = crowd.add(mesh, start.point, &AgentOptions::HUMANOID, &Filter::ALL)?;
        crowd.set_destination(mesh, query, agent, goal.point, &Filter::ALL)?;
    }
    (0..WARM_UP).try_for_each(|_| crowd.step(mesh, query, &Filter::ALL, STEP))?;
    let mut steps = Vec::with_capacity(TIMED);
    for _ in 0..TIMED {
        let mut result = Ok(());
        steps.push(time(&mut || result = crowd.step(mesh, query, &Filter::ALL, STEP)));
        result?;
    }
    Ok(Walked { steps, positions: crowd.agents().map(|agent| agent.position()).collect() })
}

fn walk_theirs(baked: &Baked, ways: &[Way]) -> Result<Walked, String> {
    let mut crowd = Theirs::new(baked, ways.len())?;
    ways.iter().try_for_each(|(_, [start, goal])| crowd.add(start, goal))?;
    (0..WARM_UP).for_each(|_| crowd.step(STEP as f32));
    let steps = (0..TIMED).map(|_| time(&mut || crowd.step(STEP as f32))).collect();
    Ok(Walked { steps, positions: crowd.positions() })
}

/// Both sides walk by rules of their own: what must agree is how far the agents came, and that they keep apart.
fn compared(ours: &[[f64; 3]], theirs: &[[f64; 3]], goals: &[[f64; 3]], ways: &[Way]) -> Agreement {
    let apart = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).hypot(a[2] - b[2]);
    let nearer = |places: &[[f64; 3]]| {
        let gained = places
            .iter()
            .zip(goals)
            .zip(ways)
            .map(|((place, goal), (from, _))| apart(from[0].point, *goal) - apart(*place, *goal));
        gained.sum::<f64>() / goals.len() as f64
    };
    let (ours, theirs) = (nearer(ours), nearer(theirs));
    let how = format!("{ours:.2} m nearer their goals, {theirs:.2} m theirs");
    if ours >= 0.9 * theirs { Agreement::Agree(how) } else { Agreement::Differ(how) }
}
