//! Rasterization against its judges, and what it refuses.

use super::frame::Frame;
use super::heightfield::{Heightfield, WALKABLE_AREA};
use super::oracle::clip::{self, Cells};
use super::oracle::spans::{self as slow, SlowColumn};
use super::oracle::{Dice, dirty, with_arena};
use super::rasterize::{Areas, HeightGrid, RasterStats, Soup, Vertices, rasterize, rasterize_height_grid};
use super::voxel_chunk::{ALL_WALKABLE, VoxelChunk, VoxelRun, add_chunk};
use crate::error::{Error, ErrorKind, Subject};
use std::vec::Vec;

crate::memory::assert_portable!(VoxelChunk);

/// The spans of a soup in a fresh field.
fn columns(frame: Frame, corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<SlowColumn> {
    with_arena(|arena| {
        dirty(arena);
        let mut solid = Heightfield::new(frame, 2000, arena).unwrap();
        rasterize(&mut solid, &Soup::new(Vertices::Double(corners), triangles), Areas::walkable(0.7), 1).unwrap();
        slow::columns(&solid)
    })
}

/// The cells of a field that holds one triangle.
fn cells(frame: Frame, corners: &[[f64; 3]; 3]) -> Cells {
    let columns = columns(frame, corners, &[[0, 1, 2]]);
    let mut cells = Cells::new();
    for (at, column) in columns.iter().enumerate() {
        let (x, z) = (at as i64 % i64::from(frame.width), at as i64 / i64::from(frame.width));
        column.iter().for_each(|&(min, max, _)| assert_eq!(cells.insert((x, z), (min, max)), None));
    }
    cells
}

/// A coordinate on a lattice of a given fineness, or anywhere.
fn coordinate(dice: &mut Dice, fineness: u32, extent: i32) -> f64 {
    match fineness {
        0 => f64::from(dice.below(1 << 20)) / f64::from(1 << 20) * f64::from(extent + 4) - 2.0,
        _ => f64::from(dice.below((extent as u32 + 4) * fineness)) / f64::from(fineness) - 2.0,
    }
}

fn random_triangle(dice: &mut Dice, frame: &Frame) -> [[f64; 3]; 3] {
    let fineness = [0, 1, 2, 4, 10][dice.below(5) as usize];
    let extent = 2 + dice.below(12) as i32;
    let mut corners: [[f64; 3]; 3] =
        core::array::from_fn(|_| core::array::from_fn(|_| coordinate(dice, fineness, extent)));
    match dice.below(8) {
        0 => corners.iter_mut().for_each(|p| p[0] = 3.0), // a wall on a grid line
        1 => corners.iter_mut().for_each(|p| p[2] = 4.0),
        2 => corners.iter_mut().for_each(|p| p[1] = 5.0), // flat on a row's boundary
        3 => corners.iter_mut().for_each(|p| p[2] = p[0] + 1.0), // a slanted wall
        4 => corners.iter_mut().for_each(|p| p[0] = 2.5),
        _ => {}
    }
    corners.map(|p| {
        let size = [frame.cell_size, frame.cell_height, frame.cell_size];
        core::array::from_fn(|axis| frame.origin[axis] + p[axis] * f64::from(size[axis]))
    })
}

#[test]
fn every_triangle_fills_what_the_unshortened_chain_of_cuts_fills() {
    let mut walls = 0;
    for seed in 0..6000 {
        let mut dice = Dice::new(seed);
        let cell = [1.0, 0.3, 0.25][dice.below(3) as usize];
        let frame = Frame::new([-5.5, 1.25, 7.0], cell, 0.2, 9, 7, 8).unwrap();
        let triangle = random_triangle(&mut dice, &frame);
        let Some((expected, _)) = clip::literal(&frame, triangle) else {
            assert!(cells(frame, &triangle).is_empty());
            continue;
        };
        assert_eq!(cells(frame, &triangle), expected, "seed {seed}: {triangle:?}");
        walls += usize::from(!expected.is_empty() && triangle.iter().all(|p| p[0] == triangle[0][0]));
    }
    assert!(walls > 500);
}

#[test]
fn every_cell_fills_what_a_clipper_of_boxes_finds_in_it() {
    const CLEAR: f64 = 1e-3;
    let (mut clear, mut unclear) = (0, 0);
    for seed in 0..4000 {
        let mut dice = Dice::new(seed + 9999);
        let frame = Frame::new([0.0; 3], 1.0, 1.0, 9, 7, 8).unwrap();
        let triangle = random_triangle(&mut dice, &frame);
        let [a, b, c] = triangle;
        let footprint = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
        if footprint.abs() < 0.1 {
            continue; // walls are the other judge's
        }
        let got = cells(frame, &triangle);
        for z in 0..7 {
            for x in 0..9 {
                let corner = [f64::from(x), f64::from(z)];
                let span = got.get(&(x.into(), z.into()));
                if clip::cell(&triangle, corner, CLEAR).is_none() {
                    assert_eq!(span, None, "seed {seed}, cell {x} {z}");
                    clear += 1;
                    continue;
                }
                match clip::cell(&triangle, corner, 0.0) {
                    Some((area, low, high)) if area > CLEAR => {
                        let whole = |v: f64| (v - v.round()).abs() < CLEAR;
                        if whole(low) || whole(high) {
                            unclear += 1;
                            continue;
                        }
                        let (lo, hi) = (low.floor() as i64, high.ceil() as i64);
                        let rows = (hi > 0 && lo < 8).then(|| (lo.max(0), hi.min(8)));
                        assert_eq!(span.copied(), rows, "seed {seed}, cell {x} {z}");
                        clear += 1;
                    }
                    _ => unclear += 1,
                }
            }
        }
    }
    assert!(clear > 8 * unclear, "{clear} clear, {unclear} unclear");
}

#[test]
fn flat_pieces_on_a_rows_boundary_lie_behind_their_surface() {
    let frame = Frame::new([0.0; 3], 1.0, 1.0, 2, 2, 4).unwrap();
    let at = |y: f64| [[0.0, y, 0.0], [1.0, y, 0.0], [0.0, y, 1.0]];
    let up = |y| columns(frame, &at(y), &[[0, 2, 1]])[0].clone();
    let down = |y| columns(frame, &at(y), &[[0, 1, 2]])[0].clone();
    assert_eq!(up(2.0), [(1, 2, WALKABLE_AREA)]);
    assert_eq!(down(2.0), [(2, 3, 0)]);
    assert_eq!(up(0.0), []);
    assert_eq!(down(0.0), [(0, 1, 0)]);
    assert_eq!(up(4.0), [(3, 4, WALKABLE_AREA)]);
    assert_eq!(down(4.0), []);
    assert_eq!(up(2.5), [(2, 3, WALKABLE_AREA)]);
}

#[test]
fn a_closed_boxs_walls_stay_inside_it() {
    let frame = Frame::new([0.0; 3], 1.0, 1.0, 6, 6, 6).unwrap();
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|n| {
            [if n & 1 == 0 { 2.0 } else { 4.0 }, if n & 2 == 0 { 1.0 } else { 5.0 }, if n & 4 == 0 { 2.0 } else { 4.0 }]
        })
        .collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    for (at, column) in columns(frame, &corners, &triangles).iter().enumerate() {
        let inside = (2..4).contains(&(at % 6)) && (2..4).contains(&(at / 6));
        let expected: &[(i64, i64, u8)] = if inside { &[(1, 5, WALKABLE_AREA)] } else { &[] };
        assert_eq!(column, expected, "column {at}");
    }
}

