//! Filters: which polygons may be used and what travel over them costs (`navmesh-queries.md`, "Filters and costs").
//!
//! A query takes its filter as a type parameter, so that what a filter does not ask costs nothing: with
//! [`Filter::ALL`] the checks and the multiplications are gone from the compiled loop.

use crate::error::{Error, Result, Subject};
use crate::mesh::NavMesh;

/// How many areas there are: ids 0 to 63.
pub const AREAS: usize = 64;

/// Decides about polygons by their flags and area, and prices travel.
///
/// Its answers must not change while a search runs. A plain [`Filter`] fits most needs; write your own to decide by
/// something it has no field for.
pub trait PolygonFilter {
    /// Whether a polygon of these flags and this area may be used.
    fn passes(&self, flags: u16, area: u8) -> bool;

    /// The price of a unit of length in an area: above 0, infinite where the area is forbidden.
    fn area_cost(&self, area: u8) -> f64;

    /// The least price of any area, which scales the heuristic. A value above the true one gives up least cost; 0
    /// turns the heuristic off.
    fn min_area_cost(&self) -> f64;

    /// Whether a polygon may be used: it passes and its area's cost is finite.
    #[inline]
    fn accepts(&self, flags: u16, area: u8) -> bool {
        self.passes(flags, area) && self.area_cost(area) < f64::INFINITY
    }

    /// Whether every polygon is accepted, whatever its flags and area: then what is known of the whole mesh is used
    /// instead of asking polygon by polygon. `false` is never wrong.
    #[inline]
    fn accepts_all(&self) -> bool {
        false
    }

    /// Whether links staged on the mesh of a kind, 0 to 63, may be crossed. A tile's own links have no kind; they are
    /// judged by their flags and area.
    #[inline]
    fn accepts_link_kind(&self, _kind: u8) -> bool {
        true
    }
}

/// The least that a unit of length costs on a mesh: over any area, or over a staged link that may be crossed. Scaled by
/// it, a straight way's length is never more than a route's cost.
pub(super) fn least_price<F: PolygonFilter>(mesh: &NavMesh<'_>, filter: &F) -> f64 {
    let mut least = filter.min_area_cost();
    let mut kinds = mesh.open_link_kinds();
    while kinds != 0 {
        let kind = kinds.trailing_zeros() as u8;
        kinds &= kinds - 1;
        let price = mesh.cheapest_link(kind);
        if filter.accepts_link_kind(kind) && price < least {
            least = price;
        }
    }
    least
}

/// The filter that uses everything at a cost of 1. It takes no space and no time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AllPolygons;

impl PolygonFilter for AllPolygons {
    #[inline]
    fn passes(&self, _flags: u16, _area: u8) -> bool {
        true
    }

    #[inline]
    fn area_cost(&self, _area: u8) -> f64 {
        1.0
    }

    #[inline]
    fn min_area_cost(&self) -> f64 {
        1.0
    }

    #[inline]
    fn accepts(&self, _flags: u16, _area: u8) -> bool {
        true
    }

    #[inline]
    fn accepts_all(&self) -> bool {
        true
    }
}

/// Flags to include and to exclude, and a price for each area. Never changes once it is made.
///
/// ```
/// use navarena::query::{Filter, PolygonFilter};
/// const ROAD: u8 = 1;
/// const SWAMP: u8 = 2;
/// let filter = Filter::new().with_area_cost(ROAD, 0.5)?.with_area_cost(SWAMP, f64::INFINITY)?.without_flags(0x8000);
/// assert!(filter.accepts(0x0001, ROAD) && !filter.accepts(0x8001, ROAD));
/// assert!(!filter.accepts(0x0001, SWAMP));
/// assert_eq!(filter.min_area_cost(), 0.5);
/// assert!(Filter::new().with_area_cost(ROAD, 0.0).is_err());
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Filter {
    costs: [f64; AREAS],
    min_cost: f64,
    include: u16,
    exclude: u16,
    /// Whether any cost is infinite, so that nobody has to ask 64 areas.
    forbids_area: bool,
    link_kinds: u64,
}

