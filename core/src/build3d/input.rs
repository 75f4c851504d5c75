//! What a bake reads: triangle meshes, terrains, voxel chunks and volumes, all checked as hostile
//! (`maul-nav/bake.md`; `build3d-polys.md`, sections 1 and 6).

use super::cells::BakeCells;
use super::compact::Compact;
pub use super::frame::MAX_COORDINATE;
pub use super::heightfield::WALKABLE_AREA;
use super::rasterize::Vertices;
use super::tile_index::TileIndex;
use super::volumes::ConvexVolume;
use super::voxel_chunk::VoxelChunk;
use crate::error::{Error, Result, Subject};
use crate::math::floor;
use crate::memory::Arena;
use crate::mesh::NavSettings;

/// Most triangles of one input, terrains' included.
pub const MAX_TRIANGLES: usize = 1 << 28;
/// Most samples along a terrain's side.
pub const MAX_TERRAIN_SIDE: u32 = 65536;
/// Most tiles that an input may spread over.
pub const MAX_TILES: f64 = 1048576.0;
/// Marks a walkable span that no include volume holds, while they are applied.
const NOT_INCLUDED: u8 = 1;

/// A mesh of triangles, each counter-clockwise seen from the side it faces.
#[derive(Clone, Copy, Debug)]
pub struct TriangleMesh<'a> {
    /// World positions.
    pub vertices: Vertices<'a>,
    /// Three vertices a triangle.
    pub triangles: &'a [[u32; 3]],
    /// An area for each triangle, 0 to 63: 0 is solid but not walkable, 63 takes the settings' area. Triangles steeper
    /// than the agent walks are not walkable whatever their area.
    pub areas: Option<&'a [u8]>,
}

/// A grid of heights, x fastest; each cell is two triangles split from its corner of lowest x and z.
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    /// World position of the first sample; its y is added to every height.
    pub origin: [f64; 3],
    /// Distance of samples along x and along z.
    pub spacing: [f64; 2],
    /// Samples along x, 2 to 65536.
    pub columns: u32,
    /// Samples along z, 2 to 65536.
    pub rows: u32,
    /// The heights, `columns * rows`.
    pub heights: &'a [f32],
    /// An area for each cell, `(columns - 1) * (rows - 1)`, 0 to 63; 0 is a hole.
    pub areas: Option<&'a [u8]>,
}

/// What a volume does to the walkable floors inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VolumeKind {
    /// They stop being walkable.
    Exclude,
    /// They stay walkable; with any such volume in the input, floors in none of them stop being.
    Include,
    /// They get an area, 1 to 63.
    Area(u8),
}

/// A convex volume over the ground with a height range, both ends included.
#[derive(Clone, Copy, Debug)]
pub struct Volume<'a> {
    /// Its corners, x and z: 3 to 256, convex, either way round.
    pub corners: &'a [[f64; 2]],
    /// Its lowest height.
    pub min_y: f64,
    /// Its highest height.
    pub max_y: f64,
    /// What it does.
    pub kind: VolumeKind,
}

/// A voxel world as input: voxel `(i, j, k)` is cell `i`, row `j`, cell `k` from the tile grid's origin, and row 0 lies at
/// height 0 (`build3d-polys.md`, section 1, "Voxel input"). A tile should be whole cells wide.
#[derive(Clone, Copy, Debug)]
pub struct Voxels<'a> {
    /// The voxels.
    pub chunk: VoxelChunk<'a>,
    /// The area of each material, 0 for one that is not walkable.
    pub areas: &'a [u8; 256],
}

/// All that a bake reads. Everything is optional; an empty input bakes empty tiles.
#[derive(Clone, Copy, Debug, Default)]
pub struct BakeInput<'a> {
    /// Triangle meshes, rasterized first, in order.
    pub meshes: &'a [TriangleMesh<'a>],
    /// Terrains, rasterized after the meshes, in order.
    pub terrains: &'a [Terrain<'a>],
    /// Voxels, instead of meshes and terrains: their rows are the grid's, so nothing else fits between them.
    pub voxels: Option<Voxels<'a>>,
    /// Volumes, applied after erosion, in order.
    pub volumes: &'a [Volume<'a>],
    /// Lists each tile's triangles of the meshes, so that a bake reads only those.
    pub index: Option<&'a TileIndex<'a>>,
}

/// A box of tile positions, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TileRange {
    /// Lowest column.
    pub x0: i32,
    /// Lowest row.
    pub z0: i32,
    /// Highest column.
    pub x1: i32,
    /// Highest row.
    pub z1: i32,
}

impl TileRange {
    /// How many columns there are.
    pub const fn width(&self) -> usize {
        (self.x1 as i64 - self.x0 as i64 + 1) as usize
    }

    /// How many rows there are.
    pub const fn depth(&self) -> usize {
        (self.z1 as i64 - self.z0 as i64 + 1) as usize
    }

