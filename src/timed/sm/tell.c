/* Calls to the taps that listen to an SM's warps. */
#include "timed/sm/core.h"

/* Returns the cycle from which the warp, which issued or started in cycle `before`, could issue its next instruction,
 * and what it waited for until then. */
static uint64_t ready_since(const ws_sm_waits *w, uint64_t before, enum ws_timed_wait *wait) {
    uint64_t ready = before;
    *wait = WS_TIMED_WAIT_ISSUE;
    for (int i = 0; i < WS_TIMED_WAIT_ISSUE; i++) {
        if (w->ended[i] <= ready) continue;
        ready = w->ended[i];
        *wait = (enum ws_timed_wait)i;
    }
    return ready;
}

void ws_tell_issue(const ws_engine *e, ws_sm *s, unsigned warp, const ws_timed_inst *inst) {
    const ws_sm_warp *w = &s->warps[warp];
    ws_sm_waits *waits = &s->waits[warp];
    uint64_t before = waits->issued > w->start ? waits->issued : w->start;
    enum ws_timed_wait wait;
    uint64_t ready = ready_since(waits, before, &wait);
    ws_timed_issue told = {.cycle = e->now - e->launched,
                           .ready = ready - e->launched,
                           .before = before - e->launched,
                           .wait = wait,
                           .sm = s->index,
                           .cta = s->cta_ordinal[w->cta_of],
                           .warp = w->id_in_cta,
                           .static_id = inst->static_id,
                           .lanes = inst->lanes};
    waits->issued = e->now;
    e->taps.issue(e->taps.self, &told);
}

void ws_tell_load(const ws_engine *e, const ws_sm *s, const ws_load *load, uint64_t cycles) {
    const ws_sm_warp *w = &s->warps[load->warp];
    uint64_t now = e->now - e->launched;
    ws_timed_load told = {.issued = now - cycles,
                          .cycle = now,
                          .warp_start = w->start - e->launched,
                          .sm = s->index,
                          .cta = s->cta_ordinal[w->cta_of],
                          .warp = w->id_in_cta,
                          .static_id = load->static_id,
                          .merged = load->merged};
    e->taps.load_end(e->taps.self, &told);
}

static uint32_t instructions_of(const ws_timed_cta *cta, uint32_t id) {
    for (uint32_t i = 0; i < cta->warp_count; i++)
        if (cta->warps[i].id == id) return cta->warps[i].inst_count;
    return 0;
}

void ws_tell_life(const ws_engine *e, const ws_sm *s, unsigned warp) {
    const ws_sm_warp *w = &s->warps[warp];
    ws_timed_warp_life life = {.sm = s->index,
                               .cta = s->cta_ordinal[w->cta_of],
                               .warp = w->id_in_cta,
                               .start = w->start - e->launched,
                               .end = e->now - e->launched,
                               .instructions = instructions_of(s->cta[w->cta_of], w->id_in_cta) +
                                               (w->tail ? w->tail->inst_count : 0)};
    e->taps.warp_end(e->taps.self, &life);
}
