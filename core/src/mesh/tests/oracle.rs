//! The page's stitching, every edge against every edge, and the state of a mesh in plain vectors.

use super::*;
use crate::mesh::view::{LINK_OFF_MESH, LINK_OFF_MESH_REVERSE, LINK_PORTAL, Link};

/// A mesh in plain vectors: each slot's salt and tile.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub slots: Vec<(u32, Option<OwnedTile>)>,
}

impl Model {
    pub fn tiles(&self) -> impl Iterator<Item = (usize, &OwnedTile)> {
        self.slots.iter().enumerate().filter_map(|(slot, (_, tile))| Some((slot, tile.as_ref()?)))
    }

    pub fn slot_at(&self, key: (i32, i32, i32)) -> Option<usize> {
        self.tiles().find(|(_, tile)| tile.key() == key).map(|(slot, _)| slot)
    }

    fn column(&self, x: i64, z: i64) -> Vec<(usize, &OwnedTile)> {
        let mut found: Vec<_> = self.tiles().filter(|(_, t)| (t.x as i64, t.z as i64) == (x, z)).collect();
        found.sort_by_key(|(_, tile)| tile.layer);
        found
    }

    pub fn reference(&self, slot: usize, polygon: usize) -> PolyRef {
        PolyRef::new(self.slots[slot].0, slot as u32, polygon as u32)
    }

    /// Every polygon's links, in the page's order: by slot, polygon and position.
    pub fn links(&self) -> Vec<Vec<Vec<Link>>> {
        let mut all: Vec<Vec<Vec<Link>>> =
            self.slots.iter().map(|(_, t)| vec![vec![]; t.as_ref().map_or(0, |t| t.polygons.len())]).collect();
        for (slot, tile) in self.tiles() {
            self.portal_links(tile, &mut all[slot]);
        }
        let resolved: Vec<_> = self
            .tiles()
            .flat_map(|(slot, tile)| (0..tile.off_mesh.len()).map(move |i| (slot, i)))
            .filter_map(|(slot, i)| Some((slot, i, self.attach_start(slot, i)?, self.attach_end(slot, i)?)))
            .collect();
        for &(slot, i, start, (end_slot, end)) in &resolved {
            all[slot][start].push(self.off_mesh_link(LINK_OFF_MESH, (slot, i), self.reference(end_slot, end)));
        }
        for &(slot, i, start, (end_slot, end)) in &resolved {
            if self.slots[slot].1.as_ref().unwrap().off_mesh[i].bidirectional == 1 {
                let back = self.off_mesh_link(LINK_OFF_MESH_REVERSE, (slot, i), self.reference(slot, start));
                all[end_slot][end].push(back);
            }
        }
        all
    }

    fn off_mesh_link(&self, kind: u8, (slot, i): (usize, usize), target: PolyRef) -> Link {
        Link { target, owner_slot: slot as u32, index: i as u32, kind, ..Link::default() }
    }

    fn portal_links(&self, tile: &OwnedTile, links: &mut [Vec<Link>]) {
        let steps = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        for side in 0..4u8 {
            let (dx, dz) = steps[side as usize];
            for (p, edge, a) in portals(tile, side) {
                for (other_slot, other) in self.column(tile.x as i64 + dx, tile.z as i64 + dz) {
                    for (q, other_edge, b) in portals(other, side ^ 2) {
                        let Some((range_min, range_max)) = facing(a, b) else { continue };
                        links[p].push(Link {
                            target: self.reference(other_slot, q),
                            owner_slot: 0,
                            index: other_edge as u32,
                            edge: edge as u8,
                            kind: LINK_PORTAL,
                            range_min,
                            range_max,
                            reserved: 0,
                        });
                    }
                }
            }
        }
    }

    fn attach_start(&self, slot: usize, i: usize) -> Option<usize> {
        let tile = self.slots[slot].1.as_ref()?;
        let link = tile.off_mesh[i];
        nearest(tile, link.start.map(f64::from), link.radius).map(|(_, p)| p)
    }

    fn attach_end(&self, slot: usize, i: usize) -> Option<(usize, usize)> {
        let tile = self.slots[slot].1.as_ref()?;
        let link = tile.off_mesh[i];
        let world: Vec<f64> = (0..3).map(|k| tile.origin[k] + link.end[k] as f64).collect();
        let x = ((world[0] - PARAMS.origin[0]) / PARAMS.tile_size).floor() as i64;
        let z = ((world[2] - PARAMS.origin[2]) / PARAMS.tile_size).floor() as i64;
        let mut found: Vec<(f64, usize, usize, usize)> = vec![];
        for (rank, (other_slot, other)) in self.column(x, z).into_iter().enumerate() {
            let local = [0, 1, 2].map(|k| world[k] - other.origin[k]);
            found.extend(nearest(other, local, link.radius).map(|(score, p)| (score, rank, other_slot, p)));
        }
        found.into_iter().min_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap()).map(|(_, _, s, p)| (s, p))
    }
}

/// One end of a portal: along the side, and the world height.
type End = (f64, f64);

