//! The crowd that owns its memory.

use crate::block::{Block, Source};
use crate::grow::doubled;
use crate::mesh::NavMesh;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use navarena::corridor::MAX_CORRIDOR;
use navarena::crowd::{AgentId, AgentOptions, AgentView, Crowd as CoreCrowd, CrowdDef, MAX_AGENTS};
use navarena::error::{ErrorKind, Result, Subject};
use navarena::follower::FollowerState;
use navarena::memory::{Arena, Plan, Ruler};
use navarena::query::{Filter, Query};
use self_cell::{MutBorrow, self_cell};

/// A crowd of the core and a query for each worker, in one block.
struct Inner<'m> {
    crowd: CoreCrowd<'m>,
    queries: Vec<Query<'m>>,
}

self_cell!(
    struct CrowdCell {
        owner: MutBorrow<Block>,
        #[covariant]
        dependent: Inner,
    }
);

impl CrowdCell {
    fn make(def: &CrowdDef, source: &Source) -> Result<CrowdCell> {
        let block = Block::new(source, plan(def).bytes)?;
        CrowdCell::try_new(MutBorrow::new(block), |block| {
            let mut arena = Arena::new(block.borrow_mut().grains());
            let crowd = CoreCrowd::new(def, &mut arena)?;
            let queries = (0..def.workers).map(|_| Query::new(&def.query(), &mut arena)).collect::<Result<_>>()?;
            Ok(Inner { crowd, queries })
        })
    }
}

fn plan(def: &CrowdDef) -> Plan {
    let query = def.query().plan();
    (0..def.workers).fold(Ruler::new().then(def.plan()), |ruler, _| ruler.then(query)).plan()
}

/// Agents that walk a [`NavMesh`], in memory that the crowd owns and grows.
///
/// It takes any number of agents, each with any corridor; everything else is the core's [`Crowd`](CoreCrowd), bit for bit.
/// The mesh is an argument of each call, so that it can change between steps. There is no clock: a step takes the time it is
/// told.
///
/// ```
/// use navarena_alloc::prelude::*;
/// // A floor of forty by forty meters.
/// let vertices = [[0.0, 0.0, 0.0], [0.0, 0.0, 40.0], [40.0, 0.0, 40.0], [40.0, 0.0, 0.0f32]];
/// let mesh = NavMesh::build(&(&vertices[..], &[[0, 1, 2], [0, 2, 3]][..]), &NavSettings::HUMANOID)?;
/// let mut crowd = mesh.create_crowd()?;
/// let mut walker = crowd.add(&mesh, [3.0, 0.0, 3.0], &AgentOptions::HUMANOID)?;
/// walker.set_destination(&mesh, [36.0, 0.0, 36.0])?;
/// let walker = walker.id();
/// for _ in 0..20 {
///     crowd.step(&mesh, 0.05)?;
/// }
/// assert!(crowd.agent(walker)?.remaining_distance() < 44.0);
///
/// // Roll back, walk again, and come to the same bits.
/// let saved = crowd.save_state(&mesh)?;
/// (0..50).try_for_each(|_| crowd.step(&mesh, 0.05))?;
/// let hash = crowd.state_hash(&mesh);
/// crowd.restore_state(&mesh, &saved)?;
/// (0..50).try_for_each(|_| crowd.step(&mesh, 0.05))?;
/// assert_eq!(crowd.state_hash(&mesh), hash);
/// # Ok::<(), navarena_alloc::Error>(())
/// ```
pub struct Crowd {
    cell: CrowdCell,
    filter: Filter,
    source: Source,
}

impl fmt::Debug for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crowd").field("core", self.core()).field("filter", &self.filter).finish_non_exhaustive()
    }
}

impl Crowd {
    /// An empty crowd for at first 16 agents, whose agents walk everywhere. Errors: memory.
    pub fn new(source: &Source) -> Result<Crowd> {
        Crowd::with_def(&CrowdDef { agents: 16, ..CrowdDef::DEFAULT }, Filter::new(), source)
    }

    /// An empty crowd that begins with other limits, keeps more or fewer walls, shares its steps among more workers, or walks
    /// by a filter. Errors: a limit out of its range, and memory.
    pub fn with_def(def: &CrowdDef, filter: Filter, source: &Source) -> Result<Crowd> {
        def.validate()?;
        Ok(Crowd { cell: CrowdCell::make(def, source)?, filter, source: *source })
    }

