//! The page's world: the mesh, two groups that walk on it, a path that is asked for, and what was saved.

use navarena::build2d::FloorBuilder;
use navarena::crowd::{AgentOptions, Crowd, CrowdDef};
use navarena::error::{Error, ErrorKind, Result, Subject};
use navarena::hash::Fnv1a;
use navarena::math::round_half_even;
use navarena::memory::{Arena, Ruler};
use navarena::mesh::{NavMesh, SnapshotMode, TileLibrary};
use navarena::query::{
    Circle, DEFAULT_EXTENTS, Filter, PathOutcome, Query, QueryDef, WallDistance, WallOptions, nearest_polygon,
};

use crate::floor::{FLOOR, MESH, TILE_BYTES, lay};
use crate::level::Pillars;

/// How many walk.
pub const AGENTS: usize = 24;
/// The time of a step.
const DT: f64 = 1.0 / 20.0;
/// Clicks mean the nearest corner of squares with this side, so that a click says the same on every screen: on a phone's a
/// unit is some eight pixels.
const CLICK: f64 = 0.5;
/// How far from a click a wall is looked for.
const WALL_RADIUS: f64 = 12.0;
/// Those who are sent to one place stand this far apart.
const APART: f64 = 1.75;

const CROWD: CrowdDef = CrowdDef { agents: AGENTS as u32, walls: 16, corridor: 64, ..CrowdDef::DEFAULT };
const WALKING: QueryDef = QueryDef { nodes: 512, ..CROWD.query() };
const ASKING: QueryDef = QueryDef { nodes: 512, corridor: 128, points: 64, ..QueryDef::DEFAULT };
const SOMEONE: AgentOptions =
    AgentOptions { radius: 0.4, max_speed: 3.0, arrival_radius: 0.5, ..AgentOptions::HUMANOID };
const SAVED_BYTES: usize = 96 << 10;

/// The bytes that a page takes.
pub const BYTES: usize = Ruler::new()
    .then(FLOOR.plan())
    .then(MESH.plan())
    .then(CROWD.plan())
    .then(WALKING.plan())
    .then(ASKING.plan())
    .array::<u8>(TILE_BYTES)
    .array::<u8>(SAVED_BYTES)
    .plan()
    .bytes;

/// One of the two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Those who begin on the left.
    Left = 0,
    /// Those who begin on the right.
    Right = 1,
}

/// What one does on the page. Places are x and z in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Sends a group somewhere.
    Send(Group, [f64; 2]),
    /// Asks for the path from where the last one led, and for the wall nearest to its end.
    Path([f64; 2]),
    /// Puts up a pillar, or takes away the one that stands there.
    Pillar([f64; 2]),
    /// Lets everybody walk some steps of a twentieth of a second.
    Walk(u32),
    /// Saves mesh, pillars and crowd.
    Save,
    /// Goes back to what was saved.
    RollBack,
}

/// The path that was asked for last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) from: [f64; 3],
    pub(crate) to: [f64; 3],
    pub(crate) outcome: PathOutcome,
    pub(crate) wall: WallDistance,
}

/// What was saved: so many bytes, and the pillars of that moment.
#[derive(Clone, Copy, Debug)]
struct Saved {
    bytes: usize,
    pillars: Pillars,
}

/// The page's world.
#[derive(Debug)]
pub struct Page<'m> {
    builder: FloorBuilder<'m>,
    pub(crate) mesh: NavMesh<'m>,
    pub(crate) crowd: Crowd<'m>,
    walking: Query<'m>,
    pub(crate) asking: Query<'m>,
    tile_bytes: &'m mut [u8],
    saved_bytes: &'m mut [u8],
    saved: Option<Saved>,
    pub(crate) pillars: Pillars,
    pub(crate) asked: Option<Asked>,
    region_used: usize,
}

impl<'m> Page<'m> {
    /// Builds the floor, and sends the groups to each other's side.
    ///
    /// # Errors
    /// Memory: an arena with fewer than [`BYTES`] left.
    pub fn new(arena: &mut Arena<'m>) -> Result<Self> {
        let mut page = Page {
            builder: FloorBuilder::new(&FLOOR, arena)?,
            mesh: NavMesh::new(&MESH, arena)?,
            crowd: Crowd::new(&CROWD, arena)?,
            walking: Query::new(&WALKING, arena)?,
            asking: Query::new(&ASKING, arena)?,
            tile_bytes: arena.take(TILE_BYTES)?,
            saved_bytes: arena.take(SAVED_BYTES)?,
            saved: None,
            pillars: Pillars::default(),
            asked: None,
            region_used: 0,
        };
        page.region_used = arena.high_water();
        lay(&page.pillars, &mut page.builder, &mut page.mesh, page.tile_bytes)?;
        for number in 0..AGENTS {
            let side = if number % 2 == 0 { 6.0 } else { 41.0 };
            let [x, z] = spread(number / 2);
            page.crowd.add(&page.mesh, [side + x, 0.0, 27.75 + z], &SOMEONE, &Filter::ALL)?;
        }
        page.send(Group::Left, [44.5, 8.0])?;
        page.send(Group::Right, [6.25, 17.25])?;
        Ok(page)
    }

