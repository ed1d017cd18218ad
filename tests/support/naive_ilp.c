#include "naive_ilp.h"

#include <stddef.h>

static unsigned entries_of(unsigned dst_count) {
    return dst_count > 1 ? dst_count : 1;
}

unsigned naive_ilp_used(const naive_ilp *n) {
    unsigned used = 0;
    for (unsigned i = 0; i < NAIVE_ILP_MAX; i++)
        if (n->at[i].in_flight && n->at[i].boarded) used += entries_of(n->at[i].dst_count);
    return used;
}

static bool writes(const naive_ilp_inst *i, uint16_t reg) {
    for (unsigned d = 0; d < i->dst_count; d++)
        if (i->dst[d] == reg) return true;
    return false;
}

/* The youngest instruction of the warp in the board that writes the register. */
static const naive_ilp_inst *last_writer(const naive_ilp *n, unsigned warp, uint16_t reg) {
    const naive_ilp_inst *last = NULL;
    for (unsigned i = 0; i < NAIVE_ILP_MAX; i++) {
        const naive_ilp_inst *other = &n->at[i];
        if (!other->in_flight || !other->boarded || other->warp != warp || !writes(other, reg)) continue;
        if (!last || other->order > last->order) last = other;
    }
    return last;
}

enum ilp_wait naive_ilp_wait(const naive_ilp *n, unsigned warp, const ilp_inst *inst) {
    bool any = false, stores = false;
    for (unsigned i = 0; i < NAIVE_ILP_MAX; i++) {
        const naive_ilp_inst *other = &n->at[i];
        if (!other->in_flight || other->warp != warp) continue;
        if (!other->boarded) return ILP_WAITS_ALONE;
        any = true;
        stores |= other->kind == ILP_STORE;
    }
    for (unsigned r = inst->dst_count; r < inst->reg_count; r++) {
        const naive_ilp_inst *writer = last_writer(n, warp, inst->regs[r]);
        if (writer && !writer->readable) return ILP_WAITS_OPERAND;
    }
    for (unsigned r = 0; r < inst->dst_count; r++) {
        const naive_ilp_inst *writer = last_writer(n, warp, inst->regs[r]);
        for (unsigned lane = 0; writer && lane < 64; lane++)
            if (writer->mask >> lane & 1 && !(inst->mask >> lane & 1)) return ILP_WAITS_OVERWRITE;
    }
    if (inst->kind == ILP_STORE && any) return ILP_WAITS_MEMORY;
    if (inst->kind == ILP_LOAD && stores) return ILP_WAITS_MEMORY;
    if (any && naive_ilp_used(n) + entries_of(inst->dst_count) > n->size) return ILP_WAITS_ENTRY;
    return ILP_READY;
}

unsigned naive_ilp_issue(naive_ilp *n, unsigned warp, const ilp_inst *inst) {
    unsigned at = 0;
    while (n->at[at].in_flight) at++;
    naive_ilp_inst *new = &n->at[at];
    bool boarded = naive_ilp_used(n) + entries_of(inst->dst_count) <= n->size;
    *new = (naive_ilp_inst){.in_flight = true,
                            .boarded = boarded,
                            .warp = warp,
                            .order = n->issued++,
                            .dst_count = inst->dst_count,
                            .kind = inst->kind,
                            .mask = inst->mask};
    for (unsigned d = 0; d < inst->dst_count; d++) new->dst[d] = inst->regs[d];
    return at;
}

unsigned naive_ilp_any(const naive_ilp *n, unsigned start) {
    for (unsigned i = 0; i < NAIVE_ILP_MAX; i++) {
        unsigned at = (start + i) % NAIVE_ILP_MAX;
        if (n->at[at].in_flight && !n->at[at].complete) return at;
    }
    return NAIVE_ILP_MAX;
}

/* An instruction without an entry holds its warp back until its result can be read; then it leaves the list. */
void naive_ilp_mark(naive_ilp *n, unsigned at, bool complete) {
    n->at[at].readable = true;
    n->at[at].complete |= complete;
    if (!n->at[at].boarded) n->at[at].in_flight = false;
}

