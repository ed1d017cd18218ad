/* Runs of launches of several streams (core.concurrent_launches): when each begins, whose CTAs come first, where their
 * warps go, and what they find in the L1s. That they take GPGPU-Sim's cycles is in tests/cli/test_streams.sh. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/trace.h"
#include "base/array.h"
#include "timed/engine.h"
#include "trace/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- which launches a run comprises */

/* All up to the end of the trace, but for those at the end that are all of one stream: each of these runs alone. */
static void runs(void **state) {
    (void)state;
    static const struct {
        struct generate_launch launches[7];
        uint32_t count, together[7];
    } cases[] = {
        {{{1, 1, 1, 1}, {2, 1, 1, 1}, {1, 1, 1, 1}, {3, 1, 1, 1}, {3, 1, 1, 1}, {3, 1, 1, 1}, {2, 1, 1, 1}},
         7,
         {7, 6, 5, 4, 3, 2, 1}},
        {{{1, 1, 1, 1}, {2, 1, 1, 1}, {2, 1, 1, 1}, {2, 1, 1, 1}}, 4, {4, 1, 1, 1}},
        {{{5, 1, 1, 1}, {5, 1, 1, 1}}, 2, {1, 1}},
        {{{5, 1, 1, 1}}, 1, {1}},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
        plan.more_launches = cases[i].count - 1;
        plan.launches = cases[i].launches;
        ws_trace *trace = generate_planned(&plan);
        ws_timed *several = mechanism_gpu(trace, "core.concurrent_launches=2"),
                 *one = mechanism_gpu(trace, "core.concurrent_launches=1");
        for (uint32_t launch = 1; launch <= cases[i].count; launch++) {
            assert_int_equal(ws_timed_together(several, launch), cases[i].together[launch - 1]);
            assert_int_equal(ws_timed_together(one, launch), 1);
        }
        ws_timed_free(several);
        ws_timed_free(one);
        ws_trace_close(trace);
    }
}

/* ---- when launches begin */

enum { LAUNCHES = 9 };
static const uint64_t streams[LAUNCHES + 1] = {4, 4, 7, 4, 9, 7, 4, 9, 7, 0};

typedef struct times {
    uint64_t begin[LAUNCHES], end[LAUNCHES];
} times;

/* Returns the cycle in which launch i begins, given when those before it end: in the first cycle after which all of its
 * stream have ended, and so many that fewer than `most` are left. */
static uint64_t expected_begin(const times *t, uint32_t i, uint32_t most) {
    uint64_t begin = UINT64_MAX;
    for (uint32_t ended = 0; ended <= i; ended++) {
        uint64_t at = ended ? t->end[ended - 1] + 1 : 0;
        uint32_t left = 0, of_stream = 0;
        for (uint32_t j = 0; j < i; j++) {
            left += t->end[j] >= at;
            of_stream += t->end[j] >= at && streams[j] == streams[i];
        }
        if (left < most && of_stream == 0 && at < begin) begin = at;
    }
    return begin;
}

