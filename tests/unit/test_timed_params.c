/* Each parameter of the timed components changes what some launch counts. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/values.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_component *const components[] = {&ws_gpu_component, &ws_sm_component,  &ws_core_component,
                                                 &ws_l1_component,  &ws_noc_component, &ws_l2_component,
                                                 &ws_dram_component};

/* Small GPUs, on which everything is scarce. */
static const char *const gpus[] = {
    "gpu.clusters=1,dram.channels=2",
    "gpu.clusters=2,dram.channels=4,l2.size_B=1024,l1.size_B=1024,l1.index=linear,noc.flit_B=8",
    "gpu.clusters=1,dram.channels=1,l1.access=sector,l1.write=through_lazy,l1.banks=4,l1.index=linear",
};

/* More instructions than collectors have ways in. */
#define PORTS "core.sub_cores=false,core.collectors=1,sm.schedulers=4,core.fetches_per_cycle=4"

/* Parameters that have an effect only beside other settings. */
static const struct {
    const char *name, *beside;
} besides[] = {
    {"core.collectors", "core.memory_ports=2,core.memory_queue=40"},
    {"core.register_banks", "core.collectors=2,core.memory_ports=2,core.memory_queue=40"},
    {"core.sub_cores", "core.collectors=2,core.memory_ports=2,core.memory_queue=40"},
    {"core.bank_reads", "core.collectors=2,core.memory_ports=2,core.memory_queue=40"},
    {"core.result_buses", "core.collectors=2,core.memory_ports=2,core.memory_queue=40"},
    {"core.collector_ports", "core.sub_cores=false,core.collectors=8,core.memory_queue=10"},
    {"core.fp_collectors", "core.sub_cores=false,core.collectors=2"},
    {"core.dp_collectors", "core.sub_cores=false,core.collectors=2,core.dp_units=2"},
    {"core.sfu_collectors", "core.sub_cores=false,core.collectors=2"},
    {"core.fp_ports", PORTS ",core.fp_collectors=8,core.fp_units=4"},
    {"core.dp_ports", PORTS ",core.dp_collectors=8,core.dp_units=4,core.dp_interval=1"},
    {"core.sfu_ports", PORTS ",core.sfu_collectors=8,core.sfu_units=4,core.sfu_interval=1"},
    {"core.memory_collectors", "core.sub_cores=false,core.collectors=2"},
    {"core.uniform_latency", "core.uniform_units=1"},
    {"core.uniform_interval", "core.uniform_units=1"},
    {"core.coalesce_B", "l1.access=line"},
    {"core.active_warps", "sm.scheduler=two_level"},
    {"core.swl_warps", "sm.scheduler=swl"},
    {"core.icache_B", "core.icache_ways=1,l1.line_B=32,l2.line_B=32,l1.index=linear"},
    {"core.icache_ways", "core.icache_B=128,l1.line_B=32,l2.line_B=32,l1.index=linear"},
    {"core.icache_mshr_entries", "core.icache_B=128,l1.line_B=32,l2.line_B=32,l1.index=linear"},
    {"core.icache_mshr_merges", "core.icache_B=512"},
    {"core.swl_scope", "sm.scheduler=swl,core.swl_warps=1"},
    {"core.swl_base", "sm.scheduler=swl"},
    {"core.first_launch_sms", "gpu.clusters=4,core.concurrent_launches=2"},
    {"l1.seed", "l1.replacement=random"},
    {"l1.carveouts", "sm.ctas=1,l1.unified_B=33792,l1.size_B=1024,l1.index=linear"},
    {"l2.index", "l2.size_B=4096,l2.ways=1"},
    {"l2.seed", "l2.replacement=random"},
    {"noc.ports_per_cluster", "gpu.sms_per_cluster=4"},
    {"l2.flush", "l2.copies=true"},
    {"l2.lrc_entries", "l2.sectors_apart=true,core.global_past_l1=true"},
    {"l2.lrc_merges", "l2.sectors_apart=true,l2.lrc_entries=64,core.global_past_l1=true"},
    {"dram.write_queue", "l2.size_B=1024,dram.channels=1,dram.write_high=2,dram.write_low=1"},
    {"dram.write_high", "l2.size_B=1024,dram.channels=1,dram.write_queue=60,dram.write_low=1"},
    {"dram.write_low", "l2.size_B=1024,dram.channels=1,dram.write_queue=60,dram.write_high=30"},
    {"dram.wr",
     "l2.size_B=1024,dram.channels=1,dram.banks=1,dram.near_banks=1,dram.bank_B=256,dram.row_B=256"},
};

