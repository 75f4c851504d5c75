//! The plane: regions of outlines and of tile maps, operations on them, triangulations, and the floors built of them.

use alloc::vec::Vec;
use navarena::build2d::{FloorBuilder, FloorDef, FloorInput, FloorLimits};
use navarena::error::Result;
use navarena::geometry::convex::partition_convex;
use navarena::geometry::region::{Edge, Outline, Region, RegionBuilder, RegionDef, SnapGrid, TileCells, TileMap};
use navarena::geometry::triangulation::{inside, triangulate};
use navarena::math::SplitMix64;
use navarena::memory::{Arena, Ruler};
use navarena::mesh::NavSettings;

use crate::level::region;
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "plane/floor-map", run: floor_of_map },
    Scenario { name: "plane/floor-outlines", run: floor_of_outlines },
    Scenario { name: "plane/regions", run: regions },
    Scenario { name: "plane/triangles", run: triangles },
];

/// Room for inputs of some hundred corners.
const REGION: RegionDef = RegionDef { edges: 2048, crossings: 2048, segments: 4096, points: 2048, rings: 256 };
const BYTES: usize = 2 << 20;

type Rings = Vec<Vec<[f64; 2]>>;

/// Outlines that overlap, cross themselves and have holes, within 64 units.
fn outlines(random: &mut SplitMix64, count: usize) -> Vec<Rings> {
    let mut coordinate = |bound: u64| random.below(bound * 512) as f64 / 512.0;
    let mut ring =
        |corners: usize| -> Vec<[f64; 2]> { (0..corners).map(|_| [coordinate(64), coordinate(64)]).collect() };
    (0..count).map(|i| (0..1 + i % 2).map(|hole| ring(5 + i % 4 - hole)).collect()).collect()
}

fn with_outlines<R>(outlines: &[Rings], ask: impl FnOnce(&[Outline<'_>]) -> R) -> R {
    let rings: Vec<Vec<&[[f64; 2]]>> = outlines.iter().map(|o| o.iter().map(Vec::as_slice).collect()).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    ask(&outlines)
}

fn record_region(record: &mut Record<'_>, region: &Region<'_>) {
    region.ends.iter().for_each(|&end| record.count(end));
    for point in region.points {
        [point.x, point.y].into_iter().for_each(|v| record.count(v as u64));
    }
    record.number(region.area());
}

fn regions(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(71);
    let mut memory = region(Ruler::new().array::<u8>(BYTES).plan());
    for round in 0..8 {
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&REGION)?;
        let grid = SnapGrid::new(4 + round)?;
        let [first, second] = [0; 2].map(|_| outlines(&mut random, 5));
        let a = with_outlines(&first, |o| builder.from_outlines(o, grid, &mut arena))?;
        let b = with_outlines(&second, |o| builder.from_outlines(o, grid, &mut arena))?;
        for made in [
            builder.union(&a, &b, &mut arena)?,
            builder.intersection(&a, &b, &mut arena)?,
            builder.difference(&a, &b, &mut arena)?,
            builder.symmetric_difference(&a, &b, &mut arena)?,
            builder.shrink(&a, 0.7, 0.01, &mut arena)?,
        ] {
            record_region(record, &made);
        }
    }
    Ok(())
}

fn triangles(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(72);
    let mut memory = region(Ruler::new().array::<u8>(BYTES).plan());
    for _ in 0..4 {
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&REGION)?;
        let rings = outlines(&mut random, 6);
        let made = with_outlines(&rings, |o| builder.from_outlines(o, SnapGrid::new(6)?, &mut arena))?;
        let edges: Vec<Edge> = made.edges().map(|[a, b]| Edge { a, b, delta: [1, 0] }).collect();
        let noded = builder.arrange(&edges, &mut arena)?;
        let net = triangulate(noded.vertices, noded.segments, &mut arena)?;
        let kept = inside(net, noded.segments, &mut arena)?;
        kept.iter().flat_map(|triangle| triangle.vertices).for_each(|v| record.count(v));
        let polygons = partition_convex(noded.vertices, kept, 6, &mut arena)?;
        [polygons.ends, polygons.indices, polygons.neighbors].into_iter().flatten().for_each(|&v| record.count(v));
    }
    Ok(())
}

/// Builds a floor and records every tile's bytes.
fn record_floor(record: &mut Record<'_>, settings: &NavSettings, input: &FloorInput<'_>) -> Result<()> {
    let def = FloorDef { limits: FloorLimits { region: REGION, bytes: BYTES }, ..FloorDef::of(*settings) };
    let mut memory = region(def.plan());
    let mut builder = FloorBuilder::new(&def, &mut Arena::new(&mut memory))?;
    builder.begin(input)?;
    let params = *builder.params();
    while let Some(tile) = builder.next_tile()? {
        let mut bytes = alloc::vec![0; tile.byte_size()];
        tile.write(&params, &mut bytes)?;
        record.bytes(&bytes);
    }
    Ok(())
}

fn floor_of_map(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(73);
    let cells: Vec<bool> = (0..16 * 12).map(|_| random.below(10) < 6).collect();
    let map = TileMap { cells: TileCells::Where(&cells), width: 16, height: 12, cell_size: 2.0, origin: [0.0; 2] };
    for agent_radius in [0.0, 0.5, 0.75] {
        for tile_size in [64.0, 8.0] {
            let settings = NavSettings { agent_radius, tile_size, cell_size: 0.25, ..NavSettings::HUMANOID };
            record_floor(record, &settings, &FloorInput::TileMap(map))?;
        }
    }
    Ok(())
}

fn floor_of_outlines(record: &mut Record<'_>) -> Result<()> {
    let mut random = SplitMix64::new(74);
    let [first, second] = [6, 2].map(|count| outlines(&mut random, count));
    with_outlines(&first, |walkable| {
        with_outlines(&second, |obstacles| {
            for settings in [
                NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID },
                NavSettings { tile_size: 8.0, snap_bits: Some(6), floor_y: 2.5, ..NavSettings::SMALL },
            ] {
                record_floor(record, &settings, &FloorInput::Outlines { walkable, obstacles })?;
            }
            Ok(())
        })
    })
}
