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

/* Whether each scheduler has a unit of this kind for itself. */
static bool are_apart(const ws_engine *e, unsigned unit) {
    return e->core->sub_cores && e->units[unit] == (uint32_t)e->sm_params->schedulers;
}

/* Returns the unit of that kind that this scheduler may use and that is free first. */
static unsigned first_free(const ws_engine *e, const ws_sm *s, unsigned unit, unsigned scheduler) {
    if (are_apart(e, unit)) return scheduler;
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

/* Returns the set of cycles, counted from the present one, in which instructions end; those more than 63 cycles ahead
 * are not kept. */
static uint64_t ends_from_now(const ws_engine *e, ws_unit_ends *ends) {
    uint64_t passed = e->now - ends->from;
    ends->set = passed < 64 ? ends->set >> passed : 0;
    ends->from = e->now;
    return ends->set;
}

/* Returns a result bus that is free in the cycles `end`, or NULL. */
static ws_unit_ends *find_bus(const ws_engine *e, ws_sm *s, uint64_t end) {
    for (int64_t i = 0; i < e->core->result_buses; i++)
        if (!(ends_from_now(e, &s->collectors.buses[i]) & end)) return &s->collectors.buses[i];
    return NULL;
}

static inline bool begins(const ws_engine *e, ws_sm *s, unsigned unit, unsigned which, const ws_issue *how,
                          uint64_t cycle) {
    ws_unit_ends *ends = &s->collectors.ends[unit][which];
    uint64_t ahead = cycle - e->now + how->latency, end = ahead < 64 ? UINT64_C(1) << ahead : 0;
    if (s->unit_free[unit][which] > cycle || ends_from_now(e, ends) & end) return false;
    ws_unit_ends *bus = find_bus(e, s, end);
    if (!bus) return false;
    s->unit_free[unit][which] = cycle + how->unit_cycles;
    ends->set |= end;
    bus->set |= end;
    return true;
}

bool ws_unit_begins(const ws_engine *e, ws_sm *s, unsigned unit, unsigned which, const ws_issue *how,
                    uint64_t cycle) {
    return begins(e, s, unit, which, how, cycle);
}

uint64_t ws_unit_take_next(const ws_engine *e, ws_sm *s, unsigned unit, unsigned scheduler,
                           const ws_issue *how, uint64_t when) {
    unsigned which = first_free(e, s, unit, scheduler);
    if (when < s->unit_free[unit][which]) when = s->unit_free[unit][which];
    while (!begins(e, s, unit, which, how, when)) when++;
    return when;
}
