/* The timed replay alone: warp instructions per second of host time, and the time of each kernel against a budget per
 * warp instruction and L1 access, since kernels that thrash have many accesses to do per instruction. */
#include "bench.h"

#include "param/preset.h"
#include "warpsweep/analysis.h"
#include "warpsweep/timed.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_PER_INSTRUCTION 0.8e-6
#define SECONDS_PER_ACCESS      0.15e-6

typedef struct tally {
    double log_rates; /* of traces */
    int traces, kernels, over;
    double worst; /* time over budget */
    char worst_name[64];
} tally;

/* One kernel's launches together. */
typedef struct kernel_time {
    const char *name;
    double seconds;
    uint64_t instructions, accesses;
} kernel_time;

enum { KERNELS_MAX = 64 };

static ws_config *configuration(const char *gpu, ws_error *err) {
    char path[64];
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    snprintf(path, sizeof path, "sweeps/gpus/%s.json", gpu);
    if (config && ws_preset_apply(config, path, err) && ws_config_validate(config, err)) return config;
    ws_config_free(config);
    return NULL;
}

static kernel_time *find_kernel(kernel_time *kernels, int *count, const char *name) {
    for (int i = 0; i < *count; i++)
        if (strcmp(kernels[i].name, name) == 0) return &kernels[i];
    if (*count == KERNELS_MAX) return NULL;
    kernels[*count] = (kernel_time){.name = name};
    return &kernels[(*count)++];
}

static void add_kernel(tally *t, const kernel_time *k) {
    double budget =
        SECONDS_PER_INSTRUCTION * (double)k->instructions + SECONDS_PER_ACCESS * (double)k->accesses;
    double ratio = k->seconds / budget;
    t->kernels++;
    t->over += ratio > 1;
    if (ratio <= t->worst) return;
    t->worst = ratio;
    snprintf(t->worst_name, sizeof t->worst_name, "%s", k->name);
}

static bool run_trace(tally *t, const char *path, const ws_config *config, ws_error *err) {
    kernel_time kernels[KERNELS_MAX];
    int count = 0;
    double seconds = 0, instructions = 0;
    ws_trace *trace = ws_trace_open(path, err);
    ws_timed *timed = trace ? ws_timed_new(trace, config, err) : NULL;
    bool ok = timed;
    for (uint32_t i = 1; ok && i <= ws_trace_get_info(trace)->kernel_count; i++) {
        ws_timed_counters counters;
        double start = bench_seconds();
        kernel_time *k = find_kernel(kernels, &count, ws_trace_kernel(trace, i)->short_name);
        if (!k || !(ok = ws_timed_run(timed, i, &counters, err))) break;
        double spent = bench_seconds() - start;
        k->seconds += spent;
        k->instructions += counters.warp_instructions;
        k->accesses += counters.l1_accesses;
        seconds += spent;
        instructions += (double)counters.warp_instructions;
    }
    for (int i = 0; ok && i < count; i++) add_kernel(t, &kernels[i]);
    if (ok && seconds > 0) {
        t->log_rates += log(instructions / seconds);
        t->traces++;
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
    return ok;
}

static void report(const tally *t, const char *gpu) {
    char what[128];
    snprintf(what, sizeof what, "%s, geometric mean of %d traces", gpu, t->traces);
    bench_report(what, exp(t->log_rates / t->traces) / 1e6, "M warp instructions/s", BENCH_AT_LEAST, 1.25);
    snprintf(what, sizeof what, "%s, %d of %d kernels over budget; most: %s", gpu, t->over, t->kernels,
             t->worst_name);
    bench_report(what, t->worst, "x budget", BENCH_AT_MOST, 1);
}

void bench_timed(void) {
    static const char *const gpus[] = {"gtx480-wp", "rtx3070"};
    glob_t traces;
    if (glob("traces/*.wst", 0, NULL, &traces) != 0) return;
    for (size_t g = 0; g < sizeof gpus / sizeof *gpus; g++) {
        ws_error err = WS_NO_ERROR;
        tally t = {0};
        ws_config *config = configuration(gpus[g], &err);
        bool ok = config;
        for (size_t i = 0; ok && i < traces.gl_pathc; i++)
            ok = run_trace(&t, traces.gl_pathv[i], config, &err);
        if (ok)
            report(&t, gpus[g]);
        else
            printf("  %s: %s\n", gpus[g], err.text);
        ws_config_free(config);
    }
    globfree(&traces);
}
