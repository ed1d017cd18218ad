/* An SM's core: warps, their instruction buffers, schedulers, and results. CTAs and barriers are in residents.c,
 * fetching in instructions.c, events in events.c, the load/store unit in l1/lsu.c, the order of an SM's turn in
 * ahead.c.
 *
 * A warp's next instruction issues when it has been fetched, no register that it names waits for a result, no barrier
 * holds the warp, and its unit accepts it. Results of arithmetic come at a known cycle (an event); others when the
 * load/store unit says so. */
#include "base/bits.h"
#include "base/inline.h"
#include "timed/l1/l1.h"
#include "timed/sm/collect.h"

#include <string.h>

/* ---- life */

ws_idle *ws_idle_new(uint32_t sms) {
    ws_idle *idle = calloc(sms, sizeof *idle);
    for (uint32_t i = 0; idle && i < sms; i++) memset(idle[i].last, WS_NO_SLOT, sizeof idle[i].last);
    return idle;
}

static void recall(ws_sm *s, const ws_idle *from) {
    memcpy(s->last, from->last, sizeof s->last);
    memcpy(s->collectors.left_last, from->left_last, sizeof s->collectors.left_last);
}

static void keep(const ws_sm *s, ws_idle *to) {
    memcpy(to->last, s->last, sizeof s->last);
    memcpy(to->left_last, s->collectors.left_last, sizeof s->collectors.left_last);
}

bool ws_core_is_plain(const ws_engine *e) {
    return e->admits_all && !e->core_slot && !e->taps.issue && e->launch_count == 1 && !e->one_in_flight &&
           !e->run_ahead;
}

void ws_sm_init_queues(ws_sm *s) {
    ws_queue_init(&s->collectors.far_ends);
    ws_queue_init(&s->miss_queue);
    ws_queue_init(&s->inbox);
    for (unsigned from = 0; from < WS_ORIGINS; from++) ws_queue_init(&s->ready[from]);
}

bool ws_sm_init(ws_engine *e, ws_sm *s, uint32_t index) {
    s->index = index;
    s->made = true;
    memset(s->last, WS_NO_SLOT, sizeof s->last);
    s->free_ctas = s->free_slots = ~UINT64_C(0);
    s->admitted = ~UINT64_C(0);
    s->event_next = WS_NEVER;
    if (e->idle) recall(s, &e->idle[index]);
    ws_sm_init_queues(s);
    s->replies = ws_sm_replies(e, s);
    s->pending = calloc((size_t)WS_SLOTS * e->statics.register_words, sizeof *s->pending);
    s->loading = calloc((size_t)WS_SLOTS * e->statics.register_words, sizeof *s->loading);
    if (e->core_slot) s->core = e->core_slot->create(e, index, e->core_params);
    return s->pending && s->loading && (s->core || !e->core_slot) && ws_lsu_init(e, s);
}

void ws_sm_free(ws_engine *e, ws_sm *s) {
    if (e->idle) keep(s, &e->idle[s->index]);
    for (unsigned i = 0; i < WS_SLOTS; i++) free(s->cta[i]), free(s->warps[i].tail);
    free(s->pending);
    free(s->loading);
    free(s->events);
    ws_queue_free(&s->collectors.far_ends);
    if (e->core_slot) e->core_slot->destroy(s->core);
    ws_lsu_free(e, s);
}

/* ---- the next instruction of a warp */

/* Returns the turn of a warp's next instruction, with run_ahead. */
static unsigned turn_of(const ws_engine *e, const ws_sm *s, unsigned warp) {
    return (unsigned)((s->warps[warp].inst - s->warps[warp].inst_first) % e->run_ahead);
}

static inline bool waits_for_register(const ws_engine *e, const ws_sm *s, unsigned warp) {
    const uint64_t *pending = s->pending + (size_t)warp * e->statics.register_words;
    const ws_register_sets *sets = ws_registers_of(e, s->warps[warp].inst->static_id);
    uint32_t w = 0;
    do
        if (pending[w] & sets[w].named) return true;
    while (++w < e->statics.register_words);
    return false;
}

/* Whether the warp waits by the rule of the core slot's owner, or of core.dependences, or of what the trace has. */
static __attribute__((noinline)) bool waits_by_rule(const ws_engine *e, const ws_sm *s, unsigned warp) {
    if (e->core_slot && e->core_slot->waits) return e->core_slot->waits(s->core, e, s, warp);
    if (e->one_in_flight) return s->busy >> warp & 1;
    if (e->run_ahead) return s->pending[(size_t)warp * e->statics.register_words] >> turn_of(e, s, warp) & 1;
    return waits_for_register(e, s, warp);
}

