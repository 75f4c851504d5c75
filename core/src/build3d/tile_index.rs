//! A tile index: for each tile the triangles that reach it, so that a bake reads only those
//! (`maul-nav/bake.md`, `mnavCreateTileIndex`).

use super::cells::BakeCells;
use super::input::{BakeInput, MAX_TRIANGLES, TileRange, TileReach};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Plan, Ruler};
use crate::mesh::NavSettings;

/// Lists, for every tile of an input's range, the triangles of its meshes whose ground box, widened by the tile's
/// border, reaches it; in input order. Triangles are numbered through all meshes.
///
/// It is never changed after it is made, so any number of bakes may read it at once. A bake with the index gives the
/// same bytes as one without.
#[derive(Debug)]
pub struct TileIndex<'m> {
    range: TileRange,
    /// The first entry of each tile, and one more.
    firsts: &'m [u32],
    entries: &'m [u32],
    made_for: MadeFor,
}

/// What an index was made for; a bake of anything else refuses it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MadeFor {
    reach: TileReach,
    meshes: usize,
    triangles: usize,
}

impl MadeFor {
    fn new(input: &BakeInput<'_>, settings: &NavSettings, cells: &BakeCells) -> MadeFor {
        MadeFor {
            reach: TileReach::new(settings, cells),
            meshes: input.meshes.len(),
            triangles: input.meshes.iter().map(|mesh| mesh.triangles.len()).sum(),
        }
    }
}

/// The empty range's corners; a count of one tile keeps the arithmetic plain, its list is empty.
const NOWHERE: TileRange = TileRange { x0: 0, z0: 0, x1: 0, z1: 0 };

impl<'m> TileIndex<'m> {
    /// Checks an input and measures the index it needs. Reads every triangle once.
    pub fn plan(input: &BakeInput<'_>, settings: &NavSettings) -> Result<Plan> {
        let cells = BakeCells::new(settings)?;
        let range = input.tile_range(settings)?.unwrap_or(NOWHERE);
        let mut entries = 0usize;
        visit(input, &TileReach::new(settings, &cells), &range, |_, _| entries += 1);
        check_entries(entries)?;
        Ok(Ruler::new().array::<u32>(range.count() + 1).array::<u32>(entries).plan())
    }

    /// Makes the index of an input's meshes. Reads every triangle twice; two u32 a tile and one an entry.
    ///
    /// Errors: what [`BakeInput::validate`] refuses, more than 2^28 entries, and memory.
    pub fn new(input: &BakeInput<'_>, settings: &NavSettings, arena: &mut Arena<'m>) -> Result<Self> {
        let cells = BakeCells::new(settings)?;
        let range = input.tile_range(settings)?.unwrap_or(NOWHERE);
        let reach = TileReach::new(settings, &cells);
        let firsts = arena.take_zeroed::<u32>(range.count() + 1)?;
        let mut total = 0usize;
        visit(input, &reach, &range, |tile, _| {
            firsts[tile + 1] = firsts[tile + 1].saturating_add(1);
            total += 1;
        });
        check_entries(total)?;
        let entries = arena.take::<u32>(total)?;
        for tile in 1..firsts.len() {
            firsts[tile] += firsts[tile - 1];
        }
        // Filling moves each tile's first entry to its end, which is where the next tile's begins: shift back after.
        visit(input, &reach, &range, |tile, triangle| {
            entries[firsts[tile] as usize] = triangle;
            firsts[tile] += 1;
        });
        firsts.copy_within(0..range.count(), 1);
        firsts[0] = 0;
        Ok(TileIndex { range, firsts, entries, made_for: MadeFor::new(input, settings, &cells) })
    }

    /// The tiles the input lies on.
    pub fn range(&self) -> TileRange {
        self.range
    }

    /// How many triangles are listed over all tiles.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The triangles of a tile, numbered through all meshes, ascending; none for a tile outside the range.
    pub fn triangles(&self, x: i32, z: i32) -> &'m [u32] {
        match self.range.index(x, z) {
            Some(tile) => &self.entries[self.firsts[tile] as usize..self.firsts[tile + 1] as usize],
            None => &[],
        }
    }

    /// Refuses an input or settings that the index was not made for.
    pub(super) fn check(&self, input: &BakeInput<'_>, settings: &NavSettings, cells: &BakeCells) -> Result<()> {
        let asked = MadeFor::new(input, settings, cells);
        if asked == self.made_for {
            return Ok(());
        }
        Err(Error::invalid(Subject::IndexEntries).value(asked.triangles as f64).bound(self.made_for.triangles as f64))
    }
}

/// Calls `found(tile, triangle)` for every tile of the range that every triangle reaches, triangles in order.
fn visit(input: &BakeInput<'_>, reach: &TileReach, range: &TileRange, mut found: impl FnMut(usize, u32)) {
    let mut number = 0u32;
    for mesh in input.meshes {
        for triangle in 0..mesh.triangles.len() {
            let [columns, rows] = reach.of(&mesh.corners(triangle));
            let clamp = |v: f64, low: i32, high: i32| v.max(f64::from(low)).min(f64::from(high)) as i32;
            for z in clamp(rows[0], range.z0, range.z1)..=clamp(rows[1], range.z0, range.z1) {
                for x in clamp(columns[0], range.x0, range.x1)..=clamp(columns[1], range.x0, range.x1) {
                    if let Some(tile) = range.index(x, z) {
                        found(tile, number);
                    }
                }
            }
            number += 1;
        }
    }
}

fn check_entries(entries: usize) -> Result<()> {
    if entries > MAX_TRIANGLES {
        return Err(Error::limit(Subject::IndexEntries).value(entries as f64).bound(MAX_TRIANGLES as f64));
    }
    Ok(())
}
