#include "report/effects/stored_config.h"

#include "base/json_decode.h"

#include <string.h>

/* Sets the parameters that there are today: others have no effect any more. */
static bool set_all(ws_config *config, json_t *values, ws_error *err) {
    const char *name;
    json_t *value;
    json_object_foreach(values, name, value) {
        if (ws_config_param(config, name) && !ws_config_set(config, name, value, name, err)) return false;
    }
    return true;
}

ws_config *ws_stored_config(const ws_analysis *analysis, const char *fidelity, const char *json,
                            const ws_component **components, ws_error *err) {
    size_t count;
    const bool timed = strcmp(fidelity, ws_fidelity_name(WS_FIDELITY_TIMED)) == 0;
    ws_analysis_components(analysis, timed ? WS_FIDELITY_TIMED : WS_FIDELITY_ORDER, components, &count);
    ws_config *config = ws_config_new(components, count);
    json_t *values = ws_json_decode(json, strlen(json), 0, NULL);
    bool ok = (config && values) || ws_no_memory(err); /* the store's JSON is well-formed */
    ok = ok && set_all(config, values, err);
    json_decref(values);
    if (ok) return config;
    ws_config_free(config);
    return NULL;
}
