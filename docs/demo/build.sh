#!/usr/bin/env bash
# Builds the page's module and writes `world.js` with it and with the hash that the script must come to: into this folder, or
# into another one that is named. It wants Debian's `rustc-web`, `cargo-web`, `rust-web-src` and `lld`, and no network.
set -euo pipefail
cd "$(dirname "$0")/../.."

OUT=${1:-docs/demo}
TARGET=wasm32-unknown-unknown
CROSS=$PWD/target/cross
MODULE=$CROSS/$TARGET/release/navarena_page_wasm.wasm

# Without places in sources: the module is the same wherever it is built, and smaller.
(cd docs/demo/wasm && RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zlocation-detail=none -Cstrip=symbols" \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
    /usr/bin/cargo build --quiet --release -Zbuild-std=core --target "$TARGET" --target-dir "$CROSS")

PROMISED=$(sed -n 's/ page\/script$//p' tests/hash-matrix.manifest)
[ -n "$PROMISED" ] || { echo "the manifest has no line page/script"; exit 1; }
mkdir -p "$OUT"
{
    echo '// Made by docs/demo/build.sh: the module, packed by gzip, in base64, and what its script comes to on x86-64.'
    echo "const PROMISED = \"$PROMISED\";"
    echo "const WORLD = \"$(gzip -9 --no-name --stdout "$MODULE" | base64 --wrap=0)\";"
} >"$OUT/world.js"
echo "$OUT/world.js: a module of $(stat --format=%s "$MODULE") bytes"