    /// Adds an agent on the polygon nearest to a position, standing still. It takes the lowest free slot.
    ///
    /// Errors: [`ErrorKind::Outside`] when the mesh is nowhere near, settings out of range, and memory.
    pub fn add(&mut self, mesh: &NavMesh, position: [f64; 3], options: &AgentOptions) -> Result<AgentMut<'_>> {
        let filter = self.filter;
        let id = loop {
            let add = |inner: &mut Inner<'_>| inner.crowd.add(mesh.core(), position, options, &filter);
            let refused = match self.cell.with_dependent_mut(|_, inner| add(inner)) {
                Ok(id) => break id,
                Err(error) => error,
            };
            let mut def = *self.core().def();
            match (refused.kind(), refused.subject()) {
                (ErrorKind::Capacity, Subject::Agents) => {
                    def.agents = doubled(def.agents, MAX_AGENTS).ok_or(refused)?;
                }
                (ErrorKind::Capacity, Subject::CorridorCapacity) => def.corridor = options.follower().corridor_capacity,
                _ => return Err(refused),
            }
            self.rebuild(mesh, &def)?;
        };
        Ok(AgentMut { crowd: self, id })
    }

    /// Takes an agent out. Errors: an agent that is not there.
    pub fn remove(&mut self, agent: AgentId) -> Result<()> {
        self.cell.with_dependent_mut(|_, inner| inner.crowd.remove(agent))
    }

    /// An agent, to be looked at. Errors: an agent that is not there.
    pub fn agent(&self, agent: AgentId) -> Result<AgentView<'_>> {
        self.core().agent(agent)
    }

    /// An agent, to be sent somewhere or changed. Errors: an agent that is not there.
    pub fn agent_mut(&mut self, agent: AgentId) -> Result<AgentMut<'_>> {
        self.core().agent(agent)?;
        Ok(AgentMut { crowd: self, id: agent })
    }

    /// The agents, in slot order.
    pub fn agents(&self) -> impl Iterator<Item = AgentView<'_>> {
        self.core().agents()
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.core().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.core().is_empty()
    }

    /// How many steps were made.
    pub fn step_count(&self) -> u64 {
        self.core().step_count()
    }

    /// Makes one step of a time in seconds, on this thread. Errors: a time that is not within 1e-6 to 1e6 seconds.
    pub fn step(&mut self, mesh: &NavMesh, dt: f64) -> Result<()> {
        let filter = self.filter;
        self.cell.with_dependent_mut(|_, Inner { crowd, queries }| match queries.first_mut() {
            Some(query) => crowd.step(mesh.core(), query, &filter, dt),
            None => Ok(()), // a def has one worker at least
        })
    }

    /// Lends the core's crowd with one query a worker and the filter, to share a step among threads, or for a call that
    /// this type has not.
    pub fn with_core<R>(&mut self, work: impl FnOnce(&mut CoreCrowd<'_>, &mut [Query<'_>], &Filter) -> R) -> R {
        let filter = self.filter;
        self.cell.with_dependent_mut(|_, Inner { crowd, queries }| work(crowd, queries, &filter))
    }

    /// Everything that the next step depends on, but for the mesh. The same state gives the same bytes on every machine.
    /// Errors: memory.
    pub fn save_state(&self, mesh: &NavMesh) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.core().state_size(mesh.core())];
        self.core().save_state(mesh.core(), &mut bytes)?;
        Ok(bytes)
    }

    /// Goes back to a saved state, all or nothing; growing for more agents than there is room for. Errors: the first thing
    /// in the bytes that breaks a rule, by name, and memory.
    pub fn restore_state(&mut self, mesh: &NavMesh, bytes: &[u8]) -> Result<()> {
        loop {
            let restore = |inner: &mut Inner<'_>| inner.crowd.restore_state(mesh.core(), bytes);
            let refused = match self.cell.with_dependent_mut(|_, inner| restore(inner)) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            let mut def = *self.core().def();
            // What was refused is a number of the bytes', so it is bounded before it is believed.
            let wanted = |most: u32| refused.refused().map_or(most, |wanted| wanted as u32).min(most);
            match (refused.kind(), refused.subject()) {
                (ErrorKind::Capacity, Subject::Agents) if wanted(MAX_AGENTS) > def.agents => {
                    def.agents = wanted(MAX_AGENTS);
                }
                (ErrorKind::Capacity, Subject::CorridorCapacity) if wanted(MAX_CORRIDOR as u32) > def.corridor => {
                    def.corridor = wanted(MAX_CORRIDOR as u32);
                }
                _ => return Err(refused),
            }
            self.rebuild(mesh, &def)?;
        }
    }

    /// The 64-bit hash of the saved state, to compare with another machine's.
    pub fn state_hash(&self, mesh: &NavMesh) -> u64 {
        self.core().state_hash(mesh.core())
    }

    /// The core's crowd, to be looked at.
    pub fn core(&self) -> &CoreCrowd<'_> {
        &self.cell.borrow_dependent().crowd
    }

    /// The filter that the agents walk by.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The same crowd in a block for other limits.
    fn rebuild(&mut self, mesh: &NavMesh, def: &CrowdDef) -> Result<()> {
        let bytes = self.save_state(mesh)?;
        let mut cell = CrowdCell::make(def, &self.source)?;
        cell.with_dependent_mut(|_, inner| inner.crowd.restore_state(mesh.core(), &bytes))?;
        self.cell = cell;
        Ok(())
    }
}

