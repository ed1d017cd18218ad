/* Which warps a scheduling policy lets issue at all, before a scheduler chooses among them (ws_sm.admitted).
 *
 * Static wavefront limiting: the oldest k warps of the SM, or of each scheduler, that have instructions left and do not
 * wait at a barrier. The next oldest steps in for a warp that waits there, since it may be waiting for warps behind the
 * limit.
 *
 * Two-level: an active set per scheduler. A warp that waits for a load, or at a barrier, leaves it. Warps that wait no
 * longer come back in the order in which they left. */
#include "base/bits.h"
#include "timed/sm/core.h"

/* ---- static wavefront limiting */

static uint64_t oldest_warps(const ws_sm *s, uint64_t warps, unsigned limit) {
    uint64_t oldest = 0;
    for (uint32_t i = 0; i < s->resident && limit; i++) {
        uint64_t of_cta = warps & s->cta_slots[s->by_age[i]];
        unsigned count = ws_count_bits(of_cta);
        if (count <= limit) {
            oldest |= of_cta;
            limit -= count;
            continue;
        }
        for (; limit; limit--) {
            uint64_t first = ws_bit(ws_sm_first_of(s, of_cta));
            oldest |= first;
            of_cta ^= first;
        }
    }
    return oldest;
}

/* As in GPGPU-Sim (swl_scheduler, shd_warp_t::waiting): warps that wait for something else than a register do not
 * count, and the one that has issued last goes first. */
static uint64_t oldest_of_schedulers(const ws_engine *e, const ws_sm *s) {
    uint64_t may = s->issuing & ~(s->barred | s->fencing | s->updating | s->copying), admitted = 0;
    for (unsigned k = 0; k < (unsigned)e->sm_params->schedulers; k++) {
        uint64_t mine = may & e->scheduler_slots[k];
        admitted |= oldest_warps(s, mine, (unsigned)e->core->swl_warps);
        if (s->last[k] != WS_NO_SLOT) admitted |= mine & ws_bit(s->last[k]);
    }
    return admitted;
}

/* ---- two levels */

/* Whether the instruction before the warp's next one is a load. */
static bool follows_load(const ws_engine *e, const ws_sm *s, unsigned warp) {
    if (s->warps[warp].inst == s->warps[warp].inst_first) return false;
    enum ws_memory_op op = (enum ws_memory_op)e->statics.at[s->warps[warp].inst[-1].static_id].op;
    return op == WS_MEMORY_LOAD || op == WS_MEMORY_ATOMIC;
}

/* Whether the warp waits until none of its earlier instructions is in flight, whatever registers they write. */
static bool waits_for_all(const ws_engine *e, const ws_sm *s, unsigned warp) {
    if (!e->one_in_flight || s->inserted >> warp & 1) return false;
    return !e->core_slot || !e->core_slot->waits_for_all || e->core_slot->waits_for_all(s->core, e, s, warp);
}

static bool waits_for_load(const ws_engine *e, const ws_sm *s, unsigned warp) {
    if (s->clear >> warp & 1) return false;
    if ((s->copying | s->updating) >> warp & 1) return true;
    if (e->run_ahead) return true; /* loads are all that such a warp waits for */
    const ws_register_sets *sets = ws_registers_of(e, s->warps[warp].inst->static_id);
    const uint64_t *loading = s->loading + (size_t)warp * e->statics.register_words;
    bool all = waits_for_all(e, s, warp);
    for (uint32_t w = 0; w < e->statics.register_words; w++)
        if (all ? loading[w] : loading[w] & sets[w].named) return true;
    return all && follows_load(e, s, warp); /* which may write no register */
}

/* Returns those of `warps` that wait for something long. */
static uint64_t long_waits(const ws_engine *e, const ws_sm *s, uint64_t warps) {
    uint64_t waiting = warps & s->barred;
    for (uint64_t rest = warps & ~s->barred; rest; rest &= rest - 1)
        if (waits_for_load(e, s, ws_lowest_bit(rest))) waiting |= rest & -rest;
    return waiting;
}

static void append(ws_pending_warps *p, uint64_t warps) {
    for (; warps; warps &= warps - 1) p->slot[p->count++] = (uint8_t)ws_lowest_bit(warps);
}

static void renew_active_set(const ws_engine *e, ws_sm *s, unsigned scheduler) {
    ws_pending_warps *p = &s->pending_warps[scheduler];
    uint64_t mine = s->issuing & e->scheduler_slots[scheduler], listed = 0;
    uint64_t leaving = long_waits(e, s, p->active & mine);
    p->active &= mine & ~leaving;
    uint8_t kept = 0;
    for (uint8_t i = 0; i < p->count; i++) {
        unsigned warp = p->slot[i];
        if (!(mine & ws_bit(warp))) continue;
        listed |= ws_bit(warp);
        bool enters = ws_count_bits(p->active) < e->core->active_warps && !long_waits(e, s, ws_bit(warp));
        if (enters)
            p->active |= ws_bit(warp);
        else
            p->slot[kept++] = (uint8_t)warp;
    }
    p->count = kept;
    append(p, leaving);
    append(p, mine & ~(p->active | listed | leaving)); /* new warps, by slot */
}

/* ---- both */

void ws_sm_admit(const ws_engine *e, ws_sm *s) {
    switch ((enum ws_scheduler)e->sm_params->scheduler) {
    case WS_SCHEDULER_LRR:
    case WS_SCHEDULER_GTO:
        return;
    case WS_SCHEDULER_SWL:
        s->admitted = e->core->swl_scope == WS_SWL_OF_SCHEDULER
                          ? oldest_of_schedulers(e, s)
                          : oldest_warps(s, s->issuing & ~s->barred, (unsigned)e->core->swl_warps);
        return;
    case WS_SCHEDULER_TWO_LEVEL:
        s->admitted = 0;
        for (unsigned k = 0; k < (unsigned)e->sm_params->schedulers; k++) {
            renew_active_set(e, s, k);
            s->admitted |= s->pending_warps[k].active;
        }
    }
}
