//! The mesh lines, computed by the core alone.

use navarena::memory::Arena;
use navarena::mesh::{NavMesh, NavSettings, PolyRef};
use navarena::query::{Filter, Query, QueryDef};
use navarena_std::obj::Geometry;

use super::Outcome;
use crate::ours::{Rules, Workshop, region};

/// The 40x40 floor of two triangles.
pub(super) fn floor() -> Geometry {
    Geometry {
        vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 40.0], [40.0, 0.0, 40.0], [40.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// `mesh-floor`: a path across the floor, on the one polygon that the crowd answers settle (`readings.md`).
pub fn mesh_floor(want: &str) -> Outcome {
    let level = floor();
    let answer = Workshop::new(&level, &NavSettings::HUMANOID, Rules::Page).and_then(|mut shop| {
        shop.bake(|mesh, _| {
            if let Some(wrong) = other_floor(mesh) {
                return Ok(format!("another floor: {wrong}"));
            }
            let mut memory = region(QueryDef::DEFAULT.plan());
            let mut query = Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut memory))?;
            let outcome = query.find_path(mesh, [3.0, 0.0, 3.0], [36.0, 0.0, 36.0], &Filter::ALL)?;
            let has_path = if outcome.has_path() { "has path" } else { "no path" };
            Ok(format!("{has_path}, length {:.4}, {} points", outcome.length, query.path().points().len()))
        })
    });
    match answer {
        Ok(Ok(got)) => Outcome::compare(&got, want),
        Ok(Err(error)) | Err(error) => Outcome::Fail(error.to_string()),
    }
}

/// What is not as the readings describe the floor: one tile, one polygon of reference 1 << 40, its sides 3 and 131
/// cells of 64/214 from the corner, as float32.
fn other_floor(mesh: &NavMesh<'_>) -> Option<String> {
    let Some(tile) = mesh.tiles().next() else { return Some("no tile".to_string()) };
    let reference = tile.reference.polygon(0);
    if (mesh.tile_count(), tile.polygons.len(), reference) != (1, 1, PolyRef(1 << 40)) {
        return Some(format!("{} tiles, {} polygons, {:#x}", mesh.tile_count(), tile.polygons.len(), reference.0));
    }
    let [near, far] = [3.0, 131.0].map(|cells| (cells * (64.0 / 214.0)) as f32);
    let mut corners: Vec<[f32; 2]> = tile.vertices.iter().map(|&[x, _, z]| [x, z]).collect();
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    (corners != [[near, near], [near, far], [far, near], [far, far]]).then(|| format!("corners {corners:?}"))
}
