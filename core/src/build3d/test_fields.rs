//! Random compact fields for the tests of the later stages: floors at random heights, holes, overlapping floors, islands,
//! one-cell corridors, diagonal touches, spiral ramps. Regions are flood-filled pieces of one area and one block,
//! or what the builder's own partitions give.

use super::compact::{Compact, CompactSpan, DIR_X, DIR_Z, NO_LINK};
use super::frame::Frame;
use super::regions::{self, RegionSettings};
use crate::memory::{Arena, Grain};
use crate::mesh::Partition;
use std::vec;
use std::vec::Vec;

/// Repeatable numbers (SplitMix64).
pub(crate) struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) % u64::from(sides)) as u32
    }
}

/// Memory for one test.
pub(crate) fn memory(bytes: usize) -> Vec<Grain> {
    vec![Grain::ZERO; bytes.div_ceil(16)]
}

/// A field that owns its arrays.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub width: u32,
    pub depth: u32,
    /// The floor rows and areas of each column, bottom up.
    pub columns: Vec<Vec<(u16, u8)>>,
    pub firsts: Vec<u32>,
    pub spans: Vec<CompactSpan>,
    pub areas: Vec<u8>,
    pub regions: Vec<u32>,
    pub region_count: u32,
}

/// The highest step and the headroom of every test field.
pub(crate) const CLIMB: u16 = 2;
pub(crate) const HEIGHT: u16 = 5;

impl Field {
    /// A field from its columns, with no regions.
    pub fn new(width: u32, depth: u32, columns: Vec<Vec<(u16, u8)>>) -> Field {
        let mut field = Field {
            width,
            depth,
            columns,
            firsts: vec![0],
            spans: Vec::new(),
            areas: Vec::new(),
            regions: Vec::new(),
            region_count: 0,
        };
        for column in &field.columns {
            for (k, &(y, area)) in column.iter().enumerate() {
                let height = column.get(k + 1).map_or(u16::MAX, |above| above.0 - 1 - y);
                field.spans.push(CompactSpan { y, height, links: u32::MAX });
                field.areas.push(area);
            }
            field.firsts.push(field.spans.len() as u32);
        }
        field.regions = vec![0; field.spans.len()];
        field.link();
        field
    }

    /// Links every span to the lowest reachable one of each neighbour column (`build3d-spans.md`, section 7).
    fn link(&mut self) {
        for z in 0..self.depth as i32 {
            for x in 0..self.width as i32 {
                for span in self.column(x, z) {
                    let mut links = 0;
                    for dir in 0..4 {
                        links |= self.reachable(span, x + DIR_X[dir], z + DIR_Z[dir]) << (6 * dir);
                    }
                    self.spans[span].links = links;
                }
            }
        }
    }

    fn reachable(&self, span: usize, x: i32, z: i32) -> u32 {
        let s = self.spans[span];
        let top = |s: CompactSpan| i32::from(s.y) + i32::from(s.height);
        for (index, to) in self.column(x, z).enumerate() {
            let t = self.spans[to];
            let gap = top(s).min(top(t)) - i32::from(s.y.max(t.y));
            if gap >= i32::from(HEIGHT) && s.y.abs_diff(t.y) <= CLIMB {
                return index as u32;
            }
        }
        NO_LINK
    }

    /// The spans of a column; none outside the grid.
    pub fn column(&self, x: i32, z: i32) -> core::ops::Range<usize> {
        if x < 0 || z < 0 || x >= self.width as i32 || z >= self.depth as i32 {
            return 0..0;
        }
        let column = x as usize + z as usize * self.width as usize;
        self.firsts[column] as usize..self.firsts[column + 1] as usize
    }

    /// Where a span is.
    pub fn place(&self, span: usize) -> (i32, i32) {
        let column = self.firsts.partition_point(|&first| first as usize <= span) as u32 - 1;
        ((column % self.width) as i32, (column / self.width) as i32)
    }

    /// The span that a span is linked to both ways.
    pub fn neighbor(&self, span: usize, dir: usize) -> Option<usize> {
        let (x, z) = self.place(span);
        let to = |span: usize, x: i32, z: i32, dir: usize| {
            let link = self.spans[span].link(dir);
            (link != NO_LINK).then(|| self.column(x + DIR_X[dir], z + DIR_Z[dir]).start + link as usize)
        };
        let there = to(span, x, z, dir)?;
        (to(there, x + DIR_X[dir], z + DIR_Z[dir], (dir + 2) % 4) == Some(span)).then_some(there)
    }

