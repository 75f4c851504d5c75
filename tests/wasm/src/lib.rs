//! The hash matrix as a WebAssembly module without imports but one: `print`, which takes a line's address and length.

use navarena_matrix::{Alone, manifest};

/// Not the standard library's own: dlmalloc 0.2.11 ends the program by an assertion when memory aligned to 16 is given back.
// SAFETY: there is one thread.
#[global_allocator]
static ALLOCATOR: talc::TalckWasm = unsafe { talc::TalckWasm::new_global() };

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    fn print(text: *const u8, len: usize);
}

/// Prints the manifest; 0 when every scenario ran.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    // SAFETY: the host reads the line before it returns.
    let mut say = |line: &str| unsafe { print(line.as_ptr(), line.len()) };
    // SAFETY: as above.
    std::panic::set_hook(Box::new(|panic| unsafe {
        let text = panic.to_string();
        print(text.as_ptr(), text.len());
    }));
    match manifest("", &Alone, &mut say) {
        Ok(()) => 0,
        Err(failed) => {
            say(&failed.to_string());
            1
        }
    }
}