/* Parameters of two programs, of a GPU that stands still and of CTAs that do not fit have tests of their own; the line
 * sizes can only change together. */
static const char *const elsewhere[] = {"core.loop_programs", "core.deadlock_cycles", "sm.oversized_ctas",
                                        "l1.line_B", "l2.line_B"};

static uint64_t a_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x100000) + 4 * lane + 128 * (uint64_t)(inst + 4 * (warp + 8 * cta));
}

static ws_trace *arithmetic(ws_class class_, const char *opcode, bool chained) {
    generate_plan plan = {.warp_size = 32, .ctas = 2, .warps_per_cta = 8, .insts = 40, .opcode = opcode};
    plan.instruction = (ws_static){.class_ = class_};
    if (chained) plan.instruction.dst_count = plan.instruction.src_count = 1;
    return generate_planned(&plan);
}

/* Loads into the zero register. */
static ws_trace *zero_loads(void) {
    generate_plan plan = generate_loads(2, 8, 4, a_line);
    plan.instruction.dst_count = 1;
    plan.instruction.dst[0] = WS_REGISTER_ZERO;
    return generate_planned(&plan);
}

enum { RANDOM = 6, TRACES = RANDOM + 16 };

/* Arithmetic for each kind of unit, loads of what has been copied, and random traces, which take longest. */
static void make_traces(ws_trace *traces[TRACES]) {
    generate_plan copied = generate_loads(2, 8, 4, a_line);
    copied.copy_address = 0x100000;
    copied.copy_B = 64 * 128;
    size_t n = 0;
    traces[n++] = generate_planned(&copied);
    for (int chained = 0; chained < 2; chained++) {
        traces[n++] = arithmetic(WS_CLASS_FP, "FADD", chained);
        traces[n++] = arithmetic(WS_CLASS_FP, "DADD", chained);
        traces[n++] = arithmetic(WS_CLASS_SFU, "MUFU", chained);
        traces[n++] = arithmetic(WS_CLASS_SFU, "I2F", chained);
        traces[n++] = arithmetic(WS_CLASS_TENSOR, "HMMA", chained);
        traces[n++] = arithmetic(WS_CLASS_INT, "UIADD3", chained);
        traces[n++] = arithmetic(WS_CLASS_FP, "HFMA2", chained);
    }
    traces[n++] = zero_loads();
    for (uint64_t seed = 1; seed <= RANDOM; seed++) traces[n++] = generate_random(seed, 32);
    assert_int_equal(n, TRACES);
}

static bool try_run(const ws_trace *trace, const char *settings, const char *name, const char *value,
                    ws_timed_counters *c) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    bool ok = ws_config_set(config, name, json, name, &err) && ws_config_validate(config, &err);
    json_decref(json);
    ws_timed *timed = ok ? ws_timed_new(trace, config, &err) : NULL;
    ok = timed && ws_timed_run(timed, 1, c, &err);
    ws_timed_free(timed);
    ws_config_free(config);
    return ok;
}

static const char *beside(const char *name) {
    for (size_t i = 0; i < WS_COUNT(besides); i++)
        if (strcmp(besides[i].name, name) == 0) return besides[i].beside;
    return NULL;
}

