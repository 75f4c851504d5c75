//! `hash-matrix`: the manifest of this machine (`docs/hash-matrix.md`).
//!
//! `--list` prints the scenarios' names, `--filter PREFIX` runs those that begin so, `--threads N` shares the work (0: all
//! cores), and `compare FILE FILE..` names the lines in which manifests differ.

use std::collections::BTreeSet;
use std::process::ExitCode;

use navarena_matrix::{manifest, scenarios};
use navarena_tests::threads::Threads;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: &[&str]) -> Result<bool, String> {
    if let ["compare", files @ ..] = arguments {
        return compare(files);
    }
    let (mut prefix, mut threads) = ("", 1);
    loop {
        arguments = match arguments {
            [] => break,
            ["--list", ..] => {
                scenarios().iter().for_each(|scenario| println!("{}", scenario.name));
                return Ok(true);
            }
            ["--filter", name, rest @ ..] => {
                prefix = name;
                rest
            }
            ["--threads", count, rest @ ..] => {
                threads = count.parse().map_err(|error| format!("--threads {count}: {error}"))?;
                rest
            }
            [other, ..] => return Err(format!("{other}: not an option; see --list, --filter, --threads, compare")),
        };
    }
    manifest(prefix, &Threads::new(threads), &mut |line| println!("{line}")).map_err(|failed| failed.to_string())?;
    Ok(true)
}

/// Whether all manifests are equal; the lines that not all have are printed with the files that have them.
fn compare(files: &[&str]) -> Result<bool, String> {
    let read = |file: &&str| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let texts: Vec<String> = files.iter().map(read).collect::<Result<_, _>>()?;
    if texts.len() < 2 || texts.iter().any(String::is_empty) {
        return Err("compare wants two manifests or more, none of them empty".to_string());
    }
    if texts.windows(2).all(|pair| pair[0] == pair[1]) {
        println!("equal: {} manifests of {} lines", texts.len(), texts[0].lines().count());
        return Ok(true);
    }
    let lines: BTreeSet<(&str, &str)> = texts
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.split_once(' ').map(|(a, b)| (b, a)))
        .collect();
    for (name, hash) in lines {
        let line = format!("{hash} {name}");
        let has: Vec<&str> = files
            .iter()
            .zip(&texts)
            .filter(|(_, text)| text.lines().any(|own| own == line))
            .map(|(file, _)| *file)
            .collect();
        if has.len() < files.len() {
            println!("{name}: {hash} in {}", has.join(", "));
        }
    }
    Ok(false)
}
