//! A step in three phases, each shared out by slots among workers (`crowds.md`, "Step").
//!
//! In a phase an agent writes what is its own and reads what the phase began with, so neither the number of workers nor
//! who is late shows in the result. The page deals slots out in groups of 32; here a worker's slots lie together, which
//! does not show either.
//!
//! Shares are not inlined where they are run: one after the other in one function they would need the stack of all at once.

use super::agent::{Agent, Body, Motion};
use super::avoid::Avoiding;
use super::crowd::{Crowd, LAST_NUMBER};
use super::def::CrowdDef;
use super::plan::Planner;
use super::walls::Wall;
use crate::avoidance::{HalfPlane, MIN_TIME};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::follower::WalkPlan;
use crate::math::clamp;
use crate::memory::{Grain, cut};
use crate::mesh::{NavMesh, PolyRef};
use crate::query::noted_corners::NotedCorners;
use crate::query::{PolygonFilter, Query};

/// The longest step, in seconds.
const MAX_TIME: f64 = 1e6;
/// No step leads to a velocity beyond this: a world's width in the shortest time.
const FASTEST: f64 = (1u64 << 43) as f64;

/// How far a step has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    #[default]
    None,
    Begun,
    Plan,
    Avoid,
    Move,
}

impl<'m> Crowd<'m> {
    /// Makes one step of a time: everybody plans, avoids and moves.
    ///
    /// # Errors
    /// A time that is not within 1e-6 to 1e6 seconds; a capacity error for a query with room for fewer polygons than an
    /// agent's corridor, or fewer points than its most corners. Both leave the crowd as it is.
    ///
    /// # Cost
    /// Linear in the agents, but for a sort of their places; a search for walls for each that has come farther than the
    /// refresh distance since its last; no memory.
    pub fn step<F: PolygonFilter>(
        &mut self,
        mesh: &NavMesh<'_>,
        query: &mut Query<'_>,
        filter: &F,
        dt: f64,
    ) -> Result<()> {
        self.check_room(query)?;
        let mut step = self.begin_step(dt)?;
        step.plan(1)?.try_for_each(|share| share.run(mesh, query, filter))?;
        step.avoid(1)?.for_each(AvoidShare::run);
        step.walk(1)?.try_for_each(|share| share.run(mesh, query, filter))?;
        step.finish()
    }

    /// Begins a step that is shared out among workers: the three phases of a [`CrowdStep`] in their order, each wholly done
    /// before the next. Between the phases the mesh may not change.
    ///
    /// A step that is not finished leaves every agent in some state that it might have had, and the count of steps as it was.
    ///
    /// ```
    /// # use navarena::memory::{Arena, Grain};
    /// # use navarena::mesh::{MeshDef, NavMesh};
    /// # use navarena::crowd::{Crowd, CrowdDef};
    /// # use navarena::query::{Filter, Query};
    /// # let mut region = vec![Grain::ZERO; MeshDef::HUMANOID.plan().grains()];
    /// # let mesh = NavMesh::new(&MeshDef::HUMANOID, &mut Arena::new(&mut region))?;
    /// const CROWD: CrowdDef = CrowdDef { agents: 100, workers: 2, ..CrowdDef::DEFAULT };
    /// # let mut region = vec![Grain::ZERO; CROWD.plan().grains() + 2 * CROWD.query().plan().grains()];
    /// # let mut arena = Arena::new(&mut region);
    /// let mut crowd = Crowd::new(&CROWD, &mut arena)?;
    /// let mut queries = [Query::new(&CROWD.query(), &mut arena)?, Query::new(&CROWD.query(), &mut arena)?];
    /// let mut step = crowd.begin_step(1.0 / 60.0)?;
    /// // Each share could run on a thread of its own.
    /// for (share, query) in step.plan(2)?.zip(&mut queries) {
    ///     share.run(&mesh, query, &Filter::ALL)?;
    /// }
    /// step.avoid(2)?.for_each(|share| share.run());
    /// for (share, query) in step.walk(2)?.zip(&mut queries) {
    ///     share.run(&mesh, query, &Filter::ALL)?;
    /// }
    /// step.finish()?;
    /// # Ok::<(), navarena::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// A time that is not within 1e-6 to 1e6 seconds.
    pub fn begin_step(&mut self, dt: f64) -> Result<CrowdStep<'_, 'm>> {
        if dt.is_nan() {
            return Err(Error::invalid(Subject::TimeStep).value(dt));
        }
        if !(MIN_TIME..=MAX_TIME).contains(&dt) {
            let bound = if dt < MIN_TIME { MIN_TIME } else { MAX_TIME };
            return Err(Error::limit(Subject::TimeStep).value(dt).bound(bound));
        }
        self.note_bodies()?;
        // Of a step that was given up, shares may be left.
        self.pending.fill(0);
        self.phase = Phase::Begun;
        Ok(CrowdStep { crowd: self, dt })
    }

