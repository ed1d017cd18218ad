/* Programs of joined traces, two of which run at the same time.
 *
 * The launches of each program run one after another, in the program's place of ws_engine.launches. A program that has
 * come to its end begins anew, unless core.loop_programs is off, until the other one has come to its end, too; there
 * both stop (XI 4.5). */
#include "replay/limit.h"
#include "timed/l1/l1.h"
#include "timed/mechanism_counts.h"
#include "timed/memory/slice.h"
#include "timed/turns.h"

#include <stdlib.h>

/* ---- life */

bool ws_programs_fit(ws_engine *e, ws_error *err) {
    for (uint32_t place = 0, next = 1; place < e->program_count; place++) {
        const ws_trace *trace = ws_trace_of_program(e->trace, place);
        ws_program *p = &e->programs[place];
        *p = (ws_program){.first = next, .count = ws_trace_get_info(trace)->kernel_count};
        if (p->count == 0)
            return ws_fail(err, WS_ERROR_TRACE, "%s: expected launches, found none", ws_trace_path(trace));
        for (uint32_t i = 0; i < p->count; i++)
            if (!ws_launch_fits(e, place, p->first + i, err)) return false;
        next += p->count;
    }
    return true;
}

static bool init(ws_engine *e, ws_program *p, uint32_t place, const ws_config *config, ws_error *err) {
    p->launch = calloc(p->count, sizeof *p->launch);
    if (!p->launch) return ws_no_memory(err);
    for (uint32_t i = 0; i < p->count; i++)
        if (!ws_limit_ctas(e->trace, &e->counting, p->first + i, config, &p->launch[i].ctas, err))
            return ws_fail_prefix(err, "%s: launch %u", ws_trace_path(ws_trace_of_program(e->trace, place)),
                                  i + 1);
    return true;
}

bool ws_programs_init(ws_engine *e, const ws_config *config, ws_error *err) {
    if (!ws_programs_fit(e, err)) return false;
    for (uint32_t i = 0; i < e->program_count; i++)
        if (!init(e, &e->programs[i], i, config, err)) return false;
    return true;
}

void ws_programs_free(ws_engine *e) {
    for (uint32_t i = 0; i < e->program_count; i++) free(e->programs[i].launch);
}

/* ---- ends */

/* Adds what the launch in that place has done until now to its program's counts. Returns its cycles. */
static uint64_t take_share(ws_engine *e, uint32_t place) {
    const ws_launch *l = &e->launches[place];
    ws_timed_share *to = &e->programs[place].launch[e->programs[place].at].share, add = l->counters;
    add.cycles = e->now > l->launched ? e->now - l->launched : 0;
    add.ctas = l->started;
#define X(name) to->name += add.name;
    WS_TIMED_SHARE(X)
#undef X
    return add.cycles;
}

static void end_run(const ws_engine *e, ws_program *p) {
    p->at = 0;
    p->runs++;
    p->rests = !e->core->loop_programs;
    for (uint32_t i = 0; i < p->count; i++) p->launch[i].run_cycles += p->launch[i].cycles;
}

static void end_launch(ws_engine *e, uint32_t place) {
    ws_program *p = &e->programs[place];
    p->launch[p->at].cycles = take_share(e, place);
    p->between = true;
    if (++p->at == p->count) end_run(e, p);
}

/* ---- and begins */

/* Copies are made in a program's first run only: later runs find the data there. */
static void place_copies(ws_engine *e, const ws_program *p) {
    uint32_t count = ws_trace_get_info(e->trace)->memcpy_count;
    for (uint32_t i = 0; e->l2->copies && p->runs == 0 && i < count; i++) {
        const ws_memcpy *copy = ws_trace_memcpy(e->trace, i);
        if (copy->before_kernel == p->first + p->at) ws_place_copy(e, copy);
    }
}

/* Keeps the counts of mechanisms' instances in an SM that is to be renewed. */
static void keep_counts(ws_engine *e, const ws_sm *s) {
    for (size_t i = 0; i < e->mechanisms.count; i++)
        ws_mechanism_count_sm(e, e->mechanisms.at[i], s, e->counted_earlier[i]);
}

