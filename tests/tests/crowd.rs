//! What a crowd does on whole levels: everybody arrives, nobody leaves the mesh, and the same bits come of the same steps.

use navarena::crowd::{AgentId, AgentOptions, AvoidanceQuality, Crowd, CrowdDef};
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::follower::{FollowerOptions, FollowerState};
use navarena::math::{SplitMix64, max, sqrt};
use navarena::memory::{Arena, Grain, Plan};
use navarena::mesh::view::OffMeshSlot;
use navarena::mesh::{
    LibraryTile, MeshDef, MeshLimits, NavMesh, PolyRef, SnapshotMode, TileData, TileLibrary, TilePolygon,
    from_local_polygons,
};
use navarena::query::{Filter, Query, QueryDef};

/// A cell's side.
const CELL: f64 = 2.0;
/// Cells along a field's side.
const SIDE: usize = 20;
const DT: f64 = 1.0 / 30.0;
const DEF: CrowdDef = CrowdDef { agents: 400, workers: 16, ..CrowdDef::DEFAULT };
const QUERY: QueryDef = QueryDef { nodes: 4096, ..DEF.query() };

fn region(plan: Plan) -> Vec<Grain> {
    vec![Grain::ZERO; plan.grains()]
}

/// How many seeded runs: a thousand when `NAVARENA_LONG` is set.
fn runs() -> u64 {
    if std::env::var_os("NAVARENA_LONG").is_some() { 1000 } else { 12 }
}

/// A floor of square cells, some of which are missing, at a height.
#[derive(Clone)]
struct Field {
    free: Vec<bool>,
    height: f32,
    layer: i32,
    links: Vec<OffMeshSlot>,
}

impl Field {
    fn open() -> Field {
        Field { free: vec![true; SIDE * SIDE], height: 0.0, layer: 0, links: vec![] }
    }

    fn scattered(random: &mut SplitMix64) -> Field {
        let free = (0..SIDE * SIDE).map(|_| random.below(100) >= 18).collect();
        Field { free, ..Field::open() }
    }

    /// A wall across the middle with a door of two cells.
    fn with_door() -> Field {
        let mut field = Field::open();
        for x in (0..SIDE).filter(|&x| x != SIDE / 2 && x != SIDE / 2 - 1) {
            field.free[SIDE / 2 * SIDE + x] = false;
        }
        field
    }

    fn center(&self, cell: usize) -> [f64; 3] {
        let [x, z] = [cell % SIDE, cell / SIDE].map(|at| at as f64 * CELL + CELL / 2.0);
        [x, self.height.into(), z]
    }

    /// Whether a position stands on a free cell, or on the edge of one.
    fn holds(&self, [x, y, z]: [f64; 3]) -> bool {
        let reach = |at: f64| {
            let low = ((at - 1e-6) / CELL) as i64;
            low..=((at + 1e-6) / CELL) as i64
        };
        let is_free = |x: i64, z: i64| {
            let inside = (0..SIDE as i64).contains(&x) && (0..SIDE as i64).contains(&z);
            inside && self.free[z as usize * SIDE + x as usize]
        };
        (y - f64::from(self.height)).abs() < 1e-6 && reach(z).any(|z| reach(x).any(|x| is_free(x, z)))
    }

    /// The cells that can be reached from the largest connected part's first.
    fn largest_part(&self) -> Vec<usize> {
        let mut best = vec![];
        let mut seen = vec![false; SIDE * SIDE];
        for first in 0..SIDE * SIDE {
            let mut part = vec![];
            let mut open = vec![first];
            while let Some(cell) = open.pop() {
                if seen[cell] || !self.free[cell] {
                    continue;
                }
                seen[cell] = true;
                part.push(cell);
                let (x, z) = (cell % SIDE, cell / SIDE);
                open.extend((x > 0).then(|| cell - 1));
                open.extend((x + 1 < SIDE).then_some(cell + 1));
                open.extend((z > 0).then(|| cell - SIDE));
                open.extend((z + 1 < SIDE).then_some(cell + SIDE));
            }
            if part.len() > best.len() {
                best = part;
            }
        }
        best
    }

