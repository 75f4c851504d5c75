//! Every rule of a tile broken one at a time.

use super::*;
use crate::error::{Error, ErrorKind, Subject};

/// Two quads side by side over a triangle, with detail and a link: every rule has something to break.
pub fn sample() -> OwnedTile {
    let quad = |detail: bool| TilePolygon {
        vertex_count: 4,
        area: 1,
        flags: 7,
        detail_triangle_count: if detail { 3 } else { 0 },
        detail_vertex_count: if detail { 1 } else { 0 },
        ..TilePolygon::default()
    };
    OwnedTile {
        x: 2,
        z: -1,
        layer: 3,
        origin: [PARAMS.origin[0] + 16.0, 5.5, PARAMS.origin[2] - 8.0],
        vertices: vec![
            [0.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [8.0, 0.5, 0.0],
            [8.0, 0.5, 8.0],
            [4.0, 0.0, 8.0],
            [0.0, 0.0, 8.0],
            [1.0, 4.0, 1.0],
            [3.0, 4.0, 1.0],
            [2.0, 4.0, 3.0],
        ],
        polygons: vec![quad(true), quad(false), TilePolygon { vertex_count: 3, ..TilePolygon::default() }],
        indices: vec![0, 1, 4, 5, 1, 2, 3, 4, 6, 7, 8],
        neighbors: vec![0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0],
        portal_sides: vec![3, 255, 1, 2, 3, 0, 1, 255, 255, 255, 255],
        detail_vertices: vec![[2.0, 0.25, 4.0]],
        detail_triangles: vec![[0, 1, 4, 1], [1, 2, 4, 1], [2, 3, 4, 1]],
        off_mesh: vec![OffMeshSlot {
            start: [1.0, 0.0, 1.0],
            end: [2.0, 4.0, 2.0],
            radius: 0.5,
            user_id: 9,
            flags: 2,
            area: 3,
            bidirectional: 1,
        }],
    }
}

/// What loading a tile's bytes, and what judging its arrays, says; they must say the same.
fn refused(tile: &OwnedTile) -> Error {
    refused_by(tile, &PARAMS)
}

fn refused_by(tile: &OwnedTile, params: &MeshParams) -> Error {
    let def = MeshDef { params: *params, ..DEF };
    let mut region = region(&def);
    let mut mesh = make(&def, &mut region);
    let error = mesh.stage_tile(&tile.bytes_for(params)).unwrap_err();
    assert_eq!(mesh.staged_count(), 0);
    let mut desk = vec![Grain::ZERO; tile.polygons.len()];
    assert_same_error(tile.data().validate(params, &mut Arena::new(&mut desk)).unwrap_err(), error);
    assert_same_error(mesh.stage_tile_data(&tile.data()).unwrap_err(), error);
    mesh.add_tile(&sample_for(params).bytes_for(params)).unwrap();
    error
}

fn sample_for(params: &MeshParams) -> OwnedTile {
    let [x, z] = params.tile_origin(2, -1);
    OwnedTile { origin: [x, 5.5, z], ..sample() }
}

/// Equal, where a NaN value equals another.
fn assert_same_error(a: Error, b: Error) {
    assert_eq!(std::format!("{a:?}"), std::format!("{b:?}"));
}

/// Breaks the sample and checks kind, subject, element and part.
fn breaks(subject: Subject, index: Option<u32>, part: Option<u32>, change: impl FnOnce(&mut OwnedTile)) {
    let mut tile = sample();
    change(&mut tile);
    let error = refused(&tile);
    let found = (error.kind(), error.subject(), error.index(), error.part_index());
    assert_eq!(found, (ErrorKind::Format, subject, index, part), "{error}");
}

#[test]
fn the_sample_is_valid() {
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    mesh.add_tile(&sample().bytes()).unwrap();
    assert!(sample().is_shown_by(&mesh.tile(0).unwrap()));
}

#[test]
fn a_tile_stands_on_the_grid_and_within_the_world() {
    breaks(Subject::Origin, Some(0), None, |t| t.origin[0] = f64::from_bits(t.origin[0].to_bits() + 1));
    breaks(Subject::Origin, Some(2), None, |t| t.z += 1);
    breaks(Subject::Origin, Some(0), None, |t| t.origin[0] = f64::NAN);
    for y in [f64::NAN, f64::INFINITY, WORLD_BOUND, -WORLD_BOUND] {
        breaks(Subject::Origin, Some(1), None, |t| t.origin[1] = y);
    }
    breaks(Subject::Layer, None, None, |t| t.layer = -1);
    breaks(Subject::Layer, None, None, |t| t.layer = 1024);
    for x in [i32::MAX, i32::MIN, 262_144, -262_144] {
        breaks(Subject::TilePosition, Some(0), None, |t| {
            t.x = x;
            t.origin[0] = PARAMS.tile_origin(x, 0)[0];
        });
    }
    // Column 262 143 begins within the bound of 2^21 = 262 144 * 8 and ends within it: the grid's corner is at -3.5.
    let mut edge = sample();
    (edge.x, edge.origin[0]) = (262_143, PARAMS.tile_origin(262_143, 0)[0]);
    let mut region = region(&DEF);
    make(&DEF, &mut region).add_tile(&edge.bytes()).unwrap();
}

#[test]
fn a_grid_zero_is_compared_by_bits() {
    let params = MeshParams { origin: [0.0; 3], ..PARAMS };
    let mut tile = sample_for(&params);
    (tile.x, tile.origin[0]) = (0, -0.0);
    assert_eq!(refused_by(&tile, &params).subject(), Subject::Origin);
    (tile.x, tile.origin[0]) = (0, 0.0);
    let def = MeshDef { params, ..DEF };
    let mut region = region(&def);
    make(&def, &mut region).add_tile(&tile.bytes_for(&params)).unwrap();
}

#[test]
fn vertices_are_finite_and_within_reach() {
    let reach = PARAMS.max_local_extent() as f32;
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            breaks(Subject::Vertex, Some(7), Some(axis), |t| t.vertices[7][axis as usize] = bad);
            breaks(Subject::DetailVertex, Some(0), Some(axis), |t| t.detail_vertices[0][axis as usize] = bad);
        }
    }
    for (axis, bad) in [(0, -8.000001), (0, 16.000002), (2, -8.000001), (2, 16.000002), (0, 9e-31), (2, -1e-40f32)] {
        breaks(Subject::DetailVertex, Some(0), Some(axis), |t| t.detail_vertices[0][axis as usize] = bad);
        breaks(Subject::Vertex, Some(8), Some(axis), |t| t.vertices[8][axis as usize] = bad);
    }
    breaks(Subject::Vertex, Some(0), Some(1), |t| t.vertices[0][1] = f32::from_bits(reach.to_bits() + 1));
    breaks(Subject::Vertex, Some(0), Some(1), |t| t.vertices[0][1] = -reach - 1.0);
    // The bounds themselves, a signed zero and a tiny height are within.
    let mut tile = sample();
    tile.detail_vertices = vec![[-8.0, reach, 16.0], [16.0, -reach, -8.0], [-0.0, 1e-40, 1e-30]];
    let mut region = region(&DEF);
    make(&DEF, &mut region).add_tile(&tile.bytes()).unwrap();
}

