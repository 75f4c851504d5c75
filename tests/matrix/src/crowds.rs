//! Agents on their way: followers whose mesh is edited under them, a crowd with links and walls, and both rolled back.

use alloc::vec;
use alloc::vec::Vec;
use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::follower::{Follower, FollowerOptions};
use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::{LinkDef, NavMesh, SnapshotMode, TileLibrary};
use navarena::query::{Filter, Query, QueryDef, random_point};
use navarena_fixtures::Kind;

use crate::level::{region, with_mesh};
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "crowds/corridor-follow-edits", run: corridor_follow_edits },
    Scenario { name: "crowds/rollback", run: rollback },
];

/// The time of a step.
const DT: f64 = 1.0 / 20.0;
const FOLLOWERS: usize = 3;
const FOLLOWER: FollowerOptions = FollowerOptions { corridor_capacity: 24, ..FollowerOptions::HUMANOID };
const FOLLOWER_QUERY: QueryDef = QueryDef { nodes: 1024, corridor: 64, points: 64, ..QueryDef::DEFAULT };
const AGENTS: u32 = 12;
const CROWD: CrowdDef = CrowdDef { agents: AGENTS, walls: 12, ..CrowdDef::DEFAULT };
const CROWD_QUERY: QueryDef = QueryDef { nodes: 1024, ..CROWD.query() };

fn place(mesh: &NavMesh<'_>, random: &mut SplitMix64) -> [f64; 3] {
    random_point(mesh, random, &Filter::ALL).map_or([0.0; 3], |drawn| drawn.point)
}

/// What no run may come to: what was rolled back went another way.
fn parted() -> Error {
    Error::new(ErrorKind::State, Subject::State)
}

/// Followers walk while flags and areas change and a tile goes and comes back. They and the mesh are then taken back to
/// the middle and walk the second half again, to the same bytes.
fn corridor_follow_edits(record: &mut Record<'_>) -> Result<()> {
    let crew = record.crew();
    with_mesh(Kind::City, crew, |mesh| {
        let mut memory = (region(FOLLOWER_QUERY.plan()), vec![region(FOLLOWER.plan()); FOLLOWERS]);
        let mut query = Query::new(&FOLLOWER_QUERY, &mut Arena::new(&mut memory.0))?;
        let mut followers: Vec<Follower<'_>> = Vec::new();
        let mut random = SplitMix64::new(4);
        for region in &mut memory.1 {
            let mut follower = Follower::new(&FOLLOWER, &mut Arena::new(region))?;
            follower.place(mesh, place(mesh, &mut random), &Filter::ALL)?;
            follower.set_destination(mesh, &mut query, place(mesh, &mut random), &Filter::ALL)?;
            followers.push(follower);
        }
        walk_edited(mesh, &mut query, &mut followers, 0..60)?;
        let middle = (snapshot(mesh)?, all_saved(&followers)?);
        record.bytes(&middle.1.concat());
        walk_edited(mesh, &mut query, &mut followers, 60..120)?;
        let end = all_saved(&followers)?;
        record.bytes(&end.concat());
        mesh.restore_snapshot(&middle.0, &TileLibrary::new(&mut []))?;
        for (follower, bytes) in followers.iter_mut().zip(&middle.1) {
            follower.restore_state(bytes)?;
        }
        walk_edited(mesh, &mut query, &mut followers, 60..120)?;
        let again = all_saved(&followers)?;
        record.bytes(&again.concat());
        if again == end { Ok(()) } else { Err(parted()) }
    })
}

