//! Running the program, and a folder for what it writes.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for a test, gone when it is done.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A new folder.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("navarena-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A file's path in it.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program.
pub fn navarena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_navarena")).args(arguments).output().unwrap()
}

/// What a command that is not refused prints.
pub fn said(arguments: &[&str]) -> String {
    let output = navarena(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "nothing but refusals and a terminal's progress goes to standard error");
    String::from_utf8(output.stdout).unwrap()
}

/// What it prints for a script.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&said(&[arguments, &["--json"]].concat())).unwrap()
}

/// The one line that a refused command says.
pub fn refusal(arguments: &[&str]) -> String {
    let output = navarena(arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}
