/* Which warp issues, as told by the order in which accesses come to an SM's L1. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ONE_SM "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1,"

typedef struct order_heard {
    uint32_t warp[1024];
    size_t count;
} order_heard;

static void hear_order(void *self, const ws_timed_access *a) {
    order_heard *h = self;
    h->warp[h->count++] = a->warp;
}

static order_heard accesses_of_launch(ws_timed *timed, uint32_t launch, ws_timed_counters *counters) {
    ws_error err = WS_NO_ERROR;
    order_heard heard = {.count = 0};
    ws_timed_tap(timed, &(ws_timed_taps){.self = &heard, .access = hear_order});
    if (!ws_timed_run(timed, launch, counters, &err)) fail_msg("%s", err.text);
    return heard;
}

static order_heard accesses_of(const ws_trace *trace, const char *settings) {
    ws_timed_counters counters;
    ws_timed *timed = mechanism_gpu(trace, settings);
    order_heard heard = accesses_of_launch(timed, 1, &counters);
    ws_timed_free(timed);
    return heard;
}

/* ---- the warps that a policy admits */

enum { LIMITED_WARPS = 6, LIMITED_LOADS = 8 };

/* Returns the largest number of warps that are between their first and their last access at the same time. */
static unsigned most_at_once(const order_heard *h) {
    unsigned done[LIMITED_WARPS] = {0}, open = 0, most = 0;
    for (size_t i = 0; i < h->count; i++) {
        unsigned n = ++done[h->warp[i]];
        open += n == 1;
        if (open > most) most = open;
        open -= n == LIMITED_LOADS;
    }
    return most;
}

static ws_trace *warps_of_dependent_loads(void) {
    generate_plan plan = generate_loads(1, LIMITED_WARPS, LIMITED_LOADS, generate_a_line_each);
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    return generate_planned(&plan);
}

/* With swl exactly k of six warps are under way at once, however many schedulers share them. */
static void swl_admits_exactly_k_warps(void **state) {
    (void)state;
    ws_trace *trace = warps_of_dependent_loads();
    static const unsigned ks[] = {1, 2, 3, 4, 5, 6, 64};
    for (int base = 0; base < 2; base++)
        for (unsigned schedulers = 1; schedulers <= 2; schedulers++)
            for (size_t i = 0; i < WS_COUNT(ks); i++) {
                char settings[200];
                snprintf(settings, sizeof settings,
                         ONE_SM "sm.scheduler=swl,core.swl_base=%s,core.swl_warps=%u,sm.schedulers=%u",
                         base ? "lrr" : "gto", ks[i], schedulers);
                order_heard heard = accesses_of(trace, settings);
                assert_int_equal(heard.count, LIMITED_WARPS * LIMITED_LOADS);
                assert_int_equal(most_at_once(&heard), ks[i] < LIMITED_WARPS ? ks[i] : LIMITED_WARPS);
            }
    ws_trace_close(trace);
}

/* Which warp comes to a barrier last differs from part to part. */
static uint32_t uneven_work(uint32_t cta, uint32_t warp, uint32_t part) {
    return 1 + (5 * cta + 3 * warp + 7 * part) % 6;
}

/* A limit that admits all warps changes nothing; nor does an active set with room for all. That includes barriers,
 * since another scheduler may issue warps in the cycle in which a barrier opens. */
static void limits_of_all_warps_change_nothing(void **state) {
    (void)state;
    const generate_work barriers = {
        .ctas = 4, .warps_per_cta = 7, .registers_per_thread = 8, .parts = 6, .work = uneven_work};
    ws_trace *traces[] = {warps_of_dependent_loads(), generate_random(4, 32), generate_random(7, 32),
                          generate_worked(&barriers)};
    static const char *const alike[][2] = {
        {ONE_SM "sm.scheduler=gto", ONE_SM "sm.scheduler=swl,core.swl_base=gto,core.swl_warps=64"},
        {ONE_SM "sm.scheduler=lrr", ONE_SM "sm.scheduler=swl,core.swl_base=lrr,core.swl_warps=64"},
        {ONE_SM "sm.scheduler=lrr", ONE_SM "sm.scheduler=two_level,core.active_warps=64"}};
    for (size_t t = 0; t < WS_COUNT(traces); t++) {
        for (size_t i = 0; i < 3; i++) {
            mechanism_result a = mechanism_run(traces[t], 1, alike[i][0]),
                             b = mechanism_run(traces[t], 1, alike[i][1]);
            assert_memory_equal(&a, &b, sizeof a);
        }
        ws_trace_close(traces[t]);
    }
}

