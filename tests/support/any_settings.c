#include "any_settings.h"

#include "async_program.h"
#include "base/array.h"
#include "generate.h"
#include "mechanism/matters.h"
#include "mechanism_run.h"
#include "random.h"
#include "timed/engine.h"
#include "values.h"
#include "warpsweep/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct __attribute__((packed)) choice {
    uint16_t seed;
    uint8_t gpu, kind;
} choice;

typedef struct __attribute__((packed)) setting {
    uint16_t param;
    uint8_t value;
} setting;

static ws_trace *copies(uint64_t seed) {
    async_random scripts;
    async_randomize(&scripts, seed);
    return async_script(scripts.warps, scripts.ctas, ASYNC_COPIES);
}

/* Returns a trace; NULL if two random ones, in `parts`, which must outlive it, cannot run beside each other. */
static ws_trace *trace_of(choice c, ws_trace *parts[2]) {
    static const uint64_t streams[] = {1, 2, 1, 3, 0};
    if (c.kind % 8 == 1) return copies(c.seed);
    if (c.kind % 8 == 2) return generate_streams(c.seed, 32, streams);
    if (c.kind % 8) return generate_random(c.seed, c.kind % 2 ? 64 : 32);
    ws_error err = WS_NO_ERROR;
    parts[0] = generate_random(c.seed, 32);
    parts[1] = generate_random(c.seed + 2u, 32);
    return ws_trace_join(parts[0], parts[1], &err);
}

static uint32_t param_count(void) {
    size_t count, all = 0;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    for (size_t i = 0; i < count; i++) all += components[i]->param_count;
    return (uint32_t)all;
}

/* Returns the parameter of this number, of all that there are, round and round; NULL: one to leave as it is. */
static const ws_param *param_at(uint32_t number) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    number %= param_count();
    while (number >= (*components)->param_count) number -= (uint32_t)(*components++)->param_count;
    const ws_param *p = &(*components)->params[number];
    bool limits = strncmp(p->name, "limit.", 6) == 0 || strcmp(p->name, "core.deadlock_cycles") == 0;
    return limits ? NULL : p;
}

/* Appends ",name=value" to `text`. */
static void put_setting(char *text, size_t size, const setting *s) {
    char values[VALUES_MAX][32];
    const ws_param *p = param_at(s->param);
    size_t count = p ? values_other_than_default(p, values) : 0, used = strlen(text);
    if (count) snprintf(text + used, size - used, ",%s=%s", p->name, values[s->value % count]);
}

/* Whether those who have waited have for a cycle at least, and nobody else. */
static bool waits_add_up(const ws_timed_counters *c) {
    const uint64_t waits[][2] = {{c->l1_stalls_set_full, c->l1_retries_set_full},
                                 {c->l1_stalls_mshr_full, c->l1_retries_mshr_full},
                                 {c->l1_stalls_merge_full, c->l1_retries_merge_full},
                                 {c->l1_stalls_miss_queue_full, c->l1_retries_miss_queue_full},
                                 {c->l2_stalls, c->l2_retries}};
    size_t i = 0;
    while (i < WS_COUNT(waits) && waits[i][0] <= waits[i][1] && !waits[i][0] == !waits[i][1]) i++;
    return i == WS_COUNT(waits);
}

/* Runs the next launches. False if they are refused as they run, or memory is too slow for the patience with it. */
static bool run(ws_timed *timed, uint32_t launch, const char *settings, ws_timed_counters *counters) {
    ws_error err = WS_NO_ERROR;
    if (ws_timed_run(timed, launch, counters, &err)) return true;
    if (err.code == WS_ERROR_INTERNAL && !strstr(err.text, "raise core.deadlock_cycles"))
        fail_msg("%s: launch %u: %s", settings, launch, err.text);
    return false;
}

/* False if a launch is refused. */
static bool agree(const ws_trace *trace, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    ws_timed *skips = ws_timed_new(trace, config, &err), *polls = ws_timed_new(trace, config, &err);
    if (!skips || !polls) fail_msg("%s: %s", settings, err.text);
    ws_timed_poll(polls);
    bool goes_on = true;
    for (uint32_t i = 1; goes_on && i <= ws_trace_get_info(trace)->kernel_count;
         i += ws_timed_together(skips, i)) {
        ws_timed_counters a, b;
        goes_on = run(skips, i, settings, &a);
        if (goes_on != run(polls, i, settings, &b) || (goes_on && memcmp(&a, &b, sizeof a) != 0))
            fail_msg("%s: launch %u: polled, its counters are others", settings, i);
        if (goes_on && !waits_add_up(&a)) fail_msg("%s: launch %u: stalls without retries", settings, i);
    }
    ws_timed_free(skips);
    ws_timed_free(polls);
    ws_config_free(config);
    return goes_on;
}

