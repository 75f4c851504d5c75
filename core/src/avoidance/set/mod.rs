//! The host's contract: agents and obstacles handed in, velocities handed out (`maul-nav/avoidance.md`).

mod def;
mod elements;
mod plane;
mod space;

pub use def::AvoidanceDef;
pub use elements::{Agent, Flier, MAX_COORDINATE, MAX_RADIUS, MAX_SPEED, Obstacle, Sphere};
pub use plane::PlaneTask;
pub use space::SpaceTask;

use super::NeighborIndex;
use super::box_index::BoxIndex;
use super::crew::{Crew, Shares, Task};
use super::ranges::Range;
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::math::vector;
use crate::memory::{Arena, List, Pod, Zeroable};

/// An edge or a circle of an obstacle, or a sphere.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
struct Piece {
    /// Which obstacle or sphere.
    obstacle: u32,
    /// The point that the edge begins with.
    point: u32,
}

/// Finds the velocities of agents that avoid each other and obstacles, in the plane and in space.
///
/// Nothing of a call is kept for the next: positions and velocities are the host's. The same agents get the same
/// velocities in any order and from any number of workers, on every machine. An agent is never faster than its maximum
/// speed, to the last bit: `sqrt(v . v)` does not exceed it.
///
/// An agent whom others or obstacles hold back from its preferred velocity aims one percent of its speed to the right of
/// it, so agents that meet in perfect symmetry pass. When no velocity permits everything, it is the one that keeps clear
/// of the obstacles and breaks the others' constraints least. Of more neighbours or obstacles within reach than the limits
/// say, the nearest are avoided.
///
/// ```
/// use navarena::avoidance::{Agent, Avoidance, AvoidanceDef, Obstacle};
/// use navarena::memory::{Arena, Grain};
/// let def = AvoidanceDef { agents: 2, obstacle_points: 4, ..AvoidanceDef::DEFAULT };
/// let mut region = vec![Grain::ZERO; def.plan().grains()];
/// let mut avoidance = Avoidance::new(&def, &mut Arena::new(&mut region))?;
///
/// let one = Agent { position: [-6.0, 0.0], preferred: [1.4, 0.0], id: 1, ..Agent::DEFAULT };
/// let two = Agent { position: [6.0, 0.0], preferred: [-1.4, 0.0], id: 2, ..Agent::DEFAULT };
/// let pillar = Obstacle { points: &[[0.0, 3.0]], radius: 0.4, ..Obstacle::NONE };
/// let mut agents = [one, two];
/// let mut velocities = [[0.0; 2]; 2];
/// for _ in 0..100 {
///     avoidance.avoid(&agents, &[pillar], 0.1, &mut velocities)?;
///     for (agent, velocity) in agents.iter_mut().zip(velocities) {
///         agent.velocity = velocity;
///         agent.position = [agent.position[0] + velocity[0] * 0.1, agent.position[1] + velocity[1] * 0.1];
///     }
/// }
/// assert!(agents[0].position[0] > 5.0 && agents[1].position[0] < -5.0); // head on, and past each other
/// # Ok::<(), navarena::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Avoidance<'m> {
    def: AvoidanceDef,
    index: NeighborIndex<'m>,
    pieces: List<'m, Piece>,
    boxes: BoxIndex<'m>,
    solved: &'m mut [[f64; 3]],
    crew: Crew<'m>,
}

impl<'m> Avoidance<'m> {
    /// A set with the memory of its limits. A limit out of its range is refused by name, and a region too small.
    pub fn new(def: &AvoidanceDef, arena: &mut Arena<'m>) -> Result<Self> {
        def.validate()?;
        arena.check(def.plan())?;
        let (agents, points) = (def.agents as usize, def.obstacle_points as usize);
        Ok(Avoidance {
            def: *def,
            index: NeighborIndex::new(agents, arena)?,
            pieces: List::over(arena.take(points)?),
            boxes: BoxIndex::new(points, arena)?,
            solved: arena.take(agents)?,
            crew: Crew::new(def.desk(), arena)?,
        })
    }

