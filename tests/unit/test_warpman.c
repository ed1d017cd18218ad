/* Warp-level resource management (XI 3.4) in the timed replay: its rules one by one, dispatch equal to a naive twin's,
 * laws, parameters that matter, cost. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive_warpman.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WHOLE_CTAS, PARTIAL_CTAS, PARTIAL_WARPS, LATER_WARPS, WAITING, PEAK_WARPS, DUELS, WON };

#define WARPMAN "mechanism.dispatch=warpman,dram.channels=2,sm.schedulers=1,"
#define ONE_SM  WARPMAN "gpu.clusters=1,"
#define BOTH    "warpman.spatial=on"
#define TEMP    "warpman.spatial=off"
#define SPATIAL "warpman.spatial=on,warpman.temporal=false"
#define NOTHING "warpman.spatial=off,warpman.temporal=false"

/* ---- runs that tell where and when each warp runs */

typedef struct run {
    mechanism_result result;
    uint32_t warps_per_cta;
    naive_warpman_life *lives;
} run;

static void hear(void *self, const ws_timed_warp_life *life) {
    run *r = self;
    r->lives[life->cta * r->warps_per_cta + life->warp] =
        (naive_warpman_life){.sm = life->sm, .start = life->start, .end = life->end};
}

static run run_trace(const ws_trace *trace, const char *settings) {
    const ws_kernel *k = ws_trace_kernel(trace, 1);
    run r = {.warps_per_cta = k->block.x / 32};
    r.lives = calloc((size_t)k->grid.x * r.warps_per_cta, sizeof *r.lives);
    r.result = mechanism_listen(trace, 1, settings, &(ws_timed_taps){.self = &r, .warp_end = hear});
    return r;
}

static run run_work(const generate_work *plan, const char *settings) {
    ws_trace *trace = generate_worked(plan);
    run r = run_trace(trace, settings);
    ws_trace_close(trace);
    return r;
}

static const naive_warpman_life *life_of(const run *r, uint32_t cta, uint32_t warp) {
    return &r->lives[cta * r->warps_per_cta + warp];
}

/* Returns the number of warps that run on the SM in that cycle. */
static uint32_t running(const run *r, uint32_t warps, uint32_t sm, uint64_t cycle) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < warps; w++)
        count += r->lives[w].sm == sm && r->lives[w].start <= cycle && cycle < r->lives[w].end;
    return count;
}

static uint32_t most_running(const run *r, uint32_t warps, uint32_t sm, uint64_t from) {
    uint32_t most = 0;
    for (uint32_t w = 0; w < warps; w++)
        if (r->lives[w].sm == sm && r->lives[w].start >= from) {
            uint32_t count = running(r, warps, sm, r->lives[w].start);
            if (count > most) most = count;
        }
    return most;
}

/* ---- XI 3.4's example: CTAs of 8 warps, 6144 registers and 2 kB of shared memory; 32768 registers, 48 kB */

static uint32_t hundred(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 100;
}

static generate_work mm(uint32_t ctas, uint32_t parts) {
    return (generate_work){.ctas = ctas,
                           .warps_per_cta = 8,
                           .registers_per_thread = 24,
                           .shared_B = 2048,
                           .parts = parts,
                           .work = hundred};
}
#define MM                                                                                                   \
    ONE_SM "sm.scheduler=lrr,sm.registers=32768,sm.shared_B=49152,sm.ctas=8,sm.threads=1536,sm.warps=48,"

/* Five whole CTAs run, and two warps of a sixth: 2048 registers are left, and a warp needs 768. */
static void the_example_of_matrix_multiplication(void **state) {
    (void)state;
    generate_work plan = mm(6, 1);
    run r = run_work(&plan, MM BOTH);
    assert_int_equal(r.result.counts[WHOLE_CTAS], 5);
    assert_int_equal(r.result.counts[PARTIAL_CTAS], 1);
    assert_int_equal(r.result.counts[PARTIAL_WARPS], 2);
    assert_int_equal(r.result.counts[LATER_WARPS], 6);
    assert_int_equal(r.result.counts[PEAK_WARPS], 42);
    assert_int_equal(running(&r, 48, 0, 10), 42);
    for (uint32_t w = 0; w < 8; w++) /* the warps of the sixth: by number, two at once */
        assert_int_equal(life_of(&r, 5, w)->start <= 10, w < 2);
    free(r.lives);
    run whole = run_work(&plan, MM TEMP); /* within what five CTAs have there is no room */
    assert_int_equal(running(&whole, 48, 0, 10), 40);
    free(whole.lives);
}