    /// Notes where everybody is and how fast, and sorts it.
    fn note_bodies(&mut self) -> Result<()> {
        let active = |(slot, agent): (usize, &Agent)| agent.is_active().then_some(slot);
        for slot in self.agents[..self.slot_count].iter().enumerate().filter_map(active) {
            let follower = &self.agents[slot].follower;
            let ([x, _, z], [vx, _, vz]) = (follower.position(), follower.velocity());
            // Velocities of a step are far below the bound; those of a saved state may be anything.
            let velocity = [vx, vz].map(|part| clamp(part, -FASTEST, FASTEST));
            self.bodies[slot] = Body { position: [x, z], velocity };
        }
        let bodies = &*self.bodies;
        let active = self.agents[..self.slot_count].iter().enumerate().filter_map(active);
        self.index.sort(active.map(|slot| (slot as u32, bodies[slot].position)))
    }

    fn check_room(&self, query: &Query<'_>) -> Result<()> {
        self.agents[..self.slot_count].iter().filter(|agent| agent.is_active()).try_for_each(|agent| {
            let options = agent.options().follower();
            query.check_room(options.corridor_capacity as usize, options.max_corners as usize)
        })
    }

    /// Opens the next phase for so many workers.
    fn open(&mut self, phase: Phase, workers: usize) -> Result<()> {
        let before = match phase {
            Phase::Plan => Phase::Begun,
            Phase::Avoid => Phase::Plan,
            _ => Phase::Avoid,
        };
        self.close(before)?;
        if workers == 0 {
            return Err(Error::invalid(Subject::Workers).value(0.0));
        }
        if workers > self.pending.len() {
            return Err(Error::capacity(Subject::Workers, self.pending.len()).value(workers as f64));
        }
        self.phase = phase;
        self.pending[..workers].fill(1);
        Ok(())
    }

    /// Refuses to go on from a phase that was not gone through whole.
    fn close(&mut self, phase: Phase) -> Result<()> {
        if self.phase != phase {
            return Err(Error::new(ErrorKind::State, Subject::Step));
        }
        match self.pending.iter().position(|&pending| pending != 0) {
            Some(share) => Err(Error::new(ErrorKind::State, Subject::Workers).at(share)),
            None => Ok(()),
        }
    }
}

/// A step under way: [`plan`](CrowdStep::plan), then [`avoid`](CrowdStep::avoid), then [`walk`](CrowdStep::walk), then
/// [`finish`](CrowdStep::finish). Each phase gives shares, which are run one after the other or on threads.
///
/// A phase out of turn, or after one with a share that was not run or refused, is a state error.
#[derive(Debug)]
pub struct CrowdStep<'a, 'm> {
    crowd: &'a mut Crowd<'m>,
    dt: f64,
}

