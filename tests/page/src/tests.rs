//! The page's world, tried without a page.

use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use navarena::error::{ErrorKind, Subject};
use navarena::memory::{Arena, Memory};

use crate::{AGENTS, Action, BYTES, Group, MAX_PILLARS, Numbers, Page, SCRIPT};

fn with_page(work: impl FnOnce(&mut Page<'_>)) {
    let mut region = Box::new(Memory::<BYTES>::new());
    let mut page = Page::new(&mut Arena::new(region.grains())).unwrap();
    work(&mut page);
}

fn drawn(draw: impl FnOnce(&mut Numbers<'_>)) -> Vec<f64> {
    let mut numbers = vec![0.0; 1 << 14];
    let mut out = Numbers::new(&mut numbers);
    draw(&mut out);
    let count = out.count();
    numbers.truncate(count);
    numbers
}

fn act(page: &mut Page<'_>, action: Action) -> Vec<u64> {
    let mut words = Vec::new();
    page.act(action, &mut |word| words.push(word)).unwrap();
    words
}

#[test]
fn the_same_steps_after_going_back_come_to_the_same_states() {
    with_page(|page| {
        let told: Vec<Vec<u64>> = SCRIPT.iter().map(|&action| act(page, action)).collect();
        let back = SCRIPT.iter().position(|&action| action == Action::RollBack).unwrap();
        let save = SCRIPT.iter().position(|&action| action == Action::Save).unwrap();
        assert_eq!(told[back], told[save]);
        assert_ne!(told[back - 1].last(), told[save].last());
        assert_eq!((told[save + 1].len(), &told[save + 1]), (40, &told[back + 1]));
    });
}

#[test]
fn both_groups_come_to_each_others_side() {
    with_page(|page| {
        let squared_distance = |agent: &[f64]| {
            let [x, z] = [0, 1].map(|axis| agent[axis] - agent[axis + 4]);
            x * x + z * z
        };
        let agents = drawn(|out| page.draw_agents(out));
        assert_eq!(agents.len(), 8 * AGENTS);
        assert!(agents.chunks(8).all(|agent| squared_distance(agent) > 100.0));
        act(page, Action::Walk(500));
        // Where they stand close, one may find its place behind others who have arrived.
        let agents = drawn(|out| page.draw_agents(out));
        assert!(agents.chunks(8).all(|agent| squared_distance(agent) < 9.0), "{agents:?}");
        assert!(agents.chunks(8).filter(|agent| agent[7] == 1.0).count() >= 20, "{agents:?}");
    });
}

#[test]
fn a_pillar_in_a_door_closes_it_and_opens_it_when_it_goes() {
    with_page(|page| {
        let path = |page: &mut Page<'_>| {
            let path = drawn(|out| page.draw_path(out));
            (path[0], path[1])
        };
        act(page, Action::Path([37.0, 9.75]));
        act(page, Action::Path([31.0, 9.75]));
        let (open, _) = path(page);
        assert!(open < 7.0, "{open}");
        // The door is 3.5 units wide, and nobody fits between its sides and the pillars.
        act(page, Action::Pillar([34.0, 9.0]));
        act(page, Action::Pillar([34.0, 10.5]));
        let (closed, is_complete) = path(page);
        assert!(closed > 15.0 && is_complete == 1.0, "{closed}");
        act(page, Action::Pillar([34.0, 9.0]));
        act(page, Action::Pillar([34.0, 10.5]));
        assert_eq!(path(page), (open, 1.0));
    });
}

#[test]
fn what_is_refused_leaves_everything_as_it_was() {
    with_page(|page| {
        let before = page.state_hash().unwrap();
        let refused = |page: &mut Page<'_>, action| page.act(action, &mut |_| ()).unwrap_err();
        assert_eq!(refused(page, Action::RollBack).kind(), ErrorKind::State);
        for place in [[f64::NAN, 1.0], [-4.0, 1.0], [1.0, f64::INFINITY]] {
            assert_eq!(refused(page, Action::Pillar(place)).kind(), ErrorKind::Outside);
        }
        refused(page, Action::Path([f64::NAN; 2]));
        refused(page, Action::Send(Group::Left, [1e300, 0.0]));
        assert_eq!(page.state_hash().unwrap(), before);
        for number in 0..MAX_PILLARS {
            act(page, Action::Pillar([1.0 + 2.75 * number as f64, 28.0]));
        }
        assert_eq!(refused(page, Action::Pillar([24.0, 2.0])).subject(), Subject::Outline);
        let full = page.state_hash().unwrap();
        act(page, Action::Save);
        act(page, Action::Pillar([1.0, 28.0]));
        act(page, Action::RollBack);
        assert_eq!(page.state_hash().unwrap(), full);
    });
}

#[test]
fn pillars_anywhere_fit_within_the_limits() {
    let mut random = navarena::math::SplitMix64::new(1);
    let mut stood = 0;
    with_page(|page| {
        for _ in 0..12 {
            for _ in 0..MAX_PILLARS {
                let at = [random.below(193) as f64 / 4.0, random.below(121) as f64 / 4.0];
                match page.act(Action::Pillar(at), &mut |_| ()) {
                    Err(error) => assert_eq!(error.subject(), Subject::Outline, "{error}"),
                    Ok(()) => stood += 1,
                }
                act(page, Action::Walk(2));
            }
            act(page, Action::Save);
            act(page, Action::RollBack);
        }
    });
    assert!(stood > 30, "{stood}");
}
