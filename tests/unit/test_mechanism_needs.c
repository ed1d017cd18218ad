/* Parameters of mechanisms that change nothing at some values of others: they are told as such, and are. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/values.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MRPB "mechanism.front=mrpb,mrpb.bypass=all_stalls,mrpb.signature="
#define ILP  "mechanism.core=ilp,core.dependences=one_in_flight,ilp.prediction="

/* Each parameter, with settings at which it has no effect and such at which it has. */
static const struct {
    const char *name, *without, *with;
} cases[] = {
    {"warppool.quantum", "mechanism.front=warppool,warppool.selection=oldest", "mechanism.front=warppool"},
    {"mrpb.drain", MRPB "none", MRPB "block_id"},
    {"mrpb.entries", MRPB "none", MRPB "block_id"},
    {"mrpb.flush", MRPB "none", MRPB "block_id"},
    {"mrpb.latency", MRPB "none", MRPB "block_id"},
    {"icc.table_cycles", "mechanism.cluster=icc,icc.merge_entries=0", "mechanism.cluster=icc"},
    {"icc.cache_cycles", "mechanism.cluster=icc,icc.cache_lines=0", "mechanism.cluster=icc"},
    {"coarse.duel_cycles", "mechanism.fetch=coarse,coarse.dueling=false", "mechanism.fetch=coarse"},
    {"coarse.grain_reads", "mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0",
     "mechanism.fetch=coarse,coarse.dueling=false"},
    {"scalar.srf_entries", "mechanism.core=scalar,scalar.irb_entries=0",
     "mechanism.core=scalar,scalar.irb_entries=0,scalar.design=srf"},
    {"ilp.gshare_entries", ILP "static", ILP "gshare"},
    {"ilp.steering_warps", ILP "static", ILP "static,ilp.sms=1,ilp.steering=true"},
    {"ilp.steering_threads", ILP "static", ILP "static,ilp.sms=1,ilp.steering=true"},
    {"warpman.dueling_cycles", "mechanism.dispatch=warpman,warpman.spatial=on", "mechanism.dispatch=warpman"},
};

#define GPU                                                                                                  \
    "gpu.clusters=2,gpu.sms_per_cluster=2,dram.channels=2,l1.size_B=1024,l1.index=linear,l1.mshr_entries=4,"

static bool lacks_something(const char *name, const char *settings) {
    ws_config *config = mechanism_config(settings);
    bool lacks = ws_config_unmet(config, name, false) != NULL;
    ws_config_free(config);
    return lacks;
}

/* A parameter has as many cases as conditions. */
static void each_condition_has_a_case(void **state) {
    (void)state;
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        const ws_component *c = (*m)->component;
        for (const ws_param *p = c->params; p < c->params + c->param_count; p++) {
            size_t declared = 0, tested = 0;
            for (size_t i = 0; i < c->need_count; i++) declared += !strcmp(c->needs[i].param, p->name);
            for (size_t i = 0; i < WS_COUNT(cases); i++) tested += !strcmp(cases[i].name, p->name);
            if (declared != tested)
                fail_msg("%s: %zu conditions (needs), %zu cases here", p->name, declared, tested);
        }
    }
}

static void what_it_needs_is_told(void **state) {
    (void)state;
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        if (!lacks_something(cases[i].name, cases[i].without)) fail_msg("%s lacks nothing", cases[i].name);
        if (lacks_something(cases[i].name, cases[i].with)) fail_msg("%s lacks something", cases[i].name);
    }
}

static const ws_param *param_of(const char *name) {
    const ws_component *c = ws_mechanism_of_param(name)->component;
    size_t i = 0;
    while (strcmp(c->params[i].name, name) != 0) i++;
    return &c->params[i];
}

static uint64_t bits_with(const char *settings) {
    ws_cost costs[WS_ADDED_COSTS_MAX];
    uint64_t bits = 0;
    for (size_t i = 0, count = mechanism_costs(settings, costs); i < count; i++) bits += costs[i].bits;
    return bits;
}

/* Neither what a launch counts nor what the mechanism costs depends on the parameter. */
static void assert_idle(const char *name, const char *without, const ws_trace *trace) {
    char values[VALUES_MAX][32], base[400], settings[500];
    snprintf(base, sizeof base, GPU "%s", without);
    mechanism_result expected = mechanism_run(trace, 1, base);
    size_t count = values_other_than_default(param_of(name), values);
    for (size_t i = 0; i < count; i++) {
        const char *value = values[i];
        snprintf(settings, sizeof settings, "%s,%s=%.*s", base, name,
                 (int)strcspn(value + (*value == '"'), "\""), value + (*value == '"'));
        if (!mechanism_accepts(trace, settings)) continue; /* no number of counters, say */
        mechanism_result found = mechanism_run(trace, 1, settings);
        if (memcmp(&found, &expected, sizeof found) != 0) fail_msg("%s=%s changes something", name, value);
        assert_int_equal(bits_with(settings), bits_with(base));
    }
}

static void without_it_nothing_changes(void **state) {
    (void)state;
    for (uint64_t seed = 2; seed <= 8; seed += 2) { /* traces of even seeds have registers */
        ws_trace *trace = generate_random(seed, 32);
        for (size_t i = 0; i < WS_COUNT(cases); i += EVERY)
            assert_idle(cases[i].name, cases[i].without, trace);
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_condition_has_a_case),
                                       cmocka_unit_test(what_it_needs_is_told),
                                       cmocka_unit_test(without_it_nothing_changes)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