/* Prepares an SM for a launch that may use it. Its L1 starts empty and, if nothing is under way in it, all of it is
 * made anew. Warps end only when they have all that they have asked for, but lines that were fetched in addition may
 * still come (l1/fetch.c). */
static bool renew_sm(ws_engine *e, ws_sm *s) {
    if (s->resident || s->mshr.used) {
        ws_l1_empty(s);
        ws_l1_try_again(s); /* they may have waited for a way */
        ws_wake_sm(e, s->index, e->now + 1);
        return true;
    }
    ws_sm_account(e, s, e->now);
    keep_counts(e, s);
    ws_sm_counters counters = s->counters;
    uint32_t index = s->index;
    ws_sm_free(e, s);
    *s = (ws_sm){.counters = counters, .accounted = e->now, .since = e->now};
    return ws_sm_init(e, s, index);
}

/* Prepares a cluster for a launch that may use it. */
static void renew_cluster(ws_engine *e, const ws_launch *l, uint32_t cluster) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value, sm = cluster * sms, end = sm + sms;
    while (sm < end && !ws_launch_may_use(e, l, sm)) sm++;
    if (sm < end) e->cluster_slot->renew(e->clusters[cluster]);
}

static bool begin_launch(ws_engine *e, uint32_t place) {
    ws_program *p = &e->programs[place];
    ws_launch *l = &e->launches[place];
    p->between = false;
    if (!ws_launch_turn(e, l, p->first + p->at, p->launch[p->at].ctas, e->err)) return false;
    for (uint32_t sm = 0; sm < e->sm_count; sm++)
        if (ws_launch_may_use(e, l, sm) && !renew_sm(e, &e->sms[sm])) return ws_no_memory(e->err);
    for (uint32_t cluster = 0; e->cluster_slot && cluster < e->cluster_count; cluster++)
        renew_cluster(e, l, cluster);
    place_copies(e, p);
    ws_launch_begin(e, l);
    return true;
}

/* ---- their turn */

void ws_programs_begin(ws_engine *e) {
    for (uint32_t i = 0; i < e->program_count; i++) {
        place_copies(e, &e->programs[i]);
        ws_launch_begin(e, &e->launches[i]);
    }
}

/* Whether the program, which has not run once, has done nothing for many times core.deadlock_cycles although the other
 * one loops, which would go on for ever. Where memory is slow and the other one keeps it busy, a result may take
 * long. */
enum { PATIENCE = 10 };
static bool is_stuck(const ws_engine *e, ws_program *p, const ws_launch *l, bool other_loops) {
    uint64_t done = l->counters.warp_instructions + l->counters.loads + l->started + l->done;
    if (done != p->done || p->between || e->now < l->begins || !other_loops) {
        p->done = done;
        p->progress = e->now;
    }
    return e->now > p->progress + PATIENCE * (uint64_t)e->core->deadlock_cycles;
}

/* Looks for a program that is stuck. */
static void watch(ws_engine *e) {
    bool one_loops = false;
    for (uint32_t i = 0; i < e->program_count; i++)
        one_loops |= e->programs[i].runs > 0 && e->core->loop_programs;
    for (uint32_t i = 0; i < e->program_count; i++) {
        ws_program *p = &e->programs[i];
        if (p->runs == 0 && is_stuck(e, p, &e->launches[i], one_loops)) e->stuck = p;
    }
}

bool ws_programs_go_on(ws_engine *e) {
    bool all_have_run = true;
    for (uint32_t i = 0; i < e->program_count; i++) {
        if (!e->programs[i].between && ws_launch_has_ended(e, &e->launches[i])) end_launch(e, i);
        all_have_run &= e->programs[i].runs > 0;
    }
    watch(e);
    for (uint32_t i = 0; i < e->program_count; i++) {
        ws_program *p = &e->programs[i];
        if (all_have_run && !p->between) take_share(e, i);
        if (!all_have_run && p->between && !p->rests && !begin_launch(e, i)) return false;
    }
    e->finished = all_have_run;
    return true;
}
