#include "sweep/run/instances.h"

#include "trace/names.h"

#include <stdlib.h>

/* ---- what a trace must have */

bool ws_analysis_has_needs(const ws_analysis *analysis, const ws_trace *trace, ws_error *err) {
    uint32_t missing = analysis->needs & ~ws_trace_get_info(trace)->features;
    if (!missing) return true;
    for (size_t i = 0; i < WS_FEATURE_COUNT; i++)
        if (missing & ws_features[i].bit)
            return ws_fail(err, WS_ERROR_TRACE, "the trace has no %s, which analysis %s needs",
                           ws_features[i].text, analysis->name);
    return ws_fail(err, WS_ERROR_TRACE, "the trace lacks features %#x, which analysis %s needs", missing,
                   analysis->name);
}

/* ---- instances */

/* Gives a reason for a failure of the analysis, if it gave none. Returns false. */
static bool give_reason(const ws_analysis *analysis, const char *function, ws_error *err) {
    if (err->code != WS_ERROR_NONE) return false;
    return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: %s() failed without a reason", analysis->name,
                   function);
}

/* Creates the instance for points `first` to `end` - 1, whose parameters are `params`. */
static bool add(ws_instances *in, const void *const *params, uint32_t first, uint32_t end,
                const ws_stream_info *stream, ws_error *err) {
    if (!in->analysis->dims && end - first != 1)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: without dims: expected one point, found %u",
                       in->analysis->name, end - first);
    const uint64_t cycles = in->analysis->sample ? in->analysis->sample_cycles(*params) : 0;
    if (in->analysis->sample && cycles == 0)
        return ws_fail(err, WS_ERROR_INTERNAL, "analysis %s: sample_cycles(): expected at least 1, found 0",
                       in->analysis->name);
    void *self = in->analysis->create(params, end - first, stream, err);
    if (!self) return give_reason(in->analysis, "create", err);
    if (in->analysis->wants) in->wants |= in->analysis->wants(*params);
    in->self[in->count] = self;
    in->taps[in->count] = (ws_tap){self, in->analysis->requests, in->analysis->instructions};
    in->sample_cycles[in->count] = cycles;
    in->start[in->count++] = first;
    in->start[in->count] = end;
    return true;
}

bool ws_instances_new(const ws_plan *plan, const ws_planned_point *points, uint32_t count,
                      const ws_stream_info *stream, ws_instances *in, ws_error *err) {
    const ws_combo *combos = plan->grid->combos;
    const void **params = calloc(count, sizeof *params);
    bool ok = params || ws_no_memory(err);
    *in = (ws_instances){.analysis = plan->spec->analysis};
    for (uint32_t i = 0, end; ok && i < count; i = end) {
        for (end = i; end < count && combos[points[end].combo].instance == combos[points[i].combo].instance;
             end++)
            params[end] = in->analysis->component
                              ? ws_config_get(combos[points[end].combo].config, in->analysis->component)
                              : NULL;
        ok = add(in, params + i, i, end, stream, err);
    }
    free(params);
    return ok;
}

bool ws_instances_finish(const ws_instances *in, uint32_t first, ws_rows *rows, ws_error *err) {
    for (size_t i = 0; i < in->count; i++)
        if (!in->analysis->finish(in->self[i], first + in->start[i], rows, err))
            return give_reason(in->analysis, "finish", err);
    return true;
}

void ws_instances_free(ws_instances *in) {
    for (size_t i = 0; i < in->count; i++) in->analysis->destroy(in->self[i]);
    in->count = 0;
}

/* ---- fidelity timed: all instances hear the same events */

#define HEAR(tap, event_type)                                                                                \
    static void hear_##tap(void *self, const event_type *event) {                                            \
        const ws_instances *in = self;                                                                       \
        for (size_t i = 0; i < in->count; i++) in->analysis->tap(in->self[i], event);                        \
    }
HEAR(access, ws_timed_access)
HEAR(issue, ws_timed_issue)
HEAR(load_end, ws_timed_load)
HEAR(warp_end, ws_timed_warp_life)
#undef HEAR

/* Samples come at a common period, of which each instance takes those of its own. */
static void hear_sample(void *self, const ws_timed_sample *sample) {
    const ws_instances *in = self;
    for (size_t i = 0; i < in->count; i++)
        if (sample->last || sample->cycle % in->sample_cycles[i] == 0)
            in->analysis->sample(in->self[i], sample);
}

static uint64_t common_period(const ws_instances *in) {
    uint64_t period = 0;
    for (size_t i = 0; i < in->count; i++)
        for (uint64_t other = in->sample_cycles[i]; other;) { /* the greatest common divisor */
            uint64_t rest = period % other;
            period = other;
            other = rest;
        }
    return period;
}

ws_timed_taps ws_instances_timed_taps(ws_instances *in) {
    const ws_analysis *a = in->analysis;
    return (ws_timed_taps){.self = in,
                           .access = a->access ? hear_access : NULL,
                           .issue = a->issue ? hear_issue : NULL,
                           .load_end = a->load_end ? hear_load_end : NULL,
                           .warp_end = a->warp_end ? hear_warp_end : NULL,
                           .sample = a->sample ? hear_sample : NULL,
                           .sample_cycles = a->sample ? common_period(in) : 0};
}
