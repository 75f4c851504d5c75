//! Prints this machine's manifest: the smallest program for machines that have an operating system.

use navarena_matrix::{Alone, Failed, manifest};

fn main() -> Result<(), Failed> {
    manifest("", &Alone, &mut |line| println!("{line}"))
}
