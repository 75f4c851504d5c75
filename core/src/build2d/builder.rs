//! The floor builder: an input through all stages, then one tile after another (`build2d-tiles.md`, "Stages").

use super::def::{FloorDef, FloorLimits, finest_snap_bits, snap_grid_of};
use super::input::FloorInput;
use super::lines::TileLines;
use super::report::{FloorReport, FloorStage};
use super::slice::{SlicedPlaces, sliced_places};
use super::tile::{partition_tile, tile_data};
use crate::error::{Error, Result, Subject};
use crate::geometry::region::{GridPoint, Region, RegionBuilder, SnapGrid};
use crate::math::{max, min};
use crate::memory::{Arena, Grain};
use crate::mesh::{MeshParams, NavSettings, OffMeshLinkDef, TileData, bake_links};

/// How far outside a circle of radius 1 a circumscribed octagon's corners lie, in the page's figure.
const OCTAGON_TOLERANCE: f64 = 0.0825;

/// Builds floors, one at a time, in memory of its own.
///
/// The same input and def give the same tiles to the bit, in whatever order outlines, rings and their vertices are given.
/// One floor serves agents of one radius; another radius is another build.
///
/// ```
/// use navarena::build2d::{FloorBuilder, FloorDef, FloorInput, FloorLimits};
/// use navarena::geometry::region::{Outline, RegionDef};
/// use navarena::memory::{Arena, Grain};
/// use navarena::mesh::{MeshDef, MeshLimits, NavMesh};
/// use navarena::query::{Filter, Query, QueryDef};
///
/// const REGION: RegionDef = RegionDef { edges: 256, crossings: 256, segments: 512, points: 256, rings: 16 };
/// const LIMITS: FloorLimits = FloorLimits { region: REGION, bytes: 256 << 10 };
/// const FLOOR: FloorDef = FloorDef { limits: LIMITS, ..FloorDef::HUMANOID };
/// const MESH: MeshDef = MeshDef { limits: MeshLimits { tiles: 4, staged: 4, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
/// const QUERY: QueryDef = QueryDef { nodes: 64, ..QueryDef::DEFAULT };
/// const BYTES: usize = FLOOR.plan().bytes + MESH.plan().bytes + QUERY.plan().bytes;
///
/// let mut memory = vec![Grain::ZERO; BYTES / size_of::<Grain>()];
/// let mut arena = Arena::new(&mut memory);
/// let mut builder = FloorBuilder::new(&FLOOR, &mut arena)?;
/// let mut mesh = NavMesh::new(&MESH, &mut arena)?;
/// let mut query = Query::new(&QUERY, &mut arena)?;
///
/// let hall: &[[f64; 2]] = &[[0.0, 0.0], [40.0, 0.0], [40.0, 30.0], [0.0, 30.0]];
/// let column: &[[f64; 2]] = &[[18.0, 8.0], [22.0, 8.0], [22.0, 22.0], [18.0, 22.0]];
/// let plan = [Outline { rings: &[hall, column] }];
/// builder.begin(&FloorInput::Outlines { walkable: &plan, obstacles: &[] })?;
/// while let Some(tile) = builder.next_tile()? {
///     mesh.stage_tile_data(&tile)?;
/// }
/// mesh.commit()?;
///
/// let found = query.find_path(&mesh, [2.0, 0.0, 15.0], [38.0, 0.0, 15.0], &Filter::ALL)?;
/// assert!(found.has_path());
/// assert_eq!(query.path().points().len(), 4); // around the column, 0.6 from its corners
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct FloorBuilder<'m> {
    settings: NavSettings,
    links: &'m [OffMeshLinkDef],
    limits: FloorLimits,
    params: MeshParams,
    grid: SnapGrid,
    work: &'m mut [Grain],
    /// What [`begin`](FloorBuilder::begin) left at the front of the work memory.
    sliced: SlicedPlaces,
    sliced_grid: SnapGrid,
    next: usize,
    report: FloorReport,
    high_water: usize,
}

