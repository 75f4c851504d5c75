//! `navarena-bench`: one table, ours beside theirs (`docs/measuring.md`).

fn main() -> Result<(), String> {
    #[cfg(feature = "peers")]
    println!("{}", navarena_bench::table::render(&navarena_bench::dodgy::rows()?));
    let Some(data) = navarena_tests::data::folder() else { return Ok(()) };
    #[cfg(feature = "cpp")]
    {
        let vectors = data.join("..").join("vectors");
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let which = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => navarena_bench::rows::Which::All,
            ["--rows", "paths"] => navarena_bench::rows::Which::Paths,
            _ => return Err(format!("{arguments:?}: only --rows paths is known")),
        };
        println!("Recast and Detour answer here what they answered elsewhere:");
        println!("{}", navarena_bench::recast::check::reproduces_the_figures(&data, &vectors)?);
        println!("{}", navarena_bench::table::render(&navarena_bench::rows::of_levels(which, &data, &vectors)?));
    }
    #[cfg(not(any(feature = "cpp", feature = "peers")))]
    println!("no peer is built in: --features peers,cpp");
    let _ = data;
    Ok(())
}
