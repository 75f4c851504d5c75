//! What a path's search and its portals read of a tile: a view of half the size, which costs a handful of loads.

use super::boxes::PolygonBox;
use super::nav_mesh::NavMesh;
use super::reference::{PolyRef, TileRef};
use super::surface::Detail;
use super::view::{Edge, Link, Polygon};
use crate::math::vector;

/// A loaded tile without the parts that only heights and drawing need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground<'a> {
    /// Who the tile is.
    pub tile: TileRef,
    /// A bit for each of its sides that has edges on it but no tile beyond it. Kept up to date by commits.
    pub open_sides: u32,
    origin: [f64; 3],
    pub polygons: &'a [Polygon],
    edges: &'a [Edge],
    vertices: &'a [[f32; 3]],
    links: &'a [Link],
}

impl<'a> Ground<'a> {
    /// The world origin of the tile.
    #[inline]
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// A polygon's edges.
    #[inline]
    pub fn edges_of(&self, polygon: &Polygon) -> &'a [Edge] {
        let first = polygon.first_edge as usize;
        self.edges.get(first..first + polygon.edge_count as usize).unwrap_or(&[])
    }

    /// A polygon's links.
    #[inline]
    pub fn links_of(&self, polygon: &Polygon) -> &'a [Link] {
        if polygon.link_count == 0 {
            return &[];
        }
        let first = polygon.first_link as usize;
        self.links.get(first..first + polygon.link_count as usize).unwrap_or(&[])
    }

    /// A vertex in world coordinates: the float32 widened, then added to the tile's origin.
    #[inline]
    pub fn world(&self, vertex: u16) -> [f64; 3] {
        let [x, y, z] = self.vertices.get(vertex as usize).copied().unwrap_or_default();
        [self.origin[0] + f64::from(x), self.origin[1] + f64::from(y), self.origin[2] + f64::from(z)]
    }

    /// A bit for each of a polygon's at most 16 edges that leads to a polygon of the tile.
    ///
    /// Looks at all of them without branches: which ones lead where is anyone's guess. Most polygons have at most eight
    /// edges, and looking at eight always is faster than counting.
    #[inline(always)]
    pub fn edges_to(&self, polygon: &Polygon, neighbor: u32) -> u32 {
        let bit = |at: usize, edge: &Edge| u32::from(edge.neighbor == neighbor) << (at & 31);
        let (first, count) = (polygon.first_edge as usize, polygon.edge_count as usize);
        let often = self.edges.get(first..).and_then(|edges| edges.first_chunk::<8>());
        match often {
            // What follows the polygon's edges is another's.
            Some(edges) if count <= edges.len() => {
                let bits: [u32; 8] = vector(|at| bit(at, &edges[at]));
                bits.iter().fold(0, |all, bit| all | bit) & ((1 << count) - 1)
            }
            _ => self.edges_of(polygon).iter().enumerate().fold(0, |bits, (at, edge)| bits | bit(at, edge)),
        }
    }

    /// A vertex's x and z in world coordinates.
    #[inline]
    pub fn seen_from_above(&self, vertex: u16) -> [f64; 2] {
        let [x, _, z] = self.vertices.get(vertex as usize).copied().unwrap_or_default();
        [self.origin[0] + f64::from(x), self.origin[2] + f64::from(z)]
    }

    /// Whether a position lies over a polygon or on its outline, seen from above and relative to the tile's origin, where
    /// rounding is least.
    #[inline]
    pub fn is_over(&self, polygon: &Polygon, position: [f64; 3]) -> bool {
        let corner = |edge: &Edge| {
            let [x, _, z] = self.vertices.get(edge.vertex as usize).copied().unwrap_or_default();
            [f64::from(x), f64::from(z)]
        };
        let [x, _, z] = crate::math::sub(position, self.origin);
        let edges = self.edges_of(polygon);
        let Some(mut a) = edges.last().map(corner) else { return false };
        edges.iter().map(corner).fold(true, |is_over, b| {
            let turn = (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (x - a[0]);
            a = b;
            is_over & (turn >= 0.0)
        })
    }

    /// The ends of a polygon's edge in world coordinates.
    #[inline]
    pub fn edge_ends(&self, polygon: &Polygon, at: usize) -> Option<([f64; 3], [f64; 3])> {
        let edges = self.edges_of(polygon);
        let edge = edges.get(at)?;
        let next = edges.get(at + 1).or(edges.first())?;
        Some((self.world(edge.vertex), self.world(next.vertex)))
    }
}

