//! The one table of results.

use std::fmt::{self, Write as _};

/// One line: what was measured, both numbers, and whether the answers were the same.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was measured, and against whom.
    pub name: String,
    /// The unit of both numbers.
    pub unit: &'static str,
    /// Ours.
    pub ours: f64,
    /// Theirs.
    pub theirs: f64,
    /// The answers, compared: what agrees, or what does not.
    pub answers: Agreement,
}

/// How the answers of both sides compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Agreement {
    /// Close enough for the times to be comparable, and how close.
    Agree(String),
    /// Not: the row's ratio says nothing.
    Differ(String),
}

impl Agreement {
    /// The same with more said about it.
    pub fn with(self, more: &str) -> Agreement {
        match self {
            Agreement::Agree(how) => Agreement::Agree(how + more),
            Agreement::Differ(how) => Agreement::Differ(how + more),
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agreement::Agree(how) => write!(f, "yes: {how}"),
            Agreement::Differ(how) => write!(f, "NO: {how}"),
        }
    }
}

/// Lays rows out as a table of Markdown, so that it can be pasted where it is quoted.
pub fn render(rows: &[Row]) -> String {
    let mut text = String::from("| row | ours | theirs | ratio | answers agree? |\n|---|---|---|---|---|\n");
    for Row { name, unit, ours, theirs, answers } in rows {
        let ratio = ours / theirs;
        // Writing to a string can't fail.
        let _ = writeln!(text, "| {name} | {ours:.3} {unit} | {theirs:.3} {unit} | {ratio:.3} | {answers} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_shows_the_ratio_and_says_when_it_means_nothing() {
        let row = |answers| Row { name: "bake".to_string(), unit: "ms", ours: 1.0, theirs: 4.0, answers };
        let text = render(&[row(Agreement::Agree("same area".into())), row(Agreement::Differ("half the area".into()))]);
        assert!(text.contains("| bake | 1.000 ms | 4.000 ms | 0.250 | yes: same area |"));
        assert!(text.contains("| NO: half the area |"));
    }
}
