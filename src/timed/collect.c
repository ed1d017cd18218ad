/* Operand collectors that the instructions of a scheduler share (core.collectors).
 *
 * An instruction is issued into a latch, of which a scheduler has one for each kind of unit. It goes on, the oldest of
 * its kind first, once its scheduler has a free collector; there it reads its operands, of which a register bank gives
 * one in each half of a cycle, the first come first, unless a result is written to it.
 * Then it goes to the register in front of its unit, of which a scheduler has one for each kind, too (for memory
 * instructions core.memory_queue says how many); of a scheduler's collectors the first goes first. So one that lies in
 * a later collector waits as long as others come to the first, and when a unit stands still collectors fill up, and
 * nothing of the scheduler goes on, nor what waits behind it.
 *
 * As in GPGPU-Sim's sub-core model with generic collectors (opndcoll_rfu_t). */
#include "timed/engine.h"

#include <string.h>

static uint32_t bit(unsigned i) {
    return 1u << i;
}

bool ws_collect_fits(const ws_engine *e, ws_error *err) {
    const ws_core_params *core = e->core;
    if (!core->collectors) return true;
    if (core->memory_ports != e->sm_params->schedulers)
        return ws_fail(err, WS_ERROR_SPEC,
                       "core.collectors: expects a memory port for each scheduler, found core.memory_ports = "
                       "%lld and sm.schedulers = %lld",
                       (long long)core->memory_ports, (long long)e->sm_params->schedulers);
    int64_t schedulers = e->sm_params->schedulers, banks = core->register_banks / schedulers;
    if (core->register_banks % schedulers || banks > WS_REGISTER_BANKS_MAX)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "core.register_banks: expected a multiple of sm.schedulers = %lld, at most %d for each, "
            "found %lld",
            (long long)schedulers, WS_REGISTER_BANKS_MAX, (long long)core->register_banks);
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
    c->latches[inst->scheduler] |= bit(unit);
    c->latched[unit][c->latched_count[unit]++] = *inst;
    c->waiting |= bit(place_of[unit]);
    c->next = e->now + 1;
}

void ws_collect_memory(const ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    m->station = WS_STATION_LATCH;
    m->serial = ++s->collectors.serial;
    ws_latched inst = {.static_id = m->static_id,
                       .serial = m->serial,
                       .warp = m->warp,
                       .scheduler = m->scheduler,
                       .reads = e->statics[m->static_id].reads};
    ws_collect_issue(e, s, WS_UNIT_MEMORY, &inst);
}

static ws_memory_inst *memory_inst(const ws_sm *s, const ws_latched *inst) {
    uint32_t i = 0;
    while (ws_sm_memory(s, i)->serial != inst->serial) i++;
    return ws_sm_memory(s, i);
}

/* ---- from the collectors to the units */

/* One of the scheduler's may leave from this half of a cycle on. */
static void note_leaving(ws_collectors *c, unsigned scheduler, uint64_t half) {
    c->soonest_of[scheduler] = ws_earlier(c->soonest_of[scheduler], half);
    c->soonest = ws_earlier(c->soonest, half);
}

/* Each answers from which half of a cycle on the register in front of its unit may be free for the
 * instruction; 0: it has left. The load/store unit says itself when it has room (ws_collect_take). */
static uint64_t memory_leaves(ws_engine *e, ws_sm *s, const ws_latched *inst) {
    const ws_core_params *core = e->core;
    uint32_t room = (uint32_t)(core->memory_queue / core->memory_ports - 1 - core->collectors);
    if (s->collectors.behind[inst->scheduler] == room) return WS_NEVER;
    s->collectors.behind[inst->scheduler]++;
    s->collectors.all_behind++;
    ws_memory_inst *m = memory_inst(s, inst);
    m->station = WS_STATION_BEHIND;
    m->arrives = e->now + 1;
    return 0;
}

static uint64_t arithmetic_leaves(ws_engine *e, ws_sm *s, unsigned unit, ws_latched *inst) {
    uint64_t *register_free = &s->collectors.register_free[unit][inst->scheduler];
    if (*register_free > e->now) return 2 * *register_free;
    *register_free = ws_sm_collected(e, s, unit, inst);
    return 0;
}

