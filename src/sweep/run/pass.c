#include "sweep/run/pass.h"

#include "sweep/run/instances.h"
#include "sweep/run/pass_timed.h"

#include <stdlib.h>

struct ws_runner {
    const ws_plan *plan;
    ws_replayer *replayer;
    uint32_t trace; /* of the replayer */
};

ws_runner *ws_runner_new(const ws_plan *plan) {
    ws_runner *runner = calloc(1, sizeof *runner);
    if (runner) runner->plan = plan;
    return runner;
}

/* ---- fidelity order */

static bool use_trace(ws_runner *runner, uint32_t trace, ws_error *err) {
    if (runner->replayer && runner->trace == trace) return true;
    ws_replayer_free(runner->replayer);
    runner->replayer = ws_replayer_new(runner->plan->inputs->traces[trace].trace, 0, err);
    runner->trace = trace;
    return runner->replayer != NULL;
}

/* Feeds the instances with one replay, if their analysis asks for one. */
static bool replay(ws_replayer *replayer, uint32_t launch, const ws_config *config, const ws_instances *in,
                   ws_order_counters *counters, bool *common, ws_error *err) {
    if (!ws_analysis_replays(in->analysis)) return true;
    ws_error refusal = WS_NO_ERROR;
    ws_replayer_want(replayer, in->wants);
    if (ws_replay_order(replayer, launch, config, in->taps, in->count, counters, &refusal)) return true;
    *common = refusal.code == WS_ERROR_TRACE || refusal.code == WS_ERROR_DAMAGED;
    if (err) *err = refusal;
    return false;
}

static bool run_in_order(ws_runner *runner, const ws_planned_point *points, uint32_t count, ws_rows *rows,
                         bool *common, ws_error *err) {
    const ws_plan *plan = runner->plan;
    const ws_config *config = plan->grid->combos[points->combo].config;
    const ws_input_kernel *kernel = &plan->inputs->kernels[points->kernel];
    uint32_t launch = kernel->kernel->index;
    if (!use_trace(runner, kernel->trace, err)) return false;
    const ws_trace *trace = plan->inputs->traces[kernel->trace].trace;
    ws_stream_info stream;
    if (!ws_stream_info_of(trace, launch, config, &stream, err)) return false;
    ws_order_counters counters = {0};
    stream.counters = ws_analysis_replays(plan->spec->analysis) ? &counters : NULL;
    ws_instances in;
    bool ok = ws_instances_new(plan, points, count, &stream, &in, err) &&
              replay(runner->replayer, launch, config, &in, &counters, common, err) &&
              ws_instances_finish(&in, 0, rows, err);
    ws_instances_free(&in);
    if (stream.counters && counters.ctas < kernel->kernel->counters.ctas)
        for (uint32_t i = 0; i < count; i++) ws_rows_truncated(rows, i);
    return ok;
}

bool ws_runner_pass(ws_runner *runner, size_t pass, uint32_t first, uint32_t count, ws_rows *rows,
                    bool *common, ws_error *err) {
    const ws_plan *plan = runner->plan;
    const ws_planned_point *points = &plan->points[plan->passes[pass].first + first];
    const ws_trace *trace = plan->inputs->traces[plan->inputs->kernels[points->kernel].trace].trace;
    *common = !ws_analysis_has_needs(plan->spec->analysis, trace, err);
    if (*common) return false;
    return plan->spec->fidelity == WS_FIDELITY_TIMED ? ws_pass_timed(plan, points, count, rows, common, err)
                                                     : run_in_order(runner, points, count, rows, common, err);
}
