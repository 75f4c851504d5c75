//! The mesh of the floor as it stands: built anew when a pillar comes or goes, and put into the mesh tile by tile where a tile is
//! another than before.

use navarena::build2d::{FloorBuilder, FloorDef, FloorLimits};
use navarena::error::Result;
use navarena::geometry::region::RegionDef;
use navarena::hash::sha256;
use navarena::mesh::{MeshDef, MeshLimits, NavMesh, NavSettings};

use crate::level::{Pillars, SIZE};

/// How the floor is cut up and how much room those who walk on it take.
pub const SETTINGS: NavSettings =
    NavSettings { agent_radius: 0.4, cell_size: 0.25, tile_size: 16.0, ..NavSettings::HUMANOID };
const COLUMNS: usize = tiles_along(SIZE[0]);
const ROWS: usize = tiles_along(SIZE[1]);

/// What builds the floor.
pub const FLOOR: FloorDef<'static> = FloorDef {
    limits: FloorLimits {
        region: RegionDef { edges: 1024, crossings: 1024, segments: 2048, points: 1024, rings: 128 },
        bytes: 320 << 10,
    },
    ..FloorDef::of(SETTINGS)
};

/// The mesh, with room for every tile twice: a commit holds old and new.
pub const MESH: MeshDef = MeshDef {
    limits: MeshLimits {
        tiles: (COLUMNS * ROWS) as u32,
        vertices: 1024,
        polygons: 640,
        edges: 2560,
        portals: 128,
        links: 256,
        detail_vertices: 0,
        detail_triangles: 0,
        off_mesh_links: 0,
        link_crossings: 0,
        staged: (COLUMNS * ROWS) as u32,
        staged_edits: 0,
    },
    ..MeshDef::of(&SETTINGS)
};

/// A tile's bytes at most.
pub const TILE_BYTES: usize = 12 << 10;

const fn tiles_along(side: f64) -> usize {
    let whole = (side / SETTINGS.tile_size) as usize;
    if whole as f64 * SETTINGS.tile_size < side { whole + 1 } else { whole }
}

/// Builds the floor with its pillars and changes the mesh to it.
///
/// # Errors
/// A limit of the builder or of the mesh, which leaves the mesh as it is.
pub fn lay(
    pillars: &Pillars,
    builder: &mut FloorBuilder<'_>,
    mesh: &mut NavMesh<'_>,
    tile_bytes: &mut [u8],
) -> Result<()> {
    let staged = stage(pillars, builder, mesh, tile_bytes).and_then(|()| mesh.commit());
    if staged.is_err() {
        mesh.discard_staged();
    }
    staged
}

fn stage(
    pillars: &Pillars,
    builder: &mut FloorBuilder<'_>,
    mesh: &mut NavMesh<'_>,
    tile_bytes: &mut [u8],
) -> Result<()> {
    pillars.with_input(|input| builder.begin(input))?;
    let params = *builder.params();
    let mut is_laid = [[false; COLUMNS]; ROWS];
    while let Some(tile) = builder.next_tile()? {
        if let Some(place) = is_laid.get_mut(tile.z as usize).and_then(|row| row.get_mut(tile.x as usize)) {
            *place = true;
        }
        let (at, size) = ((tile.x, tile.z), tile.write(&params, tile_bytes)?);
        let bytes = &tile_bytes[..size];
        let before = mesh.tile_at(at.0, at.1, 0).and_then(|tile| mesh.content_id(tile.reference.slot() as usize));
        // A tile that is put in anew sends everybody on it to look for another way.
        if before != Some(sha256(bytes)) {
            mesh.stage_tile(bytes)?;
        }
    }
    for (z, row) in is_laid.iter().enumerate() {
        for (x, &is_laid) in row.iter().enumerate() {
            if !is_laid && mesh.tile_at(x as i32, z as i32, 0).is_some() {
                mesh.stage_tile_removal(x as i32, z as i32, 0)?;
            }
        }
    }
    Ok(())
}
