#!/usr/bin/env bash
# The program computes the results in tests/golden. After an intended change: make golden, git diff.
. "$(dirname "$0")/lib.sh"

mkdir "$WORK/golden"
try tests/golden/compute "$WORK/golden"
expect "the golden sweeps run" 0
same "there is a file for each view that has rows" "" \
    "$(diff <(cd tests/golden && printf '%s\n' *.csv) <(cd "$WORK/golden" && printf '%s\n' *.csv))"
for file in tests/golden/*.csv; do
    [[ -e $file ]] || continue
    name=$(basename "$file")
    rows=$(wc -l <"$file")
    if difference=$(diff "$file" "$WORK/golden/$name"); then
        ok "$name: $rows rows are as before"
    else
        not_ok "$name: rows are as before" "$(head -n 10 <<<"$difference")"
    fi
done
finished
