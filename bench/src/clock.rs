//! The only clock of the project's measurements: best of several runs, two sides in strict alternation.

use std::hint::black_box;
use std::time::Duration;

/// How often something is run.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// Runs before the clock counts.
    pub warm_up: u32,
    /// Runs of which the best counts.
    pub timed: u32,
}

/// The best time of each side.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Ours.
    pub ours: Duration,
    /// Theirs.
    pub theirs: Duration,
}

impl Best {
    /// Ours divided by theirs: below 1 is faster.
    pub fn ratio(&self) -> f64 {
        self.ours.as_secs_f64() / self.theirs.as_secs_f64()
    }
}

/// Runs both sides in turns and keeps each side's best time. What a run gives is kept from being optimized away, and
/// dropped outside of the time.
pub fn alternate<A, B>(rounds: Rounds, mut ours: impl FnMut() -> A, mut theirs: impl FnMut() -> B) -> Best {
    let mut best = Best { ours: Duration::MAX, theirs: Duration::MAX };
    for round in 0..rounds.warm_up + rounds.timed {
        let (our_time, their_time) = (time(&mut ours), time(&mut theirs));
        if round >= rounds.warm_up {
            best.ours = best.ours.min(our_time);
            best.theirs = best.theirs.min(their_time);
        }
    }
    best
}

/// As [`alternate`] for many short questions that each side is asked one after the other: of every `together` of them the
/// best time counts, and those are added up. On a busy machine no whole round goes undisturbed, but each of its parts does in one.
pub fn alternate_over<Q, A, B>(
    rounds: Rounds,
    questions: &[Q],
    together: usize,
    mut ours: impl FnMut(&[Q]) -> A,
    mut theirs: impl FnMut(&[Q]) -> B,
) -> Best {
    let parts: Vec<&[Q]> = questions.chunks(together.max(1)).collect();
    let mut best = vec![Best { ours: Duration::MAX, theirs: Duration::MAX }; parts.len()];
    for round in 0..rounds.warm_up + rounds.timed {
        let our_times: Vec<Duration> = parts.iter().map(|part| time(&mut || ours(part))).collect();
        let their_times: Vec<Duration> = parts.iter().map(|part| time(&mut || theirs(part))).collect();
        if round >= rounds.warm_up {
            for (best, (ours, theirs)) in best.iter_mut().zip(our_times.into_iter().zip(their_times)) {
                *best = Best { ours: best.ours.min(ours), theirs: best.theirs.min(theirs) };
            }
        }
    }
    Best { ours: best.iter().map(|part| part.ours).sum(), theirs: best.iter().map(|part| part.theirs).sum() }
}

/// The time of one run.
#[expect(clippy::disallowed_methods, reason = "the clock measures a run and decides nothing in it")]
pub fn time<R>(run: &mut impl FnMut() -> R) -> Duration {
    let start = std::time::Instant::now();
    let result = black_box(run());
    let elapsed = start.elapsed();
    drop(result);
    elapsed
}