/// How many tiles' grounds are kept at hand, by the last bits of their slots.
const KEPT: usize = 16;

/// The grounds that a search last asked for: near a tile side it goes to and fro over it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grounds<'a>([Option<Ground<'a>>; KEPT]);

impl<'a> Grounds<'a> {
    /// The ground of the tile in a slot.
    #[inline(always)]
    pub fn of<'s>(&'s mut self, mesh: &'a NavMesh<'_>, slot: u32) -> Option<&'s Ground<'a>> {
        let kept = &mut self.0[slot as usize % KEPT];
        if kept.as_ref().is_none_or(|ground| ground.tile.slot() != slot) {
            Self::fetch(kept, mesh, slot);
        }
        kept.as_ref()
    }

    /// Out of the loops that search, where the ground is at hand mostly.
    #[inline(never)]
    fn fetch(kept: &mut Option<Ground<'a>>, mesh: &'a NavMesh<'_>, slot: u32) {
        *kept = mesh.ground(slot);
    }
}

impl NavMesh<'_> {
    /// The ground of the tile in a slot.
    #[inline]
    pub(crate) fn ground(&self, slot: u32) -> Option<Ground<'_>> {
        let slot = slot as usize;
        let id = self.storage(slot)? as usize;
        let (origin, open_sides) = self.pools.origin_and_open_sides(id);
        Some(Ground {
            tile: TileRef::new(self.slots.salt(slot), slot as u32),
            open_sides,
            origin,
            polygons: self.pools.polygons.get(id),
            edges: self.pools.edges.get(id),
            vertices: self.pools.vertices.get(id),
            links: self.links.get(id),
        })
    }

    /// The boxes of the polygons of the tile in a slot, and boxes of those.
    #[inline]
    pub(crate) fn boxes(&self, slot: u32) -> &[PolygonBox] {
        self.storage(slot as usize).map_or(&[], |storage| self.pools.boxes_of(storage).0)
    }

    /// The height detail of a ground's tile.
    #[inline]
    pub(crate) fn detail_of(&self, ground: &Ground<'_>) -> Detail<'_> {
        let (vertices, triangles) = match self.storage(ground.tile.slot() as usize) {
            Some(storage) => self.pools.detail(storage),
            None => Default::default(),
        };
        Detail { origin: ground.origin, vertices, triangles }
    }

    /// The ground of a polygon's tile; none for a reference that is stale or names nothing.
    #[inline]
    pub(crate) fn ground_of(&self, reference: PolyRef) -> Option<Ground<'_>> {
        // A slot that holds no tile has no ground, whatever its salt; no reference ever had the salt 0.
        let ground = self.ground(reference.slot())?;
        let holds = ground.tile == reference.tile() && (reference.index() as usize) < ground.polygons.len();
        if holds { Some(ground) } else { None }
    }

    /// The reference of the tile in a slot.
    #[inline]
    pub(crate) fn tile_ref(&self, slot: u32) -> Option<TileRef> {
        self.storage(slot as usize)?;
        Some(TileRef::new(self.slots.salt(slot as usize), slot))
    }

    /// Whether a circle meets no tile side without a tile beyond it, and the tiles that reach into its box have fewer
    /// than so many polygons. Says no where it would take long to tell.
    pub(crate) fn is_closed_round(&self, center: [f64; 3], radius: f64, most_polygons: usize) -> bool {
        // Of most meshes it is known.
        if !self.has_open_sides && self.pools.polygons.used() <= most_polygons {
            return true;
        }
        let low = center.map(|v| v - radius);
        let high = center.map(|v| v + radius);
        let (mut is_closed, mut polygons) = (true, 0usize);
        self.each_slot_near(low, high, |slot| {
            if let Some(storage) = self.storage(slot as usize) {
                is_closed &= self.pools.open_sides(storage) == 0;
                polygons += self.pools.polygons.len(storage as usize);
            }
        });
        is_closed && polygons < most_polygons
    }

    /// Whether no tile but the one in a slot reaches into a circle. `false` is never wrong.
    pub(crate) fn is_alone_round(&self, ground: &Ground<'_>, center: [f64; 3], radius: f64) -> bool {
        if let [_] = self.places[..] {
            return true;
        }
        let [x, _, z] = crate::math::sub(center, ground.origin);
        let side = f64::from(self.params.far_side());
        let is_within = |at: f64| at - radius > 0.0 && at + radius < side;
        let (column, row, _) = self.place_of(ground.tile.slot());
        let has_column = || super::places::column(&self.places, column, row).len() == 1;
        is_within(x) && is_within(z) && !self.pools.overhangs() && (!self.has_layers || has_column())
    }

    /// Whether a tile is loaded beyond a side of the tile in a slot, in any layer.
    pub(crate) fn has_tile_beyond(&self, slot: u32, side: u8) -> bool {
        let Some(storage) = self.storage(slot as usize) else { return false };
        let header = self.pools.header(storage);
        let (dx, dz) = [(1, 0), (0, 1), (-1, 0), (0, -1)][side as usize & 3];
        match (header.x.checked_add(dx), header.z.checked_add(dz)) {
            (Some(x), Some(z)) => !super::places::column(&self.places, x, z).is_empty(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Arena, Grain};
    use crate::mesh::{MeshDef, MeshLimits, TileData, TilePolygon};

    #[test]
    fn the_ground_of_a_reference_is_there_exactly_while_the_mesh_has_its_polygon() {
        let limits = MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT };
        let def = MeshDef { limits, ..MeshDef::HUMANOID };
        let mut region = std::vec![Grain::ZERO; def.plan().grains()];
        let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region)).unwrap();
        let mut bytes = [0; 256];
        let floor = |x: i32, mesh: &NavMesh<'_>, bytes: &mut [u8]| {
            let [ox, oz] = mesh.params().tile_origin(x, 0);
            let data = TileData {
                x,
                z: 0,
                layer: 0,
                origin: [ox, 0.0, oz],
                vertices: &[[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [3.0, 0.0, 3.0], [0.0, 0.0, 3.0]],
                polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
                indices: &[0, 1, 2, 3],
                neighbors: &[0; 4],
                portal_sides: if x == 0 { &[255; 4] } else { &[255, 255, 255, 2] },
                detail_vertices: &[],
                detail_triangles: &[],
                off_mesh: &[],
            };
            data.write(mesh.params(), bytes).unwrap()
        };
        let mut references = std::vec![PolyRef::NONE, PolyRef(u64::MAX), PolyRef::new(1, 3, 0)];
        // Tiles put at a column, tile 0 taken away, and the whole saved and restored.
        for step in ["0", "1", "0", "1", "away", "1", "restore", "0", "away", "restore"] {
            match step {
                "away" => mesh.remove_tile(0, 0, 0).unwrap(),
                "restore" => {
                    let mut saved = std::vec![0; mesh.save_size()];
                    mesh.save(&mut saved).unwrap();
                    mesh.restore(&saved).unwrap();
                }
                x => {
                    let size = floor(x.parse().unwrap(), &mesh, &mut bytes);
                    mesh.stage_tile(&bytes[..size]).unwrap();
                    mesh.commit().unwrap();
                }
            }
            for tile in mesh.tiles() {
                references.extend([tile.reference.polygon(0), tile.reference.polygon(1)]);
            }
            for &reference in &references {
                let known = mesh.polygon(reference).ok();
                let ground = mesh.ground_of(reference);
                assert_eq!(ground.is_some(), known.is_some(), "{reference:?}");
                if let (Some(ground), Some((view, polygon))) = (ground, known) {
                    assert_eq!((ground.tile, ground.origin), (view.reference, view.origin));
                    assert_eq!(ground.edges_of(polygon), view.edges_of(polygon));
                    let mut open = 0;
                    assert_eq!(mesh.tile_ref(reference.slot()), Some(view.reference));
                    for side in 0..4 {
                        let (dx, dz) = [(1, 0), (0, 1), (-1, 0), (0, -1)][side as usize];
                        let beyond = mesh.tiles_in_column(view.x + dx, view.z + dz).next().is_some();
                        assert_eq!(mesh.has_tile_beyond(reference.slot(), side), beyond);
                        let has_edges = view.edges.iter().any(|edge| edge.side == side);
                        open |= u32::from(has_edges && !beyond) << side;
                    }
                    assert_eq!(ground.open_sides, open);
                }
            }
        }
    }
}
