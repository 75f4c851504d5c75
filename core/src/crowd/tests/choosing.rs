//! Neighbours, walls and sides against what the page says, looked at one by one.

use super::*;
use crate::avoidance::{HalfPlane, Near, NeighborIndex};
use crate::crowd::agent::{ACTIVE, Agent, Body, CROSSING, Motion, WALKING};
use crate::crowd::avoid::Avoiding;
use crate::crowd::step::Results;
use crate::crowd::walls::Facing;
use crate::math::{SplitMix64, round_half_even, sqrt};
use crate::memory::Zeroable;
use crate::mesh::PolyRef;
use std::cmp::Ordering;

fn between(random: &mut SplitMix64, low: f64, high: f64) -> f64 {
    low + (high - low) * random.next_f64()
}

/// The chosen walls by the definition: every wall judged by itself, all sorted, the first taken.
fn choose_plainly(walls: &[Wall], options: &AgentOptions, at: [f64; 3], most: usize) -> Vec<HalfPlane> {
    let horizon = options.quality.time_horizon() / 2.0;
    let reach = horizon * options.max_speed + options.wall_clearance;
    let mut found = vec![];
    for wall in walls {
        let (ax, az) = (wall.start[0] - at[0], wall.start[2] - at[2]);
        let (bx, bz) = (wall.end[0] - at[0], wall.end[2] - at[2]);
        let (ex, ez) = (bx - ax, bz - az);
        let (square, long) = (ex * ex + ez * ez, sqrt(ex * ex + ez * ez));
        if long == 0.0 {
            continue;
        }
        let along = -(ax * ex + az * ez) / square;
        let normal = [-ez / long, ex / long];
        let apart = -(ax * normal[0] + az * normal[1]);
        let margin = (options.wall_clearance + 1e-6) / long;
        if apart < -1e-6 || along <= margin || along >= 1.0 - margin {
            continue;
        }
        // Between the margins the nearest point is the projection.
        let (nx, nz) = (ax + ex * along, az + ez * along);
        let squared = nx * nx + nz * nz;
        let height = wall.start[1] + (wall.end[1] - wall.start[1]) * along;
        if squared <= reach * reach && (height - at[1]).abs() <= 1.0 + 1.5 * sqrt(squared) {
            let room = apart - options.wall_clearance;
            let point = [-normal[0] * room / horizon, -normal[1] * room / horizon];
            found.push((squared, wall.polygon.0, wall.edge, wall.start, HalfPlane { point, normal }));
        }
    }
    found.sort_by(|a, b| {
        let by_name = a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)));
        by_name.then(a.3[0].total_cmp(&b.3[0])).then(a.3[2].total_cmp(&b.3[2]))
    });
    found.into_iter().take(most).map(|wall| wall.4).collect()
}

#[test]
fn the_nearest_walls_that_face_an_agent_on_its_floor_are_taken() {
    let mut random = SplitMix64::new(5);
    let (mut chosen, mut ties) = (0, 0);
    for round in 0..2000 {
        // On a coarse raster, so that walls are as far from the agent as others.
        let raster = |random: &mut SplitMix64| round_half_even(between(random, -6.0, 6.0)) / 2.0;
        let mut walls: Vec<Wall> = (0..8)
            .map(|_| Wall {
                start: [raster(&mut random), raster(&mut random), raster(&mut random)],
                end: [raster(&mut random), raster(&mut random), raster(&mut random)],
                polygon: PolyRef(random.below(3)),
                edge: random.below(2) as i32,
                reserved: 0,
            })
            .collect();
        // The same stretch as another polygon's edge is as near.
        walls.extend_from_within(..4);
        walls[8..].iter_mut().for_each(|wall| wall.polygon.0 ^= 1);
        let quality = [AvoidanceQuality::Low, AvoidanceQuality::Medium, AvoidanceQuality::High][round % 3];
        let options = AgentOptions { quality, max_speed: 2.0, ..AgentOptions::HUMANOID };
        let position = [raster(&mut random), 0.0, raster(&mut random)];
        let most = 1 + round % 5;
        let (mut list, mut planes) = ([Near::default(); 5], [HalfPlane::default(); 5]);
        let facing = Facing { walls: &walls, options: &options, position };
        let count = facing.choose(&mut list[..most], &mut planes);
        let plain = choose_plainly(&walls, &options, position, most);
        assert_eq!(planes[..count], plain, "round {round}");
        chosen += count;
        ties += usize::from(list[..count].windows(2).any(|pair| pair[0].distance == pair[1].distance));
    }
    assert!(chosen > 1000 && ties > 50, "{chosen} walls, {ties} rounds with ties");
}