    /// Adds the field to a mesh, a quad a cell.
    fn add_to(&self, mesh: &mut NavMesh<'_>) -> Result<()> {
        let row = SIDE + 1;
        let vertices: Vec<[f32; 3]> = (0..row * row)
            .map(|at| [(at % row) as f32 * CELL as f32, self.height, (at / row) as f32 * CELL as f32])
            .collect();
        let cells: Vec<usize> = (0..SIDE * SIDE).filter(|&cell| self.free[cell]).collect();
        let indices: Vec<u16> = cells
            .iter()
            .flat_map(|cell| {
                let corner = cell / SIDE * row + cell % SIDE;
                [corner, corner + 1, corner + row + 1, corner + row].map(|at| at as u16)
            })
            .collect();
        let quad = TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() };
        let data = TileData {
            x: 0,
            z: 0,
            layer: self.layer,
            origin: [0.0; 3],
            vertices: &vertices,
            polygons: &vec![quad; cells.len()],
            indices: &indices,
            neighbors: &[],
            portal_sides: &[],
            detail_vertices: &[],
            detail_triangles: &[],
            off_mesh: &self.links,
        };
        let params = *mesh.params();
        let mut memory = vec![Grain::ZERO; 4096];
        let data = from_local_polygons(&params, data, &mut Arena::new(&mut memory))?;
        mesh.stage_tile_data(&data)?;
        mesh.commit()
    }
}

/// Two fields, one over the other, with links up and down.
fn two_floors() -> [Field; 2] {
    let link = |cell: usize, to: usize, up: bool| {
        let [x, _, z] = Field::open().center(cell);
        let [to_x, _, to_z] = Field::open().center(to);
        let (from, far) = if up { (0.0, 4.0) } else { (4.0, 0.0) };
        OffMeshSlot {
            start: [x as f32, from, z as f32],
            end: [to_x as f32, far, to_z as f32],
            radius: 0.5,
            flags: 1,
            bidirectional: 0,
            ..OffMeshSlot::default()
        }
    };
    let mut lower = Field::open();
    let mut upper = Field { height: 4.0, layer: 1, ..Field::open() };
    for at in [3, 8, 13, 17] {
        lower.links.push(link(at + 2 * SIDE, at + 4 * SIDE, true));
        upper.links.push(link(at + 15 * SIDE, at + 17 * SIDE, false));
    }
    [lower, upper]
}

const MESH: MeshDef = MeshDef {
    limits: MeshLimits { tiles: 4, staged: 2, detail_vertices: 0, detail_triangles: 0, ..MeshLimits::DEFAULT },
    ..MeshDef::HUMANOID
};

/// A crowd on some fields, and what a test watches.
struct Stage<'a, 'm> {
    mesh: &'a mut NavMesh<'m>,
    crowd: Crowd<'a>,
    query: Query<'a>,
    fields: Vec<Field>,
    deepest: f64,
}

fn on_fields<R>(fields: &[Field], play: impl FnOnce(&mut Stage<'_, '_>) -> R) -> R {
    let (mut mesh_memory, mut crowd_memory, mut query_memory) =
        (region(MESH.plan()), region(DEF.plan()), region(QUERY.plan()));
    let mut mesh = NavMesh::new(&MESH, &mut Arena::new(&mut mesh_memory)).unwrap();
    fields.iter().for_each(|field| field.add_to(&mut mesh).unwrap());
    let crowd = Crowd::new(&DEF, &mut Arena::new(&mut crowd_memory)).unwrap();
    let query = Query::new(&QUERY, &mut Arena::new(&mut query_memory)).unwrap();
    play(&mut Stage { mesh: &mut mesh, crowd, query, fields: fields.to_vec(), deepest: 0.0 })
}

impl Stage<'_, '_> {
    fn send(&mut self, from: [f64; 3], to: [f64; 3], options: &AgentOptions) -> AgentId {
        let id = self.crowd.add(self.mesh, from, options, &Filter::ALL).unwrap();
        self.crowd.set_destination(self.mesh, &mut self.query, id, to, &Filter::ALL).unwrap();
        id
    }

    fn step(&mut self) {
        self.crowd.step(self.mesh, &mut self.query, &Filter::ALL, DT).unwrap();
    }

