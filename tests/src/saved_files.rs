//! One file of every format that this version writes, and what a reader must get from each.
//!
//! `fixtures/VERSION/` holds the files of a version and its manifest, a line a file: the SHA-256 of its bytes, its name, and
//! the figures that a reader comes to. A folder of a released version is never edited: later versions must read what it
//! holds, and come to the same figures.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use navarena::corridor::Corridor;
use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::error::{Error, Result, Subject};
use navarena::follower::{Follower, FollowerOptions};
use navarena::grid::flow::{FlowOptions, GridFlowDef, GridFlowField};
use navarena::grid::replan::{GridReplanner, GridReplannerDef};
use navarena::grid::{Grid, GridDef, GridSearch};
use navarena::hash::{Fnv1a, sha256};
use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::{LibraryTile, NavFile, NavMesh, SavedMesh, SnapshotMode, TileLibrary};
use navarena::query::{Filter, Query, QueryDef, random_point};
use navarena_fixtures::Kind;
use navarena_matrix::level::{SETTINGS, bake, mesh_def};
use navarena_matrix::{Alone, Hex};

use crate::grid_states::{self, GOAL, SIDE, START};
use crate::ours::{region, written};

/// The files of a version by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

const LEVEL: Kind = Kind::Stairs;
const LEVEL_SIZE: u32 = 24;
const CORRIDOR: usize = 32;
const FOLLOWER: FollowerOptions = FollowerOptions { corridor_capacity: CORRIDOR as u32, ..FollowerOptions::HUMANOID };
const CROWD: CrowdDef = CrowdDef { agents: 4, walls: 8, ..CrowdDef::DEFAULT };
const QUERY: QueryDef = QueryDef { nodes: 512, ..QueryDef::DEFAULT };
/// The def of a replanner for a number of cells.
type ReplannerDefOf = fn(u32) -> GridReplannerDef;
const REPLANNERS: [(&str, ReplannerDefOf); 2] =
    [("d-star-lite", GridReplannerDef::d_star_lite), ("lpa-star", GridReplannerDef::lpa_star)];
const DT: f64 = 1.0 / 20.0;
/// How far what walks has come when it is saved, and how much farther its reader goes.
const STEPS: usize = 30;

/// The folder of a version's files.
pub fn folder(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(version)
}

/// The files of a folder but its manifest.
///
/// # Errors
/// What the file system refuses.
pub fn read(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != MANIFEST {
            files.insert(name, std::fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// The name of the manifest in a version's folder.
pub const MANIFEST: &str = "manifest.txt";

/// The manifest of files, made by reading each.
///
/// # Errors
/// A file that its reader refuses, with its name.
pub fn manifest(files: &Files) -> std::result::Result<String, String> {
    let mut lines = String::new();
    for (name, bytes) in files {
        let figures = figures(name, files).map_err(|error| format!("{name}: {error}"))?;
        let _ = writeln!(lines, "{} {name}: {figures}", Hex(&sha256(bytes)));
    }
    Ok(lines)
}

/// What a reader gets from a file of a version. States are read over what they were saved over, which lies beside them.
fn figures(name: &str, files: &Files) -> Result<String> {
    let bytes = file(files, name)?;
    match name {
        "grid.opgs" => with_grid(files, |grid| Ok(format!("content {:016x}", grid.content_hash()))),
        "flow.opgs" => flow_figures(bytes, files),
        "mesh.onpm" => with_mesh(bytes, |mesh, _| Ok(mesh_figures(mesh))),
        "mesh.onnm" => with_mesh(NavFile::open(bytes)?.mesh_bytes(), |mesh, _| Ok(mesh_figures(mesh))),
        "mesh-full.onps" => with_empty_mesh(|mesh| {
            mesh.restore_snapshot(bytes, &TileLibrary::NONE)?;
            Ok(mesh_figures(mesh))
        }),
        "mesh-referenced.onps" => with_empty_mesh(|mesh| {
            mesh.restore_snapshot(bytes, &TileLibrary::new(&mut library(files)))?;
            Ok(mesh_figures(mesh))
        }),
        "corridor.opcs" => corridor_figures(bytes, files),
        "follower.opcs" => follower_figures(bytes, files),
        "crowd.opcs" | "crowd-and-mesh.opcs" => crowd_figures(name, bytes, files),
        _ if is_tile(name) => with_empty_mesh(|mesh| {
            mesh.add_tile(bytes)?;
            Ok(mesh_figures(mesh))
        }),
        _ => search_figures(name, bytes, files),
    }
}

fn is_tile(name: &str) -> bool {
    name.starts_with("tile-")
}

fn file<'f>(files: &'f Files, name: &str) -> Result<&'f [u8]> {
    files.get(name).map(Vec::as_slice).ok_or(Error::invalid(Subject::Bytes))
}

/// The tiles that a snapshot may name.
fn library(files: &Files) -> Vec<LibraryTile<'_>> {
    files.iter().filter(|(name, _)| is_tile(name)).map(|(_, bytes)| LibraryTile::new(bytes)).collect()
}

