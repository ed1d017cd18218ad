/* An SM's core: what its files call in each other, and others in them. Operand collectors are in collect.h, the
 * load/store unit and the L1 in l1/lsu.h. */
#ifndef WS_TIMED_SM_CORE_H
#define WS_TIMED_SM_CORE_H

#include "timed/engine.h"

/* ---- the SM (sm.c, ahead.c) */

/* To be freed with free(); NULL if out of memory. */
ws_idle *ws_idle_new(uint32_t sms);
/* Whether the core does without what few replays have: the slot's owner, taps, several launches, one instruction in
 * flight, turns instead of registers. */
bool ws_core_is_plain(const ws_engine *engine);
/* Makes SM `index`: `sm` is all zero before, but for what has been counted of its time. False if out of memory; to be
 * freed in any case. */
bool ws_sm_init(ws_engine *engine, ws_sm *sm, uint32_t index);
void ws_sm_free(ws_engine *engine, ws_sm *sm);
/* For tests, which make parts of an SM only: a part of ws_sm_init(), makes its queues empty ones, but for those of its
 * L1's banks. */
void ws_sm_init_queues(ws_sm *sm);
/* Takes the turn of an SM, and asks for its next one; takes several in a row while it may go ahead (ahead.c). */
void ws_sm_step(ws_engine *engine, ws_sm *sm);
/* The schedulers' part of a turn (sm.c), if ws_sm.touched. */
void ws_sm_run_schedulers(ws_engine *engine, ws_sm *sm);
/* Sets what a launch lets SMs do ahead of each other. */
void ws_ahead_begin(ws_engine *engine);
/* To be called when the SM has sent a packet that will be answered with `sectors` sectors; _first: while it awaits no
 * others. */
void ws_sm_awaits_first(const ws_engine *engine, ws_sm *sm);
static inline void ws_sm_awaits(ws_engine *e, ws_sm *s, uint32_t sectors) {
    e->unanswered += sectors;
    if (!s->awaited) ws_sm_awaits_first(e, s);
    s->awaited += sectors;
}

/* ---- warps (sm.c, policy.c, account.c) */

/* Returns the set of warps that could issue now if their units took the instruction. */
static inline uint64_t ws_sm_ready(const ws_sm *s) {
    return s->fetched & s->clear & ~s->barred & s->admitted & ~s->held;
}

/* Adds the cycles up to `cycle`, exclusive, to the SM's counters of where its time goes (account.c). To be called
 * before the state of its warps changes. */
void ws_sm_account(const ws_engine *engine, ws_sm *sm, uint64_t cycle);

/* To be called before anything changes that the account or the schedulers look at: the fields of ws_sm_ready(), or the
 * room of the load/store unit. */
static inline void ws_sm_note_change(ws_engine *e, ws_sm *s) {
    if (s->accounted < e->now) ws_sm_account(e, s, e->now);
}
/* The same; the schedulers then have a turn in this cycle. */
static inline void ws_sm_touch(ws_engine *e, ws_sm *s) {
    ws_sm_note_change(e, s);
    s->touched = true;
}
/* To be called after a change that can only let some of `warps` issue: the schedulers have a turn if one of these is
 * ready. What else may issue then, by a slot or the policy two_level, has its turn anyway (schedules_always). */
static inline void ws_sm_touch_if_ready(ws_engine *e, ws_sm *s, uint64_t warps) {
    if (ws_sm_ready(s) & warps) ws_sm_touch(e, s);
}

/* Updates ws_sm.admitted. Does nothing under lrr and gto, which admit all warps. */
void ws_sm_admit(const ws_engine *engine, ws_sm *sm);
/* Returns the slot of the warp with the lowest number in its CTA, among `warps`, which are all of one CTA. */
unsigned ws_sm_first_of(const ws_sm *sm, uint64_t warps);
/* Returns the first of `warps` in round-robin order after slot `last`. */
unsigned ws_sm_next_of(unsigned last, uint64_t warps);
/* To be called when an instruction has its result: releases its destination registers, and settles it for the warp. */
void ws_sm_complete(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id, uint8_t tag);

/* With operand collectors, to be called when the last results of an atomic are there: its warp waits for it no longer.
 * Does nothing for other loads. */
void ws_sm_updated(ws_engine *engine, ws_sm *sm, const ws_load *load);
/* To be called when all data of a load have come. */
void ws_sm_loaded(ws_engine *engine, ws_sm *sm, const ws_load *load);
/* Checks again whether the warp's next instruction waits for results, as one may have arrived. */
void ws_sm_look(ws_engine *engine, ws_sm *sm, unsigned warp);

/* Makes the warp fetch its first instruction. */
void ws_sm_fetch_first(ws_engine *engine, ws_sm *sm, unsigned warp);

/* ---- execution units (units.c) */

/* ws_unit_takes() returns whether a unit of kind `unit` accepts an instruction of the scheduler now. ws_unit_take()
 * gives one an instruction that arrives in cycle `when`, occupies it for `cycles`, and returns the cycle in which the
 * unit begins with it. */
void ws_units_init(ws_engine *engine);
bool ws_unit_takes(const ws_engine *engine, const ws_sm *sm, unsigned unit, unsigned scheduler);
uint64_t ws_unit_take(const ws_engine *engine, ws_sm *sm, unsigned unit, unsigned scheduler, uint32_t cycles,
                      uint64_t when);
