//! `seeds FOLDER`: writes good inputs for the fuzz targets to begin with, one folder a target.

use std::fs;
use std::path::Path;

use navarena::mesh::MeshDef;
use navarena_tests::checkerboard::Board;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus".to_string());
    let tiles = folder_of(&folder, "tile")?;
    for (name, bytes) in tiles_by_hand() {
        fs::write(tiles.join(name), [&[0], bytes.as_slice()].concat())?;
    }
    Ok(())
}

fn folder_of(folder: &str, target: &str) -> std::io::Result<std::path::PathBuf> {
    let path = Path::new(folder).join(target);
    fs::create_dir_all(&path)?;
    Ok(path)
}

/// Tiles that carry each kind of thing a tile can carry.
fn tiles_by_hand() -> Vec<(&'static str, Vec<u8>)> {
    let params = MeshDef::HUMANOID.params;
    let board = |side| Board::new(&params, side);
    vec![
        ("one", board(1).bytes(&params, 0, 0)),
        ("nine", board(3).bytes(&params, -1, 2)),
        ("detail", board(2).with_detail(1.5).bytes(&params, 0, 0)),
        ("link", board(2).with_link([1.0, 0.0, 1.0], [50.0, 0.0, 50.0], true).bytes(&params, 3, 0)),
        ("all", board(3).with_detail(0.3).with_link([9.0, 0.5, 9.0], [33.0, 0.0, 2.0], false).bytes(&params, 0, 0)),
    ]
}
