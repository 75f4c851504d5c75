//! What is asked of a search on a square grid, and which algorithm that comes to (`grids.md`, "API tiers", and "Applies
//! when" of each algorithm).

use super::{Connectivity, DiagonalRule, Grid, HeuristicKind, Movement};
use crate::error::{Error, Result, Subject};

/// The algorithms over square grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum GridAlgorithm {
    /// A*: cheapest paths, with every option.
    #[default]
    AStar = 0,
    /// Jump point search: cheapest paths where all steps cost the same.
    Jps = 1,
    /// Jump point search over tables.
    JpsPlus = 2,
    /// Theta*: short paths at any angle.
    ThetaStar = 3,
    /// Lazy Theta*, with a second look at nodes whose parent was not in sight.
    LazyThetaStar = 4,
    /// HPA*: near-cheapest paths over a hierarchy of chunks.
    Hpa = 5,
    /// LPA*: a replanner from a fixed start.
    LpaStar = 6,
    /// D* Lite: a replanner for a start that moves.
    DStarLite = 7,
}

/// What is asked of a search. Presets, and fields to change:
///
/// ```
/// use navarena::grid::{GridAlgorithm, GridOptions, Movement};
/// let options = GridOptions { algorithm: GridAlgorithm::Jps, ..GridOptions::DEFAULT };
/// assert_eq!(GridOptions::for_agent_size(3).movement, Movement { agent_size: 3, ..Movement::DEFAULT });
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridOptions {
    /// The algorithm wanted. Where the options rule it out, another one runs, and the outcome says which.
    pub algorithm: GridAlgorithm,
    /// How the agent moves.
    pub movement: Movement,
    /// What is left, estimated how.
    pub heuristic: HeuristicKind,
    /// What the estimate is multiplied with, 0 or more. Above 1 paths need not be cheapest.
    pub weight: f64,
    /// The most pops of a one-call search; 0 for no bound.
    pub iteration_budget: u64,
    /// Whether the specialised searches may run. Without them the generic ones do, which break ties otherwise.
    pub specialized: bool,
    /// The side of the chunks of HPA*, 2 to 256; 0 for those that the search's def has, 16 unless it says otherwise. A search
    /// has memory for chunks of one side, and refuses others.
    pub hpa_chunk: u16,
    /// Whether HPA* smooths its paths.
    pub hpa_smoothing: bool,
}

impl GridOptions {
    /// A* for an agent of one cell, eight neighbours, no corner cutting.
    pub const DEFAULT: GridOptions = GridOptions {
        algorithm: GridAlgorithm::AStar,
        movement: Movement::DEFAULT,
        heuristic: HeuristicKind::Auto,
        weight: 1.0,
        iteration_budget: 0,
        specialized: true,
        hpa_chunk: 0,
        hpa_smoothing: true,
    };

    /// Four neighbours.
    pub const FOUR_CONNECTED: GridOptions = GridOptions {
        movement: Movement { connectivity: Connectivity::Four, ..Movement::DEFAULT },
        ..GridOptions::DEFAULT
    };

    /// Diagonal steps past one corner, not between two.
    pub const NO_SQUEEZING: GridOptions = GridOptions {
        movement: Movement { diagonals: DiagonalRule::NoSqueezing, ..Movement::DEFAULT },
        ..GridOptions::DEFAULT
    };

    /// For an agent that occupies a square of cells.
    pub const fn for_agent_size(agent_size: u8) -> GridOptions {
        GridOptions { movement: Movement { agent_size, ..Movement::DEFAULT }, ..GridOptions::DEFAULT }
    }

    /// The estimate that a search on the grid uses.
    pub const fn heuristic_kind(&self) -> HeuristicKind {
        self.heuristic.resolved(self.movement.connectivity)
    }

    /// Refuses an agent of size 0 and a weight that is negative or not finite.
    pub fn validate(&self) -> Result<()> {
        self.movement.validate()?;
        if !(self.weight >= 0.0 && self.weight.is_finite()) {
            return Err(Error::invalid(Subject::HeuristicWeight).value(self.weight));
        }
        Ok(())
    }

    /// The one cost of a step of length 1, if steps are those that jump point search and the specialised searches know:
    /// eight neighbours, no corner cutting, an agent of one cell, one cost for every area, no hooks.
    pub fn uniform_step(&self, grid: &Grid<'_>, has_hooks: bool) -> Option<f64> {
        if self.movement == Movement::DEFAULT && !has_hooks { grid.areas().uniform() } else { None }
    }

    /// Whether jump point search and the specialised searches can do what is asked; `has_hooks` says whether hooks are
    /// present. (`grids.md`, "Jump point search", "When it applies".)
    pub fn allows_jumps(&self, grid: &Grid<'_>, has_hooks: bool) -> bool {
        let estimate = matches!(self.heuristic_kind(), HeuristicKind::Octile | HeuristicKind::Zero);
        self.uniform_step(grid, has_hooks).is_some() && self.weight == 1.0 && estimate
    }

