/* Operand collectors that the instructions of a scheduler share (core.collectors).
 *
 * An instruction is issued into a latch, of which a scheduler has one for each kind of unit. It goes on, the oldest of
 * its kind first, once its scheduler has a free collector; there it reads its operands, one in each half of a cycle.
 * Then it goes to the register in front of its unit, of which a scheduler has one for each kind, too (for memory
 * instructions core.memory_queue says how many); of a scheduler's collectors the first goes first. So one that lies in
 * a later collector waits as long as others come to the first, and when a unit stands still collectors fill up, and
 * nothing of the scheduler goes on, nor what waits behind it.
 *
 * As in GPGPU-Sim's sub-core model with generic collectors (opndcoll_rfu_t), without conflicts of register banks. */
#include "timed/engine.h"

static uint32_t bit(unsigned scheduler) {
    return 1u << scheduler;
}

bool ws_collect_fits(const ws_engine *e, ws_error *err) {
    const ws_core_params *core = e->core;
    if (!core->collectors) return true;
    if (core->memory_ports != e->sm_params->schedulers)
        return ws_fail(err, WS_ERROR_SPEC,
                       "core.collectors: expects a memory port for each scheduler, found core.memory_ports = "
                       "%lld and sm.schedulers = %lld",
                       (long long)core->memory_ports, (long long)e->sm_params->schedulers);
    int64_t least = core->memory_ports * (core->collectors + 2);
    return core->memory_queue >= least ||
           ws_fail(err, WS_ERROR_SPEC,
                   "core.memory_queue: expected at least core.memory_ports x (core.collectors + 2) = %lld, "
                   "found %lld",
                   (long long)least, (long long)core->memory_queue);
}

static unsigned schedulers_of(const ws_engine *e) {
    return (unsigned)e->sm_params->schedulers;
}

/* In GPGPU-Sim's order. */
static const uint8_t unit_at[] = {WS_UNIT_FP, WS_UNIT_SFU, WS_UNIT_MEMORY, WS_UNIT_TENSOR,
                                  WS_UNIT_DP, WS_UNIT_INT, WS_UNIT_BRANCH};
static const uint8_t place_of[] = {
    [WS_UNIT_FP] = 0, [WS_UNIT_SFU] = 1, [WS_UNIT_MEMORY] = 2, [WS_UNIT_TENSOR] = 3,
    [WS_UNIT_DP] = 4, [WS_UNIT_INT] = 5, [WS_UNIT_BRANCH] = 6};

/* ---- issue */

void ws_collect_issue(const ws_engine *e, ws_sm *s, unsigned unit, const ws_latched *inst) {
    ws_collectors *c = &s->collectors;
    c->latches[unit] |= bit(inst->scheduler);
    c->latched[unit][c->latched_count[unit]++] = *inst;
    c->waiting |= bit(place_of[unit]);
    c->next = e->now + 1;
}

void ws_collect_memory(const ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    m->station = WS_STATION_LATCH;
    m->serial = ++s->collectors.serial;
    ws_latched inst = {.static_id = m->static_id,
                       .serial = m->serial,
                       .scheduler = m->scheduler,
                       .operands = ws_operands_of(&e->statics[m->static_id])};
    ws_collect_issue(e, s, WS_UNIT_MEMORY, &inst);
}

static ws_memory_inst *memory_at(const ws_sm *s, uint32_t i) {
    return &s->memory[(s->memory_first + i) % s->memory_room];
}

static ws_memory_inst *memory_inst(const ws_sm *s, const ws_latched *inst) {
    uint32_t i = 0;
    while (memory_at(s, i)->serial != inst->serial) i++;
    return memory_at(s, i);
}

/* ---- from the collectors to the units */

static bool memory_leaves(ws_engine *e, ws_sm *s, const ws_latched *inst) {
    const ws_core_params *core = e->core;
    uint32_t room = (uint32_t)(core->memory_queue / core->memory_ports - 1 - core->collectors);
    if (s->collectors.behind[inst->scheduler] == room) return false;
    s->collectors.behind[inst->scheduler]++;
    ws_memory_inst *m = memory_inst(s, inst);
    m->station = WS_STATION_BEHIND;
    m->arrives = e->now + 1;
    return true;
}

