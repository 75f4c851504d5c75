//! The graph: against its definitions, and after edits against a rebuild.

use super::*;
use crate::grid::tests::{rounds, with_grid};

/// The pairs of cells by which two chunks are joined, from the definition: chunk by chunk, every place of the border.
fn transitions_by_definition(plain: &Plain, kind: Kind) -> Vec<((i32, i32), (i32, i32))> {
    let (side, size) = (kind.chunk as i32, kind.moves.size);
    let mut found = Vec::new();
    // Borders right of column x, or below row y; runs do not pass from one chunk to the next.
    for (dx, dy) in [(1, 0), (0, 1)] {
        let (across, along) = if dx == 1 { (plain.width, plain.height) } else { (plain.height, plain.width) };
        for border in (side - 1..across - 1).step_by(side as usize) {
            let cell = |at: i32| if dx == 1 { (border, at) } else { (at, border) };
            let is_open = |at: i32| {
                let (x, y) = cell(at);
                plain.stands(x, y, size) && plain.stands(x + dx, y + dy, size)
            };
            for first in (0..along).step_by(side as usize) {
                let end = (first + side).min(along);
                for low in (first..end).filter(|&at| is_open(at) && (at == first || !is_open(at - 1))) {
                    let high = (low..end).take_while(|&at| is_open(at)).last().unwrap();
                    let wide = high > low && high - low + 1 >= kind.threshold as i32;
                    let places = if wide { std::vec![low, high] } else { std::vec![low + (high - low) / 2] };
                    for (x, y) in places.into_iter().map(cell) {
                        found.push(((x, y), (x + dx, y + dy)));
                        found.push(((x + dx, y + dy), (x, y)));
                    }
                }
            }
        }
    }
    found
}

/// The same map where all but one chunk is walls; larger agents are made one cell large first.
fn alone(plain: &Plain, kind: Kind, rect: CellRect) -> Plain {
    let cells = CellRect::new(0, 0, plain.width, plain.height).cells().map(|cell| {
        let is_there = rect.contains(cell) && plain.stands(cell.x, cell.y, kind.moves.size);
        if is_there { plain.area(cell.x, cell.y) } else { 255 }
    });
    Plain { cells: cells.collect(), ..plain.clone() }
}

fn check_graph(plain: &Plain, kind: Kind, hierarchy: &Hierarchy<'_>) {
    let transitions = transitions_by_definition(plain, kind);
    let number = |(x, y): (i32, i32)| (y * plain.width + x) as u32;
    let chunks = hierarchy.chunks();
    let mut crossings_seen = 0;
    for chunk in 0..chunks.count() {
        let rect = chunks.rect(chunk);
        let inside = |(x, y): (i32, i32)| rect.contains(Cell::new(x, y));
        let mut here: Vec<(u32, u32)> = transitions
            .iter()
            .filter(|(own, _)| inside(*own))
            .map(|&(own, other)| (number(own), number(other)))
            .collect();
        here.sort_unstable();
        let mut nodes: Vec<u32> = here.iter().map(|pair| pair.0).collect();
        nodes.dedup();
        assert_eq!(hierarchy.nodes_of(chunk), nodes, "{kind:?}");
        let listed = hierarchy.crossings_of(chunk);
        assert!(listed.iter().map(|one| (nodes[one.node as usize], one.target)).eq(here.iter().copied()));
        crossings_seen += listed.len();
        let cell = |number: u32| (number as i32 % plain.width, number as i32 / plain.width);
        for one in listed {
            let (own, other) = (cell(nodes[one.node as usize]), cell(one.target));
            assert_eq!(one.cost, plain.step(kind.moves, own, other).unwrap());
        }
        let alone = alone(plain, kind, rect);
        for (index, &from) in nodes.iter().enumerate() {
            let ways = alone.dijkstra(Moves { size: 1, ..kind.moves }, cell(from));
            let row = hierarchy.costs_from(chunk, index as u32);
            assert_eq!(row.len(), nodes.len());
            for (&to, &cost) in nodes.iter().zip(row) {
                let want = ways[to as usize];
                assert!(cost == want || (cost - want).abs() <= 1e-9 * want, "{cost} is not {want}");
            }
        }
    }
    assert_eq!(crossings_seen, transitions.len());
}

