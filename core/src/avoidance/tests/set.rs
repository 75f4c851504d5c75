//! The host's contract: what is refused, who avoids whom, and that no order shows.

use std::vec;
use std::vec::Vec;

use super::super::{Agent, Avoidance, AvoidanceDef, Flier, Obstacle, Sphere};
use super::{between, rounds, vector};
use crate::error::{Error, ErrorKind, Subject};
use crate::math::{SplitMix64, add, distance, length, scale, sqrt, sub};
use crate::memory::{Arena, Grain};
use proptest::prelude::*;

crate::memory::assert_portable!(Avoidance);

const SMALL: AvoidanceDef = AvoidanceDef { agents: 64, obstacle_points: 64, ..AvoidanceDef::DEFAULT };

fn region(def: &AvoidanceDef) -> Vec<Grain> {
    vec![Grain::ZERO; def.plan().grains()]
}

/// One call on a set of its own.
fn avoid(def: &AvoidanceDef, agents: &[Agent], obstacles: &[Obstacle<'_>], step: f64) -> Result<Vec<[f64; 2]>, Error> {
    let mut memory = region(def);
    let mut set = Avoidance::new(def, &mut Arena::new(&mut memory)).unwrap();
    let mut velocities = vec![[0.0; 2]; agents.len()];
    set.avoid(agents, obstacles, step, &mut velocities).map(|()| velocities)
}

fn avoid_in_space(fliers: &[Flier], spheres: &[Sphere], step: f64) -> Result<Vec<[f64; 3]>, Error> {
    let mut memory = region(&SMALL);
    let mut set = Avoidance::new(&SMALL, &mut Arena::new(&mut memory)).unwrap();
    let mut velocities = vec![[0.0; 3]; fliers.len()];
    set.avoid_in_space(fliers, spheres, step, &mut velocities).map(|()| velocities)
}

/// Walks agents with a constant wish; gives the least distance between any two, less their radii.
fn walk(agents: &mut [Agent], obstacles: &[Obstacle<'_>], steps: u32) -> f64 {
    let mut memory = region(&SMALL);
    let mut set = Avoidance::new(&SMALL, &mut Arena::new(&mut memory)).unwrap();
    let mut velocities = vec![[0.0; 2]; agents.len()];
    let mut least = f64::INFINITY;
    for _ in 0..steps {
        set.avoid(agents, obstacles, 0.1, &mut velocities).unwrap();
        for (agent, &velocity) in agents.iter_mut().zip(&velocities) {
            agent.velocity = velocity;
            agent.position = add(agent.position, scale(velocity, 0.1));
        }
        for (i, a) in agents.iter().enumerate() {
            let room = |b: &Agent| distance(a.position, b.position) - a.radius - b.radius;
            least = agents[..i].iter().map(room).fold(least, f64::min);
        }
    }
    least
}

fn random_agent(random: &mut SplitMix64, size: f64) -> Agent {
    Agent {
        position: if random.below(4) == 0 { vector(random, size).map(|x| x - x % 1.0) } else { vector(random, size) },
        velocity: vector(random, 1.0),
        preferred: vector(random, 2.0),
        radius: between(random, 0.1, 1.0),
        max_speed: between(random, 0.0, 2.0),
        priority: between(random, 0.1, 3.0),
        id: random.below(4),
        layers: random.below(4) as u32,
        ignores: random.below(3) as u32,
    }
}

#[test]
fn the_same_agents_get_the_same_velocities_in_any_order_and_from_any_workers() {
    let mut random = SplitMix64::new(91);
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    for _ in 0..rounds(500, 30) {
        let size = between(&mut random, 0.5, 10.0);
        let agents: Vec<Agent> = (0..40).map(|_| random_agent(&mut random, size)).collect();
        let mut obstacles = [
            Obstacle { points: &square, velocity: vector(&mut random, 1.0), ..Obstacle::NONE },
            Obstacle { points: &square[..2], layers: 2, ..Obstacle::NONE },
            Obstacle { points: &square[2..3], radius: 0.7, velocity: vector(&mut random, 1.0), ..Obstacle::NONE },
            Obstacle { points: &square[3..], radius: 0.7, ..Obstacle::NONE },
        ];
        let def = AvoidanceDef { neighbors: 5, edges: 3, workers: 16, ..SMALL };
        let want = avoid(&def, &agents, &obstacles, 0.1).unwrap();
        let mut order: Vec<usize> = (0..agents.len()).collect();
        (1..order.len()).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
        obstacles.reverse();
        let shuffled: Vec<Agent> = order.iter().map(|&i| agents[i]).collect();
        let mut memory = region(&def);
        let mut set = Avoidance::new(&def, &mut Arena::new(&mut memory)).unwrap();
        for workers in [1, 2, 5, 16] {
            let mut velocities = vec![[0.0; 2]; agents.len()];
            let mut avoiding = set.begin(&shuffled, &obstacles, 0.1).unwrap();
            let shares: Vec<_> = avoiding.shares(workers).unwrap().collect();
            shares.into_iter().rev().for_each(|share| share.solve());
            avoiding.finish(&mut velocities).unwrap();
            for (&i, velocity) in order.iter().zip(velocities) {
                assert_eq!(velocity.map(f64::to_bits), want[i].map(f64::to_bits));
                assert!(sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]) <= agents[i].max_speed);
            }
        }
    }
}

