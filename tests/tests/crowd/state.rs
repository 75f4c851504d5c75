//! The same bits come of the same steps, and of saved states.

use crate::field::Field;
use crate::stage::{DEF, DT, QUERY, Stage, busy, busy_of, on_fields, spread};
use navarena::crowd::{AgentId, AgentOptions, AvoidanceQuality, CrowdDef};
use navarena::error::{ErrorKind, Subject};
use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::{LibraryTile, NavMesh, PolyRef, SnapshotMode, TileLibrary};
use navarena::query::{Filter, Query};
use navarena_tests::ours::{region, written};

/// Three hundred on the scattered field, whatever the number of workers.
#[test]
fn any_number_of_workers_gives_the_same_bytes() {
    let mut random = SplitMix64::new(3);
    let field = Field::scattered(&mut random);
    let part = field.largest_part();
    let cells = spread(&mut random, &part, 300.min(part.len()));
    let play = |workers: usize, backwards: bool| {
        on_fields(std::slice::from_ref(&field), |stage| {
            for (i, &cell) in cells.iter().enumerate() {
                let options = [AgentOptions::SMALL, AgentOptions::HUMANOID][i % 2];
                let quality = [AvoidanceQuality::Low, AvoidanceQuality::Medium, AvoidanceQuality::High][i % 3];
                let separation_distance = if i % 5 == 0 { 1.5 } else { 0.0 };
                let options = AgentOptions { quality, separation_distance, priority: 1.0 + (i % 4) as f64, ..options };
                let to = field.center(cells[(i * 7 + 3) % cells.len()]);
                stage.send(field.center(cell), to, &options);
            }
            let mut memories: Vec<_> = (0..workers).map(|_| region(QUERY.plan())).collect();
            let mut queries: Vec<_> =
                memories.iter_mut().map(|memory| Query::new(&QUERY, &mut Arena::new(memory)).unwrap()).collect();
            for _ in 0..150 {
                let mut step = stage.crowd.begin_step(DT).unwrap();
                let mut plans: Vec<_> = step.plan(workers).unwrap().zip(&mut queries).collect();
                if backwards {
                    plans.reverse();
                }
                for (share, query) in plans {
                    share.run(stage.mesh, query, &Filter::ALL).unwrap();
                }
                let mut shares: Vec<_> = step.avoid(workers).unwrap().collect();
                if backwards {
                    shares.reverse();
                }
                shares.into_iter().for_each(|share| share.run());
                for (share, query) in step.walk(workers).unwrap().zip(&mut queries) {
                    share.run(stage.mesh, query, &Filter::ALL).unwrap();
                }
                step.finish().unwrap();
            }
            stage.saved()
        })
    };
    let one = play(1, false);
    for (workers, backwards) in [(2, false), (5, true), (16, true)] {
        assert!(play(workers, backwards) == one, "{workers} workers");
    }
}

/// Corners are kept to save work alone: through new destinations, edits of the mesh and rollbacks every step is the same.
#[test]
fn kept_corners_change_no_bit() {
    let play = |keeps_corners: bool| {
        busy_of(&CrowdDef { keeps_corners, ..DEF }, |stage| {
            let mut random = SplitMix64::new(21);
            let (mut hashes, mut saved) = (vec![], stage.saved());
            let all: Vec<AgentId> = stage.crowd.agents().map(|agent| agent.id()).collect();
            let parts = [0, 1].map(|floor: usize| stage.fields[floor].largest_part());
            for step in 0..400 {
                if step % 5 == 0 {
                    let (id, floor) = (all[random.below(all.len() as u64) as usize], random.below(2) as usize);
                    let to = parts[floor][random.below(parts[floor].len() as u64) as usize];
                    let to = stage.fields[floor].center(to);
                    stage.crowd.set_destination(stage.mesh, &mut stage.query, id, to, &Filter::ALL).unwrap();
                }
                if step % 40 == 20 {
                    let agent = stage.crowd.agents().nth(random.below(40) as usize).unwrap();
                    let polygon = *agent.path().get(3).unwrap_or(&agent.path()[0]);
                    let flags = if step % 80 == 20 { 0 } else { 1 };
                    stage.mesh.set_flags(polygon, flags).unwrap();
                }
                match step {
                    150 => saved = stage.saved(),
                    230 => stage.crowd.restore_state(stage.mesh, &saved).unwrap(),
                    _ => {}
                }
                stage.step();
                hashes.push(stage.crowd.state_hash(stage.mesh));
            }
            hashes
        })
    };
    let (kept, found) = (play(true), play(false));
    assert_eq!(kept.iter().zip(&found).position(|(kept, found)| kept != found), None, "the first step that differs");
}