/* An active set of one warp keeps it until it waits for a load, and takes it again when it no longer waits and its turn
 * has come. */
static void two_levels_swap_warps_that_wait(void **state) {
    (void)state;
    const char *settings = ONE_SM "sm.scheduler=two_level,core.active_warps=1,sm.schedulers=1";
    generate_plan plan = generate_loads(1, LIMITED_WARPS, LIMITED_LOADS, generate_a_line_each);
    ws_trace *trace = generate_planned(&plan);
    order_heard heard = accesses_of(trace, settings);
    for (size_t i = 0; i < heard.count; i++) assert_int_equal(heard.warp[i], i / LIMITED_LOADS);
    ws_trace_close(trace);

    plan.address = generate_one_line; /* whose data come in the order in which the warps asked */
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    trace = generate_planned(&plan);
    heard = accesses_of(trace, settings);
    for (size_t i = 0; i < heard.count; i++) assert_int_equal(heard.warp[i], i % LIMITED_WARPS);
    ws_trace_close(trace);
}

/* ---- which warp goes first */

static uint32_t schedulers, longer; /* longer: which of a scheduler's two warps per CTA has more loads */
static uint32_t one_is_longer(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)part;
    return warp / schedulers == longer ? 3 : 1;
}

/* Checks which warp of each scheduler accesses first from access `from` on. */
static void check_first_from(const order_heard *heard, size_t from, uint32_t first) {
    for (uint32_t k = 0; k < schedulers; k++) {
        size_t i = from;
        while (heard->warp[i] % schedulers != k) i++;
        assert_int_equal(heard->warp[i] / schedulers, first);
    }
}

/* Checks which warp of each scheduler accesses first in the second of two CTAs, which run one after the other, and in
 * the first CTA of the next launch. */
static void check_first(const char *policy, uint32_t first) {
    char settings[200];
    snprintf(settings, sizeof settings,
             ONE_SM "sm.scheduler=%s,sm.schedulers=%u,sm.ctas=1,core.fetches_per_cycle=8", policy,
             schedulers);
    ws_trace *trace = generate_worked(&(generate_work){.ctas = 2,
                                                       .warps_per_cta = 2 * schedulers,
                                                       .parts = 1,
                                                       .work = one_is_longer,
                                                       .address = generate_one_line});
    ws_timed *timed = mechanism_gpu(trace, settings);
    ws_timed_counters counters;
    order_heard heard = accesses_of_launch(timed, 1, &counters),
                again = accesses_of_launch(timed, 1, &counters);
    check_first_from(&heard, heard.count / 2, first);
    check_first_from(&again, 0, first);
    ws_timed_free(timed);
    ws_trace_close(trace);
}

/* New warps take the slots of warps that have ended. A greedy scheduler goes on with the slot that it issued from last,
 * whoever has it now (GPGPU-Sim: m_last_supervised_issued); lrr with the slot behind it. */
static void schedulers_remember_a_slot(void **state) {
    (void)state;
    for (schedulers = 1; schedulers <= 2; schedulers++)
        for (longer = 0; longer < 2; longer++) {
            check_first("gto", longer);
            check_first("lrr", 1 - longer);
        }
}

/* Two schedulers have a load each, and one load can go in a cycle. They take turns in going first, by the number of
 * cycles in which their SM has had CTAs, from launch to launch. A CTA's first instructions issue one cycle earlier than
 * core.fetch_cycles after it has come. */
static void schedulers_take_turns_in_going_first(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 2, 3, generate_one_line);
    plan.more_launches = 1;
    ws_trace *trace = generate_planned(&plan);
    for (unsigned fetch = 1; fetch <= 4; fetch++)
        for (unsigned launch = 0; launch <= 5; launch++) {
            char settings[200];
            snprintf(settings, sizeof settings,
                     ONE_SM "core.fetch_cycles=%u,core.launch_cycles=%u,core.fetches_per_cycle=8", fetch,
                     launch);
            ws_timed *timed = mechanism_gpu(trace, settings);
            ws_timed_counters one, two;
            uint32_t first = accesses_of_launch(timed, 1, &one).warp[0],
                     second = accesses_of_launch(timed, 2, &two).warp[0];
            uint64_t before = fetch > 1 ? fetch - 1 : 1; /* cycles with the CTA */
            assert_int_equal(first, before % 2);
            assert_int_equal(second, (one.cycles - launch + before) % 2);
            ws_timed_free(timed);
        }
    ws_trace_close(trace);
}

enum { LAUNCHES = 4, SMS = 2, CTAS = 9, LOADS = 3 };

