#!/usr/bin/env bash
# A part of `make validate`: the timed replay stays within its bounds of a cycle simulator, and the committed rows are
# what the program computes. Skipped without the simulator's numbers.
. "$(dirname "$0")/lib.sh"

some=GTX480s,GTX480s-l16m8gto,GTX480s-l48m64lrr,RTX3070
try tests/validate/run --only "$some" "$WORK"
((status == 3)) && skip_all "the timed replay against a cycle simulator" "no reference"
expect "the sweeps run" 0
while IFS='|' read -r what of demanded found met; do
    if ((met)); then ok "$what: $found of $of"; else not_ok "$what" "of $of, demanded: $demanded, found: $found"; fi
done < <(sqlite3 "$WORK/validate.db" "SELECT what, of, demanded, found, met FROM checks WHERE number NOT IN (3, 4)
    ORDER BY number, what")
worst=$(sqlite3 "$WORK/validate.db" "SELECT printf('%s launch %d on %s: %.1f and %.1f points', trace, launch, config,
    miss_error, miss_pending_error) FROM rate_errors WHERE max(abs(miss_error), abs(miss_pending_error)) > 5")
same "no rate of an L1 is off by more than 5 points" "" "$worst"
worst=$(sqlite3 "$WORK/validate.db" "SELECT printf('%s launch %d on %s: %.1f %%', trace, launch, config, cycles_error_percent)
    FROM validation WHERE warp_instructions_ref >= 5000 AND abs(cycles_error_percent) > 30")
same "no launch is off by more than 30 % of its cycles" "" "$worst"

others=$(awk -F, 'NR > 1 && $(NF - 2) != $(NF - 1) + 1' tests/validation.csv)
has "README.md tells that cycles are equal" "$(tr '\n' ' ' <README.md)" "All take its cycles but for the one in which it notices the end"
same "so they are" "" "$others"

# The same rows of the committed file must be equal.
grep -E ",(${some//,/|})," tests/validation.csv >"$WORK/committed"
tail -n +2 "$WORK/validation.csv" >"$WORK/computed"
if difference=$(diff "$WORK/committed" "$WORK/computed"); then
    ok "tests/validation.csv: $(wc -l <"$WORK/computed") launches are as committed"
else
    not_ok "tests/validation.csv is what the program computes (make validate)" "$(head -n 10 <<<"$difference")"
fi
finished
