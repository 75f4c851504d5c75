//! Saved searches: who is restored goes on to the same bits, and hostile bytes change nothing.

use super::{rounds, with_grid, with_search};
use crate::error::{ErrorKind, Subject};
use crate::grid::theta::{ThetaOptions, ThetaSearch, ThetaVariant};
use crate::grid::*;
use crate::math::SplitMix64;
use crate::memory::{Arena, Grain};
use crate::search::{AStarDef, PathStatus, SearchStatus};
use std::vec::Vec;

/// Every engine, by the options that choose it, with the mode it is saved in.
fn engines() -> Vec<(&'static str, GridOptions, OctileMemory, u8)> {
    let plain = GridOptions::DEFAULT;
    let by = |algorithm| GridOptions { algorithm, ..plain };
    let generic = |algorithm| GridOptions { specialized: false, ..by(algorithm) };
    let standard = OctileMemory::Standard;
    std::vec![
        ("standard", plain, standard, 1),
        ("compact", plain, OctileMemory::Compact, 1),
        ("no estimate", GridOptions { heuristic: HeuristicKind::Zero, ..plain }, standard, 1),
        ("generic", generic(GridAlgorithm::AStar), standard, 2),
        ("weighted", GridOptions { weight: 1.5, ..plain }, standard, 2),
        ("four", GridOptions::FOUR_CONNECTED, standard, 2),
        ("jps", by(GridAlgorithm::Jps), standard, 3),
        ("jps+", by(GridAlgorithm::JpsPlus), standard, 3),
        ("generic jps", generic(GridAlgorithm::Jps), standard, 2),
        ("generic jps+", generic(GridAlgorithm::JpsPlus), standard, 2),
        ("theta", by(GridAlgorithm::ThetaStar), standard, 2),
        ("lazy theta", by(GridAlgorithm::LazyThetaStar), standard, 2),
    ]
}

fn search_def(octile: OctileMemory) -> GridSearchDef {
    GridSearchDef { octile, expansions: 300, ..GridSearchDef::of_size(16, 16) }
}

/// A map of 16 by 16 cells with walls strewn over it.
fn strew(grid: &mut Grid<'_>, random: &mut SplitMix64) {
    let walls = random.below(40);
    let cells: Vec<u8> = (0..256).map(|_| if random.below(100) < walls { WALL } else { 0 }).collect();
    grid.set_rect_areas(CellRect::new(0, 0, 16, 16), &cells).unwrap();
}

fn ground(grid: &Grid<'_>, random: &mut SplitMix64) -> Cell {
    let mut pick = || Cell::new(random.below(16) as i32, random.below(16) as i32);
    let tries = [pick(), pick(), pick(), pick(), pick(), pick()];
    tries.into_iter().find(|&cell| grid.is_walkable(cell)).unwrap_or(tries[0])
}

fn saved(grid: &Grid<'_>, search: &GridSearch<'_>) -> Vec<u8> {
    let mut bytes = std::vec![0; search.state_size(grid).unwrap()];
    assert_eq!(search.save_state(grid, &mut bytes), Ok(bytes.len()));
    assert_eq!(search.state_hash(grid), Ok(crate::hash::fnv1a(&bytes)));
    bytes
}

fn path_of(search: &GridSearch<'_>) -> (GridOutcome, Vec<Cell>) {
    (search.outcome(), search.path().cells().to_vec())
}

