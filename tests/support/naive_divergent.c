#include "naive.h"

/* The pc at which a lane of the warp goes on behind instruction `at`; -1 when it executes nothing more. */
static int64_t next_pc(const stream *s, const ws_trace *trace, size_t at, unsigned lane) {
    for (size_t i = at + 1; i < s->inst_count; i++)
        if (s->insts[i].warp == s->insts[at].warp && s->insts[i].mask >> lane & 1)
            return ws_trace_statics(trace)[s->insts[i].inst].pc;
    return -1;
}

static bool diverges(const stream *s, const ws_trace *trace, size_t at) {
    int64_t common = -1;
    for (unsigned lane = 0; lane < WS_LANES_MAX; lane++) {
        if (!(s->insts[at].mask >> lane & 1)) continue;
        int64_t pc = next_pc(s, trace, at, lane);
        if (pc >= 0 && common >= 0 && pc != common) return true;
        if (pc >= 0) common = pc;
    }
    return false;
}

uint64_t naive_divergent(const stream *s, const ws_trace *trace, uint32_t inst) {
    uint64_t count = 0;
    for (size_t i = 0; i < s->inst_count; i++)
        if (s->insts[i].inst == inst) count += diverges(s, trace, i);
    return count;
}
