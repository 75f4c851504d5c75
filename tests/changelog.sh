#!/usr/bin/env bash
# What is promised changes only with a word in the changelog: entries of CHANGELOG.md that carry a promise's fingerprint.
#
# An entry is a list item that begins with `Promise`, the promise's name and its fingerprint, each in back quotes after the
# first word: "- Promise `manifest` `1100..`: what changed, and why." The newest stands first.
#
#   tests/changelog.sh check PROMISE FINGERPRINT         the newest entry of the promise has this fingerprint
#   tests/changelog.sh permit PROMISE FINGERPRINT [NAME ..]
#       the same, and the entry stands in the newest section and names each NAME in back quotes, itself or by `PART/..`
set -euo pipefail
cd "$(dirname "$0")/.."

# The newest entry of a promise, on one line after the number of its section.
entry() {
    awk -v start="- Promise \`$1\` \`" '
        found && (/^- / || /^#/ || /^$/) { exit }
        /^## / { section++ }
        index($0, start) == 1 { found = 1; printf "%d ", section }
        found { sub(/^ +/, ""); printf "%s ", $0 }' CHANGELOG.md
}

# Whether an entry names a scenario or a module: itself, or by one of the parts that it lies in.
names() {
    local text=$1 part=$2
    [[ $text == *"\`$part\`"* ]] && return
    while [[ $part == */* ]]; do
        part=${part%/*}
        [[ $text == *"\`$part/..\`"* ]] && return
    done
    return 1
}

[ $# -ge 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 1; }
verb=$1 promise=$2 fingerprint=$3
shift 3
text=$(entry "$promise")
failed=0
complain() { echo "CHANGELOG.md: $1" >&2; failed=1; }

if [[ ${text#* } != "- Promise \`$promise\` \`$fingerprint\`"* ]]; then
    complain "the newest entry of \`$promise\` does not begin with: - Promise \`$promise\` \`$fingerprint\`"
elif [ "$verb" = permit ] && [ "${text%% *}" != 1 ]; then
    complain "the entry \`$promise\` \`$fingerprint\` does not stand in the newest section"
fi
if [ "$verb" = permit ]; then
    for name in "$@"; do
        names "$text" "$name" || complain "the newest entry of \`$promise\` does not name \`$name\`, which changes"
    done
fi
exit "$failed"