/* Each warp that ends makes room for the next one, in the order of their numbers, and in the cycle in which it ends. */
static void the_workload_buffer_is_served_by_number(void **state) {
    (void)state;
    generate_work plan = mm(6, 1);
    run r = run_work(&plan, MM BOTH);
    uint64_t freed[48];
    for (uint32_t w = 0; w < 42; w++) freed[w] = r.lives[w].end;
    for (uint32_t w = 2; w < 8; w++) {
        uint64_t start = life_of(&r, 5, w)->start, free_by_then = 0;
        assert_true(start >= life_of(&r, 5, w - 1)->start);
        for (uint32_t i = 0; i < 42; i++) free_by_then += freed[i] <= start;
        assert_true(free_by_then >= w - 1);
    }
    uint64_t first = UINT64_MAX;
    for (uint32_t w = 0; w < 42; w++) first = freed[w] < first ? freed[w] : first;
    assert_int_equal(life_of(&r, 5, 2)->start, first);
    free(r.lives);
}

/* A partial CTA needs the shared memory of a whole one, and a CTA slot. */
static void a_partial_cta_needs_shared_memory_and_a_slot(void **state) {
    (void)state;
    generate_work plan = mm(6, 1);
    static const struct {
        const char *limit;
        bool partial;
    } cases[] = {{",sm.shared_B=12288", true},
                 {",sm.shared_B=12287", false},
                 {",sm.ctas=6", true},
                 {",sm.ctas=5", false}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[400];
        snprintf(settings, sizeof settings, MM BOTH "%s", cases[i].limit);
        run r = run_work(&plan, settings);
        assert_int_equal(r.result.counts[PARTIAL_CTAS], cases[i].partial);
        assert_int_equal(running(&r, 48, 0, 10), cases[i].partial ? 42 : 40);
        free(r.lives);
    }
}

/* If CTAs come in pairs, the second one may be partial, if the first leaves warp slots for it and the threshold has not
 * been reached. Otherwise both wait. */
static void pairs_end_with_a_partial_cta(void **state) {
    (void)state;
    static const struct {
        const char *limit;
        uint32_t at_first;
    } cases[] = {
        {"", 42}, {",sm.warps=40", 32}, {",warpman.threshold=41", 41}, {",warpman.threshold=40", 32}};
    generate_work plan = mm(6, 1);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[400];
        snprintf(settings, sizeof settings, MM BOTH ",gpu.dispatch=distributed_block%s", cases[i].limit);
        run r = run_work(&plan, settings);
        assert_int_equal(running(&r, 48, 0, 10), cases[i].at_first);
        free(r.lives);
    }
}

/* A barrier of the partial CTA opens when its last warp has come, which starts only after a warp of another CTA has
 * ended. */
static uint32_t sixth_is_short(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)warp, (void)part;
    return cta < 5 ? 150 : 10;
}

static void barriers_wait_for_warps_that_have_not_started(void **state) {
    (void)state;
    for (uint32_t parts = 1; parts <= 2; parts++) {
        generate_work plan = mm(6, parts);
        plan.work = sixth_is_short;
        run r = run_work(&plan, MM BOTH);
        uint64_t last_start = life_of(&r, 5, 7)->start;
        for (uint32_t w = 0; w < 2; w++) /* the second part comes after it */
            assert_int_equal(life_of(&r, 5, w)->end > last_start, parts == 2);
        free(r.lives);
    }
}

/* ---- temporal and spatial */

/* After XI's ST: 8 of 32 warps work on while the others end at once. */
static uint32_t early_exit(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)part;
    return warp < 8 ? 300 : 3;
}
#define ST ONE_SM "sm.registers=32768,sm.scheduler=lrr,core.int_interval=1,core.int_latency=60,"
static const generate_work st = {
    .ctas = 4, .warps_per_cta = 32, .registers_per_thread = 17, .parts = 1, .work = early_exit};

