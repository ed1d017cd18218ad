#!/usr/bin/env bash
# make install: command, library, headers, manual and data work from where they are put, and go away again.
. "$(dirname "$0")/lib.sh"
unset WARPSWEEP_ENERGIES WARPSWEEP_GPUS WARPSWEEP_PLOTS SANITIZE
prefix=$WORK/usr
installed=$prefix/bin/warpsweep
cc=${CC:-gcc} cxx=${CXX:-g++}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
small_trace "$WORK/small"

try make install PREFIX="$prefix"
expect "make install" 0
((status == 0)) || exit 1

# ---- the command finds its data
try "$installed" import "$WORK/small" -o "$WORK/small.wst"
expect "the installed command imports" 0
same "it finds its GPUs" "$(cd sweeps/gpus && printf '%s\n' *.json | sed 's/[.]json$//' | LC_ALL=C sort)" \
    "$("$installed" list gpus --names)"
echo '{"name": "window_reduction", "traces": ["small.wst"], "analysis": "window",
    "axes": {"window.size": [0, 4, 16], "window.kind": ["fifo", "sliding"], "window.scope": ["warp", "sm"],
             "sm.scheduler": ["lrr", "gto"]}}' >"$WORK/spec.json"
(cd "$WORK" && "$installed" sweep spec.json --db r.db) >/dev/null 2>&1
try "$installed" plot "$WORK/r.db" window_reduction -o "$WORK/figure.svg"
expect "it finds its figures" 0
same "it draws" "$WORK/figure.svg" "$out"
for data in plots gpus energy sweeps results; do
    case $data in
    plots) from=(plots/*.sql plots/*.gp) ;;
    gpus) from=(sweeps/gpus/*.json) ;;
    energy) from=(sweeps/energy/*.json) ;;
    sweeps) from=(sweeps/*.json sweeps/slurm.sh) ;;
    results) from=(results/*.sql) ;;
    esac
    same "all $data are there" "$(basename -a "${from[@]}" | sort)" "$(cd "$prefix/share/warpsweep/$data" && printf '%s\n' * | sort)"
done

same "the documentation is there" "$(printf '%s\n' README.md {plots,results,sweeps,traces}/*.md plots/example.png | sort)" \
    "$(cd "$prefix/share/doc/warpsweep" && find . -type f | sed 's|^./||' | sort)"
for text in sweep order.load_delay_issues; do
    has "help $text says where it is" "$("$installed" help $text | tr -s ' \n' ' ')" \
        "sweeps/README.md$([[ $text == sweep ]] || echo ' ("Who goes next")'), which is installed in share/doc/warpsweep,"
done
has "the manual does, too" "$(cat "$prefix/share/man/man1/warpsweep.1")" "share/doc/warpsweep/"

# ---- headers
read -ra cflags < <(pkg-config --cflags warpsweep)
for header in "$prefix"/include/warpsweep/*.h; do
    name=warpsweep/$(basename "$header")
    echo "#include <$name>" >"$WORK/one.c"
    cp "$WORK/one.c" "$WORK/one.cpp"
    # shellcheck disable=SC2086 # CC may be two words
    try $cc -std=c17 -Wall -Wextra -Wpedantic -Werror "${cflags[@]}" -fsyntax-only "$WORK/one.c"
    expect "$name compiles alone as C17" 0
    if command -v "${cxx%% *}" >/dev/null; then
        # shellcheck disable=SC2086
        try $cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror "${cflags[@]}" -fsyntax-only "$WORK/one.cpp"
        expect "$name compiles alone as C++17" 0
    else
        skip "$name compiles alone as C++17" "no $cxx"
    fi
done
# shellcheck disable=SC2086
declared=$(cat "$prefix"/include/warpsweep/*.h >"$WORK/all.c" && $cc -E -P "${cflags[@]}" "$WORK/all.c" | grep -oE '\<ws_\w+' | sort -u)
exported=$(nm -D --defined-only "$prefix/lib/libwarpsweep.so.0" | awk '{ print $3 }' | sort -u)
same "the shared library exports what the headers declare" "" "$(comm -13 <(echo "$declared") <(echo "$exported"))"
has "and does so" "$exported" "ws_trace_open"
same "all headers are there" "$(cd include/warpsweep && echo *.h)" "$(cd "$prefix/include/warpsweep" && echo *.h)"

# ---- a parameter of a user's analysis: its field must be of the parameter's type
parameter() { # type of the field, declaration
    printf '%s\n' '#include <warpsweep/param.h>' "typedef struct fields { $1 field; } fields;" \
        'static const char *const names[] = {"a", NULL};' \
        "const ws_param *one(void) { static const ws_param p = $2; return names[0] ? &p : NULL; }" >"$WORK/one.c"
    # shellcheck disable=SC2086
    try $cc -std=c17 -Wall -Wextra -Wpedantic -Werror "${cflags[@]}" -fsyntax-only "$WORK/one.c"
}
while IFS='|' read -r type other declaration; do
    parameter "$type" "$declaration"
    expect "a field of type $type" 0
    parameter "$other" "$declaration"
    expect "a field of type $other in its place does not compile" 1 "_Generic"
done <<'END'
int64_t|int|WS_INT(fields, field, "a.field", "", 1, 0, 2, "number of things")
double|float|WS_REAL(fields, field, "a.field", "", 1, 0, 2, "number of things")
bool|int|WS_BOOL(fields, field, "a.field", true, "whether there are things")
int|int64_t|WS_CHOICE(fields, field, "a.field", 0, names, "which things there are")
END

# ---- the headers' macros and names, in C and C++
cat >"$WORK/one.c" <<'END'
#include <warpsweep/param.h>
typedef struct fields { int64_t size; double share; bool on; int kind; } fields;
static const char *const kinds[] = {"a", "b", NULL};
static const ws_param params[] = {
    WS_INT(fields, size, "a.size", "B", 1, 0, 2, "A size."), WS_REAL(fields, share, "a.share", "", 0.5, 0, 1, "A share."),
    WS_BOOL(fields, on, "a.on", true, "Whether it is on."), WS_CHOICE(fields, kind, "a.kind", 0, kinds, "A kind."),
};
bool all(const ws_cell *cell, ws_error *out);
bool all(const ws_cell *cell, ws_error *out) {
    ws_error err = WS_NO_ERROR;
    ws_cell_kind kind = cell->kind;
    *out = err;
    return (kind == WS_CELL_INT || kind == WS_CELL_REAL || kind == WS_CELL_TEXT || kind == WS_CELL_UNKNOWN) && params[0].unit;
}
END
cp "$WORK/one.c" "$WORK/one.cpp"
# shellcheck disable=SC2086
try $cc -std=c17 -Wall -Wextra -Wpedantic -Werror "${cflags[@]}" -fsyntax-only "$WORK/one.c"
expect "macros and cells in C17" 0
if command -v "${cxx%% *}" >/dev/null; then
    # shellcheck disable=SC2086
    try $cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror "${cflags[@]}" -fsyntax-only "$WORK/one.cpp"
    expect "macros and cells in C++17" 0
else
    skip "macros and cells in C++17" "no $cxx"
fi

# ---- a user's program, with the shared and with the static library
counts=$("$installed" info "$WORK/small.wst" --json | tr -d ' ",' | awk -F: '
    $1 == "short_name" { name = $2 } $1 == "warp_instructions" { insts = $2 }
    $1 == "requests" && name { print name, insts, $2; name = "" }')
cp tests/cli/installed/counts.c "$WORK"
cp tests/cli/installed/counts.c "$WORK/counts.cpp"
for data in gpus/gtx480-wp.json energies/xi.json plots/curves.gp; do
    folder=$(pkg-config --variable="${data%/*}" warpsweep)
    same "the folder ${data%/*}, for programs" found "$([[ -f $folder/${data#*/} ]] && echo found)"