/* This function and the others with a parameter `plain`, which is ws_engine.core_is_plain, are compiled once for each
 * of its values. */
WS_INLINE void look(ws_engine *e, ws_sm *s, unsigned warp, bool plain) {
    if (s->warps[warp].inst == s->warps[warp].inst_end) return;
    bool waits = (s->copying | s->updating | s->fencing) >> warp & 1 ||
                 (plain ? waits_for_register(e, s, warp) : waits_by_rule(e, s, warp));
    if (waits != (s->clear >> warp & 1)) return;
    ws_sm_note_change(e, s);
    s->clear ^= ws_bit(warp);
    ws_sm_touch_if_ready(e, s, ws_bit(warp));
    if (!plain && !waits) ws_note_wait_ended(e, s, warp, WS_TIMED_WAIT_DATA);
}

void ws_sm_look(ws_engine *e, ws_sm *s, unsigned warp) {
    look(e, s, warp, e->core_is_plain);
}

/* Makes the instruction at s->warps[warp].inst the warp's next. */
WS_INLINE void look_at_inst(ws_engine *e, ws_sm *s, unsigned warp, bool plain) {
    ws_sm_warp *w = &s->warps[warp];
    s->wants[w->unit] &= ~ws_bit(warp);
    w->unit = e->statics.at[w->inst->static_id].unit;
    s->wants[w->unit] |= ws_bit(warp);
    look(e, s, warp, plain);
}

static void fetch(ws_sm *s, unsigned warp) {
    s->fetched &= ~ws_bit(warp);
    s->hungry |= ws_bit(warp);
}

void ws_sm_fetch_first(ws_engine *e, ws_sm *s, unsigned warp) {
    look_at_inst(e, s, warp, false);
    fetch(s, warp);
}

/* ---- results */

/* Mark the registers that an instruction writes as awaited, and as there, in a table of all warps' registers. */
static inline void await(const ws_engine *e, uint64_t *table, unsigned warp, uint32_t static_id) {
    uint64_t *of_warp = table + (size_t)warp * e->statics.register_words;
    const ws_register_sets *sets = ws_registers_of(e, static_id);
    uint32_t w = 0;
    do of_warp[w] |= sets[w].written;
    while (++w < e->statics.register_words);
}
static inline void release(const ws_engine *e, uint64_t *table, unsigned warp, uint32_t static_id) {
    uint64_t *of_warp = table + (size_t)warp * e->statics.register_words;
    const ws_register_sets *sets = ws_registers_of(e, static_id);
    uint32_t w = 0;
    do of_warp[w] &= ~sets[w].written;
    while (++w < e->statics.register_words);
}

void ws_sm_updated(ws_engine *e, ws_sm *s, const ws_load *load) {
    if (!(s->updating >> load->warp & 1) || !ws_memory_is_atomic(e->statics.at[load->static_id].op)) return;
    s->updating &= ~ws_bit(load->warp);
    ws_sm_look(e, s, load->warp);
}

WS_INLINE void complete(ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint8_t tag, bool plain) {
    const ws_timed_static *t = &e->statics.at[static_id];
    release(e, s->pending, warp, static_id);
    if (!plain) s->busy &= ~ws_bit(warp);
    if (s->fencing >> warp & 1) ws_sm_come_to_fence(e, s, warp);
    bool updated =
        !e->collecting.used && ws_memory_is_atomic(t->op); /* else ws_sm_updated() has been called */
    if (updated) s->updating &= ~ws_bit(warp);
    if (t->dst_count || (!plain && e->one_in_flight) || updated) look(e, s, warp, plain);
    if (!plain && e->core_slot && e->core_slot->completed)
        e->core_slot->completed(s->core, e, s, warp, static_id, tag);
    ws_sm_settle(e, s, warp, 1);
}

void ws_sm_complete(ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint8_t tag) {
    if (e->core_is_plain)
        complete(e, s, warp, static_id, tag, true);
    else
        complete(e, s, warp, static_id, tag, false);
}

