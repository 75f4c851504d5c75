//! Agents that walk by themselves, each toward its preferred velocity (`orca.md`, "Neighbours and constraint order", "The
//! step").

use super::box_index::{Bounds, BoxIndex};
use super::crew::{Crew, Desk, DeskSize, Shares, Task};
use super::ranges::{
    MAX_AGENTS, MAX_NEIGHBORS, MAX_OBSTACLE_EDGES, MAX_OBSTACLE_POINTS, MAX_WORKERS, Range, check_limit,
};
use super::velocity_obstacle::segment_distance_squared;
use super::{Encounter, Near, Nearest, NeighborIndex, for_agent, for_segment, solve};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::{add, scale, sub};
use crate::memory::{Arena, List, Plan, Pod, Ruler, SlotPool, Zeroable};

/// No coordinate, length or speed of a simulator reaches this.
const WORLD: f64 = (1u64 << 21) as f64;

/// The limits of a [`Simulator`].
///
/// Bytes: 183 an agent, 118 a segment, for each worker 80 for each neighbour and each edge, and a hundredth of that for
/// what stands above them.
///
/// ```
/// use navarena::avoidance::SimulatorDef;
/// const DEF: SimulatorDef = SimulatorDef { agents: 1000, obstacles: 0, ..SimulatorDef::DEFAULT };
/// assert!(DEF.plan().bytes <= 1000 * 185 + (16 + 16) * 80);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SimulatorDef {
    /// The most agents, 1 to 2^20.
    pub agents: u32,
    /// The most neighbours that any agent may be set to avoid, 1 to 256.
    pub neighbors: u32,
    /// The most obstacle segments, up to 2^20.
    pub obstacles: u32,
    /// The most segments that an agent avoids at once, 1 to 256. Of more within reach the nearest are avoided.
    pub edges: u32,
    /// Among how many workers a step may be shared, 1 to 256.
    pub workers: u32,
}

impl SimulatorDef {
    /// 1024 agents with up to 16 neighbours, 1024 segments of which 16 are avoided, one worker.
    pub const DEFAULT: SimulatorDef =
        SimulatorDef { agents: 1024, neighbors: 16, obstacles: 1024, edges: 16, workers: 1 };

    /// The memory that the simulator takes.
    pub const fn plan(&self) -> Plan {
        let (agents, obstacles) = (self.agents as usize, self.obstacles as usize);
        Ruler::new()
            .array::<Walker>(agents)
            .then(SlotPool::plan(agents))
            .then(NeighborIndex::plan(agents))
            .array::<Body>(agents)
            .array::<[f64; 3]>(agents)
            .array::<[[f64; 2]; 2]>(obstacles)
            .then(BoxIndex::plan(obstacles))
            .then(self.desk().plan())
            .plan()
    }

    const fn desk(&self) -> DeskSize {
        DeskSize {
            neighbors: self.neighbors as usize,
            edges: self.edges as usize,
            space: false,
            workers: self.workers as usize,
        }
    }

    fn validate(&self) -> Result<()> {
        check_limit(self.agents, 1, MAX_AGENTS, Subject::Agents)?;
        check_limit(self.neighbors, 1, MAX_NEIGHBORS, Subject::Neighbors)?;
        check_limit(self.obstacles, 0, MAX_OBSTACLE_POINTS, Subject::Obstacles)?;
        check_limit(self.edges, 1, MAX_OBSTACLE_EDGES, Subject::ObstacleEdges)?;
        check_limit(self.workers, 1, MAX_WORKERS, Subject::Workers)
    }
}

impl Default for SimulatorDef {
    fn default() -> Self {
        SimulatorDef::DEFAULT
    }
}

/// What an agent of a simulator is like. Lengths in meters, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AgentSettings {
    /// The disc it fills: above 0, below 2^21.
    pub radius: f64,
    /// The fastest it goes: 0 or more, below 2^21.
    pub max_speed: f64,
    /// It avoids others whose centers are nearer than this: 0 or more, below 2^21.
    pub neighbor_distance: f64,
    /// It avoids at most so many of them, the nearest: up to the def's limit.
    pub max_neighbors: u32,
    /// For how long it means not to collide with others: at least 1e-6.
    pub time_horizon: f64,
    /// For how long it means not to collide with obstacles: at least 1e-6.
    pub obstacle_horizon: f64,
}