/// A later change of any bit of it is seen here. There is no such answer in the reference.
const BUSY_HASH: u64 = 0x270C_D81D_A219_1C7C;

/// What a run met.
#[derive(Default)]
struct Met {
    /// Agents that left a link.
    crossed: usize,
    /// How often a wall kept an agent from the velocity that it wanted.
    walled: usize,
    /// Corners turned at.
    turned: usize,
}

impl Met {
    /// Makes a step and counts. A corner of the way as it was at the beginning is turned at when the agent comes within half
    /// a unit of it, after those before it.
    fn step(&mut self, stage: &mut Stage<'_, '_>, corners: &mut [Vec<[f64; 3]>]) {
        let on_links = |stage: &Stage<'_, '_>| -> Vec<bool> {
            stage.crowd.agents().map(|agent| agent.crossing().is_some()).collect()
        };
        let before = on_links(stage);
        stage.step();
        self.crossed += before.iter().zip(on_links(stage)).filter(|&(&before, after)| before && !after).count();
        for (agent, corners) in stage.crowd.agents().zip(corners) {
            // A wall's half-plane has the wall's own normal, to its left.
            let is_wall = |normal: [f64; 2]| {
                agent.walls().iter().any(|wall| {
                    let (ex, ez) = (wall.end[0] - wall.start[0], wall.end[2] - wall.start[2]);
                    let long = navarena::math::sqrt(ex * ex + ez * ez);
                    (normal[0] + ez / long).abs() + (normal[1] - ex / long).abs() < 1e-9
                })
            };
            let [x, z] = agent.preferred_velocity();
            let is_walled = agent.constraints().iter().any(|plane| {
                let [px, pz] = plane.point;
                let beyond = (x - px) * plane.normal[0] + (z - pz) * plane.normal[1];
                beyond < -1e-6 && is_wall(plane.normal)
            });
            self.walled += usize::from(is_walled);
            let [x, _, z] = agent.position();
            let is_at = |corner: &[f64; 3]| {
                let (dx, dz) = (corner[0] - x, corner[2] - z);
                dx * dx + dz * dz < 0.25
            };
            let (known, is_passed) = (corners.len(), corners.first().is_some_and(is_at));
            corners.drain(..usize::from(is_passed));
            self.turned += known - corners.len();
        }
    }
}

