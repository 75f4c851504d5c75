//! Regions of the plane that own their points: outlines and tile maps, combined, grown and shrunk, exactly
//! (`build2d-geometry.md`). What is computed, and every rounding in it, is the core's `geometry::region`; here is only the
//! memory.

use crate::block::{Block, Source};
use crate::floor::Floor;
use crate::grow;
use alloc::vec::Vec;
use navarena::build2d::FloorInput;
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::geometry::region::{
    GridPoint, Join, Operation, Outline, Region as CoreRegion, RegionBuilder, RegionDef, SnapGrid, TileMap,
};
use navarena::memory::Arena;

/// Limits to begin with for an operation on so many points: for a floor plan of some hundred corners at least.
fn first_limits(points: usize) -> RegionDef {
    let edges = points.next_power_of_two().clamp(1 << 10, 1 << 20);
    RegionDef { edges, crossings: edges, segments: 2 * edges, points: edges, rings: edges / 4 }
}

/// A part of the plane, bounded by rings of grid points that never cross.
///
/// Doubles are rounded once to the snap grid; from then on everything is integers, so that equal regions have equal rings
/// whatever they were made of. Every operation gives a new region and leaves its operands; work memory and points are the
/// global allocator's. What the core's [`RegionBuilder`] does in memory that is handed to it.
///
/// ```
/// use navarena_alloc::prelude::*;
/// use navarena::geometry::region::{Join, SnapGrid};
/// let room = Region::from_rings(&[vec![[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]]], SnapGrid::FINEST)?;
/// let column = Region::from_rings(&[vec![[4.0, 2.0], [6.0, 2.0], [6.0, 4.0], [4.0, 4.0]]], SnapGrid::FINEST)?;
/// let floor = room.difference(&column)?;
/// assert_eq!((floor.area(), floor.ring_count()), (56.0, 2));
/// // Where the center of a robot of radius 0.5 may be, as a square.
/// let free = floor.offset(-0.5, Join::Square)?;
/// assert_eq!(free.area(), 9.0 * 5.0 - 3.0 * 3.0);
/// assert!(free.contains([2.0, 3.0]) && !free.contains([3.75, 3.0]));
/// // A mesh of it.
/// let settings = NavSettings { agent_radius: 0.0, ..NavSettings::HUMANOID };
/// assert!(NavMesh::build_2d(&free, &settings)?.find_path([1.0, 0.0, 3.0], [9.0, 0.0, 3.0])?.is_complete());
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
///
/// # Errors
/// Of every operation: regions of different snap grids; what [`RegionBuilder`] refuses, by name; an operation of more than
/// 2^23 edges or pieces (kind `Capacity`); no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    grid: SnapGrid,
    points: Vec<GridPoint>,
    ends: Vec<u32>,
}

impl Region {
    /// A region without any points.
    pub const fn empty(grid: SnapGrid) -> Region {
        Region { grid, points: Vec::new(), ends: Vec::new() }
    }

    /// One outline of one or several rings, walls and holes in any order and direction: what an odd number of them winds
    /// round.
    pub fn from_rings(rings: &[Vec<[f64; 2]>], grid: SnapGrid) -> Result<Region> {
        let rings: Vec<&[[f64; 2]]> = rings.iter().map(Vec::as_slice).collect();
        Region::from_outlines(&[Outline { rings: &rings }], grid)
    }

    /// The union of outlines, each resolved alone by its even-odd rule.
    pub fn from_outlines(outlines: &[Outline<'_>], grid: SnapGrid) -> Result<Region> {
        let points = outlines.iter().flat_map(|outline| outline.rings).map(|ring| ring.len()).sum();
        Region::made(points, |builder, arena| builder.from_outlines(outlines, grid, arena))
    }

    /// The cells of a tile map, joined.
    pub fn from_tile_map(map: &TileMap<'_>, grid: SnapGrid) -> Result<Region> {
        Region::made(0, |builder, arena| builder.from_tile_map(map, grid, arena))
    }

    /// A copy of a region of the core's.
    pub fn of(region: &CoreRegion<'_>) -> Result<Region> {
        let (mut points, mut ends) = (Vec::new(), Vec::new());
        let no_memory = |_| Error::new(ErrorKind::Capacity, Subject::Memory);
        points.try_reserve_exact(region.points.len()).map_err(no_memory)?;
        ends.try_reserve_exact(region.ends.len()).map_err(no_memory)?;
        points.extend_from_slice(region.points);
        ends.extend_from_slice(region.ends);
        Ok(Region { grid: region.grid, points, ends })
    }

    /// The core's view of it.
    pub fn core(&self) -> CoreRegion<'_> {
        CoreRegion { grid: self.grid, points: &self.points, ends: &self.ends }
    }

    /// What lies in either region.
    pub fn union(&self, other: &Region) -> Result<Region> {
        self.combine(Operation::Union, other)
    }

    /// What lies in both regions.
    pub fn intersection(&self, other: &Region) -> Result<Region> {
        self.combine(Operation::Intersection, other)
    }

    /// What lies in this region and not in the other.
    pub fn difference(&self, other: &Region) -> Result<Region> {
        self.combine(Operation::Difference, other)
    }

