//! Floors with memory that grows: outlines, tile maps and grids into tiles, exactly.

use crate::block::{Block, Source};
use crate::grid::Grid;
use crate::grow;
use crate::mesh::NavMesh;
use alloc::vec;
use alloc::vec::Vec;
use navarena::build2d::{FloorBuilder, FloorDef, FloorInput, FloorLimits, FloorReport};
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::geometry::region::{Outline, RegionDef, TileMap};
use navarena::grid::Grid as CoreGrid;
use navarena::memory::Arena;
use navarena::mesh::{NavSettings, OffMeshLinkDef};

/// What a floor may come as. The plane's x is the world's x, its y the world's z.
///
/// - `[[x, y]]`: one outline of one ring;
/// - `[Vec<[x, y]>]`: one outline of several rings, walls and holes in any order;
/// - `[Vec<Vec<[x, y]>>]`, `[Outline]`: outlines, whose union is walked on;
/// - a [`TileMap`], a [`Grid`], a grid of the core's: cells;
/// - a [`FloorInput`]: all of it, with obstacles.
pub trait Floor {
    /// Calls `work` with the floor.
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R;
}

impl Floor for FloorInput<'_> {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        work(self)
    }
}

impl Floor for TileMap<'_> {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        work(&FloorInput::TileMap(*self))
    }
}

impl Floor for CoreGrid<'_> {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        work(&FloorInput::of_grid(self))
    }
}

impl Floor for Grid {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        self.core().with(work)
    }
}

impl Floor for [Outline<'_>] {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        work(&FloorInput::Outlines { walkable: self, obstacles: &[] })
    }
}

impl Floor for [[f64; 2]] {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        [Outline { rings: &[self] }].as_slice().with(work)
    }
}

impl Floor for [Vec<[f64; 2]>] {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        let rings: Vec<&[[f64; 2]]> = self.iter().map(Vec::as_slice).collect();
        [Outline { rings: &rings }].as_slice().with(work)
    }
}

impl Floor for [Vec<Vec<[f64; 2]>>] {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        with_outlines(self, |outlines| outlines.with(work))
    }
}

impl<T> Floor for Vec<T>
where
    [T]: Floor,
{
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        self.as_slice().with(work)
    }
}

impl<T, const N: usize> Floor for [T; N]
where
    [T]: Floor,
{
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        self.as_slice().with(work)
    }
}

