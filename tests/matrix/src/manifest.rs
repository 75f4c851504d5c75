//! The manifest: a line a scenario in the order of their names, and a last one over them all.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use navarena::error::Error;
use navarena::hash::Sha256;

use crate::crew::Crew;
use crate::record::{Record, Scenario};
use crate::{avoidance, build, crowds, grid, hashing, math, memory, mesh, meta, page, plane, query};

/// Bytes as hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A scenario that the library refused: a mistake in the scenario, or a machine with too little memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failed {
    /// Which.
    pub scenario: &'static str,
    /// What was refused.
    pub error: Error,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.scenario, self.error)
    }
}

impl core::error::Error for Failed {}

/// Every scenario, in the order of their names.
pub fn scenarios() -> Vec<Scenario> {
    let parts = [
        avoidance::SCENARIOS,
        build::SCENARIOS,
        crowds::SCENARIOS,
        grid::SCENARIOS,
        hashing::SCENARIOS,
        math::SCENARIOS,
        memory::SCENARIOS,
        mesh::SCENARIOS,
        meta::SCENARIOS,
        page::SCENARIOS,
        plane::SCENARIOS,
        query::SCENARIOS,
    ];
    let mut all = parts.concat();
    all.sort_by_key(|scenario| scenario.name);
    all
}

/// Runs the scenarios whose names begin with a prefix and gives the manifest, line by line, without line ends: a hash, a
/// space and a name; last the hash over the lines before, each with its line end, by the name `manifest`.
pub fn manifest(prefix: &str, crew: &dyn Crew, print: &mut dyn FnMut(&str)) -> Result<(), Failed> {
    let mut whole = Sha256::new();
    for scenario in scenarios().into_iter().filter(|scenario| scenario.name.starts_with(prefix)) {
        let mut record = Record::new(crew);
        (scenario.run)(&mut record).map_err(|error| Failed { scenario: scenario.name, error })?;
        let line = format!("{} {}", Hex(&record.finish()), scenario.name);
        whole.update(line.as_bytes());
        whole.update(b"\n");
        print(&line);
    }
    print(&format!("{} manifest", Hex(&whole.finish())));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Alone;
    use std::string::{String, ToString};

    #[test]
    fn names_are_lower_case_and_unique() {
        let names: Vec<&str> = scenarios().iter().map(|scenario| scenario.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        let plain =
            |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"/-".contains(&b));
        assert!(names.iter().all(plain), "{names:?}");
    }

    #[test]
    fn a_manifest_says_the_same_twice_and_hashes_its_own_lines() {
        let lines = |prefix: &str| {
            let mut lines: Vec<String> = Vec::new();
            manifest(prefix, &Alone, &mut |line| lines.push(line.to_string())).unwrap();
            lines
        };
        let meta = lines("meta/");
        assert_eq!(meta, lines("meta/"));
        let (last, rest) = meta.split_last().unwrap();
        let text: String = rest.iter().map(|line| std::format!("{line}\n")).collect();
        assert_eq!(*last, std::format!("{} manifest", Hex(&navarena::hash::sha256(text.as_bytes()))));
    }
}
