/* Host time of the timed replay with a mechanism on, relative to the same replay without it. */
#include "bench.h"

#include "base/array.h"
#include "warpsweep/analysis.h"
#include "warpsweep/timed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 3 };

static const char *const traces[] = {"traces/conv2d.wst", "traces/gemm.wst", "traces/hotspot.wst",
                                     "traces/spmv.wst"};
enum { TRACES = WS_COUNT(traces) };

static bool set(ws_config *config, const char *name, json_t *value, ws_error *err) {
    bool ok = ws_config_set(config, name, value, name, err);
    json_decref(value);
    return ok;
}

/* The default GPU with its SMs in clusters of three. `slot`: NULL for none. */
static ws_config *configuration(const char *slot, const char *mechanism, const char *dependences,
                                ws_error *err) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    if (!config) return NULL;
    if (set(config, "gpu.clusters", json_integer(5), err) &&
        set(config, "gpu.sms_per_cluster", json_integer(3), err) &&
        set(config, "core.dependences", json_string(dependences), err) &&
        (!slot || set(config, slot, json_string(mechanism), err)))
        return config;
    ws_config_free(config);
    return NULL;
}

static double run_once(const ws_trace *trace, const ws_config *config, ws_error *err) {
    double start = bench_seconds();
    ws_timed *timed = ws_timed_new(trace, config, err);
    bool ok = timed;
    ws_timed_counters counters;
    for (uint32_t k = 1; ok && k <= ws_trace_get_info(trace)->kernel_count; k++)
        ok = ws_timed_run(timed, k, &counters, err);
    ws_timed_free(timed);
    return ok ? bench_seconds() - start : 0;
}

/* Time with the mechanism over time without it, 0 on errors: the median over pairs of runs, one right after the other
 * because the machine's speed changes. */
static double ratio_of(const ws_trace *trace, const ws_config *with, const ws_config *without,
                       ws_error *err) {
    double ratios[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
        double base = run_once(trace, without, err), more = run_once(trace, with, err);
        if (base <= 0 || more <= 0) return 0;
        ratios[i] = more / base;
    }
    return bench_median(ratios, REPETITIONS);
}

static double mean_ratio(const ws_config *with, const ws_config *without, ws_error *err) {
    double logs = 0;
    for (int t = 0; t < TRACES; t++) {
        ws_trace *trace = ws_trace_open(traces[t], err);
        double ratio = trace ? ratio_of(trace, with, without, err) : 0;
        ws_trace_close(trace);
        if (ratio <= 0) return 0;
        logs += log(ratio);
    }
    return exp(logs / TRACES);
}

static const char *slot_of(const ws_mechanism *m) {
    return m->dispatch  ? "mechanism.dispatch"
           : m->core    ? "mechanism.core"
           : m->front   ? "mechanism.front"
           : m->fetch   ? "mechanism.fetch"
           : m->cluster ? "mechanism.cluster"
                        : "mechanism.partition";
}

void bench_mechanisms(void) {
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        ws_error err = WS_NO_ERROR;
        const char *dependences = *m == &ws_mechanism_ilp ? "one_in_flight" : "registers";
        ws_config *without = configuration(NULL, NULL, dependences, &err),
                  *with = configuration(slot_of(*m), (*m)->name, dependences, &err);
        double ratio = with && without ? mean_ratio(with, without, &err) : 0;
        char what[80];
        snprintf(what, sizeof what, "timed replay with %s: time against none", (*m)->name);
        if (ratio > 0)
            bench_report(what, ratio, "times", BENCH_AT_MOST, 2);
        else
            printf("  %s: %s\n", what, err.text);
        ws_config_free(with);
        ws_config_free(without);
    }
}
