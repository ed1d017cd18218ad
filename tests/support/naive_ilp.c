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
        if (!other->boarded) return ILP_WAITS_ENTRY;
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

/* Without an entry it holds its warp back until it can be read. */
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
