//! The crowd: its slots, who comes, who goes, and where they are sent (`crowds.md`, "Agents and slots").

use super::agent::{ACTIVE, Agent, AgentId, Body, Motion, WALLS_FOUND};
use super::def::CrowdDef;
use super::options::AgentOptions;
use super::step::Phase;
use super::view::AgentView;
use super::walls::Wall;
use crate::avoidance::{HalfPlane, NeighborIndex};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::follower::{Follower, FollowerState, WalkPlan};
use crate::memory::{Arena, Grain, Zeroable};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::noted_corners::NotedCorners;
use crate::query::{PolygonFilter, Query};

/// The largest number of an agent and of a step.
pub(super) const LAST_NUMBER: u64 = u64::MAX >> 1;

/// Agents that walk one mesh, in memory that their caller handed over.
///
/// ```
/// # use navarena::memory::{Arena, Grain};
/// # use navarena::mesh::{MeshDef, MeshLimits, NavMesh, TileData, TilePolygon};
/// use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
/// use navarena::query::{Filter, Query, QueryDef};
/// # let def = MeshDef { limits: MeshLimits { tiles: 4, staged: 2, ..MeshLimits::DEFAULT }, ..MeshDef::HUMANOID };
/// # let mut region = vec![Grain::ZERO; def.plan().grains()];
/// # let mut mesh = NavMesh::new(&def, &mut Arena::new(&mut region))?;
/// # let floor = TileData {
/// #     x: 0, z: 0, layer: 0, origin: [0.0; 3],
/// #     vertices: &[[0.0, 0.0, 0.0], [64.0, 0.0, 0.0], [64.0, 0.0, 64.0], [0.0, 0.0, 64.0]],
/// #     polygons: &[TilePolygon { vertex_count: 4, flags: 1, ..TilePolygon::default() }],
/// #     indices: &[0, 1, 2, 3], neighbors: &[0; 4], portal_sides: &[255; 4],
/// #     detail_vertices: &[], detail_triangles: &[], off_mesh: &[],
/// # };
/// # mesh.put_tile_data(&floor)?;
/// const CROWD: CrowdDef = CrowdDef { agents: 8, ..CrowdDef::DEFAULT };
/// const QUERY: QueryDef = QueryDef { nodes: 512, ..CROWD.query() };
/// # let mut region = vec![Grain::ZERO; CROWD.plan().grains() + QUERY.plan().grains()];
/// # let mut arena = Arena::new(&mut region);
/// let mut crowd = Crowd::new(&CROWD, &mut arena)?;
/// let mut query = Query::new(&QUERY, &mut arena)?;
/// for (x, to) in [(10.0, 20.0), (20.0, 10.0)] {
///     let agent = crowd.add(&mesh, [x, 0.0, 30.0], &AgentOptions::HUMANOID, &Filter::ALL)?;
///     crowd.set_destination(&mesh, &mut query, agent, [to, 0.0, 30.0], &Filter::ALL)?;
/// }
/// let mut saved = vec![0; crowd.state_size(&mesh)];
/// crowd.save_state(&mesh, &mut saved)?;
/// for _ in 0..150 {
///     crowd.step(&mesh, &mut query, &Filter::ALL, 1.0 / 30.0)?;
/// }
/// assert!(crowd.agents().all(|agent| agent.has_reached_target()));
/// // The same steps from the same state come to the same bits.
/// let hash = crowd.state_hash(&mesh);
/// crowd.restore_state(&mesh, &saved)?;
/// for _ in 0..150 {
///     crowd.step(&mesh, &mut query, &Filter::ALL, 1.0 / 30.0)?;
/// }
/// assert_eq!(crowd.state_hash(&mesh), hash);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Crowd<'m> {
    pub(super) def: CrowdDef,
    pub(super) agents: &'m mut [Agent],
    /// What each follower wants, from plan to move.
    pub(super) plans: &'m mut [WalkPlan],
    pub(super) motions: &'m mut [Motion],
    /// Each agent as it was when the step began.
    pub(super) bodies: &'m mut [Body],
    /// Each slot's walls, one run after the other.
    pub(super) walls: &'m mut [Wall],
    /// Each slot's corridor.
    pub(super) corridors: &'m mut [PolyRef],
    pub(super) index: NeighborIndex<'m>,
    /// Each slot's half-planes of the last step, and how many, where they are recorded.
    pub(super) lines: &'m mut [HalfPlane],
    pub(super) line_counts: &'m mut [u32],
    /// Each slot's corners, where they are kept.
    pub(super) noted: &'m mut [NotedCorners],
    /// The workers' memory, one run after the other.
    pub(super) desks: &'m mut [Grain],
    /// 1 for a share of a phase that was given out and not done.
    pub(super) pending: &'m mut [u32],
    /// Slots that ever held an agent: they are never given back.
    pub(super) slot_count: usize,
    pub(super) agent_count: usize,
    /// No slot below this one is free.
    pub(super) lowest_free: usize,
    pub(super) next_number: u64,
    pub(super) steps: u64,
    pub(super) phase: Phase,
    pub(super) most_agents: usize,
}

