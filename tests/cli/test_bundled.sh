#!/usr/bin/env bash
# The manifest in traces/README.md is that of the bundled traces; and what they hold.
. "$(dirname "$0")/lib.sh"

manifest=$(traces/capture/manifest)
same "every line of the manifest stands in traces/README.md" "$manifest" "$(grep -Fx -e "$manifest" traces/README.md)"
same "every trace is in the manifest" "$(find traces -name "*.wst" | wc -l)" \
    "$(grep -cE '^\| [a-z0-9_-]+ \| [0-9a-f]{32} ' <<<"$manifest")"

# ---- operand values and index loads

try "$W" info traces/atax.wst
has "info lists what a trace holds" "$out" "with registers, source lines, operand values, index loads"
try "$W" info --json traces/atax.wst
same "info --json lists it, too" '["registers","source_line","values","index_flow"]' \
    "$(tr -d ' \n' <<<"$out" | grep -oE '"features":[^]]*\]' | cut -d: -f2)"

# instructions TRACE OPCODE COUNT: prints pc, access without addresses, results and sources of the first COUNT
# executions of OPCODE, which are those of warp 0.
instructions() {
    "$W" dump "$1" 2>/dev/null | awk -v opcode="$2" -v count="$3" '
        !/^#/ && $6 == opcode { print $4, $10, $12, $13; if (++n == count) exit }'
}
same "the counter of a loop, and its end" $'0016 - 1 0,1\n0016 - 2 1,1\n0016 - 3 2,1' \
    "$(instructions traces/atax.wst add.i32 6 | grep '^0016')"
same "the kernel's arguments are sources" "0002 - 1 *,f00" "$(instructions traces/atax.wst icmp.i32 1)"
same "lanes that differ" "0000 - * *" "$(instructions traces/atax.wst call:get_global_id.i64 1)"
finished
