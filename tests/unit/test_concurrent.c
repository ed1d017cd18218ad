/* Concurrent launches of different streams: each does the same work as alone, on shared SMs or on SMs of its own. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/trace.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct both {
    ws_timed_counters all;
    ws_timed_share share[2];
    uint32_t together;
    uint64_t warps_on[8];           /* per SM: the number of warps that ended */
    uint32_t most_warps, most_ctas; /* at any sample */
} both;

static void hear_end(void *self, const ws_timed_warp_life *life) {
    ((both *)self)->warps_on[life->sm]++;
}

static void hear_sample(void *self, const ws_timed_sample *sample) {
    both *b = self;
    if (sample->warps > b->most_warps) b->most_warps = sample->warps;
    if (sample->ctas > b->most_ctas) b->most_ctas = sample->ctas;
}

/* Runs the two launches of a random trace. */
static both run_both(const ws_trace *trace, const char *settings) {
    ws_error err = WS_NO_ERROR;
    both b = {.together = 0};
    ws_timed *timed = mechanism_gpu(trace, settings);
    ws_timed_tap(timed, &(ws_timed_taps){
                            .self = &b, .warp_end = hear_end, .sample = hear_sample, .sample_cycles = 20});
    b.together = ws_timed_together(timed, 1);
    if (!ws_timed_run(timed, 1, &b.all, &err)) fail_msg("%s: %s", settings, err.text);
    assert_int_equal(ws_timed_ran(timed), b.together);
    assert_int_equal(ws_timed_first(timed), 1);
    for (uint32_t i = 0; i < b.together; i++) b.share[i] = ws_timed_share_of(timed, 1 + i);
    ws_timed_free(timed);
    return b;
}

/* ---- laws */

static const char *const gpus[] = {
    "gpu.clusters=1,dram.channels=2",
    "gpu.clusters=3,dram.channels=2,gpu.dispatch=global_rr,sm.scheduler=lrr",
    "gpu.clusters=2,gpu.sms_per_cluster=2,dram.channels=2,gpu.dispatch=greedy",
    ("gpu.clusters=2,dram.channels=2,gpu.dispatch=distributed,l1.access=sector,l1.write=through_lazy,"
     "l1.banks=4,l1.index=linear"),
    ("gpu.clusters=2,dram.channels=2,gpu.dispatch=distributed_block,sm.warps=16,sm.threads=512,"
     "mechanism.front=mrpb"),
};
enum { GPUS = WS_COUNT(gpus) };

static void check_laws(const ws_trace *trace, const char *gpu, const char *more) {
    char settings[500];
    snprintf(settings, sizeof settings, "%s,core.concurrent_launches=2%s", gpu, more);
    both b = run_both(trace, settings), again = run_both(trace, settings);
    assert_int_equal(b.together, 2);
    assert_memory_equal(&b, &again, sizeof b);
    ws_timed_share sum = {0};
    for (uint32_t i = 0; i < 2; i++) {
        ws_timed_counters alone = mechanism_run(trace, i + 1, gpu).counters;
        assert_int_equal(b.share[i].ctas, alone.ctas);
        assert_int_equal(b.share[i].warp_instructions, alone.warp_instructions);
        assert_int_equal(b.share[i].thread_instructions, alone.thread_instructions);
        assert_int_equal(b.share[i].l1_accesses + b.share[i].l1_bypasses,
                         alone.l1_accesses + alone.l1_bypasses);
        assert_int_equal(b.share[i].loads, alone.loads);
        assert_true(b.share[i].cycles <= b.all.cycles);
#define X(name) sum.name += b.share[i].name;
        WS_TIMED_SHARE(X)
#undef X
    }
    sum.cycles = b.share[0].cycles > b.share[1].cycles ? b.share[0].cycles : b.share[1].cycles;
#define X(name) assert_int_equal(sum.name, b.all.name);
    WS_TIMED_SHARE(X)
#undef X
}

static void each_does_what_it_does_alone(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int g = 0; g < GPUS; g++) check_laws(trace, gpus[g], "");
        check_laws(trace, gpus[1], ",core.first_launch_sms=1");
        ws_trace_close(trace);
    }
}

/* ---- sharing */

/* An SM never exceeds its limits, and two launches together take less time than one after the other, but for one pair
 * whose launches get in each other's way. */
