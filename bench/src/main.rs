//! `navarena-bench`: one table, ours beside theirs (`docs/measuring.md`). `--rows PART` measures a part alone, `--agents N` one of its
//! crowds.

#[cfg(feature = "cpp")]
use navarena_bench::rows::Which;

/// The parts that can be measured alone.
const PARTS: [&str; 8] = ["paths", "queries", "avoidance", "shortest", "grids", "hpa", "crowds", "floors"];

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wrong =
        || format!("{arguments:?}: nothing, or --rows and one of {PARTS:?}; with avoidance and crowds --agents N");
    let (part, agents) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (None, None),
        ["--rows", part] if PARTS.contains(&part) => (Some(part.to_string()), None),
        ["--rows", part @ ("avoidance" | "crowds"), "--agents", count] => {
            (Some(part.to_string()), Some(count.parse().ok().filter(|&count| count > 0).ok_or_else(wrong)?))
        }
        _ => return Err(wrong()),
    };
    let counts = |all: [usize; 3]| agents.map_or(all.to_vec(), |count: usize| vec![count]);
    let wants = |name: &str| part.as_deref().is_none_or(|part| part == name);
    #[cfg(feature = "peers")]
    if wants("avoidance") {
        println!(
            "{}",
            navarena_bench::table::render(&navarena_bench::dodgy::rows(&counts(navarena_bench::dodgy::COUNTS))?)
        );
    }
    #[cfg(feature = "peers")]
    if wants("grids") {
        let Some(data) = navarena_tests::data::folder() else { return Ok(()) };
        let (rows, records) = navarena_bench::grids::rows(&data)?;
        println!("{}", navarena_bench::table::render(&rows));
        println!("{}", navarena_bench::grids::render(&records));
    }
    #[cfg(feature = "peers")]
    if wants("hpa")
        && let Some(data) = navarena_tests::data::folder()
    {
        println!("{}", navarena_bench::table::render(&navarena_bench::hierarchical::rows(&data)?));
    }
    // All queries have these rows too; alone they need no Recast.
    #[cfg(feature = "peers")]
    if part.as_deref() == Some("shortest") {
        let Some(data) = navarena_tests::data::folder() else { return Ok(()) };
        println!("{}", navarena_bench::table::render(&navarena_bench::polyanya::of_levels(&data)?));
    }
    #[cfg(feature = "cpp")]
    if wants("crowds") {
        println!(
            "{}",
            navarena_bench::table::render(&navarena_bench::crowd_rows::rows(&counts(
                navarena_bench::crowd_rows::COUNTS
            ))?)
        );
    }
    #[cfg(feature = "cpp")]
    if wants("floors") {
        println!("{}", navarena_bench::table::render(&navarena_bench::floor_rows::rows()?));
    }
    #[cfg(feature = "cpp")]
    if wants("paths") || wants("queries") {
        let Some(data) = navarena_tests::data::folder() else { return Ok(()) };
        let vectors = data.join("..").join("vectors");
        let which = match part.as_deref() {
            None => Which::All,
            Some("paths") => Which::Paths,
            Some(_) => Which::Queries,
        };
        println!("Recast and Detour answer here what they answered elsewhere:");
        println!("{}", navarena_bench::recast::check::reproduces_the_figures(&data, &vectors)?);
        println!("{}", navarena_bench::table::render(&navarena_bench::rows::of_levels(which, &data, &vectors)?));
    }
    if cfg!(not(any(feature = "cpp", feature = "peers"))) {
        println!("no peer is built in: --features peers,cpp");
        let _ = (wants, counts);
    }
    Ok(())
}
