//! A tile made by hand: a board of square polygons that fills the tile, with whatever a tile can carry.

use navarena::mesh::view::OffMeshSlot;
use navarena::mesh::{MeshParams, NO_PORTAL, TileData, TilePolygon};

/// The arrays of a board.
pub struct Board {
    side: usize,
    vertices: Vec<[f32; 3]>,
    polygons: Vec<TilePolygon>,
    indices: Vec<u16>,
    neighbors: Vec<i32>,
    portal_sides: Vec<u8>,
    detail_vertices: Vec<[f32; 3]>,
    detail_triangles: Vec<[u8; 4]>,
    off_mesh: Vec<OffMeshSlot>,
}

impl Board {
    /// A board of `side` squares a side over a whole tile of a mesh; at most 200 a side.
    pub fn new(params: &MeshParams, side: usize) -> Board {
        let mut board = Board {
            side,
            vertices: Vec::new(),
            polygons: Vec::new(),
            indices: Vec::new(),
            neighbors: Vec::new(),
            portal_sides: Vec::new(),
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
            off_mesh: Vec::new(),
        };
        let at = |step: usize| {
            if step == side { params.tile_size as f32 } else { (params.tile_size / side as f64 * step as f64) as f32 }
        };
        for z in 0..=side {
            for x in 0..=side {
                board.vertices.push([at(x), 0.0, at(z)]);
            }
        }
        for z in 0..side {
            for x in 0..side {
                board.add_square(x, z);
            }
        }
        board
    }

    fn add_square(&mut self, x: usize, z: usize) {
        let corner = |x: usize, z: usize| (x + z * (self.side + 1)) as u16;
        let corners = [corner(x, z), corner(x + 1, z), corner(x + 1, z + 1), corner(x, z + 1)];
        // The edges of a square lie at -z, +x, +z and -x.
        let steps = [(0, -1, 3), (1, 0, 0), (0, 1, 1), (-1, 0, 2)];
        for (dx, dz, portal) in steps {
            let (nx, nz) = (x as i32 + dx, z as i32 + dz);
            let inside = (0..self.side as i32).contains(&nx) && (0..self.side as i32).contains(&nz);
            self.neighbors.push(if inside { nx + nz * self.side as i32 + 1 } else { 0 });
            self.portal_sides.push(if inside { NO_PORTAL } else { portal });
        }
        self.indices.extend(corners);
        self.polygons.push(TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() });
    }

    /// Raises the middle of every square by a detail vertex.
    pub fn with_detail(mut self, height: f32) -> Board {
        for (index, polygon) in self.polygons.iter_mut().enumerate() {
            let corners = &self.indices[index * 4..index * 4 + 4];
            let (a, c) = (self.vertices[corners[0] as usize], self.vertices[corners[2] as usize]);
            polygon.detail_vertex_base = self.detail_vertices.len() as u32;
            polygon.detail_triangle_base = self.detail_triangles.len() as u32;
            polygon.detail_vertex_count = 1;
            polygon.detail_triangle_count = 4;
            self.detail_vertices.push([(a[0] + c[0]) / 2.0, height, (a[2] + c[2]) / 2.0]);
            self.detail_triangles.extend((0..4).map(|corner| [corner, (corner + 1) % 4, 4, 1]));
        }
        self
    }

    /// Adds an off-mesh link between two points of the tile.
    pub fn with_link(mut self, start: [f32; 3], end: [f32; 3], bidirectional: bool) -> Board {
        let bidirectional = u8::from(bidirectional);
        self.off_mesh.push(OffMeshSlot { start, end, radius: 1.0, user_id: 7, flags: 1, area: 3, bidirectional });
        self
    }

    /// The tile at a place of the grid.
    pub fn tile(&self, params: &MeshParams, x: i32, z: i32) -> TileData<'_> {
        let [origin_x, origin_z] = params.tile_origin(x, z);
        TileData {
            x,
            z,
            layer: 0,
            origin: [origin_x, 0.0, origin_z],
            vertices: &self.vertices,
            polygons: &self.polygons,
            indices: &self.indices,
            neighbors: &self.neighbors,
            portal_sides: &self.portal_sides,
            detail_vertices: &self.detail_vertices,
            detail_triangles: &self.detail_triangles,
            off_mesh: &self.off_mesh,
        }
    }

    /// The tile's bytes (`ONPT`).
    pub fn bytes(&self, params: &MeshParams, x: i32, z: i32) -> Vec<u8> {
        let tile = self.tile(params, x, z);
        let mut bytes = vec![0; tile.byte_size()];
        let written = tile.write(params, &mut bytes).expect("a board fits its own size");
        bytes.truncate(written);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use navarena::memory::{Arena, GRAIN, Grain};
    use navarena::mesh::{MeshDef, NavMesh};

    use super::*;

    #[test]
    fn boards_are_accepted_and_stitch_along_every_side() {
        let def = MeshDef::HUMANOID;
        let mut region = vec![Grain::ZERO; def.plan().bytes / GRAIN];
        let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region)).unwrap();
        let board = Board::new(&def.params, 3).with_detail(0.5).with_link([1.0, 0.0, 1.0], [60.0, 0.0, 60.0], true);
        for (x, z) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            mesh.stage_tile(&board.bytes(&def.params, x, z)).unwrap();
        }
        mesh.commit().unwrap();
        crate::soundness::check(&mesh).unwrap();
        let links: usize = mesh.tiles().map(|tile| tile.links.len()).sum();
        // Four sides of three edges, each a link both ways, and a link both ways in each tile.
        assert_eq!(links, 4 * 3 * 2 + 4 * 2);
    }
}