/* The slots of warps that have ended take the next CTAs long before the first CTA's last warp ends, but no more warps
 * run than whole CTAs have. Spatial allocation then uses the registers that one CTA leaves. */
static void early_ends_make_room(void **state) {
    (void)state;
    run off = run_work(&st, ST NOTHING), temp = run_work(&st, ST TEMP), both = run_work(&st, ST BOTH);
    uint64_t end = life_of(&temp, 0, 0)->end;
    assert_int_equal(temp.result.counts[PEAK_WARPS], 32);
    assert_int_equal(both.result.counts[PEAK_WARPS], 48);
    for (uint32_t cta = 1; cta < 4; cta++) assert_true(life_of(&temp, cta, 0)->start < end / 2);
    assert_true(3 * temp.result.counters.cycles < off.result.counters.cycles);
    assert_true(both.result.counters.cycles < temp.result.counters.cycles);
    free(off.lives), free(temp.lives), free(both.lives);
}

/* Without temporal allocation a warp's slot is not free before its CTA ends. */
static void spatial_alone_waits_for_ctas(void **state) {
    (void)state;
    run r = run_work(&st, ST SPATIAL);
    assert_int_equal(running(&r, 128, 0, 10), 48); /* 17 * 32 registers: 60 warps; 48 slots */
    uint64_t end = 0;
    for (uint32_t w = 0; w < 32; w++)
        if (end < life_of(&r, 0, w)->end) end = life_of(&r, 0, w)->end;
    for (uint32_t w = 16; w < 32; w++) assert_true(life_of(&r, 1, w)->start >= end);
    free(r.lives);
}

/* A warp without instructions gives its slot back at once: an SM with slots for one CTA has four, each with two warps
 * that work. */
static uint32_t two_work(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)part;
    return warp < 2 ? 100 : 0;
}

static void warps_that_have_nothing_to_do_make_room(void **state) {
    (void)state;
    const generate_work plan = {.ctas = 4, .warps_per_cta = 8, .parts = 1, .work = two_work};
    run temp = run_work(&plan, ONE_SM "sm.warps=8," TEMP),
        off = run_work(&plan, ONE_SM "sm.warps=8," NOTHING);
    assert_int_equal(running(&temp, 32, 0, 10), 8);
    assert_int_equal(running(&off, 32, 0, 10), 2);
    free(temp.lives), free(off.lives);
}

/* A CTA starts as a whole if there is room for it. */
static void whole_ctas_come_first(void **state) {
    (void)state;
    generate_work plan = mm(5, 1);
    run r = run_work(&plan, MM BOTH);
    assert_int_equal(r.result.counts[WHOLE_CTAS], 5);
    assert_int_equal(r.result.counts[PARTIAL_CTAS], 0);
    assert_int_equal(r.result.counts[WAITING], 0);
    free(r.lives);
}

enum { LINES = 384 }; /* 48 KiB */

static uint64_t line_after_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return UINT64_C(0x100000) + 128 * (uint64_t)(inst % LINES) + 4 * lane;
}

static uint32_t first_twice(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)part;
    return warp == 0 ? 2 * LINES : 0;
}

/* Where CTAs may be partial, an SM can hold more of them, and the L1 leaves more to their shared memory: of 96 KiB, 64
 * for three CTAs instead of 16 for one. It cannot hold more CTAs than warps, though. */
static void shared_memory_of_partial_ctas_is_not_the_l1s(void **state) {
    (void)state;
    generate_work plan = {.ctas = 1,
                          .warps_per_cta = 4,
                          .shared_B = 16384,
                          .parts = 1,
                          .work = first_twice,
                          .address = line_after_line};
#define UNIFIED ONE_SM "l1.unified_B=98304,l1.index=linear,l1.size_B=32768,l1.ways=16,"
    run temp = run_work(&plan, UNIFIED "sm.warps=4," TEMP),
        off = run_work(&plan, UNIFIED "sm.warps=4," NOTHING);
    plan.warps_per_cta = 1;
    run two = run_work(&plan, UNIFIED "sm.warps=2," TEMP);
    assert_int_equal(temp.result.counters.l1_hits, 0);
    assert_int_equal(off.result.counters.l1_hits, LINES);
    assert_int_equal(two.result.counters.l1_hits, LINES);
    free(temp.lives), free(off.lives), free(two.lives);
}

