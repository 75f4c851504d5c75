//! The simulator: what its agents do, what it refuses, and that workers, slots and structures do not show.

use std::vec;
use std::vec::Vec;

use super::super::velocity_obstacle::segment_distance_squared;
use super::super::{
    AgentRef, AgentSettings, Encounter, HalfPlane, Simulator, SimulatorDef, for_agent, for_segment, solve,
};
use super::{between, rounds, vector};
use crate::error::{ErrorKind, Subject};
use crate::math::{SplitMix64, add, distance, dot, length, scale, sin_cos, sub};
use crate::memory::{Arena, Grain};
use proptest::prelude::*;

crate::memory::assert_portable!(Simulator);

const SMALL: SimulatorDef = SimulatorDef { agents: 64, obstacles: 16, ..SimulatorDef::DEFAULT };

fn region(def: &SimulatorDef) -> Vec<Grain> {
    vec![Grain::ZERO; def.plan().grains()]
}

/// The step as the page says it, without any structure.
fn literal_step(agents: &[Literal], segments: &[[[f64; 2]; 2]], def: &SimulatorDef, dt: f64) -> Vec<[f64; 2]> {
    let one = |(index, me): (usize, &Literal)| {
        let s = &me.settings;
        let reach = s.obstacle_horizon * s.max_speed + s.radius;
        let seen = |segment: &[[f64; 2]; 2]| segment.map(|end| sub(end, me.position));
        let mut walls: Vec<(f64, usize)> = segments
            .iter()
            .enumerate()
            .map(|(at, segment)| (segment_distance_squared(seen(segment)[0], seen(segment)[1]), at))
            .filter(|&(square, _)| square <= reach * reach)
            .collect();
        walls.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        walls.truncate(def.edges as usize);
        let mut others: Vec<(f64, usize)> = agents
            .iter()
            .enumerate()
            .filter(|&(at, _)| at != index)
            .map(|(at, other)| (dot(sub(other.position, me.position), sub(other.position, me.position)), at))
            .filter(|&(square, _)| square < s.neighbor_distance * s.neighbor_distance)
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others.truncate(s.max_neighbors as usize);
        let mut planes: Vec<HalfPlane> = walls
            .iter()
            .map(|&(_, at)| {
                for_segment(seen(&segments[at])[0], seen(&segments[at])[1], s.radius, s.obstacle_horizon, dt)
            })
            .collect();
        planes.extend(others.iter().map(|&(_, at)| {
            for_agent(&Encounter {
                offset: sub(agents[at].position, me.position),
                velocity: me.velocity,
                other_velocity: agents[at].velocity,
                radius: s.radius + agents[at].settings.radius,
                horizon: s.time_horizon,
                step: dt,
                share: 0.5,
            })
        }));
        let mut scratch = vec![HalfPlane::default(); planes.len()];
        solve(&planes, walls.len(), s.max_speed, me.preferred, &mut scratch).unwrap()
    };
    agents.iter().enumerate().map(one).collect()
}

#[derive(Clone, Copy)]
struct Literal {
    position: [f64; 2],
    velocity: [f64; 2],
    preferred: [f64; 2],
    settings: AgentSettings,
}

fn random_agent(random: &mut SplitMix64, size: f64) -> Literal {
    Literal {
        position: vector(random, size),
        velocity: vector(random, 1.0),
        preferred: vector(random, 1.5),
        settings: AgentSettings {
            radius: between(random, 0.1, 0.8),
            max_speed: between(random, 0.0, 2.0),
            neighbor_distance: between(random, 0.0, 8.0),
            max_neighbors: random.below(17) as u32,
            time_horizon: between(random, 0.3, 3.0),
            obstacle_horizon: between(random, 0.3, 3.0),
        },
    }
}

fn put(simulator: &mut Simulator<'_>, agent: &Literal) -> AgentRef {
    let reference = simulator.add_agent(agent.position, &agent.settings).unwrap();
    simulator.set_velocity(reference, agent.velocity).unwrap();
    simulator.set_preferred_velocity(reference, agent.preferred).unwrap();
    reference
}