/// Lends outlines of owned rings as the core takes them.
pub fn with_outlines<R>(outlines: &[Vec<Vec<[f64; 2]>>], work: impl FnOnce(&[Outline<'_>]) -> R) -> R {
    let rings: Vec<Vec<&[[f64; 2]]>> = outlines.iter().map(|rings| rings.iter().map(Vec::as_slice).collect()).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    work(&outlines)
}

/// Every tile of a floor.
#[derive(Clone, Debug, Default)]
pub struct BakedFloor {
    /// The tiles' bytes, row by row.
    pub tiles: Vec<Vec<u8>>,
    /// What the build counted.
    pub report: FloorReport,
}

/// Limits to begin with; a floor of some thousand corners fits.
const FIRST: FloorLimits = FloorLimits {
    region: RegionDef { edges: 1 << 13, crossings: 1 << 13, segments: 1 << 14, points: 1 << 13, rings: 1 << 11 },
    bytes: 4 << 20,
};

impl BakedFloor {
    /// Builds every tile of a floor, in a block that grows when the floor needs more.
    ///
    /// # Errors
    /// What the core's builder refuses; limits only where they can't be larger, memory when the source has no more.
    pub fn bake<F: Floor + ?Sized>(
        floor: &F,
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
    ) -> Result<BakedFloor> {
        floor.with(|input| {
            let mut limits = FIRST;
            loop {
                let def = FloorDef { settings: *settings, links, limits };
                let refused = match bake_within(input, &def, source) {
                    Ok(baked) => return Ok(baked),
                    Err(error) => error,
                };
                limits = grown(&limits, &refused).ok_or(refused)?;
            }
        })
    }
}

fn bake_within(input: &FloorInput<'_>, def: &FloorDef<'_>, source: &Source) -> Result<BakedFloor> {
    let mut block = Block::new(source, def.plan().bytes)?;
    let mut builder = FloorBuilder::new(def, &mut Arena::new(block.grains()))?;
    builder.begin(input)?;
    let params = *builder.params();
    let mut tiles = Vec::new();
    while let Some(tile) = builder.next_tile()? {
        let mut bytes = vec![0; tile.byte_size()];
        tile.write(&params, &mut bytes)?;
        tiles.push(bytes);
    }
    Ok(BakedFloor { tiles, report: *builder.report() })
}

/// The limits with which to try again after a refusal; `None` when it names no limit, or one that can't be larger.
fn grown(limits: &FloorLimits, refused: &Error) -> Option<FloorLimits> {
    if refused.kind() != ErrorKind::Capacity {
        return None;
    }
    match refused.subject() {
        Subject::Memory => {
            // What was wanted on top of what there is; a block that can't be had ends it.
            let wanted = refused.refused().map_or(0, |wanted| wanted as usize);
            let bytes = limits.bytes.saturating_mul(2).max(limits.bytes.saturating_add(wanted));
            (wanted < isize::MAX as usize).then_some(FloorLimits { bytes, ..*limits })
        }
        _ => grow::region_limits(&limits.region, refused).map(|region| FloorLimits { region, ..*limits }),
    }
}

impl NavMesh {
    /// Builds a mesh from a floor plan or a map of cells, exactly: no voxels, nothing to tune, and the way keeps the agent's
    /// radius from every wall. The memory is the global allocator's.
    ///
    /// ```
    /// use navarena_alloc::prelude::*;
    /// // A hall of forty by thirty meters with a column in its middle.
    /// let hall = vec![[0.0, 0.0], [40.0, 0.0], [40.0, 30.0], [0.0, 30.0]];
    /// let column = vec![[18.0, 8.0], [22.0, 8.0], [22.0, 22.0], [18.0, 22.0]];
    /// let mesh = NavMesh::build_2d(&[hall, column], &NavSettings::HUMANOID)?;
    /// let path = mesh.find_path([2.0, 0.0, 15.0], [38.0, 0.0, 15.0])?;
    /// assert!(path.is_complete());
    /// assert_eq!(path.points().len(), 4);
    ///
    /// // The cells of a grid that are no walls.
    /// let grid = Grid::from_text("........\n..####..\n........\n........\n")?;
    /// let settings = NavSettings { agent_radius: 0.25, ..NavSettings::HUMANOID };
    /// let mesh = NavMesh::build_2d(&grid, &settings)?;
    /// assert!(mesh.find_path([1.0, 0.0, 0.5], [7.0, 0.0, 1.5])?.is_complete());
    /// # Ok::<(), navarena_alloc::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first setting, outline, ring and vertex or line of a map that can't be used, by name; tile lines off the snap
    /// grid; memory.
    pub fn build_2d<F: Floor + ?Sized>(floor: &F, settings: &NavSettings) -> Result<NavMesh> {
        NavMesh::build_2d_with(floor, settings, &[], &Source::Global)
    }

    /// Builds a mesh from a floor with authored off-mesh links, with memory from a source.
    pub fn build_2d_with<F: Floor + ?Sized>(
        floor: &F,
        settings: &NavSettings,
        links: &[OffMeshLinkDef],
        source: &Source,
    ) -> Result<NavMesh> {
        NavMesh::from_tiles(&BakedFloor::bake(floor, settings, links, source)?.tiles, settings, links, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navarena::geometry::region::TileCells;
    use navarena::math::SplitMix64;

    /// Far more corners than the first limits hold, so every kind of limit grows on the way.
    #[test]
    fn a_large_map_grows_what_it_needs_and_gives_the_core_s_tiles() {
        let mut random = SplitMix64::new(5);
        let cells: Vec<bool> = (0..72 * 72).map(|_| random.below(10) < 6).collect();
        let map = TileMap { cells: TileCells::Where(&cells), width: 72, height: 72, cell_size: 2.0, origin: [0.0; 2] };
        let settings = NavSettings { cell_size: 0.25, agent_radius: 0.5, tile_size: 32.0, ..NavSettings::HUMANOID };
        let baked = BakedFloor::bake(&map, &settings, &[], &Source::Global).unwrap();
        assert_eq!(baked.tiles.len(), 25);
        assert!(baked.report.region.edges > FIRST.region.edges && baked.report.memory_peak > FIRST.bytes);
        let ample =
            RegionDef { edges: 1 << 17, crossings: 1 << 17, segments: 1 << 18, points: 1 << 17, rings: 1 << 15 };
        let def = FloorDef { limits: FloorLimits { region: ample, bytes: 128 << 20 }, ..FloorDef::of(settings) };
        let at_once = bake_within(&FloorInput::TileMap(map), &def, &Source::Global).unwrap();
        assert_eq!(baked.tiles, at_once.tiles);
    }

    #[test]
    fn what_the_core_refuses_is_refused_and_does_not_grow() {
        let short = vec![vec![[0.0, 0.0], [1.0, 0.0]]];
        let error = NavMesh::build_2d(&short, &NavSettings::HUMANOID).unwrap_err();
        assert_eq!((error.subject(), error.index(), error.part_index()), (Subject::Outline, Some(0), Some(0)));
        let nothing: &[[f64; 2]] = &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        let mesh = NavMesh::build_2d(nothing, &NavSettings::HUMANOID).unwrap();
        assert_eq!(mesh.core().tile_count(), 0);
        assert_eq!(grown(&FIRST, &Error::capacity(Subject::Tiles, 5)), None);
        assert_eq!(grown(&FIRST, &Error::invalid(Subject::Memory)), None);
    }
}