static void sms_are_shared_within_their_limits(void **state) {
    (void)state;
    unsigned sooner = 0, fuller = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        both one = run_both(trace, "gpu.clusters=2,dram.channels=2"),
             two = run_both(trace, "gpu.clusters=2,dram.channels=2,core.concurrent_launches=2");
        uint64_t second = mechanism_run(trace, 2, "gpu.clusters=2,dram.channels=2").counters.cycles;
        assert_int_equal(one.together, 1);
        assert_true(two.most_warps <= 2 * 48 && two.most_ctas <= 2 * 8);
        fuller += two.most_warps > one.most_warps;
        sooner += two.all.cycles < one.all.cycles + second;
        ws_trace_close(trace);
    }
    assert_true(fuller > 0);
    assert_true(sooner >= 7);
}

static uint64_t warps_of(const ws_trace *trace, uint32_t launch) {
    both alone = {.together = 0};
    mechanism_listen(trace, launch, "gpu.clusters=1,dram.channels=2",
                     &(ws_timed_taps){.self = &alone, .warp_end = hear_end});
    return alone.warps_on[0];
}

static void each_has_sms_of_its_own(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        both b = run_both(
            trace, "gpu.clusters=3,dram.channels=2,core.concurrent_launches=2,core.first_launch_sms=2");
        assert_int_equal(b.warps_on[0] + b.warps_on[1], warps_of(trace, 1));
        assert_int_equal(b.warps_on[2], warps_of(trace, 2));
        ws_trace_close(trace);
    }
}

/* ---- their order */

typedef struct starts {
    uint64_t first[2], last[2]; /* of each program's warps: the cycles in which they start */
    uint32_t sms[2];            /* set of the SMs that they run on */
} starts;

/* A warp's program is told by its instruction count: one program's is odd, the other's even. */
static void hear_start(void *self, const ws_timed_warp_life *life) {
    starts *s = self;
    int program = life->instructions % 2 == 0;
    if (life->start < s->first[program]) s->first[program] = life->start;
    if (life->start > s->last[program]) s->last[program] = life->start;
    s->sms[program] |= 1u << life->sm;
}

static starts starts_of(const ws_trace *joined, const char *settings) {
    starts s = {.first = {UINT64_MAX, UINT64_MAX}};
    mechanism_listen(joined, 1, settings, &(ws_timed_taps){.self = &s, .warp_end = hear_start});
    return s;
}

/* A program of one launch, whose warps have so many instructions each. */
static ws_trace *arithmetic(uint32_t ctas, uint32_t warps, uint32_t instructions) {
    generate_plan plan = generate_loads(ctas, warps, instructions, NULL);
    plan.instruction = (ws_static){.class_ = WS_CLASS_INT};
    plan.opcode = "IADD";
    return generate_planned(&plan);
}

static ws_trace *join(const ws_trace *first, const ws_trace *second) {
    ws_error err = WS_NO_ERROR;
    ws_trace *joined = ws_trace_join(first, second, &err);
    if (!joined) fail_msg("%s", err.text);
    return joined;
}

/* Two CTAs of the first launch go to SM 0, one per cycle. A CTA of the second launch would fit on SM 1; it does not
 * overtake the held CTA, unless each launch has SMs of its own. */
static void a_held_cta_keeps_later_launches_back(void **state) {
    (void)state;
    ws_trace *first = arithmetic(2, 20, 41), *second = arithmetic(1, 32, 40), *joined = join(first, second);
#define GREEDY "gpu.clusters=2,dram.channels=2,gpu.dispatch=greedy,core.loop_programs=false"
    starts shared = starts_of(joined, GREEDY), own = starts_of(joined, GREEDY ",core.first_launch_sms=1");
    assert_int_equal(shared.sms[0], 1);
    assert_int_equal(shared.sms[1], 2);
    assert_int_equal(shared.last[0], shared.first[0] + 1);
    assert_int_equal(shared.first[1], shared.last[0]);
    assert_int_equal(own.last[0], own.first[0] + 1);
    assert_int_equal(own.first[1], own.first[0]);
    ws_trace_close(joined);
    ws_trace_close(first);
    ws_trace_close(second);
}

/* Round robin goes on behind the last CTA of whichever launch: small programs find SMs of their own, while there are
 * some. A cluster starts one CTA in a cycle, also if programs share it. */