#[test]
fn a_step_is_the_pages_step_to_the_bit_whatever_the_workers() {
    let mut random = SplitMix64::new(81);
    for round in 0..rounds(400, 30) {
        let def = SimulatorDef { edges: 1 + random.below(5) as u32, workers: 16, ..SMALL };
        let mut memory = region(&def);
        let mut simulator = Simulator::new(&def, &mut Arena::new(&mut memory)).unwrap();
        let size = between(&mut random, 0.5, 12.0);
        let mut agents: Vec<Literal> = (0..random.below(40)).map(|_| random_agent(&mut random, size)).collect();
        let segments: Vec<[[f64; 2]; 2]> =
            (0..random.below(10)).map(|_| [vector(&mut random, size), vector(&mut random, size)]).collect();
        for &[a, b] in &segments {
            simulator.add_obstacle(a, b).unwrap();
        }
        let references: Vec<AgentRef> = agents.iter().map(|agent| put(&mut simulator, agent)).collect();
        let dt = between(&mut random, 0.01, 0.3);
        for workers in [1, 2, 5, 16] {
            let mut step = simulator.begin_step(dt).unwrap();
            let shares: Vec<_> = step.shares(workers).unwrap().collect();
            assert_eq!(shares.len(), workers);
            // Any order of the shares will do.
            shares.into_iter().rev().for_each(|share| share.solve());
            step.finish().unwrap();
            let want = literal_step(&agents, &segments, &def, dt);
            for ((agent, velocity), &reference) in agents.iter_mut().zip(want).zip(&references) {
                agent.velocity = velocity;
                agent.position = add(agent.position, scale(velocity, dt));
                assert_eq!(
                    simulator.velocity(reference).unwrap().map(f64::to_bits),
                    velocity.map(f64::to_bits),
                    "{round}"
                );
                assert_eq!(simulator.position(reference).unwrap(), agent.position);
            }
        }
    }
}

/// Walks agents over a circle to their antipodes; how deep two overlapped at worst, in radii, and whether all arrived.
fn antipodes(count: usize, circle: f64, steps: u32) -> (f64, bool) {
    let def = SimulatorDef { agents: count as u32, obstacles: 0, ..SimulatorDef::DEFAULT };
    let mut memory = region(&def);
    let mut simulator = Simulator::new(&def, &mut Arena::new(&mut memory)).unwrap();
    let places: Vec<[f64; 2]> = (0..count)
        .map(|i| {
            let (sin, cos) = sin_cos(core::f64::consts::TAU * i as f64 / count as f64);
            [circle * cos, circle * sin]
        })
        .collect();
    let agents: Vec<AgentRef> =
        places.iter().map(|&place| simulator.add_agent(place, &AgentSettings::DEFAULT).unwrap()).collect();
    let mut random = SplitMix64::new(5);
    let mut deepest = 0.0f64;
    for _ in 0..steps {
        let mut arrived = true;
        for (&agent, &place) in agents.iter().zip(&places) {
            let way = sub(scale(place, -1.0), simulator.position(agent).unwrap());
            arrived &= length(way) < 1.0;
            // A little unevenness, as any real crowd has, so that nobody meets exactly head on.
            let wish = if length(way) > 1.5 { scale(way, 1.5 / length(way)) } else { way };
            simulator.set_preferred_velocity(agent, add(wish, vector(&mut random, 0.05))).unwrap();
        }
        if arrived {
            return (deepest, true);
        }
        simulator.step(0.1).unwrap();
        let now: Vec<[f64; 2]> = agents.iter().map(|&agent| simulator.position(agent).unwrap()).collect();
        for (i, &a) in now.iter().enumerate() {
            deepest = now[..i].iter().map(|&b| (1.0 - distance(a, b)) / 0.5).fold(deepest, f64::max);
        }
    }
    (deepest, false)
}

#[test]
fn agents_on_a_circle_reach_their_antipodes_without_deep_overlap() {
    let (deepest, arrived) = antipodes(24, 12.0, 1000);
    assert!(arrived && deepest < 0.1, "{deepest}");
    if std::env::var_os("NAVARENA_LONG").is_some() {
        let (deepest, arrived) = antipodes(100, 40.0, 3000);
        assert!(arrived && deepest < 0.5, "{deepest}");
        let (deepest, arrived) = antipodes(1000, 200.0, 8000);
        assert!(arrived && deepest < 0.75, "{deepest}");
    }
}

#[test]
fn an_agent_passes_the_gap_of_a_wall() {
    let mut memory = region(&SMALL);
    let mut simulator = Simulator::new(&SMALL, &mut Arena::new(&mut memory)).unwrap();
    simulator.add_obstacle([0.0, -10.0], [0.0, -0.8]).unwrap();
    simulator.add_obstacle([0.0, 0.8], [0.0, 10.0]).unwrap();
    let agent = simulator.add_agent([-5.0, 0.1], &AgentSettings::DEFAULT).unwrap();
    for _ in 0..150 {
        let way = sub([5.0, 0.0], simulator.position(agent).unwrap());
        simulator.set_preferred_velocity(agent, scale(way, 1.2 / length(way))).unwrap();
        simulator.step(0.1).unwrap();
        let [x, y] = simulator.position(agent).unwrap();
        assert!(x.abs() > 0.49 || y.abs() < 0.31, "into the wall at {x} {y}");
    }
    assert!(simulator.position(agent).unwrap()[0] > 4.0);
}

