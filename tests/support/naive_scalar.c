#include "naive_scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { REGISTERS = 16, SCALARS = 4096, EVENTS = 100000, NONE = -1 };

/* An event in the life of a register. */
typedef struct event {
    uint64_t when, run; /* run: the number of its warp, counted over all slots */
    uint32_t reg;
    char kind;    /* 'r'ead, 'w'ritten, 'p'artly written or copied */
    bool covered; /* true if a scalar register holds it from now on */
} event;

typedef struct entry {
    uint64_t used; /* 0: free */
    uint32_t pc, opcode;
    unsigned count;
    uint64_t operands[WS_OPERANDS_MAX];
} entry;

struct naive_scalar {
    const ws_static *statics;
    scalar_options options;
    bool uniform[SCALAR_WARPS][REGISTERS];
    int renamed[SCALAR_WARPS][REGISTERS];     /* the scalar register, or NONE */
    bool everywhere[SCALAR_WARPS][REGISTERS]; /* the vector register holds the value, too */
    int free[SCALARS], free_count;
    const ws_flow *flow[SCALAR_WARPS];
    const uint64_t *values[SCALAR_WARPS];
    uint64_t run[SCALAR_WARPS], runs, moment;
    entry irb[WS_REUSE_MAX];
    event *events;
    size_t event_count;
    scalar_counts counts;
};

naive_scalar *naive_scalar_new(const ws_trace *trace, const scalar_options *options) {
    naive_scalar *n = calloc(1, sizeof *n);
    assert_non_null(n);
    n->statics = ws_trace_statics(trace);
    n->options = *options;
    n->events = calloc(EVENTS, sizeof *n->events);
    assert_non_null(n->events);
    n->free_count = options->registers < SCALARS ? (int)options->registers : SCALARS;
    for (int i = 0; i < n->free_count; i++) n->free[i] = i;
    return n;
}

void naive_scalar_free(naive_scalar *n) {
    free(n->events);
    free(n);
}

void naive_scalar_start(naive_scalar *n, unsigned warp, const ws_flow *flow, const uint64_t *values) {
    n->flow[warp] = flow;
    n->values[warp] = values;
    n->run[warp] = ++n->runs;
    for (int r = 0; r < REGISTERS; r++) {
        n->uniform[warp][r] = true; /* what nothing has written counts as uniform */
        n->renamed[warp][r] = NONE;
    }
}

static void give_back(naive_scalar *n, unsigned warp, int reg) {
    if (n->renamed[warp][reg] == NONE) return;
    n->free[n->free_count++] = n->renamed[warp][reg];
    n->renamed[warp][reg] = NONE;
}

void naive_scalar_end(naive_scalar *n, unsigned warp) {
    for (int r = 0; r < REGISTERS; r++) give_back(n, warp, r);
}

static void note(naive_scalar *n, unsigned warp, uint32_t reg, char kind, uint64_t now) {
    assert_true(n->event_count < EVENTS);
    n->events[n->event_count++] = (event){
        .when = now, .run = n->run[warp], .reg = reg, .kind = kind, .covered = n->renamed[warp][reg] != NONE};
}

static bool spared(naive_scalar *n, const ws_static *s, unsigned count, const uint64_t *operands) {
    entry *found = NULL, *oldest = n->irb;
    uint32_t pc = s->pc / n->options.pc_step % 1024;
    for (uint32_t i = 0; i < n->options.irb_entries; i++) {
        entry *e = &n->irb[i];
        if (e->used && e->pc == pc && e->opcode == s->opcode) found = e;
        if (e->used < oldest->used) oldest = e;
    }
    bool same = found && found->count == count;
    for (unsigned i = 0; same && i < count; i++) same = found->operands[i] == operands[i];
    entry *e = found ? found : oldest;
    *e = (entry){.used = ++n->moment, .pc = pc, .opcode = s->opcode, .count = count};
    for (unsigned i = 0; i < count; i++) e->operands[i] = operands[i];
    return same;
}