/* Lets a warp whose request has been answered go on with its tail, instead of the instructions behind the request. */
static void go_on(ws_engine *e, ws_sm *s, unsigned warp) {
    const ws_timed_warp *w = s->warps[warp].tail;
    ws_sm_touch(e, s);
    s->warps[warp].inst_first = s->warps[warp].inst = w->insts;
    s->warps[warp].inst_end = w->insts + w->inst_count;
    s->warps[warp].access = w->accesses;
    s->fetched &= ~ws_bit(warp);
    if (!w->inst_count) return;
    s->issuing |= ws_bit(warp);
    ws_sm_fetch_first(e, s, warp);
}

void ws_sm_loaded(ws_engine *e, ws_sm *s, const ws_load *load) {
    if (load->asks) go_on(e, s, load->warp);
    const ws_timed_static *t = &e->statics.at[load->static_id];
    if (t->op == WS_MEMORY_LOAD && !t->shared) {
        uint32_t cycles = (uint32_t)e->now - load->issued;
        s->counters.loads++;
        s->counters.load_cycles += cycles;
        ws_timed_share *share = ws_share_of(e, s, load->warp);
        if (share) share->loads++, share->load_cycles += cycles;
        if (e->taps.load_end) ws_tell_load(e, s, load, cycles);
    }
    release(e, s->loading, load->warp, load->static_id);
    if (e->run_ahead) {
        s->pending[(size_t)load->warp * e->statics.register_words] &= ~ws_bit(load->tag);
        ws_sm_look(e, s, load->warp);
    }
    ws_sm_complete(e, s, load->warp, load->static_id, load->tag);
}

/* ---- units */

/* Returns those of `warps`, all of which want the unit, from which it accepts an instruction now. */
static uint64_t takes(const ws_engine *e, ws_sm *s, unsigned unit, unsigned scheduler, uint64_t warps) {
    if (unit == WS_UNIT_MEMORY) return ws_lsu_takes(e, s, scheduler, warps);
    if (!ws_collect_takes(s, unit, scheduler)) return 0;
    if (e->collecting.used) return warps;
    return ws_unit_takes(e, s, unit, scheduler) ? warps : 0;
}

static void finish(ws_engine *e, ws_sm *s, ws_latched *inst, uint64_t written) {
    if (!inst->awaited) return;
    if (e->core_slot && e->core_slot->executes)
        e->core_slot->executes(s->core, e, s, inst->warp, inst->static_id, written, &inst->how);
    ws_sm_schedule(e, s, written,
                   (ws_event){.static_id = inst->static_id,
                              .kind = WS_EVENT_COMPLETE,
                              .warp = inst->warp,
                              .tag = inst->how.tag});
}

void ws_sm_begins(ws_engine *e, ws_sm *s, ws_latched *inst, uint64_t cycle) {
    finish(e, s, inst, cycle + inst->how.latency + ws_write_back_cycles(e));
}

static void execute_now(ws_engine *e, ws_sm *s, unsigned unit, ws_latched *inst) {
    uint32_t cycles = inst->how.unit_cycles;
    ws_sm_begins(e, s, inst, cycles ? ws_unit_take(e, s, unit, inst->scheduler, cycles, e->now) : e->now);
}

/* With operand collectors a warp's last instruction may overtake others, for whose end it then waits. */
static void execute(ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp, unsigned unit,
                    const ws_issue *how, uint32_t static_id) {
    bool last = s->warps[warp].inst == s->warps[warp].inst_end;
    ws_latched inst = {.how = *how,
                       .static_id = static_id,
                       .warp = (uint8_t)warp,
                       .scheduler = (uint8_t)scheduler,
                       .reads = e->statics.at[static_id].reads,
                       .awaited = e->statics.at[static_id].dst_count > 0 || last || e->one_in_flight ||
                                  e->collecting.used};
    s->warps[warp].in_flight += inst.awaited;
    if (e->collecting.used)
        ws_collect_issue(e, s, unit, &inst);
    else
        execute_now(e, s, unit, &inst);
}

/* ---- issue */

unsigned ws_sm_next_of(unsigned last, uint64_t warps) {
    uint64_t behind = last >= WS_SLOTS - 1 ? 0 : warps >> (last + 1) << (last + 1);
    return ws_lowest_bit(behind ? behind : warps);
}