    /// Makes every connected piece of one area and one block of `block` cells a region.
    pub fn flood(&mut self, block: i32) {
        let key = |field: &Field, span: usize| {
            let (x, z) = field.place(span);
            (field.areas[span], x / block, z / block)
        };
        for seed in 0..self.spans.len() {
            if self.areas[seed] == 0 || self.regions[seed] != 0 {
                continue;
            }
            self.region_count += 1;
            self.regions[seed] = self.region_count;
            let mut open = vec![seed];
            while let Some(span) = open.pop() {
                for dir in 0..4 {
                    if let Some(to) = self.neighbor(span, dir)
                        && self.regions[to] == 0
                        && key(self, to) == key(self, seed)
                    {
                        self.regions[to] = self.region_count;
                        open.push(to);
                    }
                }
            }
        }
    }

    /// A random field of one of several kinds.
    pub fn random(seed: u64) -> Field {
        let mut dice = Dice(seed.wrapping_mul(7919));
        let (width, depth) = (4 + dice.roll(24), 4 + dice.roll(24));
        let kind = dice.roll(7);
        let holes = [2, 6, 30][dice.roll(3) as usize];
        let mut columns = Vec::new();
        let slope = (dice.roll(3) as i32 - 1, dice.roll(3) as i32 - 1);
        for z in 0..depth as i32 {
            for x in 0..width as i32 {
                let base = (100 + slope.0 * x + slope.1 * z) as u16;
                let area = if (x / 7 + z / 5) % 4 == 3 { 5 } else { 63 };
                let mut column = Vec::new();
                match kind {
                    // Floors with scattered holes and bumps.
                    0 | 1 => {
                        if dice.roll(holes) != 0 {
                            column.push((base + dice.roll(2) as u16, area));
                        }
                    }
                    // One-cell corridors that touch diagonally.
                    2 => {
                        if (x * z + x + z) % 3 != 0 || dice.roll(8) == 0 {
                            column.push((base, area));
                        }
                    }
                    // Two floors, each with its own holes.
                    3 => {
                        for floor in 0..2u16 {
                            if dice.roll(holes) != 0 {
                                column.push((base + 20 * floor + dice.roll(2) as u16, area));
                            }
                        }
                    }
                    // A spiral ramp that passes over itself: rows rise with the angle around the middle.
                    4 => {
                        let (dx, dz) = (x - width as i32 / 2, z - depth as i32 / 2);
                        let rise = match (dx >= 0, dz >= 0) {
                            (true, true) => dz,
                            (false, true) => 14 - dx,
                            (false, false) => 28 - dz,
                            (true, false) => 42 + dx,
                        };
                        for turn in 0..2 {
                            if dx.abs().max(dz.abs()) > 1 {
                                column.push(((100 + rise / 3 + turn * 19) as u16, 63));
                            }
                        }
                    }
                    // Rough ground around square pillars: straight walls whose rows jump.
                    5 => {
                        if x % 9 < 5 || z % 7 < 4 {
                            column.push((base + 2 * dice.roll(2) as u16, 63));
                        }
                    }
                    // Unwalkable spans and steps too high to take.
                    _ => {
                        let step = if dice.roll(9) == 0 { 7 } else { 0 };
                        column.push((base + step, if dice.roll(holes) == 0 { 0 } else { area }));
                    }
                }
                columns.push(column);
            }
        }
        let mut field = Field::new(width, depth, columns);
        let block = [3, 8, 100][dice.roll(3) as usize];
        match seed % 8 {
            3 => field.partition(Partition::Watershed),
            7 => field.partition(Partition::Monotone),
            _ => field.flood(block),
        }
        field
    }

    /// Assigns the regions that the builder's own partition gives.
    fn partition(&mut self, partition: Partition) {
        let settings =
            RegionSettings { partition, min_region_area: 2, merge_region_area: 12, ..RegionSettings::default() };
        let mut region = memory(4096 + 400 * self.spans.len());
        let (regions, count) = self.with_mut(|compact| {
            regions::partition(compact, &settings, &mut Arena::new(&mut region)).unwrap();
            (compact.regions.to_vec(), compact.region_count)
        });
        (self.regions, self.region_count) = (regions, count);
    }

    /// Runs a test on the field as the stages see it.
    pub fn with<R>(&self, run: impl FnOnce(&Compact<'_>) -> R) -> R {
        self.with_mut(|compact| run(compact))
    }

    fn with_mut<R>(&self, run: impl FnOnce(&mut Compact<'_>) -> R) -> R {
        let (mut firsts, mut spans) = (self.firsts.clone(), self.spans.clone());
        let (mut areas, mut regions) = (self.areas.clone(), self.regions.clone());
        let mut compact = Compact {
            frame: Frame {
                origin: [0.0; 3],
                cell_size: 0.3,
                cell_height: 0.2,
                width: self.width,
                depth: self.depth,
                rows: 300,
            },
            firsts: &mut firsts,
            spans: &mut spans,
            areas: &mut areas,
            regions: &mut regions,
            region_count: self.region_count,
        };
        compact.keep_mutual_links();
        run(&mut compact)
    }
}