/* A CTA begins with loads of one line each; its other loads have more lines, so that each CTA takes a time of its
 * own. */
static uint64_t a_time_of_its_own(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    uint32_t lines = inst ? 1 + (7 * cta + 5 * inst) % 29 : 1;
    return 128 * (uint64_t)(1000 * cta + 300 * inst + 32 * warp + lane % lines);
}

/* A CTA's stay on its SM, which has no other CTA meanwhile: its cycles within the launch, and the warp that went
 * first. */
typedef struct stay {
    uint32_t launch, cta, first;
    uint64_t start, end;
} stay;

typedef struct stays_heard {
    uint32_t launch, count[SMS];
    stay stays[SMS][LAUNCHES * CTAS];
} stays_heard;

static void hear_stay(void *self, const ws_timed_access *access) {
    stays_heard *h = self;
    stay *next = &h->stays[access->sm][h->count[access->sm]];
    if (h->count[access->sm] && next[-1].launch == h->launch && next[-1].cta == access->cta) return;
    *next = (stay){.launch = h->launch, .cta = access->cta, .first = access->warp};
    h->count[access->sm]++;
}

static void hear_stay_end(void *self, const ws_timed_warp_life *life) {
    stays_heard *h = self;
    stay *present = &h->stays[life->sm][h->count[life->sm] - 1];
    assert_int_equal(present->cta, life->cta);
    present->start = life->start;
    present->end = life->end;
}

/* Runs all launches, one after the other, on a GPU whose schedulers have one warp each of a CTA and share a port. */
static void hear_stays(stays_heard *h) {
    ws_error err = WS_NO_ERROR;
    char settings[300];
    snprintf(settings, sizeof settings,
             "gpu.clusters=%d,dram.channels=2,sm.ctas=1,sm.schedulers=%u,core.memory_ports=1,"
             "core.memory_queue=8,core.fetches_per_cycle=8",
             SMS, schedulers);
    generate_plan plan = generate_loads(CTAS, schedulers, LOADS, a_time_of_its_own);
    plan.more_launches = LAUNCHES - 1;
    ws_trace *trace = generate_planned(&plan);
    ws_timed *timed = mechanism_gpu(trace, settings);
    ws_timed_tap(timed, &(ws_timed_taps){.self = h, .access = hear_stay, .warp_end = hear_stay_end});
    for (h->launch = 1; h->launch <= LAUNCHES; h->launch++) {
        ws_timed_counters counters;
        if (!ws_timed_run(timed, h->launch, &counters, &err)) fail_msg("%s", err.text);
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
}

/* The same on several SMs, through all CTAs and launches: the cycles in which an SM has had CTAs say whose turn it
 * is. */
static void turns_are_of_cycles_with_ctas(void **state) {
    (void)state;
    for (schedulers = 2; schedulers <= 7; schedulers++) { /* the eighth fetch takes a cycle more */
        stays_heard *h = calloc(1, sizeof *h);
        assert_non_null(h);
        hear_stays(h);
        unsigned turns = 0; /* set of schedulers that had the first turn of some CTA */
        for (unsigned sm = 0; sm < SMS; sm++) {
            uint64_t resided = 0;
            for (uint32_t i = 0; i < h->count[sm]; i++) {
                const stay *s = &h->stays[sm][i];
                assert_int_equal(s->first, (h->stays[0][0].first + resided) % schedulers);
                turns |= 1u << s->first;
                resided += s->end - s->start;
            }
        }
        assert_int_equal(h->count[0] + h->count[1], LAUNCHES * CTAS);
        assert_int_equal(turns, (1u << schedulers) - 1);
        free(h);
    }
}

/* ---- how often a scheduler issues */

static uint64_t cycles_of_additions(uint32_t insts, int64_t lanes) {
    generate_plan plan = generate_loads(1, 8, insts, NULL);
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT};
    plan.opcode = "IADD";
    ws_trace *trace = generate_planned(&plan);
    char settings[100];
    snprintf(settings, sizeof settings, ONE_SM "sm.schedulers=1,core.simd_width=%d", (int)lanes);
    uint64_t cycles = mechanism_run(trace, 1, settings).counters.cycles;
    ws_trace_close(trace);
    return cycles;
}

/* Eight warps of 32 lanes always have something to issue: each instruction takes its scheduler 32 / SIMD width cycles,
 * rounded up. */
static void lanes_bound_the_rate(void **state) {
    (void)state;
    static const struct {
        int64_t lanes;
        uint64_t cycles;
    } cases[] = {{0, 1}, {64, 1}, {33, 1}, {32, 1}, {31, 2}, {16, 2}, {15, 3}, {8, 4}, {1, 32}};
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        assert_int_equal(cycles_of_additions(20, cases[i].lanes) - cycles_of_additions(10, cases[i].lanes),
                         8 * 10 * cases[i].cycles);
}

