//! Operations on whole regions: outlines resolved, unions, intersections, differences, offsets, shrinking
//! (`build2d-geometry.md`, "Labelling" and "Outlines, fill rule, regions").

use super::arrangement::{EdgeList, arrange, arrange_filled};
use super::def::{RegionDef, RegionReport};
use super::offset::{Join, Offset};
use super::rings::ring_edges;
use super::shrink::Shrink;
use super::trace::{take_region, trace};
use super::winding::label;
use super::{Arrangement, Edge, GridPoint, Region, SnapGrid, TileMap, tile_map};
use crate::error::{Error, Result, Subject};
use crate::memory::{Arena, Ruler};

/// An outline as a host gives it: rings of positions, outer boundary and holes in any order and orientation.
///
/// Its area is the even-odd region of its rings, which may overlap, cross themselves, touch and repeat points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outline<'a> {
    /// The rings, each of at least three positions; the last joins to the first.
    pub rings: &'a [&'a [[f64; 2]]],
}

/// How two regions are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Operation {
    /// What lies in either.
    Union,
    /// What lies in both.
    Intersection,
    /// What lies in the first and not in the second.
    Difference,
    /// What lies in exactly one.
    SymmetricDifference,
}

impl Operation {
    /// Whether a face of these two winding numbers is inside.
    #[inline]
    pub const fn is_inside(self, [first, second]: [i32; 2]) -> bool {
        let (first, second) = (first > 0, second > 0);
        match self {
            Operation::Union => first || second,
            Operation::Intersection => first && second,
            Operation::Difference => first && !second,
            Operation::SymmetricDifference => first != second,
        }
    }
}

/// Makes regions of outlines and of one another, within the limits of a def.
///
/// It owns no memory: products are carved from the front of the arena of each call, and scratch is given back. A refusal
/// leaves the arena as it was.
///
/// ```
/// use navarena::geometry::region::{Outline, RegionBuilder, RegionDef, SnapGrid};
/// use navarena::memory::{Arena, Grain};
/// const DEF: RegionDef = RegionDef { edges: 64, crossings: 64, segments: 256, points: 64, rings: 8 };
/// let mut memory = [Grain::ZERO; 2 * DEF.plan().grains()];
/// let mut arena = Arena::new(&mut memory);
/// let mut builder = RegionBuilder::new(&DEF)?;
///
/// let square = |x: f64| [[x, 0.0], [x + 2.0, 0.0], [x + 2.0, 2.0], [x, 2.0]];
/// let grid = SnapGrid::new(4)?;
/// let a = builder.from_outlines(&[Outline { rings: &[&square(0.0)] }], grid, &mut arena)?;
/// let b = builder.from_outlines(&[Outline { rings: &[&square(1.0)] }], grid, &mut arena)?;
/// assert_eq!(builder.union(&a, &b, &mut arena)?.area(), 6.0);
/// assert_eq!(builder.intersection(&a, &b, &mut arena)?.area(), 2.0);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RegionBuilder {
    limits: RegionDef,
    report: RegionReport,
}

impl RegionBuilder {
    /// A builder of these limits.
    pub const fn new(limits: &RegionDef) -> Result<RegionBuilder> {
        if let Err(error) = limits.validate() {
            return Err(error);
        }
        Ok(RegionBuilder { limits: *limits, report: RegionReport::NONE })
    }

    /// What the last operation counted.
    pub const fn report(&self) -> &RegionReport {
        &self.report
    }

