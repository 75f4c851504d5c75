#!/usr/bin/env bash
# Runs the robot's firmware on both boards and compares what it prints with the desktop's, line by line.
# No part's stack may be deeper than 8 KiB.
set -euo pipefail
cd "$(dirname "$0")/.."

CROSS=$PWD/target/cross
OUT=target/robot
STACK=8192
mkdir -p "$OUT"

cargo run --quiet --package navarena-robot --example desktop >"$OUT/desktop.txt"
(cd tests/firmware && RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
    RUSTFLAGS="-Clinker=ld.lld -Clinker-flavor=ld.lld -Clink-arg=-Tlink.x" \
    /usr/bin/cargo build --quiet --release -Zbuild-std=core,alloc --target thumbv7em-none-eabihf \
    --target-dir "$CROSS" --bin robot)

failed=0
for board in mps2-an386:cortex-m4 mps2-an500:cortex-m7; do
    machine=${board%:*}
    qemu-system-arm -machine "$machine" -cpu "${board#*:}" -nographic -semihosting-config enable=on,target=native \
        -kernel "$CROSS/thumbv7em-none-eabihf/release/robot" </dev/null >"$OUT/$machine.all" ||
        { cat "$OUT/$machine.all"; exit 1; }
    grep -v ', on the board: ' "$OUT/$machine.all" >"$OUT/$machine.txt"
    diff "$OUT/desktop.txt" "$OUT/$machine.txt" || { echo "$machine: not what the desktop prints"; failed=1; }
    while read -r line; do
        echo "$machine: $line"
        bytes=${line%% bytes}
        [ "${bytes##* }" -le "$STACK" ] || { echo "$machine: deeper than $STACK bytes"; failed=1; }
    done < <(grep ', on the board: ' "$OUT/$machine.all")
done
[ "$failed" = 0 ] && echo "equal: $(wc -l <"$OUT/desktop.txt") lines on the desktop and on both boards"
exit "$failed"
