//! Meshes: tiles that come and go, links, edits, and the bytes they are saved in.

use alloc::vec;
use alloc::vec::Vec;
use navarena::error::Result;
use navarena::math::SplitMix64;
use navarena::memory::Arena;
use navarena::mesh::{LinkDef, NavMesh};
use navarena::query::{Filter, random_point};
use navarena_fixtures::Kind;

use crate::level::{SETTINGS, SIZE, bake, mesh_def, region, with_mesh};
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "mesh/edits", run: edits },
    Scenario { name: "mesh/links", run: links },
    Scenario { name: "mesh/restored", run: restored },
    Scenario { name: "mesh/tiles-come-and-go", run: tiles_come_and_go },
];

fn saved(mesh: &NavMesh<'_>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; mesh.save_size()];
    mesh.save(&mut bytes)?;
    Ok(bytes)
}

fn tiles_come_and_go(record: &mut Record<'_>) -> Result<()> {
    let tiles = bake(&Kind::Overlapping.generate(SIZE, 1), &SETTINGS, record.crew())?;
    let def = mesh_def(&SETTINGS);
    let mut memory = region(def.plan());
    let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut memory))?;
    let mut random = SplitMix64::new(1);
    for _ in 0..40 {
        let tile = &tiles[random.below(tiles.len() as u64) as usize];
        // One that is there already is a refusal, and the next one to go.
        if mesh.add_tile(tile).is_err() {
            let there = mesh.tiles().next().map(|tile| (tile.x, tile.z, tile.layer));
            if let Some((x, z, layer)) = there {
                mesh.remove_tile(x, z, layer)?;
            }
        }
        record.bytes(&saved(&mesh)?);
    }
    Ok(())
}

fn restored(record: &mut Record<'_>) -> Result<()> {
    let bytes = with_mesh(Kind::City, record.crew(), |mesh| saved(mesh))?;
    let def = mesh_def(&SETTINGS);
    let mut memory = region(def.plan());
    let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut memory))?;
    mesh.restore(&bytes)?;
    record.bytes(&bytes);
    record.bytes(&saved(&mesh)?);
    Ok(())
}

fn edits(record: &mut Record<'_>) -> Result<()> {
    let bytes = with_mesh(Kind::Stairs, record.crew(), |mesh| {
        let mut random = SplitMix64::new(2);
        for _ in 0..30 {
            if let Some(drawn) = random_point(mesh, &mut random, &Filter::ALL) {
                mesh.set_area(drawn.polygon, random.below(64) as u8)?;
                mesh.set_flags(drawn.polygon, random.next_u64() as u16 | 1)?;
            }
        }
        saved(mesh)
    })?;
    record.bytes(&bytes);
    Ok(())
}

fn links(record: &mut Record<'_>) -> Result<()> {
    let crew = record.crew();
    with_mesh(Kind::Overlapping, crew, |mesh| {
        let mut random = SplitMix64::new(3);
        for _ in 0..6 {
            let ends =
                [(); 2].map(|()| random_point(mesh, &mut random, &Filter::ALL).map_or([0.0; 3], |one| one.point));
            mesh.stage_link(&LinkDef::between(ends[0], ends[1]))?;
        }
        mesh.commit()?;
        for link in mesh.links() {
            let state = mesh.link_state(link)?;
            record.count(state.attached);
            for crossing in mesh.link_crossings(link)? {
                crossing.polygons.iter().for_each(|polygon| record.count(polygon.0));
                record.numbers(crossing.points.as_flattened());
            }
        }
        Ok(())
    })
}
