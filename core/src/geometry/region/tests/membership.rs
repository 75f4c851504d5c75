//! Which points lie where: outlines and operations against every edge counted anew for every point.

use super::nasty::*;
use super::noding::arranged_by_brute_force;
use super::*;

#[test]
fn resolved_outlines_hold_the_points_that_the_even_odd_rule_holds() {
    let mut random = SplitMix64::new(1);
    let (mut memory, mut asked, mut inside) = (memory(), 0, 0);
    for _ in 0..rounds(150) {
        let outlines = outlines(&mut random);
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let made = region(&mut builder, &outlines, &mut Arena::new(&mut memory)).unwrap();
        assert_well_formed(&made);
        assert!(builder.report().rounds <= 1, "the first check finds nothing");
        for at in middles(&mut random, &vertices(&outlines), 60) {
            if !is_near_an_edge(&outlines, at) {
                asked += 1;
                inside += usize::from(in_outlines(&outlines, at));
                assert_eq!(in_region(&made, at), in_outlines(&outlines, at), "{at:?} of {outlines:?}");
            }
        }
    }
    assert!(asked > 1000 && inside > 100, "{asked} {inside}");
}

const OPERATIONS: [Operation; 4] =
    [Operation::Union, Operation::Intersection, Operation::Difference, Operation::SymmetricDifference];

fn holds(operation: Operation, first: bool, second: bool) -> bool {
    match operation {
        Operation::Union => first || second,
        Operation::Intersection => first && second,
        Operation::Difference => first && !second,
        Operation::SymmetricDifference => first != second,
    }
}

#[test]
fn operations_hold_the_points_they_should_and_their_areas_add_up() {
    let mut random = SplitMix64::new(2);
    let mut memory = memory();
    for _ in 0..rounds(100) {
        let (first, second) = (outlines(&mut random), outlines(&mut random));
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let a = region(&mut builder, &first, &mut arena).unwrap();
        let b = region(&mut builder, &second, &mut arena).unwrap();
        let made = OPERATIONS.map(|operation| builder.combine(operation, &a, &b, &mut arena).unwrap());
        let only_b = builder.difference(&b, &a, &mut arena).unwrap();
        made.iter().chain([&only_b]).for_each(assert_well_formed);
        // All are faces of the same arrangement, so the sums are exact.
        let [union, both, only_a, one] = made.map(|region| region.twice_area());
        assert_eq!(union, both + only_a + only_b.twice_area());
        assert_eq!(one, only_a + only_b.twice_area());
        assert_eq!(builder.union(&b, &a, &mut arena).unwrap(), made[0]);
        let all: Vec<Rings> = first.iter().chain(&second).cloned().collect();
        for at in middles(&mut random, &vertices(&all), 60) {
            if !is_near_an_edge(&all, at) {
                let (p, q) = (in_outlines(&first, at), in_outlines(&second, at));
                assert_eq!(OPERATIONS.map(|o| holds(o, p, q)), made.map(|region| in_region(&region, at)), "{at:?}");
            }
        }
    }
}

/// On the noded edges there is no rounding left, so points are asked about right beside them.
#[test]
fn operations_hold_every_point_off_the_noded_edges() {
    let mut random = SplitMix64::new(5);
    let (mut memory, mut asked) = (memory(), 0);
    for _ in 0..rounds(60) {
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let [a, b] = [0; 2].map(|_| region(&mut builder, &outlines(&mut random), &mut arena).unwrap());
        let given =
            |region: Region<'_>, delta| region.edges().map(move |[a, b]| Edge { a, b, delta }).collect::<Vec<_>>();
        let (points, segments) = arranged_by_brute_force(&[given(a, [1, 0]), given(b, [0, 1])].concat());
        if points.is_empty() {
            continue;
        }
        let line = |s: &Segment| [points[s.a as usize], points[s.b as usize]];
        let made = OPERATIONS.map(|operation| builder.combine(operation, &a, &b, &mut arena).unwrap());
        for at in middles(&mut random, &points, 100) {
            if segments.iter().any(|s| lies_on(line(s), at)) {
                continue;
            }
            let winding = |k: usize| segments.iter().map(|s| s.delta[k] * passes(line(s), at)).sum::<i32>();
            let (p, q) = (winding(0) > 0, winding(1) > 0);
            assert_eq!(OPERATIONS.map(|o| holds(o, p, q)), made.map(|region| in_region(&region, at)), "{at:?}");
            asked += 1;
        }
    }
    assert!(asked > 2000, "{asked}");
}

#[test]
fn the_order_of_outlines_rings_and_vertices_changes_nothing() {
    let mut random = SplitMix64::new(3);
    let (mut memory, mut other) = (memory(), memory());
    for _ in 0..rounds(100) {
        let outlines = outlines(&mut random);
        let mut shuffled = outlines.clone();
        shuffled.reverse();
        for rings in &mut shuffled {
            rings.reverse();
            for ring in rings {
                let turn = random.below(ring.len() as u64) as usize;
                ring.rotate_left(turn);
                if random.below(2) == 0 {
                    ring.reverse();
                }
            }
        }
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let (mut arena, mut second) = (Arena::new(&mut memory), Arena::new(&mut other));
        let made = region(&mut builder, &outlines, &mut arena).unwrap();
        assert_eq!(made, region(&mut builder, &shuffled, &mut second).unwrap());
    }
}

#[test]
fn what_a_region_contains_is_what_its_edges_wind_around_and_its_boundary() {
    let mut random = SplitMix64::new(6);
    let (mut memory, mut inside) = (memory(), 0);
    for _ in 0..rounds(60) {
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let made = region(&mut builder, &outlines(&mut random), &mut Arena::new(&mut memory)).unwrap();
        assert!(made.points.iter().all(|&p| made.contains(GRID.position(p))));
        if made.is_empty() {
            continue;
        }
        for at in middles(&mut random, made.points, 40) {
            let position = at.map(|half_units| half_units as f64 / (2.0 * GRID.per_unit()));
            let on_the_boundary = made.edges().any(|edge| lies_on(edge, at));
            assert_eq!(made.contains(position), on_the_boundary || in_region(&made, at), "{at:?}");
            inside += usize::from(made.contains(position));
        }
        assert!(
            ![f64::NAN, f64::INFINITY, 1e300].iter().any(|&far| made.contains([far, 0.0]) || made.contains([0.0, far]))
        );
    }
    assert!(inside > 100);
}
