//! Repair after the mesh has changed.

use super::{Room, big_query, check, kinds, leads_to, planned};
use crate::corridor::CorridorCheck;
use crate::mesh::PolyRef;
use crate::query::tests::world::World;
use crate::query::{Filter, PathEnd, PolygonFilter, QueryStatus, nearest_polygon};
use proptest::prelude::*;

const EXTENTS: [f64; 3] = [2.0, 4.0, 2.0];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_corridor_is_cut_where_it_no_longer_holds_and_repaired_to_where_a_path_leads(
        kind in kinds(), look_ahead in 1usize..80, exclude in 0u16..8, takes_tile in any::<bool>()
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(128));
        planned(&mut world, &mut query, &mut room);
        let mut corridor = room.corridor();
        let old = corridor.path().to_vec();
        if takes_tile {
            let gone = old[world.random.below(old.len() as u64) as usize];
            let tile = world.mesh.tile_of(gone.tile()).unwrap();
            let (x, z, layer) = (tile.x, tile.z, tile.layer);
            world.mesh.remove_tile(x, z, layer).unwrap();
        }
        let filter = Filter::new().without_flags(exclude);
        let holds = |polygon: PolyRef| {
            world.mesh.polygon(polygon).is_ok_and(|(_, record)| filter.accepts(record.flags, record.area))
        };
        // Links are filtered too: those of rejected flags are told by the corridor alone here.
        let wanted = (0..old.len().min(look_ahead)).find(|&at| {
            !holds(old[at]) || at > 0 && !crate::query::corridors::is_connected(&world.mesh, old[at - 1], old[at], &filter)
        });
        let before = *corridor.record;
        let found = corridor.validate(&world.mesh, &filter, look_ahead);
        match wanted {
            Some(0) => {
                prop_assert_eq!((found, *corridor.record), (CorridorCheck::Invalid, before));
                let near = nearest_polygon(&world.mesh, corridor.position(), EXTENTS, &filter).unwrap();
                prop_assert_eq!(corridor.relocate(&world.mesh, &filter, EXTENTS).unwrap(), near.is_some());
                let Some(near) = near else { return Ok(()) };
                prop_assert_eq!((corridor.path(), corridor.position()), (&[near.polygon][..], near.point));
                prop_assert!(corridor.needs_replan() && corridor.replans_from_start() && !corridor.is_complete());
                prop_assert_eq!(corridor.target(), before.target);
            }
            Some(at) => {
                prop_assert_eq!((found, corridor.path()), (CorridorCheck::Trimmed, &old[..at]));
                prop_assert!(corridor.needs_replan() && !corridor.replans_from_start() && !corridor.is_complete());
            }
            None => prop_assert_eq!((found, *corridor.record), (CorridorCheck::Valid, before)),
        }
        if corridor.validate(&world.mesh, &filter, usize::MAX) == CorridorCheck::Invalid {
            return Ok(());
        }
        // Repaired, it leads to the target exactly where a fresh query from the same polygon does.
        corridor.request_replan();
        let from = (corridor.path()[0], corridor.position());
        let status = corridor.replan(&world.mesh, &mut query, EXTENTS, &filter, u64::MAX).unwrap();
        check(&world.mesh, &corridor);
        prop_assert!(corridor.path().iter().all(|&polygon| holds(polygon)));
        let Some(end) = nearest_polygon(&world.mesh, corridor.target(), EXTENTS, &filter).unwrap() else {
            prop_assert_eq!(status, QueryStatus::NoEndNearby);
            return Ok(());
        };
        let can = query.check_reachable(&world.mesh, from.0, from.1, end.polygon, end.point, &filter).unwrap();
        prop_assert_eq!(corridor.is_complete(), can == PathEnd::Found);
    }

    #[test]
    fn a_repair_from_the_end_keeps_what_still_holds(kind in kinds(), at in any::<prop::sample::Index>()) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(128));
        planned(&mut world, &mut query, &mut room);
        let mut corridor = room.corridor();
        prop_assume!(corridor.is_complete() && corridor.path().len() > 1);
        let (old, target) = (corridor.path().to_vec(), corridor.target());
        let at = 1 + at.index(old.len() - 1);
        corridor.cut_to(at);
        let status = corridor.replan(&world.mesh, &mut query, EXTENTS, &Filter::ALL, u64::MAX).unwrap();
        check(&world.mesh, &corridor);
        // Links can be one-way: what the end can't reach the agent can.
        prop_assert_eq!((status, corridor.target()), (QueryStatus::Success, target));
        prop_assert_eq!(corridor.path()[0], old[0]);
        prop_assert!(leads_to(&world.mesh, old[0], corridor.path().get(1).copied().unwrap_or(old[0])) || old.len() == 1
            || corridor.path().len() == 1);
    }
}

#[test]
fn a_complete_corridor_whose_target_is_gone_is_planned_again() {
    let kind = super::Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 };
    let world = World::new(kind);
    let all = world.polygons();
    let mut room = Room::of(8);
    let mut corridor = room.corridor();
    assert_eq!(corridor.validate(&world.mesh, &Filter::ALL, 8), CorridorCheck::Invalid, "an empty one");
    corridor.reset(&world.mesh, all[0], [1.0, 0.0, 1.0]).unwrap();
    corridor.record.target_polygon = PolyRef(5);
    assert_eq!(corridor.validate(&world.mesh, &Filter::ALL, 8), CorridorCheck::Trimmed);
    assert!(!corridor.is_complete() && corridor.needs_replan() && corridor.path() == [all[0]]);
}
