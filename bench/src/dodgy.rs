//! dodgy_2d: RVO2's solver in Rust. Agents on a circle walk to their antipodes, on both sides in lockstep.
//!
//! It has a solver and no neighbour search to speak of (its simulator compares all pairs through a hash map, and keeps the far
//! ones), so it gets ours: the ten nearest within ten meters from a `NeighborIndex`. One row counts that search on its side, as
//! any host would need one; a second gives it away and times its solver alone against our whole step.

use std::borrow::Cow;
use std::time::Duration;

use dodgy_2d::{Agent as Dodgy, AvoidanceOptions, Vec2};
use navarena::avoidance::{
    Agent, AgentRef, AgentSettings, Avoidance, AvoidanceDef, Near, Nearest, NeighborIndex, Simulator, SimulatorDef,
};
use navarena::error::Error;
use navarena::math::{SplitMix64, add, distance, length, scale, sin_cos, sub};
use navarena::memory::{Arena, Grain, Plan};

use crate::clock::time;
use crate::table::{Agreement, Row};

/// Seconds a step.
const STEP: f64 = 0.1;
/// Of how many steps one is timed, and how often it is run for the best of them.
const EVERY: u32 = 40;
const RUNS: u32 = 5;
/// Closer to its goal than this an agent has arrived.
const ARRIVED: f64 = 1.0;
/// The deepest overlap of an answer that counts, in radii: the page's bound for the dense center of a circle.
const DEEPEST: f64 = 0.75;
/// What Maul Nav reports for a step of 1000 agents on one core of a Ryzen 9 5900X, in microseconds.
const MAUL_NAV: f64 = 829.5;

/// The circles of the whole table.
pub const COUNTS: [usize; 3] = [250, 1000, 5000];

/// The rows of some circles, and our step of 1000 agents beside the figure that Maul Nav reports.
pub fn rows(counts: &[usize]) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for &count in counts {
        rows.extend(walk(count).map_err(|error| error.to_string())?);
    }
    Ok(rows)
}

/// Where a circle's agents stand and go, and how well they did.
struct Circle {
    goals: Vec<[f64; 2]>,
    random: SplitMix64,
}

/// One side's walk.
#[derive(Default)]
struct Walk {
    time: Duration,
    deepest: f64,
    arrived: usize,
}

impl Circle {
    /// Agents 1.25 m apart.
    fn new(count: usize) -> Circle {
        let radius = count as f64 * 0.2;
        let at = |index| {
            let (sine, cosine) = sin_cos(core::f64::consts::TAU * index as f64 / count as f64);
            [-radius * cosine, -radius * sine]
        };
        Circle { goals: (0..count).map(at).collect(), random: SplitMix64::new(1) }
    }

    /// What each agent would like: straight to its goal, unevenly by a little, as any real crowd is.
    fn wishes(&mut self, positions: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let speed = AgentSettings::DEFAULT.max_speed;
        let wish = |(goal, position): (&[f64; 2], &[f64; 2])| {
            let way = sub(*goal, *position);
            let straight = if length(way) > speed { scale(way, speed / length(way)) } else { way };
            add(straight, [0.0; 2].map(|_: f64| 0.1 * self.random.next_f64() - 0.05))
        };
        self.goals.iter().zip(positions).map(wish).collect()
    }
}

impl Walk {
    fn look(&mut self, positions: &[[f64; 2]], goals: &[[f64; 2]], index: &mut NeighborIndex<'_>) -> Result<(), Error> {
        self.arrived = goals.iter().zip(positions).filter(|&(goal, at)| distance(*goal, *at) < ARRIVED).count();
        index.sort((0u32..).zip(positions.iter().copied()))?;
        for (name, &position) in (0u32..).zip(positions) {
            let mut room = [Near::default()];
            let mut list = Nearest::below(1.0, &mut room);
            index.nearest(position, &mut list, |other, _| other != name, |a, b| a < b);
            if let Some(near) = list.as_slice().first() {
                self.deepest = self.deepest.max((1.0 - navarena::math::sqrt(near.distance)) / 0.5);
            }
        }
        Ok(())
    }
}

/// Our side: the simulator, and the host's call on the same states.
struct Ours<'m> {
    simulator: Simulator<'m>,
    agents: Vec<AgentRef>,
    host: Avoidance<'m>,
    host_time: Duration,
}

