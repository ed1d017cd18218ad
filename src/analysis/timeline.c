/* Analysis `timeline`: occupancy, waiting memory instructions and bandwidth over time (WP Fig. 4). */
#include "analysis/timeline.h"

#include "analysis/analyses.h"
#include "base/array.h"
#include "base/buffer.h"

#include <math.h>
#include <stdlib.h>

typedef struct timeline_params {
    int64_t period;
} timeline_params;

static const ws_param params[] = {
    WS_INT(timeline_params, period, "timeline.period", "cycles", 1000, 1, 1 << 30,
           "Cycles that a row covers; the last row of a launch has those that are left."),
};

static const ws_component component = {.name = "timeline",
                                       .summary = "The periods that a launch is cut into",
                                       .source = "WP Fig. 4",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(timeline_params)};

static const ws_column columns[] = {
    {"cycles", WS_TYPE_INT, "cycles", WS_ADDS_SUM, "Cycles of the launch."},
    {"periods", WS_TYPE_INT, "periods", WS_ADDS_SUM, "Rows in the table timeline_period."},
};

static const ws_column period_columns[] = {
    {"period", WS_TYPE_INT, "", WS_ADDS_KEY, "Number of the period, from 1."},
#define X(name, unit, help, value) {#name, WS_TYPE_INT, unit, WS_ADDS_NOT, help "."},
    WS_TIMELINE(X)
#undef X
};

static const ws_ratio period_ratios[] = {
#define X(name, unit, help, value) {#name, unit, #value, help "."},
    WS_TIMELINE_RATIOS(X)
#undef X
};

static const ws_table table = {"timeline", "Launches cut into periods", columns, WS_COUNT(columns), NULL, 0};
static const ws_table period_table = {"timeline_period", "What happened in each period",
                                      period_columns,    WS_COUNT(period_columns),
                                      period_ratios,     WS_COUNT(period_ratios)};
static const ws_table *const tables[] = {&table, &period_table, NULL};

void ws_timeline_values(const ws_timed_sample *s, const ws_timed_counters *before,
                        int64_t values[WS_TIMELINE_COLUMNS]) {
    ws_timed_counters counted, *d = &counted;
#define X(name, unit, help) counted.name = s->counters->name - before->name;
    WS_TIMED_COUNTERS(X)
#undef X
    int64_t *at = values;
#define X(name, unit, help, value) *at++ = (int64_t)(value);
    WS_TIMELINE(X)
#undef X
}

static double nullif(double a, double b) {
    return a == b ? (double)NAN : a;
}

static double min(double a, double b) {
    return a < b ? a : b; /* `b` may be NaN */
}

void ws_timeline_ratios(const int64_t values[WS_TIMELINE_COLUMNS], double ratios[WS_TIMELINE_RATIO_COUNT]) {
#define X(name, unit, help, value)                                                                           \
    const double name = (double)*values++;                                                                   \
    (void)name;
    WS_TIMELINE(X)
#undef X
#define X(name, unit, help, value) *ratios++ = value;
    WS_TIMELINE_RATIOS(X)
#undef X
}

/* ---- instances */

typedef struct analysis {
    ws_timed_counters before;
    ws_buffer periods; /* of int64_t[WS_TIMELINE_COLUMNS] */
} analysis;

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)values, (void)points, (void)stream;
    analysis *a = calloc(1, sizeof *a);
    if (!a) ws_no_memory(err);
    return a;
}

static void destroy(void *self) {
    analysis *a = self;
    if (a) ws_buffer_free(&a->periods);
    free(a);
}

static void sample(void *self, const ws_timed_sample *s) {
    analysis *a = self;
    int64_t values[WS_TIMELINE_COLUMNS];
    ws_timeline_values(s, &a->before, values);
    ws_buffer_put(&a->periods, values, sizeof values);
    a->before = *s->counters;
}

static uint64_t sample_cycles(const void *values) {
    return (uint64_t)((const timeline_params *)values)->period;
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->periods.failed) return ws_fail(err, WS_ERROR_MEMORY, "out of memory: raise timeline.period");
    const int64_t *value = (const void *)a->periods.data;
    size_t count = a->periods.size / (WS_TIMELINE_COLUMNS * sizeof *value);
    ws_rows_begin(rows, point, 0);
    ws_rows_count(rows, a->before.cycles);
    ws_rows_count(rows, count);
    for (size_t p = 0; p < count; p++) {
        ws_rows_begin(rows, point, 1);
        ws_rows_count(rows, p + 1);
        for (size_t c = 0; c < WS_TIMELINE_COLUMNS; c++)
            ws_rows_int(rows, value[p * WS_TIMELINE_COLUMNS + c]);
    }
    return true;
}

const ws_analysis ws_analysis_timeline = {
    .name = "timeline",
    .summary = "Occupancy, waiting memory instructions and bandwidth over time",
    .source = "WP 2.1, Fig. 4",
    .version = 3,
    .component = &component,
    .tables = tables,
    .fidelities = WS_FIDELITY_TIMED,
    .create = create,
    .sample = sample,
    .sample_cycles = sample_cycles,
    .finish = finish,
    .destroy = destroy,
};