unsigned ws_sm_first_of(const ws_sm *s, uint64_t warps) {
    unsigned first = ws_lowest_bit(warps);
    for (warps &= warps - 1; warps; warps &= warps - 1)
        if (s->warps[ws_lowest_bit(warps)].id_in_cta < s->warps[first].id_in_cta)
            first = ws_lowest_bit(warps);
    return first;
}

static unsigned pick_gto(const ws_sm *s, unsigned scheduler, uint64_t candidates) {
    unsigned last = s->last[scheduler];
    if (last != WS_NO_SLOT && candidates & ws_bit(last)) return last;
    unsigned i = 0;
    while (!(candidates & s->cta_slots[s->by_age[i]])) i++;
    return ws_sm_first_of(s, candidates & s->cta_slots[s->by_age[i]]);
}

static void note_load(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint8_t tag) {
    await(e, s->loading, warp, static_id);
    if (e->run_ahead) s->pending[(size_t)warp * e->statics.register_words] |= ws_bit(tag);
}

static inline void note_issue(ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp,
                              const ws_issue *how) {
    s->last[scheduler] = (uint8_t)warp;
    uint64_t free = e->now + how->issue_cycles;
    if (free > s->issue_free[scheduler]) s->issue_free[scheduler] = free;
    s->issued |= 1u << scheduler;
    ws_note_progress(e);
}

static inline void mark_destinations(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id) {
    if (e->one_in_flight) s->busy |= ws_bit(warp);
    await(e, s->pending, warp, static_id);
}

/* Counts the issue for its launch, and tells of it. */
static void count_and_tell_issue(ws_engine *e, ws_sm *s, unsigned warp, const ws_timed_inst *inst) {
    ws_timed_share *share = ws_share_of(e, s, warp);
    if (share) share->warp_instructions++, share->thread_instructions += inst->lanes;
    if (e->taps.issue) ws_tell_issue(e, s, warp, inst);
}

WS_INLINE void issue(ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp, bool plain) {
    uint8_t turn = !plain && e->run_ahead ? (uint8_t)turn_of(e, s, warp) : 0;
    const ws_timed_inst *inst = s->warps[warp].inst++;
    const ws_access *access = s->warps[warp].access;
    const ws_timed_static *t = &e->statics.at[inst->static_id];
    s->warps[warp].access += inst->access_count;
    s->counters.warp_instructions++;
    s->counters.arithmetic_instructions += t->arithmetic;
    s->counters.thread_instructions += inst->lanes;
    if (!plain) count_and_tell_issue(e, s, warp, inst);
    ws_issue how = {
        .latency = t->latency, .unit_cycles = t->interval, .issue_cycles = e->issue_cycles, .tag = turn};
    if (!plain && e->core_slot && e->core_slot->issued) e->core_slot->issued(s->core, e, s, warp, inst, &how);
    note_issue(e, s, scheduler, warp, &how);

    if (!plain) s->inserted &= ~ws_bit(warp);
    mark_destinations(e, s, warp, inst->static_id);
    bool asks = t->asks && inst->lanes;
    if ((inst->access_count && t->op != WS_MEMORY_STORE) || asks)
        note_load(e, s, warp, inst->static_id, how.tag);
    bool updates = ws_memory_is_atomic(t->op) && (inst->access_count || (t->shared && inst->lanes));
    if (e->core->atomics_wait && updates) s->updating |= ws_bit(warp);
    if (t->unit == WS_UNIT_MEMORY)
        ws_lsu_issue(e, s, scheduler, warp, inst, access, how.tag);
    else
        execute(e, s, scheduler, warp, t->unit, &how, inst->static_id);
    if (t->async && inst->lanes) ws_async_issued(s, warp, t);
    if (t->fence && inst->lanes && e->core->fences != WS_FENCES_PASS) ws_sm_come_to_fence(e, s, warp);

    if (s->warps[warp].inst == s->warps[warp].inst_end) {
        *(asks ? &s->clear : &s->fetched) &= ~ws_bit(warp);
        s->issuing &= ~ws_bit(warp);
        unsigned cta = s->warps[warp].cta_of;
        if (!(s->cta_warps[cta] & s->issuing)) s->ending |= ws_bit(cta);
        if (!asks) ws_sm_exit(e, s, warp);
        return;
    }
    look_at_inst(e, s, warp, plain);
    if (--s->warps[warp].buffered == 0) fetch(s, warp);
    if (t->barrier && inst->lanes) ws_sm_come_to_barrier(e, s, warp);
}

