//! Claims about islands: what the shortest path asks of before it searches.

use super::links::stage_links;
use super::world::{World, memory};
use crate::mesh::view::NO_NEIGHBOR;
use crate::mesh::{MeshDef, NavMesh, PolyRef};
use proptest::prelude::*;
use std::collections::HashMap;
use std::vec::Vec;

/// Each polygon's island by a walk over edges and links, in both directions, as the number of its first polygon.
fn walked(mesh: &NavMesh<'_>) -> HashMap<u64, usize> {
    let all: Vec<PolyRef> =
        mesh.tiles().flat_map(|tile| (0..tile.polygons.len() as u32).map(move |i| tile.reference.polygon(i))).collect();
    let mut joined: HashMap<u64, Vec<u64>> = HashMap::new();
    for &polygon in &all {
        let (tile, record) = mesh.polygon(polygon).unwrap();
        let edges = tile.edges_of(record).iter().filter(|edge| edge.neighbor != NO_NEIGHBOR);
        let near = edges.map(|edge| tile.reference.polygon(edge.neighbor));
        for other in near.chain(tile.links_of(record).iter().map(|link| link.target)) {
            joined.entry(polygon.0).or_default().push(other.0);
            joined.entry(other.0).or_default().push(polygon.0);
        }
    }
    let mut islands = HashMap::new();
    for (number, polygon) in all.iter().enumerate() {
        let mut next = std::vec![polygon.0];
        while let Some(at) = next.pop() {
            if islands.contains_key(&at) {
                continue;
            }
            islands.insert(at, number);
            next.extend(joined.get(&at).into_iter().flatten());
        }
    }
    islands
}

fn check(mesh: &NavMesh<'_>) {
    let islands = walked(mesh);
    for (&from, island) in &islands {
        for (&to, other) in &islands {
            assert_eq!(mesh.may_join(PolyRef(from), PolyRef(to)), island == other);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn polygons_are_on_one_island_exactly_when_edges_and_links_join_them(
        seed in any::<u64>(), holes in 20u64..70, merged in any::<bool>(), links in 0u64..3, staged in 0usize..6,
    ) {
        let mut world = World::new(super::world::Kind { seed, tiles: 2, holes, merged, floors: 1, links });
        check(&world.mesh);
        stage_links(&mut world, 2, staged);
        check(&world.mesh);
        let first = world.mesh.links().next();
        if let Some(id) = first {
            world.mesh.stage_link_removal(id).unwrap();
            world.mesh.commit().unwrap();
            check(&world.mesh);
        }
        if world.mesh.tile_at(1, 0, 0).is_some() {
            world.mesh.remove_tile(1, 0, 0).unwrap();
            check(&world.mesh);
        }
        let mut saved = std::vec![0; world.mesh.save_size()];
        world.mesh.save(&mut saved).unwrap();
        let def = MeshDef { params: *world.mesh.params(), limits: *world.mesh.limits(), ..MeshDef::HUMANOID };
        let mut restored = NavMesh::new(&def, &mut memory(def.plan().bytes)).unwrap();
        restored.restore(&saved).unwrap();
        check(&restored);
    }
}
