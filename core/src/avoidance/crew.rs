//! Sharing the agents of a step out among workers: each share reads what all see and writes its own results.

use super::half_space::HalfSpace;
use super::{HalfPlane, Near};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::memory::{Arena, Plan, Ruler, cut};

/// How much room a worker needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeskSize {
    pub neighbors: usize,
    pub edges: usize,
    /// Constraints in space too.
    pub space: bool,
    pub workers: usize,
}

impl DeskSize {
    const fn constraints(&self) -> usize {
        self.neighbors + self.edges
    }

    const fn spaces(&self) -> usize {
        if self.space { self.constraints() } else { 0 }
    }

    pub const fn plan(&self) -> Plan {
        let DeskSize { neighbors, edges, workers, .. } = *self;
        Ruler::new()
            .array::<Near>(workers * neighbors)
            .array::<Near>(workers * edges)
            .array::<HalfPlane>(workers * self.constraints())
            .array::<HalfPlane>(workers * self.constraints())
            .array::<HalfSpace>(workers * self.spaces())
            .array::<HalfSpace>(workers * self.spaces())
            .array::<u32>(workers)
            .plan()
    }
}

/// The room of all workers.
#[derive(Debug)]
pub(super) struct Crew<'m> {
    size: DeskSize,
    near: &'m mut [Near],
    edges: &'m mut [Near],
    planes: &'m mut [HalfPlane],
    relaxed: &'m mut [HalfPlane],
    spaces: &'m mut [HalfSpace],
    relaxed_spaces: &'m mut [HalfSpace],
    /// 1 for a share that was given out and not solved.
    pending: &'m mut [u32],
}

/// One worker's room.
#[derive(Debug)]
pub struct Desk<'a> {
    pub(super) near: &'a mut [Near],
    pub(super) edges: &'a mut [Near],
    pub(super) planes: &'a mut [HalfPlane],
    pub(super) relaxed: &'a mut [HalfPlane],
    pub(super) spaces: &'a mut [HalfSpace],
    pub(super) relaxed_spaces: &'a mut [HalfSpace],
    pending: &'a mut [u32],
}

impl<'m> Crew<'m> {
    pub fn new(size: DeskSize, arena: &mut Arena<'m>) -> Result<Self> {
        let workers = size.workers;
        Ok(Crew {
            size,
            near: arena.take(workers * size.neighbors)?,
            edges: arena.take(workers * size.edges)?,
            planes: arena.take(workers * size.constraints())?,
            relaxed: arena.take(workers * size.constraints())?,
            spaces: arena.take(workers * size.spaces())?,
            relaxed_spaces: arena.take(workers * size.spaces())?,
            pending: arena.take_zeroed(workers)?,
        })
    }

    /// Nothing is given out, nothing solved.
    pub fn open(&mut self) {
        self.pending.fill(0);
    }

    /// Refuses to end a step in which a share was left unsolved.
    pub fn close(&self) -> Result<()> {
        match self.pending.iter().position(|&pending| pending != 0) {
            Some(share) => Err(Error::new(ErrorKind::State, Subject::Workers).at(share)),
            None => Ok(()),
        }
    }

    /// Cuts the results, in their order, into shares for so many workers.
    pub fn share_out<'a, T: Task>(
        &'a mut self,
        workers: usize,
        task: T,
        results: &'a mut [[f64; 3]],
    ) -> Result<Shares<'a, T>> {
        if workers == 0 {
            return Err(Error::invalid(Subject::Workers).value(0.0));
        }
        if workers > self.size.workers {
            return Err(Error::capacity(Subject::Workers, self.size.workers).value(workers as f64));
        }
        self.pending.fill(0);
        self.pending[..workers].fill(1);
        let size = self.size;
        let rest = Desk {
            near: self.near,
            edges: self.edges,
            planes: self.planes,
            relaxed: self.relaxed,
            spaces: self.spaces,
            relaxed_spaces: self.relaxed_spaces,
            pending: &mut self.pending[..workers],
        };
        let each = results.len().div_ceil(workers);
        Ok(Shares { task, size, each, first: 0, results, rest })
    }
}

/// How the velocity of one agent is found. Implemented here alone.
pub trait Task: Copy {
    /// The new velocity of the agent at a place.
    fn solve(&self, place: usize, desk: &mut Desk<'_>) -> [f64; 3];
}

/// The shares of a step, one for each worker.
#[derive(Debug)]
pub struct Shares<'a, T> {
    task: T,
    size: DeskSize,
    each: usize,
    first: usize,
    results: &'a mut [[f64; 3]],
    rest: Desk<'a>,
}

impl<'a, T: Task> Iterator for Shares<'a, T> {
    type Item = Share<'a, T>;

    fn next(&mut self) -> Option<Share<'a, T>> {
        if self.rest.pending.is_empty() {
            return None;
        }
        let count = self.each.min(self.results.len());
        let (size, rest) = (self.size, &mut self.rest);
        let desk = Desk {
            near: cut(&mut rest.near, size.neighbors),
            edges: cut(&mut rest.edges, size.edges),
            planes: cut(&mut rest.planes, size.constraints()),
            relaxed: cut(&mut rest.relaxed, size.constraints()),
            spaces: cut(&mut rest.spaces, size.spaces()),
            relaxed_spaces: cut(&mut rest.relaxed_spaces, size.spaces()),
            pending: cut(&mut rest.pending, 1),
        };
        let share = Share { task: self.task, first: self.first, results: cut(&mut self.results, count), desk };
        self.first += count;
        Some(share)
    }
}

/// One worker's part of a step: give it to any thread. Every share must be solved before the step is finished; the
/// velocities are the same however many there are.
#[derive(Debug)]
pub struct Share<'a, T> {
    task: T,
    first: usize,
    results: &'a mut [[f64; 3]],
    desk: Desk<'a>,
}

impl<T: Task> Share<'_, T> {
    /// Finds the new velocities of the share's agents.
    pub fn solve(mut self) {
        for (place, result) in (self.first..).zip(self.results) {
            *result = self.task.solve(place, &mut self.desk);
        }
        self.desk.pending.fill(0);
    }
}
