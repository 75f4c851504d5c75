//! The baker: one tile of level geometry in, that tile's bytes out, through every stage in its order
//! (`build3d-polys.md`, section 2; `maul-nav/bake.md`, `mnavBaker_BakeTile`).
//!
//! Work memory is one region. The products of a stage lie at its front, one after the other; what a stage needs only
//! for itself lies at its back and is given back with a scope. The finished tiles lie at the very back.

use super::cells::BakeCells;
use super::finished::{FinishedTiles, edit_block};
use super::input::BakeInput;
use super::regions::filter::IslandRule;
use super::report::BakeReport;
use super::tile_bake::TileBake;
use crate::error::Result;
use crate::memory::{Arena, Grain, Plan, Ruler};
use crate::mesh::{LinkColumn, MeshParams, NavSettings, OffMeshLinkDef};

/// How much a bake may hold at most. Every limit reached is a capacity error with the limit's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BakeLimits {
    /// Triangles of one input, terrains' and volumes' points included.
    pub triangles: u32,
    /// Triangles that reach one tile.
    pub tile_triangles: u32,
    /// Solid spans of one tile that lie above the lowest of their column; the lowest ones have their place in the grid.
    pub spans: u32,
    /// Contours of one tile.
    pub contours: u32,
    /// Vertices of those contours.
    pub contour_vertices: u32,
    /// Polygons of one tile.
    pub polygons: u32,
    /// Vertices of one tile.
    pub vertices: u32,
    /// Vertices that height detail adds to one tile.
    pub detail_vertices: u32,
    /// Triangles of one tile's height detail.
    pub detail_triangles: u32,
    /// Bytes of work memory, finished tiles included.
    pub bytes: usize,
}

impl BakeLimits {
    /// A tile of some 256 cells a side, in 16 MiB; what is bounded by memory has no other bound.
    pub const DEFAULT: BakeLimits = BakeLimits {
        triangles: 1 << 28,
        tile_triangles: 1 << 26,
        spans: (1 << 26) - 2,
        contours: 1 << 20,
        contour_vertices: 1 << 24,
        polygons: 65_535,
        vertices: 65_535,
        detail_vertices: 1 << 24,
        detail_triangles: 1 << 24,
        bytes: 16 << 20,
    };
}

impl Default for BakeLimits {
    fn default() -> Self {
        BakeLimits::DEFAULT
    }
}

/// What a baker is made from.
///
/// ```
/// use navarena::build3d::{BakeDef, BakeLimits};
/// const DEF: BakeDef = BakeDef { limits: BakeLimits { bytes: 64 << 10, ..BakeLimits::DEFAULT }, ..BakeDef::HUMANOID };
/// const BYTES: usize = DEF.plan().bytes;
/// assert_eq!(BYTES, 64 << 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeDef<'d> {
    /// What shapes the mesh.
    pub settings: NavSettings,
    /// The off-mesh links that tiles carry; part of the settings' digest.
    pub links: &'d [OffMeshLinkDef],
    /// When islands are removed that are smaller than the settings' least region. Layers have nothing to merge: either
    /// rule gives the same.
    pub islands: IslandRule,
    /// How much a bake holds at most.
    pub limits: BakeLimits,
}

impl BakeDef<'static> {
    /// A baker for [`NavSettings::HUMANOID`].
    pub const HUMANOID: BakeDef<'static> = BakeDef::of(NavSettings::HUMANOID);

    /// A baker for settings, without authored links, with default limits. The settings are judged when the baker is made.
    pub const fn of(settings: NavSettings) -> BakeDef<'static> {
        BakeDef { settings, links: &[], islands: IslandRule::BeforeMerging, limits: BakeLimits::DEFAULT }
    }
}

impl BakeDef<'_> {
    /// The memory that the baker takes: its limit of bytes.
    pub const fn plan(&self) -> Plan {
        Ruler::new().array::<u8>(self.limits.bytes).plan()
    }
}

