//! Plain data that no stage made.

use super::*;

/// Arrangements that nothing arranged: whatever their numbers are, they are refused or come to an end.
#[test]
fn an_arrangement_made_up_of_any_numbers_is_refused_or_traced() {
    let mut random = SplitMix64::new(21);
    let mut memory = std::vec![Grain::ZERO; 200];
    let (mut refused, mut traced) = (0, 0);
    for _ in 0..4000 {
        let mut any = |most: u64| random.below(most) as i64;
        let mut vertices: Vec<_> = (0..any(7)).map(|_| GridPoint { x: any(4), y: any(4) }).collect();
        if any(20) == 0 {
            vertices.push(GridPoint { x: i64::MAX, y: i64::MIN });
        }
        let mut segments: Vec<_> = (0..any(7))
            .map(|_| Segment {
                a: any(5) as u32,
                b: any(8) as u32,
                delta: [(any(5) - 2) as i32, i32::MAX * any(2) as i32],
            })
            .collect();
        if any(8) != 0 {
            vertices.sort();
            vertices.dedup();
            segments.sort_by_key(|segment| (segment.a, segment.b));
            segments.dedup_by_key(|segment| (segment.a, segment.b));
            segments.retain(|segment| segment.a < segment.b && (segment.b as usize) < vertices.len());
        }
        let arrangement = Arrangement { vertices: &vertices, segments: &segments };
        let mut arena = Arena::new(&mut memory);
        let labels = label(&arrangement, &mut arena).map(<[_]>::to_vec).unwrap_or(std::vec![[i32::MIN, 1]; 7]);
        let mut report = RegionReport::default();
        match trace(&arrangement, &labels, |[w, _]| w > 0, SnapGrid::FINEST, &DEF, &mut report, &mut arena) {
            Ok(_) => traced += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && traced > 100, "{refused} refused, {traced} traced");
}

#[test]
fn a_region_made_up_of_any_numbers_has_some_area_and_is_refused_by_operations() {
    let far = [[i64::MIN, i64::MIN], [i64::MAX, i64::MIN], [i64::MAX, i64::MAX], [i64::MIN, i64::MAX]];
    let points = far.map(|[x, y]| GridPoint { x, y });
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    for ends in [&[4][..], &[4, 2, 9], &[0, 4], &[u32::MAX]] {
        let region = Region { grid: SnapGrid::FINEST, points: &points, ends };
        let _ = (region.twice_area(), region.area(), region.contains([0.0, 0.0]), region.ring(1));
    }
    let region = Region { grid: SnapGrid::FINEST, points: &points, ends: &[4] };
    let empty = Region::empty(SnapGrid::FINEST);
    let subject = |refused: Result<Region<'_>>| refused.map_err(|error| (error.kind(), error.subject())).unwrap_err();
    assert_eq!(subject(builder.union(&empty, &region, &mut arena)), (ErrorKind::Limit, Subject::Edges));
    assert_eq!(subject(builder.shrink(&region, 1.0, 0.0, &mut arena)), (ErrorKind::Limit, Subject::Point));
}