static void small_programs_spread_over_the_gpu(void **state) {
    (void)state;
    ws_trace *first = arithmetic(2, 20, 41), *second = arithmetic(3, 20, 40), *joined = join(first, second);
#define ONCE "dram.channels=2,core.loop_programs=false,"
    static const char *const policies[] = {"two_level_rr", "global_rr"};
    for (size_t i = 0; i < WS_COUNT(policies); i++) {
        char settings[200];
        snprintf(settings, sizeof settings, ONCE "gpu.clusters=6,gpu.dispatch=%s", policies[i]);
        starts spread = starts_of(joined, settings);
        assert_int_equal(spread.sms[0], 3);
        assert_int_equal(spread.sms[1], 7 << 2);
    }
    starts one_cluster = starts_of(joined, ONCE "gpu.clusters=1,gpu.sms_per_cluster=5");
    assert_int_equal(one_cluster.sms[0], 3);
    assert_int_equal(one_cluster.sms[1], 7 << 2);
    assert_int_equal(one_cluster.last[0], one_cluster.first[0] + 1);
    assert_int_equal(one_cluster.first[1], one_cluster.last[0] + 1);
    assert_int_equal(one_cluster.last[1], one_cluster.first[1] + 2);
    ws_trace_close(joined);
    ws_trace_close(first);
    ws_trace_close(second);
}

/* A program that waits for its data for longer than core.deadlock_cycles allows is given up only after many times
 * that, as the other one goes on. */
static void a_program_does_not_wait_for_ever(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    generate_plan loads = generate_loads(1, 1, 1, generate_one_line);
    ws_trace *first = arithmetic(1, 1, 41), *second = generate_planned(&loads), *joined = join(first, second);
#define SLOW_MEMORY "dram.channels=2,dram.latency=2000,core.deadlock_cycles="
    ws_timed *patient = mechanism_gpu(joined, SLOW_MEMORY "500"),
             *impatient = mechanism_gpu(joined, SLOW_MEMORY "50");
    if (!ws_timed_run(patient, 1, NULL, &err)) fail_msg("%s", err.text);
    assert_false(ws_timed_run(impatient, 1, NULL, &err));
    if (!strstr(err.text, "program 2, ") || !strstr(err.text, ": launch 1 has not gone on for "))
        fail_msg("%s", err.text);
    ws_timed_free(patient);
    ws_timed_free(impatient);
    ws_trace_close(joined);
    ws_trace_close(first);
    ws_trace_close(second);
}

/* ---- one stream */

static void launches_of_one_stream_run_one_after_another(void **state) {
    (void)state;
    ws_trace *trace = trace_open("traces/transpose.wst");
    for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
        mechanism_result one = mechanism_run(trace, k, "limit.ctas=16"),
                         many = mechanism_run(trace, k, "limit.ctas=16,core.concurrent_launches=16");
        assert_memory_equal(&one.counters, &many.counters, sizeof one.counters);
    }
    ws_trace_close(trace);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(2, 32);
    const char *text = mechanism_refusal(trace, "core.concurrent_launches=2,mechanism.dispatch=warpman");
    assert_non_null(strstr(text, "core.concurrent_launches: expected 1 with mechanism."));
    text = mechanism_refusal(trace, "gpu.clusters=2,core.concurrent_launches=2,core.first_launch_sms=2");
    assert_non_null(strstr(text, "core.first_launch_sms: expected less than the 2 SMs"));
    text = mechanism_refusal(trace, "core.concurrent_launches=129");
    assert_non_null(strstr(text, "core.concurrent_launches"));
    ws_trace_close(trace);
}

/* A launch that is refused has run nothing, whatever ran before it. */
static void a_refused_launch_did_nothing(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config("sm.shared_B=1500"); /* too little for the second launch */
    ws_trace *trace = ws_trace_open("traces/lud.wst", &err);
    ws_timed *timed = trace ? ws_timed_new(trace, config, &err) : NULL;
    if (!timed) fail_msg("%s", err.text);
    assert_true(ws_timed_run(timed, 1, NULL, &err));
    assert_int_equal(ws_timed_ran(timed), 1);
    assert_true(ws_timed_share_of(timed, 1).cycles > 0);
    assert_false(ws_timed_run(timed, 2, NULL, &err));
    assert_int_equal(ws_timed_ran(timed), 0);
    for (uint32_t launch = 1; launch <= 2; launch++) {
        assert_int_equal(ws_timed_share_of(timed, launch).cycles, 0);
        assert_int_equal(ws_timed_runs_of(timed, launch).runs, 0);
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
    ws_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_what_it_does_alone),
        cmocka_unit_test(sms_are_shared_within_their_limits),
        cmocka_unit_test(each_has_sms_of_its_own),
        cmocka_unit_test(a_held_cta_keeps_later_launches_back),
        cmocka_unit_test(small_programs_spread_over_the_gpu),
        cmocka_unit_test(a_program_does_not_wait_for_ever),
        cmocka_unit_test(launches_of_one_stream_run_one_after_another),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_refused_launch_did_nothing),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