#[test]
fn exactly_head_on_two_agents_stop_in_front_of_each_other() {
    let mut memory = region(&SMALL);
    let mut simulator = Simulator::new(&SMALL, &mut Arena::new(&mut memory)).unwrap();
    let pair = [-4.0, 4.0].map(|x| simulator.add_agent([x, 0.0], &AgentSettings::DEFAULT).unwrap());
    for _ in 0..200 {
        simulator.set_preferred_velocity(pair[0], [1.0, 0.0]).unwrap();
        simulator.set_preferred_velocity(pair[1], [-1.0, 0.0]).unwrap();
        simulator.step(0.1).unwrap();
        let [a, b] = pair.map(|agent| simulator.position(agent).unwrap());
        assert_eq!(a, [-b[0], -b[1]], "what one does the other mirrors");
        assert!(distance(a, b) > 1.0 - 1e-9);
    }
}

#[test]
fn references_go_stale_and_slots_are_taken_from_the_lowest() {
    let mut memory = region(&SMALL);
    let mut simulator = Simulator::new(&SMALL, &mut Arena::new(&mut memory)).unwrap();
    let settings = AgentSettings::DEFAULT;
    let three = [0.0, 3.0, 6.0].map(|x| simulator.add_agent([x, 0.0], &settings).unwrap());
    simulator.remove_agent(three[1]).unwrap();
    for refused in [simulator.position(three[1]).err(), simulator.remove_agent(three[1]).err()] {
        assert_eq!(refused.map(|error| (error.kind(), error.index())), Some((ErrorKind::Stale, Some(1))));
    }
    assert_eq!(simulator.agents().collect::<Vec<_>>(), [three[0], three[2]]);
    let fourth = simulator.add_agent([9.0, 0.0], &settings).unwrap();
    assert_eq!((fourth.slot(), simulator.agent_count()), (1, 3));
    assert_ne!(fourth, three[1]);
    assert!(simulator.set_velocity(three[1], [0.0; 2]).is_err());
    simulator.step(0.1).unwrap();
}

#[test]
fn limits_and_ranges_are_refused_by_name() {
    let def = SimulatorDef { agents: 1, obstacles: 1, neighbors: 3, ..SMALL };
    let mut memory = region(&def);
    let mut simulator = Simulator::new(&def, &mut Arena::new(&mut memory)).unwrap();
    let good = AgentSettings { max_neighbors: 3, ..AgentSettings::DEFAULT };
    let refused = |error: crate::error::Error| (error.kind(), error.subject());
    let bad = [
        (AgentSettings { radius: 0.0, ..good }, (ErrorKind::Invalid, Subject::AgentRadius)),
        (AgentSettings { max_speed: f64::NAN, ..good }, (ErrorKind::Invalid, Subject::Speed)),
        (AgentSettings { max_speed: 2097152.0, ..good }, (ErrorKind::Limit, Subject::Speed)),
        (AgentSettings { neighbor_distance: f64::INFINITY, ..good }, (ErrorKind::Limit, Subject::NeighborDistance)),
        (AgentSettings { max_neighbors: 4, ..good }, (ErrorKind::Limit, Subject::Neighbors)),
        (AgentSettings { time_horizon: 0.0, ..good }, (ErrorKind::Limit, Subject::TimeHorizon)),
        (AgentSettings { obstacle_horizon: f64::NAN, ..good }, (ErrorKind::Invalid, Subject::ObstacleHorizon)),
    ];
    for (settings, want) in bad {
        assert_eq!(simulator.add_agent([0.0; 2], &settings).map_err(refused), Err(want));
    }
    assert_eq!(simulator.agent_count(), 0);
    let agent = simulator.add_agent([2097151.0, 0.0], &good).unwrap();
    assert_eq!(simulator.add_agent([0.0; 2], &good).map_err(refused), Err((ErrorKind::Capacity, Subject::Agents)));
    simulator.add_obstacle([0.0; 2], [1.0; 2]).unwrap();
    let full = simulator.add_obstacle([0.0; 2], [1.0; 2]).map_err(refused);
    assert_eq!(full, Err((ErrorKind::Capacity, Subject::Obstacles)));
    for value in [f64::NAN, f64::INFINITY, 2097152.0] {
        assert!(simulator.set_position(agent, [0.0, value]).is_err());
        assert!(simulator.set_velocity(agent, [value, 0.0]).is_err());
        assert!(simulator.set_preferred_velocity(agent, [0.0, value]).is_err());
        assert!(simulator.add_obstacle([0.0; 2], [value, 0.0]).is_err());
    }
    for dt in [0.0, -1.0, 1e-7, f64::NAN, f64::INFINITY] {
        assert_eq!(simulator.step(dt).map_err(|error| error.subject()), Err(Subject::TimeStep));
    }
    // An agent that would leave the world stops the step.
    simulator.set_preferred_velocity(agent, [1.5, 0.0]).unwrap();
    assert_eq!(simulator.step(10.0).map_err(refused), Err((ErrorKind::Outside, Subject::Agent)));
    assert_eq!(simulator.position(agent).unwrap(), [2097151.0, 0.0]);
    simulator.step(0.1).unwrap();
    for wrong in [
        SimulatorDef { agents: 0, ..SMALL },
        SimulatorDef { neighbors: 257, ..SMALL },
        SimulatorDef { workers: 0, ..SMALL },
    ] {
        assert!(Simulator::new(&wrong, &mut Arena::new(&mut memory)).is_err());
    }
}

