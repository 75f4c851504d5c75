//! Claims about whole bakes: what comes out, what is refused, and that a refusal costs nothing.

use super::voxel_chunk::{ALL_WALKABLE, VoxelChunk, VoxelRun};
use super::*;
use crate::build3d::IslandRule;
use crate::error::{ErrorKind, Subject};
use crate::memory::{Arena, Grain};
use crate::mesh::{MeshDef, NavMesh, NavSettings, OffMeshLinkDef, Partition};
use std::vec;
use std::vec::Vec;

crate::memory::assert_portable!(Baker);
crate::memory::assert_portable!(TileIndex);

/// A level of triangles made of axis-aligned pieces.
#[derive(Clone, Default)]
struct Level {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Level {
    /// A floor between two corners at a height.
    fn floor(mut self, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2], y: f64) -> Level {
        let first = self.vertices.len() as u32;
        self.vertices.extend([[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]);
        self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        self
    }

    /// A closed box with its faces outwards.
    fn block(mut self, low: [f64; 3], high: [f64; 3]) -> Level {
        let first = self.vertices.len() as u32;
        for corner in 0..8 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            self.vertices.push([pick(0), pick(1), pick(2)]);
        }
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3]];
        for [a, b, c, d] in quads.map(|quad| quad.map(|corner| corner + first)) {
            self.triangles.extend([[a, b, c], [a, c, d]]);
        }
        self
    }

    fn mesh(&self) -> TriangleMesh<'_> {
        let vertices = rasterize::Vertices::Double(&self.vertices);
        TriangleMesh { vertices, triangles: &self.triangles, areas: None }
    }
}

/// Two floors one over the other, a block, and a step between them.
fn two_floors() -> Level {
    Level::default()
        .floor([0.0, 0.0], [20.0, 20.0], 0.0)
        .floor([8.0, 0.0], [20.0, 20.0], 4.0)
        .block([3.0, 0.0, 3.0], [5.0, 3.0, 5.0])
        .block([0.0, 0.0, 14.0], [2.0, 0.5, 18.0])
}

const SMALL_TILES: NavSettings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };

fn bake_in(
    bytes: usize,
    settings: NavSettings,
    input: &BakeInput<'_>,
    at: (i32, i32),
) -> crate::error::Result<Vec<Vec<u8>>> {
    let mut region = vec![Grain::ZERO; bytes.div_ceil(16)];
    let mut arena = Arena::new(&mut region);
    let limits = BakeLimits { bytes, ..BakeLimits::DEFAULT };
    let mut baker = Baker::new(&BakeDef { limits, ..BakeDef::of(settings) }, &mut arena)?;
    baker.bake_tile(input, at.0, at.1)?;
    Ok(baker.tiles().map(<[u8]>::to_vec).collect())
}

fn bake(settings: NavSettings, input: &BakeInput<'_>, at: (i32, i32)) -> Vec<Vec<u8>> {
    bake_in(4 << 20, settings, input, at).unwrap()
}

fn polygon_count(tile: &[u8]) -> u32 {
    u32::from_le_bytes(tile[64..68].try_into().unwrap())
}

fn vertices(tile: &[u8]) -> Vec<[f32; 3]> {
    let count = u32::from_le_bytes(tile[60..64].try_into().unwrap()) as usize;
    let number = |at: usize| f32::from_le_bytes(tile[at..at + 4].try_into().unwrap());
    (0..count).map(|v| [0, 4, 8].map(|part| number(84 + 12 * v + part))).collect()
}

#[test]
fn the_published_floor_is_one_polygon_between_cells_3_and_131() {
    let level = Level::default().floor([0.0, 0.0], [40.0, 40.0], 0.0);
    let meshes = [level.mesh()];
    let tiles = bake(NavSettings::HUMANOID, &BakeInput { meshes: &meshes, ..BakeInput::default() }, (0, 0));
    assert_eq!(tiles.len(), 1);
    assert_eq!(polygon_count(&tiles[0]), 1);
    let side = |cells: f64| (cells * (64.0 / 214.0)) as f32;
    let corners = vertices(&tiles[0]);
    assert_eq!(corners.len(), 4);
    for corner in corners {
        assert!([3.0, 131.0].contains(&(f64::from(corner[0]) / (64.0 / 214.0)).round()), "{corner:?}");
        for axis in [0, 2] {
            assert!(corner[axis] == side(3.0) || corner[axis] == side(131.0), "{corner:?}");
        }
    }
}

