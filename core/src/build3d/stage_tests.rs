//! The span stages against their slow models.

use super::compact::Compact;
use super::erosion::{MAX_RADIUS, erode};
use super::filters::{filter_ledges, filter_low_hanging, filter_low_height};
use super::frame::Frame;
use super::heightfield::Heightfield;
use super::oracle::spans::{self as slow, SlowColumn};
use super::oracle::{Dice, World, dirty, with_arena};
use crate::error::{ErrorKind, Subject};
use crate::memory::{Arena, Grain};
use std::vec::Vec;

crate::memory::assert_portable!(Heightfield);
crate::memory::assert_portable!(Compact);

#[test]
fn spans_merge_as_in_a_plain_list() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        with_arena(|arena| {
            dirty(arena);
            let frame = Frame::new([0.0; 3], 1.0, 1.0, 3, 1, 60).unwrap();
            let mut solid = Heightfield::new(frame, 1000, arena).unwrap();
            let mut plain: Vec<SlowColumn> = std::vec![Vec::new(); 3];
            for _ in 0..1 + dice.below(60) {
                let column = dice.below(3) as usize;
                let min = dice.below(59);
                let most = if dice.once_in(6) { 30 } else { 3 };
                let max = (min + 1 + dice.below(most)).min(60);
                let (area, threshold) = (dice.below(5) as u8, dice.below(4));
                solid.add_span(column, min as u16, max as u16, area, threshold).unwrap();
                slow::add(&mut plain[column], min.into(), max.into(), area, threshold.into());
                assert_eq!(slow::columns(&solid), plain, "seed {seed}");
            }
            assert_eq!(solid.span_count(), plain.iter().map(Vec::len).sum::<usize>());
        });
    }
}

#[test]
fn a_field_put_aside_at_the_back_is_the_field_that_was_filled() {
    let world = World { width: 20, depth: 20, floors: 4, areas: 3, noise: 5 };
    with_arena(|arena| {
        let mut kept = Vec::new();
        let (solid, count) = Heightfield::filled(world.frame(), 5000, arena, |solid| {
            world.fill(&mut Dice::new(3), solid);
            kept = slow::columns(solid);
            Ok(solid.span_count())
        })
        .unwrap();
        assert_eq!(slow::columns(&solid), kept);
        assert!(count > 800);
        // Fewer than 8 bytes a span and a column: places that merging freed may be left, but no room to spare.
        assert!(arena.taken() <= 8 * (400 + count) + 64, "{} bytes for {count} spans", arena.taken());
    });
}

#[test]
fn refused_spans_leave_the_field_as_it_was() {
    with_arena(|arena| {
        let frame = Frame::new([0.0; 3], 1.0, 1.0, 2, 2, 10).unwrap();
        let mut solid = Heightfield::new(frame, 1, arena).unwrap();
        let refused = |error: crate::error::Error| (error.kind(), error.subject());
        assert_eq!(refused(solid.add_span(0, 3, 3, 1, 0).unwrap_err()), (ErrorKind::Invalid, Subject::Rows));
        assert_eq!(refused(solid.add_span(0, 3, 11, 1, 0).unwrap_err()), (ErrorKind::Invalid, Subject::Rows));
        assert_eq!(refused(solid.add_span(4, 3, 4, 1, 0).unwrap_err()), (ErrorKind::Invalid, Subject::Columns));
        assert_eq!(refused(solid.add_span(0, 3, 4, 64, 0).unwrap_err()), (ErrorKind::Invalid, Subject::Area));
        solid.add_span(0, 0, 1, 1, 0).unwrap();
        solid.add_span(0, 4, 5, 1, 0).unwrap();
        let before = slow::columns(&solid);
        for (min, max) in [(2, 3), (7, 9)] {
            let error = solid.add_span(0, min, max, 1, 0).unwrap_err();
            assert_eq!(refused(error), (ErrorKind::Capacity, Subject::Spans));
            assert_eq!(slow::columns(&solid), before);
        }
        solid.add_span(0, 1, 4, 1, 0).unwrap(); // joins two spans into one, and frees a place
        solid.add_span(0, 7, 9, 1, 0).unwrap();
        assert_eq!(solid.span_count(), 2);
        solid.clear();
        assert_eq!(solid.span_count(), 0);
    });
}

#[test]
fn filters_are_the_pages() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let world = World::random(&mut dice);
        let (height, climb) = (1 + dice.below(12), dice.below(5));
        with_arena(|arena| {
            dirty(arena);
            let mut solid = Heightfield::new(world.frame(), 10_000, arena).unwrap();
            world.fill(&mut dice, &mut solid);
            let mut plain = slow::columns(&solid);
            filter_low_hanging(&mut solid, climb);
            plain = slow::low_hanging(&plain, climb.into());
            assert_eq!(slow::columns(&solid), plain, "low-hanging, seed {seed}");
            filter_ledges(&mut solid, height, climb);
            plain = slow::ledges(&plain, world.width.into(), world.depth.into(), height.into(), climb.into());
            assert_eq!(slow::columns(&solid), plain, "ledges, seed {seed}");
            filter_low_height(&mut solid, height);
            plain = slow::low_height(&plain, height.into());
            assert_eq!(slow::columns(&solid), plain, "low height, seed {seed}");
        });
    }
}

