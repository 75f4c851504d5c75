//! The `navarena` program.

use clap::Parser;
use clap::error::ErrorKind;
use navarena_std::program::{Arguments, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("navarena: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Prints help where it is asked for, else what is wrong with the arguments in one line.
fn refuse(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            error.exit()
        }
        _ => {
            let text = error.to_string();
            let first = text.split("\n\n").next().unwrap_or_default();
            let line: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
            eprintln!("navarena: {} (navarena --help says more)", line.join(" "));
            ExitCode::from(2)
        }
    }
}
