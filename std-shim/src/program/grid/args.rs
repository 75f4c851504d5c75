//! What `navarena grid` is told on the command line.

use crate::program::args::numbers;
use clap::{Args, ValueEnum};
use navarena::grid::{Cell, GridAlgorithm};
use std::path::PathBuf;

/// Arguments of `grid`.
#[derive(Debug, Args)]
pub struct GridArgs {
    /// The map: a Moving AI file, or the YAML file of a ROS occupancy map, whose rows count from the lowest.
    pub map: PathBuf,
    /// Find the path of every instance of a Moving AI scenario file, and compare with the published lengths.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "output"])]
    pub scen: Option<PathBuf>,
    /// The algorithm.
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub alg: Algorithm,
    /// Find a path from this cell: column and row, from the top left.
    #[arg(long, value_name = "X,Y", value_parser = cell, requires = "to")]
    pub from: Option<Cell>,
    /// Find a path to this cell.
    #[arg(long, value_name = "X,Y", value_parser = cell, requires = "from")]
    pub to: Option<Cell>,
    /// Draw the map, the cells expanded, the path and the flow; the ending, .svg or .png, says which kind.
    #[arg(short, long, value_name = "PICTURE")]
    pub output: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// The algorithms by the names that scripts know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// A*.
    #[default]
    #[value(name = "astar")]
    AStar,
    /// Jump point search.
    Jps,
    /// Jump point search over tables.
    #[value(name = "jps+")]
    JpsPlus,
    /// Theta*: paths at any angle.
    Theta,
    /// Lazy Theta*.
    LazyTheta,
    /// HPA*: a hierarchy of chunks.
    Hpa,
    /// LPA*: a replanner from a fixed start.
    Lpa,
    /// D* Lite: a replanner for a start that moves.
    Dstar,
    /// A flow field towards the goal.
    Flow,
}

impl Algorithm {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// The core's algorithm, where one search answers one question; none for those that are other objects.
    pub fn of_search(self) -> Option<GridAlgorithm> {
        match self {
            Algorithm::AStar => Some(GridAlgorithm::AStar),
            Algorithm::Jps => Some(GridAlgorithm::Jps),
            Algorithm::JpsPlus => Some(GridAlgorithm::JpsPlus),
            Algorithm::Theta => Some(GridAlgorithm::ThetaStar),
            Algorithm::LazyTheta => Some(GridAlgorithm::LazyThetaStar),
            Algorithm::Hpa => Some(GridAlgorithm::Hpa),
            Algorithm::Lpa | Algorithm::Dstar | Algorithm::Flow => None,
        }
    }

    /// Whether it settles cells for all starts instead of expanding nodes for one.
    pub fn is_field(self) -> bool {
        self == Algorithm::Flow
    }

    /// Whether its paths are at any angle, and so shorter than the published lengths.
    pub fn is_any_angle(self) -> bool {
        matches!(self, Algorithm::Theta | Algorithm::LazyTheta)
    }
}

/// A column and a row with a comma between them.
fn cell(text: &str) -> Result<Cell, String> {
    let [x, y] = numbers::<2>(text)?.map(|number| {
        let whole = number as i32;
        (f64::from(whole) == number).then_some(whole).ok_or(format!("{number} is no column or row"))
    });
    Ok(Cell::new(x?, y?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_whole_numbers() {
        assert_eq!(cell("3, 4"), Ok(Cell::new(3, 4)));
        assert_eq!(cell("3.5,4").unwrap_err(), "3.5 is no column or row");
        assert!(cell("3").is_err() && cell("1e300,0").is_err());
    }

    #[test]
    fn names_are_those_that_scripts_know() {
        let names: Vec<String> = Algorithm::value_variants().iter().map(|one| one.name()).collect();
        assert_eq!(names, ["astar", "jps", "jps+", "theta", "lazy-theta", "hpa", "lpa", "dstar", "flow"]);
    }
}
