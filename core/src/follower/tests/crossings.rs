//! Off-mesh links.

use super::{Body, DT};
use crate::follower::{FollowerOptions, FollowerState, OffMeshMode};
use crate::math::distance;
use crate::mesh::view::OffMeshSlot;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::tests::world::{TileOf, empty_mesh, query};
use crate::query::{Filter, QueryDef};

/// Two floors of four by four, four apart, with a link from the one to the other.
fn islands() -> NavMesh<'static> {
    let mut mesh = empty_mesh();
    let mut tile = TileOf {
        vertices: std::vec![
            [0.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [4.0, 0.0, 4.0],
            [0.0, 0.0, 4.0],
            [8.0, 0.0, 0.0],
            [12.0, 0.0, 0.0],
            [12.0, 0.0, 4.0],
            [8.0, 0.0, 4.0],
        ],
        ..TileOf::default()
    };
    tile.polygon(&[0, 1, 2, 3], 0, 1);
    tile.polygon(&[4, 5, 6, 7], 0, 1);
    tile.connect(12.0);
    tile.off_mesh.push(OffMeshSlot {
        start: [3.5, 0.0, 2.0],
        end: [8.5, 0.0, 2.0],
        radius: 0.5,
        user_id: 7,
        flags: 1,
        area: 0,
        bidirectional: 1,
    });
    tile.add_to(&mut mesh, 0, 0, 0, 0.0);
    mesh.commit().unwrap();
    mesh
}

fn sent_over(mode: OffMeshMode, mesh: &NavMesh<'_>, body: &mut Body) -> usize {
    body.options.off_mesh_mode = mode;
    let mut query = query(QueryDef::DEFAULT);
    let mut follower = body.follower();
    follower.place(mesh, [1.0, 0.0, 1.0], &Filter::ALL).unwrap();
    follower.set_destination(mesh, &mut query, [11.0, 0.0, 3.0], &Filter::ALL).unwrap();
    let mut steps = 0;
    while follower.state() == FollowerState::Moving {
        follower.step(mesh, &mut query, &Filter::ALL, DT).unwrap();
        steps += 1;
        assert!(steps < 1000, "{:?}", follower.record);
    }
    steps
}

#[test]
fn an_automatic_crossing_takes_its_time_and_goes_straight() {
    let mesh = islands();
    let mut query = query(QueryDef::DEFAULT);
    let mut body = Body::of(FollowerOptions::HUMANOID);
    sent_over(OffMeshMode::AUTOMATIC, &mesh, &mut body);
    let mut follower = body.follower();
    let [entry, exit] = follower.crossing().expect("a crossing");
    assert_eq!((follower.position(), entry, exit), (entry, [3.5, 0.0, 2.0], [8.5, 0.0, 2.0]));
    let duration = distance(entry, exit) / 3.5;
    let mut steps = 0;
    while follower.state() == FollowerState::OffMeshLink {
        steps += 1;
        follower.step(&mesh, &mut query, &Filter::ALL, DT).unwrap();
        let along = (f64::from(steps) * DT / duration).min(1.0);
        assert!((follower.position()[0] - (3.5 + 5.0 * along)).abs() < 1e-9 && follower.position()[2] == 2.0);
        assert!(follower.velocity()[0] > 0.0 && follower.velocity()[0] < 3.5 + 1e-9);
    }
    assert_eq!((steps, follower.state()), ((duration / DT).ceil() as u32, FollowerState::Moving));
    assert_eq!((follower.position(), follower.path().len()), (exit, 1));
    while follower.state() == FollowerState::Moving {
        follower.step(&mesh, &mut query, &Filter::ALL, DT).unwrap();
    }
    assert!(follower.has_reached_target());
}

#[test]
fn a_host_moves_the_agent_until_it_says_that_the_crossing_is_over() {
    let mesh = islands();
    let mut query = query(QueryDef::DEFAULT);
    let mut body = Body::of(FollowerOptions::HUMANOID);
    assert!(body.follower().complete_off_mesh_link(&mesh, &mut query, &Filter::ALL).is_err());
    sent_over(OffMeshMode::HOST, &mesh, &mut body);
    let mut follower = body.follower();
    for _ in 0..100 {
        follower.step(&mesh, &mut query, &Filter::ALL, DT).unwrap();
        assert_eq!((follower.position(), follower.state()), ([3.5, 0.0, 2.0], FollowerState::OffMeshLink));
    }
    // Another destination is only noted, and planned to from the other side.
    let back = [1.0, 0.0, 3.0];
    let state = follower.set_destination(&mesh, &mut query, back, &Filter::ALL);
    assert_eq!(state, Ok(FollowerState::OffMeshLink));
    follower.complete_off_mesh_link(&mesh, &mut query, &Filter::ALL).unwrap();
    assert_eq!((follower.position(), follower.state()), ([8.5, 0.0, 2.0], FollowerState::Moving));
    assert!(follower.corridor().needs_replan());
    while follower.state() != FollowerState::Arrived {
        follower.step(&mesh, &mut query, &Filter::ALL, DT).unwrap();
        if follower.state() == FollowerState::OffMeshLink {
            follower.complete_off_mesh_link(&mesh, &mut query, &Filter::ALL).unwrap();
        }
    }
    assert!(follower.has_reached_target() && distance(follower.position(), back) < 0.1);
}

#[test]
fn whose_exit_has_left_the_corridor_is_put_on_the_mesh_there() {
    let mesh = islands();
    let mut query = query(QueryDef::DEFAULT);
    let mut body = Body::of(FollowerOptions::HUMANOID);
    sent_over(OffMeshMode::HOST, &mesh, &mut body);
    body.record.link_exit = PolyRef(99);
    let mut follower = body.follower();
    follower.complete_off_mesh_link(&mesh, &mut query, &Filter::ALL).unwrap();
    assert_eq!((follower.position(), follower.state()), ([8.5, 0.0, 2.0], FollowerState::Moving));
    assert!(follower.corridor().replans_from_start());
    body.record.state = FollowerState::OffMeshLink as u32;
    body.record.link_end = [500.0, 0.0, 0.0];
    let mut follower = body.follower();
    follower.complete_off_mesh_link(&mesh, &mut query, &Filter::ALL).unwrap();
    assert_eq!(follower.state(), FollowerState::NoPath);
}
