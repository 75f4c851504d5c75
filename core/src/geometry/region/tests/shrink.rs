//! The shrink against the closed form of a tile map.

use super::*;

/// The area of a tile map's floor at least `radius` from every wall, in closed form: a strip along each wall, a quarter
/// disc where only the diagonal neighbour is a wall. Right for radii up to half a tile.
fn eroded_area(floor: impl Fn(i64, i64) -> bool, size: i64, tile: f64, radius: f64) -> f64 {
    let mut area = 0.0;
    for y in 0..size {
        for x in 0..size {
            if !floor(x, y) {
                continue;
            }
            let wall = |dx: i64, dy: i64| !floor(x + dx, y + dy);
            let strips = |a: bool, b: bool| tile - radius * (f64::from(u8::from(a)) + f64::from(u8::from(b)));
            area += strips(wall(-1, 0), wall(1, 0)) * strips(wall(0, -1), wall(0, 1));
            for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                if wall(dx, dy) && !wall(dx, 0) && !wall(0, dy) {
                    area -= core::f64::consts::PI * radius * radius / 4.0;
                }
            }
        }
    }
    area
}

#[test]
fn a_shrunk_tile_map_has_the_closed_forms_area() {
    const SIZE: i64 = 24;
    let mut random = SplitMix64::new(78);
    let cells: Vec<bool> = (0..SIZE * SIZE).map(|_| random.next_f64() < 0.6).collect();
    let floor = |x: i64, y: i64| (0..SIZE).contains(&x) && (0..SIZE).contains(&y) && cells[(y * SIZE + x) as usize];
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let squares: Vec<Vec<Vec<[f64; 2]>>> = (0..SIZE * SIZE)
        .map(|i| (2 * (i % SIZE), 2 * (i / SIZE)))
        .filter(|&(x, y)| floor(x / 2, y / 2))
        .map(|(x, y)| [[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]].map(|p| p.map(|c| c as f64)))
        .map(|square| std::vec![square.to_vec()])
        .collect();
    let rings: Vec<[&[[f64; 2]]; 1]> = squares.iter().map(|s| [s[0].as_slice()]).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    let grid = SnapGrid::new(10).unwrap();
    let walkable = builder.from_outlines(&outlines, grid, &mut arena).unwrap();
    assert_eq!(walkable.area(), 4.0 * outlines.len() as f64);
    for radius in [0.5, 0.75, 1.0] {
        let tolerance = crate::math::max(0.25 / 4.0, crate::math::min(0.0825 * radius, 0.25 / 2.0));
        let shrunk = arena.scope(|desk| {
            let shrunk = builder.shrink(&walkable, radius, tolerance, desk).unwrap();
            nasty::assert_well_formed(&shrunk);
            shrunk.area()
        });
        let exact = eroded_area(floor, SIZE, 2.0, radius);
        assert!((shrunk / exact - 1.0).abs() < 0.001, "{radius}: {shrunk} of {exact}");
    }
    assert_eq!(builder.shrink(&walkable, 0.0, 0.1, &mut arena).unwrap(), walkable);
}
