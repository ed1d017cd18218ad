/* Residents of an SM: CTAs come, their warps start, wait for each other at barriers, and end. */
#include "base/bits.h"
#include "timed/sm/core.h"
#include "timed/turns.h"

#include <string.h>

/* ---- barriers */

static bool has_unstarted(const ws_sm *s, unsigned cta) {
    return s->cta_next[cta] < s->cta_size[cta];
}

/* Opens the barrier if all warps of the CTA that have instructions left wait at it. */
static void open_barrier(const ws_engine *e, ws_sm *s, unsigned cta) {
    uint64_t awaited = s->cta_warps[cta] & ~s->exited;
    if (!s->cta_barred[cta] || s->cta_barred[cta] != awaited || has_unstarted(s, cta)) return;
    for (uint64_t warps = s->cta_barred[cta]; warps; warps &= warps - 1)
        ws_note_wait_ended(e, s, ws_lowest_bit(warps), WS_TIMED_WAIT_BARRIER);
    s->barred &= ~s->cta_barred[cta];
    s->cta_barred[cta] = 0;
}

static void wait_at_barrier(const ws_engine *e, ws_sm *s, unsigned warp) {
    unsigned cta = s->warps[warp].cta_of;
    s->cta_barred[cta] |= ws_bit(warp);
    open_barrier(e, s, cta);
}

void ws_sm_exit(const ws_engine *e, ws_sm *s, unsigned warp) {
    s->exited |= ws_bit(warp);
    open_barrier(e, s, s->warps[warp].cta_of);
}

/* If accesses can be reordered, the warp arrives only once all its accesses have reached the L1: what other warps do
 * after the barrier may not overtake them. */
void ws_sm_come_to_barrier(const ws_engine *e, ws_sm *s, unsigned warp) {
    s->barred |= ws_bit(warp);
    if (e->reorders && s->not_started[warp])
        s->late_barred |= ws_bit(warp);
    else
        wait_at_barrier(e, s, warp);
}

void ws_sm_all_started(ws_engine *e, ws_sm *s, unsigned warp) {
    if (!(s->late_barred >> warp & 1)) return;
    ws_sm_touch(e, s);
    s->late_barred &= ~ws_bit(warp);
    wait_at_barrier(e, s, warp);
}

/* ---- ends */

static void end_cta(ws_engine *e, ws_sm *s, unsigned cta) {
    free(s->cta[cta]);
    s->cta[cta] = NULL;
    s->free_ctas |= ws_bit(cta);
    s->ending &= ~ws_bit(cta);
    s->free_slots |= s->cta_slots[cta];
    unsigned i = 0;
    while (s->by_age[i] != cta) i++;
    memmove(s->by_age + i, s->by_age + i + 1, --s->resident - i);
    if (!s->resident) e->idle[s->index].from = e->now + 1;
    ws_launch_cta_ended(e, s, &e->launches[s->launch_of[cta]]);
}

/* To be called after a warp has ended, or started. */
static void go_on_or_end(ws_engine *e, ws_sm *s, unsigned cta) {
    if (s->cta_warps[cta] || has_unstarted(s, cta))
        open_barrier(e, s, cta);
    else
        end_cta(e, s, cta);
}

static void give_back(ws_engine *e, ws_sm *s, unsigned warp) {
    e->dispatch_slot->ended(e->dispatch, s, warp);
    ws_wake_dispatch(e, e->now);
}

void ws_sm_release_slot(ws_sm *s, unsigned warp) {
    s->cta_slots[s->warps[warp].cta_of] &= ~ws_bit(warp);
    s->free_slots |= ws_bit(warp);
}

void ws_sm_settle(ws_engine *e, ws_sm *s, unsigned warp, unsigned count) {
    s->warps[warp].in_flight -= count;
    ws_note_progress(e);
    if (!s->warps[warp].in_flight && s->warps[warp].inst == s->warps[warp].inst_end)
        s->leaving |= ws_bit(warp);
}