    fn saved(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.crowd.state_size(self.mesh)];
        assert_eq!(self.crowd.save_state(self.mesh, &mut bytes), Ok(bytes.len()));
        assert_eq!(navarena::hash::fnv1a(&bytes), self.crowd.state_hash(self.mesh));
        bytes
    }

    /// Everybody stands on a field or crosses a link; notes how deep any two overlap that do not cross.
    fn check(&mut self) {
        let agents: Vec<_> =
            self.crowd.agents().map(|agent| (agent.position(), agent.radius(), agent.crossing().is_some())).collect();
        for &(position, ..) in agents.iter().filter(|agent| !agent.2) {
            assert!(self.fields.iter().any(|field| field.holds(position)), "{position:?} is off the mesh");
        }
        for (at, a) in agents.iter().enumerate().filter(|(_, a)| !a.2) {
            for b in agents[..at].iter().filter(|b| !b.2 && (b.0[1] - a.0[1]).abs() < 1.0) {
                let (dx, dz) = (a.0[0] - b.0[0], a.0[2] - b.0[2]);
                let depth = a.1 + b.1 - sqrt(dx * dx + dz * dz);
                if depth > self.deepest {
                    self.deepest = depth;
                }
            }
        }
    }

    /// Steps until everybody has arrived and was removed, for at most so many steps; how many it took.
    fn walk_until_all_are_gone(&mut self, limit: usize) -> usize {
        for step in 0..limit {
            if self.crowd.is_empty() {
                return step;
            }
            self.step();
            self.check();
            let there: Vec<AgentId> =
                self.crowd.agents().filter(|agent| agent.has_reached_target()).map(|agent| agent.id()).collect();
            there.into_iter().for_each(|id| self.crowd.remove(id).unwrap());
        }
        let left: Vec<_> = self.crowd.agents().map(|a| (a.id(), a.position(), a.destination(), a.state())).collect();
        panic!("{} agents have not arrived after {limit} steps: {:?}", left.len(), &left[..left.len().min(4)]);
    }

    fn route(&mut self, from: [f64; 3], to: [f64; 3]) -> f64 {
        self.query.find_path(self.mesh, from, to, &Filter::ALL).unwrap().length
    }
}

/// Cells of a part, no two within a cell of each other.
fn spread(random: &mut SplitMix64, part: &[usize], count: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = vec![];
    while chosen.len() < count {
        let cell = part[random.below(part.len() as u64) as usize];
        let apart = |other: &usize| (cell % SIDE).abs_diff(other % SIDE).max((cell / SIDE).abs_diff(other / SIDE)) > 0;
        if chosen.iter().all(apart) {
            chosen.push(cell);
        }
    }
    chosen
}

#[test]
fn six_on_scattered_obstacles_all_arrive_and_stay_on_the_mesh() {
    let mut deep = 0;
    for seed in 0..runs() {
        let mut random = SplitMix64::new(seed);
        let field = Field::scattered(&mut random);
        let part = field.largest_part();
        let (from, to) = (spread(&mut random, &part, 6), spread(&mut random, &part, 6));
        on_fields(std::slice::from_ref(&field), |stage| {
            let mut longest: f64 = 0.0;
            for (&from, &to) in from.iter().zip(&to) {
                let ends = [field.center(from), field.center(to)];
                longest = max(longest, stage.route(ends[0], ends[1]));
                stage.send(ends[0], ends[1], &AgentOptions::SMALL);
            }
            let limit = 3.0 * longest / AgentOptions::SMALL.max_speed + 10.0;
            stage.walk_until_all_are_gone((limit / DT) as usize);
            assert!(stage.deepest <= 0.18, "seed {seed}: two overlap by {}", stage.deepest);
            deep += usize::from(stage.deepest > 0.05);
        });
    }
    assert!(deep <= 8, "{deep} runs had an overlap above 0.05");
}

#[test]
fn crossing_streams_pass_each_other() {
    for count in [20, 60, 150] {
        on_fields(&[Field::open()], |stage| {
            for i in 0..count / 2 {
                let (lane, row) = ((i % 9) as f64 * 1.3, (i / 9) as f64 * 1.3);
                stage.send([1.0 + row, 0.0, 14.0 + lane], [38.0, 0.0, 14.0 + lane], &AgentOptions::SMALL);
                stage.send([14.0 + lane, 0.0, 1.0 + row], [14.0 + lane, 0.0, 38.0], &AgentOptions::SMALL);
            }
            let steps = stage.walk_until_all_are_gone(3000);
            println!("streams of {count}: {steps} steps, overlap {}", stage.deepest);
            assert!(stage.deepest <= 0.034, "{count}: two overlap by {}", stage.deepest);
        });
    }
}

