//! What the page of `docs/demo` does with the library, without a heap: a floor plan becomes a mesh, two groups cross it, whoever
//! looks on sends them, asks for paths and puts up pillars, saves and goes back.
//!
//! `docs/demo/wasm` makes this a WebAssembly module for the page. The scenario `page/script` of the hash matrix does the
//! [`SCRIPT`], which a test also does in a browser by mouse: the hash that the page shows then is the scenario's.
//!
//! ```
//! use navarena::memory::{Arena, Memory};
//! use navarena_page::{Action, BYTES, Page};
//! let mut region = Box::new(Memory::<BYTES>::new());
//! let mut words = 0;
//! let mut page = Page::new(&mut Arena::new(region.grains()))?;
//! page.act(Action::Walk(10), &mut |_word| words += 1)?;
//! assert_eq!(words, 10);
//! # Ok::<(), navarena::error::Error>(())
//! ```

#![no_std]

#[cfg(test)]
extern crate std;

mod floor;
mod level;
mod page;
mod script;
mod views;

#[cfg(test)]
mod tests;

pub use level::{MAX_PILLARS, SIZE};
pub use page::{AGENTS, Action, BYTES, Group, Page};
pub use script::SCRIPT;
pub use views::Numbers;