#[test]
fn a_search_restored_at_any_moment_goes_on_to_the_same_bits() {
    let mut random = SplitMix64::new(31);
    for (name, options, octile, mode) in engines() {
        with_grid(&GridDef::of_size(16, 16), |grid| {
            with_search(&search_def(octile), |search| {
                with_search(&search_def(octile), |other| {
                    for round in 0..rounds(8, 400) {
                        strew(grid, &mut random);
                        let (start, goal) = (ground(grid, &mut random), ground(grid, &mut random));
                        // The other one is in the midst of something else.
                        other.begin(grid, goal, start, &options).unwrap();
                        other.step(grid, 5).ok();
                        if search.begin(grid, start, goal, &options).unwrap() != PathStatus::InProgress {
                            continue;
                        }
                        let budget = [1, 2, 7, 50][round % 4];
                        loop {
                            let bytes = saved(grid, search);
                            assert_eq!(bytes[8], mode, "{name}");
                            assert_eq!(other.restore_state(grid, &options, &bytes), Ok(()), "{name}");
                            assert_eq!(saved(grid, other), bytes, "{name}");
                            assert_eq!(path_of(other), path_of(search), "{name}");
                            let status = search.step(grid, budget).unwrap();
                            assert_eq!(other.step(grid, budget), Ok(status), "{name}");
                            assert_eq!(path_of(other), path_of(search), "{name}");
                            if mode == 2 {
                                assert!(other.path().expanded_cells().eq(search.path().expanded_cells()));
                            }
                            if status != PathStatus::InProgress {
                                break;
                            }
                        }
                        // After its end too, and with the grid put back as well.
                        let (bytes, mut map) = (saved(grid, search), std::vec![0; grid.state_size()]);
                        grid.save_state(&mut map).unwrap();
                        // Walls strewn anew could be none as before; this is a change for certain.
                        grid.set_area(start, WALL).unwrap();
                        assert_eq!(search.state_size(grid).unwrap_err().kind(), ErrorKind::State);
                        grid.restore_state(&map).unwrap();
                        search.restore_state(grid, &options, &bytes).unwrap();
                        assert_eq!(path_of(search), path_of(other), "{name}");
                    }
                });
            });
        });
    }
}

#[test]
fn both_forms_of_the_specialised_search_read_each_others_bytes() {
    let mut random = SplitMix64::new(32);
    with_grid(&GridDef::of_size(16, 16), |grid| {
        with_search(&search_def(OctileMemory::Standard), |one| {
            with_search(&search_def(OctileMemory::Compact), |other| {
                for _ in 0..rounds(20, 500) {
                    strew(grid, &mut random);
                    let (start, goal) = (ground(grid, &mut random), ground(grid, &mut random));
                    if one.begin(grid, start, goal, &GridOptions::DEFAULT).unwrap() == PathStatus::InProgress {
                        one.step(grid, 1 + random.below(60)).unwrap();
                        other.restore_state(grid, &GridOptions::DEFAULT, &saved(grid, one)).unwrap();
                        assert_eq!(saved(grid, other), saved(grid, one));
                        one.step(grid, u64::MAX).unwrap();
                        other.step(grid, u64::MAX).unwrap();
                        assert_eq!(path_of(one), path_of(other));
                    }
                }
            });
        });
    });
}

/// A search of each engine in the midst of its work, with its bytes.
fn amid_work(work: impl Fn(&str, &Grid<'_>, &mut GridSearch<'_>, &GridOptions, Vec<u8>)) {
    with_grid(&GridDef::of_size(16, 16), |grid| {
        grid.set_rect(CellRect::new(6, 2, 1, 14), WALL).unwrap();
        grid.set_rect(CellRect::new(10, 0, 1, 13), WALL).unwrap();
        for (name, options, octile, _) in engines() {
            with_search(&search_def(octile), |search| {
                search.begin(grid, (1, 13), (14, 2), &options).unwrap();
                search.step(grid, if options.algorithm == GridAlgorithm::AStar { 40 } else { 4 }).unwrap();
                assert_eq!(search.outcome().status, PathStatus::InProgress, "{name}");
                let bytes = saved(grid, search);
                work(name, grid, search, &options, bytes);
            });
        }
    });
}

fn word(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(*bytes[at..].first_chunk().unwrap())
}

