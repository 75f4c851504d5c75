//! What the program is told on the command line.

use super::grid::GridArgs;
use super::questions::QueryArgs;
use super::settings::SettingsArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use navarena::build3d::IslandRule;
use std::path::PathBuf;

/// Navigation meshes from level geometry: bake, look at, and find paths across.
#[derive(Debug, Parser)]
#[command(name = "navarena", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Bake a level of our own, find a path from the yard to the balcony, draw both.
    Demo(DemoArgs),
    /// Bake a level into a navigation mesh.
    Bake(BakeArgs),
    /// Bake a floor plan or a map of cells into a navigation mesh, exactly.
    Bake2d(Bake2dArgs),
    /// Find a path across a mesh.
    Path(PathArgs),
    /// Ask about a mesh: nearest, ray, walls, circle, random points and more.
    Query(QueryArgs),
    /// Draw a mesh, and a path across it.
    View(ViewArgs),
    /// Check a saved file and say what is in it.
    Info(InfoArgs),
    /// Find paths over a map of square cells, run a scenario file, draw what a search did.
    Grid(GridArgs),
    /// Walk a crowd over a mesh and draw it as it moves.
    Crowd(CrowdArgs),
    /// Find the first field in which two saved states differ.
    Diff(DiffArgs),
}

/// Arguments of `crowd`.
#[derive(Debug, Args)]
pub struct CrowdArgs {
    /// The mesh, as `bake` writes it.
    pub file: PathBuf,
    /// How many agents walk.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub agents: u32,
    /// How long they walk.
    #[arg(long, value_name = "S", default_value_t = 30.0)]
    pub seconds: f64,
    /// Steps a second.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub rate: u32,
    /// Where they start and where they are sent is drawn from this.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Threads that share each step; the bits are the same for any number. 0 is one for each processor.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// What the agents are like.
    #[arg(long, value_enum, default_value_t)]
    pub kind: AgentKind,
    /// Print the state's hash every so many seconds.
    #[arg(long, value_name = "S", default_value_t = 5.0)]
    pub every: f64,
    /// The animated picture to write, an SVG that a browser shows.
    #[arg(short, long, value_name = "PICTURE")]
    pub output: Option<PathBuf>,
    /// File to write the last state to, for `diff`.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// How the tiles are linked where their edges part in height: hilly ground wants `somewhere`.
    #[arg(long, value_enum, default_value_t)]
    pub portals: Portals,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// What the agents of a crowd are like.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum AgentKind {
    /// Someone who runs.
    #[default]
    Humanoid,
    /// Something smaller and slower.
    Small,
    /// Something big.
    Large,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A saved state.
    pub first: PathBuf,
    /// Another one of the same kind.
    pub second: PathBuf,
    /// Print one JSON object too.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Folder to write navarena-demo.svg and navarena-demo.png to.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub out_dir: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `bake`.
#[derive(Debug, Args)]
pub struct BakeArgs {
    /// The level, a Wavefront OBJ file with Y up.
    pub level: PathBuf,
    /// File to write the mesh to.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Threads that bake; the file is the same for any number. 0 is one for each processor.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// When regions that touch no other are dropped for their size: `after-merging` leaves no small island.
    #[arg(long, value_enum, default_value_t)]
    pub islands: Islands,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Settings.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// Arguments of `bake2d`.
#[derive(Debug, Args)]
pub struct Bake2dArgs {
    /// The plan: a Moving AI map, the YAML file of a ROS occupancy map, an SVG picture or a GeoJSON file.
    pub plan: PathBuf,
    /// File to write the mesh to.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// World units in one unit of the plan: a cell of a Moving AI map is one unit.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub scale: f64,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Settings; those of slopes, heights, climbs, regions and detail have no use here.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// When small islands are dropped.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Islands {
    /// Before regions merge: an island of several basins stays.
    #[default]
    BeforeMerging,
    /// After regions have merged.
    AfterMerging,
}

impl From<Islands> for IslandRule {
    fn from(islands: Islands) -> IslandRule {
        match islands {
            Islands::BeforeMerging => IslandRule::BeforeMerging,
            Islands::AfterMerging => IslandRule::AfterMerging,
        }
    }
}

/// Arguments of `path`.
#[derive(Debug, Args)]
pub struct PathArgs {
    /// The mesh, as `bake` writes it.
    pub file: PathBuf,
    /// Where the path starts.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub from: [f64; 3],
    /// Where it leads.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub to: [f64; 3],
    /// Search
    #[command(flatten)]
    pub search: SearchArgs,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// How paths are searched.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// How far the ends may lie from the mesh along x, y and z.
    #[arg(long, value_name = "X,Y,Z", value_parser = point)]
    pub extents: Option<[f64; 3]>,
    /// The price of an area, as AREA=COST; may be given many times. `inf` forbids the area.
    #[arg(long, value_name = "AREA=COST", value_parser = area_cost)]
    pub cost: Vec<(u8, f64)>,
    /// Use only polygons with at least one of these flags.
    #[arg(long, value_name = "BITS", value_parser = bits)]
    pub include: Option<u16>,
    /// Use no polygon with any of these flags.
    #[arg(long, value_name = "BITS", value_parser = bits)]
    pub exclude: Option<u16>,
    /// What a node of the search stands for.
    #[arg(long, value_enum, default_value_t)]
    pub model: Model,
    /// How the tiles are linked where their edges part in height: hilly ground wants `somewhere`.
    #[arg(long, value_enum, default_value_t)]
    pub portals: Portals,
}

/// Where along the part that two tiles' edges share their heights must be within the climb.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Portals {
    /// All along it.
    #[default]
    Throughout,
    /// Anywhere on it.
    Somewhere,
}

/// What a node of the search stands for.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Model {
    /// A polygon.
    #[default]
    Polygon,
    /// A crossing of two polygons' shared edge.
    Crossing,
}