#[test]
fn polygons_have_three_to_the_most_vertices_all_distinct() {
    breaks(Subject::Polygon, Some(2), None, |t| t.polygons[2].vertex_count = 2);
    breaks(Subject::Polygon, Some(0), None, |t| t.polygons[0].vertex_count = 0);
    breaks(Subject::Polygon, Some(1), None, |t| t.polygons[1].vertex_count = 7);
    breaks(Subject::Polygon, Some(1), None, |t| t.polygons[1].vertex_count = 255);
    breaks(Subject::Edges, None, None, |t| t.polygons[2].vertex_count = 4);
    breaks(Subject::Index, Some(2), Some(1), |t| t.indices[9] = 9);
    breaks(Subject::Index, Some(2), Some(0), |t| t.indices[8] = 65535);
    breaks(Subject::Index, Some(2), Some(2), |t| t.indices[10] = 6);
    breaks(Subject::Area, Some(1), None, |t| t.polygons[1].area = 64);
}

#[test]
fn polygons_are_convex_and_counter_clockwise() {
    breaks(Subject::Edge, Some(2), Some(0), |t| t.vertices[7] = [1.0, 9.0, 1.0]);
    // Clockwise, and of no area.
    breaks(Subject::Polygon, Some(2), Some(0), |t| t.indices[8..].reverse());
    breaks(Subject::Polygon, Some(2), Some(0), |t| t.vertices[8] = [2.0, 0.0, 1.0]);
    // Not convex by one bit.
    breaks(Subject::Polygon, Some(0), Some(0), |t| {
        t.neighbors = vec![0; 11];
        t.portal_sides = vec![255; 11];
        t.vertices[1] = [3.0, 0.0, f32::from_bits(3f32.to_bits() + 1)];
        t.vertices[4] = [6.0, 0.0, 6.0];
    });
    // A star: every turn is to the left, but it goes around twice.
    breaks(Subject::Polygon, Some(0), Some(0), |t| {
        *t = OwnedTile {
            vertices: vec![[4.0, 0.0, 8.0], [2.0, 0.0, 1.0], [8.0, 0.0, 5.0], [0.0, 0.0, 5.0], [6.0, 0.0, 1.0]],
            polygons: vec![TilePolygon { vertex_count: 5, ..TilePolygon::default() }],
            indices: vec![0, 1, 2, 3, 4],
            neighbors: vec![0; 5],
            portal_sides: vec![255; 5],
            ..sample()
        }
    });
    // A vertex on an edge's line is allowed.
    let mut tile = sample();
    tile.vertices.push([2.0, 4.0, 1.0]);
    tile.polygons[2].vertex_count = 4;
    tile.indices = [&tile.indices[..9], &[9, 7, 8]].concat();
    tile.neighbors.push(0);
    tile.portal_sides.push(255);
    let mut region = region(&DEF);
    make(&DEF, &mut region).add_tile(&tile.bytes()).unwrap();
}

