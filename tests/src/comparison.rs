//! Two sets of paths between the same pairs, compared: who finds which, how long, and where they differ much.

use std::fmt::Write as _;

use crate::recast::{Outcome, Pair};

/// Beyond this, a difference in length is looked into.
pub const LARGE: f64 = 0.05;

/// Our answer to a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// How the search ended.
    pub outcome: Outcome,
    /// Length of the string-pulled path, world units.
    pub length: f64,
    /// Length of the shortest way that our mesh has at all, by an oracle that shares nothing with the search; only
    /// computed where the lengths differ much.
    pub shortest: Option<f64>,
}

/// Why two lengths differ by more than [`LARGE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Theirs is longer than a way that our mesh has.
    TheirsLonger,
    /// Our mesh has a way about as short as theirs, but our search took another corridor.
    OurCorridor,
    /// No way on our mesh is about as short as theirs: the meshes differ there.
    OtherMesh,
}

impl Cause {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::TheirsLonger => "theirs is longer than a way our mesh has",
            Cause::OurCorridor => "our mesh has a way as short, our search took another corridor",
            Cause::OtherMesh => "our mesh has no way as short",
        }
    }
}

/// The comparison of a whole set.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Pairs that they found.
    pub theirs_found: usize,
    /// Of those, the ones we found too.
    pub both_found: usize,
    /// Pairs that we found and they did not.
    pub ours_alone: usize,
    /// The pairs that they found and we did not.
    pub missed: Vec<usize>,
    /// Mean length over the pairs that both found: theirs, ours.
    pub mean: (f64, f64),
    /// Differences beyond [`LARGE`], worst first: the pair, ours over theirs, the cause.
    pub large: Vec<(usize, f64, Cause)>,
}

impl Comparison {
    /// Compares answers pair by pair.
    pub fn new(pairs: &[Pair], answers: &[Answer]) -> Comparison {
        let mut all = Comparison::default();
        let mut sums = (0.0, 0.0);
        for (index, (pair, answer)) in pairs.iter().zip(answers).enumerate() {
            match (pair.outcome == Outcome::Found, answer.outcome == Outcome::Found) {
                (true, false) => all.missed.push(index),
                (false, true) => all.ours_alone += 1,
                (false, false) => {}
                (true, true) => {
                    all.both_found += 1;
                    sums = (sums.0 + pair.length, sums.1 + answer.length);
                    all.note_large(index, pair.length, answer);
                }
            }
        }
        all.theirs_found = all.both_found + all.missed.len();
        let count = all.both_found.max(1) as f64;
        all.mean = (sums.0 / count, sums.1 / count);
        all.large.sort_by(|a, b| badness(b.1).total_cmp(&badness(a.1)));
        all
    }

    fn note_large(&mut self, index: usize, theirs: f64, answer: &Answer) {
        if !differs_much(answer.length, theirs) {
            return;
        }
        let cause = match answer.shortest {
            _ if answer.length < theirs => Cause::TheirsLonger,
            Some(shortest) if !differs_much(shortest, theirs) || shortest < theirs => Cause::OurCorridor,
            _ => Cause::OtherMesh,
        };
        self.large.push((index, answer.length / theirs, cause));
    }

    /// The share of the pairs they found that we found too.
    pub fn found_share(&self) -> f64 {
        self.both_found as f64 / self.theirs_found.max(1) as f64
    }

    /// Our mean length over theirs, less 1: above 0 is longer.
    pub fn mean_excess(&self) -> f64 {
        self.mean.1 / self.mean.0 - 1.0
    }

    /// The comparison in words: every missed pair, the large differences by cause, and the ten worst.
    pub fn describe(&self, pairs: &[Pair], answers: &[Answer]) -> String {
        let mut text = format!(
            "  found by them {}, by both {} ({:.1}%), by us alone {}; mean length over both: theirs {:.4}, ours {:.4} ({:+.2}%)\n",
            self.theirs_found,
            self.both_found,
            100.0 * self.found_share(),
            self.ours_alone,
            self.mean.0,
            self.mean.1,
            100.0 * self.mean_excess()
        );
        // Writing to a string can't fail.
        for &index in &self.missed {
            let (pair, answer) = (&pairs[index], &answers[index]);
            let _ =
                writeln!(text, "  missed: pair {index} {:?} -> {:?}, ours {:?}", pair.start, pair.goal, answer.outcome);
        }
        let _ = writeln!(text, "  lengths that differ by more than {:.0}%: {}", 100.0 * LARGE, self.large.len());
        for cause in [Cause::TheirsLonger, Cause::OurCorridor, Cause::OtherMesh] {
            let count = self.large.iter().filter(|entry| entry.2 == cause).count();
            let _ = writeln!(text, "    {count:3} {}", cause.name());
        }
        for (index, ratio, cause) in self.large.iter().take(10) {
            let (pair, answer) = (&pairs[*index], &answers[*index]);
            let shortest = answer.shortest.map_or("none".to_string(), |length| format!("{length:.3}"));
            let _ = writeln!(
                text,
                "    pair {index}: theirs {:.3}, ours {:.3} ({ratio:.3}), shortest on our mesh {shortest}: {}",
                pair.length,
                answer.length,
                cause.name()
            );
        }
        text
    }
}

/// Whether two lengths are further apart than [`LARGE`] of theirs.
pub fn differs_much(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() > LARGE * theirs
}

fn badness(ratio: f64) -> f64 {
    if ratio < 1.0 { 1.0 / ratio } else { ratio }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(outcome: Outcome, length: f64) -> Pair {
        Pair { start: [0.0; 3], goal: [1.0; 3], outcome, length }
    }

    fn answer(outcome: Outcome, length: f64, shortest: Option<f64>) -> Answer {
        Answer { outcome, length, shortest }
    }

    #[test]
    fn pairs_are_counted_by_who_found_them_and_lengths_over_both_only() {
        let pairs = [pair(Outcome::Found, 10.0), pair(Outcome::Found, 20.0), pair(Outcome::Partial, 5.0)];
        let answers = [
            answer(Outcome::Found, 10.2, None),
            answer(Outcome::Partial, 1.0, None),
            answer(Outcome::Found, 7.0, None),
        ];
        let all = Comparison::new(&pairs, &answers);
        assert_eq!((all.theirs_found, all.both_found, all.ours_alone), (2, 1, 1));
        assert_eq!((all.missed.as_slice(), all.mean), ([1].as_slice(), (10.0, 10.2)));
        assert!((all.mean_excess() - 0.02).abs() < 1e-12 && all.large.is_empty());
    }

    #[test]
    fn a_large_difference_is_explained_by_the_shortest_way_there_is() {
        let pairs = [pair(Outcome::Found, 10.0); 4];
        let answers = [
            answer(Outcome::Found, 9.0, Some(9.0)),
            answer(Outcome::Found, 12.0, Some(10.1)),
            answer(Outcome::Found, 13.0, Some(12.9)),
            answer(Outcome::Found, 12.5, Some(6.0)),
        ];
        let causes: Vec<_> = Comparison::new(&pairs, &answers).large.iter().map(|entry| (entry.0, entry.2)).collect();
        let expected =
            [(2, Cause::OtherMesh), (3, Cause::OurCorridor), (1, Cause::OurCorridor), (0, Cause::TheirsLonger)];
        assert_eq!(causes, expected);
    }
}