    /// The arrangement of directed edges; see [`arrange`].
    pub fn arrange<'a>(&mut self, edges: &[Edge], arena: &mut Arena<'a>) -> Result<Arrangement<'a>> {
        self.report = RegionReport::NONE;
        arrange(edges, &self.limits, &mut self.report, arena)
    }

    /// The union of outlines, each resolved alone by its even-odd rule.
    ///
    /// A position that is not a number or past 2^21, or a ring of fewer than three, is refused with its outline, ring (the
    /// part) and vertex (the element).
    pub fn from_outlines<'a>(
        &mut self,
        outlines: &[Outline<'_>],
        grid: SnapGrid,
        arena: &mut Arena<'a>,
    ) -> Result<Region<'a>> {
        self.report = RegionReport::NONE;
        if let [outline] = outlines {
            return self.resolve(outline, 0, grid, arena);
        }
        self.combined(
            arena,
            grid,
            |[winding, _]| winding > 0,
            |builder, list, desk| {
                outlines.iter().enumerate().try_for_each(|(number, outline)| {
                    desk.scope(|desk| {
                        let region = builder.resolve(outline, number, grid, desk)?;
                        push_region(list, &region, [1, 0])
                    })
                })
            },
        )
    }

    /// The cells of a tile map, joined; cells that touch only at a corner do so in the region too.
    ///
    /// Refused are sides of 0, cells that are not width times height, a cell smaller than the grid's unit, and the first line
    /// (by its number; the part is the axis) that is not a number, past 2^21, or rounded onto the line before.
    /// Time and memory follow the corners of the boundary; the cells are read twice.
    ///
    /// ```
    /// use navarena::geometry::region::{RegionBuilder, RegionDef, SnapGrid, TileCells, TileMap};
    /// use navarena::memory::{Arena, Grain};
    /// const DEF: RegionDef = RegionDef { edges: 64, crossings: 64, segments: 256, points: 64, rings: 8 };
    /// let mut memory = [Grain::ZERO; DEF.plan().grains()];
    /// let cells = [true, true, true, true, false, true, true, true, true];
    /// let map = TileMap { cells: TileCells::Where(&cells), width: 3, height: 3, cell_size: 0.5, origin: [0.0, 0.0] };
    /// let mut builder = RegionBuilder::new(&DEF)?;
    /// let room = builder.from_tile_map(&map, SnapGrid::FINEST, &mut Arena::new(&mut memory))?;
    /// assert_eq!((room.area(), room.ring_count(), room.points.len()), (2.0, 2, 8));
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn from_tile_map<'a>(
        &mut self,
        map: &TileMap<'_>,
        grid: SnapGrid,
        arena: &mut Arena<'a>,
    ) -> Result<Region<'a>> {
        self.report = RegionReport::NONE;
        tile_map::region_of(map, grid, &self.limits, &mut self.report, arena)
    }

    /// What lies in either region. Like every operation on two, it refuses regions of different grids.
    pub fn union<'a>(&mut self, a: &Region<'_>, b: &Region<'_>, arena: &mut Arena<'a>) -> Result<Region<'a>> {
        self.combine(Operation::Union, a, b, arena)
    }

    /// What lies in both regions.
    pub fn intersection<'a>(&mut self, a: &Region<'_>, b: &Region<'_>, arena: &mut Arena<'a>) -> Result<Region<'a>> {
        self.combine(Operation::Intersection, a, b, arena)
    }

    /// What lies in the first region and not in the second.
    pub fn difference<'a>(&mut self, a: &Region<'_>, b: &Region<'_>, arena: &mut Arena<'a>) -> Result<Region<'a>> {
        self.combine(Operation::Difference, a, b, arena)
    }

    /// What lies in exactly one of two regions.
    pub fn symmetric_difference<'a>(
        &mut self,
        a: &Region<'_>,
        b: &Region<'_>,
        arena: &mut Arena<'a>,
    ) -> Result<Region<'a>> {
        self.combine(Operation::SymmetricDifference, a, b, arena)
    }

    /// Two regions of the same grid combined.
    pub fn combine<'a>(
        &mut self,
        operation: Operation,
        a: &Region<'_>,
        b: &Region<'_>,
        arena: &mut Arena<'a>,
    ) -> Result<Region<'a>> {
        self.report = RegionReport::NONE;
        if a.grid != b.grid {
            let bits = [a.grid.bits(), b.grid.bits()].map(f64::from);
            return Err(Error::invalid(Subject::SnapBits).value(bits[1]).bound(bits[0]));
        }
        self.combined(
            arena,
            a.grid,
            |windings| operation.is_inside(windings),
            |_, list, _| {
                push_region(list, a, [1, 0])?;
                push_region(list, b, [0, 1])
            },
        )
    }

    /// A region grown by a positive distance or shrunk by a negative one, world units up to 2^20 either way: joined with all
    /// that is within the distance of its boundary, or robbed of it. So narrow gaps close, and thin parts vanish. By a
    /// distance of 0 it stays as it is.
    ///
    /// Each edge of the boundary adds four edges and, with round joins, as many as a circle has corners; or up to six.
    ///
    /// # Errors
    /// A distance or arc tolerance out of range; a corner past 2^21 + 2^20; a limit; memory.
    ///
    /// ```
    /// use navarena::geometry::region::{Join, Outline, RegionBuilder, RegionDef, SnapGrid};
    /// use navarena::memory::{Arena, Grain};
    /// let mut memory = vec![Grain::ZERO; RegionDef::DEFAULT.plan().grains()];
    /// let mut arena = Arena::new(&mut memory);
    /// let mut builder = RegionBuilder::new(&RegionDef::DEFAULT)?;
    /// let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    /// let room = builder.from_outlines(&[Outline { rings: &[&square] }], SnapGrid::FINEST, &mut arena)?;
    /// assert_eq!(builder.offset(&room, 1.0, Join::Square, &mut arena)?.area(), 36.0);
    /// assert_eq!(builder.offset(&room, -1.0, Join::Square, &mut arena)?.area(), 4.0);
    /// let round = builder.offset(&room, 1.0, Join::Round { arc_tolerance: 0.001 }, &mut arena)?.area();
    /// assert!((round - (32.0 + core::f64::consts::PI)).abs() < 0.01);
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn offset<'a>(
        &mut self,
        region: &Region<'_>,
        distance: f64,
        join: Join,
        arena: &mut Arena<'a>,
    ) -> Result<Region<'a>> {
        self.report = RegionReport::NONE;
        let offset = Offset::new(region.grid, distance, join)?;
        if distance == 0.0 {
            return self.copied(region, arena);
        }
        let operation = if distance > 0.0 { Operation::Union } else { Operation::Difference };
        self.combined(
            arena,
            region.grid,
            |windings| operation.is_inside(windings),
            |_, list, _| offset.push(region, list),
        )
    }

    /// The part of a region that an agent's centre may enter: at least `radius` from the boundary, up to the polygonal arcs
    /// around reflex corners, whose area is that of the discs they stand for.
    ///
    /// Radius and arc tolerance are world units, the radius 0 (which changes nothing) to 2^20. Other than
    /// [`offset`](RegionBuilder::offset), it sweeps the inner side of edges and reflex corners only, with fewer edges.
    pub fn shrink<'a>(
        &mut self,
        region: &Region<'_>,
        radius: f64,
        arc_tolerance: f64,
        arena: &mut Arena<'a>,
    ) -> Result<Region<'a>> {
        self.report = RegionReport::NONE;
        let shrink = Shrink::new(region.grid, radius, arc_tolerance)?;
        if radius == 0.0 {
            return self.copied(region, arena);
        }
        self.combined(
            arena,
            region.grid,
            |windings| Operation::Difference.is_inside(windings),
            |_, list, _| shrink.push_pieces(region, list),
        )
    }

    /// The same region again. Noding it anew might move its edges.
    fn copied<'a>(&mut self, region: &Region<'_>, arena: &mut Arena<'a>) -> Result<Region<'a>> {
        let (limits, counts) = (self.limits, [region.points.len(), region.ends.len()]);
        for (count, limit, subject) in
            [(counts[0], limits.points, Subject::Points), (counts[1], limits.rings, Subject::Rings)]
        {
            if count > limit {
                return Err(Error::capacity(subject, limit));
            }
        }
        let bytes = Ruler::new().array::<GridPoint>(counts[0]).array::<u32>(counts[1]).plan();
        arena.check(bytes)?;
        let (points, ends) = (arena.take(counts[0])?, arena.take(counts[1])?);
        points.copy_from_slice(region.points);
        ends.copy_from_slice(region.ends);
        Ok(Region { grid: region.grid, points, ends })
    }

    /// The even-odd region of one outline.
    fn resolve<'a>(
        &mut self,
        outline: &Outline<'_>,
        number: usize,
        grid: SnapGrid,
        arena: &mut Arena<'a>,
    ) -> Result<Region<'a>> {
        let fill = |list: &mut EdgeList<'_>| {
            outline.rings.iter().enumerate().try_for_each(|(part, ring)| {
                push_ring(list, ring, grid).map_err(|error| match error.subject() {
                    Subject::Outline => error.at(number).part(part),
                    _ => error,
                })
            })
        };
        self.combined(arena, grid, |[winding, _]| winding & 1 != 0, |_, list, _| fill(list))
    }

    /// Edges through arrangement, labels and rings; the region comes to lie at the front.
    fn combined<'a>(
        &mut self,
        arena: &mut Arena<'a>,
        grid: SnapGrid,
        inside: impl Fn([i32; 2]) -> bool,
        fill: impl FnOnce(&mut RegionBuilder, &mut EdgeList<'_>, &mut Arena<'_>) -> Result<()>,
    ) -> Result<Region<'a>> {
        let (place, counts) = arena.scope(|desk| {
            let (limits, mut report) = (self.limits, RegionReport::NONE);
            let arrangement = arrange_filled(&limits, &mut report, desk, |list, desk| fill(self, list, desk))?;
            let above = label(&arrangement, desk)?;
            let place = desk.taken();
            let region = trace(&arrangement, above, inside, grid, &limits, &mut report, desk)?;
            self.report.take_up(&report);
            Ok((place, (region.points.len(), region.ends.len())))
        })?;
        take_region(grid, place, counts, arena)
    }
}

/// Adds a region's directed edges.
pub(crate) fn push_region(list: &mut EdgeList<'_>, region: &Region<'_>, delta: [i32; 2]) -> Result<()> {
    region.rings().flat_map(ring_edges).try_for_each(|[a, b]| list.push(Edge { a, b, delta }))
}

/// Adds a ring's edges between the grid points nearest to its positions. Refused are a short ring and the first bad position.
fn push_ring(list: &mut EdgeList<'_>, ring: &[[f64; 2]], grid: SnapGrid) -> Result<()> {
    if ring.len() < 3 {
        return Err(Error::invalid(Subject::Outline).value(ring.len() as f64).bound(3.0));
    }
    let snapped = |vertex: usize| grid.snap(ring[vertex]).map_err(|e| e.about(Subject::Outline).element(vertex));
    let first = snapped(0)?;
    let mut a = first;
    for vertex in 1..ring.len() {
        let b = snapped(vertex)?;
        list.push(Edge { a, b, delta: [1, 0] })?;
        a = b;
    }
    list.push(Edge { a, b: first, delta: [1, 0] })
}
