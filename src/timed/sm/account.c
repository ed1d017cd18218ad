/* The account of where an SM's time goes. The SM's state changes only in its own turns and when a CTA starts, so what
 * holds after a turn holds until the next one: cycles without a turn are added up at once. */
#include "base/bits.h"
#include "timed/sm/core.h"

/* Sets of warps, by what they would make a scheduler wait for. reason() goes by the first that applies, so a set may
 * include those before it. */
typedef struct waits_for {
    uint64_t memory, unit, data, barrier, fetch;
} waits_for;

static waits_for sort_warps(const ws_sm *s) {
    uint64_t ready = ws_sm_ready(s);
    return (waits_for){.memory = ready & s->wants[WS_UNIT_MEMORY],
                       .unit = ready,
                       .data = s->fetched & s->live & ~s->barred,
                       .barrier = s->live & s->barred,
                       .fetch = s->live};
}

/* Returns why a scheduler with these warps does not issue: the host cannot foresee it, so it is not asked to. */
static inline enum ws_doing reason(const waits_for *w, uint64_t warps) {
    enum ws_doing why = warps & w->fetch ? WS_DOING_FETCH : WS_DOING_EMPTY;
    why = warps & w->barrier ? WS_DOING_BARRIER : why;
    why = warps & w->data ? WS_DOING_DATA : why;
    why = warps & w->unit ? WS_DOING_UNIT : why;
    return warps & w->memory ? WS_DOING_MEMORY : why;
}

/* Returns for how many of the `cycles` cycles from `accounted` on the scheduler pauses after an instruction. */
static uint64_t pause(const ws_sm *s, uint32_t scheduler, uint64_t cycles) {
    uint64_t issued = s->issued >> scheduler & 1, end = s->accounted + cycles,
             free = s->issue_free[scheduler];
    if (free <= s->accounted + issued) return 0;
    return (free < end ? free : end) - s->accounted - issued;
}

/* While a scheduler pauses, it is no fault of the load/store unit that it does not issue for the `memory` warps. */
static __attribute__((noinline)) void take_pauses_apart(const ws_engine *e, ws_sm *s, uint64_t memory,
                                                        uint64_t cycles) {
    for (uint32_t k = 0; k < (uint32_t)e->sm_params->schedulers; k++) {
        uint64_t pauses = memory & e->scheduler_slots[k] ? pause(s, k, cycles) : 0;
        s->counters.scheduler_cycles[WS_DOING_UNIT] += pauses;
        s->counters.scheduler_cycles[WS_DOING_MEMORY] -= pauses;
    }
}

static __attribute__((noinline)) uint32_t waiting_in_front(const ws_engine *e, const ws_sm *s) {
    return e->front_slot->waiting ? e->front_slot->waiting(s->front) : 0;
}

/* Returns the number of memory instructions that could be served and are not: those of `ready` warps, which cannot
 * issue them, and those behind the ones that the load/store unit works on. */
static inline uint32_t memory_waiting(const ws_engine *e, const ws_sm *s, uint64_t ready) {
    uint32_t coalescers = (uint32_t)e->core->coalescers;
    uint32_t queued = s->memory_count > coalescers ? s->memory_count - coalescers : 0;
    return queued + ws_count_bits(ready) + (s->made && e->front_slot ? waiting_in_front(e, s) : 0);
}

static inline void count_memory(const ws_engine *e, ws_sm *s, uint64_t ready, uint64_t cycles) {
    uint32_t waiting = memory_waiting(e, s, ready);
    s->counters.memory_waiting += waiting * cycles;
    s->counters.memory_waiting_cycles += waiting ? cycles : 0;
    s->counters.busy_cycles += s->live || waiting ? cycles : 0;
}

void ws_sm_account(const ws_engine *e, ws_sm *s, uint64_t cycle) {
    if (cycle <= s->accounted) return;
    uint64_t cycles = cycle - s->accounted;
    ws_sm_counters *c = &s->counters;
    waits_for warps = sort_warps(s);
    count_memory(e, s, warps.memory, cycles);
    c->warp_cycles += ws_count_bits(s->live) * cycles;
    c->scheduler_cycles[WS_DOING_ISSUE] += ws_count_bits(s->issued);
    for (uint32_t k = 0; k < (uint32_t)e->sm_params->schedulers; k++)
        c->scheduler_cycles[reason(&warps, e->scheduler_slots[k])] += cycles - (s->issued >> k & 1);
    if (e->issue_cycles > 1 || e->core_slot) take_pauses_apart(e, s, warps.memory, cycles);
    s->accounted = cycle;
    s->issued = 0;
}
