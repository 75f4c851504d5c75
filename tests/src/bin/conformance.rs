//! `conformance`: the three levels of Recast's samples, whole and tiled, beside what Recast and Detour answer. Bounds that
//! are known not to hold are listed with what is known about why; the exit status is an error when another does not hold,
//! or when one of these does.

use std::process::ExitCode;

use navarena_tests::conformance::{Bound, KNOWN, KnownFailure, compare};
use navarena_tests::data;
use navarena_tests::ours::Rules;
use navarena_tests::recast::{LEVELS, Tiling};

/// How the levels are cut, and by which rules they are baked and linked.
const WAYS: [(Tiling, Rules); 4] = [
    (Tiling::Whole, Rules::Page),
    (Tiling::Whole, Rules::Recast),
    (Tiling::Tiled, Rules::Page),
    (Tiling::Tiled, Rules::Recast),
];

fn main() -> ExitCode {
    let Some((data, vectors)) = data::folder().zip(data::vectors()) else { return ExitCode::SUCCESS };
    let mut unexpected = Vec::new();
    let mut expected = Vec::new();
    for level in &LEVELS {
        for (tiling, rules) in WAYS {
            let name = format!("{} {} {}", level.name, tiling.name(), rules.name());
            let failures = match compare(&data, &vectors, level, tiling, rules) {
                Ok(verdict) => {
                    println!("{}", verdict.text);
                    verdict.failures()
                }
                Err(error) => {
                    unexpected.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let known = |bound: Bound| KNOWN.iter().find(|known| is(known, level.name, tiling, rules, bound));
            for (bound, what) in &failures {
                match known(*bound) {
                    Some(known) => expected.push(format!("{name}: {what}: {}", known.why)),
                    None => unexpected.push(format!("{name}: {what}")),
                }
            }
            for bound in [Bound::Coverage, Bound::Found, Bound::Length] {
                if known(bound).is_some() && !failures.iter().any(|failure| failure.0 == bound) {
                    unexpected.push(format!("{name}: {bound:?} holds now: take it off the list"));
                }
            }
        }
    }
    expected.iter().for_each(|failure| println!("FAIL, known: {failure}"));
    unexpected.iter().for_each(|failure| println!("FAIL {failure}"));
    if unexpected.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is(known: &KnownFailure, level: &str, tiling: Tiling, rules: Rules, bound: Bound) -> bool {
    (known.level, known.tiling, known.rules, known.bound) == (level, tiling, rules, bound)
}
