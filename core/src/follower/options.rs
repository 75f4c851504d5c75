//! What a follower is tuned by (`corridors.md`, "Defaults").

use super::record::FollowerRecord;
use crate::bytes::{Reader, Sink};
use crate::corridor::{MAX_CORRIDOR, MIN_CORRIDOR};
use crate::error::{Error, Result, Subject};
use crate::memory::{Plan, Pod, Ruler, Zeroable};
use crate::mesh::PolyRef;
use crate::query::DEFAULT_EXTENTS;

/// The largest speed, acceleration or distance.
const MAX_MEASURE: f64 = 2_097_152.0;
/// The slowest speed and the least acceleration.
const MIN_SPEED: f64 = 1e-6;
/// The longest window in which progress is judged, in seconds.
const MAX_WINDOW: f64 = 1e6;
/// The largest budget of a search.
const MAX_BUDGET: u32 = 1 << 20;
const MAX_COUNT: u32 = i32::MAX as u32;

/// Who moves an agent over an off-mesh link.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OffMeshMode(u32);

impl OffMeshMode {
    /// The steps do, straight from end to end.
    pub const AUTOMATIC: OffMeshMode = OffMeshMode(0);
    /// The host does, and says when it is over.
    pub const HOST: OffMeshMode = OffMeshMode(1);
}

/// What a follower is tuned by: plain data, checked where it is used. Distances are in world units, times in seconds.
///
/// ```
/// use navarena::follower::FollowerOptions;
/// const OPTIONS: FollowerOptions = FollowerOptions { max_speed: 5.0, corridor_capacity: 64, ..FollowerOptions::HUMANOID };
/// assert_eq!(OPTIONS.plan().bytes, 272 + 64 * 8);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FollowerOptions {
    /// The speed on the way, 1e-6 to 2^21.
    pub max_speed: f64,
    /// How much the velocity changes in a second at most, 1e-6 to 2^21.
    pub max_acceleration: f64,
    /// From how far before the end, or before a link, it slows down; 0 is not at all.
    pub slow_radius: f64,
    /// The least speed of slowing down.
    pub arrival_min_speed: f64,
    /// How near the end it has arrived.
    pub arrival_radius: f64,
    /// How far a corner may be that a shortcut aims at.
    pub optimize_range: f64,
    /// How long progress is watched before it is judged, up to 1e6; 0 turns it off.
    pub stuck_window: f64,
    /// The part of full speed that counts as progress, 0 to 1.
    pub stuck_progress: f64,
    /// The speed over off-mesh links, 1e-6 to 2^21.
    pub off_mesh_speed: f64,
    /// How near a link's entry its crossing begins.
    pub off_mesh_trigger_radius: f64,
    /// How far polygons are looked for round a position.
    pub search_extents: [f64; 3],
    /// In a crowd, how far past a corner it aims.
    pub corner_clearance: f64,
    /// How many corners are looked at, the position included, 2 to 4096.
    pub max_corners: u32,
    /// How many polygons ahead are checked in each step, 1 to 4096.
    pub validate_look_ahead: u32,
    /// Every how many steps a shortcut is looked for; 0 is never.
    pub optimize_interval: u32,
    /// The most polygons of a shortcut.
    pub optimize_budget: u32,
    /// Every how many steps a shorter way is searched for; 0 is never.
    pub topology_interval: u32,
    /// The most expansions of that search, up to 2^20.
    pub topology_budget: u32,
    /// The most expansions of a replan, 1 to 2^20; each unfinished one doubles it for the next.
    pub replan_budget: u32,
    /// How many unfinished replans end the attempt, 1 to 64.
    pub max_replan_rounds: u32,
    /// How many times it replans when stuck before it gives up.
    pub max_stuck_recoveries: u32,
    /// Who moves it over off-mesh links.
    pub off_mesh_mode: OffMeshMode,
    /// The most polygons of its corridor, 2 to 4096.
    pub corridor_capacity: u32,
    /// The most expansions of the search that shortens a way just found, up to 2^20; 0 is none.
    pub refine_budget: u32,
}

impl FollowerOptions {
    /// Someone who runs through a world of one unit a metre.
    pub const HUMANOID: FollowerOptions = FollowerOptions {
        max_speed: 3.5,
        max_acceleration: 8.0,
        slow_radius: 1.0,
        arrival_min_speed: 0.25,
        arrival_radius: 0.01,
        max_corners: 8,
        validate_look_ahead: 8,
        optimize_interval: 4,
        optimize_range: 10.0,
        optimize_budget: 16,
        topology_interval: 16,
        topology_budget: 32,
        replan_budget: 2048,
        max_replan_rounds: 16,
        stuck_window: 1.0,
        stuck_progress: 0.1,
        max_stuck_recoveries: 2,
        off_mesh_mode: OffMeshMode::AUTOMATIC,
        off_mesh_speed: 3.5,
        off_mesh_trigger_radius: 0.05,
        search_extents: DEFAULT_EXTENTS,
        corridor_capacity: 256,
        refine_budget: 128,
        corner_clearance: 0.0,
    };

    /// Something smaller and slower.
    pub const SMALL: FollowerOptions = FollowerOptions {
        max_speed: 2.5,
        max_acceleration: 6.0,
        slow_radius: 0.5,
        off_mesh_speed: 2.5,
        ..FollowerOptions::HUMANOID
    };

    /// The memory that a follower takes.
    pub const fn plan(&self) -> Plan {
        Ruler::new().array::<FollowerRecord>(1).array::<PolyRef>(self.corridor_capacity as usize).plan()
    }

