//! Recast's bake and Detour's mesh from it, with the steps and the order in which the library's own documentation
//! describes them: rasterize, filter, compact, erode, distance field, watershed regions, contours, polygons, detail.

use std::ptr::null;

use navarena::mesh::NavSettings;
use navarena_std::obj::Geometry;
use navarena_tests::recast::{SNAP, Tiling};

use super::{Compact, Context, Contours, Detail, Heightfield, Mesh, Polygons, succeeded, sys, worked};

/// A level in the form that Recast reads.
pub struct Input {
    vertices: Vec<f32>,
    triangles: Vec<i32>,
    low: [f32; 3],
    high: [f32; 3],
}

impl Input {
    /// Lays a level out for Recast; not part of a timed run.
    pub fn new(level: &Geometry) -> Input {
        let (low, high) = level.bounds();
        Input {
            vertices: level.vertices.iter().flatten().copied().collect(),
            triangles: level.triangles.iter().flatten().map(|&corner| corner as i32).collect(),
            low,
            high,
        }
    }
}

/// The settings as Recast counts them: in cells and rows.
struct Cells {
    cell_size: f32,
    cell_height: f32,
    slope_degrees: f32,
    height: i32,
    climb: i32,
    radius: i32,
    edge_length: i32,
    edge_error: f32,
    min_region: i32,
    merge_region: i32,
    corners: i32,
    sample_distance: f32,
    sample_error: f32,
    agent: [f32; 3],
    /// Side of a tile, where there are tiles.
    tile: i32,
}

impl Cells {
    fn new(settings: &NavSettings) -> Cells {
        let (cell_size, cell_height) = (settings.cell_size as f32, settings.cell_height as f32);
        let agent = [settings.agent_height as f32, settings.agent_radius as f32, settings.walkable_climb as f32];
        Cells {
            cell_size,
            cell_height,
            slope_degrees: settings.max_slope_degrees as f32,
            height: (agent[0] / cell_height).ceil() as i32,
            climb: (agent[2] / cell_height).floor() as i32,
            radius: (agent[1] / cell_size).ceil() as i32,
            edge_length: (settings.max_edge_length as f32 / cell_size) as i32,
            edge_error: settings.contour_max_error as f32,
            min_region: settings.min_region_area as i32,
            merge_region: settings.merge_region_area as i32,
            corners: settings.max_verts_per_poly as i32,
            sample_distance: settings.detail_sample_distance as f32,
            sample_error: settings.detail_max_error as f32,
            agent,
            tile: (settings.tile_size / settings.cell_size + 0.5) as i32,
        }
    }
}

/// The grid that one bake covers.
struct Grid {
    low: [f32; 3],
    high: [f32; 3],
    width: i32,
    depth: i32,
    border: i32,
    tile: [i32; 2],
}

/// What came out of a bake, to compare with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Sum of the polygons' ground areas, world units squared.
    pub coverage: f64,
    /// Polygons.
    pub polygons: usize,
    /// Vertices over all tiles.
    pub vertices: usize,
    /// Tiles that hold a polygon.
    pub tiles: usize,
}

/// A Detour mesh and what is in it.
pub struct Baked {
    pub(super) mesh: Mesh,
    /// What came out.
    pub counts: Counts,
}

/// Bakes a level: triangles to a Detour mesh.
pub fn bake(input: &Input, settings: &NavSettings, tiling: Tiling) -> Result<Baked, String> {
    let cells = Cells::new(settings);
    let mesh = Mesh::new()?;
    let mut counts = Counts::default();
    match tiling {
        Tiling::Whole => bake_whole(input, &cells, &mesh, &mut counts)?,
        Tiling::Tiled => bake_tiled(input, &cells, &mesh, &mut counts)?,
    }
    Ok(Baked { mesh, counts })
}