    /// What lies in exactly one of the two.
    pub fn symmetric_difference(&self, other: &Region) -> Result<Region> {
        self.combine(Operation::SymmetricDifference, other)
    }

    /// Both combined.
    pub fn combine(&self, operation: Operation, other: &Region) -> Result<Region> {
        let (one, two) = (self.core(), other.core());
        let points = one.points.len() + two.points.len();
        Region::made(points, |builder, arena| builder.combine(operation, &one, &two, arena))
    }

    /// Grown by a positive distance or shrunk by a negative one, with round or square corners; see
    /// [`RegionBuilder::offset`].
    pub fn offset(&self, distance: f64, join: Join) -> Result<Region> {
        let region = self.core();
        Region::made(region.points.len(), |builder, arena| builder.offset(&region, distance, join, arena))
    }

    /// The part that an agent's center may enter, a radius from the boundary; see [`RegionBuilder::shrink`].
    pub fn shrink(&self, radius: f64, arc_tolerance: f64) -> Result<Region> {
        let region = self.core();
        Region::made(region.points.len(), |builder, arena| builder.shrink(&region, radius, arc_tolerance, arena))
    }

    /// The grid that its points count in.
    pub const fn grid(&self) -> SnapGrid {
        self.grid
    }

    /// Whether it covers nothing.
    pub fn is_empty(&self) -> bool {
        self.core().is_empty()
    }

    /// How many rings it has, outer ones and holes.
    pub fn ring_count(&self) -> usize {
        self.core().ring_count()
    }

    /// The points of each ring, its inside to the left: outer ones counterclockwise, holes clockwise.
    pub fn rings(&self) -> impl Iterator<Item = &[GridPoint]> + '_ {
        self.core().rings()
    }

    /// The rings' positions in world units: an outline that [`NavMesh::build_2d`](crate::NavMesh::build_2d) and
    /// [`from_rings`](Region::from_rings) take.
    pub fn outline(&self) -> Vec<Vec<[f64; 2]>> {
        self.rings().map(|ring| ring.iter().map(|&point| self.grid.position(point)).collect()).collect()
    }

    /// Its area in square units, rounded once.
    pub fn area(&self) -> f64 {
        self.core().area()
    }

    /// Whether a position lies in it or on its boundary. Exact.
    pub fn contains(&self, position: [f64; 2]) -> bool {
        self.core().contains(position)
    }

    /// Runs an operation on so many points within limits that grow until it fits.
    fn made(
        points: usize,
        operation: impl for<'a> Fn(&mut RegionBuilder, &mut Arena<'a>) -> Result<CoreRegion<'a>>,
    ) -> Result<Region> {
        let mut limits = first_limits(points);
        loop {
            let mut block = Block::new(&Source::Global, limits.plan().bytes)?;
            let refused = match operation(&mut RegionBuilder::new(&limits)?, &mut Arena::new(block.grains())) {
                Ok(region) => return Region::of(&region),
                Err(error) => error,
            };
            limits = grow::region_limits(&limits, &refused).ok_or(refused)?;
        }
    }
}

