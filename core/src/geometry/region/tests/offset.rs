//! Offsets and the shrink against distances measured to every edge.

use super::nasty::*;
use super::*;
use crate::math::{clamp, max, min, sqrt};

/// The least distance of a middle from a boundary in grid units, and the least along the farther axis (where a square first
/// touches).
fn distances(region: &Region<'_>, at: Middle) -> [f64; 2] {
    let at = at.map(|half_units| half_units as f64 / 2.0);
    let mut least = [f64::INFINITY; 2];
    for [a, b] in region.edges() {
        let d = [(b.x - a.x) as f64, (b.y - a.y) as f64];
        let e = [at[0] - a.x as f64, at[1] - a.y as f64];
        let off = |t: f64| [e[0] - t * d[0], e[1] - t * d[1]].map(f64::abs);
        let t = clamp((d[0] * e[0] + d[1] * e[1]) / (d[0] * d[0] + d[1] * d[1]), 0.0, 1.0);
        least[0] = min(least[0], sqrt(off(t)[0] * off(t)[0] + off(t)[1] * off(t)[1]));
        // Along the edge, the larger of two absolute values is convex: it is least at an end, where one is 0, or where both
        // are equal.
        let ratios = [[e[0], d[0]], [e[1], d[1]], [e[0] - e[1], d[0] - d[1]], [e[0] + e[1], d[0] + d[1]]];
        for t in ratios.iter().filter(|[_, d]| *d != 0.0).map(|[e, d]| clamp(e / d, 0.0, 1.0)).chain([0.0, 1.0]) {
            least[1] = min(least[1], max(off(t)[0], off(t)[1]));
        }
    }
    least
}

/// Rounding of a corner and of noding, on either side, in grid units.
const SLACK: f64 = 4.0;

/// What an offset must hold: all within the distance, nothing past it but the arc's share.
struct Claim {
    distance: f64,
    /// The least and the most of the distance that a boundary may have moved by.
    between: [f64; 2],
    square: bool,
}

impl Claim {
    fn assert(&self, before: &Region<'_>, after: &Region<'_>, at: Middle) -> bool {
        let away = distances(before, at)[usize::from(self.square)];
        let [least, most] = self.between.map(|share| share * self.distance.abs());
        let inside = in_region(before, at);
        // A point on the far side of where the boundary went is as before, one on the near side the other way.
        let expected = if away > most + SLACK {
            inside
        } else if away < least - SLACK {
            self.distance > 0.0
        } else {
            inside && self.distance > 0.0
        };
        let sure = away > most + SLACK || away < least - SLACK || expected;
        if sure {
            assert_eq!(in_region(after, at), expected, "{at:?} at {away} of {}", self.distance);
        }
        sure
    }
}

#[test]
fn offsets_hold_just_what_lies_within_their_distance() {
    let mut random = SplitMix64::new(41);
    let (mut memory, mut asked) = (memory(), 0);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    for round in 0..rounds(60) {
        let mut arena = Arena::new(&mut memory);
        let made = region(&mut builder, &[std::vec![ring(&mut random, 1 << 24)]], &mut arena).unwrap();
        if made.is_empty() {
            continue;
        }
        let distance = f64::from(1 << (8 + random.below(17))) * (1.0 + random.next_f64()) * [1.0, -1.0][round % 2];
        let tolerance = distance.abs() / f64::from(1 << (3 + random.below(5)));
        let units = |v: f64| v / GRID.per_unit();
        let round = Join::Round { arc_tolerance: units(tolerance) };
        let arc = Claim { distance, between: [1.0, 1.0 + tolerance / distance.abs()], square: false };
        let corner = Claim { distance, between: [1.0, 1.0], square: true };
        let near = |random: &mut SplitMix64| {
            let point = made.points[random.below(made.points.len() as u64) as usize];
            let reach = distance.abs() as i64 * 2;
            [2 * (point.x + coordinate(random, reach)) + 1, 2 * (point.y + coordinate(random, reach)) + 1]
        };
        for (join, claim) in [(round, arc), (Join::Square, corner)] {
            arena.scope(|desk| {
                let after = builder.offset(&made, units(distance), join, desk).unwrap();
                assert_well_formed(&after);
                for _ in 0..60 {
                    asked += usize::from(claim.assert(&made, &after, near(&mut random)));
                }
            });
        }
        // The shrink's arcs lie within these shares of the radius, as the page bounds them for octagons.
        let shrunk = Claim { distance: -distance.abs(), between: [0.951, 1.058], square: false };
        arena.scope(|desk| {
            let after = builder.shrink(&made, units(distance.abs()), units(tolerance), desk).unwrap();
            assert_well_formed(&after);
            for _ in 0..60 {
                asked += usize::from(shrunk.assert(&made, &after, near(&mut random)));
            }
        });
    }
    assert!(asked > 5000, "{asked}");
}