#[test]
fn agents_meeting_in_perfect_symmetry_pass() {
    let mut pair = [
        Agent { position: [-6.0, 0.0], preferred: [1.4, 0.0], id: 1, ..Agent::DEFAULT },
        Agent { position: [6.0, 0.0], preferred: [-1.4, 0.0], id: 2, ..Agent::DEFAULT },
    ];
    let least = walk(&mut pair, &[], 100);
    assert!(pair[0].position[0] > 5.0 && pair[1].position[0] < -5.0 && least > -1e-6, "{pair:?} {least}");
    assert!(pair[0].position[1] < 0.0 && pair[1].position[1] > 0.0, "each passed on its right");
    let mut cross: Vec<Agent> = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
        .iter()
        .map(|&way| Agent { position: scale(way, -6.0), preferred: scale(way, 1.4), ..Agent::DEFAULT })
        .collect();
    let least = walk(&mut cross, &[], 600);
    assert!(cross.iter().all(|a| length(a.position) > 5.0) && least > -1e-6, "{cross:?} {least}");
}

#[test]
fn one_held_back_by_its_speed_alone_goes_straight() {
    let fast = Agent { preferred: [30.0, 40.0], max_speed: 5.0, ..Agent::DEFAULT };
    assert_eq!(avoid(&SMALL, &[fast], &[], 0.1).unwrap(), [[3.0, 4.0]]);
    let flier = Flier { preferred: [0.0, 30.0, 40.0], max_speed: 5.0, ..Flier::DEFAULT };
    assert_eq!(avoid_in_space(&[flier], &[], 0.1).unwrap(), [[0.0, 3.0, 4.0]]);
}

#[test]
fn one_that_is_ignored_takes_the_whole_avoidance_and_weights_divide_it() {
    let a = Agent { position: [-2.0, 0.1], velocity: [1.0, 0.0], preferred: [1.0, 0.0], ..Agent::DEFAULT };
    let b = Agent { position: [2.0, -0.1], velocity: [-1.0, 0.0], preferred: [-1.0, 0.0], layers: 2, ..Agent::DEFAULT };
    let turn = |a: Agent, b: Agent| {
        let v = avoid(&SMALL, &[a, b], &[], 0.1).unwrap();
        [length(sub(v[0], a.preferred)), length(sub(v[1], b.preferred))]
    };
    let both = turn(a, b);
    assert!((both[0] - both[1]).abs() < 0.03 && both[0] > 0.05, "{both:?}");
    let whole = turn(Agent { ignores: 2, ..a }, b);
    assert!(whole[0] == 0.0 && whole[1] > 1.5 * both[1], "{whole:?}");
    assert_eq!(turn(Agent { ignores: 2, ..a }, Agent { ignores: 1, ..b }), [0.0, 0.0]);
    let heavy = turn(Agent { priority: 9.0, ..a }, b);
    assert!(heavy[0] < 0.5 * both[0] && heavy[1] > 1.3 * both[1], "{heavy:?}");
    let huge = turn(Agent { priority: 1e308, ..a }, Agent { priority: 1e308, ..b });
    assert_eq!(huge, both);
}

