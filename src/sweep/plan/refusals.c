#include "sweep/plan/refusals.h"

#include "sweep/run/instances.h"
#include "sweep/run/pass_timed.h"

/* True if nothing is known against the pass as a whole; otherwise `why` says what. */
static bool may_run(const ws_plan *plan, const ws_planned_point *first, ws_error *why) {
    const ws_analysis *analysis = plan->spec->analysis;
    const ws_combo *combo = &plan->grid->combos[first->combo];
    const ws_input_kernel *kernel = &plan->inputs->kernels[first->kernel];
    const ws_trace *trace = plan->inputs->traces[kernel->trace].trace;
    if (!ws_analysis_has_needs(analysis, trace, why)) return false;
    if (combo->refusal) return ws_fail(why, WS_ERROR_SPEC, "%s", combo->refusal);
    return plan->spec->fidelity == WS_FIDELITY_TIMED || !ws_analysis_replays(analysis) ||
           ws_replay_order_check(trace, kernel->kernel->index, combo->config, why);
}

bool ws_pass_refused(const ws_plan *plan, const ws_pass *pass, ws_failures *reasons, uint32_t *refused,
                     ws_error *err) {
    const ws_planned_point *points = &plan->points[pass->first];
    ws_error why = WS_NO_ERROR;
    if (!may_run(plan, points, &why)) {
        *refused = pass->count;
        for (uint32_t i = 0; i < pass->count; i++) ws_failures_add(reasons, why.text);
        return true;
    }
    *refused = 0;
    return plan->spec->fidelity != WS_FIDELITY_TIMED ||
           ws_pass_timed_refused(plan, points, pass->count, reasons, refused, err);
}