#[test]
fn a_share_left_unsolved_is_noticed() {
    let mut memory = region(&SimulatorDef { workers: 3, ..SMALL });
    let mut simulator = Simulator::new(&SimulatorDef { workers: 3, ..SMALL }, &mut Arena::new(&mut memory)).unwrap();
    simulator.add_agent([0.0; 2], &AgentSettings::DEFAULT).unwrap();
    let mut step = simulator.begin_step(0.1).unwrap();
    assert_eq!(step.shares(0).map(drop).map_err(|e| e.kind()), Err(ErrorKind::Invalid));
    assert_eq!(step.shares(4).map(drop).map_err(|e| e.kind()), Err(ErrorKind::Capacity));
    step.shares(3).unwrap().skip(1).for_each(|share| share.solve());
    assert_eq!(step.finish().map_err(|e| (e.kind(), e.index())), Err((ErrorKind::State, Some(0))));
    assert_eq!(simulator.begin_step(0.1).unwrap().finish().map_err(|e| e.kind()), Err(ErrorKind::State));
    simulator.step(0.1).unwrap();
}

#[test]
fn the_plan_is_what_is_taken_and_what_the_def_says() {
    for def in [SMALL, SimulatorDef::DEFAULT, SimulatorDef { agents: 1000, obstacles: 333, workers: 7, ..SMALL }] {
        let mut memory = region(&def);
        let mut arena = Arena::new(&mut memory);
        Simulator::new(&def, &mut arena).unwrap();
        assert_eq!(arena.remaining(), 0);
        let stated = def.agents as usize * 183
            + def.obstacles as usize * 118
            + (def.workers * (def.neighbors + def.edges)) as usize * 80;
        assert!(def.plan().bytes.abs_diff(stated) < 512 + stated / 100, "{} {stated}", def.plan().bytes);
        assert!(Simulator::new(&def, &mut Arena::new(&mut memory[1..])).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever passes the door comes out as numbers.
    #[test]
    fn nothing_that_is_let_in_breaks_a_step(
        agents in prop::collection::vec((any::<[f64; 2]>(), any::<[f64; 2]>(), any::<[f64; 2]>(), any::<[f64; 5]>()), 0..12),
        near in prop::collection::vec((-2i8..3, -2i8..3), 0..12),
        walls in prop::collection::vec(any::<[[f64; 2]; 2]>(), 0..4),
        dt in any::<f64>(),
    ) {
        let mut memory = region(&SMALL);
        let mut simulator = Simulator::new(&SMALL, &mut Arena::new(&mut memory)).unwrap();
        for (position, velocity, preferred, [radius, max_speed, neighbor_distance, time_horizon, obstacle_horizon]) in agents {
            let settings = AgentSettings {
                radius, max_speed, neighbor_distance, time_horizon, obstacle_horizon, max_neighbors: 10,
            };
            if let Ok(agent) = simulator.add_agent(position, &settings) {
                let _ = simulator.set_velocity(agent, velocity);
                let _ = simulator.set_preferred_velocity(agent, preferred);
            }
        }
        for (x, y) in near {
            let place = [f64::from(x), f64::from(y)];
            let agent = simulator.add_agent(place, &AgentSettings::DEFAULT).unwrap();
            simulator.set_preferred_velocity(agent, [-place[0], place[1]]).unwrap();
            simulator.add_obstacle(place, [place[1], 0.0]).unwrap();
        }
        for [a, b] in walls {
            let _ = simulator.add_obstacle(a, b);
        }
        let _ = simulator.step(dt);
        let _ = simulator.step(0.1);
        for agent in simulator.agents() {
            prop_assert!(simulator.position(agent).unwrap().iter().all(|x| x.is_finite()));
            prop_assert!(simulator.velocity(agent).unwrap().iter().all(|x| x.is_finite()));
        }
    }
}
