#include "sweep/run/pass_timed.h"

#include "sweep/run/instances.h"
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

static bool has_two_programs(const timed_pass *p) {
    return ws_trace_get_info(p->trace)->programs > 1;
}

static bool follows_one_launch(const timed_pass *p) {
    return ws_analysis_listens(p->plan->spec->analysis);
}

/* ---- a launch that cannot run */

/* Words the error for points of launches after `culprit`: they cannot run, since nobody knows what would be in the
 * L2. */
static bool fail_behind(const ws_kernel *culprit, ws_error *err) {
    return ws_fail_prefix(err, "launch %u (%s), which comes before it, cannot run", culprit->index,
                          culprit->short_name);
}

/* Fails because of a launch that cannot run; returns false. Its points, and those of later launches, fail, but not
 * those of earlier ones. `*common` is set if all points are of later launches, or all are its own; otherwise the points
 * come back in smaller items. */
static bool fail_from(const timed_pass *p, const ws_kernel *culprit, bool *common, ws_error *err) {
    const ws_kernel *first = kernel_of(p, 0), *last = kernel_of(p, p->count - 1);
    *common = first->index > culprit->index || (first == culprit && last == culprit);
    return first->index > culprit->index && fail_behind(culprit, err);
}

/* Checks, at no cost, what can be checked before anything runs. On failure `*culprit` is the launch that cannot run;
 * NULL if the configuration is to blame. */
static bool check(const timed_pass *p, const ws_kernel **culprit, ws_error *err) {
    uint32_t launch;
    *culprit = NULL;
    if (has_two_programs(p) && follows_one_launch(p))
        return ws_fail(err, WS_ERROR_SPEC,
                       "$.with: analysis %s follows one launch at a time: use analysis timed",
                       p->plan->spec->analysis->name);
    if (ws_timed_check(p->trace, p->config, kernel_of(p, p->count - 1)->index, &launch, err)) return true;
    if (launch) *culprit = ws_trace_kernel(p->trace, launch);
    return false;
}

static timed_pass pass_of(const ws_plan *plan, const ws_planned_point *points, uint32_t count,
                          ws_rows *rows) {
    return (timed_pass){.plan = plan,
                        .points = points,
                        .count = count,
                        .trace = plan->inputs->traces[plan->inputs->kernels[points->kernel].trace].trace,
                        .config = plan->grid->combos[points->combo].config,
                        .rows = rows};
}

bool ws_pass_timed_refused(const ws_plan *plan, const ws_planned_point *points, uint32_t count,
                           ws_failures *reasons, uint32_t *refused, ws_error *err) {
    const timed_pass p = pass_of(plan, points, count, NULL);
    const ws_kernel *culprit;
    ws_error why = WS_NO_ERROR;
    *refused = 0;
    if (check(&p, &culprit, &why)) return true;
    if (why.code == WS_ERROR_MEMORY) return ws_fail(err, why.code, "%s", why.text);
    uint32_t i = 0;
    while (culprit && i < count && kernel_of(&p, i)->index < culprit->index) i++;
    *refused = count - i;
    for (; i < count && (!culprit || kernel_of(&p, i) == culprit); i++) ws_failures_add(reasons, why.text);
    if (i < count) fail_behind(culprit, &why);
    for (; i < count; i++) ws_failures_add(reasons, why.text);
    return true;
}

/* ---- launches */

/* Runs a launch; points `first` .. `end` - 1 are its own. There may be none: then the launch only leaves its lines in
 * the L2. */
static bool run_launch(const timed_pass *p, ws_timed *timed, uint32_t launch, uint32_t first, uint32_t end,
                       bool *common, ws_error *err) {
    const ws_kernel *kernel = ws_trace_kernel(p->trace, launch);
    ws_timed_counters counters;
    if (first == end) return ws_timed_run(timed, launch, &counters, err) || fail_from(p, kernel, common, err);
    ws_stream_info stream;
    if (!ws_stream_info_of(p->trace, launch, p->config, &stream, err)) return false;
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

/* Runs the launches from `launch` on that run at the same time; points `first` .. `end` - 1 are theirs. */
static bool run_together(const timed_pass *p, ws_timed *timed, uint32_t launch, uint32_t first, uint32_t end,
                         bool *common, ws_error *err) {
    bool two_programs = has_two_programs(p);
    if (follows_one_launch(p)) {
        *common = true;
        return ws_fail(
            err, WS_ERROR_SPEC,
            "core.concurrent_launches: analysis %s follows one launch at a time: use analysis timed, "
            "or 1",
            p->plan->spec->analysis->name);
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
        ws_stream_info stream;
        if (!ws_stream_info_of(p->trace, kernel->index, p->config, &stream, err)) return false;
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
    timed_pass p = pass_of(plan, points, count, rows);
    const ws_kernel *culprit;
    *common = true;
    if (combo->refusal) return ws_fail(err, WS_ERROR_SPEC, "%s", combo->refusal);
    if (!check(&p, &culprit, err)) return culprit && fail_from(&p, culprit, common, err);
    ws_timed *timed = ws_timed_new(p.trace, p.config, err);
    if (!timed) return false;
    *common = false;
    bool ok = run_launches(&p, timed, common, err);
    ws_timed_free(timed);
    return ok;
}