/* The same behind operand collectors: returns whether unit `which` of the kind begins with the instruction now, and
 * occupies it if so. */
bool ws_unit_begins(ws_engine *engine, ws_sm *sm, unsigned unit, unsigned which, const ws_issue *how);
/* To be called when a unit begins with an arithmetic instruction in `cycle`, or would if it went to one (sm.c). */
void ws_sm_begins(ws_engine *engine, ws_sm *sm, ws_latched *inst, uint64_t cycle);
/* Returns the cycles from when an arithmetic instruction leaves its unit to when its result is written. With operand
 * collectors what comes before the unit takes its own time; core.pipeline_cycles stands for all of it. */
static inline uint64_t ws_write_back_cycles(const ws_engine *e) {
    return e->collecting.used ? 2 : (uint64_t)e->core->pipeline_cycles;
}

/* ---- events (events.c) */

/* Makes an event happen in cycle `when`; `event.next` is set here. */
void ws_sm_schedule(ws_engine *engine, ws_sm *sm, uint64_t when, ws_event event);
/* Announces that the buffers of `warps` have their instructions from cycle `when` on. */
void ws_sm_schedule_fetched(ws_sm *sm, uint64_t when, uint64_t warps);
void ws_sm_take_events(ws_engine *engine, ws_sm *sm); /* those of the present cycle */

/* ---- taps (tell.c) */

/* Call the taps: an instruction issues; a load has its data, `cycles` after its issue; a warp ends. */
void ws_tell_issue(const ws_engine *engine, ws_sm *sm, unsigned warp, const ws_timed_inst *inst);
void ws_tell_load(const ws_engine *engine, const ws_sm *sm, const ws_load *load, uint64_t cycles);
void ws_tell_life(const ws_engine *engine, const ws_sm *sm, unsigned warp);
static inline void ws_note_wait_ended(const ws_engine *e, ws_sm *s, unsigned warp, enum ws_timed_wait wait) {
    if (e->taps.issue) s->waits[warp].ended[wait] = e->now;
}

/* ---- residents (residents.c) */

/* Starts a CTA on the SM, which has a free CTA slot and warp slots for it. Its warps start at once, or when the
 * dispatch slot's owner starts them. False with engine->err if it cannot be read. */
bool ws_sm_start_cta(ws_engine *engine, ws_sm *sm, ws_launch *launch, uint32_t ordinal);
/* Returns for how many CTAs of `warps` warps the SM has warp slots side by side. */
uint32_t ws_sm_places(const ws_engine *engine, const ws_sm *sm, uint32_t warps);
/* To be called when `count` of the warp's results or acknowledgements have come. After the last one the warp leaves
 * once the fetch stage notices (instructions.c). */
void ws_sm_settle(ws_engine *engine, ws_sm *sm, unsigned warp, unsigned count);
void ws_sm_leave(ws_engine *engine, ws_sm *sm, unsigned warp);
/* To be called when the warp has issued a barrier. */
void ws_sm_come_to_barrier(const ws_engine *engine, ws_sm *sm, unsigned warp);
/* To be called when the warp has issued its last instruction: barriers do not wait for it from then on. */
void ws_sm_exit(const ws_engine *engine, ws_sm *sm, unsigned warp);
/* To be called when all accesses that the warp has issued have reached the L1. */
void ws_sm_all_started(ws_engine *engine, ws_sm *sm, unsigned warp);

/* ---- fences (l1/fence.c) */

/* To be called when the warp issues a memory fence, and for each result that it then still waits for. The warp passes
 * the fence once it has all results; with core.fences empty_l1 the L1 is then emptied after the schedulers' turn. */
void ws_sm_come_to_fence(ws_engine *engine, ws_sm *sm, unsigned warp);
/* Empties the L1 after a fence, unless no line has been looked up since a fence last emptied it, and renews the
 * cluster slot's owner. */
void ws_l1_pass_fence(const ws_engine *engine, ws_sm *sm);

/* ---- asynchronous copies (async.c) */

/* To be called when the warp issues a copy, whose data `load` waits for; when it has
 * issued a commit or a wait. */
void ws_async_copy_issued(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t load);
void ws_async_issued(ws_sm *sm, unsigned warp, const ws_timed_static *inst);
/* To be called when a copy's load has all its data. */
void ws_async_copied(ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t load);
void ws_async_free(ws_sm *sm);

/* ---- instructions (instructions.c) */

static inline ws_icache *ws_icache_of(const ws_engine *e, const ws_sm *s) {
    return &e->icaches[s->index];
}

bool ws_icaches_fit(const ws_engine *engine, ws_error *err);
bool ws_icaches_init(ws_engine *engine); /* false if out of memory */
void ws_icaches_free(ws_engine *engine);
/* To be called when sectors of a line of instructions have arrived. */
void ws_icache_take(ws_engine *engine, ws_sm *sm, uint64_t line, uint8_t sectors);
/* Fetches for warps with empty buffers, and lets warps that have ended leave. Returns whether the SM has to do so in
 * the next cycle, too. */
bool ws_instructions_step(ws_engine *engine, ws_sm *sm);

#endif