#[test]
fn an_empty_input_bakes_an_empty_tile() {
    let report = {
        let mut region = vec![Grain::ZERO; 4096];
        let mut arena = Arena::new(&mut region);
        let limits = BakeLimits { bytes: 1024, ..BakeLimits::DEFAULT };
        let mut baker = Baker::new(&BakeDef { limits, ..BakeDef::HUMANOID }, &mut arena).unwrap();
        let report = baker.bake_tile(&BakeInput::default(), 3, -4).unwrap();
        assert_eq!(baker.tiles().count(), 0);
        report
    };
    assert_eq!((report.stage, report.layers, report.tile_bytes), (BakeStage::Done, 0, 0));
}

#[test]
fn a_tile_index_changes_no_byte() {
    let level = two_floors();
    let second = Level::default().floor([-7.0, -9.0], [4.0, 3.0], 1.0);
    let meshes = [level.mesh(), second.mesh()];
    let plain = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let settings = NavSettings { tile_size: 6.0, ..NavSettings::HUMANOID };
    let plan = TileIndex::plan(&plain, &settings).unwrap();
    let mut region = vec![Grain::ZERO; plan.grains()];
    let mut arena = Arena::new(&mut region);
    let index = TileIndex::new(&plain, &settings, &mut arena).unwrap();
    assert_eq!(arena.remaining(), 0);
    let indexed = BakeInput { index: Some(&index), ..plain };
    let range = index.range();
    assert_eq!((range.x0, range.z0, range.x1, range.z1), (-2, -2, 3, 3));
    let mut baked = 0;
    for number in 0..range.count() {
        let at = range.tile(number);
        let tiles = bake(settings, &plain, at);
        assert_eq!(tiles, bake(settings, &indexed, at), "tile {at:?}");
        baked += tiles.len();
    }
    assert!(baked > 8, "{baked}");
    let other = BakeInput { meshes: &meshes[..1], ..indexed };
    assert_eq!(bake_in(1 << 20, settings, &other, (0, 0)).unwrap_err().subject(), Subject::IndexEntries);
    assert!(bake_in(1 << 20, SMALL_TILES, &indexed, (0, 0)).is_err());
}

#[test]
fn a_terrain_bakes_as_its_triangles_do() {
    let (columns, rows) = (9u32, 7u32);
    let heights: Vec<f32> = (0..columns * rows).map(|i| (i * 7919 % 13) as f32 * 0.05).collect();
    let areas: Vec<u8> = (0..(columns - 1) * (rows - 1)).map(|i| [63, 63, 5, 0][i as usize % 4]).collect();
    let terrain = Terrain {
        origin: [1.0, 2.0, -3.0],
        spacing: [2.0, 1.5],
        columns,
        rows,
        heights: &heights,
        areas: Some(&areas),
    };
    let mut level = Level::default();
    let mut triangle_areas = vec![];
    for z in 0..rows - 1 {
        for x in 0..columns - 1 {
            let area = areas[(x + z * (columns - 1)) as usize];
            let at = |dx: u32, dz: u32| {
                let height = heights[(x + dx + (z + dz) * columns) as usize];
                [1.0 + f64::from(x + dx) * 2.0, 2.0 + f64::from(height), -3.0 + f64::from(z + dz) * 1.5]
            };
            let first = level.vertices.len() as u32;
            level.vertices.extend([at(0, 0), at(1, 0), at(0, 1), at(1, 1)]);
            if area != 0 {
                level.triangles.extend([[first, first + 2, first + 3], [first, first + 3, first + 1]]);
                triangle_areas.extend([area, area]);
            }
        }
    }
    let meshes = [TriangleMesh { areas: Some(&triangle_areas), ..level.mesh() }];
    let terrains = [terrain];
    let settings = NavSettings { agent_radius: 0.0, min_region_area: 1, merge_region_area: 0, ..SMALL_TILES };
    let as_terrain = bake(settings, &BakeInput { terrains: &terrains, ..BakeInput::default() }, (0, 0));
    let as_mesh = bake(settings, &BakeInput { meshes: &meshes, ..BakeInput::default() }, (0, 0));
    assert_eq!(as_terrain.len(), 1);
    assert_eq!(as_terrain, as_mesh);
}

