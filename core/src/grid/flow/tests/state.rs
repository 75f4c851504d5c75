use super::*;

fn saved(grid: &Grid<'_>, field: &mut GridFlowField<'_>) -> Vec<u8> {
    let size = field.state_size(grid).unwrap();
    let mut bytes = std::vec![0; size];
    assert_eq!(field.save_state(grid, &mut bytes[..size - 1]).unwrap_err().refused(), Some(size as f64));
    assert_eq!(field.save_state(grid, &mut bytes), Ok(size));
    assert_eq!(field.state_hash(grid), Ok(crate::hash::fnv1a(&bytes)));
    bytes
}

#[test]
fn a_state_saved_at_any_moment_goes_on_to_the_same_bits() {
    let mut random = SplitMix64::new(21);
    let hooks = (NoHooks, Blocked(|cell: Cell| (cell.x * 31 + cell.y * 17) % 11 == 4));
    let def = GridFlowDef::of_cells(MOST);
    with_field(&def, |field| {
        for _ in 0..rounds(40, 2000) {
            let (plain, moves) = (random_plain(&mut random), random_moves(&mut random));
            let region = (random.below(3) == 0).then(|| random_rect(&mut random, &plain));
            let options = FlowOptions { movement: movement(moves), region };
            let goals = random_goals(&mut random, &plain);
            with_grid(&def_of(&plain, random.below(4) as u32), |grid| {
                load(&plain, grid);
                field.begin_with(grid, &goals, &options, &hooks).unwrap();
                for _ in 0..6 {
                    if random.below(2) == 0 {
                        field.step_with(grid, &hooks, 1 + random.below(30)).unwrap();
                    }
                    (0..random.below(3)).for_each(|_| change(&mut random, &plain, grid, field, &hooks));
                    let bytes = saved(grid, field);
                    assert_eq!(saved(grid, field), bytes, "saving changes nothing");
                    let before = (all_of(field), field.settled(), field.status());
                    let after = with_field(&def, |other| {
                        other.begin_with(grid, field.goals(), &options, &hooks).unwrap();
                        other.restore_state(grid, &bytes).unwrap();
                        assert_eq!((all_of(other), other.settled(), other.status()), before);
                        assert_eq!(saved(grid, other), bytes);
                        other.refresh_with(grid, &hooks).unwrap();
                        other.finish_with(grid, &hooks).unwrap();
                        (all_of(other), other.settled())
                    });
                    field.refresh_with(grid, &hooks).unwrap();
                    if random.below(2) == 0 {
                        field.finish_with(grid, &hooks).unwrap();
                        assert_eq!((all_of(field), field.settled()), after);
                        assert_eq!(all_of(field), made_anew(grid, field, &options, &hooks));
                    }
                }
            });
        }
    });
}

/// A field of a small yard amid a repair, with an edit noted: every section of its bytes holds something.
fn with_busy_field(work: impl FnOnce(&mut Grid<'_>, &mut GridFlowField<'_>)) {
    with_grid(&GridDef::of_size(7, 5), |grid| {
        with_field(&GridFlowDef::of_cells(35), |field| {
            field.build(grid, &[Cell::new(6, 0), Cell::new(1, 4)], &FlowOptions::DEFAULT).unwrap();
            grid.set_rect(CellRect::new(4, 0, 1, 4), WALL).unwrap();
            grid.set_rect(CellRect::new(1, 2, 1, 2), WALL).unwrap();
            field.refresh(grid).unwrap();
            assert_eq!(field.step(grid, 2), Ok(FlowStatus::Running));
            grid.set_area(Cell::new(6, 4), WALL).unwrap();
            work(grid, field);
        });
    });
}

