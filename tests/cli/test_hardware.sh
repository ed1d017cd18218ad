#!/usr/bin/env bash
# What the command counts in the bundled traces, held against a GPU's counters: equal, but where a row of
# tests/hardware/differences.csv says why. And the page that tells it is up to date.
. "$(dirname "$0")/lib.sh"

export W REPLAYED=${BUILD:-build/release}/tests/hardware/replayed
try tests/hardware/compare "$WORK"
expect "the traces are counted" 0
query() { sqlite3 -separator ' ' "$WORK/hardware.db" "$1"; }

same "every kernel that was measured is compared" "$(sed 1d tests/hardware.csv | cut -d, -f1,2 | sort)" \
    "$(query "SELECT DISTINCT trace || ',' || kernel FROM comparison" | sort)"
same "loads, stores, atomics and shared memory are" 23 "$(query "SELECT count(DISTINCT measure) FROM comparison")"
what="trace, kernel, measure, 'hardware:', hardware, 'ours:', ours"
same "no count differs without an explanation" "" "$(query "SELECT $what FROM differences WHERE explanation IS NULL")"
same "none by more than its explanation allows" "" \
    "$(query "SELECT $what FROM differences WHERE explanation IS NOT NULL AND (hardware = 0 OR abs(percent) > at_most_percent)")"
same "each has one explanation" "" \
    "$(query "SELECT $what FROM differences GROUP BY trace, kernel, measure HAVING count(*) > 1")"
same "each explanation explains something" "" \
    "$(query "SELECT * FROM explanation WHERE rowid NOT IN (SELECT explanation FROM differences WHERE reason IS NOT NULL)")"
same "the page says why" "$(query "SELECT DISTINCT '- *' || reason || '*' FROM explanation ORDER BY 1")" \
    "$(grep -oE '^- \*[a-z ]+\*' tests/hardware.md | sort)"

tests/hardware/page "$WORK" >"$WORK/hardware.md"
same "tests/hardware.md is what tests/hardware/page prints" "" "$(diff tests/hardware.md "$WORK/hardware.md" 2>&1 | head -n 10)"
kernels="count(DISTINCT trace || ',' || kernel)" of="WHERE measure GLOB 'load_*' OR measure GLOB 'store_*'"
same_accesses=$(query "SELECT (SELECT $kernels FROM comparison) - (SELECT $kernels FROM differences $of)")
has "README.md tells for how many kernels loads and stores are equal" "$(tr '\n' ' ' <README.md)" \
    "loads and stores of $same_accesses of $(query "SELECT $kernels FROM comparison") kernels"
finished