/// Agents that stand and walk where they are put, without a mesh.
struct Bodies {
    def: CrowdDef,
    agents: Vec<Agent>,
    bodies: Vec<Body>,
    motions: Vec<Motion>,
}

impl Bodies {
    fn new() -> Bodies {
        let def = CrowdDef { agents: 64, records_constraints: true, ..CrowdDef::DEFAULT };
        Bodies { def, agents: vec![], bodies: vec![], motions: vec![] }
    }

    fn put(&mut self, position: [f64; 2], velocity: [f64; 2], options: &AgentOptions, wanted: [f64; 2]) {
        let flags = ACTIVE | if wanted == [0.0; 2] { 0 } else { WALKING };
        let priority = options.priority;
        self.agents.push(Agent { settings: options.into(), priority, flags, ..Agent::zeroed() });
        self.bodies.push(Body { position, velocity });
        self.motions.push(Motion { preferred: wanted, solved: wanted });
    }

    /// Everybody avoids; returns each one's constraints.
    fn solve(&mut self) -> Vec<Vec<HalfPlane>> {
        let mut memory = region(NeighborIndex::plan(64));
        let mut index = NeighborIndex::new(64, &mut Arena::new(&mut memory)).unwrap();
        let points = self.bodies.iter().enumerate().map(|(slot, body)| (slot as u32, body.position));
        index.sort(points).unwrap();
        let walls = vec![Wall::default(); 64 * self.def.walls as usize];
        let scene = Avoiding {
            def: self.def,
            dt: 0.1,
            agents: &self.agents,
            bodies: &self.bodies,
            walls: &walls,
            index: &index,
        };
        let count = self.agents.len();
        let recorded = self.def.recorded(1);
        let mut lines = vec![HalfPlane::default(); count * recorded];
        let mut line_counts = vec![0; count];
        let mut desk = vec![Grain::ZERO; self.def.desk_grains()];
        scene.solve_all(
            0,
            &mut Results {
                motions: &mut self.motions,
                lines: &mut lines,
                line_counts: &mut line_counts,
                desk: &mut desk,
            },
        );
        (0..count).map(|slot| lines[slot * recorded..][..line_counts[slot] as usize].to_vec()).collect()
    }
}