#[test]
fn volumes_exclude_include_and_name_areas() {
    let level = Level::default().floor([0.0, 0.0], [20.0, 20.0], 0.0);
    let meshes = [level.mesh()];
    let square = [[4.0, 4.0], [12.0, 4.0], [12.0, 12.0], [4.0, 12.0]];
    let tile = NavSettings { tile_size: 32.0, ..NavSettings::HUMANOID };
    let of = |kind: VolumeKind| {
        let volumes = [Volume { corners: &square, min_y: -1.0, max_y: 1.0, kind }];
        let tiles = bake(tile, &BakeInput { meshes: &meshes, volumes: &volumes, ..BakeInput::default() }, (0, 0));
        (ground_area(&tiles[0]), areas(&tiles[0]))
    };
    let whole = ground_area(&bake(tile, &BakeInput { meshes: &meshes, ..BakeInput::default() }, (0, 0))[0]);
    let (rest, _) = of(VolumeKind::Exclude);
    let (inside, _) = of(VolumeKind::Include);
    assert!((inside - 64.0).abs() < 6.0, "{inside}");
    assert!((rest + inside - whole).abs() < 6.0, "{rest} + {inside} of {whole}");
    let (both, named) = of(VolumeKind::Area(9));
    assert!((both - whole).abs() < 1e-3);
    assert!(named.contains(&9) && named.contains(&0), "{named:?}");
}

fn areas(tile: &[u8]) -> Vec<u8> {
    let count = polygon_count(tile) as usize;
    (0..count).map(|p| tile[84 + 12 * vertices(tile).len() + 16 * p + 1]).collect()
}

fn ground_area(tile: &[u8]) -> f64 {
    let corners = vertices(tile);
    let count = polygon_count(tile) as usize;
    let (polygons, mut index) = (84 + 12 * corners.len(), 84 + 12 * corners.len() + 16 * count);
    let mut sum = 0.0;
    for p in 0..count {
        let ring: Vec<[f32; 3]> = (0..tile[polygons + 16 * p] as usize)
            .map(|i| corners[u16::from_le_bytes([tile[index + 2 * i], tile[index + 2 * i + 1]]) as usize])
            .collect();
        index += 2 * ring.len();
        for i in 0..ring.len() {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            sum += f64::from(a[0]) * f64::from(b[2]) - f64::from(b[0]) * f64::from(a[2]);
        }
    }
    sum / 2.0
}

#[test]
fn layers_put_floors_on_tiles_of_their_own() {
    let level = two_floors();
    let meshes = [level.mesh()];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let one = bake(NavSettings { tile_size: 32.0, ..NavSettings::HUMANOID }, &input, (0, 0));
    assert_eq!(one.len(), 1);
    for detail_sample_distance in [1.8, 0.0] {
        let settings = NavSettings {
            tile_size: 32.0,
            partition: Partition::Layers,
            detail_sample_distance,
            ..NavSettings::HUMANOID
        };
        let tiles = bake(settings, &input, (0, 0));
        let layers: Vec<i32> = tiles.iter().map(|tile| i32::from_le_bytes(tile[32..36].try_into().unwrap())).collect();
        assert_eq!(layers, [0, 1], "detail {detail_sample_distance}");
        let sum: f64 = tiles.iter().map(|tile| ground_area(tile)).sum();
        let whole = ground_area(&one[0]);
        assert!((sum - whole).abs() < 0.01 * whole, "{sum} of {whole}");
    }
}