/* A scheduler's collectors: one that must wait says until when at least. */
static bool leave_collectors_of(ws_engine *e, ws_sm *s, unsigned scheduler, uint64_t half) {
    ws_collectors *c = &s->collectors;
    uint32_t taken = c->taken[scheduler];
    uint64_t soonest = WS_NEVER;
    for (uint32_t rest = taken; rest; rest &= rest - 1) {
        ws_collector *from = &c->of[scheduler][__builtin_ctz(rest)];
        uint64_t when = from->ready;
        if (when <= half) {
            when = from->unit == WS_UNIT_MEMORY ? memory_leaves(e, s, &from->inst)
                                                : arithmetic_leaves(e, s, from->unit, &from->inst);
            if (!when) taken ^= rest & -rest;
        }
        if (when) soonest = ws_earlier(soonest, when);
    }
    c->soonest_of[scheduler] = soonest;
    bool moved = taken != c->taken[scheduler];
    c->taken[scheduler] = taken;
    return moved;
}

static bool leave_collectors(ws_engine *e, ws_sm *s, uint64_t half) {
    ws_collectors *c = &s->collectors;
    bool moved = false;
    uint64_t soonest = WS_NEVER;
    for (unsigned k = 0; k < schedulers_of(e); k++) {
        if (c->soonest_of[k] <= half) moved |= leave_collectors_of(e, s, k, half);
        soonest = ws_earlier(soonest, c->soonest_of[k]);
    }
    c->soonest = soonest;
    return moved;
}

/* ---- operands */

/* The bank of the register that the lowest of these bits stands for. */
static unsigned bank_of(const ws_engine *e, unsigned warp_bank, uint64_t bits) {
    unsigned bank = (unsigned)__builtin_ctzll(bits) / 4 + warp_bank,
             banks = (unsigned)e->register_banks.value;
    return bank < banks ? bank : bank - banks;
}

static unsigned warp_bank_of(const ws_engine *e, unsigned warp) {
    return (unsigned)ws_remainder(warp, e->register_banks);
}

/* The collector reads its operands: says from which half on it has them. */
static void read_operands(const ws_engine *e, ws_collectors *c, ws_collector *to, uint64_t half) {
    unsigned scheduler = to->inst.scheduler, warp_bank = warp_bank_of(e, to->inst.warp);
    to->ready = half + 1;
    to->entered = half;
    to->banks = 0;
    for (uint64_t rest = to->inst.reads, bits; rest; rest ^= bits) {
        unsigned low = (unsigned)__builtin_ctzll(rest) & ~3u, bank = bank_of(e, warp_bank, rest);
        bits = rest & UINT64_C(15) << low;
        uint64_t *bank_free = &c->bank_free[scheduler][bank];
        *bank_free = (*bank_free > half ? *bank_free : half + 1) + (bits >> low);
        to->last_read[bank] = (uint16_t)(*bank_free - 1 - half);
        to->banks |= (uint16_t)bit(bank);
        if (to->ready < *bank_free) to->ready = *bank_free;
    }
    if (c->reads_end < to->ready) c->reads_end = to->ready;
}

/* Whoever reads from the bank in the first half of this cycle or later does so half a cycle later. */
static void block_bank(ws_collectors *c, unsigned scheduler, unsigned bank, uint64_t half) {
    c->bank_free[scheduler][bank]++;
    for (uint32_t rest = c->taken[scheduler]; rest; rest &= rest - 1) {
        ws_collector *of = &c->of[scheduler][__builtin_ctz(rest)];
        uint64_t last = of->entered + of->last_read[bank];
        if (!(of->banks >> bank & 1) || last < half) continue;
        of->last_read[bank]++;
        if (of->ready <= last + 1) of->ready = last + 2;
        if (c->reads_end < of->ready) c->reads_end = of->ready;
    }
}

