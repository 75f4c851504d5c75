//! `published`: every published answer, with `ok`, `FAIL` and what came out, or `not built yet`. The exit status is an
//! error when a line that is built fails.

use std::process::ExitCode;

use navarena_tests::published::{LINES, Outcome, Verdict};

fn main() -> ExitCode {
    let (mut passed, mut failed, mut reported, mut missing) = (0, 0, 0, 0);
    for line in &LINES {
        let verdict = line.verdict();
        println!("{:<27} {verdict}", line.id);
        println!("{:<27}   {} -> {}", "", line.run, line.want);
        match verdict {
            Verdict::Checked(Outcome::Ok) => passed += 1,
            Verdict::Checked(Outcome::Fail(_)) => failed += 1,
            Verdict::Checked(Outcome::Report(_)) => reported += 1,
            Verdict::NotBuilt => missing += 1,
        }
    }
    println!("\n{passed} ok, {failed} FAIL, {reported} reported, {missing} not built yet, of {}", LINES.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