impl Ours<'_> {
    fn state(&self) -> Result<Vec<([f64; 2], [f64; 2])>, Error> {
        let of = |&agent| Ok((self.simulator.position(agent)?, self.simulator.velocity(agent)?));
        self.agents.iter().map(of).collect()
    }

    fn set(&mut self, state: &[([f64; 2], [f64; 2])]) -> Result<(), Error> {
        for (&agent, &(position, velocity)) in self.agents.iter().zip(state) {
            self.simulator.set_position(agent, position)?;
            self.simulator.set_velocity(agent, velocity)?;
        }
        Ok(())
    }

    fn wish(&mut self, wishes: &[[f64; 2]]) -> Result<(), Error> {
        self.agents
            .iter()
            .zip(wishes)
            .try_for_each(|(&agent, &wish)| self.simulator.set_preferred_velocity(agent, wish))
    }

    /// One run of a timed step, from the same state each time.
    fn timed(&mut self, state: &[([f64; 2], [f64; 2])]) -> Result<Duration, Error> {
        self.set(state)?;
        Ok(time(&mut || self.simulator.step(STEP)))
    }

    fn host_timed(&mut self, state: &[([f64; 2], [f64; 2])], wishes: &[[f64; 2]]) -> Duration {
        let agent = |(&(position, velocity), &preferred): (&([f64; 2], [f64; 2]), &[f64; 2])| Agent {
            position,
            velocity,
            preferred,
            ..Agent::DEFAULT
        };
        let mut agents: Vec<Agent> = state.iter().zip(wishes).map(agent).collect();
        (0..).zip(&mut agents).for_each(|(id, agent)| agent.id = id);
        let mut velocities = vec![[0.0; 2]; agents.len()];
        time(&mut || self.host.avoid(&agents, &[], STEP, &mut velocities))
    }
}

/// Their side: its agents, and the search that it is given.
struct Theirs<'m> {
    agents: Vec<Dodgy>,
    index: NeighborIndex<'m>,
}

