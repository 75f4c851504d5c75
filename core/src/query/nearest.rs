//! The nearest polygon to a position (`navmesh-queries.md`, "Nearest polygon"; the other rule, `maul-nav/query.md`,
//! `FindNearest`).

use super::checks::{checked_extents, checked_position};
use super::filter::PolygonFilter;
use super::plane::Vec3;
use super::surface::{Closest, closest_on, closest_point};
use super::world_box::WorldBox;
use crate::error::Result;
use crate::math::{distance_squared, max, sub};
use crate::mesh::ground::Ground;
use crate::mesh::{NavMesh, PolyRef};

/// A polygon near a position.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Nearest {
    /// The polygon.
    pub polygon: PolyRef,
    /// The point of it closest to the position.
    pub point: [f64; 3],
    /// The squared distance between the two.
    pub distance_squared: f64,
    /// Whether the position lies straight above or below the polygon, its boundary included.
    pub over_polygon: bool,
}

/// What nearest means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NearestRule {
    /// Of the polygons whose box of vertices meets the search box, the least distance in space: the vertically closest of
    /// floors one above the other. OnePath's rule.
    #[default]
    Distance,
    /// Of the polygons whose closest point lies in the search box, the least score: over a polygon, the height beyond the
    /// agent's step, which is [`MeshParams::walkable_climb`](crate::mesh::MeshParams::walkable_climb); elsewhere the
    /// distance. So the floor that one can step onto wins over one beside it, however close. Equal scores go to the
    /// shorter distance. Maul Nav's rule.
    BeyondStep,
}

/// What a search for the nearest polygon found, and whether it could look everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NearestOutcome {
    /// The polygon, where there is one.
    pub nearest: Option<Nearest>,
    /// Whether part of the search box lies where no tile is loaded: a nearer polygon may be there.
    pub incomplete: bool,
}

/// Finds the polygon nearest to a position by a rule, and tells whether part of the search box is not loaded.
///
/// Refusals and ties as for [`nearest_polygon`], which is this by [`NearestRule::Distance`] without the looking for
/// tiles.
pub fn nearest_polygon_by<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    rule: NearestRule,
    center: [f64; 3],
    half_extents: [f64; 3],
    filter: &F,
) -> Result<NearestOutcome> {
    let nearest = match rule {
        NearestRule::Distance => nearest_polygon(mesh, center, half_extents, filter)?,
        NearestRule::BeyondStep => nearest_beyond_step(mesh, center, half_extents, filter)?,
    };
    let region = WorldBox::round(center, half_extents);
    Ok(NearestOutcome { nearest, incomplete: mesh.misses_tile_in(region.low, region.high) })
}

/// Finds the polygon nearest to a position, of those that a filter accepts and whose box of vertices meets the box
/// `center` plus and minus `half_extents`; none where there is none.
///
/// On floors one above the other the one vertically closest wins; equal distances go to the lowest tile column, row,
/// layer and polygon. Refused: a center that is not finite or not within 2^21, extents that are negative or not
/// finite. Source: `navmesh-queries.md`, "Nearest polygon".
pub fn nearest_polygon<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    center: [f64; 3],
    half_extents: [f64; 3],
    filter: &F,
) -> Result<Option<Nearest>> {
    checked_position(center, 0)?;
    checked_extents(half_extents)?;
    let region = WorldBox::round(center, half_extents);
    let mut best: Option<Candidate> = None;
    let mut later = Later::NONE;
    region.each_on_ground(mesh, |ground, local, index| {
        let Some(polygon) = ground.polygons.get(index as usize) else { return };
        if !filter.accepts(polygon.flags, polygon.area) || !region.meets(ground.origin(), local) {
            return;
        }
        // Those that the position lies over are likely the nearest, and then the others need no look.
        let least = WorldBox::least_squared(center, ground.origin(), local);
        if least > 0.0 && later.push(ground.tile.polygon(index), least) {
            return;
        }
        weigh(mesh, ground, index, (center, least), &mut best);
    });
    for &(reference, least) in later.polygons() {
        if is_open(&best, least)
            && let Some(ground) = mesh.ground(reference.slot())
        {
            weigh(mesh, &ground, reference.index(), (center, least), &mut best);
        }
    }
    Ok(best.map(|candidate| candidate.nearest))
}