/* ---- threshold: after XI's RS, two CTAs of 16 warps, registers for 12 warps more */

static const generate_work rs = {
    .ctas = 6, .warps_per_cta = 16, .registers_per_thread = 23, .parts = 2, .work = hundred};

static void from_the_threshold_on_only_whole_ctas_come(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint32_t at_first;
    } cases[] = {
        {ONE_SM "sm.registers=32768,warpman.spatial=on", 44},
        {ONE_SM "sm.registers=32768,warpman.spatial=on,warpman.threshold=36", 36},
        {ONE_SM "sm.registers=32768,warpman.spatial=on,warpman.threshold=32", 32},
        {ONE_SM "sm.registers=65536,warpman.spatial=on,warpman.threshold=36", 48}, /* three whole CTAs */
        {ONE_SM "sm.registers=32768,warpman.spatial=on,warpman.threshold=1", 32},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        run r = run_work(&rs, cases[i].settings);
        assert_int_equal(running(&r, 96, 0, 10), cases[i].at_first);
        assert_int_equal(r.result.counters.warp_instructions, 6 * 16 * 201);
        free(r.lives);
    }
}

/* ---- dueling: SM 0 with spatial allocation, SM 1 without, SM 2 as the better one */

#define DUEL                                                                                                 \
    WARPMAN "gpu.clusters=3,gpu.dispatch=global_rr,sm.registers=11264,sm.ctas=8" /* 11 warps of 32 x 32 */

static uint64_t own_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x100000) + 128 * (4 * (warp + 4 * (uint64_t)cta) + inst % 4) + 4 * lane;
}

static void the_others_follow_the_better_duelist(void **state) {
    (void)state;
    generate_work plan = {
        .ctas = 60, .warps_per_cta = 4, .registers_per_thread = 32, .parts = 1, .work = hundred};
    run helps = run_work(&plan, DUEL);
    assert_int_equal(most_running(&helps, 240, 0, 0), 11);
    assert_int_equal(most_running(&helps, 240, 1, 0), 8);
    assert_int_equal(most_running(&helps, 240, 2, 0), 11);
    assert_true(helps.result.counts[DUELS] > 2);
    assert_int_equal(helps.result.counts[DUELS] - helps.result.counts[WON] <= 1, true);
    free(helps.lives);

    /* The lines of eight warps fit into the L1; those of more warps evict each other. */
    plan.address = own_lines;
    run hurts = run_work(&plan, DUEL ",l1.size_B=4096,l1.ways=32,l1.index=linear,warpman.dueling_cycles=500");
    assert_int_equal(most_running(&hurts, 240, 0, 0), 11);
    assert_int_equal(most_running(&hurts, 240, 1, 0), 8);
    assert_int_equal(running(&hurts, 240, 2, 100), 11); /* until the first comparison */
    assert_int_equal(most_running(&hurts, 240, 2, hurts.result.counters.cycles / 2), 8);
    assert_int_equal(most_running(&hurts, 240, 0, hurts.result.counters.cycles / 2), 11);
    assert_true(hurts.result.counts[WON] * 4 < hurts.result.counts[DUELS]);
    free(hurts.lives);
}

/* There is one comparison after each period, whichever warps end when. Spatial allocation wins if both SMs do the
 * same. */
static void duelists_are_compared_once_a_period(void **state) {
    (void)state;
    const generate_work plan = {
        .ctas = 2, .warps_per_cta = 4, .registers_per_thread = 32, .parts = 1, .work = hundred};
    for (unsigned period = 30; period < 70; period++) {
        char settings[300];
        snprintf(settings, sizeof settings, WARPMAN "gpu.clusters=2,warpman.dueling_cycles=%u", period);
        run r = run_work(&plan, settings);
        assert_int_equal(r.result.counts[DUELS], r.result.counters.cycles / period);
        assert_int_equal(r.result.counts[WON], r.result.counts[DUELS]);
        free(r.lives);
    }
}

