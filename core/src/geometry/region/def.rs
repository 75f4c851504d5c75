//! The limits of one operation on regions, and what it counted.

use super::trace::Directed;
use super::{Edge, GridPoint, Segment};
use crate::error::{Error, Result, Subject};
use crate::memory::{Plan, Ruler};

/// The most edges an arrangement may be given: windings stay within 32 bits.
const MAX_EDGES: usize = 1 << 23;

/// The limits of one operation. Reaching one is a capacity error that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RegionDef {
    /// Directed edges given to one arrangement, 1 to 2^23.
    pub edges: usize,
    /// Proper crossings of edges found in one arrangement, at most 2^24.
    pub crossings: usize,
    /// Pieces that edges are cut into before equal ones merge, 1 to 2^23. At least as many as edges are of use.
    pub segments: usize,
    /// Points of a region's rings, at most 2^24.
    pub points: usize,
    /// Rings of a region, at most 2^24.
    pub rings: usize,
}

impl RegionDef {
    /// Limits for a tile map or a floor plan of some ten thousand corners.
    pub const DEFAULT: RegionDef =
        RegionDef { edges: 1 << 16, crossings: 1 << 16, segments: 1 << 18, points: 1 << 17, rings: 1 << 14 };

    /// Refuses limits outside their ranges.
    pub const fn validate(&self) -> Result<()> {
        const fn within(value: usize, low: usize, high: usize, subject: Subject) -> Result<()> {
            if value < low || value > high {
                return Err(Error::invalid(subject).value(value as f64).bound(high as f64));
            }
            Ok(())
        }
        let checks = [
            within(self.edges, 1, MAX_EDGES, Subject::Edges),
            within(self.crossings, 0, 1 << 24, Subject::EdgeCrossings),
            within(self.segments, 1, MAX_EDGES, Subject::Segments),
            within(self.points, 0, 1 << 24, Subject::Points),
            within(self.rings, 0, 1 << 24, Subject::Rings),
        ];
        let mut i = 0;
        while i < checks.len() {
            if checks[i].is_err() {
                return checks[i];
            }
            i += 1;
        }
        Ok(())
    }

    /// Bytes that are enough for one operation and its product, whatever the input within the limits. Products that live
    /// on, as those that the next operation is given, come on top.
    pub const fn plan(&self) -> Plan {
        let pieces = self.segments;
        let pixels = 2 * self.edges + self.crossings;
        let arrangement = Ruler::new().array::<GridPoint>(pixels).array::<Segment>(pieces);
        // A search of cells lists each piece in five at most on average, each pixel in one.
        let crossed = Ruler::new().array::<u32>(5 * pieces);
        let met = Ruler::new().array::<u32>(pixels).array::<u32>(pixels);
        let repair = Ruler::new()
            .array::<u8>(pieces)
            .array::<GridPoint>(self.crossings)
            .array::<u32>(2 * pieces + 2)
            .then(crossed.or(met).plan());
        let numbered = Ruler::new().array::<u32>(pixels).then(arrangement.plan());
        let noding = Ruler::new().array::<Edge>(pieces).array::<GridPoint>(pixels).then(repair.or(numbered).plan());
        let sweep = Ruler::new().array::<u32>(pieces).array::<u32>(pieces);
        // Growing lists keep a grain free each.
        let traced = Ruler::new()
            .array::<Directed>(pieces)
            .array::<u32>(pixels + 1)
            .array::<u8>(pieces)
            .array::<GridPoint>(self.points + 1)
            .array::<u32>(self.rings + 4);
        let tracing = arrangement.array::<[i32; 2]>(pieces).then(sweep.or(traced).plan());
        // Where each outline is resolved alone, the edges of all wait meanwhile.
        Ruler::new().array::<Edge>(pieces).then(noding.or(tracing).plan()).plan()
    }
}

impl Default for RegionDef {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What the last operation counted, each the largest of its arrangements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RegionReport {
    /// Directed edges given.
    pub edges: usize,
    /// Proper crossings found among them.
    pub crossings: usize,
    /// Pieces they were cut into, before equal ones merged.
    pub segments: usize,
    /// Vertices of the arrangement.
    pub vertices: usize,
    /// Points of the rings made.
    pub points: usize,
    /// Rings made.
    pub rings: usize,
    /// Rounds of repair; 1 when the first check found nothing.
    pub rounds: usize,
    /// Searches for which the input was too clustered for a grid of cells.
    pub clustered: usize,
    /// The most bytes of the arena in use at once.
    pub memory_peak: usize,
}

impl RegionReport {
    /// Before anything was done.
    pub(crate) const NONE: RegionReport = RegionReport {
        edges: 0,
        crossings: 0,
        segments: 0,
        vertices: 0,
        points: 0,
        rings: 0,
        rounds: 0,
        clustered: 0,
        memory_peak: 0,
    };

    /// Takes up the counts of another arrangement.
    pub(crate) fn take_up(&mut self, other: &RegionReport) {
        raise(&mut self.edges, other.edges);
        raise(&mut self.crossings, other.crossings);
        raise(&mut self.segments, other.segments);
        raise(&mut self.vertices, other.vertices);
        raise(&mut self.points, other.points);
        raise(&mut self.rings, other.rings);
        raise(&mut self.rounds, other.rounds);
        raise(&mut self.clustered, other.clustered);
        raise(&mut self.memory_peak, other.memory_peak);
    }
}

/// Raises one count of a report.
pub(super) fn raise(count: &mut usize, to: usize) {
    *count = (*count).max(to);
}
