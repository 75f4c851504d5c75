//! `navarena crowd`: agents that walk a mesh, counted, hashed and drawn as they move.

use super::args::{AgentKind, CrowdArgs};
use super::bake::timed;
use super::load;
use super::print;
use super::table::{Table, count, milliseconds, size};
use crate::crowd::{MAX_THREADS, step};
use crate::failure::{Failure, Outcome};
use crate::picture::{Scene, Walk, animate};
use navarena::crowd::{AgentId, AgentOptions, CrowdDef};
use navarena::math::{SplitMix64, distance, distance_squared};
use navarena::query::Filter;
use navarena_alloc::{Crowd, NavMesh, Source};
use serde_json::json;
use std::thread;
use std::time::Duration;

/// Frames a second of the picture.
const FRAMES: f64 = 10.0;
/// How many places are tried for an agent that should stand apart from others.
const TRIES: usize = 32;
/// How many places are tried for an agent that should have somewhere to go.
const STARTS: usize = 8;

/// Walks the crowd and reports.
pub fn run(args: &CrowdArgs) -> Outcome<()> {
    let mesh = load::mesh(&args.file, args.portals)?;
    let options = match args.kind {
        AgentKind::Humanoid => AgentOptions::HUMANOID,
        AgentKind::Small => AgentOptions::SMALL,
        AgentKind::Large => AgentOptions::LARGE,
    };
    let mut stroll = Stroll::begin(&mesh, args.agents, &options, args.seed, args.threads)?;
    let mut hashes = Vec::new();
    let steps = steps_of(args)?;
    let every = ((args.every * f64::from(args.rate)) as u64).max(1);
    for done in 1..=steps {
        stroll.step(1.0 / f64::from(args.rate), args.output.is_some())?;
        if done % every == 0 || done == steps {
            hashes.push((done, stroll.crowd.state_hash(&mesh)));
        }
    }
    if let Some(path) = &args.output {
        let mut scene = Scene::of(mesh.core());
        scene.title = args.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        scene.subtitle = format!("{} agents, {} s", stroll.crowd.len(), args.seconds);
        let text = animate(&scene, &stroll.walks, args.seconds);
        std::fs::write(path, text).map_err(|reason| Failure::file(path, reason))?;
    }
    if let Some(path) = &args.save {
        std::fs::write(path, stroll.crowd.save_state(&mesh)?).map_err(|reason| Failure::file(path, reason))?;
    }
    report(args, &stroll, &hashes)
}

fn steps_of(args: &CrowdArgs) -> Outcome<u64> {
    let steps = args.seconds * f64::from(args.rate);
    if !(1.0..=1e8).contains(&steps) {
        return Err(Failure::Other(format!("{} seconds of {} steps are none, or too many", args.seconds, args.rate)));
    }
    Ok(steps as u64)
}

/// Where an agent begins and where it is sent.
struct Ends {
    start: [f64; 3],
    goal: [f64; 3],
    is_way: bool,
}

/// A crowd under way and what is seen of it.
pub struct Stroll<'a> {
    mesh: &'a NavMesh,
    /// The crowd.
    pub crowd: Crowd,
    /// Where everybody was, frame by frame.
    pub walks: Vec<Walk>,
    agents: Vec<AgentId>,
    /// Agents without a way to where they were sent.
    strays: usize,
    /// The deepest that two discs overlapped, as a part of the sum of their radii.
    overlap: f64,
    times: Vec<Duration>,
    until_frame: f64,
}

