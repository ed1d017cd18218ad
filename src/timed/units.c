/* An SM's execution units other than the load/store unit: until when they are busy. */
#include "timed/engine.h"

void ws_units_init(ws_engine *e) {
    const ws_core_params *c = e->core;
    const int64_t units[WS_UNIT_COUNT][2] = {[WS_UNIT_INT] = {c->int_units, c->int_interval},
                                             [WS_UNIT_FP] = {c->fp_units, c->fp_interval},
                                             [WS_UNIT_DP] = {c->dp_units, c->dp_interval},
                                             [WS_UNIT_SFU] = {c->sfu_units, c->sfu_interval},
                                             [WS_UNIT_TENSOR] = {c->tensor_units, c->tensor_interval},
                                             [WS_UNIT_BRANCH] = {c->branch_units, c->branch_interval},
                                             [WS_UNIT_UNIFORM] = {c->uniform_units, c->uniform_interval},
                                             [WS_UNIT_MEMORY] = {1, 1}};
    for (unsigned u = 0; u < WS_UNIT_COUNT; u++) {
        e->units[u] = (uint32_t)units[u][0];
        e->unit_slack[u] = (uint64_t)(c->unit_queue * units[u][1]);
    }
}

/* Returns the unit of that kind that this scheduler may use and that is free first. */
static unsigned first_free(const ws_engine *e, const ws_sm *s, unsigned unit, unsigned scheduler) {
    if (e->collecting.units_apart[unit]) return scheduler;
    const uint64_t *free_at = s->unit_free[unit];
    unsigned best = 0;
    for (unsigned i = 1; i < e->units[unit]; i++)
        if (free_at[i] < free_at[best]) best = i;
    return best;
}

bool ws_unit_takes(const ws_engine *e, const ws_sm *s, unsigned unit, unsigned scheduler) {
    return s->unit_free[unit][first_free(e, s, unit, scheduler)] < e->now + e->unit_slack[unit];
}

uint64_t ws_unit_take(const ws_engine *e, ws_sm *s, unsigned unit, unsigned scheduler, uint32_t cycles,
                      uint64_t when) {
    uint64_t *free_at = &s->unit_free[unit][first_free(e, s, unit, scheduler)];
    uint64_t start = *free_at > when ? *free_at : when;
    *free_at = start + cycles;
    return start;
}

/* ---- with operand collectors: no two instructions end in the same cycle in a unit, nor on a result bus */

/* Cycles of ends are counted from the present one; those more than 63 cycles ahead are not kept. */
enum { KEPT = WS_ENDS_AHEAD };

/* Returns the set of cycles in which instructions of the unit end. */
static uint64_t ends_from_now(const ws_engine *e, ws_unit_ends *ends) {
    uint64_t passed = e->now - ends->from;
    ends->set = passed < KEPT ? ends->set >> passed : 0;
    ends->from = e->now;
    return ends->set;
}

/* Returns how many result buses are taken in the cycle. */
static uint64_t buses_taken(const ws_sm *s, uint64_t cycle) {
    const ws_bus_ends *ends = &s->collectors.buses[cycle % KEPT];
    return ends->cycle == cycle ? ends->count : 0;
}

/* Whether an instruction may end that many cycles ahead in a unit with these ends, and on a bus. */
static bool may_end(const ws_engine *e, const ws_sm *s, uint64_t ends, uint64_t ahead) {
    return ahead >= KEPT || !(ends >> ahead & 1 || buses_taken(s, e->now + ahead) == e->collecting.buses);
}

static void note_end(const ws_engine *e, ws_sm *s, ws_unit_ends *ends, uint64_t ahead) {
    if (ahead >= KEPT) return;
    uint64_t cycle = e->now + ahead;
    ends->set |= UINT64_C(1) << ahead;
    s->collectors.buses[cycle % KEPT] = (ws_bus_ends){.cycle = cycle, .count = buses_taken(s, cycle) + 1};
}

bool ws_unit_begins(const ws_engine *e, ws_sm *s, unsigned unit, unsigned which, const ws_issue *how) {
    ws_unit_ends *ends = &s->collectors.ends[unit][which];
    if (s->unit_free[unit][which] > e->now || !may_end(e, s, ends_from_now(e, ends), how->latency))
        return false;
    s->unit_free[unit][which] = e->now + how->unit_cycles;
    note_end(e, s, ends, how->latency);
    return true;
}

uint64_t ws_unit_take_next(const ws_engine *e, ws_sm *s, unsigned unit, unsigned scheduler,
                           const ws_issue *how) {
    unsigned which = first_free(e, s, unit, scheduler);
    ws_unit_ends *ends = &s->collectors.ends[unit][which];
    uint64_t *free_at = &s->unit_free[unit][which], start = e->now + 1 > *free_at ? e->now + 1 : *free_at;
    uint64_t taken = ends_from_now(e, ends), ahead = start - e->now + how->latency;
    while (!may_end(e, s, taken, ahead)) ahead++;
    note_end(e, s, ends, ahead);
    start = e->now + ahead - how->latency;
    *free_at = start + how->unit_cycles;
    return start;
}