done

check_program() { # what, command to build it
    local what=$1
    shift
    try "$@"
    expect "a program builds $what" 0
    try env LD_LIBRARY_PATH="$prefix/lib" "$WORK/counts" "$WORK/small.wst"
    expect "it runs" 0
    same "it counts as the command does" "$counts" "$out"
}
read -ra libs < <(pkg-config --libs warpsweep)
read -ra static < <(pkg-config --libs --static warpsweep)
# shellcheck disable=SC2086
check_program "with the shared library" $cc -std=c17 -Wall -Wextra -Werror "${cflags[@]}" -o "$WORK/counts" "$WORK/counts.c" "${libs[@]}"
has "it needs the library by its soname" "$(readelf -d "$WORK/counts")" "[libwarpsweep.so.0]"
# shellcheck disable=SC2086
check_program "with the static library" $cc -std=c17 "${cflags[@]}" -o "$WORK/counts" "$WORK/counts.c" \
    "${static[@]/#-lwarpsweep/-l:libwarpsweep.a}"
same "it needs no shared one" "" "$(readelf -d "$WORK/counts" | grep libwarpsweep)"
if command -v "${cxx%% *}" >/dev/null; then
    # shellcheck disable=SC2086
    check_program "as C++" $cxx -std=c++17 -Wall -Wextra -Wpedantic -Werror "${cflags[@]}" -o "$WORK/counts" "$WORK/counts.cpp" "${libs[@]}"
