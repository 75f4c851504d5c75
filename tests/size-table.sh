#!/usr/bin/env bash
# Builds the robot's firmware with some of its parts, at opt-level "s", and prints what each takes of flash and RAM as a table.
# Fails where a fence of flash is passed: 24 KiB for the grid and 256 KiB for everything, which are what is wanted, and 136 KiB
# for the mesh, where 64 KiB are wanted (docs/firmware.md says what the bytes are).
set -euo pipefail
cd "$(dirname "$0")/.."

CROSS=$PWD/target/cross
PROGRAM=$CROSS/thumbv7em-none-eabihf/small/parts

# Parts, separated by commas: builds them.
build() {
    (cd tests/firmware && RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        RUSTFLAGS="-Clinker=ld.lld -Clinker-flavor=ld.lld -Clink-arg=-Tlink.x" \
        /usr/bin/cargo build --quiet --profile small -Zbuild-std=core,alloc --target thumbv7em-none-eabihf \
        --target-dir "$CROSS" --bin parts --no-default-features --features "$1")
}

# The bytes of the sections whose names match.
bytes() { arm-none-eabi-size --format=sysv "$PROGRAM" | awk -v names="$1" '$1 ~ names { sum += $2 } END { print sum + 0 }'; }

failed=0
# NAME PARTS WANTED-KIB FENCE-KIB
row() {
    build "$2"
    local code constants flash ram
    code=$(bytes '^[.]text$')
    constants=$(bytes '^[.]rodata$')
    flash=$((code + constants + $(bytes '^[.](vector_table|data)$')))
    ram=$(bytes '^[.](data|bss)$')
    printf '| %s | %d | %d | %d | %d | %s |\n' "$1" "$flash" "$code" "$constants" "$ram" "${3:+$3 KiB}"
    if [ -n "$4" ] && [ "$flash" -gt $(($4 * 1024)) ]; then
        failed=1
    fi
}

echo '| firmware | flash, bytes | of it code | of it constants | static RAM, bytes | flash wanted |'
echo '|---|---|---|---|---|---|'
row 'nothing' '' '' ''
row 'grid: a map and D* Lite' map 24 24
row 'mesh: load and find paths' mesh 64 136
row 'crowd: eight agents on the mesh' crowd '' ''
row 'everything' map,mesh,crowd 256 256
[ "$failed" = 0 ] || { echo "a fence is passed"; exit 1; }