#[test]
fn nodes_costs_and_crossings_are_those_of_the_definitions() {
    let mut random = SplitMix64::new(3);
    for round in 0..rounds(120, 4000) {
        let (kind, plain) = (Kind::random(&mut random), random_plain(&mut random, round % 2 == 0));
        with_grid(&def_of(&plain), |grid| {
            load(&plain, grid);
            with_hierarchy(&kind.def(plain.width as u32, plain.height as u32), |hierarchy| {
                hierarchy.refresh(grid, kind.movement()).unwrap();
                check_graph(&plain, kind, hierarchy);
            });
        });
    }
}

/// One random edit: a cell, a rectangle, or now and then what an area costs.
fn edit(random: &mut SplitMix64, grid: &mut Grid<'_>) {
    let mut below = |bound: i32| random.below(bound as u64) as i32;
    let (x, y) = (below(grid.width()), below(grid.height()));
    let (width, height) = (1 + below(3).min(grid.width() - x - 1), 1 + below(3).min(grid.height() - y - 1));
    let area = if below(2) == 0 { 255 } else { below(4) as u8 };
    match below(12) {
        0 => grid.set_area_cost(below(4) as u8, 0.5 + f64::from(below(5))).unwrap(),
        1..=4 => drop(grid.set_rect(CellRect::new(x, y, width, height), area).unwrap()),
        _ => drop(grid.set_area(Cell::new(x, y), area).unwrap()),
    }
}

#[test]
fn a_graph_after_edits_is_that_of_a_rebuild_to_the_bit() {
    let mut random = SplitMix64::new(4);
    let mut kept = 0;
    for round in 0..rounds(60, 2000) {
        let mut kind = Kind::random(&mut random);
        kind.moves.size = 1 + random.below(3) as i32;
        let plain = random_plain(&mut random, round % 2 == 0);
        let def = kind.def(plain.width as u32, plain.height as u32);
        with_grid(&def_of(&plain), |grid| {
            load(&plain, grid);
            with_hierarchy(&def, |hierarchy| {
                hierarchy.refresh(grid, kind.movement()).unwrap();
                for _ in 0..8 {
                    // More than the journal remembers now and then.
                    (0..random.below(8)).for_each(|_| edit(&mut random, grid));
                    let built = hierarchy.refresh(grid, kind.movement()).unwrap();
                    assert!(hierarchy.is_current(grid));
                    kept += usize::from(built < hierarchy.chunks().count());
                    with_hierarchy(&def, |fresh| {
                        assert_eq!(fresh.refresh(grid, kind.movement()).unwrap(), hierarchy.chunks().count());
                        assert!(hierarchy.content_equals(fresh));
                        assert_eq!(hierarchy.content_hash(), fresh.content_hash());
                    });
                    assert_eq!(hierarchy.refresh(grid, kind.movement()), Ok(0), "nothing was edited since");
                }
            });
        });
    }
    assert!(kept > 100, "{kept}");
}

#[test]
fn one_hierarchy_serves_one_grid_and_agent_after_the_other() {
    let mut random = SplitMix64::new(5);
    let def = HierarchyDef::of_chunks(14, 14, 4, 3);
    with_hierarchy(&def, |hierarchy| {
        for _ in 0..rounds(40, 1000) {
            let (mut kind, plain) = (Kind::random(&mut random), random_plain(&mut random, true));
            (kind.chunk, kind.threshold) = (4, 3);
            with_grid(&def_of(&plain), |grid| {
                load(&plain, grid);
                for size in [1, 2] {
                    kind.moves.size = size;
                    hierarchy.refresh(grid, kind.movement()).unwrap();
                    check_graph(&plain, kind, hierarchy);
                }
            });
        }
    });
}

#[test]
fn the_hash_is_fnv_over_the_graph_as_documented() {
    with_grid(&GridDef::of_size(4, 2), |grid| {
        with_hierarchy(&HierarchyDef::of_chunks(4, 2, 2, 6), |hierarchy| {
            hierarchy.refresh(grid, Movement::DEFAULT).unwrap();
            // Two chunks beside each other, joined in the middle of an entrance of two cells: in its upper row.
            let mut bytes = Vec::new();
            for (own, other) in [(1u32, 2u32), (2, 1)] {
                bytes.extend(own.to_le_bytes());
                bytes.extend(0f64.to_bits().to_le_bytes());
                bytes.extend(0u32.to_le_bytes());
                bytes.extend(other.to_le_bytes());
                bytes.extend(1f64.to_bits().to_le_bytes());
            }
            assert_eq!(hierarchy.content_hash(), crate::hash::fnv1a(&bytes));
        });
    });
}
