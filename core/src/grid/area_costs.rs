//! What crossing each kind of ground costs (`grids.md`, "Layout", "Area ids").

use crate::error::{Error, ErrorKind, Result, Subject};

/// The area id of a wall. Every other id is ground.
pub const WALL: u8 = 255;

/// How many area ids are ground: 0 to 254.
pub const AREA_IDS: usize = 255;

/// A cost multiplier for each area id 0 to 254, 1 unless set.
///
/// Only as many multipliers as the grid's def asks for are kept in memory. The ids beyond share one, which is changed
/// for all ids at once or not at all; so a map with three kinds of ground pays for three.
#[derive(Debug)]
pub struct AreaCosts<'m> {
    costs: &'m mut [f64],
    rest: f64,
    version: u32,
    least: f64,
    uniform: bool,
}

impl<'m> AreaCosts<'m> {
    /// Multipliers of 1 over an array of at most [`AREA_IDS`].
    pub(super) fn over(costs: &'m mut [f64]) -> Self {
        costs.fill(1.0);
        AreaCosts { costs, rest: 1.0, version: 0, least: 1.0, uniform: true }
    }

    /// The multiplier of an area; infinite for a wall.
    #[inline]
    pub fn get(&self, area: u8) -> f64 {
        match self.costs.get(area as usize) {
            Some(&cost) => cost,
            None if area == WALL => f64::INFINITY,
            None => self.rest,
        }
    }

    /// How many ids have a multiplier of their own.
    pub fn kept(&self) -> usize {
        self.costs.len()
    }

    /// Goes up by one with every change.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The smallest multiplier of all 255 ids: what scales an estimate so that it never exceeds the cost.
    pub const fn min_cost(&self) -> f64 {
        self.least
    }

    /// The multiplier that all 255 ids share, if they do.
    pub const fn uniform(&self) -> Option<f64> {
        if self.uniform { Some(self.least) } else { None }
    }

    /// Sets one area's multiplier. Setting what it is already changes nothing.
    ///
    /// # Errors
    /// The wall's id; a multiplier that is not above 0 and finite; an id past those kept, unless it has this value.
    pub(super) fn set(&mut self, area: u8, cost: f64) -> Result<()> {
        checked_cost(area, cost)?;
        if self.get(area) == cost {
            return Ok(());
        }
        let kept = self.costs.len();
        let place = self.costs.get_mut(area as usize);
        *place.ok_or(Error::capacity(Subject::AreaCost, kept).at(area as usize))? = cost;
        self.changed();
        Ok(())
    }

    /// Sets the multiplier of all areas.
    pub(super) fn set_all(&mut self, cost: f64) -> Result<()> {
        checked_cost(0, cost)?;
        if self.uniform() != Some(cost) {
            self.costs.fill(cost);
            self.rest = cost;
            self.changed();
        }
        Ok(())
    }

    /// Replaces all multipliers, which are costs, and the version.
    ///
    /// # Errors
    /// Another value for an id past those kept than the other such ids have. Nothing has changed then.
    pub(super) fn restore(&mut self, ids: usize, cost_of: impl Fn(usize) -> f64, version: u32) -> Result<()> {
        let kept = self.costs.len();
        let rest = if kept < ids { cost_of(kept) } else { self.rest };
        if let Some(area) = (kept..ids).find(|&area| cost_of(area).to_bits() != rest.to_bits()) {
            return Err(Error::capacity(Subject::AreaCost, kept).at(area));
        }
        self.costs.iter_mut().enumerate().for_each(|(area, cost)| *cost = cost_of(area));
        self.rest = rest;
        self.changed();
        self.version = version;
        Ok(())
    }

    fn changed(&mut self) {
        // A saved version is a signed 32-bit integer that is not negative.
        self.version = if self.version == i32::MAX as u32 { 0 } else { self.version + 1 };
        let rest = (self.costs.len() < AREA_IDS).then_some(self.rest);
        let all = || self.costs.iter().copied().chain(rest);
        let least = all().fold(f64::INFINITY, crate::math::min);
        self.uniform = all().all(|cost| cost == least);
        self.least = least;
    }
}

fn checked_cost(area: u8, cost: f64) -> Result<()> {
    if area == WALL {
        return Err(Error::new(ErrorKind::Unsupported, Subject::AreaCost).at(area as usize));
    }
    if !(cost > 0.0 && cost.is_finite()) {
        return Err(Error::invalid(Subject::AreaCost).at(area as usize).value(cost));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_are_not_kept_share_one_multiplier() {
        let mut memory = [0.0; 3];
        let mut costs = AreaCosts::over(&mut memory);
        assert_eq!((costs.uniform(), costs.version()), (Some(1.0), 0));
        costs.set(2, 3.0).unwrap();
        assert_eq!((costs.get(2), costs.get(9), costs.get(254), costs.get(WALL)), (3.0, 1.0, 1.0, f64::INFINITY));
        assert_eq!((costs.uniform(), costs.min_cost(), costs.version()), (None, 1.0, 1));
        costs.set(2, 3.0).unwrap();
        costs.set(200, 1.0).unwrap();
        assert_eq!(costs.version(), 1);
        assert_eq!(costs.set(3, 2.0).unwrap_err().kind(), ErrorKind::Capacity);
        costs.set_all(2.5).unwrap();
        assert_eq!((costs.uniform(), costs.get(77), costs.version()), (Some(2.5), 2.5, 2));
    }

    #[test]
    fn a_full_table_counts_no_hidden_multiplier() {
        let mut memory = [0.0; AREA_IDS];
        let mut costs = AreaCosts::over(&mut memory);
        (0..=254).for_each(|area| costs.set(area, 2.0).unwrap());
        assert_eq!((costs.uniform(), costs.min_cost()), (Some(2.0), 2.0));
    }

    #[test]
    fn what_is_no_cost_is_refused_by_its_area() {
        let mut memory = [0.0; 4];
        let mut costs = AreaCosts::over(&mut memory);
        for cost in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = costs.set(1, cost).unwrap_err();
            assert_eq!((error.kind(), error.index()), (ErrorKind::Invalid, Some(1)));
            assert!(costs.set_all(cost).is_err());
        }
        assert_eq!(costs.set(WALL, 1.0).unwrap_err().index(), Some(255));
        assert_eq!(costs.version(), 0);
    }
}
