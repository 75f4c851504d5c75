//! Eight agents on the mesh in flash, each on its way to where another began, who pass each other.

use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::error::Result;
use navarena::math::SplitMix64;
use navarena::memory::{Arena, Grain};
use navarena::mesh::NavMesh;
use navarena::query::{Filter, Query, QueryDef};

use crate::mesh::{MESH, load, place};
use crate::{Log, in_place};

const AGENTS: usize = 8;
const STEPS: u32 = 200;
const DT: f64 = 1.0 / 20.0;
const CROWD: CrowdDef = CrowdDef { agents: AGENTS as u32, walls: 8, keeps_corners: false, ..CrowdDef::DEFAULT };
const QUERY: QueryDef = QueryDef { nodes: 64, ..CROWD.query() };

/// The bytes of the mesh, the crowd and its query.
pub const BYTES: usize = MESH.plan().bytes + CROWD.plan().bytes + QUERY.plan().bytes;

fn squared_distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    let [dx, dz] = [0, 2].map(|axis| one[axis] - other[axis]);
    dx * dx + dz * dz
}

/// A place that is two units from the others, or the last of a hundred that were not.
fn apart(others: &[[f64; 3]], mut draw: impl FnMut() -> [f64; 3]) -> [f64; 3] {
    let mut at = draw();
    for _ in 0..100 {
        if others.iter().all(|&other| squared_distance(at, other) >= 4.0) {
            break;
        }
        at = draw();
    }
    at
}

/// The least distance of two agents on the ground, squared.
fn nearest_two(crowd: &Crowd<'_>) -> f64 {
    let mut least = f64::INFINITY;
    for (index, one) in crowd.agents().enumerate() {
        for other in crowd.agents().skip(index + 1) {
            let distance = squared_distance(one.position(), other.position());
            least = if distance < least { distance } else { least };
        }
    }
    least
}

/// What the crowd walks on and asks.
struct World<'w, 'm> {
    mesh: &'w NavMesh<'m>,
    query: &'w mut Query<'m>,
}

/// Puts everybody in a place and sends it to another's.
// The stages are functions that are not inlined, so that none stands on the stack below the others.
#[inline(never)]
fn send(World { mesh, query }: World<'_, '_>, crowd: &mut Crowd<'_>) -> Result<()> {
    let mut random = SplitMix64::new(3);
    let mut places = [[0.0; 3]; AGENTS];
    for index in 0..AGENTS {
        places[index] = apart(&places[..index], || place(mesh, &mut random));
    }
    for (number, &from) in places.iter().enumerate() {
        let agent = crowd.add(mesh, from, &AgentOptions::SMALL, &Filter::ALL)?;
        crowd.set_destination(mesh, query, agent, places[(number + 3) % AGENTS], &Filter::ALL)?;
    }
    Ok(())
}

/// Walks them for ten seconds. Gives how near two came, squared.
#[inline(never)]
fn walk(World { mesh, query }: World<'_, '_>, crowd: &mut Crowd<'_>) -> Result<f64> {
    let mut nearest = f64::INFINITY;
    for _ in 0..STEPS {
        crowd.step(mesh, query, &Filter::ALL, DT)?;
        let now = nearest_two(crowd);
        nearest = if now < nearest { now } else { nearest };
    }
    Ok(nearest)
}

#[inline(never)]
fn report<L: Log>(mesh: &NavMesh<'_>, crowd: &Crowd<'_>, log: &mut L) {
    log.count("arrived", crowd.agents().filter(|agent| agent.has_reached_target()).count() as u64);
    for agent in crowd.agents() {
        let [x, _, z] = agent.position();
        log.number("agent at x", x);
        log.number("agent at z", z);
    }
    log.count("state", crowd.state_hash(mesh));
    log.count("high water of agents", crowd.high_water() as u64);
}

/// Sends them and walks them.
pub fn run<L: Log>(region: &mut [Grain], log: &mut L) -> Result<()> {
    let mut arena = Arena::new(region);
    let mut mesh = NavMesh::new(&MESH, &mut arena);
    let mesh = in_place(&mut mesh)?;
    load(mesh)?;
    let mut crowd = Crowd::new(&CROWD, &mut arena);
    let crowd = in_place(&mut crowd)?;
    let mut query = Query::new(&QUERY, &mut arena);
    let query = in_place(&mut query)?;
    send(World { mesh, query }, crowd)?;
    log.number("nearest two, squared", walk(World { mesh, query }, crowd)?);
    report(mesh, crowd, log);
    log.count("high water of nodes", query.high_water().nodes.into());
    log.count("high water of the region", arena.high_water() as u64);
    Ok(())
}
