#!/usr/bin/env bash
# What an overnight user relies on: after kill -9 of a worker or of the whole sweep, or Ctrl-C, the same command again
# completes the results, which are those of an undisturbed run with any number of workers.
. "$(dirname "$0")/lib.sh"
export WARPSWEEP_PLOTS=$PWD/plots WARPSWEEP_SWEEPS=$PWD/sweeps # a sanitized command lies elsewhere
MOMENTS=20
RANDOM=7 # the same moments each time

cat >"$WORK/s.json" <<'END'
{"name": "s", "traces": ["traces/bfs.wst", "traces/gemm.wst", "traces/transpose.wst"], "analysis": "window",
 "axes": {"window.size": [0, {"log2": [1, 256]}], "window.kind": ["fifo", "sliding"], "sm.scheduler": ["lrr", "gto"],
          "window.scope": ["warp", "sm"], "gpu.clusters": [2, 8]}}
END
results() { "$W" query "$WORK/$1.db" --csv "SELECT * FROM s ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9"; } # trace .. axes
# Starts a sweep in the background; its process is $sweeper.
start() { # database
    env --default-signal=HUP,INT "$W" sweep "$WORK/s.json" --db "$WORK/$1.db" -j 2 >/dev/null 2>>"$WORK/$1.log" &
    sweeper=$!
}
workers() { cat "/proc/$sweeper/task/$sweeper/children" 2>/dev/null; }
stored() { "$W" query "$WORK/stopped.db" --csv "SELECT count(*) FROM point" 2>/dev/null | tail -1; }
# Waits until the sweep has workers and has stored points: then further passes are in progress. A sweep that has ended
# before is started again from an empty database.
until_it_stores() {
    until [[ $(workers) ]] && (($(stored) + 0 > 0)); do
        kill -0 "$sweeper" 2>/dev/null && continue
        rm -f "$WORK/stopped.db"
        start stopped
    done
}
# Checks that the same command again completes a database.
resumes() { # database
    try "$W" sweep "$WORK/s.json" --db "$WORK/$1.db"
    expect "it resumes" 0
    if [[ $undisturbed == "$(results "$1")" ]]; then
        ok "and has all results"
    else
        not_ok "and has all results" "they differ"
    fi
}

try "$W" sweep "$WORK/s.json" --db "$WORK/one.db" -j 1
expect "one worker" 0
try "$W" sweep "$WORK/s.json" --db "$WORK/two.db" -j 2
expect "two workers" 0
undisturbed=$(results one)
same "as many rows as points" 2881 "$(wc -l <<<"$undisturbed")"
if [[ $undisturbed == "$(results two)" ]]; then
    ok "their number does not matter"
else
    not_ok "their number does not matter" "the results differ"
fi

