//! Every kind of question asked of meshes.

use navarena::error::Result;
use navarena::math::SplitMix64;
use navarena_fixtures::Kind as LevelKind;

use crate::asking::{Asker, Kind, Room};
use crate::level::with_mesh;
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "query/areas", run: |record| ask(record, &[Kind::Circle, Kind::Shape, Kind::Neighbourhood]) },
    Scenario { name: "query/moves", run: |record| ask(record, &[Kind::Move, Kind::Walk]) },
    Scenario {
        name: "query/nearest",
        run: |record| ask(record, &[Kind::Nearest, Kind::NearestByStep, Kind::InBox, Kind::Height]),
    },
    Scenario {
        name: "query/paths",
        run: |record| ask(record, &[Kind::Path, Kind::CrossingPath, Kind::Corners, Kind::Reachable]),
    },
    Scenario { name: "query/random-points", run: |record| ask(record, &[Kind::Random, Kind::RandomAround]) },
    Scenario { name: "query/rays", run: |record| ask(record, &[Kind::Ray]) },
    Scenario { name: "query/shortest", run: |record| ask(record, &[Kind::Shortest]) },
    Scenario { name: "query/walls", run: |record| ask(record, &[Kind::WallDistance, Kind::Walls]) },
];

/// Questions of each kind.
const QUESTIONS: usize = 20;

fn ask(record: &mut Record<'_>, kinds: &[Kind]) -> Result<()> {
    let crew = record.crew();
    for level in [LevelKind::Overlapping, LevelKind::City] {
        with_mesh(level, crew, |mesh| {
            let mut room = Room::new();
            let mut asker = Asker::new(mesh, &mut room, 3.0)?;
            for &kind in kinds {
                let mut random = SplitMix64::new(kind as u64);
                for _ in 0..QUESTIONS {
                    asker.ask(kind, &mut random)?.words.into_iter().for_each(|word| record.count(word));
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}
