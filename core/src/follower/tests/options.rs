//! Options, and the memory that they ask for.

use super::Body;
use crate::bytes::{Reader, Writer};
use crate::error::{ErrorKind, Subject};
use crate::follower::{Follower, FollowerOptions, OffMeshMode};
use crate::memory::{Arena, Grain};

#[test]
fn the_presets_are_valid_and_come_back_from_their_bytes() {
    for options in [FollowerOptions::HUMANOID, FollowerOptions::SMALL] {
        options.validate().unwrap();
        let mut bytes = [0; 160];
        let mut writer = Writer::new(&mut bytes);
        options.write(&mut writer);
        let size = writer.finish(Subject::Bytes).unwrap();
        // Fourteen doubles, eleven counts and a byte.
        assert_eq!(size, 14 * 8 + 11 * 4 + 1);
        let mut reader = Reader::new(&bytes[..size], Subject::Bytes);
        assert_eq!(FollowerOptions::read(&mut reader), Ok(options));
        assert!(FollowerOptions::read(&mut Reader::new(&bytes[..size - 1], Subject::Bytes)).is_err());
        bytes[0..8].copy_from_slice(&f64::NAN.to_le_bytes());
        let error = FollowerOptions::read(&mut Reader::new(&bytes, Subject::Bytes)).unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Format, Subject::Speed));
    }
}

#[test]
fn a_value_out_of_range_is_refused_by_name() {
    let good = FollowerOptions::HUMANOID;
    let bad = [
        (FollowerOptions { max_speed: 0.0, ..good }, Subject::Speed),
        (FollowerOptions { max_acceleration: f64::NAN, ..good }, Subject::Acceleration),
        (FollowerOptions { slow_radius: -1.0, ..good }, Subject::SlowRadius),
        (FollowerOptions { arrival_min_speed: f64::INFINITY, ..good }, Subject::ArrivalMinSpeed),
        (FollowerOptions { arrival_radius: -0.1, ..good }, Subject::ArrivalRadius),
        (FollowerOptions { max_corners: 1, ..good }, Subject::MaxCorners),
        (FollowerOptions { validate_look_ahead: 0, ..good }, Subject::LookAhead),
        (FollowerOptions { optimize_interval: u32::MAX, ..good }, Subject::OptimizeInterval),
        (FollowerOptions { optimize_range: -1.0, ..good }, Subject::OptimizeRange),
        (FollowerOptions { optimize_budget: u32::MAX, ..good }, Subject::OptimizeBudget),
        (FollowerOptions { topology_interval: u32::MAX, ..good }, Subject::TopologyInterval),
        (FollowerOptions { topology_budget: 1 << 21, ..good }, Subject::TopologyBudget),
        (FollowerOptions { replan_budget: 0, ..good }, Subject::ReplanBudget),
        (FollowerOptions { max_replan_rounds: 65, ..good }, Subject::ReplanRounds),
        (FollowerOptions { stuck_window: 1e7, ..good }, Subject::StuckWindow),
        (FollowerOptions { stuck_progress: 1.1, ..good }, Subject::StuckProgress),
        (FollowerOptions { max_stuck_recoveries: u32::MAX, ..good }, Subject::StuckRecoveries),
        (FollowerOptions { off_mesh_mode: bytemuck::cast(2u32), ..good }, Subject::OffMeshMode),
        (FollowerOptions { off_mesh_speed: 0.0, ..good }, Subject::OffMeshSpeed),
        (FollowerOptions { off_mesh_trigger_radius: -1.0, ..good }, Subject::OffMeshTriggerRadius),
        (FollowerOptions { search_extents: [1.0, -1.0, 1.0], ..good }, Subject::Extents),
        (FollowerOptions { corridor_capacity: 1, ..good }, Subject::CorridorCapacity),
        (FollowerOptions { corridor_capacity: 4097, ..good }, Subject::CorridorCapacity),
        (FollowerOptions { refine_budget: u32::MAX, ..good }, Subject::RefineBudget),
        (FollowerOptions { corner_clearance: f64::NAN, ..good }, Subject::CornerClearance),
    ];
    for (options, subject) in bad {
        assert_eq!(options.validate().unwrap_err().subject(), subject);
        let mut body = Body::of(good);
        assert_eq!(body.follower().set_options(&options).unwrap_err().subject(), subject);
    }
    let mut body = Body::of(good);
    let mut follower = body.follower();
    let faster = FollowerOptions { max_speed: 9.0, off_mesh_mode: OffMeshMode::HOST, ..good };
    follower.set_options(&faster).unwrap();
    assert_eq!(follower.options(), &faster);
    let wider = FollowerOptions { corridor_capacity: 255, ..good };
    assert_eq!(follower.set_options(&wider).unwrap_err().subject(), Subject::CorridorCapacity);
}

#[test]
fn a_follower_takes_the_memory_its_plan_says() {
    let options = FollowerOptions { corridor_capacity: 16, ..FollowerOptions::HUMANOID };
    let mut region = [Grain::ZERO; 25];
    let mut arena = Arena::new(&mut region);
    Follower::new(&options, &mut arena).unwrap();
    assert_eq!((arena.taken(), options.plan().bytes), (400, 400));
    assert_eq!(Follower::new(&options, &mut arena).unwrap_err().kind(), ErrorKind::Capacity);
    let mut body = Body::of(options);
    body.record.state = 6;
    assert!(Follower::over(&options, &mut body.record, &mut body.path).is_err());
    body.record.state = 0;
    assert!(Follower::over(&options, &mut body.record, &mut body.path[1..]).is_err());
}
