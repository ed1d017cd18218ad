#include "mechanism_run.h"

#include "warpsweep/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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

mechanism_result mechanism_run(const ws_trace *trace, uint32_t kernel, const char *settings) {
    ws_error err = WS_NO_ERROR;
    mechanism_result r = {0};
    ws_config *config = mechanism_config(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    if (!timed) fail_msg("%s: %s", settings, err.text);
    if (!ws_timed_run(timed, kernel, &r.counters, &err)) fail_msg("%s: %s", settings, err.text);
    if (ws_timed_mechanisms(timed)->count) memcpy(r.counts, ws_timed_counts(timed, 0), sizeof r.counts);
    ws_timed_free(timed);
    ws_config_free(config);
    return r;
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
