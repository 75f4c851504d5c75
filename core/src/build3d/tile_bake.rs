//! One tile's bake: the stages in their order, and what lies where in work memory while they run
//! (`build3d-polys.md`, section 2).

use super::baker::BakeLimits;
use super::cells::BakeCells;
use super::compact::Compact;
use super::contours::{ContourSettings, Contours};
use super::detail::{DetailMesh, DetailSettings};
use super::erosion::erode;
use super::filters::filter_walkable;
use super::finished::{keep_block, take_block};
use super::frame::{Frame, MAX_ROWS};
use super::heightfield::Heightfield;
use super::input::{BakeInput, MAX_COORDINATE};
use super::layer_field::layer_field;
use super::layer_tile::LayerParts;
use super::local::TileCoordinates;
use super::polygons::{PolyMesh, PolySettings};
use super::rasterize::{Areas, Rasterizer};
use super::regions::filter::{Filtering, IslandRule, filter_regions};
use super::regions::{RegionSettings, components, cut_border, layers, partition};
use super::report::{BakeReport, BakeStage};
use super::selection::{Selection, Survey};
use super::voxel_chunk::add_chunk;
use crate::error::{Error, Result, Subject};
use crate::math::ceil;
use crate::memory::Arena;
use crate::mesh::{LinkColumn, MeshParams, NavSettings, OFF_MESH_BYTES, OffMeshLinkDef, Partition, TilePlace};

/// At most this distance of height samples, in cells, turns them off (`build3d-polys.md`, section 4).
const LEAST_SAMPLE_CELLS: f64 = 0.9;

/// One bake under way.
pub(super) struct TileBake<'b> {
    pub(super) settings: &'b NavSettings,
    pub(super) links: &'b [OffMeshLinkDef],
    pub(super) islands: IslandRule,
    pub(super) limits: &'b BakeLimits,
    pub(super) cells: &'b BakeCells,
    pub(super) params: &'b MeshParams,
    pub(super) x: i32,
    pub(super) z: i32,
    pub(super) report: BakeReport,
}

