/* The sliding window, all sizes in one pass, against the lookups that no such pass can do without: for each reference,
 * when its line was used last. */
#include "bench.h"

#include "warpsweep/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCES = BENCH_REFERENCES, REPETITIONS = 5, BATCH = 1024 };

/* ---- the pass */

/* The columns that the analysis reads besides the line; each batch has the same ones. */
typedef struct columns {
    uint32_t warp[BATCH], cta[BATCH];
    uint16_t sm[BATCH];
    uint8_t op[BATCH];
} columns;

static double time_pass(const ws_analysis *window, const void *const *points, size_t count,
                        const uint32_t *line, const columns *c, int64_t *sent) {
    ws_kernel kernel = {.name = "bench", .short_name = "bench", .grid = {64, 1, 1}, .block = {256, 1, 1}};
    ws_stream_info stream = {
        .kernel = &kernel, .sms = 1, .sms_per_cluster = 1, .warps_per_cta = 8, .line_B = 128, .sector_B = 32};
    ws_error err = WS_NO_ERROR;
    void *self = window->create(points, count, &stream, &err);
    if (!self) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    double start = bench_seconds();
    for (size_t i = 0; i < REFERENCES; i += BATCH) {
        size_t n = REFERENCES - i < BATCH ? REFERENCES - i : BATCH;
        ws_requests batch = {
            .count = n, .line = line + i, .warp = c->warp, .cta = c->cta, .sm = c->sm, .op = c->op};
        window->requests(self, &batch);
    }
    double seconds = bench_seconds() - start;
    ws_rows *rows = ws_rows_new();
    const void *bytes;
    size_t size, at = 0, cells;
    uint32_t point, table;
    ws_cell cell[32];
    window->finish(self, 0, rows, &err);
    if (ws_rows_bytes(rows, &bytes, &size) &&
        ws_rows_next(bytes, size, &at, &point, &table, cell, 32, &cells))
        *sent = cell[1].integer;
    ws_rows_free(rows);
    window->destroy(self);
    return seconds;
}

/* The time per request from a trace to the counts: in the first replay, which reads and coalesces, and in the second,
 * which takes the stream that the replayer has kept. */
static void time_end_to_end(const ws_analysis *window, const void *const *points, size_t count) {
    static const char path[] = "traces/syrk.wst";
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t component_count;
    ws_error err = WS_NO_ERROR;
    ws_analysis_components(window, WS_FIDELITY_ORDER, components, &component_count);
    ws_config *config = ws_config_new(components, component_count);
    ws_trace *trace = ws_trace_open(path, &err);
    ws_replayer *replayer = trace ? ws_replayer_new(trace, 0, &err) : NULL;
    for (int replay = 0; replayer && replay < 2; replay++) {
        ws_stream_info stream;
        void *self = ws_stream_info_of(trace, 1, config, &stream, &err)
                         ? window->create(points, count, &stream, &err)
                         : NULL;
        ws_tap tap = {self, window->requests, NULL};
        ws_order_counters counters;
        double start = bench_seconds();
        if (!self || !ws_replay_order(replayer, 1, config, &tap, 1, &counters, &err)) break;
        double seconds = bench_seconds() - start;
        window->destroy(self);
        bench_report(replay ? "end to end, second replay of syrk" : "end to end, first replay of syrk",
                     seconds / (double)counters.requests * 1e9, "ns/request", BENCH_AT_MOST, 0);
    }
    if (err.code) fprintf(stderr, "%s\n", err.text);
    ws_replayer_free(replayer);
    ws_trace_close(trace);
    ws_config_free(config);
}

void bench_window(void) {
    const ws_analysis *window = ws_analysis_find("window", NULL);
    enum { SIZES = 10 };
    ws_config *config[SIZES];
    const void *points[SIZES];
    ws_error err = WS_NO_ERROR;
    json_t *sliding = json_string("sliding");
    for (int i = 0; i < SIZES; i++) { /* 0, 1, 2, 4 .. 256 */
        config[i] = ws_config_new(&window->component, 1);
        json_t *size = json_integer(i == 0 ? 0 : 1 << (i - 1));
        ws_config_set(config[i], "window.kind", sliding, "$", &err);
        ws_config_set(config[i], "window.size", size, "$", &err);
        json_decref(size);
        points[i] = ws_config_get(config[i], window->component);
    }
    json_decref(sliding);

    uint32_t *line = bench_references();
    static columns c;
    for (size_t i = 0; i < BATCH; i++) {
        c.warp[i] = (uint32_t)(i / 16 % 512);
        c.cta[i] = c.warp[i] / 8;
        c.op[i] = WS_MEMORY_LOAD;
    }
    double bound[REPETITIONS], pass[REPETITIONS];
    int64_t sent = 0;
    for (int r = 0; r < REPETITIONS; r++) {
        bound[r] = bench_look_ups(line);
        pass[r] = time_pass(window, points, SIZES, line, &c, &sent);
    }
    double look_ups = bench_median(bound, REPETITIONS), all_sizes = bench_median(pass, REPETITIONS);
    bench_report("look-ups, best of plain, prefetched, huge pages", look_ups / REFERENCES * 1e9,
                 "ns/reference", BENCH_AT_MOST, 0);
    bench_report("sliding window, 10 sizes in one pass", all_sizes / REFERENCES * 1e9, "ns/reference",
                 BENCH_AT_MOST, 0);
    bench_report("sliding window over look-ups", all_sizes / look_ups, "x", BENCH_AT_MOST, 2);
    time_end_to_end(window, points, SIZES);
    for (int i = 0; i < SIZES; i++) ws_config_free(config[i]);
    free(line);
}