    /// How many tiles there are.
    pub const fn count(&self) -> usize {
        self.width() * self.depth()
    }

    /// The tile of an index in row-major order.
    pub const fn tile(&self, index: usize) -> (i32, i32) {
        (self.x0 + (index % self.width()) as i32, self.z0 + (index / self.width()) as i32)
    }

    /// The row-major index of a tile inside the range.
    pub const fn index(&self, x: i32, z: i32) -> Option<usize> {
        if x < self.x0 || x > self.x1 || z < self.z0 || z > self.z1 {
            return None;
        }
        Some((x as i64 - self.x0 as i64) as usize + (z as i64 - self.z0 as i64) as usize * self.width())
    }
}

/// Checks a coordinate: a number within the bound, or an error that `element` names.
pub(super) fn check_coordinate(value: f64, element: Error) -> Result<()> {
    if value.is_nan() {
        return Err(element.value(value));
    }
    if !(-MAX_COORDINATE..=MAX_COORDINATE).contains(&value) {
        return Err(Error::limit(element.subject())
            .at(element.index().unwrap_or(0) as usize)
            .value(value)
            .bound(MAX_COORDINATE));
    }
    Ok(())
}

impl TriangleMesh<'_> {
    /// Checks that the areas fit the triangles.
    fn check_counts(&self, mesh: usize) -> Result<()> {
        match self.areas {
            Some(areas) if areas.len() != self.triangles.len() => {
                Err(Error::invalid(Subject::Mesh).at(mesh).value(areas.len() as f64).bound(self.triangles.len() as f64))
            }
            _ => Ok(()),
        }
    }

    /// Checks one triangle: its indices, its corners, its area. Errors name the triangle or the vertex, and the mesh as
    /// its part.
    pub(super) fn check_triangle(&self, mesh: usize, triangle: usize) -> Result<()> {
        for index in self.triangles[triangle] {
            if index as usize >= self.vertices.len() {
                let count = self.vertices.len();
                let error = Error::invalid(Subject::Triangle).at(triangle).part(mesh);
                return Err(error.value(f64::from(index)).bound(count as f64));
            }
            for value in self.vertices.get(index as usize) {
                check_coordinate(value, Error::invalid(Subject::Vertex).at(index as usize))
                    .map_err(|error| error.part(mesh))?;
            }
        }
        match self.areas {
            Some(areas) if areas[triangle] > WALKABLE_AREA => Err(Error::invalid(Subject::Triangle)
                .at(triangle)
                .part(mesh)
                .value(f64::from(areas[triangle]))
                .bound(f64::from(WALKABLE_AREA))),
            _ => Ok(()),
        }
    }

    /// The corners of a triangle that was checked.
    pub(super) fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|index| self.vertices.get(index as usize))
    }
}

impl Terrain<'_> {
    fn check(&self, terrain: usize) -> Result<()> {
        let named = Error::invalid(Subject::Terrain).at(terrain);
        for side in [self.columns, self.rows] {
            if side < 2 {
                return Err(named.value(f64::from(side)).bound(2.0));
            }
            if side > MAX_TERRAIN_SIDE {
                let error = Error::limit(Subject::Terrain).at(terrain);
                return Err(error.value(f64::from(side)).bound(f64::from(MAX_TERRAIN_SIDE)));
            }
        }
        let samples = self.columns as usize * self.rows as usize;
        let cells = (self.columns as usize - 1) * (self.rows as usize - 1);
        let areas = self.areas.map_or(cells, <[u8]>::len);
        if self.heights.len() != samples || areas != cells {
            return Err(named.value(self.heights.len() as f64).bound(samples as f64));
        }
        for spacing in self.spacing {
            if !spacing.is_finite() || spacing <= 0.0 {
                return Err(named.value(spacing));
            }
        }
        for (axis, count) in [(0, self.columns), (2, self.rows)] {
            let far = self.origin[axis] + f64::from(count - 1) * self.spacing[axis / 2];
            for value in [self.origin[axis], far] {
                check_coordinate(value, named)?;
            }
        }
        for (sample, &height) in self.heights.iter().enumerate() {
            let error = Error::invalid(Subject::Sample).at(sample).part(terrain);
            check_coordinate(self.origin[1] + f64::from(height), error)?;
        }
        let areas = self.areas.unwrap_or(&[]);
        match areas.iter().position(|&area| area > WALKABLE_AREA) {
            Some(cell) => Err(Error::invalid(Subject::Cell).at(cell).part(terrain).value(f64::from(areas[cell]))),
            None => Ok(()),
        }
    }

    /// Triangles that the terrain counts as.
    pub fn triangle_count(&self) -> usize {
        2 * (self.columns as usize).saturating_sub(1) * (self.rows as usize).saturating_sub(1)
    }

    /// The world position of a sample.
    pub(super) fn sample(&self, x: u32, z: u32) -> [f64; 3] {
        let height = self.heights[x as usize + z as usize * self.columns as usize];
        [
            self.origin[0] + f64::from(x) * self.spacing[0],
            self.origin[1] + f64::from(height),
            self.origin[2] + f64::from(z) * self.spacing[1],
        ]
    }

    /// The two triangles of a cell, facing up (`build3d-spans.md`, section 4).
    pub(super) fn cell(&self, x: u32, z: u32) -> [[[f64; 3]; 3]; 2] {
        let [a, b] = [self.sample(x, z), self.sample(x + 1, z)];
        let [c, d] = [self.sample(x, z + 1), self.sample(x + 1, z + 1)];
        [[a, c, d], [a, d, b]]
    }

    /// A cell's area: 63 where none is given, 0 for a hole.
    pub(super) fn area(&self, x: u32, z: u32) -> u8 {
        self.areas.map_or(WALKABLE_AREA, |areas| areas[x as usize + z as usize * (self.columns as usize - 1)])
    }
}

