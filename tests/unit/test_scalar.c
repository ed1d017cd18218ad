/* Uniform-vector execution in the timed replay: times with exact answers, laws, parameters that matter. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CONVERTED, COPIES };

#define SMALL  "gpu.clusters=1,sm.scheduler=lrr,sm.schedulers=1,dram.channels=2,"
#define SCALAR SMALL "mechanism.core=scalar,"

/* 16 warps, which are enough to hide the latency, compute with immediates alone, and write one register. */
static ws_trace *immediates(uint32_t insts) {
    return generate_planned(
        &(generate_plan){.warp_size = 32,
                         .ctas = 1,
                         .warps_per_cta = 16,
                         .insts = insts,
                         .opcode = "MOV",
                         .instruction = {.class_ = WS_CLASS_INT, .dst_count = 1, .dst = {1}}});
}

static uint64_t cycles_of(uint32_t insts, const char *settings) {
    ws_trace *trace = immediates(insts);
    uint64_t cycles = mechanism_run(trace, 1, settings).counters.cycles;
    ws_trace_close(trace);
    return cycles;
}

/* XI 2.3: one every warp size / SIMD width cycles; XI 2.4.1: a scalar one every cycle. */
static void issue_interval(void **state) {
    (void)state;
    for (unsigned width = 8; width <= 32; width *= 2) {
        char without[200], with[200];
        snprintf(without, sizeof without, SMALL "core.simd_width=%u", width);
        snprintf(with, sizeof with, SCALAR "core.simd_width=%u", width);
        assert_int_equal(cycles_of(200, without) - cycles_of(100, without), 100 * 16 * 32 / width);
        assert_int_equal(cycles_of(200, with) - cycles_of(100, with), 100 * 16);
    }
}

/* All instructions issue, whatever they execute as. */
static void laws_on_random_traces(void **state) {
    (void)state;
    uint64_t converted = 0, copies = 0;
    for (uint64_t seed = 2; seed <= 20; seed += 2) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            mechanism_result off = mechanism_run(trace, k, SMALL "core.simd_width=8");
            mechanism_result on = mechanism_run(trace, k, SCALAR "core.simd_width=8"),
                             again = mechanism_run(trace, k, SCALAR "core.simd_width=8");
            assert_memory_equal(&on, &again, sizeof on);
            assert_int_equal(on.counters.warp_instructions, off.counters.warp_instructions);
            assert_int_equal(on.counters.scheduler_issues,
                             off.counters.warp_instructions + on.counts[COPIES]);
            converted += on.counts[CONVERTED];
            copies += mechanism_run(trace, k, SCALAR "scalar.copy=any").counts[COPIES];
        }
        ws_trace_close(trace);
    }
    assert_true(converted > 100);
    assert_true(copies > 10);
}

static void each_parameter_matters(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = ws_trace_open("traces/hotspot.wst", &err);
    if (!trace) fail_msg("%s", err.text);
    static const char *const changes[] = {"mechanism.core=none", "core.simd_width=16", "scalar.copy=any"};
    uint64_t cycles = mechanism_run(trace, 1, SCALAR "core.simd_width=8").counters.cycles;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char settings[200];
        snprintf(settings, sizeof settings, SCALAR "core.simd_width=8,%s", changes[i]);
        assert_int_not_equal(mechanism_run(trace, 1, settings).counters.cycles, cycles);
    }
    ws_trace_close(trace);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32); /* without registers */
    assert_non_null(strstr(mechanism_refusal(trace, "mechanism.core=scalar"), "has no registers"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issue_interval),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
