#!/usr/bin/env bash
# tests/run counts what programs print, and takes one that ends early for a failure.
. "$(dirname "$0")/lib.sh"

# A folder with a test of each kind, whose first and last lines are these.
mkdir -p "$WORK/tests/cli" "$WORK/tests/unit" "$WORK/build/tests/unit"
cp tests/run "$WORK/tests"
cp tests/cli/lib.sh "$WORK/tests/cli"
touch "$WORK/tests/unit/test_program.c"
run_both() { # what the program prints, what the script runs
    printf '#!/bin/sh\nprintf "%s"\n' "$1" >"$WORK/build/tests/unit/test_program"
    printf '%s\n' '#!/usr/bin/env bash' '. "$(dirname "$0")/lib.sh"' "$2" >"$WORK/tests/cli/test_script.sh"
    chmod +x "$WORK/build/tests/unit/test_program" "$WORK/tests/cli/test_script.sh"
    try "$WORK/tests/run" build
}

run_both '1..2\nok 1 - a\nok 2 - b\n1..1\nok 1 - c\n' 'ok d; skip e "no reason"; finished'
expect "all tests that were planned" 0
has "are counted" "$out" "4 passed, 0 failed, 1 skipped"
run_both '1..2\nok 1 - a\nnot ok 2 # SKIP b\n' 'skip_all c "no reason"; ok d'
expect "tests that are skipped" 0
has "are no less than planned" "$out" "1 passed, 0 failed, 2 skipped"
run_both '1..2\nok 1 - a\n' 'ok b; finished'
expect "a program that ends early, but well" 1
has "is one failure" "$out" "2 passed, 1 failed, 0 skipped"
has "which says why" "$out" "build/tests/unit/test_program: exit status 0, 2 tests planned"
run_both '1..1\nok 1 - a\n' 'ok b; exit; finished'
expect "a script that ends early, but well" 1
has "is one failure, too" "$out" "tests/cli/test_script.sh: exit status 0, 0 tests planned"
run_both '1..2\nok 1 - a\nnot ok 2 - b\n' 'not_ok c; finished'
expect "tests that fail" 1
has "are counted once" "$out" "1 passed, 2 failed, 0 skipped"
run_both '' 'ok a; finished; exit 3'
expect "no test, and one that ends badly" 1
has "are a failure each" "$out" "1 passed, 2 failed, 0 skipped"
finished
