//! A crowd on some fields, and what a test watches.

use crate::field::{Field, SIDE, two_floors};
use navarena::crowd::{AgentId, AgentOptions, AvoidanceQuality, Crowd, CrowdDef};
use navarena::follower::FollowerOptions;
use navarena::math::{SplitMix64, sqrt};
use navarena::memory::Arena;
use navarena::mesh::{MeshDef, MeshLimits, NavMesh};
use navarena::query::{Filter, Query, QueryDef};
use navarena_tests::ours::region;

pub const DT: f64 = 1.0 / 30.0;
pub const DEF: CrowdDef = CrowdDef { agents: 400, workers: 16, ..CrowdDef::DEFAULT };
pub const QUERY: QueryDef = QueryDef { nodes: 4096, ..DEF.query() };

pub const MESH: MeshDef = MeshDef {
    limits: MeshLimits { tiles: 4, staged: 2, detail_vertices: 0, detail_triangles: 0, ..MeshLimits::DEFAULT },
    ..MeshDef::HUMANOID
};

/// A crowd on some fields, and what a test watches.
pub struct Stage<'a, 'm> {
    pub mesh: &'a mut NavMesh<'m>,
    pub crowd: Crowd<'a>,
    pub query: Query<'a>,
    pub fields: Vec<Field>,
    pub deepest: f64,
}

pub fn on_fields<R>(fields: &[Field], play: impl FnOnce(&mut Stage<'_, '_>) -> R) -> R {
    on_fields_of(&DEF, fields, play)
}

pub fn on_fields_of<R>(def: &CrowdDef, fields: &[Field], play: impl FnOnce(&mut Stage<'_, '_>) -> R) -> R {
    let (mut mesh_memory, mut crowd_memory, mut query_memory) =
        (region(MESH.plan()), region(def.plan()), region(QUERY.plan()));
    let mut mesh = NavMesh::new(&MESH, &mut Arena::new(&mut mesh_memory)).unwrap();
    fields.iter().for_each(|field| field.add_to(&mut mesh).unwrap());
    let crowd = Crowd::new(def, &mut Arena::new(&mut crowd_memory)).unwrap();
    let query = Query::new(&QUERY, &mut Arena::new(&mut query_memory)).unwrap();
    play(&mut Stage { mesh: &mut mesh, crowd, query, fields: fields.to_vec(), deepest: 0.0 })
}

impl Stage<'_, '_> {
    pub fn send(&mut self, from: [f64; 3], to: [f64; 3], options: &AgentOptions) -> AgentId {
        let id = self.crowd.add(self.mesh, from, options, &Filter::ALL).unwrap();
        self.crowd.set_destination(self.mesh, &mut self.query, id, to, &Filter::ALL).unwrap();
        id
    }

    pub fn step(&mut self) {
        self.crowd.step(self.mesh, &mut self.query, &Filter::ALL, DT).unwrap();
    }

    pub fn saved(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.crowd.state_size(self.mesh)];
        assert_eq!(self.crowd.save_state(self.mesh, &mut bytes), Ok(bytes.len()));
        assert_eq!(navarena::hash::fnv1a(&bytes), self.crowd.state_hash(self.mesh));
        bytes
    }

    /// Everybody stands on a field or crosses a link; notes how deep any two overlap that do not cross.
    pub fn check(&mut self) {
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
    pub fn walk_until_all_are_gone(&mut self, limit: usize) -> usize {
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

    /// The corners of the way from one place to another, the ends included.
    pub fn corners(&mut self, from: [f64; 3], to: [f64; 3]) -> Vec<[f64; 3]> {
        self.query.find_path(self.mesh, from, to, &Filter::ALL).unwrap();
        self.query.path().points().iter().map(|point| point.position).collect()
    }

    pub fn route(&mut self, from: [f64; 3], to: [f64; 3]) -> f64 {
        self.query.find_path(self.mesh, from, to, &Filter::ALL).unwrap().length
    }
}

/// Cells of a part, no two within a cell of each other.
pub fn spread(random: &mut SplitMix64, part: &[usize], count: usize) -> Vec<usize> {
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

/// Two scattered floors with links between them, and forty-eight agents of three sizes and all qualities on them.
pub fn busy(play: impl FnOnce(&mut Stage<'_, '_>)) {
    busy_of(&DEF, play);
}

/// The same in a crowd of some limits.
pub fn busy_of<R>(def: &CrowdDef, play: impl FnOnce(&mut Stage<'_, '_>) -> R) -> R {
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
    on_fields_of(def, &[lower, upper], |stage| {
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
        play(stage)
    })
}