impl<'m> Crowd<'m> {
    /// An empty crowd.
    ///
    /// # Errors
    /// A limit out of its range, or less memory than [`CrowdDef::plan`] says.
    pub fn new(def: &CrowdDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let agents = def.agents as usize;
        let workers = def.workers as usize;
        let crowd = Crowd {
            def: *def,
            agents: arena.take(agents)?,
            plans: arena.take(agents)?,
            motions: arena.take(agents)?,
            bodies: arena.take(agents)?,
            walls: arena.take(agents * def.walls as usize)?,
            corridors: arena.take(agents * def.corridor as usize)?,
            index: NeighborIndex::new(agents, arena)?,
            lines: arena.take(def.recorded(agents))?,
            line_counts: arena.take_zeroed(if def.records_constraints { agents } else { 0 })?,
            noted: arena.take(def.noted())?,
            desks: arena.take(workers * def.desk_grains())?,
            pending: arena.take_zeroed(workers)?,
            slot_count: 0,
            agent_count: 0,
            lowest_free: 0,
            next_number: 0,
            steps: 0,
            phase: Phase::None,
            most_agents: 0,
        };
        Ok(crowd)
    }

    /// What it was made from.
    pub fn def(&self) -> &CrowdDef {
        &self.def
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.agent_count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.agent_count == 0
    }

    /// One more than the highest slot that ever held an agent.
    pub fn slot_count(&self) -> usize {
        self.slot_count
    }

    /// How many steps were made.
    pub fn step_count(&self) -> u64 {
        self.steps
    }

    /// The most agents that there ever were at once.
    pub fn high_water(&self) -> usize {
        self.most_agents
    }