static bool changes(const ws_param *p, ws_trace *const *traces) {
    char values[VALUES_MAX][32], gpu[300];
    size_t count = values_other_than_default(p, values);
    for (size_t g = 0; g < WS_COUNT(gpus); g++) {
        snprintf(gpu, sizeof gpu, "%s%s%s", gpus[g], beside(p->name) ? "," : "",
                 beside(p->name) ? beside(p->name) : "");
        for (size_t t = 0; t < TRACES; t++) {
            ws_timed_counters base = mechanism_run(traces[t], 1, gpu).counters, other;
            for (size_t i = 0; i < count; i++)
                if (try_run(traces[t], gpu, p->name, values[i], &other) &&
                    memcmp(&base, &other, sizeof base) != 0)
                    return true;
        }
    }
    return false;
}

static bool is_elsewhere(const char *name) {
    bool is = false;
    for (size_t i = 0; i < WS_COUNT(elsewhere); i++) is |= strcmp(elsewhere[i], name) == 0;
    return is;
}

static void every_parameter_is_live(void **state) {
    (void)state;
    ws_trace *traces[TRACES];
    make_traces(traces);
    for (size_t c = 0; c < WS_COUNT(components); c++)
        for (size_t i = c % EVERY; i < components[c]->param_count; i += EVERY) {
            const ws_param *p = &components[c]->params[i];
            if (!is_elsewhere(p->name) && !changes(p, traces)) fail_msg("%s changes nothing", p->name);
        }
    for (size_t t = 0; t < TRACES; t++) ws_trace_close(traces[t]);
}

static bool lacks_something(const char *name, const char *settings) {
    ws_config *config = mechanism_config(settings);
    const ws_need *need = ws_config_unmet(config, name, false);
    ws_config_free(config);
    return need && !need->otherwise;
}

/* Checks that launches count the same whatever value the parameter has. */
static void assert_idle(const ws_param *p, const char *settings, ws_trace *const *traces) {
    char values[VALUES_MAX][32];
    size_t count = values_other_than_default(p, values);
    for (size_t t = 0; t < TRACES; t += EVERY) {
        ws_timed_counters base = mechanism_run(traces[t], 1, settings).counters, other;
        for (size_t i = 0; i < count; i++)
            if (try_run(traces[t], settings, p->name, values[i], &other) &&
                memcmp(&base, &other, sizeof base) != 0)
                fail_msg("%s=%s changes something", p->name, values[i]);
    }
}

static void a_parameter_that_lacks_something_is_idle(void **state) {
    (void)state;
    static const char *const settings[] = {
        "gpu.clusters=1,l1.index=linear",
        ("gpu.clusters=1,l1.index=linear,core.collectors=2,core.memory_ports=2,core.memory_queue=40,"
         "l2.flush=true"),
        "gpu.clusters=1,dram.channels=4,l1.index=linear,core.perfect_memory=true"};
    ws_trace *traces[TRACES];
    size_t found = 0, declared = 0;
    make_traces(traces);
    for (size_t c = 0; c < WS_COUNT(components); c++) {
        const ws_need *needs = components[c]->needs;
        for (size_t i = 0; i < components[c]->need_count;
             i++) /* one may have several needs, one behind the other */
            declared += !needs[i].otherwise && (i == 0 || strcmp(needs[i].param, needs[i - 1].param) != 0);
        for (size_t i = 0; i < components[c]->param_count; i++)
            for (size_t s = 0; s < WS_COUNT(settings); s++) {
                const ws_param *p = &components[c]->params[i];
                if (!lacks_something(p->name, settings[s])) continue;
                if (found++ % EVERY == 0) assert_idle(p, settings[s], traces);
                break;
            }
    }
    assert_int_equal(found, declared);
    for (size_t t = 0; t < TRACES; t++) ws_trace_close(traces[t]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_is_live),
        cmocka_unit_test(a_parameter_that_lacks_something_is_idle),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