/* ---- what the bytes say */

typedef struct any_run {
    ws_trace *trace, *parts[2]; /* NULL: two that cannot run beside each other */
    char settings[16384];
} any_run;

static void begin(any_run *r, const uint8_t *bytes, size_t size) {
    choice c = {0};
    memcpy(&c, bytes, size < sizeof c ? size : sizeof c);
    *r = (any_run){.trace = NULL};
    r->trace = trace_of(c, r->parts);
    snprintf(r->settings, sizeof r->settings, "%s,gpu.clusters=2,limit.ctas=8%s",
             mechanism_gpus[c.gpu % MECHANISM_GPUS], c.kind % 8 == 2 ? ",core.concurrent_launches=3" : "");
    for (size_t at = sizeof c; at + sizeof(setting) <= size; at += sizeof(setting)) {
        setting s;
        memcpy(&s, bytes + at, sizeof s);
        put_setting(r->settings, sizeof r->settings, &s);
    }
}

static void end(any_run *r) {
    ws_trace_close(r->trace);
    for (int i = 0; i < 2; i++) ws_trace_close(r->parts[i]);
}

bool any_settings_agree(const uint8_t *bytes, size_t size) {
    any_run r;
    begin(&r, bytes, size);
    bool fit = r.trace && mechanism_accepts(r.trace, r.settings) && agree(r.trace, r.settings);
    end(&r);
    return fit;
}

/* ---- parameters without effect */

/* Gives a parameter another value if it has no effect, and with it still none. Returns whether it did. */
static bool change(ws_config **config, const ws_param *p, bool two_programs, const char *value) {
    if (ws_param_matters(*config, p->name, two_programs)) return false;
    ws_config *changed = ws_config_copy(*config);
    ws_mechanism_set set;
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    bool ok = ws_config_set(changed, p->name, json, p->name, NULL) && ws_config_validate(changed, NULL) &&
              ws_mechanisms_of(changed, &set, NULL) && !ws_param_matters(changed, p->name, two_programs);
    json_decref(json);
    ws_config_free(ok ? *config : changed);
    if (ok) *config = changed;
    return ok;
}

/* Gives other values to parameters that have no effect, and appends them to `r->settings`. Returns whether there were
 * any. */
static bool change_idle(any_run *r, ws_config **config, uint64_t random) {
    bool two_programs = ws_trace_get_info(r->trace)->programs > 1, any = false;
    for (uint32_t i = 0; i < param_count(); i++) {
        char values[VALUES_MAX][32];
        const ws_param *p = param_at(i);
        size_t count = p ? values_other_than_default(p, values) : 0;
        const char *value = count ? values[random_below(&random, (uint32_t)count)] : NULL;
        if (!value || !change(config, p, two_programs, value)) continue;
        size_t used = strlen(r->settings);
        snprintf(r->settings + used, sizeof r->settings - used, ",%s=%s", p->name, value);
        any = true;
    }
    return any;
}

/* False if a launch is refused. */
static bool idle_agree(const any_run *r, ws_timed *a, ws_timed *b) {
    bool goes_on = true;
    for (uint32_t i = 1; goes_on && i <= ws_trace_get_info(r->trace)->kernel_count;
         i += ws_timed_together(a, i)) {
        ws_timed_counters of_a, of_b;
        goes_on = run(a, i, r->settings, &of_a);
        if (goes_on != run(b, i, r->settings, &of_b) || (goes_on && memcmp(&of_a, &of_b, sizeof of_a) != 0))
            fail_msg("%s: launch %u: what has no effect changes its counters", r->settings, i);
    }
    return goes_on;
}

bool any_settings_idle_agree(const uint8_t *bytes, size_t size) {
    any_run r;
    begin(&r, bytes, size);
    bool fit = r.trace && mechanism_accepts(r.trace, r.settings);
    if (fit) {
        ws_error err = WS_NO_ERROR;
        ws_config *config = mechanism_config(r.settings);
        ws_timed *a = ws_timed_new(r.trace, config, &err), *b = NULL;
        fit = change_idle(&r, &config, *bytes);
        if (fit && !(b = ws_timed_new(r.trace, config, &err)))
            fail_msg("refused for what has no effect: %s (%s)", err.text, r.settings);
        fit = fit && idle_agree(&r, a, b);
        ws_timed_free(a);
        ws_timed_free(b);
        ws_config_free(config);
    }
    end(&r);
    return fit;
}
