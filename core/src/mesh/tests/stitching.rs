//! Links against the page's all-pairs rule.

use super::oracle::{Model, assert_same, links_of};
use super::*;
use crate::mesh::view::{LINK_OFF_MESH, LINK_PORTAL};
use crate::mesh::{stitch, view};

/// A patch of columns with up to three layers each.
pub fn random_tiles(random: &mut Random, links: usize) -> Vec<OwnedTile> {
    let mut tiles = vec![];
    for z in -1..2 {
        for x in -2..1 {
            for layer in 0..3 {
                if random.chance(60) {
                    let off_mesh = random.below(links + 1);
                    tiles.push(random_tile(random, (x, z, layer), off_mesh));
                }
            }
        }
    }
    tiles
}

fn loaded(tiles: &[OwnedTile]) -> Model {
    Model { slots: tiles.iter().map(|tile| (1, Some(tile.clone()))).collect() }
}

#[test]
fn links_are_the_pages_pairs_in_the_pages_order() {
    let mut region = region(&DEF);
    let (mut portals, mut crossings) = (0, 0);
    for seed in 0..150 {
        let mut random = Random(seed);
        let tiles = random_tiles(&mut random, (seed % 4) as usize);
        let mut mesh = make(&DEF, &mut region);
        for tile in &tiles {
            mesh.stage_tile(&tile.bytes()).unwrap();
        }
        mesh.commit().unwrap();
        assert_same(&mesh, &loaded(&tiles));
        let links: Vec<_> = links_of(&mesh).into_iter().flatten().flatten().collect();
        portals += links.iter().filter(|link| link.kind == LINK_PORTAL).count();
        crossings += links.iter().filter(|link| link.kind == LINK_OFF_MESH).count();
    }
    // The rule is only tested if the sets have something to link.
    assert!(portals > 10_000 && crossings > 300, "{portals} portal links, {crossings} crossings");
}

#[test]
fn any_order_of_edits_that_ends_in_the_same_slots_gives_the_same_links() {
    let (mut first, mut second) = (region(&DEF), region(&DEF));
    let (first, second) = (&mut first, &mut second);
    for seed in 0..40 {
        let mut random = Random(1000 + seed);
        let tiles = random_tiles(&mut random, 2);
        let mut at_once = make(&DEF, first);
        tiles.iter().for_each(|tile| at_once.stage_tile(&tile.bytes()).unwrap());
        at_once.commit().unwrap();
        // One by one, with others in their places that are replaced later, in another order.
        let mut by_steps = make(&DEF, second);
        let mut later = vec![];
        for tile in &tiles {
            let other = random_tile(&mut random, tile.key(), 2);
            if random.chance(50) {
                by_steps.add_tile(&other.bytes()).unwrap();
                later.insert(random.below(later.len() + 1), tile);
            } else {
                by_steps.add_tile(&tile.bytes()).unwrap();
            }
        }
        later.iter().for_each(|tile| by_steps.replace_tile(&tile.bytes()).unwrap());
        let without_salts = |mesh: &NavMesh<'_>| {
            let mut links = links_of(mesh);
            for link in links.iter_mut().flatten().flatten() {
                link.target = PolyRef::new(1, link.target.slot(), link.target.index());
            }
            links
        };
        assert_eq!(without_salts(&at_once), without_salts(&by_steps));
        let salts = by_steps.tiles().map(|tile| (tile.reference.salt(), later.iter().any(|t| t.is_shown_by(&tile))));
        assert!(salts.into_iter().all(|(salt, replaced)| salt == 1 + u32::from(replaced)));
    }
}

#[test]
fn a_portal_link_has_its_pair() {
    let mut region = region(&DEF);
    let tiles = random_tiles(&mut Random(77), 0);
    let mut mesh = make(&DEF, &mut region);
    tiles.iter().for_each(|tile| mesh.stage_tile(&tile.bytes()).unwrap());
    mesh.commit().unwrap();
    let mut count = 0;
    for tile in mesh.tiles() {
        for (p, polygon) in tile.polygons.iter().enumerate() {
            for link in tile.links_of(polygon) {
                let (other, target) = mesh.polygon(link.target).unwrap();
                let back = |l: &&view::Link| {
                    l.target == tile.reference.polygon(p as u32)
                        && (l.edge, l.index) == (link.index as u8, link.edge.into())
                };
                assert_eq!(other.links_of(target).iter().filter(back).count(), 1);
                count += 1;
            }
        }
    }
    assert!(count > 100);
}