static enum scalar_how step(naive_scalar *n, unsigned warp, uint64_t now) {
    const ws_flow *f = n->flow[warp]++;
    const ws_static *s = &n->statics[f->static_id];
    bool memory = s->class_ == WS_CLASS_MEM, sources = f->all_lanes;
    for (int i = 0; i < s->src_count; i++)
        if (s->src[i] != WS_REGISTER_ZERO) {
            sources = sources && n->uniform[warp][s->src[i]];
            note(n, warp, s->src[i], 'r', now);
        }
    bool shared = s->op == WS_MEMORY_LOAD && s->space != WS_SPACE_LOCAL && s->space != WS_SPACE_GENERIC;
    bool result = memory ? shared && f->all_lanes && f->one_address : sources;
    bool computes =
        sources && (s->class_ == WS_CLASS_INT || s->class_ == WS_CLASS_FP) && s->src_count + s->dst_count > 0;
    bool placed = true;
    assert_true(s->dst_count <= 1);
    if (s->dst_count) n->everywhere[warp][s->dst[0]] = !n->options.converts;
    if (s->dst_count && !f->no_lane) {
        int reg = s->dst[0];
        if (result && n->renamed[warp][reg] == NONE) {
            placed = n->free_count > 0;
            if (placed) n->renamed[warp][reg] = n->free[--n->free_count];
        }
        if (!result || !placed) give_back(n, warp, reg);
        n->uniform[warp][reg] = result && placed;
        note(n, warp, (uint32_t)reg, f->all_lanes ? 'w' : 'p', now);
    }
    uint64_t in_use = 0;
    for (unsigned w = 0; w < SCALAR_WARPS; w++)
        for (int r = 0; n->run[w] && r < REGISTERS; r++) in_use += n->renamed[w][r] != NONE;
    if (in_use > n->counts.peak) n->counts.peak = in_use;
    if (!computes || !f->issued) return SCALAR_VECTOR;
    n->counts.uniform++;
    n->counts.unplaced += !placed;
    if (!placed) return SCALAR_VECTOR;
    unsigned operands = (unsigned)s->result_values + s->source_values;
    if (n->options.irb_entries && operands > 0 && __builtin_popcount(f->uniform) == (int)operands &&
        s->source_values <= 3) {
        n->counts.lookups++;
        if (spared(n, s, operands, n->values[warp] + f->value_at)) {
            if (s->dst_count) n->everywhere[warp][s->dst[0]] = false;
            return SCALAR_REUSED;
        }
    }
    return n->options.converts ? SCALAR_CONVERTED : SCALAR_VECTOR;
}

enum scalar_how naive_scalar_issue(naive_scalar *n, unsigned warp, uint32_t lanes, uint64_t now) {
    while (!n->flow[warp]->issued) step(n, warp, now);
    const ws_static *s = &n->statics[n->flow[warp]->static_id];
    uint64_t spared = 0; /* if the instruction executes as a vector one: reads of lanes behind the first */
    for (int r = 0; r < REGISTERS; r++) {
        bool is_read = false;
        for (int i = 0; i < s->src_count; i++) is_read |= s->src[i] == r;
        if (is_read && n->renamed[warp][r] != NONE && !n->everywhere[warp][r])
            for (uint32_t lane = 1; lane < lanes; lane++) spared++;
    }
    enum scalar_how how = step(n, warp, now);
    if (how == SCALAR_VECTOR) n->counts.spared_reads += spared;
    n->counts.converted += how == SCALAR_CONVERTED;
    n->counts.reused += how == SCALAR_REUSED;
    return how;
}

bool naive_scalar_copies(naive_scalar *n, unsigned warp, uint64_t now) {
    while (!n->flow[warp]->issued) step(n, warp, now);
    const ws_static *s = &n->statics[n->flow[warp]->static_id];
    if (n->flow[warp]->all_lanes || n->flow[warp]->no_lane || s->dst_count == 0) return false;
    bool reads_it = false;
    for (int i = 0; i < s->src_count; i++) reads_it |= s->src[i] == s->dst[0];
    if (n->renamed[warp][s->dst[0]] == NONE || n->everywhere[warp][s->dst[0]] ||
        (n->options.copy == SCALAR_COPY_SOURCE && !reads_it))
        return false;
    give_back(n, warp, s->dst[0]);
    note(n, warp, s->dst[0], 'p', now);
    n->counts.copies++;
    return true;
}

/* Adds the cycles in which the value written by event `first` is live, and those of them in which a scalar register
 * holds it. */
static void live_from(naive_scalar *n, size_t first, uint64_t now) {
    const event *write = &n->events[first];
    uint64_t end = write->when; /* of the value's life: its last read before it is overwritten */
    for (size_t i = first + 1; i < n->event_count; i++) {
        const event *e = &n->events[i];
        if (e->run != write->run || e->reg != write->reg) continue;
        if (e->kind == 'w') break;
        if (e->kind == 'r') end = e->when;
    }
    assert_true(end <= now);
    for (uint64_t cycle = write->when; cycle < end; cycle++) {
        bool covered = false;
        for (size_t i = first; i < n->event_count && n->events[i].when <= cycle; i++)
            if (n->events[i].run == write->run && n->events[i].reg == write->reg)
                covered = n->events[i].covered;
        n->counts.live.live++;
        n->counts.live.covered += covered;
    }
}

/* True if the register was written before that event. */
static bool known(const naive_scalar *n, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (n->events[i].run == n->events[at].run && n->events[i].reg == n->events[at].reg &&
            n->events[i].kind != 'r')
            return true;
    return false;
}

scalar_counts naive_scalar_counts(naive_scalar *n, uint64_t now) {
    for (size_t i = 0; i < n->event_count; i++)
        if (n->events[i].kind == 'w' || (n->events[i].kind == 'p' && !known(n, i))) live_from(n, i, now);
    return n->counts;
}
