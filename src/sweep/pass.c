#include "sweep/pass.h"

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

void ws_runner_free(ws_runner *runner) {
    if (!runner) return;
    ws_replayer_free(runner->replayer);
    free(runner);
}

static bool use_trace(ws_runner *runner, uint32_t trace, ws_error *err) {
    if (runner->replayer && runner->trace == trace) return true;
    ws_replayer_free(runner->replayer);
    runner->replayer = ws_replayer_new(runner->plan->inputs->traces[trace].trace, 0, err);
    runner->trace = trace;
    return runner->replayer != NULL;
}

/* ---- what a trace must have */

static bool has_needs(const ws_analysis *analysis, const ws_trace *trace, ws_error *err) {
    static const struct {
        uint32_t bit;
        const char *name;
    } features[] = {{WS_FEATURE_REGISTERS, "registers"},
                    {WS_FEATURE_IMMEDIATES, "immediate operands"},
                    {WS_FEATURE_SOURCE_LINE, "source lines"},
                    {WS_FEATURE_VALUES, "operand values"},
                    {WS_FEATURE_INDEX_FLOW, "index loads"}};
    uint32_t missing = analysis->needs & ~ws_trace_get_info(trace)->features;
    if (!missing) return true;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (missing & features[i].bit)
            return ws_fail(err, WS_ERROR_TRACE, "the trace has no %s, which analysis %s needs",
                           features[i].name, analysis->name);
    return ws_fail(err, WS_ERROR_TRACE, "the trace lacks features %#x, which analysis %s needs", missing,
                   analysis->name);
}

/* ---- instances */

/* The instances of one pass: instance i answers the points from start[i] to start[i + 1] - 1. */
typedef struct instances {
    const ws_analysis *analysis;
    void *self[WS_PASS_INSTANCES];
    ws_tap taps[WS_PASS_INSTANCES];
    uint32_t start[WS_PASS_INSTANCES + 1];
    size_t count;
    uint32_t wants;
} instances;

static bool create(const ws_plan *plan, const ws_planned_point *points, uint32_t count,
                   const ws_stream_info *stream, const void **params, instances *in, ws_error *err) {
    const ws_combo *combos = plan->grid->combos;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && combos[points[end].combo].instance == combos[points[i].combo].instance;
             end++)
            params[end] = in->analysis->component
                              ? ws_config_get(combos[points[end].combo].config, in->analysis->component)
                              : NULL;
        void *self = in->analysis->create(params + i, end - i, stream, err);
        if (!self) return false;
        if (in->analysis->wants) in->wants |= in->analysis->wants(params[i]);
        in->self[in->count] = self;
        in->taps[in->count] = (ws_tap){self, in->analysis->requests, in->analysis->instructions};
        in->start[in->count++] = i;
        in->start[in->count] = end;
    }
    return true;
}

static bool finish(const instances *in, ws_rows *rows, ws_error *err) {
    for (size_t i = 0; i < in->count; i++)
        if (!in->analysis->finish(in->self[i], in->start[i], rows, err)) return false;
    return true;
}

/* The instances that are there, fed with one replay, if they ask for one. */
static bool replay(ws_replayer *replayer, uint32_t launch, const ws_config *config, const instances *in,
                   ws_order_counters *counters, bool *common, ws_error *err) {
    if (!ws_analysis_replays(in->analysis)) return true;
    ws_error refusal = WS_NO_ERROR;
    ws_replayer_want(replayer, in->wants);
    if (ws_replay_order(replayer, launch, config, in->taps, in->count, counters, &refusal)) return true;
    *common = refusal.code == WS_ERROR_TRACE;
    if (err) *err = refusal;
    return false;
}

bool ws_runner_pass(ws_runner *runner, size_t pass_index, uint32_t first, uint32_t count, ws_rows *rows,
                    bool *common, ws_error *err) {
    const ws_plan *plan = runner->plan;
    const ws_pass *pass = &plan->passes[pass_index];
    const ws_planned_point *points = &plan->points[pass->first + first];
    const ws_config *config = plan->grid->combos[points[0].combo].config;
    const ws_input_kernel *kernel = &plan->inputs->kernels[pass->kernel];
    const ws_trace *trace = plan->inputs->traces[kernel->trace].trace;
    uint32_t launch = kernel->kernel->index;
    ws_order_counters counters = {0};
    instances in = {.analysis = plan->spec->analysis};

    *common = !has_needs(in.analysis, trace, err);
    if (*common) return false;
    const void **params = calloc(count, sizeof *params);
    bool ok = params || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    if (ok && (ok = use_trace(runner, kernel->trace, err))) {
        ws_stream_info stream = ws_stream_info_of(trace, launch, config);
        stream.counters = ws_analysis_replays(in.analysis) ? &counters : NULL;
        ok = create(plan, points, count, &stream, params, &in, err) &&
             replay(runner->replayer, launch, config, &in, &counters, common, err) && finish(&in, rows, err);
    }
    for (size_t i = 0; i < in.count; i++) in.analysis->destroy(in.self[i]);
    free(params);
    return ok;
}
