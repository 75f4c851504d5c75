//! Map files of any bytes: refused by their line, or read to the last cell; small ones are searched, with one answer by all.

#![no_main]

use libfuzzer_sys::fuzz_target;
use navarena::grid::moving_ai::{GridMap, TerrainRule};
use navarena::grid::{Cell, CellRect, Grid, GridAlgorithm, GridDef, GridOptions, GridSearch, GridSearchDef};
use navarena::memory::Arena;
use navarena_fuzz::region;

/// The most cells of a map that is searched.
const SMALL: usize = 1024;

fuzz_target!(|data: &[u8]| {
    let Ok(map) = GridMap::open(data) else { return };
    let (width, height) = (map.width(), map.height());
    let cells = width as usize * height as usize;
    assert!(cells <= data.len(), "every cell stands in the file");
    assert_eq!(map.rows().count(), height as usize);
    let mut areas = vec![7; cells];
    map.write_areas(&TerrainRule::DEFAULT, &mut areas).expect("an area for each cell");
    assert!(areas.iter().all(|&area| area == 0 || area == 255));
    if cells <= SMALL {
        search(width, height, &areas);
    }
});

fn search(width: u32, height: u32, areas: &[u8]) {
    let (def, search_def) = (GridDef::of_size(width, height), GridSearchDef::of_size(width, height));
    let (mut map_region, mut search_region) = (region(def.plan()), region(search_def.plan()));
    let mut grid = Grid::new(&def, &mut Arena::new(&mut map_region)).expect("the plan fits its own region");
    grid.set_rect_areas(CellRect::new(0, 0, width as i32, height as i32), areas).expect("the whole grid");
    let mut search =
        GridSearch::new(&search_def, &mut Arena::new(&mut search_region)).expect("the plan fits its own region");
    let goal = Cell::new(width as i32 - 1, height as i32 - 1);
    let mut ask = |algorithm| {
        let options = GridOptions { algorithm, ..GridOptions::DEFAULT };
        let outcome = search.find_path(&grid, (0, 0), goal, &options).expect("there is memory for it");
        (outcome.status, outcome.cost.to_bits())
    };
    let first = ask(GridAlgorithm::AStar);
    assert_eq!(ask(GridAlgorithm::Jps), first);
    assert_eq!(ask(GridAlgorithm::JpsPlus), first);
}
