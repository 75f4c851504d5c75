//! `navarena diff`: where two saved states part, in words.

use super::args::DiffArgs;
use super::{load, print};
use crate::failure::{Failure, Outcome};
use crate::fields::{Field, Format, fields};
use serde_json::json;
use std::path::Path;

/// Compares the states; different ones are a failure, so that a script sees it.
pub fn run(args: &DiffArgs) -> Outcome<()> {
    let [first, second] = [&args.first, &args.second].map(|path| load::bytes(path));
    let (first, second) = (first?, second?);
    let format = Format::of(&first);
    if Format::of(&second) != format {
        let [a, b] = [format, Format::of(&second)].map(Format::name);
        return Err(Failure::Other(format!("{} is a {a}, {} is a {b}", args.first.display(), args.second.display())));
    }
    let (ours, theirs) = (listed(&args.first, &first)?, listed(&args.second, &second)?);
    let Some(parting) = parting(&ours, &theirs) else {
        return match args.json {
            true => print(&json!({ "format": format.name(), "fields": ours.len(), "equal": true })),
            false => print(&format_args!("equal: {} fields of a {}", ours.len(), format.name())),
        };
    };
    let differing = ours.iter().zip(&theirs).filter(|(a, b)| a != b).count() + ours.len().abs_diff(theirs.len());
    if args.json {
        let value = |field: Option<&Field>| field.map(|field| field.value.to_string());
        print(&json!({
            "format": format.name(),
            "equal": false,
            "field": parting.name,
            "byte": parting.at,
            "first": value(parting.first),
            "second": value(parting.second),
            "differing_fields": differing,
        }))?;
    }
    Err(Failure::Other(parting.sentence(differing)))
}

fn listed(path: &Path, bytes: &[u8]) -> Outcome<Vec<Field>> {
    fields(bytes).map_err(|at| Failure::Other(format!("{}: broken off or not a state, at byte {at}", path.display())))
}

/// The first field in which two states differ.
struct Parting<'a> {
    name: &'a str,
    at: usize,
    first: Option<&'a Field>,
    second: Option<&'a Field>,
}

fn parting<'a>(ours: &'a [Field], theirs: &'a [Field]) -> Option<Parting<'a>> {
    let at = (0..ours.len().max(theirs.len())).find(|&index| {
        let same = |a: &Field, b: &Field| a.name == b.name && a.value == b.value;
        !matches!((ours.get(index), theirs.get(index)), (Some(a), Some(b)) if same(a, b))
    })?;
    let (first, second) = (ours.get(at), theirs.get(at));
    let field = first.or(second)?;
    Some(Parting { name: &field.name, at: field.at, first, second })
}

impl Parting<'_> {
    fn sentence(&self, differing: usize) -> String {
        let (at, name) = (self.at, self.name);
        match (self.first, self.second) {
            (Some(a), Some(b)) if a.name == b.name => format!(
                "{name} differs, at byte {at}: {} in the first, {} in the second; {differing} fields differ in all",
                a.value, b.value
            ),
            (Some(_), Some(b)) => format!("at byte {at} the first has {name}, the second {}", b.name),
            (Some(_), None) => format!("the second ends before {name}, at byte {at}"),
            _ => format!("the first ends before {name}, at byte {at}"),
        }
    }
}