#[test]
fn bad_input_is_named_and_the_baker_stays_usable() {
    let good = two_floors();
    let mut region = vec![Grain::ZERO; 1 << 17];
    let mut arena = Arena::new(&mut region);
    let limits = BakeLimits { bytes: 2 << 20, ..BakeLimits::DEFAULT };
    let mut baker = Baker::new(&BakeDef { limits, ..BakeDef::of(SMALL_TILES) }, &mut arena).unwrap();
    let good_meshes = [good.mesh()];
    let good_input = BakeInput { meshes: &good_meshes, ..BakeInput::default() };
    baker.bake_tile(&good_input, 0, 0).unwrap();
    let want: Vec<Vec<u8>> = baker.tiles().map(<[u8]>::to_vec).collect();

    let mut refuse = |input: &BakeInput<'_>, kind: ErrorKind, subject: Subject, index: Option<u32>| {
        let error = baker.bake_tile(input, 0, 0).unwrap_err();
        assert_eq!((error.kind(), error.subject(), error.index()), (kind, subject, index), "{error}");
        assert_eq!(baker.report().stage, BakeStage::Input);
        assert_eq!(baker.tiles().count(), 0);
        baker.bake_tile(&good_input, 0, 0).unwrap();
        assert!(baker.tiles().eq(want.iter().map(|tile| &tile[..])));
    };
    for (value, kind) in
        [(f64::NAN, ErrorKind::Invalid), (f64::INFINITY, ErrorKind::Limit), (-2097153.0, ErrorKind::Limit)]
    {
        for axis in 0..3 {
            let mut bad = good.clone();
            bad.vertices[6][axis] = value;
            refuse(&BakeInput { meshes: &[bad.mesh()], ..good_input }, kind, Subject::Vertex, Some(6));
        }
    }
    let mut bad = good.clone();
    bad.triangles[5][1] = bad.vertices.len() as u32;
    refuse(&BakeInput { meshes: &[bad.mesh()], ..good_input }, ErrorKind::Invalid, Subject::Triangle, Some(5));
    let few = [TriangleMesh { areas: Some(&[1]), ..good.mesh() }];
    refuse(&BakeInput { meshes: &few, ..good_input }, ErrorKind::Invalid, Subject::Mesh, Some(0));
    let mut areas = vec![1; good.triangles.len()];
    areas[2] = 64;
    let past = [TriangleMesh { areas: Some(&areas), ..good.mesh() }];
    refuse(&BakeInput { meshes: &past, ..good_input }, ErrorKind::Invalid, Subject::Triangle, Some(2));
    let terrain = Terrain {
        origin: [0.0; 3],
        spacing: [1.0; 2],
        columns: 2,
        rows: 2,
        heights: &[0.0, 1.0, f32::NAN, 0.0],
        areas: None,
    };
    refuse(&BakeInput { terrains: &[terrain], ..good_input }, ErrorKind::Invalid, Subject::Sample, Some(2));
    let thin = Terrain { columns: 1, ..terrain };
    refuse(&BakeInput { terrains: &[thin], ..good_input }, ErrorKind::Invalid, Subject::Terrain, Some(0));
    let line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]];
    let flat = Volume { corners: &line, min_y: 0.0, max_y: 1.0, kind: VolumeKind::Exclude };
    refuse(&BakeInput { volumes: &[flat], ..good_input }, ErrorKind::Invalid, Subject::Volume, Some(0));
}

#[test]
fn zero_area_triangles_are_skipped_and_counted() {
    let mut level = Level::default().floor([0.0, 0.0], [12.0, 12.0], 0.0);
    let meshes = [level.mesh()];
    let want = bake(SMALL_TILES, &BakeInput { meshes: &meshes, ..BakeInput::default() }, (0, 0));
    level.triangles.extend([[0, 0, 1], [2, 2, 2], [0, 2, 2]]);
    let meshes = [level.mesh()];
    let got = bake(SMALL_TILES, &BakeInput { meshes: &meshes, ..BakeInput::default() }, (0, 0));
    assert_eq!(got, want);
}