/// Steps of the followers, each after what is edited in it. The edits follow from the step's number alone.
fn walk_edited(
    mesh: &mut NavMesh<'_>,
    query: &mut Query<'_>,
    followers: &mut [Follower<'_>],
    steps: core::ops::Range<u32>,
) -> Result<()> {
    let filter = Filter::new().without_flags(0x8000).with_area_cost(9, 3.0)?;
    for step in steps {
        let mut random = SplitMix64::new(step.into());
        if step % 5 == 0
            && let Some(drawn) = random_point(mesh, &mut random, &Filter::ALL)
        {
            mesh.set_area(drawn.polygon, if random.below(2) == 0 { 9 } else { 0 })?;
            mesh.set_flags(drawn.polygon, if random.below(4) == 0 { 0x8000 } else { 1 })?;
        }
        let tile = (step % 40 == 15).then(|| followers[0].path().first().map(|polygon| polygon.tile())).flatten();
        if let Some((x, z, layer)) =
            tile.and_then(|tile| mesh.tile_of(tile).ok()).map(|tile| (tile.x, tile.z, tile.layer))
        {
            mesh.remove_tile(x, z, layer)?;
        }
        for follower in &mut *followers {
            follower.step(mesh, query, &filter, DT)?;
        }
    }
    Ok(())
}

fn snapshot(mesh: &NavMesh<'_>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; mesh.snapshot_size(SnapshotMode::Full)];
    mesh.snapshot(SnapshotMode::Full, &mut bytes)?;
    Ok(bytes)
}

fn all_saved(followers: &[Follower<'_>]) -> Result<Vec<Vec<u8>>> {
    let save = |follower: &Follower<'_>| {
        let mut bytes = vec![0; follower.state_size()];
        follower.save_state(&mut bytes)?;
        Ok(bytes)
    };
    followers.iter().map(save).collect()
}

/// A crowd on overlapping floors, with walls, corners and links, whose agents come, go and are sent elsewhere; saved in the
/// middle, taken back there and walked again, to the same hash.
fn rollback(record: &mut Record<'_>) -> Result<()> {
    let crew = record.crew();
    with_mesh(Kind::Overlapping, crew, |mesh| {
        let mut random = SplitMix64::new(5);
        for _ in 0..4 {
            mesh.stage_link(&LinkDef::between(place(mesh, &mut random), place(mesh, &mut random)))?;
        }
        mesh.commit()?;
        let mut memory = (region(CROWD.plan()), region(CROWD_QUERY.plan()));
        let mut crowd = Crowd::new(&CROWD, &mut Arena::new(&mut memory.0))?;
        let mut query = Query::new(&CROWD_QUERY, &mut Arena::new(&mut memory.1))?;
        for number in 0..AGENTS {
            let presets = [AgentOptions::HUMANOID, AgentOptions::SMALL];
            let options = AgentOptions { priority: f64::from(1 + number % 3), ..presets[number as usize % 2] };
            let agent = crowd.add(mesh, place(mesh, &mut random), &options, &Filter::ALL)?;
            crowd.set_destination(mesh, &mut query, agent, place(mesh, &mut random), &Filter::ALL)?;
        }
        walk_crowd(mesh, &mut query, &mut crowd, 0..50)?;
        let mut saved = vec![0; crowd.state_size(mesh)];
        crowd.save_state(mesh, &mut saved)?;
        record.bytes(&saved);
        walk_crowd(mesh, &mut query, &mut crowd, 50..100)?;
        let end = crowd.state_hash(mesh);
        record.count(end);
        crowd.restore_state(mesh, &saved)?;
        walk_crowd(mesh, &mut query, &mut crowd, 50..100)?;
        let mut last = vec![0; crowd.state_size(mesh)];
        crowd.save_state(mesh, &mut last)?;
        record.bytes(&last);
        if crowd.state_hash(mesh) == end { Ok(()) } else { Err(parted()) }
    })
}

/// Steps of the crowd, in some of which an agent goes, comes or is sent elsewhere, as the step's number says.
fn walk_crowd(
    mesh: &NavMesh<'_>,
    query: &mut Query<'_>,
    crowd: &mut Crowd<'_>,
    steps: core::ops::Range<u32>,
) -> Result<()> {
    for step in steps {
        let mut random = SplitMix64::new(step.into());
        let chosen = crowd.agents().nth(random.below(u64::from(AGENTS)) as usize).map(|agent| agent.id());
        match (step % 9, chosen) {
            (4, Some(agent)) => {
                crowd.set_destination(mesh, query, agent, place(mesh, &mut random), &Filter::ALL)?;
            }
            (6, Some(agent)) => crowd.remove(agent)?,
            (8, _) if crowd.len() < AGENTS as usize => {
                crowd.add(mesh, place(mesh, &mut random), &AgentOptions::HUMANOID, &Filter::ALL)?;
            }
            _ => {}
        }
        crowd.step(mesh, query, &Filter::ALL, DT)?;
    }
    Ok(())
}