impl CrowdStep<'_, '_> {
    /// Phase 1: corridors are kept, ways planned, walls looked up, links crossed.
    ///
    /// # Errors
    /// No workers, or more than the def's.
    pub fn plan(&mut self, workers: usize) -> Result<impl Iterator<Item = PlanShare<'_>>> {
        self.crowd.open(Phase::Plan, workers)?;
        let mut cutter = Cutter::new(self.crowd, workers, self.dt);
        Ok(core::iter::from_fn(move || cutter.next()).map(PlanShare))
    }

    /// Phase 2: everybody finds a velocity that avoids the others and the walls.
    ///
    /// # Errors
    /// As for [`plan`](CrowdStep::plan).
    pub fn avoid(&mut self, workers: usize) -> Result<impl Iterator<Item = AvoidShare<'_>>> {
        self.crowd.open(Phase::Avoid, workers)?;
        Ok(avoid_shares(self.crowd, workers, self.dt))
    }

    /// Phase 3: everybody moves along the surface.
    ///
    /// # Errors
    /// As for [`plan`](CrowdStep::plan).
    pub fn walk(&mut self, workers: usize) -> Result<impl Iterator<Item = MoveShare<'_>>> {
        self.crowd.open(Phase::Move, workers)?;
        let mut cutter = Cutter::new(self.crowd, workers, self.dt);
        Ok(core::iter::from_fn(move || cutter.next()).map(MoveShare))
    }

    /// Ends the step.
    ///
    /// # Errors
    /// [`ErrorKind::State`] when a phase is missing or was not gone through whole.
    pub fn finish(self) -> Result<()> {
        self.crowd.close(Phase::Move)?;
        self.crowd.phase = Phase::None;
        self.crowd.steps = (self.crowd.steps + 1) & LAST_NUMBER;
        Ok(())
    }
}

/// Cuts what plan and move write into runs of slots.
struct Cutter<'a> {
    rest: Own<'a>,
    /// Slots of a share.
    each: usize,
}

/// What plan and move write of some slots, and what they read.
#[derive(Debug)]
struct Own<'a> {
    def: CrowdDef,
    dt: f64,
    agents: &'a mut [Agent],
    plans: &'a mut [WalkPlan],
    motions: &'a mut [Motion],
    bodies: &'a [Body],
    walls: &'a mut [Wall],
    corridors: &'a mut [PolyRef],
    desk: &'a mut [Grain],
    /// Empty where corners are not kept.
    noted: &'a mut [NotedCorners],
    pending: &'a mut [u32],
}

impl<'a> Cutter<'a> {
    fn new(crowd: &'a mut Crowd<'_>, workers: usize, dt: f64) -> Cutter<'a> {
        let (slots, def) = (crowd.slot_count, crowd.def);
        let rest = Own {
            def,
            dt,
            agents: &mut crowd.agents[..slots],
            plans: crowd.plans,
            motions: crowd.motions,
            bodies: &crowd.bodies[..slots],
            walls: crowd.walls,
            corridors: crowd.corridors,
            desk: crowd.desks,
            noted: crowd.noted,
            pending: &mut crowd.pending[..workers],
        };
        Cutter { rest, each: slots.div_ceil(workers) }
    }

    fn next(&mut self) -> Option<Own<'a>> {
        let (each, rest) = (self.each, &mut self.rest);
        if rest.pending.is_empty() {
            return None;
        }
        let (bodies, after) = rest.bodies.split_at(each.min(rest.bodies.len()));
        rest.bodies = after;
        Some(Own {
            def: rest.def,
            dt: rest.dt,
            agents: cut(&mut rest.agents, each),
            plans: cut(&mut rest.plans, each),
            motions: cut(&mut rest.motions, each),
            bodies,
            walls: cut(&mut rest.walls, each * rest.def.walls as usize),
            corridors: cut(&mut rest.corridors, each * rest.def.corridor as usize),
            desk: cut(&mut rest.desk, rest.def.desk_grains()),
            noted: cut(&mut rest.noted, each),
            pending: cut(&mut rest.pending, 1),
        })
    }
}

