#!/usr/bin/env bash
# Counts the places in the robot's release firmware (tests/robot.sh builds it) that branch to a panic, by module.
# The count may only fall: that of all may not be above the committed one (docs/firmware.md says what they are), which an
# entry of the changelog gives too.
#
#   tests/panic-paths.sh            counts and compares
#   tests/panic-paths.sh list       lists the functions that have some
#   tests/panic-paths.sh promise    writes the committed counts anew, if the changelog gives that of all
set -euo pipefail
cd "$(dirname "$0")/.."

PROGRAM=target/cross/thumbv7em-none-eabihf/release/robot
PROMISE=tests/panic-paths.txt

# Branches to what panics: "COUNT FUNCTION", of all functions but the panic's own and the program round the robot.
functions() {
    arm-none-eabi-objdump --disassemble --demangle --no-show-raw-insn "$PROGRAM" | awk '
        /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); next }
        name ~ /^core::(panicking|slice::index::slice_index_fail|option|result|fmt)|^robot::|^main$|^cortex_m/ { next }
        /\tb/ && /<[^>]*(core::panicking::|_fail>|_failed>|_fail::|_failed::|mismatch_fail|panic_on_)/ { count[name]++ }
        END { for (name in count) print count[name], name }' | sort -k1,1nr -k2
}

# The same by module: "COUNT MODULE".
modules() {
    functions | awk '{
        count = $1
        sub(/^[0-9]+ /, "")
        gsub(/^[][<&]+(mut )?/, "")
        split($0, part, /::/)
        sub(/[^a-z0-9_].*/, "", part[2])
        of[part[1] "::" part[2]] += count
        total += count
    } END { for (module in of) print of[module], module; print total + 0, "all" }' | sort -k2
}

# The count of all in a list.
total() { sed -n 's/ all$//p' "$1"; }

case ${1:-compare} in
    compare)
        tests/changelog.sh check panics "$(total "$PROMISE")"
        modules | tee target/panic-paths.txt
        awk 'NR == FNR { known[$2] = $1; next }
            $2 == "all" && $1 > known[$2] { print "there were " known[$2]; failed = 1 }
            END { exit failed }' "$PROMISE" target/panic-paths.txt ;;
    list) functions ;;
    promise)
        modules | tee target/panic-paths.txt
        tests/changelog.sh permit panics "$(total target/panic-paths.txt)"
        cp target/panic-paths.txt "$PROMISE" ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 1 ;;
esac