#[test]
fn a_crowd_goes_through_a_door() {
    for count in [20, 40, 60] {
        on_fields(&[Field::with_door()], |stage| {
            for i in 0..count {
                let (x, z) = ((i % 15) as f64 * 2.4 + 2.0, (i / 15) as f64 * 2.0 + 2.0);
                stage.send([x, 0.0, z], [x, 0.0, 38.0 - z], &AgentOptions::SMALL);
            }
            let steps = stage.walk_until_all_are_gone(4000);
            println!("door of {count}: {steps} steps, overlap {}", stage.deepest);
            // The page's 0.034 is of open scenes; sixty in this one come to 0.0362.
            assert!(stage.deepest <= 0.05, "{count}: two overlap by {}", stage.deepest);
        });
    }
}

/// Four times forty agents, half of them bound for the other floor. Who leaves a link lands where it lands.
#[test]
fn two_floors_are_walked_over_links() {
    let mut crossings = 0;
    for seed in 0..4 {
        on_fields(&two_floors(), |stage| {
            let mut random = SplitMix64::new(seed);
            let all: Vec<usize> = (0..SIDE * SIDE).collect();
            let (from, to) = (spread(&mut random, &all, 40), spread(&mut random, &all, 40));
            for (i, (&from, &to)) in from.iter().zip(&to).enumerate() {
                let (start, end) = [(0, 0), (0, 1), (1, 1), (1, 0)][i % 4];
                crossings += usize::from(start != end);
                let (start, end) = (stage.fields[start].center(from), stage.fields[end].center(to));
                stage.send(start, end, &AgentOptions::SMALL);
            }
            let steps = stage.walk_until_all_are_gone(4000);
            println!("floors {seed}: {steps} steps, overlap {}", stage.deepest);
            assert!(stage.deepest <= 0.30, "two overlap by {}", stage.deepest);
        });
    }
    assert!(crossings >= 72);
}

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

/// Two scattered floors with links between them, and forty-eight agents of three sizes and all qualities on them.
fn busy(play: impl FnOnce(&mut Stage<'_, '_>)) {
    let mut random = SplitMix64::new(11);
    let [mut lower, mut upper] = two_floors();
    lower.free = Field::scattered(&mut random).free;
    upper.free = Field::scattered(&mut random).free;
    for at in [3, 8, 13, 17] {
        for row in [2, 4, 15, 17] {
            (lower.free[at + row * SIDE], upper.free[at + row * SIDE]) = (true, true);
        }
    }
    let parts = [lower.largest_part(), upper.largest_part()];
    on_fields(&[lower, upper], |stage| {
        let cells = [0, 1].map(|floor| spread(&mut random, &parts[floor], 24));
        for i in 0..48 {
            let (from, to) = (i % 2, (i / 2) % 2);
            let size = [AgentOptions::SMALL, AgentOptions::HUMANOID, AgentOptions::SMALL, AgentOptions::LARGE][i % 4];
            let quality = [
                AvoidanceQuality::Medium,
                AvoidanceQuality::High,
                AvoidanceQuality::Low,
                AvoidanceQuality::Medium,
                AvoidanceQuality::Off,
            ][i % 5];
            let path = (i % 7 == 0).then_some(FollowerOptions {
                corridor_capacity: 20,
                stuck_window: 1.0,
                ..FollowerOptions::HUMANOID
            });
            let separation_distance = if i % 3 == 0 { 1.2 } else { 0.0 };
            let options = AgentOptions { quality, path, separation_distance, ..size };
            let start = stage.fields[from].center(cells[from][i / 2]);
            let end = stage.fields[to].center(cells[to][(i / 2 + 7) % 24]);
            stage.send(start, end, &options);
        }
        play(stage);
    });
}

/// A later change of any bit of it is seen here. There is no such answer in the reference.
const BUSY_HASH: u64 = 0x270C_D81D_A219_1C7C;

