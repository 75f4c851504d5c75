//! `answers`: compares the committed answers with what the library answers now; `answers --write` writes them anew, and
//! `answers --storm COUNT` asks so many random questions of every kind of each level.

use std::process::ExitCode;

use navarena_tests::answers::Subject;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("FAIL {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut subjects = Subject::generated_levels();
    subjects.extend(Subject::recast_levels()?);
    for subject in &subjects {
        match arguments[..] {
            [] => subject.check()?,
            ["--write"] => subject.write()?,
            ["--storm", count] => {
                let count = count.parse().map_err(|_| format!("{count:?} is no count"))?;
                subject.ask_all(count, 1000, |_, _, _| ())?;
            }
            _ => return Err("nothing, --write or --storm COUNT".into()),
        }
        println!("ok {}", subject.name);
    }
    Ok(())
}
