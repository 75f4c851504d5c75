//! What must hold of every mesh that the library accepted, whatever bytes it came from.

use navarena::mesh::NavMesh;
use navarena::mesh::view::{LINK_PORTAL, NO_NEIGHBOR, TileView};

/// Walks everything a mesh holds and gives the first thing that is unsound: an index out of its array, a coordinate that is
/// not a number, a neighbour or a portal link that does not lead back, a link to nothing.
pub fn check(mesh: &NavMesh<'_>) -> Result<(), String> {
    mesh.tiles().try_for_each(|tile| {
        check_tile(&tile)
            .and_then(|()| check_links(mesh, &tile))
            .map_err(|what| format!("tile {} {} layer {}: {what}", tile.x, tile.z, tile.layer))
    })
}

fn check_tile(tile: &TileView<'_>) -> Result<(), String> {
    let numbers = tile.vertices.iter().chain(tile.detail_vertices).flatten();
    if !numbers.copied().all(f32::is_finite) || !tile.origin.iter().all(|number| number.is_finite()) {
        return Err("a coordinate is not a finite number".to_string());
    }
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let edges = tile.edges_of(polygon);
        let links = tile.links_of(polygon);
        if edges.len() != polygon.edge_count as usize || links.len() != polygon.link_count as usize || edges.len() < 3 {
            return Err(format!("polygon {index} names edges or links that are not there"));
        }
        for (edge, record) in edges.iter().enumerate() {
            if record.vertex as usize >= tile.vertices.len() {
                return Err(format!("polygon {index} edge {edge}: vertex {}", record.vertex));
            }
            let leads_back = record.neighbor == NO_NEIGHBOR
                || tile
                    .polygons
                    .get(record.neighbor as usize)
                    .is_some_and(|neighbor| tile.edges_of(neighbor).iter().any(|back| back.neighbor as usize == index));
            if !leads_back {
                return Err(format!("polygon {index} edge {edge}: neighbour {} does not lead back", record.neighbor));
            }
        }
        let (base, count) = (polygon.detail_vertex_base as usize, polygon.detail_vertex_count as usize);
        let (first, triangles) = (polygon.detail_triangle_base as usize, polygon.detail_triangle_count as usize);
        let detail = tile.detail_triangles.get(first..first + triangles);
        let corners = edges.len() + count;
        let in_range = |triangle: &[u8; 4]| triangle[..3].iter().all(|&corner| (corner as usize) < corners);
        if base + count > tile.detail_vertices.len() || !detail.is_some_and(|detail| detail.iter().all(in_range)) {
            return Err(format!("polygon {index}: detail out of range"));
        }
    }
    Ok(())
}

fn check_links(mesh: &NavMesh<'_>, tile: &TileView<'_>) -> Result<(), String> {
    for (index, polygon) in tile.polygons.iter().enumerate() {
        let here = tile.reference.polygon(index as u32);
        for link in tile.links_of(polygon) {
            let Ok((there, target)) = mesh.polygon(link.target) else {
                return Err(format!("polygon {index} links to nothing"));
            };
            let portal = link.kind == LINK_PORTAL;
            let back = |link: &navarena::mesh::view::Link| link.kind == LINK_PORTAL && link.target == here;
            if portal && (link.edge >= polygon.edge_count || link.range_min > link.range_max) {
                return Err(format!("polygon {index}: a portal link's edge or range"));
            }
            if portal && !there.links_of(target).iter().any(back) {
                return Err(format!("polygon {index}: a portal link without one back"));
            }
        }
    }
    Ok(())
}