#[test]
fn triangles_are_selected_by_index_and_areas_by_slope_or_by_list() {
    let frame = Frame::new([0.0; 3], 1.0, 1.0, 3, 1, 4).unwrap();
    let corners: Vec<[f32; 3]> =
        (0..3).flat_map(|x| [[x as f32, 1.0, 0.0], [x as f32, 1.0, 1.0], [x as f32 + 1.0, 1.0, 0.0]]).collect();
    let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    let soup = Soup::new(Vertices::Single(&corners), &triangles);
    let areas_of = |soup: &Soup<'_>, areas: Areas<'_>| {
        with_arena(|arena| {
            let mut solid = Heightfield::new(frame, 10, arena).unwrap();
            let stats = rasterize(&mut solid, soup, areas, 0).unwrap();
            let found: Vec<_> = slow::columns(&solid).iter().map(|column| column.first().map(|s| s.2)).collect();
            (stats.triangles, found)
        })
    };
    let listed = [5, 0, 9];
    assert_eq!(areas_of(&soup, Areas::Given(&listed)), (3, std::vec![Some(5), Some(0), Some(9)]));
    assert_eq!(areas_of(&soup.select(&[2, 0]), Areas::Given(&listed)), (2, std::vec![Some(5), None, Some(9)]));
    assert_eq!(areas_of(&soup, Areas::SlopeOf { cosine: 1.0, areas: &listed }).1, [Some(0); 3]);
    assert_eq!(areas_of(&soup, Areas::Slope { cosine: 0.5, area: 7 }).1, [Some(7); 3]);
}