    /// What it was made from.
    pub fn def(&self) -> &AvoidanceDef {
        &self.def
    }

    /// Finds each agent's new velocity, in the order of the agents.
    ///
    /// `step` is the time for which the velocities will be used: finite, at least 1e-6. Refused, by name and index: what is
    /// no number or has no sense (kind `Invalid`), what is past a bound of [`Agent`] or [`Obstacle`] (kind `Limit`), more
    /// agents or obstacle points than the def's (kind `Capacity`), and fewer velocities than agents (kind `Capacity`). A
    /// refused call writes no velocity. Costs n log n and about a microsecond an agent.
    pub fn avoid(
        &mut self,
        agents: &[Agent],
        obstacles: &[Obstacle<'_>],
        step: f64,
        velocities: &mut [[f64; 2]],
    ) -> Result<()> {
        let mut avoiding = self.begin(agents, obstacles, step)?;
        avoiding.shares(1)?.for_each(|share| share.solve());
        avoiding.finish(velocities)
    }

    /// The same for fliers and spheres, +Y being up.
    ///
    /// ```
    /// use navarena::avoidance::{Avoidance, AvoidanceDef, Flier, Sphere};
    /// use navarena::memory::{Arena, Grain};
    /// let def = AvoidanceDef { agents: 1, obstacle_points: 1, ..AvoidanceDef::DEFAULT };
    /// let mut region = vec![Grain::ZERO; def.plan().grains()];
    /// let mut avoidance = Avoidance::new(&def, &mut Arena::new(&mut region))?;
    /// let flier = Flier { preferred: [0.0, 0.0, -1.0], ..Flier::DEFAULT };
    /// let balloon = Sphere { center: [0.0, 0.1, -3.0], radius: 1.0, ..Sphere::DEFAULT };
    /// let mut velocity = [[0.0; 3]];
    /// avoidance.avoid_in_space(&[flier], &[balloon], 0.1, &mut velocity)?;
    /// assert!(velocity[0][2] > -0.8 && velocity[0][1] < 0.0); // slower, and under it
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    pub fn avoid_in_space(
        &mut self,
        fliers: &[Flier],
        spheres: &[Sphere],
        step: f64,
        velocities: &mut [[f64; 3]],
    ) -> Result<()> {
        let mut avoiding = self.begin_in_space(fliers, spheres, step)?;
        avoiding.shares(1)?.for_each(|share| share.solve());
        avoiding.finish(velocities)
    }

    /// Checks and sorts what [`avoid`](Self::avoid) is given, for several workers to solve.
    pub fn begin<'s>(
        &'s mut self,
        agents: &'s [Agent],
        obstacles: &'s [Obstacle<'s>],
        step: f64,
    ) -> Result<Avoiding<'s, 'm, PlaneTask<'s>>> {
        self.admit(agents.len(), step)?;
        agents.iter().enumerate().try_for_each(|(at, agent)| agent.check().map_err(|error| error.at(at)))?;
        self.take_pieces(obstacles)?;
        let Avoidance { def, index, pieces, boxes, solved, crew } = self;
        index.sort(agents.iter().enumerate().map(|(name, agent)| (name as u32, agent.position)))?;
        let horizon = def.obstacle_horizon;
        boxes.pack(pieces.len(), |name| {
            plane::bounds_of(&obstacles[pieces[name].obstacle as usize], &pieces[name], horizon)
        })?;
        let task = PlaneTask { def, agents, obstacles, pieces, index, boxes, step };
        Ok(Avoiding::new(task, index, &mut solved[..agents.len()], crew))
    }

    /// The same for [`avoid_in_space`](Self::avoid_in_space).
    pub fn begin_in_space<'s>(
        &'s mut self,
        fliers: &'s [Flier],
        spheres: &'s [Sphere],
        step: f64,
    ) -> Result<Avoiding<'s, 'm, SpaceTask<'s>>> {
        self.admit(fliers.len(), step)?;
        fliers.iter().enumerate().try_for_each(|(at, flier)| flier.check().map_err(|error| error.at(at)))?;
        let limit = self.def.obstacle_points as usize;
        if spheres.len() > limit {
            return Err(Error::capacity(Subject::ObstaclePoints, limit));
        }
        spheres.iter().enumerate().try_for_each(|(at, sphere)| sphere.check().map_err(|error| error.at(at)))?;
        let Avoidance { def, index, boxes, solved, crew, .. } = self;
        index.sort_in_space(fliers.iter().enumerate().map(|(name, flier)| (name as u32, flier.position)))?;
        let horizon = def.obstacle_horizon;
        boxes.pack(spheres.len(), |name| space::bounds_of(&spheres[name], horizon))?;
        let task = SpaceTask { def, fliers, spheres, index, boxes, step };
        Ok(Avoiding::new(task, index, &mut solved[..fliers.len()], crew))
    }

    fn admit(&self, agents: usize, step: f64) -> Result<()> {
        Range::Time.check(step, Subject::TimeStep)?;
        let limit = self.def.agents as usize;
        if agents > limit { Err(Error::capacity(Subject::Agents, limit)) } else { Ok(()) }
    }

    /// Checks the obstacles and lists their edges and circles.
    fn take_pieces(&mut self, obstacles: &[Obstacle<'_>]) -> Result<()> {
        self.pieces.clear();
        let limit = self.def.obstacle_points as usize;
        let mut points = 0usize;
        for (at, obstacle) in obstacles.iter().enumerate() {
            points = points.saturating_add(obstacle.points.len());
            if points > limit {
                return Err(Error::capacity(Subject::ObstaclePoints, limit));
            }
            obstacle.check().map_err(|error| error.at(at))?;
            for point in 0..obstacle.piece_count() {
                let piece = Piece { obstacle: at as u32, point: point as u32 };
                self.pieces.push(piece, Subject::ObstaclePoints)?;
            }
        }
        Ok(())
    }
}