impl<'m> FloorBuilder<'m> {
    /// Checks a def and makes its builder.
    ///
    /// # Errors
    /// The first setting or link out of its range; a snap grid too fine for the cells, with the bits to use; limits out of
    /// range; memory.
    pub fn new(def: &FloorDef<'m>, arena: &mut Arena<'m>) -> Result<Self> {
        def.settings.validate()?;
        def.limits.region.validate()?;
        for (index, link) in def.links.iter().enumerate() {
            link.validate(index)?;
        }
        let grid = snap_grid_of(&def.settings)?;
        arena.check(def.plan())?;
        Ok(FloorBuilder {
            settings: def.settings,
            links: def.links,
            limits: def.limits,
            params: def.settings.to_params(def.links),
            grid,
            work: arena.take_grains(def.limits.bytes)?,
            sliced: SlicedPlaces::default(),
            sliced_grid: grid,
            next: 0,
            report: FloorReport::NONE,
            high_water: 0,
        })
    }
}

impl FloorBuilder<'_> {
    /// Takes an input through all stages up to triangles, and is then ready to hand out tiles. A floor begun before is
    /// forgotten.
    ///
    /// # Errors
    /// What the input is refused for, by outline, ring and vertex or by the map's line; a region finer than the cells
    /// allow; tile lines off the grid or too many of them; a limit or the work memory reached. Then there are no tiles, and
    /// [`report`](FloorBuilder::report) says how far it came.
    ///
    /// # Cost
    /// Near linear in the corners of the input for evenly spread ones, times the tile lines near them.
    pub fn begin(&mut self, input: &FloorInput<'_>) -> Result<()> {
        self.sliced = SlicedPlaces::default();
        self.next = 0;
        self.report = FloorReport::NONE;
        let mut run = Run {
            settings: &self.settings,
            params: &self.params,
            limits: &self.limits,
            grid: self.grid,
            report: &mut self.report,
        };
        let mut arena = Arena::new(&mut *self.work);
        let made = arena.scope(|desk| run.run(input, desk));
        let taken_up = made.and_then(|(grid, sliced)| sliced.take_up(grid, &mut arena).map(|_| (grid, sliced)));
        self.report.memory_peak = arena.high_water();
        self.high_water = self.high_water.max(arena.high_water());
        (self.sliced_grid, self.sliced) = taken_up?;
        let [vertices, triangles, tiles] = self.sliced.counts.map(|count| count as u32);
        self.report = FloorReport { vertices, triangles, tiles, stage: FloorStage::Tiles, ..self.report };
        Ok(())
    }

    /// The next tile, by row, then column; none after the last. It lasts until the builder is used again: stage it with
    /// [`NavMesh::stage_tile_data`](crate::mesh::NavMesh::stage_tile_data), or write its bytes with [`TileData::write`].
    ///
    /// # Errors
    /// A tile with more vertices than the format has room for, named by its number among the tiles; a link too far from its
    /// tile; work memory. The same tile is tried again by the next call.
    pub fn next_tile(&mut self) -> Result<Option<TileData<'_>>> {
        let number = self.next;
        if number >= self.sliced.counts[2] {
            if self.report.stage == FloorStage::Tiles {
                self.report.stage = FloorStage::Done;
            }
            return Ok(None);
        }
        let mut arena = Arena::new(&mut *self.work);
        let made = self.sliced.again(self.sliced_grid, &mut arena).and_then(|sliced| {
            let run = sliced.tiles[number];
            let triangles = sliced.triangles_of(number);
            let tile = partition_tile(sliced.vertices, triangles, self.settings.max_verts_per_poly, &mut arena)?;
            let place = [run.x, run.z];
            let mut data = [tile_data(&tile, sliced.grid, place, &self.settings, &self.params, &mut arena)
                .map_err(|error| if error.subject() == Subject::Vertices { error.at(number) } else { error })?];
            bake_links(&self.params, self.links, &mut data, &mut arena)?;
            Ok(data)
        });
        self.report.memory_peak = self.report.memory_peak.max(arena.high_water());
        self.high_water = self.high_water.max(arena.high_water());
        let [tile] = made?;
        self.next += 1;
        self.report.polygons += tile.polygons.len() as u32;
        Ok(Some(tile))
    }

    /// What the last build did, a refused one included.
    pub fn report(&self) -> &FloorReport {
        &self.report
    }

    /// What the tiles and their mesh agree on.
    pub fn params(&self) -> &MeshParams {
        &self.params
    }

    /// The snap grid that inputs are rounded to.
    pub fn grid(&self) -> SnapGrid {
        self.grid
    }

    /// The most work memory any build used, in bytes.
    pub fn high_water(&self) -> usize {
        self.high_water
    }
}

