//! The owned grid as a whole: every way to make one, kept searches, threads, hostile input.

use crate::Source;
use crate::host::tests::Ledger;
use crate::prelude::*;
use core::sync::atomic::Ordering;
use navarena::grid::GridDef;
use std::string::ToString;
use std::thread;
use std::vec::Vec;

const TEXT: &str = "........\n.#####..\n.#...#..\n.#.#.#..\n...#....\n";

/// One chunk holds these grids, so that HPA* too finds cheapest paths.
const ALGORITHMS: [GridAlgorithm; 4] =
    [GridAlgorithm::AStar, GridAlgorithm::Jps, GridAlgorithm::JpsPlus, GridAlgorithm::Hpa];

fn by(algorithm: GridAlgorithm) -> GridOptions {
    GridOptions { algorithm, ..GridOptions::DEFAULT }
}

#[test]
fn text_cells_and_a_map_file_make_the_same_grid() {
    let grid = Grid::from_text(TEXT).unwrap();
    assert_eq!(grid.to_text(), TEXT);
    let cells = Grid::from_cells(8, 5, grid.core().cells()).unwrap();
    let file = std::format!("type octile\nheight 5\nwidth 8\nmap\n{}", TEXT.replace('#', "@"));
    let map = Grid::from_moving_ai(file.as_bytes()).unwrap();
    for other in [cells, map] {
        assert_eq!(other.to_text(), TEXT);
        assert_eq!(other.find_path((0, 0), (4, 3)).unwrap(), grid.find_path((0, 0), (4, 3)).unwrap());
    }
}

#[test]
fn every_engine_finds_the_cheapest_path_again_after_every_edit() {
    let mut grid = Grid::from_text(TEXT).unwrap();
    let costs = |grid: &Grid| {
        ALGORITHMS.map(|algorithm| {
            [true, false].map(|specialized| {
                let path = grid.find_path_with((0, 0), (4, 3), &GridOptions { specialized, ..by(algorithm) }).unwrap();
                assert_eq!(path.algorithm(), algorithm);
                assert_eq!(path.cells().len(), path.outcome().length as usize);
                path.cost()
            })
        })
    };
    assert_eq!(costs(&grid), [[11.0; 2]; 4]);
    assert_eq!(costs(&grid), [[11.0; 2]; 4]);
    // The shaft is closed: around the other way.
    grid.set_area((2, 4), WALL).unwrap();
    assert_eq!(costs(&grid), [[13.0; 2]; 4]);
    grid.set_area((2, 4), 0).unwrap();
    assert_eq!(costs(&grid), [[11.0; 2]; 4]);
}

#[test]
fn ends_that_are_no_ground_and_goals_out_of_reach_are_told_apart() {
    let grid = Grid::from_text("..#.\n..#.\n").unwrap();
    let status = |start: (i32, i32), goal: (i32, i32)| {
        let path = grid.find_path(start, goal).unwrap();
        assert_eq!((path.cells().len(), path.cost()), (0, f64::INFINITY));
        path.status()
    };
    assert_eq!(status((2, 0), (0, 0)), PathStatus::StartInvalid);
    assert_eq!(status((0, 0), (4, 0)), PathStatus::GoalInvalid);
    assert_eq!(status((0, 0), (i32::MIN, i32::MAX)), PathStatus::GoalInvalid);
    assert_eq!(status((0, 0), (3, 0)), PathStatus::NoPath);
    assert_eq!(grid.nearest_walkable((2, 0)), Some(Cell::new(1, 0)));
    assert_eq!(Grid::from_text("#").unwrap().nearest_walkable((0, 0)), None);
}

#[test]
fn a_recorded_search_gives_its_expansions_and_the_same_path() {
    let grid = Grid::from_text(TEXT).unwrap();
    for algorithm in ALGORITHMS {
        let plain = grid.find_path_with((0, 0), (4, 3), &by(algorithm)).unwrap();
        let recorded = grid.find_path_recorded((0, 0), (4, 3), &by(algorithm)).unwrap();
        assert_eq!((plain.cells(), plain.outcome()), (recorded.cells(), recorded.outcome()));
        assert_eq!(recorded.expanded_cells().len() as u64, recorded.expanded());
        assert_eq!(recorded.expanded_cells()[0], Cell::new(0, 0));
        assert!(plain.expanded_cells().is_empty());
    }
}

