//! The page's world as a WebAssembly module without imports and without a heap: all its memory is static.
//!
//! Every function takes and gives plain numbers. What is done gives 0, or 1 if it was refused, and then [`refusal`] says why.
//! What is more than a number is written into a buffer of floats: a function gives how many there are, and [`numbers`] where
//! they begin. There is no unsafe code; the attribute of the exported names is called unsafe.

#![no_std]

use core::fmt::{self, Write};
use navarena::error::Error;
use navarena::hash::Sha256;
use navarena::memory::{Arena, Memory};
use navarena_page::{Action, BYTES, Group, Numbers, Page, SCRIPT};
use spin::Mutex;
use static_cell::ConstStaticCell;

/// More than there is ever to be drawn.
const MOST_NUMBERS: usize = 8192;

static REGION: ConstStaticCell<Memory<BYTES>> = ConstStaticCell::new(Memory::new());
static NUMBERS: ConstStaticCell<[f64; MOST_NUMBERS]> = ConstStaticCell::new([0.0; MOST_NUMBERS]);
static WORLD: Mutex<Option<World>> = Mutex::new(None);

struct World {
    page: Page<'static>,
    /// Over every number that the page told since it began.
    run: Sha256,
    refused: Option<Error>,
    numbers: &'static mut [f64],
}

impl World {
    fn new() -> Option<World> {
        let (region, numbers) = (REGION.try_take()?, NUMBERS.try_take()?);
        let page = Page::new(&mut Arena::new(region.grains())).ok()?;
        let mut run = Sha256::new();
        run.update(&page.state_hash().ok()?.to_le_bytes());
        Some(World { page, run, refused: None, numbers })
    }

    fn write(&mut self, write: impl FnOnce(&World, &mut Numbers<'_>)) -> u32 {
        let numbers = core::mem::take(&mut self.numbers);
        let mut out = Numbers::new(numbers);
        write(self, &mut out);
        let count = out.count();
        self.numbers = numbers;
        count as u32
    }
}

/// Does something with the world; the other value where it was not begun.
fn with_world<R>(otherwise: R, work: impl FnOnce(&mut World) -> R) -> R {
    WORLD.lock().as_mut().map_or(otherwise, work)
}

fn act(action: Action) -> u32 {
    with_world(1, |world| {
        let run = &mut world.run;
        world.refused = world.page.act(action, &mut |word| run.update(&word.to_le_bytes())).err();
        u32::from(world.refused.is_some())
    })
}

/// Begins; once.
#[unsafe(no_mangle)]
pub extern "C" fn begin() -> u32 {
    let mut world = WORLD.lock();
    if world.is_none() {
        *world = World::new();
    }
    u32::from(world.is_none())
}

/// Sends a group somewhere: 0 is that which begins on the left, 1 the other.
#[unsafe(no_mangle)]
pub extern "C" fn send(group: u32, x: f64, z: f64) -> u32 {
    act(Action::Send(if group == 0 { Group::Left } else { Group::Right }, [x, z]))
}

/// Asks for the path from where the last one led.
#[unsafe(no_mangle)]
pub extern "C" fn path(x: f64, z: f64) -> u32 {
    act(Action::Path([x, z]))
}

/// Puts up a pillar, or takes it away.
#[unsafe(no_mangle)]
pub extern "C" fn pillar(x: f64, z: f64) -> u32 {
    act(Action::Pillar([x, z]))
}

/// Lets everybody walk some steps.
#[unsafe(no_mangle)]
pub extern "C" fn walk(steps: u32) -> u32 {
    act(Action::Walk(steps))
}

/// Saves.
#[unsafe(no_mangle)]
pub extern "C" fn save() -> u32 {
    act(Action::Save)
}

/// Goes back to what was saved.
#[unsafe(no_mangle)]
pub extern "C" fn roll_back() -> u32 {
    act(Action::RollBack)
}

/// The state's hash.
#[unsafe(no_mangle)]
pub extern "C" fn state_hash() -> u64 {
    with_world(0, |world| world.page.state_hash().unwrap_or(0))
}

/// A quarter, 0 to 3, of the SHA-256 over all that was told since the beginning: after the script it is the line
/// `page/script` of the hash matrix.
#[unsafe(no_mangle)]
pub extern "C" fn run_hash(quarter: u32) -> u64 {
    with_world(0, |world| {
        let hash = world.run.clone().finish();
        hash.chunks_exact(8)
            .nth(quarter as usize)
            .map_or(0, |bytes| bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    })
}

/// Where the buffer begins.
#[unsafe(no_mangle)]
pub extern "C" fn numbers() -> *const f64 {
    with_world(core::ptr::null(), |world| world.numbers.as_ptr())
}

/// The rings of the walls.
#[unsafe(no_mangle)]
pub extern "C" fn walls() -> u32 {
    with_world(0, |world| world.write(|world, out| world.page.draw_walls(out)))
}

/// The rings of the pillars.
#[unsafe(no_mangle)]
pub extern "C" fn pillars() -> u32 {
    with_world(0, |world| world.write(|world, out| world.page.draw_pillars(out)))
}

/// The mesh's polygons.
#[unsafe(no_mangle)]
pub extern "C" fn polygons() -> u32 {
    with_world(0, |world| world.write(|world, out| world.page.draw_polygons(out)))
}

/// Those who walk.
#[unsafe(no_mangle)]
pub extern "C" fn agents() -> u32 {
    with_world(0, |world| world.write(|world, out| world.page.draw_agents(out)))
}

/// The path that was asked for.
#[unsafe(no_mangle)]
pub extern "C" fn path_drawn() -> u32 {
    with_world(0, |world| world.write(|world, out| world.page.draw_path(out)))
}

/// Bytes and other counts.
#[unsafe(no_mangle)]
pub extern "C" fn figures() -> u32 {
    with_world(0, |world| world.write(|world, out| world.page.figures(out)))
}

/// What the script does, four numbers an action: its kind, in the order of the functions here from [`send`] on; a group or a
/// count of steps; x and z.
#[unsafe(no_mangle)]
pub extern "C" fn script() -> u32 {
    with_world(0, |world| {
        world.write(|_, out| {
            for &action in SCRIPT {
                out.add(match action {
                    Action::Send(group, [x, z]) => [0.0, f64::from(group as u8), x, z],
                    Action::Path([x, z]) => [1.0, 0.0, x, z],
                    Action::Pillar([x, z]) => [2.0, 0.0, x, z],
                    Action::Walk(steps) => [3.0, f64::from(steps), 0.0, 0.0],
                    Action::Save => [4.0, 0.0, 0.0, 0.0],
                    Action::RollBack => [5.0, 0.0, 0.0, 0.0],
                });
            }
        })
    })
}

/// Why the last thing was refused, a number a character; none if it was done.
#[unsafe(no_mangle)]
pub extern "C" fn refusal() -> u32 {
    with_world(0, |world| {
        world.write(|world, out| {
            if let Some(error) = world.refused {
                // Characters are always taken.
                let _ = write!(Characters(out), "{error}");
            }
        })
    })
}

struct Characters<'o, 'n>(&'o mut Numbers<'n>);

impl Write for Characters<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().for_each(|character| self.0.add([f64::from(character as u32)]));
        Ok(())
    }
}

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