/* Each begins when the naive rule says, does what it does alone, and is over when the run is. */
static void check_run(const ws_trace *trace, const char *gpu, uint32_t most) {
    ws_error err = WS_NO_ERROR;
    char settings[500];
    snprintf(settings, sizeof settings, "%s,core.concurrent_launches=%u", gpu, most);
    ws_timed *timed = mechanism_gpu(trace, settings), *polls = mechanism_gpu(trace, settings);
    ws_timed_counters all, polled;
    ws_timed_poll(polls);
    if (!ws_timed_run(timed, 1, &all, &err) || !ws_timed_run(polls, 1, &polled, &err))
        fail_msg("%s: %s", settings, err.text);
    assert_memory_equal(&all, &polled, sizeof all);
    assert_int_equal(ws_timed_ran(timed), LAUNCHES);
    times t;
    ws_timed_share sum = {0};
    uint64_t last = 0;
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        ws_timed_share share = ws_timed_share_of(timed, i + 1), of_polled = ws_timed_share_of(polls, i + 1);
        ws_timed_counters alone = mechanism_run(trace, i + 1, gpu).counters;
        assert_memory_equal(&share, &of_polled, sizeof share);
        assert_int_equal(share.ctas, alone.ctas);
        assert_int_equal(share.thread_instructions, alone.thread_instructions);
        assert_int_equal(share.loads, alone.loads);
        t.begin[i] = ws_timed_begin_of(timed, i + 1);
        t.end[i] = t.begin[i] + share.cycles;
        if (t.begin[i] != expected_begin(&t, i, most))
            fail_msg("%s: launch %u begins in %llu", settings, i + 1, (unsigned long long)t.begin[i]);
        if (t.end[i] > last) last = t.end[i];
#define X(name) sum.name += share.name;
        WS_TIMED_SHARE(X)
#undef X
    }
    sum.cycles = last;
#define X(name) assert_int_equal(sum.name, all.name);
    WS_TIMED_SHARE(X)
#undef X
    ws_timed_free(timed);
    ws_timed_free(polls);
}

static void launches_begin_when_they_may(void **state) {
    (void)state;
    static const char *const gpus[] = {
        "gpu.clusters=2,dram.channels=2",
        "gpu.clusters=2,gpu.sms_per_cluster=2,dram.channels=2,core.launch_cycles=100,sm.scheduler=lrr",
        ("gpu.clusters=3,dram.channels=2,core.first_launch_sms=1,l1.access=sector,l1.write=through_lazy,"
         "l1.index=linear"),
    };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ws_trace *trace = generate_streams(seed, 32, streams);
        for (size_t g = 0; g < WS_COUNT(gpus); g++)
            for (uint32_t most = 2; most <= 9; most += most == 3 ? 6 : 1) check_run(trace, gpus[g], most);
        ws_trace_close(trace);
    }
}

/* A launch without CTAs ends when it could have started some, and the next one of its stream follows it. */
static void a_launch_without_ctas(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {
        {1, 1, 1, 1}, {2, 1, 1, 500}, {1, 0, 1, 1}, {1, 1, 1, 1}};
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.more_launches = WS_COUNT(launches) - 1;
    plan.launches = launches;
    ws_trace *trace = generate_planned(&plan);
    ws_timed *timed = mechanism_gpu(trace, "gpu.clusters=1,core.concurrent_launches=2,core.launch_cycles=40");
    if (!ws_timed_run(timed, 1, NULL, &err)) fail_msg("%s", err.text);
    assert_int_equal(ws_timed_share_of(timed, 3).cycles, 40);
    assert_int_equal(ws_timed_begin_of(timed, 4), ws_timed_begin_of(timed, 3) + 41);
    ws_timed_free(timed);
    ws_trace_close(trace);
}

#define ONE_CLOCK "core.launch_cycles=7,dram.clock_ratio=1"

/* Each CTA of the grid, also one that the trace has not, delays its launch. */
static void ctas_delay_their_launch(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        uint64_t cycles = mechanism_run(trace, 1, ONE_CLOCK).counters.cycles,
                 later = mechanism_run(trace, 1, ONE_CLOCK ",core.cta_launch_cycles=3").counters.cycles;
        assert_int_equal(later - cycles, 3 * ws_dim3_count(ws_trace_kernel(trace, 1)->grid));
        ws_trace_close(trace);
    }
}

