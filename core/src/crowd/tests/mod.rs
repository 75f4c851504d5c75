//! Tests of the crowd: what they share.

mod choosing;
mod memory;

use super::*;
use crate::memory::{Arena, Grain, Plan};
use std::vec;
use std::vec::Vec;

pub fn region(plan: Plan) -> Vec<Grain> {
    vec![Grain::ZERO; plan.grains()]
}
