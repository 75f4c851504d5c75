//! Baking with memory that grows: every tile of an input, or one tile a call for a host's own threads.

use crate::block::{Block, Source};
use alloc::vec::Vec;
use navarena::build3d::{BakeDef, BakeInput, BakeLimits, BakeReport, Baker, IslandRule, TileIndex, TileRange};
use navarena::error::{ErrorKind, Result, Subject};
use navarena::memory::Arena;
use navarena::mesh::{NavSettings, OffMeshLinkDef};

/// What one tile's bake gave.
#[derive(Clone, Debug, Default)]
pub struct BakedTile {
    /// The bytes of the tile's layers, lowest first; none where there is nothing to walk on.
    pub layers: Vec<Vec<u8>>,
    /// What the bake counted.
    pub report: BakeReport,
}

/// Bakes tiles in a block that grows when a tile needs more. One a thread bakes tiles in parallel, and gives the same
/// bytes as one alone.
#[derive(Debug)]
pub struct TileBaker {
    block: Block,
    source: Source,
    islands: IslandRule,
    high_water: usize,
}

/// The least work memory a baker begins with.
const FIRST_BYTES: usize = 4 << 20;

impl TileBaker {
    /// A baker with a few megabytes from a source.
    pub fn new(source: &Source) -> Result<TileBaker> {
        let block = Block::new(source, FIRST_BYTES)?;
        Ok(TileBaker { block, source: *source, islands: IslandRule::BeforeMerging, high_water: 0 })
    }

    /// The same baker, with another rule for small islands.
    pub const fn with_islands(mut self, rule: IslandRule) -> TileBaker {
        self.islands = rule;
        self
    }

    /// Bakes the tile at a place.
    ///
    /// Errors: what the core's baker refuses, but memory only when the source has no more.
    pub fn bake(
        &mut self,
        input: &BakeInput<'_>,
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        (x, z): (i32, i32),
    ) -> Result<BakedTile> {
        loop {
            let limits = BakeLimits { bytes: self.block.bytes(), ..BakeLimits::DEFAULT };
            let def = BakeDef { settings: *settings, links, islands: self.islands, limits };
            let mut baker = Baker::new(&def, &mut Arena::new(self.block.grains()))?;
            match baker.bake_tile(input, x, z) {
                Ok(report) => {
                    let layers = baker.tiles().map(<[u8]>::to_vec).collect();
                    self.high_water = self.high_water.max(report.memory_peak);
                    return Ok(BakedTile { layers, report });
                }
                Err(error) if error.kind() == ErrorKind::Capacity && error.subject() == Subject::Memory => {
                    self.grow()?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The most work memory any bake used, in bytes.
    pub const fn high_water(&self) -> usize {
        self.high_water
    }

    fn grow(&mut self) -> Result<()> {
        let bytes = self.block.bytes().saturating_mul(2);
        // The old block goes first: both at once may be more than there is.
        self.block = Block::new(&self.source, 0)?;
        self.block = Block::new(&self.source, bytes)?;
        Ok(())
    }
}

/// Every tile of an input.
#[derive(Clone, Debug, Default)]
pub struct Baked {
    /// The tiles' bytes, row by row, each column's layers from the lowest.
    pub tiles: Vec<Vec<u8>>,
    /// What all bakes counted together; the memory peak is the largest of them.
    pub report: BakeReport,
}

impl Baked {
    /// Adds the tile that comes next.
    pub fn push(&mut self, tile: BakedTile) {
        self.tiles.extend(tile.layers);
        add(&mut self.report, &tile.report);
    }

    /// Bakes every tile of an input, one after the other.
    pub fn bake(
        input: &BakeInput<'_>,
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
    ) -> Result<Baked> {
        let mut baked = Baked::default();
        with_index(input, settings, source, |input, range| {
            let mut baker = TileBaker::new(source)?;
            for index in 0..range.map_or(0, |range| range.count()) {
                let place = range.map_or((0, 0), |range| range.tile(index));
                baked.push(baker.bake(input, settings, links, place)?);
            }
            Ok(())
        })?;
        Ok(baked)
    }
}

/// Makes the tile index of an input and calls `work` with the input that has it, and with the tiles it spreads over.
pub fn with_index<R, E: From<navarena::error::Error>>(
    input: &BakeInput<'_>,
    settings: &NavSettings,
    source: &Source,
    work: impl FnOnce(&BakeInput<'_>, Option<TileRange>) -> core::result::Result<R, E>,
) -> core::result::Result<R, E> {
    settings.validate()?;
    let range = input.tile_range(settings)?;
    let mut block = Block::new(source, TileIndex::plan(input, settings)?.bytes)?;
    let index = TileIndex::new(input, settings, &mut Arena::new(block.grains()))?;
    work(&BakeInput { index: Some(&index), ..*input }, range)
}

/// Adds up what bakes counted.
fn add(total: &mut BakeReport, one: &BakeReport) {
    total.stage = one.stage;
    for (sum, count) in [
        (&mut total.triangles, one.triangles),
        (&mut total.degenerate_triangles, one.degenerate_triangles),
        (&mut total.solid_spans, one.solid_spans),
        (&mut total.spans, one.spans),
        (&mut total.regions, one.regions),
        (&mut total.dropped_regions, one.dropped_regions),
        (&mut total.contours, one.contours),
        (&mut total.raw_contours, one.raw_contours),
        (&mut total.dropped_holes, one.dropped_holes),
        (&mut total.polygons, one.polygons),
        (&mut total.vertices, one.vertices),
        (&mut total.degenerate_ears, one.degenerate_ears),
        (&mut total.detail_vertices, one.detail_vertices),
        (&mut total.detail_triangles, one.detail_triangles),
        (&mut total.capped_details, one.capped_details),
        (&mut total.lost_samples, one.lost_samples),
        (&mut total.layers, one.layers),
    ] {
        *sum = sum.saturating_add(count);
    }
    total.tile_bytes += one.tile_bytes;
    total.memory_peak = total.memory_peak.max(one.memory_peak);
}
