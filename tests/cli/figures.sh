# Helpers of the tests of figures' numbers, beside those of lib.sh: what a figure draws from rows that are written in
# the test. Sourcing this file stores a sweep in WORK/any.db, for `query` needs a database, whatever it asks for.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
small_trace "$WORK/small"
./warpsweep import "$WORK/small" -o "$WORK/small.wst" >/dev/null 2>&1
cat >"$WORK/any.json" <<END
{"name": "any", "traces": ["$WORK/small.wst"], "analysis": "instruction_mix", "base": {}}
END
./warpsweep sweep "$WORK/any.json" --db "$WORK/any.db" >/dev/null 2>&1

rows_drawn() { # as figure
    local query=plots/$1.sql with=
    while shift && (($#)); do
        with+="${with:+, }$1 AS (VALUES $2)"
        shift
    done
    grep -q '^WITH ' "$query" && with+=,
    { echo "WITH $with" && sed 's/^WITH //' "$query"; } >"$WORK/figure.sql"
    ./warpsweep query "$WORK/any.db" --csv --file "$WORK/figure.sql" |
        sed -E '1d; :comma s/^(([^"]*"[^"]*")*[^"]*"[^",]*),/\1/; t comma; s/"//g' | awk -F, '{
        printf "%s%s:", $1 == "" ? "" : $1 " ", $2
        for (i = 3; i <= NF; i++) printf " %s", $i == "" ? "NULL" : sprintf("%g", $i)
        print "" }'
}

# figure NAME [VIEW(COLUMNS) ROWS]..: the rows that the figure draws, as "PANEL SERIES: NUMBER ..", if its views have
# these rows alone. Names lose their commas. Rows of traces with cycles, and of others whose ratio the view has, must not
# mix with those of traces that have the same kernels and 7 times the cycles. Each kernel is told by its trace then.
figure() {
    rows_drawn "$@"
    [[ $# == 3 && ${2//$'\n'/} =~ ^[a-z_]*\(trace,.*\ kernel,.*\ (cycles|energy_ratio|speedup)\)$ ]] || return
    local last both times=
    last=$(($(tr -cd , <<<"$2" | wc -c) + 1))
    [[ $2 == *" cycles)" ]] && times='7 * '
    local other="SELECT '7' || column1$(printf ', column%d' $(seq 2 $((last - 1)))), ${times}column$last FROM (VALUES $3)"
    both=$(rows_drawn "$1" "$2" "$3 UNION ALL $other" | sort)
    [[ $(rows_drawn "$@" | sort -u) == "$(sed -E 's/(^| )7?[tu]: /\1/' <<<"$both" | sort -u)" ]] || echo "$1 mixes traces"
    [[ -z $(uniq -d <<<"$both") ]] || echo "$1 has two kernels of one name"
}

bars() { # as figure, a line for all bars of a series: "PANEL SERIES: BAR=NUMBER .."
    figure "$@" | awk '{
        match($0, /.*: /)
        name = substr($0, 1, RLENGTH)
        split(substr($0, RLENGTH + 1), number, " ")
        printf "%s%s=%s", name == last ? " " : (NR > 1 ? "\n" : "") name, number[1], number[2]
        last = name }'
}
