//! Voxel chunks: columns of solid runs that a voxel world hands over (`build3d-spans.md`, section 5).

use super::frame::{MAX_COLUMNS, MAX_ROWS, MAX_SIDE};
use super::heightfield::{Heightfield, MAX_AREA, Run, WALKABLE_AREA};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Pod, Zeroable};

/// A run of solid voxels in a column.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VoxelRun {
    /// Its lowest row.
    pub start: u16,
    /// How many rows it fills, at least 1.
    pub length: u16,
    /// Its material, 1 to 255.
    pub material: u16,
}

/// Run-length columns of voxels: sorted, disjoint, each of one material.
#[derive(Clone, Copy, Debug)]
pub struct VoxelChunk<'a> {
    /// Voxels along x.
    pub width: u32,
    /// Voxels along z.
    pub depth: u32,
    /// Voxels up.
    pub height: u32,
    firsts: &'a [u32],
    runs: &'a [VoxelRun],
}

/// Every material is walkable.
pub const ALL_WALKABLE: [u8; 256] = [WALKABLE_AREA; 256];

impl<'a> VoxelChunk<'a> {
    /// A chunk over runs that the caller holds: column `x + z * width` has `runs[firsts[column]..firsts[column + 1]]`.
    ///
    /// Refuses sizes past a grid's, starts that do not rise or do not fit, and the first run that is empty, has no
    /// material or one past 255, reaches past the height, or overlaps or precedes the run below it.
    pub fn new(width: u32, depth: u32, height: u32, firsts: &'a [u32], runs: &'a [VoxelRun]) -> Result<Self> {
        check_size(width, depth, height)?;
        let columns = width as usize * depth as usize;
        if firsts.len() != columns + 1 {
            return Err(Error::invalid(Subject::Columns).value(firsts.len() as f64).bound((columns + 1) as f64));
        }
        if firsts[0] != 0 || firsts[columns] as usize != runs.len() {
            return Err(Error::invalid(Subject::Run).value(f64::from(firsts[columns])).bound(runs.len() as f64));
        }
        if let Some(column) = firsts.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(Error::invalid(Subject::Columns).at(column));
        }
        for cell in firsts.windows(2) {
            let mut floor = 0;
            let column = cell[0] as usize..cell[1] as usize;
            for (at, run) in column.clone().zip(&runs[column]) {
                let end = u32::from(run.start) + u32::from(run.length);
                let refused = Error::invalid(Subject::Run).at(at);
                if run.length == 0 || u32::from(run.start) < floor {
                    return Err(refused.value(f64::from(run.start)));
                }
                if run.material == 0 || run.material > 255 {
                    return Err(refused.value(f64::from(run.material)).bound(255.0));
                }
                if end > height {
                    return Err(refused.value(f64::from(end)).bound(f64::from(height)));
                }
                floor = end;
            }
        }
        Ok(VoxelChunk { width, depth, height, firsts, runs })
    }

    /// A chunk from one byte a voxel, at `(z * width + x) * height + y`, 0 being empty; equal neighbours in a column
    /// become one run. The runs are laid in the arena.
    ///
    /// ```
    /// use navarena::build3d::voxel_chunk::VoxelChunk;
    /// use navarena::memory::{Arena, Memory};
    /// let mut region = Memory::<64>::new();
    /// let chunk = VoxelChunk::from_dense(1, 1, 5, &[1, 1, 0, 2, 3], &mut Arena::new(region.grains()))?;
    /// assert_eq!(chunk.column(0).iter().map(|run| (run.start, run.length)).collect::<Vec<_>>(), [(0, 2), (3, 1), (4, 1)]);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn from_dense(width: u32, depth: u32, height: u32, voxels: &[u8], arena: &mut Arena<'a>) -> Result<Self> {
        check_size(width, depth, height)?;
        let columns = width as usize * depth as usize;
        let expected = columns as u64 * u64::from(height);
        if voxels.len() as u64 != expected {
            return Err(Error::invalid(Subject::Chunk).value(voxels.len() as f64).bound(expected as f64));
        }
        let height_voxels = height as usize;
        let firsts = arena.take::<u32>(columns + 1)?;
        let mut count = 0u32;
        for (first, voxels) in firsts.iter_mut().zip(voxels.chunks_exact(height_voxels)) {
            *first = count;
            count += dense_runs(voxels).count() as u32;
        }
        firsts[columns] = count;
        let runs = arena.take::<VoxelRun>(count as usize)?;
        let found = voxels.chunks_exact(height_voxels).flat_map(dense_runs);
        runs.iter_mut().zip(found).for_each(|(place, run)| *place = run);
        Ok(VoxelChunk { width, depth, height, firsts, runs })
    }

    /// The runs of a column, bottom up.
    pub fn column(&self, column: usize) -> &'a [VoxelRun] {
        &self.runs[self.firsts[column] as usize..self.firsts[column + 1] as usize]
    }
}

