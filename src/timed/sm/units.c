/* An SM's execution units other than the load/store unit: until when they are busy. */
#include "timed/sm/core.h"

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

/* Ends of the present and the next 63 cycles, nearly all there are, are near: these are sets of cycles. Far ones wait
 * in a queue until they are near. */
enum { NEAR = WS_ENDS_NEAR };

/* A unit of an SM, in the present cycle. */
typedef struct place {
    const ws_engine *e;
    ws_sm *s;
    unsigned unit, which;
} place;

static uint32_t number_of(const place *p) {
    return p->unit * WS_UNITS_MAX + p->which;
}

/* Brings the unit's near ends up to the present cycle. */
static ws_unit_ends *near_ends(const place *p) {
    ws_unit_ends *ends = &p->s->collectors.ends[p->unit][p->which];
    uint64_t passed = p->e->now - ends->from;
    ends->set = passed < NEAR ? ends->set >> passed : 0;
    ends->from = p->e->now;
    return ends;
}

/* Returns how many result buses are taken in a near cycle. */
static uint64_t buses_taken(const ws_sm *s, uint64_t cycle) {
    const ws_bus_ends *ends = &s->collectors.buses[cycle % NEAR];
    return ends->cycle == cycle ? ends->count : 0;
}

static void note_near(const place *p, uint64_t cycle) {
    near_ends(p)->set |= UINT64_C(1) << (cycle - p->e->now);
    p->s->collectors.buses[cycle % NEAR] =
        (ws_bus_ends){.cycle = cycle, .count = buses_taken(p->s, cycle) + 1};
}

static bool is_free_near(const place *p, uint64_t cycle) {
    bool ends = near_ends(p)->set >> (cycle - p->e->now) & 1;
    return !ends && buses_taken(p->s, cycle) < p->e->collecting.buses;
}

static bool is_free_far(const place *p, uint64_t cycle) {
    const ws_queue *far = &p->s->collectors.far_ends;
    uint64_t taken = 0;
    for (uint32_t i = 0; i < far->count; i++) {
        const ws_queued *end = ws_queue_behind(far, i);
        if (end->when != cycle) continue;
        if (end->id == number_of(p)) return false;
        taken++;
    }
    return taken < p->e->collecting.buses;
}

/* Takes over the far ends that are near now. */
static void let_near(const ws_engine *e, ws_sm *s) {
    ws_queue *far = &s->collectors.far_ends;
    while (ws_queue_ready(far, e->now + NEAR - 1)) {
        uint64_t cycle = far->when;
        uint32_t number = ws_queue_pop(far);
        place p = {.e = e, .s = s, .unit = number / WS_UNITS_MAX, .which = number % WS_UNITS_MAX};
        if (cycle >= e->now) note_near(&p, cycle);
    }
}

/* Whether an instruction may end in that cycle in the unit, and on a bus. */
static bool may_end(const place *p, uint64_t cycle) {
    return cycle - p->e->now < NEAR ? is_free_near(p, cycle) : is_free_far(p, cycle);
}

static void note_end(ws_engine *e, const place *p, uint64_t cycle) {
    if (cycle - e->now < NEAR)
        note_near(p, cycle);
    else if (!ws_queue_insert(&p->s->collectors.far_ends, number_of(p), 1, cycle))
        e->failed = true;
}

bool ws_unit_begins(ws_engine *e, ws_sm *s, unsigned unit, unsigned which, const ws_issue *how) {
    if (s->unit_free[unit][which] > e->now) return false;
    place p = {.e = e, .s = s, .unit = unit, .which = which};
    let_near(e, s);
    if (!may_end(&p, e->now + how->latency)) return false;
    s->unit_free[unit][which] = e->now + how->unit_cycles;
    note_end(e, &p, e->now + how->latency);
    return true;
}