#[test]
fn every_neighbour_within_reach_is_avoided_nearest_first_up_to_the_qualitys_number() {
    let mut random = SplitMix64::new(9);
    for round in 0..60 {
        let mut crowd = Bodies::new();
        for slot in 0..40 {
            let quality = AvoidanceQuality::ALL[(slot + round) % 4];
            let priority = 1.0 + (slot % 3) as f64;
            let options = AgentOptions { quality, priority, ..AgentOptions::SMALL };
            // Some at the same place, many as near as others.
            let position = [0, 1].map(|_| round_half_even(between(&mut random, 0.0, 16.0)));
            let velocity = [between(&mut random, -2.0, 2.0), between(&mut random, -2.0, 2.0)];
            crowd.put(position, velocity, &options, velocity);
            if slot % 9 == 4 {
                crowd.agents[slot].flags |= CROSSING;
            }
        }
        let constraints = crowd.solve();
        for (slot, found) in constraints.iter().enumerate() {
            let options = crowd.agents[slot].options();
            let me = crowd.bodies[slot];
            let reach = 2.0 * options.radius + options.max_speed * options.quality.time_horizon();
            let mut near: Vec<(f64, usize)> = (0..40)
                .filter(|&other| other != slot)
                .map(|other| {
                    let [x, z] = crate::math::sub(crowd.bodies[other].position, me.position);
                    (x * x + z * z, other)
                })
                .filter(|&(squared, _)| squared < reach * reach)
                .collect();
            near.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal).then(a.1.cmp(&b.1)));
            near.truncate(options.quality.neighbors());
            if crowd.agents[slot].is_crossing() {
                near.clear();
            }
            let want: Vec<HalfPlane> = near
                .into_iter()
                .map(|(_, other)| {
                    let them = crowd.bodies[other];
                    let mut offset = crate::math::sub(them.position, me.position);
                    if offset == [0.0; 2] {
                        offset = [if other > slot { 1e-3 } else { -1e-3 }, 0.0];
                    }
                    let (mine, theirs) = (crowd.agents[slot].priority, crowd.agents[other].priority);
                    let crosses = crowd.agents[other].is_crossing();
                    crate::avoidance::for_agent(&crate::avoidance::Encounter {
                        offset,
                        velocity: me.velocity,
                        other_velocity: them.velocity,
                        radius: 0.6,
                        horizon: options.quality.time_horizon(),
                        step: 0.1,
                        share: if crosses { 1.0 } else { theirs / (mine + theirs) },
                    })
                })
                .collect();
            assert_eq!(*found, want, "slot {slot}");
        }
    }
}

#[test]
fn separation_pushes_those_at_the_same_place_apart_and_is_no_faster_than_they_are() {
    let options =
        AgentOptions { separation_distance: 2.0, separation_weight: 5.0, side_preference: 0.0, ..AgentOptions::SMALL };
    let mut crowd = Bodies::new();
    (0..2).for_each(|_| crowd.put([3.0, 4.0], [0.0; 2], &options, [0.0; 2]));
    crowd.solve();
    // The lower slot to -X, the higher to +X: away from a lower one is +X.
    assert_eq!([crowd.motions[0].preferred, crowd.motions[1].preferred], [[-2.5, 0.0], [2.5, 0.0]]);
    let mut crowd = Bodies::new();
    crowd.put([0.0, 0.0], [0.0; 2], &AgentOptions { separation_weight: 0.5, ..options }, [0.0; 2]);
    crowd.put([1.0, 0.0], [0.0; 2], &options, [0.0; 2]);
    crowd.solve();
    assert_eq!(crowd.motions[0].preferred, [-0.5 * 2.5 * 0.25, 0.0]);
}

#[test]
fn the_wanted_velocity_leans_to_one_side() {
    let mut crowd = Bodies::new();
    crowd.put([0.0, 0.0], [2.0, 0.0], &AgentOptions { side_preference: 0.25, ..AgentOptions::SMALL }, [2.0, 0.0]);
    crowd.put([50.0, 0.0], [0.0, 1.0], &AgentOptions { side_preference: 0.25, ..AgentOptions::SMALL }, [0.0, 1.0]);
    crowd.solve();
    assert_eq!([crowd.motions[0].preferred, crowd.motions[1].preferred], [[2.0, -0.5], [0.25, 1.0]]);
}

#[test]
fn who_is_blocked_by_one_that_stands_goes_round() {
    let options = AgentOptions { side_preference: 0.0, ..AgentOptions::SMALL };
    let faces = |stands: bool| {
        let mut crowd = Bodies::new();
        // Its goal, at the origin, is farther than eight radii.
        crowd.put([10.0, 0.0], [0.0, 0.0], &options, [-2.5, 0.0]);
        for z in [-0.61, 0.0, 0.61] {
            let wanted = if stands { [0.0; 2] } else { [0.1, 0.0] };
            crowd.put([9.35, z], [0.0; 2], &AgentOptions { priority: 1e9, ..options }, wanted);
        }
        crowd.solve();
        crowd.motions[0].solved
    };
    let (walking, standing) = (faces(false), faces(true));
    assert!(crate::math::length(walking) < 0.3 * 2.5, "{walking:?}");
    assert!(crate::math::length(standing) > crate::math::length(walking), "{standing:?}");
    assert!(standing[1].abs() > 1.0, "{standing:?}");
}