#[test]
fn memory_of_every_size_is_enough_or_refused_by_name() {
    let level = two_floors();
    let meshes = [level.mesh()];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
        let settings = NavSettings { partition, ..SMALL_TILES };
        let want = bake(settings, &input, (0, 0));
        let mut done = 0;
        for bytes in (0..1 << 20).step_by(8 << 10) {
            match bake_in(bytes, settings, &input, (0, 0)) {
                Ok(tiles) => {
                    assert_eq!(tiles, want);
                    done += 1;
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Capacity, "{error}");
                    assert_eq!(done, 0, "{bytes} bytes are short but fewer were enough");
                }
            }
        }
        assert!(done > 0, "{partition:?} takes more than 1 MiB");
    }
}

#[test]
fn each_limit_is_named_when_it_is_reached() {
    let level = two_floors();
    let meshes = [level.mesh()];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let d = BakeLimits { bytes: 2 << 20, ..BakeLimits::DEFAULT };
    let cases = [
        (BakeLimits { triangles: 27, ..d }, Subject::Triangles),
        (BakeLimits { tile_triangles: 3, ..d }, Subject::TileTriangles),
        (BakeLimits { spans: 10, ..d }, Subject::Spans),
        (BakeLimits { contours: 0, ..d }, Subject::Contours),
        (BakeLimits { contour_vertices: 5, ..d }, Subject::ContourVertices),
        (BakeLimits { polygons: 1, ..d }, Subject::Polygons),
        (BakeLimits { vertices: 3, ..d }, Subject::Vertices),
        (BakeLimits { detail_triangles: 1, ..d }, Subject::DetailTriangles),
    ];
    for (limits, subject) in cases {
        let mut region = vec![Grain::ZERO; 1 << 17];
        let mut arena = Arena::new(&mut region);
        let mut baker = Baker::new(&BakeDef { limits, ..BakeDef::of(SMALL_TILES) }, &mut arena).unwrap();
        let error = baker.bake_tile(&input, 0, 0).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, subject), "{error}");
    }
}

#[test]
fn the_report_counts_and_its_fingerprint_follows_the_input() {
    let level = two_floors();
    let meshes = [level.mesh()];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let report = |settings: NavSettings, input: &BakeInput<'_>| {
        let mut region = vec![Grain::ZERO; 1 << 17];
        let mut arena = Arena::new(&mut region);
        let limits = BakeLimits { bytes: 2 << 20, ..BakeLimits::DEFAULT };
        let mut baker = Baker::new(&BakeDef { limits, ..BakeDef::of(settings) }, &mut arena).unwrap();
        baker.bake_tile(input, 0, 0).unwrap()
    };
    let first = report(SMALL_TILES, &input);
    assert_eq!(first, report(SMALL_TILES, &input));
    // The block's top and the floor inside of it: 7 by 7 cells, less the radius on each side, are far too few.
    assert_eq!(first.dropped_regions, 2);
    assert!(first.spans > 0 && first.regions > 0 && first.polygons > 0 && first.memory_peak > 0);
    // One triangle of each floor's far half lies beyond the tile and its border.
    assert_eq!(first.triangles, 26);
    let mut moved = level.clone();
    moved.vertices[0][1] += 0.001;
    let meshes = [moved.mesh()];
    let other = report(SMALL_TILES, &BakeInput { meshes: &meshes, ..BakeInput::default() });
    assert_ne!(first.fingerprint, other.fingerprint);
    let settings = NavSettings { flags: 3, ..SMALL_TILES };
    assert_ne!(first.fingerprint, report(settings, &input).fingerprint);
    let mut region = vec![Grain::ZERO; 1 << 17];
    let limits = BakeLimits { bytes: 2 << 20, ..BakeLimits::DEFAULT };
    let def = BakeDef { islands: IslandRule::AfterMerging, limits, ..BakeDef::of(SMALL_TILES) };
    let mut baker = Baker::new(&def, &mut Arena::new(&mut region)).unwrap();
    assert_ne!(first.fingerprint, baker.bake_tile(&input, 0, 0).unwrap().fingerprint);
}