impl Own<'_> {
    /// Runs `work` on each agent of the share.
    fn each(self, mut work: impl FnMut(&mut Planner<'_>) -> Result<()>) -> Result<()> {
        let (walls, corridor) = (self.def.walls as usize, self.def.corridor as usize);
        for (slot, agent) in self.agents.iter_mut().enumerate().filter(|(_, agent)| agent.is_active()) {
            let mut planner = Planner {
                def: &self.def,
                dt: self.dt,
                agent,
                plan: &mut self.plans[slot],
                motion: &mut self.motions[slot],
                body: &self.bodies[slot],
                walls: &mut self.walls[slot * walls..(slot + 1) * walls],
                corridor: &mut self.corridors[slot * corridor..(slot + 1) * corridor],
                desk: self.desk,
                noted: self.noted.get_mut(slot),
            };
            work(&mut planner)?;
        }
        self.pending.fill(0);
        Ok(())
    }
}

/// One worker's part of the plan phase.
#[derive(Debug)]
pub struct PlanShare<'a>(Own<'a>);

impl PlanShare<'_> {
    /// Plans the share's agents.
    ///
    /// # Errors
    /// A capacity error for a query that is too small, as for [`Crowd::step`]; the share then counts as not run.
    #[inline(never)]
    pub fn run<F: PolygonFilter>(self, mesh: &NavMesh<'_>, query: &mut Query<'_>, filter: &F) -> Result<()> {
        self.0.each(|planner| planner.plan(mesh, query, filter))
    }
}

/// One worker's part of the last phase.
#[derive(Debug)]
pub struct MoveShare<'a>(Own<'a>);

impl MoveShare<'_> {
    /// Moves the share's agents.
    ///
    /// # Errors
    /// As for [`PlanShare::run`].
    #[inline(never)]
    pub fn run<F: PolygonFilter>(self, mesh: &NavMesh<'_>, query: &mut Query<'_>, filter: &F) -> Result<()> {
        self.0.each(|planner| planner.walk(mesh, query, filter))
    }
}

/// What a worker of the second phase writes.
#[derive(Debug)]
pub(super) struct Results<'a> {
    pub motions: &'a mut [Motion],
    pub lines: &'a mut [HalfPlane],
    pub line_counts: &'a mut [u32],
    pub desk: &'a mut [Grain],
}

fn avoid_shares<'a>(crowd: &'a mut Crowd<'_>, workers: usize, dt: f64) -> impl Iterator<Item = AvoidShare<'a>> {
    let slots = crowd.slot_count;
    let scene = Avoiding {
        def: crowd.def,
        dt,
        agents: &crowd.agents[..slots],
        bodies: &crowd.bodies[..slots],
        walls: crowd.walls,
        index: &crowd.index,
    };
    let (each, recorded) = (slots.div_ceil(workers), crowd.def.recorded(1));
    let mut rest = Results {
        motions: &mut crowd.motions[..slots],
        lines: crowd.lines,
        line_counts: crowd.line_counts,
        desk: crowd.desks,
    };
    let mut pending = &mut crowd.pending[..workers];
    let mut first = 0;
    core::iter::from_fn(move || {
        if pending.is_empty() {
            return None;
        }
        let results = Results {
            motions: cut(&mut rest.motions, each),
            lines: cut(&mut rest.lines, each * recorded),
            line_counts: cut(&mut rest.line_counts, each),
            desk: cut(&mut rest.desk, scene.def.desk_grains()),
        };
        let share = AvoidShare { scene, first, results, pending: cut(&mut pending, 1) };
        first += each;
        Some(share)
    })
}

/// One worker's part of the phase in which everybody avoids.
#[derive(Debug)]
pub struct AvoidShare<'a> {
    scene: Avoiding<'a>,
    first: usize,
    results: Results<'a>,
    pending: &'a mut [u32],
}

impl AvoidShare<'_> {
    /// Finds the velocities of the share's agents.
    #[inline(never)]
    pub fn run(mut self) {
        self.scene.solve_all(self.first, &mut self.results);
        self.pending.fill(0);
    }
}