impl<'a> Volume<'a> {
    /// The checked shape, with the area its floors get; errors name the volume, and its corner as the part.
    fn shape(&self, volume: usize) -> Result<ConvexVolume<'a>> {
        let area = match self.kind {
            VolumeKind::Exclude => 0,
            VolumeKind::Include => WALKABLE_AREA,
            VolumeKind::Area(area) => area,
        };
        if let VolumeKind::Area(0) = self.kind {
            return Err(Error::invalid(Subject::Volume).at(volume).value(0.0).bound(1.0));
        }
        ConvexVolume::new(self.corners, self.min_y, self.max_y, area).map_err(|error| {
            let named = Error::new(error.kind(), error.subject()).at(volume);
            error.index().map_or(named, |corner| named.part(corner as usize))
        })
    }
}

impl BakeInput<'_> {
    /// Shapes an eroded field: first what lies in no include volume, where there are any, stops being walkable; then
    /// exclude and area volumes apply in order. Takes a byte a span of scratch where there are include volumes.
    pub(super) fn apply_volumes(&self, field: &mut Compact<'_>, arena: &mut Arena<'_>) -> Result<()> {
        if self.volumes.iter().any(|volume| volume.kind == VolumeKind::Include) {
            arena.scope(|desk| self.keep_included(field, desk))?;
        }
        for (v, volume) in self.volumes.iter().enumerate() {
            if volume.kind != VolumeKind::Include {
                volume.shape(v)?.apply(field);
            }
        }
        Ok(())
    }

    /// Applies every include volume with a mark for an area to a field that has lost its areas, and gives them back to
    /// what was marked.
    fn keep_included(&self, field: &mut Compact<'_>, desk: &mut Arena<'_>) -> Result<()> {
        let areas = desk.take::<u8>(field.areas.len())?;
        areas.copy_from_slice(field.areas);
        field.areas.iter_mut().filter(|area| **area != 0).for_each(|area| *area = NOT_INCLUDED);
        for (v, volume) in self.volumes.iter().enumerate() {
            if volume.kind == VolumeKind::Include {
                volume.shape(v)?.apply(field);
            }
        }
        for (area, &before) in field.areas.iter_mut().zip(areas.iter()) {
            *area = if *area == WALKABLE_AREA { before } else { 0 };
        }
        Ok(())
    }

    /// Triangles of the whole input, terrains' included.
    pub fn triangle_count(&self) -> usize {
        let meshes = self.meshes.iter().map(|mesh| mesh.triangles.len());
        let terrains = self.terrains.iter().map(Terrain::triangle_count);
        meshes.chain(terrains).fold(0, usize::saturating_add)
    }

    /// Checks the whole input, every triangle of every mesh, as an import step wants it. The first fault is named:
    /// mesh, terrain or volume, and its element. Linear in the input.
    pub fn validate(&self) -> Result<()> {
        self.check_head()?;
        for (m, mesh) in self.meshes.iter().enumerate() {
            for triangle in 0..mesh.triangles.len() {
                mesh.check_triangle(m, triangle)?;
            }
        }
        Ok(())
    }

    /// Checks everything but the meshes' triangles.
    pub(super) fn check_head(&self) -> Result<()> {
        let count = self.triangle_count();
        if count > MAX_TRIANGLES {
            return Err(Error::limit(Subject::Triangles).value(count as f64).bound(MAX_TRIANGLES as f64));
        }
        if let Some(voxels) = &self.voxels {
            if count > 0 {
                return Err(Error::invalid(Subject::Chunk).value(count as f64).bound(0.0));
            }
            if let Some(material) = voxels.areas.iter().position(|&area| area > WALKABLE_AREA) {
                let area = f64::from(voxels.areas[material]);
                return Err(Error::invalid(Subject::Chunk).part(material).value(area).bound(f64::from(WALKABLE_AREA)));
            }
        }
        for (m, mesh) in self.meshes.iter().enumerate() {
            mesh.check_counts(m)?;
        }
        for (t, terrain) in self.terrains.iter().enumerate() {
            terrain.check(t)?;
        }
        for (v, volume) in self.volumes.iter().enumerate() {
            volume.shape(v)?;
        }
        Ok(())
    }

    /// The ground that a checked input covers: lowest and highest x and z; `None` for an input without triangles.
    pub fn ground_bounds(&self) -> Option<[[f64; 2]; 2]> {
        let mut bounds: Option<[[f64; 2]; 2]> = None;
        let mut add = |point: [f64; 3]| {
            let at = [point[0], point[2]];
            let [low, high] = bounds.get_or_insert([at, at]);
            for axis in 0..2 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        };
        for mesh in self.meshes {
            for triangle in 0..mesh.triangles.len() {
                mesh.corners(triangle).into_iter().for_each(&mut add);
            }
        }
        for terrain in self.terrains {
            add(terrain.sample(0, 0));
            add(terrain.sample(terrain.columns - 1, terrain.rows - 1));
        }
        bounds
    }

    /// The tiles whose own ground the input's bounds touch, in the tile grid of the settings; `None` for an input
    /// without triangles. More than 2^20 tiles are refused with their count (`build3d-polys.md`, section 1).
    pub fn tile_range(&self, settings: &NavSettings) -> Result<Option<TileRange>> {
        self.validate()?;
        if let Some(voxels) = &self.voxels {
            let cells = BakeCells::new(settings)?.tile_cells;
            let last = |side: u32| side.div_ceil(cells) as i32 - 1;
            let range = TileRange { x0: 0, z0: 0, x1: last(voxels.chunk.width), z1: last(voxels.chunk.depth) };
            return Ok(Some(range).filter(|range| range.x1 >= 0 && range.z1 >= 0));
        }
        let Some([low, high]) = self.ground_bounds() else { return Ok(None) };
        let origin = [settings.origin_x, settings.origin_z];
        let tile = |v: f64, axis: usize| floor((v - origin[axis]) / settings.tile_size);
        let [x0, z0, x1, z1] = [tile(low[0], 0), tile(low[1], 1), tile(high[0], 0), tile(high[1], 1)];
        let count = (x1 - x0 + 1.0) * (z1 - z0 + 1.0);
        if count.is_nan() || count > MAX_TILES {
            return Err(Error::limit(Subject::Tiles).value(count).bound(MAX_TILES));
        }
        // A tile is at least a cell wide and coordinates are within 2^21, so columns stay far inside an i32 for any
        // count that passes; a grid origin far away is refused by the settings.
        Ok(Some(TileRange { x0: x0 as i32, z0: z0 as i32, x1: x1 as i32, z1: z1 as i32 }))
    }
}

