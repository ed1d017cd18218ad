/* The instances of an analysis that one launch needs. */
#ifndef WS_SWEEP_RUN_INSTANCES_H
#define WS_SWEEP_RUN_INSTANCES_H

#include "sweep/plan/plan.h"
#include "warpsweep/timed.h"

/* Instance i answers points start[i] to start[i + 1] - 1, counted from the first point of all instances. */
typedef struct ws_instances {
    const ws_analysis *analysis;
    void *self[WS_PASS_INSTANCES];
    ws_tap taps[WS_PASS_INSTANCES];
    uint32_t start[WS_PASS_INSTANCES + 1];
    size_t count;
    uint32_t wants; /* WS_WANT_ bits */
    uint64_t sample_cycles[WS_PASS_INSTANCES];
} ws_instances;

/* Checks that the trace has what the analysis needs. */
bool ws_analysis_has_needs(const ws_analysis *analysis, const ws_trace *trace, ws_error *err);

/* Creates the instances for `count` points of one launch, in which points of one instance are adjacent. Must be freed
 * even after a failure. */
bool ws_instances_new(const ws_plan *plan, const ws_planned_point *points, uint32_t count,
                      const ws_stream_info *stream, ws_instances *instances, ws_error *err);
/* Appends the rows of all points; the first point is number `first`. */
bool ws_instances_finish(const ws_instances *instances, uint32_t first, ws_rows *rows, ws_error *err);
/* The taps that feed the instances in fidelity timed; `instances` must outlive them. */
ws_timed_taps ws_instances_timed_taps(ws_instances *instances);
void ws_instances_free(ws_instances *instances);

#endif
