//! Where data from elsewhere lies.

use std::path::PathBuf;

/// The folder that `NAVARENA_DATA` names; `None`, after one line that says so, when it is unset.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("NAVARENA_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("NAVARENA_DATA is not set: what needs data from elsewhere is skipped");
    }
    folder
}

/// The folder of published answers: `vectors`, beside the data.
pub fn vectors() -> Option<PathBuf> {
    Some(folder()?.join("..").join("vectors"))
}