#[test]
fn the_bytes_stand_where_the_page_has_them() {
    amid_work(|name, _, search, _, bytes| {
        let outcome = search.outcome();
        assert_eq!(bytes[..8], *b"OPGS\x01\x00\x0C\x00");
        assert_eq!((word(&bytes, 9), word(&bytes, 13)), (16, 16));
        let counts = |at: usize| (word(&bytes, at) as u64, word(&bytes, at + 4) as u64);
        match bytes[8] {
            1 => {
                assert_eq!((bytes[17], bytes[18]), (1, u8::from(name == "no estimate")));
                assert_eq!((word(&bytes, 19), word(&bytes, 23)), (13 * 16 + 1, 2 * 16 + 14));
                assert_eq!(counts(27), (outcome.expanded, outcome.iterations));
                let visited = word(&bytes, 43) as usize;
                assert_eq!(bytes.len(), 47 + 13 * visited);
                let start = (0..visited).map(|n| 47 + 13 * n).find(|&at| word(&bytes, at) == 209).unwrap();
                assert_eq!(bytes[start + 4..start + 13], [0, 0, 0, 0, 0, 0, 0, 0, 1]);
            }
            2 => {
                assert_eq!([17, 21, 25, 29].map(|at| word(&bytes, at)), [1, 13, 14, 2]);
                assert_eq!(word(&bytes, 33) as usize, bytes.len() - 37);
                let kind = if name.contains("jps") {
                    9
                } else if name.contains("theta") {
                    10
                } else {
                    8
                };
                assert_eq!(bytes[37..45], [0x4F, 0x50, 0x47, 0x53, 1, 0, kind, 0]);
                assert_eq!((word(&bytes, 45), bytes[49]), (256, 1));
                let weight = f64::from_le_bytes(*bytes[50..].first_chunk().unwrap());
                assert_eq!(weight, if name == "weighted" { 1.5 } else { 1.0 });
                assert_eq!((word(&bytes, 58), word(&bytes, 62)), (if kind == 8 { 209 } else { -1 }, 46));
                assert_eq!(counts(66), (outcome.expanded, outcome.iterations));
                let visited = word(&bytes, 82) as usize;
                let heap = 86 + 17 * visited;
                let list = heap + 4 + 20 * word(&bytes, heap) as usize;
                assert_eq!(bytes.len(), list + 4 + 4 * word(&bytes, list) as usize);
            }
            _ => {
                assert_eq!(bytes[17], u8::from(name == "jps+"));
                assert_eq!((bytes[18], bytes[19]), (1, 0));
                assert_eq!((word(&bytes, 20), word(&bytes, 24)), (209, 46));
                assert_eq!(counts(28), (outcome.expanded, outcome.iterations));
                let level = 48 + 17 * word(&bytes, 44) as usize;
                assert!(f64::from_le_bytes(*bytes[level..].first_chunk().unwrap()) > 0.0);
                let stack = level + 12 + 16 * word(&bytes, level + 8) as usize;
                assert_eq!(bytes.len(), stack + 4 + 4 * word(&bytes, stack) as usize);
            }
        }
    });
}

