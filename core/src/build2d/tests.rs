//! Floors against what the page promises of them, exactly.

use super::*;
use crate::error::{ErrorKind, Result, Subject};
use crate::geometry::region::{Outline, RegionDef, TileCells, TileMap};
use crate::memory::{Arena, Grain};
use crate::mesh::{MeshDef, MeshLimits, NavFile, NavMesh, NavSettings};
use crate::query::{Filter, Query, QueryDef};
use std::vec;
use std::vec::Vec;

crate::memory::assert_portable!(FloorBuilder);

pub(super) const REGION: RegionDef =
    RegionDef { edges: 1 << 13, crossings: 1 << 13, segments: 1 << 15, points: 1 << 13, rings: 1 << 10 };
pub(super) const LIMITS: FloorLimits = FloorLimits { region: REGION, bytes: 16 << 20 };

/// The 30 by 20 cells of the published answers, with a block in the middle.
fn hall() -> Vec<bool> {
    (0..600).map(|i| !((11..19).contains(&(i % 30)) && (6..12).contains(&(i / 30)))).collect()
}

#[test]
fn the_published_hall_comes_out_to_the_bit() {
    let cells = hall();
    let map = TileMap { cells: TileCells::Where(&cells), width: 30, height: 20, cell_size: 1.0, origin: [0.0; 2] };
    let def = FloorDef { limits: LIMITS, ..FloorDef::HUMANOID };
    let mut work = vec![Grain::ZERO; def.plan().grains()];
    let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut work)).unwrap();
    let mesh_def = MeshDef { limits: MeshLimits { tiles: 4, staged: 4, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
    let mut memory = vec![Grain::ZERO; mesh_def.plan().grains()];
    let mut mesh = NavMesh::new(&mesh_def, &mut Arena::new(&mut memory)).unwrap();
    builder.begin(&FloorInput::TileMap(map)).unwrap();
    while let Some(tile) = builder.next_tile().unwrap() {
        mesh.stage_tile_data(&tile).unwrap();
    }
    mesh.commit().unwrap();
    std::eprintln!("{:?}", builder.report());
    for tile in mesh.tiles() {
        std::eprintln!("{:?}", tile.vertices);
        for p in 0..tile.polygons.len() {
            std::eprintln!("{:?}", tile.edges_of(&tile.polygons[p]).iter().map(|e| e.vertex).collect::<Vec<_>>());
        }
    }
    assert_eq!(NavFile::save_size(&mesh, &[]), 793);
    let mut memory = vec![Grain::ZERO; QueryDef::DEFAULT.plan().grains()];
    let mut query = Query::new(&QueryDef::DEFAULT, &mut Arena::new(&mut memory)).unwrap();
    let found = query.find_path(&mesh, [2.0, 0.0, 9.0], [28.0, 0.0, 9.0], &Filter::ALL).unwrap();
    std::eprintln!("{found:?} {:?}", query.path().points());
}