/// A call under way, its agents checked and sorted.
#[derive(Debug)]
pub struct Avoiding<'s, 'm, T> {
    task: T,
    index: &'s NeighborIndex<'s>,
    solved: &'s mut [[f64; 3]],
    crew: &'s mut Crew<'m>,
    shared: bool,
}

impl<'s, 'm, T: Task> Avoiding<'s, 'm, T> {
    fn new(task: T, index: &'s NeighborIndex<'s>, solved: &'s mut [[f64; 3]], crew: &'s mut Crew<'m>) -> Self {
        crew.open();
        Avoiding { task, index, solved, crew, shared: false }
    }

    /// The agents in shares for so many workers, at most the def's. Refused: none (kind `Invalid`), more (kind `Capacity`).
    pub fn shares(&mut self, workers: usize) -> Result<Shares<'_, T>> {
        let shares = self.crew.share_out(workers, self.task, self.solved)?;
        self.shared = true;
        Ok(shares)
    }

    /// Writes the velocities in the order of the agents.
    fn hand_out<const N: usize>(self, velocities: &mut [[f64; N]]) -> Result<()> {
        self.crew.close()?;
        if !self.shared {
            return Err(Error::new(ErrorKind::State, Subject::Workers));
        }
        if velocities.len() < self.solved.len() {
            return Err(Error::capacity(Subject::Velocities, velocities.len()));
        }
        for (place, solved) in self.solved.iter().enumerate() {
            velocities[self.index.name(place) as usize] = vector(|axis| solved[axis]);
        }
        Ok(())
    }
}

impl<'s> Avoiding<'s, '_, PlaneTask<'s>> {
    /// Writes each agent's velocity. Refused while a share is unsolved (kind `State`), and for fewer velocities than agents
    /// (kind `Capacity`).
    pub fn finish(self, velocities: &mut [[f64; 2]]) -> Result<()> {
        self.hand_out(velocities)
    }
}

impl<'s> Avoiding<'s, '_, SpaceTask<'s>> {
    /// The same for fliers.
    pub fn finish(self, velocities: &mut [[f64; 3]]) -> Result<()> {
        self.hand_out(velocities)
    }
}
