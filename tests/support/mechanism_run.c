#include "mechanism_run.h"

#include "every.h"
#include "generate.h"
#include "trace.h"

#include "warpsweep/analysis.h"
#include "warpsweep/preset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_config *configure(const char *settings, ws_error *err) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    char *text = strdup(settings), *rest = text, *one;
    bool ok = true;
    while (ok && (one = strsep(&rest, ","))) {
        char *equals = strchr(one, '=');
        assert_non_null(equals);
        *equals = 0;
        if (strcmp(one, "gpu") == 0) {
            char path[128];
            snprintf(path, sizeof path, "sweeps/gpus/%s.json", equals + 1);
            ok = ws_preset_apply(config, path, NULL, err);
            continue;
        }
        json_t *value = json_loads(equals + 1, JSON_DECODE_ANY, NULL);
        if (!value) value = json_string(equals + 1);
        ok = ws_config_set(config, one, value, one, err);
        json_decref(value);
    }
    free(text);
    if (ok && ws_config_validate(config, err)) return config;
    ws_config_free(config);
    return NULL;
}

ws_config *mechanism_config(const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = configure(settings, &err);
    if (!config) fail_msg("%s: %s", settings, err.text);
    return config;
}

size_t mechanism_costs(const char *settings, ws_cost costs[WS_ADDED_COSTS_MAX]) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    ws_mechanism_set set;
    assert_true(ws_mechanisms_of(config, &set, &err));
    ws_added_cost added[WS_ADDED_COSTS_MAX];
    size_t count = ws_added_costs(config, &set, added);
    for (size_t i = 0; i < count; i++) costs[i] = added[i].cost;
    ws_config_free(config);
    return count;
}

ws_timed *mechanism_gpu(const ws_trace *trace, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    ws_timed *gpu = ws_timed_new(trace, config, &err);
    if (!gpu) fail_msg("%s: %s", settings, err.text);
    ws_config_free(config);
    return gpu;
}

mechanism_result mechanism_listen(const ws_trace *trace, uint32_t kernel, const char *settings,
                                  const ws_timed_taps *taps) {
    ws_error err = WS_NO_ERROR;
    mechanism_result r = {0};
    ws_timed *gpu = mechanism_gpu(trace, settings);
    ws_timed_tap(gpu, taps);
    if (!ws_timed_run(gpu, kernel, &r.counters, &err)) fail_msg("%s: %s", settings, err.text);
    if (ws_timed_mechanisms(gpu)->count) memcpy(r.counts, ws_timed_counts(gpu, 0), sizeof r.counts);
    ws_timed_free(gpu);
    return r;
}

mechanism_result mechanism_run(const ws_trace *trace, uint32_t kernel, const char *settings) {
    return mechanism_listen(trace, kernel, settings, NULL);
}

mechanism_result mechanism_play(const char *const *warps, const char *settings) {
    ws_trace *trace = generate_script(warps);
    mechanism_result r = mechanism_run(trace, 1, settings);
    ws_trace_close(trace);
    return r;
}

bool mechanism_accepts(const ws_trace *trace, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = configure(settings, &err);
    ws_timed *timed = config ? ws_timed_new(trace, config, &err) : NULL;
    ws_timed_free(timed);
    ws_config_free(config);
    return timed;
}

const char *mechanism_refusal(const ws_trace *trace, const char *settings) {
    static ws_error err;
    memset(&err, 0, sizeof err);
    ws_config *config = configure(settings, &err);
    ws_timed *timed = config ? ws_timed_new(trace, config, &err) : NULL;
    if (timed) fail_msg("not refused: %s", settings);
    ws_config_free(config);
    return err.text;
}

/* ---- laws of all mechanisms */

const char *const mechanism_gpus[MECHANISM_GPUS] = {
    "gpu.clusters=1,dram.channels=2",
    "gpu.clusters=2,l1.access=sector,l1.write=through_lazy,l1.banks=4,l1.index=linear,noc.flit_B=8",
    ("gpu.clusters=1,gpu.sms_per_cluster=2,noc.in_buffer=4,noc.out_buffer=1,l1.mshr_entries=4,"
     "l1.mshr_merges=2,l1.size_B=1024,l1.index=linear,core.memory_queue=2"),
};

void mechanism_changes_nothing(const char *settings) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char both[500];
            snprintf(both, sizeof both, "%s,%s", mechanism_gpus[g], settings);
            mechanism_result off = mechanism_run(trace, 1, mechanism_gpus[g]),
                             on = mechanism_run(trace, 1, both);
            assert_memory_equal(&off.counters, &on.counters, sizeof off.counters);
        }
        ws_trace_close(trace);
    }
}

void mechanism_each_matters(const char *path, const char *settings, const char *const *changes) {
    ws_trace *trace = trace_open(path);
    uint64_t cycles = mechanism_run(trace, 1, settings).counters.cycles;
    for (size_t i = 0; changes[i]; i++) {
        if (i % EVERY) continue;
        char changed[500];
        snprintf(changed, sizeof changed, "%s,%s", settings, changes[i]);
        if (mechanism_run(trace, 1, changed).counters.cycles == cycles)
            fail_msg("%s changes nothing", changes[i]);
    }
    ws_trace_close(trace);
}