else
    skip "a program builds as C++" "no $cxx"
fi
try env LD_LIBRARY_PATH="$prefix/lib" "$WORK/counts" "$WORK/nowhere.wst"
expect "its errors are the library's" 1 "nowhere.wst"

# ---- manual and completion: generated from the command's own tables
manual=$prefix/share/man/man1/warpsweep.1
missing=
while read -r command; do
    grep -q "^[.]SS $command\$" "$manual" || missing+=" $command"
    for option in $("$installed" help "$command" | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
        grep -qF -- "${option//-/\\-}" "$manual" || missing+=" $command $option"
    done
done < <("$installed" list commands --names)
same "the manual has each command and option" "" "$missing"
if command -v groff >/dev/null; then
    same "groff has no objections" "" "$(groff -man -ww -z -Tutf8 "$manual" 2>&1)"
else
    skip "groff has no objections" "no groff"
fi

complete() { # words: what bash would offer for the last one
    bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _warpsweep; printf "%s\n" "${COMPREPLY[@]}"' \
        "$prefix/share/bash-completion/completions/warpsweep" "$installed" "$@"
}
same "a command is completed" "sweep" "$(complete sw)"
same "an option" "--dry-run" "$(complete sweep --dr)"
same "a name to be explained" "window.scope" "$(complete help window.sc)"
same "a GPU" "c2050-48k" "$(complete run x.wst --gpu c2050-4)"
same "a parameter" "l1.size_B" "$(complete run x.wst --set l1.si)"
same "a figure of a database" "window_reduction" "$(complete plot "$WORK/r.db" window_r)"
same "a view of one" "window_reduction_by_kernel" "$(complete effects "$WORK/r.db" window_reduction_b)"
same "a format" "memtrace" "$(complete import x.txt --format mem)"
same "files otherwise" "" "$(complete info x)"

# ---- staged with DESTDIR, and uninstalled
try make install DESTDIR="$WORK/stage" PREFIX=/opt/warpsweep
expect "make install with DESTDIR" 0
has "it says what its prefix will be" "$(cat "$WORK/stage/opt/warpsweep/lib/pkgconfig/warpsweep.pc")" "prefix=/opt/warpsweep"
same "the same files are in both" "$(cd "$prefix" && find . ! -type d | sort)" \
    "$(cd "$WORK/stage/opt/warpsweep" && find . ! -type d | sort)"
spaced="$WORK/a prefix"
try make install PREFIX="$spaced"
expect "make install into a folder with a blank in its name" 0
same "it has the same files" "$(cd "$prefix" && find . ! -type d | sort)" "$(cd "$spaced" && find . ! -type d | sort)"
has "its command finds its GPUs" "$("$spaced/bin/warpsweep" list gpus --names)" "gtx480-wp"
# shellcheck disable=SC2016 # for the shell that reads it
try env PKG_CONFIG_PATH="$spaced/lib/pkgconfig" CC="$cc" bash -c \
    'eval "$CC \"\$1\" -o \"\$2\" $(pkg-config --cflags --libs warpsweep)"' - "$WORK/counts.c" "$WORK/counts"
expect "a program builds with it" 0
try make uninstall PREFIX="$spaced"
same "and all of it goes away again" "" "$(find "$spaced" ! -type d)"
try make install PREFIX=usr
expect "a prefix that is none" 2 "PREFIX: expected a path from / on, found 'usr'"
for sign in '&' '|' '\' "'" '"' '`' '$' '#'; do
    try make install PREFIX="$WORK/of${sign/\$/\$\$}signs"
    expect "a prefix with $sign" 2 "PREFIX: expected a path without & | \\ ' \" \` \$ #, found '$WORK/of${sign}signs'"
done
same "they leave nothing" "" "$(find "$WORK" -maxdepth 1 -name 'of*')"
touch "$prefix/lib/of-somebody-else"
try make uninstall PREFIX="$prefix"
expect "make uninstall" 0
same "it leaves what is not its own" "./lib/of-somebody-else" "$(cd "$prefix" && find . ! -type d)"
same "and no folder that it made, but for that with the other's" "./lib" "$(cd "$prefix" && find . -mindepth 1 -type d)"
mkdir -p "$WORK/old/share/man"
make install uninstall PREFIX="$WORK/old" >/dev/null
same "it leaves folders that were there before" "./share
./share/man" "$(cd "$WORK/old" && find . -mindepth 1 | sort)"
finished