/// Lets a polygon challenge the best, unless it lies too far away, by a lower bound of its squared distance.
fn weigh(
    mesh: &NavMesh<'_>,
    ground: &Ground<'_>,
    index: u32,
    (center, least): (Vec3, f64),
    best: &mut Option<Candidate>,
) {
    if is_open(best, least)
        && let Some(polygon) = ground.polygons.get(index as usize)
    {
        let candidate = Candidate::of(closest_on(mesh, ground, polygon, center), ground.tile.polygon(index), center);
        let squared = candidate.nearest.distance_squared;
        candidate.challenge(mesh, best, squared);
    }
}

/// Whether what is at least so far away, squared, could be nearer than the best, or as near.
#[inline]
fn is_open(best: &Option<Candidate>, least: f64) -> bool {
    best.as_ref().is_none_or(|known| least <= known.nearest.distance_squared)
}

/// How many polygons are put off.
const PUT_OFF: usize = 16;

/// Polygons to look at when a near one is known, and the least that their squared distance can be.
struct Later {
    list: [(PolyRef, f64); PUT_OFF],
    len: usize,
}

impl Later {
    const NONE: Later = Later { list: [(PolyRef::NONE, 0.0); PUT_OFF], len: 0 };

    /// Puts a polygon off, if there is room.
    #[inline]
    fn push(&mut self, polygon: PolyRef, least: f64) -> bool {
        match self.list.get_mut(self.len) {
            Some(place) => {
                *place = (polygon, least);
                self.len += 1;
                true
            }
            None => false,
        }
    }

    fn polygons(&self) -> &[(PolyRef, f64)] {
        &self.list[..self.len]
    }
}

/// The nearest by [`NearestRule::BeyondStep`].
fn nearest_beyond_step<F: PolygonFilter>(
    mesh: &NavMesh<'_>,
    center: Vec3,
    half_extents: Vec3,
    filter: &F,
) -> Result<Option<Nearest>> {
    checked_position(center, 0)?;
    checked_extents(half_extents)?;
    let region = WorldBox::round(center, half_extents);
    let step = f64::from(mesh.params().walkable_climb);
    let mut best: Option<Candidate> = None;
    // Detail can reach above and below the outline's box: heights are for the closest point alone to decide.
    region.at_any_height().each_polygon(mesh, |tile, index, polygon| {
        if !filter.accepts(polygon.flags, polygon.area) {
            return;
        }
        let reference = tile.reference.polygon(index as u32);
        let candidate = Candidate::of(closest_point(tile, polygon, center), reference, center);
        let nearest = &candidate.nearest;
        if region.holds(nearest.point) {
            let score = if nearest.over_polygon {
                let [_, y, _] = sub(center, nearest.point);
                let beyond = max(y.abs() - step, 0.0);
                beyond * beyond
            } else {
                nearest.distance_squared
            };
            candidate.challenge(mesh, &mut best, score);
        }
    });
    Ok(best.map(|candidate| candidate.nearest))
}

struct Candidate {
    nearest: Nearest,
    /// What is least of the nearest.
    score: f64,
}

impl Candidate {
    fn of(closest: Closest, polygon: PolyRef, center: Vec3) -> Candidate {
        let nearest = Nearest {
            polygon,
            point: closest.point,
            distance_squared: distance_squared(center, closest.point),
            over_polygon: closest.over,
        };
        Candidate { nearest, score: 0.0 }
    }

    /// What a tie is decided by: tile column, row, layer, polygon index.
    fn rank(&self, mesh: &NavMesh<'_>) -> ((i32, i32, i32), u32) {
        let polygon = self.nearest.polygon;
        (mesh.place_of(polygon.slot()), polygon.index())
    }

    /// Takes the place of the best if it scores less; as much with a shorter distance; or both the same with a lower
    /// rank.
    #[inline]
    fn challenge(mut self, mesh: &NavMesh<'_>, best: &mut Option<Candidate>, score: f64) {
        self.score = score;
        let wins = best.as_ref().is_none_or(|other| {
            let (squared, known) = (self.nearest.distance_squared, other.nearest.distance_squared);
            score < other.score
                || score == other.score && (squared < known || squared == known && self.rank(mesh) < other.rank(mesh))
        });
        if wins {
            *best = Some(self);
        }
    }
}
