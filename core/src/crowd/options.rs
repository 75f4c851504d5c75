//! What an agent of a crowd is like (`crowds.md`, "Presets and defaults").

use crate::bytes::{Reader, Sink};
use crate::error::{Error, ErrorKind, Result, Subject};
use crate::follower::FollowerOptions;
use crate::math::max;
use crate::memory::{Pod, Zeroable};

/// How many polygons an agent's corridor has room for unless its settings say otherwise.
pub const CROWD_CORRIDOR: u32 = 64;

/// The largest radius, clearance or distance: what the follower's distances, made of twice that, are bounded by.
const MAX_LENGTH: f64 = 1_048_576.0;
const MAX_PRIORITY: f64 = 1e150;
const MAX_WEIGHT: f64 = 1e6;

/// How many others an agent avoids and how far ahead it looks, with OnePath's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum AvoidanceQuality {
    /// It walks its way and avoids nobody.
    Off = 0,
    /// Four others, 1.5 seconds ahead.
    Low = 1,
    /// Eight others, two seconds ahead.
    #[default]
    Medium = 2,
    /// Twelve others, 2.5 seconds ahead.
    High = 3,
}

impl AvoidanceQuality {
    pub(super) const ALL: [AvoidanceQuality; 4] =
        [AvoidanceQuality::Off, AvoidanceQuality::Low, AvoidanceQuality::Medium, AvoidanceQuality::High];

    /// The most others that an agent of any quality avoids.
    pub const MAX_NEIGHBORS: usize = 12;

    /// How many others are avoided at most.
    pub const fn neighbors(self) -> usize {
        match self {
            AvoidanceQuality::Off => 0,
            AvoidanceQuality::Low => 4,
            AvoidanceQuality::Medium => 8,
            AvoidanceQuality::High => Self::MAX_NEIGHBORS,
        }
    }

    /// How many seconds are looked ahead for others; half of that for walls.
    pub const fn time_horizon(self) -> f64 {
        match self {
            AvoidanceQuality::Off => 0.0,
            AvoidanceQuality::Low => 1.5,
            AvoidanceQuality::Medium => 2.0,
            AvoidanceQuality::High => 2.5,
        }
    }

    fn from_number(number: u8) -> Option<AvoidanceQuality> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// What an agent of a crowd is like. Lengths in world units, times in seconds.
///
/// ```
/// use navarena::crowd::{AgentOptions, AvoidanceQuality};
/// const GUARD: AgentOptions = AgentOptions { priority: 3.0, quality: AvoidanceQuality::High, ..AgentOptions::HUMANOID };
/// assert!(GUARD.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AgentOptions {
    /// The disc it fills: above 0, up to 2^20.
    pub radius: f64,
    /// The fastest it goes, 1e-6 to 2^21.
    pub max_speed: f64,
    /// How much its velocity changes in a second at most, 1e-6 to 2^21.
    pub max_acceleration: f64,
    /// How near its destination it has arrived, up to 2^20.
    pub arrival_radius: f64,
    /// Its weight against others': above 0, up to 1e150. The greater gives way less.
    pub priority: f64,
    /// How many others it avoids and how far ahead it looks.
    pub quality: AvoidanceQuality,
    /// How far its center keeps from walls, up to 2^20; the mesh is shrunk by the radius already.
    pub wall_clearance: f64,
    /// It is pushed away from others nearer than this, up to 2^20; 0 is not at all.
    pub separation_distance: f64,
    /// How much it is, as a part of its speed, up to 1e6.
    pub separation_weight: f64,
    /// The part of its velocity that is added to one side, so that those who meet head-on turn: -1 to 1.
    pub side_preference: f64,
    /// How it follows its way, where [`FollowerOptions::HUMANOID`] with room for [`CROWD_CORRIDOR`] polygons and without
    /// a stuck window won't do. Speed, acceleration and arrival radius are the agent's in any case.
    pub path: Option<FollowerOptions>,
}

impl AgentOptions {
    /// Someone who runs.
    pub const HUMANOID: AgentOptions = AgentOptions {
        radius: 0.6,
        max_speed: 3.5,
        max_acceleration: 8.0,
        arrival_radius: 0.25,
        priority: 1.0,
        quality: AvoidanceQuality::Medium,
        wall_clearance: 0.05,
        separation_distance: 0.0,
        separation_weight: 0.3,
        side_preference: 0.05,
        path: None,
    };

    /// Something smaller and slower.
    pub const SMALL: AgentOptions = AgentOptions {
        radius: 0.3,
        max_speed: 2.5,
        max_acceleration: 6.0,
        arrival_radius: 0.3,
        ..AgentOptions::HUMANOID
    };

    /// Something big.
    pub const LARGE: AgentOptions = AgentOptions {
        radius: 1.5,
        max_speed: 3.0,
        max_acceleration: 5.0,
        arrival_radius: 0.6,
        ..AgentOptions::HUMANOID
    };

    /// How the agent follows its way: its path settings, or the default ones, with its own speed, acceleration and arrival
    /// radius, a link's entry no nearer than twice its radius, and corners passed clear of the wall's clearance.
    pub fn follower(&self) -> FollowerOptions {
        let path = self.path.unwrap_or(FollowerOptions {
            corridor_capacity: CROWD_CORRIDOR,
            stuck_window: 0.0,
            ..FollowerOptions::HUMANOID
        });
        FollowerOptions {
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            arrival_radius: self.arrival_radius,
            off_mesh_trigger_radius: max(path.off_mesh_trigger_radius, 2.0 * self.radius),
            corner_clearance: 2.0 * self.wall_clearance + 0.01,
            ..path
        }
    }

