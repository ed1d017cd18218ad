/* Operand collectors that instructions share (core.collectors and those beside it).
 *
 * An instruction is issued into a latch for its kind of unit. It goes on, the oldest of its kind first, once there is a
 * free collector. There it reads its operands: a register bank gives one in each step of a cycle, to the instruction
 * that came first, unless a result is being written to the bank. Then it goes to a register in front of its unit. When
 * a unit stands still, the collectors fill up with instructions for it, and neither they nor what waits behind them
 * goes on.
 *
 * With sub-cores each scheduler is a lane: it has a latch and a register for each kind of unit (for memory instructions
 * core.memory_queue says how many registers), and collectors for all kinds. The first collector goes first, so an
 * instruction in a later one waits as long as others come to the first. Without sub-cores all schedulers are one lane,
 * with as many latches and registers as units, and sets of collectors: one for all kinds of units, others for one kind
 * each. Instructions leave a set in turns.
 *
 * As in GPGPU-Sim (opndcoll_rfu_t), with and without its sub-core model. */
#include "timed/sm/collect.h"

#include "base/array.h"
#include "base/inline.h"
#include "timed/sm/core.h"

#include <string.h>

static uint32_t bit(unsigned i) {
    return 1u << i;
}

/* Kinds of units in GPGPU-Sim's order, and their places in it. */
static const uint8_t unit_at[] = {WS_UNIT_FP,  WS_UNIT_SFU,    WS_UNIT_MEMORY, WS_UNIT_DP,
                                  WS_UNIT_INT, WS_UNIT_BRANCH, WS_UNIT_TENSOR, WS_UNIT_UNIFORM};
static const uint8_t place_of[] = {
    [WS_UNIT_FP] = 0,  [WS_UNIT_SFU] = 1,    [WS_UNIT_MEMORY] = 2, [WS_UNIT_DP] = 3,
    [WS_UNIT_INT] = 4, [WS_UNIT_BRANCH] = 5, [WS_UNIT_TENSOR] = 6, [WS_UNIT_UNIFORM] = 7};

/* Kinds of units in the order in which they begin with instructions (GPGPU-Sim: m_fu). */
static const uint8_t begins_at[] = {WS_UNIT_FP,     WS_UNIT_DP,     WS_UNIT_INT,    WS_UNIT_SFU,
                                    WS_UNIT_BRANCH, WS_UNIT_TENSOR, WS_UNIT_UNIFORM};

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint32_t lane_of(const ws_engine *e, unsigned scheduler) {
    return e->collecting.sub_cores ? scheduler : 0;
}

/* Returns the oldest of the instructions that are latched for that kind of unit, of which there must be one. */
static ws_latched *oldest(ws_collectors *c, unsigned unit) {
    return &c->latched[unit][c->latched_first[unit]];
}

/* ---- issue */

/* Note, for the schedulers of the lane, that all latches to the unit are taken, or that one is free. */
static void fill_latches(const ws_engine *e, ws_collectors *c, unsigned unit, unsigned lane) {
    c->full[unit] |= e->collecting.slots_of[lane];
    c->full_units |= bit(unit);
}
static void free_latch(const ws_engine *e, ws_collectors *c, unsigned unit, unsigned lane) {
    c->full[unit] &= ~e->collecting.slots_of[lane];
    if (!c->full[unit]) c->full_units &= ~bit(unit);
}

void ws_collect_issue(const ws_engine *e, ws_sm *s, unsigned unit, const ws_latched *inst) {
    ws_collectors *c = &s->collectors;
    unsigned at = (c->latched_first[unit] + c->latched_count[unit]++) % WS_SCHEDULERS_MAX;
    ws_latched *latched = &c->latched[unit][at];
    *latched = *inst;
    latched->serial = ++c->serial;
    bool full = e->collecting.sub_cores || c->latched_count[unit] == e->collecting.width[unit];
    if (full) fill_latches(e, c, unit, lane_of(e, inst->scheduler));
    c->waiting |= bit(place_of[unit]);
    c->next = e->now + 1;
}

