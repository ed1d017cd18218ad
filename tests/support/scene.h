/* From a specification of the probe to its plan, for tests of what comes before anything runs. */
#ifndef WS_TESTS_SCENE_H
#define WS_TESTS_SCENE_H

#include "sweep/plan/plan.h"

typedef struct scene {
    ws_spec *spec;
    ws_inputs *inputs;
    ws_grid *grid;
    ws_plan *plan;
} scene;

/* Each opens what the next one needs, of a specification with MORE (probe_spec()), and fails the test if that cannot be
 * done; false if the last of them cannot, with the error. */
bool scene_inputs(scene *s, const ws_analysis *const *analyses, const char *traces, const char *more,
                  ws_error *err);
bool scene_grid(scene *s, const ws_analysis *const *analyses, const char *more, ws_error *err);
/* Of all traces; fails the test if there is no plan. */
scene scene_plan(const ws_analysis *const *analyses, const char *more, const ws_plan_options *options);
void scene_close(scene *s); /* accepts one of which only some is open */

#endif
