//! Moves of the agent and the target.

use super::{Room, big_query, check, kinds, outside, planned, touches};
use crate::query::tests::world::{World, middle};
use crate::query::{Filter, POINT_OFF_MESH, move_along_surface, nearest_polygon};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_agent_moves_as_on_the_surface_and_its_corridor_stays_one(
        kind in kinds(), steps in prop::collection::vec((any::<bool>(), -9.0..9.0, -9.0..9.0), 1..12)
    ) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(64));
        planned(&mut world, &mut query, &mut room);
        let mut corridor = room.corridor();
        for (moves_agent, x, z) in steps {
            let was_complete = corridor.is_complete();
            let before = (corridor.path().to_vec(), corridor.position());
            if moves_agent {
                let to = [corridor.position()[0] + x, 0.0, corridor.position()[2] + z];
                let wanted = move_along_surface(&world.mesh, before.0[0], before.1, to, &Filter::ALL, &mut []).unwrap();
                prop_assert!(corridor.move_position(&world.mesh, &mut query, to, &Filter::ALL).unwrap());
                prop_assert_eq!((corridor.position(), corridor.path()[0]), (wanted.position, wanted.polygon));
                // The end stays where it was, unless the walk came upon it.
                prop_assert_eq!(corridor.path().last(), before.0.last());
            } else if was_complete {
                let target = corridor.target();
                let to = [target[0] + x, 0.0, target[2] + z];
                if corridor.move_target(&world.mesh, &mut query, to, &Filter::ALL).unwrap() {
                    prop_assert_eq!(corridor.path().first(), before.0.first());
                    prop_assert!(outside(&world.mesh, corridor.target_polygon(), corridor.target()) < 1e-6);
                }
                prop_assert!(corridor.is_complete());
            }
            check(&world.mesh, &corridor);
        }
    }

    #[test]
    fn an_agent_that_goes_there_and_back_has_the_polygons_walked_before_it(kind in kinds(), x in -9.0..9.0, z in -9.0..9.0) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(64));
        planned(&mut world, &mut query, &mut room);
        let mut corridor = room.corridor();
        let (path, start) = (corridor.path().to_vec(), corridor.position());
        corridor.move_position(&world.mesh, &mut query, [start[0] + x, 0.0, start[2] + z], &Filter::ALL).unwrap();
        // The oracle of the page: the walk back, then what is left behind the farthest polygon of it.
        let mut visited = std::vec![crate::mesh::PolyRef::NONE; 64];
        let to = [start[0] + x, 0.0, start[2] + z];
        let moved = move_along_surface(&world.mesh, path[0], start, to, &Filter::ALL, &mut visited).unwrap();
        let visited = &visited[..moved.visited];
        let at = (0..path.len()).rev().find(|&at| visited.contains(&path[at])).unwrap();
        let from = visited.iter().position(|&one| one == path[at]).unwrap();
        let mut wanted: std::vec::Vec<_> = visited[from..].iter().rev().copied().collect();
        wanted.extend(&path[at + 1..]);
        prop_assert_eq!(corridor.path(), wanted);
    }

    #[test]
    fn a_leg_to_a_corner_can_be_walked_in_pieces(kind in kinds(), pieces in 1u32..5) {
        let mut world = World::new(kind);
        prop_assume!(!world.polygons().is_empty());
        let (mut query, mut room) = (big_query(), Room::of(64));
        planned(&mut world, &mut query, &mut room);
        let mut corridor = room.corridor();
        let touching = corridor.path().windows(2).all(|pair| touches(&world.mesh, pair[0], pair[1]));
        prop_assume!(touching);
        corridor.find_corners(&world.mesh, &mut query, 64).unwrap();
        let corners = query.path().points().to_vec();
        for leg in corners.windows(2) {
            prop_assert!(leg[0].flags & POINT_OFF_MESH == 0);
            let limit = corridor.path().iter().position(|&one| one == leg[1].polygon).unwrap() + 1;
            for piece in 1..=pieces {
                let to = crate::math::lerp(leg[0].position, leg[1].position, f64::from(piece) / f64::from(pieces));
                let left = corridor.path().to_vec();
                prop_assert!(corridor.move_along(&world.mesh, to, limit).unwrap());
                let position = corridor.position();
                prop_assert!((position[0] - to[0]).abs() < 1e-6 && (position[2] - to[2]).abs() < 1e-6);
                prop_assert!(left.ends_with(corridor.path()));
                check(&world.mesh, &corridor);
            }
        }
    }
}

#[test]
fn of_surfaces_one_above_the_other_the_nearer_one_takes_the_agent() {
    let kind = super::Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 2, links: 0 };
    let world = World::new(kind);
    let low = world.polygons()[0];
    let below = middle(&world.mesh, low);
    let above = nearest_polygon(&world.mesh, [below[0], 4.5, below[2]], [0.1, 1.0, 0.1], &Filter::ALL);
    let high = above.unwrap().unwrap().polygon;
    let mut room = Room::of(8);
    let mut corridor = room.corridor();
    corridor.reset(&world.mesh, low, below).unwrap();
    corridor.path[1] = high;
    corridor.record.count = 2;
    assert!(corridor.move_along(&world.mesh, [below[0], 3.9, below[2]], 1).unwrap());
    assert_eq!(corridor.path(), [low, high], "the limit leaves only the lower one");
    assert!(corridor.move_along(&world.mesh, [below[0], 3.9, below[2]], 2).unwrap());
    assert_eq!(corridor.path(), [high]);
    assert!(!corridor.move_along(&world.mesh, [500.0, 0.0, 0.0], 2).unwrap());
}

#[test]
fn a_walk_through_more_polygons_than_there_is_room_for_is_refused_and_an_end_that_does_not_fit_is_cut() {
    let kind = super::Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 };
    let world = World::new(kind);
    let mut query = big_query();
    // Six cells of two units in a row.
    let (all, y) = (world.polygons(), 0.0);
    let mut room = Room::of(3);
    let mut corridor = room.corridor();
    corridor.reset(&world.mesh, all[0], [1.0, y, 1.0]).unwrap();
    let before = (*corridor.record, corridor.path().to_vec());
    assert!(!corridor.move_position(&world.mesh, &mut query, [7.0, y, 1.0], &Filter::ALL).unwrap());
    assert_eq!((*corridor.record, corridor.path().to_vec()), before);
    assert!(!corridor.move_target(&world.mesh, &mut query, [7.0, y, 1.0], &Filter::ALL).unwrap());
    assert_eq!((*corridor.record, corridor.path().to_vec()), before);
    assert!(corridor.move_target(&world.mesh, &mut query, [5.0, y, 1.0], &Filter::ALL).unwrap());
    assert_eq!(corridor.path(), &all[..3]);
    // A step aside makes four: the end is cut, and a replan asked for from there.
    assert!(corridor.move_position(&world.mesh, &mut query, [1.0, y, 3.0], &Filter::ALL).unwrap());
    assert_eq!(corridor.path(), [all[6], all[0], all[1]]);
    assert!(!corridor.is_complete() && corridor.needs_replan() && !corridor.replans_from_start());
    // Of an incomplete corridor the target is only noted.
    assert!(corridor.move_target(&world.mesh, &mut query, [900.0, y, 1.0], &Filter::ALL).unwrap());
    assert_eq!((corridor.target(), corridor.target_polygon()), ([900.0, y, 1.0], crate::mesh::PolyRef::NONE));
}