void ws_collect_memory(const ws_engine *e, ws_sm *s, ws_memory_inst *m) {
    m->station = WS_STATION_LATCH;
    m->serial = s->collectors.serial + 1;
    ws_latched inst = {.static_id = m->static_id,
                       .warp = m->warp,
                       .scheduler = m->scheduler,
                       .reads = e->statics.at[m->static_id].reads};
    ws_collect_issue(e, s, WS_UNIT_MEMORY, &inst);
}

uint64_t ws_collect_way(const ws_engine *e, uint64_t reads) {
    uint64_t longest = 0; /* of the banks' reads */
    for (; reads; reads >>= 4) longest = later(longest, reads & 15);
    return 1 + (1 + longest) / e->collecting.steps + 2;
}

static ws_memory_inst *memory_inst(const ws_sm *s, const ws_latched *inst) {
    uint32_t i = 0;
    while (ws_sm_memory(s, i)->serial != inst->serial) i++;
    return ws_sm_memory(s, i);
}

/* ---- from the collectors to the units */

/* Notes that the instruction in the collector may leave it from step `step` on. */
static void note_leaving(ws_collectors *c, unsigned at, uint64_t step) {
    c->leaves[at] = step + 1;
    c->soonest = ws_earlier(c->soonest, step);
}

/* memory_leaves(), leave_to_own() and leave_to_shared() return 0 if the instruction has left its collector, else the
 * step from which a register in front of its unit may be free for it. WS_NEVER: it is told when it is
 * (ws_collect_take, note_free_register). */
static uint64_t memory_leaves(ws_engine *e, ws_sm *s, const ws_latched *inst) {
    uint32_t *behind = &s->collectors.behind[lane_of(e, inst->scheduler)];
    if (*behind == e->collecting.behind) return WS_NEVER;
    ++*behind;
    s->collectors.all_behind++;
    ws_memory_inst *m = memory_inst(s, inst);
    m->station = WS_STATION_BEHIND;
    m->arrives = e->now + 1;
    return 0;
}

/* Whether the instruction goes to no unit: then it begins, having its operands, as if a free one took it. */
static inline bool begins_without_unit(ws_engine *e, ws_sm *s, ws_latched *inst) {
    if (inst->how.unit_cycles) return false;
    ws_sm_begins(e, s, inst, e->now + 1);
    return true;
}

/* To the register of its scheduler. */
static uint64_t leave_to_own(ws_engine *e, ws_sm *s, unsigned unit, ws_latched *inst) {
    ws_collectors *c = &s->collectors;
    if (begins_without_unit(e, s, inst)) return 0;
    if (c->occupied[unit] >> inst->scheduler & 1) return WS_NEVER;
    c->occupied[unit] |= (uint8_t)bit(inst->scheduler);
    c->in_front[unit][inst->scheduler] = *inst;
    c->all_in_front++;
    return 0;
}

/* To one of the registers that all schedulers share. */
static uint64_t leave_to_shared(ws_engine *e, ws_sm *s, unsigned unit, ws_latched *inst) {
    ws_collectors *c = &s->collectors;
    if (begins_without_unit(e, s, inst)) return 0;
    if (c->in_front_count[unit] == e->collecting.width[unit]) return e->collecting.steps * (e->now + 1);
    unsigned at = c->in_front_count[unit]++;
    ws_latched *in_front = c->in_front[unit];
    for (; at && in_front[at - 1].serial > inst->serial; at--) in_front[at] = in_front[at - 1];
    in_front[at] = *inst;
    c->all_in_front++;
    return 0;
}

/* ---- units begin with what is in front of them */

/* Lets each unit of the kind, in order, begin with the oldest instruction in front of them. */
static void begin_shared(ws_engine *e, ws_sm *s, unsigned unit) {
    ws_collectors *c = &s->collectors;
    ws_latched *in_front = c->in_front[unit];
    for (unsigned which = 0; which < e->units[unit] && c->in_front_count[unit]; which++) {
        if (!ws_unit_begins(e, s, unit, which, &in_front->how)) continue;
        ws_sm_begins(e, s, in_front, e->now);
        c->in_front_count[unit]--;
        c->all_in_front--;
        for (unsigned i = 0; i < c->in_front_count[unit]; i++) in_front[i] = in_front[i + 1];
    }
}

