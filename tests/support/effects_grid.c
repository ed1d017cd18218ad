#include "effects_grid.h"

#include "folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

ws_error grid_err;

unsigned grid_level(const grid *g, unsigned point, unsigned axis) {
    for (unsigned i = g->axes - 1; i > axis; i--) point /= g->levels[i];
    return point % g->levels[axis];
}

grid grid_make(unsigned axes, const unsigned *levels, unsigned kernels) {
    grid g = {.axes = axes, .kernels = kernels, .points = 1};
    for (unsigned i = 0; i < axes; i++) g.points *= g.levels[i] = levels[i];
    return g;
}

/* ---- the database */

static ws_store *store;

void grid_sql(char *sql) {
    char *message = NULL;
    if (sqlite3_exec(ws_store_sqlite(store), sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", message, sql);
    sqlite3_free(sql);
}

int grid_open(void **state) {
    if (folder_setup(state) != 0) return -1;
    store = ws_store_open(folder_path("effects.db"), &grid_err);
    if (!store) return -1;
    grid_sql(
        sqlite3_mprintf("CREATE TABLE t (trace, kernel, a, b, c_c, d, m, launch DEFAULT 1);"
                        "CREATE VIEW s_by_kernel AS SELECT trace, kernel, a, b, c_c, d, m FROM t; CREATE "
                        "VIEW s AS SELECT * FROM t; CREATE VIEW s_speedup AS SELECT a, m FROM t;"
                        "INSERT INTO sweep (id, name, analysis, axes) VALUES (1, 's', 'x', '[]');"
                        "INSERT INTO sweep_view VALUES ('s_by_kernel', 1), ('s', 1), ('s_speedup', 1)"));
    return 0;
}

int grid_close(void **state) {
    ws_store_close(store);
    return folder_teardown(state);
}

static void use_axes(unsigned axes) {
    static const char *const lists[] = {"[\"a\"]", "[\"a\",\"b\"]", "[\"a\",\"b\",\"c.c\"]",
                                        "[\"a\",\"b\",\"c.c\",\"d\"]"};
    grid_sql(sqlite3_mprintf("DELETE FROM t; UPDATE sweep SET axes = %Q", lists[axes - 1]));
}

void grid_store(const grid *g) {
    use_axes(g->axes);
    grid_sql(sqlite3_mprintf("BEGIN"));
    for (unsigned k = 0; k < g->kernels; k++)
        for (unsigned p = g->points; p-- > 0;) {
            unsigned at[AXES] = {0};
            for (unsigned i = 0; i < g->axes; i++) at[i] = 8 + grid_level(g, p, i);
            grid_sql(sqlite3_mprintf("INSERT INTO t VALUES ('trace', 'k%u', %u, 'b%02u', %u, %u, %.17g, 1)",
                                     k, at[0], at[1], at[2], at[3], g->metric[k][p]));
        }
    grid_sql(sqlite3_mprintf("COMMIT"));
}

json_t *grid_ask(const ws_effects_query *query, char **told) {
    char *text = NULL;
    size_t size, told_size;
    grid_err = WS_NO_ERROR;
    FILE *out = open_memstream(&text, &size), *log = open_memstream(told, &told_size);
    bool ok = ws_effects(store, query, WS_QUERY_JSON, out, log, &grid_err);
    fclose(out);
    fclose(log);
    json_t *answer = ok ? json_loads(text, 0, NULL) : NULL;
    assert_int_equal(ok, answer != NULL);
    free(text);
    return answer;
}

const json_t *grid_row(const json_t *answer, const char *axis) {
    for (size_t i = 0; i < json_array_size(answer); i++) {
        const json_t *row = json_array_get(answer, i);
        if (strcmp(json_string_value(json_object_get(row, "axis")), axis) == 0) return row;
    }
    fail_msg("no row of %s", axis);
    return NULL;
}

double grid_value(const json_t *row, const char *column) {
    return json_number_value(json_object_get(row, column));
}

/* ---- the definition */

/* The mean over those points of the kernel that have the levels of `point` on axes a and b; an axis of -1 does not
 * matter. */
static double mean_of(const grid *g, unsigned kernel, unsigned point, int a, int b) {
    double sum = 0;
    unsigned count = 0;
    for (unsigned p = 0; p < g->points; p++) {
        if (a >= 0 && grid_level(g, p, (unsigned)a) != grid_level(g, point, (unsigned)a)) continue;
        if (b >= 0 && grid_level(g, p, (unsigned)b) != grid_level(g, point, (unsigned)b)) continue;
        sum += g->metric[kernel][p];
        count++;
    }
    return sum / count;
}

double grid_naive_share(const grid *g, int a, int b) {
    double of_term = 0, total = 0;
    for (unsigned k = 0; k < g->kernels; k++) {
        double mean = mean_of(g, k, 0, -1, -1);
        for (unsigned p = 0; p < g->points; p++) {
            double effect = mean_of(g, k, p, a, -1) - mean;
            if (b >= 0)
                effect = mean_of(g, k, p, a, b) - mean_of(g, k, p, a, -1) - mean_of(g, k, p, b, -1) + mean;
            of_term += effect * effect;
            total += (g->metric[k][p] - mean) * (g->metric[k][p] - mean);
        }
    }
    return of_term / total;
}

/* The mean at a level of an axis: over kernels, of the means over points. */
static double mean_at(const grid *g, int axis, unsigned level) {
    double mean = 0;
    unsigned point = 0;
    while (grid_level(g, point, (unsigned)axis) != level) point++;
    for (unsigned k = 0; k < g->kernels; k++) mean += mean_of(g, k, point, axis, -1) / g->kernels;
    return mean;
}

double grid_naive_rise(const grid *g, int axis, unsigned level) {
    double lowest = INFINITY;
    for (unsigned l = 0; l < g->levels[axis]; l++) lowest = fmin(lowest, mean_at(g, axis, l));
    return mean_at(g, axis, level) - lowest;
}

double grid_naive_span(const grid *g, int axis) {
    double highest = 0;
    for (unsigned l = 0; l < g->levels[axis]; l++) highest = fmax(highest, grid_naive_rise(g, axis, l));
    return highest;
}

void expect_near(double found, double expected) {
    if (!(fabs(found - expected) < 1e-9)) fail_msg("expected %.12g, found %.12g", expected, found);
}