#[test]
fn obstacles_stop_an_agent_and_moving_ones_push_it() {
    let ahead = Agent { preferred: [1.5, 0.0], ..Agent::DEFAULT };
    let wall = [[2.0, -50.0], [2.0, 50.0]];
    let v = avoid(&SMALL, &[ahead], &[Obstacle { points: &wall, ..Obstacle::NONE }], 0.1).unwrap()[0];
    assert!((v[0] - 0.75).abs() < 1e-9, "two seconds to where the radius touches: {v:?}");
    let idle = Agent { preferred: [0.0, 0.0], ..Agent::DEFAULT };
    let coming = Obstacle { points: &wall, velocity: [-1.0, 0.0], ..Obstacle::NONE };
    let v = avoid(&SMALL, &[idle], &[coming], 0.1).unwrap()[0];
    assert!((v[0] + 0.25).abs() < 1e-9, "gives way as fast as it must: {v:?}");
    let ball = Obstacle { points: &[[3.0, 0.0]], radius: 1.0, velocity: [-1.0, 0.0], ..Obstacle::NONE };
    let v = avoid(&SMALL, &[idle], &[ball], 0.1).unwrap()[0];
    assert!((v[0] + 0.25).abs() < 1e-9, "{v:?}");
    let unseen = Obstacle { layers: 4, ..coming };
    assert_eq!(avoid(&SMALL, &[Agent { ignores: 4, ..ahead }], &[unseen], 0.1).unwrap(), [[1.5, 0.0]]);
}

#[test]
fn a_polygon_is_seen_from_outside_only() {
    let room = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]];
    let obstacle = [Obstacle { points: &room, ..Obstacle::NONE }];
    let inside = Agent { position: [2.4, 0.0], preferred: [1.5, 0.0], ..Agent::DEFAULT };
    assert_eq!(avoid(&SMALL, &[inside], &obstacle, 0.1).unwrap(), [[1.5, 0.0]]);
    let outside = Agent { position: [4.0, 0.0], preferred: [-1.5, 0.0], ..Agent::DEFAULT };
    assert!((avoid(&SMALL, &[outside], &obstacle, 0.1).unwrap()[0][0] + 0.25).abs() < 1e-9);
    let on_it = Agent { position: [3.0, 0.0], preferred: [0.0, 0.0], ..Agent::DEFAULT };
    assert!(avoid(&SMALL, &[on_it], &obstacle, 0.1).unwrap()[0][0] > 1.4, "it leaves outwards");
}

#[test]
fn at_the_same_place_agents_part_and_leave_a_center_along_its_axis() {
    let ids = |id| Agent { id, ..Agent::DEFAULT };
    let v = avoid(&SMALL, &[ids(7), ids(3)], &[], 0.1).unwrap();
    assert!(v[0][0] < -1.0 && v[1][0] > 1.0, "{v:?}");
    let circle = Obstacle { points: &[[0.0, 0.0]], radius: 1.0, ..Obstacle::NONE };
    let v = avoid(&SMALL, &[Agent::DEFAULT], &[circle], 0.1).unwrap()[0];
    assert_eq!(v, [0.0, -1.5]);
    let v = avoid_in_space(&[Flier::DEFAULT], &[Sphere::DEFAULT], 0.1).unwrap()[0];
    assert_eq!(v, [0.0, 0.0, -1.5]);
    let flier = |id| Flier { id, ..Flier::DEFAULT };
    let v = avoid_in_space(&[flier(7), flier(3)], &[], 0.1).unwrap();
    assert!(v[0][0] < -1.0 && v[1][0] > 1.0, "{v:?}");
}