/* Lets instructions for that kind of unit leave the lane's collectors, as its register is free. */
static void note_free_register(const ws_engine *e, ws_collectors *c, unsigned unit, unsigned lane) {
    for (uint32_t rest = c->taken[lane]; rest; rest &= rest - 1) {
        unsigned at = lane * e->collecting.per_lane + (unsigned)__builtin_ctz(rest);
        if (c->of[at].unit != unit || c->leaves[at]) continue;
        c->leaves[at] = 1;
        c->soonest = 0;
    }
}

/* Lets the scheduler's unit of the kind begin with the instruction in front of it: its own one, or where there are not
 * as many as schedulers the first that can. Returns the cycle in which one may if none does now, else WS_NEVER. */
static uint64_t begin_of(ws_engine *e, ws_sm *s, unsigned unit, unsigned scheduler) {
    ws_collectors *c = &s->collectors;
    bool apart = e->collecting.units_apart[unit];
    unsigned which = apart ? scheduler : 0, end = apart ? scheduler + 1 : e->units[unit];
    ws_latched *inst = &c->in_front[unit][scheduler];
    uint64_t next = WS_NEVER;
    for (; which < end && !ws_unit_begins(e, s, unit, which, &inst->how); which++)
        next = ws_earlier(next, later(s->unit_free[unit][which], e->now + 1));
    if (which == end) return next;
    ws_sm_begins(e, s, inst, e->now);
    c->occupied[unit] &= (uint8_t)~bit(scheduler);
    c->all_in_front--;
    note_free_register(e, c, unit, scheduler);
    return WS_NEVER;
}

/* Lets the schedulers' units of the kind, in order, begin. Returns the next cycle in which another one may. */
static uint64_t begin_own(ws_engine *e, ws_sm *s, unsigned unit) {
    uint64_t next = WS_NEVER;
    for (uint32_t rest = s->collectors.occupied[unit]; rest; rest &= rest - 1)
        next = ws_earlier(next, begin_of(e, s, unit, (unsigned)__builtin_ctz(rest)));
    return next;
}

/* Lets units begin with what is in front of them. Returns the next cycle for which that needs a turn: shared registers
 * are looked at in each. */
static uint64_t begin_all(ws_engine *e, ws_sm *s) {
    const ws_collectors *c = &s->collectors;
    bool own = e->collecting.sub_cores;
    uint64_t next = own || !c->all_in_front ? WS_NEVER : e->now + 1;
    for (size_t i = 0; c->all_in_front && i < WS_COUNT(begins_at); i++)
        if (own)
            next = ws_earlier(next, begin_own(e, s, begins_at[i]));
        else
            begin_shared(e, s, begins_at[i]);
    return next;
}

/* ---- leaving the collectors of sub-cores: a lane's first collector goes first */

/* Lets the instruction in a collector leave. Returns 0 if it has left, else the step from which it may. */
static inline uint64_t leave_own_collector(ws_engine *e, ws_sm *s, unsigned at) {
    ws_collectors *c = &s->collectors;
    ws_collector *from = &c->of[at];
    unsigned lane = from->inst.scheduler;
    uint64_t when = from->unit == WS_UNIT_MEMORY ? memory_leaves(e, s, &from->inst)
                                                 : leave_to_own(e, s, from->unit, &from->inst);
    c->leaves[at] = when ? when + 1 : 0;
    if (!when) c->taken[lane] &= ~bit(at - lane * e->collecting.per_lane);
    return when;
}

/* Returns the set of those of the collectors from `first` up to `end`, at most 64, whose instructions may leave in
 * `step`, and lowers `*soonest` to the step from which the first of the others may. The host cannot foresee which these
 * are, so it is not asked to. */
static inline uint64_t due_collectors(const ws_collectors *c, unsigned first, unsigned end, uint64_t step,
                                      uint64_t *soonest) {
    uint64_t due = 0;
    for (unsigned at = end; at-- > first;) {
        uint64_t when = c->leaves[at] - 1;
        bool now = when <= step;
        due = 2 * due + now;
        *soonest = ws_earlier(*soonest, now ? WS_NEVER : when);
    }
    return due;
}

