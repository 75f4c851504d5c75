//! Islands: which polygons no way joins, whatever a filter allows (a union-find; Tarjan, 1975).
//!
//! Two polygons are on one island when edges, portals and off-mesh links join them, links taken as ways in both
//! directions and switched off or not. So of two that are not, neither can be reached from the other.
//!
//! A tile knows its parts, the sets of its polygons that edges alone join, from when it is stored. A commit then joins
//! parts over links: linear in parts, in polygons and in links, without a look at edges and vertices.

use super::nav_mesh::NavMesh;
use super::pools::{NO_STORAGE, Pools};
use super::reference::PolyRef;
use super::view::{Edge, NO_NEIGHBOR, Polygon};

/// Numbers a tile's parts in each of its polygons' records, and returns how many there are. `sets` has a place for each polygon.
pub(super) fn number_parts(polygons: &mut [Polygon], edges: &[Edge], sets: &mut [u32]) -> u32 {
    stand_alone(sets, 0);
    for (p, polygon) in polygons.iter().enumerate() {
        let first = polygon.first_edge as usize;
        let edges = edges.get(first..first + usize::from(polygon.edge_count)).unwrap_or(&[]);
        for edge in edges.iter().filter(|edge| edge.neighbor != NO_NEIGHBOR) {
            join(sets, p as u32, edge.neighbor);
        }
    }
    let mut count = 0;
    for p in 0..polygons.len().min(sets.len()) {
        // The first polygon of a set is the one that names it, so its number is known by now.
        let first = set_of(sets, p as u32) as usize;
        polygons[p].part = if first == p {
            count += 1;
            count - 1
        } else {
            polygons[first].part
        };
    }
    count
}

/// Each in a set of its own, numbered from `first`.
fn stand_alone(sets: &mut [u32], first: u32) {
    sets.iter_mut().zip(first..).for_each(|(set, number)| *set = number);
}

/// The least element of an element's set. Ways to it are halved as they are walked.
fn set_of(sets: &mut [u32], mut at: u32) -> u32 {
    // Each step leads to a lesser element.
    while let Some(&up) = sets.get(at as usize) {
        if up >= at {
            break;
        }
        let higher = sets.get(up as usize).copied().unwrap_or(up);
        sets[at as usize] = higher;
        at = higher;
    }
    at
}

fn join(sets: &mut [u32], a: u32, b: u32) {
    let (a, b) = (set_of(sets, a), set_of(sets, b));
    let (least, other) = if a < b { (a, b) } else { (b, a) };
    if let Some(set) = sets.get_mut(other as usize) {
        *set = least;
    }
}

impl Pools<'_> {
    /// The place of a tile's first part among the parts of all tiles. A pool's places fit 32 bits.
    fn first_part(&self, storage: u32) -> u32 {
        self.islands.start(storage as usize) as u32
    }

    /// The place of a polygon's part among the parts of all tiles.
    fn part_of(&self, storage: u32, polygon: u32) -> Option<u32> {
        let part = self.polygons.get(storage as usize).get(polygon as usize)?.part;
        Some(self.first_part(storage) + part)
    }
}

impl NavMesh<'_> {
    /// Joins the parts of all tiles over the links between them.
    pub(super) fn join_islands(&mut self) {
        let Self { pools, links, storages, .. } = self;
        let loaded = || storages.iter().copied().filter(|&storage| storage != NO_STORAGE);
        for storage in loaded() {
            let first = pools.first_part(storage);
            stand_alone(pools.islands.get_mut(storage as usize), first);
        }
        for storage in loaded() {
            let all = links.get(storage as usize);
            for at in 0..pools.polygons.len(storage as usize) {
                let polygon = pools.polygons.get(storage as usize)[at];
                let first = polygon.first_link as usize;
                for link in all.get(first..first + polygon.link_count as usize).unwrap_or(&[]) {
                    let target = storages.get(link.target.slot() as usize).copied().unwrap_or(NO_STORAGE);
                    let here = pools.first_part(storage) + polygon.part;
                    if let Some(there) = pools.part_of(target, link.target.index()) {
                        join(pools.islands.items_mut(), here, there);
                    }
                }
            }
        }
        for storage in loaded() {
            let first = pools.first_part(storage);
            for part in 0..pools.header(storage).parts {
                let island = set_of(pools.islands.items_mut(), first + part);
                pools.islands.get_mut(storage as usize)[part as usize] = island;
            }
        }
    }

    /// Whether a way may lead from a polygon to another. `false` is certain, under any filter.
    pub(crate) fn may_join(&self, from: PolyRef, to: PolyRef) -> bool {
        let island = |polygon: PolyRef| {
            let storage = self.storage(polygon.slot() as usize)? as usize;
            let part = self.pools.polygons.get(storage).get(polygon.index() as usize)?.part;
            self.pools.islands.get(storage).get(part as usize).copied()
        };
        match (island(from), island(to)) {
            (Some(from), Some(to)) => from == to,
            _ => false,
        }
    }
}