#[test]
fn of_more_than_the_limits_the_nearest_are_avoided() {
    let def = AvoidanceDef { neighbors: 1, edges: 1, ..SMALL };
    let me = Agent { preferred: [1.5, 0.0], ..Agent::DEFAULT };
    let beside = Agent { position: [0.0, 1.5], ..Agent::DEFAULT };
    let ahead = Agent { position: [2.0, 0.0], ..Agent::DEFAULT };
    let one = avoid(&def, &[me, beside], &[], 0.1).unwrap()[0];
    assert_eq!(avoid(&def, &[me, ahead, beside], &[], 0.1).unwrap()[0], one);
    assert_ne!(avoid(&SMALL, &[me, ahead, beside], &[], 0.1).unwrap()[0], one);
    let (near, far) = ([[-1.0, 1.0], [1.0, 1.0]], [[2.0, -1.0], [2.0, 1.0]]);
    let near = Obstacle { points: &near, ..Obstacle::NONE };
    let far = Obstacle { points: &far, ..Obstacle::NONE };
    let one = avoid(&def, &[me], &[near], 0.1).unwrap()[0];
    assert_eq!(avoid(&def, &[me], &[far, near], 0.1).unwrap()[0], one);
    assert_ne!(avoid(&SMALL, &[me], &[far, near], 0.1).unwrap()[0], one);
}

