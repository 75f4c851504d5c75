//! `seeds FOLDER`: writes good inputs for the fuzz targets to begin with, one folder a target.

use std::fs;
use std::path::Path;

use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::error::Result;
use navarena::follower::{Follower, FollowerOptions};
use navarena::memory::Arena;
use navarena::mesh::{MeshDef, NavFile, NavMesh, NavSettings};
use navarena::query::{Filter, Query, QueryDef};
use navarena_tests::checkerboard::Board;
use navarena_tests::grid_states;
use navarena_tests::ours::{region, written};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus".to_string());
    let tiles = folder_of(&folder, "tile")?;
    for (name, bytes) in tiles_by_hand() {
        fs::write(tiles.join(name), [&[0], bytes.as_slice()].concat())?;
    }
    let (meshes, envelopes) = (folder_of(&folder, "mesh")?, folder_of(&folder, "envelope")?);
    for (name, tile) in tiles_by_hand() {
        let (mesh, envelope) = saved(&tile).map_err(|error| std::io::Error::other(error.to_string()))?;
        fs::write(meshes.join(name), [&[0], mesh.as_slice()].concat())?;
        fs::write(envelopes.join(name), envelope)?;
    }
    let states = folder_of(&folder, "grid_state")?;
    for (name, bytes) in grid_states::seeds() {
        fs::write(states.join(name), bytes)?;
    }
    let (maps, scenarios) = (folder_of(&folder, "movingai_map")?, folder_of(&folder, "movingai_scen")?);
    for (name, map) in [("letters", MAP), ("carriage-returns", &MAP.replace('\n', "\r\n"))] {
        fs::write(maps.join(name), map)?;
    }
    for (name, lines) in [("two", SCENARIO), ("carriage-returns", &SCENARIO.replace('\n', "\r\n"))] {
        fs::write(scenarios.join(name), lines)?;
    }
    let followers = folder_of(&folder, "follower")?;
    for (name, steps) in [("placed", None), ("sent", Some(0)), ("walking", Some(20))] {
        let bytes = follower_after(steps).map_err(|error| std::io::Error::other(error.to_string()))?;
        // What comes before the state: the board's side, the start, and no steps.
        fs::write(followers.join(name), [&[2, 5, 5, 0], bytes.as_slice()].concat())?;
    }
    let crowds = folder_of(&folder, "crowd")?;
    for (name, agents, steps) in [("empty", 0, 0), ("one", 1, 0), ("three", 3, 5), ("thinned", 4, 20)] {
        let bytes = crowd_after(agents, steps).map_err(|error| std::io::Error::other(error.to_string()))?;
        fs::write(crowds.join(name), [&[0], bytes.as_slice()].concat())?;
    }
    Ok(())
}

/// What walks alone, and the second of a crowd.
const WALKER: FollowerOptions = FollowerOptions { corridor_capacity: 16, ..FollowerOptions::HUMANOID };
/// A map with every letter.
const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n...@..\n.GTOSW\n.@....\n....@.\n";
/// A scenario of that map.
const SCENARIO: &str = "version 1\n0\tletters.map\t6\t4\t0\t0\t2\t0\t2\n0\tletters.map\t6\t4\t0\t1\t0\t3\t2.00000\n";

/// Lends a mesh of one tile and a query.
fn on_tile<R>(
    tile: &[u8],
    query: &QueryDef,
    work: impl FnOnce(&NavMesh<'_>, &mut Query<'_>) -> Result<R>,
) -> Result<R> {
    let (mut mesh_memory, mut query_memory) = (region(MeshDef::HUMANOID.plan()), region(query.plan()));
    let mut mesh = NavMesh::new(&MeshDef::HUMANOID, &mut Arena::new(&mut mesh_memory))?;
    mesh.add_tile(tile)?;
    work(&mesh, &mut Query::new(query, &mut Arena::new(&mut query_memory))?)
}