fn with_empty_mesh<R>(work: impl FnOnce(&mut NavMesh<'_>) -> Result<R>) -> Result<R> {
    let def = mesh_def(&SETTINGS);
    let mut memory = region(def.plan());
    work(&mut NavMesh::new(&def, &mut Arena::new(&mut memory))?)
}

/// Restores a saved mesh (`ONPM`) and lends it with a query.
fn with_mesh<R>(bytes: &[u8], work: impl FnOnce(&mut NavMesh<'_>, &mut Query<'_>) -> Result<R>) -> Result<R> {
    SavedMesh::open(bytes)?;
    let mut memory = region(QUERY.plan());
    let mut query = Query::new(&QUERY, &mut Arena::new(&mut memory))?;
    with_empty_mesh(|mesh| {
        mesh.restore(bytes)?;
        work(mesh, &mut query)
    })
}

fn place(mesh: &NavMesh<'_>, random: &mut SplitMix64) -> [f64; 3] {
    random_point(mesh, random, &Filter::ALL).map_or([0.0; 3], |drawn| drawn.point)
}

/// What is in a mesh: counts, edits, and the hash of its snapshot.
fn mesh_figures(mesh: &NavMesh<'_>) -> String {
    let (mut hash, mut polygons, mut edits) = (Fnv1a::new(), 0, 0);
    mesh.write_snapshot(SnapshotMode::Full, &mut hash).unwrap_or_default();
    for tile in mesh.tiles() {
        polygons += tile.polygons.len();
        edits += tile.polygons.iter().filter(|polygon| polygon.area != 0 || polygon.flags != 1).count();
    }
    let (tiles, hash) = (mesh.tile_count(), hash.finish());
    format!("{tiles} tiles, {polygons} polygons, {edits} of them edited, snapshot {hash:016x}")
}

fn with_grid<R>(files: &Files, work: impl FnOnce(&mut Grid<'_>) -> Result<R>) -> Result<R> {
    let bytes = file(files, "grid.opgs")?;
    let def = GridDef::of_state(bytes)?;
    let mut memory = region(def.plan());
    let mut grid = Grid::new(&def, &mut Arena::new(&mut memory))?;
    grid.restore_state(bytes)?;
    work(&mut grid)
}

/// A search or a replanner is read and goes on to its end.
fn search_figures(name: &str, bytes: &[u8], files: &Files) -> Result<String> {
    let of = |prefix: &str| name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(".opgs"));
    with_grid(files, |grid| {
        if let Some((_, def_of)) = REPLANNERS.into_iter().find(|(called, _)| of("replanner-") == Some(called)) {
            let def = def_of(SIDE * SIDE);
            let mut memory = region(def.plan());
            let mut planner = GridReplanner::new(&def, &mut Arena::new(&mut memory))?;
            planner.restore_state(grid, bytes)?;
            let found = planner.replan(grid, u64::MAX)?;
            return Ok(format!(
                "cost {:016x}, {} cells, {} pops",
                found.cost.to_bits(),
                found.length,
                found.iterations
            ));
        }
        let one = grid_states::searches().into_iter().find(|one| of("search-") == Some(one.name));
        let one = one.ok_or(Error::invalid(Subject::Bytes))?;
        let mut memory = region(one.def.plan());
        let mut search = GridSearch::new(&one.def, &mut Arena::new(&mut memory))?;
        search.restore_state(grid, &one.options, bytes)?;
        search.step(grid, u64::MAX)?;
        let found = search.outcome();
        Ok(format!("cost {:016x}, {} cells, {} pops", found.cost.to_bits(), found.length, found.iterations))
    })
}

fn flow_figures(bytes: &[u8], files: &Files) -> Result<String> {
    let def = GridFlowDef { goals: 1, ..GridFlowDef::of_cells(SIDE * SIDE) };
    let mut memory = region(def.plan());
    with_grid(files, |grid| {
        let mut field = GridFlowField::new(&def, &mut Arena::new(&mut memory))?;
        field.begin(grid, &[GOAL.into()], &FlowOptions::DEFAULT)?;
        field.restore_state(grid, bytes)?;
        field.finish(grid)?;
        let mut hash = Fnv1a::new();
        (0..SIDE * SIDE).for_each(|cell| hash.update(&field.cost_at(grid.cell_of(cell)).to_bits().to_le_bytes()));
        Ok(format!("costs {:016x}", hash.finish()))
    })
}

fn corridor_figures(bytes: &[u8], files: &Files) -> Result<String> {
    with_mesh(file(files, "mesh.onpm")?, |mesh, query| {
        let mut memory = region(Corridor::plan(CORRIDOR));
        let mut corridor = Corridor::new(CORRIDOR, &mut Arena::new(&mut memory))?;
        corridor.restore_state(bytes)?;
        let corners = corridor.find_corners(mesh, query, 8)?;
        let (polygons, length) = (corridor.path().len(), corners.length.to_bits());
        Ok(format!("{polygons} polygons, length {length:016x}, hash {:016x}", corridor.state_hash()))
    })
}

fn follower_figures(bytes: &[u8], files: &Files) -> Result<String> {
    with_mesh(file(files, "mesh.onpm")?, |mesh, query| {
        let mut memory = region(FOLLOWER.plan());
        let mut follower = Follower::new(&FOLLOWER, &mut Arena::new(&mut memory))?;
        follower.restore_state(bytes)?;
        let read = follower.state_hash();
        for _ in 0..STEPS {
            follower.step(mesh, query, &Filter::ALL, DT)?;
        }
        Ok(format!("hash {read:016x}, after {STEPS} steps {:016x}", follower.state_hash()))
    })
}

fn crowd_figures(name: &str, bytes: &[u8], files: &Files) -> Result<String> {
    let mut memory = region(CROWD.plan());
    let mut crowd = Crowd::new(&CROWD, &mut Arena::new(&mut memory))?;
    with_mesh(file(files, "mesh.onpm")?, |mesh, query| {
        match name {
            "crowd.opcs" => crowd.restore_state(mesh, bytes)?,
            _ => crowd.restore_state_with_mesh(mesh, bytes, &TileLibrary::NONE)?,
        }
        let read = crowd.state_hash(mesh);
        walk(&mut crowd, mesh, query)?;
        Ok(format!("{} agents, hash {read:016x}, after {STEPS} steps {:016x}", crowd.len(), crowd.state_hash(mesh)))
    })
}

fn walk(crowd: &mut Crowd<'_>, mesh: &NavMesh<'_>, query: &mut Query<'_>) -> Result<()> {
    (0..STEPS).try_for_each(|_| crowd.step(mesh, query, &Filter::ALL, DT))
}

/// One of every format, as this version writes them.
///
/// # Errors
/// None but a mistake in this function.
pub fn write() -> Result<Files> {
    let mut files = Files::new();
    write_meshes(&mut files)?;
    write_walkers(&mut files)?;
    write_grids(&mut files)?;
    Ok(files)
}

fn write_meshes(files: &mut Files) -> Result<()> {
    let tiles = bake(&LEVEL.generate(LEVEL_SIZE, 1), &SETTINGS, &Alone)?;
    with_empty_mesh(|mesh| {
        tiles.iter().try_for_each(|bytes| mesh.stage_tile(bytes))?;
        mesh.commit()?;
        let mut random = SplitMix64::new(1);
        for area in 1..4 {
            if let Some(drawn) = random_point(mesh, &mut random, &Filter::ALL) {
                mesh.set_area(drawn.polygon, area)?;
                mesh.set_flags(drawn.polygon, 1 | 2 << area)?;
            }
        }
        files.insert("mesh.onpm".into(), written(mesh.save_size(), |out| mesh.save(out))?);
        let envelope = written(NavFile::save_size(mesh, &[]), |out| NavFile::save(mesh, &SETTINGS, &[], out))?;
        files.insert("mesh.onnm".into(), envelope);
        for (name, mode) in [("mesh-full.onps", SnapshotMode::Full), ("mesh-referenced.onps", SnapshotMode::Referenced)]
        {
            files.insert(name.into(), written(mesh.snapshot_size(mode), |out| mesh.snapshot(mode, out))?);
        }
        Ok(())
    })?;
    files.extend(tiles.into_iter().enumerate().map(|(index, tile)| (format!("tile-{index}.onpt"), tile)));
    Ok(())
}

fn write_walkers(files: &mut Files) -> Result<()> {
    let mesh_bytes = file(files, "mesh.onpm")?.to_vec();
    with_mesh(&mesh_bytes, |mesh, query| {
        let mut random = SplitMix64::new(2);
        let [from, to] = [(); 2].map(|()| place(mesh, &mut random));

        let mut memory = region(Corridor::plan(CORRIDOR));
        let mut corridor = Corridor::new(CORRIDOR, &mut Arena::new(&mut memory))?;
        query.find_path(mesh, from, to, &Filter::ALL)?;
        corridor.set_path(&query.path())?;
        files.insert("corridor.opcs".into(), written(corridor.state_size(), |out| corridor.save_state(out))?);

        let mut memory = region(FOLLOWER.plan());
        let mut follower = Follower::new(&FOLLOWER, &mut Arena::new(&mut memory))?;
        follower.place(mesh, from, &Filter::ALL)?;
        follower.set_destination(mesh, query, to, &Filter::ALL)?;
        for _ in 0..STEPS {
            follower.step(mesh, query, &Filter::ALL, DT)?;
        }
        files.insert("follower.opcs".into(), written(follower.state_size(), |out| follower.save_state(out))?);

        let mut memory = region(CROWD.plan());
        let mut crowd = Crowd::new(&CROWD, &mut Arena::new(&mut memory))?;
        for options in [AgentOptions::HUMANOID, AgentOptions::SMALL, AgentOptions::HUMANOID] {
            let agent = crowd.add(mesh, place(mesh, &mut random), &options, &Filter::ALL)?;
            crowd.set_destination(mesh, query, agent, place(mesh, &mut random), &Filter::ALL)?;
        }
        walk(&mut crowd, mesh, query)?;
        files.insert("crowd.opcs".into(), written(crowd.state_size(mesh), |out| crowd.save_state(mesh, out))?);
        let mode = SnapshotMode::Full;
        let size = crowd.state_size_with_mesh(mesh, mode);
        let both = written(size, |out| crowd.save_state_with_mesh(mesh, mode, out))?;
        files.insert("crowd-and-mesh.opcs".into(), both);
        Ok(())
    })
}

/// The grid, and every search over it amid its work.
fn write_grids(files: &mut Files) -> Result<()> {
    grid_states::with_grid(|grid| {
        files.insert("grid.opgs".into(), written(grid.state_size(), |out| grid.save_state(out))?);
        for one in grid_states::searches() {
            let mut memory = region(one.def.plan());
            let mut search = GridSearch::new(&one.def, &mut Arena::new(&mut memory))?;
            one.begin(grid, &mut search);
            files.insert(format!("search-{}.opgs", one.name), grid_states::saved(grid, &search));
        }
        for (name, def_of) in REPLANNERS {
            let def = def_of(SIDE * SIDE);
            let mut memory = region(def.plan());
            let mut planner = GridReplanner::new(&def, &mut Arena::new(&mut memory))?;
            planner.begin(grid, START, GOAL)?;
            planner.replan(grid, 30)?;
            let bytes = written(planner.state_size(grid)?, |out| planner.save_state(grid, out))?;
            files.insert(format!("replanner-{name}.opgs"), bytes);
        }
        let def = GridFlowDef { goals: 1, ..GridFlowDef::of_cells(SIDE * SIDE) };
        let mut memory = region(def.plan());
        let mut field = GridFlowField::new(&def, &mut Arena::new(&mut memory))?;
        field.begin(grid, &[GOAL.into()], &FlowOptions::DEFAULT)?;
        field.step(grid, 30)?;
        files.insert("flow.opgs".into(), written(field.state_size(grid)?, |out| field.save_state(grid, out))?);
        Ok(())
    })
}
