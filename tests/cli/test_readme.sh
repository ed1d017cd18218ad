#!/usr/bin/env bash
# Runs the README in a fresh copy, which has this build's objects: `make demo`, every ```sh block, and the analysis of
# the ```c block. A ```text block after a ```sh block is what that one must print. README_UPDATE=1 rewrites these blocks
# instead (review with git diff).
. "$(dirname "$0")/lib.sh"
root=$PWD
copy=$WORK/copy
mkdir "$copy"
git ls-files -co --exclude-standard 2>/dev/null | while read -r f; do [[ -f $f ]] && echo "$f"; done >"$WORK/files"
tar -c -T "$WORK/files" | tar -x -C "$copy"
# Objects keep their times, so that make compiles there what it would compile here, and links all of it anew.
if [[ -d ${BUILD:-build/release}/src ]]; then
    mkdir -p "$copy/build/release"
    (cd "${BUILD:-build/release}" && find src \( -name '*.o' -o -name '*.d' \) -print0 | tar -c --null -T -) |
        tar -x -C "$copy/build/release"
fi
cd "$copy" || exit 1

try make demo
expect "make demo" 0
((status == 0)) || exit 1
demo=$out
has "it shows the first question" "$demo" "$(cat results/window_128.sql)"
same "it leaves the figure's pages" "$(printf '%s\n' window_reduction{-2,-3,}.{png,svg} | sort)" \
    "$(cd plots && printf '%s\n' w*.png *.svg | sort)"
points=$(./warpsweep query results/demo.db --csv "SELECT count(*) FROM point WHERE status = 'done'" | tail -1)
if ((points > 1000)); then ok "more than a thousand points"; else not_ok "more than a thousand points" "$points"; fi
try make demo
has "again, it resumes" "$out" "computed: 0"

for question in results/*.sql; do
    try ./warpsweep query results/demo.db --file "$question"
    expect "$question" 0
done

# ---- blocks: one file each, NUMBER.KIND, in the order of the text
mkdir "$WORK/blocks"
awk -v folder="$WORK/blocks" '
    /^```/ && !inside { inside = 1; file = sprintf("%s/%02d.%s", folder, ++number, substr($0, 4)); printf "" > file; next }
    /^```/ { inside = 0; close(file); next }
    inside { print > file }' README.md

small_trace "$WORK/app"
export TRACES=$WORK/app
for block in "$WORK"/blocks/*.sh; do
    number=$(basename "$block" .sh)
    try bash -eu -o pipefail "$block"
    expect "block $number: $(grep -m 1 -o 'warpsweep [a-z]*' "$block")" 0
    answer=$WORK/blocks/$(printf '%02d' $((10#$number + 1))).text
    if [[ -e $answer ]]; then
        same "block $number prints what the README says" "$(cat "$answer")" "$out"
        printf '%s\n' "$out" >"$answer"
    fi
done
if [[ -n ${README_UPDATE:-} ]]; then
    awk -v folder="$WORK/blocks" '
        /^```/ && !inside {
            inside = 1; text = /^```text/; print
            file = sprintf("%s/%02d.text", folder, ++number)
            if (text) while ((getline line < file) > 0) print line
            next
        }
        /^```/ { inside = 0; text = 0 }
        !text' README.md >"$root/README.md"
fi

# ---- the analysis of the README: its file and its line in the list
code=$(ls "$WORK"/blocks/*.c)
file=$(grep -oE 'src/analysis/[a-z]+\.c' "$code" | head -n 1)
name=$(basename "$file" .c)
cp "$code" "$file"
sed -i "s/^    X(window)/    X(window) X($name)/" src/analysis/analyses.h
try make
expect "the analysis of the README compiles" 0
try ./warpsweep help "$name"
has "help knows it" "$out" "$name: "
echo "{\"name\": \"s\", \"traces\": [\"my/app.wst\"], \"analysis\": \"$name\", \"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"]}}" >my/s.json
try ./warpsweep sweep my/s.json --db my/s.db
expect "it sweeps" 0
try ./warpsweep query my/s.db --csv "SELECT kernel, sm_scheduler, requests, repeats FROM s ORDER BY 1, 2"
# Each SM has one CTA. The CTA's two stores, one after the other, are to the same line; in rows, so are the load of warp
# 0 and the first request of warp 1.
same "its results" "kernel,sm_scheduler,requests,repeats
columns,gto,132,2
columns,lrr,132,2
rows,gto,10,4
rows,lrr,10,4" "$out"
finished