/* A launch does not begin early when the last period of the launch before ends while it waits. */
static void hear_first(void *self, const ws_timed_warp_life *life) {
    uint64_t *first = self;
    if (life->start < *first) *first = life->start;
}

static void a_launch_does_not_begin_with_the_last_ones_period(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(2, 4, 10, own_lines);
    plan.more_launches = 1;
    ws_trace *trace = generate_planned(&plan);
    ws_timed *timed =
        mechanism_gpu(trace, WARPMAN "gpu.clusters=2,warpman.dueling_cycles=100,core.launch_cycles=1000");
    for (uint32_t launch = 1; launch <= 2; launch++) {
        ws_timed_counters counters;
        uint64_t first = UINT64_MAX;
        ws_timed_tap(timed, &(ws_timed_taps){.self = &first, .warp_end = hear_first});
        if (!ws_timed_run(timed, launch, &counters, &err)) fail_msg("%s", err.text);
        assert_int_equal(first, 1000);
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
}

/* ---- dispatch, against a naive twin */

static uint32_t random_work(uint32_t cta, uint32_t warp, uint32_t part) {
    uint64_t state = cta * 1000003 + warp * 1009 + part * 13 + 1;
    return random_one_in(&state, 4) ? 1 + random_below(&state, 60) : 1 + random_below(&state, 8);
}

static uint32_t four(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 4;
}

static uint64_t spread_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x100000) + 128 * ((cta * 31 + warp * 7 + inst * 3) % 200) + 4 * lane;
}

static generate_work random_plan(uint64_t *random) {
    static uint32_t (*const works[])(uint32_t, uint32_t, uint32_t) = {four, random_work};
    return (generate_work){.ctas = 1 + random_below(random, 24),
                           .warps_per_cta = 1 + random_below(random, 12),
                           .registers_per_thread = 8 + random_below(random, 24),
                           .shared_B = random_below(random, 3) * 1000,
                           .parts = 1 + random_below(random, 3),
                           .work = works[random_below(random, 4) > 0],
                           .address = random_one_in(random, 3) ? spread_lines : NULL};
}

static naive_warpman random_sm(uint64_t *random, const generate_work *plan) {
    naive_warpman n = {.ctas = plan->ctas,
                       .warps_per_cta = plan->warps_per_cta,
                       .warp_registers = 32 * plan->registers_per_thread,
                       .cta_shared_B = plan->shared_B,
                       .sms = 1 + random_below(random, 4),
                       .sm_ctas = 1 + random_below(random, 8),
                       .temporal = random_below(random, 3) > 0,
                       .spatial = random_below(random, 3) > 0,
                       .threshold = random_one_in(random, 3) ? 1 + random_below(random, 40) : 0};
    n.sm_warps = plan->warps_per_cta + random_below(random, 49 - plan->warps_per_cta);
    n.sm_registers =
        n.warp_registers * (plan->warps_per_cta + random_below(random, 48)) + random_below(random, 500);
    n.sm_shared_B = plan->shared_B + random_below(random, 6000);
    return n;
}

/* The warps of a whole CTA start in one cycle, those of a partial one in several, between which the CTA waits. */
static void check_counts(const naive_warpman *n, const run *r) {
    const uint32_t warps = n->ctas * n->warps_per_cta;
    uint64_t later = 0, waiting = 0, peak = 0;
    for (uint32_t cta = 0; cta < n->ctas; cta++) {
        const uint64_t first = life_of(r, cta, 0)->start;
        for (uint32_t w = 0; w < n->warps_per_cta; w++) later += life_of(r, cta, w)->start > first;
        waiting += life_of(r, cta, n->warps_per_cta - 1)->start - first;
    }
    for (uint32_t sm = 0; sm < n->sms; sm++) {
        const uint32_t most = most_running(r, warps, sm, 0);
        if (most > peak) peak = most;
    }
    const uint64_t *c = r->result.counts;
    assert_int_equal(c[LATER_WARPS], later);
    assert_int_equal(c[WAITING], waiting);
    assert_int_equal(c[PEAK_WARPS], peak);
    assert_int_equal(c[DUELS], 0);
    assert_int_equal(c[WHOLE_CTAS] + c[PARTIAL_CTAS], n->ctas);
    assert_int_equal(c[WHOLE_CTAS] * n->warps_per_cta + c[PARTIAL_WARPS] + c[LATER_WARPS], warps);
}