#[test]
fn bytes_of_other_options_sizes_and_lengths_are_refused_and_change_nothing() {
    amid_work(|name, grid, search, options, bytes| {
        let before = path_of(search);
        for (other, wanted, _, _) in engines() {
            let is_same = wanted.algorithm_on(grid, false) == options.algorithm
                && (wanted.weight, wanted.specialized, wanted.heuristic_kind(), wanted.movement)
                    == (options.weight, options.specialized, options.heuristic_kind(), options.movement);
            // Theta* and its lazy kin are one kind of state, and four neighbours share A*'s: nothing in it tells them apart.
            let is_kin = |name: &str| ["theta", "lazy theta"].contains(&name);
            let shares_kind = is_kin(name) && is_kin(other)
                || ["generic", "four"].contains(&name) && ["generic", "four"].contains(&other)
                || name.contains("generic jps") && other.contains("generic jps");
            if !is_same && !shares_kind {
                assert!(search.restore_state(grid, &wanted, &bytes).is_err(), "{name} by {other}");
            }
        }
        for cut in 0..bytes.len() {
            assert!(search.restore_state(grid, options, &bytes[..cut]).is_err(), "{name}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(search.restore_state(grid, options, &longer).unwrap_err().subject(), Subject::Bytes);
        with_grid(&GridDef::of_size(16, 15), |smaller| {
            assert_eq!(search.restore_state(smaller, options, &bytes).unwrap_err().subject(), Subject::GridHeight);
        });
        assert_eq!((path_of(search), saved(grid, search)), (before, bytes), "{name}");
    });
}

#[test]
fn mutated_bytes_change_nothing_or_lead_to_bounded_calls() {
    amid_work(|name, grid, search, options, bytes| {
        let mut random = SplitMix64::new(33);
        let mut accepted = 0;
        for _ in 0..rounds(300, 200_000) {
            let mut hostile = bytes.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len() as u64) as usize;
                hostile[at] = [0, 1, 255, 127, random.below(256) as u8][random.below(5) as usize];
            }
            if search.restore_state(grid, options, &hostile).is_err() {
                assert_eq!(saved(grid, search), bytes, "{name}");
                continue;
            }
            accepted += 1;
            // What does not matter before the end may come back otherwise; what comes back is accepted again.
            let again = saved(grid, search);
            search.restore_state(grid, options, &again).unwrap();
            assert_eq!(saved(grid, search), again, "{name}");
            let mut steps = 0;
            while search.step(grid, 50) == Ok(PathStatus::InProgress) && steps < 100 {
                steps += 1;
            }
            assert!(search.path().cells().len() <= 4096);
            search.restore_state(grid, options, &bytes).unwrap();
            assert_eq!(saved(grid, search), bytes, "{name}");
        }
        assert!(accepted > 0, "{name}: some mutations are of no consequence");
    });
}

#[test]
fn parents_in_a_circle_entries_twice_and_cells_that_wait_nowhere_are_refused() {
    // A start and two nodes over it that cost nothing, each the other's parent.
    let state = |parents: [u32; 2], entries: &[u32]| {
        let mut bytes = b"OPGS\x01\x00\x08\x00".to_vec();
        let mut words = |list: &[u32]| list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        words(&[9]);
        bytes.push(1);
        bytes.extend(1.0f64.to_le_bytes());
        let mut words = |list: &[u32]| list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        words(&[0, 8, 0, 0]);
        bytes.extend(f64::INFINITY.to_le_bytes());
        bytes.extend(3u32.to_le_bytes());
        for (node, parent) in [(0, u32::MAX), (1, parents[0]), (2, parents[1])] {
            bytes.extend(u32::to_le_bytes(node));
            bytes.push(0);
            bytes.extend(0.0f64.to_le_bytes());
            bytes.extend(parent.to_le_bytes());
        }
        bytes.extend((entries.len() as u32).to_le_bytes());
        for node in entries {
            bytes.extend(node.to_le_bytes());
            bytes.extend([0; 16]);
        }
        bytes.extend(0u32.to_le_bytes());
        bytes
    };
    let def = AStarDef::of_nodes(9);
    let mut region = std::vec![Grain::ZERO; def.plan().grains()];
    let mut search = crate::search::AStar::new(&def, &mut Arena::new(&mut region)).unwrap();
    let saved_as = crate::search::SearchState { kind: crate::bytes::StateKind::AStar, nodes: 9, weight: 1.0 };
    let mut restore = |bytes: &[u8]| search.restore_state(&saved_as, bytes).map_err(|error| error.subject());
    assert_eq!(restore(&state([0, 1], &[0, 1, 2])), Ok(()));
    assert_eq!(restore(&state([2, 0], &[])), Ok(()));
    assert_eq!(restore(&state([2, 1], &[])), Err(Subject::StateNode));
    assert_eq!(restore(&state([0, 2], &[])), Err(Subject::StateNode));
    assert_eq!(restore(&state([0, 5], &[])), Err(Subject::StateNode));
    assert_eq!(restore(&state([0, 1], &[1, 1])), Err(Subject::StateQueue));
    assert_eq!(restore(&state([0, 1], &[3])), Err(Subject::StateQueue));
    assert_eq!(restore(&state([0, 1], &[2, 1])), Err(Subject::StateQueue), "node 1 comes before node 2");
}