impl AgentSettings {
    /// A person: radius 0.5, 1.5 m/s, ten neighbours within 10 m, two seconds ahead.
    pub const DEFAULT: AgentSettings = AgentSettings {
        radius: 0.5,
        max_speed: 1.5,
        neighbor_distance: 10.0,
        max_neighbors: 10,
        time_horizon: 2.0,
        obstacle_horizon: 2.0,
    };

    fn validate(&self, def: &SimulatorDef) -> Result<()> {
        let under = WORLD.next_down();
        Range::Above0(under).check(self.radius, Subject::AgentRadius)?;
        Range::UpTo(under).check(self.max_speed, Subject::Speed)?;
        Range::UpTo(under).check(self.neighbor_distance, Subject::NeighborDistance)?;
        check_limit(self.max_neighbors, 0, def.neighbors, Subject::Neighbors)?;
        Range::Time.check(self.time_horizon, Subject::TimeHorizon)?;
        Range::Time.check(self.obstacle_horizon, Subject::ObstacleHorizon)
    }
}

impl Default for AgentSettings {
    fn default() -> Self {
        AgentSettings::DEFAULT
    }
}

/// Which agent: a slot and its salt. After the agent is removed the reference is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AgentRef {
    slot: u32,
    salt: u32,
}

impl AgentRef {
    /// The slot, lowest first: the index by which ties are ordered.
    pub const fn slot(self) -> usize {
        self.slot as usize
    }
}

/// An agent's state and settings, in its slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Walker {
    position: [f64; 2],
    velocity: [f64; 2],
    preferred: [f64; 2],
    radius: f64,
    max_speed: f64,
    neighbor_distance: f64,
    time_horizon: f64,
    obstacle_horizon: f64,
    max_neighbors: u32,
    spare: u32,
}

impl Walker {
    fn set(&mut self, settings: &AgentSettings) {
        self.radius = settings.radius;
        self.max_speed = settings.max_speed;
        self.neighbor_distance = settings.neighbor_distance;
        self.max_neighbors = settings.max_neighbors;
        self.time_horizon = settings.time_horizon;
        self.obstacle_horizon = settings.obstacle_horizon;
    }
}

/// What others need to know of an agent, in the order of the neighbour index.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Body {
    velocity: [f64; 2],
    radius: f64,
}

/// Agents in slots, obstacle segments, and the step that moves them.
///
/// A step costs n log n and a few hundred nanoseconds an agent. It reads no clock and gives the same bits on every machine,
/// by any number of workers.
///
/// ```
/// use navarena::avoidance::{AgentSettings, Simulator, SimulatorDef};
/// use navarena::memory::{Arena, Memory};
/// const DEF: SimulatorDef = SimulatorDef { agents: 2, obstacles: 1, ..SimulatorDef::DEFAULT };
/// let mut region = Memory::<{ DEF.plan().bytes }>::new();
/// let mut simulator = Simulator::new(&DEF, &mut Arena::new(region.grains()))?;
///
/// let left = simulator.add_agent([-5.0, 0.0], &AgentSettings::DEFAULT)?;
/// let right = simulator.add_agent([5.0, 0.01], &AgentSettings::DEFAULT)?;
/// simulator.add_obstacle([-5.0, -3.0], [5.0, -3.0])?;
/// simulator.set_preferred_velocity(left, [1.0, 0.0])?;
/// simulator.set_preferred_velocity(right, [-1.0, 0.0])?;
/// for _ in 0..120 {
///     simulator.step(0.1)?;
/// }
/// assert!(simulator.position(left)?[0] > 4.0 && simulator.position(right)?[0] < -4.0);
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Simulator<'m> {
    def: SimulatorDef,
    walkers: &'m mut [Walker],
    slots: SlotPool<'m>,
    index: NeighborIndex<'m>,
    bodies: &'m mut [Body],
    solved: &'m mut [[f64; 3]],
    segments: List<'m, [[f64; 2]; 2]>,
    boxes: BoxIndex<'m>,
    /// Whether the boxes are those of the segments.
    packed: bool,
    crew: Crew<'m>,
}