impl Filter {
    /// Every polygon, every area at a cost of 1: gives what [`Filter::new`] gives, in no time.
    pub const ALL: AllPolygons = AllPolygons;

    /// The filter that excludes nothing and prices every area at 1.
    pub const fn new() -> Filter {
        Filter {
            costs: [1.0; AREAS],
            min_cost: 1.0,
            include: 0xFFFF,
            exclude: 0,
            forbids_area: false,
            link_kinds: u64::MAX,
        }
    }

    /// The same filter for polygons that have at least one of these flags. `0xFFFF` is any polygon, flagged or not.
    pub const fn with_flags(mut self, include: u16) -> Filter {
        self.include = include;
        self
    }

    /// The same filter without polygons that have any of these flags.
    pub const fn without_flags(mut self, exclude: u16) -> Filter {
        self.exclude = exclude;
        self
    }

    /// The same filter with another price for an area, 0 to 63. The cost must be above 0; infinity forbids the area.
    pub fn with_area_cost(mut self, area: u8, cost: f64) -> Result<Filter> {
        let place = self.costs.get_mut(area as usize);
        let place = place.ok_or(Error::limit(Subject::Area).value(f64::from(area)).bound((AREAS - 1) as f64))?;
        if cost.is_nan() || cost <= 0.0 {
            return Err(Error::invalid(Subject::AreaCost).at(area as usize).value(cost));
        }
        *place = cost;
        self.forbids_area = self.costs.contains(&f64::INFINITY);
        self.min_cost = self.costs.iter().fold(f64::INFINITY, |least, &cost| if cost < least { cost } else { least });
        if self.min_cost == f64::INFINITY {
            // Nothing can be entered, and a heuristic must stay a number.
            self.min_cost = 0.0;
        }
        Ok(self)
    }

    /// The same filter for the kinds of staged links whose bits are set, and no others.
    ///
    /// ```
    /// use navarena::mesh::link_kind::{DOOR, LADDER};
    /// use navarena::query::{Filter, PolygonFilter};
    /// let filter = Filter::new().with_link_kinds(1 << DOOR);
    /// assert!(filter.accepts_link_kind(DOOR) && !filter.accepts_link_kind(LADDER));
    /// ```
    pub const fn with_link_kinds(mut self, mask: u64) -> Filter {
        self.link_kinds = mask;
        self
    }

    /// The kinds of staged links that may be crossed, a bit for each.
    pub const fn link_kinds(&self) -> u64 {
        self.link_kinds
    }

    /// The flags of which a polygon must have one.
    pub const fn included_flags(&self) -> u16 {
        self.include
    }

    /// The flags of which a polygon may have none.
    pub const fn excluded_flags(&self) -> u16 {
        self.exclude
    }

    /// The same filter, asking a function too about each polygon's flags and area.
    pub const fn and<P: Fn(u16, u8) -> bool>(self, predicate: P) -> FilterAnd<P> {
        FilterAnd { filter: self, predicate }
    }
}

impl Default for Filter {
    fn default() -> Self {
        Filter::new()
    }
}

impl PolygonFilter for Filter {
    #[inline]
    fn passes(&self, flags: u16, _area: u8) -> bool {
        flags & self.exclude == 0 && (self.include == 0xFFFF || flags & self.include != 0)
    }

    #[inline]
    fn area_cost(&self, area: u8) -> f64 {
        self.costs[area as usize % AREAS]
    }

    #[inline]
    fn min_area_cost(&self) -> f64 {
        self.min_cost
    }

    #[inline]
    fn accepts_all(&self) -> bool {
        self.include == 0xFFFF && self.exclude == 0 && !self.forbids_area
    }