static bool leave_sub_cores(ws_engine *e, ws_sm *s, uint64_t step) {
    unsigned count = e->collecting.lanes * e->collecting.per_lane;
    uint64_t soonest = WS_NEVER;
    bool moved = false;
    for (unsigned first = 0; first < count; first += 64) {
        unsigned end = first + 64 < count ? first + 64 : count;
        uint64_t due = due_collectors(&s->collectors, first, end, step, &soonest);
        for (; due; due &= due - 1) {
            uint64_t when = leave_own_collector(e, s, first + (unsigned)__builtin_ctzll(due));
            moved |= !when;
            if (when) soonest = ws_earlier(soonest, when);
        }
    }
    s->collectors.soonest = soonest;
    return moved;
}

/* ---- leaving the collectors that all schedulers share: in turns */

/* Lets the instruction in a collector leave once it has its operands. Returns 0 if it has left, else the step from
 * which it may. */
static uint64_t leave_collector(ws_engine *e, ws_sm *s, unsigned at, uint64_t step) {
    ws_collector *from = &s->collectors.of[at];
    uint64_t ready = s->collectors.leaves[at] - 1;
    if (ready > step) return ready;
    return from->unit == WS_UNIT_MEMORY ? memory_leaves(e, s, &from->inst)
                                        : leave_to_shared(e, s, from->unit, &from->inst);
}

/* Returns the first of `places` behind the place `last`, in round-robin order. */
static unsigned next_in_turn(uint32_t places, unsigned last) {
    uint32_t behind = places >> last >> 1 << last << 1;
    return (unsigned)__builtin_ctz(behind ? behind : places);
}

/* Lets the next instruction that can leave through one of the set's ways out. Returns the places that are left;
 * `*soonest` is lowered to the step until which those that were tried wait. */
static uint32_t leave_by(ws_engine *e, ws_sm *s, unsigned first, uint32_t places, uint8_t *last,
                         uint64_t step, uint64_t *soonest) {
    ws_collectors *c = &s->collectors;
    for (uint32_t rest = places; rest;) {
        unsigned i = next_in_turn(rest, *last);
        uint64_t when = leave_collector(e, s, first + i, step);
        if (!when) {
            c->taken[0] &= ~bit(first + i);
            c->leaves[first + i] = 0;
            *last = (uint8_t)i;
            return places & ~bit(i);
        }
        *soonest = ws_earlier(*soonest, when);
        rest &= ~bit(i);
    }
    return places;
}

/* Lets instructions leave a set in turns, one through each way out. Returns the step from which another one may: the
 * next step for those that found no way out. */
static uint64_t leave_in_turns(ws_engine *e, ws_sm *s, unsigned set, uint64_t step) {
    uint32_t members = e->collecting.members[set], ways = e->collecting.ports[set], way = 0;
    unsigned first = members ? (unsigned)__builtin_ctz(members) : 0;
    uint32_t left = (s->collectors.taken[0] & members) >> first, before = 0;
    uint64_t soonest = WS_NEVER;
    for (; way < ways && left && left != before; way++) {
        before = left;
        soonest = WS_NEVER;
        left = leave_by(e, s, first, left, &s->collectors.left_last[set][way], step, &soonest);
    }
    return left && left != before ? step + 1 : soonest;
}

static bool leave_one_lane(ws_engine *e, ws_sm *s, uint64_t step) {
    ws_collectors *c = &s->collectors;
    uint32_t before = c->taken[0];
    uint64_t soonest = WS_NEVER;
    for (unsigned set = 0; set < WS_COLLECTOR_SETS; set++)
        soonest = ws_earlier(soonest, leave_in_turns(e, s, set, step));
    c->soonest = soonest;
    return c->taken[0] != before;
}

/* Lets instructions leave the collectors, and notes the step until which the others must wait at least. Returns whether
 * any left. */
static bool leave_collectors(ws_engine *e, ws_sm *s, uint64_t step) {
    return e->collecting.sub_cores ? leave_sub_cores(e, s, step) : leave_one_lane(e, s, step);
}

/* ---- operands */