impl<'m> Simulator<'m> {
    /// A simulator without agents or obstacles. A limit out of its range is refused by name, and a region too small.
    pub fn new(def: &SimulatorDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let (agents, obstacles) = (def.agents as usize, def.obstacles as usize);
        Ok(Simulator {
            def: *def,
            walkers: arena.take(agents)?,
            slots: SlotPool::new(agents, arena)?,
            index: NeighborIndex::new(agents, arena)?,
            bodies: arena.take(agents)?,
            solved: arena.take(agents)?,
            segments: List::over(arena.take(obstacles)?),
            boxes: BoxIndex::new(obstacles, arena)?,
            packed: true,
            crew: Crew::new(def.desk(), arena)?,
        })
    }

    /// Puts an agent, standing still and meaning to, into the lowest free slot.
    pub fn add_agent(&mut self, position: [f64; 2], settings: &AgentSettings) -> Result<AgentRef> {
        Range::Below(WORLD).check_all(&position, Subject::Position)?;
        settings.validate(&self.def)?;
        let slot = self.slots.take(Subject::Agents)?;
        self.walkers[slot] = Walker { position, ..Walker::default() };
        self.walkers[slot].set(settings);
        Ok(self.reference(slot))
    }

    /// Removes an agent and frees its slot.
    pub fn remove_agent(&mut self, agent: AgentRef) -> Result<()> {
        let slot = self.slot_of(agent)?;
        self.slots.release(slot);
        Ok(())
    }

    /// Replaces an agent's settings; its position and velocity stay.
    pub fn set_settings(&mut self, agent: AgentRef, settings: &AgentSettings) -> Result<()> {
        settings.validate(&self.def)?;
        self.walker_mut(agent)?.set(settings);
        Ok(())
    }

    /// Sets the velocity that an agent would have if it were alone.
    pub fn set_preferred_velocity(&mut self, agent: AgentRef, velocity: [f64; 2]) -> Result<()> {
        Range::Below(WORLD).check_all(&velocity, Subject::PreferredVelocity)?;
        self.walker_mut(agent)?.preferred = velocity;
        Ok(())
    }

    /// Sets an agent's velocity.
    pub fn set_velocity(&mut self, agent: AgentRef, velocity: [f64; 2]) -> Result<()> {
        Range::Below(WORLD).check_all(&velocity, Subject::Velocity)?;
        self.walker_mut(agent)?.velocity = velocity;
        Ok(())
    }

    /// Puts an agent elsewhere.
    pub fn set_position(&mut self, agent: AgentRef, position: [f64; 2]) -> Result<()> {
        Range::Below(WORLD).check_all(&position, Subject::Position)?;
        self.walker_mut(agent)?.position = position;
        Ok(())
    }

    /// Where an agent is.
    pub fn position(&self, agent: AgentRef) -> Result<[f64; 2]> {
        Ok(self.walkers[self.slot_of(agent)?].position)
    }

    /// The velocity that an agent has.
    pub fn velocity(&self, agent: AgentRef) -> Result<[f64; 2]> {
        Ok(self.walkers[self.slot_of(agent)?].velocity)
    }