/// Bakes tiles, one a call, in memory of its own.
///
/// Bakers share nothing, so a host runs one on each of its threads; the same input and def give the same bytes on every
/// machine and in any order of tiles.
#[derive(Debug)]
pub struct Baker<'m> {
    settings: NavSettings,
    links: &'m [OffMeshLinkDef],
    islands: IslandRule,
    limits: BakeLimits,
    cells: BakeCells,
    params: MeshParams,
    work: &'m mut [Grain],
    tiles: u32,
    report: BakeReport,
    high_water: usize,
}

impl<'m> Baker<'m> {
    /// Checks a def and makes its baker. Errors: the first setting or link out of its range, or memory.
    pub fn new(def: &BakeDef<'m>, arena: &mut Arena<'m>) -> Result<Self> {
        let cells = BakeCells::new(&def.settings)?;
        for (index, link) in def.links.iter().enumerate() {
            link.validate(index)?;
        }
        let params = def.settings.to_params(def.links);
        params.validate()?;
        arena.check(def.plan())?;
        Ok(Baker {
            settings: def.settings,
            links: def.links,
            islands: def.islands,
            limits: def.limits,
            cells,
            params,
            work: arena.take_grains(def.limits.bytes)?,
            tiles: 0,
            report: BakeReport::default(),
            high_water: 0,
        })
    }
}

impl Baker<'_> {
    /// Bakes the tile at a place and keeps its bytes, one tile a layer, until the next bake. A tile with nothing to walk
    /// on is a success without bytes.
    ///
    /// Errors: what the input is refused for; a tile outside the world or higher than it may be; a limit or the work
    /// memory reached. The baker then holds no tile, [`report`](Baker::report) says how far it came, and the next bake
    /// starts afresh.
    pub fn bake_tile(&mut self, input: &BakeInput<'_>, x: i32, z: i32) -> Result<BakeReport> {
        self.tiles = 0;
        let mut arena = Arena::new(&mut *self.work);
        let mut bake = TileBake {
            settings: &self.settings,
            links: self.links,
            islands: self.islands,
            limits: &self.limits,
            cells: &self.cells,
            params: &self.params,
            x,
            z,
            report: BakeReport::default(),
        };
        let result = bake.run(input, &mut arena);
        self.report = BakeReport { memory_peak: arena.high_water(), ..bake.report };
        self.high_water = self.high_water.max(arena.high_water());
        result?;
        self.bake_links((x, z))?;
        self.tiles = self.report.layers;
        Ok(self.report)
    }

    /// Appends the links that start in the column to the finished tiles, in the order of their definitions.
    fn bake_links(&mut self, place: (i32, i32)) -> Result<()> {
        let column = LinkColumn { params: &self.params, place };
        let left = self.report.layers;
        for (number, link) in self.links.iter().enumerate() {
            if left == 0 || !column.holds_start_of(link) {
                continue;
            }
            let layer = column.layer_among(link, FinishedTiles { grains: self.work, left });
            let before = self.report.tile_bytes;
            edit_block(self.work, layer, |block, used| {
                let end = column.append(number, link, block, used)?;
                self.report.tile_bytes = before + end - used;
                Ok(end)
            })?;
        }
        Ok(())
    }

    /// The bytes of the last baked tile's layers (`ONPT`), lowest first; nothing after a refusal.
    pub fn tiles(&self) -> impl Iterator<Item = &[u8]> {
        FinishedTiles { grains: self.work, left: self.tiles }
    }

    /// What the last bake did, a refused one included.
    pub fn report(&self) -> &BakeReport {
        &self.report
    }

    /// What the baked tiles and their mesh agree on.
    pub fn params(&self) -> &MeshParams {
        &self.params
    }

    /// The settings in cells.
    pub fn cells(&self) -> &BakeCells {
        &self.cells
    }

    /// The most work memory any bake used, in bytes.
    pub fn high_water(&self) -> usize {
        self.high_water
    }
}
