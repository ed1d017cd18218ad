#!/usr/bin/env bash
# The manifest of the bundled traces is that of the files.
. "$(dirname "$0")/lib.sh"

manifest=$(traces/capture/manifest)
same "every line of the manifest stands in traces/README.md" "$manifest" "$(grep -Fx -e "$manifest" traces/README.md)"
same "every trace is in the manifest" "$(find traces -name "*.wst" | wc -l)" \
    "$(grep -cE '^\| [a-z0-9]+ \| [0-9a-f]{32} ' <<<"$manifest")"