impl Floor for Region {
    fn with<R>(&self, work: impl FnOnce(&FloorInput<'_>) -> R) -> R {
        self.outline().with(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use navarena::geometry::region::TileCells;
    use navarena::math::SplitMix64;

    fn stars(random: &mut SplitMix64, count: usize) -> Region {
        let ring = |random: &mut SplitMix64| -> Vec<[f64; 2]> {
            (0..5).map(|_| [random.next_f64() * 20.0, random.next_f64() * 20.0]).collect()
        };
        let rings: Vec<Vec<[f64; 2]>> = (0..count).map(|_| ring(random)).collect();
        Region::from_rings(&rings, SnapGrid::new(9).unwrap()).unwrap()
    }

    #[test]
    fn combined_regions_hold_the_points_that_the_operation_says() {
        let mut random = SplitMix64::new(3);
        for count in [1, 4, 60] {
            let (a, b) = (stars(&mut random, count), stars(&mut random, count));
            let [both, either, first, one] =
                [Operation::Intersection, Operation::Union, Operation::Difference, Operation::SymmetricDifference]
                    .map(|operation| a.combine(operation, &b).unwrap());
            assert_eq!(both, a.intersection(&b).unwrap());
            assert_eq!(either, a.union(&b).unwrap());
            assert_eq!(first, a.difference(&b).unwrap());
            assert_eq!(one, a.symmetric_difference(&b).unwrap());
            let (mut looked, mut held) = (0, 0);
            for _ in 0..400 {
                let at = [random.next_f64() * 20.0, random.next_f64() * 20.0];
                // Noding moves boundaries by up to a grid unit: what lies near one is not asked about.
                let [x, y] = at;
                let near = |region: &Region| {
                    let is_in = region.contains(at);
                    [[0.01, 0.0], [-0.01, 0.0], [0.0, 0.01], [0.0, -0.01]]
                        .iter()
                        .any(|[dx, dy]| region.contains([x + dx, y + dy]) != is_in)
                };
                if near(&a) || near(&b) {
                    continue;
                }
                let (in_a, in_b) = (a.contains(at), b.contains(at));
                assert_eq!(both.contains(at), in_a && in_b);
                assert_eq!(either.contains(at), in_a || in_b);
                assert_eq!(first.contains(at), in_a && !in_b);
                assert_eq!(one.contains(at), in_a != in_b);
                looked += 1;
                held += usize::from(in_a && in_b);
            }
            assert!(looked > 100 && held > 0, "{looked} {held}");
        }
        // Three hundred edges cross so often that the points of their region are too many for the limits it began with.
        assert!(stars(&mut random, 60).points.len() > first_limits(300).points);
    }

    /// Of squares at whole places nothing is rounded, so that areas add up to the bit.
    #[test]
    fn areas_of_combined_regions_add_up() {
        let mut random = SplitMix64::new(17);
        let mut town = |count: usize| {
            let square = |random: &mut SplitMix64| {
                let [x, y, side] = [40, 40, 9].map(|most| random.below(most) as f64);
                vec![vec![[x, y], [x + side + 1.0, y], [x + side + 1.0, y + side + 1.0], [x, y + side + 1.0]]]
            };
            let squares: Vec<Vec<Vec<[f64; 2]>>> = (0..count).map(|_| square(&mut random)).collect();
            crate::with_outlines(&squares, |outlines| Region::from_outlines(outlines, SnapGrid::FINEST)).unwrap()
        };
        for count in [1, 7, 30] {
            let (a, b) = (town(count), town(count));
            let [both, either] = [a.intersection(&b).unwrap().area(), a.union(&b).unwrap().area()];
            assert_eq!(a.area() + b.area(), both + either);
            assert_eq!(a.difference(&b).unwrap().area(), a.area() - both);
            assert_eq!(a.symmetric_difference(&b).unwrap().area(), either - both);
        }
    }

    #[test]
    fn offsets_and_shrinking_have_the_areas_of_geometry() {
        const PI: f64 = core::f64::consts::PI;
        let room = [
            vec![[0.0, 0.0], [20.0, 0.0], [20.0, 12.0], [0.0, 12.0]],
            vec![[8.0, 4.0], [12.0, 4.0], [12.0, 8.0], [8.0, 8.0]],
        ];
        let room = Region::from_rings(&room, SnapGrid::FINEST).unwrap();
        let fine = Join::Round { arc_tolerance: 1e-4 };
        let is_near = |region: Region, area: f64| assert!((region.area() - area).abs() < 0.01, "{}", region.area());
        // Outwards round corners outside, and the hole keeps its own; inwards it is the other way about.
        is_near(room.offset(1.0, fine).unwrap(), 20.0 * 12.0 + 64.0 + PI - 4.0);
        is_near(room.offset(-1.0, fine).unwrap(), 18.0 * 10.0 - (16.0 + 16.0 + PI));
        is_near(room.shrink(1.0, 1e-4).unwrap(), 18.0 * 10.0 - (16.0 + 16.0 + PI));
        assert_eq!(room.offset(1.0, Join::Square).unwrap().area(), 22.0 * 14.0 - 4.0);
        assert_eq!(room.offset(0.0, fine).unwrap(), room);
    }

    #[test]
    fn a_tile_map_of_many_cells_has_its_cells_area() {
        let mut random = SplitMix64::new(9);
        let cells: Vec<bool> = (0..96 * 96).map(|_| random.below(2) == 0).collect();
        let map =
            TileMap { cells: TileCells::Where(&cells), width: 96, height: 96, cell_size: 0.5, origin: [-3.0, 7.0] };
        let region = Region::from_tile_map(&map, SnapGrid::FINEST).unwrap();
        let filled = cells.iter().filter(|&&cell| cell).count();
        assert_eq!(region.area(), filled as f64 * 0.25);
        // Far beyond the limits it began with, which know nothing of the cells.
        let first = first_limits(0);
        assert!(region.points.len() > first.points && region.ring_count() > first.rings);
        // Its own outline is the region again, and so is the core's.
        assert_eq!(Region::from_rings(&region.outline(), SnapGrid::FINEST).unwrap().area(), region.area());
        assert_eq!(Region::of(&region.core()).unwrap(), region);
    }

    #[test]
    fn what_an_operation_refuses_is_named() {
        let square = [vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]];
        let coarse = Region::from_rings(&square, SnapGrid::new(4).unwrap()).unwrap();
        let fine = Region::from_rings(&square, SnapGrid::FINEST).unwrap();
        assert_eq!(coarse.union(&fine).unwrap_err().subject(), Subject::SnapBits);
        assert_eq!(fine.offset(f64::NAN, Join::Square).unwrap_err().subject(), Subject::OffsetDistance);
        let refused =
            Region::from_rings(&[vec![[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]]], SnapGrid::FINEST).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Invalid);
        assert!(Region::empty(SnapGrid::FINEST).union(&fine).unwrap() == fine);
        assert!(fine.difference(&fine).unwrap().is_empty() && fine.shrink(0.75, 0.01).unwrap().is_empty());
    }
}