#[test]
fn links_are_those_of_all_pairs_and_erosion_is_dijkstras() {
    let (mut one_way, mut eroded) = (0, 0);
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let world = World::random(&mut dice);
        let (height, climb, radius) = (1 + dice.below(6), dice.below(14), dice.below(6));
        with_arena(|arena| {
            let (solid, ()) = Heightfield::filled(world.frame(), 10_000, arena, |solid| {
                world.fill(&mut dice, solid);
                Ok(())
            })
            .unwrap();
            let plain = slow::compact(&slow::columns(&solid), world.width.into(), height.into(), climb.into());
            dirty(arena);
            let mut field = Compact::build(&solid, height, climb, arena).unwrap();
            assert_eq!(slow::read(&field), plain, "seed {seed}");
            dirty(arena);
            erode(&mut field, radius, arena).unwrap();
            let far = slow::distances(&plain);
            for (s, span) in plain.iter().enumerate() {
                let expected = if far[s] < 2 * radius { 0 } else { span.area };
                assert_eq!(field.areas[s], expected, "seed {seed}, radius {radius}, span {s}");
                let returned = |to: usize, dir: usize| plain[to].links[(dir + 2) % 4] == Some(s);
                one_way += (0..4).filter(|&dir| span.links[dir].is_some_and(|to| !returned(to, dir))).count();
                eroded += usize::from(expected != span.area);
            }
        });
    }
    // The worlds hold what could go wrong.
    assert!(one_way > 1000 && eroded > 1000, "{one_way} one-way links, {eroded} eroded spans");
}

#[test]
fn a_radius_past_the_bound_is_refused_and_zero_does_nothing() {
    let world = World { width: 5, depth: 5, floors: 1, areas: 1, noise: 100 };
    world.with_compact(&mut Dice::new(1), |mut field, arena| {
        let before = field.areas.to_vec();
        let error = erode(&mut field, MAX_RADIUS + 1, arena).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Limit, Subject::AgentRadius));
        erode(&mut field, 0, arena).unwrap();
        assert_eq!(field.areas, before);
        erode(&mut field, MAX_RADIUS, arena).unwrap();
        assert!(field.areas.iter().all(|&area| area == 0));
    });
}

#[test]
fn a_tall_column_links_no_higher_than_index_62() {
    with_arena(|arena| {
        let frame = Frame::new([0.0; 3], 1.0, 1.0, 2, 1, 400).unwrap();
        let (solid, ()) = Heightfield::filled(frame, 1000, arena, |solid| {
            for column in 0..2 {
                for floor in 0..80 {
                    solid.add_span(column, floor * 4, floor * 4 + 1, 1, 0)?;
                }
            }
            Ok(())
        })
        .unwrap();
        let mut field = Compact::build(&solid, 3, 1, arena).unwrap();
        let plain = slow::compact(&slow::columns(&solid), 2, 3, 1);
        assert_eq!(slow::read(&field), plain);
        assert_eq!((plain[62].links[2], plain[63].links[2]), (Some(142), None));
        erode(&mut field, 1, arena).unwrap();
        assert!(field.areas.iter().all(|&area| area == 0));
    });
}

#[test]
fn a_bake_of_spans_works_or_is_refused_in_an_arena_of_any_size() {
    let world = World { width: 10, depth: 10, floors: 3, areas: 2, noise: 6 };
    let mut region = std::vec![Grain::ZERO; 1200];
    let mut worked = false;
    for grains in (0..1200).step_by(7) {
        let mut arena = Arena::new(&mut region[..grains]);
        let result: crate::error::Result<u32> = arena.scope(|desk| {
            let (solid, ()) = Heightfield::filled(world.frame(), 500, desk, |solid| {
                for column in 0..100 {
                    for floor in 0..3 {
                        solid.add_span(column, 10 + 20 * floor, 12 + 20 * floor, 1, 1)?;
                    }
                }
                Ok(())
            })?;
            let mut field = Compact::build(&solid, 4, 2, desk)?;
            erode(&mut field, 1, desk)?;
            super::regions::partition(&mut field, &super::regions::RegionSettings::default(), desk)?;
            Ok(field.region_count)
        });
        match result {
            Ok(_) => worked = true,
            Err(error) => assert_eq!((error.kind(), worked), (ErrorKind::Capacity, false), "{grains}: {error}"),
        }
        assert_eq!(arena.taken(), 0);
    }
    assert!(worked);
}
