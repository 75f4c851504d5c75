//! Floors of square cells, with holes and links.

use navarena::error::Result;
use navarena::math::SplitMix64;
use navarena::memory::{Arena, Grain};
use navarena::mesh::view::OffMeshSlot;
use navarena::mesh::{NavMesh, TileData, TilePolygon, from_local_polygons};

/// A cell's side.
pub const CELL: f64 = 2.0;
/// Cells along a field's side.
pub const SIDE: usize = 20;

/// A floor of square cells, some of which are missing, at a height.
#[derive(Clone)]
pub struct Field {
    pub free: Vec<bool>,
    pub height: f32,
    pub layer: i32,
    pub links: Vec<OffMeshSlot>,
}

impl Field {
    pub fn open() -> Field {
        Field { free: vec![true; SIDE * SIDE], height: 0.0, layer: 0, links: vec![] }
    }

    pub fn scattered(random: &mut SplitMix64) -> Field {
        let free = (0..SIDE * SIDE).map(|_| random.below(100) >= 18).collect();
        Field { free, ..Field::open() }
    }

    /// A wall across the middle with a door of two cells.
    pub fn with_door() -> Field {
        let mut field = Field::open();
        for x in (0..SIDE).filter(|&x| x != SIDE / 2 && x != SIDE / 2 - 1) {
            field.free[SIDE / 2 * SIDE + x] = false;
        }
        field
    }

    pub fn center(&self, cell: usize) -> [f64; 3] {
        let [x, z] = [cell % SIDE, cell / SIDE].map(|at| at as f64 * CELL + CELL / 2.0);
        [x, self.height.into(), z]
    }

    /// Whether a position stands on a free cell, or on the edge of one.
    pub fn holds(&self, [x, y, z]: [f64; 3]) -> bool {
        let reach = |at: f64| {
            let low = ((at - 1e-6) / CELL) as i64;
            low..=((at + 1e-6) / CELL) as i64
        };
        let is_free = |x: i64, z: i64| {
            let inside = (0..SIDE as i64).contains(&x) && (0..SIDE as i64).contains(&z);
            inside && self.free[z as usize * SIDE + x as usize]
        };
        (y - f64::from(self.height)).abs() < 1e-6 && reach(z).any(|z| reach(x).any(|x| is_free(x, z)))
    }

    /// The cells that can be reached from the largest connected part's first.
    pub fn largest_part(&self) -> Vec<usize> {
        let mut best = vec![];
        let mut seen = vec![false; SIDE * SIDE];
        for first in 0..SIDE * SIDE {
            let mut part = vec![];
            let mut open = vec![first];
            while let Some(cell) = open.pop() {
                if seen[cell] || !self.free[cell] {
                    continue;
                }
                seen[cell] = true;
                part.push(cell);
                let (x, z) = (cell % SIDE, cell / SIDE);
                open.extend((x > 0).then(|| cell - 1));
                open.extend((x + 1 < SIDE).then_some(cell + 1));
                open.extend((z > 0).then(|| cell - SIDE));
                open.extend((z + 1 < SIDE).then_some(cell + SIDE));
            }
            if part.len() > best.len() {
                best = part;
            }
        }
        best
    }

    /// Adds the field to a mesh, a quad a cell.
    pub fn add_to(&self, mesh: &mut NavMesh<'_>) -> Result<()> {
        let row = SIDE + 1;
        let vertices: Vec<[f32; 3]> = (0..row * row)
            .map(|at| [(at % row) as f32 * CELL as f32, self.height, (at / row) as f32 * CELL as f32])
            .collect();
        let cells: Vec<usize> = (0..SIDE * SIDE).filter(|&cell| self.free[cell]).collect();
        let indices: Vec<u16> = cells
            .iter()
            .flat_map(|cell| {
                let corner = cell / SIDE * row + cell % SIDE;
                [corner, corner + 1, corner + row + 1, corner + row].map(|at| at as u16)
            })
            .collect();
        let quad = TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() };
        let data = TileData {
            x: 0,
            z: 0,
            layer: self.layer,
            origin: [0.0; 3],
            vertices: &vertices,
            polygons: &vec![quad; cells.len()],
            indices: &indices,
            neighbors: &[],
            portal_sides: &[],
            detail_vertices: &[],
            detail_triangles: &[],
            off_mesh: &self.links,
        };
        let params = *mesh.params();
        let mut memory = vec![Grain::ZERO; 4096];
        let data = from_local_polygons(&params, data, &mut Arena::new(&mut memory))?;
        mesh.stage_tile_data(&data)?;
        mesh.commit()
    }
}

/// Two fields, one over the other, with links up and down.
pub fn two_floors() -> [Field; 2] {
    let link = |cell: usize, to: usize, up: bool| {
        let [x, _, z] = Field::open().center(cell);
        let [to_x, _, to_z] = Field::open().center(to);
        let (from, far) = if up { (0.0, 4.0) } else { (4.0, 0.0) };
        OffMeshSlot {
            start: [x as f32, from, z as f32],
            end: [to_x as f32, far, to_z as f32],
            radius: 0.5,
            flags: 1,
            bidirectional: 0,
            ..OffMeshSlot::default()
        }
    };
    let mut lower = Field::open();
    let mut upper = Field { height: 4.0, layer: 1, ..Field::open() };
    for at in [3, 8, 13, 17] {
        lower.links.push(link(at + 2 * SIDE, at + 4 * SIDE, true));
        upper.links.push(link(at + 15 * SIDE, at + 17 * SIDE, false));
    }
    [lower, upper]
}
