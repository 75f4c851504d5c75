//! What can go wrong in the program: one clear line each.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// A file could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A level file breaks its format.
    Level {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: tobj::LoadError,
    },
    /// The library refused something; `what` names it.
    Refused {
        /// What was being done.
        what: String,
        /// The refusal.
        error: navarena::error::Error,
    },
    /// Anything else, said in one line.
    Other(String),
}

/// What a fallible step of the program returns.
pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// A refusal of a file by the system.
    pub fn file(path: &Path, reason: std::io::Error) -> Failure {
        Failure::File { path: path.into(), reason }
    }

    /// A refusal by the library while doing something.
    pub fn refused(what: impl Into<String>) -> impl FnOnce(navarena::error::Error) -> Failure {
        let what = what.into();
        move |error| Failure::Refused { what, error }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::File { path, reason } => write!(f, "{}: {reason}", path.display()),
            Failure::Level { path, reason } => write!(f, "{}: {reason}", path.display()),
            Failure::Refused { what, error } if what.is_empty() => write!(f, "{error}"),
            Failure::Refused { what, error } => write!(f, "{what}: {error}"),
            Failure::Other(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for Failure {}

impl From<navarena::error::Error> for Failure {
    fn from(error: navarena::error::Error) -> Failure {
        Failure::Refused { what: String::new(), error }
    }
}