fn bake_whole(input: &Input, cells: &Cells, mesh: &Mesh, counts: &mut Counts) -> Result<(), String> {
    let (width, depth) = grid_size(input, cells.cell_size);
    let grid = Grid { low: input.low, high: input.high, width, depth, border: 0, tile: [0, 0] };
    let Some((data, size)) = bake_tile(input, &input.triangles, cells, &grid, counts)? else {
        return Err("Recast baked no polygon".to_string());
    };
    let flags = sys::dtTileFlags_DT_TILE_FREE_DATA as i32;
    // SAFETY: the data is a block that Detour made, and the flag hands it over to the mesh to free.
    succeeded("mesh of one tile", unsafe { sys::dtNavMesh_init1(mesh.get(), data, size, flags) })
}

fn bake_tiled(input: &Input, cells: &Cells, mesh: &Mesh, counts: &mut Counts) -> Result<(), String> {
    let tile_cells = cells.tile;
    let (width, depth) = grid_size(input, cells.cell_size);
    let (across, along) = ((width + tile_cells - 1) / tile_cells, (depth + tile_cells - 1) / tile_cells);
    let side = tile_cells as f32 * cells.cell_size;
    let tile_bits = (across * along).max(1).ilog2() + 1;
    let params = sys::dtNavMeshParams {
        orig: input.low,
        tileWidth: side,
        tileHeight: side,
        maxTiles: 1 << tile_bits,
        maxPolys: 1 << (22 - tile_bits),
    };
    // SAFETY: a mesh that is not initialized yet, and parameters that live through the call.
    succeeded("mesh of tiles", unsafe { sys::dtNavMesh_init(mesh.get(), &params) })?;
    let border = cells.radius + 3;
    let reach = border as f32 * cells.cell_size;
    let mut lists = TileTriangles::new(input, across, along, side, reach);
    for tile in (0..across * along).map(|index| [index % across, index / across]) {
        let at = |axis: usize, step: i32| input.low[axis] + (step as f32) * side;
        let grid = Grid {
            low: [at(0, tile[0]) - reach, input.low[1], at(2, tile[1]) - reach],
            high: [at(0, tile[0] + 1) + reach, input.high[1], at(2, tile[1] + 1) + reach],
            width: tile_cells + 2 * border,
            depth: tile_cells + 2 * border,
            border,
            tile,
        };
        let triangles = lists.of((tile[0] + tile[1] * across) as usize);
        if triangles.is_empty() {
            continue;
        }
        let Some((data, size)) = bake_tile(input, triangles, cells, &grid, counts)? else { continue };
        let flags = sys::dtTileFlags_DT_TILE_FREE_DATA as i32;
        // SAFETY: as for the mesh of one tile; a null reference asks for no number back.
        let added = unsafe { sys::dtNavMesh_addTile(mesh.get(), data, size, flags, 0, std::ptr::null_mut()) };
        succeeded("adding a tile", added)?;
    }
    Ok(())
}

/// Each tile's triangles, by their bounds and the tile's with its border: what a game would keep a spatial index for.
struct TileTriangles {
    lists: Vec<Vec<i32>>,
}

impl TileTriangles {
    fn new(input: &Input, across: i32, along: i32, side: f32, reach: f32) -> TileTriangles {
        let mut lists = vec![Vec::new(); (across * along) as usize];
        for corners in input.triangles.chunks_exact(3) {
            let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
            for &corner in corners {
                for (place, axis) in [0, 2].into_iter().enumerate() {
                    let value = input.vertices[corner as usize * 3 + axis] - input.low[axis];
                    low[place] = low[place].min(value);
                    high[place] = high[place].max(value);
                }
            }
            let first = |place: usize| (((low[place] - reach) / side).floor() as i32).max(0);
            let last = |place: usize, count: i32| (((high[place] + reach) / side).floor() as i32).min(count - 1);
            for z in first(1)..=last(1, along) {
                for x in first(0)..=last(0, across) {
                    lists[(x + z * across) as usize].extend_from_slice(corners);
                }
            }
        }
        TileTriangles { lists }
    }

    fn of(&mut self, tile: usize) -> &[i32] {
        &self.lists[tile]
    }
}