/// An agent of a crowd, to be sent somewhere or changed.
#[derive(Debug)]
pub struct AgentMut<'a> {
    crowd: &'a mut Crowd,
    id: AgentId,
}

impl AgentMut<'_> {
    /// Who it is: keep this, and ask the crowd for the agent when it is wanted.
    pub fn id(&self) -> AgentId {
        self.id
    }

    /// Sends it to the place on the mesh nearest to a position. Errors: a position that is not finite or past 2^21.
    pub fn set_destination(&mut self, mesh: &NavMesh, target: [f64; 3]) -> Result<FollowerState> {
        let (id, filter) = (self.id, self.crowd.filter);
        self.crowd.cell.with_dependent_mut(|_, Inner { crowd, queries }| match queries.first_mut() {
            Some(query) => crowd.set_destination(mesh.core(), query, id, target, &filter),
            None => Ok(FollowerState::default()), // a def has one worker at least
        })
    }

    /// Gives it other settings from the next step on. Errors: as the core's call of the same name.
    pub fn set_options(&mut self, options: &AgentOptions) -> Result<()> {
        let id = self.id;
        self.crowd.cell.with_dependent_mut(|_, inner| inner.crowd.set_options(id, options))
    }

    /// Changes its weight against others'. Errors: a priority that is not above 0 and up to 1e150.
    pub fn set_priority(&mut self, priority: f64) -> Result<()> {
        let id = self.id;
        self.crowd.cell.with_dependent_mut(|_, inner| inner.crowd.set_priority(id, priority))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navarena::crowd::CROWD_CORRIDOR;
    use navarena::follower::FollowerOptions;
    use navarena::mesh::NavSettings;

    fn floor() -> NavMesh {
        let vertices = [[0.0, 0.0, 0.0], [0.0, 0.0, 40.0], [40.0, 0.0, 40.0], [40.0, 0.0, 0.0f32]];
        NavMesh::build(&(&vertices[..], &[[0, 1, 2], [0, 2, 3]][..]), &NavSettings::HUMANOID).unwrap()
    }

    /// Twenty agents that cross, in a crowd that begins with room for some.
    fn crossing(mesh: &NavMesh, room: u32) -> Crowd {
        let def = CrowdDef { agents: room, ..CrowdDef::DEFAULT };
        let mut crowd = Crowd::with_def(&def, Filter::new(), &Source::Global).unwrap();
        for number in 0..20 {
            let x = 4.0 + 1.6 * f64::from(number);
            let mut agent = crowd.add(mesh, [x, 0.0, 5.0], &AgentOptions::HUMANOID).unwrap();
            agent.set_destination(mesh, [40.0 - x, 0.0, 35.0]).unwrap();
            crowd.step(mesh, 0.05).unwrap();
        }
        crowd
    }

    #[test]
    fn a_crowd_that_grew_is_the_one_that_had_room() {
        let mesh = floor();
        let (small, large) = (crossing(&mesh, 1), crossing(&mesh, 64));
        assert_eq!(small.save_state(&mesh).unwrap(), large.save_state(&mesh).unwrap());
        assert_eq!((small.len(), small.step_count()), (20, 20));
    }

    #[test]
    fn a_state_of_more_agents_is_restored_into_a_small_crowd() {
        let mesh = floor();
        let saved = crossing(&mesh, 64).save_state(&mesh).unwrap();
        let mut crowd = Crowd::new(&Source::Global).unwrap();
        crowd.restore_state(&mesh, &saved).unwrap();
        assert_eq!(crowd.save_state(&mesh).unwrap(), saved);
        let broken = &saved[..saved.len() - 1];
        assert!(crowd.restore_state(&mesh, broken).is_err());
        assert_eq!(crowd.save_state(&mesh).unwrap(), saved);
    }

    #[test]
    fn a_longer_corridor_makes_the_crowd_grow_too() {
        let (mesh, mut crowd) = (floor(), Crowd::new(&Source::Global).unwrap());
        let corridor_capacity = 2 * CROWD_CORRIDOR;
        let path = Some(FollowerOptions { corridor_capacity, ..FollowerOptions::HUMANOID });
        let options = AgentOptions { path, ..AgentOptions::HUMANOID };
        let agent = crowd.add(&mesh, [20.0, 0.0, 20.0], &options).unwrap().id();
        assert_eq!(crowd.core().def().corridor, corridor_capacity);
        assert_eq!(crowd.agents().map(|agent| agent.id()).collect::<Vec<_>>(), [agent]);
        crowd.remove(agent).unwrap();
        assert!(crowd.is_empty() && crowd.agent_mut(agent).is_err());
    }

    #[test]
    fn a_place_off_the_mesh_is_refused_and_changes_nothing() {
        let (mesh, mut crowd) = (floor(), Crowd::new(&Source::Global).unwrap());
        let refused = crowd.add(&mesh, [90.0, 0.0, 20.0], &AgentOptions::HUMANOID).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Outside);
        assert_eq!(crowd.core().def().agents, 16);
    }
}