    /// Refuses a value out of its range, by name.
    pub fn validate(&self) -> Result<()> {
        let lengths = [
            (self.radius, 0.0, MAX_LENGTH, Subject::AgentRadius),
            (self.arrival_radius, 0.0, MAX_LENGTH, Subject::ArrivalRadius),
            (self.priority, 0.0, MAX_PRIORITY, Subject::Priority),
            (self.wall_clearance, 0.0, MAX_LENGTH, Subject::WallClearance),
            (self.separation_distance, 0.0, MAX_LENGTH, Subject::SeparationDistance),
            (self.separation_weight, 0.0, MAX_WEIGHT, Subject::SeparationWeight),
            (self.side_preference, -1.0, 1.0, Subject::SidePreference),
        ];
        for (value, least, most, subject) in lengths {
            if !value.is_finite() {
                return Err(Error::invalid(subject).value(value));
            }
            if value < least || value > most {
                return Err(Error::limit(subject).value(value).bound(if value < least { least } else { most }));
            }
        }
        for (value, subject) in [(self.radius, Subject::AgentRadius), (self.priority, Subject::Priority)] {
            if value == 0.0 {
                return Err(Error::limit(subject).value(value).bound(0.0));
            }
        }
        if let Some(path) = &self.path {
            path.validate()?;
        }
        self.follower().validate()
    }

    /// How far another may be to be a neighbour.
    pub(super) fn neighbor_distance(&self) -> f64 {
        max(self.separation_distance, 2.0 * self.radius + self.max_speed * self.quality.time_horizon())
    }

    /// For how many seconds no wall may be hit.
    pub(super) fn obstacle_horizon(&self) -> f64 {
        self.quality.time_horizon() / 2.0
    }

    /// How far a wall may be to be avoided.
    pub(super) fn wall_reach(&self) -> f64 {
        self.obstacle_horizon() * self.max_speed + self.wall_clearance
    }

    /// Writes the settings in their order in saved states.
    pub(super) fn write(&self, out: &mut impl Sink) {
        let first = [self.radius, self.max_speed, self.max_acceleration, self.arrival_radius, self.priority];
        first.into_iter().for_each(|value| out.f64(value));
        out.u8(self.quality as u8);
        let rest = [self.wall_clearance, self.separation_distance, self.separation_weight, self.side_preference];
        rest.into_iter().for_each(|value| out.f64(value));
        out.u8(self.path.is_some().into());
        if let Some(path) = &self.path {
            path.write(out);
        }
    }

    /// Reads settings and judges them as an agent's that is added.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<AgentOptions> {
        reader.section(Subject::Settings);
        let [radius, max_speed, max_acceleration, arrival_radius, priority] = doubles(reader)?;
        let number = reader.u8()?;
        let quality = AvoidanceQuality::from_number(number);
        let quality = quality.ok_or(Error::format(Subject::AvoidanceQuality).value(number.into()).bound(3.0))?;
        let [wall_clearance, separation_distance, separation_weight, side_preference] = doubles(reader)?;
        let path = match reader.u8()? {
            0 => None,
            1 => Some(FollowerOptions::read(reader)?),
            other => return Err(Error::format(Subject::Flags).value(other.into()).bound(1.0)),
        };
        let options = AgentOptions {
            radius,
            max_speed,
            max_acceleration,
            arrival_radius,
            priority,
            quality,
            wall_clearance,
            separation_distance,
            separation_weight,
            side_preference,
            path,
        };
        options.validate().map_err(|error| error.of_kind(ErrorKind::Format))?;
        Ok(options)
    }
}

impl Default for AgentOptions {
    fn default() -> Self {
        AgentOptions::HUMANOID
    }
}

fn doubles<const N: usize>(reader: &mut Reader<'_>) -> Result<[f64; N]> {
    let mut values = [0.0; N];
    for value in &mut values {
        *value = reader.f64()?;
    }
    Ok(values)
}

/// The same settings as plain data, for a slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct OptionsRecord {
    pub radius: f64,
    max_speed: f64,
    max_acceleration: f64,
    arrival_radius: f64,
    priority: f64,
    wall_clearance: f64,
    separation_distance: f64,
    separation_weight: f64,
    side_preference: f64,
    quality: u32,
    has_path: u32,
    path: FollowerOptions,
}

impl From<&AgentOptions> for OptionsRecord {
    fn from(options: &AgentOptions) -> OptionsRecord {
        OptionsRecord {
            radius: options.radius,
            max_speed: options.max_speed,
            max_acceleration: options.max_acceleration,
            arrival_radius: options.arrival_radius,
            priority: options.priority,
            wall_clearance: options.wall_clearance,
            separation_distance: options.separation_distance,
            separation_weight: options.separation_weight,
            side_preference: options.side_preference,
            quality: options.quality as u32,
            has_path: options.path.is_some().into(),
            path: options.path.unwrap_or(FollowerOptions::HUMANOID),
        }
    }
}

impl From<&OptionsRecord> for AgentOptions {
    fn from(record: &OptionsRecord) -> AgentOptions {
        AgentOptions {
            radius: record.radius,
            max_speed: record.max_speed,
            max_acceleration: record.max_acceleration,
            arrival_radius: record.arrival_radius,
            priority: record.priority,
            quality: AvoidanceQuality::from_number(record.quality as u8).unwrap_or_default(),
            wall_clearance: record.wall_clearance,
            separation_distance: record.separation_distance,
            separation_weight: record.separation_weight,
            side_preference: record.side_preference,
            path: (record.has_path != 0).then_some(record.path),
        }
    }
}

const _: () = assert!(size_of::<OptionsRecord>() == 80 + size_of::<FollowerOptions>());