    /// Refuses a value out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        let measures = [
            (self.max_speed, MIN_SPEED, MAX_MEASURE, Subject::Speed),
            (self.max_acceleration, MIN_SPEED, MAX_MEASURE, Subject::Acceleration),
            (self.slow_radius, 0.0, MAX_MEASURE, Subject::SlowRadius),
            (self.arrival_min_speed, 0.0, MAX_MEASURE, Subject::ArrivalMinSpeed),
            (self.arrival_radius, 0.0, MAX_MEASURE, Subject::ArrivalRadius),
            (self.optimize_range, 0.0, MAX_MEASURE, Subject::OptimizeRange),
            (self.stuck_window, 0.0, MAX_WINDOW, Subject::StuckWindow),
            (self.stuck_progress, 0.0, 1.0, Subject::StuckProgress),
            (self.off_mesh_speed, MIN_SPEED, MAX_MEASURE, Subject::OffMeshSpeed),
            (self.off_mesh_trigger_radius, 0.0, MAX_MEASURE, Subject::OffMeshTriggerRadius),
            (self.corner_clearance, 0.0, MAX_MEASURE, Subject::CornerClearance),
        ];
        for (value, least, most, subject) in measures {
            if !value.is_finite() {
                return Err(Error::invalid(subject).value(value));
            }
            check(value, least, most, subject)?;
        }
        crate::query::checks::checked_extents(self.search_extents)?;
        let (corridor, fewest) = (MAX_CORRIDOR as u32, MIN_CORRIDOR as u32);
        let counts = [
            (self.max_corners, 2, corridor, Subject::MaxCorners),
            (self.validate_look_ahead, 1, corridor, Subject::LookAhead),
            (self.optimize_interval, 0, MAX_COUNT, Subject::OptimizeInterval),
            (self.optimize_budget, 0, MAX_COUNT, Subject::OptimizeBudget),
            (self.topology_interval, 0, MAX_COUNT, Subject::TopologyInterval),
            (self.topology_budget, 0, MAX_BUDGET, Subject::TopologyBudget),
            (self.replan_budget, 1, MAX_BUDGET, Subject::ReplanBudget),
            (self.max_replan_rounds, 1, 64, Subject::ReplanRounds),
            (self.max_stuck_recoveries, 0, MAX_COUNT, Subject::StuckRecoveries),
            (self.off_mesh_mode.0, 0, OffMeshMode::HOST.0, Subject::OffMeshMode),
            (self.corridor_capacity, fewest, corridor, Subject::CorridorCapacity),
            (self.refine_budget, 0, MAX_BUDGET, Subject::RefineBudget),
        ];
        for (value, least, most, subject) in counts {
            check(value.into(), least.into(), most.into(), subject)?;
        }
        Ok(())
    }

    /// Writes every field in the order of the page's list.
    pub fn write(&self, out: &mut impl Sink) {
        out.f64(self.max_speed);
        out.f64(self.max_acceleration);
        out.f64(self.slow_radius);
        out.f64(self.arrival_min_speed);
        out.f64(self.arrival_radius);
        out.u32(self.max_corners);
        out.u32(self.validate_look_ahead);
        out.u32(self.optimize_interval);
        out.f64(self.optimize_range);
        out.u32(self.optimize_budget);
        out.u32(self.topology_interval);
        out.u32(self.topology_budget);
        out.u32(self.replan_budget);
        out.u32(self.max_replan_rounds);
        out.f64(self.stuck_window);
        out.f64(self.stuck_progress);
        out.u32(self.max_stuck_recoveries);
        out.u8(self.off_mesh_mode.0 as u8);
        out.f64(self.off_mesh_speed);
        out.f64(self.off_mesh_trigger_radius);
        self.search_extents.iter().for_each(|&value| out.f64(value));
        out.u32(self.corridor_capacity);
        out.u32(self.refine_budget);
        out.f64(self.corner_clearance);
    }

    /// Reads what [`write`](FollowerOptions::write) wrote.
    ///
    /// # Errors
    /// Too few bytes, or a value out of its range, by name, as a format error.
    pub fn read(reader: &mut Reader<'_>) -> Result<FollowerOptions> {
        reader.section(Subject::Settings);
        // Fields are evaluated as they stand here.
        let options = FollowerOptions {
            max_speed: reader.f64()?,
            max_acceleration: reader.f64()?,
            slow_radius: reader.f64()?,
            arrival_min_speed: reader.f64()?,
            arrival_radius: reader.f64()?,
            max_corners: reader.u32()?,
            validate_look_ahead: reader.u32()?,
            optimize_interval: reader.u32()?,
            optimize_range: reader.f64()?,
            optimize_budget: reader.u32()?,
            topology_interval: reader.u32()?,
            topology_budget: reader.u32()?,
            replan_budget: reader.u32()?,
            max_replan_rounds: reader.u32()?,
            stuck_window: reader.f64()?,
            stuck_progress: reader.f64()?,
            max_stuck_recoveries: reader.u32()?,
            off_mesh_mode: OffMeshMode(reader.u8()?.into()),
            off_mesh_speed: reader.f64()?,
            off_mesh_trigger_radius: reader.f64()?,
            search_extents: [reader.f64()?, reader.f64()?, reader.f64()?],
            corridor_capacity: reader.u32()?,
            refine_budget: reader.u32()?,
            corner_clearance: reader.f64()?,
        };
        options.validate().map_err(|error| error.of_kind(crate::error::ErrorKind::Format))?;
        Ok(options)
    }
}

impl Default for FollowerOptions {
    fn default() -> Self {
        FollowerOptions::HUMANOID
    }
}

fn check(value: f64, least: f64, most: f64, subject: Subject) -> Result<()> {
    if value < least {
        return Err(Error::limit(subject).value(value).bound(least));
    }
    if value > most {
        return Err(Error::limit(subject).value(value).bound(most));
    }
    Ok(())
}