/// The tile that who walks stands on.
fn board() -> Vec<u8> {
    Board::new(&MeshDef::HUMANOID.params, 3).bytes(&MeshDef::HUMANOID.params, 0, 0)
}

/// The saved bytes of a follower on a board, placed, or sent and walked some steps.
fn follower_after(steps: Option<usize>) -> Result<Vec<u8>> {
    let mut memory = region(WALKER.plan());
    let mut follower = Follower::new(&WALKER, &mut Arena::new(&mut memory))?;
    on_tile(&board(), &QueryDef::DEFAULT, |mesh, query| {
        follower.place(mesh, [5.0, 0.0, 5.0], &Filter::ALL)?;
        if let Some(steps) = steps {
            follower.set_destination(mesh, query, [40.0, 0.0, 30.0], &Filter::ALL)?;
            (0..steps).try_for_each(|_| follower.step(mesh, query, &Filter::ALL, 0.05))?;
        }
        written(follower.state_size(), |out| follower.save_state(out))
    })
}

/// The saved bytes of a crowd on a board after some steps. The second agent has settings of its own; of four the third is gone.
fn crowd_after(agents: usize, steps: usize) -> Result<Vec<u8>> {
    const CROWD: CrowdDef = CrowdDef { agents: 4, walls: 4, ..CrowdDef::DEFAULT };
    let mut memory = region(CROWD.plan());
    let mut crowd = Crowd::new(&CROWD, &mut Arena::new(&mut memory))?;
    let own = AgentOptions { separation_distance: 2.0, path: Some(WALKER), ..AgentOptions::SMALL };
    let settings = [AgentOptions::HUMANOID, own, AgentOptions::LARGE, AgentOptions::HUMANOID];
    let places = [[5.0, 0.0, 5.0], [9.0, 0.0, 5.0], [5.0, 0.0, 9.0], [9.0, 0.0, 9.0]];
    on_tile(&board(), &CROWD.query(), |mesh, query| {
        for (options, place) in settings.iter().zip(places).take(agents) {
            let agent = crowd.add(mesh, place, options, &Filter::ALL)?;
            crowd.set_destination(mesh, query, agent, [40.0, 0.0, 30.0], &Filter::ALL)?;
            if agent.number() == 3 {
                crowd.remove(crowd.find_number(2).unwrap_or(agent))?;
            }
        }
        (0..steps).try_for_each(|_| crowd.step(mesh, query, &Filter::ALL, 0.05))?;
        written(crowd.state_size(mesh), |out| crowd.save_state(mesh, out))
    })
}

/// The saved bytes of a mesh of one tile, bare and in an envelope.
fn saved(tile: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
    on_tile(tile, &QueryDef::DEFAULT, |mesh, _| {
        let bytes = written(mesh.save_size(), |out| mesh.save(out))?;
        let size = NavFile::save_size(mesh, &[]);
        Ok((bytes, written(size, |out| NavFile::save(mesh, &NavSettings::HUMANOID, &[], out))?))
    })
}

fn folder_of(folder: &str, target: &str) -> std::io::Result<std::path::PathBuf> {
    let path = Path::new(folder).join(target);
    fs::create_dir_all(&path)?;
    Ok(path)
}

/// Tiles that carry each kind of thing a tile can carry.
fn tiles_by_hand() -> Vec<(&'static str, Vec<u8>)> {
    let params = MeshDef::HUMANOID.params;
    let board = |side| Board::new(&params, side);
    vec![
        ("one", board(1).bytes(&params, 0, 0)),
        ("nine", board(3).bytes(&params, -1, 2)),
        ("detail", board(2).with_detail(1.5).bytes(&params, 0, 0)),
        ("link", board(2).with_link([1.0, 0.0, 1.0], [50.0, 0.0, 50.0], true).bytes(&params, 3, 0)),
        ("all", board(3).with_detail(0.3).with_link([9.0, 0.5, 9.0], [33.0, 0.0, 2.0], false).bytes(&params, 0, 0)),
    ]
}
