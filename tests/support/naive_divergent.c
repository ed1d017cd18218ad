#include "naive.h"

/* The pc of the lane's next instruction after instruction `at` of its warp; -1 if it executes nothing more. */
static int64_t next_pc(const stream *s, const ws_trace *trace, size_t at, unsigned lane) {
    for (size_t i = at + 1; i < s->inst_count; i++)
        if (s->insts[i].warp == s->insts[at].warp && s->insts[i].mask >> lane & 1)
            return ws_trace_statics(trace)[s->insts[i].inst].pc;
    return -1;
}

static const ws_static *static_of(const ws_trace *trace, const inst_record *r) {
    return &ws_trace_statics(trace)[r->inst];
}

/* The index of the warp's instruction before `at`, or -1. */
static int64_t before(const stream *s, size_t at) {
    for (size_t i = at; i-- > 0;)
        if (s->insts[i].warp == s->insts[at].warp) return (int64_t)i;
    return -1;
}

/* The lanes that were active in the straight run of instructions up to `at`, which begins after the last branch or jump
 * of the pc; lanes that exited in it do not count. */
static uint64_t on_the_way(const stream *s, const ws_trace *trace, size_t at) {
    uint64_t lanes = 0, gone = 0;
    uint32_t pc = static_of(trace, &s->insts[at])->pc;
    for (int64_t i = before(s, at); i >= 0; i = before(s, (size_t)i)) {
        const ws_static *st = static_of(trace, &s->insts[i]);
        if (st->class_ == WS_CLASS_BRANCH || st->pc >= pc || pc - st->pc > 16) break;
        if (st->class_ == WS_CLASS_EXIT) gone |= s->insts[i].mask & ~lanes;
        lanes |= s->insts[i].mask & ~gone;
        pc = st->pc;
    }
    return lanes;
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
        if (s->insts[i].inst == inst)
            count +=
                (s->insts[i].mask && on_the_way(s, trace, i) & ~s->insts[i].mask) || diverges(s, trace, i);
    return count;
}
