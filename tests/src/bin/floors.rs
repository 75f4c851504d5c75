//! `floors`: every Moving AI map as a floor of radius 0, a sample of its scenarios asked for shortest ways, which lie between
//! the straight line and the published length; `NAVARENA_LONG` asks all of them. `floors MAP ..` asks the named maps.

use std::process::ExitCode;

use navarena_tests::data;
use navarena_tests::floors::ask_map;
use navarena_tests::moving_ai::Benchmark;

/// The most instances of a map unless all are asked.
const SAMPLE: usize = 100;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("FAIL {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, String> {
    let Some(data) = data::folder() else { return Ok(true) };
    let most = if std::env::var_os("NAVARENA_LONG").is_some() { usize::MAX } else { SAMPLE };
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = Benchmark::names(&data).map_err(|error| error.to_string())?;
    }
    let (mut asked, mut wrong) = (0, 0);
    for name in &names {
        let found = ask_map(&data, name, most)?;
        let verdict = if found.wrong.is_empty() { "ok" } else { "FAIL" };
        let ([tiles, polygons], ratio) = (found.floor, found.ratio);
        println!(
            "{verdict} {name}: {tiles} tiles, {polygons} polygons, {} asked, {} reachable, {ratio:.4} of the published lengths",
            found.asked, found.reachable
        );
        found.wrong.iter().take(3).for_each(|one| println!("  {one}"));
        asked += found.asked;
        wrong += found.wrong.len();
    }
    println!("{} maps, {asked} instances, {wrong} otherwise", names.len());
    Ok(wrong == 0)
}
