//! The `navarena` program.

fn main() {
    println!("navarena {}", env!("CARGO_PKG_VERSION"));
}