#[test]
fn a_run_with_walls_corners_links_and_rollback_has_the_hash_it_always_had() {
    busy_of(&CrowdDef { records_constraints: true, ..DEF }, |stage| {
        // The corners of each agent's way as it begins, without its ends.
        let ends: Vec<_> = stage.crowd.agents().map(|agent| (agent.position(), agent.destination())).collect();
        let inner = |points: Vec<[f64; 3]>| points.get(1..points.len().max(2) - 1).unwrap_or(&[]).to_vec();
        let corners: Vec<Vec<[f64; 3]>> = ends.iter().map(|&(from, to)| inner(stage.corners(from, to))).collect();
        let mut met = Met::default();
        let mut advance = |stage: &mut Stage<'_, '_>, steps: usize, corners: &mut [Vec<[f64; 3]>]| {
            (0..steps).for_each(|_| met.step(stage, corners));
        };
        let mut ahead_of_all = corners;
        advance(stage, 120, &mut ahead_of_all);
        let kept_walls = stage.crowd.agents().filter(|agent| !agent.walls().is_empty()).count();
        assert!(kept_walls > 20, "{kept_walls} agents keep walls");
        let saved = stage.saved();
        advance(stage, 200, &mut ahead_of_all.clone());
        let ahead = stage.saved();
        assert!(ahead != saved);
        stage.crowd.restore_state(stage.mesh, &saved).unwrap();
        assert_eq!(stage.saved(), saved);
        advance(stage, 200, &mut ahead_of_all);
        assert!(stage.saved() == ahead, "the same steps came to other bytes");
        let Met { crossed, walled, turned } = met;
        println!("{crossed} links crossed, {walled} times kept off a wall, {turned} corners turned");
        assert!(crossed > 5 && walled > 300 && turned > 40, "{crossed} links, {walled} walls, {turned} corners");
        let hash = stage.crowd.state_hash(stage.mesh);
        assert_eq!(hash, BUSY_HASH, "the hash is {hash:016X}");
    });
}

#[test]
fn an_excursion_of_crowd_and_mesh_leaves_no_trace() {
    busy(|stage| {
        (0..60).for_each(|_| stage.step());
        let mut bytes = vec![];
        let mut saved = vec![0; stage.crowd.state_size_with_mesh(stage.mesh, SnapshotMode::Full)];
        stage.crowd.save_state_with_mesh(stage.mesh, SnapshotMode::Full, &mut saved).unwrap();
        let straight = {
            (0..40).for_each(|_| stage.step());
            stage.saved()
        };
        for round in 0..3 {
            stage.crowd.restore_state_with_mesh(stage.mesh, &saved, &TileLibrary::NONE).unwrap();
            let mut again = vec![0; saved.len()];
            stage.crowd.save_state_with_mesh(stage.mesh, SnapshotMode::Full, &mut again).unwrap();
            assert!(again == saved, "round {round}");
            (0..40).for_each(|_| stage.step());
            assert!(stage.saved() == straight, "round {round}");
            // The excursion: doors close, agents come and go and are changed, a floor is gone.
            let polygon = stage.crowd.agents().nth(5).map(|agent| agent.path()[0]).unwrap();
            stage.mesh.set_area(polygon, 9).unwrap();
            stage.mesh.set_flags(PolyRef(polygon.0 ^ 1), 0).unwrap();
            let link = stage.mesh.tile(0).unwrap().reference;
            stage.mesh.set_link_enabled((link, 1), false).unwrap();
            let ids: Vec<AgentId> = stage.crowd.agents().map(|agent| agent.id()).collect();
            ids.iter().step_by(5).for_each(|&id| stage.crowd.remove(id).unwrap());
            stage
                .crowd
                .set_options(ids[1], &AgentOptions { priority: 9.0, ..stage.crowd.agent(ids[1]).unwrap().options() })
                .unwrap();
            let cell = stage.fields[0].largest_part()[3];
            let to = stage.fields[0].center(stage.fields[0].largest_part()[9]);
            stage.send(stage.fields[0].center(cell), to, &AgentOptions::HUMANOID);
            (0..5 + round).for_each(|_| stage.step());
            if round == 1 {
                stage.mesh.remove_tile(0, 0, 1).unwrap();
                stage.step();
            }
        }
        // By name: the library's tiles are those of the mesh, as they are bytes in its full snapshot.
        stage.crowd.restore_state_with_mesh(stage.mesh, &saved, &TileLibrary::NONE).unwrap();
        stage.mesh.remember_content_ids();
        bytes.resize(stage.crowd.state_size_with_mesh(stage.mesh, SnapshotMode::Referenced), 0);
        stage.crowd.save_state_with_mesh(stage.mesh, SnapshotMode::Referenced, &mut bytes).unwrap();
        assert!(bytes.len() < saved.len());
        let before = stage.saved();
        let error = stage.crowd.restore_state_with_mesh(stage.mesh, &bytes, &TileLibrary::NONE).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Format, Subject::TileContent));
        assert!(stage.saved() == before);
        let tiles = saved_tiles(stage.mesh);
        let mut entries: Vec<_> = tiles.iter().map(|tile| LibraryTile::new(tile)).collect();
        (0..10).for_each(|_| stage.step());
        stage.crowd.restore_state_with_mesh(stage.mesh, &bytes, &TileLibrary::new(&mut entries)).unwrap();
        assert!(stage.saved() == before);
    });
}

