#!/usr/bin/env bash
# Each figure of plots/ draws what the sweep gives that it names: here of few kernels, cut to a CTA.
. "$(dirname "$0")/lib.sh"
command -v gnuplot >/dev/null || { skip "figures" "no gnuplot" && exit; }
mkdir "$WORK/traces"
ln -s "$PWD"/traces/*.wst "$PWD"/traces/graphs/*.wst "$WORK/traces"
export WARPSWEEP_PLOTS=$PWD/plots

# few SPEC: the same sweep of two programs, and of the first CTA of each launch.
few() {
    local traces='["traces/transpose.wst", "traces/pagerank-road.wst"]'
    tr '\n' ' ' <"$1" | sed -E 's/"kernels": *(\[[^]]*\]|"[^"]*"),//
        s|"(traces\|with)": *(\[[^]]*\]\|"[^"]*")|"\1": '"$traces"'|g
        /"base"/! s/"analysis":/"base": {}, &/
        s/"base": *\{/&"limit.ctas": 1, /; s/, *\}/}/'
}

for spec in $(grep -oh 'sweeps/[a-z0-9_-]*[.]json' plots/*.sql | sort -u); do
    few "$spec" >"$WORK/few.json"
    try env -C "$WORK" "$PWD/warpsweep" sweep few.json --db few.db --kernels 1-2
    expect "$spec" 0
done
for query in plots/*.sql; do
    figure=$(basename "$query" .sql)
    try ./warpsweep plot "$WORK/few.db" "$figure" -o "$WORK/$figure.svg"
    expect "$figure" 0
done