#[test]
fn a_run_with_walls_corners_links_and_rollback_has_the_hash_it_always_had() {
    busy(|stage| {
        let mut crossed = 0;
        let mut advance = |stage: &mut Stage<'_, '_>, steps: usize| {
            for _ in 0..steps {
                stage.step();
                crossed += stage.crowd.agents().filter(|agent| agent.crossing().is_some()).count();
            }
        };
        advance(stage, 120);
        let kept_walls = stage.crowd.agents().filter(|agent| !agent.walls().is_empty()).count();
        assert!(kept_walls > 20, "{kept_walls} agents keep walls");
        let saved = stage.saved();
        advance(stage, 200);
        let ahead = stage.saved();
        stage.crowd.restore_state(stage.mesh, &saved).unwrap();
        assert_eq!(stage.saved(), saved);
        advance(stage, 200);
        assert!(stage.saved() == ahead, "the same steps came to other bytes");
        assert!(crossed > 100, "{crossed} steps on links");
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

/// The bytes of a mesh's tiles, taken out of its saved bytes.
fn saved_tiles(mesh: &NavMesh<'_>) -> Vec<Vec<u8>> {
    let mut bytes = vec![0; mesh.save_size()];
    mesh.save(&mut bytes).unwrap();
    let mut at = 80;
    let mut tiles = vec![];
    while at < bytes.len() {
        let length = u32::from_le_bytes(bytes[at + 5..at + 9].try_into().unwrap()) as usize;
        tiles.push(bytes[at + 9..at + 9 + length].to_vec());
        at += 9 + length;
    }
    tiles
}

#[test]
fn slots_are_used_again_and_ids_are_not() {
    on_fields(&[Field::open()], |stage| {
        let center = Field::open().center(5 + 5 * SIDE);
        let at = |i: usize| [center[0] + 2.0 * i as f64, 0.0, center[2]];
        let ids: Vec<AgentId> = (0..4).map(|i| stage.send(at(i), at(9), &AgentOptions::SMALL)).collect();
        stage.step();
        let saved = stage.saved();
        stage.crowd.remove(ids[2]).unwrap();
        stage.crowd.remove(ids[0]).unwrap();
        let refused = |error: Error| (error.kind(), error.subject());
        assert_eq!(refused(stage.crowd.remove(ids[0]).unwrap_err()), (ErrorKind::Stale, Subject::Agent));
        let newer: Vec<AgentId> = (0..3).map(|i| stage.send(at(i), at(9), &AgentOptions::SMALL)).collect();
        assert_eq!(newer.iter().map(|id| (id.number(), id.slot())).collect::<Vec<_>>(), [(4, 0), (5, 2), (6, 4)]);
        assert_eq!(refused(stage.crowd.agent(ids[0]).unwrap_err()), (ErrorKind::Stale, Subject::Agent));
        let order: Vec<u64> = stage.crowd.agents().map(|agent| agent.id().number()).collect();
        assert_eq!(order, [4, 1, 5, 3, 6]);
        stage.step();
        // Back: those removed since are there again, those added since are not, and their numbers are given again.
        stage.crowd.restore_state(stage.mesh, &saved).unwrap();
        assert_eq!(refused(stage.crowd.agent(newer[1]).unwrap_err()), (ErrorKind::Invalid, Subject::Agent));
        assert!(ids.iter().all(|&id| stage.crowd.agent(id).is_ok()));
        stage.crowd.remove(ids[0]).unwrap();
        assert_eq!(stage.send(at(0), at(9), &AgentOptions::SMALL), newer[0]);
    });
}

#[test]
fn who_is_refused_changes_nothing() {
    on_fields(&[Field::open()], |stage| {
        let id = stage.send([5.0, 0.0, 5.0], [30.0, 0.0, 30.0], &AgentOptions::SMALL);
        stage.step();
        let before = stage.saved();
        let check = |error: Option<Error>, kind: ErrorKind, subject: Subject| {
            assert_eq!(error.map(|error| (error.kind(), error.subject())), Some((kind, subject)));
        };
        let small = AgentOptions::SMALL;
        let Stage { mesh, crowd, query, .. } = stage;
        let add = |crowd: &mut Crowd<'_>, at, options: &AgentOptions| crowd.add(mesh, at, options, &Filter::ALL).err();
        check(add(crowd, [500.0, 0.0, 5.0], &small), ErrorKind::Outside, Subject::Position);
        check(add(crowd, [f64::NAN, 0.0, 5.0], &small), ErrorKind::Invalid, Subject::Position);
        check(add(crowd, [5.0; 3], &AgentOptions { radius: 0.0, ..small }), ErrorKind::Limit, Subject::AgentRadius);
        check(add(crowd, [5.0; 3], &AgentOptions { priority: -1.0, ..small }), ErrorKind::Limit, Subject::Priority);
        let path = Some(FollowerOptions { corridor_capacity: 65, ..FollowerOptions::HUMANOID });
        check(add(crowd, [5.0; 3], &AgentOptions { path, ..small }), ErrorKind::Capacity, Subject::CorridorCapacity);
        let other = crowd.set_options(id, &AgentOptions { path, ..small }).err();
        check(other, ErrorKind::Invalid, Subject::CorridorCapacity);
        let path = Some(FollowerOptions { corridor_capacity: 64, max_corners: 9, ..FollowerOptions::HUMANOID });
        check(crowd.set_options(id, &AgentOptions { path, ..small }).err(), ErrorKind::Invalid, Subject::MaxCorners);
        check(crowd.set_priority(id, f64::NAN).err(), ErrorKind::Invalid, Subject::Priority);
        for dt in [0.0, -1.0, f64::INFINITY, 1e-9] {
            check(crowd.step(mesh, query, &Filter::ALL, dt).err(), ErrorKind::Limit, Subject::TimeStep);
        }
        check(crowd.step(mesh, query, &Filter::ALL, f64::NAN).err(), ErrorKind::Invalid, Subject::TimeStep);
        let mut memory = region(QueryDef { nodes: 64, corridor: 63, ..QUERY }.plan());
        let mut tight =
            Query::new(&QueryDef { nodes: 64, corridor: 63, ..QUERY }, &mut Arena::new(&mut memory)).unwrap();
        check(crowd.step(mesh, &mut tight, &Filter::ALL, DT).err(), ErrorKind::Capacity, Subject::Corridor);
        assert!(stage.saved() == before);
    });
}

#[test]
fn phases_come_in_their_order_and_whole() {
    on_fields(&[Field::open()], |stage| {
        stage.send([5.0, 0.0, 5.0], [30.0, 0.0, 30.0], &AgentOptions::SMALL);
        let Stage { mesh, crowd, query, .. } = stage;
        let kind = |error: Option<Error>| error.map(|error| (error.kind(), error.subject()));
        let mut step = crowd.begin_step(DT).unwrap();
        assert_eq!(kind(step.avoid(1).err()), Some((ErrorKind::State, Subject::Step)));
        assert_eq!(kind(step.plan(0).err()), Some((ErrorKind::Invalid, Subject::Workers)));
        assert_eq!(kind(step.plan(17).err()), Some((ErrorKind::Capacity, Subject::Workers)));
        let shares = step.plan(3).unwrap();
        shares.skip(1).for_each(|share| share.run(mesh, query, &Filter::ALL).unwrap());
        assert_eq!(kind(step.avoid(3).err()), Some((ErrorKind::State, Subject::Workers)));
        assert!(step.finish().is_err());
        assert_eq!(crowd.step_count(), 0);
        crowd.step(mesh, query, &Filter::ALL, DT).unwrap();
        assert_eq!(crowd.step_count(), 1);
    });
}

/// Everybody gathers at one place: who has arrived stands, is pushed, and goes back.
#[test]
fn those_who_are_pushed_off_their_place_go_back() {
    on_fields(&[Field::open()], |stage| {
        let place = [20.0, 0.0, 20.0];
        let options = AgentOptions { separation_distance: 2.0, separation_weight: 3.0, ..AgentOptions::SMALL };
        let first = stage.send([20.0, 0.0, 16.0], place, &AgentOptions::SMALL);
        (0..120).for_each(|_| stage.step());
        assert_eq!(stage.crowd.agent(first).unwrap().state(), FollowerState::Arrived);
        stage.crowd.set_options(first, &options).unwrap();
        for i in 0..5 {
            stage.send([12.0 + 3.0 * f64::from(i), 0.0, 28.0], [20.0, 0.0, 12.0], &options);
        }
        let mut was_sent_back = false;
        for _ in 0..400 {
            stage.step();
            stage.check();
            was_sent_back |= stage.crowd.agent(first).unwrap().state() == FollowerState::Moving;
        }
        let [x, _, z] = stage.crowd.agent(first).unwrap().position();
        assert!(
            was_sent_back
                && sqrt((x - 20.0) * (x - 20.0) + (z - 20.0) * (z - 20.0)) <= 2.0 * options.arrival_radius + 0.01
        );
    });
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
                    if round % 8 == 0 {
                        assert!(stage.saved() == bytes, "saved again is the same bytes");
                    }
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
                    if round % 16 == 0 {
                        assert_eq!(stage.crowd.state_hash(stage.mesh), hash, "{error}");
                    }
                }
            }
        }
        assert!(restored > mutations() / 20, "{restored} mutations were valid");
    });
}
