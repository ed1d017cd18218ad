#!/usr/bin/env bash
# Launches of several streams on one GPU: they begin and end in the cycles in which they do in GPGPU-Sim (Accel-Sim
# 73f9fac, GPGPU-Sim 667834cf; gpgpu_concurrent_kernel_sm 1, gpgpu_adaptive_cache_config 0).
. "$(dirname "$0")/lib.sh"

# Six launches of three streams, as Accel-Sim's tracer writes them
kernels() { # folder
    awk -v dir="$1" '
    function random(below) { seed = (seed * 16807) % 2147483647; return int(seed / 2147483647 * below) }
    function address(how, lane,  base) {
        if (lane == 0) line = random(512)
        if (how == 0) return line * 128 + lane * 4          # a line
        if (how == 1) return random(8192) * 16  # scattered
        return (line + lane % 4) * 128                      # four lines
    }
    function access(opcode, destination, how,  lane, text) {
        text = ""
        for (lane = 0; lane < 32; lane++) text = text sprintf(" 0x7f10%08x", address(how, lane))
        return destination opcode " 1 R2 4 0" text " 0 "
    }
    function instruction(i, what) {
        printf "%04x ffffffff ", i * 16 > file
        if (what == "L") print access("LDG.E", "1 R" 4 + i % 8 " ", random(3)) > file
        else if (what == "S") print access("STG.E", "0 ", random(3)) > file
        else if (what == "B") print "0 BAR.SYNC 0 0 0 " > file
        else if (what == "X") print "0 EXIT 0 0 0 " > file
        else print "1 R" 4 + (i + 1) % 8 " FFMA 2 R" 4 + i % 8 " R3 0 0 " > file
    }
    function launch(k, stream, ctas, warps, shared, code,  c, w, i) {
        file = dir "/kernel-" k ".traceg"
        print "-kernel name = k" k "\n-kernel id = " k "\n-grid dim = (" ctas ",1,1)\n-block dim = (" warps * 32 ",1,1)" > file
        print "-shmem = " shared "\n-nregs = 24\n-binary version = 80\n-cuda stream id = " stream > file
        print "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0002000000" > file
        print "-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n" > file
        print "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n" > file
        for (c = 0; c < ctas; c++) {
            print "#BEGIN_TB\n\nthread block = " c ",0,0\n" > file
            for (w = 0; w < warps; w++) {
                print "warp = " w "\ninsts = " length(code) > file
                for (i = 1; i <= length(code); i++) instruction(i - 1, substr(code, i, 1))
                print "" > file
            }
            print "#END_TB\n" > file
        }
        print "kernel-" k ".traceg" > (dir "/kernelslist.g")
    }
    BEGIN {
        seed = 2
        launch(1, 0, 3, 8, 0, "LSFLX")
        launch(2, 0, 2, 2, 0, "LFLFX")
        launch(3, 2, 12, 4, 40960, "LFSFLFLSFX")
        launch(4, 1, 1, 3, 0, "LFLFSSLFLFLFLFX")
        launch(5, 0, 30, 1, 0, "FLFLSLFSFLX")
        launch(6, 2, 7, 5, 2048, "LFSLFBLFSLFFX")
    }'
}

mkdir "$WORK/kernels"
kernels "$WORK/kernels"
try "$W" import "$WORK/kernels/kernelslist.g" -o "$WORK/streams.wst"
expect "a trace of three streams" 0
settings="gpu.clusters=2,gpu.sms_per_cluster=2,core.concurrent_launches=3,core.launch_cycles=100,l1.unified_B=0"
try "$W" run "$WORK/streams.wst" --gpu accelsim-rtx3070s --set "$settings"
expect "its launches at the same time" 0
same "from when to when, as in GPGPU-Sim" "1 0 0 2,246
2 0 2,247 3,097
3 2 0 3,096
4 1 2,247 3,766
5 0 3,098 6,284
6 2 3,098 6,705" "$(awk '/begins/ { inside = 1; next } inside && NF == 0 { exit } inside && /k[1-6]/ { print $1, $3, $4, $5 }' <<<"$out")"
try "$W" run "$WORK/streams.wst" --gpu accelsim-rtx3070s --set "$settings" --json
same "JSON has the same" "0,2246 2247,3097 0,3096 2247,3766 3098,6284 3098,6705" "$(sed -n '/"together"/,/\]/p' <<<"$out" |
    awk -F'[:,]' '/"begin"/ { begin = $2 } /"cycles"/ { printf "%s%d,%d", (n++ ? " " : ""), begin, begin + $2 }')"

cat >"$WORK/s.json" <<END
{"name": "s", "traces": ["$WORK/streams.wst"], "analysis": "timed", "gpu": "accelsim-rtx3070s",
 "base": {"$(sed 's/=/": /g; s/,/, "/g' <<<"$settings")}}
END
try "$W" sweep "$WORK/s.json" --db "$WORK/s.db"
expect "a sweep of them" 0
same "and rows" "1|6|0|2246
2|6|2247|3097
3|6|0|3096
4|6|2247|3766
5|6|3098|6284
6|6|3098|6705" "$(sqlite3 "$WORK/s.db" "SELECT launch, together, begin, begin + s.cycles FROM s JOIN s_timed_together USING (launch) ORDER BY launch" 2>&1)"

finished