#[test]
fn the_bytes_are_laid_out_as_the_page_says() {
    with_grid(&GridDef::of_size(2, 1), |grid| {
        with_field(&GridFlowDef::of_cells(2), |field| {
            field.build(grid, &[Cell::new(1, 0)], &FlowOptions::DEFAULT).unwrap();
            let mut want = b"OPGS\x01\x00\x07\x00".to_vec();
            // Width, height, area version; the goal; no edit; nodes.
            [2, 1, 0, 1, 1, 0, 2].iter().for_each(|number: &i32| want.extend(number.to_le_bytes()));
            want.push(2);
            want.extend(2i32.to_le_bytes());
            want.push(0);
            [1, 1, 2, 0].iter().for_each(|number: &i32| want.extend(number.to_le_bytes()));
            want.extend(1f64.to_le_bytes());
            want.extend(1i32.to_le_bytes());
            want.extend(0f64.to_le_bytes());
            // One step, from 0 to 1, and nothing waiting.
            [1, 0, 1, 0].iter().for_each(|number: &i32| want.extend(number.to_le_bytes()));
            assert_eq!(saved(grid, field), want);
        });
    });
}

#[test]
fn hostile_bytes_are_refused_or_harmless_and_the_field_can_be_made_anew() {
    with_busy_field(|grid, field| {
        let bytes = saved(grid, field);
        let check_usable = |field: &mut GridFlowField<'_>| {
            field.region().cells().for_each(|cell| assert!(field.follow(cell).count() <= 35));
            field.refresh(grid).unwrap();
            field.finish(grid).unwrap();
        };
        for length in 0..bytes.len() {
            assert_eq!(field.restore_state(grid, &bytes[..length]).unwrap_err().kind(), ErrorKind::Format);
            assert_eq!(field.step(grid, 1).unwrap_err().kind(), ErrorKind::State);
            assert!(field.cost_at(Cell::new(6, 0)) == f64::INFINITY);
        }
        check_usable(field);
        assert_eq!(all_of(field), made_anew(grid, field, &FlowOptions::DEFAULT, &NoHooks));
        let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        assert_eq!(field.restore_state(grid, &longer).unwrap_err().subject(), Subject::Bytes);
        let mut random = SplitMix64::new(5);
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7F, 0x80, 0xFF, bytes[at] ^ 1, random.below(256) as u8] {
                let mut altered = bytes.clone();
                altered[at] = value;
                if field.restore_state(grid, &altered).is_ok() {
                    // Two lists may stand in any order, and are saved rising.
                    let again = saved(grid, field);
                    assert_eq!(again.len(), altered.len());
                    field.restore_state(grid, &again).unwrap();
                    assert_eq!(saved(grid, field), again);
                }
                check_usable(field);
            }
        }
        field.restore_state(grid, &bytes).unwrap();
        check_usable(field);
        assert_eq!(all_of(field), made_anew(grid, field, &FlowOptions::DEFAULT, &NoHooks));
    });
}

#[test]
fn a_state_of_another_field_is_refused_and_names_what_differs() {
    with_busy_field(|grid, field| {
        let bytes = saved(grid, field);
        let refusal = |goals: &[Cell], options: FlowOptions| {
            with_field(&GridFlowDef::of_cells(35), |other| {
                other.begin(grid, goals, &options).unwrap();
                other.restore_state(grid, &bytes).unwrap_err().subject()
            })
        };
        let region = |rect| FlowOptions { region: Some(rect), ..FlowOptions::DEFAULT };
        let goals = field.goals().to_vec();
        assert_eq!(refusal(&goals[..1], FlowOptions::DEFAULT), Subject::Goals);
        assert_eq!(refusal(&[goals[1], goals[0]], FlowOptions::DEFAULT), Subject::Goals);
        assert_eq!(refusal(&goals, region(CellRect::new(0, 0, 6, 5))), Subject::GridWidth);
        assert_eq!(refusal(&goals, region(CellRect::new(0, 0, 7, 4))), Subject::GridHeight);
        let mut altered = bytes.clone();
        altered[4] = 2;
        assert_eq!(field.restore_state(grid, &altered).unwrap_err().kind(), ErrorKind::Version);
        with_field(&GridFlowDef::of_cells(35), |other| {
            assert_eq!(other.restore_state(grid, &bytes).unwrap_err().kind(), ErrorKind::State);
            assert_eq!(other.state_size(grid).unwrap_err().kind(), ErrorKind::State);
        });
    });
}