/* Brings ws_sm.held up to date. */
static inline void ask_core_slot(const ws_engine *e, ws_sm *s) {
    if (!e->core_slot || !e->core_slot->admits) return;
    s->held = 0;
    uint64_t ready = ws_sm_ready(s);
    s->held = ready & ~e->core_slot->admits(s->core, e, s, ready);
}

/* Whether an instruction of the core slot's own issues in front of the warp's next one. */
static bool inserts(const ws_engine *e, const ws_sm *s, unsigned warp) {
    return e->core_slot && e->core_slot->inserts && e->core_slot->inserts(s->core, e, s, warp);
}

/* Returns the kind of unit that executes such instructions. */
static unsigned unit_of_inserted(const ws_engine *e) {
    return e->core->int_units ? WS_UNIT_INT : WS_UNIT_FP;
}

/* Issues it. It prepares the destinations of the next one and is executed under its static id, so nothing that names
 * these registers goes on before it is completed. */
static void insert(ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp) {
    uint32_t static_id = s->warps[warp].inst->static_id;
    ws_issue how = {.latency = (uint32_t)e->core->int_latency,
                    .unit_cycles = (uint32_t)e->core->int_interval,
                    .issue_cycles = e->issue_cycles};
    e->core_slot->inserted(s->core, e, s, warp);
    note_issue(e, s, scheduler, warp, &how);
    s->inserted |= ws_bit(warp);
    mark_destinations(e, s, warp, static_id);
    execute(e, s, scheduler, warp, unit_of_inserted(e), &how, static_id);
    ws_sm_look(e, s, warp);
}

/* Whether nothing but latches decides which instructions units take, so that every candidate can issue. */
static bool latches_decide(const ws_engine *e) {
    return e->collecting.used && !e->front_slot;
}

/* Returns the ready warps without those whose instruction finds no free latch. */
static inline uint64_t candidates_of(const ws_engine *e, const ws_sm *s) {
    uint64_t ready = ws_sm_ready(s);
    uint32_t full = s->collectors.full_units;
    if (e->front_slot) full &= ~(1u << WS_UNIT_MEMORY); /* it may take instructions itself */
    for (; full; full &= full - 1) {
        unsigned unit = ws_lowest_bit(full);
        ready &= ~(s->wants[unit] & s->collectors.full[unit]);
    }
    return ready;
}

/* Whether the warp, whose unit accepts its next instruction, cannot issue because one of the core slot's own comes
 * first, and the unit of that one does not accept it. */
static inline bool waits_to_insert(const ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp) {
    return e->core_slot && e->core_slot->inserts &&
           !takes(e, s, unit_of_inserted(e), scheduler, ws_bit(warp)) && inserts(e, s, warp);
}

/* Returns the first warp in the scheduler's order whose unit accepts its instruction, or WS_NO_SLOT. */
static inline unsigned pick(const ws_engine *e, ws_sm *s, unsigned scheduler, uint64_t candidates) {
    bool all_can = latches_decide(e);
    while (candidates) {
        unsigned warp =
            e->is_greedy ? pick_gto(s, scheduler, candidates) : ws_sm_next_of(s->last[scheduler], candidates);
        unsigned unit = s->warps[warp].unit;
        uint64_t wanting = candidates & s->wants[unit],
                 taken = all_can ? wanting : takes(e, s, unit, scheduler, wanting);
        if (taken >> warp & 1 && !waits_to_insert(e, s, scheduler, warp)) return warp;
        candidates ^= wanting ^ (taken & ~ws_bit(warp));
    }
    return WS_NO_SLOT;
}

static __attribute__((noinline)) void issue_by_rules(ws_engine *e, ws_sm *s, unsigned scheduler,
                                                     unsigned warp) {
    uint64_t barred = s->barred;
    if (inserts(e, s, warp))
        insert(e, s, scheduler, warp);
    else
        issue(e, s, scheduler, warp, false);
    /* Other schedulers may issue in this cycle, whatever the policy, warps that a barrier has held which now opens. */
    if (!e->admits_all && barred & ~s->barred) ws_sm_admit(e, s);
    ask_core_slot(e, s);
}

static __attribute__((noinline)) void issue_plainly(ws_engine *e, ws_sm *s, unsigned scheduler,
                                                    unsigned warp) {
    issue(e, s, scheduler, warp, true);
}

