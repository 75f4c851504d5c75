//! Followers of any bytes on a board of tiles: refused with a typed error and unchanged, or taken over, walked, edited round
//! and saved to bytes that come back.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use navarena::follower::{Follower, FollowerOptions};
use navarena::memory::Arena;
use navarena::query::{Filter, Query, QueryDef};
use navarena_fuzz::{DEF, region, with_mesh};
use navarena_tests::checkerboard::Board;

const OPTIONS: FollowerOptions =
    FollowerOptions { corridor_capacity: 16, optimize_interval: 1, topology_interval: 2, ..FollowerOptions::HUMANOID };
const QUERY: QueryDef = QueryDef { nodes: 64, corridor: 16, points: 16, ..QueryDef::DEFAULT };

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    side: u8,
    start: [i8; 2],
    steps: Vec<(f64, [i8; 2])>,
    bytes: &'a [u8],
}

fn saved(follower: &mut Follower<'_>) -> Vec<u8> {
    let mut bytes = vec![0; follower.state_size()];
    assert_eq!(follower.save_state(&mut bytes), Ok(bytes.len()));
    bytes
}

fuzz_target!(|input: Input| with_mesh(|mesh| {
    let board = Board::new(&DEF.params, 1 + usize::from(input.side % 6)).with_link([1.0, 0.0, 1.0], [50.0, 0.0, 50.0], true);
    for (x, z) in [(0, 0), (1, 0)] {
        let _ = mesh.stage_tile(&board.bytes(&DEF.params, x, z));
    }
    let _ = mesh.commit();
    let mut memory = (region(OPTIONS.plan()), region(QUERY.plan()));
    let mut follower = Follower::new(&OPTIONS, &mut Arena::new(&mut memory.0)).expect("options in range");
    let mut query = Query::new(&QUERY, &mut Arena::new(&mut memory.1)).expect("limits in range");
    let place = |[x, z]: [i8; 2]| [f64::from(x), 0.0, f64::from(z)];
    let _ = follower.place(mesh, place(input.start), &Filter::ALL);
    let before = saved(&mut follower);
    match follower.restore_state(input.bytes) {
        Ok(()) => assert_eq!(saved(&mut follower), input.bytes),
        Err(_) => assert_eq!(saved(&mut follower), before),
    }
    for (number, &(dt, goal)) in input.steps.iter().take(32).enumerate() {
        if number % 4 == 0 {
            let _ = follower.set_destination(mesh, &mut query, place(goal), &Filter::ALL);
        }
        if number == 9 {
            let _ = mesh.remove_tile(1, 0, 0);
        }
        let is_time = dt.is_finite() && dt > 0.0;
        assert_eq!(follower.step(mesh, &mut query, &Filter::ALL, dt).is_ok(), is_time);
        let bytes = saved(&mut follower);
        follower.restore_state(&bytes).expect("what was saved comes back");
    }
}));