/// The bytes of a mesh's tiles, as they were built.
fn saved_tiles(mesh: &NavMesh<'_>) -> Vec<Vec<u8>> {
    let tile = |slot| written(mesh.tile_size(slot)?, |out| mesh.save_tile(slot, out)).ok();
    (0..mesh.slot_count()).filter_map(tile).collect()
}

/// How many mutations: a million when `NAVARENA_LONG` is set.
fn mutations() -> usize {
    if std::env::var_os("NAVARENA_LONG").is_some() { 1_000_000 } else { 10_000 }
}

fn mutate(random: &mut SplitMix64, bytes: &mut Vec<u8>) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(7) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 1, 2, 3, 7, 64, 127, 128, 240, 255][random.below(10) as usize],
            2 => bytes[at] = bytes[at].wrapping_add(1),
            3 if at + 8 <= bytes.len() => {
                let specials = [0.0, -0.0, 1e300, f64::NAN, f64::INFINITY, -1.0, 2097152.0, 5e-324];
                bytes[at..at + 8].copy_from_slice(&specials[random.below(8) as usize].to_le_bytes());
            }
            4 if at + 4 <= bytes.len() => {
                let other = random.below(bytes.len() as u64 - 3) as usize;
                bytes.copy_within(other..other + 4, at);
            }
            5 if random.below(20) == 0 => bytes.truncate(at.max(1)),
            _ => bytes[at] = random.next_u64() as u8,
        }
    }
}

#[test]
fn mutated_states_are_refused_or_restored_whole() {
    busy(|stage| {
        let ids: Vec<AgentId> = stage.crowd.agents().map(|agent| agent.id()).collect();
        ids[14..].iter().for_each(|&id| stage.crowd.remove(id).unwrap());
        let mut bases = vec![];
        for steps in [0, 1, 40, 90] {
            (0..steps).for_each(|_| stage.step());
            bases.push(stage.saved());
        }
        stage.crowd.remove(ids[3]).unwrap();
        bases.push(stage.saved());
        let mut random = SplitMix64::new(0xDEC0DE);
        let (mut restored, mut hash) = (0, stage.crowd.state_hash(stage.mesh));
        for round in 0..mutations() {
            let mut bytes = bases[random.below(bases.len() as u64) as usize].clone();
            mutate(&mut random, &mut bytes);
            match stage.crowd.restore_state(stage.mesh, &bytes) {
                Ok(()) => {
                    restored += 1;
                    assert!(stage.saved() == bytes, "saved again is the same bytes");
                    if round % 32 == 0 {
                        // Whatever was restored walks on, or is refused.
                        for _ in 0..3 {
                            let _ = stage.crowd.step(stage.mesh, &mut stage.query, &Filter::ALL, DT);
                        }
                        assert!(stage.crowd.agents().all(|agent| agent.position().iter().all(|part| part.is_finite())));
                        let size = stage.crowd.state_size(stage.mesh);
                        assert!(size > 40);
                    }
                    hash = stage.crowd.state_hash(stage.mesh);
                }
                Err(error) => {
                    let kinds = [ErrorKind::Format, ErrorKind::Version, ErrorKind::Capacity];
                    assert!(kinds.contains(&error.kind()), "{error}");
                    assert_eq!(stage.crowd.state_hash(stage.mesh), hash, "{error}");
                }
            }
        }
        assert!(restored > mutations() / 20, "{restored} mutations were valid");
    });
}