fn made<'a>(rings: &[&[[f64; 2]]], arena: &mut Arena<'a>) -> Region<'a> {
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    builder.from_outlines(&[Outline { rings }], SnapGrid::new(4).unwrap(), arena).unwrap()
}

const ROUND: Join = Join::Round { arc_tolerance: 0.0 };

fn square(low: f64, high: f64) -> [[f64; 2]; 4] {
    [[low, low], [high, low], [high, high], [low, high]]
}

#[test]
fn gaps_close_and_thin_parts_vanish_exactly() {
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let frame = made(&[&square(0.0, 10.0), &square(4.0, 6.0)], &mut arena);
    let mut area = |distance, join| builder.offset(&frame, distance, join, &mut arena).unwrap().area();
    // The hole is 2 wide: 1 closes it, a unit less leaves a hole of 2 units.
    assert_eq!(area(1.0, Join::Square), 144.0);
    assert_eq!(area(0.9375, Join::Square), 11.875 * 11.875 - 0.125 * 0.125);
    // The frame is 4 wide: 2 takes all of it, a unit less leaves a line of 2 units.
    assert_eq!(area(-2.0, Join::Square), 0.0);
    assert_eq!(area(-1.9375, Join::Square), 6.125 * 6.125 - 5.875 * 5.875);
    // Around the hole an octagon of radius 16 units, its corners rounded to (16, 7) and (7, 16); or one of 16 corners, at
    // (16, 3), (14, 9) and their mirror images.
    assert_eq!(area(-1.0, Join::Round { arc_tolerance: 0.125 }), 64.0 - 12.0 - 862.0 / 256.0);
    assert_eq!(area(-1.0, ROUND), 64.0 - 12.0 - 830.0 / 256.0);
}

#[test]
fn a_distance_of_nothing_changes_nothing() {
    let mut memory = memory();
    let mut random = SplitMix64::new(43);
    for _ in 0..20 {
        let mut arena = Arena::new(&mut memory);
        let mut builder = RegionBuilder::new(&DEF).unwrap();
        let made = region(&mut builder, &outlines(&mut random), &mut arena).unwrap();
        for join in [ROUND, Join::Square] {
            assert_eq!(builder.offset(&made, 0.0, join, &mut arena).unwrap(), made);
        }
        assert_eq!(builder.shrink(&made, 0.0, 0.0, &mut arena).unwrap(), made);
    }
}

#[test]
fn half_a_square_is_never_less_than_a_unit() {
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let region = made(&[&square(0.0, 1.0)], &mut arena);
    for (distance, sides) in [(0.001, 18), (1.0 / 16.0, 18), (2.5 / 16.0, 20), (3.5 / 16.0, 24)] {
        assert_eq!(
            builder.offset(&region, distance, Join::Square, &mut arena).unwrap().twice_area(),
            2 * sides * sides
        );
    }
}

#[test]
fn what_is_out_of_range_is_named() {
    let mut memory = memory();
    let mut arena = Arena::new(&mut memory);
    let mut builder = RegionBuilder::new(&DEF).unwrap();
    let bound = MAX_COORDINATE;
    let whole = made(&[&square(-bound, bound)], &mut arena);
    let mut refusal =
        |distance, join| builder.offset(&whole, distance, join, &mut arena).map_err(|e| (e.kind(), e.subject()));
    let most = bound / 2.0;
    assert!(refusal(most, Join::Square).is_ok() && refusal(-most, Join::Square).is_ok());
    let distance = Err((ErrorKind::Invalid, Subject::OffsetDistance));
    for bad in [most + 1.0, -most - 1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refusal(bad, ROUND), distance);
    }
    let tolerance = Err((ErrorKind::Invalid, Subject::ArcTolerance));
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refusal(1.0, Join::Round { arc_tolerance: bad }), tolerance);
    }
    let grown = builder.offset(&whole, most, ROUND, &mut arena).unwrap();
    for join in [ROUND, Join::Square] {
        let past = builder.offset(&grown, 1.0 / 16.0, join, &mut arena).unwrap_err();
        assert_eq!((past.kind(), past.subject()), (ErrorKind::Limit, Subject::OffsetPoint));
    }
}
