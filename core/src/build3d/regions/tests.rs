use super::components::partition_components;
use super::distance::distance_field;
use super::filter::{Filtering, IslandRule, filter_regions};
use super::layers::{layers_of_regions, layers_of_spans, partition_layers, partition_on_layers};
use super::monotone::partition_monotone;
use super::watershed::partition_watershed;
use super::*;
use crate::build3d::oracle::spans::{SlowSpan, distances, read};
use crate::build3d::oracle::{Dice, World, dirty, regions as slow};
use std::collections::BTreeSet;
use std::vec::Vec;

/// Runs a claim on random worlds: the field with mutual links, the slow model of it, and an arena full of rubbish.
fn on_random_worlds(claim: impl Fn(&mut Compact<'_>, &[SlowSpan], &mut Arena<'_>, &mut Dice)) {
    for seed in 1..150 {
        let mut dice = Dice::new(seed);
        let world = World::random(&mut dice);
        let mut after = Dice::new(seed + 1000);
        world.with_compact(&mut dice, |mut field, arena| {
            let spans = slow::mutual(&read(&field));
            field.keep_mutual_links();
            assert_eq!(read(&field), spans, "links that are returned, seed {seed}");
            dirty(arena);
            claim(&mut field, &spans, arena, &mut after);
        });
    }
}

#[test]
fn distances_are_dijkstras() {
    on_random_worlds(|field, spans, arena, _| {
        let far = distance_field(field, arena).unwrap();
        assert!(far.iter().map(|&d| u32::from(d)).eq(distances(spans)));
    });
}

#[test]
fn the_watershed_is_the_pages() {
    on_random_worlds(|field, spans, arena, _| {
        partition_watershed(field, arena).unwrap();
        assert_eq!(field.regions, slow::watershed(spans));
    });
}

#[test]
fn monotone_regions_are_the_pages() {
    on_random_worlds(|field, spans, arena, _| {
        partition_monotone(field, arena).unwrap();
        assert_eq!(field.regions, slow::monotone(spans));
    });
}

#[test]
fn layers_are_the_pages() {
    on_random_worlds(|field, spans, arena, _| {
        partition_layers(field, arena).unwrap();
        // Where nothing overlaps the ids are those of components, so only the partition is compared.
        assert_eq!(slow::number(field.regions), slow::number(&slow::layers(spans)));
        for cell in field.firsts.windows(2) {
            let regions = &field.regions[cell[0] as usize..cell[1] as usize];
            let ids: Vec<u32> = regions.iter().copied().filter(|&id| id != 0).collect();
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "one span of a layer in a column");
        }
    });
}

#[test]
fn filtering_is_the_pages_for_every_partition() {
    let partitions = [partition_watershed, partition_monotone, partition_layers];
    on_random_worlds(|field, spans, arena, dice| {
        let cut = partitions[dice.below(3) as usize];
        cut(field, arena).unwrap();
        let raw = field.regions.to_vec();
        let (min_area, merge_area) = (dice.below(30), dice.below(60));
        let (min, merge) = (min_area as usize, merge_area as usize);
        let islands = IslandRule::AfterMerging;
        filter_regions(field, Filtering { min_area, merge_area, islands }, arena).unwrap();
        let merged = slow::filter(spans, &raw, 0, merge);
        assert_eq!(field.regions, slow::filter(spans, &merged, min, 0));
        field.regions.copy_from_slice(&raw);
        field.region_count = raw.iter().copied().max().unwrap_or(0);
        let islands = IslandRule::BeforeMerging;
        filter_regions(field, Filtering { min_area, merge_area, islands }, arena).unwrap();
        assert_eq!(field.regions, slow::filter(spans, &raw, min, merge));
        assert_eq!(field.region_count, field.regions.iter().copied().max().unwrap_or(0));
    });
}

#[test]
fn layers_of_spans_and_of_regions_are_the_pages() {
    on_random_worlds(|field, spans, arena, dice| {
        let unfiltered = slow::filter(spans, &slow::layers(spans), 0, 0);
        let of_region = slow::layers_of_regions(spans, &unfiltered);
        let mut layers = std::vec![9; spans.len()];
        let count = layers_of_spans(field, &mut layers, arena).unwrap();
        assert_eq!(count, usize::from(*of_region.iter().max().unwrap()) + 1);
        for (s, span) in spans.iter().enumerate() {
            let from = if span.area != 0 {
                Some(s)
            } else {
                span.links.iter().flatten().copied().find(|&t| spans[t].area != 0)
            };
            assert_eq!(layers[s], from.map_or(0, |s| of_region[unfiltered[s] as usize]));
        }
        let min = dice.below(20);
        partition_on_layers(field, &layers, min, arena).unwrap();
        let pieces = slow::components(spans, &layers);
        assert_eq!(field.regions, slow::filter(spans, &pieces, min as usize, 0));
        let mut fast = std::vec![7; field.region_count as usize + 1];
        layers_of_regions(field, 0, &mut fast, arena).unwrap();
        assert_eq!(fast, slow::layers_of_regions(spans, field.regions));
    });
}

#[test]
fn components_are_what_layers_are_where_nothing_overlaps() {
    on_random_worlds(|field, spans, arena, _| {
        partition_components(field, None, arena).unwrap();
        assert_eq!(field.regions, slow::components(spans, &std::vec![0; spans.len()]));
    });
}

#[test]
fn regions_are_connected_of_one_area_and_numbered_by_first_span() {
    on_random_worlds(|field, spans, arena, dice| {
        let partition = [Partition::Watershed, Partition::Monotone, Partition::Layers][dice.below(3) as usize];
        let settings = RegionSettings { partition, min_region_area: 6, merge_region_area: 20, ..Default::default() };
        super::partition(field, &settings, arena).unwrap();
        assert_eq!(slow::number(field.regions), field.regions);
        for id in 1..=field.region_count {
            let members: BTreeSet<usize> = (0..spans.len()).filter(|&s| field.regions[s] == id).collect();
            let first = *members.first().unwrap();
            assert!(members.iter().all(|&s| spans[s].area == spans[first].area && spans[s].area != 0));
            let mut reached = BTreeSet::from([first]);
            let mut stack = std::vec![first];
            while let Some(s) = stack.pop() {
                stack.extend(spans[s].links.iter().flatten().filter(|t| members.contains(t) && reached.insert(**t)));
            }
            assert_eq!(reached, members, "region {id} is one piece");
        }
    });
}

#[test]
fn the_border_is_cut_off_as_one_region() {
    let world = World { width: 12, depth: 12, floors: 1, areas: 1, noise: 1000 };
    world.with_compact(&mut Dice::new(5), |mut field, arena| {
        partition(&mut field, &RegionSettings { min_region_area: 0, ..RegionSettings::default() }, arena).unwrap();
        let before = field.regions.to_vec();
        let last = field.region_count;
        let border = cut_border(&mut field, 4, 4).unwrap();
        assert_eq!((border, field.region_count), (last + 1, last + 1));
        for (s, span) in read(&field).iter().enumerate() {
            let inside = (4..8).contains(&span.x) && (4..8).contains(&span.z);
            let expected = if before[s] == 0 || inside { before[s] } else { border };
            assert_eq!(field.regions[s], expected);
        }
        assert_eq!(cut_border(&mut field, 12, 4), None);
    });
}
