//! The YAML file of an occupancy map.

use super::Occupancy;
use yaml_rust2::{Yaml, YamlLoader};

/// What the file says.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The picture's path.
    pub image: String,
    /// The side of a cell in meters.
    pub resolution: f64,
    /// The lower left corner in the world.
    pub origin: [f64; 2],
    /// Whether black is free instead of white.
    pub is_negated: bool,
    /// Above this a cell is occupied.
    pub occupied: f64,
    /// Below this a cell is free.
    pub free: f64,
}

impl Settings {
    /// Reads and checks the file.
    pub fn parse(text: &str) -> Result<Settings, String> {
        let documents = YamlLoader::load_from_str(text)
            .map_err(|error| format!("line {}: {}", error.marker().line(), error.info()))?;
        let yaml = documents.first().filter(|yaml| yaml.as_hash().is_some()).ok_or("no settings in it")?;
        let mode = &yaml["mode"];
        if !mode.is_badvalue() && mode.as_str() != Some("trinary") {
            return Err("mode: only trinary is read".into());
        }
        let is_negated = match number(&yaml["negate"]).or(yaml["negate"].as_bool().map(f64::from)) {
            Some(0.0) => false,
            Some(1.0) => true,
            None if yaml["negate"].is_badvalue() => false,
            _ => return Err("negate: 0 or 1".into()),
        };
        let image = yaml["image"].as_str().ok_or("image: the picture's path is missing")?.to_string();
        let resolution = number(&yaml["resolution"]).ok_or("resolution: meters a cell are missing")?;
        let (occupied, free) = (share(yaml, "occupied_thresh", 0.65)?, share(yaml, "free_thresh", 0.196)?);
        if free > occupied {
            return Err(format!("free_thresh: {free} is above occupied_thresh, {occupied}"));
        }
        Ok(Settings { image, resolution, origin: origin(&yaml["origin"])?, is_negated, occupied, free })
    }

    /// What a shade from 0 (black) to white says. One division of whole numbers, so that a threshold is met just where robots
    /// meet it.
    pub fn occupancy(&self, shade: u32, white: u32) -> Occupancy {
        let part = if self.is_negated { shade } else { white - shade };
        match f64::from(part) / f64::from(white) {
            high if high > self.occupied => Occupancy::Occupied,
            low if low < self.free => Occupancy::Free,
            _ => Occupancy::Unknown,
        }
    }
}

fn number(yaml: &Yaml) -> Option<f64> {
    yaml.as_f64().or(yaml.as_i64().map(|whole| whole as f64))
}

fn origin(yaml: &Yaml) -> Result<[f64; 2], String> {
    let values: Option<Vec<f64>> = yaml.as_vec().and_then(|list| list.iter().map(number).collect());
    match values.as_deref() {
        Some(&[x, y, 0.0]) => Ok([x, y]),
        Some(&[_, _, yaw]) => Err(format!("origin: the map is turned by {yaw}, which no grid is")),
        _ => Err("origin: three numbers are wanted, x, y and yaw".into()),
    }
}

fn share(yaml: &Yaml, name: &str, default: f64) -> Result<f64, String> {
    if yaml[name].is_badvalue() {
        return Ok(default);
    }
    match number(&yaml[name]) {
        Some(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("{name}: a number from 0 to 1 is wanted")),
    }
}