impl Theirs<'_> {
    fn positions(&self) -> Vec<[f64; 2]> {
        self.agents.iter().map(|agent| [f64::from(agent.position.x), f64::from(agent.position.y)]).collect()
    }

    fn find(&mut self) -> Result<Vec<Vec<Cow<'_, Dodgy>>>, Error> {
        let positions = self.positions();
        self.index.sort((0u32..).zip(positions.iter().copied()))?;
        let settings = AgentSettings::DEFAULT;
        let reach = settings.neighbor_distance * settings.neighbor_distance;
        let nearest = |(name, position): (u32, [f64; 2])| {
            let mut room = [Near::default(); AgentSettings::DEFAULT.max_neighbors as usize];
            let mut list = Nearest::below(reach, &mut room);
            self.index.nearest(position, &mut list, |other, _| other != name, |a, b| a < b);
            list.as_slice().iter().map(|near| Cow::Borrowed(&self.agents[near.name as usize])).collect()
        };
        Ok((0u32..).zip(positions).map(nearest).collect())
    }

    fn solve(agents: &[Dodgy], lists: &[Vec<Cow<'_, Dodgy>>], wishes: &[[f64; 2]]) -> Vec<Vec2> {
        let settings = AgentSettings::DEFAULT;
        let options = AvoidanceOptions {
            obstacle_margin: settings.radius as f32,
            time_horizon: settings.time_horizon as f32,
            obstacle_time_horizon: settings.obstacle_horizon as f32,
        };
        let (speed, step) = (settings.max_speed as f32, STEP as f32);
        let one = |((agent, list), &[x, y]): ((&Dodgy, &Vec<Cow<'_, Dodgy>>), &[f64; 2])| {
            agent.compute_avoiding_velocity(list, &[], Vec2::new(x as f32, y as f32), speed, step, &options)
        };
        agents.iter().zip(lists).zip(wishes).map(one).collect()
    }

    /// The times of the search and of the solver; the agents stay.
    fn timed(&mut self, wishes: &[[f64; 2]]) -> Result<[Duration; 2], Error> {
        let search = time(&mut || self.find().map(|lists| lists.len()));
        let agents = self.agents.clone();
        let lists = self.find()?;
        Ok([search, time(&mut || Theirs::solve(&agents, &lists, wishes))])
    }

    fn step(&mut self, wishes: &[[f64; 2]]) -> Result<(), Error> {
        let agents = self.agents.clone();
        let velocities = Theirs::solve(&agents, &self.find()?, wishes);
        for (agent, velocity) in self.agents.iter_mut().zip(velocities) {
            agent.velocity = velocity;
            agent.position += velocity * STEP as f32;
        }
        Ok(())
    }
}

fn region(plan: Plan) -> Vec<Grain> {
    vec![Grain::ZERO; plan.grains()]
}

fn walk(count: usize) -> Result<Vec<Row>, Error> {
    let def = SimulatorDef { agents: count as u32, obstacles: 0, ..SimulatorDef::DEFAULT };
    let host = AvoidanceDef { agents: count as u32, obstacle_points: 0, ..AvoidanceDef::DEFAULT };
    let mut memory = [def.plan(), host.plan(), NeighborIndex::plan(count), NeighborIndex::plan(count)].map(region);
    let [first, second, third, fourth] = &mut memory;
    let mut simulator = Simulator::new(&def, &mut Arena::new(first))?;
    let mut circle = Circle::new(count);
    let starts: Vec<[f64; 2]> = circle.goals.iter().map(|&goal| scale(goal, -1.0)).collect();
    let agents =
        starts.iter().map(|&start| simulator.add_agent(start, &AgentSettings::DEFAULT)).collect::<Result<_, _>>()?;
    let host = Avoidance::new(&host, &mut Arena::new(second))?;
    let mut ours = Ours { simulator, agents, host, host_time: Duration::ZERO };
    let dodgy = |&[x, y]: &[f64; 2]| Dodgy {
        position: Vec2::new(x as f32, y as f32),
        velocity: Vec2::ZERO,
        radius: AgentSettings::DEFAULT.radius as f32,
        avoidance_responsibility: 1.0,
    };
    let index = NeighborIndex::new(count, &mut Arena::new(third))?;
    let mut theirs = Theirs { agents: starts.iter().map(dodgy).collect(), index };
    let mut looking = NeighborIndex::new(count, &mut Arena::new(fourth))?;
    let (mut our_walk, mut their_walk, mut solver, mut samples) = (Walk::default(), Walk::default(), Duration::ZERO, 0);
    // Three times what the straight way takes, and time for the crowd in the middle.
    let limit = (3.0 * count as f64 * 0.4 / AgentSettings::DEFAULT.max_speed / STEP) as u32 + 2000;
    for step in 0..limit {
        let state = ours.state()?;
        let positions: Vec<[f64; 2]> = state.iter().map(|&(position, _)| position).collect();
        let (our_wishes, their_wishes) = (circle.wishes(&positions), circle.wishes(&theirs.positions()));
        ours.wish(&our_wishes)?;
        if step % EVERY == 0 {
            our_walk.look(&positions, &circle.goals, &mut looking)?;
            their_walk.look(&theirs.positions(), &circle.goals, &mut looking)?;
            if our_walk.arrived == count && their_walk.arrived == count {
                break;
            }
            let mut best = [Duration::MAX; 4];
            for _ in 0..RUNS {
                let [search, solve] = theirs.timed(&their_wishes)?;
                let times = [ours.timed(&state)?, ours.host_timed(&state, &our_wishes), search, solve];
                best = core::array::from_fn(|at| best[at].min(times[at]));
            }
            our_walk.time += best[0];
            ours.host_time += best[1];
            their_walk.time += best[2] + best[3];
            solver += best[3];
            samples += 1;
            ours.set(&state)?;
        }
        ours.simulator.step(STEP)?;
        theirs.step(&their_wishes)?;
    }
    let answers = compare(count, &our_walk, &their_walk);
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(samples);
    let row = |name: String, ours: Duration, theirs: f64| Row {
        name,
        unit: "us a step",
        ours: microseconds(ours),
        theirs,
        answers: answers.clone(),
    };
    let mut rows = vec![
        row(format!("circle of {count}"), our_walk.time, microseconds(their_walk.time)),
        row(format!("circle of {count}, search given to theirs"), our_walk.time, microseconds(solver)),
    ];
    if count == 1000 {
        let per = count as f64 * 1e3 / microseconds(ours.host_time);
        rows.push(Row {
            answers: Agreement::Agree(format!("a figure of another machine; ours {per:.0} agents a millisecond")),
            ..row("avoidance of 1000 beside Maul Nav's".to_string(), ours.host_time, MAUL_NAV)
        });
    }
    Ok(rows)
}

fn compare(count: usize, ours: &Walk, theirs: &Walk) -> Agreement {
    let how = format!(
        "arrived {} and {} of {count}, deepest overlap {:.2} and {:.2} radii",
        ours.arrived, theirs.arrived, ours.deepest, theirs.deepest
    );
    let good = ours.arrived == count && theirs.arrived == count && ours.deepest <= DEEPEST;
    if good { Agreement::Agree(how) } else { Agreement::Differ(how) }
}
