//! The lines of the 2D builder, computed by the core alone: the 30 by 20 map with a block in the middle.

use navarena::build2d::{FloorBuilder, FloorDef, FloorInput};
use navarena::error::Result;
use navarena::grid::{Grid, GridDef};
use navarena::memory::Arena;
use navarena::mesh::{MeshDef, NavFile, NavMesh, NavSettings};
use navarena::query::{Filter, Query, QueryDef, nearest_polygon, raycast};

use super::Outcome;
use crate::ours::{region, written};

const SETTINGS: NavSettings = NavSettings::HUMANOID;
const START: [f64; 3] = [2.0, 0.0, 9.0];
const GOAL: [f64; 3] = [28.0, 0.0, 9.0];

/// `mesh2d-path`: around the block.
pub fn path(want: &str) -> Outcome {
    judge(want, |mesh| {
        let (length, points) = path_of(mesh)?;
        let points: Vec<String> = points.iter().map(point).collect();
        Ok(format!("length {length:.4}; points {} exact", points.join(" ")))
    })
}

/// `mesh2d-ray`: straight at the block.
pub fn ray(want: &str) -> Outcome {
    judge(want, |mesh| {
        let Some(start) = nearest_polygon(mesh, START, [1.0; 3], &Filter::ALL)? else {
            return Ok("no start".to_string());
        };
        let ray = raycast(mesh, start.polygon, start.point, GOAL, &Filter::ALL, &mut [])?;
        let hit = if ray.is_hit() { "hit" } else { "no hit" };
        let at = ray.point(mesh, start.point, GOAL).unwrap_or([f64::NAN; 3]);
        Ok(format!("{hit} at {} exact", point(&at)))
    })
}

/// `mesh2d-snap`: a point within the block.
pub fn snap(want: &str) -> Outcome {
    judge(want, |mesh| {
        let nearest = nearest_polygon(mesh, [15.0, 0.0, 9.0], [5.0; 3], &Filter::ALL)?;
        Ok(nearest.map_or("none".to_string(), |nearest| format!("{} exact", point(&nearest.point))))
    })
}

/// `mesh2d-save`: the envelope's size, and the path again on what was loaded from it.
pub fn save(want: &str) -> Outcome {
    judge(want, |mesh| {
        let bytes = written(NavFile::save_size(mesh, &[]), |out| NavFile::save(mesh, &SETTINGS, &[], out))?;
        let file = NavFile::open(&bytes)?;
        let def = MeshDef::of(file.settings());
        let mut memory = region(def.plan());
        let mut loaded = NavMesh::new(&def, &mut Arena::new(&mut memory))?;
        loaded.restore(file.mesh_bytes())?;
        let same = if path_of(&loaded)? == path_of(mesh)? { "the same path" } else { "another path" };
        Ok(format!("{} bytes; the loaded mesh gives {same}", bytes.len()))
    })
}

fn path_of(mesh: &NavMesh<'_>) -> Result<(f64, Vec<[f64; 3]>)> {
    let mut memory = region(QueryDef::DEFAULT.plan());
    let mut query = Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut memory))?;
    let outcome = query.find_path(mesh, START, GOAL, &Filter::ALL)?;
    Ok((outcome.length, query.path().points().iter().map(|point| point.position).collect()))
}

/// A point as the answers write it: every digit, so that equal texts are equal bits.
fn point([x, y, z]: &[f64; 3]) -> String {
    format!("({x},{y},{z})")
}

/// Builds the mesh from the map's picture and compares what `ask` reads off it.
fn judge(want: &str, ask: impl FnOnce(&NavMesh<'_>) -> Result<String>) -> Outcome {
    match with_hall(ask) {
        Ok(got) => Outcome::compare(&got, want),
        Err(error) => Outcome::Fail(error.to_string()),
    }
}

fn with_hall<R>(ask: impl FnOnce(&NavMesh<'_>) -> Result<R>) -> Result<R> {
    let (open, block) = (".".repeat(30) + "\n", "...........########...........\n".repeat(6));
    let picture = open.repeat(6) + &block + &open.repeat(8);
    let def = GridDef::of_picture(&picture)?;
    let mut memory = region(def.plan());
    let grid = Grid::from_picture(&picture, &def, &mut Arena::new(&mut memory))?;
    let def = FloorDef::of(SETTINGS);
    let mut work = region(def.plan());
    let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut work))?;
    let def = MeshDef::of(&SETTINGS);
    let mut memory = region(def.plan());
    let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut memory))?;
    builder.begin(&FloorInput::of_grid(&grid))?;
    while let Some(tile) = builder.next_tile()? {
        mesh.stage_tile_data(&tile)?;
    }
    mesh.commit()?;
    ask(&mesh)
}