#[test]
fn links_are_baked_into_the_layer_nearest_their_start() {
    let level = two_floors();
    let meshes = [level.mesh()];
    let input = BakeInput { meshes: &meshes, ..BakeInput::default() };
    let link = |start: [f64; 3], end: [f64; 3], user_id: u32| OffMeshLinkDef {
        start,
        end,
        radius: 1.0,
        bidirectional: true,
        area: 3,
        flags: 5,
        user_id,
    };
    let links = [
        link([6.0, 0.2, 10.0], [12.0, 4.2, 10.0], 11),
        link([12.0, 4.2, 10.0], [6.0, 0.2, 10.0], 12),
        link([40.0, 0.0, 0.0], [12.0, 4.0, 10.0], 13),
    ];
    for detail_sample_distance in [1.8, 0.0] {
        let settings = NavSettings {
            tile_size: 32.0,
            partition: Partition::Layers,
            detail_sample_distance,
            ..NavSettings::HUMANOID
        };
        let mut region = vec![Grain::ZERO; 1 << 17];
        let mut arena = Arena::new(&mut region);
        let limits = BakeLimits { bytes: 1 << 20, ..BakeLimits::DEFAULT };
        let mut baker = Baker::new(&BakeDef { links: &links, limits, ..BakeDef::of(settings) }, &mut arena).unwrap();
        let report = baker.bake_tile(&input, 0, 0).unwrap();
        let tiles: Vec<&[u8]> = baker.tiles().collect();
        assert_eq!(report.tile_bytes, tiles.iter().map(|tile| tile.len()).sum::<usize>());
        let def = MeshDef { params: *baker.params(), ..MeshDef::HUMANOID };
        let mut room = vec![Grain::ZERO; def.plan().grains()];
        let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut room)).unwrap();
        tiles.iter().for_each(|tile| mesh.stage_tile(tile).unwrap());
        mesh.commit().unwrap();
        let users: Vec<Vec<u32>> =
            mesh.tiles_in_column(0, 0).map(|tile| tile.off_mesh.iter().map(|slot| slot.user_id).collect()).collect();
        assert_eq!(users, [[11], [12]]);
        let attached = mesh.tiles().flat_map(|tile| tile.links).count();
        assert_eq!(attached, 4, "each link leads both ways between the floors");
    }
}

#[test]
fn voxels_bake_as_the_floor_they_are() {
    let tile = NavSettings { tile_size: 15.0, agent_radius: 0.0, min_region_area: 1, ..NavSettings::HUMANOID };
    let side = 30u32;
    let firsts: Vec<u32> = (0..=side * side).collect();
    let runs = vec![VoxelRun { start: 0, length: 3, material: 9 }; (side * side) as usize];
    let chunk = VoxelChunk::new(side, side, 8, &firsts, &runs).unwrap();
    let voxels = Some(Voxels { chunk, areas: &ALL_WALKABLE });
    let input = BakeInput { voxels, ..BakeInput::default() };
    assert_eq!(input.tile_range(&tile).unwrap(), Some(TileRange { x0: 0, z0: 0, x1: 0, z1: 0 }));
    let tiles = bake(tile, &input, (0, 0));
    // The floor ends in the air, so the ledge filter takes one cell on each side.
    let cells = ground_area(&tiles[0]) / (0.3 * 0.3);
    assert!((cells - 28.0 * 28.0).abs() < 0.1, "{cells}");
    let height = f64::from_le_bytes(tiles[0][44..52].try_into().unwrap());
    assert!((height - 0.6).abs() < 1e-6, "{height}");
    assert!(bake(tile, &input, (5, 0)).is_empty() && bake(tile, &input, (-5000, 5000)).is_empty());
    let outside = bake_in(1 << 20, tile, &input, (i32::MIN, i32::MAX)).unwrap_err();
    assert_eq!((outside.kind(), outside.subject()), (ErrorKind::Limit, Subject::Origin));
    let level = two_floors();
    let both = BakeInput { meshes: &[level.mesh()], ..input };
    assert_eq!(bake_in(1 << 20, tile, &both, (0, 0)).unwrap_err().subject(), Subject::Chunk);
}