static bool arithmetic_leaves(ws_engine *e, ws_sm *s, unsigned unit, ws_latched *inst) {
    uint64_t *register_free = &s->collectors.register_free[unit][inst->scheduler];
    if (*register_free > e->now) return false;
    *register_free = ws_sm_collected(e, s, unit, inst);
    return true;
}

static bool leave_collectors(ws_engine *e, ws_sm *s, uint64_t half) {
    bool moved = false;
    for (unsigned k = 0; k < schedulers_of(e); k++)
        for (uint32_t rest = s->collectors.taken[k]; rest; rest &= rest - 1) {
            ws_collector *c = &s->collectors.of[k][__builtin_ctz(rest)];
            if (c->ready > half) continue;
            bool leaves = c->unit == WS_UNIT_MEMORY ? memory_leaves(e, s, &c->inst)
                                                    : arithmetic_leaves(e, s, c->unit, &c->inst);
            if (leaves) s->collectors.taken[k] ^= rest & -rest;
            moved |= leaves;
        }
    return moved;
}

/* ---- from the latches to the collectors */

/* The oldest for the unit finds a collector, or those behind it wait, too. */
static bool enter(ws_engine *e, ws_sm *s, unsigned unit, uint64_t half) {
    ws_collectors *c = &s->collectors;
    ws_latched *latched = c->latched[unit], first = latched[0];
    unsigned free = (unsigned)__builtin_ctz(~c->taken[first.scheduler]);
    if (free >= (unsigned)e->core->collectors) return false;
    ws_sm_touch(e, s);
    c->taken[first.scheduler] |= 1u << free;
    c->of[first.scheduler][free] =
        (ws_collector){.unit = (uint8_t)unit, .ready = half + first.operands + 1, .inst = first};
    if (unit == WS_UNIT_MEMORY) memory_inst(s, &first)->station = WS_STATION_COLLECTOR;
    c->latches[unit] &= ~bit(first.scheduler);
    c->latched_count[unit]--;
    for (unsigned i = 0; i < c->latched_count[unit]; i++) latched[i] = latched[i + 1];
    if (!c->latched_count[unit]) c->waiting &= ~bit(place_of[unit]);
    return true;
}

/* One for each kind of unit after the other, until none goes on. */
static bool enter_collectors(ws_engine *e, ws_sm *s, uint64_t half) {
    bool any = false;
    for (bool moved = true; moved && s->collectors.waiting; any |= moved) {
        moved = false;
        for (uint32_t rest = s->collectors.waiting; rest; rest &= rest - 1)
            moved |= enter(e, s, unit_at[__builtin_ctz(rest)], half);
    }
    return any;
}

/* ---- their turn */

/* When the next has its operands, or the register that it waits for; the load/store unit says itself when it has room.
 */
static uint64_t next_leaving(const ws_engine *e, const ws_sm *s) {
    const ws_collectors *c = &s->collectors;
    uint64_t next = WS_NEVER;
    for (unsigned k = 0; k < schedulers_of(e); k++)
        for (uint32_t rest = c->taken[k]; rest; rest &= rest - 1) {
            const ws_collector *collector = &c->of[k][__builtin_ctz(rest)];
            uint64_t when = collector->ready / 2, free = c->register_free[collector->unit][k];
            if (when < free) when = free;
            if (when > e->now) next = ws_earlier(next, when);
        }
    return next;
}

void ws_collect_step(ws_engine *e, ws_sm *s) {
    if (e->now < s->collectors.next) return;
    bool moved = false;
    for (uint64_t half = 2 * e->now; half <= 2 * e->now + 1; half++) {
        moved |= leave_collectors(e, s, half);
        moved |= enter_collectors(e, s, half);
    }
    s->collectors.next = moved ? e->now + 1 : next_leaving(e, s);
}

bool ws_collect_take(const ws_engine *e, ws_sm *s) {
    for (uint32_t i = 0; i < s->memory_count; i++) {
        ws_memory_inst *m = memory_at(s, i);
        if (m->station != WS_STATION_BEHIND || m->arrives > e->now) continue;
        m->station = WS_STATION_UNIT;
        m->arrives = e->now + 1;
        s->collectors.behind[m->scheduler]--;
        s->collectors.next = e->now; /* their turn in this cycle is still to come */
        return true;
    }
    return false;
}
