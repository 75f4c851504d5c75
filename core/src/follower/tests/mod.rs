//! Claims about followers, tested on random meshes and on a few made by hand.

mod crossings;
mod crowd_steps;
mod options;
mod states;
mod walks;

use super::{Follower, FollowerOptions, FollowerRecord, FollowerState};
use crate::corridor::tests::outside;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::tests::world::World;
use crate::query::{Filter, Query};
use std::vec::Vec;

crate::memory::assert_portable!(Follower);

pub const DT: f64 = 1.0 / 20.0;

/// A follower's memory.
#[derive(Clone)]
pub struct Body {
    pub options: FollowerOptions,
    pub record: FollowerRecord,
    pub path: Vec<PolyRef>,
}

impl Body {
    pub fn of(options: FollowerOptions) -> Body {
        let path = std::vec![PolyRef::NONE; options.corridor_capacity as usize];
        Body { options, record: FollowerRecord::default(), path }
    }

    pub fn follower(&mut self) -> Follower<'_> {
        Follower::over(&self.options, &mut self.record, &mut self.path).unwrap()
    }

    pub fn saved(&mut self) -> Vec<u8> {
        let follower = self.follower();
        let mut bytes = std::vec![0; follower.state_size()];
        assert_eq!(follower.save_state(&mut bytes), Ok(bytes.len()));
        bytes
    }
}

/// Sends a follower from one random place to another.
pub fn sent(world: &mut World, query: &mut Query<'_>, body: &mut Body) -> FollowerState {
    let ((_, start), (_, goal)) = (world.place(), world.place());
    let mut follower = body.follower();
    assert!(follower.place(&world.mesh, start, &Filter::ALL).unwrap());
    follower.set_destination(&world.mesh, query, goal, &Filter::ALL).unwrap()
}

/// What must hold of a follower after every step on a mesh that stays as it is.
pub fn check(mesh: &NavMesh<'_>, follower: &mut Follower<'_>) {
    let position = follower.position();
    assert!(position.iter().chain(&follower.velocity()).all(|part| part.is_finite()));
    assert!(follower.remaining_distance() >= 0.0);
    if follower.state() != FollowerState::OffMeshLink {
        assert_eq!(follower.corridor().position(), position);
        // A link may end beside the polygon it leads to: only there is the agent off the mesh.
        let polygon = follower.path()[0];
        assert!(position == follower.record.link_end || outside(mesh, polygon, position) < 1e-6);
    }
}

/// A floor without holes.
pub fn walks_kind() -> crate::query::tests::world::Kind {
    crate::query::tests::world::Kind { seed: 3, tiles: 1, holes: 0, merged: false, floors: 1, links: 0 }
}