fn grid_size(input: &Input, cell_size: f32) -> (i32, i32) {
    let (mut width, mut depth) = (0, 0);
    // SAFETY: two arrays of three numbers and two places for the answer.
    unsafe { sys::rcCalcGridSize(input.low.as_ptr(), input.high.as_ptr(), cell_size, &mut width, &mut depth) };
    (width, depth)
}

/// Detour's bytes of one tile and how many; `None` where nothing is walkable.
type TileData = Option<(*mut u8, i32)>;

fn bake_tile(
    input: &Input,
    triangles: &[i32],
    cells: &Cells,
    grid: &Grid,
    counts: &mut Counts,
) -> Result<TileData, String> {
    let context = Context::new()?;
    let compact = open_space(input, triangles, cells, grid, &context)?;
    let polygons = Polygons::new()?;
    {
        let contours = Contours::new()?;
        let flags = sys::rcBuildContoursFlags_RC_CONTOUR_TESS_WALL_EDGES as i32;
        // SAFETY: every object is one that its library made and that lives through the call; so for the rest of this
        // function and the next.
        worked("contours", unsafe {
            let (error, length) = (cells.edge_error, cells.edge_length);
            sys::rcBuildContours(context.get(), compact.get(), error, length, contours.get(), flags)
        })?;
        // SAFETY: as above.
        worked("polygons", unsafe {
            sys::rcBuildPolyMesh(context.get(), contours.get(), cells.corners, polygons.get())
        })?;
    }
    let detail = Detail::new()?;
    // SAFETY: as above.
    worked("detail", unsafe {
        let (distance, error) = (cells.sample_distance, cells.sample_error);
        sys::rcBuildPolyMeshDetail(context.get(), polygons.get(), compact.get(), distance, error, detail.get())
    })?;
    drop(compact);
    tile_data(cells, grid, &polygons, &detail, counts)
}

/// From triangles to the compact heightfield with its regions.
fn open_space(
    input: &Input,
    triangles: &[i32],
    cells: &Cells,
    grid: &Grid,
    context: &Context,
) -> Result<Compact, String> {
    let solid = Heightfield::new()?;
    let count = (triangles.len() / 3) as i32;
    let vertices = (input.vertices.len() / 3) as i32;
    let mut areas = vec![0_u8; triangles.len() / 3];
    let (cs, ch) = (cells.cell_size, cells.cell_height);
    // SAFETY: objects that live through the calls; array lengths are those of the slices they point into, and every
    // index of a triangle is below the number of vertices, as `Level` checks.
    unsafe {
        let (low, high) = (grid.low.as_ptr(), grid.high.as_ptr());
        let made = sys::rcCreateHeightfield(context.get(), solid.get(), grid.width, grid.depth, low, high, cs, ch);
        worked("heightfield", made)?;
        let (points, corners) = (input.vertices.as_ptr(), triangles.as_ptr());
        let slope = cells.slope_degrees;
        sys::rcMarkWalkableTriangles(context.get(), slope, points, vertices, corners, count, areas.as_mut_ptr());
        let (area, solid, climb) = (areas.as_ptr(), solid.get(), cells.climb);
        let done = sys::rcRasterizeTriangles(context.get(), points, vertices, corners, area, count, solid, climb);
        worked("rasterization", done)?;
        sys::rcFilterLowHangingWalkableObstacles(context.get(), climb, solid);
        sys::rcFilterLedgeSpans(context.get(), cells.height, climb, solid);
        sys::rcFilterWalkableLowHeightSpans(context.get(), cells.height, solid);
    }
    let compact = Compact::new()?;
    // SAFETY: as above.
    worked("compact heightfield", unsafe {
        sys::rcBuildCompactHeightfield(context.get(), cells.height, cells.climb, solid.get(), compact.get())
    })?;
    drop(solid);
    // SAFETY: as above.
    unsafe {
        worked("erosion", sys::rcErodeWalkableArea(context.get(), cells.radius, compact.get()))?;
        worked("distance field", sys::rcBuildDistanceField(context.get(), compact.get()))?;
        let (min, merge) = (cells.min_region, cells.merge_region);
        worked("regions", sys::rcBuildRegions(context.get(), compact.get(), grid.border, min, merge))?;
    }
    Ok(compact)
}