#[test]
fn degenerate_triangles_are_skipped_and_counted() {
    let frame = Frame::new([0.0; 3], 1.0, 1.0, 4, 4, 4).unwrap();
    let corners = [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]];
    with_arena(|arena| {
        let mut solid = Heightfield::new(frame, 10, arena).unwrap();
        let soup = Soup::new(Vertices::Double(&corners), &[[0, 1, 2], [0, 0, 1]]);
        let stats = rasterize(&mut solid, &soup, Areas::walkable(0.5), 0).unwrap();
        assert_eq!((stats, solid.span_count()), (RasterStats { triangles: 2, degenerate: 2 }, 0));
        let empty = Soup::new(Vertices::Double(&[]), &[]);
        assert_eq!(rasterize(&mut solid, &empty, Areas::walkable(0.5), 0).unwrap(), RasterStats::default());
    });
}

#[test]
fn bad_input_is_named_and_adds_nothing() {
    let frame = Frame::new([0.0; 3], 1.0, 1.0, 4, 4, 4).unwrap();
    let good = [[0.0, 1.0, 0.0], [0.0, 1.0, 3.0], [3.0, 1.0, 0.0]];
    let named = |error: Error| (error.kind(), error.subject(), error.index(), error.part_index());
    with_arena(|arena| {
        let mut solid = Heightfield::new(frame, 10, arena).unwrap();
        let mut refuse = |corners: &[[f64; 3]], triangles: &[[u32; 3]], areas: Areas<'_>, selected: Option<&[u32]>| {
            let soup = Soup { selected, ..Soup::new(Vertices::Double(corners), triangles) };
            let error = rasterize(&mut solid, &soup, areas, 0).unwrap_err();
            assert_eq!(solid.span_count(), 0);
            named(error)
        };
        let plain = Areas::walkable(0.5);
        let tri = [[0, 1, 2], [0, 1, 3]];
        assert_eq!(refuse(&good, &tri, plain, None), (ErrorKind::Invalid, Subject::Index, Some(1), Some(2)));
        assert_eq!(refuse(&good, &tri[..1], plain, Some(&[0, 5])), (ErrorKind::Invalid, Subject::Triangle, None, None));
        for (value, kind) in [
            (f64::NAN, ErrorKind::Invalid),
            (f64::INFINITY, ErrorKind::Invalid),
            (f64::NEG_INFINITY, ErrorKind::Invalid),
            (2_097_152.5, ErrorKind::Limit),
            (-2_097_153.0, ErrorKind::Limit),
        ] {
            let mut bad = good;
            bad[1][2] = value;
            assert_eq!(refuse(&bad, &tri[..1], plain, None), (kind, Subject::Vertex, Some(1), Some(2)));
        }
        let areas = Areas::Given(&[1, 64]);
        let both = [[0, 1, 2], [0, 1, 2]];
        assert_eq!(refuse(&good, &both, areas, None), (ErrorKind::Invalid, Subject::Area, Some(1), None));
        assert_eq!(refuse(&good, &tri[..1], areas, None), (ErrorKind::Invalid, Subject::Area, None, None));
        // The bound itself is inside, and the field still works.
        let edge = [[0.0, 1.0, 0.0], [0.0, 1.0, 2_097_152.0], [2_097_152.0, 1.0, 0.0]];
        rasterize(&mut solid, &Soup::new(Vertices::Double(&edge), &[[0, 1, 2]]), plain, 0).unwrap();
        assert_eq!(solid.span_count(), 16);
    });
}

#[test]
fn huge_and_tiny_triangles_never_go_astray() {
    for seed in 0..2000 {
        let mut dice = Dice::new(seed);
        let frame =
            Frame::new([-3.0, -1.0, 2.0], [1e-6, 0.3, 900_000.0][dice.below(3) as usize], 0.2, 16, 16, 100).unwrap();
        let scale = [1e-7, 1.0, 100.0, 2_000_000.0][dice.below(4) as usize];
        let mut corner =
            || core::array::from_fn(|_| (f64::from(dice.below(1 << 30)) / f64::from(1 << 29) - 1.0) * scale);
        let triangle: [[f64; 3]; 3] = [corner(), corner(), corner()];
        let expected = clip::literal(&frame, triangle).map_or(Cells::new(), |(cells, _)| cells);
        assert_eq!(cells(frame, &triangle), expected, "seed {seed}: {triangle:?}");
    }
}