/* A launch of few CTAs begins before one of many that has come up with it. */
static void a_launch_of_few_ctas_is_first(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 40, 1, 1}, {2, 3, 1, 1}};
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.more_launches = WS_COUNT(launches) - 1;
    plan.launches = launches;
    ws_trace *trace = generate_planned(&plan);
    static const char *const settings[] = {"core.cta_launch_cycles=0", "core.cta_launch_cycles=100"};
    uint64_t few[2], many[2];
    for (size_t i = 0; i < 2; i++) {
        char text[200];
        snprintf(text, sizeof text, "gpu.clusters=2,core.concurrent_launches=2,core.launch_cycles=7,%s",
                 settings[i]);
        ws_timed *timed = mechanism_gpu(trace, text);
        if (!ws_timed_run(timed, 1, NULL, &err)) fail_msg("%s", err.text);
        many[i] = ws_timed_share_of(timed, 1).cycles;
        few[i] = ws_timed_share_of(timed, 2).cycles;
        ws_timed_free(timed);
    }
    assert_in_range(few[1], 300 + 7, 1000);
    assert_true(many[1] >= 40 * 100 + 7 && few[0] < few[1]);
    ws_trace_close(trace);
}

/* ---- CTAs and warps */

/* Which launch, from the number of a warp's instructions, is on which SM, and when. */
typedef struct starts {
    struct {
        uint64_t start;
        uint32_t insts, sm;
    } of[16];
    uint32_t count, most_ctas;
} starts;

static void hear_start(void *self, const ws_timed_warp_life *life) {
    starts *s = self;
    s->of[s->count].start = life->start;
    s->of[s->count].sm = life->sm;
    s->of[s->count++].insts = (uint32_t)life->instructions;
}
static void hear_sample(void *self, const ws_timed_sample *sample) {
    starts *s = self;
    if (sample->ctas > s->most_ctas) s->most_ctas = sample->ctas;
}

static int by_start(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Runs launches of additions. */
static starts run_additions(const struct generate_launch *launches, uint32_t count, const char *settings) {
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 1, 1, NULL);
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT};
    plan.opcode = "IADD";
    plan.more_launches = count - 1;
    plan.launches = launches;
    ws_trace *trace = generate_planned(&plan);
    ws_timed *timed = mechanism_gpu(trace, settings);
    starts s = {.count = 0};
    ws_timed_tap(timed, &(ws_timed_taps){
                            .self = &s, .warp_end = hear_start, .sample = hear_sample, .sample_cycles = 1});
    if (!ws_timed_run(timed, 1, NULL, &err)) fail_msg("%s: %s", settings, err.text);
    qsort(s.of, s.count, sizeof *s.of, by_start);
    ws_timed_free(timed);
    ws_trace_close(trace);
    return s;
}

/* On an SM that holds one CTA, a launch gives all of its CTAs before another one gives any. That one then goes on, also
 * if a launch that comes before it in the places has begun meanwhile. */
static void a_launch_gives_all_of_its_ctas(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 2, 1, 10}, {2, 3, 1, 20}, {1, 2, 1, 30}};
    static const uint32_t order[] = {10, 10, 20, 20, 20, 30, 30};
    starts s = run_additions(launches, WS_COUNT(launches),
                             "gpu.clusters=1,sm.ctas=1,core.concurrent_launches=2,core.launch_cycles=0");
    assert_int_equal(s.count, WS_COUNT(order));
    for (uint32_t i = 0; i < s.count; i++) assert_int_equal(s.of[i].insts, order[i]);
}

/* A CTA for which there is no room keeps those of later launches back that there would be room for. */
static void a_large_cta_keeps_later_launches_back(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 2, 6, 50}, {2, 1, 1, 7}};
    starts s =
        run_additions(launches, WS_COUNT(launches), "gpu.clusters=1,sm.warps=8,core.concurrent_launches=2");
    assert_int_equal(s.count, 13);
    assert_int_equal(s.of[11].insts, 50);
    assert_int_equal(s.of[12].insts, 7);
    assert_true(s.of[12].start > s.of[0].start + 50);
}

