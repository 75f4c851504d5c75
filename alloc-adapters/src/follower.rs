//! The follower that owns its memory.

use crate::block::{Block, Source};
use crate::mesh::NavMesh;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use navarena::crowd::CrowdDef;
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::follower::{Follower as CoreFollower, FollowerOptions, FollowerState};
use navarena::memory::{Arena, Plan, Ruler};
use navarena::query::{Filter, Query, QueryDef};
use self_cell::{MutBorrow, self_cell};

/// A follower of the core and the query that plans for it, in one block.
struct Inner<'m> {
    follower: CoreFollower<'m>,
    query: Query<'m>,
}

self_cell!(
    struct FollowerCell {
        owner: MutBorrow<Block>,
        #[covariant]
        dependent: Inner,
    }
);

impl FollowerCell {
    fn make(options: &FollowerOptions, query: &QueryDef, source: &Source) -> Result<FollowerCell> {
        let block = Block::new(source, plan(options, query).bytes)?;
        FollowerCell::try_new(MutBorrow::new(block), |block| {
            let mut arena = Arena::new(block.borrow_mut().grains());
            Ok(Inner { follower: CoreFollower::new(options, &mut arena)?, query: Query::new(query, &mut arena)? })
        })
    }
}

fn plan(options: &FollowerOptions, query: &QueryDef) -> Plan {
    Ruler::new().then(options.plan()).then(query.plan()).plan()
}

/// One agent that walks a [`NavMesh`] by itself, in memory that it owns.
///
/// It keeps its way as the mesh changes, turns its velocity toward the next corner, slides along walls, crosses off-mesh
/// links and notices when it has arrived; it avoids nobody: for that there is a [`Crowd`](crate::Crowd). The mesh is an
/// argument of each call, so that it can change between steps. Its steps are the core's [`Follower`](CoreFollower)'s, bit for
/// bit.
///
/// ```
/// use navarena_alloc::prelude::*;
/// // A floor of twenty by twenty meters.
/// let vertices = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0f32]];
/// let mesh = NavMesh::build(&(&vertices[..], &[[0, 1, 2], [0, 2, 3]][..]), &NavSettings::HUMANOID)?;
/// let mut follower = mesh.create_follower()?;
/// follower.place(&mesh, [3.0, 0.0, 3.0])?;
/// follower.set_destination(&mesh, [17.0, 0.0, 12.0])?;
/// while follower.state() == FollowerState::Moving {
///     follower.step(&mesh, 1.0 / 60.0)?;
/// }
/// assert!(follower.has_reached_target());
///
/// // What was saved goes on as it would have.
/// follower.set_destination(&mesh, [3.0, 0.0, 17.0])?;
/// let saved = follower.save_state()?;
/// (0..30).try_for_each(|_| follower.step(&mesh, 1.0 / 60.0))?;
/// let there = follower.position();
/// follower.restore_state(&saved)?;
/// (0..30).try_for_each(|_| follower.step(&mesh, 1.0 / 60.0))?;
/// assert_eq!(follower.position(), there);
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
pub struct Follower {
    cell: FollowerCell,
    filter: Filter,
}

impl fmt::Debug for Follower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follower").field("core", self.core()).field("filter", &self.filter).finish_non_exhaustive()
    }
}

impl Follower {
    /// A follower that is not placed yet, tuned as a humanoid, which walks everywhere. Errors: memory.
    pub fn new(source: &Source) -> Result<Follower> {
        Follower::with_options(&FollowerOptions::HUMANOID, Filter::new(), source)
    }

    /// A follower with other settings, or that walks by a filter. Errors: a setting out of its range, and memory.
    pub fn with_options(options: &FollowerOptions, filter: Filter, source: &Source) -> Result<Follower> {
        options.validate()?;
        // As a crowd's worker plans, so that an agent goes the same ways alone.
        let query = CrowdDef { corridor: options.corridor_capacity, ..CrowdDef::DEFAULT }.query();
        let query = QueryDef { points: query.points.max(options.max_corners), ..query };
        Ok(Follower { cell: FollowerCell::make(options, &query, source)?, filter })
    }