/// Arguments of `view`.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The mesh, as `bake` writes it.
    pub file: PathBuf,
    /// The picture to write; its ending, .svg or .png, says which kind.
    #[arg(short, long, value_name = "PICTURE")]
    pub output: PathBuf,
    /// Draw a path from here.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "to")]
    pub from: Option<[f64; 3]>,
    /// Draw a path to here.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true, requires = "from")]
    pub to: Option<[f64; 3]>,
    /// The level to draw behind the mesh, an OBJ file.
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<PathBuf>,
    /// Seen from where.
    #[arg(long, value_enum, default_value_t)]
    pub side: Side,
    /// Search
    #[command(flatten)]
    pub search: SearchArgs,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Where a picture is seen from.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Side {
    /// From straight above.
    #[default]
    Top,
    /// From the southwest and above.
    Slanted,
    /// Both, side by side.
    Both,
}

/// Arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// A saved mesh (ONNM or ONPM), tile (ONPT), snapshot (ONPS), crowd (OPCS) or state of a grid (OPGS).
    pub file: PathBuf,
    /// The mesh that a tile was built for, that a crowd walks, or whose tiles a snapshot names.
    #[arg(long, value_name = "MESH")]
    pub of: Option<PathBuf>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    pub json: bool,
}

/// Three numbers with commas between them.
pub fn point(text: &str) -> Result<[f64; 3], String> {
    numbers(text)
}

/// Numbers with commas between them.
pub fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let parts: Result<Vec<f64>, String> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|_| format!("{:?} is no number", part.trim())))
        .collect();
    let parts = parts?;
    let count = parts.len();
    parts.try_into().map_err(|_| format!("{N} numbers with commas between them are wanted, not {count}"))
}

fn area_cost(text: &str) -> Result<(u8, f64), String> {
    let (area, cost) = text.split_once('=').ok_or("an area, an equals sign and a cost are wanted, as 3=10")?;
    let area = area.trim().parse().map_err(|_| format!("{area:?} is no area"))?;
    let cost = cost.trim().parse().map_err(|_| format!("{cost:?} is no cost"))?;
    Ok((area, cost))
}

/// Sixteen bits, in decimal or, after 0x, in hexadecimal.
pub fn bits(text: &str) -> Result<u16, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("{text:?} is no number of 16 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn points_and_costs_read_as_written() {
        assert_eq!(point("1,-2.5, 3e2"), Ok([1.0, -2.5, 300.0]));
        assert_eq!(point("1,2").unwrap_err(), "3 numbers with commas between them are wanted, not 2");
        assert_eq!(point("1,x,2").unwrap_err(), "\"x\" is no number");
        assert_eq!(area_cost("3=10"), Ok((3, 10.0)));
        assert_eq!(area_cost("3=inf"), Ok((3, f64::INFINITY)));
        assert_eq!((bits("0x10"), bits("7")), (Ok(16), Ok(7)));
        assert!(bits("70000").is_err() && area_cost("3").is_err());
    }

    #[test]
    fn a_negative_point_is_no_flag() {
        let line = ["navarena", "path", "mesh", "--from", "-1,0,-2", "--to", "-3,-4,-5"];
        let arguments = Arguments::try_parse_from(line).unwrap();
        assert!(matches!(arguments.command, Command::Path(PathArgs { to: [-3.0, -4.0, -5.0], .. })));
    }
}
