#include "scene.h"

#include "probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

bool scene_inputs(scene *s, const ws_analysis *const *analyses, const char *traces, const char *more,
                  ws_error *err) {
    *err = WS_NO_ERROR;
    *s = (scene){.spec = ws_spec_load(probe_spec("spec.json", traces, more), analyses, NULL, err)};
    if (!s->spec) fail_msg("%s", err->text);
    return (s->inputs = ws_inputs_open(s->spec, NULL, err)) != NULL;
}

bool scene_grid(scene *s, const ws_analysis *const *analyses, const char *more, ws_error *err) {
    if (!scene_inputs(s, analyses, "*.wst", more, err)) fail_msg("%s", err->text);
    return (s->grid = ws_grid_new(s->spec, err)) != NULL;
}

scene scene_plan(const ws_analysis *const *analyses, const char *more, const ws_plan_options *options) {
    ws_error err;
    scene s;
    if (!scene_grid(&s, analyses, more, &err)) fail_msg("%s", err.text);
    s.plan = ws_plan_new(s.spec, s.inputs, s.grid, options, &err);
    if (!s.plan) fail_msg("%s", err.text);
    return s;
}

void scene_close(scene *s) {
    ws_plan_free(s->plan);
    ws_grid_free(s->grid);
    ws_inputs_free(s->inputs);
    ws_spec_free(s->spec);
}
