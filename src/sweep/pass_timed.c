#include "sweep/pass_timed.h"

#include "replay/occupancy.h"
#include "sweep/instances.h"
#include "warpsweep/timed.h"

typedef struct timed_pass {
    const ws_plan *plan;
    const ws_planned_point *points;
    uint32_t count;
    const ws_trace *trace;
    const ws_config *config;
    ws_rows *rows;
} timed_pass;

static const ws_kernel *kernel_of(const timed_pass *p, uint32_t point) {
    return p->plan->inputs->kernels[p->points[point].kernel].kernel;
}

/* ---- a launch that cannot run */

/* It takes the points of later launches with it, whose L2 nobody knows. Points of earlier ones are not to blame: as
 * long as the points are not all of one of these kinds, they come back in parts. */
static bool fail_from(const timed_pass *p, const ws_kernel *culprit, bool *common, ws_error *err) {
    const ws_kernel *first = kernel_of(p, 0), *last = kernel_of(p, p->count - 1);
    *common = first->index > culprit->index || (first == culprit && last == culprit);
    if (first->index <= culprit->index) return false;
    return ws_fail_prefix(err, "launch %u (%s), which comes before it, cannot run", culprit->index,
                          culprit->short_name);
}

/* Asked before anything runs, because it costs nothing. */
static bool ctas_fit(const timed_pass *p, bool *common, ws_error *err) {
    if (ws_trace_get_info(p->trace)->programs > 1) return true; /* the replay looks at both programs itself */
    const ws_sm_params *sm = ws_config_get(p->config, &ws_sm_component);
    for (uint32_t launch = 1; launch <= kernel_of(p, p->count - 1)->index; launch++) {
        const ws_kernel *kernel = ws_trace_kernel(p->trace, launch);
        if (!ws_occupancy_check(kernel, ws_trace_get_info(p->trace)->warp_size, sm, err))
            return fail_from(p, kernel, common, err);
    }
    return true;
}

/* ---- launches */

/* Points `first` .. `end` - 1, those of the launch, may be none: then it only leaves its traces in the L2. */
static bool run_launch(const timed_pass *p, ws_timed *timed, uint32_t launch, uint32_t first, uint32_t end,
                       bool *common, ws_error *err) {
    const ws_kernel *kernel = ws_trace_kernel(p->trace, launch);
    ws_timed_counters counters;
    if (first == end) return ws_timed_run(timed, launch, &counters, err) || fail_from(p, kernel, common, err);
    ws_stream_info stream = ws_stream_info_of(p->trace, launch, p->config);
    const ws_l1_params *l1 = ws_config_get(p->config, &ws_l1_component);
    stream.line_B = (uint32_t)l1->line_B;
    stream.sector_B = WS_TIMED_SECTOR_B;
    stream.access_B = l1->access == WS_ACCESS_SECTOR ? stream.sector_B : stream.line_B;
    stream.timed = &counters;
    stream.gpu = timed;
    ws_instances in;
    bool ok = ws_instances_new(p->plan, p->points + first, end - first, &stream, &in, err);
    ws_timed_taps taps = ws_instances_timed_taps(&in);
    ws_timed_tap(timed, &taps);
    if (ok) ok = ws_timed_run(timed, launch, &counters, err) || fail_from(p, kernel, common, err);
    ws_timed_tap(timed, NULL);
    ok = ok && ws_instances_finish(&in, first, p->rows, err);
    ws_instances_free(&in);
    if (ok && counters.ctas < kernel->counters.ctas)
        for (uint32_t i = first; i < end; i++) ws_rows_truncated(p->rows, i);
    return ok;
}

/* ---- launches at the same time */

/* Points `first` .. `end` - 1 belong to the launches from `launch` on that run at the same time. */
static bool run_together(const timed_pass *p, ws_timed *timed, uint32_t launch, uint32_t first, uint32_t end,
                         bool *common, ws_error *err) {
    const ws_analysis *analysis = p->plan->spec->analysis;
    bool two_programs = ws_trace_get_info(p->trace)->programs > 1;
    if (analysis->access || analysis->warp_end || analysis->sample) {
        *common = true;
        if (two_programs)
            return ws_fail(err, WS_ERROR_SPEC,
                           "$.with: analysis %s follows one launch at a time: use analysis timed",
                           analysis->name);
        return ws_fail(
            err, WS_ERROR_SPEC,
            "core.concurrent_launches: analysis %s follows one launch at a time: use analysis timed, "
            "or 1",
            analysis->name);
    }
    ws_timed_counters counters;
    if (!ws_timed_run(timed, launch, &counters, err)) {
        *common = two_programs;
        return !two_programs && fail_from(p, ws_trace_kernel(p->trace, launch), common, err);
    }
    if (two_programs && !ws_timed_run_alone(timed, err)) {
        *common = true;
        return ws_fail_prefix(err, "alone");
    }
    for (uint32_t next = first; first < end; first = next) {
        const ws_kernel *kernel = kernel_of(p, first);
        while (next < end && kernel_of(p, next) == kernel) next++;
        ws_stream_info stream = ws_stream_info_of(p->trace, kernel->index, p->config);
        stream.timed = &counters;
        stream.gpu = timed;
        ws_instances in;
        bool ok = ws_instances_new(p->plan, p->points + first, next - first, &stream, &in, err) &&
                  ws_instances_finish(&in, first, p->rows, err);
        ws_instances_free(&in);
        if (!ok) return false;
        ws_timed_runs runs = ws_timed_runs_of(timed, kernel->index);
        if (runs.ctas < runs.runs * kernel->counters.ctas)
            for (uint32_t i = first; i < next; i++) ws_rows_truncated(p->rows, i);
    }
    return true;
}

static bool run_launches(const timed_pass *p, ws_timed *timed, bool *common, ws_error *err) {
    uint32_t first = 0;
    for (uint32_t launch = 1, together; first < p->count; launch += together) {
        uint32_t end = first;
        together = ws_timed_together(timed, launch);
        while (end < p->count && kernel_of(p, end)->index < launch + together) end++;
        bool ok = together == 1 ? run_launch(p, timed, launch, first, end, common, err)
                                : run_together(p, timed, launch, first, end, common, err);
        if (!ok) return false;
        first = end;
    }
    return true;
}

bool ws_pass_timed(const ws_plan *plan, const ws_planned_point *points, uint32_t count, ws_rows *rows,
                   bool *common, ws_error *err) {
    const ws_combo *combo = &plan->grid->combos[points->combo];
    const ws_trace *trace = plan->inputs->traces[plan->inputs->kernels[points->kernel].trace].trace;
    timed_pass p = {plan, points, count, trace, combo->config, rows};
    *common = true;
    if (combo->refusal) return ws_fail(err, WS_ERROR_SPEC, "%s", combo->refusal);
    ws_timed *timed = ws_timed_new(trace, combo->config, err);
    if (!timed) return false;
    *common = false;
    bool ok = ctas_fit(&p, common, err) && run_launches(&p, timed, common, err);
    ws_timed_free(timed);
    return ok;
}
