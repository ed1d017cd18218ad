# Helpers of the command's tests: each check prints a TAP line. Sourcing this file makes the repository root the current
# folder, and sets WORK, a temporary folder of this test, and W, the command: BUILD/warpsweep if there is one (a
# sanitized build), else ./warpsweep. The last line of a test is `finished`; without it tests/run takes the test for one
# that ended early.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
W=$PWD/warpsweep
[[ -x ${BUILD:-}/warpsweep ]] && W=$PWD/$BUILD/warpsweep
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export WARPSWEEP_ENERGIES=$PWD/sweeps/energy
export WARPSWEEP_GPUS=$PWD/sweeps/gpus # a sanitized command lies elsewhere
test_number=0

ok() { # name
    echo "ok $((++test_number)) - $1"
}

not_ok() { # name, then what is known
    echo "not ok $((++test_number)) - $1"
    shift
    printf '%s\n' "$@" | sed -n '1,40 s/^/#   /p'
}

skip() { # name, reason
    echo "ok $((++test_number)) - $1 # SKIP $2"
}

finished() { # the plan
    echo "1..$test_number"
}

skip_all() { # name, reason: ends the test
    skip "$@"
    finished
    exit
}

# Whether the command has sanitizers: then the same code with other data need not run as often, for it is slow.
sanitized() {
    [[ ${BUILD:-} == *sanitize* ]]
}

# Runs a command: puts its output in $out, its messages in $err, its exit status in $status.
try() {
    "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
    status=$?
    out=$(cat "$WORK/out") err=$(cat "$WORK/err")
}

# expect NAME STATUS [WORDS]: checks the exit status of the last `try`, and that its messages contain these words.
expect() {
    if ((status != $2)); then
        not_ok "$1" "expected exit status $2, found $status" "$err"
    elif [[ -n ${3:-} && $err != *"$3"* ]]; then
        not_ok "$1" "expected in the messages: $3" "found: $err"
    else
        ok "$1"
    fi
}

same() { # name, expected, found
    if [[ $2 == "$3" ]]; then ok "$1"; else not_ok "$1" "expected: $2" "found:    $3"; fi
}

has() { # name, text, words that must stand in it
    if [[ $2 == *"$3"* ]]; then ok "$1"; else not_ok "$1" "expected in it: $3" "found: $2"; fi
}

# small_trace FOLDER: an Accel-Sim trace of two launches, each of 2 CTAs with 2 warps. In `columns` the lanes of a warp
# read 32 lines; in `rows` they read 32 words in a row, which warp 1 begins one word later (so it reads two lines), and
# which the next CTA reads again. In both, eight lanes of each warp write eight words of one line. Requests for lines:
# 4 * 32 + 4 in `columns`, 2 * (1 + 2) + 4 in `rows`.
small_trace() {
    mkdir -p "$1"
    printf '%s\n' 'MemcpyHtoD,0x00007f0000000000,65536' kernel-1.traceg kernel-2.traceg >"$1/kernelslist.g"
    small_kernel 1 _Z7columnsPf '7f0000000000 4096' 128 >"$1/kernel-1.traceg"
    small_kernel 2 _Z4rowsPf '7f0000000000 0' 4 >"$1/kernel-2.traceg"
}

small_kernel() { # id, name, address of the first CTA and distance to the next, stride between lanes
    printf '%s\n' "-kernel name = $2" "-kernel id = $1" '-grid dim = (2,1,1)' '-block dim = (64,1,1)' '-shmem = 0' \
        '-nregs = 8' '-binary version = 80' '-cuda stream id = 0' '-shmem base_addr = 0x00007fc867000000' \
        '-local mem base_addr = 0x00007fc865000000' '-nvbit version = 1.5.3' '-accelsim tracer version = 3' '' \
        '#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]'
    local cta warp base step
    read -r base step <<<"$3"
    for cta in 0 1; do
        printf '%s\n' '' '#BEGIN_TB' '' "thread block = $cta,0,0"
        for warp in 0 1; do
            printf '\nwarp = %d\ninsts = 4\n' "$warp"
            printf '0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 \n'
            printf '0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x%x %d \n' $((0x$base + cta * step + warp * 4)) "$4"
            printf '0020 000000ff 0 STG.E 2 R6 R2 4 1 0x7f0000080000 4 \n'
            printf '0030 ffffffff 0 EXIT 0 0 \n'
        done
        printf '\n#END_TB\n'
    done
}