#[test]
fn threads_that_share_a_grid_find_what_one_finds() {
    let mut grid = Grid::new(40, 40).unwrap();
    grid.set_rect(CellRect::new(20, 0, 1, 39), WALL).unwrap();
    let ways: Vec<(Cell, Cell)> = (0..40).map(|y| (Cell::new(0, y), Cell::new(39, 39 - y))).collect();
    let walk = || -> Vec<GridPath> {
        let find = |(algorithm, &(a, b))| grid.find_path_with(a, b, &by(algorithm)).unwrap();
        ALGORITHMS.into_iter().flat_map(|algorithm| ways.iter().map(move |way| (algorithm, way))).map(find).collect()
    };
    let alone = walk();
    assert!(alone.iter().all(GridPath::is_found));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(walk)).collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), alone));
    });
}

#[test]
fn a_hosts_memory_serves_grid_and_searches_and_comes_back() {
    static LEDGER: Ledger = Ledger::new(1 << 20);
    let def = GridDef::of_size(16, 16);
    let grid = Grid::from_def(&def, &Source::Host(LEDGER.allocator())).unwrap();
    let find = |algorithm| assert!(grid.find_path_with((0, 0), (15, 15), &by(algorithm)).unwrap().is_found());
    ALGORITHMS.into_iter().for_each(find);
    let calls = LEDGER.calls.load(Ordering::Relaxed);
    ALGORITHMS.into_iter().for_each(find);
    assert_eq!(LEDGER.calls.load(Ordering::Relaxed), calls, "searches are kept");
    drop(grid);
    assert_eq!(LEDGER.held.load(Ordering::Relaxed), 0);
}

#[test]
fn what_can_not_be_a_grid_is_refused_by_name() {
    assert_eq!(Grid::new(0, 4).unwrap_err().subject(), Subject::GridWidth);
    assert_eq!(Grid::new(1 << 15, 1 << 14).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(Grid::from_text("..\n.x\n").unwrap_err().subject(), Subject::Picture);
    assert_eq!(Grid::from_cells(2, 2, &[0; 5]).unwrap_err().subject(), Subject::Count);
    assert!(Grid::from_moving_ai(b"type octile\nheight 1\nwidth 1\nmap\nx\n").unwrap_err().to_string().contains('5'));
    let grid = Grid::new(4, 4).unwrap();
    assert!(grid.find_path_with((0, 0), (1, 1), &GridOptions::for_agent_size(0)).is_err());
    assert!(grid.find_path_between([f64::NAN, 0.0], [1.0, 1.0], &GridOptions::DEFAULT).is_err());
}

#[test]
fn hierarchies_of_every_kind_are_kept_beside_each_other_and_follow_edits() {
    static LEDGER: Ledger = Ledger::new(1 << 22);
    let mut grid = Grid::from_def(&GridDef::of_size(40, 40), &Source::Host(LEDGER.allocator())).unwrap();
    grid.set_rect(CellRect::new(20, 0, 1, 36), WALL).unwrap();
    let kinds = [(1, 0), (1, 8), (2, 0), (3, 5)];
    let ask = |grid: &Grid| {
        kinds.map(|(size, hpa_chunk)| {
            let options = GridOptions { hpa_chunk, algorithm: GridAlgorithm::Hpa, ..GridOptions::for_agent_size(size) };
            let plain = GridOptions { hpa_smoothing: false, ..options };
            let cheapest = GridOptions { algorithm: GridAlgorithm::AStar, ..options };
            let [path, plain, cheapest] =
                [options, plain, cheapest].map(|options| grid.find_path_with((1, 1), (35, 2), &options).unwrap());
            assert_eq!((path.algorithm(), plain.algorithm()), (GridAlgorithm::Hpa, GridAlgorithm::Hpa));
            assert!(path.is_found() && cheapest.cost() <= path.cost() + 1e-9 && path.cost() <= plain.cost());
            path.cost()
        })
    };
    let before = ask(&grid);
    let calls = LEDGER.calls.load(Ordering::Relaxed);
    assert_eq!(ask(&grid), before);
    assert_eq!(LEDGER.calls.load(Ordering::Relaxed), calls, "hierarchies are kept");
    // A shortcut for all but the largest.
    grid.set_rect(CellRect::new(20, 4, 1, 2), 0).unwrap();
    let after = ask(&grid);
    assert!(after.iter().zip(before).map(|(after, before)| *after < before).eq([true, true, true, false]));
    for hpa_chunk in [1, 257, u16::MAX] {
        let options = GridOptions { hpa_chunk, ..by(GridAlgorithm::Hpa) };
        let refused = grid.find_path_with((1, 1), (35, 2), &options).unwrap_err();
        assert_eq!(refused.subject(), Subject::ChunkSide);
    }
}