#[test]
fn every_refusal_names_what_and_where() {
    use ErrorKind::{Capacity, Invalid, Limit};
    let good = Agent::DEFAULT;
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    let bad = [
        (Agent { position: [0.0, nan], ..good }, Invalid, Subject::Position),
        (Agent { position: [1.1e12, 0.0], ..good }, Limit, Subject::Position),
        (Agent { position: [-infinity, 0.0], ..good }, Limit, Subject::Position),
        (Agent { velocity: [nan, 0.0], ..good }, Invalid, Subject::Velocity),
        (Agent { preferred: [0.0, 1.1e6], ..good }, Limit, Subject::PreferredVelocity),
        (Agent { radius: 0.0, ..good }, Invalid, Subject::AgentRadius),
        (Agent { radius: infinity, ..good }, Limit, Subject::AgentRadius),
        (Agent { max_speed: -1.0, ..good }, Invalid, Subject::Speed),
        (Agent { max_speed: 1.1e6, ..good }, Limit, Subject::Speed),
        (Agent { priority: 0.0, ..good }, Invalid, Subject::Priority),
        (Agent { priority: infinity, ..good }, Invalid, Subject::Priority),
    ];
    let named = |error: Error| (error.kind(), error.subject(), error.index());
    for (agent, kind, subject) in bad {
        assert_eq!(avoid(&SMALL, &[good, agent], &[], 0.1).map_err(named), Err((kind, subject, Some(1))));
        let flier = Flier {
            position: [agent.position[0], agent.position[1], 0.0],
            velocity: [agent.velocity[0], agent.velocity[1], 0.0],
            preferred: [agent.preferred[0], agent.preferred[1], 0.0],
            radius: agent.radius,
            max_speed: agent.max_speed,
            priority: agent.priority,
            ..Flier::DEFAULT
        };
        let got = avoid_in_space(&[Flier::DEFAULT, flier], &[], 0.1).map_err(named);
        assert_eq!(got, Err((kind, subject, Some(1))));
    }
    let clockwise = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
    let doubled = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]];
    let none = Obstacle::NONE;
    let bad = [
        (none, Invalid, Subject::Obstacle),
        (Obstacle { points: &clockwise, ..none }, Invalid, Subject::Obstacle),
        (Obstacle { points: &doubled, ..none }, Invalid, Subject::Obstacle),
        (Obstacle { points: &doubled[1..], ..none }, Invalid, Subject::Obstacle),
        (Obstacle { points: &doubled[..2], radius: 1.0, ..none }, Invalid, Subject::Radius),
        (Obstacle { points: &doubled[..1], ..none }, Invalid, Subject::Radius),
        (Obstacle { points: &doubled[..1], radius: 2e6, ..none }, Limit, Subject::Radius),
        (Obstacle { points: &[[nan, 0.0]], radius: 1.0, ..none }, Invalid, Subject::Obstacle),
        (Obstacle { points: &[[2e12, 0.0]], radius: 1.0, ..none }, Limit, Subject::Obstacle),
        (Obstacle { points: &doubled[..2], velocity: [nan, 0.0], ..none }, Invalid, Subject::Velocity),
    ];
    for (obstacle, kind, subject) in bad {
        assert_eq!(avoid(&SMALL, &[good], &[obstacle], 0.1).map_err(named), Err((kind, subject, Some(0))));
    }
    let sphere = Sphere { radius: 0.0, ..Sphere::DEFAULT };
    assert_eq!(avoid_in_space(&[], &[sphere], 0.1).map_err(named), Err((Invalid, Subject::Radius, Some(0))));
    for (step, kind) in [(nan, Invalid), (infinity, Invalid), (0.0, Limit), (-1.0, Limit), (-infinity, Limit)] {
        assert_eq!(avoid(&SMALL, &[], &[], step).map_err(named), Err((kind, Subject::TimeStep, None)));
    }
    assert_eq!(avoid(&SMALL, &[good; 65], &[], 0.1).map_err(named), Err((Capacity, Subject::Agents, None)));
    let many = vec![[1.0, 1.0]; 65];
    let crowded = Obstacle { points: &many, ..none };
    assert_eq!(avoid(&SMALL, &[good], &[crowded], 0.1).map_err(named), Err((Capacity, Subject::ObstaclePoints, None)));
    let mut memory = region(&SMALL);
    let mut set = Avoidance::new(&SMALL, &mut Arena::new(&mut memory)).unwrap();
    let short = set.avoid(&[good; 2], &[], 0.1, &mut [[9.0; 2]]).map_err(named);
    assert_eq!(short, Err((Capacity, Subject::Velocities, None)));
}