#[test]
fn theta_alone_is_saved_and_restored_as_kind_10() {
    let mut random = SplitMix64::new(34);
    let def = AStarDef { expansions: 300, ..AStarDef::of_nodes(256) };
    let mut region = std::vec![Grain::ZERO; 2 * def.plan().grains()];
    let mut arena = Arena::new(&mut region);
    let mut search = ThetaSearch::new(&def, &mut arena).unwrap();
    let mut other = ThetaSearch::new(&def, &mut arena).unwrap();
    with_grid(&GridDef::of_size(16, 16), |grid| {
        for variant in [ThetaVariant::Theta, ThetaVariant::Lazy, ThetaVariant::LazyRequeue] {
            let options = ThetaOptions::of(variant);
            for round in 0..rounds(10, 400) {
                strew(grid, &mut random);
                let (start, goal) = (ground(grid, &mut random), ground(grid, &mut random));
                if search.begin(grid, start, goal, options).unwrap() != PathStatus::InProgress {
                    continue;
                }
                loop {
                    let mut bytes = std::vec![0; search.state_size(grid).unwrap()];
                    search.save_state(grid, &mut bytes).unwrap();
                    assert_eq!(bytes[6], 10);
                    other.restore_state(grid, options, &bytes).unwrap();
                    assert_eq!(other.state_hash(grid), search.state_hash(grid));
                    let heavier = ThetaOptions { weight: 2.0, ..options };
                    let refusal = other.restore_state(grid, heavier, &bytes).unwrap_err();
                    assert_eq!(refusal.subject(), Subject::HeuristicWeight);
                    let status = search.step(grid, [1, 2, 7, 50][round % 4]).unwrap();
                    assert_eq!(other.step(grid, [1, 2, 7, 50][round % 4]), Ok(status));
                    assert!(other.path_back().eq(search.path_back()) && other.expansions() == search.expansions());
                    if status != SearchStatus::Running {
                        break;
                    }
                }
            }
        }
    });
}

#[test]
fn a_search_over_a_hierarchy_is_not_saved_and_goes_on() {
    let options = GridOptions { algorithm: GridAlgorithm::Hpa, ..GridOptions::DEFAULT };
    let hierarchy = Some(crate::grid::hpa::HierarchyDef::of_size(16, 16));
    with_grid(&GridDef::of_size(16, 16), |grid| {
        with_search(&GridSearchDef { hierarchy, ..search_def(OctileMemory::Standard) }, |search| {
            search.begin(grid, (0, 0), (15, 15), &options).unwrap();
            assert_eq!(search.state_size(grid).unwrap_err().kind(), ErrorKind::Unsupported);
            let bytes = b"OPGS\x01\x00\x0C\x00\x02\x10\x00\x00\x00\x10\x00\x00\x00";
            assert_eq!(search.restore_state(grid, &options, bytes).unwrap_err().kind(), ErrorKind::Unsupported);
            assert_eq!(search.step(grid, u64::MAX), Ok(PathStatus::Found));
        });
    });
}

#[test]
fn a_handle_without_a_search_is_saved_as_such() {
    with_grid(&GridDef::of_size(16, 16), |grid| {
        with_search(&search_def(OctileMemory::Standard), |search| {
            let idle = saved(grid, search);
            assert_eq!(idle, b"OPGS\x01\x00\x0C\x00\x00\x10\x00\x00\x00\x10\x00\x00\x00");
            search.begin(grid, (0, 0), (5, 5), &GridOptions::DEFAULT).unwrap();
            search.restore_state(grid, &GridOptions::DEFAULT, &idle).unwrap();
            assert_eq!(search.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
        });
    });
}