#[test]
fn a_neighbour_has_the_reversed_edge_and_names_the_polygon_back() {
    for (edge, wrong) in [(1, 1), (1, 4), (1, -2), (1, i32::MIN), (1, i32::MAX), (1, 3)] {
        breaks(Subject::Neighbor, Some(0), Some(edge as u32), |t| t.neighbors[edge] = wrong);
    }
    // One-sided: the other polygon has the edge, but calls it a wall.
    breaks(Subject::Neighbor, Some(0), Some(1), |t| t.neighbors[7] = 0);
    breaks(Subject::Neighbor, Some(1), Some(3), |t| t.neighbors[1] = 0);
    // The other polygon has no such edge.
    breaks(Subject::Neighbor, Some(1), Some(1), |t| {
        t.portal_sides[5] = 255;
        t.neighbors[5] = 3;
    });
}

#[test]
fn a_portal_lies_on_its_side_to_the_bit_and_is_no_inner_edge() {
    breaks(Subject::PortalSide, Some(0), Some(0), |t| t.portal_sides[0] = 4);
    breaks(Subject::PortalSide, Some(0), Some(0), |t| t.portal_sides[0] = 254);
    breaks(Subject::PortalSide, Some(0), Some(1), |t| t.portal_sides[1] = 0);
    breaks(Subject::PortalSide, Some(0), Some(0), |t| t.portal_sides[0] = 1);
    breaks(Subject::PortalSide, Some(1), Some(1), |t| t.vertices[2][0] = f32::from_bits(8f32.to_bits() - 1));
    breaks(Subject::PortalSide, Some(0), Some(0), |t| t.vertices[0][2] = -0.0);
    breaks(Subject::PortalSide, Some(2), Some(0), |t| t.portal_sides[8] = 3);
}

#[test]
fn detail_lies_inside_its_arrays() {
    breaks(Subject::DetailMesh, Some(0), None, |t| t.polygons[0].detail_vertex_count = 2);
    breaks(Subject::DetailMesh, Some(0), None, |t| t.polygons[0].detail_triangle_count = 4);
    breaks(Subject::DetailMesh, Some(0), None, |t| t.polygons[0].detail_triangle_base = 1);
    breaks(Subject::DetailMesh, Some(1), None, |t| t.polygons[1].detail_vertex_base = u32::MAX);
    breaks(Subject::DetailMesh, Some(1), None, |t| t.polygons[1].detail_triangle_base = 4);
    breaks(Subject::DetailTriangle, Some(2), Some(1), |t| t.detail_triangles[2][1] = 5);
    breaks(Subject::DetailTriangle, Some(0), Some(0), |t| t.detail_triangles[0][0] = 255);
    breaks(Subject::DetailTriangle, Some(0), Some(2), |t| t.polygons[0].detail_vertex_count = 0);
}

#[test]
fn off_mesh_slots_hold_numbers_within_reach() {
    let reach = PARAMS.max_local_extent() as f32;
    for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, f32::from_bits(reach.to_bits() + 1)] {
        for part in 0..3 {
            breaks(Subject::OffMeshLink, Some(0), Some(part), |t| t.off_mesh[0].start[part as usize] = bad);
            breaks(Subject::OffMeshLink, Some(0), Some(part + 3), |t| t.off_mesh[0].end[part as usize] = bad);
        }
    }
    for bad in [0.0, -0.0, -1.0, f32::NAN, f32::INFINITY] {
        breaks(Subject::OffMeshLink, Some(0), Some(6), |t| t.off_mesh[0].radius = bad);
    }
    breaks(Subject::OffMeshLink, Some(0), Some(7), |t| t.off_mesh[0].area = 64);
    breaks(Subject::OffMeshLink, Some(0), Some(8), |t| t.off_mesh[0].bidirectional = 2);
    breaks(Subject::OffMeshLink, Some(0), Some(8), |t| t.off_mesh[0].bidirectional = 129);
}