void ws_sm_leave(ws_engine *e, ws_sm *s, unsigned warp) {
    s->leaving &= ~ws_bit(warp);
    s->exited &= ~ws_bit(warp);
    ws_sm_account(e, s, e->now);
    unsigned cta = s->warps[warp].cta_of;
    if (e->taps.warp_end) ws_tell_life(e, s, warp);
    if (e->core_slot && e->core_slot->warp_ended) e->core_slot->warp_ended(s->core, e, s, warp);
    free(s->warps[warp].tail);
    s->warps[warp].tail = NULL;
    s->cta_warps[cta] &= ~ws_bit(warp);
    s->live &= ~ws_bit(warp);
    if (e->dispatch_slot) give_back(e, s, warp);
    go_on_or_end(e, s, cta);
    s->schedule_next = s->live ? e->now + 1 : WS_NEVER; /* schedulers have had their turn in this cycle */
}

/* ---- starts */

/* Nothing is left of the warp that had the slot before, as that ended when nothing of it was in flight. */
static void start_warp(ws_engine *e, ws_sm *s, unsigned cta, unsigned warp, const ws_timed_warp *w) {
    s->warps[warp].start = e->now;
    s->warps[warp].inst_first = s->warps[warp].inst = w->insts;
    s->warps[warp].inst_end = w->insts + w->inst_count;
    s->warps[warp].access = w->accesses;
    s->cta_warps[cta] |= ws_bit(warp);
    s->live |= ws_bit(warp);
    s->issuing |= ws_bit(warp);
    if (e->core_slot && e->core_slot->warp_started) e->core_slot->warp_started(s->core, e, s, warp, w);
    ws_sm_fetch_first(e, s, warp);
}

static unsigned take_slot(ws_sm *s, unsigned cta, unsigned from) {
    unsigned warp = ws_lowest_bit(s->free_slots & ~UINT64_C(0) << from);
    s->free_slots &= ~ws_bit(warp);
    s->cta_slots[cta] |= ws_bit(warp);
    s->warps[warp].cta_of = (uint8_t)cta;
    s->warps[warp].id_in_cta = s->cta_next[cta]++;
    return warp;
}

/* Each warp takes the lowest free slot from `from` on, even one without instructions. */
static void start_warps(ws_engine *e, ws_sm *s, unsigned cta, uint32_t count, unsigned from) {
    const ws_timed_warp *w = s->cta[cta]->warps, *end = w + s->cta[cta]->warp_count;
    while (w < end && w->id < s->cta_next[cta]) w++;
    ws_sm_touch(e, s);
    for (; count; count--) {
        unsigned warp = take_slot(s, cta, from);
        if (w < end && w->id == s->warps[warp].id_in_cta)
            start_warp(e, s, cta, warp, w++);
        else if (e->dispatch_slot)
            give_back(e, s, warp);
    }
    go_on_or_end(e, s, cta);
    s->schedule_next = e->now + 1;
    s->touched = false;
    ws_wake_sm(e, s->index, e->now + 1);
}

void ws_sm_start_warps(ws_engine *e, ws_sm *s, unsigned cta, uint32_t count) {
    start_warps(e, s, cta, count, 0);
}

/* Returns a place for a CTA: the first of the slots of its warps, `from` or later, or WS_NO_SLOT. They lie at a
 * multiple of their number (GPGPU-Sim: find_available_hwtid), which matters where CTAs of different sizes meet. */
static unsigned place_from(const ws_engine *e, const ws_sm *s, unsigned from, uint32_t warps) {
    uint64_t range = warps < WS_SLOTS ? ws_bit(warps) - 1 : ~UINT64_C(0);
    uint32_t limit = (uint32_t)e->sm_params->warps > warps ? (uint32_t)e->sm_params->warps : warps;
    for (; from + warps <= limit; from += warps)
        if (!(~s->free_slots >> from & range)) return from;
    return WS_NO_SLOT;
}