/// Which tiles a triangle's ground box reaches, once widened by a tile's border (`build3d-polys.md`, section 1,
/// "Triangle selection").
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TileReach {
    origin: [f64; 2],
    tile_size: f64,
    border: f64,
}

impl TileReach {
    pub(super) fn new(settings: &NavSettings, cells: &BakeCells) -> TileReach {
        TileReach {
            origin: [settings.origin_x, settings.origin_z],
            tile_size: settings.tile_size,
            border: f64::from(cells.border) * cells.cell_size,
        }
    }

    /// The columns and rows that a triangle reaches, as lowest and highest.
    pub(super) fn of(&self, corners: &[[f64; 3]; 3]) -> [[f64; 2]; 2] {
        let range = |axis: usize, ground: usize| {
            let [a, b, c] = [corners[0][axis], corners[1][axis], corners[2][axis]];
            let low = a.min(b).min(c) - self.border - self.origin[ground];
            let high = a.max(b).max(c) + self.border - self.origin[ground];
            [floor(low / self.tile_size), floor(high / self.tile_size)]
        };
        [range(0, 0), range(2, 1)]
    }

    /// The ground of a tile widened by its border, along x (`axis` 0) or z (1): lowest and highest.
    pub(super) fn ground(&self, tile: (i32, i32), axis: usize) -> [f64; 2] {
        let low = self.origin[axis] + f64::from([tile.0, tile.1][axis]) * self.tile_size;
        [low - self.border, low + self.tile_size + self.border]
    }

    /// Whether a triangle reaches a tile.
    pub(super) fn reaches(&self, corners: &[[f64; 3]; 3], x: i32, z: i32) -> bool {
        let [columns, rows] = self.of(corners);
        let [x, z] = [f64::from(x), f64::from(z)];
        columns[0] <= x && x <= columns[1] && rows[0] <= z && z <= rows[1]
    }
}