/* Beside a CTA of one warp, one of four warps takes slots 4 to 7, and there is no other place of that kind below 9. */
static void warps_of_a_cta_lie_side_by_side(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 1, 1, 500}, {2, 3, 4, 20}};
    static const struct { uint32_t warps, ctas; } cases[] = {{8, 2}, {9, 2}, {11, 2}, {12, 3}, {16, 4}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[100];
        snprintf(settings, sizeof settings, "gpu.clusters=1,core.concurrent_launches=2,sm.warps=%u",
                 cases[i].warps);
        starts s = run_additions(launches, WS_COUNT(launches), settings);
        assert_int_equal(s.count, 13);
        assert_int_equal(s.most_ctas, cases[i].ctas);
    }
}

/* The stream of the first launch has the first SMs for itself, whatever place a launch takes. */
static void streams_have_sms_of_their_own(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {
        {1, 3, 1, 10}, {2, 1, 1, 300}, {1, 3, 1, 20}, {3, 3, 1, 400}, {1, 3, 1, 30}};
    starts s = run_additions(launches, WS_COUNT(launches),
                             "gpu.clusters=3,core.concurrent_launches=3,core.first_launch_sms=1");
    assert_int_equal(s.count, 13);
    for (uint32_t i = 0; i < s.count; i++) assert_int_equal(s.of[i].sm == 0, s.of[i].insts < 100);
}

/* ---- L1s */

/* Returns the L1 hits of the last launch of several that all read one line, each warp in one load after another. */
static uint64_t hits_of_last(const struct generate_launch *launches, uint32_t count, const char *settings) {
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.instruction.dst_count = plan.instruction.src_count = 1; /* each load waits for the one before */
    plan.instruction.dst[0] = plan.instruction.src[0] = 1;
    plan.more_launches = count - 1;
    plan.launches = launches;
    ws_trace *trace = generate_planned(&plan);
    ws_timed *timed = mechanism_gpu(trace, settings);
    if (!ws_timed_run(timed, 1, NULL, &err)) fail_msg("%s", err.text);
    uint64_t hits = ws_timed_share_of(timed, count).l1_hits;
    ws_timed_free(timed);
    ws_trace_close(trace);
    return hits;
}

/* The third launch finds the line that the first one has read, unless its cluster has been empty meanwhile: the second
 * launch, of another stream, runs on. */
static void l1s_of_empty_clusters_are_emptied(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 1, 1, 2}, {2, 1, 1, 40}, {1, 1, 1, 2}};
    static const struct {
        const char *settings;
        uint64_t hits;
    } cases[] = {
        {"gpu.clusters=1", 2},
        {"gpu.clusters=2,core.first_launch_sms=1", 1},
        {"gpu.clusters=1,gpu.sms_per_cluster=2,core.first_launch_sms=1", 2},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char settings[200];
        snprintf(settings, sizeof settings, "%s,core.concurrent_launches=2", cases[i].settings);
        assert_int_equal(hits_of_last(launches, WS_COUNT(launches), settings), cases[i].hits);
    }
}

/* Nor does it find the line in the coalesced cache, which has it because two SMs have read it. */
static void what_clusters_hold_is_emptied(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 2, 1, 2}, {2, 1, 1, 40}, {1, 2, 1, 2}};
    enum { CACHED = 1, MERGED };
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 1;
    plan.more_launches = WS_COUNT(launches) - 1;
    plan.launches = launches;
    ws_trace *trace = generate_planned(&plan);
    mechanism_result r =
        mechanism_run(trace, 1,
                      "gpu.clusters=2,gpu.sms_per_cluster=2,gpu.dispatch=global_rr,mechanism.cluster=icc,"
                      "core.first_launch_sms=2,core.concurrent_launches=2");
    assert_int_equal(r.counts[MERGED], 2);
    assert_int_equal(r.counts[CACHED], 0);
    assert_int_equal(r.counters.noc_reads, WS_COUNT(launches));
    ws_trace_close(trace);
}

/* A cluster that gets a CTA in the cycle in which its last one ends has not been empty. */
static void a_cta_follows_another(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 1, 1, 2}, {2, 1, 1, 2}};
    assert_int_equal(
        hits_of_last(launches, WS_COUNT(launches), "gpu.clusters=1,sm.ctas=1,core.concurrent_launches=2"), 2);
}

