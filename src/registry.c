/* What is known by name. */
#include "analysis/analyses.h"
#include "base/array.h"
#include "base/nearest.h"
#include "warpsweep/timed.h"

#include <string.h>

/* ---- analyses */

static const ws_analysis *const analyses[] = {
#define X(name) &ws_analysis_##name,
    WS_ANALYSES(X)
#undef X
        NULL,
};

const ws_analysis *const *ws_analyses(void) {
    return analyses;
}

const ws_analysis *ws_analysis_find(const char *name, const char **nearest) {
    ws_nearest near = ws_nearest_to(name ? name : "");
    const ws_analysis *found = NULL;
    for (size_t i = 0; analyses[i] && !found; i++) {
        if (strcmp(analyses[i]->name, near.name) == 0) found = analyses[i];
        ws_nearest_offer(&near, analyses[i]->name);
    }
    if (nearest) *nearest = found ? NULL : near.best;
    return found;
}

/* ---- replays */

static const ws_component *const order_components[] = {
    &ws_gpu_component, &ws_sm_component, &ws_coalesce_component, &ws_order_component, &ws_limit_component};
static const ws_component *const timed_components[] = {
    &ws_gpu_component, &ws_sm_component,  &ws_order_component, &ws_limit_component, &ws_core_component,
    &ws_l1_component,  &ws_noc_component, &ws_l2_component,    &ws_dram_component,  &ws_mechanism_component,
#define X(name, what) &ws_##name##_component,
    WS_MECHANISMS(X)
#undef X
};
_Static_assert(WS_COUNT(timed_components) < WS_COMPONENTS_MAX,
               "no room for an analysis' own component beside those of the timed replay");

const ws_component *const *ws_fidelity_components(enum ws_fidelity fidelity, size_t *count) {
    if (fidelity == WS_FIDELITY_TIMED) {
        *count = WS_COUNT(timed_components);
        return timed_components;
    }
    *count = WS_COUNT(order_components);
    return order_components;
}

static bool has_param(const ws_component *component, const char *name) {
    for (size_t i = 0; component && i < component->param_count; i++)
        if (strcmp(component->params[i].name, name) == 0) return true;
    return false;
}

static bool is_param(const char *name) {
    bool found = false;
    for (size_t i = 0; i < WS_COUNT(order_components); i++) found |= has_param(order_components[i], name);
    for (size_t i = 0; i < WS_COUNT(timed_components); i++) found |= has_param(timed_components[i], name);
    for (size_t i = 0; analyses[i]; i++) found |= has_param(analyses[i]->component, name);
    return found;
}

bool ws_config_set_known(ws_config *config, const char *name, const json_t *value, const char *path,
                         ws_error *err) {
    if (name && path && !ws_config_param(config, name) && is_param(name))
        return ws_fail(err, WS_ERROR_SPEC,
                       "%s: expected a parameter that is read here, found \"%s\"; 'warpsweep help %s' tells "
                       "which others have it",
                       path, name, name);
    return ws_config_set(config, name, value, path, err);
}

const char *ws_fidelity_name(enum ws_fidelity fidelity) {
    return fidelity == WS_FIDELITY_TIMED ? "timed" : "order";
}

bool ws_analysis_takes(const ws_analysis *analysis, enum ws_fidelity fidelity) {
    uint32_t fidelities = analysis->fidelities ? analysis->fidelities : (uint32_t)WS_FIDELITY_ORDER;
    return fidelities & fidelity;
}

enum ws_fidelity ws_analysis_fidelity(const ws_analysis *analysis) {
    return ws_analysis_takes(analysis, WS_FIDELITY_ORDER) ? WS_FIDELITY_ORDER : WS_FIDELITY_TIMED;
}

void ws_analysis_components(const ws_analysis *analysis, enum ws_fidelity fidelity, const ws_component **out,
                            size_t *count) {
    const ws_component *const *components = ws_fidelity_components(fidelity, count);
    memcpy(out, components, *count * sizeof *out);
    if (analysis->component) out[(*count)++] = analysis->component;
}