# ---- kill -9
start killed
sweeps_killed=0 workers_killed=0
while ((sweeps_killed + workers_killed < MOMENTS)); do
    ((RANDOM % 2)) && victim=worker || victim=sweep
    while :; do
        sleep "0.$(printf '%03d' $((20 + RANDOM % 150)))"
        read -ra family <<<"$(workers)"
        if ! kill -0 "$sweeper" 2>/dev/null; then # sooner than we thought: from the start again
            wait "$sweeper" || break 2
            rm -f "$WORK/killed.db"
            start killed
        elif [[ $victim == sweep ]]; then
            kill -9 "$sweeper" && ((++sweeps_killed))
            wait "$sweeper" 2>/dev/null
            start killed
            break
        elif ((${#family[@]})) && kill -9 "${family[RANDOM % ${#family[@]}]}" 2>/dev/null; then
            ((++workers_killed))
            break
        fi
    done
done
wait "$sweeper"
same "a sweep after $workers_killed dead workers and $sweeps_killed dead sweeps ends well" 0 "$?"
has "it told of killed workers" "$(cat "$WORK/killed.log")" "the worker was killed by signal 9 (Killed), by somebody or"
if [[ $undisturbed == "$(results killed)" ]]; then
    ok "its results are those of an undisturbed one"
else
    not_ok "its results are those of an undisturbed one" "$(diff <(echo "$undisturbed") <(results killed) | head -5)"
fi
same "no point has failed" 0 "$("$W" query "$WORK/killed.db" --csv "SELECT count(*) FROM point WHERE status = 'failed'" | tail -1)"

# ---- Ctrl-C, and a terminal that goes away, from both the sweep and its workers
for signal in INT TERM HUP; do
    rm -f "$WORK/stopped.db"
    start stopped
    until_it_stores
    kill -STOP "$sweeper"
    try "$W" sweep "$WORK/s.json" --db "$WORK/stopped.db"
    expect "meanwhile a second sweep is refused" 1 "another sweep writes to this database"
    read -ra family <<<"$(workers)"
    kill -"$signal" "$sweeper" "${family[@]}"
    kill -CONT "$sweeper"
    wait "$sweeper"
    same "SIG$signal ends it with 130" 130 "$?"
    has "it says what it waits for" "$(cat "$WORK/stopped.log")" "will end and be stored; interrupt again to lose"
    has "it says how to go on" "$(tail -1 "$WORK/stopped.log")" "the same command resumes"
    same "its outcome is recorded" interrupted "$("$W" query "$WORK/stopped.db" --csv "SELECT outcome FROM run" | tail -1)"
    resumes stopped
done
rm -f "$WORK/stopped.db"
# nohup ignores SIGHUP, and a script SIGINT for what it starts in the background
nohup "$W" sweep "$WORK/s.json" --db "$WORK/stopped.db" -j 2 >/dev/null 2>&1 &
sweeper=$!
until [[ -s $WORK/stopped.db && $(workers) ]]; do sleep 0.01; done
read -ra family <<<"$(workers)"
kill -HUP "$sweeper" "${family[@]}"
kill -INT "$sweeper" "${family[@]}"
wait "$sweeper"
same "it goes on where these signals are ignored" 0 "$?"

# ---- before its first pass: a condition that looks at all triples of points would take days
cat >"$WORK/slow.json" <<'END'
{"name": "slow", "traces": "traces/transpose.wst", "analysis": "window", "axes": {"window.size": {"range": [1, 10000]}},
 "where": "window_size >= (SELECT count(*) FROM point a, point b, point c WHERE a.window_size = c.window_size)"}
END
for signal in INT TERM; do
    env --default-signal=INT "$W" sweep "$WORK/slow.json" --db "$WORK/slow.db" >/dev/null 2>"$WORK/slow.log" &
    process=$!
    sleep 1
    kill -"$signal" "$process"
    wait "$process"
    same "SIG$signal ends a sweep that is planned with 130" 130 "$?"
    has "it says so" "$(cat "$WORK/slow.log")" "stopped before the first point"
    same "and nothing is there" "" "$(ls "$WORK"/slow.db* 2>/dev/null)"
done

# ---- a signal that ends a command leaves nothing half-written
mkdir "$WORK/half" "$WORK/bin"
printf '#!/bin/sh\nread line || exit 0\necho $$ >"$0.process"\nexec sleep 10\n' >"$WORK/bin/gnuplot"
chmod +x "$WORK/bin/gnuplot"
echo "SELECT 'p' AS panel, 's' AS series, 1 AS x, 2 AS y" >"$WORK/figure.sql"
mkdir "$WORK/figures" && cp plots/curves.gp "$WORK/figures/held.gp"
echo "SELECT 'p' AS panel, 's' AS series, 1 AS x, 2 AS y FROM s" >"$WORK/figures/held.sql"
half() { ls "$WORK/half"; }
begin() { # command; its process is $process
    TMPDIR=$WORK/half env --default-signal=INT,HUP "$@" >/dev/null 2>"$WORK/half.log" </dev/null &
    process=$!
}
# Starts characterize without --db, so that it has a temporary folder, and sends it a signal. Its worker is stopped
# before that, so that the command still waits for it when the second signal comes.
begin_characterize() {
    until grep -q interrupted "$WORK/half.log" 2>/dev/null; do
        begin "$W" characterize traces/gesummv.wst -j 1
        family=()
        until ((${#family[@]})) || ! kill -0 "$process"; do read -ra family <"/proc/$process/task/$process/children"; done
        kill -STOP "${family[@]}"
        kill -"$1" "$process"
        until grep -q interrupted "$WORK/half.log" || ! kill -0 "$process"; do sleep 0.01; done
    done 2>/dev/null
}
later() { sleep 0.6; } # a signal now counts as another one
ends() { # name, signal
    until [[ $(half) ]]; do sleep 0.01; done
    kill -"$2" "$process"
    wait "$process" 2>/dev/null
    status=$?
    same "SIG$2 ends $1" "$2" "$(kill -l $status)"
    same "and nothing half-written stays" "" "$(half)"
    rm -rf "$WORK/half"/*
}
for signal in INT TERM HUP; do
    rm -f "$WORK/half.log"
    begin_characterize $signal
    kill -TERM "$process"
    later
    same "signals that come together count once" waits "$(kill -0 "$process" 2>/dev/null && echo waits)"
    ends "characterize, the second time" $signal
    kill -KILL "${family[@]}" 2>/dev/null # a stopped worker would stay
    begin "$W" run traces/syr2k.wst --timeline "$WORK/half/timeline.csv"
    ends "run" $signal
    begin env PATH="$WORK/bin:$PATH" "$W" plot "$WORK/one.db" "$WORK/figure.sql" -o "$WORK/half/figure.svg"
    until [[ -s $WORK/bin/gnuplot.process ]]; do sleep 0.01; done
    ends "plot" $signal
    read -r gnuplot <"$WORK/bin/gnuplot.process"
    same "and its gnuplot, which would go on writing" gone "$(kill -0 "$gnuplot" 2>/dev/null || echo gone)"
    rm "$WORK/bin/gnuplot.process"
    begin env PATH="$WORK/bin:$PATH" WARPSWEEP_PLOTS="$WORK/figures" "$W" report "$WORK/one.db" -o "$WORK/half/page.html"
    until [[ -s $WORK/bin/gnuplot.process ]]; do sleep 0.01; done
    has "the page is half-written" "$(half)" "page.html.$process.part"
    ends "report" $signal
    rm "$WORK/bin/gnuplot.process"
done
for pair in "INT TERM" "TERM HUP" "HUP INT"; do
    read -r first second <<<"$pair"
    rm -f "$WORK/half.log"
    begin_characterize "$first"
    later
    ends "characterize after SIG$first" "$second"
    kill -KILL "${family[@]}" 2>/dev/null
done
begin env PATH="$WORK/bin:$PATH" "$W" characterize traces/transpose.wst --db "$WORK/c.db" --plots "$WORK/drawn"
until [[ $(ls "$WORK/drawn" 2>/dev/null) ]]; do sleep 0.01; done
read -ra family <"/proc/$process/task/$process/children"
kill -INT "$process" "${family[@]}"
wait "$process"
same "Ctrl-C ends characterize at its first picture" 130 "$?"
has "it says how to go on" "$(tail -1 "$WORK/half.log")" "stopped; the same command draws all pictures again"
same "and leaves no half a picture" "" "$(ls "$WORK/drawn")"

# ---- a file that may not grow
try bash -c 'ulimit -f 100 && exec "$@"' - "$W" sweep "$WORK/s.json" --db "$WORK/cut.db"
expect "a database that may not grow" 1 "cut.db: "
resumes cut
try bash -c 'ulimit -f 1 && exec "$@"' - "$W" sweep "$WORK/s.json" --db "$WORK/new.db"
expect "one that cannot be made" 1 "new.db: creating its tables: "
same "is not there" "" "$(ls "$WORK"/new.db* 2>/dev/null)"
try bash -c 'ulimit -f 64 && exec "$@"' - "$W" merge "$WORK/cut.db" --db "$WORK/merged.db"
expect "one to merge into names itself" 1 "merge: merging $WORK/cut.db: $WORK/merged.db: "
try bash -c 'ulimit -f 1 && exec "$@"' - "$W" merge "$WORK/cut.db" --db "$WORK/unmade.db"
expect "one that cannot be made" 1 "merge: $WORK/unmade.db: creating its tables: "
same "of which nothing is said to stay" "" "$(grep resumes <<<"$err")"
finished
