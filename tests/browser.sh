#!/usr/bin/env bash
# Opens the demo's page (docs/demo) in headless Chromium, clicks, walks, saves and rolls back, and compares the hash that it shows
# with the line `page/script` of the committed manifest, x86-64's: once with the committed module, once with one built now.
# Pictures are left in target/demo. It wants Debian's `chromium`, what docs/demo/build.sh wants, and Node.js.
set -euo pipefail
cd "$(dirname "$0")/.."

FRESH=target/demo/fresh
mkdir -p "$FRESH"
cp docs/demo/index.html docs/demo/*.css docs/demo/*.js "$FRESH"
docs/demo/build.sh "$FRESH"
for page in docs/demo "$FRESH"; do
    echo "$page"
    node tests/browser/demo.mjs "$page" tests/hash-matrix.manifest "target/demo/pictures-of-$(basename "$page")"
done
echo equal
