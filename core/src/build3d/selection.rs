//! The triangles that one tile's bake reads, in input order (`build3d-polys.md`, section 1, "Triangle selection").

use super::cells::BakeCells;
use super::input::{BakeInput, Terrain, TileReach, VolumeKind, WALKABLE_AREA};
use super::regions::filter::IslandRule;
use crate::error::{Error, Result, Subject};
use crate::math::{cross, floor, length, sub};
use crate::mesh::{MeshParams, NavSettings};

/// One triangle of an input.
pub(super) struct Selected {
    /// Its number in its mesh, or among the triangles of its terrain.
    pub(super) number: usize,
    /// World positions of its corners.
    pub(super) corners: [[f64; 3]; 3],
    /// Its area, 0 for one that is solid but not walkable.
    pub(super) area: u8,
}

/// The triangles of a checked input that reach one tile.
pub(super) struct Selection<'i> {
    input: &'i BakeInput<'i>,
    reach: TileReach,
    at: (i32, i32),
    listed: Option<&'i [u32]>,
}

/// How far below the slope's cosine a triangle may seem before it is surely not walkable: float32 decides later, and
/// the skip may never change a result.
const SLOPE_MARGIN: f64 = 1e-3;

impl<'i> Selection<'i> {
    /// Checks the input: all of it, or with a tile index only the triangles that it lists for the tile.
    pub(super) fn new(
        input: &'i BakeInput<'i>,
        settings: &NavSettings,
        cells: &BakeCells,
        at: (i32, i32),
        limit: u32,
    ) -> Result<Selection<'i>> {
        let points = input.volumes.iter().map(|volume| volume.corners.len());
        if points.fold(input.triangle_count(), usize::saturating_add) > limit as usize {
            return Err(Error::capacity(Subject::Triangles, limit as usize));
        }
        let listed = match input.index {
            Some(index) => {
                index.check(input, settings, cells)?;
                input.check_head()?;
                Some(index.triangles(at.0, at.1))
            }
            None => {
                input.validate()?;
                None
            }
        };
        let selection = Selection { input, reach: TileReach::new(settings, cells), at, listed };
        if listed.is_some() {
            selection.for_each_mesh_triangle(|mesh, triangle| input.meshes[mesh].check_triangle(mesh, triangle))?;
        }
        Ok(selection)
    }

    /// Calls `visit` for each triangle: the meshes', then the terrains'. Stops at the first error.
    pub(super) fn for_each(&self, mut visit: impl FnMut(Selected) -> Result<()>) -> Result<()> {
        let (x, z) = self.at;
        self.for_each_mesh_triangle(|mesh, triangle| {
            let mesh = &self.input.meshes[mesh];
            let corners = mesh.corners(triangle);
            if self.listed.is_none() && !self.reach.reaches(&corners, x, z) {
                return Ok(());
            }
            visit(Selected {
                number: triangle,
                corners,
                area: mesh.areas.map_or(WALKABLE_AREA, |areas| areas[triangle]),
            })
        })?;
        self.input.terrains.iter().try_for_each(|terrain| self.for_each_of_terrain(terrain, &mut visit))
    }

    fn for_each_mesh_triangle(&self, mut visit: impl FnMut(usize, usize) -> Result<()>) -> Result<()> {
        let Some(listed) = self.listed else {
            for (m, mesh) in self.input.meshes.iter().enumerate() {
                (0..mesh.triangles.len()).try_for_each(|triangle| visit(m, triangle))?;
            }
            return Ok(());
        };
        // Listed numbers run through all meshes and ascend, so the mesh they fall in only moves on.
        let (mut mesh, mut first) = (0, 0);
        for &number in listed {
            while number as usize - first >= self.input.meshes[mesh].triangles.len() {
                first += self.input.meshes[mesh].triangles.len();
                mesh += 1;
            }
            visit(mesh, number as usize - first)?;
        }
        Ok(())
    }

    fn for_each_of_terrain(&self, terrain: &Terrain<'_>, visit: &mut impl FnMut(Selected) -> Result<()>) -> Result<()> {
        let (x, z) = self.at;
        let [columns, rows] = [self.cells_near(terrain, 0), self.cells_near(terrain, 1)];
        for row in rows.0..rows.1 {
            for column in columns.0..columns.1 {
                let area = terrain.area(column, row);
                let first = 2 * (column as usize + row as usize * (terrain.columns as usize - 1));
                for (number, corners) in (first..).zip(terrain.cell(column, row)) {
                    if area != 0 && self.reach.reaches(&corners, x, z) {
                        visit(Selected { number, corners, area })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The terrain's cells along an axis that may reach the tile, with one to spare on both sides for rounding; the
    /// triangles themselves are asked after.
    fn cells_near(&self, terrain: &Terrain<'_>, axis: usize) -> (u32, u32) {
        let [low, high] = self.reach.ground(self.at, axis);
        let count = f64::from([terrain.columns, terrain.rows][axis] - 1);
        let cell = |v: f64| floor((v - terrain.origin[2 * axis]) / terrain.spacing[axis]);
        let first = (cell(low) - 1.0).max(0.0).min(count);
        let end = (cell(high) + 2.0).max(0.0).min(count);
        (first as u32, end as u32)
    }
}

/// What a selection spans.
pub(super) struct Survey {
    pub(super) triangles: u32,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) may_be_walkable: bool,
    /// Of the triangles, their areas and their order.
    content: u64,
}

impl Survey {
    /// Counts a tile's triangles, finds their height range and whether any may be walkable.
    pub(super) fn of(selection: &Selection<'_>, slope_cosine: f32, limit: u32) -> Result<Survey> {
        let mut survey =
            Survey { triangles: 0, low: f64::INFINITY, high: f64::NEG_INFINITY, may_be_walkable: false, content: 0 };
        let least = f64::from(slope_cosine) - SLOPE_MARGIN;
        selection.for_each(|triangle| {
            if survey.triangles == limit {
                return Err(Error::capacity(Subject::TileTriangles, limit as usize));
            }
            survey.triangles += 1;
            for corner in triangle.corners {
                survey.low = survey.low.min(corner[1]);
                survey.high = survey.high.max(corner[1]);
                survey.content = corner.iter().fold(survey.content, |sum, value| mix(sum, value.to_bits()));
            }
            survey.content = mix(survey.content, u64::from(triangle.area));
            survey.may_be_walkable |= triangle.area != 0 && may_be_walkable(&triangle.corners, least);
            Ok(())
        })?;
        Ok(survey)
    }

    /// A number for all that shapes the tile: settings and links (by the mesh's fingerprint), triangles, the rule for
    /// islands, volumes.
    pub(super) fn fingerprint(&self, input: &BakeInput<'_>, params: &MeshParams, islands: IslandRule) -> u64 {
        let settings = params.fingerprint();
        let mut sum = settings.iter().fold(self.content, |sum, &byte| mix(sum, u64::from(byte)));
        if islands == IslandRule::AfterMerging {
            sum = mix(sum, 1);
        }
        for volume in input.volumes {
            let kind = match volume.kind {
                VolumeKind::Exclude => 0,
                VolumeKind::Include => 64,
                VolumeKind::Area(area) => u64::from(area),
            };
            let heights = [volume.min_y, volume.max_y];
            let numbers = volume.corners.iter().flatten().chain(&heights);
            sum = numbers.fold(mix(sum, kind), |sum, value| mix(sum, value.to_bits()));
        }
        sum
    }
}

/// Folds a word into a sum: an odd multiplier spreads it upwards, the shift brings it back down.
fn mix(sum: u64, word: u64) -> u64 {
    let spread = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    spread ^ spread >> 32
}

fn may_be_walkable(corners: &[[f64; 3]; 3], least_cosine: f64) -> bool {
    let [a, b, c] = *corners;
    let normal = cross(sub(b, a), sub(c, a));
    let length = length(normal);
    length > 0.0 && normal[1] >= least_cosine * length
}
