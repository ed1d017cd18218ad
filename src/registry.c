/* What is known by name. */
#include "analysis/analyses.h"
#include "base/nearest.h"

#include <string.h>

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
    ws_nearest near = ws_nearest_to(name);
    const ws_analysis *found = NULL;
    for (size_t i = 0; analyses[i] && !found; i++) {
        if (strcmp(analyses[i]->name, name) == 0) found = analyses[i];
        ws_nearest_offer(&near, analyses[i]->name);
    }
    if (nearest) *nearest = found ? NULL : near.best;
    return found;
}

void ws_analysis_components(const ws_analysis *analysis, const ws_component **out, size_t *count) {
    size_t n = 0;
    out[n++] = &ws_gpu_component;
    out[n++] = &ws_sm_component;
    out[n++] = &ws_coalesce_component;
    out[n++] = &ws_order_component;
    if (analysis->component) out[n++] = analysis->component;
    *count = n;
}