    #[inline]
    fn accepts_link_kind(&self, kind: u8) -> bool {
        kind < 64 && self.link_kinds >> kind & 1 == 1
    }
}

/// A [`Filter`] and a function that both must accept. Made by [`Filter::and`].
#[derive(Clone, Copy, Debug)]
pub struct FilterAnd<P> {
    filter: Filter,
    predicate: P,
}

impl<P: Fn(u16, u8) -> bool> PolygonFilter for FilterAnd<P> {
    #[inline]
    fn passes(&self, flags: u16, area: u8) -> bool {
        self.filter.passes(flags, area) && (self.predicate)(flags, area)
    }

    #[inline]
    fn area_cost(&self, area: u8) -> f64 {
        self.filter.area_cost(area)
    }

    #[inline]
    fn min_area_cost(&self) -> f64 {
        self.filter.min_area_cost()
    }

    #[inline]
    fn accepts_link_kind(&self, kind: u8) -> bool {
        self.filter.accepts_link_kind(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn the_default_filter_equals_the_one_that_takes_no_space() {
        assert_eq!(size_of::<AllPolygons>(), 0);
        for area in 0..64 {
            for flags in [0, 1, 0x8000, 0xFFFF] {
                assert!(Filter::new().accepts(flags, area) && Filter::ALL.accepts(flags, area));
                assert_eq!(Filter::new().area_cost(area), Filter::ALL.area_cost(area));
            }
        }
        assert_eq!(Filter::new().min_area_cost(), Filter::ALL.min_area_cost());
    }

    #[test]
    fn one_included_flag_is_enough_and_one_excluded_flag_too_many() {
        let filter = Filter::new().with_flags(0b0110).without_flags(0b1000);
        assert!(filter.passes(0b0010, 0) && filter.passes(0b0101, 0));
        assert!(!filter.passes(0b0001, 0) && !filter.passes(0, 0) && !filter.passes(0b1010, 0));
        assert!(!Filter::new().with_flags(0).passes(0xFFFF, 0));
    }

    #[test]
    fn costs_that_are_none_are_refused_by_area() {
        for cost in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            let error = Filter::new().with_area_cost(9, cost).unwrap_err();
            assert_eq!(
                (error.kind(), error.subject(), error.index()),
                (ErrorKind::Invalid, Subject::AreaCost, Some(9))
            );
        }
        assert_eq!(Filter::new().with_area_cost(64, 1.0).unwrap_err().kind(), ErrorKind::Limit);
    }

    #[test]
    fn the_least_cost_follows_the_table() {
        let mut filter = Filter::new();
        for area in 0..64 {
            assert_eq!(filter.min_area_cost(), 1.0);
            filter = filter.with_area_cost(area, 4.0).unwrap();
        }
        assert_eq!(filter.min_area_cost(), 4.0);
        for area in 0..64 {
            filter = filter.with_area_cost(area, f64::INFINITY).unwrap();
        }
        assert_eq!(filter.min_area_cost(), 0.0);
    }

    #[test]
    fn a_predicate_only_takes_away() {
        let filter = Filter::new().without_flags(1).and(|flags, area| flags == 2 || area == 3);
        assert!(filter.accepts(2, 0) && filter.accepts(4, 3));
        assert!(!filter.accepts(4, 0) && !filter.accepts(3, 3));
    }

    #[test]
    fn a_mask_chooses_the_kinds_of_links() {
        let filter = Filter::new().with_link_kinds(1 << 63 | 2);
        let and = filter.and(|_, _| true);
        for kind in 0..=255 {
            let wanted = kind == 63 || kind == 1;
            assert_eq!((filter.accepts_link_kind(kind), and.accepts_link_kind(kind)), (wanted, wanted));
            assert_eq!(Filter::new().accepts_link_kind(kind), kind < 64);
        }
        assert!(Filter::ALL.accepts_link_kind(63));
    }
}
