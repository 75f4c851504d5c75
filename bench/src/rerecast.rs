//! rerecast's bake: Recast's stages in Rust. It makes polygons and detail of a whole level; it has no mesh of tiles and
//! no search, so its row ends at the polygons.

use glam::{UVec3, Vec3A};
use navarena::mesh::NavSettings;
use navarena_std::obj::Geometry;
use rerecast::{AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, PolygonNavmesh, TriMesh};

/// A level in the form that rerecast reads, its triangles not yet classified.
pub fn input(level: &Geometry) -> TriMesh {
    TriMesh {
        vertices: level.vertices.iter().map(|&point| Vec3A::from_array(point)).collect(),
        indices: level.triangles.iter().map(|&corners| UVec3::from_array(corners)).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; level.triangles.len()],
    }
}

/// Bakes a whole level with the steps of the library's own comparison test.
pub fn bake(mut soup: TriMesh, settings: &NavSettings) -> Result<(PolygonNavmesh, DetailNavmesh), String> {
    let (cell_size, cell_height) = (settings.cell_size as f32, settings.cell_height as f32);
    let height = (settings.agent_height as f32 / cell_height).ceil() as u16;
    let climb = (settings.walkable_climb as f32 / cell_height).floor() as u16;
    let radius = (settings.agent_radius as f32 / cell_size).ceil() as u16;
    let edge_length = (settings.max_edge_length as f32 / cell_size) as u16;
    soup.mark_walkable_triangles((settings.max_slope_degrees as f32).to_radians());
    let aabb = soup.compute_aabb().ok_or("an empty level")?;
    let mut solid = HeightfieldBuilder { aabb, cell_size, cell_height }.build().map_err(text)?;
    solid.rasterize_triangles(&soup, climb).map_err(text)?;
    solid.filter_low_hanging_walkable_obstacles(climb);
    solid.filter_ledge_spans(height, climb);
    solid.filter_walkable_low_height_spans(height);
    let mut compact = solid.into_compact(height, climb).map_err(text)?;
    compact.erode_walkable_area(radius);
    compact.build_distance_field();
    let (min, merge) = (settings.min_region_area as u16, settings.merge_region_area as u16);
    compact.build_regions(0, min, merge).map_err(text)?;
    let error = settings.contour_max_error as f32;
    let contours = compact.build_contours(error, edge_length, BuildContoursFlags::DEFAULT);
    let polygons = contours.into_polygon_mesh(settings.max_verts_per_poly as u16).map_err(text)?;
    let (distance, error) = (settings.detail_sample_distance as f32, settings.detail_max_error as f32);
    let detail = DetailNavmesh::new(&polygons, &compact, distance, error).map_err(text)?;
    Ok((polygons, detail))
}

/// Sum of the polygons' ground areas.
pub fn coverage(mesh: &PolygonNavmesh) -> f64 {
    let at = |corner: u16| {
        let point = mesh.vertices[corner as usize];
        (i64::from(point.x), i64::from(point.z))
    };
    let twice_cells = |record: &[u16]| {
        let ring: Vec<u16> = record.iter().copied().take_while(|&corner| corner != PolygonNavmesh::NO_INDEX).collect();
        let crosses = ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| {
            let ((ax, az), (bx, bz)) = (at(a), at(b));
            ax * bz - bx * az
        });
        crosses.sum::<i64>().abs()
    };
    let records = mesh.polygons.chunks_exact(mesh.max_vertices_per_polygon as usize);
    records.map(twice_cells).sum::<i64>() as f64 / 2.0 * f64::from(mesh.cell_size) * f64::from(mesh.cell_size)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
