//! The scene of a mesh.

use super::scene::{Face, Scene, Segment};
use navarena::mesh::view::{Edge, LINK_PORTAL, NO_NEIGHBOR, NO_SIDE, Polygon, TileView};
use navarena::mesh::{NavMesh, PolyRef};

impl Scene {
    /// The polygons, edges, portals, links and tiles of a mesh, without a title or a path.
    pub fn of(mesh: &NavMesh<'_>) -> Scene {
        let mut scene = Scene::default();
        let size = mesh.params().tile_size;
        for tile in mesh.tiles() {
            for index in 0..tile.polygons.len() {
                add_polygon(&mut scene, &tile, index);
            }
            for slot in tile.off_mesh {
                scene.links.push([slot.start, slot.end].map(|point| world(&tile, point)));
            }
            let [x, z] = [tile.origin[0], tile.origin[2]];
            scene.tiles.push([x, z, x + size, z + size]);
        }
        scene.tiles.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
        scene.tiles.dedup();
        scene
    }
}

impl Scene {
    /// Marks polygons of the mesh that the scene was made of as part of an answer.
    pub fn mark(&mut self, mesh: &NavMesh<'_>, polygons: impl IntoIterator<Item = PolyRef>) {
        // Faces stand in the order of the tiles' slots, then of their polygons.
        let mut firsts = vec![None; mesh.slot_count()];
        let mut first = 0;
        for tile in mesh.tiles() {
            firsts[tile.reference.slot() as usize] = Some(first);
            first += tile.polygons.len();
        }
        for polygon in polygons {
            if let Some(&Some(first)) = firsts.get(polygon.slot() as usize)
                && let Some(face) = self.faces.get_mut(first + polygon.index() as usize)
            {
                face.marked = true;
            }
        }
    }
}

fn add_polygon(scene: &mut Scene, tile: &TileView<'_>, index: usize) {
    let polygon = &tile.polygons[index];
    let edges = tile.edges_of(polygon);
    let outline: Vec<[f64; 3]> = edges.iter().map(|edge| tile.world(edge.vertex)).collect();
    for (number, edge) in edges.iter().enumerate() {
        let segment = [outline[number], outline[(number + 1) % outline.len()]];
        if edge.neighbor != NO_NEIGHBOR {
            // Each seam belongs to two polygons and is drawn once.
            if edge.neighbor as usize > index {
                scene.seams.push(segment);
            }
        } else if edge.side == NO_SIDE {
            scene.walls.push(segment);
        } else {
            add_tile_edge(scene, tile, polygon, (number, edge), segment);
        }
    }
    scene.faces.push(match detail(tile, polygon, &outline) {
        surface if surface.is_empty() => Face::flat(outline, polygon.area),
        surface => Face { outline, area: polygon.area, surface, marked: false },
    });
}

/// The triangles of a polygon's height detail; none where it has no detail.
fn detail(tile: &TileView<'_>, polygon: &Polygon, outline: &[[f64; 3]]) -> Vec<[[f64; 3]; 3]> {
    let first = polygon.detail_triangle_base as usize;
    let corner = |index: u8| match outline.get(usize::from(index)) {
        Some(&corner) => corner,
        None => {
            let extra = polygon.detail_vertex_base as usize + usize::from(index) - outline.len();
            tile.detail_vertices.get(extra).map_or([0.0; 3], |&vertex| world(tile, vertex))
        }
    };
    let triangles = tile.detail_triangles.get(first..first + usize::from(polygon.detail_triangle_count));
    triangles.unwrap_or(&[]).iter().map(|&[a, b, c, _]| [a, b, c].map(corner)).collect()
}

/// An edge on a tile's side: open where portal links lead through it, a wall between them.
fn add_tile_edge(
    scene: &mut Scene,
    tile: &TileView<'_>,
    polygon: &Polygon,
    (number, edge): (usize, &Edge),
    ends: Segment,
) {
    let leads = |link: &&navarena::mesh::view::Link| link.kind == LINK_PORTAL && usize::from(link.edge) == number;
    let mut open: Vec<[u8; 2]> =
        tile.links_of(polygon).iter().filter(leads).map(|link| [link.range_min, link.range_max]).collect();
    open.sort_unstable();
    let part = |from: u8, to: u8| -> Segment {
        [from, to].map(|at| {
            let t = f64::from(at) / 255.0;
            std::array::from_fn(|axis| ends[0][axis] + (ends[1][axis] - ends[0][axis]) * t)
        })
    };
    let mut reached = 0;
    for [from, to] in open {
        if from > reached {
            scene.walls.push(part(reached, from));
        }
        // Sides +X and +Z draw the portals that their neighbours share.
        if edge.side < 2 && to > from.max(reached) {
            scene.portals.push(part(from.max(reached), to));
        }
        reached = reached.max(to);
    }
    if reached < 255 {
        scene.walls.push(part(reached, 255));
    }
}

fn world(tile: &TileView<'_>, point: [f32; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| tile.origin[axis] + f64::from(point[axis]))
}
