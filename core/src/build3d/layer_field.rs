//! One layer's own field: the spans of a tile that lie on one layer, with the links among them
//! (`build3d-runtime.md`, "Layer-first tiles").

use super::compact::{Compact, CompactSpan, NO_LINK};
use crate::error::Result;
use crate::memory::Arena;

/// Copies the spans of one layer into a field of their own at the arena's front.
///
/// Spans keep their order, floors, headroom and areas; a link to a span of another layer becomes none, so the layer's
/// contours see other layers as walls and its corner heights ignore them. Regions start at 0. `layers` has one element
/// a span of `field`, whose links must be mutual; the copy's are again. Linear in spans and columns.
pub fn layer_field<'a>(field: &Compact<'_>, layers: &[u16], layer: u16, arena: &mut Arena<'a>) -> Result<Compact<'a>> {
    let count = layers.iter().filter(|&&of| of == layer).count();
    let copy = Compact::again(field.frame, count, arena)?;
    let mut at = 0;
    for column in 0..field.frame.columns() {
        copy.firsts[column] = at as u32;
        let cell = field.firsts[column] as usize..field.firsts[column + 1] as usize;
        for span in cell.filter(|&span| layers[span] == layer) {
            copy.spans[at] = field.spans[span];
            copy.areas[at] = field.areas[span];
            copy.regions[at] = 0;
            at += 1;
        }
    }
    copy.firsts[field.frame.columns()] = at as u32;
    let mut at = 0;
    for z in 0..field.frame.depth {
        for x in 0..field.frame.width {
            let column = field.frame.column(x, z);
            let cell = field.firsts[column] as usize..field.firsts[column + 1] as usize;
            for span in cell.filter(|&span| layers[span] == layer) {
                copy.spans[at].links = own_links(field, layers, layer, span, x, z);
                at += 1;
            }
        }
    }
    Ok(copy)
}

/// A span's links with each index counted among the spans of its layer.
fn own_links(field: &Compact<'_>, layers: &[u16], layer: u16, span: usize, x: u32, z: u32) -> u32 {
    (0..4).fold(0, |links, dir| {
        let link = match field.linked(span, x, z, dir) {
            Some(to) if layers[to] == layer => {
                let first = to - CompactSpan::link(&field.spans[span], dir) as usize;
                layers[first..to].iter().filter(|&&of| of == layer).count() as u32
            }
            _ => NO_LINK,
        };
        links | link << (6 * dir)
    })
}