enum { READ_LINES = 430 };

static uint64_t lines_twice(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return UINT64_C(0x10000) + 128 * (inst % READ_LINES) + 4 * lane;
}

/* The first launch reads 430 lines twice. It finds them if shared memory leaves 448 lines of the unified array, and not
 * if it leaves 384: that of each stream counts, not that of each launch. */
static void shared_memory_of_all_streams_counts(void **state) {
    (void)state;
    static const struct {
        struct generate_launch launches[3];
        uint64_t hits;
    } cases[] = {
        {{{1, 1, 1, 2 * READ_LINES}, {2, 1, 1, 1}, {2, 1, 1, 1}}, READ_LINES},
        {{{1, 1, 1, 2 * READ_LINES}, {2, 1, 1, 1}, {3, 1, 1, 1}}, 0},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_error err = WS_NO_ERROR;
        generate_plan plan = generate_loads(1, 1, 1, lines_twice);
        plan.instruction.dst_count = plan.instruction.src_count = 1; /* each load waits for the one before */
        plan.instruction.dst[0] = plan.instruction.src[0] = 1;
        plan.more_launches = WS_COUNT(cases[i].launches) - 1;
        plan.launches = cases[i].launches;
        plan.more_shared_B = 8192;
        ws_trace *trace = generate_planned(&plan);
        ws_timed *timed = mechanism_gpu(trace, "gpu.clusters=1,core.concurrent_launches=3,l1.unified_B=65536,"
                                               "l1.size_B=4096,l1.ways=4,l1.index=linear");
        if (!ws_timed_run(timed, 1, NULL, &err)) fail_msg("%s", err.text);
        assert_int_equal(ws_timed_share_of(timed, 1).l1_hits, cases[i].hits);
        ws_timed_free(timed);
        ws_trace_close(trace);
    }
}

/* ---- refusals */

/* A launch that does not fit makes the whole run fail, before it begins. */
static void a_later_launch_does_not_fit(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {{1, 1, 1, 1}, {2, 1, 1, 1}, {1, 1, 9, 1}, {2, 1, 1, 1}};
    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.more_launches = WS_COUNT(launches) - 1;
    plan.launches = launches;
    ws_trace *trace = generate_planned(&plan);
    ws_config *config = mechanism_config("sm.warps=8,core.concurrent_launches=2");
    uint32_t culprit;
    assert_false(ws_timed_check(trace, config, 1, &culprit, &err));
    assert_int_equal(culprit, 1);
    assert_non_null(strstr(err.text, "launch 3 "));
    ws_timed *timed = mechanism_gpu(trace, "sm.warps=8,core.concurrent_launches=2");
    err = WS_NO_ERROR;
    assert_false(ws_timed_run(timed, 1, NULL, &err));
    assert_non_null(strstr(err.text, "launch 3 "));
    assert_int_equal(ws_timed_ran(timed), 0);
    ws_timed_free(timed);
    ws_config_free(config);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),
        cmocka_unit_test(launches_begin_when_they_may),
        cmocka_unit_test(a_launch_without_ctas),
        cmocka_unit_test(ctas_delay_their_launch),
        cmocka_unit_test(a_launch_of_few_ctas_is_first),
        cmocka_unit_test(a_launch_gives_all_of_its_ctas),
        cmocka_unit_test(a_large_cta_keeps_later_launches_back),
        cmocka_unit_test(warps_of_a_cta_lie_side_by_side),
        cmocka_unit_test(streams_have_sms_of_their_own),
        cmocka_unit_test(l1s_of_empty_clusters_are_emptied),
        cmocka_unit_test(what_clusters_hold_is_emptied),
        cmocka_unit_test(a_cta_follows_another),
        cmocka_unit_test(shared_memory_of_all_streams_counts),
        cmocka_unit_test(a_later_launch_does_not_fit),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
