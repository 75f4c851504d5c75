//! A crowd's step on several threads: each phase is shared out among them, to the same bits for any number.

use navarena::avoidance::MAX_WORKERS;
use navarena::crowd::{AvoidShare, CrowdStep};
use navarena::error::{Error, Result};
use navarena_alloc::{Crowd, NavMesh};
use std::thread;

/// The most threads that a step is shared among.
pub const MAX_THREADS: usize = MAX_WORKERS as usize;

/// Makes one step of a crowd on as many threads as it has workers.
///
/// Errors: as [`Crowd::step`]'s.
pub fn step(crowd: &mut Crowd, mesh: &NavMesh, dt: f64) -> Result<()> {
    if crowd.core().def().workers == 1 {
        return crowd.step(mesh, dt);
    }
    crowd.with_core(|crowd, queries, filter| {
        let workers = queries.len();
        let mut step: CrowdStep<'_, '_> = crowd.begin_step(dt)?;
        on_threads(step.plan(workers)?.zip(queries.iter_mut()), |(share, query)| {
            share.run(mesh.core(), query, filter)
        })?;
        on_threads(step.avoid(workers)?, |share: AvoidShare<'_>| {
            share.run();
            Ok(())
        })?;
        on_threads(step.walk(workers)?.zip(queries.iter_mut()), |(share, query)| {
            share.run(mesh.core(), query, filter)
        })?;
        step.finish()
    })
}

/// Runs the shares of a phase, each on a thread, the last one on this one. Of several refusals the first share's is told.
fn on_threads<S: Send>(shares: impl Iterator<Item = S>, run: impl Fn(S) -> Result<()> + Sync) -> Result<()> {
    let mut shares: Vec<S> = shares.collect();
    let Some(own) = shares.pop() else { return Ok(()) };
    thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = shares.into_iter().map(|share| scope.spawn(move || run(share))).collect();
        let own = run(own);
        let done: Vec<Result<()>> = others.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect();
        done.into_iter().chain([own]).collect()
    })
}

/// A thread that panicked hands its panic on.
fn panicked(panic: Box<dyn std::any::Any + Send>) -> std::result::Result<(), Error> {
    std::panic::resume_unwind(panic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use navarena::crowd::{AgentOptions, CrowdDef};
    use navarena::mesh::NavSettings;
    use navarena::query::Filter;
    use navarena_alloc::Source;
    use navarena_fixtures::yard;

    #[test]
    fn any_number_of_threads_comes_to_the_same_bits() {
        let mesh = NavMesh::build(&yard::level().soup()[..], &NavSettings::HUMANOID).unwrap();
        let hash_by = |workers: u32| {
            let def = CrowdDef { agents: 30, workers, ..CrowdDef::DEFAULT };
            let mut crowd = Crowd::with_def(&def, Filter::new(), &Source::Global).unwrap();
            let mut random = navarena::math::SplitMix64::new(1);
            for _ in 0..30 {
                let [from, to] = [(); 2].map(|()| mesh.random_point(&mut random).unwrap().point);
                crowd.add(&mesh, from, &AgentOptions::HUMANOID).unwrap().set_destination(&mesh, to).unwrap();
            }
            (0..150).for_each(|_| step(&mut crowd, &mesh, 1.0 / 30.0).unwrap());
            crowd.state_hash(&mesh)
        };
        let alone = hash_by(1);
        assert!([2, 5, 16, 40].into_iter().all(|workers| hash_by(workers) == alone));
    }
}
