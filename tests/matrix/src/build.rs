//! The 3D builder: each stage's product, each partition's tiles, and levels of every kind.

use navarena::build3d::compact::Compact;
use navarena::build3d::contours::{ContourSettings, Contours};
use navarena::build3d::detail::{DetailMesh, DetailSettings};
use navarena::build3d::erosion::erode;
use navarena::build3d::filters::filter_walkable;
use navarena::build3d::frame::Frame;
use navarena::build3d::heightfield::Heightfield;
use navarena::build3d::local::TileCoordinates;
use navarena::build3d::polygons::{PolyMesh, PolySettings};
use navarena::build3d::rasterize::{Areas, Soup, Vertices, rasterize};
use navarena::build3d::regions::distance::distance_field;
use navarena::build3d::regions::{RegionSettings, partition};
use navarena::error::Result;
use navarena::math::cosine_of_degrees;
use navarena::memory::{Arena, Ruler};
use navarena::mesh::{NavSettings, Partition};
use navarena_fixtures::{Kind, yard};

use crate::level::{SETTINGS, SIZE, bake, region};
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "build/stages/layers", run: |record| stages(record, Partition::Layers) },
    Scenario { name: "build/stages/monotone", run: |record| stages(record, Partition::Monotone) },
    Scenario { name: "build/stages/watershed", run: |record| stages(record, Partition::Watershed) },
    Scenario { name: "build/tiles/city", run: |record| level(record, Kind::City) },
    Scenario { name: "build/tiles/layers", run: |record| partitioned(record, Partition::Layers) },
    Scenario { name: "build/tiles/monotone", run: |record| partitioned(record, Partition::Monotone) },
    Scenario { name: "build/tiles/overlapping", run: |record| level(record, Kind::Overlapping) },
    Scenario { name: "build/tiles/ramps", run: |record| level(record, Kind::Ramps) },
    Scenario { name: "build/tiles/slivers", run: |record| level(record, Kind::Slivers) },
    Scenario { name: "build/tiles/stairs", run: |record| level(record, Kind::Stairs) },
    Scenario { name: "build/tiles/terraces", run: |record| level(record, Kind::Terraces) },
    Scenario { name: "build/tiles/tilemap", run: |record| level(record, Kind::TileMap) },
    Scenario { name: "build/tiles/yard", run: demo_yard },
];

fn level(record: &mut Record<'_>, kind: Kind) -> Result<()> {
    let tiles = bake(&kind.generate(SIZE, 1), &SETTINGS, record.crew())?;
    tiles.iter().for_each(|bytes| record.bytes(bytes));
    Ok(())
}

fn demo_yard(record: &mut Record<'_>) -> Result<()> {
    let tiles = bake(&yard::level(), &SETTINGS, record.crew())?;
    tiles.iter().for_each(|bytes| record.bytes(bytes));
    Ok(())
}

fn partitioned(record: &mut Record<'_>, partition: Partition) -> Result<()> {
    let settings = NavSettings { partition, ..SETTINGS };
    let tiles = bake(&Kind::Overlapping.generate(SIZE, 2), &settings, record.crew())?;
    tiles.iter().for_each(|bytes| record.bytes(bytes));
    Ok(())
}

/// A small level taken through the stages one by one, by the settings of a person in cells of a quarter.
fn stages(record: &mut Record<'_>, by: Partition) -> Result<()> {
    const CELL: f32 = 0.25;
    const RADIUS: u32 = 2;
    let (height, climb) = (8, 2);
    let level = Kind::Ramps.generate(16, 3);
    let frame = Frame::new([-1.0, -1.0, -1.0], CELL, CELL, 72, 72, 120)?;
    let mut memory = region(Ruler::new().array::<u8>(3 << 20).plan());
    let mut arena = Arena::new(&mut memory);

    let mut solid = Heightfield::new(frame, 20_000, &mut arena)?;
    let soup = Soup::new(Vertices::Single(&level.vertices), &level.triangles);
    let stats = rasterize(&mut solid, &soup, Areas::walkable(cosine_of_degrees(45.0)), climb)?;
    record.index(stats.degenerate);
    filter_walkable(&mut solid, height, climb);
    for column in 0..72 * 72 {
        for span in solid.column(column) {
            [span.min(), span.max()].into_iter().for_each(|row| record.count(row));
            record.count(span.area());
        }
    }
    let mut field = Compact::build(&solid, height, climb, &mut arena)?;
    erode(&mut field, RADIUS, &mut arena)?;
    field.spans.iter().for_each(|span| record.count(span.links));
    record.bytes(field.areas);
    let distances = distance_field(&field, &mut arena)?;
    distances.iter().for_each(|&distance| record.count(distance));

    let settings =
        RegionSettings { partition: by, min_region_area: 8, merge_region_area: 20, ..RegionSettings::default() };
    let dropped = partition(&mut field, &settings, &mut arena)?;
    record.count(dropped);
    field.regions.iter().for_each(|&region| record.count(region));

    let contours = Contours::build(&field, &ContourSettings::DEFAULT, &mut arena)?;
    for vertex in contours.vertices.iter() {
        [vertex.x, vertex.z, vertex.y, vertex.neighbor].into_iter().for_each(|part| record.count(part as u32));
    }
    let mut coordinates = TileCoordinates {
        border: 0,
        tile_cells: 72,
        cell_size: CELL.into(),
        cell_height: CELL.into(),
        tile_size: 18.0,
        min_row: 0,
    };
    let settings = PolySettings { max_verts: 6, coordinates, max_polygons: 4096, max_vertices: 8192 };
    let polygons = PolyMesh::build(&contours, &settings, &mut arena)?;
    polygons.indices.iter().for_each(|&index| record.count(index));
    coordinates.min_row = polygons.rows().map_or(0, |(low, _)| low);
    let settings = DetailSettings {
        sample_distance: 1.5,
        max_error: 0.2,
        walkable_climb: climb,
        max_vertices: 8192,
        max_triangles: 16_384,
    };
    let detail = DetailMesh::build(&field, &polygons, &coordinates, &settings, &mut arena)?;
    detail.vertices.iter().flatten().for_each(|&value| record.single(value));
    record.bytes(detail.triangles.as_flattened());
    Ok(())
}