/* A unit begins with an instruction every eight cycles. The n-th instruction waits until there is room for it in the
 * queue in front of the unit. */
static void units_take_what_their_queue_holds(void **state) {
    (void)state;
    enum { INTERVAL = 8, INSTS = 10 };
    for (int64_t queue = 1; queue <= 3; queue++)
        for (uint32_t insts = 1; insts <= INSTS; insts++) {
            generate_plan plan = generate_loads(1, 1, insts, NULL);
            plan.instruction = (ws_static){.class_ = WS_CLASS_SFU};
            plan.opcode = "MUFU";
            ws_trace *trace = generate_planned(&plan);
            char settings[200];
            snprintf(settings, sizeof settings,
                     ONE_SM "sm.schedulers=1,core.fetch_insts=16,core.sfu_interval=%d,core.unit_queue=%d",
                     INTERVAL, (int)queue);
            int64_t issues_at = 0, waited = 0;
            for (int64_t n = 1; n < insts; n++) {
                int64_t may = INTERVAL * (n - queue) + 1, at = may > issues_at + 1 ? may : issues_at + 1;
                waited += at - issues_at - 1;
                issues_at = at;
            }
            assert_int_equal(mechanism_run(trace, 1, settings).counters.scheduler_unit, waited);
            ws_trace_close(trace);
        }
}

static uint64_t cycles_of_functions(uint32_t insts, const char *settings) {
    generate_plan plan = generate_loads(1, 1, insts, NULL);
    plan.instruction = (ws_static){.class_ = WS_CLASS_SFU};
    plan.opcode = "MUFU";
    ws_trace *trace = generate_planned(&plan);
    uint64_t cycles = mechanism_run(trace, 1, settings).counters.cycles;
    ws_trace_close(trace);
    return cycles;
}

/* A warp alone can use one unit if each scheduler has its own, and all of them if the schedulers share them. */
static void units_belong_to_schedulers_or_to_all(void **state) {
    (void)state;
#define TWO_UNITS ONE_SM "sm.schedulers=2,core.fetch_insts=16,core.sfu_units=2,core.sfu_interval=8"
    const char *own = TWO_UNITS, *shared = TWO_UNITS ",core.sub_cores=false";
    assert_int_equal(cycles_of_functions(40, own) - cycles_of_functions(20, own), 20 * 8);
    assert_int_equal(cycles_of_functions(40, shared) - cycles_of_functions(20, shared), 20 * 8 / 2);
}

static uint64_t waits_of_divergent_loads(uint32_t loads, int ports, int queue) {
    char script[100] = "", settings[200];
    for (uint32_t i = 0; i < loads; i++) strcat(script, "D1 ");
    ws_trace *trace = generate_script((const char *const[]){script, NULL});
    snprintf(settings, sizeof settings,
             ONE_SM "sm.schedulers=2,core.fetch_insts=16,core.memory_ports=%d,core.memory_queue=%d", ports,
             queue);
    uint64_t waits = mechanism_run(trace, 1, settings).counters.scheduler_memory;
    ws_trace_close(trace);
    return waits;
}

/* While the first of a warp's loads makes its 32 accesses, loads are issued until the queue is full, or with several
 * ports the scheduler's share of it, rounded up. */
static void the_memory_queue_is_shared_by_ports(void **state) {
    (void)state;
    for (int queue = 2; queue <= 6; queue++)
        for (int ports = 1; ports <= 2; ports++) {
            uint32_t share = (uint32_t)(queue + ports - 1) / (uint32_t)ports;
            assert_int_equal(waits_of_divergent_loads(share, ports, queue), 0);
            assert_true(waits_of_divergent_loads(share + 1, ports, queue) > 20);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swl_admits_exactly_k_warps),
        cmocka_unit_test(limits_of_all_warps_change_nothing),
        cmocka_unit_test(two_levels_swap_warps_that_wait),
        cmocka_unit_test(schedulers_remember_a_slot),
        cmocka_unit_test(schedulers_take_turns_in_going_first),
        cmocka_unit_test(turns_are_of_cycles_with_ctas),
        cmocka_unit_test(lanes_bound_the_rate),
        cmocka_unit_test(units_take_what_their_queue_holds),
        cmocka_unit_test(units_belong_to_schedulers_or_to_all),
        cmocka_unit_test(the_memory_queue_is_shared_by_ports),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