    /// Does something, and tells every number that it comes to: after each step and each action the state's hash, and of a
    /// path its length and how near the wall is.
    ///
    /// # Errors
    /// A place off the floor for a pillar, or too far off for a path or a destination; a limit; nothing saved that one could
    /// go back to. All leave the page as it was.
    pub fn act(&mut self, action: Action, tell: &mut dyn FnMut(u64)) -> Result<()> {
        match action {
            Action::Send(group, to) => self.send(group, clicked(to))?,
            Action::Path(to) => {
                let asked = self.ask(clicked(to))?;
                tell(asked.outcome.length.to_bits());
                tell(asked.wall.distance.to_bits());
            }
            Action::Pillar(at) => self.turn_pillar(clicked(at))?,
            Action::Walk(steps) => {
                for _ in 0..steps {
                    self.crowd.step(&self.mesh, &mut self.walking, &Filter::ALL, DT)?;
                    tell(self.state_hash()?);
                }
                return Ok(());
            }
            Action::Save => self.save()?,
            Action::RollBack => self.roll_back()?,
        }
        tell(self.state_hash()?);
        Ok(())
    }

    /// The hash of the mesh's and the crowd's saved bytes.
    ///
    /// # Errors
    /// None: the mesh has nothing that can't be saved.
    pub fn state_hash(&self) -> Result<u64> {
        let mut hash = Fnv1a::new();
        self.mesh.write_snapshot(SnapshotMode::Full, &mut hash)?;
        self.crowd.write_state(&self.mesh, &mut hash);
        Ok(hash.finish())
    }

    fn send(&mut self, group: Group, [x, z]: [f64; 2]) -> Result<()> {
        for place in 0..AGENTS / 2 {
            let [beside, behind] = spread(place);
            let slot = place * 2 + group as usize;
            let agent = self.crowd.agents().nth(slot).map(|agent| agent.id());
            if let Some(agent) = agent {
                let to = [x + beside, 0.0, z + behind];
                self.crowd.set_destination(&self.mesh, &mut self.walking, agent, to, &Filter::ALL)?;
            }
        }
        Ok(())
    }

    fn ask(&mut self, [x, z]: [f64; 2]) -> Result<Asked> {
        let from = self.asked.map_or([24.0, 0.0, 28.0], |asked| asked.to);
        let asked = self.answer(from, [x, 0.0, z])?;
        self.asked = Some(asked);
        Ok(asked)
    }

    fn answer(&mut self, from: [f64; 3], to: [f64; 3]) -> Result<Asked> {
        let wall = match nearest_polygon(&self.mesh, to, DEFAULT_EXTENTS, &Filter::ALL)? {
            Some(nearest) => {
                let circle = Circle { polygon: nearest.polygon, center: nearest.point, radius: WALL_RADIUS };
                self.asking.find_wall_distance(&self.mesh, circle, &Filter::ALL, WallOptions::ALL)?
            }
            None => WallDistance::default(),
        };
        let outcome = self.asking.find_path(&self.mesh, from, to, &Filter::ALL)?;
        Ok(Asked { from, to, outcome, wall })
    }

    /// The path that is drawn belongs to the mesh: it is asked for again when that has changed.
    fn answer_again(&mut self) -> Result<()> {
        if let Some(Asked { from, to, .. }) = self.asked {
            self.asked = Some(self.answer(from, to)?);
        }
        Ok(())
    }

    fn turn_pillar(&mut self, at: [f64; 2]) -> Result<()> {
        let mut pillars = self.pillars;
        pillars.turn(at)?;
        lay(&pillars, &mut self.builder, &mut self.mesh, self.tile_bytes)?;
        self.pillars = pillars;
        self.answer_again()
    }

    fn save(&mut self) -> Result<()> {
        let size = self.crowd.state_size_with_mesh(&self.mesh, SnapshotMode::Full);
        if size > self.saved_bytes.len() {
            return Err(Error::capacity(Subject::Bytes, self.saved_bytes.len()).value(size as f64));
        }
        let bytes = self.crowd.save_state_with_mesh(&self.mesh, SnapshotMode::Full, self.saved_bytes)?;
        self.saved = Some(Saved { bytes, pillars: self.pillars });
        Ok(())
    }

    fn roll_back(&mut self) -> Result<()> {
        let saved = self.saved.ok_or(Error::new(ErrorKind::State, Subject::State))?;
        let bytes = &self.saved_bytes[..saved.bytes];
        self.crowd.restore_state_with_mesh(&mut self.mesh, bytes, &TileLibrary::new(&mut []))?;
        self.pillars = saved.pillars;
        self.answer_again()
    }

    pub(crate) fn nodes_used(&self) -> u32 {
        self.asking.high_water().nodes.max(self.walking.high_water().nodes)
    }

    /// Bytes: of the region, of the mesh, the crowd and the queries, what the builder used at most, and the saved state's.
    pub(crate) fn bytes(&self) -> [usize; 6] {
        let queries = WALKING.plan().bytes + ASKING.plan().bytes;
        let saved = self.saved.map_or(0, |saved| saved.bytes);
        [self.region_used, MESH.plan().bytes, CROWD.plan().bytes, queries, self.builder.high_water(), saved]
    }
}

fn clicked(at: [f64; 2]) -> [f64; 2] {
    at.map(|part| round_half_even(part / CLICK) * CLICK)
}

/// Where the member of a group stands, seen from where the group is sent: rows of four.
fn spread(place: usize) -> [f64; 2] {
    [((place % 4) as f64 - 1.5) * APART, ((place / 4) as f64 - 1.0) * APART]
}
