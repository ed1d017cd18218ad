/* What is told of a launch that does not go on: the state of its oldest CTA, and what may help. */
#include "timed/gpu.h"
#include "timed/l1/l1.h"
#include "timed/turns.h"

#include <stdio.h>

static const char *where_is(const ws_sm *s, unsigned warp) {
    if (s->barred >> warp & 1) return "at a barrier";
    return s->copying >> warp & 1 ? "waiting for asynchronous copies" : "not at a barrier";
}

static bool waits_for_a_way(const ws_sm *s) {
    for (const ws_l1_bank *b = s->banks; b < s->banks + s->bank_count; b++)
        if (b->since && b->cause == WS_FAIL_SET_FULL) return true;
    return false;
}

/* Finds an SM whose L1 spares written lines in a set that has no others: it never serves what waits for that set. */
static const ws_sm *find_spared_set(const ws_engine *e) {
    for (const ws_sm *s = e->sms; s < e->sms + e->sm_count; s++)
        if (s->resident && waits_for_a_way(s) && ws_cache_spares_a_set(&s->l1)) return s;
    return NULL;
}

/* Returns the last cycle in which something has happened, when nothing is on its way any more: SMs may have gone ahead,
 * and what has been foreseen, and each access that has entered a bank ahead, belongs to a cycle of its own. */
static uint64_t last_event(const ws_engine *e) {
    uint64_t last = e->now;
    for (const ws_sm *s = e->sms; s < e->sms + e->sm_count; s++) {
        if (s->ahead > last + 1) last = s->ahead - 1;
        if (s->foreseen > last) last = s->foreseen;
        for (uint32_t b = 0; b < s->bank_count; b++)
            if (s->banks[b].last_in > last + 1) last = s->banks[b].last_in - 1;
    }
    return last;
}

static bool fail_stuck(const ws_engine *e, ws_error *err) {
    const ws_program *p = e->stuck;
    uint32_t place = (uint32_t)(p - e->programs);
    const ws_launch *l = &e->launches[place];
    return ws_fail(
        err, WS_ERROR_SPEC,
        "program %u, %s: launch %u has not gone on for %llu cycles, while the other program runs again "
        "and again: %llu of its %u CTAs have started, %llu have ended; give the programs SMs of their "
        "own (core.first_launch_sms), set core.loop_programs=false, or raise core.deadlock_cycles",
        place + 1, ws_trace_path(ws_trace_of_program(e->trace, place)), p->at + 1,
        (unsigned long long)(e->now - p->progress), (unsigned long long)l->started, l->ctas,
        (unsigned long long)l->done);
}

bool ws_fail_deadlock(const ws_engine *e, bool due, ws_error *err) {
    const ws_sm *s = e->sms, *spared = find_spared_set(e);
    uint64_t now = due ? e->now : last_event(e);
    if (spared)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "l1.spare_dirty_percent: expected less than %g: deadlock at cycle %llu, for the L1 of SM "
            "%u keeps all %u lines of a set, as they are written, and only %u of its %u lines are; "
            "lower it, or %s",
            e->l1->spare_dirty_percent, (unsigned long long)(now - e->launched), spared->index,
            spared->l1.ways, spared->l1.dirty_lines, spared->l1.sets * spared->l1.ways,
            e->l1->unified_B ? "l1.size_B, for fewer sets" : "raise l1.ways");
    if (e->stuck) return fail_stuck(e, err);
    while (s < e->sms + e->sm_count && !s->resident) s++;
    if (s == e->sms + e->sm_count)
        return ws_fail(err, WS_ERROR_INTERNAL, "deadlock at cycle %llu: CTAs are left but none runs",
                       (unsigned long long)(now - e->launched));
    unsigned cta = s->by_age[0], warp = s->cta_warps[cta] ? (unsigned)__builtin_ctzll(s->cta_warps[cta]) : 0;
    char what[80] = "nothing more is to happen";
    if (due)
        snprintf(what, sizeof what, "no instruction issued or completed for %llu cycles",
                 (unsigned long long)(now - e->progress));
    return ws_fail(
        err, due ? WS_ERROR_SPEC : WS_ERROR_INTERNAL,
        "deadlock at cycle %llu: %s, %u CTAs run; "
        "the oldest: SM %u, CTA %u, warp %u %s, %u results outstanding, %lld instructions left; its "
        "L1: %u MSHR entries in use, %u misses wait, %u instructions at the load/store unit%s",
        (unsigned long long)(now - e->launched), what, e->running, s->index, s->cta_ordinal[cta],
        s->warps[warp].id_in_cta, where_is(s, warp), s->warps[warp].in_flight,
        (long long)(s->warps[warp].inst_end - s->warps[warp].inst), s->mshr.used, s->miss_queue.count,
        s->memory_count, due ? "; where memory is that slow, raise core.deadlock_cycles" : "");
}
