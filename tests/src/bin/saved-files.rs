//! `saved-files`: writes this version's saved files and their manifest. A folder that is there already is left alone: what a
//! version has written is never edited.

use navarena_tests::saved_files::{MANIFEST, folder, manifest, write};
use std::{fs, io};

fn main() -> io::Result<()> {
    let folder = folder(env!("CARGO_PKG_VERSION"));
    if folder.exists() {
        return Err(io::Error::other(format!("{} is there already", folder.display())));
    }
    let files = write().map_err(|error| io::Error::other(error.to_string()))?;
    let manifest = manifest(&files).map_err(io::Error::other)?;
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(MANIFEST), manifest)?;
    files.iter().try_for_each(|(name, bytes)| fs::write(folder.join(name), bytes))
}