/// A side's portals in the tile's order: polygon, edge, ends.
fn portals(tile: &OwnedTile, side: u8) -> Vec<(usize, usize, [End; 2])> {
    let along = if side == 0 || side == 2 { 2 } else { 0 };
    let mut found = vec![];
    for (i, (p, a, b)) in edges_of(tile).into_iter().enumerate() {
        if tile.portal_sides[i] == side {
            let end = |v: u16| {
                let v = tile.vertices[v as usize];
                (v[along] as f64, tile.origin[1] + v[1] as f64)
            };
            found.push((p, i - tile.first(p), [end(a), end(b)]));
        }
    }
    found
}

fn facing(a: [End; 2], b: [End; 2]) -> Option<(u8, u8)> {
    let low = a[0].0.min(a[1].0).max(b[0].0.min(b[1].0));
    let high = a[0].0.max(a[1].0).min(b[0].0.max(b[1].0));
    if high <= low {
        return None;
    }
    let t = |e: [End; 2], u: f64| (u - e[0].0) / (e[1].0 - e[0].0);
    let height = |e: [End; 2], u: f64| e[0].1 + (e[1].1 - e[0].1) * t(e, u);
    for u in [low, high] {
        if (height(a, u) - height(b, u)).abs() > PARAMS.walkable_climb as f64 {
            return None;
        }
    }
    let (first, second) = (t(a, low), t(a, high));
    let min = (first.min(second) * 255.0).floor().clamp(0.0, 255.0);
    let max = (first.max(second) * 255.0).ceil().clamp(0.0, 255.0);
    Some((min as u8, max as u8))
}

/// The polygon with the smallest score, by trying all of them.
fn nearest(tile: &OwnedTile, point: [f64; 3], radius: f32) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for (p, polygon) in tile.polygons.iter().enumerate() {
        let first = tile.first(p);
        let ring: Vec<[f64; 3]> = (0..polygon.vertex_count as usize)
            .map(|k| tile.vertices[tile.indices[first + k] as usize].map(f64::from))
            .collect();
        let low = ring.iter().map(|v| v[1]).fold(f64::MAX, f64::min);
        let high = ring.iter().map(|v| v[1]).fold(f64::MIN, f64::max);
        let dy = (low - point[1]).max(point[1] - high).max(0.0);
        let ground = ground_squared(&ring, point);
        if dy <= PARAMS.walkable_climb as f64 && ground <= radius as f64 * radius as f64 {
            let score = ground + dy * dy;
            if best.is_none_or(|b| score < b.0) {
                best = Some((score, p));
            }
        }
    }
    best
}

/// The tests' coordinates are eighths, so that these products are exact.
fn ground_squared(ring: &[[f64; 3]], p: [f64; 3]) -> f64 {
    let n = ring.len();
    let cross = |a: [f64; 3], b: [f64; 3]| (b[0] - a[0]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[0] - a[0]);
    if (0..n).all(|i| cross(ring[i], ring[(i + 1) % n]) >= 0.0) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for i in 0..n {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
        let (px, pz) = (p[0] - a[0], p[2] - a[2]);
        let t = ((px * dx + pz * dz) / (dx * dx + dz * dz)).clamp(0.0, 1.0);
        let (rx, rz) = (px - dx * t, pz - dz * t);
        least = least.min(rx * rx + rz * rz);
    }
    least
}

/// All links of a mesh, by slot, polygon and position.
pub fn links_of(mesh: &NavMesh<'_>) -> Vec<Vec<Vec<Link>>> {
    let polygons = |tile: TileView<'_>| tile.polygons.iter().map(|p| tile.links_of(p).to_vec()).collect();
    (0..mesh.slot_count()).map(|slot| mesh.tile(slot).map_or(vec![], polygons)).collect()
}

/// Checks everything that a mesh shows against the model.
pub fn assert_same(mesh: &NavMesh<'_>, model: &Model) {
    assert_same_tiles(mesh, model);
    assert_eq!(links_of(mesh), model.links());
}

/// Checks everything but the links.
pub fn assert_same_tiles(mesh: &NavMesh<'_>, model: &Model) {
    assert_eq!(mesh.slot_count(), model.slots.len());
    assert_eq!(mesh.tile_count(), model.tiles().count());
    for (slot, (salt, tile)) in model.slots.iter().enumerate() {
        let view = mesh.tile(slot);
        assert_eq!(view.is_some(), tile.is_some());
        let (Some(view), Some(tile)) = (view, tile) else { continue };
        assert_eq!(view.reference, TileRef::new(*salt, slot as u32));
        assert!(tile.is_shown_by(&view));
        assert_eq!(mesh.tile_at(tile.x, tile.z, tile.layer).unwrap().reference, view.reference);
        let column: Vec<_> = mesh.tiles_in_column(tile.x, tile.z).map(|t| t.reference.slot() as usize).collect();
        let want: Vec<_> = model.column(tile.x as i64, tile.z as i64).iter().map(|&(slot, _)| slot).collect();
        assert_eq!(column, want);
    }
}
