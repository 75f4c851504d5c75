#!/usr/bin/env bash
# The hash matrix: the same scenarios built and run for every column, and their manifests compared (docs/hash-matrix.md).
#
#   tests/hash-matrix.sh columns              lists the columns
#   tests/hash-matrix.sh run [COLUMN ..]      builds and runs columns (all of them without a name)
#   tests/hash-matrix.sh compare [COLUMN ..]  compares their manifests and the committed one, line by line
#   tests/hash-matrix.sh all [COLUMN ..]      both
#   tests/hash-matrix.sh promised             whether the newest entry of the changelog is about the committed manifest
#   tests/hash-matrix.sh promise              writes the committed manifest anew, from the column `release`, if the
#                                             changelog names what changes
set -euo pipefail
cd "$(dirname "$0")/.."

COLUMNS=(release debug threads-8 aarch64 wasm32 cortex-m4f cortex-m7 cortex-m3)
OUT=target/hash-matrix
PROMISE=tests/hash-matrix.manifest
CROSS=$PWD/target/cross
mkdir -p "$OUT"

native() { cargo run --quiet "${@:2}" --package navarena-tests --bin hash-matrix -- --threads "$1"; }

# Builds with the compiler whose library sources are there: TARGET LIBRARIES, then cargo's arguments.
build_for() {
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build --quiet --release -Zbuild-std="$2" --target "$1" \
        --target-dir "$CROSS" "${@:3}" >&2
}

# A board of qemu: TARGET BOARD CPU.
firmware() {
    (cd tests/firmware && RUSTFLAGS="-Clinker=ld.lld -Clinker-flavor=ld.lld -Clink-arg=-Tlink.x" \
        build_for "$1" core,alloc --bin matrix)
    qemu-system-arm -machine "$2" -cpu "$3" -nographic -semihosting-config enable=on,target=native \
        -kernel "$CROSS/$1/release/matrix" </dev/null
}

column() {
    case $1 in
        release) native 1 --release ;;
        debug) native 1 ;;
        threads-8) native 8 --release ;;
        aarch64)
            CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
                build_for aarch64-unknown-linux-gnu std,panic_abort --package navarena-matrix --example manifest
            qemu-aarch64 -L /usr/aarch64-linux-gnu "$CROSS/aarch64-unknown-linux-gnu/release/examples/manifest" ;;
        wasm32)
            (cd tests/wasm && CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld build_for wasm32-unknown-unknown std,panic_abort)
            node tests/wasm/run.mjs "$CROSS/wasm32-unknown-unknown/release/navarena_wasm.wasm" ;;
        cortex-m4f) firmware thumbv7em-none-eabihf mps2-an386 cortex-m4 ;;
        cortex-m7) firmware thumbv7em-none-eabihf mps2-an500 cortex-m7 ;;
        cortex-m3) firmware thumbv7m-none-eabi mps2-an385 cortex-m3 ;;
        *) echo "$1: no such column; there are ${COLUMNS[*]}" >&2; return 1 ;;
    esac
}

run_columns() {
    local name start
    for name in "$@"; do
        start=$SECONDS
        column "$name" >"$OUT/$name.manifest" || { echo "$name failed:"; tail -n 3 "$OUT/$name.manifest"; return 1; }
        echo "$name: $(tail -n 1 "$OUT/$name.manifest") ($((SECONDS - start)) s)"
    done
}

compare_columns() {
    cargo run --quiet --release --package navarena-tests --bin hash-matrix -- compare "$PROMISE" \
        "${@/#/$OUT/}" && echo equal
}

fingerprint() { sed -n 's/ manifest$//p' "$1"; }

# The scenarios whose lines two manifests do not share: changed, new and gone.
changed() { sort "$1" "$2" | uniq -u | sed -n '/ manifest$/d; s/^[^ ]* //p' | sort -u; }

promised() { tests/changelog.sh check manifest "$(fingerprint "$PROMISE")"; }

promise() {
    local new=$OUT/release.manifest names
    run_columns release
    mapfile -t names < <(changed "$PROMISE" "$new")
    tests/changelog.sh permit manifest "$(fingerprint "$new")" "${names[@]}" || return 1
    cp "$new" "$PROMISE"
}

main() {
    local verb=${1:-all}
    shift || true
    [ $# -gt 0 ] || set -- "${COLUMNS[@]}"
    case $verb in
        columns) printf '%s\n' "${COLUMNS[@]}" ;;
        run) run_columns "$@" ;;
        compare) compare_columns "${@/%/.manifest}" ;;
        all) run_columns "$@" && compare_columns "${@/%/.manifest}" ;;
        promised) promised ;;
        promise) promise ;;
        *) sed -n '2,11s/^# \{0,1\}//p' "$0"; return 1 ;;
    esac
}
main "$@"