    /// Puts it on the polygon nearest to a position, standing still. Errors: [`ErrorKind::Outside`] when the mesh is nowhere
    /// near, a position that is not finite or past 2^21; both leave it as it is.
    pub fn place(&mut self, mesh: &NavMesh, position: [f64; 3]) -> Result<()> {
        let filter = self.filter;
        let place = |inner: &mut Inner<'_>| inner.follower.place(mesh.core(), position, &filter);
        match self.cell.with_dependent_mut(|_, inner| place(inner))? {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Outside, Subject::Position)),
        }
    }

    /// Sends it to the place on the mesh nearest to a position. Errors: a position that is not finite or past 2^21.
    pub fn set_destination(&mut self, mesh: &NavMesh, target: [f64; 3]) -> Result<FollowerState> {
        let filter = self.filter;
        self.cell.with_dependent_mut(|_, Inner { follower, query }| {
            follower.set_destination(mesh.core(), query, target, &filter)
        })
    }

    /// Walks for a time in seconds. Errors: a time that is not finite or not above 0.
    pub fn step(&mut self, mesh: &NavMesh, dt: f64) -> Result<()> {
        let filter = self.filter;
        self.cell.with_dependent_mut(|_, Inner { follower, query }| follower.step(mesh.core(), query, &filter, dt))
    }

    /// Lends the core's follower with its query and the filter, for a call that this type has not.
    pub fn with_core<R>(&mut self, work: impl FnOnce(&mut CoreFollower<'_>, &mut Query<'_>, &Filter) -> R) -> R {
        let filter = self.filter;
        self.cell.with_dependent_mut(|_, Inner { follower, query }| work(follower, query, &filter))
    }

    /// What it does.
    pub fn state(&self) -> FollowerState {
        self.core().state()
    }

    /// Where it is.
    pub fn position(&self) -> [f64; 3] {
        self.core().position()
    }

    /// How it moved in the last step, in units a second.
    pub fn velocity(&self) -> [f64; 3] {
        self.core().velocity()
    }

    /// How far the end is along the corners, infinite when it is not among those looked at.
    pub fn remaining_distance(&self) -> f64 {
        self.core().remaining_distance()
    }

    /// Whether it arrived at its destination, and not only as near as there is a way.
    pub fn has_reached_target(&self) -> bool {
        self.core().has_reached_target()
    }

    /// Everything that the next step depends on, but for the mesh and the settings. The same state gives the same bytes on
    /// every machine.
    pub fn save_state(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.core().state_size()];
        self.core().save_state(&mut bytes)?;
        Ok(bytes)
    }

    /// Goes back to a saved state of a follower with the same corridor capacity, all or nothing. Errors: the first thing in
    /// the bytes that breaks a rule, by name.
    pub fn restore_state(&mut self, bytes: &[u8]) -> Result<()> {
        self.cell.with_dependent_mut(|_, inner| inner.follower.restore_state(bytes))
    }

    /// The 64-bit hash of the saved state, to compare with another machine's.
    pub fn state_hash(&self) -> u64 {
        self.core().state_hash()
    }

    /// The core's follower, to be looked at.
    pub fn core(&self) -> &CoreFollower<'_> {
        &self.cell.borrow_dependent().follower
    }

    /// The filter that it walks by.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navarena::mesh::NavSettings;

    fn floor() -> NavMesh {
        let vertices = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0f32]];
        NavMesh::build(&(&vertices[..], &[[0, 1, 2], [0, 2, 3]][..]), &NavSettings::HUMANOID).unwrap()
    }

    #[test]
    fn it_walks_to_the_bits_of_the_cores_follower() {
        let mesh = floor();
        let mut owned = mesh.create_follower().unwrap();
        let (options, query) = (FollowerOptions::HUMANOID, QueryDef::DEFAULT);
        let mut block = Block::new(&Source::Global, plan(&options, &query).bytes).unwrap();
        let mut arena = Arena::new(block.grains());
        let mut core = CoreFollower::new(&options, &mut arena).unwrap();
        let mut query = Query::new(&query, &mut arena).unwrap();
        let (from, to) = ([3.0, 0.0, 3.0], [16.0, 0.0, 11.0]);
        owned.place(&mesh, from).unwrap();
        owned.set_destination(&mesh, to).unwrap();
        assert!(core.place(mesh.core(), from, &Filter::ALL).unwrap());
        core.set_destination(mesh.core(), &mut query, to, &Filter::ALL).unwrap();
        for _ in 0..400 {
            owned.step(&mesh, 0.05).unwrap();
            core.step(mesh.core(), &mut query, &Filter::ALL, 0.05).unwrap();
            assert_eq!(owned.state_hash(), core.state_hash());
        }
        assert!(owned.has_reached_target());
    }

    #[test]
    fn a_place_off_the_mesh_and_broken_bytes_are_refused_and_change_nothing() {
        let mesh = floor();
        let mut follower = mesh.create_follower().unwrap();
        follower.place(&mesh, [3.0, 0.0, 3.0]).unwrap();
        let saved = follower.save_state().unwrap();
        let refused = follower.place(&mesh, [90.0, 0.0, 20.0]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Outside);
        assert!(follower.restore_state(&saved[..saved.len() - 1]).is_err());
        assert_eq!(follower.save_state().unwrap(), saved);
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        let options = FollowerOptions { max_speed: 0.0, ..FollowerOptions::HUMANOID };
        let refused = Follower::with_options(&options, Filter::new(), &Source::Global).unwrap_err();
        assert_eq!((refused.kind(), refused.subject()), (ErrorKind::Limit, Subject::Speed));
    }
}