#[test]
fn a_def_out_of_range_is_refused_by_name_and_the_plan_is_what_is_taken() {
    use ErrorKind::{Invalid, Limit};
    let cases = [
        (AvoidanceDef { agents: 0, ..SMALL }, Invalid, Subject::Agents),
        (AvoidanceDef { agents: (1 << 20) + 1, ..SMALL }, Limit, Subject::Agents),
        (AvoidanceDef { neighbors: 257, ..SMALL }, Limit, Subject::Neighbors),
        (AvoidanceDef { neighbor_distance: 0.0, ..SMALL }, Invalid, Subject::NeighborDistance),
        (AvoidanceDef { neighbor_distance: f64::INFINITY, ..SMALL }, Invalid, Subject::NeighborDistance),
        (AvoidanceDef { time_horizon: f64::NAN, ..SMALL }, Invalid, Subject::TimeHorizon),
        (AvoidanceDef { obstacle_horizon: 1e-7, ..SMALL }, Limit, Subject::ObstacleHorizon),
        (AvoidanceDef { edges: 0, ..SMALL }, Invalid, Subject::ObstacleEdges),
    ];
    let mut memory = region(&SMALL);
    for (def, kind, subject) in cases {
        let error = Avoidance::new(&def, &mut Arena::new(&mut memory)).map(drop).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (kind, subject));
    }
    for def in [SMALL, AvoidanceDef::DEFAULT, AvoidanceDef { obstacle_points: 0, workers: 9, ..SMALL }] {
        let mut memory = region(&def);
        let mut arena = Arena::new(&mut memory);
        Avoidance::new(&def, &mut arena).unwrap();
        assert_eq!(arena.remaining(), 0);
        let stated = def.agents * 59 + def.obstacle_points * 94 + def.workers * (def.neighbors + def.edges) * 176;
        assert!(
            def.plan().bytes.abs_diff(stated as usize) < 512 + stated as usize / 100,
            "{} {stated}",
            def.plan().bytes
        );
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-3.0..3.0, -1e6..1e6, any::<f64>(), Just(0.0), Just(1e12), Just(1e-300)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_that_is_let_in_breaks_a_call_or_goes_too_fast(
        raw in prop::collection::vec((prop::array::uniform8(number()), number(), 0u64..3, any::<[u8; 2]>()), 0..14),
        rings in prop::collection::vec((prop::collection::vec([number(), number()], 0..5), number(), [number(), number()]), 0..6),
        times in [number(), number(), number()],
        distance in number(),
    ) {
        let def = AvoidanceDef {
            neighbor_distance: distance, time_horizon: times[0], obstacle_horizon: times[1], neighbors: 4, edges: 3, ..SMALL
        };
        let def = if Avoidance::new(&def, &mut Arena::new(&mut region(&def))).is_ok() { def } else { SMALL };
        let make = |&([a, b, c, d, e, f, g, h], priority, id, bits): &([f64; 8], f64, u64, [u8; 2])| Agent {
            position: [a, b], velocity: [c, d], preferred: [e, f], radius: g.abs(), max_speed: h.abs(),
            priority: priority.abs(), id, layers: u32::from(bits[0]), ignores: u32::from(bits[1] & 1),
        };
        let alone = |agent: &Agent| avoid(&SMALL, core::slice::from_ref(agent), &[], 0.1).is_ok();
        let agents: Vec<Agent> = raw.iter().map(make).filter(alone).collect();
        let made: Vec<Obstacle<'_>> = rings
            .iter()
            .map(|(points, radius, velocity)| Obstacle {
                points,
                radius: if points.len() == 1 { radius.abs() } else { 0.0 },
                velocity: *velocity,
                ..Obstacle::NONE
            })
            .filter(|obstacle| avoid(&SMALL, &[], core::slice::from_ref(obstacle), 0.1).is_ok())
            .collect();
        let step = if times[2] >= 1e-6 && times[2].is_finite() { times[2] } else { 0.1 };
        let velocities = avoid(&def, &agents, &made, step).unwrap();
        for (agent, v) in agents.iter().zip(velocities) {
            prop_assert!(length(v) <= agent.max_speed, "{agent:?} {v:?}");
        }
        let fliers: Vec<Flier> = agents.iter().map(|agent| Flier {
            position: [agent.position[0], agent.velocity[0], agent.position[1]],
            velocity: [agent.velocity[0], agent.preferred[1], agent.velocity[1]],
            preferred: [agent.preferred[0], agent.velocity[1], agent.preferred[1]],
            radius: agent.radius, max_speed: agent.max_speed, priority: agent.priority, id: agent.id,
            layers: agent.layers, ignores: agent.ignores,
        }).collect();
        let spheres: Vec<Sphere> = made.iter().filter(|made| made.points.len() == 1).map(|made| Sphere {
            center: [made.points[0][0], 0.0, made.points[0][1]], radius: made.radius,
            velocity: [made.velocity[0], 0.0, made.velocity[1]], ..Sphere::DEFAULT
        }).collect();
        for (flier, v) in fliers.iter().zip(avoid_in_space(&fliers, &spheres, step).unwrap()) {
            prop_assert!(length(v) <= flier.max_speed, "{flier:?} {v:?}");
        }
    }
}