fn tile_data(
    cells: &Cells,
    grid: &Grid,
    polygons: &Polygons,
    detail: &Detail,
    counts: &mut Counts,
) -> Result<TileData, String> {
    // SAFETY: both were built without a failure, so they are valid, and nothing else refers to them.
    let (polygons, detail) = unsafe { (&mut *polygons.get(), &*detail.get()) };
    if polygons.npolys == 0 {
        return Ok(None);
    }
    count(polygons, cells.cell_size, counts);
    let mut flags = vec![1_u16; polygons.npolys as usize];
    let mut areas = vec![0_u8; polygons.npolys as usize];
    let mut params = sys::dtNavMeshCreateParams {
        verts: polygons.verts,
        vertCount: polygons.nverts,
        polys: polygons.polys,
        polyFlags: flags.as_mut_ptr(),
        polyAreas: areas.as_mut_ptr(),
        polyCount: polygons.npolys,
        nvp: polygons.nvp,
        detailMeshes: detail.meshes,
        detailVerts: detail.verts,
        detailVertsCount: detail.nverts,
        detailTris: detail.tris,
        detailTriCount: detail.ntris,
        offMeshConVerts: null(),
        offMeshConRad: null(),
        offMeshConFlags: null(),
        offMeshConAreas: null(),
        offMeshConDir: null(),
        offMeshConUserID: null(),
        offMeshConCount: 0,
        userId: 0,
        tileX: grid.tile[0],
        tileY: grid.tile[1],
        tileLayer: 0,
        bmin: polygons.bmin,
        bmax: polygons.bmax,
        walkableHeight: cells.agent[0],
        walkableRadius: cells.agent[1],
        walkableClimb: cells.agent[2],
        cs: cells.cell_size,
        ch: cells.cell_height,
        buildBvTree: true,
    };
    let (mut data, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the parameters point into objects that live through the call, with their own lengths.
    let made = unsafe { sys::dtCreateNavMeshData(&mut params, &mut data, &mut size) };
    worked("tile data", made && !data.is_null())?;
    Ok(Some((data, size)))
}

/// Adds a tile's polygons to the counts; ground areas are exact in whole cells.
fn count(polygons: &sys::rcPolyMesh, cell_size: f32, counts: &mut Counts) {
    let (corners, number) = (polygons.nvp as usize, polygons.npolys as usize);
    // SAFETY: the mesh says how many vertices and polygons its arrays hold: three numbers a vertex, and `2 * nvp`
    // indices a polygon, of which the first half name its corners.
    let (vertices, records) = unsafe {
        let vertices = std::slice::from_raw_parts(polygons.verts, polygons.nverts as usize * 3);
        (vertices, std::slice::from_raw_parts(polygons.polys, number * corners * 2))
    };
    let mut twice_cells = 0_i64;
    for record in records.chunks_exact(2 * corners) {
        let ring: Vec<usize> =
            record[..corners].iter().take_while(|&&corner| corner != 0xffff).map(|&corner| corner as usize).collect();
        let at = |corner: usize| (i64::from(vertices[corner * 3]), i64::from(vertices[corner * 3 + 2]));
        let crosses = ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| {
            let ((ax, az), (bx, bz)) = (at(a), at(b));
            ax * bz - bx * az
        });
        twice_cells += crosses.sum::<i64>().abs();
    }
    counts.coverage += twice_cells as f64 / 2.0 * f64::from(cell_size) * f64::from(cell_size);
    counts.polygons += number;
    counts.vertices += polygons.nverts as usize;
    counts.tiles += 1;
}

/// Half the size of the box that an end of a path is looked for in, as Detour takes it.
pub(super) const HALF_EXTENTS: [f32; 3] = [SNAP[0] as f32, SNAP[1] as f32, SNAP[2] as f32];
