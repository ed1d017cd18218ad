#include "forest.h"

#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- the experiment */

typedef struct tree_params {
    int64_t height;
    double slope;
    bool green;
    int kind;
} tree_params;

static const char *const kinds[] = {"oak", "beech", NULL};
static const ws_param tree_param_list[] = {
    WS_INT(tree_params, height, "tree.height", "m", 10, 0, 100, "how tall"),
    WS_REAL(tree_params, slope, "tree.slope", "", 0.1, 0, 1, "of the hill"),
    WS_BOOL(tree_params, green, "tree.green", true, "has leaves"),
    WS_CHOICE(tree_params, kind, "tree.kind", 1, kinds, "which"),
};
static const ws_component tree = {.name = "tree",
                                  .summary = "a tree",
                                  .source = "our own",
                                  .params = tree_param_list,
                                  .param_count = 4,
                                  .struct_size = sizeof(tree_params)};
static const ws_component young_tree = {.name = "tree",
                                        .summary = "a tree",
                                        .source = "our own",
                                        .params = tree_param_list,
                                        .param_count = 2,
                                        .struct_size = sizeof(tree_params)};
const ws_component *const forest_components[] = {&tree};
static const ws_component *const young_components[] = {&young_tree};

static const ws_column leaf_columns[] = {
    {"leaves", WS_TYPE_INT, "leaves", WS_ADDS_SUM, "on the tree"},
    {"longest", WS_TYPE_REAL, "cm", WS_ADDS_MAX, "leaf"},
    {"fallen", WS_TYPE_INT, "leaves", WS_ADDS_SUM, "below it"},
    {"colour", WS_TYPE_TEXT, "", WS_ADDS_SAME, "of most"},
};
static const ws_ratio leaf_ratios[] = {
    {"fallen_share", "", "1.0 * fallen / nullif(leaves + fallen, 0)", "of all leaves"}};
static const ws_table leaf_table = {"leaf", "leaves of a tree", WS_ARRAY(leaf_columns),
                                    WS_ARRAY(leaf_ratios)};
static const ws_table young_leaf_table = {"leaf", "leaves of a tree", leaf_columns, 2, NULL, 0};

static const ws_column ring_columns[] = {
    {"year", WS_TYPE_INT, "", WS_ADDS_KEY, "of growth"},
    {"width", WS_TYPE_REAL, "mm", WS_ADDS_SUM, "of the ring"},
};
static const ws_table ring_table = {"ring", "rings of a tree", WS_ARRAY(ring_columns), NULL, 0};

const ws_table *const forest_tables[] = {&leaf_table, &ring_table, NULL};
static const ws_table *const young_tables[] = {&young_leaf_table, NULL};

const ws_experiment forest = {"forest", "trees",       "a book", 3,   forest_components,
                              1,        forest_tables, NULL,     NULL};
const ws_experiment young_forest = {"forest", "trees",      "a book", 3,   young_components,
                                    1,        young_tables, NULL,     NULL};

static const ws_column counters[] = {{"ctas", WS_TYPE_INT, "", WS_ADDS_SUM, "how many"}};

ws_error forest_err;

void forest_must(bool ok) {
    if (!ok) fail_msg("%s", forest_err.text);
}

ws_store *forest_open(const char *name) {
    forest_err = WS_NO_ERROR;
    ws_store *store = ws_store_open(folder_path(name), &forest_err);
    forest_must(store != NULL);
    return store;
}

void forest_describe(ws_store *store, const ws_experiment *experiment) {
    const int64_t ctas[] = {12};
    forest_must(ws_store_begin(store, &forest_err));
    forest_must(
        ws_store_begin_run(store, &(ws_run_row){"heights", "heights.json", "{}", NULL, 1}, &forest_err));
    forest_must(ws_store_kernel_counters(store, counters, 1, &forest_err));
    forest_must(ws_store_use(store, experiment, &forest_err));
    forest_must(ws_store_trace(store,
                               &(ws_trace_row){1, "abcd", "wood", "traces/wood.wst", "llvm", "none", 32, 2},
                               NULL, &forest_err));
    for (uint32_t launch = 1; launch <= 2; launch++)
        forest_must(ws_store_kernel(
            store,
            &(ws_kernel_row){
                10 + launch, 1, launch, "_Z4growv", "grow", {launch, 1, 1}, {32, 1, 1}, 8, 0, ctas},
            &forest_err));
    ws_config *config = ws_config_new(experiment->components, experiment->component_count);
    for (int64_t height = 1; height <= 2; height++) {
        json_t *value = json_integer(height);
        forest_must(ws_config_set(config, "tree.height", value, "$", &forest_err));
        forest_must(ws_store_config(store, &(ws_config_row){100 + height, "order", config}, &forest_err));
        json_decref(value);
    }
    ws_config_free(config);
    forest_must(ws_store_commit(store, &forest_err));
}

ws_point_row forest_point(int64_t launch, int64_t height) {
    return (ws_point_row){1000 * launch + height, 10 + launch, 100 + height};
}

void forest_put_leaf(ws_rows *rows, uint32_t point, int64_t leaves, double longest, int64_t fallen) {
    ws_rows_begin(rows, point, 0);
    ws_rows_int(rows, leaves);
    ws_rows_real(rows, longest);
    ws_rows_int(rows, fallen);
    ws_rows_unknown(rows, "it is night");
}

void forest_put_ring(ws_rows *rows, uint32_t point, int64_t year, double width) {
    ws_rows_begin(rows, point, 1);
    ws_rows_int(rows, year);
    ws_rows_real(rows, width);
}

bool forest_store_rows(ws_store *store, const ws_point_row *points, size_t count, const ws_rows *rows) {
    const void *bytes;
    size_t size;
    assert_true(ws_rows_bytes(rows, &bytes, &size));
    return ws_store_done(store, points, count, bytes, size, &forest_err);
}

void forest_fill(ws_store *store) {
    ws_rows *rows = ws_rows_new();
    const ws_point_row points[] = {forest_point(1, 1), forest_point(1, 2), forest_point(2, 1),
                                   forest_point(2, 2)};
    for (uint32_t i = 0; i < 4; i++) {
        forest_put_leaf(rows, i, 100 + i, 0.5 + i, i);
        forest_put_ring(rows, i, 1999, 1.25);
        forest_put_ring(rows, i, 1998, 0.25 * i);
    }
    forest_must(forest_store_rows(store, points, 4, rows));
    ws_rows_free(rows);
}

bool forest_sweep(ws_store *store, const char *name) {
    static const char *const axes[] = {"tree.height", NULL};
    static const int64_t ids[] = {1001, 1002, 2001, 2002};
    forest_must(ws_store_begin(store, &forest_err));
    bool ok = ws_store_sweep(
        store, &(ws_sweep_row){.name = name, .axes = axes, .points = ids, .point_count = 4}, &forest_err);
    ws_error kept = forest_err;
    forest_must(ws_store_commit(store, &forest_err));
    forest_err = kept;
    return ok;
}