    /// Adds an agent in the lowest free slot, on the polygon nearest to a position, standing still with nowhere to go.
    ///
    /// # Errors
    /// Settings out of range; a position that is not finite or not within 2^21; [`ErrorKind::Outside`] when no accepted
    /// polygon is within the search extents; a capacity error when all slots are taken, or for a corridor that is longer than
    /// the def's. All leave the crowd as it is.
    pub fn add<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        position: [f64; 3],
        options: &AgentOptions,
        filter: &F,
    ) -> Result<AgentId> {
        options.validate()?;
        self.check_corridor(options)?;
        let slot = (self.lowest_free..self.slot_count).find(|&slot| !self.agents[slot].is_active());
        let slot = slot.unwrap_or(self.slot_count);
        if slot >= self.agents.len() || self.next_number >= LAST_NUMBER {
            return Err(Error::capacity(Subject::Agents, self.agents.len()));
        }
        let mut agent = Agent { settings: options.into(), flags: ACTIVE, ..Agent::zeroed() };
        let path = corridor_of(self.corridors, slot, &self.def, options);
        let mut follower = Follower::of_slot(options.follower(), &mut agent.follower, path);
        if !follower.place(mesh, position, filter)? {
            return Err(Error::new(ErrorKind::Outside, Subject::Position));
        }
        agent.number = self.next_number;
        agent.priority = options.priority;
        self.agents[slot] = agent;
        self.motions[slot] = Motion::default();
        self.forget_constraints(slot);
        self.slot_count = self.slot_count.max(slot + 1);
        self.lowest_free = slot + 1;
        self.agent_count += 1;
        self.most_agents = self.most_agents.max(self.agent_count);
        self.next_number += 1;
        Ok(AgentId { number: agent.number, slot: slot as u32 })
    }

    /// Takes an agent out and frees its slot.
    ///
    /// # Errors
    /// [`ErrorKind::Stale`] for an agent that is gone, [`ErrorKind::Invalid`] for one that never was.
    pub fn remove(&mut self, agent: AgentId) -> Result<()> {
        let slot = self.find(agent)?;
        self.agents[slot].flags = 0;
        self.agent_count -= 1;
        self.lowest_free = self.lowest_free.min(slot);
        self.forget_constraints(slot);
        Ok(())
    }

    /// Gives an agent other settings from the next step on. Position, velocity, destination and way stay; its priority is that
    /// of the settings, and its walls are looked up again.
    ///
    /// # Errors
    /// Settings out of range, or path settings with another corridor capacity or number of corners than it has; an agent that
    /// is not there, as for [`remove`](Crowd::remove). All leave it as it is.
    pub fn set_options(&mut self, agent: AgentId, options: &AgentOptions) -> Result<()> {
        options.validate()?;
        let slot = self.find(agent)?;
        let (now, wanted) = (self.agents[slot].options().follower(), options.follower());
        let fixed = [
            (wanted.corridor_capacity, now.corridor_capacity, Subject::CorridorCapacity),
            (wanted.max_corners, now.max_corners, Subject::MaxCorners),
        ];
        if let Some((wanted, now, subject)) = fixed.into_iter().find(|(wanted, now, _)| wanted != now) {
            return Err(Error::invalid(subject).value(wanted.into()).bound(now.into()));
        }
        let agent = &mut self.agents[slot];
        agent.settings = options.into();
        agent.priority = options.priority;
        agent.flags &= !WALLS_FOUND;
        Ok(())
    }

    /// Changes an agent's weight against others': above 0, up to 1e150.
    ///
    /// # Errors
    /// A priority out of its range; an agent that is not there, as for [`remove`](Crowd::remove).
    pub fn set_priority(&mut self, agent: AgentId, priority: f64) -> Result<()> {
        let slot = self.find(agent)?;
        AgentOptions { priority, ..AgentOptions::HUMANOID }.validate()?;
        self.agents[slot].priority = priority;
        Ok(())
    }

    /// Sends an agent somewhere: [`Follower::set_destination`].
    ///
    /// # Errors
    /// Those of [`Follower::set_destination`]; an agent that is not there, as for [`remove`](Crowd::remove).
    pub fn set_destination<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        agent: AgentId,
        target: [f64; 3],
        filter: &F,
    ) -> Result<FollowerState> {
        self.follower(agent)?.set_destination(mesh, query, target, filter)
    }

    /// Says that the crossing of a link that the host animates is over: [`Follower::complete_off_mesh_link`].
    ///
    /// # Errors
    /// Those of [`Follower::complete_off_mesh_link`]; an agent that is not there, as for [`remove`](Crowd::remove).
    pub fn complete_off_mesh_link<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        agent: AgentId,
        filter: &F,
    ) -> Result<()> {
        self.follower(agent)?.complete_off_mesh_link(mesh, query, filter)
    }

    /// An agent, to be looked at.
    ///
    /// # Errors
    /// An agent that is not there, as for [`remove`](Crowd::remove).
    pub fn agent(&self, agent: AgentId) -> Result<AgentView<'_>> {
        Ok(self.view(self.find(agent)?))
    }

    /// The agents, in slot order.
    pub fn agents(&self) -> impl Iterator<Item = AgentView<'_>> {
        (0..self.slot_count).filter(|&slot| self.agents[slot].is_active()).map(|slot| self.view(slot))
    }

    /// The agent with a number, as it was counted when it was added.
    pub fn find_number(&self, number: u64) -> Option<AgentId> {
        self.agents().map(|agent| agent.id()).find(|id| id.number == number)
    }

    pub(super) fn find(&self, agent: AgentId) -> Result<usize> {
        let slot = agent.slot();
        let there = self.agents[..self.slot_count].get(slot);
        if there.is_some_and(|there| there.is_active() && there.number == agent.number) {
            return Ok(slot);
        }
        let kind = if agent.number < self.next_number { ErrorKind::Stale } else { ErrorKind::Invalid };
        Err(Error::new(kind, Subject::Agent).at(slot))
    }

    fn follower(&mut self, agent: AgentId) -> Result<Follower<'_>> {
        let slot = self.find(agent)?;
        let agent = &mut self.agents[slot];
        let options = agent.options();
        let path = corridor_of(self.corridors, slot, &self.def, &options);
        Ok(Follower::of_slot(options.follower(), &mut agent.follower, path))
    }

    /// Refuses a corridor for which a slot has no room.
    pub(super) fn check_corridor(&self, options: &AgentOptions) -> Result<()> {
        let (wanted, room) = (options.follower().corridor_capacity, self.def.corridor);
        if wanted > room {
            return Err(Error::capacity(Subject::CorridorCapacity, room as usize).value(wanted.into()));
        }
        Ok(())
    }

    pub(super) fn forget_constraints(&mut self, slot: usize) {
        if let Some(count) = self.line_counts.get_mut(slot) {
            *count = 0;
        }
    }
}

/// The part of a slot's corridor memory that its agent uses.
pub(super) fn corridor_of<'a>(
    corridors: &'a mut [PolyRef],
    slot: usize,
    def: &CrowdDef,
    options: &AgentOptions,
) -> &'a mut [PolyRef] {
    let first = slot * def.corridor as usize;
    &mut corridors[first..first + options.follower().corridor_capacity as usize]
}