/* Returns the set of banks that `of_warp_0`, with four bits per bank, is for this warp. */
static uint64_t banks_of(const ws_engine *e, unsigned warp, uint64_t of_warp_0) {
    const ws_collecting *l = &e->collecting;
    unsigned up = l->bank_shift[warp];
    return (of_warp_0 << up | of_warp_0 >> 1 >> (l->bank_bits - 1 - up)) & l->all_banks;
}

/* Plans the reads of a collector that an instruction enters in `step`: when each bank gives its operands. Returns the
 * step from which the collector has them all. */
static inline uint64_t read_operands(const ws_engine *e, ws_collectors *c, ws_collector *to, uint64_t step) {
    uint64_t *lane_free = c->bank_free[lane_of(e, to->inst.scheduler)], ready = step + 1;
    uint32_t banks = 0;
    for (uint64_t rest = banks_of(e, to->inst.warp, to->inst.reads); rest;) {
        unsigned bank = (unsigned)__builtin_ctzll(rest) / 4, low = 4 * bank;
        uint64_t bits = rest & UINT64_C(15) << low, start = later(lane_free[bank], step + 1);
        uint64_t end = start + (bits >> low);
        lane_free[bank] = end;
        to->last_read[bank] = (uint16_t)(end - 1 - step);
        banks |= bit(bank);
        ready = later(ready, end);
        rest ^= bits;
    }
    to->entered = step;
    to->banks = (uint16_t)banks;
    c->reads_end = later(c->reads_end, ready);
    return ready;
}

/* Delays all reads from the bank in that step or later by one step. */
static void block_bank(const ws_engine *e, ws_collectors *c, unsigned lane, unsigned bank, uint64_t step) {
    c->bank_free[lane][bank]++;
    for (uint32_t rest = c->taken[lane]; rest; rest &= rest - 1) {
        unsigned at = lane * e->collecting.per_lane + (unsigned)__builtin_ctz(rest);
        ws_collector *of = &c->of[at];
        uint64_t last = of->entered + of->last_read[bank];
        if (!(of->banks >> bank & 1) || last < step) continue;
        of->last_read[bank]++;
        if (c->leaves[at] - 1 <= last + 1) c->leaves[at] = last + 3;
        c->reads_end = later(c->reads_end, last + 2);
    }
}

void ws_collect_note_write(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint64_t cycle) {
    ws_collectors *c = &s->collectors;
    uint64_t step = e->collecting.steps * cycle;
    unsigned lane = e->collecting.lane_of_warp[warp];
    for (uint64_t rest = banks_of(e, warp, e->statics.at[static_id].writes); rest; rest &= rest - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(rest) / 4;
        if (c->bank_free[lane][bank] <= step) continue; /* nothing is read from it */
        if (c->written_at != cycle) memset(c->written, 0, sizeof c->written);
        c->written_at = cycle;
        bool again = c->written[lane] >> bank & 1;
        c->written[lane] |= (uint16_t)bit(bank);
        if (!again) block_bank(e, c, lane, bank, step);
    }
}

void ws_collect_take_ports(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id) {
    ws_collectors *c = &s->collectors;
    if (c->results_at != e->now) memset(c->results, 0, sizeof c->results);
    c->results_at = e->now;
    c->results[e->collecting.lane_of_warp[warp]] |= banks_of(e, warp, e->statics.at[static_id].writes);
}

bool ws_collect_results_take_port(const ws_engine *e, const ws_sm *s, unsigned warp, uint32_t static_id) {
    return s->collectors.results[e->collecting.lane_of_warp[warp]] &
           banks_of(e, warp, e->statics.at[static_id].writes);
}

/* ---- from the latches to the collectors */

/* Moves the oldest instruction for the unit into a free collector of the set. False if there is none: those behind it
 * wait, too. */
