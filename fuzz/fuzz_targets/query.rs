//! Paths between any points on a board of tiles with any polygons forbidden: a typed error, or a path whose corridor
//! holds together.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use navarena::memory::Arena;
use navarena::query::{Filter, NodeModel, Query, QueryDef};
use navarena_fuzz::{DEF, region, with_mesh};
use navarena_tests::checkerboard::Board;

#[derive(Arbitrary, Debug)]
struct Input {
    side: u8,
    link: Option<([u8; 2], [u8; 2], bool)>,
    flags: Vec<u16>,
    exclude: u16,
    nodes: u8,
    corridor: u8,
    points: u8,
    crossing: bool,
    asked: Vec<([f64; 3], [f64; 3])>,
    near: Vec<([i8; 2], [i8; 2])>,
}

fuzz_target!(|input: Input| with_mesh(|mesh| {
    let mut board = Board::new(&DEF.params, 1 + usize::from(input.side % 6)).with_detail(0.5);
    if let Some((start, end, both)) = input.link {
        let at = |[x, z]: [u8; 2]| [f32::from(x) / 4.0, 0.0, f32::from(z) / 4.0];
        board = board.with_link(at(start), at(end), both);
    }
    for (x, z) in [(0, 0), (1, 0), (0, 1)] {
        let _ = mesh.stage_tile(&board.bytes(&DEF.params, x, z));
    }
    let _ = mesh.commit();
    let polygons: Vec<_> = mesh
        .tiles()
        .flat_map(|tile| (0..tile.polygons.len()).map(move |index| tile.reference.polygon(index as u32)))
        .collect();
    for (polygon, flags) in polygons.iter().zip(&input.flags) {
        mesh.set_flags(*polygon, *flags).expect("a polygon that is there");
    }
    let def = QueryDef {
        nodes: u32::from(input.nodes),
        corridor: u32::from(input.corridor),
        points: u32::from(input.points),
        model: if input.crossing { NodeModel::Crossing } else { NodeModel::Polygon },
        ..QueryDef::DEFAULT
    };
    let mut memory = region(def.plan());
    let Ok(mut query) = Query::new(&def, &mut Arena::new(&mut memory)) else { return };
    let filter = Filter::new().without_flags(input.exclude);
    let near = |[x, z]: [i8; 2]| [f64::from(x), 0.0, f64::from(z)];
    let close = input.near.iter().map(|&(a, b)| (near(a), near(b)));
    for (start, goal) in input.asked.iter().copied().chain(close).take(16) {
        let Ok(outcome) = query.find_path(mesh, start, goal, &filter) else { continue };
        let path = query.path();
        assert!(path.corridor().iter().all(|&polygon| mesh.is_valid(polygon)));
        assert!(path.points().iter().flat_map(|point| point.position).all(f64::is_finite));
        assert!(outcome.length.is_finite() && outcome.length >= 0.0);
    }
}));