impl<'a> Stroll<'a> {
    /// Puts agents at random places, apart where there is room, and sends each to a random place that it can reach where
    /// one is found.
    pub fn begin(
        mesh: &'a NavMesh,
        agents: u32,
        options: &AgentOptions,
        seed: u64,
        threads: usize,
    ) -> Outcome<Stroll<'a>> {
        let threads = if threads == 0 { thread::available_parallelism().map_or(1, usize::from) } else { threads };
        if agents == 0 || threads > MAX_THREADS {
            return Err(Failure::Other(format!(
                "{agents} agents on {threads} threads: want 1 or more on 1 to {MAX_THREADS}"
            )));
        }
        let def = CrowdDef { agents, workers: threads as u32, ..CrowdDef::DEFAULT };
        let crowd = Crowd::with_def(&def, Filter::new(), &Source::Global)?;
        let mut stroll = Stroll {
            mesh,
            crowd,
            walks: Vec::new(),
            agents: Vec::new(),
            strays: 0,
            overlap: 0.0,
            times: Vec::new(),
            until_frame: 0.0,
        };
        let mut random = SplitMix64::new(seed);
        for _ in 0..agents {
            stroll.add(options, &mut random)?;
        }
        Ok(stroll)
    }

    fn add(&mut self, options: &AgentOptions, random: &mut SplitMix64) -> Outcome<()> {
        let mut ends = self.ends(options, random)?;
        // On a patch of its own an agent has nowhere to go: another place is better.
        for _ in 1..STARTS {
            if ends.is_way {
                break;
            }
            ends = self.ends(options, random)?;
        }
        self.strays += usize::from(!ends.is_way);
        let mut agent = self.crowd.add(self.mesh, ends.start, options)?;
        agent.set_destination(self.mesh, ends.goal)?;
        self.agents.push(agent.id());
        self.walks.push(Walk { radius: options.radius, places: Vec::new() });
        Ok(())
    }

    /// A place apart from the others where there is room, and one that is reached from there where one is found.
    fn ends(&self, options: &AgentOptions, random: &mut SplitMix64) -> Outcome<Ends> {
        let mut place = || self.mesh.random_point(random).map(|drawn| drawn.point);
        let apart = 2.0 * options.radius;
        let is_apart = |point: &[f64; 3]| self.crowd.agents().all(|other| distance(other.position(), *point) >= apart);
        let Some(mut start) = place() else { return Err(Failure::Other("the mesh has no ground".into())) };
        let mut tries = 1;
        while tries < TRIES && !is_apart(&start) {
            start = place().unwrap_or(start);
            tries += 1;
        }
        let mut goal = start;
        for _ in 0..TRIES {
            goal = place().unwrap_or(start);
            if self.mesh.find_path(start, goal)?.is_complete() {
                return Ok(Ends { start, goal, is_way: true });
            }
        }
        Ok(Ends { start, goal, is_way: false })
    }

    /// Makes a step, and notes the frame that falls into it.
    pub fn step(&mut self, dt: f64, is_drawn: bool) -> Outcome<()> {
        if is_drawn && self.until_frame <= 0.0 {
            for (walk, agent) in self.walks.iter_mut().zip(self.crowd.agents()) {
                walk.places.push(agent.position());
            }
            self.until_frame += 1.0 / FRAMES;
        }
        self.until_frame -= dt;
        let (stepped, time) = timed(|| step(&mut self.crowd, self.mesh, dt));
        stepped?;
        self.times.push(time);
        self.overlap = navarena::math::max(self.overlap, deepest_overlap(&self.crowd));
        Ok(())
    }

    /// The time of a step, the middle one of all.
    pub fn median_step(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// How many are where they were sent.
    pub fn arrived(&self) -> usize {
        self.crowd.agents().filter(|agent| agent.has_reached_target()).count()
    }
}

/// The deepest overlap of two discs that stand on one floor, as a part of the sum of their radii.
fn deepest_overlap(crowd: &Crowd) -> f64 {
    const FLOOR: f64 = 1.0;
    let mut bodies: Vec<([f64; 3], f64)> = crowd.agents().map(|agent| (agent.position(), agent.radius())).collect();
    bodies.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let widest = bodies.iter().fold(0.0, |widest, body| navarena::math::max(widest, body.1));
    let mut deepest = 0.0;
    for (index, (one, radius)) in bodies.iter().enumerate() {
        let near = bodies[index + 1..].iter().take_while(|(other, _)| other[0] - one[0] < radius + widest);
        for (other, other_radius) in near.filter(|(other, _)| (other[1] - one[1]).abs() < FLOOR) {
            let reach = radius + other_radius;
            let apart = distance_squared([one[0], one[2]], [other[0], other[2]]);
            if apart < reach * reach {
                deepest = navarena::math::max(deepest, 1.0 - crate::sqrt(apart) / reach);
            }
        }
    }
    deepest
}

fn report(args: &CrowdArgs, stroll: &Stroll<'_>, hashes: &[(u64, u64)]) -> Outcome<()> {
    let mean = stroll.times.iter().sum::<Duration>() / stroll.times.len().max(1) as u32;
    let (middle, worst) = (stroll.median_step(), stroll.times.iter().max().copied().unwrap_or_default());
    let bytes = stroll.crowd.core().state_size(stroll.mesh.core());
    if args.json {
        return print(&json!({
            "agents": stroll.crowd.len(),
            "arrived": stroll.arrived(),
            "without_a_way": stroll.strays,
            "steps": stroll.crowd.step_count(),
            "deepest_overlap": stroll.overlap,
            "step_ms": { "mean": mean.as_secs_f64() * 1e3, "median": middle.as_secs_f64() * 1e3, "worst": worst.as_secs_f64() * 1e3 },
            "state_bytes": bytes,
            "hashes": hashes.iter().map(|(step, hash)| json!({ "step": step, "hash": format!("{hash:016x}") })).collect::<Vec<_>>(),
            "picture": args.output,
        }));
    }
    let mut table = Table::default();
    let (agents, arrived) = (stroll.crowd.len(), stroll.arrived());
    table.row("agents", count(agents));
    table.row("arrived", format!("{} after {} s", count(arrived), args.seconds));
    if stroll.strays > 0 {
        table.row("without a way", count(stroll.strays));
    }
    table.row("deepest overlap", format!("{:.1} % of the radii", 100.0 * stroll.overlap));
    table.row(
        "step",
        format!("{} mean, {} median, {} worst", milliseconds(mean), milliseconds(middle), milliseconds(worst)),
    );
    table.row("saved state", size(bytes));
    table.heading("hash after step");
    for (step, hash) in hashes {
        table.row(&step.to_string(), format!("{hash:016x}"));
    }
    if let Some(path) = &args.output {
        table.row("picture", path.display());
    }
    print(&table)
}
