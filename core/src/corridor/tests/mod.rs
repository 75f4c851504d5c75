//! Claims about corridors, tested on random meshes against what the page defines.

mod moves;
mod noted;
mod repairs;
mod replans;
mod shortcuts;
mod states;

use super::{Corridor, CorridorRecord};
use crate::mesh::view::{LINK_PORTAL, NO_NEIGHBOR};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::tests::world::{Kind, World, corners, query};
use crate::query::{Filter, PathPoint, Query, QueryDef};
use proptest::prelude::*;

crate::memory::assert_portable!(Corridor);

/// A corridor's memory.
#[derive(Clone)]
pub struct Room {
    pub record: CorridorRecord,
    pub path: std::vec::Vec<PolyRef>,
}

impl Room {
    pub fn of(capacity: usize) -> Room {
        Room { record: CorridorRecord::default(), path: std::vec![PolyRef::NONE; capacity] }
    }

    /// All there is to it.
    pub fn content(&self) -> (CorridorRecord, &[PolyRef]) {
        (self.record, &self.path[..self.record.len()])
    }

    pub fn corridor(&mut self) -> Corridor<'_> {
        Corridor::over(&mut self.record, &mut self.path).unwrap()
    }
}

pub fn kinds() -> impl Strategy<Value = Kind> {
    (any::<u64>(), 1..3i32, 0..40u64, any::<bool>(), 1..3i32, 0..3u64)
        .prop_map(|(seed, tiles, holes, merged, floors, links)| Kind { seed, tiles, holes, merged, floors, links })
}

pub fn big_query() -> Query<'static> {
    query(QueryDef { corridor: 4096, ..QueryDef::DEFAULT })
}

/// Whether one polygon leads to another, from the tile's own lists.
pub fn leads_to(mesh: &NavMesh<'_>, from: PolyRef, to: PolyRef) -> bool {
    let Ok((tile, polygon)) = mesh.polygon(from) else { return false };
    let beside = |neighbor: u32| neighbor != NO_NEIGHBOR && tile.reference.polygon(neighbor) == to;
    tile.edges_of(polygon).iter().any(|edge| beside(edge.neighbor))
        || tile.links_of(polygon).iter().any(|link| link.target == to)
}

/// Whether one polygon leads to another over the ground.
pub fn touches(mesh: &NavMesh<'_>, from: PolyRef, to: PolyRef) -> bool {
    let Ok((tile, polygon)) = mesh.polygon(from) else { return false };
    let beside = |neighbor: u32| neighbor != NO_NEIGHBOR && tile.reference.polygon(neighbor) == to;
    tile.edges_of(polygon).iter().any(|edge| beside(edge.neighbor))
        || tile.links_of(polygon).iter().any(|link| link.kind == LINK_PORTAL && link.target == to)
}

/// How far a position lies outside a polygon's outline in the plane, by its edges' lines.
pub fn outside(mesh: &NavMesh<'_>, polygon: PolyRef, position: [f64; 3]) -> f64 {
    let ring = corners(mesh, polygon);
    let beyond = |at: usize| {
        let (a, b) = (ring[at], ring[(at + 1) % ring.len()]);
        let (ex, ez) = (b[0] - a[0], b[2] - a[2]);
        (ex * (position[2] - a[2]) - ez * (position[0] - a[0])) / -crate::math::sqrt(ex * ex + ez * ez)
    };
    (0..ring.len()).map(beyond).fold(0.0, f64::max)
}

/// What must hold of a corridor on a mesh where none of its polygons has gone.
pub fn check(mesh: &NavMesh<'_>, corridor: &Corridor<'_>) {
    let path = corridor.path();
    assert!(!path.is_empty() && path.len() <= corridor.capacity());
    for (at, polygon) in path.iter().enumerate() {
        assert!(mesh.is_valid(*polygon));
        assert!(!path[..at].contains(polygon), "{polygon:?} is there twice");
        assert!(at == 0 || leads_to(mesh, path[at - 1], *polygon), "{at} is not reached from the one before");
    }
    assert!(outside(mesh, path[0], corridor.position()) < 1e-6);
    if corridor.is_complete() {
        assert_eq!(path.last(), Some(&corridor.target_polygon()));
    }
}

/// A corridor from one random place to another, whole or to the place closest to it.
pub fn planned(world: &mut World, query: &mut Query<'_>, room: &mut Room) {
    let ((polygon, position), (_, target)) = (world.place(), world.place());
    let mut corridor = room.corridor();
    assert!(corridor.reset(&world.mesh, polygon, position).unwrap());
    corridor.set_target(target).unwrap();
    corridor.replan(&world.mesh, query, [2.0, 4.0, 2.0], &Filter::ALL, u64::MAX).unwrap();
}

/// The corners' length.
pub fn length(points: &[PathPoint]) -> f64 {
    points.windows(2).map(|pair| crate::math::distance(pair[0].position, pair[1].position)).sum()
}