/// Adds a chunk whose corner stands at cell `offset` (x, row, z) of the grid: each run as a span of its material's area
/// and merge threshold 0, columns in order of z, then x, runs bottom up. What falls outside the grid is dropped.
pub fn add_chunk(
    solid: &mut Heightfield<'_>,
    chunk: &VoxelChunk<'_>,
    offset: [i32; 3],
    material_areas: &[u8; 256],
) -> Result<()> {
    if let Some(material) = material_areas.iter().position(|&area| area > MAX_AREA) {
        let area = f64::from(material_areas[material]);
        return Err(Error::invalid(Subject::Area).at(material).value(area).bound(f64::from(MAX_AREA)));
    }
    let frame = solid.frame;
    let (columns_x, columns_z) =
        (overlap(offset[0], chunk.width, frame.width), overlap(offset[2], chunk.depth, frame.depth));
    for z in columns_z {
        for x in columns_x.clone() {
            let column = (i64::from(offset[0]) + i64::from(x), i64::from(offset[2]) + i64::from(z));
            let column = frame.column(column.0 as u32, column.1 as u32);
            for run in chunk.column(x as usize + z as usize * chunk.width as usize) {
                let start = i64::from(offset[1]) + i64::from(run.start);
                let (min, max) = (start.max(0), (start + i64::from(run.length)).min(i64::from(frame.rows)));
                if min < max {
                    let area = material_areas[run.material as usize & 0xFF];
                    solid.insert(column, Run { min: min as u16, max: max as u16, area }, 0)?;
                }
            }
        }
    }
    Ok(())
}

/// Which of `count` cells, the first standing at `offset`, lie in `0..limit`.
fn overlap(offset: i32, count: u32, limit: u32) -> core::ops::Range<u32> {
    let offset = i64::from(offset);
    let from = (-offset).clamp(0, i64::from(count));
    let to = (i64::from(limit) - offset).clamp(from, i64::from(count));
    from as u32..to as u32
}

fn check_size(width: u32, depth: u32, height: u32) -> Result<()> {
    let columns = u64::from(width) * u64::from(depth);
    let passes = |value: u32, bound: u32, part: usize| {
        if value == 0 {
            return Err(Error::invalid(Subject::Chunk).part(part).value(0.0));
        }
        let refused = Error::limit(Subject::Chunk).part(part).value(f64::from(value)).bound(f64::from(bound));
        if value > bound { Err(refused) } else { Ok(()) }
    };
    passes(width, MAX_SIDE, 0)?;
    passes(height, MAX_ROWS, 1)?;
    passes(depth, MAX_SIDE, 2)?;
    if columns > MAX_COLUMNS {
        return Err(Error::limit(Subject::Chunk).value(columns as f64).bound(MAX_COLUMNS as f64));
    }
    Ok(())
}

/// The runs of one dense column.
fn dense_runs(voxels: &[u8]) -> impl Iterator<Item = VoxelRun> {
    let mut start = 0;
    voxels.chunk_by(|a, b| a == b).filter_map(move |same| {
        let begin = start;
        start += same.len();
        let run = VoxelRun { start: begin as u16, length: same.len() as u16, material: u16::from(same[0]) };
        (run.material != 0).then_some(run)
    })
}