/// One build up to its triangles.
struct Run<'b> {
    settings: &'b NavSettings,
    params: &'b MeshParams,
    limits: &'b FloorLimits,
    grid: SnapGrid,
    report: &'b mut FloorReport,
}

impl Run<'_> {
    fn run(&mut self, input: &FloorInput<'_>, desk: &mut Arena<'_>) -> Result<(SnapGrid, SlicedPlaces)> {
        let walkable = self.resolve(input, desk)?;
        self.report.stage = FloorStage::Shrink;
        let free = self.shrink(walkable, desk)?;
        self.report.stage = FloorStage::Slice;
        let lines = TileLines::new(&free, self.params, desk)?;
        self.report.lines = [lines.x.cuts.len() as u32, lines.z.cuts.len() as u32];
        let places = sliced_places(&free, &lines, &self.limits.region, &mut self.report.region, desk)?;
        Ok((free.grid, places))
    }

    /// The walkable region of an input.
    fn resolve<'a>(&mut self, input: &FloorInput<'_>, desk: &mut Arena<'a>) -> Result<Region<'a>> {
        let grid = self.grid;
        match *input {
            FloorInput::Outlines { walkable, obstacles } => {
                let open = self.operate(|builder| builder.from_outlines(walkable, grid, desk))?;
                if obstacles.is_empty() {
                    return Ok(open);
                }
                let after = |error: Error| match (error.subject(), error.index()) {
                    (Subject::Outline, Some(index)) => error.at(walkable.len() + index as usize),
                    _ => error,
                };
                let blocked = self.operate(|builder| builder.from_outlines(obstacles, grid, desk).map_err(after))?;
                self.operate(|builder| builder.difference(&open, &blocked, desk))
            }
            FloorInput::TileMap(map) => self.operate(|builder| builder.from_tile_map(&map, grid, desk)),
            FloorInput::Region(region) => self.copied(&region, desk),
        }
    }

    /// A region made elsewhere, in work memory.
    fn copied<'a>(&self, region: &Region<'_>, desk: &mut Arena<'a>) -> Result<Region<'a>> {
        let finest = finest_snap_bits(self.settings.cell_size).unwrap_or(0);
        if region.grid.bits() > finest {
            return Err(Error::invalid(Subject::SnapBits).value(region.grid.bits().into()).bound(finest.into()));
        }
        let points = desk.take::<GridPoint>(region.points.len())?;
        points.copy_from_slice(region.points);
        let ends = desk.take::<u32>(region.ends.len())?;
        ends.copy_from_slice(region.ends);
        Ok(Region { grid: region.grid, points, ends })
    }

    /// The region without what lies nearer than the agent's radius to its boundary; radius 0 keeps it as it is.
    fn shrink<'a>(&mut self, region: Region<'a>, desk: &mut Arena<'a>) -> Result<Region<'a>> {
        let NavSettings { agent_radius: radius, cell_size: cell, .. } = *self.settings;
        if radius == 0.0 {
            return Ok(region);
        }
        // A quarter of a cell, raised to what an octagon of the radius needs, but never past half a cell.
        let tolerance = max(cell / 4.0, min(OCTAGON_TOLERANCE * radius, cell / 2.0));
        self.operate(|builder| builder.shrink(&region, radius, tolerance, desk))
    }

    /// One operation on regions, its counts taken up.
    fn operate<T>(&mut self, work: impl FnOnce(&mut RegionBuilder) -> Result<T>) -> Result<T> {
        let mut builder = RegionBuilder::new(&self.limits.region)?;
        let made = work(&mut builder);
        self.report.region.take_up(builder.report());
        made
    }
}
