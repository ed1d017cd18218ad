/* Operand collectors that the instructions of a scheduler share (core.collectors).
 *
 * An instruction is issued into a latch, of which a scheduler has one for each kind of unit; it goes on, the oldest of
 * its kind first, once its scheduler has a free collector. Arithmetic leaves the collector at once, since units have
 * queues. A memory instruction holds it until there is room for it in front of the load/store unit; so when that
 * stands still, collectors fill up, and then nothing of the scheduler goes on, nor what waits behind it. */
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

/* ---- arithmetic */

bool ws_collect_waits(const ws_engine *e, const ws_sm *s, unsigned unit, unsigned scheduler) {
    const ws_collectors *c = &s->collectors;
    if (c->latches[unit] & bit(scheduler)) return false;
    return c->latched_count[unit] || c->held[scheduler] >= (uint32_t)e->core->collectors;
}

void ws_collect_latch(ws_sm *s, unsigned unit, const ws_latched *inst) {
    ws_collectors *c = &s->collectors;
    c->latches[unit] |= bit(inst->scheduler);
    c->latched[unit][c->latched_count[unit]++] = *inst;
}

/* Those of a kind go on as long as the oldest finds a collector. */
static void collect_arithmetic(ws_engine *e, ws_sm *s, unsigned unit) {
    ws_collectors *c = &s->collectors;
    unsigned count = c->latched_count[unit], done = 0;
    while (done < count && c->held[c->latched[unit][done].scheduler] < (uint32_t)e->core->collectors) {
        ws_latched *inst = &c->latched[unit][done++];
        c->latches[unit] &= ~bit(inst->scheduler);
        ws_sm_execute(e, s, unit, inst);
    }
    for (unsigned i = done; i < count; i++) c->latched[unit][i - done] = c->latched[unit][i];
    c->latched_count[unit] -= (uint8_t)done;
}

/* ---- memory instructions */

static ws_memory_inst *memory_at(ws_sm *s, uint32_t i) {
    return &s->memory[(s->memory_first + i) % s->memory_room];
}

static void leave_collectors(ws_engine *e, ws_sm *s) {
    ws_collectors *c = &s->collectors;
    const ws_core_params *core = e->core;
    uint32_t room = (uint32_t)(core->memory_queue / core->memory_ports - 1 - core->collectors);
    for (uint32_t i = 0; i < s->memory_count; i++) {
        ws_memory_inst *m = memory_at(s, i);
        if (m->station != WS_STATION_COLLECTOR || c->behind[m->scheduler] == room) continue;
        m->station = WS_STATION_BEHIND;
        c->held[m->scheduler]--;
        c->behind[m->scheduler]++;
    }
}

static void enter_collectors(ws_engine *e, ws_sm *s) {
    ws_collectors *c = &s->collectors;
    for (uint32_t i = 0; i < s->memory_count; i++) {
        ws_memory_inst *m = memory_at(s, i);
        if (m->station != WS_STATION_LATCH) continue;
        if (c->held[m->scheduler] == (uint32_t)e->core->collectors) break; /* and those behind it wait, too */
        m->station = WS_STATION_COLLECTOR;
        c->held[m->scheduler]++;
        c->latches[WS_UNIT_MEMORY] &= ~bit(m->scheduler);
    }
    leave_collectors(e, s);
}

void ws_collect_memory(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    m->station = WS_STATION_LATCH;
    s->collectors.latches[WS_UNIT_MEMORY] |= bit(m->scheduler);
    enter_collectors(e, s);
}

void ws_collect_begun(ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    m->station = WS_STATION_UNIT;
    s->collectors.behind[m->scheduler]--;
    ws_sm_touch(e, s);
    leave_collectors(e, s);
    for (unsigned unit = 0; unit < WS_UNIT_COUNT; unit++)
        if (s->collectors.latched_count[unit]) collect_arithmetic(e, s, unit);
    enter_collectors(e, s);
}