#[test]
fn arrays_that_do_not_fit_one_another_are_refused() {
    let tile = sample();
    let mut desk = vec![Grain::ZERO; 16];
    let short = TileData { neighbors: &tile.neighbors[1..], ..tile.data() };
    let longer = TileData { portal_sides: &[255; 12], ..tile.data() };
    for (data, subject) in [(short, Subject::Neighbor), (longer, Subject::PortalSide)] {
        let errors = [
            data.write(&PARAMS, &mut [0; 1000]).unwrap_err(),
            data.validate(&PARAMS, &mut Arena::new(&mut desk)).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| (error.kind(), error.subject()) == (ErrorKind::Format, subject)));
    }
}

#[test]
fn parameters_keep_their_rules() {
    let refused = |change: &dyn Fn(&mut MeshParams)| {
        let mut params = PARAMS;
        change(&mut params);
        let error = params.validate().unwrap_err();
        let mut block = params.to_bytes();
        let found = MeshParams::from_bytes(&block).unwrap_err();
        assert_eq!((found.kind(), found.subject()), (ErrorKind::Format, error.subject()));
        block = PARAMS.to_bytes();
        assert_eq!(MeshParams::from_bytes(&block), Ok(PARAMS));
        let def = MeshDef { params, ..DEF };
        assert_eq!(NavMesh::new(&def, &mut Arena::new(&mut region(&def))).unwrap_err().subject(), error.subject());
        error.subject()
    };
    for bad in [f64::NAN, f64::INFINITY, WORLD_BOUND, -WORLD_BOUND] {
        (0..3).for_each(|axis| assert_eq!(refused(&|p| p.origin[axis] = bad), Subject::Origin));
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(&|p| p.cell_size = bad), Subject::CellSize);
        assert_eq!(refused(&|p| p.tile_size = bad), Subject::TileSize);
    }
    // No float32; more than 8192 cells; past what float32 holds.
    for bad in [8.1, 4096.0, 1e300] {
        assert_eq!(refused(&|p| p.tile_size = bad), Subject::TileSize);
    }
    assert_eq!(refused(&|p| p.max_verts_per_poly = 2), Subject::MaxVertsPerPoly);
    assert_eq!(refused(&|p| p.max_verts_per_poly = 17), Subject::MaxVertsPerPoly);
    for bad in [-1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(refused(&|p| p.walkable_climb = bad), Subject::WalkableClimb);
        assert_eq!(refused(&|p| p.agent_radius = bad), Subject::AgentRadius);
        assert_eq!(refused(&|p| p.agent_height = bad), Subject::AgentHeight);
        assert_eq!(refused(&|p| p.max_slope_degrees = bad), Subject::MaxSlope);
    }
    assert_eq!(refused(&|p| p.max_slope_degrees = 90.5), Subject::MaxSlope);
    let mut block = PARAMS.to_bytes();
    block[43] = 1;
    assert_eq!(MeshParams::from_bytes(&block).unwrap_err().subject(), Subject::Reserved);
}

#[test]
fn a_fingerprint_is_the_hash_of_the_block() {
    let mut message = b"ONFP\x02\x00".to_vec();
    message.extend(PARAMS.origin.iter().chain([&PARAMS.tile_size, &PARAMS.cell_size]).flat_map(|v| v.to_le_bytes()));
    message.extend([6, 0, 0, 0]);
    let floats = [PARAMS.walkable_climb, PARAMS.agent_radius, PARAMS.agent_height, PARAMS.max_slope_degrees];
    message.extend(floats.iter().flat_map(|v| v.to_le_bytes()));
    message.extend(PARAMS.settings_digest.to_le_bytes());
    assert_eq!(message.len(), 74);
    assert_eq!(PARAMS.fingerprint(), crate::hash::sha256(&message)[..16]);
}

#[test]
fn positions_fall_into_the_tile_whose_corner_is_below_them() {
    assert_eq!(PARAMS.world_to_tile(-3.5, 100.25), Some((0, 0)));
    assert_eq!(PARAMS.world_to_tile(-3.5000001, 108.24), Some((-1, 0)));
    assert_eq!(PARAMS.world_to_tile(4.5, 92.25), Some((1, -1)));
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300] {
        assert_eq!(PARAMS.world_to_tile(bad, 0.0), None);
    }
    let fine = MeshParams { origin: [0.0; 3], tile_size: 1.0, ..PARAMS };
    assert_eq!(fine.world_to_tile(2147483647.9, -2147483648.0), Some((i32::MAX, i32::MIN)));
    assert_eq!(fine.world_to_tile(2147483648.0, 0.0), None);
    assert_eq!(fine.world_to_tile(0.0, -2147483648.5), None);
}
