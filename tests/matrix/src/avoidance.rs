//! Avoidance: the simulator, and velocities for a host's agents in the plane and in space.

use navarena::avoidance::{
    Agent, AgentSettings, Avoidance, AvoidanceDef, Flier, Obstacle, Simulator, SimulatorDef, Sphere,
};
use navarena::error::Result;
use navarena::math::{SplitMix64, sin_cos};
use navarena::memory::Arena;

use crate::level::region;
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "avoidance/plane", run: plane },
    Scenario { name: "avoidance/simulator", run: simulator },
    Scenario { name: "avoidance/space", run: space },
];

const AGENTS: u32 = 24;
const STEPS: usize = 60;
const DT: f64 = 0.1;

/// Agents on a circle, each on its way to the other side, past two walls.
fn simulator(record: &mut Record<'_>) -> Result<()> {
    let def = SimulatorDef { agents: AGENTS, obstacles: 2, ..SimulatorDef::DEFAULT };
    let mut memory = region(def.plan());
    let mut simulator = Simulator::new(&def, &mut Arena::new(&mut memory))?;
    simulator.add_obstacle([-2.0, -1.0], [2.0, -1.0])?;
    simulator.add_obstacle([1.0, 4.0], [1.0, 6.0])?;
    let mut agents = [None; AGENTS as usize];
    for (number, agent) in agents.iter_mut().enumerate() {
        let (sine, cosine) = sin_cos(number as f64 * core::f64::consts::TAU / f64::from(AGENTS));
        *agent = Some(simulator.add_agent([12.0 * cosine, 12.0 * sine], &AgentSettings::DEFAULT)?);
    }
    let goals = agents.map(|agent| agent.and_then(|agent| simulator.position(agent).ok()).map(|[x, y]| [-x, -y]));
    for _ in 0..STEPS {
        for (agent, goal) in agents.iter().flatten().zip(goals.iter().flatten()) {
            let position = simulator.position(*agent)?;
            simulator.set_preferred_velocity(*agent, [0, 1].map(|axis| 0.25 * (goal[axis] - position[axis])))?;
        }
        simulator.step(DT)?;
    }
    for agent in agents.iter().flatten() {
        record.numbers(&simulator.position(*agent)?);
        record.numbers(&simulator.velocity(*agent)?);
    }
    Ok(())
}

fn plane(record: &mut Record<'_>) -> Result<()> {
    let def = AvoidanceDef { agents: AGENTS, obstacle_points: 8, ..AvoidanceDef::DEFAULT };
    let mut memory = region(def.plan());
    let mut avoidance = Avoidance::new(&def, &mut Arena::new(&mut memory))?;
    let mut random = SplitMix64::new(1);
    let mut within = |reach: f64| (2.0 * random.next_f64() - 1.0) * reach;
    let mut agents: [Agent; AGENTS as usize] = core::array::from_fn(|number| Agent {
        position: [within(8.0), within(8.0)],
        preferred: [within(1.2), within(1.2)],
        priority: 1.0 + (number % 3) as f64,
        id: number as u64,
        layers: 1 << (number % 2),
        ignores: u32::from(number == 7),
        ..Agent::DEFAULT
    });
    let obstacles = [
        Obstacle { points: &[[0.0, 3.0]], radius: 0.7, velocity: [0.1, 0.0], ..Obstacle::NONE },
        Obstacle { points: &[[-4.0, -2.0], [-1.0, -2.5]], id: 1, ..Obstacle::NONE },
        Obstacle { points: &[[3.0, -3.0], [5.0, -3.0], [4.0, -1.0]], id: 2, ..Obstacle::NONE },
    ];
    let mut velocities = [[0.0; 2]; AGENTS as usize];
    for _ in 0..STEPS {
        avoidance.avoid(&agents, &obstacles, DT, &mut velocities)?;
        for (agent, velocity) in agents.iter_mut().zip(velocities) {
            agent.velocity = velocity;
            agent.position = [0, 1].map(|axis| agent.position[axis] + velocity[axis] * DT);
        }
        record.numbers(velocities.as_flattened());
    }
    Ok(())
}

fn space(record: &mut Record<'_>) -> Result<()> {
    let def = AvoidanceDef { agents: AGENTS, obstacle_points: 2, ..AvoidanceDef::DEFAULT };
    let mut memory = region(def.plan());
    let mut avoidance = Avoidance::new(&def, &mut Arena::new(&mut memory))?;
    let mut random = SplitMix64::new(2);
    let mut within = |reach: f64| (2.0 * random.next_f64() - 1.0) * reach;
    let mut fliers: [Flier; AGENTS as usize] = core::array::from_fn(|number| Flier {
        position: [within(5.0), within(5.0), within(5.0)],
        preferred: [within(0.8), within(0.8), within(0.8)],
        id: number as u64,
        ..Flier::DEFAULT
    });
    let spheres = [Sphere { radius: 1.0, ..Sphere::DEFAULT }, Sphere { center: [3.0, 1.0, 0.0], ..Sphere::DEFAULT }];
    let mut velocities = [[0.0; 3]; AGENTS as usize];
    for _ in 0..STEPS {
        avoidance.avoid_in_space(&fliers, &spheres, DT, &mut velocities)?;
        for (flier, velocity) in fliers.iter_mut().zip(velocities) {
            flier.velocity = velocity;
            flier.position = [0, 1, 2].map(|axis| flier.position[axis] + velocity[axis] * DT);
        }
        record.numbers(velocities.as_flattened());
    }
    Ok(())
}