/* The naive twin is told how long each warp took, and nothing else; where and when it ran the twin finds by itself. */
static void dispatch_is_as_the_plain_way_has_it(void **state) {
    (void)state;
    uint64_t random = 7, partial = 0, later = 0;
    for (int round = 0; round < 300; round += EVERY) {
        generate_work plan = random_plan(&random);
        naive_warpman n = random_sm(&random, &plan);
        char settings[400];
        snprintf(
            settings, sizeof settings,
            WARPMAN
            "gpu.clusters=%u,gpu.dispatch=global_rr,sm.warps=%u,sm.registers=%u,sm.shared_B=%u,sm.ctas=%u,"
            "warpman.temporal=%s,warpman.spatial=%s,warpman.threshold=%u",
            n.sms, n.sm_warps, n.sm_registers, n.sm_shared_B, n.sm_ctas, n.temporal ? "true" : "false",
            n.spatial ? "on" : "off", n.threshold);
        run r = run_work(&plan, settings);
        size_t warps = (size_t)n.ctas * n.warps_per_cta, bytes = warps * sizeof *r.lives;
        naive_warpman_life *twin = malloc(bytes);
        memcpy(twin, r.lives, bytes);
        naive_warpman_dispatch(&n, twin);
        for (size_t w = 0; w < warps; w++)
            if (twin[w].sm != r.lives[w].sm || twin[w].start != r.lives[w].start)
                fail_msg("round %d, %s: CTA %zu warp %zu: SM %u cycle %llu, plainly SM %u cycle %llu", round,
                         settings, w / n.warps_per_cta, w % n.warps_per_cta, r.lives[w].sm,
                         (unsigned long long)r.lives[w].start, twin[w].sm, (unsigned long long)twin[w].start);
        check_counts(&n, &r);
        partial += r.result.counts[PARTIAL_CTAS];
        later += r.result.counts[LATER_WARPS];
        free(twin);
        free(r.lives);
    }
    assert_true(partial > 250 / EVERY);
    assert_true(later > 500 / EVERY);
}

/* ---- laws */

static void check_laws(const mechanism_result *r, const mechanism_result *off) {
    assert_int_equal(r->counters.ctas, off->counters.ctas);
    assert_int_equal(r->counters.warp_instructions, off->counters.warp_instructions);
    assert_int_equal(r->counters.thread_instructions, off->counters.thread_instructions);
    assert_int_equal(r->counts[WHOLE_CTAS] + r->counts[PARTIAL_CTAS], r->counters.ctas);
}

/* With barriers, missing and empty warps, every scheduler and dispatch policy, and the other mechanisms: everything
 * ends (or the replay would report a deadlock), and executes what it does without warpman. */
static void laws_on_random_traces(void **state) {
    (void)state;
    static const char *const besides[] =
        {"sm.scheduler=lrr",
         "sm.scheduler=gto,mechanism.front=mrpb",
         "sm.scheduler=two_level,core.active_warps=2,gpu.dispatch=distributed_block",
         "sm.scheduler=swl,core.swl_warps=3,gpu.dispatch=distributed",
         "sm.scheduler=gto,mechanism.front=warppool,mechanism.cluster=icc",
         "sm.scheduler=lrr,mechanism.fetch=coarse,coarse.dueling=false",
         "sm.scheduler=lrr,mechanism.core=ilp,core.dependences=one_in_flight"},
                             *const forms[] = {BOTH, TEMP, SPATIAL, "warpman.dueling_cycles=50",
                                               "warpman.threshold=3,warpman.dueling_cycles=20"};
    for (uint64_t seed = 1; seed <= 20; seed += EVERY) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++)
            for (int i = 0; i < (seed % 2 ? 6 : 7); i++) { /* the last one needs registers */
                char without[500], with[600];
                snprintf(without, sizeof without, "%s,gpu.sms_per_cluster=2,sm.warps=%u,%s",
                         mechanism_gpus[(seed + k) % MECHANISM_GPUS], 8 + (unsigned)seed % 9, besides[i]);
                snprintf(with, sizeof with, "%s,mechanism.dispatch=warpman,%s", without,
                         forms[(seed + k + i) % 5]);
                mechanism_result off = mechanism_run(trace, k, without), on = mechanism_run(trace, k, with),
                                 again = mechanism_run(trace, k, with);
                assert_memory_equal(&on, &again, sizeof on);
                check_laws(&on, &off);
                if (!strstr(besides[i], "mechanism."))
                    assert_int_equal(on.counters.l1_accesses, off.counters.l1_accesses);
            }
        ws_trace_close(trace);
    }
}