uint32_t ws_sm_places(const ws_engine *e, const ws_sm *s, uint32_t warps) {
    uint32_t count = 0;
    for (unsigned at = place_from(e, s, 0, warps); at != WS_NO_SLOT; count++)
        at = place_from(e, s, at + warps, warps);
    return count;
}

static bool warps_fit(const ws_engine *e, const ws_timed_cta *cta, uint32_t ordinal, uint32_t warps) {
    uint32_t last = cta->warp_count ? cta->warps[cta->warp_count - 1].id : 0;
    return last < warps || ws_fail(e->err, WS_ERROR_TRACE, "CTA %u: expected warps below %u, found warp %u",
                                   ordinal, warps, last);
}

/* Returns the number of warps of the largest CTA that shares the launch's addresses; programs have their own. */
static uint64_t most_warps_per_cta(const ws_engine *e, const ws_launch *l) {
    return e->streams.launch ? e->streams.warps_per_cta : l->occupancy.warps_per_cta;
}

/* Returns how many CTA slots of an SM the launch may use: those that it fills if it has its SMs for itself (GPGPU-Sim:
 * translate_local_memaddr, max_cta), else all that there are. */
static uint64_t slots_of(const ws_engine *e, const ws_launch *l) {
    if (e->dispatch_slot) return e->dispatch_slot->most_ctas(e->dispatch, e);
    return ws_launches_share(e) && !ws_programs_are_apart(e) ? (uint64_t)e->sm_params->ctas
                                                             : ws_launch_ctas_on_sm(e, l);
}

/* Where GPGPU-Sim puts local memory (LOCAL_GENERIC_START). */
#define LOCAL_BASE UINT64_C(0x1f880000)

/* Returns the CTA's place in local memory. The threads of a CTA slot take up whole lines. The first slots of all SMs
 * come first. */
static ws_local_place local_place(const ws_engine *e, const ws_sm *s, const ws_launch *l, unsigned slot) {
    if (!e->core->local_interleaved || !ws_local_is_common(e->trace)) return (ws_local_place){0};
    uint64_t threads = most_warps_per_cta(e, l) * ws_trace_get_info(e->trace)->warp_size,
             of_line = (uint64_t)e->l1->line_B / 4, of_cta = (threads + of_line - 1) / of_line * of_line;
    return (ws_local_place){.base = LOCAL_BASE,
                            .first_thread = of_cta * (s->index + (uint64_t)e->sm_count * slot),
                            .threads = of_cta * slots_of(e, l) * e->sm_count};
}

bool ws_sm_start_cta(ws_engine *e, ws_sm *s, ws_launch *launch, uint32_t ordinal) {
    unsigned slot = ws_lowest_bit(s->free_ctas);
    ws_timed_cta *cta = ws_timed_stream_cta(launch->stream, ordinal, local_place(e, s, launch, slot), e->err);
    if (!cta) return false;
    s->free_ctas &= ~ws_bit(slot);
    s->cta[slot] = cta;
    s->cta_ordinal[slot] = ordinal;
    s->cta_slots[slot] = 0;
    uint32_t warps = launch->occupancy.warps_per_cta;
    s->launch_of[slot] = (uint8_t)(launch - e->launches);
    s->cta_size[slot] = (uint8_t)warps;
    s->cta_next[slot] = 0;
    ws_idle *idle = &e->idle[s->index];
    if (!s->resident) idle->cycles += e->now + 1 - idle->from;
    s->by_age[s->resident++] = (uint8_t)slot;
    e->running++;
    e->dispatched = e->now;
    if (!warps_fit(e, cta, ordinal, warps)) return false;
    if (e->dispatch_slot)
        e->dispatch_slot->arrived(e->dispatch, e, s, slot);
    else
        start_warps(e, s, slot, warps, place_from(e, s, 0, warps));
    return true;
}