static inline void issue_next(ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp) {
    if (e->core_is_plain)
        issue_plainly(e, s, scheduler, warp);
    else
        issue_by_rules(e, s, scheduler, warp);
}

/* Whether units are of different kinds to core.dual_issue: the specialized ones are all of one (GPGPU-Sim:
 * exec_unit_type_t). */
static bool are_different(unsigned a, unsigned b) {
    bool are_special =
        a >= WS_UNIT_TENSOR && a <= WS_UNIT_UNIFORM && b >= WS_UNIT_TENSOR && b <= WS_UNIT_UNIFORM;
    return a != b && !are_special;
}

/* Whether a kind of unit accepts the second instruction of a warp that has just issued to a unit of kind `before`. A
 * port to the load/store unit takes one instruction per cycle. */
static bool takes_second(const ws_engine *e, ws_sm *s, unsigned unit, unsigned scheduler, unsigned warp,
                         unsigned before) {
    bool any = e->core->dual_issue == WS_DUAL_ISSUE_ANY && !(unit == before && unit == WS_UNIT_MEMORY);
    if (!any && !are_different(unit, before)) return false;
    return takes(e, s, unit, scheduler, ws_bit(warp));
}

/* Returns whether a warp that has just issued to a unit of kind `before` may issue again in the same cycle. */
static bool issues_again(const ws_engine *e, ws_sm *s, unsigned scheduler, unsigned warp, unsigned before) {
    return ws_sm_ready(s) & ws_bit(warp) &&
           takes_second(e, s, s->warps[warp].unit, scheduler, warp, before) &&
           (!inserts(e, s, warp) || takes_second(e, s, unit_of_inserted(e), scheduler, warp, before));
}

/* Lets a scheduler issue one of its `candidates`. Returns whether it has. */
static inline bool run_scheduler(ws_engine *e, ws_sm *s, unsigned scheduler, uint64_t candidates) {
    if (e->now < s->issue_free[scheduler]) return false;
    unsigned warp = pick(e, s, scheduler, candidates);
    if (warp == WS_NO_SLOT) return false;
    unsigned unit = s->warps[warp].unit;
    issue_next(e, s, scheduler, warp);
    if (e->core->dual_issue && issues_again(e, s, scheduler, warp, unit)) issue_next(e, s, scheduler, warp);
    return true;
}

/* ---- the schedulers' part of the SM's turn */

/* Returns the next cycle in which a scheduler could issue, as far as its warps tell. Memory instructions count only if
 * the load/store unit has room for them. */
static uint64_t next_issue(const ws_engine *e, ws_sm *s) {
    if (!e->admits_all) ws_sm_admit(e, s);
    ask_core_slot(e, s);
    uint64_t ready = candidates_of(e, s), next = WS_NEVER;
    s->memory_issued = 0;
    for (unsigned k = 0; ready && next != e->now + 1; k++) {
        uint64_t mine = ready & e->scheduler_slots[k], memory = mine & s->wants[WS_UNIT_MEMORY];
        ready ^= mine;
        if (mine != memory || (memory && ws_lsu_takes(e, s, k, memory)))
            next = ws_earlier(next, s->issue_free[k] > e->now ? s->issue_free[k] : e->now + 1);
    }
    if (e->core_slot && e->core_slot->next) next = ws_earlier(next, e->core_slot->next(s->core, e->now));
    return next;
}

/* They take turns in going first, counted in cycles in which the SM has CTAs. */
void ws_sm_run_schedulers(ws_engine *e, ws_sm *s) {
    s->memory_issued = 0;
    if (!e->admits_all) ws_sm_admit(e, s);
    ask_core_slot(e, s);
    unsigned schedulers = (unsigned)e->schedulers.value,
             k = (unsigned)ws_remainder(e->now - e->idle[s->index].cycles, e->schedulers);
    uint64_t candidates = candidates_of(e, s), to_come = ~UINT64_C(0);
    while (candidates & to_come) {
        uint64_t mine = candidates & e->scheduler_slots[k];
        to_come &= ~e->scheduler_slots[k];
        uint64_t barred = s->barred;
        bool issued = mine && run_scheduler(e, s, k, mine);
        if (issued && (barred != s->barred || !e->schedulers_apart)) candidates = candidates_of(e, s);
        if (++k == schedulers) k = 0;
    }
    if (s->empties) ws_l1_pass_fence(e, s);
    s->schedule_next = next_issue(e, s);
    s->touched = false;
}
