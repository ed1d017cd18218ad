/* The timed replay alone: warp instructions per second of host time, and the time of each kernel against a budget per
 * warp instruction and L1 access, since kernels that thrash have many accesses to do per instruction. Accesses that
 * bypass the L1, as atomics do, count like the others, since they have as much to do. Medians. */
#include "bench.h"

#include "base/array.h"
#include "warpsweep/analysis.h"
#include "warpsweep/preset.h"
#include "warpsweep/timed.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_PER_INSTRUCTION 0.8e-6
#define SECONDS_PER_ACCESS      0.15e-6

enum { REPETITIONS = 3, KERNELS_MAX = 64 };

typedef struct tally {
    double log_rates; /* sum over traces */
    int traces, kernels, over;
    double worst;         /* time over budget */
    char over_names[512]; /* the kernels over budget, each with its time over budget */
} tally;

/* One kernel's launches together. */
typedef struct kernel_time {
    char name[64];
    double seconds[REPETITIONS];
    uint64_t instructions, accesses; /* of one repetition */
} kernel_time;

typedef struct trace_times {
    kernel_time kernels[KERNELS_MAX];
    int count;
} trace_times;

static ws_config *configuration(const char *gpu, ws_error *err) {
    char path[64];
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    snprintf(path, sizeof path, "sweeps/gpus/%s.json", gpu);
    if (config && ws_preset_apply(config, path, NULL, err) && ws_config_validate(config, err)) return config;
    ws_config_free(config);
    return NULL;
}

static kernel_time *find_kernel(trace_times *t, const char *name) {
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->kernels[i].name, name) == 0) return &t->kernels[i];
    if (t->count == KERNELS_MAX) return NULL;
    kernel_time *k = &t->kernels[t->count++];
    *k = (kernel_time){0};
    snprintf(k->name, sizeof k->name, "%s", name);
    return k;
}

static void add_kernel(tally *t, kernel_time *k) {
    double seconds = bench_median(k->seconds, REPETITIONS),
           budget =
               SECONDS_PER_INSTRUCTION * (double)k->instructions + SECONDS_PER_ACCESS * (double)k->accesses,
           ratio = seconds / budget;
    t->kernels++;
    if (ratio > t->worst) t->worst = ratio;
    if (ratio <= 1) return;
    size_t used = strlen(t->over_names);
    snprintf(t->over_names + used, sizeof t->over_names - used, "%s%s %.2f", t->over++ ? ", " : "", k->name,
             ratio);
}

/* Replays all launches once. */
static bool replay(trace_times *times, int repetition, ws_trace *trace, const ws_config *config,
                   ws_error *err) {
    ws_timed *timed = ws_timed_new(trace, config, err);
    bool ok = timed;
    for (uint32_t i = 1; ok && i <= ws_trace_get_info(trace)->kernel_count; i++) {
        ws_timed_counters counters;
        kernel_time *k = find_kernel(times, ws_trace_kernel(trace, i)->short_name);
        double start = bench_seconds();
        if (!k || !(ok = ws_timed_run(timed, i, &counters, err))) break;
        k->seconds[repetition] += bench_seconds() - start;
        if (repetition > 0) continue;
        k->instructions += counters.warp_instructions;
        k->accesses += counters.l1_accesses + counters.l1_bypasses;
    }
    ws_timed_free(timed);
    return ok;
}

static bool time_trace(trace_times *times, ws_trace *trace, const ws_config *config, ws_error *err) {
    bool ok = trace;
    for (int r = 0; ok && r < REPETITIONS; r++) ok = replay(times, r, trace, config, err);
    return ok;
}

static bool run_trace(tally *t, const char *path, const ws_config *config, ws_error *err) {
    trace_times times = {.count = 0};
    ws_trace *trace = ws_trace_open(path, err);
    bool ok = time_trace(&times, trace, config, err);
    double seconds[REPETITIONS] = {0}, instructions = 0;
    for (int i = 0; ok && i < times.count; i++) {
        instructions += (double)times.kernels[i].instructions;
        for (int r = 0; r < REPETITIONS; r++) seconds[r] += times.kernels[i].seconds[r];
        add_kernel(t, &times.kernels[i]);
    }
    if (ok && instructions > 0) {
        t->log_rates += log(instructions / bench_median(seconds, REPETITIONS));
        t->traces++;
    }
    ws_trace_close(trace);
    return ok;
}

static void report(const tally *t, const char *gpu) {
    char what[128];
    snprintf(what, sizeof what, "%s, geometric mean of %d traces", gpu, t->traces);
    bench_report(what, exp(t->log_rates / t->traces) / 1e6, "M warp instructions/s", BENCH_AT_LEAST, 1.25);
    snprintf(what, sizeof what, "%s, %d of %d kernels over budget; most", gpu, t->over, t->kernels);
    bench_report(what, t->worst, "x budget", BENCH_AT_MOST, 1);
    if (t->over) printf("    %s\n", t->over_names);
}

/* What a launch of one CTA or a few costs on a large GPU, most of whose SMs it leaves idle. */
static void run_small_launches(void) {
    static const char gpu[] = "accelsim-qv100", path[] = "traces/graphs/bfs_push-road.wst";
    ws_error err = WS_NO_ERROR;
    trace_times times = {.count = 0};
    ws_config *config = configuration(gpu, &err);
    ws_trace *trace = config ? ws_trace_open(path, &err) : NULL;
    if (time_trace(&times, trace, config, &err)) {
        double seconds = 0;
        for (int i = 0; i < times.count; i++) seconds += bench_median(times.kernels[i].seconds, REPETITIONS);
        bench_report("accelsim-qv100, launches of a few CTAs",
                     seconds / ws_trace_get_info(trace)->kernel_count * 1e6, "us/launch", BENCH_AT_MOST, 250);
    } else {
        printf("  %s: %s\n", path, err.text);
    }
    ws_trace_close(trace);
    ws_config_free(config);
}

void bench_timed(void) {
    static const char *const gpus[] = {"gtx480-wp", "rtx3070"};
    glob_t traces;
    if (glob("traces/*.wst", 0, NULL, &traces) != 0) return;
    for (size_t g = 0; g < WS_COUNT(gpus); g++) {
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
    run_small_launches();
}