#[test]
fn an_edge_part_is_rounded_outwards_in_255ths() {
    let quad = |x: i32, z0: f32, z1: f32, near: f32, far: f32, sides: [u8; 4]| {
        let mut tile = random_tile(&mut Random(1), (x, 0, 0), 0);
        tile.origin[1] = 0.0;
        tile.vertices = vec![[near, 0.0, z0], [far, 0.0, z0], [far, 0.0, z1], [near, 0.0, z1]];
        tile.polygons = vec![TilePolygon { vertex_count: 4, ..TilePolygon::default() }];
        tile.indices = vec![0, 1, 2, 3];
        tile.neighbors = vec![0; 4];
        tile.portal_sides = sides.to_vec();
        (tile.detail_vertices, tile.detail_triangles) = (vec![], vec![]);
        tile
    };
    let left = quad(0, 0.0, 8.0, 4.0, 8.0, [255, 0, 255, 255]);
    let right = quad(1, 1.0, 4.0, 0.0, 4.0, [255, 255, 255, 2]);
    let mut region = region(&DEF);
    let mut mesh = make(&DEF, &mut region);
    mesh.add_tile(&left.bytes()).unwrap();
    mesh.add_tile(&right.bytes()).unwrap();
    let links = links_of(&mesh);
    // 1/8 of 255 is 31.875 and 4/8 is 127.5; the right edge runs the other way and is covered whole.
    let ranges = |link: &view::Link| (link.edge, link.index, link.range_min, link.range_max);
    assert_eq!(ranges(&links[0][0][0]), (1, 3, 31, 128));
    assert_eq!(ranges(&links[1][0][0]), (3, 1, 0, 255));
}

#[test]
fn columns_at_the_ends_of_the_numbers_have_no_neighbours_beyond() {
    let params = MeshParams { tile_size: 1.0 / 1024.0, cell_size: 1.0, origin: [0.0; 3], ..PARAMS };
    assert_eq!(stitch::column_across(i32::MAX, 0, 0), None);
    assert_eq!(stitch::column_across(0, i32::MIN, 3), None);
    assert_eq!(stitch::column_across(i32::MAX, 5, 2), Some((i32::MAX - 1, 5)));
    for x in [i32::MIN, i32::MAX - 1] {
        let mut tile = random_tile(&mut Random(3), (0, 0, 0), 1);
        let side = params.far_side();
        tile.x = x;
        tile.origin = [params.tile_origin(x, 0)[0], 0.0, 0.0];
        tile.vertices.iter_mut().for_each(|v| (v[0], v[2]) = (v[0] * side / 8.0, v[2] * side / 8.0));
        tile.detail_vertices.iter_mut().for_each(|v| *v = [0.0; 3]);
        let def = MeshDef { params, ..DEF };
        let mut region = region(&def);
        let mut mesh = make(&def, &mut region);
        let result = mesh.add_tile(&tile.bytes_for(&params));
        // i32::MIN times 2^-10 is just the world's bound, which is outside.
        assert_eq!(result.is_ok(), x != i32::MIN, "{result:?}");
    }
}

#[test]
fn the_looser_portal_rule_wants_a_step_anywhere_along_the_shared_part() {
    // One quad a tile; the left one's far side is level at 0, the right one's near side runs from `low` to `high`.
    let tile = |x: i32, near: [f32; 2]| OwnedTile {
        x,
        z: 0,
        layer: 0,
        origin: [PARAMS.tile_origin(x, 0)[0], 0.0, PARAMS.tile_origin(x, 0)[1]],
        vertices: vec![[0.0, near[0], 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, near[1], 8.0]],
        polygons: vec![TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
        indices: vec![0, 1, 2, 3],
        neighbors: vec![0; 4],
        portal_sides: vec![NO_PORTAL, 0, NO_PORTAL, 2],
        detail_vertices: vec![],
        detail_triangles: vec![],
        off_mesh: vec![],
    };
    let links = |portals: PortalRule, near: [f32; 2]| {
        let def = MeshDef { portals, ..DEF };
        let mut region = region(&def);
        let mut mesh = make(&def, &mut region);
        mesh.add_tile(&tile(0, [0.0; 2]).bytes()).unwrap();
        mesh.add_tile(&tile(1, near).bytes()).unwrap();
        mesh.tiles().map(|tile| tile.links.len()).collect::<Vec<_>>()
    };
    let cases = [
        ([0.75, -0.75], [1, 1], [1, 1]),
        ([0.75, 0.875], [0, 0], [1, 1]),
        ([5.0, 0.5], [0, 0], [1, 1]),
        ([-3.0, 4.0], [0, 0], [1, 1]),
        ([0.875, 4.0], [0, 0], [0, 0]),
        ([-0.875, -2.0], [0, 0], [0, 0]),
    ];
    for (near, throughout, somewhere) in cases {
        assert_eq!(links(PortalRule::Throughout, near), throughout, "{near:?}");
        assert_eq!(links(PortalRule::Somewhere, near), somewhere, "{near:?}");
    }
}
