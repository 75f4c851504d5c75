//! Claims about reachability: the answer is the path search's end.

use super::world::{Kind, World, query};
use crate::error::ErrorKind;
use crate::mesh::PolyRef;
use crate::query::*;
use proptest::prelude::*;
use std::collections::HashSet;
use std::vec::Vec;

/// Whether a flood over accepted polygons, links included, gets from one to another.
fn floods(world: &World, from: PolyRef, to: PolyRef, filter: &impl PolygonFilter) -> bool {
    let mut met = HashSet::from([from]);
    let mut open = std::vec![from];
    while let Some(polygon) = open.pop() {
        for exit in super::literal::exits(&world.mesh, polygon) {
            let (_, record) = world.mesh.polygon(exit.target()).unwrap();
            let may_cross = match exit {
                super::literal::Exit::OffMesh(_, _, _, flags, area) => filter.accepts(flags, area),
                _ => true,
            };
            if may_cross && filter.accepts(record.flags, record.area) && met.insert(exit.target()) {
                open.push(exit.target());
            }
        }
    }
    met.contains(&to)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_end_is_reachable_where_a_flood_reaches_it_and_where_the_path_search_finds_it(
        seed in any::<u64>(), tiles in 1i32..4, holes in 0u64..60, merged in any::<bool>(), links in 0u64..3,
        nodes in prop::sample::select(std::vec![3u32, 20, 4096]),
        path_length in prop::sample::select(std::vec![4.0, 30.0, 1e7]),
        crossing in any::<bool>(),
    ) {
        let mut world = World::new(Kind { seed, tiles, holes, merged, floors: 2, links });
        let filter = Filter::new().without_flags(4).with_area_cost(1, 3.0).unwrap();
        let model = if crossing { NodeModel::Crossing } else { NodeModel::Polygon };
        let mut query = query(QueryDef { nodes, path_length, model, ..QueryDef::DEFAULT });
        for _ in 0..20 {
            let (from, to) = (world.place(), world.place());
            let end = query.check_reachable(&world.mesh, from.0, from.1, to.0, to.1, &filter).unwrap();
            prop_assert_eq!(query.step(&world.mesh, &filter, 1).unwrap_err().kind(), ErrorKind::State);
            let begun = query.begin_path(&world.mesh, from.0, from.1, to.0, to.1, &filter).unwrap();
            if begun != QueryStatus::InProgress {
                prop_assert_eq!(end, PathEnd::NotSearched);
                continue;
            }
            query.step(&world.mesh, &filter, u64::MAX).unwrap();
            prop_assert_eq!(end, query.finish_path(&world.mesh).unwrap().end);
            if nodes == 4096 && path_length == 1e7 {
                prop_assert_eq!(end == PathEnd::Found, floods(&world, from.0, to.0, &filter));
                prop_assert!(matches!(end, PathEnd::Found | PathEnd::None | PathEnd::NotLoaded));
            }
        }
    }
}

#[test]
fn a_polygon_that_is_none_is_not_searched_for_and_no_position_is_refused() {
    let mut world = World::new(Kind { seed: 5, tiles: 1, holes: 0, merged: true, floors: 1, links: 0 });
    let (polygon, at) = world.place();
    let mut query = query(QueryDef { nodes: 16, ..QueryDef::DEFAULT });
    let mut ends = Vec::new();
    for (from, to) in [(PolyRef::NONE, polygon), (polygon, PolyRef(u64::MAX)), (polygon, polygon)] {
        ends.push(query.check_reachable(&world.mesh, from, at, to, at, &Filter::ALL).unwrap());
    }
    assert_eq!(ends, [PathEnd::NotSearched, PathEnd::NotSearched, PathEnd::Found]);
    let nowhere = [f64::NAN, 0.0, 0.0];
    assert!(query.check_reachable(&world.mesh, polygon, nowhere, polygon, at, &Filter::ALL).is_err());
    assert!(query.check_reachable(&world.mesh, polygon, at, polygon, nowhere, &Filter::ALL).is_err());
}
