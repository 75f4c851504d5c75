//! `conformance`: the three levels of Recast's samples, whole and tiled, beside what Recast and Detour answer. The exit
//! status is an error when a bound does not hold.

use std::process::ExitCode;

use navarena_tests::conformance::compare;
use navarena_tests::data;
use navarena_tests::recast::{LEVELS, Tiling};

fn main() -> ExitCode {
    let Some((data, vectors)) = data::folder().zip(data::vectors()) else { return ExitCode::SUCCESS };
    let mut failures = Vec::new();
    for level in &LEVELS {
        for tiling in Tiling::BOTH {
            let name = format!("{} {}", level.name, tiling.name());
            match compare(&data, &vectors, level, tiling) {
                Ok(verdict) => {
                    println!("{}", verdict.text);
                    failures.extend(verdict.failures().into_iter().map(|what| format!("{name}: {what}")));
                }
                Err(error) => failures.push(format!("{name}: {error}")),
            }
        }
    }
    for failure in &failures {
        println!("FAIL {failure}");
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
