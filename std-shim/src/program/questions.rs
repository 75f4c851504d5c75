//! What `navarena query` can be asked, on the command line.

use super::args::{SearchArgs, Side, point};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Arguments of `query`.
#[derive(Debug, Args)]
pub struct QueryArgs {
    /// The mesh, as `bake` writes it.
    pub file: PathBuf,
    /// What to ask.
    #[command(subcommand)]
    pub question: Question,
}

/// One question.
#[derive(Debug, Subcommand)]
pub enum Question {
    /// The polygon nearest to a position, and the point of it.
    Nearest(PlaceArgs),
    /// The height of the surface over or under a position, which must lie inside a polygon seen from above.
    Height(PlaceArgs),
    /// How far a straight line over the surface gets.
    Ray(WayArgs),
    /// Where a step over the surface ends that slides along one wall.
    Move(WayArgs),
    /// The shortest way seen from above, by Polyanya.
    Shortest(WayArgs),
    /// Whether a place can be reached from another.
    Reachable(WayArgs),
    /// The walls around a position, nearest first.
    Walls(CircleArgs),
    /// The polygons that can be reached within a circle.
    Circle(CircleArgs),
    /// The polygons that can be reached within a circle, without those that overlap one already met.
    Neighbourhood(CircleArgs),
    /// Random points, on the whole mesh or around a position.
    Random(RandomArgs),
}

/// What every question can be told.
#[derive(Debug, Args)]
pub struct Common {
    /// Search
    #[command(flatten)]
    pub search: SearchArgs,
    /// Draw the mesh with the answer; the picture's ending, .svg or .png, says which kind.
    #[arg(short, long, value_name = "PICTURE")]
    pub output: Option<PathBuf>,
    /// The picture is seen from where.
    #[arg(long, value_enum, default_value_t)]
    pub side: Side,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// A position.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// The position.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub at: [f64; 3],
    /// Everything else.
    #[command(flatten)]
    pub common: Common,
}

/// Two positions.
#[derive(Debug, Args)]
pub struct WayArgs {
    /// Where it starts.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub from: [f64; 3],
    /// Where it leads.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub to: [f64; 3],
    /// Everything else.
    #[command(flatten)]
    pub common: Common,
}

/// A circle.
#[derive(Debug, Args)]
pub struct CircleArgs {
    /// Its center.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub at: [f64; 3],
    /// Its radius.
    #[arg(long, value_name = "LENGTH", default_value_t = 8.0, allow_negative_numbers = true)]
    pub radius: f64,
    /// Leave out the walls of floors above and below the center's.
    #[arg(long)]
    pub on_floor: bool,
    /// The most that is listed.
    #[arg(long, value_name = "COUNT", default_value_t = 256)]
    pub most: usize,
    /// Everything else.
    #[command(flatten)]
    pub common: Common,
}

/// Random points.
#[derive(Debug, Args)]
pub struct RandomArgs {
    /// Around this position; without it, anywhere.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub at: Option<[f64; 3]>,
    /// Within this radius of the position.
    #[arg(long, value_name = "LENGTH", default_value_t = 8.0, allow_negative_numbers = true)]
    pub radius: f64,
    /// How many.
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub count: usize,
    /// Where the generator begins: the same seed gives the same points.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Everything else.
    #[command(flatten)]
    pub common: Common,
}