WS_INLINE bool enter(ws_engine *e, ws_sm *s, unsigned unit, unsigned set, uint64_t step) {
    ws_collectors *c = &s->collectors;
    const ws_latched *latched = oldest(c, unit);
    unsigned lane = lane_of(e, latched->scheduler);
    uint32_t free = e->collecting.members[set] & ~c->taken[lane];
    if (!free) return false;
    unsigned which = (unsigned)__builtin_ctz(free);
    c->taken[lane] |= bit(which);
    unsigned at = lane * e->collecting.per_lane + which;
    ws_collector *to = &c->of[at];
    to->unit = (uint8_t)unit;
    to->inst = *latched;
    note_leaving(c, at, read_operands(e, c, to, step));
    if (unit == WS_UNIT_MEMORY) memory_inst(s, latched)->station = WS_STATION_COLLECTOR;
    free_latch(e, c, unit, lane);
    ws_sm_touch_if_ready(e, s, s->wants[unit] & e->collecting.slots_of[lane]);
    c->latched_first[unit] = (c->latched_first[unit] + 1) % WS_SCHEDULERS_MAX;
    if (!--c->latched_count[unit]) c->waiting &= ~bit(place_of[unit]);
    return true;
}

/* Moves instructions into the collectors for all kinds of units: one for each kind at a time, as often as the
 * collectors have ways in. A kind whose oldest instruction finds no free collector finds none in this step. */
static bool enter_common(ws_engine *e, ws_sm *s, uint32_t ways, uint64_t step) {
    bool any = false;
    for (uint32_t open = s->collectors.waiting; open && ways; open &= s->collectors.waiting, ways--)
        for (uint32_t rest = open; rest; rest &= rest - 1)
            if (enter(e, s, unit_at[__builtin_ctz(rest)], 0, step))
                any = true;
            else
                open &= ~(rest & -rest);
    return any;
}

/* Moves as many instructions for the set's unit as the set has ways in into its collectors, or into those for all
 * kinds. */
static bool enter_own(ws_engine *e, ws_sm *s, unsigned set, uint64_t step) {
    unsigned unit = e->collecting.unit_of[set];
    bool any = false;
    for (unsigned i = 0; i < e->collecting.ports[set] && s->collectors.latched_count[unit]; i++)
        any |= enter(e, s, unit, set, step) || enter(e, s, unit, 0, step);
    return any;
}

/* Moves instructions into collectors. Those of sub-cores have no limit to the ways in. */
static bool enter_collectors(ws_engine *e, ws_sm *s, uint64_t step) {
    if (e->collecting.sub_cores) return enter_common(e, s, UINT32_MAX, step);
    bool any = enter_common(e, s, e->collecting.ports[0], step);
    for (unsigned set = 1; set < WS_COLLECTOR_SETS; set++) any |= enter_own(e, s, set, step);
    return any;
}

/* ---- their turn */

void ws_collect_step(ws_engine *e, ws_sm *s) {
    const ws_collecting *l = &e->collecting;
    ws_collectors *c = &s->collectors;
    bool moved = false;
    uint64_t next = begin_all(e, s);
    for (uint64_t step = l->steps * e->now, end = step + l->steps; step < end; step++) {
        if (c->soonest <= step) moved |= leave_collectors(e, s, step);
        if (c->waiting) moved |= enter_collectors(e, s, step);
    }
    if (moved) /* the others may move then, for reasons that only a turn finds */
        next = e->now + 1;
    else if (c->soonest != WS_NEVER) /* the next one has its operands then */
        next = ws_earlier(next, ws_quotient(c->soonest, l->by_steps));
    c->next = next;
}

/* Memory instructions that wait in the lane's collectors may leave them, as there is room behind them. */
static void note_room_behind(const ws_engine *e, ws_collectors *c, unsigned lane) {
    for (uint32_t rest = c->taken[lane]; rest; rest &= rest - 1) {
        unsigned at = lane * e->collecting.per_lane + (unsigned)__builtin_ctz(rest);
        if (!c->leaves[at]) c->leaves[at] = 1;
    }
    c->soonest = 0;
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
        s->collectors.behind[lane_of(e, m->scheduler)]--;
        s->collectors.at_unit++;
        s->collectors.taken_last = (uint32_t)(m - s->memory);
        note_room_behind(e, &s->collectors, lane_of(e, m->scheduler));
        s->collectors.next = e->now; /* their turn in this cycle is still to come */
        return true;
    }
    return false;
}