    /// Whether Theta* and its kin can do what is asked. (`grids.md`, "Any-angle search", "Applies when".)
    pub fn allows_any_angle(&self, grid: &Grid<'_>, has_hooks: bool) -> bool {
        let estimate = matches!(self.heuristic, HeuristicKind::Auto | HeuristicKind::Euclidean | HeuristicKind::Zero);
        self.uniform_step(grid, has_hooks).is_some() && estimate
    }

    /// Whether HPA* can do what is asked. (`grids.md`, "HPA*", "Scope".)
    pub fn allows_hierarchy(&self, has_hooks: bool) -> bool {
        let may_squeeze = self.movement.diagonals == DiagonalRule::AllowAll;
        let crosses_corners = may_squeeze && self.movement.connectivity == Connectivity::Eight;
        !has_hooks && !crosses_corners
    }

    /// The algorithm that runs on a grid: the one asked for, or what it falls back to.
    ///
    /// A* stands in for all; jump point search for JPS+ on grids with a side of more than 32766 cells; the replanners
    /// run as A* when only one path is asked for.
    pub fn algorithm_on(&self, grid: &Grid<'_>, has_hooks: bool) -> GridAlgorithm {
        let applies = match self.algorithm {
            GridAlgorithm::AStar => true,
            GridAlgorithm::Jps | GridAlgorithm::JpsPlus => self.allows_jumps(grid, has_hooks),
            GridAlgorithm::ThetaStar | GridAlgorithm::LazyThetaStar => self.allows_any_angle(grid, has_hooks),
            GridAlgorithm::Hpa => self.allows_hierarchy(has_hooks),
            GridAlgorithm::LpaStar | GridAlgorithm::DStarLite => false,
        };
        match self.algorithm {
            _ if !applies => GridAlgorithm::AStar,
            GridAlgorithm::JpsPlus if grid.width().max(grid.height()) > MAX_TABLE_SIDE => GridAlgorithm::Jps,
            algorithm => algorithm,
        }
    }
}

/// The longest side of a grid that jump tables of 16-bit steps can describe.
pub const MAX_TABLE_SIDE: i32 = 32766;

impl Default for GridOptions {
    fn default() -> Self {
        GridOptions::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridDef;
    use crate::memory::{Arena, Memory};

    #[test]
    fn every_option_that_rules_an_algorithm_out_falls_back_and_says_so() {
        use GridAlgorithm::*;
        let mut region = Memory::<4096>::new();
        let mut grid = Grid::new(&GridDef::of_size(4, 4), &mut Arena::new(region.grains())).unwrap();
        let all = [AStar, Jps, JpsPlus, ThetaStar, LazyThetaStar, Hpa, LpaStar, DStarLite];
        let runs = |grid: &Grid<'_>, options: GridOptions, hooks: bool| {
            all.map(|algorithm| GridOptions { algorithm, ..options }.algorithm_on(grid, hooks))
        };
        let plain = GridOptions::DEFAULT;
        let as_asked = [AStar, Jps, JpsPlus, ThetaStar, LazyThetaStar, Hpa, AStar, AStar];
        let no_jumps = [AStar, AStar, AStar, ThetaStar, LazyThetaStar, Hpa, AStar, AStar];
        let no_angles = [AStar, Jps, JpsPlus, AStar, AStar, Hpa, AStar, AStar];
        let hierarchy_only = [AStar, AStar, AStar, AStar, AStar, Hpa, AStar, AStar];
        assert_eq!(runs(&grid, plain, false), as_asked);
        assert_eq!(runs(&grid, plain, true), [AStar; 8]);
        assert_eq!(runs(&grid, GridOptions { weight: 2.0, ..plain }, false), no_jumps);
        let estimate = |heuristic| GridOptions { heuristic, ..plain };
        assert_eq!(runs(&grid, estimate(HeuristicKind::Zero), false), as_asked);
        assert_eq!(runs(&grid, estimate(HeuristicKind::Octile), false), no_angles);
        assert_eq!(runs(&grid, estimate(HeuristicKind::Euclidean), false), no_jumps);
        assert_eq!(runs(&grid, estimate(HeuristicKind::Manhattan), false), hierarchy_only);
        for other in [GridOptions::FOUR_CONNECTED, GridOptions::NO_SQUEEZING, GridOptions::for_agent_size(2)] {
            assert_eq!(runs(&grid, other, false), hierarchy_only);
        }
        let movement = Movement { diagonals: DiagonalRule::AllowAll, ..Movement::DEFAULT };
        assert_eq!(runs(&grid, GridOptions { movement, ..plain }, false), [AStar; 8]);
        grid.set_all_area_costs(2.5).unwrap();
        assert_eq!(runs(&grid, plain, false), as_asked);
        grid.set_area_cost(7, 3.0).unwrap();
        assert_eq!(runs(&grid, plain, false), hierarchy_only);
        assert!(GridOptions::for_agent_size(0).validate().is_err());
        assert!(GridOptions { weight: -1.0, ..plain }.validate().is_err());
    }
}