impl TileBake<'_> {
    /// Runs every stage; the finished tiles lie at the arena's back.
    pub(super) fn run(&mut self, input: &BakeInput<'_>, arena: &mut Arena<'_>) -> Result<()> {
        let selection = Selection::new(input, self.settings, self.cells, (self.x, self.z), self.limits.triangles)?;
        if let Some(frame) = self.survey(input, &selection)? {
            let mut field = self.voxelize(input, &selection, frame, arena)?;
            match self.settings.partition {
                Partition::Layers => self.bake_by_layers(input, &mut field, arena)?,
                Partition::Watershed | Partition::Monotone => self.bake_regions(input, &mut field, arena)?,
            }
        }
        self.report.stage = BakeStage::Done;
        Ok(())
    }

    /// Chooses the rows that the tile needs; `None` where nothing can be walked on.
    fn survey(&mut self, input: &BakeInput<'_>, selection: &Selection<'_>) -> Result<Option<Frame>> {
        if let Some(voxels) = &input.voxels {
            return self.frame(0.0, f64::from(voxels.chunk.height) + self.headroom()).map(Some);
        }
        let survey = Survey::of(selection, self.cells.slope_cosine, self.limits.tile_triangles)?;
        self.report.triangles = survey.triangles;
        self.report.fingerprint = survey.fingerprint(input, self.params, self.islands);
        if !survey.may_be_walkable {
            return Ok(None);
        }
        let bottom = (survey.low - self.cells.cell_height).max(1.0 - MAX_COORDINATE);
        let rows = ceil((survey.high - bottom) / self.cells.cell_height) + self.headroom();
        self.frame(bottom, rows).map(Some)
    }

    /// Rows above the highest surface.
    fn headroom(&self) -> f64 {
        f64::from(self.cells.height) + 2.0
    }

    /// The build grid of the tile: its cells, the border around them, and rows from a height up.
    fn frame(&self, bottom: f64, rows: f64) -> Result<Frame> {
        if rows > f64::from(MAX_ROWS) {
            return Err(Error::limit(Subject::Rows).value(rows).bound(f64::from(MAX_ROWS)));
        }
        let [x, z] = self.params.tile_origin(self.x, self.z);
        let border = f64::from(self.cells.border) * self.cells.cell_size;
        let side = self.cells.grid_side();
        let origin = [x - border, bottom, z - border];
        let [cell, row] = [self.cells.cell_size as f32, self.cells.cell_height as f32];
        Frame::new(origin, cell, row, side, side, rows as u32)
    }

    /// Triangles into the eroded open spans, at the arena's front. The solid spans come and go at its back.
    fn voxelize<'a>(
        &mut self,
        input: &BakeInput<'_>,
        selection: &Selection<'_>,
        frame: Frame,
        arena: &mut Arena<'a>,
    ) -> Result<Compact<'a>> {
        self.report.stage = BakeStage::Rasterize;
        let BakeCells { height, climb, radius, slope_cosine: cosine, .. } = *self.cells;
        let spans = arena.scope(|desk| {
            let (mut solid, degenerate) = Heightfield::filled(frame, self.limits.spans as usize, desk, |solid| {
                if let Some(voxels) = &input.voxels {
                    // A tile whose cells an i32 does not reach lies beyond any chunk either way.
                    let first = |tile: i32| {
                        let cell = i64::from(self.cells.border) - i64::from(tile) * i64::from(self.cells.tile_cells);
                        cell.clamp(i32::MIN.into(), i32::MAX.into()) as i32
                    };
                    add_chunk(solid, &voxels.chunk, [first(self.x), 0, first(self.z)], voxels.areas)?;
                }
                let mut rasterizer = Rasterizer::new(solid, climb);
                selection.for_each(|triangle| {
                    rasterizer.triangle(
                        triangle.number,
                        triangle.corners,
                        &Areas::Slope { cosine, area: triangle.area },
                    )
                })?;
                Ok(rasterizer.stats.degenerate)
            })?;
            self.report.degenerate_triangles = degenerate as u32;
            self.report.solid_spans = solid.span_count() as u32;
            self.report.stage = BakeStage::Compact;
            filter_walkable(&mut solid, height, climb);
            Compact::build(&solid, height, climb, desk).map(|field| field.spans.len())
        })?;
        self.report.spans = spans as u32;
        self.report.stage = BakeStage::Erode;
        let mut field = Compact::again(frame, spans, arena)?;
        erode(&mut field, radius, arena)?;
        Ok(field)
    }

    /// Watershed and monotone regions: all floors of the tile on layer 0.
    fn bake_regions(&mut self, input: &BakeInput<'_>, field: &mut Compact<'_>, arena: &mut Arena<'_>) -> Result<()> {
        input.apply_volumes(field, arena)?;
        self.report.stage = BakeStage::Regions;
        self.report.dropped_regions += partition(field, &self.region_settings(), arena)?;
        self.bake_polygons(field, Layering::One, arena)
    }

    /// Layer regions. A span's layer is decided once, before volumes, so that a rebuild with other volumes decides the
    /// same (`build3d-regions.md`, section 4, "Layer-first partition").
    fn bake_by_layers(&mut self, input: &BakeInput<'_>, field: &mut Compact<'_>, arena: &mut Arena<'_>) -> Result<()> {
        self.report.stage = BakeStage::Regions;
        field.keep_mutual_links();
        let layers = arena.take::<u16>(field.spans.len())?;
        let count = layers::layers_of_spans(field, layers, arena)?;
        input.apply_volumes(field, arena)?;
        if self.samples_heights() {
            self.report.dropped_regions +=
                layers::partition_on_layers(field, layers, self.settings.min_region_area, arena)?;
            return self.bake_polygons(field, Layering::BySpan { layers, count }, arena);
        }
        for layer in 0..count as u16 {
            if let Some(bytes) = arena.scope(|desk| self.bake_layer(field, layers, layer, desk))? {
                keep_block(bytes, bytes + self.link_room(), arena)?;
            }
        }
        Ok(())
    }

    /// One layer from its own spans alone (`build3d-runtime.md`, "Layer-first tiles"). Returns the bytes of the block it
    /// left at the back.
    fn bake_layer(
        &mut self,
        field: &Compact<'_>,
        layers: &[u16],
        layer: u16,
        desk: &mut Arena<'_>,
    ) -> Result<Option<usize>> {
        let mut own = layer_field(field, layers, layer, desk)?;
        components::partition_components(&mut own, None, desk)?;
        let filtering = Filtering { min_area: self.settings.min_region_area, ..Filtering::default() };
        self.report.dropped_regions += filter_regions(&mut own, filtering, desk)?;
        let before = self.report.tile_bytes;
        self.bake_polygons(&mut own, Layering::Alone(i32::from(layer)), desk)?;
        Ok(Some(self.report.tile_bytes - before).filter(|&bytes| bytes > 0))
    }

    /// Regions into tiles: cuts the border off, traces, polygonizes, lays the detail and encodes.
    fn bake_polygons(&mut self, field: &mut Compact<'_>, layering: Layering<'_>, arena: &mut Arena<'_>) -> Result<()> {
        let own_regions = field.region_count;
        let Some(border_region) = cut_border(field, self.cells.border, self.cells.tile_cells) else { return Ok(()) };
        self.report.regions += own_regions;
        self.report.stage = BakeStage::Contours;
        let contours = Contours::build(field, &self.contour_settings(border_region), arena)?;
        self.report.contours += contours.contours.len() as u32;
        self.report.raw_contours += contours.raw_fallbacks;
        self.report.dropped_holes += contours.dropped_holes;

        self.report.stage = BakeStage::Polygons;
        let mut coordinates = self.coordinates();
        let polys = PolyMesh::build(&contours, &self.poly_settings(coordinates), arena)?;
        self.report.degenerate_ears += polys.degenerate_ears;
        let Some((low, high)) = polys.rows() else { return Ok(()) };
        self.check_reach(low, high)?;
        coordinates.min_row = low;

        self.report.stage = BakeStage::Detail;
        let detail = DetailMesh::build(field, &polys, &coordinates, &self.detail_settings(), arena)?;
        self.report.capped_details += detail.capped;
        self.report.lost_samples += detail.samples_without_height;

        self.report.stage = BakeStage::Encode;
        let parts = LayerParts {
            polys: &polys,
            detail: &detail,
            coordinates: &coordinates,
            settings: self.settings,
            params: self.params,
            place: TilePlace {
                x: self.x,
                z: self.z,
                layer: 0,
                origin_y: field.frame.origin[1] + f64::from(low) * self.cells.cell_height,
            },
        };
        self.encode(&parts, field, layering, arena)
    }

    /// Writes one tile a layer to the arena's back.
    fn encode(
        &mut self,
        parts: &LayerParts<'_>,
        field: &Compact<'_>,
        layering: Layering<'_>,
        arena: &mut Arena<'_>,
    ) -> Result<()> {
        match layering {
            Layering::One => self.encode_layer(parts, 0, |_| true, arena),
            Layering::Alone(layer) => self.encode_layer(parts, layer, |_| true, arena),
            Layering::BySpan { layers, count } => {
                let of_region = arena.take_zeroed::<u16>(field.region_count as usize + 1)?;
                for (&region, &layer) in field.regions.iter().zip(layers) {
                    of_region[region as usize] = layer;
                }
                (0..count as u16).try_for_each(|layer| {
                    let is_here = |region: u32| of_region[region as usize] == layer;
                    self.encode_layer(parts, i32::from(layer), is_here, arena)
                })
            }
        }
    }

    fn encode_layer(
        &mut self,
        parts: &LayerParts<'_>,
        layer: i32,
        is_here: impl Fn(u32) -> bool,
        arena: &mut Arena<'_>,
    ) -> Result<()> {
        let bytes = arena.scope(|desk| {
            let Some(mut tile) = parts.tile(is_here, desk)? else { return Ok(None) };
            tile.layer = layer;
            self.report.polygons += tile.polygons.len() as u32;
            self.report.vertices += tile.vertices.len() as u32;
            self.report.detail_vertices += tile.detail_vertices.len() as u32;
            self.report.detail_triangles += tile.detail_triangles.len() as u32;
            let bytes = tile.byte_size();
            tile.write(self.params, take_block(bytes, bytes + self.link_room(), desk)?)?;
            Ok(Some(bytes))
        })?;
        if let Some(bytes) = bytes {
            keep_block(bytes, bytes + self.link_room(), arena)?;
            self.report.tile_bytes += bytes;
            self.report.layers += 1;
        }
        Ok(())
    }

    /// Bytes that a finished tile keeps free for the links that start in its column: which layer each goes to is known
    /// only when all are baked.
    fn link_room(&self) -> usize {
        let column = LinkColumn { params: self.params, place: (self.x, self.z) };
        OFF_MESH_BYTES * self.links.iter().filter(|link| column.holds_start_of(link)).count()
    }

    /// Refuses a tile whose floors lie farther apart than its format's heights reach.
    fn check_reach(&self, low: i32, high: i32) -> Result<()> {
        let rows = f64::from(high - low) + 2.0 * f64::from(self.cells.climb + 1);
        let (reach, bound) = (rows * self.cells.cell_height, self.params.max_local_extent());
        if reach > bound {
            return Err(Error::limit(Subject::MaxLocalExtent).value(reach).bound(bound));
        }
        Ok(())
    }

    fn samples_heights(&self) -> bool {
        self.cells.detail_distance > LEAST_SAMPLE_CELLS
    }

    fn region_settings(&self) -> RegionSettings {
        RegionSettings {
            partition: self.settings.partition,
            min_region_area: self.settings.min_region_area,
            merge_region_area: self.settings.merge_region_area,
            islands: self.islands,
        }
    }

    fn contour_settings(&self, border_region: u32) -> ContourSettings {
        ContourSettings {
            max_error: self.cells.contour_error,
            max_edge_length: self.cells.max_edge,
            border_region,
            max_contours: self.limits.contours as usize,
            max_vertices: self.limits.contour_vertices as usize,
            ..ContourSettings::DEFAULT
        }
    }

    fn coordinates(&self) -> TileCoordinates {
        TileCoordinates {
            border: self.cells.border,
            tile_cells: self.cells.tile_cells,
            cell_size: self.cells.cell_size,
            tile_size: self.settings.tile_size,
            cell_height: self.cells.cell_height,
            min_row: 0,
        }
    }

    fn poly_settings(&self, coordinates: TileCoordinates) -> PolySettings {
        PolySettings {
            max_verts: self.settings.max_verts_per_poly,
            coordinates,
            max_polygons: self.limits.polygons as usize,
            max_vertices: self.limits.vertices as usize,
        }
    }

    fn detail_settings(&self) -> DetailSettings {
        DetailSettings {
            sample_distance: self.settings.detail_sample_distance,
            max_error: self.settings.detail_max_error,
            walkable_climb: self.cells.climb,
            max_vertices: self.limits.detail_vertices as usize,
            max_triangles: self.limits.detail_triangles as usize,
        }
    }
}

/// How polygons fall on layers.
enum Layering<'l> {
    /// Every floor on layer 0.
    One,
    /// The polygons are those of one layer.
    Alone(i32),
    /// A polygon lies on the layer of its region's spans.
    BySpan { layers: &'l [u16], count: usize },
}
