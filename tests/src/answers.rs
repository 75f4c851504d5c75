//! Answers of our own, committed: for each level 200 seeded questions of every kind, so that a later change of any bit
//! is seen; and storms of many more, whose every point must lie on the mesh.
//!
//! A file holds a level. Under each kind's name stands a line an answer: the bits of its headline number and the FNV-1a
//! 64 of all its words, little-endian. The generated levels need nothing; Recast's are skipped without their data.

use std::fmt::Write as _;
use std::path::PathBuf;

use navarena::hash::Fnv1a;
use navarena::math::SplitMix64;
use navarena::mesh::{NavMesh, NavSettings};
use navarena_fixtures::{Kind as LevelKind, Level, yard};
use navarena_std::obj::Geometry;

use crate::asking::{Asked, Asker, Kind, Room, off_the_mesh};
use crate::data;
use crate::ours::{Rules, Workshop};
use crate::recast::{LEVELS, Tiling, settings};

/// How many answers of each kind are committed.
pub const COMMITTED: usize = 200;
/// How far beside the mesh positions may lie.
const REACH: f64 = 3.0;
/// The generated levels are cut into tiles of this side.
const SETTINGS: NavSettings = NavSettings { tile_size: 16.0, ..NavSettings::HUMANOID };

/// A level to ask about.
pub struct Subject {
    /// Its name.
    pub name: String,
    level: Geometry,
    settings: NavSettings,
}

impl Subject {
    fn generated(level: &Level) -> Subject {
        let geometry = Geometry { vertices: level.vertices.clone(), triangles: level.triangles.clone() };
        Subject { name: level.name.clone(), level: geometry, settings: SETTINGS }
    }

    /// The generated levels.
    pub fn generated_levels() -> Vec<Subject> {
        let levels = LevelKind::ALL.map(|kind| kind.generate(64, 1));
        levels.iter().chain([&yard::level()]).map(Subject::generated).collect()
    }

    /// Recast's levels in tiles, where their data is at hand.
    pub fn recast_levels() -> Result<Vec<Subject>, String> {
        let Some(data) = data::folder() else { return Ok(Vec::new()) };
        let load = |facts: &crate::recast::LevelFacts| {
            let level = facts.load(&data)?;
            let settings = settings(&level, Tiling::Tiled);
            Ok(Subject { name: facts.name.to_string(), level, settings })
        };
        LEVELS.iter().map(load).collect()
    }

    /// Where its committed answers lie.
    fn file(&self) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("answers").join(format!("{}.txt", self.name))
    }

    fn with_mesh<R>(&self, ask: impl FnOnce(&NavMesh<'_>) -> R) -> Result<R, String> {
        let mut shop = Workshop::new(&self.level, &self.settings, Rules::Page).map_err(|error| error.to_string())?;
        shop.bake(|mesh, _| ask(mesh)).map_err(|error| error.to_string())
    }

    /// Asks so many questions of every kind and hands each answer on.
    pub fn ask_all(&self, count: usize, seed: u64, mut take: impl FnMut(Kind, usize, &Asked)) -> Result<(), String> {
        self.with_mesh(|mesh| {
            let mut room = Room::new();
            let mut asker = Asker::new(mesh, &mut room, REACH).map_err(|error| error.to_string())?;
            for kind in Kind::ALL {
                let mut random = SplitMix64::new(seed + kind as u64);
                for index in 0..count {
                    let place = || format!("{} {kind:?} {index}", self.name);
                    let asked = asker.ask(kind, &mut random).map_err(|error| format!("{}: {error}", place()))?;
                    if let Some((polygon, point)) = off_the_mesh(mesh, &asked) {
                        return Err(format!("{}: {point:?} is not on {polygon:?}", place()));
                    }
                    take(kind, index, &asked);
                }
            }
            Ok(())
        })?
    }

    /// What its file must hold.
    pub fn text(&self) -> Result<String, String> {
        let mut text = format!("{}: {COMMITTED} answers of each kind\n", self.name);
        self.ask_all(COMMITTED, 1, |kind, index, asked| {
            if index == 0 {
                // Writing to a string can't fail.
                let _ = writeln!(text, "{kind:?}");
            }
            let mut hash = Fnv1a::new();
            asked.words.iter().for_each(|word| hash.update(&word.to_le_bytes()));
            let headline = asked.words.first().copied().unwrap_or(0);
            let _ = writeln!(text, "{headline:016x} {:016x}", hash.finish());
        })?;
        Ok(text)
    }

    /// Compares the committed answers with what is answered now; the first line that differs is named.
    pub fn check(&self) -> Result<(), String> {
        let committed = std::fs::read_to_string(self.file()).map_err(|error| format!("{}: {error}", self.name))?;
        let (now, mut kind) = (self.text()?, "");
        for (number, (was, is)) in committed.lines().zip(now.lines()).enumerate() {
            if !is.contains(' ') {
                kind = is;
            }
            if was != is {
                return Err(format!("{} {kind}, line {}: was {was}, is {is}", self.name, number + 1));
            }
        }
        if committed == now { Ok(()) } else { Err(format!("{}: another number of answers", self.name)) }
    }

    /// Writes the answers of now.
    pub fn write(&self) -> Result<(), String> {
        let (file, text) = (self.file(), self.text()?);
        file.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|error| error.to_string())
    }
}