bool naive_ilp_commit(naive_ilp *n, unsigned warp) {
    naive_ilp_inst *oldest = NULL;
    for (unsigned i = 0; i < NAIVE_ILP_MAX; i++) {
        naive_ilp_inst *other = &n->at[i];
        if (!other->in_flight || !other->boarded || other->warp != warp) continue;
        if (!oldest || other->order < oldest->order) oldest = other;
    }
    if (!oldest || !oldest->complete) return false;
    oldest->in_flight = false;
    return true;
}

/* ---- a core, cycle by cycle */

enum { WARPS_MAX = 8 };

typedef struct flight {
    bool used, unresolved;
    unsigned at; /* place in the list of instructions; NAIVE_ILP_MAX once it has left that */
    unsigned warp;
    uint64_t readable, complete; /* cycles */
} flight;

static ilp_inst inst_of(const generate_inst *i, uint16_t regs[3]) {
    ilp_inst inst = {.regs = regs, .dst_count = i->dst != 0, .kind = ILP_ALU, .mask = i->mask};
    if (i->dst) regs[inst.reg_count++] = i->dst;
    if (i->a) regs[inst.reg_count++] = i->a;
    if (i->b) regs[inst.reg_count++] = i->b;
    return inst;
}

static void results(naive_ilp *n, flight *flights, uint64_t now) {
    for (unsigned f = 0; f < NAIVE_ILP_MAX; f++) {
        flight *l = &flights[f];
        if (!l->used || (now != l->readable && now != l->complete)) continue;
        bool boarded = l->at != NAIVE_ILP_MAX && n->at[l->at].boarded;
        if (l->at != NAIVE_ILP_MAX) naive_ilp_mark(n, l->at, now == l->complete);
        if (!boarded) l->at = NAIVE_ILP_MAX;
        if (now == l->complete) l->used = false;
    }
}

static bool unresolved(const flight *flights, unsigned warp) {
    for (unsigned f = 0; f < NAIVE_ILP_MAX; f++)
        if (flights[f].used && flights[f].unresolved && flights[f].warp == warp) return true;
    return false;
}

uint64_t naive_ilp_run(const naive_ilp_core *core, const generate_inst *const *warps) {
    static flight flights[NAIVE_ILP_MAX];
    static naive_ilp n;
    n = (naive_ilp){.size = core->entries};
    for (unsigned f = 0; f < NAIVE_ILP_MAX; f++) flights[f].used = false;
    const generate_inst *next[WARPS_MAX];
    unsigned count = 0, last = 0;
    for (; warps[count]; count++) next[count] = warps[count];
    last = count - 1; /* so that warp 0 goes first */
    for (uint64_t now = 0;; now++) {
        results(&n, flights, now);
        bool busy = false;
        for (unsigned w = 0; w < count; w++) naive_ilp_commit(&n, w);
        for (unsigned f = 0; f < NAIVE_ILP_MAX; f++) busy |= flights[f].used || n.at[f].in_flight;
        for (unsigned w = 0; w < count; w++) busy |= next[w]->kind != 0;
        if (!busy) return now;
        for (unsigned k = 1; k <= count; k++) {
            unsigned w = (last + k) % count;
            uint16_t regs[3];
            if (!next[w]->kind || unresolved(flights, w)) continue;
            ilp_inst inst = inst_of(next[w], regs);
            if (naive_ilp_wait(&n, w, &inst) != ILP_READY) continue;
            bool jumps = next[w]->kind == 'j';
            unsigned at = naive_ilp_issue(&n, w, &inst), f = 0;
            while (flights[f].used) f++;
            flights[f] =
                (flight){.used = true,
                         .at = at,
                         .warp = w,
                         .unresolved = jumps && !core->predicts,
                         .complete = now + (jumps ? core->branch_latency : core->latency) + core->pipeline};
            flights[f].readable =
                core->bypasses && !jumps && inst.dst_count ? now + core->latency : UINT64_MAX;
            if (jumps && core->predicts && !n.at[at].boarded) {
                naive_ilp_mark(&n, at, false);
                flights[f].at = NAIVE_ILP_MAX;
            }
            next[w]++;
            last = w;
            break;
        }
    }
}
