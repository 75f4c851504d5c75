#!/usr/bin/env bash
# Runs the robot's firmware with its figures logged by `defmt` under qemu, decodes the log, and compares the figures with what
# the desktop prints. A refused call must be logged as the library's own type. It wants `defmt-print`
# (`cargo install defmt-print`), and what tests/robot.sh wants.
set -euo pipefail
cd "$(dirname "$0")/.."

CROSS=$PWD/target/cross
OUT=target/robot
PROGRAM=$CROSS/thumbv7em-none-eabihf/release/logged
mkdir -p "$OUT"

(cd tests/firmware && RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 DEFMT_LOG=info \
    RUSTFLAGS="-Clinker=ld.lld -Clinker-flavor=ld.lld -Clink-arg=-Tlink.x -Clink-arg=-Tdefmt.x" \
    /usr/bin/cargo build --quiet --release -Zbuild-std=core,alloc --target thumbv7em-none-eabihf \
    --target-dir "$CROSS" --features defmt --bin logged)
qemu-system-arm -machine mps2-an386 -cpu cortex-m4 -nographic -semihosting-config enable=on,target=native \
    -kernel "$PROGRAM" </dev/null >"$OUT/defmt.bin"
"${DEFMT_PRINT:-defmt-print}" -e "$PROGRAM" --log-format '{s}' <"$OUT/defmt.bin" >"$OUT/defmt.txt"

# The desktop names the part and shows a number's bits too.
cargo run --quiet --package navarena-robot --example desktop | sed 's/^[a-z]*: //; s/ ([0-9a-f]*)$//' >"$OUT/figures.txt"
diff <(grep -v '^refused: ' "$OUT/defmt.txt") "$OUT/figures.txt"
grep '^refused: Err' "$OUT/defmt.txt"
echo "equal: $(wc -l <"$OUT/figures.txt") figures in the log and on the desktop"