    /// The agents, in slot order.
    pub fn agents(&self) -> impl Iterator<Item = AgentRef> + '_ {
        (0..self.walkers.len()).filter(|&slot| self.slots.is_used(slot)).map(|slot| self.reference(slot))
    }

    /// How many agents there are.
    pub fn agent_count(&self) -> usize {
        self.slots.used()
    }

    /// Adds a segment that agents keep away from on both sides; its index orders ties.
    pub fn add_obstacle(&mut self, a: [f64; 2], b: [f64; 2]) -> Result<usize> {
        Range::Below(WORLD).check_all(&[a[0], a[1], b[0], b[1]], Subject::Obstacle)?;
        let index = self.segments.len();
        self.segments.push([a, b], Subject::Obstacles)?;
        self.packed = false;
        Ok(index)
    }

    /// Removes all segments.
    pub fn clear_obstacles(&mut self) {
        self.segments.clear();
        self.packed = false;
    }

    /// Gives every agent its new velocity and moves it by that for `dt` seconds.
    ///
    /// `dt` is at least 1e-6. Should an agent leave the world (2^21), the step is refused, naming the agent, and nothing
    /// moves.
    pub fn step(&mut self, dt: f64) -> Result<()> {
        let mut step = self.begin_step(dt)?;
        step.shares(1)?.for_each(|share| share.solve());
        step.finish()
    }

    /// Begins a step that several workers solve.
    ///
    /// ```
    /// # use navarena::avoidance::{AgentSettings, Simulator, SimulatorDef};
    /// # use navarena::memory::{Arena, Memory};
    /// const DEF: SimulatorDef = SimulatorDef { agents: 8, obstacles: 0, workers: 2, ..SimulatorDef::DEFAULT };
    /// # let mut region = Memory::<{ DEF.plan().bytes }>::new();
    /// # let mut simulator = Simulator::new(&DEF, &mut Arena::new(region.grains()))?;
    /// # simulator.add_agent([0.0, 0.0], &AgentSettings::DEFAULT)?;
    /// let mut step = simulator.begin_step(0.1)?;
    /// let shares = step.shares(2)?;
    /// std::thread::scope(|scope| shares.for_each(|share| drop(scope.spawn(|| share.solve()))));
    /// step.finish()?;
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn begin_step(&mut self, dt: f64) -> Result<SimulatorStep<'_, 'm>> {
        Range::Time.check(dt, Subject::TimeStep)?;
        let walkers = &self.walkers;
        let active = (0..walkers.len()).filter(|&slot| self.slots.is_used(slot));
        self.index.sort(active.map(|slot| (slot as u32, walkers[slot].position)))?;
        for (place, body) in self.bodies[..self.index.len()].iter_mut().enumerate() {
            let walker = &walkers[self.index.name(place) as usize];
            *body = Body { velocity: walker.velocity, radius: walker.radius };
        }
        if !self.packed {
            self.pack()?;
        }
        self.crew.open();
        Ok(SimulatorStep { simulator: self, dt, shared: false })
    }

    fn pack(&mut self) -> Result<()> {
        let segments = &self.segments;
        self.boxes.pack(segments.len(), |name| Bounds::of_segment(segments[name][0], segments[name][1]))?;
        self.packed = true;
        Ok(())
    }

    fn reference(&self, slot: usize) -> AgentRef {
        AgentRef { slot: slot as u32, salt: self.slots.salt(slot) }
    }

    fn slot_of(&self, agent: AgentRef) -> Result<usize> {
        let slot = agent.slot();
        if self.slots.is_used(slot) && self.slots.salt(slot) == agent.salt {
            Ok(slot)
        } else {
            Err(Error::new(ErrorKind::Stale, Subject::Agent).at(slot))
        }
    }

    fn walker_mut(&mut self, agent: AgentRef) -> Result<&mut Walker> {
        let slot = self.slot_of(agent)?;
        Ok(&mut self.walkers[slot])
    }
}

/// A step under way. Dropped without [`finish`](Self::finish), nothing has moved.
#[derive(Debug)]
pub struct SimulatorStep<'s, 'm> {
    simulator: &'s mut Simulator<'m>,
    dt: f64,
    shared: bool,
}

impl SimulatorStep<'_, '_> {
    /// The step's agents in shares for so many workers, at most the def's. Refused: none (kind `Invalid`), more (kind
    /// `Capacity`).
    pub fn shares(&mut self, workers: usize) -> Result<Shares<'_, SimulatorTask<'_>>> {
        let Simulator { walkers, index, bodies, solved, segments, boxes, crew, .. } = &mut *self.simulator;
        let count = index.len();
        let task = SimulatorTask { walkers, index, bodies: &bodies[..count], segments, boxes, dt: self.dt };
        let shares = crew.share_out(workers, task, &mut solved[..count])?;
        self.shared = true;
        Ok(shares)
    }