static void sized_to_nothing_it_is_the_baseline(void **state) {
    (void)state;
    mechanism_changes_nothing("mechanism.dispatch=warpman," NOTHING);
    for (int i = 0; i < 2; i++) {
        run with = run_work(&st, ST NOTHING), without = run_work(&st, ST "mechanism.dispatch=none");
        assert_memory_equal(&with.result.counters, &without.result.counters, sizeof with.result.counters);
        free(with.lives), free(without.lives);
    }
}

/* ---- parameters, cost */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {"warpman.temporal=false",
                                          "warpman.spatial=off",
                                          "warpman.spatial=on",
                                          "warpman.threshold=9",
                                          "warpman.dueling_cycles=77",
                                          "mechanism.dispatch=none",
                                          NULL};
    mechanism_each_matters("traces/hotspot.wst",
                           "gpu.clusters=6,sm.registers=8192,dram.channels=4,mechanism.dispatch=warpman",
                           changes);
}

/* XI 3.4: 26 + 3 + 5 + 5 + 1 bits with 8 CTA slots. */
static void cost_is_the_published(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        uint64_t bits, duel_bits;
    } cases[] = {{"mechanism.dispatch=warpman", 40, 65},
                 {"mechanism.dispatch=warpman,sm.ctas=16", 41, 65},
                 {"mechanism.dispatch=warpman,sm.ctas=6", 40, 65},
                 {"mechanism.dispatch=warpman,warpman.spatial=on", 40, 0},
                 {"mechanism.dispatch=warpman,warpman.spatial=off", 40, 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_cost costs[WS_ADDED_COSTS_MAX];
        assert_int_equal(mechanism_costs(cases[i].settings, costs), 2);
        assert_int_equal(costs[0].bits, cases[i].bits);
        assert_int_equal(costs[0].per, WS_PER_SM);
        assert_int_equal(costs[1].bits, cases[i].duel_bits);
        assert_int_equal(costs[1].per, WS_PER_GPU);
    }
}

static void refusals(void **state) {
    (void)state;
    generate_work plan = mm(1, 1);
    ws_trace *trace = generate_worked(&plan);
    assert_non_null(strstr(mechanism_refusal(trace, "gpu.clusters=1,mechanism.dispatch=warpman"),
                           "warpman.spatial: dueling expects at least 2 SMs"));
    assert_non_null(strstr(mechanism_refusal(trace, "mechanism.dispatch=icc"), "mechanism.dispatch"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_matrix_multiplication),
        cmocka_unit_test(the_workload_buffer_is_served_by_number),
        cmocka_unit_test(a_partial_cta_needs_shared_memory_and_a_slot),
        cmocka_unit_test(pairs_end_with_a_partial_cta),
        cmocka_unit_test(barriers_wait_for_warps_that_have_not_started),
        cmocka_unit_test(early_ends_make_room),
        cmocka_unit_test(spatial_alone_waits_for_ctas),
        cmocka_unit_test(warps_that_have_nothing_to_do_make_room),
        cmocka_unit_test(whole_ctas_come_first),
        cmocka_unit_test(shared_memory_of_partial_ctas_is_not_the_l1s),
        cmocka_unit_test(from_the_threshold_on_only_whole_ctas_come),
        cmocka_unit_test(the_others_follow_the_better_duelist),
        cmocka_unit_test(duelists_are_compared_once_a_period),
        cmocka_unit_test(a_launch_does_not_begin_with_the_last_ones_period),
        cmocka_unit_test(dispatch_is_as_the_plain_way_has_it),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(sized_to_nothing_it_is_the_baseline),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(cost_is_the_published),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
