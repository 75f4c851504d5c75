//! What is refused, and by what name: bad outlines, limits reached, plans that must be enough.

use super::*;

/// The region of outlines of positions, on the grid of whole units.
fn region<'a>(
    builder: &mut RegionBuilder,
    outlines: &[Vec<Vec<[f64; 2]>>],
    arena: &mut Arena<'a>,
) -> Result<Region<'a>> {
    let rings: Vec<Vec<&[[f64; 2]]>> = outlines.iter().map(|o| o.iter().map(Vec::as_slice).collect()).collect();
    let outlines: Vec<Outline<'_>> = rings.iter().map(|rings| Outline { rings }).collect();
    builder.from_outlines(&outlines, SnapGrid::new(0)?, arena)
}

#[test]
fn bad_outlines_are_refused_by_outline_ring_and_vertex() {
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let good = std::vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
    let mut refusal = |bad: Vec<[f64; 2]>| {
        let outlines = [std::vec![good.clone()], std::vec![good.clone(), bad]];
        let error = region(&mut builder, &outlines, &mut arena).unwrap_err();
        assert_eq!((error.subject(), error.index(), error.part_index()), (Subject::Outline, Some(1), Some(1)));
        (error.kind(), error.element_index())
    };
    assert_eq!(refusal(std::vec![[0.0, 0.0], [1.0, f64::NAN], [2.0, 2.0]]), (ErrorKind::Invalid, Some(1)));
    assert_eq!(refusal(std::vec![[0.0, 0.0], [1.0, 1.0], [2.0, -2097152.5]]), (ErrorKind::Limit, Some(2)));
    assert_eq!(refusal(std::vec![[0.0, 0.0], [1.0, 1.0]]), (ErrorKind::Invalid, None));
    assert!(region(&mut builder, &[std::vec![good.clone()]], &mut arena).is_ok());
}

#[test]
fn every_limit_that_is_reached_is_named() {
    let grid_of_squares: Vec<Vec<Vec<[f64; 2]>>> = (0..4)
        .map(|i| f64::from(i) * 3.0)
        .map(|x| std::vec![std::vec![[x, x], [x + 4.0, x], [x + 4.0, x + 4.0], [x, x + 4.0]]])
        .chain([std::vec![std::vec![[50.0, 0.0], [60.0, 0.0], [60.0, 5.0]]]])
        .collect();
    let mut memory = memory();
    let mut refused = |def: RegionDef| {
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&def).unwrap();
        region(&mut builder, &grid_of_squares, &mut arena).map(|_| ()).map_err(|e| (e.kind(), e.subject()))
    };
    assert_eq!(refused(DEF), Ok(()));
    let capacity = |subject| Err((ErrorKind::Capacity, subject));
    assert_eq!(refused(RegionDef { edges: 18, ..DEF }), capacity(Subject::Edges));
    assert_eq!(refused(RegionDef { crossings: 5, ..DEF }), capacity(Subject::EdgeCrossings));
    assert_eq!(refused(RegionDef { segments: 20, ..DEF }), capacity(Subject::Segments));
    assert_eq!(refused(RegionDef { points: 10, ..DEF }), capacity(Subject::Points));
    assert_eq!(refused(RegionDef { rings: 1, ..DEF }), capacity(Subject::Rings));
    assert!(RegionBuilder::new(&RegionDef { edges: 0, ..DEF }).is_err());
    let mut small = std::vec![Grain::ZERO; 64];
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let error = region(&mut builder, &grid_of_squares, &mut Arena::new(&mut small)).unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory));
}

/// The counts of one operation, as the least limits that allow it.
fn counted(report: &RegionReport) -> RegionDef {
    RegionDef {
        edges: report.edges.max(1),
        crossings: report.crossings,
        segments: report.segments.max(1),
        points: report.points,
        rings: report.rings,
    }
}

/// Whatever an input needs: the plan of just those limits is enough memory, and one less of any limit is refused by name.
#[test]
fn the_plan_of_the_least_limits_is_enough_and_one_less_of_any_is_named() {
    let mut random = SplitMix64::new(31);
    let mut memory = memory();
    let (mut refusals, mut fullest) = ([0; 5], 0.0);
    for _ in 0..rounds(100) {
        let outlines = nasty::outlines(&mut random);
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let made = nasty::region(&mut builder, &outlines, &mut Arena::new(&mut memory)).unwrap();
        let least = counted(builder.report());
        let with = |def: RegionDef, grains: usize| {
            let mut memory = std::vec![Grain::ZERO; grains];
            let mut builder = RegionBuilder::new(&def).unwrap();
            let region = nasty::region(&mut builder, &outlines, &mut Arena::new(&mut memory));
            region.map(|region| (region.twice_area(), region.points.to_vec(), builder.report().memory_peak))
        };
        let (area, points, peak) = with(least, least.plan().grains()).unwrap();
        assert_eq!((area, &points[..]), (made.twice_area(), made.points));
        assert!(peak <= least.plan().bytes);
        fullest = crate::math::max(fullest, peak as f64 / least.plan().bytes as f64);
        let fewer = [
            (Subject::Edges, RegionDef { edges: least.edges - 1, ..least }),
            (Subject::EdgeCrossings, RegionDef { crossings: least.crossings.wrapping_sub(1), ..least }),
            (Subject::Segments, RegionDef { segments: least.segments - 1, ..least }),
            (Subject::Points, RegionDef { points: least.points.wrapping_sub(1), ..least }),
            (Subject::Rings, RegionDef { rings: least.rings.wrapping_sub(1), ..least }),
        ];
        for (i, (subject, def)) in fewer.into_iter().enumerate().filter(|(_, (_, def))| def.validate().is_ok()) {
            let error = with(def, least.plan().grains()).unwrap_err();
            assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, subject), "{def:?}");
            refusals[i] += 1;
        }
        let grains = random.below(least.plan().grains() as u64) as usize;
        match with(least, grains) {
            Ok((_, found, _)) => assert_eq!(found, points),
            Err(error) => assert_eq!((error.kind(), error.subject()), (ErrorKind::Capacity, Subject::Memory)),
        }
    }
    assert!(refusals.iter().all(|&count| count > 20), "{refusals:?}");
    assert!(fullest > 0.7, "the plan is far too large: at most {fullest} of it was used");
}