void ws_collect_note_write(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint64_t cycle) {
    ws_collectors *c = &s->collectors;
    uint64_t half = 2 * cycle;
    unsigned scheduler = (unsigned)ws_remainder(warp, e->schedulers), warp_bank = warp_bank_of(e, warp);
    for (uint64_t rest = e->statics[static_id].writes; rest; rest &= rest - 1) {
        unsigned bank = bank_of(e, warp_bank, rest);
        if (c->bank_free[scheduler][bank] <= half) continue; /* nobody reads from it */
        if (c->written_at != cycle) memset(c->written, 0, sizeof c->written);
        c->written_at = cycle;
        bool again = c->written[scheduler] >> bank & 1;
        c->written[scheduler] |= (uint16_t)bit(bank);
        if (!again) block_bank(c, scheduler, bank, half);
    }
}

/* Of the scheduler's banks those that the instruction writes. */
static uint16_t banks_written(const ws_engine *e, unsigned warp, uint32_t static_id) {
    unsigned warp_bank = warp_bank_of(e, warp);
    uint32_t banks = 0;
    for (uint64_t rest = e->statics[static_id].writes; rest; rest &= rest - 1)
        banks |= bit(bank_of(e, warp_bank, rest));
    return (uint16_t)banks;
}

void ws_collect_take_ports(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id) {
    ws_collectors *c = &s->collectors;
    if (c->results_at != e->now) memset(c->results, 0, sizeof c->results);
    c->results_at = e->now;
    c->results[ws_remainder(warp, e->schedulers)] |= banks_written(e, warp, static_id);
}

bool ws_collect_port_is_taken(const ws_engine *e, const ws_sm *s, unsigned warp, uint32_t static_id,
                              uint64_t cycle) {
    const ws_collectors *c = &s->collectors;
    uint16_t taken = c->results[ws_remainder(warp, e->schedulers)];
    return c->results_at == cycle && taken & banks_written(e, warp, static_id);
}

/* ---- from the latches to the collectors */

/* The oldest for the unit finds a collector, or those behind it wait, too. */
static bool enter(ws_engine *e, ws_sm *s, unsigned unit, uint64_t half) {
    ws_collectors *c = &s->collectors;
    ws_latched *latched = c->latched[unit];
    unsigned scheduler = latched->scheduler, free = (unsigned)__builtin_ctz(~c->taken[scheduler]);
    if (free >= (unsigned)e->core->collectors) return false;
    ws_sm_touch(e, s);
    c->taken[scheduler] |= bit(free);
    ws_collector *to = &c->of[scheduler][free];
    to->unit = (uint8_t)unit;
    to->inst = *latched;
    read_operands(e, c, to, half);
    note_leaving(c, scheduler, to->ready);
    if (unit == WS_UNIT_MEMORY) memory_inst(s, latched)->station = WS_STATION_COLLECTOR;
    c->latches[scheduler] &= ~bit(unit);
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

void ws_collect_step(ws_engine *e, ws_sm *s) {
    if (e->now < s->collectors.next) return;
    bool moved = false;
    for (uint64_t half = 2 * e->now; half <= 2 * e->now + 1; half++) {
        if (s->collectors.soonest <= half) moved |= leave_collectors(e, s, half);
        if (s->collectors.waiting) moved |= enter_collectors(e, s, half);
    }
    if (moved)
        s->collectors.next = e->now + 1;
    else /* until the next has its operands, or the register that it waits for */
        s->collectors.next = s->collectors.soonest == WS_NEVER ? WS_NEVER : s->collectors.soonest / 2;
}

bool ws_collect_take(const ws_engine *e, ws_sm *s) {
    for (uint32_t i = 0, left = s->collectors.all_behind; left; i++) {
        ws_memory_inst *m = ws_sm_memory(s, i);
        if (m->station != WS_STATION_BEHIND) continue;
        left--;
        if (m->arrives > e->now) continue;
        m->station = WS_STATION_UNIT;
        m->arrives = e->now + 1;
        s->collectors.all_behind--;
        s->collectors.behind[m->scheduler]--;
        s->collectors.at_unit++;
        note_leaving(&s->collectors, m->scheduler, 0); /* there is room */
        s->collectors.next = e->now;                   /* their turn in this cycle is still to come */
        return true;
    }
    return false;
}
