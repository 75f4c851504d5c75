//! The crowd lines, computed by the core alone.

use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::error::Result;
use navarena::memory::Arena;
use navarena::mesh::{NavMesh, NavSettings};
use navarena::query::{Filter, Query, QueryDef};

use super::Outcome;
use super::mesh::floor;
use crate::ours::{Rules, Workshop, region};

const CROWD: CrowdDef = CrowdDef { agents: 8, ..CrowdDef::DEFAULT };
const QUERY: QueryDef = CROWD.query();

/// A crowd on the 40x40 floor, and all that it needs.
struct Walk<'a, 'm> {
    mesh: &'a NavMesh<'m>,
    crowd: Crowd<'a>,
    query: Query<'a>,
}

impl Walk<'_, '_> {
    fn send(&mut self, from: [f64; 3], to: [f64; 3]) -> Result<()> {
        let agent = self.crowd.add(self.mesh, from, &AgentOptions::HUMANOID, &Filter::ALL)?;
        self.crowd.set_destination(self.mesh, &mut self.query, agent, to, &Filter::ALL).map(|_| ())
    }

    fn steps(&mut self, count: usize, dt: f64) -> Result<()> {
        (0..count).try_for_each(|_| self.crowd.step(self.mesh, &mut self.query, &Filter::ALL, dt))
    }

    /// The page's eight agents in two rows, each bound for the other side, at frame 100.
    fn eight(&mut self) -> Result<()> {
        for i in 0..4 {
            let (x, to) = (5.0 + 8.0 * f64::from(i), 35.0 - 8.0 * f64::from(i));
            self.send([x, 0.0, 5.0], [to, 0.0, 35.0])?;
            self.send([x, 0.0, 35.0], [to, 0.0, 5.0])?;
        }
        self.steps(100, 1.0 / 30.0)
    }

    fn saved(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.crowd.state_size(self.mesh)];
        self.crowd.save_state(self.mesh, &mut bytes)?;
        Ok(bytes)
    }

    fn hash(&self) -> String {
        format!("{:016X}", self.crowd.state_hash(self.mesh))
    }
}

/// Walks on the floor and compares what comes of it.
fn walk(want: &str, script: impl FnOnce(&mut Walk<'_, '_>) -> Result<String>) -> Outcome {
    let level = floor();
    let answer = Workshop::new(&level, &NavSettings::HUMANOID, Rules::Page).and_then(|mut shop| {
        shop.bake(|mesh, _| {
            let (mut crowd_memory, mut query_memory) = (region(CROWD.plan()), region(QUERY.plan()));
            let crowd = Crowd::new(&CROWD, &mut Arena::new(&mut crowd_memory))?;
            let query = Query::new(&QUERY, &mut Arena::new(&mut query_memory))?;
            script(&mut Walk { mesh, crowd, query })
        })
    });
    match answer {
        Ok(Ok(got)) => Outcome::compare(&got, want),
        Ok(Err(error)) | Err(error) => Outcome::Fail(error.to_string()),
    }
}

/// `crowd-walker`: one agent, along a wall at first.
pub fn walker(want: &str) -> Outcome {
    walk(want, |walk| {
        walk.send([3.0, 0.0, 3.0], [36.0, 0.0, 36.0])?;
        walk.steps(20, 0.05)?;
        let told = walk.crowd.agents().next().map(|agent| (agent.position(), agent.remaining_distance()));
        Ok(told
            .map_or("nobody".to_string(), |([x, y, z], left)| format!("at ({x}, {y}, {z}) exact, {left:.4} m to go")))
    })
}

/// `crowd-100`: eight agents, 100 steps.
pub fn frame_100(want: &str) -> Outcome {
    walk(want, |walk| {
        walk.eight()?;
        Ok(format!("saved state {} bytes, state hash {}", walk.saved()?.len(), walk.hash()))
    })
}

/// `crowd-300`: 200 more.
pub fn frame_300(want: &str) -> Outcome {
    walk(want, |walk| {
        walk.eight()?;
        walk.steps(200, 1.0 / 30.0)?;
        Ok(format!("state hash {}", walk.hash()))
    })
}

/// `crowd-rollback`: back to frame 100, and the 200 steps again.
pub fn rollback(want: &str) -> Outcome {
    walk(want, |walk| {
        walk.eight()?;
        let saved = walk.saved()?;
        walk.steps(200, 1.0 / 30.0)?;
        let ahead = walk.hash();
        walk.crowd.restore_state(walk.mesh, &saved)?;
        let is_back = walk.saved()? == saved && walk.crowd.step_count() == 100;
        walk.steps(200, 1.0 / 30.0)?;
        let arrived = walk.crowd.agents().filter(|agent| agent.has_reached_target()).count();
        let same = if is_back && walk.hash() == ahead { "the same hash as before" } else { "another hash" };
        Ok(format!("{same}; {arrived} of {} arrived", walk.crowd.len()))
    })
}