#[test]
fn a_height_grid_is_its_triangles() {
    let heights: Vec<f32> = (0..12).map(|n| ((n * 7) % 5) as f32 * 0.5).collect();
    let grid = HeightGrid { heights: &heights, count_x: 4, count_z: 3, origin: [0.5, -1.0], spacing: 1.5 };
    let frame = Frame::new([0.0, -1.0, -2.0], 0.5, 0.25, 12, 12, 30).unwrap();
    let mut corners = Vec::new();
    let mut triangles = Vec::new();
    for j in 0..3 {
        for i in 0..4 {
            corners.push([
                0.5 + f64::from(i) * 1.5,
                f64::from(heights[(j * 4 + i) as usize]),
                -1.0 + f64::from(j) * 1.5,
            ]);
        }
    }
    for j in 0..2 {
        for i in 0..3 {
            let [a, b, c, d] = [j * 4 + i, j * 4 + i + 1, j * 4 + i + 4, j * 4 + i + 5];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    with_arena(|arena| {
        let mut solid = Heightfield::new(frame, 1000, arena).unwrap();
        let stats = rasterize_height_grid(&mut solid, &grid, Areas::walkable(0.7), 1).unwrap();
        assert_eq!(stats.triangles, 12);
        assert_eq!(slow::columns(&solid), columns(frame, &corners, &triangles));
        let all_up = Areas::walkable(0.0);
        solid.clear();
        rasterize_height_grid(&mut solid, &grid, all_up, 1).unwrap();
        assert!(slow::columns(&solid).iter().flatten().all(|span| span.2 == WALKABLE_AREA), "every triangle faces up");
    });
}

#[test]
fn bad_height_grids_are_named() {
    let frame = Frame::new([0.0; 3], 1.0, 1.0, 4, 4, 4).unwrap();
    let good = HeightGrid { heights: &[0.0; 4], count_x: 2, count_z: 2, origin: [0.0; 2], spacing: 1.0 };
    with_arena(|arena| {
        let mut solid = Heightfield::new(frame, 10, arena).unwrap();
        let mut refuse = |grid: HeightGrid<'_>| {
            let error = rasterize_height_grid(&mut solid, &grid, Areas::walkable(0.5), 0).unwrap_err();
            (error.kind(), error.subject(), error.index())
        };
        let invalid = |subject, index| (ErrorKind::Invalid, subject, index);
        assert_eq!(refuse(HeightGrid { count_x: 1, ..good }), invalid(Subject::Terrain, None));
        assert_eq!(refuse(HeightGrid { count_z: 3, ..good }), invalid(Subject::Sample, None));
        assert_eq!(refuse(HeightGrid { spacing: 0.0, ..good }), invalid(Subject::Terrain, None));
        assert_eq!(refuse(HeightGrid { spacing: f64::NAN, ..good }), invalid(Subject::Terrain, None));
        let heights = [0.0, 1.0, f32::NAN, 0.0];
        assert_eq!(refuse(HeightGrid { heights: &heights, ..good }), invalid(Subject::Sample, Some(2)));
        let far = HeightGrid { origin: [2_097_152.0, 0.0], ..good };
        assert_eq!(refuse(far), (ErrorKind::Limit, Subject::Sample, Some(1)));
    });
}

#[test]
fn a_chunk_is_its_runs_where_they_fall_inside() {
    for seed in 0..100 {
        let mut dice = Dice::new(seed);
        let (width, depth, height) = (1 + dice.below(6), 1 + dice.below(6), 1 + dice.below(12));
        let voxels: Vec<u8> = (0..width * depth * height).map(|_| dice.below(3) as u8).collect();
        let offset: [i32; 3] = core::array::from_fn(|_| dice.below(9) as i32 - 4);
        let mut areas = ALL_WALKABLE;
        areas[2] = 5;
        let frame = Frame::new([0.0; 3], 1.0, 1.0, 5, 5, 10).unwrap();
        let mut expected: Vec<SlowColumn> = std::vec![Vec::new(); 25];
        for (nth, &material) in voxels.iter().enumerate() {
            let nth = nth as i32;
            let (column, y) = (nth / height as i32, nth % height as i32 + offset[1]);
            let (x, z) = (column % width as i32 + offset[0], column / width as i32 + offset[2]);
            if material != 0 && (0..5).contains(&x) && (0..5).contains(&z) && (0..10).contains(&y) {
                let area = areas[material as usize];
                // A voxel alone joins the run below it, unless its area is another's: then its own top decides.
                slow::add(&mut expected[(x + z * 5) as usize], y.into(), i64::from(y) + 1, area, 0);
            }
        }
        with_arena(|arena| {
            dirty(arena);
            let chunk = VoxelChunk::from_dense(width, depth, height, &voxels, arena).unwrap();
            let mut solid = Heightfield::new(frame, 1000, arena).unwrap();
            add_chunk(&mut solid, &chunk, offset, &areas).unwrap();
            assert_eq!(slow::columns(&solid), expected, "seed {seed}");
        });
    }
}

#[test]
fn bad_chunks_are_named() {
    let run = |start, length, material| VoxelRun { start, length, material };
    let refuse = |firsts: &[u32], runs: &[VoxelRun]| {
        let error = VoxelChunk::new(1, 1, 10, firsts, runs).unwrap_err();
        (error.kind(), error.subject(), error.index())
    };
    let bad_run = |at| (ErrorKind::Invalid, Subject::Run, Some(at));
    assert!(VoxelChunk::new(1, 1, 10, &[0, 2], &[run(0, 3, 1), run(3, 7, 255)]).is_ok());
    assert_eq!(refuse(&[0, 1], &[run(0, 0, 1)]), bad_run(0));
    assert_eq!(refuse(&[0, 2], &[run(0, 3, 1), run(2, 1, 1)]), bad_run(1));
    assert_eq!(refuse(&[0, 1], &[run(5, 6, 1)]), bad_run(0));
    assert_eq!(refuse(&[0, 1], &[run(65_535, 65_535, 1)]), bad_run(0));
    assert_eq!(refuse(&[0, 1], &[run(0, 1, 0)]), bad_run(0));
    assert_eq!(refuse(&[0, 1], &[run(0, 1, 256)]), bad_run(0));
    assert_eq!(refuse(&[0, 2], &[run(0, 1, 1)]).1, Subject::Run);
    assert_eq!(refuse(&[0], &[]).1, Subject::Columns);
    let falling = VoxelChunk::new(2, 1, 10, &[0, 2, 1], &[run(0, 1, 1)]).unwrap_err();
    assert_eq!((falling.kind(), falling.subject()), (ErrorKind::Invalid, Subject::Columns));
    let huge = VoxelChunk::new(65_537, 1, 1, &[], &[]).unwrap_err();
    assert_eq!((huge.kind(), huge.subject()), (ErrorKind::Limit, Subject::Chunk));
    with_arena(|arena| {
        let chunk = VoxelChunk::from_dense(1, 1, 2, &[1, 1], arena).unwrap();
        let mut areas = ALL_WALKABLE;
        areas[9] = 64;
        let frame = Frame::new([0.0; 3], 1.0, 1.0, 1, 1, 1).unwrap();
        let mut solid = Heightfield::new(frame, 10, arena).unwrap();
        assert_eq!(add_chunk(&mut solid, &chunk, [0; 3], &areas).unwrap_err().subject(), Subject::Area);
        for offset in [[i32::MIN; 3], [i32::MAX; 3], [0, i32::MAX, 0]] {
            add_chunk(&mut solid, &chunk, offset, &ALL_WALKABLE).unwrap();
        }
        assert_eq!(solid.span_count(), 0);
        let short = VoxelChunk::from_dense(2, 2, 2, &[1; 7], arena).unwrap_err();
        assert_eq!((short.kind(), short.subject()), (ErrorKind::Invalid, Subject::Chunk));
    });
}

#[test]
fn a_field_is_copied_into_another_at_an_offset() {
    let source = Frame::new([0.0; 3], 1.0, 1.0, 4, 3, 30).unwrap();
    let target = Frame::new([9.0; 3], 0.5, 2.0, 5, 4, 12).unwrap();
    for offset in [[0, 0], [2, -1], [-3, 2], [5, 0], [i64::MIN, 0], [i64::MAX, i64::MIN]] {
        with_arena(|arena| {
            let (from, ()) = Heightfield::filled(source, 100, arena, |solid| {
                for column in 0..12 {
                    solid.add_span(column, 1, 2 + column as u16, column as u8, 0)?;
                    solid.add_span(column, 20, 21, 1, 0)?;
                }
                Ok(())
            })
            .unwrap();
            let mut to = Heightfield::new(target, 100, arena).unwrap();
            to.add_field(&from, offset).unwrap();
            for (at, column) in slow::columns(&to).iter().enumerate() {
                let (x, z) = ((at as i64 % 5).checked_sub(offset[0]), (at as i64 / 5).checked_sub(offset[1]));
                let cell = (x.filter(|x| (0..4).contains(x)), z.filter(|z| (0..3).contains(z)));
                let expected = match cell {
                    (Some(x), Some(z)) => std::vec![(1, (2 + x + 4 * z).min(12), (x + 4 * z) as u8)],
                    _ => Vec::new(),
                };
                assert_eq!(column, &expected, "{offset:?}, column {at}");
            }
        });
    }
}
