//! What a test does on the page of `docs/demo`, without the page: the hash that a browser shows is this line's.

use navarena::error::Result;
use navarena::memory::{Arena, Ruler};
use navarena_page::{BYTES, Page, SCRIPT};

use crate::level::region;
use crate::record::{Record, Scenario};

pub const SCENARIOS: &[Scenario] = &[Scenario { name: "page/script", run: script }];

fn script(record: &mut Record<'_>) -> Result<()> {
    let mut memory = region(Ruler::new().array::<u8>(BYTES).plan());
    let mut page = Page::new(&mut Arena::new(&mut memory))?;
    record.count(page.state_hash()?);
    SCRIPT.iter().try_for_each(|&action| page.act(action, &mut |word| record.count(word)))
}
