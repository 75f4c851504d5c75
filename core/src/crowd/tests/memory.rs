//! Memory and limits of a crowd.

use super::*;
use crate::error::{ErrorKind, Subject};
use crate::query::QueryDef;

crate::memory::assert_portable!(Crowd);

const DEF: CrowdDef = CrowdDef { agents: 5, walls: 3, corridor: 7, ..CrowdDef::DEFAULT };

#[test]
fn an_arena_of_any_size_makes_a_crowd_or_refuses() {
    for on in [false, true] {
        let def = CrowdDef { records_constraints: on, keeps_corners: !on, workers: 3, ..DEF };
        let enough = def.plan().grains();
        let mut grains = vec![Grain::ZERO; enough + 3];
        for size in 0..enough + 3 {
            let mut arena = Arena::new(&mut grains[..size]);
            match Crowd::new(&def, &mut arena) {
                Ok(crowd) => {
                    assert!(size >= enough && crowd.is_empty());
                    assert_eq!(arena.taken(), def.plan().bytes);
                }
                Err(error) => {
                    assert!(size < enough);
                    assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
                    assert_eq!(arena.taken(), 0);
                }
            }
        }
    }
}

#[test]
fn a_small_crowd_and_its_query_fit_64_kilobytes() {
    let crowd = CrowdDef { agents: 16, walls: 12, corridor: 64, keeps_corners: false, ..CrowdDef::DEFAULT };
    let query = QueryDef { nodes: 256, ..crowd.query() };
    assert!(crowd.plan().bytes + query.plan().bytes <= 64 << 10);
}

#[test]
fn an_agent_takes_the_bytes_that_the_def_says() {
    let bytes = |agents| CrowdDef { agents, walls: 48, corridor: 64, ..CrowdDef::DEFAULT }.plan().bytes;
    let each = (bytes(16 * 1024) - bytes(1024)) as f64 / (15.0 * 1024.0);
    assert!((each - (731.0 + 344.0 + 48.0 * 64.0 + 64.0 * 8.0)).abs() < 1.0, "{each} bytes");
}

#[test]
fn limits_out_of_their_range_are_refused_by_name() {
    let refused = |def: CrowdDef| def.validate().unwrap_err().subject();
    assert_eq!(DEF.validate(), Ok(()));
    assert_eq!(refused(CrowdDef { agents: 0, ..DEF }), Subject::Agents);
    assert_eq!(refused(CrowdDef { agents: MAX_AGENTS + 1, ..DEF }), Subject::Agents);
    assert_eq!(refused(CrowdDef { corridor: 1, ..DEF }), Subject::CorridorCapacity);
    assert_eq!(refused(CrowdDef { walls: 0, ..DEF }), Subject::Walls);
    assert_eq!(refused(CrowdDef { walls_avoided: MAX_WALLS + 1, ..DEF }), Subject::WallsAvoided);
    assert_eq!(refused(CrowdDef { workers: 0, ..DEF }), Subject::Workers);
    for wall_refresh in [-1.0, f64::NAN, f64::INFINITY, 3e6] {
        assert_eq!(refused(CrowdDef { wall_refresh, ..DEF }), Subject::WallRefresh);
    }
    // A plan past the address space is refused as any that is too large.
    let huge = CrowdDef { agents: MAX_AGENTS, walls: MAX_WALLS, corridor: 4096, ..DEF };
    let error = Crowd::new(&huge, &mut Arena::new(&mut [])).unwrap_err();
    assert_eq!(error.subject(), Subject::Memory);
}