    /// Moves every agent. Refused while a share is unsolved (kind `State`), and when an agent would leave the world (kind
    /// `Outside`); then nothing has moved.
    pub fn finish(self) -> Result<()> {
        let Simulator { walkers, index, solved, crew, .. } = self.simulator;
        crew.close()?;
        if !self.shared {
            return Err(Error::new(ErrorKind::State, Subject::Workers));
        }
        let moved = |walkers: &[Walker], place: usize| {
            let (slot, [x, y, _]) = (index.name(place) as usize, solved[place]);
            (slot, [x, y], add(walkers[slot].position, scale([x, y], self.dt)))
        };
        for place in 0..index.len() {
            let (slot, _, position) = moved(walkers, place);
            if !(position[0].abs() < WORLD && position[1].abs() < WORLD) {
                return Err(Error::new(ErrorKind::Outside, Subject::Agent).at(slot));
            }
        }
        for place in 0..index.len() {
            let (slot, velocity, position) = moved(walkers, place);
            walkers[slot].velocity = velocity;
            walkers[slot].position = position;
        }
        Ok(())
    }
}

/// What a simulator's workers see.
#[derive(Clone, Copy, Debug)]
pub struct SimulatorTask<'a> {
    walkers: &'a [Walker],
    index: &'a NeighborIndex<'a>,
    bodies: &'a [Body],
    segments: &'a [[[f64; 2]; 2]],
    boxes: &'a BoxIndex<'a>,
    dt: f64,
}

impl Task for SimulatorTask<'_> {
    fn solve(&self, place: usize, desk: &mut Desk<'_>) -> [f64; 3] {
        let slot = self.index.name(place);
        let me = &self.walkers[slot as usize];
        let hard = self.avoid_obstacles(me, desk);
        let count = self.avoid_agents(me, slot, hard, desk);
        // The desk has room for every constraint, so the program is never refused.
        let constraints = &desk.planes[..count];
        let [x, y] = solve(constraints, hard, me.max_speed, me.preferred, desk.relaxed).unwrap_or_default();
        [x, y, 0.0]
    }
}

impl SimulatorTask<'_> {
    /// The constraints of the nearest segments within reach, in order; how many.
    fn avoid_obstacles(&self, me: &Walker, desk: &mut Desk<'_>) -> usize {
        if self.boxes.is_empty() {
            return 0;
        }
        let reach = me.obstacle_horizon * me.max_speed + me.radius;
        let mut list = Nearest::up_to(reach * reach, desk.edges);
        self.boxes.visit([me.position[0], me.position[1], 0.0], reach, |name| {
            let [a, b] = self.segments[name as usize].map(|end| sub(end, me.position));
            let distance = segment_distance_squared(a, b);
            if list.admits(distance) {
                list.offer(Near { distance, name, place: name }, |a, b| a < b);
            }
        });
        for (near, plane) in list.as_slice().iter().zip(desk.planes.iter_mut()) {
            let [a, b] = self.segments[near.name as usize].map(|end| sub(end, me.position));
            *plane = for_segment(a, b, me.radius, me.obstacle_horizon, self.dt);
        }
        list.as_slice().len()
    }

    /// The constraints of the nearest neighbours behind those of the obstacles; how many in all.
    fn avoid_agents(&self, me: &Walker, slot: u32, hard: usize, desk: &mut Desk<'_>) -> usize {
        let room = &mut desk.near[..me.max_neighbors as usize];
        let mut list = Nearest::below(me.neighbor_distance * me.neighbor_distance, room);
        self.index.nearest(me.position, &mut list, |name, _| name != slot, |a, b| a < b);
        for (near, plane) in list.as_slice().iter().zip(&mut desk.planes[hard..]) {
            let [x, y, _] = self.index.point(near.place as usize);
            let other = &self.bodies[near.place as usize];
            *plane = for_agent(&Encounter {
                offset: sub([x, y], me.position),
                velocity: me.velocity,
                other_velocity: other.velocity,
                radius: me.radius + other.radius,
                horizon: me.time_horizon,
                step: self.dt,
                share: 0.5,
            });
        }
        hard + list.as_slice().len()
    }
}
