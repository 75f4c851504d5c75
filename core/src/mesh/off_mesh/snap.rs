//! Snapping: which polygon an end of a link belongs to.
//!
//! The nearest polygon within the link's radius on the ground and the agent's step in height, judged by the point of
//! the polygon's surface that is nearest to the end as every query finds it. A polygon straight above or below the end
//! comes before any beside it; then the shorter distance counts, then the tile's column, row and layer, then the index.
//! This is Maul Nav's rule for the nearest polygon (`maul-nav/query.md`), where within a step whatever lies straight
//! above or below scores 0.

use crate::geometry::plane::Vec3;
use crate::math::{distance_squared, vector};
use crate::memory::{Pod, Zeroable};
use crate::mesh::boxes::{PolygonBox, each_meeting};
use crate::mesh::params::MeshParams;
use crate::mesh::places::{self, Columns};
use crate::mesh::pools::{NO_STORAGE, Pools};
use crate::mesh::reference::PolyRef;
use crate::mesh::surface::closest_point;
use crate::mesh::view::TileView;
use crate::mesh::work::NextSlot;

/// An end of a crossing as it will be: slots keep their number in a commit that changes their salt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(in crate::mesh) struct Snap {
    pub point: Vec3,
    /// [`NOWHERE`](Snap::NOWHERE) where no polygon was found.
    pub slot: u32,
    pub polygon: u32,
}

impl Snap {
    pub(in crate::mesh) const NOWHERE: u32 = u32::MAX;

    /// What a crossing's end is snapped to now.
    pub(in crate::mesh) fn kept(point: Vec3, polygon: PolyRef) -> Snap {
        let slot = if polygon.is_none() { Snap::NOWHERE } else { polygon.slot() };
        Snap { point, slot, polygon: polygon.index() }
    }

    pub(in crate::mesh) fn is_somewhere(&self) -> bool {
        self.slot != Snap::NOWHERE
    }
}

/// Where an end wants to lie, and how far from it, on the ground, a polygon may be.
#[derive(Clone, Copy, Debug)]
pub(in crate::mesh) struct Place {
    pub point: Vec3,
    pub radius: f64,
}

impl Place {
    /// The columns whose tiles could have a polygon for it.
    pub(in crate::mesh) fn columns(&self, params: &MeshParams, overhangs: bool) -> Option<Columns> {
        let (low, high) = self.bounds();
        Columns::near(params, overhangs, low, high)
    }

    /// Floors of any height: the heights of polygons' details are judged one by one.
    fn bounds(&self) -> (Vec3, Vec3) {
        let [x, _, z] = self.point;
        let radius = self.radius;
        ([x - radius, f64::NEG_INFINITY, z - radius], [x + radius, f64::INFINITY, z + radius])
    }
}

/// The tiles as they will be, to snap to.
pub(in crate::mesh) struct Snapper<'a, 'm> {
    pub params: &'a MeshParams,
    pub pools: &'a Pools<'m>,
    pub next: &'a [NextSlot],
    pub places: &'a [places::Place],
}

/// A polygon found, ordered by how well it suits: whatever is before another is chosen.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    beside: bool,
    squared: f64,
    rank: (i32, i32, i32, u32),
    snap: Snap,
}

impl Candidate {
    fn is_before(&self, other: &Candidate) -> bool {
        if self.beside != other.beside {
            return other.beside;
        }
        self.squared < other.squared || self.squared == other.squared && self.rank < other.rank
    }
}

impl Snapper<'_, '_> {
    /// Snaps an end.
    pub(in crate::mesh) fn snap(&self, place: Place) -> Snap {
        let mut best: Option<Candidate> = None;
        let columns = place.columns(self.params, self.pools.overhangs());
        places::each_near(self.places, columns, |found| {
            let storage = self.next.get(found.slot as usize).map_or(NO_STORAGE, |next| next.storage);
            if storage != NO_STORAGE {
                self.search_tile(&self.pools.view(storage), found.slot, place, &mut best);
            }
        });
        best.map_or(Snap { point: place.point, slot: Snap::NOWHERE, polygon: 0 }, |best| best.snap)
    }

    fn search_tile(&self, tile: &TileView<'_>, slot: u32, place: Place, best: &mut Option<Candidate>) {
        let (low, high) = place.bounds();
        let region = PolygonBox::holding(tile.origin, low, high);
        each_meeting(tile.boxes, tile.polygons.len(), &region, |index| {
            let Some(polygon) = tile.polygons.get(index) else { return };
            let closest = closest_point(tile, polygon, place.point);
            let [dx, dy, dz] = vector(|axis| closest.point[axis] - place.point[axis]);
            let step = f64::from(self.params.walkable_climb);
            if dx * dx + dz * dz > place.radius * place.radius || dy > step || dy < -step {
                return;
            }
            let candidate = Candidate {
                beside: !closest.over,
                squared: distance_squared(place.point, closest.point),
                rank: (tile.x, tile.z, tile.layer, index as u32),
                snap: Snap { point: closest.point, slot, polygon: index as u32 },
            };
            if best.is_none_or(|best| candidate.is_before(&best)) {
                *best = Some(candidate);
            }
        });
    }
}
